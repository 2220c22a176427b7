/* SPDX-License-Identifier: MIT */
/*
 * Channels of G80 .. MCP89 in memory: channel table, RAMFC, saved entries.
 *
 *   CHAN_TABLE   G80: descriptor, whose start is RAMFC    G84: RAMFC itself, which has the descriptor's address
 *   entries      G80: descriptor + 0x400                  G84: where CACHE_INST says
 *
 * A channel whose entry in the table is 0 has no place: nothing is saved of it.
 * Sources: envytools rnndb/fifo/g80_pfifo.xml; nouveau engine/fifo/nv50.c, channv50.c, chang84.c, dmanv50.c, dmag84.c.
 */
#include "state.h"

#define COUNT_OF(a)    (sizeof(a) / sizeof((a)[0]))
#define IDLE_CHANNEL   127u
#define DMA_MODE       0x10000u
#define RAMFC_ENTRIES  0x84u
#define RAMFC_CHANNEL  0x98u
#define POINTER_BITS   0x3fffffffu /* of the descriptor: address >> 12, target */
#define ENTRIES_IN_G80 0x400u      /* of the descriptor */
#define SELECT         0x1ffffu    /* DMA_TIMESLICE */
#define TIMEOUT        0x01000000u

/* ---- where things are ---- */

/* 0 VRAM, 2 and 3 system memory. UNKNOWN: 1; chosen: system memory. */
static enum reference_target target_of(uint32_t bits) {
    return (bits & 3) == 0 ? REFERENCE_VRAM : REFERENCE_SYSTEM;
}

struct place ref_g80_pointed_to(uint32_t pointer) {
    return (struct place){target_of(pointer >> 28), (uint64_t)(pointer & 0x0fffffff) << 12};
}

struct place ref_g80_ramfc(const struct reference *r, uint32_t channel) {
    uint32_t entry = value_of(r, CHAN_TABLE + 4 * channel);
    if (!since(r, G84))
        return ref_g80_pointed_to(entry);
    return (struct place){target_of(entry >> 24), (uint64_t)(entry & 0xffffff) << 8};
}

static bool has_place(const struct reference *r, uint32_t channel) {
    return value_of(r, CHAN_TABLE + 4 * channel) != 0;
}

static uint32_t ramfc_rd32(const struct reference *r, uint32_t channel, uint32_t offset) {
    struct place place = ref_g80_ramfc(r, channel);
    return reference_memory_rd32(r, place.target, place.address + offset);
}

static void ramfc_wr32(struct reference *r, uint32_t channel, uint32_t offset, uint32_t value) {
    struct place place = ref_g80_ramfc(r, channel);
    if (has_place(r, channel))
        reference_memory_wr32(r, place.target, place.address + offset, value);
}

/* On G80 it is what the channel table holds; G84 has it in a register. */
uint32_t ref_g80_descriptor_pointer(const struct reference *r, uint32_t channel) {
    if (!since(r, G84))
        return value_of(r, CHAN_TABLE + 4 * channel) & POINTER_BITS;
    return (channel == ref_channel(r) ? value_of(r, CHAN_INST) : ramfc_rd32(r, channel, RAMFC_CHANNEL)) & POINTER_BITS;
}

struct place ref_g80_descriptor(const struct reference *r) {
    return ref_g80_pointed_to(ref_g80_descriptor_pointer(r, ref_channel(r)));
}

static struct place saved_entries(const struct reference *r) {
    struct place place = ref_g80_descriptor(r);
    if (since(r, G84)) {
        uint32_t pointer = value_of(r, CACHE_INST);
        return (struct place){target_of(pointer >> 30), (uint64_t)(pointer & 0x3fffffff) << 10};
    }
    place.address += ENTRIES_IN_G80;
    return place;
}

/* ---- RAMFC ---- */

static const struct {
    uint32_t offset, reg;
    enum reference_place from;
} rows[] = {
    {0x00, IB_PUT, G80},
    {0x04, IB_GET, G80},
    {0x08, DMA_PUT, G80},
    {0x0c, DMA_PUT_HIGH, G80},
    {0x10, DMA_GET, G80},
    {0x14, DMA_GET_HIGH, G80},
    {0x18, DMA_MGET, G80},
    {0x1c, DMA_MGET_HIGH, G80},
    {0x20, GET_HIGH_READ, G80},
    {0x24, PUT_HIGH_READ, G80},
    {0x28, PUT_HIGH_WRITE, G80},
    {0x2c, MGET_HIGH_READ, G80},
    {0x30, DMA_STATE, G80},
    {0x34, METHOD_COUNT, G80},
    {0x38, DCOUNT, G80},
    {0x3c, DMA_FETCH, G80},
    {0x40, SUBROUTINE, G80},
    {0x44, DMA_TIMESLICE, G80},
    {0x48, DMA_INSTANCE, G80},
    {0x4c, DMA_LIMIT, G80},
    {0x50, IB_ADDRESS, G80},
    {0x54, IB_CONFIG, G80},
    {0x58, ENGINE, G80},
    {0x5c, PULL1, G80},
    {0x60, ACQUIRE_TIMEOUT, G80},
    {0x64, ACQUIRE_TIMESTAMP, G80},
    {0x68, ACQUIRE_VALUE, G80},
    {0x6c, SEMAPHORE, G80},
    {0x70, 0x32e4, G80},
    {0x74, REF, G80},
    {0x78, DEBUG_2, G80},
    {0x7c, SLI, G80},
    {0x80, RAMHT, G80},
    {0x88, CACHE_INST, G84},
    {0x8c, SEM_ADDRESS_HIGH, G84},
    {0x90, SEM_ADDRESS_LOW, G84},
    {0x94, SEM_SEQUENCE, G84},
    {0x98, CHAN_INST, G84},
    {0x9c, MTHD_28, MCP89},
    {0xa0, MTHD_28 + 4, MCP89},
};

