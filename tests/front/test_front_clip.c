/* SPDX-License-Identifier: MIT */
/* Primitives are cut at planes, and vertices get their place in the window. */
#include "engine/draw/clip.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define GENERIC 0x20u /* word of attribute 0x080 */
#define LINEAR  0x24u

static struct draw_view_state view;
static struct draw_carried carried;
static const struct clip clip = {&view, &carried};
static struct draw_vertex corners[3], room[CLIP_MOST_VERTICES];

static float word(const struct draw_vertex *vertex, unsigned number) {
    float value;
    memcpy(&value, &vertex->attribute[number], sizeof value);
    return value;
}

static void set(struct draw_vertex *vertex, unsigned number, float value) {
    memcpy(&vertex->attribute[number], &value, sizeof value);
}

/* A window of 64 x 64 pixels, y downwards. */
static void scene(unsigned mode) {
    view = (struct draw_view_state){.transform = true, .mode = (uint8_t)mode, .wide_z = true};
    view.viewport[0] = (struct draw_viewport){
        .scale = {32, -32, 0.5f}, .translate = {32, 32, 0.5f}, .far = 1, .scissor = {0, 0, 64, 64}};
    carried = (struct draw_carried){.count = 2, .word = {GENERIC, LINEAR}};
    carried.linear[LINEAR] = true;
    memset(corners, 0, sizeof corners);
}

static void corner(unsigned number, float x, float y, float z, float w, float value) {
    const float position[4] = {x, y, z, w};
    for (unsigned i = 0; i < 4; i++)
        set(&corners[number], WORD_POSITION + i, position[i]);
    set(&corners[number], GENERIC, value);
    set(&corners[number], LINEAR, value);
    clip_place(&view, &corners[number], 0);
}

static unsigned run(unsigned kind, struct draw_primitive *out) {
    struct clip_pool pool = {room, 0, CLIP_MOST_VERTICES};
    struct draw_primitive primitive = {
        .kind = (uint8_t)kind, .edges = 7, .vertex = {&corners[0], &corners[1], &corners[2]}, .flat = &corners[kind]};
    return clip_primitive(&clip, &pool, &primitive, out);
}

static void what_is_inside_stays_as_it_is(void **state) {
    struct draw_primitive out[CLIP_MOST_PRIMITIVES];
    scene(CLIP_W);
    (void)state;
    corner(0, -1, -1, 0, 2, 0);
    corner(1, 1, -1, 0, 2, 0);
    corner(2, 0, 1, 1, 2, 0);
    assert_int_equal(run(DRAW_TRIANGLES, out), 1);
    for (unsigned i = 0; i < 3; i++)
        assert_ptr_equal(out[0].vertex[i], &corners[i]);
    assert_true(corners[0].x == 16.0f && corners[0].y == 48.0f && corners[0].z == 0.5f && corners[0].rw == 0.5f);
    assert_true(corners[2].z == 0.75f);
}

static void the_origin_and_offset_of_the_window_move_places(void **state) {
    scene(CLIP_W);
    (void)state;
    view.offset_x = 3;
    view.offset_y = 100;
    view.lower_left = true;
    corner(0, 0, 0.5f, 0, 1, 0);
    assert_true(corners[0].x == 35.0f && corners[0].y == 84.0f);
    view.transform = view.lower_left = false;
    corner(0, 7, 9, 0.25f, 0, 0);
    assert_true(corners[0].x == 10.0f && corners[0].y == 109.0f && corners[0].z == 0.25f && corners[0].rw == 1.0f);
}

static void a_corner_behind_the_eye_is_cut_off(void **state) {
    struct draw_primitive out[CLIP_MOST_PRIMITIVES];
    scene(CLIP_W);
    (void)state;
    corner(0, -0.5f, -0.5f, 0, 1, 1);
    corner(1, 0.5f, -0.5f, 0, 1, 2);
    corner(2, 0, 0.5f, 0, -1, 3);
    unsigned count = run(DRAW_TRIANGLES, out);
    assert_true(count >= 2);
    for (unsigned p = 0; p < count; p++) {
        assert_ptr_equal(out[p].flat, &corners[2]);
        for (unsigned i = 0; i < 3; i++) {
            const struct draw_vertex *v = out[p].vertex[i];
            assert_true(word(v, WORD_POSITION + 3) > 0.0f);
            assert_true(v->x >= -32767.0f && v->x <= 32767.0f && v->y >= -32767.0f && v->y <= 32767.0f);
        }
    }
}

