/* SPDX-License-Identifier: MIT */
/* The methods of the reference's PBDMA: what METHOD0 does. */
#include "pbdma_state.h"

#define SOFTWARE 0x1f

static uint32_t subchannel(const struct pbdma_reference *r) {
    return value(r, METHOD0) >> 16 & 7;
}

static uint32_t method(const struct pbdma_reference *r) {
    return value(r, METHOD0) & 0x3ffc;
}

static enum outcome method_error(struct pbdma_reference *r, uint32_t bit, const char *cause) {
    pref_event(r, "puller.error", cause, subchannel(r), method(r), value(r, DATA0), 0, 0);
    return pref_stalls(r, bit, cause);
}

static enum outcome wait_for(struct pbdma_reference *r, uint64_t address, uint32_t expected, uint32_t found) {
    r->waits = (struct reference_stop){.address = address, .expected = expected, .found = found};
    return WAITING;
}

/* ---- engines ---- */

static bool exists(const struct pbdma_reference *r, uint32_t engine) {
    return engine < 32 && (r->config.engines >> engine & 1);
}

/* GF100: as SET_OBJECT said; GK104, graphics runlist: by number. */
static uint32_t engine_of(const struct pbdma_reference *r, uint32_t s) {
    if (!r->config.gf100)
        return s < 4 ? r->config.engine : s == 4 ? r->config.copy : SOFTWARE;
    uint32_t engine = value(r, ENGINES + (s & 4)) >> (s & 3) * 8 & 0x1f;
    return exists(r, engine) ? engine : SOFTWARE;
}

static bool busy(const struct pbdma_reference *r) {
    uint32_t current = value(r, TARGET) & 0x1f;
    return exists(r, current) && r->config.calls.busy(r->config.calls.opaque, current);
}

static enum outcome turn_to(struct pbdma_reference *r, uint32_t engine) {
    if ((value(r, TARGET) & 0x1f) != engine) {
        if (busy(r))
            return wait_for(r, 0, 0, 0);
        *word(r, TARGET) = (value(r, TARGET) & ~0x1fu) | 0x10000 | engine;
    }
    if (r->config.not_served >> engine & 1)
        return LEAVES;
    r->selected = engine;
    return DONE;
}

static void count_method(struct pbdma_reference *r, uint32_t m, uint32_t data) {
    uint32_t tag = m >> 2 | subchannel(r) << 12;
    uint32_t crc = pref_crc_word(value(r, METHOD_CRC), data);
    *word(r, METHOD_CRC) = pref_crc(pref_crc(crc, tag & 0xff), tag >> 8);
}

static enum outcome software(struct pbdma_reference *r) {
    pref_event(r, "puller.software", NULL, subchannel(r), method(r), value(r, DATA0), 0, 0);
    return pref_stalls(r, DEVICE, "DEVICE");
}

/*
 * An engine does not take the class. A copy engine's front end says so; of GF100 the driver becomes the engine where
 * PGRAPH does not [UNKNOWN]; others do not care.
 */
static enum outcome refused(struct pbdma_reference *r, uint32_t engine, uint32_t data) {
    pref_event(r, "puller.error", "class refused", subchannel(r), 0, data, 0, 0);
    if (r->config.gf100 && engine == 0) {
        uint32_t *engines = word(r, ENGINES + (subchannel(r) & 4)), shift = (subchannel(r) & 3) * 8;
        *engines = (*engines & ~(0xffu << shift)) | SOFTWARE << shift;
        return software(r);
    }
    if (!r->config.gf100 && (r->config.copies >> engine & 1)) {
        r->hce_debug[0] = value(r, METHOD0);
        r->hce_debug[1] = data;
        r->intr_1 |= HCE_CLASS;
        pref_event(r, "fifo.interrupt", "HCE_ILLEGAL_CLASS", r->intr_1, 0, 0, 0, 0);
    }
    return DONE;
}

static enum outcome set_object(struct pbdma_reference *r, uint32_t data) {
    uint32_t s = subchannel(r), asked = data >> 16 & 0x1f;
    if (r->config.gf100) {
        if (asked != SOFTWARE && !exists(r, asked))
            return method_error(r, METHOD_ERROR, "no such engine");
        uint32_t *engines = word(r, ENGINES + (s & 4)), shift = (s & 3) * 8;
        *engines = (*engines & ~(0xffu << shift)) | asked << shift;
    }
    uint32_t engine = engine_of(r, s);
    r->bound[s] = data & 0xffff;
    if (engine == SOFTWARE)
        return software(r);
    enum outcome outcome = turn_to(r, engine);
    if (outcome != DONE)
        return outcome;
    pref_event(r, "puller.bind", NULL, s, data, data & 0xffff, engine, 0);
    if (r->config.refused && (data & 0xffff) == r->config.refused)
        return refused(r, engine, data);
    r->config.calls.bind(r->config.calls.opaque, engine, s, data & 0xffff, 0);
    count_method(r, 0, data);
    return DONE;
}

