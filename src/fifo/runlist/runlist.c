/* SPDX-License-Identifier: MIT */
/*
 * Runlists are read when drivers submit them.
 *
 * UNKNOWN: what a channel that is listed twice gets. Chosen: the first entry alone counts.
 * UNKNOWN: the bits of an entry's channel beyond what the chip counts to. Chosen: they are ignored.
 * UNKNOWN: what becomes of the entries of a TSG that is wrong. Chosen: what can be read of it is taken; a channel that
 * may not be in the list is left out.
 *
 * Sources: nouveau nvkm/engine/fifo/{gf100,gk104,gk110}.c; NVIDIA open-gpu-doc manuals/volta/gv100/dev_ram.ref.txt,
 * dev_fifo.ref.txt; envytools rnndb/fifo/gf100_pfifo.xml.
 */
#include "fifo/runlist/runlist.h"

#include "fifo/runlist/pfifo.h"

static void runlist_error(struct pbdma_fifo *fifo, uint32_t code) {
    fifo->sched_error = code;
    pbdma_fifo_raise(fifo, PFIFO_INTR_SCHED, "SCHED_ERROR");
}

/* The TSG that is being read. */
struct runlist_tsg {
    uint32_t left; /* of its channels that are still to come, 0: none is being read */
    uint32_t id, slice;
    uint32_t first; /* index of its first entry */
};

static void runlist_add(struct pbdma_fifo *fifo, unsigned number, uint32_t id, const struct runlist_tsg *tsg) {
    struct runlist *list = &fifo->list[number];
    uint32_t at = list->count;
    id &= fifo->channel_count - 1;
    if (fifo->listed[id / 64] >> id % 64 & 1)
        return;
    fifo->listed[id / 64] |= UINT64_C(1) << id % 64;
    uint32_t error = fifo->variant->runlist->listing_error(fifo, number, &fifo->channels[id]);
    if (error) {
        runlist_error(fifo, error);
        return;
    }
    list->entries[list->count++] = (struct runlist_entry){.channel = (uint16_t)id,
                                                          .tsg = (uint16_t)(tsg->left ? tsg->first : at),
                                                          .next = (uint16_t)at,
                                                          .slice = tsg->left ? tsg->slice : 0};
    fifo->channels[id].tsg = tsg->left ? tsg->id : PBDMA_NONE;
}

/* The entry at `address`. What is beyond memory reads as zeros. */
static struct runlist_word runlist_read_entry(const struct pbdma_fifo *fifo, enum memory_target target,
                                              uint64_t address) {
    uint32_t words[RUNLIST_ENTRY_WORDS] = {0};
    struct runlist_word entry;
    for (unsigned i = 0; i < fifo->layout->bytes / 4; i++)
        words[i] = memory_physical_rd32(fifo->base.memory, target, address + UINT64_C(4) * i);
    fifo->layout->decode(words, &entry);
    return entry;
}

static void runlist_read(struct pbdma_fifo *fifo, unsigned number, uint32_t base, uint32_t count) {
    struct runlist *list = &fifo->list[number];
    uint64_t address = (uint64_t)(base & 0x0fffffff) << 12;
    enum memory_target target = pbdma_fifo_base_target(base);
    struct runlist_tsg tsg = {0};
    memset(fifo->listed, 0, (fifo->channel_count + 63) / 64 * sizeof fifo->listed[0]);
    list->count = list->next = 0;
    for (uint32_t i = 0; i < count; i++) {
        struct runlist_word entry = runlist_read_entry(fifo, target, address + (uint64_t)fifo->layout->bytes * i);
        if (entry.tsg && (tsg.left || !entry.members))
            runlist_error(fifo, SCHED_BAD_TSG);
        if (entry.tsg) {
            tsg =
                (struct runlist_tsg){.left = entry.members, .id = entry.id, .slice = entry.slice, .first = list->count};
        } else {
            runlist_add(fifo, number, entry.id, &tsg);
            tsg.left -= tsg.left ? 1 : 0;
        }
    }
    if (tsg.left)
        runlist_error(fifo, SCHED_BAD_TSG);
}

void runlist_submit(struct pbdma_fifo *fifo, unsigned number, uint32_t base, uint32_t count) {
    struct runlist *list = &fifo->list[number];
    list->base = base;
    list->submit = count;
    runlist_read(fifo, number, base, count);
    event_send(fifo->base.events, EVENT_SWITCH_RUNLIST, PBDMA_NONE, NULL, number, list->count);
    schedule_list_changed(fifo, number);
}
