/* SPDX-License-Identifier: MIT */
/*
 * PFIFO of G80 .. MCP89: RAMFC in memory, channel table, playlist, virtual memory, USER pages with
 * the shadows of 40-bit pointers. G84 moved RAMFC out of the channel descriptor.
 *
 * Modelled:     DMA and IB channels 1 .. 126, playlist, kick, freeze, switching with entries in flight.
 * Not modelled: the PIO channel 0, event and high-priority registers (storage only).
 * Sources:      envytools rnndb/fifo/g80_pfifo.xml, docs/hw/fifo, docs/hw/memory/g80-vm.rst; nouveau
 *               engine/fifo/{nv50,g84,channv50,chang84,gpfifonv50,gpfifog84}.c.
 */
#include "fifo/g80.h"

#define PUSH1_MODE      (1u << 16)
#define CHANNEL_IDLE    127 /* reserved: CACHE1 is here when no channel is loaded */
#define CHAN_ENABLE     (1u << 31)
#define POINTER_ADDRESS 0x0fffffffu /* descriptor pointer: address >> 12 ... */
#define POINTER_TARGET  28          /* ... and target */
#define PLAYLIST_MAX    128
#define KICK_ENGINES    0x3fu

/* VM engine and client numbers that PFIFO's own accesses carry in a fault. */
enum { VM_ENGINE_PGRAPH = 0, VM_ENGINE_PFIFO = 5, VM_ENGINE_PFIFO_RETRY = 0xc };
enum { VM_CLIENT_DISPATCH = 3, VM_CLIENT_PFIFO_WRITE = 4, VM_CLIENT_PFIFO_READ = 8 };

/* ---- RAMFC ---- */

#define FC(offset, field)                                                                                              \
    { offset, 0, 32, 0, offsetof(struct cache_regs, field) }

const struct ramfc_row g80_ramfc[] = {
    FC(0x00, ib_put),
    FC(0x04, ib_get),
    FC(0x08, dma_put),
    FC(0x0c, dma_put_high),
    FC(0x10, dma_get),
    FC(0x14, dma_get_high),
    FC(0x18, mget),
    FC(0x1c, mget_high),
    FC(0x20, get_high_rdshadow),
    FC(0x24, put_high_rdshadow),
    FC(0x28, put_high_wrshadow),
    FC(0x2c, mget_high_rdshadow),
    FC(0x30, dma_state),
    FC(0x34, method_count),
    FC(0x38, dcount),
    FC(0x3c, dma_fetch),
    FC(0x40, subroutine),
    FC(0x44, dma_timeslice),
    FC(0x48, dma_instance),
    FC(0x4c, dma_limit),
    FC(0x50, ib_address),
    FC(0x54, ib_config),
    FC(0x58, engine),
    FC(0x5c, pull1),
    FC(0x60, acquire_timeout),
    FC(0x64, acquire_timestamp),
    FC(0x68, acquire_value),
    FC(0x6c, semaphore),
    FC(0x70, unk32e4),
    FC(0x74, ref),
    FC(0x78, debug_2),
    FC(0x7c, sli),
    FC(0x80, ramht),
    FC(0x84, cache_count),
    /* G84 from here on. */
    FC(0x88, cache_inst),
    FC(0x8c, sem_address_high),
    FC(0x90, sem_address_low),
    FC(0x94, sem_sequence),
    FC(0x98, chan_inst),
    FC(0x9c, unk3500[0]),
    FC(0xa0, unk3500[1]),
};
_Static_assert(sizeof g80_ramfc / sizeof g80_ramfc[0] == G84_RAMFC_ROWS, "rows of RAMFC");

static enum memory_target target_of(uint32_t bits) {
    return (bits & 3) == 0 ? MEMORY_VRAM : MEMORY_SYSTEM;
}

static struct place descriptor_place(uint32_t pointer) {
    return (struct place){target_of(pointer >> POINTER_TARGET), (uint64_t)(pointer & POINTER_ADDRESS) << 12};
}

