/* SPDX-License-Identifier: MIT */
#include "fifo/fifo.h"

#include <stdlib.h>

#include "fifo/ops.h"
#include "unit/graph/graph.h"
#include "unit/unit.h"

/* PFIFO was switched off or on in PMC ENABLE. Off resets its state. */
void fifo_enable_changed(void *host, uint32_t old, uint32_t now) {
    struct fifo *fifo = host;
    if ((old & ~now) & PMC_INTR_PFIFO)
        fifo->ops->reset(fifo);
    for (unsigned id = 0; id < CHIP_MAX_ENGINES; id++)
        unit_enable_changed(fifo->units[id], old, now);
}

static enum pfifo_status attach_units(struct fifo *fifo, struct pfifo_error *error) {
    enum pfifo_status status = PFIFO_OK;
    for (unsigned id = 0; status == PFIFO_OK && id < CHIP_MAX_ENGINES; id++) {
        status = unit_new(&fifo->units[id], fifo->bus, fifo->chip->engines[id], error);
        if (fifo->chip->engines[id] == CHIP_UNIT_PGRAPH && fifo->units[id])
            fifo->graph = graph_of(fifo->units[id]);
    }
    return status;
}

enum pfifo_status fifo_new(struct fifo **out, const struct pfifo_chip *chip, struct memory *memory, struct bus *bus,
                           struct event_hub *events, struct pfifo_error *error) {
    const struct fifo_ops *ops = chip->family->fifo;
    *out = NULL;
    if (!ops)
        return pfifo_error_set(error, PFIFO_ERROR_UNSUPPORTED, "the machine of %s is not built yet", chip->name);
    struct fifo *fifo = calloc(1, ops->bytes);
    if (!fifo)
        return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for the PFIFO of %s", chip->name);
    fifo->ops = ops;
    fifo->chip = chip;
    fifo->memory = memory;
    fifo->bus = bus;
    fifo->events = events;
    for (unsigned id = 0; id < CHIP_MAX_ENGINES; id++) {
        fifo->engines[id].unit = chip->engines[id];
        fifo->engines[id].channel = UINT32_MAX;
    }
    bus_attach_host(bus, ops->host, fifo);
    enum pfifo_status status = ops->attach(fifo, error);
    if (status == PFIFO_OK)
        status = attach_units(fifo, error);
    if (status != PFIFO_OK) {
        fifo_free(fifo);
        return status;
    }
    *out = fifo;
    return PFIFO_OK;
}

void fifo_free(struct fifo *fifo) {
    if (!fifo)
        return;
    for (unsigned id = 0; id < CHIP_MAX_ENGINES; id++)
        if (fifo->engines[id].ops && fifo->engines[id].ops->free)
            fifo->engines[id].ops->free(fifo->engines[id].engine);
    if (fifo->ops->free)
        fifo->ops->free(fifo);
    for (unsigned id = 0; id < CHIP_MAX_ENGINES; id++)
        unit_free(fifo->units[id]);
    free(fifo);
}

enum pfifo_stop fifo_run(struct fifo *fifo, uint64_t *budget) {
    return fifo->ops->run(fifo, budget);
}

bool fifo_has_work(struct fifo *fifo) {
    return fifo->ops->has_work(fifo);
}

uint64_t fifo_until_timeout(struct fifo *fifo) {
    return fifo->ops->until_timeout ? fifo->ops->until_timeout(fifo) : UINT64_MAX;
}

struct address_space fifo_channel_space(const struct pfifo_channel_context *channel, uint32_t object) {
    return channel->fifo->ops->channel_space(channel, object);
}

uint32_t fifo_object_class(const struct pfifo_channel_context *channel, uint32_t object) {
    const struct fifo_ops *ops = channel->fifo->ops;
    return ops->object_class ? ops->object_class(channel, object) : 0;
}

void fifo_engine_fault(const struct pfifo_channel_context *channel, enum chip_unit unit, const struct fault *fault,
                       const struct unit_trap *trap) {
    const struct pfifo_chip *chip = channel->fifo->chip;
    event_send(channel->fifo->events, EVENT_FIFO_FAULT, channel->id, fault_name(chip, fault->reason), 0, fault->address,
               unit);
    channel->fifo->ops->engine_fault(channel, unit, fault, trap);
}

