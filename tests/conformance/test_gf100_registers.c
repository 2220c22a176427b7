/* SPDX-License-Identifier: MIT */
/*
 * Every register of PFIFO and of its PSUBFIFOs or PBDMAs that the documents list, GF100 .. GP10B, and no other.
 *
 * Sources: envytools rnndb/fifo/gf100_pfifo.xml (masks and values after power-on); NVIDIA open-gpu-doc
 *          manuals/volta/gv100/dev_fifo.ref.txt, dev_pbdma.ref.txt, dev_ram.ref.txt; nouveau
 *          nvkm/engine/fifo/{gf100,gk104}.c. UNKNOWN: values after power-on that none of them gives; chosen: 0.
 */
#include "fifo_pbdma/machine.h"

#include <stdio.h>

enum kind {
    PLAIN,
    ACTS, /* a write does something else, or a read is put together: not swept */
};

struct listed {
    uint32_t offset;
    const char *chips;
    uint32_t readable, writable, reset, count, stride;
    enum kind kind;
};

#define F   "GF100:GK104"
#define K   "GK104-"
#define P   "GP100:GV100"
#define A   "GF100-"
#define ALL ~0u
#define RW(offset, chips, mask, up)                                                                                    \
    { offset, chips, mask, mask, up, 1, 4, PLAIN }
#define RWN(offset, chips, mask, up, count, stride)                                                                    \
    { offset, chips, mask, mask, up, count, stride, PLAIN }
#define RO(offset, chips, mask, up, count, stride)                                                                     \
    { offset, chips, mask, 0, up, count, stride, PLAIN }
#define ACT(offset, chips, count, stride)                                                                              \
    { offset, chips, ALL, 0, 0, count, stride, ACTS }

static const struct listed pfifo[] = {
    RW(0x2000, A, ALL, ALL),
    ACT(0x2100, A, 1, 4),
    RW(0x2140, A, ALL, 0),
    RW(0x2200, F, 0x3f1, 0),
    RW(0x2200, K, 0x300, 0),
    ACT(0x2204, F, 1, 4),
    RWN(0x2208, F, ALL, 0, 6, 4),
    RW(0x2248, F, 0xf0ff, 0x80),
    RW(0x224c, F, 0xf0ff, 0xd080),
    RW(0x2250, F, 0x1000f0ff, 0x1000a080),
    RW(0x2250, K, 0x1000f0ff, 0x10000080),
    RW(0x2254, F, 0x9fffffff, 0),
    RW(0x2254, K, 0x1fffffff, 0),
    RW(0x2258, F, 0xffff, 8),
    RW(0x2258, K, 0xffff, 0x20),
    RW(0x2260, A, 0xff, 4),
    RW(0x2270, A, 0x3fffffff, 0),
    ACT(0x2274, A, 1, 4),
    RO(0x2278, F, ALL, 0, 2, 4),
    RO(0x2280, K, ALL, 0, 32, 4),
    RWN(0x2310, A, 0x1000f0ff, 0x10003080, 16, 4),
    RWN(0x2350, A, 0x1000f0ff, 0x10000010, 16, 4),
    RO(0x2390, F, ALL, 0x1f, 3, 4),
    ACT(0x2390, K, 8, 4),
    RWN(0x23e0, A, 0x7f00ff0f, 0, 32, 4),
    RW(0x2504, F, 1, 0),
    RW(0x2528, A, ALL, 0),
    RW(0x252c, A, 0xff, 0),
    RW(0x2530, A, ALL, 0),
    RO(0x254c, A, ALL, 0, 1, 4),
    RO(0x256c, A, ALL, 0, 1, 4),
    RO(0x258c, A, ALL, 0, 1, 4),
    RO(0x259c, A, ALL, 0, 1, 4),
    RO(0x25a0, A, ALL, 0, 1, 4),
    RO(0x25a4, F, ALL, 0, 17, 4),
    RW(0x2628, F, ALL, 0),
    RO(0x262c, A, ALL, 0, 1, 4),
    RW(0x2630, A, ALL, 0),
    RW(0x2634, F, 0x7f, 0),
    RW(0x2634, K, 0x03000fff, 0),
    RW(0x2638, F, 1, 0),
    RO(0x263c, A, ALL, 0, 1, 4),
    RO(0x2640, F, ALL, 0, 6, 4),
    RO(0x2640, K, ALL, 0, 16, 4),
    RO(0x2680, A, ALL, 0, 8, 4),
    RO(0x26c0, A, ALL, 0, 1, 4),
    RW(0x26c4, A, 0x31f, 0),
    RW(0x26c8, A, 0xbfffffff, 0),
    RO(0x2790, F, ALL, 0, 16, 4),
    RO(0x2790, K, ALL, 0, 8, 4),
    RO(0x27d0, F, ALL, 0, 12, 4),
    RO(0x2800, A, ALL, 0, 128, 4),
    RO(0x2a00, A, ALL, 0, 1, 4),
    RW(0x2a04, F, 0xbfffffff, 0x8001ffff),
    RW(0x2a04, K, 0xbfffffff, 0x800003ff),
    RW(0x2a08, F, 0x80ffffff, 0x80ffffff),
    RW(0x2a08, K, 0x80ffffff, 0x80007fff),
    RW(0x2a0c, A, ALL, 0x803fffff),
    RO(0x2a10, A, ALL, 0, 2, 4),
    RW(0x2a18, F, 0x80ffffff, 0x80ffffff),
    RW(0x2a18, K, 0x80ffffff, 0x80007fff),
    RW(0x2a1c, A, 1, 0),
    RW(0x2a20, F, 0x8000ffff, 0x8000ffff),
    RW(0x2a20, K, 0x8000ffff, 0x8000007f),
    RW(0x2a24, A, 1, 0),
    RW(0x2a28, A, 7, 0),
    RW(0x2a2c, K, 0x80ffffff, 0),
    ACT(0x2a30, F, 6, 4),
    ACT(0x2a30, K, 8, 4),
    RW(0x2a70, P, 0xfffff001, 0),
    RW(0x2a74, P, 0xff, 0),
    RO(0x2a78, P, 0x3fff, 0xc00, 1, 4),
    RW(0x2a7c, P, 0x3fff, 0),
    RO(0x2a80, P, 0x3fff, 0, 1, 4),
    ACT(0x5000, A, 1, 4),
    RW(0x5004, A, 0x00173ffc, 0),
    ACT(0x5008, A, 1, 4),
};

