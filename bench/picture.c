/* SPDX-License-Identifier: MIT */
/*
 * Pictures of a target of 1024 x 768 pixels in blocks, as pfifo report takes one of each draw, beside a copy of as many
 * bytes. Half of the target is plain, the other half has smooth shades.
 */
#include "picture.h"

#include <pfifo/picture.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure.h"

enum { WIDTH = 1024, HEIGHT = 768, BYTES = WIDTH * HEIGHT * 4, COPIES = 8 };

struct bench {
    uint8_t *target, *rgba, *copy;
};

static const struct pfifo_picture description = {
    .width = WIDTH, .height = HEIGHT, .format = 0xcf, .pitch = WIDTH * 4, .is_block = true, .block_height = 4};

static double read_picture(const struct bench *bench) {
    const double start = measure_now();
    if (pfifo_picture_read(pfifo_chip_by_name("GF100"), &description, bench->target, BYTES, bench->rgba, NULL) !=
        PFIFO_OK) {
        fputs("pfifo-bench: picture: it cannot be read\n", stderr);
        exit(1);
    }
    return measure_now() - start;
}

static double copy_bytes(const struct bench *bench) {
    const double start = measure_now();
    for (unsigned i = 0; i < COPIES; i++)
        memcpy(bench->copy, i % 2 ? bench->target : bench->rgba, BYTES);
    return (measure_now() - start) / COPIES;
}

static void measure_one(const struct bench *bench, const char *name, double (*run)(const struct bench *)) {
    struct measure measure = {0};
    for (unsigned i = 0; i < MEASURE_ROUNDS; i++) {
        const double ours = run(bench);
        measure_add(&measure, ours, ours / copy_bytes(bench));
    }
    const struct measured is = measure_end(&measure);
    printf("%-28s %12.2f %12.1f   (%.1f .. %.1f)\n", name, is.seconds * 1e3, is.ratio, is.low, is.high);
}

void bench_picture(void) {
    struct bench bench = {malloc(BYTES), malloc(BYTES), malloc(BYTES)};
    if (!bench.target || !bench.rgba || !bench.copy) {
        fputs("pfifo-bench: picture: no memory\n", stderr);
        exit(1);
    }
    for (size_t i = 0; i < BYTES; i++)
        bench.target[i] = (uint8_t)(i < BYTES / 2 ? 0x40 : i / 4 % 16 + i % 4 * 8 + i / 4096);
    printf("%-28s %12s %12s\n", "a target of 1024 x 768", "ms", "copies");
    measure_one(&bench, "its picture", read_picture);
    free(bench.target);
    free(bench.rgba);
    free(bench.copy);
}