/* G80: the table has the descriptor, and RAMFC is its start. */
struct place g80_ramfc_place(const struct cache_fifo *c, uint32_t channel) {
    return descriptor_place(c->r.chan_table[channel % CACHE_CHANNELS]);
}

/* G84: the table has RAMFC itself. */
struct place g84_ramfc_place(const struct cache_fifo *c, uint32_t channel) {
    uint32_t entry = c->r.chan_table[channel % CACHE_CHANNELS];
    return (struct place){target_of(entry >> 24), (uint64_t)(entry & 0xffffff) << 8};
}

uint64_t g80_ramfc_address(struct cache_fifo *c, uint32_t channel) {
    return c->family->ramfc_place(c, channel).address;
}

uint32_t g80_ramfc_rd32(struct cache_fifo *c, uint32_t channel, uint32_t offset) {
    struct place place = c->family->ramfc_place(c, channel);
    return memory_physical_rd32(c->base.memory, place.target, place.address + offset);
}

void g80_ramfc_wr32(struct cache_fifo *c, uint32_t channel, uint32_t offset, uint32_t value) {
    struct place place = c->family->ramfc_place(c, channel);
    memory_physical_wr32(c->base.memory, place.target, place.address + offset, value);
}

/* ---- the channel ---- */

static void open_channel(struct cache_fifo *c, uint32_t pointer) {
    struct place descriptor = descriptor_place(pointer);
    c->context = (struct pfifo_channel_context){
        .fifo = &c->base,
        .id = cache_channel(c),
        .instance = descriptor.address,
        .instance_target = descriptor.target,
        .vm = address_space_vm(c->base.memory, descriptor.target, descriptor.address),
    };
}

void g80_open_channel(struct cache_fifo *c) {
    open_channel(c, c->r.chan_table[cache_channel(c)]);
}

void g84_open_channel(struct cache_fifo *c) {
    open_channel(c, c->r.chan_inst);
}

struct address_space g80_channel_space(const struct pfifo_channel_context *channel, uint32_t object) {
    struct dma_object dma;
    if ((object & 0xffff) == 0)
        return address_space_fault(FAULT_NULL_OBJECT);
    dma_object_g80(channel->fifo->memory, channel->instance_target,
                   channel->instance + ((uint64_t)(object & 0xffff) << 4), &channel->vm, &dma);
    return dma.space;
}

void g80_open_pushbuffer(struct cache_fifo *c) {
    c->fetch_space = g80_channel_space(&c->context, c->r.dma_instance);
    c->fetch_space.flags &= ~ADDRESS_SPACE_WRITE_ONLY;
}

static void vm_fault(struct cache_fifo *c, uint32_t engine, uint32_t client, uint32_t slot, const struct fault *fault) {
    bus_vm_fault(c->base.bus, engine, fault_code(c->base.chip, fault->reason), client, slot, c->context.instance,
                 fault->address, fault->write);
}

void g80_fetch_fault(struct cache_fifo *c, const struct fault *fault) {
    vm_fault(c, VM_ENGINE_PFIFO, VM_CLIENT_PFIFO_READ, 0, fault);
}

void g80_semaphore_fault(struct cache_fifo *c, const struct fault *fault, bool retry) {
    bool background = retry && c->base.chip->has_new_semaphore;
    vm_fault(c, background ? VM_ENGINE_PFIFO_RETRY : VM_ENGINE_PFIFO,
             fault->write ? VM_CLIENT_PFIFO_WRITE : VM_CLIENT_PFIFO_READ, 1, fault);
}

uint32_t g80_ramht_rd32(struct cache_fifo *c, uint32_t offset) {
    uint64_t table = c->context.instance + ((uint64_t)(c->r.ramht & 0xffff) << 4);
    return memory_physical_rd32(c->base.memory, c->context.instance_target, table + offset);
}

