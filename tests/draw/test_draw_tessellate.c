/* SPDX-License-Identifier: MIT */
/*
 * The tessellator: beside a plain one on random levels; what all patches have in common; and its fixed point.
 */
#include "engine/draw/tessellate.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "reference/tessellate.h"
#include "rounds.h"

#define PRIMITIVES 9000u

/* All of a patch. */
struct whole {
    struct tessellation tessellation;
    uint32_t point[TESSELLATE_POINTS][2];
    unsigned primitives;
    struct tessellate_primitive primitive[PRIMITIVES];
};

static bool make(struct whole *whole, unsigned domain, unsigned spacing, unsigned output,
                 const struct tessellate_levels *levels) {
    struct tessellate_mode mode = {(uint8_t)domain, (uint8_t)spacing, (uint8_t)output};
    struct tessellation *t = &whole->tessellation;
    struct tessellate_primitive strip[TESSELLATE_STRIP];
    whole->primitives = 0;
    if (!tessellate_begin(t, &mode, levels))
        return false;
    for (unsigned i = 0; i < t->points; i++)
        tessellate_point(t, i, whole->point[i]);
    for (unsigned i = 0; i < t->strips; i++) {
        unsigned count = tessellate_strip(t, i, strip);
        assert_true(whole->primitives + count <= PRIMITIVES);
        memcpy(&whole->primitive[whole->primitives], strip, count * sizeof strip[0]);
        whole->primitives += count;
    }
    return true;
}

/* ---- random patches ---- */

static float choose_level(struct choice *c) {
    static const float special[] = {0, -1, 1, 2, 3, 4, 63, 64, 65, 1000, 0.5f, 1.00001f, INFINITY, NAN, 1.5f, 2.5f};
    if (choice_once_in(c, 12))
        return special[choice_below(c, sizeof special / sizeof special[0])];
    unsigned most = choice_once_in(c, 2) ? 8 : 65;
    return choice_once_in(c, 3) ? (float)(1 + choice_below(c, most))
                                : 1 + (float)choice_below(c, most * 4096) / 4096.0f;
}

static struct tessellate_levels choose_levels(struct choice *c) {
    struct tessellate_levels levels;
    float all = choose_level(c);
    bool same = choice_once_in(c, 4);
    for (unsigned i = 0; i < 4; i++)
        levels.outer[i] = same ? all : choose_level(c);
    for (unsigned i = 0; i < 2; i++)
        levels.inner[i] = same ? all : choose_level(c);
    return levels;
}

/* Reciprocals are rounded, and up to 32 of them added up. */
static bool is_near(const uint32_t place[2], const struct plain_point *plain) {
    return fabs(place[0] - plain->u * 65536) < 20 && fabs(place[1] - plain->v * 65536) < 20;
}

static bool compare(const struct whole *whole, const struct plain_patch *plain, FILE *report) {
    if (whole->tessellation.points != plain->points || whole->primitives != plain->primitives) {
        fprintf(report, "# %u points and %u primitives, not %u and %u\n", whole->tessellation.points, whole->primitives,
                plain->points, plain->primitives);
        return false;
    }
    for (unsigned i = 0; i < plain->points; i++) {
        if (!is_near(whole->point[i], &plain->point[i])) {
            fprintf(report, "# point %u is %x %x, not %x %x\n", i, whole->point[i][0], whole->point[i][1],
                    (unsigned)(plain->point[i].u * 65536), (unsigned)(plain->point[i].v * 65536));
            return false;
        }
    }
    for (unsigned i = 0; i < plain->primitives; i++) {
        bool same = whole->primitive[i].corners == plain->primitive[i].corners;
        for (unsigned k = 0; k < plain->primitive[i].corners && same; k++)
            same = is_near(whole->point[whole->primitive[i].point[k]], &plain->primitive[i].corner[k]);
        if (!same) {
            fprintf(report, "# primitive %u differs\n", i);
            return false;
        }
    }
    return true;
}

static bool play(struct choice *c, FILE *report) {
    static struct whole whole;
    static struct plain_patch plain;
    unsigned domain = choice_below(c, 3), spacing = choice_below(c, 3), output = choice_below(c, 4);
    struct tessellate_levels levels = choose_levels(c);
    if (domain == TESSELLATE_ISOLINES)
        output = output ? TESSELLATE_AS_LINES : TESSELLATE_AS_POINTS;
    bool drawn = make(&whole, domain, spacing, output, &levels);
    if (drawn == plain_tessellate(&plain, domain, spacing, output, levels.outer, levels.inner) &&
        (!drawn || compare(&whole, &plain, report)))
        return true;
    fprintf(report, "# domain %u, spacing %u, output %u; %s; outer %.9g %.9g %.9g %.9g, inner %.9g %.9g\n", domain,
            spacing, output, drawn ? "drawn" : "discarded", (double)levels.outer[0], (double)levels.outer[1],
            (double)levels.outer[2], (double)levels.outer[3], (double)levels.inner[0], (double)levels.inner[1]);
    return false;
}

