/* SPDX-License-Identifier: MIT */
/*
 * crowd MODE: several who use the device at once. Each checks what it sees; the program ends with 1 if one is wrong.
 *   contexts   two contexts of one display, in turns
 *   threads    three threads, each with a device of its own
 *   fork       a child that does not want the device, one that runs another program, and the parent goes on
 *   processes  parent and child, each opens the device after the fork; they paint at the same time
 *   share      a texture of one device is exported, and read by another that imports it
 *   hoard      more textures than fit into 64 MiB, each used again
 *   wait       paint, write a byte to descriptor 3, and wait for the end of input
 */
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES2/gl2.h>
#include <GLES2/gl2ext.h>
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "screen.h"

#define NODE "/dev/dri/renderD128"

static void open_screen(struct screen *screen, const char *node) {
    *screen = (struct screen){.node = node, .version = 20, .width = CHECK_WIDTH, .height = CHECK_HEIGHT};
    screen_open(screen);
}

static void paint_some(const char *who, uint32_t number, uint32_t count) {
    struct target target = target_new(CHECK_WIDTH, CHECK_HEIGHT);
    for (uint32_t i = 0; i < count; i++) {
        check_paint(&target, number + i);
        check_read(&target, number + i, who);
    }
    target_free(&target);
}

static void contexts(void) {
    struct screen screen;
    struct target targets[2];
    open_screen(&screen, NULL);
    printf("%s\n", (const char *)glGetString(GL_RENDERER));
    EGLContext both[2] = {screen.context, screen_context(&screen)};
    for (uint32_t i = 0; i < 2; i++) {
        screen_current(&screen, both[i]);
        targets[i] = target_new(CHECK_WIDTH, CHECK_HEIGHT);
    }
    for (uint32_t turn = 0; turn < 12; turn++) {
        screen_current(&screen, both[turn & 1]);
        if (turn > 1)
            check_read(&targets[turn & 1], turn - 2, "a context");
        check_paint(&targets[turn & 1], turn);
    }
    screen_current(&screen, both[0]);
    eglDestroyContext(screen.display, both[1]);
    check_read(&targets[0], 10, "the context that is left");
    screen_close(&screen);
}

static void *thread(void *argument) {
    const uint32_t *number = argument;
    struct screen screen;
    open_screen(&screen, NODE);
    eglBindAPI(EGL_OPENGL_ES_API);
    paint_some("a thread", *number, 8);
    screen_close(&screen);
    return NULL;
}

static void threads(void) {
    uint32_t numbers[3] = {100, 200, 300};
    pthread_t all[3];
    for (unsigned i = 0; i < 3; i++)
        if (pthread_create(&all[i], NULL, thread, &numbers[i]) != 0)
            screen_fail("no thread");
    for (unsigned i = 0; i < 3; i++)
        pthread_join(all[i], NULL);
}

static void expect_child(pid_t child, const char *who) {
    int status;
    if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
        screen_fail("%s did not end well", who);
}

static void forks(void) {
    struct screen screen;
    open_screen(&screen, NULL);
    paint_some("before a fork", 1, 1);
    pid_t child = fork();
    if (child == 0)
        _exit(0);
    expect_child(child, "a child that does nothing");
    child = fork();
    if (child == 0) {
        execl("/bin/sh", "sh", "-c", "test ! -e /pfifo && exit 0", (char *)NULL);
        _exit(127);
    }
    expect_child(child, "another program");
    char *const arguments[] = {"true", NULL};
    if (posix_spawn(&child, "/bin/true", NULL, NULL, arguments, environ) != 0)
        screen_fail("posix_spawn() failed");
    expect_child(child, "a program that is spawned");
    paint_some("after a fork", 2, 2);
    screen_close(&screen);
}

static void processes(void) {
    struct screen screen;
    pid_t child = fork();
    open_screen(&screen, NULL);
    paint_some(child == 0 ? "the child" : "the parent", child == 0 ? 50 : 60, 8);
    screen_close(&screen);
    if (child == 0)
        exit(0);
    expect_child(child, "the child");
}

/* A texture as a dma-buf. */
struct shared {
    int fd, fourcc;
    EGLint stride, offset;
};

static struct shared export_texture(const struct screen *screen, GLuint texture) {
    PFNEGLEXPORTDMABUFIMAGEQUERYMESAPROC query =
        (PFNEGLEXPORTDMABUFIMAGEQUERYMESAPROC)eglGetProcAddress("eglExportDMABUFImageQueryMESA");
    PFNEGLEXPORTDMABUFIMAGEMESAPROC export =
        (PFNEGLEXPORTDMABUFIMAGEMESAPROC)eglGetProcAddress("eglExportDMABUFImageMESA");
    struct shared shared = {.fd = -1};
    EGLImage image =
        eglCreateImage(screen->display, screen->context, EGL_GL_TEXTURE_2D, (EGLClientBuffer)(uintptr_t)texture, NULL);
    if (image == EGL_NO_IMAGE || !query || !export || !query(screen->display, image, &shared.fourcc, NULL, NULL) ||
        !export(screen->display, image, &shared.fd, &shared.stride, &shared.offset) || shared.fd < 0)
        screen_fail("a texture cannot be exported: 0x%x", (unsigned)eglGetError());
    return shared;
}

