/* SPDX-License-Identifier: MIT */
/* Grids that are launched: what their programs find and leave. */
#include "compute/launch_rig.h"

#include <string.h>

static struct launch launch;

#define PROGRAM(...)                                                                                                   \
    launch_gm107_program(&launch, (const uint64_t[]){__VA_ARGS__}, sizeof((const uint64_t[]){__VA_ARGS__}) / 8)
/* R9: 4 * (32 * x of the block + x of the thread), the place of a thread of a block of 32. */
#define PLACE GM107_S2R(9, 0x25), GM107_SHL_I(9, 9, 5), GM107_S2R(8, 0x21), GM107_IADD(9, 9, 8), GM107_SHL_I(9, 9, 2)

static void expect_clean(void) {
    assert_int_equal(launch.rig.faults, 0);
    assert_int_equal(engine_rig_count(&launch.rig, EVENT_ENGINE_NOT_EXECUTED), 0);
    assert_int_equal(engine_rig_count(&launch.rig, EVENT_ENGINE_SHADER_ERROR), 0);
    assert_int_equal(engine_rig_count(&launch.rig, EVENT_ENGINE_ERROR), 0);
}

static void a_grid_runs_on_each_class(void **state) {
    (void)state;
    for (unsigned c = 0; c < launch_class_count; c++) {
        launch_begin(&launch, &launch_classes[c]);
        launch_size(&launch, 3, 1, 1, 32, 2, 1);
        launch_memory(&launch, 256, 0);
        launch_run(&launch);
        expect_clean();
        for (unsigned block = 0; block < 3; block++)
            for (unsigned i = 0; i < 64; i++)
                assert_int_equal(launch_word(&launch, 64 * block + i), 3 * (i ^ 32) + 64);
        assert_int_equal(launch_word(&launch, 1024), 3 * 6048);
        assert_int_equal(engine_rig_count(&launch.rig, EVENT_ENGINE_LAUNCH), 1);
        launch_end(&launch);
    }
}

/* Rows of the rig, and the versions that Mesa's compilers make for their classes (NAK: qmd.rs; nve4_compute.c). */
static void each_version_of_a_qmd_launches_on_its_classes(void **state) {
    (void)state;
    static const struct {
        const char *chip;
        uint32_t versions[2];
    } rows[] = {{"GK104", {0x06, 0x17}}, {"GK20A", {0x06, 0x17}}, {"GK110", {0x06, 0x17}}, {"GM107", {0x06, 0x17}},
                {"GM20B", {0x06, 0x17}}, {"GP100", {0x20, 0x21}}, {"GP102", {0x20, 0x21}}};
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (unsigned k = 0; k < 2; k++) {
            unsigned c = 0;
            while (strcmp(launch_classes[c].chip, rows[i].chip) != 0)
                c++;
            struct launch_class of = launch_classes[c];
            of.version = rows[i].versions[k];
            launch_begin(&launch, &of);
            launch_size(&launch, 2, 1, 1, 32, 2, 1);
            launch_memory(&launch, 256, 0);
            launch_run(&launch);
            expect_clean();
            assert_int_equal(launch_word(&launch, 127), 3 * (63 ^ 32) + 64);
            assert_int_equal(launch_word(&launch, 1024), 2 * 6048);
            launch_end(&launch);
        }
}

/* Special register `number` of each thread, at its place. */
static void run_special(unsigned number) {
    PROGRAM(PLACE, GM107_S2R(0, number), GM107_STG(9, DATA, 0));
    launch_run(&launch);
    expect_clean();
}

static void a_thread_knows_where_it_is(void **state) {
    (void)state;
    launch_begin(&launch, launch_gm107());
    launch_size(&launch, 2, 3, 4, 5, 3, 2);
    /* the last block of each number in x, and the last threads of each number in x: the others have been overwritten */
    static const struct {
        unsigned number;
        uint32_t value;
    } cases[] = {{0x20, 4 | 2 << 16 | 1 << 26},
                 {0x21, 4},
                 {0x22, 2},
                 {0x23, 1},
                 {0x25, 1},
                 {0x26, 2},
                 {0x27, 3},
                 {0x28, 5 | 3 << 16 | 2u << 26},
                 {0x30, 0xfe000000},
                 {0x34, 0xff000000},
                 {0x31, 0x1000000},
                 {0x35, 0x1000000},
                 {0x00, 29},
                 {0x03, 0},
                 {0x7f, 0}};
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        run_special(cases[i].number);
        assert_int_equal(launch_word(&launch, 32 + 4), cases[i].value);
    }
    launch_memory(&launch, 0x500, 0x40);
    run_special(0x32);
    assert_int_equal(launch_word(&launch, 36), 0x500);
    run_special(0x36);
    assert_int_equal(launch_word(&launch, 36), 0x40);
    launch_end(&launch);
}

