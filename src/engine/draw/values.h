/* SPDX-License-Identifier: MIT */
/* The values of methods that a state was decoded from: they say which groups of it have changed. */
#ifndef PFIFO_SRC_ENGINE_DRAW_VALUES_H
#define PFIFO_SRC_ENGINE_DRAW_VALUES_H

#include "engine/core/register_file.h"
#include "engine/draw/decode.h"

/* The bit after those of the groups: some value is another. Perhaps no group follows from it. */
#define VALUES_CHANGED (1u << STATE_GROUPS)

struct draw_values {
    const struct draw_decoder *decoder; /* NULL: there are no values yet */
    uint16_t groups[ENGINE_MAX_WORDS];  /* that follow from each method: bits of enum state_group */
    uint32_t value[ENGINE_MAX_WORDS];
};

/* Take over the values of an object. Returns bits of the groups that have changed, and VALUES_CHANGED. */
unsigned draw_values_take(struct draw_values *values, const struct draw_decoder *decoder, struct object *object);

#endif
