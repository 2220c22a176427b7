/* SPDX-License-Identifier: MIT */
/*
 * GK110: GK110, GK208 and GK20A. Words of 8 bytes; the first of every eight is for the scheduler. The lowest two bits
 * are the type: 0 flow and long forms, 1 short immediates, 2 the others, which have their form in the highest two bits.
 *
 * Source: envytools envydis/gk110.c; Mesa src/nouveau/codegen/nv50_ir_emit_gk110.cpp.
 */
#include "isa/shader/gk110_rows.h"
#include "isa/shader/text.h"

/* 47: the barrier is an immediate; 46: the number of threads is one. The operation is in the row's mode. */
enum isa_result gk110_bar(uint64_t word, struct ir *out) {
    out->a = (struct ir_source){.kind = IR_REGISTER, .value = (uint32_t)isa_bits(word, 10, 8)};
    out->b = (struct ir_source){.kind = IR_REGISTER, .value = (uint32_t)isa_bits(word, 23, 8)};
    if (isa_bits(word, 47, 1))
        out->a.kind = IR_IMMEDIATE;
    if (isa_bits(word, 46, 1))
        out->b = (struct ir_source){.kind = IR_IMMEDIATE, .value = (uint32_t)isa_bits(word, 23, 12)};
    return ISA_OK;
}

/* 54..53: 0 the operand is a pair, what is compared and what is stored; 1 it has only the first, 2 only the second. */
enum isa_result gk110_cas(uint64_t word, struct ir *out) {
    unsigned which = (unsigned)isa_bits(word, 53, 2);
    uint32_t words = out->type ? 2 : 1;
    out->type = out->source_type = out->type ? IR_U64 : IR_U32;
    out->atomic = IR_CAS;
    out->c = out->b;
    if (which == 3)
        return ISA_ILLEGAL;
    if (which == 1)
        out->c.value = IR_ZERO;
    else if (which == 2)
        out->b.value = IR_ZERO;
    else if (out->b.value != IR_ZERO)
        out->c.value += words;
    return which == 0 && out->b.value != IR_ZERO && out->b.value % (2 * words) ? ISA_ILLEGAL : ISA_OK;
}

/* Between halves and doubles there is no conversion. Only conversions to the same type ask for an integral value. */
enum isa_result gk110_f2f(uint64_t word, struct ir *out) {
    (void)word;
    if (out->type != out->source_type)
        out->integral = false;
    bool half = out->type == IR_F16 || out->source_type == IR_F16;
    return half && (out->type == IR_F64 || out->source_type == IR_F64) ? ISA_ILLEGAL : ISA_OK;
}

/* Shifts to the left give the high word without being asked; asked, they are illegal (Mesa nak sm32.rs, OpShf). */
enum isa_result gk110_shf(uint64_t word, struct ir *out) {
    static const uint8_t types[] = {IR_U32, 0, IR_U64, IR_S64};
    unsigned type = (unsigned)isa_bits(word, 40, 2);
    out->type = out->source_type = types[type];
    return type == 1 || (out->op == IR_SHF_L && out->high) ? ISA_ILLEGAL : ISA_OK;
}

enum isa_result gk110_shfl(uint64_t word, struct ir *out) {
    if (isa_bits(word, 31, 1))
        out->b = (struct ir_source){.kind = IR_IMMEDIATE, .value = (uint32_t)isa_bits(word, 23, 5)};
    if (isa_bits(word, 32, 1))
        out->c = (struct ir_source){.kind = IR_IMMEDIATE, .value = (uint32_t)isa_bits(word, 37, 13)};
    return ISA_OK;
}

/* b is a register with a selector, or 16 bits, which lie over the bit that saturates. */
enum isa_result gk110_video(uint64_t word, struct ir *out) {
    out->video.select_a = (uint8_t)isa_bits(word, 39, 3);
    out->video.select_b = 6;
    out->source_type = IR_U32;
    if (isa_bits(word, 53, 1)) {
        out->video.select_b = (uint8_t)isa_bits(word, 31, 3);
        out->saturate = isa_bits(word, 34, 1);
    } else {
        out->b = (struct ir_source){.kind = IR_IMMEDIATE, .value = (uint32_t)isa_bits(word, 23, 16)};
    }
    return out->video.select_a == 7 || out->video.select_b == 7 ? ISA_ILLEGAL : ISA_OK;
}

