/* SPDX-License-Identifier: MIT */
/* Pictures that are drawn, with the programs of OpenGL ES 3. */
#include "drawing.h"

#include <string.h>

#include "screen.h"

static const char flat_colour[] = DRAWING_ES3 "uniform vec4 colour;\n"
                                              "out vec4 seen;\n"
                                              "void main() { seen = colour; }\n";

/* Each instance is moved by its number and a row of a uniform block, and has a colour of that block. */
static const char instances_vertex[] =
    DRAWING_ES3 "in vec4 at;\n"
                "in vec2 way;\n" /* of each second instance */
                "uniform vec2 size;\n"
                "layout(std140) uniform Rows { vec4 colours[6]; ivec4 moves[6]; };\n"
                "flat out vec4 colour;\n"
                "void main() {\n"
                "    vec2 p = at.xy + vec2(moves[gl_InstanceID].xy) + way * float(gl_VertexID & 1);\n"
                "    gl_Position = vec4(p / size - 1.0, 0.0, 1.0);\n"
                "    colour = colours[gl_InstanceID];\n"
                "}\n";

static const char instances_fragment[] = DRAWING_ES3 "flat in vec4 colour;\n"
                                                     "out vec4 seen;\n"
                                                     "void main() { seen = colour; }\n";

static const char integers[] =
    DRAWING_ES3 "in vec2 pixel;\n"
                "out vec4 seen;\n"
                "void main() {\n"
                "    uvec2 p = uvec2(pixel);\n"
                "    uint n = p.x * 0x9e3779b1u ^ p.y * 0x85ebca6bu;\n"
                "    n ^= n >> 15; n *= 0x2c1b3c6du; n ^= n >> 12;\n"
                "    int m = int(n) / (int(p.x) + 3) + int(n) % (int(p.y) - 70);\n"
                "    uint k = (n / (p.y + 5u)) + (n % (p.x + 7u)) + uint(min(m, 1000) - max(m, -1000));\n"
                "    k ^= uint(m >> 3) + (n << (p.x & 31u));\n"
                "    seen = vec4(uvec4(k, k >> 8, k >> 16, k >> 24) & 255u) / 255.0;\n"
                "}\n";

static const char two_targets[] = DRAWING_ES3 "in vec2 pixel;\n"
                                              "layout(location = 0) out vec4 first;\n"
                                              "layout(location = 1) out uvec4 second;\n"
                                              "void main() {\n"
                                              "    uvec2 p = uvec2(pixel);\n"
                                              "    first = vec4(vec2(p) * 4.0, 128.0, 255.0) / 255.0;\n"
                                              "    second = uvec4(p.x ^ p.y, p.x & p.y, p.x | p.y, 255u);\n"
                                              "}\n";

static const char layered[] = DRAWING_ES3
    "in vec2 pixel;\n"
    "uniform highp sampler2DArray layers;\n"
    "uniform highp sampler3D depth;\n"
    "out vec4 seen;\n"
    "void main() {\n"
    "    ivec2 p = ivec2(pixel);\n"
    "    vec4 one = texelFetch(layers, ivec3(p & 7, (p.x / 8) % 4), 0);\n"
    "    vec4 other = textureLod(depth, vec3(vec2(p & 7) + 0.5, float(p.y / 16) + 0.5) / vec3(8, 8, 4), 0.0);\n"
    "    vec4 least = texelFetch(layers, ivec3(p & 3, 1), 1);\n"
    "    seen = p.x < p.y ? one : p.x + p.y < 64 ? other : least;\n"
    "    seen.r += float(textureSize(layers, 0).z) / 255.0;\n"
    "}\n";

