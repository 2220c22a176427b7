/* SPDX-License-Identifier: MIT */
/* What reports of Turing and GA102 have besides: traps, payloads of 64 bits, the second interface. */
#include "check.h"

static void ga102_has_a_second_report_with_64_bits(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "GA102", CHIP_UNIT_PGRAPH, 0xc797);
    send(&rig, id, 0, 0x158, 0x11111111, 0x22222222, 0x1000, 0, 1u << 13);
    assert_int_equal(engine_rig_rd64(&rig, 0x1000), 0x11111111);
    send(&rig, id, 0, 0x168, 2u << 13 | 1u << 27);
    assert_int_equal(engine_rig_rd64(&rig, 0x1000), 0x2222222211111111);
    assert_int_equal(engine_rig_rd64(&rig, 0x1008), 0);
    send(&rig, id, 0, 0x168, 0);
    assert_int_equal(engine_rig_rd64(&rig, 0x1000), 0x11111111);
    assert_int_equal(engine_rig_rd64(&rig, 0x1008), ENGINE_RIG_TIME);
    send(&rig, id, 0, 0x168, 1u << 13 | 1u << 20 | 1u << 6); /* add, interrupt */
    assert_int_equal(engine_rig_rd32(&rig, 0x1000), 0x22222222);
    assert_int_equal(rig.interrupts, 1);
    assert_true(engine_rig_bind(&rig, id, 1, 0xc7c0));
    send(&rig, id, 1, 0x158, 7, 0, 0x2000, 0, 1u << 3);
    assert_int_equal(engine_rig_rd64(&rig, 0x2000), 7);
    send(&rig, id, 1, 0x168, 1u << 3 | 1u << 6 | 7u << 7);
    assert_int_equal(engine_rig_rd64(&rig, 0x2000), 0);
    engine_rig_stop(&rig);
}

static void ga102_reduces_and_acquires_64_bits(void **state) {
    (void)state;
    static const struct {
        uint32_t object_class, is_64, two_words, reduce, signed_format;
        unsigned operation;
    } cases[] = {{0xc797, 1u << 27, 2u << 13, 1u << 20, 1u << 24, 21},
                 {0xc7c0, 1u << 12, 2u << 3, 1u << 6, 1u << 10, 7}};
    for (unsigned i = 0; i < 2; i++) {
        struct engine_rig rig;
        unsigned id = start(&rig, "GA102", CHIP_UNIT_PGRAPH, cases[i].object_class);
        uint32_t reduce = cases[i].is_64 | cases[i].two_words | cases[i].reduce;
        engine_rig_wr32(&rig, 0x1000, 5);
        send(&rig, id, 0, 0x158, 0xffffffff, 0xffffffff, 0x1000, 0);
        send(&rig, id, 0, 0x168, reduce | 1u << cases[i].operation); /* MIN */
        assert_int_equal(engine_rig_rd64(&rig, 0x1000), 5);
        send(&rig, id, 0, 0x168, reduce);
        assert_int_equal(engine_rig_rd64(&rig, 0x1000), 4);
        send(&rig, id, 0, 0x168, reduce | 1u << cases[i].operation | cases[i].signed_format);
        assert_int_equal(engine_rig_rd64(&rig, 0x1000), UINT64_MAX);
        send(&rig, id, 0, 0x168, reduce | 2 * cases[i].signed_format);
        assert_event(&rig, EVENT_ENGINE_NOT_EXECUTED, 0, "reduction", cases[i].object_class, 0x168);
        send(&rig, id, 0, 0x158, 0, 1);
        assert_int_equal(engine_rig_offer(&rig, id, 0, 0x168, 4, WORDS(cases[i].is_64 | 1)), 0);
        engine_rig_wr32(&rig, 0x1004, 0);
        assert_int_equal(engine_rig_offer(&rig, id, 0, 0x168, 4, WORDS(cases[i].is_64 | 1)), 0);
        engine_rig_wr32(&rig, 0x1004, 1);
        engine_rig_wr32(&rig, 0x1000, 0);
        assert_int_equal(engine_rig_offer(&rig, id, 0, 0x168, 4, WORDS(cases[i].is_64 | 1)), 1);
        assert_event(&rig, EVENT_ENGINE_ACQUIRE, 1, "acquired", 0x1000, UINT64_C(1) << 32);
        engine_rig_wr32(&rig, 0x1000, 0x80000000); /* greater */
        assert_int_equal(engine_rig_offer(&rig, id, 0, 0x168, 4, WORDS(cases[i].is_64 | 1)), 1);
        engine_rig_wr32(&rig, 0x1004, 0x80000001);
        assert_int_equal(engine_rig_offer(&rig, id, 0, 0x168, 4, WORDS(cases[i].is_64 | 1)), 0);
        engine_rig_stop(&rig);
    }
}

/* From Turing on in 0x1b0c, from GA102 on in 0x168. */
static void releases_may_ask_for_traps(void **state) {
    (void)state;
    static const struct {
        const char *chip;
        uint32_t object_class, method, data;
        unsigned interrupts;
    } cases[] = {
        {"GV100", 0xc397, 0x1b0c, 0x10080000, 0}, {"TU102", 0xc597, 0x1b0c, 0x10080000, 1},
        {"GV100", 0xc3c0, 0x1b0c, 0x10080000, 0}, {"TU102", 0xc5c0, 0x1b0c, 0x10080000, 1},
        {"GA102", 0xc797, 0x168, 0x10002000, 1},  {"GA102", 0xc797, 0x168, 0x20002000, 1},
        {"GA102", 0xc797, 0x168, 0x30002002, 1},  {"GA102", 0xc797, 0x168, 0x00002000, 0},
        {"GA102", 0xc7c0, 0x168, 0x00002008, 1},  {"GA102", 0xc7c0, 0x168, 0x00004008, 1},
        {"GH100", 0xcbc0, 0x1b0c, 0x10180000, 1},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct engine_rig rig;
        unsigned id = start(&rig, cases[i].chip, CHIP_UNIT_PGRAPH, cases[i].object_class);
        send(&rig, id, 0, 0x1b00, 0, 0x1000, 5);
        send(&rig, id, 0, 0x158, 5, 0, 0x1000, 0);
        send(&rig, id, 0, cases[i].method, cases[i].data);
        assert_int_equal(engine_rig_rd32(&rig, 0x1000), 5);
        assert_int_equal(rig.interrupts, cases[i].interrupts);
        engine_rig_stop(&rig);
    }
}

static void a_report_of_the_time_is_one_of_64_bits(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "GA102", CHIP_UNIT_PGRAPH, 0xc797);
    send(&rig, id, 0, 0x158, 99, 98, 0x1000, 0, 0x14 << 7 | 2 << 13 | 2);
    assert_int_equal(engine_rig_rd64(&rig, 0x1000), ENGINE_RIG_TIME);
    send(&rig, id, 0, 0x1b00, 0, 0x1100, 99, 0x0a00f002);
    assert_int_equal(engine_rig_rd64(&rig, 0x1100), ENGINE_RIG_TIME);
    assert_int_equal(engine_rig_rd64(&rig, 0x1108), ENGINE_RIG_TIME);
    engine_rig_stop(&rig);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ga102_has_a_second_report_with_64_bits),
        cmocka_unit_test(ga102_reduces_and_acquires_64_bits),
        cmocka_unit_test(releases_may_ask_for_traps),
        cmocka_unit_test(a_report_of_the_time_is_one_of_64_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
