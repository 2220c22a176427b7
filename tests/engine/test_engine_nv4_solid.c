/* SPDX-License-Identifier: MIT */
/* RECT, LIN and TRI of NV4 and later: which pixels they draw, and what all drawings of a colour have in common. */
#include "nv4_scene.h"

#define RECT 0x5e
#define LIN  0x5c
#define TRI  0x5d

/* A surface of A8R8G8B8 and a class that draws X8R8G8B8 colours on it. */
static void open_solid(struct scene *scene, uint32_t object_class) {
    scene_start(scene, "NV17", FORMAT_A8R8G8B8, 256);
    scene_object(scene, object_class, 0x198, 0x2fc, SRCCOPY);
    scene_send(scene, 0x300, 3);
    scene_send(scene, 0x304, 0x112233);
}

#define DRAWN 0xff112233u

static void a_rectangle_has_the_pixels_from_its_point_on(void **state) {
    (void)state;
    struct scene scene;
    open_solid(&scene, RECT);
    scene_send(&scene, 0x400, xy(3, 2), xy(4, 5));
    assert_int_equal(scene_count(&scene, 64, 64, DRAWN), 20);
    assert_int_equal(scene_pixel(&scene, 3, 2), DRAWN);
    assert_int_equal(scene_pixel(&scene, 6, 6), DRAWN);
    assert_int_equal(scene_pixel(&scene, 7, 6), 0);
    assert_int_equal(scene_pixel(&scene, 6, 7), 0);
    assert_event(&scene.rig, EVENT_ENGINE_DONE, 0, "fill", RECT, 0x404);
    assert_int_equal(engine_rig_event(&scene.rig, EVENT_ENGINE_DONE, 0)->value[2], 2 * 256 + 3 * 4);
    assert_int_equal(engine_rig_event(&scene.rig, EVENT_ENGINE_DONE, 0)->value[3], 80);
    assert_int_equal(scene.rig.interrupts, 0);
    scene_stop(&scene);
}

static void a_size_alone_draws_at_the_last_point(void **state) {
    (void)state;
    struct scene scene;
    open_solid(&scene, RECT);
    scene_send(&scene, 0x400, xy(3, 2));
    scene_send(&scene, 0x40c, xy(2, 2)); /* another pair's */
    assert_int_equal(scene_count(&scene, 64, 64, DRAWN), 4);
    assert_int_equal(scene_pixel(&scene, 3, 2), DRAWN);
    scene_send(&scene, 0x47c, xy(4, 3));
    assert_int_equal(scene_count(&scene, 64, 64, DRAWN), 12);
    assert_int_equal(scene_pixel(&scene, 6, 4), DRAWN);
    scene_stop(&scene);
}

static void what_is_left_of_or_above_the_surface_is_not_drawn(void **state) {
    (void)state;
    struct scene scene;
    open_solid(&scene, RECT);
    scene_send(&scene, 0x408, xy(-3, -2), xy(5, 5));
    assert_int_equal(scene_count(&scene, 64, 64, DRAWN), 6);
    assert_int_equal(scene_pixel(&scene, 1, 2), DRAWN);
    scene_stop(&scene);
}

static void a_bound_clip_rectangle_clips(void **state) {
    (void)state;
    struct scene scene;
    open_solid(&scene, RECT);
    scene_set(&scene, 0x19, 0x300, xy(4, 5), xy(3, 2));
    scene_send(&scene, 0x400, xy(0, 0), xy(10, 10));
    assert_int_equal(scene_count(&scene, 64, 64, DRAWN), 100); /* not bound yet */
    scene_send(&scene, 0x184, 0x19);
    scene_send(&scene, 0x304, 1);
    scene_send(&scene, 0x400, xy(0, 0), xy(10, 10));
    assert_int_equal(scene_count(&scene, 64, 64, 0xff000001), 6);
    assert_int_equal(scene_pixel(&scene, 4, 5), 0xff000001);
    assert_int_equal(scene_pixel(&scene, 6, 6), 0xff000001);
    scene_send(&scene, 0x184, 0x30); /* NULL: no more */
    scene_send(&scene, 0x304, 2);
    scene_send(&scene, 0x400, xy(0, 0), xy(10, 10));
    assert_int_equal(scene_count(&scene, 64, 64, 0xff000002), 100);
    scene_stop(&scene);
}

