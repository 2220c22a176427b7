/* SPDX-License-Identifier: MIT */
/*
 * Vector code of the host beside the loops that every host has: the same bits. On a host without such code both are the
 * loops.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "draw/canvas.h"
#include "engine/draw/pixels_vector.h"

#define SIZE  64u
#define BYTES (SIZE * SIZE * 8 * 8) /* of the largest elements here, with eight samples */

static int start(void **state) {
    struct canvas *canvas = calloc(1, sizeof *canvas);
    canvas_start(canvas, SIZE, SIZE);
    *state = canvas;
    return 0;
}

static int stop(void **state) {
    canvas_stop(*state);
    free(*state);
    return 0;
}

/* ---- a draw, both ways ---- */

struct picture {
    uint8_t color[BYTES], depth[BYTES];
    uint64_t samples, fragments;
};

static void stored(struct canvas *canvas, unsigned number, uint8_t *bytes, bool write) {
    const struct draw_target *target =
        number == CANVAS_ZETA ? &canvas->state.targets.zeta : &canvas->state.targets.color[number];
    if (target->format && write)
        assert_true(
            memory_write(&canvas->rig.memory, &target->surface.space, target->surface.address, bytes, BYTES, NULL));
    else if (target->format)
        assert_true(
            memory_read(&canvas->rig.memory, &target->surface.space, target->surface.address, bytes, BYTES, NULL));
}

static void draw(struct canvas *canvas, struct picture *picture, const struct pixel_vector *vector) {
    struct draw_vertex v[4] = {canvas_vertex(0, 0, 0.1f), canvas_vertex(0, SIZE, 0.9f), canvas_vertex(SIZE, 0, 0.4f),
                               canvas_vertex(SIZE, SIZE - 3, 0.3f)};
    const struct draw_primitive primitives[2] = {
        {.kind = DRAW_TRIANGLES, .edges = 7, .vertex = {&v[0], &v[1], &v[2]}, .flat = &v[2]},
        {.kind = DRAW_TRIANGLES, .edges = 7, .vertex = {&v[1], &v[2], &v[3]}, .flat = &v[3]}};
    memset(picture, 0, sizeof *picture);
    for (unsigned i = 0; i < BYTES; i++) {
        picture->color[i] = (uint8_t)(i * 2654435761u >> 13);
        picture->depth[i] = (uint8_t)(i * 2246822519u >> 11);
    }
    stored(canvas, 0, picture->color, true);
    stored(canvas, CANVAS_ZETA, picture->depth, true);
    canvas->raster->vector = vector;
    canvas_draw(canvas, primitives, 2, 0);
    stored(canvas, 0, picture->color, false);
    stored(canvas, CANVAS_ZETA, picture->depth, false);
    picture->samples = draw_raster_result(canvas->raster)->samples;
    picture->fragments = draw_raster_result(canvas->raster)->fragments;
}

static void assert_same_both_ways(struct canvas *canvas) {
    static struct picture with, without;
    draw(canvas, &with, pixel_vector_of_host());
    draw(canvas, &without, NULL);
    assert_memory_equal(with.color, without.color, BYTES);
    assert_memory_equal(with.depth, without.depth, BYTES);
    assert_int_equal(with.samples, without.samples);
    assert_int_equal(with.fragments, without.fragments);
}

/* ---- programs ---- */

static float odd_value(uint32_t number) {
    static const float values[] = {0, -0.0f, 1, 2, -1, INFINITY, -INFINITY, NAN, 1e-40f, 0x1.fffffep-1f};
    uint32_t hash = number * 2654435761u;
    float middle = ((float)(hash >> 24) + 0.5f) / 255; /* where two integers meet, and what is next to it */
    switch (hash >> 8 & 7) {
    case 0:
        return values[(hash >> 11) % (sizeof values / sizeof values[0])];
    case 1:
        return nextafterf(middle, 2);
    case 2:
        return nextafterf(middle, -2);
    case 3:
        return middle;
    default:
        return (float)(hash >> 8 & 0xffff) / 0xffff;
    }
}

