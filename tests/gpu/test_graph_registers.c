/* SPDX-License-Identifier: MIT */
/*
 * The registers of PGRAPH and of the other units that tell of interrupts, as the documents list them: written by hand,
 * for comparison with the library. On every chip whose machine is built.
 *
 * Sources: envytools rnndb/graph/{nv1,nv3,nv4}_pgraph.xml, {g80,gf100}_pgraph/pgraph.xml, rnndb/falcon.xml,
 *          hwtest/pgraph_state.cc; nouveau nvkm/engine/gr, ce, cipher, mpeg, falcon.c, xtensa.c.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "gpu/gpu.h"
#include "graph_scan.h"
#include "unit/graph/graph.h"

#define ALL ~0u

/* What no scan covers, and what is G80's and later. */
static const struct graph_listed listing[] = {
    /* ---- interrupts ---- */
    {"NV1-", 0x400100, 1, W1C, ALL, 0, 0},
    {"G80-", 0x40013c, 1, RW, ALL, 0, 0},
    {"NV1:NV4", 0x400104, 1, W1C, ALL, 0, 0},
    {"NV4:G80", 0x400108, 1, RO, 0x000dffff, 0, 0},
    {"G80-", 0x400108, 1, W1C, ALL, 0, 0},
    {"G80-", 0x400110, 1, RO, ALL, 0, 0},
    {"G80-", 0x400138, 1, RW, ALL, 0, ALL},
    {"GF100-", 0x400118, 2, W1C, ALL, 0, 0},
    {"GF100-", 0x400120, 1, W1C, ALL, 0, 0},
    {"GF100-", 0x400124, 1, RW, 2, 0, 0},
    {"GF100-", 0x400130, 2, RW, ALL, 0, ALL},
    /* ---- the method ---- */
    {"NV1", 0x4006a8, 2, RO, ALL, 0, 0},
    {"NV3:NV4", 0x4006b4, 2, RO, ALL, 0, 0},
    {"NV4-", 0x400704, 2, RO, ALL, 0, 0},
    {"NV10-", 0x40070c, 1, RO, ALL, 0, 0},
    {"GF100:GK104", 0x404200, 8, RW, 0xffff, 0, 0},
    {"GK104-", 0x404200, 4, RW, 0xffff, 0, 0},
    /* ---- whose it is, and whether it goes in ---- */
    {"NV40:G80", 0x40032c, 2, RW, 0x01ffffff, 0, 0},
    {"G80:GF100", 0x40032c, 2, RW, 0xbfffffff, 0, 0},
    {"GF100-", 0x409b00, 2, RW, ALL, 0, 0},
    {"G80-", 0x400500, 1, RW, 0x1ff10101, 0, 0x00010001},
    /* ---- units of G80 .. MCP89 ---- */
    {"G80:GF100", 0x400040, 1, RW, 0x007fffff, 0, 0},
    {"G80:GF100", 0x400804, 1, TRAP, 0, 0, 0},
    {"G80:GF100", 0x400808, 4, RW, ALL, 0, 0},
    {"G80:GF100", 0x400848, 2, RW, ALL, 0, 0},
    {"G80:GF100", 0x40085c, 1, RO, ALL, 0, 0},
    {"G80:GF100", 0x400c04, 1, TRAP, 0, 0, 0},
    {"G80:GF100", 0x401800, 1, TRAP, 0, 0, 0},
    {"G80:GF100", 0x402000, 1, TRAP, 0, 0, 0},
    {"G80:GF100", 0x405018, 1, TRAP, 0, 0, 0},
    {"G80:GF100", 0x401804, 4, RO, 0, 0, 0},
    {"G80:GF100", 0x405000, 6, RO, 0, 0, 0},
    {"G80:GF100", 0x40501c, 1, RO, 0, 0, 0},
    {"G80:GF100", 0x406800, 1, TRAP, 0, 0, 0},
    {"G80:GF100", 0x406804, 4, RO, ALL, 0, 0},
    {"G80:GT200", 0x408314, 1, TRAP, 0, 0, 0},
    {"G80:GT200", 0x408900, 1, TRAP, 0, 0, 0},
    {"G80:GT200", 0x408904, 4, RO, 0, 0, 0},
    {"G80:GT200", 0x408e08, 1, TRAP, 0, 0, 0},
    {"G80:GT200", 0x408e0c, 7, RO, ALL, 0, 0},
    {"GT200:GF100", 0x40831c, 1, TRAP, 0, 0, 0},
    {"GT200:GF100", 0x408600, 1, TRAP, 0, 0, 0},
    {"GT200:GF100", 0x408604, 4, RO, 0, 0, 0},
    {"GT200:GF100", 0x408708, 1, TRAP, 0, 0, 0},
    {"GT200:GF100", 0x40870c, 7, RO, ALL, 0, 0},
    /* ---- units of GF100 and later ---- */
    {"GF100-", 0x404000, 1, TRAP, 0, 0, 0},
    {"GF100-", 0x404400, 12, RW, ALL, 0, 0},
    {"GF100-", 0x404490, 1, TRAP, 0, 0, 0},
    {"GF100-", 0x404494, 1, RO, 0x100007ff, 0, 0},
    {"GF100-", 0x40449c, 1, RO, ALL, 0, 0},
    {"GF100-", 0x404600, 1, TRAP, 0, 0, 0},
    {"GF100-", 0x405840, 1, TRAP, 0, 0, 0},
    {"GF100-", 0x406018, 2, TRAP, 0, 0, 0},
    {"GK104-", 0x407020, 1, TRAP, 0, 0, 0},
    {"GF100-", 0x408030, 1, TRAP, 0, 0, 0},
    {"GF100:GV100", 0x502c90, 1, W1C, ALL, 0, 0},
    {"GF100:GV100", 0x504508, 1, RO, ALL, 0, 0},
    {"GF100:GV100", 0x504644, 1, RW, ALL, 0, ALL},
    {"GF100:GV100", 0x504648, 1, RW, ALL, 0, 0},
    {"GF100:GV100", 0x50464c, 1, RW, ALL, 0, ALL},
    {"GF100:GV100", 0x504650, 1, W1C, ALL, 0, 0},
    {"GF100:GV100", 0x504654, 1, RO, ALL, 0, 0},
    {"GF100:GV100", 0x419e44, 1, RW, ALL, 0, ALL},
    {"GF100:GV100", 0x419e4c, 1, RW, ALL, 0, ALL},
    {"NV3:NV4", 0x4006bc, 1, RO, 0xffff, 0, 0},
    {"NV3:NV4", 0x401100, 1, W1C, ALL, 0, 0},
    /* ---- NV1 .. NV4x ---- */
    {"NV1", 0x4006a4, 1, OTHER, 0x1f111, 0x0f000000, 0x0f000101},
    {"NV1", 0x400190, 1, OTHER, 0x11010103, 0, 0},
    {"NV1:NV4", 0x4006b0, 1, RO, ALL, 0, 0},
    {"NV4:G80", 0x400700, 1, RO, ALL, 0, 0},
    {"NV1", 0x400460, 4, OTHER, 0x3ffff, 0, 0},
    {"NV1", 0x400500, 18, OTHER, 0, 0, 0},
    {"NV1", 0x400550, 2, OTHER, 0, 0, 0},
    {"NV1", 0x400560, 4, OTHER, 0, 0, 0},
    {"NV1", 0x400580, 18, OTHER, 0, 0, 0},
    {"NV3:G80", 0x40053c, 4, OTHER, 0x3ffff, 0, 0},
    {"NV10:NV20", 0x400550, 4, OTHER, 0x3ffff, 0, 0},
    {"NV3:G80", 0x400560, 4, OTHER, 0x3ffff, 0, 0},
};

