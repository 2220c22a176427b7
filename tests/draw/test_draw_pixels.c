/* SPDX-License-Identifier: MIT */
/* What fragments do to memory, and what is reported of it. */
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

/* Pixels with x + y < 31, that is 496 of them, at a depth. */
#define PIXELS 496u
static void draw_half(struct canvas *canvas, float z) {
    canvas_triangle(canvas, (const float[]){0, 0, z, 31.5f, 0, z, 0, 31.5f, z});
}

static const struct draw_result *result_of(struct canvas *canvas) {
    return draw_raster_result(canvas->raster);
}

static void use_depth(struct canvas *canvas, uint32_t format, enum draw_compare compare) {
    canvas_target(canvas, CANVAS_ZETA, format, 1);
    canvas->state.zeta.test = canvas->state.zeta.write = canvas->state.zeta.counts = true;
    canvas->state.zeta.compare = (uint8_t)compare;
}

static bool kill_odd_columns(struct canvas *canvas, struct draw_fragments *f) {
    (void)canvas;
    memset(f->color, 0xff, sizeof f->color);
    for (unsigned lane = 0; lane < DRAW_LANES; lane++)
        f->killed |= (f->x[lane] & 1) << lane;
    return true;
}

static bool fail_at_third(struct canvas *canvas, struct draw_fragments *f) {
    (void)f;
    return canvas->calls < 3;
}

static void every_colour_format_is_stored_as_it_packs(void **state) {
    struct canvas *canvas = *state;
    static const float color[4] = {0.2f, 0.4f, 0.6f, 0.8f};
    unsigned formats = 0;
    memcpy(canvas->color, color, sizeof color);
    for (uint32_t code = 0x40; code < 0x100; code++) {
        const struct format *format = format_color(code);
        union color value;
        uint8_t packed[16] = {0};
        uint64_t expected = 0;
        if (!format)
            continue;
        canvas_target(canvas, 0, code, 1);
        draw_half(canvas, 0);
        memcpy(&value, color, sizeof value);
        format_pack(format, &value, packed);
        for (unsigned i = 0; i < 8 && i < format->bytes; i++)
            expected |= (uint64_t)packed[i] << 8 * i;
        for (unsigned i = 0; i < 32; i++) {
            assert_true(canvas_element(canvas, 0, i, 3, 0) == (i < 28 ? expected : 0));
            assert_true(canvas_element(canvas, 0, 3, i, 0) == (i < 28 ? expected : 0));
        }
        formats++;
    }
    assert_true(formats > 60);
}

static void pitch_targets_are_lines(void **state) {
    struct canvas *canvas = *state;
    struct layout *layout = &canvas->state.targets.color[0].surface.layout;
    *layout = (struct layout){.type = LAYOUT_PITCH, .pitch = 160, .depth = 1};
    draw_half(canvas, 0);
    assert_int_equal(canvas_count(canvas), PIXELS);
    assert_int_equal(canvas_element(canvas, 0, 27, 3, 0), 0xffffffff);
    assert_int_equal(canvas_element(canvas, 0, 28, 3, 0), 0);
}

static void each_layer_is_a_picture_of_its_own(void **state) {
    struct canvas *canvas = *state;
    struct draw_vertex v[3] = {canvas_vertex(0, 0, 0), canvas_vertex(31.5f, 0, 0), canvas_vertex(0, 31.5f, 0)};
    struct draw_primitive primitive = {
        .kind = DRAW_TRIANGLES, .layer = 1, .vertex = {&v[0], &v[1], &v[2]}, .flat = &v[0]};
    canvas_target(canvas, 0, 0xcf, 2);
    canvas_draw(canvas, &primitive, 1, 0);
    assert_int_equal(canvas_count(canvas), 0);
    assert_int_equal(canvas_element(canvas, 0, 5, 5, 1), 0xffffffff);
    primitive.layer = 2; /* there is none */
    canvas_target(canvas, 0, 0xcf, 2);
    canvas_draw(canvas, &primitive, 1, 0);
    assert_true(canvas->calls > 0);
    assert_int_equal(result_of(canvas)->fragments, 0);
}

