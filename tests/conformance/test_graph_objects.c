/* SPDX-License-Identifier: MIT */
/*
 * What PGRAPH of NV4 .. NV4x shows of objects: the words of each subchannel's, and of the one that a method was for.
 *
 * What is expected is from envytools hwtest/pgraph_mthd.cc, and what nouveau's engine/gr/nv04.c looks at.
 */
#include "rig.h"
#include "unit/graph/graph.h"
#include "unit/graph/graph_error.h"

#define DEBUG_1 0x400084

static const struct layout {
    const char *chip;
    uint32_t control, user, user_shift, cache, switched, words, first_bits, second_bits, instance_at, class_bits;
} layouts[] = {
    {"NV4", 0x400170, 0x400174, 24, 0x400180, 0x400160, 4, 0x0303f0ff, 0xffff3f03, 3, 0xff},
    {"NV5", 0x400170, 0x400174, 24, 0x400180, 0x400160, 4, 0x7f73f0ff, 0xffff3f03, 3, 0xff},
    {"NV10", 0x400144, 0x400148, 24, 0x400160, 0x40014c, 5, 0x7f33f0ff, 0xffff3f03, 3, 0xff},
    {"NV20", 0x400144, 0x400148, 24, 0x400160, 0x40014c, 5, 0x7ffff0ff, 0xffff3f03, 3, 0xff},
    {"NV30", 0x400144, 0x400148, 24, 0x400160, 0x40014c, 5, 0x7fffffff, 0xffff3f03, 3, 0xfff},
    {"NV40", 0, 0x400144, 0, 0x400160, 0x400148, 6, ~0u, ~0u, 4, 0xffff},
};

#define FIRST  0xbeef0001u
#define SECOND 0xbeef0002u

static const uint32_t words[2][5] = {{0x55aa5a97, 0x12343f01, 0xcafe0001, 0x00112233, 0x01020304},
                                     {0x2a55a596, 0x43212a02, 0xcafe0002, 0x00445566, 0x05060708}};

/* Two objects of channel 1, which is PGRAPH's. */
static void start(struct rig *rig, const struct layout *layout, uint32_t instances[2]) {
    rig_open(rig, 1);
    rig->fifo->engines[1].built_in = true;
    if (layout->control) {
        wr(rig, layout->user, 1u << layout->user_shift);
        wr(rig, layout->control, 0x10010100);
    }
    for (unsigned i = 0; i < 2; i++) {
        instances[i] = rig_instance(rig, words[i], 5);
        rig_handle(rig, 1, i ? SECOND : FIRST, 1, instances[i]);
    }
}

/* Word `n` of what is shown of object `object`. */
static uint32_t shown(const struct layout *layout, unsigned object, uint32_t instance, unsigned n) {
    if (n == layout->instance_at)
        return instance;
    uint32_t word = words[object][n > layout->instance_at ? n - 1 : n];
    return n == 0 ? word & layout->first_bits : n == 1 ? word & layout->second_bits : word;
}

static void expect_cached(struct rig *rig, const struct layout *layout, unsigned subchannel, unsigned object,
                          uint32_t instance) {
    for (unsigned n = 0; n < layout->words; n++)
        assert_int_equal(rd(rig, layout->cache + 0x20 * n + 4 * subchannel), shown(layout, object, instance, n));
}

/* Of the first word the bits that all of them have. */
static void expect_switched(struct rig *rig, const struct layout *layout, unsigned object, uint32_t instance) {
    static const uint32_t nv40[6] = {~0u, ~0u, 0x07ffffff, 0x00ffffff, 0x00ffffff, ~0u};
    for (unsigned n = 0; n < layout->words; n++) {
        uint32_t mask = n == 0 ? 0x0303f0ff : layout->words == 6 ? nv40[n] : ~0u;
        assert_int_equal(rd(rig, layout->switched + 4 * n) & mask, shown(layout, object, instance, n) & mask);
    }
}

static void each(void (*test)(struct rig *rig, const struct layout *layout, const uint32_t instances[2])) {
    for (size_t i = 0; i < sizeof layouts / sizeof layouts[0]; i++) {
        void *state = (void *)(uintptr_t)layouts[i].chip;
        uint32_t instances[2];
        assert_int_equal(rig_setup(&state), 0);
        start(state, &layouts[i], instances);
        test(state, &layouts[i], instances);
        rig_teardown(&state);
    }
}

static void binds(struct rig *rig, const struct layout *layout, const uint32_t instances[2]) {
    push(rig, INC(2, 0, 1), FIRST, INC(5, 0, 1), SECOND);
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    expect_cached(rig, layout, 2, 0, instances[0]);
    expect_cached(rig, layout, 5, 1, instances[1]);
    assert_int_equal(rd(rig, layout->user) >> 13 & 7, 5);
    for (unsigned n = 0; n < layout->words; n++) /* DEBUG_1 does not let them */
        assert_int_equal(rd(rig, layout->switched + 4 * n), 0);
    wr(rig, DEBUG_1, 1u << 20);
    push(rig, INC(3, 0, 1), FIRST);
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    expect_switched(rig, layout, 0, instances[0]);
    assert_int_equal(rd(rig, layout->user) >> 13 & 7, 3);
}

/* The class is that of the engine's object; the driver finds the instance, too. */
static void refuses(struct rig *rig, const struct layout *layout, const uint32_t instances[2]) {
    const struct unit_trap trap = {.subchannel = 2, .method = 0x2fc, .classes = {[2] = 0x97, [5] = 0x96}};
    const struct graph_codes trap_codes = {.nsource = 0x40};
    wr(rig, DEBUG_1, 1u << 20);
    push(rig, INC(2, 0, 1), FIRST, INC(5, 0, 1), SECOND);
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    expect_switched(rig, layout, 1, instances[1]);
    assert_true(graph_show(rig->fifo->graph, 1, &trap, &trap_codes));
    assert_int_equal(rd(rig, layout->user) >> 13 & 7, 2);
    assert_int_equal(rd(rig, layout->cache + 8) & layout->class_bits, 0x97);
    assert_int_equal(rd(rig, layout->cache + 20) & layout->class_bits, 0x96);
    assert_int_equal(rd(rig, layout->switched) & layout->class_bits, 0x97);
    assert_int_equal(rd(rig, layout->switched + 4 * layout->instance_at), instances[0]);
}

static void belongs_to_an_embedder(struct rig *rig, const struct layout *layout, const uint32_t instances[2]) {
    (void)instances;
    rig->fifo->engines[1].built_in = false;
    push(rig, INC(2, 0, 1), FIRST);
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    assert_int_equal(rd(rig, layout->cache + 8), 0);
}

static void method_0_loads_the_words_of_the_object(void **state) {
    (void)state;
    each(binds);
}

static void a_refused_method_shows_its_object(void **state) {
    (void)state;
    each(refuses);
}

static void the_graph_of_an_embedder_shows_nothing(void **state) {
    (void)state;
    each(belongs_to_an_embedder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(method_0_loads_the_words_of_the_object),
        cmocka_unit_test(a_refused_method_shows_its_object),
        cmocka_unit_test(the_graph_of_an_embedder_shows_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
