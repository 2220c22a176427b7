/* SPDX-License-Identifier: MIT */
/* The function of a run. */
#include <assert.h>
#include <string.h>

#include "engine/shade/compile/lower.h"
#include "engine/shade/interpret/core.h"

#define CODE (&l->code)

static lower_op *const ops[IR_OPS] = {
    [IR_FADD] = lower_float_op,    [IR_FMUL] = lower_float_op,    [IR_FFMA] = lower_float_op,
    [IR_FMNMX] = lower_float_op,   [IR_FSET] = lower_float_set,   [IR_FSETP] = lower_float_set,
    [IR_FCMP] = lower_float_set,   [IR_MUFU] = lower_function,    [IR_FSWZADD] = lower_quad_sum,
    [IR_IADD] = lower_integer_op,  [IR_IADD3] = lower_integer_op, [IR_ISCADD] = lower_integer_op,
    [IR_IMUL] = lower_integer_op,  [IR_IMAD] = lower_integer_op,  [IR_XMAD] = lower_integer_op,
    [IR_IMNMX] = lower_integer_op, [IR_ISET] = lower_integer_set, [IR_ISETP] = lower_integer_set,
    [IR_ICMP] = lower_integer_set, [IR_SHL] = lower_shift,        [IR_SHR] = lower_shift,
    [IR_BFE] = lower_shift,        [IR_LOP] = lower_logic,        [IR_LOP3] = lower_logic,
    [IR_I2F] = lower_convert,      [IR_F2I] = lower_convert,      [IR_F2F] = lower_convert,
    [IR_MOV] = lower_move,         [IR_SEL] = lower_move,         [IR_PSETP] = lower_predicates,
    [IR_ALD] = lower_attribute,    [IR_AST] = lower_attribute,    [IR_LDC] = lower_constant,
    [IR_IPA] = lower_interpolate,
};

/* What is called for all that is not translated. */
static bool call(struct shade_warp *warp, const struct shade_code *code, uint32_t running) {
    uint32_t lanes = shade_guarded(warp, &code->ir, running);
    return !lanes || code->run(warp, &code->ir, lanes);
}

_Static_assert(sizeof(struct shade_wanted) == sizeof(uint32_t), "it is a word after the code");

/* ---- the frame ---- */

static const uint8_t saved[] = {RBX, RBP, R12, R13, R14, R15};
enum { SAVED = sizeof saved, FRAME = ASSEMBLER_STACK + 8 }; /* the stack is at a multiple of 16 then */

static void leave(struct lower *l) {
    assembler_add(CODE, RSP, FRAME);
    for (unsigned i = SAVED; i-- > 0;)
        assembler_pop(CODE, saved[i]);
    assembler_return(CODE);
}

/* The beginning, which is emitted last: what the run needs is known then. */
static void enter(struct lower *l, uint32_t declined, uint32_t body) {
    for (unsigned i = 0; i < SAVED; i++)
        assembler_push(CODE, saved[i]);
    assembler_add(CODE, RSP, -FRAME);
    assembler_move(CODE, RBP, RDI);
    assembler_move32(CODE, R13, RSI);
    assembler_load(CODE, R12, RBP, offsetof(struct shade_warp, io));
    for (unsigned bank = 0; bank < SHADE_BANKS; bank++) {
        if (!l->constants[bank])
            continue;
        size_t at = offsetof(struct shade_io, constants) + bank * sizeof(struct shade_constants);
        assembler_compare_memory(CODE, R12, (int32_t)(at + offsetof(struct shade_constants, bytes)),
                                 l->constants[bank]);
        assembler_jump_back(CODE, IF_BELOW, declined);
    }
    const size_t rows[] = {offsetof(struct shade_io, inputs), offsetof(struct shade_io, outputs),
                           offsetof(struct shade_io, interpolate_list)};
    const bool needed[] = {l->inputs, l->outputs, l->wanted_count};
    for (unsigned i = 0; i < 3; i++)
        if (needed[i]) {
            assembler_compare_memory64(CODE, R12, (int32_t)rows[i], 0);
            assembler_jump_back(CODE, IF_EQUAL, declined);
        }
    if (l->wanted_count) {
        uint32_t words[SHADE_MOST_WANTED];
        memcpy(words, l->wanted, l->wanted_count * sizeof *words);
        assembler_move(CODE, RDI, RBP);
        assembler_words(CODE, RSI, words, l->wanted_count);
        assembler_set(CODE, RDX, l->wanted_count);
        assembler_load(CODE, RCX, R12, offsetof(struct shade_io, interpolated));
        assembler_load(CODE, RAX, R12, offsetof(struct shade_io, interpolate_list));
        assembler_call(CODE, RAX);
    }
    assembler_control_store(CODE, RSP, 0);
    assembler_jump_back(CODE, ALWAYS, body);
}

/* ---- instructions ---- */

/* Those that have been executed since the last time. */
static void count(struct lower *l, unsigned *executed) {
    if (*executed)
        assembler_add_memory(CODE, RBP, offsetof(struct shade_warp, instructions), (int32_t)*executed);
    *executed = 0;
}

static void emit_call(struct lower *l, const struct shade_code *code, unsigned index, uint32_t failed,
                      unsigned *executed) {
    lower_control(l, false);
    lower_close(l);
    count(l, executed);
    assembler_set(CODE, RBX, index);
    assembler_move(CODE, RDI, RBP);
    assembler_set(CODE, RSI, (uintptr_t)code);
    assembler_move32(CODE, RDX, R13);
    assembler_set(CODE, RAX, (uintptr_t)call);
    assembler_call(CODE, RAX);
    assembler_test8(CODE, RAX);
    assembler_jump_back(CODE, IF_EQUAL, failed);
}

static bool has_effect(const struct ir *ir) {
    return ir->op != IR_NOP && ir->op != IR_ORDER && ir->op != IR_MEMBAR && ir->op != IR_CCTL && !lower_is_never(ir);
}

static void emit(struct lower *l, const struct shade_code *code, unsigned index, uint32_t failed, unsigned *executed) {
    assert(code->simple && !code->more);
    if (!code->run) /* words for the scheduler */
        return;
    ++*executed;
    if (!has_effect(&code->ir))
        return;
    if (!ops[code->ir.op] || !ops[code->ir.op](l, &code->ir))
        emit_call(l, code, index, failed, executed);
    lower_release(l);
}

bool lower_run(struct assembler *code, const struct lower_input *input, uint32_t *entry) {
    struct lower lower, *l = &lower;
    unsigned executed = 0;
    lower_begin(l, code);
    l->flat = input->flat;
    uint32_t declined = CODE->size;
    assembler_set(CODE, RBX, RUN_DECLINED);
    uint32_t failed = CODE->size;
    assembler_move32(CODE, RAX, RBX);
    leave(l);
    uint32_t body = CODE->size;
    for (unsigned i = 0; i < input->count; i++)
        emit(l, input->codes[i], i, failed, &executed);
    lower_control(l, false);
    lower_close(l);
    count(l, &executed);
    assembler_set(CODE, RAX, RUN_ALL);
    leave(l);
    *entry = CODE->size;
    enter(l, declined, body);
    *code = l->code;
    return !code->failed;
}
