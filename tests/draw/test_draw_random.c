/* SPDX-License-Identifier: MIT */
/* Random primitives and states, against a rasteriser that goes pixel by pixel. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "draw/canvas.h"
#include "engine/draw/raster.h"
#include "reference/raster.h"
#include "rounds.h"

#define SIZE       24u
#define PRIMITIVES 12u
#define LAYERS     2u

struct scene {
    struct canvas canvas;
    struct raster_reference reference;
    uint8_t elements[3][SIZE * 4 * SIZE * 2 * LAYERS][16];
    struct draw_vertex vertex[PRIMITIVES][3];
    struct draw_primitive primitive[PRIMITIVES];
};

static bool program(struct canvas *canvas, struct draw_fragments *f) {
    uint32_t word[DRAW_LANES], lanes = f->lanes;
    f->killed = 0;
    for (unsigned i = 0; i < 2 * 4 + 2; i++) {
        uint32_t *to = i < 8 ? f->color[i / 4][i % 4] : i == 8 ? f->depth : f->mask;
        for (unsigned lane = 0; lane < DRAW_LANES; lane++)
            word[lane] = i < 8    ? RASTER_REFERENCE_OUTPUT(0, i)
                         : i == 8 ? RASTER_REFERENCE_DEPTH
                                  : RASTER_REFERENCE_MASK;
        draw_interpolate(f, lanes, word, 2, 0, NULL, to);
    }
    for (unsigned lane = 0; lane < DRAW_LANES && canvas->state.stages.program.kills; lane++)
        f->killed |= (lanes >> lane & 1 && ((f->x[lane] + f->y[lane]) & 1) ? 1u : 0u) << lane;
    return true;
}

/* ---- random states ---- */

static float choose_float(struct choice *c) {
    static const float values[] = {0, 1, 0.5f, 0.25f, -1, 2, 0.125f, 0.7f};
    return values[choice_below(c, 8)];
}

/* Every code that is a format of a kind. */
static uint32_t choose_format(struct choice *c, const struct format *(*format)(uint32_t code)) {
    uint32_t code;
    do
        code = choice_below(c, 256);
    while (!format(code));
    return code;
}

static struct draw_box choose_box(struct choice *c) {
    struct draw_box box = {.x0 = (int32_t)choice_below(c, SIZE), .y0 = (int32_t)choice_below(c, SIZE)};
    box.x1 = box.x0 + (int32_t)choice_below(c, SIZE + 4);
    box.y1 = box.y0 + (int32_t)choice_below(c, SIZE + 4);
    return box;
}

static void choose_raster(struct choice *c, struct draw_state *state) {
    struct draw_raster_state *raster = &state->raster;
    raster->cull_front = choice_once_in(c, 8);
    raster->cull_back = choice_once_in(c, 8);
    raster->front_is_cw = choice_once_in(c, 2);
    raster->flip = choice_once_in(c, 4);
    for (unsigned i = 0; i < 2; i++)
        raster->polygon[i] = choice_once_in(c, 3) ? (uint8_t)choice_below(c, 3) : DRAW_FILL;
    raster->multisample = choice_once_in(c, 2);
    raster->line_width = (float)(1 + 2 * choice_below(c, 3));
    raster->line_stipple = choice_once_in(c, 3);
    raster->line_pattern = (uint16_t)choice_word(c);
    raster->line_factor = (uint16_t)(1 + choice_below(c, 4));
    raster->point_sprite = choice_once_in(c, 3);
    raster->point_d3d = choice_once_in(c, 3);
    raster->point_size = (float)(1 + choice_below(c, 100)) / 16;
    raster->polygon_stipple = choice_once_in(c, 4);
    for (unsigned i = 0; i < 32; i++)
        raster->stipple[i] = choice_word(c);
    raster->clip_z = choice_once_in(c, 2);
    state->view.viewport[0].scissor = (struct draw_box){0, 0, SIZE, SIZE};
    state->view.viewport[0].far = 1;
    state->view.viewport[1] = state->view.viewport[0];
    state->view.viewport[1].scissor = choose_box(c);
    if (state->view.viewport[1].scissor.x1 > (int32_t)SIZE) /* beyond a target only its depth says what is there */
        state->view.viewport[1].scissor.x1 = SIZE;
    if (state->view.viewport[1].scissor.y1 > (int32_t)SIZE)
        state->view.viewport[1].scissor.y1 = SIZE;
    state->view.window_mode = choice_once_in(c, 4) ? (uint8_t)choice_below(c, 3) : 0;
    for (unsigned i = 0; i < DRAW_WINDOWS; i++)
        state->view.window[i] = choice_once_in(c, 2) ? choose_box(c) : (struct draw_box){0, 0, 0, 0};
}

