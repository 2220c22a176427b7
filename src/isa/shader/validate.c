/* SPDX-License-Identifier: MIT */
/* Whether an instruction is one that its row allows. */
#include "isa/shader/operation.h"

#include <stddef.h>

enum { TYPES = IR_F64 + 1, BANKS = 32, TESTS = 32 };

static bool validate_is_empty(const struct ir_source *source) {
    return source->kind == IR_NONE || (source->kind == IR_REGISTER && source->value == IR_ZERO);
}

static const char *wrong_source(const struct ir_source *source) {
    if (source->kind > IR_SHARED || source->part > IR_FLOAT)
        return "a source's kind or part has no name";
    if (source->kind == IR_REGISTER && source->value > IR_ZERO)
        return "a source's register has no name";
    if (source->kind == IR_CONSTANT && source->bank >= BANKS)
        return "a source's bank has no name";
    return NULL;
}

static const char *wrong_common(const struct ir *ir) {
    if (ir->guard > IR_TRUE || ir->test >= TESTS || ir->flags)
        return "the guard or the test has no name";
    if (ir->type >= TYPES || ir->source_type >= TYPES)
        return "a type has no name";
    if (ir->combine_predicate > IR_TRUE || ir->p > IR_TRUE || ir->q > IR_TRUE)
        return "a predicate has no name";
    if (!ir->name || !*ir->name)
        return "the encoding has no name";
    const char *wrong = wrong_source(&ir->a);
    if (!wrong)
        wrong = wrong_source(&ir->b);
    return wrong ? wrong : wrong_source(&ir->c);
}

static const char *wrong_mode(const struct ir *ir, const struct ir_row *row) {
    if (row->modes == IR_MODES_ANY)
        return NULL;
    if (row->modes == IR_MODES_ATOMICS && ir->mode)
        return "there is a mode";
    return ir_mode(ir) < ir_modes_count(row->modes) ? NULL : "the mode has no name";
}

/* Modifiers that the row does not list have the value that does nothing; the others one that has a name. */
static const char *wrong_modifier(const struct ir *ir, const struct ir_row *row) {
    const struct {
        uint32_t modifier;
        unsigned value, most;
    } members[] = {
        {IR_HAS_ROUND, ir->round, 3},
        {IR_HAS_FLUSH, ir->flush || ir->multiply_zero, 1},
        {IR_HAS_SATURATE, ir->saturate, 1},
        {IR_HAS_FLAGS, ir->write_flags, 1},
        {IR_HAS_CARRY, ir->carry_in, 1},
        {IR_HAS_PLUS_ONE, ir->plus_one, 1},
        {IR_HAS_HIGH, ir->high, 1},
        {IR_HAS_WRAP, ir->wrap, 1},
        {IR_HAS_REVERSE, ir->reverse, 1},
        {IR_HAS_TRUTH, ir->float_true, 1},
        {IR_HAS_EXTENDED, ir->extended, 1},
        {IR_HAS_INTEGRAL, ir->integral, 1},
        {IR_HAS_WIDE, ir->wide, 1},
        {IR_HAS_OUTPUT, ir->output, 1},
        {IR_HAS_PATCH, ir->patch, 1},
        {IR_HAS_COMPARE, ir->compare, IR_ALWAYS},
        {IR_HAS_COMBINE, ir->combine, IR_PASS_B},
        {IR_HAS_COMBINE1, ir->combine1, IR_PASS_B},
        {IR_HAS_SCALE, (unsigned)(ir->scale < 0 ? -ir->scale : ir->scale), 3},
        {IR_HAS_MERGE, ir->merge, 3},
        {IR_HAS_SAMPLE, ir->sample, 2},
        {IR_HAS_SPACE, ir->space, IR_SPACE_SHARED},
        {IR_HAS_ATOMIC, ir->atomic, IR_LOAD_ONLY},
        {IR_HAS_BANK, ir->bank, BANKS - 1},
        {IR_HAS_SHIFT, ir->shift, 31},
        {IR_HAS_MASK, ir->mask ^ 0xfu, 0xff},
        {IR_HAS_OFFSET, ir->offset != 0, 1},
    };
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++)
        if (members[i].value > (row->modifiers & members[i].modifier ? members[i].most : 0))
            return "a modifier is not one of the operation's";
    return NULL;
}

/*
 * The places that the row has with this mode, as bits; sources by the one that they are made of. P may be named where
 * it is not read.
 */
