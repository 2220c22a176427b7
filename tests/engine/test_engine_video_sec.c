/* SPDX-License-Identifier: MIT */
/* PSEC with nouveau's firmware. */
#include "check.h"

#define OBJECT(n) ((uint64_t)(n) << 16)
#define CLASS     0x88b4

static struct engine_rig rig;

static unsigned start_sec(void) {
    unsigned id = start(&rig, "G98", CHIP_UNIT_PSEC, CLASS);
    send(&rig, id, 0, 0x180, 2, 3, 4);
    return id;
}

static void a_copy_goes_on_where_the_last_one_ended(void **state) {
    (void)state;
    unsigned id = start_sec();
    for (uint32_t at = 0; at < 0x100; at += 4)
        engine_rig_wr32(&rig, OBJECT(3) + at, at + 1);
    send(&rig, id, 0, 0x320, 0, 0x20, 0, 0x40, 0, 0x30);
    send(&rig, id, 0, 0x334, 0x10);
    for (uint32_t at = 0; at < 0x50; at += 4)
        assert_int_equal(engine_rig_rd32(&rig, OBJECT(4) + 0x40 + at), at < 0x40 ? at + 0x21 : 0);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_DONE), 2);
    assert_int_equal(engine_rig_event(&rig, EVENT_ENGINE_DONE, 1)->value[2], 0x70);
    assert_int_equal(engine_rig_value(&rig, id, CLASS, 0x32c), 0x40); /* what was written is what is read back */
    engine_rig_stop(&rig);
}

static void a_store_writes_the_iv_and_leaves_the_source(void **state) {
    (void)state;
    unsigned id = start_sec();
    send(&rig, id, 0, 0x310, 1, 2, 3, 4);
    send(&rig, id, 0, 0x320, 0, 0x20, 0, 0x40, 1, 0x20);
    for (uint32_t at = 0; at < 0x30; at += 4)
        assert_int_equal(engine_rig_rd32(&rig, OBJECT(4) + 0x40 + at), at < 0x20 ? at / 4 % 4 + 1 : 0);
    engine_rig_wr32(&rig, OBJECT(3) + 0x20, 77);
    send(&rig, id, 0, 0x330, 0, 0x10);
    assert_int_equal(engine_rig_rd32(&rig, OBJECT(4) + 0x60), 77);
    engine_rig_stop(&rig);
}

/* The result is missing, but the addresses are as after it. */
static void modes_of_aes_are_told_by_name_and_move_the_addresses(void **state) {
    (void)state;
    static const struct {
        const char *work;
        bool writes;
    } modes[] = {{"AES-ECB encryption", true},
                 {"AES-ECB decryption", true},
                 {"AES-CBC encryption", true},
                 {"AES-CBC decryption", true},
                 {"AES-PCBC encryption", true},
                 {"AES-PCBC decryption", true},
                 {"AES-CFB encryption", true},
                 {"AES-CFB decryption", true},
                 {"AES-OFB", true},
                 {"AES-CTR", true},
                 {"AES-CBC-MAC", false},
                 {"AES-CMAC", false},
                 {"AES-CMAC of a part", false}};
    for (uint32_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        unsigned id = start_sec();
        engine_rig_wr32(&rig, OBJECT(3) + 0x10, 5);
        send(&rig, id, 0, 0x320, 0, 0, 0, 0, i + 2, 0x10);
        assert_event(&rig, EVENT_ENGINE_NOT_EXECUTED, 0, modes[i].work, CLASS, 0x334);
        assert_int_equal(engine_rig_rd32(&rig, OBJECT(4)), 0);
        send(&rig, id, 0, 0x330, 0, 0x10);
        assert_int_equal(engine_rig_rd32(&rig, OBJECT(4) + (modes[i].writes ? 0x10 : 0)), 5);
        engine_rig_stop(&rig);
    }
}

static void what_the_firmware_refuses_changes_nothing(void **state) {
    (void)state;
    static const struct {
        uint32_t method, data;
        const char *error;
    } cases[] = {
        {0x200, 0x100, "INVALID_BITFIELD"},
        {0x204, 8, "INVALID_BITFIELD"},
        {0x20c, 2, "INVALID_BITFIELD"},
        {0x210, 0x100, "INVALID_BITFIELD"},
        {0x214, 1, "INVALID_BITFIELD"},
        {0x218, 8, "INVALID_BITFIELD"},
        {0x218, 5, "INVALID_ENUM"},
        {0x218, 7, "INVALID_ENUM"},
        {0x21c, 1, "INVALID_BITFIELD"},
        {0x320, 0x100, "INVALID_BITFIELD"},
        {0x324, 4, "INVALID_BITFIELD"},
        {0x328, 0x100, "INVALID_BITFIELD"},
        {0x32c, 0xf, "INVALID_BITFIELD"},
        {0x330, 0x10, "INVALID_BITFIELD"},
        {0x330, 0xf, "INVALID_ENUM"},
        {0x334, 8, "INVALID_BITFIELD"},
        {0x334, 1u << 28, "INVALID_BITFIELD"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        unsigned id = start_sec();
        engine_rig_wr32(&rig, OBJECT(3), 5);
        send(&rig, id, 0, 0x320, 0, 0, 0, 0, 0);
        send(&rig, id, 0, cases[i].method, cases[i].data);
        assert_event(&rig, EVENT_ENGINE_ERROR, 0, cases[i].error, CLASS, cases[i].method);
        assert_int_equal(rig.events, 1);
        assert_int_equal(rig.interrupts, 1);
        send(&rig, id, 0, 0x334, 0x10);
        assert_int_equal(engine_rig_rd32(&rig, OBJECT(4)), 5);
        engine_rig_stop(&rig);
    }
}

/* Queries and conditions stay where they were. */
static void an_address_that_is_refused_is_not_used(void **state) {
    (void)state;
    unsigned id = start_sec();
    engine_rig_wr32(&rig, OBJECT(3), 5);
    engine_rig_wr32(&rig, OBJECT(2) + 0x44, 1);
    send(&rig, id, 0, 0x200, 0, 0x80, 0x77);
    send(&rig, id, 0, 0x210, 0, 0x40);
    send(&rig, id, 0, 0x200, 0x100);
    send(&rig, id, 0, 0x204, 0x24);
    send(&rig, id, 0, 0x210, 0x1ff);
    send(&rig, id, 0, 0x214, 0x68);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_ERROR), 4);
    send(&rig, id, 0, 0x20c, 0);
    assert_int_equal(engine_rig_rd32(&rig, OBJECT(2) + 0x80), 0x77);
    assert_int_equal(engine_rig_rd32(&rig, OBJECT(2) + 0x24), 0);
    send(&rig, id, 0, 0x218, 0);
    send(&rig, id, 0, 0x218, 2);
    send(&rig, id, 0, 0x320, 0, 0, 0, 0, 0, 0x10);
    assert_int_equal(engine_rig_rd32(&rig, OBJECT(4)), 5);
    engine_rig_stop(&rig);
}

