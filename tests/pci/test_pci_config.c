/* SPDX-License-Identifier: MIT */
/* Configuration space: ids, BARs, capabilities; and what answers at an address. */
#include "slot.h"

static unsigned find_capability(struct slot *slot, uint8_t id) {
    unsigned at = cfg(slot, 0x34) & 0xff, steps = 0;
    for (; at && steps < 16; at = cfg(slot, at) >> 8 & 0xff, steps++)
        if ((cfg(slot, at) & 0xff) == id)
            return at;
    assert_true(steps < 16);
    return 0;
}

static bool is_tegra(const char *name) {
    return strcmp(name, "GK20A") == 0 || strcmp(name, "GM20B") == 0 || strcmp(name, "GP10B") == 0;
}

static void test_every_built_chip_but_those_of_tegras_and_consoles_is_on_a_card(void **state) {
    (void)state;
    for (size_t i = 0; i < pfifo_chip_count(); i++) {
        struct pfifo_chip_info info = pfifo_chip_info(pfifo_chip_at(i));
        struct slot slot;
        bool has = slot_open_at(&slot, i);
        assert_int_equal(has, info.runs && !is_tegra(info.name) && strcmp(info.name, "RSX") != 0);
        if (!has)
            continue;
        assert_true((cfg(&slot, 0) & 0xffff) == 0x10de || (cfg(&slot, 0) & 0xffff) == 0x12d2);
        assert_int_equal(cfg(&slot, 8) >> 8, 0x030000);
        assert_int_equal(cfg(&slot, 0x3c) >> 8 & 0xff, 1);
        assert_int_equal(cfg(&slot, 4), find_capability(&slot, 1) ? 0x00100000 : 0);
        slot_close(&slot);
    }
}

static void test_a_bar_is_sized_as_qemu_does_it(void **state) {
    (void)state;
    struct slot slot;
    for (size_t i = 0; i < pfifo_chip_count(); i++) {
        struct pfifo_pci_config config = slot_config(&slot, pfifo_chip_at(i));
        config.bars_32 = true;
        slot.card = pfifo_pci_new(&config, NULL);
        for (unsigned bar = 0; slot.card && bar < 7; bar++) {
            struct pfifo_pci_region info = {0};
            unsigned at = 0x10 + 4 * bar;
            uint32_t before = cfg(&slot, at);
            cfg_write(&slot, at, 4, UINT32_MAX);
            uint32_t sized = cfg(&slot, at);
            cfg_write(&slot, at, 4, before);
            assert_int_equal(cfg(&slot, at), before);
            if (bar < 6 && pfifo_pci_region(slot.card, bar, &info)) {
                assert_false(info.wide);
                assert_int_equal((uint32_t) ~(sized & ~0xfu) + 1, info.bytes);
                assert_int_equal(sized & 1, info.ports);
            } else {
                assert_int_equal(sized, 0);
            }
        }
        pfifo_pci_free(slot.card);
    }
}

/*
 * QEMU's proxy takes the upper half of a BAR of 64 bits for one of ports: 16, which nobody sees as long as it is 0. The
 * guest needs it: nouveau since Linux 6.16 takes RAMIN for BAR2 if BAR1 has 32 bits.
 */
static void test_the_upper_half_of_a_bar_keeps_what_qemu_put_back(void **state) {
    struct slot slot;
    (void)state;
    slot_open(&slot, "G84");
    for (unsigned bar = 1; bar <= 3; bar += 2) {
        unsigned at = 0x14 + 4 * bar;
        assert_int_equal(cfg(&slot, 0x10 + 4 * bar) & 7, 4); /* memory, 64 bits */
        assert_int_equal(cfg(&slot, at), 0);
        cfg_write(&slot, at, 4, UINT32_MAX);
        assert_int_equal(cfg(&slot, at), UINT32_MAX);
        cfg_write(&slot, at, 4, 0);
        assert_int_equal(cfg(&slot, at), 0);
    }
    slot_close(&slot);
}