void scene_drawn_instances(const struct painter *painter) {
    enum { COUNT = 6 };
    static const GLfloat at[4][4] = {{1, 1, 0, 1}, {9, 1, 0, 1}, {1, 12, 0, 1}, {9, 12, 0, 1}};
    static const GLfloat ways[COUNT / 2][2] = {{0, 0}, {5, 3}, {-3, 6}};
    struct {
        GLfloat colours[COUNT][4];
        GLint moves[COUNT][4];
    } rows;
    GLuint buffers[2];
    struct target target = target_new(DRAWING_SIZE, DRAWING_SIZE);
    struct drawing drawing = drawing_begin(instances_vertex, instances_fragment, DRAWING_SIZE, DRAWING_SIZE);
    GLint way = glGetAttribLocation(drawing.program, "way");
    memset(&rows, 0, sizeof rows);
    for (int i = 0; i < COUNT; i++) {
        for (int channel = 0; channel < 4; channel++)
            rows.colours[i][channel] = (float)(i * 40 + channel * 17) / 255.0f;
        rows.moves[i][0] = i * 9;
        rows.moves[i][1] = i * i + 2;
    }
    glGenBuffers(2, buffers);
    glBindBuffer(GL_UNIFORM_BUFFER, buffers[0]);
    glBufferData(GL_UNIFORM_BUFFER, sizeof rows, &rows, GL_STATIC_DRAW);
    glUniformBlockBinding(drawing.program, glGetUniformBlockIndex(drawing.program, "Rows"), 3);
    glBindBufferBase(GL_UNIFORM_BUFFER, 3, buffers[0]);
    glBufferData(GL_ARRAY_BUFFER, sizeof at, at, GL_STATIC_DRAW);
    glBindBuffer(GL_ARRAY_BUFFER, buffers[1]);
    glBufferData(GL_ARRAY_BUFFER, sizeof ways, ways, GL_STATIC_DRAW);
    glEnableVertexAttribArray((GLuint)way);
    glVertexAttribPointer((GLuint)way, 2, GL_FLOAT, GL_FALSE, 0, NULL);
    glVertexAttribDivisor((GLuint)way, 2);
    canvas_clear(0x112233ff);
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, COUNT);
    canvas_emit(painter, "drawn instances", DRAWING_SIZE, DRAWING_SIZE);
    glVertexAttribDivisor((GLuint)way, 0);
    glDisableVertexAttribArray((GLuint)way);
    glDeleteBuffers(2, buffers);
    drawing_end(&drawing);
    target_free(&target);
}

void scene_drawn_integers(const struct painter *painter) {
    struct target target = target_new(DRAWING_SIZE, DRAWING_SIZE);
    struct drawing drawing = drawing_begin(drawing_vertex_es3, integers, DRAWING_SIZE, DRAWING_SIZE);
    canvas_clear(0);
    drawing_rectangle(0, 0, DRAWING_SIZE, DRAWING_SIZE, 0);
    canvas_emit(painter, "drawn integers", DRAWING_SIZE, DRAWING_SIZE);
    drawing_end(&drawing);
    target_free(&target);
}

/* Rectangles that count up, down or turn over where they overlap; then a colour for each count. */
void scene_drawn_stencil(const struct painter *painter) {
    static const GLenum changes[] = {GL_INCR, GL_INVERT, GL_INCR_WRAP, GL_DECR, GL_REPLACE, GL_ZERO};
    struct target target = target_new(DRAWING_SIZE, DRAWING_SIZE);
    struct drawing drawing = drawing_begin(drawing_vertex_es3, flat_colour, DRAWING_SIZE, DRAWING_SIZE);
    GLuint zeta;
    glGenRenderbuffers(1, &zeta);
    glBindRenderbuffer(GL_RENDERBUFFER, zeta);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH24_STENCIL8, DRAWING_SIZE, DRAWING_SIZE);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, GL_RENDERBUFFER, zeta);
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
        screen_fail("a framebuffer with stencil is not complete");
    glClearStencil(2);
    glClear(GL_STENCIL_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    canvas_clear(0x112233ff);
    glEnable(GL_STENCIL_TEST);
    glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
    for (int i = 0; i < 6; i++) {
        glStencilFunc(GL_ALWAYS, 4, 0xff);
        glStencilOp(GL_KEEP, GL_KEEP, changes[i]);
        drawing_rectangle((float)i * 9, (float)i * 4, (float)i * 9 + 18, (float)i * 4 + 40, 0);
    }
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    glStencilOp(GL_KEEP, GL_KEEP, GL_KEEP);
    for (int i = 0; i < 5; i++) {
        glStencilFunc(GL_EQUAL, i, i == 4 ? 0x0f : 0xff);
        drawing_colour(&drawing, 0x20ff40ffu + (uint32_t)i * 0x30d01000u);
        drawing_rectangle(0, 0, DRAWING_SIZE, DRAWING_SIZE, 0);
    }
    glStencilFunc(GL_LESS, 0xf0, 0xff);
    drawing_colour(&drawing, 0xffffffff);
    drawing_rectangle(0, 0, DRAWING_SIZE, DRAWING_SIZE, 0);
    canvas_emit(painter, "drawn stencil", DRAWING_SIZE, DRAWING_SIZE);
    glDisable(GL_STENCIL_TEST);
    glClearStencil(0);
    glDeleteRenderbuffers(1, &zeta);
    drawing_end(&drawing);
    target_free(&target);
}

