/* SPDX-License-Identifier: MIT */
/*
 * Draws of a GM107: vertices, small triangles, and pixels with what may be done to them. Each row takes turns with a
 * straight loop in C that does the same work on the processor: no state, no programs, nothing that could be otherwise.
 */
#include "draw.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engines.h"
#include "measure.h"

#define SIZE     1024u /* of the target, in pixels along an edge */
#define HALF     512.0f
#define PIXELS   (SIZE * SIZE)
#define BYTES    ((size_t)PIXELS * 4 * 8) /* of each buffer: four samples, and depth */
#define DEPTH    (BYTES / 2)              /* in the buffer of the target */
#define CODE     (BYTES / 2)              /* in the buffer that is read: programs; vertices are before it */
#define STRIDE   24u                      /* x y z w red green */
#define VERTICES 0x40000u
#define COLUMNS  256u /* of small triangles, and as many rows */
#define HEADER   0x30u
#define FRAGMENT 0x130u
#define LOOP     0x3b0u /* a vertex program of many instructions, three by three */
#define TRIPLES  85u
#define TEXTURED 0x1030u
#define COPY     0x1230u /* of the fragment program */
#define CODES    0x2000u
#define HEADERS  (CODE + 0x8000u) /* what textures need, each with one entry */
#define SAMPLERS (CODE + 0x8100u)
#define HANDLES  (CODE + 0x8200u)
#define IMAGE    (CODE + 0x10000u)
#define TEXELS   256u /* of the texture, along an edge */
#define LEVELS   9u
#define HANDLE   0x20u /* where the handle is in the constants */
#define UNIFORM  0x40u

enum { SUBCHANNEL_3D = 0, CLASS_3D = 0xb097, TRIANGLES = 4, STRIP = 5 };

/* What a draw of a row is, beside the state that all rows share. */
struct draw_row {
    const char *name, *unit;
    uint64_t count; /* of that unit, in a round */
    uint32_t topology, first, vertices;
    bool no_pixels, depth, blend, samples4, loop;
    uint32_t apart;                                                    /* so many vertices are a draw of their own, */
    void (*change)(struct engine_commands *commands, uint32_t number); /* before which something else changes */
    uint32_t filter, texels,
        min_lod; /* of a texture: word 1 of the sampler; 0: there is none. How many texels it reads */
    void (*host)(const struct draw_row *row);
    uint32_t written; /* the first pixel afterwards */
};

/* What loops in C work on. */
static struct host {
    float vertex[VERTICES][6], placed[VERTICES][6];
    uint32_t pixel[4 * PIXELS];
    float depth[PIXELS];
} * host;

static uint32_t bits(float value) {
    uint32_t word;
    memcpy(&word, &value, sizeof word);
    return word;
}

/* ---- the same in C ---- */

static void place_vertices(const struct draw_row *row) {
    for (uint32_t i = 0; i < row->vertices; i++) {
        const float *from = host->vertex[row->first + i];
        float *to = host->placed[i], rw = 1 / from[3];
        to[0] = from[0] * rw * HALF + HALF;
        to[1] = from[1] * rw * HALF + HALF;
        to[2] = from[2] * rw * 0.5f + 0.5f;
        to[3] = rw;
        to[4] = from[4];
        to[5] = from[5];
    }
}

/* The three instructions of the loop, for as many vertices as a warp has at once. */
static void multiply_and_add(const struct draw_row *row) {
    for (uint32_t i = 0; i + 32 <= row->vertices; i += 32) {
        float w[32], red[32], green[32];
        for (uint32_t lane = 0; lane < 32; lane++) {
            const float *from = host->vertex[row->first + i + lane];
            w[lane] = from[3];
            red[lane] = from[4];
            green[lane] = from[5];
        }
        for (uint32_t k = 0; k < TRIPLES; k++) {
            for (uint32_t lane = 0; lane < 32; lane++)
                red[lane] = red[lane] * w[lane] + green[lane];
            for (uint32_t lane = 0; lane < 32; lane++)
                green[lane] = green[lane] * w[lane];
            for (uint32_t lane = 0; lane < 32; lane++)
                red[lane] = red[lane] * w[lane] + green[lane];
        }
        for (uint32_t lane = 0; lane < 32; lane++) {
            host->placed[i + lane][4] = red[lane];
            host->placed[i + lane][5] = green[lane];
        }
    }
}

