/* SPDX-License-Identifier: MIT */
/*
 * Inline vertices, Fermi and Kepler: words of VERTEX_DATA are the attributes of a vertex that are not
 * constant, in ascending order, the bytes of each rounded up to words. With the last word of its last attribute a
 * vertex is there.
 *
 * It waits in the queue, or is held by the assembly, as all vertices are. Its values are kept until then: in a place
 * that no vertex which is held has. The places of those in the queue are the last ones before it.
 *
 * UNKNOWN: VertexID; chosen: vertices are counted since BEGIN, from VERTEX_ID_BASE on.
 * UNKNOWN: words while all attributes are constant; chosen: they are dropped.
 * Sources: NVIDIA open-gpu-doc classes/3d/cl9097.h; Mesa src/gallium/drivers/nouveau/nv50/nv50_push.c.
 */
#include "engine/draw/inline_vertices.h"

#include <stdlib.h>
#include <string.h>

#include "engine/draw/object.h"
#include "methods/gf100_3d.h"

#define MOST_WORDS (VERTEX_ATTRIBUTES * VERTEX_MOST_BYTES / 4)
#define PLACES     576u /* more than wait in a queue and are held */

_Static_assert(PLACES > FEED_QUEUE + ASSEMBLY_HELD, "a place is free for the next vertex");

struct inline_vertices {
    uint32_t words, needed; /* of the vertex that is coming */
    uint32_t next;          /* the place of it */
    uint32_t count;         /* of vertices since BEGIN */
    uint32_t word[MOST_WORDS];
    uint32_t value[PLACES][VERTEX_ATTRIBUTES][4];
};

/* ---- state ---- */

static bool make(struct draw_object *object) {
    if (!object->data)
        object->data = calloc(1, sizeof *object->data);
    return object->data != NULL;
}

void inline_vertices_free(struct draw_object *object) {
    free(object->data);
    object->data = NULL;
}

void inline_vertices_state(struct draw_object *object, struct state_io *io) {
    bool present = object->data != NULL;
    state_bool(io, &present);
    if (!state_good(io))
        return;
    if (!present) {
        inline_vertices_free(object);
        return;
    }
    if (!make(object)) {
        state_fail(io, PFIFO_ERROR_MEMORY, "no memory for inline vertices");
        return;
    }
    struct inline_vertices *data = object->data;
    data->words = state_count(io, data->words, MOST_WORDS, "words of a vertex");
    data->needed = state_count(io, data->needed, MOST_WORDS, "words of a vertex");
    state_u32(io, &data->next);
    state_u32(io, &data->count);
    state_words(io, data->word, MOST_WORDS, "words of a vertex");
    for (unsigned i = 0; i < PLACES; i++)
        state_words(io, &data->value[i][0][0], VERTEX_ATTRIBUTES * 4, "inline vertices");
}

void inline_vertices_begin(struct draw_object *object) {
    if (object->data)
        object->data->words = object->data->count = 0;
}

/* ---- vertices ---- */

static uint32_t words_of(const struct vertex_attribute *attribute) {
    return attribute->constant ? 0 : (attribute->bytes + 3u) / 4;
}

static uint32_t words_of_all(const struct call *call) {
    uint32_t words = 0;
    for (unsigned i = 0; i < VERTEX_ATTRIBUTES; i++) {
        struct vertex_attribute attribute;
        vertex_attribute(&attribute, call_value(call, GF100_3D_SET_VERTEX_ATTRIBUTE_A(i)));
        words += words_of(&attribute);
    }
    return words;
}

static bool is_held(const struct draw_object *object, uint32_t place) {
    for (unsigned i = 0; i < object->assembly.held && i < ASSEMBLY_HELD; i++)
        if (object->assembly.vertex[i].with_data && object->assembly.vertex[i].number == place)
            return true;
    return false;
}

static void unpack_all(const struct draw_object *object, const struct call *call, uint32_t (*value)[4]) {
    const struct inline_vertices *data = object->data;
    uint32_t from = 0;
    for (unsigned i = 0; i < VERTEX_ATTRIBUTES; i++) {
        struct vertex_attribute attribute;
        uint8_t bytes[VERTEX_MOST_BYTES];
        vertex_attribute(&attribute, call_value(call, GF100_3D_SET_VERTEX_ATTRIBUTE_A(i)));
        if (attribute.constant) {
            memcpy(value[i], object->constant[i], sizeof value[i]);
            continue;
        }
        for (unsigned k = 0; k < VERTEX_MOST_BYTES / 4; k++)
            store_le32(bytes + k * (size_t)4, data->word[(from + k) % MOST_WORDS]);
        vertex_unpack(&attribute, bytes, value[i]);
        from += words_of(&attribute);
    }
}

/* Formats that change in the middle of a vertex count from the next one on. */
enum inline_vertices_result inline_vertices_word(struct draw_object *object, const struct call *call) {
    if (!make(object))
        return INLINE_VERTICES_NO_MEMORY;
    struct inline_vertices *data = object->data;
    if (!data->words)
        data->needed = words_of_all(call);
    if (!data->needed)
        return INLINE_VERTICES_PART;
    data->word[data->words++ % MOST_WORDS] = call->data;
    if (data->words < data->needed)
        return INLINE_VERTICES_PART;
    data->words = 0;
    do
        data->next = (data->next + 1) % PLACES;
    while (is_held(object, data->next));
    unpack_all(object, call, data->value[data->next]);
    data->count++;
    return INLINE_VERTICES_ONE;
}

struct assembly_vertex inline_vertices_last(const struct draw_object *object, const struct call *call) {
    const struct inline_vertices *data = object->data;
    uint32_t id = data ? data->count - 1 + call_value(call, GF100_3D_SET_VERTEX_ID_BASE) : 0;
    return (struct assembly_vertex){.number = data ? data->next : 0, .id = id, .with_data = true};
}

const uint32_t *inline_vertices_value(const struct draw_object *object, uint32_t place, unsigned attribute) {
    static const uint32_t none[4];
    return object->data ? object->data->value[place % PLACES][attribute % VERTEX_ATTRIBUTES] : none;
}
