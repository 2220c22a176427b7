/* SPDX-License-Identifier: MIT */
/*
 * Pixels from the CPU: images whose pixels are data words. The image is latched when the last method that
 * describes it comes. The words are used a thousand at a time (words.h).
 *
 *   IFC, INDEX, SIFC, TEXTURE   each row of an image begins with a word of its own
 *   GDI                         rows of bits follow each other without a gap
 */
#ifndef PFIFO_SRC_ENGINE_TWOD_NV4_STREAM_H
#define PFIFO_SRC_ENGINE_TWOD_NV4_STREAM_H

#include "engine/twod/nv4_context.h"
#include "engine/core/words.h"

#define NV4_DATA_WORDS 1792u /* methods that take data, the first is 0x400 */

/* Words of the kinds: what was latched. */
enum {
    NV4_STREAM_POINT = NV4_EXTRA, /* x, y */
    NV4_STREAM_OUT,               /* size drawn, of pixels w, h */
    NV4_STREAM_IN,                /* size that comes */
    NV4_STREAM_UNIT,              /* GDI: which of its kinds of text; otherwise log2 of bits per pixel, less 2 */
    NV4_STREAM_EXTRA,
};

/* clang-format off */
#define NV4_STREAM_KIND(kind_name, text, words, rows)                                                                  \
    const struct kind kind_name = {.name = (text), .role = ROLE_NONE, .private = {.bytes = 4 * (words)},               \
                                   .parts = {&words_part}, .groups = {notify_nv4_actions, (rows)}}
/* clang-format on */

/* Words that an image's pixels of so many bits (1 << log2_bits) take. */
uint64_t nv4_stream_row_words(uint32_t width, unsigned log2_bits);

/* The data words that are there now: those kept, and that of this call. */
struct nv4_words {
    uint64_t first; /* number of the first in the stream */
    uint32_t count;
    const uint32_t *word;
};

/*
 * `total`: of the stream. A data method that works in slices takes the same words again for each, and uses them up
 * (nv4_words_used()) when it is done.
 */
struct nv4_words nv4_words_take(const struct call *call, uint64_t total);

/* True: the stream is at its end. */
bool nv4_words_used(const struct call *call);

/* Latch what a stream is of. */
struct nv4_latched {
    uint32_t point, in, out, unit;
};

void nv4_stream_latch(const struct call *call, struct nv4_latched what);

/* Begin a stream of so many words for an image; none: it is over at once. */
void nv4_stream_begin(const struct call *call, uint64_t words);

/* An image of which some words have come. */
struct nv4_image {
    struct nv4_draw draw;
    const struct nv4_format *format;
    const uint32_t *palette; /* NULL: pixels are colours; otherwise what each is, as nv4_convert() made it */
    int32_t x, y;
    uint32_t width, height, out_width, out_height;
    unsigned log2_bits;
};

/*
 * Begin an image whose pixels have the format of the object, or the destination's where that is an index; the argument
 * of the action are the slots. If it cannot be drawn that is refused, and its words are dropped.
 */
enum action_result nv4_image_begin(const struct call *call, uint32_t point, uint32_t in, uint32_t out);

/* The same of pixels of so many bits, for a drawing that was found to be possible. */
void nv4_image_latch(const struct call *call, uint32_t point, uint32_t in, uint32_t out, unsigned log2_bits);

/* From what was latched. False: it has been refused, and what still comes of it is dropped. */
bool nv4_image_open(const struct call *call, const struct nv4_slots *slots, struct nv4_image *image);

/* Draw the words that are there; after the last one engine.done. */
enum action_result nv4_image_data(const struct call *call, struct nv4_image *image);

#endif
