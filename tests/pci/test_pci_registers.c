/* SPDX-License-Identifier: MIT */
/* BAR0 of a card: its areas, the GPU, storage; and the ROM. */
#include "slot.h"

#define NOWHERE 0x280000u /* no block of NV34 or G84 */

static const uint8_t *find_bytes(const uint8_t *image, size_t bytes, const char *what, size_t length) {
    for (size_t i = 0; i + length <= bytes; i++)
        if (memcmp(image + i, what, length) == 0)
            return image + i;
    return NULL;
}

static void check_image(struct slot *slot, const uint8_t *image) {
    unsigned bytes = image[2] * 512u, pcir = image[0x18] | (unsigned)image[0x19] << 8;
    uint8_t sum = 0;
    assert_int_equal(image[0], 0x55);
    assert_int_equal(image[1], 0xaa);
    assert_int_equal(bytes, 4096);
    for (unsigned i = 0; i < bytes; i++)
        sum = (uint8_t)(sum + image[i]);
    assert_int_equal(sum, 0);
    assert_memory_equal(image + pcir, "PCIR", 4);
    assert_int_equal(image[pcir + 4] | image[pcir + 5] << 8, cfg(slot, 0) & 0xffff);
    assert_int_equal(image[pcir + 6] | image[pcir + 7] << 8, cfg(slot, 0) >> 16);
    assert_int_equal(image[pcir + 15], 3);
    assert_int_equal(image[pcir + 16], image[2]);
    assert_int_equal(image[pcir + 21], 0x80);
    const uint8_t *bmp = find_bytes(image, bytes, "\xff\x7fNV", 5);
    assert_non_null(bmp);
    for (unsigned i = 0; i < 8; i++)
        sum = (uint8_t)(sum + bmp[i]);
    assert_int_equal(sum, 0);
    assert_int_equal(bmp[18] | bmp[19], 0);
}

static unsigned word_at(const uint8_t *image, unsigned at) {
    return image[at] | (unsigned)image[at + 1] << 8;
}

/* Header, then no outputs; the I2C table has a header of its own, and no buses. */
static void check_dcb_with_header(const uint8_t *image, const uint8_t *dcb, unsigned version) {
    const uint8_t *i2c = image + word_at(dcb, 4);
    assert_int_equal(dcb[1], version == 0x40 ? 27 : 25);
    assert_int_equal(dcb[2], 0);
    assert_int_equal(dcb[3], 8);
    assert_memory_equal(dcb + 6, "\xcb\xbd\xdc\x4e", 4);
    for (unsigned i = 10; i < dcb[1]; i++)
        assert_int_equal(dcb[i], 0); /* no other table, no flag */
    assert_true(i2c >= dcb + dcb[1]);
    assert_int_equal(i2c[0], version);
    assert_int_equal(i2c[1], 5);
    assert_int_equal(i2c[2], 0);
    assert_int_equal(i2c[3], 4);
}

/* The I2C table has no header, so its end is where all is unused. */
static void check_dcb_without(const uint8_t *image, const uint8_t *dcb) {
    const uint8_t *i2c = image + word_at(dcb, 2);
    assert_memory_equal(dcb + 4, "\xcb\xbd\xdc\x4e", 4);
    assert_ptr_equal(i2c, dcb + 8);
    for (unsigned i = 0; i < 64; i++)
        assert_int_equal(i2c[i], 0xff);
}

