/* SPDX-License-Identifier: MIT */
/*
 * GM107's instructions as text: Maxwell and Pascal. Order and names are nvdisasm's.
 *
 * Sources: public listings of nvdisasm for sm_50 to sm_61 (CuAssembler, InsAsmRepos); envytools envydis/gm107.c and Mesa
 * src/nouveau/compiler/nak/sm50.rs for fields that no listing has.
 */
#include "isa/shader/fields.h"
#include "isa/shader/text.h"

#include <inttypes.h>

/* Sources that are kept for the next instruction: a bit each, of the instruction's part of the word. */
unsigned gm107_text_reused(uint64_t control, uint64_t address) {
    unsigned place = (unsigned)(address / 8 % 4);
    return place ? (unsigned)isa_bits(control, 21 * (place - 1) + 17, 4) : 0;
}

/*
 * " [B--2---:R0:W-:Y:S06 reuse ab]" for each of three instructions: barriers that it waits for; the ones that are set when
 * it has read, and written; that it yields; cycles until the next may begin. Bit 63 is in none.
 */
void gm107_text_control(struct isa_line *line, uint64_t control) {
    for (unsigned at = 0; at < 63; at += 21) {
        uint64_t part = isa_bits(control, at, 21), reuse = part >> 17;
        isa_line_add(line, " [B");
        for (unsigned i = 0; i < 6; i++)
            isa_line_add(line, "%c", part >> (11 + i) & 1 ? (int)('0' + i) : '-');
        isa_line_add(line, ":R%c:W%c:%c:S%02u", (part >> 8 & 7) == 7 ? '-' : (int)('0' + (part >> 8 & 7)),
                     (part >> 5 & 7) == 7 ? '-' : (int)('0' + (part >> 5 & 7)), part >> 4 & 1 ? '-' : 'Y',
                     (unsigned)(part & 15));
        isa_line_add(line, "%s", reuse ? " reuse " : "");
        for (unsigned i = 0; i < 4; i++)
            isa_line_add(line, "%s", reuse >> i & 1 ? (const char *const[]){"a", "b", "c", "d"}[i] : "");
        isa_line_add(line, "]");
    }
    if (control >> 63)
        isa_line_add(line, " {+0x%" PRIx64 "}", UINT64_C(1) << 63);
}
