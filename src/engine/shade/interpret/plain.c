/* SPDX-License-Identifier: MIT */
/*
 * The operations that programs consist of, in the forms that they mostly have: nothing but a row for the destination, rows
 * or single words as sources, signs of floats. They are chosen once for each instruction (ops.c) and work on registers in
 * place. What they give is what the operation of the same name gives, which has all forms.
 */
#include "engine/shade/interpret/core.h"
#include "engine/shade/interpret/value.h"

#define INLINE static inline __attribute__((always_inline))

/* Before loops whose steps do not depend on each other, though rows may be the same. clang finds that out as they run. */
#if defined(__GNUC__) && !defined(__clang__)
#define LANES_ARE_APART _Pragma("GCC ivdep")
#else
#define LANES_ARE_APART
#endif

/* A row, or a word that is the same in all lanes; and what becomes of it: (bits & keep) ^ flip. */
struct plain_source {
    const uint32_t *row;
    uint32_t word, keep, flip;
};

INLINE struct plain_source source_of(const struct shade_warp *warp, const struct ir_source *source, bool alone) {
    struct plain_source from = {.keep = source->absolute ? 0x7fffffff : SHADE_ALL,
                                .flip = source->negate ? 0x80000000 : 0};
    if (!alone)
        from.row = warp->registers[source->value & 0xff];
    else
        from.word = source->kind == IR_IMMEDIATE ? source->value : shade_constant(warp, source->bank, source->value, 4);
    return from;
}

INLINE float taken(const struct plain_source *from, unsigned lane, bool alone, bool flush) {
    uint32_t bits = ((alone ? from->word : from->row[lane]) & from->keep) ^ from->flip;
    return shade_f32(flush ? shade_flushed(bits) : bits);
}

INLINE uint32_t given(float value, bool saturate, bool flush) {
    uint32_t bits = shade_quiet(shade_u32(value));
    bits = flush ? shade_flushed(bits) : bits;
    return saturate ? shade_saturated(bits) : bits;
}

enum { SUM, PRODUCT, FUSED };

INLINE float computed(unsigned what, float a, float b, float c) {
    return what == SUM ? a + b : what == PRODUCT ? a * b : __builtin_fmaf(a, b, c);
}

/* A lane is read before it is written, and no other lane is: sources and destination may be the same row. */
INLINE void compute(struct shade_warp *warp, const struct ir *ir, uint32_t lanes, unsigned what, unsigned form,
                    bool saturate) {
    const bool flush = form & 1, b_alone = form & 2, c_alone = form & 4;
    const struct plain_source a = source_of(warp, &ir->a, false), b = source_of(warp, &ir->b, b_alone);
    const struct plain_source c = what == FUSED ? source_of(warp, &ir->c, c_alone) : b;
    uint32_t *to = warp->registers[ir->d];
    if (lanes == SHADE_ALL) {
        LANES_ARE_APART
        for (unsigned i = 0; i < SHADE_LANES; i++)
            to[i] = given(computed(what, taken(&a, i, false, flush), taken(&b, i, b_alone, flush),
                                   what == FUSED ? taken(&c, i, c_alone, flush) : 0),
                          saturate, flush);
        return;
    }
    LANES_ARE_APART
    for (unsigned i = 0; i < SHADE_LANES; i++) {
        uint32_t bits = given(computed(what, taken(&a, i, false, flush), taken(&b, i, b_alone, flush),
                                       what == FUSED ? taken(&c, i, c_alone, flush) : 0),
                              saturate, flush);
        to[i] = lanes & shade_bit[i] ? bits : to[i];
    }
}

INLINE bool run(struct shade_warp *warp, const struct ir *ir, uint32_t lanes, unsigned what, unsigned form) {
    if (ir->saturate)
        compute(warp, ir, lanes, what, form, true);
    else
        compute(warp, ir, lanes, what, form, false);
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
#else
static shade_op *const fused[6];
#endif

/* Is it a row of registers, or else a word? False: neither. */
static bool is_plain(const struct ir_source *source, bool *alone) {
    *alone = source->kind == IR_CONSTANT || source->kind == IR_IMMEDIATE;
    return (*alone || source->kind == IR_REGISTER) && source->part == IR_WHOLE && !source->invert &&
           !(source->kind == IR_CONSTANT && source->index);
}

shade_op *shade_plain_of(const struct ir *ir) {
    static shade_op *const sums[] = {plain_fadd_0, plain_fadd_1, plain_fadd_2, plain_fadd_3};
    static shade_op *const products[] = {plain_fmul_0, plain_fmul_1, plain_fmul_2, plain_fmul_3};
    bool a_alone, b_alone, c_alone = false;
    if ((ir->op != IR_FADD && ir->op != IR_FMUL && ir->op != IR_FFMA) || ir->type == IR_F64)
        return NULL;
    if (ir->round != IR_NEAREST || ir->multiply_zero || ir->scale || ir->write_flags || ir->d >= IR_ZERO ||
        !is_plain(&ir->a, &a_alone) || a_alone || !is_plain(&ir->b, &b_alone))
        return NULL;
    unsigned form = (ir->flush ? 1 : 0) | (b_alone ? 2 : 0);
    if (ir->op != IR_FFMA)
        return ir->op == IR_FADD ? sums[form] : products[form];
    if (!is_plain(&ir->c, &c_alone) || (b_alone && c_alone) || !shade_has_fused())
        return NULL;
    return fused[form | (c_alone ? 4 : 0)];
}