static void fermi_and_kepler_know_sizes(void **state) {
    (void)state;
    static const struct {
        unsigned number;
        uint32_t value;
    } cases[] = {{0x29, 5}, {0x2a, 3}, {0x2b, 2}, {0x2d, 2}, {0x2e, 3}, {0x2f, 4}};
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        launch_begin(&launch, &launch_classes[1]);
        launch_size(&launch, 2, 3, 4, 5, 3, 2);
        /* S2R R0; MOV32I R1, DATA; ST [R1], R0; EXIT */
        launch_program(&launch,
                       (const uint64_t[]){0x2c00000000001c04 | (uint64_t)cases[i].number << 26,
                                          0x1800000000005de2 | (uint64_t)DATA << 26, 0x9000000000101c85,
                                          0x8000000000001de7},
                       4);
        launch_run(&launch);
        expect_clean();
        assert_int_equal(launch_word(&launch, 0), cases[i].value);
        launch_end(&launch);
    }
}

static void warps_are_numbered(void **state) {
    (void)state;
    launch_begin(&launch, launch_gm107());
    launch_size(&launch, 1, 1, 1, 100, 1, 1);
    PROGRAM(GM107_S2R(8, 0x21), GM107_SHL_I(9, 8, 2), GM107_S2R(0, 0x03), GM107_STG(9, DATA, 0));
    launch_run(&launch);
    expect_clean();
    for (unsigned i = 0; i < 100; i++)
        assert_int_equal(launch_word(&launch, i), i / 32 << 8);
    assert_int_equal(launch_word(&launch, 100), 0);
    launch_end(&launch);
}

static void clocks_count_instructions_and_go_on(void **state) {
    (void)state;
    static const unsigned clocks[] = {0x50, 0x52, 0x01};
    for (unsigned i = 0; i < 3; i++) {
        launch_begin(&launch, launch_gm107());
        PROGRAM(GM107_MOV(9, DATA), GM107_S2R(0, clocks[i]), GM107_S2R(1, clocks[i]), GM107_STG(9, 0, 0),
                GM107_STG(9, 4, 1), GM107_S2R(2, 0x51), GM107_STG(9, 8, 2));
        launch_run(&launch);
        uint32_t first = launch_word(&launch, 0);
        assert_int_equal(launch_word(&launch, 1), first + 1);
        assert_int_equal(launch_word(&launch, 2), ENGINE_RIG_TIME >> 32);
        launch_run(&launch);
        assert_true(launch_word(&launch, 0) >= first);
        launch_end(&launch);
    }
}

static void constants_are_those_of_the_launch(void **state) {
    (void)state;
    launch_begin(&launch, launch_gm107());
    engine_rig_wr32(&launch.rig, USER + 0x20, 0x1234);
    engine_rig_wr32(&launch.rig, USER + 0x100, 0x5678); /* after its end */
    PROGRAM(GM107_MOV(9, DATA), GM107_CONSTANT(0, 0, 0x20), GM107_CONSTANT(1, 0, 0x100), GM107_CONSTANT(2, 3, 0),
            GM107_CONSTANT(3, 7, 0x2a8), GM107_STG(9, 0, 0), GM107_STG(9, 4, 1), GM107_STG(9, 8, 2),
            GM107_STG(9, 12, 3));
    for (unsigned i = 0; i < 4; i++)
        engine_rig_wr32(&launch.rig, DATA + 4 * i, 0xff);
    launch_run(&launch);
    assert_int_equal(launch_word(&launch, 0), 0x1234);
    assert_int_equal(launch_word(&launch, 1), 0);
    assert_int_equal(launch_word(&launch, 2), 0);
    assert_int_equal(launch_word(&launch, 3), DATA_BYTES);
    launch_set(&launch, QMD, 640, 1, 0); /* not valid any more */
    launch_run(&launch);
    assert_int_equal(launch_word(&launch, 0), 0);
    launch_end(&launch);
}

