/* SPDX-License-Identifier: MIT */
/* What varies over a primitive: depth, inputs, coordinates of points; and what belongs to it as a whole. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "draw/canvas.h"
#include "engine/shade/io.h"

#define GENERIC 0x80u

static int start(void **state) {
    static struct canvas canvas;
    canvas_start(&canvas, 32, 32);
    canvas_target(&canvas, 0, 0xe5, 1); /* a float */
    *state = &canvas;
    return 0;
}

static int stop(void **state) {
    canvas_stop(*state);
    return 0;
}

/* The program writes the attribute at `wanted`. */
static unsigned wanted, wanted_mode, wanted_location;
static uint32_t wanted_offset;

static bool program(struct canvas *canvas, struct draw_fragments *f) {
    uint32_t word[DRAW_LANES], offset[DRAW_LANES];
    (void)canvas;
    for (unsigned lane = 0; lane < DRAW_LANES; lane++) {
        word[lane] = wanted / 4;
        offset[lane] = wanted_offset;
    }
    draw_interpolate(f, f->lanes, word, wanted_mode, wanted_location, offset, f->color[0][0]);
    return true;
}

static void want(struct canvas *canvas, unsigned address, unsigned mode, unsigned location) {
    struct draw_program *p = &canvas->state.stages.program;
    canvas->program = program;
    wanted = address;
    wanted_mode = mode;
    wanted_location = location;
    wanted_offset = 0;
    p->input_count = 0;
}

static void input(struct canvas *canvas, unsigned address, enum draw_mode mode) {
    struct draw_program *p = &canvas->state.stages.program;
    p->inputs[p->input_count++] = (struct draw_input){(uint8_t)(address / 4), (uint8_t)mode};
}

static void set(struct draw_vertex *v, unsigned address, float value) {
    memcpy(&v->attribute[address / 4], &value, sizeof value);
}

