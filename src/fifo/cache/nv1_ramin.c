/* SPDX-License-Identifier: MIT */
/*
 * RAMRO, RAMFC and RAMHT of NV1 and NV3: where they are in RAMIN and what is in them.
 *
 *   NV1   at fixed places, which PRAM CONFIG chooses      NV3   where RAMHT, RAMFC and RAMRO say
 *   RAMFC  a context word for each subchannel, with the puller's state in the upper bits
 *   RAMHT  256 rows of 2, 4, 8 or 16 columns: {handle, context}
 *
 * Sources: envytools docs/hw/memory/nv1-vram.rst, docs/hw/fifo/nv1-pfifo.rst, rnndb/memory/nv1_pram.xml,
 *          rnndb/fifo/nv1_pfifo.xml, hwtest/pfifo.cc (RAMFC, RAMRO); XFree86 riva_tbl.h, nv1setup.c (RAMHT); 86Box
 *          nv3_pramin.c.
 */
#include "fifo/cache/nv1.h"

#include "bus/pram.h"
#include "fifo/cache/switcher.h"

#define ROWS          256u
#define RAMIN_ADDRESS 0xfe00u /* of RAMFC and RAMRO of NV3, as in their registers */
#define RAMHT_ADDRESS 0xf000u
#define SIZE_BIT      16

static bool has_fixed_areas(const struct cache_fifo *c) {
    return c->family->nv1->has_fixed_areas;
}

uint32_t nv1_ramro(const struct cache_fifo *c, uint32_t *bytes) {
    if (has_fixed_areas(c)) {
        struct pram_area area = bus_pram_area(c->base.bus, PRAM_RAMRO);
        *bytes = area.bytes;
        return area.start;
    }
    *bytes = c->r.ramro >> SIZE_BIT & 1 ? 0x2000 : 0x200;
    return c->r.ramro & RAMIN_ADDRESS;
}

/* With CONFIG 0 there is room for 64 channels, and the others share it with them [hwtest]. */
uint32_t nv1_ramfc(const struct cache_fifo *c, uint32_t channel) {
    if (!has_fixed_areas(c))
        return (c->r.ramfc & RAMIN_ADDRESS) + 32 * channel;
    struct pram_area area = bus_pram_area(c->base.bus, PRAM_RAMFC);
    return area.start + 32 * channel % area.bytes;
}

/* ---- RAMHT ---- */

static uint32_t hash_row(uint32_t handle, uint32_t channel) {
    return ((handle ^ handle >> 8 ^ handle >> 16 ^ handle >> 24) & (ROWS - 1)) ^ channel;
}

/*
 * UNKNOWN: how NV1 tells whose an entry is; its context has no field for the channel, which only goes into the hash.
 * Chosen: the first entry with the handle.
 */
static bool nv1_context_matches(const struct cache_fifo *c, uint32_t handle, uint32_t context, uint32_t channel) {
    if (handle == 0 && context == 0) /* an empty slot */
        return false;
    return !c->family->nv1->channel_in_context || (context >> 24 & 0x7f) == channel;
}

bool nv1_lookup(struct cache_fifo *c, uint32_t handle, uint32_t channel, uint32_t *context) {
    struct pram_area table = {c->r.ramht & RAMHT_ADDRESS, 0x1000u << (c->r.ramht >> SIZE_BIT & 3)};
    if (has_fixed_areas(c))
        table = bus_pram_area(c->base.bus, PRAM_RAMHT);
    uint32_t columns = table.bytes / (ROWS * 8);
    uint32_t entry = table.start + hash_row(handle, channel) * columns * 8;
    for (uint32_t column = 0; column < columns; column++, entry += 8) {
        uint32_t word = memory_ramin_rd32(c->base.memory, entry + 4);
        if (memory_ramin_rd32(c->base.memory, entry) != handle || !nv1_context_matches(c, handle, word, channel))
            continue;
        *context = word & c->family->nv1->context_mask;
        c->r.hash_physical = *context;
        return true;
    }
    c->r.hash_physical = 0;
    return false;
}

/* A register for each channel: looks a handle up, and HASH_PHYSICAL shows what was found (by the names of both). */
void nv1_write_hash_virtual(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    uint32_t context;
    (void)reg;
    nv1_lookup(unit, value, index, &context);
}

/* ---- RAMFC ---- */

/* The puller's state is in the upper bits of each word; the first word is the one that counts. */
static uint32_t nv1_puller_state(const struct cache_fifo *c) {
    if (!c->family->nv1->subchannel_in_pull1)
        return c->r.last_subchannel << 28;
    return (c->r.pull1 & NV1_SUBCHANNEL) << 28 | (c->r.pull1 & NV1_OBJECT_CHANGED ? 1u << 31 : 0);
}

static void nv1_set_puller_state(struct cache_fifo *c, uint32_t word) {
    c->r.pull1 = 0;
    if (c->family->nv1->subchannel_in_pull1)
        c->r.pull1 = (word >> 28 & NV1_SUBCHANNEL) | (word >> 31 ? NV1_OBJECT_CHANGED : 0);
    else
        c->r.last_subchannel = word >> 28 & 7;
}

/* Word 0 is always written, the others only if a context changed [hwtest]. GET and PUT stay: CACHE1 is empty. */
void nv1_switch_channel(struct cache_fifo *c, uint32_t channel) {
    uint32_t mask = c->family->nv1->context_mask, old = cache_channel(c), at = nv1_ramfc(c, old), words[8];
    event_send(c->base.events, EVENT_SWITCH_SAVE, old, NULL, at);
    for (uint32_t i = 0; i < 8; i++)
        if (i == 0 || (c->r.pull1 & NV1_CONTEXT_DIRTY))
            memory_ramin_wr32(c->base.memory, at + 4 * i, (c->r.context[i] & mask) | nv1_puller_state(c));
    at = nv1_ramfc(c, channel);
    for (uint32_t i = 0; i < 8; i++) {
        words[i] = memory_ramin_rd32(c->base.memory, at + 4 * i);
        c->r.context[i] = words[i] & mask;
    }
    nv1_set_puller_state(c, words[0]);
    c->r.push1 = (c->r.push1 & ~NV1_CHANNEL) | channel; /* UNKNOWN: bit 8 of NV3; chosen: it stays as it is */
    cache_forget_channel(c);
    event_send(c->base.events, EVENT_SWITCH_LOAD, channel, NULL, at);
}
