/* SPDX-License-Identifier: MIT */
/* A group between two runs, in the stream of a saved machine. What is loaded may be anything: it is checked. */
#include <assert.h>

#include "engine/shade/group.h"
#include "state/state.h"

#define MODES (sizeof((struct shade_warp *)0)->all_mode / sizeof(uint32_t))

static void below(struct state_io *state, uint8_t *value, unsigned limit, const char *what) {
    unsigned number = *value;
    state_index(state, &number, limit, what);
    *value = (uint8_t)number;
}

/* Registers above those that have values are 0. */
static void registers_state(struct shade_warp *warp, struct state_io *state) {
    unsigned count = warp->zeroed;
    assert(warp->zeroed <= IR_ZERO);
    state_index(state, &count, IR_ZERO + 1, "registers of a warp");
    warp->zeroed = (uint16_t)count;
    for (unsigned i = 0; i < count; i++)
        state_words(state, warp->registers[i], SHADE_LANES, "lanes of a register");
    state_words(state, warp->predicates, IR_TRUE, "predicates of a warp");
    state_u32(state, &warp->zero);
    state_u32(state, &warp->sign);
    state_u32(state, &warp->carry);
    state_u32(state, &warp->overflow);
}

static void flow_state(struct shade_warp *warp, struct state_io *state) {
    state_words(state, warp->pc, SHADE_LANES, "addresses of a warp");
    for (unsigned lane = 0; lane < SHADE_LANES; lane++) {
        assert(warp->depth[lane] <= SHADE_STACK);
        below(state, &warp->depth[lane], SHADE_STACK + 1, "depth of a stack");
        state_bytes(state, warp->stacks[lane].type, warp->depth[lane]);
        for (unsigned i = 0; i < warp->depth[lane]; i++)
            state_u32(state, &warp->stacks[lane].target[i]);
        state_words(state, warp->stacks[lane].mark, warp->depth[lane], "marks of a stack");
    }
    state_u32(state, &warp->marks);
    state_words(state, warp->park, SHADE_LANES, "marks of a warp");
    below(state, &warp->all_depth, MODES + 1, "depth of modes");
    state_words(state, warp->all_mode, MODES, "modes of a warp");
}

static void barriers_state(struct shade_barriers *barriers, struct state_io *state) {
    state_words(state, barriers->arrived, SHADE_BARRIERS, "barriers");
    state_words(state, barriers->truth, SHADE_BARRIERS, "barriers");
    state_words(state, barriers->threads, SHADE_BARRIERS, "barriers");
    state_words(state, barriers->count, SHADE_LANES, "results of barriers");
    state_u32(state, &barriers->yes);
    for (unsigned lane = 0; lane < SHADE_LANES; lane++) {
        below(state, &barriers->number[lane], SHADE_BARRIERS, "number of a barrier");
        below(state, &barriers->kind[lane], SHADE_SCAN + 1, "kind of a barrier");
        state_u8(state, &barriers->d[lane]);
        below(state, &barriers->p[lane], IR_TRUE + 1, "predicate of a barrier");
    }
}

/* Lanes that have ended do not wait, whatever is loaded. `together` is found anew. */
void shade_warp_state(struct shade_warp *warp, struct state_io *state) {
    registers_state(warp, state);
    flow_state(warp, state);
    state_u32(state, &warp->alive);
    state_u32(state, &warp->killed);
    state_u32(state, &warp->helpers);
    state_u32(state, &warp->waiting);
    state_u32(state, &warp->parked);
    barriers_state(&warp->barriers, state);
    state_u32(state, &warp->fault_address);
    state_u8(state, &warp->error);
    state_bool(state, &warp->unreadable);
    state_u64(state, &warp->instructions);
    state_u64(state, &warp->accesses);
    warp->waiting &= warp->alive;
    warp->parked &= warp->alive;
    if (state->loading)
        warp->together = false;
}

void shade_group_state(struct shade_group *group, struct state_io *state) {
    unsigned slice_left = group->slice_left;
    assert(group->warps && group->warps <= group->room);
    state_index(state, &group->turn, group->warps, "turn of a group");
    state_index(state, &slice_left, SHADE_GROUP_SLICE + 1, "slice of a group");
    state_index(state, &group->failed, group->warps, "warp of a group");
    group->slice_left = slice_left ? slice_left : SHADE_GROUP_SLICE;
    for (unsigned i = 0; i < group->warps; i++) {
        struct shade_member *member = &group->member[i];
        shade_warp_state(&member->warp, state);
        if (member->io.local)
            state_bytes(state, member->io.local, (size_t)SHADE_LANES * member->io.local_bytes);
    }
    const struct shade_io *io = &group->member[0].io;
    if (io->shared)
        state_bytes(state, io->shared, io->shared_bytes);
    if (io->locks)
        state_words(state, io->locks, (io->shared_bytes + SHADE_LOCK_BYTES - 1) / SHADE_LOCK_BYTES, "locks");
}