/* ---- images: where the parts of an access are depends on whether the format is a constant ---- */

static enum isa_result surface_raw(struct ir *out, unsigned raw, unsigned outside) {
    out->surface.size = out->type;
    out->surface.raw = (uint8_t)raw;
    out->surface.handle = IR_ZERO;
    return isa_outside_raw(outside, out);
}

/* Without any, the bytes are stored as they are. */
static void set_components(struct ir *out, unsigned components) {
    out->surface.formatted = components != 0;
    out->surface.components = (uint8_t)components;
}

static void set_format_register(struct ir *out, unsigned number) {
    out->c = (struct ir_source){.kind = IR_REGISTER, .value = number};
}

static void set_format_constant(uint64_t word, struct ir *out) {
    out->c = (struct ir_source){
        .kind = IR_CONSTANT, .bank = (uint8_t)isa_bits(word, 37, 5), .value = 4 * (uint32_t)isa_bits(word, 23, 14)};
}

enum isa_result gk110_surface_load(uint64_t word, struct ir *out) {
    set_format_register(out, (unsigned)isa_bits(word, 23, 8));
    return surface_raw(out, (unsigned)isa_bits(word, 52, 2), (unsigned)isa_bits(word, 46, 2));
}

enum isa_result gk110_surface_store(uint64_t word, struct ir *out) {
    set_format_register(out, (unsigned)isa_bits(word, 2, 8));
    set_components(out, (unsigned)isa_bits(word, 25, 4));
    return surface_raw(out, (unsigned)isa_bits(word, 29, 2), (unsigned)isa_bits(word, 23, 2));
}

enum isa_result gk110_surface_load_constant(uint64_t word, struct ir *out) {
    set_format_constant(word, out);
    return surface_raw(out, (unsigned)isa_bits(word, 52, 2), (unsigned)isa_bits(word, 46, 2));
}

enum isa_result gk110_surface_store_constant(uint64_t word, struct ir *out) {
    set_format_constant(word, out);
    set_components(out, (unsigned)isa_bits(word, 4, 4));
    return surface_raw(out, (unsigned)isa_bits(word, 8, 2), (unsigned)isa_bits(word, 2, 2));
}

static bool gk110_is_schedule(uint64_t word) {
    return (word & 0xfc00000000000003) == 0x0800000000000000;
}

static enum isa_result gk110_decode_word(uint64_t word, struct ir *out) {
    out->guard = (uint8_t)isa_bits(word, 18, 3);
    out->guard_negate = isa_bits(word, 21, 1);
    switch (word & 3) {
    case 0:
        return isa_decode_row(gk110_long_rows, gk110_long_row_count, word, out);
    case 1:
        out->join = isa_bits(word, 22, 1);
        return isa_decode_row(gk110_immediate_rows, gk110_immediate_row_count, word, out);
    case 2:
        out->join = isa_bits(word, 22, 1);
        return isa_decode_row(gk110_rows, gk110_row_count, word, out);
    default:
        return ISA_ILLEGAL;
    }
}

/* Words for the scheduler are skipped wherever they are: what runs into one goes on after it. */
static struct isa_decoded gk110_decode(const uint8_t *code, size_t bytes, uint64_t address, struct ir *out,
                                       unsigned most) {
    uint64_t word = isa_word(code, bytes);
    assert(most >= 1);
    (void)most;
    isa_clear(out, address);
    if (address % 64 == 0 || gk110_is_schedule(word))
        return isa_decoded(ISA_SCHEDULE, 8, out);
    return isa_decoded(gk110_decode_word(word, out), 8, out);
}

const struct isa isa_gk110 = {.texts = &isa_gk110_texts,
                              .name = "gk110",
                              .registers = 255,
                              .unaligned = 7,
                              .bytes = 8,
                              .operations = 1,
                              .decode = gk110_decode};
