/* SPDX-License-Identifier: MIT */
/*
 * The pullers of the reference: envytools docs/hw/fifo/puller.rst, one entry at a time. CACHE0 has one of its own,
 * which knows fewer methods. Semaphores: semaphores.c.
 */
#include "puller.h"

/* A register of the cache that the method is in; named by that of CACHE1. */
static uint32_t *own(struct reference *r, const struct method *m, uint32_t offset) {
    return reg(r, m->cache0 ? CACHE0(offset) : offset);
}

uint32_t ref_channel_of(const struct reference *r, const struct method *m) {
    return value_of(r, m->cache0 ? CACHE0(PUSH1) : PUSH1) & ref_channel_mask(r);
}

/* ---- errors ---- */

static enum result cache_error(struct reference *r, const struct method *m, uint32_t cause, const char *name) {
    *own(r, m, PULL0) = (*own(r, m, PULL0) & ~(CAUSES | 1)) | cause;
    if (cause == DEVICE_SOFTWARE)
        ref_event(r, "puller.software", NULL, m->subchannel, m->method, m->data, 0, 0);
    else
        ref_event(r, "puller.error", name, m->subchannel, m->method, m->data, 0, 0);
    *reg(r, DEBUG_0) |= m->cache0 ? 0x01 : 0x10;
    ref_interrupt(r, CACHE_ERROR, name);
    return STOP;
}

/* Methods of the puller itself have no subchannel. */
enum result ref_host_error(struct reference *r, const struct method *m, uint32_t code, const char *name) {
    *reg(r, PULL0) = (value_of(r, PULL0) & ~(CAUSES | 1)) | code << 20;
    ref_event(r, "puller.error", name, m->subchannel, m->method, m->data, 0, 0);
    ref_interrupt(r, SEMAPHORE_ERROR, name);
    return STOP;
}

enum result ref_no_handle(struct reference *r, const struct method *m) {
    return cache_error(r, m, HASH_FAILED, "HASH_FAILED");
}

enum result ref_host_done(struct reference *r, const struct method *m, const char *name) {
    ref_event(r, "puller.host", name, m->method, m->data, 0, 0, 0);
    return DONE;
}

/* ---- engines ---- */

static bool exists(const struct reference *r, uint32_t engine) {
    return engine != 0 && (r->config.engines >> engine & 1);
}

static bool last_engine_busy(struct reference *r, const struct method *m) {
    uint32_t last = *own(r, m, PULL1) & 0xf;
    return exists(r, last) && r->config.busy(r->config.opaque, last);
}

/* Before the puller turns to another engine, the last one has to be idle for this channel. */
static enum result turn_to(struct reference *r, const struct method *m, uint32_t engine) {
    if (engine != (*own(r, m, PULL1) & 0xf) && last_engine_busy(r, m))
        return STALL;
    if (exists(r, engine)) {
        if (since(r, G80) && r->engine_channel[engine % 8] != ref_channel_of(r, m))
            r->config.switched(r->config.opaque, engine);
        r->engine_channel[engine % 8] = ref_channel_of(r, m);
        return DONE;
    }
    /* UNKNOWN: an id without an engine before G80; chosen: SOFTWARE. */
    if (engine != 0 && since(r, G80))
        return cache_error(r, m, INVALID_ENGINE, "INVALID_ENGINE");
    return cache_error(r, m, DEVICE_SOFTWARE, "DEVICE_SOFTWARE");
}

static void set_last_engine(struct reference *r, const struct method *m, uint32_t engine) {
    *own(r, m, PULL1) = (*own(r, m, PULL1) & ~0xfu) | engine;
}

/* The handle's instance, which HASH then shows, too. */
static bool translate(struct reference *r, const struct method *m, struct found *found) {
    if (!ref_ramht_find(r, m->data, ref_channel_of(r, m), found))
        return false;
    *own(r, m, HASH) = found->instance | (since(r, G80) ? 0 : since(r, NV40) ? 0x01000000 : 0x00010000);
    return true;
}

static enum result bind(struct reference *r, const struct method *m) {
    struct found found;
    if (!translate(r, m, &found))
        return ref_no_handle(r, m);
    enum result result = turn_to(r, m, found.engine);
    if (result != DONE)
        return result;
    uint32_t object_class = ref_firmware_class(r, found.engine);
    if (!object_class)
        object_class = ref_instance_rd32(r, found.instance, 0) & ref_class_mask(r, found.engine);
    ref_event(r, "puller.bind", NULL, m->subchannel, m->data, object_class, found.engine, found.instance);
    r->bound[ref_channel_of(r, m) % REFERENCE_CHANNELS][m->subchannel] = object_class;
    r->config.bind(r->config.opaque, found.engine, m->subchannel, object_class, found.instance);
    *own(r, m, ENGINE) &= ~(0xfu << (4 * m->subchannel));
    *own(r, m, ENGINE) |= found.engine << (4 * m->subchannel);
    set_last_engine(r, m, found.engine);
    return DONE;
}

static enum result forward(struct reference *r, const struct method *m) {
    uint32_t engine = *own(r, m, ENGINE) >> (4 * m->subchannel) & 0xf, parameter = m->data;
    if (m->method >= 0x180 && m->method <= 0x1fc) {
        struct found found;
        if (!translate(r, m, &found))
            return ref_no_handle(r, m);
        parameter = found.instance;
    }
    enum result result = turn_to(r, m, engine);
    if (result != DONE)
        return result;
    set_last_engine(r, m, engine);
    return r->config.method(r->config.opaque, engine, m->subchannel, m->method, parameter) ? DONE : STALL;
}

