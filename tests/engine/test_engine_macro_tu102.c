/* SPDX-License-Identifier: MIT */
/* Macros of TU102 and later: groups, predicates, jumps, the data RAM, and memory. */
#include "macro.h"
#include "macro_tu102.h"

#define CLASS 0xc597u

static void upload_groups(struct engine_rig *rig, unsigned id, unsigned n, uint32_t at, const struct group *groups,
                          size_t count) {
    uint32_t words[3 * 32];
    assert_true(count <= 32);
    for (size_t i = 0; i < count; i++)
        encode(&groups[i], &words[3 * i]);
    upload(rig, id, n, at, words, 3 * (uint32_t)count);
}

static unsigned macro_rig(struct engine_rig *rig) {
    unsigned id = start(rig, "TU102", CHIP_UNIT_PGRAPH, CLASS);
    rig->events = 0;
    return id;
}

/* Run a program that leaves something in scratch word 0; its parameters are 0xf0000003 and 5. */
#define X 0xf0000003u
#define Y 5u

static uint32_t result_of(const struct group *groups, size_t count) {
    struct engine_rig rig;
    unsigned id = macro_rig(&rig);
    upload_groups(&rig, id, 7, 0x31, groups, count);
    call_macro(&rig, id, 7, X, Y);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_ERROR), 0);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_MACRO_END), 1);
    uint32_t value = engine_rig_value(&rig, id, CLASS, SCRATCH(0));
    engine_rig_stop(&rig);
    return value;
}

#define FETCH_XY                                                                                                       \
    {                                                                                                                  \
        .predicate = ZERO, .alu = { {ADD, 0, LOAD0, ZERO, 0}, {ADD, 1, LOAD1, ZERO, 0} }                               \
    }

static void a_macro_sets_the_depth_test(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = macro_rig(&rig);
    upload(&rig, id, 3, 0, WORDS(0x00740003, 0x18c0052c, 0xf18c0301, 0x00000003, 0x18c00000, 0x318c0300));
    call_macro(&rig, id, 3, 0x77);
    assert_int_equal(engine_rig_value(&rig, id, CLASS, 0x12cc), 0x77);
    assert_end(&rig, 0, "end", 2);
    engine_rig_stop(&rig);
}

static uint32_t operate(unsigned first, unsigned second, unsigned shown, unsigned immediate) {
    return result_of(GROUPS(FETCH_XY, {.predicate = ZERO, .alu = {{first, 2, 0, 1, immediate}, {second, 3, 0, 1, 0}}},
                            SHOW(shown, 0), LAST, EMPTY));
}

static void operations_of_the_alus(void **state) {
    (void)state;
    static const struct {
        unsigned operation;
        uint32_t result;
    } expected[] = {{ADD, 0xf0000008}, {SUB, 0xeffffffe}, {MUL, 0xb000000f}, {MULU, 0xb000000f}, {CLZ, 0},
                    {SLL, 0x60},       {SRL, 0x07800000}, {SRA, 0xff800000}, {AND, 1},           {NAND, 0xfffffffe},
                    {OR, 0xf0000007},  {XOR, 0xf0000006}, {SLT, 0xffffffff}, {SLTU, 0},          {SLE, 0xffffffff},
                    {SLEU, 0},         {SEQ, 0},          {EXTENDED, 0},     {DREAD, 0}};
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++)
        assert_int_equal(operate(expected[i].operation, ADD, 2, 0), expected[i].result);
    assert_int_equal(operate(MERGE, ADD, 2, 8 << 10 | 3 << 5 | 0), 0xf0000503);
    assert_int_equal(operate(MERGE, ADD, 2, 40 << 10 | 3 << 5 | 0), 0xf0000003);
}