static uint32_t color_of(float red, float green) {
    return (uint32_t)(red * 255 + 0.5f) | (uint32_t)(green * 255 + 0.5f) << 8;
}

/* Pixels of a box whose centre is on the inner side of three edges. */
static void fill_triangle(const float *a, const float *b, const float *c) {
    float ab[3] = {a[1] - b[1], b[0] - a[0], a[0] * b[1] - a[1] * b[0]};
    float bc[3] = {b[1] - c[1], c[0] - b[0], b[0] * c[1] - b[1] * c[0]};
    float ca[3] = {c[1] - a[1], a[0] - c[0], c[0] * a[1] - c[1] * a[0]};
    float turn = ab[0] * c[0] + ab[1] * c[1] + ab[2] < 0 ? -1 : 1;
    int x0 = (int)(a[0] < b[0] ? a[0] < c[0] ? a[0] : c[0] : b[0] < c[0] ? b[0] : c[0]);
    int y0 = (int)(a[1] < b[1] ? a[1] < c[1] ? a[1] : c[1] : b[1] < c[1] ? b[1] : c[1]);
    uint32_t color = color_of(a[4], a[5]);
    for (int y = y0; y <= y0 + 8 && y < (int)SIZE; y++)
        for (int x = x0; x <= x0 + 8 && x < (int)SIZE; x++) {
            float px = (float)x + 0.5f, py = (float)y + 0.5f;
            if ((ab[0] * px + ab[1] * py + ab[2]) * turn >= 0 && (bc[0] * px + bc[1] * py + bc[2]) * turn >= 0 &&
                (ca[0] * px + ca[1] * py + ca[2]) * turn >= 0)
                host->pixel[(size_t)y * SIZE + (size_t)x] = color;
        }
}

static void fill_triangles(const struct draw_row *row) {
    place_vertices(row);
    for (uint32_t i = 0; i + 2 < row->vertices; i += 3)
        fill_triangle(host->placed[i], host->placed[i + 1], host->placed[i + 2]);
}

/* Red and green vary over the target, as the inputs of the program do. */
static void fill_pixels(const struct draw_row *row) {
    unsigned samples = row->samples4 ? 4 : 1;
    for (uint32_t y = 0; y < SIZE; y++)
        for (uint32_t x = 0; x < SIZE; x++) {
            float red = 0.5f + (float)x / (2 * SIZE), green = 0.5f + (float)y / (2 * SIZE);
            for (unsigned s = 0; s < samples; s++)
                host->pixel[((size_t)y * SIZE + x) * samples + s] = color_of(red, green);
        }
}

static void fill_by_depth(const struct draw_row *row) {
    (void)row;
    for (uint32_t y = 0; y < SIZE; y++)
        for (uint32_t x = 0; x < SIZE; x++) {
            float red = 0.5f + (float)x / (2 * SIZE), green = 0.5f + (float)y / (2 * SIZE), z = 0.5f;
            size_t at = (size_t)y * SIZE + x;
            if (z > host->depth[at])
                continue;
            host->depth[at] = z;
            host->pixel[at] = color_of(red, green);
        }
}

static void blend_pixels(const struct draw_row *row) {
    (void)row;
    for (uint32_t y = 0; y < SIZE; y++)
        for (uint32_t x = 0; x < SIZE; x++) {
            float source[4] = {0.5f + (float)x / (2 * SIZE), 0.5f + (float)y / (2 * SIZE), 0, 0};
            uint32_t *pixel = &host->pixel[(size_t)y * SIZE + x], result = 0;
            for (unsigned i = 0; i < 4; i++) {
                float value = source[i] * 0.5f + (float)(*pixel >> 8 * i & 0xff) * (0.5f / 255);
                result |= (uint32_t)((value < 1 ? value : 1) * 255 + 0.5f) << 8 * i;
            }
            *pixel = result;
        }
}

