/* SPDX-License-Identifier: MIT */
#include "drawing.h"

#include "screen.h"

/* `size` is half the framebuffer's. */
#define POSITION "gl_Position = vec4(at.xy / size - 1.0, at.z, at.w); gl_PointSize = 1.0;\n"

const char drawing_vertex[] = "attribute vec4 at;\n"
                              "uniform vec2 size, texels;\n"
                              "varying vec2 pixel, place;\n"
                              "void main() {\n" POSITION "    pixel = at.xy;\n"
                              "    place = at.xy * texels.x + texels.y;\n"
                              "}\n";

const char drawing_vertex_es3[] = DRAWING_ES3 "in vec4 at;\n"
                                              "uniform vec2 size, texels;\n"
                                              "out vec2 pixel, place;\n"
                                              "void main() {\n" POSITION "    pixel = at.xy;\n"
                                              "    place = at.xy * texels.x + texels.y;\n"
                                              "}\n";

enum { PLACE_AT = 0, VERTICES_INDEXED = 10 };

static GLuint compile(GLenum kind, const char *text) {
    GLuint shader = glCreateShader(kind);
    GLint done = 0;
    glShaderSource(shader, 1, &text, NULL);
    glCompileShader(shader);
    glGetShaderiv(shader, GL_COMPILE_STATUS, &done);
    if (!done) {
        char log[1024] = "";
        glGetShaderInfoLog(shader, sizeof log, NULL, log);
        screen_fail("a shader is not compiled: %s\n%s", log, text);
    }
    return shader;
}

struct drawing drawing_begin(const char *vertex, const char *fragment, int width, int height) {
    struct drawing drawing = {.program = glCreateProgram()};
    GLuint shaders[2] = {compile(GL_VERTEX_SHADER, vertex), compile(GL_FRAGMENT_SHADER, fragment)};
    GLint done = 0;
    for (unsigned i = 0; i < 2; i++) {
        glAttachShader(drawing.program, shaders[i]);
        glDeleteShader(shaders[i]);
    }
    glBindAttribLocation(drawing.program, PLACE_AT, "at");
    glLinkProgram(drawing.program);
    glGetProgramiv(drawing.program, GL_LINK_STATUS, &done);
    if (!done) {
        char log[1024] = "";
        glGetProgramInfoLog(drawing.program, sizeof log, NULL, log);
        screen_fail("a program is not linked: %s", log);
    }
    glUseProgram(drawing.program);
    glUniform2f(glGetUniformLocation(drawing.program, "size"), (float)width / 2, (float)height / 2);
    glViewport(0, 0, width, height);
    glGenBuffers(1, &drawing.vertices);
    glBindBuffer(GL_ARRAY_BUFFER, drawing.vertices);
    glGenBuffers(1, &drawing.indices);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, drawing.indices);
    glEnableVertexAttribArray(PLACE_AT);
    glVertexAttribPointer(PLACE_AT, 4, GL_FLOAT, GL_FALSE, 0, NULL);
    screen_check("the begin of a drawing");
    return drawing;
}

void drawing_end(struct drawing *drawing) {
    glDisableVertexAttribArray(PLACE_AT);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, 0);
    glDeleteBuffers(1, &drawing->vertices);
    glDeleteBuffers(1, &drawing->indices);
    glUseProgram(0);
    glDeleteProgram(drawing->program);
    screen_check("the end of a drawing");
}

void drawing_colour(const struct drawing *drawing, uint32_t rgba) {
    glUniform4f(glGetUniformLocation(drawing->program, "colour"), (float)(rgba >> 24) / 255.0f,
                (float)(rgba >> 16 & 255) / 255.0f, (float)(rgba >> 8 & 255) / 255.0f, (float)(rgba & 255) / 255.0f);
}

void drawing_texels(const struct drawing *drawing, float scale, float offset) {
    glUniform2f(glGetUniformLocation(drawing->program, "texels"), scale, offset);
}

void drawing_corner(GLfloat at[4], float x, float y, float depth) {
    at[0] = x;
    at[1] = y;
    at[2] = depth;
    at[3] = 1;
}

static void give(const GLfloat *at, int count) {
    glBufferData(GL_ARRAY_BUFFER, count * 4 * (GLsizeiptr)sizeof *at, at, GL_STREAM_DRAW);
}

void drawing_draw(GLenum kind, const GLfloat *at, int count) {
    give(at, count);
    glDrawArrays(kind, 0, count);
}

void drawing_indexed(GLenum kind, const GLfloat *at, int count, GLenum type, const void *indices) {
    const GLsizeiptr bytes = type == GL_UNSIGNED_BYTE ? 1 : 2;
    give(at, VERTICES_INDEXED);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, count * bytes, indices, GL_STREAM_DRAW);
    glDrawElements(kind, count, type, NULL);
}

void drawing_rectangle(float left, float bottom, float right, float top, float depth) {
    const GLfloat at[4][4] = {
        {left, bottom, depth, 1}, {right, bottom, depth, 1}, {left, top, depth, 1}, {right, top, depth, 1}};
    drawing_draw(GL_TRIANGLE_STRIP, at[0], 4);
}
