/* SPDX-License-Identifier: MIT */
/*
 * PGRAPH's gate before NV40: a method of another channel waits until the driver, or PGRAPH itself, has changed the
 * channel. The machine is bare: no channels but what a test writes into CACHE1 by hand.
 */
#include "rig.h"

#include <stdlib.h>
#include <string.h>

#define GRAPH_INTR    0x400100
#define GRAPH_INTR_EN 0x400140
#define DEBUG_3       0x40008c
#define VALID         0x00010000u
#define AUTOMATIC     4u

/* Where the chip has things, and how it writes them; from the documents. */
struct layout {
    const char *chip;
    uint32_t entries, push1, put, get, pull0;
    uint32_t fifo, control, user, user_shift;
    uint32_t trapped_addr, trapped_data, trapped; /* of method 0x300 on subchannel 2 of channel 3 */
    uint32_t interrupt;
};

static const struct layout layouts[] = {
    {"NV1", 0x3300, 0x3210, 0x3230, 0x3270, 0x3240, 0x4006a4, 0x400190, 0x400180, 16, 0x4006a8, 0x4006ac, 0x00004300,
     1u << 4},
    {"NV3", 0x3300, 0x3204, 0x3210, 0x3270, 0x3240, 0x4006a4, 0x400190, 0x400194, 24, 0x4006b4, 0x4006b8, 0x03004300,
     1u << 4},
    {"NV4", 0x3800, 0x3204, 0x3210, 0x3270, 0x3250, 0x400720, 0x400170, 0x400174, 24, 0x400704, 0x400708, 0x03004300,
     1u << 12},
    {"NV10", 0x3800, 0x3204, 0x3210, 0x3270, 0x3250, 0x400720, 0x400144, 0x400148, 24, 0x400704, 0x400708, 0x00320300,
     1u << 12},
    {"NV17", 0x3800, 0x3204, 0x3210, 0x3270, 0x3250, 0x400720, 0x400144, 0x400148, 24, 0x400704, 0x400708, 0x00320300,
     1u << 12},
    {"NV20", 0x3800, 0x3204, 0x3210, 0x3270, 0x3250, 0x400720, 0x400144, 0x400148, 24, 0x400704, 0x400708, 0x00320300,
     1u << 12},
};

#define METHOD 0x4300u /* subchannel 2, method 0x300 */
#define DATA   0xcafe0001u

/* Channel 3 in CACHE1, with one entry, on a subchannel that PGRAPH has an object on. */
static void start(struct rig *rig, const struct layout *layout) {
    rig_start_bare(rig, layout->chip);
    rig->fifo->engines[1].built_in = true;
    wr(rig, GRAPH_INTR_EN, ~0u);
    wr(rig, layout->push1, 3);
    wr(rig, 0x3280, 0x11111111); /* NV4-: engine of all subchannels */
    if (rig->chip->has_gray_pointers)
        wr(rig, 0x3280 + 16 * 2, 0x00d00000); /* NV1, NV3: a context of PGRAPH on subchannel 2 */
    wr(rig, layout->entries, METHOD);
    wr(rig, layout->entries + 4, DATA);
    wr(rig, layout->put, 4);
    wr(rig, layout->pull0, 1);
}

/* NV1 takes it only with its enable. */
static void wr_fifo(struct rig *rig, const struct layout *layout, uint32_t on) {
    wr(rig, layout->fifo, (strcmp(rig->chip->name, "NV1") == 0 ? 1u << 24 : 0) | on);
}

/* The method got there; on NV1 and NV3 its context came first. */
static void expect_taken(struct rig *rig) {
    assert_true(rig->logged >= 1);
    assert_memory_equal(&rig->log[rig->logged - 1], (&(struct rig_method){2, 0x300, DATA}), sizeof(struct rig_method));
    assert_int_equal(rd(rig, GRAPH_INTR), 0);
}

