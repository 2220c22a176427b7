/* SPDX-License-Identifier: MIT */
/*
 * GF100's and GK104's instructions as text: what no field says. Order and names are nvdisasm's.
 *
 * Sources: public listings of cuobjdump for sm_20 and sm_30; asfermi's pages on opcodes, whose names were probed with
 * cuobjdump; envytools envydis/gf100.c and Mesa src/nouveau/compiler/nak/sm20.rs for fields that these do not have.
 */
#include "isa/shader/fields.h"
#include "isa/shader/text.h"

#include <inttypes.h>

/* Types of loads, by the logarithm of the size and the sign: U8, S8, U16, S16, 32, 64, 128. */
enum { U8, S8, U16, S16, B32, B64, B128 };

/* The first load's type goes up with the code; the one of the uniform load, among those of its group. */
struct gf100_pair gf100_text_pair(unsigned code) {
    static const uint8_t sizes[] = {0, 0, 1, 1, 2, 3, 4};
    static const struct {
        uint8_t first, type, uniform;
    } groups[] = {{0, U8, U8},   {5, S8, U8},    {10, U16, U8},   {15, S16, U8},
                  {20, B32, U8}, {27, B64, B32}, {30, B128, B32}, {UINT8_MAX, U8, U8}};
    unsigned group = 0;
    while (code >= groups[group + 1].first)
        group++;
    unsigned type = groups[group].type, uniform = groups[group].uniform + (code - groups[group].first);
    assert(type <= B128 && uniform <= B128);
    return (struct gf100_pair){(uint8_t)type, (uint8_t)uniform, sizes[type], sizes[uniform]};
}

/* " 0x2e 0x04 ...": the code of each of the seven instructions after it, and what a word for the scheduler has not. */
void gf100_text_control(struct isa_line *line, uint64_t control) {
    uint64_t rest = (control & UINT64_C(0xf00000000000000f)) ^ UINT64_C(0x2000000000000007);
    for (unsigned at = 4; at < 60; at += 8)
        isa_line_add(line, " 0x%02x", (unsigned)(control >> at & 0xff));
    if (rest)
        isa_line_add(line, " {^0x%" PRIx64 "}", rest);
}