/* As many texels as the filter takes, each with a weight. */
static void sample_pixels(const struct draw_row *row) {
    static uint32_t image[TEXELS * TEXELS];
    for (uint32_t y = 0; y < SIZE; y++)
        for (uint32_t x = 0; x < SIZE; x++) {
            float s = TEXELS * (0.5f + (float)x / (2 * SIZE)), t = TEXELS * (0.5f + (float)y / (2 * SIZE));
            float weight = s - (float)(int)s, sum[4] = {0};
            for (uint32_t i = 0; i < row->texels; i++) {
                uint32_t at = ((uint32_t)t + (i >> 1 & 1)) % TEXELS * TEXELS + ((uint32_t)s + (i & 1)) % TEXELS;
                for (unsigned c = 0; c < 4; c++)
                    sum[c] += (float)(image[at] >> 8 * c & 0xff) * weight;
            }
            host->pixel[(size_t)y * SIZE + x] = color_of(sum[0] / 256, sum[1] / 256);
        }
}

/* ---- the machine ---- */

/* Position and two components go on; these are red and green. A scheduling word is before each three instructions. */
static void put_programs(uint8_t *code) {
    static const uint64_t vertex[] = {0x002b8400e4200701, 0xefd9ff800807ff00, 0xefd8ff800907ff04, 0xeff1ff800707ff00,
                                      0x001f8004fde012e1, 0xeff0ff800807ff04, 0xe30000000007000f, 0xe30000000007000f};
    static const uint64_t fragment[] = {0x003c0801e1a0070d, 0xe003ff87cff7ff00, 0x5080000000470004, 0xe043ff880047ff00,
                                        0x003fbc03e0200722, 0xe043ff884047ff01, 0xe30000000007000f, 0xe30000000007000f};
    /* two coordinates by perspective; TEXS of the handle in word 8 of the constants */
    static const uint64_t textured[] = {0x00240801e1a0070f, 0xe003ff87cff7ff00, 0x5080000000470000, 0xe043ff880007ff01,
                                        0x07ffbc03e040172f, 0xe043ff884007ff00, 0xd830008020070100, 0xe30000000007000f};
    static const uint32_t headers[2][20] = {{[0] = 0x20461, [4] = 0xff000, [6] = 0x3f, [13] = 0x3f000},
                                            {[0] = 0x21462, [5] = 0x80000000, [6] = 0xa, [18] = 0xf}};
    memcpy(code + HEADER, headers[0], sizeof headers[0]);
    memcpy(code + HEADER + 0x50, vertex, sizeof vertex);
    memcpy(code + FRAGMENT, headers[1], sizeof headers[1]);
    memcpy(code + FRAGMENT + 0x50, fragment, sizeof fragment);
    memcpy(code + COPY, headers[1], sizeof headers[1]);
    memcpy(code + COPY + 0x50, fragment, sizeof fragment);
    memcpy(code + TEXTURED, headers[1], sizeof headers[1]);
    memcpy(code + TEXTURED + 0x50, textured, sizeof textured);
}

/* d = a * b + c, or without c; scheduling words say nothing. */
static uint64_t ffma(uint64_t d, uint64_t a, uint64_t b, uint64_t c) {
    return UINT64_C(0x5980000000070000) | d | a << 8 | b << 20 | c << 39;
}

static uint64_t fmul(uint64_t d, uint64_t a, uint64_t b) {
    return UINT64_C(0x5c68000000070000) | d | a << 8 | b << 20;
}

