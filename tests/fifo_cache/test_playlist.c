/* SPDX-License-Identifier: MIT */
/* Playlist, channel table, kick and freeze of G80 .. MCP89. */
#include "rig.h"

#define IDLE_CHANNEL 127

static void work(struct rig *rig, uint32_t channel, uint32_t words) {
    for (uint32_t i = 0; i < words; i++)
        push_to(rig, channel, 0);
    rig_submit(rig, channel);
}

static void bring_in(struct rig *rig, uint32_t channel) {
    work(rig, channel, 1);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    assert_int_equal(current_channel(rig), channel);
}

static void channel_that_is_not_on_the_playlist_does_not_run(void **state) {
    struct rig *rig = *state;
    rig_open(rig, 2);
    rig_playlist(rig, (const uint32_t[]){2}, 1);
    work(rig, 1, 3);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    assert_int_equal(user_rd(rig, 1, USER_GET), 0);
    rig_playlist(rig, (const uint32_t[]){2, 1}, 2);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    assert_int_equal(user_rd(rig, 1, USER_GET), 12);
}

static void channel_that_is_not_enabled_does_not_run(void **state) {
    struct rig *rig = *state;
    uint32_t entry = rd(rig, CHAN_TABLE + 4);
    wr(rig, CHAN_TABLE + 4, entry & ~(1u << 31));
    work(rig, 1, 3);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    assert_int_equal(user_rd(rig, 1, USER_GET), 0);
    wr(rig, CHAN_TABLE + 4, entry);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    assert_int_equal(user_rd(rig, 1, USER_GET), 12);
}

/* 0 is for PIO, 127 is where CACHE1 rests. */
static void channels_0_and_127_are_never_chosen(void **state) {
    struct rig *rig = *state;
    for (uint32_t channel = 0; channel <= 127; channel += 127)
        wr(rig, CHAN_TABLE + 4 * channel, rd(rig, CHAN_TABLE + 4));
    ramfc_wr(rig, 1, 0x08, 4);
    rig_playlist(rig, (const uint32_t[]){0, 127}, 2);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    assert_int_equal(current_channel(rig), IDLE_CHANNEL);
    assert_int_equal(ramfc_rd(rig, 1, 0x10), 0);
}

static void playlist_is_taken_with_its_length(void **state) {
    struct rig *rig = *state;
    rig_open(rig, 2);
    bring_in(rig, 1);
    vram_wr(rig, RIG_PLAYLIST + 0x1000, 2);
    wr(rig, PLAYLIST, (RIG_PLAYLIST + 0x1000) >> 12);
    work(rig, 1, 1);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE); /* the old list is still the list */
    assert_int_equal(user_rd(rig, 1, USER_GET), 8);
    wr(rig, PLAYLIST_LENGTH, 1);
    work(rig, 1, 1);
    work(rig, 2, 1);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    assert_int_equal(user_rd(rig, 1, USER_GET), 8);
    assert_int_equal(user_rd(rig, 2, USER_GET), 4);
}

static void playlist_may_be_in_system_memory(void **state) {
    struct rig *rig = *state;
    system_wr(rig, 0xa000, 1);
    wr(rig, PLAYLIST, 2u << 28 | 0xa);
    wr(rig, PLAYLIST_LENGTH, 1);
    vram_wr(rig, RIG_PLAYLIST, 9);
    bring_in(rig, 1);
}

/* Its state goes to RAMFC at once; nothing of it is lost. */
static void removal_unloads_the_running_channel(void **state) {
    struct rig *rig = *state;
    bring_in(rig, 1);
    wr(rig, REF, 0x1234);
    work(rig, 1, 3);
    assert_int_equal(rig_run_for(rig, 1), PFIFO_STOP_BUDGET);
    rig_playlist(rig, NULL, 0);
    assert_int_equal(current_channel(rig), IDLE_CHANNEL);
    assert_int_equal(rd(rig, 0x32f0), IDLE_CHANNEL);
    assert_int_equal(ramfc_rd(rig, 1, 0x74), 0x1234);
    assert_int_equal(user_rd(rig, 1, USER_GET), 8);
    assert_int_equal(user_rd(rig, 1, USER_PUT), 16);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    assert_int_equal(user_rd(rig, 1, USER_GET), 8);
    rig_playlist(rig, (const uint32_t[]){1}, 1);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    assert_int_equal(user_rd(rig, 1, USER_GET), 16);
    assert_int_equal(rd(rig, REF), 0x1234);
}

