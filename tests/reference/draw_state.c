/* SPDX-License-Identifier: MIT */
#include "reference/draw_state.h"

#include <inttypes.h>
#include <string.h>

#include "engine/sync/counters.h"

struct check {
    const struct draw_state_methods *methods;
    const struct draw_state *state;
    FILE *report;
    bool same;
};

static void compare(struct check *c, const char *what, unsigned number, uint64_t is, uint64_t should) {
    if (is == should)
        return;
    if (c->same)
        fprintf(c->report, "# %s [%u] is 0x%" PRIx64 ", and should be 0x%" PRIx64 "\n", what, number, is, should);
    c->same = false;
}

static uint64_t bits_of(float value) {
    uint32_t word;
    memcpy(&word, &value, sizeof word);
    return word;
}

#define IS(what, should)            compare(c, #what, 0, (uint64_t)(what), (uint64_t)(should))
#define ISI(what, number, should)   compare(c, #what, (number), (uint64_t)(what), (uint64_t)(should))
#define REAL(what, should)          compare(c, #what, 0, bits_of(what), (should))
#define REALI(what, number, should) compare(c, #what, (number), bits_of(what), (should))

static uint32_t m(const struct check *c, uint32_t method) {
    return c->methods->value[method / 4];
}

/* Bits high to low of a method. */
static uint32_t f(const struct check *c, uint32_t method, unsigned high, unsigned low) {
    return (uint32_t)((m(c, method) & ((UINT64_C(2) << high) - 1)) >> low);
}

/* 40 bits: a method and the next one. */
static uint64_t far_address(const struct check *c, uint32_t method) {
    return (uint64_t)f(c, method, 7, 0) << 32 | m(c, method + 4);
}

static bool is_gm20x(const struct check *c) {
    return c->methods->object_class >= 0xb197;
}

/* ---- vertices ---- */

/* Components of so many bits each, one after the other; 0: it is packed otherwise, or there is no such code. */
static unsigned array_of(uint32_t size, unsigned *bits) {
    static const uint8_t codes[3][4] = {{0x1d, 0x18, 0x13, 0x0a}, {0x1b, 0x0f, 0x05, 0x03}, {0x12, 0x04, 0x02, 0x01}};
    static const uint8_t other[3] = {0x32, 0x33, 0x2f}; /* of 8 bits: two, three, four */
    for (unsigned width = 0; width < 3; width++)
        for (unsigned i = 0; i < 4; i++)
            if (codes[width][i] == size) {
                *bits = 8u << width;
                return i + 1;
            }
    *bits = 8;
    for (unsigned i = 0; i < 3; i++)
        if (other[i] == size)
            return i + 2;
    return 0;
}

static bool is_format(uint32_t size, uint32_t type) {
    unsigned bits = 0, count = array_of(size, &bits);
    if (size == 0x31)
        return type == 7;
    if (type == 7)
        return count && bits >= 16;
    return type >= 1 && (count || size == 0x30 || size == 0x34);
}

static void check_component(struct check *c, const struct vertex_attribute *attribute, uint32_t size, unsigned i) {
    static const uint8_t tens[4][2] = {{0, 10}, {10, 10}, {20, 10}, {30, 2}};
    static const uint8_t elevens[4][2] = {{0, 11}, {11, 11}, {22, 10}, {0, 0}};
    unsigned bits = 0, count = array_of(size, &bits);
    unsigned shift = i * bits, width = i < count ? bits : 0;
    if (size == 0x30 || size == 0x31) {
        shift = size == 0x30 ? tens[i][0] : elevens[i][0];
        width = size == 0x30 ? tens[i][1] : elevens[i][1];
    }
    if (size == 0x34) {
        shift = 0;
        width = i == 3 ? 8 : 0;
    }
    ISI(attribute->component[i].bits, i, width);
    if (width)
        ISI(attribute->component[i].shift, i, shift);
}

static void check_attribute(struct check *c, unsigned i) {
    const struct vertex_attribute *attribute = &c->state->input.attribute[i];
    uint32_t at = 0x1160 + 4 * i, size = f(c, at, 26, 21), type = f(c, at, 29, 27);
    bool constant = f(c, at, 6, 6) || !is_format(size, type);
    unsigned bits = 0, count = array_of(size, &bits);
    ISI(attribute->constant, i, constant);
    if (constant)
        return;
    ISI(attribute->stream, i, f(c, at, 4, 0));
    ISI(attribute->offset, i, f(c, at, 20, 7));
    ISI(attribute->type, i, type);
    ISI(attribute->bytes, i, size == 0x33 || size == 0x30 || size == 0x31 ? 4 : size == 0x34 ? 1 : count * bits / 8);
    ISI(attribute->swap, i, f(c, at, 31, 31) && ((count == 4 && bits == 8) || size == 0x30));
    ISI(attribute->words, i, bits == 32 && (type == 3 || type == 4 || type == 7) ? count : 0);
    for (unsigned k = 0; k < 4; k++)
        check_component(c, attribute, size, k);
}