void scene_drawn_targets(const struct painter *painter) {
    static const GLenum both[] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1};
    GLuint words[DRAWING_SIZE * DRAWING_SIZE * 4];
    uint8_t bytes[DRAWING_SIZE * DRAWING_SIZE * 4];
    GLuint texture;
    struct target target = target_new(DRAWING_SIZE, DRAWING_SIZE);
    struct drawing drawing = drawing_begin(drawing_vertex_es3, two_targets, DRAWING_SIZE, DRAWING_SIZE);
    canvas_clear(0x112233ff);
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8UI, DRAWING_SIZE, DRAWING_SIZE);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT1, GL_TEXTURE_2D, texture, 0);
    glDrawBuffers(2, both);
    glClearBufferuiv(GL_COLOR, 1, (const GLuint[]){1, 2, 3, 4});
    drawing_rectangle(3, 5, 60, 62, 0);
    canvas_emit(painter, "drawn targets", DRAWING_SIZE, DRAWING_SIZE);
    glReadBuffer(GL_COLOR_ATTACHMENT1);
    glReadPixels(0, 0, DRAWING_SIZE, DRAWING_SIZE, GL_RGBA_INTEGER, GL_UNSIGNED_INT, words);
    screen_check("drawn targets");
    for (unsigned i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)words[i];
    painter->emit(painter->opaque, "drawn integer targets", DRAWING_SIZE, DRAWING_SIZE, bytes);
    glReadBuffer(GL_COLOR_ATTACHMENT0);
    drawing_end(&drawing);
    target_free(&target);
    glDeleteTextures(1, &texture);
}

