/* SPDX-License-Identifier: MIT */
/*
 * The puller: takes entries out of CACHE1, binds objects, translates handles, executes methods below 0x100 itself
 * (host.h) and passes the others to engines.
 */
#include "fifo/cache/puller.h"

#include "fifo/cache/host.h"
#include "fifo/cache/pusher.h"
#include "fifo/cache/queue.h"
#include "unit/error_names.h"
#include "unit/graph/graph.h"
#include "unit/unit.h"

#define DEBUG_0_CACHE0 (1u << 0)
#define DEBUG_0_CACHE1 (1u << 4)

struct table {
    const struct ramht_ops *ops;
    const struct pfifo_channel_context *channel;
    uint32_t reg;
};

static uint32_t ramht_rd32(void *opaque, uint32_t offset) {
    const struct table *table = opaque;
    return table->ops->rd32(table->channel, table->reg, offset);
}

bool puller_look_up(const struct cache_fifo *c, const struct pfifo_channel_context *channel, uint32_t reg,
                    uint32_t handle, struct ramht_hit *hit) {
    struct table table = {c->family->ramht, channel, reg};
    if (c->r.debug_1 & table.ops->always_fail)
        return false;
    return ramht_lookup(table.ops->layout, reg, handle, channel->id, ramht_rd32, &table, hit);
}

bool puller_translate(struct cache_fifo *c, uint32_t handle, struct ramht_hit *hit) {
    return puller_look_up(c, &c->context, c->r.ramht, handle, hit);
}

/* The puller cannot execute the entry at GET: it stays there, and the driver is called. */
enum puller_result puller_stop(struct cache_fifo *c, uint32_t subchannel, uint32_t method, uint32_t data,
                               uint32_t cause, const char *name) {
    bool semaphore = (cause & PULL0_SEMAPHORE_ERROR) != 0;
    bool line_flush = (cause & (PULL0_FLUSH_LINES | PULL0_FLUSH_OPERATION)) != 0;
    PULLER_REG(c, pull0) = (PULLER_REG(c, pull0) & ~(PULL_ACCESS | PULL0_CAUSE)) | cause;
    if (cause & PULL0_DEVICE_SOFTWARE)
        event_send(c->base.events, EVENT_PULLER_SOFTWARE, c->context.id, NULL, subchannel, method, data);
    else
        event_send_named(c->base.events, EVENT_PULLER_ERROR, c->context.id,
                         semaphore || line_flush ? name : error_name(&errors_cache, cause), name, subchannel, method,
                         data, 0, 0);
    if (!semaphore && !line_flush)
        c->r.debug_0 |= c->puller.in_cache0 ? DEBUG_0_CACHE0 : DEBUG_0_CACHE1;
    cache_raise(c, semaphore ? INTR_SEMAPHORE : line_flush ? INTR_LINE_FLUSH : INTR_CACHE_ERROR, name);
    return PULLER_STOP;
}

/* The channel as the unit's registers show it. */
static void cache_puller_show_channel(struct cache_fifo *c, uint32_t id) {
    unit_enter(c->base.units[id], c->family->puller->shown_instance(c));
}

struct fifo_engine *puller_engine(struct cache_fifo *c, uint32_t id) {
    struct fifo_engine *engine = id < CHIP_MAX_ENGINES ? &c->base.engines[id] : NULL;
    if (!engine || !engine->ops)
        return NULL;
    if (engine->channel != c->context.id) {
        event_send(c->base.events, EVENT_ENGINE_SWITCH, c->context.id, NULL, engine->channel, c->context.id);
        engine->channel = c->context.id;
        engine->used = true;
        cache_puller_show_channel(c, id);
        if (engine->ops->switch_channel)
            engine->ops->switch_channel(engine->engine, &c->context);
    }
    return engine;
}

/* The puller offers two entries at once if it can. This is visible only in PGRAPH's registers. */
static void find_pair(struct cache_fifo *c, struct unit_method *m) {
    if (c->puller.in_cache0 || !c->family->puller->offers_pairs || cache_used(c) < 2 || m->method < 0x100)
        return;
    const struct cache_entry next = cache_at(c, cache_next(c, c->r.get));
    uint32_t first = m->subchannel << 13 | m->method, second = next.method & (STATE_SUBCHANNEL | STATE_METHOD);
    m->pair = second == first || second == first + 4;
    m->data_high = next.data;
}

bool puller_held(struct cache_fifo *c, uint32_t id, uint32_t subchannel, uint32_t method, uint32_t data) {
    const struct fifo_engine *engine = id < CHIP_MAX_ENGINES ? &c->base.engines[id] : NULL;
    if (!engine || !engine->built_in)
        return false;
    struct unit_method m = {.subchannel = subchannel, .method = method, .data = data};
    find_pair(c, &m);
    return !unit_takes(c->base.units[id], c->context.id, &m);
}

bool puller_last_engine_busy(const struct cache_fifo *c) {
    uint32_t last = PULLER_REG(c, pull1) & PULL1_ENGINE;
    const struct fifo_engine *engine = last < CHIP_MAX_ENGINES ? &c->base.engines[last] : NULL;
    return engine && engine->ops && engine->ops->busy && engine->ops->busy(engine->engine, &c->context);
}

/*
 * A method for engine `id` may only go there when the engine that worked last is idle for this channel. NULL: not now
 * or not at all, see `result`. Engine 0 is SOFTWARE: the driver executes the method.
 */
