/* SPDX-License-Identifier: MIT */
/*
 * Host methods: what the puller of NV10 .. MCP89 executes itself (methods below 0x100).
 *
 * Sources: envytools docs/hw/fifo/puller.rst; NVIDIA open-gpu-doc classes/host/cl506f.h, cl826f.h.
 */
#include "fifo/cache/cache.h"
#include "fifo/semaphore.h"

/* SEMAPHORE_ERROR codes. The two kinds of chips number them differently. */
enum {
    NV1A_INVALID_OPERAND = 1,
    NV1A_INVALID_STATE = 2,
    G80_ADDRESS_UNALIGNED = 1,
    G80_INVALID_STATE = 2,
    G80_ADDRESS_TOO_LARGE = 3,
    G80_MEM_FAULT = 4,
};

#define NV1A_SEMAPHORE_VALID  (1u << 0)
#define NV1A_SEMAPHORE_OFFSET 0xffcu
#define NV1A_SEMAPHORE_PAGE   0xfffff000u
#define NV1A_TARGET_SHIFT     16
#define G80_OFFSET_VALID      (1u << 14)
#define ACQUIRE_NEVER         0x7fffffffu
#define DMA_CLASS_READ        0x002u
#define DMA_ACCESS_WRITE_ONLY 2u /* word 0 [15:14] */

/* Of the entry that executes; the methods here do not depend on it, but a driver wants to know. */
static uint32_t subchannel_at_get(struct cache_fifo *c) {
    return cache_at(c, c->r.get).method >> 13 & 7;
}

static enum puller_result semaphore_error(struct cache_fifo *c, uint32_t method, uint32_t data, uint32_t code,
                                          const char *name) {
    return puller_stop(c, subchannel_at_get(c), method, data, code << 20, name);
}

static void report(struct cache_fifo *c, uint32_t method, uint32_t data) {
    event_send(c->base.events, EVENT_PULLER_HOST, c->context.id, c->host_name[method >> 2], method, data, 0);
}

/* ---- reference, yield, notify, flush ---- */

static enum puller_result ref_cnt(struct cache_fifo *c, uint32_t method, uint32_t data) {
    (void)method;
    if (puller_last_engine_busy(c))
        return PULLER_STALL;
    c->r.ref = data;
    event_send(c->base.events, EVENT_PULLER_REFERENCE, c->context.id, NULL, data);
    return PULLER_DONE;
}

static enum puller_result yield(struct cache_fifo *c, uint32_t method, uint32_t data) {
    (void)method;
    event_send(c->base.events, EVENT_PULLER_YIELD, c->context.id, NULL, data);
    switcher_yield(c);
    return PULLER_DONE;
}

static enum puller_result notify(struct cache_fifo *c, uint32_t method, uint32_t data) {
    report(c, method, data);
    c->r.intr_nrhost |= c->base.chip->has_nrhost ? INTR_NOTIFY : 0;
    cache_raise(c, INTR_NOTIFY, "NOTIFY");
    return PULLER_DONE;
}

/* Writes are visible at once here, so a flush has nothing left to do. */
static enum puller_result flush(struct cache_fifo *c, uint32_t method, uint32_t data) {
    report(c, method, data);
    return PULLER_DONE;
}

/* ---- semaphores of NV1A .. NV4x: a page that is found when the object is bound ---- */

static struct address_space nv1a_space(const struct cache_fifo *c) {
    /* 0 VRAM, 2 and 3 system; UNKNOWN: 1, chosen: VRAM, as for DMA objects. */
    return address_space_physical((c->r.pull1 >> NV1A_TARGET_SHIFT & 2) == 0 ? MEMORY_VRAM : MEMORY_SYSTEM);
}

static uint64_t nv1a_address(const struct cache_fifo *c) {
    return c->r.semaphore & (NV1A_SEMAPHORE_PAGE | NV1A_SEMAPHORE_OFFSET);
}

/*
 * The hardware wants class 2 (the class for reading) with write-only access: nothing that a driver makes for
 * real has both, which is the known defect of these chips.
 */