static enum outcome engine_method(struct pbdma_reference *r, uint32_t data) {
    uint32_t engine = engine_of(r, subchannel(r)), m = method(r);
    if (engine == SOFTWARE)
        return software(r);
    enum outcome outcome = turn_to(r, engine);
    if (outcome != DONE)
        return outcome;
    if (!r->config.calls.method(r->config.calls.opaque, engine, subchannel(r), m, data))
        return wait_for(r, 0, 0, 0);
    count_method(r, m, data);
    return DONE;
}

/* ---- semaphores ---- */

static uint64_t address(const struct pbdma_reference *r) {
    return (uint64_t)(value(r, SEM_ADDR_HI) & 0xff) << 32 | (value(r, SEM_ADDR_LO) & 0xfffffffc);
}

/* PTIMER bits 41:10. */
static uint32_t clock_of(const struct pbdma_reference *r) {
    return (uint32_t)(r->time >> 10);
}

/* The first failure starts the timer. */
static bool too_late(struct pbdma_reference *r) {
    uint32_t config = value(r, ACQUIRE);
    if (!(value(r, SEM_EXECUTE) & ACQUIRE_FAIL)) {
        *word(r, SEM_EXECUTE) |= ACQUIRE_FAIL;
        *word(r, ACQUIRE_DEADLINE) = clock_of(r) + ((config >> 15 & 0xffff) << (config >> 11 & 15));
    }
    return (config >> 31) && (clock_of(r) - value(r, ACQUIRE_DEADLINE)) >> 31 == 0;
}

static enum outcome acquire_fails(struct pbdma_reference *r, const char *event, uint64_t at, uint32_t payload,
                                  uint32_t found) {
    if (!(value(r, SEM_EXECUTE) & ACQUIRE_FAIL))
        pref_event(r, event, "waits", at, payload, found, 0, 0);
    if (too_late(r) && pref_raise(r, ACQUIRE_TIMEOUT, "ACQUIRE"))
        return STALLED;
    if ((value(r, PB_FETCH) & 2) && pref_raise(r, NO_CTXSW_SEG, "NO_CTXSW_SEG"))
        return STALLED;
    return wait_for(r, at, payload, found);
}

static enum outcome acquire(struct pbdma_reference *r, char how) {
    uint32_t payload = value(r, SEM_PAYLOAD), found;
    if (!pref_rd32(r, address(r), &found))
        return pref_fault(r, address(r), 4, false);
    bool good = how == '&' ? (found & payload) != 0 : how == '>' ? (found - payload) >> 31 == 0 : found == payload;
    if (good) {
        pref_event(r, "puller.acquire", "acquired", address(r), payload, found, 0, 0);
        return DONE;
    }
    return acquire_fails(r, "puller.acquire", address(r), payload, found);
}

static enum outcome release(struct pbdma_reference *r, bool wait, bool is_long) {
    uint64_t at = address(r), bytes = is_long ? 16 : 4;
    uint32_t payload = value(r, SEM_PAYLOAD);
    if (wait && busy(r))
        return wait_for(r, 0, 0, 0);
    if (at + bytes > r->config.mapped)
        return pref_fault(r, at, (uint32_t)bytes, true);
    pref_physical_wr32(r, at, payload);
    if (is_long) {
        pref_physical_wr32(r, at + 4, 0);
        pref_physical_wr32(r, at + 8, (uint32_t)r->time);
        pref_physical_wr32(r, at + 12, (uint32_t)(r->time >> 32));
    }
    pref_event(r, "puller.release", NULL, at, payload, bytes, 0, 0);
    return DONE;
}

/* Signed numbers in order have their sign bit the other way round. */
static bool below(uint32_t a, uint32_t b, bool is_signed) {
    uint32_t sign = is_signed ? 0x80000000u : 0;
    return (a ^ sign) < (b ^ sign);
}

static uint32_t reduced(uint32_t memory, uint32_t payload, uint32_t operation, bool is_signed) {
    switch (operation) {
    case 0:
        return below(payload, memory, is_signed) ? payload : memory;
    case 1:
        return below(memory, payload, is_signed) ? payload : memory;
    case 2:
        return memory ^ payload;
    case 3:
        return memory & payload;
    case 4:
        return memory | payload;
    case 5:
        return memory + payload;
    case 6:
        return memory >= payload ? 0 : memory + 1;
    default:
        return memory == 0 || memory > payload ? payload : memory - 1;
    }
}

