/* SPDX-License-Identifier: MIT */
/*
 * PFIFO of G80 .. MCP89: a channel in memory. G84 moved RAMFC out of the channel descriptor.
 *
 * Modelled:     DMA and IB channels 1 .. 126, PIO channel 0, playlist, kick, freeze, switching with entries in flight.
 * Not modelled: event and high-priority registers, CHSW_STAT and its like (storage only).
 * Sources:      envytools rnndb/fifo/g80_pfifo.xml, docs/hw/fifo, docs/hw/memory/g80-vm.rst; nouveau
 *               engine/fifo/{nv50,g84,channv50,chang84,gpfifonv50,gpfifog84}.c.
 */
#include "fifo/cache/g80.h"

#include "bus/pfb.h"
#include "chip/units.h"
#include "fifo/cache/puller.h"
#include "fifo/cache/queue.h"
#include "fifo/cache/switcher.h"

/* VM engine and client numbers that accesses carry in a fault. */
enum { VM_ENGINE_PEEPHOLE = 4, VM_ENGINE_PFIFO = 5, VM_ENGINE_PFIFO_RETRY = 0xc };
enum { VM_CLIENT_PFIFO_WRITE = 4, VM_CLIENT_PFIFO_READ = 8 };

/* Clients of PGRAPH and their DMA slots. UNKNOWN: the client of an access without a slot; chosen: DISPATCH, slot 0.
 */
enum { VM_CLIENT_DISPATCH = 3, VM_CLIENT_CCACHE = 5, VM_CLIENT_TEXTURE = 0xa, VM_CLIENT_PROP = 0xb };
static const struct vm_slot {
    uint8_t client, number;
} graph_slots[UNIT_USES] = {
    [USE_OTHER] = {VM_CLIENT_DISPATCH, 0},
    [USE_NOTIFIER] = {VM_CLIENT_DISPATCH, 1},
    [USE_QUERY] = {VM_CLIENT_DISPATCH, 2},
    [USE_CONDITION] = {VM_CLIENT_DISPATCH, 3},
    [USE_COPY_IN] = {VM_CLIENT_DISPATCH, 4},
    [USE_COPY_OUT] = {VM_CLIENT_DISPATCH, 5},
    [USE_BUFFER_NOTIFIER] = {VM_CLIENT_DISPATCH, 6},
    [USE_CONSTANTS] = {VM_CLIENT_CCACHE, 0},
    [USE_2D_SOURCE] = {VM_CLIENT_TEXTURE, 0},
    [USE_2D_DESTINATION] = {VM_CLIENT_PROP, 0xc},
    [USE_PROGRAM] = {VM_CLIENT_CCACHE, 0},
    [USE_VERTEX] = {VM_CLIENT_DISPATCH, 0},
    [USE_INDEX] = {VM_CLIENT_DISPATCH, 0},
    [USE_TEXTURE] = {VM_CLIENT_TEXTURE, 0},
    [USE_SHADER] = {VM_CLIENT_DISPATCH, 0},
    [USE_FEEDBACK] = {VM_CLIENT_DISPATCH, 0},
    [USE_ZETA] = {VM_CLIENT_PROP, 8},
    [USE_COLOR + 0] = {VM_CLIENT_PROP, 0},
    [USE_COLOR + 1] = {VM_CLIENT_PROP, 1},
    [USE_COLOR + 2] = {VM_CLIENT_PROP, 2},
    [USE_COLOR + 3] = {VM_CLIENT_PROP, 3},
    [USE_COLOR + 4] = {VM_CLIENT_PROP, 4},
    [USE_COLOR + 5] = {VM_CLIENT_PROP, 5},
    [USE_COLOR + 6] = {VM_CLIENT_PROP, 6},
    [USE_COLOR + 7] = {VM_CLIENT_PROP, 7},
};

/* ---- RAMFC ---- */

#define FC(offset, field)                                                                                              \
    { offset, 0, 32, 0, offsetof(struct cache_regs, field) }

