/* SPDX-License-Identifier: MIT */
/* Where words of a text go, and which memory has to be there for them. */
#include "decode/words_capture.h"

#include <stdlib.h>
#include <string.h>

#include "chip/config.h"

#include "memory/little_endian.h"

#define PAGE_MASK    UINT64_C(0xfff)
#define IB_END       (UINT64_C(1) << 40) /* of what entries and jumps can point to */
#define DMA_END      (UINT64_C(1) << 32)
#define END_OF_SPACE (UINT64_C(1) << 49)

const uint8_t *words_of_segment(const struct pfifo_words *words, const struct pfifo_words_segment *segment) {
    return segment->count ? words->data.data + 4 * segment->first : NULL;
}

bool words_needs_return(const struct pfifo_words *words, size_t index, const struct words_ring *ring,
                        const struct pfifo_words_capture_options *options) {
    const uint8_t *data = words_of_segment(words, &words->segment[index]);
    size_t count = words->segment[index].count;

    if (!options->runs || options->chip->has_ib || count == 0 || words_ring_use(ring, index) != WORDS_RING_CALLED)
        return false;
    if (load_le32(data + 4 * (count - 1)) == WORDS_RETURN)
        return false;
    /* A word of 0 may follow it. */
    return count < 2 || load_le32(data + 4 * (count - 1)) != 0 || load_le32(data + 4 * (count - 2)) != WORDS_RETURN;
}

/*
 * Addresses of a process, as a debugger shows them, are beyond what a pushbuffer can have. In a capture a buffer of
 * address 0 is one without an address, so that nothing is in the first page.
 */
static bool words_place_is_reached(uint64_t address, const struct pfifo_chip *chip) {
    return address > PAGE_MASK && address < (chip_has_page_tables(chip) ? IB_END : DMA_END);
}

/* The lowest address that the text has; UINT64_MAX: it has none. */
static uint64_t lowest(const struct pfifo_words *words) {
    uint64_t least = UINT64_MAX;

    for (size_t i = 0; i < words->segments; i++)
        if (words->segment[i].has_address && words->segment[i].address < least)
            least = words->segment[i].address;
    return least;
}

/* With one word more, where there may have to be a return, or a jump to PUT. */
static uint64_t bytes_needed(const struct pfifo_words *words, size_t index, const struct words_ring *ring,
                             const struct pfifo_words_capture_options *options) {
    return 4 *
           (words->segment[index].count + (uint64_t)(ring->part || words_needs_return(words, index, ring, options)));
}

static enum pfifo_status place_segments(const struct pfifo_words *words,
                                        const struct pfifo_words_capture_options *options, uint64_t *address,
                                        struct pfifo_error *error) {
    uint64_t least = lowest(words), shift = 0, next;
    uint64_t base = options->has_base ? options->base : PFIFO_WORDS_BASE;

    if (least != UINT64_MAX && (options->has_base || (options->runs && !words_place_is_reached(least, options->chip))))
        shift = base - least; /* modulo 2^64 */
    if (options->runs && options->has_base && base <= PAGE_MASK)
        return pfifo_error_set(
            error, PFIFO_ERROR_ARGUMENT,
            "%.60s: words cannot be run at 0x%llx: captures have no memory in the first page; a base "
            "of 0x1000 or more can be, and 0x%x is what there is without one",
            words->name, (unsigned long long)base, PFIFO_WORDS_BASE);
    next = base;
    for (size_t i = 0; i < words->segments; i++) {
        uint64_t bytes = bytes_needed(words, i, &(const struct words_ring){0}, options);
        address[i] = words->segment[i].has_address ? words->segment[i].address + shift : next;
        if (address[i] >= END_OF_SPACE || bytes > END_OF_SPACE - address[i] || address[i] % 4)
            return listing_error(words, words->segment[i].line, error, "no chip has words at 0x%llx",
                                 (unsigned long long)address[i]);
        next = address[i] + bytes;
    }
    return PFIFO_OK;
}

