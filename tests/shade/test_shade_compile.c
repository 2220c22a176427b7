/* SPDX-License-Identifier: MIT */
/* Random runs of instructions: what the compiler makes of them against the interpreter, to the bit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "engine/shade/compile/compile.h"
#include "rounds.h"
#include "shade/random.h"
#include "shade/rig.h"

enum { REGISTERS = 24, MOST = 40 };

static struct {
    struct rig rig;
    struct shade_warp interpreted;
    struct shade_io io; /* of the warp that is interpreted */
    shade_row inputs[SHADE_ATTRIBUTES], outputs[2][SHADE_ATTRIBUTES];
    shade_row interpolated[SHADE_MOST_WANTED];
    uint32_t constants[16];
} scene;

static void values(struct choice *c) {
    struct shade_warp *warp = &scene.rig.warp;
    for (unsigned r = 0; r < REGISTERS; r++)
        for (unsigned i = 0; i < SHADE_LANES; i++)
            warp->registers[r][i] = random_word(c);
    warp->zeroed = REGISTERS;
    for (unsigned p = 0; p < 7; p++)
        warp->predicates[p] = choice_once_in(c, 4) ? choice_once_in(c, 2) ? UINT32_MAX : 0 : choice_word(c);
    warp->zero = choice_word(c);
    warp->sign = choice_word(c);
    warp->carry = choice_word(c);
    warp->overflow = choice_word(c);
    for (unsigned i = 0; i < 16; i++)
        scene.constants[i] = random_word(c);
    for (unsigned w = 0; w < 32; w++)
        for (unsigned i = 0; i < SHADE_LANES; i++)
            scene.inputs[w][i] = random_word(c);
}

/* After an instruction that fails, the rows of the whole run have values. */
static bool same(const struct shade_warp *a, const struct shade_warp *b, bool failed, FILE *report) {
    for (unsigned r = 0; r < REGISTERS; r++)
        for (unsigned i = 0; i < SHADE_LANES; i++)
            if (a->registers[r][i] != b->registers[r][i]) {
                fprintf(report, "register %u, lane %u: 0x%08x, interpreted 0x%08x\n", r, i, a->registers[r][i],
                        b->registers[r][i]);
                return false;
            }
    for (unsigned p = 0; p < 8; p++)
        if (a->predicates[p] != b->predicates[p]) {
            fprintf(report, "predicate %u: 0x%08x, interpreted 0x%08x\n", p, a->predicates[p], b->predicates[p]);
            return false;
        }
    bool good = a->zero == b->zero && a->sign == b->sign && a->carry == b->carry && a->overflow == b->overflow &&
                a->instructions == b->instructions && a->alive == b->alive && (failed || a->zeroed == b->zeroed) &&
                memcmp(scene.outputs[0], scene.outputs[1], sizeof scene.outputs[0]) == 0;
    if (!good)
        fprintf(report, "flags, outputs or counts differ\n");
    return good;
}

static void describe(FILE *report) {
    for (unsigned i = 0; i < scene.rig.count; i++) {
        const struct ir *ir = &scene.rig.code[i];
        fprintf(
            report,
            "%2u: op %u d %u type %u from %u mode %u guard %s%u test %u p %u q %u round %u compare %u P %u%s%s%s%s\n",
            i, ir->op, ir->d, ir->type, ir->source_type, ir->mode, ir->guard_negate ? "!" : "", ir->guard, ir->test,
            ir->p, ir->q, ir->round, ir->compare, ir->combine_predicate, ir->flush ? " ftz" : "",
            ir->saturate ? " sat" : "", ir->write_flags ? " cc" : "", ir->carry_in ? " x" : "");
        const struct ir_source *sources[] = {&ir->a, &ir->b, &ir->c};
        for (unsigned k = 0; k < 3; k++)
            fprintf(report, "      kind %u value 0x%x part %u%s%s%s\n", sources[k]->kind, sources[k]->value,
                    sources[k]->part, sources[k]->absolute ? " abs" : "", sources[k]->negate ? " neg" : "",
                    sources[k]->invert ? " inv" : "");
    }
}

