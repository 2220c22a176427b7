/* SPDX-License-Identifier: MIT */
/*
 * How drivers of G80 .. MCP89 stop things: a channel with KICK, all of PFIFO with FREEZE.
 *
 * Sources: envytools rnndb/fifo/g80_pfifo.xml; nouveau nvkm/engine/fifo/{channv50,chang84}.c, subdev/clk/gt215.c; pscnv
 * wiki, PFIFO. What the documents do not say is [chosen].
 */
#include "g80.h"

#define ENABLE      (1u << 31)
#define PME_CONTROL 0xb860
#define NOT_YET     0xffffffffu

/* ---- kick ---- */

static uint32_t pointer(uint32_t channel) {
    return RIG_DESCRIPTOR(channel) >> 12;
}

/* Channel 1 has bound an engine with each of the ids 1 and 2. */
static void use_engines(struct rig *rig) {
    rig_object(rig, 1, 0xbeef0001, 1, 0x5097);
    rig_object(rig, 1, 0xbeef0002, 2, 0x3174);
    push(rig, INC(0, 0, 1), 0xbeef0001, INC(1, 0, 1), 0xbeef0002);
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
}

static void kick_waits_for_busy_engines_of_its_mask(void **state) {
    struct rig *rig = *state;
    use_engines(rig);
    rig->engine[2].busy = true;
    wr(rig, KICK_MASK, 1 << 1);
    wr(rig, KICK, pointer(1));
    assert_int_equal(rd(rig, KICK), NOT_YET);
    assert_int_equal(current_channel(rig), 1);
    rig->engine[2].busy = false;
    assert_int_equal(rd(rig, KICK), pointer(1));
    assert_int_equal(current_channel(rig), CHANNEL_IDLE);
}

static void kick_does_not_wait_for_others(void **state) {
    struct rig *rig = *state;
    use_engines(rig);
    rig->engine[2].busy = true;
    wr(rig, KICK_MASK, ~(1u << 1));
    wr(rig, KICK, pointer(1));
    assert_int_equal(rd(rig, KICK), pointer(1));
    assert_int_equal(current_channel(rig), CHANNEL_IDLE);
}

/* The mask has no say on G80. */
static void kick_of_g80_waits_for_all_engines(void **state) {
    struct rig *rig = *state;
    use_engines(rig);
    for (unsigned id = 1; id <= 2; id++) {
        rig->engine[id].busy = true;
        wr(rig, KICK, pointer(1));
        assert_int_equal(rd(rig, KICK), NOT_YET);
        rig->engine[id].busy = false;
    }
    assert_int_equal(rd(rig, KICK), pointer(1));
    assert_int_equal(current_channel(rig), CHANNEL_IDLE);
}

static void kick_of_g80_does_not_wait_for_pme_if_it_is_told_so(void **state) {
    struct rig *rig = *state;
    rig->fifo->engines[3] = rig->fifo->engines[2];
    rig_object(rig, 1, 0xbeef0003, 3, 0);
    push(rig, INC(0, 0, 1), 0xbeef0003);
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    rig->engine[2].busy = true;
    wr(rig, KICK, pointer(1));
    assert_int_equal(rd(rig, KICK), NOT_YET);
    wr(rig, PME_CONTROL, 1);
    assert_int_equal(rd(rig, KICK), pointer(1));
    assert_int_equal(current_channel(rig), CHANNEL_IDLE);
}

/* What is busy for somebody else is none of its business. */
static void kick_looks_at_its_own_channel_only(void **state) {
    struct rig *rig = *state;
    rig_open(rig, 2);
    use_engines(rig);
    bring_in(rig, 2);
    rig->engine[1].busy = true; /* for channel 1 */
    wr(rig, KICK_MASK, 0x3f);
    wr(rig, KICK, pointer(2));
    assert_int_equal(rd(rig, KICK), pointer(2));
    assert_int_equal(current_channel(rig), CHANNEL_IDLE);
    wr(rig, KICK, pointer(1));
    assert_int_equal(rd(rig, KICK), NOT_YET);
    rig->engine[1].busy = false;
    assert_int_equal(rd(rig, KICK), pointer(1));
}

