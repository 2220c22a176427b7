/* SPDX-License-Identifier: MIT */
/*
 * The PBDMA kind in the stream of a saved machine:
 *
 *   "PBFI" registers that all families have, syncpoints, whose turn it is
 *   "PBDM" each PBDMA: its words, interrupts, timeslice, and which channel is loaded
 *   "CHAN" each channel that is not as after power-on; its number is in it
 *   "RUNL" each runlist
 *
 * Derived: packets under way (there are none between runs), the grammar and the routes of a PBDMA (from its words and
 * its runlist), the place of an instance block (from the channel table), USERD in BAR1. METHOD_CRC is settled before it
 * is saved, which changes nothing.
 */
#include "fifo/pbdma/pbdma.h"
#include "state/state.h"

#define COUNT(array) ((uint32_t)(sizeof(array) / sizeof((array)[0])))
#define SLICE_MOST   (INT64_C(1) << 60)

/* A field that is added belongs below, or among what is derived. */
_Static_assert(sizeof(void *) != 8 || (sizeof(struct pbdma) == 1128 && sizeof(struct pbdma_channel) == 144 &&
                                       sizeof(struct runlist) == 24 && sizeof(struct runlist_entry) == 12 &&
                                       sizeof(struct pbdma_fifo) - sizeof(struct fifo) == 21712),
               "every field of the PBDMA kind is saved or derived");

/* ---- PFIFO ---- */

static void state_registers(struct pbdma_fifo *fifo, struct state_io *io) {
    state_u32(io, &fifo->intr);
    state_u32(io, &fifo->intr_en);
    state_u32(io, &fifo->intr_en_1);
    state_u32(io, &fifo->intr_stall);
    state_u32(io, &fifo->bind_error);
    state_u32(io, &fifo->sched_error);
    state_u32(io, &fifo->chsw_error);
    state_u32(io, &fifo->lb_error);
    state_u32(io, &fifo->fault_source);
    for (unsigned i = 0; i < COUNT(fifo->fault_record); i++)
        state_words(io, fifo->fault_record[i], PBDMA_UNITS, "fault records");
    state_u32(io, &fifo->bar1_base);
    state_u32(io, &fifo->runlist_event);
    state_u32(io, &fifo->runlist_base);
    state_u32(io, &fifo->sched_disable);
    state_u32(io, &fifo->engine_fault);
    state_words(io, fifo->template_f8, COUNT(fifo->template_f8), "templates");
    state_words(io, fifo->template_fc, COUNT(fifo->template_fc), "templates");
    for (unsigned i = 0; i < COUNT(fifo->lb_control); i++)
        state_words(io, fifo->lb_control[i], COUNT(fifo->lb_control[i]), "LB_CONTROL");
    state_words(io, fifo->misc, COUNT(fifo->misc), "registers");
    state_words(io, fifo->syncpoints, COUNT(fifo->syncpoints), "syncpoints");
    state_words(io, fifo->syncpoint_bases, COUNT(fifo->syncpoint_bases), "syncpoint bases");
}

/* ---- a PBDMA ---- */

static void state_page(struct pbdma *pbdma, struct state_io *io) {
    state_words(io, pbdma->regs, PBDMA_WORDS, "words of a PBDMA");
    state_u32(io, &pbdma->intr_0);
    state_u32(io, &pbdma->intr_en_0);
    state_u32(io, &pbdma->intr_1);
    state_u32(io, &pbdma->intr_en_1);
    state_u32(io, &pbdma->stall_0);
    state_u32(io, &pbdma->stall_1);
    state_words(io, pbdma->gp_shadow, COUNT(pbdma->gp_shadow), "GP_SHADOW");
    state_u32(io, &pbdma->hdr_shadow);
    state_u32(io, &pbdma->timeout);
    state_words(io, pbdma->hce_debug, COUNT(pbdma->hce_debug), "HCE_DBG");
    state_words(io, pbdma->unknown, COUNT(pbdma->unknown), "registers");
    state_words(io, pbdma->hce_state, PBDMA_HCE_WORDS, "HCE_STATE");
}

static void state_units(struct state_io *io, int64_t *units) {
    uint64_t value = (uint64_t)*units;
    state_u64(io, &value);
    *units = (int64_t)value;
    if (*units > SLICE_MOST || *units < -SLICE_MOST) {
        state_fail(io, PFIFO_ERROR_FORMAT, "a timeslice of %lld units", (long long)*units);
        *units = 0;
    }
}

