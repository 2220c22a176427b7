/* SPDX-License-Identifier: MIT */
/* What accesses to images do at their edges: who stores, in which order, and what is not there. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "engine/image/image.h"
#include "shade/rig.h"

#define BASE 0x10000u

enum { BYTES = 0x1000, LINEAR = 0x100000, R32_UINT = 0xe4 << 4, RGBA8 = 0xd5 << 4 };

static struct {
    struct rig rig;
    uint8_t memory[BYTES];
    struct image slots[IMAGE_SLOTS];
    struct texture_view view;
    bool has_view;
} scene;

static bool load(struct shade_warp *warp, uint32_t lanes, const uint64_t *address, unsigned bytes, void *to,
                 unsigned stride) {
    (void)warp;
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        size_t lane = (size_t)__builtin_ctz(rest);
        if (address[lane] - BASE > BYTES - bytes)
            return false;
        memcpy((uint8_t *)to + lane * stride, scene.memory + (address[lane] - BASE), bytes);
    }
    return true;
}

static bool store(struct shade_warp *warp, uint32_t lanes, const uint64_t *address, unsigned bytes, const void *from,
                  unsigned stride) {
    (void)warp;
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        size_t lane = (size_t)__builtin_ctz(rest);
        if (address[lane] - BASE > BYTES - bytes)
            return false;
        memcpy(scene.memory + (address[lane] - BASE), (const uint8_t *)from + lane * stride, bytes);
    }
    return true;
}

static const struct texture_view *header(void *opaque, uint32_t index) {
    (void)opaque;
    return scene.has_view && index == 5 ? &scene.view : NULL;
}

static bool surface(struct shade_warp *warp, uint32_t lanes, const struct ir *ir, struct shade_image *image) {
    const struct images images = {NULL, header, scene.slots};
    return image_surface(&images, warp, lanes, ir, image);
}

/* Slot 0: a line of 64 words; slot 1: 16 by 16 texels of RGBA8 in blocks of a gob. */
static int begin(void **state) {
    const uint32_t line[6] = {0, BASE, 0x100, LINEAR | 1, R32_UINT, 0}, blocks[6] = {0, BASE, 16, 16, RGBA8, 0};
    memset(&scene, 0, sizeof scene);
    *state = &scene.rig;
    rig_begin(&scene.rig);
    scene.rig.io.load = load;
    scene.rig.io.store = store;
    scene.rig.io.surface = surface;
    scene.slots[0] = image_of_slot(line, GOB_SECTORS);
    scene.slots[1] = image_of_slot(blocks, GOB_SECTORS);
    return 0;
}

static int end(void **state) {
    rig_end(*state);
    return 0;
}

static uint32_t word_at(unsigned offset) {
    uint32_t word;
    memcpy(&word, scene.memory + offset, sizeof word);
    return word;
}

/* Coordinates from R0 on, data from R8 on. */
static struct ir *add(enum ir_surface mode, unsigned slot, enum ir_image dim) {
    struct ir *ir = rig_add(&scene.rig, IR_SURFACE);
    ir->mode = mode;
    ir->type = IR_U32;
    ir->a = rig_register(0);
    ir->surface.dim = (uint8_t)dim;
    ir->surface.size = IR_U32;
    ir->surface.by_slot = true;
    ir->surface.slot = (uint16_t)slot;
    ir->surface.handle = IR_ZERO;
    if (mode == IR_SUST || mode == IR_SUSTG || mode == IR_SUATOM)
        ir->b = rig_register(8);
    if (mode != IR_SUST && mode != IR_SUSTG)
        ir->d = 16;
    return ir;
}

static void run(enum shade_stop expected, uint32_t lanes, uint32_t helpers) {
    rig_load(&scene.rig, lanes, helpers);
    for (unsigned lane = 0; lane < SHADE_LANES; lane++) {
        scene.rig.warp.registers[0][lane] = 4 * lane;
        scene.rig.warp.registers[8][lane] = 100 + lane;
        scene.rig.warp.registers[16][lane] = 7;
    }
    assert_int_equal(rig_run(&scene.rig), expected);
}

