/* SPDX-License-Identifier: MIT */
/* What triangles cover, which face they show, what varies over them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "draw/canvas.h"

static int start(void **state) {
    static struct canvas canvas;
    canvas_start(&canvas, 32, 32);
    *state = &canvas;
    return 0;
}

static int stop(void **state) {
    canvas_stop(*state);
    return 0;
}

static void pixels_whose_centre_is_inside_are_drawn(void **state) {
    struct canvas *canvas = *state;
    static const char *const lines[] = {"#######", "######", "#####", "####", "###", "##", "#"};
    canvas_triangle(canvas, (const float[]){0, 0, 0, 8, 0, 0, 0, 8, 0});
    canvas_expect(canvas, lines, 7);
}

/* The centres on the edge that both share belong to the one whose left edge it is. */
static void two_triangles_of_a_square_share_no_pixel(void **state) {
    struct canvas *canvas = *state;
    const struct draw_blend add = {true, DRAW_ADD, DRAW_ADD, DRAW_ONE, DRAW_ONE, DRAW_ONE, DRAW_ONE};
    canvas->state.target[0].blend = add;
    for (unsigned c = 0; c < 4; c++)
        canvas->color[c] = 1 / 255.0f;
    struct draw_vertex v[4] = {canvas_vertex(0, 0, 0), canvas_vertex(32, 0, 0), canvas_vertex(0, 32, 0),
                               canvas_vertex(32, 32, 0)};
    struct draw_primitive primitives[2] = {{.kind = DRAW_TRIANGLES, .vertex = {&v[0], &v[2], &v[1]}, .flat = &v[0]},
                                           {.kind = DRAW_TRIANGLES, .vertex = {&v[1], &v[2], &v[3]}, .flat = &v[0]}};
    canvas_draw(canvas, primitives, 2, 0);
    for (unsigned y = 0; y < 32; y++)
        for (unsigned x = 0; x < 32; x++)
            assert_int_equal(canvas_element(canvas, 0, x, y, 0), 0x01010101);
}

static void top_and_left_edges_belong_to_a_triangle(void **state) {
    struct canvas *canvas = *state;
    static const char *const lines[] = {"", "", " ####", " ###", " ##", " #"};
    canvas_triangle(canvas, (const float[]){1.5f, 2.5f, 0, 5, 2.5f, 0, 1.5f, 6, 0});
    canvas_expect(canvas, lines, 6);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(pixels_whose_centre_is_inside_are_drawn, start, stop),
        cmocka_unit_test_setup_teardown(two_triangles_of_a_square_share_no_pixel, start, stop),
        cmocka_unit_test_setup_teardown(top_and_left_edges_belong_to_a_triangle, start, stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
