/* SPDX-License-Identifier: MIT */
/* The reference: registers, CACHE1 as a ring, interrupts, and the order of work. */
#include "reference.h"

#include <string.h>

#include "state.h"

#define COUNT_OF(a)    (sizeof(a) / sizeof((a)[0]))
#define NS_PER_UNIT    16
#define CACHE1_BYTES   0x1000
#define NO_CHANNEL     UINT32_MAX
#define ALL            0xffffffffu
#define MULTIPLE_OF_4  0xfffffffcu
#define STATUS_EMPTY   0x00000010u
#define STATUS_FULL    0x00000100u
#define FREEZE_ENABLE  0x00000001u
#define FREEZE_FROZEN  0x00000010u
#define DEBUG_0_CACHES 0x00000011u

/* ---- registers ---- */

static const struct reference_register nv40_registers[] = {
    {DMA_TIMESLICE, 0xf101ffff, 0xf101ffff, 0x01000000},
    {SLI, 0x30000fff, 0x30000fff, 0},
    {DEBUG_0, 0x00000011, 0, 0},
    {INTR, ALL, 0, 0},
    {INTR_EN, 0x01fd1111, 0x01fd1111, 0},
    {RAMHT, 0x070301f0, 0x070301f0, 0x00000100},
    {CACHES, 1, 1, 0},
    {PUSH0, 1, 1, 0},
    {PUSH1, 0x000101ff, 0x000101ff, 0},
    {PUT, 0x7fc, 0x7fc, 0},
    {STATUS, 0x110, 0, 0},
    {DMA_PUSH, 0xff011111, 0xff011001, 0},
    {DMA_FETCH, 0x807fe0f8, 0x807fe0f8, 0x00006078},
    {DMA_STATE, 0xfffffffd, 0xfffffffd, 0},
    {DMA_INSTANCE, 0x000fffff, 0x000fffff, 0},
    {DMA_CTL, 0x80033ffc, 0x80033ffc, 0x80000000},
    {DMA_LIMIT, MULTIPLE_OF_4, MULTIPLE_OF_4, 0},
    {DMA_PUT, MULTIPLE_OF_4, MULTIPLE_OF_4, 0},
    {DMA_GET, MULTIPLE_OF_4, MULTIPLE_OF_4, 0},
    {REF, ALL, ALL, 0},
    {SUBROUTINE, MULTIPLE_OF_4, MULTIPLE_OF_4, 0},
    {PULL0, 0x00f11111, 1, 0},
    {PULL1, 0x0003001f, 0x0003001f, 0},
    {HASH, 0x01ffffff, 0x01ffffff, 0},
    {ACQUIRE_TIMEOUT, ALL, ALL, 0},
    {ACQUIRE_TIMESTAMP, ALL, ALL, 0},
    {ACQUIRE_VALUE, ALL, ALL, 0},
    {SEMAPHORE, 0xfffffffd, 0xfffffffd, 0},
    {GET, 0x7fc, 0x7fc, 0},
    {ENGINE, ALL, ALL, 0},
    {DCOUNT, 0x1ffc, 0x1ffc, 0},
    {GET_JMP_SHADOW, MULTIPLE_OF_4, MULTIPLE_OF_4, 0},
    {RSVD_SHADOW, ALL, ALL, 0},
    {DATA_SHADOW, ALL, ALL, 0},
};

