/* SPDX-License-Identifier: MIT */
/*
 * GF100: Fermi, and GK104 .. GK107. Instructions have 8 bytes, or 4 if bit 3 is set; those may begin at any multiple
 * of 4. GK104 has no instructions of 4 bytes but in its trap handler, and words for the scheduler: the first of every
 * eight. The lowest three bits are a type: 0 floats, 1 doubles, 2 with an immediate of 32 bits, 3 integers, 4 moves,
 * conversions and video, 5 memory, 6 attributes, constants and textures, 7 flow.
 *
 * Source: envytools envydis/gf100.c; Mesa src/nouveau/codegen/nv50_ir_emit_nvc0.cpp.
 */
#include "isa/shader/gf100_rows.h"
#include "isa/shader/text.h"

/*
 * Signed integers have ADD, MIN and MAX (envytools). UNKNOWN: what the others do with them; chosen: they only load, as
 * on GM107.
 */
static void only_loads(struct ir *out) {
    if (out->type == IR_S32 && out->atomic > IR_MAX)
        out->atomic = IR_LOAD_ONLY;
}

/* The offset is in two parts. */
enum isa_result gf100_atom(uint64_t word, struct ir *out) {
    uint32_t offset = (uint32_t)(isa_bits(word, 55, 3) << 17 | isa_bits(word, 26, 17));
    uint8_t a = (uint8_t)isa_bits(word, 20, 6);
    out->d = (uint8_t)isa_bits(word, 43, 6);
    if (out->d == 63)
        out->d = IR_ZERO;
    out->a = (struct ir_source){.kind = IR_REGISTER, .value = a == 63 ? IR_ZERO : a};
    out->offset = a == 63 ? (int64_t)offset : (int64_t)(offset ^ 0x80000) - 0x80000;
    out->space = IR_SPACE_GENERIC;
    out->wide = isa_bits(word, 58, 1);
    if (out->atomic == IR_CAS && out->type == IR_U64 && out->c.value != IR_ZERO && out->c.value % 2)
        return ISA_ILLEGAL;
    only_loads(out);
    return ISA_OK;
}

enum isa_result gf100_red(uint64_t word, struct ir *out) {
    (void)word;
    only_loads(out);
    return out->atomic == IR_EXCHANGE || out->atomic == IR_CAS || out->atomic == IR_SAFE_ADD ||
                   out->atomic > IR_LOAD_ONLY
               ? ISA_ILLEGAL
               : ISA_OK;
}

/*
 * 47: the barrier is an immediate; 46: the number of threads is one. 5..7 is POPC for the plain barrier, too: Mesa's first
 * compiler gives RZ as its result then, and NAK R0, which it goes on using [driver]. UNKNOWN: what tells the reduction POPC
 * apart; chosen: bit 8, which NAK calls that of reductions, or a predicate as a destination, which neither gives to the
 * plain barrier. Mesa's first compiler has the bit in no reduction: its POPC into a register alone is a plain barrier here.
 */
enum isa_result gf100_bar(uint64_t word, struct ir *out) {
    static const uint8_t modes[] = {2, 3, 4, 0, 1};
    unsigned mode = (unsigned)isa_bits(word, 5, 3);
    if (mode == 3 || mode > 4)
        return ISA_ILLEGAL;
    bool reduces = isa_bits(word, 8, 1) || out->p != IR_TRUE;
    out->mode = mode == 0 && !reduces ? 0 : modes[mode];
    if (out->mode == 0) {
        out->d = IR_ZERO;
        out->p = IR_TRUE;
    }
    if (isa_bits(word, 47, 1))
        out->a = (struct ir_source){.kind = IR_IMMEDIATE, .value = (uint32_t)isa_bits(word, 20, 4)};
    if (isa_bits(word, 46, 1))
        out->b = (struct ir_source){.kind = IR_IMMEDIATE, .value = (uint32_t)isa_bits(word, 26, 12)};
    return ISA_OK;
}

/* Between halves and doubles there is no conversion. Only conversions to the same type ask for an integral value. */
enum isa_result gf100_f2f(uint64_t word, struct ir *out) {
    (void)word;
    if (out->type != out->source_type)
        out->integral = false;
    bool half = out->type == IR_F16 || out->source_type == IR_F16;
    return half && (out->type == IR_F64 || out->source_type == IR_F64) ? ISA_ILLEGAL : ISA_OK;
}

/* UNKNOWN: which bits change the source: envytools and nv50_ir have 9 and 7, nak 8 and 6; chosen: both do. */
enum isa_result gf100_mufu(uint64_t word, struct ir *out) {
    out->a.negate |= isa_bits(word, 8, 1);
    out->a.absolute |= isa_bits(word, 6, 1);
    return ISA_OK;
}

