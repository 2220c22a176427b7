/* SPDX-License-Identifier: MIT */
/*
 * Every register of the bus's own units, but for counts of units: what it reads after reset, after all ones, and after
 * all zeros.
 * Written by hand and not from the tables; a row that is missing here fails the sweep.
 */
#include "bus/fixture.h"
#include "bus/units.h"

enum {
    NV1 = 1 << 0,
    NV3 = 1 << 1,
    NV4 = 1 << 2,
    NV10 = 1 << 3,
    NV1A = 1 << 4,
    NV17 = 1 << 5,
    NV40 = 1 << 6,
    NV41 = 1 << 7,
    NV44 = 1 << 8,
    G80 = 1 << 9,
    G84 = 1 << 10,
    GF100 = 1 << 11,
    GK104 = 1 << 12,
    GM204 = 1 << 13,
    GP100 = 1 << 14,
    TU102 = 1 << 15,
    GT215 = 1 << 16,
    MCP89 = 1 << 17,
    NV30 = 1 << 18,
    NV43 = 1 << 19,
};
#define ALL             0xfffffu
#define BEFORE_G80      (NV1 | NV3 | NV4 | NV10_)
#define NV40_           (NV40 | NV41 | NV43 | NV44)
#define NV30_           (NV30 | NV40_)
#define NV10_           (NV10 | NV1A | NV17 | NV30_)
#define TESLA           (G80 | G84_)
#define G84_            (G84 | GT215_)
#define GT215_          (GT215 | MCP89)
#define FERMI_          (GF100 | GK104 | GM204 | PASCAL_)
#define PASCAL_         (GP100 | TU102)
#define FERMI_TO_PASCAL (GF100 | GK104 | GM204)
#define CTXCTL_         (FERMI_TO_PASCAL | GP100)
#define PDAEMON_        (GT215_ | CTXCTL_)

static const struct {
    const char *name;
    unsigned bit;
} chips[] = {{"NV1", NV1},     {"NV3", NV3},     {"NV4", NV4},     {"NV10", NV10},   {"NV1A", NV1A},
             {"NV17", NV17},   {"NV40", NV40},   {"NV41", NV41},   {"NV44", NV44},   {"G80", G80},
             {"G84", G84},     {"GF100", GF100}, {"GK104", GK104}, {"GM204", GM204}, {"GP100", GP100},
             {"TU102", TU102}, {"GT215", GT215}, {"MCP89", MCP89}, {"NV30", NV30},   {"NV43", NV43}};