static int words_place_compare_ranges(const void *a, const void *b) {
    const struct words_range *left = a, *right = b;

    if (left->vram != right->vram)
        return left->vram ? 1 : -1;
    return left->address < right->address ? -1 : left->address > right->address;
}

static struct words_range words_place_whole_pages(uint64_t address, uint64_t bytes, bool vram) {
    uint64_t end = (address + bytes + PAGE_MASK) & ~PAGE_MASK;

    return (struct words_range){address & ~PAGE_MASK, end - (address & ~PAGE_MASK), vram};
}

/* Sort, and make one of those that touch. */
static size_t words_place_merge(struct words_range *range, size_t count) {
    size_t used = 0;

    qsort(range, count, sizeof *range, words_place_compare_ranges);
    for (size_t i = 0; i < count; i++) {
        struct words_range *last = used ? &range[used - 1] : NULL;
        uint64_t end = range[i].address + range[i].bytes;
        if (!last || last->vram != range[i].vram || range[i].address > last->address + last->bytes)
            range[used++] = range[i];
        else if (end > last->address + last->bytes)
            last->bytes = end - last->address;
    }
    return used;
}

static bool words_place_is_possible(const struct listing_buffer *buffer) {
    return buffer->address && buffer->bytes && buffer->address < END_OF_SPACE &&
           buffer->bytes <= END_OF_SPACE - buffer->address;
}

static bool words_place_overlap(struct words_range a, struct words_range b) {
    return a.address < b.address + b.bytes && b.address < a.address + a.bytes;
}

/* Before anything looks into them. */
static enum pfifo_status check_buffers(const struct pfifo_words *words,
                                       const struct pfifo_words_capture_options *options, struct pfifo_error *error) {
    const uint64_t end = chip_has_page_tables(options->chip) ? IB_END : DMA_END;

    for (size_t i = 0; i < options->buffer_count; i++) {
        const struct pfifo_words_buffer *buffer = &options->buffers[i];
        const struct words_range range = {.address = buffer->address, .bytes = buffer->bytes};
        if (!range.address || !range.bytes || (range.address | range.bytes) & PAGE_MASK || range.address >= end ||
            range.bytes > end - range.address || buffer->data_bytes > range.bytes)
            return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT,
                                   "%.80s: no buffer of 0x%llx bytes at 0x%llx: pages are 4096 bytes, up to 0x%llx",
                                   words->name, (unsigned long long)range.bytes, (unsigned long long)range.address,
                                   (unsigned long long)end);
    }
    return PFIFO_OK;
}

/* After the ranges of segments, which are not merged yet. */
static enum pfifo_status place_buffers(const struct pfifo_words *words,
                                       const struct pfifo_words_capture_options *options, struct words_place *place,
                                       struct pfifo_error *error) {
    for (size_t i = 0; i < options->buffer_count; i++) {
        const struct words_range range = {.address = options->buffers[i].address, .bytes = options->buffers[i].bytes};
        for (size_t j = 0; j < place->ranges; j++)
            if (words_place_overlap(range, place->range[j]))
                return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "%.80s: at 0x%llx there is something else",
                                       words->name, (unsigned long long)range.address);
        place->range[place->ranges++] = range;
    }
    return PFIFO_OK;
}

enum pfifo_status words_place(const struct pfifo_words *words, const struct pfifo_words_capture_options *options,
                              struct words_place *place, struct pfifo_error *error) {
    bool one_space = chip_has_page_tables(options->chip);
    enum pfifo_status status;

    place->ranges = 0;
    place->address = calloc(words->segments + 1, sizeof *place->address);
    place->range = calloc(words->segments + words->buffers + options->buffer_count + 1, sizeof *place->range);
    if (!place->address || !place->range)
        return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for a capture");
    status = check_buffers(words, options, error);
    if (status == PFIFO_OK)
        status = place_segments(words, options, place->address, error);
    if (status == PFIFO_OK)
        status = words_ring_find(words, options, place->address, &place->ring, error);
    if (status != PFIFO_OK)
        return status;
    for (size_t i = 0; i < words->segments; i++)
        if (words->segment[i].count)
            place->range[place->ranges++] =
                words_place_whole_pages(place->address[i], bytes_needed(words, i, &place->ring, options), false);
    status = place_buffers(words, options, place, error);
    if (status != PFIFO_OK)
        return status;
    for (size_t i = 0; i < words->buffers; i++) {
        const struct listing_buffer *buffer = &words->buffer[i];
        if (words_place_is_possible(buffer))
            place->range[place->ranges++] =
                words_place_whole_pages(buffer->address, buffer->bytes, buffer->vram && !one_space);
    }
    place->ranges = words_place_merge(place->range, place->ranges);
    return PFIFO_OK;
}

