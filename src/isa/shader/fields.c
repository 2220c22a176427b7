/* SPDX-License-Identifier: MIT */
#include "isa/shader/fields.h"
#include "isa/shader/operation.h"

#include <string.h>

static int64_t signed_bits(uint64_t value, unsigned width) {
    uint64_t sign = (uint64_t)1 << (width - 1);
    return (int64_t)((value ^ sign) - sign);
}

static uint8_t fields_number(uint64_t value, unsigned width) {
    return value == UINT64_MAX >> (64 - width) ? IR_ZERO : (uint8_t)value;
}

uint8_t isa_next(uint8_t *reg) {
    return *reg == IR_ZERO ? IR_ZERO : (*reg)++;
}

void isa_clear(struct ir *out, uint64_t address) {
    *out = (struct ir){
        .op = IR_NOP,
        .guard = IR_TRUE,
        .test = IR_TEST_TRUE,
        .mask = 0xf,
        .combine_predicate = IR_TRUE,
        .d = IR_ZERO,
        .p = IR_TRUE,
        .q = IR_TRUE,
        .address = (uint32_t)address,
    };
}

struct isa_decoded isa_decoded(enum isa_result result, unsigned bytes, const struct ir *out) {
    assert(bytes && bytes <= ISA_MOST_BYTES);
    assert(result != ISA_OK || !ir_validate(out));
    (void)out;
    return (struct isa_decoded){result, (uint8_t)bytes, result == ISA_OK};
}

enum isa_result isa_unknown(struct ir *out) {
    out->op = IR_OTHER;
    return ISA_OK;
}

enum isa_result isa_plus_one(uint64_t word, struct ir *out) {
    (void)word;
    if (out->a.negate && out->b.negate) {
        out->plus_one = true;
        out->a.negate = out->b.negate = false;
    }
    return ISA_OK;
}

enum isa_result isa_plus_one_product(uint64_t word, struct ir *out) {
    (void)word;
    if (out->a.negate && out->c.negate) {
        out->plus_one = true;
        out->a.negate = out->c.negate = false;
    }
    return ISA_OK;
}

/*
 * Yuzu has the operations of each type: INC and DEC of U32 only, ADD alone of floats, ADD, MIN and MAX of pairs of
 * halves; the rest only loads. UNKNOWN: 64-bit types beside that; chosen: all that 32-bit ones have.
 */
enum isa_result isa_atomic(uint64_t word, struct ir *out) {
    static const uint8_t types[] = {IR_U32, IR_S32, IR_U64, IR_F32, IR_F16X2, IR_S64};
    (void)word;
    if (out->type >= sizeof(types) || out->atomic > IR_SAFE_ADD || out->atomic == IR_CAS)
        return ISA_ILLEGAL;
    out->type = out->source_type = types[out->type];
    bool counts = out->atomic == IR_INC || out->atomic == IR_DEC;
    if ((counts && out->type != IR_U32) || (out->type == IR_F32 && out->atomic != IR_ADD) ||
        (out->type == IR_F16X2 && out->atomic > IR_MAX))
        out->atomic = IR_LOAD_ONLY;
    return ISA_OK;
}

static void fields_put_source(const struct isa_field *field, uint64_t value, uint64_t word, struct ir_source *source) {
    assert(source->kind == IR_NONE);        /* a row says once what a source is */
    unsigned sign = (field->at + 36u) % 64; /* of the two kinds with 20 bits, which are below bit 28 */
    uint64_t top = (word >> sign & 1) << 19 | value;
    assert(!(value >> 32));
    switch (field->to >> 8) {
    case PUT_REGISTER:
        source->kind = IR_REGISTER;
        source->value = fields_number(value, field->width);
        break;
    case PUT_CONSTANT:
        source->kind = IR_CONSTANT;
        source->bank = (uint8_t)(value >> 14);
        source->value = (uint32_t)(value & 0x3fff) * 4;
        break;
    case PUT_BYTES:
        source->kind = IR_CONSTANT;
        source->bank = (uint8_t)(value >> 16);
        source->value = (uint32_t)(value & 0xffff);
        break;
    case PUT_INTEGER:
        source->kind = IR_IMMEDIATE;
        source->value = (uint32_t)signed_bits(top, 20);
        break;
    case PUT_FLOAT:
        source->kind = IR_IMMEDIATE;
        source->value = (uint32_t)top << 12;
        break;
    default: /* PUT_PREDICATE, PUT_IMMEDIATE */
        source->kind = IR_IMMEDIATE;
        source->value = (uint32_t)value;
    }
}

