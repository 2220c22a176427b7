/* SPDX-License-Identifier: MIT */
/* Every format of targets through every layout, against bits that the format's definition gives. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "draw/canvas.h"
#include "reference/clear.h"

#define WIDTH   11u /* pixels */
#define HEIGHT  9u
#define LAYERS  3u /* or slices */
#define STENCIL 0xa5u

/* Where samples are, in elements of a pixel: NVIDIA open-gpu-doc cl9097.h (SET_ANTI_ALIAS); deko3d gpu_3d_ms.cpp. */
static const struct mode {
    unsigned mode, count, across, down;
    uint8_t x[8], y[8];
} modes[] = {
    {0, 1, 1, 1, {0}, {0}},
    {1, 2, 2, 1, {0, 1}, {0, 0}},
    {2, 4, 2, 2, {0, 1, 0, 1}, {0, 0, 1, 1}},
    {3, 8, 4, 2, {0, 1, 0, 1, 2, 3, 2, 3}, {0, 0, 1, 1, 0, 0, 1, 1}},
};

struct scene {
    struct canvas canvas;
    const struct reference_format *format;
    const struct mode *mode;
    struct layout layout;
    bool zeta, volume;
    unsigned bytes; /* of an element */
    uint64_t stride, size;
    uint8_t *expected, *found;
};

/* ---- values: of a component of a sample, exact in each format of floats ---- */

static uint32_t value_of(const struct scene *s, unsigned x, unsigned y, unsigned sample, unsigned c) {
    static const float values[] = {0, 1, 0.25f, 0.5f, 0.75f, 0.125f, 0.375f, 2, -1, -0.5f, -2};
    static const uint32_t integers[] = {0, 1, 0x7f, 0x80, 0xff, 0x1234, 0x7fffffff, 0x80000000, 0xffffff80, 0xffffffff};
    unsigned number = x + 3 * y + 5 * sample + 2 * c;
    uint32_t word;
    if (s->format->type == REFERENCE_UINT || s->format->type == REFERENCE_SINT)
        return integers[number % 10];
    memcpy(&word, &values[number % (s->zeta ? 7 : 11)], sizeof word); /* depth is within its range */
    return word;
}

static bool program(struct canvas *canvas, struct draw_fragments *f) {
    const struct scene *s = (const struct scene *)canvas;
    f->killed = 0;
    for (unsigned lane = 0; lane < DRAW_LANES; lane++) {
        for (unsigned c = 0; c < 4; c++)
            f->color[0][c][lane] = value_of(s, f->x[lane], f->y[lane], f->sample, c);
        f->depth[lane] = value_of(s, f->x[lane], f->y[lane], f->sample, 0);
    }
    return true;
}

/* ---- one target ---- */

static void set_state(struct scene *s) {
    struct draw_state *state = &s->canvas.state;
    struct draw_target *target = s->zeta ? &state->targets.zeta : &state->targets.color[0];
    const struct draw_stencil_face face = {
        .compare = DRAW_ALWAYS, .pass = DRAW_REPLACE, .reference = STENCIL, .mask = 0xff, .write_mask = 0xff};
    draw_samples_of(&state->raster.samples, s->mode->mode);
    state->stages.program.passes = (uint8_t)s->mode->count;
    state->stages.program.depth = s->zeta;
    state->targets.count = s->zeta ? 0 : 1;
    state->targets.color[0].format = state->targets.zeta.format = NULL;
    state->blend.mask[0] = 15;
    state->zeta.test = state->zeta.write = state->zeta.stencil = s->zeta;
    state->zeta.compare = DRAW_ALWAYS;
    state->zeta.face[0] = state->zeta.face[1] = face;
    state->view.viewport[0].scissor = (struct draw_box){1, 2, (int32_t)WIDTH - 1, (int32_t)HEIGHT - 1};
    *target = (struct draw_target){
        .format = s->zeta ? format_zeta(s->format->code) : format_color(s->format->code),
        .surface = {address_space_physical(MEMORY_VRAM), CANVAS_BASE, s->layout},
        .width = WIDTH,
        .height = HEIGHT,
        .layers = s->volume ? LAYERS - 1 : LAYERS,
        .layer_stride = s->stride,
        .volume = s->volume,
        .first_slice = s->volume ? 1 : 0,
    };
    assert_non_null(target->format);
    assert_int_equal(target->format->bytes, s->bytes);
}

