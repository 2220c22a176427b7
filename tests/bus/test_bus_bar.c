/* SPDX-License-Identifier: MIT */
/* What the windows and the memory BARs show, what flushes the TLB, and what faults leave behind. */
#include "bus/fixture.h"
#include "bus/bars.h"
#include "bus/pfb.h"

static struct machine machine;

static void init(const char *chip) {
    machine_init(&machine, chip, NULL);
}

static int teardown(void **opaque) {
    (void)opaque;
    machine_free(&machine);
    return 0;
}

static void pramin_of_nv40_is_the_end_of_vram_in_chunks(void **opaque) {
    (void)opaque;
    init("NV40");
    uint64_t end = machine.chip->vram_bytes;
    bus_wr32(&machine.bus, 0x700004, 0x11111111);
    bus_wr32(&machine.bus, 0x7ffffc, 0x22222222);
    assert_int_equal(peek(&machine, end - 0x80000 + 4), 0x11111111);
    assert_int_equal(peek(&machine, end - 0x80000 - 4), 0x22222222);
    poke(&machine, end - 0x80000 + 8, 0x33333333);
    assert_int_equal(bus_rd32(&machine.bus, 0x700008), 0x33333333);
}

static void count_words(void *opaque, const struct pfifo_event *event) {
    (void)event;
    ++*(unsigned *)opaque;
}

/* From the middle of a dword to the middle of another, at the end of the window, seen by somebody or not. */
static void many_bytes_through_pramin_are_the_same_whoever_looks(void **opaque) {
    uint8_t data[0x1000], back[sizeof data];
    (void)opaque;
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (uint8_t)(i * 7 + i / 256);
    init("GT200");
    for (unsigned listen = 0; listen < 2; listen++) {
        unsigned events = 0;
        bus_wr32(&machine.bus, 0x1700, 0x30 + 0x40 * listen); /* VRAM from 0x300000, 0x700000 */
        if (listen)
            assert_int_equal(event_observe(&machine.events, "bus.write", count_words, &events, NULL), PFIFO_OK);
        uint64_t base = listen ? 0x700000 : 0x300000;
        bus_bar_write(&machine.bus, 0, 0x700040, data, sizeof data);
        assert_int_equal(events, listen ? sizeof data / 4 : 0);
        bus_bar_write(&machine.bus, 0, 0x702000, data, 0x7fe);
        bus_bar_write(&machine.bus, 0, 0x703001, data, 0x17);
        bus_bar_write(&machine.bus, 0, 0x800000 - 0x20, data, 0x1c);
        for (size_t i = 0; i < sizeof data; i += 4)
            assert_int_equal(peek(&machine, base + 0x40 + i), load_le32(data + i));
        assert_int_equal(peek(&machine, base + 0x27fc), load_le32(data + 0x7fc) & 0xffff);
        assert_int_equal(peek(&machine, base + 0x3000), load_le32(data) << 8);
        assert_int_equal(peek(&machine, base + 0x3014), load_le32(data + 0x13));
        assert_int_equal(peek(&machine, base + 0x3018), 0);
        assert_int_equal(peek(&machine, base + 0xffff8), load_le32(data + 0x18));
        assert_int_equal(peek(&machine, base + 0xffffc), 0);
        bus_bar_read(&machine.bus, 0, 0x700040, back, sizeof back);
        assert_memory_equal(back, data, sizeof data);
    }
}

static void bar3_of_nv40_is_all_of_ramin(void **opaque) {
    (void)opaque;
    init("NV40");
    uint64_t end = machine.chip->vram_bytes;
    assert_int_equal(bus_bar_bytes(&machine.bus, 3), 0x1000000);
    bus_wr32(&machine.bus, 0x700010, 0x12345678);
    assert_int_equal(bar_rd32(&machine, 3, 0x10), 0x12345678);
    bar_wr32(&machine, 3, 0x123450, 0xcafe);
    assert_int_equal(peek(&machine, end - 0x180000 + 0x23450), 0xcafe);
    /* Bytes across the border of two chunks, which are apart in VRAM. */
    bus_bar_write(&machine.bus, 3, 0x7fffe, "\1\2\3\4", 4);
    assert_int_equal(peek(&machine, end - 4), 0x02010000);
    assert_int_equal(peek(&machine, end - 0x100000), 0x0403);
    assert_int_equal(bar_rd32(&machine, 3, 0x7fffe), 0x04030201);
}

