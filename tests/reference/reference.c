/* SPDX-License-Identifier: MIT */
/* The reference: CACHE1 as a ring, interrupts, memory, and the order of work. */
#include "reference.h"

#include "state.h"

#define NS_PER_UNIT   16
#define NO_CHANNEL    UINT32_MAX
#define FREEZE_ENABLE 0x00000001u

uint32_t ref_channel(const struct reference *r) {
    return value_of(r, PUSH1) & ref_channel_mask(r);
}

bool ref_big_endian(const struct reference *r) {
    if (!since(r, G80))
        return (value_of(r, DMA_FETCH) >> 31) != 0;
    return value_of(r, FIFO_ENDIAN) & 1 ? (value_of(r, FIFO_ENDIAN) & 2) != 0 : r->big;
}

uint32_t ref_swap(uint32_t word) {
    return word >> 24 | (word >> 8 & 0xff00) | (word << 8 & 0xff0000) | word << 24;
}

/* ---- CACHE1 ---- */

uint32_t ref_cache_used(const struct reference *r) {
    return ((value_of(r, PUT) - value_of(r, GET)) & ref_pointer_mask(r)) / 4;
}

/* More entries than there are is an error of the driver; they count as full. */
bool ref_cache_full(const struct reference *r) {
    return ref_cache_used(r) >= ref_entries(r);
}

struct reference_entry *ref_cache_entry(struct reference *r, uint32_t pointer) {
    return &r->entry[pointer / 4 % ref_entries(r)];
}

/* `method`: as an entry has it. */
void ref_cache_push(struct reference *r, uint32_t method, uint32_t data) {
    *ref_cache_entry(r, value_of(r, PUT)) = (struct reference_entry){method, data};
    ref_advance(r, PUT);
}

void ref_advance(struct reference *r, uint32_t pointer_register) {
    *reg(r, pointer_register) = (value_of(r, pointer_register) + 4) & ref_pointer_mask(r);
}

/* ---- interrupts and events ---- */

void ref_event(struct reference *r, const char *name, const char *text, uint64_t v0, uint64_t v1, uint64_t v2,
               uint64_t v3, uint64_t v4) {
    const struct reference_event e = {name, text, {v0, v1, v2, v3, v4, 0}};
    r->config.event(r->config.opaque, &e);
}

void ref_interrupt(struct reference *r, uint32_t bit, const char *cause) {
    *reg(r, INTR) |= bit;
    ref_event(r, "fifo.interrupt", cause, value_of(r, INTR), 0, 0, 0, 0);
}

bool reference_interrupt(const struct reference *r) {
    return (value_of(r, INTR) & value_of(r, INTR_EN)) != 0;
}

bool reference_interrupt_nrhost(const struct reference *r) {
    return since(r, GT215) && (value_of(r, INTR_NRHOST) & value_of(r, INTR_EN_NRHOST));
}

/* ---- memory ---- */

static uint8_t *byte_at(const struct reference *r, enum reference_target target, uint64_t address) {
    uint8_t *memory = target == REFERENCE_VRAM ? r->config.vram : r->config.system;
    uint64_t bytes = target == REFERENCE_VRAM ? r->config.vram_bytes : r->config.system_bytes;
    return address < bytes ? &memory[address] : NULL;
}

uint32_t reference_memory_rd32(const struct reference *r, enum reference_target target, uint64_t address) {
    uint32_t value = 0;
    for (unsigned i = 0; i < 4; i++) {
        const uint8_t *byte = byte_at(r, target, address + i);
        value |= (uint32_t)(byte ? *byte : 0) << (8 * i);
    }
    return value;
}

void reference_memory_write(struct reference *r, enum reference_target target, uint64_t address, const void *data,
                            size_t bytes) {
    ref_pusher_run_ahead(r, target, address, bytes);
    for (size_t i = 0; i < bytes; i++) {
        uint8_t *byte = byte_at(r, target, address + i);
        if (byte)
            *byte = ((const uint8_t *)data)[i];
    }
}

void reference_memory_wr32(struct reference *r, enum reference_target target, uint64_t address, uint32_t value) {
    for (unsigned i = 0; i < 4; i++) {
        uint8_t *byte = byte_at(r, target, address + i);
        if (byte)
            *byte = (uint8_t)(value >> (8 * i));
    }
}

