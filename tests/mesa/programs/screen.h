/* SPDX-License-Identifier: MIT */
/* A display without a monitor: EGL's surfaceless platform, or GBM on a node; and a context that draws to a surface. */
#ifndef TESTS_MESA_SCREEN_H
#define TESTS_MESA_SCREEN_H

#include <EGL/egl.h>
#include <stdio.h>
#include <stdlib.h>

struct gbm_device;
struct gbm_surface;

enum { EXIT_NO_MESA = 77 }; /* meson: the test is skipped */

struct screen {
    const char *node; /* GBM on this; NULL: surfaceless */
    int version;      /* of OpenGL ES, times ten: 20, 30, 31 */
    int width, height;
    int fd; /* a file that is open on the node; 0: screen_open() opens it */
    /* Set by screen_open(). */
    struct gbm_device *gbm;
    struct gbm_surface *window;
    EGLDisplay display;
    EGLConfig config;
    EGLSurface surface;
    EGLContext context;
};

/* The context is current then, and of PFIFO_MESA_RENDERER if that is set. What goes wrong ends the program:
 * EXIT_NO_MESA if there is no display at all, else 1. */
void screen_open(struct screen *screen);
void screen_close(struct screen *screen);

/* One more context for the same surface. */
EGLContext screen_context(const struct screen *screen);
void screen_current(const struct screen *screen, EGLContext context);

/* Print why and end with 1. */
#define screen_fail(...) (fprintf(stderr, __VA_ARGS__), fputc('\n', stderr), exit(1))
/* With the name of a place: GL must have no error there. */
void screen_check(const char *place);

#endif
