/* SPDX-License-Identifier: MIT */
/*
 * How many of everything there is: what drivers compute from the registers of a card, and what they see of its units.
 *
 * The arithmetic is nouveau's (nvkm/subdev/fb/ram*.c, ltc, devinit, nvkm/engine/gr, falcon), the counts are those of
 * envytools docs/hw/gpu.rst, and of products for what is not listed there.
 */
#include "bus/fixture.h"
#include "unit/graph/graph_counts.h"

#include "chip/family.h"

#define MIB (UINT64_C(1) << 20)

static struct machine machine;

static uint32_t rd(uint32_t offset) {
    return bus_rd32(&machine.bus, offset);
}

static bool is(const char *ranges) {
    return chip_in_range(machine.chip, ranges);
}

static unsigned ones_in(uint32_t mask) {
    return (unsigned)__builtin_popcount(mask);
}

/* ---- the counts ---- */

struct tesla {
    const char *name;
    uint32_t tpcs, mps, parts;
};

static const struct tesla teslas[] = {
    {"G80", 8, 2, 6},   {"G84", 2, 2, 2},   {"G86", 1, 2, 2},    {"G92", 8, 2, 4},   {"G94", 4, 2, 4},
    {"G96", 2, 2, 2},   {"G98", 1, 1, 1},   {"GT200", 10, 3, 8}, {"MCP77", 1, 1, 1}, {"MCP79", 1, 2, 1},
    {"GT215", 4, 3, 2}, {"GT216", 2, 3, 2}, {"GT218", 1, 2, 1},  {"MCP89", 2, 3, 2},
};

struct fermi {
    const char *name;
    uint32_t gpcs, tpcs, parts, mcs, ppcs, slices, copies, heads;
};

/* From GF100 to GM108 all of it is in the list; parts and clusters from GM200 on are those of products. */
static const struct fermi fermis[] = {
    {"GF100", 4, 4, 6, 6, 0, 2, 2, 2},  {"GF104", 2, 4, 4, 4, 0, 2, 2, 2},  {"GF114", 2, 4, 4, 4, 0, 2, 2, 2},
    {"GF106", 1, 4, 3, 3, 0, 2, 2, 2},  {"GF116", 1, 4, 3, 3, 0, 2, 2, 2},  {"GF108", 1, 2, 1, 2, 0, 2, 2, 2},
    {"GF110", 4, 4, 6, 6, 0, 2, 2, 2},  {"GF119", 1, 1, 1, 1, 0, 1, 1, 2},  {"GF117", 1, 2, 1, 1, 1, 2, 1, 0},
    {"GK104", 4, 2, 4, 4, 1, 4, 3, 4},  {"GK107", 1, 2, 2, 2, 1, 4, 3, 4},  {"GK106", 3, 2, 3, 3, 1, 4, 3, 4},
    {"GK110", 5, 3, 6, 6, 2, 4, 3, 4},  {"GK110B", 5, 3, 6, 6, 2, 4, 3, 4}, {"GK208", 1, 2, 1, 1, 1, 2, 3, 4},
    {"GK208B", 1, 2, 1, 1, 1, 2, 3, 4}, {"GK20A", 1, 1, 1, 1, 1, 1, 3, 0},  {"GM107", 1, 5, 2, 2, 2, 4, 3, 4},
    {"GM108", 1, 3, 1, 1, 2, 4, 3, 4},  {"GM200", 6, 4, 6, 6, 2, 2, 3, 4},  {"GM204", 4, 4, 4, 4, 2, 2, 3, 4},
    {"GM206", 2, 4, 2, 2, 2, 2, 3, 4},  {"GM20B", 1, 2, 1, 1, 1, 2, 3, 0},  {"GP100", 6, 5, 8, 8, 2, 2, 6, 4},
    {"GP102", 6, 5, 6, 6, 3, 2, 4, 4},  {"GP104", 4, 5, 4, 4, 3, 2, 4, 4},  {"GP106", 2, 5, 3, 3, 3, 2, 4, 4},
    {"GP107", 2, 3, 2, 2, 1, 2, 4, 4},  {"GP108", 1, 3, 1, 1, 1, 2, 4, 4},  {"GP10B", 1, 2, 1, 1, 1, 2, 1, 0},
};

