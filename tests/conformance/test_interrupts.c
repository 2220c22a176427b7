/* SPDX-License-Identifier: MIT */
/*
 * PFIFO's interrupts and the way to the host, its switch in PMC, and byte order.
 *
 * Sources: envytools docs/hw/bus/pmc.rst, docs/hw/fifo/nv1-pfifo.rst, rnndb/fifo/nv4_pfifo.xml; Linux riva nv4ref.h
 */
#include "rig.h"

/* ---- latches ---- */

static void raise_runout(struct rig *rig) {
    write_bytes(rig, user_at(0, 0x300), 0, 1);
}

/* A miss in CACHE1. */
static void raise_cache_error(struct rig *rig) {
    rig_inject(rig, 0, 0, 0xbad);
    wr(rig, rig->c1.pull0, 1);
    rig_run(rig);
}

static void bits_stay_until_each_is_acknowledged(void **state) {
    struct rig *rig = *state;
    raise_runout(rig);
    raise_cache_error(rig);
    expect_reg(rig, INTR, I_RUNOUT | I_CACHE_ERROR);
    wr(rig, INTR, 0);
    expect_reg(rig, INTR, I_RUNOUT | I_CACHE_ERROR);
    wr(rig, INTR, ~(uint32_t)(I_RUNOUT | I_CACHE_ERROR));
    expect_reg(rig, INTR, I_RUNOUT | I_CACHE_ERROR);
    wr(rig, INTR, I_RUNOUT);
    expect_reg(rig, INTR, I_CACHE_ERROR);
    expect_reg(rig, DEBUG_0, 0x10);
    wr(rig, INTR, I_CACHE_ERROR);
    expect_reg(rig, INTR, 0);
    expect_reg(rig, DEBUG_0, 0);
    rig_run(rig);
    expect_reg(rig, INTR, 0); /* an event, no level */
    expect_reg(rig, RUNOUT_STATUS, 1);
}

static void expect_line(struct rig *rig, bool pfifo, bool inta) {
    assert_int_equal(rd(rig, PMC_INTR) >> 8 & 1, pfifo);
    if (rig->nv4 || rig->nv3 || rig->nv1)
        expect_reg(rig, PMC_LINE, !inta); /* 0 while asserted */
    assert_int_equal(rig->bus.line, inta);
}

static void the_line_is_what_is_set_and_enabled(void **state) {
    struct rig *rig = *state;
    wr(rig, INTR_EN, 0);
    raise_runout(rig);
    raise_cache_error(rig);
    expect_reg(rig, INTR, I_RUNOUT | I_CACHE_ERROR); /* masked, and set all the same */
    expect_line(rig, false, false);
    for (uint32_t bit = 0; bit < 32; bit++) {
        wr(rig, INTR_EN, 1u << bit);
        expect_line(rig, bit == 0 || bit == 4, bit == 0 || bit == 4);
    }
    wr(rig, INTR_EN, ~0u);
    wr(rig, PMC_INTR_EN, 0);
    expect_line(rig, true, false);
    wr(rig, PMC_INTR_EN, 2); /* the software interrupt's */
    expect_line(rig, true, false);
    wr(rig, PMC_INTR_EN, 1);
    expect_line(rig, true, true);
    wr(rig, PMC_INTR, 0x100); /* read only there */
    expect_line(rig, true, true);
    wr(rig, INTR, I_RUNOUT);
    expect_line(rig, true, true);
    wr(rig, INTR, I_CACHE_ERROR);
    expect_line(rig, false, false);
}

static void the_pullers_have_a_bit_each_in_the_error_register(void **state) {
    struct rig *rig = *state;
    raise_cache_error(rig);
    expect_reg(rig, DEBUG_0, 0x10);
    wr(rig, rig->c0.entry, METHOD(0, 0));
    wr(rig, rig->c0.entry + 4, 0xbad);
    wr(rig, rig->c0.put, 4);
    wr(rig, rig->c0.pull0, 1);
    rig_run(rig);
    expect_reg(rig, DEBUG_0, 0x11);
    wr(rig, INTR, I_CACHE_ERROR);
    expect_reg(rig, DEBUG_0, 0);
}

/* ---- the switch of the unit ---- */

static void the_power_on_state_of_pmc_enable(void **state) {
    struct rig *rig = *state;
    expect_reg(rig, PMC_ENABLE, 0x01100000);
    wr(rig, DELAY_0, 0xff);
    expect_reg(rig, DELAY_0, 0);
    expect_reg(rig, RAMHT, 0);
}

static void a_disabled_pfifo_is_gone_and_comes_back_reset(void **state) {
    struct rig *rig = *state;
    wr(rig, RUNOUT_PUT, 0x40);
    wr(rig, ENGINE, 0x11111111);
    wr(rig, rig->c1.put, 0x10);
    raise_runout(rig);
    wr(rig, PMC_ENABLE, ~0x100u);
    for (uint32_t offset = 0x2000; offset < 0x4000; offset += 4) {
        wr(rig, offset, ~0u);
        expect_reg(rig, offset, 0);
    }
    assert_int_equal(rd(rig, PMC_INTR) & 0x100, 0);
    expect_reg(rig, PMC_LINE, 1);
    wr(rig, PMC_ENABLE, ~0u);
    const struct {
        uint32_t offset, value;
    } reset[] = {{DELAY_0, 0},
                 {DMA_TIMESLICE, 0x01000000},
                 {PIO_TIMESLICE, 0x01000000},
                 {RAMHT, 0x100},
                 {RAMRO, 0x112},
                 {INTR, 0},
                 {INTR_EN, 0},
                 {CACHES, 0},
                 {MODE, 0},
                 {PENDING, 0},
                 {PUSH0, 0},
                 {rig->c1.pull0, 0},
                 {C0_PUSH0, 0},
                 {rig->c0.pull0, 0},
                 {DMA_FETCH, 0x6078},
                 {DMA_CTL, 0x80000000},
                 {RUNOUT_PUT, 0},
                 {ENGINE, 0},
                 {rig->c1.put, 0},
                 {RUNOUT_STATUS, 0x10}};
    for (size_t i = 0; i < COUNT_OF(reset); i++)
        expect_reg(rig, reset[i].offset, reset[i].value);
}

