/* SPDX-License-Identifier: MIT */
#include "face/drm/session/wireframe.h"

#include <pfifo/program.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct wireframe {
    struct pfifo_gpu *gpu;
    struct pfifo_primitive *primitive;
    size_t count, room;
};

static void add_primitive(void *opaque, const struct pfifo_primitive *primitive) {
    struct wireframe *wireframe = opaque;
    if (wireframe->count == wireframe->room) {
        size_t room = wireframe->room ? 2 * wireframe->room : 256;
        struct pfifo_primitive *grown =
            room <= WIREFRAME_MOST ? realloc(wireframe->primitive, room * sizeof *grown) : NULL;
        if (!grown)
            return;
        wireframe->primitive = grown;
        wireframe->room = room;
    }
    wireframe->primitive[wireframe->count++] = *primitive;
}

struct wireframe *wireframe_new(struct pfifo_gpu *gpu) {
    struct wireframe *wireframe = calloc(1, sizeof *wireframe);
    if (!wireframe)
        return NULL;
    wireframe->gpu = gpu;
    pfifo_gpu_watch_primitives(gpu, add_primitive, wireframe);
    return wireframe;
}

void wireframe_free(struct wireframe *wireframe) {
    if (!wireframe)
        return;
    pfifo_gpu_watch_primitives(wireframe->gpu, NULL, NULL);
    free(wireframe->primitive);
    free(wireframe);
}

void wireframe_forget(struct wireframe *wireframe) {
    wireframe->count = 0;
}

/* ---- lines ---- */

struct canvas {
    uint32_t width, height;
    uint8_t *rgba;
};

static void put_pixel(const struct canvas *canvas, double x, double y) {
    if (!(x >= 0 && y >= 0 && x < canvas->width && y < canvas->height))
        return;
    memset(canvas->rgba + 4 * ((size_t)y * canvas->width + (size_t)x), 0xff, 4);
}

/* The part of a line from 0 to 1 that lies in 0 .. limit, in one direction. False: none does. */
static bool cut(double from, double to, double limit, double *begin, double *end) {
    double way = to - from;
    if (way == 0)
        return from >= 0 && from <= limit;
    double a = (0 - from) / way, b = (limit - from) / way;
    double first = a < b ? a : b, last = a < b ? b : a;
    *begin = first > *begin ? first : *begin;
    *end = last < *end ? last : *end;
    return *begin <= *end;
}

static void put_line(const struct canvas *canvas, double x0, double y0, double x1, double y1) {
    double begin = 0, end = 1;
    if (!isfinite(x0) || !isfinite(y0) || !isfinite(x1) || !isfinite(y1) || !cut(x0, x1, canvas->width, &begin, &end) ||
        !cut(y0, y1, canvas->height, &begin, &end))
        return;
    double ax = x0 + begin * (x1 - x0), ay = y0 + begin * (y1 - y0), dx = (end - begin) * (x1 - x0),
           dy = (end - begin) * (y1 - y0);
    unsigned steps = (unsigned)ceil(fmax(fabs(dx), fabs(dy))) + 1;
    for (unsigned i = 0; i <= steps; i++)
        put_pixel(canvas, ax + dx * i / steps, ay + dy * i / steps);
}

static void put_primitive(const struct canvas *canvas, const struct pfifo_primitive *p) {
    unsigned edges = p->corners == 3 ? 3 : p->corners == 2 ? 1 : 0;
    if (!edges)
        put_pixel(canvas, (double)p->x[0], (double)p->y[0]);
    for (unsigned i = 0; i < edges; i++) {
        unsigned next = (i + 1) % p->corners;
        put_line(canvas, (double)p->x[i], (double)p->y[i], (double)p->x[next], (double)p->y[next]);
    }
}

uint8_t *wireframe_take(struct wireframe *wireframe, uint32_t width, uint32_t height) {
    const struct canvas canvas = {width, height, calloc((size_t)width * height + 1, 4)};
    for (size_t i = 0; canvas.rgba && i < (size_t)width * height; i++)
        canvas.rgba[4 * i + 3] = 0xff;
    for (size_t i = 0; canvas.rgba && i < wireframe->count; i++)
        put_primitive(&canvas, &wireframe->primitive[i]);
    wireframe_forget(wireframe);
    return canvas.rgba;
}
