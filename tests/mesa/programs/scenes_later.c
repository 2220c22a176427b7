/* SPDX-License-Identifier: MIT */
/* What came later as an extension, or with OpenGL ES 3.1 and 3.2: conditions, times, copies of images, texture clears.
 */
#include "canvas.h"

#include <EGL/egl.h>
#include <GLES2/gl2ext.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "screen.h"

static void (*function(const char *name))(void) {
    void (*found)(void) = eglGetProcAddress(name);
    if (!found)
        screen_fail("%s is missing", name);
    return found;
}

/* A query with nothing in it comes to its end, and says so. */
void scene_passed(const struct painter *painter) {
    PFNGLGENQUERIESEXTPROC gen = (PFNGLGENQUERIESEXTPROC)function("glGenQueriesEXT");
    PFNGLBEGINQUERYEXTPROC begin = (PFNGLBEGINQUERYEXTPROC)function("glBeginQueryEXT");
    PFNGLENDQUERYEXTPROC end = (PFNGLENDQUERYEXTPROC)function("glEndQueryEXT");
    PFNGLGETQUERYOBJECTUIVEXTPROC get = (PFNGLGETQUERYOBJECTUIVEXTPROC)function("glGetQueryObjectuivEXT");
    GLuint queries[4], results[4] = {7, 7, 7, 7};
    gen(4, queries);
    for (unsigned i = 0; i < 4; i++) {
        begin(GL_ANY_SAMPLES_PASSED_EXT, queries[i]);
        canvas_clear(0x01020304u * i);
        end(GL_ANY_SAMPLES_PASSED_EXT);
    }
    for (unsigned i = 0; i < 4; i++)
        get(queries[i], GL_QUERY_RESULT_EXT, &results[i]);
    screen_check("passed");
    painter->emit(painter->opaque, "passed", 4, 1, (const uint8_t *)results);
}

/* Nothing has passed: clears under the condition are left out, those after it are not, nor those that do not wait. */
void scene_conditions(const struct painter *painter) {
    PFNGLBEGINCONDITIONALRENDERNVPROC begin = (PFNGLBEGINCONDITIONALRENDERNVPROC)function("glBeginConditionalRenderNV");
    PFNGLENDCONDITIONALRENDERNVPROC end = (PFNGLENDCONDITIONALRENDERNVPROC)function("glEndConditionalRenderNV");
    GLuint query;
    glGenQueries(1, &query);
    canvas_clear(0x102030ff);
    glBeginQuery(GL_ANY_SAMPLES_PASSED, query);
    glEndQuery(GL_ANY_SAMPLES_PASSED);
    begin(query, GL_QUERY_WAIT_NV);
    canvas_rectangles(painter, 80);
    end();
    canvas_emit(painter, "under a condition", painter->width, painter->height);
    canvas_rectangles(painter, 81);
    begin(query, GL_QUERY_WAIT_NV);
    canvas_clear(0xffffffff);
    end();
    canvas_emit(painter, "after a condition", painter->width, painter->height);
    glDeleteQueries(1, &query);
}

/* What time it is, nobody can say beforehand; that it goes on, one can. */
void scene_times(const struct painter *painter) {
    PFNGLQUERYCOUNTEREXTPROC counter = (PFNGLQUERYCOUNTEREXTPROC)function("glQueryCounterEXT");
    PFNGLGETQUERYOBJECTUI64VEXTPROC result = (PFNGLGETQUERYOBJECTUI64VEXTPROC)function("glGetQueryObjectui64vEXT");
    GLuint queries[3];
    GLuint64 times[2] = {0, 0}, elapsed = 0;
    GLint64 now = 0;
    glGenQueries(3, queries);
    counter(queries[0], GL_TIMESTAMP_EXT);
    glBeginQuery(GL_TIME_ELAPSED_EXT, queries[1]);
    canvas_rectangles(painter, 90);
    glEndQuery(GL_TIME_ELAPSED_EXT);
    counter(queries[2], GL_TIMESTAMP_EXT);
    result(queries[0], GL_QUERY_RESULT, &times[0]);
    result(queries[1], GL_QUERY_RESULT, &elapsed);
    result(queries[2], GL_QUERY_RESULT, &times[1]);
    glGetInteger64v(GL_TIMESTAMP_EXT, &now);
    glDeleteQueries(3, queries);
    screen_check("times");
    const uint8_t truths[4] = {times[0] > 0, times[1] >= times[0], elapsed > 0, (GLuint64)now >= times[1]};
    painter->emit(painter->opaque, "times", 1, 1, truths);
}

