/* SPDX-License-Identifier: MIT */
/*
 * Windows of G80 .. GM20B: PRAMIN, PEEPHOLE, what VRAM_HIDE hides of them and of the BARs; and what PBUS says when
 * nobody answers. Sources: envytools docs/hw/memory/peephole.rst, docs/hw/bus/{pmc,bars}.rst, rnndb/bus/pbus.xml.
 */
#include "vm.h"

static const char *const chips[] = {"G80", "G84", "GT215", "GF100", "GK104", "GM107", "GM204", "GM20B"};

/* Each test on each chip. */
#define ON_EACH_CHIP(vm)                                                                                               \
    (void)state;                                                                                                       \
    struct vm vm;                                                                                                      \
    for (size_t c = 0; c < COUNT_OF(chips) && (vm_start(&(vm), chips[c]), true); c++, vm_stop(&(vm)))

static bool is(const struct vm *vm, const char *ranges) {
    return chip_in_range(vm->chip, ranges);
}

/* Where the ports are: the write port (before GF100), the read-write port. */
static uint32_t w_port(const struct vm *vm) {
    return is(vm, "G80") ? 0x1560 : 0x60000;
}
static uint32_t rw_port(const struct vm *vm) {
    return is(vm, "G80") ? 0x1570 : 0x60010;
}
#define W_CTRL   0x155c
#define FREEFORM 0x100

/* ---- PRAMIN ---- */

static void pramin_shows_a_megabyte_from_a_base(void **state) {
    ON_EACH_CHIP(vm) {
        put32(&vm, 0x3210004, 0x11);
        wr(&vm, PRAMIN_BASE, 0x321);
        assert_int_equal(rd(&vm, PRAMIN + 4), 0x11);
        wr(&vm, PRAMIN + 0xffffc, 0x22);
        assert_int_equal(get32(&vm, 0x330fffc), 0x22);
        wr(&vm, PRAMIN_BASE, 2 << 24 | 0x321);
        wr(&vm, PRAMIN, 0x33);
        assert_int_equal(get32(&vm, SYSTEM | 0x3210000), 0x33);
        wr(&vm, PRAMIN_BASE, 3 << 24 | 0x321);
        assert_int_equal(rd(&vm, PRAMIN), 0x33);
    }
}

/* ---- PEEPHOLE ---- */

static void the_read_write_port_goes_on_by_4(void **state) {
    ON_EACH_CHIP(vm) {
        put32(&vm, PAGES, 0x11);
        put32(&vm, PAGES + 4, 0x22);
        wr(&vm, rw_port(&vm), PAGES | 3);
        assert_int_equal(rd(&vm, rw_port(&vm)), PAGES);
        assert_int_equal(rd(&vm, rw_port(&vm) + 4), 0x11);
        assert_int_equal(rd(&vm, rw_port(&vm) + 4), 0x22);
        wr(&vm, rw_port(&vm) + 4, 0x33);
        assert_int_equal(get32(&vm, PAGES + 8), 0x33);
        assert_int_equal(rd(&vm, rw_port(&vm)), PAGES + 12);
    }
}

static void the_read_write_port_keeps_the_size_of_an_access(void **state) {
    ON_EACH_CHIP(vm) {
        const uint8_t bytes[2] = {0xaa, 0xbb};
        uint8_t byte;
        put32(&vm, PAGES, 0x11223344);
        wr(&vm, rw_port(&vm), PAGES);
        bar_write(&vm, 0, rw_port(&vm) + 5, bytes, 2);
        assert_int_equal(get32(&vm, PAGES), 0x11bbaa44);
        assert_int_equal(rd(&vm, rw_port(&vm)), PAGES + 4); /* by 4 all the same */
        put32(&vm, PAGES + 4, 0x55667788);
        bar_read(&vm, 0, rw_port(&vm) + 6, &byte, 1);
        assert_int_equal(byte, 0x66);
        assert_int_equal(rd(&vm, rw_port(&vm)), PAGES + 8);
    }
}