/* As the vertex program, with a loop that is unrolled: red and green are in registers 4 and 5, w is in 3. */
static void put_loop(uint8_t *code) {
    enum { W = 3, RED, GREEN };
    const uint64_t schedule = 0x001f8000fc0007e0;
    uint64_t words[4 * (TRIPLES + 2)] = {schedule, 0xefd9ff800807ff00, 0xefd8ff800907ff04, 0xeff1ff800707ff00},
                                  *to = words;
    for (unsigned i = 0; i < TRIPLES; i++) {
        *(to += 4) = schedule;
        to[1] = ffma(RED, RED, W, GREEN);
        to[2] = fmul(GREEN, GREEN, W);
        to[3] = ffma(RED, RED, W, GREEN);
    }
    *(to += 4) = schedule;
    to[1] = 0xeff0ff800807ff04;
    to[2] = to[3] = 0xe30000000007000f;
    memcpy(code + LOOP, code + HEADER, 0x50);
    memcpy(code + LOOP + 0x50, words, sizeof words);
}

static void put_vertex(uint32_t number, float x, float y) {
    const float vertex[6] = {x, y, 0, 1, (x + 3) / 4, (y + 3) / 4}; /* colours from 1/2 to 1 */
    memcpy(host->vertex[number], vertex, sizeof vertex);
}

#define QUAD  0u /* a strip over the whole target */
#define SMALL 4u /* triangles of ten pixels: half of a square of sqrt(20) */

#define SMALL_VERTICES (3 * COLUMNS * COLUMNS)
#define LOOP_VERTICES  0x6000u
#define APART          4096u /* triangles that are draws of their own */
#define TENS           2048u /* draws of ten triangles */

static void small_vertices(void) {
    uint32_t number = SMALL;
    const float step = 2.0f / COLUMNS, edge = 4.4721f * 2 / SIZE;
    for (uint32_t i = 0; i < COLUMNS * COLUMNS; i++) {
        uint32_t row = i / COLUMNS;
        float x = -1 + step * (float)(i % COLUMNS), y = -1 + step * (float)row;
        put_vertex(number++, x, y);
        put_vertex(number++, x + edge, y);
        put_vertex(number++, x, y + edge);
    }
}