static void every_chip_that_runs_has_its_counts_here(void **state) {
    (void)state;
    size_t seen = 0;
    for (size_t i = 0; i < pfifo_chip_count(); i++) {
        const struct pfifo_chip *chip = pfifo_chip_at(i);
        seen += chip_in_range(chip, "G80-") && chip->family->fifo;
    }
    assert_int_equal(seen, COUNT_OF(teslas) + COUNT_OF(fermis));
}

/* ---- the size of VRAM, as a driver computes it ---- */

/* Partitions x banks x columns x 8 bytes x rows, of one rank or two. */
static uint64_t size_of_tesla(void) {
    uint32_t cfg0 = rd(0x100200), cfg1 = rd(0x100204);
    uint64_t parts = ones_in(rd(0x1540) >> 16 & 0xff);
    uint64_t row = parts * (4u << (cfg1 >> 24 & 3)) * (UINT64_C(1) << (cfg1 >> 12 & 0xf)) * 8;
    uint64_t size = row << ((cfg1 >> 16 & 0xf) + 8);
    return cfg0 & 4 ? size + (row << ((cfg1 >> 20 & 0xf) + 8)) : size;
}

static uint64_t size_register(void) {
    uint32_t value = rd(0x10020c);
    return (uint64_t)(value & 0xff) << 32 | (value & 0xffffff00);
}

/* What a partition has, and how many L2 caches it is spread over. */
struct part {
    uint64_t mib;
    uint32_t ltcs;
};

static uint64_t mib_behind(uint32_t controller) {
    return is("GP100-") ? rd(0x90020c + 0x4000 * controller) : rd(0x11020c + 0x1000 * controller);
}

static struct part part_of_fermi(uint32_t part, uint32_t off) {
    uint32_t per_part = is("GF100:GF108 GF110") ? 1 : rd(0x02243c) / rd(0x022438);
    struct part found = {0, 1};
    for (uint32_t mc = part * per_part; mc < (part + 1) * per_part; mc++)
        found.mib += off >> mc & 1 ? 0 : mib_behind(mc);
    return found;
}

static struct part part_of_gm200(uint32_t part, uint32_t off) {
    uint32_t per_part = rd(0x022458), ltcs = rd(0x022450);
    struct part found = {0, 0};
    if (rd(0x021d38) >> part & 1)
        return found;
    for (uint32_t mc = part * per_part; mc < (part + 1) * per_part; mc++)
        found.mib += off >> mc & 1 ? 0 : mib_behind(mc);
    found.ltcs = ones_in(~rd(0x021d70 + 4 * part) & ((1u << ltcs) - 1));
    return found;
}

/* 0: the memory is of the mixed sort, of which a part lies somewhere else. */
static uint64_t size_of_fermi(uint32_t *parts, uint32_t *ltcs) {
    uint32_t off = is("GM107-") ? rd(0x021c14) : rd(0x022554), designed = rd(0x022438);
    uint64_t total = 0, least = UINT64_MAX;
    *parts = *ltcs = 0;
    for (uint32_t n = 0; n < designed; n++) {
        struct part part = is("GM200-") ? part_of_gm200(n, off) : part_of_fermi(n, off);
        if (!part.mib)
            continue;
        uint64_t each = part.mib / part.ltcs * MIB;
        least = each < least ? each : least;
        total += part.mib * MIB;
        *parts += 1;
        *ltcs += part.ltcs;
    }
    return total == least * *ltcs ? total : 0;
}

