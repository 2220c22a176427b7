/* SPDX-License-Identifier: MIT */
/* BAR0 in bytes: which dwords an access is cut into, and what registers and windows see of its lanes. */
#include "bus/fixture.h"

struct unit {
    uint32_t stored, acted, seen_value, seen_stored;
    uint32_t elsewhere, port;
    uint32_t plain[4]; /* what the window without lanes holds */
    struct access {
        uint32_t offset, value;
        unsigned lanes;
    } log[8]; /* what the window with lanes was asked */
    size_t count;
};

static void write_seen(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    struct unit *seen = unit;
    seen->seen_value = value;
    seen->seen_stored = *reg_storage(unit, reg, index);
}

static uint32_t read_and_advance(void *unit, const struct reg *reg, uint32_t index) {
    (void)reg, (void)index;
    return ((struct unit *)unit)->port++;
}

static void write_and_advance(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    struct unit *seen = unit;
    (void)reg, (void)index;
    seen->seen_value = value;
    seen->port++;
}

static uint32_t read_elsewhere(void *unit, const struct reg *reg, uint32_t index) {
    (void)reg, (void)index;
    return ((struct unit *)unit)->elsewhere;
}

static void write_elsewhere(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    (void)reg, (void)index;
    ((struct unit *)unit)->elsewhere = value;
}

static const struct reg regs[] = {
    {0x200000, "STORED", .at = offsetof(struct unit, stored), .readable = ~0u, .writable = 0xffff00ff,
     .reset = 0x11223344},
    {0x200004, "ACTED", .at = offsetof(struct unit, acted), .readable = ~0u, .writable = ~0u, .reset = 0x55667788,
     .write = write_seen},
    {0x200008, "ELSEWHERE", .at = REG_NONE, .readable = ~0u, .writable = 0xffffff00, .read = read_elsewhere,
     .write = write_elsewhere},
    {0x20000c, "PORT", .at = REG_NONE, .readable = ~0u, .read = read_and_advance, .write = write_and_advance},
};
static const struct reg_table table = {"TEST", regs, COUNT_OF(regs)};

static uint32_t plain_read(void *unit, uint32_t offset) {
    return ((struct unit *)unit)->plain[offset / 4];
}

static void plain_write(void *unit, uint32_t offset, uint32_t value) {
    ((struct unit *)unit)->plain[offset / 4] = value;
}

static void note(struct unit *unit, uint32_t offset, uint32_t value, unsigned lanes) {
    assert_true(unit->count < COUNT_OF(unit->log));
    unit->log[unit->count++] = (struct access){offset, value, lanes};
}

static uint32_t lanes_read(void *unit, uint32_t offset, unsigned lanes) {
    note(unit, offset, 0, lanes);
    return 0xa3a2a1a0 + 0x04040404 * (offset / 4);
}

static void lanes_write(void *unit, uint32_t offset, uint32_t value, unsigned lanes) {
    note(unit, offset, value, lanes);
}

static const struct window plain = {"PLAIN", 0x300000, 0x10, plain_read, plain_write};
static const struct window lanes = {
    .name = "LANES", .base = 0x310000, .bytes = 0x10, .read_lanes = lanes_read, .write_lanes = lanes_write};

static struct machine machine;
static struct unit unit;

static void init(const char *chip) {
    unit = (struct unit){0};
    machine_init(&machine, chip, NULL);
    assert_int_equal(bus_attach_table(&machine.bus, &table, &unit, NULL), PFIFO_OK);
    assert_int_equal(bus_attach_window(&machine.bus, &plain, &unit, NULL), PFIFO_OK);
    assert_int_equal(bus_attach_window(&machine.bus, &lanes, &unit, NULL), PFIFO_OK);
}

static int teardown(void **opaque) {
    (void)opaque;
    machine_free(&machine);
    return 0;
}

static void put(uint32_t offset, const char *bytes, uint32_t count) {
    bus_write(&machine.bus, offset, bytes, count);
}

static void assert_bytes(uint32_t offset, const char *expected, uint32_t count) {
    uint8_t bytes[16];
    bus_read(&machine.bus, offset, bytes, count);
    assert_memory_equal(bytes, expected, count);
}

