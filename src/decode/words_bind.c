/* SPDX-License-Identifier: MIT */
/* Classes that the subchannels of a text's channels have before its first word: as if it began with their binding. */
#include "decode/words_capture.h"

#include "chip/family.h"
#include "grammar/grammar.h"
#include "memory/little_endian.h"

#define HANDLE 0xb1d0ff00u /* of the first subchannel; a class in the low half would be taken for one */

static bool is_given(const struct pfifo_words_capture_options *options, uint32_t handle) {
    for (size_t i = 0; i < options->object_count; i++)
        if (options->objects[i].handle == handle)
            return true;
    return false;
}

/* From GF100 on, classes are bound, and what an object is called does not matter. */
struct pfifo_decode_object words_bound_object(const struct pfifo_words_capture_options *options, unsigned subchannel) {
    struct pfifo_decode_object object = {HANDLE + subchannel, options->bound[subchannel]};

    while (is_given(options, object.handle))
        object.handle += 0x10000;
    if (options->chip->binds_classes)
        object.handle = object.oclass;
    return object;
}

size_t words_bind(const struct pfifo_words_capture_options *options, uint8_t bytes[4 * WORDS_BIND_MOST]) {
    size_t count = 0;

    for (unsigned i = 0; i < PFIFO_DECODE_SUBCHANNELS; i++) {
        const struct grammar_word header = {.form = FORM_INCREASING, .subchannel = (uint8_t)i, .count = 1};
        uint32_t word;
        if (!options->bound[i] || !grammar_encode_any(options->chip->family->grammar, &header, &word))
            continue;
        store_le32(bytes + 4 * count++, word);
        store_le32(bytes + 4 * count++, words_bound_object(options, i).handle);
    }
    if (count && !options->chip->has_ib)
        store_le32(bytes + 4 * count++, WORDS_RETURN);
    return count;
}