/* The target that comes out of the constant is relative. */
enum isa_result gf100_next(uint64_t word, struct ir *out) {
    (void)word;
    out->offset = (int64_t)out->address + 8;
    return ISA_OK;
}

/* The predicate destination is in two parts. */
enum isa_result gf100_predicate_58(uint64_t word, struct ir *out) {
    out->p = (uint8_t)(isa_bits(word, 58, 1) << 2 | isa_bits(word, 8, 2));
    return ISA_OK;
}

enum isa_result gf100_shfl(uint64_t word, struct ir *out) {
    if (isa_bits(word, 5, 1))
        out->b = (struct ir_source){.kind = IR_IMMEDIATE, .value = (uint32_t)isa_bits(word, 26, 5)};
    if (isa_bits(word, 6, 1))
        out->c = (struct ir_source){.kind = IR_IMMEDIATE, .value = (uint32_t)isa_bits(word, 42, 13)};
    return gf100_predicate_58(word, out);
}

/* b is a register with a selector of its own, or 16 bits. VMAD shifts its result right by 0, 7 or 15. */
enum isa_result gf100_video(uint64_t word, struct ir *out) {
    static const uint8_t shifts[] = {0, 7, 15};
    out->video.select_b = 6;
    if (out->video.shift < sizeof(shifts))
        out->video.shift = shifts[out->video.shift];
    if (isa_bits(word, 47, 1)) {
        out->video.select_b = (uint8_t)isa_bits(word, 32, 3);
    } else {
        uint32_t value = (uint32_t)isa_bits(word, 26, 16);
        if (out->source_type == IR_S32)
            value = (value ^ 0x8000) - 0x8000;
        out->b = (struct ir_source){.kind = IR_IMMEDIATE, .value = value, .negate = out->b.negate};
    }
    if (out->video.select_a == 7 || out->video.select_b == 7)
        return ISA_ILLEGAL;
    return out->mode == IR_VMAD ? isa_plus_one_product(word, out) : isa_plus_one(word, out);
}

/* Which parts of {b:a} the lanes have, by a code. */
static const uint8_t simd4_a[14][4] = {{0, 0, 0, 0}, {1, 1, 1, 1}, {2, 2, 2, 2}, {3, 3, 3, 3}, {0, 1, 2, 3},
                                       {1, 2, 3, 4}, {2, 3, 4, 5}, {3, 4, 5, 6}, {1, 0, 2, 3}, {2, 1, 0, 3},
                                       {3, 1, 2, 0}, {0, 2, 1, 3}, {0, 3, 2, 1}, {0, 1, 3, 2}};
static const uint8_t simd4_b[11][4] = {{4, 4, 4, 4}, {5, 5, 5, 5}, {6, 6, 6, 6}, {7, 7, 7, 7},
                                       {4, 5, 6, 7}, {3, 4, 5, 6}, {2, 3, 4, 5}, {1, 2, 3, 4},
                                       {7, 6, 5, 4}, {5, 4, 7, 6}, {6, 7, 4, 5}};

enum isa_result isa_simd4(uint64_t a, uint64_t b, struct ir *out) {
    if (a >= sizeof simd4_a / 4 || b >= sizeof simd4_b / 4)
        return isa_unknown(out);
    out->simd.lanes = 4;
    for (unsigned i = 0; i < 4; i++) {
        out->simd.a[i] = simd4_a[a][i];
        out->simd.b[i] = simd4_b[b][i];
    }
    return ISA_OK;
}

/* UNKNOWN: how four lanes are made of an immediate; chosen: they are not executed. */
static enum isa_result gf100_simd_lanes(uint64_t word, struct ir *out) {
    out->simd.mask = (uint8_t)isa_bits(word, 55, 2);
    if (!isa_bits(word, 61, 1)) {
        out->simd.mask = (uint8_t)(out->simd.mask | isa_bits(word, 34, 2) << 2);
        return isa_bits(word, 47, 1) ? isa_simd4(isa_bits(word, 40, 4), isa_bits(word, 36, 4), out) : isa_unknown(out);
    }
    out->simd.lanes = 2;
    for (unsigned i = 0; i < 2; i++) {
        out->simd.a[i] = (uint8_t)isa_bits(word, 40 + 2 * i, 2);
        out->simd.b[i] = (uint8_t)isa_bits(word, 36 + 2 * i, 2);
    }
    return ISA_OK;
}

