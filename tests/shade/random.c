/* SPDX-License-Identifier: MIT */
#include "shade/random.h"

#include "shade/rig.h"

static const uint8_t ops[] = {
    IR_MOV,   IR_SEL,   IR_PRMT,  IR_P2R,   IR_R2P,    IR_FADD,  IR_FMUL,   IR_FFMA,  IR_FMNMX, IR_FSET, IR_FSETP,
    IR_FCMP,  IR_HADD2, IR_HMUL2, IR_HFMA2, IR_IADD,   IR_IADD3, IR_ISCADD, IR_IMUL,  IR_IMAD,  IR_XMAD, IR_ISAD,
    IR_IMNMX, IR_ISET,  IR_ISETP, IR_ICMP,  IR_SHL,    IR_SHR,   IR_SHF_L,  IR_SHF_R, IR_LOP,   IR_LOP3, IR_BFE,
    IR_BFI,   IR_POPC,  IR_FLO,   IR_LEA,   IR_LEA_HI, IR_I2I,   IR_I2F,    IR_F2I,   IR_F2F,   IR_PSET, IR_PSETP,
    IR_CSET,  IR_CSETP, IR_FADD,  IR_FMUL,  IR_FFMA,   IR_FFMA,  IR_FFMA,   IR_F2F,
};

/* Words that matter as integers, floats, halves and high words of doubles. */
uint32_t random_word(struct choice *c) {
    static const uint32_t edges[] = {
        0,          1,          2,          31,         32,         33,         0x80,       0xff,       0x7fff,
        0x8000,     0xffff,     0x10000,    0x7fffffff, 0x80000000, 0x80000001, 0xffffffff, 0x00800000, 0x007fffff,
        0x3f800000, 0xbf800000, 0x3f000000, 0x7f800000, 0xff800000, 0x7f7fffff, 0xff7fffff, 0x7fc00000, 0x4b000001,
        0x4f000000, 0xcf000000, 0x4f800000, 0x3c003c00, 0x7c00fc00, 0x04000001, 0x7bff7bff, 0x3ff00000, 0x7ff00000,
        0x7ff80000, 0x00100000, 0x33800000, 0x47800000, 0x00000405, 0x43e00000, 0xc3e00000, 0x41f00000,
    };
    switch (choice_below(c, 4)) {
    case 0:
        return edges[choice_below(c, sizeof edges / sizeof edges[0])];
    case 1: /* floats near each other */
        return (choice_word(c) & 0x807fffff) | choice_between(c, 117, 137) << 23;
    case 2:
        return edges[choice_below(c, sizeof edges / sizeof edges[0])] + choice_below(c, 5) - 2;
    default:
        return choice_word(c);
    }
}

static struct ir_source source(struct choice *c) {
    struct ir_source source = {.kind = IR_REGISTER, .value = choice_below(c, RANDOM_REGISTERS)};
    if (choice_once_in(c, 6))
        source = rig_immediate(random_word(c));
    else if (choice_once_in(c, 6))
        source = rig_constant(choice_below(c, 3), 4 * choice_below(c, 20));
    else if (choice_once_in(c, 10))
        source.value = IR_ZERO;
    source.absolute = choice_once_in(c, 5);
    source.negate = choice_once_in(c, 3);
    return source;
}

static bool is_half(unsigned op) {
    return op >= IR_HADD2 && op <= IR_HFMA2;
}

static void parts(struct choice *c, struct ir *ir) {
    struct ir_source *sources[] = {&ir->a, &ir->b, &ir->c};
    for (unsigned i = 0; i < 3; i++)
        if (ir->op == IR_IADD3 || is_half(ir->op))
            sources[i]->part = (uint8_t[]){IR_WHOLE, IR_HALF0, IR_HALF1}[choice_below(c, 3)];
    if (ir->op == IR_I2F || ir->op == IR_I2I)
        ir->a.part = ir->source_type <= IR_S8 ? IR_BYTE0 + choice_below(c, 4) : IR_WHOLE;
    if ((ir->op == IR_I2F || ir->op == IR_I2I) && (ir->source_type == IR_U16 || ir->source_type == IR_S16))
        ir->a.part = (uint8_t[]){IR_HALF0, IR_HALF1, IR_BYTE0, IR_BYTE2}[choice_below(c, 4)];
    if (ir->source_type == IR_F16)
        ir->a.part = choice_once_in(c, 2) ? IR_HALF0 : IR_HALF1;
}

/* Sources whose bits are inverted, not negated. */
static bool is_logic(unsigned op) {
    return op == IR_MOV || op == IR_SEL || op == IR_PRMT || op == IR_P2R || op == IR_R2P || op == IR_XMAD ||
           (op >= IR_SHL && op <= IR_FLO);
}