static void draw_layer(struct scene *s, unsigned layer) {
    struct draw_vertex v[3] = {canvas_vertex(0, 0, 0), canvas_vertex(64, 0, 0), canvas_vertex(0, 64, 0)};
    struct draw_primitive primitive = {.kind = DRAW_TRIANGLES,
                                       .edges = 7,
                                       .layer = layer - (s->volume ? 1 : 0),
                                       .vertex = {&v[0], &v[1], &v[2]},
                                       .flat = &v[0]};
    canvas_draw(&s->canvas, &primitive, 1, 0);
}

static void expect_layer(struct scene *s, unsigned layer) {
    const struct mode *mode = s->mode;
    for (unsigned y = 2; y < HEIGHT - 1; y++)
        for (unsigned x = 1; x < WIDTH - 1; x++)
            for (unsigned i = 0; i < mode->count; i++) {
                uint64_t at = reference_surface_offset(&s->layout, (uint64_t)(x * mode->across + mode->x[i]) * s->bytes,
                                                       y * mode->down + mode->y[i], s->volume ? layer : 0);
                uint32_t value[4];
                for (unsigned c = 0; c < 4; c++)
                    value[c] = s->zeta && c == 1 ? STENCIL : value_of(s, x, y, i, c);
                at += s->volume ? 0 : layer * s->stride;
                assert_true(at + s->bytes <= s->size);
                reference_pixel(s->format, value, s->expected + at);
            }
}

/* Two layers of three; bits of no component of depth formats stay as they are, so these begin with zeros. */
static void play(struct scene *s) {
    struct rig *rig = &s->canvas.rig;
    const struct address_space space = address_space_physical(MEMORY_VRAM);
    s->stride = layout_size(&s->layout);
    s->size = s->stride * (s->volume ? 1 : LAYERS);
    s->expected = malloc(s->size);
    s->found = malloc(s->size);
    memset(s->expected, s->zeta ? 0 : 0x5a, s->size);
    assert_true(memory_write(&rig->memory, &space, CANVAS_BASE, s->expected, s->size, NULL));
    set_state(s);
    for (unsigned layer = 1; layer < LAYERS; layer++) {
        draw_layer(s, layer);
        expect_layer(s, layer);
    }
    assert_true(memory_read(&rig->memory, &space, CANVAS_BASE, s->found, s->size, NULL));
    for (uint64_t at = 0; at < s->size; at++)
        if (s->found[at] != s->expected[at])
            fail_msg("format %#x, %u samples, layout %d of order %d, blocks of 2^%u by 2^%u, %s: byte %#llx is %02x, "
                     "not %02x",
                     s->format->code, s->mode->count, s->layout.type, s->layout.order, s->layout.block_height,
                     s->layout.block_depth, s->volume ? "volume" : "layers", (unsigned long long)at, s->found[at],
                     s->expected[at]);
    free(s->expected);
    free(s->found);
}

/* ---- all of them ---- */

static void play_blocks(struct scene *s) {
    static const enum gob_order orders[] = {GOB_LINES, GOB_SECTORS, GOB_LINES_8};
    for (unsigned i = 0; i < 3; i++)
        for (unsigned height = 0; height <= 4; height += 2)
            for (unsigned depth = 0; depth <= 2; depth++) {
                s->volume = depth > 0;
                s->layout.type = LAYOUT_BLOCK;
                s->layout.order = orders[i];
                s->layout.block_height = (uint8_t)height;
                s->layout.block_depth = (uint8_t)(s->volume ? depth - 1 : 0);
                s->layout.depth = s->volume ? LAYERS : 1;
                if (!(s->zeta && s->volume))
                    play(s);
            }
}

