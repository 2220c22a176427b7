/* SPDX-License-Identifier: MIT */
/* Which methods say that they are not executed: exactly the ones that start work, class by class. */
#include "check.h"

#define MAX_GROUPS 14

struct group {
    uint32_t first, count, stride;
};

struct expectation {
    const char *chip;
    uint32_t object_class;
    struct group groups[MAX_GROUPS];
};

/* From Fermi on. The clear at 0x19d0 says so since the sweep has switched clip ids on before. */
#define DRAWING                                                                                                        \
    {0x2f0, 1, 4}, {0x1464, 1, 4}, {                                                                                   \
        0x19d0, 1, 4                                                                                                   \
    }
#define EXTRA                                                                                                          \
    {0x2408, 5, 32}, {                                                                                                 \
        0x240c, 5, 32                                                                                                  \
    } /* textures */
/* Draws by then, since the sweep has asked for finer conservative rasterisation. */
#define CONSERVATIVE                                                                                                   \
    {0x1214, 2, 4}, {0x17e0, 1, 4}, {                                                                                  \
        0x17e4, 6, 4                                                                                                   \
    }

static const struct expectation expectations[] = {
    {"NV40", 0x0019, {{0}}},
    {"NV40", 0x3062, {{0}}},
    {"NV40", 0x0030, {{0}}},
    {"NV40", 0x0038, {{0x33c, 1, 4}}},
    {"NV40", 0x0088, {{0x33c, 1, 4}}},
    {"NV40", 0x0039, {{0}}},
    {"NV40", 0x0054, {{0x600, 64, 4}}},
    {"NV40", 0x0055, {{0x540, 48, 4}}},
    {"NV40", 0x0056, {{0xdfc, 1, 4}, {0x13fc, 1, 4}, {0xd6c, 1, 4}}},
    {"NV40", 0x0597, {{0x130, 1, 4}, {0x17fc, 1, 4}}},
    {"NV40", 0x0397, {{0x130, 1, 4}, {0x1808, 1, 4}}},
    {"NV40", 0x4097, {{0x130, 1, 4}, {0x1808, 1, 4}}},
    {"G80", 0x5097, {{0x19d0, 2, 4}, {0x15dc, 1, 4}, {0x15d4, 1, 4}}},
    {"G80", 0x502d, {{0}}},
    {"G80", 0x50c0, {{0}}}, /* launches: test_engine_compute.c */
    {"GF100", 0x9097, {DRAWING, EXTRA}},
    {"GF100", 0x902d, {{0}}},
    {"GF100", 0x90c0, {{0x234, 1, 4}, {0x1b0c, 1, 4}}},
    {"GK104", 0xa0c0, {{0x1b0c, 1, 4}}},
    {"GP102", 0xc1c0, {{0x1b0c, 1, 4}}},
    {"GA100", 0xc6c0, {{0x1b0c, 1, 4}}},
    {"GA102", 0xc7c0, {{0x1b0c, 1, 4}}},
    {"GK104", 0xa097, {DRAWING, EXTRA}},
    {"GK20A", 0xa297, {DRAWING, EXTRA}},
    {"GM20B", 0xb197, {DRAWING, EXTRA, CONSERVATIVE, {0x1640, 1, 4}}},
    {"GP102", 0xc197, {DRAWING, EXTRA, CONSERVATIVE, {0x1640, 1, 4}, {0x1274, 1, 4}, {0x2c8, 1, 4}}},
    {"GF100", 0x9039, {{0}}},
    {"GK104", 0xa040, {{0}}},
    {"GK104", 0xa0b5, {{0}}},
};

static bool expected(const struct expectation *e, uint32_t method) {
    for (unsigned g = 0; g < MAX_GROUPS && e->groups[g].count; g++) {
        const struct group *group = &e->groups[g];
        if (method >= group->first && (method - group->first) % group->stride == 0 &&
            (method - group->first) / group->stride < group->count)
            return true;
    }
    return false;
}

/* Every method of the class with data 1; sizes of inline data are set so that there is something to move. */
static void sweep(const struct expectation *e) {
    struct engine_rig rig;
    assert_true(engine_rig_start(&rig, e->chip));
    unsigned id = engine_rig_id(&rig, CHIP_UNIT_PGRAPH);
    assert_true(engine_rig_bind(&rig, id, 0, e->object_class));
    engine_rig_observe(&rig, "engine.not_executed");
    uint32_t end = rig.fifo.chip->ring_only ? 0x4000 : 0x2000;
    send(&rig, id, 0, 0x180, 1, 1);
    for (uint32_t method = 0x100; method < end; method += 4) {
        rig.events = 0;
        send(&rig, id, 0, 0x31c, 1, 1);
        rig.events = 0;
        if (engine_rig_offer(&rig, id, 0, method, 4, WORDS(1)) != 1)
            assert_int_equal(method, 0x1b0c); /* the acquire of 3D classes waits */
        if (rig.events != expected(e, method))
            fail_msg("%s class %04x method %04x: %u events: %s", e->chip, e->object_class, method, rig.events,
                     rig.events ? rig.event[0].text : "");
        if (rig.events) {
            assert_int_equal(rig.event[0].value[0], e->object_class);
            assert_int_equal(rig.event[0].value[1], method);
            assert_int_equal(rig.event[0].value[2], 1);
        }
    }
    engine_rig_stop(&rig);
}

static void work_that_is_not_executed_says_so(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof expectations / sizeof expectations[0]; i++)
        sweep(&expectations[i]);
}

