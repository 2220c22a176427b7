/* SPDX-License-Identifier: MIT */
#include "fifo/cache/cache_graph_input.h"

#include "unit/graph/graph_input.h"

static unsigned graph_engine(const struct cache_fifo *c) {
    unsigned id = 0;
    while (id + 1 < CHIP_MAX_ENGINES && c->base.chip->engines[id] != CHIP_UNIT_PGRAPH)
        id++;
    return id;
}

/* The channel of the method; where the stage does not say, the one that the engine works for. */
static struct pfifo_channel_context context_of(struct cache_fifo *c, const struct fifo_engine *engine,
                                               uint32_t channel) {
    if (channel == UINT32_MAX)
        channel = engine->channel;
    if (c->family->g80 || channel >= CACHE_CHANNELS)
        return c->context;
    return (struct pfifo_channel_context){.fifo = &c->base, .id = channel};
}

/* The engine works for the channel, and has the object on the subchannel. */
static void input_bind(struct cache_fifo *c, unsigned id, const struct graph_input *input, uint32_t object_class,
                       uint32_t instance) {
    struct fifo_engine *engine = &c->base.engines[id];
    uint32_t subchannel = input->method.subchannel,
             *bound = &c->puller.bound[c->context.id % CACHE_CHANNELS][subchannel];
    if (*bound == object_class && input->method.method != 0)
        return;
    event_send(c->base.events, EVENT_PULLER_BIND, c->context.id, NULL, subchannel, instance, object_class, id,
               instance);
    *bound = object_class;
    engine->ops->bind(engine->engine, &c->context, subchannel, object_class, instance);
}

/* False: the engine does not take it now. Data of methods for objects is an instance, as the puller passes it on. */
static bool input_send(struct cache_fifo *c, unsigned id, const struct graph_input *input) {
    struct fifo_engine *engine = &c->base.engines[id];
    uint32_t object_class, instance;
    const struct unit_method *m = &input->method;
    if (engine->channel != c->context.id) {
        event_send(c->base.events, EVENT_ENGINE_SWITCH, c->context.id, NULL, engine->channel, c->context.id);
        engine->channel = c->context.id;
        engine->used = true;
        if (engine->ops->switch_channel)
            engine->ops->switch_channel(engine->engine, &c->context);
    }
    if (graph_input_object(c->base.graph, input, &object_class, &instance))
        input_bind(c, id, input, object_class, instance);
    const struct pfifo_methods run = {&m->data, 1, (uint16_t)m->method, 4, (uint8_t)m->subchannel, &c->context};
    return m->method == 0 || engine->ops->methods(engine->engine, &run);
}

bool cache_graph_input(struct cache_fifo *c) {
    struct pgraph *graph = c->base.graph;
    if (!graph || !graph_input_waits(graph))
        return false;
    const struct graph_input input = graph_input_method(graph);
    unsigned id = graph_engine(c);
    const struct pfifo_channel_context context = c->context;
    if (!c->base.engines[id].ops || !graph_input_takes(graph, &input))
        return false;
    c->context = context_of(c, &c->base.engines[id], input.channel);
    graph_input_begin(graph, &input);
    bool taken = input_send(c, id, &input), works = !taken && fifo_engine_works(&c->base.engines[id], &c->context);
    graph_input_end(graph, &input, taken);
    c->context = context;
    return taken || works;
}

void cache_graph_input_written(void *host) {
    struct cache_fifo *c = host;
    cache_renew_context(c);
    cache_graph_input(c);
}
