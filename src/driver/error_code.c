/* SPDX-License-Identifier: MIT */
#include <pfifo/error_code.h>

#include "chip/chip.h"
#include "driver/error_names.h"
#include "unit/error.h"

#include <string.h>

#define COUNT_OF(a) (sizeof(a) / sizeof((a)[0]))

static const struct error_names *const sets[] = {
    &errors_cache,           &errors_pusher,     &errors_semaphore_nv1a,
    &errors_semaphore_g80,   &errors_pbdma,      &errors_pbdma_copy,
    &errors_mmu_g80,         &errors_mmu,        &errors_graph_invalid,
    &errors_graph_nv1,       &errors_graph_dma,  &errors_graph_source,
    &errors_graph_interrupt, &errors_graph_data, &errors_copy,
    &errors_falcon,          &errors_sec,
};

/* A shader processor's errors: numbers of a warp, then bits of the processor. */
static bool shader_code_at(size_t index, struct pfifo_error_code *out) {
    *out = (struct pfifo_error_code){.unit = "PGRAPH",
                                     .chips = "GF100-",
                                     .text = "a shader program was stopped by it",
                                     .source = "nouveau engine/gr/gf100.c",
                                     .where = "MP_TRAP_WARP_ERROR"};
    for (uint32_t warp = 1; warp < 0x100; warp++) {
        out->name = unit_shader_error_name(warp, 0);
        out->code = warp;
        if (out->name[0] && index-- == 0)
            return true;
    }
    out->where = "MP_TRAP_GLOBAL_ERROR";
    out->is_bit = true;
    for (unsigned bit = 0; bit < 32; bit++) {
        out->code = 1u << bit;
        out->name = unit_shader_error_name(0, out->code);
        if (out->name[0] && index-- == 0)
            return true;
    }
    return false;
}

static bool trap_code_at(size_t index, struct pfifo_error_code *out) {
    struct error_trap trap;

    if (!error_trap_at(index, &trap))
        return false;
    *out = (struct pfifo_error_code){.unit = "PGRAPH",
                                     .where = "TRAP",
                                     .chips = trap.chips,
                                     .name = trap.name,
                                     .text = "a unit of PGRAPH found an error; its own register of traps says which",
                                     .source = "nouveau engine/gr/nv50.c, gf100.c",
                                     .code = trap.mask,
                                     .is_bit = true};
    return true;
}

bool pfifo_error_code_at(size_t index, struct pfifo_error_code *out) {
    for (size_t i = 0; i < COUNT_OF(sets); i++) {
        const struct error_names *set = sets[i];
        if (index >= set->count) {
            index -= set->count;
            continue;
        }
        const struct error_name *row = &set->rows[index];
        *out = (struct pfifo_error_code){.unit = set->unit,
                                         .where = set->where,
                                         .chips = set->chips,
                                         .name = row->name,
                                         .text = row->text,
                                         .source = set->source,
                                         .code = row->code,
                                         .is_bit = set->bits};
        return true;
    }
    for (size_t traps = 0; traps <= index; traps++) {
        struct error_trap trap;
        if (!error_trap_at(traps, &trap))
            return shader_code_at(index - traps, out);
    }
    return trap_code_at(index, out);
}

bool pfifo_error_code_on(const struct pfifo_error_code *code, const struct pfifo_chip *chip) {
    return chip_in_range(chip, code->chips);
}

bool pfifo_error_code_find(const struct pfifo_chip *chip, const char *unit, const char *name,
                           struct pfifo_error_code *out) {
    for (size_t i = 0; pfifo_error_code_at(i, out); i++) {
        size_t letters = strlen(out->unit);
        if (strncmp(out->unit, unit, letters) == 0 && strspn(unit + letters, "0123456789") == strlen(unit + letters) &&
            strcmp(out->name, name) == 0 && pfifo_error_code_on(out, chip))
            return true;
    }
    return false;
}
