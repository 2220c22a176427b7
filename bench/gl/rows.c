/* SPDX-License-Identifier: MIT */
#include "rows.h"

#include <stddef.h>
#include <stdlib.h>

#include "context.h"
#include "programs.h"

#define COLUMNS   256u /* of triangles of ten pixels, and as many rows */
#define TRIANGLES (COLUMNS * COLUMNS)
#define TOGETHER  10u /* triangles of a draw, where draws are counted */
#define DRAWS     2048u
#define PIXELS    ((uint32_t)CONTEXT_SIZE * CONTEXT_SIZE)
#define QUAD      (3 * TRIANGLES) /* the first vertex of a strip over the whole target, after the triangles */

/* clang-format off */
const struct row rows[] = {
    {"pixels", "pixels", PIXELS, .color = {191, 32, 0}, .tolerance = 1},
    {"pixels, depth", "pixels", PIXELS, .depth = true, .color = {191, 32, 0}, .tolerance = 1},
    {"pixels, blended", "pixels", PIXELS, .blend = true, .color = {96, 16, 0}, .tolerance = 1},
    {"pixels, four samples", "pixels", PIXELS, .samples4 = true, .color = {191, 32, 0}, .tolerance = 1},
    {"pixels, texture, nearest", "pixels", PIXELS, .program = ROW_TEXTURED, .filter = GL_NEAREST, .color = {231, 167, 0},
     .tolerance = 2},
    {"pixels, texture, bilinear", "pixels", PIXELS, .program = ROW_TEXTURED, .filter = GL_LINEAR, .color = {231, 167, 0},
     .tolerance = 2},
    {"pixels, texture, trilinear", "pixels", PIXELS, .program = ROW_TEXTURED, .filter = GL_LINEAR_MIPMAP_LINEAR,
     .color = {231, 167, 0}, .tolerance = 3},
    {"multiply-adds", "operations", PIXELS * CHAIN_OPERATIONS, .program = ROW_CHAIN, .color = {21, 21, 21}, .tolerance = 1},
    {"triangles of ten pixels", "triangles", TRIANGLES, .shape = ROW_TRIANGLES, .color = {191, 32, 0}, .tolerance = 1},
    {"vertices, lit and culled", "vertices", 3 * TRIANGLES, .shape = ROW_TRIANGLES, .program = ROW_LIT, .culled = true,
     .color = {207, 88, 64}, .tolerance = 1},
    {"draws", "draws", DRAWS, .shape = ROW_DRAWS, .program = ROW_TINTED, .color = {191, 32, 0}, .tolerance = 1},
    {"draws, uniform", "draws", DRAWS, .shape = ROW_DRAWS, .program = ROW_TINTED, .change = ROW_UNIFORM,
     .color = {191, 32, 0}, .tolerance = 2},
    {"draws, texture", "draws", DRAWS, .shape = ROW_DRAWS, .program = ROW_TEXTURED, .change = ROW_TEXTURE,
     .filter = GL_NEAREST, .color = {231, 167, 0}, .tolerance = 2},
    {"draws, blending", "draws", DRAWS, .shape = ROW_DRAWS, .program = ROW_TINTED, .change = ROW_BLEND,
     .color = {191, 32, 0}, .tolerance = 1},
    {"draws, program", "draws", DRAWS, .shape = ROW_DRAWS, .program = ROW_TINTED, .change = ROW_PROGRAM,
     .color = {191, 32, 0}, .tolerance = 1},
    {NULL},
};
/* clang-format on */

static struct scene {
    struct target single, samples4;
    GLuint programs[ROW_PROGRAMS], textures[2], vertices;
    GLint tint;
} scene;

/* ---- what is there before the first row ---- */

struct vertex {
    GLfloat at[2], normal[3];
};

static void put_vertex(struct vertex *vertex, float x, float y) {
    *vertex = (struct vertex){{x, y}, {0, 0, 1}};
}

/* Half of a square of sqrt(20) pixels in each cell; then the quad. */
static void put_vertices(void) {
    const float step = 2.0f / COLUMNS, edge = 4.4721f * 2 / CONTEXT_SIZE;
    struct vertex *all = calloc(QUAD + 4, sizeof *all), *to = all;
    if (!all)
        context_fail("vertices", "no memory");
    for (uint32_t i = 0; i < TRIANGLES; i++) {
        uint32_t line = i / COLUMNS;
        float x = -1 + step * (float)(i % COLUMNS), y = -1 + step * (float)line;
        put_vertex(to++, x, y);
        put_vertex(to++, x + edge, y);
        put_vertex(to++, x, y + edge);
    }
    for (uint32_t i = 0; i < 4; i++)
        put_vertex(to++, i & 1 ? 1 : -1, i & 2 ? 1 : -1);
    glGenBuffers(1, &scene.vertices);
    glBindBuffer(GL_ARRAY_BUFFER, scene.vertices);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)((QUAD + 4) * sizeof *all), all, GL_STATIC_DRAW);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, sizeof *all, (void *)offsetof(struct vertex, at));
    glVertexAttribPointer(1, 3, GL_FLOAT, GL_FALSE, sizeof *all, (void *)offsetof(struct vertex, normal));
    glEnableVertexAttribArray(0);
    glEnableVertexAttribArray(1);
    free(all);
}

