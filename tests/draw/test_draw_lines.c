/* SPDX-License-Identifier: MIT */
/* Lines and points: which pixels, how wide, with which stipple. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "draw/canvas.h"

static int start(void **state) {
    static struct canvas canvas;
    canvas_start(&canvas, 12, 8);
    *state = &canvas;
    return 0;
}

static int stop(void **state) {
    canvas_stop(*state);
    return 0;
}

static void draw_line(struct canvas *canvas, float x0, float y0, float x1, float y1) {
    struct draw_vertex v[2] = {canvas_vertex(x0, y0, 0), canvas_vertex(x1, y1, 0)};
    struct draw_primitive primitive = {.kind = DRAW_LINES, .restart = true, .vertex = {&v[0], &v[1]}, .flat = &v[0]};
    canvas_draw(canvas, &primitive, 1, 0);
}

static void draw_point(struct canvas *canvas, float x, float y, float size) {
    struct draw_vertex v = canvas_vertex(x, y, 0);
    struct draw_primitive primitive = {.kind = DRAW_POINTS, .vertex = {&v}, .flat = &v};
    canvas->state.raster.point_size = size;
    canvas_draw(canvas, &primitive, 1, 0);
}

static void a_line_does_not_draw_its_last_pixel(void **state) {
    static const char *const lines[] = {"", "", "  #####"};
    draw_line(*state, 2.5f, 2.5f, 7.5f, 2.5f);
    canvas_expect(*state, lines, 3);
}

static void the_other_way_round_it_is_the_other_end(void **state) {
    static const char *const lines[] = {"", "", "   #####"};
    draw_line(*state, 7.5f, 2.5f, 2.5f, 2.5f);
    canvas_expect(*state, lines, 3);
}

static void a_line_that_leaves_its_last_diamond_draws_it(void **state) {
    static const char *const lines[] = {"", "", "  ######"};
    draw_line(*state, 2.5f, 2.5f, 8, 2.5f);
    canvas_expect(*state, lines, 3);
}

static void a_line_within_a_diamond_draws_nothing(void **state) {
    draw_line(*state, 2.4f, 2.5f, 2.6f, 2.5f);
    assert_int_equal(canvas_count(*state), 0);
}

static void steep_lines_have_a_pixel_in_each_row(void **state) {
    static const char *const lines[] = {"", " #", " #", "  #", "  #", "   #"};
    draw_line(*state, 1.5f, 1.5f, 4, 6.5f);
    canvas_expect(*state, lines, 6);
}

static void wide_lines_repeat_pixels_across(void **state) {
    static const char *const lines[] = {"", "  #####", "  #####", "  #####"};
    struct canvas *canvas = *state;
    canvas->state.raster.line_width = 3;
    draw_line(canvas, 2.5f, 2.5f, 7.5f, 2.5f);
    canvas_expect(canvas, lines, 4);
}

static void lines_of_even_width_lie_on_both_sides(void **state) {
    static const char *const lines[] = {"", "", "  #####", "  #####"};
    struct canvas *canvas = *state;
    canvas->state.raster.line_width = 2;
    draw_line(canvas, 2.5f, 2.75f, 7.5f, 2.75f);
    canvas_expect(canvas, lines, 4);
}

static void rectangular_lines_are_polygons(void **state) {
    static const char *const lines[] = {"", "  #####", "  #####"};
    struct canvas *canvas = *state;
    canvas->state.raster.line_width = 2;
    canvas->state.raster.line_rectangle = true;
    draw_line(canvas, 2, 2, 7, 2);
    canvas_expect(canvas, lines, 3);
}

static void stipple_goes_on_through_a_strip(void **state) {
    static const char *const lines[] = {"", "", "  ##  ##", "", "", "##  ##"};
    struct canvas *canvas = *state;
    struct draw_vertex v[4] = {canvas_vertex(2.5f, 2.5f, 0), canvas_vertex(8.5f, 2.5f, 0), canvas_vertex(0.5f, 5.5f, 0),
                               canvas_vertex(6.5f, 5.5f, 0)};
    struct draw_primitive primitive[2] = {
        {.kind = DRAW_LINES, .restart = true, .vertex = {&v[0], &v[1]}, .flat = &v[0]},
        {.kind = DRAW_LINES, .restart = true, .vertex = {&v[2], &v[3]}, .flat = &v[0]}};
    canvas->state.raster.line_stipple = true;
    canvas->state.raster.line_pattern = 0x5555;
    canvas->state.raster.line_factor = 2;
    canvas_draw(canvas, primitive, 2, 0);
    canvas_expect(canvas, lines, 6);
    static const char *const on[] = {"", "", "  ##  ##", "", "", "  ##  "};
    primitive[1].restart = false; /* six pixels further: in a gap */
    canvas_target(canvas, 0, 0xcf, 1);
    canvas_draw(canvas, primitive, 2, 1);
    canvas_expect(canvas, on, 6);
}