/* Fields that say which part of a source is meant. */
static enum isa_result put_part(const struct isa_field *field, uint64_t value, struct ir *out,
                                struct ir_source *source) {
    static const uint8_t pairs[] = {IR_WHOLE, IR_FLOAT, IR_HALF0, IR_HALF1};
    static const uint8_t halves[] = {IR_WHOLE, IR_HALF0, IR_HALF1};
    switch (field->to >> 8) {
    case PUT_PART_BYTE:
        if (out->source_type == IR_U8 || out->source_type == IR_S8)
            source->part = (uint8_t)(IR_BYTE0 + value);
        else if (out->source_type == IR_U16 || out->source_type == IR_S16)
            source->part = value & 2 ? IR_HALF1 : IR_HALF0;
        else if (out->source_type == IR_F16)
            source->part = value & 1 ? IR_HALF1 : IR_HALF0;
        break;
    case PUT_PART_PAIR:
        source->part = pairs[value & 3];
        break;
    default: /* PUT_PART_HALF */
        if (value > 2)
            return ISA_ILLEGAL;
        source->part = halves[value];
    }
    return ISA_OK;
}

static enum isa_result put_type(const struct isa_field *field, uint64_t value, struct ir *out, uint8_t *member) {
    static const uint8_t floats[] = {0, IR_F16, IR_F32, IR_F64};
    static const uint8_t sizes[] = {IR_U8, IR_S8, IR_U16, IR_S16, IR_U32, IR_U64, IR_B128};
    static const uint8_t words[] = {IR_U32, IR_U64, IR_B96, IR_B128};
    switch (field->to >> 8) {
    case PUT_FLOAT_TYPE:
        if (!value)
            return ISA_ILLEGAL;
        *member = floats[value & 3];
        break;
    case PUT_SIZE:
        if (value >= sizeof(sizes))
            return ISA_ILLEGAL;
        out->type = out->source_type = sizes[value];
        break;
    default: /* PUT_WORDS */
        out->type = out->source_type = words[value & 3];
    }
    return ISA_OK;
}

static void put_offset(const struct isa_field *field, uint64_t value, struct ir *out) {
    unsigned how = field->to >> 8;
    assert(field->width + field->shift <= 40);
    if (how == PUT_ADDRESS || (how == PUT_OFFSET_ZERO && out->a.value == IR_ZERO))
        out->offset = (int64_t)(value << field->shift);
    else
        out->offset = signed_bits(value, field->width) * ((int64_t)1 << field->shift);
    if (how == PUT_RELATIVE)
        out->offset += (int64_t)out->address + 8;
}

static void put_form_register(uint64_t word, unsigned at, struct ir_source *source) {
    source->kind = IR_REGISTER;
    source->value = fields_number(isa_bits(word, at, 6), 6);
}

/* The constant's bank has a fifth bit apart (envytools gf100.c; Mesa never sets it). */
static void put_form_constant(uint64_t word, struct ir_source *source) {
    source->kind = IR_CONSTANT;
    source->bank = (uint8_t)(isa_bits(word, 26, 1) << 4 | isa_bits(word, 42, 4));
    source->value = (uint32_t)isa_bits(word, 28, 14) * 4;
}

/*
 * GF100: 0 a register, 1 a constant, 2 a constant as the third of three sources, whose register is then the second, 3
 * an immediate of 20 bits.
 */
