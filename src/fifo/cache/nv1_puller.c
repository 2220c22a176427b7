/* SPDX-License-Identifier: MIT */
/*
 * The puller of NV1 and NV3: no engine numbers and no instances for methods, but a context word per subchannel.
 *
 *   method 0 --RAMHT--> context --> CTX[subchannel], PGRAPH      others --> PGRAPH, after the context if it changed
 *
 * A context that is not PGRAPH's is software: the driver executes the method. PGRAPH of NV3 knows on which subchannel
 * it is, and asks a context for its type only when that changes: a method on the subchannel that CTX_USER shows is for
 * the type that CTX_USER shows.
 *
 * Sources: envytools docs/hw/fifo/puller.rst, docs/hw/graph/intro.rst (types), rnndb/fifo/nv_object.xml (classes),
 * rnndb/fifo/nv1_pfifo.xml, hwtest/pgraph_mthd.cc; XFree86 nv1ref.h.
 */
#include "fifo/cache/nv1.h"

#include "fifo/cache/queue.h"
#include "unit/graph/graph.h"
#include "unit/graph/graph_follow.h"

#define ENGINE_GRAPH    1u
#define CONTEXT_TYPE(w) ((w) >> 16 & 0x7f)
#define CONTEXT_GRAPH   (1u << 23) /* NV3 */
#define FIRST_TYPE      0x41u      /* windows of PGRAPH's objects: 0x410000 .. 0x5effff */
#define LAST_TYPE       0x5eu
#define CONTEXT_OBJECT  0x001f0000u /* the bits of the type that PGRAPH uses */

/*
 * PGRAPH has 32 types of objects and no classes. These are the class numbers that drivers and later chips use for them.
 * A type that is not listed does not exist; its number is 0xff00 + type, which is no class.
 */
#define NO_TYPE 0xff00u
static const uint8_t nv1_classes[32] = {
    [0x01] = 0x12, [0x02] = 0x14, [0x03] = 0x17, [0x04] = 0x16, [0x05] = 0x19, [0x06] = 0x18, [0x08] = 0x1a,
    [0x09] = 0x1b, [0x0a] = 0x1c, [0x0b] = 0x1d, [0x0c] = 0x1e, [0x0d] = 0x23, [0x0e] = 0x24, [0x10] = 0x1f,
    [0x11] = 0x21, [0x12] = 0x22, [0x13] = 0x20, [0x14] = 0x25, [0x1d] = 0x34, [0x1e] = 0x35,
};
static const uint8_t nv3_classes[32] = {
    [0x01] = 0x12, [0x02] = 0x43, [0x03] = 0x17, [0x04] = 0x16, [0x05] = 0x19, [0x06] = 0x18,
    [0x07] = 0x1e, [0x08] = 0x1a, [0x09] = 0x1b, [0x0a] = 0x1c, [0x0b] = 0x1d, [0x0c] = 0x4b,
    [0x0d] = 0x39, [0x0e] = 0x37, [0x10] = 0x1f, [0x11] = 0x21, [0x12] = 0x22, [0x14] = 0x25,
    [0x15] = 0x36, [0x17] = 0x48, [0x18] = 0x47, [0x1c] = 0x58,
};

const struct nv1_variant nv1_variant = {.context_mask = NV1_CONTEXT,
                                        .classes = nv1_classes,
                                        .graph_by_type = true,
                                        .subchannel_in_pull1 = true,
                                        .has_fixed_areas = true};
const struct nv1_variant nv3_variant = {
    .context_mask = NV3_CONTEXT, .classes = nv3_classes, .channel_in_context = true};

uint32_t nv1_class(const struct cache_fifo *c, uint32_t context) {
    uint32_t type = (context & CONTEXT_OBJECT) >> 16;
    uint32_t known = c->family->nv1->classes[type];
    return known ? known : NO_TYPE | type;
}