static enum puller_result nv1a_dma_semaphore(struct cache_fifo *c, uint32_t method, uint32_t data) {
    struct ramht_hit hit;
    struct dma_object object;
    struct mapping mapping;
    struct fault fault;
    if (!puller_translate(c, data, &hit))
        return puller_stop(c, subchannel_at_get(c), method, data, PULL0_HASH_FAILED, "HASH_FAILED");
    dma_object_nv4(c->base.memory, hit.instance << 4, &object);
    if (object.class != DMA_CLASS_READ || (object.word0 >> 14 & 3) != DMA_ACCESS_WRITE_ONLY || !object.present ||
        !object.space.ops->translate(c->base.memory, &object.space, 0, &mapping, &fault))
        return semaphore_error(c, method, data, NV1A_INVALID_OPERAND, "INVALID_OPERAND");
    c->r.pull1 = (c->r.pull1 & ~(3u << NV1A_TARGET_SHIFT)) | (object.word0 >> 16 & 3) << NV1A_TARGET_SHIFT;
    c->r.semaphore = (uint32_t)(mapping.physical & NV1A_SEMAPHORE_PAGE) | (c->r.semaphore & NV1A_SEMAPHORE_OFFSET) |
                     NV1A_SEMAPHORE_VALID;
    report(c, method, data);
    return PULLER_DONE;
}

static enum puller_result nv1a_semaphore_offset(struct cache_fifo *c, uint32_t method, uint32_t data) {
    if (data & ~NV1A_SEMAPHORE_OFFSET)
        return semaphore_error(c, method, data, NV1A_INVALID_OPERAND, "INVALID_OPERAND");
    c->r.semaphore = (c->r.semaphore & ~NV1A_SEMAPHORE_OFFSET) | data;
    report(c, method, data);
    return PULLER_DONE;
}

/* ---- semaphores of G80 and later: an offset in a DMA object ---- */

static struct address_space g80_space(const struct cache_fifo *c) {
    return fifo_channel_space(&c->context, c->r.semaphore >> 16);
}

static uint64_t g80_address(const struct cache_fifo *c) {
    return (uint64_t)(c->r.semaphore & 0x3fff) << 2;
}

static enum puller_result g80_dma_semaphore(struct cache_fifo *c, uint32_t method, uint32_t data) {
    struct ramht_hit hit;
    if (!puller_translate(c, data, &hit))
        return puller_stop(c, subchannel_at_get(c), method, data, PULL0_HASH_FAILED, "HASH_FAILED");
    c->r.semaphore = (c->r.semaphore & 0xffff) | hit.instance << 16;
    report(c, method, data);
    return PULLER_DONE;
}

static enum puller_result g80_semaphore_offset(struct cache_fifo *c, uint32_t method, uint32_t data) {
    if (data & 3)
        return semaphore_error(c, method, data, G80_ADDRESS_UNALIGNED, "ADDRESS_UNALIGNED");
    if (data > 0xffff)
        return semaphore_error(c, method, data, G80_ADDRESS_TOO_LARGE, "ADDRESS_TOO_LARGE");
    c->r.semaphore = (c->r.semaphore & 0xffff0000u) | G80_OFFSET_VALID | data >> 2;
    report(c, method, data);
    return PULLER_DONE;
}

/* ---- semaphores of G84 and later: an address in the object of DMA_SEMAPHORE ---- */

static uint64_t g84_address(const struct cache_fifo *c) {
    return (uint64_t)c->r.sem_address_high << 32 | c->r.sem_address_low;
}

static enum puller_result g84_address_high(struct cache_fifo *c, uint32_t method, uint32_t data) {
    if (data > 0xff)
        return semaphore_error(c, method, data, G80_ADDRESS_TOO_LARGE, "ADDRESS_TOO_LARGE");
    c->r.sem_address_high = data;
    report(c, method, data);
    return PULLER_DONE;
}

static enum puller_result g84_address_low(struct cache_fifo *c, uint32_t method, uint32_t data) {
    if (data & 3)
        return semaphore_error(c, method, data, G80_ADDRESS_UNALIGNED, "ADDRESS_UNALIGNED");
    c->r.sem_address_low = data;
    report(c, method, data);
    return PULLER_DONE;
}

static enum puller_result g84_sequence(struct cache_fifo *c, uint32_t method, uint32_t data) {
    c->r.sem_sequence = data;
    report(c, method, data);
    return PULLER_DONE;
}

/* ---- MCP89: flush of cache lines by address; there is no such cache here, so only its errors matter ---- */

#define FLUSH_ALL           (1u << 28)
#define FLUSH_OPERATIONS    3 /* EVICT, CLEAN, INVALIDATE */
#define FLUSH_OPERATION(op) ((op) >> 29)

