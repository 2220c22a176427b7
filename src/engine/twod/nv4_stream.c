/* SPDX-License-Identifier: MIT */
#include "engine/twod/nv4_stream.h"

#include <assert.h>

#include "engine/core/work.h"

uint64_t nv4_stream_row_words(uint32_t width, unsigned log2_bits) {
    return (((uint64_t)width << log2_bits) + 31) / 32;
}

struct nv4_words nv4_words_take(const struct call *call, uint64_t total) {
    struct kept_words *kept = object_words(call->object);
    uint32_t count = kept->count;
    if (count < KEPT_WORDS)
        kept->word[count++] = call->data; /* counted only when it is used: the method may come again */
    assert(0 < count && count <= KEPT_WORDS);
    uint64_t before = kept->left + count - 1; /* words from the first of these on */
    return (struct nv4_words){before < total ? total - before : 0, count, kept->word};
}

bool nv4_words_used(const struct call *call) {
    struct kept_words *kept = object_words(call->object);
    words_used(call->object);
    if (kept->left > 0)
        kept->left--;
    return kept->left == 0;
}

void nv4_stream_latch(const struct call *call, struct nv4_latched what) {
    uint32_t *latched = object_private(call->object);
    latched[NV4_STREAM_POINT] = what.point;
    latched[NV4_STREAM_IN] = what.in;
    latched[NV4_STREAM_OUT] = what.out;
    latched[NV4_STREAM_UNIT] = what.unit;
}

void nv4_stream_begin(const struct call *call, uint64_t words) {
    words_begin(call->object, words);
}

/* ---- images ---- */

void nv4_image_latch(const struct call *call, uint32_t point, uint32_t in, uint32_t out, unsigned log2_bits) {
    assert(2 <= log2_bits && log2_bits <= 5);
    nv4_stream_latch(call, (struct nv4_latched){.point = point, .in = in, .out = out, .unit = log2_bits - 2});
    nv4_stream_begin(call, nv4_stream_row_words(in & 0xffff, log2_bits) * (in >> 16));
}

static unsigned log2_bits_of(unsigned bytes) {
    return bytes == 1 ? 3 : bytes == 2 ? 4 : 5;
}

enum action_result nv4_image_begin(const struct call *call, uint32_t point, uint32_t in, uint32_t out) {
    const struct nv4_slots *slots = call->action->argument;
    const struct nv4_format *format = nv4_source_format(call, slots);
    struct nv4_draw draw;
    words_begin(call->object, 0);
    if (!format || !nv4_draw_open(call, slots, &draw))
        return ACTION_DONE;
    unsigned bytes = draw.format->meaning == NV4_INDEX ? draw.format->bytes : format->bytes;
    nv4_image_latch(call, point, in, out, log2_bits_of(bytes));
    return ACTION_DONE;
}

/* ---- images without a scale ---- */

bool nv4_image_open(const struct call *call, const struct nv4_slots *slots, struct nv4_image *image) {
    const uint32_t *latched = object_private(call->object);
    image->palette = NULL;
    image->format = nv4_source_format(call, slots);
    if (!image->format || !nv4_draw_open(call, slots, &image->draw)) {
        words_begin(call->object, 0);
        return false;
    }
    image->x = nv4_low(latched[NV4_STREAM_POINT]);
    image->y = nv4_high(latched[NV4_STREAM_POINT]);
    image->width = latched[NV4_STREAM_IN] & 0xffff;
    image->height = latched[NV4_STREAM_IN] >> 16;
    image->out_width = latched[NV4_STREAM_OUT] & 0xffff;
    image->out_height = latched[NV4_STREAM_OUT] >> 16;
    image->log2_bits = 2 + (latched[NV4_STREAM_UNIT] & 3); /* 4 bits to 32; what was loaded may be anything */
    return true;
}

#define CHUNK 512u /* pixels at a time: whole words */
_Static_assert(CHUNK % (32 / 4) == 0, "a word has 8 pixels at most");

static uint32_t color_of(const struct nv4_image *image, uint32_t pixel) {
    assert(!image->palette || image->log2_bits <= 3); /* a palette has 256 entries */
    if (image->palette)
        return image->palette[pixel & ((1u << (1u << image->log2_bits)) - 1)];
    return nv4_convert(image->draw.format, image->format, pixel);
}

/* Words that are all of one row, from a column on. */
static bool draw_words(struct nv4_image *image, uint64_t row, uint64_t column, const uint32_t *word, uint32_t count) {
    uint32_t color[CHUNK];
    unsigned bits = 1u << image->log2_bits, pixels = 32 / bits;
    uint64_t first = column * pixels, end = first + (uint64_t)count * pixels;
    uint64_t width = image->out_width < image->width ? image->out_width : image->width;
    if (row >= image->out_height)
        return true;
    end = end < width ? end : width;
    while (first < end) {
        uint32_t now = end - first < CHUNK ? (uint32_t)(end - first) : CHUNK;
        for (uint32_t i = 0; i < now; i++)
            color[i] = color_of(image, word[i / pixels] >> bits * (i % pixels));
        if (!nv4_draw_row(&image->draw, image->x + (int32_t)first, image->y + (int32_t)row, color, 1, now))
            return false;
        word += now / pixels;
        first += now;
    }
    return true;
}

static bool draw_all(struct nv4_image *image, const struct nv4_words *words, uint64_t row_words) {
    for (uint32_t at = 0, now; at < words->count; at += now) {
        uint64_t number = words->first + at, column = number % row_words;
        uint64_t left = row_words - column;
        assert(left > 0);
        now = left < words->count - at ? (uint32_t)left : words->count - at;
        if (!draw_words(image, number / row_words, column, words->word + at, now))
            return false;
    }
    return true;
}

static struct nv4_box nv4_stream_box(const struct nv4_image *image) {
    uint32_t width = image->out_width < image->width ? image->out_width : image->width;
    uint32_t height = image->out_height < image->height ? image->out_height : image->height;
    return nv4_clipped(&image->draw, nv4_box_at(image->x, image->y, width, height));
}

static uint64_t nv4_stream_drawn_bytes(const struct nv4_image *image) {
    struct nv4_box box = nv4_stream_box(image);
    if (nv4_box_empty(&box))
        return 0;
    return (uint64_t)(box.right - box.left) * (uint64_t)(box.bottom - box.top) * image->draw.format->bytes;
}

enum action_result nv4_image_data(const struct call *call, struct nv4_image *image) {
    uint64_t row_words = nv4_stream_row_words(image->width, image->log2_bits);
    struct nv4_words words = nv4_words_take(call, row_words * image->height);
    if (row_words && !draw_all(image, &words, row_words)) {
        words_begin(call->object, 0); /* what still comes is of an image that faulted */
        return nv4_draw_fault(call, &image->draw);
    }
    work_costs_beyond(call, image->draw.cost + WORK_START_BYTES, words.count);
    if (nv4_words_used(call)) {
        nv4_draw_tell(call, "image", &image->draw, nv4_stream_box(image));
        call_done(call, "image", nv4_draw_address(&image->draw, image->x, image->y), nv4_stream_drawn_bytes(image));
    }
    return ACTION_DONE;
}