const struct words_range *words_place_find(const struct words_place *place, uint64_t address) {
    size_t low = 0, high = place->ranges;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct words_range *range = &place->range[middle];
        if (range->vram || range->address > address)
            high = middle;
        else if (address - range->address >= range->bytes)
            low = middle + 1;
        else
            return range;
    }
    return NULL;
}

void words_place_free(struct words_place *place) {
    words_ring_free(&place->ring);
    free(place->address);
    free(place->range);
}

/* ---- what is asked of a text ---- */

enum pfifo_status words_options_read(const struct pfifo_words *words, struct pfifo_words_capture_options *options,
                                     const struct pfifo_words_capture_options *given, struct pfifo_error *error) {
    if (given &&
        config_read(options, sizeof *options, given, sizeof *options, "pfifo_words_capture_options", error) != PFIFO_OK)
        return PFIFO_ERROR_ARGUMENT;
    if (words && !options->chip && words->format->chip)
        options->chip = pfifo_chip_by_name(words->format->chip);
    if (!words || !given || !options->chip)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "a capture needs words and a chip");
    if (!options->chip->has_dma)
        return pfifo_error_set(error, PFIFO_ERROR_UNSUPPORTED, "%.80s: %s has no pushbuffers", words->name,
                               options->chip->name);
    if (words->are_entries)
        return pfifo_error_set(error, PFIFO_ERROR_UNSUPPORTED,
                               "%.80s: groups of 16 digits are entries of a ring: decode says where their words are, "
                               "which are not here",
                               words->name);
    if (options->base % 4)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "words are at multiples of 4");
    return PFIFO_OK;
}

enum pfifo_status pfifo_words_ring(const struct pfifo_words *words, const struct pfifo_words_capture_options *given,
                                   struct pfifo_words_ring *ring, struct pfifo_error *error) {
    struct pfifo_words_capture_options known = {0}, *options = &known;
    struct words_place place = {0};
    struct pfifo_error local = {0};
    enum pfifo_status status;

    error = error ? error : &local;
    *ring = (struct pfifo_words_ring){0};
    if (words_options_read(words, options, given, error) != PFIFO_OK)
        return error->status;
    status = words_place(words, options, &place, error);
    if (status == PFIFO_OK)
        *ring = place.ring.told;
    words_place_free(&place);
    return status;
}

/* The line of a word in some segments. */
static uint32_t line_among(const struct pfifo_words *words, const struct words_place *place, size_t first, size_t end,
                           uint64_t address) {
    for (size_t i = first; i < end; i++) {
        const uint64_t offset = address - place->address[i];
        if (offset < 4 * (uint64_t)words->segment[i].count)
            return pfifo_words_line(words, words->segment[i].first + (size_t)(offset / 4));
    }
    return 0;
}

uint32_t pfifo_words_capture_line(const struct pfifo_words *words, const struct pfifo_words_capture_options *given,
                                  uint32_t sequence, uint64_t address) {
    struct pfifo_words_capture_options known = {0}, *options = &known;
    struct words_place place = {0};
    uint32_t line = 0, number = 0;

    if (words_options_read(words, options, given, NULL) != PFIFO_OK)
        return 0;
    if (words_place(words, options, &place, NULL) == PFIFO_OK)
        for (size_t first = 0, next = 0; first < words->segments && !line; first = next)
            if (!words_submission(words, &place.ring, first, &next) || ++number == sequence)
                line = line_among(words, &place, first, next, address);
    words_place_free(&place);
    return line;
}