/* ---- byte order ---- */

static uint32_t swapped(uint32_t value) {
    return value >> 24 | (value >> 8 & 0xff00) | (value << 8 & 0xff0000) | value << 24;
}

static void without_the_endian_switch_pmc_has_nothing_there(void **state) {
    struct rig *rig = *state;
    expect_reg(rig, PMC_ENDIAN, 0);
    wr(rig, PMC_ENDIAN, 0x01000001);
    expect_reg(rig, PMC_ENDIAN, 0);
    wr(rig, DELAY_0, 0x7f);
    expect_reg(rig, DELAY_0, 0x7f);
}

/* The host's view of BAR0 turns around; what the chip itself reads in RAMIN does not. */
static void the_endian_switch_swaps_what_the_host_sees(void **state) {
    struct rig *rig = *state;
    expect_reg(rig, PMC_ENDIAN, 0);
    wr(rig, PMC_ENDIAN, 1); /* bit 24 counts */
    expect_reg(rig, PMC_ENDIAN, 0);
    wr(rig, PMC_ENDIAN, 0x01000001);
    expect_reg(rig, PMC_ENDIAN, 0x01000001);
    wr(rig, HASH, swapped(0x1234));
    expect_reg(rig, HASH, swapped(0x1234));
    wr(rig, 0x700000 + rig->ramro, swapped(0x11223344)); /* the window of RAMIN */
    assert_int_equal(ramin_rd(rig, rig->ramro), 0x11223344);
    /* USER, as well; RAMHT is read as ever. */
    uint32_t instance = rig_object(rig, 3, 0x10203040, 1, 0x62);
    user_wr(rig, 3, METHOD(2, 0), swapped(0x10203040));
    rig_run(rig);
    expect_methods(rig, {2, 0, instance});
    wr(rig, PMC_ENDIAN, swapped(0x00ffffff));
    expect_reg(rig, PMC_ENDIAN, 0x01000001);
    wr(rig, PMC_ENDIAN, 0x01000001); /* the same in either order */
    expect_reg(rig, PMC_ENDIAN, 0);
    expect_reg(rig, HASH, (instance | (rig->nv40 ? 1u << 24 : 1u << 16)));
}

/* The pushbuffer of one channel in big-endian order, which PMC has nothing to do with. */
static void a_big_endian_channel(void **state) {
    struct rig *rig = *state;
    uint32_t instance = rig_object(rig, 1, 0xbeef0001, 1, 0x62);
    uint32_t fetch = rig->nv40 ? 0x18 : 0x14;
    rig_open(rig, 1);
    rig_open(rig, 2);
    ramfc_wr(rig, 1, fetch, ramfc_rd(rig, 1, fetch) | 1u << 31);
    const uint32_t words[] = {INC(0, 0, 1), 0xbeef0001, INC(0, 0x300, 2), 0x11223344, 1, JUMP(0x8000)};
    for (size_t i = 0; i < COUNT_OF(words); i++)
        push(rig, swapped(words[i]));
    system_wr(rig, (1 << 20) + 0x8000, swapped(INC(0, 0x308, 1)));
    system_wr(rig, (1 << 20) + 0x8004, swapped(3));
    rig->pushed[1] = 0x8008;
    for (unsigned turn = 0; turn < 2; turn++) {
        if (turn)
            ramfc_wr(rig, 1, 4, 8); /* the second time after a switch away and back */
        assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
        assert_int_equal(rd(rig, DMA_FETCH) >> 31, 1);
        if (turn == 0)
            expect_methods(rig, {0, 0, instance}, {0, 0x300, 0x11223344}, {0, 0x304, 1}, {0, 0x308, 3});
        else
            expect_methods(rig, {0, 0x300, 0x11223344}, {0, 0x304, 1}, {0, 0x308, 3});
        push_to(rig, 2, 0); /* little-endian again */
        rig_submit(rig, 2);
        rig_run(rig);
        assert_int_equal(current_channel(rig), 2);
        assert_int_equal(rd(rig, DMA_FETCH) >> 31, 0);
        assert_int_equal(ramfc_rd(rig, 1, fetch) >> 31, 1);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ON_ALL(bits_stay_until_each_is_acknowledged),
        ON_ALL(the_line_is_what_is_set_and_enabled),
        ON_ALL(the_pullers_have_a_bit_each_in_the_error_register),
        BARE("NV4", the_power_on_state_of_pmc_enable),
        BARE("NV10", the_power_on_state_of_pmc_enable),
        BARE("NV20", the_power_on_state_of_pmc_enable),
        BARE("NV40", the_power_on_state_of_pmc_enable),
        FROM_NV4(a_disabled_pfifo_is_gone_and_comes_back_reset),
        ON_OLD(without_the_endian_switch_pmc_has_nothing_there),
        NV4_TO_NV1A(without_the_endian_switch_pmc_has_nothing_there),
        FROM_NV1A(the_endian_switch_swaps_what_the_host_sees),
        FROM_NV1A(a_big_endian_channel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