/* UNKNOWN: whether a reduction of 16 bytes writes the time, too; chosen: only the word. */
static enum outcome reduction(struct pbdma_reference *r, uint32_t data) {
    uint32_t operation = data >> 27 & 15, memory;
    if (operation > 7)
        return method_error(r, SEMAPHORE, "bad reduction");
    if (!(data >> 20 & 1) && busy(r))
        return wait_for(r, 0, 0, 0);
    if (!pref_rd32(r, address(r), &memory))
        return pref_fault(r, address(r), 4, false);
    uint32_t result = reduced(memory, value(r, SEM_PAYLOAD), operation, !(data >> 31));
    pref_physical_wr32(r, address(r), result);
    pref_event(r, "puller.release", NULL, address(r), result, 4, 0, 0);
    return DONE;
}

static enum outcome semaphore_d(struct pbdma_reference *r, uint32_t data) {
    *word(r, SEM_EXECUTE) = (data & ~ACQUIRE_FAIL) | (value(r, SEM_EXECUTE) & ACQUIRE_FAIL);
    switch (data & (r->config.a16f ? 31 : 15)) {
    case 16:
        return reduction(r, data);
    case 1:
        return acquire(r, '=');
    case 2:
        return release(r, !(data >> 20 & 1), !(data >> 24 & 1));
    case 4:
        return acquire(r, '>');
    case 8:
        return acquire(r, '&');
    default:
        return method_error(r, SEMAPHORE, "bad SEMAPHORED");
    }
}

/* ---- the others ---- */

static enum outcome host_done(struct pbdma_reference *r, const char *name) {
    pref_event(r, "puller.host", name, method(r), value(r, DATA0), 0, 0, 0);
    return DONE;
}

static enum outcome keep(struct pbdma_reference *r, uint32_t where, uint32_t data, const char *name) {
    *word(r, where) = data;
    return host_done(r, name);
}

/* A method that raised an interrupt which does not stall is over, too. */
static enum outcome checked(struct pbdma_reference *r, enum outcome outcome, const char *name) {
    return outcome == DONE ? host_done(r, name) : outcome;
}

static enum outcome no_such_method(struct pbdma_reference *r) {
    return method_error(r, METHOD_ERROR, "no such method");
}

/* Nothing of what they flush is kept here. */
static enum outcome memory_operation(struct pbdma_reference *r, uint32_t data, const char *name) {
    static const struct {
        uint32_t code;
        bool a06f, a26f, b06f, c06f;
    } operations[] = {
        {0x05, true, true, true, true},    {0x06, true, false, false, false}, {0x09, true, true, true, true},
        {0x0a, false, false, false, true}, {0x0d, true, false, true, true},   {0x0e, true, true, true, true},
        {0x0f, true, true, true, true},    {0x10, true, true, true, true},    {0x15, false, false, false, true},
    };
    bool known = false;
    for (size_t i = 0; i < sizeof operations / sizeof operations[0]; i++)
        if (operations[i].code == data >> 27)
            known = r->config.c06f   ? operations[i].c06f
                    : r->config.b06f ? operations[i].b06f
                    : r->config.a26f ? operations[i].a26f
                                     : operations[i].a06f;
    return checked(r, known ? DONE : method_error(r, METHOD_ERROR, "bad memory operation"), name);
}

/* 0x28 .. 0x34: A and B until B06F, which has B without effect, C and D; C06F has all four, and D is what executes. */
static enum outcome memory_method(struct pbdma_reference *r, uint32_t data) {
    bool late = r->config.b06f || r->config.c06f;
    if (method(r) >= 0x30 ? !late : method(r) == 0x28 && r->config.b06f && !r->config.c06f)
        return no_such_method(r);
    switch (method(r)) {
    case 0x28:
        return keep(r, late ? MEM_OP_A : METHOD_28, data, "MEM_OP_A");
    case 0x2c:
        return late ? keep(r, MEM_OP_B, data, "MEM_OP_B") : memory_operation(r, data, "MEM_OP_B");
    case 0x30:
        return keep(r, METHOD_28, data, "MEM_OP_C");
    default:
        return memory_operation(r, data, "MEM_OP_D");
    }
}