static struct fifo_engine *puller_choose_engine(struct cache_fifo *c, uint32_t id, uint32_t subchannel, uint32_t method,
                                                uint32_t data, enum puller_result *result) {
    *result = PULLER_STALL;
    if (id != (PULLER_REG(c, pull1) & PULL1_ENGINE) && puller_last_engine_busy(c))
        return NULL;
    if (puller_held(c, id, subchannel, method, data))
        return NULL;
    struct fifo_engine *engine = id ? puller_engine(c, id) : NULL;
    if (engine)
        return engine;
    if (id && c->family->puller->has_invalid_engine)
        *result = puller_stop(c, subchannel, method, data, PULL0_INVALID_ENGINE, "INVALID_ENGINE");
    else
        *result = puller_stop(c, subchannel, method, data, PULL0_DEVICE_SOFTWARE, "DEVICE_SOFTWARE");
    return NULL;
}

static enum puller_result puller_bind(struct cache_fifo *c, uint32_t subchannel, uint32_t handle) {
    struct ramht_hit hit;
    enum puller_result result;
    if (!puller_translate(c, handle, &hit))
        return puller_stop(c, subchannel, 0, handle, PULL0_HASH_FAILED, "HASH_FAILED");
    PULLER_REG(c, hash) = hit.instance | 1u << (c->family->ramht->layout->instance_bits > 16 ? 24 : 16);
    struct fifo_engine *engine = puller_choose_engine(c, hit.engine, subchannel, 0, handle, &result);
    if (!engine)
        return result;
    uint32_t object_class = c->family->ramht->object_class(&c->context, hit.instance, hit.engine);
    event_send(c->base.events, EVENT_PULLER_BIND, c->context.id, NULL, subchannel, handle, object_class, hit.engine,
               hit.instance);
    c->puller.bound[c->context.id][subchannel] = object_class;
    PULLER_REG(c, engine) = (PULLER_REG(c, engine) & ~(0xfu << (4 * subchannel))) | hit.engine << (4 * subchannel);
    PULLER_REG(c, pull1) = (PULLER_REG(c, pull1) & ~PULL1_ENGINE) | hit.engine;
    if (engine->built_in)
        unit_bind(c->base.units[hit.engine], subchannel, hit.instance);
    engine->ops->bind(engine->engine, &c->context, subchannel, object_class, hit.instance);
    return PULLER_DONE;
}

static enum puller_result puller_forward(struct cache_fifo *c, uint32_t subchannel, uint32_t method, uint32_t data) {
    uint32_t id = PULLER_REG(c, engine) >> (4 * subchannel) & 0xf;
    uint32_t parameter = data;
    enum puller_result result;
    if (method >= 0x180 && method < 0x200) {
        struct ramht_hit hit;
        if (!puller_translate(c, data, &hit))
            return puller_stop(c, subchannel, method, data, PULL0_HASH_FAILED, "HASH_FAILED");
        PULLER_REG(c, hash) = hit.instance | 1u << (c->family->ramht->layout->instance_bits > 16 ? 24 : 16);
        parameter = hit.instance;
    }
    struct fifo_engine *engine = puller_choose_engine(c, id, subchannel, method, data, &result);
    if (!engine)
        return result;
    PULLER_REG(c, pull1) = (PULLER_REG(c, pull1) & ~PULL1_ENGINE) | id;
    struct pfifo_methods run = {&parameter, 1, (uint16_t)method, 4, (uint8_t)subchannel, &c->context};
    return engine->ops->methods(engine->engine, &run) ? PULLER_DONE : PULLER_STALL;
}

enum puller_result puller_execute(struct cache_fifo *c, uint32_t subchannel, uint32_t method, uint32_t data) {
    if (method == 0)
        return puller_bind(c, subchannel, data);
    if (method >= 0x100)
        return puller_forward(c, subchannel, method, data);
    if (c->puller.host[method >> 2])
        return c->puller.host[method >> 2](c, method, data);
    /* Only a driver that writes CACHE1 by hand gets here. */
    return puller_stop(c, subchannel, method, data, PULL0_HASH_FAILED, "unknown method in CACHE1");
}

/* UNKNOWN: methods below 0x100 in CACHE0; chosen: it accepts only the binding. */
enum puller_result puller_execute_cache0(struct cache_fifo *c, uint32_t subchannel, uint32_t method, uint32_t data) {
    if (method == 0 || method >= 0x100)
        return puller_execute(c, subchannel, method, data);
    return puller_stop(c, subchannel, method, data, PULL0_HASH_FAILED, "unknown method in CACHE0");
}

uint32_t puller_last_engine(const struct cache_fifo *c) {
    return c->r.pull1 & (CHIP_MAX_ENGINES - 1);
}

bool puller_can_pull(struct cache_fifo *c) {
    if (!(c->r.pull0 & PULL_ACCESS))
        return false;
    if (host_acquires(c) && !host_acquire_satisfied(c))
        return false;
    return !cache_empty(c);
}

void puller_step(struct cache_fifo *c, uint64_t *units) {
    const struct cache_entry entry = cache_at(c, c->r.get);
    uint32_t subchannel = entry.method >> 13 & 7;
    uint32_t method = entry.method & STATE_METHOD;
    c->r.pull0 &= ~PULL0_CAUSE;
    if (!c->puller.announced) {
        event_send(c->base.events, EVENT_PULLER_METHOD, c->context.id, NULL, subchannel,
                   c->puller.bound[c->context.id][subchannel], method, entry.data);
        c->puller.announced = true;
    }
    pusher_look_ahead(c);
    enum puller_result result = c->family->puller->execute(c, subchannel, method, entry.data);
    if (result == PULLER_DONE)
        cache_pop(c);
    c->puller.again = result == PULLER_STALL;
    *units = result == PULLER_STALL ? cache_slice_units(c) : 1;
}