static void it_says_so_every_time(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "TU102", CHIP_UNIT_PGRAPH, 0xc597);
    sent(&rig, id, 0, 0x1618, 0, WORDS(1, 2, 3, 4, 5));
    send(&rig, id, 0, 0x1214, 6);
    assert_int_equal(rig.events, 6);
    for (unsigned i = 0; i < 6; i++)
        assert_int_equal(rig.event[i].value[2], i + 1);
    engine_rig_stop(&rig);
}

/*
 * Nothing is rejected early, so where that is written down makes no difference: regions, their sizes, places and storage, which
 * of them is active (Mesa's Vulkan has 0x3f: none), bounds, counters, and what clears and loads them. What would store them for
 * somebody to read says so.
 */
static void the_state_of_zcull_is_accepted(void **state) {
    (void)state;
    static const struct {
        uint32_t method, data;
    } state_of_it[] = {{0x1590, 0x3f}, {0x1590, 0}, {0x7c0, 0x400},  {0x7c4, 0x300}, {0x7c8, 1},
                       {0x7cc, 0},     {0x7e8, 0},  {0x7ec, 0x1000}, {0x7f0, 0},     {0x7f4, 0x2000},
                       {0xdd8, 0x10},  {0x151c, 1}, {0x12c8, 3},     {0x1500, 0}};
    static const uint32_t classes[] = {0xa097, 0xb097, 0xc197};
    static const char *const chips[] = {"GK104", "GM107", "GP102"};
    for (unsigned i = 0; i < 3; i++) {
        struct engine_rig rig;
        unsigned id = start(&rig, chips[i], CHIP_UNIT_PGRAPH, classes[i]);
        for (size_t k = 0; k < sizeof state_of_it / sizeof state_of_it[0]; k++)
            send(&rig, id, 0, state_of_it[k].method, state_of_it[k].data);
        assert_null(engine_rig_event(&rig, EVENT_ENGINE_NOT_EXECUTED, 0));
        assert_int_equal(rig.faults + rig.interrupts, 0);
        send(&rig, id, 0, 0x1464, 0);
        assert_non_null(engine_rig_event(&rig, EVENT_ENGINE_NOT_EXECUTED, 0));
        engine_rig_stop(&rig);
    }
}

static void the_end_of_a_primitive_is_no_work(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "NV40", CHIP_UNIT_PGRAPH, 0x4097);
    send(&rig, id, 0, 0x1808, 5);
    send(&rig, id, 0, 0x1808, 0);
    assert_int_equal(rig.events, 1);
    engine_rig_stop(&rig);
}

/* However many commands there are between its beginning and its end: batches, arrays, indices, vertices. */
static void a_draw_says_so_once(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "NV40", CHIP_UNIT_PGRAPH, 0x4097);
    send(&rig, id, 0, 0x19c, 1, 1);
    send(&rig, id, 0, 0x1808, 5);
    sent(&rig, id, 0, 0x1814, 0, WORDS(0xff000000, 0xff000100, 0x02000200));
    sent(&rig, id, 0, 0x1824, 0, WORDS(0xff000000, 1));
    send(&rig, id, 0, 0x1808, 0);
    assert_int_equal(rig.events, 1);
    engine_rig_stop(&rig);
    id = start(&rig, "G80", CHIP_UNIT_PGRAPH, 0x5097);
    send(&rig, id, 0, 0x15dc, 4);
    send(&rig, id, 0, 0xd74, 0, 3);
    sent(&rig, id, 0, 0x15e8, 0, WORDS(1, 2, 3));
    send(&rig, id, 0, 0x15e0, 0);
    assert_int_equal(rig.events, 1);
    engine_rig_stop(&rig);
    id = start(&rig, "TU102", CHIP_UNIT_PGRAPH, 0xc597);
    send(&rig, id, 0, 0x1618, 4);
    send(&rig, id, 0, 0xd74, 0, 3);
    send(&rig, id, 0, 0x17dc, 0, 3);
    send(&rig, id, 0, 0x304, 3);
    send(&rig, id, 0, 0x123c, 3);
    send(&rig, id, 0, 0x1614, 0);
    assert_int_equal(rig.events, 1);
    send(&rig, id, 0, 0x1618, 4 | 1 << 26); /* the next instance */
    assert_int_equal(rig.events, 2);
    engine_rig_stop(&rig);
}

/* SET_DRAW_CONTROL, then start and count. */
static void draws_of_turing_begin_with_their_count(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "TU102", CHIP_UNIT_PGRAPH, 0xc597);
    send(&rig, id, 0, 0x260, 4, 0, 0, 3);
    assert_int_equal(rig.events, 1);
    assert_event(&rig, EVENT_ENGINE_NOT_EXECUTED, 0, "", 0xc597, 0x26c);
    send(&rig, id, 0, 0x270, 0, 3);
    assert_int_equal(rig.events, 2);
    send(&rig, id, 0, 0x1558, 0);
    send(&rig, id, 0, 0x270, 0, 3);
    assert_int_equal(rig.events, 2);
    engine_rig_stop(&rig);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(work_that_is_not_executed_says_so),
        cmocka_unit_test(it_says_so_every_time),
        cmocka_unit_test(the_state_of_zcull_is_accepted),
        cmocka_unit_test(the_end_of_a_primitive_is_no_work),
        cmocka_unit_test(a_draw_says_so_once),
        cmocka_unit_test(draws_of_turing_begin_with_their_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