/* {counter, result} twice, 16 bytes apart, decide whether a copy is made. */
static void conditions_decide_about_length(void **state) {
    (void)state;
    static const struct {
        uint32_t mode, counter, result, other_counter, other_result;
        bool copies;
    } cases[] = {
        {0, 1, 1, 1, 1, false}, {1, 0, 0, 1, 1, true},  {2, 1, 0, 1, 0, false}, {2, 0, 1, 0, 0, true},
        {3, 1, 2, 1, 2, true},  {3, 1, 2, 3, 2, false}, {3, 1, 2, 1, 3, false}, {4, 1, 2, 1, 2, false},
        {4, 1, 2, 3, 2, true},  {4, 1, 2, 1, 3, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        unsigned id = start_sec();
        engine_rig_wr32(&rig, OBJECT(3), 5);
        engine_rig_wr32(&rig, OBJECT(2) + 0x40, cases[i].counter);
        engine_rig_wr32(&rig, OBJECT(2) + 0x44, cases[i].result);
        engine_rig_wr32(&rig, OBJECT(2) + 0x50, cases[i].other_counter);
        engine_rig_wr32(&rig, OBJECT(2) + 0x54, cases[i].other_result);
        send(&rig, id, 0, 0x210, 0, 0x40, cases[i].mode);
        send(&rig, id, 0, 0x320, 0, 0, 0, 0, 0, 0x10);
        assert_int_equal(engine_rig_rd32(&rig, OBJECT(4)), cases[i].copies ? 5 : 0);
        send(&rig, id, 0, 0x200, 0, 0x80, 3, 0); /* queries do not depend on it */
        assert_int_equal(engine_rig_rd64(&rig, OBJECT(2) + 0x80), 3);
        send(&rig, id, 0, 0x218, 1);
        send(&rig, id, 0, 0x334, 0x10);
        assert_int_equal(engine_rig_rd32(&rig, OBJECT(4)), 5);
        engine_rig_stop(&rig);
    }
}

static void a_condition_that_faults_decides_nothing(void **state) {
    (void)state;
    unsigned id = start_sec();
    send(&rig, id, 0, 0x218, 0);
    send(&rig, id, 0, 0x180, 0);
    send(&rig, id, 0, 0x218, 2);
    assert_int_equal(rig.faults, 1);
    send(&rig, id, 0, 0x334, 0x10);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_DONE), 0);
    engine_rig_stop(&rig);
}

static void a_copy_that_faults_leaves_the_addresses(void **state) {
    (void)state;
    unsigned id = start_sec();
    engine_rig_wr32(&rig, OBJECT(3), 5);
    send(&rig, id, 0, 0x188, 0);
    send(&rig, id, 0, 0x334, 0x10);
    assert_int_equal(rig.faults, 1);
    send(&rig, id, 0, 0x188, 4);
    send(&rig, id, 0, 0x334, 0x10);
    assert_int_equal(engine_rig_rd32(&rig, OBJECT(4)), 5);
    engine_rig_stop(&rig);
}

static void nothing_of_length_zero_happens(void **state) {
    (void)state;
    unsigned id = start_sec();
    send(&rig, id, 0, 0x334, 0);
    send(&rig, id, 0, 0x330, 5, 0);
    assert_int_equal(rig.events, 0);
    engine_rig_stop(&rig);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_copy_goes_on_where_the_last_one_ended),
        cmocka_unit_test(a_store_writes_the_iv_and_leaves_the_source),
        cmocka_unit_test(modes_of_aes_are_told_by_name_and_move_the_addresses),
        cmocka_unit_test(what_the_firmware_refuses_changes_nothing),
        cmocka_unit_test(an_address_that_is_refused_is_not_used),
        cmocka_unit_test(conditions_decide_about_length),
        cmocka_unit_test(a_condition_that_faults_decides_nothing),
        cmocka_unit_test(a_copy_that_faults_leaves_the_addresses),
        cmocka_unit_test(nothing_of_length_zero_happens),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
