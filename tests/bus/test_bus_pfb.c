/* SPDX-License-Identifier: MIT */
/* PFB before G80: write protection of the place of RAMIN, the registers of the PCIe GART, tiled regions. */
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

/* ---- write protection ---- */

static uint64_t from_end(uint32_t bytes) {
    return machine.chip->vram_bytes - bytes;
}

/* BAR1 and the GPU itself may write VRAM at `address`, or neither may. */
static void assert_vram_writable(uint64_t address, bool writable) {
    struct address_space vram = address_space_physical(MEMORY_VRAM);
    bar_wr32(&machine, 1, address, 0x11111111);
    assert_int_equal(bar_rd32(&machine, 1, address), writable ? 0x11111111 : 0);
    assert_true(memory_wr32(&machine.memory, &vram, address, 0x22222222, NULL));
    assert_int_equal(peek(&machine, address), writable ? 0x22222222 : 0);
    poke(&machine, address, 0);
    assert_int_equal(peek(&machine, address), 0);
}

static void nv4_drops_all_writes_to_the_protected_end_of_vram(void **opaque) {
    (void)opaque;
    static const char *const chips[] = {"NV4", "NV5"};
    for (size_t i = 0; i < COUNT_OF(chips); i++) {
        init(chips[i]);
        bus_wr32(&machine.bus, 0x700000, 0x77777777);
        bus_wr32(&machine.bus, 0x100200, 0x12000000); /* three units of 64 KiB */
        assert_vram_writable(from_end(0x30000), false);
        assert_vram_writable(from_end(0x30004), true);
        bus_wr32(&machine.bus, 0x700000, 0x88888888);
        assert_int_equal(bus_rd32(&machine.bus, 0x700000), 0x77777777);
        bus_wr32(&machine.bus, 0x72fffc, 0x88888888);
        assert_int_equal(bus_rd32(&machine.bus, 0x72fffc), 0);
        bus_wr32(&machine.bus, 0x730000, 0x88888888); /* below */
        assert_int_equal(bus_rd32(&machine.bus, 0x730000), 0x88888888);
        bus_wr32(&machine.bus, 0x100200, 0x02000000);
        assert_vram_writable(from_end(0x30000), true);
        bus_wr32(&machine.bus, 0x700000, 0x88888888);
        assert_int_equal(bus_rd32(&machine.bus, 0x700000), 0x88888888);
        if (i + 1 < COUNT_OF(chips))
            machine_free(&machine);
    }
}

static void nv10_lets_pramin_write_what_it_protects(void **opaque) {
    (void)opaque;
    static const char *const chips[] = {"NV10", "NV11", "NV2A", "NV34"};
    for (size_t i = 0; i < COUNT_OF(chips); i++) {
        init(chips[i]);
        bus_wr32(&machine.bus, 0x100214, 0xf1);
        assert_vram_writable(from_end(0x100000), false);
        assert_vram_writable(from_end(0x100004), true);
        bus_wr32(&machine.bus, 0x700000, 0x88888888);
        bus_wr32(&machine.bus, 0x7ffffc, 0x99999999);
        assert_int_equal(bus_rd32(&machine.bus, 0x700000), 0x88888888);
        assert_int_equal(bus_rd32(&machine.bus, 0x7ffffc), 0x99999999);
        assert_vram_writable(from_end(0x80000), false); /* still */
        bus_wr32(&machine.bus, 0x100214, 0x01);
        assert_vram_writable(from_end(0x10000), false);
        assert_vram_writable(from_end(0x10004), true);
        bus_wr32(&machine.bus, 0x100214, 0xf0);
        assert_vram_writable(from_end(0x10000), true);
        if (i + 1 < COUNT_OF(chips))
            machine_free(&machine);
    }
}

static void a_write_across_the_border_arrives_as_far_as_it_may(void **opaque) {
    (void)opaque;
    init("NV10");
    bus_wr32(&machine.bus, 0x100214, 0x01);
    bus_bar_write(&machine.bus, 1, from_end(0x10002), "\1\2\3\4", 4);
    assert_int_equal(bar_rd32(&machine, 1, from_end(0x10002)), 0x0201);
}

