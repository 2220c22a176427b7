/* SPDX-License-Identifier: MIT */
/* When clears of Tesla and later do something, and how they say so. What they do: test_engine_clear_random.c. */
#include "check.h"

#define TARGET 0x4000u
#define WIDTH  64u
#define HEIGHT 16u
#define CLEAR  0x19d0u
#define ALL    0x3cu

/* A colour target of 64 x 16 words on Fermi, pitch 256, in an open clip. */
static unsigned start_fermi(struct engine_rig *rig, const char *chip, uint32_t object_class) {
    unsigned id = start(rig, chip, CHIP_UNIT_PGRAPH, object_class);
    send(rig, id, 0, 0x800, 0, TARGET, WIDTH * 4, HEIGHT, 0xd5, 0x1000, 1, 0, 0);
    send(rig, id, 0, 0xff4, 0xffff0000, 0xffff0000);
    send(rig, id, 0, 0x10f8, 0);
    send(rig, id, 0, 0xd80, 0x3f800000, 0, 0, 0x3f800000);
    return id;
}

static void assert_cleared(struct engine_rig *rig, bool cleared) {
    assert_int_equal(engine_rig_rd32(rig, TARGET), cleared ? 0xff0000ff : 0);
    assert_int_equal(engine_rig_rd32(rig, TARGET + WIDTH * HEIGHT * 4 - 4), cleared ? 0xff0000ff : 0);
    engine_rig_wr32(rig, TARGET, 0);
    engine_rig_wr32(rig, TARGET + WIDTH * HEIGHT * 4 - 4, 0);
}

static void a_clear_says_once_what_it_has_done(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start_fermi(&rig, "GF100", 0x9097);
    send(&rig, id, 0, CLEAR, ALL);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_DONE), 1);
    assert_event(&rig, EVENT_ENGINE_DONE, 0, "clear", 0x9097, CLEAR);
    assert_int_equal(engine_rig_event(&rig, EVENT_ENGINE_DONE, 0)->value[2], TARGET);
    assert_int_equal(engine_rig_event(&rig, EVENT_ENGINE_DONE, 0)->value[3], WIDTH * HEIGHT * 4);
    assert_cleared(&rig, true);
    engine_rig_stop(&rig);
}

static void a_clear_is_alone_in_its_run(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start_fermi(&rig, "GF100", 0x9097);
    const uint32_t clears[] = {ALL, ALL};
    assert_int_equal(engine_rig_offer(&rig, id, 0, CLEAR, 0, clears, 2), 1);
    assert_int_equal(engine_rig_offer(&rig, id, 0, CLEAR - 4, 4, clears, 2), 1);
    engine_rig_stop(&rig);
}

static void a_target_without_format_or_layer_is_not_cleared(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start_fermi(&rig, "GM20B", 0xb197);
    send(&rig, id, 0, CLEAR, ALL | 1 << 10); /* one layer */
    assert_cleared(&rig, false);
    send(&rig, id, 0, CLEAR, ALL | 8 << 6); /* eight targets */
    assert_cleared(&rig, false);
    send(&rig, id, 0, 0x810, 0);
    send(&rig, id, 0, CLEAR, ALL);
    assert_cleared(&rig, false);
    assert_int_equal(rig.events, 0);
    engine_rig_stop(&rig);
}

static void color_and_depth_are_cleared_by_one_method(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start_fermi(&rig, "GK104", 0xa097);
    send(&rig, id, 0, 0xfe0, 0, 0x8000, 0x13, 0, 0);
    send(&rig, id, 0, 0x1228, 32, 8, 0x10001);
    send(&rig, id, 0, 0xd90, 0x3f800000);
    send(&rig, id, 0, 0x1538, 0);
    send(&rig, id, 0, CLEAR, ALL | 1);
    assert_int_equal(engine_rig_rd32(&rig, 0x8000), 0);
    send(&rig, id, 0, 0x1538, 1);
    send(&rig, id, 0, CLEAR, ALL | 3);
    assert_int_equal(engine_rig_rd32(&rig, 0x8000), 0xffffffff);
    assert_int_equal(engine_rig_rd32(&rig, 0x8000 + 508), 0xffffffff);
    assert_int_equal(engine_rig_rd32(&rig, 0x8000 + 512), 0);
    assert_int_equal(engine_rig_event(&rig, EVENT_ENGINE_DONE, 1)->value[3], WIDTH * HEIGHT * 4 + 32 * 8 * 2);
    assert_cleared(&rig, true);
    engine_rig_stop(&rig);
}

