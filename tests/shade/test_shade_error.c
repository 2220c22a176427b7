/* SPDX-License-Identifier: MIT */
/* Errors of a warp: which, and where. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <string.h>

#include "shade/rig.h"

static struct rig rig;
static uint8_t local[SHADE_LANES * 16], shared[64], memory[256];

static bool load(struct shade_warp *warp, uint32_t lanes, const uint64_t *address, unsigned bytes, void *to,
                 unsigned stride) {
    (void)warp;
    for (unsigned i = 0; i < SHADE_LANES; i++)
        if (lanes >> i & 1)
            memcpy((uint8_t *)to + i * (size_t)stride, memory + address[i] % 128, bytes);
    return true;
}

static bool store(struct shade_warp *warp, uint32_t lanes, const uint64_t *address, unsigned bytes, const void *from,
                  unsigned stride) {
    (void)warp;
    for (unsigned i = 0; i < SHADE_LANES; i++)
        if (lanes >> i & 1)
            memcpy(memory + address[i] % 128, (const uint8_t *)from + i * (size_t)stride, bytes);
    return true;
}

static int begin(void **state) {
    (void)state;
    rig_begin(&rig);
    rig.io.load = load;
    rig.io.store = store;
    rig.io.local = local;
    rig.io.local_bytes = 16;
    rig_add(&rig, IR_NOP);
    return 0;
}

static int end(void **state) {
    (void)state;
    rig_end(&rig);
    return 0;
}

static struct ir *access(enum ir_op op, enum ir_type type, enum ir_space space, int64_t offset) {
    struct ir *ir = rig_add(&rig, op);
    ir->type = (uint8_t)type;
    ir->space = (uint8_t)space;
    ir->a = rig_register(0);
    ir->b = rig_register(1);
    ir->d = 2;
    ir->offset = offset;
    return ir;
}

/* The second instruction fails, in a lane whose register 0 is not 0. */
static void expect(enum shade_error error) {
    rig_load(&rig, UINT32_MAX, 0);
    assert_int_equal(rig_run(&rig), SHADE_ERROR);
    assert_int_equal(rig.warp.error, error);
    assert_int_equal(rig.warp.fault_address, 8);
}

static void local_memory_ends_at_its_size(void **state) {
    (void)state;
    struct ir *ir = access(IR_LD, IR_U32, IR_SPACE_LOCAL, 16);
    expect(SHADE_OOR_ADDRESS);
    ir->op = IR_ST;
    expect(SHADE_OOR_ADDRESS);
    ir->op = IR_ATOM;
    expect(SHADE_OOR_ADDRESS);
    ir->op = IR_LD;
    ir->offset = 12;
    rig_load(&rig, UINT32_MAX, 0);
    assert_int_equal(rig_run(&rig), SHADE_DONE);
    ir->type = IR_U64;
    ir->offset = 16;
    expect(SHADE_OOR_ADDRESS);
}

static void shared_memory_ends_at_its_size_and_programs_of_pixels_have_none(void **state) {
    (void)state;
    struct ir *ir = access(IR_LD, IR_U32, IR_SPACE_SHARED, 64);
    expect(SHADE_INVALID_SPACE);
    ir->op = IR_ATOM;
    expect(SHADE_INVALID_SPACE);
    rig.io.shared = shared;
    rig.io.shared_bytes = sizeof shared;
    expect(SHADE_OOR_ADDRESS);
    ir->op = IR_LD_LOCK;
    expect(SHADE_OOR_ADDRESS);
}

static void addresses_are_multiples_of_the_size(void **state) {
    static const struct {
        enum ir_type type;
        unsigned bytes;
    } types[] = {{IR_U16, 2}, {IR_U32, 4}, {IR_U64, 8}, {IR_B128, 16}};
    static const enum ir_space spaces[] = {IR_SPACE_GLOBAL, IR_SPACE_GENERIC, IR_SPACE_LOCAL};
    (void)state;
    struct ir *ir = access(IR_LD, IR_U32, IR_SPACE_GLOBAL, 0);
    for (unsigned space = 0; space < 3; space++)
        for (unsigned type = 0; type < 4; type++)
            for (unsigned op = 0; op < 2; op++) {
                ir->op = op ? IR_ST : IR_LD;
                ir->type = (uint8_t)types[type].type;
                ir->space = (uint8_t)spaces[space];
                ir->offset = types[type].bytes / 2;
                expect(SHADE_MISALIGNED_ADDRESS);
                ir->offset = 0;
                rig_load(&rig, UINT32_MAX, 0);
                assert_int_equal(rig_run(&rig), SHADE_DONE);
            }
    ir->op = IR_ATOM;
    ir->type = IR_U32;
    ir->space = IR_SPACE_GLOBAL;
    ir->offset = 2;
    expect(SHADE_MISALIGNED_ADDRESS);
}

