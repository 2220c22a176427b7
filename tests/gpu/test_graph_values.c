/* SPDX-License-Identifier: MIT */
/*
 * Values that methods of NV1 and NV3 refuse, methods that depend on the colour format, and the error that DEBUG_3
 * forces.
 *
 * What is expected is from envytools hwtest/pgraph_mthd.cc, pgraph_class_{ctx,tex,ifm,sifm,d3d0,surf}.cc.
 */
#include "nv3.h"

#define INSTANCE       0x2000u
#define BLIT           0x10u /* types */
#define BETA           0x01u
#define PATTERN        0x06u
#define SCALED         0x0eu
#define NOTIFY         0x104u
#define INVALID_METHOD 0x1u
#define INVALID_VALUE  0x10u
#define DATA_CHECK     (1u << 20) /* DEBUG_3 */
#define FORCE          (3u << 20)
#define YUV420         7u
#define CTX_OPTIONS    0x400180

#define VALUES 8

/* Values of a method that the type takes, and others; 0xdeadbeef: no more. */
#define END 0xdeadbeefu
static const struct rule {
    const char *chip;
    uint8_t type;
    uint16_t method;
    uint32_t fits[VALUES], refused[VALUES];
} rules[] = {
    {"NV1", 0x02, 0x300, {0, 0xff, END}, {0x100, 0x80000000, ~0u, END}},
    {"NV3", 0x02, 0x300, {0, 0xff, 0x100, ~0u, END}, {END}},
    {"NV1", 0x06, 0x308, {0, 1, 2, END}, {3, 4, 0x80000000, END}},
    {"NV3", 0x06, 0x308, {0, 1, 2, END}, {3, 4, 0xa2c5ce2f, END}},
    {"NV1", 0x0d, 0x304, {0x22, 0x88, 0x88880088, END}, {0, 0x12, 0x21, 0x92, 0x29, 0x122, 0x90000022, END}},
    {"NV1", 0x0e, 0x304, {0x22, 0x88880088, END}, {0, 0x8022, 0x00090022, 0x09000022, END}},
    {"NV1", 0x1d, 0x304, {0x22, 0x88880088, END}, {0, 0x00900022, 0x0122, END}},
    {"NV1", 0x1e, 0x304, {0x22, 0x88880088, END}, {0, 0xa0000022, 0x1022, END}},
    {"NV1", 0x13, 0x310, {0, 0x2000, ~0u, END}, {END}},
    {"NV1", 0x14, 0x310, {0, 0x2000, ~0u, END}, {END}},
    {"NV3", 0x14, 0x310, {0, 0x1fff, END}, {0x2000, 0x10000, ~0u, END}},
    {"NV3", 0x0e, 0x400, {0, 0x04000400, 0x00010001, END}, {0x401, 0x04010000, 0x8000, 0x80000000, END}},
    {"NV3", 0x0e, 0x404, {0, 0x1fff, END}, {0x2000, 0x10000, ~0u, END}},
    {"NV3", 0x0e, 0x408, {0, ~0u, END}, {END}},
    {"NV3", 0x17, 0x308, {0, 0xbb31ffff, END}, {0x00020000, 0x00400000, 0x0c000000, 0xc0000000, END}},
    {"NV3",
     0x17,
     0x314,
     {0x00011000, 0x04483d52, 0xf4483df2, END},
     {0, 0x1000, 0x00010000, 0x00011003, 0x00091000, END}},
    {"NV3", 0x17, 0x314, {0x00081000, END}, {0x00511000, 0x05011000, 0x00811000, 0x08011000, 0x00011004, END}},
    {"NV3", 0x17, 0x318, {0x100, 0x8ff, END}, {0, 0xff, 0x900, 0xf00, 0x1100, 0x80000100, END}},
    {"NV3", 0x18, 0x304, {0x00010000, 0xf4480000, END}, {0, 0x00010001, 0x00011000, 0x00090000, 0x00510000, END}},
    {"NV3", 0x18, 0x304, {0x00080000, END}, {0x05010000, 0x00810000, 0x08010000, END}},
    {"NV3", 0x18, 0x308, {0x100, 0x8ff, END}, {0, 0xff, 0x900, 0x1100, END}},
    {"NV3", 0x1c, 0x300, {1, 0x01000000, 0x01010000, 0x01010001, END}, {0, 2, 0x00010000, 0x01000001, 0x01020000, END}},
    {"NV3", 0x1c, 0x308, {0, ~0u, END}, {END}},
    {"NV3", 0x10, 0x300, {0, ~0u, END}, {END}},
    {"NV1", 0x01, 0x300, {0, ~0u, END}, {END}},
};

