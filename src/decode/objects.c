/* SPDX-License-Identifier: MIT */
#include "decode/decoder.h"

#include <assert.h>
#include <stdlib.h>

static size_t objects_hash(uint32_t serial, uint32_t handle) {
    uint64_t key = ((uint64_t)serial << 32 | handle) * UINT64_C(0x9e3779b97f4a7c15);
    return (size_t)(key >> 32);
}

/* The slot of a key, or the free slot for it. */
static struct decode_object *objects_find_slot(const struct decode_objects *objects, uint32_t serial, uint32_t handle) {
    size_t at = objects_hash(serial, handle) & (objects->size - 1);

    while (objects->slots[at].serial && (objects->slots[at].serial != serial || objects->slots[at].handle != handle))
        at = (at + 1) & (objects->size - 1);
    return &objects->slots[at];
}

static bool objects_grow(struct decode_objects *objects) {
    struct decode_objects larger = {.size = objects->size ? objects->size * 2 : 64, .used = objects->used};

    larger.slots = calloc(larger.size, sizeof *larger.slots);
    if (!larger.slots)
        return false;
    for (size_t i = 0; i < objects->size; i++)
        if (objects->slots[i].serial)
            *objects_find_slot(&larger, objects->slots[i].serial, objects->slots[i].handle) = objects->slots[i];
    free(objects->slots);
    *objects = larger;
    return true;
}

bool decode_objects_put(struct decode_objects *objects, const struct decode_object *object) {
    struct decode_object *slot;

    assert(object->serial);
    if (objects->used * 2 >= objects->size && !objects_grow(objects))
        return false;
    slot = objects_find_slot(objects, object->serial, object->handle);
    objects->used += !slot->serial;
    *slot = *object;
    return true;
}

const struct decode_object *decode_objects_get(const struct decode_objects *objects, uint32_t serial, uint32_t handle) {
    const struct decode_object *slot = objects->size ? objects_find_slot(objects, serial, handle) : NULL;

    return slot && slot->serial ? slot : NULL;
}