static void shared_and_local_memory_are_0_in_each_block(void **state) {
    (void)state;
    launch_begin(&launch, launch_gm107());
    launch_size(&launch, 4, 1, 1, 32, 1, 1);
    launch_memory(&launch, 128, 16);
    /* what was there, and then something else */
    PROGRAM(PLACE, GM107_SHL_I(8, 8, 2), GM107_LDS(0, 8, 0), GM107_LDL(1, RZ, 4), GM107_IADD(0, 0, 1),
            GM107_STG(9, DATA, 0), GM107_IADD_I(1, 9, 7), GM107_STS(8, 0, 1), GM107_STL(RZ, 4, 1));
    for (unsigned i = 0; i < 128; i++)
        engine_rig_wr32(&launch.rig, DATA + 4 * i, 0xff);
    launch_run(&launch);
    expect_clean();
    for (unsigned i = 0; i < 128; i++)
        assert_int_equal(launch_word(&launch, i), 0);
    launch_end(&launch);
}

static void windows_show_shared_and_local_memory(void **state) {
    (void)state;
    launch_begin(&launch, launch_gm107());
    launch_memory(&launch, 128, 16);
    PROGRAM(GM107_MOV(9, DATA), GM107_MOV(0, 0x77), GM107_STS(RZ, 8, 0), GM107_MOV(1, 0xfe000008), GM107_LD(2, 1),
            GM107_STG(9, 0, 2), GM107_MOV(3, 0xff000004), GM107_ST(3, 0), GM107_LDL(4, RZ, 4), GM107_STG(9, 4, 4),
            GM107_MOV(5, DATA + 4), GM107_LD(6, 5), GM107_STG(9, 8, 6));
    launch_run(&launch);
    expect_clean();
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(launch_word(&launch, i), 0x77);
    launch_end(&launch);
}

/* The windows of Pascal may have addresses of 64 bits. */
static void a_window_may_be_beyond_4_gib(void **state) {
    (void)state;
    launch_begin(&launch, &launch_classes[launch_class_count - 1]);
    launch_memory(&launch, 128, 16);
    send(&launch.rig, launch.id, 0, 0x2a0, 0x12, 0x34000000);
    PROGRAM(GM107_MOV(9, DATA), GM107_S2R(0, 0x30), GM107_S2R(1, 0x2f), GM107_STG(9, 0, 0), GM107_STG(9, 4, 1),
            GM107_STS(RZ, 4, 1), GM107_MOV(2, 0x34000004), GM107_MOV(3, 0x12), GM107_LD(4, 2) | UINT64_C(1) << 52,
            GM107_STG(9, 8, 4));
    launch_run(&launch);
    expect_clean();
    assert_int_equal(launch_word(&launch, 0), 0x34000000);
    assert_int_equal(launch_word(&launch, 1), 0x12);
    assert_int_equal(launch_word(&launch, 2), 0x12);
    launch_end(&launch);
}

/* The last bytes of its window are the end of local memory. */
static void local_memory_has_a_high_part(void **state) {
    (void)state;
    launch_begin(&launch, launch_gm107());
    launch_memory(&launch, 0, 16);
    launch_set(&launch, QMD, 1472, 24, 32);
    PROGRAM(GM107_MOV(9, DATA), GM107_MOV(0, 0x55), GM107_STL(RZ, -32, 0), GM107_MOV(1, 0x66), GM107_STL(RZ, 0, 1),
            GM107_MOV(3, 0xffffffe0), GM107_LD(4, 3), GM107_STG(9, 0, 4), GM107_LDL(5, RZ, 0), GM107_STG(9, 4, 5),
            GM107_S2R(6, 0x37), GM107_STG(9, 8, 6));
    launch_run(&launch);
    expect_clean();
    assert_int_equal(launch_word(&launch, 0), 0x55);
    assert_int_equal(launch_word(&launch, 1), 0x66);
    assert_int_equal(launch_word(&launch, 2), 0x1000000 - 32);
    launch_end(&launch);
}

/* Code that was written between two launches runs, whether or not anybody invalidates caches. */
static void a_launch_reads_its_program_anew(void **state) {
    (void)state;
    launch_begin(&launch, launch_gm107());
    for (uint32_t i = 1; i < 3; i++) {
        PROGRAM(GM107_MOV(9, DATA), GM107_MOV(0, i), GM107_STG(9, 0, 0));
        launch_run(&launch);
        assert_int_equal(launch_word(&launch, 0), i);
    }
    launch_end(&launch);
}

