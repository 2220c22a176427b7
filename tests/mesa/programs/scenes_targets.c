/* SPDX-License-Identifier: MIT */
/* Of OpenGL ES 3: formats of render targets, samples that are resolved, depth and stencil that are read back. */
#include "canvas.h"

#include <GLES2/gl2ext.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "screen.h"

#ifndef GL_STENCIL_INDEX
#define GL_STENCIL_INDEX 0x1901 /* of GL_NV_read_stencil */
#endif

/* Pixels of up to 16 bytes; shown as a picture that is as much wider. */
static void emit_pixels(const struct painter *painter, const char *name, GLenum format, GLenum type, int bytes) {
    int width = (painter->width * bytes + 3) / 4;
    uint8_t *pixels = calloc((size_t)painter->height, (size_t)width * 4);
    if (!pixels)
        screen_fail("no memory");
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, painter->width, painter->height, format, type, pixels);
    screen_check(name);
    painter->emit(painter->opaque, name, width, painter->height, pixels);
    free(pixels);
}

static void bind_storage(const struct painter *painter, GLenum format, int samples, GLuint names[2]) {
    glGenRenderbuffers(1, &names[0]);
    glBindRenderbuffer(GL_RENDERBUFFER, names[0]);
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, format, painter->width, painter->height);
    glGenFramebuffers(1, &names[1]);
    glBindFramebuffer(GL_FRAMEBUFFER, names[1]);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, names[0]);
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
        screen_fail("format 0x%x is no target", (unsigned)format);
}

static void free_storage(GLuint names[2]) {
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glDeleteFramebuffers(1, &names[1]);
    glDeleteRenderbuffers(1, &names[0]);
}

/*
 * What a format cannot hold is another matter: 0, 1, and halves of floats are exact in all of them. They are read in
 * the format that they have, or Mesa draws to change it.
 */
struct row {
    GLenum storage, format, type;
    char kind; /* normalized, float, signed or unsigned integer */
    int bytes; /* of a pixel that is read */
};

static const struct row rows[] = {
    {GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, 'n', 4},
    {GL_SRGB8_ALPHA8, GL_RGBA, GL_UNSIGNED_BYTE, 'n', 4},
    {GL_RGB10_A2, GL_RGBA, GL_UNSIGNED_INT_2_10_10_10_REV, 'n', 4},
    {GL_R8, GL_RED, GL_UNSIGNED_BYTE, 'n', 1},
    {GL_RG8, GL_RG, GL_UNSIGNED_BYTE, 'n', 2},
    {GL_RGB565, GL_RGB, GL_UNSIGNED_SHORT_5_6_5, 'n', 2},
    {GL_RGBA16F, GL_RGBA, GL_HALF_FLOAT, 'f', 8},
    {GL_RGBA32F, GL_RGBA, GL_FLOAT, 'f', 16},
    {GL_R16F, GL_RED, GL_HALF_FLOAT, 'f', 2},
    {GL_RG16F, GL_RG, GL_HALF_FLOAT, 'f', 4},
    {GL_R32F, GL_RED, GL_FLOAT, 'f', 4},
    {GL_RG32F, GL_RG, GL_FLOAT, 'f', 8},
    {GL_R11F_G11F_B10F, GL_RGB, GL_UNSIGNED_INT_10F_11F_11F_REV, 'f', 4},
    {GL_RGBA8UI, GL_RGBA_INTEGER, GL_UNSIGNED_BYTE, 'u', 4},
    {GL_RGBA16UI, GL_RGBA_INTEGER, GL_UNSIGNED_SHORT, 'u', 8},
    {GL_RGBA32UI, GL_RGBA_INTEGER, GL_UNSIGNED_INT, 'u', 16},
    {GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, 'u', 4},
    {GL_RG16UI, GL_RG_INTEGER, GL_UNSIGNED_SHORT, 'u', 4},
    {GL_RGBA8I, GL_RGBA_INTEGER, GL_BYTE, 'i', 4},
    {GL_RGBA16I, GL_RGBA_INTEGER, GL_SHORT, 'i', 8},
    {GL_RGBA32I, GL_RGBA_INTEGER, GL_INT, 'i', 16},
    {GL_R8I, GL_RED_INTEGER, GL_BYTE, 'i', 1},
};

static void clear_as(char kind, int turn) {
    static const GLfloat numbers[2][4] = {{1.0f, 0.0f, 1.0f, 0.0f}, {0.0f, 1.0f, 0.0f, 1.0f}},
                         floats[2][4] = {{0.5f, 8.0f, 1.5f, 0.25f}, {2.0f, 0.125f, 96.0f, 1.0f}};
    static const GLuint words[2][4] = {{1, 90, 117, 2}, {100, 3, 55, 1}};
    if (kind == 'u')
        glClearBufferuiv(GL_COLOR, 0, words[turn]);
    else if (kind == 'i')
        glClearBufferiv(GL_COLOR, 0, (const GLint *)words[turn]);
    else
        glClearBufferfv(GL_COLOR, 0, kind == 'f' ? floats[turn] : numbers[turn]);
}

