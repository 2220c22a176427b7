/* SPDX-License-Identifier: MIT */
/* A launch is work in slices: it goes on where it was, also on another machine, and leaves the same. */
#include "compute/launch_rig.h"

#include <string.h>

#include "engine/core/register_file.h"

enum { BLOCKS = 120 }; /* the buffer has room for the results of some */

static struct launch launch, other;

/* All of it takes many slices, on each class. */
static void begin(const struct launch_class *of) {
    launch_begin(&launch, of);
    launch_size(&launch, BLOCKS, 1, 1, 64, 1, 1);
    launch_memory(&launch, 256, 64);
}

static void expect_results(struct launch *of) {
    for (unsigned block = 0; block < 15; block++)
        for (unsigned i = 0; i < 64; i++)
            assert_int_equal(launch_word(of, 64 * block + i), 3 * (i ^ 32) + 64);
    assert_int_equal(of->rig.faults, 0);
}

static void a_launch_takes_slices(void **state) {
    (void)state;
    begin(launch_gm107());
    unsigned slices = 1;
    while (!launch_slice(&launch)) {
        assert_int_equal(engine_rig_count(&launch.rig, EVENT_ENGINE_LAUNCH), 1);
        slices++;
    }
    assert_true(slices > 3);
    expect_results(&launch);
    launch_end(&launch);
}

/* Who observes hears of its end once, with the work of all slices, and of none before. */
static void a_launch_of_several_slices_ends_once(void **state) {
    (void)state;
    for (unsigned c = 0; c < launch_class_count; c++) {
        begin(&launch_classes[c]);
        unsigned slices = 1;
        while (!launch_slice(&launch)) {
            assert_int_equal(engine_rig_count(&launch.rig, EVENT_ENGINE_LAUNCHED), 0);
            slices++;
        }
        assert_true(slices > 3);
        assert_int_equal(engine_rig_count(&launch.rig, EVENT_ENGINE_LAUNCHED), 1);
        const uint64_t *value = engine_rig_event(&launch.rig, EVENT_ENGINE_LAUNCHED, 0)->value;
        assert_int_equal(value[4], BLOCKS);
        assert_int_equal(value[5], 2 * BLOCKS); /* warps of 64 threads */
        assert_true(value[6] > 2 * BLOCKS);
        launch_end(&launch);
    }
}

/* After each slice the machine is another one. */
static void a_launch_is_saved_in_the_middle(void **state) {
    (void)state;
    for (unsigned c = 0; c < launch_class_count; c++) {
        struct launch *now = &launch, *next = &other;
        begin(&launch_classes[c]);
        unsigned moves = 0;
        while (!launch_slice(now)) {
            launch_move(now, next);
            struct launch *before = now;
            now = next;
            next = before;
            moves++;
        }
        assert_true(moves > 3);
        expect_results(now);
        launch_end(now);
    }
}

/* A warp of a long loop, with values in registers, shared and local memory, and locks. */
static void a_block_is_saved_in_the_middle(void **state) {
    (void)state;
    /* R0 counts to 0x3000; each time R1 = R1 * 2 + 1 + s[4] + l[8], s[4] = R0, l[8] = R1 */
    static const uint64_t loop[] = {GM107_MOV(0, 0),
                                    GM107_MOV(1, 1),
                                    GM107_LDS(2, RZ, 4),
                                    GM107_LDL(3, RZ, 8),
                                    GM107_IADD(1, 1, 1),
                                    GM107_IADD(1, 1, 2),
                                    GM107_IADD(1, 1, 3),
                                    GM107_IADD_I(0, 0, 1),
                                    GM107_STS(RZ, 4, 0),
                                    GM107_STL(RZ, 8, 1),
                                    0x366a038000070007 | UINT64_C(0x3000) << 20, /* P0 = R0 != 0x3000 */
                                    0xe24000000000000f | (uint64_t)(-(8 * 13) & 0xffffff) << 20,
                                    GM107_MOV(9, DATA),
                                    GM107_STG(9, 0, 1),
                                    GM107_STG(9, 4, 0)};
    uint32_t results[2][2];
    for (unsigned moved = 0; moved < 2; moved++) {
        struct launch *now = &launch, *next = &other;
        launch_begin(&launch, launch_gm107());
        launch_memory(&launch, 64, 64);
        launch_gm107_program(&launch, loop, sizeof loop / sizeof loop[0]);
        unsigned slices = 0;
        while (!launch_slice(now)) {
            slices++;
            if (!moved)
                continue;
            launch_move(now, next);
            struct launch *before = now;
            now = next;
            next = before;
        }
        assert_true(slices > 3);
        assert_int_equal(now->rig.faults, 0);
        for (unsigned i = 0; i < 2; i++)
            results[moved][i] = launch_word(now, i);
        assert_int_equal(results[moved][1], 0x3000);
        launch_end(now);
    }
    assert_memory_equal(results[0], results[1], sizeof results[0]);
}

