/* SPDX-License-Identifier: MIT */
/* Rules of OpenGL and Direct3D with answers that are known: stencil, depth, blending, logic operations, faces. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "draw/canvas.h"

#define Z24S8      0x16
#define RGBA8      0xd5
#define RGBA8_SRGB 0xd6
#define SNORM8     0xd7
#define R32_FLOAT  0xe5
#define R8_UINT    0xf6

static int start(void **state) {
    static struct canvas canvas;
    canvas_start(&canvas, 16, 16);
    *state = &canvas;
    return 0;
}

static int stop(void **state) {
    canvas_stop(*state);
    return 0;
}

/* Clockwise, as y grows downwards. */
static void draw_all(struct canvas *canvas, float z) {
    canvas_triangle(canvas, (const float[]){0, 0, z, 64, 0, z, 0, 64, z});
}

static void set_color(struct canvas *canvas, float r, float g, float b, float a) {
    canvas->color[0] = r;
    canvas->color[1] = g;
    canvas->color[2] = b;
    canvas->color[3] = a;
}

/* ---- stencil and depth ---- */

static struct draw_stencil_face *use_stencil(struct canvas *canvas, uint8_t stored) {
    struct draw_zeta_state *zeta = &canvas->state.zeta;
    canvas_target(canvas, CANVAS_ZETA, Z24S8, 1);
    canvas_set_element(canvas, CANVAS_ZETA, 3, 3, (uint64_t)stored << 24 | 0x800000);
    zeta->stencil = zeta->test = true;
    canvas->state.raster.front_is_cw = true;
    zeta->compare = DRAW_ALWAYS;
    zeta->face[1] = zeta->face[0] =
        (struct draw_stencil_face){.compare = DRAW_ALWAYS, .reference = 0x3c, .mask = 0xff, .write_mask = 0xff};
    return zeta->face;
}

static uint8_t stencil_of(struct canvas *canvas) {
    return (uint8_t)(canvas_element(canvas, CANVAS_ZETA, 3, 3, 0) >> 24);
}

