/* SPDX-License-Identifier: MIT */
/*
 * Pictures that are drawn, with the programs of OpenGL ES 2. All driver and processor agree on: positions are multiples
 * of 1/16 pixel, colours of 1/255 (canvas_colour() in the programs), and no comparison is close.
 */
#include "drawing.h"

#include <stdlib.h>

#include "screen.h"

static const char flat_colour[] = DRAWING_ES2 "uniform vec4 colour;\n"
                                              "void main() { gl_FragColor = colour; }\n";

/* Of the position as it is interpolated. */
static const char shaded[] =
    DRAWING_ES2 "varying vec2 pixel;\n"
                "void main() {\n"
                "    vec2 p = floor(pixel);\n"
                "    float odd = mod(p.x + p.y, 2.0);\n"
                "    float n = p.x * 3.0 + p.y * 5.0 + odd * 7.0;\n"
                "    gl_FragColor = vec4(mod(n, 256.0), mod(p.x * p.y, 256.0), odd * 255.0, 255.0 - p.y) / 255.0;\n"
                "}\n";

static const char textured[] = DRAWING_ES2 "varying vec2 place;\n"
                                           "uniform sampler2D texture;\n"
                                           "void main() { gl_FragColor = texture2D(texture, place); }\n";

/* How long the sequence of Collatz is, from the number of the pixel on; what is longer than 64 is left out. */
static const char looped[] = DRAWING_ES2 "varying vec2 pixel;\n"
                                         "void main() {\n"
                                         "    vec2 p = floor(pixel);\n"
                                         "    float n = p.y * 16.0 + p.x + 1.0, steps = 0.0;\n"
                                         "    for (int i = 0; i < 65; i++) {\n"
                                         "        if (n < 1.5)\n"
                                         "            break;\n"
                                         "        if (mod(n, 2.0) < 0.5)\n"
                                         "            n = n * 0.5;\n"
                                         "        else\n"
                                         "            n = n * 3.0 + 1.0;\n"
                                         "        steps += 1.0;\n"
                                         "    }\n"
                                         "    if (steps > 64.5)\n"
                                         "        discard;\n"
                                         "    gl_FragColor = vec4(steps * 3.0, 255.0 - steps, 64.0, 255.0) / 255.0;\n"
                                         "}\n";

/* Some large, some smaller than a pixel, some that share edges. */
static void drawn_triangles(const struct painter *painter) {
    const int w = painter->width, h = painter->height;
    struct drawing drawing = drawing_begin(drawing_vertex, flat_colour, w, h);
    canvas_clear(0x204060ff);
    for (uint32_t i = 0, seed = 91; i < 80; i++) {
        GLfloat at[5][4];
        const uint32_t reach = i < 16 ? (uint32_t)w * 16 : 16u << i % 5;
        const uint32_t x = canvas_random(&seed) % ((uint32_t)w * 16), y = canvas_random(&seed) % ((uint32_t)h * 16);
        const float back = (float)reach / 2;
        for (int corner = 0; corner < 5; corner++)
            drawing_corner(at[corner], ((float)(x + canvas_random(&seed) % reach) - back) / 16.0f,
                           ((float)(y + canvas_random(&seed) % reach) - back) / 16.0f, 0);
        drawing_colour(&drawing, canvas_random(&seed) << 16 | canvas_random(&seed));
        drawing_draw(i % 2 ? GL_TRIANGLE_FAN : GL_TRIANGLES, at[0], i % 2 ? 5 : 3);
    }
    canvas_emit(painter, "drawn triangles", w, h);
    drawing_end(&drawing);
}

static void drawn_shades(const struct painter *painter) {
    const int w = painter->width, h = painter->height;
    struct drawing drawing = drawing_begin(drawing_vertex, shaded, w, h);
    canvas_clear(0);
    drawing_rectangle(0, 0, (float)w, (float)h, 0);
    canvas_emit(painter, "drawn shades", w, h);
    drawing_end(&drawing);
}

static void drawn_loops(const struct painter *painter) {
    struct target target = target_new(DRAWING_SIZE, DRAWING_SIZE);
    struct drawing drawing = drawing_begin(drawing_vertex, looped, DRAWING_SIZE, DRAWING_SIZE);
    canvas_clear(0x112233ff);
    drawing_rectangle(1, 2, 63, 61, 0);
    canvas_emit(painter, "drawn loops", DRAWING_SIZE, DRAWING_SIZE);
    drawing_end(&drawing);
    target_free(&target);
}

