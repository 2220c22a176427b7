/* SPDX-License-Identifier: MIT */
/* Coordinates to addresses. */
#include <assert.h>

#include "engine/image/image.h"

#define STRIDE_SHIFT 8u

/* A coordinate among `count`, as what is outside says. False: it is. */
static bool within(uint32_t *coordinate, uint64_t count, unsigned outside) {
    if (*coordinate < count)
        return true;
    if (outside != IR_OUTSIDE_NEAR || !count)
        return false;
    *coordinate = *coordinate >> 31 ? 0 : (uint32_t)(count - 1);
    return true;
}

static bool has_y(unsigned dim) {
    return dim == IR_IMAGE_2D || dim == IR_IMAGE_2D_ARRAY || dim == IR_IMAGE_3D || dim == IR_IMAGE_STRIDE;
}

/*
 * What the third coordinate is, after one or two others. UNKNOWN: a layer of a volume, or a slice of layers; chosen:
 * they are the same.
 */
static uint32_t third_of(unsigned dim, const uint32_t coordinate[3]) {
    if (dim == IR_IMAGE_1D_ARRAY)
        return coordinate[1];
    return dim == IR_IMAGE_2D_ARRAY || dim == IR_IMAGE_3D ? coordinate[2] : 0;
}

bool image_place(const struct image *image, const struct image_request *request, const uint32_t coordinate[3],
                 uint64_t *address) {
    uint32_t x = coordinate[0], y = has_y(request->dim) ? coordinate[1] : 0, z = third_of(request->dim, coordinate);
    uint64_t line = (uint64_t)image->width * image->texel.bytes;
    assert(request->unit && request->bytes);
    uint64_t across = line < request->bytes ? 0 : (line - request->bytes) / request->unit + 1;
    if (!within(&x, across, request->outside) || !within(&y, image->height, request->outside) ||
        !within(&z, image->depth, request->outside))
        return false;
    *address = image->address + layout_offset(&image->layout, (uint64_t)x * request->unit, y, image->is_volume ? z : 0);
    if (!image->is_volume)
        *address += z * image->layer_bytes;
    if (request->dim == IR_IMAGE_STRIDE)
        *address += (uint64_t)coordinate[2] << STRIDE_SHIFT;
    return true;
}
