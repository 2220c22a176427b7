/* SPDX-License-Identifier: MIT */
/*
 * The puller of NV1 and NV3: contexts, the method 0 that it sends by itself, software objects, and finishing these.
 *
 * Sources: envytools docs/hw/fifo/puller.rst, docs/hw/fifo/nv1-pfifo.rst, rnndb/fifo/nv1_pfifo.xml; hwtest/pfifo.cc,
 *          docs/hw/graph/intro.rst (types and classes)
 */
#include "rig.h"

static uint32_t kind(const struct rig *rig, uint32_t n) {
    return rig->nv1 ? 0x41 + n : 0x20 + n;
}

/* Objects of PGRAPH on all subchannels of channel 3; their contexts' low halves are 0x500 + subchannel. */
static void bind_all(struct rig *rig) {
    wr(rig, rig->c1.push1, 3);
    for (uint32_t i = 0; i < 8; i++) {
        rig_old_object(rig, 3, 0x1000 + i, kind(rig, i), 0x500 + i);
        user_wr(rig, 3, METHOD(i, 0), 0x1000 + i);
    }
    rig_run(rig);
    assert_int_equal(rig->logged, 8);
    rig->logged = 0;
}

static void expect_stopped(struct rig *rig, uint32_t cause, uint32_t get) {
    expect_reg(rig, rig->c1.pull0, cause);
    expect_reg(rig, rig->c1.get, get);
    expect_reg(rig, INTR, I_CACHE_ERROR);
    expect_reg(rig, DEBUG_0, 0x10);
}

static void skip_entry(struct rig *rig) {
    uint32_t n = 0, get = rd(rig, rig->c1.get);
    while (gray_pointer(rig, n) != get)
        n++;
    wr(rig, INTR, I_CACHE_ERROR);
    wr(rig, rig->c1.get, gray_pointer(rig, n + 1));
    wr(rig, rig->c1.pull0, 1);
    rig_run(rig);
}

static void method_0_puts_the_context_of_the_handle_in_place(void **state) {
    struct rig *rig = *state;
    for (uint32_t subchannel = 0; subchannel < 8; subchannel++) {
        uint32_t context = rig_old_object(rig, 3, 0x1000 + subchannel, kind(rig, subchannel), 0x7654 - subchannel);
        wr(rig, rig->c1.pull1, 0);
        user_wr(rig, 3, METHOD(subchannel, 0), 0x1000 + subchannel);
        rig_run(rig);
        expect_methods(rig, {subchannel, 0, 0x7654 - subchannel});
        assert_int_equal(rig->engine[1].channel, 3);
        expect_reg(rig, rig->c1.ctx + 16 * subchannel, context);
        expect_reg(rig, rig->c1.pull1, rig->nv1 ? 0x10 | subchannel : 0x10); /* dirty */
        expect_reg(rig, rig->c1.pull0, 1);
    }
}

/* Types have the class numbers by which drivers call them; those that do not exist none of a class. */
static void engines_are_told_the_class_of_the_type(void **state) {
    struct rig *rig = *state;
    static const struct {
        const char *chips;
        uint32_t type, object_class;
    } types[] = {
        {"NV1:NV4", 0x01, 0x12}, {"NV1:NV4", 0x03, 0x17},   {"NV1:NV4", 0x05, 0x19},   {"NV1:NV4", 0x06, 0x18},
        {"NV1:NV4", 0x0a, 0x1c}, {"NV1:NV4", 0x0b, 0x1d},   {"NV1:NV4", 0x10, 0x1f},   {"NV1:NV4", 0x11, 0x21},
        {"NV1", 0x0c, 0x1e},     {"NV3:NV4", 0x07, 0x1e},   {"NV3:NV4", 0x02, 0x43},   {"NV3:NV4", 0x0c, 0x4b},
        {"NV3:NV4", 0x0d, 0x39}, {"NV3:NV4", 0x0e, 0x37},   {"NV3:NV4", 0x15, 0x36},   {"NV3:NV4", 0x17, 0x48},
        {"NV3:NV4", 0x1c, 0x58}, {"NV1:NV4", 0x0f, 0xff0f}, {"NV1:NV4", 0x16, 0xff16}, {"NV1:NV4", 0x1b, 0xff1b}};
    wr(rig, rig->c1.push1, 3);
    for (size_t i = 0; i < COUNT_OF(types); i++) {
        if (!on(rig, types[i].chips))
            continue;
        rig_old_object(rig, 3, 0x1000, 0x40 | types[i].type, 0x500);
        user_wr(rig, 3, 0, 0x1000);
        rig_run(rig);
        expect_methods(rig, {0, 0, 0x500});
        assert_int_equal(rig->engine[1].bound_class, types[i].object_class);
        /* By CACHE0, too, and when the context goes along by itself. */
        wr(rig, rig->c0.push1, 3);
        wr(rig, rig->c0.ctx, rd(rig, rig->c1.ctx));
        wr(rig, rig->c0.entry, METHOD(1, 0x300));
        wr(rig, rig->c0.put, rd(rig, rig->c0.get) ^ 4);
        wr(rig, rig->c0.pull0, 1);
        rig->engine[1].bound_class = ~0u;
        rig_run(rig);
        wr(rig, rig->c0.pull0, 0);
        expect_methods(rig, {1, 0, 0x500}, {1, 0x300, 0});
        assert_int_equal(rig->engine[1].bound_class, types[i].object_class);
    }
}