static void check_vertices(struct check *c) {
    const struct draw_input_state *input = &c->state->input;
    const struct draw_indices_state *indices = &c->state->indices;
    IS(input->streams.base, far_address(c, 0x15f4));
    IS(input->streams.substitute, far_address(c, 0xf84));
    for (unsigned i = 0; i < 32; i++) {
        const struct vertex_stream *stream = &input->streams.stream[i];
        ISI(stream->enabled, i, f(c, 0x1c00 + 16 * i, 12, 12));
        ISI(stream->stride, i, f(c, 0x1c00 + 16 * i, 11, 0));
        ISI(stream->start, i, far_address(c, 0x1c04 + 16 * i));
        ISI(stream->divisor, i, m(c, 0x1c0c + 16 * i));
        ISI(stream->per_instance, i, f(c, 0x1880 + 4 * i, 0, 0));
        ISI(stream->limit, i, far_address(c, 0x1f00 + 8 * i));
        check_attribute(c, i);
    }
    IS(input->replaces_id, f(c, 0x161c, 0, 0));
    IS(input->id_word, f(c, 0x161c, 11, 4));
    IS(indices->start, far_address(c, 0x17c8));
    IS(indices->limit, far_address(c, 0x17d0));
    IS(indices->restarts, f(c, 0x1644, 0, 0));
    IS(indices->restart_index, m(c, 0x1648));
    IS(indices->array_restarts, f(c, 0xde8, 0, 0));
    IS(indices->base_vertex, m(c, 0x1434));
    IS(indices->base_instance, m(c, 0x1438));
    IS(indices->id_base, m(c, 0x1118));
    IS(indices->id_from_first, f(c, 0x164c, 12, 12));
    IS(indices->edge, f(c, 0x15e4, 0, 0));
}

/* ---- programs ---- */

static uint32_t header_bits(const struct check *c, unsigned at, unsigned count) {
    return c->methods->fragment[at / 32] >> at % 32 & ((1u << count) - 1);
}

/* How a component of the attribute space comes to the fragment program, by its byte address. */
static unsigned mode_of(const struct check *c, unsigned address) {
    if (address >= 0x80 && address < 0x280)
        return header_bits(c, 192 + 2 * (address - 0x80) / 4, 2);
    if (address >= 0x280 && address < 0x2a0)
        return header_bits(c, 448 + 2 * (address - 0x280) / 4, 2);
    if (address >= 0x2c0 && address < 0x2e0)
        return header_bits(c, 464 + (address - 0x2c0) / 4, 1) ? 2 : 0;
    if (address == 0x2e8)
        return header_bits(c, 474, 1) ? 2 : 0;
    if (address >= 0x300 && address < 0x3a0)
        return header_bits(c, 480 + 2 * (address - 0x300) / 4, 2);
    return 0;
}

static void check_inputs(struct check *c) {
    const struct draw_program *program = &c->state->stages.program;
    const struct draw_carried *carried = &c->state->stages.carried;
    bool two_sided = f(c, 0x1688, 0, 0);
    unsigned inputs = 0, back = 0;
    for (unsigned address = 0; address < 0x400; address += 4) {
        unsigned mode = mode_of(c, address), word = address / 4;
        if (!mode)
            continue;
        ISI(program->inputs[inputs].word, inputs, word);
        ISI(program->inputs[inputs].mode, inputs, mode);
        ISI(carried->word[inputs], inputs, word);
        ISI(carried->linear[word], word, mode == 3);
        inputs++;
    }
    IS(program->input_count, inputs);
    for (; two_sided && back < 8; back++) {
        ISI(carried->word[inputs + back], back, 0x2a0 / 4 + back);
        ISI(carried->linear[0x2a0 / 4 + back], back, mode_of(c, 0x280 + 4 * back) == 3);
    }
    IS(carried->count, inputs + back);
}

static void check_counter(struct check *c, unsigned counter, unsigned bit) {
    compare(c, "counters", counter, c->state->stages.counters >> counter & 1, f(c, 0xd68, bit, bit));
}

static void check_counters(struct check *c) {
    check_counter(c, COUNTER_VERTICES, 0);
    check_counter(c, COUNTER_PRIMITIVES, 1);
    check_counter(c, COUNTER_VERTEX_SHADER, 2);
    check_counter(c, COUNTER_GEOMETRY_SHADER, 3);
    check_counter(c, COUNTER_GEOMETRY_PRIMITIVES, 4);
    for (unsigned stream = 0; stream < 4; stream++) {
        check_counter(c, COUNTER_STREAM_SUCCEEDED + stream, 5);
        check_counter(c, COUNTER_STREAM_NEEDED + stream, 6);
        check_counter(c, COUNTER_STREAM_OUT + stream, 10);
    }
    check_counter(c, COUNTER_CLIPPER, 7);
    check_counter(c, COUNTER_CLIPPER_PRIMITIVES, 8);
    check_counter(c, COUNTER_PIXEL_SHADER, 9);
    check_counter(c, COUNTER_TESS_INIT_SHADER, 11);
    check_counter(c, COUNTER_TESS_SHADER, 12);
    check_counter(c, COUNTER_TESS_PRIMITIVES, 13);
}

/* ---- patches ---- */

static void check_patches(struct check *c) {
    const struct draw_patches_state *patches = &c->state->patches;
    IS(patches->mode.domain, f(c, 0x320, 1, 0));
    IS(patches->mode.spacing, f(c, 0x320, 5, 4));
    IS(patches->mode.output, f(c, 0x320, 9, 8));
    for (unsigned i = 0; i < 4; i++)
        REALI(patches->levels.outer[i], i, m(c, 0x324 + 4 * i));
    for (unsigned i = 0; i < 2; i++)
        REALI(patches->levels.inner[i], i, m(c, 0x334 + 4 * i));
}

/* ---- transform feedback ---- */