/* One texel is 3 pixels; then, linear, each pixel lies on the middle of a texel of the level that is half as large. */
static void drawn_textures(const struct painter *painter) {
    enum { SIDE = 16, HALF = SIDE / 2 };
    static const GLint wraps[] = {GL_REPEAT, GL_CLAMP_TO_EDGE, GL_MIRRORED_REPEAT};
    uint8_t texels[SIDE * SIDE * 4];
    GLuint texture;
    struct target target = target_new(DRAWING_SIZE, DRAWING_SIZE);
    struct drawing drawing = drawing_begin(drawing_vertex, textured, DRAWING_SIZE, DRAWING_SIZE);
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    for (int level = 0, side = SIDE; side; level++, side /= 2) {
        for (uint32_t i = 0, seed = 17u + (uint32_t)level; i < sizeof texels; i++)
            texels[i] = (uint8_t)canvas_random(&seed);
        glTexImage2D(GL_TEXTURE_2D, level, GL_RGBA, side, side, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
    }
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    for (unsigned i = 0; i < 3; i++) {
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, wraps[i]);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, wraps[(i + 1) % 3]);
        canvas_clear(0x112233ff);
        drawing_texels(&drawing, 1.0f / (3 * SIDE), -0.25f);
        drawing_rectangle(0, 0, DRAWING_SIZE, DRAWING_SIZE, 0);
        canvas_emit(painter, "drawn textures", DRAWING_SIZE, DRAWING_SIZE);
    }
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_REPEAT);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_REPEAT);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_NEAREST);
    drawing_texels(&drawing, 1.0f / HALF, 0);
    drawing_rectangle(0, 0, DRAWING_SIZE, DRAWING_SIZE, 0);
    canvas_emit(painter, "drawn levels", DRAWING_SIZE, DRAWING_SIZE);
    glDeleteTextures(1, &texture);
    drawing_end(&drawing);
    target_free(&target);
}

/* Two planes that go through each other, and one that is equal to what is there. */
static void drawn_depths(const struct painter *painter) {
    static const GLfloat planes[2][4][4] = {
        {{4, 4, -0.5f, 1}, {60, 4, 0.5f, 1}, {4, 60, -0.5f, 1}, {60, 60, 0.5f, 1}},
        {{2, 8, 0.4f, 1}, {62, 8, -0.425f, 1}, {2, 50, 0.4f, 1}, {62, 50, -0.425f, 1}},
    };
    struct target target = target_new(DRAWING_SIZE, DRAWING_SIZE);
    struct drawing drawing = drawing_begin(drawing_vertex, flat_colour, DRAWING_SIZE, DRAWING_SIZE);
    GLuint depth;
    glGenRenderbuffers(1, &depth);
    glBindRenderbuffer(GL_RENDERBUFFER, depth);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH_COMPONENT16, DRAWING_SIZE, DRAWING_SIZE);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, depth);
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
        screen_fail("a framebuffer with depth is not complete");
    glClear(GL_DEPTH_BUFFER_BIT);
    canvas_clear(0x112233ff);
    glEnable(GL_DEPTH_TEST);
    for (unsigned i = 0; i < 2; i++) {
        drawing_colour(&drawing, i ? 0xff8000ff : 0x0080ffff);
        drawing_draw(GL_TRIANGLE_STRIP, planes[i][0], 4);
    }
    drawing_colour(&drawing, 0x00ff00ff);
    drawing_rectangle(20, 0, 30, 64, 0.75f);
    glDepthFunc(GL_LEQUAL);
    drawing_rectangle(40, 0, 44, 64, 0.75f); /* behind; in front of nothing */
    glDepthFunc(GL_EQUAL);
    glDepthMask(GL_FALSE);
    drawing_colour(&drawing, 0xff0000ff);
    drawing_rectangle(18, 0, 42, 64, 0.75f);
    canvas_emit(painter, "drawn depths", DRAWING_SIZE, DRAWING_SIZE);
    glDepthMask(GL_TRUE);
    glDepthFunc(GL_LESS);
    glDisable(GL_DEPTH_TEST);
    glDeleteRenderbuffers(1, &depth);
    drawing_end(&drawing);
    target_free(&target);
}

