/* SPDX-License-Identifier: MIT */
/*
 * Runlists as drivers submit them, preemption, and the binding of channels to instance blocks.
 *
 *   entries of 8 bytes: {channel, ...} or {TSG header, 0} with its channels behind it --> groups
 *
 * UNKNOWN: what a channel that is listed twice gets. Chosen: one place.
 * UNKNOWN: the bits of an entry's channel beyond what the chip counts to. Chosen: they are ignored.
 * UNKNOWN: what becomes of the entries of a TSG that is wrong. Chosen: what can be read of it is taken; a channel that
 * may not be in the list is left out.
 *
 * Sources: nouveau nvkm/engine/fifo/{gf100,gk104,gk110}.c; NVIDIA open-gpu-doc manuals/volta/gv100/dev_ram.ref.txt,
 * dev_fifo.ref.txt; envytools rnndb/fifo/gf100_pfifo.xml.
 */
#include "fifo/pbdma/pbdma.h"

#define TSG_HEADER (1u << 13)
#define TSG_ID     0xfffu

static void sched_error(struct pbdma_fifo *fifo, uint32_t code) {
    fifo->sched_error = code;
    pbdma_fifo_raise(fifo, PFIFO_INTR_SCHED, "SCHED_ERROR");
}

/* The TSG that is being read: how many of its channels are still to come, 0: none. */
struct tsg {
    uint32_t members, id, slice;
    uint32_t first; /* index of its first entry */
};

static void add_entry(struct pbdma_fifo *fifo, unsigned number, struct runlist *list, uint64_t *seen, uint32_t word,
                      const struct tsg *tsg) {
    uint32_t id = word & (fifo->channel_count - 1), at = list->count;
    if (seen[id / 64] >> id % 64 & 1)
        return;
    seen[id / 64] |= UINT64_C(1) << id % 64;
    uint32_t error = fifo->family->listing_error(fifo, number, &fifo->channels[id]);
    if (error) {
        sched_error(fifo, error);
        return;
    }
    list->entries[list->count++] = (struct runlist_entry){.channel = (uint16_t)id,
                                                          .group = (uint16_t)(tsg->members ? tsg->first : at),
                                                          .next = (uint16_t)at,
                                                          .slice = tsg->members ? tsg->slice : 0};
    fifo->channels[id].tsg = tsg->members ? tsg->id : PBDMA_NONE;
}

enum memory_target pbdma_base_target(uint32_t base) {
    return base >> 29 & 1 ? MEMORY_SYSTEM : base >> 28 & 1 ? MEMORY_PEER : MEMORY_VRAM;
}

static void read_list(struct pbdma_fifo *fifo, unsigned number, uint32_t base, uint32_t count) {
    struct runlist *list = &fifo->list[number];
    uint64_t address = (uint64_t)(base & 0x0fffffff) << 12;
    uint64_t seen[PBDMA_CHANNELS / 64] = {0};
    struct tsg tsg = {0};
    list->count = list->next = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t word = memory_physical_rd32(fifo->base.memory, pbdma_base_target(base), address + UINT64_C(8) * i);
        bool header = fifo->base.chip->has_tsg && (word & TSG_HEADER);
        if (header && (tsg.members || !(word >> 26)))
            sched_error(fifo, SCHED_BAD_TSG);
        if (header) {
            tsg = (struct tsg){.members = word >> 26,
                               .id = word & TSG_ID,
                               .slice = pbdma_slice_units(word >> 18 & 0xff, word >> 14 & 0xf),
                               .first = list->count};
        } else {
            add_entry(fifo, number, list, seen, word, &tsg);
            tsg.members -= tsg.members ? 1 : 0;
        }
    }
    if (tsg.members)
        sched_error(fifo, SCHED_BAD_TSG);
}

/* Index of a channel's entry, PBDMA_NONE: not listed. */
static uint32_t entry_of(const struct runlist *list, uint32_t id) {
    for (uint32_t i = 0; i < list->count; i++)
        if (list->entries[i].channel == id)
            return i;
    return PBDMA_NONE;
}