static void set_state(struct engine_commands *commands, const struct draw_row *row, struct engine_places at) {
    uint64_t code = at.from + CODE, depth = at.to + DEPTH;
    uint32_t width = row->samples4 ? 2 * SIZE : SIZE;
    METHOD(commands, SUBCHANNEL_3D, 0x800, HIGH(at.to), LOW(at.to), width, width, 0xd5, 4 << 4, 1, 0, 0);
    METHOD(commands, SUBCHANNEL_3D, 0xfe0, HIGH(depth), LOW(depth), 0xa, 4 << 4, 0);
    METHOD(commands, SUBCHANNEL_3D, 0x1228, SIZE, SIZE, 1 << 16 | 1);
    METHOD(commands, SUBCHANNEL_3D, 0x1538, row->depth);
    METHOD(commands, SUBCHANNEL_3D, 0x12cc, row->depth);
    METHOD(commands, SUBCHANNEL_3D, 0x12e8, row->depth);
    METHOD(commands, SUBCHANNEL_3D, 0x130c, 0x203);
    METHOD(commands, SUBCHANNEL_3D, 0x15d0, row->samples4 ? 2 : 0);
    METHOD(commands, SUBCHANNEL_3D, 0x1534, row->samples4);
    METHOD(commands, SUBCHANNEL_3D, 0xfbc, 0xffff, 0xffff, 0xffff, 0xffff);
    METHOD(commands, SUBCHANNEL_3D, 0x121c, 1);
    METHOD(commands, SUBCHANNEL_3D, 0x37c, !row->no_pixels);
    METHOD(commands, SUBCHANNEL_3D, 0x1a00, 0x1111);
    METHOD(commands, SUBCHANNEL_3D, 0xff4, SIZE << 16, SIZE << 16);
    METHOD(commands, SUBCHANNEL_3D, 0xc00, SIZE << 16, SIZE << 16);
    METHOD(commands, SUBCHANNEL_3D, 0xa00, bits(HALF), bits(HALF), bits(0.5f), bits(HALF), bits(HALF), bits(0.5f));
    METHOD(commands, SUBCHANNEL_3D, 0xc08, bits(0), bits(1));
    METHOD(commands, SUBCHANNEL_3D, 0x131c, bits(0.5f), bits(0.5f), bits(0.5f), bits(0.5f));
    METHOD(commands, SUBCHANNEL_3D, 0x1360, row->blend);
    METHOD(commands, SUBCHANNEL_3D, 0x12e4, 0);
    METHOD(commands, SUBCHANNEL_3D, 0x133c, 0);
    METHOD(commands, SUBCHANNEL_3D, 0x1340, 0x8006, 0xc001, 0xc001, 0x8006, 0xc001);
    METHOD(commands, SUBCHANNEL_3D, 0x1358, 0xc001);
    METHOD(commands, SUBCHANNEL_3D, 0x193c, 2);
    METHOD(commands, SUBCHANNEL_3D, 0x1558, 1);
    METHOD(commands, SUBCHANNEL_3D, 0x1608, HIGH(code), LOW(code));
    METHOD(commands, SUBCHANNEL_3D, 0x2044, row->loop ? LOOP : HEADER);
    METHOD(commands, SUBCHANNEL_3D, 0x2144, row->filter ? TEXTURED : FRAGMENT);
    METHOD(commands, SUBCHANNEL_3D, 0xf10, 1);
    METHOD(commands, SUBCHANNEL_3D, 0x1574, HIGH(at.from + HEADERS), LOW(at.from + HEADERS), 0);
    METHOD(commands, SUBCHANNEL_3D, 0x155c, HIGH(at.from + SAMPLERS), LOW(at.from + SAMPLERS), 0);
    METHOD(commands, SUBCHANNEL_3D, 0x2380, 0x100, HIGH(at.from + HANDLES), LOW(at.from + HANDLES), HANDLE, 0);
    METHOD(commands, SUBCHANNEL_3D, 0x2150, 4);
    METHOD(commands, SUBCHANNEL_3D, 0x2490, 1 | 2 << 4);
    METHOD(commands, SUBCHANNEL_3D, 0x2608, 2);
    METHOD(commands, SUBCHANNEL_3D, 0x1330, 0);
    METHOD(commands, SUBCHANNEL_3D, 0x1334, 0);
    METHOD(commands, SUBCHANNEL_3D, 0x1160, 1u << 21 | 7u << 27, 4u << 21 | 7u << 27 | 16 << 7);
    METHOD(commands, SUBCHANNEL_3D, 0x1c00, 1 << 12 | STRIDE, HIGH(at.from), LOW(at.from));
    METHOD(commands, SUBCHANNEL_3D, 0x1f00, HIGH(at.from + CODE - 1), LOW(at.from + CODE - 1));
}

/* RGBA8 in blocks of 16 lines of gobs, with all levels; repeat. */
static void put_texture(struct engine_machine *machine, const struct draw_row *row) {
    const uint64_t image = pfifo_buffer_address(machine->from) + IMAGE;
    const uint32_t sampler[8] = {0, row->filter, 0xfffu << 12 | row->min_lod};
    const uint32_t header[8] = {0x08 | 2u << 7 | 2u << 10 | 2u << 13 | 2u << 16 | 2u << 19 | 3u << 22 | 4u << 25 |
                                    5u << 28,
                                LOW(image),
                                HIGH(image) | 3u << 21,
                                4u << 3 | (LEVELS - 1) << 28,
                                (TEXELS - 1) | 1u << 23,
                                (TEXELS - 1) | 1u << 31,
                                0,
                                (LEVELS - 1) << 4};
    if (!pfifo_buffer_write(machine->from, HEADERS, header, sizeof header) ||
        !pfifo_buffer_write(machine->from, SAMPLERS, sampler, sizeof sampler))
        abort();
}

static void draw_vertices(struct engine_commands *commands, uint32_t topology, uint32_t first, uint32_t count) {
    METHOD(commands, SUBCHANNEL_3D, 0x1618, topology);
    METHOD(commands, SUBCHANNEL_3D, 0xd74, first, count);
    METHOD(commands, SUBCHANNEL_3D, 0x1614, 0);
}