/* The driver's way: clear ENABLE, publish the list without it, then forget the entry. */
static void disabled_channel_is_unloaded_with_the_next_playlist(void **state) {
    struct rig *rig = *state;
    rig_open(rig, 2);
    bring_in(rig, 1);
    wr(rig, CHAN_TABLE + 4, rd(rig, CHAN_TABLE + 4) & ~(1u << 31));
    rig_playlist(rig, (const uint32_t[]){2}, 1);
    assert_int_equal(current_channel(rig), IDLE_CHANNEL);
    assert_int_equal(ramfc_rd(rig, 1, 0x10), 4);
    wr(rig, CHAN_TABLE + 4, 0);
    assert_int_equal(user_rd(rig, 1, USER_GET), 0);
    bring_in(rig, 2);
}

/* Publishing a list with the running channel does not disturb it. */
static void running_channel_stays_through_a_new_playlist(void **state) {
    struct rig *rig = *state;
    bring_in(rig, 1);
    rig_open(rig, 2);
    assert_int_equal(current_channel(rig), 1);
}

static void kick_takes_the_channel_of_that_descriptor_off(void **state) {
    struct rig *rig = *state;
    rig_open(rig, 2);
    bring_in(rig, 1);
    wr(rig, KICK, RIG_DESCRIPTOR(2) >> 12);
    assert_int_equal(current_channel(rig), 1);
    wr(rig, REF, 99);
    wr(rig, KICK, RIG_DESCRIPTOR(1) >> 12);
    assert_int_not_equal(rd(rig, KICK), ~0u);
    assert_int_equal(current_channel(rig), IDLE_CHANNEL);
    assert_int_equal(ramfc_rd(rig, 1, 0x74), 99);
}

/* Another channel was made in between. */
static void kick_works_after_a_write_to_the_channel_table(void **state) {
    struct rig *rig = *state;
    bring_in(rig, 1);
    wr(rig, CHAN_TABLE + 4 * 5, 0);
    wr(rig, KICK, RIG_DESCRIPTOR(1) >> 12);
    assert_int_equal(current_channel(rig), IDLE_CHANNEL);
    assert_int_equal(ramfc_rd(rig, 1, 0x10), 4);
}

static void engine_idle_shows_busy_engines(void **state) {
    struct rig *rig = *state;
    bring_in(rig, 1);
    assert_int_equal(rd(rig, 0x251c), 0x3f);
    rig->engine[2].busy = true;
    assert_int_equal(rd(rig, 0x251c), 0x3d);
}

static void frozen_pfifo_does_nothing_and_shows_everything(void **state) {
    struct rig *rig = *state;
    rig_open(rig, 2);
    bring_in(rig, 1);
    wr(rig, FREEZE, 1);
    assert_int_equal(rd(rig, FREEZE), 0x11);
    work(rig, 1, 1);
    work(rig, 2, 1);
    assert_int_equal(rig_run(rig), PFIFO_STOP_FROZEN);
    assert_int_equal(current_channel(rig), 1);
    assert_int_equal(user_rd(rig, 1, USER_GET), 4);
    assert_int_equal(user_rd(rig, 1, USER_PUT), 8);
    assert_int_equal(user_rd(rig, 2, USER_PUT), 4);
    wr(rig, FREEZE, 0);
    assert_int_equal(rd(rig, FREEZE), 0);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    assert_int_equal(user_rd(rig, 1, USER_GET), 8);
    assert_int_equal(user_rd(rig, 2, USER_GET), 4);
}

/* A list as long as the register can say, of channels that do not exist, with a guest that lies. */
static void hostile_playlist_is_bounded(void **state) {
    struct rig *rig = *state;
    wr(rig, PLAYLIST, ~0u);
    wr(rig, PLAYLIST_LENGTH, ~0u);
    for (uint32_t channel = 0; channel < 128; channel++)
        wr(rig, CHAN_TABLE + 4 * channel, ~0u);
    work(rig, 1, 1);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ON_TESLA(channel_that_is_not_on_the_playlist_does_not_run),
        ON_TESLA(channel_that_is_not_enabled_does_not_run),
        ON_TESLA(channels_0_and_127_are_never_chosen),
        ON_TESLA(playlist_is_taken_with_its_length),
        ON_TESLA(playlist_may_be_in_system_memory),
        ON_TESLA(removal_unloads_the_running_channel),
        ON_TESLA(disabled_channel_is_unloaded_with_the_next_playlist),
        ON_TESLA(running_channel_stays_through_a_new_playlist),
        ON_TESLA(kick_takes_the_channel_of_that_descriptor_off),
        ON_TESLA(kick_works_after_a_write_to_the_channel_table),
        ON_TESLA(engine_idle_shows_busy_engines),
        ON_TESLA(frozen_pfifo_does_nothing_and_shows_everything),
        ON_TESLA(hostile_playlist_is_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
