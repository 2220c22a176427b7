/* SPDX-License-Identifier: MIT */
#include "programs.h"

#include <stdio.h>

#include "context.h"

#define ES3 "#version 300 es\nprecision highp float;\n"

static const char passed[] = ES3 "layout(location = 0) in vec2 at;\n"
                                 "out vec2 place;\n"
                                 "void main() {\n"
                                 "    place = 0.5 + 0.5 * at;\n"
                                 "    gl_Position = vec4(at, 0.0, 1.0);\n"
                                 "}\n";

/* Two varyings, a factor and a summand, for sums that converge to summand / (1 - factor). */
static const char chained[] = ES3 "layout(location = 0) in vec2 at;\n"
                                  "out vec2 place;\n"
                                  "void main() {\n"
                                  "    place = vec2(0.5 + 0.25 * at.x, 0.125 + 0.125 * at.y);\n"
                                  "    gl_Position = vec4(at, 0.0, 1.0);\n"
                                  "}\n";

/* A matrix, a normal, a light with a highlight: what simple scenes do with a vertex. */
static const char lit[] = ES3 "layout(location = 0) in vec2 at;\n"
                              "layout(location = 1) in vec3 normal;\n"
                              "uniform mat4 matrix;\n"
                              "uniform vec3 light;\n"
                              "out vec3 color;\n"
                              "void main() {\n"
                              "    vec3 n = normalize(mat3(matrix) * normal);\n"
                              "    float angle = max(dot(n, light), 0.0);\n"
                              "    vec3 base = vec3(0.5 + 0.5 * at, 0.0);\n"
                              "    color = base * angle * 0.75 + 0.25 * pow(angle, 16.0);\n"
                              "    gl_Position = matrix * vec4(at, 0.0, 1.0);\n"
                              "}\n";

static const char varying[] = ES3 "in vec2 place;\n"
                                  "out vec4 result;\n"
                                  "void main() { result = vec4(place, 0.0, 0.5); }\n";

static const char from_vertex[] = ES3 "in vec3 color;\n"
                                      "out vec4 result;\n"
                                      "void main() { result = vec4(color, 1.0); }\n";

static GLuint tinted(const char *tint) {
    char text[300];
    snprintf(text, sizeof text,
             ES3 "in vec2 place;\n"
                 "uniform vec4 tint;\n"
                 "out vec4 result;\n"
                 "void main() { result = vec4(place, 0.0, 1.0) * %s; }\n",
             tint);
    GLuint program = program_new(passed, text);
    glUseProgram(program);
    glUniform4f(glGetUniformLocation(program, "tint"), 1, 1, 1, 1);
    return program;
}

static GLuint textured(void) {
    char text[400];
    snprintf(text, sizeof text,
             ES3 "in vec2 place;\n"
                 "uniform sampler2D image;\n"
                 "out vec4 result;\n"
                 "void main() { result = texture(image, place * %.1f); }\n",
             TEXTURE_SCALE);
    return program_new(passed, text);
}

/* Three chains at a time, as long as their sum says. */
static GLuint chain(void) {
    enum { LINES = CHAIN_OPERATIONS / 3 };
    static const char head[] = ES3 "in vec2 place;\n"
                                   "out vec4 result;\n"
                                   "void main() {\n"
                                   "    vec3 sum = place.yxy;\n";
    static const char line[] = "    sum = sum * place.x + place.y;\n", tail[] = "    result = vec4(sum, 1.0);\n}\n";
    char text[sizeof head + LINES * sizeof line + sizeof tail], *to = text;
    to += snprintf(to, sizeof head, "%s", head);
    for (int i = 0; i < LINES; i++)
        to += snprintf(to, sizeof line, "%s", line);
    snprintf(to, sizeof tail, "%s", tail);
    return program_new(chained, text);
}

static GLuint with_light(void) {
    static const GLfloat same[16] = {[0] = 1, [5] = 1, [10] = 1, [15] = 1};
    GLuint program = program_new(lit, from_vertex);
    glUseProgram(program);
    glUniformMatrix4fv(glGetUniformLocation(program, "matrix"), 1, GL_FALSE, same);
    glUniform3f(glGetUniformLocation(program, "light"), 0, 0, 1);
    return program;
}

GLuint programs_new(enum row_program program) {
    switch (program) {
    case ROW_VARYING:
        return program_new(passed, varying);
    case ROW_TINTED:
        return tinted("tint");
    case ROW_TINTED_TOO:
        return tinted("tint.yxzw");
    case ROW_TEXTURED:
        return textured();
    case ROW_CHAIN:
        return chain();
    default:
        return with_light();
    }
}
