/* SPDX-License-Identifier: MIT */
/*
 * The machine code of random runs, as a decoder reads it that others have written (Zydis): all of it is instructions that the
 * processor has which it is for, jumps go to instructions, and each access to memory is inside what it is meant for.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#ifdef HAS_ZYDIS
#include <Zydis/Zydis.h>

#include "engine/shade/compile/lower.h"
#include "rounds.h"
#include "shade/random.h"
#include "shade/rig.h"

enum { MOST = 40 };

struct listing {
    const struct assembler *code;
    uint32_t end; /* of the instructions; words follow */
    bool *begins; /* by byte: an instruction */
    FILE *report;
};

/* ---- what an access may touch ---- */

static bool within(int64_t at, unsigned bytes, size_t size) {
    return at >= 0 && at + bytes <= (int64_t)size;
}

/* Rows of 32 words, from a part of the first row on. */
static bool is_in_rows(int64_t at, unsigned bytes, unsigned rows) {
    return at >= 0 && at % (int64_t)sizeof(shade_row) == 0 && bytes <= sizeof(shade_row) &&
           at / (int64_t)sizeof(shade_row) < rows;
}

static bool is_allowed(const struct listing *l, const ZydisDecodedInstruction *instruction, uint32_t at,
                       const ZydisDecodedOperand *operand) {
    int64_t offset = operand->mem.disp.has_displacement ? operand->mem.disp.value : 0;
    bool address = operand->mem.type == ZYDIS_MEMOP_TYPE_AGEN; /* that is not accessed here */
    unsigned bytes = address ? 0 : operand->size / 8;
    if (operand->mem.index != ZYDIS_REGISTER_NONE)
        return false;
    switch (operand->mem.base) {
    case ZYDIS_REGISTER_RBX:
        return is_in_rows(offset, bytes, IR_ZERO);
    case ZYDIS_REGISTER_R14:
        return within(offset, bytes, LOWER_PREDICATES * sizeof(uint32_t));
    case ZYDIS_REGISTER_RBP:
        return within(offset, bytes, sizeof(struct shade_warp));
    case ZYDIS_REGISTER_R12:
        return within(offset, bytes, sizeof(struct shade_io));
    case ZYDIS_REGISTER_RSP:
        return instruction->meta.category == ZYDIS_CATEGORY_PUSH || instruction->meta.category == ZYDIS_CATEGORY_POP ||
               instruction->meta.category == ZYDIS_CATEGORY_CALL || instruction->meta.category == ZYDIS_CATEGORY_RET ||
               within(offset, bytes, ASSEMBLER_STACK);
    case ZYDIS_REGISTER_RAX: /* constants: how many there are is compared when the run begins */
        return within(offset, bytes, 1u << 20) && bytes <= 8;
    case ZYDIS_REGISTER_RCX:
        return is_in_rows(offset + (int64_t)offsetof(struct shade_warp, registers), bytes, SHADE_ATTRIBUTES);
    case ZYDIS_REGISTER_RDX:
        return within(offset, bytes, 32);
    case ZYDIS_REGISTER_RIP:
        offset += at + instruction->length;
        return offset >= l->end && offset % 4 == 0 && within(offset, bytes, l->code->size);
    default:
        return false;
    }
}

static bool has(const struct assembler *code, const ZydisDecodedInstruction *instruction) {
    switch (instruction->meta.isa_ext) {
    case ZYDIS_ISA_EXT_BASE:
    case ZYDIS_ISA_EXT_LONGMODE:
    case ZYDIS_ISA_EXT_SSE: /* the control register */
        return true;
    case ZYDIS_ISA_EXT_AVX:
    case ZYDIS_ISA_EXT_AVX2:
    case ZYDIS_ISA_EXT_FMA:
        return !code->wide || instruction->mnemonic == ZYDIS_MNEMONIC_VZEROUPPER;
    case ZYDIS_ISA_EXT_AVX512EVEX:
    case ZYDIS_ISA_EXT_AVX512VEX:
        return code->wide;
    default:
        return false;
    }
}

/* ---- a run ---- */

static bool wrong(const struct listing *l, uint32_t at, const char *what) {
    fprintf(l->report, "byte 0x%x: %s:", at, what);
    for (uint32_t i = at; i < l->end && i < at + 15; i++)
        fprintf(l->report, " %02x", l->code->bytes[i]);
    fprintf(l->report, "\n");
    return false;
}

static bool read_all(struct listing *l, uint32_t *targets, uint32_t *target_count) {
    ZydisDecoder decoder;
    ZydisDecodedInstruction instruction;
    ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
    ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
    for (uint32_t at = 0; at < l->end; at += instruction.length) {
        if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, l->code->bytes + at, l->end - at, &instruction, operands)))
            return wrong(l, at, "no instruction");
        l->begins[at] = true;
        if (!has(l->code, &instruction))
            return wrong(l, at, "not on this processor");
        for (unsigned i = 0; i < instruction.operand_count; i++) {
            const ZydisDecodedOperand *operand = &operands[i];
            if (operand->type == ZYDIS_OPERAND_TYPE_MEMORY && !is_allowed(l, &instruction, at, operand))
                return wrong(l, at, "memory that is not its own");
            if (operand->type == ZYDIS_OPERAND_TYPE_IMMEDIATE && operand->imm.is_relative)
                targets[(*target_count)++] = (uint32_t)(at + instruction.length + operand->imm.value.s);
        }
    }
    return true;
}

static bool is_read(const struct assembler *code, uint32_t end, uint32_t entry, FILE *report) {
    struct listing l = {code, end, calloc(end + 1, sizeof *l.begins), report};
    uint32_t *targets = malloc((end + 1) * sizeof *targets), count = 0;
    bool good = l.begins && targets && read_all(&l, targets, &count);
    for (uint32_t i = 0; i < count && good; i++)
        if (targets[i] >= end || !l.begins[targets[i]])
            good = wrong(&l, 0, "a jump into nowhere");
    good = good && entry < end && l.begins[entry];
    free(l.begins);
    free(targets);
    return good;
}

static bool wide;

static bool play(struct choice *c, FILE *report) {
    static struct rig rig;
    struct shade_listing listing;
    struct assembler code;
    uint32_t entry = 0;
    rig_begin(&rig);
    for (unsigned i = choice_between(c, 2, MOST); i-- > 0;)
        *rig_add(&rig, IR_NOP) = choice_below(c, 4) ? random_stage_instruction(c) : random_instruction(c);
    struct shade_program *program = rig_program(&rig);
    assert_true(shade_program_list(program, &listing));
    assembler_begin(&code, wide);
    bool good = lower_run(&code, &(struct lower_input){listing.codes, listing.count - 1, false}, &entry);
    uint32_t end = code.size;
    good = good && assembler_finish(&code) && is_read(&code, end, entry, report);
    assembler_end(&code);
    free(listing.codes);
    shade_program_free(program);
    return good;
}

static void code_is_of_avx512_and_touches_its_own(void **state) {
    (void)state;
    wide = true;
    assert_int_equal(rounds_failed(play, 5000), 0);
}

static void code_is_of_avx2_and_touches_its_own(void **state) {
    (void)state;
    wide = false;
    assert_int_equal(rounds_failed(play, 5000), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(code_is_of_avx512_and_touches_its_own),
        cmocka_unit_test(code_is_of_avx2_and_touches_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

int main(void) {
    return 77; /* there is no Zydis */
}

#endif
