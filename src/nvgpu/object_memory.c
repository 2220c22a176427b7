/* SPDX-License-Identifier: MIT */
/*
 * Where the memory of objects is on the host. A client's callback is asked when the program gives memory to an object,
 * once for each contiguous range; what it has answered is used until the last handle is freed, as pfifo/nvgpu.h says
 * that it stays so long. An object that only mappings keep is looked up at each access: its program may have taken its
 * memory away. Accesses only read here, as they may come from other threads.
 */
#include "nvgpu/nvgpu.h"

#include <assert.h>
#include <stdlib.h>

/* From `offset` up to the next piece, or the end. */
struct nvgpu_piece {
    uint64_t offset;
    uint8_t *data;
};

/* Neighbours on the host are one piece. False: no memory. */
static bool object_memory_add_piece(struct nvgpu_object *object, uint64_t offset, uint8_t *data) {
    assert(offset < object->bytes);
    const struct nvgpu_piece *last = object->piece_count ? &object->pieces[object->piece_count - 1] : NULL;
    if (last && last->data + (offset - last->offset) == data)
        return true;
    if (object->piece_count == object->piece_room) {
        uint32_t room = object->piece_room ? 2 * object->piece_room : 1;
        struct nvgpu_piece *grown = realloc(object->pieces, room * sizeof *grown);
        if (!grown)
            return false;
        object->pieces = grown;
        object->piece_room = room;
    }
    object->pieces[object->piece_count++] = (struct nvgpu_piece){offset, data};
    return true;
}

void nvgpu_object_forget_memory(struct nvgpu_object *object) {
    free(object->pieces);
    object->pieces = NULL;
    object->piece_count = object->piece_room = 0;
}

/* Without host memory for the pieces, all of it is there nevertheless. */
bool nvgpu_object_find_memory(struct nvgpu_object *object) {
    assert(object->client && !object->own);
    bool keep = object->client->memory.at != NULL;
    nvgpu_object_forget_memory(object);
    for (uint64_t offset = 0, piece; offset < object->bytes; offset += piece) {
        piece = object->bytes - offset;
        void *data = nvgpu_client_memory(object->client, object->address + offset, &piece);
        if (!data || !piece || piece > object->bytes - offset) {
            nvgpu_object_forget_memory(object);
            return false;
        }
        keep = keep && object_memory_add_piece(object, offset, data);
    }
    if (!keep)
        nvgpu_object_forget_memory(object);
    return true;
}

static void *piece_memory(const struct nvgpu_object *object, uint64_t offset, uint64_t *bytes) {
    uint32_t first = 0, end = object->piece_count;
    while (end - first > 1) {
        uint32_t middle = first + (end - first) / 2;
        if (object->pieces[middle].offset <= offset)
            first = middle;
        else
            end = middle;
    }
    assert(object->pieces[first].offset <= offset && offset < object->bytes);
    uint64_t next = end < object->piece_count ? object->pieces[end].offset : object->bytes;
    if (*bytes > next - offset)
        *bytes = next - offset;
    return object->pieces[first].data + (offset - object->pieces[first].offset);
}

void *nvgpu_object_memory(const struct nvgpu_object *object, uint64_t offset, uint64_t *bytes) {
    assert(offset < object->bytes);
    if (object->own)
        return object->own + offset;
    if (object->piece_count)
        return piece_memory(object, offset, bytes);
    return object->client ? nvgpu_client_memory(object->client, object->address + offset, bytes) : NULL;
}

void nvgpu_find_memory_again(struct pfifo_nvgpu *nvgpu) {
    for (uint32_t i = 0; i < nvgpu->object_count; i++) {
        struct nvgpu_object *object = nvgpu->objects[i];
        if (object && object->piece_count)
            nvgpu_object_find_memory(object);
    }
}