static const uint32_t sizes[] = {16,   32,   64,   96,   128,  192,  256,   320,   384,  448,
                                 512,  640,  768,  896,  1000, 1024, 1280,  1536,  1792, 2048,
                                 2560, 3072, 3584, 4096, 6144, 8192, 12288, 16384, 33,   1};

static void tesla_with(const struct tesla *tesla, uint64_t vram) {
    machine_init_sized(&machine, tesla->name, vram, NULL);
    uint64_t size = machine.memory.config.vram_bytes;
    uint32_t parts = ones_in(rd(0x1540) >> 16 & 0xff);
    assert_int_equal(size_register(), size);
    assert_in_range(parts, 1, tesla->parts);
    assert_int_equal(rd(0x1540) >> 16 & 0xff, (1u << parts) - 1);
    if (is("MCP77:GT215 MCP89")) {
        assert_int_equal(rd(0x100e10), 0);
        assert_int_equal((uint64_t)rd(0x100e14) << 12, size);
    } else if (size_of_tesla() != size)
        fail_msg("%s with %u MiB: %llu", tesla->name, (unsigned)(vram / MIB), (unsigned long long)size_of_tesla());
    machine_free(&machine);
}

/* One rank of memory or two behind each partition: such a card there can be. */
static bool can_be(uint32_t parts, uint32_t mib) {
    for (uint32_t n = 1; n <= parts; n++)
        if (mib % n == 0 && ones_in(mib / n) <= 2)
            return true;
    return false;
}

static void a_driver_computes_the_size_of_vram_of_tesla(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(teslas); i++) {
        tesla_with(&teslas[i], 0);
        for (size_t n = 0; n < COUNT_OF(sizes); n++)
            if (sizes[n] <= 4096 && can_be(teslas[i].parts, sizes[n]))
                tesla_with(&teslas[i], sizes[n] * MIB);
    }
}

static void a_driver_computes_the_size_of_vram_from_gf100_on(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(fermis); i++)
        for (size_t n = 0; n <= COUNT_OF(sizes); n++) {
            uint32_t parts, ltcs;
            machine_init_sized(&machine, fermis[i].name, n < COUNT_OF(sizes) ? sizes[n] * MIB : 0, NULL);
            uint64_t size = machine.memory.config.vram_bytes, found = size_of_fermi(&parts, &ltcs);
            if (found != size)
                fail_msg("%s with %u MiB: %llu", fermis[i].name, (unsigned)(size / MIB), (unsigned long long)found);
            if (size) {
                assert_in_range(parts, 1, fermis[i].parts);
                assert_int_equal(rd(is("GP100-") ? 0x9a020c : 0x10f20c), mib_behind(0));
            }
            machine_free(&machine);
        }
}

/* What was sold with that much memory. */
static void partitions_are_those_of_boards(void **state) {
    (void)state;
    static const struct {
        const char *chip;
        uint32_t mib, parts;
    } boards[] = {
        {"G80", 768, 6},    {"G80", 640, 5},    {"G80", 320, 5},    {"G92", 512, 4},     {"G92", 384, 3},
        {"GT200", 1024, 8}, {"GT200", 896, 7},  {"GT200", 1792, 7}, {"GF100", 1536, 6},  {"GF100", 1280, 5},
        {"GF100", 1024, 4}, {"GF104", 768, 3},  {"GF104", 1024, 4}, {"GF106", 1024, 2},  {"GF106", 1536, 3},
        {"GF110", 3072, 6}, {"GF108", 1024, 1}, {"GK104", 2048, 4}, {"GK104", 1536, 3},  {"GK110", 3072, 6},
        {"GM107", 2048, 2}, {"GM200", 6144, 6}, {"GM204", 4096, 4}, {"GP100", 16384, 8}, {"GP106", 6144, 3},
        {"GP106", 3072, 3}, {"GP104", 8192, 4},
    };
    for (size_t i = 0; i < COUNT_OF(boards); i++) {
        uint32_t parts, ltcs;
        machine_init_sized(&machine, boards[i].chip, boards[i].mib * MIB, NULL);
        if (is("G80:GF100"))
            parts = ones_in(rd(0x1540) >> 16 & 0xff);
        else
            size_of_fermi(&parts, &ltcs);
        if (parts != boards[i].parts)
            fail_msg("%s with %u MiB has %u partitions", boards[i].chip, boards[i].mib, parts);
        machine_free(&machine);
    }
}

