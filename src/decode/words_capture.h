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
#include "decode/words_ring.h"
#include "stream/listing.h"

#define WORDS_RETURN 0x00020000u /* to the ring, at the end of a segment before G80 */

/* A stretch of memory that has to be there: whole pages, none over another. */
struct words_range {
    uint64_t address, bytes;
    bool vram; /* before G80, a space of its own */
};

/* Where the segments of a text are. */
struct words_place {
    uint64_t *address; /* of each segment */
    struct words_ring ring;
    struct words_range *range;
    size_t ranges;
};

/* The caller's options, in this version's form. Errors: those of pfifo_words_capture(). */
enum pfifo_status words_options_read(const struct pfifo_words *words, struct pfifo_words_capture_options *options,
                                     const struct pfifo_words_capture_options *given, struct pfifo_error *error);

enum pfifo_status words_place(const struct pfifo_words *words, const struct pfifo_words_capture_options *options,
                              struct words_place *place, struct pfifo_error *error);
void words_place_free(struct words_place *place);

/* The range that an address is in, and NULL if there is none; of system memory before G80. */
const struct words_range *words_place_find(const struct words_place *place, uint64_t address);

/* NULL if it has no words: a listing may name a push and no word of it. */
const uint8_t *words_of_segment(const struct pfifo_words *words, const struct pfifo_words_segment *segment);

/* Does a segment need a return after its words? */
bool words_needs_return(const struct pfifo_words *words, size_t index, const struct words_ring *ring,
                        const struct pfifo_words_capture_options *options);

/* The memory of a ring. */
struct words_memory {
    uint8_t **image; /* of each range; NULL: there is no ring */
    size_t images;
};

/* Errors: PFIFO_ERROR_MEMORY, PFIFO_ERROR_UNSUPPORTED (too much). To be freed also then. */
enum pfifo_status words_memory_make(const struct pfifo_words *words, const struct pfifo_words_capture_options *options,
                                    const struct words_place *place, struct words_memory *memory,
                                    struct pfifo_error *error);
void words_memory_free(struct words_memory *memory);

/*
 * The segments from `first` to *end are a submission, of those of a text that become one. False: others lead to all of
 * them, and nothing is submitted.
 */
bool words_submission(const struct pfifo_words *words, const struct words_ring *ring, size_t first, size_t *end);

/* Commands that bind the classes of the options; how many words, 0 if there are none. */
enum { WORDS_BIND_MOST = 2 * PFIFO_DECODE_SUBCHANNELS + 1 };
size_t words_bind(const struct pfifo_words_capture_options *options, uint8_t bytes[4 * WORDS_BIND_MOST]);
/* The object that a subchannel has at first. */
struct pfifo_decode_object words_bound_object(const struct pfifo_words_capture_options *options, unsigned subchannel);

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
