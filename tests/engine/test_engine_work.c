/* SPDX-License-Identifier: MIT */
/*
 * What the work of engines costs, in units of the budget: a unit for 128 bytes that are copied or filled, and more for
 * what takes longer.
 */
#include "engine/check.h"
#include "engine/macro_gf100.h"
#include "engine/nv4_scene.h"
#include "engine/core/work.h"
#include "fifo/ops.h"

#define UNIT  WORK_UNIT_BYTES
#define START (WORK_START_BYTES / WORK_UNIT_BYTES)
#define SLICE (WORK_SLICE_BYTES / WORK_UNIT_BYTES)
#define MOST  (WORK_MOST_BYTES / WORK_UNIT_BYTES + START)

/* Offer one method until it is taken. Returns what it has cost; no offer costs more than the largest slice. */
static uint64_t cost(struct engine_rig *rig, unsigned id, uint32_t method, uint32_t data) {
    uint64_t units = 0, before;
    uint32_t taken;
    do {
        before = units;
        taken = engine_rig_offer(rig, id, 0, method, 4, &data, 1);
        units += fifo_take_worked(&rig->fifo);
        assert_in_range(units - before, taken ? 0 : 1, MOST);
    } while (!taken);
    return units;
}

static unsigned open_copy(struct engine_rig *rig) {
    unsigned id = start(rig, "GM107", CHIP_UNIT_PCOPY2, 0xb0b5);
    send(rig, id, 0, 0x400, 0, 0x10000, 0, 0x20000, 0x1000, 0x1000);
    fifo_take_worked(&rig->fifo);
    return id;
}

static void a_copy_costs_a_unit_for_128_bytes(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = open_copy(&rig);
    send(&rig, id, 0, 0x418, 0x10000, 1);
    assert_int_equal(cost(&rig, id, 0x300, 0x182), 0x10000 / UNIT + START);
    send(&rig, id, 0, 0x418, 1, 1);
    assert_in_range(cost(&rig, id, 0x300, 0x182), 1, 2 * START);
    send(&rig, id, 0, 0x418, 0, 1);
    assert_in_range(cost(&rig, id, 0x300, 0x182), 1, START);
    engine_rig_stop(&rig);
}

/* Lines of a byte, and components that change their places: as many bytes, but not as fast. */
static void slow_ways_of_copying_cost_more(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = open_copy(&rig);
    send(&rig, id, 0, 0x418, 1, 16);
    assert_in_range(cost(&rig, id, 0x300, 0x382), START + 16 * 4, START + 16 * 16);
    send(&rig, id, 0, 0x410, 1, 1); /* lines that follow each other are one */
    assert_int_equal(cost(&rig, id, 0x300, 0x382), 1 + START);
    send(&rig, id, 0, 0x418, 0x4000, 1);
    send(&rig, id, 0, 0x708, 0x03303012);
    assert_in_range(cost(&rig, id, 0x300, 0x582), 8 * 0x10000 / UNIT, 16 * 0x10000 / UNIT + START);
    engine_rig_stop(&rig);
}

/* Blocks that overlap with their source go byte after byte, and that is known only afterwards. */
static void a_copy_within_blocks_costs_more_where_it_overlaps(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = open_copy(&rig);
    for (unsigned side = 0; side < 2; side++)
        send(&rig, id, 0, side ? 0x728 : 0x70c, 0x1000, 1024, 64, 1, 0, 0);
    send(&rig, id, 0, 0x418, 1024, 64);
    assert_int_equal(cost(&rig, id, 0x300, 0x202), 0x10000 / UNIT + START);
    send(&rig, id, 0, 0x404, 0x20200);
    assert_in_range(cost(&rig, id, 0x300, 0x202), 4 * 0x10000 / UNIT, 16 * 0x10000 / UNIT);
    engine_rig_stop(&rig);
}

/* It is done in slices, of which each is paid for. */
static void a_long_launch_pays_for_each_slice(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = open_copy(&rig);
    send(&rig, id, 0, 0x410, 4, 4, 1, 10000);
    assert_in_range(cost(&rig, id, 0x300, 0x382), 10000 * 1024 / UNIT + 9 * START, 10000 * 1024 / UNIT + 11 * START);
    engine_rig_stop(&rig);
}

