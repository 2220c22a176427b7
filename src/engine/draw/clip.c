/* SPDX-License-Identifier: MIT */
#include "engine/draw/clip.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define WINDOW_REACH 32000.0f /* pixels from the origin, in which the raster's grid has its places */
#define WINDOW_MOST  32767.0f
#define WIDE         256.0f
#define W_PART       (1.0f / 16777216.0f)

_Static_assert(CLIP_MOST_CORNERS <= 32, "edges of a polygon are bits of a word");

static float attribute(const struct draw_vertex *vertex, unsigned word) {
    float value;
    memcpy(&value, &vertex->attribute[word], sizeof value);
    return value;
}

static void set_attribute(struct draw_vertex *vertex, unsigned word, float value) {
    memcpy(&vertex->attribute[word], &value, sizeof value);
}

void clip_place(const struct draw_view_state *view, struct draw_vertex *vertex, unsigned viewport) {
    const struct draw_viewport *v = &view->viewport[viewport % DRAW_VIEWPORTS];
    float p[3] = {attribute(vertex, WORD_POSITION), attribute(vertex, WORD_POSITION + 1),
                  attribute(vertex, WORD_POSITION + 2)};
    vertex->rw = 1.0f;
    if (view->transform) {
        vertex->rw = 1.0f / attribute(vertex, WORD_POSITION + 3);
        for (unsigned i = 0; i < 3; i++)
            p[i] = p[i] * vertex->rw * v->scale[i] + v->translate[i];
    }
    vertex->x = p[0] + view->offset_x;
    vertex->y = view->lower_left ? view->offset_y - p[1] : p[1] + view->offset_y;
    vertex->z = p[2];
}

/* ---- planes ---- */

/* Inside: the sum is not negative. */
struct plane {
    float by[4]; /* x, y, z, w */
    float constant;
    int word; /* a distance instead; -1: none */
};

static float distance(const struct plane *plane, const struct draw_vertex *vertex) {
    if (plane->word >= 0)
        return attribute(vertex, (unsigned)plane->word);
    float sum = plane->constant;
    for (unsigned i = 0; i < 4; i++)
        if (plane->by[i] != 0.0f) /* so that a w that nobody wrote stays out */
            sum += plane->by[i] * attribute(vertex, WORD_POSITION + i);
    return sum;
}

static struct plane *add(struct plane *planes, unsigned *count) {
    struct plane *plane = &planes[(*count)++];
    *plane = (struct plane){.word = -1};
    return plane;
}

/* axis <= high * w and axis >= low * w */
static void add_pair(struct plane *planes, unsigned *count, unsigned axis, float low, float high) {
    struct plane *plane = add(planes, count);
    plane->by[axis] = 1.0f;
    plane->by[3] = -low;
    plane = add(planes, count);
    plane->by[axis] = -1.0f;
    plane->by[3] = high;
}

static void add_z(const struct clip *clip, struct plane *planes, unsigned *count, float scale) {
    if (clip->view->zero_to_w)
        add_pair(planes, count, 2, (1.0f - scale) / 2, (1.0f + scale) / 2);
    else
        add_pair(planes, count, 2, -scale, scale);
}

/* |x|, |y| in the window, before its offset, are within reach. */
static void add_reach(const struct clip *clip, const struct draw_viewport *viewport, struct plane *planes,
                      unsigned *count) {
    for (unsigned axis = 0; axis < 2; axis++) {
        float scale = clip->view->transform ? viewport->scale[axis] : 1.0f;
        float translate = clip->view->transform ? viewport->translate[axis] : 0.0f;
        for (int side = -1; side <= 1; side += 2) {
            struct plane *plane = add(planes, count);
            float *apart = clip->view->transform ? &plane->by[3] : &plane->constant;
            plane->by[axis] = -(float)side * scale;
            *apart = WINDOW_REACH - (float)side * translate;
        }
    }
}