static void helpers_load_and_do_not_store(void **state) {
    (void)state;
    add(IR_SUST, 0, IR_IMAGE_1D);
    add(IR_SULD, 0, IR_IMAGE_1D);
    add(IR_SUATOM, 0, IR_IMAGE_1D)->d = 17;
    run(SHADE_DONE, 0xf, 0x2);
    assert_int_equal(word_at(0), 200);
    assert_int_equal(word_at(4), 0);
    assert_int_equal(scene.rig.warp.registers[16][0], 100);
    assert_int_equal(scene.rig.warp.registers[16][1], 0);
    assert_int_equal(scene.rig.warp.registers[17][2], 102);
    assert_int_equal(scene.rig.warp.registers[17][1], 0);
}

static void lanes_change_a_texel_one_after_the_other(void **state) {
    (void)state;
    struct ir *ir = add(IR_SUATOM, 0, IR_IMAGE_1D);
    ir->atomic = IR_ADD;
    ir->a = rig_register(IR_ZERO);
    run(SHADE_DONE, 0x7, 0);
    assert_int_equal(word_at(0), 303);
    assert_int_equal(scene.rig.warp.registers[16][0], 0);
    assert_int_equal(scene.rig.warp.registers[16][2], 201);
}

/* The second one of a pair is what is stored. */
static void a_swap_stores_where_it_compares_equal(void **state) {
    (void)state;
    struct ir *ir = add(IR_SUATOM, 0, IR_IMAGE_1D);
    ir->atomic = IR_CAS;
    scene.memory[0] = 100;
    scene.memory[4] = 1;
    rig_load(&scene.rig, 0x3, 0);
    scene.rig.warp.registers[0][1] = 4;
    rig_set(&scene.rig, 8, 100);
    rig_set(&scene.rig, 9, 55);
    assert_int_equal(rig_run(&scene.rig), SHADE_DONE);
    assert_int_equal(word_at(0), 55);
    assert_int_equal(word_at(4), 1);
    assert_int_equal(scene.rig.warp.registers[16][0], 100);
    assert_int_equal(scene.rig.warp.registers[16][1], 1);
}

static void the_last_lane_that_stores_to_a_texel_counts(void **state) {
    (void)state;
    add(IR_SUST, 0, IR_IMAGE_1D)->a = rig_register(IR_ZERO);
    run(SHADE_DONE, 0x3f, 0);
    assert_int_equal(word_at(0), 105);
}

static void outside_of_an_image_all_is_0(void **state) {
    struct rig *rig = *state;
    add(IR_SULD, 1, IR_IMAGE_2D);
    add(IR_SUST, 1, IR_IMAGE_2D);
    memset(scene.memory, 0x55, sizeof scene.memory);
    rig_load(rig, 0x7, 0);
    rig->warp.registers[0][0] = 64; /* bytes */
    rig->warp.registers[1][1] = 16;
    rig->warp.registers[1][2] = UINT32_MAX;
    rig_set(rig, 16, 7);
    assert_int_equal(rig_run(rig), SHADE_DONE);
    for (unsigned lane = 0; lane < 3; lane++)
        assert_int_equal(rig->warp.registers[16][lane], 0);
    for (unsigned i = 0; i < BYTES; i++)
        assert_int_equal(scene.memory[i], 0x55);
}

static void the_nearest_texel_may_stand_for_what_is_outside(void **state) {
    (void)state;
    struct ir *ir = add(IR_SUST, 0, IR_IMAGE_1D);
    ir->surface.outside = IR_OUTSIDE_NEAR;
    ir->a = rig_register(8);
    rig_load(&scene.rig, 0x3, 0);
    scene.rig.warp.registers[8][0] = 0x1000;
    scene.rig.warp.registers[8][1] = 0xfffffff0;
    assert_int_equal(rig_run(&scene.rig), SHADE_DONE);
    assert_int_equal(word_at(0xfc), 0x1000);
    assert_int_equal(word_at(0), 0xfffffff0);
}