static void check_feedback(struct check *c) {
    const struct feedback_state *feedback = &c->state->feedback;
    IS(feedback->enabled, f(c, 0x744, 0, 0));
    for (unsigned b = 0; b < 4; b++) {
        const struct feedback_buffer *buffer = &feedback->buffer[b];
        uint32_t count = f(c, 0x704 + 16 * b, 7, 0);
        ISI(buffer->enabled, b, f(c, 0x380 + 32 * b, 0, 0));
        ISI(buffer->address, b, far_address(c, 0x384 + 32 * b));
        ISI(buffer->bytes, b, m(c, 0x38c + 32 * b));
        ISI(buffer->stream, b, f(c, 0x700 + 16 * b, 1, 0));
        ISI(buffer->components, b, count > 128 ? 128 : count);
        ISI(buffer->stride, b, m(c, 0x708 + 16 * b));
        for (unsigned j = 0; j < 128; j++)
            ISI(buffer->word[j], j, f(c, 0x2800 + 128 * b + (j & ~3u), 8 * (j & 3) + 7, 8 * (j & 3)));
    }
}

static void check_programs(struct check *c) {
    const struct draw_stages_state *stages = &c->state->stages;
    const struct draw_program *program = &stages->program;
    IS(stages->code, far_address(c, 0x1608));
    for (unsigned i = 0; i < 6; i++) {
        ISI(stages->stage[i].enabled, i, f(c, 0x2000 + 64 * i, 0, 0));
        ISI(stages->stage[i].start, i, m(c, 0x2004 + 64 * i));
        ISI(stages->stage[i].registers, i, m(c, 0x200c + 64 * i));
        ISI(stages->stage[i].group, i, f(c, 0x2010 + 64 * i, 2, 0));
    }
    IS(stages->texture_bank, f(c, 0x2608, 4, 0));
    IS(stages->clamp_colors, f(c, 0x2600, 0, 0));
    IS(stages->local_window, m(c, 0x77c));
    check_counters(c);
    IS(program->flat_colors, m(c, 0x12d4) == 1 || m(c, 0x12d4) == 0x1d00);
    IS(program->early, f(c, 0x210, 0, 0));
    IS(program->passes, f(c, 0x754, 3, 0) ? f(c, 0x754, 3, 0) : 1);
    IS(program->centroid_of_pass, f(c, 0x754, 4, 4));
    IS(program->separate, header_bits(c, 14, 1) && f(c, 0xfac, 0, 0));
    IS(program->kills, header_bits(c, 15, 1));
    IS(program->effects, header_bits(c, 16, 1));
    IS(program->outputs, c->methods->fragment[18]);
    IS(program->depth, header_bits(c, 609, 1));
    IS(program->sample_mask, header_bits(c, 608, 1) && f(c, 0x300, 0, 0) && (!f(c, 0x300, 1, 1) || f(c, 0x1534, 0, 0)));
    check_inputs(c);
}

/* ---- viewports ---- */

static int32_t sixteen(const struct check *c, uint32_t method) {
    int32_t low = (int32_t)f(c, method, 15, 0);
    return low < 0x8000 ? low : low - 0x10000;
}

static int64_t larger(int64_t a, int64_t b) {
    return a > b ? a : b;
}

static int64_t smaller(int64_t a, int64_t b) {
    return a < b ? a : b;
}

/* Rectangles move with the window: along x, and along y, where all is upside down if its origin is below. */
static void bound_y(const struct check *c, int64_t low, int64_t high, int64_t *y0, int64_t *y1) {
    int64_t offset = sixteen(c, 0xdfc);
    bool below = f(c, 0x13ac, 0, 0);
    *y0 = larger(*y0, below ? offset - high : offset + low);
    *y1 = smaller(*y1, below ? offset - low : offset + high);
}

static void check_scissor(struct check *c, unsigned i) {
    const struct draw_box *box = &c->state->view.viewport[i].scissor;
    uint32_t clip = 0xc00 + 16 * i, scissor = 0xe00 + 16 * i;
    int64_t x0 = f(c, 0xff4, 15, 0), x1 = x0 + f(c, 0xff4, 31, 16), left = f(c, clip, 15, 0);
    int64_t y0 = f(c, 0xff8, 15, 0), y1 = y0 + f(c, 0xff8, 31, 16), top = f(c, clip + 4, 15, 0);
    x0 = larger(x0, sixteen(c, 0xdf8) + left);
    x1 = smaller(x1, sixteen(c, 0xdf8) + left + f(c, clip, 31, 16));
    bound_y(c, top, top + f(c, clip + 4, 31, 16), &y0, &y1);
    if (f(c, scissor, 0, 0)) {
        x0 = larger(x0, sixteen(c, 0xdf8) + (int64_t)f(c, scissor + 4, 15, 0));
        x1 = smaller(x1, sixteen(c, 0xdf8) + (int64_t)f(c, scissor + 4, 31, 16));
        bound_y(c, f(c, scissor + 8, 15, 0), f(c, scissor + 8, 31, 16), &y0, &y1);
    }
    ISI(box->x0, i, x0);
    ISI(box->x1, i, x1);
    ISI(box->y0, i, y0);
    ISI(box->y1, i, y1);
}

