/* SPDX-License-Identifier: MIT */
#include "engine/twod/nv4_solid.h"

#include <assert.h>

#include "methods/nv1_2d.h"

const struct nv4_slots nv4_solid_slots = {.bind = {[NV4_CLIP] = NV4_RECT_CLIP, NV4_DRAWS_FROM(NV4_RECT_PATTERN)},
                                          .operation = NV4_RECT_OPERATION,
                                          .format = NV4_RECT_COLOR_FORMAT,
                                          .formats = nv4_solid_format,
                                          .last_format = 3,
                                          .last_format_nv30 = 4};

const struct nv4_slots nv4_old_solid_slots = {
    .bind = {[NV4_CLIP] = NV1_RECT_CLIP, NV4_RASTER_FROM(NV1_RECT_PATTERN), [NV4_SURFACE] = NV1_RECT_SURFACE_DST},
    .operation = NV1_RECT_OPERATION,
    .format = NV1_RECT_COLOR_FORMAT,
    .formats = nv4_old_solid_format,
    .last_format = 4,
    .is_old = true};

static uint32_t *words(const struct call *call) {
    return object_private(call->object);
}

uint32_t nv4_solid_points(const struct call *call) {
    return words(call)[NV4_SOLID_POINTS];
}

/* 32 bits to the 16 that coordinates have. UNKNOWN: what becomes of larger ones; chosen: the nearest value that fits.
 */
static int32_t coordinate(uint32_t value) {
    if (value < 0x8000 || value >= 0xffff8000)
        return nv4_low(value);
    return value >> 31 ? -0x8000 : 0x7fff;
}

struct nv4_point nv4_solid_point(const struct call *call, unsigned before) {
    assert(before <= 1);
    const uint32_t *at = &words(call)[before ? NV4_SOLID_OLDER : NV4_SOLID_NEWER];
    return (struct nv4_point){coordinate(at[0]), coordinate(at[1])};
}

void nv4_solid_push(const struct call *call, struct nv4_point point) {
    uint32_t *extra = words(call);
    assert(point.x >= -0x8000 && point.x <= 0x7fff && point.y >= -0x8000 && point.y <= 0x7fff);
    extra[NV4_SOLID_OLDER] = extra[NV4_SOLID_NEWER];
    extra[NV4_SOLID_OLDER + 1] = extra[NV4_SOLID_NEWER + 1];
    extra[NV4_SOLID_NEWER] = (uint32_t)point.x;
    extra[NV4_SOLID_NEWER + 1] = (uint32_t)point.y;
    extra[NV4_SOLID_POINTS] = extra[NV4_SOLID_POINTS] ? 2 : 1;
}

struct nv4_point nv4_point_16(const struct call *call) {
    return (struct nv4_point){nv4_low(call->data), nv4_high(call->data)};
}

struct nv4_point nv4_point_32(const struct call *call) {
    return (struct nv4_point){coordinate(call_value(call, call->method - 4u)), coordinate(call->data)};
}

enum action_result nv4_solid_color(struct call *call) {
    words(call)[NV4_SOLID_COLOR] = call->data;
    return ACTION_DONE;
}

enum action_result nv4_solid_next_16(struct call *call) {
    nv4_solid_push(call, nv4_point_16(call));
    return ACTION_DONE;
}

enum action_result nv4_solid_next_32(struct call *call) {
    nv4_solid_push(call, nv4_point_32(call));
    return ACTION_DONE;
}

enum action_result nv4_solid_first_16(struct call *call) {
    words(call)[NV4_SOLID_POINTS] = 0;
    return nv4_solid_next_16(call);
}

enum action_result nv4_solid_first_32(struct call *call) {
    words(call)[NV4_SOLID_POINTS] = 0;
    return nv4_solid_next_32(call);
}

bool nv4_solid_open(const struct call *call, const struct nv4_slots *slots, struct nv4_draw *draw, uint32_t *color) {
    const struct nv4_format *format = nv4_source_format(call, slots);
    if (!format || !nv4_draw_open(call, slots, draw))
        return false;
    *color = nv4_convert(draw->format, format, words(call)[NV4_SOLID_COLOR]);
    return true;
}
