/* SPDX-License-Identifier: MIT */
/*
 * Engines of a chip without a PFIFO: runs are offered to them directly, and what they do outside is recorded.
 *
 * Before GF100 DMA object n is VRAM from n * 64 KiB on, 64 KiB long; object 0 faults. The object with
 * instance n is of class n. From there all addresses are
 * VRAM's, and those from RIG_LIMIT on fault.
 */
#ifndef PFIFO_TESTS_ENGINE_RIG_H
#define PFIFO_TESTS_ENGINE_RIG_H

#include "bus/bus.h"
#include "bus/pmc.h"
#include "bus/ptimer.h"
#include "engine/engines.h"
#include "event/event.h"
#include "fifo/fifo.h"

#define ENGINE_RIG_LIMIT  0x80000u
#define ENGINE_RIG_EVENTS 256
#define ENGINE_RIG_TIME   UINT64_C(0x123456789abcde0) /* what PTIMER says */

struct engine_rig {
    struct fifo fifo; /* first: a channel context leads here */
    struct memory memory;
    struct bus bus;
    struct pmc pmc;
    struct ptimer ptimer;
    struct event_hub hub;
    struct pfifo_channel_context channel;
    unsigned faults, interrupts; /* raised at the PFIFO */
    enum unit_cause cause;       /* of the last interrupt */
    struct fault fault;          /* the last one, */
    struct unit_trap trap;       /* and how PGRAPH would show it */
    uint32_t syncpoint[4];       /* where the chip has any */
    unsigned events;             /* sent; the first ones are kept */
    struct engine_rig_event {
        unsigned id;
        uint32_t channel;
        uint64_t value[PFIFO_EVENT_MAX_FIELDS];
        char text[40];
    } event[ENGINE_RIG_EVENTS];
};

/* The engines of a chip; nobody observes yet. False: no memory. */
bool engine_rig_start(struct engine_rig *rig, const char *chip);
void engine_rig_stop(struct engine_rig *rig);

/* Record events that match. */
void engine_rig_observe(struct engine_rig *rig, const char *globs);

/* Engine id of a unit. */
unsigned engine_rig_id(const struct engine_rig *rig, enum chip_unit unit);

bool engine_rig_bind(struct engine_rig *rig, unsigned id, unsigned subchannel, uint32_t object_class);

/* Offer a run once; how many were taken. */
uint32_t engine_rig_offer(struct engine_rig *rig, unsigned id, unsigned subchannel, uint32_t method, unsigned step,
                          const uint32_t *data, uint32_t count);

/* Offer a run again and again until it is taken or stalls; how many were taken. */
uint32_t engine_rig_send(struct engine_rig *rig, unsigned id, unsigned subchannel, uint32_t method, unsigned step,
                         const uint32_t *data, uint32_t count);

uint32_t engine_rig_rd32(struct engine_rig *rig, uint64_t address);
uint64_t engine_rig_rd64(struct engine_rig *rig, uint64_t address);
void engine_rig_wr32(struct engine_rig *rig, uint64_t address, uint32_t value);

/* The last value of a method, 0xdeadbeef if it is not known. */
uint32_t engine_rig_value(struct engine_rig *rig, unsigned id, uint32_t object_class, uint32_t method);

/* How many recorded events have this id, and the nth of them (NULL if there is none). */
unsigned engine_rig_count(const struct engine_rig *rig, enum event_id id);
const struct engine_rig_event *engine_rig_event(const struct engine_rig *rig, enum event_id id, unsigned nth);

struct object;

/* Do objects of two rigs have the same class, values, progress of a launch and private state? */
bool engine_rig_same_object(const struct object *a, const struct object *b);

#endif
