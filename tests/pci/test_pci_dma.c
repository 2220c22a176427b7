/* SPDX-License-Identifier: MIT */
/* The guest's memory, as the card reaches it through a window onto system memory. */
#include "slot.h"

#include "fifo/fifo.h"
#include "pci/card.h"

#define WINDOW 0x700000u
#define SYSTEM 0x02000000u /* of the window's base: memory of the host */
#define RANGE  0x4000u

static uint8_t ram[2][RANGE];

static void open_card(struct slot *slot) {
    slot_open(slot, "G84");
    memset(ram, 0, sizeof ram);
    cfg_write(slot, 4, 2, 6);
}

static uint32_t word_of(unsigned range, unsigned at) {
    uint32_t value;
    memcpy(&value, ram[range] + at, 4);
    return value;
}

/* Make the window show the memory at an address of the bus, in steps of 64 KiB. */
static void show(struct slot *slot, uint64_t address) {
    wr32(slot, 0x1700, SYSTEM | (uint32_t)(address >> 16));
}

static enum pfifo_status map(struct slot *slot, uint64_t address, uint64_t bytes, unsigned range) {
    struct pfifo_error error = {0};
    return pfifo_pci_dma_map(slot->card, address, bytes, ram[range], true, &error);
}

static void test_the_card_reads_and_writes_what_is_mapped(void **state) {
    struct slot slot;
    (void)state;
    open_card(&slot);
    assert_int_equal(map(&slot, 0x120000, RANGE, 0), PFIFO_OK);
    show(&slot, 0x120000);
    wr32(&slot, WINDOW + 0x3ffc, 0xcafe1234);
    assert_int_equal(word_of(0, 0x3ffc), 0xcafe1234);
    ram[0][0x10] = 0x42;
    assert_int_equal(rd32(&slot, WINDOW + 0x10), 0x42);
    wr32(&slot, WINDOW + 0x4000, 1); /* beyond the end: nobody */
    assert_int_equal(word_of(1, 0), 0);
    assert_int_equal(pfifo_pci_dma_unmap(slot.card, 0x120000, RANGE, NULL), PFIFO_OK);
    wr32(&slot, WINDOW + 0x10, 0x99);
    assert_int_equal(ram[0][0x10], 0x42);
    slot_close(&slot);
}

