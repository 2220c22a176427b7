/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "reference/group.h"

enum place { RUNS, AT_BARRIER, AT_WARP, ENDED, LOST };

struct run {
    struct reference_group *group;
    unsigned pc[REFERENCE_GROUP_THREADS];
    enum place place[REFERENCE_GROUP_THREADS];
};

static bool does(const struct shade_thread *thread, const struct ir *ir) {
    return thread->p[ir->guard] != ir->guard_negate;
}

/* ---- memory ---- */

static unsigned bytes_of(unsigned type) {
    switch (type) {
    case IR_U8:
    case IR_S8:
        return 1;
    case IR_U16:
    case IR_S16:
        return 2;
    case IR_U64:
        return 8;
    case IR_B128:
        return 16;
    default:
        return 4;
    }
}

static uint8_t *memory_at(const struct run *run, unsigned number, const struct ir *ir) {
    struct reference_group *group = run->group;
    uint64_t address = reference_shade_raw(&group->thread[number], &ir->a, 0) + (uint64_t)ir->offset;
    switch (ir->space) {
    case IR_SPACE_SHARED:
        return group->shared + address;
    case IR_SPACE_LOCAL:
        return group->local + (uint64_t)number * group->local_bytes + address;
    default:
        return group->global + (address - group->global_at);
    }
}

static void load(struct run *run, unsigned number, const struct ir *ir) {
    unsigned bytes = bytes_of(ir->type);
    uint32_t words[4] = {0};
    memcpy(words, memory_at(run, number, ir), bytes);
    if (ir->type == IR_S8)
        words[0] = (uint32_t)(int8_t)words[0];
    if (ir->type == IR_S16)
        words[0] = (uint32_t)(int16_t)words[0];
    for (unsigned i = 0; i < (bytes + 3) / 4; i++)
        reference_shade_write(&run->group->thread[number], ir->d + i, words[i]);
}

static void store(struct run *run, unsigned number, const struct ir *ir) {
    unsigned bytes = bytes_of(ir->type);
    uint32_t words[4];
    for (unsigned i = 0; i < 4; i++)
        words[i] = reference_shade_raw(&run->group->thread[number], &ir->b, i);
    memcpy(memory_at(run, number, ir), words, bytes);
}

static uint32_t combined(const struct ir *ir, uint32_t x, uint32_t y) {
    bool is_signed = ir->type == IR_S32;
    bool less = is_signed ? (int32_t)x < (int32_t)y : x < y;
    switch (ir->atomic) {
    case IR_ADD:
        return x + y;
    case IR_MIN:
        return less ? x : y;
    case IR_MAX:
        return less ? y : x;
    case IR_ATOM_AND:
        return x & y;
    case IR_ATOM_OR:
        return x | y;
    default:
        return x ^ y;
    }
}

static void atomic(struct run *run, unsigned number, const struct ir *ir) {
    uint32_t word;
    uint8_t *at = memory_at(run, number, ir);
    memcpy(&word, at, 4);
    word = combined(ir, word, reference_shade_raw(&run->group->thread[number], &ir->b, 0));
    memcpy(at, &word, 4);
}

/* ---- a thread ---- */

/* The next instruction of a thread. */
static enum place step(struct run *run, unsigned number) {
    struct shade_thread *thread = &run->group->thread[number];
    const struct ir *ir = &run->group->code[run->pc[number]];
    if (ir->op == IR_BAR)
        return AT_BARRIER;
    if (ir->op == IR_VOTE || ir->op == IR_SHFL)
        return AT_WARP;
    run->pc[number]++;
    if (!does(thread, ir))
        return RUNS;
    switch (ir->op) {
    case IR_EXIT:
        return ENDED;
    case IR_BRA:
        run->pc[number] = (unsigned)ir->offset / 8;
        return RUNS;
    case IR_S2R:
        reference_shade_write(thread, ir->d, number);
        return RUNS;
    case IR_LD:
        load(run, number, ir);
        return RUNS;
    case IR_ST:
        store(run, number, ir);
        return RUNS;
    case IR_ATOM:
        atomic(run, number, ir);
        return RUNS;
    default:
        return reference_shade_step(thread, ir) ? RUNS : LOST;
    }
}

/* ---- what threads do together ---- */

