/* SPDX-License-Identifier: MIT */
/*
 * PIO is safe with one channel and racy with more: what goes wrong, so that drivers can be seen to handle it.
 *
 * Sources: envytools docs/hw/fifo/intro.rst, hwtest/pfifo.cc; the PFIFO page of the pscnv wiki
 */
#include "rig.h"

/* What an application reads as free before it is in the cache. */
static uint32_t promise(const struct rig *rig) {
    return on(rig, "NV3T") ? 0xfc : 0x7c;
}

static uint32_t refused(uint32_t channel, uint32_t method, uint32_t reason) {
    return channel << 16 | method | reason << 28;
}

/* An object for channels 2 and 3, so that commands can be executed: handle 0x80000000 + 0x10 * channel. */
static void two_channels(struct rig *rig) {
    for (uint32_t channel = 2; channel <= 3; channel++) {
        if (rig->nv4)
            rig_object(rig, channel, 0x80000000 + 0x10 * channel, 1, 0x42);
        else
            rig_old_object(rig, channel, 0x80000000 + 0x10 * channel, 0x42, 0x100);
    }
}

static void a_free_count_says_nothing_about_what_other_channels_do_next(void **state) {
    struct rig *rig = *state;
    two_channels(rig);
    wr(rig, rig->c1.pull0, 0);
    expect_reg(rig, user_at(2, USER_FREE), promise(rig));
    user_wr(rig, 3, 0, 0x80000030);
    user_wr(rig, 2, 0, 0x80000020); /* within the count, and refused */
    expect_runout(rig, 0, refused(2, 0, NO_CACHE), 0x80000020);
    expect_reg(rig, INTR, I_RUNOUT);
    expect_reg(rig, rig->c1.status, 0); /* no latch */
    /* The driver: lets the cache run empty, takes the command out of RAMRO, and gives it again. */
    wr(rig, rig->c1.pull0, 1);
    rig_run(rig);
    wr(rig, RUNOUT_GET, rd(rig, RUNOUT_GET) + 8);
    wr(rig, INTR, I_RUNOUT);
    user_wr(rig, 2, 0, 0x80000020);
    rig_run(rig);
    expect_reg(rig, INTR, 0);
    assert_int_equal(rig->logged, 2);
    assert_int_equal(rig->log_channel[0], 3);
    assert_int_equal(rig->log_channel[1], 2);
}

/* Until RAMRO is drained no channel gets into the cache, so that its later commands do not overtake. */
static void refused_commands_of_another_channel_keep_their_order(void **state) {
    struct rig *rig = *state;
    two_channels(rig);
    wr(rig, rig->c1.pull0, 0);
    user_wr(rig, 3, 0, 0x80000030);
    user_wr(rig, 2, 0, 0x80000020);
    wr(rig, rig->c1.pull0, 1);
    rig_run(rig);
    expect_reg(rig, rig->c1.status, 0x10);
    user_wr(rig, 2, 0x200, 1);
    expect_runout(rig, 8, refused(2, 0x200, NO_CACHE), 1);
    assert_int_equal(current_channel(rig), 3);
    user_wr(rig, 3, 0x204, 2); /* the channel in the cache goes on */
    rig_run(rig);
    assert_int_equal(rig->logged, 2);
    expect_reg(rig, RUNOUT_PUT, 16);
}

/* For the channel in the cache the latch does that, although there is room again. */
static void refused_commands_of_the_current_channel_keep_their_order(void **state) {
    struct rig *rig = *state;
    two_channels(rig);
    user_wr(rig, 3, 0, 0x80000030);
    rig_run(rig);
    rig->logged = 0;
    wr(rig, rig->c1.pull0, 0);
    uint32_t room = rig->nv4 ? rig->c1.entries : rig->c1.entries - 1;
    for (uint32_t i = 0; i < room + 2; i++)
        user_wr(rig, 3, 0x200, i);
    expect_runout(rig, 0, refused(3, 0x200, OVERRUN), room);
    expect_runout(rig, 8, refused(3, 0x200, RAN_OUT), room + 1);
    wr(rig, rig->c1.pull0, 1);
    rig_run(rig);
    assert_int_equal(rig->logged, room);
    user_wr(rig, 3, 0x200, room + 2);
    expect_runout(rig, 16, refused(3, 0x200, RAN_OUT), room + 2);
    wr(rig, RUNOUT_GET, rd(rig, RUNOUT_PUT));
    user_wr(rig, 3, 0x200, 99);
    rig_run(rig);
    assert_int_equal(rig->logged, room + 1);
}

static void the_free_count_does_not_look_at_reassign(void **state) {
    struct rig *rig = *state;
    wr(rig, rig->c1.push1, 3);
    wr(rig, CACHES, 0);
    for (uint32_t channel = 0; channel < rig->channels; channel++)
        expect_reg(rig, user_at(channel, USER_FREE), channel == 3 && on(rig, "NV3T") ? 0xfc : promise(rig));
    user_wr(rig, 2, 0x200, 7);
    expect_runout(rig, 0, refused(2, 0x200, NO_CACHE), 7);
}