/* The channels have been loaded before. */
static void put_on(struct pbdma *pbdma, uint32_t id, struct state_io *io) {
    struct pbdma_channel *channel = id < pbdma->fifo->channel_count ? &pbdma->fifo->channels[id] : NULL;
    if (id == PBDMA_NONE || !state_good(io))
        return;
    if (!channel || !channel->bound || channel->on || !channel->context.vm.ops) {
        state_fail(io, PFIFO_ERROR_FORMAT, "channel %u cannot be on a PBDMA", (unsigned)id);
        return;
    }
    if (pbdma->period < 1) { /* a new slice has to have something in it, or it is over for ever */
        state_fail(io, PFIFO_ERROR_FORMAT, "channel %u has a timeslice of nothing", (unsigned)id);
        return;
    }
    pbdma->channel = channel;
    channel->on = pbdma;
}

/* The runlists have been loaded before. */
static void state_group(struct pbdma *pbdma, struct state_io *io) {
    const struct runlist *list = &pbdma->fifo->list[pbdma->list];
    state_u32(io, &pbdma->group);
    if (pbdma->group == PBDMA_NONE || (pbdma->group < list->count && list->entries[pbdma->group].group == pbdma->group))
        return;
    state_fail(io, PFIFO_ERROR_FORMAT, "no group %u in the runlist", (unsigned)pbdma->group);
    pbdma->group = PBDMA_NONE;
}

static void state_pbdma(struct pbdma *pbdma, struct state_io *io) {
    uint32_t id = pbdma_channel_id(pbdma);
    state_page(pbdma, io);
    state_index(io, &pbdma->list, pbdma->fifo->lists, "runlist");
    state_units(io, &pbdma->slice);
    state_units(io, &pbdma->period);
    state_units(io, &pbdma->yields_at);
    state_bool(io, &pbdma->preempted);
    state_group(pbdma, io);
    state_u32(io, &id);
    if (!io->loading)
        return;
    put_on(pbdma, id, io);
    if (pbdma->preempted && !pbdma->channel)
        state_fail(io, PFIFO_ERROR_FORMAT, "nobody is there to be preempted");
    pbdma->notes.count = 0;
    pbdma_derive(pbdma);
}

/* ---- channels ---- */

static void state_channel(struct pbdma_channel *channel, struct state_io *io) {
    uint32_t instance = channel->instance;
    state_u32(io, &instance);
    pbdma_set_instance(channel, instance);
    state_u32(io, &channel->status);
    state_bool(io, &channel->bound);
    state_bool(io, &channel->enabled);
    state_bool(io, &channel->reload);
    state_u8(io, &channel->faulted);
    for (unsigned i = 0; i < COUNT(channel->classes); i++)
        state_u16(io, &channel->classes[i]);
    state_u32(io, &channel->tsg);
    state_u32(io, &channel->crc_left);
    state_u64(io, &channel->pb_crc_begin);
    state_u64(io, &channel->pb_crc_end);
    fifo_state_context(&channel->context, io, false);
}

/* As after power-on, field by field. */
static bool is_fresh(const struct pbdma_channel *channel) {
    uint32_t classes = 0;
    for (unsigned i = 0; i < COUNT(channel->classes); i++)
        classes |= channel->classes[i];
    return !channel->instance && !channel->status && !channel->bound && !channel->enabled && !channel->reload &&
           !channel->faulted && !classes && channel->tsg == PBDMA_NONE && !channel->crc_left &&
           !channel->pb_crc_begin && !channel->pb_crc_end && !channel->context.vm.ops;
}

static void save_channels(struct pbdma_fifo *fifo, struct state_io *io) {
    uint32_t count = 0;
    for (uint32_t id = 0; id < fifo->channel_count; id++)
        count += !is_fresh(&fifo->channels[id]);
    state_count(io, count, fifo->channel_count, "channels");
    for (uint32_t id = 0; id < fifo->channel_count; id++) {
        unsigned number = id;
        if (is_fresh(&fifo->channels[id]))
            continue;
        state_index(io, &number, fifo->channel_count, "channel");
        state_channel(&fifo->channels[id], io);
    }
}

