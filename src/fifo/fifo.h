/* SPDX-License-Identifier: MIT */
/*
 * PFIFO: what all families share.
 *
 *   USER/USERD -> [switcher] -> pusher -> CACHE or PBDMA -> puller -> engines
 *
 * Two kinds of machine stand behind the operations: the cache kind (NV1 to MCP89: one pusher, CACHE1,
 * one puller; cache.h) and the PBDMA kind (GF100 and later: several units, runlists; pbdma.h).
 *
 * How work is ordered (the same on both, and in the reference under tests/reference):
 *   1. if the puller can execute an entry, it executes one, of CACHE0 before CACHE1;
 *   2. else if the pusher can fetch, it fetches one word;
 *   3. else the switcher looks for another channel; if there is none, run() stops and says why.
 * Each word fetched and each method executed is one unit of the budget, and so is what an engine does in about the same
 * time (fifo_work()). The fast path executes whole runs of methods with the same result, to the same unit.
 */
#ifndef PFIFO_SRC_FIFO_FIFO_H
#define PFIFO_SRC_FIFO_FIFO_H

#include <pfifo/engine.h>
#include <pfifo/gpu.h>

#include "bus/bus.h"
#include "chip/chip.h"
#include "chip/family.h"
#include "event/event.h"
#include "grammar/grammar.h"
#include "unit/graph/graph.h"
#include "unit/unit.h"
#include "memory/memory.h"

struct fifo;
struct state_io;

struct fifo_ops {
    const char *name;
    size_t bytes; /* of the family's state, which begins with struct fifo */
    /* Attach registers and windows to the bus, set reset state. */
    enum pfifo_status (*attach)(struct fifo *fifo, struct pfifo_error *error);
    /* Work until idle, stopped, or `*budget` (decreased) is used up. */
    enum pfifo_stop (*run)(struct fifo *fifo, uint64_t *budget);
    /* PMC ENABLE bit 8 went from 1 to 0. */
    void (*reset)(struct fifo *fifo);
    void (*free)(struct fifo *fifo); /* NULL: nothing of its own */
    /* The family's sections of a saved machine. Loading rebuilds what is derived. */
    void (*state)(struct fifo *fifo, struct state_io *io);
    /* See fifo_channel_space, fifo_engine_fault, fifo_engine_error and fifo_engine_interrupt, which come here. */
    struct address_space (*channel_space)(const struct pfifo_channel_context *channel, uint32_t object);
    /* See fifo_object_class. NULL: objects have no instances. */
    uint32_t (*object_class)(const struct pfifo_channel_context *channel, uint32_t object);
    void (*engine_fault)(const struct pfifo_channel_context *channel, enum chip_unit unit, const struct fault *fault,
                         const struct unit_trap *trap);
    bool (*engine_error)(const struct pfifo_channel_context *channel, enum chip_unit unit,
                         const struct unit_trap *trap);
    void (*engine_interrupt)(const struct pfifo_channel_context *channel, enum chip_unit unit, enum unit_cause cause);
    /* Counter of a syncpoint, NULL: no such one. NULL: the family has none. */
    uint32_t *(*syncpoint)(struct fifo *fifo, unsigned index);
    /* How long until an acquire that waits gives up, in nanoseconds from now; UINT64_MAX: none does. NULL: the same. */
    uint64_t (*until_timeout)(struct fifo *fifo);
    /* An engine has worked: a run of packets that is under way ends, so that it is accounted for. See fifo_work(). */
    void (*engine_worked)(struct fifo *fifo, uint64_t units);
    /* The engine that works for a channel now, for embedders' engines. NULL: PGRAPH. */
    enum chip_unit (*current_unit)(const struct pfifo_channel_context *channel);
};

extern const struct fifo_ops fifo_nv1, fifo_nv4, fifo_g80, fifo_g84, fifo_gf100, fifo_gk104;

/* The channel an engine works for: also what <pfifo/engine.h> shows. */
struct pfifo_channel_context {
    struct fifo *fifo;
    uint32_t id;
    uint64_t instance; /* G80-: physical address of the channel descriptor or instance block */
    enum memory_target instance_target;
    struct address_space vm; /* G80-: the channel's virtual space */
};

/* An engine in its place. ops == NULL: the chip has nothing there. */
struct fifo_engine {
    const struct pfifo_engine_ops *ops;
    void *engine;
    enum chip_unit unit;
    uint32_t channel; /* it last worked for, UINT32_MAX: none */
    bool used;        /* it has worked for some channel; an engine that cannot be saved then stands in the way */
    bool built_in;    /* not an embedder's, which has registers of its own */
};