/* Factors that are 0 or 1, so that nothing is rounded. */
static void drawn_blends(const struct painter *painter) {
    static const struct {
        GLenum from, to, equation;
        uint32_t colour;
    } blends[] = {
        {GL_ONE, GL_ONE, GL_FUNC_ADD, 0x30a01010},
        {GL_ONE, GL_ONE, GL_FUNC_REVERSE_SUBTRACT, 0x10203040},
        {GL_ONE, GL_ONE, GL_FUNC_SUBTRACT, 0xf0e0d0c0},
        {GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_FUNC_ADD, 0x80402000},
        {GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_FUNC_ADD, 0x804020ff},
        {GL_DST_COLOR, GL_ZERO, GL_FUNC_ADD, 0xff00ffff},
        {GL_CONSTANT_COLOR, GL_CONSTANT_ALPHA, GL_FUNC_ADD, 0x7f017f01},
    };
    enum { COUNT = sizeof blends / sizeof blends[0] };
    struct target target = target_new(DRAWING_SIZE, DRAWING_SIZE);
    struct drawing drawing = drawing_begin(drawing_vertex, flat_colour, DRAWING_SIZE, DRAWING_SIZE);
    canvas_clear(0x556677ff);
    glEnable(GL_BLEND);
    glBlendColor(1, 0, 0, 1);
    for (int i = 0; i < COUNT; i++) {
        glBlendFunc(blends[i].from, blends[i].to);
        glBlendEquation(blends[i].equation);
        glColorMask(i != 4, GL_TRUE, i != 1, GL_TRUE);
        drawing_colour(&drawing, blends[i].colour);
        drawing_rectangle((float)i * 8, 0, (float)i * 8 + 12, 40, 0);
        drawing_rectangle(2, (float)i * 8 + 3, 62, (float)i * 8 + 10, 0);
    }
    canvas_emit(painter, "drawn blends", DRAWING_SIZE, DRAWING_SIZE);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    glDisable(GL_BLEND);
    glBlendEquation(GL_FUNC_ADD);
    drawing_end(&drawing);
    target_free(&target);
}

/* Points and lines through the middles of pixels, and indices. The points come last, on the ends of the lines: llvmpipe
 * has some of these otherwise. */
static void drawn_primitives(const struct painter *painter) {
    static const uint8_t bytes[] = {4, 0, 2, 2, 1, 5, 3, 4, 5};
    static const uint16_t shorts[] = {8, 1, 0, 3, 7, 6};
    static const GLenum kinds[] = {GL_POINTS, GL_LINES, GL_LINE_STRIP, GL_LINE_LOOP};
    struct target target = target_new(DRAWING_SIZE, DRAWING_SIZE);
    struct drawing drawing = drawing_begin(drawing_vertex, flat_colour, DRAWING_SIZE, DRAWING_SIZE);
    GLfloat at[10][4];
    for (uint32_t i = 0, seed = 5; i < 10; i++) {
        const GLfloat x = (GLfloat)(canvas_random(&seed) % 64) + 0.5f, y = (GLfloat)(canvas_random(&seed) % 64) + 0.5f;
        drawing_corner(at[i], x, y, 0);
    }
    canvas_clear(0x112233ff);
    drawing_colour(&drawing, 0x405060ff);
    drawing_indexed(GL_TRIANGLES, at[0], 9, GL_UNSIGNED_BYTE, bytes);
    drawing_colour(&drawing, 0x607080ff);
    drawing_indexed(GL_TRIANGLE_STRIP, at[0], 6, GL_UNSIGNED_SHORT, shorts);
    for (unsigned i = 4; i-- > 0;) {
        drawing_colour(&drawing, 0x00ff00ffu + i * 0x4000c000u);
        drawing_draw(kinds[i], at[0], 10 - 2 * (int)i);
    }
    canvas_emit(painter, "drawn primitives", DRAWING_SIZE, DRAWING_SIZE);
    drawing_end(&drawing);
    target_free(&target);
}

const struct scene drawn_scenes[] = {
    {"drawn triangles", 20, drawn_triangles},
    {"drawn shades", 20, drawn_shades},
    {"drawn loops", 20, drawn_loops},
    {"drawn textures", 20, drawn_textures},
    {"drawn depths", 20, drawn_depths},
    {"drawn blends", 20, drawn_blends},
    {"drawn primitives", 20, drawn_primitives},
    {"drawn instances", 30, scene_drawn_instances},
    {"drawn integers", 30, scene_drawn_integers},
    {"drawn stencil", 30, scene_drawn_stencil},
    {"drawn targets", 30, scene_drawn_targets},
    {"drawn layers", 30, scene_drawn_layers},
    {"drawn counts", 30, scene_drawn_counts},
    {"drawn indirectly", 31, scene_drawn_indirectly},
    {NULL, 0, NULL},
};
