/* SPDX-License-Identifier: MIT */
#include "canvas.h"

#include <GLES3/gl3.h>
#include <stdlib.h>
#include <string.h>

#include "screen.h"

/* The same numbers everywhere: an LCG, its upper bits. */
uint32_t canvas_random(uint32_t *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 16;
}

/* Multiples of 1/255 only: how a value between is rounded is not what these tests are about. */
void canvas_clear(uint32_t rgba) {
    glClearColor((float)(rgba >> 24) / 255.0f, (float)(rgba >> 16 & 255) / 255.0f, (float)(rgba >> 8 & 255) / 255.0f,
                 (float)(rgba & 255) / 255.0f);
    glClear(GL_COLOR_BUFFER_BIT);
}

void canvas_emit(const struct painter *painter, const char *name, int width, int height) {
    uint8_t *pixels = malloc((size_t)width * (size_t)height * 4);
    if (!pixels)
        screen_fail("no memory");
    /* What is not read is seen. */
    memset(pixels, 0x5a, (size_t)width * (size_t)height * 4);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    screen_check(name);
    painter->emit(painter->opaque, name, width, height, pixels);
    free(pixels);
}

void canvas_rectangles(const struct painter *painter, uint32_t seed) {
    const int w = painter->width, h = painter->height;
    glDisable(GL_SCISSOR_TEST);
    canvas_clear(0x1020c0ffu ^ seed << 8);
    glEnable(GL_SCISSOR_TEST);
    for (unsigned i = 0; i < 24; i++) {
        int x = (int)canvas_random(&seed) % w, y = (int)canvas_random(&seed) % h;
        glScissor(x, y, 1 + (int)canvas_random(&seed) % (w / 2 + 1), 1 + (int)canvas_random(&seed) % (h / 2 + 1));
        canvas_clear(canvas_random(&seed) << 16 | canvas_random(&seed));
    }
    /* The corners, and a single pixel. */
    static const uint32_t corners[] = {0xff0000ff, 0x00ff00ff, 0x0000ff80, 0xffffff00};
    for (int i = 0; i < 4; i++) {
        glScissor(i & 1 ? w - 3 : 0, i & 2 ? h - 2 : 0, 3, 2);
        canvas_clear(corners[i]);
    }
    glScissor(w / 2, h / 2, 1, 1);
    canvas_clear(0x01fe7f80);
    glDisable(GL_SCISSOR_TEST);
    screen_check("rectangles");
}

/* ---- framebuffers over textures ---- */

struct target target_around(GLenum format, GLenum type, int width, int height, const void *pixels) {
    struct target target;
    glGenTextures(1, &target.texture);
    glBindTexture(GL_TEXTURE_2D, target.texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glTexImage2D(GL_TEXTURE_2D, 0, (GLint)format, width, height, 0, format, type, pixels);
    glGenFramebuffers(1, &target.framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, target.framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, target.texture, 0);
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
        screen_fail("a framebuffer is not complete");
    return target;
}

struct target target_new(int width, int height) {
    return target_around(GL_RGBA, GL_UNSIGNED_BYTE, width, height, NULL);
}

void target_free(struct target *target) {
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glDeleteFramebuffers(1, &target->framebuffer);
    glDeleteTextures(1, &target->texture);
}