static void choose_samples(struct choice *c, struct draw_state *state) {
    uint32_t words[4];
    draw_samples_of(&state->raster.samples, choice_below(c, 6));
    for (unsigned i = 0; i < 4; i++)
        words[i] = choice_word(c);
    if (choice_once_in(c, 4))
        draw_samples_place(&state->raster.samples, words);
    for (unsigned i = 0; i < 4; i++)
        state->raster.sample_mask[i] = choice_once_in(c, 4) ? (uint16_t)choice_word(c) : 0xffff;
}

/* All that is touched; fewer samples of colours than of the raster; coverage as a colour. */
static void choose_maxwell(struct choice *c, struct draw_state *state) {
    struct draw_raster_state *raster = &state->raster;
    raster->conservative = choice_once_in(c, 4);
    raster->dilation = (uint8_t)choice_below(c, 4);
    state->blend.coverage_to_color = choice_once_in(c, 3);
    state->blend.coverage_target = (uint8_t)choice_below(c, 2);
    if (!choice_once_in(c, 3))
        return;
    draw_samples_of(&raster->color, choice_below(c, 6));
    raster->independent = raster->color.count <= raster->samples.count;
    raster->counts_raster = choice_once_in(c, 2);
    raster->modulation = (uint8_t)choice_below(c, 4);
    for (unsigned i = 0; i < DRAW_SAMPLES; i++)
        raster->modulate[i] = (float)choice_below(c, 256) / 128;
}

static void choose_zeta(struct choice *c, struct draw_state *state) {
    struct draw_zeta_state *zeta = &state->zeta;
    zeta->test = choice_below(c, 4) != 0;
    zeta->write = choice_below(c, 4) != 0;
    zeta->compare = (uint8_t)choice_below(c, 8);
    zeta->bounds = choice_once_in(c, 6);
    zeta->bounds_min = 0.125f;
    zeta->bounds_max = 0.7f;
    zeta->stencil = choice_once_in(c, 2);
    zeta->counts = true;
    for (unsigned i = 0; i < 2; i++)
        zeta->face[i] = (struct draw_stencil_face){
            .compare = (uint8_t)choice_below(c, 8),
            .fail = (uint8_t)choice_below(c, 8),
            .depth_fail = (uint8_t)choice_below(c, 8),
            .pass = (uint8_t)choice_below(c, 8),
            .reference = (uint8_t)choice_word(c),
            .mask = choice_once_in(c, 2) ? 0xff : (uint8_t)choice_word(c),
            .write_mask = choice_once_in(c, 2) ? 0xff : (uint8_t)choice_word(c),
        };
}

static void choose_pixels(struct choice *c, struct draw_state *state) {
    struct draw_program *p = &state->stages.program;
    p->present = true;
    p->outputs = choice_once_in(c, 4) ? choice_word(c) : UINT32_MAX;
    p->separate = choice_once_in(c, 2);
    p->kills = choice_once_in(c, 4);
    p->depth = choice_once_in(c, 4);
    p->sample_mask = choice_once_in(c, 4);
    p->early = choice_once_in(c, 4);
    p->passes = (uint8_t)(1u << choice_below(c, 4));
    state->blend.alpha_to_coverage = choice_once_in(c, 4);
    state->blend.alpha_to_one = choice_once_in(c, 6);
    state->blend.alpha_test = choice_once_in(c, 4);
    state->blend.alpha_compare = (uint8_t)choice_below(c, 8);
    state->blend.alpha_reference = 0.5f;
    state->blend.logic = choice_once_in(c, 4);
    state->blend.logic_op = (uint8_t)choice_below(c, 16);
    state->targets.count = (uint8_t)choice_below(c, 3);
    state->targets.of[0] = (uint8_t)choice_below(c, 2);
    state->targets.of[1] = 1 - state->targets.of[0];
    for (unsigned i = 0; i < 4; i++)
        state->blend.color[i] = choose_float(c);
    for (unsigned i = 0; i < 2; i++) {
        struct draw_blend *b = &state->blend.target[i];
        *b = (struct draw_blend){
            .enabled = choice_once_in(c, 2),
            .op_rgb = (uint8_t)choice_below(c, 5),
            .op_alpha = (uint8_t)choice_below(c, 5),
            .src_rgb = (uint8_t)choice_below(c, DRAW_ONE_MINUS_SRC1_ALPHA + 1),
            .dst_rgb = (uint8_t)choice_below(c, DRAW_ONE_MINUS_SRC1_ALPHA + 1),
            .src_alpha = (uint8_t)choice_below(c, DRAW_ONE_MINUS_SRC1_ALPHA + 1),
            .dst_alpha = (uint8_t)choice_below(c, DRAW_ONE_MINUS_SRC1_ALPHA + 1),
        };
    }
}