/*
 * UNKNOWN: how NV1 recognizes PGRAPH's contexts, since CTX does not keep the bit of NV3. Chosen: by the type, which is
 * the number of the object's own window in BAR0.
 */
static bool nv1_is_graph(const struct cache_fifo *c, uint32_t context) {
    if (!c->family->nv1->graph_by_type)
        return (context & CONTEXT_GRAPH) != 0;
    return CONTEXT_TYPE(context) >= FIRST_TYPE && CONTEXT_TYPE(context) <= LAST_TYPE;
}

static uint32_t nv1_last_subchannel(const struct cache_fifo *c) {
    return c->family->nv1->subchannel_in_pull1 ? c->r.pull1 & NV1_SUBCHANNEL : c->r.last_subchannel;
}

static void nv1_set_last_subchannel(struct cache_fifo *c, uint32_t subchannel) {
    if (c->family->nv1->subchannel_in_pull1)
        c->r.pull1 = (c->r.pull1 & ~(NV1_SUBCHANNEL | NV1_OBJECT_CHANGED)) | subchannel;
    else
        c->r.last_subchannel = subchannel;
}

/* The driver takes over when PGRAPH has finished the methods before. */
static enum puller_result nv1_puller_nv1_software(struct cache_fifo *c, uint32_t subchannel, uint32_t method,
                                                  uint32_t data) {
    const struct fifo_engine *engine = &c->base.engines[ENGINE_GRAPH];
    if (engine->ops && engine->ops->busy && engine->ops->busy(engine->engine, &c->context))
        return PULLER_STALL;
    return puller_stop(c, subchannel, method, data, PULL0_DEVICE_SOFTWARE, "DEVICE_SOFTWARE");
}

/*
 * PGRAPH loads the parts of a context that its methods need. Returns the context with the type that the method is for.
 */
static uint32_t nv1_show_object(struct cache_fifo *c, const struct fifo_engine *engine, uint32_t subchannel,
                                uint32_t context, uint32_t method, uint32_t data) {
    const struct unit_method m = {.subchannel = subchannel, .method = method, .data = data};
    if (!engine->built_in)
        return context;
    uint32_t before = graph_options(c->base.graph);
    uint32_t type = graph_object(c->base.graph, c->context.id, context, nv1_class(c, context), &m);
    graph_follow(c->base.graph, type, method, data, before);
    return (context & ~CONTEXT_OBJECT) | type << 16;
}

/* PGRAPH's type on the subchannel differs from the engine's. */
static bool nv1_is_other_type(const struct cache_fifo *c, const struct fifo_engine *engine, uint32_t subchannel,
                              uint32_t context) {
    return engine->built_in && c->puller.bound[c->context.id][subchannel] != nv1_class(c, context);
}

/* PGRAPH, on this channel; NULL: not now. */
static struct fifo_engine *nv1_graph(struct cache_fifo *c, uint32_t subchannel, uint32_t method, uint32_t data) {
    return puller_held(c, ENGINE_GRAPH, subchannel, method, data) ? NULL : puller_engine(c, ENGINE_GRAPH);
}

/* Send PGRAPH the context of a subchannel, as a method 0. */
static void nv1_send_context(struct cache_fifo *c, struct fifo_engine *engine, uint32_t subchannel, uint32_t context) {
    uint32_t object_class = nv1_class(c, context);
    c->puller.bound[c->context.id][subchannel] = object_class;
    engine->ops->bind(engine->engine, &c->context, subchannel, object_class, context & 0xffff);
}

static enum puller_result nv1_send_method(struct cache_fifo *c, struct fifo_engine *engine, uint32_t subchannel,
                                          uint32_t method, uint32_t data) {
    struct pfifo_methods run = {&data, 1, (uint16_t)method, 4, (uint8_t)subchannel, &c->context};
    return engine->ops->methods(engine->engine, &run) ? PULLER_DONE : PULLER_STALL;
}