/* The picture is the same: a stream, a viewport, a mask of stencil, an offset of polygons, a blend color, a pool. */
static void change_state(struct engine_commands *commands, uint32_t number) {
    static const uint16_t methods[] = {0x1f28, 0xa20, 0x1398, 0x15bc, 0x131c, 0x1574};
    METHOD(commands, SUBCHANNEL_3D, methods[number % 6], number & 1);
}

/* A word of the constants that no program reads. */
static void change_uniform(struct engine_commands *commands, uint32_t number) {
    METHOD(commands, SUBCHANNEL_3D, 0x238c, UNIFORM, number);
}

/* A handle, and what is kept of headers is forgotten. */
static void change_texture(struct engine_commands *commands, uint32_t number) {
    METHOD(commands, SUBCHANNEL_3D, 0x238c, HANDLE, 0);
    METHOD(commands, SUBCHANNEL_3D, 0x1330, number & 1);
}

/* Of a factor that is not used: blending is off. */
static void change_blend(struct engine_commands *commands, uint32_t number) {
    METHOD(commands, SUBCHANNEL_3D, 0x1344, 0xc001 + (number & 1));
}

static void change_program(struct engine_commands *commands, uint32_t number) {
    METHOD(commands, SUBCHANNEL_3D, 0x2144, number & 1 ? FRAGMENT : COPY);
}

static void draw(struct engine_commands *commands, const struct draw_row *row) {
    if (!row->apart)
        draw_vertices(commands, row->topology, row->first, row->vertices);
    for (uint32_t i = 0; row->apart && i < row->vertices; i += row->apart) {
        if (row->change)
            row->change(commands, i / row->apart);
        draw_vertices(commands, row->topology, row->first + i, row->apart);
    }
}

static double run_host(const struct draw_row *row) {
    double start = measure_now();
    row->host(row);
    return measure_now() - start;
}

static void check(const struct engine_machine *machine, const struct draw_row *row) {
    uint32_t written = 0;
    if (pfifo_device_faults(machine->device) || !pfifo_buffer_read(machine->to, 0, &written, sizeof written) ||
        (row->written && written != row->written)) {
        fprintf(stderr, "pfifo-bench: %s: the first pixel is 0x%08" PRIx32 "\n", row->name, written);
        exit(1);
    }
}

static void measure(struct engine_machine *machine, const struct draw_row *row) {
    struct measure rounds = {.rounds = 0};
    struct engine_places at = {pfifo_buffer_address(machine->from), pfifo_buffer_address(machine->to)};
    uint64_t units;
    memset(host->depth, 0x7f, sizeof host->depth); /* far away */
    put_texture(machine, row);
    machine->commands.words = 0;
    set_state(&machine->commands, row, at);
    METHOD(&machine->commands, SUBCHANNEL_3D, 0xd80, 0, 0, 0, 0);
    METHOD(&machine->commands, SUBCHANNEL_3D, 0xd90, bits(1));
    METHOD(&machine->commands, SUBCHANNEL_3D, 0x19d0, 0x3c | row->depth);
    engine_run(machine, &units);
    machine->commands.words = 0;
    draw(&machine->commands, row);
    for (int round = 0; round < MEASURE_ROUNDS; round++) {
        double straight = run_host(row), seconds = engine_run(machine, &units);
        measure_add(&rounds, seconds, straight / seconds);
    }
    check(machine, row);
    struct measured result = measure_end(&rounds);
    measure_unit(machine->chip, "draws", result.seconds * 1e9 / (double)units);
    printf("%-32s %-6s %9.2f %8.3f %8.1f   (M%s/s; %.3f .. %.3f)\n", row->name, machine->chip,
           (double)row->count / result.seconds / 1e6, result.ratio, result.seconds * 1e9 / (double)units, row->unit,
           result.low, result.high);
    fflush(stdout);
}

