/* SPDX-License-Identifier: MIT */
#include "engine/draw/values.h"

#include <assert.h>
#include <string.h>

static void set_groups(struct draw_values *values) {
    memset(values->groups, 0, sizeof values->groups);
    for (const struct draw_methods *row = values->decoder->methods; row->groups; row++) {
        unsigned count = row->count ? row->count : 1, stride = row->stride ? row->stride : 4;
        assert(row->first + (count - 1) * stride < ENGINE_MAX_WORDS * 4);
        for (unsigned i = 0; i < count; i++)
            values->groups[(row->first + i * stride) >> 2] |= row->groups;
    }
}

static unsigned take_block(struct draw_values *values, const uint32_t *from, unsigned first) {
    uint32_t *to = &values->value[first];
    unsigned changed = 0;
    if (memcmp(to, from + first, OBJECT_BLOCK * sizeof *to) == 0)
        return 0;
    for (unsigned i = 0; i < OBJECT_BLOCK; i++)
        if (to[i] != from[first + i])
            changed |= values->groups[first + i];
    memcpy(to, from + first, OBJECT_BLOCK * sizeof *to);
    return changed | VALUES_CHANGED;
}

unsigned draw_values_take(struct draw_values *values, const struct draw_decoder *decoder, struct object *object) {
    uint64_t stored = object->stored;
    unsigned changed = 0;
    object->stored = 0;
    if (values->decoder != decoder) {
        values->decoder = decoder;
        set_groups(values);
        memcpy(values->value, object->value, sizeof values->value);
        return STATE_ALL | VALUES_CHANGED;
    }
    for (; stored; stored &= stored - 1)
        changed |= take_block(values, object->value, (unsigned)__builtin_ctzll(stored) * OBJECT_BLOCK);
    assert(memcmp(values->value, object->value, sizeof values->value) == 0); /* nothing stores beside object_set() */
    return changed;
}