static void choose_primitive(struct choice *c, struct scene *scene, unsigned number) {
    struct draw_primitive *primitive = &scene->primitive[number];
    struct draw_vertex *v = scene->vertex[number];
    float z = choose_float(c);
    float depth = 0.25f * (float)choice_below(c, 5);
    unsigned coarse = choice_once_in(c, 2) ? 128 : 1; /* many points on centres and edges of pixels */
    z = z < 0 ? 0 : z > 1 ? 1 : z;
    *primitive = (struct draw_primitive){.kind = choice_once_in(c, 2) ? DRAW_TRIANGLES : (uint8_t)choice_below(c, 3),
                                         .edges = choice_once_in(c, 2) ? 7 : (uint8_t)choice_below(c, 8),
                                         .viewport = choice_once_in(c, 3) ? 1 : 0,
                                         .restart = choice_once_in(c, 3),
                                         .layer = choice_once_in(c, 4) ? 1 : 0,
                                         .id = number,
                                         .vertex = {&v[0], &v[1], &v[2]},
                                         .flat = &v[choice_below(c, 3)]};
    for (unsigned i = 0; i < 3; i++) {
        int32_t x = (int32_t)choice_below(c, (SIZE + 16) * 256 / coarse) * (int32_t)coarse - 8 * 256;
        int32_t y = (int32_t)choice_below(c, (SIZE + 16) * 256 / coarse) * (int32_t)coarse - 8 * 256;
        v[i] = canvas_vertex((float)x / 256, (float)y / 256, z);
        for (unsigned k = 0; k < 8; k++) {
            float value = choose_float(c);
            memcpy(&v[i].attribute[RASTER_REFERENCE_OUTPUT(0, k)], &value, 4);
        }
        memcpy(&v[i].attribute[RASTER_REFERENCE_DEPTH], &depth, 4);
        v[i].attribute[RASTER_REFERENCE_MASK] = choice_word(c);
    }
}

/* ---- comparing ---- */

static bool same_target(struct scene *scene, unsigned target, unsigned number, FILE *report) {
    struct canvas *canvas = &scene->canvas;
    const struct draw_target *t =
        number == CANVAS_ZETA ? &canvas->state.targets.zeta : &canvas->state.targets.color[number];
    const struct draw_raster_state *raster = &canvas->state.raster;
    const struct draw_samples *samples = number == CANVAS_ZETA ? &raster->samples : draw_color_samples(raster);
    unsigned width = SIZE << samples->log2_x, height = SIZE << samples->log2_y;
    for (unsigned i = 0; i < width * height * LAYERS; i++) {
        unsigned x = i % width, y = i / width % height, layer = i / width / height;
        uint64_t at = t->surface.address + layer * t->layer_stride +
                      layout_offset(&t->surface.layout, (uint64_t)x * t->format->bytes, y, 0);
        uint8_t drawn[16] = {0};
        memory_read(&canvas->rig.memory, &t->surface.space, at, drawn, t->format->bytes, NULL);
        if (memcmp(drawn, scene->elements[target][i], t->format->bytes) == 0)
            continue;
        fprintf(report, "%s, element (%u, %u) of layer %u:", t->format->name, x, y, layer);
        for (unsigned k = 0; k < t->format->bytes; k++)
            fprintf(report, " %02x", drawn[k]);
        fprintf(report, ", not");
        for (unsigned k = 0; k < t->format->bytes; k++)
            fprintf(report, " %02x", scene->elements[target][i][k]);
        fprintf(report, "\n");
        return false;
    }
    return true;
}

