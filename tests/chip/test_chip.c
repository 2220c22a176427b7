/* SPDX-License-Identifier: MIT */
/*
 * The table of chips: names and numbers find their row, every row is consistent with itself, and
 * the facts that other code leans on are where the hardware has them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "chip/chip.h"
#include "chip/family.h"
#include "chip/units.h"

#define EACH_CHIP(chip)                                                                                                \
    const struct pfifo_chip *chip = pfifo_chip_at(0);                                                                  \
    (chip);                                                                                                            \
    (chip) = next(chip)

/* A row's claim, reported by chip. */
#define CHECK(chip, claim)                                                                                             \
    do {                                                                                                               \
        if (!(claim))                                                                                                  \
            fail_msg("%s: %s", (chip)->name, #claim);                                                                  \
    } while (0)
#define IMPLIES(a, b) (!(a) || (b))

static const struct pfifo_chip *next(const struct pfifo_chip *chip) {
    for (size_t i = 0; i < pfifo_chip_count(); i++) {
        if (pfifo_chip_at(i) == chip)
            return pfifo_chip_at(i + 1);
    }
    return NULL;
}

static const struct pfifo_chip *named(const char *name) {
    const struct pfifo_chip *chip = pfifo_chip_by_name(name);

    if (!chip)
        fail_msg("no chip is called %s", name);
    return chip;
}

static const char *name_of(uint32_t id) {
    const struct pfifo_chip *chip = pfifo_chip_by_id(id);

    return chip ? chip->name : "none";
}

static size_t class_count(const struct pfifo_chip *chip) {
    size_t count = 0;

    while (count < CHIP_MAX_CLASSES && chip->classes[count])
        count++;
    return count;
}

static bool offers(const struct pfifo_chip *chip, uint16_t class) {
    for (size_t i = 0; i < class_count(chip); i++) {
        if (chip->classes[i] == class)
            return true;
    }
    return false;
}

static unsigned unit_count(const struct pfifo_chip *chip, enum chip_unit unit) {
    unsigned count = 0;

    for (size_t i = 0; i < CHIP_MAX_ENGINES; i++)
        count += chip->engines[i] == unit;
    return count;
}

/* Lookups. */

/* In the order of introduction, which is the order of features. */
static const struct {
    const char *name;
    uint32_t id;
} all[] = {{"NV1", 1},       {"NV3", 3},        {"NV3T", 3},      {"NV4", 4},       {"NV5", 5},       {"NV10", 0x10},
           {"NV15", 0x15},   {"NV1A", 0x1a},    {"NV11", 0x11},   {"NV17", 0x17},   {"NV1F", 0x1f},   {"NV18", 0x18},
           {"NV20", 0x20},   {"NV2A", 0x2a},    {"NV25", 0x25},   {"NV28", 0x28},   {"NV30", 0x30},   {"NV35", 0x35},
           {"NV31", 0x31},   {"NV36", 0x36},    {"NV34", 0x34},   {"NV40", 0x40},   {"NV45", 0x45},   {"NV41", 0x41},
           {"NV42", 0x42},   {"NV43", 0x43},    {"NV44", 0x44},   {"NV44A", 0x4a},  {"G70", 0x47},    {"G71", 0x49},
           {"G73", 0x4b},    {"G72", 0x46},     {"C51", 0x4e},    {"MCP61", 0x4c},  {"MCP67", 0x67},  {"MCP68", 0x68},
           {"MCP73", 0x63},  {"RSX", 0x4d},     {"G80", 0x50},    {"G84", 0x84},    {"G86", 0x86},    {"G92", 0x92},
           {"G94", 0x94},    {"G96", 0x96},     {"G98", 0x98},    {"GT200", 0xa0},  {"MCP77", 0xaa},  {"MCP79", 0xac},
           {"GT215", 0xa3},  {"GT216", 0xa5},   {"GT218", 0xa8},  {"MCP89", 0xaf},  {"GF100", 0xc0},  {"GF104", 0xc4},
           {"GF114", 0xce},  {"GF106", 0xc3},   {"GF116", 0xcf},  {"GF108", 0xc1},  {"GF110", 0xc8},  {"GF119", 0xd9},
           {"GF117", 0xd7},  {"GK104", 0xe4},   {"GK107", 0xe7},  {"GK106", 0xe6},  {"GK110", 0xf0},  {"GK110B", 0xf1},
           {"GK208", 0x108}, {"GK208B", 0x106}, {"GK20A", 0xea},  {"GM107", 0x117}, {"GM108", 0x118}, {"GM200", 0x120},
           {"GM204", 0x124}, {"GM206", 0x126},  {"GM20B", 0x12b}, {"GP100", 0x130}, {"GP102", 0x132}, {"GP104", 0x134},
           {"GP106", 0x136}, {"GP107", 0x137},  {"GP108", 0x138}, {"GP10B", 0x13b}, {"GV100", 0x140}, {"GV11B", 0x15b},
           {"TU102", 0x162}, {"TU104", 0x164},  {"TU106", 0x166}, {"TU116", 0x168}, {"TU117", 0x167}, {"GA100", 0x170},
           {"GA102", 0x172}, {"GA103", 0x173},  {"GA104", 0x174}, {"GA106", 0x176}, {"GA107", 0x177}, {"GA10B", 0x17b},
           {"GH100", 0x180}};

#define ALL_COUNT (sizeof(all) / sizeof(all[0]))

static void every_chip_is_there_with_its_number(void **state) {
    (void)state;
    assert_int_equal(pfifo_chip_count(), ALL_COUNT);
    for (size_t i = 0; i < ALL_COUNT; i++) {
        assert_string_equal(pfifo_chip_at(i)->name, all[i].name);
        assert_int_equal(pfifo_chip_at(i)->id, all[i].id);
    }
    assert_null(pfifo_chip_at(ALL_COUNT));
    assert_null(pfifo_chip_at(SIZE_MAX));
}

/* NV3T has the number of NV3 and is known by its name only. */
static void a_number_finds_its_chip(void **state) {
    (void)state;
    for (size_t i = 0; i < ALL_COUNT; i++)
        assert_string_equal(name_of(all[i].id), all[i].id == 3 ? "NV3" : all[i].name);
    assert_null(pfifo_chip_by_id(0));
    assert_null(pfifo_chip_by_id(2));
    assert_null(pfifo_chip_by_id(0x175));
    assert_null(pfifo_chip_by_id(UINT32_MAX));
    assert_null(pfifo_chip_by_id(0x10040)); /* not cut to 16 bits */
}

static void a_name_finds_its_chip_in_every_spelling(void **state) {
    static const struct {
        const char *spelling, *name;
    } known[] = {
        {"NV40", "NV40"},     {"nv40", "NV40"},  {"0x40", "NV40"},   {"40", "NV40"},     {"NV11", "NV11"},
        {"nv3t", "NV3T"},     {"nv3", "NV3"},    {"3", "NV3"},       {"nva3", "GT215"},  {"NVA3", "GT215"},
        {"a3", "GT215"},      {"0XA3", "GT215"}, {"gt215", "GT215"}, {"nv12b", "GM20B"}, {"0x12B", "GM20B"},
        {"nv117", "GM107"},   {"NV50", "G80"},   {"nv4a", "NV44A"},  {"c51", "C51"},     {"nv4e", "C51"},
        {"gk208b", "GK208B"}, {"nvc1", "GF108"}, {"c1", "GF108"},    {"rsx", "RSX"},     {"mcp78", "MCP77"},
        {"g200", "GT200"},    {"0xc0", "GF100"}, {"nv0040", "NV40"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
        assert_string_equal(named(known[i].spelling)->name, known[i].name);
    for (EACH_CHIP(chip))
        assert_ptr_equal(pfifo_chip_by_name(chip->name), chip);
}

static void what_is_no_chip_is_not_found(void **state) {
    static const char *const names[] = {
        "",
        "nv",
        "0x",
        "NV2",
        "2",
        "0",
        "nv0xa3",
        "0xnva3",
        " nv40",
        "nv40 ",
        "nv40x",
        "NV",
        "G",
        "GT2150",
        "-40",
        "100000040",
        "nv10000000000000040",
        "0x",
        "40h",
        "xyz",
        "nv40\n",
    };

    (void)state;
    assert_null(pfifo_chip_by_name(NULL));
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (pfifo_chip_by_name(names[i]))
            fail_msg("\"%s\" found %s", names[i], pfifo_chip_by_name(names[i])->name);
    }
}

static void info_tells_what_the_row_says(void **state) {
    struct pfifo_chip_info info = pfifo_chip_info(named("GM20B"));

    (void)state;
    assert_string_equal(info.name, "GM20B");
    assert_string_equal(info.generation, "Maxwell");
    assert_int_equal(info.id, 0x12b);
    assert_int_equal(info.boot0, 0x12b000a1);
    assert_int_equal(info.channels, 512);
    assert_int_equal(info.cache_entries, 0);
    assert_int_equal(info.pbdmas, 1);
    assert_int_equal(info.host_class, 0xb06f);
    assert_int_equal(info.vram_bytes, 0);
    assert_true(info.runs);

    info = pfifo_chip_info(named("NV40"));
    assert_int_equal(info.cache_entries, 256);
    assert_int_equal(info.pbdmas, 0);
    assert_int_equal(info.host_class, 0x406e);
    assert_int_equal(info.vram_bytes, 256 << 20);

    assert_null(pfifo_chip_info(NULL).name);
}

static void the_machine_runs_from_nv1_to_gp10b(void **state) {
    size_t first = 0, last = 0;

    (void)state;
    for (size_t i = 0; i < pfifo_chip_count(); i++) {
        if (pfifo_chip_at(i) == named("NV1"))
            first = i;
        if (pfifo_chip_at(i) == named("GP10B"))
            last = i;
    }
    assert_true(first < last);
    for (size_t i = 0; i < pfifo_chip_count(); i++)
        assert_int_equal(pfifo_chip_info(pfifo_chip_at(i)).runs, i >= first && i <= last);
}

/* Every row. */

static void names_and_numbers_are_unique(void **state) {
    (void)state;
    for (size_t i = 0; i < pfifo_chip_count(); i++) {
        const struct pfifo_chip *a = pfifo_chip_at(i);

        for (size_t j = i + 1; j < pfifo_chip_count(); j++) {
            const struct pfifo_chip *b = pfifo_chip_at(j);

            CHECK(b, strcmp(a->name, b->name) != 0);
            CHECK(b, a->id != b->id || strcmp(b->name, "NV3T") == 0);
            CHECK(b, a->boot0 != b->boot0);
        }
    }
}

/* As a driver reads it. */
static uint32_t chipset_of(uint32_t boot0) {
    if (boot0 & 0x1f000000 && boot0 & 0x80)
        return boot0 >> 20 & 0x1ff;
    if (boot0 & 0xf000)
        return boot0 & 0x00f00000 ? 5 : 4;
    return boot0 >> 16 & 0xf;
}

static void boot0_shows_the_number(void **state) {
    (void)state;
    for (EACH_CHIP(chip))
        CHECK(chip, chipset_of(chip->boot0) == chip->id);
    /* A driver takes only these two for NV4 and NV5. */
    assert_int_equal(named("NV4")->boot0 & 0xff00fff0, 0x20004000);
    assert_int_equal(named("NV5")->boot0 & 0xff00fff0, 0x20004000);
    assert_int_equal(named("NV3")->boot0, 0x00030110);
    assert_int_equal(named("NV3T")->boot0, 0x00030120);
    assert_int_equal(named("NV2A")->boot0, 0x02a000a1);
}

static void a_chip_wires_every_block_of_the_bus(void **state) {
    (void)state;
    for (EACH_CHIP(chip)) {
        CHECK(chip, chip->pmc && chip->ptimer && chip->pbus && chip->bars && chip->pfb);
        CHECK(chip, (chip->pram != NULL) == chip_in_range(chip, "NV1"));
        CHECK(chip, (chip->peephole != NULL) == chip_in_range(chip, "NV30:GH100"));
    }
}

static void a_capability_brings_those_it_builds_on(void **state) {
    (void)state;
    for (EACH_CHIP(chip)) {
        CHECK(chip, IMPLIES(chip->has_vram_pushbuffer, chip->has_dma));
        CHECK(chip, IMPLIES(chip->has_nonincreasing, chip->has_vram_pushbuffer));
        CHECK(chip, chip->has_nonincreasing == chip->has_ref_cnt);
        CHECK(chip, IMPLIES(chip->has_call, chip->has_ref_cnt && chip->has_old_semaphore));
        CHECK(chip, IMPLIES(chip->has_yield, chip->has_nonincreasing && chip->has_switch_any_time));
        CHECK(chip, IMPLIES(chip->has_ib, chip->has_yield && (chip->has_call || chip->ring_only)));
        CHECK(chip, chip->has_ib == chip_has_page_tables(chip));
        CHECK(chip, chip->binds_classes == chip->ring_only && chip->has_macros == chip->ring_only);
        CHECK(chip, IMPLIES(chip->has_new_semaphore, chip->has_ib && chip->has_notify_intr));
        CHECK(chip, IMPLIES(chip->ring_only, chip->has_ib && chip->pbdmas > 0 && !chip->has_call));
        CHECK(chip, IMPLIES(chip->has_runlists, chip->ring_only && !chip->has_engine_in_object));
        CHECK(chip, chip->has_runlists == (chip->runlists > 0));
        CHECK(chip, IMPLIES(chip->ring_only, chip->has_runlists != chip->has_engine_in_object));
        CHECK(chip, IMPLIES(chip->has_wfi_method, chip->has_runlists));
        CHECK(chip, IMPLIES(chip->has_semaphore_reduction, chip->has_new_semaphore && chip->has_wfi_method));
        CHECK(chip, chip->has_yield_operations == chip->has_mem_op_c);
        CHECK(chip, IMPLIES(chip->has_mem_op_c, chip->has_wfi_method));
        CHECK(chip, IMPLIES(chip->has_doorbell, chip->has_mem_op_c));
        CHECK(chip, IMPLIES(chip->has_packed_gart, chip->gart_page_bits && chip->has_ramfc_select));
    }
}

static void a_chip_has_a_cache_or_pbdmas(void **state) {
    (void)state;
    for (EACH_CHIP(chip)) {
        CHECK(chip, (chip->cache1_entries == 0) == chip->ring_only);
        CHECK(chip, (chip->pbdmas != 0) == chip->ring_only);
        if (chip->ring_only)
            continue;
        CHECK(chip, (chip->cache1_entries & (chip->cache1_entries - 1)) == 0);
        CHECK(chip, chip->cache1_slots >= chip->cache1_entries);
        /* The pointer counts in steps of 4 and is all ones above them. */
        CHECK(chip, (chip->cache1_pointer_mask & 3) == 0);
        CHECK(chip, ((chip->cache1_pointer_mask + 4) & chip->cache1_pointer_mask) == 0);
        CHECK(chip, (chip->cache1_pointer_mask >> 2) + 1 >= chip->cache1_slots);
        /* Binary pointers tell full from empty by one more bit; Gray ones leave an entry unused. */
        CHECK(chip, (chip->cache1_pointer_mask >> 2) + 1 == chip->cache1_entries * (chip->has_gray_pointers ? 1 : 2));
    }
}

static void sizes_make_sense(void **state) {
    (void)state;
    for (EACH_CHIP(chip)) {
        CHECK(chip, chip->generation && chip->family && chip->family->name);
        CHECK(chip, chip->channels > 0 && chip->channels <= 1u << chip->channel_bits);
        CHECK(chip, chip->pio_channels <= chip->channels);
        CHECK(chip, (chip->pio_channels > 0) == !chip->ring_only);
        CHECK(chip, chip->userd_stride >= 0x200 && (chip->userd_stride & (chip->userd_stride - 1)) == 0);
        CHECK(chip, (chip->vram_bytes & (chip->vram_bytes - 1)) == 0);
        CHECK(chip, (chip->ramfc_bytes > 0) == !chip->ring_only);
        CHECK(chip, (chip->ramin_bytes > 0) == (chip->vm == CHIP_VM_NONE));
        CHECK(chip, (chip->ramin_chunk > 0) == (chip->vm == CHIP_VM_NONE));
        CHECK(chip, IMPLIES(chip->ramin_bytes, chip->vram_bytes > chip->ramin_bytes));
        CHECK(chip, IMPLIES(chip->gart_page_bits, chip->ramin_bytes));
        CHECK(chip, chip->has_dma == (chip->family->grammar != NULL));
        CHECK(chip, (chip->host_class != 0) == (chip->has_dma || chip->has_dma_target));
        CHECK(chip, IMPLIES(chip->ring_only, (chip->host_class & 0xff) == 0x6f));
    }
}

static void only_tegras_have_no_vram(void **state) {
    (void)state;
    for (EACH_CHIP(chip)) {
        bool tegra = false;

        for (size_t i = 0; i < 5; i++)
            tegra |= chip == named((const char *[]){"GK20A", "GM20B", "GP10B", "GV11B", "GA10B"}[i]);
        CHECK(chip, tegra == (chip->vram_bytes == 0));
    }
}

static void engines_are_listed_once(void **state) {
    (void)state;
    for (EACH_CHIP(chip)) {
        CHECK(chip, chip->engines[chip->ring_only ? 0 : 1] == CHIP_UNIT_PGRAPH);
        CHECK(chip, unit_count(chip, CHIP_UNIT_SOFTWARE) == !chip->ring_only);
        CHECK(chip, chip->ring_only || chip->engines[0] == CHIP_UNIT_SOFTWARE);
        CHECK(chip, chip->ring_only || chip->engines[7] == CHIP_UNIT_NONE);
        for (enum chip_unit unit = CHIP_UNIT_SOFTWARE; unit < CHIP_UNIT_COUNT; unit++)
            CHECK(chip, unit_count(chip, unit) <= 1);
    }
}

/* From GK104 every engine has a runlist, but PCOPY2 sits on that of PGRAPH. */
static void runlists_match_engines_up_to_pascal(void **state) {
    (void)state;
    for (EACH_CHIP(chip)) {
        unsigned engines = CHIP_MAX_ENGINES - unit_count(chip, CHIP_UNIT_NONE) - unit_count(chip, CHIP_UNIT_PCOPY2);

        if (chip->has_runlists && !chip->has_doorbell)
            CHECK(chip, chip->runlists == engines);
    }
}

static void classes_are_terminated_and_listed_once(void **state) {
    (void)state;
    for (EACH_CHIP(chip)) {
        CHECK(chip, class_count(chip) < CHIP_MAX_CLASSES);
        CHECK(chip, (class_count(chip) > 0) == chip->has_dma); /* NV1 and NV3 have types, no classes */
        for (size_t i = 0; i < class_count(chip); i++) {
            for (size_t j = 0; j < i; j++)
                CHECK(chip, chip->classes[i] != chip->classes[j]);
        }
        CHECK(chip, IMPLIES(chip->ring_only, offers(chip, 0x902d)));
        CHECK(chip, IMPLIES(chip->has_dma && chip->vm == CHIP_VM_NONE, offers(chip, 0x0039)));
    }
}

static void every_unit_has_a_name(void **state) {
    (void)state;
    for (enum chip_unit unit = CHIP_UNIT_NONE; unit < CHIP_UNIT_COUNT; unit++) {
        for (enum chip_unit other = CHIP_UNIT_NONE; other < unit; other++)
            assert_string_not_equal(chip_unit_name(unit), chip_unit_name(other));
    }
    assert_string_equal(chip_unit_name(CHIP_UNIT_PGRAPH), "PGRAPH");
    assert_string_equal(chip_unit_name(CHIP_UNIT_PCOPY2), "PCOPY2");
}

static void channel_counts_are_those_of_the_drivers(void **state) {
    static const struct {
        const char *name;
        uint16_t channels, host_class;
    } known[] = {
        {"NV1", 128, 0},          {"NV10", 32, 0x006e},    {"G80", 128, 0x506f},    {"G84", 128, 0x826f},
        {"MCP89", 128, 0x866f},   {"GF117", 128, 0x906f},  {"GK104", 4096, 0xa06f}, {"GK110B", 4096, 0xa16f},
        {"GK208B", 1024, 0xa16f}, {"GK20A", 128, 0xa26f},  {"GM108", 2048, 0xa16f}, {"GM206", 4096, 0xb06f},
        {"GM20B", 512, 0xb06f},   {"GP10B", 512, 0xc06f},  {"GP107", 4096, 0xc06f}, {"GV100", 4096, 0xc36f},
        {"TU117", 4096, 0xc46f},  {"GA100", 2048, 0xc56f}, {"GH100", 2048, 0xc86f},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        const struct pfifo_chip *chip = named(known[i].name);

        CHECK(chip, chip->channels == known[i].channels);
        CHECK(chip, chip->host_class == known[i].host_class);
    }
}

/* More texts than a walk remembers, some of them twice. */
static void a_walk_gives_the_rows_of_the_chip_in_order_and_ends(void **state) {
    static const struct row {
        const char *chips;
        unsigned number;
    } rows[] = {
        {"NV1", 0},      {"NV3:NV4", 1}, {"NV4-", 2},    {"NV10-", 3},        {"NV17-", 4},        {"NV20:NV34", 5},
        {"NV30-", 6},    {"NV40-", 7},   {"G80-", 8},    {"G84-", 9},         {"G98", 10},         {"GT215-", 11},
        {"NV1", 12},     {"GF100-", 13}, {"GF119-", 14}, {"GK104-", 15},      {"G80-", 16},        {"GM107-", 17},
        {"NV1:G80", 18}, {"GP100-", 19}, {"NV4-", 20},   {"GF100:GK104", 21}, {"MCP77:GT215", 22}, {"NV1 NV3", 23},
    };
    const size_t count = sizeof rows / sizeof rows[0];
    (void)state;
    for (EACH_CHIP(chip)) {
        struct chip_walk walk = CHIP_WALK(chip, rows);
        const struct row *first = NULL;
        for (size_t i = 0; i < count; i++) {
            if (!chip_in_range(chip, rows[i].chips))
                continue;
            const struct row *row = chip_walk_next(&walk);
            assert_ptr_equal(row, &rows[i]);
            first = first ? first : row;
        }
        assert_null(chip_walk_next(&walk));
        assert_null(chip_walk_next(&walk));
        assert_ptr_equal(CHIP_ROW(chip, rows), first);
    }
}

static void a_chip_without_a_row_is_told_so(void **state) {
    static const struct { const char *chips; } rows[] = {{"NV1:NV3"}, {"G80"}};
    (void)state;
    assert_null(CHIP_ROW(named("GT215"), rows));
    assert_null(chip_row(named("NV1"), rows, 0, sizeof rows[0]));
}

static void ranges_are_in_the_order_of_introduction(void **state) {
    (void)state;
    assert_true(chip_in_range(named("NV11"), "NV1A-")); /* NV1A was before NV11 */
    assert_true(chip_in_range(named("NV1A"), "NV1A:NV17"));
    assert_false(chip_in_range(named("NV17"), "NV1A:NV17"));
    assert_false(chip_in_range(named("NV15"), "NV1A-"));
    assert_true(chip_in_range(named("G71"), "NV44-"));
    assert_false(chip_in_range(named("NV43"), "NV44-"));
    assert_true(chip_in_range(named("NV2A"), "NV17:NV20 NV20 NV2A"));
    assert_true(chip_in_range(named("NV28"), "NV17:NV20 NV25:NV40"));
    assert_false(chip_in_range(named("NV20"), "NV17:NV20 NV25:NV40"));
    assert_true(chip_in_range(named("NV3"), "NV3"));
    assert_false(chip_in_range(named("NV3T"), "NV1 NV3"));
}

static const char *name_by_boot0(uint32_t boot0, bool *swapped) {
    const struct pfifo_chip *chip = pfifo_chip_by_boot0(boot0, swapped);
    return chip ? chip->name : "none";
}

/* Values as cards give them, each with the byte order that it came in. */
static void boot0_names_the_chip(void **state) {
    static const struct {
        uint32_t boot0;
        const char *name;
        bool swapped;
    } cases[] = {
        {0x00010100, "NV1", false},   {0x10010101, "NV1", false},   {0x00030100, "NV3", false},
        {0x20030111, "NV3", false},   {0x2003011f, "NV3", false},   {0x20030120, "NV3T", false},
        {0x20004000, "NV4", false},   {0x20044001, "NV4", false},   {0x20104000, "NV5", false},
        {0x20154000, "NV5", false},   {0x20204003, "NV5", false},   {0x010000a1, "NV10", false},
        {0x02a000a2, "NV2A", false},  {0x034200b1, "NV34", false},  {0x040100a1, "NV40", false},
        {0x050000a2, "G80", false},   {0x0a3300a2, "GT215", false}, {0x2a3300a2, "GT215", false},
        {0x0c0480a3, "GF100", false}, {0x108000a1, "GK208", false}, {0x12b000a1, "GM20B", false},
        {0x140000a1, "GV100", false}, {0x166000a1, "TU106", false}, {0x180000a1, "GH100", false},
        {0x8a3300a2, "GT215", false}, {0xa200338a, "GT215", true},  {0xa100a003, "none", true},
        {0xa2003f03, "none", true},   {0xa200330a, "GT215", true},  {0xb1004203, "NV34", true},
        {0xa1008010, "GK208", true},
    };
    static const uint32_t others[] = {0,          0xffffffff, 0xbad00100, 0xbadf1000, 0x00020101,
                                      0x00000100, 0x01e000a1, 0x00a000a1, 0x1fd000a1, 0x20008000,
                                      0x80000f80, 0x03000020, 0xa20f338a, 0xbadf5040};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        bool swapped;
        assert_string_equal(name_by_boot0(cases[i].boot0, &swapped), cases[i].name);
        assert_int_equal(swapped, cases[i].swapped);
        assert_string_equal(name_by_boot0(cases[i].boot0, NULL), cases[i].name);
    }
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        assert_string_equal(name_by_boot0(others[i], NULL), "none");
}

static void the_boot0_of_every_row_names_it(void **state) {
    (void)state;
    for (EACH_CHIP(chip))
        CHECK(chip, pfifo_chip_by_boot0(chip->boot0, NULL) == chip);
}

/* ---- units ---- */

static void every_engine_has_the_row_of_its_unit(void **state) {
    (void)state;
    for (EACH_CHIP(chip)) {
        for (unsigned id = 0; id < CHIP_MAX_ENGINES; id++) {
            enum chip_unit unit = chip->engines[id];
            const struct chip_unit_row *row = chip_unit_row(chip, unit);
            CHECK(chip, (row != NULL) == (unit != CHIP_UNIT_NONE && unit != CHIP_UNIT_SOFTWARE));
            CHECK(chip, IMPLIES(row, row->unit == unit));
            CHECK(chip, IMPLIES(row && row->registers, row->base));
        }
    }
}

/* Of two rows for a unit and a chip the second would never be found. */
static void a_unit_has_one_row_on_a_chip(void **state) {
    (void)state;
    for (EACH_CHIP(chip)) {
        for (size_t i = 0; i < chip_unit_row_count; i++) {
            const struct chip_unit_row *row = &chip_unit_rows[i];
            if (chip_has_unit(chip, row->unit) && chip_in_range(chip, row->chips))
                CHECK(chip, chip_unit_row(chip, row->unit) == row);
        }
    }
}

static void units_of_a_chip_share_neither_registers_nor_bits(void **state) {
    (void)state;
    for (EACH_CHIP(chip)) {
        uint32_t lines = 0, enables = 0;
        for (unsigned id = 0; id < CHIP_MAX_ENGINES; id++) {
            const struct chip_unit_row *row = chip_unit_row(chip, chip->engines[id]);
            if (row && row->line != CHIP_NO_BIT) {
                CHECK(chip, !(lines >> row->line & 1) && !(enables >> row->enable & 1));
                CHECK(chip, chip_unit_line(chip, row->unit) == UINT32_C(1) << row->line);
                lines |= UINT32_C(1) << row->line;
                enables |= UINT32_C(1) << row->enable;
            }
            for (unsigned other = 0; row && row->base && other < id; other++) {
                const struct chip_unit_row *before = chip_unit_row(chip, chip->engines[other]);
                CHECK(chip, IMPLIES(before, before->base != row->base));
            }
        }
    }
}

/* Kernel drivers create that many copy engines. */
static void volta_and_later_list_all_copy_engines(void **state) {
    static const struct {
        const char *name;
        unsigned engines, copies;
    } rows[] = {{"GP102", 7, 3}, {"GV100", 15, 9}, {"TU102", 9, 5}, {"TU106", 11, 5}, {"GA100", 12, 10}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct pfifo_chip *chip = named(rows[i].name);
        unsigned engines = 0, copies = 0;
        for (unsigned id = 0; id < CHIP_MAX_ENGINES; id++) {
            engines += chip->engines[id] != CHIP_UNIT_NONE;
            copies += chip_unit_is_copy(chip->engines[id]);
        }
        assert_int_equal(engines, rows[i].engines);
        assert_int_equal(copies, rows[i].copies);
    }
}

static void a_class_of_its_own_leads_to_its_unit(void **state) {
    (void)state;
    assert_int_equal(chip_unit_of_class(0x3174), CHIP_UNIT_PMPEG);
    assert_int_equal(chip_unit_of_class(0x88b4), CHIP_UNIT_PSEC);
    assert_int_equal(chip_unit_of_class(0x85b5), CHIP_UNIT_PCOPY0);
    assert_int_equal(chip_unit_of_class(0x5039), CHIP_UNIT_PGRAPH);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_chip_is_there_with_its_number),
        cmocka_unit_test(a_number_finds_its_chip),
        cmocka_unit_test(a_name_finds_its_chip_in_every_spelling),
        cmocka_unit_test(what_is_no_chip_is_not_found),
        cmocka_unit_test(info_tells_what_the_row_says),
        cmocka_unit_test(the_machine_runs_from_nv1_to_gp10b),
        cmocka_unit_test(names_and_numbers_are_unique),
        cmocka_unit_test(boot0_shows_the_number),
        cmocka_unit_test(boot0_names_the_chip),
        cmocka_unit_test(the_boot0_of_every_row_names_it),
        cmocka_unit_test(a_chip_wires_every_block_of_the_bus),
        cmocka_unit_test(a_capability_brings_those_it_builds_on),
        cmocka_unit_test(a_chip_has_a_cache_or_pbdmas),
        cmocka_unit_test(sizes_make_sense),
        cmocka_unit_test(only_tegras_have_no_vram),
        cmocka_unit_test(engines_are_listed_once),
        cmocka_unit_test(runlists_match_engines_up_to_pascal),
        cmocka_unit_test(classes_are_terminated_and_listed_once),
        cmocka_unit_test(every_unit_has_a_name),
        cmocka_unit_test(channel_counts_are_those_of_the_drivers),
        cmocka_unit_test(ranges_are_in_the_order_of_introduction),
        cmocka_unit_test(a_walk_gives_the_rows_of_the_chip_in_order_and_ends),
        cmocka_unit_test(a_chip_without_a_row_is_told_so),
        cmocka_unit_test(every_engine_has_the_row_of_its_unit),
        cmocka_unit_test(a_unit_has_one_row_on_a_chip),
        cmocka_unit_test(units_of_a_chip_share_neither_registers_nor_bits),
        cmocka_unit_test(volta_and_later_list_all_copy_engines),
        cmocka_unit_test(a_class_of_its_own_leads_to_its_unit),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