static void test_boards_have_the_bars_of_their_time(void **state) {
    static const struct {
        const char *chip;
        unsigned bar;
        uint64_t bytes;
        bool wide, ports, vram;
    } rows[] = {{"NV4", 0, 16 << 20, false, false, false},  {"NV34", 0, 16 << 20, false, false, false},
                {"NV34", 1, 128 << 20, false, false, true}, {"NV34", 2, 0, false, false, false},
                {"NV40", 2, 16 << 20, false, false, false}, {"NV40", 3, 0, false, false, false},
                {"G71", 3, 16 << 20, true, false, false},   {"G84", 1, 256 << 20, true, false, false},
                {"G84", 3, 32 << 20, true, false, false},   {"G84", 5, 128, false, true, false},
                {"GK104", 1, 256 << 20, true, false, false}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct slot slot;
        struct pfifo_pci_region info;
        slot_open(&slot, rows[i].chip);
        assert_int_equal(pfifo_pci_region(slot.card, rows[i].bar, &info), rows[i].bytes != 0);
        assert_int_equal(info.bytes, rows[i].bytes);
        assert_int_equal(info.wide, rows[i].wide);
        assert_int_equal(info.ports, rows[i].ports);
        assert_int_equal(info.vram, rows[i].vram);
        slot_close(&slot);
    }
}

static void test_an_address_finds_its_region_when_it_is_decoded(void **state) {
    struct slot slot;
    unsigned region;
    uint64_t offset;
    (void)state;
    slot_open(&slot, "G84");
    cfg_write(&slot, 0x10, 4, 0xfd000000);
    cfg_write(&slot, 0x14, 4, 0xe0000000);
    cfg_write(&slot, 0x18, 4, 0x12);
    cfg_write(&slot, 0x24, 4, 0xc000);
    cfg_write(&slot, 0x30, 4, 0xfe000001);
    assert_false(pfifo_pci_find(slot.card, false, 0xfd000000, &region, &offset));
    cfg_write(&slot, 4, 2, 2);
    assert_true(pfifo_pci_find(slot.card, false, 0xfd009400, &region, &offset));
    assert_int_equal(region, 0);
    assert_int_equal(offset, 0x9400);
    assert_true(pfifo_pci_find(slot.card, false, 0x12e0000010, &region, &offset));
    assert_int_equal(region, 1);
    assert_int_equal(offset, 0x10);
    assert_false(pfifo_pci_find(slot.card, false, 0xe0000010, &region, &offset));
    assert_true(pfifo_pci_find(slot.card, false, 0xfe000001, &region, &offset));
    assert_int_equal(region, PFIFO_PCI_ROM);
    cfg_write(&slot, 0x30, 4, 0xfe000000);
    assert_false(pfifo_pci_find(slot.card, false, 0xfe000001, &region, &offset));
    assert_false(pfifo_pci_find(slot.card, true, 0xc004, &region, &offset));
    cfg_write(&slot, 4, 2, 3);
    assert_true(pfifo_pci_find(slot.card, true, 0xc004, &region, &offset));
    assert_int_equal(region, 5);
    assert_int_equal(offset, 4);
    assert_false(pfifo_pci_find(slot.card, false, 0xc004, &region, &offset));
    assert_false(pfifo_pci_find(slot.card, false, 0, &region, &offset)); /* BAR 3 */
    slot_close(&slot);
}

static void test_capabilities_are_those_of_the_board(void **state) {
    static const struct {
        const char *chip;
        unsigned power, msi, express;
    } rows[] = {
        {"NV3", 0, 0, 0}, {"NV4", 0x60, 0, 0}, {"NV34", 0x60, 0, 0}, {"NV40", 0x60, 0x68, 0}, {"G84", 0x60, 0x68, 0x78},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct slot slot;
        slot_open(&slot, rows[i].chip);
        assert_int_equal(find_capability(&slot, 0x01), rows[i].power);
        assert_int_equal(find_capability(&slot, 0x05), rows[i].msi);
        assert_int_equal(find_capability(&slot, 0x10), rows[i].express);
        assert_int_equal(find_capability(&slot, 0x02), 0); /* AGP */
        slot_close(&slot);
    }
}

static void test_only_what_can_be_written_changes(void **state) {
    struct slot slot;
    (void)state;
    slot_open(&slot, "G84");
    uint32_t id = cfg(&slot, 0), class = cfg(&slot, 8), subsystem = cfg(&slot, 0x2c);
    for (unsigned offset = 0; offset < 0x100; offset += 4)
        cfg_write(&slot, offset, 4, UINT32_MAX);
    assert_int_equal(cfg(&slot, 0), id);
    assert_int_equal(cfg(&slot, 8), class);
    assert_int_equal(cfg(&slot, 0x2c), subsystem);
    assert_int_equal(cfg(&slot, 4), 0x00100547);
    assert_int_equal(cfg(&slot, 0x68), 0x00817805);
    assert_int_equal(cfg(&slot, 0x6c), 0xfffffffc);
    assert_int_equal(cfg(&slot, 0x30), 0xfffe0001);
    assert_int_equal(cfg(&slot, 0x3c), 0x000001ff);
    slot_close(&slot);
}