/* Of one PBDMA. The words up to 0xff are those of RAMFC. */
static const struct listed page[] = {
    RWN(0x00, A, ALL, 0, 64, 4), RO(0x100, A, ALL, 0, 1, 4),
    RW(0x104, F, 0xfffff, 0),    RW(0x104, K, ALL, 0),
    RO(0x108, A, ALL, 0, 1, 4),  RWN(0x10c, A, ALL, 0, 4, 4),
    RO(0x120, A, ALL, 0, 2, 4),  RW(0x12c, A, ALL, 0x10000),
    RW(0x134, A, 1, 0),          RW(0x138, F, 0x0fffdfff, 0x0249000a),
    RW(0x13c, A, ALL, ALL),      RW(0x140, K, 0x1f, 0x1f),
    RO(0x148, K, ALL, 0, 1, 4),  RW(0x14c, K, 0x1f, 0),
    RO(0x150, K, ALL, 0, 2, 4),  RWN(0x200, K, ALL, 0, 32, 4),
};

static const char *const chips[] = {
    "GF100", "GF104", "GF114", "GF106", "GF116",  "GF108", "GF110",  "GF119", "GF117",
    "GK104", "GK107", "GK106", "GK110", "GK110B", "GK208", "GK208B", "GK20A", "GM107",
    "GM108", "GM200", "GM204", "GM206", "GM20B",  "GP100", "GP102",  "GP10B",
};

struct element {
    uint32_t offset, readable, writable, reset;
    enum kind kind;
};

static struct machine m;
static struct element all[1024];
static size_t count;

static void add(const struct listed *table, size_t rows, uint32_t base) {
    for (size_t i = 0; i < rows; i++)
        for (uint32_t n = 0; chip_in_range(m.chip, table[i].chips) && n < table[i].count; n++) {
            assert_true(count < COUNT_OF(all));
            all[count++] = (struct element){base + table[i].offset + n * table[i].stride, table[i].readable,
                                            table[i].writable, table[i].reset, table[i].kind};
        }
}