struct fifo {
    const struct fifo_ops *ops;
    const struct pfifo_chip *chip;
    struct memory *memory;
    struct bus *bus;
    struct event_hub *events;
    struct fifo_engine engines[CHIP_MAX_ENGINES];
    struct pgraph graph;                 /* interrupts of PGRAPH, and its gate */
    struct unit units[CHIP_MAX_ENGINES]; /* the same of the other engines, by id */
    bool materialise;                    /* take every method through CACHE1, one by one */
    uint64_t worked;                     /* units of work of engines that are not accounted for yet; 0 between runs */
    struct pfifo_stop_info stop;         /* why run() last stopped */
};

/* Allocate the PFIFO of a chip and attach it. */
enum pfifo_status fifo_new(struct fifo **out, const struct pfifo_chip *chip, struct memory *memory, struct bus *bus,
                           struct event_hub *events, struct pfifo_error *error);

/*
 * Of a chip whose machine is not built: the names of its registers alone, for consoles. Nothing is behind them. `out`
 * is set in any case, and freed by fifo_names_free() after the bus.
 */
struct fifo_names;
enum pfifo_status fifo_attach_names(struct bus *bus, struct fifo_names **out, struct pfifo_error *error);
void fifo_names_free(struct fifo_names *names);
void fifo_free(struct fifo *fifo);

/* Save or load all of PFIFO but what its engines keep. */
void fifo_state(struct fifo *fifo, struct state_io *io);

/* A channel that an engine knows, as part of another section; `needed`: it was loaded, so its space is open. */
void fifo_state_context(struct pfifo_channel_context *context, struct state_io *io, bool needed);

/*
 * The memory an engine's address is in: DMA object `object` of the channel before GF100 (resolved in RAMIN or in the
 * channel descriptor), its VM from GF100 on. Never fails; a useless object gives a space that faults.
 */
struct address_space fifo_channel_space(const struct pfifo_channel_context *channel, uint32_t object);

/* The class of the object with this instance, as it is in RAMIN or the channel descriptor now. 0 from GF100 on. */
uint32_t fifo_object_class(const struct pfifo_channel_context *channel, uint32_t object);

/*
 * An engine's access faulted: raise what the chip raises (PFB VM fault on Tesla, PFIFO MMU_FAULT record on GF100-).
 * `unit`: the engine. Before GF100 it also reports it itself, as `trap` says (NULL: nothing is known but that).
 */
void fifo_engine_fault(const struct pfifo_channel_context *channel, enum chip_unit unit, const struct fault *fault,
                       const struct unit_trap *trap);

/*
 * A unit refuses a method. It takes no more until the driver has looked. False: the chip does not check for that, or
 * the driver wants no such checks.
 */
bool fifo_engine_error(const struct pfifo_channel_context *channel, enum chip_unit unit, const struct unit_trap *trap);

/* May the engine take a method of the channel now? Embedders' engines always; PGRAPH's gate has more to say. */
bool fifo_engine_open(const struct fifo *fifo, unsigned id);
/* If not: has the driver been asked to do something about it? */
bool fifo_engine_asks(const struct fifo *fifo, unsigned id);

/* Put what an engine that took nothing waits for into `stop`, if it says so. */
void fifo_engine_waits_for(const struct fifo_engine *engine, const struct pfifo_channel_context *channel,
                           struct pfifo_stop_info *stop);

/*
 * Did a built-in engine take nothing because its work is long, and is done in slices? Then the method is offered again
 * while the budget lasts: each offer is a unit, and what the slice costs.
 */
bool fifo_engine_works(const struct fifo_engine *engine, const struct pfifo_channel_context *channel);

/*
 * What an engine does costs units, as methods do: it calls this when it has worked. The clock goes on at once, so that
 * what it writes afterwards is later; budget and timeslice pay when the method is over. They may not have as much: a
 * slice is done as a whole (src/engine/core/work.h bounds it), and then they have nothing left.
 */
void fifo_work(struct fifo *fifo, uint64_t units);

/* The units since the last time somebody asked: they are his to account for. */
static inline uint64_t fifo_take_worked(struct fifo *fifo) {
    uint64_t units = fifo->worked;
    fifo->worked = 0;
    return units;
}

/* A channel ceased to exist: engines forget what they kept for it. */
void fifo_channel_gone(struct fifo *fifo, uint32_t channel);

/* An engine wants the host: its own interrupt, and from GF100 on PFIFO's non-stall interrupt. */
void fifo_engine_interrupt(const struct pfifo_channel_context *channel, enum chip_unit unit, enum unit_cause cause);

/* For the families' operations: the front of a unit other than PGRAPH, NULL if it has none. */
struct unit *fifo_unit(struct fifo *fifo, enum chip_unit unit);

/* One more on a syncpoint, which host methods and engines share. False: there is no such one. */
bool fifo_increment_syncpoint(struct fifo *fifo, unsigned index);

#endif
