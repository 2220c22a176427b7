/* SPDX-License-Identifier: MIT */
/*
 * show FILE: paint on a surface of the card's size, write what glReadPixels sees to FILE as paint does, and bring it on
 * the screen: the first picture by SETCRTC, a second by a page flip that is waited for. The second is in FILE.
 */
#include "canvas.h"
#include "output.h"

static void write_image(void *opaque, const char *name, int width, int height, const uint8_t *rgba) {
    fprintf(opaque, "%s:%dx%d\n", name, width, height);
    fwrite(rgba, 4, (size_t)width * (size_t)height, opaque);
}

int main(int argc, char **argv) {
    FILE *file = argc == 2 ? fopen(argv[1], "wb") : NULL;
    if (!file)
        screen_fail("usage: show FILE");
    struct output output;
    struct screen screen = {.version = 20};
    output_open(&output, &screen);
    const struct painter painter = {screen.width, screen.height, write_image, file};
    canvas_rectangles(&painter, 60);
    output_show(&output, &screen);
    canvas_rectangles(&painter, 61);
    canvas_emit(&painter, "screen", screen.width, screen.height);
    output_flip(&output, &screen);
    return fclose(file) == 0 ? 0 : 1;
}
