/* SPDX-License-Identifier: MIT */
/* The decoder of BAR0: tables of registers of a unit made up for the purpose, and windows. */
#include "bus/fixture.h"

struct unit {
    uint32_t plain, odd[4], even[4], acted;
    uint32_t wide[3];
    uint32_t seen_value, seen_index, stored_before_action;
    uint32_t window[16];
    uint32_t door, behind;
};

static uint32_t read_seven(void *unit, const struct reg *reg, uint32_t index) {
    (void)unit;
    return 7000 + index + reg->offset % 7;
}

static void write_seen(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    struct unit *seen = unit;
    seen->seen_value = value;
    seen->seen_index = index;
    if (reg->at != REG_NONE)
        seen->stored_before_action = *reg_storage(unit, reg, index);
}

static bool is_shut(const void *unit) {
    return ((const struct unit *)unit)->door == 0;
}

/* On purpose not in the order of offsets; ODD and EVEN interleave. */
static const struct reg regs[] = {
    {0x280004, "ODD", .at = offsetof(struct unit, odd), .readable = ~0u, .writable = ~0u, .reset = 5, .count = 4,
     .stride = 8},
    {0x210010, "PLAIN", .at = offsetof(struct unit, plain), .readable = 0x0ff0, .writable = 0x00ff, .reset = 0xabcd},
    {0x280000, "EVEN", .at = offsetof(struct unit, even), .readable = ~0u, .writable = ~0u, .reset = 6, .count = 4,
     .stride = 8},
    {0x210020, "ACTED", .at = offsetof(struct unit, acted), .readable = ~0u, .writable = 0xffff, .write = write_seen},
    {0x210100, "WIDE", .at = offsetof(struct unit, wide), .readable = ~0u, .writable = ~0u, .count = 3,
     .stride = 0x100},
    {0x210024, "ACTIONS_ONLY", .at = REG_NONE, .count = 2, .read = read_seven, .write = write_seen},
    {0x210030, "NOTHING", .at = REG_NONE},
    {0x210034, "BEHIND", .at = offsetof(struct unit, behind), .readable = ~0u, .writable = ~0u, .write = write_seen,
     .closed = is_shut},
};
static const struct reg_table table = {"TEST", regs, COUNT_OF(regs)};

static uint32_t window_read(void *unit, uint32_t offset) {
    return ((struct unit *)unit)->window[offset / 4];
}

static void window_write(void *unit, uint32_t offset, uint32_t value) {
    ((struct unit *)unit)->window[offset / 4] = value;
}

static const struct window window = {"TEST", 0x2b1000, 0x40, window_read, window_write};

struct state {
    struct machine machine;
    struct unit unit;
};

static int setup(void **opaque) {
    static struct state state;
    state = (struct state){0};
    machine_init(&state.machine, "G80", NULL);
    assert_int_equal(bus_attach_table(&state.machine.bus, &table, &state.unit, NULL), PFIFO_OK);
    assert_int_equal(bus_attach_window(&state.machine.bus, &window, &state.unit, NULL), PFIFO_OK);
    *opaque = &state;
    return 0;
}

static int teardown(void **opaque) {
    machine_free(&((struct state *)*opaque)->machine);
    return 0;
}

static void a_write_to_a_closed_register_is_lost(void **opaque) {
    struct state *s = *opaque;
    bus_wr32(&s->machine.bus, 0x210034, 7);
    assert_int_equal(s->unit.behind, 0);
    assert_int_equal(s->unit.seen_value, 0);
    s->unit.door = 1;
    bus_wr32(&s->machine.bus, 0x210034, 7);
    assert_int_equal(s->unit.behind, 7);
    assert_int_equal(s->unit.seen_value, 7);
    s->unit.door = 0;
    assert_int_equal(bus_rd32(&s->machine.bus, 0x210034), 7);
}

static void attaching_loads_reset_values(void **opaque) {
    struct state *state = *opaque;
    assert_int_equal(state->unit.plain, 0xabcd);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(state->unit.odd[i], 5);
        assert_int_equal(state->unit.even[i], 6);
    }
    state->unit.plain = 1;
    state->unit.odd[3] = 1;
    bus_reset_table(&table, &state->unit);
    assert_int_equal(state->unit.plain, 0xabcd);
    assert_int_equal(state->unit.odd[3], 5);
}