/* The engines have to be told again. */
static void after_a_kick_the_engine_switches_anew(void **state) {
    struct rig *rig = *state;
    use_engines(rig);
    uint32_t before = rig->engine[1].switches;
    push(rig, INC(0, 0x200, 1), 1);
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    assert_int_equal(rig->engine[1].switches, before);
    wr(rig, KICK_MASK, 1);
    wr(rig, KICK, pointer(1));
    push(rig, INC(0, 0x200, 1), 2);
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    assert_int_equal(rig->engine[1].switches, before + 1);
}

static void kick_that_waits_is_done_when_pfifo_works_next(void **state) {
    struct rig *rig = *state;
    use_engines(rig);
    rig->engine[1].busy = true;
    wr(rig, KICK_MASK, 1);
    wr(rig, KICK, pointer(1));
    rig->engine[1].busy = false;
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    assert_int_equal(current_channel(rig), CHANNEL_IDLE);
    assert_int_equal(rd(rig, KICK), pointer(1));
}

/* An engine that becomes idle and looks itself, in the middle of a packet. */
static uint32_t looks_at_kick(void *opaque, const struct pfifo_methods *run) {
    struct rig_engine *engine = opaque;
    engine->busy = false;
    assert_int_equal(rd(engine->rig, KICK), NOT_YET);
    assert_int_equal(current_channel(engine->rig), 1);
    engine->rig->logged += run->count;
    return run->count;
}

static void a_kick_does_not_happen_under_the_hands_of_an_engine(void **state) {
    struct rig *rig = *state;
    static struct pfifo_engine_ops ops;
    use_engines(rig);
    ops = *rig->fifo->engines[1].ops;
    ops.methods = looks_at_kick;
    rig->fifo->engines[1].ops = &ops;
    for (uint32_t single = 0; single < 2; single++) { /* method by method, or all at once */
        rig->fifo->materialise = single != 0;
        push(rig, INC(0, 0, 1), 0xbeef0001);
        assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
        rig->logged = 0;
        rig->engine[1].busy = true;
        wr(rig, KICK_MASK, 1);
        push(rig, INC(0, 0x200, 3), 1, 2, 3, INC(0, 0x50, 1), 0x70 + single, INC(0, 0x200, 1), 4);
        rig_submit(rig, 1);
        wr(rig, KICK, pointer(1));
        assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
        assert_int_equal(rig->logged, 4);
        assert_int_equal(rd(rig, REF), 0x70 + single);
        assert_int_equal(current_channel(rig), 1);
        assert_int_equal(rd(rig, KICK), pointer(1));
        assert_int_equal(current_channel(rig), CHANNEL_IDLE);
    }
}

/* The order of chang84.c: mask, kick, poll, mask back; then the channel is disabled and out of the list. */
static void teardown_of_a_channel(void **state) {
    struct rig *rig = *state;
    use_engines(rig);
    push(rig, INC(0, 0x200, 1), 1);
    rig_submit(rig, 1);
    uint32_t save = rd(rig, 0x2520);
    wr(rig, 0x2520, 1);
    wr(rig, KICK, pointer(1));
    assert_int_not_equal(rd(rig, KICK), NOT_YET);
    wr(rig, 0x2520, save);
    wr(rig, CHAN_TABLE + 4, rd(rig, CHAN_TABLE + 4) & ~ENABLE);
    publish(rig, NULL, 0);
    wr(rig, CACHES, 0x101);
    wr(rig, CHAN_TABLE + 4, 0);
    rig->logged = 0;
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    expect_no_methods(rig);
    assert_int_equal(rd(rig, CHAN_TABLE + 4), 0);
    assert_int_equal(current_channel(rig), CHANNEL_IDLE);
}

/* ---- freeze ---- */

static void frozen_answers_enable_both_ways(void **state) {
    struct rig *rig = *state;
    assert_int_equal(rd(rig, FREEZE), 0);
    wr(rig, FREEZE, 0xffffffff);
    assert_int_equal(rd(rig, FREEZE), 0x11);
    wr(rig, FREEZE, 0x10);
    assert_int_equal(rd(rig, FREEZE), 0);
}