static const struct expected {
    uint32_t offset;
    unsigned chips;
    uint32_t reset, ones, zeros;
    uint32_t count, stride; /* 0: one */
} expected[] = {
    {0x000004, ALL & ~(NV1 | NV3 | NV4 | NV10 | TU102), 0, 0x01000001, 0x01000001},
    {0x000004, TU102, 0, 0, 0},
    {0x000100, NV1, 0, 0x10000000, 0},
    {0x000100, ALL & ~NV1, 0, 0x80000000, 0},
    {0x000104, GT215_ | FERMI_, 0, 0, 0},
    {0x000108, GT215_, 0, 0, 0},
    {0x000140, BEFORE_G80 | TESLA | FERMI_TO_PASCAL, 0, 3, 0},
    {0x000140, PASCAL_, 0, 0, 0},
    {0x000144, GT215_ | FERMI_TO_PASCAL, 0, 3, 0},
    {0x000148, GT215_, 0, 3, 0},
    {0x000144, PASCAL_, 0, 0, 0},
    {0x000160, BEFORE_G80 | TESLA, 1, 1, 1},
    {0x000160, FERMI_, 0, 0, 0},
    {0x000164, GT215_, 1, 1, 1},
    {0x000164, FERMI_, 0, 0, 0},
    {0x000168, GT215_, 1, 1, 1},
    {0x00017c, FERMI_, 0, 0, 0},
    {0x000180, FERMI_, 0, 0, 0},
    {0x000184, PASCAL_, 0, 0, 0},
    {0x000200, NV1 | NV3 | TESLA | FERMI_, 0xffffffff, 0xffffffff, 0},
    {0x000200, BEFORE_G80 & ~(NV1 | NV3), 0x01100000, 0xffffffff, 0},
    {0x000208, FERMI_, 0xbfffffff, 0xffffffff, 0},
    {0x00020c, FERMI_ & ~GF100, 0x000290c2, 0x000290c2, 0},
    {0x000300, NV17 | NV30_ | TESLA | FERMI_, 0, 0x9ffffffc, 0},
    {0x000304, NV17 | NV30_ | TESLA | FERMI_, 0, 0x1ffffffc, 0},
    {0x000640, GT215_ | FERMI_TO_PASCAL, 0xffffffff, 0xffffffff, 0},
    {0x000644, GT215_, 0x00000100, 0x00000100, 0},
    {0x000644, FERMI_TO_PASCAL, 0xffffffff, 0xffffffff, 0},
    {0x000648, GT215_, 0xffffffff, 0xffffffff, 0},
    {0x001100, ALL & ~(NV1 | NV3), 0, 0, 0},
    {0x001140, ALL & ~(NV1 | NV3), 0, 0xffffffff, 0},
    {0x001150, TESLA | FERMI_, 0, 0, 0},
    {0x001170, FERMI_, 0, 0, 0},
    {0x00155c, NV30_ | TESLA, 0, 0x103, 0},
    {0x001560, NV30_, 0, 0x1ffffffc, 0},
    {0x001560, G80, 0, 0xfffffffc, 0},
    {0x001570, NV30_, 0, 0x1ffffffc, 0},
    {0x001570, G80, 0, 0xfffffffc, 0},
    {0x001700, TESLA | FERMI_, 0, 0x03ffffff, 0},
    {0x001704, TESLA, 0, 0x7fffffff, 0},
    {0x001704, FERMI_, 0, 0xffffffff, 0},
    {0x001708, TESLA, 0, 0x8000ffff, 0},
    {0x00170c, TESLA, 0, 0x8000ffff, 0},
    {0x001710, TESLA, 0, 0x8000ffff, 0},
    {0x001710, GM204 | PASCAL_, 0, 0, 0},
    {0x001714, FERMI_, 0, 0xffffffff, 0},
    {0x001718, FERMI_, 0, 0xffffffff, 0},
    {0x001900, TESLA, 0, 0xffffffff, 0},
    {0x001904, TESLA, 0, 0xffffffff, 0},
    {0x001908, TESLA, 0, 0xffffffff, 0},
    {0x00190c, TESLA, 0, 0xffffffff, 0},
    {0x001910, TESLA, 0, 0xffffffff, 0},
    {0x001914, TESLA, 0, 0xffffffff, 0},
    {0x001918, TESLA, 0, 0xffffffff, 0},
    {0x00191c, TESLA, 0, 0xffffffff, 0},
    {0x009080, TESLA | FERMI_, 0, 0x80ffffff, 0},
    {0x009084, TESLA | FERMI_, 0, 0, 0},
    {0x009088, TESLA | FERMI_, 0, 0, 0},
    {0x00908c, FERMI_, 0, 0, 0},
    {0x009100, ALL & ~NV1, 0, 0, 0},
    {0x009140, ALL & ~NV1, 0, 1, 0},
    {0x009200, ALL & ~NV1, 1, 0xffff, 0},
    {0x009210, ALL & ~NV1, 1, 0xffff, 0},
    {0x009400, ALL & ~NV1, 0, 0xffffffe0, 0},
    {0x009410, ALL & ~NV1, 0, 0x1fffffff, 0},
    {0x009420, ALL & ~NV1, 0, 0xffffffe0, 0},
    {0x060000, G84_, 0, 0xfffffffc, 0},
    {0x06000c, FERMI_, 0, 0xff, 0},
    {0x060010, G84_ | FERMI_, 0, 0xfffffffc, 0},
    {0x070000, G84_ | FERMI_, 0, 0, 0},
    {0x070004, FERMI_, 0, 0, 0},
    {0x070010, FERMI_, 0, 0, 0},
    {0x100000, NV3, 2, 2, 2}, /* 4 MiB */
    {0x100000, NV4, 3, 3, 3}, /* 16 MiB */
    {0x10008c, NV41 | NV43 | NV44, 0, 0xffffffff, 0},
    {0x100200, NV4, 0, 0x3f7ff33f, 0},
    {0x100200, NV10_, 0, 0xffffffff, 0},
    {0x100204, NV4 | NV30_, 0, 0xffffffff, 0},
    {0x100214, NV10 | NV1A | NV17 | NV30, 0, 0x000000f1, 0},
    {0x100240, NV10 | NV1A | NV17, 0, 0x87ffc000, 0, 8, 16},
    {0x100244, NV10 | NV1A | NV17, 0, 0x07ffc000, 0, 8, 16},
    {0x100248, NV10 | NV1A | NV17, 0, 0x0000ff00, 0, 8, 16},
    {0x10024c, NV10 | NV1A | NV17, 0, 0, 0, 8, 16},
    {0x100240, NV30, 0, 0xffffc031, 0, 8, 16},
    {0x100244, NV30, 0x00003fff, 0xffffffff, 0x00003fff, 8, 16},
    {0x100248, NV30, 0, 0x0000ff00, 0, 8, 16},
    {0x10024c, NV30, 0, 0, 0, 8, 16},
    {0x100300, NV30, 0, 0x1fffffff, 0, 8, 4},
    {0x100324, NV30, 0, 0x83ffc01f, 0},
    {0x100240, NV40, 0, 0xffff0031, 0, 8, 16},
    {0x100244, NV40, 0x0000ffff, 0xffffffff, 0x0000ffff, 8, 16},
    {0x100248, NV40, 0, 0x0001ff00, 0, 8, 16},
    {0x10024c, NV40, 0, 0, 0, 8, 16},
    {0x100300, NV40, 0, 0x7fffffff, 0, 8, 4},
    {0x100320, NV30 | NV40 | NV41, 0x2e3ff, 0x2e3ff, 0x2e3ff},
    {0x100320, NV43, 0x5c7ff, 0x5c7ff, 0x5c7ff},
    {0x100600, NV41 | NV43, 0, 0xffff0031, 0, 12, 16},
    {0x100604, NV41 | NV43, 0x0000ffff, 0xffffffff, 0x0000ffff, 12, 16},
    {0x100608, NV41 | NV43, 0, 0x0001ff00, 0, 12, 16},
    {0x10060c, NV41 | NV43 | NV44, 0, 0, 0, 12, 16},
    {0x100600, NV44, 0, 0xffffc003, 0, 12, 16},
    {0x100604, NV44, 0x00003fff, 0xffffffff, 0x00003fff, 12, 16},
    {0x100608, NV44, 0, 0x0000ff00, 0, 12, 16},
    {0x100700, NV41 | NV43, 0, 0x7fffffff, 0, 12, 4},
    {0x100800, NV41 | NV43 | NV44, 0, 0xffffffff, 0},
    {0x100804, NV44, 0, 0xffffffff, 0},
    {0x100808, NV44, 0, 0xffffffff, 0},
    {0x100810, NV41 | NV43, 0, 0xffffffff, 0},
    {0x100814, NV44, 0, 0xffffffff, 0},
    {0x100818, NV44, 0, 0xffffffff, 0},
    {0x100820, NV41 | NV43 | NV44, 0, 0xffffffff, 0},
    {0x10082c, NV44, 0, 0xffffffff, 0},
    {0x100850, NV44, 0, 0xffffffff, 0},
    {0x100c08, TESLA, 0, 0xffffffff, 0},
    {0x100c80, TESLA, 0, 0x000f0000, 0},
    {0x100c80, GF100 | GK104, 0x00ff8000, 0xb0ff8001, 0x00ff8000},
    {0x100c80, GM204 | PASCAL_, 0x00ff9800, 0xb0ff9801, 0x00ff8000},
    {0x100c90, TESLA & ~MCP89, 0, 0x07ffffff, 0},
    {0x100c90, MCP89, 0, 0x1fffffff, 0},
    {0x100c94, TESLA, 0, 0, 0},
    {0x100c9c, G84_, 0x200, 0xfffffff8, 0},
    {0x100cb4, FERMI_, 0, 0xfffffff0, 0},
    {0x100cb8, FERMI_, 0, 0xfffffff2, 0},
    {0x100cbc, FERMI_, 0, 0x7fffffff, 0},
    {0x100f04, TESLA, 0, 0x00ffffff, 0},
    {0x101100, NV1, 0, 0, 0},
    {0x101140, NV1, 0, 1, 0},
    {0x101200, NV1, 1, 0xffff, 0},
    {0x101210, NV1, 1, 0xffff, 0},
    {0x101400, NV1, 0, 0xffffffe0, 0},
    {0x101404, NV1, 0, 0x1fffffff, 0},
    {0x101410, NV1, 0, 0xffffffe0, 0},
    {0x10a000, PDAEMON_, 0, 0, 0},
    {0x10a004, PDAEMON_, 0, 0, 0},
    {0x10a008, PDAEMON_, 0, 0, 0},
    {0x10a010, PDAEMON_, 0, 0, 0},
    {0x10a014, PDAEMON_, 0, 0, 0},
    {0x10a018, PDAEMON_, 0, 0, 0},
    {0x10a01c, PDAEMON_, 0x0000ffff, 0xffffffff, 0},
    {0x10a040, PDAEMON_, 0, 0xffffffff, 0, 2, 4},
    {0x10a100, PDAEMON_, 0x10, 0, 0},
    {0x10a104, PDAEMON_, 0, 0xffffffff, 0},
    {0x10a180, PDAEMON_, 0, 0x1300fffc, 0},
    {0x10a184, PDAEMON_, 0, 0xffffffff, 0},
    {0x10a188, PDAEMON_, 0, 0xffff, 0},
    {0x10a1c0, PDAEMON_, 0, 0x0300fffc, 0, 4, 8},
    {0x10a1c4, PDAEMON_, 0, 0xffffffff, 0, 4, 8},
    {0x10a4a0, PDAEMON_, 0, 0xf, 0, 4, 4},
    {0x10a4b0, PDAEMON_, 0, 0xf, 0, 4, 4},
    {0x10a4c0, PDAEMON_, 0, 0xf, 0},
    {0x10a4c4, PDAEMON_, 0, 0xf, 0},
    {0x10a4c8, PDAEMON_, 0, 0xf, 0},
    {0x10a4cc, PDAEMON_, 0, 0xf, 0},
    {0x10a4d0, PDAEMON_, 0, 0xffffffff, 0},
    {0x10a4dc, PDAEMON_, 0, 0xffffffff, 0},
    {0x10a580, PDAEMON_, 0, 0xff, 0, 16, 4},
    {0x404170, CTXCTL_, 0, 3, 0},
    {0x409000, CTXCTL_, 0, 0, 0},
    {0x409100, CTXCTL_, 0x10, 0, 0},
    {0x409180, CTXCTL_, 0, 0x1300fffc, 0},
    {0x409184, CTXCTL_, 0, 0xffffffff, 0},
    {0x409188, CTXCTL_, 0, 0xffff, 0},
    {0x4091c0, CTXCTL_, 0, 0x0300fffc, 0, 4, 8},
    {0x4091c4, CTXCTL_, 0, 0xffffffff, 0, 4, 8},
    {0x409500, CTXCTL_, 0, 0xffffffff, 0},
    {0x409504, CTXCTL_, 0, 0, 0},
    {0x409800, CTXCTL_, 0, 0xffffffff, 0, 8, 4},
    {0x409820, CTXCTL_, 0, 0, 0, 8, 4},
    {0x409840, CTXCTL_, 0, 0, 0, 8, 4},
    {0x41a180, CTXCTL_, 0, 0x1300fffc, 0},
    {0x41a184, CTXCTL_, 0, 0xffffffff, 0},
    {0x41a188, CTXCTL_, 0, 0xffff, 0},
    {0x41a1c0, CTXCTL_, 0, 0x0300fffc, 0, 4, 8},
    {0x41a1c4, CTXCTL_, 0, 0xffffffff, 0, 4, 8},
    {0x600000, NV1, 2, 2, 2}, /* 4 MiB */
    {0x602200, NV1, 0, 3, 0},
};

