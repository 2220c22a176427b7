/* SPDX-License-Identifier: MIT */
/*
 * PFIFO with PBDMAs in the stream of a saved machine:
 *
 *   "PBFI" registers that all families have, syncpoints, and which PBDMA works
 *   "CHAN" each channel that is not as after power-on; its number is in it
 *   "RUNL" each runlist
 *   "PBDM" each PBDMA: its words, interrupts, timeslice, and which channel is loaded
 *
 * Derived: the address of an instance block (from the channel table), USERD in BAR1.
 */
#include "state/state.h"

#include "fifo/runlist/channel.h"
#include "fifo/runlist/pfifo.h"

#define COUNT(array) ((uint32_t)(sizeof(array) / sizeof((array)[0])))

/* A field that is added belongs below, or among what is derived. */
_Static_assert(sizeof(void *) != 8 ||
                   (sizeof(struct pbdma_channel) == 144 && sizeof(struct runlist) == 24 &&
                    sizeof(struct runlist_entry) == 12 && sizeof(struct schedule) == 32 &&
                    sizeof(struct schedule_unit) == 12 && sizeof(struct pbdma_fifo) - sizeof(struct fifo) == 11768),
               "every field of PFIFO is saved or derived");

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
    state_u32(io, &fifo->engines_faulted);
    state_words(io, fifo->template_f8, COUNT(fifo->template_f8), "templates");
    state_words(io, fifo->template_fc, COUNT(fifo->template_fc), "templates");
    for (unsigned i = 0; i < COUNT(fifo->lb_control); i++)
        state_words(io, fifo->lb_control[i], COUNT(fifo->lb_control[i]), "LB_CONTROL");
    state_words(io, fifo->misc, COUNT(fifo->misc), "registers");
    pbdma_shared_state(&fifo->shared, fifo->base.chip, io);
}

/* ---- channels ---- */

static void pfifo_save_state_channel(struct pbdma_channel *channel, struct state_io *io) {
    uint32_t instance = channel->instance;
    state_u32(io, &instance);
    channel_set_instance(channel, instance);
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
        pfifo_save_state_channel(&fifo->channels[id], io);
    }
}

static void pfifo_save_load_channels(struct pbdma_fifo *fifo, struct state_io *io) {
    for (uint32_t id = 0; id < fifo->channel_count; id++)
        channel_init(fifo, id);
    for (uint32_t count = state_count(io, 0, fifo->channel_count, "channels"); count > 0; count--) {
        unsigned id = 0;
        state_index(io, &id, fifo->channel_count, "channel");
        pfifo_save_state_channel(&fifo->channels[id], io);
    }
}

/* ---- runlists ---- */

/* The entries of a TSG are neighbours and name its first one, whose round robin stays among them. */
static bool list_is_good(const struct runlist *list) {
    for (uint32_t i = 0; i < list->count; i++) {
        const struct runlist_entry *entry = &list->entries[i];
        if (entry->tsg != i && (i == 0 || entry->tsg != list->entries[i - 1].tsg))
            return false;
        if (entry->next >= list->count || entry->next < entry->tsg || list->entries[entry->next].tsg != entry->tsg)
            return false;
    }
    return true;
}

static void fail_list(struct runlist *list, struct state_io *io) {
    state_fail(io, PFIFO_ERROR_FORMAT, "the TSGs of a runlist make no sense");
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
        state_u16(io, &list->entries[i].tsg);
        state_u16(io, &list->entries[i].next);
        state_u32(io, &list->entries[i].slice);
    }
    if (!list_is_good(list))
        fail_list(list, io);
    state_index(io, &list->next, list->count + 1, "entry of a runlist");
    if (list->next < list->count && list->entries[list->next].tsg != list->next)
        fail_list(list, io);
    state_u32(io, &list->base);
    state_u32(io, &list->submit);
}

/* ---- PBDMAs ---- */

