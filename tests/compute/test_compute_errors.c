/* SPDX-License-Identifier: MIT */
/* What goes wrong in a launch: errors of programs, faults, time-outs, and what the scheduler refuses. */
#include "compute/launch_rig.h"

static struct launch launch;

#define PROGRAM(...)                                                                                                   \
    launch_gm107_program(&launch, (const uint64_t[]){__VA_ARGS__}, sizeof((const uint64_t[]){__VA_ARGS__}) / 8)

/* The address of the nth instruction of GM107, from the region on. */
static uint32_t at(unsigned n) {
    return ENTRY + 8 * (n + 1 + n / 3);
}

/* The launch fails in the instruction at `pc`; its semaphore is not released, and the next launch goes. */
static void expect_error(const char *name, uint32_t pc) {
    launch_set(&launch, QMD, launch.of->release, 1, 1);
    launch_set(&launch, QMD, 736, 32, RELEASE);
    launch_set(&launch, QMD, 800, 32, 9);
    launch_run(&launch);
    const struct engine_rig_event *event = engine_rig_event(&launch.rig, EVENT_ENGINE_SHADER_ERROR, 0);
    assert_non_null(event);
    assert_string_equal(event->text, name);
    assert_int_equal(event->value[0], launch.of->object_class);
    assert_int_equal(event->value[2], pc);
    assert_int_equal(engine_rig_rd32(&launch.rig, RELEASE), 0);
    PROGRAM(GM107_MOV(0, 1));
    launch_run(&launch);
    assert_int_equal(engine_rig_count(&launch.rig, EVENT_ENGINE_SHADER_ERROR), 1);
    assert_int_equal(engine_rig_rd32(&launch.rig, RELEASE), 9);
}

static void begin(void) {
    launch_begin(&launch, launch_gm107());
    launch_memory(&launch, 64, 16);
}

static void errors_of_a_program_have_its_address(void **state) {
    (void)state;
    static const struct {
        uint64_t instruction;
        const char *name;
    } cases[] = {{GM107_LDS(0, RZ, 64), "OOR_ADDR"},      {GM107_LDS(0, RZ, 2), "MISALIGNED_ADDR"},
                 {GM107_STS(RZ, 0x10000, 0), "OOR_ADDR"}, {GM107_LDL(0, RZ, 16), "OOR_ADDR"},
                 {GM107_STL(RZ, -4, 0), "OOR_ADDR"},      {GM107_LDG(0, RZ, DATA + 2), "MISALIGNED_ADDR"},
                 {GM107_RET, "RET_EMPTY_STACK_ERROR"},    {GM107_MOV(16, 1), "OOR_REG"},
                 {GM107_CAL_SELF, "STACK_ERROR"},         {0, "ILLEGAL_INSTR_ENCODING"}};
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        begin();
        PROGRAM(GM107_MOV(0, 1), GM107_MOV(1, 2), GM107_MOV(2, 3), GM107_MOV(3, 4), cases[i].instruction);
        expect_error(cases[i].name, at(4));
        launch_end(&launch);
    }
}

static void shared_memory_that_is_not_there_is_no_space(void **state) {
    (void)state;
    launch_begin(&launch, launch_gm107());
    PROGRAM(GM107_LDS(0, RZ, 0));
    expect_error("INVALID_ADDR_SPACE", at(0));
    launch_end(&launch);
}

static void a_program_without_an_end_times_out_at_its_address(void **state) {
    (void)state;
    begin();
    PROGRAM(GM107_MOV(0, 1), GM107_BRA_SELF);
    expect_error("TIMEOUT", at(1));
    launch_end(&launch);
}

/* Half of the threads have ended, and the others wait for more than there are. */
static void a_barrier_that_nobody_completes_times_out(void **state) {
    (void)state;
    begin();
    launch_size(&launch, 1, 1, 1, 64, 1, 1);
    /* BAR.SYNC 0, 96: a count of threads that never comes */
    PROGRAM(GM107_MOV(0, 1), 0xf0a8200000070000 | UINT64_C(96) << 20 | UINT64_C(3) << 43);
    launch_run(&launch);
    const struct engine_rig_event *event = engine_rig_event(&launch.rig, EVENT_ENGINE_SHADER_ERROR, 0);
    assert_non_null(event);
    assert_string_equal(event->text, "TIMEOUT");
    launch_end(&launch);
}

static void an_access_that_faults_ends_the_launch(void **state) {
    (void)state;
    begin();
    launch_size(&launch, 4, 1, 1, 32, 1, 1);
    PROGRAM(GM107_MOV(9, DATA), GM107_RED_ADD(9, 0, 9), GM107_MOV(0, ENGINE_RIG_LIMIT), GM107_STG(0, 0, 0));
    launch_run(&launch);
    assert_int_equal(launch.rig.faults, 1);
    assert_int_equal(launch.rig.fault.address, ENGINE_RIG_LIMIT);
    assert_true(launch.rig.fault.write);
    assert_int_equal(launch_word(&launch, 0), 32u * DATA); /* of the first block */
    assert_int_equal(engine_rig_count(&launch.rig, EVENT_ENGINE_SHADER_ERROR), 0);
    launch_end(&launch);
}