static void chips_without_a_large_ramin_have_no_bar3(void **opaque) {
    (void)opaque;
    init("NV10");
    assert_int_equal(bus_bar_bytes(&machine.bus, 3), 0);
    bar_wr32(&machine, 3, 0, 1);
    assert_int_equal(bar_rd32(&machine, 3, 0), 0);
    assert_int_equal(bus_rd32(&machine.bus, 0x700000), 0);
}

static void bar1_of_nv40_is_vram(void **opaque) {
    (void)opaque;
    init("NV40");
    bar_wr32(&machine, 1, 0x123456, 0xdeadbeef);
    uint8_t byte;
    bus_bar_read(&machine.bus, 1, 0x123457, &byte, 1);
    assert_int_equal(byte, 0xbe);
    assert_int_equal(peek(&machine, 0x123458), 0xdead);
    uint64_t end = machine.chip->vram_bytes;
    bar_wr32(&machine, 1, end - 2, 0x44332211);
    assert_int_equal(bar_rd32(&machine, 1, end - 2), 0x2211);
}

static void pramin_of_g80_moves_in_64_kib_steps_and_between_memories(void **opaque) {
    (void)opaque;
    init("G80");
    bus_wr32(&machine.bus, 0x1700, 0x12);
    bus_wr32(&machine.bus, 0x700004, 0x11111111);
    bus_wr32(&machine.bus, 0x7ffffc, 0x22222222);
    assert_int_equal(peek(&machine, 0x120004), 0x11111111);
    assert_int_equal(peek(&machine, 0x21fffc), 0x22222222);
    for (uint32_t target = 2; target < 4; target++) {
        bus_wr32(&machine.bus, 0x1700, target << 24 | 1);
        bus_wr32(&machine.bus, 0x700008, target);
        assert_int_equal(memory_physical_rd32(&machine.memory, MEMORY_SYSTEM, 0x10008), target);
    }
    assert_int_equal(peek(&machine, 0x10008), 0);
    bus_wr32(&machine.bus, 0x1700, 0xffffff);
    bus_wr32(&machine.bus, 0x700000, 1);
    assert_int_equal(bus_rd32(&machine.bus, 0x700000), 0);
}

#define DESCRIPTOR 0x10000u
#define TABLES     0x40000u
#define PAGES      0x100000u

/*
 * A BAR channel of Tesla: VA 0 and up, and VA 4 GiB and up, each with pages of 4 KiB from PAGES on.
 * BAR1: object 0x20 in the descriptor, from VA 0; BAR3: object 0x30, from VA 4 GiB.
 */
static void build_tesla(uint32_t directory) {
    for (unsigned half = 0; half < 2; half++) {
        uint32_t table = TABLES + 0x10000 * half;
        poke64(&machine, DESCRIPTOR + directory + half * 8 * 8, table | 3 << 5 | 3);
        for (uint32_t page = 0; page < 4; page++)
            poke64(&machine, table + 8 * page, (PAGES + 0x10000 * half + 0x1000 * page) | 1);
        uint32_t object = DESCRIPTOR + 0x6000 + 0x100 * half;
        poke(&machine, object, 0x7fc00000);
        poke(&machine, object + 4, 0x3fff);
        poke(&machine, object + 8, 0);
        poke(&machine, object + 12, half * 0x01000001);
    }
    bus_wr32(&machine.bus, 0x1704, DESCRIPTOR >> 12);
    bus_wr32(&machine.bus, 0x1704, DESCRIPTOR >> 12 | 0x40000000);
    bus_wr32(&machine.bus, 0x1708, 0x80000000 | 0x600);
    bus_wr32(&machine.bus, 0x170c, 0x80000000 | 0x610);
}

