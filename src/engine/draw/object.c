/* SPDX-License-Identifier: MIT */
#include "engine/draw/object.h"

#include <stdlib.h>
#include <string.h>

#include "engine/draw/pipeline.h"

static bool draw_init(void *state, const struct private_owner *owner) {
    struct draw_object *object = state;
    (void)owner;
    object->inline_left = FEED_NO_LIMIT;
    for (unsigned i = 0; i < VERTEX_ATTRIBUTES; i++)
        object->constant[i][3] = 0x3f800000;
    memset(object->slots, 0xff, sizeof object->slots); /* SHADE_UNBOUND */
    return true;
}

static void vertex_state(struct state_io *io, struct assembly_vertex *vertex) {
    state_u32(io, &vertex->number);
    state_u32(io, &vertex->id);
    state_bool(io, &vertex->edge);
    state_bool(io, &vertex->with_data);
}

static void assembly_state(struct state_io *io, struct assembly *assembly) {
    unsigned topology = assembly->topology;
    state_index(io, &topology, TOPOLOGIES + 1, "topology");
    assembly->topology = (uint8_t)topology;
    state_bool(io, &assembly->last);
    state_u8(io, &assembly->patch);
    state_u64(io, &assembly->count);
    state_u32(io, &assembly->id);
    assembly->held = (uint8_t)state_count(io, assembly->held, ASSEMBLY_HELD - 1, "held vertices");
    for (unsigned i = 0; i < ASSEMBLY_HELD; i++)
        vertex_state(io, &assembly->vertex[i]);
}

static void draw_saved(void *state, const struct private_owner *owner, struct state_io *io) {
    struct draw_object *object = state;
    (void)owner;
    state_bool(io, &object->drawing);
    state_bool(io, &object->allowed);
    state_bool(io, &object->open_end);
    state_u32(io, &object->instance);
    state_u32(io, &object->stipple);
    state_u64(io, &object->long_steps);
    state_u32(io, &object->inline_left);
    state_u32(io, &object->inline_skip);
    assembly_state(io, &object->assembly);
    tally_state(&object->tally, io);
    object->queued = state_count(io, object->queued, FEED_QUEUE, "vertices");
    for (uint32_t i = 0; i < object->queued && state_good(io); i++) {
        vertex_state(io, &object->queue[i].vertex);
        state_bool(io, &object->queue[i].restart);
    }
    for (unsigned i = 0; i < VERTEX_ATTRIBUTES; i++)
        state_words(io, object->constant[i], 4, "constant attributes");
    for (unsigned i = 0; i < DRAW_GROUPS; i++) {
        state_words(io, object->slots[i].header, SHADE_SLOTS, "bound headers");
        state_words(io, object->slots[i].sampler, SHADE_SLOTS, "bound samplers");
    }
    inline_vertices_state(object, io);
    draw_group_state(object, io);
}

static void draw_free(void *state) {
    inline_vertices_free(state);
    pipeline_free(((struct draw_object *)state)->pipeline);
    free(((struct draw_object *)state)->shown);
}

const struct private_state draw_object_part = {
    .bytes = sizeof(struct draw_object), .init = draw_init, .state = draw_saved, .free = draw_free};

struct draw_object *draw_object_of(const struct call *call) {
    return object_part(call->object, &draw_object_part);
}
