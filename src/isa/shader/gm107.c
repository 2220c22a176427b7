/* SPDX-License-Identifier: MIT */
/*
 * GM107: Maxwell and Pascal. Words of 8 bytes; the first of every four is for the scheduler, told by its address only.
 * Instructions on halves exist from GM20B and GP100 on, atomic additions of doubles from GP100 on; here they exist on all.
 *
 * Source: envytools envydis/gm107.c; Mesa src/nouveau/codegen/nv50_ir_emit_gm107.cpp; yuzu shader_recompiler
 * frontend/maxwell; Mesa src/nouveau/compiler/nak/sm50.rs.
 */
#include "isa/shader/gm107_rows.h"
#include "isa/shader/text.h"

/*
 * Bit 44 makes the barrier an immediate, bit 43 the number of threads: nvdisasm has "BAR.SYNC R4" for f0a80b8000070400, as
 * envytools says and Mesa does not, whose programs have both or none. Without both, NAK has R0 in the place of the number,
 * whatever R0 has, and relies on it that the barrier is one for all threads [driver]. UNKNOWN: is there a number elsewhere
 * then? chosen: there is none.
 */
enum isa_result gm107_bar(uint64_t word, struct ir *out) {
    static const uint8_t modes[] = {0, 1, 2, 5};
    unsigned mode = (unsigned)isa_bits(word, 32, 3), reduce = (unsigned)isa_bits(word, 35, 2);
    if (mode == 4) /* SYNCALL */
        return isa_unknown(out);
    if (mode > 4 || (mode == 2 && reduce == 3))
        return ISA_ILLEGAL;
    out->mode = mode == 2 ? (uint16_t)(2 + reduce) : modes[mode];
    out->a = (struct ir_source){.kind = IR_REGISTER, .value = (uint32_t)isa_bits(word, 8, 8)};
    out->b = (struct ir_source){.kind = IR_REGISTER, .value = (uint32_t)isa_bits(word, 20, 8)};
    if (isa_bits(word, 44, 1))
        out->a.kind = IR_IMMEDIATE;
    if (isa_bits(word, 43, 1))
        out->b = (struct ir_source){.kind = IR_IMMEDIATE, .value = (uint32_t)isa_bits(word, 20, 12)};
    else if (!isa_bits(word, 44, 1))
        out->b.value = IR_ZERO;
    return ISA_OK;
}

/* What is stored lies after what is compared. */
enum isa_result gm107_cas(uint64_t word, struct ir *out) {
    (void)word;
    out->type = out->source_type = out->type ? IR_U64 : IR_U32;
    out->atomic = IR_CAS;
    uint32_t words = out->type == IR_U64 ? 2 : 1;
    out->c = out->b;
    if (out->b.value == IR_ZERO)
        return ISA_OK;
    out->c.value += words;
    return out->b.value % (2 * words) ? ISA_ILLEGAL : ISA_OK;
}

/* Of global memory: type 6 is F64, which can only be added. */
enum isa_result gm107_atomic(uint64_t word, struct ir *out) {
    if (out->type != 6)
        return isa_atomic(word, out);
    out->type = 2;
    if (isa_atomic(word, out) != ISA_OK)
        return ISA_ILLEGAL;
    out->type = out->source_type = IR_F64;
    if (out->atomic != IR_ADD)
        out->atomic = IR_LOAD_ONLY;
    return ISA_OK;
}

/* In place of F32 the types of shared memory have S64. */
enum isa_result gm107_atoms(uint64_t word, struct ir *out) {
    if (out->type == 3)
        out->type = 5;
    return isa_atomic(word, out);
}

enum isa_result gm107_atoms_cas(uint64_t word, struct ir *out) {
    unsigned mode = (unsigned)isa_bits(word, 53, 2);
    if (mode == 3)
        return ISA_ILLEGAL;
    if (mode != 2) /* CAST, CAST.SPIN */
        return isa_unknown(out);
    return gm107_cas(word, out);
}

/* Two halves of 10 bits each, the sign apart, at the top of 16. */
enum isa_result gm107_halves(uint64_t word, struct ir *out) {
    uint32_t high = (uint32_t)(isa_bits(word, 56, 1) << 15 | isa_bits(word, 30, 9) << 6);
    uint32_t low = (uint32_t)(isa_bits(word, 29, 1) << 15 | isa_bits(word, 20, 9) << 6);
    out->b = (struct ir_source){.kind = IR_IMMEDIATE, .value = high << 16 | low};
    return ISA_OK;
}

enum isa_result gm107_idp(uint64_t word, struct ir *out) {
    unsigned mode = (unsigned)isa_bits(word, 48, 3);
    out->source_type = isa_bits(word, 47, 1) ? IR_S8 : IR_U8;
    return mode == 4 || mode == 6 ? ISA_ILLEGAL : ISA_OK;
}

/* The address is in a; the one in the word counts if there is none (yuzu). */
enum isa_result gm107_ipa_index(uint64_t word, struct ir *out) {
    if (out->a.value == IR_ZERO)
        out->offset = (int64_t)isa_bits(word, 28, 10);
    return ISA_OK;
}