static void nv40_and_nv3_protect_nothing(void **opaque) {
    (void)opaque;
    static const char *const chips[] = {"NV3", "NV40"};
    for (size_t i = 0; i < COUNT_OF(chips); i++) {
        init(chips[i]);
        bus_wr32(&machine.bus, 0x100200, 0xffffffff);
        bus_wr32(&machine.bus, 0x100214, 0xffffffff);
        poke(&machine, from_end(4), 5);
        assert_int_equal(peek(&machine, from_end(4)), 5);
        if (i + 1 < COUNT_OF(chips))
            machine_free(&machine);
    }
}

/* ---- GART ---- */

#define TABLE_NV41 0x40000u /* in RAMIN */
#define OBJECT     0x21000u

static void sys_put(uint64_t address, uint32_t value) {
    memory_physical_wr32(&machine.memory, MEMORY_SYSTEM, address, value);
}

/* A linear object in GART space from 0 on, as drivers make it. */
static struct dma_object object_of(uint32_t word0) {
    struct dma_object object;
    memory_ramin_wr32(&machine.memory, OBJECT, word0);
    memory_ramin_wr32(&machine.memory, OBJECT + 4, 0xffffffff);
    memory_ramin_wr32(&machine.memory, OBJECT + 8, 0x00000002);
    dma_object_nv4(&machine.memory, OBJECT, &object);
    return object;
}

#define PCI_LINEAR 0x0002303du
#define AGP_LINEAR 0x0003303du

static uint32_t read_at(uint32_t word0, uint32_t address) {
    struct dma_object object = object_of(word0);
    uint32_t value = 0xdeadbeef;
    memory_rd32(&machine.memory, &object.space, address, &value, NULL);
    return value;
}

static void start_nv41(const char *chip) {
    init(chip);
    bus_wr32(&machine.bus, 0x100800, TABLE_NV41 | 2);
    bus_wr32(&machine.bus, 0x10008c, 0x100);
    bus_wr32(&machine.bus, 0x100820, 0);
}

static void map_nv41(uint32_t page, uint32_t bus_address) {
    memory_ramin_wr32(&machine.memory, TABLE_NV41 + 4 * page, bus_address >> 7 | 1);
}

static bool flush_nv41(void) {
    bus_wr32(&machine.bus, 0x100810, 0x22);
    bool done = bus_rd32(&machine.bus, 0x100810) & 0x20;
    bus_wr32(&machine.bus, 0x100810, 0);
    return done && !(bus_rd32(&machine.bus, 0x100810) & 0x20);
}

static void nv41_gart_translates_target_2_by_entries_in_ramin(void **opaque) {
    (void)opaque;
    static const char *const chips[] = {"NV41", "NV42", "NV43", "G70", "G71", "G73", "RSX"};
    for (size_t i = 0; i < COUNT_OF(chips); i++) {
        start_nv41(chips[i]);
        map_nv41(0, 0x00123000);
        map_nv41(5, 0x00045000);
        sys_put(0x00123010, 0x11111111);
        sys_put(0x00045ffc, 0x22222222);
        sys_put(0x10, 0x33333333);
        assert_int_equal(read_at(PCI_LINEAR, 0x10), 0x11111111);
        assert_int_equal(read_at(PCI_LINEAR, 0x5ffc), 0x22222222);
        assert_int_equal(read_at(AGP_LINEAR, 0x10), 0x33333333);
        if (i + 1 < COUNT_OF(chips))
            machine_free(&machine);
    }
}

static void nv41_gart_faults_where_nothing_is_mapped(void **opaque) {
    (void)opaque;
    start_nv41("NV41");
    map_nv41(0, 0x00123000);
    struct dma_object object = object_of(PCI_LINEAR);
    struct fault fault;
    uint8_t bytes[8];
    assert_false(memory_read(&machine.memory, &object.space, 0xffc, bytes, sizeof bytes, &fault));
    assert_int_equal(fault.reason, FAULT_PTE);
    assert_int_equal(fault.address, 0x1000);
}