static void stencil_wraps_or_saturates(void **state) {
    static const struct {
        enum draw_stencil_op op;
        uint8_t of_0, of_1, of_255;
    } rows[] = {
        {DRAW_KEEP, 0, 1, 255},     {DRAW_STENCIL_ZERO, 0, 0, 0}, {DRAW_REPLACE, 0x3c, 0x3c, 0x3c},
        {DRAW_INCR_SAT, 1, 2, 255}, {DRAW_DECR_SAT, 0, 0, 254},   {DRAW_INVERT, 255, 254, 0},
        {DRAW_INCR, 1, 2, 0},       {DRAW_DECR, 255, 0, 254},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (unsigned k = 0; k < 3; k++) {
            use_stencil(*state, k == 0 ? 0 : k == 1 ? 1 : 255)->pass = (uint8_t)rows[i].op;
            draw_all(*state, 0.5f);
            assert_int_equal(stencil_of(*state), k == 0 ? rows[i].of_0 : k == 1 ? rows[i].of_1 : rows[i].of_255);
        }
}

static void what_a_test_says_chooses_the_stencil_operation(void **state) {
    struct canvas *canvas = *state;
    for (unsigned i = 0; i < 3; i++) {
        struct draw_stencil_face *face = use_stencil(canvas, 0x10);
        face->fail = DRAW_STENCIL_ZERO;
        face->depth_fail = DRAW_INCR;
        face->pass = DRAW_REPLACE;
        face->compare = i == 0 ? DRAW_NEVER : DRAW_ALWAYS;
        canvas->state.zeta.compare = i == 1 ? DRAW_NEVER : DRAW_ALWAYS;
        draw_all(canvas, 0.5f);
        assert_int_equal(stencil_of(canvas), i == 0 ? 0 : i == 1 ? 0x11 : 0x3c);
        assert_int_equal(canvas_element(canvas, 0, 3, 3, 0) != 0, i == 2);
        canvas_target(canvas, 0, RGBA8, 1);
    }
}

static void masks_of_stencil_are_of_the_test_and_of_what_is_written(void **state) {
    struct canvas *canvas = *state;
    struct draw_stencil_face *face = use_stencil(canvas, 0xfc);
    face->compare = DRAW_EQUAL;
    face->mask = 0x3f;
    face->pass = DRAW_STENCIL_ZERO;
    face->write_mask = 0x0f;
    draw_all(canvas, 0.5f);
    assert_int_equal(stencil_of(canvas), 0xf0);
}

static void back_faces_have_stencil_of_their_own(void **state) {
    struct canvas *canvas = *state;
    struct draw_stencil_face *face = use_stencil(canvas, 7);
    face[0].pass = DRAW_INCR;
    face[1].pass = DRAW_DECR;
    draw_all(canvas, 0.5f);
    assert_int_equal(stencil_of(canvas), 8);
    canvas->state.raster.front_is_cw = false;
    draw_all(canvas, 0.5f);
    draw_all(canvas, 0.5f);
    assert_int_equal(stencil_of(canvas), 6);
}

/* 0x800000 is stored, and 0.5 becomes that. */
static void new_depth_is_compared_with_the_stored_one(void **state) {
    struct canvas *canvas = *state;
    for (unsigned compare = 0; compare < 8; compare++)
        for (unsigned relation = 0; relation < 3; relation++) {
            use_stencil(canvas, 0);
            canvas->state.zeta.stencil = false;
            canvas->state.zeta.compare = (uint8_t)compare;
            canvas_target(canvas, 0, RGBA8, 1);
            draw_all(canvas, relation == 0 ? 0.25f : relation == 1 ? 0.5f : 0.75f);
            assert_int_equal(canvas_element(canvas, 0, 3, 3, 0) != 0, compare >> relation & 1);
        }
}

static void depth_has_an_offset_and_leaves_stencil_alone(void **state) {
    struct canvas *canvas = *state;
    use_stencil(canvas, 0xa5);
    canvas->state.zeta.stencil = false;
    canvas->state.zeta.write = true;
    canvas->state.raster.offset_fill = true;
    canvas->state.raster.offset_units = 4; /* of 2^-24 */
    draw_all(canvas, 0.25f);
    assert_int_equal(canvas_element(canvas, CANVAS_ZETA, 3, 3, 0), 0xa5400004);
}

/* ---- colours ---- */

static struct draw_blend *use_blend(struct canvas *canvas, enum draw_blend_op op, enum draw_factor source,
                                    enum draw_factor target) {
    struct draw_blend *blend = &canvas->state.blend.target[0];
    *blend = (struct draw_blend){
        true, (uint8_t)op, (uint8_t)op, (uint8_t)source, (uint8_t)target, (uint8_t)source, (uint8_t)target};
    return blend;
}

/* Both ends of bits are -1. */
static void snorm_has_minus_one_twice(void **state) {
    struct canvas *canvas = *state;
    canvas_target(canvas, 0, SNORM8, 1);
    set_color(canvas, -1, -2, 1, -0.5f);
    draw_all(canvas, 0);
    assert_int_equal(canvas_element(canvas, 0, 3, 3, 0), 0xc07f8181);
    canvas_set_element(canvas, 0, 3, 3, 0x80808180);
    use_blend(canvas, DRAW_ADD, DRAW_ZERO, DRAW_ONE);
    draw_all(canvas, 0);
    assert_int_equal(canvas_element(canvas, 0, 3, 3, 0), 0x81818181);
}

static bool two_sources(struct canvas *canvas, struct draw_fragments *f) {
    static const float second[4] = {1, 0, 0.2f, 0.4f};
    (void)canvas;
    f->killed = 0;
    for (unsigned c = 0; c < 4; c++)
        for (unsigned lane = 0; lane < DRAW_LANES; lane++) {
            const float one = 1;
            memcpy(&f->color[0][c][lane], &one, 4);
            memcpy(&f->color[1][c][lane], &second[c], 4);
        }
    return true;
}

static void the_second_output_may_be_a_factor(void **state) {
    struct canvas *canvas = *state;
    canvas_target(canvas, 0, RGBA8, 1);
    canvas->program = two_sources;
    use_blend(canvas, DRAW_ADD, DRAW_SRC1_COLOR, DRAW_ZERO);
    draw_all(canvas, 0);
    assert_int_equal(canvas_element(canvas, 0, 3, 3, 0), 0x663300ff);
    use_blend(canvas, DRAW_ADD, DRAW_ONE_MINUS_SRC1_ALPHA, DRAW_ZERO);
    draw_all(canvas, 0);
    assert_int_equal(canvas_element(canvas, 0, 3, 3, 0), 0x99999999);
}

static void minimum_and_maximum_have_no_factors(void **state) {
    struct canvas *canvas = *state;
    canvas_target(canvas, 0, RGBA8, 1);
    canvas_set_element(canvas, 0, 3, 3, 0x20802080);
    set_color(canvas, 0.2f, 0.2f, 0.2f, 0.2f); /* 0x33 */
    use_blend(canvas, DRAW_MIN, DRAW_ZERO, DRAW_ZERO);
    draw_all(canvas, 0);
    assert_int_equal(canvas_element(canvas, 0, 3, 3, 0), 0x20332033);
    canvas_set_element(canvas, 0, 3, 3, 0x20802080);
    use_blend(canvas, DRAW_MAX, DRAW_ZERO, DRAW_ZERO);
    draw_all(canvas, 0);
    assert_int_equal(canvas_element(canvas, 0, 3, 3, 0), 0x33803380);
}

/* min(As, 1 - Ad), and 1 for alpha. */
static void saturation_is_of_what_alpha_leaves(void **state) {
    struct canvas *canvas = *state;
    canvas_target(canvas, 0, RGBA8, 1);
    canvas_set_element(canvas, 0, 3, 3, 0xcc000000);
    set_color(canvas, 1, 1, 1, 0.6f);
    use_blend(canvas, DRAW_ADD, DRAW_SRC_ALPHA_SATURATE, DRAW_ZERO);
    draw_all(canvas, 0);
    assert_int_equal(canvas_element(canvas, 0, 3, 3, 0), 0x99333333);
}

static void logic_operations_are_those_of_bits(void **state) {
    static const uint8_t results[16] = {0x00, 0x08, 0x04, 0x0c, 0x02, 0x0a, 0x06, 0x0e,
                                        0xf1, 0xf9, 0xf5, 0xfd, 0xf3, 0xfb, 0xf7, 0xff};
    struct canvas *canvas = *state;
    const uint32_t source = 0x0c;
    canvas_target(canvas, 0, R8_UINT, 1);
    canvas->state.blend.logic = true;
    memcpy(&canvas->color[0], &source, sizeof source);
    for (unsigned op = 0; op < 16; op++) {
        canvas->state.blend.logic_op = (uint8_t)op;
        canvas_set_element(canvas, 0, 3, 3, 0x0a);
        draw_all(canvas, 0);
        assert_int_equal(canvas_element(canvas, 0, 3, 3, 0), results[op]);
    }
}

/* OpenGL 4.6, 17.3.9: of no effect on floats and sRGB; blending is off nevertheless. */
static void floats_and_srgb_have_no_logic_operation(void **state) {
    struct canvas *canvas = *state;
    canvas->state.blend.logic = true;
    canvas->state.blend.logic_op = 6; /* XOR */
    canvas_target(canvas, 0, RGBA8_SRGB, 1);
    canvas_set_element(canvas, 0, 3, 3, 0xffffffff);
    use_blend(canvas, DRAW_ADD, DRAW_ONE, DRAW_ONE);
    set_color(canvas, 1, 0, 0, 0.2f);
    draw_all(canvas, 0);
    assert_int_equal(canvas_element(canvas, 0, 3, 3, 0), 0x330000ff);
    canvas_target(canvas, 0, R32_FLOAT, 1);
    canvas_set_element(canvas, 0, 3, 3, 0x40000000);
    draw_all(canvas, 0);
    assert_int_equal(canvas_element(canvas, 0, 3, 3, 0), 0x3f800000);
    canvas_target(canvas, 0, RGBA8, 1);
    canvas_set_element(canvas, 0, 3, 3, 0xffffffff);
    draw_all(canvas, 0);
    assert_int_equal(canvas_element(canvas, 0, 3, 3, 0), 0xccffff00);
}

/* ---- samples ---- */

/* Sixteen bytes: x in the low half, y in the high one. What is the same for all pixels needs no block of them. */
static void samples_may_have_places_of_their_own(void **state) {
    static const struct { uint8_t mode, block_x, block_y; } rows[] = {{0, 2, 2}, {1, 1, 2}, {2, 1, 1}, {3, 0, 1}};
    uint32_t words[4] = {0x30201f0a, 0x70605040, 0xb0a09080, 0xf0e0d0c0};
    struct draw_samples samples;
    (void)state;
    for (unsigned i = 0; i < 4; i++) {
        assert_true(draw_samples_of(&samples, rows[i].mode));
        draw_samples_place(&samples, words);
        assert_int_equal(samples.x[0], 10);
        assert_int_equal(samples.y[0], 0);
        assert_int_equal(samples.x[1], 15);
        assert_int_equal(samples.y[1], 1);
        assert_int_equal(samples.y[15], 15);
        assert_int_equal(samples.block_x, rows[i].block_x);
        assert_int_equal(samples.block_y, rows[i].block_y);
    }
    for (unsigned i = 0; i < 4; i++)
        words[i] = 0x3c2b4a69;
    draw_samples_of(&samples, 2);
    draw_samples_place(&samples, words);
    assert_int_equal(samples.block_x + samples.block_y, 0);
}

/* ---- faces ---- */

static void faces_are_culled_by_their_winding(void **state) {
    struct canvas *canvas = *state;
    struct draw_raster_state *raster = &canvas->state.raster;
    for (unsigned i = 0; i < 16; i++) {
        bool front = (i & 1) != (i >> 1 & 1);
        raster->front_is_cw = i & 1;
        raster->flip = i >> 1 & 1;
        raster->cull_front = i >> 2 & 1;
        raster->cull_back = i >> 3 & 1;
        canvas_target(canvas, 0, RGBA8, 1);
        draw_all(canvas, 0);
        assert_int_equal(canvas_count(canvas), (front ? raster->cull_front : raster->cull_back) ? 0 : 256);
    }
}

/* Where the window's origin is at the bottom, the upper edges of a picture are its lower ones in memory. */
static void with_a_flip_bottom_edges_belong_to_a_triangle(void **state) {
    static const char *const lines[] = {"", "", "", " #", " ##", " ###", " ####"};
    const float xyz[] = {1.5f, 2.5f, 0, 1.5f, 6.5f, 0, 5.5f, 6.5f, 0};
    struct canvas *canvas = *state;
    canvas_triangle(canvas, xyz);
    canvas_expect(canvas, lines, 6);
    canvas->state.raster.flip = true;
    canvas_triangle(canvas, xyz);
    canvas_expect(canvas, lines, 7);
}

/* ---- helpers ---- */

static struct draw_fragments seen;

static bool look(struct canvas *canvas, struct draw_fragments *f) {
    const float one = 1;
    (void)canvas;
    seen = *f;
    for (unsigned lane = 0; lane < DRAW_LANES; lane++)
        memcpy(&f->color[0][0][lane], &one, sizeof one);
    return true;
}

/* The other pixels of a quad run for its derivatives, but are neither written nor counted. */
static void helpers_run_but_write_nothing(void **state) {
    struct canvas *canvas = *state;
    canvas_target(canvas, 0, RGBA8, 1);
    canvas_target(canvas, CANVAS_ZETA, Z24S8, 1);
    canvas->state.zeta.test = canvas->state.zeta.write = canvas->state.zeta.counts = true;
    canvas->state.zeta.compare = DRAW_ALWAYS;
    canvas->program = look;
    canvas_triangle(canvas, (const float[]){5, 4.2f, 1, 6, 4.2f, 1, 5.5f, 5, 1});
    assert_int_equal(seen.lanes, 0xf);
    assert_int_equal(seen.covered, 0x2);
    for (unsigned lane = 0; lane < 4; lane++) {
        assert_int_equal(seen.x[lane], 4 + (lane & 1));
        assert_int_equal(seen.y[lane], 4 + (lane >> 1));
    }
    assert_int_equal(canvas_count(canvas), 1);
    assert_int_equal(canvas_element(canvas, CANVAS_ZETA, 5, 4, 0), 0xffffff);
    assert_int_equal(canvas_element(canvas, CANVAS_ZETA, 4, 4, 0), 0);
    assert_int_equal(draw_raster_result(canvas->raster)->fragments, 1);
    assert_int_equal(draw_raster_result(canvas->raster)->samples, 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, start, stop)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(stencil_wraps_or_saturates),
        TEST(what_a_test_says_chooses_the_stencil_operation),
        TEST(masks_of_stencil_are_of_the_test_and_of_what_is_written),
        TEST(back_faces_have_stencil_of_their_own),
        TEST(new_depth_is_compared_with_the_stored_one),
        TEST(depth_has_an_offset_and_leaves_stencil_alone),
        TEST(snorm_has_minus_one_twice),
        TEST(the_second_output_may_be_a_factor),
        TEST(minimum_and_maximum_have_no_factors),
        TEST(saturation_is_of_what_alpha_leaves),
        TEST(logic_operations_are_those_of_bits),
        TEST(floats_and_srgb_have_no_logic_operation),
        TEST(samples_may_have_places_of_their_own),
        TEST(faces_are_culled_by_their_winding),
        TEST(with_a_flip_bottom_edges_belong_to_a_triangle),
        TEST(helpers_run_but_write_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
