/* SPDX-License-Identifier: MIT */
/* Launches of grids from registers: Tesla and Fermi. */
#include "check.h"

static struct engine_rig rig;

static void fermi_launches_from_registers(void **state) {
    (void)state;
    unsigned id = start(&rig, "GF100", CHIP_UNIT_PGRAPH, 0x90c0);
    const uint64_t expected[] = {0x90c0, 0x368, UINT64_C(0x500001040), 0, 7, 6, 5, 4, 3, 2};
    send(&rig, id, 0, 0x1608, 5, 0x1000);
    send(&rig, id, 0, 0x238, 0x60007, 5);
    send(&rig, id, 0, 0x3ac, 0x30004, 2, 0x40);
    send(&rig, id, 0, 0x368, 0x1000);
    const struct engine_rig_event *event = engine_rig_event(&rig, EVENT_ENGINE_LAUNCH, 0);
    assert_non_null(event);
    assert_string_equal(event->text, "registers");
    for (unsigned i = 0; i < sizeof expected / sizeof expected[0]; i++)
        assert_int_equal(event->value[i], expected[i]);
    assert_int_equal(rig.faults, 1); /* there is no program */
    assert_event(&rig, EVENT_ENGINE_LAUNCHED, 0, "registers", 0x90c0, 0x368);
    send(&rig, id, 0, 0x1558, 0);
    send(&rig, id, 0, 0x368, 0x1000);
    assert_int_equal(rig.events, 3);
    engine_rig_stop(&rig);
}

static void tesla_launches_from_registers(void **state) {
    (void)state;
    static const char *const chips[] = {"G80", "GT215"};
    for (unsigned c = 0; c < 2; c++) {
        uint32_t object_class = c ? 0x85c0 : 0x50c0;
        unsigned id = start(&rig, chips[c], CHIP_UNIT_PGRAPH, object_class);
        const uint64_t expected[] = {object_class, 0x368, UINT64_C(0x500001040), 0, 7, 6, 1, 4, 3, 2};
        send(&rig, id, 0, 0x210, 5, 0x1000);
        send(&rig, id, 0, 0x3a4, 0x60007);
        send(&rig, id, 0, 0x3ac, 0x30004, 2, 0x40);
        send(&rig, id, 0, 0x368, 0);
        const struct engine_rig_event *event = engine_rig_event(&rig, EVENT_ENGINE_LAUNCH, 0);
        assert_non_null(event);
        for (unsigned i = 0; i < sizeof expected / sizeof expected[0]; i++)
            assert_int_equal(event->value[i], expected[i]);
        send(&rig, id, 0, 0x328, 0);
        send(&rig, id, 0, 0x368, 0);
        assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_LAUNCH), 1);
        engine_rig_stop(&rig);
    }
}

/* SET_LAUNCH_CONTROL 1: parameter AUTO_LAUNCH_INDEX of SET_PARAMETER_SIZE. */
static void a_parameter_of_tesla_may_launch(void **state) {
    (void)state;
    const uint64_t expected[] = {0x50c0, 0x608, 0x123456, 0, 7, 6, 1, 4, 3, 2};
    unsigned id = start(&rig, "G80", CHIP_UNIT_PGRAPH, 0x50c0);
    send(&rig, id, 0, 0x3a4, 6 << 16 | 7);
    send(&rig, id, 0, 0x3ac, 3 << 16 | 4, 2, 0xff123456); /* 24 bits of an offset */
    send(&rig, id, 0, 0x374, 4 << 8 | 2);
    send(&rig, id, 0, 0x600, 1, 2, 3, 4);
    assert_int_equal(rig.events, 0);
    send(&rig, id, 0, 0x370, 1);
    send(&rig, id, 0, 0x600, 1, 2, 3, 4);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_LAUNCH), 1);
    const struct engine_rig_event *event = engine_rig_event(&rig, EVENT_ENGINE_LAUNCH, 0);
    for (unsigned i = 0; i < sizeof expected / sizeof expected[0]; i++)
        assert_int_equal(event->value[i], expected[i]);
    assert_event(&rig, EVENT_ENGINE_NOT_EXECUTED, 0, "kernel", 0x50c0, 0x608);
    engine_rig_stop(&rig);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fermi_launches_from_registers),
        cmocka_unit_test(tesla_launches_from_registers),
        cmocka_unit_test(a_parameter_of_tesla_may_launch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