/* Between layers of arrays, with offsets, of formats that have the same size. */
void scene_images(const struct painter *painter) {
    PFNGLCOPYIMAGESUBDATAEXTPROC copy = (PFNGLCOPYIMAGESUBDATAEXTPROC)function("glCopyImageSubDataEXT");
    const int w = painter->width, h = painter->height;
    GLuint textures[2], framebuffer;
    glGenTextures(2, textures);
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    for (int i = 0; i < 2; i++) {
        glBindTexture(GL_TEXTURE_2D_ARRAY, textures[i]);
        glTexStorage3D(GL_TEXTURE_2D_ARRAY, 1, i ? GL_R32UI : GL_RGBA8, w, h, 3);
    }
    for (int layer = 0; layer < 3; layer++) {
        glFramebufferTextureLayer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, textures[0], 0, layer);
        canvas_rectangles(painter, 100 + (uint32_t)layer);
    }
    copy(textures[0], GL_TEXTURE_2D_ARRAY, 0, 0, 0, 0, textures[1], GL_TEXTURE_2D_ARRAY, 0, 0, 0, 0, w, h, 3);
    copy(textures[1], GL_TEXTURE_2D_ARRAY, 0, 3, 5, 1, textures[0], GL_TEXTURE_2D_ARRAY, 0, 17, 19, 0, 31, 29, 2);
    copy(textures[1], GL_TEXTURE_2D_ARRAY, 0, w - 1, h - 1, 0, textures[0], GL_TEXTURE_2D_ARRAY, 0, 1, 2, 2, 1, 1, 1);
    screen_check("images");
    for (int layer = 0; layer < 3; layer++) {
        glFramebufferTextureLayer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, textures[0], 0, layer);
        canvas_emit(painter, "images", w, h);
    }
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glDeleteFramebuffers(1, &framebuffer);
    glDeleteTextures(2, textures);
}

/* The first number of Mesa's version; 0: it is not Mesa. */
static long mesa_version(void) {
    const char *mesa = strstr((const char *)glGetString(GL_VERSION), "Mesa ");
    return mesa ? strtol(mesa + 5, NULL, 10) : 0;
}

/*
 * The whole and a part of a texture that is bound nowhere.
 *
 * Not with Mesa 26: its nvc0_clear_render_target() takes the size, the layers and the offset from what follows on the
 * stack, since the state tracker gives it a surface without these (docs/mesa.md).
 */
void scene_filled(const struct painter *painter) {
    PFNGLCLEARTEXIMAGEEXTPROC clear = (PFNGLCLEARTEXIMAGEEXTPROC)function("glClearTexImageEXT");
    PFNGLCLEARTEXSUBIMAGEEXTPROC clear_part = (PFNGLCLEARTEXSUBIMAGEEXTPROC)function("glClearTexSubImageEXT");
    static const uint8_t colours[2][4] = {{1, 2, 3, 4}, {250, 120, 60, 30}};
    if (mesa_version() == 26) {
        fprintf(stderr, "filled: left out, Mesa 26 clears at random\n");
        return;
    }
    struct target target = target_new(painter->width, painter->height);
    clear(target.texture, 0, GL_RGBA, GL_UNSIGNED_BYTE, colours[0]);
    clear_part(target.texture, 0, 7, 11, 0, 30, 40, 1, GL_RGBA, GL_UNSIGNED_BYTE, colours[1]);
    screen_check("filled");
    canvas_emit(painter, "filled", painter->width, painter->height);
    target_free(&target);
}

/* Uploads to layers and levels of blocks that are compressed; what came is seen by a copy of their bits. */
void scene_compressed(const struct painter *painter) {
    PFNGLCOPYIMAGESUBDATAEXTPROC copy = (PFNGLCOPYIMAGESUBDATAEXTPROC)function("glCopyImageSubDataEXT");
    enum { WIDTH = 76, HEIGHT = 52, ACROSS = WIDTH / 4, DOWN = HEIGHT / 4 };
    uint8_t blocks[ACROSS * DOWN * 8];
    GLuint textures[2], framebuffer;
    (void)painter;
    for (uint32_t i = 0, seed = 12; i < sizeof blocks; i++)
        blocks[i] = (uint8_t)canvas_random(&seed);
    glGenTextures(2, textures);
    glGenFramebuffers(1, &framebuffer);
    glBindTexture(GL_TEXTURE_2D, textures[0]);
    glTexStorage2D(GL_TEXTURE_2D, 1, GL_COMPRESSED_RGBA_S3TC_DXT1_EXT, WIDTH, HEIGHT);
    glCompressedTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, WIDTH, HEIGHT, GL_COMPRESSED_RGBA_S3TC_DXT1_EXT, sizeof blocks,
                              blocks);
    glBindTexture(GL_TEXTURE_2D, textures[1]);
    glTexStorage2D(GL_TEXTURE_2D, 1, GL_RG32UI, ACROSS, DOWN);
    copy(textures[0], GL_TEXTURE_2D, 0, 0, 0, 0, textures[1], GL_TEXTURE_2D, 0, 0, 0, 0, WIDTH, HEIGHT, 1);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, textures[1], 0);
    glReadPixels(0, 0, ACROSS, DOWN, GL_RG_INTEGER, GL_UNSIGNED_INT, blocks);
    screen_check("compressed");
    painter->emit(painter->opaque, "compressed", ACROSS * 2, DOWN, blocks);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glDeleteFramebuffers(1, &framebuffer);
    glDeleteTextures(2, textures);
}