static void the_address_has_40_bits_from_gf100_on(void **state) {
    ON_EACH_CHIP(vm) {
        wr(&vm, rw_port(&vm), 0xfffffffc);
        if (is(&vm, "G80:GF100")) {
            rd(&vm, rw_port(&vm) + 4);
            assert_int_equal(rd(&vm, rw_port(&vm)), 0);
            continue;
        }
        wr(&vm, 0x6000c, 0x1234);
        assert_int_equal(rd(&vm, 0x6000c), 0x34);
        rd(&vm, rw_port(&vm) + 4);
        assert_int_equal(rd(&vm, rw_port(&vm)), 0);
        assert_int_equal(rd(&vm, 0x6000c), 0x35);
        wr(&vm, 0x6000c, 0xff);
        wr(&vm, rw_port(&vm), 0xfffffffc);
        rd(&vm, rw_port(&vm) + 4);
        assert_int_equal(rd(&vm, 0x6000c), 0);
    }
}

static void the_peephole_may_go_through_a_vm(void **state) {
    ON_EACH_CHIP(vm) {
        put_pde(&vm, 0, pde_4k(&vm));
        put_pte(&vm, TABLE, 7, pte_4k(&vm, PAGES));
        if (vm.tesla)
            wr(&vm, PEEPHOLE_OBJECT, 1u << 31 | (OBJECT - DESCRIPTOR) >> 4);
        else
            wr(&vm, PEEPHOLE_BLOCK, 1u << 31 | DESCRIPTOR >> 12);
        wr(&vm, rw_port(&vm), 0x7010);
        wr(&vm, rw_port(&vm) + 4, 0x77);
        assert_int_equal(get32(&vm, PAGES + 0x10), 0x77);
        wr(&vm, rw_port(&vm), 0x8010);
        assert_int_equal(rd(&vm, rw_port(&vm) + 4), BAD_FAULT);
    }
}

static void the_peephole_has_a_channel_of_its_own_on_tesla(void **state) {
    ON_EACH_CHIP(vm) {
        if (!vm.tesla)
            continue;
        static const uint32_t object[] = {0x7fc00000 | 1 << 16, 0xffffffff, PAGES, 0xff000000};
        wr(&vm, BAR_1704, 0x180); /* WHICH 0: the PEEPHOLE; the BAR keeps its channel */
        for (unsigned i = 0; i < 4; i++)
            put32(&vm, 0x180100 + 4 * i, object[i]);
        wr(&vm, PEEPHOLE_OBJECT, 1u << 31 | 0x10);
        wr(&vm, rw_port(&vm), 0x20);
        wr(&vm, rw_port(&vm) + 4, 0x5a);
        assert_int_equal(get32(&vm, PAGES + 0x20), 0x5a);
        put_pde(&vm, 0, TABLE | TESLA_4K);
        put_pte(&vm, TABLE, 0, (PAGES + 0x1000) | 1);
        assert_is(&vm, 0, PAGES + 0x1000);
    }
}

static void the_write_port_takes_a_pair_in_either_order(void **state) {
    ON_EACH_CHIP(vm) {
        uint32_t port = w_port(&vm);
        if (!vm.tesla)
            continue;
        assert_int_equal(rd(&vm, W_CTRL), 0);
        wr(&vm, port, PAGES);
        assert_int_equal(rd(&vm, W_CTRL), 1);
        wr(&vm, port + 4, 0x11);
        assert_int_equal(rd(&vm, W_CTRL), 0);
        assert_int_equal(get32(&vm, PAGES), 0x11);
        wr(&vm, port + 4, 0x22);
        assert_int_equal(rd(&vm, W_CTRL), 2);
        assert_int_equal(get32(&vm, PAGES), 0x11);
        wr(&vm, port, PAGES + 4);
        assert_int_equal(rd(&vm, W_CTRL), 0);
        assert_int_equal(get32(&vm, PAGES + 4), 0x22);
        assert_int_equal(rd(&vm, port), PAGES + 4); /* both can be read back */
        assert_int_equal(rd(&vm, port + 4), 0x22);
        assert_int_equal(rd(&vm, PBUS_INTR), 0);
    }
}