/* What a channel has in a register: in CACHE1, or in RAMFC, of which no other bits count than the register has. */
uint32_t ref_g80_state(const struct reference *r, uint32_t channel, uint32_t reg_offset) {
    if (channel == ref_channel(r))
        return value_of(r, reg_offset);
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        if (rows[i].reg == reg_offset)
            return ramfc_rd32(r, channel, rows[i].offset) & ref_writable(r, reg_offset);
    return 0;
}

void ref_g80_set_state(struct reference *r, uint32_t channel, uint32_t reg_offset, uint32_t value) {
    value &= ref_writable(r, reg_offset);
    if (channel == ref_channel(r)) {
        *reg(r, reg_offset) = value;
        return;
    }
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        if (rows[i].reg == reg_offset)
            ramfc_wr32(r, channel, rows[i].offset, value);
}

/* How many entries wait in memory. */
uint32_t ref_g80_saved(const struct reference *r, uint32_t channel) {
    return ramfc_rd32(r, channel, RAMFC_ENTRIES);
}

/* Entries from GET to PUT go to memory, the one at GET first; more than there are slots cannot be there. */
static uint32_t save_entries(struct reference *r) {
    bool kept = has_place(r, ref_channel(r));
    struct place place = saved_entries(r);
    uint32_t count = ref_cache_used(r) < ref_entries(r) ? ref_cache_used(r) : ref_entries(r);
    for (uint32_t n = 0; n < count && kept; n++) {
        const struct reference_entry *entry = ref_cache_entry(r, value_of(r, GET) + 4 * n);
        reference_memory_wr32(r, place.target, place.address + 8 * (uint64_t)n, entry->method);
        reference_memory_wr32(r, place.target, place.address + 8 * (uint64_t)n + 4, entry->data);
    }
    *reg(r, GET) = value_of(r, PUT);
    return count;
}

static void load_entries(struct reference *r, uint32_t count) {
    struct place place = saved_entries(r);
    *reg(r, GET) = *reg(r, PUT) = 0;
    for (uint32_t n = 0; n < count && n < ref_entries(r); n++) {
        uint32_t method = reference_memory_rd32(r, place.target, place.address + 8 * (uint64_t)n);
        uint32_t data = reference_memory_rd32(r, place.target, place.address + 8 * (uint64_t)n + 4);
        ref_cache_push(r, method & 0xfffd, data);
    }
}

static void forget(struct reference *r) {
    r->pushbuffer.known = false;
    r->announced[1] = r->stalled[1] = r->pinned = r->yield = false;
}

static void save(struct reference *r) {
    uint32_t channel = ref_channel(r), count = save_entries(r);
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        if (since(r, rows[i].from))
            ramfc_wr32(r, channel, rows[i].offset, value_of(r, rows[i].reg));
    ramfc_wr32(r, channel, RAMFC_ENTRIES, count);
}

void ref_g80_start_slice(struct reference *r) {
    *reg(r, TIMESLICE) = value_of(r, DMA_TIMESLICE) & SELECT;
    r->timer_counts = (value_of(r, DMA_TIMESLICE) & TIMEOUT) != 0;
    r->timer_expired = false;
    r->timer_part = 0;
}

static void load(struct reference *r, uint32_t channel) {
    *reg(r, PUSH1) = channel | (channel != 0 ? DMA_MODE : 0);
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        if (since(r, rows[i].from))
            *reg(r, rows[i].reg) = ramfc_rd32(r, channel, rows[i].offset) & ref_writable(r, rows[i].reg);
    *reg(r, DMA_PUSH) = (value_of(r, DMA_PUSH) & ~(PUSH_SUSPENDED | PUSH_ACQUIRE)) | 1;
    if (value_of(r, DMA_STATE) & ERROR_FIELD)
        *reg(r, DMA_PUSH) |= PUSH_SUSPENDED;
    load_entries(r, ramfc_rd32(r, channel, RAMFC_ENTRIES));
    forget(r);
    ref_g80_start_slice(r);
}

void ref_g80_switch_to(struct reference *r, uint32_t channel) {
    save(r);
    load(r, channel);
}

/* The channel leaves, and nobody comes. UNKNOWN: what its registers show then; chosen: no work. */
void ref_g80_leave(struct reference *r) {
    if (ref_channel(r) == IDLE_CHANNEL)
        return;
    save(r);
    *reg(r, PUSH1) = IDLE_CHANNEL | DMA_MODE;
    *reg(r, IB_GET) = *reg(r, IB_PUT) = 0;
    *reg(r, DMA_GET) = *reg(r, DMA_PUT) = *reg(r, DMA_GET_HIGH) = *reg(r, DMA_PUT_HIGH) = 0;
    *reg(r, PULL1) &= ~ACQUIRE_ACTIVE;
    *reg(r, DMA_STATE) = *reg(r, METHOD_COUNT) = 0;
    *reg(r, DMA_PUSH) &= ~PUSH_SUSPENDED;
    forget(r);
}
