/* SPDX-License-Identifier: MIT */
/* What is in the memory of a ring at first: words that are submitted, words that these lead to, and buffers. */
#include "decode/words_capture.h"

#include <stdlib.h>
#include <string.h>

#include "chip/family.h"
#include "grammar/grammar.h"
#include "memory/little_endian.h"

#define MOST_BYTES (UINT64_C(256) << 20)

/* The bytes at an address, which is in a range. */
static uint8_t *memory_at(struct words_memory *memory, const struct words_place *place, uint64_t address) {
    const struct words_range *range = words_place_find(place, address);

    return range ? memory->image[range - place->range] + (address - range->address) : NULL;
}

/* Of ranges with words or buffers: a text that tells no channels apart has no others. */
static enum pfifo_status make_images(const struct words_place *place, struct words_memory *memory,
                                     struct pfifo_error *error) {
    uint64_t bytes = 0;

    for (size_t i = 0; i < place->ranges; i++)
        bytes += place->range[i].bytes;
    if (bytes > MOST_BYTES)
        return pfifo_error_set(error, PFIFO_ERROR_UNSUPPORTED, "a ring with its subroutines has 256 MiB at most");
    memory->image = calloc(place->ranges + 1, sizeof *memory->image);
    memory->images = memory->image ? place->ranges : 0;
    for (size_t i = 0; i < memory->images; i++) {
        memory->image[i] = calloc(1, (size_t)place->range[i].bytes);
        if (!memory->image[i])
            memory->images = i;
    }
    return memory->images == place->ranges && memory->image
               ? PFIFO_OK
               : pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for a ring");
}

/* A jump to PUT, where commands end in other memory. */
static void jump_back(const struct pfifo_chip *chip, const struct words_place *place, struct words_memory *memory,
                      const struct words_ring_part *part) {
    const struct grammar_word jump = {.form = chip->has_call ? FORM_JUMP : FORM_OLD_JUMP,
                                      .target = (uint32_t)part->put};
    uint8_t *at = part->back ? memory_at(memory, place, part->back) : NULL;
    uint32_t word;

    if (at && grammar_encode(chip->family->grammar, GRAMMAR_DMA, &jump, &word))
        store_le32(at, word);
}

enum pfifo_status words_memory_make(const struct pfifo_words *words, const struct pfifo_words_capture_options *options,
                                    const struct words_place *place, struct words_memory *memory,
                                    struct pfifo_error *error) {
    *memory = (struct words_memory){0};
    if (!place->ring.part)
        return PFIFO_OK;
    if (make_images(place, memory, error) != PFIFO_OK)
        return error->status;
    /* Of segments that are called after all. */
    for (size_t i = 0; i < words->segments; i++)
        if (words_needs_return(words, i, &place->ring, options))
            store_le32(memory_at(memory, place, place->address[i] + 4 * (uint64_t)words->segment[i].count),
                       WORDS_RETURN);
    for (size_t i = 0; i < words->segments; i++)
        if (words->segment[i].count)
            memcpy(memory_at(memory, place, place->address[i]), words_of_segment(words, &words->segment[i]),
                   4 * words->segment[i].count);
    for (size_t i = 0; i < options->buffer_count; i++)
        if (options->buffers[i].data_bytes)
            memcpy(memory_at(memory, place, options->buffers[i].address), options->buffers[i].data,
                   options->buffers[i].data_bytes);
    for (size_t i = 0; i < words->segments; i++)
        jump_back(options->chip, place, memory, &place->ring.part[i]);
    return PFIFO_OK;
}

void words_memory_free(struct words_memory *memory) {
    for (size_t i = 0; i < memory->images; i++)
        free(memory->image[i]);
    free(memory->image);
    *memory = (struct words_memory){0};
}