static void the_size_of_a_clip_rectangle_has_no_sign(void **state) {
    (void)state;
    struct scene scene;
    open_solid(&scene, RECT);
    scene_set(&scene, 0x19, 0x300, xy(0, 0), 0x80008000);
    scene_send(&scene, 0x184, 0x19);
    scene_send(&scene, 0x400, xy(0, 0), xy(10, 10));
    assert_int_equal(scene_count(&scene, 64, 64, DRAWN), 100);
    scene_stop(&scene);
}

static void two_corners_make_a_clip_rectangle_too(void **state) {
    (void)state;
    struct scene scene;
    open_solid(&scene, RECT);
    scene_set(&scene, 0x19, 0x300, xy(4, 5));
    scene_set(&scene, 0x19, 0x300, xy(6, 9));
    scene_send(&scene, 0x184, 0x19);
    scene_send(&scene, 0x400, xy(0, 0), xy(20, 20));
    assert_int_equal(scene_count(&scene, 64, 64, DRAWN), 8);
    assert_int_equal(scene_pixel(&scene, 5, 8), DRAWN);
    scene_stop(&scene);
}

static void a_line_omits_its_last_point(void **state) {
    (void)state;
    struct scene scene;
    open_solid(&scene, LIN);
    scene_send(&scene, 0x400, xy(2, 3), xy(6, 3));
    assert_int_equal(scene_count(&scene, 64, 64, DRAWN), 4);
    assert_int_equal(scene_pixel(&scene, 2, 3), DRAWN);
    assert_int_equal(scene_pixel(&scene, 6, 3), 0);
    scene_send(&scene, 0x408, xy(9, 9), xy(9, 6));
    assert_int_equal(scene_count(&scene, 64, 64, DRAWN), 7);
    assert_int_equal(scene_pixel(&scene, 9, 6), 0);
    scene_send(&scene, 0x400, xy(20, 20), xy(20, 20)); /* nothing but its last point */
    assert_int_equal(scene_count(&scene, 64, 64, DRAWN), 7);
    scene_stop(&scene);
}

static void a_tie_makes_the_minor_coordinate_grow(void **state) {
    (void)state;
    static const uint8_t points[][2] = {{0, 0}, {1, 1}, {2, 1}, {3, 2}};
    struct scene scene;
    open_solid(&scene, LIN);
    scene_send(&scene, 0x400, xy(0, 0), xy(4, 2));
    assert_int_equal(scene_count(&scene, 64, 64, DRAWN), 4);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(scene_pixel(&scene, points[i][0], points[i][1]), DRAWN);
    scene_stop(&scene);
}

static void a_line_is_the_same_in_both_directions(void **state) {
    (void)state;
    struct scene scene;
    open_solid(&scene, LIN);
    scene_send(&scene, 0x400, xy(4, 2), xy(0, 0));
    assert_int_equal(scene_pixel(&scene, 1, 1), DRAWN);
    assert_int_equal(scene_pixel(&scene, 3, 2), DRAWN);
    assert_int_equal(scene_pixel(&scene, 4, 2), DRAWN);
    assert_int_equal(scene_pixel(&scene, 0, 0), 0);
    assert_int_equal(scene_count(&scene, 64, 64, DRAWN), 4);
    scene_stop(&scene);
}

static void a_polyline_goes_on_where_a_line_ended(void **state) {
    (void)state;
    struct scene scene;
    open_solid(&scene, LIN);
    scene_send(&scene, 0x400, xy(0, 0), xy(4, 0));
    scene_send(&scene, 0x500, xy(4, 4), xy(0, 4));
    assert_int_equal(scene_count(&scene, 64, 64, DRAWN), 12);
    assert_int_equal(scene_pixel(&scene, 4, 0), DRAWN);
    assert_int_equal(scene_pixel(&scene, 0, 4), 0);
    scene_send(&scene, 0x580, 0, 0);
    scene_send(&scene, 0x600, 0x445566, xy(8, 0));
    assert_int_equal(scene_count(&scene, 64, 64, DRAWN), 16 - 5);
    assert_int_equal(scene_count(&scene, 64, 64, 0xff445566), 8);
    scene_stop(&scene);
}

static void a_line_in_32_bits(void **state) {
    (void)state;
    struct scene scene;
    open_solid(&scene, LIN);
    scene_send(&scene, 0x480, (uint32_t)-2, 1, 3, 1);
    assert_int_equal(scene_count(&scene, 64, 64, DRAWN), 3);
    scene_send(&scene, 0x490, 5, 0x80000000, 5, 3); /* from far above */
    assert_int_equal(scene_count(&scene, 64, 64, DRAWN), 6);
    scene_stop(&scene);
}

