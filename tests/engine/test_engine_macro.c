/* SPDX-License-Identifier: MIT */
/* Macros of GF100 to GV100: parameters, operations, slots, exits, and what stops them. */
#include "macro.h"

#define CLASS 0x9097u

static unsigned macro_rig(struct engine_rig *rig) {
    unsigned id = start(rig, "GF100", CHIP_UNIT_PGRAPH, CLASS);
    rig->events = 0;
    return id;
}

/* Run a program that leaves something in scratch word 0. */
static uint32_t result_of(const uint32_t *code, uint32_t count, const uint32_t *data, uint32_t words) {
    struct engine_rig rig;
    unsigned id = macro_rig(&rig);
    upload(&rig, id, 7, 0x20, code, count);
    called(&rig, id, 7, data, words);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_ERROR), 0);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_MACRO_END), 1);
    uint32_t value = engine_rig_value(&rig, id, CLASS, SCRATCH(0));
    engine_rig_stop(&rig);
    return value;
}

/* ---- programs of the field ---- */

static void a_macro_sets_the_depth_test(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = macro_rig(&rig);
    upload(&rig, id, 3, 0, WORDS(0x052cc021, 0x000008c0, 0x00000011));
    call_macro(&rig, id, 3, 0x77);
    assert_int_equal(engine_rig_value(&rig, id, CLASS, 0x12cc), 0x77);
    assert_end(&rig, 0, "end", 3);
    engine_rig_stop(&rig);
}

static void a_macro_fills_registers(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = macro_rig(&rig);
    upload(&rig, id, 3, 0x40, WORDS(0x00000a51, 0x00000301, 0xffffd211, 0xffffd017, 0x000018c1, 0x00000011));
    call_macro(&rig, id, 3, MADDR(2, 0x1000), 3, 0xabc);
    for (unsigned i = 0; i < 6; i++)
        assert_int_equal(engine_rig_value(&rig, id, CLASS, 0x1000 + 4 * i), i % 2 ? 0 : 0xabc);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_MACRO_METHOD), 3);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_ERROR), 0);
    engine_rig_stop(&rig);
}

static void a_macro_selects_a_constant_buffer(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = macro_rig(&rig);
    upload(&rig, id, 13, 0x100,
           WORDS(0x03460215, 0x03464315, 0x06380021, 0x00001841, 0x02308042, 0x460080c2, 0x17804042));
    send(&rig, id, 0, SCRATCH(0x18), 0x12345678, 0x1000);
    call_macro(&rig, id, 13, 5);
    assert_int_equal(engine_rig_value(&rig, id, CLASS, 0x2380), 0x1000);
    assert_int_equal(engine_rig_value(&rig, id, CLASS, 0x2384), 0x12);
    assert_int_equal(engine_rig_value(&rig, id, CLASS, 0x2388), 0x34567800);
    assert_int_equal(engine_rig_value(&rig, id, CLASS, 0x238c), 20);
    engine_rig_stop(&rig);
}

static void a_macro_writes_on_a_condition(void **state) {
    (void)state;
    for (uint32_t condition = 0; condition < 2; condition++) {
        struct engine_rig rig;
        unsigned id = macro_rig(&rig);
        upload(&rig, id, 0, 0, WORDS(0x00000201, 0x0000d027, 0x052cc021, 0x00000841, 0x00000091, 0x00000011));
        call_macro(&rig, id, 0, 0x99, condition);
        assert_int_equal(engine_rig_value(&rig, id, CLASS, 0x12cc), condition ? 0x99 : 0);
        assert_end(&rig, 0, "end", condition ? 6 : 4);
        engine_rig_stop(&rig);
    }
}

/* Its class has no such method, and there is no start address. */
static void a_number_beyond_the_start_addresses_does_nothing(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = macro_rig(&rig);
    upload(&rig, id, 0x7e, 0, WORDS(0x052cc021, 0x000008c0, 0x00000011));
    send(&rig, id, 0, CALL(0xfe), 0x77);
    send(&rig, id, 0, DATA(0xfe), 0x78);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_MACRO), 0);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_NOT_EXECUTED), 0);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_ERROR), 0);
    assert_int_equal(engine_rig_value(&rig, id, CLASS, 0x12cc), 0);
    call_macro(&rig, id, 0x7e, 0x77);
    assert_int_equal(engine_rig_value(&rig, id, CLASS, 0x12cc), 0x77);
    engine_rig_stop(&rig);
}

