/* SPDX-License-Identifier: MIT */
/*
 * Clipped triangles beside inequalities. Points all over a random triangle, by their barycentric weights: each that is
 * inside of all planes must be in what is left, once, at the same place in the window and with the same attributes, and
 * none that is outside.
 */
#include "engine/draw/clip.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "reference/vertex_path.h"
#include "rounds.h"

#define GENERIC 0x20u
#define LINEAR  0x24u
#define MARGIN  2e-4
#define POINTS  60u

static struct draw_view_state view;
static struct draw_carried carried;
static struct draw_vertex corner[3], room[CLIP_MOST_VERTICES];
static struct path_point point[3];

static double attribute(const struct draw_vertex *vertex, unsigned word) {
    float value;
    memcpy(&value, &vertex->attribute[word], sizeof value);
    return (double)value;
}

static void set(struct draw_vertex *vertex, unsigned word, double value) {
    float single = (float)value;
    memcpy(&vertex->attribute[word], &single, sizeof single);
}

/* From -most to most, in steps that a float has exactly. */
static double choose(struct choice *choice, double most) {
    return ((double)choice_below(choice, 4097) / 2048 - 1) * most;
}

static void choose_view(struct choice *choice, struct path_clip *clip) {
    *clip = (struct path_clip){.mode = choice_below(choice, 7),
                               .wide_xy = choice_once_in(choice, 4),
                               .wide_z = choice_once_in(choice, 3),
                               .zero_to_w = choice_below(choice, 2),
                               .clips = choice_once_in(choice, 2) ? choice_word(choice) & 0x11 : 0,
                               .culls = choice_once_in(choice, 4) ? choice_word(choice) & 0x22 : 0};
    view = (struct draw_view_state){.transform = true,
                                    .zero_to_w = clip->zero_to_w,
                                    .mode = (uint8_t)clip->mode,
                                    .wide_xy = clip->wide_xy,
                                    .wide_z = clip->wide_z,
                                    .distances = (uint8_t)clip->clips,
                                    .culls = (uint8_t)clip->culls};
    struct draw_viewport *v = &view.viewport[0];
    for (unsigned i = 0; i < 3; i++) {
        v->scale[i] = (float)choose(choice, 512);
        v->scale[i] += v->scale[i] < 0 ? -16 : 16;
        v->translate[i] = (float)choose(choice, 512);
    }
    carried = (struct draw_carried){.count = 2, .word = {GENERIC, LINEAR}};
    carried.linear[LINEAR] = true;
}

static void choose_corner(struct choice *choice, unsigned i, double size) {
    struct path_point *p = &point[i];
    *p = (struct path_point){
        .x = choose(choice, size), .y = choose(choice, size), .z = choose(choice, size), .w = choose(choice, 2)};
    p->w = choice_once_in(choice, 3) ? p->w : fabs(p->w) + 0.125;
    for (unsigned k = 0; k < 8; k++)
        p->distance[k] = choose(choice, 1);
    memset(&corner[i], 0, sizeof corner[i]);
    const double position[4] = {p->x, p->y, p->z, p->w};
    for (unsigned k = 0; k < 4; k++)
        set(&corner[i], WORD_POSITION + k, position[k]);
    for (unsigned k = 0; k < 8; k++)
        set(&corner[i], WORD_DISTANCE + k, p->distance[k]);
    set(&corner[i], GENERIC, choose(choice, 10));
    set(&corner[i], LINEAR, choose(choice, 10));
    clip_place(&view, &corner[i], 0);
}

static struct path_point mixed(const double weight[3]) {
    struct path_point p = {0};
    for (unsigned i = 0; i < 3; i++) {
        p.x += weight[i] * point[i].x;
        p.y += weight[i] * point[i].y;
        p.z += weight[i] * point[i].z;
        p.w += weight[i] * point[i].w;
        for (unsigned k = 0; k < 8; k++)
            p.distance[k] += weight[i] * point[i].distance[k];
    }
    return p;
}

/* Where a place in the window is in a triangle: weights that are straight in the window. False: the triangle is thin. */
static bool weights_of(const struct draw_primitive *p, double x, double y, double weight[3]) {
    double area = 0;
    for (unsigned i = 0; i < 3; i++) {
        const struct draw_vertex *a = p->vertex[(i + 1) % 3], *b = p->vertex[(i + 2) % 3];
        weight[i] =
            ((double)b->x - (double)a->x) * (y - (double)a->y) - ((double)b->y - (double)a->y) * (x - (double)a->x);
        area += weight[i];
    }
    for (unsigned i = 0; i < 3; i++)
        weight[i] /= area;
    return fabs(area) > 2;
}