static void a_program_that_is_not_there_is_a_fault(void **state) {
    (void)state;
    begin();
    send(&launch.rig, launch.id, 0, 0x1608, 1, 0);
    launch_run(&launch);
    assert_int_equal(launch.rig.faults, 1);
    assert_int_equal(launch.rig.fault.address, UINT64_C(0x100000000) + ENTRY);
    launch_end(&launch);
}

static void the_scheduler_refuses_what_a_processor_does_not_have(void **state) {
    (void)state;
    static const struct {
        unsigned bit, width;
        uint32_t most;
        const char *error;
    } cases[] = {{544, 18, 48 << 10, "SHARED_MEMORY_SIZE"},
                 {1440, 24, 512 << 10, "LOCAL_MEMORY_SIZE_POS"},
                 {1472, 24, 512 << 10, "LOCAL_MEMORY_SIZE_NEG"},
                 {975, 17, 64 << 10, "CONSTANT_BUFFER_SIZE"}};
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        for (unsigned more = 0; more < 2; more++) {
            begin();
            PROGRAM(GM107_MOV(0, 1));
            launch_set(&launch, QMD, 1440, 24, 0);
            launch_set(&launch, QMD, cases[i].bit, cases[i].width, cases[i].most + more);
            launch_run(&launch);
            assert_int_equal(engine_rig_count(&launch.rig, EVENT_ENGINE_LAUNCH), !more);
            assert_int_equal(engine_rig_count(&launch.rig, EVENT_ENGINE_ERROR), more);
            if (more)
                assert_event(&launch.rig, EVENT_ENGINE_ERROR, 0, cases[i].error, launch.of->object_class, 0x2bc);
            launch_end(&launch);
        }
    }
}

static void registers_and_local_memory_are_for_all_threads_together(void **state) {
    (void)state;
    static const struct {
        uint32_t threads, registers, local;
        const char *error;
    } cases[] = {{1024, 64, 0, NULL},
                 {1024, 65, 0, "TOTAL_REGISTER_COUNT"},
                 {993, 65, 0, "TOTAL_REGISTER_COUNT"},
                 {896, 72, 0, NULL},
                 {896, 73, 0, "TOTAL_REGISTER_COUNT"},
                 {1024, 16, 64 << 10, NULL},
                 {1024, 16, (64 << 10) + 16, "TOTAL_TEMP_SIZE"},
                 {128, 16, 512 << 10, NULL}};
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        begin();
        PROGRAM(GM107_MOV(0, 1));
        launch_size(&launch, 1, 1, 1, cases[i].threads, 1, 1);
        launch_registers(&launch, cases[i].registers);
        launch_memory(&launch, 0, cases[i].local);
        launch_run(&launch);
        assert_int_equal(engine_rig_count(&launch.rig, EVENT_ENGINE_LAUNCH), !cases[i].error);
        if (cases[i].error)
            assert_event(&launch.rig, EVENT_ENGINE_ERROR, 0, cases[i].error, launch.of->object_class, 0x2bc);
        launch_end(&launch);
    }
}

static void a_block_of_fermi_with_a_wrong_number_of_threads_says_so(void **state) {
    (void)state;
    static const uint32_t threads[] = {0, 1025, 1024};
    for (unsigned i = 0; i < 3; i++) {
        launch_begin(&launch, &launch_classes[1]);
        launch_program(&launch, (const uint64_t[]){0x8000000000001de7}, 1);
        launch_size(&launch, 1, 1, 1, threads[i], 1, 1);
        launch_run(&launch);
        assert_int_equal(engine_rig_count(&launch.rig, EVENT_ENGINE_NOT_EXECUTED), i < 2);
        if (i < 2)
            assert_event(&launch.rig, EVENT_ENGINE_NOT_EXECUTED, 0, "number of threads", 0x90c0, 0x368);
        launch_end(&launch);
    }
}

static void what_is_not_executed_is_told_by_name(void **state) {
    (void)state;
    begin();
    launch_size(&launch, 2, 1, 1, 64, 1, 1);
    PROGRAM(0xf0b800020007ff00); /* B2R.WARP */
    launch_run(&launch);
    assert_event(&launch.rig, EVENT_ENGINE_NOT_EXECUTED, 0, "B2R", launch.of->object_class, 0x2bc);
    assert_int_equal(engine_rig_count(&launch.rig, EVENT_ENGINE_NOT_EXECUTED), 1);
    launch_end(&launch);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_of_a_program_have_its_address),
        cmocka_unit_test(shared_memory_that_is_not_there_is_no_space),
        cmocka_unit_test(a_program_without_an_end_times_out_at_its_address),
        cmocka_unit_test(a_barrier_that_nobody_completes_times_out),
        cmocka_unit_test(an_access_that_faults_ends_the_launch),
        cmocka_unit_test(a_program_that_is_not_there_is_a_fault),
        cmocka_unit_test(the_scheduler_refuses_what_a_processor_does_not_have),
        cmocka_unit_test(registers_and_local_memory_are_for_all_threads_together),
        cmocka_unit_test(a_block_of_fermi_with_a_wrong_number_of_threads_says_so),
        cmocka_unit_test(what_is_not_executed_is_told_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
