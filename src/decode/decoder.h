/* SPDX-License-Identifier: MIT */
/*
 * State of a decoder.
 *
 *   segment --> window (where words come from) --> command state of the channel --> events
 *                 ^                                     |
 *                 '---- jump, call, return <------------'
 *
 * Modelled:     the pusher's view of a command stream, without its timing: grammar, DMA_STATE, subroutine, SLI
 * Not modelled: checks of low methods (the sinks show that a method has no name)
 * Sources:      envytools docs/hw/fifo/dma-pusher.rst, puller.rst; NVIDIA open-gpu-doc classes/host/cl906f.h,
 *               manuals/volta/gv100/dev_pbdma.ref.txt
 */
#ifndef PFIFO_DECODE_DECODER_H
#define PFIFO_DECODE_DECODER_H

#include <pfifo/decode.h>

#include "chip/chip.h"
#include "grammar/grammar.h"

enum { DECODE_SUBCHANNELS = PFIFO_DECODE_SUBCHANNELS, DECODE_KNOWN = 512 };

/* A command that waits for data, as in DMA_STATE or PB_HEADER. */
struct decode_command {
    enum grammar_form form;
    uint32_t count;
    uint16_t method;
    uint8_t subchannel;
    bool long_count; /* the next word is the count */
};

struct decode_channel {
    uint32_t id;
    uint32_t serial; /* new each time the id is used, so that objects of a closed channel are not found */
    bool alive;
    bool subroutine;
    bool inactive; /* the SLI or subdevice mask excludes this GPU */
    bool doubtful; /* the class does not have the methods of the command */
    bool begins;   /* the next segment is the first of a submission */
    unsigned mode; /* GRAMMAR_*: the decoder's, and old forms, if the channel has them */
    uint32_t stored_mask;
    uint64_t return_address;
    struct decode_command command;
    uint32_t bound[DECODE_SUBCHANNELS];
};

/* Handles of all channels: open addressing, power of two, at most half full. */
struct decode_object {
    uint32_t serial; /* 0: free */
    uint32_t handle;
    uint32_t oclass;
    const char *label;
};

struct decode_objects {
    struct decode_object *slots;
    size_t size, used;
};

/* Whether a class has a method; direct-mapped by both. */
struct decode_known {
    uint32_t class_id; /* 0: free */
    uint16_t method;
    uint8_t known; /* resync.c has the values */
};

struct pfifo_decoder {
    const struct pfifo_chip *chip;
    const struct grammar *grammar;
    unsigned mode;        /* GRAMMAR_* of a new channel */
    bool literal;         /* decode as the hardware does, without guessing */
    bool guesses_handles; /* before GF100, where nobody made objects: the class is words_class_of_handle()'s */
    bool only_entries;    /* there is a ring, and nothing that its entries point to */
    bool part;            /* the words are a part, see pfifo_decode_options */
    uint32_t subdevices;
    uint32_t default_class[DECODE_SUBCHANNELS];
    pfifo_decode_sink sink;
    pfifo_decode_map map;
    void *opaque;
    uint32_t (*handle_class)(void *opaque, uint32_t handle); /* NULL: who made an object says so */
    void *handle_opaque;
    bool stopped;      /* the sink wants no more */
    uint32_t sequence; /* of the last submission */
    uint32_t serials;
    struct decode_channel *channels;
    size_t channel_count, channel_room, last_channel;
    struct decode_objects objects;
    struct decode_known known[DECODE_KNOWN];
};

/* objects.c */
bool decode_objects_put(struct decode_objects *objects, const struct decode_object *object);
const struct decode_object *decode_objects_get(const struct decode_objects *objects, uint32_t serial, uint32_t handle);

/* decoder.c: the options of a caller who may be of another version. Errors: see config_read(). */
enum pfifo_status decode_options_read(struct pfifo_decode_options *to, const struct pfifo_decode_options *given,
                                      struct pfifo_error *error);

/* channel.c: the channel, made if it is new; NULL (and error) if there are too many. */
struct decode_channel *decode_channel_get(struct pfifo_decoder *decoder, uint32_t id, struct pfifo_error *error);
/* The class that the data of method 0 binds, 0 if it is not known. */
uint32_t decode_channel_class(struct pfifo_decoder *decoder, const struct decode_channel *channel, uint32_t data);
void decode_channel_bind(struct pfifo_decoder *decoder, struct decode_channel *channel, unsigned subchannel,
                         uint32_t data);
void decode_default_classes(const struct pfifo_chip *chip, uint32_t classes[DECODE_SUBCHANNELS]);

/*
 * decoder.c: what an IB entry at `address` says, as an event, and the segment that it points to, without its words.
 * True: it is fetched.
 */
bool decode_entry(const struct pfifo_decoder *decoder, uint64_t address, uint32_t low, uint32_t high,
                  struct pfifo_decode_event *event, struct pfifo_decode_segment *segment);

/* segment.c: walk the words. */
void decode_segment(struct pfifo_decoder *decoder, struct decode_channel *channel,
                    const struct pfifo_decode_segment *segment);

/* Hand an event to the sink. */
static inline void decode_emit(struct pfifo_decoder *decoder, const struct pfifo_decode_event *event) {
    if (!decoder->stopped && !decoder->sink(decoder->opaque, event))
        decoder->stopped = true;
}

/* Are words of a channel like those that come by the ring? `ib`: the channel of a chip with both has one. */
static inline bool decoder_uses_ring(const struct pfifo_chip *chip, bool ib) {
    return chip->ring_only || (chip->has_ib && ib);
}

#endif