static void the_second_alu_takes_what_the_first_leaves(void **state) {
    (void)state;
    assert_int_equal(operate(ADD, ADDC, 3, 0), 0xf0000008);
    assert_int_equal(operate(SUB, SUBB, 3, 0), 0xeffffffe);
    assert_int_equal(operate(MUL, MULH, 3, 0), 0xffffffff);
    assert_int_equal(operate(MULU, MULH, 3, 0), 4);
    assert_int_equal(result_of(GROUPS(FETCH_XY, {.predicate = ZERO, .alu = {{ADD, 2, 0, 0, 0}, {ADDC, 3, 1, 1, 0}}},
                                      SHOW(3, 0), LAST, EMPTY)),
                     11);
    assert_int_equal(result_of(GROUPS(FETCH_XY, {.predicate = ZERO, .alu = {{SUB, 2, 1, 0, 0}, {SUBB, 3, 1, 1, 0}}},
                                      SHOW(3, 0), LAST, EMPTY)),
                     0xffffffff);
}

static void operands_are_registers_immediates_and_parameters(void **state) {
    (void)state;
    static const struct {
        unsigned operand;
        uint32_t value;
    } expected[] = {{ZERO, 0}, {IMM, 0xfffffff0}, {OTHER, 0xd00}, {IMM32, 0xfff00d00}, {LOAD0, X}, {LOAD1, Y}, {9, 0}};
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++)
        assert_int_equal(
            result_of(GROUPS({.end = 1,
                              .predicate = ZERO,
                              .alu = {{ADD, 2, expected[i].operand, ZERO, 0xfff0}, {OR, ZERO, LOAD0, LOAD1, 0xd00}},
                              .out = {{IMM1, ALU0}}},
                             EMPTY)),
            expected[i].value);
}

static void outputs_have_eleven_sources(void **state) {
    (void)state;
    static const uint32_t expected[] = {0, X, Y, X, Y, 0xa234, 0xcd00, 0, 0xa, 0xc, 0xa234cd00};
    for (unsigned source = ALU0; source <= PAIR; source++)
        if (source != 7)
            assert_int_equal(
                result_of(GROUPS({.end = 1,
                                  .predicate = ZERO,
                                  .alu = {{ADD, ZERO, LOAD0, ZERO, 0xa234}, {ADD, ZERO, LOAD1, ZERO, 0xcd00}},
                                  .out = {{IMM1, source}}},
                                 EMPTY)),
                expected[source]);
}

static void method_increments_have_four_bits(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = macro_rig(&rig);
    upload_groups(&rig, id, 0, 0,
                  GROUPS({.predicate = ZERO,
                          .alu = {{ADD, 0, LOAD0, ZERO, 0}, {ADD, 1, IMM, ZERO, 9}},
                          .out = {{ALU0, ALU1}, {NONE, ALU0}}},
                         LAST, EMPTY));
    call_macro(&rig, id, 0, 0xffff3d00);
    assert_scratch(&rig, id, CLASS, 0, 9);
    assert_scratch(&rig, id, CLASS, 3, 0xffff3d00);
    engine_rig_stop(&rig);
}

/* Each part of each mode, with a predicate of 0 and of 1. T is for 0, as Mesa's simulator has it. */
static void predicates_switch_parts(void **state) {
    (void)state;
    static const char *const modes[] = {"UUUU", "TTTT", "FFFF", "TTUU", "FFUU", "TFUU", "TUUU", "FUUU",
                                        "UUTT", "UUTF", "UUTU", "UUFT", "UUFF", "UUFU", "UUUT", "UUUF"};
    for (unsigned mode = 0; mode < 16; mode++) {
        for (unsigned one = 0; one < 2; one++) {
            struct engine_rig rig;
            unsigned id = macro_rig(&rig);
            upload_groups(&rig, id, 0, 0,
                          GROUPS(SET(5, one),
                                 {.mode = mode,
                                  .predicate = 5,
                                  .alu = {{ADD, 2, IMM, ZERO, 0xd10}, {ADD, 3, IMM, ZERO, 0xd20}},
                                  .out = {{IMM0, IMM0}, {IMM1, IMM1}}},
                                 SHOW(2, 0), SHOW(3, 1), LAST, EMPTY));
            call_macro(&rig, id, 0, 0);
            static const unsigned scratch[4] = {0, 1, 0x10, 0x20};
            for (unsigned part = 0; part < 4; part++) {
                bool runs = modes[mode][part] == 'U' || modes[mode][part] == (one ? 'F' : 'T');
                assert_scratch(&rig, id, CLASS, scratch[part], !runs ? 0 : part % 2 ? 0xd20 : 0xd10);
            }
            engine_rig_stop(&rig);
        }
    }
}

