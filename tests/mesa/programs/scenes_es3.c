/* SPDX-License-Identifier: MIT */
/* What only OpenGL ES 3 has: blits between framebuffers, levels and layers, buffers that GL copies, queries. */
#include "canvas.h"

#include <stdlib.h>
#include <string.h>

#include "screen.h"

/* A source with rectangles to read from, and a grey destination to draw on. */
static void blit_between(const struct painter *painter, struct target *from, struct target *to, uint32_t seed) {
    *from = target_new(painter->width, painter->height);
    canvas_rectangles(painter, seed);
    *to = target_new(painter->width, painter->height);
    canvas_clear(0x808080ff);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, from->framebuffer);
}

static void blit_done(const struct painter *painter, struct target *from, struct target *to, const char *name) {
    glBindFramebuffer(GL_FRAMEBUFFER, to->framebuffer);
    canvas_emit(painter, name, painter->width, painter->height);
    target_free(to);
    target_free(from);
}

/* Those that scale are drawn by Mesa, even where 2D could do it. */
void scene_blits(const struct painter *painter) {
    const int wide = painter->width / 2 - 1, high = painter->height / 2 - 1;
    struct target from, to;
    blit_between(painter, &from, &to, 6);
    /* As it is, turned left to right, upside down, both: to a quarter each. */
    for (int way = 0; way < 4; way++) {
        int x = way & 1 ? painter->width / 2 : 0, y = way & 2 ? painter->height / 2 : 0;
        glBlitFramebuffer(1, 2, 1 + wide, 2 + high, way & 1 ? x + wide : x, way & 2 ? y + high : y,
                          way & 1 ? x : x + wide, way & 2 ? y : y + high, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    }
    /* What the scissor leaves of one. */
    glEnable(GL_SCISSOR_TEST);
    glScissor(wide - 2, high - 2, 6, 5);
    glBlitFramebuffer(0, 0, wide, high, wide / 2, high / 2, wide / 2 + wide, high / 2 + high, GL_COLOR_BUFFER_BIT,
                      GL_NEAREST);
    glDisable(GL_SCISSOR_TEST);
    blit_done(painter, &from, &to, "blits");
}

void scene_levels(const struct painter *painter) {
    const int w = 64, h = 32, levels = 7;
    GLuint texture, framebuffer;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexStorage2D(GL_TEXTURE_2D, levels, GL_RGBA8, w, h);
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    for (int level = 0; level < levels; level++) {
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, level);
        canvas_clear(0x102030ffu + 0x22110044u * (uint32_t)level);
    }
    for (int level = 0; level < levels; level++) {
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, level);
        canvas_emit(painter, "levels", w >> level ? w >> level : 1, h >> level ? h >> level : 1);
    }
    glDeleteFramebuffers(1, &framebuffer);
    glDeleteTextures(1, &texture);
}

/* Of an array, and of a texture with depth, whose tiles have depth, too. */
void scene_layers(const struct painter *painter) {
    static const GLenum kinds[] = {GL_TEXTURE_2D_ARRAY, GL_TEXTURE_3D};
    const int w = painter->width, h = painter->height, layers = 5;
    for (unsigned kind = 0; kind < 2; kind++) {
        GLuint texture, framebuffer;
        glGenTextures(1, &texture);
        glBindTexture(kinds[kind], texture);
        glTexStorage3D(kinds[kind], 1, GL_RGBA8, w, h, layers);
        glGenFramebuffers(1, &framebuffer);
        glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
        for (int layer = 0; layer < layers; layer++) {
            glFramebufferTextureLayer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, texture, 0, layer);
            canvas_rectangles(painter, 20 + (uint32_t)layer);
        }
        for (int layer = 0; layer < layers; layer++) {
            glFramebufferTextureLayer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, texture, 0, layer);
            canvas_emit(painter, kind ? "layers with depth" : "layers", w, h);
        }
        glDeleteFramebuffers(1, &framebuffer);
        glDeleteTextures(1, &texture);
    }
}

static void emit_buffer(const struct painter *painter, const char *name, GLenum target, int width, int height) {
    const void *bytes = glMapBufferRange(target, 0, (GLsizeiptr)width * height * 4, GL_MAP_READ_BIT);
    if (!bytes)
        screen_fail("%s: cannot be mapped", name);
    painter->emit(painter->opaque, name, width, height, bytes);
    glUnmapBuffer(target);
    screen_check(name);
}

/* Pixels to or from a buffer are drawn by Mesa. */
void scene_buffers(const struct painter *painter) {
    enum { WIDTH = 64, HEIGHT = 48, BYTES = WIDTH * HEIGHT * 4 };
    uint8_t bytes[BYTES];
    GLuint buffers[2];
    for (uint32_t i = 0, seed = 9; i < BYTES; i++)
        bytes[i] = (uint8_t)canvas_random(&seed);
    glGenBuffers(2, buffers);
    glBindBuffer(GL_COPY_READ_BUFFER, buffers[0]);
    glBufferData(GL_COPY_READ_BUFFER, BYTES, bytes, GL_STATIC_DRAW);
    glBindBuffer(GL_COPY_WRITE_BUFFER, buffers[1]);
    memset(bytes, 0x77, BYTES);
    glBufferData(GL_COPY_WRITE_BUFFER, BYTES, bytes, GL_DYNAMIC_READ);
    glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 3, 1001, 4099);
    glBufferSubData(GL_COPY_WRITE_BUFFER, BYTES - 100, 64, bytes + 32);
    glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 4096, 8192, 2048);
    emit_buffer(painter, "buffers", GL_COPY_WRITE_BUFFER, WIDTH, HEIGHT);
    glDeleteBuffers(2, buffers);
}

/* Clears count for none of them; and a fence comes. Their results are pixels of a picture. */
void scene_queries(const struct painter *painter) {
    static const GLenum kinds[] = {GL_ANY_SAMPLES_PASSED, GL_ANY_SAMPLES_PASSED_CONSERVATIVE,
                                   GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN};
    GLuint queries[3], results[5];
    glGenQueries(3, queries);
    for (unsigned i = 0; i < 3; i++) {
        glBeginQuery(kinds[i], queries[i]);
        canvas_rectangles(painter, 40 + i);
        glEndQuery(kinds[i]);
    }
    for (unsigned i = 0; i < 3; i++) {
        results[i] = 0x55555555;
        glGetQueryObjectuiv(queries[i], GL_QUERY_RESULT, &results[i]);
    }
    glDeleteQueries(3, queries);
    GLsync fence = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    GLenum waited = glClientWaitSync(fence, GL_SYNC_FLUSH_COMMANDS_BIT, UINT64_C(60000000000));
    results[3] = waited == GL_ALREADY_SIGNALED || waited == GL_CONDITION_SATISFIED;
    GLint state = 0;
    glGetSynciv(fence, GL_SYNC_STATUS, 1, NULL, &state);
    results[4] = state == GL_SIGNALED;
    glDeleteSync(fence);
    screen_check("queries");
    painter->emit(painter->opaque, "queries", 5, 1, (const uint8_t *)results);
}
