/* SPDX-License-Identifier: MIT */
/* One point at a time, by the inequalities of the volume. */
#include "vertex_path.h"

#include <math.h>

enum { W_ONLY, PASS, XY, XYZ, W_NOT_Z, Z_ONLY, W_OR_FILL };

/* The worse of two. */
static enum path_place worst(enum path_place a, enum path_place b) {
    return a > b ? a : b;
}

/* A point is inside where the sum is not negative. */
static enum path_place side_of(double sum, double margin) {
    return sum > margin ? PATH_INSIDE : sum < -margin ? PATH_OUTSIDE : PATH_NEAR_AN_EDGE;
}

static bool cuts_xy(const struct path_clip *clip) {
    return (clip->mode == XY || clip->mode == XYZ) && !clip->wide_xy;
}

static bool cuts_z(const struct path_clip *clip) {
    return (clip->mode == XYZ || clip->mode == Z_ONLY) && !clip->wide_z;
}

static double near_z(const struct path_clip *clip, const struct path_point *p) {
    return clip->zero_to_w ? p->z : p->z + p->w;
}

enum path_place path_clip(const struct path_clip *clip, const struct path_point *p, double margin) {
    enum path_place place = side_of(p->w, margin);
    double apart = margin * fabs(p->w) + margin;
    if (cuts_xy(clip)) {
        place = worst(place, side_of(p->w - fabs(p->x), apart));
        place = worst(place, side_of(p->w - fabs(p->y), apart));
    }
    if (cuts_z(clip)) {
        place = worst(place, side_of(p->w - p->z, apart));
        place = worst(place, side_of(near_z(clip, p), apart));
    }
    for (unsigned i = 0; i < 8; i++)
        if (clip->clips >> i & 1)
            place = worst(place, side_of(p->distance[i], margin));
    return place;
}

/* All corners are on the wrong side of a plane of the volume, or of a distance that culls. */
bool path_rejects(const struct path_clip *clip, const struct path_point *corner, unsigned corners) {
    bool volume = clip->mode == W_ONLY || clip->mode == W_NOT_Z || clip->mode == W_OR_FILL,
         with_z = clip->mode == W_ONLY;
    unsigned outside[6] = {0}, culled[8] = {0};
    for (unsigned i = 0; i < corners; i++) {
        const struct path_point *p = &corner[i];
        const bool beyond[6] = {p->x<-p->w, p->x> p->w, p->y<-p->w, p->y> p->w, near_z(clip, p) < 0, p->z > p->w};
        for (unsigned k = 0; k < 6; k++)
            outside[k] += beyond[k];
        for (unsigned k = 0; k < 8; k++)
            culled[k] += p->distance[k] < 0;
    }
    for (unsigned k = 0; volume && k < (with_z ? 6 : 4); k++)
        if (outside[k] == corners)
            return true;
    for (unsigned k = 0; k < 8; k++)
        if ((clip->culls >> k & 1) && culled[k] == corners)
            return true;
    return false;
}

double path_window(double place, double w, double scale, double offset) {
    return place / w * scale + offset;
}