#define LISTED (sizeof listing / sizeof listing[0])

/* Row `i` of all listings; NULL: there are no more. */
static const struct graph_listed *row_at(size_t i) {
    if (i < LISTED)
        return &listing[i];
    if (i - LISTED < graph_scan_count)
        return &graph_scan[i - LISTED];
    i -= LISTED + graph_scan_count;
    return i < graph_scan_3d_count ? &graph_scan_3d[i] : NULL;
}

static const struct graph_listed *next_row(const struct pfifo_chip *chip, size_t *i) {
    const struct graph_listed *row;
    while ((row = row_at(*i)) != NULL) {
        (*i)++;
        if (chip_in_range(chip, row->chips))
            return row;
    }
    return NULL;
}

#define EACH_ROW(chip, row)                                                                                            \
    const struct graph_listed *row;                                                                                    \
    for (size_t row##_i = 0; ((row) = next_row(chip, &row##_i)) != NULL;)

/* Registers that are listed for a chip, by their word in the block. */
static uint8_t listed[0x110000 / 4];

/* Also what is in no list is wrong. */
static void has_these_and_no_others(struct pfifo_gpu *gpu) {
    size_t elements = 0, expected = 0;
    memset(listed, 0, sizeof listed);
    EACH_ROW(gpu->chip, row) {
        for (uint32_t n = 0; n < row->count; n++, expected++)
            listed[(row->offset - 0x400000) / 4 + n] = 1;
    }
    for (size_t t = 0; t < GRAPH_TABLES; t++) {
        const struct reg_table *table = &gpu->fifo->graph->tables[t];
        for (size_t i = 0; i < table->count; i++)
            for (uint32_t n = 0; n < (table->regs[i].count ? table->regs[i].count : 1u); n++, elements++)
                if (!listed[(table->regs[i].offset - 0x400000) / 4 + n])
                    fail_msg("%s: %#x (%s) is not listed", gpu->chip->name, (unsigned)table->regs[i].offset + 4 * n,
                             table->regs[i].name);
    }
    assert_int_equal(elements, expected);
}

static void expect(struct pfifo_gpu *gpu, uint32_t offset, uint32_t value) {
    if (pfifo_gpu_rd32(gpu, offset) != value)
        fail_msg("%s: %#x is %#x, not %#x", gpu->chip->name, (unsigned)offset, (unsigned)pfifo_gpu_rd32(gpu, offset),
                 (unsigned)value);
}

static uint32_t kept(const struct graph_listed *row, uint32_t value) {
    uint32_t bits = (value & row->mask) | row->ones;
    switch (row->access) {
    case TRAP:
        return value & 1u << 31;
    case RO:
    case W1C:
        return 0;
    case SIGNED:
        return value >> 31 ? 0 : bits;
    case SWAPPED:
        return (bits & 0x3fffffff) | bits >> 31 << 30 | (bits >> 30 & 1) << 31;
    case COPIED:
        return (bits & ~0x1100u) | (bits & 0x11) << 8;
    case SHIFTED:
        return value / 4 & row->mask;
    case TRIPLED:
        return (bits & ~0x70000000u) | (bits >> 28 & 1) * 0x70000000u;
    case XY_MISC:
        return (value & row->mask) | (value & 0x3fffe ? 0 : 1u << 18);
    default:
        return bits;
    }
}

static void keeps_its_bits(struct pfifo_gpu *gpu, const struct graph_listed *row, uint32_t offset) {
    static const uint32_t patterns[] = {ALL, 0, 0x55555555, 0xaaaaaaaa, 0x12345678, 0x00040001, 0};
    for (size_t i = 0; row->access != OTHER && i < sizeof patterns / sizeof patterns[0]; i++) {
        pfifo_gpu_wr32(gpu, offset, patterns[i]);
        expect(gpu, offset, kept(row, patterns[i]));
    }
}

static void each_chip(void (*check)(struct pfifo_gpu *gpu)) {
    for (size_t i = 0; i < pfifo_chip_count(); i++) {
        if (!pfifo_chip_info(pfifo_chip_at(i)).runs)
            continue;
        const struct pfifo_config config = {
            .chip = pfifo_chip_at(i), .vram_bytes = 16u << 20, .system_bytes = 1u << 20};
        struct pfifo_gpu *gpu = pfifo_gpu_new(&config, NULL);
        assert_non_null(gpu);
        pfifo_gpu_wr32(gpu, 0x200, ALL);
        check(gpu);
        pfifo_gpu_free(gpu);
    }
}

static void reads_its_reset_value(struct pfifo_gpu *gpu) {
    EACH_ROW(gpu->chip, row) {
        for (uint32_t n = 0; n < row->count; n++)
            expect(gpu, row->offset + 4 * n, row->reset);
    }
}

/* As the scans do: FIFO access is off, because of what is CACHED and of the input stage, and NV1's HOST access is on.
 */
static void has_its_bits(struct pfifo_gpu *gpu) {
    if (chip_in_range(gpu->chip, "NV1:NV4"))
        pfifo_gpu_wr32(gpu, 0x4006a4, chip_in_range(gpu->chip, "NV1") ? 0x0f000100 : 0);
    else if (chip_in_range(gpu->chip, "NV4:G80"))
        pfifo_gpu_wr32(gpu, 0x400720, 0);
    else if (chip_in_range(gpu->chip, "G80-"))
        pfifo_gpu_wr32(gpu, 0x400500, 0x00010000);
    EACH_ROW(gpu->chip, row) {
        bool is_fifo = row->offset == 0x4006a4 || row->offset == 0x400720 || row->offset == 0x400500;
        for (uint32_t n = 0; n < row->count; n++)
            keeps_its_bits(gpu, row, row->offset + 4 * n);
        if (!is_fifo && row->access == RW && row->count == 1 && row->reset)
            pfifo_gpu_wr32(gpu, row->offset, row->reset);
    }
}

static void the_library_has_the_listed_registers_and_no_other(void **state) {
    (void)state;
    each_chip(has_these_and_no_others);
}

static void reset_values(void **state) {
    (void)state;
    each_chip(reads_its_reset_value);
}

static void readable_and_writable_bits(void **state) {
    (void)state;
    each_chip(has_its_bits);
}

/* ---- other units: on each chip that has one, at the same offsets from its base ---- */

static const struct {
    const char *chip;
    uint32_t offset;
    uint32_t mask, reset;
} unit_listing[] = {
    {"GT215", 0x104018, 0, 0xffff},  {"GT215", 0x10401c, ALL, 0xfff3},   {"GT215", 0x104040, ALL, 0},
    {"GT215", 0x104044, ALL, 0},     {"GT215", 0x104050, 0x7fffffff, 0}, {"GF100", 0x84018, 0, 0xffff},
    {"GF100", 0x8501c, ALL, 0xfff3}, {"GK104", 0x104904, 7, 7},          {"GK104", 0x105904, 7, 7},
    {"GK104", 0x106904, 7, 7},       {"GK104", 0x104f14, 0xf, 0},        {"GP102", 0x10440c, 7, 7},
    {"GP102", 0x10448c, 7, 7},       {"GP102", 0x104418, 0xf, 0},        {"GT200", 0x102140, ALL, ALL},
    {"GT200", 0x10200c, ALL, 0},     {"GT200", 0x102188, ALL, 0},        {"NV40", 0xb140, ALL, ALL},
};

static void units_have_their_registers(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof unit_listing / sizeof unit_listing[0]; i++) {
        const struct pfifo_config config = {
            .chip = pfifo_chip_by_name(unit_listing[i].chip), .vram_bytes = 16u << 20, .system_bytes = 1u << 20};
        struct pfifo_gpu *gpu = pfifo_gpu_new(&config, NULL);
        assert_non_null(gpu);
        pfifo_gpu_wr32(gpu, 0x200, ALL);
        expect(gpu, unit_listing[i].offset, unit_listing[i].reset);
        pfifo_gpu_wr32(gpu, unit_listing[i].offset, 0x5a5a5a5a);
        expect(gpu, unit_listing[i].offset,
               unit_listing[i].mask ? 0x5a5a5a5a & unit_listing[i].mask : unit_listing[i].reset);
        pfifo_gpu_free(gpu);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_library_has_the_listed_registers_and_no_other),
        cmocka_unit_test(reset_values),
        cmocka_unit_test(readable_and_writable_bits),
        cmocka_unit_test(units_have_their_registers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