static void start_scene(struct choice *c, struct scene *scene) {
    struct draw_state *state = &scene->canvas.state;
    memset(scene, 0, sizeof *scene);
    canvas_start(&scene->canvas, SIZE, SIZE);
    scene->canvas.program = program;
    choose_raster(c, state);
    choose_samples(c, state);
    choose_maxwell(c, state);
    choose_zeta(c, state);
    choose_pixels(c, state);
    for (unsigned i = 0; i < 2; i++)
        canvas_target(&scene->canvas, i, choose_format(c, format_color), LAYERS);
    if (choice_below(c, 5))
        canvas_target(&scene->canvas, CANVAS_ZETA, choose_format(c, format_zeta), LAYERS);
    if (choice_once_in(c, 4))
        state->blend.mask[0] = (uint8_t)choice_below(c, 16);
    scene->reference = (struct raster_reference){.state = state, .width = SIZE, .height = SIZE};
    for (unsigned i = 0; i < 2; i++)
        scene->reference.element[i] = scene->elements[i];
    scene->reference.element[RASTER_REFERENCE_ZETA] = scene->elements[2];
    for (unsigned i = 0; i < PRIMITIVES; i++)
        choose_primitive(c, scene, i);
}

/*
 * What is left of these choices lets stripes be drawn (pixels_stripe.c): one sample, nothing that is stippled, primitives
 * that are large; mostly elements of four bytes.
 */
static void prefer_stripes(struct choice *c, struct scene *scene) {
    static const uint8_t colors[] = {0xcf, 0xd5, 0xd0, 0xe6, 0xf9}, zetas[] = {0x0a, 0x14, 0x15, 0x16};
    struct draw_state *state = &scene->canvas.state;
    draw_samples_of(&state->raster.samples, 0);
    memset(state->raster.sample_mask, 0xff, sizeof state->raster.sample_mask);
    state->raster.polygon_stipple = state->raster.independent = false;
    state->raster.polygon[0] = state->raster.polygon[1] = DRAW_FILL;
    state->stages.program.passes = 1;
    state->zeta.stencil &= choice_once_in(c, 4);
    state->zeta.bounds &= choice_once_in(c, 4);
    state->blend.logic &= choice_once_in(c, 4);
    for (unsigned i = 0; i < 2; i++)
        if (choice_below(c, 4))
            canvas_target(&scene->canvas, i, colors[choice_below(c, sizeof colors)], LAYERS);
    if (state->targets.zeta.format && choice_below(c, 4))
        canvas_target(&scene->canvas, CANVAS_ZETA, zetas[choice_below(c, sizeof zetas)], LAYERS);
    state->blend.mask[0] = choice_once_in(c, 3) ? (uint8_t)choice_below(c, 16) : 15;
    for (unsigned i = 0; i < PRIMITIVES; i++) {
        scene->primitive[i].kind = DRAW_TRIANGLES;
        scene->primitive[i].layer = 0;
        for (unsigned k = 0; k < 3; k++) {
            struct draw_vertex *v = &scene->vertex[i][k];
            v->x = (v->x - SIZE / 2.0f) * 4;
            v->y = (v->y - SIZE / 2.0f) * 4;
        }
    }
}

static bool stripes;

static bool play(struct choice *c, FILE *report) {
    static struct scene scene;
    start_scene(c, &scene);
    if (stripes)
        prefer_stripes(c, &scene);
    canvas_draw(&scene.canvas, scene.primitive, PRIMITIVES, choice_once_in(c, 2) ? 0 : 1 + choice_below(c, 40));
    for (unsigned i = 0; i < PRIMITIVES; i++)
        raster_reference_draw(&scene.reference, &scene.primitive[i]);
    bool same = same_target(&scene, 0, 0, report) && same_target(&scene, 1, 1, report);
    if (same && scene.canvas.state.targets.zeta.format)
        same = same_target(&scene, 2, CANVAS_ZETA, report);
    uint64_t samples = draw_raster_result(scene.canvas.raster)->samples;
    if (same && samples != scene.reference.samples) {
        fprintf(report, "%llu samples, not %llu\n", (unsigned long long)samples,
                (unsigned long long)scene.reference.samples);
        same = false;
    }
    if (!same) {
        const struct draw_state *t = &scene.canvas.state;
        fprintf(report,
                "ms %d n %d early %d kills %d depth %d mask %d passes %d a2c %d at %d a21 %d stip %d clipz %d pm %d %d "
                "zfmt %s stencil %d test %d win %d tc %d sprite %d d3d %d ps %f lw %f\n",
                t->raster.multisample, t->raster.samples.count, t->stages.program.early, t->stages.program.kills,
                t->stages.program.depth, t->stages.program.sample_mask, t->stages.program.passes,
                t->blend.alpha_to_coverage, t->blend.alpha_test, t->blend.alpha_to_one, t->raster.line_stipple,
                t->raster.clip_z, t->raster.polygon[0], t->raster.polygon[1],
                t->targets.zeta.format ? t->targets.zeta.format->name : "none", t->zeta.stencil, t->zeta.test,
                t->view.window_mode, t->targets.count, t->raster.point_sprite, t->raster.point_d3d,
                t->raster.point_size, t->raster.line_width);
        fprintf(report, "conservative %d dilation %d independent %d of %d modulation %d counts %d coverage %d to %d\n",
                t->raster.conservative, t->raster.dilation, t->raster.independent, t->raster.color.count,
                t->raster.modulation, t->raster.counts_raster, t->blend.coverage_to_color, t->blend.coverage_target);
    }
    canvas_stop(&scene.canvas);
    return same;
}

