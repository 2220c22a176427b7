/* SPDX-License-Identifier: MIT */
/*
 * Pictures made without drawing a triangle: clears, copies, blits, uploads, queries. Each scene leaves one or more
 * images for `emit`, rows of RGBA from the bottom up.
 */
#ifndef TESTS_MESA_CANVAS_H
#define TESTS_MESA_CANVAS_H

#include <GLES3/gl3.h>
#include <stdint.h>

struct painter {
    int width, height;
    void (*emit)(void *opaque, const char *name, int width, int height, const uint8_t *rgba);
    void *opaque;
};

struct scene {
    const char *name;
    int version; /* of OpenGL ES that it needs at least, times ten */
    void (*paint)(const struct painter *painter);
};

/* Each ends with a row without name. drawn_scenes: those that draw, see drawing.h. */
extern const struct scene scenes[], drawn_scenes[];

/* Those of OpenGL ES 3. */
void scene_blits(const struct painter *painter);
void scene_levels(const struct painter *painter);
void scene_layers(const struct painter *painter);
void scene_buffers(const struct painter *painter);
void scene_queries(const struct painter *painter);
void scene_targets(const struct painter *painter);
void scene_samples(const struct painter *painter);
void scene_zeta(const struct painter *painter); /* of OpenGL ES 2 */
void scene_more_zeta(const struct painter *painter);
void scene_passed(const struct painter *painter);
void scene_conditions(const struct painter *painter);
void scene_times(const struct painter *painter);
void scene_images(const struct painter *painter);
void scene_filled(const struct painter *painter);
void scene_compressed(const struct painter *painter);

/* The same numbers everywhere, of 16 bits. */
uint32_t canvas_random(uint32_t *seed);
/* The current framebuffer to R G B A, from the highest byte down. */
void canvas_clear(uint32_t rgba);
/* Scissored clears of the current framebuffer; another seed gives other rectangles. */
void canvas_rectangles(const struct painter *painter, uint32_t seed);
/* Read the current framebuffer and emit it. */
void canvas_emit(const struct painter *painter, const char *name, int width, int height);

/* A texture with a framebuffer around it; both are bound then. */
struct target {
    GLuint texture, framebuffer;
};

struct target target_around(GLenum format, GLenum type, int width, int height, const void *pixels);
struct target target_new(int width, int height); /* RGBA8 */
void target_free(struct target *target);

#endif