static enum puller_result flush_address(struct cache_fifo *c, uint32_t method, uint32_t data) {
    c->r.unk3500[0] = data;
    report(c, method, data);
    return PULLER_DONE;
}

static enum puller_result flush_lines(struct cache_fifo *c, uint32_t method, uint32_t data) {
    if (FLUSH_OPERATION(data) >= FLUSH_OPERATIONS)
        return puller_stop(c, subchannel_at_get(c), method, data, PULL0_FLUSH_OPERATION, "FLUSH_OPERATION");
    if ((data & FLUSH_ALL) && !(data & 1))
        return puller_stop(c, subchannel_at_get(c), method, data, PULL0_FLUSH_LINES, "FLUSH_LINES");
    report(c, method, data);
    return PULLER_DONE;
}

/* UNKNOWN: where the instance is kept; chosen: nowhere, only a missing object is noticed. */
static enum puller_result flush_object(struct cache_fifo *c, uint32_t method, uint32_t data) {
    struct ramht_hit hit;
    if (!puller_translate(c, data, &hit))
        return puller_stop(c, subchannel_at_get(c), method, data, PULL0_HASH_FAILED, "HASH_FAILED");
    report(c, method, data);
    return PULLER_DONE;
}

/* ---- what both kinds share ---- */

static struct address_space acquire_space(const struct cache_fifo *c) {
    return c->base.chip->has_ib ? g80_space(c) : nv1a_space(c);
}

/* `mode` is PULL1, or what is going to be in it. */
static uint64_t acquire_address(const struct cache_fifo *c, uint32_t mode) {
    if (mode & PULL1_ACQUIRE_NEW && c->base.chip->has_new_semaphore)
        return g84_address(c);
    return c->base.chip->has_ib ? g80_address(c) : nv1a_address(c);
}

static bool read_semaphore(struct cache_fifo *c, uint64_t address, uint32_t *value, struct fault *fault) {
    struct address_space space = acquire_space(c);
    if (!memory_rd32(c->base.memory, &space, address, value, fault))
        return false;
    if (cache_big_endian(c))
        *value = __builtin_bswap32(*value);
    return true;
}

static enum semaphore_compare compare_mode(const struct cache_fifo *c, uint32_t mode) {
    return mode & PULL1_ACQUIRE_GEQUAL && c->base.chip->has_new_semaphore ? SEMAPHORE_GEQUAL : SEMAPHORE_EQUAL;
}

/* UNKNOWN: units. Chosen: PTIMER / 32, from G80 on / 1024. */
static uint32_t acquire_clock(struct cache_fifo *c) {
    return (uint32_t)(bus_now(c->base.bus) >> (c->base.chip->has_ib ? 10 : 5));
}

/*
 * UNKNOWN: units and condition of the timeout. Chosen: the clock since the first try; 0 and all ones never. From G80 on
 * nobody knows what it does: it does nothing.
 */
static bool has_timeout(const struct cache_fifo *c) {
    uint32_t timeout = c->r.acquire_timeout & ACQUIRE_NEVER;
    return !c->base.chip->has_ib && timeout != 0 && timeout != ACQUIRE_NEVER && !(c->r.intr & INTR_ACQUIRE_TIMEOUT);
}

static bool acquire_is_over(struct cache_fifo *c) {
    return has_timeout(c) && acquire_clock(c) - c->r.acquire_timestamp >= (c->r.acquire_timeout & ACQUIRE_NEVER);
}

/* Of the channel in CACHE1: the others have their turn when it leaves. */
uint64_t puller_until_timeout(struct fifo *fifo) {
    struct cache_fifo *c = (struct cache_fifo *)fifo;
    if (!cache_acquires(c) || !has_timeout(c))
        return UINT64_MAX;
    uint32_t waited = acquire_clock(c) - c->r.acquire_timestamp, timeout = c->r.acquire_timeout & ACQUIRE_NEVER;
    return waited < timeout ? ((uint64_t)(timeout - waited) << 5) - (bus_now(c->base.bus) & 31) : UINT64_MAX;
}

/*
 * Start to wait. The method itself is done; PULL1 says what the channel waits for, so that it can leave and come
 * back. UNKNOWN: on G80 and later the documents do not say whether GET passes the method first; same model there.
 */