/* ---- the order of work ---- */

/* Of the channel in CACHE1. */
bool ref_has_work(const struct reference *r) {
    return ref_cache_used(r) != 0 || ref_pusher_has_work(r) || (value_of(r, PULL1) & ACQUIRE_ACTIVE);
}

static bool frozen(const struct reference *r) {
    return !(r->enable & 0x100) || (since(r, G80) && (value_of(r, FREEZE) & FREEZE_ENABLE));
}

/* Also in CACHE0. */
static bool anything_left(const struct reference *r) {
    return ref_has_work(r) || (!since(r, G80) && value_of(r, CACHE0(PUT)) != value_of(r, CACHE0(GET)));
}

static bool stopped_puller(const struct reference *r, uint32_t pull0) {
    return !(value_of(r, pull0) & 1) && (value_of(r, pull0) & CAUSES);
}

static bool stopped_by_error(const struct reference *r) {
    bool puller = stopped_puller(r, PULL0) || (!since(r, G80) && stopped_puller(r, CACHE0(PULL0)));
    bool pusher = (value_of(r, DMA_PUSH) & PUSH_SUSPENDED) || (value_of(r, DMA_STATE) & ERROR_FIELD);
    return puller || pusher;
}

static struct reference_stop stop_because(const struct reference *r, enum reference_reason reason) {
    bool somebody = reason != REFERENCE_IDLE && reason != REFERENCE_BUDGET;
    return (struct reference_stop){.reason = reason, .channel = somebody ? ref_channel(r) : NO_CHANNEL};
}

/* An engine does not take the entry at GET of CACHE1 or CACHE0. */
static bool engine_stalls(const struct reference *r) {
    bool cache1 = r->stalled[1] && (value_of(r, PULL0) & 1) && ref_cache_used(r) != 0;
    return !frozen(r) && (cache1 || (r->stalled[0] && ref_cache0_can_execute(r)));
}

static struct reference_stop why_no_progress(struct reference *r) {
    if (value_of(r, PULL1) & ACQUIRE_ACTIVE) {
        struct reference_stop stop = stop_because(r, REFERENCE_WAITING);
        ref_puller_waits_for(r, &stop);
        return stop;
    }
    if (stopped_by_error(r))
        return stop_because(r, REFERENCE_INTERRUPT);
    if (engine_stalls(r))
        return stop_because(r, REFERENCE_WAITING);
    return stop_because(r, anything_left(r) ? REFERENCE_FROZEN : REFERENCE_IDLE);
}

static void spend(struct reference *r, uint64_t *budget, uint64_t units) {
    units += r->ahead; /* what was fetched ahead was fetched in the same time */
    r->ahead = 0;
    *budget = units < *budget ? *budget - units : 0;
    r->time += NS_PER_UNIT * units;
    ref_timer_count(r, units);
    if (units) /* a method that its engine does not take is no progress */
        r->switches = 0;
}

/* One piece of work for the channel in CACHE1, or in CACHE0. False: there is none. */
static bool turn(struct reference *r, uint64_t *budget) {
    if (ref_cache0_can_execute(r)) {
        bool taken = ref_cache0_execute(r);
        spend(r, budget, taken ? 1 : 0);
        if (taken)
            return true;
    }
    if (ref_puller_can_execute(r)) {
        bool taken = ref_puller_execute(r);
        spend(r, budget, taken ? 1 : 0);
        if (taken)
            return true;
    }
    if (!ref_pusher_can_fetch(r))
        return false;
    ref_pusher_fetch(r);
    spend(r, budget, 1);
    return true;
}

struct reference_stop reference_run(struct reference *r, uint64_t budget) {
    r->switches = 0;
    if (frozen(r))
        return anything_left(r) ? why_no_progress(r) : stop_because(r, REFERENCE_IDLE);
    if (since(r, G80))
        ref_g80_begin(r);
    for (;;) {
        if (ref_switch_when_due(r))
            continue;
        if (budget == 0) {
            bool left = anything_left(r) || ref_somebody_waits(r);
            return left ? stop_because(r, REFERENCE_BUDGET) : why_no_progress(r);
        }
        if (turn(r, &budget) || ref_switch_when_idle(r))
            continue;
        return why_no_progress(r);
    }
}