static void fill_layers(GLenum kind, GLuint texture, uint32_t seed) {
    uint8_t texels[8 * 8 * 4 * 4];
    glBindTexture(kind, texture);
    glTexStorage3D(kind, 2, GL_RGBA8, 8, 8, 4);
    for (int level = 0; level < 2; level++) {
        for (unsigned i = 0; i < sizeof texels; i++)
            texels[i] = (uint8_t)canvas_random(&seed);
        glTexSubImage3D(kind, level, 0, 0, 0, 8 >> level, 8 >> level, kind == GL_TEXTURE_3D ? 4 >> level : 4, GL_RGBA,
                        GL_UNSIGNED_BYTE, texels);
    }
    glTexParameteri(kind, GL_TEXTURE_MIN_FILTER, GL_NEAREST_MIPMAP_NEAREST);
    glTexParameteri(kind, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
}

void scene_drawn_layers(const struct painter *painter) {
    GLuint textures[2];
    struct target target = target_new(DRAWING_SIZE, DRAWING_SIZE);
    struct drawing drawing = drawing_begin(drawing_vertex_es3, layered, DRAWING_SIZE, DRAWING_SIZE);
    glGenTextures(2, textures);
    fill_layers(GL_TEXTURE_2D_ARRAY, textures[0], 31);
    glUniform1i(glGetUniformLocation(drawing.program, "depth"), 1);
    glActiveTexture(GL_TEXTURE1);
    fill_layers(GL_TEXTURE_3D, textures[1], 32);
    glActiveTexture(GL_TEXTURE0);
    canvas_clear(0);
    drawing_rectangle(0, 0, DRAWING_SIZE, DRAWING_SIZE, 0);
    canvas_emit(painter, "drawn layers", DRAWING_SIZE, DRAWING_SIZE);
    glDeleteTextures(2, textures);
    drawing_end(&drawing);
    target_free(&target);
}

/* Whether anything was seen: a pixel, nothing because of its depth, nothing because of the scissor. */
void scene_drawn_counts(const struct painter *painter) {
    enum { COUNT = 3 };
    GLuint queries[COUNT], results[COUNT] = {7, 7, 7};
    struct target target = target_new(DRAWING_SIZE, DRAWING_SIZE);
    struct drawing drawing = drawing_begin(drawing_vertex_es3, flat_colour, DRAWING_SIZE, DRAWING_SIZE);
    glGenQueries(COUNT, queries);
    canvas_clear(0);
    for (unsigned i = 0; i < COUNT; i++) {
        if (i == 2) {
            glEnable(GL_SCISSOR_TEST);
            glScissor(40, 40, 4, 4);
        }
        drawing_colour(&drawing, 0xff00ff00u + i);
        glBeginQuery(GL_ANY_SAMPLES_PASSED, queries[i]);
        if (i == 1)
            drawing_rectangle(5, 5, 5.25f, 9, 0); /* between pixels */
        else
            drawing_rectangle(5, 5, 6, 6, 0);
        glEndQuery(GL_ANY_SAMPLES_PASSED);
    }
    glDisable(GL_SCISSOR_TEST);
    for (unsigned i = 0; i < COUNT; i++)
        glGetQueryObjectuiv(queries[i], GL_QUERY_RESULT, &results[i]);
    glDeleteQueries(COUNT, queries);
    painter->emit(painter->opaque, "drawn counts", COUNT, 1, (const uint8_t *)results);
    canvas_emit(painter, "what was counted", DRAWING_SIZE, DRAWING_SIZE);
    drawing_end(&drawing);
    target_free(&target);
}

/* The counts come from a buffer. Mesa has macros of the front end for that. */
void scene_drawn_indirectly(const struct painter *painter) {
    static const GLfloat at[7][4] = {{9, 9, 0, 1},   {60, 3, 0, 1},  {3, 62, 0, 1}, {50, 60, 0, 1},
                                     {20, 20, 0, 1}, {30, 20, 0, 1}, {20, 33, 0, 1}};
    static const GLuint commands[] = {3, 1, 1, 0, /* elements: */ 3, 1, 1, 3, 0};
    static const uint16_t indices[] = {9, 0, 1, 2, 9, 9};
    GLuint buffer, array;
    struct target target = target_new(DRAWING_SIZE, DRAWING_SIZE);
    glGenVertexArrays(1, &array);
    glBindVertexArray(array);
    struct drawing drawing = drawing_begin(drawing_vertex_es3, flat_colour, DRAWING_SIZE, DRAWING_SIZE);
    glBufferData(GL_ARRAY_BUFFER, sizeof at, at, GL_STATIC_DRAW);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, sizeof indices, indices, GL_STATIC_DRAW);
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_DRAW_INDIRECT_BUFFER, buffer);
    glBufferData(GL_DRAW_INDIRECT_BUFFER, sizeof commands, commands, GL_STATIC_DRAW);
    canvas_clear(0x112233ff);
    drawing_colour(&drawing, 0x00ff80ff);
    glDrawArraysIndirect(GL_TRIANGLES, NULL);
    drawing_colour(&drawing, 0xff8000ff);
    glDrawElementsIndirect(GL_TRIANGLES, GL_UNSIGNED_SHORT, (const void *)16);
    canvas_emit(painter, "drawn indirectly", DRAWING_SIZE, DRAWING_SIZE);
    glBindBuffer(GL_DRAW_INDIRECT_BUFFER, 0);
    glDeleteBuffers(1, &buffer);
    drawing_end(&drawing);
    glBindVertexArray(0);
    glDeleteVertexArrays(1, &array);
    target_free(&target);
}
