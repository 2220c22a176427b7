/* SPDX-License-Identifier: MIT */
/*
 * paint [-n NODE] [-e 11|20|30|31] [-s SCENE]... WIDTH HEIGHT FILE: paint scenes (none named: all that the version of
 * OpenGL ES has) and write their images to FILE, each as a line "NAME:WIDTHxHEIGHT" and the pixels. Prints who painted.
 */
#include <GLES2/gl2.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "canvas.h"
#include "screen.h"

enum { MOST_SCENES = 32 };

struct order {
    struct screen screen;
    const char *scenes[MOST_SCENES];
    unsigned count;
    const char *file;
};

static void write_image(void *opaque, const char *name, int width, int height, const uint8_t *rgba) {
    size_t bytes = (size_t)width * (size_t)height * 4;
    fprintf(opaque, "%s:%dx%d\n", name, width, height);
    if (fwrite(rgba, 1, bytes, opaque) != bytes)
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
    while ((option = getopt(argc, argv, "n:e:s:")) != -1) {
        if (option == 'n')
            order->screen.node = optarg;
        else if (option == 'e')
            order->screen.version = (int)strtol(optarg, NULL, 10);
        else if (option == 's' && order->count < MOST_SCENES)
            order->scenes[order->count++] = optarg;
        else
            screen_fail("usage: paint [-n NODE] [-e 11|20|30|31] [-s SCENE]... WIDTH HEIGHT FILE");
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

int main(int argc, char **argv) {
    struct order order = {0};
    read_order(&order, argc, argv);
    FILE *file = fopen(order.file, "wb");
    if (!file)
        screen_fail("%s cannot be written", order.file);
    screen_open(&order.screen);
    printf("%s\n", (const char *)glGetString(GL_RENDERER));
    fflush(stdout);
    const struct painter painter = {order.screen.width, order.screen.height, write_image, file};
    for (const struct scene *scene = scenes; scene->name; scene++) {
        if (!is_wanted(&order, scene))
            continue;
        scene->paint(&painter);
        /* A scene begins with the surface, whatever the one before has bound. */
        glBindFramebuffer(GL_FRAMEBUFFER, 0);
    }
    if (fclose(file) != 0)
        screen_fail("%s cannot be written", order.file);
    screen_close(&order.screen);
    return 0;
}
