/* SPDX-License-Identifier: MIT */
/*
 * The channel for which an engine works, and PFIFO's services for the engine: find memory and objects, pass on errors,
 * faults and interrupts, account for time.
 *
 *   engine --fifo_channel_space(object)--> the memory behind it
 *          --fifo_engine_error(trap)-----> the unit shows it and interrupts
 *          --fifo_work(units)------------> clock, budget and timeslice
 *
 * Engines need nothing else of PFIFO. <pfifo/engine.h> offers a part of this to embedders' engines.
 */
#ifndef PFIFO_SRC_FIFO_CHANNEL_H
#define PFIFO_SRC_FIFO_CHANNEL_H

#include <pfifo/engine.h>

#include "chip/chip.h"
#include "memory/memory.h"
#include "unit/trap.h"

struct fifo;

/* The channel an engine works for. Valid only during the call that received it. */
struct pfifo_channel_context {
    struct fifo *fifo;
    uint32_t id;
    bool of_class;     /* it is the beginning of a struct class_context */
    uint64_t instance; /* G80-: physical address of the channel descriptor or instance block */
    enum memory_target instance_target;
    struct address_space vm; /* G80-: the channel's virtual space */
};

/* What a class that an embedder plugged in gets instead, while it executes methods (src/engine/core/plug.c). */
struct class_context {
    struct pfifo_channel_context channel;
    void (*fault)(const struct class_context *context, const struct fault *fault); /* an access of it faulted */
};

/*
 * The memory an engine's address is in: DMA object `object` of the channel before GF100 (resolved in RAMIN or in the
 * channel descriptor), its VM on GF100 and later. Never fails; an invalid object gives a space that faults.
 */
struct address_space fifo_channel_space(const struct pfifo_channel_context *channel, uint32_t object);

/* The class of the object with this instance, as now in RAMIN or the channel descriptor. 0 on GF100 and later. */
uint32_t fifo_object_class(const struct pfifo_channel_context *channel, uint32_t object);

/*
 * An engine's access faulted: raise what the chip raises (PFB VM fault on Tesla, PFIFO MMU_FAULT record on GF100-).
 * `unit`: the engine. Before GF100 the engine's unit also reports it, with the details in `trap` (NULL: none).
 */
void fifo_engine_fault(const struct pfifo_channel_context *channel, enum chip_unit unit, const struct fault *fault,
                       const struct unit_trap *trap);

/*
 * A unit refuses a method. It takes no more until the driver has handled the error. False: the chip does not have this
 * check, or the driver has switched it off.
 */
bool fifo_engine_error(const struct pfifo_channel_context *channel, enum chip_unit unit, const struct unit_trap *trap);

/* An engine interrupts the host: its own interrupt, and on GF100 and later PFIFO's non-stall interrupt. */
void fifo_engine_interrupt(const struct pfifo_channel_context *channel, enum chip_unit unit, enum unit_cause cause);

/*
 * The work of an engine costs units, like methods: the engine calls this after it has worked. The clock advances at
 * once, so that later writes have a later timestamp; budget and timeslice are charged when the method is over. If they
 * have less left, the slice is still done as a whole (src/engine/core/work.h bounds it), and nothing remains.
 */
void fifo_work(struct fifo *fifo, uint64_t units);

/*
 * When an engine executes the first method of those it was called with, in nanoseconds: also within a run of packets,
 * as if each word were a step.
 */
uint64_t fifo_now(struct fifo *fifo);

/* Increment a syncpoint, which host methods and engines share. False: it does not exist. */
bool fifo_increment_syncpoint(struct fifo *fifo, unsigned index);
bool fifo_set_syncpoint(struct fifo *fifo, unsigned index, uint32_t value);
/* The number of syncpoints, and the value of one; 0 if it does not exist. */
unsigned fifo_syncpoint_count(struct fifo *fifo);
uint32_t fifo_syncpoint(struct fifo *fifo, unsigned index);

#endif
