/* SPDX-License-Identifier: MIT */
/*
 * PEEPHOLE before G80: VRAM at an address in a register. And what VRAM_HIDE hides of it, and of the other windows.
 *
 * Sources: envytools docs/hw/memory/peephole.rst, docs/hw/bus/pmc.rst, rnndb/bus/{pbus,pmc}.xml.
 */
#include "bus/fixture.h"

enum {
    W_CTRL = 0x155c,
    W_ADDR = 0x1560,
    W_DATA = 0x1564,
    RW_ADDR = 0x1570,
    RW_DATA = 0x1574,
    PBUS_INTR = 0x1100,
    PBUS_INTR_EN = 0x1140,
    HIDE_LOW = 0x300,
    HIDE_HIGH = 0x304,
    PRAMIN = 0x700000,
};

#define FREEFORM 0x100u
#define AT       0x1230u

static const char *const with_ports[] = {"NV30", "NV35", "NV31", "NV36", "NV34",
                                         "NV40", "NV43", "NV44", "G70",  "MCP73"};
static const char *const without[] = {"NV1", "NV4", "NV10", "NV17", "NV20", "NV25", "NV28"};

#define ON_EACH(machine, names)                                                                                        \
    (void)opaque;                                                                                                      \
    struct machine machine;                                                                                            \
    for (size_t c = 0; c < COUNT_OF(names) && (machine_init(&(machine), (names)[c], NULL), true);                      \
         c++, machine_free(&(machine)))

static uint32_t rd(struct machine *machine, uint32_t offset) {
    return bus_rd32(&machine->bus, offset);
}

static void wr(struct machine *machine, uint32_t offset, uint32_t value) {
    bus_wr32(&machine->bus, offset, value);
}

static void the_read_write_port_reaches_vram_and_goes_on_by_4(void **opaque) {
    ON_EACH(machine, with_ports) {
        poke(&machine, AT, 0x11);
        poke(&machine, AT + 4, 0x22);
        wr(&machine, RW_ADDR, AT | 0xe0000003);
        assert_int_equal(rd(&machine, RW_ADDR), AT);
        assert_int_equal(rd(&machine, RW_DATA), 0x11);
        assert_int_equal(rd(&machine, RW_DATA), 0x22);
        wr(&machine, RW_DATA, 0x33);
        assert_int_equal(peek(&machine, AT + 8), 0x33);
        assert_int_equal(rd(&machine, RW_ADDR), AT + 12);
    }
}

static void an_access_keeps_its_size(void **opaque) {
    ON_EACH(machine, with_ports) {
        const uint8_t bytes[2] = {0xaa, 0xbb};
        poke(&machine, AT, 0x11223344);
        wr(&machine, RW_ADDR, AT);
        bus_write(&machine.bus, RW_DATA + 1, bytes, 2);
        assert_int_equal(peek(&machine, AT), 0x11bbaa44);
        assert_int_equal(rd(&machine, RW_ADDR), AT + 4);
        wr(&machine, W_CTRL, FREEFORM);
        wr(&machine, W_ADDR, AT);
        bus_write(&machine.bus, W_DATA + 2, bytes, 2);
        assert_int_equal(peek(&machine, AT), 0xbbaaaa44);
    }
}

static void the_address_has_29_bits(void **opaque) {
    ON_EACH(machine, with_ports) {
        wr(&machine, RW_ADDR, ~0u);
        assert_int_equal(rd(&machine, RW_ADDR), 0x1ffffffc);
        rd(&machine, RW_DATA);
        assert_int_equal(rd(&machine, RW_ADDR), 0);
        wr(&machine, W_CTRL, FREEFORM);
        wr(&machine, W_ADDR, ~0u);
        assert_int_equal(rd(&machine, W_ADDR), 0x1ffffffc);
    }
}

static void pairs_write_with_the_second_half_in_either_order(void **opaque) {
    ON_EACH(machine, with_ports) {
        wr(&machine, W_ADDR, AT);
        assert_int_equal(rd(&machine, W_CTRL), 1);
        wr(&machine, W_DATA, 0x55);
        assert_int_equal(rd(&machine, W_CTRL), 0);
        assert_int_equal(peek(&machine, AT), 0x55);
        wr(&machine, W_DATA, 0x66);
        assert_int_equal(rd(&machine, W_CTRL), 2);
        assert_int_equal(peek(&machine, AT), 0x55);
        wr(&machine, W_ADDR, AT + 4);
        assert_int_equal(peek(&machine, AT + 4), 0x66);
        assert_int_equal(rd(&machine, W_DATA), 0x66);
        assert_int_equal(rd(&machine, PBUS_INTR), 0);
    }
}

