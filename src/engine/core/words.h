/* SPDX-License-Identifier: MIT */
/*
 * Streams of data words: pixels from the CPU, inline data. Words are kept until there are KEPT_WORDS of them, or until
 * the last one has come; then the unit uses them. So only these words have an effect outside the engine, and the result
 * does not depend on how the stream is divided into runs. Words after the last one are dropped.
 *
 *   launch       words_begin(object, how many will come)
 *   data method  {.type = ACTION_EFFECT, .absorb = words_absorb, .run = data}
 *   data()       words_take(call); use object_words(object)->word[0 .. count - 1]; words_used(object)
 */
#ifndef PFIFO_SRC_ENGINE_CORE_WORDS_H
#define PFIFO_SRC_ENGINE_CORE_WORDS_H

#include "engine/core/action.h"

#define KEPT_WORDS 1024u /* of a stream, at most, before they are used */

/* Private state of the kinds that take streams. The words come first, since they are copied faster where they are
 * aligned. */
struct kept_words {
    uint32_t word[KEPT_WORDS]; /* that have come and wait: */
    uint32_t count;
    uint64_t left; /* words still to come */
};

extern const struct private_state words_part; /* of kind.parts */

static inline struct kept_words *object_words(const struct object *object) {
    return object_part(object, &words_part);
}

/* Begin a stream. What is left of the one before is forgotten. */
void words_begin(struct object *object, uint64_t words);

/* struct action.absorb. */
uint32_t words_absorb(struct object *object, const uint32_t *data, uint32_t count);

/* Keep the word of this call, which is one that words_absorb() did not take: what is kept must now be used. */
void words_take(const struct call *call);

/* What was kept has been used. */
static inline void words_used(struct object *object) {
    object_words(object)->count = 0;
}

#endif
