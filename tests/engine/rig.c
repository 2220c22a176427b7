/* SPDX-License-Identifier: MIT */
#include "engine/rig.h"

#include <stdio.h>
#include <stdlib.h>

#include "fifo/ops.h"
#include "unit/graph/graph.h"

#include "engine/core/words.h"

static struct address_space channel_space(const struct pfifo_channel_context *channel, uint32_t object) {
    struct address_space space = address_space_physical(MEMORY_VRAM);
    if (channel->fifo->chip->ring_only) {
        space.limit = ENGINE_RIG_LIMIT - 1;
        return space;
    }
    if (object == 0)
        return address_space_fault(FAULT_NULL_OBJECT);
    space.limit = 0xffff;
    space.offset = (uint64_t)object << 16;
    return space;
}

static uint32_t object_class(const struct pfifo_channel_context *channel, uint32_t object) {
    (void)channel;
    return object;
}

static void engine_fault(const struct pfifo_channel_context *channel, enum chip_unit unit, const struct fault *fault,
                         const struct unit_trap *trap) {
    (void)unit;
    ((struct engine_rig *)channel->fifo)->faults++;
    ((struct engine_rig *)channel->fifo)->trap = trap ? *trap : (struct unit_trap){0};
    ((struct engine_rig *)channel->fifo)->fault = *fault;
}

/* A refusal interrupts, too. */
static bool engine_error(const struct pfifo_channel_context *channel, enum chip_unit unit,
                         const struct unit_trap *trap) {
    (void)unit;
    ((struct engine_rig *)channel->fifo)->trap = *trap;
    ((struct engine_rig *)channel->fifo)->interrupts++;
    return true;
}

static void engine_interrupt(const struct pfifo_channel_context *channel, enum chip_unit unit, enum unit_cause cause) {
    (void)unit;
    ((struct engine_rig *)channel->fifo)->interrupts++;
    ((struct engine_rig *)channel->fifo)->cause = cause;
}

static uint32_t *syncpoint(struct fifo *fifo, unsigned index) {
    struct engine_rig *rig = (struct engine_rig *)fifo;
    return fifo->chip->syncpoints && index < 4 ? &rig->syncpoint[index] : NULL;
}

static const struct fifo_ops ops = {.channel_space = channel_space,
                                    .object_class = object_class,
                                    .engine_fault = engine_fault,
                                    .engine_error = engine_error,
                                    .engine_interrupt = engine_interrupt,
                                    .syncpoint = syncpoint};

static uint64_t now(void *opaque) {
    (void)opaque;
    return ENGINE_RIG_TIME;
}

bool engine_rig_start(struct engine_rig *rig, const char *chip) {
    memset(rig, 0, sizeof *rig);
    rig->fifo.ops = &ops;
    rig->fifo.chip = pfifo_chip_by_name(chip);
    rig->fifo.memory = &rig->memory;
    rig->fifo.bus = &rig->bus;
    rig->fifo.events = &rig->hub;
    rig->fifo.graph = calloc(1, sizeof *rig->fifo.graph);
    if (rig->fifo.graph)
        rig->fifo.graph->unit.chip = rig->fifo.chip;
    rig->bus.chip = rig->fifo.chip;
    rig->bus.ptimer = &rig->ptimer;
    rig->ptimer.bus = &rig->bus;
    rig->bus.pmc = &rig->pmc;
    rig->bus.clock.now = now;
    rig->channel = (struct pfifo_channel_context){.fifo = &rig->fifo, .id = 3};
    struct memory_config config = {
        .chip = rig->fifo.chip, .vram_bytes = 1 << 20, .system_bytes = 1 << 16, .events = &rig->hub};
    return memory_init(&rig->memory, &config, NULL) == PFIFO_OK && rig->fifo.graph &&
           engine_install(&rig->fifo, NULL) == PFIFO_OK;
}

void engine_rig_stop(struct engine_rig *rig) {
    for (unsigned id = 0; id < CHIP_MAX_ENGINES; id++)
        if (rig->fifo.engines[id].ops)
            rig->fifo.engines[id].ops->free(rig->fifo.engines[id].engine);
    free(rig->fifo.graph);
    memory_free(&rig->memory);
}