static const struct reference_register g80_registers[] = {
    {DMA_TIMESLICE, 0xf101ffff, 0xf101ffff, 0},
    {SLI, 0x30000fff, 0x30000fff, 0},
    {DEBUG_0, 0x00000011, 0, 0},
    {INTR, ALL, 0, 0},
    {INTR_EN, ALL, ALL, 0},
    {RAMHT, 0x1fffffff, 0x1fffffff, 0},
    {CACHES, 3, 3, 0},
    {FREEZE, 0x11, 0x01, 0},
    {ENGINE_IDLE, 0x3f, 0, 0},
    {PUSH0, 1, 1, 0},
    {PUSH1, 0x0001007f, 0x0001007f, 0x0001007f},
    {PUT, 0xffc, 0xffc, 0},
    {STATUS, 0x110, 0, 0},
    {DMA_PUSH, 0xff001111, 0xff001001, 0},
    {DMA_FETCH, 0x407fe0f8, 0x407fe0f8, 0x00006078},
    {DMA_STATE, 0xe007ffff, 0xe007ffff, 0},
    {DMA_INSTANCE, 0xffff, 0xffff, 0},
    {DMA_LIMIT, ALL, ALL, 0},
    {DMA_PUT, MULTIPLE_OF_4, MULTIPLE_OF_4, 0},
    {DMA_GET, MULTIPLE_OF_4, MULTIPLE_OF_4, 0},
    {REF, ALL, ALL, 0},
    {SUBROUTINE, MULTIPLE_OF_4, MULTIPLE_OF_4, 0},
    {PULL0, 0xf7f11111, 1, 0},
    {PULL1, 0xbf, 0xbf, 0},
    {HASH, 0xffff, 0xffff, 0},
    {ACQUIRE_TIMEOUT, ALL, ALL, 0},
    {ACQUIRE_TIMESTAMP, ALL, ALL, 0},
    {ACQUIRE_VALUE, ALL, ALL, 0},
    {SEMAPHORE, 0xffff7fff, 0xffff7fff, 0},
    {GET, 0xffc, 0xffc, 0},
    {ENGINE, ALL, ALL, 0},
    {DCOUNT, 0x1ffc, 0x1ffc, 0},
    {GET_JMP_SHADOW, MULTIPLE_OF_4, MULTIPLE_OF_4, 0},
    {RSVD_SHADOW, ALL, ALL, 0},
    {DATA_SHADOW, ALL, ALL, 0},
    {FIFO_ENDIAN, 3, 3, 0},
    {DMA_PUT_HIGH, 0xff, 0xff, 0},
    {DMA_GET_HIGH, 0xff, 0xff, 0},
    {IB_PUT, ALL, ALL, 0},
    {IB_GET, ALL, ALL, 0},
    {IB_ADDRESS, ALL, ALL, 0},
    {IB_CONFIG, ALL, ALL, 0},
    {METHOD_COUNT, 0x00ffffff, 0x00ffffff, 0},
    {DMA_MGET, ALL, ALL, 0},
    {DMA_MGET_HIGH, 0x800000ff, 0x800000ff, 0},
    {SEM_ADDRESS_HIGH, 0xff, 0xff, 0},
    {SEM_ADDRESS_LOW, ALL, ALL, 0},
    {SEM_SEQUENCE, ALL, ALL, 0},
    {CHAN_INST, 0x3fffffff, 0x3fffffff, 0},
};

/* UNKNOWN: depth of CACHE1 of NV40; of 512 slots with 9 bits of pointer one bit tells full from empty: 256. */
static const struct reference_chip chips[] = {
    {"NV40", false, false, 256, 0x7fc, 0x1ff, 0x80000, nv40_registers, COUNT_OF(nv40_registers)},
    {"G80", true, false, 512, 0xffc, 0x7f, 0, g80_registers, COUNT_OF(g80_registers)},
    {"G84", true, true, 512, 0xffc, 0x7f, 0, g80_registers, COUNT_OF(g80_registers)},
};

static const struct reference_register *find(const struct reference *r, uint32_t offset) {
    for (size_t i = 0; i < r->chip->register_count; i++)
        if (r->chip->registers[i].offset == offset)
            return &r->chip->registers[i];
    return NULL;
}

