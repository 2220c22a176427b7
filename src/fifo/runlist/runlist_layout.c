/* SPDX-License-Identifier: MIT */
/*
 * The formats of runlist entries in memory.
 *
 *   GF100   {channel, ...}, 8 bytes                                      GF100:GK110
 *   GK110   {channel, ...} or {TSG header, 0}, 8 bytes                   GK110:GV100
 *   GV100   {[0] 0, ..., channel [11:0], ...} or {[0] 1, ...}, 16 bytes  GV100-; also names USERD and instance block
 *
 * Sources: nouveau nvkm/engine/fifo/{gf100,gk104,gk110,gv100}.c; NVIDIA open-gpu-doc
 * manuals/volta/gv100/dev_ram.ref.txt (NV_RAMRL_ENTRY).
 */
#include "fifo/pbdma/pbdma.h"
#include "fifo/runlist/runlist.h"
#include "hw/pfifo_gf100.h"

static void layout_decode_gf100(const uint32_t words[RUNLIST_ENTRY_WORDS], struct runlist_word *entry) {
    *entry = (struct runlist_word){.id = words[0]};
}

/* The header of a TSG: [11:0] id, 13 set, [17:14] scale, [25:18] timeout, [31:26] members. */
#define GK110_TSG    (1u << 13)
#define GK110_TSG_ID 0xfffu

static void layout_decode_gk110(const uint32_t words[RUNLIST_ENTRY_WORDS], struct runlist_word *entry) {
    uint32_t word = words[0];
    if (!(word & GK110_TSG)) {
        layout_decode_gf100(words, entry);
        return;
    }
    *entry = (struct runlist_word){.tsg = true,
                                   .id = word & GK110_TSG_ID,
                                   .members = word >> 26,
                                   .slice = pbdma_slice_units(word >> 18 & 0xff, word >> 14 & 0xf)};
}

/* A TSG: word 0 [0] set, [19:16] scale, [31:24] timeout; word 1 [7:0] members; word 2 [11:0] id. A channel: word 2. */
#define GV100_TSG 0x1u
#define GV100_ID  0xfffu

static void layout_decode_gv100(const uint32_t words[RUNLIST_ENTRY_WORDS], struct runlist_word *entry) {
    *entry = (struct runlist_word){.id = words[2] & GV100_ID};
    if (!(words[0] & GV100_TSG))
        return;
    entry->tsg = true;
    entry->members = words[1] & 0xff;
    entry->slice = pbdma_slice_units(words[0] >> 24, words[0] >> 16 & 0xf);
}

const struct runlist_layout runlist_layout_gf100 = {.bytes = PFIFO_RUNLIST_ENTRY_BYTES, .decode = layout_decode_gf100};
const struct runlist_layout runlist_layout_gk110 = {.bytes = PFIFO_RUNLIST_ENTRY_BYTES, .decode = layout_decode_gk110};
const struct runlist_layout runlist_layout_gv100 = {.bytes = 16, .decode = layout_decode_gv100};
