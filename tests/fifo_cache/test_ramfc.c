/* SPDX-License-Identifier: MIT */
/* What a switch saves and loads: every word of RAMFC, in each of the three layouts, and the entries of CACHE1. */
#include "rig.h"

#include <stdlib.h>

/* Bits of a RAMFC word that are the same bits of a register. */
struct row {
    uint16_t offset;
    uint16_t reg;
    uint32_t mask;
};

/* Pairs that must stay equal, so that the channel has nothing to read. */
static uint32_t twin(uint32_t reg) {
    static const uint32_t pairs[][2] = {{DMA_PUT, DMA_GET}, {DMA_PUT_HIGH, DMA_GET_HIGH}};
    for (size_t i = 0; i < 2; i++)
        for (size_t j = 0; j < 2; j++)
            if (pairs[i][j] == reg)
                return pairs[i][1 - j];
    return 0;
}

static const struct row nv40_rows[] = {
    {0x00, DMA_PUT, 0xfffffffc},
    {0x04, DMA_GET, 0xfffffffc},
    {0x08, REF, ~0u},
    {0x0c, DMA_INSTANCE, 0xfffff},
    {0x10, DCOUNT, 0x1ffc},
    {0x14, DMA_STATE, 0x1ffffffd},
    {0x18, DMA_FETCH, 0x007fe0f8},
    {0x18, SLI_REG, 0x30000000},
    {0x18, DMA_FETCH, 0x80000000},
    {0x1c, ENGINE, ~0u},
    {0x20, PULL1, 0x3000f},
    {0x24, ACQUIRE_VALUE, ~0u},
    {0x28, ACQUIRE_TIMESTAMP, ~0u},
    {0x2c, ACQUIRE_TIMEOUT, ~0u},
    {0x30, SEMAPHORE, 0xfffffffd},
    {0x34, SUBROUTINE, 0xfffffffc},
    {0x38, 0x32e0, ~0u},
    {0x3c, TIMESLICE_DMA, 0x1ffff},
    {0x40, 0x32e4, ~0u},
    {0x44, 0x32e8, ~0u},
    {0x4c, 0x2088, ~0u},
    {0x50, 0x3300, 1},
    {0x54, 0x330c, ~0u},
    {0x58, 0x3310, ~0u},
    {0x5c, 0x3314, ~0u},
};

static const struct row g80_rows[] = {
    {0x00, IB_PUT, ~0u},
    {0x04, IB_GET, ~0u},
    {0x08, DMA_PUT, 0xfffffffc},
    {0x0c, DMA_PUT_HIGH, 0xff},
    {0x10, DMA_GET, 0xfffffffc},
    {0x14, DMA_GET_HIGH, 0xff},
    {0x18, MGET, 0xfffffffc},
    {0x1c, MGET_HIGH, 0x800000ff},
    {0x20, 0x3370, 0xff},
    {0x24, 0x3374, 0xff},
    {0x28, 0x3378, 0xff},
    {0x2c, 0x337c, 0x800000ff},
    {0x30, DMA_STATE, 0x7ffff},
    {0x34, METHOD_COUNT, 0xffffff},
    {0x38, DCOUNT, 0x1ffc},
    {0x3c, DMA_FETCH, 0x007fe0f8},
    {0x40, SUBROUTINE, 0xfffffffc},
    {0x44, TIMESLICE_DMA, 0x0101ffff},
    {0x48, DMA_INSTANCE, 0xffff},
    {0x4c, DMA_LIMIT, 0xfffffffc},
    {0x50, 0x3340, 0xfffffffc},
    {0x54, 0x3344, 0xffff00ff},
    {0x58, ENGINE, ~0u},
    {0x5c, PULL1, 0xf},
    {0x60, ACQUIRE_TIMEOUT, 0x7fffffff},
    {0x64, ACQUIRE_TIMESTAMP, ~0u},
    {0x68, ACQUIRE_VALUE, ~0u},
    {0x6c, SEMAPHORE, 0xffff7fff},
    {0x70, 0x32e4, ~0u},
    {0x74, REF, ~0u},
    {0x78, 0x2088, ~0u},
    {0x7c, SLI_REG, 0x30000fff},
    {0x80, RAMHT, 0x1f00ffff},
    /* G84 */
    {0x5c, PULL1, 0xaf},
    {0x88, 0x340c, ~0u},
    {0x8c, SEM_HIGH, 0xff},
    {0x90, SEM_LOW, 0xfffffffc},
    {0x94, SEM_SEQUENCE, ~0u},
    {0x98, 0x3410, 0x3fffffff},
    /* MCP89 */
    {0x9c, 0x3500, ~0u},
    {0xa0, 0x3504, ~0u},
};
#define G80_ROWS   33
#define MCP89_ROWS (sizeof g80_rows / sizeof g80_rows[0])
#define G84_ROWS   (MCP89_ROWS - 2)