/* ---- control ---- */

#define COUNT(reg)                                                                                                     \
    {                                                                                                                  \
        .predicate = ZERO, .alu = { {ADD, reg, reg, IMM, 1}, NO_ALU }                                                  \
    }
#define CONTROL(operation, x, y, how)                                                                                  \
    {                                                                                                                  \
        .predicate = ZERO, .alu = { {operation, ZERO, x, y, (how)&0xffff}, NO_ALU }                                    \
    }

static void loops_run_their_body_at_least_once(void **state) {
    (void)state;
    for (unsigned times = 0; times < 6; times++)
        assert_int_equal(result_of(GROUPS(FETCH_XY, SET(4, times), CONTROL(LOOP, 4, ZERO, 3), COUNT(2), COUNT(2),
                                          SHOW(2, 0), LAST, EMPTY)),
                         times ? 2 * times : 2);
}

static void branches_compare(void **state) {
    (void)state;
    static const struct {
        unsigned operation;
        bool holds;
    } expected[] = {{BLT, true}, {BLTU, false}, {BLE, true}, {BLEU, false}, {BEQ, false}};
    for (size_t i = 0; i < 5; i++)
        for (unsigned truth = 0; truth < 2; truth++)
            assert_int_equal(result_of(GROUPS(FETCH_XY, CONTROL(expected[i].operation, 0, 1, truth << 15 | 2), COUNT(2),
                                              SHOW(2, 0), LAST, EMPTY)),
                             expected[i].holds != truth);
}

static void branches_go_back_and_end(void **state) {
    (void)state;
    assert_int_equal(result_of(GROUPS(FETCH_XY, COUNT(2), CONTROL(BEQ, 2, 1, 0x1fff), SHOW(2, 0), LAST, EMPTY)), Y);
    assert_int_equal(
        result_of(GROUPS(FETCH_XY, SHOW(1, 0), CONTROL(BEQ, ZERO, ZERO, 0x8000 | 0x1000), SHOW(0, 0), LAST, EMPTY)), Y);
}

static void jal_jumps(void **state) {
    (void)state;
    assert_int_equal(result_of(GROUPS(FETCH_XY, CONTROL(JAL, ZERO, ZERO, 0x8000 | 3), COUNT(2), COUNT(2), COUNT(2),
                                      SHOW(2, 0), LAST, EMPTY)),
                     1);
    assert_int_equal(result_of(GROUPS(FETCH_XY, CONTROL(JAL, ZERO, ZERO, 0x8002), CONTROL(JAL, ZERO, ZERO, 0x8003),
                                      CONTROL(JAL, ZERO, ZERO, 0xffff), COUNT(2), SHOW(1, 0), LAST, EMPTY)),
                     Y);
}

static void one_more_group_follows_the_end(void **state) {
    (void)state;
    assert_int_equal(result_of(GROUPS(FETCH_XY, LAST, SHOW(1, 0), SHOW(0, 0), LAST, EMPTY)), Y);
}

static void macros_read_the_shadow(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = macro_rig(&rig);
    upload_groups(&rig, id, 0, 0,
                  GROUPS({.predicate = ZERO, .alu = {{STATE, 2, LOAD0, IMM, 1}, NO_ALU}}, SHOW(2, 0), LAST, EMPTY));
    send(&rig, id, 0, 0x1004, 0x1234);
    call_macro(&rig, id, 0, 0x1000 >> 2);
    assert_scratch(&rig, id, CLASS, 0, 0x1234);
    engine_rig_stop(&rig);
}

