/* SPDX-License-Identifier: MIT */
/*
 * Host methods: the functions that families share, and the table of a chip. See host.h.
 */
#include "fifo/cache/host.h"

#include "fifo/cache/puller.h"
#include "fifo/cache/pusher.h"
#include "fifo/cache/switcher.h"
#include "fifo/semaphore.h"

#define INVALID_STATE 2u /* SEMAPHORE_ERROR: no offset, or no object; the other codes differ */
#define ACQUIRE_NEVER 0x7fffffffu

static const struct semaphore_ops *semaphore_of(const struct cache_fifo *c) {
    return c->family->host->semaphore;
}

/* Of the executing entry. The methods here do not depend on it, but drivers need it. */
static uint32_t subchannel_at_get(struct cache_fifo *c) {
    return cache_at(c, c->r.get).method >> 13 & 7;
}

enum puller_result host_stop(struct cache_fifo *c, uint32_t method, uint32_t data, uint32_t cause, const char *name) {
    return puller_stop(c, subchannel_at_get(c), method, data, cause, name);
}

enum puller_result host_semaphore_error(struct cache_fifo *c, uint32_t method, uint32_t data, uint32_t code,
                                        const char *name) {
    return host_stop(c, method, data, code << 20, name);
}

enum puller_result host_no_object(struct cache_fifo *c, uint32_t method, uint32_t data) {
    return host_stop(c, method, data, PULL0_HASH_FAILED, "HASH_FAILED");
}

void host_report(struct cache_fifo *c, uint32_t method, uint32_t data) {
    event_send(c->base.events, EVENT_PULLER_HOST, c->context.id, c->puller.host_name[method >> 2], method, data, 0);
}

/* ---- reference, yield ---- */

enum puller_result host_ref_cnt(struct cache_fifo *c, uint32_t method, uint32_t data) {
    (void)method;
    if (puller_last_engine_busy(c))
        return PULLER_STALL;
    c->r.ref = data;
    event_send(c->base.events, EVENT_PULLER_REFERENCE, c->context.id, NULL, data);
    return PULLER_DONE;
}

enum puller_result host_yield(struct cache_fifo *c, uint32_t method, uint32_t data) {
    (void)method;
    event_send(c->base.events, EVENT_PULLER_YIELD, c->context.id, NULL, data);
    switcher_yield(c);
    return PULLER_DONE;
}

/* ---- semaphores ---- */

static bool cache_host_read_semaphore(struct cache_fifo *c, uint64_t address, uint32_t *value, struct fault *fault) {
    struct address_space space = semaphore_of(c)->space(c);
    if (!memory_rd32(c->base.memory, &space, address, value, fault))
        return false;
    if (cache_big_endian(c))
        *value = __builtin_bswap32(*value);
    return true;
}

static enum semaphore_compare compare_mode(const struct cache_fifo *c, uint32_t mode) {
    return mode & semaphore_of(c)->gequal ? SEMAPHORE_GEQUAL : SEMAPHORE_EQUAL;
}

/* UNKNOWN: units. Chosen: PTIMER / 32, on G80 and later / 1024. */
static uint32_t acquire_clock(struct cache_fifo *c) {
    return (uint32_t)(bus_now(c->base.bus) >> semaphore_of(c)->clock_shift);
}

/*
 * UNKNOWN: units and condition of the timeout. Chosen: the clock since the first try; 0 and all ones never. On G80 and
 * later its effect is not known: it does nothing.
 */
static bool has_timeout(const struct cache_fifo *c) {
    uint32_t timeout = c->r.acquire_timeout & ACQUIRE_NEVER;
    return semaphore_of(c)->times_out && timeout != 0 && timeout != ACQUIRE_NEVER &&
           !(c->r.intr & INTR_ACQUIRE_TIMEOUT);
}

static bool acquire_is_over(struct cache_fifo *c) {
    return has_timeout(c) && acquire_clock(c) - c->r.acquire_timestamp >= (c->r.acquire_timeout & ACQUIRE_NEVER);
}

/* Of the channel in CACHE1: the others continue only when it leaves. */
uint64_t host_until_timeout(struct fifo *fifo) {
    struct cache_fifo *c = (struct cache_fifo *)fifo;
    if (!host_acquires(c) || !has_timeout(c))
        return UINT64_MAX;
    uint32_t waited = acquire_clock(c) - c->r.acquire_timestamp, timeout = c->r.acquire_timeout & ACQUIRE_NEVER;
    if (waited >= timeout)
        return UINT64_MAX;
    uint8_t shift = semaphore_of(c)->clock_shift;
    return ((uint64_t)(timeout - waited) << shift) - (bus_now(c->base.bus) & ((UINT64_C(1) << shift) - 1));
}

/*
 * Start to wait. The method itself is done; PULL1 holds what the channel waits for, so that it can leave and come back.
 * UNKNOWN: whether GET passes the method first on G80 and later; chosen: the same there.
 */
