/* SPDX-License-Identifier: MIT */
/*
 * CACHE0: one command, put in by the host through registers, so that PGRAPH executes it while CACHE1 is stopped.
 *
 * Sources: envytools hwtest/pgraph_mthd.cc (the sequence, on silicon of NV3), docs/hw/fifo/nv1-pfifo.rst
 */
#include "rig.h"

static uint32_t c0_entry(const struct rig *rig) {
    return rig->c0.entry;
}

/* The sequence of the hardware test. Nothing has run yet. */
static void inject(struct rig *rig, uint32_t channel, uint32_t subchannel, uint32_t method, uint32_t data) {
    wr(rig, C0_PUSH0, 0);
    wr(rig, rig->c0.pull0, 0);
    wr(rig, rig->c0.push1, channel);
    wr(rig, rig->c0.put, 4);
    wr(rig, rig->c0.get, 0);
    wr(rig, c0_entry(rig), METHOD(subchannel, method));
    wr(rig, c0_entry(rig) + 4, data);
    wr(rig, C0_PUSH0, 1);
    expect_reg(rig, rig->c0.status, 0x100);
    wr(rig, rig->c0.pull0, 1);
}

static void expect_done(struct rig *rig) {
    expect_reg(rig, rig->c0.get, 4);
    expect_reg(rig, rig->c0.put, 4);
    expect_reg(rig, rig->c0.status, 0x10);
    expect_reg(rig, rig->c0.pull0, 1);
    expect_reg(rig, INTR, 0);
    expect_reg(rig, DEBUG_0, 0);
}

/* A command stopped CACHE0's puller, which shows why. */
static void expect_stopped(struct rig *rig, uint32_t cause) {
    expect_reg(rig, rig->c0.pull0, cause);
    expect_reg(rig, rig->c0.get, 0);
    expect_reg(rig, DEBUG_0, 1);
    expect_reg(rig, INTR, I_CACHE_ERROR);
    expect_no_methods(rig);
    wr(rig, INTR, I_CACHE_ERROR);
    expect_reg(rig, DEBUG_0, 0);
    rig_run(rig); /* and it stays stopped */
    expect_reg(rig, INTR, 0);
    wr(rig, rig->c0.pull0, 1); /* the same command again */
    rig_run(rig);
    expect_reg(rig, rig->c0.pull0, cause);
    expect_reg(rig, INTR, I_CACHE_ERROR);
    wr(rig, INTR, I_CACHE_ERROR);
}

/* ---- NV1 and NV3: one context ---- */

static uint32_t context_of(const struct rig *rig, uint32_t type, uint32_t low) {
    return type << 16 | low | (rig->nv3 ? 1u << 23 : 0);
}

static void the_context_goes_before_each_method(void **state) {
    struct rig *rig = *state;
    wr(rig, rig->c1.pull0, 0);
    for (uint32_t subchannel = 0; subchannel < 8; subchannel++)
        for (uint32_t method = 0x100; method < 0x2000; method += 0x3c4) {
            uint32_t type = 0x41 + subchannel;
            wr(rig, rig->c0.ctx, context_of(rig, type, 0x700 + method));
            inject(rig, 17, subchannel, method, ~method);
            rig_run(rig);
            expect_methods(rig, {subchannel, 0, 0x700 + method}, {subchannel, method, ~method});
            assert_int_equal(rig->engine[1].channel, 17);
            expect_done(rig);
        }
}

static void method_0_looks_up_and_replaces_the_context(void **state) {
    struct rig *rig = *state;
    wr(rig, rig->c1.pull0, 0);
    for (uint32_t channel = 0; channel < 128; channel += 13) {
        uint32_t context = rig_old_object(rig, channel, 0x1230 + channel, 0x50, 0x340);
        wr(rig, rig->c0.ctx, 0x00abcdef); /* junk */
        inject(rig, channel, 5, 0, 0x1230 + channel);
        rig_run(rig);
        expect_methods(rig, {5, 0, 0x340});
        expect_reg(rig, rig->c0.ctx, context & (rig->nv1 ? 0x7fffff : 0xffffff));
        expect_done(rig);
        inject(rig, channel, 5, 0, 0x9999); /* nobody's handle */
        rig_run(rig);
        expect_stopped(rig, P_HASH_FAILED);
    }
}