static void test_the_dcb_has_the_version_of_the_boards_of_its_time_and_no_outputs(void **state) {
    static const struct {
        const char *chip;
        unsigned version;
    } rows[] = {{"NV4", 0x22},   {"NV34", 0x22},  {"NV36", 0x22},  {"NV40", 0x30},  {"NV44A", 0x30}, {"NV41", 0x30},
                {"G72", 0x30},   {"MCP73", 0x30}, {"G80", 0x40},   {"G84", 0x40},   {"GT215", 0x40}, {"MCP89", 0x40},
                {"GF100", 0x40}, {"GF119", 0x40}, {"GK104", 0x40}, {"GM107", 0x40}, {"GP102", 0x40}};
    uint8_t image[4096];
    struct slot slot;
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        slot_open(&slot, rows[i].chip);
        pfifo_pci_region_read(slot.card, PFIFO_PCI_ROM, 0, image, sizeof image);
        const uint8_t *dcb = image + word_at(image, 0x36);
        assert_int_equal(dcb[0], rows[i].version);
        if (rows[i].version >= 0x30)
            check_dcb_with_header(image, dcb, rows[i].version);
        else
            check_dcb_without(image, dcb);
        slot_close(&slot);
    }
}

/* Where an entry of the BIT says that its data are; 0: there is no such entry. */
static unsigned bit_entry(const uint8_t *image, const uint8_t *bit, char id, unsigned version) {
    for (unsigned i = 0; i < bit[10]; i++) {
        const uint8_t *entry = bit + bit[8] + (size_t)i * bit[9];
        assert_true(word_at(entry, 2) && word_at(entry, 4) + word_at(entry, 2) < 4096);
        if (entry[0] == (uint8_t)id && entry[1] == version)
            return word_at(entry, 4);
    }
    (void)image;
    return 0;
}

/* nouveau of Linux 6.1 does not come up on Kepler without voltages, and stops at a memory without settings by clock. */
static void check_tables(const uint8_t *image, const uint8_t *bit) {
    uint8_t sum = 0;
    for (unsigned i = 0; i < bit[8]; i++)
        sum = (uint8_t)(sum + bit[i]);
    assert_int_equal(sum, 0);
    unsigned power = bit_entry(image, bit, 'P', 2), memory = bit_entry(image, bit, 'M', 2);
    assert_true(power && memory && bit_entry(image, bit, 'i', 2) && bit_entry(image, bit, 'I', 1));
    assert_int_equal(image[bit_entry(image, bit, 'i', 2) + 3], 0); /* major part of the version */
    const uint8_t *voltages = image + word_at(image, power + 0x0c), *mappings = image + word_at(image, power + 4);
    assert_int_equal(voltages[0], 0x40);
    assert_int_equal(word_at(voltages, 4) | word_at(voltages, 6) << 16, 900000);
    assert_int_equal(voltages[0x0b], 0);
    assert_int_equal(mappings[0], 0x11);
    assert_true(mappings[1] >= 0x15 && mappings[5] == 0 && mappings[0x14] == 0);
    const uint8_t *types = image + word_at(image, memory + 3);
    assert_int_equal(types[0], 0x10);
    assert_int_equal(types[3], 1);
    assert_int_equal(types[types[1]], 0x01); /* DDR3 at strap 0 */
}

static void test_a_vbios_from_fermi_on_has_the_tables_that_drivers_dereference(void **state) {
    static const char *const chips[] = {"NV34", "G84", "GT215", "GF100", "GF119", "GK104", "GK208", "GM107"};
    uint8_t image[4096];
    struct slot slot;
    (void)state;
    for (size_t i = 0; i < sizeof chips / sizeof chips[0]; i++) {
        slot_open(&slot, chips[i]);
        pfifo_pci_region_read(slot.card, PFIFO_PCI_ROM, 0, image, sizeof image);
        const uint8_t *bit = find_bytes(image, sizeof image,
                                        "\xff\xb8"
                                        "BIT",
                                        5);
        assert_int_equal(bit != NULL, i >= 3);
        if (bit)
            check_tables(image, bit);
        slot_close(&slot);
    }
}

static void test_a_fuse_says_how_fast_a_chip_is(void **state) {
    static const struct {
        const char *chip;
        uint32_t offset;
    } rows[] = {{"GF100", 0x0212cc}, {"GF119", 0x0212cc}, {"GK104", 0x0214a8}, {"GM107", 0x0214a8}};
    struct slot slot;
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        slot_open(&slot, rows[i].chip);
        assert_int_equal(rd32(&slot, rows[i].offset), 1000);
        wr32(&slot, rows[i].offset, 5);
        assert_int_equal(rd32(&slot, rows[i].offset), 1000);
        slot_close(&slot);
    }
}