static const struct ramfc_row g80_ramfc_rows[] = {
    FC(G80_RAMFC_IB_PUT, ib_put),
    FC(G80_RAMFC_IB_GET, ib_get),
    FC(G80_RAMFC_DMA_PUT, dma_put),
    FC(G80_RAMFC_DMA_PUT_HIGH, dma_put_high),
    FC(G80_RAMFC_DMA_GET, dma_get),
    FC(G80_RAMFC_DMA_GET_HIGH, dma_get_high),
    FC(0x18, mget),
    FC(0x1c, mget_high),
    FC(0x20, get_high_rdshadow),
    FC(0x24, put_high_rdshadow),
    FC(0x28, put_high_wrshadow),
    FC(0x2c, mget_high_rdshadow),
    FC(G80_RAMFC_DMA_STATE, dma_state),
    FC(G80_RAMFC_METHOD_COUNT, method_count),
    FC(0x38, dcount),
    FC(G80_RAMFC_DMA_FETCH, dma_fetch),
    FC(0x40, subroutine),
    FC(G80_RAMFC_DMA_TIMESLICE, dma_timeslice),
    FC(G80_RAMFC_DMA_INSTANCE, dma_instance),
    FC(G80_RAMFC_DMA_LIMIT, dma_limit),
    FC(G80_RAMFC_IB_ADDRESS, ib_address),
    FC(G80_RAMFC_IB_CONFIG, ib_config),
    FC(G80_RAMFC_ENGINE, engine),
    FC(G80_RAMFC_PULL1, pull1),
    FC(G80_RAMFC_ACQUIRE_TIMEOUT, acquire_timeout),
    FC(G80_RAMFC_ACQUIRE_TIMESTAMP, acquire_timestamp),
    FC(G80_RAMFC_ACQUIRE_VALUE, acquire_value),
    FC(0x6c, semaphore),
    FC(0x70, unk32e4),
    FC(0x74, ref),
    FC(0x78, debug_2),
    FC(G80_RAMFC_SLI, sli),
    FC(G80_RAMFC_RAMHT, ramht),
    FC(RAMFC_CACHE_CNT, cache_count),
    /* G84 and later: from row G80_ROWS on. */
    FC(G84_RAMFC_CACHE_INST, cache_inst),
    FC(0x8c, sem_address_high),
    FC(0x90, sem_address_low),
    FC(0x94, sem_sequence),
    FC(RAMFC_CHAN_INST, chan_inst),
    /* MCP89: from row G84_ROWS on. */
    FC(0x9c, unk3500[0]),
    FC(0xa0, unk3500[1]),
};
#define G80_ROWS   34
#define G84_ROWS   39
#define MCP89_ROWS 41
_Static_assert(sizeof g80_ramfc_rows / sizeof g80_ramfc_rows[0] == MCP89_ROWS, "rows of RAMFC");

/* 0 VRAM, 2 and 3 system memory. UNKNOWN: 1; chosen: system memory. */
static enum memory_target g80_target(uint32_t bits) {
    return (bits & 3) == 0 ? MEMORY_VRAM : MEMORY_SYSTEM;
}

struct g80_location g80_pointer(uint32_t pointer) {
    return (struct g80_location){g80_target(pointer >> POINTER_TARGET), (uint64_t)(pointer & POINTER_ADDRESS) << 12};
}

/* G80: the table has the descriptor, and RAMFC is its start. */
struct g80_location g80_ramfc_at(const struct cache_fifo *c, uint32_t channel) {
    return g80_pointer(c->r.chan_table[channel % CACHE_CHANNELS]);
}

/* G84: the table has RAMFC itself. */
struct g80_location g84_ramfc_at(const struct cache_fifo *c, uint32_t channel) {
    uint32_t entry = c->r.chan_table[channel % CACHE_CHANNELS];
    return (struct g80_location){g80_target(entry >> 24), (uint64_t)(entry & 0xffffff) << 8};
}

uint64_t g80_ramfc_address(struct cache_fifo *c, uint32_t channel) {
    return c->family->g80->ramfc_at(c, channel).address;
}

uint32_t g80_ramfc_rd32(struct cache_fifo *c, uint32_t channel, uint32_t offset) {
    struct g80_location at = c->family->g80->ramfc_at(c, channel);
    return memory_physical_rd32(c->base.memory, at.target, at.address + offset);
}

/* A channel that is not in the table, like the idle one of most drivers, is not saved. */
static bool has_ramfc(const struct cache_fifo *c, uint32_t channel) {
    return c->r.chan_table[channel % CACHE_CHANNELS] != 0;
}

void g80_ramfc_wr32(struct cache_fifo *c, uint32_t channel, uint32_t offset, uint32_t value) {
    struct g80_location at = c->family->g80->ramfc_at(c, channel);
    if (has_ramfc(c, channel))
        memory_physical_wr32(c->base.memory, at.target, at.address + offset, value);
}

/* ---- the channel ---- */

uint32_t g80_descriptor(struct cache_fifo *c, uint32_t channel) {
    return c->r.chan_table[channel % CACHE_CHANNELS];
}

uint32_t g84_descriptor(struct cache_fifo *c, uint32_t channel) {
    return channel == cache_channel(c) ? c->r.chan_inst : g80_ramfc_rd32(c, channel, RAMFC_CHAN_INST);
}

