/* SPDX-License-Identifier: MIT */
/*
 * What observers are told of a draw (pfifo/draw.h). It is counted while the draw runs (tally.h); the state is that of
 * the method that ends the draw. Nothing but the counts is done where nobody observes draws.
 */
#include "engine/draw/observe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/draw/accesses.h"
#include "engine/draw/object.h"
#include "engine/draw/decode.h"
#include "engine/surface/picture.h"
#include "engine/texture/format.h"
#include "engine/texture/picture.h"
#include "event/draw_work.h"
#include "event/event.h"
#include "fifo/fifo.h"

/* ---- words ---- */

static const char *topology_name(unsigned topology) {
    static const char *const names[] = {
        [TOPOLOGY_POINTS] = "points",
        [TOPOLOGY_LINES] = "lines",
        [TOPOLOGY_LINE_LOOP] = "line_loop",
        [TOPOLOGY_LINE_STRIP] = "line_strip",
        [TOPOLOGY_TRIANGLES] = "triangles",
        [TOPOLOGY_TRIANGLE_STRIP] = "triangle_strip",
        [TOPOLOGY_TRIANGLE_FAN] = "triangle_fan",
        [TOPOLOGY_QUADS] = "quads",
        [TOPOLOGY_QUAD_STRIP] = "quad_strip",
        [TOPOLOGY_POLYGON] = "polygon",
        [TOPOLOGY_LINES_ADJACENCY] = "lines_adjacency",
        [TOPOLOGY_LINE_STRIP_ADJACENCY] = "line_strip_adjacency",
        [TOPOLOGY_TRIANGLES_ADJACENCY] = "triangles_adjacency",
        [TOPOLOGY_TRIANGLE_STRIP_ADJACENCY] = "triangle_strip_adjacency",
        [TOPOLOGY_PATCHES] = "patches",
    };
    return topology < sizeof names / sizeof names[0] ? names[topology] : "?";
}

static void describe_depth(const struct draw_zeta_state *zeta, char *text, size_t room) {
    static const char *const compares[] = {"NEVER",   "LESS",     "EQUAL",  "LEQUAL",
                                           "GREATER", "NOTEQUAL", "GEQUAL", "ALWAYS"};
    snprintf(text, room, "%s%s%s%s", zeta->test ? compares[zeta->compare & 7] : "off",
             zeta->test && zeta->write ? ", write" : "", zeta->stencil ? ", stencil" : "",
             zeta->bounds ? ", bounds" : "");
}

static void describe_blend(const struct draw_state *draw, char *text, size_t room) {
    static const char *const ops[] = {"ADD", "SUBTRACT", "REVERSE_SUBTRACT", "MIN", "MAX"};
    static const char *const factors[] = {"ZERO",
                                          "ONE",
                                          "SRC_COLOR",
                                          "ONE_MINUS_SRC_COLOR",
                                          "SRC_ALPHA",
                                          "ONE_MINUS_SRC_ALPHA",
                                          "DST_ALPHA",
                                          "ONE_MINUS_DST_ALPHA",
                                          "DST_COLOR",
                                          "ONE_MINUS_DST_COLOR",
                                          "SRC_ALPHA_SATURATE",
                                          "CONSTANT_COLOR",
                                          "ONE_MINUS_CONSTANT_COLOR",
                                          "CONSTANT_ALPHA",
                                          "ONE_MINUS_CONSTANT_ALPHA",
                                          "SRC1_COLOR",
                                          "ONE_MINUS_SRC1_COLOR",
                                          "SRC1_ALPHA",
                                          "ONE_MINUS_SRC1_ALPHA"};
    const unsigned number = draw->targets.of[0];
    const struct draw_blend *blend = &draw->blend.target[number];
    if (draw->blend.logic)
        snprintf(text, room, "logic 0x%x", draw->blend.logic_op);
    else if (!blend->enabled || !draw->targets.color[number].format)
        snprintf(text, room, "off");
    else
        snprintf(text, room, "%s %s %s", ops[blend->op_rgb], factors[blend->src_rgb], factors[blend->dst_rgb]);
}

/* ---- state ---- */

static struct draw_source source_of(const struct call *call) {
    return (struct draw_source){.of = draw_class_of(call->object->object_class),
                                .value = call->object->value,
                                .space = call_space(call, 0),
                                .order = call->engine->fifo->chip->gob_order};
}

static uint64_t program_of(const struct draw_state *state, unsigned stage) {
    return state->stages.stage[stage].enabled ? state->stages.code + state->stages.stage[stage].start : 0;
}

