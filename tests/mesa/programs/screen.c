/* SPDX-License-Identifier: MIT */
#include "screen.h"

#include <EGL/eglext.h>
#include <GLES2/gl2.h>
#include <fcntl.h>
#include <gbm.h>
#include <string.h>
#include <unistd.h>

void screen_check(const char *place) {
    GLenum error = glGetError();
    if (error != GL_NO_ERROR)
        screen_fail("%s: GL error 0x%x", place, (unsigned)error);
}

static EGLDisplay display_of(struct screen *screen) {
    if (!screen->node)
        return eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
    if (screen->fd <= 0)
        screen->fd = open(screen->node, O_RDWR | O_CLOEXEC);
    if (screen->fd < 0)
        screen_fail("%s cannot be opened", screen->node);
    screen->gbm = gbm_create_device(screen->fd);
    if (!screen->gbm)
        screen_fail("%s: no GBM device", screen->node);
    return eglGetPlatformDisplay(EGL_PLATFORM_GBM_KHR, screen->gbm, NULL);
}

/* GBM shows surfaces in one format; without it there is the order of channels that Mesa prefers. */
static void choose_config(struct screen *screen) {
    const EGLint wanted[] = {EGL_SURFACE_TYPE,
                             screen->gbm ? EGL_WINDOW_BIT : EGL_PBUFFER_BIT,
                             EGL_RENDERABLE_TYPE,
                             screen->version < 20   ? EGL_OPENGL_ES_BIT
                             : screen->version < 30 ? EGL_OPENGL_ES2_BIT
                                                    : EGL_OPENGL_ES3_BIT,
                             EGL_RED_SIZE,
                             8,
                             EGL_GREEN_SIZE,
                             8,
                             EGL_BLUE_SIZE,
                             8,
                             EGL_ALPHA_SIZE,
                             8,
                             EGL_NONE};
    EGLConfig configs[64];
    EGLint count = 0;
    eglChooseConfig(screen->display, wanted, configs, 64, &count);
    for (EGLint i = 0; i < count; i++) {
        EGLint red = 0, id = 0;
        eglGetConfigAttrib(screen->display, configs[i], EGL_RED_SIZE, &red);
        eglGetConfigAttrib(screen->display, configs[i], EGL_NATIVE_VISUAL_ID, &id);
        if (red == 8 && (!screen->gbm || id == GBM_FORMAT_ARGB8888)) {
            screen->config = configs[i];
            return;
        }
    }
    screen_fail("no EGL configuration with RGBA8 for OpenGL ES %.1f", screen->version / 10.0);
}

static void make_surface(struct screen *screen) {
    const EGLint size[] = {EGL_WIDTH, screen->width, EGL_HEIGHT, screen->height, EGL_NONE};
    if (screen->gbm) {
        screen->window = gbm_surface_create(screen->gbm, (uint32_t)screen->width, (uint32_t)screen->height,
                                            GBM_FORMAT_ARGB8888, GBM_BO_USE_RENDERING);
        if (!screen->window)
            screen_fail("no GBM surface");
        screen->surface = eglCreatePlatformWindowSurface(screen->display, screen->config, screen->window, NULL);
    } else {
        screen->surface = eglCreatePbufferSurface(screen->display, screen->config, size);
    }
    if (screen->surface == EGL_NO_SURFACE)
        screen_fail("no EGL surface: 0x%x", (unsigned)eglGetError());
}

EGLContext screen_context(const struct screen *screen) {
    const EGLint version[] = {EGL_CONTEXT_MAJOR_VERSION, screen->version / 10, EGL_CONTEXT_MINOR_VERSION,
                              screen->version % 10, EGL_NONE};
    EGLContext context = eglCreateContext(screen->display, screen->config, EGL_NO_CONTEXT, version);
    if (context == EGL_NO_CONTEXT)
        screen_fail("no context of OpenGL ES %.1f: 0x%x", screen->version / 10.0, (unsigned)eglGetError());
    return context;
}

void screen_current(const struct screen *screen, EGLContext context) {
    if (!eglMakeCurrent(screen->display, screen->surface, screen->surface, context))
        screen_fail("eglMakeCurrent: 0x%x", (unsigned)eglGetError());
}

/* Mesa falls back to the processor in silence. */
static void check_renderer(void) {
    const char *wanted = getenv("PFIFO_MESA_RENDERER"), *seen = (const char *)glGetString(GL_RENDERER);
    if (wanted && (!seen || strcmp(seen, wanted) != 0))
        screen_fail("GL_RENDERER is %s, not %s", seen ? seen : "nobody", wanted);
}

void screen_open(struct screen *screen) {
    screen->display = display_of(screen);
    if (screen->display == EGL_NO_DISPLAY || !eglInitialize(screen->display, NULL, NULL)) {
        fprintf(stderr, "no EGL display: 0x%x\n", (unsigned)eglGetError());
        exit(EXIT_NO_MESA);
    }
    eglBindAPI(EGL_OPENGL_ES_API);
    choose_config(screen);
    make_surface(screen);
    screen->context = screen_context(screen);
    screen_current(screen, screen->context);
    check_renderer();
}

void screen_close(struct screen *screen) {
    eglMakeCurrent(screen->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglDestroyContext(screen->display, screen->context);
    eglDestroySurface(screen->display, screen->surface);
    eglTerminate(screen->display);
    if (screen->window)
        gbm_surface_destroy(screen->window);
    if (screen->gbm)
        gbm_device_destroy(screen->gbm);
    if (screen->fd > 0)
        close(screen->fd);
}