/* A chip as after power-on, but that its PBDMAs are there. */
static void power_on(const char *chip) {
    machine_bare(&m, chip);
    set_reg(&m, 0x204, ~0u);
    count = 0;
    add(pfifo, COUNT_OF(pfifo), 0);
    for (uint32_t i = 0; i < m.chip->pbdmas; i++)
        add(page, COUNT_OF(page), 0x40000 + 0x2000 * i);
}

static const struct element *find(uint32_t offset) {
    for (size_t i = 0; i < count; i++)
        if (all[i].offset == offset)
            return &all[i];
    return NULL;
}

static unsigned wrong;

static void complain(uint32_t offset, const char *what, uint32_t is, uint32_t wanted) {
    print_error("%s: %#x is %#x %s, not %#x\n", m.chip->name, offset, is, what, wanted);
    wrong++;
}

static void on_every_chip(void (*check)(void)) {
    wrong = 0;
    for (size_t i = 0; i < COUNT_OF(chips); i++) {
        power_on(chips[i]);
        check();
        machine_free(&m);
    }
    assert_int_equal(wrong, 0);
}

static bool of_pfifo(uint32_t offset) {
    return (offset >= 0x2000 && offset < 0x6000) || (offset >= 0x40000 && offset < 0x60000);
}

static void compare_lists(void) {
    for (size_t i = 0; i < m.bus.row_count; i++) {
        const struct reg *row = m.bus.rows[i].reg;
        for (uint32_t n = 0; of_pfifo(row->offset) && n < (row->count ? row->count : 1); n++)
            if (!find(row->offset + n * (row->stride ? row->stride : 4)))
                complain(row->offset + n * (row->stride ? row->stride : 4), row->name, 1, 0);
    }
    for (size_t i = 0; i < count; i++)
        if (!bus_find(&m.bus, all[i].offset, NULL, NULL))
            complain(all[i].offset, "missing", 0, 1);
}

static void the_library_has_the_listed_registers_and_no_other(void **state) {
    (void)state;
    on_every_chip(compare_lists);
}

static void check_reset(void) {
    for (size_t i = 0; i < count; i++)
        if (all[i].kind == PLAIN && reg(&m, all[i].offset) != all[i].reset)
            complain(all[i].offset, "after power-on", reg(&m, all[i].offset), all[i].reset);
}

static void registers_come_up_as_documented(void **state) {
    (void)state;
    on_every_chip(check_reset);
}

static void resetting_pfifo_brings_them_back(void) {
    for (size_t i = 0; i < count; i++)
        if (all[i].kind == PLAIN)
            set_reg(&m, all[i].offset, all[i].offset * 0x9e3779b1u);
    uint32_t enable = reg(&m, 0x200);
    set_reg(&m, 0x200, enable & ~0x100u);
    set_reg(&m, 0x200, enable);
    check_reset();
}

static void pmc_enable_resets_every_register(void **state) {
    (void)state;
    on_every_chip(resetting_pfifo_brings_them_back);
}

/* FROZEN answers FREEZE. */
static uint32_t answer(uint32_t offset, uint32_t value) {
    return (offset == 0x2504 || offset == 0x2638) && m.chip->has_engine_in_object && (value & 1) ? value | 0x10 : value;
}

static void sweep_one(const struct element *e) {
    static const uint32_t patterns[] = {~0u, 0, 0x55555555, 0xaaaaaaaa, 0x0f0f0f0f, 0x12345678, 0};
    uint32_t fixed = reg(&m, e->offset) & ~e->writable;
    for (size_t j = 0; j < COUNT_OF(patterns) + 32; j++) {
        uint32_t value = j < COUNT_OF(patterns) ? patterns[j] : 1u << (j - COUNT_OF(patterns));
        uint32_t wanted = answer(e->offset, ((value & e->writable) | fixed) & e->readable);
        set_reg(&m, e->offset, value);
        if (reg(&m, e->offset) != wanted) {
            complain(e->offset, "after a write to it", reg(&m, e->offset), wanted);
            return;
        }
    }
    set_reg(&m, e->offset, e->reset);
}

static void sweep(void) {
    for (size_t i = 0; i < count; i++)
        if (all[i].kind == PLAIN)
            sweep_one(&all[i]);
}

static void readable_and_writable_bits(void **state) {
    (void)state;
    on_every_chip(sweep);
}