/* Red and green grow with the coordinates. */
static GLuint texture_new(void) {
    static uint8_t texels[TEXTURE_SIZE][TEXTURE_SIZE][4];
    GLuint name;
    for (int y = 0; y < TEXTURE_SIZE; y++)
        for (int x = 0; x < TEXTURE_SIZE; x++) {
            uint8_t *texel = texels[y][x];
            texel[0] = (uint8_t)x;
            texel[1] = (uint8_t)y;
            texel[3] = 255;
        }
    glGenTextures(1, &name);
    glBindTexture(GL_TEXTURE_2D, name);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, TEXTURE_SIZE, TEXTURE_SIZE, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
    glGenerateMipmap(GL_TEXTURE_2D);
    return name;
}

void rows_open(void) {
    scene.samples4 = target_new(4);
    scene.single = target_new(0);
    glViewport(0, 0, CONTEXT_SIZE, CONTEXT_SIZE);
    glDisable(GL_DITHER);
    put_vertices();
    for (int i = 0; i < 2; i++)
        scene.textures[i] = texture_new();
    for (int i = 0; i < ROW_PROGRAMS; i++)
        scene.programs[i] = programs_new((enum row_program)i);
    scene.tint = glGetUniformLocation(scene.programs[ROW_TINTED], "tint");
    context_check("rows");
}

/* ---- a row ---- */

static void enable(GLenum what, bool on) {
    if (on)
        glEnable(what);
    else
        glDisable(what);
}

static void clear(void) {
    glClearColor(0, 0, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
}

void row_begin(const struct row *row) {
    glBindFramebuffer(GL_FRAMEBUFFER, row->samples4 ? scene.samples4.framebuffer : scene.single.framebuffer);
    glUseProgram(scene.programs[row->program]);
    glUniform4f(row->program == ROW_TINTED ? scene.tint : -1, 1, 1, 1, 1);
    for (int i = 0; i < 2 && row->filter; i++) {
        glBindTexture(GL_TEXTURE_2D, scene.textures[i]);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, (GLint)row->filter);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, row->filter == GL_NEAREST ? GL_NEAREST : GL_LINEAR);
    }
    enable(GL_DEPTH_TEST, row->depth);
    glDepthFunc(GL_LEQUAL); /* each portion of work passes and is written, after the same one before it, too */
    enable(GL_BLEND, row->blend || row->change == ROW_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    enable(GL_CULL_FACE, row->culled);
    glCullFace(GL_FRONT); /* all triangles are */
    clear();
    context_check(row->name);
}

/* What the picture does not show, or hardly. */
static void change(const struct row *row, uint32_t number) {
    unsigned odd = number & 1;
    switch (row->change) {
    case ROW_UNIFORM:
        glUniform4f(scene.tint, odd ? 1 : 0.998f, 1, 1, 1);
        break;
    case ROW_TEXTURE:
        glBindTexture(GL_TEXTURE_2D, scene.textures[odd]);
        break;
    case ROW_BLEND:
        glBlendFunc(GL_ONE, odd ? GL_ZERO : GL_ONE_MINUS_SRC_ALPHA);
        break;
    case ROW_PROGRAM:
        glUseProgram(scene.programs[odd ? ROW_TINTED : ROW_TINTED_TOO]);
        break;
    default:
        break;
    }
}

/*
 * The flush ends a scene of llvmpipe's, which would otherwise leave out what the next quad covers. Draws end where they do
 * anyway.
 */
void row_draw(const struct row *row) {
    if (row->shape == ROW_QUAD)
        glDrawArrays(GL_TRIANGLE_STRIP, QUAD, 4);
    else if (row->shape == ROW_TRIANGLES)
        glDrawArrays(GL_TRIANGLES, 0, 3 * TRIANGLES);
    else
        for (uint32_t i = 0; i < DRAWS; i++) {
            change(row, i);
            glDrawArrays(GL_TRIANGLES, (GLint)(3 * TOGETHER * i), 3 * TOGETHER);
        }
    glFlush();
}

void row_look(const struct row *row, uint8_t rgba[4]) {
    clear();
    glDisable(GL_CULL_FACE);
    row_draw(row);
    if (row->samples4) {
        glBindFramebuffer(GL_DRAW_FRAMEBUFFER, scene.single.framebuffer);
        glBlitFramebuffer(0, 0, CONTEXT_SIZE, CONTEXT_SIZE, 0, 0, CONTEXT_SIZE, CONTEXT_SIZE, GL_COLOR_BUFFER_BIT,
                          GL_NEAREST);
        glBindFramebuffer(GL_FRAMEBUFFER, scene.single.framebuffer);
    }
    target_pixel(ROW_X, ROW_Y, rgba);
}

bool row_is_right(const struct row *row, const uint8_t rgba[4]) {
    for (int i = 0; i < 3; i++)
        if (abs(rgba[i] - row->color[i]) > row->tolerance)
            return false;
    return true;
}
