/* SPDX-License-Identifier: MIT */
/*
 * Registers of PFIFO of GF100:GK104 that later chips do not have, and the channel table at 0x3000.
 *
 * UNKNOWN: FREEZE: one source has it at 0x2504 with an answer, another at 0x2638 without. Chosen: either one freezes
 * all PSUBFIFOs, and both answer.
 * UNKNOWN: bits 12, 18 and 20 of ENG_STATE, which belong to a context switch under way: none is between two runs.
 *
 * Sources: envytools rnndb/fifo/gf100_pfifo.xml; nouveau nvkm/engine/fifo/gf100.c, gpfifogf100.c.
 */
#include "fifo/runlist/gf100.h"
#include "fifo/runlist/channel.h"

static void gf100_subfifo_write(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    struct gf100_fifo *f = unit;
    (void)reg, (void)index;
    f->subfifo_enable = value & ((1u << f->p.shared.count) - 1);
}

#define PLAYLIST_EVENT (1u << 28) /* the list is read */

static void gf100_playlist_write(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    struct gf100_fifo *f = unit;
    (void)reg, (void)index;
    runlist_submit(&f->p, 0, f->p.runlist_base, value & 0xfff);
    f->p.runlist_event |= PLAYLIST_EVENT;
    pbdma_fifo_raise(&f->p, 0, "RUNLIST");
}

static uint32_t gf100_current_base(void *unit, const struct reg *reg, uint32_t index) {
    (void)reg, (void)index;
    return ((const struct gf100_fifo *)unit)->p.list[0].base;
}

/* Never busy. */
static uint32_t gf100_current_length(void *unit, const struct reg *reg, uint32_t index) {
    (void)reg, (void)index;
    return ((const struct gf100_fifo *)unit)->p.list[0].submit & 0xfff;
}

static uint32_t gf100_subfifo_engine(void *unit, const struct reg *reg, uint32_t index) {
    const struct gf100_fifo *f = unit;
    (void)reg;
    const struct pbdma *pbdma = index < f->p.shared.count ? &f->p.shared.unit[index] : NULL;
    return pbdma && pbdma->channel ? pbdma->regs[R_TARGET] & 0x1f : ROUTE_SOFTWARE;
}

/* FROZEN as soon as asked: nothing is under way between two runs. */
static uint32_t gf100_freeze_read(void *unit, const struct reg *reg, uint32_t index) {
    const struct gf100_fifo *f = unit;
    (void)index;
    return *reg_storage(unit, reg, 0) | ((f->freeze[0] | f->freeze[1]) & 1 ? 1u << 4 : 0);
}

static void gf100_kick_write(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    struct gf100_fifo *f = unit;
    (void)reg, (void)index;
    schedule_preempt(&f->p, value & PFIFO_KICK_CHANNEL);
}

/* Reads as the channel when it has left. UNKNOWN: what it reads before. Chosen: with bit 20. */
static uint32_t gf100_kick_read(void *unit, const struct reg *reg, uint32_t index) {
    struct gf100_fifo *f = unit;
    (void)reg, (void)index;
    return f->kick | (schedule_preemption_pending(&f->p) ? PFIFO_PREEMPT_PENDING : 0);
}

static uint32_t gf100_engine_source_read(void *unit, const struct reg *reg, uint32_t index) {
    const struct gf100_fifo *f = unit;
    uint32_t sources = 0;
    (void)reg, (void)index;
    for (unsigned i = 0; i < 16; i++)
        sources |= f->engine_intr[i] ? 1u << i : 0;
    return sources;
}

static void gf100_engine_intr_write(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    *reg_storage(unit, reg, index) &= ~value;
    pbdma_update_line(unit);
}

static void gf100_engine_enable_write(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    (void)reg, (void)index, (void)value;
    pbdma_update_line(unit);
}

