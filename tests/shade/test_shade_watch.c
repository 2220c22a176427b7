/* SPDX-License-Identifier: MIT */
/* A warp whose io has a watch: what it is told, and that the warp does the same. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "engine/shade/watch.h"
#include "shade/rig.h"

#define MOST 64u

struct watched {
    struct rig rig, plain;
    struct shade_watch watch;
    struct shade_identity identity;
    struct pfifo_program_step step[MOST];
    unsigned steps;
};

static void note(void *opaque, struct shade_warp *warp, const struct pfifo_program_step *step) {
    struct watched *watched = opaque;
    assert_ptr_equal(warp, &watched->rig.warp);
    assert_true(watched->steps < MOST);
    watched->step[watched->steps++] = *step;
}

static int begin(void **state) {
    struct watched *watched = calloc(1, sizeof *watched);
    if (!watched)
        return -1;
    rig_begin(&watched->rig);
    rig_begin(&watched->plain);
    watched->watch = (struct shade_watch){.opaque = watched, .step = note};
    watched->identity =
        (struct shade_identity){.stage = PFIFO_STAGE_GEOMETRY, .channel = 7, .code = 0x1000, .program = 0x1040};
    *state = watched;
    return 0;
}

static int end(void **state) {
    struct watched *watched = *state;
    rig_end(&watched->rig);
    rig_end(&watched->plain);
    free(watched);
    return 0;
}

static struct ir *add_to(struct rig *rig, unsigned d, uint32_t value) {
    struct ir *ir = rig_add(rig, IR_IADD);
    ir->d = (uint8_t)d;
    ir->a = rig_register(d);
    ir->b = rig_immediate(value);
    return ir;
}

static struct ir *jump(struct rig *rig, enum ir_op op, unsigned target) {
    struct ir *ir = rig_add(rig, op);
    ir->offset = 8 * target;
    return ir;
}

/* Lanes of predicate 0 add 2, the others 1; then all add 4. */
static void make_if(struct rig *rig) {
    jump(rig, IR_SSY, 6);
    jump(rig, IR_BRA, 4)->guard = 0;
    add_to(rig, 0, 1);
    rig_add(rig, IR_SYNC);
    add_to(rig, 0, 2);
    rig_add(rig, IR_SYNC);
    add_to(rig, 0, 4);
}

static void load(struct rig *rig, uint32_t lanes) {
    rig_load(rig, lanes, 0);
    rig->warp.predicates[0] = 0x000000f0;
}

static void load_watched(struct watched *watched, uint32_t lanes) {
    load(&watched->rig, lanes);
    watched->rig.io.watch = &watched->watch;
    watched->rig.io.identity = &watched->identity;
}

static void each_instruction_is_told_with_its_lanes(void **state) {
    struct watched *watched = *state;
    make_if(&watched->rig);
    load_watched(watched, 0xffff);
    assert_int_equal(rig_run(&watched->rig), SHADE_DONE);
    const struct {
        uint32_t pc, lanes, active;
    } told[] = {{0, 0xffff, 0xffff},  {8, 0xffff, 0x00f0},  {16, 0xff0f, 0xff0f}, {24, 0xff0f, 0xff0f},
                {32, 0x00f0, 0x00f0}, {40, 0x00f0, 0x00f0}, {48, 0xffff, 0xffff}, {56, 0xffff, 0xffff}};
    assert_int_equal(watched->steps, sizeof told / sizeof told[0]);
    for (unsigned i = 0; i < watched->steps; i++) {
        assert_int_equal(watched->step[i].pc, told[i].pc);
        assert_int_equal(watched->step[i].lanes, told[i].lanes);
        assert_int_equal(watched->step[i].active, told[i].active);
        assert_int_equal(watched->step[i].alive, 0xffff);
        assert_int_equal(watched->step[i].executed, i);
        assert_int_equal(watched->step[i].predicate[0], 0x000000f0);
    }
}

static void a_step_says_whose_program_it_is(void **state) {
    struct watched *watched = *state;
    load_watched(watched, 1);
    rig_run(&watched->rig);
    assert_int_equal(watched->steps, 1); /* EXIT */
    assert_int_equal(watched->step[0].stage, PFIFO_STAGE_GEOMETRY);
    assert_int_equal(watched->step[0].channel, 7);
    assert_int_equal(watched->step[0].code, 0x1000);
    assert_int_equal(watched->step[0].program, 0x1040);
    assert_int_equal(watched->step[0].entry, 0);
}