static void an_access_outside_may_be_an_error(void **state) {
    (void)state;
    add(IR_SUST, 0, IR_IMAGE_1D)->surface.outside = IR_OUTSIDE_TRAP;
    scene.slots[0].width = 3;
    run(SHADE_ERROR, 0xf, 0);
    assert_int_equal(scene.rig.warp.error, SHADE_OOR_ADDRESS);
    assert_int_equal(word_at(0), 0);
}

static void an_access_is_aligned(void **state) {
    (void)state;
    add(IR_SULD, 0, IR_IMAGE_1D)->surface.size = IR_U64;
    run(SHADE_ERROR, 0x3, 0);
    assert_int_equal(scene.rig.warp.error, SHADE_MISALIGNED_ADDRESS);
}

static void what_memory_does_not_have_is_a_fault(void **state) {
    (void)state;
    scene.slots[0].address += BYTES;
    add(IR_SUST, 0, IR_IMAGE_1D);
    run(SHADE_FAULT, 1, 0);
}

/* Fermi's way to layers: 256 bytes times the third coordinate. */
static void a_stride_is_added(void **state) {
    (void)state;
    add(IR_SUST, 1, IR_IMAGE_STRIDE)->a = rig_register(12);
    rig_load(&scene.rig, 1, 0);
    rig_set(&scene.rig, 14, 3);
    rig_set(&scene.rig, 8, 0xabcd);
    assert_int_equal(rig_run(&scene.rig), SHADE_DONE);
    assert_int_equal(word_at(0x300), 0xabcd);
}

static void what_is_not_bound_is_outside(void **state) {
    (void)state;
    struct ir *ir = add(IR_SULD, 0, IR_IMAGE_1D);
    ir->surface.by_slot = false;
    ir->surface.handle = 8; /* no such header */
    add(IR_SULD, 3, IR_IMAGE_1D)->d = 17;
    add(IR_SUST, 3, IR_IMAGE_1D);
    run(SHADE_DONE, 1, 0);
    assert_int_equal(scene.rig.warp.registers[16][0], 0);
    assert_int_equal(scene.rig.warp.registers[17][0], 0);
    assert_int_equal(word_at(0), 0);
}

static void lanes_may_name_different_images(void **state) {
    (void)state;
    const uint32_t other[6] = {0, BASE + 0x400, 0x100, LINEAR | 1, R32_UINT, 0};
    scene.slots[5] = image_of_slot(other, GOB_SECTORS);
    add(IR_SUST, 0, IR_IMAGE_1D)->surface.handle = 9;
    rig_load(&scene.rig, 0x3, 0);
    scene.rig.warp.registers[9][1] = 5 + 8; /* three bits count */
    rig_set(&scene.rig, 8, 77);
    assert_int_equal(rig_run(&scene.rig), SHADE_DONE);
    assert_int_equal(word_at(0), 77);
    assert_int_equal(word_at(0x400), 77);
}

/* A header of a compressed format has no components to convert: its blocks can be loaded as they are. */
static void blocks_of_compressed_formats_are_loaded_raw(void **state) {
    (void)state;
    const struct texture_unit unit = {TEXTURE_TIC_MAXWELL, GOB_SECTORS, false};
    const uint32_t words[8] = {0x24 | 02222 << 7, BASE, 3u << 21, 0, 15 | 1u << 23, 15, 0, 0};
    const char *reason;
    scene.has_view = texture_header(&scene.view, &unit, words, &reason);
    assert_true(scene.has_view);
    scene.memory[4] = 9;
    for (unsigned i = 0; i < 2; i++) {
        struct ir *ir = add(IR_SULD, 0, IR_IMAGE_2D);
        ir->a = rig_register(IR_ZERO);
        ir->d = (uint8_t)(16 + 2 * i);
        ir->surface.by_slot = false;
        ir->surface.handle = 9;
        ir->surface.size = IR_U64;
        ir->surface.formatted = i;
        ir->surface.components = i ? 1 : 0;
    }
    rig_load(&scene.rig, 1, 0);
    rig_set(&scene.rig, 9, 5);
    assert_int_equal(rig_run(&scene.rig), SHADE_DONE);
    assert_int_equal(scene.rig.warp.registers[17][0], 9);
    assert_int_equal(scene.rig.reports, 1);
}

