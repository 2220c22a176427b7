/* SPDX-License-Identifier: MIT */
/* The puller of NV40 .. MCP89: binding, handles, software objects, engines. Host methods: test_host_methods.c */
#include "rig.h"

#define HANDLE 0xcafe0001u

enum { HASH_FAILED = 1 << 4, DEVICE_SOFTWARE = 1 << 8, INVALID_ENGINE = 1 << 24 };

/* The puller stopped at entry {method, data}: both are to be seen at GET, and the driver is called. */
static void assert_stopped_at(struct rig *rig, uint32_t cause, uint32_t word, uint32_t data) {
    assert_int_equal(rd(rig, PULL0), cause);
    assert_int_equal(rd(rig, INTR), 1);
    assert_int_equal(rd(rig, DEBUG_0), 0x10);
    uint32_t slot = rd(rig, CACHE_GET) / 4 % rig->chip->cache1_entries;
    assert_int_equal(rd(rig, CACHE_METHOD + 8 * slot), word);
    assert_int_equal(rd(rig, CACHE_DATA + 8 * slot), data);
}

/* HASH of NV40 has a bit VALID above the instance. */
static uint32_t hash_valid(const struct rig *rig) {
    return rig->tesla ? 0 : 1u << 24;
}

static void bind_sends_class_and_instance_to_the_engine(void **state) {
    struct rig *rig = *state;
    uint32_t instance = rig_object(rig, 1, HANDLE, 2, 0x12343174);
    push(rig, INC(5, 0, 1), HANDLE, INC(5, 0x100, 1), 0);
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    expect_methods(rig, {5, 0, instance}, {5, 0x100, 0});
    assert_int_equal(rig->log_engine[0], 2);
    assert_int_equal(rig->log_engine[1], 2);
    assert_int_equal(rig->engine[2].bound_class, 0x3174); /* 16 bits count */
    assert_int_equal(rd(rig, ENGINE), 0x00200000);
    assert_int_equal(rd(rig, PULL1) & 0xf, 2);
    assert_int_equal(rd(rig, HASH), instance | hash_valid(rig));
}

static void rebind_replaces_the_nibble(void **state) {
    struct rig *rig = *state;
    rig_object(rig, 1, HANDLE, 2, 0x3174);
    rig_object(rig, 1, HANDLE + 1, 1, 0x4097);
    push(rig, INC(5, 0, 1), HANDLE, INC(5, 0, 1), HANDLE + 1, INC(5, 0x100, 1), 0);
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    assert_int_equal(rd(rig, ENGINE), 0x00100000);
    assert_int_equal(rig->log_engine[2], 1);
}

static void hash_miss_leaves_get_at_entry_and_turns_puller_off(void **state) {
    struct rig *rig = *state;
    rig_bind(rig);
    push(rig, INC(0, 0x200, 1), 1, INC(3, 0, 1), 0xdead, INC(0, 0x204, 1), 2);
    assert_int_equal(rig_go(rig), PFIFO_STOP_INTERRUPT);
    assert_stopped_at(rig, HASH_FAILED, 3 << 13, 0xdead);
    expect_methods(rig, {0, 0x200, 1});
    assert_int_equal(cache_entries(rig), 2);
    assert_int_equal(rd(rig, ENGINE), 0x1);
    assert_int_equal(rd(rig, DMA_GET), rig->pushed[1]); /* the pusher went on */
}

/* Switched on again without GET moved, it meets the same entry. */
static void retry_raises_again_or_succeeds(void **state) {
    struct rig *rig = *state;
    rig_bind(rig);
    push(rig, INC(3, 0, 1), HANDLE);
    assert_int_equal(rig_go(rig), PFIFO_STOP_INTERRUPT);
    wr(rig, INTR, 1);
    assert_int_equal(rd(rig, DEBUG_0), 0);
    assert_int_equal(rig_run(rig), PFIFO_STOP_INTERRUPT);
    assert_int_equal(rd(rig, INTR), 0); /* off is off */
    wr(rig, PULL0, 1);
    assert_int_equal(rig_run(rig), PFIFO_STOP_INTERRUPT);
    assert_stopped_at(rig, HASH_FAILED, 3 << 13, HANDLE);
    uint32_t instance = rig_object(rig, 1, HANDLE, 1, 0x4097);
    wr(rig, PULL0, 1);
    assert_int_equal(rd(rig, PULL0), HASH_FAILED | 1); /* of the last entry, until the next one is taken */
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    assert_int_equal(rd(rig, PULL0), 1);
    expect_methods(rig, {3, 0, instance});
}

