/* SPDX-License-Identifier: MIT */
#include "replay/locate_channel.h"

#include <string.h>

enum { CLASS_MASK = 0xffff, LONG_COUNT = 0xffffff };

/* Data words. A long packet has its count in the word after the header. False: it is not there. */
static bool locate_next_count_of(struct locate_channel *channel, const struct locate_packet *packet, locate_read read,
                                 void *opaque, uint32_t *count) {
    struct pfifo_replay_word at = {0};

    *count = packet->count;
    if (packet->form != FORM_LONG_NONINCREASING)
        return true;
    locate_data(channel, packet, 0, &at);
    if (!at.in_push || at.offset < 4)
        return false;
    at.offset -= 4;
    if (!read(opaque, &at, count))
        return false;
    *count &= LONG_COUNT;
    return true;
}

/* The first word of a packet is believed to come, whatever its count is. */
static bool has_more(struct locate_channel *channel, const struct locate_packet *packet, locate_read read,
                     void *opaque) {
    uint32_t count;

    if (packet->form == FORM_LONG_NONINCREASING && !packet->done)
        return true;
    return locate_next_count_of(channel, packet, read, opaque, &count) && packet->done < count;
}

/* NULL: nothing is fetched that is not executed. */
static const struct locate_packet *next_packet(struct locate_channel *channel, locate_read read, void *opaque,
                                               uint64_t *number) {
    for (*number = channel->next_packet; *number < channel->packets; ++*number) {
        const struct locate_packet *packet = &channel->packet[*number % LOCATE_PACKETS];
        if (has_more(channel, packet, read, opaque))
            return packet;
    }
    return NULL;
}

/* Data that the header has. Whatever mode the channel is in, immediate headers are the same. */
static uint32_t data_of(const struct locate_channel *channel, uint32_t header) {
    struct grammar_word word;

    grammar_decode(channel->grammar, 0, header, &word);
    return word.data;
}

static void name_next(struct locate_channel *channel, const struct locate_packet *packet, locate_read read,
                      void *opaque, struct pfifo_replay_word *next) {
    *next = (struct pfifo_replay_word){.has_method = true,
                                       .subchannel = packet->subchannel,
                                       .oclass = channel->bound[packet->subchannel % LOCATE_SUBCHANNELS],
                                       .method = locate_method_of(channel, packet, packet->done)};
    locate_data(channel, packet, packet->done, next);
    next->word = packet->word;
    next->has_word = packet->form == FORM_IMMEDIATE || read(opaque, next, &next->word);
    if (next->has_word)
        next->data = packet->form == FORM_IMMEDIATE ? data_of(channel, packet->word) : next->word;
    else
        next->word = 0;
    /* From GF100 on the data is the class that will be bound; a handle is looked up only then. */
    if (next->has_word && !next->method && channel->chip->binds_classes)
        next->oclass = next->data & CLASS_MASK;
}

void locate_progress(struct locate_channel *channel, locate_read read, void *opaque,
                     struct pfifo_replay_progress *progress) {
    const struct locate_packet *packet;
    uint64_t number;

    progress->last = channel->now;
    progress->last_index = channel->now_index;
    memcpy(progress->bound, channel->bound, sizeof progress->bound);
    packet = next_packet(channel, read, opaque, &number);
    if (!packet)
        return;
    name_next(channel, packet, read, opaque, &progress->next);
    progress->packet = number;
    progress->header = packet->address;
    progress->form = grammar_form_name((enum grammar_form)packet->form);
    progress->index = packet->done;
}

bool locate_rest(struct locate_channel *channel, locate_read read, void *opaque, struct pfifo_push_packet *rest) {
    uint64_t number;
    const struct locate_packet *packet = next_packet(channel, read, opaque, &number);
    uint32_t count;

    *rest = (struct pfifo_push_packet){0};
    if (!packet || !locate_next_count_of(channel, packet, read, opaque, &count) || packet->done >= count)
        return false;
    if (packet->form == FORM_IMMEDIATE)
        return true;
    /* After its first method, a packet that increases once does not increase. */
    enum grammar_form form =
        packet->form == FORM_INCREASE_ONCE && packet->done ? FORM_NONINCREASING : (enum grammar_form)packet->form;
    *rest = (struct pfifo_push_packet){.count = count - packet->done,
                                       .method = (uint16_t)locate_method_of(channel, packet, packet->done),
                                       .subchannel = packet->subchannel,
                                       .form = grammar_form_name(form)};
    return true;
}
