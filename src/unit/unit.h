/* SPDX-License-Identifier: MIT */
/*
 * A unit that PFIFO feeds, as PFIFO and its engine see it: it decides whether a method is accepted, and shows refused
 * methods to the host.
 *
 *   puller  --unit_takes(channel, method)--> yes: to the engine; no: the method waits
 *           --unit_bind(), unit_enter()----> its registers follow the object and the channel
 *   engine  --unit_notify(cause)-----------> INTR & enables --> PMC INTR
 *           --unit_trap(what)--------------> the same, with the reason; the unit takes no other method
 *           --unit_fault(what)-------------> the same, of an access that failed (before GF100)
 *   PMC     --unit_enable_changed()--------> reset state
 *
 * Address and bits of a unit are in its row of chip/units.h, which also names its registers:
 *
 *   graph/graph.h  PGRAPH
 *   simple.h       copy engines, falcons, crypto, MPEG, xtensas
 *   (none)         PME, PVP1: their registers are unknown. They accept all methods, and a pointer to them is NULL.
 */
#ifndef PFIFO_SRC_UNIT_UNIT_H
#define PFIFO_SRC_UNIT_UNIT_H

#include "bus/bus.h"
#include "unit/trap.h"

struct chip_unit_row; /* chip/units.h */
struct state_io;

/*
 * A method that is offered to a unit. On NV10 and later two may come at once: the same method twice, or a method and
 * the next one.
 */
struct unit_method {
    uint32_t subchannel, method, data;
    bool pair;
    uint32_t data_high; /* of the second, if it is a pair */
};

struct unit;

/* The operations of the variants of units. NULL: nothing to do; `takes`: the result of `open`. */
struct unit_ops {
    bool (*open)(const struct unit *unit, uint32_t channel);
    bool (*takes)(struct unit *unit, uint32_t channel, const struct unit_method *method);
    bool (*asks)(const struct unit *unit);
    void (*bind)(struct unit *unit, uint32_t subchannel, uint32_t instance);
    void (*enter)(struct unit *unit, uint32_t instance);
    void (*notify)(struct unit *unit, enum unit_cause cause);
    bool (*trap)(struct unit *unit, uint32_t channel, const struct unit_trap *trap);
    void (*fault)(struct unit *unit, uint32_t channel, const struct unit_trap *trap);
    void (*enable_changed)(struct unit *unit, uint32_t old, uint32_t now);
    void (*state)(struct unit *unit, struct state_io *io);
    void (*free)(struct unit *unit);
};

/* The variants start with it. */
struct unit {
    const struct unit_ops *ops;
    const struct pfifo_chip *chip;
    struct bus *bus;
};

/*
 * Create a unit of the bus's chip and attach its registers. `*out` is NULL if it has none. The caller frees it with
 * unit_free() after the bus. Errors: PFIFO_ERROR_MEMORY.
 */
enum pfifo_status unit_new(struct unit **out, struct bus *bus, enum chip_unit unit, struct pfifo_error *error);
void unit_free(struct unit *unit);

/* Would a method of this channel be accepted now? Changes nothing. */
static inline bool unit_open(const struct unit *unit, uint32_t channel) {
    return !unit || unit->ops->open(unit, channel);
}

/* Is an offered method accepted? If another channel is in the way, the driver is asked to switch. */
static inline bool unit_takes(struct unit *unit, uint32_t channel, const struct unit_method *method) {
    return !unit || (unit->ops->takes ? unit->ops->takes(unit, channel, method) : unit->ops->open(unit, channel));
}

/* The driver has been asked to switch the channel or to handle an error, and has not done so yet. */
static inline bool unit_asks(const struct unit *unit) {
    return unit && unit->ops->asks(unit);
}

/* Method 0 was accepted: `instance` of the object, in units of 16 bytes. */
static inline void unit_bind(struct unit *unit, uint32_t subchannel, uint32_t instance) {
    if (unit && unit->ops->bind)
        unit->ops->bind(unit, subchannel, instance);
}

/* The unit works for another channel now. `instance`: NV40:G80 of the channel's context, in units of 16 bytes; later of
 * the channel, in pages. */
static inline void unit_enter(struct unit *unit, uint32_t instance) {
    if (unit)
        unit->ops->enter(unit, instance);
}

/* A program requested an interrupt. */
static inline void unit_notify(struct unit *unit, enum unit_cause cause) {
    if (unit)
        unit->ops->notify(unit, cause);
}

/* A method was refused. False: this check is off. */
static inline bool unit_trap(struct unit *unit, uint32_t channel, const struct unit_trap *trap) {
    return unit && unit->ops->trap(unit, channel, trap);
}

/* An access of the unit faulted, before GF100. `trap`: NULL if there are no details. */
static inline void unit_fault(struct unit *unit, uint32_t channel, const struct unit_trap *trap) {
    if (unit)
        unit->ops->fault(unit, channel, trap);
}

/* PMC ENABLE was written. */
static inline void unit_enable_changed(struct unit *unit, uint32_t old, uint32_t now) {
    if (unit)
        unit->ops->enable_changed(unit, old, now);
}

/* Save or load its registers, inside a section of the caller's. */
static inline void unit_state(struct unit *unit, struct state_io *io) {
    if (unit)
        unit->ops->state(unit, io);
}

#endif