static void groups_wait_for_both_parameters(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = macro_rig(&rig);
    upload_groups(&rig, id, 0, 0,
                  GROUPS(EMPTY,
                         {.predicate = ZERO,
                          .alu = {{SUB, 2, LOAD1, LOAD0, 0xd00}, {ADD, 3, LOAD1, LOAD1, 0}},
                          .out = {{IMM0, ALU0}}},
                         LAST, EMPTY));
    send(&rig, id, 0, CALL(0), 3);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_MACRO_METHOD), 0);
    sent(&rig, id, 0, DATA(0), 0, WORDS(10));
    assert_scratch(&rig, id, CLASS, 0, 7);
    assert_end(&rig, 0, "end", 4);
    engine_rig_stop(&rig);
}

static void groups_that_there_are_not_trap(void **state) {
    (void)state;
    static const struct group bad[] = {
        {.predicate = ZERO, .alu = {{ADDC, 2, 0, 1, 0}, NO_ALU}},
        {.predicate = ZERO, .alu = {{SUB, 2, 0, 1, 0}, {ADDC, 3, 0, 1, 0}}},
        {.predicate = ZERO, .alu = {{ADD, 2, 0, 1, 0}, {SUBB, 3, 0, 1, 0}}},
        {.predicate = ZERO, .alu = {{ADD, 2, 0, 1, 0}, {MULH, 3, 0, 1, 0}}},
        {.predicate = ZERO, .alu = {{STATE, 2, 0, 1, 0}, {STATE, 3, 0, 1, 0}}},
        {.predicate = ZERO, .alu = {{ADD, IMM, 0, 1, 0}, NO_ALU}},
        {.predicate = ZERO, .alu = {NO_ALU, {ADD, 2, 30, 1, 0}}},
        {.predicate = ZERO, .alu = {NO_ALU, {ADD, 2, 1, 31, 0}}},
        {.predicate = IMM, .alu = {NO_ALU, NO_ALU}},
        {.predicate = 31, .alu = {NO_ALU, NO_ALU}},
        {.predicate = ZERO, .alu = {NO_ALU, NO_ALU}, .out = {{7, 0}}},
        {.predicate = ZERO, .alu = {NO_ALU, NO_ALU}, .out = {{0, 0}, {0, 7}}},
        {.predicate = ZERO, .alu = {NO_ALU, NO_ALU}, .out = {{0, 0}, {0, 11}}},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct engine_rig rig;
        unsigned id = macro_rig(&rig);
        upload_groups(&rig, id, 0, 0x30, GROUPS(EMPTY, bad[i], LAST, EMPTY));
        call_macro(&rig, id, 0, 3);
        assert_event(&rig, EVENT_ENGINE_ERROR, 0, "MACRO_ILLEGAL_OPCODE", CLASS, CALL(0));
        assert_int_equal(engine_rig_event(&rig, EVENT_ENGINE_ERROR, 0)->value[2], 0x33);
        assert_end(&rig, 0, "illegal opcode", 1);
        engine_rig_stop(&rig);
    }
}

static void a_macro_without_an_end_is_stopped(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = macro_rig(&rig);
    upload_groups(&rig, id, 0, 0, GROUPS(CONTROL(JAL, ZERO, ZERO, 0x8000)));
    call_macro(&rig, id, 0, 3);
    assert_end(&rig, 0, "timeout", 1 << 20);
    engine_rig_stop(&rig);
}

/* ---- memory ---- */

static void the_data_ram_keeps_words(void **state) {
    (void)state;
    assert_int_equal(
        result_of(GROUPS(FETCH_XY, CONTROL(DWRITE, 1, 0, 0),
                         {.predicate = ZERO, .alu = {{DREAD, 2, IMM, ZERO, 5}, NO_ALU}}, SHOW(2, 0), LAST, EMPTY)),
        X);
    assert_int_equal(
        result_of(GROUPS(FETCH_XY, CONTROL(DWRITE, 0, 1, 0),
                         {.predicate = ZERO, .alu = {{DREAD, 2, 0, ZERO, 0}, NO_ALU}}, SHOW(2, 0), LAST, EMPTY)),
        0);
}