static void software_object_traps_with_device_software(void **state) {
    struct rig *rig = *state;
    rig_bind(rig);
    uint32_t instance = rig_object(rig, 1, HANDLE, 0, 0x506e);
    push(rig, INC(0, 0, 1), HANDLE);
    assert_int_equal(rig_go(rig), PFIFO_STOP_INTERRUPT);
    assert_stopped_at(rig, DEVICE_SOFTWARE, 0, HANDLE);
    assert_int_equal(rd(rig, HASH), instance | hash_valid(rig));
    assert_int_equal(rd(rig, ENGINE), 1); /* the driver changes it */
    expect_no_methods(rig);
}

static void unbound_subchannel_is_software(void **state) {
    struct rig *rig = *state;
    rig_bind(rig);
    push(rig, INC(4, 0x500, 1), 0x1234);
    assert_int_equal(rig_go(rig), PFIFO_STOP_INTERRUPT);
    assert_stopped_at(rig, DEVICE_SOFTWARE, 4 << 13 | 0x500, 0x1234);
}

static void handle_methods_give_the_engine_the_instance(void **state) {
    struct rig *rig = *state;
    rig_bind(rig);
    uint32_t instance = rig_object(rig, 1, HANDLE, 0, 0x3d); /* the engine of a DMA object is ignored */
    push(rig, INC(0, 0x17c, 3), HANDLE, HANDLE, HANDLE, INC(0, 0x1fc, 2), HANDLE, HANDLE);
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    expect_methods(rig, {0, 0x17c, HANDLE}, {0, 0x180, instance}, {0, 0x184, instance}, {0, 0x1fc, instance},
                   {0, 0x200, HANDLE});
    assert_int_equal(rd(rig, HASH), instance | hash_valid(rig));
}

static void handle_method_with_unknown_handle_is_a_hash_miss(void **state) {
    struct rig *rig = *state;
    rig_bind(rig);
    push(rig, INC(0, 0x1a0, 1), 0xdead);
    assert_int_equal(rig_go(rig), PFIFO_STOP_INTERRUPT);
    assert_stopped_at(rig, HASH_FAILED, 0x1a0, 0xdead);
}

static void handle_methods_are_translated_before_software_trap(void **state) {
    struct rig *rig = *state;
    rig_bind(rig);
    uint32_t instance = rig_object(rig, 1, HANDLE, 1, 0x3d);
    push(rig, INC(6, 0x180, 1), HANDLE);
    assert_int_equal(rig_go(rig), PFIFO_STOP_INTERRUPT);
    assert_stopped_at(rig, DEVICE_SOFTWARE, 6 << 13 | 0x180, HANDLE);
    assert_int_equal(rd(rig, HASH), instance | hash_valid(rig));
}

static void handle_method_of_software_with_unknown_handle_is_a_hash_miss(void **state) {
    struct rig *rig = *state;
    push(rig, INC(6, 0x180, 1), 0xdead);
    assert_int_equal(rig_go(rig), PFIFO_STOP_INTERRUPT);
    assert_stopped_at(rig, HASH_FAILED, 6 << 13 | 0x180, 0xdead);
}

static void engine_that_the_chip_lacks(void **state) {
    struct rig *rig = *state;
    rig_object(rig, 1, HANDLE, 7, 0x4097);
    push(rig, INC(0, 0, 1), HANDLE);
    assert_int_equal(rig_go(rig), PFIFO_STOP_INTERRUPT);
    assert_stopped_at(rig, rig->tesla ? INVALID_ENGINE : DEVICE_SOFTWARE, 0, HANDLE);
}