static void nv41_entries_have_bus_addresses_of_39_bits(void **opaque) {
    (void)opaque;
    start_nv41("NV41");
    memory_ramin_wr32(&machine.memory, TABLE_NV41, 0xffffffe1);
    struct dma_object object = object_of(PCI_LINEAR);
    struct mapping mapping;
    struct fault fault;
    assert_true(object.space.ops->translate(&machine.memory, &object.space, 0x123, &mapping, &fault));
    assert_true(mapping.physical == UINT64_C(0x7ffffff123));
    assert_int_equal(mapping.bytes, 0x1000 - 0x123);
}

static void neighbouring_pages_are_one_span(void **opaque) {
    (void)opaque;
    start_nv41("NV43");
    for (uint32_t page = 0; page < 16; page++)
        map_nv41(page, 0x00200000 + 0x1000 * page);
    map_nv41(16, 0x00300000);
    struct dma_object object = object_of(PCI_LINEAR);
    struct span span;
    assert_true(memory_span(&machine.memory, &object.space, 0x800, 0x100000, MEMORY_WRITE, &span, NULL));
    assert_int_equal(span.bytes, 0xf800);
}

static void nv41_translations_are_stale_until_100810_flushes(void **opaque) {
    (void)opaque;
    start_nv41("NV41");
    map_nv41(0, 0x00123000);
    sys_put(0x00123000, 0x11111111);
    sys_put(0x00456000, 0x22222222);
    assert_int_equal(read_at(PCI_LINEAR, 0), 0x11111111);
    map_nv41(0, 0x00456000);
    assert_int_equal(read_at(PCI_LINEAR, 0), 0x11111111);
    bus_wr32(&machine.bus, 0x100810, 0x02);
    assert_int_equal(read_at(PCI_LINEAR, 0), 0x11111111);
    assert_true(flush_nv41());
    assert_int_equal(read_at(PCI_LINEAR, 0), 0x22222222);
}

static void without_gart_target_2_is_the_bus(void **opaque) {
    (void)opaque;
    static const char *const chips[] = {"NV40", "NV41", "NV44", "NV44A", "NV17"};
    for (size_t i = 0; i < COUNT_OF(chips); i++) {
        init(chips[i]);
        sys_put(0x10, 0x33333333);
        bus_wr32(&machine.bus, 0x100800, TABLE_NV41 | 0x12);
        assert_int_equal(read_at(PCI_LINEAR, 0x10), 0x33333333);
        bus_wr32(&machine.bus, 0x100800, 0);
        bus_wr32(&machine.bus, 0x10008c, 0x300);
        assert_int_equal(read_at(PCI_LINEAR, 0x10), 0x33333333);
        if (i + 1 < COUNT_OF(chips))
            machine_free(&machine);
    }
    /* And again after it was switched off. */
    machine_free(&machine);
    start_nv41("NV41");
    map_nv41(0, 0x00123000);
    sys_put(0x10, 0x33333333);
    assert_int_equal(read_at(PCI_LINEAR, 0x10), 0);
    bus_wr32(&machine.bus, 0x10008c, 0);
    assert_int_equal(read_at(PCI_LINEAR, 0x10), 0x33333333);
}

static void frames_of_paged_objects_go_through_the_gart(void **opaque) {
    (void)opaque;
    start_nv41("NV41");
    map_nv41(3, 0x00123000);
    sys_put(0x00123010, 0x11111111);
    struct dma_object object = object_of(0x0002103d);
    memory_ramin_wr32(&machine.memory, OBJECT + 8, 0x3001); /* page 0: GART page 3, read only */
    uint32_t value = 0;
    struct fault fault;
    assert_true(memory_rd32(&machine.memory, &object.space, 0x10, &value, NULL));
    assert_int_equal(value, 0x11111111);
    assert_false(memory_wr32(&machine.memory, &object.space, 0x10, 1, &fault));
    assert_int_equal(fault.reason, FAULT_READ_ONLY);
}

