/* SPDX-License-Identifier: MIT */
/*
 * A capture of words from a text.
 *
 *   segments --> addresses (words_place.c) --> buffers of whole pages --> CHAN OBJ BONEW { SUBMIT { PUSH } SUBEND }
 *
 * Modelled:     what the text says; before GF100, which class a handle stands for (words_objects.c)
 * Not modelled: contents of other buffers; notifiers that no --object names
 */
#ifndef PFIFO_DECODE_WORDS_CAPTURE_H
#define PFIFO_DECODE_WORDS_CAPTURE_H

#include <pfifo/words.h>

#include "chip/chip.h"
#include "stream/listing.h"

/* A stretch of memory that has to be there: whole pages, none over another. */
struct words_range {
    uint64_t address, bytes;
    bool vram; /* before G80, a space of its own */
};

/* Where the segments of a text are. */
struct words_place {
    uint64_t *address; /* of each segment */
    struct words_range *range;
    size_t ranges;
};

enum pfifo_status words_place(const struct pfifo_words *words, const struct pfifo_words_capture_options *options,
                              struct words_place *place, struct pfifo_error *error);
void words_place_free(struct words_place *place);

/* The range that an address is in, and NULL if there is none; of system memory before G80. */
const struct words_range *words_place_find(const struct words_place *place, uint64_t address);

/* NULL if it has no words: a listing may name a push and no word of it. */
const uint8_t *words_of_segment(const struct pfifo_words *words, const struct pfifo_words_segment *segment);

/* Does the segment need a return after its words? */
bool words_needs_return(const struct pfifo_words *words, const struct pfifo_words_segment *segment,
                        const struct pfifo_words_capture_options *options);

/* Objects of one channel that its words bind. */
struct words_objects {
    struct pfifo_decode_object *object;
    uint32_t *channel;
    size_t count, room;
    const struct pfifo_chip *chip;
    bool no_memory;
};

/* The class that a handle stands for by habit, before GF100; 0: nothing says it. */
uint32_t words_class_of_handle(const struct pfifo_chip *chip, uint32_t handle);
/* Note an object that an event of the decoder binds, unless it is there already. A pfifo_decode_sink. */
bool words_objects_note(void *opaque, const struct pfifo_decode_event *event);
void words_objects_free(struct words_objects *objects);

#endif
