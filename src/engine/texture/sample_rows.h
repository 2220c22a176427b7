/* SPDX-License-Identifier: MIT */
/* Samples of a row of lanes whose levels have been chosen. */
#ifndef PFIFO_SRC_ENGINE_TEXTURE_SAMPLE_ROWS_H
#define PFIFO_SRC_ENGINE_TEXTURE_SAMPLE_ROWS_H

#include "engine/texture/rows.h"

struct sample_rows {
    const struct texture_request *request;
    unsigned axes;
    bool cube;
    rows_doubles at[3];                                   /* as the header has them; cubes: of their face */
    bool has_layers;                                      /* else all are 0, and `layer` is not there */
    texture_row layer;                                    /* cubes: with the face */
    texture_row weight;                                   /* of the second level, in 1/256; if any lane is mixed */
    uint32_t level[TEXTURE_LEVELS], next[TEXTURE_LEVELS]; /* lanes that take this first, that take it second */
    uint32_t linear, mixed;                               /* lanes with that filter; with a second level */
    /* Makes of raw texels what a comparison does, and of those outside the border. */
    void (*finish)(const struct sample_rows *rows, uint32_t lanes, uint32_t outside, union texel *texels);
    void *opaque;
};

/* A level with a filter: these lanes take it first, these second. */
struct sample_rows_part {
    unsigned level;
    bool linear;
    uint32_t first, second;
};

/* Gives the lanes that cannot be done by rows: their results are not there. */
uint32_t sample_rows(struct texel_reader *reader, const struct sample_rows *rows, uint32_t lanes, texture_row out[4]);

#endif
