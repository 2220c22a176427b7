/* SPDX-License-Identifier: MIT */
#include "engine/core/shadow.h"
#include "methods/gf100_3d.h"

#include <stdlib.h>

enum mode { TRACK, TRACK_WITH_FILTER, PASSTHROUGH, REPLAY };

static enum mode shadow_mode_of(const struct object *object) {
    return (enum mode)(object->value[SHADOW_CONTROL >> 2] & 3);
}

static bool is_scratch(uint32_t word) {
    return word >= GF100_3D_SET_MME_SHADOW_SCRATCH(0) >> 2 && word < GF100_3D_CALL_MME_MACRO(0) >> 2;
}

static bool is_macro_method(uint32_t word) {
    return (word >= GF100_3D_LOAD_MME_INSTRUCTION_RAM_POINTER >> 2 && word <= SHADOW_CONTROL >> 2) ||
           word >= GF100_3D_CALL_MME_MACRO(0) >> 2;
}

void shadow_set(struct object *object, uint32_t word, uint32_t data) {
    object_set(object, word, data);
    if (object->shadow)
        object->shadow[word] = data;
}

uint32_t shadow_pass(struct object *object, uint32_t word, uint32_t data) {
    enum mode mode = shadow_mode_of(object);
    if (is_macro_method(word))
        return data;
    if (mode == REPLAY && !is_scratch(word))
        return shadow_read(object, word);
    if (object->shadow && (mode != PASSTHROUGH || is_scratch(word)))
        object->shadow[word] = data;
    return data;
}

bool shadow_split(const struct engine *engine, struct object *object) {
    if (object->shadow)
        return true;
    object->shadow = malloc(engine->words * sizeof object->value[0]);
    if (!object->shadow)
        return false;
    memcpy(object->shadow, object->value, engine->words * sizeof object->value[0]);
    return true;
}

/* A kind without this method has no shadow: there the word is only a value. */
void shadow_update(struct object *object) {
    const struct action_index *index = object->index;
    unsigned word = SHADOW_CONTROL >> 2;
    bool has = (index->acts[word >> 6] >> (word & 63) & 1) && index->row[index->number[word]]->run == shadow_control;
    object->shadowed = has && (object->shadow || shadow_mode_of(object) == REPLAY);
}

enum action_result shadow_control(struct call *call) {
    if (shadow_mode_of(call->object) == PASSTHROUGH && !shadow_split(call->engine, call->object))
        call_not_executed(call);
    shadow_update(call->object);
    return ACTION_DONE;
}