/* Attributes as they are, another row for each mode. */
static void interpolate(struct shade_warp *warp, uint32_t lanes, const uint32_t *word, const struct ir *ir,
                        const uint32_t *offset, uint32_t *out) {
    (void)warp, (void)offset;
    for (unsigned i = 0; i < SHADE_LANES; i++)
        if (lanes >> i & 1)
            out[i] = scene.inputs[(word[i] + ir->mode) % 32][i] ^ ir->sample;
}

static void interpolate_list(struct shade_warp *warp, const struct shade_wanted *wanted, unsigned count,
                             shade_row *out) {
    (void)warp;
    for (unsigned i = 0; i < count; i++)
        memcpy(out[i], scene.inputs[(wanted[i].word + wanted[i].mode) % 32], sizeof out[i]);
}

/* A way on, or back. */
static struct ir flow(struct choice *c, unsigned count) {
    static const uint8_t ops[] = {IR_BRA, IR_BRA, IR_SSY, IR_SYNC, IR_PBK, IR_BRK, IR_EXIT, IR_KIL, IR_CAL, IR_RET};
    struct ir ir = rig_neutral((enum ir_op)ops[choice_below(c, sizeof ops)]);
    bool pushes = ir.op == IR_SSY || ir.op == IR_PBK || ir.op == IR_CAL;
    if (!pushes || ir.op == IR_CAL)
        ir.guard = choice_once_in(c, 8) ? IR_TRUE : (uint8_t)choice_below(c, 4);
    if (pushes)
        ir.guard = IR_TRUE;
    ir.guard_negate = ir.guard != IR_TRUE && choice_once_in(c, 2);
    ir.offset = 8 * (int64_t)choice_below(c, count);
    return ir;
}

static void program(struct choice *c, bool flows) {
    struct rig *rig = &scene.rig;
    unsigned count = choice_between(c, 2, MOST);
    for (unsigned i = 0; i < count; i++)
        *rig_add(rig, IR_NOP) = flows && choice_once_in(c, 4) ? flow(c, count) : random_stage_instruction(c);
}

/* Where lanes that have not ended are, and their stacks. */
static bool same_places(const struct shade_warp *a, const struct shade_warp *b) {
    bool good = a->error == b->error && a->fault_address == b->fault_address && a->killed == b->killed &&
                a->parked == b->parked && a->marks == b->marks;
    for (uint32_t rest = a->alive & b->alive; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        good &= a->pc[lane] == b->pc[lane] && a->depth[lane] == b->depth[lane];
    }
    return good;
}

/* Every eighth place fails. */
static bool load(struct shade_warp *warp, uint32_t lanes, const uint64_t *address, unsigned bytes, void *to,
                 unsigned stride) {
    (void)warp, (void)stride;
    unsigned first = (unsigned)__builtin_ctz(lanes);
    for (uint32_t rest = lanes; rest; rest &= rest - 1)
        memset((uint8_t *)to + (size_t)__builtin_ctz(rest) * stride, (int)address[first] + bytes, bytes);
    return (address[first] >> 2 & 7) != 7;
}

/* What the stage is. */
static void lend(struct choice *c) {
    struct rig *rig = &scene.rig;
    for (unsigned i = 0; i < SHADE_BANKS; i++)
        rig->io.constants[i] = (struct shade_constants){(const uint8_t *)scene.constants, sizeof scene.constants};
    rig->io.inputs = scene.inputs;
    rig->io.interpolate = interpolate;
    rig->io.load = load;
    rig->io.interpolate_list = interpolate_list;
    rig->io.interpolated = scene.interpolated;
    rig->io.flat = choice_once_in(c, 2);
}

/* Whose code it is. */
static const struct shade_executor *compiler;

