/* SPDX-License-Identifier: MIT */
/*
 * Registers of PFIFO, G80 .. MCP89.
 *
 * Sources: envytools rnndb/fifo/g80_pfifo.xml (fields, masks, values after power-on); nouveau
 *          nvkm/engine/fifo/{nv50,g84}.c. UNKNOWN: power-on values that it does not give; chosen: those of NV4x where
 *          the register is an old one, else 0. Bits that only have a number in it are storage.
 */
#include "listing.h"

#define ALL ~0u
#define RW(offset, chips, mask, reset)                                                                                 \
    { offset, chips, mask, mask, reset, 1, 0, PLAIN, 0 }
#define RWN(offset, chips, mask, count, stride)                                                                        \
    { offset, chips, mask, mask, 0, count, stride, PLAIN, 0 }
#define RWO(offset, chips, mask, open)                                                                                 \
    { offset, chips, mask, mask, 0, 1, 0, PLAIN, open }
#define RO(offset, chips, mask, reset)                                                                                 \
    { offset, chips, mask, 0, reset, 1, 0, DERIVED, 0 }
#define RX(offset, chips, readable, writable)                                                                          \
    { offset, chips, readable, writable, 0, 1, 0, PLAIN, 0 }

/* INTR: 0, 4, 6, 8, 12, 16, 18 .. 29; NOTIFY from G84 on; 9 and 10 from GT215 on; 11 on MCP89. */
#define INTR_G80   0x3ffd1151
#define INTR_G84   0x7ffd1151
#define INTR_GT215 0x7ffd1751
#define INTR_MCP89 0x7ffd1f51