bool reference_init(struct reference *r, const struct reference_config *config) {
    memset(r, 0, sizeof *r);
    r->config = *config;
    for (size_t i = 0; i < COUNT_OF(chips); i++)
        if (strcmp(chips[i].name, config->chip) == 0)
            r->chip = &chips[i];
    if (!r->chip)
        return false;
    for (size_t i = 0; i < r->chip->register_count; i++)
        *reg(r, r->chip->registers[i].offset) = r->chip->registers[i].reset;
    return true;
}

static bool in_cache_memory(uint32_t offset) {
    return offset >= CACHE1_MEMORY && offset < CACHE1_MEMORY + CACHE1_BYTES;
}

static bool in_channel_table(const struct reference *r, uint32_t offset) {
    return r->chip->g80 && offset >= CHAN_TABLE && offset < CHAN_TABLE + 4 * 128;
}

/* The bits of DMA_PUSH that are not storage. */
static uint32_t read_dma_push(struct reference *r) {
    bool fetches = ref_pusher_can_fetch(r); /* this may end the pause after an acquire, which shows in the register */
    return value_of(r, DMA_PUSH) | PUSH_EMPTY | (fetches ? PUSH_BUSY : 0);
}

/* A bit for each engine from 1 on. Those that do not exist are idle. */
static uint32_t idle_engines(const struct reference *r) {
    uint32_t idle = 0x3f;
    for (unsigned engine = 1; engine < 7; engine++)
        if ((r->config.engines >> engine & 1) && r->config.busy(r->config.opaque, engine))
            idle &= ~(1u << (engine - 1));
    return idle;
}

bool reference_rd32(struct reference *r, uint32_t offset, uint32_t *value) {
    if (in_cache_memory(offset)) {
        const struct reference_entry *entry = ref_cache_entry(r, (offset - CACHE1_MEMORY) / 8 * 4);
        *value = offset & 4 ? entry->data : entry->method;
        return true;
    }
    if (in_channel_table(r, offset)) {
        *value = value_of(r, offset);
        return true;
    }
    const struct reference_register *row = find(r, offset);
    if (!row)
        return false;
    if (offset == STATUS)
        *value = (ref_cache_used(r) == 0 ? STATUS_EMPTY : 0) | (ref_cache_full(r) ? STATUS_FULL : 0);
    else if (offset == DMA_PUSH)
        *value = read_dma_push(r);
    else if (offset == ENGINE_IDLE)
        *value = idle_engines(r);
    else if (offset == FREEZE)
        *value = value_of(r, FREEZE) & FREEZE_ENABLE ? FREEZE_ENABLE | FREEZE_FROZEN : 0;
    else
        *value = value_of(r, offset);
    *value &= row->readable;
    return true;
}

bool reference_wr32(struct reference *r, uint32_t offset, uint32_t value) {
    if (in_cache_memory(offset)) {
        struct reference_entry *entry = ref_cache_entry(r, (offset - CACHE1_MEMORY) / 8 * 4);
        if (offset & 4)
            entry->data = value;
        else
            entry->method = value & 0xfffd;
        return true;
    }
    if (in_channel_table(r, offset)) {
        *reg(r, offset) = value;
        r->pushbuffer.known = false;
        return true;
    }
    const struct reference_register *row = find(r, offset);
    if (!row)
        return false;
    *reg(r, offset) = (value_of(r, offset) & ~row->writable) | (value & row->writable);
    if (offset == INTR) {
        *reg(r, INTR) &= ~value;
        /* UNKNOWN: what clears DEBUG_0; chosen: the acknowledgement of CACHE_ERROR. */
        if (value & CACHE_ERROR)
            *reg(r, DEBUG_0) &= ~DEBUG_0_CACHES;
    }
    if (offset == PUSH1 || offset == CHAN_INST || offset == DMA_FETCH || offset == DMA_INSTANCE || offset == DMA_CTL)
        r->pushbuffer.known = false;
    /* A driver that moves GET is done with the entry that was there. */
    if (offset == GET)
        r->announced = r->stalled = false;
    return true;
}

