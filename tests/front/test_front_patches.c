/* SPDX-License-Identifier: MIT */
/* Draws of patches, on a rig: through control programs, the tessellator and evaluation programs. */
#include "front/draw_rig.h"

#include "front/patch_programs.h"

#include <string.h>

enum {
    CONTROL = 0x230,
    EVALUATION = 0x4d0,
    PATCHES = 14,
    COUNTED_VERTICES = 1,
    COUNTED_PRIMITIVES = 3,
    COUNTED_CLIPPER = 0xf,
    COUNTED_CONTROL = 0x1b,
    COUNTED_EVALUATION = 0x1d,
    COUNTED_TESSELLATED = 0x1f,
    QUADS_CLOCKWISE = 2 | 2 << 8,
};

static void put_program(struct engine_rig *rig, uint32_t at, const uint32_t *header, const uint64_t *words) {
    put(rig, CODE + at, header, 20);
    for (unsigned i = 0; i < PATCH_PROGRAM_WORDS; i++)
        put(rig, CODE + at + 0x50 + i * 8, (uint32_t[]){(uint32_t)words[i], (uint32_t)(words[i] >> 32)}, 2);
}

static void put_corner(struct engine_rig *rig, unsigned number, float x, float y, float level, float red) {
    put(rig, VERTICES + number * STRIDE, (uint32_t[]){bits(x), bits(y), bits(level), bits(1), bits(red), 0}, 6);
}

/* From x0 to x1, all of the height. */
static void put_patch(struct engine_rig *rig, unsigned first, float x0, float x1, float level, float red) {
    for (unsigned i = 0; i < 4; i++)
        put_corner(rig, first + i, i & 1 ? x1 : x0, i & 2 ? 1 : -1, level, i == 3 ? red : 1);
}

static unsigned begin_patches(struct engine_rig *rig) {
    unsigned id = draw_begin(rig);
    put_program(rig, CONTROL, patch_headers[0], patch_maxwell.control);
    put_program(rig, EVALUATION, patch_headers[1], patch_maxwell.evaluation);
    put_patch(rig, 0, -1, 0, 3, 0.2f);
    put_patch(rig, 4, 0, 1, 3, 0.2f);
    send(rig, id, 0, 0x2080, 0x21, CONTROL);
    send(rig, id, 0, 0x20c0, 0x31, EVALUATION);
    send(rig, id, 0, 0x320, QUADS_CLOCKWISE);
    send(rig, id, 0, 0xdcc, 4);
    return id;
}

static void draw_patches(struct engine_rig *rig, unsigned id, unsigned vertices) {
    send(rig, id, 0, 0x1618, PATCHES);
    send(rig, id, 0, 0xd74, 0, vertices);
    send(rig, id, 0, 0x1614, 0);
}

static uint32_t pixel(struct engine_rig *rig, unsigned x, unsigned y) {
    return engine_rig_rd32(rig, TARGET + (y * WIDTH + x) * 4u);
}

/* Red of both halves, which are drawn if that is not 0; and the target is cleared. */
static void expect_halves(struct engine_rig *rig, uint32_t left, uint32_t right) {
    for (unsigned y = 0; y < WIDTH; y++)
        for (unsigned x = 0; x < WIDTH; x++)
            assert_int_equal(pixel(rig, x, y) & 0xff, x < WIDTH / 2 ? left : right);
    for (unsigned i = 0; i < WIDTH * WIDTH; i++)
        engine_rig_wr32(rig, TARGET + i * 4, 0);
}

static uint64_t counted(struct engine_rig *rig, unsigned id, uint32_t report) {
    send(rig, id, 0, 0x1b00, 0, REPORT, 0, 2 | report << 23);
    uint64_t value = engine_rig_rd64(rig, REPORT);
    return value;
}

static unsigned pixels(struct engine_rig *rig) {
    unsigned count = 0;
    for (unsigned i = 0; i < WIDTH * WIDTH; i++) {
        count += engine_rig_rd32(rig, TARGET + i * 4) != 0;
        engine_rig_wr32(rig, TARGET + i * 4, 0);
    }
    return count;
}

/* 0.2 and 0.45 of 255. */
enum { FIRST = 51, SECOND = 115 };

static void patches_go_through_control_and_evaluation(void **state) {
    struct engine_rig rig;
    unsigned id = begin_patches(&rig);
    (void)state;
    draw_patches(&rig, id, 8);
    expect_halves(&rig, FIRST, SECOND);
    expect_only_draws(&rig);
    engine_rig_stop(&rig);
}

