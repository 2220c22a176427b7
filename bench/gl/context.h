/* SPDX-License-Identifier: MIT */
/* A context of OpenGL ES 3 without a window, and what all rows draw with. Whatever fails ends the program. */
#ifndef PFIFO_BENCH_GL_CONTEXT_H
#define PFIFO_BENCH_GL_CONTEXT_H

#include <GLES3/gl3.h>
#include <stdint.h>

#define CONTEXT_SIZE 1024 /* of the target, in pixels along an edge */
#define EXIT_NO_GL   77   /* there is no display of EGL, or no OpenGL ES 3 */

void context_open(void);
void context_close(void);
/* An error of the program itself, or of the driver. */
_Noreturn void context_fail(const char *where, const char *what);
void context_check(const char *where);

/* A framebuffer of RGBA8 with depth of 24 bits. samples: 0, or how many. */
struct target {
    GLuint framebuffer, color, depth;
};

struct target target_new(GLsizei samples);
/* R G B A of a pixel of the bound framebuffer. */
void target_pixel(int x, int y, uint8_t rgba[4]);

GLuint program_new(const char *vertex, const char *fragment);

#endif