/* What an attribute is that the last vertex stage does not write. */
static uint32_t default_of(const struct check *c, unsigned address) {
    const uint32_t one = 0x3f800000;
    bool last = address % 16 == 12;
    if (address == 0x7c || address == 0x28c || address == 0x2ac)
        return one;
    if (address >= 0x280 && address < 0x28c)
        return f(c, 0x1610, 0, 0) ? one : 0;
    if (address == 0x29c || address == 0x2bc)
        return f(c, 0x1610, 1, 1) ? one : 0;
    if (last && address < 0x280)
        return f(c, 0x1610, 2, 2) ? one : 0;
    if (last && address >= 0x300 && address < 0x3a0)
        return f(c, 0x1610, 3, 3) ? one : 0;
    return 0;
}

static void check_viewports(struct check *c) {
    const struct draw_view_state *view = &c->state->view;
    bool unit_range = f(c, 0x193c, 0, 0);
    for (unsigned i = 0; i < 16; i++) {
        const struct draw_viewport *viewport = &view->viewport[i];
        uint32_t swizzle = is_gm20x(c) ? m(c, 0xa18 + 32 * i) : 0;
        for (unsigned k = 0; k < 3; k++) {
            REALI(viewport->scale[k], i, m(c, 0xa00 + 32 * i + 4 * k));
            REALI(viewport->translate[k], i, m(c, 0xa0c + 32 * i + 4 * k));
        }
        REALI(viewport->near, i, unit_range ? 0 : m(c, 0xc08 + 16 * i));
        REALI(viewport->far, i, unit_range ? 0x3f800000 : m(c, 0xc0c + 16 * i));
        for (unsigned k = 0; k < 4; k++)
            ISI(view->swizzle[i][k], i, (swizzle ? swizzle : 0x6420) >> 4 * k & 7);
        check_scissor(c, i);
    }
    for (unsigned i = 0; i < 256; i++)
        ISI(view->defaults[i], i, default_of(c, 4 * i));
}

static void check_clipping(struct check *c) {
    const struct draw_view_state *view = &c->state->view;
    IS(view->transform, f(c, 0x192c, 0, 0));
    IS(view->zero_to_w, f(c, 0xd7c, 0, 0));
    IS(view->mode, f(c, 0x193c, 13, 11));
    IS(view->wide_xy, f(c, 0x193c, 7, 7) == 0);
    IS(view->wide_z, f(c, 0x193c, 2, 1) == 1 || (f(c, 0x193c, 2, 1) == 0 && f(c, 0x193c, 7, 7) == 0));
    IS(view->wide_points, f(c, 0x193c, 10, 10) == 0);
    for (unsigned i = 0; i < 8; i++) {
        bool enabled = f(c, 0x1510, i, i), culls = f(c, 0x1940, 4 * i, 4 * i);
        ISI(view->distances >> i & 1, i, enabled && !culls);
        ISI(view->culls >> i & 1, i, enabled && culls);
        ISI(view->window[i].x0, i, f(c, 0xd00 + 8 * i, 15, 0));
        ISI(view->window[i].x1, i, f(c, 0xd00 + 8 * i, 31, 16));
        ISI(view->window[i].y0, i, f(c, 0xd04 + 8 * i, 15, 0));
        ISI(view->window[i].y1, i, f(c, 0xd04 + 8 * i, 31, 16));
    }
    IS(view->lower_left, f(c, 0x13ac, 0, 0));
    REAL(view->offset_x, bits_of((float)sixteen(c, 0xdf8)));
    REAL(view->offset_y, bits_of((float)sixteen(c, 0xdfc)));
    uint32_t type = m(c, 0x1950);
    IS(view->window_mode, !f(c, 0x194c, 0, 0) ? 0 : type == 0 ? 1 : type == 1 ? 2 : 3);
    IS(view->clip_ids, f(c, 0x197c, 0, 0));
    IS(view->layer, f(c, 0x15cc, 15, 0));
    IS(view->shader_layer, f(c, 0x15cc, 16, 16));
    IS(view->multicast_by_primitive, is_gm20x(c) && f(c, 0x1004, 0, 0));
    IS(view->layer_plus_viewport, is_gm20x(c) && f(c, 0x11f0, 0, 0));
}

/* ---- raster ---- */

/* Samples of each mode: the exponents of 2 of the element's size. */
static void grid_of(uint32_t mode, unsigned *log2_x, unsigned *log2_y) {
    *log2_x = mode == 1 || mode == 5 || mode == 2 || mode == 8 || mode == 9 ? 1 : 0;
    *log2_y = mode == 2 || mode == 8 || mode == 9 ? 1 : 0;
    if (mode == 3 || mode == 4 || mode == 0xa || mode == 0xb) {
        *log2_x = 2;
        *log2_y = 1;
    }
}

static bool is_mode(uint32_t mode) {
    return mode < 6 || (mode >= 8 && mode < 12);
}

static unsigned samples_in(uint32_t mode) {
    unsigned x, y;
    grid_of(mode, &x, &y);
    return 1u << (x + y);
}

/* The raster has samples of its own. */
static bool is_independent(const struct check *c) {
    uint32_t raster = f(c, 0xfb8, 2, 0), color = f(c, 0x15d0, 3, 0);
    return is_gm20x(c) && f(c, 0xfb4, 1, 0) == 1 && is_mode(raster) && is_mode(color) &&
           samples_in(raster) >= samples_in(color);
}

