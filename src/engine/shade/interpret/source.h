/* SPDX-License-Identifier: MIT */
/* Sources of float operations as they lie, for loops over lanes, and what happens to each result. */
#ifndef PFIFO_SRC_ENGINE_SHADE_SOURCE_H
#define PFIFO_SRC_ENGINE_SHADE_SOURCE_H

#include "engine/shade/interpret/core.h"
#include "engine/shade/interpret/value.h"

/*
 * Loops are compiled apart, with or without flushing and for each kind of source: the `if`s of what follows are of
 * constants.
 */
#define INLINE static inline __attribute__((always_inline))

/* A row, or (is_word) a word that is the same in all lanes; and what becomes of it: (bits & keep) ^ flip. */
struct float_source {
    const uint32_t *row;
    uint32_t word, keep, flip;
};

INLINE struct float_source float_source_of(const struct ir_source *source) {
    return (struct float_source){.keep = source->absolute ? 0x7fffffff : SHADE_ALL,
                                 .flip = source->negate ? 0x80000000 : 0};
}

INLINE float load_float(const struct float_source *from, unsigned lane, bool is_word, bool flush) {
    uint32_t bits = ((is_word ? from->word : from->row[lane]) & from->keep) ^ from->flip;
    return shade_f32(flush ? shade_flushed(bits) : bits);
}

INLINE uint32_t result_bits(float value, bool flush) {
    uint32_t bits = shade_quiet(shade_u32(value));
    return flush ? shade_flushed(bits) : bits;
}

#endif