static void assert_access(size_t at, uint32_t offset, uint32_t value, unsigned lane) {
    assert_true(at < unit.count);
    assert_int_equal(unit.log[at].offset, offset);
    assert_int_equal(unit.log[at].value, value);
    assert_int_equal(unit.log[at].lanes, lane);
}

static void a_byte_of_a_register_leaves_its_other_bytes_alone(void **opaque) {
    (void)opaque;
    init("NV4");
    put(0x200002, "\xee", 1);
    assert_int_equal(unit.stored, 0x11ee3344);
    put(0x200001, "\xee", 1); /* not writable */
    assert_int_equal(unit.stored, 0x11ee3344);
    put(0x200000, "\x01\x02", 2);
    assert_int_equal(unit.stored, 0x11ee3301);
    assert_bytes(0x200000, "\x01", 1);
    assert_bytes(0x200001, "\x33\xee", 2);
}

static void a_write_action_sees_0_in_the_lanes_that_are_not_written(void **opaque) {
    (void)opaque;
    init("NV4");
    put(0x200006, "\xaa\xbb", 2);
    assert_int_equal(unit.seen_value, 0xbbaa0000);
    assert_int_equal(unit.seen_stored, 0xbbaa7788);
}

static void an_action_that_stores_gets_the_other_lanes(void **opaque) {
    (void)opaque;
    init("NV4");
    put(0x200008, "\x44\x33\x22\x11", 4);
    put(0x20000a, "\xee", 1);
    assert_int_equal(unit.elsewhere, 0x11ee3300); /* the low byte is not a writable one */
}

static void a_byte_written_to_a_port_is_not_a_read_of_it(void **opaque) {
    (void)opaque;
    init("NV4");
    put(0x20000e, "\xee", 1);
    assert_int_equal(unit.seen_value, 0x00ee0000);
    assert_int_equal(unit.port, 1);
    put(0x20000c, "\x04\x03\x02\x01", 4);
    assert_int_equal(unit.port, 2);
    assert_bytes(0x20000c, "\x02", 1);
    assert_int_equal(unit.port, 3);
}

static void an_access_is_cut_at_dwords_and_its_low_part_comes_first(void **opaque) {
    (void)opaque;
    init("NV4");
    put(0x310003, "\x01\x02", 2);
    assert_int_equal(unit.count, 2);
    assert_access(0, 0, 0x01000000, 8);
    assert_access(1, 4, 0x00000002, 1);
    unit.count = 0;
    put(0x310001, "\x01\x02\x03\x04", 4);
    assert_int_equal(unit.count, 2);
    assert_access(0, 0, 0x03020100, 0xe);
    assert_access(1, 4, 0x00000004, 1);
    unit.count = 0;
    put(0x310002, "\x01\x02\x03\x04\x05\x06\x07\x08\x09", 9);
    assert_int_equal(unit.count, 3);
    assert_access(0, 0, 0x02010000, 0xc);
    assert_access(1, 4, 0x06050403, 0xf);
    assert_access(2, 8, 0x00090807, 0x7);
}

static void every_size_and_alignment_has_its_lanes(void **opaque) {
    (void)opaque;
    init("NV1");
    for (uint32_t first = 0; first < 4; first++) {
        for (uint32_t count = 1; first + count <= 4; count++) {
            unit.count = 0;
            put(0x310008 + first, "\x01\x02\x03\x04", count);
            uint32_t value = 0;
            unsigned lane = 0;
            for (uint32_t i = first; i < first + count; i++)
                value |= (i - first + 1) << 8 * i, lane |= 1u << i;
            assert_int_equal(unit.count, 1);
            assert_access(0, 8, value, lane);
        }
    }
}

static void reads_are_cut_the_same_way(void **opaque) {
    (void)opaque;
    init("NV4");
    assert_bytes(0x310002, "\xa2\xa3\xa4\xa5", 4);
    assert_int_equal(unit.count, 2);
    assert_access(0, 0, 0, 0xc);
    assert_access(1, 4, 0, 0x3);
    unit.count = 0;
    assert_bytes(0x31000f, "\xaf", 1);
    assert_access(0, 0xc, 0, 8);
}