static void random_stripes_are_those_of_the_reference(void **state) {
    (void)state;
    stripes = true;
    assert_int_equal(rounds_failed(play, 300), 0);
}

static void random_draws_are_those_of_the_reference(void **state) {
    (void)state;
    stripes = false;
    assert_int_equal(rounds_failed(play, 300), 0);
}

/* ---- stripes beside the quads that they consist of: with depths that the reference does not know ---- */

#define TARGET_BYTES 0x8000u

static void slope_depths(struct choice *c, struct scene *scene) {
    struct draw_raster_state *raster = &scene->canvas.state.raster;
    raster->offset_fill = choice_once_in(c, 3);
    raster->offset_units = (float)choice_below(c, 1000);
    raster->offset_factor = choose_float(c);
    scene->canvas.state.view.viewport[1].near = choice_once_in(c, 3) ? 0.75f : 0;
    for (unsigned i = 0; i < PRIMITIVES; i++)
        for (unsigned k = 0; k < 3; k++) {
            scene->vertex[i][k].z = (float)choice_below(c, 1 << 16) / (1 << 16);
            scene->vertex[i][k].rw = 1 + (float)choice_below(c, 256) / 64;
        }
}

enum { QUADS, PLAIN, VECTOR, WAYS }; /* quad by quad; stripes without vector code of the host, and with it */

static struct draw_result draw_again(struct scene *scene, unsigned way, uint8_t memory[3][TARGET_BYTES]) {
    struct canvas *canvas = &scene->canvas;
    struct draw_progress progress = {0};
    static const uint8_t zeros[TARGET_BYTES];
    const struct draw_target *targets[3] = {&canvas->state.targets.color[0], &canvas->state.targets.color[1],
                                            &canvas->state.targets.zeta};
    for (unsigned i = 0; i < 3; i++)
        if (targets[i]->format)
            assert_true(memory_write(&canvas->rig.memory, &targets[i]->surface.space, targets[i]->surface.address,
                                     zeros, TARGET_BYTES, NULL));
    draw_raster_begin(canvas->raster, &canvas->state);
    const struct pixel_vector *vector = canvas->raster->vector;
    canvas->raster->stripes &= way != QUADS;
    canvas->raster->sampled &= way == VECTOR;
    canvas->raster->vector = way == VECTOR ? vector : NULL;
    while (progress.primitive < PRIMITIVES)
        draw_primitives(canvas->raster, scene->primitive, PRIMITIVES, &progress, UINT64_MAX);
    canvas->raster->vector = vector;
    memset(memory, 0, 3 * sizeof memory[0]);
    for (unsigned i = 0; i < 3; i++)
        if (targets[i]->format)
            assert_true(memory_read(&canvas->rig.memory, &targets[i]->surface.space, targets[i]->surface.address,
                                    memory[i], TARGET_BYTES, NULL));
    return *draw_raster_result(canvas->raster);
}

