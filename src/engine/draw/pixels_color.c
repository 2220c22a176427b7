/* SPDX-License-Identifier: MIT */
/*
 * Colours of a batch to memory: bounds, blending, logic operation, conversion, masks, for each target and sample.
 *
 * Targets of four bytes, UNORM, have loops of their own; all others go through format.c, pixel by pixel.
 * Rules: OpenGL 4.6 section 17.3; which outputs go where: NVIDIA open-gpu-doc cl9097.h (SET_CT_SELECT,
 * SET_SINGLE_CT_WRITE_CONTROL).
 */
#include "engine/draw/pixels_blend.h"

#include <assert.h>

#include "engine/draw/pixels_bytes8.h"
#include "engine/draw/pixels_vector.h"
#include "engine/draw/raster.h"
#include "engine/surface/srgb.h"

#define INLINE static inline __attribute__((always_inline))

/* Elements of a sample of all lanes, little endian. */
struct elements {
    uint64_t word[DRAW_LANES][2];
    uint8_t *at[DRAW_LANES]; /* NULL: the lane has none */
    uint32_t lanes;
};

/* ---- begin ---- */

static bool is_bytes8(const struct format *format) {
    if (format->bytes != 4 || !(format->type == FORMAT_UNORM || format->type == FORMAT_SRGB) || format->x_is_one)
        return false;
    for (unsigned i = 0; i < 4; i++)
        if (format->component[i].bits != 8 && (format->component[i].bits || i != 3))
            return false;
    return true;
}

static bool is_fixed(const struct format *format) {
    return format->type == FORMAT_UNORM || format->type == FORMAT_SNORM || format->type == FORMAT_SRGB;
}

/* How it is done, by the key alone. */
static void choose(struct pixel_target *target, const struct format *format) {
    assert(format && format->code == target->key.format && !format->is_zeta);
    const struct draw_color_key *key = &target->key;
    uint8_t bits[16];
    target->integer = format_is_integer(format);
    target->logic = key->logic;
    target->blends = key->blend.enabled;
    target->bytes8 = is_bytes8(format);
    target->clamps = is_fixed(format);
    target->low = format->type == FORMAT_SNORM ? -1 : 0;
    target->zero_rule = key->zero_times_any && !target->clamps;
    format_mask(format, key->mask, bits);
    target->bits[0] = key->whole ? UINT64_MAX : pixel_load(bits, 8);
    target->bits[1] = key->whole ? UINT64_MAX : pixel_load(bits + 8, 8);
    target->reads = target->blends || target->logic || !key->whole;
    target->one_word =
        target->bytes8 && format->type == FORMAT_UNORM && !target->logic && !key->coverage && key->samples == 1;
    target->plain = target->one_word && !target->reads;
    target->sampled =
        target->bytes8 && format->type == FORMAT_UNORM && !target->logic && !key->coverage && key->samples > 1;
    for (unsigned c = 0; c < 4 && target->bytes8; c++) {
        target->component[c] = format->component[c].bits ? 0xff : 0;
        target->shift[c] = format->component[c].shift;
    }
}

/* False: a factor that is none of these. */
static bool set_factor(struct pixel_factor *factor, enum draw_factor name, unsigned c, const float constant[4]) {
    enum { SOURCE = 0, STORED = 4, SECOND = 8 };
    static const struct {
        uint8_t first;
        bool alpha, complement;
    } rows[] = {
        [DRAW_SRC_COLOR] = {SOURCE, false, false},  [DRAW_ONE_MINUS_SRC_COLOR] = {SOURCE, false, true},
        [DRAW_SRC_ALPHA] = {SOURCE, true, false},   [DRAW_ONE_MINUS_SRC_ALPHA] = {SOURCE, true, true},
        [DRAW_DST_COLOR] = {STORED, false, false},  [DRAW_ONE_MINUS_DST_COLOR] = {STORED, false, true},
        [DRAW_DST_ALPHA] = {STORED, true, false},   [DRAW_ONE_MINUS_DST_ALPHA] = {STORED, true, true},
        [DRAW_SRC1_COLOR] = {SECOND, false, false}, [DRAW_ONE_MINUS_SRC1_COLOR] = {SECOND, false, true},
        [DRAW_SRC1_ALPHA] = {SECOND, true, false},  [DRAW_ONE_MINUS_SRC1_ALPHA] = {SECOND, true, true},
    };
    *factor = (struct pixel_factor){0};
    switch (name) {
    case DRAW_ZERO:
        return true;
    case DRAW_ONE:
        factor->base = 1;
        return true;
    case DRAW_CONSTANT_COLOR:
    case DRAW_CONSTANT_ALPHA:
        factor->base = constant[name == DRAW_CONSTANT_ALPHA ? 3 : c];
        return true;
    case DRAW_ONE_MINUS_CONSTANT_COLOR:
    case DRAW_ONE_MINUS_CONSTANT_ALPHA:
        factor->base = 1 - constant[name == DRAW_ONE_MINUS_CONSTANT_ALPHA ? 3 : c];
        return true;
    case DRAW_SRC_ALPHA_SATURATE:
        factor->base = 1;
        return c == 3;
    default:
        break;
    }
    factor->row = rows[name].first + (rows[name].alpha ? 3 : c);
    factor->sign = rows[name].complement ? -1 : 1;
    factor->base = rows[name].complement ? 1 : 0;
    return true;
}