/* ---- parameters ---- */

static void a_macro_waits_for_each_parameter(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = macro_rig(&rig);
    upload(&rig, id, 2, 0,
           WORDS(SET_MADDR(1, SCRATCH(0)), ALU(MOV_SEND, 0, 0, 1, 0), ADDI(MADDR_SENDPARM, 0, 0, MADDR(1, SCRATCH(5))),
                 ALU(PARM_SEND, 0, 3, 1, 0), ALU(MOV_SEND, 0, 0, 3, 0) | EXIT, NOP));
    send(&rig, id, 0, CALL(2), 10);
    assert_scratch(&rig, id, CLASS, 0, 10);
    assert_scratch(&rig, id, CLASS, 5, 0);
    sent(&rig, id, 0, DATA(2), 0, WORDS(20));
    assert_scratch(&rig, id, CLASS, 5, 20);
    assert_scratch(&rig, id, CLASS, 6, 0);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_MACRO_END), 0);
    sent(&rig, id, 0, DATA(2), 0, WORDS(30));
    assert_scratch(&rig, id, CLASS, 6, 10);
    assert_scratch(&rig, id, CLASS, 7, 30);
    assert_end(&rig, 0, "end", 6);
    engine_rig_stop(&rig);
}

static void a_method_between_parameters_ends_a_macro(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = macro_rig(&rig);
    upload(&rig, id, 2, 0x10,
           WORDS(NOP, ALU(PARM, 0, 2, 0, 0), SET_MADDR(0, SCRATCH(0)), ADDI(MOV_SEND, 0, 0, 1) | EXIT, NOP));
    send(&rig, id, 0, CALL(2), 10);
    rig.events = rig.interrupts = 0;
    assert_int_equal(engine_rig_offer(&rig, id, 0, 0x1000, 4, WORDS(1, 2, 3)), 1); /* it is seen outside: alone */
    assert_event(&rig, EVENT_ENGINE_ERROR, 0, "MACRO_TOO_FEW_PARAMETERS", CLASS, CALL(2));
    assert_int_equal(engine_rig_event(&rig, EVENT_ENGINE_ERROR, 0)->value[2], 0x11); /* where it was */
    assert_end(&rig, 0, "too few parameters", 1);
    assert_int_equal(rig.interrupts, 1);
    assert_int_equal(engine_rig_value(&rig, id, CLASS, 0x1000), 1); /* the method itself is executed */
    send(&rig, id, 0, 0x1004, 2);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_ERROR), 1);
    assert_scratch(&rig, id, CLASS, 0, 0);
    engine_rig_stop(&rig);
}

/* Whatever the method is: of another macro, another subchannel, a call of the same one, a binding. */
static void all_methods_but_the_data_port_end_a_macro(void **state) {
    (void)state;
    static const struct {
        unsigned subchannel;
        uint32_t method;
    } others[] = {{0, DATA(3)}, {0, CALL(2)}, {1, DATA(2)}, {1, 0x100}, {0, SCRATCH(0)}, {2, 0}};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        struct engine_rig rig;
        unsigned id = macro_rig(&rig);
        assert_true(engine_rig_bind(&rig, id, 1, 0x902d));
        upload(&rig, id, 2, 0x10, WORDS(ALU(PARM, 0, 2, 0, 0) | EXIT, NOP));
        send(&rig, id, 0, CALL(2), 10);
        assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_ERROR), 0);
        if (others[i].subchannel == 2)
            assert_true(engine_rig_bind(&rig, id, 2, 0x9039));
        else
            sent(&rig, id, others[i].subchannel, others[i].method, 4, WORDS(1));
        assert_event(&rig, EVENT_ENGINE_ERROR, 0, "MACRO_TOO_FEW_PARAMETERS", CLASS, CALL(2));
        engine_rig_stop(&rig);
    }
}

static void parameters_left_over_are_an_error_of_each_call(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = macro_rig(&rig);
    upload(&rig, id, 1, 0, WORDS(SET_MADDR(0, SCRATCH(0)), ALU(MOV_SEND, 0, 0, 1, 0) | EXIT, NOP));
    call_macro(&rig, id, 1, 10, 11, 12);
    assert_event(&rig, EVENT_ENGINE_ERROR, 0, "MACRO_TOO_MANY_PARAMETERS", CLASS, CALL(1));
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_ERROR), 1);
    assert_scratch(&rig, id, CLASS, 0, 10);
    call_macro(&rig, id, 1, 20, 21);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_ERROR), 2);
    call_macro(&rig, id, 1, 30);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_ERROR), 2);
    engine_rig_stop(&rig);
}