static void a_line_without_its_first_point_is_refused(void **state) {
    (void)state;
    struct scene scene;
    open_solid(&scene, LIN);
    scene_send(&scene, 0x404, xy(2, 3));
    assert_event(&scene.rig, EVENT_ENGINE_ERROR, 0, "STATE_INVALID", LIN, 0x404);
    scene_stop(&scene);
}

static void a_triangle_has_its_left_and_top_edges(void **state) {
    (void)state;
    struct scene scene;
    open_solid(&scene, TRI);
    scene_send(&scene, 0x310, xy(1, 1), xy(5, 1), xy(1, 5));
    assert_int_equal(scene_count(&scene, 64, 64, DRAWN), 4 + 3 + 2 + 1);
    assert_int_equal(scene_pixel(&scene, 1, 1), DRAWN);
    assert_int_equal(scene_pixel(&scene, 4, 1), DRAWN);
    assert_int_equal(scene_pixel(&scene, 1, 4), DRAWN);
    assert_int_equal(scene_pixel(&scene, 5, 1), 0);
    assert_int_equal(scene_pixel(&scene, 1, 5), 0);
    assert_int_equal(scene_pixel(&scene, 3, 3), 0); /* on the right edge */
    scene_stop(&scene);
}

static void a_triangle_may_turn_either_way(void **state) {
    (void)state;
    struct scene scene;
    open_solid(&scene, TRI);
    scene_send(&scene, 0x320, 1, 1, 1, 5, 5, 1);
    assert_int_equal(scene_count(&scene, 64, 64, DRAWN), 10);
    scene_stop(&scene);
}

static void a_triangle_without_an_inside_is_nothing(void **state) {
    (void)state;
    struct scene scene;
    open_solid(&scene, TRI);
    scene_send(&scene, 0x310, xy(1, 1), xy(5, 5), xy(3, 3));
    assert_int_equal(scene_count(&scene, 64, 64, DRAWN), 0);
    assert_int_equal(scene.rig.interrupts, 0);
    scene_stop(&scene);
}

static void each_point_of_a_mesh_makes_a_triangle(void **state) {
    (void)state;
    struct scene scene;
    open_solid(&scene, TRI);
    scene_send(&scene, 0x400, xy(0, 0), xy(8, 0), xy(0, 8), xy(8, 8)); /* two: a square */
    assert_int_equal(scene_count(&scene, 64, 64, DRAWN), 64);
    scene_send(&scene, 0x580, 0x777777, xy(0, 16));
    assert_int_equal(scene_count(&scene, 64, 64, 0xff777777), 36);
    scene_send(&scene, 0x500, 0x555555, xy(20, 20), xy(22, 20), xy(20, 22));
    assert_int_equal(scene_count(&scene, 64, 64, 0xff555555), 3);
    scene_stop(&scene);
}

static void the_classes_of_nv1_draw_to_a_surface_of_nv3(void **state) {
    (void)state;
    struct scene scene;
    scene_start(&scene, "NV5", FORMAT_Y8, 64);
    scene_set(&scene, 0x58, 0x184, SCENE_DMA);
    scene_set(&scene, 0x58, 0x300, 0x01010000);
    scene_set(&scene, 0x58, 0x308, 64, 0);
    assert_true(engine_rig_bind(&scene.rig, scene.id, 0, 0x1e));
    scene_send(&scene, 0x194, 0x58);
    scene_send(&scene, 0x300, 3, 0x778899);
    scene_send(&scene, 0x400, xy(1, 1), xy(2, 2)); /* SRCCOPY_AND */
    assert_int_equal(scene_count(&scene, 64, 64, 0x99), 4);
    scene_send(&scene, 0x2fc, 3); /* not an operation of theirs */
    assert_event(&scene.rig, EVENT_ENGINE_ERROR, 0, "INVALID_VALUE", 0x1e, 0x2fc);
    scene_stop(&scene);
}

static void without_a_surface_nothing_is_drawn(void **state) {
    (void)state;
    struct scene scene;
    open_solid(&scene, RECT);
    scene_send(&scene, 0x198, 0x30);
    scene_send(&scene, 0x400, xy(0, 0), xy(4, 4));
    assert_event(&scene.rig, EVENT_ENGINE_ERROR, 0, "STATE_INVALID", RECT, 0x404);
    assert_int_equal(engine_rig_count(&scene.rig, EVENT_ENGINE_DONE), 0);
    assert_int_equal(scene_count(&scene, 64, 64, 0), 4096);
    assert_int_equal(scene.rig.interrupts, 1);
    scene_stop(&scene);
}

