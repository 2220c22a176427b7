/* SPDX-License-Identifier: MIT */
/* Which lanes run, and where they go. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "shade/rig.h"

static struct rig *rig_of(void **state) {
    return *state;
}

static int begin(void **state) {
    struct rig *rig = malloc(sizeof *rig);
    if (!rig)
        return -1;
    rig_begin(rig);
    *state = rig;
    return 0;
}

static int end(void **state) {
    rig_end(*state);
    free(*state);
    return 0;
}

/* d = d + value, for lanes of a predicate. */
static struct ir *add_value(struct rig *rig, unsigned d, uint32_t value) {
    struct ir *ir = rig_add(rig, IR_IADD);
    ir->d = (uint8_t)d;
    ir->a = rig_register(d);
    ir->b = rig_immediate(value);
    return ir;
}

static struct ir *flow(struct rig *rig, enum ir_op op, unsigned target) {
    struct ir *ir = rig_add(rig, op);
    ir->offset = 8 * target;
    return ir;
}

static void guard(struct ir *ir, unsigned predicate, bool negate) {
    ir->guard = (uint8_t)predicate;
    ir->guard_negate = negate;
}

static void assert_row(const struct rig *rig, unsigned number, uint32_t mask, uint32_t in, uint32_t out) {
    for (unsigned i = 0; i < SHADE_LANES; i++)
        assert_int_equal(rig->warp.registers[number][i], mask >> i & 1 ? in : out);
}

static void registers_of_lanes_that_do_not_run_keep_their_values(void **state) {
    struct rig *rig = rig_of(state);
    guard(add_value(rig, 0, 5), 2, true);
    rig_load(rig, 0x00ffffff, 0);
    rig->warp.predicates[2] = 0x0000ffff;
    assert_int_equal(rig_run(rig), SHADE_DONE);
    assert_row(rig, 0, 0x00ff0000, 5, 0);
}

static void both_ways_of_an_if_join_behind_it(void **state) {
    struct rig *rig = rig_of(state);
    flow(rig, IR_SSY, 6);                    /* 0 */
    guard(flow(rig, IR_BRA, 4), 0, false);   /* 1 */
    add_value(rig, 0, 1);                    /* 2 */
    rig_add(rig, IR_SYNC);                   /* 3 */
    add_value(rig, 0, 2);                    /* 4 */
    rig_add(rig, IR_SYNC);                   /* 5 */
    struct ir *vote = rig_add(rig, IR_VOTE); /* 6: who is here? */
    vote->d = 1;
    rig_load(rig, UINT32_MAX, 0);
    rig->warp.predicates[0] = 0x0f0f0f0f;
    assert_int_equal(rig_run(rig), SHADE_DONE);
    assert_row(rig, 0, 0x0f0f0f0f, 2, 1);
    assert_row(rig, 1, UINT32_MAX, UINT32_MAX, 0);
}

/* As Mesa writes it: PBK to the exit, PCNT to itself, so that CONT comes back to it. */
static void loops_break_and_continue(void **state) {
    struct rig *rig = rig_of(state);
    flow(rig, IR_PBK, 9);                    /* 0 */
    flow(rig, IR_PCNT, 1);                   /* 1 */
    struct ir *set = rig_add(rig, IR_ISETP); /* 2: p0 = r0 >= r1 */
    set->p = 0;
    set->a = rig_register(0);
    set->b = rig_register(1);
    set->compare = IR_GE;
    guard(flow(rig, IR_BRK, 0), 0, false); /* 3 */
    add_value(rig, 0, 1);                  /* 4 */
    struct ir *odd = rig_add(rig, IR_LOP); /* 5: p1 = r0 & 1 */
    odd->a = rig_register(0);
    odd->b = rig_immediate(1);
    odd->p = 1;
    odd->mode = 3;
    guard(flow(rig, IR_CONT, 0), 1, false); /* 6 */
    add_value(rig, 2, 1);                   /* 7 */
    flow(rig, IR_CONT, 0);                  /* 8 */
    add_value(rig, 3, 1);                   /* 9 */
    rig_load(rig, UINT32_MAX, 0);
    for (unsigned i = 0; i < SHADE_LANES; i++)
        rig->warp.registers[1][i] = i;
    assert_int_equal(rig_run(rig), SHADE_DONE);
    for (unsigned i = 0; i < SHADE_LANES; i++) {
        assert_int_equal(rig->warp.registers[0][i], i);
        assert_int_equal(rig->warp.registers[2][i], i / 2);
        assert_int_equal(rig->warp.registers[3][i], 1);
    }
}

