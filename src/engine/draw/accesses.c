/* SPDX-License-Identifier: MIT */
/*
 * What a draw reads and writes, for observers: events engine.read and engine.write (surface/access.h).
 *
 *   indices   from the first to the last one that was asked for
 *   vertices  of each stream: attributes that the vertex program reads, from the lowest to the highest vertex
 *   constants buffers that are bound to its programs, whether they use them or not
 *   textures  levels that their headers name, of those that tally.c has seen
 *   feedback  what was added to each buffer
 *   targets   as a whole, if they may be written
 *
 * Not told: programs, headers and samplers; what programs load and store; the substitute of vertices; what targets are
 * read for, since that is of the same unit as what is written.
 */
#include "engine/draw/accesses.h"

#include "engine/draw/clip.h"
#include "engine/draw/object.h"
#include "engine/draw/decode.h"
#include "engine/draw/constants.h"
#include "engine/graph/constants.h"
#include "engine/surface/access.h"
#include "engine/sync/counters.h"
#include "fifo/fifo.h"

#define HEADER_BYTES (HEADER_WORDS * 4u)

/* What is told, and of which draw. */
struct teller {
    const struct draw_object *object;
    const struct call *call;
    const struct draw_state *state;
    const struct draw_source *source;
};

/* ---- vertices ---- */

static void read_header(const struct call *call, struct draw_state *state, const struct draw_source *source,
                        unsigned stage) {
    uint8_t bytes[HEADER_BYTES];
    uint32_t header[HEADER_WORDS];
    if (!memory_peek(call->engine->fifo->memory, &source->space, state->stages.code + state->stages.stage[stage].start,
                     bytes, sizeof bytes))
        return;
    for (unsigned i = 0; i < HEADER_WORDS; i++)
        header[i] = load_le32(bytes + i * (size_t)4);
    draw_header(state, source, stage, header);
}

static bool is_read(const struct teller *t, unsigned attribute) {
    return draw_vertex_reads_vector(&t->state->stages, WORD_GENERIC + 4 * attribute);
}

/* The last element that is read, counted from the first. */
static uint64_t elements_of(const struct teller *t, const struct vertex_stream *stream, uint64_t *first) {
    const struct draw_tally *tally = &t->object->tally;
    uint32_t base = t->state->indices.base_instance;
    *first = tally->lowest;
    if (!stream->per_instance)
        return tally->highest - tally->lowest;
    *first = base + (stream->divisor ? t->object->instance / stream->divisor : 0);
    return 0;
}

/* What lies beyond the limit comes from elsewhere. */
static void tell_stream(const struct teller *t, unsigned number) {
    const struct vertex_streams *streams = &t->state->input.streams;
    const struct vertex_stream *stream = &streams->stream[number];
    uint64_t low = UINT64_MAX, high = 0, first, elements = elements_of(t, stream, &first);
    for (unsigned i = 0; i < VERTEX_ATTRIBUTES; i++) {
        const struct vertex_attribute *attribute = &t->state->input.attribute[i];
        if (attribute->stream != number || attribute->constant || !is_read(t, i))
            continue;
        uint64_t end = (uint64_t)attribute->offset + attribute->bytes;
        low = attribute->offset < low ? attribute->offset : low;
        high = end > high ? end : high;
    }
    if (low >= high || !stream->enabled)
        return;
    uint64_t begin = stream->start + stream->stride * first + low;
    uint64_t end = stream->start + stream->stride * (first + elements) + high;
    end = end - 1 > stream->limit ? stream->limit + 1 : end;
    if (begin < end)
        call_reads_bytes(t->call, "vertices", &t->source->space, (streams->base + begin) & streams->address_mask,
                         end - begin);
}

static void tell_vertices(const struct teller *t) {
    const struct draw_tally *tally = &t->object->tally;
    uint64_t limit = t->state->indices.limit;
    uint64_t end = tally->index_end - 1 > limit ? limit + 1 : tally->index_end;
    if (tally->index_begin < end && tally->index_end)
        call_reads_bytes(t->call, "indices", &t->source->space, tally->index_begin, end - tally->index_begin);
    for (unsigned i = 0; i < VERTEX_STREAMS && tally->numbered; i++)
        tell_stream(t, i);
}

/* ---- constants ---- */

static void tell_constants(const struct teller *t, unsigned stage) {
    const uint32_t *buffers = object_part(t->call->object, &constants_gf100_part);
    unsigned group = t->state->stages.stage[stage].group;
    if (!buffers || group >= CONSTANTS_GF100_GROUPS || !t->state->stages.stage[stage].enabled)
        return;
    for (unsigned bank = 0; bank < DRAW_BANKS; bank++) {
        const uint32_t *buffer = buffers + (group * CONSTANTS_GF100_SLOTS + bank) * (size_t)CONSTANTS_BUFFER_WORDS;
        if (buffer[0] & CONSTANTS_VALID)
            call_reads_bytes(t->call, "constants", &t->source->space, (uint64_t)(buffer[0] & 0xff) << 32 | buffer[1],
                             buffer[2]);
    }
}