uint32_t ref_channel(const struct reference *r) {
    return value_of(r, PUSH1) & r->chip->channel;
}

bool ref_big_endian(const struct reference *r) {
    return r->chip->g80 ? (value_of(r, FIFO_ENDIAN) & 3) == 3 : (value_of(r, DMA_FETCH) >> 31) != 0;
}

uint32_t ref_swap(uint32_t word) {
    return word >> 24 | (word >> 8 & 0xff00) | (word << 8 & 0xff0000) | word << 24;
}

/* ---- CACHE1 ---- */

uint32_t ref_cache_used(const struct reference *r) {
    return ((value_of(r, PUT) - value_of(r, GET)) & r->chip->pointer) / 4;
}

/* More entries than there are is an error of the driver; they count as full. */
bool ref_cache_full(const struct reference *r) {
    return ref_cache_used(r) >= r->chip->entries;
}

struct reference_entry *ref_cache_entry(struct reference *r, uint32_t pointer) {
    return &r->entry[pointer / 4 % r->chip->entries];
}

void ref_advance(struct reference *r, uint32_t pointer_register) {
    *reg(r, pointer_register) = (value_of(r, pointer_register) + 4) & r->chip->pointer;
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

/* ---- the order of work ---- */

static bool has_work(const struct reference *r) {
    return ref_cache_used(r) != 0 || ref_pusher_has_work(r) || (value_of(r, PULL1) & ACQUIRE_ACTIVE);
}

static bool frozen(const struct reference *r) {
    return r->chip->g80 && (value_of(r, FREEZE) & FREEZE_ENABLE);
}

static bool stopped_by_error(const struct reference *r) {
    bool puller = !(value_of(r, PULL0) & 1) && (value_of(r, PULL0) & CAUSES);
    bool pusher = (value_of(r, DMA_PUSH) & PUSH_SUSPENDED) || (value_of(r, DMA_STATE) & ERROR_FIELD);
    return puller || pusher;
}

static struct reference_stop stop_because(const struct reference *r, enum reference_reason reason) {
    bool somebody = reason != REFERENCE_IDLE && reason != REFERENCE_BUDGET;
    return (struct reference_stop){.reason = reason, .channel = somebody ? ref_channel(r) : NO_CHANNEL};
}

static struct reference_stop why_no_progress(struct reference *r) {
    if (value_of(r, PULL1) & ACQUIRE_ACTIVE) {
        struct reference_stop stop = stop_because(r, REFERENCE_WAITING);
        ref_puller_waits_for(r, &stop);
        return stop;
    }
    if (stopped_by_error(r))
        return stop_because(r, REFERENCE_INTERRUPT);
    if (r->stalled && !frozen(r) && (value_of(r, PULL0) & 1))
        return stop_because(r, REFERENCE_WAITING);
    return stop_because(r, has_work(r) ? REFERENCE_FROZEN : REFERENCE_IDLE);
}

static void spend(struct reference *r, uint64_t *budget, uint64_t units) {
    units += r->ahead; /* what was fetched ahead was fetched in the same time */
    r->ahead = 0;
    *budget = units < *budget ? *budget - units : 0;
    r->time += NS_PER_UNIT * units;
}

struct reference_stop reference_run(struct reference *r, uint64_t budget) {
    if (frozen(r))
        return has_work(r) ? why_no_progress(r) : stop_because(r, REFERENCE_IDLE);
    while (budget != 0) {
        if (ref_puller_can_execute(r)) {
            bool taken = ref_puller_execute(r);
            spend(r, &budget, taken ? 1 : 0);
            if (taken)
                continue;
        }
        if (!ref_pusher_can_fetch(r))
            return why_no_progress(r);
        ref_pusher_fetch(r);
        spend(r, &budget, 1);
    }
    return stop_because(r, has_work(r) ? REFERENCE_BUDGET : REFERENCE_IDLE);
}