static void types(struct choice *c, struct ir *ir) {
    static const uint8_t floats[] = {IR_F16, IR_F32, IR_F32, IR_F64};
    bool wide = choice_once_in(c, 4);
    ir->type = IR_U32 + choice_below(c, 2);
    ir->source_type = IR_U32 + choice_below(c, 2);
    if (ir->op >= IR_FADD && ir->op <= IR_FSETP)
        ir->type = wide ? IR_F64 : IR_F32;
    if (ir->op == IR_SHF_L || ir->op == IR_SHF_R)
        ir->type = (uint8_t[]){IR_U32, IR_U64, IR_S64}[choice_below(c, 3)];
    if (ir->op == IR_F2F || ir->op == IR_I2F)
        ir->type = floats[choice_below(c, 4)];
    if (ir->op == IR_F2F || ir->op == IR_F2I)
        ir->source_type = floats[choice_below(c, 4)];
    if (ir->op == IR_I2I || ir->op == IR_F2I)
        ir->type = (uint8_t)choice_below(c, 8);
    if (ir->op == IR_I2I || ir->op == IR_I2F)
        ir->source_type = (uint8_t)choice_below(c, 8);
}

static void modes(struct choice *c, struct ir *ir) {
    switch (ir->op) {
    case IR_PRMT:
        ir->mode = (uint16_t)choice_below(c, 7);
        break;
    case IR_CSET:
    case IR_CSETP:
        ir->mode = (uint16_t)choice_below(c, 32);
        break;
    case IR_IADD3:
        ir->mode = (uint16_t)choice_below(c, 3);
        break;
    case IR_IMNMX:
    case IR_LOP:
    case IR_LOP3:
    case IR_P2R:
    case IR_R2P:
        ir->mode = (uint16_t)choice_below(c, 4);
        break;
    case IR_FLO:
        ir->mode = (uint16_t)choice_below(c, 2);
        break;
    case IR_XMAD:
        ir->xmad.c = (uint8_t)choice_below(c, 5);
        ir->xmad.merge = choice_once_in(c, 2);
        ir->xmad.shift_product = choice_once_in(c, 2);
        ir->xmad.high_a = choice_once_in(c, 2);
        ir->xmad.high_b = choice_once_in(c, 2);
        break;
    default:
        break;
    }
}

static bool may_carry(unsigned op) {
    return op == IR_IADD || op == IR_ISCADD || op == IR_IADD3 || op == IR_IMAD || op == IR_XMAD || op == IR_LEA ||
           op == IR_LEA_HI || op == IR_ISET || op == IR_ISETP;
}

static bool may_write_flags(unsigned op) {
    return op == IR_IADD || op == IR_ISCADD || op == IR_IMAD || op == IR_SHL || op == IR_LOP || op == IR_LOP3 ||
           op == IR_ISET || (op >= IR_FADD && op <= IR_FMNMX);
}

struct ir random_instruction(struct choice *c) {
    struct ir ir = rig_neutral(ops[choice_below(c, sizeof ops)]);
    ir.guard = choice_once_in(c, 4) ? (uint8_t)choice_below(c, 8) : IR_TRUE;
    ir.guard_negate = ir.guard != IR_TRUE && choice_once_in(c, 2);
    ir.test = choice_once_in(c, 8) ? (uint8_t)choice_below(c, 32) : IR_TEST_TRUE;
    ir.d = choice_once_in(c, 20) ? IR_ZERO : (uint8_t)choice_below(c, RANDOM_REGISTERS - 1);
    ir.a = source(c);
    ir.b = source(c);
    ir.c = source(c);
    types(c, &ir);
    parts(c, &ir);
    modes(c, &ir);
    if (is_logic(ir.op)) {
        struct ir_source *sources[] = {&ir.a, &ir.b, &ir.c};
        for (unsigned i = 0; i < 3; i++) {
            sources[i]->absolute = sources[i]->negate = false;
            sources[i]->invert = ir.op != IR_XMAD && choice_once_in(c, 4);
        }
    }
    if (ir.op == IR_FCMP || ir.op == IR_ICMP) /* they choose whole words */
        ir.a.absolute = ir.a.negate = ir.b.absolute = ir.b.negate = false;
    ir.round = (uint8_t)choice_below(c, 4);
    ir.compare = (uint8_t)choice_below(c, ir.op >= IR_ISET && ir.op <= IR_ICMP ? 8 : 16);
    ir.combine = (uint8_t)choice_below(c, ir.op == IR_LOP ? 4 : 3);
    ir.combine1 = (uint8_t)choice_below(c, 3);
    ir.combine_predicate = (uint8_t)choice_below(c, 8);
    ir.combine_negate = choice_once_in(c, 2);
    ir.scale = (int8_t)(ir.op == IR_FMUL ? (int)choice_below(c, 7) - 3 : 0);
    ir.shift = (uint8_t)choice_below(c, 32);
    ir.mask = ir.op == IR_MOV ? 0xf : (uint8_t)choice_word(c);
    ir.merge = (uint8_t)choice_below(c, 4);
    ir.saturate = ir.op != IR_I2F && choice_once_in(c, 4);
    ir.flush = choice_once_in(c, 3);
    ir.multiply_zero = !is_half(ir.op) && (ir.op == IR_FMUL || ir.op == IR_FFMA) && choice_once_in(c, 4);
    ir.write_flags = may_write_flags(ir.op) && choice_once_in(c, 3);
    ir.carry_in = may_carry(ir.op) && choice_once_in(c, 3);
    ir.plus_one = (ir.op == IR_IADD || ir.op == IR_ISCADD || ir.op == IR_IMAD) && choice_once_in(c, 8);
    ir.high = choice_once_in(c, 2);
    ir.wrap = choice_once_in(c, 2);
    ir.reverse = choice_once_in(c, 4);
    ir.float_true = choice_once_in(c, 2) && !ir.write_flags;
    ir.write_flags = (ir.write_flags && ir.op != IR_FSET) || (ir.op == IR_IMNMX && ir.mode);
    ir.extended = choice_once_in(c, 2);
    ir.integral = ir.op == IR_F2F && choice_once_in(c, 3);
    if (ir.type == IR_F64 && ir.op >= IR_FADD && ir.op <= IR_FSETP)
        ir.saturate = ir.flush = ir.multiply_zero = false, ir.scale = 0;
    ir.p = choice_once_in(c, 2) ? (uint8_t)choice_below(c, 8) : IR_TRUE;
    ir.q = choice_once_in(c, 2) ? (uint8_t)choice_below(c, 8) : IR_TRUE;
    return ir;
}