/* A26F has bases and eight bits of index; later there are twelve, and the operation is one bit. */
static enum outcome syncpoint(struct pbdma_reference *r, uint32_t data) {
    struct pbdma_reference_shared *all = r->shared;
    uint32_t payload = value(r, METHOD_70), index = data >> 8 & (r->config.a26f ? 0xff : 0xfff);
    uint32_t operation = data & (r->config.a26f ? 3 : 1), *base = &all->base[data >> 20 & 0x3f];
    *word(r, METHOD_70 + 4) = data;
    if (index >= sizeof all->syncpoint / sizeof all->syncpoint[0])
        return checked(r, method_error(r, METHOD_ERROR, "no such syncpoint"), "SYNCPOINTB");
    if (operation == 0) {
        uint32_t threshold = payload + (r->config.a26f && (data & 0x20) ? *base : 0), found = all->syncpoint[index];
        if ((found - threshold) >> 31)
            return acquire_fails(r, "puller.syncpoint", index, threshold, found);
        pref_event(r, "puller.syncpoint", "reached", index, threshold, found, 0, 0);
    } else if (operation == 1) {
        all->syncpoint[index]++;
    } else {
        *base = operation == 2 ? *base + payload : payload;
    }
    return host_done(r, "SYNCPOINTB");
}

static enum outcome crc_check(struct pbdma_reference *r, uint32_t data) {
    uint32_t crc = value(r, METHOD_CRC);
    *word(r, METHOD_CRC) = 0;
    return checked(r, crc == data ? DONE : method_error(r, METHODCRC, "METHODCRC"), "CRC_CHECK");
}

static enum outcome set_reference(struct pbdma_reference *r, uint32_t data) {
    if (busy(r))
        return wait_for(r, 0, 0, 0);
    *word(r, REF) = data;
    pref_event(r, "puller.reference", NULL, data, 0, 0, 0, 0);
    return DONE;
}

static enum outcome yield(struct pbdma_reference *r, uint32_t data) {
    if (data > (r->config.b06f || r->config.c06f ? 3 : 0))
        return method_error(r, METHOD_ERROR, "bad YIELD");
    r->yielded = data;
    pref_event(r, "puller.yield", NULL, data, 0, 0, 0, 0);
    return DONE;
}

/* GF100 takes it and only keeps the operand. */
static enum outcome wait_for_idle(struct pbdma_reference *r, uint32_t data) {
    bool has_wfi = r->config.a16f || r->config.a26f;
    if (!r->config.gf100 && !has_wfi)
        return no_such_method(r);
    *word(r, METHOD_70 + 8) = data;
    return has_wfi && busy(r) ? wait_for(r, 0, 0, 0) : host_done(r, "WFI");
}

static enum outcome host_method(struct pbdma_reference *r, uint32_t data) {
    switch (method(r)) {
    case 0x00:
        return set_object(r, data);
    case 0x04:
        return method_error(r, METHOD_ERROR, "ILLEGAL");
    case 0x08:
        return host_done(r, "NOP");
    case 0x10:
        return keep(r, SEM_ADDR_HI, data, "SEMAPHOREA");
    case 0x14:
        return keep(r, SEM_ADDR_LO, data, "SEMAPHOREB");
    case 0x18:
        return keep(r, SEM_PAYLOAD, data, "SEMAPHOREC");
    case 0x1c:
        return semaphore_d(r, data);
    case 0x20: /* the interrupt is not the PBDMA's */
        if (r->config.notify)
            r->config.notify(r->config.calls.opaque, value(r, TARGET) & 0x1f);
        return host_done(r, "NON_STALL_INTERRUPT");
    case 0x24:
        return host_done(r, "FB_FLUSH");
    case 0x28:
    case 0x2c:
    case 0x30:
    case 0x34:
        return memory_method(r, data);
    case 0x50:
        return set_reference(r, data);
    case 0x64:
        return keep(r, SEM_ADDR_LO, data, "SEMAPHORE_OFFSET");
    case 0x68:
        *word(r, SEM_PAYLOAD) = data;
        return acquire(r, '=');
    case 0x6c:
        *word(r, SEM_PAYLOAD) = data;
        return release(r, true, false);
    case 0x70:
        return r->config.gf100 || r->config.syncpoints ? keep(r, METHOD_70, data, "SYNCPOINTA") : no_such_method(r);
    case 0x74:
        if (r->config.syncpoints)
            return syncpoint(r, data);
        return r->config.gf100 ? keep(r, METHOD_70 + 4, data, "SYNCPOINTB") : no_such_method(r);
    case 0x78:
        return wait_for_idle(r, data);
    case 0x7c:
        return crc_check(r, data);
    case 0x80:
        return yield(r, data);
    default:
        return no_such_method(r);
    }
}

enum outcome pref_execute(struct pbdma_reference *r) {
    uint32_t data = value(r, DATA0);
    enum outcome outcome = method(r) < 0x100 ? host_method(r, data) : engine_method(r, data);
    if (outcome != DONE)
        return outcome;
    /* A NOP that a driver puts over a failed acquire ends it, too. */
    if (method(r) < 0x100)
        *word(r, SEM_EXECUTE) &= ~ACQUIRE_FAIL;
    *word(r, METHOD0) &= ~METHOD_VALID;
    r->units = 1;
    return DONE;
}