/* The equations of a target of one word, whose values are 0 .. 1, with the constants of this state. */
static void set_factors(struct pixel_target *target, const float color[4]) {
    const struct draw_blend *blend = &target->key.blend;
    static const struct pixel_equation equations[] = {
        [DRAW_ADD] = {1, 1}, [DRAW_SUBTRACT] = {1, -1}, [DRAW_REVERSE_SUBTRACT] = {-1, 1}};
    float constant[4];
    target->factored = blend->op_rgb <= DRAW_REVERSE_SUBTRACT && blend->op_alpha <= DRAW_REVERSE_SUBTRACT;
    target->has_second = false;
    if (!target->factored)
        return;
    target->equation[0] = equations[blend->op_rgb];
    target->equation[1] = equations[blend->op_alpha];
    for (unsigned c = 0; c < 4; c++) {
        float value = color[c] > 0 ? color[c] : 0;
        constant[c] = value < 1 ? value : 1;
    }
    for (unsigned c = 0; c < 4; c++) {
        bool alpha = c == 3;
        target->factored &= set_factor(&target->source[c], alpha ? blend->src_alpha : blend->src_rgb, c, constant) &&
                            set_factor(&target->stored[c], alpha ? blend->dst_alpha : blend->dst_rgb, c, constant);
        target->has_second |= target->source[c].row >= 8 || target->stored[c].row >= 8;
    }
}

/* False: nothing of it is written. */
static bool set_target(struct pixel_target *target, const struct draw_state *state, unsigned output) {
    const uint8_t number = state->targets.of[output] % DRAW_TARGETS;
    unsigned source = state->stages.program.separate ? output : 0;
    struct draw_color_key key;
    if (!draw_color_key(&key, state, output, source))
        return false;
    target->target = &state->targets.color[number];
    target->number = number;
    target->output = (uint8_t)source;
    if (draw_key_becomes(&target->key, &key, sizeof key))
        choose(target, target->target->format);
    if ((target->one_word || target->sampled) && target->blends)
        set_factors(target, state->blend.color);
    return true;
}

bool pixels_color_bounds(const struct draw_raster *raster, unsigned number) {
    for (unsigned i = 0; i < raster->target_count; i++) {
        const struct pixel_target *target = &raster->targets[i];
        bool takes = target->output == number || (target->blends && number == 1);
        if (takes && !(target->clamps && target->low == 0))
            return false;
    }
    return true;
}

void pixels_color_begin(struct draw_raster *raster) {
    const struct draw_state *state = raster->state;
    raster->target_count = raster->blended = 0;
    for (unsigned i = 0; i < state->targets.count && i < DRAW_TARGETS; i++) {
        struct pixel_target *target = &raster->targets[raster->target_count];
        if (!set_target(target, state, i))
            continue;
        raster->blended += target->blends || target->logic;
        raster->target_count++;
    }
}

/* ---- memory ---- */

/* The place of one. False: a fault. */
static bool find_element(struct draw_raster *raster, struct pixel_target *target, unsigned s, unsigned lane,
                         struct elements *elements) {
    const struct draw_fragments *f = &raster->batch->fragments;
    const struct draw_samples *samples = draw_color_samples(&raster->state->raster);
    bool faulted = false;
    if (f->x[lane] >= target->access.width || f->y[lane] >= target->access.height)
        return true;
    uint64_t x = ((uint64_t)f->x[lane] << samples->log2_x) + samples->element_x[s];
    uint64_t y = ((uint64_t)f->y[lane] << samples->log2_y) + samples->element_y[s];
    elements->at[lane] = pixel_element(&target->access, x, y, &raster->result.fault, &faulted);
    elements->lanes |= (elements->at[lane] ? 1u : 0u) << lane;
    if (faulted) {
        raster->result.faulted = true;
        raster->result.fault_target = target->number;
    }
    return !faulted;
}