/* ---- operations ---- */

/* a and b in r1 and r2, an operation into r3, which is sent. */
static uint32_t operate(uint32_t word, uint32_t a, uint32_t b) {
    return result_of(
        WORDS(ALU(PARM, 0, 2, 0, 0), SET_MADDR(0, SCRATCH(0)), word, ALU(MOV_SEND, 0, 0, 3, 0) | EXIT, NOP),
        (const uint32_t[]){a, b}, 2);
}

static uint32_t alu(unsigned function, uint32_t a, uint32_t b) {
    return operate(ALU(MOV, function, 3, 1, 2), a, b);
}

static void operations_of_the_alu(void **state) {
    (void)state;
    assert_int_equal(alu(0x0, 0xfffffffe, 5), 3);
    assert_int_equal(alu(0x1, 7, 5), 12); /* no carry at first */
    assert_int_equal(alu(0x2, 3, 5), 0xfffffffe);
    assert_int_equal(alu(0x3, 9, 5), 3); /* and no carry is a borrow */
    assert_int_equal(alu(0x8, 0xff00, 0x0ff0), 0xf0f0);
    assert_int_equal(alu(0x9, 0xff00, 0x0ff0), 0xfff0);
    assert_int_equal(alu(0xa, 0xff00, 0x0ff0), 0x0f00);
    assert_int_equal(alu(0xb, 0xff00, 0x0ff0), 0xf000);
    assert_int_equal(alu(0xc, 0xff00, 0x0ff0), 0xfffff0ff);
    assert_int_equal(operate(ADDI(MOV, 3, 1, -3), 2, 0), 0xffffffff);
    assert_int_equal(operate(ADDI(MOV, 3, 1, 0x1ffff), 2, 0), 0x20001);
}

/* 64 bits of a sum or difference: the second operation takes what the first one carries. */
static uint32_t upper_half(unsigned low, unsigned high, uint32_t a, uint32_t b) {
    return result_of(WORDS(ALU(PARM, 0, 2, 0, 0), SET_MADDR(0, SCRATCH(0)), ALU(MOV, low, 3, 1, 2), NOP,
                           ALU(MOV_SEND, high, 0, 0, 0) | EXIT, NOP),
                     (const uint32_t[]){a, b}, 2);
}

static void additions_and_subtractions_carry(void **state) {
    (void)state;
    assert_int_equal(upper_half(0, 1, 0xffffffff, 1), 1);
    assert_int_equal(upper_half(0, 1, 0xfffffffe, 1), 0);
    assert_int_equal(upper_half(2, 3, 4, 5), 0xffffffff);
    assert_int_equal(upper_half(2, 3, 5, 5), 0);
    assert_int_equal(upper_half(1, 1, 0xffffffff, 1), 1);
    assert_int_equal(upper_half(3, 3, 5, 5), 0xffffffff);
}

static void fields_are_moved(void **state) {
    (void)state;
    assert_int_equal(operate(FIELD(2u, MOV, 3, 1, 2, 4u, 8u, 16u), 0xffffffff, 0x1230), 0xff23ffff);
    assert_int_equal(operate(FIELD(2u, MOV, 3, 1, 2, 0u, 31u, 31u), 0, 0xffffffff), 0x80000000);
    assert_int_equal(operate(FIELD(2u, MOV, 3, 1, 2, 0u, 0u, 0u), 5, 0xffffffff), 5);
    assert_int_equal(operate(FIELD(3u, MOV, 3, 1, 2, 0u, 8u, 4u), 12, 0xabcde000), 0xde0);
    assert_int_equal(operate(FIELD(3u, MOV, 3, 1, 2, 0u, 8u, 4u), 32, 0xabcde000), 0);
    assert_int_equal(operate(FIELD(4u, MOV, 3, 1, 2, 4u, 8u, 0u), 20, 0x1230), 0x02300000);
    assert_int_equal(operate(FIELD(4u, MOV, 3, 1, 2, 4u, 8u, 0u), 0x40, 0x1230), 0);
}