static void a_picture_without_layers_takes_all_of_them(void **state) {
    struct canvas *canvas = *state;
    struct draw_vertex v[3] = {canvas_vertex(0, 0, 0), canvas_vertex(31.5f, 0, 0), canvas_vertex(0, 31.5f, 0)};
    struct draw_primitive primitive = {
        .kind = DRAW_TRIANGLES, .layer = 10000, .vertex = {&v[0], &v[1], &v[2]}, .flat = &v[0]};
    canvas_target(canvas, 0, 0xcf, 1);
    canvas_draw(canvas, &primitive, 1, 0);
    assert_int_equal(canvas_element(canvas, 0, 5, 5, 0), 0xffffffff);
}

static void killed_fragments_leave_depth_alone(void **state) {
    struct canvas *canvas = *state;
    use_depth(canvas, 0x16, DRAW_ALWAYS);
    canvas->program = kill_odd_columns;
    canvas->state.stages.program.kills = true;
    draw_half(canvas, 0.5f);
    assert_int_equal(canvas_element(canvas, CANVAS_ZETA, 4, 4, 0), 0x800000);
    assert_int_equal(canvas_element(canvas, CANVAS_ZETA, 5, 4, 0), 0);
    assert_int_equal(canvas_element(canvas, 0, 5, 4, 0), 0);
    assert_int_equal(result_of(canvas)->samples, 256); /* 31, 29, ... of each pair of columns */
}

static void early_tests_come_before_the_program(void **state) {
    struct canvas *canvas = *state;
    use_depth(canvas, 0x16, DRAW_ALWAYS);
    canvas->program = kill_odd_columns;
    canvas->state.stages.program.kills = true;
    canvas->state.stages.program.early = true;
    draw_half(canvas, 0.5f);
    assert_int_equal(canvas_element(canvas, CANVAS_ZETA, 5, 4, 0), 0x800000);
    assert_int_equal(canvas_element(canvas, 0, 5, 4, 0), 0);
    assert_int_equal(result_of(canvas)->samples, PIXELS);
}

/* And what fails needs no program. */
static void hidden_pixels_run_no_program(void **state) {
    struct canvas *canvas = *state;
    use_depth(canvas, 0x0a, DRAW_LESS);
    draw_half(canvas, 0.5f);
    assert_int_equal(result_of(canvas)->samples, 0); /* 0 is there */
    assert_int_equal(canvas->calls, 0);
    canvas->state.stages.program.effects = true; /* but if it writes memory */
    draw_half(canvas, 0.5f);
    assert_int_equal(result_of(canvas)->fragments, PIXELS);
}

static void depth_beyond_the_range_is_clipped_or_clamped(void **state) {
    struct canvas *canvas = *state;
    use_depth(canvas, 0x0a, DRAW_ALWAYS);
    canvas->state.view.viewport[0].near = 0.25f;
    canvas->state.view.viewport[0].far = 0.75f;
    draw_half(canvas, 0.875f);
    assert_int_equal(canvas_element(canvas, CANVAS_ZETA, 4, 4, 0), 0x3f400000);
    canvas->state.raster.clip_z = true;
    canvas->state.zeta.bounds_max = 1;
    for (unsigned i = 0; i < 2; i++) {
        canvas->state.zeta.bounds = i; /* all is within; no test alone */
        draw_half(canvas, 0.125f);
        assert_int_equal(result_of(canvas)->samples, 0);
        draw_half(canvas, 0.875f);
        assert_int_equal(result_of(canvas)->samples, 0);
        draw_half(canvas, 0.75f); /* exactly there */
        assert_int_equal(result_of(canvas)->samples, PIXELS);
        draw_half(canvas, 0.25f);
        assert_int_equal(result_of(canvas)->samples, PIXELS);
    }
}

