/* SPDX-License-Identifier: MIT */
/*
 * The pullers of the reference: envytools docs/hw/fifo/puller.rst, one entry at a time. CACHE0 has one of its own,
 * which knows fewer methods.
 */
#include "state.h"

enum result {
    DONE,  /* the entry is consumed */
    STALL, /* it stays until it can be executed */
    STOP,  /* it stays, and the puller is off */
};

/* Codes of SEMAPHORE errors. */
enum { NV1A_INVALID_OPERAND = 1, NV1A_INVALID_STATE = 2 };
enum { G80_UNALIGNED = 1, G80_INVALID_STATE = 2, G80_TOO_LARGE = 3, G80_MEM_FAULT = 4 };

#define NV1A_VALID       0x00000001u /* SEMAPHORE */
#define NV1A_OFFSET      0x00000ffcu
#define NV1A_PAGE        0xfffff000u
#define G80_OFFSET_VALID 0x00004000u
#define LONG_BYTES       16

struct method {
    uint32_t subchannel, method, data;
    bool cache0;
};

/* A register of the cache that the method is in; named by that of CACHE1. */
static uint32_t *own(struct reference *r, const struct method *m, uint32_t offset) {
    return reg(r, m->cache0 ? CACHE0(offset) : offset);
}

static uint32_t channel_of(const struct reference *r, const struct method *m) {
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
static enum result host_error(struct reference *r, const struct method *m, uint32_t code, const char *name) {
    *reg(r, PULL0) = (value_of(r, PULL0) & ~(CAUSES | 1)) | code << 20;
    ref_event(r, "puller.error", name, m->subchannel, m->method, m->data, 0, 0);
    ref_interrupt(r, SEMAPHORE_ERROR, name);
    return STOP;
}

static enum result no_handle(struct reference *r, const struct method *m) {
    return cache_error(r, m, HASH_FAILED, "HASH_FAILED");
}

static enum result host_done(struct reference *r, const struct method *m, const char *name) {
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
        r->engine_channel[engine % 8] = channel_of(r, m);
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
    if (!ref_ramht_find(r, m->data, channel_of(r, m), found))
        return false;
    *own(r, m, HASH) = found->instance | (since(r, G80) ? 0 : since(r, NV40) ? 0x01000000 : 0x00010000);
    return true;
}

static enum result bind(struct reference *r, const struct method *m) {
    struct found found;
    if (!translate(r, m, &found))
        return no_handle(r, m);
    enum result result = turn_to(r, m, found.engine);
    if (result != DONE)
        return result;
    uint32_t object_class = ref_instance_rd32(r, found.instance, 0) & ref_class_mask(r);
    ref_event(r, "puller.bind", NULL, m->subchannel, m->data, object_class, found.engine, found.instance);
    r->bound[channel_of(r, m) % REFERENCE_CHANNELS][m->subchannel] = object_class;
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
            return no_handle(r, m);
        parameter = found.instance;
    }
    enum result result = turn_to(r, m, engine);
    if (result != DONE)
        return result;
    set_last_engine(r, m, engine);
    return r->config.method(r->config.opaque, engine, m->subchannel, m->method, parameter) ? DONE : STALL;
}

/* ---- semaphores ---- */

static uint64_t old_address(const struct reference *r) {
    uint32_t semaphore = value_of(r, SEMAPHORE);
    return since(r, G80) ? (semaphore & 0x3fff) * 4 : semaphore & (NV1A_PAGE | NV1A_OFFSET);
}

static uint64_t new_address(const struct reference *r) {
    return (uint64_t)value_of(r, SEM_ADDRESS_HIGH) << 32 | value_of(r, SEM_ADDRESS_LOW);
}

static bool semaphore_read(struct reference *r, uint64_t address, uint32_t *value) {
    if (!ref_semaphore_rd32(r, address, value))
        return false;
    if (ref_big_endian(r))
        *value = ref_swap(*value);
    return true;
}

static bool acquired(uint32_t memory, uint32_t wanted, bool gequal) {
    return gequal ? (memory - wanted) >> 31 == 0 : memory == wanted;
}

/* UNKNOWN: units of the acquire clock; chosen: PTIMER / 32, from G80 on / 1024. */
static uint32_t acquire_clock(const struct reference *r) {
    return (uint32_t)(r->time >> (since(r, G80) ? 10 : 5));
}

/* The method is done in any case; if the value is not there yet, PULL1 says so, and what follows has to wait. */
static enum result acquire(struct reference *r, const struct method *m, uint32_t wanted, bool is_new, bool gequal) {
    uint64_t address = is_new ? new_address(r) : old_address(r);
    uint32_t memory;
    if (!semaphore_read(r, address, &memory)) {
        ref_g80_fault(r, 5, 8, 1);
        return host_error(r, m, G80_MEM_FAULT, "MEM_FAULT");
    }
    bool at_once = acquired(memory, wanted, gequal);
    ref_event(r, "puller.acquire", at_once ? "acquired" : "waits", address, wanted, memory, 0, 0);
    if (at_once)
        return DONE;
    *reg(r, ACQUIRE_VALUE) = wanted;
    *reg(r, ACQUIRE_TIMESTAMP) = acquire_clock(r);
    if (since(r, G80))
        *reg(r, PULL1) &= ~(ACQUIRE_NEW | ACQUIRE_GEQUAL);
    *reg(r, PULL1) |= ACQUIRE_ACTIVE | (is_new ? ACQUIRE_NEW : 0) | (gequal ? ACQUIRE_GEQUAL : 0);
    return DONE;
}