static enum puller_result acquire(struct cache_fifo *c, uint32_t mode, uint32_t method, uint32_t data, uint32_t value) {
    uint32_t memory = 0;
    struct fault fault;
    uint64_t address = acquire_address(c, mode);
    if (!read_semaphore(c, address, &memory, &fault)) {
        c->family->semaphore_fault(c, &fault, false);
        return semaphore_error(c, method, data, c->base.chip->has_ib ? G80_MEM_FAULT : NV1A_INVALID_OPERAND,
                               "MEM_FAULT");
    }
    bool satisfied = semaphore_satisfied(compare_mode(c, mode), memory, value);
    event_send(c->base.events, EVENT_PULLER_ACQUIRE, c->context.id, satisfied ? "acquired" : "waits", address, value,
               memory, 0);
    if (satisfied)
        return PULLER_DONE;
    c->r.acquire_value = value;
    c->r.acquire_timestamp = acquire_clock(c);
    uint32_t bits = c->base.chip->has_ib ? PULL1_ACQUIRE_NEW | PULL1_ACQUIRE_GEQUAL : 0;
    c->r.pull1 = (c->r.pull1 & ~bits) | mode | PULL1_ACQUIRE_ACTIVE;
    return PULLER_DONE;
}

/*
 * A waiting acquire failed. Drivers pass over the entry at GET then, as after every error of a semaphore, so from G80
 * on GET goes back to it. UNKNOWN: what CACHE1 has there; chosen: the method, on subchannel 0, unless an entry behind
 * it needs the slot. (Before G80 this does not happen: what is read is a page that was there when it was bound.)
 */
static struct cache_entry back_to_acquire(struct cache_fifo *c) {
    bool new = c->base.chip->has_new_semaphore && (c->r.pull1 & PULL1_ACQUIRE_NEW);
    struct cache_entry entry = {0x68, c->r.acquire_value};
    if (new)
        entry = (struct cache_entry){0x1c, c->r.pull1 & PULL1_ACQUIRE_GEQUAL ? 4 : 1};
    bool room = !cache_full(c);
    c->r.get = (c->r.get - 4) & c->base.chip->cache1_pointer_mask;
    if (room)
        cache_set(c, c->r.get, entry);
    c->announced = c->again = false;
    return entry;
}

