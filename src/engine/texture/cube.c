/* SPDX-License-Identifier: MIT */
/* Faces of cube maps: OpenGL 4.6 specification, table 8.19, and 8.13.1 for seams. */
#include "engine/texture/texel.h"

#include <assert.h>

/* Of a face: which axis is its own and with which sign, and which axes its coordinates are. */
static const struct {
    uint8_t axis, s, t;
    int8_t sign, s_sign, t_sign;
} faces[6] = {
    {0, 2, 1, 1, -1, -1}, {0, 2, 1, -1, 1, -1}, {1, 0, 2, 1, 1, 1},
    {1, 0, 2, -1, 1, -1}, {2, 0, 1, 1, 1, -1},  {2, 0, 1, -1, -1, -1},
};

static double magnitude(double value) {
    return value < 0 ? -value : value;
}

/* No direction, or NaN, is the middle. */
void cube_on_face(unsigned face, const double direction[3], double out[2]) {
    assert(face < 6);
    const double most = magnitude(direction[faces[face].axis]);
    out[0] = out[1] = 0.5;
    if (!(most > 0))
        return;
    out[0] = (direction[faces[face].s] * faces[face].s_sign / most + 1) / 2;
    out[1] = (direction[faces[face].t] * faces[face].t_sign / most + 1) / 2;
}

/* UNKNOWN: which face a direction between two belongs to; chosen: z before y before x, as in Direct3D 10. */
unsigned cube_face(const double direction[3], double out[2]) {
    double x = magnitude(direction[0]), y = magnitude(direction[1]), z = magnitude(direction[2]);
    unsigned axis = z >= x && z >= y ? 2 : y >= x ? 1 : 0;
    unsigned face = 2 * axis + (direction[axis] < 0);
    cube_on_face(face, direction, out);
    return face;
}

/* In halves of texels from the middle of the cube, texel x of `size` is at 2 x + 1 - size. */
static int64_t half_texels(int64_t index, int64_t size) {
    return 2 * index + 1 - size;
}

/*
 * A texel one step beyond an edge lies on the face after the edge, in its first row: its place is folded over the
 * edge. A position is in halves of texels; faces are at +-size.
 */
bool cube_neighbour(unsigned *face, int64_t *x, int64_t *y, uint32_t size) {
    assert(*face < 6 && size > 0);
    const int64_t n = size;
    const bool beyond_x = *x < 0 || *x >= n, beyond_y = *y < 0 || *y >= n;
    if (beyond_x && beyond_y)
        return false;
    if (!beyond_x && !beyond_y)
        return true;
    int64_t position[3];
    position[faces[*face].s] = half_texels(*x, n) * faces[*face].s_sign;
    position[faces[*face].t] = half_texels(*y, n) * faces[*face].t_sign;
    unsigned over = beyond_x ? faces[*face].s : faces[*face].t;
    int sign = position[over] < 0 ? -1 : 1;
    position[faces[*face].axis] = faces[*face].sign * (n - 1);
    *face = 2 * over + (sign < 0);
    *x = (position[faces[*face].s] * faces[*face].s_sign + n - 1) / 2;
    *y = (position[faces[*face].t] * faces[*face].t_sign + n - 1) / 2;
    *x = texel_wrap(2, *x, size);
    *y = texel_wrap(2, *y, size);
    return true;
}
