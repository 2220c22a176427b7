/* SPDX-License-Identifier: MIT */
/* Where a channel reads its pushbuffer, for who only looks: from the words of its PBDMA, or from RAMFC. */
#include "fifo/runlist/channel.h"
#include "fifo/runlist/pfifo.h"

#define LIMIT2_SHIFT 16 /* GP_BASE_HI */
#define NEW_FORMS    0x100u
#define FORMS        0x300u /* CMD_TYPES */

static const uint8_t forms[8] = {
    [HEADER_INC] = FORM_INCREASING,
    [HEADER_INC_ONCE] = FORM_INCREASE_ONCE,
};

/* What is left of a packet that is of no such type goes to one method. */
static struct pfifo_push_packet look_packet_of(uint32_t header, uint32_t count) {
    enum grammar_form form = (enum grammar_form)forms[header >> HEADER_TYPE];

    if (!(count & COUNT_VALUE))
        return (struct pfifo_push_packet){0};
    return (struct pfifo_push_packet){
        .count = count & COUNT_VALUE,
        .method = (uint16_t)(header & HEADER_METHOD),
        .subchannel = (uint8_t)(header >> HEADER_SUBCHANNEL & 7),
        .form = grammar_form_name(form ? form : FORM_NONINCREASING),
    };
}

static uint64_t address_in(struct pbdma_fifo *fifo, const struct pbdma_channel *channel, enum pbdma_word low) {
    return channel_word(fifo, channel, low) | (uint64_t)(channel_word(fifo, channel, (enum pbdma_word)(low + 1)) & 0xff)
                                                  << 32;
}

bool pbdma_fifo_push(struct fifo *base, uint32_t number, struct fifo_push *push) {
    struct pbdma_fifo *fifo = (struct pbdma_fifo *)base;
    const struct pbdma_channel *channel = number < fifo->channel_count ? &fifo->channels[number] : NULL;
    uint32_t waits;

    if (!channel || (!channel->bound && !channel->on))
        return false;
    *push = (struct fifo_push){
        .push = {
            .channel = number,
            .loaded = channel->on,
            .ib = true,
            .old_forms = (channel_word(fifo, channel, R_CMD_TYPES) & FORMS) != NEW_FORMS,
            .get = address_in(fifo, channel, R_GET),
            .put = address_in(fifo, channel, R_PUT),
            .packet = look_packet_of(channel_word(fifo, channel, R_PB_HEADER), channel_word(fifo, channel, R_PB_COUNT)),
            .ring = address_in(fifo, channel, R_GP_BASE) & ~UINT64_C(7),
            .ring_get = channel_word(fifo, channel, R_GP_GET),
            .ring_put = channel_word(fifo, channel, R_GP_PUT),
        }};
    push->push.entries = UINT64_C(1) << (channel_word(fifo, channel, R_GP_BASE_HI) >> LIMIT2_SHIFT & 0x1f);
    for (unsigned i = 0; i < 8; i++)
        push->push.bound[i] = channel->classes[i];
    /* A bind that is fetched and not executed. */
    waits = channel_word(fifo, channel, R_METHOD0);
    if ((waits & METHOD_VALID) && !(waits & HEADER_METHOD))
        push->push.bound[waits >> HEADER_SUBCHANNEL & 7] = channel_word(fifo, channel, R_DATA0) & 0xffff;
    push->space = channel->on
                      ? channel->context.vm
                      : address_space_vm(base->memory, channel->context.instance_target, channel->context.instance);
    return true;
}

uint32_t pbdma_fifo_loaded(struct fifo *base, unsigned index) {
    const struct pbdma_fifo *fifo = (struct pbdma_fifo *)base;

    return index < fifo->shared.count ? pbdma_channel_id(&fifo->shared.unit[index]) : UINT32_MAX;
}

uint32_t pbdma_fifo_acting(struct fifo *base) {
    const struct pbdma_fifo *fifo = (struct pbdma_fifo *)base;

    return pbdma_fifo_loaded(base, fifo->schedule.current);
}