/* ---- NV44 kind: the table is in VRAM, four pages in 16 bytes ---- */

#define TABLE_NV44  0x100000u
#define DUMMY       0x00700000u
#define SPACE_BYTES 0x100000u

static void start_nv44(const char *chip) {
    init(chip);
    bus_wr32(&machine.bus, 0x100850, 0x80000000);
    bus_wr32(&machine.bus, 0x100818, DUMMY);
    bus_wr32(&machine.bus, 0x100804, SPACE_BYTES);
    bus_wr32(&machine.bus, 0x100850, 0x00008000);
    bus_wr32(&machine.bus, 0x10008c, bus_rd32(&machine.bus, 0x10008c) | 0x200);
    bus_wr32(&machine.bus, 0x100820, 0);
    bus_wr32(&machine.bus, 0x10082c, 1);
    bus_wr32(&machine.bus, 0x100800, TABLE_NV44 | 0x10);
}

/* Page numbers p[0..3] as the documentation of the format spreads them. */
static void map_nv44(uint32_t group, const uint32_t p[4]) {
    uint32_t at = TABLE_NV44 + 16 * group;
    poke(&machine, at, p[0] | p[1] << 27);
    poke(&machine, at + 4, p[1] >> 5 | p[2] << 22);
    poke(&machine, at + 8, p[2] >> 10 | p[3] << 17);
    poke(&machine, at + 12, p[3] >> 15 | 0x40000000);
}

static void nv44_gart_unpacks_four_pages_from_16_bytes(void **opaque) {
    (void)opaque;
    static const char *const chips[] = {"NV44", "G72", "C51", "MCP61", "MCP67", "MCP68", "MCP73"};
    static const uint32_t pages[2][4] = {{0x123, 0x245, 0x367, 0x489}, {0x5ab, 0x6cd, 0x7ef, 0x811}};
    for (size_t i = 0; i < COUNT_OF(chips); i++) {
        start_nv44(chips[i]);
        for (uint32_t page = 0; page < 8; page++)
            sys_put((pages[page / 4][page % 4] << 12) + 8, 0x1000 + page);
        map_nv44(0, pages[0]);
        map_nv44(7, pages[1]);
        for (uint32_t page = 0; page < 4; page++) {
            assert_int_equal(read_at(PCI_LINEAR, 0x1000 * page + 8), 0x1000 + page);
            assert_int_equal(read_at(PCI_LINEAR, 0x1000 * (28 + page) + 8), 0x1004 + page);
        }
        if (i + 1 < COUNT_OF(chips))
            machine_free(&machine);
    }
}

static void all_27_bits_of_a_packed_page_count(void **opaque) {
    (void)opaque;
    start_nv44("NV44");
    static const uint32_t pages[4] = {0x7ffffff, 0x4000001, 0x5555555, 0x2aaaaaa};
    map_nv44(0, pages);
    struct dma_object object = object_of(PCI_LINEAR);
    for (uint32_t page = 0; page < 4; page++) {
        struct mapping mapping;
        struct fault fault;
        assert_true(object.space.ops->translate(&machine.memory, &object.space, 0x1000 * page + 4, &mapping, &fault));
        assert_true(mapping.physical == ((uint64_t)pages[page] << 12) + 4);
    }
}

static void nv44_shows_the_dummy_pages_where_nothing_is_mapped(void **opaque) {
    (void)opaque;
    start_nv44("NV44");
    static const uint32_t pages[4] = {0x123, 0x123, 0x123, 0x123};
    map_nv44(SPACE_BYTES >> 14, pages); /* beyond the end of the space */
    for (uint32_t page = 0; page < 4; page++)
        sys_put(DUMMY + 0x1000 * page, 0x55550000 + page);
    for (uint32_t page = 0; page < 4; page++) {
        assert_int_equal(read_at(PCI_LINEAR, 0x8000 + 0x1000 * page), 0x55550000 + page);
        assert_int_equal(read_at(PCI_LINEAR, SPACE_BYTES + 0x1000 * page), 0x55550000 + page);
    }
}