/* What says how many of everything there is has its own listing: test_bus_units.c. */
static bool has_row(const struct reg_table *table, const struct reg *reg) {
    return reg >= table->regs && reg < table->regs + table->count;
}

static bool is_count(const struct machine *machine, const struct reg *reg) {
    for (size_t i = 0; i < COUNT_OF(machine->bus.units->tables); i++)
        if (has_row(&machine->bus.units->tables[i], reg))
            return true;
    for (size_t i = 0; i < FALCONS_MAX; i++)
        if (has_row(&machine->falcons->caps[i].table, reg))
            return true;
    return false;
}

static const struct reg *find(const struct machine *machine, uint32_t offset) {
    const struct reg *reg = bus_find(&machine->bus, offset, NULL, NULL);
    return reg && !is_count(machine, reg) ? reg : NULL;
}

/* Registers whose values depend on the row of the chip. */
static bool depends_on_chip(const struct pfifo_chip *chip, uint32_t offset, struct expected *value) {
    uint32_t constant;
    if (offset == 0)
        constant = chip->boot0;
    else if (offset == 0x10020c && chip_in_range(chip, "NV10-"))
        constant = (uint32_t)chip->vram_bytes;
    else if (offset == 0x100e1c) { /* starts as the size of VRAM */
        *value = (struct expected){offset, ALL, (uint32_t)chip->vram_bytes, 0xfffff001, 0};
        return true;
    } else if (offset == 0x204) {
        *value = (struct expected){offset, ALL, 0, (1u << chip->pbdmas) - 1, 0};
        return true;
    } else
        return false;
    *value = (struct expected){offset, ALL, constant, constant, constant};
    return true;
}