static void frozen_nothing_is_fetched_executed_or_switched(void **state) {
    struct rig *rig = *state;
    rig_open(rig, 2);
    bring_in(rig, 1);
    wr(rig, CACHE_METHOD + 2 * rd(rig, CACHE_PUT), 0x50);
    wr(rig, CACHE_DATA + 2 * rd(rig, CACHE_PUT), 0x55);
    wr(rig, CACHE_PUT, rd(rig, CACHE_PUT) + 4);
    wr(rig, FREEZE, 1);
    push(rig, INC(0, 0x50, 1), 0x66);
    push_to(rig, 2, INC(0, 0x50, 1), 0x77);
    rig_submit(rig, 1);
    rig_submit(rig, 2);
    wr(rig, TIMESLICE, 0x3ffff);
    assert_int_equal(rig_run(rig), PFIFO_STOP_FROZEN);
    assert_int_equal(rd(rig, REF), 0);
    assert_int_equal(rd(rig, DMA_GET), 4);
    assert_int_equal(cache_entries(rig), 1);
    assert_int_equal(current_channel(rig), 1);
    assert_int_equal(user_rd(rig, 1, USER_PUT), 12);
    assert_int_equal(user_rd(rig, 2, USER_PUT), 8);
    wr(rig, FREEZE, 0);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    assert_int_equal(user_rd(rig, 1, USER_REF), 0x66);
    assert_int_equal(user_rd(rig, 2, USER_REF), 0x77);
}

static void what_is_asked_for_while_frozen_happens_afterwards(void **state) {
    struct rig *rig = *state;
    rig_open(rig, 2);
    bring_in(rig, 1);
    wr(rig, FREEZE, 1);
    wr(rig, KICK, pointer(1));
    assert_int_equal(rd(rig, KICK), NOT_YET);
    assert_int_equal(current_channel(rig), 1);
    wr(rig, FREEZE, 0);
    assert_int_equal(rd(rig, KICK), pointer(1));
    assert_int_equal(current_channel(rig), CHANNEL_IDLE);

    bring_in(rig, 2);
    wr(rig, FREEZE, 1);
    publish(rig, (const uint32_t[]){1}, 1);
    wr(rig, CACHES, 0x101);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    assert_int_equal(current_channel(rig), 2);
    wr(rig, FREEZE, 0);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    assert_int_equal(current_channel(rig), CHANNEL_IDLE);
}

/* gt215.c's sequence around a change of clocks: freeze, no interrupt, puller off, frozen, engines idle; and back. */
static void full_stop_and_resume(void **state) {
    struct rig *rig = *state;
    use_engines(rig);
    rig->logged = 0;
    push(rig, INC(0, 0x200, 2), 1, 2);
    rig_submit(rig, 1);
    assert_int_equal(rig_run_for(rig, 2), PFIFO_STOP_BUDGET);
    wr(rig, FREEZE, rd(rig, FREEZE) | 1);
    assert_int_equal(rd(rig, PMC_INTR), 0);
    wr(rig, CACHES, 0);
    wr(rig, PULL0, rd(rig, PULL0) & ~1u);
    assert_int_equal(rd(rig, PULL0) & 0x1010, 0);
    wr(rig, HASH, 0);
    assert_int_equal(rd(rig, FREEZE) & 0x10, 0x10);
    assert_int_equal(rd(rig, ENGINE_IDLE) & 0x3f, 0x3f);
    wr(rig, PULL0, rd(rig, PULL0) | 1);
    wr(rig, CACHES, 1);
    wr(rig, FREEZE, rd(rig, FREEZE) & ~1u);
    assert_int_equal(rd(rig, FREEZE) & 0x10, 0);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    expect_methods(rig, {0, 0x200, 1}, {0, 0x204, 2});
}

int main(void) {
    const struct CMUnitTest tests[] = {
        FROM_G84(kick_waits_for_busy_engines_of_its_mask),
        FROM_G84(kick_does_not_wait_for_others),
        ON_G80(kick_of_g80_waits_for_all_engines),
        ON_G80(kick_of_g80_does_not_wait_for_pme_if_it_is_told_so),
        FROM_G84(kick_looks_at_its_own_channel_only),
        FROM_G84(after_a_kick_the_engine_switches_anew),
        FROM_G84(kick_that_waits_is_done_when_pfifo_works_next),
        FROM_G84(a_kick_does_not_happen_under_the_hands_of_an_engine),
        FROM_G84(teardown_of_a_channel),
        ON_EACH(frozen_answers_enable_both_ways),
        ON_KINDS(frozen_nothing_is_fetched_executed_or_switched),
        ON_KINDS(what_is_asked_for_while_frozen_happens_afterwards),
        ON_EACH(full_stop_and_resume),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
