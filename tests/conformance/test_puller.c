/* SPDX-License-Identifier: MIT */
/*
 * The puller of NV4 .. NV4x: binding, engines, handles, methods that it executes itself, and software methods, which
 * the driver finishes.
 *
 * Sources: envytools docs/hw/fifo/puller.rst, docs/hw/fifo/intro.rst; nouveau nvkm/engine/fifo/nv04.c; nxdk outer.h
 */
#include "rig.h"

static uint32_t valid(const struct rig *rig) {
    return rig->nv40 ? 1u << 24 : 1u << 16;
}

/* The puller stands at the entry at GET, and says why. */
static void expect_stopped(struct rig *rig, uint32_t cause, uint32_t subchannel, uint32_t method, uint32_t data) {
    uint32_t slot = rd(rig, rig->c1.get) >> 2 & (rig->c1.entries - 1);
    expect_reg(rig, rig->c1.pull0, cause);
    expect_reg(rig, INTR, I_CACHE_ERROR);
    expect_reg(rig, DEBUG_0, 0x10);
    assert_int_equal(rd(rig, rig->c1.entry + 8 * slot) & 0xfffc, METHOD(subchannel, method));
    expect_reg(rig, rig->c1.entry + 8 * slot + 4, data);
    expect_no_methods(rig);
}

static void go_on_behind_it(struct rig *rig) {
    wr(rig, INTR, I_CACHE_ERROR);
    wr(rig, rig->c1.get, rd(rig, rig->c1.get) + 4);
    wr(rig, rig->c1.pull0, 1);
    rig_run(rig);
}

/* ---- binding ---- */

static void method_0_binds_on_each_subchannel(void **state) {
    struct rig *rig = *state;
    rig_open_bound(rig);
    wr(rig, ENGINE, 0);
    uint32_t engines = 0;
    for (uint32_t subchannel = 0; subchannel < 8; subchannel++) {
        uint32_t instance = rig_object(rig, 1, 0x700 + subchannel, 1, 0x40 + subchannel);
        push(rig, INC(subchannel, 0, 1), 0x700 + subchannel);
        rig_go(rig);
        engines |= 1u << 4 * subchannel;
        expect_methods(rig, {subchannel, 0, instance});
        assert_int_equal(rig->engine[1].bound_class, 0x40 + subchannel);
        expect_reg(rig, HASH, instance | valid(rig));
        expect_reg(rig, ENGINE, engines);
        assert_int_equal(rd(rig, rig->c1.pull1) & 3, 1);
    }
}

static void a_missing_handle_stops(void **state) {
    struct rig *rig = *state;
    rig_open_bound(rig);
    push(rig, INC(5, 0, 1), 0x12345, INC(0, 0x300, 1), 1);
    assert_int_equal(rig_go(rig), PFIFO_STOP_INTERRUPT);
    expect_stopped(rig, P_HASH_FAILED, 5, 0, 0x12345);
    go_on_behind_it(rig);
    expect_methods(rig, {0, 0x300, 1});
    expect_reg(rig, rig->c1.pull0, 1);
    expect_reg(rig, DEBUG_0, 0);
}

/* The same entry again raises again. */
static void a_puller_started_without_help_stops_again(void **state) {
    struct rig *rig = *state;
    rig_open_bound(rig);
    push(rig, INC(5, 0, 1), 0x12345);
    rig_go(rig);
    for (unsigned turn = 0; turn < 3; turn++) {
        expect_stopped(rig, P_HASH_FAILED, 5, 0, 0x12345);
        wr(rig, INTR, I_CACHE_ERROR);
        expect_reg(rig, DEBUG_0, 0);
        rig_run(rig);
        expect_reg(rig, INTR, 0);
        wr(rig, rig->c1.pull0, 1);
        rig_run(rig);
    }
    /* And with the object made, it goes on. */
    uint32_t instance = rig_object(rig, 1, 0x12345, 1, 0x62);
    wr(rig, INTR, I_CACHE_ERROR);
    wr(rig, rig->c1.pull0, 1);
    rig_run(rig);
    expect_methods(rig, {5, 0, instance});
}

/* ---- handles ---- */

static void handles_are_translated_in_their_range(void **state) {
    struct rig *rig = *state;
    rig_open_bound(rig);
    for (uint32_t engine = 0; engine < 3; engine++) { /* whatever engine the entry names */
        uint32_t instance = rig_object(rig, 1, 0x4000 + engine, engine, 0x3d);
        for (uint32_t method = 0x100; method < 0x280; method += 4) {
            bool handle = method >= 0x180 && method < 0x200;
            wr(rig, HASH, 0);
            push(rig, INC(0, method, 1), 0x4000 + engine);
            rig_go(rig);
            expect_methods(rig, {0, method, handle ? instance : 0x4000 + engine});
            expect_reg(rig, HASH, handle ? instance | valid(rig) : 0);
            expect_reg(rig, ENGINE, 1);
        }
    }
    push(rig, INC(0, 0x1fc, 1), 0x4009);
    rig_go(rig);
    expect_stopped(rig, P_HASH_FAILED, 0, 0x1fc, 0x4009);
}

