/* SPDX-License-Identifier: MIT */
/* Draws with a program. Positions are in pixels, from the lower left corner; depth is -1 to 1. */
#ifndef TESTS_MESA_DRAWING_H
#define TESTS_MESA_DRAWING_H

#include <GLES3/gl31.h>
#include <stdint.h>

#include "canvas.h"

enum { DRAWING_SIZE = 64 }; /* of targets of their own, each way: positions are exact then */

/* What programs begin with. */
#define DRAWING_ES2 "precision highp float;\n"
#define DRAWING_ES3                                                                                                    \
    "#version 300 es\n"                                                                                                \
    "precision highp float; precision highp int;\n"

struct drawing {
    GLuint program, vertices, indices;
};

/* Passes on the position as `pixel`, and `place`, which drawing_texels() says. */
extern const char drawing_vertex[], drawing_vertex_es3[];

/* For a framebuffer of that size; the program is in use then, and draws reach all of it. */
struct drawing drawing_begin(const char *vertex, const char *fragment, int width, int height);
void drawing_end(struct drawing *drawing);

void drawing_colour(const struct drawing *drawing, uint32_t rgba);
void drawing_texels(const struct drawing *drawing, float scale, float offset);

void drawing_corner(GLfloat at[4], float x, float y, float depth);
/* `at` is count times x, y, depth, 1. */
void drawing_draw(GLenum kind, const GLfloat *at, int count);
void drawing_indexed(GLenum kind, const GLfloat *at, int count, GLenum type, const void *indices);
void drawing_rectangle(float left, float bottom, float right, float top, float depth);

void scene_drawn_instances(const struct painter *painter);
void scene_drawn_integers(const struct painter *painter);
void scene_drawn_stencil(const struct painter *painter);
void scene_drawn_targets(const struct painter *painter);
void scene_drawn_layers(const struct painter *painter);
void scene_drawn_counts(const struct painter *painter);
void scene_drawn_indirectly(const struct painter *painter);

#endif