/* Changing the subchannel sends the context of the new one first. */
static void another_subchannel_sends_its_context_first(void **state) {
    struct rig *rig = *state;
    bind_all(rig);
    for (uint32_t from = 0; from < 8; from++)
        for (uint32_t to = 0; to < 8; to++) {
            user_wr(rig, 3, METHOD(from, 0x300), 1);
            rig_run(rig);
            rig->logged = 0;
            user_wr(rig, 3, METHOD(to, 0x304), 2);
            user_wr(rig, 3, METHOD(to, 0x308), 3);
            rig_run(rig);
            if (from == to) {
                expect_methods(rig, {to, 0x304, 2}, {to, 0x308, 3});
                continue;
            }
            expect_methods(rig, {to, 0, 0x500 + to}, {to, 0x304, 2}, {to, 0x308, 3});
            if (rig->nv1)
                assert_int_equal(rd(rig, rig->c1.pull1) & 7, to);
        }
}

/* Methods of all offsets, those with handles on later chips, too, go through unchanged. */
static void methods_go_through_unchanged(void **state) {
    struct rig *rig = *state;
    bind_all(rig);
    for (uint32_t method = 0x100; method < 0x2000; method += 4) {
        user_wr(rig, 3, METHOD(7, method), ~method);
        rig_run(rig);
        expect_methods(rig, {7, method, ~method});
    }
}

/* NV1's flag: the context goes first once more. */
static void object_changed_sends_the_context_once(void **state) {
    struct rig *rig = *state;
    bind_all(rig);
    wr(rig, rig->c1.pull1, 0x107);
    user_wr(rig, 3, METHOD(7, 0x300), 1);
    user_wr(rig, 3, METHOD(7, 0x304), 2);
    rig_run(rig);
    expect_methods(rig, {7, 0, 0x507}, {7, 0x300, 1}, {7, 0x304, 2});
    expect_reg(rig, rig->c1.pull1, 7);
    wr(rig, rig->c1.pull1, 0x107);
    user_wr(rig, 3, METHOD(7, 0), 0x1007); /* a bind does it as well */
    user_wr(rig, 3, METHOD(7, 0x304), 2);
    rig_run(rig);
    expect_methods(rig, {7, 0, 0x507}, {7, 0x304, 2});
}

static void a_missing_handle_stops(void **state) {
    struct rig *rig = *state;
    bind_all(rig);
    uint32_t get = rd(rig, rig->c1.get), context = rd(rig, rig->c1.ctx + 16 * 2);
    user_wr(rig, 3, METHOD(2, 0), 0x7777);
    user_wr(rig, 3, METHOD(7, 0x300), 1);
    rig_run(rig);
    expect_stopped(rig, P_HASH_FAILED, get);
    expect_no_methods(rig);
    expect_reg(rig, rig->c1.ctx + 16 * 2, context);
    skip_entry(rig);
    expect_methods(rig, {7, 0x300, 1});
    expect_reg(rig, rig->c1.pull0, 1); /* the cause was that of the last entry */
}

/* The types of NV1's PGRAPH objects; the bit of NV3. */
static void what_is_pgraphs_and_what_is_software(void **state) {
    struct rig *rig = *state;
    wr(rig, rig->c1.push1, 3);
    for (uint32_t type = 0; type < 0x80; type++)
        for (uint32_t bit = 0; bit < 2; bit++) {
            bool hardware = rig->nv1 ? type >= 0x41 && type <= 0x5e : bit;
            uint32_t context = type << 16 | 0x123 | bit << 23 | (rig->nv3 ? 3u << 24 : 0);
            if (rig->nv1 && type == 0)
                continue;
            rig_ramht_entry(rig, rig_hash(rig, 0x4321, 3), 0x4321, context);
            uint32_t get = rd(rig, rig->c1.get);
            wr(rig, rig->c1.ctx, 0x5555);
            user_wr(rig, 3, 0, 0x4321);
            rig_run(rig);
            if (hardware) {
                expect_methods(rig, {0, 0, 0x123});
                continue;
            }
            expect_stopped(rig, P_SOFTWARE, get);
            expect_no_methods(rig);
            expect_reg(rig, rig->c1.ctx, 0x5555); /* the driver writes it */
            skip_entry(rig);
        }
}