/* Not one that a board can have: a driver that believes the size register still goes on, none divides by zero. */
static void an_odd_size_divides_nothing_by_zero(void **state) {
    (void)state;
    static const uint64_t odd[] = {4096, 12288, MIB + 4096, 5 * MIB / 4096 * 4096 + 8192, 7 * MIB};
    for (size_t n = 0; n < COUNT_OF(odd); n++) {
        machine_init_sized(&machine, "G80", odd[n], NULL);
        assert_int_equal(size_register(), odd[n]);
        assert_int_not_equal(rd(0x1540) >> 16 & 0xff, 0);
        machine_free(&machine);
        uint32_t parts, ltcs;
        machine_init_sized(&machine, "GM204", odd[n], NULL);
        assert_int_equal(size_of_fermi(&parts, &ltcs), odd[n] / MIB * MIB);
        machine_free(&machine);
    }
}

/* ---- units ---- */

static void hwunits_have_a_bit_for_each(void **state) {
    (void)state;
    static const struct {
        const char *name;
        uint32_t vertices, quads;
    } curies[] = {{"NV40", 6, 4}, {"NV41", 5, 3}, {"NV43", 3, 2}, {"NV44", 3, 1},
                  {"G70", 8, 6},  {"G73", 8, 3},  {"C51", 1, 1}};
    for (size_t i = 0; i < COUNT_OF(curies); i++) {
        machine_init(&machine, curies[i].name, NULL);
        assert_int_equal(ones_in(rd(0x1540) >> 8 & 0xff), curies[i].vertices);
        assert_int_equal(ones_in(rd(0x1540) & 0xff), curies[i].quads);
        machine_free(&machine);
    }
    for (size_t i = 0; i < COUNT_OF(teslas); i++) {
        machine_init(&machine, teslas[i].name, NULL);
        assert_int_equal(rd(0x1540) & 0xffff, (1u << teslas[i].tpcs) - 1);
        assert_int_equal(rd(0x1540) >> 24 & 0xf, (1u << teslas[i].mps) - 1);
        assert_int_equal(rd(0x1540) & 0x50000000, 0x50000000); /* alive, with video */
        machine_free(&machine);
    }
}

/* What the second register does not have, drivers switch off. */
static void hwunits_1_has_the_engines_of_the_chip(void **state) {
    (void)state;
    static const struct {
        const char *name;
        uint32_t bits;
    } cases[] = {{"G84", 0x064},   {"GT200", 0x064}, {"G98", 0x064},
                 {"MCP79", 0x064}, {"GT215", 0x224}, {"MCP89", 0x264}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        machine_init(&machine, cases[i].name, NULL);
        assert_int_equal(rd(0x154c) & 0x264, cases[i].bits);
        machine_free(&machine);
    }
}

static void punits_says_what_the_design_has(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(fermis); i++) {
        const struct fermi *f = &fermis[i];
        machine_init(&machine, f->name, NULL);
        assert_int_equal(rd(0x022430), f->gpcs);
        assert_int_equal(rd(0x022434), f->tpcs);
        assert_int_equal(rd(0x022438), f->parts);
        assert_int_equal(rd(0x02243c), f->mcs);
        if (is("GF119-")) {
            assert_int_equal(rd(0x022440), 4);
            assert_int_equal(rd(0x022444), f->copies);
            assert_int_equal(rd(0x022448), f->heads);
        }
        if (is("GM200-")) {
            assert_int_equal(rd(0x022454), f->parts * rd(0x022450));
            assert_int_equal(rd(0x022458) * f->parts, f->mcs);
        }
        /* What is off: the display where it has no head, and copy engines that it lacks. */
        assert_int_equal(rd(is("GM107-") ? 0x021c04 : 0x022500) & 1, f->heads == 0);
        bus_wr32(&machine.bus, 0x022438, 99);
        assert_int_equal(rd(0x022438), f->parts);
        assert_int_equal(rd(0x02240c) & 2, 2); /* a board that is set up */
        machine_free(&machine);
    }
}