static void test_random_patches_are_those_of_a_plain_tessellator(void **state) {
    (void)state;
    assert_int_equal(rounds_failed(play, 3000), 0);
}

/* ---- what all patches have in common ---- */

/* Twice the area, positive if the corners go round clockwise as v grows downwards. */
static int64_t area_of(const struct whole *whole, const struct tessellate_primitive *primitive) {
    const uint32_t *a = whole->point[primitive->point[0]], *b = whole->point[primitive->point[1]],
                   *c = whole->point[primitive->point[2]];
    int64_t x1 = (int64_t)b[0] - a[0], y1 = (int64_t)b[1] - a[1], x2 = (int64_t)c[0] - a[0], y2 = (int64_t)c[1] - a[1];
    return x1 * y2 - x2 * y1;
}

static bool play_area(struct choice *c, FILE *report) {
    static struct whole whole;
    unsigned domain = 1 + choice_below(c, 2), spacing = choice_below(c, 3), output = 2 + choice_below(c, 2);
    struct tessellate_levels levels = choose_levels(c);
    int64_t sum = 0, expected = (int64_t)TESSELLATE_ONE * TESSELLATE_ONE * (int)domain;
    if (!make(&whole, domain, spacing, output, &levels))
        return true;
    for (unsigned i = 0; i < whole.primitives; i++) {
        int64_t area = area_of(&whole, &whole.primitive[i]);
        if (output == TESSELLATE_CLOCKWISE ? area < 0 : area > 0) {
            fprintf(report, "# triangle %u is turned\n", i);
            return false;
        }
        sum += area;
    }
    if (sum != (output == TESSELLATE_CLOCKWISE ? expected : -expected))
        fprintf(report, "# the sum of areas is %lld, not %lld\n", (long long)sum, (long long)expected);
    return sum == (output == TESSELLATE_CLOCKWISE ? expected : -expected);
}

static void test_triangles_cover_the_domain_once_and_have_one_winding(void **state) {
    (void)state;
    assert_int_equal(rounds_failed(play_area, 2000), 0);
}

/* Edges of triangles that no other triangle has the other way round: how many are not on the border. */
static unsigned open_edges(const struct whole *whole, unsigned *border) {
    enum { MOST = TESSELLATE_POINTS, DEGREE = 100 };
    static int8_t count[MOST][DEGREE];
    static uint16_t to[MOST][DEGREE];
    unsigned open = 0;
    memset(count, 0, sizeof count);
    for (unsigned i = 0; i < whole->primitives; i++) {
        for (unsigned k = 0; k < 3; k++) {
            uint16_t a = whole->primitive[i].point[k], b = whole->primitive[i].point[(k + 1) % 3];
            uint16_t low = a < b ? a : b, high = a < b ? b : a;
            unsigned at = 0;
            while (count[low][at] && to[low][at] != high)
                assert_true(++at < DEGREE);
            to[low][at] = high;
            count[low][at] = (int8_t)(count[low][at] + (a < b ? 1 : 3)); /* both ways: 4 */
        }
    }
    *border = 0;
    for (unsigned i = 0; i < MOST; i++) {
        for (unsigned k = 0; k < DEGREE && count[i][k]; k++) {
            const uint32_t *a = whole->point[i], *b = whole->point[to[i][k]];
            bool outside =
                (a[0] == 0 && b[0] == 0) || (a[1] == 0 && b[1] == 0) ||
                (a[0] == TESSELLATE_ONE && b[0] == TESSELLATE_ONE) ||
                (a[1] == TESSELLATE_ONE && b[1] == TESSELLATE_ONE) ||
                (whole->tessellation.sides == 3 && a[0] + a[1] == TESSELLATE_ONE && b[0] + b[1] == TESSELLATE_ONE);
            *border += count[i][k] != 4;
            open += count[i][k] != 4 && !outside;
        }
    }
    return open;
}