/* Two lanes of an immediate, which both have all of it. Its place has most of the codes for the lanes. */
static void gf100_simd_immediate(uint64_t word, struct ir *out) {
    static const uint8_t halves[4][2] = {{0, 0}, {1, 0}, {0, 1}, {1, 1}};
    uint32_t value = (uint32_t)isa_bits(word, 26, 16);
    out->b = (struct ir_source){.kind = IR_IMMEDIATE, .value = value << 16 | value};
    for (unsigned i = 0; i < 2; i++) {
        out->simd.a[i] = halves[isa_bits(word, 42, 2)][i];
        out->simd.b[i] = 2;
    }
}

/* Bit 61: two lanes, else four. [60:58] and, of some, [8:7] say the operation. */
enum isa_result gf100_simd(uint64_t word, struct ir *out) {
    static const uint8_t operations[] = {IR_SIMD_ADD, IR_SIMD_MIN, IR_SIMD_DIFFERENCE, IR_SIMD_SET,
                                         IR_SIMD_SHR, IR_SIMD_SHL, IR_SIMD_SELECT};
    unsigned operation = (unsigned)isa_bits(word, 58, 3);
    assert(operation < sizeof operations);
    out->mode = operations[operation];
    if (out->mode == IR_SIMD_ADD)
        out->mode = (uint16_t)(IR_SIMD_ADD + isa_bits(word, 7, 2));
    if (out->mode == IR_SIMD_MIN)
        out->mode = (uint16_t)(IR_SIMD_MIN + isa_bits(word, 7, 1));
    out->simd.merge = (uint8_t)isa_bits(word, 44, 3);
    if (out->simd.merge == 3 || out->simd.merge == 7 || gf100_simd_lanes(word, out) != ISA_OK)
        return isa_unknown(out);
    if (!isa_bits(word, 47, 1) && out->op == IR_SIMD)
        gf100_simd_immediate(word, out);
    return ISA_OK;
}

/* Rows that only one of the two has do not overlap those of both. */
static enum isa_result decode_long(const struct isa_row *rows, size_t count, uint64_t word, struct ir *out) {
    out->guard = (uint8_t)isa_bits(word, 10, 3);
    out->guard_negate = isa_bits(word, 13, 1);
    out->join = (word & 7) != 7 && isa_bits(word, 4, 1);
    enum isa_result result = isa_decode_row(fermi_rows, fermi_row_count, word, out);
    return out->name ? result : isa_decode_row(rows, count, word, out);
}

static enum isa_result decode_short(uint32_t word, struct ir *out) {
    out->guard = (uint8_t)isa_bits(word, 10, 3);
    out->guard_negate = isa_bits(word, 13, 1);
    return isa_decode_row(gf100_short_rows, gf100_short_row_count, gf100_spread(word), out);
}

static struct isa_decoded decode_fermi(const uint8_t *code, size_t bytes, uint64_t address, struct ir *out,
                                       unsigned most) {
    uint64_t word = isa_word(code, bytes);
    assert(most >= 1);
    (void)most;
    isa_clear(out, address);
    if (word & 8)
        return isa_decoded(decode_short((uint32_t)word, out), 4, out);
    return isa_decoded(decode_long(gf100_fermi_rows, gf100_fermi_row_count, word, out), 8, out);
}

static bool gf100_is_schedule(uint64_t word) {
    return (word & 0xf000000000000007) == 0x2000000000000007;
}

/* Words for the scheduler are skipped wherever they are: what runs into one goes on after it. */
static struct isa_decoded decode_kepler(const uint8_t *code, size_t bytes, uint64_t address, struct ir *out,
                                        unsigned most) {
    uint64_t word = isa_word(code, bytes);
    assert(most >= 1);
    (void)most;
    isa_clear(out, address);
    if (address % 64 == 0 || gf100_is_schedule(word))
        return isa_decoded(ISA_SCHEDULE, 8, out);
    if (word & 8)
        return isa_decoded(decode_short((uint32_t)word, out), 4, out);
    return isa_decoded(decode_long(gf100_kepler_rows, gf100_kepler_row_count, word, out), 8, out);
}

const struct isa isa_gf100 = {.texts = &isa_gf100_texts,
                              .name = "gf100",
                              .registers = 63,
                              .unaligned = 3,
                              .bytes = 8,
                              .operations = 1,
                              .decode = decode_fermi};
const struct isa isa_gf100k = {.texts = &isa_gf100k_texts,
                               .name = "gf100k",
                               .registers = 63,
                               .unaligned = 3,
                               .bytes = 8,
                               .operations = 1,
                               .decode = decode_kepler};