static void half_a_pair_twice_is_a_mismatch(void **state) {
    ON_EACH_CHIP(vm) {
        uint32_t port = w_port(&vm);
        if (!vm.tesla)
            continue;
        for (unsigned half = 0; half < 2; half++) {
            wr(&vm, W_CTRL, 0);
            wr(&vm, port + 4 * half, PAGES);
            wr(&vm, port + 4 * half, PAGES + 8);
            assert_int_equal(rd(&vm, PBUS_INTR), 1 << 12);
            assert_int_equal(rd(&vm, W_CTRL), half + 1); /* it still waits for the other one */
            assert_int_equal(rd(&vm, port + 4 * half), PAGES + 8);
            wr(&vm, PBUS_INTR, 1 << 12);
            assert_int_equal(rd(&vm, PBUS_INTR), 0);
        }
    }
}

static void a_pair_keeps_the_size_of_the_data_only_if_they_come_last(void **state) {
    ON_EACH_CHIP(vm) {
        uint32_t port = w_port(&vm);
        uint8_t byte = 0xaa;
        if (!vm.tesla)
            continue;
        put32(&vm, PAGES, 0x11223344);
        wr(&vm, port, PAGES);
        bar_write(&vm, 0, port + 5, &byte, 1);
        assert_int_equal(get32(&vm, PAGES), 0x1122aa44);
        put32(&vm, PAGES, 0x11223344);
        bar_write(&vm, 0, port + 5, &byte, 1);
        wr(&vm, port, PAGES);
        assert_int_equal(get32(&vm, PAGES) >> 8 & 0xff, 0xaa);
        assert_int_not_equal(get32(&vm, PAGES) & 0xff, 0x44); /* junk, but written */
    }
}

static void freeform_writes_go_where_the_address_is(void **state) {
    ON_EACH_CHIP(vm) {
        uint32_t port = w_port(&vm);
        if (!vm.tesla)
            continue;
        wr(&vm, W_CTRL, FREEFORM);
        wr(&vm, port, PAGES + 4);
        wr(&vm, port, PAGES);
        wr(&vm, port + 4, 0x11);
        assert_int_equal(get32(&vm, PAGES), 0x11);
        wr(&vm, port + 4, 0x22);
        assert_int_equal(get32(&vm, PAGES), 0x22);
        assert_int_equal(get32(&vm, PAGES + 4), 0);
        assert_int_equal(rd(&vm, PBUS_INTR), 0);
        assert_int_equal(rd(&vm, W_CTRL), FREEFORM);
    }
}

static void there_is_no_write_port_from_gf100_on(void **state) {
    ON_EACH_CHIP(vm) {
        if (vm.tesla)
            continue;
        assert_int_equal(rd(&vm, W_CTRL), BAD_NOTHING);
        assert_int_equal(rd(&vm, 0x60000), BAD_NOTHING);
        assert_int_equal(rd(&vm, 0x60004), BAD_NOTHING);
    }
}

static void the_ports_moved_with_g84(void **state) {
    ON_EACH_CHIP(vm) {
        static const uint32_t places[2][2] = {{0x1570, 0x1574}, {0x60010, 0x60014}};
        bool g80 = is(&vm, "G80");
        for (unsigned i = 0; i < 2; i++) {
            assert_int_equal(rd(&vm, places[!g80][i]) == BAD_NOTHING, false);
            assert_int_equal(rd(&vm, places[g80][i]), BAD_NOTHING);
        }
    }
}

static void pmc_enable_does_not_switch_the_peephole_off(void **state) {
    ON_EACH_CHIP(vm) {
        put32(&vm, PAGES, 0x11);
        wr(&vm, PMC_ENABLE, 0);
        wr(&vm, rw_port(&vm), PAGES);
        assert_int_equal(rd(&vm, rw_port(&vm) + 4), 0x11);
    }
}

/* ---- VRAM_HIDE ---- */