static struct pfifo_gpu *make(const char *chip, uint32_t type) {
    struct pfifo_gpu *gpu = nv3_make(chip);
    nv3_context(gpu, 1, type, INSTANCE);
    if (!is_nv1(gpu))
        wr(gpu, REG_DEBUG_3, DATA_CHECK);
    return gpu;
}

/* What one method leaves, with a PGRAPH that has forgotten the one before. */
static void assert_left(struct pfifo_gpu *gpu, const char *what, uint32_t method, uint32_t data, uint32_t invalid) {
    nv3_acknowledge(gpu);
    nv3_send(gpu, 1, method, data);
    uint32_t intr = rd(gpu, REG_INTR), found = rd(gpu, REG_INVALID), access = rd(gpu, REG_FIFO) & 1;
    if (intr != (invalid ? INTR_INVALID : 0) || found != invalid || access != !invalid)
        fail_msg("%s: %s %04x %08x: INTR %08x INVALID %08x FIFO %u", gpu->chip->name, what, (unsigned)method,
                 (unsigned)data, (unsigned)intr, (unsigned)found, (unsigned)access);
}

static void assert_rule(const char *chip, const struct rule *rule) {
    struct pfifo_gpu *gpu = make(chip, rule->type);
    for (unsigned i = 0; rule->fits[i] != END; i++)
        assert_left(gpu, "fits", rule->method, rule->fits[i], 0);
    for (unsigned i = 0; rule->refused[i] != END; i++)
        assert_left(gpu, "is refused", rule->method, rule->refused[i], INVALID_VALUE);
    pfifo_gpu_free(gpu);
}

static void a_value_that_a_method_has_no_meaning_for_is_refused(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(rules); i++) {
        assert_rule(rules[i].chip, &rules[i]);
        if (strcmp(rules[i].chip, "NV3") == 0)
            assert_rule("NV3T", &rules[i]);
    }
}

static void nv3_takes_all_values_while_data_check_is_off(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(rules); i++) {
        if (strcmp(rules[i].chip, "NV3") != 0)
            continue;
        struct pfifo_gpu *gpu = make("NV3", rules[i].type);
        wr(gpu, REG_DEBUG_3, 1u << 21);
        for (unsigned v = 0; rules[i].refused[v] != END; v++)
            assert_left(gpu, "is taken", rules[i].method, rules[i].refused[v], 0);
        pfifo_gpu_free(gpu);
    }
}

/* The bits that the register after the method has. */
static void a_refused_value_is_kept_as_far_as_there_are_bits_for_it(void **state) {
    static const struct {
        const char *chip;
        uint8_t type;
        uint16_t object_class, method;
        uint32_t kept;
    } cases[] = {{"NV1", 0x02, 0x14, 0x300, 0xff},       {"NV3", 0x06, 0x18, 0x308, 3},
                 {"NV1", 0x0d, 0x23, 0x304, 0xffff00ff}, {"NV3", 0x14, 0x25, 0x310, 0xffff},
                 {"NV3", 0x0e, 0x37, 0x400, 0x07ff07ff}, {"NV3", 0x17, 0x48, 0x314, 0xf77fbdf3},
                 {"NV3", 0x18, 0x47, 0x308, 0xfff}};
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct pfifo_gpu *gpu = make(cases[i].chip, cases[i].type);
        uint32_t value = 0;
        assert_left(gpu, "is refused", cases[i].method, ~0u, INVALID_VALUE);
        assert_true(pfifo_gpu_method_value(gpu, CHANNEL, cases[i].object_class, cases[i].method, &value));
        assert_int_equal(value, cases[i].kept);
        pfifo_gpu_free(gpu);
    }
}

