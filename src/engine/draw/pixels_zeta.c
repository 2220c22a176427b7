/* SPDX-License-Identifier: MIT */
/*
 * Depth and stencil, sample by sample: bounds, stencil, depth, what is stored, what is counted.
 *
 * Depth is compared as it is stored: fixed point as integers, which OpenGL's tests for equality need. Rules: OpenGL 4.6
 * chapters 14.9 and 17.3.3 to 17.3.5; Direct3D 11.3 functional specification 15.11 (clamping, NaN). The layout of
 * formats is format.c's.
 */
#include "engine/draw/pixels_zeta.h"

#include <assert.h>

/* ---- depth as it is stored ---- */

/* To nearest, to even between two. `z` is 0 .. 1, `max` at most 32 bits. */
static uint64_t quantise(double z, uint64_t max) {
    double sum = z * (double)max + TWO_TO_52;
    uint64_t bits;
    memcpy(&bits, &sum, sizeof bits);
    return bits & (UINT64_MAX >> 12);
}

static double bounded(double z, double low, double high) {
    return z > low ? (z < high ? z : high) : z <= low ? low : 0; /* NaN: 0 */
}

static float float_of_bits(uint64_t bits) {
    uint32_t word = (uint32_t)bits;
    float value;
    memcpy(&value, &word, sizeof value);
    return value;
}

/* The bits of depth z, at the low end. */
static uint64_t stored_depth(const struct pixel_zeta *zeta, double z) {
    float single = (float)z;
    uint32_t bits;
    if (!zeta->is_float)
        return quantise(bounded(z, 0, 1), zeta->depth_max);
    if (single != single)
        single = 0;
    memcpy(&bits, &single, sizeof bits);
    return bits;
}

static unsigned relation(const struct pixel_zeta *zeta, uint64_t value, uint64_t stored) {
    if (zeta->is_float) {
        float a = float_of_bits(value), b = float_of_bits(stored);
        return a < b ? 1 : a == b ? 2 : a > b ? 4 : 0;
    }
    return value < stored ? 1 : value == stored ? 2 : 4;
}

/* UNKNOWN: how bounds are compared; chosen: as they would be stored, so that a depth that is one of them is within. */
static void set_bounds(struct pixel_zeta *zeta, const struct draw_zeta_state *state) {
    zeta->bounds_min = stored_depth(zeta, (double)state->bounds_min);
    zeta->bounds_max = stored_depth(zeta, (double)state->bounds_max);
}

static bool within_bounds(const struct pixel_zeta *zeta, uint64_t stored) {
    return (relation(zeta, zeta->bounds_min, stored) & DRAW_LEQUAL) &&
           (relation(zeta, stored, zeta->bounds_max) & DRAW_LEQUAL);
}

/* ---- begin ---- */

/* How it is done, by the key alone. `words`: the fast way for quads needs one sample, in the same place of all pixels. */
static void choose(struct pixel_zeta *zeta, const struct format *format) {
    const struct draw_zeta_key *key = &zeta->key;
    const struct format_component *depth = &format->component[0], *stencil = &format->component[1];
    assert(format->is_zeta && format->bytes <= 8 && depth->bits <= 32);
    zeta->present = true;
    zeta->is_float = format->type == FORMAT_FLOAT;
    zeta->depth_max = depth->bits ? UINT64_MAX >> (64 - depth->bits) : 0;
    zeta->scale = (double)zeta->depth_max;
    zeta->depth_shift = depth->shift;
    zeta->depth_mask = zeta->depth_max << depth->shift;
    zeta->stencil_shift = stencil->shift;
    zeta->stencil_mask = stencil->bits ? UINT64_C(0xff) << stencil->shift : 0;
    zeta->active = key->test || key->bounds || key->stencil;
    zeta->writes = (key->write && zeta->depth_mask) || key->stencil;
    zeta->simple = key->test && zeta->depth_mask && !key->bounds && !key->stencil && key->samples == 1;
    zeta->words = zeta->simple && format->bytes == 4 && key->same_place;
    zeta->sampled = key->test && zeta->depth_mask && !key->bounds && !key->stencil && key->samples > 1 &&
                    format->bytes == 4 && key->same_place;
    zeta->less = key->compare & DRAW_LESS ? UINT32_MAX : 0;
    zeta->equal = key->compare & DRAW_EQUAL ? UINT32_MAX : 0;
    zeta->greater = key->compare & DRAW_GREATER ? UINT32_MAX : 0;
    zeta->unordered = key->compare == DRAW_ALWAYS ? UINT32_MAX : 0;
}

