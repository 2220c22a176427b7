/* SPDX-License-Identifier: MIT */
/*
 * A PBDMA, and how a channel gets on and off it.
 */
#include "fifo/pbdma/pbdma.h"

#include <assert.h>
#include <stdlib.h>

/* CMD_TYPES: 0 old forms only, 1 new forms only, 2 both. */
static void set_grammar(struct pbdma *pbdma) {
    uint8_t mode = (pbdma->regs[R_CMD_TYPES] & 0x300) == 0x100 ? 0 : GRAMMAR_OLD;
    if (mode == pbdma->grammar_mode)
        return;
    pbdma->grammar_mode = mode;
    grammar_make_index(pbdma->fifo->base.chip->family->grammar, mode, &pbdma->grammar);
    pbdma_make_packets(pbdma);
}

void pbdma_derive(struct pbdma *pbdma) {
    pbdma->span = (struct pbdma_span){0};
    set_grammar(pbdma);
    pbdma->fifo->family->route(pbdma);
}

void pbdma_fresh_channel(struct pbdma_fifo *fifo, uint32_t id) {
    fifo->channels[id] = (struct pbdma_channel){.context = {.fifo = &fifo->base, .id = id}, .tsg = PBDMA_NONE};
}

static bool allocate(struct pbdma_fifo *fifo) {
    fifo->channels = calloc(fifo->channel_count, sizeof fifo->channels[0]);
    for (unsigned i = 0; i < fifo->lists; i++) {
        fifo->list[i].entries = calloc(fifo->channel_count, sizeof fifo->list[i].entries[0]);
        if (!fifo->list[i].entries)
            return false;
    }
    return fifo->channels != NULL;
}

const struct bus_host_ops pbdma_host = {
    .sync = pbdma_sync,
    .enable_changed = fifo_enable_changed,
    .bar_fault = pbdma_bar_fault,
    .userd_write = pbdma_userd_write,
    .userd_read = pbdma_userd_read,
};

enum pfifo_status pbdma_attach(struct pbdma_fifo *fifo, const struct pbdma_family *family, unsigned lists,
                               struct pfifo_error *error) {
    const struct pfifo_chip *chip = fifo->base.chip;
    assert(chip->pbdmas <= PBDMA_MAX && lists <= PBDMA_RUNLISTS);
    fifo->family = family;
    fifo->pbdmas = chip->pbdmas;
    fifo->channel_count = chip->channels;
    assert(fifo->channel_count <= PBDMA_CHANNELS && (fifo->channel_count & (fifo->channel_count - 1)) == 0);
    fifo->lists = lists;
    pbdma_crc_init(&fifo->crc);
    if (!allocate(fifo))
        return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for %u channels", (unsigned)fifo->channel_count);
    for (uint32_t i = 0; i < fifo->channel_count; i++)
        pbdma_fresh_channel(fifo, i);
    for (unsigned i = 0; i < fifo->pbdmas; i++) {
        struct pbdma *pbdma = &fifo->pbdma[i];
        pbdma->fifo = fifo;
        pbdma->index = i;
        pbdma->grammar_mode = UINT8_MAX;
        pbdma->group = PBDMA_NONE;
        enum pfifo_status status = pbdma_attach_page(pbdma, error);
        if (status != PFIFO_OK)
            return status;
        pbdma_derive(pbdma);
    }
    return PFIFO_OK;
}

void pbdma_free(struct fifo *base) {
    struct pbdma_fifo *fifo = (struct pbdma_fifo *)base;
    for (unsigned i = 0; i < PBDMA_MAX; i++)
        free(fifo->pbdma[i].rows);
    for (unsigned i = 0; i < 2; i++)
        free((void *)(uintptr_t)fifo->tables[i].regs);
    for (unsigned i = 0; i < PBDMA_RUNLISTS; i++)
        free(fifo->list[i].entries);
    free(fifo->channels);
}

/* Everything goes but what is in memory: channels are not saved. */
void pbdma_reset(struct fifo *base) {
    struct pbdma_fifo *fifo = (struct pbdma_fifo *)base;
    for (unsigned i = 0; i < 2; i++)
        bus_reset_table(&fifo->tables[i], fifo);
    for (unsigned i = 0; i < fifo->pbdmas; i++) {
        struct pbdma *pbdma = &fifo->pbdma[i];
        pbdma->channel = NULL;
        pbdma->group = PBDMA_NONE;
        pbdma->list = 0; /* where round robin over lists begins */
        pbdma->slice = pbdma->period = pbdma->yields_at = 0;
        pbdma->preempted = false;
        pbdma->notes.count = 0;
        bus_reset_table(&pbdma->table, pbdma);
        pbdma_derive(pbdma);
    }
    for (uint32_t i = 0; i < fifo->channel_count; i++) {
        if (fifo->channels[i].bound)
            fifo_channel_gone(base, i);
        pbdma_fresh_channel(fifo, i);
    }
    for (unsigned i = 0; i < fifo->lists; i++)
        fifo->list[i].count = fifo->list[i].next = fifo->list[i].base = fifo->list[i].submit = 0;
    pbdma_bar1_base(fifo, NULL, 0, fifo->bar1_base);
    fifo->turn = fifo->turn_left = 0;
    fifo->intr = 0;
    fifo->runlist_event = 0;
    fifo->fault_source = 0;
    pbdma_update_line(fifo);
}