static void put_second_qmd(uint32_t at, uint32_t grid) {
    for (unsigned i = 0; i < 64; i++)
        engine_rig_wr32(&launch.rig, at + 4 * i, engine_rig_rd32(&launch.rig, QMD + 4 * i));
    launch_set(&launch, at, launch.of->grid[0], 32, grid);
}

/* Each adds its number of blocks; the second runs after the release of the first. */
static void a_grid_that_depends_on_another_follows_it(void **state) {
    (void)state;
    for (unsigned c = 0; c < launch_class_count; c++) {
        launch_begin(&launch, &launch_classes[c]);
        if (!launch.of->dependent) {
            launch_end(&launch);
            continue;
        }
        launch_size(&launch, 2, 1, 1, 64, 1, 1);
        launch_memory(&launch, 256, 0);
        put_second_qmd(QMD + 0x100, 5);
        put_second_qmd(QMD + 0x200, 1);
        for (unsigned i = 0; i < 2; i++) {
            launch_set(&launch, QMD + 0x100 * i, launch.of->dependent, 1, 1);
            launch_set(&launch, QMD + 0x100 * i, launch.of->dependent + 1, 1, 1);
            launch_set(&launch, QMD + 0x100 * i, launch.of->pointer, 32, (QMD + 0x100 * (i + 1)) >> 8);
        }
        launch_set(&launch, QMD, launch.of->release, 1, 1);
        launch_set(&launch, QMD, 736, 32, RELEASE);
        launch_set(&launch, QMD, 800, 32, 9);
        launch_run(&launch);
        expect_clean();
        assert_int_equal(launch_word(&launch, 1024), 8 * 6048);
        assert_int_equal(engine_rig_count(&launch.rig, EVENT_ENGINE_LAUNCH), 3);
        assert_int_equal(engine_rig_event(&launch.rig, EVENT_ENGINE_LAUNCH, 1)->value[3], QMD + 0x100);
        assert_int_equal(engine_rig_rd32(&launch.rig, RELEASE), 9);
        launch_end(&launch);
    }
}

/* Both add to one word: the sums that they find are all there once. */
static void blocks_run_in_order(void **state) {
    (void)state;
    launch_begin(&launch, launch_gm107());
    launch_size(&launch, 3, 2, 2, 1, 1, 1);
    /* [DATA + 4 * n] = x | y << 4 | z << 8, and n counts */
    PROGRAM(GM107_MOV(9, DATA + 0x1000), GM107_LDG(0, 9, 0), GM107_SHL_I(1, 0, 2), GM107_IADD_I(0, 0, 1),
            GM107_STG(9, 0, 0), GM107_S2R(2, 0x25), GM107_S2R(3, 0x26), GM107_SHL_I(3, 3, 4), GM107_IADD(2, 2, 3),
            GM107_S2R(3, 0x27), GM107_SHL_I(3, 3, 8), GM107_IADD(2, 2, 3), GM107_STG(1, DATA, 2));
    launch_run(&launch);
    expect_clean();
    for (unsigned n = 0; n < 12; n++)
        assert_int_equal(launch_word(&launch, n), n % 3 | n / 3 % 2 << 4 | n / 6 << 8);
    launch_end(&launch);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_grid_runs_on_each_class),
        cmocka_unit_test(each_version_of_a_qmd_launches_on_its_classes),
        cmocka_unit_test(a_thread_knows_where_it_is),
        cmocka_unit_test(fermi_and_kepler_know_sizes),
        cmocka_unit_test(warps_are_numbered),
        cmocka_unit_test(clocks_count_instructions_and_go_on),
        cmocka_unit_test(constants_are_those_of_the_launch),
        cmocka_unit_test(shared_and_local_memory_are_0_in_each_block),
        cmocka_unit_test(windows_show_shared_and_local_memory),
        cmocka_unit_test(a_window_may_be_beyond_4_gib),
        cmocka_unit_test(local_memory_has_a_high_part),
        cmocka_unit_test(a_launch_reads_its_program_anew),
        cmocka_unit_test(a_grid_that_depends_on_another_follows_it),
        cmocka_unit_test(blocks_run_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