/* Method 0. The context is handed on and returned in `found`; a software object keeps the old one. */
static enum puller_result nv1_bind(struct cache_fifo *c, uint32_t subchannel, uint32_t handle, uint32_t *found) {
    if (!nv1_lookup(c, handle, puller_channel(c), found))
        return puller_stop(c, subchannel, 0, handle, PULL0_HASH_FAILED, "HASH_FAILED");
    if (!nv1_is_graph(c, *found))
        return nv1_puller_nv1_software(c, subchannel, 0, handle);
    struct fifo_engine *engine = nv1_graph(c, subchannel, 0, handle);
    if (!engine)
        return PULLER_STALL;
    event_send(c->base.events, EVENT_PULLER_BIND, c->context.id, NULL, subchannel, handle, nv1_class(c, *found),
               ENGINE_GRAPH, *found & 0xffff);
    nv1_show_object(c, engine, subchannel, *found, 0, handle);
    nv1_send_context(c, engine, subchannel, *found);
    return PULLER_DONE;
}

enum puller_result nv1_execute(struct cache_fifo *c, uint32_t subchannel, uint32_t method, uint32_t data) {
    uint32_t context = c->r.context[subchannel];
    if (method == 0) {
        enum puller_result result = nv1_bind(c, subchannel, data, &context);
        if (result != PULLER_DONE)
            return result;
        c->r.context[subchannel] = context;
        nv1_set_last_subchannel(c, subchannel);
        c->r.pull1 |= NV1_CONTEXT_DIRTY;
        return PULLER_DONE;
    }
    if (!nv1_is_graph(c, context))
        return nv1_puller_nv1_software(c, subchannel, method, data);
    struct fifo_engine *engine = nv1_graph(c, subchannel, method, data);
    if (!engine)
        return PULLER_STALL;
    context = nv1_show_object(c, engine, subchannel, context, method, data);
    bool changed = c->family->nv1->subchannel_in_pull1 && (c->r.pull1 & NV1_OBJECT_CHANGED);
    if (changed || subchannel != nv1_last_subchannel(c) || nv1_is_other_type(c, engine, subchannel, context)) {
        nv1_send_context(c, engine, subchannel, context);
        nv1_set_last_subchannel(c, subchannel);
    }
    return nv1_send_method(c, engine, subchannel, method, data);
}

void nv1_send_to_graph(struct cache_fifo *c, uint32_t subchannel, uint32_t context, uint32_t method, uint32_t data) {
    struct fifo_engine *engine = puller_engine(c, ENGINE_GRAPH);
    if (!engine)
        return;
    if (c->puller.bound[c->context.id][subchannel] != nv1_class(c, context))
        nv1_send_context(c, engine, subchannel, context);
    if (engine->built_in)
        graph_follow(c->base.graph, context >> 16 & 0x1f, method, data, graph_options(c->base.graph));
    nv1_send_method(c, engine, subchannel, method, data);
    if (!engine->built_in)
        c->r.pull1 |= NV1_OBJECT_CHANGED; /* nobody else tells PFIFO that its own object must go there again */
}

/* CACHE0 has one context, which is sent to PGRAPH with each command, and again if it did not take the command. */
enum puller_result nv1_execute_cache0(struct cache_fifo *c, uint32_t subchannel, uint32_t method, uint32_t data) {
    uint32_t context = c->r.cache0.context;
    if (method == 0) {
        enum puller_result result = nv1_bind(c, subchannel, data, &context);
        if (result == PULLER_DONE)
            c->r.cache0.context = context & NV3_CONTEXT; /* it has no FREE_LIE */
        return result;
    }
    if (!nv1_is_graph(c, context))
        return nv1_puller_nv1_software(c, subchannel, method, data);
    struct fifo_engine *engine = nv1_graph(c, subchannel, method, data);
    if (!engine)
        return PULLER_STALL;
    context = nv1_show_object(c, engine, subchannel, context, method, data);
    nv1_send_context(c, engine, subchannel, context);
    return nv1_send_method(c, engine, subchannel, method, data);
}