/* ---- YUV420 ---- */

static void two_methods_of_scaled_images_are_for_yuv420_only(void **state) {
    struct pfifo_gpu *gpu = make("NV3", SCALED);
    (void)state;
    for (uint32_t format = 0; format < 8; format++) {
        nv3_send(gpu, 1, 0x31c, 0);
        wr(gpu, CTX_OPTIONS, format);
        assert_left(gpu, "first", 0x410, 0xde3d1cd1, format == YUV420 ? 0 : INVALID_METHOD);
        assert_left(gpu, "second", 0x414, 0xde3d1cd1, format == YUV420 ? 0 : INVALID_METHOD);
        assert_left(gpu, "offset, or point", 0x40c, 0xde3d1cd1, 0);
    }
    wr(gpu, CTX_OPTIONS, 0);
    wr(gpu, REG_DEBUG_3, 0); /* no bit switches that off */
    assert_left(gpu, "unchecked", 0x410, 0, INVALID_METHOD);
    pfifo_gpu_free(gpu);
}

/* The options of an object come with another subchannel, if DEBUG_1 lets them. */
static void the_colour_format_is_the_objects(void **state) {
    struct pfifo_gpu *gpu = make("NV3", SCALED);
    (void)state;
    wr(gpu, REG_DEBUG_1, 1u << 20 | 1u << 16);
    wr(gpu, REG_FIFO, 0);
    wr(gpu, 0x4001a4, YUV420); /* of subchannel 1 */
    wr(gpu, REG_FIFO, 1);
    wr(gpu, REG_USER, CHANNEL << 24 | 2 << 13);
    assert_left(gpu, "offset of V", 0x410, 1, 0);
    assert_int_equal(rd(gpu, CTX_OPTIONS), YUV420);
    pfifo_gpu_free(gpu);
}

/* The first method of another object is checked by the format before, unless the object is loaded from RAMIN. */
static void the_format_of_another_object_may_come_too_late(void **state) {
    static const struct {
        uint32_t instance, invalid; /* what the register has */
    } cases[] = {{INSTANCE, INVALID_METHOD}, {INSTANCE + 1, 0}};
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct pfifo_gpu *gpu = make("NV3", SCALED);
        wr(gpu, REG_DEBUG_1, 1u << 20 | 1u << 16);
        wr(gpu, REG_INST, cases[i].instance);
        wr(gpu, REG_FIFO, 0);
        wr(gpu, 0x4001a4, YUV420); /* of subchannel 1 */
        wr(gpu, REG_USER, CHANNEL << 24 | 2 << 13);
        assert_left(gpu, "first", 0x410, 1, cases[i].invalid);
        assert_left(gpu, "second", 0x410, 1, 0);
        pfifo_gpu_free(gpu);
    }
}

static void the_pitch_of_yuv420_is_two_and_not_checked(void **state) {
    struct pfifo_gpu *gpu = make("NV3", SCALED);
    (void)state;
    nv3_send(gpu, 1, 0x31c, 0);
    wr(gpu, CTX_OPTIONS, YUV420);
    assert_left(gpu, "pitches", 0x404, ~0u, 0);
    assert_left(gpu, "size", 0x400, 0x401, INVALID_VALUE);
    wr(gpu, CTX_OPTIONS, 6);
    assert_left(gpu, "pitch", 0x404, ~0u, INVALID_VALUE);
    pfifo_gpu_free(gpu);
}

/* ---- DEBUG_3 ---- */

