/* SPDX-License-Identifier: MIT */
/* Registers of the reference: BAR0 in bytes, what a read shows beyond storage, and what a write does. */
#include <string.h>

#include "state.h"

#define PMC_ENABLE     0x200u
#define PME_CONTROL    0xb860u
#define VM_FAULT       0x100c90u /* of PFB */
#define PD_OFFSET      0x100c9cu
#define PFIFO          0x100u /* bit in PMC.ENABLE */
#define ALL_LANES      0xfu
#define STATUS_RAN_OUT 0x00000001u
#define STATUS_EMPTY   0x00000010u
#define STATUS_FULL    0x00000100u
#define NO_REGISTER    0xbad00100u /* what G80 shows where nothing is */
#define NO_UNIT        0xbad0da00u /* and where something is off */
#define DEBUG_0_CACHES 0x00000011u

uint32_t ref_lanes(unsigned lanes) {
    uint32_t mask = 0;
    for (unsigned lane = 0; lane < 4; lane++)
        mask |= lanes >> lane & 1 ? 0xffu << (8 * lane) : 0;
    return mask;
}

static const struct reference_register *find(const struct reference *r, uint32_t offset) {
    return offset >= 0x2000 && offset < 0x4000 ? r->row[(offset - 0x2000) / 4] : NULL;
}

uint32_t ref_writable(const struct reference *r, uint32_t offset) {
    const struct reference_register *row = find(r, offset);
    return row ? row->writable : 0;
}

/* ---- reset ---- */

static void reset(struct reference *r) {
    memset(r->reg, 0, sizeof r->reg);
    memset(r->entry, 0, sizeof r->entry);
    for (uint32_t channel = 0; channel < 32; channel++)
        r->saved[channel].count = 0;
    r->pushbuffer = (struct reference_pushbuffer){.known = false};
    r->announced[0] = r->announced[1] = r->stalled[0] = r->stalled[1] = false;
    r->ran_out = r->yield = r->timer_counts = r->timer_expired = r->pinned = false;
    r->timer_part = r->playlist = r->playlist_length = 0;
    r->playlist_waits = r->kick_waits = false;
    for (uint32_t offset = 0x2000; offset < 0x4000; offset += 4)
        if (find(r, offset))
            *reg(r, offset) = find(r, offset)->reset;
}

bool reference_init(struct reference *r, const struct reference_config *config) {
    memset(r, 0, offsetof(struct reference, saved));
    r->config = *config;
    r->chip = ref_chip(config->chip);
    if (!r->chip)
        return false;
    ref_find_registers(r);
    r->enable = 0xffffffff;
    r->directory = 0x200;
    for (unsigned engine = 0; engine < 8; engine++)
        r->engine_channel[engine] = UINT32_MAX;
    reset(r);
    return true;
}

static bool disabled(const struct reference *r) {
    return !(r->enable & PFIFO);
}

static uint32_t off(const struct reference *r) {
    return since(r, G80) ? NO_UNIT : 0;
}

static void write_enable(struct reference *r, uint32_t value, uint32_t mask) {
    uint32_t before = r->enable;
    r->enable = (before & ~mask) | (value & mask);
    if (before & ~r->enable & PFIFO)
        reset(r);
}

/* ---- entries of CACHE1 ---- */

/* Number of the slot at an offset in BAR0; there are twice as many slots as entries before G80. */
static bool entry_slot(const struct reference *r, uint32_t offset, uint32_t *slot) {
    uint32_t base = since(r, NV40) ? CACHE1_MEMORY : CACHE1_MEMORY_NV4, slots = since(r, NV40) ? 512 : 256;
    if (offset < base || offset >= base + 8 * slots)
        return false;
    *slot = (offset - base) / 8;
    return true;
}

static uint32_t read_entry(struct reference *r, uint32_t slot, bool data) {
    const struct reference_entry *entry = ref_cache_entry(r, slot * 4);
    return data ? entry->data : entry->method;
}

static void write_entry(struct reference *r, uint32_t slot, bool data, uint32_t value, uint32_t mask) {
    struct reference_entry *entry = ref_cache_entry(r, slot * 4);
    if (data) {
        entry->data = (entry->data & ~mask) | (value & mask);
        return;
    }
    mask &= since(r, NV10) ? 0xfffd : 0xfffc;
    entry->method = (entry->method & ~mask) | (value & mask);
}

/* ---- reading ---- */

/* The bits of DMA_PUSH that are not storage. */
static uint32_t read_dma_push(struct reference *r) {
    bool fetches = ref_pusher_can_fetch(r); /* this may end the pause after an acquire, which shows in the register */
    return value_of(r, DMA_PUSH) | PUSH_EMPTY | (fetches ? PUSH_BUSY : 0);
}

static uint32_t read_status(const struct reference *r) {
    return (ref_cache_used(r) == 0 ? STATUS_EMPTY : 0) | (ref_cache_full(r) ? STATUS_FULL : 0) |
           (r->ran_out ? STATUS_RAN_OUT : 0);
}

static uint32_t read_cache0_status(const struct reference *r) {
    return value_of(r, CACHE0(PUT)) == value_of(r, CACHE0(GET)) ? STATUS_EMPTY : STATUS_FULL;
}

static uint32_t read_register(struct reference *r, uint32_t offset) {
    switch (offset) {
    case STATUS:
        return read_status(r);
    case STATUS1:
        return r->ran_out;
    case CACHE0(STATUS):
        return read_cache0_status(r);
    case RUNOUT_STATUS:
        return ref_runout_status(r);
    case DMA_PUSH:
        return read_dma_push(r);
    default:
        return since(r, G80) ? ref_g80_read(r, offset) : value_of(r, offset);
    }
}