static float drawn(struct canvas *canvas, unsigned x, unsigned y) {
    uint32_t bits = (uint32_t)canvas_element(canvas, 0, x, y, 0);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void assert_near(float value, double expected) {
    if (!(fabs((double)value - expected) <= 1e-6 * (1 + fabs(expected))))
        fail_msg("%.9g is not %.9g", (double)value, expected);
}

static void draw_three(struct canvas *canvas, struct draw_vertex v[3]) {
    struct draw_primitive primitive = {
        .kind = DRAW_TRIANGLES, .edges = 7, .id = 77, .vertex = {&v[0], &v[1], &v[2]}, .flat = &v[2]};
    canvas_draw(canvas, &primitive, 1, 0);
}

/* (0, 0) (32, 0) (0, 32), with the attribute 0, 1, 0: it is x / 32. */
static void ramp(struct draw_vertex v[3], unsigned address) {
    v[0] = canvas_vertex(0, 0, 0.25f);
    v[1] = canvas_vertex(32, 0, 0.5f);
    v[2] = canvas_vertex(0, 32, 0.25f);
    set(&v[1], address, 1);
}

static void screen_linear_inputs_are_planes(void **state) {
    struct canvas *canvas = *state;
    struct draw_vertex v[3];
    ramp(v, GENERIC);
    v[1].rw = 0.25f; /* of no effect */
    want(canvas, GENERIC, 0, 0);
    input(canvas, GENERIC, DRAW_LINEAR);
    draw_three(canvas, v);
    assert_near(drawn(canvas, 0, 0), 0.5 / 32);
    assert_near(drawn(canvas, 20, 7), 20.5 / 32);
}

/* The program multiplies by w, which it has from 0x7c. */
static void perspective_inputs_are_planes_of_their_quotient_by_w(void **state) {
    struct canvas *canvas = *state;
    struct draw_vertex v[3];
    ramp(v, GENERIC);
    v[1].rw = 0.25f;
    want(canvas, GENERIC, 0, 0);
    input(canvas, GENERIC, DRAW_PERSPECTIVE);
    draw_three(canvas, v);
    float quotient = drawn(canvas, 20, 7);
    assert_near(quotient, 0.25 * 20.5 / 32);
    want(canvas, 0x7c, 0, 0);
    draw_three(canvas, v);
    assert_near(drawn(canvas, 20, 7), 1 - 0.75 * 20.5 / 32);
}

static void flat_inputs_are_those_of_the_provoking_vertex(void **state) {
    struct canvas *canvas = *state;
    struct draw_vertex v[3];
    ramp(v, GENERIC);
    set(&v[2], GENERIC, 7);
    want(canvas, GENERIC, 0, 0);
    input(canvas, GENERIC, DRAW_FLAT);
    draw_three(canvas, v);
    assert_near(drawn(canvas, 20, 7), 7);
    want(canvas, GENERIC, 2, 0); /* by the instruction */
    input(canvas, GENERIC, DRAW_PERSPECTIVE);
    draw_three(canvas, v);
    assert_near(drawn(canvas, 3, 3), 7);
}

static void the_shade_model_makes_colours_flat(void **state) {
    struct canvas *canvas = *state;
    struct draw_vertex v[3];
    ramp(v, 0x280);
    set(&v[2], 0x280, 7);
    want(canvas, 0x280, 3, 0);
    input(canvas, 0x280, DRAW_LINEAR);
    canvas->state.stages.program.flat_colors = true;
    draw_three(canvas, v);
    assert_near(drawn(canvas, 20, 7), 7);
    canvas->state.stages.program.flat_colors = false;
    draw_three(canvas, v);
    assert_near(drawn(canvas, 20, 7), 20.5 / 32 + 7 * 7.5 / 32);
}

static void back_faces_have_colours_of_their_own(void **state) {
    struct canvas *canvas = *state;
    struct draw_vertex v[3];
    ramp(v, 0x284);
    for (unsigned i = 0; i < 3; i++)
        set(&v[i], 0x2a4, 5);
    want(canvas, 0x284, 0, 0);
    input(canvas, 0x284, DRAW_PERSPECTIVE);
    canvas->state.raster.two_sided = true;
    canvas->state.raster.front_is_cw = true;
    draw_three(canvas, v); /* clockwise */
    assert_near(drawn(canvas, 20, 7), 20.5 / 32);
    canvas->state.raster.front_is_cw = false;
    draw_three(canvas, v);
    assert_near(drawn(canvas, 20, 7), 5);
}

static void window_position_is_that_of_the_centre(void **state) {
    struct canvas *canvas = *state;
    struct draw_vertex v[3];
    ramp(v, GENERIC);
    want(canvas, 0x70, 0, 0);
    draw_three(canvas, v);
    assert_near(drawn(canvas, 20, 7), 20.5);
    want(canvas, 0x74, 0, 0);
    draw_three(canvas, v);
    assert_near(drawn(canvas, 20, 7), 7.5);
    want(canvas, 0x78, 0, 0);
    draw_three(canvas, v);
    assert_near(drawn(canvas, 20, 7), 0.25 + 0.25 * 20.5 / 32);
    canvas->state.raster.integer_centers = true;
    want(canvas, 0x70, 0, 0);
    draw_three(canvas, v);
    assert_near(drawn(canvas, 20, 7), 20);
}

/* 12 bits after the point, x in the low half; other bits do not matter. */
static void offsets_move_the_place(void **state) {
    struct canvas *canvas = *state;
    struct draw_vertex v[3];
    ramp(v, GENERIC);
    want(canvas, GENERIC, 0, 2);
    input(canvas, GENERIC, DRAW_LINEAR);
    wanted_offset = 0x0400f800; /* y + 1/4, x - 1/2 */
    draw_three(canvas, v);
    assert_near(drawn(canvas, 20, 7), 20.0 / 32);
    wanted_offset = 0x84007800;
    draw_three(canvas, v);
    assert_near(drawn(canvas, 20, 7), 20.0 / 32);
    want(canvas, 0x74, 0, 2);
    wanted_offset = 0x0400f800;
    draw_three(canvas, v);
    assert_near(drawn(canvas, 20, 7), 7.75);
}

static uint32_t drawn_bits(struct canvas *canvas, unsigned x, unsigned y) {
    return (uint32_t)canvas_element(canvas, 0, x, y, 0);
}

static void facing_and_numbers_are_of_the_primitive(void **state) {
    struct canvas *canvas = *state;
    struct draw_vertex v[3];
    ramp(v, GENERIC);
    want(canvas, 0x3fc, 2, 0);
    draw_three(canvas, v);
    assert_int_equal(drawn_bits(canvas, 20, 7), 0);
    canvas->state.raster.front_is_cw = true;
    draw_three(canvas, v);
    assert_int_equal(drawn_bits(canvas, 20, 7), UINT32_MAX);
    want(canvas, 0x60, 2, 0);
    draw_three(canvas, v);
    assert_int_equal(drawn_bits(canvas, 20, 7), 77);
}

/* Whichever vertex is the first. */
static void the_same_triangle_has_the_same_depth(void **state) {
    struct canvas *canvas = *state;
    canvas_target(canvas, CANVAS_ZETA, 0x0a, 1);
    canvas->state.zeta.test = canvas->state.zeta.write = true;
    canvas->state.zeta.compare = DRAW_ALWAYS;
    canvas_triangle(canvas, (const float[]){0.3f, 1.7f, 0.123f, 30.9f, 4.1f, 0.987f, 9.6f, 31.2f, 0.3331f});
    unsigned pixels = canvas_count(canvas);
    static const float orders[5][9] = {
        {30.9f, 4.1f, 0.987f, 9.6f, 31.2f, 0.3331f, 0.3f, 1.7f, 0.123f},
        {9.6f, 31.2f, 0.3331f, 0.3f, 1.7f, 0.123f, 30.9f, 4.1f, 0.987f},
        {30.9f, 4.1f, 0.987f, 0.3f, 1.7f, 0.123f, 9.6f, 31.2f, 0.3331f},
        {9.6f, 31.2f, 0.3331f, 30.9f, 4.1f, 0.987f, 0.3f, 1.7f, 0.123f},
        {0.3f, 1.7f, 0.123f, 9.6f, 31.2f, 0.3331f, 30.9f, 4.1f, 0.987f},
    };
    canvas->state.zeta.compare = DRAW_EQUAL;
    canvas->state.zeta.counts = true;
    assert_true(pixels > 300);
    for (unsigned i = 0; i < 5; i++) {
        canvas_triangle(canvas, orders[i]);
        assert_int_equal(draw_raster_result(canvas->raster)->samples, pixels);
    }
}

static void depth_of_a_slope_is_near_the_plane(void **state) {
    struct canvas *canvas = *state;
    struct draw_vertex v[3];
    ramp(v, GENERIC);
    canvas_target(canvas, CANVAS_ZETA, 0x16, 1);
    canvas->state.zeta.test = canvas->state.zeta.write = true;
    canvas->state.zeta.compare = DRAW_ALWAYS;
    draw_three(canvas, v);
    for (unsigned x = 0; x < 31; x++) {
        uint32_t depth = (uint32_t)canvas_element(canvas, CANVAS_ZETA, x, 0, 0) & 0xffffff;
        assert_int_equal(depth, lrint((0.25 + 0.25 * (x + 0.5) / 32) * 16777215));
    }
}

static void depth_goes_from_line_to_line_too(void **state) {
    struct canvas *canvas = *state;
    struct draw_vertex v[3];
    ramp(v, GENERIC);
    v[2].z = 0.75f;
    canvas_target(canvas, CANVAS_ZETA, 0x16, 1);
    canvas->state.zeta.test = canvas->state.zeta.write = true;
    canvas->state.zeta.compare = DRAW_ALWAYS;
    draw_three(canvas, v);
    for (unsigned y = 0; y < 16; y++)
        for (unsigned x = 0; x < 15; x++) {
            uint32_t depth = (uint32_t)canvas_element(canvas, CANVAS_ZETA, x, y, 0) & 0xffffff;
            double z = 0.25 + 0.25 * (x + 0.5) / 32 + 0.5 * (y + 0.5) / 32;
            assert_int_equal(depth, lrint(z * 16777215));
        }
}

static void polygon_offset_is_slope_and_units(void **state) {
    struct canvas *canvas = *state;
    struct draw_vertex v[3];
    ramp(v, GENERIC);
    canvas_target(canvas, CANVAS_ZETA, 0x13, 1);
    canvas->state.zeta.test = canvas->state.zeta.write = true;
    canvas->state.zeta.compare = DRAW_ALWAYS;
    canvas->state.raster.offset_fill = true;
    canvas->state.raster.offset_factor = 4;
    canvas->state.raster.offset_units = 100;
    draw_three(canvas, v);
    double z = 0.25 + 0.25 * 8.5 / 32 + 4 * 0.25 / 32 + 100 / 65536.0;
    assert_int_equal(canvas_element(canvas, CANVAS_ZETA, 8, 3, 0), lrint(z * 65535));
    canvas->state.raster.offset_clamp = 0.001f;
    draw_three(canvas, v);
    z = 0.25 + 0.25 * 8.5 / 32 + 0.001;
    assert_int_equal(canvas_element(canvas, CANVAS_ZETA, 8, 3, 0), lrint(z * 65535));
}

static void coordinates_of_points_go_from_0_to_1(void **state) {
    struct canvas *canvas = *state;
    struct draw_vertex v = canvas_vertex(16, 16, 0);
    struct draw_primitive primitive = {.kind = DRAW_POINTS, .vertex = {&v}, .flat = &v};
    canvas->state.raster.point_sprite = true;
    canvas->state.raster.point_size = 16;
    want(canvas, 0x2e0, 0, 0);
    canvas_draw(canvas, &primitive, 1, 0);
    assert_near(drawn(canvas, 8, 8), 0.5 / 16);
    assert_near(drawn(canvas, 23, 8), 15.5 / 16);
    want(canvas, 0x304, 0, 0); /* t of a vector that is replaced */
    input(canvas, 0x304, DRAW_LINEAR);
    canvas->state.raster.sprite_vectors = 1;
    canvas_draw(canvas, &primitive, 1, 0);
    assert_near(drawn(canvas, 8, 8), 0.5 / 16);
    assert_near(drawn(canvas, 8, 23), 15.5 / 16);
    canvas->state.raster.sprite_lower_left = true;
    canvas_draw(canvas, &primitive, 1, 0);
    assert_near(drawn(canvas, 8, 8), 15.5 / 16);
}

/* In a pixel that is covered in part, an input is taken where a sample is covered. */
static void the_centroid_is_covered(void **state) {
    struct canvas *canvas = *state;
    struct draw_vertex v[3];
    draw_samples_of(&canvas->state.raster.samples, 2);
    canvas->state.raster.multisample = true;
    canvas_target(canvas, 0, 0xe5, 1);
    v[0] = canvas_vertex(0.75f, 0, 0);
    v[1] = canvas_vertex(0.75f, 40, 0);
    v[2] = canvas_vertex(40.75f, 0, 0);
    want(canvas, 0x70, 0, 1);
    draw_three(canvas, v);
    assert_near(drawn(canvas, 1, 0), 14.0 / 16); /* of sample 1, the only one */
    assert_near(drawn(canvas, 4, 0), 2.5);       /* all of them: the centre */
}

/* SET_HYBRID_ANTI_ALIAS_CONTROL: CENTROID = PER_PASS. */
static void the_centroid_of_a_pass_is_one_of_its_samples(void **state) {
    struct canvas *canvas = *state;
    struct draw_vertex v[3] = {canvas_vertex(0, 0, 0), canvas_vertex(0, 40, 0), canvas_vertex(40, 0, 0)};
    draw_samples_of(&canvas->state.raster.samples, 2);
    canvas->state.raster.multisample = true;
    canvas->state.stages.program.passes = 4;
    canvas_target(canvas, 0, 0xe5, 1);
    want(canvas, 0x70, 0, 1);
    for (unsigned of_pass = 0; of_pass < 2; of_pass++) {
        canvas->state.stages.program.centroid_of_pass = of_pass;
        draw_three(canvas, v);
        assert_near(drawn(canvas, 4, 0), of_pass ? 2 + 6.0 / 16 : 2.5);
        assert_near(drawn(canvas, 5, 0), of_pass ? 2 + 14.0 / 16 : 2.5);
        assert_near(drawn(canvas, 4, 1), of_pass ? 2 + 2.0 / 16 : 2.5);
        assert_near(drawn(canvas, 5, 1), of_pass ? 2 + 10.0 / 16 : 2.5);
    }
}

/* ---- stripes ---- */

static unsigned stripes_seen, many_seen;

/* Each word that may be asked for, both ways. */
static bool compare_ways(struct canvas *canvas, struct draw_fragments *f) {
    draw_row stripe, lanes;
    uint32_t word[DRAW_LANES];
    (void)canvas;
    stripes_seen += f->is_stripe;
    for (unsigned number = 0x60 / 4; number < DRAW_ATTRIBUTES; number++)
        for (unsigned mode = 0; mode < 4; mode++) {
            for (unsigned lane = 0; lane < DRAW_LANES; lane++)
                word[lane] = number;
            const struct shade_wanted pair[2] = {{0x7c / 4, (uint16_t)mode}, {(uint16_t)number, (uint16_t)mode}};
            draw_row many[2];
            unsigned known = f->is_stripe ? draw_interpolate_many(f, pair, 2, many) : 0;
            assert_true(known <= 2);
            memset(lanes, 0, sizeof lanes);
            if (f->is_stripe ? !draw_interpolate_stripe(f, number, mode, stripe)
                             : !draw_interpolate_quads(f, number, mode, stripe))
                continue;
            assert_true(number != 0x70 / 4 && number != 0x74 / 4);
            draw_interpolate(f, f->lanes, word, mode, 0, NULL, lanes);
            assert_memory_equal(stripe, lanes, sizeof lanes);
            if (known == 2)
                assert_memory_equal(many[1], lanes, sizeof lanes);
            many_seen += known == 2 && number != 0x7c / 4;
        }
    return true;
}

static void a_stripe_has_what_its_lanes_have(void **state) {
    struct canvas *canvas = *state;
    struct draw_vertex v[3] = {canvas_vertex(-7, -3, 0.25f), canvas_vertex(91, 5, 0.5f), canvas_vertex(3, 83, 0.75f)};
    canvas->program = compare_ways;
    canvas->state.stages.program.input_count = 0;
    for (unsigned i = 0; i < 3; i++) {
        v[i].rw = 0.3f + (float)i;
        for (unsigned word = 0; word < DRAW_ATTRIBUTES; word++)
            set(&v[i], 4 * word, (float)(i + 1) * (float)word / 7);
    }
    input(canvas, GENERIC, DRAW_PERSPECTIVE);
    input(canvas, GENERIC + 4, DRAW_LINEAR);
    input(canvas, GENERIC + 8, DRAW_FLAT);
    input(canvas, 0x280, DRAW_LINEAR); /* a colour */
    stripes_seen = 0;
    draw_three(canvas, v);
    assert_true(stripes_seen > 0 && many_seen > 0);
}

/* A batch has quads of both. */
static void quads_have_what_their_lanes_have(void **state) {
    struct canvas *canvas = *state;
    struct draw_vertex v[2][3];
    struct draw_primitive primitives[2];
    canvas->program = compare_ways;
    canvas->state.stages.program.input_count = 0;
    input(canvas, GENERIC, DRAW_PERSPECTIVE);
    input(canvas, GENERIC + 8, DRAW_FLAT);
    for (unsigned i = 0; i < 2; i++) {
        for (unsigned k = 0; k < 3; k++) {
            v[i][k] = canvas_vertex(6.0f * (float)i + (k == 1 ? 4 : 0), k == 2 ? 4 : 0, 0.5f);
            v[i][k].rw = 0.5f + (float)k;
            for (unsigned word = 0; word < DRAW_ATTRIBUTES; word++)
                set(&v[i][k], 4 * word, (float)((i + 1) * (k + 2)) * (float)word / 5);
        }
        primitives[i] = (struct draw_primitive){
            .kind = DRAW_TRIANGLES, .edges = 7, .id = i, .vertex = {&v[i][0], &v[i][1], &v[i][2]}, .flat = &v[i][1]};
    }
    canvas->calls = 0;
    canvas_draw(canvas, primitives, 2, 0);
    assert_int_equal(canvas->calls, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_stripe_has_what_its_lanes_have, start, stop),
        cmocka_unit_test_setup_teardown(quads_have_what_their_lanes_have, start, stop),
        cmocka_unit_test_setup_teardown(screen_linear_inputs_are_planes, start, stop),
        cmocka_unit_test_setup_teardown(perspective_inputs_are_planes_of_their_quotient_by_w, start, stop),
        cmocka_unit_test_setup_teardown(flat_inputs_are_those_of_the_provoking_vertex, start, stop),
        cmocka_unit_test_setup_teardown(the_shade_model_makes_colours_flat, start, stop),
        cmocka_unit_test_setup_teardown(back_faces_have_colours_of_their_own, start, stop),
        cmocka_unit_test_setup_teardown(window_position_is_that_of_the_centre, start, stop),
        cmocka_unit_test_setup_teardown(offsets_move_the_place, start, stop),
        cmocka_unit_test_setup_teardown(facing_and_numbers_are_of_the_primitive, start, stop),
        cmocka_unit_test_setup_teardown(the_same_triangle_has_the_same_depth, start, stop),
        cmocka_unit_test_setup_teardown(depth_of_a_slope_is_near_the_plane, start, stop),
        cmocka_unit_test_setup_teardown(depth_goes_from_line_to_line_too, start, stop),
        cmocka_unit_test_setup_teardown(polygon_offset_is_slope_and_units, start, stop),
        cmocka_unit_test_setup_teardown(coordinates_of_points_go_from_0_to_1, start, stop),
        cmocka_unit_test_setup_teardown(the_centroid_is_covered, start, stop),
        cmocka_unit_test_setup_teardown(the_centroid_of_a_pass_is_one_of_its_samples, start, stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