static struct target import_texture(const struct screen *screen, const struct shared *shared) {
    PFNGLEGLIMAGETARGETTEXTURE2DOESPROC attach =
        (PFNGLEGLIMAGETARGETTEXTURE2DOESPROC)eglGetProcAddress("glEGLImageTargetTexture2DOES");
    const EGLAttrib what[] = {EGL_WIDTH,
                              CHECK_WIDTH,
                              EGL_HEIGHT,
                              CHECK_HEIGHT,
                              EGL_LINUX_DRM_FOURCC_EXT,
                              shared->fourcc,
                              EGL_DMA_BUF_PLANE0_FD_EXT,
                              shared->fd,
                              EGL_DMA_BUF_PLANE0_OFFSET_EXT,
                              shared->offset,
                              EGL_DMA_BUF_PLANE0_PITCH_EXT,
                              shared->stride,
                              EGL_NONE};
    EGLImage image = eglCreateImage(screen->display, EGL_NO_CONTEXT, EGL_LINUX_DMA_BUF_EXT, NULL, what);
    if (image == EGL_NO_IMAGE || !attach)
        screen_fail("a texture cannot be imported: 0x%x", (unsigned)eglGetError());
    struct target target;
    glGenTextures(1, &target.texture);
    glBindTexture(GL_TEXTURE_2D, target.texture);
    attach(GL_TEXTURE_2D, image);
    glGenFramebuffers(1, &target.framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, target.framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, target.texture, 0);
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
        screen_fail("an imported texture is no target");
    return target;
}

static void share(void) {
    struct screen screens[2];
    open_screen(&screens[0], NODE);
    struct target target = target_new(CHECK_WIDTH, CHECK_HEIGHT);
    check_paint(&target, 70);
    struct shared shared = export_texture(&screens[0], target.texture);
    glFinish();
    open_screen(&screens[1], NODE);
    struct target same = import_texture(&screens[1], &shared);
    close(shared.fd);
    check_read(&same, 70, "who imports");
    check_paint(&same, 71);
    glFinish();
    screen_current(&screens[0], screens[0].context);
    check_read(&target, 71, "who exports");
    screen_close(&screens[0]);
    screen_current(&screens[1], screens[1].context);
    check_read(&same, 71, "who is left");
    screen_close(&screens[1]);
}

/* 24 textures of 4 MiB. What has been moved away comes back with its contents. */
static void hoard(void) {
    enum { TEXTURES = 24, SIZE = 1000 };
    struct screen screen;
    struct target targets[TEXTURES];
    open_screen(&screen, NULL);
    for (uint32_t i = 0; i < TEXTURES; i++) {
        targets[i] = target_new(SIZE, SIZE);
        canvas_clear(0x0a0b0c0du * (i + 1));
    }
    for (uint32_t turn = 0; turn < 2 * TEXTURES; turn++) {
        uint32_t i = turn % TEXTURES, wanted = 0x0a0b0c0du * (i + 1);
        uint8_t seen[4] = {0};
        glBindFramebuffer(GL_FRAMEBUFFER, targets[i].framebuffer);
        glReadPixels(SIZE - 1, SIZE / 2, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, seen);
        screen_check("hoard");
        for (unsigned k = 0; k < 4; k++)
            if (seen[k] != (uint8_t)(wanted >> (24 - 8 * k)))
                screen_fail("texture %u is not as it was", (unsigned)i);
    }
    screen_close(&screen);
}

static void wait_for_end(void) {
    struct screen screen;
    char byte;
    open_screen(&screen, NULL);
    paint_some("who waits", 5, 1);
    if (write(3, "r", 1) != 1)
        screen_fail("nobody listens");
    while (read(0, &byte, 1) > 0)
        ;
}

int main(int argc, char **argv) {
    static const struct {
        const char *name;
        void (*run)(void);
    } modes[] = {{"contexts", contexts}, {"threads", threads}, {"fork", forks},       {"processes", processes},
                 {"share", share},       {"hoard", hoard},     {"wait", wait_for_end}};
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++)
        if (argc == 2 && strcmp(argv[1], modes[i].name) == 0) {
            modes[i].run();
            return 0;
        }
    screen_fail("usage: crowd contexts|threads|fork|processes|share|hoard|wait");
}