static unsigned planes_of(const struct clip *clip, const struct draw_primitive *primitive, unsigned corners,
                          struct plane planes[CLIP_PLANES]) {
    unsigned count = 0;
    float largest = 0.0f;
    for (unsigned i = 0; i < corners; i++) {
        float w = attribute(primitive->vertex[i], WORD_POSITION + 3);
        largest = w > largest ? w : -w > largest ? -w : largest;
    }
    if (clip->view->transform) {
        struct plane *plane = add(planes, &count);
        plane->by[3] = 1.0f;
        plane->constant = -largest * W_PART;
        if ((clip->view->mode == CLIP_XY || clip->view->mode == CLIP_XYZ) && !clip->view->wide_xy) {
            add_pair(planes, &count, 0, -1.0f, 1.0f);
            add_pair(planes, &count, 1, -1.0f, 1.0f);
        }
        if ((clip->view->mode == CLIP_XYZ || clip->view->mode == CLIP_Z) && !clip->view->wide_z)
            add_z(clip, planes, &count, 1.0f);
    }
    add_reach(clip, &clip->view->viewport[primitive->viewport % DRAW_VIEWPORTS], planes, &count);
    for (unsigned i = 0; i < 8 && count < CLIP_PLANES; i++)
        if (clip->view->distances >> i & 1)
            add(planes, &count)->word = (int)(WORD_DISTANCE + i);
    assert(count <= CLIP_PLANES);
    return count;
}

/* ---- rejection ---- */

static bool all_outside(const struct plane *plane, const struct draw_primitive *primitive, unsigned corners) {
    for (unsigned i = 0; i < corners; i++)
        if (!(distance(plane, primitive->vertex[i]) < 0.0f))
            return false;
    return true;
}

/* Finite is what has not all bits of the exponent set. */
static bool has_position(const struct clip *clip, const struct draw_vertex *vertex) {
    for (unsigned i = 0; i < (clip->view->transform ? 4u : 3u); i++)
        if ((vertex->attribute[WORD_POSITION + i] & 0x7f800000u) == 0x7f800000u)
            return false;
    return true;
}

/* Modes without planes of the volume still drop what lies completely outside of one of them. */
static bool rejected(const struct clip *clip, const struct draw_primitive *primitive, unsigned corners) {
    struct plane planes[6];
    unsigned count = 0;
    for (unsigned i = 0; i < 8; i++) {
        struct plane plane = {.word = (int)(WORD_DISTANCE + i)};
        if ((clip->view->culls >> i & 1) && all_outside(&plane, primitive, corners))
            return true;
    }
    if (!clip->view->transform ||
        (clip->view->mode != CLIP_W && clip->view->mode != CLIP_W_NOT_Z && clip->view->mode != CLIP_W_OR_FILL))
        return false;
    float xy = corners < 3 && clip->view->wide_points ? WIDE : 1.0f;
    add_pair(planes, &count, 0, -xy, xy);
    add_pair(planes, &count, 1, -xy, xy);
    if (clip->view->mode == CLIP_W)
        add_z(clip, planes, &count, 1.0f);
    assert(count <= sizeof planes / sizeof planes[0]);
    for (unsigned i = 0; i < count; i++)
        if (all_outside(&planes[i], primitive, corners))
            return true;
    return false;
}

/* ---- cutting ---- */

struct polygon {
    unsigned count;
    uint32_t edges; /* bit i: the edge from corner i is one of the polygon */
    const struct draw_vertex *vertex[CLIP_MOST_CORNERS];
};

/* Near w = 0, rounding can put a new vertex anywhere. */
static float limited(float place) {
    return !(place > -WINDOW_MOST) ? -WINDOW_MOST : place < WINDOW_MOST ? place : WINDOW_MOST;
}