void scene_targets(const struct painter *painter) {
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        GLuint names[2];
        char name[32];
        bind_storage(painter, rows[i].storage, 0, names);
        clear_as(rows[i].kind, 0);
        glEnable(GL_SCISSOR_TEST);
        glScissor(11, 0, painter->width / 2, painter->height - 5);
        clear_as(rows[i].kind, 1);
        glDisable(GL_SCISSOR_TEST);
        snprintf(name, sizeof name, "target %x", (unsigned)rows[i].storage);
        emit_pixels(painter, name, rows[i].format, rows[i].type, rows[i].bytes);
        free_storage(names);
    }
}

void scene_samples(const struct painter *painter) {
    for (int samples = 2; samples <= 4; samples *= 2) {
        GLuint many[2], one[2];
        bind_storage(painter, GL_RGBA8, samples, many);
        canvas_rectangles(painter, 70 + (uint32_t)samples);
        bind_storage(painter, GL_RGBA8, 0, one);
        glBindFramebuffer(GL_READ_FRAMEBUFFER, many[1]);
        glBlitFramebuffer(0, 0, painter->width, painter->height, 0, 0, painter->width, painter->height,
                          GL_COLOR_BUFFER_BIT, GL_NEAREST);
        glBindFramebuffer(GL_FRAMEBUFFER, one[1]);
        canvas_emit(painter, "samples", painter->width, painter->height);
        free_storage(one);
        free_storage(many);
    }
}

static void clear_depths(const struct painter *painter) {
    static const GLfloat depths[] = {1.0f, 0.0f, 1.0f};
    for (int i = 0; i < 3; i++) {
        glEnable(GL_SCISSOR_TEST);
        glScissor(i * 9, i * 7, painter->width, painter->height - i * 11);
        glClearDepthf(depths[i]);
        glClearStencil(17 + 100 * i);
        glClear(GL_DEPTH_BUFFER_BIT | (i == 1 ? 0 : GL_STENCIL_BUFFER_BIT));
        glScissor(20, 20, 5, 5);
        glClear(GL_STENCIL_BUFFER_BIT);
        glDisable(GL_SCISSOR_TEST);
    }
}

/* Mesa 25 names the extension and refuses this on chips before GT215, whose stencil cannot be a texture. */
static bool reads_stencil(void) {
    uint8_t value;
    glReadPixels(0, 0, 1, 1, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE, &value);
    return glGetError() != GL_INVALID_ENUM;
}

/* Both are read by extensions: GL_NV_read_depth, GL_NV_read_stencil. */
static void paint_zeta(const struct painter *painter, GLenum storage, GLenum type, bool stencil) {
    GLuint names[2];
    char name[32];
    glGenRenderbuffers(1, &names[0]);
    glBindRenderbuffer(GL_RENDERBUFFER, names[0]);
    glRenderbufferStorage(GL_RENDERBUFFER, storage, painter->width, painter->height);
    glGenFramebuffers(1, &names[1]);
    glBindFramebuffer(GL_FRAMEBUFFER, names[1]);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, names[0]);
    if (stencil)
        glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_STENCIL_ATTACHMENT, GL_RENDERBUFFER, names[0]);
    clear_depths(painter);
    snprintf(name, sizeof name, "depth %x", (unsigned)storage);
    if (type)
        emit_pixels(painter, name, GL_DEPTH_COMPONENT, type, 4);
    snprintf(name, sizeof name, "stencil %x", (unsigned)storage);
    if (stencil && reads_stencil())
        emit_pixels(painter, name, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE, 1);
    free_storage(names);
}

void scene_zeta(const struct painter *painter) {
    paint_zeta(painter, GL_DEPTH_COMPONENT16, GL_UNSIGNED_INT, false);
    paint_zeta(painter, GL_DEPTH24_STENCIL8, GL_UNSIGNED_INT, false);
}

void scene_more_zeta(const struct painter *painter) {
    paint_zeta(painter, GL_DEPTH24_STENCIL8, GL_UNSIGNED_INT, true);
    paint_zeta(painter, GL_DEPTH_COMPONENT24, GL_UNSIGNED_INT, false);
    paint_zeta(painter, GL_DEPTH_COMPONENT32F, GL_FLOAT, false);
    paint_zeta(painter, GL_DEPTH32F_STENCIL8, 0, true); /* its depth alone is drawn */
}
