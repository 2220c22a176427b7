/* SPDX-License-Identifier: MIT */
/*
 * PATCHES. Four squares of four corners, which the tessellator divides: the first not at all, the others into 2 x 2, 4
 * x 4 and 16 x 16 parts. The evaluation program bends them to the quarters of a disc, which the more parts, the rounder
 * they are.
 *
 *   patches             draw and compare
 *   patches FILE.png    and write the picture
 */
#include "patches_programs.h"
#include "tegra.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    SIZE = 256, /* of the target, in pixels of four bytes */
    ROW = SIZE * 4,
    BLOCK_HEIGHT = 4,  /* log2: blocks of 16 GOBs, 128 rows */
    BACKGROUND = 0x30, /* no quarter has so much blue */
    CORNERS = 4,       /* of a patch */
    PATCHES = 4,
    FINEST = 16, /* into so many parts, along an edge */
};

/* Offsets in a buffer. The instructions after a header of 0x50 bytes are at a multiple of 0x80. */
enum {
    VERTEX_PROGRAM = 0x30,
    CONTROL_PROGRAM = 0x130,
    EVALUATION_PROGRAM = 0x330,
    FRAGMENT_PROGRAM = 0x630,
    VERTICES = 0x1000,
    QUERY = 0x1200,
    BYTES = 0x2000,
};

/* ---- what is in memory ---- */

#define EDGE 0.9f /* of the square that becomes the disc */

struct vertex {
    float x, y, level;
};

/* Corners in rows: the patch's u goes along x, its v along y. The picture's first row is y = -1. */
static const struct vertex vertices[PATCHES * CORNERS] = {
    {-EDGE, -EDGE, 1}, {0, -EDGE, 1},     {-EDGE, 0, 1},     {0, 0, 1},
    {0, -EDGE, 2},     {EDGE, -EDGE, 2},  {0, 0, 2},         {EDGE, 0, 2},
    {-EDGE, 0, 4},     {0, 0, 4},         {-EDGE, EDGE, 4},  {0, EDGE, 4},
    {0, 0, FINEST},    {EDGE, 0, FINEST}, {0, EDGE, FINEST}, {EDGE, EDGE, FINEST},
};

static void put_program(uint8_t *to, const uint32_t header[20], const uint64_t *code, size_t bytes) {
    memcpy(to, header, 0x50);
    memcpy(to + 0x50, code, bytes);
}

static void fill(uint8_t *memory) {
    put_program(memory + VERTEX_PROGRAM, vertex_header, vertex_code, sizeof vertex_code);
    put_program(memory + CONTROL_PROGRAM, control_header, control_code, sizeof control_code);
    put_program(memory + EVALUATION_PROGRAM, evaluation_header, evaluation_code, sizeof evaluation_code);
    put_program(memory + FRAGMENT_PROGRAM, fragment_header, fragment_code, sizeof fragment_code);
    memcpy(memory + VERTICES, vertices, sizeof vertices);
}

/* ---- commands ---- */

static uint32_t bits(float value) {
    uint32_t word;
    memcpy(&word, &value, sizeof word);
    return word;
}

#define METHODS(method, ...) PUT(channel, INCREASING, SUBCHANNEL_3D, method, __VA_ARGS__)

/* As in square.c, which says what the words are. */
static void put_target(struct tegra_channel *channel, uint64_t target) {
    const float half = SIZE / 2.0f;
    const uint32_t gray = bits(BACKGROUND / 255.0f);
    METHODS(0x800, ADDRESS(target), SIZE, SIZE, 0xd5, BLOCK_HEIGHT << 4, 1, 0);
    METHODS(0x121c, 1);
    METHODS(0xff4, SIZE << 16, SIZE << 16);
    METHODS(0xa00, bits(half), bits(half), bits(0.5f), bits(half), bits(half), bits(0.5f));
    METHODS(0xc00, SIZE << 16, SIZE << 16, bits(0), bits(1));
    METHODS(0x193c, 2);
    METHODS(0x1a00, 0x1111);
    METHODS(0xd80, gray, gray, gray, bits(1));
    METHODS(0x19d0, 0x3c);
}

/* SET_PIPELINE_SHADER .. of the four stages: 1 vertex, 2 control, 3 evaluation, 5 fragments. */
static void put_programs(struct tegra_channel *channel, uint64_t base) {
    static const struct {
        uint32_t stage, program, registers;
    } stages[] = {
        {1, VERTEX_PROGRAM, 4}, {2, CONTROL_PROGRAM, 4}, {3, EVALUATION_PROGRAM, 12}, {5, FRAGMENT_PROGRAM, 4}};
    METHODS(0x1608, ADDRESS(base)); /* SET_PROGRAM_REGION */
    for (unsigned i = 0; i < sizeof stages / sizeof stages[0]; i++) {
        const uint32_t at = 0x2000 + stages[i].stage * 0x40;
        METHODS(at, stages[i].stage << 4 | 1, stages[i].program);
        METHODS(at + 0xc, stages[i].registers);
    }
    METHODS(0x320, 0x202);   /* SET_TESSELLATION_PARAMETERS: quads, whole parts, triangles (clockwise) */
    METHODS(0xdcc, CORNERS); /* SET_PATCH: corners of one */
}

static void put_vertices(struct tegra_channel *channel, uint64_t base) {
    const uint64_t first = base + VERTICES, end = first + sizeof vertices - 1;
    METHODS(0x1160, 7u << 27 | 2 << 21);                              /* SET_VERTEX_ATTRIBUTE: three floats */
    METHODS(0x1c00, 1 << 12 | sizeof(struct vertex), ADDRESS(first)); /* SET_VERTEX_STREAM: on, stride; address */
    METHODS(0x1f00, ADDRESS(end));                                    /* and its last byte */
}

