/* SPDX-License-Identifier: MIT */
/*
 * paint [-n NODE] [-e 11|20|30|31] [-d|-D] [-p] [-s SCENE]... WIDTH HEIGHT FILE: paint scenes (none named: all that the
 * version of OpenGL ES has) and write their images to FILE, each as a line "NAME:WIDTHxHEIGHT" and the pixels. -d: also
 * scenes that are drawn; -D: only those. -p: pack the pixels, for a FILE that is slow. Prints who painted.
 */
#include <GLES2/gl2.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "canvas.h"
#include "drawing.h"
#include "screen.h"

enum { MOST_SCENES = 32 };

struct order {
    struct screen screen;
    const char *scenes[MOST_SCENES];
    unsigned count;
    bool undrawn, drawn, packed;
    const char *file;
    FILE *out;
};

/* A row as runs of up to 255 equal pixels: how many, and the pixel. */
static void write_packed_row(FILE *file, int width, const uint8_t *row) {
    for (int begin = 0, end; begin < width; begin = end) {
        for (end = begin + 1; end < width && end - begin < 255; end++)
            if (memcmp(row + (size_t)end * 4, row + (size_t)begin * 4, 4) != 0)
                break;
        fputc(end - begin, file);
        fwrite(row + (size_t)begin * 4, 4, 1, file);
    }
}

/* Of a row that is as the one before, only a 0. Other images have other bytes. */
static void write_packed(FILE *file, int width, int height, const uint8_t *rgba) {
    const size_t bytes = (size_t)width * 4;
    for (int y = 0; y < height; y++, rgba += bytes) {
        if (y > 0 && memcmp(rgba, rgba - bytes, bytes) == 0)
            fputc(0, file);
        else
            write_packed_row(file, width, rgba);
    }
}

static void write_image(void *opaque, const char *name, int width, int height, const uint8_t *rgba) {
    const struct order *order = opaque;
    fprintf(order->out, "%s:%dx%d\n", name, width, height);
    if (order->packed)
        write_packed(order->out, width, height, rgba);
    else
        fwrite(rgba, 4, (size_t)width * (size_t)height, order->out);
    if (ferror(order->out))
        screen_fail("an image cannot be written");
}

static bool is_wanted(const struct order *order, const struct scene *scene) {
    bool wanted = order->count == 0;
    for (unsigned i = 0; i < order->count; i++)
        wanted = wanted || strcmp(order->scenes[i], scene->name) == 0;
    return wanted && scene->version <= order->screen.version;
}

static void read_order(struct order *order, int argc, char **argv) {
    int option;
    order->screen.version = 20;
    order->undrawn = true;
    while ((option = getopt(argc, argv, "n:e:dDps:")) != -1) {
        if (option == 'n')
            order->screen.node = optarg;
        else if (option == 'e')
            order->screen.version = (int)strtol(optarg, NULL, 10);
        else if (option == 'd' || option == 'D')
            order->drawn = true, order->undrawn = option == 'd';
        else if (option == 'p')
            order->packed = true;
        else if (option == 's' && order->count < MOST_SCENES)
            order->scenes[order->count++] = optarg;
        else
            screen_fail("usage: paint [-n NODE] [-e 11|20|30|31] [-d|-D] [-p] [-s SCENE]... WIDTH HEIGHT FILE");
    }
    if (argc - optind != 3)
        screen_fail("WIDTH HEIGHT FILE are missing");
    order->screen.width = (int)strtol(argv[optind], NULL, 10);
    order->screen.height = (int)strtol(argv[optind + 1], NULL, 10);
    order->file = argv[optind + 2];
    if (order->screen.width < 48 || order->screen.height < 48 || order->screen.width > 4096 ||
        order->screen.height > 4096)
        screen_fail("sizes are 48 to 4096");
}

static void paint(const struct order *order, const struct painter *painter, const struct scene *scene) {
    for (; scene->name; scene++) {
        if (!is_wanted(order, scene))
            continue;
        scene->paint(painter);
        /* A scene begins with the surface, whatever the one before has bound. */
        glBindFramebuffer(GL_FRAMEBUFFER, 0);
    }
}

int main(int argc, char **argv) {
    struct order order = {0};
    read_order(&order, argc, argv);
    order.out = fopen(order.file, "wb");
    if (!order.out)
        screen_fail("%s cannot be written", order.file);
    screen_open(&order.screen);
    printf("%s\n", (const char *)glGetString(GL_RENDERER));
    fflush(stdout);
    struct painter painter = {order.screen.width, order.screen.height, write_image, &order};
    if (order.undrawn)
        paint(&order, &painter, scenes);
    if (order.drawn)
        paint(&order, &painter, drawn_scenes);
    if (fclose(order.out) != 0)
        screen_fail("%s cannot be written", order.file);
    screen_close(&order.screen);
    return 0;
}