static void a_handle_of_another_channel_is_a_miss(void **state) {
    struct rig *rig = *state;
    rig_open_bound(rig);
    rig_object(rig, 2, 0x4000, 1, 0x3d);
    push(rig, INC(0, 0x180, 1), 0x4000);
    rig_go(rig);
    expect_stopped(rig, P_HASH_FAILED, 0, 0x180, 0x4000);
}

/* ---- software ---- */

static void a_software_object_is_the_drivers(void **state) {
    struct rig *rig = *state;
    rig_open_bound(rig);
    uint32_t instance = rig_object(rig, 1, 0x50f7, 0, 0x500);
    wr(rig, ENGINE, 0x00000111); /* subchannel 2 belonged to PGRAPH */
    push(rig, INC(2, 0, 1), 0x50f7, INC(2, 0x300, 1), 1, INC(2, 0x188, 1), 0x50f7, INC(0, 0x300, 1), 9);
    assert_int_equal(rig_go(rig), PFIFO_STOP_INTERRUPT);
    expect_stopped(rig, P_SOFTWARE, 2, 0, 0x50f7);
    expect_reg(rig, HASH, instance | valid(rig));
    expect_reg(rig, ENGINE, 0x111); /* the driver clears it */
    wr(rig, ENGINE, 0x011);
    go_on_behind_it(rig);
    expect_stopped(rig, P_SOFTWARE, 2, 0x300, 1);
    wr(rig, HASH, 0);
    go_on_behind_it(rig);
    expect_stopped(rig, P_SOFTWARE, 2, 0x188, 0x50f7); /* looked up first */
    expect_reg(rig, HASH, instance | valid(rig));
    go_on_behind_it(rig);
    expect_methods(rig, {0, 0x300, 9});
}

/* A miss of a handle on a software subchannel is a miss first. */
static void a_missing_handle_comes_before_software(void **state) {
    struct rig *rig = *state;
    rig_open_bound(rig);
    wr(rig, ENGINE, 0);
    push(rig, INC(0, 0x180, 1), 0x1);
    rig_go(rig);
    expect_stopped(rig, P_HASH_FAILED, 0, 0x180, 1);
}

/* The other way to finish one: commands for PGRAPH through CACHE0, and then GET. */
static void a_software_method_may_become_commands_through_cache0(void **state) {
    struct rig *rig = *state;
    rig_open_bound(rig);
    uint32_t instance = rig_object(rig, 1, 0x77, 1, 0x62);
    rig_object(rig, 1, 0x50f7, 0, 0x500);
    wr(rig, ENGINE, 0x1);
    push(rig, INC(2, 0x400, 1), 3, INC(0, 0x300, 1), 9);
    rig_go(rig);
    expect_stopped(rig, P_SOFTWARE, 2, 0x400, 3);
    const uint32_t commands[][2] = {{METHOD(7, 0), 0x77}, {METHOD(7, 0x310), 30}, {METHOD(7, 0x314), 31}};
    wr(rig, rig->c0.push1, 1);
    for (size_t i = 0; i < COUNT_OF(commands); i++) {
        wr(rig, rig->c0.entry, commands[i][0]);
        wr(rig, rig->c0.entry + 4, commands[i][1]);
        wr(rig, rig->c0.put, rd(rig, rig->c0.get) ^ 4);
        wr(rig, C0_PUSH0, 1);
        wr(rig, rig->c0.pull0, 1);
        rig_run(rig);
        wr(rig, C0_PUSH0, 0);
        expect_reg(rig, rig->c0.status, 0x10);
    }
    expect_methods(rig, {7, 0, instance}, {7, 0x310, 30}, {7, 0x314, 31});
    go_on_behind_it(rig);
    expect_methods(rig, {0, 0x300, 9});
}

/* An id that no engine of the chip answers to: UNKNOWN; chosen: software. */
static void an_engine_that_is_not_there_is_software(void **state) {
    struct rig *rig = *state;
    rig_open_bound(rig);
    rig_object(rig, 1, 0x55, 2, 0x3174);
    push(rig, INC(1, 0, 1), 0x55);
    rig_go(rig);
    expect_stopped(rig, P_SOFTWARE, 1, 0, 0x55);
}

/* ---- other engines ---- */

static void work_for_another_engine_waits_for_the_last_one(void **state) {
    struct rig *rig = *state;
    uint32_t first = rig_open_bound(rig);
    uint32_t second = rig_object(rig, 1, 0x55, 2, 0x3174);
    rig->engine[1].busy = true;
    push(rig, INC(0, 0x300, 1), 1, INC(1, 0, 1), 0x55);
    rig_go(rig);
    expect_methods(rig, {0, 0x300, 1}); /* its own engine need not be idle */
    rig->engine[1].busy = false;
    rig_run(rig);
    expect_methods(rig, {1, 0, second});
    expect_reg(rig, ENGINE, 0x21);
    assert_int_equal(rd(rig, rig->c1.pull1) & 0xf, 2);
    rig->engine[2].busy = true;
    push(rig, INC(0, 0x300, 1), 2);
    rig_go(rig);
    expect_no_methods(rig);
    rig->engine[2].busy = false;
    rig_run(rig);
    expect_methods(rig, {0, 0x300, 2});
    assert_int_equal(rd(rig, rig->c1.pull1) & 0xf, 1);
    assert_true(first != second);
}