static void test_gates_of_power_open_at_once(void **state) {
    struct slot slot;
    (void)state;
    slot_open(&slot, "GK208");
    wr32(&slot, 0x020520, 0xfffffffc);
    assert_int_equal(rd32(&slot, 0x020520) & 0x80000000u, 0);
    slot_close(&slot);
}

static void test_the_rom_of_every_card_is_a_vbios_with_its_ids(void **state) {
    uint8_t image[4096];
    struct slot slot;
    (void)state;
    for (size_t i = 0; i < pfifo_chip_count(); i++) {
        if (!slot_open_at(&slot, i))
            continue;
        struct pfifo_pci_region info;
        assert_true(pfifo_pci_region(slot.card, PFIFO_PCI_ROM, &info));
        assert_false(info.writable);
        pfifo_pci_region_read(slot.card, PFIFO_PCI_ROM, 0, image, sizeof image);
        check_image(&slot, image);
        slot_close(&slot);
    }
}

static void test_prom_shows_the_image_and_is_not_written(void **state) {
    static const struct {
        const char *chip;
        uint32_t offset;
    } rows[] = {{"NV1", 0x610000},  {"NV3", 0x110000}, {"NV4", 0x300000},
                {"NV34", 0x300000}, {"G84", 0x300000}, {"GM107", 0x300000}};
    uint8_t rom[4096], prom[4096];
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct slot slot;
        slot_open(&slot, rows[i].chip);
        memset(prom, 0x5a, sizeof prom);
        pfifo_pci_region_write(slot.card, 0, rows[i].offset, prom, sizeof prom);
        pfifo_pci_region_write(slot.card, PFIFO_PCI_ROM, 0, prom, sizeof prom);
        pfifo_pci_region_read(slot.card, 0, rows[i].offset, prom, sizeof prom);
        pfifo_pci_region_read(slot.card, PFIFO_PCI_ROM, 0, rom, sizeof rom);
        assert_memory_equal(prom, rom, sizeof rom);
        assert_int_equal(prom[1], 0xaa);
        assert_int_equal(rd32(&slot, rows[i].offset + 0x1000), UINT32_MAX);
        assert_int_equal(rd08(&slot, rows[i].offset + 1), 0xaa);
        slot_close(&slot);
    }
}

static void test_the_owners_image_is_shown_as_it_is(void **state) {
    uint8_t image[0x20003], found[0x20003];
    struct slot slot;
    struct pfifo_pci_region info;
    (void)state;
    for (size_t i = 0; i < sizeof image; i++)
        image[i] = (uint8_t)(i * 7 + (i >> 8));
    struct pfifo_pci_config config = slot_config(&slot, pfifo_chip_by_name("NV34"));
    config.vbios = image, config.vbios_bytes = sizeof image;
    slot.card = pfifo_pci_new(&config, NULL);
    assert_true(pfifo_pci_region(slot.card, PFIFO_PCI_ROM, &info));
    assert_int_equal(info.bytes, 0x40000);
    pfifo_pci_region_read(slot.card, PFIFO_PCI_ROM, 0, found, sizeof found);
    assert_memory_equal(found, image, sizeof image);
    uint32_t last = rd32(&slot, 0x320000);
    assert_int_equal(last, 0xff000000 | image[0x20002] << 16 | image[0x20001] << 8 | image[0x20000]);
    slot_close(&slot);
}