static void check_independent(struct check *c) {
    const struct draw_raster_state *raster = &c->state->raster;
    bool independent = is_independent(c);
    unsigned part = samples_in(f(c, 0xfb8, 2, 0)) / samples_in(f(c, 0x15d0, 3, 0));
    IS(raster->independent, independent);
    IS(raster->too_many, f(c, 0x15d0, 3, 0) == 6 || (is_gm20x(c) && f(c, 0xfb4, 1, 0) != 0 && f(c, 0xfb8, 2, 0) == 6));
    IS(raster->color.count, independent ? samples_in(f(c, 0x15d0, 3, 0)) : 0);
    IS(raster->modulation, independent ? f(c, 0xfd4, 1, 0) : 0);
    IS(raster->counts_raster, independent && f(c, 0x1130, 0, 0));
    for (unsigned i = 0; i < 8; i++) {
        float byte = (float)(m(c, 0x1030 + i / 4 * 4) >> i % 4 * 8 & 0xff) / 128;
        float factor = f(c, 0xfd8, 0, 0) ? byte : i < part ? (float)(i + 1) / (float)part : 1;
        REAL(raster->modulate[i], bits_of(independent ? factor : 0));
    }
}

static void check_conservative(struct check *c) {
    const struct draw_raster_state *raster = &c->state->raster;
    bool conservative = is_gm20x(c) && f(c, 0x1148, 0, 0);
    unsigned finer = 0;
    for (unsigned i = 0; i < 16; i++)
        finer += m(c, 0xa1c + 32 * i) ? 1u << i : 0;
    IS(raster->conservative, conservative);
    IS(raster->dilation, conservative && f(c, 0x230, 3, 0) < 4 ? f(c, 0x230, 3, 0) : 0);
    IS(raster->before_snap, conservative && f(c, 0x230, 10, 8) == 1);
    IS(raster->finer_grid, conservative ? finer : 0);
}

static void check_samples(struct check *c) {
    static const uint8_t places[12][8] = {
        [0] = {0x88},
        [1] = {0x44, 0xcc},
        [2] = {0x62, 0xe6, 0x2a, 0xae},
        [3] = {0x17, 0x53, 0x3d, 0x7b, 0x95, 0xf1, 0xbf, 0xd9},
        [4] = {0x95, 0x7b, 0xd9, 0x53, 0x3d, 0x17, 0xbf, 0xf1},
        [5] = {0xcc, 0x44},
    };
    const struct draw_samples *samples = &c->state->raster.samples;
    uint32_t mode = is_independent(c) ? f(c, 0xfb8, 2, 0) : f(c, 0x15d0, 3, 0);
    unsigned log2_x, log2_y, like = mode == 8 || mode == 9 ? 2 : mode == 0xa || mode == 0xb ? 3 : mode < 6 ? mode : 0;
    grid_of(mode, &log2_x, &log2_y);
    IS(samples->log2_x, log2_x);
    IS(samples->log2_y, log2_y);
    IS(samples->count, 1u << (log2_x + log2_y));
    bool placed = is_gm20x(c) && (m(c, 0x11e0) || m(c, 0x11e4));
    for (unsigned i = 0; i < (placed ? 16u : samples->count); i++) {
        uint32_t place = m(c, 0x11e0 + i / 4 * 4) >> 8 * (i % 4) & 0xff;
        ISI(samples->x[i], i, placed ? place & 15 : places[like][i] >> 4);
        ISI(samples->y[i], i, placed ? place >> 4 : places[like][i] & 15u);
    }
    for (unsigned i = 0; i < 4; i++)
        ISI(c->state->raster.sample_mask[i], i, f(c, 0xfbc + 4 * i, 15, 0));
}

static unsigned polygon_of(uint32_t code) {
    return code == 0x1b00 ? DRAW_VERTICES : code == 0x1b01 ? DRAW_OUTLINE : DRAW_FILL;
}

static void check_lines_and_points(struct check *c) {
    const struct draw_raster_state *raster = &c->state->raster;
    bool smooth = f(c, 0x1570, 0, 0), wide = f(c, 0x1534, 0, 0) && !f(c, 0x1418, 0, 0);
    IS(raster->line_smooth, smooth);
    IS(raster->line_rectangle, wide && !smooth);
    REAL(raster->line_width, m(c, !smooth && !wide && f(c, 0x20c, 0, 0) ? 0x13b4 : 0x13b0));
    IS(raster->line_stipple, f(c, 0x166c, 0, 0));
    IS(raster->line_factor, f(c, 0x1680, 7, 0) + 1);
    IS(raster->line_pattern, f(c, 0x1680, 23, 8));
    IS(raster->point_sprite, f(c, 0x1520, 0, 0));
    IS(raster->point_smooth, f(c, 0x1658, 0, 0));
    IS(raster->point_d3d, f(c, 0x165c, 0, 0));
    IS(raster->point_size_varies, f(c, 0x1910, 0, 0));
    REAL(raster->point_size, m(c, 0x1518));
    IS(raster->sprite_r, f(c, 0x1604, 1, 0));
    IS(raster->sprite_lower_left, f(c, 0x1604, 2, 2) == 0);
    IS(raster->sprite_vectors, f(c, 0x1604, 12, 3));
}

