/* SPDX-License-Identifier: MIT */
/* The map of BAR0: what exists there although the model does not know it, and what does not. */
#include <stdlib.h>
#include <string.h>

#include "bus/fixture.h"

#include "bus/blocks.h"
#include "state/state.h"

#define NOTHING 0xbad00100u

static struct machine machine;

static uint32_t rd(uint32_t offset) {
    return bus_rd32(&machine.bus, offset);
}

static void wr(uint32_t offset, uint32_t value) {
    bus_wr32(&machine.bus, offset, value);
}

/* Some of what drivers touch, with the block of the list in envytools docs/hw/mmio.rst. */
static const struct known {
    const char *chips;
    uint32_t offset;
    const char *block;
} known[] = {
    {"NV1", 0x609004, "PDAC"},
    {"NV1", 0x300040, "PAUDIO"},
    {"NV3 NV4", 0x680520, "PRAMDAC"},
    {"NV4 NV34 G70", 0x600140, "PCRTC"},
    {"NV17 NV34 G70", 0x602140, "PCRTC2"},
    {"NV10 NV44", 0x008700, "PVIDEO"},
    {"NV40 G70", 0x004020, "PCLOCK"},
    {"G80 G84 GT215 GF100 GK104 GM107 GP100", 0x00e104, "PNVIO"},
    {"G80 GT215 GF100 GK104 GP100", 0x020400, "PTHERM"},
    {"G80 GT215 GF100 GK104 GM204", 0x610024, "PDISPLAY"},
    {"G80 GF100 GP100", 0x6013d4, "PRMIO"},
    {"G80 GF100 GP100", 0x088060, "PPCI"},
    {"GT215", 0x10a7a0, "PDAEMON"},
    {"G84 GT215", 0x00b32c, "PVPE"},
    {"GF100 GK104 GM107 GP100", 0x10a7a0, "PDAEMON"},
    {"GF100 GK104", 0x000260, "PMC"},
    {"GF100 GK104", 0x132000, "PCLOCK"},
    {"GF100 GK104", 0x100c10, "PFFB"},
    {"GF100 GM107", 0x10f290, "PBFB"},
    {"GF100 GK104", 0x1410c8, "PMFB"},
    {"GF100 GK104 GM107", 0x419e44, "PGRAPH"},
    {"GF119 GK104", 0x00d014, "PGPIO"},
    {"GK104", 0x1c2100, "PVENC"},
    {"GM107", 0x1c8100, "PVENC"},
    {"GP100", 0x9a065c, "PBFB"},
    {"GP100 GV100", 0x1fac80, "HSHUB"},
    {"GP100 GV100", 0x1facc4, "HSHUB"},
};

static void registers_of_blocks_are_storage(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(known); i++)
        for (size_t c = 0; c < pfifo_chip_count(); c++) {
            if (!chip_in_range(pfifo_chip_at(c), known[i].chips))
                continue;
            struct event_log unknown, unmapped;
            machine_init(&machine, pfifo_chip_info(pfifo_chip_at(c)).name, NULL);
            wr(0x200, ~0u);
            observe(&machine, "bus.unknown", &unknown);
            observe(&machine, "bus.unmapped", &unmapped);
            assert_int_equal(rd(known[i].offset), 0);
            wr(known[i].offset, 0x12345678);
            assert_int_equal(rd(known[i].offset), 0x12345678);
            assert_int_equal(rd(known[i].offset + 4), 0);
            bus_write(&machine.bus, known[i].offset + 1, "\xab", 1);
            assert_int_equal(rd(known[i].offset), 0x1234ab78);
            assert_int_equal(unmapped.count, 0);
            assert_int_equal(unknown.count, 2); /* each register once */
            assert_string_equal(unknown.last.text, known[i].block);
            if (machine.chip->vm != CHIP_VM_NONE)
                assert_int_equal(rd(0x1100), 0);
            machine_free(&machine);
        }
}

static void it_is_told_with_its_block_and_once(void **state) {
    (void)state;
    struct event_log unknown;
    machine_init(&machine, "GK104", NULL);
    observe(&machine, "bus.unknown", &unknown);
    wr(0x10f290, 1);
    assert_int_equal(unknown.count, 1);
    assert_string_equal(unknown.last.text, "PBFB");
    assert_int_equal(unknown.last.value[1], 0x10f290);
    assert_int_equal(unknown.last.value[2], 1);
    wr(0x10f290, 2);
    rd(0x10f290);
    assert_int_equal(unknown.count, 1);
    rd(0x10f294);
    assert_int_equal(unknown.count, 2);
    assert_int_equal(unknown.last.value[2], 0);
    machine_free(&machine);
}