static void test_neighbours_are_one_memory(void **state) {
    struct slot slot;
    const uint8_t data[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    (void)state;
    open_card(&slot);
    assert_int_equal(map(&slot, 0x124000, RANGE, 1), PFIFO_OK);
    assert_int_equal(map(&slot, 0x120000, RANGE, 0), PFIFO_OK);
    show(&slot, 0x120000);
    pfifo_pci_region_write(slot.card, 0, WINDOW + 0x3ffc, data, 8);
    assert_memory_equal(ram[0] + 0x3ffc, data, 4);
    assert_memory_equal(ram[1], data + 4, 4);
    slot_close(&slot);
}

static void test_a_word_across_two_ranges_is_in_both(void **state) {
    struct slot slot;
    (void)state;
    open_card(&slot);
    assert_int_equal(map(&slot, 0x120000, 0x1002, 0), PFIFO_OK);
    assert_int_equal(map(&slot, 0x121002, 0x1000, 1), PFIFO_OK);
    show(&slot, 0x120000);
    wr32(&slot, WINDOW + 0x1000, 0x44332211);
    assert_int_equal(word_of(0, 0x1000), 0x00002211);
    assert_int_equal(word_of(1, 0), 0x00004433);
    slot_close(&slot);
}

static void test_memory_that_is_not_writable_is_only_read(void **state) {
    struct slot slot;
    (void)state;
    open_card(&slot);
    assert_int_equal(pfifo_pci_dma_map(slot.card, 0x120000, RANGE, ram[0], false, NULL), PFIFO_OK);
    ram[0][4] = 7;
    show(&slot, 0x120000);
    wr32(&slot, WINDOW + 4, 9);
    assert_int_equal(rd32(&slot, WINDOW + 4), 7);
    slot_close(&slot);
}

static void test_only_the_master_of_the_bus_reaches_memory(void **state) {
    struct slot slot;
    (void)state;
    open_card(&slot);
    assert_int_equal(map(&slot, 0x120000, RANGE, 0), PFIFO_OK);
    show(&slot, 0x120000);
    cfg_write(&slot, 4, 2, 2);
    wr32(&slot, WINDOW, 1);
    assert_int_equal(word_of(0, 0), 0);
    cfg_write(&slot, 4, 2, 6);
    wr32(&slot, WINDOW, 1);
    assert_int_equal(word_of(0, 0), 1);
    slot_close(&slot);
}

static void test_ranges_do_not_overlap_and_are_not_empty(void **state) {
    struct slot slot;
    (void)state;
    open_card(&slot);
    assert_int_equal(map(&slot, 0x10000, 0x1000, 0), PFIFO_OK);
    assert_int_equal(map(&slot, 0x10fff, 1, 0), PFIFO_ERROR_ARGUMENT);
    assert_int_equal(map(&slot, 0xf000, 0x1001, 0), PFIFO_ERROR_ARGUMENT);
    assert_int_equal(map(&slot, 0, 0x4000, 0), PFIFO_OK);
    assert_int_equal(map(&slot, 0x20000, 0, 0), PFIFO_ERROR_ARGUMENT);
    assert_int_equal(map(&slot, UINT64_MAX - 1, 3, 0), PFIFO_ERROR_ARGUMENT);
    assert_int_equal(map(&slot, UINT64_MAX - 1, 2, 0), PFIFO_OK);
    assert_int_equal(pfifo_pci_dma_map(slot.card, 0x30000, 1, NULL, true, NULL), PFIFO_ERROR_ARGUMENT);
    assert_int_equal(pfifo_pci_dma_count(slot.card), 3);
    slot_close(&slot);
}

static void test_unmapping_takes_whole_ranges(void **state) {
    struct slot slot;
    (void)state;
    open_card(&slot);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(map(&slot, 0x10000 * i, RANGE, i % 2), PFIFO_OK);
    assert_int_equal(pfifo_pci_dma_unmap(slot.card, 0x10001, RANGE, NULL), PFIFO_ERROR_ARGUMENT);
    assert_int_equal(pfifo_pci_dma_unmap(slot.card, 0x10000, RANGE - 1, NULL), PFIFO_ERROR_ARGUMENT);
    assert_int_equal(pfifo_pci_dma_count(slot.card), 4);
    assert_int_equal(pfifo_pci_dma_unmap(slot.card, 0x8000, 0x20000, NULL), PFIFO_OK);
    assert_int_equal(pfifo_pci_dma_count(slot.card), 2);
    assert_int_equal(map(&slot, 0x10000, RANGE, 0), PFIFO_OK);
    assert_int_equal(pfifo_pci_dma_unmap(slot.card, 0, UINT64_MAX, NULL), PFIFO_OK);
    assert_int_equal(pfifo_pci_dma_count(slot.card), 0);
    slot_close(&slot);
}

static void test_there_is_room_for_so_many_ranges(void **state) {
    struct slot slot;
    (void)state;
    open_card(&slot);
    for (unsigned i = 0; i < PFIFO_PCI_DMA_MAX; i++)
        assert_int_equal(map(&slot, UINT64_C(0x10000) * (PFIFO_PCI_DMA_MAX - i), RANGE, 0), PFIFO_OK);
    assert_int_equal(map(&slot, 0, RANGE, 0), PFIFO_ERROR_UNSUPPORTED);
    assert_int_equal(pfifo_pci_reset(slot.card, NULL), PFIFO_OK);
    assert_int_equal(pfifo_pci_dma_count(slot.card), PFIFO_PCI_DMA_MAX);
    slot_close(&slot);
}

/* ---- memory without a pointer ---- */

/* Somebody who has it: ram[0], from GUEST on. */
#define GUEST 0x120000u

struct owner {
    unsigned reads, writes;
    struct {
        uint64_t address;
        size_t bytes;
    } last[4]; /* writes */
    bool gone;
};

static bool owner_read(void *opaque, uint64_t address, void *data, size_t bytes) {
    struct owner *owner = opaque;
    assert_true(address >= GUEST && address - GUEST + bytes <= RANGE);
    assert_true(bytes && address / PFIFO_PCI_REMOTE_MAX == (address + bytes - 1) / PFIFO_PCI_REMOTE_MAX);
    owner->reads++;
    memcpy(data, ram[0] + (address - GUEST), bytes);
    return !owner->gone;
}

static bool owner_write(void *opaque, uint64_t address, const void *data, size_t bytes) {
    struct owner *owner = opaque;
    assert_true(address >= GUEST && address - GUEST + bytes <= RANGE);
    owner->last[owner->writes % 4].address = address;
    owner->last[owner->writes++ % 4].bytes = bytes;
    memcpy(ram[0] + (address - GUEST), data, bytes);
    return !owner->gone;
}

static void open_remote(struct slot *slot, struct owner *owner, uint64_t bytes) {
    struct pfifo_pci_remote remote = {owner_read, owner_write, owner};
    *owner = (struct owner){0};
    open_card(slot);
    assert_int_equal(pfifo_pci_dma_map_remote(slot->card, GUEST, bytes, &remote, NULL), PFIFO_OK);
    show(slot, GUEST);
}

static void test_memory_without_a_pointer_is_asked_for(void **state) {
    struct slot slot;
    struct owner owner;
    (void)state;
    open_remote(&slot, &owner, RANGE);
    ram[0][0x10] = 0x42;
    assert_int_equal(rd32(&slot, WINDOW + 0x10), 0x42);
    ram[0][0x10] = 0x43; /* the guest writes at any time */
    assert_int_equal(rd32(&slot, WINDOW + 0x10), 0x43);
    wr32(&slot, WINDOW + 0x3ffc, 0xcafe1234);
    assert_int_equal(word_of(0, 0x3ffc), 0xcafe1234);
    wr32(&slot, WINDOW + 0x4000, 1); /* beyond the end: nobody */
    assert_int_equal(owner.writes, 1);
    assert_int_equal(pfifo_pci_dma_unmap(slot.card, GUEST, RANGE, NULL), PFIFO_OK);
    assert_int_equal(pfifo_pci_dma_count(slot.card), 0);
    wr32(&slot, WINDOW + 0x10, 0x99);
    assert_int_equal(ram[0][0x10], 0x43);
    slot_close(&slot);
}

/* The guest may write to the rest of the page meanwhile. */
static void test_only_dwords_that_changed_are_handed_over(void **state) {
    struct slot slot;
    struct owner owner;
    uint8_t data[0x20] = {0};
    (void)state;
    open_remote(&slot, &owner, RANGE);
    data[0x9] = 1, data[0xc] = 2, data[0x1f] = 3;
    pfifo_pci_region_write(slot.card, 0, WINDOW + 0x100, data, sizeof data);
    assert_int_equal(owner.writes, 2);
    assert_int_equal(owner.last[0].address, GUEST + 0x108);
    assert_int_equal(owner.last[0].bytes, 8);
    assert_int_equal(owner.last[1].address, GUEST + 0x11c);
    assert_int_equal(owner.last[1].bytes, 4);
    assert_memory_equal(ram[0] + 0x100, data, sizeof data);
    slot_close(&slot);
}

static void test_pages_are_written_in_the_order_of_the_card(void **state) {
    struct slot slot;
    struct owner owner;
    const uint8_t data[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    (void)state;
    open_remote(&slot, &owner, RANGE);
    for (unsigned i = 0; i < 3; i++) {
        owner.writes = 0;
        memset(ram[0], 0, RANGE);
        pfifo_pci_region_write(slot.card, 0, WINDOW + 0xffc + i * 0x1000, data, 8);
        assert_int_equal(owner.writes, 2);
        assert_int_equal(owner.last[0].address, GUEST + 0xffc + i * 0x1000);
        assert_int_equal(owner.last[1].address, GUEST + 0x1000 + i * 0x1000);
        assert_memory_equal(ram[0] + 0xffc + i * 0x1000, data, 8);
    }
    slot_close(&slot);
}

static void test_where_nobody_answers_reads_are_all_ones(void **state) {
    struct slot slot;
    struct owner owner;
    (void)state;
    open_remote(&slot, &owner, RANGE);
    owner.gone = true;
    assert_true(rd32(&slot, WINDOW + 0x10) == UINT32_MAX);
    wr32(&slot, WINDOW + 0x10, 5);
    owner.gone = false;
    assert_int_equal(rd32(&slot, WINDOW + 0x14), 0);
    slot_close(&slot);
}

static void test_a_page_may_have_parts_of_several_owners(void **state) {
    struct slot slot;
    struct owner owner;
    struct pfifo_pci_remote other = {owner_read, NULL, &owner};
    const uint8_t data[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    (void)state;
    open_remote(&slot, &owner, 0x102);
    assert_int_equal(pfifo_pci_dma_map(slot.card, GUEST + 0x102, 0x14, ram[1], true, NULL), PFIFO_OK);
    assert_int_equal(pfifo_pci_dma_map_remote(slot.card, GUEST + 0x116, 0x10, &other, NULL), PFIFO_OK);
    assert_int_equal(pfifo_pci_dma_map_remote(slot.card, GUEST + 0x100, 2, &other, NULL), PFIFO_ERROR_ARGUMENT);
    pfifo_pci_region_write(slot.card, 0, WINDOW + 0xfc, data, 12);
    assert_memory_equal(ram[0] + 0xfc, data, 6);
    assert_int_equal(ram[0][0x102], 0);
    assert_memory_equal(ram[1], data + 6, 6);
    pfifo_pci_region_write(slot.card, 0, WINDOW + 0x118, data, 4); /* not writable */
    assert_int_equal(word_of(0, 0x118), 0);
    slot_close(&slot);
}

/* What an owner finds when it is told. */
static bool seen_at_the_interrupt;

static void look_at_memory(void *opaque, bool level) {
    (void)opaque;
    seen_at_the_interrupt = level && ram[0][0x10] == 1 && ram[0][0x1010] == 2;
}

static void look_at_message(void *opaque, uint64_t address, uint32_t data) {
    (void)address, (void)data;
    look_at_memory(opaque, true);
}

static void test_writes_are_handed_over_before_an_interrupt(void **state) {
    (void)state;
    for (unsigned msi = 0; msi < 2; msi++) {
        struct slot slot;
        struct owner owner = {0};
        struct pfifo_pci_config config = slot_config(&slot, pfifo_chip_by_name("G84"));
        struct pfifo_pci_remote remote = {owner_read, owner_write, &owner};
        uint64_t bytes = 0;
        config.intx = msi ? NULL : look_at_memory;
        config.msi = msi ? look_at_message : NULL;
        slot.card = pfifo_pci_new(&config, NULL);
        assert_non_null(slot.card);
        memset(ram, 0, sizeof ram);
        seen_at_the_interrupt = false;
        cfg_write(&slot, 4, 2, 6);
        cfg_write(&slot, 0x6a, 2, 0x80 | msi);
        assert_int_equal(pfifo_pci_dma_map_remote(slot.card, GUEST, RANGE, &remote, NULL), PFIFO_OK);
        pci_begin(slot.card);
        uint8_t *first = pci_dma_find(slot.card, GUEST + 0x10, &bytes, true);
        uint8_t *second = pci_dma_find(slot.card, GUEST + 0x1010, &bytes, true);
        assert_true(first && second);
        *second = 2;
        *first = 1;
        pci_lines_irq(slot.card, true);
        assert_true(seen_at_the_interrupt);
        pci_end(slot.card, NULL);
        slot_close(&slot);
    }
}

/* The page that was asked for last to be written is the last: a fence is not there before its data. */
static void test_the_last_page_is_written_last(void **state) {
    struct slot slot;
    struct owner owner;
    (void)state;
    open_remote(&slot, &owner, RANGE);
    for (unsigned data = 0; data < 4; data++)
        for (unsigned fence = 0; fence < 4; fence++) {
            uint64_t bytes = 0;
            if (data == fence)
                continue;
            owner.writes = 0;
            memset(ram[0], 0, RANGE);
            pci_begin(slot.card);
            uint8_t *at = pci_dma_find(slot.card, GUEST + data * 0x1000, &bytes, true);
            uint8_t *last = pci_dma_find(slot.card, GUEST + fence * 0x1000, &bytes, true);
            *at = 1; /* by the pointer that it has */
            *last = 2;
            pci_end(slot.card, NULL);
            assert_int_equal(owner.writes, 2);
            assert_int_equal(owner.last[0].address, GUEST + data * 0x1000);
            assert_int_equal(owner.last[1].address, GUEST + fence * 0x1000);
        }
    slot_close(&slot);
}

static unsigned lent, called;

static void lend_nobody(void *opaque, uint32_t count, void (*call)(void *argument, uint32_t number), void *argument) {
    (void)opaque, (void)call, (void)argument;
    lent += count;
}

static void note_call(void *argument, uint32_t number) {
    (void)argument;
    assert_int_equal(number, called);
    called++;
}

/* A page that one thread writes to would be read anew for another. */
static void test_threads_are_not_used_for_memory_without_a_pointer(void **state) {
    struct slot slot;
    struct owner owner = {0};
    struct pfifo_pci_config config = slot_config(&slot, pfifo_chip_by_name("GF100"));
    struct pfifo_pci_remote remote = {owner_read, owner_write, &owner};
    (void)state;
    config.gpu.side_by_side = lend_nobody;
    slot.card = pfifo_pci_new(&config, NULL);
    assert_non_null(slot.card);
    const struct fifo *fifo = slot.card->gpu->fifo;
    assert_int_equal(map(&slot, 0, RANGE, 1), PFIFO_OK);
    lent = called = 0;
    fifo->side_by_side(fifo->side_opaque, 5, note_call, NULL);
    assert_int_equal(lent, 5);
    assert_int_equal(pfifo_pci_dma_map_remote(slot.card, GUEST, RANGE, &remote, NULL), PFIFO_OK);
    fifo->side_by_side(fifo->side_opaque, 5, note_call, NULL);
    assert_int_equal(lent, 5);
    assert_int_equal(called, 5);
    assert_int_equal(pfifo_pci_dma_unmap(slot.card, GUEST, RANGE, NULL), PFIFO_OK);
    fifo->side_by_side(fifo->side_opaque, 5, note_call, NULL);
    assert_int_equal(lent, 10);
    slot_close(&slot);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_card_reads_and_writes_what_is_mapped),
        cmocka_unit_test(test_neighbours_are_one_memory),
        cmocka_unit_test(test_a_word_across_two_ranges_is_in_both),
        cmocka_unit_test(test_memory_that_is_not_writable_is_only_read),
        cmocka_unit_test(test_only_the_master_of_the_bus_reaches_memory),
        cmocka_unit_test(test_ranges_do_not_overlap_and_are_not_empty),
        cmocka_unit_test(test_unmapping_takes_whole_ranges),
        cmocka_unit_test(test_there_is_room_for_so_many_ranges),
        cmocka_unit_test(test_memory_without_a_pointer_is_asked_for),
        cmocka_unit_test(test_only_dwords_that_changed_are_handed_over),
        cmocka_unit_test(test_pages_are_written_in_the_order_of_the_card),
        cmocka_unit_test(test_where_nobody_answers_reads_are_all_ones),
        cmocka_unit_test(test_a_page_may_have_parts_of_several_owners),
        cmocka_unit_test(test_writes_are_handed_over_before_an_interrupt),
        cmocka_unit_test(test_the_last_page_is_written_last),
        cmocka_unit_test(test_threads_are_not_used_for_memory_without_a_pointer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