bool reference_rd32(struct reference *r, uint32_t offset, uint32_t *value) {
    uint32_t slot;
    const struct reference_register *row = find(r, offset);
    bool entry = entry_slot(r, offset, &slot);
    if (offset == PME_CONTROL && since(r, G80) && !since(r, G84)) {
        *value = r->pme;
        return true;
    }
    if (!entry && !row)
        return false;
    if (disabled(r))
        *value = off(r);
    else if (entry)
        *value = read_entry(r, slot, offset & 4);
    else
        *value = read_register(r, offset) & row->readable;
    return true;
}

/* ---- writing ---- */

/* What a write does beyond storage. `value` has 0 in the bytes that are not written. */
static void after_write(struct reference *r, uint32_t offset, uint32_t value) {
    switch (offset) {
    case INTR:
        *reg(r, INTR) &= ~value;
        /* UNKNOWN: what clears DEBUG_0; chosen: the acknowledgement of CACHE_ERROR. */
        if (value & CACHE_ERROR)
            *reg(r, DEBUG_0) &= ~DEBUG_0_CACHES;
        break;
    case TIMESLICE:
        ref_timer_set(r, value_of(r, TIMESLICE));
        break;
    case RUNOUT_PUT:
    case RUNOUT_GET:
        if (value_of(r, RUNOUT_PUT) == value_of(r, RUNOUT_GET))
            r->ran_out = false;
        break;
    case DMA_INSTANCE:
        *reg(r, DMA_CTL) &= ~AT_INFO;
        break;
    case GET: /* a driver that moves GET is done with the entry that was there */
        r->announced[1] = r->stalled[1] = false;
        break;
    case CACHE0(PUT):
    case CACHE0(GET):
    case CACHE0_METHOD:
    case CACHE0_DATA:
        r->announced[0] = r->stalled[0] = false;
        break;
    }
}

static bool write_dword(struct reference *r, uint32_t offset, uint32_t value, unsigned lanes) {
    uint32_t slot, mask = ref_lanes(lanes);
    const struct reference_register *row = find(r, offset);
    bool entry = entry_slot(r, offset, &slot);
    if (!entry && !row)
        return false;
    if (disabled(r))
        return true;
    if (entry) {
        write_entry(r, slot, offset & 4, value, mask);
        return true;
    }
    mask &= row->writable;
    *reg(r, offset) = (value_of(r, offset) & ~mask) | (value & mask);
    after_write(r, offset, value & ref_lanes(lanes));
    if (since(r, G80))
        ref_g80_written(r, offset, value & ref_lanes(lanes));
    return true;
}

bool reference_wr32(struct reference *r, uint32_t offset, uint32_t value) {
    return write_dword(r, offset, value, ALL_LANES);
}

/* ---- in bytes: an access that crosses the border of a dword is two, the lower one first ---- */

static uint32_t read_lanes(struct reference *r, uint32_t offset, unsigned lanes) {
    uint32_t value = 0;
    if (offset == PMC_ENABLE)
        value = r->enable;
    else if (disabled(r))
        value = off(r);
    else if (ref_in_user(r, offset))
        value = ref_user_read(r, offset, lanes);
    else if (!reference_rd32(r, offset, &value))
        value = since(r, G80) ? NO_REGISTER : 0;
    return value & ref_lanes(lanes);
}

static void write_lanes(struct reference *r, uint32_t offset, uint32_t value, unsigned lanes) {
    if (offset == PMC_ENABLE)
        write_enable(r, value, ref_lanes(lanes));
    else if (offset == VM_FAULT) /* with bit 31: the driver has seen it */
        r->fault_pending &= !(value >> 31);
    else if (offset == PD_OFFSET)
        r->directory = value & ref_lanes(lanes) & ~7u;
    else if (offset == PME_CONTROL)
        r->pme = (r->pme & ~ref_lanes(lanes)) | (value & ref_lanes(lanes));
    else if (!ref_in_user(r, offset))
        write_dword(r, offset, value, lanes);
    else if (!disabled(r))
        ref_user_write(r, offset, value, lanes);
}

/* Bytes of the access in the dword at `address`, and their lanes. */
static unsigned lanes_at(uint32_t address, unsigned bytes, unsigned *taken) {
    unsigned first = address & 3;
    *taken = bytes < 4 - first ? bytes : 4 - first;
    return ((1u << *taken) - 1) << first;
}

uint32_t reference_read(struct reference *r, uint32_t address, unsigned bytes) {
    uint64_t value = 0;
    for (unsigned done = 0, taken = 0; done < bytes; done += taken) {
        uint32_t at = address + done;
        unsigned lanes = lanes_at(at, bytes - done, &taken);
        value |= (uint64_t)(read_lanes(r, at & ~3u, lanes) >> (8 * (at & 3))) << (8 * done);
    }
    return (uint32_t)value;
}

void reference_write(struct reference *r, uint32_t address, uint32_t value, unsigned bytes) {
    for (unsigned done = 0, taken = 0; done < bytes; done += taken) {
        uint32_t at = address + done;
        unsigned lanes = lanes_at(at, bytes - done, &taken);
        uint32_t part = value >> (8 * done) << (8 * (at & 3));
        write_lanes(r, at & ~3u, part & ref_lanes(lanes), lanes);
    }
}