/* As NAK lays it out: what is rare is after the way out of the loop, and a lane that is out has the lower address. */
static void who_breaks_waits_for_lanes_whose_loop_lies_after_its_end(void **state) {
    struct rig *rig = rig_of(state);
    flow(rig, IR_PBK, 6);                    /* 0 */
    flow(rig, IR_BRA, 9);                    /* 1 */
    struct ir *vote = rig_add(rig, IR_VOTE); /* 2: never run */
    vote->d = 4;
    rig_add(rig, IR_NOP);         /* 3 */
    rig_add(rig, IR_NOP);         /* 4 */
    rig_add(rig, IR_NOP);         /* 5 */
    vote = rig_add(rig, IR_VOTE); /* 6: who is here? */
    vote->d = 2;
    rig_add(rig, IR_EXIT);                   /* 7 */
    rig_add(rig, IR_NOP);                    /* 8 */
    struct ir *set = rig_add(rig, IR_ISETP); /* 9: p0 = r0 >= r1 */
    set->p = 0;
    set->a = rig_register(0);
    set->b = rig_register(1);
    set->compare = IR_GE;
    guard(flow(rig, IR_BRK, 0), 0, false); /* 10 */
    add_value(rig, 0, 1);                  /* 11 */
    flow(rig, IR_BRA, 9);                  /* 12 */
    rig_load(rig, UINT32_MAX, 0);
    for (unsigned i = 0; i < SHADE_LANES; i++)
        rig->warp.registers[1][i] = i % 5;
    assert_int_equal(rig_run(rig), SHADE_DONE);
    assert_row(rig, 2, UINT32_MAX, UINT32_MAX, 0);
    assert_row(rig, 4, UINT32_MAX, 0, 0);
}

/* Of two nested ifs the outer join waits for all, also for those that come to it by a way that ends elsewhere. */
static void who_joins_does_not_wait_for_lanes_that_have_ended(void **state) {
    struct rig *rig = rig_of(state);
    flow(rig, IR_SSY, 4);                    /* 0 */
    guard(flow(rig, IR_BRA, 6), 0, false);   /* 1 */
    rig_add(rig, IR_SYNC);                   /* 2 */
    rig_add(rig, IR_EXIT);                   /* 3: never run */
    struct ir *vote = rig_add(rig, IR_VOTE); /* 4 */
    vote->d = 2;
    rig_add(rig, IR_EXIT);                  /* 5 */
    guard(rig_add(rig, IR_EXIT), 1, false); /* 6 */
    add_value(rig, 0, 1);                   /* 7 */
    rig_add(rig, IR_SYNC);                  /* 8 */
    rig_load(rig, UINT32_MAX, 0);
    rig->warp.predicates[0] = 0x0000ffff;
    rig->warp.predicates[1] = 0x000000ff;
    assert_int_equal(rig_run(rig), SHADE_DONE);
    assert_row(rig, 2, 0xffffff00, 0xffffff00, 0);
    assert_row(rig, 0, 0x0000ff00, 1, 0);
}

/* UNKNOWN in flow.c: a barrier in a loop that some lanes have left. */
static void who_breaks_does_not_wait_for_lanes_at_a_barrier(void **state) {
    struct rig *rig = rig_of(state);
    flow(rig, IR_PBK, 4);                  /* 0 */
    guard(flow(rig, IR_BRK, 0), 0, false); /* 1 */
    rig_add(rig, IR_BAR);                  /* 2 */
    flow(rig, IR_BRK, 0);                  /* 3 */
    add_value(rig, 0, 1);                  /* 4 */
    rig_load(rig, UINT32_MAX, 0);
    rig->warp.predicates[0] = 0x0000ffff;
    assert_int_equal(rig_run(rig), SHADE_BARRIER);
    assert_row(rig, 0, 0x0000ffff, 1, 0);
    assert_int_equal(rig_run(rig), SHADE_DONE);
    assert_row(rig, 0, UINT32_MAX, 1, 0);
}

static void calls_return_behind_themselves(void **state) {
    struct rig *rig = rig_of(state);
    flow(rig, IR_CAL, 3);   /* 0 */
    flow(rig, IR_CAL, 3);   /* 1 */
    rig_add(rig, IR_EXIT);  /* 2 */
    add_value(rig, 0, 7);   /* 3 */
    rig_add(rig, IR_RET);   /* 4 */
    add_value(rig, 0, 100); /* 5 */
    rig_load(rig, UINT32_MAX, 0);
    assert_int_equal(rig_run(rig), SHADE_DONE);
    assert_row(rig, 0, UINT32_MAX, 14, 0);
    assert_int_equal(rig->warp.depth[0], 0);
}