uint32_t g80_object_class(struct cache_fifo *c, uint32_t instance) {
    uint64_t object = c->context.instance + ((uint64_t)instance << 4);
    return memory_physical_rd32(c->base.memory, c->context.instance_target, object) & 0xffff;
}

/* ---- entries in flight ---- */

struct place g80_cache_place(const struct cache_fifo *c) {
    return (struct place){c->context.instance_target, c->context.instance + 0x400};
}

struct place g84_cache_place(const struct cache_fifo *c) {
    return (struct place){target_of(c->r.cache_inst >> 30), (uint64_t)(c->r.cache_inst & 0x3fffffff) << 10};
}

void g80_save_entries(struct cache_fifo *c, uint32_t channel) {
    (void)channel;
    struct place place = c->family->cache_place(c);
    for (uint64_t at = place.address; cache_used(c); at += 8) {
        const struct cache_entry *entry = cache_at(c, c->r.get);
        memory_physical_wr32(c->base.memory, place.target, at, entry->method);
        memory_physical_wr32(c->base.memory, place.target, at + 4, entry->data);
        cache_pop(c);
    }
}

/* UNKNOWN: how entries come back; chosen: from the start of the saved area, in order, with GET = 0. */
void g80_load_entries(struct cache_fifo *c, uint32_t channel) {
    (void)channel;
    struct place place = c->family->cache_place(c);
    uint32_t count = c->r.cache_count;
    c->r.get = c->r.put = 0;
    if (count > c->base.chip->cache1_entries)
        count = c->base.chip->cache1_entries;
    for (uint32_t i = 0; i < count; i++) {
        struct cache_entry *entry = cache_at(c, c->r.put);
        entry->method = memory_physical_rd32(c->base.memory, place.target, place.address + 8 * (uint64_t)i) & 0xfffd;
        entry->data = memory_physical_rd32(c->base.memory, place.target, place.address + 8 * (uint64_t)i + 4);
        c->r.put = (c->r.put + 4) & c->base.chip->cache1_pointer_mask;
    }
}

/* ---- playlist ---- */

static uint32_t playlist_channel(const struct cache_fifo *c, uint32_t index) {
    struct place list = descriptor_place(c->r.cur_ctx);
    return memory_physical_rd32(c->base.memory, list.target, list.address + 4 * (uint64_t)index) & (CACHE_CHANNELS - 1);
}

static uint32_t playlist_length(const struct cache_fifo *c) {
    uint32_t length = c->r.old_ctx & 0xfff;
    return length < PLAYLIST_MAX ? length : PLAYLIST_MAX;
}

/* Work that waits in RAMFC: unread segments or words, entries in flight, an acquire. */
static bool runnable(struct cache_fifo *c, uint32_t channel) {
    uint32_t (*rd)(struct cache_fifo *, uint32_t, uint32_t) = c->family->ramfc_rd32;
    if (!(c->r.chan_table[channel] & CHAN_ENABLE) || channel == 0 || channel == CHANNEL_IDLE)
        return false;
    return rd(c, channel, 0x00) != rd(c, channel, 0x04) || rd(c, channel, 0x08) != rd(c, channel, 0x10) ||
           rd(c, channel, 0x0c) != rd(c, channel, 0x14) || rd(c, channel, 0x84) != 0 ||
           (rd(c, channel, 0x5c) & PULL1_ACQUIRE_ACTIVE);
}

static uint32_t playlist_position(const struct cache_fifo *c, uint32_t channel) {
    for (uint32_t i = 0; i < playlist_length(c); i++)
        if (playlist_channel(c, i) == channel)
            return i;
    return UINT32_MAX;
}

uint32_t g80_next_channel(struct cache_fifo *c) {
    uint32_t length = playlist_length(c);
    uint32_t position = playlist_position(c, cache_channel(c));
    for (uint32_t n = 1; n <= length; n++) {
        uint32_t channel = playlist_channel(c, (position == UINT32_MAX ? n - 1 : position + n) % length);
        if (channel != cache_channel(c) && runnable(c, channel))
            return channel;
    }
    return UINT32_MAX;
}

