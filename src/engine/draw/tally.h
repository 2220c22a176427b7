/* SPDX-License-Identifier: MIT */
/* What is counted of a draw under way, for observers: from BEGIN to END. */
#ifndef PFIFO_SRC_ENGINE_DRAW_TALLY_H
#define PFIFO_SRC_ENGINE_DRAW_TALLY_H

#include <pfifo/draw.h>

#include "engine/draw/feedback.h"
#include "state/state.h"

struct draw_tally {
    bool fed; /* a method has brought vertices */
    uint32_t first;
    uint64_t asked, vertices, primitives, generated, fragments, samples;
    bool numbered;                            /* a vertex was fetched: */
    uint32_t lowest, highest;                 /* the numbers of such vertices */
    uint64_t index_begin, index_end;          /* addresses of the indices */
    uint64_t feedback_from[FEEDBACK_BUFFERS]; /* where transform feedback was at the beginning */
    struct pfifo_draw_work work;
    uint32_t texture_count;
    uint32_t texture[PFIFO_DRAW_TEXTURES]; /* headers, in order */
};

struct call;
struct draw_pipeline;

void tally_state(struct draw_tally *tally, struct state_io *io);
/* A draw begins. */
void tally_begin(struct draw_tally *tally, const struct call *call);
/* A method begins to bring so many vertices. */
void tally_feed(struct draw_tally *tally, uint32_t first, uint64_t count);
/* Indices are read, `count` from an address on. */
void tally_indices(struct draw_tally *tally, uint64_t address, uint64_t bytes);
static inline void tally_vertex(struct draw_tally *tally, uint32_t number) {
    tally->lowest = !tally->numbered || number < tally->lowest ? number : tally->lowest;
    tally->highest = !tally->numbered || number > tally->highest ? number : tally->highest;
    tally->numbered = true;
}

/* After a slice. */
void tally_slice(struct draw_pipeline *pipeline);

#endif
