/* SPDX-License-Identifier: MIT */
/*
 * The common part of all families of PFIFO in the stream of a saved machine: "FIFO", then the family's own sections.
 *
 * Whether the CACHE is materialised, and the threads that the owner lends, are options of this process and not state of
 * the machine: they are not saved. Nor are programs that are kept, which are read from memory again, or who watches them.
 */
#include "fifo/ops.h"
#include "state/state.h"
#include "unit/unit.h"

/* Add a new field below, or to the derived fields. */
_Static_assert(sizeof(void *) != 8 || sizeof(struct fifo) == 920, "every field of a PFIFO is saved or derived");

static void state_stop(struct pfifo_stop_info *stop, struct state_io *io) {
    unsigned reason = stop->reason;
    state_index(io, &reason, PFIFO_STOP_FROZEN + 1, "reason of a stop");
    stop->reason = (enum pfifo_stop)reason;
    state_u64(io, &stop->used);
    state_u32(io, &stop->channel);
    state_bool(io, &stop->in_memory);
    state_bool(io, &stop->is_syncpoint);
    state_u64(io, &stop->address);
    state_u32(io, &stop->expected);
    state_u32(io, &stop->found);
}

/* The channel that an engine last worked for, or none. */
static void state_engine_channel(const struct fifo *fifo, struct fifo_engine *engine, struct state_io *io) {
    state_u32(io, &engine->channel);
    if (engine->channel != UINT32_MAX && engine->channel >> fifo->chip->channel_bits) {
        state_fail(io, PFIFO_ERROR_FORMAT, "an engine of channel %u", (unsigned)engine->channel);
        engine->channel = UINT32_MAX;
    }
}

void fifo_state_context(struct pfifo_channel_context *context, struct state_io *io, bool needed) {
    memory_state_space(context->fifo->memory, io, &context->vm, needed);
}

void fifo_state(struct fifo *fifo, struct state_io *io) {
    if (state_begin(io, "FIFO", 6)) {
        state_stop(&fifo->stop, io);
        for (unsigned id = 0; id < CHIP_MAX_ENGINES; id++)
            state_engine_channel(fifo, &fifo->engines[id], io);
        for (unsigned id = 0; id < CHIP_MAX_ENGINES; id++)
            unit_state(fifo->units[id], io);
    }
    state_end(io);
    if (fifo->ops->state)
        fifo->ops->state(fifo, io);
    else
        state_fail(io, PFIFO_ERROR_UNSUPPORTED, "the PFIFO of %s cannot be saved", fifo->chip->name);
}