static void l2_caches_and_slices_are_counted(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(fermis); i++) {
        uint32_t parts, ltcs;
        machine_init(&machine, fermis[i].name, NULL);
        size_of_fermi(&parts, &ltcs);
        if (!machine.chip->vram_bytes) /* the caches of a Tegra are there all the same */
            ltcs = parts = 1;
        assert_int_equal(rd(is("GM107-") ? 0x17e280 : 0x17e8dc) >> 28, fermis[i].slices);
        if (is("GM200-")) {
            assert_int_equal(rd(0x12006c), is("GP10B") ? 2 : ltcs);
            ltcs = rd(0x12006c);
        } else { /* counted by what is not off */
            uint32_t off = is("GM107-") ? rd(0x021c14) : rd(0x022554);
            assert_int_equal(ltcs, ones_in(~off & ((1u << rd(0x022438)) - 1)));
        }
        assert_int_equal(rd(0x100800), ltcs);
        struct graph_counts counts = {.units = 0};
        assert_int_equal(graph_counts_attach(&counts, &machine.bus, NULL), PFIFO_OK);
        assert_int_equal(rd(0x409604), fermis[i].gpcs | ltcs << 16);
        uint32_t ring = is("GK104-") ? 0x120070 : 0x121c70;
        assert_int_equal(rd(ring + 4), parts);
        assert_int_equal(rd(ring + 8), fermis[i].gpcs);
        bus_wr32(&machine.bus, ring - 0x24, 2);
        assert_int_equal(rd(ring - 0x24) & 0x3f, 0); /* commands are done */
        graph_counts_free(&counts);
        machine_free(&machine);
    }
}

/* A driver divides by the least number of TPCs that a PPC has. */
static void clusters_have_their_tpcs(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(fermis); i++) {
        const struct fermi *f = &fermis[i];
        struct graph_counts counts = {.units = 0};
        machine_init(&machine, f->name, NULL);
        assert_int_equal(graph_counts_attach(&counts, &machine.bus, NULL), PFIFO_OK);
        for (uint32_t gpc = 0; gpc < f->gpcs; gpc++) {
            uint32_t all = 0, base = 0x500000 + 0x8000 * gpc;
            assert_int_equal(rd(base + 0x2608), f->tpcs);
            for (uint32_t ppc = 0; ppc < f->ppcs; ppc++) {
                uint32_t mask = rd(base + 0xc30 + 4 * ppc);
                assert_int_not_equal(mask, 0);
                assert_int_equal(mask & all, 0);
                all |= mask;
            }
            assert_int_equal(all, f->ppcs ? (1u << f->tpcs) - 1 : 0);
        }
        assert_null(bus_find(&machine.bus, 0x502608 + 0x8000 * f->gpcs, NULL, NULL));
        graph_counts_free(&counts);
        machine_free(&machine);
    }
}

/* ---- falcons ---- */

