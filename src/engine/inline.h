/* SPDX-License-Identifier: MIT */
/* Inline data: words in the pushbuffer that a launch waits for before it is done. */
#ifndef PFIFO_SRC_ENGINE_INLINE_H
#define PFIFO_SRC_ENGINE_INLINE_H

#include "engine/report.h"

/* A launch that waits for `bytes` of data. True if that is 0 bytes: it is done. */
bool inline_begin(const struct call *call, uint64_t bytes);

/* A data word has come. True if it was the last one of a launch, whose data word is set in *launch. */
bool inline_word(const struct call *call, uint32_t *launch);

/* struct action.absorb: all words but the one that completes a launch. */
uint32_t inline_absorb(struct object *object, const uint32_t *data, uint32_t count);

#endif