static void a_full_ramro_loses_commands(void **state) {
    struct rig *rig = *state;
    uint32_t entries = rig->nv1 ? 0x800 / 8 : 0x200 / 8;
    wr(rig, PUSH0, 0);
    for (uint32_t i = 0; i < entries - 1; i++)
        user_wr(rig, 2, 0x200, i);
    expect_reg(rig, INTR, I_RUNOUT);
    expect_reg(rig, RUNOUT_STATUS, 0x101);
    uint32_t last = rd(rig, RUNOUT_PUT);
    ramro_wr(rig, last, 0x1234);
    ramro_wr(rig, last + 4, 0x5678);
    user_wr(rig, 2, 0x200, entries - 1);
    expect_reg(rig, INTR, I_RUNOUT | I_OVERFLOW);
    expect_reg(rig, RUNOUT_PUT, last);
    expect_runout(rig, last, 0x1234, 0x5678);
    for (uint32_t i = 0; i < entries - 1; i++)
        expect_runout(rig, 8 * i, refused(2, 0x200, NO_CACHE), i);
}

/* Each keeps to the count that it read while CACHE1 was empty. Gives how many entries RAMRO got. */
static uint32_t applications(struct rig *rig, uint32_t count) {
    wr(rig, rig->c1.pull0, 0);
    wr(rig, RUNOUT_GET, 0);
    wr(rig, RUNOUT_PUT, 0);
    wr(rig, INTR, ~0u);
    wr(rig, rig->c1.get, rd(rig, rig->c1.put));
    for (uint32_t channel = 1; channel <= count; channel++)
        expect_reg(rig, user_at(channel, USER_FREE), 0x7c);
    for (uint32_t channel = 1; channel <= count; channel++)
        for (uint32_t i = 0; i < 0x7c / 4; i++)
            user_wr(rig, channel, 0x300, channel << 8 | i);
    assert_int_equal(current_channel(rig), 1);
    return rd(rig, RUNOUT_PUT) / 8;
}

static void three_applications_with_one_count_fit_and_four_overflow(void **state) {
    struct rig *rig = *state;
    assert_int_equal(applications(rig, 3), 62);
    expect_reg(rig, INTR, I_RUNOUT);
    for (uint32_t i = 0; i < 62; i++) {
        uint32_t channel = 2 + i / 31;
        expect_runout(rig, 8 * i, refused(channel, 0x300, NO_CACHE), channel << 8 | i % 31);
    }
    assert_int_equal(applications(rig, 4), 63);
    expect_reg(rig, INTR, I_RUNOUT | I_OVERFLOW);
    expect_runout(rig, 8 * 62, refused(4, 0x300, NO_CACHE), 4 << 8);
}

/* The driver may not leave an instance behind that was found before it paused the puller. */
static void after_a_pause_a_handle_is_looked_up_again(void **state) {
    struct rig *rig = *state;
    uint32_t first = rig_object(rig, 3, 0x1000, 1, 0x42), second;
    user_wr(rig, 3, 0, 0x1000);
    rig_run(rig);
    expect_methods(rig, {0, 0, first});
    uint32_t valid = rig->nv40 ? 1u << 24 : 1u << 16;
    expect_reg(rig, HASH, first | valid);
    rig->engine[1].refuse = true;
    user_wr(rig, 3, 0x180, 0x1000);
    rig_run(rig);
    expect_no_methods(rig);
    wr(rig, CACHES, 0);
    wr(rig, rig->c1.pull0, 0);
    assert_int_equal(rd(rig, rig->c1.pull0) & 0x1000, 0); /* HASH_BUSY */
    wr(rig, HASH, 0);
    expect_reg(rig, HASH, 0);
    second = rig_instance(rig, (const uint32_t[]){0x43, 0, 0, 0}, 4);
    rig_handle(rig, 3, 0x1000, 1, second);
    rig->engine[1].refuse = false;
    wr(rig, rig->c1.pull0, 1);
    wr(rig, CACHES, 1);
    rig_run(rig);
    expect_methods(rig, {0, 0x180, second});
    expect_reg(rig, HASH, second | valid);
}

static void a_lie_may_be_forgotten_between_the_count_and_the_write(void **state) {
    struct rig *rig = *state;
    wr(rig, rig->c1.pull0, 0);
    wr(rig, CONFIG_0, 3);
    wr(rig, rig->c1.ctx + 16 * 4, 1u << 24);
    wr(rig, rig->c1.pull1, 4);
    wr(rig, rig->c1.put, gray_pointer(rig, 31));
    expect_reg(rig, user_at(0, USER_FREE), 0x3fc);
    wr(rig, rig->c1.pull1, 5); /* the puller is on another subchannel now */
    user_wr(rig, 0, METHOD(4, 0x300), 1);
    expect_runout(rig, 0, METHOD(4, 0x300) | (uint32_t)OVERRUN << 28, 1);
    wr(rig, RUNOUT_GET, 8);
    wr(rig, rig->c1.pull1, 4);
    user_wr(rig, 0, METHOD(4, 0x300), 2);
    expect_runout(rig, 8, METHOD(4, 0x300) | (uint32_t)LYING << 28, 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ON_ALL(a_free_count_says_nothing_about_what_other_channels_do_next),
        ON_ALL(refused_commands_of_another_channel_keep_their_order),
        ON_ALL(refused_commands_of_the_current_channel_keep_their_order),
        ON_ALL(the_free_count_does_not_look_at_reassign),
        ON_ALL(a_full_ramro_loses_commands),
        ON("NV3", three_applications_with_one_count_fit_and_four_overflow),
        FROM_NV4(three_applications_with_one_count_fit_and_four_overflow),
        FROM_NV4(after_a_pause_a_handle_is_looked_up_again),
        ON_NV1(a_lie_may_be_forgotten_between_the_count_and_the_write),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
