/* SPDX-License-Identifier: MIT */
#include "engine/draw/emitted.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "engine/draw/vertex_block.h"
#include "state/state.h"

void emitted_free(struct emitted *emitted) {
    free(emitted->words);
    emitted->words = NULL;
    emitted->words_room = 0;
}

unsigned emitted_lanes(unsigned most) {
    assert(most <= EMITTED_MOST);
    return most * SHADE_LANES <= EMITTED_ALL ? SHADE_LANES : EMITTED_ALL / most;
}

static bool make_room(struct emitted *emitted, size_t words) {
    if (words <= emitted->words_room)
        return true;
    free(emitted->words);
    emitted->words = calloc(words, sizeof emitted->words[0]);
    emitted->words_room = emitted->words ? words : 0;
    return emitted->words != NULL;
}

bool emitted_begin(struct emitted *emitted, unsigned lanes, unsigned most, const struct block_words *words) {
    assert(lanes && lanes <= SHADE_LANES && lanes * most <= EMITTED_ALL);
    emitted->lanes = emitted->count = 0;
    if (!make_room(emitted, (size_t)lanes * most * words->count))
        return false;
    memcpy(emitted->kept, words->word, words->count);
    emitted->emission = (struct shade_emission){.kept = emitted->kept,
                                                .kept_count = words->count,
                                                .most = most,
                                                .words = emitted->words,
                                                .marks = emitted->marks};
    emitted->lanes = lanes;
    emitted->listed = false;
    return true;
}

/* ---- strips ---- */

/* Of a stream: its last vertices, and how many its strip has. */
struct strip {
    unsigned count;
    uint16_t before[2]; /* the last one, and the one before that */
};

static struct emitted_primitive *add(struct emitted *emitted, unsigned lane, unsigned stream) {
    assert(emitted->count < EMITTED_ALL);
    struct emitted_primitive *primitive = &emitted->primitive[emitted->count++];
    *primitive = (struct emitted_primitive){.lane = (uint8_t)lane, .stream = (uint8_t)stream};
    return primitive;
}

/* A triangle keeps its turn: every other one of a strip has two corners the other way round, but not the provoking one. */
static void set_triangle(struct emitted_primitive *primitive, const struct strip *strip, uint16_t vertex, bool last) {
    bool odd = strip->count % 2;
    uint16_t a = strip->before[1], b = strip->before[0];
    primitive->corners = 3;
    primitive->provoking = last ? 2 : 0;
    primitive->corner[0] = odd && last ? b : a;
    primitive->corner[1] = !odd ? b : last ? a : vertex;
    primitive->corner[2] = odd && !last ? b : vertex;
    primitive->first = strip->count == 2;
}

static void add_vertex(struct emitted *emitted, unsigned lane, unsigned stream, struct strip *strip, uint16_t vertex,
                       enum emitted_topology topology, bool last) {
    if (topology == EMITTED_POINTS) {
        struct emitted_primitive *point = add(emitted, lane, stream);
        point->corners = 1;
        point->first = true;
        point->corner[0] = vertex;
    } else if (topology == EMITTED_LINES && strip->count) {
        struct emitted_primitive *line = add(emitted, lane, stream);
        line->corners = 2;
        line->provoking = last;
        line->corner[0] = strip->before[0];
        line->corner[1] = vertex;
        line->first = strip->count == 1;
    } else if (topology == EMITTED_TRIANGLES && strip->count >= 2) {
        set_triangle(add(emitted, lane, stream), strip, vertex, last);
    }
    strip->before[1] = strip->before[0];
    strip->before[0] = vertex;
    strip->count++;
}

void emitted_list(struct emitted *emitted, enum emitted_topology topology, bool provoking_last) {
    const struct shade_emission *emission = &emitted->emission;
    emitted->count = 0;
    for (unsigned lane = 0; lane < emitted->lanes; lane++) {
        struct strip strip[EMITTED_STREAMS] = {0};
        for (unsigned i = 0; i < emission->count[lane]; i++) {
            unsigned vertex = lane * emission->most + i;
            unsigned stream = emission->marks[vertex] & SHADE_EMITTED_STREAM;
            add_vertex(emitted, lane, stream, &strip[stream], (uint16_t)vertex, topology, provoking_last);
            if (emission->marks[vertex] & SHADE_EMITTED_CUT)
                strip[stream].count = 0;
        }
    }
    emitted->listed = true;
}

/* ---- saved ---- */

static void vertices_state(struct emitted *emitted, struct state_io *io) {
    struct shade_emission *emission = &emitted->emission;
    for (unsigned lane = 0; lane < emitted->lanes && state_good(io); lane++) {
        emission->count[lane] = state_count(io, emission->count[lane], emission->most, "emitted vertices");
        size_t first = (size_t)lane * emission->most;
        state_bytes(io, emission->marks + first, emission->count[lane]);
        state_words(io, emission->words + first * emission->kept_count, emission->count[lane] * emission->kept_count,
                    "emitted words");
    }
}

/* Whoever loads it has nothing yet. */
void emitted_state(struct emitted *emitted, struct state_io *io) {
    struct block_words words = {0};
    uint32_t lanes = state_count(io, emitted->lanes, SHADE_LANES, "lanes of a geometry program");
    if (!lanes) {
        emitted->lanes = 0;
        return;
    }
    uint32_t most = state_count(io, emitted->emission.most, EMITTED_MOST, "vertices of a lane");
    words.count = (uint16_t)state_count(io, emitted->emission.kept_count, SHADE_ATTRIBUTES, "words of a vertex");
    if (!io->loading)
        memcpy(words.word, emitted->kept, words.count);
    state_bytes(io, words.word, words.count);
    if (lanes > emitted_lanes(most))
        state_fail(io, PFIFO_ERROR_FORMAT, "more lanes of a geometry program than there are");
    if (state_good(io) && io->loading && !emitted_begin(emitted, lanes, most, &words))
        state_fail(io, PFIFO_ERROR_MEMORY, "no memory for emitted vertices");
    if (state_good(io))
        vertices_state(emitted, io);
}