bool fifo_engine_error(const struct pfifo_channel_context *channel, enum chip_unit unit, const struct unit_trap *trap) {
    return channel->fifo->ops->engine_error(channel, unit, trap);
}

void fifo_engine_interrupt(const struct pfifo_channel_context *channel, enum chip_unit unit, enum unit_cause cause) {
    channel->fifo->ops->engine_interrupt(channel, unit, cause);
}

struct unit *fifo_unit(struct fifo *fifo, enum chip_unit unit) {
    for (unsigned id = 0; id < CHIP_MAX_ENGINES; id++)
        if (fifo->units[id] && fifo->chip->engines[id] == unit)
            return fifo->units[id];
    return NULL;
}

bool fifo_engine_open(const struct fifo *fifo, unsigned id, uint32_t channel) {
    return !fifo->engines[id].built_in || unit_open(fifo->units[id], channel);
}

bool fifo_engine_asks(const struct fifo *fifo, unsigned id) {
    return fifo->engines[id].built_in && unit_asks(fifo->units[id]);
}

static uint32_t *syncpoint_of(struct fifo *fifo, unsigned index) {
    return fifo->ops->syncpoint ? fifo->ops->syncpoint(fifo, index) : NULL;
}

unsigned fifo_syncpoint_count(struct fifo *fifo) {
    unsigned count = 0;
    while (syncpoint_of(fifo, count))
        count++;
    return count;
}

uint32_t fifo_syncpoint(struct fifo *fifo, unsigned index) {
    const uint32_t *counter = syncpoint_of(fifo, index);
    return counter ? *counter : 0;
}

bool fifo_set_syncpoint(struct fifo *fifo, unsigned index, uint32_t value) {
    uint32_t *counter = syncpoint_of(fifo, index);
    if (!counter)
        return false;
    *counter = value;
    event_send(fifo->events, EVENT_FIFO_SYNCPOINT, UINT32_MAX, NULL, index, *counter);
    return true;
}

bool fifo_increment_syncpoint(struct fifo *fifo, unsigned index) {
    return fifo_set_syncpoint(fifo, index, fifo_syncpoint(fifo, index) + 1);
}

void fifo_engine_waits_for(const struct fifo_engine *engine, const struct pfifo_channel_context *channel,
                           struct pfifo_stop_info *stop) {
    if (engine->ops && engine->ops->waits_for)
        stop->in_memory =
            engine->ops->waits_for(engine->engine, channel, &stop->address, &stop->expected, &stop->found);
}

bool fifo_engine_works(const struct fifo_engine *engine, const struct pfifo_channel_context *channel) {
    return engine->ops && engine->built_in && engine->ops->busy && engine->ops->busy(engine->engine, channel);
}

void fifo_work(struct fifo *fifo, uint64_t units) {
    fifo->worked += units;
    bus_work(fifo->bus, units);
    if (fifo->ops->engine_worked)
        fifo->ops->engine_worked(fifo, units);
}

uint64_t fifo_now(struct fifo *fifo) {
    uint64_t done = fifo->ops->units_done ? fifo->ops->units_done(fifo) : 0;
    if (done > fifo->early) {
        bus_work(fifo->bus, done - fifo->early);
        fifo->early = done;
    }
    return bus_now(fifo->bus);
}

void fifo_channel_leaves(struct fifo *fifo, uint32_t channel) {
    for (unsigned id = 0; id < CHIP_MAX_ENGINES; id++)
        if (fifo->engines[id].channel == channel)
            fifo->engines[id].channel = UINT32_MAX;
}

void fifo_channel_gone(struct fifo *fifo, uint32_t channel) {
    for (unsigned id = 0; id < CHIP_MAX_ENGINES; id++) {
        struct fifo_engine *engine = &fifo->engines[id];
        if (engine->ops && engine->ops->channel_gone)
            engine->ops->channel_gone(engine->engine, channel);
    }
    fifo_channel_leaves(fifo, channel);
}

void fifo_channel_bound(struct fifo *fifo, const struct pfifo_channel_context *channel) {
    for (unsigned id = 0; id < CHIP_MAX_ENGINES; id++)
        if (fifo->engines[id].channel_bound)
            fifo->engines[id].channel_bound(fifo->engines[id].engine, channel);
}

