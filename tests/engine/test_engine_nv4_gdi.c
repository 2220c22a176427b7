/* SPDX-License-Identifier: MIT */
/* GDI of NV4 and later: rectangles, bits, characters; and what nouveau's console sends. */
#include "nv4_scene.h"

#define GDI 0x4a

static void open_gdi(struct scene *scene, uint32_t format) {
    scene_start(scene, "NV17", format, 256);
    scene_object(scene, GDI, 0x198, 0x2fc, SRCCOPY);
    scene_send(scene, 0x300, 3, 1);
}

static void a_rectangle_has_its_words_the_other_way_round(void **state) {
    (void)state;
    struct scene scene;
    open_gdi(&scene, FORMAT_Y32);
    scene_send(&scene, 0x3fc, 7, xy(2, 10), xy(3, 4)); /* y 2, x 10, h 3, w 4 */
    assert_int_equal(scene_count(&scene, 64, 64, 7), 12);
    assert_int_equal(scene_pixel(&scene, 10, 2), 7);
    assert_int_equal(scene_pixel(&scene, 13, 4), 7);
    scene_stop(&scene);
}

static void a_clipped_rectangle_is_two_corners(void **state) {
    (void)state;
    struct scene scene;
    open_gdi(&scene, FORMAT_Y32);
    scene_send(&scene, 0x5f4, xy(4, 4), xy(8, 8), 9, xy(2, 6), xy(7, 20));
    assert_int_equal(scene_count(&scene, 64, 64, 9), 3 * 2);
    assert_int_equal(scene_pixel(&scene, 4, 6), 9);
    assert_int_equal(scene_pixel(&scene, 6, 7), 9);
    scene_stop(&scene);
}

static void rectangles_share_their_point(void **state) {
    (void)state;
    struct scene scene;
    open_gdi(&scene, FORMAT_Y32);
    scene_send(&scene, 0x3fc, 7, xy(2, 10)); /* y 2, x 10 */
    scene_send(&scene, 0x40c, xy(3, 4));     /* the second one's size */
    assert_int_equal(scene_count(&scene, 64, 64, 7), 12);
    assert_int_equal(scene_pixel(&scene, 13, 4), 7);
    scene_send(&scene, 0x5f4, xy(0, 0), xy(64, 64), 9);
    scene_send(&scene, 0x614, xy(12, 3)); /* up to this corner */
    assert_int_equal(scene_count(&scene, 64, 64, 9), 2);
    assert_int_equal(scene_pixel(&scene, 10, 2), 9);
    scene_stop(&scene);
}

static void zeros_of_c_are_transparent(void **state) {
    (void)state;
    struct scene scene;
    open_gdi(&scene, FORMAT_Y32);
    scene_send(&scene, 0x7ec, xy(0, 0), xy(64, 64), 5, xy(8, 2), xy(3, 3), 0x0180);
    assert_int_equal(scene_count(&scene, 64, 64, 5), 2);
    assert_int_equal(scene_pixel(&scene, 3, 3), 5); /* bit 7 of the first byte is the first */
    assert_int_equal(scene_pixel(&scene, 10, 4), 5);
    scene_stop(&scene);
}

static void the_other_order_begins_with_bit_0(void **state) {
    (void)state;
    struct scene scene;
    open_gdi(&scene, FORMAT_Y32);
    scene_send(&scene, 0x304, 2);
    scene_send(&scene, 0x7ec, xy(0, 0), xy(64, 64), 5, xy(8, 2), xy(3, 3), 0x0180);
    assert_int_equal(scene_pixel(&scene, 10, 3), 5);
    assert_int_equal(scene_pixel(&scene, 3, 4), 5);
    assert_int_equal(scene_count(&scene, 64, 64, 5), 2);
    scene_stop(&scene);
}

static void e_has_two_colours_and_drops_what_is_too_much(void **state) {
    (void)state;
    struct scene scene;
    open_gdi(&scene, FORMAT_Y32);
    scene_send(&scene, 0xbe4, xy(0, 0), xy(64, 64), 1, 2, xy(8, 3), xy(5, 2), xy(10, 10), 0x00c0f0);
    assert_int_equal(scene_count(&scene, 64, 64, 2), 4 + 2);
    assert_int_equal(scene_count(&scene, 64, 64, 1), 1 + 3);
    assert_int_equal(scene_pixel(&scene, 14, 10), 1);
    assert_int_equal(scene_pixel(&scene, 15, 10), 0);
    assert_event(&scene.rig, EVENT_ENGINE_DONE, 0, "text", GDI, 0xc00);
    scene_send(&scene, 0xc00, 0xffffffff); /* beyond the end */
    assert_int_equal(scene_count(&scene, 64, 64, 2), 6);
    scene_stop(&scene);
}