static void a_context_of_software_stops(void **state) {
    struct rig *rig = *state;
    wr(rig, rig->c1.pull0, 0);
    wr(rig, rig->c0.ctx, rig->nv1 ? 0x00100000 : 0x00500000);
    inject(rig, 3, 2, 0x300, 1);
    rig_run(rig);
    expect_stopped(rig, P_SOFTWARE);
}

/* As the hardware test has PFIFO: RAMHT at 0, RAMFC 0x1000, RAMRO 0x12000. */
static void the_sequence_of_the_hardware_test(void **state) {
    struct rig *rig = *state;
    wr(rig, RAMHT, 0);
    wr(rig, RAMFC, 0x1000);
    wr(rig, RAMRO, 0x12000);
    wr(rig, RUNOUT_PUT, 0);
    wr(rig, RUNOUT_GET, 0);
    wr(rig, rig->c1.pull0, 0);
    /* All entries with one handle: whatever the hash, it is found. */
    for (uint32_t channel = 0; channel < 128; channel += 9) {
        for (uint32_t entry = 0; entry < 512; entry++) {
            ramin_wr(rig, 8 * entry, 0xcafe);
            ramin_wr(rig, 8 * entry + 4, 0x00c51234 | channel << 24);
        }
        wr(rig, rig->c0.ctx, 0x1234567);
        inject(rig, channel, 6, 0, 0xcafe);
        rig_run(rig);
        expect_methods(rig, {6, 0, 0x1234});
        expect_done(rig);
    }
}

/* ---- NV4 and later: an engine for each subchannel ---- */

static void methods_go_to_the_engine_of_the_subchannel(void **state) {
    struct rig *rig = *state;
    wr(rig, rig->c1.pull0, 0);
    for (uint32_t subchannel = 0; subchannel < 8; subchannel++)
        for (uint32_t method = 0x200; method < 0x2000; method += 0x3c4) {
            wr(rig, C0_ENGINE, 1u << 4 * subchannel);
            inject(rig, 2, subchannel, method, ~method);
            rig_run(rig);
            expect_methods(rig, {subchannel, method, ~method});
            assert_int_equal(rig->engine[1].channel, 2);
            expect_done(rig);
            assert_int_equal(rd(rig, C0_PULL1) & 3, 1);
            inject(rig, 2, (subchannel + 1) & 7, method, 0); /* engine 0 */
            rig_run(rig);
            expect_stopped(rig, P_SOFTWARE);
        }
}

/* With registers of its own: CACHE1's show nothing of it. */
static void method_0_binds_in_cache0_alone(void **state) {
    struct rig *rig = *state;
    uint32_t instance = rig_object(rig, 2, 0x77, 1, 0x42), valid = rig->nv40 ? 1u << 24 : 1u << 16;
    wr(rig, rig->c1.pull0, 0);
    wr(rig, HASH, 0);
    wr(rig, ENGINE, 0);
    wr(rig, rig->c1.pull1, 0);
    inject(rig, 2, 3, 0, 0x77);
    rig_run(rig);
    expect_methods(rig, {3, 0, instance});
    assert_int_equal(rig->engine[1].bound_class, 0x42);
    expect_done(rig);
    expect_reg(rig, C0_HASH, instance | valid);
    expect_reg(rig, C0_ENGINE, 0x1000);
    assert_int_equal(rd(rig, C0_PULL1) & 3, 1);
    expect_reg(rig, HASH, 0);
    expect_reg(rig, ENGINE, 0);
    expect_reg(rig, rig->c1.pull1, 0);
    inject(rig, 3, 3, 0, 0x77); /* not this channel's */
    rig_run(rig);
    expect_stopped(rig, P_HASH_FAILED);
}

static void handles_are_translated(void **state) {
    struct rig *rig = *state;
    uint32_t instance = rig_object(rig, 2, 0x77, 0, 0x42);
    wr(rig, rig->c1.pull0, 0);
    wr(rig, C0_ENGINE, 0x11111111);
    for (uint32_t method = 0x170; method < 0x210; method += 4) {
        bool handle = method >= 0x180 && method < 0x200;
        inject(rig, 2, 1, method, 0x77);
        rig_run(rig);
        expect_methods(rig, {1, method, handle ? instance : 0x77});
        expect_done(rig);
    }
    inject(rig, 2, 1, 0x180, 0x78);
    rig_run(rig);
    expect_stopped(rig, P_HASH_FAILED);
}