struct ir random_plain_instruction(struct choice *c) {
    struct ir ir = random_instruction(c);
    ir.test = IR_TEST_TRUE;
    ir.write_flags = ir.carry_in = ir.plus_one = ir.multiply_zero = ir.high = ir.reverse = false;
    ir.scale = 0;
    ir.round = IR_NEAREST;
    ir.q = IR_TRUE;
    if (ir.op == IR_LOP || ir.op == IR_LOP3)
        ir.p = IR_TRUE;
    if (ir.type == IR_F64)
        ir.type = IR_F32;
    if (ir.op == IR_IMNMX)
        ir.mode = 0;
    if (ir.op == IR_FMNMX || ir.op == IR_IMNMX || choice_once_in(c, 2))
        ir.combine_predicate = IR_TRUE;
    struct ir_source *sources[] = {&ir.a, &ir.b, &ir.c};
    for (unsigned i = 0; i < 3; i++)
        sources[i]->part = IR_WHOLE;
    if (ir.op == IR_I2F || ir.op == IR_F2I || ir.op == IR_F2F)
        ir.source_type = ir.op == IR_I2F ? IR_U32 + choice_below(c, 2) : IR_F32;
    if (ir.op == IR_I2F || ir.op == IR_F2F)
        ir.type = IR_F32;
    if (ir.op == IR_F2I)
        ir.type = IR_U32 + choice_below(c, 2);
    return ir;
}

static void attribute(struct choice *c, struct ir *ir) {
    ir->a = rig_register(IR_ZERO);
    ir->c = rig_register(IR_ZERO);
    ir->offset = 4 * choice_below(c, 16);
    ir->type = (uint8_t[]){IR_U32, IR_U64, IR_B96, IR_B128}[choice_below(c, 4)];
    ir->d = ir->op == IR_AST ? IR_ZERO : (uint8_t)(4 * choice_below(c, 4));
    ir->b = rig_register(4 * choice_below(c, 4));
}

struct ir random_stage_instruction(struct choice *c) {
    static const uint8_t others[] = {IR_ALD, IR_AST, IR_MUFU, IR_FSWZADD, IR_LDC, IR_VOTE, IR_IPA, IR_LD};
    struct ir ir = choice_below(c, 4) ? random_plain_instruction(c) : random_instruction(c);
    if (choice_below(c, 5))
        return ir;
    ir.op = others[choice_below(c, sizeof others)];
    ir.type = ir.source_type = IR_U32;
    ir.write_flags = ir.carry_in = ir.multiply_zero = false;
    ir.scale = 0;
    ir.a = ir.op == IR_LDC ? rig_register(IR_ZERO) : rig_register(choice_below(c, 16));
    ir.a.absolute = choice_once_in(c, 3);
    ir.a.negate = choice_once_in(c, 3);
    ir.mode = (uint16_t)choice_below(c, ir.op == IR_MUFU ? 9 : ir.op == IR_FSWZADD ? 7 : ir.op == IR_VOTE ? 3 : 1);
    ir.offset = ir.op == IR_LDC ? 4 * choice_below(c, 20) : 0;
    ir.mask = (uint8_t)choice_word(c);
    ir.round = choice_once_in(c, 3) ? (uint8_t)choice_below(c, 4) : IR_NEAREST;
    if (ir.op == IR_ALD || ir.op == IR_AST)
        attribute(c, &ir);
    if (ir.op == IR_LD) {
        ir.space = IR_SPACE_GLOBAL;
        ir.offset = 4 * choice_below(c, 64);
        ir.a = rig_register(IR_ZERO);
    }
    if (ir.op == IR_IPA) {
        ir.mode = (uint16_t)choice_below(c, 4);
        ir.sample = choice_once_in(c, 8) ? 1 : 0;
        ir.a = rig_register(choice_once_in(c, 8) ? choice_below(c, 16) : IR_ZERO);
        ir.offset = 4 * choice_below(c, 40);
    }
    if (ir.op == IR_LDC && choice_once_in(c, 2))
        ir.type = IR_B128, ir.d &= ~3u;
    return ir;
}