/* The part with a distance of 0 or more: a quarter of the edge is left of it. Edges of planes are no edges. */
static void user_distances_cut_and_interpolate(void **state) {
    struct draw_primitive out[CLIP_MOST_PRIMITIVES];
    scene(CLIP_W);
    (void)state;
    view.distances = 2;
    corner(0, -0.5f, 0, 0, 1, 4);
    corner(1, 0.5f, 0, 0, 3, 8);
    corner(2, 0, 0.5f, 0, 1, 4);
    set(&corners[0], WORD_DISTANCE + 1, -1);
    set(&corners[1], WORD_DISTANCE + 1, 3);
    set(&corners[2], WORD_DISTANCE + 1, -1);
    assert_int_equal(run(DRAW_TRIANGLES, out), 1);
    assert_int_equal(out[0].edges, 3);
    const struct draw_vertex *v = out[0].vertex[0];
    assert_true(word(v, WORD_POSITION + 3) == 1.5f && word(v, GENERIC) == 5.0f);
    /* In the window the same point lies twice as near to the vertex whose w is 1. */
    assert_true(word(v, LINEAR) == 6.0f);

    view.distances = 0;
    view.culls = 2;
    assert_int_equal(run(DRAW_TRIANGLES, out), 1);
    set(&corners[1], WORD_DISTANCE + 1, -3);
    assert_int_equal(run(DRAW_TRIANGLES, out), 0);
}

static void set_distances(unsigned number, float a, float b, float c) {
    set(&corners[0], WORD_DISTANCE + number, a);
    set(&corners[1], WORD_DISTANCE + number, b);
    set(&corners[2], WORD_DISTANCE + number, c);
}

/* Each of eight distances. What has none below 0, of all corners, is not culled: zero is inside. */
static void every_user_distance_cuts_or_culls(void **state) {
    struct draw_primitive out[CLIP_MOST_PRIMITIVES];
    (void)state;
    for (unsigned i = 0; i < 8; i++) {
        scene(CLIP_W);
        corner(0, -0.5f, 0, 0, 1, 4);
        corner(1, 0.5f, 0, 0, 1, 8);
        corner(2, 0, 0.5f, 0, 1, 4);
        for (unsigned k = 0; k < 8; k++)
            set_distances(k, -1, -1, -1); /* of no effect but number i */
        set_distances(i, -1, -1, 3);
        view.distances = (uint8_t)(1u << i);
        assert_int_equal(run(DRAW_TRIANGLES, out), 1);
        assert_true(word(out[0].vertex[0], WORD_POSITION + 1) == 0.125f);
        view.distances = 0;
        view.culls = (uint8_t)(1u << i);
        assert_int_equal(run(DRAW_TRIANGLES, out), 1);
        set_distances(i, 0, -1, 0);
        assert_int_equal(run(DRAW_TRIANGLES, out), 1);
        set_distances(i, -1, -1, -1);
        assert_int_equal(run(DRAW_TRIANGLES, out), 0);
    }
}

static void lines_are_cut_and_points_are_dropped(void **state) {
    struct draw_primitive out[CLIP_MOST_PRIMITIVES];
    scene(CLIP_XYZ);
    (void)state;
    view.wide_z = false;
    corner(0, -3, 0, 0, 1, 0);
    corner(1, 1, 0, 1, 1, 4);
    assert_int_equal(run(DRAW_LINES, out), 1);
    assert_true(word(out[0].vertex[0], WORD_POSITION) == -1.0f);
    assert_int_equal(run(DRAW_POINTS, out), 0);
    corner(0, -1, 1, 0, 1, 0);
    assert_int_equal(run(DRAW_POINTS, out), 1);
    view.zero_to_w = true;
    corner(0, -1, 1, -0.25f, 1, 0);
    assert_int_equal(run(DRAW_POINTS, out), 0);
}

static void what_is_outside_of_one_plane_is_rejected(void **state) {
    struct draw_primitive out[CLIP_MOST_PRIMITIVES];
    scene(CLIP_W);
    (void)state;
    corner(0, 0, 0, 2, 1, 0);
    corner(1, 1, 0, 3, 1, 0);
    corner(2, 0, 1, 2, 1, 0);
    assert_int_equal(run(DRAW_TRIANGLES, out), 0);
    view.mode = CLIP_W_NOT_Z;
    assert_int_equal(run(DRAW_TRIANGLES, out), 1);
    corner(0, 2, 0, 0, 1, 0);
    view.wide_points = true;
    assert_int_equal(run(DRAW_POINTS, out), 1);
    view.wide_points = false;
    assert_int_equal(run(DRAW_POINTS, out), 0);
}

static void positions_that_are_no_numbers_draw_nothing(void **state) {
    static const uint32_t bad[] = {0x7f800000, 0xff800000, 0x7fc00000};
    struct draw_primitive out[CLIP_MOST_PRIMITIVES];
    scene(CLIP_W);
    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        corner(0, 0, 0, 0, 1, 0);
        corners[0].attribute[WORD_POSITION + i] = bad[i];
        assert_int_equal(run(DRAW_POINTS, out), 0);
    }
}