/* Those of a quad whose gob is at hand. */
static bool find_quad(const struct draw_raster *raster, const struct pixel_access *access, unsigned s, unsigned quad,
                      const uint8_t live[DRAW_LANES], struct elements *elements) {
    const uint32_t *x = &raster->batch->fragments.x[4 * quad], *y = &raster->batch->fragments.y[4 * quad];
    const struct draw_samples *samples = draw_color_samples(&raster->state->raster);
    if (!pixel_has_quad(access, samples, x[0], y[0]))
        return false;
    for (unsigned i = 0; i < 4; i++) {
        uint64_t ex = ((uint64_t)x[i] << samples->log2_x) + samples->element_x[s];
        uint64_t ey = ((uint64_t)y[i] << samples->log2_y) + samples->element_y[s];
        elements->at[4 * quad + i] = access->run + pixel_in_run(access, ex, ey);
        elements->lanes |= (live[4 * quad + i] >> s & 1u) << (4 * quad + i);
    }
    return true;
}

/* Places of a sample's elements, of the lanes that have it. */
static void find_elements(struct draw_raster *raster, struct pixel_target *target, unsigned s,
                          const uint8_t live[DRAW_LANES], struct elements *elements) {
    elements->lanes = 0;
    for (unsigned quad = 0; quad < raster->batch->quads && quad < DRAW_QUADS; quad++) {
        if (find_quad(raster, &target->access, s, quad, live, elements))
            continue;
        for (unsigned lane = 4 * quad; lane < 4 * quad + 4; lane++)
            if ((live[lane] >> s & 1) && !find_element(raster, target, s, lane, elements))
                return;
    }
}

static void load_elements(const struct pixel_target *target, struct elements *elements) {
    unsigned bytes = target->access.bytes;
    for (unsigned lane = 0; lane < DRAW_LANES; lane++) {
        elements->word[lane][0] = elements->word[lane][1] = 0;
        if (!(elements->lanes >> lane & 1))
            continue;
        elements->word[lane][0] = pixel_load(elements->at[lane], bytes < 8 ? bytes : 8);
        if (bytes > 8)
            elements->word[lane][1] = pixel_load(elements->at[lane] + 8, bytes - 8);
    }
}

static void store_elements(const struct pixel_target *target, const struct elements *elements) {
    unsigned bytes = target->access.bytes;
    for (uint32_t left = elements->lanes; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        pixel_store(elements->at[lane], elements->word[lane][0], bytes < 8 ? bytes : 8);
        if (bytes > 8)
            pixel_store(elements->at[lane] + 8, elements->word[lane][1], bytes - 8);
    }
}

/* ---- conversion ---- */

static void unpack_srgb(const struct elements *elements, unsigned shift, float *row) {
    for (unsigned lane = 0; lane < DRAW_LANES; lane++)
        row[lane] = srgb_decode((uint8_t)(elements->word[lane][0] >> shift));
}

static void pack_srgb(const float *row, unsigned shift, uint32_t words[DRAW_LANES]) {
    for (unsigned lane = 0; lane < DRAW_LANES; lane++)
        words[lane] |= (uint32_t)srgb_encode(row[lane]) << shift;
}

static void unpack_bytes8(const struct format *format, const struct elements *elements, blend_row rows[4]) {
    for (unsigned c = 0; c < 4; c++) {
        unsigned shift = format->component[c].shift;
        if (format->type == FORMAT_SRGB && c < 3) {
            unpack_srgb(elements, shift, rows[c]);
            continue;
        }
        for (unsigned lane = 0; lane < DRAW_LANES; lane++)
            rows[c][lane] = format->component[c].bits ? (float)(elements->word[lane][0] >> shift & 0xff) / 255.0f : 1;
    }
}

/* As format_pack() does it. */
static void pack_bytes8(const struct format *format, blend_row rows[4], struct elements *elements) {
    uint32_t words[DRAW_LANES] = {0};
    for (unsigned c = 0; c < 4; c++) {
        unsigned shift = format->component[c].shift;
        if (format->type == FORMAT_SRGB && c < 3) {
            pack_srgb(rows[c], shift, words);
            continue;
        }
        blend_clamp(rows[c], 0);
        for (unsigned lane = 0; lane < DRAW_LANES && format->component[c].bits; lane++)
            words[lane] |= (uint32_t)(int32_t)((double)rows[c][lane] * 255 + 0.5) << shift;
    }
    for (unsigned lane = 0; lane < DRAW_LANES; lane++)
        elements->word[lane][0] = words[lane];
}