static void cross_writes(void) {
    static uint32_t before[COUNT_OF(all)];
    for (size_t i = 0; i < count; i++)
        if (all[i].kind == PLAIN && all[i].writable && all[i].offset != 0x2504 && all[i].offset != 0x2638)
            set_reg(&m, all[i].offset, all[i].offset * 0x9e3779b1u);
    for (size_t i = 0; i < count; i++)
        before[i] = reg(&m, all[i].offset);
    for (size_t i = 0; i < count; i += 1 + i % 3) {
        if (all[i].kind != PLAIN || !all[i].writable || all[i].offset == 0x2504 || all[i].offset == 0x2638)
            continue;
        set_reg(&m, all[i].offset, ~before[i]);
        for (size_t j = 0; j < count; j++)
            if (j != i && all[j].kind == PLAIN && reg(&m, all[j].offset) != before[j])
                complain(all[j].offset, "after a write to another", reg(&m, all[j].offset), before[j]);
        set_reg(&m, all[i].offset, before[i]);
        if (wrong)
            return;
    }
}

static void no_write_changes_another_register(void **state) {
    (void)state;
    static const char *const some[] = {"GF100", "GK104", "GM20B"};
    wrong = 0;
    for (size_t i = 0; i < COUNT_OF(some); i++) {
        power_on(some[i]);
        cross_writes();
        machine_free(&m);
    }
    assert_int_equal(wrong, 0);
}

static void look_between(void) {
    bool fermi = m.chip->has_engine_in_object;
    for (uint32_t offset = 0x2000; offset < 0x2000 + 0x4000; offset += 4) {
        if (find(offset) || (fermi && offset >= 0x3000 && offset < 0x3400))
            continue;
        set_reg(&m, offset, ~0u);
        if (reg(&m, offset) != 0xbad00100)
            complain(offset, "where nothing is", reg(&m, offset), 0xbad00100);
    }
}

static void between_the_registers_is_nothing(void **state) {
    (void)state;
    on_every_chip(look_between);
}

/* PMC ENABLE takes all of PFIFO away, PMC 0x204 one unit. */
static void switch_off(void) {
    set_reg(&m, 0x204, ~1u);
    for (size_t i = 0; i < count; i++) {
        bool off = all[i].offset >= 0x40000 && all[i].offset < 0x42000;
        if (off != (reg(&m, all[i].offset) == 0xbad0da00))
            complain(all[i].offset, "with unit 0 off", reg(&m, all[i].offset), 0xbad0da00);
    }
    set_reg(&m, 0x204, ~0u);
    set_reg(&m, 0x200, reg(&m, 0x200) & ~0x100u);
    for (size_t i = 0; i < count; i++)
        if (reg(&m, all[i].offset) != 0xbad0da00 && (all[i].offset & ~0xfu) != 0x5000)
            complain(all[i].offset, "with PFIFO off", reg(&m, all[i].offset), 0xbad0da00);
}

static void units_that_are_off_read_as_an_error(void **state) {
    (void)state;
    on_every_chip(switch_off);
}

/* Drivers learn from it how many there are. */
static void subfifo_enable_has_a_bit_per_unit(void **state) {
    (void)state;
    static const struct {
        const char *chip;
        uint32_t units;
    } counts[] = {{"GF100", 7}, {"GF108", 1}, {"GF119", 1}, {"GK104", 7}, {"GK208", 3}, {"GK20A", 1}, {"GM107", 3}};
    for (size_t i = 0; i < COUNT_OF(counts); i++) {
        machine_bare(&m, counts[i].chip);
        assert_int_equal(reg(&m, 0x204), 0);
        set_reg(&m, 0x204, ~0u);
        assert_int_equal(reg(&m, 0x204), counts[i].units);
        if (m.chip->has_engine_in_object) {
            set_reg(&m, 0x2204, ~0u);
            assert_int_equal(reg(&m, 0x2204), counts[i].units);
        }
        machine_free(&m);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_library_has_the_listed_registers_and_no_other),
        cmocka_unit_test(registers_come_up_as_documented),
        cmocka_unit_test(pmc_enable_resets_every_register),
        cmocka_unit_test(readable_and_writable_bits),
        cmocka_unit_test(no_write_changes_another_register),
        cmocka_unit_test(between_the_registers_is_nothing),
        cmocka_unit_test(units_that_are_off_read_as_an_error),
        cmocka_unit_test(subfifo_enable_has_a_bit_per_unit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