static uint64_t waiting_address(const struct reference *r) {
    return since(r, G84) && (value_of(r, PULL1) & ACQUIRE_NEW) ? new_address(r) : old_address(r);
}

void ref_puller_waits_for(struct reference *r, struct reference_stop *stop) {
    stop->address = waiting_address(r);
    stop->expected = value_of(r, ACQUIRE_VALUE);
    if (!semaphore_read(r, stop->address, &stop->found))
        stop->found = 0;
}

/* Try again. UNKNOWN: the timeout; chosen: raised once after so many ticks, 0 and all ones mean never. */
static bool still_waits(struct reference *r) {
    uint64_t address = waiting_address(r);
    uint32_t memory, wanted = value_of(r, ACQUIRE_VALUE);
    if (!semaphore_read(r, address, &memory)) {
        const struct method none = {0};
        *reg(r, PULL1) &= ~ACQUIRE_ACTIVE;
        ref_g80_fault(r, since(r, G84) ? 0xc : 5, 8, 1);
        host_error(r, &none, G80_MEM_FAULT, "MEM_FAULT");
        return true;
    }
    if (acquired(memory, wanted, since(r, G84) && (value_of(r, PULL1) & ACQUIRE_GEQUAL))) {
        ref_event(r, "puller.acquire", "acquired", address, wanted, memory, 0, 0);
        *reg(r, PULL1) &= ~ACQUIRE_ACTIVE;
        return false;
    }
    uint32_t timeout = value_of(r, ACQUIRE_TIMEOUT) & 0x7fffffff;
    bool expires = timeout != 0 && timeout != 0x7fffffff && !since(r, G80); /* UNKNOWN on G80; chosen: never */
    if (expires && acquire_clock(r) - value_of(r, ACQUIRE_TIMESTAMP) >= timeout && !(value_of(r, INTR) & TIMED_OUT))
        ref_interrupt(r, TIMED_OUT, "ACQUIRE_TIMEOUT");
    return true;
}

static void put_word(uint8_t *bytes, uint32_t word) {
    for (unsigned i = 0; i < 4; i++)
        bytes[i] = (uint8_t)(word >> (8 * i));
}

/* Short: the value. Long: the value, 0, and the time in nanoseconds. */
static enum result release(struct reference *r, const struct method *m, uint64_t address, uint32_t value,
                           bool is_long) {
    uint8_t record[LONG_BYTES] = {0};
    size_t bytes = is_long ? LONG_BYTES : 4;
    struct place place[LONG_BYTES];
    put_word(record, ref_big_endian(r) ? ref_swap(value) : value);
    uint32_t low = (uint32_t)r->time, high = (uint32_t)(r->time >> 32);
    put_word(record + 8, ref_big_endian(r) ? ref_swap(high) : low);
    put_word(record + 12, ref_big_endian(r) ? ref_swap(low) : high);
    if (!ref_semaphore_place(r, address, bytes, true, place)) {
        ref_g80_fault(r, 5, 4, 1);
        return host_error(r, m, G80_MEM_FAULT, "MEM_FAULT");
    }
    for (size_t i = 0, n; i < bytes; i += n) {
        for (n = 1;
             i + n < bytes && place[i + n].target == place[i].target && place[i + n].address == place[i].address + n;)
            n++;
        reference_memory_write(r, place[i].target, place[i].address, &record[i], n);
    }
    ref_event(r, "puller.release", NULL, address, value, bytes, 0, 0);
    return DONE;
}

/* Only class 2 (reading) with write-only access is taken: a defect of the hardware. */
static enum result nv1a_object(struct reference *r, const struct method *m) {
    struct found found;
    uint32_t page = 0;
    if (!ref_ramht_find(r, m->data, channel_of(r, m), &found))
        return no_handle(r, m);
    uint32_t word = ref_instance_rd32(r, found.instance, 0);
    if ((word & 0xfff) != 2 || (word >> 14 & 3) != 2 || !ref_first_page(r, found.instance, &page))
        return host_error(r, m, NV1A_INVALID_OPERAND, "INVALID_OPERAND");
    *reg(r, PULL1) = (value_of(r, PULL1) & ~0x30000u) | (word & 0x30000);
    *reg(r, SEMAPHORE) = page | (value_of(r, SEMAPHORE) & NV1A_OFFSET) | NV1A_VALID;
    return host_done(r, m, "DMA_SEMAPHORE");
}

static enum result g80_object(struct reference *r, const struct method *m) {
    struct found found;
    if (!ref_ramht_find(r, m->data, channel_of(r, m), &found))
        return no_handle(r, m);
    *reg(r, SEMAPHORE) = (value_of(r, SEMAPHORE) & 0xffff) | found.instance << 16;
    return host_done(r, m, "DMA_SEMAPHORE");
}