static void falcons_say_how_much_they_take(void **state) {
    (void)state;
    static const struct {
        const char *chips;
        uint32_t base, version, code, data;
    } falcons[] = {
        {"GT215 GT218 MCP89", 0x104000, 3, 0x1200, 0x800},
        {"GF100 GF104 GF108 GF110", 0x104000, 3, 0x1200, 0x800},
        {"GF100 GF104 GF108 GF110", 0x105000, 3, 0x1200, 0x800},
        {"GF119 GF117", 0x104000, 3, 0x1200, 0x800},
        {"G98 MCP77 MCP79", 0x084000, 0, 0x1000, 0x1000},
        {"GT215", 0x084000, 3, 0x1800, 0x1000},
        {"MCP89 GF100", 0x084000, 3, 0x2000, 0x2000},
        {"GF119 GK104", 0x084000, 4, 0x2000, 0x1000},
        {"G98", 0x085000, 0, 0x1000, 0x1000},
        {"GT215 GF100", 0x085000, 3, 0x1400, 0x1000},
        {"GT215 GF100", 0x086000, 3, 0xa00, 0x800},
        {"G98 MCP79", 0x087000, 0, 0xa00, 0x800},
        {"MCP89", 0x1c1000, 3, 0x1000, 0xb00},
        {"GK104 GK110", 0x1c2000, 4, 0x4000, 0x1800},
        {"GM107 GM204", 0x1c8000, 5, 0x4000, 0x2c00},
        {"GT215", 0x10a000, 3, 0x4000, 0x3000},
        {"GF100", 0x10a000, 3, 0x6000, 0x6000},
        {"GF119 GK104 GK110", 0x10a000, 4, 0x6000, 0x6000},
        {"GM107", 0x10a000, 5, 0x8000, 0x6000},
    };
    for (size_t i = 0; i < COUNT_OF(falcons); i++)
        for (size_t c = 0; c < pfifo_chip_count(); c++) {
            if (!chip_in_range(pfifo_chip_at(c), falcons[i].chips))
                continue;
            machine_init(&machine, pfifo_chip_info(pfifo_chip_at(c)).name, NULL);
            uint32_t caps = rd(falcons[i].base + 0x108);
            assert_int_equal((caps & 0x1ff) << 8, falcons[i].code);
            assert_int_equal((caps & 0x3fe00) >> 1, falcons[i].data);
            if (falcons[i].version)
                assert_int_equal(rd(falcons[i].base + 0x12c) & 0xf, falcons[i].version);
            bus_wr32(&machine.bus, falcons[i].base + 0x108, 0);
            assert_int_equal(rd(falcons[i].base + 0x108), caps);
            machine_free(&machine);
        }
    machine_init(&machine, "GF119", NULL);
    assert_null(bus_find(&machine.bus, 0x105108, NULL, NULL)); /* it has one copy engine */
    machine_free(&machine);
}

/* Firmware wrote them, and a driver that changes the memory's timing writes them again. */
static void configuration_of_memory_can_be_written(void **state) {
    (void)state;
    static const uint32_t offsets[] = {0x100200, 0x100204, 0x100250, 0x100714};
    machine_init(&machine, "GT200", NULL);
    assert_int_equal(rd(0x100714) & 7, 2); /* GDDR3 */
    for (size_t i = 0; i < COUNT_OF(offsets); i++) {
        bus_wr32(&machine.bus, offsets[i], 0x12345670 + (uint32_t)i);
        assert_int_equal(rd(offsets[i]), 0x12345670 + i);
    }
    assert_int_equal(size_register(), machine.memory.config.vram_bytes);
    machine_free(&machine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_chip_that_runs_has_its_counts_here),
        cmocka_unit_test(a_driver_computes_the_size_of_vram_of_tesla),
        cmocka_unit_test(a_driver_computes_the_size_of_vram_from_gf100_on),
        cmocka_unit_test(partitions_are_those_of_boards),
        cmocka_unit_test(an_odd_size_divides_nothing_by_zero),
        cmocka_unit_test(hwunits_have_a_bit_for_each),
        cmocka_unit_test(hwunits_1_has_the_engines_of_the_chip),
        cmocka_unit_test(punits_says_what_the_design_has),
        cmocka_unit_test(l2_caches_and_slices_are_counted),
        cmocka_unit_test(clusters_have_their_tpcs),
        cmocka_unit_test(falcons_say_how_much_they_take),
        cmocka_unit_test(configuration_of_memory_can_be_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