static void macros_read_what_methods_wrote(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = macro_rig(&rig);
    upload(&rig, id, 1, 0,
           WORDS(SET_MADDR(1, SCRATCH(0)), READ(MOV_SEND, 0, 1, 1), READ(MOV_SEND, 0, 0, SCRATCH(0) >> 2) | EXIT, NOP));
    send(&rig, id, 0, 0x1004, 0x1234);
    call_macro(&rig, id, 1, 0x1000 >> 2);
    assert_scratch(&rig, id, CLASS, 0, 0x1234);
    assert_scratch(&rig, id, CLASS, 1, 0x1234); /* also what the macro wrote */
    engine_rig_stop(&rig);
}

static void register_0_stays_0(void **state) {
    (void)state;
    assert_int_equal(operate(ADDI(MOV, 0, 0, 9), 1, 2), 0);
    assert_int_equal(result_of(WORDS(ADDI(MOV, 0, 0, 9), ALU(PARM, 0, 0, 0, 0), SET_MADDR(0, SCRATCH(0)),
                                     ALU(MOV_SEND, 0, 0, 0, 0) | EXIT, NOP),
                               WORDS(1, 2)),
                     0);
}

/* Each result operation: what is in the register, and what was sent where. */
static void what_becomes_of_a_result(void **state) {
    (void)state;
    const uint32_t r = MADDR(3, SCRATCH(8)), p = 0x77;
    static const struct {
        bool stores_parameter, sets, sends;
        unsigned what; /* 0: the result, 1: the parameter, 2: bits 17:12 of the result */
    } expected[8] = {{true, false, false, 0}, {false, false, false, 0}, {false, true, false, 0},
                     {true, false, true, 0},  {false, false, true, 0},  {true, true, false, 0},
                     {false, true, true, 1},  {false, true, true, 2}};
    for (unsigned op = 0; op < 8; op++) {
        struct engine_rig rig;
        unsigned id = macro_rig(&rig);
        bool fetches = expected[op].stores_parameter || op == MADDR_SENDPARM;
        upload(&rig, id, 1, 0,
               WORDS(SET_MADDR(1, SCRATCH(0)), ALU(op, 0, 3, 1, 0), ADDI(MOV_SEND, 0, 0, 0x55),
                     ALU(MOV_MADDR, 0, 0, 0, 0), SET_MADDR(0, SCRATCH(20)), ALU(MOV_SEND, 0, 0, 3, 0) | EXIT, NOP));
        called(&rig, id, 1, (const uint32_t[]){r, p}, fetches ? 2 : 1);
        assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_ERROR), 0);
        assert_scratch(&rig, id, CLASS, 20, expected[op].stores_parameter ? p : r);
        unsigned at = expected[op].sets ? 8 : 0, next = at + (expected[op].sets ? 3 : 1);
        const uint32_t what[] = {r, p, 3};
        assert_scratch(&rig, id, CLASS, at, expected[op].sends ? what[expected[op].what] : 0x55);
        assert_scratch(&rig, id, CLASS, next, expected[op].sends ? 0x55 : 0);
        engine_rig_stop(&rig);
    }
}

static void method_increments_have_six_bits(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = macro_rig(&rig);
    upload(&rig, id, 1, 0,
           WORDS(ALU(MOV_MADDR, 0, 0, 1, 0), ADDI(MOV_SEND, 0, 0, 1), ADDI(MOV_SEND, 0, 0, 2) | EXIT, NOP));
    call_macro(&rig, id, 1, 0xffffffc0u << 12 | MADDR(0x25, 0x1000));
    assert_int_equal(engine_rig_value(&rig, id, CLASS, 0x1000), 1);
    assert_int_equal(engine_rig_value(&rig, id, CLASS, 0x1000 + 4 * 0x25), 2);
    engine_rig_stop(&rig);
}

/* ---- the way through a program ---- */

/* r2 collects a bit for each instruction that was executed; sent in the end. */
#define MARK(bit) ADDI(MOV, 2, 2, 1 << (bit))
#define SHOW      SET_MADDR(0, SCRATCH(0)), ALU(MOV_SEND, 0, 0, 2, 0) | EXIT, NOP