/* Without a SYNC; all of those that are there is not all that there could be. */
static void lanes_that_run_into_others_go_on_with_them(void **state) {
    struct rig *rig = rig_of(state);
    guard(flow(rig, IR_BRA, 2), 0, false);   /* 0 */
    add_value(rig, 0, 1);                    /* 1 */
    struct ir *vote = rig_add(rig, IR_VOTE); /* 2 */
    vote->d = 1;
    vote->p = 1;
    rig_load(rig, 0xffff, 0);
    rig->warp.predicates[0] = 0x0f0f;
    assert_int_equal(rig_run(rig), SHADE_DONE);
    assert_row(rig, 0, 0xf0f0, 1, 0);
    assert_row(rig, 1, 0xffff, 0xffff, 0);
    assert_int_equal(rig->warp.predicates[1] & 0xffff, 0xffff);
}

static void a_join_bit_is_a_sync_of_its_guard(void **state) {
    struct rig *rig = rig_of(state);
    flow(rig, IR_SSY, 3);                  /* 0 */
    struct ir *nop = rig_add(rig, IR_NOP); /* 1 */
    guard(nop, 0, true);
    nop->join = true;
    add_value(rig, 0, 1)->join = true; /* 2 */
    add_value(rig, 0, 10);             /* 3 */
    rig_load(rig, UINT32_MAX, 0);
    rig->warp.predicates[0] = 0x3;
    assert_int_equal(rig_run(rig), SHADE_DONE);
    assert_row(rig, 0, 0x3, 11, 10);
}

/* The first quad ends with KIL; in the second one a lane that was killed goes on, and its join finds no entry. */
static void a_join_can_fail_after_lanes_have_ended(void **state) {
    struct rig *rig = rig_of(state);
    rig->io.quads = true;
    struct ir *kil = rig_add(rig, IR_KIL);
    guard(kil, 0, false);
    kil->join = true;
    rig_load(rig, 0xff, 0);
    rig->warp.predicates[0] = 0x1f;
    assert_int_equal(rig_run(rig), SHADE_ERROR);
    assert_int_equal(rig->warp.error, SHADE_STACK_ERROR);
    assert_int_equal(rig->warp.fault_address, 0);
    assert_int_equal(rig->warp.alive, 0xf0);
}

static void discarded_lanes_run_on_while_their_quad_lives(void **state) {
    struct rig *rig = rig_of(state);
    guard(rig_add(rig, IR_KIL), 0, false);
    add_value(rig, 0, 1);
    rig->io.quads = true;
    rig_load(rig, UINT32_MAX, 0x80); /* lane 7 is a helper */
    rig->warp.predicates[0] = 0x7f;  /* the first quad, and the rest of the second */
    assert_int_equal(rig_run(rig), SHADE_DONE);
    assert_row(rig, 0, 0xffffff00, 1, 0);
    assert_int_equal(rig->warp.killed, 0x7f);
}

static void lanes_of_a_killed_one_give_derivatives(void **state) {
    struct rig *rig = rig_of(state);
    guard(rig_add(rig, IR_KIL), 0, false);
    add_value(rig, 0, 1);
    rig->io.quads = true;
    rig_load(rig, 0xf, 0);
    rig->warp.predicates[0] = 0x1;
    assert_int_equal(rig_run(rig), SHADE_DONE);
    assert_row(rig, 0, 0xf, 1, 0);
}

static void all_mode_adds_the_lanes_of_running_quads(void **state) {
    struct rig *rig = rig_of(state);
    guard(flow(rig, IR_BRA, 4), 0, false); /* 0 */
    rig_add(rig, IR_SAM);                  /* 1 */
    add_value(rig, 0, 1);                  /* 2 */
    rig_add(rig, IR_RAM);                  /* 3 */
    add_value(rig, 1, 1);                  /* 4 */
    rig_load(rig, 0xfff, 0);
    rig->warp.predicates[0] = 0xff1; /* of the first quad lanes 1 .. 3 go on */
    assert_int_equal(rig_run(rig), SHADE_DONE);
    assert_row(rig, 0, 0xf, 1, 0);
    assert_row(rig, 1, 0xfff, 1, 0);
}