static bool play_edges(struct choice *c, FILE *report) {
    static struct whole whole;
    unsigned domain = 1 + choice_below(c, 2), spacing = choice_below(c, 3), border, expected = 0;
    struct tessellate_levels levels = choose_levels(c);
    if (!make(&whole, domain, spacing, TESSELLATE_CLOCKWISE, &levels))
        return true;
    unsigned open = open_edges(&whole, &border);
    for (unsigned i = 0; i < whole.tessellation.sides; i++)
        expected += whole.tessellation.outer[i].points - 1;
    if (open || border != expected)
        fprintf(report, "# %u edges are open, %u on the border, not %u\n", open, border, expected);
    return !open && border == expected;
}

static void test_triangles_meet_edge_to_edge(void **state) {
    (void)state;
    assert_int_equal(rounds_failed(play_edges, 1000), 0);
}

/* The places on a side, sorted. */
static unsigned side_places(const struct whole *whole, unsigned side, uint32_t *places) {
    unsigned first = 0, count = whole->tessellation.outer[side].points;
    unsigned sides = whole->tessellation.sides, ring = 0;
    for (unsigned i = 0; i < sides; i++)
        ring += whole->tessellation.outer[i].points - 1;
    for (unsigned i = 0; i < side; i++)
        first += whole->tessellation.outer[i].points - 1;
    if (!ring || !count)
        return 0;
    for (unsigned i = 0; i < count; i++) {
        unsigned number = (first + i) % ring;
        if (whole->tessellation.least && sides == 4)
            number = (number + 3) % 4;
        places[i] = whole->point[number][side % 2 || (sides == 3 && side == 2) ? 0 : 1];
    }
    if (places[0] > places[count - 1]) {
        for (unsigned i = 0; i < count / 2; i++) {
            uint32_t other = places[i];
            places[i] = places[count - 1 - i];
            places[count - 1 - i] = other;
        }
    }
    return count;
}

static bool play_neighbours(struct choice *c, FILE *report) {
    static struct whole one, other;
    uint32_t a[80], b[80];
    struct tessellate_levels levels = choose_levels(c), others = choose_levels(c);
    unsigned spacing = choice_below(c, 3), first = 1 + choice_below(c, 2), second = 1 + choice_below(c, 2);
    unsigned side = choice_below(c, first + 2), second_side = choice_below(c, second + 2);
    others.outer[second_side] = levels.outer[side];
    if (!make(&one, first, spacing, TESSELLATE_CLOCKWISE, &levels) ||
        !make(&other, second, spacing, TESSELLATE_CLOCKWISE, &others))
        return true;
    unsigned count = side_places(&one, side, a), count_b = side_places(&other, second_side, b);
    bool same = count == count_b && memcmp(a, b, count * sizeof a[0]) == 0;
    for (unsigned i = 0; i < count && same; i++)
        same = a[i] == TESSELLATE_ONE - a[count - 1 - i]; /* from whichever end */
    if (!same)
        fprintf(report, "# sides %u and %u of level %g differ\n", side, second_side, (double)levels.outer[side]);
    return same;
}

static void test_patches_that_share_an_edge_have_the_same_points_on_it(void **state) {
    (void)state;
    assert_int_equal(rounds_failed(play_neighbours, 2000), 0);
}

/* ---- rules ---- */

static const struct tessellate_levels ones = {{1, 1, 1, 1}, {1, 1}};

static void test_a_patch_is_discarded_by_a_level_that_is_not_above_zero(void **state) {
    static const float bad[] = {0, -1, NAN, -INFINITY, -0.0f};
    static const unsigned relevant[] = {2, 3, 4};
    static struct whole whole;
    (void)state;
    for (unsigned domain = 0; domain < 3; domain++) {
        for (unsigned i = 0; i < 4; i++) {
            for (unsigned k = 0; k < sizeof bad / sizeof bad[0]; k++) {
                struct tessellate_levels levels = ones;
                levels.outer[i] = bad[k];
                assert_int_equal(make(&whole, domain, 0, 2, &levels), i >= relevant[domain]);
            }
        }
    }
    for (unsigned k = 0; k < sizeof bad / sizeof bad[0]; k++)
        assert_true(make(&whole, TESSELLATE_QUADS, 0, 2, &(struct tessellate_levels){{1, 1, 1, 1}, {bad[k], bad[k]}}));
}

static void test_a_domain_or_spacing_that_there_is_not_makes_nothing(void **state) {
    static struct whole whole;
    (void)state;
    assert_false(make(&whole, 3, 0, 2, &ones));
    assert_false(make(&whole, 1, 3, 2, &ones));
}

