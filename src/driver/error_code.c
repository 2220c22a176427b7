/* SPDX-License-Identifier: MIT */
#include <pfifo/error_code.h>

#include "chip/chip.h"
#include "unit/error_names.h"
#include "unit/error.h"

#include <string.h>

#define COUNT_OF(a) (sizeof(a) / sizeof((a)[0]))

static const struct error_names *const sets[] = {
    &errors_cache,
    &errors_pusher,
    &errors_semaphore_nv1a,
    &errors_semaphore_g80,
    &errors_pbdma,
    &errors_pbdma_copy,
    &errors_pbdma_context,
    &errors_mmu_g80,
    &errors_mmu_gf100,
    &errors_mmu,
    &errors_mmu_gv100,
    &errors_graph_invalid,
    &errors_graph_nv1,
    &errors_graph_dma,
    &errors_graph_source,
    &errors_graph_interrupt,
    &errors_graph_data,
    &errors_copy,
    &errors_falcon,
    &errors_sec,
    &errors_prop_g80,
    &errors_mp_exec,
    &errors_mp_g80,
    &errors_texture_g80,
    &errors_m2mf_g80,
    &errors_dispatch,
    &errors_m2mf,
    &errors_ccache,
    &errors_unk6,
    &errors_macro,
    &errors_sked,
    &errors_prop,
    &errors_sched,
    &errors_bind,
    &errors_ltc,
    &errors_fetch_g80,
    &errors_strmout_g80,
    &errors_ccache_g80,
    &errors_graph_other,
    &errors_graph_other_g80,
    &errors_graph_other_gf100,
};

/* What stops a warp or a processor, by its name. */
static const struct shader_text {
    const char *name, *text;
    const char *chips; /* NULL: GF100 and later */
} shader_texts[] = {
    {"STACK_ERROR", "the warp's stack of branches overflowed or is not what the instruction expects"},
    {"API_STACK_ERROR", "the warp's stack of calls overflowed"},
    {"RET_EMPTY_STACK_ERROR", "a return without a call"},
    {"PC_WRAP", "the program ran beyond the end of its address space"},
    {"MISALIGNED_PC", "a branch to an address that is not aligned"},
    {"PC_OVERFLOW", "the program ran beyond the end of its code"},
    {"MISALIGNED_IMMC_ADDR", "an operand in a constant buffer is not aligned"},
    {"MISALIGNED_REG", "a pair or quad of registers does not begin at an even or fourth one"},
    {"ILLEGAL_INSTR_ENCODING", "a word that is no instruction: often code that was not uploaded, or was overwritten"},
    {"ILLEGAL_SPH_INSTR_COMBO", "an instruction that the program's header does not allow"},
    {"ILLEGAL_INSTR_PARAM", "an operand or modifier that the instruction does not take"},
    {"INVALID_CONST_ADDR", "an operand beyond the end of its constant buffer"},
    {"OOR_REG", "a register beyond those that the program asked for"},
    {"OOR_ADDR", "an address beyond local or shared memory, or beyond the address space"},
    {"MISALIGNED_ADDR", "an address in memory that is not a multiple of the access's size"},
    {"INVALID_ADDR_SPACE", "a generic address in a window that the instruction cannot access"},
    {"ILLEGAL_INSTR_PARAM2", "an operand or modifier that the instruction does not take"},
    {"INVALID_CONST_ADDR_LDC", "a load beyond the end of its constant buffer"},
    {"GEOMETRY_SM_ERROR", "a geometry program emitted more than its header allows"},
    {"DIVERGENT", "lanes of a warp differ where they must not"},
    {"WARP_EXIT", "the warp ended where it must not"},
    /* nvgpu hw_gr_gv11b.h, hw_gr_tu104.h, hw_gr_ga100.h, hw_gr_ga10b.h. */
    {"STACK_OVERFLOW", "the warp's stack is deeper than its memory", "GV100:GA100"},
    {"MMU_FAULT", "the MMU refused an access of the warp", "GV100-"},
    {"TEX_FORMAT", "a texture or image has a format that the instruction does not take", "GV100-"},
    {"TEX_LAYOUT", "a texture or image has a layout that the instruction does not take", "GV100-"},
    {"MMU_NACK", "an access of the warp was not acknowledged", "GV100-"},
    {"ARRIVE", "the arrival at a barrier is not valid", "GA100-"},
    {"ERROR_IN_TRAP", "an error in the program that handles traps", "GV100-"},
    {"POISON_DATA", "memory that is marked as damaged was read", "GA100-"},
    {"MULTIPLE_WARP_ERRORS", "more than one warp has an error; the warp's number is that of the first"},
    {"PHYSICAL_STACK_OVERFLOW", "the memory for the stacks of warps is too small"},
    {"TIMEOUT", "the program took too long"},
    {"ECC_SEC_ERROR", "one bit was wrong and was corrected"},
    {"ECC_DED_ERROR", "two bits were wrong: the data is lost"},
};

static const struct shader_text *shader_text(const char *name) {
    static const struct shader_text other = {"", "a shader program was stopped by it", NULL};

    for (size_t i = 0; i < COUNT_OF(shader_texts); i++)
        if (strcmp(shader_texts[i].name, name) == 0)
            return &shader_texts[i];
    return &other;
}

/* What follows from the name. */
static void shader_fill(struct pfifo_error_code *out) {
    const struct shader_text *text = shader_text(out->name);

    out->text = text->text;
    out->chips = text->chips ? text->chips : "GF100-";
}

/* A shader processor's errors: numbers of a warp, then bits of the processor. Without what shader_fill() adds. */
static bool shader_code_at(size_t index, struct pfifo_error_code *out) {
    *out = (struct pfifo_error_code){
        .unit = "PGRAPH", .source = "nouveau engine/gr/gf100.c; nvgpu hw_gr_*.h", .where = "MP_TRAP_WARP_ERROR"};
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
    if (index >= error_trap_count)
        return false;
    *out = (struct pfifo_error_code){.unit = "PGRAPH",
                                     .where = "TRAP",
                                     .chips = error_traps[index].chips,
                                     .name = error_traps[index].name,
                                     .text = "a unit of PGRAPH found an error; its own register of traps says which",
                                     .source = "nouveau engine/gr/nv50.c, gf100.c",
                                     .code = 1u << error_traps[index].bit,
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
    if (trap_code_at(index, out))
        return true;
    if (!shader_code_at(index - error_trap_count, out))
        return false;
    shader_fill(out);
    return true;
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
