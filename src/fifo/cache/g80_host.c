/* SPDX-License-Identifier: MIT */
/*
 * Host methods of G80 .. MCP89: semaphores at an offset in a DMA object (G80-) or at an address in it (G84-),
 * NOTIFY_INTR (G84-), flushes (G84, MCP89).
 *
 *   SEMAPHORE  instance of the object [31:16] | OFFSET_VALID 14 | offset >> 2 [13:0]
 *
 * Sources: envytools docs/hw/fifo/puller.rst; NVIDIA open-gpu-doc classes/host/cl506f.h, cl826f.h.
 */
#include "fifo/cache/g80.h"

#include "fifo/cache/host.h"
#include "fifo/cache/puller.h"

/* SEMAPHORE_ERROR codes. */
enum { G80_ADDRESS_UNALIGNED = 1, G80_ADDRESS_TOO_LARGE = 3, G80_MEM_FAULT = 4 };

#define G80_OFFSET_VALID (1u << 14)

/* ---- an offset in the object of DMA_SEMAPHORE ---- */

static struct address_space g80_space(const struct cache_fifo *c) {
    return fifo_channel_space(&c->context, c->r.semaphore >> 16);
}

static uint64_t g80_address(const struct cache_fifo *c, uint32_t mode) {
    (void)mode;
    return (uint64_t)(c->r.semaphore & 0x3fff) << 2;
}

static enum puller_result g80_dma_semaphore(struct cache_fifo *c, uint32_t method, uint32_t data) {
    struct ramht_hit hit;
    if (!puller_translate(c, data, &hit))
        return host_no_object(c, method, data);
    c->r.semaphore = (c->r.semaphore & 0xffff) | hit.instance << 16;
    host_report(c, method, data);
    return PULLER_DONE;
}

static enum puller_result g80_semaphore_offset(struct cache_fifo *c, uint32_t method, uint32_t data) {
    if (data & 3)
        return host_semaphore_error(c, method, data, G80_ADDRESS_UNALIGNED, "ADDRESS_UNALIGNED");
    if (data > 0xffff)
        return host_semaphore_error(c, method, data, G80_ADDRESS_TOO_LARGE, "ADDRESS_TOO_LARGE");
    c->r.semaphore = (c->r.semaphore & 0xffff0000u) | G80_OFFSET_VALID | data >> 2;
    host_report(c, method, data);
    return PULLER_DONE;
}

/* ---- G84 and later: an address in that object ---- */

static uint64_t new_address(const struct cache_fifo *c) {
    return (uint64_t)c->r.sem_address_high << 32 | c->r.sem_address_low;
}

static uint64_t g84_address(const struct cache_fifo *c, uint32_t mode) {
    return mode & PULL1_ACQUIRE_NEW ? new_address(c) : g80_address(c, mode);
}

static enum puller_result g84_address_high(struct cache_fifo *c, uint32_t method, uint32_t data) {
    if (data > 0xff)
        return host_semaphore_error(c, method, data, G80_ADDRESS_TOO_LARGE, "ADDRESS_TOO_LARGE");
    c->r.sem_address_high = data;
    host_report(c, method, data);
    return PULLER_DONE;
}

static enum puller_result g84_address_low(struct cache_fifo *c, uint32_t method, uint32_t data) {
    if (data & 3)
        return host_semaphore_error(c, method, data, G80_ADDRESS_UNALIGNED, "ADDRESS_UNALIGNED");
    c->r.sem_address_low = data;
    host_report(c, method, data);
    return PULLER_DONE;
}

static enum puller_result g84_sequence(struct cache_fifo *c, uint32_t method, uint32_t data) {
    c->r.sem_sequence = data;
    host_report(c, method, data);
    return PULLER_DONE;
}

/* Trigger of G84: 1 acquire equal, 2 release with time, 4 acquire greater or equal; all others hang the channel. */
static enum puller_result g84_trigger(struct cache_fifo *c, uint32_t method, uint32_t data) {
    switch (data & c->family->host->semaphore->trigger_bits) {
    case 1:
        return host_start_acquire(c, PULL1_ACQUIRE_NEW, method, data, c->r.sem_sequence);
    case 2:
        return host_write_release(c, method, data, new_address(c), c->r.sem_sequence, true);
    case 4:
        return host_start_acquire(c, PULL1_ACQUIRE_NEW | PULL1_ACQUIRE_GEQUAL, method, data, c->r.sem_sequence);
    default:
        if (!c->puller.again)
            event_send(c->base.events, EVENT_FIFO_UNKNOWN, c->context.id, "SEMAPHORE_TRIGGER that never ends", data, 0);
        return PULLER_STALL;
    }
}

/*
 * A waiting acquire failed. Drivers then skip the entry at GET, as after every semaphore error, so GET moves back to
 * it. UNKNOWN: the contents of CACHE1 there; chosen: the method, on subchannel 0, unless a later entry needs the slot.
 */
static struct cache_entry back_to(struct cache_fifo *c, struct cache_entry entry) {
    bool room = !cache_full(c);
    c->r.get = (c->r.get - 4) & c->base.chip->cache1_pointer_mask;
    if (room)
        cache_set(c, c->r.get, entry);
    c->puller.announced = c->puller.again = false;
    return entry;
}

static struct cache_entry g80_acquire_failed(struct cache_fifo *c) {
    return back_to(c, (struct cache_entry){0x68, c->r.acquire_value});
}

static struct cache_entry g84_acquire_failed(struct cache_fifo *c) {
    if (!(c->r.pull1 & PULL1_ACQUIRE_NEW))
        return g80_acquire_failed(c);
    return back_to(c, (struct cache_entry){0x1c, c->r.pull1 & PULL1_ACQUIRE_GEQUAL ? 4 : 1});
}