static void tesla_bars_show_objects_of_the_bar_channel(void **opaque) {
    (void)opaque;
    static const struct {
        const char *chip;
        uint32_t directory;
    } cases[] = {{"G80", 0x1400}, {"G84", 0x200}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        init(cases[i].chip);
        build_tesla(cases[i].directory);
        bar_wr32(&machine, 1, 0x1004, 0x11111111);
        assert_int_equal(peek(&machine, PAGES + 0x1004), 0x11111111);
        bar_wr32(&machine, 3, 0x3008, 0x33333333);
        assert_int_equal(peek(&machine, PAGES + 0x13008), 0x33333333);
        assert_int_equal(bar_rd32(&machine, 3, 0x3008), 0x33333333);
        if (i + 1 < COUNT_OF(cases))
            machine_free(&machine);
    }
}

static void tesla_bars_without_mode_are_vram(void **opaque) {
    (void)opaque;
    init("G84");
    build_tesla(0x200);
    bus_wr32(&machine.bus, 0x1708, 0x600);
    bar_wr32(&machine, 1, 0x654320, 7);
    assert_int_equal(peek(&machine, 0x654320), 7);
}

static void tesla_sets_bar_channel_and_peephole_channel_apart(void **opaque) {
    (void)opaque;
    init("G84");
    build_tesla(0x200);
    bus_wr32(&machine.bus, 0x1704, 0x3ff);
    bar_wr32(&machine, 1, 0, 9);
    assert_int_equal(peek(&machine, PAGES), 9);
}

static void g84_can_move_the_page_directory(void **opaque) {
    (void)opaque;
    init("G84");
    build_tesla(0x1000);
    assert_int_equal(bar_rd32(&machine, 1, 0), 0xbad0ac00);
    bus_wr32(&machine.bus, 0x100c9c, 0x1000);
    bar_wr32(&machine, 1, 0, 9);
    assert_int_equal(peek(&machine, PAGES), 9);
}

static uint32_t fault_word(uint32_t index) {
    bus_wr32(&machine.bus, 0x100c90, 0x707ff | index << 24);
    return bus_rd32(&machine.bus, 0x100c94);
}

static void a_tesla_bar_fault_is_recorded_until_acknowledged(void **opaque) {
    (void)opaque;
    init("G80");
    build_tesla(0x1400);
    bus_wr32(&machine.bus, 0x140, 1);
    poke64(&machine, TABLES + 0x10000 + 8, 0);
    bar_wr32(&machine, 3, 0x1234, 1);                            /* page not present */
    assert_int_equal(bus_rd32(&machine.bus, 0x100), 0);          /* it is PFIFO that interrupts */
    assert_int_equal(bar_rd32(&machine, 1, 0x4000), 0xbad0ac00); /* another one: lost */
    static const uint32_t first[6] = {0x1426, DESCRIPTOR >> 12, 0, 0x1234, 0, 0x01};
    for (uint32_t i = 0; i < 6; i++)
        assert_int_equal(fault_word(i), first[i]);
    assert_int_equal(fault_word(7), 0);
    assert_int_equal(bus_rd32(&machine.bus, 0x100c90), 0x870707ff);
    bus_wr32(&machine.bus, 0x100c90, 0x707ff | 0x80000000);
    assert_int_equal(bus_rd32(&machine.bus, 0x100c90), 0x000707ff);
    bar_rd32(&machine, 1, 0x4000); /* beyond the object: a read by client 8, slot 0 */
    assert_int_equal(fault_word(0), 0x08f6);
    assert_int_equal(fault_word(5), 0x100);
}