static enum isa_result put_form(const struct isa_field *field, uint64_t form, uint64_t word, struct ir *out,
                                struct ir_source *source) {
    assert(field->width == 2);
    bool three = field->shift & FORM_THREE, is_float = (field->shift & FORM_FLOAT) && out->source_type != IR_F16;
    uint32_t immediate = (uint32_t)isa_bits(word, 26, 20);
    if (form == 2 && !three)
        return ISA_ILLEGAL;
    if (form == 2)
        put_form_constant(word, &out->c);
    else if (three)
        put_form_register(word, 49, &out->c);
    if (form == 0 || form == 2) {
        put_form_register(word, form == 0 ? 26 : 49, source);
    } else if (form == 1) {
        put_form_constant(word, source);
    } else {
        source->kind = IR_IMMEDIATE;
        source->value = is_float ? immediate << 12 : (uint32_t)signed_bits(immediate, 20);
    }
    return ISA_OK;
}

static enum isa_result fields_put(const struct isa_field *field, uint64_t word, struct ir *out) {
    static const int8_t scales[] = {0, -1, -2, -3, 3, 2, 1};
    uint8_t *member = (uint8_t *)out + (field->to & 0xff);
    assert((field->to & 0xff) < sizeof *out);
    uint64_t value = isa_bits(word, field->at, field->width);
    switch (field->to >> 8) {
    case PUT_BITS: {
        assert(field->width + field->shift <= 8);
        unsigned mask = ((1u << field->width) - 1) << field->shift;
        *member = (uint8_t)((*member & ~mask) | (unsigned)value << field->shift);
        break;
    }
    case PUT_NUMBER:
        *member = fields_number(value, field->width);
        break;
    case PUT_REGISTER:
    case PUT_PREDICATE:
    case PUT_CONSTANT:
    case PUT_BYTES:
    case PUT_IMMEDIATE:
    case PUT_INTEGER:
    case PUT_FLOAT:
        fields_put_source(field, value, word, (struct ir_source *)(void *)member);
        break;
    case PUT_FORM:
        return put_form(field, value, word, out, (struct ir_source *)(void *)member);
    case PUT_PART_BYTE:
    case PUT_PART_PAIR:
    case PUT_PART_HALF:
        return put_part(field, value, out, (struct ir_source *)(void *)member);
    case PUT_FLUSH:
        out->flush = value != 0;
        out->multiply_zero = (value & 2) != 0;
        break;
    case PUT_FLOAT_TYPE:
    case PUT_SIZE:
    case PUT_WORDS:
        return put_type(field, value, out, member);
    case PUT_SCALE:
        if (value >= sizeof(scales))
            return ISA_ILLEGAL;
        out->scale = scales[value];
        break;
    case PUT_OFFSET_ZERO:
    case PUT_OFFSET:
    case PUT_ADDRESS:
    case PUT_RELATIVE:
        put_offset(field, value, out);
        break;
    case PUT_MODE:
        out->mode = (uint16_t)(out->mode | value << field->shift);
        break;
    case PUT_IS_MODE:
        out->mode = field->shift;
        break;
    case PUT_PRESET:
        *member = field->shift;
        break;
    case PUT_ONLY:
        if (value != field->shift)
            out->op = IR_OTHER;
        break;
    default: /* PUT_MOST */
        if (value > field->shift)
            return ISA_ILLEGAL;
    }
    return ISA_OK;
}

enum isa_result isa_decode_row(const struct isa_row *rows, size_t count, uint64_t word, struct ir *out) {
    const struct isa_row *row = rows;
    assert(count);
    while (row < rows + count && (word & row->mask) != row->value)
        row++;
    if (row == rows + count)
        return ISA_ILLEGAL;
    assert(!(row->value & ~row->mask) && row->op < IR_OPS); /* else no word has it */
    out->name = row->name;
    out->op = row->op;
    out->type = out->source_type = row->type;
    for (const struct isa_field *field = row->fields; field < row->fields + ISA_FIELDS && field->width; field++)
        if (fields_put(field, word, out) != ISA_OK)
            return ISA_ILLEGAL;
    if (row->finish && row->finish(word, out) != ISA_OK)
        return ISA_ILLEGAL;
    return ir_is_aligned(out) ? ISA_OK : ISA_ILLEGAL;
}