/* The predicate is kept inverted: none is 0. */
enum isa_result gm107_ldg_predicate(uint64_t word, struct ir *out) {
    return isa_bits(word, 41, 3) ? isa_unknown(out) : ISA_OK;
}

enum isa_result gm107_popc(uint64_t word, struct ir *out) {
    (void)word;
    out->b = (struct ir_source){.kind = IR_IMMEDIATE, .value = UINT32_MAX};
    return ISA_OK;
}

/* Shifts to the left give the high word without being asked; asked, they are illegal (Mesa nak sm50.rs, OpShf). */
enum isa_result gm107_shf(uint64_t word, struct ir *out) {
    static const uint8_t types[] = {IR_U32, 0, IR_U64, IR_S64};
    unsigned type = (unsigned)isa_bits(word, 37, 2);
    out->type = out->source_type = types[type];
    return type == 1 || (out->op == IR_SHF_L && out->high) ? ISA_ILLEGAL : ISA_OK;
}

enum isa_result gm107_shfl(uint64_t word, struct ir *out) {
    if (isa_bits(word, 28, 1))
        out->b = (struct ir_source){.kind = IR_IMMEDIATE, .value = (uint32_t)isa_bits(word, 20, 5)};
    if (isa_bits(word, 29, 1))
        out->c = (struct ir_source){.kind = IR_IMMEDIATE, .value = (uint32_t)isa_bits(word, 34, 13)};
    return ISA_OK;
}

/*
 * b is a register with a selector of its own, or 16 bits. Shifts have their `wrap` where the others have b's sign.
 * VMAD shifts its result right by 0, 7 or 15.
 */
enum isa_result gm107_video(uint64_t word, struct ir *out) {
    static const uint8_t shifts[] = {0, 7, 15};
    bool shifts_by = out->mode == IR_VSHL || out->mode == IR_VSHR;
    bool is_signed = !shifts_by && isa_bits(word, 49, 1);
    if (out->video.shift == 3)
        return ISA_ILLEGAL;
    out->video.shift = shifts[out->video.shift];
    out->type = isa_bits(word, 48, 1) ? IR_S32 : IR_U32;
    out->source_type = is_signed ? IR_S32 : IR_U32;
    out->video.select_a = (uint8_t)isa_bits(word, 36, 3);
    out->video.select_b = 6;
    if (isa_bits(word, 50, 1)) {
        out->video.select_b = (uint8_t)isa_bits(word, 28, 3);
    } else {
        uint32_t value = (uint32_t)isa_bits(word, 20, 16);
        if (is_signed)
            value = (value ^ 0x8000) - 0x8000;
        out->b = (struct ir_source){.kind = IR_IMMEDIATE, .value = value};
    }
    if (out->video.select_a == 7 || out->video.select_b == 7)
        return ISA_ILLEGAL;
    return out->mode == IR_VMAD ? isa_plus_one_product(word, out) : isa_plus_one(word, out);
}

/* UNKNOWN: other sums than that of all lanes and c; chosen: they are not executed. */
enum isa_result gm107_simd(uint64_t word, struct ir *out) {
    uint64_t sum = isa_bits(word, 53, 2);
    if (sum > 1)
        return isa_unknown(out);
    out->simd.mask = (uint8_t)(isa_bits(word, 51, 2) | isa_bits(word, 36, 2) << 2);
    out->simd.merge = sum ? IR_SIMD_ALL_ADD : IR_SIMD_PLAIN;
    return isa_simd4(isa_bits(word, 32, 4), isa_bits(word, 28, 4), out);
}

enum isa_result gm107_xmad(uint64_t word, struct ir *out) {
    out->type = isa_bits(word, 48, 1) ? IR_S16 : IR_U16;
    out->source_type = isa_bits(word, 49, 1) ? IR_S16 : IR_U16;
    return ISA_OK;
}

/* The target that comes out of the constant is relative. */
enum isa_result gm107_next(uint64_t word, struct ir *out) {
    (void)word;
    out->offset = (int64_t)out->address + 8;
    return ISA_OK;
}

static struct isa_decoded gm107_decode(const uint8_t *code, size_t bytes, uint64_t address, struct ir *out,
                                       unsigned most) {
    uint64_t word = isa_word(code, bytes);
    assert(most >= 1);
    (void)most;
    isa_clear(out, address);
    if (address % 32 == 0)
        return isa_decoded(ISA_SCHEDULE, 8, out);
    out->guard = (uint8_t)isa_bits(word, 16, 3);
    out->guard_negate = isa_bits(word, 19, 1);
    return isa_decoded(isa_decode_row(gm107_rows, gm107_row_count, word, out), 8, out);
}

const struct isa isa_gm107 = {.texts = &isa_gm107_texts,
                              .name = "gm107",
                              .registers = 255,
                              .unaligned = 7,
                              .bytes = 8,
                              .operations = 1,
                              .decode = gm107_decode};