/* ---- RAMHT ---- */

static void empty_slot_does_not_match_handle_zero(void **state) {
    struct rig *rig = *state;
    push(rig, INC(0, 0, 1), 0);
    assert_int_equal(rig_go(rig), PFIFO_STOP_INTERRUPT);
    assert_stopped_at(rig, HASH_FAILED, 0, 0);
}

static void probing_does_not_end_at_an_empty_slot(void **state) {
    struct rig *rig = *state;
    uint32_t slot = rig_ramht_hash(HANDLE, rig->tesla ? 0 : 1);
    uint32_t instance = rig_instance(rig, 1, (const uint32_t[]){0x4097, 0, 0, 0}, 4);
    rig_ramht_entry(rig, 1, slot + 9, HANDLE, rig_context(rig, 1, 1, instance));
    push(rig, INC(0, 0, 1), HANDLE);
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    expect_methods(rig, {0, 0, instance});
}

/* SEARCH 0: slots hash .. hash + 15. */
static void search_limit_16_does_not_find_slot_17(void **state) {
    struct rig *rig = *state;
    uint32_t slot = rig_ramht_hash(HANDLE, rig->tesla ? 0 : 1);
    uint32_t instance = rig_instance(rig, 1, (const uint32_t[]){0x4097, 0, 0, 0}, 4);
    push(rig, 0);
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    wr(rig, RAMHT, rd(rig, RAMHT) & ~0x07000000u);
    rig_ramht_entry(rig, 1, slot + 16, HANDLE, rig_context(rig, 1, 1, instance));
    push(rig, INC(0, 0, 1), HANDLE);
    assert_int_equal(rig_go(rig), PFIFO_STOP_INTERRUPT);
    assert_stopped_at(rig, HASH_FAILED, 0, HANDLE);
    rig_ramht_entry(rig, 1, slot + 15, HANDLE, rig_context(rig, 1, 1, instance));
    wr(rig, PULL0, 1);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
}

static void search_full_finds_the_last_slot(void **state) {
    struct rig *rig = *state;
    uint32_t slot = rig_ramht_hash(HANDLE, rig->tesla ? 0 : 1);
    uint32_t instance = rig_instance(rig, 1, (const uint32_t[]){0x4097, 0, 0, 0}, 4);
    push(rig, 0);
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    wr(rig, RAMHT, (rd(rig, RAMHT) & ~0x07000000u) | 1u << 26);
    rig_ramht_entry(rig, 1, slot + 511, HANDLE, rig_context(rig, 1, 1, instance)); /* the one before, by wrap */
    push(rig, INC(0, 0, 1), HANDLE);
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    expect_methods(rig, {0, 0, instance});
}

/* One table for all channels before G80: the entry says whose it is. */
static void entry_of_another_channel_does_not_match(void **state) {
    struct rig *rig = *state;
    uint32_t slot = rig_ramht_hash(HANDLE, 1);
    uint32_t mine = rig_instance(rig, 1, (const uint32_t[]){0x4097, 0, 0, 0}, 4);
    rig_ramht_entry(rig, 1, slot, HANDLE, rig_context(rig, 2, 1, 0x4444));
    rig_ramht_entry(rig, 1, slot + 1, HANDLE + 1, rig_context(rig, 1, 1, 0x4445));
    push(rig, INC(0, 0, 1), HANDLE);
    assert_int_equal(rig_go(rig), PFIFO_STOP_INTERRUPT);
    assert_int_equal(rd(rig, PULL0), HASH_FAILED);
    rig_ramht_entry(rig, 1, slot + 2, HANDLE, rig_context(rig, 1, 1, mine));
    wr(rig, PULL0, 1);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    expect_methods(rig, {0, 0, mine});
}

/* ---- engines ---- */