enum puller_result host_start_acquire(struct cache_fifo *c, uint32_t mode, uint32_t method, uint32_t data,
                                      uint32_t value) {
    uint32_t memory = 0;
    struct fault fault;
    uint64_t address = semaphore_of(c)->address(c, mode);
    if (!cache_host_read_semaphore(c, address, &memory, &fault)) {
        semaphore_of(c)->fault(c, &fault, false);
        return host_semaphore_error(c, method, data, semaphore_of(c)->fault_code, "MEM_FAULT");
    }
    bool satisfied = semaphore_satisfied(compare_mode(c, mode), memory, value);
    event_send(c->base.events, EVENT_PULLER_ACQUIRE, c->context.id,
               satisfied ? "acquired" : event_words[PFIFO_WORD_WAITS], address, value, memory, 0);
    if (satisfied)
        return PULLER_DONE;
    c->r.acquire_value = value;
    c->r.acquire_timestamp = acquire_clock(c);
    c->r.pull1 = (c->r.pull1 & ~semaphore_of(c)->mode_bits) | mode | PULL1_ACQUIRE_ACTIVE;
    return PULLER_DONE;
}

bool host_acquire_satisfied(struct cache_fifo *c) {
    uint32_t memory = 0;
    struct fault fault;
    uint64_t address = semaphore_of(c)->address(c, c->r.pull1);
    if (!cache_host_read_semaphore(c, address, &memory, &fault)) {
        c->r.pull1 &= ~PULL1_ACQUIRE_ACTIVE;
        semaphore_of(c)->fault(c, &fault, true);
        const struct cache_entry entry = semaphore_of(c)->failed(c);
        puller_stop(c, 0, entry.method, entry.data, semaphore_of(c)->fault_code << 20, "MEM_FAULT");
        return false;
    }
    if (semaphore_satisfied(compare_mode(c, c->r.pull1), memory, c->r.acquire_value)) {
        event_send(c->base.events, EVENT_PULLER_ACQUIRE, c->context.id, "acquired", address, c->r.acquire_value, memory,
                   0);
        c->r.pull1 &= ~PULL1_ACQUIRE_ACTIVE;
        return true;
    }
    if (acquire_is_over(c))
        cache_raise(c, INTR_ACQUIRE_TIMEOUT, "ACQUIRE_TIMEOUT");
    return false;
}

bool host_acquire_ends(struct cache_fifo *c) {
    struct address_space space = semaphore_of(c)->space(c);
    uint8_t bytes[4];
    if (acquire_is_over(c) ||
        !memory_peek(c->base.memory, &space, semaphore_of(c)->address(c, c->r.pull1), bytes, sizeof bytes))
        return true;
    uint32_t value = load_le32(bytes);
    return semaphore_satisfied(compare_mode(c, c->r.pull1), cache_big_endian(c) ? __builtin_bswap32(value) : value,
                               c->r.acquire_value);
}

void host_waiting_for(struct cache_fifo *c, struct pfifo_stop_info *stop) {
    struct fault fault;
    stop->in_memory = true;
    stop->address = semaphore_of(c)->address(c, c->r.pull1);
    stop->expected = c->r.acquire_value;
    if (!cache_host_read_semaphore(c, stop->address, &stop->found, &fault))
        stop->found = 0;
}

static bool offset_valid(const struct cache_fifo *c) {
    return (c->r.semaphore & semaphore_of(c)->valid) != 0;
}

enum puller_result host_acquire(struct cache_fifo *c, uint32_t method, uint32_t data) {
    if (!offset_valid(c))
        return host_semaphore_error(c, method, data, INVALID_STATE, "INVALID_STATE");
    return host_start_acquire(c, 0, method, data, data);
}

enum puller_result host_write_release(struct cache_fifo *c, uint32_t method, uint32_t data, uint64_t address,
                                      uint32_t value, bool with_time) {
    struct address_space space = semaphore_of(c)->space(c);
    struct fault fault;
    if (!semaphore_release(c->base.bus, &space, address, value, with_time, cache_big_endian(c), &fault)) {
        semaphore_of(c)->fault(c, &fault, false);
        return host_semaphore_error(c, method, data, semaphore_of(c)->fault_code, "MEM_FAULT");
    }
    event_send(c->base.events, EVENT_PULLER_RELEASE, c->context.id, NULL, address, value, with_time ? 16 : 4);
    return PULLER_DONE;
}

enum puller_result host_release(struct cache_fifo *c, uint32_t method, uint32_t data) {
    if (!offset_valid(c))
        return host_semaphore_error(c, method, data, INVALID_STATE, "INVALID_STATE");
    return host_write_release(c, method, data, semaphore_of(c)->address(c, 0), data, false);
}

/* ---- the table ---- */

static bool chip_has(const struct pfifo_chip *chip, uint16_t capability) {
    return *(const bool *)(const void *)((const char *)chip + capability);
}

void host_make_table(struct cache_fifo *c) {
    const struct host_ops *host = c->family->host;
    for (size_t i = 0; host && i < host->count; i++) {
        const struct host_row *row = &host->rows[i];
        if (!chip_has(c->base.chip, row->capability))
            continue;
        c->puller.host[row->method >> 2] = row->function;
        c->puller.host_name[row->method >> 2] = row->name;
    }
}
