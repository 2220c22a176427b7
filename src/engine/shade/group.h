/* SPDX-License-Identifier: MIT */
/*
 * A group: warps that share memory and barriers, as a block of threads of a launch or the invocations of a patch.
 *
 *   shade_group_begin(group, program, &io, threads);       each warp has a copy of io: group->member[i].io
 *   set what differs: member[i].io.specials, registers ...
 *   while (shade_group_run(group, budget, &used) == SHADE_BUDGET) ...
 *
 * The warps run in turn, SHADE_GROUP_SLICE instructions each, or until all lanes of the warp have ended or wait. The
 * order depends on nothing else: a group that is run in pieces, or saved and loaded between them, does the same as one
 * that is run at once, whatever executes its program.
 *
 * A barrier has a number. A lane arrives at it by IR_BAR, and unless that is ARRIVE it waits until enough have: as many
 * threads as the instruction asks for, or, if it asks for none, all that have not ended. Then lanes that wait there go
 * on, those of a reduction with its result, and the barrier is as at the beginning. In a count, lanes of a warp that have
 * ended or were never there arrive with the first of its others, since the hardware counts warps.
 *
 * Modelled:     sync, arrive, counts, reductions by popc, and, or; shared memory, with locks of its words
 * Not modelled: BAR.SCAN (reported; a barrier all the same)
 * UNKNOWN: a warp of which some lanes arrive and others are elsewhere; chosen: each lane counts for itself, and a second
 * time it counts only after the barrier is complete. UNKNOWN: threads that ask for different counts at one barrier;
 * chosen: the warp with the lowest number decides. UNKNOWN: what d gets of AND and OR; chosen: only p is written.
 */
#ifndef PFIFO_SRC_ENGINE_SHADE_GROUP_H
#define PFIFO_SRC_ENGINE_SHADE_GROUP_H

#include "engine/shade/warp.h"

#define SHADE_GROUP_WARPS 64u /* 2048 threads */
#define SHADE_GROUP_SLICE 256u

struct shade_member {
    struct shade_warp warp;
    struct shade_io io;
};

struct shade_group {
    unsigned warps;
    unsigned turn;       /* the warp that runs next */
    uint32_t slice_left; /* of its turn */
    unsigned failed;     /* after SHADE_ERROR and SHADE_FAULT: the warp that has it; its other lanes and warps stay */
    unsigned room;       /* members that there is memory for */
    struct shade_member *member;
};

/* Room for a number of warps. NULL: no memory. */
struct shade_group *shade_group_new(unsigned warps);
void shade_group_free(struct shade_group *group);

/*
 * Put all threads at the program's entry. `threads` is at most SHADE_LANES for each warp that the group was made for;
 * the last warp may be partly filled. `io->local` holds the local memory of all warps in order, SHADE_LANES *
 * local_bytes each.
 */
void shade_group_begin(struct shade_group *group, struct shade_program *program, const struct shade_io *io,
                       unsigned threads);
/* Before a group that is under way goes on: what it is lent may lie elsewhere now. It is the same in all else. */
void shade_group_attach(struct shade_group *group, struct shade_program *program, const struct shade_io *io);

/*
 * Run at most `budget` instructions, counted for each warp. SHADE_BARRIER: all that have not ended wait at barriers that
 * nobody can complete any more, which on the hardware is a time-out.
 */
enum shade_stop shade_group_run(struct shade_group *group, uint64_t budget, uint64_t *used);

/*
 * Save or load between two runs: warps, shared memory with its locks, local memory. To load, begin the group as it was
 * begun when it was saved, with as much memory and as many threads. The program may be NULL until the group is attached.
 */
struct state_io;
void shade_group_state(struct shade_group *group, struct state_io *state);
void shade_warp_state(struct shade_warp *warp, struct state_io *state);

#endif