/* Contexts of software on a subchannel: each method is the driver's. */
static void methods_of_a_software_object_stop(void **state) {
    struct rig *rig = *state;
    bind_all(rig);
    wr(rig, rig->c1.ctx + 16 * 4, 0x00100077);
    uint32_t get = rd(rig, rig->c1.get);
    user_wr(rig, 3, METHOD(4, 0x300), 1);
    user_wr(rig, 3, METHOD(4, 0x304), 2);
    user_wr(rig, 3, METHOD(5, 0x308), 3);
    rig_run(rig);
    expect_stopped(rig, P_SOFTWARE, get);
    skip_entry(rig);
    assert_int_equal(rd(rig, rig->c1.pull0), P_SOFTWARE);
    skip_entry(rig);
    expect_methods(rig, {5, 0, 0x505}, {5, 0x308, 3});
}

/* The driver makes commands of PGRAPH of it, through CACHE0, and lets CACHE1 go on. */
static void a_software_method_becomes_commands_through_cache0(void **state) {
    struct rig *rig = *state;
    bind_all(rig);
    wr(rig, rig->c1.ctx + 16 * 4, 0x00100077);
    user_wr(rig, 3, METHOD(4, 0x300), 1);
    user_wr(rig, 3, METHOD(7, 0x308), 3);
    rig_run(rig);
    wr(rig, rig->c0.push1, 3);
    wr(rig, rig->c0.ctx, rig_old_context(rig, 0, kind(rig, 2), 0x600));
    for (uint32_t i = 0; i < 3; i++) {
        wr(rig, rig->c0.entry, METHOD(6, 0x400 + 4 * i));
        wr(rig, rig->c0.entry + 4, 10 + i);
        wr(rig, rig->c0.put, rd(rig, rig->c0.get) ^ 4);
        wr(rig, C0_PUSH0, 1);
        wr(rig, rig->c0.pull0, 1);
        rig_run(rig);
        expect_methods(rig, {6, 0, 0x600}, {6, 0x400 + 4 * i, 10 + i});
        wr(rig, C0_PUSH0, 0);
    }
    wr(rig, rig->c0.pull0, 0);
    skip_entry(rig);
    assert_int_equal(rig->log[rig->logged - 1].data, 3);
}

/* After a switch the last subchannel is the one that was saved with the channel. */
static void a_switch_brings_the_last_subchannel_along(void **state) {
    struct rig *rig = *state;
    bind_all(rig);
    for (uint32_t last = 0; last < 8; last++) {
        wr(rig, rig->c1.push1, 3);
        user_wr(rig, 3, METHOD(last, 0x300), 1);
        rig_run(rig);
        user_wr(rig, 9, METHOD(0, 0x300), 2); /* nothing is bound there: software */
        rig_run(rig);
        expect_reg(rig, INTR, I_CACHE_ERROR);
        skip_entry(rig);
        rig->logged = 0;
        user_wr(rig, 3, METHOD(last, 0x304), 3);
        user_wr(rig, 3, METHOD(last ^ 1, 0x308), 4);
        rig_run(rig);
        expect_methods(rig, {last, 0x304, 3}, {last ^ 1, 0, 0x500 + (last ^ 1)}, {last ^ 1, 0x308, 4});
    }
}

static void a_stalled_engine_holds_the_entry(void **state) {
    struct rig *rig = *state;
    bind_all(rig);
    rig->engine[1].refuse = true;
    uint32_t get = rd(rig, rig->c1.get);
    user_wr(rig, 3, METHOD(7, 0x300), 1);
    rig_run(rig);
    expect_reg(rig, rig->c1.get, get);
    expect_reg(rig, INTR, 0);
    rig->engine[1].refuse = false;
    rig_run(rig);
    expect_methods(rig, {7, 0x300, 1});
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ON_OLD(method_0_puts_the_context_of_the_handle_in_place),
        ON_OLD(engines_are_told_the_class_of_the_type),
        ON_OLD(another_subchannel_sends_its_context_first),
        ON_OLD(methods_go_through_unchanged),
        ON_NV1(object_changed_sends_the_context_once),
        ON_OLD(a_missing_handle_stops),
        ON_OLD(what_is_pgraphs_and_what_is_software),
        ON_OLD(methods_of_a_software_object_stop),
        ON_OLD(a_software_method_becomes_commands_through_cache0),
        ON_OLD(a_switch_brings_the_last_subchannel_along),
        ON_OLD(a_stalled_engine_holds_the_entry),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