static unsigned count_of(unsigned domain, unsigned spacing, float outer, float inner, unsigned *points) {
    static struct whole whole;
    struct tessellate_levels levels = {{outer, outer, outer, outer}, {inner, inner}};
    assert_true(make(&whole, domain, spacing, 2, &levels));
    *points = whole.tessellation.points;
    return whole.primitives;
}

static void test_levels_are_bounded_by_their_spacing(void **state) {
    unsigned points;
    (void)state;
    assert_int_equal(count_of(TESSELLATE_QUADS, TESSELLATE_EQUAL, 1000, 1000, &points), 64 * 64 * 2);
    assert_int_equal(points, 65 * 65);
    assert_int_equal(count_of(TESSELLATE_QUADS, TESSELLATE_ODD, INFINITY, 64, &points), 63 * 63 * 2);
    assert_int_equal(points, 64 * 64);
    assert_int_equal(count_of(TESSELLATE_QUADS, TESSELLATE_EVEN, 0.25f, NAN, &points), 2 * 2 * 2);
    assert_int_equal(points, 3 * 3);
    assert_int_equal(count_of(TESSELLATE_TRIANGLES, TESSELLATE_EQUAL, 2.5f, 2.5f, &points), 1 + 4 * 3);
    assert_int_equal(points, 9 + 3);
    assert_int_equal(count_of(TESSELLATE_TRIANGLES, TESSELLATE_ODD, 1, 1, &points), 1);
    assert_int_equal(points, 3);
}

static void test_an_inner_level_of_1_has_a_ring_where_others_are_above_1(void **state) {
    unsigned points;
    (void)state;
    assert_int_equal(count_of(TESSELLATE_TRIANGLES, TESSELLATE_EQUAL, 2, 1, &points), 6);
    assert_int_equal(points, 6 + 1);
    assert_int_equal(count_of(TESSELLATE_TRIANGLES, TESSELLATE_ODD, 3, 1, &points), 3 * (3 + 1) + 1);
    assert_int_equal(points, 9 + 3);
    assert_int_equal(count_of(TESSELLATE_QUADS, TESSELLATE_ODD, 3, 1, &points), 4 * (3 + 1) + 2);
    assert_int_equal(points, 12 + 4);
    /* of a quad also where only the other inner level is */
    static struct whole whole;
    assert_true(make(&whole, TESSELLATE_QUADS, TESSELLATE_ODD, 2, &(struct tessellate_levels){{1, 1, 1, 1}, {3, 1}}));
    assert_int_equal(whole.primitives, 4 * (1 + 1) + 2);
    assert_int_equal(whole.tessellation.points, 4 + 4);
}

static void assert_point(const struct whole *whole, unsigned number, uint32_t u, uint32_t v) {
    assert_true(number < whole->tessellation.points);
    assert_int_equal(whole->point[number][0], u);
    assert_int_equal(whole->point[number][1], v);
}

static void test_points_are_in_16_bits_of_fraction_by_rounded_reciprocals(void **state) {
    static struct whole whole;
    (void)state;
    assert_true(
        make(&whole, TESSELLATE_TRIANGLES, TESSELLATE_EQUAL, 2, &(struct tessellate_levels){{3, 3, 3, 0}, {3, 0}}));
    assert_point(&whole, 0, 0, 0x10000);
    assert_point(&whole, 1, 0, 0xaaab); /* two thirds as one without a third */
    assert_point(&whole, 2, 0, 0x5555);
    assert_point(&whole, 3, 0, 0);
    assert_point(&whole, 7, 0xaaab, 0x5555);
    assert_point(&whole, 9, 0x38e3, 0x8e39);
    assert_true(make(&whole, TESSELLATE_QUADS, TESSELLATE_EQUAL, 2, &(struct tessellate_levels){{6, 7, 1, 1}, {1, 1}}));
    assert_point(&whole, 5, 0, 0x2aab); /* a sixth */
    assert_point(&whole, 7, 0x2492, 0); /* a seventh */
    assert_true(
        make(&whole, TESSELLATE_TRIANGLES, TESSELLATE_EQUAL, 2, &(struct tessellate_levels){{1, 1, 1, 0}, {2, 0}}));
    assert_point(&whole, 3, 0x5555, 0x5555);
}

