/* SPDX-License-Identifier: MIT */
#include "engine/core/words.h"

#include <assert.h>

void words_begin(struct object *object, uint64_t words) {
    object->words.left = words;
    object->words.count = 0;
}

uint32_t words_absorb(struct object *object, const uint32_t *data, uint32_t count) {
    if (object->words.left == 0)
        return count;
    uint64_t room = ENGINE_KEPT_WORDS - object->words.count;
    uint64_t most = (room < object->words.left ? room : object->words.left) - (room != 0);
    uint32_t taken = count < most ? count : (uint32_t)most;
    memcpy(&object->words.word[object->words.count], data, taken * sizeof *data);
    object->words.count += taken;
    object->words.left -= taken;
    return taken;
}

void words_take(const struct call *call) {
    struct object *object = call->object;
    assert(object->words.left > 0); /* or words_absorb() has taken the word */
    if (object->words.count < ENGINE_KEPT_WORDS)
        object->words.word[object->words.count++] = call->data;
    object->words.left--;
}
