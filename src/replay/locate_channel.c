/* SPDX-License-Identifier: MIT */
#include "replay/locate_channel.h"

#include "replay/replay.h"

#include <stdlib.h>
#include <string.h>

void locate_channel_free(struct locate_channel *channel) {
    free(channel->pieces);
    free(channel);
}

/* ---- pieces ---- */

static bool locate_channel_make_room(struct locate_channel *channel) {
    size_t left = channel->count - channel->first;
    struct locate_piece *grown;

    if (channel->count < channel->room)
        return true;
    if (channel->first >= channel->room / 2 && channel->first) {
        memmove(channel->pieces, channel->pieces + channel->first, left * sizeof channel->pieces[0]);
        channel->first = 0;
        channel->count = left;
        return true;
    }
    grown = realloc(channel->pieces, (channel->room ? channel->room * 2 : 16) * sizeof grown[0]);
    if (!grown)
        return false;
    channel->room = channel->room ? channel->room * 2 : 16;
    channel->pieces = grown;
    return true;
}

bool locate_push(struct locate_channel *channel, uint32_t submission, const struct pfifo_stream_push *push) {
    if (!locate_channel_make_room(channel))
        return false;
    channel->pieces[channel->count++] = (struct locate_piece){.address = push->address,
                                                              .bytes = push->length & PUSH_BYTES_MASK,
                                                              .offset = push->offset,
                                                              .submission = submission,
                                                              .buffer = (uint32_t)push->handle};
    return true;
}

static bool locate_channel_is_inside(const struct locate_piece *piece, uint64_t address) {
    return address >= piece->address && address - piece->address < piece->bytes;
}

/* The next piece at this address; the pieces before it are done. NULL: the address is not in the recording. */
static struct locate_piece locate_channel_next_piece(struct locate_channel *channel, uint64_t address) {
    for (size_t i = channel->first; i < channel->count; i++)
        if (locate_channel_is_inside(&channel->pieces[i], address)) {
            channel->first = i + 1;
            return channel->pieces[i];
        }
    return (struct locate_piece){0};
}

/* ---- segments ---- */

static struct locate_segment *segment_at(struct locate_channel *channel, uint64_t number) {
    return &channel->segment[number % LOCATE_SEGMENTS];
}

/* The last one; NULL: there is none yet. */
static const struct locate_segment *last_segment(const struct locate_channel *channel) {
    return channel->segments ? &channel->segment[(channel->segments - 1) % LOCATE_SEGMENTS] : NULL;
}

static void add_segment(struct locate_channel *channel, uint64_t address, uint64_t end, struct locate_piece piece) {
    *segment_at(channel, channel->segments++) = (struct locate_segment){address, end, piece};
}

/* An entry of a ring. A long piece has several consecutive ones. */
void locate_segment(struct locate_channel *channel, uint64_t address, uint64_t words) {
    const struct locate_segment *last = last_segment(channel);
    bool same = last && last->end == address && locate_channel_is_inside(&last->piece, address);

    if (words)
        add_segment(channel, address, address + 4 * words,
                    same ? last->piece : locate_channel_next_piece(channel, address));
}

/* A jump inside a piece stays in it, and one from outside may come back to it; a return leaves it. */
void locate_jump(struct locate_channel *channel, uint64_t target, bool is_return) {
    const struct locate_segment *last = last_segment(channel);
    struct locate_piece piece = {0};

    if (last && last->piece.bytes)
        channel->left = last->piece;
    if (last && locate_channel_is_inside(&last->piece, target))
        piece = last->piece;
    else if (!is_return)
        piece = locate_channel_next_piece(channel, target);
    if (!piece.bytes && locate_channel_is_inside(&channel->left, target))
        piece = channel->left;
    add_segment(channel, target, UINT64_MAX, piece);
}

bool locate_will_fetch(const struct locate_channel *channel, uint64_t address) {
    const struct locate_segment *last = last_segment(channel);

    return last && address >= last->address && address < last->end &&
           (last->end != UINT64_MAX || locate_channel_is_inside(&last->piece, address));
}

static void name_piece(const struct locate_piece *piece, struct pfifo_replay_word *word) {
    word->in_push = locate_channel_is_inside(piece, word->address);
    if (!word->in_push)
        return;
    word->submission = piece->submission;
    word->buffer = piece->buffer;
    word->offset = piece->offset + (word->address - piece->address);
}

void locate_in_push(const struct locate_channel *channel, struct pfifo_replay_word *word) {
    const struct locate_segment *last = last_segment(channel);

    if (last)
        name_piece(&last->piece, word);
}