static void fault_numbers_are_bytes_where_there_is_a_copy_engine(void **opaque) {
    (void)opaque;
    init("GT215");
    bus_vm_fault(&machine.bus, 0xd, 2, 0x13, 1, UINT64_C(0xabcde12000), UINT64_C(0x9876543210), false);
    static const uint32_t words[6] = {0x0113020d, 0xde12, 0xabc, 0x3210, 0x7654, 0x198};
    for (uint32_t i = 0; i < 6; i++)
        assert_int_equal(fault_word(i), words[i]);
}

static void a_tesla_null_object_faults(void **opaque) {
    (void)opaque;
    init("G80");
    build_tesla(0x1400);
    bus_wr32(&machine.bus, 0x1708, 0x80000000);
    assert_int_equal(bar_rd32(&machine, 1, 0), 0xbad0ac00);
    assert_int_equal(fault_word(0), 0x0866);
}

#define INSTANCE  0x10000u
#define DIRECTORY 0x20000u

/* An instance block of GF100:GP100 with four small pages at VA 0 and a big one at 0x20000. */
static void build_fermi(void) {
    poke64(&machine, INSTANCE + 0x200, DIRECTORY);
    poke64(&machine, INSTANCE + 0x208, (UINT64_C(1) << 40) - 1);
    poke64(&machine, DIRECTORY, (UINT64_C(1) << 32 | (uint64_t)TABLES >> 12 << 36) | 1 | (TABLES + 0x40000) >> 8);
    for (uint32_t page = 0; page < 4; page++)
        poke64(&machine, TABLES + 8 * page, (PAGES + 0x1000 * page) >> 8 | 1);
    poke64(&machine, TABLES + 0x40000 + 8, 0x200000 >> 8 | 1);
}

static void fermi_bars_show_the_vm_of_an_instance_block(void **opaque) {
    (void)opaque;
    static const char *const chips[] = {"GF100", "GK104", "GM204"};
    for (size_t i = 0; i < COUNT_OF(chips); i++) {
        init(chips[i]);
        build_fermi();
        bus_wr32(&machine.bus, 0x1704, 0x80000000 | INSTANCE >> 12);
        bus_wr32(&machine.bus, 0x1714, 0x80000000 | INSTANCE >> 12);
        assert_int_equal(bus_rd32(&machine.bus, 0x1710), i == 2 ? 0 : 0xbad00100); /* BIND_STATUS came with GM107 */
        bar_wr32(&machine, 1, 0x3004, 0x11111111);
        assert_int_equal(peek(&machine, PAGES + 0x3004), 0x11111111);
        bar_wr32(&machine, 3, 0x20010, 0x22222222);
        assert_int_equal(peek(&machine, 0x200010), 0x22222222);
        /* Across a page border, unaligned. */
        bar_wr32(&machine, 1, 0x1ffe, 0x44332211);
        assert_int_equal(peek(&machine, PAGES + 0x1ffc), 0x22110000);
        assert_int_equal(peek(&machine, PAGES + 0x2000), 0x4433);
        if (i + 1 < COUNT_OF(chips))
            machine_free(&machine);
    }
}

static void fermi_instance_blocks_may_be_in_system_memory(void **opaque) {
    (void)opaque;
    init("GF100");
    build_fermi();
    memory_physical_wr32(&machine.memory, MEMORY_SYSTEM, 0x5200, DIRECTORY);
    memory_physical_wr32(&machine.memory, MEMORY_SYSTEM, 0x5208, 0xffffffff);
    bus_wr32(&machine.bus, 0x1704, 0x80000000 | 2 << 28 | 5);
    bar_wr32(&machine, 1, 0x1000, 0x77);
    assert_int_equal(peek(&machine, PAGES + 0x1000), 0x77);
}

static void fermi_bars_without_mode_are_vram(void **opaque) {
    (void)opaque;
    init("GF100");
    bar_wr32(&machine, 1, 0x654320, 7);
    bar_wr32(&machine, 3, 0x654324, 8);
    assert_int_equal(peek(&machine, 0x654320), 7);
    assert_int_equal(peek(&machine, 0x654324), 8);
}