static uint32_t turn;

/* Values that change from pixel to pixel and from draw to draw; some pixels are killed. */
static bool odd_colors(struct canvas *canvas, struct draw_fragments *f) {
    f->killed = 0;
    for (unsigned lane = 0; lane < DRAW_LANES; lane++) {
        uint32_t number = (f->y[lane] * SIZE + f->x[lane] + turn * 7919) * 8;
        for (unsigned i = 0; i < 8; i++) {
            float value = odd_value(number + i);
            memcpy(&f->color[i / 4][i % 4][lane], &value, sizeof value);
        }
        if (canvas->state.stages.program.kills && number % 5 == 0)
            f->killed |= 1u << lane;
    }
    return true;
}

/* ---- colours ---- */

static const uint32_t formats[] = {0xcf, 0xd5, 0xd0, 0xe6, 0xf9, 0xe5, 0xd9};

static void every_value_becomes_the_same_bytes(void **state) {
    struct canvas *canvas = *state;
    canvas->program = odd_colors;
    for (unsigned i = 0; i < sizeof formats / sizeof formats[0]; i++)
        for (unsigned mask = 1; mask < 16; mask++) {
            if (!format_color(formats[i]))
                continue;
            canvas_target(canvas, 0, formats[i], 1);
            canvas->state.blend.mask[0] = (uint8_t)mask;
            canvas->state.stages.program.kills = mask & 1;
            turn++;
            assert_same_both_ways(canvas);
        }
}

/* All values of floats between 0 and 1 would take long: those around each step are tried, and many others. */
static void blending_is_the_same(void **state) {
    struct canvas *canvas = *state;
    struct draw_blend *blend = &canvas->state.blend.target[0];
    const float constant[4] = {0.3f, 1.5f, NAN, 0.7f};
    canvas->program = odd_colors;
    memcpy(canvas->state.blend.color, constant, sizeof constant);
    canvas->state.stages.program.kills = true;
    for (unsigned one = DRAW_ZERO; one <= DRAW_ONE_MINUS_SRC1_ALPHA; one++)
        for (unsigned other = DRAW_ZERO; other <= DRAW_ONE_MINUS_SRC1_ALPHA; other++) {
            *blend = (struct draw_blend){.enabled = true,
                                         .op_rgb = (uint8_t)(turn % 5),
                                         .op_alpha = (uint8_t)(turn / 5 % 5),
                                         .src_rgb = (uint8_t)one,
                                         .dst_rgb = (uint8_t)other,
                                         .src_alpha = (uint8_t)other,
                                         .dst_alpha = (uint8_t)one};
            canvas_target(canvas, 0, formats[turn % 4], 1);
            canvas->state.blend.mask[0] = turn % 7 ? 15 : 5;
            turn++;
            assert_same_both_ways(canvas);
        }
}

/* A target of floats has no bounds of its own. */
static void bounds_hold_in_whole_stripes(void **state) {
    struct canvas *canvas = *state;
    static struct picture picture;
    canvas_target(canvas, 0, 0xe5, 1);
    for (unsigned c = 0; c < 4; c++)
        canvas->color[c] = 2;
    for (unsigned bounded = 0; bounded < 2; bounded++) {
        canvas->state.blend.clamp[0] = (uint8_t)bounded;
        draw(canvas, &picture, pixel_vector_of_host());
        assert_int_equal(canvas_element(canvas, 0, 5, 3, 0), bounded ? 0x3f800000 : 0x40000000);
    }
}

/* ---- depth ---- */

static const uint32_t depths[] = {0x0a, 0x13, 0x14, 0x15, 0x16, 0x18, 0x19, 0x1d, 0x1f};

