/* SPDX-License-Identifier: MIT */
/* The errors of a shader processor: of the processor itself, and of the warp that was first to have one. */
#include "face/tool/explain/log/more.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { ERROR_BITS = 16 }; /* 15:0 are the error, on all chips */

/*
 * What is above the error, by the class of the chip's channels. nvgpu hw_gr_{gk20a,gm20b,gp10b,gv11b,tu104}.h;
 * hw_gr_ga10b.h has none of these fields. A type of address error counts only if ADDR_VALID is set, or WRAP_ID is not 0 (hal/gr/gr/gr_gp10b.c, gr_gv11b.c).
 */
static const struct warp_field {
    uint32_t from, until; /* the chips */
    unsigned high, low;
    const char *name, *text;
} fields[] = {
    {0xc06f, 0xc36f, 24, 24, "ADDR_VALID", "the address of the access that failed is kept"},
    {0xc06f, 0xc36f, 27, 25, "ADDR_ERROR_TYPE", "the kind of a wrong address; the numbers have no names"},
    /* UNKNOWN: what WRAP_ID counts; chosen: it is shown as a number that may be the warp's. */
    {0xc36f, 0xc56f, 23, 16, "WRAP_ID", "the sources have only the name; it may be the warp's number"},
    {0xc36f, 0xc56f, 27, 24, "ADDR_ERROR_TYPE", "the kind of a wrong address; the numbers have no names"},
};

static uint32_t field_mask(const struct warp_field *field) {
    return (uint32_t)((UINT64_C(1) << (field->high + 1)) - (UINT64_C(1) << field->low));
}

/* Of a chip that is not known, the register may say the generation. 0: it does not. */
static uint32_t host_of(const struct log_match *match, enum log_sm sm) {
    if (match->chip)
        return pfifo_chip_info(match->chip).host_class;
    return sm == LOG_SM_GV100 ? 0xc36f : 0;
}

static void print_upper(struct explain *explain, const struct log_match *match, uint32_t value, enum log_sm sm) {
    uint32_t host = host_of(match, sm), left = value & ~((1u << ERROR_BITS) - 1);
    char bits[16];

    if (!left)
        return;
    explain_list(explain, "above it");
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        const struct warp_field *field = &fields[i];
        if (host < field->from || host >= field->until || !(left & field_mask(field)))
            continue;
        explain_line(explain, "%s (%s) 0x%" PRIx32 ": %s%s", field->name, explain_bits(field->high, field->low, bits),
                     (left & field_mask(field)) >> field->low, field->text, match->chip ? "" : ", on Volta and Turing");
        left &= ~field_mask(field);
    }
    if (left)
        explain_line(explain, "bits 0x%08" PRIx32 "%s: %s", left, explain->items ? " more" : "",
                     host ? "they have no names on this chip" : "what they are depends on the chip (--chip=CHIP)");
    explain_list_end(explain);
}

void log_print_warp(struct explain *explain, const struct log_match *match, const char *key, uint64_t value,
                    enum log_sm sm) {
    log_print_value(explain, match, key, value & ((1u << ERROR_BITS) - 1), "PGRAPH", "MP_TRAP_WARP_ERROR", "");
    if (value <= UINT32_MAX)
        print_upper(explain, match, (uint32_t)value, sm);
}

static void print_both(struct explain *explain, const struct log_match *match, uint64_t global, uint64_t warp,
                       enum log_sm sm) {
    log_print_value(explain, match, "global", global, "PGRAPH", "MP_TRAP_GLOBAL_ERROR", "");
    log_print_warp(explain, match, "warp", warp, sm);
}

/* "global 00000004 [MULTIPLE_WARP_ERRORS] warp 3c000e [OOR_ADDR]"; "SM0" in the line: Volta and later. */
void log_more_mp(struct explain *explain, const struct log_match *match) {
    const char *text = match->line->message, *global = strstr(text, "global "), *warp = strstr(text, "warp ");
    enum log_sm sm = strstr(text, "/SM") ? LOG_SM_GV100 : LOG_SM_ANY;
    uint64_t numbers[2];

    if (global && warp && log_read_hex(global + 7, &numbers[0]) && log_read_hex(warp + 5, &numbers[1]))
        print_both(explain, match, numbers[0], numbers[1], sm);
}

/* "hww_global_esr 4,hww_warp_esr 14, hww_warp_esr_pc 0x10": the first two are decimal. */
void log_more_nvgpu_sm(struct explain *explain, const struct log_match *match) {
    static const char global_word[] = "hww_global_esr ", warp_word[] = "hww_warp_esr ";
    const char *global = strstr(match->rest, global_word), *warp = strstr(match->rest, warp_word);
    uint64_t pc;

    if (global && warp)
        print_both(explain, match, strtoul(global + strlen(global_word), NULL, 10) & UINT32_MAX,
                   strtoul(warp + strlen(warp_word), NULL, 10) & UINT32_MAX, LOG_SM_ANY);
    if (log_number_after(match->rest, "hww_warp_esr_pc", &pc))
        explain_number(explain, "stopped at", "0x%" PRIx64, pc);
}