static struct fault seen_fault;
static uint64_t seen_instance;
static unsigned seen_bar, seen_faults;

static void see_fault(void *fifo, unsigned bar, uint64_t instance, const struct fault *fault) {
    assert_ptr_equal(fifo, &machine);
    seen_fault = *fault;
    seen_bar = bar;
    seen_instance = instance;
    seen_faults++;
}

static void a_fermi_bar_fault_is_told_to_pfifo_and_does_not_spread(void **opaque) {
    (void)opaque;
    init("GF100");
    build_fermi();
    static const struct bus_host_ops host = {.bar_fault = see_fault};
    bus_attach_host(&machine.bus, &host, &machine);
    seen_faults = 0;
    bus_wr32(&machine.bus, 0x1704, 0x80000000 | INSTANCE >> 12);
    poke64(&machine, TABLES + 8, 0);
    poke(&machine, PAGES + 0xffc, 0x11111111);
    poke(&machine, PAGES + 0x2000, 0x22222222);
    uint8_t bytes[0x1008];
    bus_bar_read(&machine.bus, 1, 0xffc, bytes, sizeof bytes);
    assert_int_equal(load_le32(bytes), 0x11111111);
    for (unsigned i = 4; i < 0x1004; i += 4)
        assert_int_equal(load_le32(bytes + i), 0xbad0ac00);
    assert_int_equal(load_le32(bytes + 0x1004), 0x22222222);
    assert_int_equal(seen_faults, 1);
    assert_int_equal(seen_bar, 1);
    assert_int_equal(seen_instance, INSTANCE);
    assert_int_equal(seen_fault.reason, FAULT_PTE);
    assert_int_equal(seen_fault.address, 0x1000);
    assert_false(seen_fault.write);
    memset(bytes, 0x55, sizeof bytes);
    bus_bar_write(&machine.bus, 1, 0xffc, bytes, sizeof bytes);
    assert_true(seen_fault.write);
    assert_int_equal(peek(&machine, PAGES + 0xffc), 0x55555555);
    assert_int_equal(peek(&machine, PAGES + 0x1000), 0);
    assert_int_equal(peek(&machine, PAGES + 0x2000), 0x55555555);
    assert_int_equal(bar_rd32(&machine, 1, 0x1002), 0xac00bad0);
}

static uint32_t userd[4];
static unsigned userd_accesses;

static void userd_write(void *fifo, uint64_t offset, uint32_t value) {
    assert_ptr_equal(fifo, &machine);
    assert_true(offset < sizeof userd);
    userd[offset / 4] = value;
    userd_accesses++;
}

static uint32_t userd_read(void *fifo, uint64_t offset) {
    assert_ptr_equal(fifo, &machine);
    assert_true(offset < sizeof userd);
    userd_accesses++;
    return userd[offset / 4];
}

static void pfifo_takes_the_words_of_userd_out_of_bar1(void **opaque) {
    (void)opaque;
    init("GF100");
    static const struct bus_host_ops host = {.userd_read = userd_read, .userd_write = userd_write};
    bus_attach_host(&machine.bus, &host, &machine);
    machine.bus.bars->userd = 0x2000;
    machine.bus.bars->userd_bytes = sizeof userd;
    memset(userd, 0, sizeof userd);
    userd_accesses = 0;
    bar_wr32(&machine, 1, 0x200c, 0x1234);
    assert_int_equal(userd[3], 0x1234);
    assert_int_equal(bar_rd32(&machine, 1, 0x200c), 0x1234);
    bus_bar_write(&machine.bus, 1, 0x2000, "\1\0\0\0\2\0\0\0", 8);
    assert_int_equal(userd[0], 1);
    assert_int_equal(userd[1], 2);
    assert_int_equal(userd_accesses, 4);
    /* Not words of the area: memory. */
    bar_wr32(&machine, 1, 0x1ffc, 5);
    bar_wr32(&machine, 1, 0x2010, 6);
    bar_wr32(&machine, 3, 0x2000, 7);
    bus_bar_write(&machine.bus, 1, 0x2005, "\x99", 1);
    bus_bar_write(&machine.bus, 1, 0x2004, "\x88", 1);
    assert_int_equal(userd_accesses, 4);
    assert_int_equal(peek(&machine, 0x1ffc), 5);
    assert_int_equal(peek(&machine, 0x2010), 6);
    assert_int_equal(peek(&machine, 0x2000), 7);
    assert_int_equal(peek(&machine, 0x2004), 0x9988);
}