static void nothing_is_outside_of_all_blocks(void **state) {
    (void)state;
    static const struct {
        const char *chip;
        uint32_t offset, value;
    } cases[] = {
        {"NV4", 0x0e0000, 0},         {"NV40", 0x0e0000, 0},        {"G80", 0x0e0000, NOTHING},
        {"G80", 0x00d000, NOTHING},   {"G80", 0x087000, NOTHING},   {"G98", 0x102000, NOTHING},
        {"G84", 0x104000, NOTHING},   {"GT215", 0x087000, NOTHING}, {"GF100", 0x1c2000, NOTHING},
        {"GF100", 0x00b000, NOTHING}, {"GF100", 0x100000, NOTHING}, {"GK104", 0x092000, NOTHING},
        {"GM107", 0x086000, NOTHING}, {"GK104", 0x900000, NOTHING}, {"GP100", 0x9c0000, NOTHING},
        {"GP100", 0xa00000, NOTHING}, {"GP102", 0x1fac80, NOTHING},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct event_log unknown, unmapped;
        machine_init(&machine, cases[i].chip, NULL);
        wr(0x200, ~0u);
        observe(&machine, "bus.unknown", &unknown);
        observe(&machine, "bus.unmapped", &unmapped);
        wr(cases[i].offset, 0x12345678);
        assert_int_equal(rd(cases[i].offset), cases[i].value);
        assert_int_equal(unknown.count, 0);
        assert_int_equal(unmapped.count, 2);
        if (machine.chip->vm != CHIP_VM_NONE) {
            assert_int_equal(rd(0x1100), 8);
            assert_int_equal(rd(0x9084), cases[i].offset | 3);
        }
        machine_free(&machine);
    }
}

/* All of PFIFO is known, and where the documents have a register for other chips only, there is none. */
static void what_is_known_to_be_missing_is_no_storage(void **state) {
    (void)state;
    static const struct {
        const char *chip;
        uint32_t offset;
    } cases[] = {
        {"G84", 0x002ff0},   {"GF100", 0x002ff0}, {"GK104", 0x040300}, {"GK104", 0x005100},
        {"G84", 0x000104},   {"G80", 0x100c9c},   {"G84", 0x001560},   {"GF100", 0x00155c},
        {"GF100", 0x060004}, {"GF100", 0x001710}, {"GF100", 0x00170c}, {"GT200", 0x100e1c},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        machine_init(&machine, cases[i].chip, NULL);
        wr(0x200, ~0u);
        wr(0x204, ~0u);
        wr(cases[i].offset, 1);
        if (rd(cases[i].offset) != NOTHING)
            fail_msg("%s 0x%06x: 0x%08x", cases[i].chip, cases[i].offset, rd(cases[i].offset));
        machine_free(&machine);
    }
}

static void switching_a_unit_off_clears_its_block(void **state) {
    (void)state;
    static const struct {
        const char *chip;
        uint32_t offset, enable;
    } cases[] = {
        {"NV17", 0x00b700, 1u << 1},   {"NV34", 0x400b00, 1u << 12},  {"G84", 0x102700, 1u << 14},
        {"G98", 0x084700, 1u << 15},   {"GT215", 0x104700, 1u << 13}, {"GF100", 0x419e44, 1u << 12},
        {"GK104", 0x1c2700, 1u << 18}, {"GM107", 0x10a700, 1u << 13},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        machine_init(&machine, cases[i].chip, NULL);
        wr(0x200, ~0u);
        wr(cases[i].offset, 0x12345678);
        wr(0x101010, 0x87654321); /* PSTRAPS */
        wr(0x200, ~cases[i].enable);
        wr(0x200, ~0u);
        assert_int_equal(rd(cases[i].offset), 0);
        assert_int_equal(rd(0x101010), 0x87654321);
        machine_free(&machine);
    }
}

/* 16 MiB and a bit, whatever a guest does; reading costs pages of marks only. */
static void a_guest_that_touches_everything_costs_what_bar0_has(void **state) {
    (void)state;
    static const char *const chips[] = {"NV1", "NV40", "G84", "GP100"};
    for (size_t c = 0; c < COUNT_OF(chips); c++) {
        machine_init(&machine, chips[c], NULL);
        wr(0x200, ~0u);
        for (uint32_t offset = 0; offset < 0x1000000; offset += 4)
            rd(offset);
        size_t pages = 0, words = 0;
        for (size_t i = 0; i < BLOCK_PAGES; i++) {
            pages += machine.bus.blocks->pages[i] != NULL;
            words += machine.bus.blocks->pages[i] && machine.bus.blocks->pages[i]->words;
        }
        assert_in_range(pages, 16, BLOCK_PAGES);
        assert_int_equal(words, 0);
        for (uint32_t offset = 0x1000; offset < 0x700000; offset += 4)
            wr(offset, 0x01010101);
        for (size_t i = 0, now = 0; i < BLOCK_PAGES; i++) {
            now += machine.bus.blocks->pages[i] != NULL;
            if (now > pages)
                fail_msg("%s: page %zu is new", chips[c], i);
        }
        machine_free(&machine);
    }
}