/* 0.5 is none of the values that 24 bits have. */
static void depth_that_is_a_bound_is_within_bounds(void **state) {
    struct canvas *canvas = *state;
    struct draw_zeta_state *zeta = &canvas->state.zeta;
    use_depth(canvas, 0x14, DRAW_ALWAYS);
    draw_half(canvas, 0.5f);
    zeta->counts = zeta->bounds = true;
    for (unsigned i = 0; i < 3; i++) {
        zeta->bounds_min = i == 0 ? 0.5f : i == 1 ? 0.0f : 0.50001f;
        zeta->bounds_max = i == 1 ? 0.5f : 1.0f;
        draw_half(canvas, 0.5f);
        assert_int_equal(result_of(canvas)->samples, i < 2 ? PIXELS : 0);
    }
}

static void samples_count_one_by_one(void **state) {
    struct canvas *canvas = *state;
    draw_samples_of(&canvas->state.raster.samples, 3);
    canvas->state.raster.multisample = true;
    canvas->state.targets.count = 0;
    canvas->state.zeta.counts = true;
    canvas_triangle(canvas, (const float[]){0, 0, 0, 64, 0, 0, 0, 64, 0});
    assert_int_equal(result_of(canvas)->samples, 8 * 32 * 32);
    canvas->state.raster.sample_mask[1] = 0x0f;
    canvas_triangle(canvas, (const float[]){0, 0, 0, 64, 0, 0, 0, 64, 0});
    assert_int_equal(result_of(canvas)->samples, 7 * 32 * 32);
}

/* SET_NONMULTISAMPLED_Z. Depth grows by 1/64 from pixel to pixel; two samples at 1/4 and 3/4. */
static void depth_without_multisampling_is_at_samples_or_centres(void **state) {
    struct canvas *canvas = *state;
    static const float expected[2][2] = {{8.5f / 64, 8.5f / 64}, {8.25f / 64, 8.75f / 64}};
    draw_samples_of(&canvas->state.raster.samples, 1);
    for (unsigned at_samples = 0; at_samples < 2; at_samples++) {
        use_depth(canvas, 0x0a, DRAW_ALWAYS);
        canvas->state.raster.depth_at_samples = at_samples;
        canvas_triangle(canvas, (const float[]){0, 0, 0, 64, 0, 1, 0, 64, 0});
        for (unsigned s = 0; s < 2; s++) {
            uint32_t bits = (uint32_t)canvas_element(canvas, CANVAS_ZETA, 16 + s, 4, 0);
            assert_memory_equal(&bits, &expected[at_samples][s], sizeof bits);
        }
    }
}

static void alpha_becomes_coverage(void **state) {
    struct canvas *canvas = *state;
    draw_samples_of(&canvas->state.raster.samples, 2);
    canvas->state.raster.multisample = true;
    canvas->state.zeta.counts = true;
    canvas->state.blend.alpha_to_coverage = true;
    canvas_target(canvas, 0, 0xcf, 1);
    for (unsigned i = 0; i <= 4; i++) {
        canvas->color[3] = (float)i / 4;
        canvas_triangle(canvas, (const float[]){0, 0, 0, 64, 0, 0, 0, 64, 0});
        assert_int_equal(result_of(canvas)->samples, i * 32 * 32);
    }
}

static void pixels_in_slices_are_the_same(void **state) {
    struct canvas canvas;
    struct draw_vertex v[3] = {canvas_vertex(0, 0, 0), canvas_vertex(511.5f, 0, 0), canvas_vertex(0, 511.5f, 0)};
    struct draw_primitive primitive = {.kind = DRAW_TRIANGLES, .vertex = {&v[0], &v[1], &v[2]}, .flat = &v[0]};
    struct draw_progress progress = {0};
    unsigned slices = 0;
    (void)state;
    canvas_start(&canvas, 512, 512);
    draw_raster_begin(canvas.raster, &canvas.state);
    while (progress.primitive < 1 && slices < 100) {
        assert_true(draw_primitives(canvas.raster, &primitive, 1, &progress, 1) > 0);
        slices++;
    }
    assert_int_equal(slices, 8);
    assert_int_equal(canvas_count(&canvas), 511 * 512 / 2);
    canvas_stop(&canvas);
}

