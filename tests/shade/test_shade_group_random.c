/* SPDX-License-Identifier: MIT */
/*
 * Random programs of groups against the plain executor: at once, and in pieces between which the group is saved and
 * loaded into another one.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "engine/shade/group.h"
#include "reference/group.h"
#include "rounds.h"
#include "shade/rig.h"
#include "state/bytes.h"
#include "state/state.h"

enum { WARPS = 8, SLOT = 16, SHARED = 8192, COUNTERS = 4096, LOCAL = 64, GLOBAL = 8192, REGISTERS = 16 };
#define GLOBAL_AT UINT64_C(0x400000)

struct machine {
    struct shade_group *group;
    uint8_t shared[SHARED], local[WARPS * SHADE_LANES * LOCAL], global[GLOBAL];
    uint32_t locks[SHARED / SHADE_LOCK_BYTES];
    struct shade_special special[WARPS];
    shade_row number[WARPS];
};

static struct {
    struct rig rig;
    struct machine machine[2];
    struct reference_group reference;
    uint8_t shared[SHARED], local[WARPS * SHADE_LANES * LOCAL], global[GLOBAL];
    unsigned threads;
} scene;

/* ---- programs ---- */

static unsigned value_of(struct choice *c) {
    return 2 + choice_below(c, 10); /* 0: the thread, 1: its slot */
}

static struct ir *add(struct choice *c, enum ir_op op, bool guarded) {
    struct ir *ir = rig_add(&scene.rig, op);
    if (guarded && choice_once_in(c, 3)) {
        ir->guard = (uint8_t)choice_below(c, 3);
        ir->guard_negate = choice_once_in(c, 2);
    }
    return ir;
}

static void arithmetic(struct choice *c) {
    static const uint8_t ops[] = {IR_IADD, IR_LOP, IR_SHL, IR_IMNMX, IR_ISETP, IR_POPC, IR_MOV};
    struct ir *ir = add(c, (enum ir_op)ops[choice_below(c, sizeof ops)], true);
    ir->a = rig_register(choice_once_in(c, 3) ? 0 : value_of(c));
    ir->b = choice_once_in(c, 2) ? rig_immediate(choice_word(c)) : rig_register(value_of(c));
    ir->d = (uint8_t)value_of(c);
    if (ir->op == IR_LOP)
        ir->combine = (uint8_t)choice_below(c, 3);
    if (ir->op == IR_ISETP) {
        ir->compare = (uint8_t)(1 + choice_below(c, 6));
        ir->p = (uint8_t)choice_below(c, 3);
        ir->d = IR_ZERO;
    }
}

static struct ir *barrier(struct choice *c) {
    struct ir *ir = add(c, IR_BAR, false);
    ir->a = rig_immediate(choice_below(c, 16));
    ir->b = rig_immediate(0);
    return ir;
}

static uint8_t any_type(struct choice *c) {
    return (uint8_t[]){IR_U8, IR_S8, IR_U16, IR_S16, IR_U32, IR_U64, IR_B128}[choice_below(c, 7)];
}

/* To its own slot, which others read after a barrier. */
static void exchange(struct choice *c) {
    struct ir *ir = add(c, IR_ST, true);
    ir->space = IR_SPACE_SHARED;
    ir->type = any_type(c);
    ir->a = rig_register(1);
    ir->b = rig_register(4);
    barrier(c);
    ir = add(c, IR_LOP, false);
    ir->combine = IR_XOR;
    ir->d = 12;
    ir->a = rig_register(1);
    ir->b = rig_immediate(SLOT * choice_below(c, 256));
    ir = add(c, IR_LD, true);
    ir->space = IR_SPACE_SHARED;
    ir->type = any_type(c);
    ir->a = rig_register(12);
    ir->d = choice_once_in(c, 2) ? 4 : 8;
    barrier(c);
}

static void count(struct choice *c) {
    static const uint8_t kinds[] = {IR_ADD, IR_MIN, IR_MAX, IR_ATOM_AND, IR_ATOM_OR, IR_ATOM_XOR};
    struct ir *ir = add(c, IR_ATOM, true);
    unsigned kind = choice_below(c, sizeof kinds);
    ir->atomic = kinds[kind];
    ir->type = choice_once_in(c, 2) ? IR_U32 : IR_S32;
    ir->space = choice_once_in(c, 2) ? IR_SPACE_SHARED : IR_SPACE_GLOBAL;
    ir->a = rig_register(IR_ZERO);
    ir->b = rig_register(value_of(c));
    /* operations of different kinds do not commute: each has its own words */
    ir->offset = COUNTERS + (int64_t)(8 * kind + (ir->type == IR_S32 ? 4 : 0));
    ir->offset += ir->space == IR_SPACE_GLOBAL ? (int64_t)GLOBAL_AT : 0;
}