static void a_fault_costs_a_slice(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = open_copy(&rig);
    send(&rig, id, 0, 0x40c, ENGINE_RIG_LIMIT);
    send(&rig, id, 0, 0x418, 4, 1);
    assert_int_equal(cost(&rig, id, 0x300, 0x182), SLICE);
    assert_int_equal(rig.faults, 1);
    engine_rig_stop(&rig);
}

/* The clock goes on before the semaphore is written that says that the copy is done. */
static void the_time_of_a_release_is_after_the_work(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = open_copy(&rig);
    rig.bus.clock.now = NULL;
    send(&rig, id, 0, 0x240, 0, 0x4000, 42);
    send(&rig, id, 0, 0x418, 0x10000, 1);
    send(&rig, id, 0, 0x300, 0x192); /* a semaphore of four words */
    assert_int_equal(engine_rig_rd32(&rig, 0x4000), 42);
    assert_int_equal(engine_rig_rd64(&rig, 0x4008), (0x10000 / UNIT + START) * 16);
    engine_rig_stop(&rig);
}

static void m2mf_pays_for_bytes_and_increments(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "NV40", CHIP_UNIT_PGRAPH, 0x39);
    send(&rig, id, 0, 0x180, 3, 1, 2);
    send(&rig, id, 0, 0x30c, 0, 0, 512, 512, 256, 16, 0x101);
    assert_int_equal(cost(&rig, id, 0x328, 0), 16 * 256 * 4 / UNIT + START + 4); /* short lines; a notifier */
    send(&rig, id, 0, 0x31c, 64);
    send(&rig, id, 0, 0x324, 0x202);
    assert_in_range(cost(&rig, id, 0x328, 0), 16 * 64 * 4, 16 * 64 * 16); /* each byte by itself */
    engine_rig_stop(&rig);
}

static void a_clear_pays_for_bytes_and_lines(void **state) {
    (void)state;
    static const uint32_t targets[] = {0x148, 0x248 | 6u << 16 | 6u << 24}; /* linear, swizzled: 64 x 64 */
    for (unsigned i = 0; i < 2; i++) {
        struct engine_rig rig;
        unsigned id = start(&rig, "NV40", CHIP_UNIT_PGRAPH, 0x4097);
        send(&rig, id, 0, 0x194, 1);
        send(&rig, id, 0, 0x200, 64u << 16, 64u << 16, targets[i], 256, 0);
        send(&rig, id, 0, 0x220, 1);
        send(&rig, id, 0, 0x8c0, 64u << 16, 64u << 16);
        send(&rig, id, 0, 0x1d98, 64u << 16, 64u << 16);
        assert_int_equal(cost(&rig, id, 0x1d94, 0xf0), 64 * (256 + 96) / UNIT + START);
        send(&rig, id, 0, 0x1d98, 1u << 16, 64u << 16); /* a column: the lines are what costs */
        assert_in_range(cost(&rig, id, 0x1d94, 0xf0), 64 * 96 / UNIT, 64 + 2 * START);
        engine_rig_stop(&rig);
    }
}

/* Its pixels are all over the memory of the surface, each by itself. */
static void a_line_of_a_swizzled_surface_costs_more_than_its_bytes(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "NV40", CHIP_UNIT_PGRAPH, 0x4097);
    send(&rig, id, 0, 0x194, 1);
    send(&rig, id, 0, 0x200, 64u << 16, 64u << 16, 0x248 | 6u << 16 | 6u << 24, 256, 0);
    send(&rig, id, 0, 0x220, 1);
    send(&rig, id, 0, 0x8c0, 64u << 16, 64u << 16);
    send(&rig, id, 0, 0x1d98, 64u << 16, 1u << 16);
    assert_in_range(cost(&rig, id, 0x1d94, 0xf0), START + 256 * 4 / UNIT, START + 256 * 16 / UNIT + 1);
    engine_rig_stop(&rig);
}

/* Words have been paid for when they came; what they make work for has not. */
static void inline_data_pay_for_short_lines(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "GK104", CHIP_UNIT_PGRAPH, 0xa040);
    send(&rig, id, 0, 0x180, 8, 1, 0, 0x1000, 8);
    send(&rig, id, 0, 0x1b0, 1);
    fifo_take_worked(&rig.fifo);
    send(&rig, id, 0, 0x1b4, 1);
    assert_in_range(cost(&rig, id, 0x1b4, 2), 0, 2 * 768 / UNIT);
    send(&rig, id, 0, 0x180, 1, 8);
    send(&rig, id, 0, 0x1b0, 1);
    fifo_take_worked(&rig.fifo);
    send(&rig, id, 0, 0x1b4, 1);
    assert_in_range(cost(&rig, id, 0x1b4, 2), 8 * 4, 8 * 16);
    engine_rig_stop(&rig);
}