static void a_bind_method_takes_only_what_belongs_there(void **state) {
    (void)state;
    struct scene scene;
    open_solid(&scene, RECT);
    scene_send(&scene, 0x198, 0x19); /* a clip rectangle is no surface */
    assert_event(&scene.rig, EVENT_ENGINE_ERROR, 0, "INVALID_OBJECT", RECT, 0x198);
    scene_send(&scene, 0x198, 0x52); /* this class does not draw to swizzled surfaces */
    assert_event(&scene.rig, EVENT_ENGINE_ERROR, 1, "INVALID_OBJECT", RECT, 0x198);
    scene_send(&scene, 0x400, xy(0, 0), xy(2, 2)); /* what was bound still is */
    assert_int_equal(scene_count(&scene, 64, 64, DRAWN), 4);
    scene_stop(&scene);
}

static void memory_behind_the_dma_object_faults(void **state) {
    (void)state;
    struct scene scene;
    open_solid(&scene, RECT);
    scene_send(&scene, 0x400, xy(0, 250), xy(4, 100));
    assert_int_equal(scene.rig.faults, 1);
    assert_int_equal(engine_rig_count(&scene.rig, EVENT_ENGINE_FAULT), 1);
    assert_int_equal(engine_rig_count(&scene.rig, EVENT_ENGINE_DONE), 0);
    assert_int_equal(scene_pixel(&scene, 3, 255), DRAWN);
    assert_int_equal(engine_rig_rd32(&scene.rig, SCENE_MEMORY + 0x10000), 0);
    scene_send(&scene, 0x400, xy(10, 0), xy(1, 1)); /* and the next drawing is one of its own */
    assert_int_equal(scene_pixel(&scene, 10, 0), DRAWN);
    scene_stop(&scene);
}

static void a_large_rectangle_comes_in_slices(void **state) {
    (void)state;
    struct scene scene;
    open_solid(&scene, RECT);
    scene_format(&scene, FORMAT_A8R8G8B8, 64); /* rows overlap: 62.5 KiB each, 20 of them */
    scene_send(&scene, 0x400, xy(0, 0));
    assert_int_equal(engine_rig_offer(&scene.rig, scene.id, 0, 0x404, 4, WORDS(xy(16000, 20))), 0);
    assert_int_equal(engine_rig_count(&scene.rig, EVENT_ENGINE_DONE), 0);
    assert_int_equal(scene_pixel(&scene, 15999, 15), DRAWN);
    assert_int_equal(scene_pixel(&scene, 15999, 16), 0);
    assert_int_equal(engine_rig_offer(&scene.rig, scene.id, 0, 0x404, 4, WORDS(xy(16000, 20))), 1);
    assert_int_equal(engine_rig_count(&scene.rig, EVENT_ENGINE_DONE), 1);
    assert_int_equal(scene_pixel(&scene, 15999, 19), DRAWN);
    scene_stop(&scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rectangle_has_the_pixels_from_its_point_on),
        cmocka_unit_test(a_size_alone_draws_at_the_last_point),
        cmocka_unit_test(what_is_left_of_or_above_the_surface_is_not_drawn),
        cmocka_unit_test(a_bound_clip_rectangle_clips),
        cmocka_unit_test(the_size_of_a_clip_rectangle_has_no_sign),
        cmocka_unit_test(two_corners_make_a_clip_rectangle_too),
        cmocka_unit_test(a_line_omits_its_last_point),
        cmocka_unit_test(a_tie_makes_the_minor_coordinate_grow),
        cmocka_unit_test(a_line_is_the_same_in_both_directions),
        cmocka_unit_test(a_polyline_goes_on_where_a_line_ended),
        cmocka_unit_test(a_line_in_32_bits),
        cmocka_unit_test(a_line_without_its_first_point_is_refused),
        cmocka_unit_test(a_triangle_has_its_left_and_top_edges),
        cmocka_unit_test(a_triangle_may_turn_either_way),
        cmocka_unit_test(a_triangle_without_an_inside_is_nothing),
        cmocka_unit_test(each_point_of_a_mesh_makes_a_triangle),
        cmocka_unit_test(the_classes_of_nv1_draw_to_a_surface_of_nv3),
        cmocka_unit_test(without_a_surface_nothing_is_drawn),
        cmocka_unit_test(a_bind_method_takes_only_what_belongs_there),
        cmocka_unit_test(memory_behind_the_dma_object_faults),
        cmocka_unit_test(a_large_rectangle_comes_in_slices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