static void choose_none(struct pixel_zeta *zeta) {
    zeta->present = zeta->active = zeta->writes = zeta->simple = zeta->words = zeta->sampled = false;
}

void pixels_zeta_begin(struct draw_raster *raster) {
    const struct draw_state *state = raster->state;
    struct pixel_zeta *zeta = &raster->zeta;
    struct draw_zeta_key key;
    draw_zeta_key(&key, state);
    bool changed = draw_key_becomes(&zeta->key, &key, sizeof key);
    if (changed && key.format)
        choose(zeta, state->targets.zeta.format);
    else if (changed)
        choose_none(zeta);
    if (!zeta->present)
        return;
    set_bounds(zeta, &state->zeta);
    zeta->ranged = DRAW_VIEWPORTS;
    zeta->at_x = (double)raster->depth_x[0] / RASTER_UNIT;
    zeta->at_y = (double)raster->depth_y[0] / RASTER_UNIT;
}

/* ---- stencil ---- */

static uint8_t stencil_result(uint8_t operation, uint8_t stored, uint8_t reference) {
    switch (operation) {
    case DRAW_STENCIL_ZERO:
        return 0;
    case DRAW_REPLACE:
        return reference;
    case DRAW_INCR_SAT:
        return stored < 0xff ? stored + 1 : stored;
    case DRAW_DECR_SAT:
        return stored ? stored - 1 : 0;
    case DRAW_INVERT:
        return (uint8_t)~stored;
    case DRAW_INCR:
        return (uint8_t)(stored + 1);
    case DRAW_DECR:
        return (uint8_t)(stored - 1);
    default:
        return stored;
    }
}

static bool stencil_passes(const struct draw_stencil_face *face, uint8_t stored) {
    unsigned reference = face->reference & face->mask, value = stored & face->mask;
    return face->compare & (reference < value ? 1 : reference == value ? 2 : 4);
}

/* ---- a sample ---- */

/* What becomes of a stored element as depth `value` is tested against it. */
static bool test_element(const struct draw_raster *raster, const struct draw_stencil_face *face, uint64_t value,
                         uint64_t *element) {
    const struct draw_zeta_state *state = &raster->state->zeta;
    const struct pixel_zeta *zeta = &raster->zeta;
    uint64_t stored = *element >> zeta->depth_shift & zeta->depth_max;
    uint8_t stencil = (uint8_t)(*element >> zeta->stencil_shift);
    bool has_depth = zeta->depth_mask != 0, has_stencil = state->stencil && zeta->stencil_mask;
    if (state->bounds && has_depth && !within_bounds(zeta, stored))
        return false;
    bool passes = !has_stencil || stencil_passes(face, stencil);
    bool depth_passes =
        !state->test || !has_depth || state->compare == DRAW_ALWAYS || (state->compare & relation(zeta, value, stored));
    if (has_stencil) {
        uint8_t operation = !passes ? face->fail : !depth_passes ? face->depth_fail : face->pass;
        uint8_t result = stencil_result(operation, stencil, face->reference);
        result = (uint8_t)((stencil & ~face->write_mask) | (result & face->write_mask));
        *element = (*element & ~zeta->stencil_mask) | (uint64_t)result << zeta->stencil_shift;
    }
    if (passes && depth_passes && state->test && state->write && has_depth)
        *element = (*element & ~zeta->depth_mask) | value << zeta->depth_shift;
    return passes && depth_passes;
}

/* Samples beyond the target are not there. */
static bool test_sample(struct draw_raster *raster, const struct draw_setup *setup, uint32_t x, uint32_t y, unsigned s,
                        double z) {
    const struct draw_state *state = raster->state;
    const struct draw_samples *samples = &state->raster.samples;
    struct pixel_zeta *zeta = &raster->zeta;
    bool faulted = false;
    uint64_t ex = ((uint64_t)x << samples->log2_x) + samples->element_x[s];
    uint64_t ey = ((uint64_t)y << samples->log2_y) + samples->element_y[s];
    uint8_t *at = pixel_element(&zeta->access, ex, ey, &raster->result.fault, &faulted);
    if (!at) {
        raster->result.faulted |= faulted;
        raster->result.fault_is_zeta |= faulted;
        return false;
    }
    uint64_t before = pixel_load(at, zeta->access.bytes), after = before;
    bool passes = test_element(raster, &state->zeta.face[setup->front ? 0 : 1], stored_depth(zeta, z), &after);
    if (after != before && zeta->writes)
        pixel_store(at, after, zeta->access.bytes);
    return passes;
}