/* Whatever bits positions have: no more primitives than there is room for, none with a corner out of reach. */
static void random_bits_do_no_harm(void **state) {
    struct draw_primitive out[CLIP_MOST_PRIMITIVES];
    uint32_t seed = 1;
    (void)state;
    for (unsigned round = 0; round < 20000; round++) {
        scene(round % 8);
        view.distances = (uint8_t)(round / 8);
        view.wide_z = round & 64;
        view.transform = round % 3 != 0;
        for (unsigned v = 0; v < 3; v++) {
            for (unsigned i = 0; i < DRAW_ATTRIBUTES; i++) {
                seed = seed * 1664525 + 1013904223;
                corners[v].attribute[i] = (round & 1 ? seed : 0x3e000000 + (seed >> 7)) ^ (seed << 31);
            }
            clip_place(&view, &corners[v], 0);
        }
        unsigned count = run(round % 5 ? DRAW_TRIANGLES : DRAW_LINES, out);
        assert_true(count <= CLIP_MOST_PRIMITIVES);
        for (unsigned p = 0; p < count; p++)
            for (unsigned i = 0; i <= out[p].kind; i++)
                assert_true(out[p].vertex[i]->x >= -40000.0f && out[p].vertex[i]->x <= 40000.0f);
    }
}

/* A vertex at lane `lane` of rows, near the edges of the volume, on them, or without sense. */
static void random_lane(draw_row position[4], unsigned lane) {
    static const float some[] = {0, 1, -1, 0.999f, 1.001f, -0.5f, 2, 1e-30f, -1e30f};
    for (unsigned i = 0; i < 4; i++) {
        float value = some[(unsigned)rand() % 9];
        value = i == 3 && rand() % 8 ? 1.0f + (float)(rand() % 3) : value;
        memcpy(&position[i][lane], &value, sizeof value);
        if (rand() % 200 == 0)
            position[i][lane] = 0x7f800000u | (uint32_t)(rand() % 2);
    }
}

static void lane_to_corner(const draw_row position[4], unsigned lane, unsigned number) {
    for (unsigned i = 0; i < 4; i++)
        corners[number].attribute[WORD_POSITION + i] = position[i][lane];
    clip_place(&view, &corners[number], 0);
}

static void expect_place(const struct clip_places *places, unsigned lane, const struct draw_vertex *v) {
    assert_memory_equal(&places->x[lane], &v->x, sizeof v->x);
    assert_memory_equal(&places->y[lane], &v->y, sizeof v->y);
    assert_memory_equal(&places->z[lane], &v->z, sizeof v->z);
    assert_memory_equal(&places->rw[lane], &v->rw, sizeof v->rw);
}

/* Primitives of the first three that are within are left as they are. */
static void many_vertices_have_the_places_of_each(void **state) {
    struct draw_primitive out[CLIP_MOST_PRIMITIVES];
    struct clip_places places;
    unsigned kept = 0;
    draw_row position[4] = {{0}};
    (void)state;
    srand(5);
    for (unsigned round = 0; round < 20000; round++) {
        const unsigned lanes = 3 + (unsigned)rand() % (DRAW_LANES - 2);
        scene((unsigned)rand() % 7);
        view.transform = rand() % 8 != 0;
        view.zero_to_w = rand() % 2;
        view.wide_z = rand() % 2;
        view.lower_left = rand() % 2;
        view.offset_x = (float)(rand() % 5);
        view.distances = rand() % 9 == 0;
        view.culls = rand() % 9 == 0;
        view.viewport[0].scale[0] = rand() % 9 ? 32.0f : 40000.0f;
        for (unsigned lane = 0; lane < lanes; lane++)
            random_lane(position, lane);
        clip_place_lanes(&view, position, lanes, 0, &places);
        for (unsigned lane = 0; lane < lanes; lane++) {
            lane_to_corner(position, lane, lane % 3);
            expect_place(&places, lane, &corners[lane % 3]);
        }
        assert_int_equal(places.within & ~(UINT32_MAX >> (DRAW_LANES - lanes)), 0);
        for (unsigned i = 0; i < 3; i++)
            lane_to_corner(position, i, i);
        if ((places.within & 7) != 7)
            continue;
        kept++;
        assert_int_equal(run(DRAW_TRIANGLES, out), 1);
        for (unsigned i = 0; i < 3; i++)
            assert_ptr_equal(out[0].vertex[i], &corners[i]);
    }
    assert_true(kept > 50);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_inside_stays_as_it_is),
        cmocka_unit_test(the_origin_and_offset_of_the_window_move_places),
        cmocka_unit_test(a_corner_behind_the_eye_is_cut_off),
        cmocka_unit_test(user_distances_cut_and_interpolate),
        cmocka_unit_test(every_user_distance_cuts_or_culls),
        cmocka_unit_test(lines_are_cut_and_points_are_dropped),
        cmocka_unit_test(what_is_outside_of_one_plane_is_rejected),
        cmocka_unit_test(positions_that_are_no_numbers_draw_nothing),
        cmocka_unit_test(random_bits_do_no_harm),
        cmocka_unit_test(many_vertices_have_the_places_of_each),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