static void test_an_access_across_a_dword_or_beyond_is_nobodys(void **state) {
    static const struct {
        unsigned offset, bytes;
    } rows[] = {{0x11, 2}, {0x12, 4}, {0x100, 1}, {0x100, 4}, {0xfffffffc, 4}, {0, 8}, {0, 3}, {0, 0}};
    struct slot slot;
    (void)state;
    slot_open(&slot, "NV34");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_int_equal(pfifo_pci_config_read(slot.card, rows[i].offset, rows[i].bytes), UINT32_MAX);
        cfg_write(&slot, rows[i].offset, rows[i].bytes, UINT32_MAX);
    }
    assert_int_equal(cfg(&slot, 0x10), 0);
    cfg_write(&slot, 0x13, 1, 0xfd);
    assert_int_equal(cfg(&slot, 0x10), 0xfd000000);
    assert_int_equal(pfifo_pci_config_read(slot.card, 0x12, 2), 0xfd00);
    slot_close(&slot);
}

static void test_ids_are_the_owners_if_it_wants(void **state) {
    struct slot slot;
    (void)state;
    struct pfifo_pci_config config = slot_config(&slot, pfifo_chip_by_name("NV34"));
    config.device_id = 0x0326, config.subsystem_vendor = 0x1462, config.subsystem_id = 0x9130;
    slot.card = pfifo_pci_new(&config, NULL);
    assert_int_equal(cfg(&slot, 0), 0x032610de);
    assert_int_equal(cfg(&slot, 0x2c), 0x91301462);
    slot_close(&slot);
}

static void *no_map(void *opaque, uint64_t address, uint64_t *bytes, bool write) {
    (void)opaque, (void)address, (void)bytes, (void)write;
    return NULL;
}

static void test_a_config_that_takes_what_is_the_cards_is_refused(void **state) {
    struct slot slot;
    struct pfifo_error error;
    (void)state;
    struct pfifo_pci_config config = slot_config(&slot, pfifo_chip_by_name("NV34"));
    config.gpu.system_map = no_map;
    assert_null(pfifo_pci_new(&config, &error));
    assert_int_equal(error.status, PFIFO_ERROR_ARGUMENT);
    config = slot_config(&slot, NULL);
    assert_null(pfifo_pci_new(&config, &error));
    assert_int_equal(error.status, PFIFO_ERROR_ARGUMENT);
    config = slot_config(&slot, pfifo_chip_by_name("GP107"));
    config.bars_32 = true, config.gpu.bar1_bytes = UINT64_C(4) << 30;
    assert_null(pfifo_pci_new(&config, &error));
    assert_int_equal(error.status, PFIFO_ERROR_ARGUMENT);
    config = slot_config(&slot, pfifo_chip_by_name("NV34"));
    config.vbios = &config, config.vbios_bytes = PFIFO_PCI_ROM_MAX + 1;
    assert_null(pfifo_pci_new(&config, &error));
    assert_int_equal(error.status, PFIFO_ERROR_ARGUMENT);
    assert_null(pfifo_pci_new(NULL, &error));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_built_chip_but_those_of_tegras_and_consoles_is_on_a_card),
        cmocka_unit_test(test_a_bar_is_sized_as_qemu_does_it),
        cmocka_unit_test(test_the_upper_half_of_a_bar_keeps_what_qemu_put_back),
        cmocka_unit_test(test_boards_have_the_bars_of_their_time),
        cmocka_unit_test(test_an_address_finds_its_region_when_it_is_decoded),
        cmocka_unit_test(test_capabilities_are_those_of_the_board),
        cmocka_unit_test(test_only_what_can_be_written_changes),
        cmocka_unit_test(test_an_access_across_a_dword_or_beyond_is_nobodys),
        cmocka_unit_test(test_ids_are_the_owners_if_it_wants),
        cmocka_unit_test(test_a_config_that_takes_what_is_the_cards_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