static uint32_t gf100_engine_state(void *unit, const struct reg *reg, uint32_t index) {
    const struct gf100_fifo *f = unit;
    uint32_t id = pbdma_engine_channel(&f->p, index);
    (void)reg;
    uint32_t faulted = f->p.engines_faulted >> index & 1 ? PFIFO_ENG_STATE_FAULTED : 0;
    if (id == PBDMA_NONE)
        return faulted;
    return id | faulted | (pbdma_engine_busy(&f->p, index) ? PFIFO_ENG_STATE_BUSY : 0);
}

static uint32_t gf100_engine_instance(void *unit, const struct reg *reg, uint32_t index) {
    const struct gf100_fifo *f = unit;
    uint32_t id = pbdma_engine_channel(&f->p, index);
    (void)reg;
    return id == PBDMA_NONE ? 0 : (f->p.channels[id].instance & 0x3fffffff) | 1u << 31;
}

static uint32_t gf100_engine_channel_read(void *unit, const struct reg *reg, uint32_t index) {
    uint32_t id = pbdma_engine_channel(unit, index);
    (void)reg;
    return id == PBDMA_NONE ? 0 : id | PFIFO_ENG_CH_ACTIVE;
}

#define F        "GF100:GK104"
#define AT(mem)  .at = offsetof(struct gf100_fifo, mem)
#define RW(bits) .readable = (bits), .writable = (bits)
#define RO(bits) .at = REG_NONE, .readable = (bits)

const struct reg_row gf100_rows[] = {
    {F,
     {NV_PFIFO_SUBFIFO_ENABLE, "SUBFIFO_ENABLE", AT(subfifo_enable), .readable = 0xff, .write = gf100_subfifo_write}},
    {F, {NV_PFIFO_ENG_SUBFIFO_MASK, "ENG_SUBFIFO_MASK", AT(engine_mask), RW(~0u), .count = GF100_MASKS}},
    {F,
     {NV_PFIFO_PLAYLIST_GF100, "PLAYLIST", AT(playlist), RW(0x01f00fff), .write = gf100_playlist_write,
      .fields = "LENGTH 11:0, UNK20 24:20"}},
    {F,
     {NV_PFIFO_CURRENT_PLAYLIST_BASE, "CURRENT_PLAYLIST_BASE", RO(0x3fffffff), .read = gf100_current_base,
      .fields = "ADDRESS_4K 27:0, TARGET 29:28"}},
    {F,
     {NV_PFIFO_CURRENT_PLAYLIST, "CURRENT_PLAYLIST", RO(0x00100fff), .read = gf100_current_length,
      .fields = "LENGTH 11:0, BUSY 20"}},
    {F,
     {NV_PFIFO_SUBFIFO_ENGINE, "SUBFIFO_ENGINE", RO(0x1f), .count = 3, .read = gf100_subfifo_engine,
      .fields = "ENGINE 4:0"}},
    {F,
     {NV_PFIFO_FREEZE_GF100, "FREEZE", AT(freeze[0]), .readable = 0x11, .writable = 1, .read = gf100_freeze_read,
      .fields = "ENABLE 0, FROZEN 4"}},
    {F,
     {NV_PFIFO_FREEZE_1, "FREEZE_1", AT(freeze[1]), .readable = 0x11, .writable = 1, .read = gf100_freeze_read,
      .fields = "ENABLE 0, FROZEN 4"}},
    {F, {0x25a4, "ENGINE_INTR_SOURCE", RO(0xffff), .read = gf100_engine_source_read}},
    {F,
     {0x25a8, "ENGINE_INTR", AT(engine_intr), .readable = ~0u, .count = 16, .write = gf100_engine_intr_write,
      .fields = "NOTIFY 0, UNK1 1, IDLE 2, UNK3 3"}},
    {F,
     {NV_PFIFO_ENGINE_INTR_EN, "ENGINE_INTR_EN", AT(engine_intr_en), RW(~0u), .write = gf100_engine_enable_write,
      .fields = "NOTIFY 0, UNK1 1, IDLE 2, UNK3 3"}},
    {F,
     {NV_PFIFO_KICK, "KICK", AT(kick), .readable = PFIFO_PREEMPT_PENDING | PFIFO_KICK_CHANNEL,
      .writable = PFIFO_KICK_CHANNEL, .read = gf100_kick_read, .write = gf100_kick_write,
      .fields = "CHID 6:0, PENDING 20"}},
    {F,
     {NV_PFIFO_ENG_STATE, "ENG_STATE", RO(0x8115107f), .count = 6, .read = gf100_engine_state,
      .fields = "CHID 6:0, UNK12 12, UNK18 18, SAVE 20, FAULTED 24, BUSY 31"}},
    {F,
     {0x2790, "ENGINE_CHANNEL", RO(0xbfffffff), .count = 16, .read = gf100_engine_instance,
      .fields = "ADDRESS_4K 27:0, TARGET 29:28, VALID 31"}},
    {F,
     {NV_PFIFO_ENG_CH, "ENG_CH", RO(0x17f), .count = 12, .read = gf100_engine_channel_read,
      .fields = "CHID 6:0, ACTIVE 8"}},
};
const size_t gf100_row_count = sizeof gf100_rows / sizeof gf100_rows[0];