static void debug_3_of_nv3_can_refuse_each_method(void **state) {
    struct pfifo_gpu *gpu = make("NV3", BLIT);
    (void)state;
    wr(gpu, REG_DEBUG_3, FORCE);
    assert_left(gpu, "plain", 0x300, 0, INVALID_VALUE);
    assert_left(gpu, "draws", 0x308, 0, INVALID_VALUE);
    assert_left(gpu, "is none", 0x30c, 0, INVALID_VALUE | INVALID_METHOD);
    wr(gpu, REG_DEBUG_3, DATA_CHECK);
    assert_left(gpu, "is not forced", 0x300, 0, 0);
    pfifo_gpu_free(gpu);
}

static void a_method_that_nv1_has_no_debug_3_for_is_not_forced(void **state) {
    struct pfifo_gpu *gpu = make("NV1", BLIT);
    (void)state;
    wr(gpu, REG_DEBUG_3, FORCE);
    assert_left(gpu, "plain", 0x300, 0, 0);
    pfifo_gpu_free(gpu);
}

/* It is a value that is refused: NOTIFY is not armed, and one that is armed stays so. */
static void a_forced_error_arms_no_notify(void **state) {
    struct pfifo_gpu *gpu = make("NV3", BLIT);
    (void)state;
    wr(gpu, REG_DEBUG_3, FORCE);
    assert_left(gpu, "NOTIFY", NOTIFY, 3, INVALID_VALUE);
    assert_int_equal(rd(gpu, REG_NOTIFY) & ARMED, 0);
    nv3_acknowledge(gpu);
    wr(gpu, REG_NOTIFY, ARMED | 1u << 20);
    wr(gpu, REG_DEBUG_3, 0);
    nv3_send(gpu, 1, 0x30c, 0);
    assert_int_equal(rd(gpu, REG_INTR), INTR_INVALID | INTR_NOTIFY);
    wr(gpu, REG_DEBUG_3, FORCE);
    nv3_acknowledge(gpu);
    nv3_send(gpu, 1, 0x30c, 0);
    assert_int_equal(rd(gpu, REG_INTR), INTR_INVALID);
    assert_int_equal(rd(gpu, REG_INVALID), INVALID_VALUE | INVALID_METHOD);
    assert_int_equal(rd(gpu, REG_NOTIFY) & ARMED, ARMED);
    pfifo_gpu_free(gpu);
}

/* Method 0 is not forced, and after CTXSW_NOTIFY nothing is. */
static void a_binding_is_not_forced(void **state) {
    struct pfifo_gpu *gpu = make("NV3", BLIT);
    (void)state;
    nv3_send(gpu, 1, 0x300, 0);
    wr(gpu, REG_DEBUG_3, FORCE);
    nv3_context(gpu, 2, BETA, INSTANCE);
    wr(gpu, REG_NOTIFY, ARMED);
    nv3_acknowledge(gpu);
    nv3_send(gpu, 2, 0x300, 0);
    assert_int_equal(rd(gpu, REG_INVALID), 0x10000);
    assert_int_equal(rd(gpu, REG_INTR), INTR_INVALID);
    pfifo_gpu_free(gpu);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_value_that_a_method_has_no_meaning_for_is_refused),
        cmocka_unit_test(nv3_takes_all_values_while_data_check_is_off),
        cmocka_unit_test(a_refused_value_is_kept_as_far_as_there_are_bits_for_it),
        cmocka_unit_test(two_methods_of_scaled_images_are_for_yuv420_only),
        cmocka_unit_test(the_colour_format_is_the_objects),
        cmocka_unit_test(the_format_of_another_object_may_come_too_late),
        cmocka_unit_test(the_pitch_of_yuv420_is_two_and_not_checked),
        cmocka_unit_test(debug_3_of_nv3_can_refuse_each_method),
        cmocka_unit_test(a_method_that_nv1_has_no_debug_3_for_is_not_forced),
        cmocka_unit_test(a_forced_error_arms_no_notify),
        cmocka_unit_test(a_binding_is_not_forced),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