/* ---- save and restore ---- */

struct stream {
    uint8_t *data;
    size_t used;
};

static bool append(void *opaque, const void *data, size_t bytes) {
    struct stream *stream = opaque;
    stream->data = realloc(stream->data, stream->used + bytes);
    assert_non_null(stream->data);
    memcpy(stream->data + stream->used, data, bytes);
    stream->used += bytes;
    return true;
}

static struct stream save(void) {
    struct stream stream = {0};
    struct state_io io;
    state_open_save(&io, append, &stream, NULL);
    blocks_state(&machine.bus, &io);
    assert_int_equal(state_close(&io), PFIFO_OK);
    return stream;
}

static enum pfifo_status load(const struct stream *stream) {
    struct state_io io;
    state_open_load(&io, stream->data, stream->used, NULL);
    blocks_state(&machine.bus, &io);
    return state_close(&io);
}

static void storage_is_saved_and_restored(void **state) {
    (void)state;
    struct event_log unknown;
    machine_init(&machine, "GF100", NULL);
    wr(0x10f290, 0x11111111);
    wr(0x5ffffc, 0x22222222);
    rd(0x00e100);
    struct stream stream = save();
    wr(0x10f290, 0);
    wr(0x10f294, 0x33333333);
    wr(0x020004, 0x44444444);
    assert_int_equal(load(&stream), PFIFO_OK);
    observe(&machine, "bus.unknown", &unknown);
    assert_int_equal(rd(0x10f290), 0x11111111);
    assert_int_equal(rd(0x5ffffc), 0x22222222);
    assert_int_equal(rd(0x00e100), 0);
    assert_int_equal(unknown.count, 0); /* told before */
    assert_int_equal(rd(0x10f294), 0);
    assert_int_equal(rd(0x020004), 0);
    assert_int_equal(unknown.count, 2);
    machine_free(&machine);
    /* And into another machine. */
    machine_init(&machine, "GF100", NULL);
    assert_int_equal(load(&stream), PFIFO_OK);
    assert_int_equal(rd(0x5ffffc), 0x22222222);
    struct stream again = save();
    assert_int_equal(again.used, stream.used);
    assert_memory_equal(again.data, stream.data, again.used);
    free(again.data);
    free(stream.data);
    machine_free(&machine);
}

#define HEADER  12 /* of the stream */
#define SECTION 16 /* of a section: tag, version, length, sum */

/* Change a word and make the sum right. */
static enum pfifo_status load_changed(const struct stream *stream, size_t word, uint32_t value) {
    struct stream changed = {malloc(stream->used), stream->used};
    struct state_io io;
    memcpy(changed.data, stream->data, stream->used);
    uint8_t *section = changed.data + HEADER;
    store_le32(section + SECTION + 4 * word, value);
    state_open_load(&io, changed.data, changed.used, NULL);
    store_le32(section + 12, state_crc(&io, section + SECTION, load_le32(section + 8)));
    state_close(&io);
    enum pfifo_status status = load(&changed);
    free(changed.data);
    return status;
}

static void malformed_pages_are_refused(void **state) {
    (void)state;
    machine_init(&machine, "GF100", NULL);
    rd(0x00e100);
    rd(0x020000);
    struct stream stream = save(); /* count, then: page, length, 32 words, written */
    assert_int_equal(load(&stream), PFIFO_OK);
    assert_int_equal(load_le32(stream.data + HEADER + SECTION + 4), 0xe);
    assert_int_equal(load_changed(&stream, 1, 0xf), PFIFO_OK);
    assert_int_equal(load_changed(&stream, 1, 0x20), PFIFO_ERROR_FORMAT); /* twice */
    assert_int_equal(load_changed(&stream, 1, 0x30), PFIFO_ERROR_FORMAT); /* out of order */
    assert_int_equal(load_changed(&stream, 1, 4096), PFIFO_ERROR_FORMAT);
    assert_int_equal(load_changed(&stream, 0, 4097), PFIFO_ERROR_FORMAT);
    assert_int_equal(load_changed(&stream, 0, 3), PFIFO_ERROR_FORMAT);
    assert_int_equal(load_changed(&stream, 2, 31), PFIFO_ERROR_FORMAT);
    assert_int_equal(load_changed(&stream, 35, 2), PFIFO_ERROR_FORMAT);
    free(stream.data);
    machine_free(&machine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(registers_of_blocks_are_storage),
        cmocka_unit_test(it_is_told_with_its_block_and_once),
        cmocka_unit_test(nothing_is_outside_of_all_blocks),
        cmocka_unit_test(what_is_known_to_be_missing_is_no_storage),
        cmocka_unit_test(switching_a_unit_off_clears_its_block),
        cmocka_unit_test(a_guest_that_touches_everything_costs_what_bar0_has),
        cmocka_unit_test(storage_is_saved_and_restored),
        cmocka_unit_test(malformed_pages_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