/* The bounds of a new context leave nothing, as nouveau's do: the screen's size is not known yet. */
static void nothing_is_cleared_before_the_surface_clip_is_set(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "GF100", CHIP_UNIT_PGRAPH, 0x9097);
    send(&rig, id, 0, 0x800, 0, TARGET);
    send(&rig, id, 0, CLEAR, ALL);
    assert_int_equal(rig.events, 0);
    engine_rig_stop(&rig);
}

static void the_test_of_clip_ids_is_not_executed(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start_fermi(&rig, "GF100", 0x9097);
    send(&rig, id, 0, 0x197c, 1);
    send(&rig, id, 0, CLEAR, ALL);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_NOT_EXECUTED), 1);
    assert_cleared(&rig, false);
    engine_rig_stop(&rig);
}

/* ---- conditions ---- */

static void both_conditions_must_allow_a_clear(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start_fermi(&rig, "GF100", 0x9097);
    for (uint32_t own = 0; own < 2; own++) {
        for (uint32_t global = 0; global < 2; global++) {
            send(&rig, id, 0, 0x1558, own);
            send(&rig, id, 0, 0x138, global);
            send(&rig, id, 0, CLEAR, ALL);
            assert_cleared(&rig, own && global);
        }
    }
    engine_rig_stop(&rig);
}

static void an_override_stands_above_the_condition(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start_fermi(&rig, "GF100", 0x9097);
    send(&rig, id, 0, 0x1558, 0);
    send(&rig, id, 0, 0x1944, 1);
    send(&rig, id, 0, CLEAR, ALL);
    assert_cleared(&rig, true);
    send(&rig, id, 0, 0x1558, 1);
    send(&rig, id, 0, 0x1944, 2);
    send(&rig, id, 0, CLEAR, ALL);
    assert_cleared(&rig, false);
    engine_rig_stop(&rig);
}

/* NVK says it to the compute class, and draws. What is bound later sees it, too; the override of a class does not mind. */
static void the_global_condition_is_that_of_all_classes(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start_fermi(&rig, "GM107", 0xb097);
    assert_true(engine_rig_bind(&rig, id, 1, 0xb0c0));
    for (uint32_t override = 0; override < 2; override++) {
        send(&rig, id, 1, 0x138, 0);
        send(&rig, id, 0, 0x1944, override);
        send(&rig, id, 0, CLEAR, ALL);
        assert_cleared(&rig, override);
        send(&rig, id, 0, 0x138, 1);
        send(&rig, id, 0, CLEAR, ALL);
        assert_cleared(&rig, true);
    }
    engine_rig_stop(&rig);
}

static void a_condition_without_memory_clears_nothing(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start_fermi(&rig, "GF100", 0x9097);
    send(&rig, id, 0, 0x1550, 1, 0, 4);
    send(&rig, id, 0, CLEAR, ALL);
    assert_int_equal(rig.faults, 1);
    assert_cleared(&rig, false);
    engine_rig_stop(&rig);
}