static void check_raster(struct check *c) {
    const struct draw_raster_state *raster = &c->state->raster;
    uint32_t culled = f(c, 0x1918, 0, 0) ? m(c, 0x1920) : 0;
    IS(raster->discard, f(c, 0x37c, 0, 0) == 0);
    IS(raster->stream, f(c, 0x740, 1, 0));
    IS(raster->multisample, f(c, 0x1534, 0, 0));
    IS(raster->depth_at_samples, f(c, 0xfb0, 0, 0) == 0);
    IS(raster->integer_centers, f(c, 0x1924, 0, 0));
    IS(raster->fill_box, is_gm20x(c) && f(c, 0x113c, 1, 0) == 2);
    IS(raster->clip_z, f(c, 0x193c, 3, 3) == 0 || f(c, 0x193c, 4, 4) == 0);
    IS(raster->cull_front, culled == 0x404 || culled == 0x408);
    IS(raster->cull_back, culled == 0x405 || culled == 0x408);
    IS(raster->front_is_cw, m(c, 0x191c) == 0x900);
    IS(raster->flip, f(c, 0x13ac, 4, 4));
    IS(raster->polygon[0], polygon_of(m(c, 0xdac)));
    IS(raster->polygon[1], polygon_of(m(c, 0xdb0)));
    IS(raster->polygon_smooth, f(c, 0xdb4, 0, 0));
    IS(raster->polygon_stipple, f(c, 0x168c, 0, 0));
    for (unsigned i = 0; i < 32; i++)
        ISI(raster->stipple[i], i, m(c, 0x1700 + 4 * i));
    IS(raster->offset_point, f(c, 0xdc0, 0, 0));
    IS(raster->offset_line, f(c, 0xdc4, 0, 0));
    IS(raster->offset_fill, f(c, 0xdc8, 0, 0));
    REAL(raster->offset_factor, m(c, 0x156c));
    REAL(raster->offset_units, m(c, 0x15bc));
    REAL(raster->offset_clamp, m(c, 0x187c));
    IS(raster->offset_by_exponent, f(c, 0x1110, 0, 0));
    IS(raster->two_sided, f(c, 0x1688, 0, 0));
    check_conservative(c);
    check_independent(c);
    check_samples(c);
    check_lines_and_points(c);
}

/* ---- depth, stencil ---- */

static unsigned comparison(uint32_t code) {
    static const uint8_t order[] = {DRAW_NEVER,   DRAW_LESS,     DRAW_EQUAL,  DRAW_LEQUAL,
                                    DRAW_GREATER, DRAW_NOTEQUAL, DRAW_GEQUAL, DRAW_ALWAYS};
    if (code >= 0x200 && code < 0x208)
        return order[code - 0x200];
    return code >= 1 && code <= 8 ? order[code - 1] : DRAW_NEVER;
}

static unsigned stencil_operation(uint32_t code) {
    static const uint8_t d3d[] = {DRAW_KEEP,     DRAW_STENCIL_ZERO, DRAW_REPLACE, DRAW_INCR_SAT,
                                  DRAW_DECR_SAT, DRAW_INVERT,       DRAW_INCR,    DRAW_DECR};
    if (code >= 1 && code <= 8)
        return d3d[code - 1];
    return code == 0        ? DRAW_STENCIL_ZERO
           : code == 0x1e01 ? DRAW_REPLACE
           : code == 0x1e02 ? DRAW_INCR_SAT
           : code == 0x1e03 ? DRAW_DECR_SAT
           : code == 0x150a ? DRAW_INVERT
           : code == 0x8507 ? DRAW_INCR
           : code == 0x8508 ? DRAW_DECR
                            : DRAW_KEEP;
}

static void check_face(struct check *c, unsigned i) {
    const struct draw_stencil_face *face = &c->state->zeta.face[i];
    bool back = i && f(c, 0x1594, 0, 0);
    uint32_t ops = back ? 0x1598 : 0x1384;
    ISI(face->fail, i, stencil_operation(m(c, ops)));
    ISI(face->depth_fail, i, stencil_operation(m(c, ops + 4)));
    ISI(face->pass, i, stencil_operation(m(c, ops + 8)));
    ISI(face->compare, i, comparison(m(c, ops + 12)));
    ISI(face->reference, i, f(c, back ? 0xf54 : 0x1394, 7, 0));
    ISI(face->mask, i, f(c, back ? 0xf5c : 0x1398, 7, 0));
    ISI(face->write_mask, i, f(c, 0x7f8, 4, 4) ? 0 : f(c, back ? 0xf58 : 0x139c, 7, 0));
}

static void check_zeta(struct check *c) {
    const struct draw_zeta_state *zeta = &c->state->zeta;
    IS(zeta->test, f(c, 0x12cc, 0, 0));
    IS(zeta->write, f(c, 0x12e8, 0, 0) && !f(c, 0x7f8, 0, 0));
    IS(zeta->compare, comparison(m(c, 0x130c)));
    IS(zeta->bounds, f(c, 0x19bc, 0, 0));
    REAL(zeta->bounds_min, m(c, 0xf9c));
    REAL(zeta->bounds_max, m(c, 0xfa0));
    IS(zeta->stencil, f(c, 0x1380, 0, 0));
    IS(zeta->counts, f(c, 0x1514, 0, 0));
    check_face(c, 0);
    check_face(c, 1);
}

/* ---- blending ---- */

static unsigned blend_operation(uint32_t code) {
    switch (code) {
    case 2:
    case 0x800a:
        return DRAW_SUBTRACT;
    case 3:
    case 0x800b:
        return DRAW_REVERSE_SUBTRACT;
    case 4:
    case 0x8007:
        return DRAW_MIN;
    case 5:
    case 0x8008:
        return DRAW_MAX;
    default:
        return DRAW_ADD;
    }
}