/* The attribute there: with perspective, by the reciprocals of w that the vertices have. */
static double at_place(const struct draw_primitive *p, const double weight[3], unsigned word) {
    double sum = 0, below = 0;
    for (unsigned i = 0; i < 3; i++) {
        double part = weight[i] * (carried.linear[word] ? 1 : (double)p->vertex[i]->rw);
        sum += part * attribute(p->vertex[i], word);
        below += part;
    }
    return sum / below;
}

struct found {
    unsigned triangles, near;
    double value, straight; /* of GENERIC, and of LINEAR */
};

static struct found find(const struct draw_primitive *out, unsigned count, double x, double y) {
    struct found found = {0};
    for (unsigned i = 0; i < count; i++) {
        double weight[3], least = 1;
        bool thick = weights_of(&out[i], x, y, weight);
        for (unsigned k = 0; k < 3; k++)
            least = weight[k] < least ? weight[k] : least;
        if (!thick || fabs(least) < 5e-3) {
            found.near++;
        } else if (least > 0) {
            found.triangles++;
            found.value = at_place(&out[i], weight, GENERIC);
            found.straight = at_place(&out[i], weight, LINEAR);
        }
    }
    return found;
}

/* `must`: what is left has all points that are inside. */
static bool is_right(const struct path_clip *clip, const struct draw_primitive *out, unsigned count, bool must,
                     const double weight[3], FILE *report) {
    const struct path_point p = mixed(weight);
    enum path_place place = path_clip(clip, &p, MARGIN);
    if (place == PATH_NEAR_AN_EDGE || p.w < 0.05)
        return true;
    double x = path_window(p.x, p.w, (double)view.viewport[0].scale[0], (double)view.viewport[0].translate[0]);
    double y = path_window(p.y, p.w, (double)view.viewport[0].scale[1], (double)view.viewport[0].translate[1]);
    const struct found found = find(out, count, x, y);
    if (found.near || fabs(x) > 31000 || fabs(y) > 31000)
        return true;
    double value = 0, straight = 0;
    bool before = true; /* all corners have a place in the window: else LINEAR has no bounds near w = 0 */
    for (unsigned i = 0; i < 3; i++) {
        before = before && point[i].w > 0.1;
        value += weight[i] * attribute(&corner[i], GENERIC);
        straight += weight[i] * point[i].w / p.w * attribute(&corner[i], LINEAR);
    }
    bool good = place == PATH_OUTSIDE ? found.triangles == 0 : found.triangles == must;
    if (good && found.triangles)
        good = fabs(found.value - value) < 0.02 && (!before || fabs(found.straight - straight) < 0.02);
    if (!good)
        fprintf(report, "mode %u, point %g %g %g %g is %s, in %u of %u triangles, with %g and %g, wanted %g and %g\n",
                clip->mode, p.x, p.y, p.z, p.w, place == PATH_INSIDE ? "inside" : "outside", found.triangles, count,
                found.value, found.straight, value, straight);
    return good;
}

static bool play(struct choice *choice, FILE *report) {
    struct path_clip by;
    struct draw_primitive out[CLIP_MOST_PRIMITIVES];
    const struct clip clip = {&view, &carried};
    struct clip_pool pool = {room, 0, CLIP_MOST_VERTICES};
    choose_view(choice, &by);
    double size = choice_once_in(choice, 2) ? 2 : 8;
    for (unsigned i = 0; i < 3; i++)
        choose_corner(choice, i, size);
    const struct draw_primitive primitive = {.kind = DRAW_TRIANGLES,
                                             .edges = 7,
                                             .id = 5,
                                             .vertex = {&corner[0], &corner[1], &corner[2]},
                                             .flat = &corner[choice_below(choice, 3)]};
    unsigned count = clip_primitive(&clip, &pool, &primitive, out);
    bool good = true, rejects = path_rejects(&by, point, 3);
    for (unsigned i = 0; i < count; i++)
        good = good && out[i].flat == primitive.flat && out[i].id == 5 && out[i].kind == DRAW_TRIANGLES;
    if (rejects && count) {
        fprintf(report, "mode %u: a triangle that is outside of a plane is kept\n", by.mode);
        return false;
    }
    for (unsigned i = 0; i < POINTS && good; i++) {
        double a = (double)choice_below(choice, 1000) / 1000, b = (double)choice_below(choice, 1000) / 1000;
        if (a + b > 1)
            a = 1 - a, b = 1 - b;
        good = is_right(&by, out, count, !rejects, (const double[3]){a, b, 1 - a - b}, report);
    }
    return good;
}

static void what_is_left_has_the_points_inside_and_no_others(void **state) {
    (void)state;
    assert_int_equal(rounds_failed(play, 4000), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_left_has_the_points_inside_and_no_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