struct pfifo_channel_context g80_context(struct cache_fifo *c, uint32_t channel) {
    struct g80_location descriptor = g80_pointer(c->family->g80->descriptor(c, channel));
    return (struct pfifo_channel_context){
        .fifo = &c->base,
        .id = channel,
        .instance = descriptor.address,
        .instance_target = descriptor.target,
        .vm = address_space_vm(c->base.memory, descriptor.target, descriptor.address),
    };
}

void g80_open_channel(struct cache_fifo *c) {
    c->context = g80_context(c, cache_channel(c));
}

void g80_renew_context(struct cache_fifo *c) {
    if (!c->context_valid)
        c->family->switcher->open_channel(c);
    c->context_valid = true;
}

bool g80_dma_mode(const struct cache_fifo *c, uint32_t channel) {
    (void)c;
    return channel != CHANNEL_PIO;
}

struct address_space g80_channel_space(const struct pfifo_channel_context *channel, uint32_t object) {
    struct dma_object dma;
    if ((object & 0xffff) == 0)
        return address_space_fault(FAULT_NULL_OBJECT);
    dma_object_g80(channel->fifo->memory, channel->instance_target,
                   channel->instance + ((uint64_t)(object & 0xffff) << 4), &channel->vm, &dma);
    return dma.space;
}

struct address_space g80_look(struct cache_fifo *c, const struct pfifo_channel_context *channel, struct cache_regs *r) {
    struct address_space space = g80_channel_space(channel, r->dma_instance);
    (void)c;
    space.flags &= ~ADDRESS_SPACE_WRITE_ONLY;
    return space;
}

void g80_open_pushbuffer(struct cache_fifo *c) {
    c->pusher.space = g80_look(c, &c->context, &c->r);
}

bool g80_has_pushbuffer(const struct cache_fifo *c, uint32_t channel) {
    return channel < CHANNEL_IDLE && g80_dma_mode(c, channel) && has_ramfc(c, channel);
}

static void g80_vm_fault(struct cache_fifo *c, uint32_t engine, uint32_t client, uint32_t slot,
                         const struct fault *fault) {
    bus_vm_fault(c->base.bus, engine, fault_code(c->base.chip, fault->reason), client, slot, c->context.instance,
                 fault->address, fault->write);
}

void g80_fetch_fault(struct cache_fifo *c, const struct fault *fault) {
    g80_vm_fault(c, VM_ENGINE_PFIFO, VM_CLIENT_PFIFO_READ, 0, fault);
}

static void semaphore_fault(struct cache_fifo *c, uint32_t engine, const struct fault *fault) {
    g80_vm_fault(c, engine, fault->write ? VM_CLIENT_PFIFO_WRITE : VM_CLIENT_PFIFO_READ, 1, fault);
}

void g80_semaphore_fault(struct cache_fifo *c, const struct fault *fault, bool retry) {
    (void)retry;
    semaphore_fault(c, VM_ENGINE_PFIFO, fault);
}

/* A waiting acquire is retried by another engine of the VM. */
void g84_semaphore_fault(struct cache_fifo *c, const struct fault *fault, bool retry) {
    semaphore_fault(c, retry ? VM_ENGINE_PFIFO_RETRY : VM_ENGINE_PFIFO, fault);
}

void g80_cpu_fault(void *fifo, uint32_t engine) {
    struct cache_fifo *c = fifo;
    bool peephole = engine == VM_ENGINE_PEEPHOLE;
    if (bus_enabled(c->base.bus, PMC_INTR_PFIFO))
        cache_raise(c, peephole ? INTR_PEEPHOLE : INTR_BAR_FAULT, peephole ? "PEEPHOLE_FAULT" : "BAR_FAULT");
}

uint32_t g80_ramht_rd32(const struct pfifo_channel_context *channel, uint32_t reg, uint32_t offset) {
    uint64_t table = channel->instance + ((uint64_t)(reg & 0xffff) << 4);
    return memory_physical_rd32(channel->fifo->memory, channel->instance_target, table + offset);
}

uint32_t g80_channel_class(const struct pfifo_channel_context *channel, uint32_t object) {
    uint64_t address = channel->instance + ((uint64_t)(object & 0xfffff) << 4);
    return memory_physical_rd32(channel->fifo->memory, channel->instance_target, address) & 0xffff;
}

uint32_t g80_object_class(const struct pfifo_channel_context *channel, uint32_t instance, uint32_t engine) {
    uint32_t own = engine < CHIP_MAX_ENGINES ? channel->fifo->chip->own_classes[engine] : 0;
    return own ? own : g80_channel_class(channel, instance);
}

/* ---- entries in flight ---- */

