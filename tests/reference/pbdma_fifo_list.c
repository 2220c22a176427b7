/* SPDX-License-Identifier: MIT */
/* Runlists of the reference, as they lie in memory. */
#include "pbdma_fifo_state.h"

#define TSG_HEADER 0x2000u
#define BAD_TSG    0x20u

#define INACTIVE_CHANNEL 0x01u
#define ENGINE_MISMATCH  0x19u

static void sched_error(struct pbdma_fifo_reference *f, uint32_t code) {
    f->sched_error = code;
    pbf_raise(f, INTR_SCHED, "SCHED_ERROR");
}

static uint32_t slice_of_header(uint32_t header) {
    uint64_t ns = (uint64_t)(header >> 18 & 0xff) << (header >> 14 & 15) << 10;
    return ns / NS_PER_UNIT < SHORTEST_SLICE ? SHORTEST_SLICE : (uint32_t)(ns / NS_PER_UNIT);
}

/* The TSG that is being read: channels that are still to come, index of its first entry. */
struct tsg {
    uint32_t missing, id, slice, first;
};

/* Why a channel may not be in the list, 0: it may. */
static uint32_t misplaced(const struct pbdma_fifo_reference *f, uint32_t number, uint32_t id) {
    const struct pbdma_fifo_channel *c = &f->channel[id];
    if (f->config.unit.gf100)
        return c->bound ? 0 : INACTIVE_CHANNEL;
    return c->bound && f->config.names_list && (c->status >> 16 & 15) != number ? ENGINE_MISMATCH : 0;
}

/* A TSG is a group; so is each channel that is in none. */
static void read_channel(struct pbdma_fifo_reference *f, uint32_t number, uint32_t id, const struct tsg *tsg) {
    struct pbdma_fifo_list *list = &f->list[number];
    if (id >= PBF_CHANNELS || (list->seen >> id & 1)) /* a list names a channel once */
        return;
    list->seen |= 1u << id;
    uint32_t error = misplaced(f, number, id), at = list->count;
    if (error) {
        sched_error(f, error);
        return;
    }
    bool inside = tsg->missing != 0;
    list->entry[list->count++] = (struct pbdma_fifo_entry){id, inside ? tsg->first : at, inside ? tsg->slice : 0, at};
    f->channel[id].tsg = inside ? tsg->id : PBF_NONE;
}

static void read_list(struct pbdma_fifo_reference *f, uint32_t number, uint32_t base, uint32_t count) {
    struct pbdma_fifo_list *list = &f->list[number];
    uint64_t at = (uint64_t)(base & 0x0fffffff) << 12;
    struct tsg tsg = {0};
    list->base = base;
    list->submitted = count;
    list->count = list->next = list->seen = 0;
    for (uint32_t i = 0; i < count; i++, at += 8) {
        uint32_t w = pref_physical_rd32(&f->unit[0].p, at);
        if (f->config.tsg && (w & TSG_HEADER)) {
            if (tsg.missing || w >> 26 == 0)
                sched_error(f, BAD_TSG);
            tsg = (struct tsg){w >> 26, w & 0xfff, slice_of_header(w), list->count};
            continue;
        }
        read_channel(f, number, w & 0xfff, &tsg);
        tsg.missing -= tsg.missing ? 1 : 0;
    }
    if (tsg.missing)
        sched_error(f, BAD_TSG);
}

void pbf_submit(struct pbdma_fifo_reference *f, uint32_t number, uint32_t base, uint32_t count) {
    struct pbdma_fifo_list *list = &f->list[number];
    read_list(f, number, base, count);
    pbf_event(f, PBF_NONE, "switch.runlist", NULL, number, list->count, 0);
    for (uint32_t u = 0; u < f->config.units; u++) {
        struct pbdma_fifo_unit *unit = &f->unit[u];
        if (unit->list != number)
            continue;
        unit->group = PBF_NONE;
        for (uint32_t i = 0; i < list->count; i++)
            if (list->entry[i].channel == unit->channel)
                unit->group = list->entry[i].group;
        if (unit->channel != PBF_NONE && unit->group == PBF_NONE)
            pbf_preempt(f, unit->channel);
    }
}
