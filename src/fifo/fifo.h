/* SPDX-License-Identifier: MIT */
/*
 * PFIFO: its interface to the GPU.
 *
 *   USER/USERD -> [switcher] -> pusher -> CACHE1 or PBDMA -> puller -> engines
 *
 * There are two types of PFIFO: with CACHE1 (NV1 to MCP89: one pusher, CACHE1, one puller; cache/cache.h), and with
 * PBDMAs (GF100 and later: several of them, and runlists; pbdma/pbdma.h). The structure of each starts with struct
 * fifo, and its functions are in struct fifo_ops (ops.h). Engines need only channel.h.
 *
 * The order of work is the same in both, and in the reference under tests/reference:
 *   1. if the puller can execute an entry, it executes one, of CACHE0 before CACHE1; 2. else if the pusher can fetch,
 *   it fetches one word; 3. else the switcher looks for another channel; if there is none, the run stops and records
 *   the reason.
 * Each word fetched and each method executed is one unit of the budget, and so is an engine's work of about the same
 * time (fifo_work()). The bulk paths execute runs of methods at once, with the same result, to the same unit.
 */
#ifndef PFIFO_SRC_FIFO_FIFO_H
#define PFIFO_SRC_FIFO_FIFO_H

#include <pfifo/gpu.h>

#include "fifo/channel.h"

struct bus;
struct event_hub;
struct fifo_ops;
struct pgraph;
struct state_io;
struct shade_cache;
struct primitive_watch;
struct reg;
struct shade_watch;
struct unit;

/* An engine of the chip, by id. ops == NULL: there is none. */
struct fifo_engine {
    const struct pfifo_engine_ops *ops;
    void *engine;
    enum chip_unit unit;
    uint32_t channel; /* the channel it last worked for, UINT32_MAX: none */
    bool used;        /* it has worked for a channel; if it cannot be saved, neither can the GPU */
    bool built_in;    /* not an embedder's, which has registers of its own */
    /* A channel is bound to its instance block (Fermi and later). NULL: does not care. */
    void (*channel_bound)(void *engine, const struct pfifo_channel_context *channel);
};

struct fifo {
    const struct fifo_ops *ops;
    const struct pfifo_chip *chip;
    struct memory *memory;
    struct bus *bus;
    struct event_hub *events;
    struct fifo_engine engines[CHIP_MAX_ENGINES];
    struct unit *units[CHIP_MAX_ENGINES]; /* by id of the engine in it: unit/unit.h; NULL: it has no registers */
    struct pgraph *graph;                 /* PGRAPH: unit/graph/graph.h */
    bool materialise;                     /* take every method through CACHE1, one by one */
    /* Threads that the owner lends, as pfifo_config says. NULL: none. */
    void (*side_by_side)(void *opaque, uint32_t count, void (*call)(void *argument, uint32_t number), void *argument);
    void *side_opaque;
    struct shade_cache *programs; /* of shaders, decoded: engine/shade/program.h; NULL: each keeps its own */
    struct shade_watch *watch;    /* is told of their instructions: engine/shade/watch.h; NULL: nobody is */
    const struct primitive_watch *primitive_watch; /* ... of primitives of draws, the same */
    uint64_t worked;                               /* units of engines' work not yet charged; 0 between runs */
    uint64_t early;              /* units for which fifo_now() has advanced the clock already; 0 between runs */
    struct pfifo_stop_info stop; /* why fifo_run() last stopped */
};

/* Allocate the PFIFO of a chip and attach it to the bus. Errors: PFIFO_ERROR_UNSUPPORTED, PFIFO_ERROR_MEMORY. */
enum pfifo_status fifo_new(struct fifo **out, const struct pfifo_chip *chip, struct memory *memory, struct bus *bus,
                           struct event_hub *events, struct pfifo_error *error);
/* Also frees its engines. NULL is allowed. */
void fifo_free(struct fifo *fifo);

/* Work until nothing is left to do, something stops it, or `*budget` (decreased) is used up. */
enum pfifo_stop fifo_run(struct fifo *fifo, uint64_t *budget);

/*
 * Would a run do something now? False: it would not. True: it would, or only a try can show it: an engine that waits
 * for memory is tried again. Changes nothing.
 */
bool fifo_has_work(struct fifo *fifo);

/* How long until an acquire that waits gives up, in nanoseconds from now; UINT64_MAX: none does. */
uint64_t fifo_until_timeout(struct fifo *fifo);

/* Save or load all of PFIFO except the state of its engines. */
void fifo_state(struct fifo *fifo, struct state_io *io);

/*
 * The names of the registers of a chip whose machine is not modelled, for consoles. The registers do nothing. `out` is
 * always set; free it with fifo_names_free() after the bus.
 */
struct fifo_names;
enum pfifo_status fifo_attach_names(struct bus *bus, struct fifo_names **out, struct pfifo_error *error);
void fifo_names_free(struct fifo_names *names);
/* The register of PBDMA 0 of GV100 and TU10x at an offset, whose word RAMFC of later chips has, too. NULL: there is none. */
const struct reg *fifo_names_word(uint32_t offset);

#endif