static void vote(struct run *run, unsigned first, unsigned count, const struct ir *ir) {
    uint32_t ballot = 0;
    bool all = true, any = false;
    for (unsigned i = 0; i < count; i++) {
        if (run->place[first + i] != AT_WARP)
            continue;
        bool yes = reference_shade_p(&run->group->thread[first + i], ir);
        ballot |= yes ? 1u << i : 0;
        all = all && yes;
        any = any || yes;
    }
    for (unsigned i = 0; i < count; i++) {
        if (run->place[first + i] != AT_WARP)
            continue;
        reference_shade_write(&run->group->thread[first + i], ir->d, ballot);
        reference_shade_write_predicate(&run->group->thread[first + i], ir->p,
                                        ir->mode == 0   ? all
                                        : ir->mode == 1 ? any
                                                        : all || !any);
    }
}

/* PTX's shfl, of a whole segment of 32. */
static void shuffle(struct run *run, unsigned first, unsigned count, const struct ir *ir) {
    uint32_t values[32] = {0};
    for (unsigned i = 0; i < count; i++)
        values[i] = reference_shade_raw(&run->group->thread[first + i], &ir->a, 0);
    for (unsigned i = 0; i < count; i++) {
        if (run->place[first + i] != AT_WARP)
            continue;
        struct shade_thread *thread = &run->group->thread[first + i];
        int by = (int)(reference_shade_raw(thread, &ir->b, 0) & 31), from = (int)i;
        bool inside = true;
        if (ir->mode == 0)
            from = by;
        if (ir->mode == 1)
            inside = (from -= by) >= 0;
        if (ir->mode == 2)
            inside = (from += by) < 32;
        if (ir->mode == 3)
            from ^= by;
        reference_shade_write(thread, ir->d, values[inside ? from : (int)i]);
        reference_shade_write_predicate(thread, ir->p, inside);
    }
}

/* All that have not ended are at the same place? They go on after it. */
static const struct ir *meet(struct run *run, unsigned first, unsigned count, enum place place) {
    const struct ir *ir = NULL;
    for (unsigned i = first; i < first + count; i++) {
        if (run->place[i] == ENDED)
            continue;
        if (run->place[i] != place || (ir && ir != &run->group->code[run->pc[i]]))
            return NULL;
        ir = &run->group->code[run->pc[i]];
    }
    return ir;
}

static void go_on(struct run *run, unsigned first, unsigned count) {
    for (unsigned i = first; i < first + count; i++) {
        run->pc[i] += run->place[i] != ENDED;
        run->place[i] = run->place[i] == ENDED ? ENDED : RUNS;
    }
}

static void barrier(struct run *run, const struct ir *ir) {
    uint32_t count = 0, arrived = 0;
    for (unsigned i = 0; i < run->group->threads; i++) {
        arrived += run->place[i] == AT_BARRIER;
        count += run->place[i] == AT_BARRIER && reference_shade_p(&run->group->thread[i], ir);
    }
    for (unsigned i = 0; i < run->group->threads; i++) {
        struct shade_thread *thread = &run->group->thread[i];
        if (run->place[i] != AT_BARRIER)
            continue;
        if (ir->mode == 2)
            reference_shade_write(thread, ir->d, count);
        if (ir->mode == 3 || ir->mode == 4)
            reference_shade_write_predicate(thread, ir->p, ir->mode == 3 ? count == arrived : count > 0);
    }
}

static bool run_warps(struct run *run) {
    bool moved = false;
    for (unsigned first = 0; first < run->group->threads; first += 32) {
        unsigned left = run->group->threads - first, count = left < 32 ? left : 32;
        const struct ir *ir = meet(run, first, count, AT_WARP);
        if (!ir)
            continue;
        if (ir->op == IR_VOTE)
            vote(run, first, count, ir);
        else
            shuffle(run, first, count, ir);
        go_on(run, first, count);
        moved = true;
    }
    return moved;
}

bool reference_group_run(struct reference_group *group) {
    struct run run = {.group = group};
    for (;;) {
        for (unsigned i = group->threads; i--;) {
            while (run.place[i] == RUNS)
                run.place[i] = step(&run, i);
            if (run.place[i] == LOST)
                return false;
        }
        if (run_warps(&run))
            continue;
        const struct ir *ir = meet(&run, 0, group->threads, AT_BARRIER);
        if (!ir) {
            for (unsigned i = 0; i < group->threads; i++)
                if (run.place[i] != ENDED)
                    return false;
            return true;
        }
        barrier(&run, ir);
        go_on(&run, 0, group->threads);
    }
}
