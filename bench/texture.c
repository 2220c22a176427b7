/* SPDX-License-Identifier: MIT */
/*
 * Samples of a texture, beside a loop in C that does the same work of each: wrap, addresses, weights, four components.
 * The loop's image lies line by line; its sums are floats.
 */
#include "texture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/texture/texture.h"
#include "measure.h"

#define SIZE   256u
#define LEVELS 9u
#define PASSES 4u
#define BASE   UINT64_C(0x100000000)
#define BYTES  (SIZE * SIZE * 8u)

enum kind { NEAREST, BILINEAR, TRILINEAR, KINDS };

struct bench {
    uint8_t *bytes; /* of the texture, and the loop's image */
    struct texture_memory memory;
    struct texture_view view;
    struct texture_sampler sampler[KINDS];
    const uint8_t *level[LEVELS];
};

static volatile float keep; /* so that it is computed */

static const uint8_t *at(void *opaque, uint64_t address, uint64_t *bytes) {
    const struct bench *bench = opaque;
    if (address - BASE >= BYTES)
        return NULL;
    *bytes = 4096 - address % 4096;
    return bench->bytes + (address - BASE);
}

static const uint8_t *whole(void *opaque, uint64_t address, uint64_t bytes) {
    const struct bench *bench = opaque;
    return address - BASE < BYTES && bytes <= BYTES - (address - BASE) ? bench->bytes + (address - BASE) : NULL;
}

/* Maxwell's, as a driver writes them: RGBA8, 16 lines of blocks, repeat. */
static void open_bench(struct bench *bench) {
    static const struct texture_unit unit = {.layout = TEXTURE_TIC_MAXWELL, .order = GOB_SECTORS};
    const char *why = "";
    uint32_t words[TEXTURE_WORDS] = {0x08 | 2u << 19 | 3u << 22 | 4u << 25 | 5u << 28,
                                     (uint32_t)BASE,
                                     (uint32_t)(BASE >> 32) | 3u << 21,
                                     4u << 3 | (LEVELS - 1) << 28,
                                     (SIZE - 1) | TEXTURE_2D << 23,
                                     (SIZE - 1) | 1u << 31,
                                     0,
                                     (LEVELS - 1) << 4};
    for (unsigned i = 0; i < 4; i++)
        words[0] |= (uint32_t)TEXTURE_UNORM << (7 + 3 * i);
    bench->bytes = malloc(BYTES);
    if (!bench->bytes || !texture_header(&bench->view, &unit, words, &why)) {
        fprintf(stderr, "pfifo-bench: texture: %s\n", why);
        exit(1);
    }
    for (size_t i = 0; i < BYTES; i++)
        bench->bytes[i] = (uint8_t)(i * 7 + i / 4096);
    bench->memory = (struct texture_memory){bench, at, whole};
    for (unsigned kind = 0; kind < KINDS; kind++) {
        const uint32_t filter = kind == NEAREST ? 1 : 2, mip = kind == TRILINEAR ? 3 : 1;
        const uint32_t sampler[TEXTURE_WORDS] = {0, filter | filter << 4 | mip << 6, 0xfffu << 12};
        texture_sampler(&bench->sampler[kind], sampler);
    }
    const uint8_t *next = bench->bytes;
    for (unsigned i = 0; i < LEVELS; i++) {
        bench->level[i] = next;
        next += (size_t)(SIZE >> i) * (SIZE >> i) * 4;
    }
}

/* A warp: 4 x 2 quads. The picture is turned, and smaller than the texture. */
static void coordinates(unsigned x, unsigned y, unsigned lane, float *s, float *t) {
    const unsigned in_x = x + (lane >> 2 & 3) * 2 + (lane & 1), in_y = y + (lane >> 4) * 2 + (lane >> 1 & 1);
    const float px = (float)in_x, py = (float)in_y;
    *s = (px * 1.25F + py * 0.5F) / SIZE;
    *t = (py * 1.25F - px * 0.5F) / SIZE;
}