static const struct row *rows_of(const char *chip, size_t *count) {
    if (strcmp(chip, "nv41") == 0) {
        *count = sizeof nv40_rows / sizeof nv40_rows[0];
        return nv40_rows;
    }
    *count = strcmp(chip, "g80") == 0 ? G80_ROWS : strcmp(chip, "g84") == 0 ? G84_ROWS : MCP89_ROWS;
    return g80_rows;
}

static struct rig *new_rig(const char *chip) {
    struct rig *rig = malloc(sizeof *rig);
    assert_non_null(rig);
    rig_start(rig, chip, false);
    rig_open(rig, 1);
    rig_open(rig, 2);
    return rig;
}

static void delete_rig(struct rig *rig) {
    rig_stop(rig);
    free(rig);
}

static uint32_t pattern(size_t row, uint32_t mask, int round) {
    uint32_t value = (uint32_t)(row + 1) * 0x9e3779b1u ^ 0x5a5a5a5a;
    return (round ? ~value : value) & mask;
}

static void check_save(const char *chip, const struct row *row, uint32_t value) {
    struct rig *rig = new_rig(chip);
    push(rig, 0);
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    uint32_t before = rd(rig, row->reg);
    wr(rig, row->reg, (before & ~row->mask) | value);
    if (twin(row->reg))
        wr(rig, twin(row->reg), value);
    push_to(rig, 2, 0);
    rig_submit(rig, 2);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    if (row->reg != IB_GET && row->reg != IB_PUT) /* these two make it a candidate again */
        assert_int_equal(current_channel(rig), 2);
    if ((ramfc_rd(rig, 1, row->offset) & row->mask) != value)
        fail_msg("%s: RAMFC +%#x is %#x and not %#x of register %#x", chip, row->offset, ramfc_rd(rig, 1, row->offset),
                 value, row->reg);
    delete_rig(rig);
}

/* Make channel 1 a candidate without giving it words to read. */
static void offer(struct rig *rig, const struct row *row) {
    if (!rig->tesla)
        wr(rig, PENDING, 1 << 1);
    else if (row->reg != IB_GET && row->reg != IB_PUT)
        ramfc_wr(rig, 1, 0x00, ramfc_rd(rig, 1, 0x04) + 1);
}

static void check_load(const char *chip, const struct row *row, uint32_t value) {
    struct rig *rig = new_rig(chip);
    push_to(rig, 2, 0);
    rig_submit(rig, 2);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    ramfc_wr(rig, 1, row->offset, (ramfc_rd(rig, 1, row->offset) & ~row->mask) | value);
    size_t count;
    const struct row *rows = rows_of(chip, &count);
    for (size_t i = 0; i < count; i++)
        if (rows[i].reg == twin(row->reg))
            ramfc_wr(rig, 1, rows[i].offset, value);
    offer(rig, row);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    assert_int_equal(current_channel(rig), 1);
    if ((rd(rig, row->reg) & row->mask) != value)
        fail_msg("%s: register %#x is %#x and not %#x of RAMFC +%#x", chip, row->reg, rd(rig, row->reg), value,
                 row->offset);
    delete_rig(rig);
}

static void every_word_of_ramfc_is_saved(void **state) {
    size_t count;
    const struct row *rows = rows_of(*state, &count);
    for (size_t i = 0; i < count; i++)
        for (int round = 0; round < 2; round++)
            check_save(*state, &rows[i], pattern(i, rows[i].mask, round));
}

static void every_word_of_ramfc_is_loaded(void **state) {
    size_t count;
    const struct row *rows = rows_of(*state, &count);
    for (size_t i = 0; i < count; i++)
        for (int round = 0; round < 2; round++)
            check_load(*state, &rows[i], pattern(i, rows[i].mask, round));
}