static void tesla_looks_at_its_condition_through_the_query_object(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "GT215", CHIP_UNIT_PGRAPH, 0x8597);
    send(&rig, id, 0, 0x1c0, 2);
    send(&rig, id, 0, 0x188, 3);
    send(&rig, id, 0, 0x200, 0, 0, 0xd5, 0, 0);
    send(&rig, id, 0, 0x1240, 1u << 31 | 256, 1);
    send(&rig, id, 0, 0x1224, 1);
    send(&rig, id, 0, 0xff4, 64 << 16, 64 << 16);
    send(&rig, id, 0, 0xd80, 0x3f800000);
    send(&rig, id, 0, 0x1550, 0, 0x100, 3);
    engine_rig_wr32(&rig, 0x30100, 1);
    send(&rig, id, 0, CLEAR, ALL);
    assert_int_equal(engine_rig_rd32(&rig, 0x20000), 0);
    engine_rig_wr32(&rig, 0x30110, 1);
    send(&rig, id, 0, CLEAR, ALL);
    assert_int_equal(engine_rig_rd32(&rig, 0x20000), 0xff);
    engine_rig_stop(&rig);
}

/* ---- slices and faults ---- */

static void a_fault_ends_a_clear(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start_fermi(&rig, "GF100", 0x9097);
    send(&rig, id, 0, 0x800, 0, ENGINE_RIG_LIMIT - WIDTH * 4 * 2);
    send(&rig, id, 0, CLEAR, ALL);
    assert_int_equal(rig.faults, 1);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_FAULT), 1);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_DONE), 0);
    assert_int_equal(engine_rig_rd32(&rig, ENGINE_RIG_LIMIT - 4), 0xff0000ff);
    send(&rig, id, 0, 0x804, TARGET);
    send(&rig, id, 0, CLEAR, ALL);
    assert_cleared(&rig, true);
    engine_rig_stop(&rig);
}

/* Lines on top of each other, on a chip that lets them: 64 KiB of 16384 words, 40 times. */
static unsigned start_stacked(struct engine_rig *rig) {
    unsigned id = start(rig, "NV40", CHIP_UNIT_PGRAPH, 0x4097);
    send(rig, id, 0, 0x194, 2);
    send(rig, id, 0, 0x1a8, 2);
    send(rig, id, 0, 0x200, 16384 << 16, 40 << 16, 0x148, 0, 0);
    send(rig, id, 0, 0x220, 1);
    send(rig, id, 0, 0x8c0, 0x7fff0000, 0x7fff0000);
    return id;
}

static void a_large_clear_takes_slices_and_says_once_that_it_is_done(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start_stacked(&rig), calls = 1;
    const uint32_t data = 0xf0;
    send(&rig, id, 0, 0x1d90, 0x12345678);
    while (engine_rig_offer(&rig, id, 0, 0x1d94, 4, &data, 1) == 0)
        calls++;
    assert_int_equal(calls, 3); /* 16 lines are 1 MiB */
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_DONE), 1);
    assert_int_equal(engine_rig_event(&rig, EVENT_ENGINE_DONE, 0)->value[3], 40 * 65536);
    assert_int_equal(engine_rig_rd32(&rig, 0x2fffc), 0x12345678);
    engine_rig_stop(&rig);
}

/* A clear over its own condition is decided before it begins: the count becomes 0 in the first slice. */
static void a_condition_is_looked_at_before_the_first_slice(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start_stacked(&rig);
    const uint32_t data = 0xf0;
    engine_rig_wr32(&rig, 0x20008, 1);
    send(&rig, id, 0, 0x1e98, 0x02000000);
    assert_int_equal(engine_rig_offer(&rig, id, 0, 0x1d94, 4, &data, 1), 0);
    assert_int_equal(engine_rig_rd32(&rig, 0x20008), 0);
    assert_int_equal(engine_rig_offer(&rig, id, 0, 0x1d94, 4, &data, 1), 0);
    assert_int_equal(engine_rig_offer(&rig, id, 0, 0x1d94, 4, &data, 1), 1);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_DONE), 1);
    assert_int_equal(engine_rig_offer(&rig, id, 0, 0x1d94, 4, &data, 1), 1); /* now it forbids */
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_DONE), 1);
    engine_rig_stop(&rig);
}

