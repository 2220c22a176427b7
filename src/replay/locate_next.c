/* SPDX-License-Identifier: MIT */
#include "replay/locate_channel.h"

#include <string.h>

enum { IMMEDIATE_SHIFT = 16, IMMEDIATE_MASK = 0x1fff, NV4_METHOD_MASK = 0x1ffc, CLASS_MASK = 0xffff };

/* A long packet has its count in the word behind the header. */
static bool has_more(struct locate_channel *channel, const struct locate_packet *packet, locate_read read,
                     void *opaque) {
    struct pfifo_replay_word at = {0};
    uint32_t count;

    if (packet->form != LOCATE_LONG || !packet->done)
        return packet->done < packet->count;
    locate_data(channel, packet, 0, &at);
    if (at.in_push && at.offset >= 4) {
        at.offset -= 4;
        if (read(opaque, &at, &count))
            return packet->done < count;
    }
    return false;
}

static void name_next(struct locate_channel *channel, const struct locate_packet *packet, locate_read read,
                      void *opaque, struct pfifo_replay_word *next) {
    *next = (struct pfifo_replay_word){.has_method = true,
                                       .subchannel = packet->subchannel,
                                       .oclass = channel->bound[packet->subchannel % LOCATE_SUBCHANNELS],
                                       .method = locate_method_of(packet, packet->done) & channel->method_mask};
    locate_data(channel, packet, packet->done, next);
    next->word = packet->word;
    next->has_word = packet->form == LOCATE_IMMEDIATE || read(opaque, next, &next->word);
    if (next->has_word)
        next->data = packet->form == LOCATE_IMMEDIATE ? packet->word >> IMMEDIATE_SHIFT & IMMEDIATE_MASK : next->word;
    else
        next->word = 0;
    /* From GF100 on the data is the class that will be bound; a handle is looked up only then. */
    if (next->has_word && !next->method && channel->method_mask > NV4_METHOD_MASK)
        next->oclass = next->data & CLASS_MASK;
}

void locate_progress(struct locate_channel *channel, locate_read read, void *opaque,
                     struct pfifo_replay_progress *progress) {
    progress->last = channel->now;
    progress->last_index = channel->now_index;
    memcpy(progress->bound, channel->bound, sizeof progress->bound);
    for (uint64_t i = channel->next_packet; i < channel->packets; i++) {
        const struct locate_packet *packet = &channel->packet[i % LOCATE_PACKETS];

        if (!has_more(channel, packet, read, opaque))
            continue;
        name_next(channel, packet, read, opaque, &progress->next);
        progress->packet = i;
        progress->header = packet->address;
        progress->form = packet->form_name;
        progress->index = packet->done;
        return;
    }
}
