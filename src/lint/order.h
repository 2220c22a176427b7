/* SPDX-License-Identifier: MIT */
/*
 * Who knows of what whom has done: vector clocks of the CPU and of channels.
 *
 *   channel 1 writes a surface, releases fence f          its clock goes into f, and to the CPU, which may poll f
 *   channel 2 acquires f                                  knows from here on what channel 1 had done
 *   the CPU submits to channel 2                          channel 2 knows what the CPU knew then
 *
 * An access of a channel has the number of releases that the channel had made before (its epoch). Another knows of it
 * if its clock has a higher number for that channel.
 */
#ifndef PFIFO_LINT_ORDER_H
#define PFIFO_LINT_ORDER_H

#include "lint/lint.h"

enum { ORDER_CPU, ORDER_ACTORS = 32, ORDER_NONE = ORDER_ACTORS, ORDER_FENCES = 2048, ORDER_QUEUED = 64 };

struct order_clock {
    uint32_t of[ORDER_ACTORS];
};

/* A submission, and when it was recorded: the CPU's time, and the run of the machine before which that was. */
struct order_queued {
    uint32_t submission;
    uint64_t time, run;
};

struct order_actor {
    uint32_t channel; /* the hardware's number */
    struct order_clock knows;
    uint32_t barrier;    /* methods so far that order textures after what is drawn */
    uint32_t last_class; /* of its last method */
    uint64_t cpu_time;   /* of the CPU, that an acquire has told of */
    size_t queued_count;
    struct order_queued queued[ORDER_QUEUED]; /* the last ones, round and round */
};

struct order_fence {
    bool used;
    struct lint_fence fence;
    uint32_t value; /* the last one */
    struct order_clock knows;
};

struct lint_order {
    unsigned actors; /* the CPU is the first one */
    bool lost;       /* there are more channels or fences than fit: everybody knows everything */
    uint64_t time, run;
    unsigned submitting; /* whose submission is recorded now; ORDER_NONE: it is not known */
    struct order_actor actor[ORDER_ACTORS];
    struct order_fence fence[ORDER_FENCES];
};

/* ORDER_NONE: there are too many. */
unsigned order_actor_of(struct lint_order *order, uint32_t channel);

/* The epoch of what an actor does now. */
static inline uint32_t order_epoch(const struct lint_order *order, unsigned actor) {
    return order->actor[actor].knows.of[actor];
}

static inline bool order_knows(const struct lint_order *order, unsigned who, unsigned actor, uint32_t epoch) {
    return order->lost || who == actor || order->actor[who].knows.of[actor] > epoch;
}

/* When a submission of a channel was recorded. NULL: not known any more. */
const struct order_queued *order_queued_of(const struct order_actor *actor, uint32_t submission);

#endif
