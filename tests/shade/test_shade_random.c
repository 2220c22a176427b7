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
#include "shade/random.h"
#include "shade/rig.h"

#define REGISTERS RANDOM_REGISTERS
#define STEPS     24u

static void threads_begin(struct choice *c, struct rig *rig, struct shade_thread *threads) {
    for (unsigned i = 0; i < SHADE_LANES; i++) {
        struct shade_thread *thread = &threads[i];
        memset(thread, 0, sizeof *thread);
        for (unsigned r = 0; r < REGISTERS; r++)
            rig->warp.registers[r][i] = thread->r[r] = random_word(c);
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
        struct ir ir = random_instruction(c);
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
            constants[i] = random_word(c);
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
                rig->warp.registers[r][i] = random_word(&choice);
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
