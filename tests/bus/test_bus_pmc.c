/* SPDX-License-Identifier: MIT */
/* PMC and PTIMER: the interrupt line, the switches of the units, time and its alarm. */
#include "bus/fixture.h"

static struct machine machine;

static void init(const char *chip) {
    machine_init(&machine, chip, NULL);
}

static int teardown(void **opaque) {
    (void)opaque;
    machine_free(&machine);
    return 0;
}

static void a_unit_asserts_inta_only_while_hardware_interrupts_are_enabled(void **opaque) {
    (void)opaque;
    init("NV40");
    bus_interrupt(&machine.bus, PMC_INTR_PFIFO, true);
    assert_int_equal(bus_rd32(&machine.bus, 0x100), 0x100);
    assert_false(machine.bus.line);
    bus_wr32(&machine.bus, 0x140, 2);
    assert_false(machine.bus.line);
    bus_wr32(&machine.bus, 0x140, 1);
    assert_true(machine.bus.line);
    bus_wr32(&machine.bus, 0x100, 0); /* the unit's bit is not writable */
    assert_true(machine.bus.line);
    bus_interrupt(&machine.bus, PMC_INTR_PFIFO, false);
    assert_false(machine.bus.line);
    assert_int_equal(bus_rd32(&machine.bus, 0x100), 0);
}

static void one_unit_does_not_lower_the_line_of_another(void **opaque) {
    (void)opaque;
    init("G80");
    bus_wr32(&machine.bus, 0x140, 1);
    bus_interrupt(&machine.bus, PMC_INTR_PFIFO, true);
    bus_interrupt(&machine.bus, PMC_INTR_PGRAPH, true);
    bus_interrupt(&machine.bus, PMC_INTR_PFIFO, false);
    assert_int_equal(bus_rd32(&machine.bus, 0x100), PMC_INTR_PGRAPH);
    assert_true(machine.bus.line);
}

static void the_software_interrupt_has_an_enable_of_its_own(void **opaque) {
    (void)opaque;
    init("NV40");
    bus_wr32(&machine.bus, 0x140, 1);
    bus_wr32(&machine.bus, 0x100, 0xffffffff);
    assert_int_equal(bus_rd32(&machine.bus, 0x100), 0x80000000);
    assert_false(machine.bus.line);
    bus_wr32(&machine.bus, 0x140, 2);
    assert_true(machine.bus.line);
    bus_wr32(&machine.bus, 0x100, 0);
    assert_false(machine.bus.line);
}

static void the_line_register_is_low_while_asserted_before_gf100_and_high_after(void **opaque) {
    (void)opaque;
    static const struct {
        const char *chip;
        uint32_t idle, asserted;
    } cases[] = {{"NV40", 1, 0}, {"G84", 1, 0}, {"GF100", 0, 1}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        init(cases[i].chip);
        bus_wr32(&machine.bus, 0x140, 1);
        assert_int_equal(bus_rd32(&machine.bus, 0x160), cases[i].idle);
        bus_interrupt(&machine.bus, PMC_INTR_PFIFO, true);
        assert_int_equal(bus_rd32(&machine.bus, 0x160), cases[i].asserted);
        if (i + 1 < COUNT_OF(cases))
            machine_free(&machine);
    }
}

static void gf100_masks_units(void **opaque) {
    (void)opaque;
    init("GF100");
    bus_wr32(&machine.bus, 0x140, 1);
    bus_interrupt(&machine.bus, PMC_INTR_PFIFO, true);
    assert_true(machine.bus.line);
    bus_wr32(&machine.bus, 0x640, ~PMC_INTR_PFIFO);
    assert_false(machine.bus.line);
    bus_wr32(&machine.bus, 0x640, PMC_INTR_PFIFO);
    assert_true(machine.bus.line);
}

static void gp100_enables_units_by_set_and_clear(void **opaque) {
    (void)opaque;
    init("GP100");
    bus_interrupt(&machine.bus, PMC_INTR_PFIFO, true);
    bus_wr32(&machine.bus, 0x140, 0xffffffff);
    assert_false(machine.bus.line);
    bus_wr32(&machine.bus, 0x160, PMC_INTR_PGRAPH);
    assert_false(machine.bus.line);
    bus_wr32(&machine.bus, 0x160, PMC_INTR_PFIFO);
    assert_true(machine.bus.line);
    assert_int_equal(bus_rd32(&machine.bus, 0x140), PMC_INTR_PFIFO | PMC_INTR_PGRAPH);
    bus_wr32(&machine.bus, 0x164, 0x10);
    assert_int_equal(bus_rd32(&machine.bus, 0x144), 0x10);
    bus_wr32(&machine.bus, 0x180, PMC_INTR_PFIFO);
    assert_false(machine.bus.line);
    assert_int_equal(bus_rd32(&machine.bus, 0x140), PMC_INTR_PGRAPH);
}