/* GK104 and later keep the state of the copy engine's front end behind the words. */
static unsigned ramfc_words(const struct pbdma *pbdma) {
    return PBDMA_WORDS + (pbdma->fifo->base.chip->has_runlists ? PBDMA_HCE_WORDS : 0);
}

static uint32_t *ramfc_word(struct pbdma *pbdma, unsigned word) {
    return word < PBDMA_WORDS ? &pbdma->regs[word] : &pbdma->hce_state[word - PBDMA_WORDS];
}

/* RAMFC in one copy. Beyond memory it reads as zeros, and the signature will not match. */
static void copy_ramfc(struct pbdma *pbdma, const struct pbdma_channel *channel, bool load) {
    struct address_space space = address_space_physical(channel->context.instance_target);
    uint8_t image[4 * (PBDMA_WORDS + PBDMA_HCE_WORDS)];
    unsigned words = ramfc_words(pbdma);
    struct fault fault;
    if (load) {
        if (!memory_read(pbdma_memory(pbdma), &space, channel->context.instance, image, 4 * (size_t)words, &fault))
            memset(image, 0, sizeof image);
        for (unsigned i = 0; i < words; i++)
            *ramfc_word(pbdma, i) = load_le32(image + 4 * (size_t)i);
        return;
    }
    for (unsigned i = 0; i < words; i++)
        store_le32(image + 4 * (size_t)i, *ramfc_word(pbdma, i));
    memory_write(pbdma_memory(pbdma), &space, channel->context.instance, image, 4 * (size_t)words, &fault);
}

/* TIMESLICE: [7:0] timeout, [15:12] scale. */
static uint32_t default_slice(const struct pbdma *pbdma) {
    uint32_t value = pbdma->regs[R_TIMESLICE];
    return pbdma_slice_units(value & 0xff, value >> 12 & 0xf);
}

/* SIGNATURE: 0xface (software's) or the class of the channel. */
static bool signature_ok(const struct pbdma *pbdma) {
    uint32_t signature = pbdma->regs[R_SIGNATURE] & 0xffff;
    return signature == 0xface || signature == pbdma->fifo->base.chip->host_class;
}

void pbdma_load(struct pbdma *pbdma, struct pbdma_channel *channel, unsigned list, uint32_t slice) {
    assert(!pbdma->channel && !channel->on);
    struct pfifo_channel_context *context = &channel->context;
    copy_ramfc(pbdma, channel, true);
    pbdma->notes.count = 0;
    pbdma->channel = channel;
    pbdma->list = list;
    channel->on = pbdma;
    channel->reload = false;
    context->vm = address_space_vm(pbdma_memory(pbdma), context->instance_target, context->instance);
    pbdma->regs[R_GP_PUT] = pbdma_read_gp_put(pbdma);
    pbdma->period = slice ? slice : default_slice(pbdma);
    pbdma->slice = pbdma->period;
    pbdma->yields_at = pbdma->period;
    pbdma_derive(pbdma);
    event_send(pbdma_events(pbdma), EVENT_SWITCH_LOAD, context->id, NULL, context->instance);
    if (!signature_ok(pbdma))
        pbdma_raise(pbdma, PBDMA_INTR_SIGNATURE, "SIGNATURE");
}

void pbdma_save(struct pbdma *pbdma) {
    struct pbdma_channel *channel = pbdma->channel;
    assert(channel && channel->on == pbdma);
    pbdma_crc_settle(pbdma);
    copy_ramfc(pbdma, channel, false);
    pbdma_write_userd(pbdma);
    event_send(pbdma_events(pbdma), EVENT_SWITCH_SAVE, channel->context.id, NULL, channel->context.instance);
}

void pbdma_leave(struct pbdma *pbdma) {
    pbdma_save(pbdma);
    pbdma->channel->on = NULL;
    pbdma->channel = NULL;
    pbdma->group = PBDMA_NONE;
    pbdma->preempted = false;
    pbdma->span = (struct pbdma_span){0};
}