static unsigned blend_factor(uint32_t code) {
    static const struct {
        uint16_t gl, d3d;
        uint8_t factor;
    } rows[] = {{0x4000, 0x01, DRAW_ZERO},
                {0x4001, 0x02, DRAW_ONE},
                {0x4300, 0x03, DRAW_SRC_COLOR},
                {0x4301, 0x04, DRAW_ONE_MINUS_SRC_COLOR},
                {0x4302, 0x05, DRAW_SRC_ALPHA},
                {0x4303, 0x06, DRAW_ONE_MINUS_SRC_ALPHA},
                {0x4304, 0x07, DRAW_DST_ALPHA},
                {0x4305, 0x08, DRAW_ONE_MINUS_DST_ALPHA},
                {0x4306, 0x09, DRAW_DST_COLOR},
                {0x4307, 0x0a, DRAW_ONE_MINUS_DST_COLOR},
                {0x4308, 0x0b, DRAW_SRC_ALPHA_SATURATE},
                {0xc001, 0x0e, DRAW_CONSTANT_COLOR},
                {0xc002, 0x0f, DRAW_ONE_MINUS_CONSTANT_COLOR},
                {0xc003, 0xffff, DRAW_CONSTANT_ALPHA},
                {0xc004, 0xffff, DRAW_ONE_MINUS_CONSTANT_ALPHA},
                {0xc900, 0x10, DRAW_SRC1_COLOR},
                {0xc901, 0x11, DRAW_ONE_MINUS_SRC1_COLOR},
                {0xc902, 0x12, DRAW_SRC1_ALPHA},
                {0xc903, 0x13, DRAW_ONE_MINUS_SRC1_ALPHA},
                {0xffff, 0x0c, DRAW_SRC_ALPHA},            /* both: the other is 1 - it */
                {0xffff, 0x0d, DRAW_ONE_MINUS_SRC_ALPHA}}; /* the other way round */
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (code != 0xffff && (rows[i].gl == code || rows[i].d3d == code))
            return rows[i].factor;
    return DRAW_ONE;
}

static void check_target_blend(struct check *c, unsigned i) {
    const struct draw_blend *blend = &c->state->blend.target[i];
    bool own = f(c, 0x12e4, 0, 0);
    uint32_t at = 0x1e00 + 32 * i;
    uint32_t color_op = m(c, own ? at + 4 : 0x1340), source = m(c, own ? at + 8 : 0x1344);
    uint32_t destination = m(c, own ? at + 12 : 0x1348), alpha_op = m(c, own ? at + 16 : 0x134c);
    uint32_t alpha_source = m(c, own ? at + 20 : 0x1350), alpha_destination = m(c, own ? at + 24 : 0x1358);
    bool separate = f(c, own ? at : 0x133c, 0, 0);
    unsigned other = source == 0xc   ? DRAW_ONE_MINUS_SRC_ALPHA
                     : source == 0xd ? DRAW_SRC_ALPHA
                                     : blend_factor(destination);
    ISI(blend->enabled, i, f(c, f(c, 0x135c, 0, 0) ? 0x1360 : 0x1360 + 4 * i, 0, 0));
    ISI(blend->op_rgb, i, blend_operation(color_op));
    ISI(blend->src_rgb, i, blend_factor(source));
    ISI(blend->dst_rgb, i, other);
    ISI(blend->op_alpha, i, blend_operation(separate ? alpha_op : color_op));
    ISI(blend->src_alpha, i, blend_factor(separate ? alpha_source : source));
    ISI(blend->dst_alpha, i, separate ? blend_factor(alpha_destination) : other);
}

static void check_blend(struct check *c) {
    const struct draw_blend_state *blend = &c->state->blend;
    bool multisample = f(c, 0x1534, 0, 0);
    for (unsigned i = 0; i < 8; i++) {
        uint32_t at = f(c, 0xf90, 0, 0) ? 0x1a00 : 0x1a00 + 4 * i;
        ISI(blend->mask[i], i, f(c, at, 0, 0) | f(c, at, 4, 4) << 1 | f(c, at, 8, 8) << 2 | f(c, at, 12, 12) << 3);
        ISI(blend->clamp[i], i, f(c, 0x13a8, 4 * i + 1, 4 * i));
        check_target_blend(c, i);
    }
    for (unsigned i = 0; i < 4; i++)
        REALI(blend->color[i], i, m(c, 0x131c + 4 * i));
    IS(blend->alpha_test, f(c, 0x12ec, 0, 0));
    IS(blend->alpha_compare, comparison(m(c, 0x1314)));
    REAL(blend->alpha_reference, m(c, 0x1310));
    IS(blend->alpha_to_coverage, f(c, 0x153c, 0, 0) && (multisample || !f(c, 0x16b4, 0, 0)));
    IS(blend->alpha_to_one, f(c, 0x153c, 4, 4) && multisample);
    IS(blend->zero_times_any, f(c, 0x19c0, 0, 0));
    IS(blend->logic, f(c, 0x19c4, 0, 0));
    IS(blend->logic_op, f(c, 0x19c8, 3, 0));
    IS(blend->coverage_to_color, is_gm20x(c) && f(c, 0x11f8, 0, 0));
    IS(blend->coverage_target, f(c, 0x11f8, 6, 4));
}

/* ---- targets ---- */

static unsigned at_most_five(uint32_t log2) {
    return log2 < 5 ? log2 : 5;
}