static void masks_say_what_is_stored_and_what_reads_back(void **opaque) {
    struct state *state = *opaque;
    struct bus *bus = &state->machine.bus;
    assert_int_equal(bus_rd32(bus, 0x210010), 0xabcd & 0x0ff0);
    bus_wr32(bus, 0x210010, 0xffffffff);
    assert_int_equal(state->unit.plain, 0xabff);
    assert_int_equal(bus_rd32(bus, 0x210010), 0x0bf0);
    bus_wr32(bus, 0x210010, 0);
    assert_int_equal(state->unit.plain, 0xab00);
}

static void low_address_bits_are_ignored(void **opaque) {
    struct state *state = *opaque;
    bus_wr32(&state->machine.bus, 0x210013, 0x12);
    assert_int_equal(state->unit.plain, 0xab12);
    assert_int_equal(bus_rd32(&state->machine.bus, 0x210011), bus_rd32(&state->machine.bus, 0x210010));
}

static void a_write_is_stored_before_its_action_gets_the_raw_value(void **opaque) {
    struct state *state = *opaque;
    bus_wr32(&state->machine.bus, 0x210020, 0x12345678);
    assert_int_equal(state->unit.seen_value, 0x12345678);
    assert_int_equal(state->unit.stored_before_action, 0x5678);
}

static void a_register_without_storage_has_only_its_actions(void **opaque) {
    struct state *state = *opaque;
    struct bus *bus = &state->machine.bus;
    assert_int_equal(bus_rd32(bus, 0x210028), 7001 + 0x210024 % 7);
    bus_wr32(bus, 0x210028, 99);
    assert_int_equal(state->unit.seen_value, 99);
    assert_int_equal(state->unit.seen_index, 1);
    bus_wr32(bus, 0x210030, 99);
    assert_int_equal(bus_rd32(bus, 0x210030), 0);
}

static void interleaved_tables_are_told_apart(void **opaque) {
    struct state *state = *opaque;
    struct bus *bus = &state->machine.bus;
    for (uint32_t i = 0; i < 4; i++) {
        bus_wr32(bus, 0x280000 + 8 * i, 100 + i);
        bus_wr32(bus, 0x280004 + 8 * i, 200 + i);
    }
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(state->unit.even[i], 100 + i);
        assert_int_equal(state->unit.odd[i], 200 + i);
    }
    uint32_t index;
    void *unit;
    assert_ptr_equal(bus_find(bus, 0x280010, &index, &unit), &regs[2]);
    assert_int_equal(index, 2);
    assert_ptr_equal(unit, &state->unit);
    assert_ptr_equal(bus_find(bus, 0x28001c, &index, NULL), &regs[0]);
    assert_int_equal(index, 3);
    assert_null(bus_find(bus, 0x280020, NULL, NULL));
    assert_null(bus_find(bus, 0x27fffc, NULL, NULL));
}

static void gaps_of_a_strided_table_are_not_registers(void **opaque) {
    struct state *state = *opaque;
    struct bus *bus = &state->machine.bus;
    uint32_t index;
    assert_ptr_equal(bus_find(bus, 0x210300, &index, NULL), &regs[4]);
    assert_int_equal(index, 2);
    assert_null(bus_find(bus, 0x210204, NULL, NULL));
    assert_null(bus_find(bus, 0x210400, NULL, NULL));
    assert_int_equal(bus_rd32(bus, 0x210204), 0xbad00100);
}

static void windows_get_offsets_within_them(void **opaque) {
    struct state *state = *opaque;
    struct bus *bus = &state->machine.bus;
    bus_wr32(bus, 0x2b1000, 1);
    bus_wr32(bus, 0x2b103e, 2);
    bus_wr32(bus, 0x2b1040, 3);
    assert_int_equal(state->unit.window[0], 1);
    assert_int_equal(state->unit.window[15], 2);
    assert_int_equal(bus_rd32(bus, 0x2b103c), 2);
    assert_int_equal(bus_rd32(bus, 0x2b0ffc), 0xbad00100);
    assert_int_equal(bus_rd32(bus, 0x2b1040), 0xbad00100);
}