static void observe(void *opaque, const struct pfifo_event *event) {
    struct engine_rig *rig = opaque;
    if (rig->events < ENGINE_RIG_EVENTS) {
        struct engine_rig_event *kept = &rig->event[rig->events];
        kept->id = event->id;
        kept->channel = event->channel;
        memcpy(kept->value, event->value, sizeof kept->value);
        snprintf(kept->text, sizeof kept->text, "%s", event->detail ? event->detail : event->text ? event->text : "");
    }
    rig->events++;
}

void engine_rig_observe(struct engine_rig *rig, const char *globs) {
    event_observe(&rig->hub, globs, observe, rig, NULL);
}

unsigned engine_rig_id(const struct engine_rig *rig, enum chip_unit unit) {
    unsigned id = 0;
    while (id < CHIP_MAX_ENGINES && rig->fifo.engines[id].unit != unit)
        id++;
    return id;
}

bool engine_rig_bind(struct engine_rig *rig, unsigned id, unsigned subchannel, uint32_t object_class) {
    const struct fifo_engine *slot = &rig->fifo.engines[id];
    return slot->ops->bind(slot->engine, &rig->channel, subchannel, object_class, 0);
}

uint32_t engine_rig_offer(struct engine_rig *rig, unsigned id, unsigned subchannel, uint32_t method, unsigned step,
                          const uint32_t *data, uint32_t count) {
    const struct fifo_engine *slot = &rig->fifo.engines[id];
    struct pfifo_methods run = {data, count, (uint16_t)method, (uint8_t)step, (uint8_t)subchannel, &rig->channel};
    return slot->ops->methods(slot->engine, &run);
}

uint32_t engine_rig_send(struct engine_rig *rig, unsigned id, unsigned subchannel, uint32_t method, unsigned step,
                         const uint32_t *data, uint32_t count) {
    const struct fifo_engine *slot = &rig->fifo.engines[id];
    uint32_t at = 0, taken = 1;
    while (at < count && (taken || fifo_engine_works(slot, &rig->channel))) {
        taken = engine_rig_offer(rig, id, subchannel, method + at * step, step, data + at, count - at);
        at += taken;
    }
    return at;
}

uint32_t engine_rig_rd32(struct engine_rig *rig, uint64_t address) {
    return memory_physical_rd32(&rig->memory, MEMORY_VRAM, address);
}

uint64_t engine_rig_rd64(struct engine_rig *rig, uint64_t address) {
    return memory_physical_rd64(&rig->memory, MEMORY_VRAM, address);
}

void engine_rig_wr32(struct engine_rig *rig, uint64_t address, uint32_t value) {
    memory_physical_wr32(&rig->memory, MEMORY_VRAM, address, value);
}

uint32_t engine_rig_value(struct engine_rig *rig, unsigned id, uint32_t object_class, uint32_t method) {
    const struct fifo_engine *slot = &rig->fifo.engines[id];
    uint32_t value = 0;
    bool known = slot->ops->method_value(slot->engine, rig->channel.id, object_class, method, &value);
    return known ? value : 0xdeadbeef;
}

const struct engine_rig_event *engine_rig_event(const struct engine_rig *rig, enum event_id id, unsigned nth) {
    for (unsigned i = 0; i < rig->events && i < ENGINE_RIG_EVENTS; i++)
        if (rig->event[i].id == id && nth-- == 0)
            return &rig->event[i];
    return NULL;
}

unsigned engine_rig_count(const struct engine_rig *rig, enum event_id id) {
    unsigned count = 0;
    while (engine_rig_event(rig, id, count))
        count++;
    return count;
}

static bool same_words(const struct kept_words *a, const struct kept_words *b) {
    return a->left == b->left && a->count == b->count && memcmp(a->word, b->word, a->count * sizeof a->word[0]) == 0;
}

static bool same_state(const struct private_state *type, const void *a, const void *b) {
    if (type == &words_part)
        return same_words(a, b);
    return type->state || memcmp(a, b, type->bytes) == 0;
}

bool engine_rig_same_object(const struct object *a, const struct object *b) {
    const struct kind *kind = a->index->kind;
    bool same = a->object_class == b->object_class && b->index->kind == kind && a->index->words == b->index->words &&
                memcmp(a->value, b->value, a->index->words * sizeof a->value[0]) == 0 &&
                memcmp(a->work.progress, b->work.progress, a->work.progress_bytes) == 0;
    if (same && a->private)
        same = same_state(&kind->private, a->private, b->private);
    for (unsigned i = 0; same && i < ENGINE_PARTS && a->part[i].type; i++)
        same = same_state(a->part[i].type, a->part[i].state, b->part[i].state);
    return same;
}