/* BAR1 offset 0 shows PAGES; the table now says PAGES + 0x1000. */
static void remap(uint32_t value) {
    poke(&machine, PAGES, 0xaaaaaaaa);
    poke(&machine, PAGES + 0x1000, 0xbbbbbbbb);
    assert_int_equal(bar_rd32(&machine, 1, 0), 0xaaaaaaaa);
    poke64(&machine, TABLES, value);
    assert_int_equal(bar_rd32(&machine, 1, 0), 0xaaaaaaaa);
}

static void tesla_translations_are_stale_until_100c80_flushes(void **opaque) {
    (void)opaque;
    init("G84");
    build_tesla(0x200);
    remap((PAGES + 0x1000) | 1);
    bus_wr32(&machine.bus, 0x100c80, 0x60000);
    assert_int_equal(bar_rd32(&machine, 1, 0), 0xaaaaaaaa);
    bus_wr32(&machine.bus, 0x100c80, 0x60001);
    assert_int_equal(bus_rd32(&machine.bus, 0x100c80), 0x60000);
    assert_int_equal(bar_rd32(&machine, 1, 0), 0xbbbbbbbb);
}

static void fermi_translations_are_stale_until_100cbc_flushes(void **opaque) {
    (void)opaque;
    init("GF100");
    build_fermi();
    bus_wr32(&machine.bus, 0x1704, 0x80000000 | INSTANCE >> 12);
    remap((PAGES + 0x1000) >> 8 | 1);
    assert_int_not_equal(bus_rd32(&machine.bus, 0x100c80) & 0xff0000, 0);
    bus_wr32(&machine.bus, 0x100cb8, DIRECTORY >> 8);
    bus_wr32(&machine.bus, 0x100cbc, 1);
    assert_int_equal(bar_rd32(&machine, 1, 0), 0xaaaaaaaa);
    bus_wr32(&machine.bus, 0x100cbc, 0x80000001);
    assert_int_equal(bus_rd32(&machine.bus, 0x100c80) & 0x8000, 0x8000);
    assert_int_equal(bus_rd32(&machine.bus, 0x100cbc), 1);
    assert_int_equal(bar_rd32(&machine, 1, 0), 0xbbbbbbbb);
}

static void binding_a_bar_looks_its_tables_up_anew(void **opaque) {
    (void)opaque;
    init("GF100");
    build_fermi();
    bus_wr32(&machine.bus, 0x1704, 0x80000000 | INSTANCE >> 12);
    remap((PAGES + 0x1000) >> 8 | 1);
    bus_wr32(&machine.bus, 0x1704, 0x80000000 | INSTANCE >> 12);
    assert_int_equal(bar_rd32(&machine, 1, 0), 0xbbbbbbbb);
}

static void big_pages_are_64_kib_if_mmu_config_says_so(void **opaque) {
    (void)opaque;
    init("GF100");
    build_fermi();
    bus_wr32(&machine.bus, 0x1704, 0x80000000 | INSTANCE >> 12);
    poke(&machine, 0x200004, 0x128);
    bar_wr32(&machine, 1, 0x20004, 1);
    assert_int_equal(peek(&machine, 0x200004), 1);
    bus_wr32(&machine.bus, 0x100c80, 1);
    bar_wr32(&machine, 1, 0x10004, 2);
    assert_int_equal(peek(&machine, 0x200004), 2);
}