/* Bits that are kept end in the middle of a row: the next ones begin there, to the right of what is shown. */
static void bits_beyond_the_shown_width_are_not_drawn(void **state) {
    (void)state;
    static uint32_t ones[33 * 32];
    struct scene scene;
    open_gdi(&scene, FORMAT_Y32);
    memset(ones, 0xff, sizeof ones);
    scene_send(&scene, 0xbe4, xy(0, 0), xy(64, 64), 1, 2, xy(33 * 32, 32), xy(16, 32), xy(0, 0));
    sent(&scene.rig, scene.id, 0, 0xc00, 0, ones, sizeof ones / sizeof ones[0]);
    assert_int_equal(scene_count(&scene, 64, 64, 2), 16 * 32);
    assert_int_equal(scene_pixel(&scene, 32, 31), 0);
    scene_stop(&scene);
}

/* Character 2 of a font whose records have 16 bytes: width 8, height 3, bits. */
static void characters_come_from_memory(void **state) {
    (void)state;
    struct scene scene;
    open_gdi(&scene, FORMAT_Y32);
    engine_rig_wr32(&scene.rig, 0x50100 + 2 * 16, 3u << 16 | 8);
    engine_rig_wr32(&scene.rig, 0x50100 + 2 * 16 + 4, 0x0001ff80);
    scene_send(&scene, 0x184, 5);
    scene_send(&scene, 0xff0, 4u << 28 | 0x100, xy(0, 0), xy(64, 64), 6);
    scene_send(&scene, 0x1000, 2 | 20 << 8 | 30u << 20);
    assert_int_equal(scene_count(&scene, 64, 64, 6), 1 + 8 + 1);
    assert_int_equal(scene_pixel(&scene, 20, 30), 6);
    assert_int_equal(scene_pixel(&scene, 27, 31), 6);
    assert_int_equal(scene_pixel(&scene, 27, 32), 6);
    scene_send(&scene, 0xffc, 8);
    scene_send(&scene, 0x1000, 2 | 0xfffu << 8 | 50u << 20); /* x has a sign: -1 */
    assert_int_equal(scene_count(&scene, 64, 64, 8), 7 + 1);
    scene_send(&scene, 0x17f0, 4u << 28 | 0x100, xy(0, 0), xy(64, 64), 7);
    scene_send(&scene, 0x1ff8, xy(-1, 5), 2); /* the last place; its first column is off the surface */
    assert_int_equal(scene_count(&scene, 64, 64, 7), 7 + 1);
    scene_stop(&scene);
}

/* Of bits and characters: rectangles have one of their own. */
static void text_has_one_point(void **state) {
    (void)state;
    struct scene scene;
    open_gdi(&scene, FORMAT_Y32);
    engine_rig_wr32(&scene.rig, 0x50100, 1u << 16 | 8);
    engine_rig_wr32(&scene.rig, 0x50104, 0x80);
    scene_send(&scene, 0x184, 5);
    scene_send(&scene, 0x17f0, 4u << 28 | 0x100, xy(0, 0), xy(64, 64), 9, xy(1, 2));
    scene_send(&scene, 0x400, xy(40, 40)); /* a rectangle's */
    scene_send(&scene, 0x1804, 0);
    assert_int_equal(scene_pixel(&scene, 1, 2), 9);
    scene_send(&scene, 0x7fc, xy(3, 4)); /* of bits */
    scene_send(&scene, 0x1804, 0);
    assert_int_equal(scene_pixel(&scene, 3, 4), 9);
    scene_send(&scene, 0xbfc, xy(5, 6));
    scene_send(&scene, 0x1804, 0);
    assert_int_equal(scene_pixel(&scene, 5, 6), 9);
    scene_send(&scene, 0xff0, 4u << 28 | 0x100);
    scene_send(&scene, 0x1000, 7 << 8 | 8 << 20); /* of a character in one word */
    scene_send(&scene, 0xffc, 10);
    scene_send(&scene, 0x1804, 0);
    assert_int_equal(scene_pixel(&scene, 7, 8), 10);
    scene_stop(&scene);
}

/* ---- GDI of NV3 ---- */

static void open_old_gdi(struct scene *scene) {
    scene_start(scene, "NV5", FORMAT_A8R8G8B8, 256);
    assert_true(engine_rig_bind(&scene->rig, scene->id, 0, 0x4b));
    scene_send(scene, 0x190, 0x58);
    scene_send(scene, 0x300, 3, 2);
}