static void nv44_translations_are_stale_until_100808_flushes(void **opaque) {
    (void)opaque;
    start_nv44("NV44");
    static const uint32_t before[4] = {0x123}, after[4] = {0x456};
    sys_put(0x123000, 0x11111111);
    sys_put(0x456000, 0x22222222);
    map_nv44(0, before);
    assert_int_equal(read_at(PCI_LINEAR, 0), 0x11111111);
    map_nv44(0, after);
    assert_int_equal(read_at(PCI_LINEAR, 0), 0x11111111);
    bus_wr32(&machine.bus, 0x100814, SPACE_BYTES - 4096);
    assert_int_equal(bus_rd32(&machine.bus, 0x100808) & 1, 0);
    bus_wr32(&machine.bus, 0x100808, 0x20);
    assert_int_equal(bus_rd32(&machine.bus, 0x100808) & 1, 1);
    bus_wr32(&machine.bus, 0x100808, 0);
    assert_int_equal(bus_rd32(&machine.bus, 0x100808), 0);
    assert_int_equal(read_at(PCI_LINEAR, 0), 0x22222222);
}

/* ---- tiled regions ---- */

/* What hardware was seen to hold (envytools hwtest/nv10_tile.cc); typed from there, not from the tables. */
static const struct scan {
    const char *chips;
    uint32_t first, count, base, limit, limit_low, pitch;
    uint32_t tags_at, tags, offset, max_tag;
} scans[] = {
    {"NV4:NV10", 0x100240, 0, 0, 0, 0, 0, 0x100300, 0, 0, 0},
    {"NV10:NV20", 0x100240, 8, 0x87ffc000, 0x07ffc000, 0, 0xff00, 0x100300, 0, 0, 0},
    {"NV20:NV25", 0x100240, 8, 0xffffc003, ~0u, 0x3fff, 0xff00, 0x100300, 0xbc03ffc0, 0x83ffc00f, 0x7fff},
    {"NV25:NV30", 0x100240, 8, 0xffffc003, ~0u, 0x3fff, 0xff00, 0x100300, 0x01f3ffc0, 0x83ffc01f, 0xbfff},
    {"NV30", 0x100240, 8, 0xffffc031, ~0u, 0x3fff, 0xff00, 0x100300, 0x1fffffff, 0x83ffc01f, 0x2e3ff},
    {"NV31", 0x100240, 8, 0xffffc031, ~0u, 0x3fff, 0xff00, 0x100300, 0x1fffffff, 0x83ffc01f, 0x3ffff},
    {"NV35", 0x100240, 8, 0xffffc031, ~0u, 0x3fff, 0xff00, 0x100300, 0x7fffffff, 0x83ffc01f, 0x5c7ff},
    {"NV36", 0x100240, 8, 0xffffc031, ~0u, 0x3fff, 0xff00, 0x100300, ~0u, 0x83ffc01f, 0xb9fff},
    {"NV34", 0x100240, 8, 0xffffc001, ~0u, 0x3fff, 0xff00, 0x100300, 0, 0, 0},
    {"NV40 NV45", 0x100240, 8, 0xffff0031, ~0u, 0xffff, 0x1ff00, 0x100300, 0x7fffffff, 0, 0x2e3ff},
    {"NV41 NV42", 0x100600, 12, 0xffff0031, ~0u, 0xffff, 0x1ff00, 0x100700, 0x7fffffff, 0, 0x2e3ff},
    {"NV43", 0x100600, 12, 0xffff0031, ~0u, 0xffff, 0x1ff00, 0x100700, 0x7fffffff, 0, 0x5c7ff},
    {"NV44 NV44A", 0x100600, 12, 0xffffc003, ~0u, 0x3fff, 0xff00, 0x100700, 0, 0, 0},
    {"G70 G71 RSX", 0x100600, 15, 0xffff0031, ~0u, 0xffff, 0x1ff00, 0x100700, 0x7fffffff, 0, 0x47fff},
    {"G73", 0x100600, 15, 0xffff0031, ~0u, 0xffff, 0x1ff00, 0x100700, 0x7fffffff, 0, 0x5cbff},
    {"G72", 0x100600, 15, 0xffffc013, ~0u, 0x3fff, 0xff00, 0x100700, 0, 0, 0},
    {"C51", 0x100600, 12, 0xffffc00f, ~0u, 0x3fff, 0xff00, 0x100700, 0, 0, 0},
    {"MCP61 MCP67 MCP68 MCP73", 0x100600, 15, 0xffffc00f, ~0u, 0x3fff, 0xff00, 0x100700, 0, 0, 0},
};

