/* SPDX-License-Identifier: MIT */
#include "canvas.h"

#include <stdlib.h>

#include "screen.h"

static void whole(const struct painter *painter) {
    static const uint32_t colours[] = {0x336699ff, 0xff8000c0, 0x00000000, 0x80ff017f};
    for (unsigned i = 0; i < sizeof colours / sizeof colours[0]; i++) {
        canvas_clear(colours[i]);
        canvas_emit(painter, "whole", painter->width, painter->height);
    }
}

static void rectangles(const struct painter *painter) {
    canvas_rectangles(painter, 1);
    canvas_emit(painter, "rectangles", painter->width, painter->height);
}

static void rectangles_of_a_texture(const struct painter *painter) {
    struct target target = target_new(painter->width, painter->height);
    canvas_rectangles(painter, 2);
    canvas_emit(painter, "rectangles of a texture", painter->width, painter->height);
    target_free(&target);
}

/* Clears of one buffer, moved to places of a texture: a picture without any scissor. */
static void mosaic(const struct painter *painter) {
    const int w = painter->width, h = painter->height;
    struct target source = target_new(w, h), target = target_new(w, h);
    canvas_clear(0x204060ff);
    for (uint32_t i = 0, seed = 7; i < 12; i++) {
        int x = (int)canvas_random(&seed) % (w - 4), y = (int)canvas_random(&seed) % (h - 4);
        int wide = 1 + (int)canvas_random(&seed) % (w - x), high = 1 + (int)canvas_random(&seed) % (h - y);
        glBindFramebuffer(GL_FRAMEBUFFER, source.framebuffer);
        canvas_clear(canvas_random(&seed) << 16 | canvas_random(&seed));
        glCopyTexSubImage2D(GL_TEXTURE_2D, 0, x, y, w - wide, h - high, wide, high);
    }
    glBindFramebuffer(GL_FRAMEBUFFER, target.framebuffer);
    canvas_emit(painter, "mosaic", w, h);
    target_free(&target);
    target_free(&source);
}

static void copies(const struct painter *painter) {
    const int w = painter->width, h = painter->height;
    struct target from = target_new(w, h);
    canvas_rectangles(painter, 3);
    struct target to = target_new(w, h);
    canvas_clear(0x11223344);
    glBindFramebuffer(GL_FRAMEBUFFER, from.framebuffer);
    glCopyTexSubImage2D(GL_TEXTURE_2D, 0, 5, 3, 0, 0, w - 9, h - 7);
    glCopyTexSubImage2D(GL_TEXTURE_2D, 0, 0, h - 4, 1, 1, w - 1, 3);
    glBindFramebuffer(GL_FRAMEBUFFER, to.framebuffer);
    canvas_emit(painter, "copies", w, h);
    target_free(&to);
    target_free(&from);
}

/* The surface has its rows the other way round than textures: before G80 Mesa draws that. */
static void upside_down(const struct painter *painter) {
    const int w = painter->width, h = painter->height;
    struct target to = target_new(w, h);
    canvas_clear(0x11223344);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    canvas_rectangles(painter, 4);
    glCopyTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 0, 0, w, h, 0);
    glBindFramebuffer(GL_FRAMEBUFFER, to.framebuffer);
    canvas_emit(painter, "upside down", w, h);
    target_free(&to);
}

static uint8_t *pattern(int width, int height, uint32_t seed) {
    size_t bytes = (size_t)width * (size_t)height * 4;
    uint8_t *pixels = malloc(bytes);
    if (!pixels)
        screen_fail("no memory");
    for (size_t i = 0; i < bytes; i++)
        pixels[i] = (uint8_t)canvas_random(&seed);
    return pixels;
}

static void uploads(const struct painter *painter) {
    const int w = painter->width, h = painter->height;
    uint8_t *pixels = pattern(w, h, 5);
    struct target target = target_around(GL_RGBA, GL_UNSIGNED_BYTE, w, h, pixels);
    canvas_emit(painter, "uploads", w, h);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 7, 9, w / 3, h / 2, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    glTexSubImage2D(GL_TEXTURE_2D, 0, w - 1, h - 1, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    canvas_emit(painter, "uploads of parts", w, h);
    free(pixels);
    target_free(&target);
}

static void formats(const struct painter *painter) {
    static const GLenum types[] = {GL_UNSIGNED_SHORT_5_6_5, GL_UNSIGNED_SHORT_4_4_4_4, GL_UNSIGNED_SHORT_5_5_5_1};
    for (unsigned i = 0; i < 3; i++) {
        struct target target =
            target_around(i == 0 ? GL_RGB : GL_RGBA, types[i], painter->width, painter->height, NULL);
        /* All bits or none: how they are widened to 8 is the reader's. */
        canvas_clear(0xff00ffff);
        canvas_emit(painter, "formats", painter->width, painter->height);
        target_free(&target);
    }
}

/* Depth and stencil cannot be read in OpenGL ES: only that clearing them does no harm. */
static void depths(const struct painter *painter) {
    const int w = painter->width, h = painter->height;
    struct target target = target_new(w, h);
    GLuint depth;
    glGenRenderbuffers(1, &depth);
    glBindRenderbuffer(GL_RENDERBUFFER, depth);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH_COMPONENT16, w, h);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, depth);
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
        screen_fail("a framebuffer with depth is not complete");
    glClearDepthf(0.25f);
    glClearColor(1.0f, 0.0f, 0.2f, 0.4f);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    glClearDepthf(1.0f);
    glClear(GL_DEPTH_BUFFER_BIT);
    canvas_emit(painter, "depths", w, h);
    target_free(&target);
    glDeleteRenderbuffers(1, &depth);
}

const struct scene scenes[] = {
    {"whole", 11, whole},
    {"rectangles", 11, rectangles},
    {"rectangles of a texture", 20, rectangles_of_a_texture},
    {"mosaic", 20, mosaic},
    {"copies", 20, copies},
    {"uploads", 20, uploads},
    {"formats", 20, formats},
    {"depths", 20, depths},
    {"upside down", 30, upside_down},
    {"blits", 30, scene_blits},
    {"levels", 30, scene_levels},
    {"layers", 30, scene_layers},
    {"buffers", 30, scene_buffers},
    {"queries", 30, scene_queries},
    {"targets", 30, scene_targets},
    {"samples", 31, scene_samples},
    {"zeta", 20, scene_zeta},
    {"more zeta", 30, scene_more_zeta},
    {"conditions", 30, scene_conditions},
    {"times", 30, scene_times},
    {"images", 31, scene_images},
    {"filled", 31, scene_filled},
    {"compressed", 31, scene_compressed},
    {"passed", 20, scene_passed},
    {NULL, 0, NULL},
};