static void the_class_of_nv3_draws_rectangles(void **state) {
    (void)state;
    struct scene scene;
    open_old_gdi(&scene);
    scene_send(&scene, 0x3fc, 0x111111, xy(1, 2), xy(1, 3)); /* y first */
    assert_int_equal(scene_count(&scene, 64, 64, 0xff111111), 3);
    assert_int_equal(scene_pixel(&scene, 4, 1), 0xff111111);
    scene_send(&scene, 0x5f8, xy(9, 9), xy(1, 1)); /* the last of its 64 */
    assert_int_equal(scene_pixel(&scene, 9, 9), 0xff111111);
    scene_send(&scene, 0x7f4, xy(10, 10), xy(20, 20), 0x222222, xy(0, 0), xy(12, 13));
    assert_int_equal(scene_count(&scene, 64, 64, 0xff222222), 6);
    scene_send(&scene, 0x9f8, xy(18, 18), xy(30, 30));
    assert_int_equal(scene_count(&scene, 64, 64, 0xff222222), 10);
    scene_send(&scene, 0x300, 4); /* a format of other old classes */
    assert_event(&scene.rig, EVENT_ENGINE_ERROR, 0, "INVALID_VALUE", 0x4b, 0x300);
    scene_stop(&scene);
}

static void the_class_of_nv3_draws_bits(void **state) {
    (void)state;
    struct scene scene;
    open_old_gdi(&scene);
    scene_send(&scene, 0xbec, xy(0, 0), xy(64, 64), 0x111111, xy(8, 2), xy(0, 0), 0x0f81);
    assert_int_equal(scene_count(&scene, 64, 64, 0xff111111), 2 + 4);
    scene_send(&scene, 0xfe8, xy(0, 0), xy(64, 64), 0x222222, xy(8, 2), xy(4, 1), xy(0, 10), 0xffff);
    assert_int_equal(scene_count(&scene, 64, 64, 0xff222222), 4);
    scene_send(&scene, 0x13e4, xy(0, 0), xy(64, 64), 0x333333, 0x444444, xy(8, 1), xy(6, 1), xy(0, 20), 0x0f);
    assert_int_equal(scene_count(&scene, 64, 64, 0xff333333), 2);
    assert_int_equal(scene_count(&scene, 64, 64, 0xff444444), 4);
    scene_stop(&scene);
}

/* The colour of zeros is kept as A8R8G8B8, with zeros after 5 bits; the other one as it came. */
static void the_class_of_nv3_has_a_color_of_zeros(void **state) {
    (void)state;
    struct scene scene;
    scene_start(&scene, "NV5", FORMAT_A8R8G8B8, 256);
    assert_true(engine_rig_bind(&scene.rig, scene.id, 0, 0x4b));
    scene_send(&scene, 0x190, 0x58);
    scene_send(&scene, 0x13ec, 1);
    assert_event(&scene.rig, EVENT_ENGINE_ERROR, 0, "STATE_INVALID", 0x4b, 0x13ec);
    scene_send(&scene, 0x300, 2, 2);
    scene_send(&scene, 0x13e4, xy(0, 0), xy(64, 64), 0x001f, 0x001f, xy(8, 1), xy(8, 1), xy(0, 0), 0x0f);
    assert_int_equal(scene_pixel(&scene, 0, 0), 0xff0000ff);
    assert_int_equal(scene_pixel(&scene, 7, 0), 0xff0000f8);
    scene_stop(&scene);
}

static void a_font_needs_a_pitch_that_there_is(void **state) {
    (void)state;
    struct scene scene;
    open_gdi(&scene, FORMAT_Y32);
    scene_send(&scene, 0xff0, 2u << 28);
    assert_event(&scene.rig, EVENT_ENGINE_ERROR, 0, "INVALID_VALUE", GDI, 0xff0);
    scene_send(&scene, 0x1000, 0);
    assert_event(&scene.rig, EVENT_ENGINE_ERROR, 1, "STATE_INVALID", GDI, 0x1000);
    scene_send(&scene, 0xff0, 3u << 28, xy(0, 0), xy(9, 9), 1);
    scene_send(&scene, 0x1000, 0); /* no memory of fonts */
    assert_int_equal(scene.rig.faults, 1);
    scene_send(&scene, 0xff0, 9u << 28);
    assert_int_equal(engine_rig_count(&scene.rig, EVENT_ENGINE_ERROR), 2);
    scene_send(&scene, 0xff0, 10u << 28);
    assert_event(&scene.rig, EVENT_ENGINE_ERROR, 2, "INVALID_VALUE", GDI, 0xff0);
    scene_stop(&scene);
}

/* ---- nouveau's console: nv04_fbcon.c ---- */

