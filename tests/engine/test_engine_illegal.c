/* SPDX-License-Identifier: MIT */
/* Methods that a class does not have, in the engine: which are refused, and on what that depends. */
#include "check.h"
#include "unit/graph/graph.h"

#define PGRAPH  CHIP_UNIT_PGRAPH
#define MISSING 0x1ffcu /* of most classes */

/* How often one method of a class was refused, and that the reason is the one of these events. */
static unsigned refused(const char *chip, uint32_t object_class, uint32_t method, uint32_t debug_3,
                        const char *reason) {
    struct engine_rig rig;
    unsigned id = start(&rig, chip, PGRAPH, object_class);
    rig.fifo.graph->r.debug_3 = debug_3;
    send(&rig, id, 0, method, 1);
    unsigned count = engine_rig_count(&rig, EVENT_ENGINE_ERROR);
    if (count)
        assert_event(&rig, EVENT_ENGINE_ERROR, 0, reason, object_class, method);
    assert_int_equal(rig.interrupts, count);
    engine_rig_stop(&rig);
    return count;
}

static void a_method_that_a_class_lacks_is_refused(void **state) {
    static const struct {
        const char *chip;
        uint16_t object_class, method;
    } cases[] = {
        {"NV4", 0x39, MISSING},   {"NV5", 0x39, 0x140},     {"NV17", 0x39, MISSING}, {"NV17", 0x39, 0x308},
        {"NV10", 0x43, 0x304},    {"NV10", 0x56, 0x1628},   {"NV17", 0x99, 0x1638},  {"NV17", 0x99, 0x1658},
        {"NV15", 0x62, 0x110},    {"NV20", 0x97, 0x1b28},   {"NV25", 0x597, 0x31c},  {"NV28", 0x97, 0x0224},
        {"NV30", 0x397, 0x3ac},   {"NV36", 0x497, 0x17bc},  {"NV34", 0x697, 0x380},  {"NV40", 0x4097, 0x500},
        {"NV40", 0x3597, 0x1d64}, {"NV44", 0x4497, 0x1400}, {"RSX", 0x4097, 0x1ffc}, {"MCP73", 0x309e, 0x308},
        {"NV40", 0x305c, 0x10c},  {"NV10", 0x5f, 0x10c},    {"NV20", 0x5f, 0x200},   {"NV40", 0x308a, 0x200},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        if (refused(cases[i].chip, cases[i].object_class, cases[i].method, 0, "ILLEGAL_MTHD") != 1)
            fail_msg("%s %04x %04x", cases[i].chip, cases[i].object_class, cases[i].method);
}

static void a_method_that_it_has_is_not(void **state) {
    static const struct {
        const char *chip;
        uint16_t object_class, method;
    } cases[] = {
        {"NV5", 0x39, 0x30c},    {"NV17", 0x43, 0x300},   {"NV20", 0x56, 0x1628},  {"NV17", 0x99, 0x2b8},
        {"NV20", 0x97, 0x1b68},  {"NV25", 0x597, 0x224},  {"NV35", 0x497, 0x380},  {"NV40", 0x4097, 0x23c},
        {"NV30", 0x397, 0x1d64}, {"NV44", 0x4497, 0x38c}, {"RSX", 0x4097, 0x1fc0}, {"NV5", 0x5f, 0x10c},
        {"NV20", 0x62, 0x100},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        if (refused(cases[i].chip, cases[i].object_class, cases[i].method, ~0u, "") != 0)
            fail_msg("%s %04x %04x", cases[i].chip, cases[i].object_class, cases[i].method);
}

/* [hwtest: PM_TRIGGER, FLIP_SET, FLIP_BUMP_WRITE] */
static void some_have_an_enable_bit_in_debug_3(void **state) {
    (void)state;
    assert_int_equal(refused("NV10", 0x43, 0x140, ~(1u << 15), "ILLEGAL_MTHD"), 1);
    assert_int_equal(refused("NV10", 0x43, 0x140, 1u << 15, ""), 0);
    assert_int_equal(refused("NV40", 0x4097, 0x140, 0, "ILLEGAL_MTHD"), 1);
    assert_int_equal(refused("NV30", 0x397, 0x140, 0, ""), 0);
    for (uint32_t method = 0x120; method < 0x130; method += 4) {
        assert_int_equal(refused("NV20", 0x97, method, ~(1u << 25), "ILLEGAL_MTHD"), 1);
        assert_int_equal(refused("NV34", 0x597, method, 0, "ILLEGAL_MTHD"), 1);
        assert_int_equal(refused("NV20", 0x97, method, 1u << 25, ""), 0);
        assert_int_equal(refused("NV15", 0x96, method, 0, ""), 0);
        assert_int_equal(refused("NV30", 0x397, method, 0, ""), 0);
    }
}

/* [hwtest: CTX_*, OPERATION, CLIP_HV of NV5 and later] */
static void nv4_leaves_binds_and_operations_to_its_driver(void **state) {
    static const struct {
        uint16_t object_class, method;
    } cases[] = {{0x5f, 0x184}, {0x5f, 0x19c}, {0x5f, 0x2fc}, {0x5e, 0x198}, {0x1e, 0x194},
                 {0x61, 0x2fc}, {0x60, 0x1a0}, {0x60, 0x3e4}, {0x77, 0x304}, {0x4a, 0x198},
                 {0x4b, 0x184}, {0x36, 0x194}, {0x48, 0x190}, {0x53, 0x2f8}, {0x53, 0x2fc}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct engine_rig rig;
        unsigned id = start(&rig, "NV5", PGRAPH, cases[i].object_class);
        assert_int_equal(refused("NV4", cases[i].object_class, cases[i].method, 0, "ILLEGAL_MTHD"), 1);
        send(&rig, id, 0, cases[i].method, 0);
        assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_ERROR), 0);
        engine_rig_stop(&rig);
    }
}

