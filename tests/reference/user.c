/* SPDX-License-Identifier: MIT */
/*
 * USER areas of the reference before G80: PIO into CACHE1, RAMRO for what cannot go there, free counts, and the
 * DMA control registers of each channel.
 *
 *   0x800000 + channel * 0x10000   methods of eight subchannels (PIO), DMA control in each of them
 *   0xc00000 + channel * 0x1000    DMA control only (NV40)
 *
 * The order of the rules for a write is what hwtest found on NV1. UNKNOWN: what NV4 added for channels in DMA mode;
 * chosen: no cache will take their methods (reason 1).
 */
#include "state.h"

#define PIO_BASE     0x800000u
#define PIO_STRIDE   0x10000u
#define DMA_BASE     0xc00000u
#define DMA_STRIDE   0x1000u
#define DMA_CHANNELS 32u
#define ALL_LANES    0xfu

enum { FREE = 0x10, USER_DMA_PUT = 0x40, USER_DMA_GET = 0x44, USER_REF = 0x48, USER_DMA_CGET = 0x54 };

enum reason {
    ILLEGAL_ACCESS = 0,
    NO_CACHE_AVAILABLE = 1,
    CACHE_RAN_OUT = 2,
    FREE_COUNT_OVERRUN = 3,
    RESERVED_ACCESS = 5,
    NONE = 16,
};

static const char *const reason_names[] = {
    "ILLEGAL_ACCESS", "NO_CACHE_AVAILABLE", "CACHE_RAN_OUT", "FREE_COUNT_OVERRUN", "CAUGHT_LYING", "RESERVED_ACCESS",
};

bool ref_in_user(const struct reference *r, uint32_t address) {
    if (since(r, G80))
        return ref_in_g80_user(address);
    if (address >= PIO_BASE && address < PIO_BASE + ref_channels(r) * PIO_STRIDE)
        return true;
    return since(r, NV40) && address >= DMA_BASE && address < DMA_BASE + DMA_CHANNELS * DMA_STRIDE;
}

static bool in_dma_mode(const struct reference *r, uint32_t channel) {
    return value_of(r, MODE) >> channel & 1;
}

/* ---- RAMRO ---- */

static uint32_t ramro_mask(const struct reference *r) {
    return (value_of(r, RAMRO) & 0x10000 ? 0x2000u : 0x200u) - 8;
}

static uint32_t runout_next(const struct reference *r) {
    return (value_of(r, RUNOUT_PUT) + 8) & ramro_mask(r);
}

static bool runout_pending(const struct reference *r) {
    return value_of(r, RUNOUT_GET) != value_of(r, RUNOUT_PUT);
}

uint32_t ref_runout_status(const struct reference *r) {
    uint32_t full = runout_next(r) == value_of(r, RUNOUT_GET) ? 0x100 : 0;
    return full | (runout_pending(r) ? 0x01 : 0x10);
}

struct access {
    uint32_t offset; /* within the area, of the dword */
    uint32_t channel, method;
    uint32_t data;
    unsigned lanes;
    bool read;
};

/* UNKNOWN: the place of a read, and of the byte enables, is from rnndb alone. */
static uint32_t ramro_word(const struct access *a, enum reason reason) {
    uint32_t byte = 0;
    while (!(a->lanes >> byte & 1))
        byte++;
    return (uint32_t)reason << 28 | (~a->lanes & ALL_LANES) << 24 | (a->read ? 1u << 23 : 0) | a->offset | byte;
}

/* The access goes to RAMRO, if there is room. */
static void reject(struct reference *r, const struct access *a, enum reason reason) {
    uint32_t next = runout_next(r);
    if (a->channel == ref_channel(r))
        r->ran_out = true;
    ref_event(r, "pusher.runout", reason_names[reason], a->offset, a->data, reason, 0, 0);
    if (next == value_of(r, RUNOUT_GET)) {
        *reg(r, INTR) |= RUNOUT_OVERFLOW;
    } else {
        uint32_t base = (value_of(r, RAMRO) & 0x1fe) << 8, at = base + (value_of(r, RUNOUT_PUT) & ramro_mask(r));
        reference_memory_wr32(r, REFERENCE_VRAM, ref_ramin_place(r, at), ramro_word(a, reason));
        reference_memory_wr32(r, REFERENCE_VRAM, ref_ramin_place(r, at + 4), a->data);
        *reg(r, RUNOUT_PUT) = next;
    }
    ref_interrupt(r, RUNOUT, "RUNOUT");
}

/* ---- DMA control ---- */

static uint32_t control_read(const struct reference *r, uint32_t channel, uint32_t offset) {
    bool current = channel == ref_channel(r);
    switch (offset) {
    case USER_DMA_PUT:
        return current ? value_of(r, DMA_PUT) : ref_ramfc_rd32(r, channel, 0);
    case USER_DMA_GET:
        return current ? value_of(r, DMA_GET) : ref_ramfc_rd32(r, channel, 4);
    case USER_REF:
        return current ? value_of(r, REF) : ref_ramfc_rd32(r, channel, 8);
    case USER_DMA_CGET: /* NV40: where the ring is, also while a subroutine runs */
        if ((current ? value_of(r, DMA_STATE) : ref_ramfc_rd32(r, channel, 0x14)) & IN_CALL)
            return current ? value_of(r, SUBROUTINE) : ref_ramfc_rd32(r, channel, 0x34);
        return control_read(r, channel, USER_DMA_GET);
    default:
        return 0;
    }
}