static void the_same_half_twice_interrupts(void **opaque) {
    ON_EACH(machine, with_ports) {
        wr(&machine, PBUS_INTR_EN, 1u << 12);
        wr(&machine, W_ADDR, AT);
        wr(&machine, W_ADDR, AT);
        assert_int_equal(rd(&machine, PBUS_INTR), 1u << 12);
        assert_int_equal(rd(&machine, 0x100) >> 28 & 1, 1);
        wr(&machine, PBUS_INTR, 1u << 12);
        assert_int_equal(rd(&machine, PBUS_INTR), 0);
        assert_int_equal(rd(&machine, 0x100) >> 28 & 1, 0);
    }
}

static void behind_the_end_of_vram_there_is_nothing(void **opaque) {
    struct machine machine;
    (void)opaque;
    machine_init_sized(&machine, "NV40", 1 << 20, NULL);
    wr(&machine, RW_ADDR, 0xffffc);
    wr(&machine, RW_DATA, 0x77);
    wr(&machine, RW_DATA, 0x88);
    wr(&machine, RW_ADDR, 0xffffc);
    assert_int_equal(rd(&machine, RW_DATA), 0x77);
    assert_int_equal(rd(&machine, RW_DATA), 0);
    assert_int_equal(rd(&machine, PBUS_INTR), 0);
    machine_free(&machine);
}

static void there_is_none_before_nv30(void **opaque) {
    ON_EACH(machine, without) {
        poke(&machine, AT, 0x11);
        wr(&machine, RW_ADDR, AT);
        assert_int_equal(rd(&machine, RW_ADDR), 0);
        assert_int_equal(rd(&machine, RW_DATA), 0);
    }
}

/* The offset in each window counts, not the place in VRAM. Writes land. */
static void vram_hide_of_nv17_hides_offsets_of_windows(void **opaque) {
    static const char *const chips[] = {"NV17", "NV20", "NV30", "NV40"};
    ON_EACH(machine, chips) {
        for (uint32_t at = AT; at < AT + 16; at += 4) {
            poke(&machine, at, 0x10000 | at);
            wr(&machine, PRAMIN + at, 0x20000 | at);
        }
        wr(&machine, HIDE_HIGH, AT + 8);
        wr(&machine, HIDE_LOW, 1u << 31 | (AT + 4));
        wr(&machine, RW_ADDR, AT);
        for (uint32_t at = AT; at < AT + 16; at += 4) {
            bool hidden = at == AT + 4 || at == AT + 8, ports = chip_in_range(machine.chip, "NV30-");
            uint32_t word;
            bus_bar_read(&machine.bus, 1, at, &word, 4);
            assert_int_equal(word, hidden ? 0 : 0x10000 | at);
            assert_int_equal(rd(&machine, PRAMIN + at), hidden ? 0 : 0x20000 | at);
            assert_int_equal(rd(&machine, RW_DATA), !ports || hidden ? 0 : 0x10000 | at);
        }
        wr(&machine, HIDE_LOW, 0);
        assert_int_equal(rd(&machine, PRAMIN + AT + 4), 0x20000 | (AT + 4));
    }
}

static void the_ramin_bar_of_nv40_is_hidden_too(void **opaque) {
    struct machine machine;
    uint32_t word = 0x1234;
    (void)opaque;
    machine_init(&machine, "NV40", NULL);
    unsigned bar = bus_bar_bytes(&machine.bus, 2) ? 2 : 3;
    bus_bar_write(&machine.bus, bar, AT, &word, 4);
    wr(&machine, HIDE_HIGH, AT);
    wr(&machine, HIDE_LOW, 1u << 31 | AT);
    bus_bar_read(&machine.bus, bar, AT, &word, 4);
    assert_int_equal(word, 0);
    wr(&machine, HIDE_LOW, AT);
    bus_bar_read(&machine.bus, bar, AT, &word, 4);
    assert_int_equal(word, 0x1234);
    machine_free(&machine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_read_write_port_reaches_vram_and_goes_on_by_4),
        cmocka_unit_test(an_access_keeps_its_size),
        cmocka_unit_test(the_address_has_29_bits),
        cmocka_unit_test(pairs_write_with_the_second_half_in_either_order),
        cmocka_unit_test(the_same_half_twice_interrupts),
        cmocka_unit_test(behind_the_end_of_vram_there_is_nothing),
        cmocka_unit_test(there_is_none_before_nv30),
        cmocka_unit_test(vram_hide_of_nv17_hides_offsets_of_windows),
        cmocka_unit_test(the_ramin_bar_of_nv40_is_hidden_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