static void play_layouts(struct scene *s) {
    uint64_t row = (uint64_t)WIDTH * s->mode->across * s->bytes;
    s->layout = (struct layout){.type = LAYOUT_PITCH,
                                .pitch = (int64_t)(row + 127) / 64 * 64,
                                .width = row,
                                .height = HEIGHT * s->mode->down,
                                .depth = 1};
    s->volume = false;
    if (!s->zeta)
        play(s);
    play_blocks(s);
}

static void play_formats(const struct reference_format *formats, bool zeta) {
    static struct scene scene;
    canvas_start(&scene.canvas, WIDTH, HEIGHT);
    scene.canvas.program = program;
    scene.zeta = zeta;
    for (const struct reference_format *format = formats; format->code; format++)
        for (unsigned i = 0; i < sizeof modes / sizeof modes[0]; i++) {
            scene.format = format;
            scene.mode = &modes[i];
            scene.bytes = reference_pixel_bytes(format);
            play_layouts(&scene);
        }
    canvas_stop(&scene.canvas);
}

static void every_colour_format_is_drawn_through_every_layout(void **state) {
    (void)state;
    play_formats(reference_colors, false);
}

static void every_depth_format_is_drawn_through_every_layout(void **state) {
    (void)state;
    play_formats(reference_zetas, true);
}

/* The reference knows all formats that there are. */
static unsigned rows(const struct reference_format *formats) {
    unsigned count = 0;
    while (formats[count].code)
        count++;
    return count;
}

static void no_format_is_left_out(void **state) {
    unsigned colors = 0, zetas = 0;
    (void)state;
    for (uint32_t code = 0; code < 0x100; code++) {
        colors += format_color(code) ? 1 : 0;
        zetas += format_zeta(code) ? 1 : 0;
    }
    assert_int_equal(rows(reference_colors), colors);
    assert_int_equal(rows(reference_zetas), zetas);
}

/* ---- rounding: at each step from one byte to the next ---- */

#define STEPS 256u

static float near_step(unsigned x, unsigned y) {
    float value = ((float)(x % STEPS) - 0.5f) / 255;
    for (int i = (int)(y % 9) - 4; i != 0; i += i < 0 ? 1 : -1)
        value = nextafterf(value, i < 0 ? -2 : 2);
    return value;
}

static bool steps(struct canvas *canvas, struct draw_fragments *f) {
    (void)canvas;
    for (unsigned lane = 0; lane < DRAW_LANES; lane++)
        for (unsigned c = 0; c < 4; c++) {
            float value = near_step(f->x[lane], f->y[lane]);
            memcpy(&f->color[0][c][lane], &value, sizeof value);
        }
    return true;
}

static void colours_are_the_nearest_byte_also_just_beside_a_step(void **state) {
    (void)state;
    struct canvas canvas;
    canvas_start(&canvas, STEPS, 16);
    canvas.program = steps;
    canvas_triangle(&canvas, (const float[]){0, 0, 0, 2 * STEPS, 0, 0, 0, 2 * STEPS, 0});
    for (unsigned y = 0; y < 16; y++)
        for (unsigned x = 0; x < STEPS; x++) {
            double value = (double)near_step(x, y);
            uint32_t byte = value > 0 ? (uint32_t)(value * 255 + 0.5) : 0;
            assert_int_equal(canvas_element(&canvas, 0, x, y, 0), byte * 0x01010101);
        }
    canvas_stop(&canvas);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(colours_are_the_nearest_byte_also_just_beside_a_step),
        cmocka_unit_test(every_colour_format_is_drawn_through_every_layout),
        cmocka_unit_test(every_depth_format_is_drawn_through_every_layout),
        cmocka_unit_test(no_format_is_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