/* ---- interrupts and flushes ---- */

static enum puller_result host_notify(struct cache_fifo *c, uint32_t method, uint32_t data) {
    host_report(c, method, data);
    c->r.intr_nrhost |= c->base.chip->has_nrhost ? INTR_NOTIFY : 0;
    cache_raise(c, INTR_NOTIFY, "NOTIFY");
    return PULLER_DONE;
}

/* Writes are visible at once here, so a flush does nothing. */
static enum puller_result host_flush(struct cache_fifo *c, uint32_t method, uint32_t data) {
    host_report(c, method, data);
    return PULLER_DONE;
}

/* ---- MCP89: flush of cache lines by address; there is no such cache here, so only its errors matter ---- */

#define FLUSH_ALL           (1u << 28)
#define FLUSH_OPERATIONS    3 /* EVICT, CLEAN, INVALIDATE */
#define FLUSH_OPERATION(op) ((op) >> 29)

static enum puller_result host_flush_address(struct cache_fifo *c, uint32_t method, uint32_t data) {
    c->r.unk3500[0] = data;
    host_report(c, method, data);
    return PULLER_DONE;
}

static enum puller_result host_flush_lines(struct cache_fifo *c, uint32_t method, uint32_t data) {
    if (FLUSH_OPERATION(data) >= FLUSH_OPERATIONS)
        return host_stop(c, method, data, PULL0_FLUSH_OPERATION, "FLUSH_OPERATION");
    if ((data & FLUSH_ALL) && !(data & 1))
        return host_stop(c, method, data, PULL0_FLUSH_LINES, "FLUSH_LINES");
    host_report(c, method, data);
    return PULLER_DONE;
}

/* UNKNOWN: where the instance is stored; chosen: nowhere, only a missing object is detected. */
static enum puller_result host_flush_object(struct cache_fifo *c, uint32_t method, uint32_t data) {
    struct ramht_hit hit;
    if (!puller_translate(c, data, &hit))
        return host_no_object(c, method, data);
    host_report(c, method, data);
    return PULLER_DONE;
}

/* ---- tables ---- */

#define OLD_SEMAPHORE                                                                                                  \
    .space = g80_space, .valid = G80_OFFSET_VALID, .mode_bits = PULL1_ACQUIRE_NEW | PULL1_ACQUIRE_GEQUAL,              \
    .fault_code = G80_MEM_FAULT, .clock_shift = 10
#define NEW_SEMAPHORE                                                                                                  \
    OLD_SEMAPHORE, .address = g84_address, .gequal = PULL1_ACQUIRE_GEQUAL, .fault = g84_semaphore_fault,               \
                   .failed = g84_acquire_failed

static const struct semaphore_ops g80_semaphore = {OLD_SEMAPHORE, .address = g80_address, .fault = g80_semaphore_fault,
                                                   .failed = g80_acquire_failed};
static const struct semaphore_ops g84_semaphore = {NEW_SEMAPHORE, .trigger_bits = 7};
static const struct semaphore_ops mcp89_semaphore = {NEW_SEMAPHORE, .trigger_bits = 15};

static const struct host_row g80_methods[] = {
    {0x10, HOST_NEEDS(has_new_semaphore), "SEMAPHORE_ADDRESS_HIGH", g84_address_high},
    {0x14, HOST_NEEDS(has_new_semaphore), "SEMAPHORE_ADDRESS_LOW", g84_address_low},
    {0x18, HOST_NEEDS(has_new_semaphore), "SEMAPHORE_SEQUENCE", g84_sequence},
    {0x1c, HOST_NEEDS(has_new_semaphore), "SEMAPHORE_TRIGGER", g84_trigger},
    {0x20, HOST_NEEDS(has_notify_intr), "NOTIFY_INTR", host_notify},
    {0x24, HOST_NEEDS(has_new_semaphore), "WRCACHE_FLUSH", host_flush},
    {0x28, HOST_NEEDS(has_line_flush), "MEM_OP_A", host_flush_address},
    {0x2c, HOST_NEEDS(has_line_flush), "MEM_OP_B", host_flush_lines},
    {0x30, HOST_NEEDS(has_line_flush), "SYSMEM_FLUSH_CTXDMA", host_flush_object},
    {0x50, HOST_NEEDS(has_ref_cnt), "REF_CNT", host_ref_cnt},
    {0x60, HOST_NEEDS(has_old_semaphore), "DMA_SEMAPHORE", g80_dma_semaphore},
    {0x64, HOST_NEEDS(has_old_semaphore), "SEMAPHORE_OFFSET", g80_semaphore_offset},
    {0x68, HOST_NEEDS(has_old_semaphore), "SEMAPHORE_ACQUIRE", host_acquire},
    {0x6c, HOST_NEEDS(has_old_semaphore), "SEMAPHORE_RELEASE", host_release},
    {0x80, HOST_NEEDS(has_yield), "YIELD", host_yield},
    /* UNKNOWN: listed in headers without description; taken as YIELD */
    {0x84, HOST_NEEDS(has_new_semaphore), "SWITCH_NO_WAIT", host_yield},
};

#define METHODS .rows = g80_methods, .count = sizeof g80_methods / sizeof g80_methods[0]
const struct host_ops host_ops_g80 = {METHODS, .semaphore = &g80_semaphore};
const struct host_ops host_ops_g84 = {METHODS, .semaphore = &g84_semaphore};
const struct host_ops host_ops_mcp89 = {METHODS, .semaphore = &mcp89_semaphore};