static void what_hardware_never_had_is_missing(void **state) {
    (void)state;
    assert_int_equal(refused("NV4", 0x5f, 0x200, 0, "MISSING_HW"), 1);
    assert_int_equal(refused("NV17", 0x42, 0x2fc, 0, "MISSING_HW"), 1);
    assert_int_equal(refused("NV17", 0x72, 0x200, 0, "MISSING_HW"), 1);
    assert_int_equal(refused("NV20", 0x72, 0x200, 0, "ILLEGAL_MTHD"), 1);
    assert_int_equal(refused("NV34", 0x5e, 0x200, 0, "MISSING_HW"), 1);
}

/* Words that only set something, before and after one that is refused, are stored. */
static void the_words_around_it_are_taken(void **state) {
    struct engine_rig rig;
    unsigned id = start(&rig, "NV40", PGRAPH, 0x4097);
    (void)state;
    /* 0x22c, 0x230 (none), 0x234 */
    assert_int_equal(engine_rig_offer(&rig, id, 0, 0x22c, 4, WORDS(1, 2, 3)), 1);
    assert_int_equal(engine_rig_offer(&rig, id, 0, 0x230, 4, WORDS(2, 3)), 1);
    assert_int_equal(engine_rig_offer(&rig, id, 0, 0x234, 4, WORDS(3)), 1);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_ERROR), 1);
    assert_event(&rig, EVENT_ENGINE_ERROR, 0, "ILLEGAL_MTHD", 0x4097, 0x230);
    assert_int_equal(engine_rig_value(&rig, id, 0x4097, 0x22c), 1);
    assert_int_equal(engine_rig_value(&rig, id, 0x4097, 0x234), 3);
    engine_rig_stop(&rig);
}

/* Two classes of one kind, on one channel. */
static void each_class_has_its_own(void **state) {
    struct engine_rig rig;
    unsigned id = start(&rig, "NV17", PGRAPH, 0x56);
    (void)state;
    assert_true(engine_rig_bind(&rig, id, 1, 0x99));
    send(&rig, id, 1, 0x2b8, 1);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_ERROR), 0);
    send(&rig, id, 0, 0x2b8, 1);
    assert_event(&rig, EVENT_ENGINE_ERROR, 0, "ILLEGAL_MTHD", 0x56, 0x2b8);
    engine_rig_stop(&rig);
}

/* UNKNOWN on hardware, or known only by its firmware. */
static void nothing_is_refused_where_no_list_is_known(void **state) {
    static const struct {
        const char *chip;
        uint16_t object_class;
    } cases[] = {{"G80", 0x5097},   {"G80", 0x39},     {"GT215", 0x8597}, {"GT215", 0x502d},
                 {"GF100", 0x9097}, {"GF100", 0x902d}, {"GK104", 0xa097}, {"GP104", 0xc197},
                 {"TU102", 0xc597}, {"NV17", 0x4097},  {"NV40", 0x0030}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_int_equal(refused(cases[i].chip, cases[i].object_class, MISSING, ~0u, ""), 0);
}

/* [nouveau gf100_gr_mthd_sw: 0x1528 of 3D and compute] */
static void the_kernel_sets_shader_exceptions_from_gf100_on(void **state) {
    static const struct {
        const char *chip;
        uint16_t object_class;
    } cases[] = {{"GF100", 0x9097}, {"GF119", 0x90c0}, {"GK104", 0xa097}, {"GM107", 0xb0c0},
                 {"GP104", 0xc197}, {"TU102", 0xc5c0}, {"GA102", 0xc797}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_int_equal(refused(cases[i].chip, cases[i].object_class, 0x1528, 0, "ILLEGAL_MTHD"), 1);
    assert_int_equal(refused("GF100", 0x902d, 0x1528, 0, ""), 0);
    assert_int_equal(refused("G80", 0x5097, 0x1528, 0, ""), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_method_that_a_class_lacks_is_refused),
        cmocka_unit_test(a_method_that_it_has_is_not),
        cmocka_unit_test(some_have_an_enable_bit_in_debug_3),
        cmocka_unit_test(nv4_leaves_binds_and_operations_to_its_driver),
        cmocka_unit_test(what_hardware_never_had_is_missing),
        cmocka_unit_test(the_words_around_it_are_taken),
        cmocka_unit_test(each_class_has_its_own),
        cmocka_unit_test(nothing_is_refused_where_no_list_is_known),
        cmocka_unit_test(the_kernel_sets_shader_exceptions_from_gf100_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