static void write_put(struct reference *r, uint32_t channel, uint32_t value) {
    value &= ref_address_mask(r);
    if (channel == ref_channel(r)) {
        *reg(r, DMA_PUT) = value;
        return;
    }
    ref_ramfc_wr32(r, channel, 0, value);
    if (ref_ramfc_rd32(r, channel, 4) != value)
        *reg(r, DMA_PENDING) |= 1u << channel;
}

/* ---- PIO ---- */

static uint32_t free_entries(const struct reference *r) {
    uint32_t used = ref_cache_used(r), entries = ref_entries(r);
    return used < entries ? entries - used : 0;
}

static uint32_t free_count(const struct reference *r, uint32_t channel) {
    uint32_t promised = value_of(r, PIO_SIZE) >> channel & 1 ? 0x200 : 0x7c;
    if (r->ran_out || in_dma_mode(r, channel))
        return 0;
    if (channel != ref_channel(r) || !(value_of(r, PUSH0) & 1))
        return runout_pending(r) ? 0 : promised;
    uint32_t bytes = 4 * free_entries(r);
    return bytes < promised ? bytes : promised;
}

static bool read_is_answered(const struct reference *r, uint32_t method) {
    return method == FREE || method == USER_DMA_PUT || method == USER_DMA_GET || (method == USER_REF && since(r, NV10));
}

static bool is_control(uint32_t method) {
    return method == USER_DMA_PUT || method == USER_DMA_GET || method == USER_REF || method == USER_DMA_CGET;
}

/* The first rules: what the access is in itself. */
static enum reason why_not_allowed(const struct reference *r, const struct access *a) {
    if ((a->method & 0x1ff0) == FREE && (a->lanes == 0x3 || a->lanes == 0xc || a->lanes == 0xf))
        return RESERVED_ACCESS;
    if (a->lanes != ALL_LANES)
        return ILLEGAL_ACCESS;
    if (is_control(a->method))
        return in_dma_mode(r, a->channel) ? NONE : RESERVED_ACCESS;
    if (a->method < 0x100 && !ref_host_method_exists(r, a->method))
        return RESERVED_ACCESS;
    return NONE;
}

/* CACHE1 has work for another channel than this one. */
static bool cache_is_taken(const struct reference *r) {
    bool fetches = (value_of(r, PUSH1) & ref_mode_bit(r)) && value_of(r, DMA_GET) != value_of(r, DMA_PUT);
    return ref_cache_used(r) != 0 || fetches || (value_of(r, PULL1) & ACQUIRE_ACTIVE);
}

/* The other rules: can it go into CACHE1? */
static enum reason why_not_now(const struct reference *r, const struct access *a) {
    bool current = a->channel == ref_channel(r);
    if (in_dma_mode(r, a->channel) || !(value_of(r, PUSH0) & 1))
        return NO_CACHE_AVAILABLE;
    if ((value_of(r, CACHE0(PUSH0)) & 1) && a->channel == (value_of(r, CACHE0(PUSH1)) & ref_channel_mask(r)))
        return NO_CACHE_AVAILABLE;
    if (!current && (runout_pending(r) || !(value_of(r, CACHES) & 1) || cache_is_taken(r)))
        return NO_CACHE_AVAILABLE;
    if (current && r->ran_out)
        return CACHE_RAN_OUT;
    return ref_cache_full(r) ? FREE_COUNT_OVERRUN : NONE;
}

static void pio_write(struct reference *r, const struct access *a) {
    enum reason reason = why_not_allowed(r, a);
    if (reason == NONE && is_control(a->method)) {
        if (a->method == USER_DMA_PUT)
            write_put(r, a->channel, a->data);
        return;
    }
    if (reason == NONE)
        reason = why_not_now(r, a);
    if (reason != NONE) {
        reject(r, a, reason);
        return;
    }
    if (a->channel != ref_channel(r))
        ref_switch_to(r, a->channel);
    ref_event(r, "pusher.pio", NULL, a->offset >> 13 & 7, a->method, a->data, 0, 0);
    ref_cache_push(r, a->offset & 0xfffc, a->data);
}

static uint32_t pio_read(struct reference *r, const struct access *a) {
    if (a->method == FREE)
        return free_count(r, a->channel);
    if (read_is_answered(r, a->method))
        return control_read(r, a->channel, a->method);
    reject(r, a, ILLEGAL_ACCESS);
    return 0;
}

/* ---- both areas ---- */

static struct access pio_access(uint32_t address, uint32_t data, unsigned lanes, bool read) {
    uint32_t offset = address - PIO_BASE;
    return (struct access){offset, offset / PIO_STRIDE, offset & 0x1ffc, data, lanes, read};
}

uint32_t ref_user_read(struct reference *r, uint32_t address, unsigned lanes) {
    if (since(r, G80))
        return ref_g80_user_read(r, address, lanes);
    if (address >= DMA_BASE)
        return control_read(r, (address - DMA_BASE) / DMA_STRIDE, address % DMA_STRIDE);
    struct access a = pio_access(address, 0, lanes, true);
    return pio_read(r, &a);
}

void ref_user_write(struct reference *r, uint32_t address, uint32_t value, unsigned lanes) {
    if (since(r, G80)) {
        ref_g80_user_write(r, address, value, lanes);
        return;
    }
    if (address < DMA_BASE) {
        struct access a = pio_access(address, value, lanes, false);
        pio_write(r, &a);
    } else if (address % DMA_STRIDE == USER_DMA_PUT) {
        uint32_t channel = (address - DMA_BASE) / DMA_STRIDE;
        write_put(r, channel, value | (control_read(r, channel, USER_DMA_PUT) & ~ref_lanes(lanes)));
    }
}