static void test_configuration_space_is_in_bar0(void **state) {
    static const struct {
        const char *chip;
        uint32_t offset;
    } rows[] = {{"NV4", 0x1800}, {"NV34", 0x1800}, {"NV40", 0x1800}, {"NV40", 0x88000}, {"G84", 0x88000}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct slot slot;
        slot_open(&slot, rows[i].chip);
        for (unsigned at = 0; at < 0x100; at += 4)
            assert_int_equal(rd32(&slot, rows[i].offset + at), cfg(&slot, at));
        wr08(&slot, rows[i].offset + 0x3c, 11);
        assert_int_equal(cfg(&slot, 0x3c), 0x0000010b);
        wr32(&slot, rows[i].offset + 0x50, 1);
        assert_int_equal(cfg(&slot, 0x50), 1);
        slot_close(&slot);
    }
}

static void test_vga_registers_are_behind_their_index(void **state) {
    struct slot slot;
    (void)state;
    slot_open(&slot, "NV34");
    wr08(&slot, 0x6013d4, 0x06);
    assert_int_not_equal(rd08(&slot, 0x6013d5), 0); /* a card that was set up */
    wr08(&slot, 0x6013d4, 0x1f);
    wr08(&slot, 0x6013d5, 0x57);
    assert_int_equal(rd08(&slot, 0x6013d5), 3);
    wr08(&slot, 0x6013d5, 0x99);
    assert_int_equal(rd08(&slot, 0x6013d5), 0);
    const uint8_t both[2] = {0x3a, 0x77}; /* index and data at once */
    pfifo_pci_region_write(slot.card, 0, 0x6013d4, both, 2);
    wr08(&slot, 0x6033d4, 0x3a);
    assert_int_equal(rd08(&slot, 0x6033d5), 0); /* of the other head */
    assert_int_equal(rd08(&slot, 0x6013d5), 0x77);
    rd08(&slot, 0x6013da);
    wr08(&slot, 0x6013c0, 0x10);
    assert_int_equal(rd08(&slot, 0x6013c1), 1); /* graphics */
    wr08(&slot, 0x6013c0, 0x0c);
    assert_int_equal(rd08(&slot, 0x6013c1), 0x0c);
    slot_close(&slot);
}

static void test_straps_are_the_boards_until_they_are_overridden(void **state) {
    struct slot slot;
    (void)state;
    slot_open(&slot, "NV34");
    assert_int_equal(rd32(&slot, 0x101000), 0x00400000);
    wr32(&slot, 0x101000, 0x40);
    assert_int_equal(rd32(&slot, 0x101000), 0x00400000);
    wr32(&slot, 0x101000, 0x80000040);
    assert_int_equal(rd32(&slot, 0x101000), 0x80000040);
    slot_close(&slot);
}

static void test_what_nobody_has_is_storage_and_counted(void **state) {
    static const char *const chips[] = {"NV34", "G84"};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct slot slot;
        struct pfifo_pci_unknown rows[2];
        slot_open(&slot, chips[i]);
        assert_int_equal(rd32(&slot, 0) & 0xff00000, i ? 0x8400000 : 0x3400000); /* the GPU's is not */
        wr32(&slot, 0x2504, 1);
        assert_int_equal(pfifo_pci_unknown(slot.card, rows, 2), 0);
        wr32(&slot, NOWHERE + 8, 0x12345678);
        wr08(&slot, NOWHERE + 9, 0xab);
        assert_int_equal(rd32(&slot, NOWHERE + 8), 0x1234ab78);
        assert_int_equal(rd32(&slot, NOWHERE), 0);
        assert_int_equal(pfifo_pci_unknown(slot.card, rows, 1), 2);
        assert_int_equal(pfifo_pci_unknown(slot.card, NULL, 0), 2);
        assert_int_equal(pfifo_pci_unknown(slot.card, rows, 2), 2);
        assert_int_equal(rows[0].offset, NOWHERE);
        assert_int_equal(rows[0].reads, 1);
        assert_int_equal(rows[1].offset, NOWHERE + 8);
        assert_int_equal(rows[1].value, 0x1234ab78);
        assert_int_equal(rows[1].reads, 1);
        assert_int_equal(rows[1].writes, 2);
        slot_close(&slot);
    }
}