static void each(void (*test)(struct rig *, const struct layout *)) {
    struct rig *rig = malloc(sizeof *rig);
    assert_non_null(rig);
    for (size_t i = 0; i < sizeof layouts / sizeof layouts[0]; i++) {
        start(rig, &layouts[i]);
        test(rig, &layouts[i]);
        rig_stop(rig);
    }
    free(rig);
}

static void waits_and_asks(struct rig *rig, const struct layout *layout) {
    assert_int_equal(rig_run(rig), PFIFO_STOP_INTERRUPT);
    assert_int_equal(rig->logged, 0);
    assert_int_equal(rd(rig, GRAPH_INTR), layout->interrupt);
    assert_int_equal(rd(rig, PMC_INTR), PMC_INTR_PGRAPH);
    assert_int_equal(rd(rig, layout->trapped_addr), layout->trapped);
    assert_int_equal(rd(rig, layout->trapped_data), DATA);
    assert_int_equal(rd(rig, layout->get), 0);
}

static void driver_switches(struct rig *rig, const struct layout *layout) {
    waits_and_asks(rig, layout);
    wr_fifo(rig, layout, 0);
    wr(rig, layout->user, 3u << layout->user_shift);
    wr(rig, layout->control, 0x10010100);
    wr(rig, GRAPH_INTR, layout->interrupt);
    assert_int_equal(rig_run(rig), PFIFO_STOP_WAITING); /* FIFO access is off */
    assert_int_equal(rig->logged, 0);
    wr_fifo(rig, layout, 1);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    expect_taken(rig);
}

static void acknowledged_only(struct rig *rig, const struct layout *layout) {
    waits_and_asks(rig, layout);
    wr(rig, GRAPH_INTR, layout->interrupt);
    waits_and_asks(rig, layout);
}

static void already_there(struct rig *rig, const struct layout *layout) {
    wr(rig, layout->user, 3u << layout->user_shift);
    wr(rig, layout->control, VALID);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    expect_taken(rig);
}

static void no_longer_valid(struct rig *rig, const struct layout *layout) {
    wr(rig, layout->user, 3u << layout->user_shift);
    wr(rig, layout->control, 0);
    waits_and_asks(rig, layout);
}

static void after_reset(struct rig *rig, const struct layout *layout) {
    already_there(rig, layout);
    wr(rig, PMC_ENABLE, ~(1u << 12));
    wr(rig, PMC_ENABLE, ~0u);
    assert_int_equal(rd(rig, layout->control), 0);
    assert_int_equal(rd(rig, layout->fifo) & 1, 1);
}

static void embedders_graph(struct rig *rig, const struct layout *layout) {
    (void)layout;
    rig->fifo->engines[1].built_in = false;
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    expect_taken(rig);
}

static void method_of_another_channel_waits_and_raises_context_switch(void **state) {
    (void)state;
    each(waits_and_asks);
}

static void driver_switches_the_channel_and_the_method_goes_in(void **state) {
    (void)state;
    each(driver_switches);
}

static void context_switch_is_raised_again_if_the_driver_only_acknowledges(void **state) {
    (void)state;
    each(acknowledged_only);
}

static void method_of_the_channel_in_graph_goes_in(void **state) {
    (void)state;
    each(already_there);
}

static void channel_in_graph_counts_only_while_valid(void **state) {
    (void)state;
    each(no_longer_valid);
}

static void disabling_graph_in_pmc_resets_the_gate(void **state) {
    (void)state;
    each(after_reset);
}

static void an_embedders_graph_has_no_gate(void **state) {
    (void)state;
    each(embedders_graph);
}

/* NV20 and later: DEBUG_3 leaves the switch to PGRAPH. */
static void graph_of_nv20_switches_by_itself(void **state) {
    const struct layout *layout = &layouts[5];
    struct rig *rig = malloc(sizeof *rig);
    (void)state;
    assert_non_null(rig);
    start(rig, layout);
    wr(rig, DEBUG_3, AUTOMATIC);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    expect_taken(rig);
    assert_int_equal(rd(rig, layout->user) >> 24, 3);
    assert_int_equal(rd(rig, layout->control) & VALID, VALID);
    rig_stop(rig);
    free(rig);
}

