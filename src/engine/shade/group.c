/* SPDX-License-Identifier: MIT */
#include "engine/shade/group.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct shade_group *shade_group_new(unsigned warps) {
    struct shade_group *group = calloc(1, sizeof *group);
    assert(warps && warps <= SHADE_GROUP_WARPS);
    if (!group)
        return NULL;
    size_t bytes = (warps * sizeof *group->member + 63) / 64 * 64;
    group->member = aligned_alloc(64, bytes);
    group->room = warps;
    if (group->member) {
        memset(group->member, 0, bytes);
        return group;
    }
    free(group);
    return NULL;
}

void shade_group_free(struct shade_group *group) {
    if (!group)
        return;
    free(group->member);
    free(group);
}

/* The io of a warp: the memory of its lanes follows that of the warps before. */
static void lend(struct shade_member *member, const struct shade_io *io, unsigned number) {
    member->io = *io;
    member->io.grouped = true;
    if (io->local)
        member->io.local = io->local + (size_t)number * SHADE_LANES * io->local_bytes;
}

void shade_group_attach(struct shade_group *group, struct shade_program *program, const struct shade_io *io) {
    assert(program && group->warps);
    for (unsigned i = 0; i < group->warps; i++) {
        lend(&group->member[i], io, i);
        group->member[i].warp.program = program;
    }
}

void shade_group_begin(struct shade_group *group, struct shade_program *program, const struct shade_io *io,
                       unsigned threads) {
    unsigned warps = (threads + SHADE_LANES - 1) / SHADE_LANES;
    assert(threads && warps <= group->room);
    group->warps = warps;
    group->turn = group->failed = 0;
    group->slice_left = SHADE_GROUP_SLICE;
    for (unsigned i = 0; i < warps; i++) {
        struct shade_member *member = &group->member[i];
        unsigned left = threads - i * SHADE_LANES;
        lend(member, io, i);
        shade_warp_begin(&member->warp, program, &member->io,
                         left < SHADE_LANES ? UINT32_MAX >> (SHADE_LANES - left) : UINT32_MAX, 0);
    }
}

/* ---- barriers ---- */

/* The lanes of a warp that wait at a barrier. */
static uint32_t waiting_at(const struct shade_warp *warp, unsigned number) {
    uint32_t lanes = 0;
    assert(number < SHADE_BARRIERS);
    for (uint32_t rest = warp->waiting; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        lanes |= warp->barriers.number[lane] == number ? 1u << lane : 0;
    }
    return lanes;
}

static bool is_complete(const struct shade_group *group, unsigned number) {
    uint32_t asked = 0, count = 0;
    bool begun = false, all = true;
    for (unsigned i = 0; i < group->warps; i++) {
        const struct shade_warp *warp = &group->member[i].warp;
        uint32_t arrived = warp->barriers.arrived[number];
        all &= !(warp->alive & ~arrived);
        if (!arrived)
            continue;
        asked = begun ? asked : warp->barriers.threads[number];
        begun = true;
        count += (unsigned)__builtin_popcount(arrived | ~warp->alive);
    }
    return begun && (asked ? count >= asked : all);
}

struct reduction {
    uint32_t count; /* of threads whose predicate is true */
    bool all, any;
};

static struct reduction reduce(const struct shade_group *group, unsigned number) {
    struct reduction result = {.all = true};
    for (unsigned i = 0; i < group->warps; i++) {
        const struct shade_barriers *barriers = &group->member[i].warp.barriers;
        uint32_t arrived = barriers->arrived[number], yes = barriers->truth[number] & arrived;
        result.count += (unsigned)__builtin_popcount(yes);
        result.all &= yes == arrived;
        result.any |= yes != 0;
    }
    return result;
}

static void deliver(struct shade_warp *warp, unsigned lane, const struct reduction *result) {
    const struct shade_barriers *barriers = &warp->barriers;
    unsigned d = barriers->d[lane], p = barriers->p[lane], kind = barriers->kind[lane];
    bool yes = kind == SHADE_AND ? result->all : result->any;
    if (kind >= SHADE_POPC && kind <= SHADE_OR) {
        warp->barriers.count[lane] = result->count;
        warp->barriers.yes = (warp->barriers.yes & ~(1u << lane)) | (yes ? 1u << lane : 0);
    }
    if (kind == SHADE_POPC && d < IR_ZERO)
        warp->registers[d][lane] = result->count;
    if ((kind == SHADE_AND || kind == SHADE_OR) && p < IR_TRUE)
        warp->predicates[p] = (warp->predicates[p] & ~(1u << lane)) | (yes ? 1u << lane : 0);
}

static void complete(struct shade_group *group, unsigned number) {
    struct reduction result = reduce(group, number);
    for (unsigned i = 0; i < group->warps; i++) {
        struct shade_warp *warp = &group->member[i].warp;
        uint32_t lanes = waiting_at(warp, number);
        for (uint32_t rest = lanes; rest; rest &= rest - 1)
            deliver(warp, (unsigned)__builtin_ctz(rest), &result);
        warp->waiting &= ~lanes;
        warp->barriers.arrived[number] = warp->barriers.truth[number] = 0;
    }
}

static void complete_barriers(struct shade_group *group) {
    for (unsigned number = 0; number < SHADE_BARRIERS; number++)
        if (is_complete(group, number))
            complete(group, number);
}

/* ---- turns ---- */

static bool is_ready(const struct shade_warp *warp) {
    assert(!(warp->waiting & ~warp->alive));
    return (warp->alive & ~warp->waiting) != 0;
}

static void pass_turn(struct shade_group *group) {
    group->turn = (group->turn + 1) % group->warps;
    group->slice_left = SHADE_GROUP_SLICE;
}

/* Find the next warp that can run, in turn. False: none can. */
static bool find_turn(struct shade_group *group) {
    for (unsigned i = 0; i < group->warps; i++) {
        if (is_ready(&group->member[group->turn].warp))
            return true;
        pass_turn(group);
    }
    return false;
}

static bool has_ended(const struct shade_group *group) {
    uint32_t alive = 0;
    for (unsigned i = 0; i < group->warps; i++)
        alive |= group->member[i].warp.alive;
    return !alive;
}

enum shade_stop shade_group_run(struct shade_group *group, uint64_t budget, uint64_t *used) {
    enum shade_stop stop = SHADE_BUDGET;
    *used = 0;
    while (stop == SHADE_BUDGET) {
        if (!find_turn(group))
            return has_ended(group) ? SHADE_DONE : SHADE_BARRIER;
        uint64_t left = budget - *used, steps;
        if (!left)
            break;
        assert(group->slice_left && group->slice_left <= SHADE_GROUP_SLICE);
        uint64_t most = left < group->slice_left ? left : group->slice_left;
        enum shade_stop warp_stop = shade_run(&group->member[group->turn].warp, most, &steps);
        *used += steps;
        group->slice_left -= (uint32_t)steps;
        if (warp_stop >= SHADE_ERROR) {
            group->failed = group->turn;
            stop = warp_stop;
        }
        complete_barriers(group);
        if (stop == SHADE_BUDGET && (warp_stop != SHADE_BUDGET || !group->slice_left))
            pass_turn(group);
    }
    return stop;
}