static void dword_functions_take_all_lanes_and_ignore_the_low_bits(void **opaque) {
    (void)opaque;
    init("NV4");
    assert_int_equal(bus_rd32(&machine.bus, 0x310006), 0xa7a6a5a4);
    bus_wr32(&machine.bus, 0x31000b, 0x12345678);
    assert_access(0, 4, 0, 0xf);
    assert_access(1, 8, 0x12345678, 0xf);
}

static void a_window_without_lanes_keeps_the_bytes_that_are_not_written(void **opaque) {
    (void)opaque;
    init("NV4");
    unit.plain[1] = 0x44332211;
    put(0x300005, "\xaa\xbb", 2);
    assert_int_equal(unit.plain[1], 0x44bbaa11);
    assert_bytes(0x300003, "\x00\x11\xaa", 3);
}

static void pramin_can_be_written_in_bytes(void **opaque) {
    (void)opaque;
    init("NV4");
    bus_wr32(&machine.bus, 0x700000, 0x44332211);
    put(0x700001, "\xaa", 1);
    put(0x700003, "\xbb\xcc", 2);
    assert_int_equal(bus_rd32(&machine.bus, 0x700000), 0xbb33aa11);
    assert_int_equal(bus_rd32(&machine.bus, 0x700004), 0xcc);
}

static void each_part_is_an_event(void **opaque) {
    (void)opaque;
    init("NV4");
    struct event_log writes, reads;
    observe(&machine, "bus.write", &writes);
    observe(&machine, "bus.read", &reads);
    put(0x200003, "\x01\x02", 2);
    assert_int_equal(writes.count, 2);
    assert_int_equal(writes.last.value[0], 0x200004);
    assert_int_equal(writes.last.value[1], 2);
    assert_bytes(0x200003, "\x01\x02", 2);
    assert_int_equal(reads.count, 2);
    assert_int_equal(reads.last.value[0], 0x200004);
    assert_int_equal(reads.last.value[1], 2);
}

static unsigned syncs;

static void count_sync(void *fifo) {
    (void)fifo;
    syncs++;
}

static void each_part_is_preceded_by_a_sync(void **opaque) {
    (void)opaque;
    init("NV4");
    syncs = 0;
    static const struct bus_host_ops host = {.sync = count_sync};
    bus_attach_host(&machine.bus, &host, NULL);
    put(0x200003, "\x01\x02", 2);
    assert_bytes(0x200000, "\x44", 1);
    assert_int_equal(syncs, 3);
}

static uint32_t old_enable, new_enable;

static void enable_changed(void *fifo, uint32_t old, uint32_t now) {
    (void)fifo;
    old_enable = old;
    new_enable = now;
}

static void a_byte_of_pmc_enable_switches_only_its_units(void **opaque) {
    (void)opaque;
    init("NV4");
    bus_wr32(&machine.bus, 0x200, 0x01100100);
    static const struct bus_host_ops host = {.enable_changed = enable_changed};
    bus_attach_host(&machine.bus, &host, NULL);
    put(0x201, "\x10", 1);
    assert_int_equal(bus_rd32(&machine.bus, 0x200), 0x01101000);
    assert_int_equal(old_enable, 0x01100100);
    assert_int_equal(new_enable, 0x01101000);
}

#define TEST(name) cmocka_unit_test_teardown(name, teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(a_byte_of_a_register_leaves_its_other_bytes_alone),
        TEST(a_write_action_sees_0_in_the_lanes_that_are_not_written),
        TEST(an_action_that_stores_gets_the_other_lanes),
        TEST(a_byte_written_to_a_port_is_not_a_read_of_it),
        TEST(an_access_is_cut_at_dwords_and_its_low_part_comes_first),
        TEST(every_size_and_alignment_has_its_lanes),
        TEST(reads_are_cut_the_same_way),
        TEST(dword_functions_take_all_lanes_and_ignore_the_low_bits),
        TEST(a_window_without_lanes_keeps_the_bytes_that_are_not_written),
        TEST(pramin_can_be_written_in_bytes),
        TEST(each_part_is_an_event),
        TEST(each_part_is_preceded_by_a_sync),
        TEST(a_byte_of_pmc_enable_switches_only_its_units),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
