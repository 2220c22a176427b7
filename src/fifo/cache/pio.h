/* SPDX-License-Identifier: MIT */
/*
 * The PIO pusher of NV1 .. NV4x: a write to USER becomes an entry of CACHE1, or of RAMRO with the reason why not.
 *
 *   USER + channel << 16 | subchannel << 13 | method     one access = a dword with byte lanes
 *
 * A write may bring its channel into CACHE1. G80 and later have g80_pio.c.
 *
 * Touches: PUT of CACHE1, RUNOUT_*; RAMRO; by a switch all that a channel owns.
 * Sources: see pio.c.
 */
#ifndef PFIFO_SRC_FIFO_CACHE_PIO_H
#define PFIFO_SRC_FIFO_CACHE_PIO_H

#include "fifo/cache/cache.h"

struct pio_ops {
    /* Save the channel in CACHE1 and load another. CACHE1 is empty. */
    void (*switch_channel)(struct cache_fifo *c, uint32_t channel);
    /* Where RAMRO is, in RAMIN, and its size. */
    uint32_t (*ramro)(const struct cache_fifo *c, uint32_t *bytes);
    /* Bytes of methods that FREE promises at most to the channel. */
    uint32_t (*promise)(const struct cache_fifo *c, uint32_t channel);
    /* FREE_LIE of the object of the last method: it promises more than there is room for. */
    bool (*free_lie)(const struct cache_fifo *c);
    /* Registers of a DMA channel in its USER area. False: not one of them. */
    bool (*control_read)(struct cache_fifo *c, uint32_t channel, uint32_t method, uint32_t *value);
    bool (*control_write)(struct cache_fifo *c, uint32_t channel, uint32_t method, uint32_t value);
    bool has_passwords; /* methods 0x20 .. 0x2c */
    bool shows_lanes;   /* RAMRO has the byte lanes that were not written */
};

/* Defaults. */
bool pio_no_free_lie(const struct cache_fifo *c);
bool pio_no_control_read(struct cache_fifo *c, uint32_t channel, uint32_t method, uint32_t *value);
bool pio_no_control_write(struct cache_fifo *c, uint32_t channel, uint32_t method, uint32_t value);
uint32_t pio_promise_capacity(const struct cache_fifo *c, uint32_t channel); /* all of CACHE1 */

/* Of a window; `offset`: within USER. */
uint32_t pio_read(void *unit, uint32_t offset, unsigned lanes);
void pio_write(void *unit, uint32_t offset, uint32_t value, unsigned lanes);
/* Registers. */
uint32_t pio_runout_status(void *unit, const struct reg *reg, uint32_t index);
void pio_write_runout(void *unit, const struct reg *reg, uint32_t index, uint32_t value);

#endif