/* ---- the channel, for engines ---- */

uint32_t pfifo_channel_context_id(const struct pfifo_channel_context *channel) {
    return channel->id;
}

void pfifo_channel_interrupt(const struct pfifo_channel_context *channel, unsigned id) {
    if (id < CHIP_MAX_ENGINES && channel->fifo->engines[id].ops)
        fifo_engine_interrupt(channel, channel->fifo->engines[id].unit, CAUSE_NOTIFY);
}

bool pfifo_channel_error(const struct pfifo_channel_context *channel, unsigned id,
                         const struct pfifo_engine_error *error) {
    const struct fifo *fifo = channel->fifo;
    if (id >= CHIP_MAX_ENGINES || !fifo->engines[id].ops)
        return false;
    struct unit_trap trap = {.subchannel = error->subchannel & 7,
                             .method = error->method,
                             .data = error->data,
                             .object_class = error->object_class,
                             .error = ENGINE_ERROR_GIVEN,
                             .nsource = error->nsource,
                             .code = error->code};
    trap.classes[trap.subchannel] = (uint16_t)error->object_class;
    event_send(fifo->events, EVENT_ENGINE_ERROR, channel->id, error->name, error->object_class, error->method,
               error->data, fifo->ops->has_error_codes ? error->code : error->nsource, 0);
    return fifo_engine_error(channel, fifo->engines[id].unit, &trap);
}

uint64_t pfifo_channel_time(const struct pfifo_channel_context *channel) {
    return fifo_now(channel->fifo);
}

/* UNKNOWN: which engine of a channel calls, before GF100. Chosen: PGRAPH. */
static enum chip_unit asking_unit(const struct pfifo_channel_context *channel) {
    const struct fifo_ops *ops = channel->fifo->ops;
    return ops->current_unit ? ops->current_unit(channel) : CHIP_UNIT_PGRAPH;
}

static void raise_fault(const struct pfifo_channel_context *channel, const struct fault *fault) {
    const struct class_context *context = (const struct class_context *)channel;
    if (channel->of_class)
        context->fault(context, fault);
    else
        fifo_engine_fault(channel, asking_unit(channel), fault, NULL);
}

bool pfifo_channel_read(const struct pfifo_channel_context *channel, uint32_t object, uint64_t address, void *data,
                        size_t bytes) {
    struct address_space space = fifo_channel_space(channel, object);
    struct fault fault;
    if (memory_read(channel->fifo->memory, &space, address, data, bytes, &fault))
        return true;
    raise_fault(channel, &fault);
    return false;
}

bool pfifo_channel_write(const struct pfifo_channel_context *channel, uint32_t object, uint64_t address,
                         const void *data, size_t bytes) {
    struct address_space space = fifo_channel_space(channel, object);
    struct fault fault;
    if (memory_write(channel->fifo->memory, &space, address, data, bytes, &fault))
        return true;
    raise_fault(channel, &fault);
    return false;
}

bool pfifo_channel_span(const struct pfifo_channel_context *channel, uint32_t object, uint64_t address, size_t bytes,
                        bool write, struct pfifo_span *span) {
    struct address_space space = fifo_channel_space(channel, object);
    struct span found;
    struct fault fault;
    *span = (struct pfifo_span){0};
    if (!bytes)
        return true;
    if (!memory_span(channel->fifo->memory, &space, address, bytes, write ? MEMORY_WRITE : MEMORY_READ, &found,
                     &fault)) {
        raise_fault(channel, &fault);
        return false;
    }
    *span = (struct pfifo_span){found.data, (size_t)found.bytes};
    return true;
}

uint32_t pfifo_channel_object_class(const struct pfifo_channel_context *channel, uint32_t object) {
    return fifo_object_class(channel, object);
}

bool pfifo_channel_increment(const struct pfifo_channel_context *channel, uint32_t syncpoint) {
    return fifo_increment_syncpoint(channel->fifo, syncpoint);
}

/* At one time, so that sums of them do not come round to 0. */
#define WORK_MOST_UNITS (UINT64_C(1) << 42)

void pfifo_channel_work(const struct pfifo_channel_context *channel, uint64_t units) {
    fifo_work(channel->fifo, units < WORK_MOST_UNITS ? units : WORK_MOST_UNITS);
}
