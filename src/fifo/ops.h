/* SPDX-License-Identifier: MIT */
/*
 * The operations of a family of PFIFOs (struct fifo_ops), and the functions of fifo.c that families use.
 *
 *   fifo_new(), fifo_run() ... --struct fifo_ops--> cache/{nv1,nv4,g80_family}.c, runlist/{gf100,gk104}.c
 */
#ifndef PFIFO_SRC_FIFO_OPS_H
#define PFIFO_SRC_FIFO_OPS_H

#include <pfifo/push.h>

#include "bus/bus.h"
#include "chip/family.h"
#include "event/event.h"
#include "fifo/fifo.h"
#include "grammar/grammar.h"

/* See pfifo/push.h. */
struct fifo_push {
    struct pfifo_push push;
    struct address_space space;
    bool big_endian;
};

/* A row of RAMFC (fifo/cache/ramfc.h), and its register; NULL: none shows it. */
struct fifo_kept {
    uint32_t offset, low, bits, reg_low;
    const struct reg *reg;
};

struct fifo_ops {
    const char *name;
    size_t bytes;                    /* of the family's state, which starts with struct fifo */
    const struct bus_host_ops *host; /* calls from the bus; has fifo_enable_changed() */
    bool has_error_codes;            /* units show a code of the error (DATA_ERROR); else NSOURCE, or less */
    /* Attach registers and windows to the bus, set reset state. */
    enum pfifo_status (*attach)(struct fifo *fifo, struct pfifo_error *error);
    /* fifo_run() */
    enum pfifo_stop (*run)(struct fifo *fifo, uint64_t *budget);
    bool (*has_work)(struct fifo *fifo); /* fifo_has_work() */
    /* PMC ENABLE bit 8 went from 1 to 0. */
    void (*reset)(struct fifo *fifo);
    void (*free)(struct fifo *fifo); /* NULL: nothing to do */
    /* The family's sections of a saved machine. Loading rebuilds the derived state. */
    void (*state)(struct fifo *fifo, struct state_io *io);
    /* See fifo_channel_space, fifo_engine_fault, fifo_engine_error and fifo_engine_interrupt, which call these. */
    struct address_space (*channel_space)(const struct pfifo_channel_context *channel, uint32_t object);
    /* See fifo_object_class. NULL: objects have no instances. */
    uint32_t (*object_class)(const struct pfifo_channel_context *channel, uint32_t object);
    void (*engine_fault)(const struct pfifo_channel_context *channel, enum chip_unit unit, const struct fault *fault,
                         const struct unit_trap *trap);
    bool (*engine_error)(const struct pfifo_channel_context *channel, enum chip_unit unit,
                         const struct unit_trap *trap);
    void (*engine_interrupt)(const struct pfifo_channel_context *channel, enum chip_unit unit, enum unit_cause cause);
    /* Counter of a syncpoint, NULL: it does not exist. The operation is NULL if the family has none. */
    uint32_t *(*syncpoint)(struct fifo *fifo, unsigned index);
    /* fifo_until_timeout(). NULL: no acquire gives up. */
    uint64_t (*until_timeout)(struct fifo *fifo);
    /* An engine has worked: a run of packets under way ends, so that the work is charged. See fifo_work(). */
    void (*engine_worked)(struct fifo *fifo, uint64_t units);
    /* Units of the run of packets under way, up to the method that an engine has. NULL: each is charged at once. */
    uint64_t (*units_done)(struct fifo *fifo);
    /*
     * Where a channel reads its pushbuffer, and through what; whether in the other byte order. False: it has none.
     * NULL: no channel has one. Changes nothing.
     */
    bool (*push)(struct fifo *fifo, uint32_t channel, struct fifo_push *push);
    /* The channel in place `index` of the chip, UINT32_MAX: there is none, or no such place. With `push`. */
    uint32_t (*loaded)(struct fifo *fifo, unsigned index);
    /* The channel that the machine works for now, UINT32_MAX: none. NULL: that in place 0. With `push`. */
    uint32_t (*acting)(struct fifo *fifo);
    /* The class that a handle stands for in a channel that has a pushbuffer, 0: none. NULL: there are no handles. */
    uint32_t (*handle_class)(struct fifo *fifo, uint32_t channel, uint32_t handle);
    /* What row `index` of RAMFC keeps. False beyond the last. NULL: the words are those of a PBDMA. */
    bool (*kept)(const struct fifo *fifo, size_t index, struct fifo_kept *kept);
    /* The engine that works for a channel now, for embedders' engines. NULL: PGRAPH. */
    enum chip_unit (*current_unit)(const struct pfifo_channel_context *channel);
};

/* PMC ENABLE was written, see struct bus_host_ops; `host` is a struct fifo. */
void fifo_enable_changed(void *host, uint32_t old, uint32_t now);

extern const struct fifo_ops fifo_nv1, fifo_nv3, fifo_nv4, fifo_g80, fifo_g84, fifo_gf100, fifo_gk104;

/* A channel that an engine refers to, as part of another section; `needed`: it was loaded, so its space is open. */
void fifo_state_context(struct pfifo_channel_context *context, struct state_io *io, bool needed);

/* May the engine take a method of the channel now? Embedders' engines always may. */
bool fifo_engine_open(const struct fifo *fifo, unsigned id, uint32_t channel);
/* If not: has the driver been asked to do something about it? */
bool fifo_engine_asks(const struct fifo *fifo, unsigned id);

/* An engine took nothing: put what it waits for into `stop`, if it reports that. */
void fifo_engine_waits_for(const struct fifo_engine *engine, const struct pfifo_channel_context *channel,
                           struct pfifo_stop_info *stop);

/*
 * Did a built-in engine take nothing because its work is long and done in slices? Then the method is offered again
 * while the budget lasts: each offer costs a unit, plus the slice.
 */
bool fifo_engine_works(const struct fifo_engine *engine, const struct pfifo_channel_context *channel);

/* The units for which fifo_now() has advanced the clock: they are among those that are charged now. */
static inline uint64_t fifo_take_early(struct fifo *fifo) {
    uint64_t units = fifo->early;
    fifo->early = 0;
    return units;
}

/* The units of fifo_work() since the last call: the caller charges them. */
static inline uint64_t fifo_take_worked(struct fifo *fifo) {
    uint64_t units = fifo->worked;
    fifo->worked = 0;
    return units;
}

/* A channel is out of work, perhaps forever: no engine has it any more. */
void fifo_channel_leaves(struct fifo *fifo, uint32_t channel);

/* A channel ceased to exist: besides, engines forget its state. */
void fifo_channel_gone(struct fifo *fifo, uint32_t channel);
/* A channel has an instance block again, perhaps that of a channel that is gone. */
void fifo_channel_bound(struct fifo *fifo, const struct pfifo_channel_context *channel);

/* A unit of the chip, NULL if it has no registers. */
struct unit *fifo_unit(struct fifo *fifo, enum chip_unit unit);

#endif