static void patches_and_what_becomes_of_them_are_counted(void **state) {
    struct engine_rig rig;
    unsigned id = begin_patches(&rig);
    (void)state;
    draw_patches(&rig, id, 8);
    assert_int_equal(counted(&rig, id, COUNTED_VERTICES), 8);
    assert_int_equal(counted(&rig, id, COUNTED_PRIMITIVES), 2);
    assert_int_equal(counted(&rig, id, COUNTED_CONTROL), 2);
    assert_int_equal(counted(&rig, id, COUNTED_EVALUATION), 2 * 16);
    assert_int_equal(counted(&rig, id, COUNTED_TESSELLATED), 2 * 18);
    assert_int_equal(counted(&rig, id, COUNTED_CLIPPER), 2 * 18);
    put_patch(&rig, 0, -1, 0, 64, 0.2f);
    put_patch(&rig, 4, 0, 1, 64, 0.2f);
    draw_patches(&rig, id, 8);
    assert_int_equal(counted(&rig, id, COUNTED_EVALUATION), 2 * (16 + 65 * 65));
    assert_int_equal(counted(&rig, id, COUNTED_TESSELLATED), 2 * (18 + 2 * 64 * 64));
    assert_int_equal(counted(&rig, id, COUNTED_CLIPPER), 2 * (18 + 2 * 64 * 64));
    expect_halves(&rig, FIRST, SECOND);
    engine_rig_stop(&rig);
}

static void a_patch_without_a_level_is_discarded(void **state) {
    struct engine_rig rig;
    unsigned id = begin_patches(&rig);
    (void)state;
    for (unsigned corner = 0; corner < 4; corner++) {
        put_corner(&rig, corner, corner & 1 ? 0 : -1, corner & 2 ? 1 : -1, 0, 0.2f);
        draw_patches(&rig, id, 8);
        expect_halves(&rig, 0, SECOND);
        put_patch(&rig, 0, -1, 0, 3, 0.2f);
    }
    put_patch(&rig, 4, 0, 1, 0, 0.2f);
    draw_patches(&rig, id, 8);
    expect_halves(&rig, FIRST, 0);
    expect_only_draws(&rig);
    engine_rig_stop(&rig);
}

/* Which evaluation programs can read: here red is a[0x14], an inner level. */
static void without_a_control_program_levels_come_from_methods(void **state) {
    struct engine_rig rig;
    unsigned id = begin_patches(&rig);
    (void)state;
    engine_rig_wr32(&rig, CODE + EVALUATION + 0x50 + 54 * 8, 0x8147ff00);
    send(&rig, id, 0, 0x2080, 0x20);
    send(&rig, id, 0, 0x324, bits(2), bits(2), bits(2), bits(2), bits(2), bits(0.2f));
    draw_patches(&rig, id, 8);
    expect_halves(&rig, FIRST, FIRST);
    assert_int_equal(counted(&rig, id, COUNTED_CONTROL), 0);
    assert_int_equal(counted(&rig, id, COUNTED_EVALUATION), 2 * 9);
    assert_int_equal(counted(&rig, id, COUNTED_TESSELLATED), 2 * 8);
    send(&rig, id, 0, 0x324, bits(0));
    draw_patches(&rig, id, 8);
    expect_halves(&rig, 0, 0);
    engine_rig_stop(&rig);
}

static void an_index_that_restarts_drops_the_vertices_of_a_patch(void **state) {
    struct engine_rig rig;
    unsigned id = begin_patches(&rig);
    (void)state;
    put(&rig, INDICES, (uint32_t[]){0 | 1 << 8 | 255u << 24, 4 | 5 << 8 | 6 << 16 | 7 << 24, 0}, 3);
    send(&rig, id, 0, 0x1644, 1, 0xff);
    send(&rig, id, 0, 0x17d8, 0);
    send(&rig, id, 0, 0x1618, PATCHES);
    send(&rig, id, 0, 0x17dc, 0, 11);
    send(&rig, id, 0, 0x1614, 0);
    expect_halves(&rig, 0, FIRST);
    assert_int_equal(counted(&rig, id, COUNTED_PRIMITIVES), 1);
    engine_rig_stop(&rig);
}

static void points_and_lines_are_made_where_they_are_asked_for(void **state) {
    struct engine_rig rig;
    unsigned id = begin_patches(&rig);
    (void)state;
    put_patch(&rig, 0, -1, 1, 3, 0.2f);
    send(&rig, id, 0, 0x1518, bits(1)); /* the size of points */
    send(&rig, id, 0, 0x320, 2);
    draw_patches(&rig, id, 4);
    assert_int_equal(counted(&rig, id, COUNTED_TESSELLATED), 16);
    assert_int_equal(counted(&rig, id, COUNTED_CLIPPER), 16);
    assert_in_range(pixels(&rig), 4, 16);
    send(&rig, id, 0, 0x320, 0 | 1 << 8);
    draw_patches(&rig, id, 4);
    assert_int_equal(counted(&rig, id, COUNTED_TESSELLATED), 16 + 9);
    assert_in_range(pixels(&rig), 2 * 60, 3 * WIDTH);
    send(&rig, id, 0, 0x320, 3); /* no domain */
    draw_patches(&rig, id, 4);
    assert_int_equal(pixels(&rig), 0);
    engine_rig_stop(&rig);
}