static uint32_t element(const struct expected *array, uint32_t index) {
    return array->offset + index * array->stride;
}

static bool is_of(const struct expected *array, uint32_t offset) {
    for (uint32_t i = 0; i <= array->count; i++)
        if (element(array, i) == offset && (i == 0 || i < array->count))
            return true;
    return false;
}

static struct expected expectation(size_t chip, uint32_t offset) {
    struct expected value;
    if (depends_on_chip(pfifo_chip_by_name(chips[chip].name), offset, &value))
        return value;
    for (size_t i = 0; i < COUNT_OF(expected); i++)
        if (is_of(&expected[i], offset) && expected[i].chips & chips[chip].bit)
            return expected[i];
    fail_msg("%s: nobody says what 0x%06x should read", chips[chip].name, offset);
    return value;
}

/* On a fresh machine each, because registers act on each other. */
static void check_register(size_t chip, uint32_t offset) {
    struct expected value = expectation(chip, offset);
    struct machine machine;
    machine_init(&machine, chips[chip].name, NULL);
    uint32_t reset = bus_rd32(&machine.bus, offset);
    bus_wr32(&machine.bus, offset, 0xffffffff);
    uint32_t ones = bus_rd32(&machine.bus, offset);
    bus_wr32(&machine.bus, offset, 0);
    uint32_t zeros = bus_rd32(&machine.bus, offset);
    machine_free(&machine);
    if (reset != value.reset || ones != value.ones || zeros != value.zeros)
        fail_msg("%s 0x%06x: %08x %08x %08x instead of %08x %08x %08x", chips[chip].name, offset, reset, ones, zeros,
                 value.reset, value.ones, value.zeros);
}

