/* SPDX-License-Identifier: MIT */
#include "context.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <stdio.h>
#include <stdlib.h>

static EGLDisplay display;
static EGLContext context;

void context_fail(const char *where, const char *what) {
    fprintf(stderr, "pfifo-bench-gl: %s: %s\n", where, what);
    exit(1);
}

void context_check(const char *where) {
    char text[40];
    GLenum error = glGetError();
    if (error == GL_NO_ERROR)
        return;
    snprintf(text, sizeof text, "GL error 0x%x", (unsigned)error);
    context_fail(where, text);
}

static _Noreturn void is_missing(const char *what) {
    fprintf(stderr, "pfifo-bench-gl: there is no %s: 0x%x\n", what, (unsigned)eglGetError());
    exit(EXIT_NO_GL);
}

void context_open(void) {
    static const EGLint any[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_ES3_BIT, EGL_NONE};
    static const EGLint version[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_NONE};
    EGLConfig config;
    EGLint count = 0;
    display = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
    if (display == EGL_NO_DISPLAY || !eglInitialize(display, NULL, NULL))
        is_missing("display of EGL");
    eglBindAPI(EGL_OPENGL_ES_API);
    if (!eglChooseConfig(display, any, &config, 1, &count) || count < 1)
        is_missing("configuration of EGL");
    context = eglCreateContext(display, config, EGL_NO_CONTEXT, version);
    if (context == EGL_NO_CONTEXT || !eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context))
        is_missing("context of OpenGL ES 3");
}

void context_close(void) {
    eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglDestroyContext(display, context);
    eglTerminate(display);
}

static GLuint renderbuffer(GLsizei samples, GLenum format, GLenum attachment) {
    GLuint name;
    glGenRenderbuffers(1, &name);
    glBindRenderbuffer(GL_RENDERBUFFER, name);
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, format, CONTEXT_SIZE, CONTEXT_SIZE);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, attachment, GL_RENDERBUFFER, name);
    return name;
}

struct target target_new(GLsizei samples) {
    struct target target;
    glGenFramebuffers(1, &target.framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, target.framebuffer);
    target.color = renderbuffer(samples, GL_RGBA8, GL_COLOR_ATTACHMENT0);
    target.depth = renderbuffer(samples, GL_DEPTH_COMPONENT24, GL_DEPTH_ATTACHMENT);
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
        context_fail("target", "the framebuffer is not complete");
    return target;
}

void target_pixel(int x, int y, uint8_t rgba[4]) {
    glReadPixels(x, y, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, rgba);
    context_check("target");
}

static GLuint shader(GLenum stage, const char *source) {
    char log[1000] = "";
    GLint done = 0;
    GLuint name = glCreateShader(stage);
    glShaderSource(name, 1, &source, NULL);
    glCompileShader(name);
    glGetShaderiv(name, GL_COMPILE_STATUS, &done);
    glGetShaderInfoLog(name, sizeof log, NULL, log);
    if (!done)
        context_fail("shader", log);
    return name;
}

GLuint program_new(const char *vertex, const char *fragment) {
    GLint done = 0;
    GLuint name = glCreateProgram(),
           stages[] = {shader(GL_VERTEX_SHADER, vertex), shader(GL_FRAGMENT_SHADER, fragment)};
    for (int i = 0; i < 2; i++) {
        glAttachShader(name, stages[i]);
        glDeleteShader(stages[i]);
    }
    glLinkProgram(name);
    glGetProgramiv(name, GL_LINK_STATUS, &done);
    if (!done)
        context_fail("program", "it is not linked");
    return name;
}