/* However large what it covers is. */
static void a_slice_is_some_thousand_quads(void **state) {
    struct canvas *canvas = *state;
    struct draw_vertex v[3] = {canvas_vertex(0, 0, 0), canvas_vertex(200000, 0, 0), canvas_vertex(0, 200000, 0)};
    struct draw_primitive primitive = {.kind = DRAW_TRIANGLES, .vertex = {&v[0], &v[1], &v[2]}, .flat = &v[0]};
    struct draw_progress progress = {0};
    canvas->state.view.viewport[0].scissor = (struct draw_box){0, 0, 1 << 16, 1 << 16};
    draw_raster_begin(canvas->raster, &canvas->state);
    for (unsigned slice = 0; slice < 4; slice++)
        assert_in_range(draw_primitives(canvas->raster, &primitive, 1, &progress, 1), 1, 20000);
    assert_int_equal(progress.primitive, 0);
    assert_int_equal(canvas_count(canvas), 32 * 32);
}

static uint64_t units_of_half(struct canvas *canvas) {
    struct draw_vertex v[3] = {canvas_vertex(0, 0, 0), canvas_vertex(32, 0, 0), canvas_vertex(0, 32, 0)};
    struct draw_primitive primitive = {.kind = DRAW_TRIANGLES, .vertex = {&v[0], &v[1], &v[2]}, .flat = &v[0]};
    struct draw_progress progress = {0};
    draw_raster_begin(canvas->raster, &canvas->state);
    return draw_primitives(canvas->raster, &primitive, 1, &progress, 1000000);
}

static void samples_and_targets_are_work(void **state) {
    struct canvas *canvas = *state;
    uint64_t one = units_of_half(canvas), quads = 16 * 17 / 2;
    assert_in_range(one, quads, quads + 8);
    canvas_target(canvas, 1, 0xcf, 1);
    canvas->state.targets.count = 2;
    canvas->state.targets.of[1] = 1;
    assert_int_equal(units_of_half(canvas), one + quads);
    draw_samples_of(&canvas->state.raster.samples, 2); /* four */
    canvas_target(canvas, 0, 0xcf, 1);
    canvas_target(canvas, 1, 0xcf, 1);
    assert_int_equal(units_of_half(canvas), one + 6 * quads); /* 3, and 4 of the second target */
}

/* Two triangles share the pixels of a diagonal, whose one sample of the target they both add to, one after the other. */
static void samples_of_a_target_that_two_primitives_share_are_blended_twice(void **state) {
    struct canvas *canvas = *state;
    struct draw_vertex v[4] = {canvas_vertex(0, 0, 0), canvas_vertex(2, 0, 0), canvas_vertex(0, 2, 0),
                               canvas_vertex(2, 2, 0)};
    const struct draw_primitive primitives[2] = {
        {.kind = DRAW_TRIANGLES, .vertex = {&v[0], &v[1], &v[2]}, .flat = &v[0]},
        {.kind = DRAW_TRIANGLES, .vertex = {&v[3], &v[1], &v[2]}, .flat = &v[0]}};
    struct draw_raster_state *raster = &canvas->state.raster;
    draw_samples_of(&raster->samples, 2);
    draw_samples_of(&raster->color, 0);
    raster->independent = raster->multisample = true;
    canvas_target(canvas, 0, 0xcf, 1);
    canvas->state.blend.target[0] = (struct draw_blend){
        .enabled = true, .src_rgb = DRAW_ONE, .dst_rgb = DRAW_ONE, .src_alpha = DRAW_ONE, .dst_alpha = DRAW_ONE};
    for (unsigned c = 0; c < 4; c++)
        canvas->color[c] = 0.2f;
    canvas_draw(canvas, primitives, 2, 0);
    for (unsigned x = 0; x < 2; x++)
        for (unsigned y = 0; y < 2; y++)
            assert_int_equal(canvas_element(canvas, 0, x, y, 0), x + y == 1 ? 0x66666666 : 0x33333333);
}

/* What is there is read, and calculated with. */
static void blending_is_work(void **state) {
    struct canvas *canvas = *state;
    uint64_t plain = units_of_half(canvas), quads = 16 * 17 / 2;
    canvas->state.blend.target[0].enabled = true;
    assert_int_equal(units_of_half(canvas), plain + 2 * quads);
}