/* Depth where a sample is, before the offset: within that of the vertices, whatever rounding does. */
static double depth_at(const struct draw_raster *raster, const struct draw_setup *setup, uint32_t x, uint32_t y,
                       unsigned s) {
    const struct raster_weights *weights = &setup->weights;
    unsigned at = raster_position(&raster->state->raster.samples, x, y, s);
    double px = x + (double)raster->depth_x[at] / RASTER_UNIT, py = y + (double)raster->depth_y[at] / RASTER_UNIT;
    double z = raster_at(&setup->z, px - weights->origin_x, py - weights->origin_y);
    return bounded(z, setup->z_min, setup->z_max);
}

/* Can a fragment of it be beyond near or far, and is dropped then? */
static bool may_be_clipped(const struct draw_state *state, const struct draw_setup *setup, double near, double far) {
    return state->raster.clip_z && !(setup->z_min >= near && setup->z_max <= far);
}

uint8_t pixels_zeta_test(struct draw_raster *raster, const struct draw_setup *setup, uint32_t x, uint32_t y,
                         uint8_t samples, const float *exported) {
    const struct draw_state *state = raster->state;
    const struct draw_viewport *viewport = &state->view.viewport[setup->primitive->viewport % DRAW_VIEWPORTS];
    const struct pixel_zeta *zeta = &raster->zeta;
    double near = (double)viewport->near, far = (double)viewport->far;
    uint8_t passed = 0;
    if (zeta->present && (x >= zeta->access.width || y >= zeta->access.height))
        return 0;
    if (!zeta->active && !may_be_clipped(state, setup, near, far))
        passed = samples;
    for (unsigned s = 0; s < state->raster.samples.count && passed != samples; s++) {
        if (!(samples >> s & 1))
            continue;
        double z = depth_at(raster, setup, x, y, s);
        if (state->raster.clip_z && !(z >= near && z <= far))
            continue;
        if (zeta->active) {
            z = exported && !state->stages.program.early ? (double)*exported : z + setup->offset;
            if (!test_sample(raster, setup, x, y, s, bounded(z, near, far)))
                continue;
        }
        passed |= (uint8_t)(1u << s);
    }
    bool reduced = state->raster.independent && !state->raster.counts_raster;
    if (state->zeta.counts)
        raster->result.samples += pixel_count(reduced ? pixels_reduce(&state->raster, passed) : passed);
    return passed;
}

/* ---- a quad ---- */

/* Depths of the four pixels, as they are compared, for one sample in the same place of each. */
static uint32_t quad_depths(const struct draw_raster *raster, const struct draw_setup *setup, uint32_t x, uint32_t y,
                            uint64_t value[4]) {
    const struct draw_state *state = raster->state;
    const struct draw_viewport *viewport = &state->view.viewport[setup->primitive->viewport % DRAW_VIEWPORTS];
    double near = (double)viewport->near, far = (double)viewport->far;
    bool clips = may_be_clipped(state, setup, near, far);
    uint32_t inside = 0;
    for (unsigned i = 0; i < 4; i++) {
        double z = depth_at(raster, setup, x + (i & 1), y + (i >> 1), 0);
        inside |= (!clips || (z >= near && z <= far) ? 1u : 0u) << i;
        value[i] = stored_depth(&raster->zeta, bounded(z + setup->offset, near, far));
    }
    return inside;
}

/*
 * The same for the pixels of a quad whose gob is at hand, where depth alone is tested, of one sample. False: something
 * is otherwise, and nothing was done.
 */
static bool test_simple_quad(struct draw_raster *raster, const struct draw_setup *setup, uint32_t x, uint32_t y,
                             uint8_t live[4]) {
    const struct draw_state *state = raster->state;
    const struct pixel_zeta *zeta = &raster->zeta;
    const struct pixel_access *access = &zeta->access;
    uint64_t value[4];
    unsigned count = 0;
    if (!zeta->simple || !pixel_has_quad(access, &state->raster.samples, x, y))
        return false;
    uint32_t inside = quad_depths(raster, setup, x, y, value);
    for (unsigned i = 0; i < 4; i++) {
        uint8_t *at = access->run + pixel_in_run(access, x + (i & 1), y + (i >> 1));
        uint64_t element = pixel_load(at, access->bytes), stored = element >> zeta->depth_shift & zeta->depth_max;
        if (!live[i])
            continue;
        live[i] = inside >> i & 1 &&
                  (state->zeta.compare == DRAW_ALWAYS || state->zeta.compare & relation(zeta, value[i], stored));
        count += live[i];
        if (live[i] && zeta->writes)
            pixel_store(at, (element & ~zeta->depth_mask) | value[i] << zeta->depth_shift, access->bytes);
    }
    if (state->zeta.counts)
        raster->result.samples += count;
    return true;
}