/* The channels have been loaded before. */
static void put_on(struct pbdma *pbdma, uint32_t id, struct state_io *io) {
    struct pbdma_fifo *fifo = pbdma_fifo_of(pbdma);
    struct pbdma_channel *channel = id < fifo->channel_count ? &fifo->channels[id] : NULL;
    if (id == PBDMA_NONE || !state_good(io))
        return;
    if (!channel || !channel->bound || channel->on || !channel->context.vm.ops) {
        state_fail(io, PFIFO_ERROR_FORMAT, "channel %u cannot be on a PBDMA", (unsigned)id);
        return;
    }
    if (pbdma->slice.whole < 1) { /* a new slice has to have something in it, or it is over forever */
        state_fail(io, PFIFO_ERROR_FORMAT, "channel %u has a timeslice of nothing", (unsigned)id);
        return;
    }
    pbdma->channel = channel;
    channel->on = pbdma;
}

/* The runlists have been loaded before. */
static void state_tsg(const struct runlist *list, struct schedule_unit *unit, struct state_io *io) {
    state_u32(io, &unit->tsg);
    if (unit->tsg == PBDMA_NONE || (unit->tsg < list->count && list->entries[unit->tsg].tsg == unit->tsg))
        return;
    state_fail(io, PFIFO_ERROR_FORMAT, "no TSG at entry %u of the runlist", (unsigned)unit->tsg);
    unit->tsg = PBDMA_NONE;
}

static void state_unit(struct pbdma_fifo *fifo, unsigned i, struct state_io *io) {
    struct pbdma *pbdma = &fifo->shared.unit[i];
    struct schedule_unit *unit = &fifo->schedule.unit[i];
    uint32_t id = pbdma_channel_id(pbdma);
    state_index(io, &unit->list, fifo->lists, "runlist");
    pbdma_state(pbdma, io);
    state_bool(io, &unit->preempted);
    state_tsg(&fifo->list[unit->list], unit, io);
    state_u32(io, &id);
    if (!io->loading)
        return;
    put_on(pbdma, id, io);
    if (unit->preempted && !pbdma->channel)
        state_fail(io, PFIFO_ERROR_FORMAT, "nobody is there to be preempted");
    pbdma_derive(pbdma);
}

/* ---- all of it ---- */

static void take_channels_off(struct pbdma_fifo *fifo) {
    for (unsigned i = 0; i < fifo->shared.count; i++)
        fifo->shared.unit[i].channel = NULL;
}

static void settle_all(struct pbdma_fifo *fifo) {
    for (unsigned i = 0; i < fifo->shared.count; i++)
        pbdma_crc_settle(&fifo->shared.unit[i]);
}

static void state_schedule(struct schedule *schedule, unsigned pbdmas, struct state_io *io) {
    state_index(io, &schedule->current, pbdmas, "PBDMA");
    state_u32(io, &schedule->quantum_left);
    if (schedule->quantum_left <= PBDMA_QUANTUM || schedule->quantum_left == PBDMA_QUANTUM_ENDLESS)
        return;
    state_fail(io, PFIFO_ERROR_FORMAT, "a quantum of %u units", (unsigned)schedule->quantum_left);
    schedule->quantum_left = 0;
}

static void state_fifo(struct pbdma_fifo *fifo, struct state_io *io) {
    if (state_begin(io, "PBFI", 2)) {
        state_registers(fifo, io);
        state_schedule(&fifo->schedule, fifo->shared.count, io);
    }
    state_end(io);
}

static void state_channels(struct pbdma_fifo *fifo, struct state_io *io) {
    if (state_begin(io, "CHAN", 1)) {
        if (io->loading)
            pfifo_save_load_channels(fifo, io);
        else
            save_channels(fifo, io);
    }
    state_end(io);
}

void pbdma_fifo_state(struct pbdma_fifo *fifo, struct state_io *io) {
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
    for (unsigned i = 0; i < fifo->shared.count; i++) {
        if (state_begin(io, "PBDM", 1))
            state_unit(fifo, i, io);
        state_end(io);
    }
    if (io->loading)
        pbdma_fifo_bar1_base(fifo, NULL, 0, fifo->bar1_base);
}