/* ---- packets ---- */

void locate_packet(struct locate_channel *channel, uint64_t address, uint32_t word, uint32_t subchannel,
                   uint32_t method, uint32_t count, const char *form) {
    struct locate_packet *packet = &channel->packet[channel->packets++ % LOCATE_PACKETS];

    *packet = (struct locate_packet){.address = address,
                                     .segment = channel->segments ? channel->segments - 1 : 0,
                                     .word = word,
                                     .count = count,
                                     .method = (uint16_t)method,
                                     .subchannel = (uint8_t)subchannel,
                                     .form = (uint8_t)grammar_form_by_name(form)};
    if (packet->form == FORM_LONG_NONINCREASING)
        packet->count = UINT32_MAX;
    if (channel->packets - channel->next_packet > LOCATE_PACKETS)
        channel->next_packet = channel->packets - LOCATE_PACKETS;
}

void locate_data(struct locate_channel *channel, const struct locate_packet *packet, uint32_t index,
                 struct pfifo_replay_word *word) {
    uint64_t number = packet->segment, address = packet->address;
    uint64_t ahead = packet->form == FORM_IMMEDIATE            ? 0
                     : packet->form == FORM_LONG_NONINCREASING ? index + 2
                                                               : index + 1;
    const struct locate_segment *segment = segment_at(channel, number);

    if (!channel->segments || channel->segments - number > LOCATE_SEGMENTS)
        return;
    while (ahead >= (segment->end - address) / 4) {
        ahead -= (segment->end - address) / 4;
        if (++number == channel->segments)
            return; /* it was not fetched like this */
        segment = segment_at(channel, number);
        address = segment->address;
    }
    word->has_address = true;
    word->address = address + 4 * ahead;
    name_piece(&segment->piece, word);
}

static bool is_next(const struct locate_channel *channel, const struct locate_packet *packet, uint32_t subchannel,
                    uint32_t method) {
    return packet->done < packet->count && packet->subchannel == subchannel &&
           locate_method_of(channel, packet, packet->done) == method;
}

void locate_bind(struct locate_channel *channel, uint32_t subchannel, uint32_t oclass) {
    channel->bound[subchannel % LOCATE_SUBCHANNELS] = oclass;
}

void locate_method(struct locate_channel *channel, uint32_t subchannel, uint32_t oclass, uint32_t method,
                   uint32_t data) {
    channel->now = (struct pfifo_replay_word){
        .has_method = true, .subchannel = subchannel, .oclass = oclass, .method = method, .data = data};
    channel->now_index = UINT32_MAX;
    for (uint64_t i = channel->next_packet; i < channel->packets; i++) {
        struct locate_packet *packet = &channel->packet[i % LOCATE_PACKETS];

        if (!is_next(channel, packet, subchannel, method))
            continue;
        channel->next_packet = i;
        channel->now_index = packet->done;
        locate_data(channel, packet, packet->done++, &channel->now);
        channel->now.word = packet->form == FORM_IMMEDIATE ? packet->word : data;
        channel->now.has_word = channel->now.has_address;
        return;
    }
}

/* A bad word may be data: then its method is not executed, and the rest of its packet is dropped. */
static void locate_channel_name_method(struct locate_channel *channel, struct pfifo_replay_word *word) {
    struct locate_packet *packet = &channel->packet[(channel->packets - 1) % LOCATE_PACKETS];
    struct pfifo_replay_word data = {0};
    uint32_t index;

    if (!channel->packets || word->address <= packet->address || packet->form == FORM_IMMEDIATE)
        return;
    index = (uint32_t)((word->address - packet->address) / 4) - (packet->form == FORM_LONG_NONINCREASING ? 2 : 1);
    if (index >= packet->count)
        return;
    locate_data(channel, packet, index, &data);
    if (!data.has_address || data.address != word->address)
        return;
    packet->count = index;
    word->has_method = word->has_word;
    word->subchannel = packet->subchannel;
    word->method = locate_method_of(channel, packet, index);
    word->data = word->word;
}

void locate_bad_word(struct locate_channel *channel, uint64_t address, uint32_t word, bool fetched) {
    struct pfifo_replay_word bad = {
        .has_address = true, .has_word = fetched, .address = address, .word = fetched ? word : 0};

    locate_in_push(channel, &bad);
    locate_channel_name_method(channel, &bad);
    locate_note(channel, LOCATE_PUSHER, &bad, 0);
}
