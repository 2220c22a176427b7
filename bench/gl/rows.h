/* SPDX-License-Identifier: MIT */
/*
 * What is measured, a row each. A row is prepared once, and then drawn again and again: row_draw() is one portion of work,
 * `count` units.
 */
#ifndef PFIFO_BENCH_GL_ROWS_H
#define PFIFO_BENCH_GL_ROWS_H

#include <stdbool.h>
#include <stdint.h>

/* The pixel that is looked at. All rows draw over it. */
#define ROW_X 768
#define ROW_Y 128

/* ROW_TINTED_TOO gives what ROW_TINTED gives, by other code. */
enum row_program { ROW_VARYING, ROW_TINTED, ROW_TINTED_TOO, ROW_TEXTURED, ROW_CHAIN, ROW_LIT, ROW_PROGRAMS };
enum row_shape { ROW_QUAD, ROW_TRIANGLES, ROW_DRAWS };
/* Between draws: of what everything else stays as it is. */
enum row_change { ROW_NOTHING, ROW_UNIFORM, ROW_TEXTURE, ROW_BLEND, ROW_PROGRAM };

struct row {
    const char *name, *unit;
    uint32_t count;
    enum row_shape shape;
    enum row_program program;
    enum row_change change;
    bool depth, blend, samples4, culled;
    uint32_t filter;             /* of textures, for minification; 0: nearest */
    uint8_t color[3], tolerance; /* of the pixel after one portion on black, and how far it may be from it */
};

/* Ends with a row without name. */
extern const struct row rows[];

void rows_open(void);
void row_begin(const struct row *row);
void row_draw(const struct row *row);
/* Clear, draw one portion, and look: what is at ROW_X, ROW_Y then. Culled triangles are drawn for once. */
void row_look(const struct row *row, uint8_t rgba[4]);
bool row_is_right(const struct row *row, const uint8_t rgba[4]);

#endif
