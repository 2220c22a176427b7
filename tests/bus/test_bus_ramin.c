/* SPDX-License-Identifier: MIT */
/* NV1 to NV4x: where a host finds RAMIN and VRAM, and how much of it. */
#include "bus/fixture.h"
#include "bus/pram.h"

static struct machine machine;

static void init(const char *chip) {
    machine_init(&machine, chip, NULL);
}

static int teardown(void **opaque) {
    (void)opaque;
    machine_free(&machine);
    return 0;
}

static void assert_shows(uint32_t offset, uint32_t ramin) {
    uint32_t value = 0x5a000000 | offset;
    bus_wr32(&machine.bus, offset, value);
    if (memory_ramin_rd32(&machine.memory, ramin) != value)
        fail_msg("0x%06x is not RAMIN 0x%05x", offset, ramin);
    memory_ramin_wr32(&machine.memory, ramin, ~value);
    assert_int_equal(bus_rd32(&machine.bus, offset), ~value);
}

#define PRAMHT   0x640000
#define PRAMFC   0x648000
#define PRAMRO   0x650000
#define PRAMAU   0x604000
#define PRAMUNK2 0x606000

/* Written out of the documentation, area by area. */
static const struct layout {
    uint32_t config;
    uint32_t ht, ht_bytes, ro, ro_bytes, fc, fc_bytes, au, unk2;
} layouts[] = {
    {0, 0, 0x1000, 0x1000, 0x800, 0x1800, 0x800, 0x2000, 0x2c00},
    {1, 0, 0x2000, 0x2000, 0x1000, 0x3000, 0x1000, 0x4000, 0x4c00},
    {2, 0, 0x4000, 0x2000, 0x2000, 0x6000, 0x2000, 0x8000, 0x8c00},
    {3, 0, 0x8000, 0x8000, 0x4000, 0xc000, 0x4000, 0x10000, 0x10c00},
};

static void nv1_windows_show_the_areas_where_config_puts_them(void **opaque) {
    (void)opaque;
    init("NV1");
    for (size_t i = 0; i < COUNT_OF(layouts); i++) {
        const struct layout *l = &layouts[i];
        bus_wr32(&machine.bus, 0x602200, l->config);
        assert_shows(PRAMHT, l->ht);
        assert_shows(PRAMHT + l->ht_bytes - 4, l->ht + l->ht_bytes - 4);
        assert_shows(PRAMRO, l->ro);
        assert_shows(PRAMRO + l->ro_bytes - 4, l->ro + l->ro_bytes - 4);
        assert_shows(PRAMFC, l->fc);
        assert_shows(PRAMFC + l->fc_bytes - 4, l->fc + l->fc_bytes - 4);
        assert_shows(PRAMAU, l->au);
        assert_shows(PRAMUNK2, l->unk2);
        assert_shows(0x700000, 0);
        assert_shows(0x7ffffc, 0xffffc);
    }
}

static void nv1_windows_wrap_at_the_end_of_their_area(void **opaque) {
    (void)opaque;
    init("NV1");
    for (size_t i = 0; i < COUNT_OF(layouts); i++) {
        const struct layout *l = &layouts[i];
        bus_wr32(&machine.bus, 0x602200, l->config);
        if (l->ht_bytes < 0x8000)
            assert_shows(PRAMHT + l->ht_bytes + 8, l->ht + 8);
        if (l->ro_bytes < 0x4000)
            assert_shows(PRAMRO + l->ro_bytes + 8, l->ro + 8);
        if (l->fc_bytes < 0x4000)
            assert_shows(PRAMFC + l->fc_bytes + 8, l->fc + 8);
        assert_shows(PRAMHT + 0x7ffc, l->ht + l->ht_bytes - 4);
        assert_shows(PRAMUNK2 + 0x400, l->unk2);
        assert_shows(PRAMUNK2 + 0xffc, l->unk2 + 0x3fc);
        /* This one goes on into the next area instead. */
        assert_shows(PRAMAU + 0xbfc, l->au + 0xbfc);
        assert_shows(PRAMAU + 0xc00, l->unk2);
        assert_shows(PRAMAU + 0xffc, l->unk2 + 0x3fc);
    }
}