static void store_words(const uint64_t words[2], uint8_t bytes[16]) {
    for (unsigned i = 0; i < 16; i++)
        bytes[i] = (uint8_t)(words[i / 8] >> i % 8 * 8);
}

static void unpack(const struct pixel_target *target, const struct elements *elements, blend_row rows[4]) {
    const struct format *format = target->target->format;
    if (target->bytes8) {
        unpack_bytes8(format, elements, rows);
        return;
    }
    memset(rows, 0, 4 * sizeof rows[0]);
    for (uint32_t left = elements->lanes; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        uint8_t bytes[16];
        union color color;
        store_words(elements->word[lane], bytes);
        format_unpack(format, bytes, &color);
        for (unsigned c = 0; c < 4; c++)
            rows[c][lane] = color.f[c];
    }
}

/* Rows are floats, or integers by their bits. */
static void pack(const struct pixel_target *target, blend_row rows[4], struct elements *elements, uint32_t lanes) {
    const struct format *format = target->target->format;
    if (target->bytes8) {
        pack_bytes8(format, rows, elements);
        return;
    }
    for (uint32_t left = lanes; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        uint8_t bytes[16] = {0};
        union color color;
        for (unsigned c = 0; c < 4; c++)
            memcpy(&color.u[c], &rows[c][lane], sizeof color.u[c]);
        format_pack(format, &color, bytes);
        elements->word[lane][0] = pixel_load(bytes, 8);
        elements->word[lane][1] = pixel_load(bytes + 8, 8);
    }
}

/* ---- a target ---- */

/* UNKNOWN: the other components; chosen: 0. */
static void set_coverage(const struct draw_raster *raster, struct blend_rows *rows) {
    memset(rows->source, 0, sizeof rows->source);
    for (unsigned lane = 0; lane < DRAW_LANES; lane++) {
        uint32_t samples = raster->batch->passed[lane];
        memcpy(&rows->source[0][lane], &samples, sizeof samples);
    }
}

static void set_source(const struct draw_raster *raster, const struct pixel_target *target, struct blend_rows *rows) {
    const struct draw_fragments *f = &raster->batch->fragments;
    memcpy(rows->source, f->output[target->output], sizeof rows->source);
    if (target->key.coverage)
        set_coverage(raster, rows);
    if (!target->blends)
        return;
    memcpy(rows->second, f->output[1], sizeof rows->second);
    memcpy(rows->constant, raster->state->blend.color, sizeof rows->constant);
    for (unsigned c = 0; c < 4 && target->clamps; c++) {
        float value = rows->constant[c];
        value = value > target->low ? value : value <= target->low ? target->low : 0;
        rows->constant[c] = value < 1 ? value : 1;
        blend_clamp(rows->source[c], target->low);
        blend_clamp(rows->second[c], target->low);
    }
}

static void blend(const struct pixel_target *target, struct blend_rows *rows, blend_row result[4]) {
    for (unsigned c = 0; c < 4; c++) {
        blend_component(rows, &target->key.blend, c, target->zero_rule, result[c]);
        if (target->clamps)
            blend_clamp(result[c], target->low);
    }
}

/* What depends on what is stored. */
static void merge(const struct pixel_target *target, struct blend_rows *rows, struct elements *elements) {
    struct elements made;
    blend_row result[4];
    load_elements(target, elements);
    if (target->blends) {
        unpack(target, elements, rows->target);
        blend(target, rows, result);
    } else {
        memcpy(result, rows->source, sizeof result);
    }
    memset(made.word, 0, sizeof made.word);
    pack(target, result, &made, elements->lanes);
    for (unsigned lane = 0; lane < DRAW_LANES; lane++)
        for (unsigned i = 0; i < (target->access.bytes > 8 ? 2u : 1u); i++) {
            uint64_t stored = elements->word[lane][i], word = made.word[lane][i];
            if (target->logic)
                word = blend_logic(target->key.logic_op, word, stored);
            elements->word[lane][i] = (stored & ~target->bits[i]) | (word & target->bits[i]);
        }
}

static void store_alone(struct draw_raster *raster, struct pixel_target *target, unsigned lane, uint32_t word) {
    struct elements elements;
    elements.lanes = 0;
    if (find_element(raster, target, 0, lane, &elements) && elements.lanes)
        pixel_store(elements.at[lane], word, 4);
}