/* A block is no larger than what holds the surface: bytes along x, lines along y. */
static unsigned shrunk(uint32_t log2, uint64_t unit, uint64_t size) {
    unsigned block = at_most_five(log2);
    while (block && unit << (block - 1) >= size)
        block--;
    return block;
}

static void check_color(struct check *c, unsigned i) {
    const struct draw_target *target = &c->state->targets.color[i];
    const struct layout *layout = &target->surface.layout;
    uint32_t at = 0x800 + 64 * i, width = f(c, at + 8, 27, 0), height = f(c, at + 12, 16, 0);
    uint32_t depth = f(c, at + 24, 27, 0), first = f(c, at + 32, 15, 0);
    bool lines = f(c, at + 20, 12, 12), volume = f(c, at + 20, 16, 16) && !lines;
    const struct format *format = height ? format_color(f(c, at + 16, 7, 0)) : NULL;
    uint64_t stride = (uint64_t)m(c, at + 28) * 4;
    unsigned log2_x, log2_y;
    grid_of(f(c, 0x15d0, 3, 0), &log2_x, &log2_y);
    ISI(target->format == format, i, true);
    if (!format)
        return;
    ISI(target->surface.address, i, far_address(c, at) + (volume ? 0 : first * stride));
    ISI(target->first_slice, i, volume ? first : 0);
    ISI(target->volume, i, volume);
    ISI(target->layers, i, depth > first ? depth - first : 1);
    ISI(target->layer_stride, i, stride);
    ISI(target->width, i, lines ? width / format->bytes : width >> log2_x);
    ISI(target->height, i, lines ? height : height >> log2_y);
    ISI(layout->type, i, lines ? LAYOUT_PITCH : LAYOUT_BLOCK);
    if (lines) {
        ISI(layout->pitch, i, width);
        return;
    }
    uint64_t gob_lines = c->methods->order == GOB_LINES ? 4 : 8;
    ISI(layout->width, i, (uint64_t)width * format->bytes);
    ISI(layout->height, i, height);
    ISI(layout->depth, i, volume && depth ? depth : 1);
    ISI(layout->order, i, c->methods->order);
    ISI(layout->block_width, i, shrunk(f(c, at + 20, 3, 0), 64, (uint64_t)width * format->bytes));
    ISI(layout->block_height, i, shrunk(f(c, at + 20, 7, 4), gob_lines, height));
    ISI(layout->block_depth, i, volume ? at_most_five(f(c, at + 20, 11, 8)) : 0);
}

static void check_zeta_target(struct check *c) {
    const struct draw_target *target = &c->state->targets.zeta;
    uint32_t width = f(c, 0x1228, 27, 0), height = f(c, 0x122c, 16, 0), layers = f(c, 0x1230, 15, 0);
    uint32_t first = f(c, 0x179c, 15, 0);
    bool single = f(c, 0x1230, 16, 16);
    const struct format *format = f(c, 0x1538, 0, 0) && height ? format_zeta(f(c, 0xfe8, 4, 0)) : NULL;
    unsigned log2_x, log2_y;
    grid_of(is_independent(c) ? f(c, 0xfb8, 2, 0) : f(c, 0x15d0, 3, 0), &log2_x, &log2_y);
    IS(target->format == format, true);
    if (!format)
        return;
    IS(target->layer_stride, single ? 0 : (uint64_t)m(c, 0xff0) * 4);
    IS(target->surface.address, far_address(c, 0xfe0) + (single ? 0 : first * (uint64_t)m(c, 0xff0) * 4));
    IS(target->width, width >> log2_x);
    IS(target->height, height >> log2_y);
    IS(target->surface.layout.width, (uint64_t)width * format->bytes);
    IS(target->surface.layout.block_height, shrunk(f(c, 0xfec, 7, 4), c->methods->order == GOB_LINES ? 4 : 8, height));
    if (!single)
        IS(target->layers, layers > first ? layers - first : 1);
}

static void check_targets(struct check *c) {
    const struct draw_targets_state *targets = &c->state->targets;
    const struct draw_textures_state *textures = &c->state->textures;
    IS(targets->count, f(c, 0x121c, 3, 0) < 8 ? f(c, 0x121c, 3, 0) : 8);
    for (unsigned i = 0; i < 8; i++) {
        ISI(targets->of[i], i, f(c, 0x121c, 6 + 3 * i, 4 + 3 * i));
        check_color(c, i);
    }
    check_zeta_target(c);
    IS(textures->samplers, far_address(c, 0x155c));
    IS(textures->most_sampler, m(c, 0x1564));
    IS(textures->headers, far_address(c, 0x1574));
    IS(textures->most_header, m(c, 0x157c));
    IS(textures->linked_samplers, f(c, 0x1234, 0, 0));
    IS(textures->cube_faces, f(c, 0x1664, 2, 1));
    IS(textures->maxwell_headers, is_gm20x(c) || (c->methods->object_class == 0xb097 && f(c, 0xf10, 0, 0)));
}

bool draw_state_reference(const struct draw_state_methods *methods, const struct draw_state *state, FILE *report) {
    struct check check = {methods, state, report, true};
    check_vertices(&check);
    check_programs(&check);
    check_patches(&check);
    check_feedback(&check);
    check_viewports(&check);
    check_clipping(&check);
    check_raster(&check);
    check_zeta(&check);
    check_blend(&check);
    check_targets(&check);
    return check.same;
}