static void a_branch_has_a_delay_slot(void **state) {
    (void)state;
    assert_int_equal(result_of(WORDS(BRANZ(1, 3), MARK(0), MARK(1), MARK(2), SHOW), WORDS(1)), 5);
    assert_int_equal(result_of(WORDS(BRANZ(1, 3), MARK(0), MARK(1), MARK(2), SHOW), WORDS(0)), 7);
    assert_int_equal(result_of(WORDS(BRAZ(1, 3), MARK(0), MARK(1), MARK(2), SHOW), WORDS(0)), 5);
    assert_int_equal(result_of(WORDS(BRAZ(1, 3), MARK(0), MARK(1), MARK(2), SHOW), WORDS(1)), 7);
}

static void a_branch_that_annuls_has_none_when_it_is_taken(void **state) {
    (void)state;
    assert_int_equal(result_of(WORDS(BRANCH(1u, 1u, 1, 3), MARK(0), MARK(1), MARK(2), SHOW), WORDS(1)), 4);
    assert_int_equal(result_of(WORDS(BRANCH(1u, 1u, 1, 3), MARK(0), MARK(1), MARK(2), SHOW), WORDS(0)), 7);
}

static void branches_go_back(void **state) {
    (void)state;
    assert_int_equal(result_of(WORDS(ADDI(MOV, 2, 2, 3), ADDI(MOV, 1, 1, -1), BRANZ(1, -2), NOP, SHOW), WORDS(5)), 15);
}

static void an_exit_has_a_delay_slot(void **state) {
    (void)state;
    assert_int_equal(
        result_of(WORDS(SET_MADDR(0, SCRATCH(0)), NOP | EXIT, ADDI(MOV_SEND, 0, 0, 5), ADDI(MOV_SEND, 0, 0, 6)),
                  WORDS(1)),
        5);
}

static void an_exit_in_the_slot_of_an_exit_is_nothing_new(void **state) {
    (void)state;
    assert_int_equal(
        result_of(WORDS(SET_MADDR(0, SCRATCH(0)), NOP | EXIT, ADDI(MOV_SEND, 0, 0, 5) | EXIT, ADDI(MOV_SEND, 0, 0, 6)),
                  WORDS(1)),
        5);
}

static void an_exit_in_the_slot_of_a_branch_counts_only_if_it_is_not_taken(void **state) {
    (void)state;
    for (uint32_t taken = 0; taken < 2; taken++)
        assert_int_equal(result_of(WORDS(SET_MADDR(1, SCRATCH(0)), BRANZ(1, 4), ADDI(MOV_SEND, 0, 0, 1) | EXIT,
                                         SET_MADDR(0, SCRATCH(0)), NOP, SET_MADDR(0, SCRATCH(0)),
                                         ADDI(MOV_SEND, 0, 0, 9) | EXIT, NOP),
                                   (const uint32_t[]){taken}, 1),
                         taken ? 9 : 1);
}

static void an_exit_on_a_branch_counts_only_if_it_is_not_taken(void **state) {
    (void)state;
    for (uint32_t taken = 0; taken < 2; taken++)
        assert_int_equal(result_of(WORDS(SET_MADDR(0, SCRATCH(0)), BRANZ(1, 3) | EXIT, ADDI(MOV_SEND, 0, 0, 1),
                                         ADDI(MOV_SEND, 0, 0, 2), ADDI(MOV_SEND, 0, 0, 9) | EXIT, NOP),
                                   (const uint32_t[]){taken}, 1),
                         taken ? 9 : 1);
}

static void the_end_of_the_code_is_followed_by_its_beginning(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = macro_rig(&rig);
    upload(&rig, id, 1, 0x7ff, WORDS(SET_MADDR(0, SCRATCH(0)), ALU(MOV_SEND, 0, 0, 1, 0) | EXIT, NOP));
    call_macro(&rig, id, 1, 4);
    assert_scratch(&rig, id, CLASS, 0, 4);
    assert_end(&rig, 0, "end", 3);
    engine_rig_stop(&rig);
}

/* ---- what stops a macro ---- */

static void assert_trap(const uint32_t *code, uint32_t count, const char *error, const char *how, uint32_t pc) {
    struct engine_rig rig;
    unsigned id = macro_rig(&rig);
    upload(&rig, id, 4, 0x30, code, count);
    call_macro(&rig, id, 4, 1);
    assert_event(&rig, EVENT_ENGINE_ERROR, 0, error, CLASS, CALL(4));
    assert_int_equal(engine_rig_event(&rig, EVENT_ENGINE_ERROR, 0)->value[2], pc);
    assert_string_equal(engine_rig_event(&rig, EVENT_ENGINE_MACRO_END, 0)->text, how);
    assert_int_equal(rig.interrupts, 1);
    call_macro(&rig, id, 4, 1); /* it is called as if nothing had been */
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_ERROR), 2);
    engine_rig_stop(&rig);
}