/* A new vertex between one inside and one outside: always from the inside, so that neighbours get the same. */
static const struct draw_vertex *between(const struct clip *clip, struct clip_pool *pool, unsigned viewport,
                                         const struct draw_vertex *in, const struct draw_vertex *out, float d_in,
                                         float d_out) {
    if (pool->count >= pool->most)
        return in;
    struct draw_vertex *v = &pool->vertex[pool->count++];
    float t = d_in / (d_in - d_out);
    t = t >= 0.0f && t <= 1.0f ? t : 0.0f;
    v->point_size = in->point_size;
    for (unsigned i = 0; i < 4; i++) {
        float a = attribute(in, WORD_POSITION + i), b = attribute(out, WORD_POSITION + i);
        set_attribute(v, WORD_POSITION + i, a + t * (b - a));
    }
    for (unsigned i = 0; i < 8; i++) {
        float a = attribute(in, WORD_DISTANCE + i), b = attribute(out, WORD_DISTANCE + i);
        if (clip->view->distances >> i & 1)
            set_attribute(v, WORD_DISTANCE + i, a + t * (b - a));
    }
    float w = attribute(v, WORD_POSITION + 3), straight = t;
    if (clip->view->transform && w > 0.0f)
        straight = t * attribute(out, WORD_POSITION + 3) / w;
    for (unsigned i = 0; i < clip->carried->count; i++) {
        unsigned word = clip->carried->word[i];
        float a = attribute(in, word), b = attribute(out, word);
        set_attribute(v, word, a + (clip->carried->linear[word] ? straight : t) * (b - a));
    }
    clip_place(clip->view, v, viewport);
    v->x = limited(v->x);
    v->y = limited(v->y);
    return v;
}

/* Keep the part of a polygon (or a line, which is not closed) that is inside. */
static void cut(const struct clip *clip, struct clip_pool *pool, unsigned viewport, const struct plane *plane,
                bool closed, struct polygon *polygon) {
    struct polygon result = {0};
    for (unsigned i = 0; i < polygon->count; i++) {
        unsigned next = (i + 1) % polygon->count;
        const struct draw_vertex *a = polygon->vertex[i], *b = polygon->vertex[next];
        float da = distance(plane, a), db = distance(plane, b);
        bool a_in = da >= 0.0f, b_in = db >= 0.0f;
        uint32_t edge = polygon->edges >> i & 1;
        if (a_in && result.count < CLIP_MOST_CORNERS) {
            result.edges |= edge << result.count;
            result.vertex[result.count++] = a;
        }
        if (a_in == b_in || result.count == CLIP_MOST_CORNERS || (!closed && next == 0))
            continue;
        /* Where it leaves, the next edge is the plane's, which is none of the polygon. */
        result.edges |= (a_in ? 0u : edge) << result.count;
        result.vertex[result.count++] =
            a_in ? between(clip, pool, viewport, a, b, da, db) : between(clip, pool, viewport, b, a, db, da);
    }
    *polygon = result;
}

static unsigned fan(const struct polygon *polygon, const struct draw_primitive *primitive, struct draw_primitive *out) {
    assert(polygon->count >= 3 && polygon->count <= CLIP_MOST_CORNERS);
    unsigned count = 0;
    for (unsigned i = 1; i + 1 < polygon->count && count < CLIP_MOST_PRIMITIVES; i++) {
        uint32_t first = i == 1 ? polygon->edges & 1 : 0, middle = polygon->edges >> i & 1;
        uint32_t last = i + 2 == polygon->count ? polygon->edges >> (i + 1) & 1 : 0;
        out[count] = *primitive;
        out[count].vertex[0] = polygon->vertex[0];
        out[count].vertex[1] = polygon->vertex[i];
        out[count].vertex[2] = polygon->vertex[i + 1];
        out[count++].edges = (uint8_t)(first | middle << 1 | last << 2);
    }
    return count;
}

/* Does a viewport leave what is within the volume as it is? */
static bool keeps_volume(const struct draw_view_state *view, unsigned viewport) {
    const struct draw_viewport *v = &view->viewport[viewport % DRAW_VIEWPORTS];
    const float most = WINDOW_REACH - 1000.0f;
    return view->transform && !view->distances && !view->culls && fabsf(v->scale[0]) + fabsf(v->translate[0]) < most &&
           fabsf(v->scale[1]) + fabsf(v->translate[1]) < most;
}

static bool is_between(float least, float largest) {
    return largest < 1e30f && least > 0.0f && least >= largest * W_PART;
}

/*
 * Within the volume, and so within all that is further out: most primitives are. False: it may be all the same.
 */
static bool is_within(const struct clip *clip, const struct draw_primitive *primitive, unsigned corners) {
    float largest = 0.0f, least = 1e30f;
    if (!keeps_volume(clip->view, primitive->viewport))
        return false;
    for (unsigned i = 0; i < corners; i++) {
        float p[4];
        memcpy(p, &primitive->vertex[i]->attribute[WORD_POSITION], sizeof p);
        if (!(fabsf(p[0]) <= p[3] && fabsf(p[1]) <= p[3] && p[2] <= p[3] &&
              p[2] >= (clip->view->zero_to_w ? 0.0f : -p[3])))
            return false;
        largest = p[3] > largest ? p[3] : largest;
        least = p[3] < least ? p[3] : least;
    }
    return is_between(least, largest);
}