/* A busy engine that takes nothing holds everything up, and raises nothing. */
static void an_engine_that_takes_nothing_stalls_the_puller(void **state) {
    struct rig *rig = *state;
    rig_open_bound(rig);
    rig->engine[1].refuse = true;
    push(rig, INC(0, 0x300, 2), 1, 2);
    rig_go(rig);
    expect_no_methods(rig);
    expect_reg(rig, INTR, 0);
    assert_int_equal(rd(rig, rig->c1.pull0) & 0x111, 1);
    rig->engine[1].refuse = false;
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    expect_methods(rig, {0, 0x300, 1}, {0, 0x304, 2});
}

/* ---- methods of the puller itself ---- */

static void ref_cnt_is_written_when_the_engine_is_idle(void **state) {
    struct rig *rig = *state;
    rig_open_bound(rig);
    wr(rig, REF, 0);
    rig->engine[1].busy = true;
    push(rig, INC(0, 0x300, 1), 1, INC(5, 0x50, 1), 0xabcd0123, INC(0, 0x304, 1), 2);
    rig_go(rig);
    expect_methods(rig, {0, 0x300, 1});
    expect_reg(rig, REF, 0);
    expect_reg(rig, user_at(1, USER_REF), 0);
    rig->engine[1].busy = false;
    rig_run(rig);
    expect_reg(rig, REF, 0xabcd0123);
    expect_reg(rig, user_at(1, USER_REF), 0xabcd0123);
    expect_methods(rig, {0, 0x304, 2});
    expect_reg(rig, ENGINE, 1); /* the subchannel means nothing */
}

static void expect_finer_name(void *opaque, const struct pfifo_event *event) {
    unsigned *count = opaque;
    assert_string_equal(event->text, "HASH_FAILED");
    assert_string_equal(event->detail, "unknown method in CACHE1");
    ++*count;
}

/* Written by hand; from the pushbuffer they do not get this far. */
static void a_low_method_that_nobody_knows_is_a_cache_error(void **state) {
    struct rig *rig = *state;
    unsigned named = 0, refused = 0;
    rig_open_bound(rig);
    assert_int_equal(event_observe(&rig->hub, "puller.error", expect_finer_name, &named, NULL), PFIFO_OK);
    for (uint32_t method = 4; method < 0x100; method += 4) {
        bool known = (method == 0x50 && on(rig, "NV10-")) || (method >= 0x60 && method < 0x70 && on(rig, "NV1A-")) ||
                     (method == 0x80 && rig->nv40);
        if (known)
            continue;
        wr(rig, rig->c1.pull0, 0);
        rig_inject(rig, 0, method, 1);
        wr(rig, rig->c1.pull0, 1);
        rig_run(rig);
        expect_reg(rig, INTR, I_CACHE_ERROR);
        assert_int_equal(rd(rig, rig->c1.pull0) & P_ACCESS, 0);
        assert_int_equal(cache_entries(rig), 1);
        assert_int_equal(named, ++refused);
        go_on_behind_it(rig);
    }
    expect_no_methods(rig);
}

static void pio_reaches_the_methods_of_the_puller(void **state) {
    struct rig *rig = *state;
    user_wr(rig, 3, 0x50, 0x778899aa);
    rig_run(rig);
    expect_reg(rig, REF, 0x778899aa);
    expect_reg(rig, RUNOUT_STATUS, 0x10);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        FROM_NV4(method_0_binds_on_each_subchannel),
        FROM_NV4(a_missing_handle_stops),
        FROM_NV4(a_puller_started_without_help_stops_again),
        FROM_NV4(handles_are_translated_in_their_range),
        FROM_NV4(a_handle_of_another_channel_is_a_miss),
        FROM_NV4(a_software_object_is_the_drivers),
        FROM_NV4(a_missing_handle_comes_before_software),
        FROM_NV4(a_software_method_may_become_commands_through_cache0),
        NV4_TO_NV1A(an_engine_that_is_not_there_is_software),
        ON_NV1A(an_engine_that_is_not_there_is_software),
        ON("NV17", an_engine_that_is_not_there_is_software),
        ON("NV20", an_engine_that_is_not_there_is_software),
        ON("MCP73", an_engine_that_is_not_there_is_software),
        ON("NV31", work_for_another_engine_waits_for_the_last_one),
        ON("NV34", work_for_another_engine_waits_for_the_last_one),
        ON("NV40", work_for_another_engine_waits_for_the_last_one),
        FROM_NV4(an_engine_that_takes_nothing_stalls_the_puller),
        FROM_NV10(ref_cnt_is_written_when_the_engine_is_idle),
        FROM_NV4(a_low_method_that_nobody_knows_is_a_cache_error),
        FROM_NV10(pio_reaches_the_methods_of_the_puller),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