/* ---- textures ---- */

bool accesses_view(struct texture_view *view, const struct draw_state *state, const struct draw_source *source,
                   const struct fifo *fifo, uint32_t header) {
    const struct texture_unit unit = {.layout =
                                          state->textures.maxwell_headers ? TEXTURE_TIC_MAXWELL : TEXTURE_TIC_TESLA,
                                      .order = source->order,
                                      .mobile = fifo->chip->has_mobile_textures};
    uint8_t bytes[4 * TEXTURE_WORDS];
    uint32_t words[TEXTURE_WORDS];
    const char *reason;
    if (!memory_peek(fifo->memory, &source->space, state->textures.headers + (uint64_t)header * sizeof bytes, bytes,
                     sizeof bytes))
        return false;
    for (unsigned i = 0; i < TEXTURE_WORDS; i++)
        words[i] = load_le32(bytes + i * (size_t)4);
    return texture_header(view, &unit, words, &reason);
}

static void tell_texture(const struct teller *t, uint32_t header) {
    struct texture_view view;
    if (!accesses_view(&view, t->state, t->source, t->call->engine->fifo, header))
        return;
    const struct texture_level *first = &view.level[view.first_level], *last = &view.level[view.last_level];
    uint64_t size = layout_size(&last->layout);
    size = size ? size : last->layout.width;
    call_reads_layers(t->call, event_words[PFIFO_WORD_TEXTURE], &t->source->space,
                      &(struct access_layers){view.address + first->offset, last->offset - first->offset + size,
                                              view.layers, view.layer_bytes});
}

/* ---- transform feedback ---- */

static void tell_feedback(const struct teller *t) {
    const struct feedback_state *feedback = &t->state->feedback;
    for (unsigned b = 0; b < FEEDBACK_BUFFERS && feedback->enabled; b++) {
        uint64_t from = t->object->tally.feedback_from[b], to = counter_value(t->call, COUNTER_STREAM_BYTES + b);
        if (feedback->buffer[b].enabled && from < to)
            call_writes_bytes(t->call, "feedback", &t->source->space, feedback->buffer[b].address + from, to - from);
    }
}

/* ---- targets ---- */

static void tell_target(const struct teller *t, const struct draw_target *target, const struct draw_samples *samples,
                        const char *kind) {
    const struct layout *layout = &target->surface.layout;
    if (!target->format)
        return;
    uint64_t bytes = ((uint64_t)target->width << samples->log2_x) * target->format->bytes;
    uint64_t lines = (uint64_t)target->height << samples->log2_y;
    if ((target->layers <= 1 || !target->layer_stride) && !target->volume) {
        call_writes(t->call, &target->surface, &(struct access){kind, {0}, bytes, lines});
        return;
    }
    const struct layout_extent layer = layout_extent(layout, 0, 0, 0, bytes, lines);
    bytes = layer.lines > 1 ? (layer.lines - 1) * layer.pitch + layer.bytes : layer.bytes;
    call_writes_layers(t->call, kind, &target->surface.space,
                       &(struct access_layers){target->surface.address + layer.offset,
                                               target->volume ? layout_size(layout) : bytes,
                                               target->volume ? 1 : target->layers, target->layer_stride});
}

static void tell_targets(const struct teller *t) {
    const struct draw_state *draw = t->state;
    if (draw->raster.discard)
        return;
    for (unsigned i = 0; i < draw->targets.count && t->state->stages.stage[STAGE_FRAGMENT].enabled; i++) {
        unsigned number = draw->targets.of[i] % DRAW_TARGETS;
        if (draw->blend.mask[number])
            tell_target(t, &draw->targets.color[number], draw_color_samples(&draw->raster),
                        event_words[PFIFO_WORD_TARGET]);
    }
    if ((draw->zeta.test && draw->zeta.write) || draw->zeta.stencil)
        tell_target(t, &draw->targets.zeta, &draw->raster.samples, event_words[PFIFO_WORD_DEPTH]);
}

void accesses_tell(const struct draw_object *object, const struct call *call, struct draw_state *state,
                   const struct draw_source *source) {
    const struct teller teller = {object, call, state, source};
    bool both = state->stages.stage[STAGE_VERTEX_A].enabled;
    read_header(call, state, source, STAGE_VERTEX);
    if (both)
        read_header(call, state, source, STAGE_VERTEX_A);
    tell_vertices(&teller);
    if (both)
        tell_constants(&teller, STAGE_VERTEX_A);
    tell_constants(&teller, STAGE_VERTEX);
    tell_constants(&teller, STAGE_CONTROL);
    tell_constants(&teller, STAGE_EVALUATION);
    tell_constants(&teller, STAGE_GEOMETRY);
    tell_constants(&teller, STAGE_FRAGMENT);
    for (uint32_t i = 0; i < object->tally.texture_count; i++)
        tell_texture(&teller, object->tally.texture[i]);
    tell_feedback(&teller);
    tell_targets(&teller);
}