static void load_channels(struct pbdma_fifo *fifo, struct state_io *io) {
    for (uint32_t id = 0; id < fifo->channel_count; id++)
        pbdma_fresh_channel(fifo, id);
    for (uint32_t count = state_count(io, 0, fifo->channel_count, "channels"); count > 0; count--) {
        unsigned id = 0;
        state_index(io, &id, fifo->channel_count, "channel");
        state_channel(&fifo->channels[id], io);
    }
}

/* ---- runlists ---- */

/* Neighbours, led by their first, whose round robin stays among them. */
static bool groups_are_good(const struct runlist *list) {
    for (uint32_t i = 0; i < list->count; i++) {
        const struct runlist_entry *entry = &list->entries[i];
        if (entry->group != i && (i == 0 || entry->group != list->entries[i - 1].group))
            return false;
        if (entry->next >= list->count || entry->next < entry->group ||
            list->entries[entry->next].group != entry->group)
            return false;
    }
    return true;
}

static void fail_list(struct runlist *list, struct state_io *io) {
    state_fail(io, PFIFO_ERROR_FORMAT, "the groups of a runlist make no sense");
    list->count = list->next = 0;
}

static void state_list(const struct pbdma_fifo *fifo, struct runlist *list, struct state_io *io) {
    uint32_t count = state_count(io, list->count, fifo->channel_count, "entries of a runlist");
    if (io->loading)
        list->count = count;
    for (uint32_t i = 0; i < count; i++) {
        unsigned id = list->entries[i].channel;
        state_index(io, &id, fifo->channel_count, "channel");
        list->entries[i].channel = (uint16_t)id;
        state_u16(io, &list->entries[i].group);
        state_u16(io, &list->entries[i].next);
        state_u32(io, &list->entries[i].slice);
    }
    if (!groups_are_good(list))
        fail_list(list, io);
    state_index(io, &list->next, list->count + 1, "place in a runlist");
    if (list->next < list->count && list->entries[list->next].group != list->next)
        fail_list(list, io);
    state_u32(io, &list->base);
    state_u32(io, &list->submit);
}

/* ---- all of it ---- */

static void take_channels_off(struct pbdma_fifo *fifo) {
    for (unsigned i = 0; i < fifo->pbdmas; i++)
        fifo->pbdma[i].channel = NULL;
}

static void settle_all(struct pbdma_fifo *fifo) {
    for (unsigned i = 0; i < fifo->pbdmas; i++)
        pbdma_crc_settle(&fifo->pbdma[i]);
}

static void fail_turn(struct pbdma_fifo *fifo, struct state_io *io) {
    state_fail(io, PFIFO_ERROR_FORMAT, "a turn of %u units", (unsigned)fifo->turn_left);
    fifo->turn_left = 0;
}

static void state_fifo(struct pbdma_fifo *fifo, struct state_io *io) {
    if (state_begin(io, "PBFI", 1)) {
        state_registers(fifo, io);
        state_index(io, &fifo->turn, fifo->pbdmas, "turn");
        state_u32(io, &fifo->turn_left);
        if (fifo->turn_left > PBDMA_TURN && fifo->turn_left != PBDMA_TURN_ENDLESS)
            fail_turn(fifo, io);
    }
    state_end(io);
}

static void state_channels(struct pbdma_fifo *fifo, struct state_io *io) {
    if (state_begin(io, "CHAN", 1)) {
        if (io->loading)
            load_channels(fifo, io);
        else
            save_channels(fifo, io);
    }
    state_end(io);
}

void pbdma_state(struct pbdma_fifo *fifo, struct state_io *io) {
    if (io->loading)
        take_channels_off(fifo);
    else
        settle_all(fifo);
    state_fifo(fifo, io);
    state_channels(fifo, io);
    for (unsigned i = 0; i < fifo->lists; i++) {
        if (state_begin(io, "RUNL", 1))
            state_list(fifo, &fifo->list[i], io);
        state_end(io);
    }
    for (unsigned i = 0; i < fifo->pbdmas; i++) {
        if (state_begin(io, "PBDM", 1))
            state_pbdma(&fifo->pbdma[i], io);
        state_end(io);
    }
    if (io->loading)
        pbdma_bar1_base(fifo, NULL, 0, fifo->bar1_base);
}