bool puller_acquire_satisfied(struct cache_fifo *c) {
    uint32_t memory = 0;
    struct fault fault;
    uint64_t address = acquire_address(c, c->r.pull1);
    if (!read_semaphore(c, address, &memory, &fault)) {
        c->r.pull1 &= ~PULL1_ACQUIRE_ACTIVE;
        c->family->semaphore_fault(c, &fault, true);
        struct cache_entry entry = {0, 0};
        if (c->base.chip->has_ib)
            entry = back_to_acquire(c);
        puller_stop(c, 0, entry.method, entry.data, (c->base.chip->has_ib ? G80_MEM_FAULT : NV1A_INVALID_OPERAND) << 20,
                    "MEM_FAULT");
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

void puller_waiting_for(struct cache_fifo *c, struct pfifo_stop_info *stop) {
    struct fault fault;
    stop->in_memory = true;
    stop->address = acquire_address(c, c->r.pull1);
    stop->expected = c->r.acquire_value;
    if (!read_semaphore(c, stop->address, &stop->found, &fault))
        stop->found = 0;
}

static bool offset_valid(const struct cache_fifo *c) {
    return (c->r.semaphore & (c->base.chip->has_ib ? G80_OFFSET_VALID : NV1A_SEMAPHORE_VALID)) != 0;
}

static enum puller_result old_acquire(struct cache_fifo *c, uint32_t method, uint32_t data) {
    if (!offset_valid(c))
        return semaphore_error(c, method, data, NV1A_INVALID_STATE, "INVALID_STATE");
    return acquire(c, 0, method, data, data);
}

static enum puller_result release(struct cache_fifo *c, uint32_t method, uint32_t data, uint64_t address,
                                  uint32_t value, bool with_time) {
    struct address_space space = acquire_space(c);
    struct fault fault;
    if (!semaphore_release(c->base.bus, &space, address, value, with_time, cache_big_endian(c), &fault)) {
        c->family->semaphore_fault(c, &fault, false);
        return semaphore_error(c, method, data, c->base.chip->has_ib ? G80_MEM_FAULT : NV1A_INVALID_OPERAND,
                               "MEM_FAULT");
    }
    event_send(c->base.events, EVENT_PULLER_RELEASE, c->context.id, NULL, address, value, with_time ? 16 : 4);
    return PULLER_DONE;
}

static enum puller_result old_release(struct cache_fifo *c, uint32_t method, uint32_t data) {
    if (!offset_valid(c))
        return semaphore_error(c, method, data, NV1A_INVALID_STATE, "INVALID_STATE");
    return release(c, method, data, c->base.chip->has_ib ? g80_address(c) : nv1a_address(c), data, false);
}

/* Trigger of G84: 1 acquire equal, 2 release with time, 4 acquire greater or equal; all others hang the channel. */
static enum puller_result g84_trigger(struct cache_fifo *c, uint32_t method, uint32_t data) {
    switch (data & (c->base.chip->has_line_flush ? 15 : 7)) {
    case 1:
        return acquire(c, PULL1_ACQUIRE_NEW, method, data, c->r.sem_sequence);
    case 2:
        return release(c, method, data, g84_address(c), c->r.sem_sequence, true);
    case 4:
        return acquire(c, PULL1_ACQUIRE_NEW | PULL1_ACQUIRE_GEQUAL, method, data, c->r.sem_sequence);
    default:
        if (!c->again)
            event_send(c->base.events, EVENT_FIFO_UNKNOWN, c->context.id, "SEMAPHORE_TRIGGER that never ends", data, 0);
        return PULLER_STALL;
    }
}

/* ---- the table ---- */

enum host_when { REF_CNT, OLD_NV1A, OLD_G80, NEW_G84, NOTIFY_G84, FLUSH_MCP89, YIELD_NV40 };

static const struct host_row {
    uint8_t method;
    enum host_when when;
    const char *name;
    cache_host_method function;
} host_rows[] = {
    {0x10, NEW_G84, "SEMAPHORE_ADDRESS_HIGH", g84_address_high},
    {0x14, NEW_G84, "SEMAPHORE_ADDRESS_LOW", g84_address_low},
    {0x18, NEW_G84, "SEMAPHORE_SEQUENCE", g84_sequence},
    {0x1c, NEW_G84, "SEMAPHORE_TRIGGER", g84_trigger},
    {0x20, NOTIFY_G84, "NOTIFY_INTR", notify},
    {0x24, NEW_G84, "WRCACHE_FLUSH", flush},
    {0x28, FLUSH_MCP89, "MEM_OP_A", flush_address},
    {0x2c, FLUSH_MCP89, "MEM_OP_B", flush_lines},
    {0x30, FLUSH_MCP89, "SYSMEM_FLUSH_CTXDMA", flush_object},
    {0x50, REF_CNT, "REF_CNT", ref_cnt},
    {0x60, OLD_NV1A, "DMA_SEMAPHORE", nv1a_dma_semaphore},
    {0x60, OLD_G80, "DMA_SEMAPHORE", g80_dma_semaphore},
    {0x64, OLD_NV1A, "SEMAPHORE_OFFSET", nv1a_semaphore_offset},
    {0x64, OLD_G80, "SEMAPHORE_OFFSET", g80_semaphore_offset},
    {0x68, OLD_NV1A, "SEMAPHORE_ACQUIRE", old_acquire},
    {0x68, OLD_G80, "SEMAPHORE_ACQUIRE", old_acquire},
    {0x6c, OLD_NV1A, "SEMAPHORE_RELEASE", old_release},
    {0x6c, OLD_G80, "SEMAPHORE_RELEASE", old_release},
    {0x80, YIELD_NV40, "YIELD", yield},
    {0x84, NEW_G84, "SWITCH_NO_WAIT", yield}, /* UNKNOWN: listed in headers without description; taken as YIELD */
};

static bool chip_has(const struct pfifo_chip *chip, enum host_when when) {
    switch (when) {
    case REF_CNT:
        return chip->has_ref_cnt;
    case OLD_NV1A:
        return chip->has_old_semaphore && !chip->has_ib;
    case OLD_G80:
        return chip->has_old_semaphore && chip->has_ib;
    case NEW_G84:
        return chip->has_new_semaphore;
    case NOTIFY_G84:
        return chip->has_notify_intr;
    case FLUSH_MCP89:
        return chip->has_line_flush;
    case YIELD_NV40:
        return chip->has_yield;
    }
    return false;
}

void puller_make_host_table(struct cache_fifo *c) {
    for (size_t i = 0; i < sizeof host_rows / sizeof host_rows[0]; i++) {
        const struct host_row *row = &host_rows[i];
        if (!chip_has(c->base.chip, row->when))
            continue;
        c->host[row->method >> 2] = row->function;
        c->host_name[row->method >> 2] = row->name;
    }
}