static void the_areas_are_the_same_for_pfifo(void **opaque) {
    (void)opaque;
    init("NV1");
    for (size_t i = 0; i < COUNT_OF(layouts); i++) {
        const struct layout *l = &layouts[i];
        bus_wr32(&machine.bus, 0x602200, l->config);
        struct pram_area ht = bus_pram_area(&machine.bus, PRAM_RAMHT), ro = bus_pram_area(&machine.bus, PRAM_RAMRO);
        struct pram_area fc = bus_pram_area(&machine.bus, PRAM_RAMFC);
        assert_int_equal(ht.start, l->ht);
        assert_int_equal(ht.bytes, l->ht_bytes);
        assert_int_equal(ro.start, l->ro);
        assert_int_equal(ro.bytes, l->ro_bytes);
        assert_int_equal(fc.start, l->fc);
        assert_int_equal(fc.bytes, l->fc_bytes);
    }
}

static void with_config_2_ramro_shows_in_ramht(void **opaque) {
    (void)opaque;
    init("NV1");
    bus_wr32(&machine.bus, 0x602200, 2);
    bus_wr32(&machine.bus, PRAMRO + 0x10, 0x1234);
    assert_int_equal(bus_rd32(&machine.bus, PRAMHT + 0x2010), 0x1234);
}

static void nv1_ramin_is_vram_backwards_in_dwords(void **opaque) {
    (void)opaque;
    init("NV1");
    bus_write(&machine.bus, 0x700000, "\x11\x22\x33\x44\x55", 5);
    assert_int_equal(peek(&machine, 0x3ffffc), 0x44332211);
    assert_int_equal(peek(&machine, 0x3ffff8), 0x00000055);
    assert_int_equal(peek(&machine, 0x400000 - 4 - 0x1234), bus_rd32(&machine.bus, 0x701234));
}

static void nv1_has_vram_in_bar0_and_no_other_bar(void **opaque) {
    (void)opaque;
    init("NV1");
    assert_int_equal(bus_bar_bytes(&machine.bus, 0), 0x2000000);
    assert_int_equal(bus_bar_bytes(&machine.bus, 1), 0);
    assert_int_equal(bus_bar_bytes(&machine.bus, 3), 0);
    bus_bar_write(&machine.bus, 0, 0x1012343, "\xaa\xbb", 2);
    assert_int_equal(peek(&machine, 0x12340), 0xaa000000);
    assert_int_equal(bus_rd32(&machine.bus, 0x1012344), 0xbb);
    bus_wr32(&machine.bus, 0x1400000, 1); /* beyond 4 MiB */
    assert_int_equal(bus_rd32(&machine.bus, 0x1400000), 0);
    assert_int_equal(peek(&machine, 0), 0);
}

static void nv3_has_ramin_in_bar1_and_not_in_bar0(void **opaque) {
    (void)opaque;
    static const char *const chips[] = {"NV3", "NV3T"};
    for (size_t i = 0; i < COUNT_OF(chips); i++) {
        init(chips[i]);
        uint64_t end = machine.chip->vram_bytes;
        assert_int_equal(bus_bar_bytes(&machine.bus, 1), 0x1000000);
        bar_wr32(&machine, 1, 0xc00010, 0x11111111);
        assert_int_equal(peek(&machine, end - 0x20), 0x11111111);
        bar_wr32(&machine, 1, 0xcffffc, 0x22222222);
        assert_int_equal(memory_ramin_rd32(&machine.memory, 0xffffc), 0x22222222);
        poke(&machine, end - 0x10 + 4, 0x33333333);
        assert_int_equal(bar_rd32(&machine, 1, 0xc00004), 0x33333333);
        bar_wr32(&machine, 1, 0x1000, 0x44444444);
        assert_int_equal(peek(&machine, 0x1000), 0x44444444);
        bus_wr32(&machine.bus, 0x700000, 0x55555555);
        assert_int_equal(bus_rd32(&machine.bus, 0x700000), 0);
        assert_int_equal(memory_ramin_rd32(&machine.memory, 0), 0);
        if (i + 1 < COUNT_OF(chips))
            machine_free(&machine);
    }
}