static void a_cipher_pays_for_its_blocks(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "G84", CHIP_UNIT_PCIPHER, 0x74c1);
    send(&rig, id, 0, 0x180, 2, 3, 4);
    send(&rig, id, 0, 0x304, 0x1000, 0, 0, 0, 0);
    assert_in_range(cost(&rig, id, 0x318, 0), 0x1000 / 16 * 2, 0x1000 / 16 * 8);
    engine_rig_stop(&rig);
}

/* Draw a rectangle of 16 by 8 with an operation: a fill, and one that reads what is there. */
static uint64_t rectangle(struct scene *scene, uint32_t operation) {
    uint32_t data = 16u << 16 | 8;
    scene_object(scene, 0x4a, 0x198, 0x2fc, operation);
    scene_send(scene, 0x188, 0x44, 0x43);
    scene_send(scene, 0x300, 3);
    scene_send(scene, 0x3fc, 7, 0);
    fifo_take_worked(&scene->rig.fifo);
    return cost(&scene->rig, scene->id, 0x404, data);
}

static void drawings_pay_for_rows_pixels_and_operations(void **state) {
    (void)state;
    struct scene scene;
    scene_start(&scene, "NV40", 10, 256);
    scene_set(&scene, 0x43, 0x300, 0x66);
    scene_set(&scene, 0x44, 0x300, 3, 2, 0, 1, UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX);
    uint64_t plain = rectangle(&scene, SRCCOPY), reading = rectangle(&scene, ROP_AND);
    assert_in_range(plain, START + 8, START + 100);
    assert_in_range(reading, plain + 16 * 4, plain + 16 * 8 * 4);
    scene_object(&scene, 0x5c, 0x198, 0x2fc, SRCCOPY);
    scene_send(&scene, 0x300, 3, 7);
    scene_send(&scene, 0x400, 0);
    fifo_take_worked(&scene.rig.fifo);
    assert_in_range(cost(&scene.rig, scene.id, 0x404, 60u << 16 | 20), 60 * 4, 60 * 32); /* a steep line */
    assert_int_equal(scene.rig.interrupts, 0);
    scene_stop(&scene);
}

/* 64 by 16 pixels of a surface with 4096 by 16: equal formats, others, and blended ones. */
static uint64_t blit(struct engine_rig *rig, unsigned id, uint32_t format, uint32_t operation) {
    send(rig, id, 0, 0x200, 0xcf, 1, 0, 1, 0, 0x4000, 4096, 16, 0, 0x40000);
    send(rig, id, 0, 0x230, format, 1, 0, 1, 0, 0x4000, 4096, 16, 0, 0x10000);
    send(rig, id, 0, 0x2ac, operation);
    send(rig, id, 0, 0x8b0, 0, 0, 64, 16, 0, 1, 0, 1, 0, 0, 0);
    fifo_take_worked(&rig->fifo);
    return cost(rig, id, 0x8dc, 0);
}

static void the_2d_object_pays_for_pixels_and_what_becomes_of_them(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "GF100", CHIP_UNIT_PGRAPH, 0x902d);
    uint64_t copied = blit(&rig, id, 0xcf, 3), converted = blit(&rig, id, 0xd1, 3), blended = blit(&rig, id, 0xcf, 2);
    assert_in_range(copied, 16 * 256 / UNIT, 16 * 256 / UNIT + 16 * 8 + START);
    assert_in_range(converted, copied + 64 * 16, copied + 64 * 16 * 4);
    assert_in_range(blended, converted, 4 * converted);
    send(&rig, id, 0, 0x2ac, 3);
    send(&rig, id, 0, 0x580, 4, 0xcf, 77);
    send(&rig, id, 0, 0x600, 0, 0, 64); /* what is drawn is what costs, not the width of the surface */
    fifo_take_worked(&rig.fifo);
    assert_in_range(cost(&rig, id, 0x60c, 16), START + 16 * 2, START + 16 * 8);
    assert_int_equal(rig.interrupts, 0);
    engine_rig_stop(&rig);
}