/* NV10 and later: the entry after it is offered, too, if it is for the same method or the next one. */
static void a_pair_of_methods_shows_both_parameters(void **state) {
    static const struct {
        uint32_t second;
        bool pair;
    } rows[] = {{METHOD, true}, {METHOD + 4, true}, {METHOD + 8, false}, {METHOD + 0x2004, false}, {METHOD - 4, false}};
    const struct layout *layout = &layouts[3];
    struct rig *rig = malloc(sizeof *rig);
    (void)state;
    assert_non_null(rig);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        start(rig, layout);
        wr(rig, layout->entries + 8, rows[i].second);
        wr(rig, layout->entries + 12, 0xcafe0002);
        wr(rig, layout->put, 8);
        assert_int_equal(rig_run(rig), PFIFO_STOP_INTERRUPT);
        assert_int_equal(rd(rig, layout->trapped_addr), layout->trapped | (rows[i].pair ? 1u << 28 : 0));
        assert_int_equal(rd(rig, layout->trapped_data), DATA);
        assert_int_equal(rd(rig, 0x40070c), rows[i].pair ? 0xcafe0002 : 0);
        rig_stop(rig);
    }
    free(rig);
}

static void fifo_access_of_nv1_is_written_with_its_enable(void **state) {
    const struct layout *layout = &layouts[0];
    struct rig *rig = malloc(sizeof *rig);
    (void)state;
    assert_non_null(rig);
    rig_start_bare(rig, layout->chip);
    wr(rig, layout->fifo, 0);
    assert_int_equal(rd(rig, layout->fifo), 0x0f000101);
    wr(rig, layout->fifo, 0x02000010);
    assert_int_equal(rd(rig, layout->fifo), 0x0f000111);
    wr(rig, layout->fifo, 0x0101f110);
    assert_int_equal(rd(rig, layout->fifo), 0x0f000110);
    rig_stop(rig);
    free(rig);
}

/* NV3: the type is PGRAPH's own until the subchannel changes. */
static void a_method_is_for_the_type_that_ctx_user_shows(void **state) {
    const struct layout *layout = &layouts[1];
    struct rig *rig = malloc(sizeof *rig);
    (void)state;
    assert_non_null(rig);
    start(rig, layout); /* context of type 0x10 */
    wr(rig, layout->user, 0x03114000);
    wr(rig, layout->control, VALID);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    expect_taken(rig);
    assert_int_equal(rig->engine[1].bound_class, 0x21); /* of type 0x11 */
    assert_int_equal(rd(rig, layout->user), 0x03114000);
    wr(rig, layout->user, 0x03116000);
    wr(rig, layout->put, 8 ^ 4);
    wr(rig, layout->entries + 8, METHOD);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    assert_int_equal(rig->engine[1].bound_class, 0x1f);
    assert_int_equal(rd(rig, layout->user), 0x03104000);
    rig_stop(rig);
    free(rig);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(method_of_another_channel_waits_and_raises_context_switch),
        cmocka_unit_test(driver_switches_the_channel_and_the_method_goes_in),
        cmocka_unit_test(context_switch_is_raised_again_if_the_driver_only_acknowledges),
        cmocka_unit_test(method_of_the_channel_in_graph_goes_in),
        cmocka_unit_test(channel_in_graph_counts_only_while_valid),
        cmocka_unit_test(disabling_graph_in_pmc_resets_the_gate),
        cmocka_unit_test(an_embedders_graph_has_no_gate),
        cmocka_unit_test(graph_of_nv20_switches_by_itself),
        cmocka_unit_test(a_pair_of_methods_shows_both_parameters),
        cmocka_unit_test(fifo_access_of_nv1_is_written_with_its_enable),
        cmocka_unit_test(a_method_is_for_the_type_that_ctx_user_shows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