static void own_memory(struct choice *c) {
    bool local = choice_once_in(c, 2);
    for (unsigned i = 0; i < 2; i++) {
        struct ir *ir = add(c, i ? IR_LD : IR_ST, true);
        ir->space = local ? IR_SPACE_LOCAL : IR_SPACE_GLOBAL;
        ir->type = any_type(c);
        ir->a = rig_register(local ? IR_ZERO : 1);
        ir->offset = local ? (int64_t)(16 * choice_below(c, 4)) : (int64_t)GLOBAL_AT;
        ir->b = rig_register(8);
        ir->d = 4;
        if (!i)
            ir->d = IR_ZERO;
    }
}

static void together(struct choice *c) {
    struct ir *ir = choice_once_in(c, 2) ? add(c, IR_VOTE, false) : NULL;
    if (ir) {
        ir->mode = (uint16_t)choice_below(c, 3);
        ir->combine_predicate = (uint8_t)choice_below(c, 4);
        ir->combine_predicate = ir->combine_predicate == 3 ? IR_TRUE : ir->combine_predicate;
    } else {
        ir = add(c, IR_SHFL, false);
        ir->mode = (uint16_t)choice_below(c, 4);
        ir->a = rig_register(value_of(c));
        ir->b = choice_once_in(c, 2) ? rig_register(value_of(c)) : rig_immediate(choice_below(c, 32));
        ir->c = rig_immediate(ir->mode == 1 ? 0 : 31);
    }
    ir->d = (uint8_t)value_of(c);
    ir->p = (uint8_t)choice_below(c, 3);
}

static void reduce(struct choice *c) {
    struct ir *ir = barrier(c);
    ir->mode = (uint16_t)(2 + choice_below(c, 3));
    ir->combine_predicate = (uint8_t)choice_below(c, 3);
    ir->combine_negate = choice_once_in(c, 2);
    ir->d = ir->mode == 2 ? (uint8_t)value_of(c) : IR_ZERO;
    ir->p = ir->mode == 2 ? IR_TRUE : (uint8_t)choice_below(c, 3);
}

static void jump_over(struct choice *c) {
    struct ir *ir = add(c, IR_BRA, true);
    unsigned over = 1 + choice_below(c, 3);
    ir->offset = 8 * (int64_t)(scene.rig.count + over);
    for (unsigned i = 0; i < over; i++)
        arithmetic(c);
}

static void end_some(struct choice *c) {
    struct ir *ir = add(c, IR_EXIT, false);
    ir->guard = (uint8_t)choice_below(c, 3);
    ir->guard_negate = choice_once_in(c, 2);
}

static void make_program(struct choice *c) {
    static void (*const parts[])(struct choice *) = {arithmetic, arithmetic, exchange, count,
                                                     own_memory, together,   reduce,   jump_over};
    rig_end(&scene.rig);
    rig_begin(&scene.rig);
    struct ir *ir = rig_add(&scene.rig, IR_S2R);
    ir->a = rig_immediate(0x21);
    ir->d = 0;
    ir = rig_add(&scene.rig, IR_SHL);
    ir->a = rig_register(0);
    ir->b = rig_immediate(4);
    ir->d = 1;
    while (scene.rig.count + 8 < RIG_INSTRUCTIONS) {
        if (choice_once_in(c, 40))
            end_some(c);
        else
            parts[choice_below(c, sizeof parts / sizeof parts[0])](c);
    }
}

/* ---- runs ---- */

static void begin(struct machine *machine) {
    struct shade_io *io = &scene.rig.io;
    memset(machine->shared, 0, SHARED);
    memset(machine->local, 0, sizeof machine->local);
    memset(machine->global, 0, GLOBAL);
    io->shared = machine->shared;
    io->shared_bytes = SHARED;
    io->locks = machine->locks;
    io->local = machine->local;
    io->local_bytes = LOCAL;
    shade_group_begin(machine->group, scene.rig.program, io, scene.threads);
}

static bool no_load(struct shade_warp *warp, uint32_t lanes, const uint64_t *address, unsigned bytes, void *to,
                    unsigned stride) {
    (void)warp, (void)lanes, (void)address, (void)bytes, (void)to, (void)stride;
    return false;
}

static bool no_store(struct shade_warp *warp, uint32_t lanes, const uint64_t *address, unsigned bytes, const void *from,
                     unsigned stride) {
    (void)warp, (void)lanes, (void)address, (void)bytes, (void)from, (void)stride;
    return false;
}