static void tables_that_collide_are_refused(void **opaque) {
    struct state *state = *opaque;
    static const struct reg other[] = {{0x280018, "OTHER", .at = REG_NONE}};
    static const struct reg_table others = {"OTHER", other, COUNT_OF(other)};
    struct pfifo_error error;
    assert_int_equal(bus_attach_table(&state->machine.bus, &others, &state->unit, &error), PFIFO_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "0x280018"));
}

static void full_tables_are_an_error(void **opaque) {
    struct state *state = *opaque;
    static const struct reg_table empty = {"EMPTY", regs, 0};
    struct bus *bus = &state->machine.bus;
    while (bus->table_count < BUS_MAX_TABLES)
        assert_int_equal(bus_attach_table(bus, &empty, NULL, NULL), PFIFO_OK);
    assert_int_equal(bus_attach_table(bus, &empty, NULL, NULL), PFIFO_ERROR_MEMORY);
    while (bus->window_count < BUS_MAX_WINDOWS)
        assert_int_equal(bus_attach_window(bus, &window, &state->unit, NULL), PFIFO_OK);
    assert_int_equal(bus_attach_window(bus, &window, &state->unit, NULL), PFIFO_ERROR_MEMORY);
}

static void accesses_are_events(void **opaque) {
    struct state *state = *opaque;
    struct bus *bus = &state->machine.bus;
    struct event_log reads, writes, unmapped;
    observe(&state->machine, "bus.read", &reads);
    observe(&state->machine, "bus.write", &writes);
    observe(&state->machine, "bus.unmapped", &unmapped);
    bus_wr32(bus, 0x210012, 0x34);
    bus_rd32(bus, 0x210011);
    assert_int_equal(writes.count, 1);
    assert_int_equal(writes.last.value[0], 0x210010);
    assert_int_equal(writes.last.value[1], 0x34);
    assert_int_equal(reads.count, 1);
    assert_int_equal(reads.last.value[0], 0x210010);
    assert_int_equal(reads.last.value[1], 0xb30);
    assert_int_equal(unmapped.count, 0);
    bus_wr32(bus, 0x210404, 1);
    assert_int_equal(unmapped.count, 1);
    assert_int_equal(unmapped.last.value[0], 0x210404);
    assert_int_equal(unmapped.last.value[1], 1);
    bus_rd32(bus, 0xfffffffc);
    assert_int_equal(unmapped.count, 2);
    assert_int_equal(unmapped.last.value[1], 0);
}

static void a_bus_without_hub_sends_nothing(void **opaque) {
    struct state *state = *opaque;
    struct bus bus;
    assert_int_equal(bus_init(&bus, state->machine.chip, &state->machine.memory, NULL, NULL, NULL), PFIFO_OK);
    bus_wr32(&bus, 0x140, 1);
    bus_interrupt(&bus, PMC_INTR_PFIFO, true);
    assert_int_equal(bus_rd32(&bus, 0x100), PMC_INTR_PFIFO);
    assert_int_equal(bus_rd32(&bus, 0x0e0000), 0xbad00100);
    bus_free(&bus);
}

static void unmapped_registers_read_as_the_chip_answers(void **opaque) {
    (void)opaque;
    static const struct {
        const char *chip;
        uint32_t value;
    } cases[] = {{"NV4", 0}, {"NV40", 0}, {"G80", 0xbad00100}, {"GT215", 0xbad00100}, {"GP100", 0xbad00100}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct machine machine;
        machine_init(&machine, cases[i].chip, NULL);
        assert_int_equal(bus_rd32(&machine.bus, 0x0e0000), cases[i].value);
        machine_free(&machine);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(a_write_to_a_closed_register_is_lost),
        TEST(attaching_loads_reset_values),
        TEST(masks_say_what_is_stored_and_what_reads_back),
        TEST(low_address_bits_are_ignored),
        TEST(a_write_is_stored_before_its_action_gets_the_raw_value),
        TEST(a_register_without_storage_has_only_its_actions),
        TEST(interleaved_tables_are_told_apart),
        TEST(gaps_of_a_strided_table_are_not_registers),
        TEST(windows_get_offsets_within_them),
        TEST(tables_that_collide_are_refused),
        TEST(full_tables_are_an_error),
        TEST(accesses_are_events),
        TEST(a_bus_without_hub_sends_nothing),
        cmocka_unit_test(unmapped_registers_read_as_the_chip_answers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
