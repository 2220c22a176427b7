/* SPDX-License-Identifier: MIT */
/*
 * Draws of a GM107: vertices, small triangles, and pixels with what may be done to them, without a driver and its program.
 * What Mesa's llvmpipe needs for such things is beside them in gl/.
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
    uint32_t filter, min_lod; /* of a texture: word 1 of the sampler, 0: there is none; and of its word 2 */
    uint32_t written;         /* the first pixel afterwards */
};

static float vertices[VERTICES][6];

static uint32_t bits(float value) {
    uint32_t word;
    memcpy(&word, &value, sizeof word);
    return word;
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
    memcpy(vertices[number], vertex, sizeof vertex);
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
    put_texture(machine, row);
    machine->commands.words = 0;
    set_state(&machine->commands, row, at);
    METHOD(&machine->commands, SUBCHANNEL_3D, 0xd80, 0, 0, 0, 0);
    METHOD(&machine->commands, SUBCHANNEL_3D, 0xd90, bits(1));
    METHOD(&machine->commands, SUBCHANNEL_3D, 0x19d0, 0x3c | row->depth);
    engine_run(machine, &units);
    machine->commands.words = 0;
    draw(&machine->commands, row);
    for (int round = 0; round < MEASURE_ROUNDS; round++)
        measure_add(&rounds, engine_run(machine, &units), 0);
    check(machine, row);
    struct measured result = measure_end(&rounds);
    measure_unit(machine->chip, "draws", result.seconds * 1e9 / (double)units);
    printf("%-32s %-6s %9.2f %8.1f   (M%s/s)\n", row->name, machine->chip, (double)row->count / result.seconds / 1e6,
           result.seconds * 1e9 / (double)units, row->unit);
    fflush(stdout);
}

/* clang-format off */
static const struct draw_row rows[] = {
    {"vertices", "vertices", SMALL_VERTICES, TRIANGLES, SMALL, SMALL_VERTICES, .no_pixels = true},
    {"ALU loop", "operations", LOOP_VERTICES * 3 * TRIPLES, TRIANGLES, SMALL, LOOP_VERTICES, .no_pixels = true,
     .loop = true},
    {"triangles of ten pixels", "triangles", COLUMNS * COLUMNS, TRIANGLES, SMALL, SMALL_VERTICES},
    {"draws of a small triangle", "draws", APART, TRIANGLES, SMALL, 3 * APART, .apart = 3},
    {"draws, after a change of state", "draws", APART, TRIANGLES, SMALL, 3 * APART, .apart = 3,
     .change = change_state},
    {"draws of ten triangles", "draws", TENS, TRIANGLES, SMALL, 30 * TENS, .apart = 30, .no_pixels = true},
    {"draws, another uniform", "draws", TENS, TRIANGLES, SMALL, 30 * TENS, .apart = 30, .no_pixels = true,
     .change = change_uniform},
    {"draws, another texture", "draws", TENS, TRIANGLES, SMALL, 30 * TENS, .apart = 30, .no_pixels = true,
     .change = change_texture, .filter = 0x51},
    {"draws, another blend function", "draws", TENS, TRIANGLES, SMALL, 30 * TENS, .apart = 30, .no_pixels = true,
     .change = change_blend},
    {"draws, another program", "draws", TENS, TRIANGLES, SMALL, 30 * TENS, .apart = 30, .no_pixels = true,
     .change = change_program},
    {"draws, another uniform, pixels", "draws", TENS, TRIANGLES, SMALL, 30 * TENS, .apart = 30,
     .change = change_uniform},
    {"pixels", "pixels", PIXELS, STRIP, QUAD, 4, .written = 0x8080},
    {"pixels, depth", "pixels", PIXELS, STRIP, QUAD, 4, .depth = true, .written = 0x8080},
    {"pixels, blended", "pixels", PIXELS, STRIP, QUAD, 4, .blend = true},
    {"pixels, four samples", "pixels", PIXELS, STRIP, QUAD, 4, .samples4 = true, .written = 0x8080},
    {"pixels, texture, nearest", "pixels", PIXELS, STRIP, QUAD, 4, .filter = 0x51},
    {"pixels, texture, bilinear", "pixels", PIXELS, STRIP, QUAD, 4, .filter = 0x62},
    {"pixels, texture, trilinear", "pixels", PIXELS, STRIP, QUAD, 4, .filter = 0xe2, .min_lod = 0x180},
};
/* clang-format on */

void bench_draw(void) {
    const char *only = getenv("PFIFO_BENCH_ONLY");
    uint8_t code[CODES] = {0};
    uint64_t units;
    printf("%-32s %-6s %9s %8s\n", "draws", "chip", "M/s", "ns/unit");
    for (uint32_t i = 0; i < 4; i++)
        put_vertex(QUAD + i, i & 1 ? 1 : -1, i & 2 ? 1 : -1);
    small_vertices();
    put_programs(code);
    put_loop(code);
    struct engine_machine *machine =
        engine_open("GM107", BYTES, &(struct pfifo_channel_config){0}, &bench_format_gf100);
    if (!pfifo_buffer_write(machine->from, 0, vertices, sizeof vertices) ||
        !pfifo_buffer_write(machine->from, CODE, code, sizeof code))
        abort();
    METHOD(&machine->commands, SUBCHANNEL_3D, 0, CLASS_3D);
    engine_run(machine, &units);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (!only || fnmatch(only, rows[i].name, 0) == 0)
            measure(machine, &rows[i]);
    measure_units_print();
    engine_close(machine);
}