/* What comes meanwhile in memory of the QMD does not count. */
static void a_launch_keeps_its_qmd(void **state) {
    (void)state;
    begin(launch_gm107());
    assert_false(launch_slice(&launch));
    for (unsigned i = 0; i < 64; i++)
        engine_rig_wr32(&launch.rig, QMD + 4 * i, 0xffffffff);
    launch_run(&launch);
    assert_int_equal(engine_rig_count(&launch.rig, EVENT_ENGINE_ERROR), 0);
    expect_results(&launch);
    /* a result of block 16, and what the others after it have added */
    assert_int_equal(launch_word(&launch, 1024), 160 + (BLOCKS - 17) * 6048);
    launch_end(&launch);
}

/* Another method comes: the rest of the launch is given up, and the next one begins at its beginning. */
static void a_launch_that_is_given_up_is_forgotten(void **state) {
    (void)state;
    begin(launch_gm107());
    launch_program(&launch, launch.of->sum, launch.of->sum_words);
    assert_false(launch_slice(&launch));
    send(&launch.rig, launch.id, 0, 0x100, 0);
    for (unsigned i = 0; i < 64; i++)
        engine_rig_wr32(&launch.rig, DATA + 4 * i, 0);
    launch_run(&launch);
    assert_int_equal(engine_rig_count(&launch.rig, EVENT_ENGINE_LAUNCH), 2);
    expect_results(&launch);
    launch_end(&launch);
}

/* Work costs what was done: a launch of twice as many blocks about twice as much. */
static void a_launch_costs_what_it_does(void **state) {
    (void)state;
    uint64_t cost[2];
    for (unsigned i = 0; i < 2; i++) {
        begin(launch_gm107());
        launch_size(&launch, BLOCKS / 2 << i, 1, 1, 64, 1, 1);
        launch.rig.fifo.worked = 0;
        launch_run(&launch);
        cost[i] = launch.rig.fifo.worked;
        launch_end(&launch);
    }
    assert_true(cost[0] > 10 * (8192 / 128));
    assert_true(cost[1] > cost[0] * 3 / 2 && cost[1] < cost[0] * 5 / 2);
}

static void no_thread(void *opaque, uint32_t count, void (*call)(void *argument, uint32_t number), void *argument) {
    (void)opaque, (void)count, (void)call, (void)argument;
    fail_msg("a launch asks for threads");
}

/* Its blocks would see each other: what threads the owner lends changes nothing. */
static void a_launch_asks_no_thread_of_the_owner(void **state) {
    (void)state;
    begin(launch_gm107());
    launch_size(&launch, 15, 1, 1, 64, 1, 1);
    launch.rig.fifo.side_by_side = no_thread;
    launch_run(&launch);
    expect_results(&launch);
    assert_int_equal(launch_word(&launch, 1024), 15 * 6048);
    launch_end(&launch);
}

static uint8_t stream_room[1 << 20];
static struct launch_state stream = {.data = stream_room, .room = sizeof stream_room};

static void a_state_that_was_cut_is_refused(void **state) {
    (void)state;
    begin(launch_gm107());
    assert_false(launch_slice(&launch));
    launch_save(&launch, &stream);
    for (size_t bytes = 0; bytes < stream.bytes; bytes += stream.bytes / 97) {
        assert_true(engine_rig_start(&other.rig, launch.of->chip));
        assert_int_not_equal(engine_load(other.rig.fifo.engines[launch.id].engine, stream.data, bytes, NULL), PFIFO_OK);
        engine_rig_stop(&other.rig);
    }
    launch_end(&launch);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_launch_takes_slices),           cmocka_unit_test(a_launch_of_several_slices_ends_once),
        cmocka_unit_test(a_launch_is_saved_in_the_middle), cmocka_unit_test(a_block_is_saved_in_the_middle),
        cmocka_unit_test(a_launch_keeps_its_qmd),          cmocka_unit_test(a_launch_that_is_given_up_is_forgotten),
        cmocka_unit_test(a_launch_costs_what_it_does),     cmocka_unit_test(a_launch_asks_no_thread_of_the_owner),
        cmocka_unit_test(a_state_that_was_cut_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