static bool play_one(struct choice *c, FILE *report, bool flows) {
    struct rig *rig = &scene.rig;
    rig_begin(rig);
    rig->executor = compiler;
    program(c, flows);
    lend(c);
    uint32_t lanes = choice_once_in(c, 2) ? UINT32_MAX : choice_word(c) | 1;
    rig_load(rig, lanes, 0);
    values(c);
    rig->io.quads = choice_once_in(c, 2);
    scene.interpreted = rig->warp;
    scene.io = rig->io;
    scene.interpreted.io = &scene.io;
    memset(scene.outputs, 0, sizeof scene.outputs);
    scene.io.outputs = scene.outputs[0];
    rig->io.outputs = scene.outputs[1];
    rig->io.compiled = shade_compile(rig->program, &rig->io);
    bool good = rig->io.compiled || flows; /* of some nothing is long enough */
    if (!good)
        fprintf(report, "nothing was compiled\n");
    enum shade_stop stop = SHADE_BUDGET;
    for (unsigned piece = 0; good && stop == SHADE_BUDGET && piece < 5; piece++) {
        uint64_t used[2], budget = choice_once_in(c, 3) ? choice_below(c, rig->count + 1) : 400;
        stop = shade_run(&scene.interpreted, budget, &used[0]);
        good = shade_run(&rig->warp, budget, &used[1]) == stop && used[0] == used[1];
        good = same(&rig->warp, &scene.interpreted, stop >= SHADE_ERROR, report) && good;
        if (!same_places(&rig->warp, &scene.interpreted) || !good) {
            fprintf(report, "piece %u: lanes or steps differ\n", piece);
            good = false;
        }
    }
    if (!good)
        describe(report);
    rig_end(rig);
    return good;
}

/* From nothing, with whatever is in memory, and at once. */
static bool play_whole(struct choice *c, FILE *report) {
    struct rig *rig = &scene.rig;
    rig_begin(rig);
    rig->executor = compiler;
    program(c, choice_once_in(c, 8));
    lend(c);
    uint32_t lanes = choice_once_in(c, 2) ? UINT32_MAX : choice_word(c) | 1, helpers = choice_word(c);
    rig_load(rig, lanes, helpers);
    values(c);
    rig->io.results = REGISTERS;
    scene.interpreted = rig->warp;
    scene.io = rig->io;
    memset(scene.outputs, 0, sizeof scene.outputs);
    scene.io.outputs = scene.outputs[0];
    rig->io.outputs = scene.outputs[1];
    rig->io.compiled = shade_compile(rig->program, &rig->io);
    uint64_t used[2], budget = choice_once_in(c, 4) ? choice_below(c, rig->count + 2) : 400;
    shade_warp_begin(&scene.interpreted, rig->program, &scene.io, lanes, helpers);
    enum shade_stop stop = shade_run(&scene.interpreted, budget, &used[0]);
    struct shade_start start = {&rig->warp, rig->program, &rig->io, lanes, helpers};
    bool good = shade_start(&start, budget, &used[1]) == stop && used[0] == used[1];
    if (stop == SHADE_DONE)
        good = same(&rig->warp, &scene.interpreted, false, report) && good;
    if (!good || !same_places(&rig->warp, &scene.interpreted)) {
        fprintf(report, "steps, errors or places differ\n");
        describe(report);
        good = false;
    }
    rig_end(rig);
    return good;
}

static bool play(struct choice *c, FILE *report) {
    return play_one(c, report, false);
}

static bool play_flow(struct choice *c, FILE *report) {
    return play_one(c, report, true);
}

static void rounds(const struct shade_executor *of, rounds_play play_it) {
    if (!of)
        skip();
    compiler = of;
    assert_int_equal(rounds_failed(play_it, 20000), 0);
}

static void runs_do_what_the_interpreter_does(void **state) {
    (void)state;
    rounds(shade_compiler_wide(), play);
}

static void runs_for_avx2_do_what_the_interpreter_does(void **state) {
    (void)state;
    rounds(shade_compiler_narrow(), play);
}

static void ways_join_and_stop_as_in_the_interpreter(void **state) {
    (void)state;
    rounds(shade_compiler_wide(), play_flow);
}

static void ways_join_and_stop_for_avx2_as_in_the_interpreter(void **state) {
    (void)state;
    rounds(shade_compiler_narrow(), play_flow);
}

static void whole_programs_end_as_in_the_interpreter(void **state) {
    (void)state;
    rounds(shade_compiler(), play_whole);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_programs_end_as_in_the_interpreter),
        cmocka_unit_test(runs_do_what_the_interpreter_does),
        cmocka_unit_test(runs_for_avx2_do_what_the_interpreter_does),
        cmocka_unit_test(ways_join_and_stop_as_in_the_interpreter),
        cmocka_unit_test(ways_join_and_stop_for_avx2_as_in_the_interpreter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