/* The same of Tesla and later: a window leaves one pixel of a large target, the word that the condition looks at. */
static void assert_decided_once(struct engine_rig *rig, unsigned id, uint64_t record) {
    const uint32_t data = ALL;
    unsigned calls = 1;
    send(rig, id, 0, 0xff4, 0xffff0000, 0xffff0000);
    send(rig, id, 0, 0xd00, 1 << 16, 1 << 16, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    send(rig, id, 0, 0x194c, 1, 0);
    engine_rig_wr32(rig, record + 4, 1);
    while (engine_rig_offer(rig, id, 0, CLEAR, 4, &data, 1) == 0)
        calls++;
    assert_int_equal(calls, 3);
    assert_int_equal(engine_rig_rd32(rig, record + 4), 0);
    assert_int_equal(engine_rig_count(rig, EVENT_ENGINE_DONE), 1);
    send(rig, id, 0, CLEAR, ALL);
    assert_int_equal(engine_rig_count(rig, EVENT_ENGINE_DONE), 1);
}

static void conditions_of_later_chips_are_looked_at_once_too(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start_fermi(&rig, "GF100", 0x9097);
    send(&rig, id, 0, 0xd80, 0, 0, 0, 0);
    send(&rig, id, 0, 0x804, TARGET + 4, 65536, 40);
    send(&rig, id, 0, 0x1550, 0, TARGET, 2);
    assert_decided_once(&rig, id, TARGET);
    engine_rig_stop(&rig);
    id = start(&rig, "G80", CHIP_UNIT_PGRAPH, 0x5097);
    send(&rig, id, 0, 0x188, 1);
    send(&rig, id, 0, 0x1c0, 1);
    send(&rig, id, 0, 0x200, 0, TARGET + 4, 0xd5, 0, 0);
    send(&rig, id, 0, 0x1240, 1u << 31 | 65536, 40);
    send(&rig, id, 0, 0x1224, 1);
    send(&rig, id, 0, 0x143c, 0);
    send(&rig, id, 0, 0x1550, 0, TARGET, 2);
    assert_decided_once(&rig, id, 0x10000 + TARGET);
    engine_rig_stop(&rig);
}

static void layers_of_tesla_have_11_bits(void **state) {
    (void)state;
    static const uint32_t layers[] = {1, 0x40, 0x7ff};
    struct engine_rig rig;
    unsigned id = start(&rig, "G80", CHIP_UNIT_PGRAPH, 0x5097);
    send(&rig, id, 0, 0x1c0, 1);
    send(&rig, id, 0, 0x200, 0, TARGET, 0xd5, 0, 1);
    send(&rig, id, 0, 0x1240, 1u << 31 | 4, 1);
    send(&rig, id, 0, 0x1224, 0x800);
    send(&rig, id, 0, 0xff4, 0xffff0000, 0xffff0000);
    send(&rig, id, 0, 0xd80, 0x3f800000, 0, 0, 0x3f800000);
    for (size_t i = 0; i < sizeof layers / sizeof layers[0]; i++) {
        send(&rig, id, 0, CLEAR, ALL | layers[i] << 10);
        assert_int_equal(engine_rig_rd32(&rig, 0x10000 + TARGET + layers[i] * 4), 0xff0000ff);
    }
    assert_int_equal(engine_rig_rd32(&rig, 0x10000 + TARGET), 0);
    engine_rig_stop(&rig);
}

/* Where the colours end, depth begins, in whatever slice: 16 lines are one. */
static void slices_go_on_from_one_target_to_the_next(void **state) {
    (void)state;
    static const uint32_t depth = 0x55555555;
    struct engine_rig rig;
    unsigned id = start_stacked(&rig), calls = 1;
    const uint32_t data = 0xf3;
    send(&rig, id, 0, 0x198, 3);
    send(&rig, id, 0, 0x22c, 256);
    send(&rig, id, 0, 0x200, 8192 << 16, 40 << 16);
    send(&rig, id, 0, 0x1d8c, depth, 0x12345678);
    for (uint32_t y = 0; y < 40; y++)
        engine_rig_wr32(&rig, 0x30000 + y * 256, 0);
    while (engine_rig_offer(&rig, id, 0, 0x1d94, 4, &data, 1) == 0)
        calls++;
    assert_int_equal(calls, 3); /* 80 lines of 32 KiB */
    assert_int_equal(engine_rig_event(&rig, EVENT_ENGINE_DONE, 0)->value[3], 80 * 32768);
    assert_int_equal(engine_rig_rd32(&rig, 0x27ffc), 0x12345678);
    assert_int_equal(engine_rig_rd32(&rig, 0x28000), 0);
    for (uint32_t y = 0; y < 40; y++)
        assert_int_equal(engine_rig_rd32(&rig, 0x30000 + y * 256), depth);
    assert_int_equal(engine_rig_rd32(&rig, 0x30000 + 39 * 256 + 32764), depth);
    assert_int_equal(engine_rig_rd32(&rig, 0x30000 + 39 * 256 + 32768), 0);
    engine_rig_stop(&rig);
}

/* The next clear begins at its first line, wherever the one before it has stopped. */
static void a_fault_in_a_later_slice_leaves_nothing_behind(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start_stacked(&rig);
    const uint32_t data = 0xf1;
    send(&rig, id, 0, 0x198, 0); /* depth is nowhere */
    assert_int_equal(engine_rig_offer(&rig, id, 0, 0x1d94, 4, &data, 1), 0);
    assert_int_equal(engine_rig_offer(&rig, id, 0, 0x1d94, 4, &data, 1), 0);
    assert_int_equal(engine_rig_offer(&rig, id, 0, 0x1d94, 4, &data, 1), 1);
    assert_int_equal(rig.faults, 1);
    /* only the very same method would go on */
    assert_int_equal(engine_rig_offer(&rig, id, 0, 0x1d94, 4, &data, 1), 0);
    assert_int_equal(engine_rig_offer(&rig, id, 0, 0x1d94, 4, &data, 1), 0);
    assert_int_equal(engine_rig_offer(&rig, id, 0, 0x1d94, 4, &data, 1), 1);
    assert_int_equal(rig.faults, 2);
    engine_rig_stop(&rig);
}

/* Of a surface of slices, where the block of the slice is. */
static void a_clear_says_where_its_layer_is(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start_fermi(&rig, "GF100", 0x9097);
    send(&rig, id, 0, 0x808, 16, 8, 0xd5, 0x10000, 4, 0, 0); /* 1 x 1 x 1 blocks of 16 x 8 words */
    send(&rig, id, 0, CLEAR, ALL | 3 << 10);
    assert_int_equal(engine_rig_event(&rig, EVENT_ENGINE_DONE, 0)->value[2], TARGET + 3 * 512);
    assert_int_equal(engine_rig_rd32(&rig, TARGET + 3 * 512 - 4), 0);
    assert_int_equal(engine_rig_rd32(&rig, TARGET + 3 * 512), 0xff0000ff);
    assert_int_equal(engine_rig_rd32(&rig, TARGET + 4 * 512 - 4), 0xff0000ff);
    engine_rig_stop(&rig);
}

/* Layers of a target in lines are one stride apart, also where the third dimension is depth; 16 bits of layer. */
static void layers_of_lines_are_a_stride_apart(void **state) {
    (void)state;
    static const uint32_t layers[] = {0, 1, 0x7ff, 0x800, 0xffff};
    for (uint32_t memory = 0x1000; memory <= 0x11000; memory += 0x10000) {
        struct engine_rig rig;
        unsigned id = start_fermi(&rig, "GF100", 0x9097);
        send(&rig, id, 0, 0x808, 4, 1, 0xd5, memory, 0x10000, 1, 0);
        for (size_t i = 0; i < sizeof layers / sizeof layers[0]; i++) {
            send(&rig, id, 0, CLEAR, ALL | layers[i] << 10);
            assert_int_equal(engine_rig_rd32(&rig, TARGET + layers[i] * 4), 0xff0000ff);
            assert_int_equal(engine_rig_rd32(&rig, TARGET + layers[i] * 4 + 4), 0);
            engine_rig_wr32(&rig, TARGET + layers[i] * 4, 0);
        }
        engine_rig_stop(&rig);
    }
}

/* Two blocks of 16 x 8 words side by side, each of eight slices. That one slice is bound does not make them thinner. */
static void slices_of_a_volume_lie_in_its_blocks(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start_fermi(&rig, "GF100", 0x9097);
    for (uint32_t slice = 0; slice < 3; slice++) {
        uint32_t place = TARGET + slice * 512;
        send(&rig, id, 0, 0x808, 32, 8, 0xd5, 0x10300, slice + 1, 0, slice);
        send(&rig, id, 0, CLEAR, ALL);
        assert_int_equal(engine_rig_rd32(&rig, place), 0xff0000ff);
        assert_int_equal(engine_rig_rd32(&rig, place + 8 * 512), 0xff0000ff);
        assert_int_equal(engine_rig_rd32(&rig, place + 512), 0);
        assert_int_equal(engine_rig_rd32(&rig, place + 9 * 512), 0);
    }
    engine_rig_stop(&rig);
}

/* SET_ZT_SIZE_C [16]: one layer, whatever its number says. SET_ZT_FORMAT has five bits. */
static void depth_of_one_layer_has_no_second(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start_fermi(&rig, "GF100", 0x9097);
    send(&rig, id, 0, 0xfe0, 0, TARGET, 0xffffffe0 | 0x0a, 0, 128);
    send(&rig, id, 0, 0x1538, 1);
    send(&rig, id, 0, 0xd90, 0x3f800000);
    send(&rig, id, 0, 0x1228, 16, 8, 1 << 16 | 2);
    send(&rig, id, 0, CLEAR, 1 | 1 << 10);
    assert_int_equal(engine_rig_rd32(&rig, TARGET + 512), 0);
    send(&rig, id, 0, CLEAR, 1);
    assert_int_equal(engine_rig_rd32(&rig, TARGET), 0x3f800000);
    send(&rig, id, 0, 0x1230, 2);
    send(&rig, id, 0, CLEAR, 1 | 1 << 10);
    assert_int_equal(engine_rig_rd32(&rig, TARGET + 512), 0x3f800000);
    engine_rig_stop(&rig);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_clear_says_once_what_it_has_done),
        cmocka_unit_test(a_clear_is_alone_in_its_run),
        cmocka_unit_test(a_target_without_format_or_layer_is_not_cleared),
        cmocka_unit_test(color_and_depth_are_cleared_by_one_method),
        cmocka_unit_test(nothing_is_cleared_before_the_surface_clip_is_set),
        cmocka_unit_test(the_test_of_clip_ids_is_not_executed),
        cmocka_unit_test(both_conditions_must_allow_a_clear),
        cmocka_unit_test(an_override_stands_above_the_condition),
        cmocka_unit_test(the_global_condition_is_that_of_all_classes),
        cmocka_unit_test(a_condition_without_memory_clears_nothing),
        cmocka_unit_test(tesla_looks_at_its_condition_through_the_query_object),
        cmocka_unit_test(a_large_clear_takes_slices_and_says_once_that_it_is_done),
        cmocka_unit_test(a_fault_ends_a_clear),
        cmocka_unit_test(a_condition_is_looked_at_before_the_first_slice),
        cmocka_unit_test(conditions_of_later_chips_are_looked_at_once_too),
        cmocka_unit_test(layers_of_tesla_have_11_bits),
        cmocka_unit_test(slices_go_on_from_one_target_to_the_next),
        cmocka_unit_test(a_fault_in_a_later_slice_leaves_nothing_behind),
        cmocka_unit_test(a_clear_says_where_its_layer_is),
        cmocka_unit_test(layers_of_lines_are_a_stride_apart),
        cmocka_unit_test(slices_of_a_volume_lie_in_its_blocks),
        cmocka_unit_test(depth_of_one_layer_has_no_second),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