static void each_change_of_inta_is_one_event(void **opaque) {
    (void)opaque;
    init("NV40");
    struct event_log log;
    observe(&machine, "bus.line", &log);
    bus_interrupt(&machine.bus, PMC_INTR_PFIFO, true);
    assert_int_equal(log.count, 0);
    bus_wr32(&machine.bus, 0x140, 1);
    assert_int_equal(log.count, 1);
    assert_int_equal(log.last.value[0], 1);
    bus_interrupt(&machine.bus, PMC_INTR_PGRAPH, true);
    assert_int_equal(log.count, 1);
    bus_wr32(&machine.bus, 0x140, 0);
    assert_int_equal(log.count, 2);
    assert_int_equal(log.last.value[0], 0);
}

static uint32_t changed_old, changed_now, changed_count;

static void enable_changed(void *fifo, uint32_t old, uint32_t now) {
    assert_ptr_equal(fifo, &machine);
    changed_old = old;
    changed_now = now;
    changed_count++;
}

static void pfifo_hears_of_changes_of_enable(void **opaque) {
    (void)opaque;
    init("NV40");
    changed_count = 0;
    bus_wr32(&machine.bus, 0x200, 0xffffffff);
    static const struct bus_host_ops host = {.enable_changed = enable_changed};
    bus_attach_host(&machine.bus, &host, &machine);
    bus_wr32(&machine.bus, 0x200, 0xfffffeff);
    assert_int_equal(changed_count, 1);
    assert_int_equal(changed_old, 0xffffffff);
    assert_int_equal(changed_now, 0xfffffeff);
    bus_wr32(&machine.bus, 0x200, 0xfffffeff);
    assert_int_equal(changed_count, 1);
    bus_wr32(&machine.bus, 0x200, 0x100);
    assert_int_equal(changed_count, 2);
    assert_int_equal(bus_rd32(&machine.bus, 0x200), 0x100);
}

static uint32_t stored;
static const struct reg gated_regs[] = {{0x002140, "A", .at = 0, .readable = ~0u, .writable = ~0u}};
static const struct reg_table gated = {"PFIFO", gated_regs, 1};

static void a_unit_that_is_switched_off_is_gone_from_bar0(void **opaque) {
    (void)opaque;
    static const struct {
        const char *chip;
        uint32_t disabled;
    } cases[] = {{"NV40", 0}, {"G80", 0xbad0da00}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        init(cases[i].chip);
        assert_int_equal(bus_attach_table(&machine.bus, &gated, &stored, NULL), PFIFO_OK);
        bus_wr32(&machine.bus, 0x200, 0x100);
        bus_wr32(&machine.bus, 0x2140, 5);
        bus_wr32(&machine.bus, 0x200, ~0x100u);
        bus_wr32(&machine.bus, 0x2140, 6);
        assert_int_equal(bus_rd32(&machine.bus, 0x2140), cases[i].disabled);
        assert_int_equal(bus_rd32(&machine.bus, 0x800000), cases[i].disabled);
        assert_int_equal(bus_rd32(&machine.bus, 0x9200), 1);
        bus_wr32(&machine.bus, 0x200, 0x100);
        assert_int_equal(bus_rd32(&machine.bus, 0x2140), 5);
        assert_int_equal(bus_rd32(&machine.bus, 0x400000), cases[i].disabled);
        if (i + 1 < COUNT_OF(cases))
            machine_free(&machine);
    }
}

static void before_nv4_a_unit_that_is_switched_off_keeps_its_registers(void **opaque) {
    (void)opaque;
    static const char *const chips[] = {"NV1", "NV3", "NV3T"};
    for (size_t i = 0; i < COUNT_OF(chips); i++) {
        init(chips[i]);
        assert_int_equal(bus_attach_table(&machine.bus, &gated, &stored, NULL), PFIFO_OK);
        bus_wr32(&machine.bus, 0x200, 0);
        bus_wr32(&machine.bus, 0x2140, 6);
        assert_int_equal(bus_rd32(&machine.bus, 0x2140), 6);
        if (i + 1 < COUNT_OF(chips))
            machine_free(&machine);
    }
}