/* Registers that are per chip and not per channel. */
static void the_rest_is_not_touched(void **state) {
    static const uint32_t nv40[] = {RAMHT, 0x2220, 0x2040, INTR_EN, HASH, JMP_SHADOW, RSVD_SHADOW, DATA_SHADOW};
    static const uint32_t tesla[] = {0x2040, INTR_EN, HASH, JMP_SHADOW, RSVD_SHADOW, DATA_SHADOW, FIFO_ENDIAN};
    struct rig *rig = new_rig(*state);
    push(rig, 0);
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    uint32_t before[8];
    size_t count = rig->tesla ? 7 : 8;
    for (size_t i = 0; i < count; i++)
        before[i] = rd(rig, rig->tesla ? tesla[i] : nv40[i]);
    ramfc_wr(rig, 2, rig->tesla ? 0x04 : 0x08, 1);
    if (!rig->tesla)
        wr(rig, PENDING, 1 << 2);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    assert_int_equal(current_channel(rig), 2);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(rd(rig, rig->tesla ? tesla[i] : nv40[i]), before[i]);
    delete_rig(rig);
}

/* SLI.MASK belongs to the chip before G80, ENABLE and ACTIVE to the channel. */
static void sli_mask_of_nv40_is_global(void **state) {
    struct rig *rig = new_rig(*state);
    push(rig, 0);
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    wr(rig, SLI_REG, 0x20000abc);
    push_to(rig, 2, 0);
    rig_submit(rig, 2);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    assert_int_equal(rd(rig, SLI_REG), 0x30000abc);
    delete_rig(rig);
}

/* A load makes AT_INFO invalid: the next fetch reads the object. */
static void load_forgets_the_pushbuffer_object(void **state) {
    struct rig *rig = new_rig(*state);
    push(rig, 0);
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    assert_int_equal(rd(rig, DMA_CTL) >> 31, 1);
    wr(rig, PENDING, 1 << 2);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    assert_int_equal(current_channel(rig), 2);
    assert_int_equal(rd(rig, DMA_CTL) >> 31, 0);
    delete_rig(rig);
}

/* Drivers never set DMA_PUSH.ACCESS again after they took a channel away. */
static void load_switches_the_pusher_on(void **state) {
    struct rig *rig = new_rig(*state);
    push(rig, 0);
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    wr(rig, DMA_PUSH, 0);
    push_to(rig, 2, 0);
    rig_submit(rig, 2);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    assert_int_equal(rd(rig, DMA_PUSH) & 0x1001, 1);
    assert_int_equal(user_rd(rig, 2, USER_GET), 4);
    delete_rig(rig);
}

static void load_starts_the_timeslice(void **state) {
    struct rig *rig = new_rig(*state);
    ramfc_wr(rig, 1, rig->tesla ? 0x44 : 0x3c, rig->tesla ? 0x01001234 : 0x1234);
    push(rig, 0);
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    /* The word that was read has taken one off the timer of NV40; on Tesla the register stands. */
    assert_int_equal(rd(rig, TIMESLICE), rig->tesla ? 0x1234 : 0x1233);
    delete_rig(rig);
}

/* ---- place ---- */

/* Chips with register 0x2230: bit 0 set, the address is one of RAMIN; clear, of VRAM. Units of 64 KiB. */
static void ramfc_is_where_2220_and_2230_say(void **state) {
    struct rig *rig = malloc(sizeof *rig);
    assert_non_null(rig);
    rig_start(rig, *state, false);
    wr(rig, 0x2230, 1);
    rig_open(rig, 1);
    push(rig, INC(0, 0x50, 1), 0x1234);
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    assert_int_equal(rd(rig, REF), 0x1234);
    rig_open(rig, 2);
    for (uint32_t offset = 0; offset < 128; offset += 4)
        vram_wr(rig, 0x1230000 + 2 * 128 + offset, ramfc_rd(rig, 2, offset));
    wr(rig, 0x2230, 0);
    wr(rig, 0x2220, 0x00030123);
    push_to(rig, 2, 0, INC(0, 0x50, 1), 0x5678);
    rig_submit(rig, 2);
    assert_int_equal(vram_rd(rig, 0x1230000 + 2 * 128), 12);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    assert_int_equal(current_channel(rig), 2);
    assert_int_equal(rd(rig, REF), 0x5678);
    assert_int_equal(vram_rd(rig, 0x1230000 + 1 * 128 + 8), 0x1234); /* where channel 1 went */
    delete_rig(rig);
}

/* The others know RAMIN only. */
static void ramfc_of_nv40_is_in_ramin(void **state) {
    struct rig *rig = new_rig(*state);
    wr(rig, 0x2230, 0);
    push(rig, INC(0, 0x50, 1), 0x1234);
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    push_to(rig, 2, 0);
    rig_submit(rig, 2);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    assert_int_equal(ramfc_rd(rig, 1, 8), 0x1234);
    delete_rig(rig);
}

/* ---- entries in flight ---- */