/* ---- methods below 0x100 ---- */

/* MCP89 flushes lines of a cache by address. There is no such cache here: only the errors are left of it. */
static enum result flush_lines(struct reference *r, const struct method *m) {
    bool no_operation = m->data >> 29 > 2, no_lines = (m->data & 0x10000000) && !(m->data & 1);
    if (!no_operation && !no_lines)
        return ref_host_done(r, m, "MEM_OP_B");
    const char *name = no_operation ? "FLUSH_OPERATION" : "FLUSH_LINES";
    *reg(r, PULL0) = (value_of(r, PULL0) & ~(CAUSES | 1)) | (no_operation ? FLUSH_OPERATION : FLUSH_LINES);
    ref_event(r, "puller.error", name, m->subchannel, m->method, m->data, 0, 0);
    ref_interrupt(r, LINE_FLUSH, name);
    return STOP;
}

static enum result flush_method(struct reference *r, const struct method *m) {
    struct found found;
    if (m->method == 0x2c)
        return flush_lines(r, m);
    if (m->method == 0x30)
        return ref_ramht_find(r, m->data, ref_channel_of(r, m), &found) ? ref_host_done(r, m, "SYSMEM_FLUSH_CTXDMA")
                                                                        : ref_no_handle(r, m);
    *reg(r, MTHD_28) = m->data;
    return ref_host_done(r, m, "MEM_OP_A");
}

static enum result notify(struct reference *r, const struct method *m) {
    ref_host_done(r, m, "NOTIFY_INTR");
    if (since(r, GT215))
        *reg(r, INTR_NRHOST) |= NOTIFY;
    ref_interrupt(r, NOTIFY, "NOTIFY");
    return DONE;
}

static enum result reference_count(struct reference *r, const struct method *m) {
    if (last_engine_busy(r, m))
        return STALL;
    *reg(r, REF) = m->data;
    ref_event(r, "puller.reference", NULL, m->data, 0, 0, 0, 0);
    return DONE;
}

static enum result host_method(struct reference *r, const struct method *m) {
    /* The pusher lets none of these through; a driver that writes CACHE1 by hand can. */
    if (!ref_host_method_exists(r, m->method))
        return cache_error(r, m, HASH_FAILED, "unknown method in CACHE1");
    switch (m->method) {
    case 0x20:
        return notify(r, m);
    case 0x24:
        return ref_host_done(r, m, "WRCACHE_FLUSH");
    case 0x28:
    case 0x2c:
    case 0x30:
        return flush_method(r, m);
    case 0x50:
        return reference_count(r, m);
    case 0x80:
    case 0x84: /* UNKNOWN: SWITCH_NO_WAIT is listed without a description; chosen: as YIELD */
        ref_event(r, "puller.yield", NULL, m->data, 0, 0, 0, 0);
        ref_yield(r);
        return DONE;
    default:
        return ref_semaphore_method(r, m);
    }
}

/* ---- one step ---- */

bool ref_puller_can_execute(struct reference *r) {
    if (!(value_of(r, PULL0) & 1))
        return false;
    if ((value_of(r, PULL1) & ACQUIRE_ACTIVE) && ref_semaphore_still_waits(r))
        return false;
    return ref_cache_used(r) != 0;
}

bool ref_cache0_can_execute(const struct reference *r) {
    return !since(r, G80) && (value_of(r, CACHE0(PULL0)) & 1) && value_of(r, CACHE0(PUT)) != value_of(r, CACHE0(GET));
}

static enum result execute(struct reference *r, const struct method *m) {
    if (m->method == 0)
        return bind(r, m);
    if (m->method >= 0x100)
        return forward(r, m);
    /* UNKNOWN: methods of the puller in CACHE0; chosen: it has none. */
    return m->cache0 ? cache_error(r, m, HASH_FAILED, "unknown method in CACHE0") : host_method(r, m);
}

static bool step(struct reference *r, const struct method *m) {
    unsigned cache = m->cache0 ? 0 : 1;
    *own(r, m, PULL0) &= ~CAUSES; /* they describe the last entry that was tried */
    /* UNKNOWN: what engines see of a CHID of 9 bits on NV40, which has areas for 32; chosen: the low 7 bits. */
    r->serving = ref_channel_of(r, m) % REFERENCE_CHANNELS;
    if (!r->announced[cache]) /* of what stays in CACHE0 only a wait for its engine is no news */
        ref_event(r, "puller.method", NULL, m->subchannel, r->bound[r->serving % REFERENCE_CHANNELS][m->subchannel],
                  m->method, m->data, 0);
    r->announced[cache] = true;
    ref_pusher_look_ahead(r);
    enum result result = execute(r, m);
    r->stalled[cache] = result == STALL;
    if (result == DONE || (m->cache0 && result == STOP))
        r->announced[cache] = false;
    if (result == DONE) {
        if (m->cache0)
            *reg(r, CACHE0(GET)) ^= 4;
        else
            ref_advance(r, GET);
    }
    return result != STALL;
}

static struct method method_of(struct reference_entry entry) {
    return (struct method){entry.method >> 13 & 7, entry.method & 0x1ffc, entry.data, false};
}

bool ref_puller_execute(struct reference *r) {
    const struct method m = method_of(*ref_cache_entry(r, value_of(r, GET)));
    return step(r, &m);
}

bool ref_cache0_execute(struct reference *r) {
    struct reference_entry entry = {value_of(r, CACHE0_METHOD), value_of(r, CACHE0_DATA)};
    struct method m = method_of(entry);
    m.cache0 = true;
    return step(r, &m);
}