static void assert_holds(uint32_t offset, uint32_t ones, uint32_t zeros) {
    bus_wr32(&machine.bus, offset, ~0u);
    if (bus_rd32(&machine.bus, offset) != ones)
        fail_msg("%s 0x%06x: %08x of all ones", machine.chip->name, offset, bus_rd32(&machine.bus, offset));
    bus_wr32(&machine.bus, offset, 0);
    if (bus_rd32(&machine.bus, offset) != zeros)
        fail_msg("%s 0x%06x: %08x of all zeros", machine.chip->name, offset, bus_rd32(&machine.bus, offset));
}

static void check_scan(const struct scan *scan) {
    for (uint32_t i = 0; i < scan->count; i++) {
        uint32_t region = scan->first + 16 * i;
        assert_holds(region, scan->base, 0);
        assert_holds(region + 4, scan->limit, scan->limit_low);
        assert_holds(region + 8, scan->pitch, 0);
        assert_non_null(bus_find(&machine.bus, region + 12, NULL, NULL));
        assert_holds(scan->tags_at + 4 * i, scan->tags, 0);
    }
    for (uint32_t i = 0; i < 4; i++) /* there is no other after them */
        assert_null(bus_find(&machine.bus, scan->first + 16 * scan->count + 4 * i, NULL, NULL));
    if (scan->tags_at + 4 * scan->count < 0x100320) /* other things are after eight */
        assert_null(bus_find(&machine.bus, scan->tags_at + 4 * scan->count, NULL, NULL));
    assert_null(bus_find(&machine.bus, scan->first ^ 0x440, NULL, NULL)); /* where other chips have them */
    assert_holds(0x100320, scan->max_tag, scan->max_tag);
    assert_holds(0x100324, scan->offset, 0);
    assert_holds(0x100204, chip_in_range(machine.chip, "NV10:NV20 NV34") ? 0 : ~0u, 0);
}

static void every_chip_has_the_regions_and_tags_of_its_kind(void **opaque) {
    (void)opaque;
    unsigned seen = 0;
    for (size_t i = 0; i < pfifo_chip_count(); i++)
        for (size_t j = 0; j < COUNT_OF(scans); j++) {
            const char *name = pfifo_chip_info(pfifo_chip_at(i)).name;
            if (!chip_in_range(pfifo_chip_by_name(name), scans[j].chips))
                continue;
            machine_free(&machine);
            init(name);
            check_scan(&scans[j]);
            seen++;
        }
    unsigned have = 0;
    for (size_t i = 0; i < pfifo_chip_count(); i++)
        have += chip_in_range(pfifo_chip_by_name(pfifo_chip_info(pfifo_chip_at(i)).name), "NV4:G80");
    assert_int_equal(seen, have);
}

static uint32_t status_of(uint32_t first, uint32_t base, uint32_t pitch) {
    bus_wr32(&machine.bus, first + 16 * 7 + 8, pitch);
    bus_wr32(&machine.bus, first + 16 * 7, base);
    return bus_rd32(&machine.bus, first + 16 * 7 + 12);
}