/* The dwords from 0x2008 up to 0x2010 of each window. On GF100 the registers are there and do nothing. */
static void vram_hide_hides_offsets_of_windows(void **state) {
    ON_EACH_CHIP(vm) {
        wr(&vm, BAR_1704, vm.tesla ? DESCRIPTOR >> 12 | 1u << 30 : 0);
        if (vm.tesla)
            wr(&vm, BAR1_OBJECT, 0);
        wr(&vm, PRAMIN_BASE, 0x30);
        for (uint32_t at = 0x2000; at <= 0x2018; at += 4) {
            put32(&vm, at, 0x10000 | at);
            put32(&vm, 0x300000 + at, 0x30000 | at);
        }
        wr(&vm, 0x304, 0x2010);
        for (unsigned on = 0; on < 2; on++) {
            wr(&vm, 0x300, on << 31 | 0x2008);
            wr(&vm, rw_port(&vm), 0x2000);
            for (uint32_t at = 0x2000; at <= 0x2018; at += 4) {
                bool hidden = on && vm.tesla && at >= 0x2008 && at <= 0x2010;
                assert_int_equal(bar_rd(&vm, 1, at), hidden ? 0 : 0x10000 | at);
                assert_int_equal(bar_rd(&vm, 3, at), hidden ? 0 : 0x10000 | at);
                assert_int_equal(rd(&vm, rw_port(&vm) + 4), hidden ? 0 : 0x10000 | at);
                assert_int_equal(rd(&vm, PRAMIN + at), hidden ? 0 : 0x30000 | at);
            }
        }
        bar_wr(&vm, 1, 0x200c, 0x77); /* writes land */
        assert_int_equal(get32(&vm, 0x200c), 0x77);
        wr(&vm, 0x304, 0x2004); /* an empty range */
        assert_int_equal(bar_rd(&vm, 1, 0x200c), 0x77);
    }
}

static void vram_hide_cuts_a_long_read(void **state) {
    ON_EACH_CHIP(vm) {
        uint8_t bytes[64];
        if (!vm.tesla)
            continue;
        wr(&vm, BAR1_OBJECT, 0);
        for (uint32_t at = 0; at < 64; at += 4)
            put32(&vm, 0x1000 + at, ~0u);
        wr(&vm, 0x300, 1u << 31 | 0x1010);
        wr(&vm, 0x304, 0x101c);
        bar_read(&vm, 1, 0x1001, bytes, sizeof bytes - 1);
        for (unsigned i = 1; i < 64; i++)
            assert_int_equal(bytes[i - 1], i >= 0x10 && i < 0x20 ? 0 : 0xff);
    }
}

/* ---- byte order ---- */

/* PMC ENDIAN swaps what the host sees of registers and BAR 3. Tables stay as they are, and so does BAR 1. */
static void a_big_endian_host_sees_all_but_bar1_swapped(void **state) {
    ON_EACH_CHIP(vm) {
        put_pde(&vm, 0, pde_4k(&vm));
        put_pte(&vm, TABLE, 1, pte_4k(&vm, PAGES));
        put32(&vm, PAGES, 0x11223344);
        put32(&vm, 0x300000, 0x55667788);
        wr(&vm, PRAMIN_BASE, PAGES >> 16);
        wr(&vm, 0x004, 0x01000001);
        assert_int_equal(rd(&vm, 0x004), 0x01000001);
        assert_int_equal(bar_rd(&vm, 1, 0x1000), 0x11223344);
        assert_int_equal(bar_rd(&vm, 3, 0x300000), 0x88776655);
        assert_int_equal(rd(&vm, PRAMIN), 0x44332211);
        wr(&vm, rw_port(&vm), __builtin_bswap32(PAGES));
        assert_int_equal(rd(&vm, rw_port(&vm) + 4), 0x44332211);
        bar_wr(&vm, 3, 0x300000, 0x01020304);
        assert_int_equal(get32(&vm, 0x300000), 0x04030201);
        bar_wr(&vm, 1, 0x1000, 0x01020304);
        assert_int_equal(get32(&vm, PAGES), 0x01020304);
    }
}

/* ---- BAR 5 ---- */

