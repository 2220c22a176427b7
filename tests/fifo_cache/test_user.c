/* SPDX-License-Identifier: MIT */
/* USER areas: what user code sees and does, whether its channel is in CACHE1 or not. */
#include "rig.h"

/* Channel 1 in or out of CACHE1, with nothing left to do. */
static void bring_in(struct rig *rig, uint32_t channel) {
    push_to(rig, channel, 0);
    rig_submit(rig, channel);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    assert_int_equal(current_channel(rig), channel);
}

static void put_get_and_ref_are_the_same_in_and_out(void **state) {
    struct rig *rig = *state;
    rig_open(rig, 2);
    push(rig, INC(0, 0x50, 1), 0x1234, INC(0, 0x200, 0));
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    for (int round = 0; round < 2; round++) {
        assert_int_equal(user_rd(rig, 1, USER_PUT), 12);
        assert_int_equal(user_rd(rig, 1, USER_GET), 12);
        assert_int_equal(user_rd(rig, 1, USER_REF), 0x1234);
        assert_int_equal(user_rd(rig, 1, USER_CGET), 12);
        bring_in(rig, 2);
    }
}

static void cget_of_a_channel_that_is_out(void **state) {
    struct rig *rig = *state;
    rig_open(rig, 2);
    rig_poke(rig, 1, 0x3000, INC(0, 0x200, 0));
    push(rig, CALL(0x3000));
    user_wr(rig, 1, USER_PUT, 0x3004);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    for (int round = 0; round < 2; round++) {
        assert_int_equal(user_rd(rig, 1, USER_GET), 0x3004);
        assert_int_equal(user_rd(rig, 1, USER_CGET), 4);
        bring_in(rig, 2);
    }
}

static void put_has_no_lower_bits(void **state) {
    struct rig *rig = *state;
    rig_open(rig, 2);
    bring_in(rig, 1);
    wr(rig, PUSH0, 0);
    user_wr(rig, 1, USER_PUT, 0x1237);
    user_wr(rig, 2, USER_PUT, 0x4569);
    assert_int_equal(rd(rig, DMA_PUT), 0x1234);
    assert_int_equal(user_rd(rig, 2, USER_PUT), 0x4568);
    assert_int_equal(ramfc_rd(rig, 2, rig->tesla ? 0x08 : 0x00), 0x4568);
}

static void get_and_ref_cannot_be_written_before_g80(void **state) {
    struct rig *rig = *state;
    rig_open(rig, 2);
    bring_in(rig, 1);
    for (uint32_t channel = 1; channel <= 2; channel++) {
        uint32_t get = user_rd(rig, channel, USER_GET);
        user_wr(rig, channel, USER_GET, 0x1000);
        user_wr(rig, channel, USER_REF, 0x1000);
        assert_int_equal(user_rd(rig, channel, USER_GET), get);
        assert_int_equal(user_rd(rig, channel, USER_REF), 0);
    }
}

/* The area of NV4: eight subchannels, each with the control registers. */
static void old_area_of_nv40_shows_the_same(void **state) {
    struct rig *rig = *state;
    bring_in(rig, 1);
    push(rig, INC(0, 0x50, 1), 0x77);
    wr(rig, 0x800000 + 0x10000 + 3 * 0x2000 + USER_PUT, (uint32_t)rig->pushed[1]);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    for (uint32_t subchannel = 0; subchannel < 8; subchannel++) {
        assert_int_equal(rd(rig, 0x810000 + subchannel * 0x2000 + USER_GET), rig->pushed[1]);
        assert_int_equal(rd(rig, 0x810000 + subchannel * 0x2000 + USER_REF), 0x77);
    }
}

/* ---- pending ---- */

static void put_of_a_channel_that_is_out_makes_it_pending(void **state) {
    struct rig *rig = *state;
    rig_open(rig, 2);
    bring_in(rig, 1);
    assert_int_equal(rd(rig, PENDING), 0);
    wr(rig, CACHES, 0);
    push_to(rig, 2, 0);
    rig_submit(rig, 2);
    assert_int_equal(rd(rig, PENDING), 1 << 2);
    rig_run(rig);
    assert_int_equal(current_channel(rig), 1);
    wr(rig, CACHES, 1);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    assert_int_equal(current_channel(rig), 2);
    assert_int_equal(rd(rig, PENDING), 0);
}

static void put_that_equals_get_is_no_work(void **state) {
    struct rig *rig = *state;
    rig_open(rig, 2);
    bring_in(rig, 1);
    user_wr(rig, 2, USER_PUT, 0);
    assert_int_equal(rd(rig, PENDING), 0);
}

/* ---- 40-bit pointers of Tesla ---- */

enum { PUT_HIGH = 0x4c, USER_MGET = 0x58, USER_MGET_HIGH = 0x5c, GET_HIGH = 0x60 };

/* Pointers of channel 1 in registers and RAMFC. */
static void set_pointer(struct rig *rig, bool in, uint32_t reg, uint32_t ramfc, uint32_t value) {
    if (in)
        wr(rig, reg, value);
    else
        ramfc_wr(rig, 1, ramfc, value);
}