static void describe_target(const struct draw_target *target, const struct draw_samples *samples,
                            struct pfifo_target *out) {
    picture_describe(out, &(struct picture){.format = target->format,
                                            .surface = target->surface,
                                            .slice = target->volume ? target->first_slice : 0,
                                            .width = target->width,
                                            .height = target->height,
                                            .layers = target->layers,
                                            .log2_x = samples->log2_x,
                                            .log2_y = samples->log2_y});
}

static void describe_targets(const struct draw_state *draw, struct pfifo_draw *out) {
    for (unsigned i = 0; i < draw->targets.count; i++)
        describe_target(&draw->targets.color[draw->targets.of[i]], draw_color_samples(&draw->raster), &out->target[i]);
    describe_target(&draw->targets.zeta, &draw->raster.samples, &out->target[PFIFO_DRAW_COLORS]);
}

/* As its header is in memory now. */
static struct pfifo_draw_texture texture_of(const struct draw_state *state, const struct draw_source *source,
                                            const struct fifo *fifo, uint32_t header) {
    struct pfifo_draw_texture texture = {.header = header};
    struct texture_view view;
    if (accesses_view(&view, state, source, fifo, header))
        texture = (struct pfifo_draw_texture){.header = header,
                                              .shape = texture_shape_name(view.target),
                                              .format = view.format->name,
                                              .address = view.address,
                                              .width = view.width,
                                              .height = view.height,
                                              .depth = view.depth,
                                              .layers = view.layers};
    return texture;
}

static void describe_viewport(const struct draw_viewport *viewport, struct pfifo_draw *out) {
    for (unsigned i = 0; i < 2; i++) {
        float half = viewport->scale[i];
        out->viewport[i] = viewport->translate[i] - (half < 0 ? -half : half);
        out->viewport[2 + i] = half * 2;
    }
    out->near = viewport->near;
    out->far = viewport->far;
}

static void describe(const struct draw_object *object, const struct call *call, const struct draw_source *source,
                     struct pfifo_draw *out) {
    const struct draw_tally *tally = &object->tally;
    const struct draw_state *state = object->shown;
    *out = (struct pfifo_draw){.object_class = call->object->object_class,
                               .method = call->method,
                               .topology = topology_name(object->assembly.topology),
                               .first = tally->first,
                               .instance = object->instance,
                               .count = tally->asked,
                               .vertices = tally->vertices,
                               .primitives = tally->primitives,
                               .generated = tally->generated,
                               .fragments = tally->fragments,
                               .samples = tally->samples,
                               .vertex_program = program_of(state, STAGE_VERTEX),
                               .fragment_program = program_of(state, STAGE_FRAGMENT),
                               .control_program = program_of(state, STAGE_CONTROL),
                               .evaluation_program = program_of(state, STAGE_EVALUATION),
                               .geometry_program = program_of(state, STAGE_GEOMETRY),
                               .work = tally->work,
                               .textures = tally->texture_count};
    describe_viewport(&state->view.viewport[0], out);
    describe_depth(&state->zeta, out->depth, sizeof out->depth);
    describe_blend(state, out->blend, sizeof out->blend);
    describe_targets(state, out);
    for (uint32_t i = 0; i < tally->texture_count; i++)
        out->texture[i] = texture_of(state, source, call->engine->fifo, tally->texture[i]);
}

void draw_observe(struct draw_object *object, const struct call *call) {
    struct event_hub *events = call->engine->fifo->events;
    bool told = event_wanted(events, EVENT_ENGINE_READ) || event_wanted(events, EVENT_ENGINE_WRITE);
    struct pfifo_draw draw;
    if (!object->tally.vertices || !(told || event_wanted(events, EVENT_ENGINE_DRAW)))
        return;
    if (!object->shown)
        object->shown = calloc(1, sizeof *object->shown);
    if (!object->shown)
        return;
    const struct draw_source source = source_of(call);
    draw_decode(object->shown, &source, STATE_ALL);
    if (told)
        accesses_tell(object, call, object->shown, &source);
    if (!event_wanted(events, EVENT_ENGINE_DRAW))
        return;
    describe(object, call, &source, &draw);
    events->draw = &draw;
    event_send(events, EVENT_ENGINE_DRAW, call->channel->id, draw.topology, draw.object_class, draw.method, 0,
               draw.first, draw.count, draw.instance, draw.vertices, draw.primitives, draw.fragments, draw.samples,
               draw.vertex_program, draw.fragment_program);
    events->draw = NULL;
}