static void open_console(struct scene *scene) {
    scene_start(scene, "NV40", FORMAT_R5G6B5, 128);
    scene_set(scene, 0x43, 0x300, 0x55);
    scene_set(scene, 0x44, 0x300, 1, 2, 0, 1, UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX);
    scene_set(scene, 0x19, 0x300, 0, xy(64, 64));
    assert_true(engine_rig_bind(&scene->rig, scene->id, 0, GDI));
    scene_send(scene, 0x198, scene->surfaces);
    scene_send(scene, 0x188, 0x44, 0x43);
    scene_send(scene, 0x304, 1);
    scene_send(scene, 0x300, 1);
    scene_send(scene, 0x2fc, 3);
}

static void a_console_fills(void **state) {
    (void)state;
    struct scene scene;
    open_console(&scene);
    scene_send(&scene, 0x2fc, 3);
    scene_send(&scene, 0x3fc, 0x1234);
    scene_send(&scene, 0x400, 8u << 16 | 16, 24u << 16 | 4);
    assert_int_equal(scene_count(&scene, 64, 64, 0x1234), 24 * 4);
    assert_int_equal(scene_pixel(&scene, 8, 16), 0x1234);
    scene_send(&scene, 0x2fc, 1); /* the other operation: 0x55 inverts */
    scene_send(&scene, 0x400, 8u << 16 | 16, 1u << 16 | 1);
    assert_int_equal(scene_pixel(&scene, 8, 16), 0xedcb);
    assert_int_equal(scene.rig.interrupts, 0);
    scene_stop(&scene);
}

static void a_console_copies(void **state) {
    (void)state;
    struct scene scene;
    open_console(&scene);
    for (unsigned y = 0; y < 32; y++)
        for (unsigned x = 0; x < 64; x++)
            scene_put(&scene, x, y, 0x100 * y + x);
    assert_true(engine_rig_bind(&scene.rig, scene.id, 0, 0x9f));
    scene_send(&scene, 0x19c, scene.surfaces);
    scene_send(&scene, 0x2fc, 3);
    scene_send(&scene, 0x300, xy(0, 8), xy(0, 0), xy(64, 24)); /* a line of text up */
    for (unsigned y = 0; y < 24; y++)
        for (unsigned x = 0; x < 64; x++)
            assert_int_equal(scene_pixel(&scene, x, y), 0x100 * (y + 8) + x);
    scene_stop(&scene);
}

static void a_console_draws_letters(void **state) {
    (void)state;
    static const char *const letter[] = {"........", "..####..", ".##..##.", ".######.", ".##..##.", ".##..##."};
    struct scene scene;
    uint32_t bits[2] = {0};
    open_console(&scene);
    for (unsigned y = 0; y < 6; y++)
        for (unsigned x = 0; x < 8; x++)
            if (letter[y][x] == '#')
                bits[y / 4] |= 0x80u >> x << 8 * (y % 4);
    scene_send(&scene, 0xbe4, xy(16, 8), xy(22, 14), 0x0001, 0xffff, 6u << 16 | 8, 6u << 16 | 6, xy(16, 8));
    sent(&scene.rig, scene.id, 0, 0xc00, 4, bits, 2);
    for (unsigned y = 0; y < 6; y++)
        for (unsigned x = 0; x < 8; x++)
            assert_int_equal(scene_pixel(&scene, 16 + x, 8 + y), x >= 6 ? 0 : letter[y][x] == '#' ? 0xffff : 1);
    assert_int_equal(engine_rig_count(&scene.rig, EVENT_ENGINE_DONE), 1);
    scene_stop(&scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rectangle_has_its_words_the_other_way_round),
        cmocka_unit_test(a_clipped_rectangle_is_two_corners),
        cmocka_unit_test(rectangles_share_their_point),
        cmocka_unit_test(zeros_of_c_are_transparent),
        cmocka_unit_test(the_other_order_begins_with_bit_0),
        cmocka_unit_test(e_has_two_colours_and_drops_what_is_too_much),
        cmocka_unit_test(bits_beyond_the_shown_width_are_not_drawn),
        cmocka_unit_test(characters_come_from_memory),
        cmocka_unit_test(text_has_one_point),
        cmocka_unit_test(the_class_of_nv3_draws_rectangles),
        cmocka_unit_test(the_class_of_nv3_draws_bits),
        cmocka_unit_test(the_class_of_nv3_has_a_color_of_zeros),
        cmocka_unit_test(a_font_needs_a_pitch_that_there_is),
        cmocka_unit_test(a_console_fills),
        cmocka_unit_test(a_console_copies),
        cmocka_unit_test(a_console_draws_letters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
