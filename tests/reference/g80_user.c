/* SPDX-License-Identifier: MIT */
/*
 * USER areas of G80 .. MCP89.
 *
 *   0xc00000 + channel * 0x2000    pointers of channels
 *   0x800000 + subchannel * 0x2000 methods of channel 0, by PIO
 *
 * Pointers have 40 bits in two registers. Reading the low half keeps the high one for the read that follows; what is
 * written to the high half waits for the low one. A channel that is not in CACHE1 has all this in RAMFC.
 *
 * Sources: envytools docs/hw/fifo/dma-pusher.rst, rnndb/fifo/g80_pfifo.xml (USER_DMA); NVIDIA open-gpu-doc
 * classes/host/cl506f.h, cl826f.h. UNKNOWN: SetReference and Yield, which only the headers have; chosen: as methods.
 * UNKNOWN: what becomes of a method that CACHE1 cannot take, where there is no RAMRO; chosen: it is lost, and PIO_ERROR
 * says so.
 */
#include "state.h"

#define BASE      0xc00000u
#define STRIDE    0x2000u
#define PIO_BASE  0x800000u
#define PIO_BYTES 0x10000u
#define ALL_LANES 0xfu
#define IB_ENABLE 0x40000000u
#define MODE_BIT  0x10000u
#define ENABLED   0x80000000u
#define FREE      0x10u

bool ref_in_g80_user(uint32_t address) {
    return (address >= BASE && address < BASE + REFERENCE_CHANNELS * STRIDE) ||
           (address >= PIO_BASE && address < PIO_BASE + PIO_BYTES);
}

/* ---- pointers ---- */

/* A channel that is neither in CACHE1 nor in the table has no RAMFC. */
static bool exists(const struct reference *r, uint32_t channel) {
    return channel == ref_channel(r) || value_of(r, CHAN_TABLE + 4 * channel) != 0;
}

static uint32_t read_half(struct reference *r, uint32_t channel, uint32_t low, uint32_t high, uint32_t shadow) {
    ref_g80_set_state(r, channel, shadow, ref_g80_state(r, channel, high));
    return ref_g80_state(r, channel, low);
}

static uint32_t read_pointer(struct reference *r, uint32_t address) {
    uint32_t channel = (address - BASE) / STRIDE;
    if (!exists(r, channel))
        return 0;
    switch (address % STRIDE) {
    case 0x40:
        return read_half(r, channel, DMA_PUT, DMA_PUT_HIGH, PUT_HIGH_READ);
    case 0x44:
        return read_half(r, channel, DMA_GET, DMA_GET_HIGH, GET_HIGH_READ);
    case 0x48:
        return ref_g80_state(r, channel, REF);
    case 0x4c:
        return ref_g80_state(r, channel, PUT_HIGH_READ);
    case 0x54:
        return ref_g80_state(r, channel, ref_g80_state(r, channel, DMA_STATE) & IN_CALL ? SUBROUTINE : DMA_GET);
    case 0x58:
        return read_half(r, channel, DMA_MGET, DMA_MGET_HIGH, MGET_HIGH_READ);
    case 0x5c:
        return ref_g80_state(r, channel, MGET_HIGH_READ);
    case 0x60:
        return ref_g80_state(r, channel, GET_HIGH_READ);
    case 0x88:
        return ref_g80_state(r, channel, IB_GET);
    case 0x8c:
        return ref_g80_state(r, channel, IB_PUT);
    default:
        return 0;
    }
}

static void write_put(struct reference *r, uint32_t channel, uint32_t value) {
    if (ref_g80_state(r, channel, DMA_FETCH) & IB_ENABLE)
        return;
    ref_g80_set_state(r, channel, DMA_PUT, value);
    ref_g80_set_state(r, channel, DMA_PUT_HIGH, ref_g80_state(r, channel, PUT_HIGH_WRITE));
}

static void write_pointer(struct reference *r, uint32_t address, uint32_t value, unsigned lanes) {
    uint32_t channel = (address - BASE) / STRIDE;
    if (!exists(r, channel) || lanes != ALL_LANES)
        return;
    switch (address % STRIDE) {
    case 0x40:
        write_put(r, channel, value);
        return;
    case 0x4c:
        ref_g80_set_state(r, channel, PUT_HIGH_WRITE, value);
        return;
    case 0x50:
        ref_g80_set_state(r, channel, REF, value);
        return;
    case 0x80:
        if (channel == ref_channel(r))
            ref_yield(r);
        return;
    case 0x8c:
        ref_g80_set_state(r, channel, IB_PUT, value);
        return;
    default:
        ref_event(r, "fifo.unknown", "write to USER", address % STRIDE, value, 0, 0, 0);
    }
}

/* ---- PIO ---- */

static bool is_in(const struct reference *r) {
    return ref_channel(r) == 0 && !(value_of(r, PUSH1) & MODE_BIT);
}

/* Channel 0 is in CACHE1, or may come. */
static bool may_push(const struct reference *r) {
    if ((value_of(r, FREEZE) & 1) || !(value_of(r, PUSH0) & 1))
        return false;
    return is_in(r) || (ref_channel(r) != 0 && (value_of(r, CHAN_TABLE) & ENABLED) && ref_may_leave(r));
}

static bool push(struct reference *r, uint32_t subchannel, uint32_t method, uint32_t data) {
    if (!may_push(r) || (method < 0x100 && !ref_host_method_exists(r, method)))
        return false;
    if (!is_in(r))
        ref_g80_switch_to(r, 0);
    if (ref_cache_full(r))
        return false;
    ref_event(r, "pusher.pio", NULL, subchannel, method, data, 0, 0);
    ref_cache_push(r, subchannel << 13 | method, data);
    return true;
}

static void write_method(struct reference *r, uint32_t offset, uint32_t value, unsigned lanes) {
    if (offset == FREE)
        return;
    if (lanes != ALL_LANES || !push(r, offset >> 13, offset & 0x1ffc, value))
        ref_interrupt(r, PIO_ERROR, "PIO_ERROR");
}

static uint32_t free_bytes(const struct reference *r) {
    uint32_t used = is_in(r) ? ref_cache_used(r) : ref_g80_saved(r, 0);
    if (!may_push(r) || used >= ref_entries(r))
        return 0;
    return 4 * (ref_entries(r) - used);
}

/* ---- both areas ---- */

uint32_t ref_g80_user_read(struct reference *r, uint32_t address, unsigned lanes) {
    if (address >= BASE)
        return read_pointer(r, address);
    return address == PIO_BASE + FREE && lanes == ALL_LANES ? free_bytes(r) : 0;
}

void ref_g80_user_write(struct reference *r, uint32_t address, uint32_t value, unsigned lanes) {
    if (address >= BASE)
        write_pointer(r, address, value, lanes);
    else
        write_method(r, address - PIO_BASE, value, lanes);
}