static void test_an_access_may_cover_card_gpu_and_storage(void **state) {
    uint8_t data[16], again[16];
    struct slot slot;
    (void)state;
    slot_open(&slot, "NV34");
    for (unsigned i = 0; i < 16; i++)
        data[i] = (uint8_t)(i + 1);
    pfifo_pci_region_write(slot.card, 0, NOWHERE + 3, data, 13);
    pfifo_pci_region_read(slot.card, 0, NOWHERE + 3, again, 13);
    assert_memory_equal(again, data, 13);
    pfifo_pci_region_read(slot.card, 0, 0x17fc, again, 8); /* PBUS, then configuration space */
    assert_int_equal(again[4] | again[5] << 8, 0x10de);
    pfifo_pci_region_write(slot.card, 0, 0x700004, data, 8); /* PRAMIN */
    pfifo_pci_region_read(slot.card, 0, 0x700004, again, 8);
    assert_memory_equal(again, data, 8);
    slot_close(&slot);
}

static void test_beyond_the_end_reads_0(void **state) {
    uint8_t data[64];
    struct slot slot;
    (void)state;
    slot_open(&slot, "G84");
    for (unsigned region = 0; region < 9; region++) {
        memset(data, 0xa5, sizeof data);
        pfifo_pci_region_write(slot.card, region, UINT64_MAX - 7, data, sizeof data);
        pfifo_pci_region_read(slot.card, region, UINT64_MAX - 7, data, sizeof data);
        for (unsigned i = 0; i < sizeof data; i++)
            assert_int_equal(data[i], 0);
        struct pfifo_pci_region info;
        pfifo_pci_region(slot.card, region, &info);
        pfifo_pci_region_read(slot.card, region, info.bytes, data, 0);
        memset(data, 0xa5, sizeof data);
        pfifo_pci_region_read(slot.card, region, info.bytes ? info.bytes - 3 : 0, data, sizeof data);
        for (unsigned i = info.bytes ? 3 : 0; i < sizeof data; i++)
            assert_int_equal(data[i], 0);
    }
    slot_close(&slot);
}

static void test_a_big_endian_cpu_sees_the_board_swapped_but_not_vga(void **state) {
    struct slot slot;
    (void)state;
    slot_open(&slot, "NV34");
    wr32(&slot, 4, 0x01000001);
    assert_int_equal(rd32(&slot, 0x1800), __builtin_bswap32(cfg(&slot, 0)));
    assert_int_equal(rd08(&slot, 0x1803), cfg(&slot, 0) & 0xff);
    wr32(&slot, NOWHERE, 0x11223344);
    assert_int_equal(rd32(&slot, NOWHERE), 0x11223344);
    wr08(&slot, 0x6013d4, 0x06);
    assert_int_equal(rd08(&slot, 0x6013d5), 0xbf);
    slot_close(&slot);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_rom_of_every_card_is_a_vbios_with_its_ids),
        cmocka_unit_test(test_the_dcb_has_the_version_of_the_boards_of_its_time_and_no_outputs),
        cmocka_unit_test(test_a_vbios_from_fermi_on_has_the_tables_that_drivers_dereference),
        cmocka_unit_test(test_gates_of_power_open_at_once),
        cmocka_unit_test(test_a_fuse_says_how_fast_a_chip_is),
        cmocka_unit_test(test_prom_shows_the_image_and_is_not_written),
        cmocka_unit_test(test_the_owners_image_is_shown_as_it_is),
        cmocka_unit_test(test_configuration_space_is_in_bar0),
        cmocka_unit_test(test_vga_registers_are_behind_their_index),
        cmocka_unit_test(test_straps_are_the_boards_until_they_are_overridden),
        cmocka_unit_test(test_what_nobody_has_is_storage_and_counted),
        cmocka_unit_test(test_an_access_may_cover_card_gpu_and_storage),
        cmocka_unit_test(test_beyond_the_end_reads_0),
        cmocka_unit_test(test_a_big_endian_cpu_sees_the_board_swapped_but_not_vga),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