/* Registers may have been written since the context was opened: of this channel or of any other. */
static void renew_context(struct cache_fifo *c) {
    if (!c->context_valid)
        c->family->open_channel(c);
    c->context_valid = true;
}

/* Take the current channel out of CACHE1. */
static void park(struct cache_fifo *c) {
    if (cache_channel(c) == CHANNEL_IDLE)
        return;
    renew_context(c);
    switcher_save(c);
    c->r.push1 = CHANNEL_IDLE | PUSH1_MODE;
    c->r.ib_get = c->r.ib_put = 0;
    c->r.dma_get = c->r.dma_put = c->r.dma_get_high = c->r.dma_put_high = 0;
    c->r.pull1 &= ~PULL1_ACQUIRE_ACTIVE;
    c->r.dma_state = c->r.method_count = 0;
    c->r.dma_push &= ~DMA_PUSH_SUSPENDED;
    cache_forget_channel(c);
}

void g80_write_playlist_length(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    struct cache_fifo *c = unit;
    (void)reg, (void)index;
    /* UNKNOWN: when address and length are taken; chosen: both when the length is written. */
    c->r.cur_ctx = c->r.playlist;
    c->r.old_ctx = value & 0xfff;
    event_send(c->base.events, EVENT_SWITCH_RUNLIST, cache_channel(c), NULL, 0, playlist_length(c));
    uint32_t current = cache_channel(c);
    if (playlist_position(c, current) == UINT32_MAX || !(c->r.chan_table[current] & CHAN_ENABLE))
        park(c);
}

/* Force a channel off. UNKNOWN: what the register reads afterwards; chosen: what was written. */
void g80_write_kick(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    struct cache_fifo *c = unit;
    (void)reg, (void)index;
    renew_context(c);
    if (c->context.instance >> 12 == value)
        park(c);
}

uint32_t g80_read_freeze(void *unit, const struct reg *reg, uint32_t index) {
    const struct cache_fifo *c = unit;
    (void)reg, (void)index;
    return (c->r.freeze & 1) * 0x11u; /* FROZEN follows ENABLE: between two runs nothing is in flight */
}

uint32_t g80_read_channel(void *unit, const struct reg *reg, uint32_t index) {
    (void)reg, (void)index;
    return cache_channel(unit);
}

/* A set bit is an idle engine; engines that the chip does not have are idle. */
uint32_t g80_read_engine_idle(void *unit, const struct reg *reg, uint32_t index) {
    const struct cache_fifo *c = unit;
    uint32_t idle = KICK_ENGINES;
    (void)reg, (void)index;
    for (unsigned id = 1; id < 7; id++) {
        const struct fifo_engine *engine = &c->base.engines[id];
        if (engine->ops && engine->ops->busy && engine->ops->busy(engine->engine, &c->context))
            idle &= ~(1u << (id - 1));
    }
    return idle;
}

/* An entry that becomes 0 takes its channel out of the world. */
void g80_write_chan_table(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    struct cache_fifo *c = unit;
    (void)reg;
    if (value == 0)
        fifo_channel_gone(&c->base, index);
    cache_forget_channel(c);
}

/* ---- what the engines raise ---- */

/* UNKNOWN: the client number of each unit inside PGRAPH; chosen: DISPATCH for all. */
void g80_engine_fault(const struct pfifo_channel_context *channel, enum chip_unit unit, const struct fault *fault) {
    (void)unit;
    bus_vm_fault(channel->fifo->bus, VM_ENGINE_PGRAPH, fault_code(channel->fifo->chip, fault->reason),
                 VM_CLIENT_DISPATCH, 0, channel->instance, fault->address, fault->write);
    graph_raise(&((struct cache_fifo *)channel->fifo)->graph, GRAPH_INTR_TRAP);
}