static void memory_goes_to_the_data_ram_and_back(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = macro_rig(&rig);
    for (uint32_t i = 0; i < 8; i++)
        engine_rig_wr32(&rig, 0x2000 + 4 * i, 0x100 + i);
    send(&rig, id, 0, 0x550, 0, 0x2000, 0xbfc);
    send(&rig, id, 0, 0x55c, 8); /* there is room for 4 */
    send(&rig, id, 0, 0x550, 0, 0x3000, 0xbfd);
    rig.events = 0;
    send(&rig, id, 0, 0x564, 8);
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(engine_rig_rd32(&rig, 0x3000 + 4 * i), i < 3 ? 0x101 + i : 0);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_DONE), 1);
    send(&rig, id, 0, 0x558, 0xffffffff); /* nothing is there */
    send(&rig, id, 0, 0x564, 0xffffffff);
    send(&rig, id, 0, 0x55c, 8);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_DONE), 1);
    send(&rig, id, 0, 0x55c, 0xffffffff);
    assert_int_equal(rig.faults, 0);
    send(&rig, id, 0, 0x550, 0, 0x3000, 0);
    send(&rig, id, 0, 0x564, 2);
    assert_int_equal(engine_rig_rd64(&rig, 0x3000), 0);
    engine_rig_stop(&rig);
}

static void the_data_ram_can_be_more_than_a_chunk(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = macro_rig(&rig);
    for (uint32_t i = 0; i < 0xc00; i++)
        engine_rig_wr32(&rig, 0x10000 + 4 * i, 7 * i + 1);
    send(&rig, id, 0, 0x550, 0, 0x10000, 0);
    send(&rig, id, 0, 0x55c, 0xc01);
    send(&rig, id, 0, 0x550, 0, 0x20000, 0);
    send(&rig, id, 0, 0x564, 0xc01);
    for (uint32_t i = 0; i < 0xc01; i++)
        assert_int_equal(engine_rig_rd32(&rig, 0x20000 + 4 * i), i < 0xc00 ? 7 * i + 1 : 0);
    engine_rig_stop(&rig);
}

static void memory_can_fault(void **state) {
    (void)state;
    for (uint32_t method = 0x55c; method <= 0x568; method += 4) {
        struct engine_rig rig;
        unsigned id = macro_rig(&rig);
        send(&rig, id, 0, 0x550, 0xff, 0x2000, 0);
        send(&rig, id, 0, method, 4);
        assert_int_equal(rig.faults, method != 0x560); /* without a macro nobody reads */
        engine_rig_stop(&rig);
    }
}

static void parameters_come_from_memory(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = macro_rig(&rig);
    engine_rig_wr32(&rig, 0x2000, 11);
    engine_rig_wr32(&rig, 0x2004, 22);
    /* 0x154: MEM_ADDRESS_A, in words */
    upload_groups(
        &rig, id, 0, 0,
        GROUPS({.predicate = ZERO, .alu = {NO_ALU, {ADD, 2, LOAD0, ZERO, 0x1154}}, .out = {{IMM1, IMM0}, {NONE, ALU1}}},
               {.predicate = ZERO,
                .alu = {{ADD, ZERO, ZERO, ZERO, 0x158}, {ADD, ZERO, ZERO, ZERO, 2}},
                .out = {{IMM0, IMM1}}},
               {.predicate = ZERO, .alu = {{EXTENDED, ZERO, IMM, OTHER, 0x1000}, {ADD, ZERO, ZERO, ZERO, 1}}},
               {.predicate = ZERO,
                .alu = {{ADD, ZERO, ZERO, ZERO, 0x1d00}, NO_ALU},
                .out = {{IMM0, FROM0}, {NONE, FROM1}}},
               {.predicate = ZERO, .alu = {NO_ALU, NO_ALU}, .out = {{NONE, FROM0}}}, LAST, EMPTY));
    send(&rig, id, 0, CALL(0), 0x2000);
    assert_scratch(&rig, id, CLASS, 0, 11);
    assert_scratch(&rig, id, CLASS, 1, 22);
    sent(&rig, id, 0, DATA(0), 0, WORDS(33)); /* and after them from the pushbuffer */
    assert_scratch(&rig, id, CLASS, 2, 33);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_ERROR), 0);
    assert_end(&rig, 0, "end", 7);
    engine_rig_stop(&rig);
}