static bool play_all(struct choice *c, FILE *report) {
    static struct scene scene;
    static uint8_t drawn[WAYS][3][TARGET_BYTES];
    struct draw_result result[WAYS];
    bool same = true;
    start_scene(c, &scene);
    prefer_stripes(c, &scene);
    slope_depths(c, &scene);
    for (unsigned way = QUADS; way < WAYS; way++)
        result[way] = draw_again(&scene, way, drawn[way]);
    for (unsigned way = PLAIN; way < WAYS && same; way++) {
        same = memcmp(drawn[way], drawn[QUADS], sizeof drawn[way]) == 0 &&
               result[way].samples == result[QUADS].samples && result[way].fragments == result[QUADS].fragments;
        if (!same)
            fprintf(report, "way %u: %llu samples, of quads %llu\n", way, (unsigned long long)result[way].samples,
                    (unsigned long long)result[QUADS].samples);
    }
    canvas_stop(&scene.canvas);
    return same;
}

static void stripes_are_what_their_quads_are(void **state) {
    (void)state;
    assert_int_equal(rounds_failed(play_all, 400), 0);
}

/* ---- anything at all: nothing is compared, but it ends, and nothing else is touched ---- */

static float choose_hostile(struct choice *c) {
    static const uint32_t bits[] = {0x7f800000, 0xff800000, 0x7fc00000, 0x00000001, 0x80000000,
                                    0x7f7fffff, 0xff7fffff, 0x4f000000, 0xcf000000, 0x3f800000};
    uint32_t word = choice_once_in(c, 3) ? bits[choice_below(c, sizeof bits / sizeof bits[0])] : choice_word(c);
    float value;
    if (choice_once_in(c, 2))
        return (float)choice_below(c, 4096) / 64 - 16;
    memcpy(&value, &word, sizeof value);
    return value;
}

static void make_hostile(struct choice *c, struct scene *scene) {
    struct draw_state *state = &scene->canvas.state;
    struct draw_raster_state *raster = &state->raster;
    raster->line_width = choose_hostile(c);
    raster->line_smooth = choice_once_in(c, 3);
    raster->line_rectangle = choice_once_in(c, 3);
    raster->point_smooth = choice_once_in(c, 3);
    raster->point_size = choose_hostile(c);
    raster->polygon_smooth = choice_once_in(c, 8);
    raster->fill_box = choice_once_in(c, 8);
    raster->offset_fill = raster->offset_line = raster->offset_point = true;
    raster->offset_factor = choose_hostile(c);
    raster->offset_units = choose_hostile(c);
    raster->offset_clamp = choose_hostile(c);
    raster->offset_by_exponent = true;
    raster->line_factor = 0;
    state->blend.alpha_reference = choose_hostile(c);
    for (unsigned i = 0; i < 2; i++) {
        state->view.viewport[i].near = choose_hostile(c);
        state->view.viewport[i].far = choose_hostile(c);
        state->view.viewport[i].scissor = (struct draw_box){(int32_t)choice_word(c), (int32_t)choice_word(c),
                                                            (int32_t)choice_word(c), (int32_t)choice_word(c)};
    }
    state->view.window[0] = (struct draw_box){(int32_t)choice_word(c), (int32_t)choice_word(c), (int32_t)choice_word(c),
                                              (int32_t)choice_word(c)};
    for (unsigned i = 0; i < PRIMITIVES; i++)
        for (unsigned k = 0; k < 3; k++) {
            struct draw_vertex *v = &scene->vertex[i][k];
            v->x = choose_hostile(c);
            v->y = choose_hostile(c);
            v->z = choose_hostile(c);
            v->rw = choose_hostile(c);
            for (unsigned w = 0; w < DRAW_ATTRIBUTES; w++)
                v->attribute[w] = choice_word(c);
        }
}

static bool play_hostile(struct choice *c, FILE *report) {
    static struct scene scene;
    struct draw_progress progress = {0};
    struct canvas *canvas = &scene.canvas;
    (void)report;
    start_scene(c, &scene);
    make_hostile(c, &scene);
    draw_raster_begin(canvas->raster, &canvas->state);
    for (unsigned slices = 0; slices < 20 && progress.primitive < PRIMITIVES; slices++)
        draw_primitives(canvas->raster, scene.primitive, PRIMITIVES, &progress, 1000);
    canvas_stop(canvas);
    return true;
}

static void hostile_draws_end(void **state) {
    (void)state;
    assert_int_equal(rounds_failed(play_hostile, 60), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_draws_are_those_of_the_reference),
        cmocka_unit_test(random_stripes_are_those_of_the_reference),
        cmocka_unit_test(stripes_are_what_their_quads_are),
        cmocka_unit_test(hostile_draws_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