/* clang-format off */
static const struct draw_row rows[] = {
    {"vertices", "vertices", SMALL_VERTICES, TRIANGLES, SMALL, SMALL_VERTICES, .no_pixels = true,
     .host = place_vertices},
    {"ALU loop", "operations", LOOP_VERTICES * 3 * TRIPLES, TRIANGLES, SMALL, LOOP_VERTICES, .no_pixels = true,
     .loop = true, .host = multiply_and_add},
    {"triangles of ten pixels", "triangles", COLUMNS * COLUMNS, TRIANGLES, SMALL, SMALL_VERTICES,
     .host = fill_triangles},
    {"draws of a small triangle", "draws", APART, TRIANGLES, SMALL, 3 * APART, .apart = 3, .host = fill_triangles},
    {"draws, after a change of state", "draws", APART, TRIANGLES, SMALL, 3 * APART, .apart = 3,
     .change = change_state, .host = fill_triangles},
    {"draws of ten triangles", "draws", TENS, TRIANGLES, SMALL, 30 * TENS, .apart = 30, .no_pixels = true,
     .host = place_vertices},
    {"draws, another uniform", "draws", TENS, TRIANGLES, SMALL, 30 * TENS, .apart = 30, .no_pixels = true,
     .change = change_uniform, .host = place_vertices},
    {"draws, another texture", "draws", TENS, TRIANGLES, SMALL, 30 * TENS, .apart = 30, .no_pixels = true,
     .change = change_texture, .host = place_vertices, .filter = 0x51, .texels = 1},
    {"draws, another blend function", "draws", TENS, TRIANGLES, SMALL, 30 * TENS, .apart = 30, .no_pixels = true,
     .change = change_blend, .host = place_vertices},
    {"draws, another program", "draws", TENS, TRIANGLES, SMALL, 30 * TENS, .apart = 30, .no_pixels = true,
     .change = change_program, .host = place_vertices},
    {"draws, another uniform, pixels", "draws", TENS, TRIANGLES, SMALL, 30 * TENS, .apart = 30,
     .change = change_uniform, .host = fill_triangles},
    {"pixels", "pixels", PIXELS, STRIP, QUAD, 4, .host = fill_pixels, .written = 0x8080},
    {"pixels, depth", "pixels", PIXELS, STRIP, QUAD, 4, .depth = true, .host = fill_by_depth, .written = 0x8080},
    {"pixels, blended", "pixels", PIXELS, STRIP, QUAD, 4, .blend = true, .host = blend_pixels},
    {"pixels, four samples", "pixels", PIXELS, STRIP, QUAD, 4, .samples4 = true, .host = fill_pixels,
     .written = 0x8080},
    {"pixels, texture, nearest", "pixels", PIXELS, STRIP, QUAD, 4, .host = sample_pixels, .filter = 0x51, .texels = 1},
    {"pixels, texture, bilinear", "pixels", PIXELS, STRIP, QUAD, 4, .host = sample_pixels, .filter = 0x62, .texels = 4},
    {"pixels, texture, trilinear", "pixels", PIXELS, STRIP, QUAD, 4, .host = sample_pixels, .filter = 0xe2, .texels = 8,
     .min_lod = 0x180},
};
/* clang-format on */

void bench_draw(void) {
    const char *only = getenv("PFIFO_BENCH_ONLY");
    uint8_t code[CODES] = {0};
    uint64_t units;
    printf("%-32s %-6s %9s %8s %8s\n", "draws", "chip", "M/s", "of loop", "ns/unit");
    host = calloc(1, sizeof *host);
    if (!host)
        exit(1);
    for (uint32_t i = 0; i < 4; i++)
        put_vertex(QUAD + i, i & 1 ? 1 : -1, i & 2 ? 1 : -1);
    small_vertices();
    put_programs(code);
    put_loop(code);
    struct engine_machine *machine =
        engine_open("GM107", BYTES, &(struct pfifo_channel_config){0}, &bench_format_gf100);
    if (!pfifo_buffer_write(machine->from, 0, host->vertex, sizeof host->vertex) ||
        !pfifo_buffer_write(machine->from, CODE, code, sizeof code))
        abort();
    METHOD(&machine->commands, SUBCHANNEL_3D, 0, CLASS_3D);
    engine_run(machine, &units);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (!only || fnmatch(only, rows[i].name, 0) == 0)
            measure(machine, &rows[i]);
    measure_units_print();
    engine_close(machine);
    free(host);
}