static void reductions_take_the_data_ram(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = macro_rig(&rig);
    engine_rig_wr32(&rig, 0x2000, 30);
    engine_rig_wr32(&rig, 0x3000, 12);
    send(&rig, id, 0, 0x550, 0, 0x3000, 9);
    send(&rig, id, 0, 0x55c, 1);
    send(&rig, id, 0, 0x550, 0, 0x2000, 9);
    send(&rig, id, 0, 0x568, 0);
    assert_int_equal(engine_rig_rd32(&rig, 0x2000), 42);
    send(&rig, id, 0, 0x568, 1);
    assert_int_equal(engine_rig_rd32(&rig, 0x2000), 12);
    engine_rig_wr32(&rig, 0x3004, 0x80000000);
    send(&rig, id, 0, 0x550, 0, 0x3000, 9);
    send(&rig, id, 0, 0x55c, 2);
    send(&rig, id, 0, 0x550, 0, 0x2000, 9);
    send(&rig, id, 0, 0x568, 1 << 8); /* 64 bits */
    assert_int_equal(engine_rig_rd64(&rig, 0x2000), UINT64_C(0x8000000000000018));
    send(&rig, id, 0, 0x568, 1 << 8 | 1 << 4 | 2); /* the greater one, with signs */
    assert_int_equal(engine_rig_rd64(&rig, 0x2000), UINT64_C(0x8000000000000018));
    rig.events = 0;
    send(&rig, id, 0, 0x568, 2 << 4);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_NOT_EXECUTED), 1);
    send(&rig, id, 0, 0x558, 0xbff); /* the last word */
    send(&rig, id, 0, 0x568, 1 << 8);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_NOT_EXECUTED), 2);
    assert_int_equal(engine_rig_rd64(&rig, 0x2000), UINT64_C(0x8000000000000018));
    engine_rig_stop(&rig);
}

/* The 2D class has the same number on Fermi, where those methods are only stored. */
static void chips_before_have_no_memory_for_macros(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "GF100", CHIP_UNIT_PGRAPH, 0x902d);
    rig.events = 0;
    for (uint32_t method = 0x550; method <= 0x568; method += 4)
        send(&rig, id, 0, method, 0xff);
    assert_int_equal(rig.faults, 0);
    assert_int_equal(rig.events, 0);
    engine_rig_stop(&rig);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_macro_sets_the_depth_test),
        cmocka_unit_test(operations_of_the_alus),
        cmocka_unit_test(the_second_alu_takes_what_the_first_leaves),
        cmocka_unit_test(operands_are_registers_immediates_and_parameters),
        cmocka_unit_test(outputs_have_eleven_sources),
        cmocka_unit_test(method_increments_have_four_bits),
        cmocka_unit_test(predicates_switch_parts),
        cmocka_unit_test(loops_run_their_body_at_least_once),
        cmocka_unit_test(branches_compare),
        cmocka_unit_test(branches_go_back_and_end),
        cmocka_unit_test(jal_jumps),
        cmocka_unit_test(one_more_group_follows_the_end),
        cmocka_unit_test(macros_read_the_shadow),
        cmocka_unit_test(groups_wait_for_both_parameters),
        cmocka_unit_test(groups_that_there_are_not_trap),
        cmocka_unit_test(a_macro_without_an_end_is_stopped),
        cmocka_unit_test(the_data_ram_keeps_words),
        cmocka_unit_test(memory_goes_to_the_data_ram_and_back),
        cmocka_unit_test(the_data_ram_can_be_more_than_a_chunk),
        cmocka_unit_test(memory_can_fault),
        cmocka_unit_test(parameters_come_from_memory),
        cmocka_unit_test(reductions_take_the_data_ram),
        cmocka_unit_test(chips_before_have_no_memory_for_macros),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