static void from_nv4_to_nv4x_only_pfb_and_pcrtc_are_on_at_first(void **opaque) {
    (void)opaque;
    static const struct {
        const char *chip;
        uint32_t enable;
    } cases[] = {{"NV1", 0xffffffff},   {"NV3T", 0xffffffff}, {"NV4", 0x01100000}, {"NV2A", 0x01100000},
                 {"MCP73", 0x01100000}, {"RSX", 0x01100000},  {"G80", 0xffffffff}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        init(cases[i].chip);
        assert_int_equal(bus_rd32(&machine.bus, 0x200), cases[i].enable);
        if (i + 1 < COUNT_OF(cases))
            machine_free(&machine);
    }
}

static void the_software_interrupt_of_nv1_is_bit_28(void **opaque) {
    (void)opaque;
    init("NV1");
    bus_wr32(&machine.bus, 0x100, 0xffffffff);
    assert_int_equal(bus_rd32(&machine.bus, 0x100), 0x10000000);
    bus_wr32(&machine.bus, 0x140, 1);
    assert_false(machine.bus.line);
    bus_wr32(&machine.bus, 0x140, 2);
    assert_true(machine.bus.line);
}

static void the_timer_of_nv1_is_at_0x101000(void **opaque) {
    (void)opaque;
    init("NV1");
    bus_wr32(&machine.bus, 0x140, 1);
    bus_wr32(&machine.bus, 0x101140, 1);
    bus_wr32(&machine.bus, 0x101410, 1024);
    bus_wr32(&machine.bus, 0x101404, 3);
    bus_work(&machine.bus, 1024 / BUS_NS_PER_WORK);
    assert_int_equal(bus_rd32(&machine.bus, 0x101400), 1024);
    assert_int_equal(bus_rd32(&machine.bus, 0x101404), 3);
    assert_int_equal(bus_rd32(&machine.bus, 0x101100), 1);
    assert_true(machine.bus.line);
    assert_int_equal(bus_rd32(&machine.bus, 0x9400), 0);
}

static void time_is_nanoseconds_in_steps_of_32(void **opaque) {
    (void)opaque;
    init("NV40");
    assert_int_equal(bus_rd32(&machine.bus, 0x9400), 0);
    bus_work(&machine.bus, 5);
    assert_int_equal(bus_now(&machine.bus), 5 * BUS_NS_PER_WORK);
    assert_int_equal(bus_rd32(&machine.bus, 0x9400), 5 * BUS_NS_PER_WORK & ~31u);
    bus_work(&machine.bus, UINT64_C(0x700000000) / BUS_NS_PER_WORK);
    assert_int_equal(bus_rd32(&machine.bus, 0x9410), 7);
}

static void time_can_be_set_and_goes_on_from_there(void **opaque) {
    (void)opaque;
    init("GF100");
    bus_work(&machine.bus, 1000);
    bus_wr32(&machine.bus, 0x9410, 0xfffffff2);
    bus_wr32(&machine.bus, 0x9400, 0x12345678);
    assert_int_equal(bus_rd32(&machine.bus, 0x9410), 0x1ffffff2);
    assert_int_equal(bus_rd32(&machine.bus, 0x9400), 0x12345660);
    assert_true(bus_now(&machine.bus) == UINT64_C(0x1ffffff212345660));
    bus_work(&machine.bus, 2);
    assert_int_equal(bus_rd32(&machine.bus, 0x9400), 0x12345680);
}

static uint64_t owners_time;

static uint64_t owners_clock(void *opaque) {
    assert_ptr_equal(opaque, &owners_time);
    return owners_time;
}

static void the_owners_clock_is_read_and_work_does_not_advance_it(void **opaque) {
    (void)opaque;
    const struct bus_clock clock = {owners_clock, &owners_time};
    owners_time = UINT64_C(0x512345678);
    machine_init(&machine, "G80", &clock);
    bus_work(&machine.bus, 100);
    assert_int_equal(bus_rd32(&machine.bus, 0x9400), 0x12345660);
    assert_int_equal(bus_rd32(&machine.bus, 0x9410), 5);
    bus_wr32(&machine.bus, 0x9410, 9);
    owners_time += 64;
    assert_true(bus_now(&machine.bus) == UINT64_C(0x9123456b8));
}

static void the_alarm_goes_off_when_the_low_word_matches(void **opaque) {
    (void)opaque;
    init("NV40");
    bus_wr32(&machine.bus, 0x140, 1);
    bus_wr32(&machine.bus, 0x9420, 1000);
    bus_work(&machine.bus, 61); /* 976: one step before 992 */
    bus_now(&machine.bus);
    assert_int_equal(bus_rd32(&machine.bus, 0x9100), 0);
    bus_work(&machine.bus, 1);
    assert_int_equal(bus_rd32(&machine.bus, 0x9100), 1);
    assert_false(machine.bus.line);
    bus_wr32(&machine.bus, 0x9140, 1);
    assert_true(machine.bus.line);
    assert_int_equal(bus_rd32(&machine.bus, 0x100), PMC_INTR_PTIMER);
    bus_wr32(&machine.bus, 0x9100, 1);
    assert_false(machine.bus.line);
    bus_work(&machine.bus, 10);
    assert_int_equal(bus_rd32(&machine.bus, 0x9100), 0);
    bus_work(&machine.bus, (UINT64_C(1) << 32) / BUS_NS_PER_WORK);
    assert_int_equal(bus_rd32(&machine.bus, 0x9100), 1);
}