static void change_of_engine_waits_until_the_last_one_is_idle(void **state) {
    struct rig *rig = *state;
    rig_bind(rig);
    uint32_t other = rig_object(rig, 1, HANDLE, 2, 0x3174);
    rig->engine[1].busy = true;
    push(rig, INC(0, 0x200, 1), 1, INC(1, 0, 1), HANDLE);
    assert_int_equal(rig_go(rig), PFIFO_STOP_WAITING);
    expect_methods(rig, {0, 0x200, 1}); /* to the same engine there is no wait */
    assert_int_equal(cache_entries(rig), 1);
    rig->engine[1].busy = false;
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    expect_methods(rig, {1, 0, other});
    rig->engine[2].busy = true;
    push(rig, INC(0, 0x204, 1), 2);
    assert_int_equal(rig_go(rig), PFIFO_STOP_WAITING);
    expect_no_methods(rig);
    assert_int_equal(rd(rig, PULL1) & 0xf, 2);
    rig->engine[2].busy = false;
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    expect_methods(rig, {0, 0x204, 2});
    assert_int_equal(rd(rig, PULL1) & 0xf, 1);
}

static void engine_that_takes_nothing_keeps_the_entry(void **state) {
    struct rig *rig = *state;
    rig_bind(rig);
    rig->engine[1].refuse = true;
    push(rig, INC(0, 0x200, 3), 1, 2, 3);
    assert_int_equal(rig_go(rig), PFIFO_STOP_WAITING);
    assert_int_equal(rd(rig, PULL0), 1);
    assert_int_equal(cache_entries(rig), 3);
    assert_int_equal(rd(rig, DMA_GET), rig->pushed[1]);
    rig->engine[1].refuse = false;
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    expect_methods(rig, {0, 0x200, 1}, {0, 0x204, 2}, {0, 0x208, 3});
}

/* The wait is over when the driver has taken the entry away. */
static void skipped_entry_is_not_waited_for(void **state) {
    struct rig *rig = *state;
    rig_bind(rig);
    rig->engine[1].refuse = true;
    push(rig, INC(0, 0x200, 1), 1);
    assert_int_equal(rig_go(rig), PFIFO_STOP_WAITING);
    wr(rig, CACHE_GET, rd(rig, CACHE_GET) + 4);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
}

static void engine_is_told_when_another_channel_comes(void **state) {
    struct rig *rig = *state;
    rig_bind(rig);
    uint32_t switches = rig->engine[1].switches;
    push(rig, INC(0, 0x200, 1), 1);
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    assert_int_equal(rig->engine[1].switches, switches);
    rig_open(rig, 2);
    rig_object(rig, 2, HANDLE, 1, 0x4097);
    push_to(rig, 2, 0);
    rig_submit(rig, 2);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    assert_int_equal(current_channel(rig), 2);
    assert_int_equal(rig->engine[1].switches, switches); /* the engine switches when a method comes */
    push_to(rig, 2, INC(0, 0, 1), HANDLE);
    rig_submit(rig, 2);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    assert_int_equal(rig->engine[1].switches, switches + 1);
    assert_int_equal(rig->engine[1].channel, 2);
}

/* PFIFO and an engine may be on different channels: an engine that gets no method stays where it is. */
static void engine_without_methods_does_not_switch(void **state) {
    struct rig *rig = *state;
    rig_bind(rig);
    rig_open(rig, 2);
    rig_object(rig, 2, HANDLE, 1, 0x4097);
    push_to(rig, 2, INC(0, 0, 1), HANDLE);
    rig_submit(rig, 2);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    uint32_t switches = rig->engine[1].switches;
    push(rig, 0, INC(0, 0x200, 0), INC(0, 0x50, 1), 5);
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    assert_int_equal(current_channel(rig), 1);
    assert_int_equal(rd(rig, PULL1) & 0xf, 1);
    assert_int_equal(rig->engine[1].switches, switches);
    push(rig, INC(0, 0x200, 1), 5);
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    assert_int_equal(rig->engine[1].switches, switches + 1);
    assert_int_equal(rig->engine[1].channel, 1);
}