const struct listed listing_g80[] = {
    RW(0x2040, "G80-", 0xf00003ff, 0),
    RW(0x2044, "G80-", 0xf101ffff, 0),
    /* "Bits fffff, bit 19 seems forced to 0, comes up as 90100" */
    {0x2048, "G80-", 0xfffff, 0x7ffff, 0x90100, 1, 0, PLAIN, 0x80000},
    RW(0x204c, "G80-", 0x3ffff, 0x3ffff),
    RW(0x2054, "G80-", 0xf00003ff, 2),
    RW(0x2058, "G80-", 0x30000fff, 0),
    RW(0x2070, "G84-", ALL, 0),
    RO(0x2080, "G80-", 0x11, 0),
    RW(0x2084, "G80-", ALL, 0x72f200),
    RW(0x2088, "G80-", ALL, 0),
    RW(0x208c, "G80-", ALL, 0),
    RW(0x2090, "G80", ALL, 0x443333),
    RW(0x2090, "G84-", ALL, 0x33c43333), /* known of G86 */
    RW(0x2094, "G84-", 0x1f, 0),
    RW(0x2098, "G84-", ALL, 0),
    RO(0x2100, "G80", INTR_G80, 0),
    RO(0x2100, "G84:GT215", INTR_G84, 0),
    RO(0x2100, "GT215:MCP89", INTR_GT215, 0),
    RO(0x2100, "MCP89", INTR_MCP89, 0),
    RO(0x2104, "GT215-", 0x40000000, 0),
    RW(0x2140, "G80", INTR_G80, 0),
    RW(0x2140, "G84:GT215", INTR_G84, 0),
    RW(0x2140, "GT215:MCP89", INTR_GT215, 0),
    RW(0x2140, "MCP89", INTR_MCP89, 0),
    RW(0x2144, "GT215-", 0x40000000, 0),
    RW(0x2210, "G80-", 0x1fffffff, 0),
    RX(0x2500, "G80-", 0x13, 0x03),                     /* bit 8 asks for the playlist and is 0 again */
    {0x2504, "G80-", 0x11, 0x01, 0, 1, 0, PLAIN, 0x10}, /* FROZEN answers ENABLE */
    RW(0x2508, "G80-", ALL, 0),
    RW(0x250c, "G80-", ALL, 0),
    RW(0x2510, "G80-", 0x3fffffff, 0),
    RW(0x2514, "G80-", 0x3fffffff, 0),
    RW(0x2518, "G80-", ALL, 0),
    RO(0x251c, "G80-", 0x3f, 0x3f),
    RW(0x2520, "G84-", ALL, 0),
    {0x2600, "G80", ALL, 0xbfffffff, 0, 128, 4, PLAIN, 0}, /* PENDING is for the hardware to say */
    {0x2600, "G84-", 0xdfffffff, 0x9fffffff, 0, 128, 4, PLAIN, 0},
    RW(0x2800, "G80-", 0x8001007f, 0),
    RWN(0x2804, "G80-", ALL, 2, 4),
    RWN(0x2900, "G80-", ALL, 2, 4),
    RW(0x2908, "G80-", 0xfffffff0, 0),
    RW(0x290c, "G80-", 0x031f00ff, 0),
    RW(0x2910, "G80-", 0x001f001f, 0),
    RW(0x2914, "G80-", 0x037b73f3, 0),

    /* ---- CACHE1 ---- */
    RW(0x3200, "G80-", 1, 0),
    RW(0x3204, "G80-", 0x1007f, 0x1007f), /* the idle channel */
    RW(0x3210, "G80-", 0xffc, 0),
    RO(0x3214, "G80-", 0x111, 0x10),
    {0x3220, "G80-", 0x1101, 0x1001, 0x100, 1, 0, PLAIN, 0xff716070},
    RW(0x3224, "G80-", 0x407fe0f8, 0x6078),
    RW(0x3228, "G80-", 0xe007ffff, 0),
    RW(0x322c, "G80-", 0xffff, 0),
    RW(0x3234, "G80-", ALL, 0),
    RWO(0x3240, "G80-", ALL, 3),
    RWO(0x3244, "G80-", ALL, 3),
    RW(0x3248, "G80-", ALL, 0),
    RW(0x324c, "G80-", 0xfffffffc, 0),
    RX(0x3250, "G80:MCP89", 0xf1f11111, 1),
    RX(0x3250, "MCP89", 0xf7f11111, 1),
    RW(0x3254, "G80", 0x1f, 0),
    RW(0x3254, "G84-", 0xbf, 0),
    RW(0x3258, "G80-", 0xffff, 0),
    RW(0x3260, "G80-", ALL, 0),
    RW(0x3264, "G80-", ALL, 0),
    RW(0x3268, "G80-", ALL, 0),
    RW(0x326c, "G80-", 0xffff7fff, 0),
    RW(0x3270, "G80-", 0xffc, 0),
    RW(0x3280, "G80-", ALL, 0),
    RW(0x32a0, "G80-", 0x1ffc, 0),
    RWO(0x32a4, "G80-", ALL, 3),
    RW(0x32a8, "G80-", ALL, 0),
    RW(0x32ac, "G80-", ALL, 0),
    RW(0x32e4, "G80-", ALL, 0),
    RW(0x32ec, "G80", 0x1ff, 0),
    RW(0x32ec, "G84-", 0x1fff, 0),
    RO(0x32f0, "G80-", 0x7f, 0x7f),
    RW(0x32f4, "G80-", 0x3fffffff, 0),
    RWO(0x32fc, "G80-", ALL, 0xc0000000),
    RW(0x3300, "G84-", ALL, 0x4004f),
    {0x3304, "G80-", 3, 0, 3, 1, 0, PLAIN, 0},
    RX(0x3308, "G80-", 0, 0),
    RX(0x330c, "G80", 0, 0), /* a flush takes no time */
    RW(0x3310, "G80-", ALL, 0),
    RW(0x3314, "G80-", 3, 0),
    RW(0x3318, "G80-", 7, 2),
    RW(0x3320, "G80-", 0xff, 0),
    RW(0x3328, "G80-", 0xff, 0),
    RW(0x3330, "G80-", ALL, 0),
    RW(0x3334, "G80-", ALL, 0),
    RW(0x3340, "G80-", ALL, 0),
    RW(0x3344, "G80-", ALL, 0),
    RW(0x3364, "G80-", 0xffffff, 0),
    RWO(0x3368, "G80-", ALL, 3),
    RW(0x336c, "G80-", 0x800000ff, 0),
    RW(0x3370, "G80-", 0xff, 0),
    RW(0x3374, "G80-", 0xff, 0),
    RW(0x3378, "G80-", 0xff, 0),
    RW(0x337c, "G80-", 0x800000ff, 0),
    RW(0x3400, "G84-", 0xff, 0),
    RW(0x3404, "G84-", ALL, 0),
    RW(0x3408, "G84-", ALL, 0),
    RW(0x340c, "G84-", ALL, 0),
    RW(0x3410, "G84-", 0x3fffffff, 0),
    RW(0x3500, "MCP89", ALL, 0),
    RW(0x3504, "MCP89", ALL, 0),
    {0x90000, "G80-", 0xfffd, 0xfffd, 0, 512, 8, DATA, 0xffff0002},
    {0x90004, "G80-", ALL, ALL, 0, 512, 8, DATA, 0},
};

const size_t listing_g80_count = COUNT_OF(listing_g80);
