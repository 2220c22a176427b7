/* SPDX-License-Identifier: MIT */
/* Wrap modes, by the OpenGL 4.6 specification, tables 8.20 and 8.21, and envytools g80_texture.xml for the numbers. */
#include "engine/texture/texel.h"

#include <assert.h>

#define FARTHEST 1e15 /* texels: beyond, coordinates are cut off, so that they fit into integers */

static double within(double value) {
    if (!(value > -FARTHEST)) /* NaN is 0 */
        return value <= -FARTHEST ? -FARTHEST : 0;
    return value < FARTHEST ? value : FARTHEST;
}

static int64_t floor_of(double value) {
    int64_t whole = (int64_t)value;
    return (double)whole > value ? whole - 1 : whole;
}

static int64_t modulo(int64_t value, int64_t by) {
    int64_t rest = value % by;
    return rest < 0 ? rest + by : rest;
}

int64_t texel_wrap(uint8_t wrap, int64_t index, uint32_t size) {
    assert(size > 0);
    const int64_t n = size, last = n - 1;
    switch (wrap) {
    case TEXEL_WRAP:
        return modulo(index, n);
    case TEXEL_MIRROR: {
        int64_t place = modulo(index, 2 * n);
        return place < n ? place : 2 * n - 1 - place;
    }
    case TEXEL_EDGE:
        return index < 0 ? 0 : index > last ? last : index;
    case TEXEL_MIRROR_ONCE_EDGE:
        index = index < 0 ? -1 - index : index;
        return index > last ? last : index;
    case TEXEL_MIRROR_ONCE_BORDER:
        index = index < 0 ? -1 - index : index;
        break;
    default:
        break;
    }
    return index < 0 || index > last ? TEXEL_OUTSIDE : index;
}

/* The two with GL's clamp cut the coordinate off first, so that half of the border shows at the edge. */
static double clamp_first(uint8_t wrap, double coordinate, uint32_t size) {
    if (wrap == TEXEL_MIRROR_ONCE_GL && coordinate < 0)
        coordinate = -coordinate;
    if (wrap != TEXEL_CLAMP_GL && wrap != TEXEL_MIRROR_ONCE_GL)
        return coordinate;
    return coordinate < 0 ? 0 : coordinate > size ? size : coordinate;
}

/* Weights have 8 bits of fraction (CUDA C programming guide, linear filtering). */
static struct texel_axis neighbours(double coordinate, bool linear) {
    struct texel_axis axis = {{0, 0}, 0};
    if (!linear) {
        axis.at[0] = axis.at[1] = floor_of(coordinate);
        return axis;
    }
    int64_t fixed = floor_of(coordinate * 256 + 0.5) - 128;
    axis.weight = (unsigned)modulo(fixed, 256);
    axis.at[0] = (fixed - (int64_t)axis.weight) / 256;
    axis.at[1] = axis.at[0] + 1;
    return axis;
}

struct texel_axis texel_axis_free(double coordinate, bool linear) {
    return neighbours(within(coordinate), linear);
}

struct texel_axis texel_axis(uint8_t wrap, double coordinate, uint32_t size, bool linear) {
    struct texel_axis axis = neighbours(clamp_first(wrap, within(coordinate), size), linear);
    const bool edge =
        !linear && (wrap == TEXEL_CLAMP_GL || wrap == TEXEL_MIRROR_ONCE_GL); /* u = size is its last texel */
    for (unsigned i = 0; i < 2; i++)
        axis.at[i] = texel_wrap(edge ? TEXEL_EDGE : wrap, axis.at[i], size);
    return axis;
}