static enum result set_offset(struct reference *r, const struct method *m) {
    if (!since(r, G80)) {
        if (m->data & ~NV1A_OFFSET)
            return host_error(r, m, NV1A_INVALID_OPERAND, "INVALID_OPERAND");
        *reg(r, SEMAPHORE) = (value_of(r, SEMAPHORE) & ~NV1A_OFFSET) | m->data;
    } else {
        if (m->data & 3)
            return host_error(r, m, G80_UNALIGNED, "ADDRESS_UNALIGNED");
        if (m->data & 0xffff0000)
            return host_error(r, m, G80_TOO_LARGE, "ADDRESS_TOO_LARGE");
        *reg(r, SEMAPHORE) = (value_of(r, SEMAPHORE) & 0xffff0000) | G80_OFFSET_VALID | m->data >> 2;
    }
    return host_done(r, m, "SEMAPHORE_OFFSET");
}

static enum result trigger(struct reference *r, const struct method *m) {
    uint32_t sequence = value_of(r, SEM_SEQUENCE);
    switch (m->data & (since(r, MCP89) ? 0xf : 7)) {
    case 1:
        return acquire(r, m, sequence, true, false);
    case 2:
        return release(r, m, new_address(r), sequence, true);
    case 4:
        return acquire(r, m, sequence, true, true);
    default: /* the channel hangs */
        if (!r->stalled[1])
            ref_event(r, "fifo.unknown", "SEMAPHORE_TRIGGER that never ends", m->data, 0, 0, 0, 0);
        return STALL;
    }
}

/* ---- methods below 0x100 ---- */

static enum result old_semaphore(struct reference *r, const struct method *m) {
    uint32_t valid = since(r, G80) ? G80_OFFSET_VALID : NV1A_VALID;
    if (!(value_of(r, SEMAPHORE) & valid))
        return host_error(r, m, since(r, G80) ? G80_INVALID_STATE : NV1A_INVALID_STATE, "INVALID_STATE");
    return m->method == 0x68 ? acquire(r, m, m->data, false, false) : release(r, m, old_address(r), m->data, false);
}

static enum result new_semaphore(struct reference *r, const struct method *m) {
    switch (m->method) {
    case 0x10:
        if (m->data & 0xffffff00)
            return host_error(r, m, G80_TOO_LARGE, "ADDRESS_TOO_LARGE");
        *reg(r, SEM_ADDRESS_HIGH) = m->data;
        return host_done(r, m, "SEMAPHORE_ADDRESS_HIGH");
    case 0x14:
        if (m->data & 3)
            return host_error(r, m, G80_UNALIGNED, "ADDRESS_UNALIGNED");
        *reg(r, SEM_ADDRESS_LOW) = m->data;
        return host_done(r, m, "SEMAPHORE_ADDRESS_LOW");
    default:
        *reg(r, SEM_SEQUENCE) = m->data;
        return host_done(r, m, "SEMAPHORE_SEQUENCE");
    }
}

/* MCP89 flushes lines of a cache by address. There is no such cache here: only the errors are left of it. */
static enum result flush_lines(struct reference *r, const struct method *m) {
    bool no_operation = m->data >> 29 > 2, no_lines = (m->data & 0x10000000) && !(m->data & 1);
    if (!no_operation && !no_lines)
        return host_done(r, m, "MEM_OP_B");
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
        return ref_ramht_find(r, m->data, channel_of(r, m), &found) ? host_done(r, m, "SYSMEM_FLUSH_CTXDMA")
                                                                    : no_handle(r, m);
    *reg(r, MTHD_28) = m->data;
    return host_done(r, m, "MEM_OP_A");
}

static enum result notify(struct reference *r, const struct method *m) {
    host_done(r, m, "NOTIFY_INTR");
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
    case 0x1c:
        return trigger(r, m);
    case 0x20:
        return notify(r, m);
    case 0x24:
        return host_done(r, m, "WRCACHE_FLUSH");
    case 0x28:
    case 0x2c:
    case 0x30:
        return flush_method(r, m);
    case 0x50:
        return reference_count(r, m);
    case 0x60:
        return since(r, G80) ? g80_object(r, m) : nv1a_object(r, m);
    case 0x64:
        return set_offset(r, m);
    case 0x68:
    case 0x6c:
        return old_semaphore(r, m);
    case 0x80:
    case 0x84: /* UNKNOWN: SWITCH_NO_WAIT is listed without a description; chosen: as YIELD */
        ref_event(r, "puller.yield", NULL, m->data, 0, 0, 0, 0);
        r->yield = true;
        return DONE;
    default:
        return new_semaphore(r, m);
    }
}

/* ---- one step ---- */

bool ref_puller_can_execute(struct reference *r) {
    if (!(value_of(r, PULL0) & 1))
        return false;
    if ((value_of(r, PULL1) & ACQUIRE_ACTIVE) && still_waits(r))
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
    r->serving = channel_of(r, m);
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
