/* SPDX-License-Identifier: MIT */
/* Random instructions on random values: all lanes against the plain executor. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "engine/shade/interpret/core.h"
#include "reference/shade.h"
#include "rounds.h"
#include "shade/rig.h"

#define REGISTERS 16u
#define STEPS     24u

static const uint8_t ops[] = {
    IR_MOV,   IR_SEL,   IR_PRMT,  IR_P2R,   IR_R2P,    IR_FADD,  IR_FMUL,   IR_FFMA,  IR_FMNMX, IR_FSET, IR_FSETP,
    IR_FCMP,  IR_HADD2, IR_HMUL2, IR_HFMA2, IR_IADD,   IR_IADD3, IR_ISCADD, IR_IMUL,  IR_IMAD,  IR_XMAD, IR_ISAD,
    IR_IMNMX, IR_ISET,  IR_ISETP, IR_ICMP,  IR_SHL,    IR_SHR,   IR_SHF_L,  IR_SHF_R, IR_LOP,   IR_LOP3, IR_BFE,
    IR_BFI,   IR_POPC,  IR_FLO,   IR_LEA,   IR_LEA_HI, IR_I2I,   IR_I2F,    IR_F2I,   IR_F2F,   IR_PSET, IR_PSETP,
    IR_CSET,  IR_CSETP, IR_FADD,  IR_FMUL,  IR_FFMA,   IR_FFMA,  IR_FFMA,   IR_F2F,
};

/* Words that matter as integers, floats, halves and high words of doubles. */
static uint32_t word(struct choice *c) {
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
    struct ir_source source = {.kind = IR_REGISTER, .value = choice_below(c, REGISTERS)};
    if (choice_once_in(c, 6))
        source = rig_immediate(word(c));
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

static struct ir instruction(struct choice *c) {
    struct ir ir = rig_neutral(ops[choice_below(c, sizeof ops)]);
    ir.guard = choice_once_in(c, 4) ? (uint8_t)choice_below(c, 8) : IR_TRUE;
    ir.guard_negate = ir.guard != IR_TRUE && choice_once_in(c, 2);
    ir.test = choice_once_in(c, 8) ? (uint8_t)choice_below(c, 32) : IR_TEST_TRUE;
    ir.d = choice_once_in(c, 20) ? IR_ZERO : (uint8_t)choice_below(c, REGISTERS - 1);
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

static void threads_begin(struct choice *c, struct rig *rig, struct shade_thread *threads) {
    for (unsigned i = 0; i < SHADE_LANES; i++) {
        struct shade_thread *thread = &threads[i];
        memset(thread, 0, sizeof *thread);
        for (unsigned r = 0; r < REGISTERS; r++)
            rig->warp.registers[r][i] = thread->r[r] = word(c);
        for (unsigned p = 0; p < 7; p++)
            thread->p[p] = choice_once_in(c, 2);
        thread->p[7] = true;
        thread->zero = choice_once_in(c, 2);
        thread->sign = choice_once_in(c, 2);
        thread->carry = choice_once_in(c, 2);
        thread->overflow = choice_once_in(c, 2);
        for (unsigned p = 0; p < 7; p++)
            rig->warp.predicates[p] |= (uint32_t)thread->p[p] << i;
        rig->warp.zero |= (uint32_t)thread->zero << i;
        rig->warp.sign |= (uint32_t)thread->sign << i;
        rig->warp.carry |= (uint32_t)thread->carry << i;
        rig->warp.overflow |= (uint32_t)thread->overflow << i;
        thread->constants = rig->io.constants[0].data;
        thread->constant_bytes = rig->io.constants[0].bytes;
    }
}

static bool same(const struct rig *rig, const struct shade_thread *thread, unsigned lane, FILE *report) {
    const struct shade_warp *warp = &rig->warp;
    for (unsigned r = 0; r < REGISTERS; r++)
        if (warp->registers[r][lane] != thread->r[r]) {
            fprintf(report, "lane %u: register %u is 0x%08x, not 0x%08x\n", lane, r, warp->registers[r][lane],
                    thread->r[r]);
            return false;
        }
    for (unsigned p = 0; p < 8; p++)
        if ((warp->predicates[p] >> lane & 1) != thread->p[p]) {
            fprintf(report, "lane %u: predicate %u is not %u\n", lane, p, thread->p[p]);
            return false;
        }
    unsigned flags = (warp->zero >> lane & 1) | (warp->sign >> lane & 1) << 1 | (warp->carry >> lane & 1) << 2 |
                     (warp->overflow >> lane & 1) << 3;
    unsigned expected = thread->zero | thread->sign << 1 | thread->carry << 2 | thread->overflow << 3;
    if (flags != expected)
        fprintf(report, "lane %u: flags VCSZ are 0x%x, not 0x%x\n", lane, flags, expected);
    return flags == expected;
}

static void describe(const struct ir *ir, const struct shade_thread *before, FILE *report) {
    const struct ir_source *sources[] = {&ir->a, &ir->b, &ir->c};
    fprintf(report, "op %u type %u from %u mode %u round %u d %u merge %u scale %d compare %u%s%s%s%s%s%s%s%s%s%s%s\n",
            ir->op, ir->type, ir->source_type, ir->mode, ir->round, ir->d, ir->merge, ir->scale, ir->compare,
            ir->saturate ? " sat" : "", ir->flush ? " ftz" : "", ir->multiply_zero ? " fmz" : "",
            ir->carry_in ? " x" : "", ir->plus_one ? " po" : "", ir->high ? " hi" : "", ir->wrap ? " wrap" : "",
            ir->reverse ? " rev" : "", ir->integral ? " rint" : "", ir->write_flags ? " cc" : "",
            ir->extended ? " ext" : "");
    for (unsigned i = 0; i < 3; i++)
        fprintf(report, "  kind %u value 0x%x part %u%s%s%s: 0x%08x 0x%08x\n", sources[i]->kind, sources[i]->value,
                sources[i]->part, sources[i]->absolute ? " abs" : "", sources[i]->negate ? " neg" : "",
                sources[i]->invert ? " inv" : "", reference_shade_raw(before, sources[i], 0),
                reference_shade_raw(before, sources[i], 1));
}

static bool steps(struct choice *c, struct rig *rig, struct shade_thread *threads, FILE *report) {
    for (unsigned step = 0; step < STEPS; step++) {
        struct shade_thread before[SHADE_LANES];
        memcpy(before, threads, sizeof before);
        struct ir ir = instruction(c);
        rig->count = 0;
        *rig_add(rig, IR_NOP) = ir;
        uint64_t used;
        struct shade_program *program = rig->program;
        rig->program = rig_program(rig);
        rig->warp.program = rig->program;
        shade_program_free(program);
        for (unsigned i = 0; i < SHADE_LANES; i++)
            rig->warp.pc[i] = 0;
        /* Every second one by the operations for any processor, whatever this one has. */
        struct shade_code *code = (struct shade_code *)shade_program_code(rig->program, 0); /* of its own cache */
        if (step & 1 && code->run)
            code->run = shade_op_of(&code->ir);
        shade_run(&rig->warp, 1, &used);
        for (unsigned i = 0; i < SHADE_LANES; i++) {
            if (!reference_shade_step(&threads[i], &ir)) {
                fprintf(report, "the reference has no operation %u\n", ir.op);
                return false;
            }
            if (!same(rig, &threads[i], i, report)) {
                describe(&ir, &before[i], report);
                return false;
            }
        }
    }
    return true;
}

static bool play(struct choice *c, FILE *report) {
    struct rig *rig = malloc(sizeof *rig);
    struct shade_thread *threads = malloc(SHADE_LANES * sizeof *threads);
    bool good = false;
    if (rig && threads) {
        uint32_t constants[16];
        for (unsigned i = 0; i < 16; i++)
            constants[i] = word(c);
        rig_begin(rig);
        for (unsigned i = 0; i < SHADE_BANKS; i++)
            rig->io.constants[i] = (struct shade_constants){(const uint8_t *)constants, sizeof constants};
        rig_load(rig, UINT32_MAX, 0);
        threads_begin(c, rig, threads);
        good = steps(c, rig, threads, report);
        rig_end(rig);
    }
    free(threads);
    free(rig);
    return good;
}

static void instructions_do_what_the_plain_executor_does(void **state) {
    (void)state;
    assert_int_equal(rounds_failed(play, 3000), 0);
}

/* Random tests on a processor that has it do not see the other way. */
static void the_fused_operation_of_the_host_gives_what_doubles_give(void **state) {
    (void)state;
    if (!shade_has_fused())
        skip();
    struct choice choice = choice_from_seed(16);
    struct rig *rig = malloc(sizeof *rig);
    assert_non_null(rig);
    rig_begin(rig);
    for (unsigned round = 0; round < 5000; round++) {
        struct ir *ir = rig_add(rig, IR_FFMA);
        ir->type = IR_F32;
        ir->flush = round & 1;
        ir->a = rig_register(0);
        ir->b = rig_register(1);
        ir->c = rig_register(2);
        rig_load(rig, UINT32_MAX, 0);
        for (unsigned r = 0; r < 3; r++)
            for (unsigned i = 0; i < SHADE_LANES; i++)
                rig->warp.registers[r][i] = word(&choice);
        ir->d = 4;
        shade_ffma(&rig->warp, ir, UINT32_MAX);
        ir->d = 5;
        assert_non_null(shade_plain_of(ir));
        shade_plain_of(ir)(&rig->warp, ir, UINT32_MAX);
        assert_memory_equal(rig->warp.registers[4], rig->warp.registers[5], sizeof(shade_row));
        rig->count = 0;
    }
    rig_end(rig);
    free(rig);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(instructions_do_what_the_plain_executor_does),
        cmocka_unit_test(the_fused_operation_of_the_host_gives_what_doubles_give),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