/* By is_within() of any primitive of these lanes. */
static uint32_t lanes_within(const struct draw_view_state *view, float p[4][DRAW_LANES], unsigned lanes) {
    float largest = 0.0f, least = 1e30f;
    uint32_t in[DRAW_LANES], within = 0;
    const float nearest = view->zero_to_w ? 0.0f : -1.0f;
    for (unsigned i = 0; i < DRAW_LANES; i++)
        in[i] = (fabsf(p[0][i]) <= p[3][i]) & (fabsf(p[1][i]) <= p[3][i]) & (p[2][i] <= p[3][i]) &
                (p[2][i] >= nearest * p[3][i]);
    for (unsigned i = 0; i < lanes; i++) {
        within |= in[i] << i;
        largest = in[i] && p[3][i] > largest ? p[3][i] : largest;
        least = in[i] && p[3][i] < least ? p[3][i] : least;
    }
    return is_between(least, largest) ? within : 0;
}

void clip_place_lanes(const struct draw_view_state *view, const draw_row *position, unsigned lanes, unsigned viewport,
                      struct clip_places *places) {
    const struct draw_viewport v = view->viewport[viewport % DRAW_VIEWPORTS];
    const bool transform = view->transform;
    float p[4][DRAW_LANES];
    assert(lanes <= DRAW_LANES);
    memcpy(p, position, sizeof p);
    places->within = keeps_volume(view, viewport) ? lanes_within(view, p, lanes) : 0;
    for (unsigned i = 0; i < DRAW_LANES; i++)
        places->rw[i] = transform ? 1.0f / p[3][i] : 1.0f;
    for (unsigned axis = 0; axis < 3 && transform; axis++)
        for (unsigned i = 0; i < DRAW_LANES; i++)
            p[axis][i] = p[axis][i] * places->rw[i] * v.scale[axis] + v.translate[axis];
    for (unsigned i = 0; i < DRAW_LANES; i++)
        places->x[i] = p[0][i] + view->offset_x;
    for (unsigned i = 0; i < DRAW_LANES; i++)
        places->y[i] = view->lower_left ? view->offset_y - p[1][i] : p[1][i] + view->offset_y;
    memcpy(places->z, p[2], sizeof places->z);
}

unsigned clip_primitive(const struct clip *clip, struct clip_pool *pool, const struct draw_primitive *primitive,
                        struct draw_primitive *out) {
    struct plane planes[CLIP_PLANES];
    unsigned corners = primitive->kind + 1u;
    struct polygon polygon;
    assert(primitive->kind <= DRAW_TRIANGLES && pool->count <= pool->most);
    if (pool->most - pool->count < CLIP_MOST_VERTICES)
        return 0;
    if (is_within(clip, primitive, corners)) {
        out[0] = *primitive;
        return 1;
    }
    polygon.count = corners;
    polygon.edges = primitive->edges;
    for (unsigned i = 0; i < corners; i++) {
        polygon.vertex[i] = primitive->vertex[i];
        if (!has_position(clip, primitive->vertex[i]))
            return 0;
    }
    if (rejected(clip, primitive, corners))
        return 0;
    unsigned count = planes_of(clip, primitive, corners, planes);
    bool whole = true;
    for (unsigned p = 0; p < count && polygon.count; p++) {
        unsigned inside = 0;
        for (unsigned i = 0; i < polygon.count; i++)
            inside += distance(&planes[p], polygon.vertex[i]) >= 0.0f;
        if (inside == polygon.count)
            continue;
        if (inside == 0 || corners == 1)
            return 0;
        whole = false;
        cut(clip, pool, primitive->viewport, &planes[p], corners == 3, &polygon);
    }
    if (polygon.count < corners)
        return 0;
    if (corners == 3 && !whole)
        return fan(&polygon, primitive, out);
    out[0] = *primitive;
    for (unsigned i = 0; i < corners; i++)
        out[0].vertex[i] = polygon.vertex[i];
    return 1;
}