/* A parameter that is counted down to 0, two instructions each time. */
static void a_macro_pays_for_instructions(void **state) {
    (void)state;
    static const uint32_t program[] = {0xffffc911, 0xffffc837, 0x91, 0x11};
    struct engine_rig rig;
    unsigned id = start(&rig, "GF100", CHIP_UNIT_PGRAPH, 0x9097);
    send(&rig, id, 0, 0x11c, 0, 0);
    send(&rig, id, 0, 0x114, 0);
    for (unsigned i = 0; i < 4; i++)
        send(&rig, id, 0, 0x118, program[i]);
    fifo_take_worked(&rig.fifo);
    assert_in_range(cost(&rig, id, 0x3800, 1000), 990, 1010);
    assert_in_range(cost(&rig, id, 0x3800, 100000), 99900, 100010);
    engine_rig_stop(&rig);
}

/* Both lines meet their fault below the last row of memory; one comes from far above. */
static void a_drawing_that_faults_pays_for_what_was_drawn(void **state) {
    (void)state;
    static const int from[] = {299, -30000};
    uint64_t units[2];
    for (unsigned i = 0; i < 2; i++) {
        struct scene scene;
        scene_start(&scene, "NV40", 10, 256);
        scene_object(&scene, 0x5c, 0x198, 0x2fc, SRCCOPY);
        scene_send(&scene, 0x300, 3, 7);
        scene_send(&scene, 0x400, xy(0, from[i]));
        fifo_take_worked(&scene.rig.fifo);
        send(&scene.rig, scene.id, 0, 0x404, xy(0, 300));
        units[i] = fifo_take_worked(&scene.rig.fifo);
        assert_int_equal(scene.rig.faults + scene.rig.interrupts, 1);
        scene_stop(&scene);
    }
    assert_in_range(units[0], SLICE, SLICE + START);
    assert_in_range(units[1], SLICE + 256 * 8, SLICE + 30000 * 32);
}

/* 1000 releases of a semaphore, three instructions each. */
static void a_macro_pays_for_what_it_sends(void **state) {
    (void)state;
    static const uint32_t program[] = {SET_MADDR(0, 0x1b0c),   ADDI(MOV, 1, 1, -1u), ADDI(MOV_SEND, 2, 0, 0),
                                       BRANCH(1u, 1u, 1, -2u), EXIT | NOP,           NOP};
    struct engine_rig rig;
    unsigned id = start(&rig, "GF100", CHIP_UNIT_PGRAPH, 0x9097);
    send(&rig, id, 0, 0x1b00, 0, 0x4000, 42);
    send(&rig, id, 0, 0x11c, 0, 0);
    send(&rig, id, 0, 0x114, 0);
    for (unsigned i = 0; i < sizeof program / sizeof program[0]; i++)
        send(&rig, id, 0, 0x118, program[i]);
    fifo_take_worked(&rig.fifo);
    assert_in_range(cost(&rig, id, 0x3800, 1000), 1000 * (3 + 2), 1000 * (3 + 8));
    assert_int_equal(engine_rig_rd32(&rig, 0x4000), 42);
    engine_rig_stop(&rig);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_copy_costs_a_unit_for_128_bytes),
        cmocka_unit_test(slow_ways_of_copying_cost_more),
        cmocka_unit_test(a_copy_within_blocks_costs_more_where_it_overlaps),
        cmocka_unit_test(a_long_launch_pays_for_each_slice),
        cmocka_unit_test(a_fault_costs_a_slice),
        cmocka_unit_test(the_time_of_a_release_is_after_the_work),
        cmocka_unit_test(m2mf_pays_for_bytes_and_increments),
        cmocka_unit_test(a_clear_pays_for_bytes_and_lines),
        cmocka_unit_test(a_line_of_a_swizzled_surface_costs_more_than_its_bytes),
        cmocka_unit_test(inline_data_pay_for_short_lines),
        cmocka_unit_test(a_cipher_pays_for_its_blocks),
        cmocka_unit_test(drawings_pay_for_rows_pixels_and_operations),
        cmocka_unit_test(the_2d_object_pays_for_pixels_and_what_becomes_of_them),
        cmocka_unit_test(a_drawing_that_faults_pays_for_what_was_drawn),
        cmocka_unit_test(a_macro_pays_for_instructions),
        cmocka_unit_test(a_macro_pays_for_what_it_sends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
