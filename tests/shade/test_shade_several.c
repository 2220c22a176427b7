/* SPDX-License-Identifier: MIT */
/* Instructions of 16 bytes that are several operations: as if these were instructions of their own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "shade/rig.h"

enum { REGISTERS = 8, TOGETHER = 3 };

static struct rig rigs[2]; /* one operation, and three, in an instruction */

static struct ir *add(enum ir_op op) {
    struct ir *one = rig_add(&rigs[0], op);
    (void)one;
    return rig_add(&rigs[1], op);
}

static void begin(void) {
    rig_begin(&rigs[0]);
    rig_begin(&rigs[1]);
    rigs[1].together = TOGETHER;
}

/* The code of the second, in the first; both run. */
static void run(uint32_t lanes) {
    memcpy(rigs[0].code, rigs[1].code, sizeof rigs[0].code);
    for (unsigned i = 0; i < 2; i++) {
        rig_load(&rigs[i], lanes, 0);
        for (unsigned k = 0; k < REGISTERS; k++)
            for (unsigned lane = 0; lane < SHADE_LANES; lane++)
                rigs[i].warp.registers[k][lane] = 100 * k + lane;
        rigs[i].warp.predicates[0] = 0x0ff0f00f;
    }
}

static void expect_same(void) {
    for (unsigned i = 0; i < 2; i++)
        assert_int_equal(rig_run(&rigs[i]), SHADE_DONE);
    assert_memory_equal(rigs[0].warp.registers, rigs[1].warp.registers, REGISTERS * sizeof(shade_row));
    assert_memory_equal(rigs[0].warp.predicates, rigs[1].warp.predicates, sizeof rigs[0].warp.predicates);
}

static void end(void) {
    rig_end(&rigs[0]);
    rig_end(&rigs[1]);
}

static struct ir *add_sum(unsigned d, unsigned a, unsigned b) {
    struct ir *ir = add(IR_IADD);
    ir->d = (uint8_t)d;
    ir->a = rig_register(a);
    ir->b = rig_register(b);
    return ir;
}

static void one_uses_what_those_before_it_made(void **state) {
    (void)state;
    begin();
    add_sum(1, 0, 2);
    add_sum(3, 1, 1);
    add_sum(1, 3, 4);
    add_sum(5, 1, 3);
    add_sum(6, 5, 5);
    run(UINT32_MAX);
    expect_same();
    assert_int_equal(rigs[1].warp.registers[5][1], (401 + 2 * (1 + 201)) + 2 * (1 + 201));
    assert_int_equal(rigs[0].warp.instructions, 6);
    assert_int_equal(rigs[1].warp.instructions, 2);
    end();
}

/* Each has its own guard; the second one's is what the first one makes. */
static void each_has_its_own_guard(void **state) {
    (void)state;
    begin();
    struct ir *compare = add(IR_ISETP);
    compare->p = 1;
    compare->compare = IR_LT;
    compare->a = rig_register(0);
    compare->b = rig_immediate(7);
    compare->guard = 0;
    add_sum(2, 2, 2)->guard = 1;
    struct ir *otherwise = add_sum(3, 3, 3);
    otherwise->guard = 1;
    otherwise->guard_negate = true;
    add(IR_NOP);
    add(IR_NOP);
    run(0x7ffffff1);
    expect_same();
    assert_int_equal(rigs[1].warp.registers[2][0], 400);
    assert_int_equal(rigs[1].warp.registers[2][6], 206);
    assert_int_equal(rigs[1].warp.registers[3][6], 612);
    end();
}

/* A branch is the last of its instruction; it goes to a multiple of 16. */
static void the_flow_changes_at_the_end(void **state) {
    (void)state;
    begin();
    add_sum(1, 1, 1);
    add_sum(2, 2, 2);
    struct ir *branch = add(IR_BRA);
    branch->guard = 0;
    branch->offset = 32;
    add_sum(3, 3, 3);
    add_sum(4, 4, 4);
    add_sum(5, 5, 5);
    add_sum(6, 6, 6);
    add(IR_NOP);
    run(UINT32_MAX);
    for (unsigned i = 0; i < rigs[0].count; i++)
        if (rigs[0].code[i].op == IR_BRA)
            rigs[0].code[i].offset = 48;
    expect_same();
    assert_int_equal(rigs[1].warp.registers[3][0], 300);
    assert_int_equal(rigs[1].warp.registers[3][4], 608);
    assert_int_equal(rigs[1].warp.registers[6][0], 1200);
    end();
}

static void the_first_that_fails_is_the_last_that_ran(void **state) {
    (void)state;
    begin();
    add_sum(1, 1, 1);
    struct ir *load = add(IR_LD);
    load->space = IR_SPACE_SHARED;
    load->d = 2;
    load->a = rig_register(0);
    add_sum(3, 3, 3);
    add(IR_NOP);
    add(IR_NOP);
    run(UINT32_MAX);
    for (unsigned i = 0; i < 2; i++)
        assert_int_equal(rig_run(&rigs[i]), SHADE_ERROR);
    assert_int_equal(rigs[1].warp.error, rigs[0].warp.error);
    assert_int_equal(rigs[1].warp.fault_address, 0);
    assert_int_equal(rigs[1].warp.registers[1][0], 200);
    assert_int_equal(rigs[1].warp.registers[3][0], 300);
    end();
}

/* All of an instruction's registers have a value, and are in range, before its first operation. */
static void registers_are_those_of_all_operations(void **state) {
    (void)state;
    begin();
    add_sum(1, 1, 1);
    add_sum(2, 40, 2);
    add_sum(90, 1, 2);
    add(IR_NOP);
    add(IR_NOP);
    run(UINT32_MAX);
    memset(rigs[1].warp.registers[40], 0xff, sizeof(shade_row));
    expect_same();
    assert_int_equal(rigs[1].warp.zeroed, 92);
    run(UINT32_MAX);
    rigs[1].io.registers = 64;
    assert_int_equal(rig_run(&rigs[1]), SHADE_ERROR);
    assert_int_equal(rigs[1].warp.error, SHADE_OOR_REGISTER);
    assert_int_equal(rigs[1].warp.registers[1][0], 100);
    end();
}

static void a_survey_looks_at_all_operations(void **state) {
    struct shade_survey survey;
    (void)state;
    begin();
    add_sum(1, 1, 1);
    struct ir *load = add(IR_LD);
    load->a = rig_register(0);
    add(IR_NOP);
    add(IR_NOP);
    add(IR_NOP);
    run(UINT32_MAX);
    shade_program_survey(rigs[1].program, &survey);
    assert_true(survey.complete);
    assert_true(survey.memory);
    end();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_uses_what_those_before_it_made),
        cmocka_unit_test(each_has_its_own_guard),
        cmocka_unit_test(the_flow_changes_at_the_end),
        cmocka_unit_test(the_first_that_fails_is_the_last_that_ran),
        cmocka_unit_test(registers_are_those_of_all_operations),
        cmocka_unit_test(a_survey_looks_at_all_operations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