/* Clockwise as v grows downwards, which y does not here. */
static void triangles_are_wound_as_they_are_asked_for(void **state) {
    struct engine_rig rig;
    unsigned id = begin_patches(&rig);
    (void)state;
    send(&rig, id, 0, 0x1918, 1, 0x901, 0x405); /* what is not counterclockwise in the window */
    for (unsigned turned = 0; turned < 2; turned++) {
        send(&rig, id, 0, 0x320, 2 | (2 + turned) << 8);
        draw_patches(&rig, id, 8);
        if (turned)
            expect_halves(&rig, FIRST, SECOND);
        else
            expect_halves(&rig, 0, 0);
    }
    engine_rig_stop(&rig);
}

static void patches_without_an_evaluation_program_say_so(void **state) {
    struct engine_rig rig;
    unsigned id = begin_patches(&rig);
    (void)state;
    send(&rig, id, 0, 0x20c0, 0x30);
    draw_patches(&rig, id, 8);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_NOT_EXECUTED), 1);
    assert_string_equal(engine_rig_event(&rig, EVENT_ENGINE_NOT_EXECUTED, 0)->text,
                        "patches without an evaluation program");
    assert_int_equal(pixels(&rig), 0);
    engine_rig_stop(&rig);
}

static void other_primitives_do_not_go_through_programs_of_patches(void **state) {
    struct engine_rig rig;
    unsigned id = begin_patches(&rig);
    (void)state;
    put_patch(&rig, 0, -1, 0, 0, 1);
    send(&rig, id, 0, 0x1618, STRIP);
    send(&rig, id, 0, 0xd74, 0, 4);
    send(&rig, id, 0, 0x1614, 0);
    expect_halves(&rig, 255, 0);
    assert_int_equal(counted(&rig, id, COUNTED_CONTROL), 0);
    put_patch(&rig, 0, -1, 0, 1, 0.2f);
    draw_patches(&rig, id, 4);
    expect_halves(&rig, FIRST, 0);
    engine_rig_stop(&rig);
}

/* Instructions in place of some of a program; the others stay. */
static void put_instruction(struct engine_rig *rig, unsigned id, uint32_t program, unsigned number, uint64_t word) {
    put(rig, CODE + program + 0x50 + number * 8, (uint32_t[]){(uint32_t)word, (uint32_t)(word >> 32)}, 2);
    send(rig, id, 0, 0x21c, 1);
}

/* SR 0x10 >> 8, as 1/16: red of the patch. The programs take the first four vertices. */
static void control_programs_know_how_many_vertices_a_patch_has(void **state) {
    struct engine_rig rig;
    unsigned id = begin_patches(&rig);
    (void)state;
    put_instruction(&rig, id, CONTROL, 23, 0xf0c8000001000001); /* S2R R1, SR 0x10 */
    put_instruction(&rig, id, CONTROL, 26, 0x32a07fb980000100); /* FFMA R0 = R1 / 4096, after I2F */
    for (unsigned size = 4; size <= 12; size += 2) {
        put_patch(&rig, 0, -1, 0, 3, 0.2f);
        put_patch(&rig, size, 0, 1, 3, 0.2f);
        send(&rig, id, 0, 0xdcc, size);
        draw_patches(&rig, id, 2 * size);
        uint32_t red = (size * 255 * 2 + 16) / 32;
        expect_halves(&rig, red, red);
    }
    engine_rig_stop(&rig);
}

/* Their target is of whole numbers. The id is that of the patch, from the number that is kept on. */
static void fragment_programs_see_the_id_of_their_patch(void **state) {
    struct engine_rig rig;
    unsigned id = begin_patches(&rig);
    (void)state;
    put_instruction(&rig, id, FRAGMENT, 1, 0xe083ff860ff7ff00); /* IPA.CONSTANT R0, a[0x60] */
    put_instruction(&rig, id, FRAGMENT, 2, 0x1c00000000170000); /* IADD32I R0, R0, 1 */
    put_instruction(&rig, id, FRAGMENT, 3, 0xe30000000007000f);
    engine_rig_wr32(&rig, CODE + FRAGMENT + 5 * 4, 0x81000000);
    send(&rig, id, 0, 0x810, 0xe4);
    draw_patches(&rig, id, 8);
    expect_halves(&rig, 1, 2);
    send(&rig, id, 0, 0x1618, PATCHES | 1 << 24);
    send(&rig, id, 0, 0xd74, 0, 8);
    send(&rig, id, 0, 0x1614, 0);
    expect_halves(&rig, 3, 4);
    engine_rig_stop(&rig);
}