static void warps_have_numbers_in_the_order_in_which_they_begin(void **state) {
    struct watched *watched = *state;
    for (unsigned i = 0; i < 3; i++) {
        load_watched(watched, 1);
        rig_run(&watched->rig);
        assert_int_equal(watched->step[watched->steps - 1].warp, i);
    }
}

static void a_warp_that_is_run_in_pieces_is_one(void **state) {
    struct watched *watched = *state;
    uint64_t used, all = 0;
    make_if(&watched->rig);
    load_watched(watched, 0xffff);
    while (shade_run(&watched->rig.warp, 3, &used) == SHADE_BUDGET) {
        assert_int_equal(used, 3);
        all += used;
    }
    assert_int_equal(all + used, 8);
    assert_int_equal(watched->steps, 8);
    assert_int_equal(watched->step[7].warp, 0);
    assert_int_equal(watched->step[7].executed, 7);
}

static void a_watched_warp_does_the_same(void **state) {
    struct watched *watched = *state;
    uint64_t used, plain;
    make_if(&watched->rig);
    make_if(&watched->plain);
    for (uint64_t budget = 0; budget < 12; budget++) {
        load(&watched->plain, 0xff3f);
        load_watched(watched, 0xff3f);
        watched->steps = 0;
        assert_int_equal(shade_run(&watched->rig.warp, budget, &used), shade_run(&watched->plain.warp, budget, &plain));
        assert_int_equal(used, plain);
        assert_int_equal(watched->rig.warp.alive, watched->plain.warp.alive);
        assert_int_equal(watched->rig.warp.instructions, watched->plain.warp.instructions);
        assert_memory_equal(watched->rig.warp.registers[0], watched->plain.warp.registers[0], sizeof(shade_row));
        assert_memory_equal(watched->rig.warp.depth, watched->plain.warp.depth, sizeof watched->plain.warp.depth);
        for (unsigned i = 0; i < SHADE_LANES; i++)
            if (watched->plain.warp.alive >> i & 1)
                assert_int_equal(watched->rig.warp.pc[i], watched->plain.warp.pc[i]);
    }
}

static void an_instruction_that_fails_is_told_before(void **state) {
    struct watched *watched = *state;
    jump(&watched->rig, IR_BRA, 0)->offset = 2; /* not a multiple of 4 */
    load_watched(watched, 1);
    assert_int_equal(rig_run(&watched->rig), SHADE_ERROR);
    assert_int_equal(watched->step[watched->steps - 1].pc, watched->rig.warp.fault_address);
}

/* A debugger's warp is the warp. */
static void a_stack_is_told_from_its_top(void **state) {
    struct watched *watched = *state;
    struct shade_warp *warp = &watched->rig.warp;
    const struct pfifo_warp *told = (const struct pfifo_warp *)warp;
    const char *what;
    uint32_t target;
    load_watched(watched, 0xff);
    warp->depth[3] = 2;
    warp->stacks[3].type[0] = 1;
    warp->stacks[3].target[0] = 0x10;
    warp->stacks[3].type[1] = 2;
    warp->stacks[3].target[1] = 0x20;
    assert_true(pfifo_warp_stack(told, 3, 0, &what, &target));
    assert_string_equal(what, "break");
    assert_int_equal(target, 0x20);
    assert_true(pfifo_warp_stack(told, 3, 1, &what, &target));
    assert_string_equal(what, "sync");
    assert_int_equal(target, 0x10);
    assert_false(pfifo_warp_stack(told, 3, 2, &what, &target));
    assert_false(pfifo_warp_stack(told, 4, 0, &what, &target));
    assert_false(pfifo_warp_stack(told, SHADE_LANES, 0, &what, &target));
}

static void entries_of_a_stack_have_names(void **state) {
    (void)state;
    assert_string_equal(shade_entry_name(1), "sync");
    assert_string_equal(shade_entry_name(6), "exit");
    assert_string_equal(shade_entry_name(0), "?");
    assert_string_equal(shade_entry_name(7), "?");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(each_instruction_is_told_with_its_lanes, begin, end),
        cmocka_unit_test_setup_teardown(a_step_says_whose_program_it_is, begin, end),
        cmocka_unit_test_setup_teardown(warps_have_numbers_in_the_order_in_which_they_begin, begin, end),
        cmocka_unit_test_setup_teardown(a_warp_that_is_run_in_pieces_is_one, begin, end),
        cmocka_unit_test_setup_teardown(a_watched_warp_does_the_same, begin, end),
        cmocka_unit_test_setup_teardown(an_instruction_that_fails_is_told_before, begin, end),
        cmocka_unit_test_setup_teardown(a_stack_is_told_from_its_top, begin, end),
        cmocka_unit_test(entries_of_a_stack_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