static struct ir *add_raw_store(uint32_t format) {
    struct ir *ir = add(IR_SUSTG, 0, IR_IMAGE_1D);
    ir->a = rig_register(12);
    ir->c = rig_register(14);
    ir->combine_predicate = 0;
    ir->surface.by_slot = false;
    ir->surface.formatted = true;
    ir->surface.components = 1;
    rig_load(&scene.rig, 1, 0);
    rig_set(&scene.rig, 13, BASE >> 8);
    rig_set(&scene.rig, 14, format);
    rig_set(&scene.rig, 8, 0x55);
    return ir;
}

static void a_store_of_kepler_has_its_format_in_a_word(void **state) {
    (void)state;
    add_raw_store(0x28);
    assert_int_equal(rig_run(&scene.rig), SHADE_DONE);
    assert_int_equal(word_at(0), 0x55);
    assert_int_equal(scene.rig.reports, 0);
}

/* Mesa's word of an image that is not bound: 0x80004000. */
static void a_store_without_a_format_is_none(void **state) {
    (void)state;
    add_raw_store(0x80004000);
    assert_int_equal(rig_run(&scene.rig), SHADE_DONE);
    assert_int_equal(word_at(0), 0);
    assert_int_equal(scene.rig.reports, 0);
}

static void a_format_that_nobody_knows_is_reported(void **state) {
    (void)state;
    add_raw_store(0x05);
    assert_int_equal(rig_run(&scene.rig), SHADE_DONE);
    assert_int_equal(word_at(0), 0);
    assert_int_equal(scene.rig.reports, 1);
}

static void a_safe_addition_is_reported(void **state) {
    (void)state;
    add(IR_SUATOM, 0, IR_IMAGE_1D)->atomic = IR_SAFE_ADD;
    run(SHADE_DONE, 1, 0);
    assert_int_equal(scene.rig.reports, 1);
}

/* Mesa has formats of depth where no colour is. sRGB is loaded as it is stored. */
static void slots_have_colours_or_depth(void **state) {
    (void)state;
    const uint32_t depth[6] = {0, BASE, 16, 16, 0x0a << 12, 0}, zeta[6] = {0, BASE, 16, 16, 0x13 << 12 | RGBA8 | 1, 0};
    const uint32_t srgb[6] = {0, BASE, 16, 16, 0xd6 << 4, 0}, none[6] = {0, BASE, 0, 16, RGBA8, 0};
    assert_string_equal(image_of_slot(depth, GOB_SECTORS).texel.name, "Z32_FLOAT");
    assert_string_equal(image_of_slot(zeta, GOB_SECTORS).texel.name, "Z16_UNORM");
    assert_int_equal(image_of_slot(srgb, GOB_SECTORS).texel.type, FORMAT_UNORM);
    assert_int_equal(image_of_slot(none, GOB_SECTORS).texel.bytes, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(helpers_load_and_do_not_store),
        TEST(lanes_change_a_texel_one_after_the_other),
        TEST(a_swap_stores_where_it_compares_equal),
        TEST(the_last_lane_that_stores_to_a_texel_counts),
        TEST(outside_of_an_image_all_is_0),
        TEST(the_nearest_texel_may_stand_for_what_is_outside),
        TEST(an_access_outside_may_be_an_error),
        TEST(an_access_is_aligned),
        TEST(what_memory_does_not_have_is_a_fault),
        TEST(a_stride_is_added),
        TEST(what_is_not_bound_is_outside),
        TEST(lanes_may_name_different_images),
        TEST(blocks_of_compressed_formats_are_loaded_raw),
        TEST(a_store_of_kepler_has_its_format_in_a_word),
        TEST(a_store_without_a_format_is_none),
        TEST(a_format_that_nobody_knows_is_reported),
        TEST(a_safe_addition_is_reported),
        TEST(slots_have_colours_or_depth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
