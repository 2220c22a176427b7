/* SPDX-License-Identifier: MIT */
/* State of the locator for a channel. */
#ifndef PFIFO_REPLAY_LOCATE_CHANNEL_H
#define PFIFO_REPLAY_LOCATE_CHANNEL_H

#include "chip/chip.h"
#include "grammar/grammar.h"
#include "replay/locate.h"

enum {
    LOCATE_PACKETS = 1024, /* that are fetched and not executed: CACHE1 has room for 512 methods */
    LOCATE_SEGMENTS = 1024,
    LOCATE_NOTES = 4, /* of a kind */
    LOCATE_SUBCHANNELS = 8,
};

/* A PUSH that the pusher fetches now, or will fetch. */
struct locate_piece {
    uint64_t address, bytes, offset;
    uint32_t submission, buffer;
};

/* Words that the pusher fetches. After a jump they last until the next one. */
struct locate_segment {
    uint64_t address, end;
    struct locate_piece piece; /* no bytes: it is in none */
};

struct locate_packet {
    uint64_t address;
    uint64_t segment; /* running number of that of the header */
    uint32_t word, count, done;
    uint16_t method;
    uint8_t subchannel, form; /* enum grammar_form */
};

/* The subject of an error event. */
enum locate_kind { LOCATE_PUSHER, LOCATE_PULLER, LOCATE_ENGINE, LOCATE_MEMORY, LOCATE_KINDS };

struct locate_note {
    bool valid;
    uint64_t address; /* virtual, of memory that faulted */
    struct pfifo_replay_word word;
};

struct locate_channel {
    uint32_t number;
    const struct pfifo_chip *chip;
    const struct grammar *grammar;
    struct locate_piece *pieces; /* submitted, and not fetched yet; from `first` on */
    size_t first, count, room;
    uint64_t segments, packets, next_packet; /* running numbers; next_packet: that of the next method */
    struct locate_piece left;                /* the last one that a jump or call was in */
    struct locate_segment segment[LOCATE_SEGMENTS];
    struct locate_packet packet[LOCATE_PACKETS];
    struct pfifo_replay_word now;     /* the method that was executed last */
    uint32_t now_index;               /* which data word of its packet; UINT32_MAX: of none */
    struct pfifo_replay_word missing; /* state, since the last error: the fields of that name alone */
    struct locate_note note[LOCATE_KINDS][LOCATE_NOTES];
    unsigned next_note[LOCATE_KINDS];
    uint32_t bound[LOCATE_SUBCHANNELS]; /* classes; 0: not known */
};

void locate_channel_free(struct locate_channel *channel);
bool locate_push(struct locate_channel *channel, uint32_t submission, const struct pfifo_stream_push *push);

/* locate_channel.c: the pusher's events. */
void locate_segment(struct locate_channel *channel, uint64_t address, uint64_t words);
void locate_jump(struct locate_channel *channel, uint64_t target, bool is_return);
void locate_packet(struct locate_channel *channel, uint64_t address, uint32_t word, uint32_t subchannel,
                   uint32_t method, uint32_t count, const char *form);
void locate_bad_word(struct locate_channel *channel, uint64_t address, uint32_t word, bool fetched);

void locate_bind(struct locate_channel *channel, uint32_t subchannel, uint32_t oclass);

/* locate_next.c: the word that `now` was, and the one after it; what is left of its packet. */
void locate_progress(struct locate_channel *channel, locate_read read, void *opaque,
                     struct pfifo_replay_progress *progress);
bool locate_rest(struct locate_channel *channel, locate_read read, void *opaque, struct pfifo_push_packet *rest);

/* Method of data word `index`. Before GF100 methods wrap around; GF100 and later refuse such a packet. */
static inline uint32_t locate_method_of(const struct locate_channel *channel, const struct locate_packet *packet,
                                        uint32_t index) {
    return grammar_method_of(channel->grammar, (enum grammar_form)packet->form, packet->method, index);
}

/* Address of data word `index`: after the header, or in a later segment. */
void locate_data(struct locate_channel *channel, const struct locate_packet *packet, uint32_t index,
                 struct pfifo_replay_word *word);

/* The puller's: `now` is this method from here on. */
void locate_method(struct locate_channel *channel, uint32_t subchannel, uint32_t oclass, uint32_t method,
                   uint32_t data);

/* locate_mark.c: all channels as they are, `whole`: with their own pieces; NULL: no memory. */
struct locate_mark *locate_mark_new(struct locate_channel *const *channels, size_t count, bool whole);
void locate_mark_return(const struct locate_mark *mark, struct locate_channel *const *channels, size_t count);
size_t locate_mark_channels(const struct locate_mark *mark);
/* Channel `index` of a whole mark, which belongs to the caller then. NULL: no memory. */
struct locate_channel *locate_mark_channel(const struct locate_mark *mark, size_t index);

/* Is the address in the segment that the pusher fetches? */
bool locate_will_fetch(const struct locate_channel *channel, uint64_t address);

/* Find the PUSH of the word, if the pusher fetches there. */
void locate_in_push(const struct locate_channel *channel, struct pfifo_replay_word *word);

/* locate_notes.c: remember an error of a word, or of a method, whose word is that of `now`. */
void locate_note(struct locate_channel *channel, enum locate_kind kind, const struct pfifo_replay_word *word,
                 uint64_t address);
bool locate_has(const struct locate_channel *channel, enum locate_kind kind, uint64_t address);

/* The complaint that belongs to the fault; it is removed. */
bool locate_take(struct locate_channel *channel, enum locate_kind kind, const struct pfifo_device_fault *fault,
                 struct pfifo_replay_word *found);

#endif