static void instructions_that_there_are_not_trap(void **state) {
    (void)state;
    assert_trap(WORDS(NOP, 6), "MACRO_ILLEGAL_OPCODE", "illegal opcode", 0x31);
    for (unsigned function = 0; function < 32; function++)
        if (function > 12 || (function > 3 && function < 8))
            assert_trap(WORDS(ALU(MOV, function, 3, 1, 2)), "MACRO_ILLEGAL_OPCODE", "illegal opcode", 0x30);
}

static void a_branch_in_a_delay_slot_traps(void **state) {
    (void)state;
    assert_trap(WORDS(BRANZ(1, 2), BRANZ(1, 2), NOP), "MACRO_DOUBLE_BRANCH", "double branch", 0x31);
    assert_trap(WORDS(BRANZ(1, 2), BRAZ(1, 2), NOP), "MACRO_DOUBLE_BRANCH", "double branch", 0x31);
    assert_trap(WORDS(NOP | EXIT, BRANZ(1, 2), NOP), "MACRO_DOUBLE_BRANCH", "double branch", 0x31);
}

/* It does not come to an end in one go: the engine is busy, and the word is offered again. */
static void a_macro_without_an_end_is_stopped(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = macro_rig(&rig), offers = 1;
    const struct fifo_engine *slot = &rig.fifo.engines[id];
    upload(&rig, id, 0, 0, WORDS(BRANZ(1, 0), NOP));
    while (engine_rig_offer(&rig, id, 0, CALL(0), 4, WORDS(1)) == 0) {
        assert_true(slot->ops->busy(slot->engine, &rig.channel));
        assert_true(offers++ < 1000);
    }
    assert_true(offers > 1);
    assert_false(slot->ops->busy(slot->engine, &rig.channel));
    assert_event(&rig, EVENT_ENGINE_ERROR, 0, "MACRO_TIMEOUT", CLASS, CALL(0));
    assert_end(&rig, 0, "timeout", 1 << 20);
    engine_rig_stop(&rig);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_macro_sets_the_depth_test),
        cmocka_unit_test(a_macro_fills_registers),
        cmocka_unit_test(a_macro_selects_a_constant_buffer),
        cmocka_unit_test(a_macro_writes_on_a_condition),
        cmocka_unit_test(a_number_beyond_the_start_addresses_does_nothing),
        cmocka_unit_test(a_macro_waits_for_each_parameter),
        cmocka_unit_test(a_method_between_parameters_ends_a_macro),
        cmocka_unit_test(all_methods_but_the_data_port_end_a_macro),
        cmocka_unit_test(parameters_left_over_are_an_error_of_each_call),
        cmocka_unit_test(operations_of_the_alu),
        cmocka_unit_test(additions_and_subtractions_carry),
        cmocka_unit_test(fields_are_moved),
        cmocka_unit_test(macros_read_what_methods_wrote),
        cmocka_unit_test(register_0_stays_0),
        cmocka_unit_test(what_becomes_of_a_result),
        cmocka_unit_test(method_increments_have_six_bits),
        cmocka_unit_test(a_branch_has_a_delay_slot),
        cmocka_unit_test(a_branch_that_annuls_has_none_when_it_is_taken),
        cmocka_unit_test(branches_go_back),
        cmocka_unit_test(an_exit_has_a_delay_slot),
        cmocka_unit_test(an_exit_in_the_slot_of_an_exit_is_nothing_new),
        cmocka_unit_test(an_exit_in_the_slot_of_a_branch_counts_only_if_it_is_not_taken),
        cmocka_unit_test(an_exit_on_a_branch_counts_only_if_it_is_not_taken),
        cmocka_unit_test(the_end_of_the_code_is_followed_by_its_beginning),
        cmocka_unit_test(instructions_that_there_are_not_trap),
        cmocka_unit_test(a_branch_in_a_delay_slot_traps),
        cmocka_unit_test(a_macro_without_an_end_is_stopped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
