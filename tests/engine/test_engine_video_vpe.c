/* SPDX-License-Identifier: MIT */
/* PMPEG, PME, PVP1: what they refuse, and what they say that they do not do. */
#include "check.h"

struct refusal {
    uint32_t method, good, bad;
};

static void check_refusals(const char *chip, enum chip_unit unit, uint32_t object_class, const struct refusal *cases,
                           size_t count) {
    struct engine_rig rig;
    unsigned id = start(&rig, chip, unit, object_class);
    for (size_t i = 0; i < count; i++) {
        rig.events = 0;
        send(&rig, id, 0, cases[i].method, cases[i].good);
        if (rig.events)
            fail_msg("%s: %x is refused by %04x", chip, (unsigned)cases[i].good, (unsigned)cases[i].method);
        send(&rig, id, 0, cases[i].method, cases[i].bad);
        assert_event(&rig, EVENT_ENGINE_ERROR, 0, "INVALID_VALUE", object_class, cases[i].method);
        assert_int_equal(engine_rig_event(&rig, EVENT_ENGINE_ERROR, 0)->value[2], cases[i].bad);
        assert_int_equal(rig.events, 1);
    }
    assert_int_equal(rig.interrupts, count);
    engine_rig_stop(&rig);
}

static void motion_estimation_refuses_what_is_not_aligned_or_empty(void **state) {
    (void)state;
    static const struct refusal cases[] = {
        {0x108, 1, 2},
        {0x160, 0xffc0ffc0, 0x00400020},
        {0x160, 0, 0x00200040},
        {0x164, 0x00020010, 0x00020008},
        {0x164, 0xfffefff0, 0x00010010},
        {0x164, 0x00020010, 0x00000010},
        {0x164, 0x00020010, 0x00020000},
        {0x168, 0x00100010, 0x00080010},
        {0x168, 0xfff0fff0, 0x00100000},
        {0x168, 0xfff0fff0, 0x00000010},
        {0x16c, 0, 0x00010000},
        {0x170, 0xfffefff0, 1},
        {0x174, 0xfffefff0, 8},
        {0x178, 0xfffffff8, 4},
        {0x200, 0xffffffc0, 0x20},
        {0x204, 0, 1},
        {0x214, 0x40, 0x41},
        {0x228, 8, 9},
        {0x22c, 0xfffffff8, 4},
    };
    check_refusals("NV40", CHIP_UNIT_PME, 0x4075, cases, sizeof cases / sizeof cases[0]);
    check_refusals("G80", CHIP_UNIT_PME, 0x4075, cases, sizeof cases / sizeof cases[0]);
}

static void mpeg_refuses_a_pitch_without_its_bit(void **state) {
    (void)state;
    static const struct refusal cases[] = {
        {0x160, 0x10000, 0x02d0}, {0x160, 0x11fff, 0x0}, {0x160, 0x102d0, 0x302d0}, {0x160, 0x102d0, 0x12000}};
    check_refusals("NV40", CHIP_UNIT_PMPEG, 0x3174, cases, sizeof cases / sizeof cases[0]);
    check_refusals("G84", CHIP_UNIT_PMPEG, 0x8274, cases, sizeof cases / sizeof cases[0]);
}

static void work_of_vpe_is_told_by_name(void **state) {
    (void)state;
    static const struct {
        const char *chip;
        enum chip_unit unit;
        uint32_t object_class, setting, value, trigger;
        const char *work;
    } cases[] = {
        {"NV31", CHIP_UNIT_PMPEG, 0x3174, 0x314, 1, 0x394, "MPEG blocks with IDCT"},
        {"NV40", CHIP_UNIT_PMPEG, 0x3174, 0x314, 0, 0x394, "MPEG blocks"},
        {"GT200", CHIP_UNIT_PMPEG, 0x8274, 0x314, 3, 0x394, "MPEG blocks with IDCT"},
        {"NV40", CHIP_UNIT_PME, 0x4075, 0x120, 0, 0x17c, "motion search"},
        {"G71", CHIP_UNIT_PVP1, 0x4176, 0x304, 1, 0x300, "VP1 program"},
        {"G80", CHIP_UNIT_PVP1, 0x4176, 0x4bc, 1, 0x300, "VP1 program"},
    };
    struct engine_rig rig;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        unsigned id = start(&rig, cases[i].chip, cases[i].unit, cases[i].object_class);
        send(&rig, id, 0, cases[i].setting, cases[i].value);
        assert_int_equal(rig.events, 0);
        send(&rig, id, 0, cases[i].trigger, 1);
        assert_event(&rig, EVENT_ENGINE_NOT_EXECUTED, 0, cases[i].work, cases[i].object_class, cases[i].trigger);
        assert_int_equal(engine_rig_value(&rig, id, cases[i].object_class, cases[i].setting), cases[i].value);
        engine_rig_stop(&rig);
    }
}

/* NV31's class has no query. */
static void mpeg_has_queries_from_g84_on(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "G84", CHIP_UNIT_PMPEG, 0x8274);
    send(&rig, id, 0, 0x1c0, 2);
    send(&rig, id, 0, 0x31c, 0x30, 7);
    assert_int_equal(engine_rig_rd64(&rig, 0x20030), 7);
    assert_int_equal(engine_rig_rd64(&rig, 0x20038), ENGINE_RIG_TIME);
    engine_rig_stop(&rig);
    id = start(&rig, "NV40", CHIP_UNIT_PMPEG, 0x3174);
    send(&rig, id, 0, 0x1c0, 2);
    send(&rig, id, 0, 0x31c, 0x30, 7);
    assert_int_equal(rig.events, 0);
    engine_rig_stop(&rig);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(motion_estimation_refuses_what_is_not_aligned_or_empty),
        cmocka_unit_test(mpeg_refuses_a_pitch_without_its_bit),
        cmocka_unit_test(work_of_vpe_is_told_by_name),
        cmocka_unit_test(mpeg_has_queries_from_g84_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