static void an_endless_loop_ends_with_the_budget_and_goes_on(void **state) {
    struct rig *rig = rig_of(state);
    add_value(rig, 0, 1);
    flow(rig, IR_BRA, 0);
    rig_load(rig, UINT32_MAX, 0);
    uint64_t used;
    for (unsigned round = 1; round < 4; round++) {
        assert_int_equal(shade_run(&rig->warp, 20, &used), SHADE_BUDGET);
        assert_int_equal(used, 20);
        assert_row(rig, 0, UINT32_MAX, 10 * round, 0);
    }
}

static void a_barrier_stops_the_warp_until_it_is_called_again(void **state) {
    struct rig *rig = rig_of(state);
    rig_add(rig, IR_BAR);
    add_value(rig, 0, 1);
    rig_load(rig, UINT32_MAX, 0);
    assert_int_equal(rig_run(rig), SHADE_BARRIER);
    assert_row(rig, 0, 0, 0, 0);
    assert_int_equal(rig_run(rig), SHADE_DONE);
    assert_row(rig, 0, UINT32_MAX, 1, 0);
}

static void what_is_no_instruction_stops_at_its_address(void **state) {
    struct rig *rig = rig_of(state);
    rig_add(rig, IR_NOP);
    rig_add(rig, IR_OPS);
    rig_load(rig, UINT32_MAX, 0);
    assert_int_equal(rig_run(rig), SHADE_ERROR);
    assert_int_equal(rig->warp.fault_address, 8);
    rig->code[0] = rig_neutral(IR_BRA);
    rig->code[0].offset = 0x10000;
    rig_load(rig, UINT32_MAX, 0);
    assert_int_equal(rig_run(rig), SHADE_FAULT);
    assert_int_equal(rig->warp.fault_address, 0x10000);
}

static void what_is_not_executed_is_reported_once(void **state) {
    struct rig *rig = rig_of(state);
    struct ir *other = rig_add(rig, IR_OTHER);
    other->name = "BPT";
    struct ir *loop = flow(rig, IR_BRA, 0);
    loop->guard = 0;
    rig_load(rig, UINT32_MAX, 0);
    assert_int_equal(rig_run(rig), SHADE_DONE);
    assert_string_equal(rig->not_executed, "BPT");
    assert_int_equal(rig->reports, 1);
}

static void a_push_without_room_is_an_error_of_the_stack(void **state) {
    struct rig *rig = rig_of(state);
    flow(rig, IR_SSY, 0);
    flow(rig, IR_BRA, 0);
    rig_load(rig, UINT32_MAX, 0);
    assert_int_equal(rig_run(rig), SHADE_ERROR);
    assert_int_equal(rig->warp.error, SHADE_STACK_ERROR);
    assert_int_equal(rig->warp.fault_address, 0);
    assert_int_equal(rig->warp.depth[0], SHADE_STACK);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(registers_of_lanes_that_do_not_run_keep_their_values, begin, end),
        cmocka_unit_test_setup_teardown(both_ways_of_an_if_join_behind_it, begin, end),
        cmocka_unit_test_setup_teardown(lanes_that_run_into_others_go_on_with_them, begin, end),
        cmocka_unit_test_setup_teardown(loops_break_and_continue, begin, end),
        cmocka_unit_test_setup_teardown(who_breaks_waits_for_lanes_whose_loop_lies_after_its_end, begin, end),
        cmocka_unit_test_setup_teardown(who_joins_does_not_wait_for_lanes_that_have_ended, begin, end),
        cmocka_unit_test_setup_teardown(who_breaks_does_not_wait_for_lanes_at_a_barrier, begin, end),
        cmocka_unit_test_setup_teardown(calls_return_behind_themselves, begin, end),
        cmocka_unit_test_setup_teardown(a_join_bit_is_a_sync_of_its_guard, begin, end),
        cmocka_unit_test_setup_teardown(a_join_can_fail_after_lanes_have_ended, begin, end),
        cmocka_unit_test_setup_teardown(discarded_lanes_run_on_while_their_quad_lives, begin, end),
        cmocka_unit_test_setup_teardown(lanes_of_a_killed_one_give_derivatives, begin, end),
        cmocka_unit_test_setup_teardown(all_mode_adds_the_lanes_of_running_quads, begin, end),
        cmocka_unit_test_setup_teardown(an_endless_loop_ends_with_the_budget_and_goes_on, begin, end),
        cmocka_unit_test_setup_teardown(a_barrier_stops_the_warp_until_it_is_called_again, begin, end),
        cmocka_unit_test_setup_teardown(what_is_no_instruction_stops_at_its_address, begin, end),
        cmocka_unit_test_setup_teardown(what_is_not_executed_is_reported_once, begin, end),
        cmocka_unit_test_setup_teardown(a_push_without_room_is_an_error_of_the_stack, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