static void test_a_fractional_row_grows_a_pair_of_segments(void **state) {
    static struct whole whole;
    (void)state;
    assert_true(make(&whole, TESSELLATE_ISOLINES, TESSELLATE_EVEN, 1, &(struct tessellate_levels){{1, 3, 0, 0}, {0}}));
    assert_int_equal(whole.tessellation.points, 5);
    for (unsigned i = 0; i < 5; i++) {
        static const uint32_t expected[] = {0, 0x6000, 0x8000, 0xa000, 0x10000};
        assert_point(&whole, i, expected[i], 0);
    }
    assert_true(make(&whole, TESSELLATE_ISOLINES, TESSELLATE_ODD, 1, &(struct tessellate_levels){{1, 2, 0, 0}, {0}}));
    assert_int_equal(whole.tessellation.points, 4);
    assert_point(&whole, 1, 0x2aab, 0);
    assert_point(&whole, 2, 0xd555, 0);
}

static void test_isolines_are_lines_along_u_and_none_is_at_v_1(void **state) {
    static struct whole whole;
    (void)state;
    assert_true(
        make(&whole, TESSELLATE_ISOLINES, TESSELLATE_EQUAL, 1, &(struct tessellate_levels){{3.5f, 2, 0, 0}, {0}}));
    assert_int_equal(whole.tessellation.points, 4 * 3);
    assert_int_equal(whole.primitives, 4 * 2);
    assert_point(&whole, 4, 0x8000, 0x4000);
    assert_point(&whole, 11, 0x10000, 0xc000);
    assert_int_equal(whole.primitive[3].corners, 2);
    assert_int_equal(whole.primitive[3].point[0], 4);
    assert_int_equal(whole.primitive[3].point[1], 5);
    /* The number of lines is always an integer. */
    assert_true(make(&whole, TESSELLATE_ISOLINES, TESSELLATE_ODD, 1, &(struct tessellate_levels){{2, 1, 0, 0}, {0}}));
    assert_int_equal(whole.primitives, 2);
    assert_point(&whole, 2, 0, 0x8000);
}

static void test_points_mode_has_each_point_once_in_order(void **state) {
    static struct whole whole;
    (void)state;
    for (unsigned domain = 0; domain < 3; domain++) {
        assert_true(make(&whole, domain, TESSELLATE_EQUAL, TESSELLATE_AS_POINTS,
                         &(struct tessellate_levels){{9, 8, 7, 6}, {9, 9}}));
        assert_int_equal(whole.primitives, whole.tessellation.points);
        for (unsigned i = 0; i < whole.primitives; i++) {
            assert_int_equal(whole.primitive[i].corners, 1);
            assert_int_equal(whole.primitive[i].point[0], i);
        }
    }
}

static void assert_triangle(const struct whole *whole, unsigned number, unsigned a, unsigned b, unsigned c) {
    const uint16_t *point = whole->primitive[number].point;
    assert_true(point[0] == a && point[1] == b && point[2] == c);
}

static void test_the_least_patches_are_one_triangle_and_two(void **state) {
    static struct whole whole;
    (void)state;
    assert_true(make(&whole, TESSELLATE_QUADS, TESSELLATE_ODD, TESSELLATE_CLOCKWISE, &ones));
    assert_point(&whole, 0, 0, 0);
    assert_point(&whole, 2, 0x10000, 0x10000);
    assert_triangle(&whole, 0, 0, 1, 3);
    assert_triangle(&whole, 1, 1, 2, 3);
    assert_true(make(&whole, TESSELLATE_TRIANGLES, TESSELLATE_EQUAL, TESSELLATE_COUNTERCLOCKWISE, &ones));
    assert_point(&whole, 0, 0, 0x10000);
    assert_point(&whole, 2, 0x10000, 0);
    assert_triangle(&whole, 0, 0, 2, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_patches_are_those_of_a_plain_tessellator),
        cmocka_unit_test(test_triangles_cover_the_domain_once_and_have_one_winding),
        cmocka_unit_test(test_triangles_meet_edge_to_edge),
        cmocka_unit_test(test_patches_that_share_an_edge_have_the_same_points_on_it),
        cmocka_unit_test(test_a_patch_is_discarded_by_a_level_that_is_not_above_zero),
        cmocka_unit_test(test_a_domain_or_spacing_that_there_is_not_makes_nothing),
        cmocka_unit_test(test_levels_are_bounded_by_their_spacing),
        cmocka_unit_test(test_an_inner_level_of_1_has_a_ring_where_others_are_above_1),
        cmocka_unit_test(test_points_are_in_16_bits_of_fraction_by_rounded_reciprocals),
        cmocka_unit_test(test_a_fractional_row_grows_a_pair_of_segments),
        cmocka_unit_test(test_isolines_are_lines_along_u_and_none_is_at_v_1),
        cmocka_unit_test(test_points_mode_has_each_point_once_in_order),
        cmocka_unit_test(test_the_least_patches_are_one_triangle_and_two),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