static void io_ports_lead_to_the_other_bars(void **state) {
    ON_EACH_CHIP(vm) {
        if (!vm.chip->vram_bytes) { /* no PCI, and no such BAR */
            assert_int_equal(bar_rd(&vm, 5, 0), 0);
            continue;
        }
        put_pde(&vm, 0, pde_4k(&vm));
        put_pte(&vm, TABLE, 1, pte_4k(&vm, PAGES));
        assert_int_equal(bar_rd(&vm, 5, 0), 0x2469fdb9);
        for (unsigned port = 4; port < 0x20; port += 4)
            assert_int_equal(bar_rd(&vm, 5, port), 0xffffffff); /* off */
        bar_wr(&vm, 5, 0, 1);
        assert_int_equal(bar_rd(&vm, 5, 0), 0x2469fdb9);
        assert_int_equal(bar_rd(&vm, 5, 8), 0);
        bar_wr(&vm, 5, 8, 0xff001143); /* bits 23:2 */
        assert_int_equal(bar_rd(&vm, 5, 8), 0x001140);
        bar_wr(&vm, 5, 0xc, 0x5a);
        assert_int_equal(rd(&vm, PBUS_INTR_EN), 0); /* the data ports are off */
        bar_wr(&vm, 5, 4, 1);
        bar_wr(&vm, 5, 0xc, 0x5a);
        assert_int_equal(rd(&vm, PBUS_INTR_EN), 0x5a);
        assert_int_equal(bar_rd(&vm, 5, 0xc), 0x5a);
        bar_wr(&vm, 5, 0x10, 0x1013);
        bar_wr(&vm, 5, 0x14, 0x77);
        assert_int_equal(get32(&vm, PAGES + 0x10), 0x77);
        bar_wr(&vm, 5, 0x18, 0xff002004);
        bar_wr(&vm, 5, 0x1c, 0x88); /* BAR 3 is not in VM mode */
        assert_int_equal(get32(&vm, 0x2004), 0x88);
        assert_int_equal(bar_rd(&vm, 5, 0x18), 0x002004);
        assert_int_equal(bar_rd(&vm, 5, 0x20), 0xffffffff);
        assert_int_equal(bar_rd(&vm, 5, 0x80), 0);
    }
}

/* ---- PBUS ---- */

#define NOWHERE 0x0e0000 /* between blocks */

static void a_register_that_does_not_exist_is_reported(void **state) {
    ON_EACH_CHIP(vm) {
        wr(&vm, PMC_INTR_EN, 1);
        assert_int_equal(rd(&vm, NOWHERE + 2), BAD_NOTHING);
        assert_int_equal(rd(&vm, PBUS_INTR), 1 << 3);
        assert_int_equal(rd(&vm, BUS_ERROR_ADDRESS), NOWHERE | 1);
        assert_int_equal(rd(&vm, PMC_INTR) & 1u << 28, 0); /* not enabled */
        wr(&vm, PBUS_INTR_EN, 1 << 3);
        assert_int_equal(rd(&vm, PMC_INTR) & 1u << 28, 1u << 28);
        assert_true(irq(&vm));
        wr(&vm, PBUS_INTR, 1 << 3);
        assert_false(irq(&vm));
        assert_int_equal(rd(&vm, BUS_ERROR_ADDRESS), NOWHERE | 1); /* that is acknowledged here: */
        wr(&vm, BUS_ERROR_ADDRESS, 0);
        assert_int_equal(rd(&vm, BUS_ERROR_ADDRESS), 0);
    }
}

static void a_write_to_nothing_is_reported_with_its_data(void **state) {
    ON_EACH_CHIP(vm) {
        wr(&vm, NOWHERE + 4, 0x12345678);
        assert_int_equal(rd(&vm, PBUS_INTR), 1 << 3);
        assert_int_equal(rd(&vm, BUS_ERROR_ADDRESS), (NOWHERE + 4) | 3);
        assert_int_equal(rd(&vm, BUS_ERROR_DATA), 0x12345678);
    }
}

static void the_record_keeps_the_first_error(void **state) {
    ON_EACH_CHIP(vm) {
        wr(&vm, NOWHERE, 1);
        wr(&vm, NOWHERE + 4, 2);
        rd(&vm, NOWHERE + 8);
        assert_int_equal(rd(&vm, BUS_ERROR_ADDRESS), NOWHERE | 3);
        assert_int_equal(rd(&vm, BUS_ERROR_DATA), 1);
        wr(&vm, BUS_ERROR_ADDRESS, 0);
        rd(&vm, NOWHERE + 8);
        assert_int_equal(rd(&vm, BUS_ERROR_ADDRESS), (NOWHERE + 8) | 1);
    }
}

/* Bit 1 from GF100 on; before, what is off is not there. */
static void a_unit_that_is_off_is_reported(void **state) {
    ON_EACH_CHIP(vm) {
        wr(&vm, PMC_ENABLE, ~(1u << 8));
        assert_int_equal(rd(&vm, PFIFO_INTR), BAD_DISABLED);
        assert_int_equal(rd(&vm, PBUS_INTR), vm.tesla ? 1 << 3 : 1 << 1);
        assert_int_equal(rd(&vm, BUS_ERROR_ADDRESS), PFIFO_INTR | 1);
        wr(&vm, PMC_ENABLE, ~0u);
        assert_int_equal(rd(&vm, PFIFO_INTR), 0);
    }
}