/* Reading the low half takes the high one along. */
static void low_read_latches_the_high_half(void **state) {
    struct rig *rig = *state;
    rig_open(rig, 2);
    bring_in(rig, 1);
    wr(rig, PUSH0, 0);
    for (int in = 1; in >= 0; in--) {
        static const struct {
            uint32_t low, high, reg, ramfc, shadow_reg, shadow_ramfc;
        } rows[] = {{USER_PUT, PUT_HIGH, DMA_PUT_HIGH, 0x0c, 0x3374, 0x24},
                    {USER_GET, GET_HIGH, DMA_GET_HIGH, 0x14, 0x3370, 0x20},
                    {USER_MGET, USER_MGET_HIGH, MGET_HIGH, 0x1c, 0x337c, 0x2c}};
        for (size_t i = 0; i < 3; i++) {
            set_pointer(rig, in, rows[i].reg, rows[i].ramfc, 0x12);
            user_rd(rig, 1, rows[i].low);
            set_pointer(rig, in, rows[i].reg, rows[i].ramfc, 0x34);
            assert_int_equal(user_rd(rig, 1, rows[i].high), 0x12);
            user_rd(rig, 1, rows[i].low);
            assert_int_equal(user_rd(rig, 1, rows[i].high), 0x34);
            assert_int_equal(in ? rd(rig, rows[i].shadow_reg) : ramfc_rd(rig, 1, rows[i].shadow_ramfc), 0x34);
            set_pointer(rig, in, rows[i].reg, rows[i].ramfc, 0);
        }
        wr(rig, PUSH0, 1);
        bring_in(rig, 2);
    }
}

/* Writing the high half waits for the low one. */
static void high_half_of_put_takes_effect_with_the_low_one(void **state) {
    struct rig *rig = *state;
    rig_open(rig, 2);
    bring_in(rig, 1);
    wr(rig, PUSH0, 0);
    for (uint32_t channel = 1; channel <= 2; channel++) {
        bool in = channel == 1;
        user_wr(rig, channel, PUT_HIGH, 0xffffff56);
        assert_int_equal(in ? rd(rig, DMA_PUT_HIGH) : ramfc_rd(rig, channel, 0x0c), 0);
        assert_int_equal(in ? rd(rig, 0x3378) : ramfc_rd(rig, channel, 0x28), 0x56);
        assert_int_equal(user_rd(rig, channel, PUT_HIGH), 0);
        user_wr(rig, channel, USER_PUT, 0x1000);
        assert_int_equal(in ? rd(rig, DMA_PUT_HIGH) : ramfc_rd(rig, channel, 0x0c), 0x56);
        assert_int_equal(user_rd(rig, channel, USER_PUT), 0x1000);
        assert_int_equal(user_rd(rig, channel, PUT_HIGH), 0x56);
    }
}

static void ib_pointers_are_the_same_in_and_out(void **state) {
    struct rig *rig = *state;
    rig_open_ib(rig, 1, 3);
    rig_open(rig, 2);
    for (int i = 0; i < 3; i++) {
        push(rig, 0);
        rig_segment(rig, 1, SEGMENT(rig->pushed[1] - 4, 1));
    }
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    for (int round = 0; round < 2; round++) {
        assert_int_equal(user_rd(rig, 1, USER_IB_PUT), 3);
        assert_int_equal(user_rd(rig, 1, USER_IB_GET), 3);
        user_wr(rig, 1, USER_IB_GET, 1);
        assert_int_equal(user_rd(rig, 1, USER_IB_GET), 3);
        bring_in(rig, 2);
    }
    user_wr(rig, 1, USER_PUT, 0x100); /* ignored in IB mode, also out of CACHE1 */
    assert_int_equal(ramfc_rd(rig, 1, 0x08), 12);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
}

/* [chosen] the struct of the class has these two, and nobody says what they do. */
static void set_reference_sets_ref(void **state) {
    struct rig *rig = *state;
    rig_open(rig, 2);
    bring_in(rig, 1);
    user_wr(rig, 1, 0x50, 5);
    user_wr(rig, 2, 0x50, 6);
    assert_int_equal(rd(rig, REF), 5);
    assert_int_equal(ramfc_rd(rig, 2, 0x74), 6);
}

static void yield_by_user_is_for_its_own_channel(void **state) {
    struct rig *rig = *state;
    rig_open(rig, 2);
    bring_in(rig, 1);
    push(rig, 0, 0, 0, 0);
    push_to(rig, 2, 0, 0, 0, 0);
    rig_submit(rig, 1);
    rig_submit(rig, 2);
    user_wr(rig, 2, 0x80, 0);
    assert_int_equal(rig_run_for(rig, 1), PFIFO_STOP_BUDGET);
    assert_int_equal(current_channel(rig), 1);
    user_wr(rig, 1, 0x80, 0);
    user_wr(rig, 2, 0x80, 0);
    assert_int_equal(rig_run_for(rig, 1), PFIFO_STOP_BUDGET);
    assert_int_equal(current_channel(rig), 2);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
}

static void channel_that_does_not_exist_reads_0_and_swallows(void **state) {
    struct rig *rig = *state;
    vram_wr(rig, 0, 0x11111111);
    for (uint32_t offset = 0; offset < 0x100; offset += 4) {
        user_wr(rig, 77, offset, ~0u);
        assert_int_equal(user_rd(rig, 77, offset), 0);
    }
    assert_int_equal(vram_rd(rig, 0), 0x11111111);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ON_ALL(put_get_and_ref_are_the_same_in_and_out),
        ON_ALL(cget_of_a_channel_that_is_out),
        ON_ALL(put_has_no_lower_bits),
        ON_NV40(get_and_ref_cannot_be_written_before_g80),
        ON_NV40(old_area_of_nv40_shows_the_same),
        ON_NV40(put_of_a_channel_that_is_out_makes_it_pending),
        ON_NV40(put_that_equals_get_is_no_work),
        ON_TESLA(low_read_latches_the_high_half),
        ON_TESLA(high_half_of_put_takes_effect_with_the_low_one),
        ON_TESLA(ib_pointers_are_the_same_in_and_out),
        ON_TESLA(set_reference_sets_ref),
        ON_TESLA(yield_by_user_is_for_its_own_channel),
        ON_TESLA(channel_that_does_not_exist_reads_0_and_swallows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