/* Red is x of the point, and flat. Triangles of a quad are 0 1 3 and 1 2 3, or 0 3 1 and 1 3 2; x is 1 at 1 and 2. */
static void triangles_of_a_patch_have_their_first_or_last_corner_provoke(void **state) {
    static const uint8_t expected[2][2][2] = {{{51, 255}, {51, 51}}, {{51, 255}, {255, 255}}};
    struct engine_rig rig;
    unsigned id = begin_patches(&rig);
    (void)state;
    put_instruction(&rig, id, EVALUATION, 54, 0x5c98078000070000); /* MOV R0, R0: x of the position */
    engine_rig_wr32(&rig, CODE + FRAGMENT + 6 * 4, 9);
    put_patch(&rig, 0, 0.2f, 1, 1, 0.2f);
    for (unsigned turned = 0; turned < 2; turned++) {
        for (unsigned last = 0; last < 2; last++) {
            send(&rig, id, 0, 0x1684, last);
            send(&rig, id, 0, 0x320, 2 | (2 + turned) << 8);
            draw_patches(&rig, id, 4);
            uint32_t seen[2] = {pixel(&rig, 40, 2) & 0xff, pixel(&rig, WIDTH - 2, WIDTH - 2) & 0xff};
            if (seen[0] != expected[turned][last][0] || seen[1] != expected[turned][last][1])
                fail_msg("turned %u last %u: %u %u", turned, last, seen[0], seen[1]);
            pixels(&rig);
        }
    }
    engine_rig_stop(&rig);
}

/* Many patches of many points: the same sums, wherever the machine is saved. */
static void a_long_draw_of_patches_is_the_same_after_a_restore(void **state) {
    enum { COUNT = 24 };
    struct engine_rig rig[2];
    uint32_t expected[WIDTH * WIDTH];
    (void)state;
    for (unsigned round = 0; round < 2; round++) {
        struct engine_rig *now = &rig[0];
        unsigned id = begin_patches(now), slices = 0, moves = 0;
        for (unsigned i = 0; i < COUNT; i++)
            put_patch(now, 4 * i, -1 + (float)(i % 5) * 0.25f, 1 - (float)(i % 3) * 0.25f, (float)(20 + i),
                      (float)i / 64);
        send(now, id, 0, 0x1618, PATCHES);
        send(now, id, 0, 0xd74, 0);
        while (engine_rig_offer(now, id, 0, 0xd78, 4, WORDS(4 * COUNT)) == 0) {
            assert_true(++slices < 100000);
            if (round && slices % 5 == 3 && moves < 8) {
                struct engine_rig *next = now == &rig[0] ? &rig[1] : &rig[0];
                draw_go_on_elsewhere(now, next, id);
                now = next;
                moves++;
            }
        }
        send(now, id, 0, 0x1614, 0);
        assert_true(slices > 8 && (!round || moves == 8));
        uint64_t triangles = 0;
        for (unsigned i = 0; i < COUNT; i++)
            triangles += 2ull * (20 + i) * (20 + i);
        assert_int_equal(counted(now, id, COUNTED_TESSELLATED), triangles);
        assert_int_equal(counted(now, id, COUNTED_CONTROL), COUNT);
        for (unsigned i = 0; i < WIDTH * WIDTH; i++) {
            uint32_t value = engine_rig_rd32(now, TARGET + i * 4);
            if (round)
                assert_int_equal(value, expected[i]);
            expected[i] = value;
        }
        engine_rig_stop(now);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(patches_go_through_control_and_evaluation),
        cmocka_unit_test(patches_and_what_becomes_of_them_are_counted),
        cmocka_unit_test(a_patch_without_a_level_is_discarded),
        cmocka_unit_test(without_a_control_program_levels_come_from_methods),
        cmocka_unit_test(an_index_that_restarts_drops_the_vertices_of_a_patch),
        cmocka_unit_test(points_and_lines_are_made_where_they_are_asked_for),
        cmocka_unit_test(triangles_are_wound_as_they_are_asked_for),
        cmocka_unit_test(patches_without_an_evaluation_program_say_so),
        cmocka_unit_test(other_primitives_do_not_go_through_programs_of_patches),
        cmocka_unit_test(control_programs_know_how_many_vertices_a_patch_has),
        cmocka_unit_test(fragment_programs_see_the_id_of_their_patch),
        cmocka_unit_test(triangles_of_a_patch_have_their_first_or_last_corner_provoke),
        cmocka_unit_test(a_long_draw_of_patches_is_the_same_after_a_restore),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
