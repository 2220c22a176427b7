/* SPDX-License-Identifier: MIT */
/*
 * A unit that PFIFO feeds, as PFIFO and the engine in it see it: what decides whether a method goes in, and what shows
 * the host that a method was refused.
 *
 *   puller  --unit_takes(channel, method)--> yes: to the engine; no: the method waits
 *           --unit_bind(), unit_enter()----> its registers follow the object and the channel
 *   engine  --unit_notify(cause)-----------> INTR & what is enabled --> PMC INTR
 *           --unit_trap(what)--------------> the same, and why; the unit takes no other method
 *           --unit_fault(what)-------------> the same, of an access that failed (before GF100)
 *   PMC     --unit_enable_changed()--------> reset state
 *
 * Where a unit is and which bits it has is a row of chip/units.h; the row also says which registers it has:
 *
 *   graph/graph.h  PGRAPH
 *   simple.h       copy engines, falcons, crypto, MPEG, xtensas
 *   (none)         PME, PVP1: nothing is known of their registers. They take everything, and a pointer to them is NULL.
 */
#ifndef PFIFO_SRC_UNIT_UNIT_H
#define PFIFO_SRC_UNIT_UNIT_H

#include "bus/bus.h"
#include "unit/trap.h"

struct chip_unit_row; /* chip/units.h */
struct state_io;

/* A method at the door of a unit. From NV10 on two may come at once: to one method, or to one and the next. */
struct unit_method {
    uint32_t subchannel, method, data;
    bool pair;
    uint32_t data_high; /* of the second, if it is a pair */
};

struct unit;

/* What the variants of units do. NULL: nothing; of `takes`: what `open` says. */
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

/* The variants begin with it. */
struct unit {
    const struct unit_ops *ops;
    const struct pfifo_chip *chip;
    struct bus *bus;
};

/*
 * A unit of the bus's chip with its registers attached. `*out` is NULL if it has none. It belongs to the caller, who
 * gives it to unit_free() after the bus is gone. Errors: PFIFO_ERROR_MEMORY.
 */
enum pfifo_status unit_new(struct unit **out, struct bus *bus, enum chip_unit unit, struct pfifo_error *error);
void unit_free(struct unit *unit);

/* Would a method of this channel go in now? Nothing changes. */
static inline bool unit_open(const struct unit *unit, uint32_t channel) {
    return !unit || unit->ops->open(unit, channel);
}

/* Does a method that has come go in? If not because of another channel, the driver is asked to switch. */
static inline bool unit_takes(struct unit *unit, uint32_t channel, const struct unit_method *method) {
    return !unit || (unit->ops->takes ? unit->ops->takes(unit, channel, method) : unit->ops->open(unit, channel));
}

/* A driver has been asked to switch the channel, or to look at an error, and has not yet answered. */
static inline bool unit_asks(const struct unit *unit) {
    return unit && unit->ops->asks(unit);
}

/* Method 0 went in: `instance` of the object, in units of 16 bytes. */
static inline void unit_bind(struct unit *unit, uint32_t subchannel, uint32_t instance) {
    if (unit && unit->ops->bind)
        unit->ops->bind(unit, subchannel, instance);
}

/* It works for another channel now. `instance`: NV40:G80 of its context, in units of 16 bytes; later of itself, in
 * pages. */
static inline void unit_enter(struct unit *unit, uint32_t instance) {
    if (unit)
        unit->ops->enter(unit, instance);
}

/* A program wants to be woken. */
static inline void unit_notify(struct unit *unit, enum unit_cause cause) {
    if (unit)
        unit->ops->notify(unit, cause);
}

/* A method was refused. False: nobody checks for that. */
static inline bool unit_trap(struct unit *unit, uint32_t channel, const struct unit_trap *trap) {
    return unit && unit->ops->trap(unit, channel, trap);
}

/* An access of the unit faulted, before GF100. `trap`: NULL if nothing else is known of it. */
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