static void no_offset_and_no_register_value_crashes(void **opaque) {
    (void)opaque;
    static const char *const chips[] = {"NV1",   "NV3",   "NV4",   "NV40",  "NV44",  "G80",
                                        "GT215", "GF100", "GK104", "GK20A", "GM204", "GP100"};
    static const uint64_t offsets[] = {0,
                                       1,
                                       0xfff,
                                       (1 << 24) - 2,
                                       (1 << 25) - 2,
                                       (UINT64_C(1) << 36) - 2,
                                       UINT64_C(1) << 36,
                                       UINT64_C(1) << 40,
                                       UINT64_C(1) << 63,
                                       UINT64_MAX - 3,
                                       UINT64_MAX};
    static const uint32_t blocks[] = {0, 0x80000000, 0xffffffff, 0x80000001, 0xa0000fff, 0x9fffffff, 0x8000ffff};
    for (size_t chip = 0; chip < COUNT_OF(chips); chip++) {
        init(chips[chip]);
        for (size_t block = 0; block < COUNT_OF(blocks); block++) {
            for (uint32_t offset = 0x1700; offset < 0x1720; offset += 4)
                bus_wr32(&machine.bus, offset, blocks[block]);
            for (unsigned bar = 0; bar < 8; bar++) {
                uint64_t size = bus_bar_bytes(&machine.bus, bar);
                for (size_t i = 0; i < COUNT_OF(offsets); i++) {
                    uint8_t bytes[0x1005];
                    memset(bytes, 0xff, sizeof bytes);
                    bus_bar_write(&machine.bus, bar, offsets[i], bytes, sizeof bytes);
                    bus_bar_read(&machine.bus, bar, offsets[i], bytes, sizeof bytes);
                    for (size_t at = 0; at < sizeof bytes; at++)
                        if (offsets[i] >= size || at >= size - offsets[i])
                            assert_int_equal(bytes[at], 0);
                }
            }
            bus_wr32(&machine.bus, 0x7ffffc, 1);
            bus_rd32(&machine.bus, 0x7ffffc);
        }
        if (chip + 1 < COUNT_OF(chips))
            machine_free(&machine);
    }
}

#define TEST(name) cmocka_unit_test_teardown(name, teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(pramin_of_nv40_is_the_end_of_vram_in_chunks),
        TEST(many_bytes_through_pramin_are_the_same_whoever_looks),
        TEST(bar3_of_nv40_is_all_of_ramin),
        TEST(chips_without_a_large_ramin_have_no_bar3),
        TEST(bar1_of_nv40_is_vram),
        TEST(pramin_of_g80_moves_in_64_kib_steps_and_between_memories),
        TEST(tesla_bars_show_objects_of_the_bar_channel),
        TEST(tesla_bars_without_mode_are_vram),
        TEST(tesla_sets_bar_channel_and_peephole_channel_apart),
        TEST(g84_can_move_the_page_directory),
        TEST(a_tesla_bar_fault_is_recorded_until_acknowledged),
        TEST(fault_numbers_are_bytes_where_there_is_a_copy_engine),
        TEST(a_tesla_null_object_faults),
        TEST(fermi_bars_show_the_vm_of_an_instance_block),
        TEST(fermi_instance_blocks_may_be_in_system_memory),
        TEST(fermi_bars_without_mode_are_vram),
        TEST(a_fermi_bar_fault_is_told_to_pfifo_and_does_not_spread),
        TEST(pfifo_takes_the_words_of_userd_out_of_bar1),
        TEST(tesla_translations_are_stale_until_100c80_flushes),
        TEST(fermi_translations_are_stale_until_100cbc_flushes),
        TEST(binding_a_bar_looks_its_tables_up_anew),
        TEST(big_pages_are_64_kib_if_mmu_config_says_so),
        TEST(no_offset_and_no_register_value_crashes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