static void bar1_of_nv3_reads_0_beyond_vram_and_beyond_ramin(void **opaque) {
    (void)opaque;
    init("NV3");
    static const uint32_t empty[] = {0x400000, 0xbffffc, 0xd00000, 0xfffffc};
    for (size_t i = 0; i < COUNT_OF(empty); i++) {
        bar_wr32(&machine, 1, empty[i], 0xffffffff);
        assert_int_equal(bar_rd32(&machine, 1, empty[i]), 0);
    }
    assert_int_equal(memory_ramin_rd32(&machine.memory, 0), 0);
    /* Accesses across the borders. */
    bus_bar_write(&machine.bus, 1, 0xbffffe, "\1\2\3\4", 4);
    assert_int_equal(memory_ramin_rd32(&machine.memory, 0), 0x0403);
    assert_int_equal(bar_rd32(&machine, 1, 0xbffffe), 0x04030000);
    bus_bar_write(&machine.bus, 1, 0xcffffe, "\1\2\3\4", 4);
    assert_int_equal(memory_ramin_rd32(&machine.memory, 0xffffc), 0x02010000);
    assert_int_equal(bar_rd32(&machine, 1, 0xcffffe), 0x0201);
    /* And across chunks of RAMIN. */
    bus_bar_write(&machine.bus, 1, 0xc0000e, "\5\6\7\x08", 4);
    assert_int_equal(memory_ramin_rd32(&machine.memory, 0xc), 0x06050000);
    assert_int_equal(memory_ramin_rd32(&machine.memory, 0x10), 0x0807);
}

static void from_nv4_on_ramin_is_pramin(void **opaque) {
    (void)opaque;
    static const char *const chips[] = {"NV4", "NV5", "NV10", "NV1A", "NV20", "NV34", "NV40", "C51"};
    for (size_t i = 0; i < COUNT_OF(chips); i++) {
        init(chips[i]);
        assert_shows(0x700000, 0);
        assert_shows(0x712344, 0x12344);
        assert_shows(0x7ffffc, 0xffffc);
        assert_int_equal(bus_rd32(&machine.bus, 0x640000), 0);
        if (i + 1 < COUNT_OF(chips))
            machine_free(&machine);
    }
}

static void the_amount_of_vram_is_where_the_chip_has_it(void **opaque) {
    (void)opaque;
    static const struct {
        const char *chip;
        uint32_t megabytes, offset, value;
    } cases[] = {
        {"NV1", 1, 0x600000, 0},   {"NV1", 2, 0x600000, 1},           {"NV1", 4, 0x600000, 2},
        {"NV3", 1, 0x100000, 0},   {"NV3", 2, 0x100000, 1},           {"NV3", 4, 0x100000, 2},
        {"NV3T", 8, 0x100000, 0},  {"NV3T", 2, 0x100000, 1},          {"NV3T", 4, 0x100000, 2},
        {"NV4", 32, 0x100000, 0},  {"NV4", 4, 0x100000, 1},           {"NV5", 8, 0x100000, 2},
        {"NV5", 16, 0x100000, 3},  {"NV4", 16, 0x10020c, 0},          {"NV10", 32, 0x10020c, 0x2000000},
        {"NV10", 32, 0x100000, 0}, {"NV44", 64, 0x10020c, 0x4000000},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        init(cases[i].chip);
        machine.memory.config.vram_bytes = (uint64_t)cases[i].megabytes << 20;
        uint32_t value = bus_rd32(&machine.bus, cases[i].offset);
        machine.memory.config.vram_bytes = machine.chip->vram_bytes;
        if (value != cases[i].value)
            fail_msg("%s with %u MiB: 0x%x instead of 0x%x", cases[i].chip, cases[i].megabytes, value, cases[i].value);
        if (i + 1 < COUNT_OF(cases))
            machine_free(&machine);
    }
}

#define TEST(name) cmocka_unit_test_teardown(name, teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(nv1_windows_show_the_areas_where_config_puts_them),
        TEST(nv1_windows_wrap_at_the_end_of_their_area),
        TEST(the_areas_are_the_same_for_pfifo),
        TEST(with_config_2_ramro_shows_in_ramht),
        TEST(nv1_ramin_is_vram_backwards_in_dwords),
        TEST(nv1_has_vram_in_bar0_and_no_other_bar),
        TEST(nv3_has_ramin_in_bar1_and_not_in_bar0),
        TEST(bar1_of_nv3_reads_0_beyond_vram_and_beyond_ramin),
        TEST(from_nv4_on_ramin_is_pramin),
        TEST(the_amount_of_vram_is_where_the_chip_has_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
