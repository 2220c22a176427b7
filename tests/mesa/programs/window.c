/* SPDX-License-Identifier: MIT */
/*
 * window MODE: draws with GLX in a window of an X server, and looks whether that is what the server has there. Modes: swap (frames, in a window that changes its size), front (single buffering, and what the server draws is
 * GL's). Ends with 1 if not, with 77 if there is no server or another renderer than PFIFO_MESA_RENDERER.
 */
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glx.h>
#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { WIDTH = 211, HEIGHT = 133, FRAMES = 4, TRIES = 500 };

static Display *display;
static Window window;

static _Noreturn void end(int status, const char *why) {
    fprintf(stderr, "window: %s\n", why);
    exit(status);
}

static void open_window(bool two_buffers) {
    int wanted[] = {GLX_RGBA, GLX_RED_SIZE, 8, GLX_GREEN_SIZE, 8, GLX_BLUE_SIZE, 8, GLX_DOUBLEBUFFER, None};
    if (!two_buffers)
        wanted[7] = None;
    display = XOpenDisplay(NULL);
    if (!display)
        end(77, "no server");
    XVisualInfo *visual = glXChooseVisual(display, DefaultScreen(display), wanted);
    if (!visual)
        end(77, "no visual");
    Window root = RootWindow(display, visual->screen);
    XSetWindowAttributes as = {.colormap = XCreateColormap(display, root, visual->visual, AllocNone),
                               .event_mask = StructureNotifyMask};
    window = XCreateWindow(display, root, 0, 0, WIDTH, HEIGHT, 0, visual->depth, InputOutput, visual->visual,
                           CWColormap | CWEventMask | CWBorderPixel, &as);
    XMapWindow(display, window);
    glXMakeCurrent(display, window, glXCreateContext(display, visual, NULL, True));
    const char *renderer = (const char *)glGetString(GL_RENDERER), *chip = getenv("PFIFO_MESA_RENDERER");
    printf("%s\n", renderer);
    if (!renderer || (chip && strcmp(renderer, chip) != 0))
        end(77, "another renderer");
}

static uint32_t colour(unsigned frame, int x, int y) {
    unsigned seed = (unsigned)(x / 23 * 161 + y / 9 * 117) + frame * 41;
    return seed % 256 << 16 | seed / 3 % 256 << 8 | seed / 7 % 256;
}

/* Rectangles of all colours, by clears, which all chips execute. */
static void draw(unsigned frame, int width, int height) {
    glEnable(GL_SCISSOR_TEST);
    for (int y = 0; y < height; y += 9)
        for (int x = 0; x < width; x += 23) {
            uint32_t rgb = colour(frame, x, y);
            glScissor(x, y, 23, 9);
            glClearColor((float)(rgb >> 16) / 255, (float)(rgb >> 8 & 255) / 255, (float)(rgb & 255) / 255, 1);
            glClear(GL_COLOR_BUFFER_BIT);
        }
    glDisable(GL_SCISSOR_TEST);
}

/* What it draws, in GL's order of lines. */
static uint32_t *drawn(unsigned frame, int width, int height) {
    uint32_t *pixels = calloc((size_t)width * (size_t)height, sizeof *pixels);
    for (int i = 0; pixels && i < width * height; i++)
        pixels[i] = colour(frame, i % width, i / width);
    return pixels;
}

/* B, G, R, 0 in memory; the lowest line first. */
static uint32_t *read_front(int width, int height) {
    uint32_t *pixels = calloc((size_t)width * (size_t)height, sizeof *pixels);
    glReadBuffer(GL_FRONT);
    glReadPixels(0, 0, width, height, GL_BGRA, GL_UNSIGNED_BYTE, pixels);
    return pixels;
}

/* How many pixels of the window are others. */
static unsigned differences(const uint32_t *pixels, int width, int height) {
    unsigned count = 0;
    XImage *image = XGetImage(display, window, 0, 0, (unsigned)width, (unsigned)height, AllPlanes, ZPixmap);
    for (int y = 0; image && y < height; y++)
        for (int x = 0; x < width; x++)
            count += ((XGetPixel(image, x, y) ^ pixels[(height - 1 - y) * width + x]) & 0xffffff) != 0;
    if (!image)
        return ~0u;
    XDestroyImage(image);
    return count;
}

/* The server presents with a vertical blank of its own. */
static void expect(uint32_t *pixels, int width, int height, const char *what) {
    unsigned differ = 1;
    for (unsigned i = 0; i < TRIES && differ; i++) {
        struct timespec step = {.tv_nsec = 10000000};
        differ = differences(pixels, width, height);
        if (differ)
            nanosleep(&step, NULL);
    }
    free(pixels);
    if (differ)
        fprintf(stderr, "%u pixels differ\n", differ);
    if (differ)
        end(1, what);
}

static void swap(void) {
    for (unsigned frame = 0; frame < FRAMES; frame++) {
        int width = WIDTH + (frame >= 2 ? 100 : 0), height = HEIGHT + (frame >= 2 ? 70 : 0);
        if (frame == 2) {
            XResizeWindow(display, window, (unsigned)width, (unsigned)height);
            XSync(display, False);
            glViewport(0, 0, width, height);
        }
        draw(frame, width, height);
        glXSwapBuffers(display, window);
        expect(drawn(frame, width, height), width, height, "the window has another picture than was drawn");
    }
}

static void front(void) {
    draw(0, WIDTH, HEIGHT);
    glFlush();
    expect(drawn(0, WIDTH, HEIGHT), WIDTH, HEIGHT, "the window has another picture than was drawn");
    GC gc = XCreateGC(display, window, 0, NULL);
    XSetForeground(display, gc, 0x123456);
    XFillRectangle(display, window, gc, 30, 40, 50, 60);
    glXWaitX();
    uint32_t *pixels = read_front(WIDTH, HEIGHT);
    uint32_t seen = pixels[(HEIGHT - 1 - 50) * WIDTH + 40] & 0xffffff;
    if (seen != 0x123456) {
        fprintf(stderr, "0x%06x\n", (unsigned)seen);
        end(1, "GL does not see what the server has drawn");
    }
    expect(pixels, WIDTH, HEIGHT, "the front buffer has another picture than the window");
}

int main(int argc, char **argv) {
    const char *mode = argc == 2 ? argv[1] : "";
    open_window(strcmp(mode, "front") != 0);
    if (strcmp(mode, "front") == 0)
        front();
    else
        swap();
    XCloseDisplay(display);
    return 0;
}