static void depth_is_the_same(void **state) {
    struct canvas *canvas = *state;
    canvas->program = odd_colors;
    canvas->state.zeta.test = canvas->state.zeta.counts = true;
    for (unsigned i = 0; i < sizeof depths / sizeof depths[0]; i++)
        for (unsigned compare = 0; compare < 32; compare++) {
            if (!format_zeta(depths[i]))
                continue;
            canvas_target(canvas, CANVAS_ZETA, depths[i], 1);
            canvas->state.zeta.compare = compare & 7;
            canvas->state.zeta.write = compare >> 3 & 1;
            canvas->state.stages.program.kills = compare >> 4 & 1;
            canvas->state.view.viewport[0].near = compare & 1 ? 0.25f : 0;
            canvas->state.view.viewport[0].far = compare & 2 ? 0.75f : 1;
            turn++;
            assert_same_both_ways(canvas);
        }
}

/* Four columns, so that they are drawn quad by quad. */
static void what_is_beyond_the_depth_buffer_is_not_drawn(void **state) {
    struct canvas *canvas = *state;
    canvas_target(canvas, CANVAS_ZETA, 0x0a, 1);
    canvas->state.targets.zeta.height = 9;
    canvas_triangle(canvas, (const float[]){0, 0, 0, 4, 0, 0, 0, 60, 0});
    assert_int_not_equal(canvas_element(canvas, 0, 0, 8, 0), 0);
    assert_int_equal(canvas_element(canvas, 0, 0, 9, 0), 0);
    canvas->state.targets.zeta.height = SIZE;
    canvas_triangle(canvas, (const float[]){0, 0, NAN, 4, 0, 0, 0, 60, 0});
    assert_int_equal(canvas_element(canvas, 0, 0, 9, 0), 0);
    canvas_triangle(canvas, (const float[]){0, 0, 1e30f, 4, 0, 0, 0, 60, 0});
    assert_int_not_equal(canvas_element(canvas, 0, 0, 9, 0), 0);
}

/* ---- several samples ---- */

static void samples_are_the_same(void **state) {
    struct canvas *canvas = *state;
    static const uint8_t modes[] = {1, 2, 3, 4, 5};
    canvas->program = odd_colors;
    canvas->state.zeta.counts = canvas->state.zeta.write = true;
    for (unsigned i = 0; i < 5 * 16; i++) {
        draw_samples_of(&canvas->state.raster.samples, modes[i % 5]);
        canvas->state.raster.multisample = i & 1;
        canvas->state.zeta.test = i & 2;
        canvas->state.zeta.compare = i & 4 ? DRAW_LEQUAL : DRAW_GREATER;
        canvas->state.stages.program.kills = i & 8;
        canvas->state.blend.mask[0] = 15;
        canvas->state.blend.target[0] = (struct draw_blend){.enabled = i / 5 % 3 == 1,
                                                            .src_rgb = DRAW_SRC_ALPHA,
                                                            .dst_rgb = DRAW_ONE_MINUS_SRC1_COLOR,
                                                            .src_alpha = DRAW_ONE,
                                                            .dst_alpha = DRAW_DST_ALPHA};
        canvas_target(canvas, 0, formats[i % 4], 1);
        canvas_target(canvas, CANVAS_ZETA, depths[i / 5 % 9], 1);
        canvas->state.blend.mask[0] = i % 3 ? 15 : 6;
        turn++;
        assert_same_both_ways(canvas);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_value_becomes_the_same_bytes, start, stop),
        cmocka_unit_test_setup_teardown(blending_is_the_same, start, stop),
        cmocka_unit_test_setup_teardown(bounds_hold_in_whole_stripes, start, stop),
        cmocka_unit_test_setup_teardown(depth_is_the_same, start, stop),
        cmocka_unit_test_setup_teardown(what_is_beyond_the_depth_buffer_is_not_drawn, start, stop),
        cmocka_unit_test_setup_teardown(samples_are_the_same, start, stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