static void every_register_reads_what_it_should_after_reset_ones_and_zeros(void **opaque) {
    (void)opaque;
    for (size_t chip = 0; chip < COUNT_OF(chips); chip++) {
        struct machine machine;
        machine_init(&machine, chips[chip].name, NULL);
        for (size_t row = 0; row < machine.bus.row_count; row++)
            for (uint32_t offset = machine.bus.rows[row].begin; offset < machine.bus.rows[row].end; offset += 4)
                if (find(&machine, offset) == machine.bus.rows[row].reg)
                    check_register(chip, offset);
        machine_free(&machine);
    }
}

static unsigned chips_having(uint32_t offset) {
    unsigned having = 0;
    for (size_t i = 0; i < COUNT_OF(expected); i++)
        having |= is_of(&expected[i], offset) ? expected[i].chips : 0;
    return having;
}

static void every_expected_register_is_there_and_on_no_other_chip(void **opaque) {
    (void)opaque;
    for (size_t chip = 0; chip < COUNT_OF(chips); chip++) {
        struct machine machine;
        machine_init(&machine, chips[chip].name, NULL);
        for (size_t i = 0; i < COUNT_OF(expected); i++)
            for (uint32_t index = 0; index == 0 || index < expected[i].count; index++) {
                uint32_t offset = element(&expected[i], index);
                bool found = find(&machine, offset) != NULL;
                if (found != ((chips_having(offset) & chips[chip].bit) != 0))
                    fail_msg("%s 0x%06x: %s", chips[chip].name, offset, found ? "is there" : "is missing");
            }
        machine_free(&machine);
    }
}

static void every_chip_has_a_bus(void **opaque) {
    (void)opaque;
    for (size_t i = 0; i < pfifo_chip_count(); i++) {
        struct pfifo_chip_info info = pfifo_chip_info(pfifo_chip_at(i));
        struct machine machine;
        machine_init(&machine, info.name, NULL);
        assert_int_equal(bus_rd32(&machine.bus, 0), info.boot0);
        machine_free(&machine);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_register_reads_what_it_should_after_reset_ones_and_zeros),
        cmocka_unit_test(every_expected_register_is_there_and_on_no_other_chip),
        cmocka_unit_test(every_chip_has_a_bus),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