void pbdma_submit(struct pbdma_fifo *fifo, unsigned number, uint32_t base, uint32_t count) {
    struct runlist *list = &fifo->list[number];
    list->base = base;
    list->submit = count;
    read_list(fifo, number, base, count);
    event_send(fifo->base.events, EVENT_SWITCH_RUNLIST, PBDMA_NONE, NULL, number, list->count);
    for (unsigned i = 0; i < fifo->pbdmas; i++) {
        struct pbdma *pbdma = &fifo->pbdma[i];
        if (pbdma->list != number)
            continue;
        uint32_t at = pbdma->channel ? entry_of(list, pbdma->channel->context.id) : PBDMA_NONE;
        pbdma->group = at == PBDMA_NONE ? PBDMA_NONE : list->entries[at].group;
        if (pbdma->channel && at == PBDMA_NONE)
            pbdma_preempt(fifo, pbdma->channel->context.id);
    }
}

/* ---- engines ---- */

uint32_t pbdma_engine_channel(const struct pbdma_fifo *fifo, unsigned engine) {
    uint32_t id = engine < CHIP_MAX_ENGINES ? fifo->base.engines[engine].channel : PBDMA_NONE;
    return id < fifo->channel_count ? id : PBDMA_NONE;
}

bool pbdma_engine_busy(const struct pbdma_fifo *fifo, unsigned engine) {
    uint32_t id = pbdma_engine_channel(fifo, engine);
    const struct fifo_engine *e = &fifo->base.engines[engine % CHIP_MAX_ENGINES];
    return id != PBDMA_NONE && e->ops && e->ops->busy && e->ops->busy(e->engine, &fifo->channels[id].context);
}

/* ---- preemption ---- */

/* An engine that works for the channel has to come to an end. */
static bool engines_hold(const struct pbdma_fifo *fifo, uint32_t channel) {
    for (unsigned i = 0; i < CHIP_MAX_ENGINES; i++)
        if (pbdma_engine_channel(fifo, i) == channel && pbdma_engine_busy(fifo, i))
            return true;
    return false;
}

void pbdma_preempt(struct pbdma_fifo *fifo, uint32_t channel) {
    struct pbdma *pbdma = channel < fifo->channel_count ? fifo->channels[channel].on : NULL;
    if (!pbdma)
        return;
    pbdma->preempted = true;
    pbdma_preempt_retry(pbdma);
}

void pbdma_preempt_retry(struct pbdma *pbdma) {
    if (pbdma->preempted && !pbdma_stalled(pbdma) && !engines_hold(pbdma->fifo, pbdma->channel->context.id))
        pbdma_leave(pbdma);
}

bool pbdma_preempt_pending(struct pbdma_fifo *fifo) {
    bool pending = false;
    for (unsigned i = 0; i < fifo->pbdmas; i++) {
        pbdma_preempt_retry(&fifo->pbdma[i]);
        pending |= fifo->pbdma[i].preempted;
    }
    return pending;
}

/* ---- binding ---- */

void pbdma_bind_error(struct pbdma_fifo *fifo, enum pbdma_bind_error code) {
    fifo->bind_error = code;
    pbdma_fifo_raise(fifo, PFIFO_INTR_BIND, "BIND_ERROR");
}

void pbdma_set_instance(struct pbdma_channel *channel, uint32_t value) {
    channel->instance = value;
    channel->context.instance = (uint64_t)(value & 0x0fffffff) << 12;
    channel->context.instance_target = pbdma_base_target(value);
}

#define TARGET_INVALID 1u /* bits 29:28 */

/*
 * UNKNOWN: what a wrong bind does beside reporting itself. Chosen: a channel that is bound, or that runs, stays as it
 * is; else what was asked for is done.
 */
void pbdma_bind(struct pbdma_fifo *fifo, struct pbdma_channel *channel, uint32_t value, bool valid) {
    if (valid ? channel->bound : channel->on != NULL) {
        pbdma_bind_error(fifo, valid ? BIND_NOT_UNBOUND : BIND_UNBIND_WHILE_RUNNING);
        return;
    }
    if (valid && (value >> 28 & 3) == TARGET_INVALID)
        pbdma_bind_error(fifo, BIND_INVALID_TARGET);
    if (valid)
        fifo->family->bind(fifo, channel, value);
    if (channel->bound && !valid)
        fifo_channel_gone(&fifo->base, channel->context.id);
    pbdma_set_instance(channel, value);
    channel->bound = valid;
    channel->reload = false;
    channel->faulted = 0;
    channel->crc_left = PBDMA_CRC_METHODS;
    channel->pb_crc_begin = UINT64_MAX;
}
