/* SPDX-License-Identifier: MIT */
/*
 * The operations that programs consist of, in the forms that they mostly have: nothing but a row for the destination, rows
 * or single words as sources, signs of floats. They are chosen once for each instruction (ops.c) and work on registers in
 * place. What they give is what the operation of the same name gives, which has all forms.
 */
#include "engine/shade/interpret/source.h"

/* Before loops whose steps do not depend on each other, though rows may be the same. clang finds that out as they run. */
#if defined(__GNUC__) && !defined(__clang__)
#define LANES_ARE_APART _Pragma("GCC ivdep")
#else
#define LANES_ARE_APART
#endif

INLINE struct float_source source_of(const struct shade_warp *warp, const struct ir_source *source, bool is_word) {
    struct float_source from = float_source_of(source);
    if (!is_word)
        from.row = warp->registers[source->value & 0xff];
    else
        from.word = source->kind == IR_IMMEDIATE ? source->value : shade_constant(warp, source->bank, source->value, 4);
    return from;
}

enum { SUM, PRODUCT, FUSED };

INLINE float evaluate(unsigned what, float a, float b, float c) {
    return what == SUM ? a + b : what == PRODUCT ? a * b : __builtin_fmaf(a, b, c);
}

/* A lane is read before it is written, and no other lane is: sources and destination may be the same row. */
INLINE void compute(struct shade_warp *warp, const struct ir *ir, uint32_t lanes, unsigned what, unsigned form,
                    bool saturate, bool all) {
    const bool flush = form & 1, b_is_word = form & 2, c_is_word = form & 4;
    const struct float_source a = source_of(warp, &ir->a, false), b = source_of(warp, &ir->b, b_is_word);
    const struct float_source c = what == FUSED ? source_of(warp, &ir->c, c_is_word) : b;
    uint32_t *to = warp->registers[ir->d];
    LANES_ARE_APART
    for (unsigned i = 0; i < SHADE_LANES; i++) {
        float addend = what == FUSED ? load_float(&c, i, c_is_word, flush) : 0;
        float value = evaluate(what, load_float(&a, i, false, flush), load_float(&b, i, b_is_word, flush), addend);
        uint32_t bits = result_bits(value, flush);
        bits = saturate ? shade_saturated(bits) : bits;
        to[i] = all || lanes & shade_bit[i] ? bits : to[i];
    }
}

INLINE bool run(struct shade_warp *warp, const struct ir *ir, uint32_t lanes, unsigned what, unsigned form) {
    if (ir->saturate)
        compute(warp, ir, lanes, what, form, true, false);
    else if (lanes != SHADE_ALL)
        compute(warp, ir, lanes, what, form, false, false);
    else
        compute(warp, ir, lanes, what, form, false, true);
    return true;
}

#define FORM(name, what, form, build)                                                                                  \
    build static bool name##_##form(struct shade_warp *warp, const struct ir *ir, uint32_t lanes) {                    \
        return run(warp, ir, lanes, what, form);                                                                       \
    }
#define FORMS(name, what, build)                                                                                       \
    FORM(name, what, 0, build)                                                                                         \
    FORM(name, what, 1, build)                                                                                         \
    FORM(name, what, 2, build)                                                                                         \
    FORM(name, what, 3, build)

FORMS(plain_fadd, SUM, )
FORMS(plain_fmul, PRODUCT, )

#if defined(__x86_64__) && defined(__GNUC__)
#define FUSED_BUILD __attribute__((target("avx2,fma")))
FORMS(plain_ffma, FUSED, FUSED_BUILD)
FORM(plain_ffma, FUSED, 4, FUSED_BUILD)
FORM(plain_ffma, FUSED, 5, FUSED_BUILD)

static shade_op *const fused[] = {plain_ffma_0, plain_ffma_1, plain_ffma_2, plain_ffma_3, plain_ffma_4, plain_ffma_5};

bool shade_has_fused(void) {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}
#else
static shade_op *const fused[6];

bool shade_has_fused(void) {
    return false;
}
#endif

/* Is it a register, or a word that is the same in all lanes? False: neither. */
static bool is_plain(const struct ir_source *source, bool *is_word) {
    *is_word = source->kind == IR_CONSTANT || source->kind == IR_IMMEDIATE;
    return (*is_word || source->kind == IR_REGISTER) && source->part == IR_WHOLE && !source->invert &&
           !(source->kind == IR_CONSTANT && source->index);
}

shade_op *shade_plain_of(const struct ir *ir) {
    static shade_op *const sums[] = {plain_fadd_0, plain_fadd_1, plain_fadd_2, plain_fadd_3};
    static shade_op *const products[] = {plain_fmul_0, plain_fmul_1, plain_fmul_2, plain_fmul_3};
    bool a_is_word, b_is_word, c_is_word = false;
    if ((ir->op != IR_FADD && ir->op != IR_FMUL && ir->op != IR_FFMA) || ir->type == IR_F64)
        return NULL;
    if (ir->round != IR_NEAREST || ir->multiply_zero || ir->scale || ir->write_flags || ir->d >= IR_ZERO ||
        !is_plain(&ir->a, &a_is_word) || a_is_word || !is_plain(&ir->b, &b_is_word))
        return NULL;
    unsigned form = (ir->flush ? 1 : 0) | (b_is_word ? 2 : 0);
    if (ir->op != IR_FFMA)
        return ir->op == IR_FADD ? sums[form] : products[form];
    if (!is_plain(&ir->c, &c_is_word) || (b_is_word && c_is_word) || !shade_has_fused())
        return NULL;
    return fused[form | (c_is_word ? 4 : 0)];
}