static void a_software_object_stops(void **state) {
    struct rig *rig = *state;
    uint32_t instance = rig_object(rig, 2, 0x77, 0, 0x42), valid = rig->nv40 ? 1u << 24 : 1u << 16;
    wr(rig, rig->c1.pull0, 0);
    wr(rig, C0_ENGINE, 0x11111111);
    inject(rig, 2, 3, 0, 0x77);
    rig_run(rig);
    expect_stopped(rig, P_SOFTWARE);
    expect_reg(rig, C0_ENGINE, 0x11111111);
    expect_reg(rig, C0_HASH, instance | valid);
}

static void builtin_methods_are_not_known(void **state) {
    struct rig *rig = *state;
    wr(rig, rig->c1.pull0, 0);
    wr(rig, C0_ENGINE, 0x11111111);
    for (uint32_t method = 4; method < 0x100; method += 4) {
        inject(rig, 2, 0, method, 0);
        rig_run(rig);
        expect_stopped(rig, P_HASH_FAILED);
    }
}

/* ---- all ---- */

static void make_object(struct rig *rig, uint32_t channel) {
    if (rig->nv4)
        rig_object(rig, channel, 0x500, 1, 0x42);
    else
        rig_old_object(rig, channel, 0x500, 0x42, 0x10);
}

/* Both pullers on: CACHE0 first. */
static void cache0_comes_before_cache1(void **state) {
    struct rig *rig = *state;
    make_object(rig, 1);
    make_object(rig, 2);
    wr(rig, rig->c1.pull0, 0);
    user_wr(rig, 1, 0, 0x500);
    inject(rig, 2, 7, 0, 0x500);
    wr(rig, rig->c1.pull0, 1);
    rig_run(rig);
    assert_int_equal(rig->logged, 2);
    assert_int_equal(rig->log[0].subchannel, 7);
    assert_int_equal(rig->log_channel[0], 2);
    assert_int_equal(rig->log_channel[1], 1);
}

/* GET toggles: the next command goes with PUT = 0. */
static void the_pointers_toggle(void **state) {
    struct rig *rig = *state;
    make_object(rig, 2);
    inject(rig, 2, 0, 0, 0x500);
    rig_run(rig);
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t put = i & 1 ? 4 : 0;
        wr(rig, rig->c0.put, put);
        expect_reg(rig, rig->c0.status, 0x100);
        rig_run(rig);
        expect_reg(rig, rig->c0.get, put);
        expect_reg(rig, rig->c0.status, 0x10);
        assert_int_equal(rig->logged, i + 2);
    }
}

static void without_its_puller_nothing_happens(void **state) {
    struct rig *rig = *state;
    make_object(rig, 2);
    inject(rig, 2, 0, 0, 0x500);
    wr(rig, rig->c0.pull0, 0);
    rig_run(rig);
    expect_no_methods(rig);
    expect_reg(rig, rig->c0.get, 0);
    wr(rig, rig->c0.pull0, 1);
    rig->engine[1].refuse = true;
    rig_run(rig);
    rig->engine[1].refuse = false;
    rig_run(rig);
    assert_int_equal(rig->logged, 1);
}

/* USER never writes into it. */
static void user_writes_do_not_land_in_it(void **state) {
    struct rig *rig = *state;
    wr(rig, rig->c1.pull0, 0);
    wr(rig, rig->c0.push1, 2);
    wr(rig, C0_PUSH0, 1);
    user_wr(rig, 2, 0x300, 1);
    expect_reg(rig, rig->c0.put, 0);
    expect_reg(rig, c0_entry(rig), 0);
    expect_reg(rig, INTR, I_RUNOUT);
    expect_runout(rig, 0, 2u << 16 | 0x300 | (uint32_t)NO_CACHE << 28, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ON_OLD(the_context_goes_before_each_method),
        ON_OLD(method_0_looks_up_and_replaces_the_context),
        ON_OLD(a_context_of_software_stops),
        ON_NV3(the_sequence_of_the_hardware_test),
        FROM_NV4(methods_go_to_the_engine_of_the_subchannel),
        FROM_NV4(method_0_binds_in_cache0_alone),
        FROM_NV4(handles_are_translated),
        FROM_NV4(a_software_object_stops),
        FROM_NV4(builtin_methods_are_not_known),
        ON_ALL(cache0_comes_before_cache1),
        ON_ALL(the_pointers_toggle),
        ON_ALL(without_its_puller_nothing_happens),
        ON_ALL(user_writes_do_not_land_in_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