struct g80_location g80_entries_at(const struct cache_fifo *c) {
    return (struct g80_location){c->context.instance_target, c->context.instance + 0x400};
}

struct g80_location g84_entries_at(const struct cache_fifo *c) {
    return (struct g80_location){g80_target(c->r.cache_inst >> 30), (uint64_t)(c->r.cache_inst & 0x3fffffff) << 10};
}

/*
 * The area has room for as many entries as there are slots; other values of PUT and GET, written by a driver, are not
 * considered.
 */
static void g80_save_entries(struct cache_fifo *c, uint32_t channel) {
    struct g80_location at = c->family->g80->entries_at(c);
    uint32_t used = cache_used(c), all = cache_capacity(c);
    c->r.cache_count = used < all ? used : all;
    for (uint32_t i = 0; i < c->r.cache_count && has_ramfc(c, channel); i++) {
        const struct cache_entry entry = cache_at(c, c->r.get + 4 * i);
        memory_physical_wr32(c->base.memory, at.target, at.address + 8 * (uint64_t)i, entry.method);
        memory_physical_wr32(c->base.memory, at.target, at.address + 8 * (uint64_t)i + 4, entry.data);
    }
    c->r.get = c->r.put;
    c->puller.announced = c->puller.again = false;
}

/* UNKNOWN: how entries come back; chosen: from the start of the saved area, in order, with GET = 0. */
static void g80_load_entries(struct cache_fifo *c, uint32_t channel) {
    (void)channel;
    struct g80_location at = c->family->g80->entries_at(c);
    uint32_t count = c->r.cache_count;
    c->r.get = c->r.put = 0;
    if (count > c->base.chip->cache1_entries)
        count = c->base.chip->cache1_entries;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t entry = at.address + 8 * (uint64_t)i;
        cache_set(c, c->r.put,
                  (struct cache_entry){memory_physical_rd32(c->base.memory, at.target, entry) & 0xfffd,
                                       memory_physical_rd32(c->base.memory, at.target, entry + 4)});
        c->r.put = (c->r.put + 4) & c->base.chip->cache1_pointer_mask;
    }
}

#define RAMFC(rows_in_use)                                                                                             \
    {                                                                                                                  \
        .rows = g80_ramfc_rows, .count = (rows_in_use), .bytes = ramfc_all_bytes, .address = g80_ramfc_address,        \
        .rd32 = g80_ramfc_rd32, .wr32 = g80_ramfc_wr32, .save_entries = g80_save_entries,                              \
        .load_entries = g80_load_entries                                                                               \
    }
const struct ramfc_ops g80_ramfc = RAMFC(G80_ROWS);
const struct ramfc_ops g84_ramfc = RAMFC(G84_ROWS);
const struct ramfc_ops mcp89_ramfc = RAMFC(MCP89_ROWS);

/* ---- engines ---- */

uint32_t g80_shown_instance(const struct cache_fifo *c) {
    return (uint32_t)(c->context.instance >> 12);
}

/* The engine that the puller gave a method, or binds. */
enum chip_unit g80_current_unit(const struct pfifo_channel_context *channel) {
    const struct cache_fifo *c = (const struct cache_fifo *)channel->fifo;
    uint32_t id = c->r.pull1 & PULL1_ENGINE;
    enum chip_unit unit = id && id < CHIP_MAX_ENGINES ? c->base.engines[id].unit : CHIP_UNIT_NONE;
    return unit == CHIP_UNIT_NONE ? CHIP_UNIT_PGRAPH : unit;
}

/* UNKNOWN: the port of a falcon; chosen: 0. */
static struct vm_slot vm_slot_of(const struct chip_unit_row *row, const struct fault *fault, enum unit_use use) {
    if (row->unit == CHIP_UNIT_PGRAPH)
        return graph_slots[use];
    uint8_t moves = fault->write ? row->write_slot : row->read_slot;
    return (struct vm_slot){row->fault_client, use == USE_QUERY ? row->query_slot : moves};
}

void g80_engine_fault(const struct pfifo_channel_context *channel, enum chip_unit unit, const struct fault *fault,
                      const struct unit_trap *trap) {
    const struct pfifo_chip *chip = channel->fifo->chip;
    const struct chip_unit_row *known = chip_unit_row(chip, unit);
    const struct chip_unit_row *row = known ? known : chip_unit_row(chip, CHIP_UNIT_PGRAPH);
    const struct vm_slot slot = vm_slot_of(row, fault, trap ? trap->use : USE_OTHER);
    bus_vm_fault(channel->fifo->bus, row->fault_unit, fault_code(chip, fault->reason), slot.client, slot.number,
                 channel->instance, fault->address, fault->write);
    cache_engine_fault(channel, unit, fault, trap);
}