static void write_plain(struct draw_raster *raster, struct pixel_target *target, const uint8_t live[DRAW_LANES]) {
    const struct draw_fragments *f = &raster->batch->fragments;
    const struct pixel_access *access = &target->access;
    assert(access->bytes == 4 && raster->batch->quads <= DRAW_QUADS);
    uint32_t words[DRAW_LANES] __attribute__((aligned(64)));
    bytes8_pack(target->target->format, f->output[target->output], words);
    for (unsigned first = 0; first < 4 * raster->batch->quads && !raster->result.faulted; first += 4) {
        if (!(live[first] | live[first + 1] | live[first + 2] | live[first + 3]))
            continue;
        uint8_t *upper = NULL, *lower = NULL;
        bool at_hand = pixel_word_quad(access, f->x[first], f->y[first], &upper, &lower);
        for (unsigned i = 0; i < 4; i++)
            if (live[first + i] && at_hand)
                pixel_store((i < 2 ? upper : lower) + 4 * (i & 1), words[first + i], 4);
            else if (live[first + i] && !raster->result.faulted)
                store_alone(raster, target, first + i, words[first + i]);
    }
}

static void write_target(struct draw_raster *raster, struct pixel_target *target, const uint8_t live[DRAW_LANES]) {
    struct blend_rows rows;
    struct elements elements;
    uint32_t any = 0;
    for (unsigned lane = 0; lane < DRAW_LANES; lane++)
        any |= (live[lane] ? 1u : 0u) << lane;
    set_source(raster, target, &rows);
    if (!target->reads) {
        memset(elements.word, 0, sizeof elements.word);
        pack(target, rows.source, &elements, any);
    }
    unsigned samples = draw_color_samples(&raster->state->raster)->count;
    for (unsigned s = 0; s < samples && !raster->result.faulted; s++) {
        find_elements(raster, target, s, live, &elements);
        if (!elements.lanes)
            continue;
        if (target->reads)
            merge(target, &rows, &elements);
        store_elements(target, &elements);
    }
}

static void write_lanes(struct draw_raster *raster, struct pixel_target *target, const uint8_t live[DRAW_LANES]) {
    if (target->plain)
        write_plain(raster, target, live);
    else
        write_target(raster, target, live);
}

void pixels_color(struct draw_raster *raster, const uint8_t live[DRAW_LANES]) {
    bool stripe = raster->batch->fragments.is_stripe;
    assert(!stripe || !raster->state->raster.independent);
    if (stripe && raster->state->raster.samples.count > 1) {
        pixels_color_samples(raster, live);
        return;
    }
    if (stripe) {
        uint32_t lanes = 0;
        for (unsigned lane = 0; lane < DRAW_LANES; lane++)
            lanes |= (uint32_t)(live[lane] & 1) << lane;
        pixels_color_stripe(raster, lanes);
        return;
    }
    for (unsigned i = 0; i < raster->target_count && !raster->result.faulted; i++)
        write_lanes(raster, &raster->targets[i], live);
}

void pixels_color_stripe(struct draw_raster *raster, uint32_t live) {
    uint8_t *of = raster->batch->passed;
    bool spread = false;
    for (unsigned i = 0; i < raster->target_count && !raster->result.faulted; i++) {
        struct pixel_target *target = &raster->targets[i];
        if (target->one_word && bytes8_stripe(raster, target, live))
            continue;
        if (!spread)
            pixels_spread(live, of);
        spread = true;
        write_lanes(raster, target, of);
    }
}

static bool write_samples(struct draw_raster *raster, struct pixel_target *target, const uint8_t live[DRAW_LANES]) {
    const struct draw_fragments *f = &raster->batch->fragments;
    const struct pixel_vector *vector = raster->vector;
    draw_row *rows = f->output[target->output];
    uint8_t *at[PIXEL_PARTS];
    if (!target->sampled || !vector || (target->blends && !target->factored) ||
        !pixel_parts_at(&target->access, &raster->parts, f->x[0], f->y[0], at))
        return false;
    if (target->blends)
        vector->blend_samples(target, rows, f->output[1], &raster->parts, at, live);
    else
        vector->store_samples(target, rows, &raster->parts, at, live);
    return true;
}

void pixels_color_samples(struct draw_raster *raster, const uint8_t live[DRAW_LANES]) {
    for (unsigned i = 0; i < raster->target_count && !raster->result.faulted; i++)
        if (!write_samples(raster, &raster->targets[i], live))
            write_lanes(raster, &raster->targets[i], live);
}