bool pixels_zeta_may_be_clipped(const struct draw_raster *raster, const struct draw_setup *setup) {
    const struct draw_state *state = raster->state;
    const struct draw_viewport *viewport = &state->view.viewport[setup->primitive->viewport % DRAW_VIEWPORTS];
    return may_be_clipped(state, setup, (double)viewport->near, (double)viewport->far);
}

/* The bounds of depth, for all primitives of a viewport. */
static void set_range(struct pixel_zeta *zeta, const struct draw_state *state, unsigned viewport) {
    assert(viewport < DRAW_VIEWPORTS);
    zeta->ranged = (uint8_t)viewport;
    zeta->near = (double)state->view.viewport[viewport].near;
    zeta->far = (double)state->view.viewport[viewport].far;
    zeta->low = zeta->is_float ? zeta->near : bounded(zeta->near, 0, 1);
    zeta->high = zeta->is_float ? zeta->far : bounded(zeta->far, 0, 1);
}

bool pixels_zeta_in_range(struct draw_raster *raster, const struct draw_setup *setup) {
    struct pixel_zeta *zeta = &raster->zeta;
    unsigned viewport = setup->primitive->viewport % DRAW_VIEWPORTS;
    if (zeta->ranged != viewport)
        set_range(zeta, raster->state, viewport);
    return zeta->near <= zeta->far && !may_be_clipped(raster->state, setup, zeta->near, zeta->far);
}

/* As test_simple_quad(), of elements of four bytes. */
static bool test_words(struct draw_raster *raster, const struct draw_setup *setup, uint32_t x, uint32_t y,
                       uint8_t live[4]) {
    const struct draw_state *state = raster->state;
    struct pixel_zeta *zeta = &raster->zeta;
    uint32_t element[4], value[4], passed[4], mask = (uint32_t)zeta->depth_mask, any = 0;
    uint8_t *at[4];
    double z[4];
    assert(zeta->words && zeta->access.bytes == 4);
    if (!pixels_zeta_in_range(raster, setup) || !pixel_word_quad(&zeta->access, x, y, &at[0], &at[2]))
        return false;
    at[1] = at[0] + 4;
    at[3] = at[2] + 4;
    for (unsigned i = 0; i < 4; i++)
        element[i] = (uint32_t)pixel_load(at[i], 4);
    zeta_depths(zeta, setup, x, y, 2, z);
    zeta_compare(zeta, z, element, 4, value, passed);
    for (unsigned i = 0; i < 4; i++)
        any |= live[i] &= (uint8_t)passed[i];
    if (state->zeta.counts)
        raster->result.samples += (uint64_t)live[0] + live[1] + live[2] + live[3];
    for (unsigned i = 0; i < 4 && any && zeta->writes; i++)
        pixel_store(at[i], live[i] ? (element[i] & ~mask) | value[i] : element[i], 4);
    return true;
}

/* Brings the gob of a quad's first pixel that counts to hand. */
static void bring_gob(struct pixel_access *access, uint32_t x, uint32_t y, const uint8_t live[4]) {
    unsigned i = live[0] ? 0 : live[1] ? 1 : live[2] ? 2 : 3;
    pixel_bring(access, x + (i & 1), y + (i >> 1));
}

/* Where nothing is tested, dropped or beyond the target. */
static bool quad_passes(struct draw_raster *raster, const struct draw_setup *setup, uint32_t x, uint32_t y) {
    const struct pixel_zeta *zeta = &raster->zeta;
    return !zeta->active && !raster->state->zeta.counts && !pixels_zeta_may_be_clipped(raster, setup) &&
           (!zeta->present || (x + 1 < zeta->access.width && y + 1 < zeta->access.height));
}

void pixels_zeta_quad(struct draw_raster *raster, const struct draw_setup *setup, uint32_t x, uint32_t y,
                      uint8_t live[4]) {
    if (quad_passes(raster, setup, x, y))
        return;
    if (raster->zeta.words) {
        bring_gob(&raster->zeta.access, x, y, live);
        if (test_words(raster, setup, x, y, live))
            return;
    }
    if (test_simple_quad(raster, setup, x, y, live))
        return;
    for (unsigned i = 0; i < 4; i++)
        if (live[i])
            live[i] = pixels_zeta_test(raster, setup, x + (i & 1), y + (i >> 1), live[i], NULL);
}
