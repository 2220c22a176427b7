/* SPDX-License-Identifier: MIT */
/* PMC ENDIAN: what a host sees of BAR0 and of the RAMIN BAR in big-endian mode. */
#include "bus/fixture.h"
#include "bus/ptimer.h"

static struct machine machine;

static void init(const char *chip) {
    machine_init(&machine, chip, NULL);
}

static int teardown(void **opaque) {
    (void)opaque;
    machine_free(&machine);
    return 0;
}

static void init_big(const char *chip) {
    init(chip);
    bus_wr32(&machine.bus, 4, 0x01000001);
    assert_int_equal(bus_rd32(&machine.bus, 4), 0x01000001);
}

static void bit_24_as_the_chip_sees_it_toggles_the_mode(void **opaque) {
    (void)opaque;
    init("NV1A");
    assert_int_equal(bus_rd32(&machine.bus, 4), 0);
    bus_wr32(&machine.bus, 4, 0xfeffffff);
    assert_int_equal(bus_rd32(&machine.bus, 4), 0);
    bus_wr32(&machine.bus, 4, 0x01000000);
    assert_int_equal(bus_rd32(&machine.bus, 4), 0x01000001);
    bus_wr32(&machine.bus, 4, 0x01000000); /* byte 0 of the chip */
    assert_int_equal(bus_rd32(&machine.bus, 4), 0x01000001);
    bus_wr32(&machine.bus, 4, 0x00000001);
    assert_int_equal(bus_rd32(&machine.bus, 4), 0);
    bus_wr32(&machine.bus, 4, 0x00000001);
    assert_int_equal(bus_rd32(&machine.bus, 4), 0);
}

static void the_switch_is_there_from_nv1a_to_volta(void **opaque) {
    (void)opaque;
    static const struct {
        const char *chip;
        bool there;
    } cases[] = {{"NV1", false},  {"NV3", false},  {"NV5", false},  {"NV10", false},  {"NV15", false}, {"NV1A", true},
                 {"NV11", true},  {"NV2A", true},  {"NV40", true},  {"MCP73", true},  {"G80", true},   {"GT215", true},
                 {"GF100", true}, {"GM204", true}, {"GV100", true}, {"TU102", false}, {"GA102", false}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        init(cases[i].chip);
        uint32_t boot0 = bus_rd32(&machine.bus, 0);
        bus_wr32(&machine.bus, 4, 0x01000001);
        assert_int_equal(bus_rd32(&machine.bus, 4), cases[i].there ? 0x01000001 : 0);
        assert_int_equal(bus_rd32(&machine.bus, 0), cases[i].there ? __builtin_bswap32(boot0) : boot0);
        if (i + 1 < COUNT_OF(cases))
            machine_free(&machine);
    }
}

static void registers_and_windows_are_swapped_in_dwords(void **opaque) {
    (void)opaque;
    init_big("NV17");
    bus_wr32(&machine.bus, 0x9420, 0x3f563412);
    assert_int_equal(bus_rd32(&machine.bus, 0x9420), 0x20563412);
    assert_int_equal(machine.bus.ptimer->alarm, 0x12345620);
    bus_wr32(&machine.bus, 0x700010, 0x11223344);
    assert_int_equal(memory_ramin_rd32(&machine.memory, 0x10), 0x44332211);
    assert_int_equal(bus_rd32(&machine.bus, 0x700010), 0x11223344);
}

static void a_byte_of_the_host_is_the_mirrored_lane(void **opaque) {
    (void)opaque;
    init_big("NV17");
    memory_ramin_wr32(&machine.memory, 0x20, 0x44332211);
    memory_ramin_wr32(&machine.memory, 0x24, 0x88776655);
    bus_write(&machine.bus, 0x700023, "\xaa\xbb\xcc", 3);
    assert_int_equal(memory_ramin_rd32(&machine.memory, 0x20), 0x443322aa);
    assert_int_equal(memory_ramin_rd32(&machine.memory, 0x24), 0xbbcc6655);
    uint8_t bytes[6];
    bus_read(&machine.bus, 0x700021, bytes, sizeof bytes);
    assert_memory_equal(bytes, "\x33\x22\xaa\xbb\xcc\x66", sizeof bytes);
}

static void observers_see_the_value_of_the_chip(void **opaque) {
    (void)opaque;
    init_big("NV17");
    struct event_log log;
    observe(&machine, "bus.write", &log);
    bus_wr32(&machine.bus, 0x700000, 0x11223344);
    assert_int_equal(log.last.value[1], 0x44332211);
}

static void the_ramin_bar_is_swapped_and_the_vram_bar_is_not(void **opaque) {
    (void)opaque;
    init_big("NV40");
    bar_wr32(&machine, 3, 0x100, 0x11223344);
    assert_int_equal(memory_ramin_rd32(&machine.memory, 0x100), 0x44332211);
    assert_int_equal(bar_rd32(&machine, 2, 0x100), 0x11223344);
    bus_bar_write(&machine.bus, 3, 0x7ffff, "\xaa\xbb\xcc\xdd\xee\xff", 6); /* across two chunks */
    assert_int_equal(memory_ramin_rd32(&machine.memory, 0x7fffc), 0x000000aa);
    assert_int_equal(memory_ramin_rd32(&machine.memory, 0x80000), 0xbbccddee);
    assert_int_equal(memory_ramin_rd32(&machine.memory, 0x80004), 0xff000000);
    uint8_t bytes[6];
    bus_bar_read(&machine.bus, 3, 0x7ffff, bytes, sizeof bytes);
    assert_memory_equal(bytes, "\xaa\xbb\xcc\xdd\xee\xff", sizeof bytes);
    bar_wr32(&machine, 1, 0x100, 0x11223344);
    assert_int_equal(peek(&machine, 0x100), 0x11223344);
}

static void bar3_of_tesla_is_swapped_too(void **opaque) {
    (void)opaque;
    init_big("G84");
    bar_wr32(&machine, 3, 0x100, 0x11223344);
    assert_int_equal(peek(&machine, 0x100), 0x44332211);
    bar_wr32(&machine, 1, 0x200, 0x11223344);
    assert_int_equal(peek(&machine, 0x200), 0x11223344);
}

#define TEST(name) cmocka_unit_test_teardown(name, teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(bit_24_as_the_chip_sees_it_toggles_the_mode),
        TEST(the_switch_is_there_from_nv1a_to_volta),
        TEST(registers_and_windows_are_swapped_in_dwords),
        TEST(a_byte_of_the_host_is_the_mirrored_lane),
        TEST(observers_see_the_value_of_the_chip),
        TEST(the_ramin_bar_is_swapped_and_the_vram_bar_is_not),
        TEST(bar3_of_tesla_is_swapped_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