static void entries_written_by_the_driver_are_executed(void **state) {
    struct rig *rig = *state;
    rig_bind(rig);
    uint32_t put = rd(rig, CACHE_PUT), slot = put / 4 % rig->chip->cache1_entries;
    wr(rig, CACHE_METHOD + 8 * slot, 0x300);
    wr(rig, CACHE_DATA + 8 * slot, 0x77);
    wr(rig, CACHE_PUT, put + 4);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    expect_methods(rig, {0, 0x300, 0x77});
}

/* The pusher would not let these pass. */
static void unknown_low_method_in_cache1_is_a_cache_error(void **state) {
    struct rig *rig = *state;
    rig_bind(rig);
    uint32_t put = rd(rig, CACHE_PUT), slot = put / 4 % rig->chip->cache1_entries;
    wr(rig, CACHE_METHOD + 8 * slot, 0x40);
    wr(rig, CACHE_PUT, put + 4);
    assert_int_equal(rig_run(rig), PFIFO_STOP_INTERRUPT);
    assert_int_equal(rd(rig, INTR), 1);
    assert_int_equal(rd(rig, PULL0) & 1, 0);
    assert_int_equal(rd(rig, CACHE_GET), put);
}

static void puller_switched_off_is_frozen(void **state) {
    struct rig *rig = *state;
    rig_bind(rig);
    wr(rig, PULL0, 0);
    push(rig, INC(0, 0x200, 1), 1);
    assert_int_equal(rig_go(rig), PFIFO_STOP_FROZEN);
    expect_no_methods(rig);
    assert_int_equal(rd(rig, STATUS), 0);
    wr(rig, PULL0, 1);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    expect_methods(rig, {0, 0x200, 1});
}

/* DEBUG_1 bit 18: a driver may make every lookup fail. */
static void ramht_can_be_told_to_fail(void **state) {
    struct rig *rig = *state;
    rig_object(rig, 1, 7, 1, 0x4097);
    wr(rig, 0x2084, 1u << 18);
    push(rig, INC(0, 0, 1), 7);
    assert_int_equal(rig_go(rig), PFIFO_STOP_INTERRUPT);
    assert_int_equal(rd(rig, PULL0), 1 << 4);
    wr(rig, 0x2084, 0);
    wr(rig, PULL0, 1);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    assert_int_equal(rig->logged, 1); /* the bind */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ON_TESLA(ramht_can_be_told_to_fail),
        ON_ALL(bind_sends_class_and_instance_to_the_engine),
        ON_ALL(rebind_replaces_the_nibble),
        ON_ALL(hash_miss_leaves_get_at_entry_and_turns_puller_off),
        ON_ALL(retry_raises_again_or_succeeds),
        ON_ALL(software_object_traps_with_device_software),
        ON_ALL(unbound_subchannel_is_software),
        ON_ALL(handle_methods_give_the_engine_the_instance),
        ON_ALL(handle_method_with_unknown_handle_is_a_hash_miss),
        ON_ALL(handle_methods_are_translated_before_software_trap),
        ON_ALL(handle_method_of_software_with_unknown_handle_is_a_hash_miss),
        ON_ALL(engine_that_the_chip_lacks),
        ON_ALL(empty_slot_does_not_match_handle_zero),
        ON_ALL(probing_does_not_end_at_an_empty_slot),
        ON_ALL(search_limit_16_does_not_find_slot_17),
        ON_ALL(search_full_finds_the_last_slot),
        ON_NV40(entry_of_another_channel_does_not_match),
        ON_ALL(change_of_engine_waits_until_the_last_one_is_idle),
        ON_ALL(engine_that_takes_nothing_keeps_the_entry),
        ON_ALL(skipped_entry_is_not_waited_for),
        ON_ALL(engine_is_told_when_another_channel_comes),
        ON_ALL(engine_without_methods_does_not_switch),
        ON_ALL(entries_written_by_the_driver_are_executed),
        ON_ALL(unknown_low_method_in_cache1_is_a_cache_error),
        ON_ALL(puller_switched_off_is_frozen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