static double run_texture(const struct bench *bench, enum kind kind) {
    texture_row s, t, out[4];
    const struct texture_request request = {.has_derivatives = true, .coordinate = {s, t}};
    const double start = measure_now();
    for (unsigned pass = 0; pass < PASSES; pass++)
        for (unsigned y = 0; y < SIZE; y += 4)
            for (unsigned x = 0; x < SIZE; x += 8) {
                for (unsigned lane = 0; lane < TEXTURE_LANES; lane++) {
                    float at[2];
                    coordinates(x, y, lane, &at[0], &at[1]);
                    memcpy(&s[lane], &at[0], sizeof at[0]);
                    memcpy(&t[lane], &at[1], sizeof at[1]);
                }
                texture_sample(&bench->memory, &bench->view, &bench->sampler[kind], &request, UINT32_MAX, out);
                float sum;
                memcpy(&sum, &out[0][0], sizeof sum);
                keep = sum;
            }
    return measure_now() - start;
}

/* ---- the loop ---- */

static void add(const struct bench *bench, unsigned level, int x, int y, float weight, float sum[4]) {
    const int last = (int)(SIZE >> level) - 1;
    const uint8_t *texel = bench->level[level] + 4 * ((size_t)(y & last) * (SIZE >> level) + (size_t)(x & last));
    for (unsigned i = 0; i < 4; i++)
        sum[i] += (float)texel[i] * weight;
}

static void filter(const struct bench *bench, unsigned level, float s, float t, float weight, float sum[4]) {
    const float size = (float)(SIZE >> level), u = s * size - 0.5F, v = t * size - 0.5F;
    const float x = floorf(u), y = floorf(v), a = u - x, b = v - y;
    add(bench, level, (int)x, (int)y, (1 - a) * (1 - b) * weight, sum);
    add(bench, level, (int)x + 1, (int)y, a * (1 - b) * weight, sum);
    add(bench, level, (int)x, (int)y + 1, (1 - a) * b * weight, sum);
    add(bench, level, (int)x + 1, (int)y + 1, a * b * weight, sum);
}

static void sample(const struct bench *bench, enum kind kind, float s, float t, float lambda, float sum[4]) {
    const unsigned level = (unsigned)lambda;
    const float second = lambda - (float)level;
    if (kind == NEAREST)
        add(bench, 0, (int)floorf(s * SIZE), (int)floorf(t * SIZE), 1 / 255.0F, sum);
    else if (kind == BILINEAR)
        filter(bench, 0, s, t, 1 / 255.0F, sum);
    else
        filter(bench, level, s, t, (1 - second) / 255, sum), filter(bench, level + 1, s, t, second / 255, sum);
}

static double run_loop(const struct bench *bench, enum kind kind) {
    const double start = measure_now();
    for (unsigned pass = 0; pass < PASSES; pass++)
        for (unsigned y = 0; y < SIZE; y += 4)
            for (unsigned x = 0; x < SIZE; x += 8) {
                float s[TEXTURE_LANES], t[TEXTURE_LANES], sum[4] = {0};
                for (unsigned lane = 0; lane < TEXTURE_LANES; lane++)
                    coordinates(x, y, lane, &s[lane], &t[lane]);
                for (unsigned lane = 0; lane < TEXTURE_LANES; lane++) {
                    const float ds = (s[lane | 1] - s[lane & ~1u]) * SIZE, dt = (t[lane | 1] - t[lane & ~1u]) * SIZE;
                    sample(bench, kind, s[lane], t[lane], kind == TRILINEAR ? log2f(ds * ds + dt * dt) / 2 : 0, sum);
                }
                keep = sum[0];
            }
    return measure_now() - start;
}

void bench_texture(void) {
    static const char *const names[KINDS] = {"nearest", "bilinear", "trilinear"};
    const double samples = (double)SIZE * SIZE * PASSES;
    struct bench bench;
    open_bench(&bench);
    printf("%-28s %12s %12s %10s\n", "one texture of RGBA8", "Msamples/s", "ns a sample", "of a loop");
    for (unsigned kind = 0; kind < KINDS; kind++) {
        struct measure rounds = {.rounds = 0};
        for (unsigned i = 0; i < MEASURE_ROUNDS; i++) {
            const double loop = run_loop(&bench, (enum kind)kind), texture = run_texture(&bench, (enum kind)kind);
            measure_add(&rounds, texture, loop / texture);
        }
        const struct measured result = measure_end(&rounds);
        printf("%-28s %12.1f %12.1f %10.2f   (%.2f .. %.2f)\n", names[kind], samples / result.seconds / 1e6,
               result.seconds * 1e9 / samples, result.ratio, result.low, result.high);
        fflush(stdout);
    }
    free(bench.bytes);
}