static void put_draw(struct tegra_channel *channel, uint64_t base) {
    METHODS(0x1530, 0x1f);                                 /* CLEAR_REPORT_VALUE: of VTG_PRIMITIVES_OUT */
    METHODS(0x1618, 14);                                   /* BEGIN: patches */
    METHODS(0xd74, 0, PATCHES * CORNERS);                  /* SET_VERTEX_ARRAY_START, DRAW_VERTEX_ARRAY */
    METHODS(0x1614, 0);                                    /* END */
    METHODS(0x1b00, ADDRESS(base + QUERY), 0, 0x09005002); /* SET_REPORT_SEMAPHORE: the count, the time */
    METHODS(0x110, 0);                                     /* WAIT_FOR_IDLE: the copy engine does not wait by itself */
}

static void put_copy(struct tegra_channel *channel, uint64_t from, uint64_t to) {
    PUT(channel, INCREASING, SUBCHANNEL_COPY, 0x728, 0x1000 | BLOCK_HEIGHT << 4, ROW, SIZE, 1, 0, 0);
    PUT(channel, INCREASING, SUBCHANNEL_COPY, 0x400, ADDRESS(from), ADDRESS(to), ROW, ROW, ROW, SIZE);
    PUT(channel, IMMEDIATE, SUBCHANNEL_COPY, 0x300, 0x306);
}

/* ---- the picture ---- */

/* Where the evaluation program puts a point of the square. */
static void bend(double x, double y, double *to_x, double *to_y) {
    *to_x = x * sqrt(1 - y * y / 2);
    *to_y = y * sqrt(1 - x * x / 2);
}

/* Point `i` of a quarter's rim: up one edge of the square, and back along the other. */
static void rim(unsigned parts, unsigned i, double *x, double *y) {
    const double edge = (double)EDGE;
    bend(i < parts ? edge : edge * (2 * parts - i) / parts, i < parts ? edge * i / parts : edge, x, y);
}

/*
 * How far inside of its quarter's outline a pixel is, in pixels. The outline goes straight from point to point of the
 * rim, and turns always to the same side.
 */
static double depth_of(uint32_t px, uint32_t py, unsigned parts) {
    const double half = SIZE / 2.0, x = fabs(px + 0.5 - half) / half, y = fabs(py + 0.5 - half) / half;
    double depth = SIZE;
    for (unsigned i = 0; i < 2 * parts; i++) {
        double x0, y0, x1, y1;
        rim(parts, i, &x0, &y0);
        rim(parts, i + 1, &x1, &y1);
        depth = fmin(depth, ((x1 - x0) * (y - y0) - (y1 - y0) * (x - x0)) / hypot(x1 - x0, y1 - y0) * half);
    }
    return depth;
}

/* Blue says which patch it is. Positions are rounded to parts of a pixel: on the outline, both are right. */
static bool is_right(uint32_t x, uint32_t y, uint32_t pixel) {
    const unsigned patch = (y >= SIZE / 2 ? 2 : 0) + (x >= SIZE / 2 ? 1 : 0);
    const unsigned parts = (unsigned)vertices[patch * CORNERS].level;
    const double depth = depth_of(x, y, parts);
    const bool is_inside = (pixel >> 16 & 0xff) == (parts * 255 + FINEST / 2) / FINEST && pixel >> 24 == 0xff;
    const bool is_outside = pixel == (BACKGROUND | BACKGROUND << 8 | BACKGROUND << 16 | 0xff000000);
    if (fabs(depth) < 1 / 32.0)
        return is_inside || is_outside;
    return depth > 0 ? is_inside : is_outside;
}

/* Two triangles of each part. */
static uint32_t expected_triangles(void) {
    uint32_t triangles = 0;
    for (unsigned i = 0; i < PATCHES; i++)
        triangles += 2 * (uint32_t)(vertices[i * CORNERS].level * vertices[i * CORNERS].level);
    return triangles;
}

int main(int argc, char **argv) {
    struct tegra tegra;
    struct tegra_channel channel;
    tegra_open(&tegra);
    tegra_channel_open(&tegra, &channel);
    struct tegra_buffer data = tegra_buffer(&tegra, BYTES), target = tegra_buffer(&tegra, ROW * SIZE),
                        picture = tegra_buffer(&tegra, ROW * SIZE);
    fill(data.cpu);
    put_target(&channel, target.gpu);
    put_programs(&channel, data.gpu);
    put_vertices(&channel, data.gpu);
    put_draw(&channel, data.gpu);
    put_copy(&channel, target.gpu, picture.gpu);
    tegra_wait(&tegra, &channel, tegra_submit(&tegra, &channel, NULL));

    const uint32_t *pixels = picture.cpu;
    uint32_t wrong = 0, triangles;
    for (uint32_t i = 0; i < SIZE * SIZE; i++)
        wrong += !is_right(i % SIZE, i / SIZE, pixels[i]);
    memcpy(&triangles, (uint8_t *)data.cpu + QUERY, sizeof triangles);
    printf("%u patches, %u triangles, %u of %u pixels differ from what was expected\n", PATCHES, (unsigned)triangles,
           (unsigned)wrong, SIZE * SIZE);
    if (argc > 1)
        tegra_write_png(argv[1], pixels, SIZE);
    tegra_check(wrong == 0 && triangles == expected_triangles(), "the disc");
    tegra_close(&tegra);
    return 0;
}
