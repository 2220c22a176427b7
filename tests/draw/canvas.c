/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "draw/canvas.h"

static bool run_program(void *opaque, struct draw_fragments *f) {
    struct canvas *canvas = opaque;
    canvas->calls++;
    if (canvas->program)
        return canvas->program(canvas, f);
    for (unsigned i = 0; i < DRAW_TARGETS; i++)
        for (unsigned c = 0; c < 4; c++)
            for (unsigned lane = 0; lane < DRAW_LANES; lane++)
                memcpy(&f->color[i][c][lane], &canvas->color[c], 4);
    return true;
}

static struct draw_target *target_of(struct canvas *canvas, unsigned number) {
    return number == CANVAS_ZETA ? &canvas->state.targets.zeta : &canvas->state.targets.color[number];
}

void canvas_target(struct canvas *canvas, unsigned number, uint32_t format, unsigned layers) {
    const struct draw_raster_state *raster = &canvas->state.raster;
    const struct draw_samples *samples = number == CANVAS_ZETA ? &raster->samples : draw_color_samples(raster);
    struct draw_target *target = target_of(canvas, number);
    uint8_t *zeros = calloc(1, CANVAS_STRIDE);
    target->format = number == CANVAS_ZETA ? format_zeta(format) : format_color(format);
    target->width = canvas->width;
    target->height = canvas->height;
    target->layers = layers;
    if (number != CANVAS_ZETA)
        canvas->state.blend.mask[number] = 15;
    assert_non_null(target->format);
    struct layout layout = {.type = LAYOUT_BLOCK,
                            .width = (uint64_t)(canvas->width << samples->log2_x) * target->format->bytes,
                            .height = canvas->height << samples->log2_y,
                            .depth = 1,
                            .block_height = 2,
                            .order = number & 1 ? GOB_LINES_8 : GOB_SECTORS};
    layout_shrink_block(&layout);
    target->layer_stride = layout_size(&layout);
    assert_true(target->layer_stride * layers <= CANVAS_STRIDE);
    target->surface =
        (struct surface){address_space_physical(MEMORY_VRAM), CANVAS_BASE + (uint64_t)number * CANVAS_STRIDE, layout};
    assert_true(
        memory_write(&canvas->rig.memory, &target->surface.space, target->surface.address, zeros, CANVAS_STRIDE, NULL));
    free(zeros);
}

void canvas_start(struct canvas *canvas, unsigned width, unsigned height) {
    struct draw_state *state = &canvas->state;
    memset(canvas, 0, sizeof *canvas);
    rig_start(&canvas->rig, pfifo_chip_by_name("GM200"));
    canvas->width = width;
    canvas->height = height;
    for (unsigned c = 0; c < 4; c++)
        canvas->color[c] = 1;
    draw_samples_of(&state->raster.samples, 0);
    memset(state->raster.sample_mask, 0xff, sizeof state->raster.sample_mask);
    state->raster.line_width = state->raster.point_size = 1;
    state->raster.line_factor = 1;
    state->view.viewport[0].far = 1;
    state->view.viewport[0].scissor = (struct draw_box){0, 0, (int32_t)width, (int32_t)height};
    state->stages.program.present = true;
    state->stages.program.outputs = UINT32_MAX;
    state->targets.count = 1;
    canvas_target(canvas, 0, 0xcf, 1);
    canvas->raster = draw_raster_new(&canvas->rig.memory, run_program, canvas);
    assert_non_null(canvas->raster);
}

void canvas_stop(struct canvas *canvas) {
    draw_raster_free(canvas->raster);
    rig_stop(&canvas->rig);
}

struct draw_vertex canvas_vertex(float x, float y, float z) {
    return (struct draw_vertex){.x = x, .y = y, .z = z, .rw = 1};
}

void canvas_draw(struct canvas *canvas, const struct draw_primitive *primitives, unsigned count, uint64_t budget) {
    struct draw_progress progress = {0};
    draw_raster_begin(canvas->raster, &canvas->state);
    while (progress.primitive < count && !draw_raster_result(canvas->raster)->failed &&
           !draw_raster_result(canvas->raster)->faulted)
        draw_primitives(canvas->raster, primitives, count, &progress, budget ? budget : UINT64_MAX);
}

void canvas_triangle(struct canvas *canvas, const float xyz[9]) {
    struct draw_vertex v[3];
    for (unsigned i = 0; i < 3; i++)
        v[i] = canvas_vertex(xyz[3 * i], xyz[3 * i + 1], xyz[3 * i + 2]);
    struct draw_primitive primitive = {
        .kind = DRAW_TRIANGLES, .edges = 7, .vertex = {&v[0], &v[1], &v[2]}, .flat = &v[2]};
    canvas_draw(canvas, &primitive, 1, 0);
}

static uint64_t address_of(struct canvas *canvas, unsigned number, unsigned x, unsigned y, unsigned layer) {
    const struct draw_target *target = target_of(canvas, number);
    uint64_t offset = layout_offset(&target->surface.layout, (uint64_t)x * target->format->bytes, y, 0);
    return target->surface.address + offset + layer * target->layer_stride;
}

uint64_t canvas_element(struct canvas *canvas, unsigned number, unsigned x, unsigned y, unsigned layer) {
    const struct draw_target *target = target_of(canvas, number);
    uint64_t value = 0;
    unsigned bytes = target->format->bytes < 8 ? target->format->bytes : 8;
    assert_true(memory_read(&canvas->rig.memory, &target->surface.space, address_of(canvas, number, x, y, layer),
                            &value, bytes, NULL));
    return value;
}

void canvas_set_element(struct canvas *canvas, unsigned number, unsigned x, unsigned y, uint64_t value) {
    const struct draw_target *target = target_of(canvas, number);
    assert_true(memory_write(&canvas->rig.memory, &target->surface.space, address_of(canvas, number, x, y, 0), &value,
                             target->format->bytes, NULL));
}

unsigned canvas_count(struct canvas *canvas) {
    unsigned count = 0;
    for (unsigned y = 0; y < canvas->height; y++)
        for (unsigned x = 0; x < canvas->width; x++)
            count += canvas_element(canvas, 0, x, y, 0) != 0;
    return count;
}

void canvas_expect(struct canvas *canvas, const char *const *lines, unsigned count) {
    for (unsigned y = 0; y < canvas->height; y++)
        for (unsigned x = 0; x < canvas->width; x++) {
            bool drawn = canvas_element(canvas, 0, x, y, 0) != 0;
            bool expected = y < count && x < strlen(lines[y]) && lines[y][x] == '#';
            if (drawn != expected)
                fail_msg("pixel (%u, %u) is %sdrawn", x, y, drawn ? "" : "not ");
        }
}
