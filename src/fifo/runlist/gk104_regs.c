/* SPDX-License-Identifier: MIT */
/*
 * Registers of PFIFO of GK104 and later that earlier chips do not have.
 *
 * UNKNOWN: a RUNLIST submit for a runlist that the chip does not have. Chosen: nothing but a fifo.unknown event.
 * UNKNOWN: bits of ENGINE_STATUS for a context switch under way: none is between two runs.
 *
 * Sources: envytools rnndb/fifo/gf100_pfifo.xml; NVIDIA open-gpu-doc manuals/volta/gv100/dev_fifo.ref.txt; nouveau
 * nvkm/engine/fifo/gk104.c.
 */
#include "fifo/runlist/gk104.h"
#include "fifo/runlist/channel.h"

/* [15:0] length, [23:20] runlist. */
static void gk104_runlist_write(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    struct gk104_fifo *f = unit;
    unsigned number = value >> 20 & 0xf;
    (void)reg, (void)index;
    if (number >= f->p.lists) {
        event_send(f->p.base.events, EVENT_FIFO_UNKNOWN, PBDMA_NONE, "no such runlist", 0, number);
        return;
    }
    runlist_submit(&f->p, number, f->p.runlist_base, value & 0xffff);
    f->p.runlist_event |= 1u << number;
    pbdma_fifo_raise(&f->p, 0, "RUNLIST");
}

static uint32_t gk104_list_base_read(void *unit, const struct reg *reg, uint32_t index) {
    (void)reg;
    const struct pbdma_fifo *fifo = unit;
    return index < fifo->lists ? fifo->list[index].base : 0;
}

/* Never pending. */
static uint32_t gk104_list_length_read(void *unit, const struct reg *reg, uint32_t index) {
    (void)reg;
    const struct pbdma_fifo *fifo = unit;
    return index < fifo->lists ? fifo->list[index].submit & 0xffff : 0;
}

static uint32_t gk104_pbdma_map_read(void *unit, const struct reg *reg, uint32_t index) {
    const struct gk104_fifo *f = unit;
    uint32_t map = 0;
    (void)reg;
    for (unsigned r = 0; index < f->p.shared.count && r < f->p.lists; r++)
        map |= gk104_serves(&f->p.shared.unit[index], r) ? 1u << r : 0;
    return map;
}

#define PREEMPT_TYPE    (3u << 24)
#define PREEMPT_CHANNEL (0u << 24)
#define PREEMPT_TSG     (1u << 24)

/* A TSG leaves with whichever of its channels is loaded. UNKNOWN: types 2 and 3. Chosen: they do nothing. */
static void gk104_preempt_write(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    struct gk104_fifo *f = unit;
    uint32_t id = value & PFIFO_PREEMPT_ID;
    (void)reg, (void)index;
    if ((value & PREEMPT_TYPE) == PREEMPT_CHANNEL)
        schedule_preempt(&f->p, id);
    for (unsigned i = 0; (value & PREEMPT_TYPE) == PREEMPT_TSG && i < f->p.shared.count; i++)
        if (f->p.shared.unit[i].channel && f->p.shared.unit[i].channel->tsg == id)
            schedule_preempt(&f->p, f->p.shared.unit[i].channel->context.id);
}

static uint32_t gk104_preempt_read(void *unit, const struct reg *reg, uint32_t index) {
    struct gk104_fifo *f = unit;
    (void)reg, (void)index;
    return f->preempt | (schedule_preemption_pending(&f->p) ? PFIFO_PREEMPT_PENDING : 0);
}

/* Valid: the engine has the context of a channel, or of its TSG. */
static uint32_t gk104_engine_status_read(void *unit, const struct reg *reg, uint32_t index) {
    const struct gk104_fifo *f = unit;
    uint32_t id = pbdma_engine_channel(&f->p, index);
    (void)reg;
    uint32_t faulted = f->p.engines_faulted >> index & 1 ? PFIFO_ENGINE_STATUS_FAULTED : 0;
    if (id == PBDMA_NONE)
        return faulted;
    const struct pbdma_channel *channel = &f->p.channels[id];
    return (channel->tsg == PBDMA_NONE ? id : channel->tsg | PFIFO_ENGINE_STATUS_ID_IS_TSG) |
           PFIFO_ENGINE_STATUS_VALID | faulted | (pbdma_engine_busy(&f->p, index) ? PFIFO_ENGINE_STATUS_BUSY : 0);
}

static uint32_t gk104_pbdma_instance_read(void *unit, const struct reg *reg, uint32_t index) {
    const struct gk104_fifo *f = unit;
    const struct pbdma_channel *channel = index < f->p.shared.count ? f->p.shared.unit[index].channel : NULL;
    (void)reg;
    return channel ? (channel->instance & 0x3fffffff) | 1u << 31 : 0;
}

#define K "GK104-"
/* What these registers are for on GK104:GV100, whatever the chip has. */
#define ENGINES  8
#define LISTS    16
#define PBDMAS   8
#define AT(mem)  .at = offsetof(struct gk104_fifo, mem)
#define RO(bits) .at = REG_NONE, .readable = (bits)

const struct reg_row gk104_rows[] = {
    {K,
     {NV_PFIFO_RUNLIST, "RUNLIST", AT(runlist), .readable = 0x00f0ffff, .writable = 0x00f0ffff,
      .write = gk104_runlist_write, .fields = "LENGTH 15:0, RUNLIST 23:20"}},
    {K,
     {NV_PFIFO_ENG_RUNLIST_BASE, "ENG_RUNLIST_BASE", RO(0x3fffffff), .count = LISTS, .stride = 8,
      .read = gk104_list_base_read, .fields = "ADDRESS_4K 27:0, TARGET 29:28"}},
    {K,
     {NV_PFIFO_ENG_RUNLIST, "ENG_RUNLIST", RO(0x0010ffff), .count = LISTS, .stride = 8, .read = gk104_list_length_read,
      .fields = "LENGTH 15:0, PENDING 20"}},
    {K,
     {NV_PFIFO_PBDMA_MAP, "PBDMA_MAP", RO(0xffff), .count = PBDMAS, .read = gk104_pbdma_map_read,
      .fields = "RUNLISTS 15:0"}},
    {K,
     {NV_PFIFO_PREEMPT, "PREEMPT", AT(preempt), .readable = 0x03100fff, .writable = 0x03000fff,
      .read = gk104_preempt_read, .write = gk104_preempt_write, .fields = "ID 11:0, PENDING 20, TYPE 25:24"}},
    {K,
     {NV_PFIFO_ENGINE_STATUS, "ENGINE_STATUS", RO(0xdfffffff), .count = ENGINES, .stride = 8,
      .read = gk104_engine_status_read,
      .fields = "ID 11:0, ID_IS_TSG 12, CTX_STATUS 15:13, NEXT_ID 27:16, NEXT_IS_TSG 28, FAULTED 30, BUSY 31"}},
    {K, {0x2644, "ENGINE_DEBUG", RO(0), .count = ENGINES, .stride = 8}},
    {K,
     {0x2790, "PBDMA_STATUS_INST", RO(0xbfffffff), .count = PBDMAS, .read = gk104_pbdma_instance_read,
      .fields = "ADDRESS_4K 27:0, TARGET 29:28, VALID 31"}},
};
const size_t gk104_row_count = sizeof gk104_rows / sizeof gk104_rows[0];
