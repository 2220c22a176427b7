/* SPDX-License-Identifier: MIT */
/* Attributes and constants: what engine/shade/interpret/stage.c and memory.c do. */
#include "engine/shade/compile/lower.h"
#include "isa/shader/operation.h"

#define CODE (&l->code)

/* The word that all lanes name, or SHADE_ATTRIBUTES: none. */
static uint32_t named_word(const struct ir *ir) {
    bool zero = ir->a.kind == IR_NONE || (ir->a.kind == IR_REGISTER && (ir->a.value & 0xff) == IR_ZERO);
    if ((!zero && ir->a.kind != IR_IMMEDIATE) || ir->a.invert)
        return SHADE_ATTRIBUTES;
    return ((zero ? 0 : ir->a.value) + (uint32_t)ir->offset) / 4;
}

static int32_t row_of(uint32_t word) {
    return (int32_t)(word * sizeof(shade_row));
}

/* RCX = rows + what RBX is beyond the registers' first row. */
static void rows_at(struct lower *l, size_t member) {
    assembler_load(CODE, RCX, R12, (int32_t)member);
    assembler_add_register(CODE, RCX, RBX);
    assembler_subtract_register(CODE, RCX, RBP);
}

enum { REGISTERS_AT = offsetof(struct shade_warp, registers) };

static bool load(struct lower *l, const struct ir *ir, uint32_t word, unsigned words) {
    bool vertex = ir->c.kind == IR_REGISTER && (ir->c.value & 0xff) != IR_ZERO;
    if (vertex || ir->output || ir->patch)
        return false;
    lower_open(l);
    l->inputs = true;
    rows_at(l, offsetof(struct shade_io, inputs));
    for (unsigned i = 0; i < words; i++) {
        unsigned t = lower_take(l);
        assembler_vector(CODE, VMOVDQA32, t, 0, at_row(RCX, row_of(word + i) - REGISTERS_AT));
        lower_result_at(l, ir, ir->d == IR_ZERO ? IR_ZERO : ir->d + i, t);
    }
    return true;
}

static bool store(struct lower *l, const struct ir *ir, uint32_t word, unsigned words) {
    if (ir->patch || ir->b.kind != IR_REGISTER || ir->b.part != IR_WHOLE || ir->b.invert)
        return false;
    lower_open(l);
    l->outputs = true;
    rows_at(l, offsetof(struct shade_io, outputs));
    for (unsigned i = 0; i < words; i++) {
        unsigned number = ir->b.value & 0xff, t = LOWER_T0, k = LOWER_LANES;
        if (number == IR_ZERO || number + i >= IR_ZERO)
            assembler_vector(CODE, VPBROADCASTD, t, 0, at_word(CODE, 0));
        else
            t = lower_register(l, number + i, true);
        if (lower_is_guarded(ir)) {
            assembler_mask(CODE, KAND, LOWER_K, lower_guard(l, ir), LOWER_LANES);
            k = LOWER_K;
        }
        assembler_vector_masked(CODE, VMOVDQA32_STORE, t, 0, at_row(RCX, row_of(word + i) - REGISTERS_AT), k, false);
        lower_release(l);
    }
    return true;
}

bool lower_attribute(struct lower *l, const struct ir *ir) {
    uint32_t word = named_word(ir);
    unsigned words = ir_words(ir->type);
    if (!lower_can_guard(ir) || word + words > SHADE_ATTRIBUTES)
        return false;
    return ir->op == IR_ALD ? load(l, ir, word, words) : store(l, ir, word, words);
}

bool lower_constant(struct lower *l, const struct ir *ir) {
    uint32_t offset = named_word(ir) * 4;
    unsigned words = ir_words(ir->type);
    if (!lower_can_guard(ir) || ir->mode >= 2 || ir->bank >= SHADE_BANKS || offset >= 4 * SHADE_ATTRIBUTES ||
        (ir->type != IR_U32 && ir->type != IR_S32 && ir->type != IR_U64 && ir->type != IR_B128))
        return false;
    offset &= ~(4 * words - 1);
    lower_open(l);
    if (l->constants[ir->bank] < offset + 4 * words)
        l->constants[ir->bank] = offset + 4 * words;
    for (unsigned i = 0; i < words; i++) {
        unsigned t = lower_take(l);
        lower_bank(l, ir->bank);
        assembler_vector(CODE, VPBROADCASTD, t, 0, at_everywhere(RAX, (int32_t)(offset + 4 * i)));
        lower_result_at(l, ir, ir->d == IR_ZERO ? IR_ZERO : ir->d + i, t);
    }
    return true;
}

/* Which row it will be in, or SHADE_MOST_WANTED: there are too many. */
static unsigned wanted(struct lower *l, uint32_t word, uint32_t mode) {
    unsigned i = 0;
    while (i < l->wanted_count && (l->wanted[i].word != word || l->wanted[i].mode != mode))
        i++;
    if (i == l->wanted_count && i < SHADE_MOST_WANTED)
        l->wanted[l->wanted_count++] = (struct shade_wanted){(uint16_t)word, (uint16_t)mode};
    return i;
}

bool lower_interpolate(struct lower *l, const struct ir *ir) {
    uint32_t word = named_word(ir);
    bool multiplies = ir->mode == 1 || (ir->mode == 3 && !l->flat);
    if (!lower_can_guard(ir) || word >= SHADE_ATTRIBUTES || ir->sample || (multiplies && !lower_can(&ir->b)) ||
        (ir->saturate && !multiplies))
        return false;
    unsigned row = wanted(l, word, ir->mode);
    if (row == SHADE_MOST_WANTED)
        return false;
    if (multiplies)
        lower_flush(l, true);
    else
        lower_open(l);
    struct assembler_operand at = at_row(RCX, row_of(row) - REGISTERS_AT);
    unsigned b = multiplies ? lower_in_register(l, lower_float(l, &ir->b, LOWER_T0, true), LOWER_T0) : 0;
    unsigned t = lower_take(l);
    rows_at(l, offsetof(struct shade_io, interpolated));
    if (multiplies) {
        assembler_vector(CODE, VMULPS, t, b, at);
        lower_float_end(l, ir, t);
    } else {
        assembler_vector(CODE, VMOVDQA32, t, 0, at);
        lower_result(l, ir, t);
    }
    return true;
}
