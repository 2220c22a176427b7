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
    canvas->state.blend.target[0] = add;
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

/* Two squares of two triangles over several regions of the target: each pixel counts what covers it. */
static void regions_have_all_that_meets_them(void **state) {
    static const struct draw_box boxes[2] = {{40, 40, 80, 90}, {60, 70, 110, 130}};
    struct canvas canvas;
    struct draw_vertex v[8];
    struct draw_primitive primitives[4];
    (void)state;
    canvas_start(&canvas, 144, 144);
    canvas.state.blend.target[0] =
        (struct draw_blend){true, DRAW_ADD, DRAW_ADD, DRAW_ONE, DRAW_ONE, DRAW_ONE, DRAW_ONE};
    canvas.color[2] = 1 / 255.0f;
    for (unsigned i = 0; i < 2; i++) {
        struct draw_vertex *at = &v[4 * i];
        for (unsigned k = 0; k < 4; k++)
            at[k] = canvas_vertex((float)(k & 1 ? boxes[i].x1 : boxes[i].x0),
                                  (float)(k & 2 ? boxes[i].y1 : boxes[i].y0), 0);
        for (unsigned k = 0; k < 2; k++)
            primitives[2 * i + k] = (struct draw_primitive){
                .kind = DRAW_TRIANGLES, .vertex = {&at[k], &at[1 + k], &at[2 + k]}, .flat = &at[0]};
    }
    canvas_draw(&canvas, primitives, 4, 0);
    for (int32_t y = 0; y < 144; y++)
        for (int32_t x = 0; x < 144; x++) {
            unsigned expected = 0;
            for (unsigned i = 0; i < 2; i++)
                expected += x >= boxes[i].x0 && x < boxes[i].x1 && y >= boxes[i].y0 && y < boxes[i].y1;
            assert_int_equal(canvas_element(&canvas, 0, (unsigned)x, (unsigned)y, 0) & 0xff, expected);
        }
    canvas_stop(&canvas);
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
        cmocka_unit_test(regions_have_all_that_meets_them),
        cmocka_unit_test_setup_teardown(top_and_left_edges_belong_to_a_triangle, start, stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