static void setting_the_time_beyond_the_alarm_does_not_set_it_off(void **opaque) {
    (void)opaque;
    init("NV40");
    bus_wr32(&machine.bus, 0x9420, 1024);
    bus_wr32(&machine.bus, 0x9400, 4096);
    assert_int_equal(bus_rd32(&machine.bus, 0x9100), 0);
    bus_wr32(&machine.bus, 0x9420, 8192);
    bus_work(&machine.bus, 4096 / BUS_NS_PER_WORK);
    assert_int_equal(bus_rd32(&machine.bus, 0x9100), 1);
}

static void an_alarm_that_passed_before_it_was_set_waits_for_the_next_round(void **opaque) {
    (void)opaque;
    init("NV40");
    bus_work(&machine.bus, 1000);
    bus_wr32(&machine.bus, 0x9420, 3200);
    bus_work(&machine.bus, 1000);
    assert_int_equal(bus_rd32(&machine.bus, 0x9100), 0);
    bus_work(&machine.bus, (UINT64_C(1) << 32) / BUS_NS_PER_WORK - 1000);
    assert_int_equal(bus_rd32(&machine.bus, 0x9100), 1);
}

/* What the virtual clock has to pass when nobody works. */
static void how_long_it_is_to_an_alarm_that_interrupts_is_known(void **opaque) {
    (void)opaque;
    init("NV40");
    bus_work(&machine.bus, 3);                                /* 48 ns */
    bus_wr32(&machine.bus, 0x9420, 1000);                     /* 992 */
    assert_true(bus_until_alarm(&machine.bus) == UINT64_MAX); /* it does not interrupt */
    bus_wr32(&machine.bus, 0x9140, 1);
    assert_int_equal(bus_until_alarm(&machine.bus), 992 - 48);
    bus_pass(&machine.bus, 992 - 48 - 1);
    assert_int_equal(bus_rd32(&machine.bus, 0x9100), 0);
    assert_int_equal(bus_until_alarm(&machine.bus), 1);
    bus_pass(&machine.bus, 1);
    assert_true(bus_until_alarm(&machine.bus) == UINT64_MAX); /* it has rung */
    assert_int_equal(bus_rd32(&machine.bus, 0x9100), 1);
    bus_wr32(&machine.bus, 0x9100, 1);
    assert_true(bus_until_alarm(&machine.bus) == UINT64_C(1) << 32); /* once in a round */
    bus_wr32(&machine.bus, 0x9400, 0x1000);
    assert_true(bus_until_alarm(&machine.bus) == (UINT64_C(1) << 32) + 992 - 0x1000);
}

#define TEST(name) cmocka_unit_test_teardown(name, teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(a_unit_asserts_inta_only_while_hardware_interrupts_are_enabled),
        TEST(one_unit_does_not_lower_the_line_of_another),
        TEST(the_software_interrupt_has_an_enable_of_its_own),
        TEST(the_line_register_is_low_while_asserted_before_gf100_and_high_after),
        TEST(gf100_masks_units),
        TEST(gp100_enables_units_by_set_and_clear),
        TEST(each_change_of_inta_is_one_event),
        TEST(pfifo_hears_of_changes_of_enable),
        TEST(a_unit_that_is_switched_off_is_gone_from_bar0),
        TEST(before_nv4_a_unit_that_is_switched_off_keeps_its_registers),
        TEST(from_nv4_to_nv4x_only_pfb_and_pcrtc_are_on_at_first),
        TEST(the_software_interrupt_of_nv1_is_bit_28),
        TEST(the_timer_of_nv1_is_at_0x101000),
        TEST(time_is_nanoseconds_in_steps_of_32),
        TEST(time_can_be_set_and_goes_on_from_there),
        TEST(the_owners_clock_is_read_and_work_does_not_advance_it),
        TEST(the_alarm_goes_off_when_the_low_word_matches),
        TEST(setting_the_time_beyond_the_alarm_does_not_set_it_off),
        TEST(an_alarm_that_passed_before_it_was_set_waits_for_the_next_round),
        TEST(how_long_it_is_to_an_alarm_that_interrupts_is_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