/* Channel 1 leaves at a YIELD with three entries after it. */
static void leave_with_entries(struct rig *rig) {
    rig_object(rig, 1, 7, 1, 0x4097);
    rig_object(rig, 2, 7, 1, 0x4097);
    push(rig, INC(0, 0, 1), 7);
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    wr(rig, PULL0, 0);
    push(rig, INC(0, 0x80, 1), 0, INC(0, 0x200, 2), 1, 2, NONINC(0, 0x300, 1), 3);
    rig_submit(rig, 1);
    assert_int_equal(rig_run(rig), PFIFO_STOP_FROZEN);
    push_to(rig, 2, INC(1, 0, 1), 7, INC(1, 0x400, 1), 4);
    rig_submit(rig, 2);
    rig->logged = 0;
    wr(rig, PULL0, 1);
}

static void entries_in_flight_come_back_in_order(void **state) {
    struct rig *rig = new_rig(*state);
    leave_with_entries(rig);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    assert_int_equal(rig->logged, 5);
    static const uint32_t methods[] = {0, 0x400, 0x200, 0x204, 0x300}, data[] = {0, 4, 1, 2, 3};
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(rig->log[i].method, methods[i]);
        if (i)
            assert_int_equal(rig->log[i].data, data[i]);
    }
    assert_int_equal(current_channel(rig), 1);
    delete_rig(rig);
}

static void entries_in_flight_are_in_memory_on_tesla(void **state) {
    struct rig *rig = new_rig(*state);
    leave_with_entries(rig);
    assert_int_equal(rig_run_for(rig, 2), PFIFO_STOP_BUDGET);
    assert_int_equal(current_channel(rig), 2);
    uint32_t at = rig->descriptor_has_ramfc ? RIG_DESCRIPTOR(1) + 0x400 : RIG_CACHE(1);
    assert_int_equal(ramfc_rd(rig, 1, 0x84), 3);
    static const uint32_t words[] = {0x200, 1, 0x204, 2, 0x301, 3};
    for (uint32_t i = 0; i < 6; i++)
        assert_int_equal(vram_rd(rig, at + 4 * i), words[i]);
    while (current_channel(rig) == 2)
        assert_int_equal(rig_run_for(rig, 1), PFIFO_STOP_BUDGET);
    assert_int_equal(rd(rig, CACHE_GET), 4); /* [chosen] they come back at 0; one is executed by now */
    assert_int_equal(rd(rig, CACHE_PUT), 12);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    assert_int_equal(current_channel(rig), 1);
    assert_int_equal(rd(rig, CACHE_GET), rd(rig, CACHE_PUT));
    delete_rig(rig);
}

#define PLAIN(name, test)                                                                                              \
    { #test " [" name "]", test, NULL, NULL, (void *)(uintptr_t)(name) }

int main(void) {
    const struct CMUnitTest tests[] = {
        PLAIN("nv41", every_word_of_ramfc_is_saved),
        PLAIN("g80", every_word_of_ramfc_is_saved),
        PLAIN("g84", every_word_of_ramfc_is_saved),
        PLAIN("mcp89", every_word_of_ramfc_is_saved),
        PLAIN("nv41", every_word_of_ramfc_is_loaded),
        PLAIN("g80", every_word_of_ramfc_is_loaded),
        PLAIN("g84", every_word_of_ramfc_is_loaded),
        PLAIN("mcp89", every_word_of_ramfc_is_loaded),
        PLAIN("nv40", the_rest_is_not_touched),
        PLAIN("g80", the_rest_is_not_touched),
        PLAIN("g84", the_rest_is_not_touched),
        PLAIN("nv40", sli_mask_of_nv40_is_global),
        PLAIN("nv40", load_forgets_the_pushbuffer_object),
        PLAIN("nv40", load_switches_the_pusher_on),
        PLAIN("g84", load_switches_the_pusher_on),
        PLAIN("nv40", load_starts_the_timeslice),
        PLAIN("g80", load_starts_the_timeslice),
        PLAIN("nv44", ramfc_is_where_2220_and_2230_say),
        PLAIN("g70", ramfc_is_where_2220_and_2230_say),
        PLAIN("nv40", ramfc_of_nv40_is_in_ramin),
        PLAIN("nv40", entries_in_flight_come_back_in_order),
        PLAIN("g80", entries_in_flight_come_back_in_order),
        PLAIN("g84", entries_in_flight_come_back_in_order),
        PLAIN("g80", entries_in_flight_are_in_memory_on_tesla),
        PLAIN("g84", entries_in_flight_are_in_memory_on_tesla),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
