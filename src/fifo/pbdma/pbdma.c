/* SPDX-License-Identifier: MIT */
/*
 * The PBDMAs of a chip, and how a channel is loaded and saved.
 */
#include "fifo/pbdma/pbdma.h"

#include <assert.h>
#include <stdlib.h>

#include "fifo/pbdma/host.h"
#include "fifo/pbdma/interrupt.h"
#include "fifo/pbdma/puller.h"
#include "fifo/pbdma/pusher.h"
#include "fifo/pbdma/userd.h"

/* CMD_TYPES: 0 old forms only, 1 new forms only, 2 both. */
static void pbdma_set_grammar(struct pbdma *pbdma) {
    uint8_t mode = (pbdma->regs[R_CMD_TYPES] & 0x300) == 0x100 ? 0 : GRAMMAR_OLD;
    if (mode == pbdma->grammar_mode)
        return;
    pbdma->grammar_mode = mode;
    grammar_make_index(pbdma->fifo->chip->family->grammar, mode, &pbdma->grammar);
    pbdma_choose_packets(pbdma);
}

void pbdma_derive(struct pbdma *pbdma) {
    pbdma->span = (struct pbdma_span){0};
    pbdma_set_grammar(pbdma);
    pbdma->shared->variant->puller->route(pbdma);
}

void pbdma_forget_spans(struct pbdma_shared *shared) {
    for (unsigned i = 0; i < shared->count; i++)
        shared->unit[i].span = (struct pbdma_span){0};
}

void pbdma_reset(struct pbdma *pbdma) {
    pbdma->channel = NULL;
    pbdma->slice = (struct pbdma_timeslice){0};
    pbdma->crc_queue.count = 0;
    bus_reset_table(&pbdma->table, pbdma);
    pbdma_derive(pbdma);
}

static enum pfifo_status pbdma_attach(struct pbdma *pbdma, struct pbdma_shared *shared, struct fifo *fifo,
                                      struct pfifo_error *error) {
    pbdma->fifo = fifo;
    pbdma->shared = shared;
    pbdma->index = (unsigned)(pbdma - shared->unit);
    pbdma->grammar_mode = UINT8_MAX;
    enum pfifo_status status = pbdma_attach_page(pbdma, error);
    if (status == PFIFO_OK)
        pbdma_derive(pbdma);
    return status;
}

enum pfifo_status pbdma_shared_attach(struct pbdma_shared *shared, struct fifo *fifo,
                                      const struct pbdma_variant *variant, const struct pbdma_upward *upward,
                                      struct pfifo_error *error) {
    const struct pfifo_chip *chip = fifo->chip;
    shared->variant = variant;
    shared->upward = upward;
    shared->host = pbdma_host_class(chip->host_class);
    shared->host_methods = pbdma_host_methods(chip, shared->host);
    pbdma_crc_init(&shared->crc);
    shared->unit = calloc(chip->pbdmas, sizeof shared->unit[0]);
    shared->syncpoints = chip->syncpoints ? calloc(chip->syncpoints, sizeof shared->syncpoints[0]) : NULL;
    if (!shared->unit || (chip->syncpoints && !shared->syncpoints))
        return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for %u PBDMAs", (unsigned)chip->pbdmas);
    shared->count = chip->pbdmas;
    enum pfifo_status status = PFIFO_OK;
    for (unsigned i = 0; i < shared->count && status == PFIFO_OK; i++)
        status = pbdma_attach(&shared->unit[i], shared, fifo, error);
    return status;
}

void pbdma_shared_free(struct pbdma_shared *shared) {
    for (unsigned i = 0; i < shared->count; i++)
        free(shared->unit[i].rows);
    free(shared->unit);
    free(shared->syncpoints);
}

/* GK104 and later keep the state of the copy engine's front end after the words. */
static uint32_t *pbdma_ramfc_word(struct pbdma *pbdma, unsigned word) {
    return word < PBDMA_WORDS ? &pbdma->regs[word] : &pbdma->hce_state[word - PBDMA_WORDS];
}

/* RAMFC in one copy. Beyond memory it reads as zeros, and the signature will not match. */
static void pbdma_copy_ramfc(struct pbdma *pbdma, const struct pbdma_channel *channel, bool load) {
    struct address_space space = address_space_physical(channel->context.instance_target);
    uint8_t image[4 * (PBDMA_WORDS + PBDMA_HCE_WORDS)];
    unsigned words = pbdma->shared->variant->ramfc_words;
    struct fault fault;
    if (load) {
        if (!memory_read(pbdma_memory(pbdma), &space, channel->context.instance, image, 4 * (size_t)words, &fault))
            memset(image, 0, sizeof image);
        for (unsigned i = 0; i < words; i++)
            *pbdma_ramfc_word(pbdma, i) = load_le32(image + 4 * (size_t)i);
        return;
    }
    for (unsigned i = 0; i < words; i++)
        store_le32(image + 4 * (size_t)i, *pbdma_ramfc_word(pbdma, i));
    memory_write(pbdma_memory(pbdma), &space, channel->context.instance, image, 4 * (size_t)words, &fault);
}

/* TIMESLICE: [7:0] timeout, [15:12] scale. */
static uint32_t pbdma_default_slice(const struct pbdma *pbdma) {
    uint32_t value = pbdma->regs[R_TIMESLICE];
    return pbdma_slice_units(value & 0xff, value >> 12 & 0xf);
}

/* SIGNATURE: 0xface (software's) or the class of the channel. */
static bool pbdma_signature_ok(const struct pbdma *pbdma) {
    uint32_t signature = pbdma->regs[R_SIGNATURE] & 0xffff;
    return signature == 0xface || signature == pbdma->fifo->chip->host_class;
}

void pbdma_load(struct pbdma *pbdma, struct pbdma_channel *channel, uint32_t slice) {
    assert(!pbdma->channel && !channel->on);
    struct pfifo_channel_context *context = &channel->context;
    pbdma_copy_ramfc(pbdma, channel, true);
    pbdma->crc_queue.count = 0;
    pbdma->channel = channel;
    channel->on = pbdma;
    channel->reload = false;
    context->vm = address_space_vm(pbdma_memory(pbdma), context->instance_target, context->instance);
    pbdma->regs[R_GP_PUT] = pbdma_read_gp_put(pbdma);
    pbdma->slice.whole = slice ? slice : pbdma_default_slice(pbdma);
    pbdma->slice.left = pbdma->slice.yields_at = pbdma->slice.whole;
    pbdma_derive(pbdma);
    event_send(pbdma_events(pbdma), EVENT_SWITCH_LOAD, context->id, NULL, context->instance);
    if (!pbdma_signature_ok(pbdma))
        pbdma_raise(pbdma, PBDMA_INTR_SIGNATURE, "SIGNATURE");
}

void pbdma_save(struct pbdma *pbdma) {
    struct pbdma_channel *channel = pbdma->channel;
    assert(channel && channel->on == pbdma);
    pbdma_crc_settle(pbdma);
    pbdma_copy_ramfc(pbdma, channel, false);
    pbdma_write_userd(pbdma);
    event_send(pbdma_events(pbdma), EVENT_SWITCH_SAVE, channel->context.id, NULL, channel->context.instance);
}

void pbdma_leave(struct pbdma *pbdma) {
    pbdma_save(pbdma);
    pbdma->channel->on = NULL;
    pbdma->channel = NULL;
    pbdma->span = (struct pbdma_span){0};
}