static unsigned validate_places_of(const struct ir *ir, const struct ir_row *row) {
    static const uint8_t made_of[] = {
        [IR_PLACE_ADDRESS] = IR_PLACE_A,
        [IR_PLACE_ATTRIBUTE] = IR_PLACE_A,
        [IR_PLACE_CONSTANT] = IR_PLACE_A,
        [IR_PLACE_PREDICATE_A] = IR_PLACE_A,
        [IR_PLACE_PREDICATE_B] = IR_PLACE_B,
        [IR_PLACE_TEXTURE] = IR_PLACE_D,
        [IR_PLACE_IMAGE] = 0,
    };
    unsigned places = 0;
    for (const struct ir_row_operand *operand = row->operands; operand->place; operand++)
        if (ir_operand_exists(ir, operand) || operand->place == IR_PLACE_COMBINED)
            places |= 1u << operand->place | 1u << made_of[operand->place];
    if (ir->op == IR_BRX)
        places |= 1u << IR_PLACE_A;
    return places;
}

static const char *wrong_operand(const struct ir *ir, const struct ir_row *row) {
    unsigned places = validate_places_of(ir, row);
    const struct {
        unsigned place;
        bool there;
    } operands[] = {
        {IR_PLACE_D, ir->d != IR_ZERO},
        {IR_PLACE_A, !validate_is_empty(&ir->a)},
        {IR_PLACE_B, !validate_is_empty(&ir->b)},
        {IR_PLACE_C, !validate_is_empty(&ir->c)},
        {IR_PLACE_P, ir->p != IR_TRUE},
        {IR_PLACE_Q, ir->q != IR_TRUE},
        {IR_PLACE_COMBINED, ir->combine_predicate != IR_TRUE},
    };
    for (size_t i = 0; i < sizeof operands / sizeof operands[0]; i++)
        if (operands[i].there && !(places >> operands[i].place & 1))
            return "an operand is not one of the operation's";
    return ir_is_aligned(ir) ? NULL : "a value of several registers is not aligned";
}

static const char *wrong_texture(const struct ir_texture *texture) {
    if (texture->dim > IR_DIM_CUBE || texture->lod > IR_LOD_LEVEL || texture->component > 3 || texture->mask > 15 ||
        texture->query > IR_QUERY_BORDER)
        return "a number of a texture has no name";
    for (unsigned i = 0; i < 4; i++)
        if (!(texture->mask >> i & 1) && texture->d[i] != IR_ZERO)
            return "a component that is not chosen has a register";
    return NULL;
}

static const char *wrong_simd(const struct ir *ir) {
    if (ir->simd.lanes != 2 && ir->simd.lanes != 4)
        return "there are two or four lanes";
    if (ir->simd.mask >> ir->simd.lanes || ir->simd.merge > IR_SIMD_ALL_MAX || ir->simd.merge == 3)
        return "a part of a SIMD operation has no name";
    for (unsigned i = 0; i < 4; i++)
        if (ir->simd.a[i] >= 2 * ir->simd.lanes || ir->simd.b[i] >= 2 * ir->simd.lanes)
            return "a lane is of a part that is not there";
    return NULL;
}

static const char *wrong_details(const struct ir *ir) {
    if (ir_row(ir->op)->effects & IR_TEXTURES)
        return wrong_texture(&ir->texture);
    if (ir->op == IR_XMAD && ir->xmad.c > 4)
        return "the addend has no name";
    if (ir->op == IR_VIDEO && (ir->video.merge > 7 || ir->video.select_a > 6 || ir->video.select_b > 6))
        return "a part of a video operation has no name";
    if (ir->op == IR_SIMD)
        return wrong_simd(ir);
    if (ir->op == IR_SURFACE && (ir->surface.size >= TYPES || ir->surface.components > 15))
        return "a size of an image has no name";
    if (ir->op == IR_SURFACE &&
        (ir->surface.dim > IR_IMAGE_STRIDE || ir->surface.raw > IR_RAW_S8 || ir->surface.outside > IR_OUTSIDE_TRAP))
        return "a number of an image has no name";
    return NULL;
}

const char *ir_validate(const struct ir *ir) {
    if (ir->op >= IR_OPS)
        return "the operation has no name";
    const struct ir_row *row = ir_row(ir->op);
    const char *wrong = wrong_common(ir);
    if (wrong || ir->op == IR_OTHER)
        return wrong;
    wrong = wrong_mode(ir, row);
    if (!wrong)
        wrong = wrong_modifier(ir, row);
    if (!wrong)
        wrong = wrong_operand(ir, row);
    return wrong ? wrong : wrong_details(ir);
}