static void a_pbdma_that_is_off_is_reported(void **state) {
    ON_EACH_CHIP(vm) {
        if (vm.tesla)
            continue;
        assert_int_not_equal(rd(&vm, 0x40100), BAD_DISABLED);
        wr(&vm, PMC_SUBFIFO_ENABLE, ~1u);
        assert_int_equal(rd(&vm, 0x40100), BAD_DISABLED);
        assert_int_equal(rd(&vm, PBUS_INTR), 1 << 1);
    }
}

static void subfifo_enable_has_a_bit_for_each_pbdma(void **state) {
    ON_EACH_CHIP(vm) {
        if (vm.tesla)
            continue;
        wr(&vm, PMC_SUBFIFO_ENABLE, ~0u);
        assert_int_equal(rd(&vm, PMC_SUBFIFO_ENABLE), (1u << vm.chip->pbdmas) - 1);
    }
}

static void software_can_raise_interrupts_of_pbus(void **state) {
    ON_EACH_CHIP(vm) {
        wr(&vm, 0x1150, 0);
        assert_int_equal(rd(&vm, PBUS_INTR), 1 << 26);
        wr(&vm, PBUS_INTR, ~0u);
        if (vm.tesla)
            continue;
        wr(&vm, 0x1170, 0);
        assert_int_equal(rd(&vm, PBUS_INTR), 1 << 28);
    }
}

static void a_bar_that_faults_says_so_in_the_data(void **state) {
    ON_EACH_CHIP(vm) {
        uint8_t bytes[6];
        put_pde(&vm, 0, pde_4k(&vm));
        put_pte(&vm, TABLE, 1, pte_4k(&vm, PAGES));
        put32(&vm, PAGES, 0x44332211);
        bar_read(&vm, 1, 0xffd, bytes, 6); /* the page before it is missing */
        static const uint8_t want[6] = {0xac, 0xd0, 0xba, 0x11, 0x22, 0x33};
        assert_memory_equal(bytes, want, 6);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pramin_shows_a_megabyte_from_a_base),
        cmocka_unit_test(the_read_write_port_goes_on_by_4),
        cmocka_unit_test(the_read_write_port_keeps_the_size_of_an_access),
        cmocka_unit_test(the_address_has_40_bits_from_gf100_on),
        cmocka_unit_test(the_peephole_may_go_through_a_vm),
        cmocka_unit_test(the_peephole_has_a_channel_of_its_own_on_tesla),
        cmocka_unit_test(the_write_port_takes_a_pair_in_either_order),
        cmocka_unit_test(half_a_pair_twice_is_a_mismatch),
        cmocka_unit_test(a_pair_keeps_the_size_of_the_data_only_if_they_come_last),
        cmocka_unit_test(freeform_writes_go_where_the_address_is),
        cmocka_unit_test(there_is_no_write_port_from_gf100_on),
        cmocka_unit_test(the_ports_moved_with_g84),
        cmocka_unit_test(pmc_enable_does_not_switch_the_peephole_off),
        cmocka_unit_test(vram_hide_hides_offsets_of_windows),
        cmocka_unit_test(vram_hide_cuts_a_long_read),
        cmocka_unit_test(a_big_endian_host_sees_all_but_bar1_swapped),
        cmocka_unit_test(io_ports_lead_to_the_other_bars),
        cmocka_unit_test(a_register_that_does_not_exist_is_reported),
        cmocka_unit_test(a_write_to_nothing_is_reported_with_its_data),
        cmocka_unit_test(the_record_keeps_the_first_error),
        cmocka_unit_test(a_unit_that_is_off_is_reported),
        cmocka_unit_test(a_pbdma_that_is_off_is_reported),
        cmocka_unit_test(subfifo_enable_has_a_bit_for_each_pbdma),
        cmocka_unit_test(software_can_raise_interrupts_of_pbus),
        cmocka_unit_test(a_bar_that_faults_says_so_in_the_data),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