/* The channel table: instance, status. */

#define STATUS_STORED (0x1fu << GF100_STATUS_ENGINE | GF100_STATUS_UNK8 | GF100_STATUS_RUNNABLE)

static struct pbdma_channel *gf100_table_channel(void *unit, uint32_t offset) {
    struct gf100_fifo *f = unit;
    return &f->p.channels[offset / 8 % f->p.channel_count];
}

/* UNKNOWN: ENGINE of a channel that is loaded. Chosen: the one that its PSUBFIFO works for; else as written. */
static uint32_t gf100_table_read(void *unit, uint32_t offset) {
    struct gf100_fifo *f = unit;
    const struct pbdma_channel *channel = gf100_table_channel(unit, offset);
    if (!(offset & 4))
        return channel->instance;
    uint32_t status = channel->status & STATUS_STORED;
    if (channel->on)
        return (status & ~(0x1fu << GF100_STATUS_ENGINE)) |
               (channel->on->regs[R_TARGET] & 0x1f) << GF100_STATUS_ENGINE | GF100_STATUS_LOADED;
    if (channel_has_work(&f->p, channel))
        status |= GF100_STATUS_PENDING;
    if (channel->bound && channel_saved_acquire(&f->p, channel))
        status |= GF100_STATUS_WAITS;
    return status;
}

static void gf100_table_write(void *unit, uint32_t offset, uint32_t value) {
    struct gf100_fifo *f = unit;
    struct pbdma_channel *channel = gf100_table_channel(unit, offset);
    if (!(offset & 4)) {
        channel_bind(&f->p, channel, value, (value & GF100_CHANNEL_VALID) != 0);
        return;
    }
    channel->status = value & STATUS_STORED;
    channel->enabled = (value & GF100_STATUS_RUNNABLE) != 0;
}

static const struct window_word words[] = {
    {0, "CHANNEL_INST", ~0u, ~0u, .fields = "ADDRESS_4K 27:0, TARGET 29:28, POLL_ENABLE 30, VALID 31"},
    {4, "CHANNEL_STATUS", 0x101f1111, STATUS_STORED,
     .fields = "RUNNABLE 0, ACQUIRE_PENDING 4, LOADED 12, ENGINE 20:16, PENDING 28"},
};

const struct window gf100_channel_table = {.name = "PFIFO.CHANNEL",
                                           .base = NV_PFIFO_CHANNEL_TABLE,
                                           .read = gf100_table_read,
                                           .write = gf100_table_write,
                                           .unit = "PFIFO",
                                           .words = words,
                                           .word_count = sizeof words / sizeof words[0],
                                           .stride = 8};