static void outlines_are_the_edges_of_the_polygon(void **state) {
    static const char *const lines[] = {"", " #####", " #   #", " #   #", " #####"};
    struct canvas *canvas = *state;
    struct draw_vertex v[4] = {canvas_vertex(1.5f, 1.5f, 0), canvas_vertex(5.5f, 1.5f, 0), canvas_vertex(5.5f, 4.5f, 0),
                               canvas_vertex(1.5f, 4.5f, 0)};
    struct draw_primitive halves[2] = {
        {.kind = DRAW_TRIANGLES, .edges = 3, .vertex = {&v[0], &v[1], &v[2]}, .flat = &v[0]},
        {.kind = DRAW_TRIANGLES, .edges = 6, .vertex = {&v[0], &v[2], &v[3]}, .flat = &v[0]}};
    canvas->state.raster.polygon[0] = canvas->state.raster.polygon[1] = DRAW_OUTLINE;
    canvas_draw(canvas, halves, 2, 0);
    canvas_expect(canvas, lines, 5);
}

static void aliased_points_are_whole_pixels(void **state) {
    static const char *const odd[] = {"", "", "", "   ###", "   ###", "   ###"};
    static const char *const even[] = {"", "", "", "   ##", "   ##"};
    draw_point(*state, 4.9f, 4.2f, 3.2f);
    canvas_expect(*state, odd, 6);
    canvas_target(*state, 0, 0xcf, 1);
    draw_point(*state, 4.4f, 4.2f, 2);
    canvas_expect(*state, even, 5);
}

static void sprites_are_squares_of_their_size(void **state) {
    static const char *const lines[] = {"", "", "", "    ##", "    ##"};
    struct canvas *canvas = *state;
    canvas->state.raster.point_sprite = true;
    draw_point(canvas, 4.9f, 4.2f, 2);
    canvas_expect(canvas, lines, 5);
}

static void sizes_may_come_from_vertices(void **state) {
    struct canvas *canvas = *state;
    struct draw_vertex v = canvas_vertex(6, 4, 0);
    struct draw_primitive primitive = {.kind = DRAW_POINTS, .vertex = {&v}, .flat = &v};
    v.point_size = 4;
    canvas->state.raster.point_size_varies = true;
    canvas_draw(canvas, &primitive, 1, 0);
    assert_int_equal(canvas_count(canvas), 16);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_line_does_not_draw_its_last_pixel, start, stop),
        cmocka_unit_test_setup_teardown(the_other_way_round_it_is_the_other_end, start, stop),
        cmocka_unit_test_setup_teardown(a_line_that_leaves_its_last_diamond_draws_it, start, stop),
        cmocka_unit_test_setup_teardown(a_line_within_a_diamond_draws_nothing, start, stop),
        cmocka_unit_test_setup_teardown(steep_lines_have_a_pixel_in_each_row, start, stop),
        cmocka_unit_test_setup_teardown(wide_lines_repeat_pixels_across, start, stop),
        cmocka_unit_test_setup_teardown(lines_of_even_width_lie_on_both_sides, start, stop),
        cmocka_unit_test_setup_teardown(rectangular_lines_are_polygons, start, stop),
        cmocka_unit_test_setup_teardown(stipple_goes_on_through_a_strip, start, stop),
        cmocka_unit_test_setup_teardown(outlines_are_the_edges_of_the_polygon, start, stop),
        cmocka_unit_test_setup_teardown(aliased_points_are_whole_pixels, start, stop),
        cmocka_unit_test_setup_teardown(sprites_are_squares_of_their_size, start, stop),
        cmocka_unit_test_setup_teardown(sizes_may_come_from_vertices, start, stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
