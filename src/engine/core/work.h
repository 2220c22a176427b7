/* SPDX-License-Identifier: MIT */
/*
 * Long work in slices. A launch may process any number of bytes, but a call of an engine takes a bounded time. So the
 * method does a slice and stalls, and the puller offers it again while the budget lasts. The methods that describe the
 * launch cannot change meanwhile, since the channel's next method comes only afterwards.
 *
 * The exception is a host that removes the method from PFIFO. Then another method comes, and the engine forgets the
 * rest of the launch: the next launch starts at its beginning. UNKNOWN: what becomes of a method that is removed while
 * hardware executes it; chosen: what was done stays done, and no completion is signalled.
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
 * Here the progress of the launch is a struct work_items. A launch that needs more, such as a draw, has a struct of its
 * own, whose fields are all uint64_t and whose size the kind says. They are 0 when the launch begins, and are saved with
 * it; what is loaded may be any values.
 *
 *   const struct kind kind_example = {.progress_bytes = sizeof(struct progress), ...
 *   struct progress { uint64_t vertex, primitive, tile; } *at = work_progress(call, sizeof *at);
 *   ... go on from there, for as much as WORK_SLICE_BYTES
 *   if (there is more) {
 *       work_pause(call);
 *       return ACTION_STALL;
 *   }
 *   work_end(call);
 *   return ACTION_DONE;
 *
 * Work costs units of the budget (fifo_work()). It is measured in bytes that are copied or filled in contiguous memory:
 * WORK_UNIT_BYTES of them cost a unit. All other work counts as the number of bytes that take the same time.
 * UNKNOWN: how long hardware takes; chosen: about as long as the model, so that a budget bounds the time of a run.
 */
#ifndef PFIFO_SRC_ENGINE_CORE_WORK_H
#define PFIFO_SRC_ENGINE_CORE_WORK_H

#include "engine/core/action.h"

#define WORK_SLICE_BYTES (UINT64_C(1) << 20)
#define WORK_MOST_BYTES  (4 * WORK_SLICE_BYTES)
#define WORK_UNIT_BYTES  128u
#define WORK_START_BYTES 2048u /* of each launch: to decode its methods and translate its addresses */
#define WORK_LINE_BYTES  96u   /* a line of a rectangle, beside its bytes */
#define WORK_ROW_BYTES   512u  /* a row of pixels or bytes that is worked on by itself */

/* The progress of a launch of a kind that has no struct of its own. */
struct work_items {
    uint64_t done;
};

/* Items (whatever the launch counts: bytes, pixels, lines) to do now. */
struct work_slice {
    uint64_t first, count, total;
    uint64_t item_bytes;
};

/* The next slice of `total` items that cost `item_bytes` each (at least 1). With a total of 0 there is one of 0. */
struct work_slice work_slice(const struct call *call, uint64_t total, uint64_t item_bytes);

/*
 * Let a slice end at a multiple of `step` items, where item 0 has the number `before`: at the end of a row of blocks,
 * since a part of a row costs as much as the whole. The slice gets shorter; if nothing would be left of it, it gets
 * longer, up to WORK_MOST_BYTES. A longer step is halved.
 */
void work_slice_align(struct work_slice *slice, uint64_t before, uint64_t step);

/* A slice is done, and paid for. True: it was the last one, and the launch is over. */
bool work_advance(const struct call *call, const struct work_slice *slice);

/* The bytes that the progress of a kind's launches takes, and where that of an object is. */
uint32_t work_bytes(const struct kind *kind);
void work_init(struct object *object, void *progress);

/* A method comes to an object of a channel, with some data: all other launches that are under way are given up. */
void work_meets_method(struct channel_state *state, struct object *object, uint32_t method);
void work_meets_data(struct object *object, uint32_t method, uint32_t data);

/* How far the launch of this call has come: the struct of its kind, which has so many bytes. */
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

/* Charge work that is not done in slices. */
void work_costs(const struct call *call, uint64_t bytes);

/* The same for work on `words` data words, each of which has already cost two units. */
void work_costs_beyond(const struct call *call, uint64_t bytes, uint64_t words);

#endif