static void a_program_that_fails_ends_the_draw(void **state) {
    struct canvas *canvas = *state;
    canvas->program = fail_at_third;
    draw_half(canvas, 0);
    assert_true(result_of(canvas)->failed);
    assert_int_equal(canvas->calls, 4); /* once more to say why */
}

static void a_target_without_memory_faults(void **state) {
    struct canvas *canvas = *state;
    canvas_target(canvas, 1, 0xcf, 1);
    canvas->state.targets.count = 2;
    canvas->state.targets.of[1] = 1;
    canvas->state.targets.color[1].surface.space = address_space_fault(FAULT_PTE);
    draw_half(canvas, 0);
    assert_true(result_of(canvas)->faulted);
    assert_false(result_of(canvas)->fault_is_zeta);
    assert_int_equal(result_of(canvas)->fault_target, 1);
    canvas->state.targets.count = 1;
    use_depth(canvas, 0x16, DRAW_ALWAYS);
    canvas->state.targets.zeta.surface.space = address_space_fault(FAULT_PTE);
    draw_half(canvas, 0);
    assert_true(result_of(canvas)->fault_is_zeta);
}

/* Coverage of the pixel's area, in alpha. */
static void smooth_lines_fade_at_their_edges(void **state) {
    struct canvas *canvas = *state;
    struct draw_vertex v[2] = {canvas_vertex(4, 10.25f, 0), canvas_vertex(20, 10.25f, 0)};
    struct draw_primitive primitive = {.kind = DRAW_LINES, .vertex = {&v[0], &v[1]}, .flat = &v[0]};
    canvas->state.raster.line_smooth = true;
    canvas_draw(canvas, &primitive, 1, 0);
    assert_int_equal(canvas_element(canvas, 0, 10, 9, 0) >> 24, 64);   /* a quarter */
    assert_int_equal(canvas_element(canvas, 0, 10, 10, 0) >> 24, 191); /* the rest */
    assert_int_equal(canvas_element(canvas, 0, 10, 11, 0), 0);
    assert_int_equal(canvas_element(canvas, 0, 3, 10, 0) >> 24, 96); /* half a pixel longer */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_colour_format_is_stored_as_it_packs, start, stop),
        cmocka_unit_test_setup_teardown(pitch_targets_are_lines, start, stop),
        cmocka_unit_test_setup_teardown(each_layer_is_a_picture_of_its_own, start, stop),
        cmocka_unit_test_setup_teardown(a_picture_without_layers_takes_all_of_them, start, stop),
        cmocka_unit_test_setup_teardown(killed_fragments_leave_depth_alone, start, stop),
        cmocka_unit_test_setup_teardown(early_tests_come_before_the_program, start, stop),
        cmocka_unit_test_setup_teardown(hidden_pixels_run_no_program, start, stop),
        cmocka_unit_test_setup_teardown(depth_beyond_the_range_is_clipped_or_clamped, start, stop),
        cmocka_unit_test_setup_teardown(depth_that_is_a_bound_is_within_bounds, start, stop),
        cmocka_unit_test_setup_teardown(samples_count_one_by_one, start, stop),
        cmocka_unit_test_setup_teardown(depth_without_multisampling_is_at_samples_or_centres, start, stop),
        cmocka_unit_test_setup_teardown(alpha_becomes_coverage, start, stop),
        cmocka_unit_test(pixels_in_slices_are_the_same),
        cmocka_unit_test_setup_teardown(a_slice_is_some_thousand_quads, start, stop),
        cmocka_unit_test_setup_teardown(samples_and_targets_are_work, start, stop),
        cmocka_unit_test_setup_teardown(blending_is_work, start, stop),
        cmocka_unit_test_setup_teardown(samples_of_a_target_that_two_primitives_share_are_blended_twice, start, stop),
        cmocka_unit_test_setup_teardown(a_program_that_fails_ends_the_draw, start, stop),
        cmocka_unit_test_setup_teardown(a_target_without_memory_faults, start, stop),
        cmocka_unit_test_setup_teardown(smooth_lines_fade_at_their_edges, start, stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
