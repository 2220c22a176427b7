/* SPDX-License-Identifier: MIT */
/*
 * Long work in slices. What a launch does may be any number of bytes, and a call of an engine takes a bounded time: so
 * the method does a slice, stalls, and comes again until all is done. The puller offers it again while the budget
 * lasts. What it works on cannot change meanwhile, since the channel's next method comes only afterwards.
 *
 * Unless the host takes the method out of PFIFO by hand. Then another one comes, and by that the engine knows that the
 * rest of the launch is not wanted any more: the next launch begins at its beginning. UNKNOWN: what becomes of a method
 * that hardware executes while it is taken away; chosen: what was done stays done, and nothing says that it is over.
 *
 *   struct work_slice slice = work_slice(call, lines, length);
 *   if (!copy(... slice.first, slice.count ...)) {
 *       work_break(call);                            a fault: no more slices
 *       return ACTION_DONE;
 *   }
 *   if (!work_advance(call, &slice))
 *       return ACTION_STALL;                         more is left
 *   ... what comes after the last slice
 *   return ACTION_DONE;
 *
 * Here the progress of the launch is one number. A launch that needs more, such as a draw, keeps a struct of its own,
 * of at most WORK_COUNTERS fields that are all uint64_t. They are 0 when the launch begins, and are saved with it; what
 * is loaded may be any values.
 *
 *   struct progress { uint64_t vertex, primitive, tile; } *at = work_progress(call, sizeof *at);
 *   ... go on from there, for as much as WORK_SLICE_BYTES
 *   if (there is more) {
 *       work_pause(call);
 *       return ACTION_STALL;
 *   }
 *   work_end(call);
 *   return ACTION_DONE;
 *
 * Work costs units of the budget (fifo_work()). Its measure is a byte that is copied or filled where memory is
 * contiguous, WORK_UNIT_BYTES of which are a unit; whatever takes longer counts as as many of them as take that long.
 * UNKNOWN: how long hardware takes; chosen: about what it takes here, so that a budget bounds the time of a run.
 */
#ifndef PFIFO_SRC_ENGINE_CORE_WORK_H
#define PFIFO_SRC_ENGINE_CORE_WORK_H

#include "engine/core/action.h"

#define WORK_SLICE_BYTES (UINT64_C(1) << 20)
#define WORK_MOST_BYTES  (4 * WORK_SLICE_BYTES)
#define WORK_UNIT_BYTES  64u
#define WORK_START_BYTES 1024u /* beside what it does: to look at the methods of a launch and to find its memory */
#define WORK_LINE_BYTES  64u   /* a line of a rectangle, beside its bytes */
#define WORK_ROW_BYTES   512u  /* a row of pixels or bytes that is worked on by itself */

/* Items (whatever the launch counts: bytes, pixels, lines) to do now. */
struct work_slice {
    uint64_t first, count, total;
    uint64_t item_bytes;
};

/* The next slice of `total` items that cost `item_bytes` each (at least 1). With a total of 0 there is one of 0. */
struct work_slice work_slice(const struct call *call, uint64_t total, uint64_t item_bytes);

/*
 * Let a slice end with a multiple of `step` items, where item 0 is number `before`: with a row of blocks, of which a
 * part costs as much as all. It gets shorter; or, if then nothing is left of it, longer, but not beyond
 * WORK_MOST_BYTES. A step that is longer than that is halved.
 */
void work_slice_align(struct work_slice *slice, uint64_t before, uint64_t step);

/* A slice is done, and paid for. True: it was the last one, and the launch is over. */
bool work_advance(const struct call *call, const struct work_slice *slice);

/*
 * A method comes to `object` of a channel from outside, and is executed with some data: launches that are under way
 * and are not this one are over.
 */
void work_meets_method(struct channel_state *state, struct object *object, uint32_t method);
void work_meets_data(struct object *object, uint32_t method, uint32_t data);

/* How far the launch of this call has come: a struct of so many bytes. */
void *work_progress(const struct call *call, size_t bytes);

/* Has this launch begun, so that what is looked up once need not be looked up again? */
static inline bool work_under_way(const struct call *call) {
    return call->object->work.under_way;
}

/* There is more to do: the method comes again, with the same data. */
void work_pause(const struct call *call);

/* The launch is over, or given up. */
void work_end(const struct call *call);

/* The same after a fault: it costs a slice, whatever of it has been done. */
void work_break(const struct call *call);

/* Work that is not done in slices costs something, too. */
void work_costs(const struct call *call, uint64_t bytes);

/* The same where `words` of data have come for it, of which each has cost two units. */
void work_costs_beyond(const struct call *call, uint64_t bytes, uint64_t words);

#endif