/* One lane is enough; one without effect, or that does not do it, makes none. */
static void lanes_without_effect_make_no_errors(void **state) {
    (void)state;
    access(IR_LD, IR_U32, IR_SPACE_LOCAL, 0);
    rig_load(&rig, 0xf, 0);
    rig.warp.registers[0][2] = 18;
    assert_int_equal(rig_run(&rig), SHADE_ERROR);
    assert_int_equal(rig.warp.error, SHADE_MISALIGNED_ADDRESS);
    rig_load(&rig, 0xf, 0x4);
    rig.warp.registers[0][2] = 18;
    assert_int_equal(rig_run(&rig), SHADE_DONE);
    rig_load(&rig, 0xf, 0);
    rig.warp.registers[0][7] = 18;
    assert_int_equal(rig_run(&rig), SHADE_DONE);
}

static void what_pops_from_an_empty_stack_is_an_error(void **state) {
    static const struct {
        enum ir_op op;
        enum shade_error error;
    } rows[] = {{IR_RET, SHADE_RET_EMPTY_STACK},
                {IR_BRK, SHADE_STACK_ERROR},
                {IR_CONT, SHADE_STACK_ERROR},
                {IR_SYNC, SHADE_STACK_ERROR},
                {IR_LONGJMP, SHADE_STACK_ERROR}};
    (void)state;
    struct ir *ir = rig_add(&rig, IR_NOP);
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        *ir = rig_neutral(rows[i].op);
        expect(rows[i].error);
    }
    *ir = rig_neutral(IR_NOP);
    ir->join = true;
    expect(SHADE_STACK_ERROR);
}

static void registers_beyond_those_given_are_out_of_range(void **state) {
    (void)state;
    rig.io.registers = 8;
    struct ir *ir = rig_add(&rig, IR_MOV);
    ir->a = rig_register(7);
    ir->d = 7;
    rig_load(&rig, UINT32_MAX, 0);
    assert_int_equal(rig_run(&rig), SHADE_DONE);
    ir->d = 8;
    expect(SHADE_OOR_REGISTER);
    ir->d = IR_ZERO;
    ir->a = rig_register(8);
    expect(SHADE_OOR_REGISTER);
    rig.io.registers = 0;
    rig_load(&rig, UINT32_MAX, 0);
    assert_int_equal(rig_run(&rig), SHADE_DONE);
}

static void a_branch_into_an_instruction_is_an_error_there(void **state) {
    (void)state;
    struct ir *ir = rig_add(&rig, IR_BRX);
    ir->a = rig_immediate(2);
    ir->offset = 8;
    rig_load(&rig, UINT32_MAX, 0);
    assert_int_equal(rig_run(&rig), SHADE_ERROR);
    assert_int_equal(rig.warp.error, SHADE_MISALIGNED_PC);
    assert_int_equal(rig.warp.fault_address, 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(local_memory_ends_at_its_size, begin, end),
        cmocka_unit_test_setup_teardown(shared_memory_ends_at_its_size_and_programs_of_pixels_have_none, begin, end),
        cmocka_unit_test_setup_teardown(addresses_are_multiples_of_the_size, begin, end),
        cmocka_unit_test_setup_teardown(lanes_without_effect_make_no_errors, begin, end),
        cmocka_unit_test_setup_teardown(what_pops_from_an_empty_stack_is_an_error, begin, end),
        cmocka_unit_test_setup_teardown(registers_beyond_those_given_are_out_of_range, begin, end),
        cmocka_unit_test_setup_teardown(a_branch_into_an_instruction_is_an_error_there, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