/* What each warp has of its own. */
static void lend(struct machine *machine, struct shade_span *span) {
    *span = (struct shade_span){GLOBAL_AT, GLOBAL, machine->global, true};
    for (unsigned i = 0; i < machine->group->warps; i++) {
        struct shade_io *io = &machine->group->member[i].io;
        for (unsigned lane = 0; lane < SHADE_LANES; lane++)
            machine->number[i][lane] = i * SHADE_LANES + lane;
        machine->special[i] = (struct shade_special){.number = 0x21, .row = machine->number[i]};
        io->specials = &machine->special[i];
        io->special_count = 1;
        io->spans = span;
        io->span_count = 1;
        io->load = no_load;
        io->store = no_store;
    }
}

/* From one machine to the other. */
static void move(struct machine *from, struct machine *to) {
    static struct state_io io;
    struct state_bytes out = {0};
    state_open_save(&io, state_bytes_write, &out, NULL);
    state_begin(&io, "GRUP", 1);
    shade_group_state(from->group, &io);
    state_end(&io);
    assert_int_equal(state_close(&io), PFIFO_OK);
    begin(to);
    memcpy(to->global, from->global, GLOBAL);
    state_open_load(&io, out.data, out.used, NULL);
    state_begin(&io, "GRUP", 1);
    shade_group_state(to->group, &io);
    state_end(&io);
    assert_int_equal(state_close(&io), PFIFO_OK);
    state_bytes_free(&out);
}

/* The machine that it ended on. NULL: it did not. */
static struct machine *run(struct choice *c, bool in_pieces) {
    struct machine *now = &scene.machine[0], *next = &scene.machine[1];
    struct shade_span span;
    enum shade_stop stop;
    uint64_t used;
    begin(now);
    lend(now, &span);
    while ((stop = shade_group_run(now->group, in_pieces ? 1 + choice_below(c, 300) : 1u << 20, &used)) ==
           SHADE_BUDGET) {
        if (!in_pieces)
            return NULL;
        move(now, next);
        struct machine *before = now;
        now = next;
        next = before;
        lend(now, &span);
    }
    return stop == SHADE_DONE ? now : NULL;
}

static bool registers_differ(const struct machine *machine, FILE *report) {
    for (unsigned i = 0; i < scene.threads; i++) {
        const struct shade_warp *warp = &machine->group->member[i / SHADE_LANES].warp;
        for (unsigned r = 0; r < REGISTERS; r++) {
            uint32_t value = r < warp->zeroed ? warp->registers[r][i % SHADE_LANES] : 0;
            if (value == scene.reference.thread[i].r[r])
                continue;
            fprintf(report, "# thread %u of %u: r%u is 0x%x, expected 0x%x\n", i, scene.threads, r, value,
                    scene.reference.thread[i].r[r]);
            return true;
        }
    }
    return false;
}

static bool is_right(const struct machine *machine, FILE *report) {
    if (!machine) {
        fprintf(report, "# the group did not end\n");
        return false;
    }
    if (registers_differ(machine, report))
        return false;
    bool same = memcmp(machine->shared, scene.shared, SHARED) == 0 &&
                memcmp(machine->local, scene.local, scene.threads * (size_t)LOCAL) == 0 &&
                memcmp(machine->global, scene.global, GLOBAL) == 0;
    if (!same)
        fprintf(report, "# memory differs\n");
    return same;
}

static bool play(struct choice *c, FILE *report) {
    scene.threads = 1 + choice_below(c, WARPS * SHADE_LANES);
    make_program(c);
    scene.rig.program = rig_program(&scene.rig);
    memset(&scene.reference, 0, sizeof scene.reference);
    memset(scene.shared, 0, SHARED);
    memset(scene.local, 0, sizeof scene.local);
    memset(scene.global, 0, GLOBAL);
    scene.reference.code = scene.rig.code;
    scene.reference.threads = scene.threads;
    scene.reference.shared = scene.shared;
    scene.reference.local = scene.local;
    scene.reference.local_bytes = LOCAL;
    scene.reference.global = scene.global;
    scene.reference.global_at = GLOBAL_AT;
    for (unsigned i = 0; i < scene.threads; i++)
        scene.reference.thread[i].p[IR_TRUE] = true;
    if (!reference_group_run(&scene.reference)) {
        fprintf(report, "# the plain executor cannot run it\n");
        return false;
    }
    return is_right(run(c, false), report) && is_right(run(c, true), report);
}

static void random_groups_do_what_the_plain_executor_does(void **state) {
    (void)state;
    for (unsigned i = 0; i < 2; i++)
        assert_non_null(scene.machine[i].group = shade_group_new(WARPS));
    rig_begin(&scene.rig);
    unsigned failed = rounds_failed(play, 1500);
    rig_end(&scene.rig);
    for (unsigned i = 0; i < 2; i++)
        shade_group_free(scene.machine[i].group);
    assert_int_equal(failed, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_groups_do_what_the_plain_executor_does)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