static void the_status_of_a_region_has_factor_and_shift_of_its_pitch(void **opaque) {
    (void)opaque;
    static const struct {
        const char *chip;
        uint32_t first, base, pitch, status;
    } cases[] = {
        {"NV10", 0x100240, 0x80000000, 0x0200, 0x80000010},
        {"NV10", 0x100240, 1, 0x0200, 0x10},
        {"NV10", 0x100240, 0x80000000, 0x0e00, 0x80000013},
        {"NV10", 0x100240, 0x80000000, 0x0700, 0},
        {"NV10", 0x100240, 0x80000000, 0x1a00, 0},
        {"NV10", 0x100240, 0x80000000, 0x8000, 0x80000070},
        {"NV10", 0x100240, 0x80000000, 0, 0},
        {"NV10", 0x100240, 0x80000000, 0x100, 0},
        {"NV34", 0x100240, 1, 0x0500, 0},
        {"NV34", 0x100240, 1, 0x0a00, 0x80000012},
        {"NV34", 0x100240, 1, 0x1a00, 0},
        {"NV20", 0x100240, 1, 0x0500, 0x80000002},
        {"NV20", 0x100240, 1, 0x0d00, 0},
        {"NV25", 0x100240, 1, 0x0d00, 0x80000004},
        {"NV25", 0x100240, 2, 0x0d00, 0x00000004},
        {"NV36", 0x100240, 1, 0x6800, 0x80000034},
        {"NV40", 0x100240, 1, 0x10000, 0x80000080},
        {"NV40", 0x100240, 1, 0x10100, 0},
        {"NV40", 0x100240, 0x30, 0x300, 0x00000001},
        {"NV41", 0x100600, 1, 0x0b00, 0},
        {"RSX", 0x100600, 1, 0x0d00, 0x80000004},
        {"NV44", 0x100600, 1, 0x0d00, 0},
        {"NV44", 0x100600, 2, 0x1a00, 0x80000014},
        {"G72", 0x100600, 0x10, 0x1a00, 0x00000014},
        {"C51", 0x100600, 4, 0x0600, 0x80000011},
        {"MCP73", 0x100600, 8, 0x0600, 0x00000011},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        machine_free(&machine);
        init(cases[i].chip);
        uint32_t status = status_of(cases[i].first, cases[i].base, cases[i].pitch);
        if (status != cases[i].status)
            fail_msg("%s pitch %x: %08x", cases[i].chip, cases[i].pitch, status);
    }
}

static void nv31_always_has_two_partitions(void **opaque) {
    (void)opaque;
    init("NV31");
    assert_int_equal(bus_rd32(&machine.bus, 0x100200), 1);
    assert_holds(0x100200, 0xfffffffd, 1);
}

#define TEST(name) cmocka_unit_test_teardown(name, teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(nv4_drops_all_writes_to_the_protected_end_of_vram),
        TEST(nv10_lets_pramin_write_what_it_protects),
        TEST(a_write_across_the_border_arrives_as_far_as_it_may),
        TEST(nv40_and_nv3_protect_nothing),
        TEST(nv41_gart_translates_target_2_by_entries_in_ramin),
        TEST(nv41_gart_faults_where_nothing_is_mapped),
        TEST(nv41_entries_have_bus_addresses_of_39_bits),
        TEST(neighbouring_pages_are_one_span),
        TEST(nv41_translations_are_stale_until_100810_flushes),
        TEST(without_gart_target_2_is_the_bus),
        TEST(frames_of_paged_objects_go_through_the_gart),
        TEST(nv44_gart_unpacks_four_pages_from_16_bytes),
        TEST(all_27_bits_of_a_packed_page_count),
        TEST(nv44_shows_the_dummy_pages_where_nothing_is_mapped),
        TEST(nv44_translations_are_stale_until_100808_flushes),
        TEST(every_chip_has_the_regions_and_tags_of_its_kind),
        TEST(the_status_of_a_region_has_factor_and_shift_of_its_pitch),
        TEST(nv31_always_has_two_partitions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
