/* SPDX-License-Identifier: MIT */
/* The addresses that programs of Kepler compute with SUCLAMP, IMADSP, SUBFM and SUEAU are those of the picture's texels. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "reference/image.h"
#include "rounds.h"
#include "shade/rig.h"

enum {
    X,
    Y,
    Z,
    CLAMPED_X,
    CLAMPED_Y,
    CLAMPED_Z,
    OFFSET,
    PLACE,
    ADDRESS,
    BOUND_X,
    BOUND_Y,
    BOUND_Z,
    ACROSS,
    DOWN,
    START
};

struct picture {
    uint32_t width, height, depth; /* texels */
    unsigned log2_bytes, high, deep;
    bool is_volume;
};

static struct rig rig;

static struct ir *add(enum ir_op op, unsigned d, unsigned a, unsigned b, unsigned c) {
    struct ir *ir = rig_add(&rig, op);
    ir->d = (uint8_t)d;
    ir->a = rig_register(a);
    ir->b = rig_register(b);
    ir->c = rig_register(c);
    return ir;
}

static void clamp(unsigned d, unsigned coordinate, unsigned bound, unsigned mode, unsigned p) {
    struct ir *ir = add(IR_SUCLAMP, d, coordinate, bound, IR_ZERO);
    ir->type = IR_S32;
    ir->mode = (uint16_t)mode;
    ir->extended = true;
    ir->p = (uint8_t)p;
}

/* (z * down + y) * across + x, of blocks. `mode`: parts of 16, 24 or 32 bits. */
static void program(bool is_volume) {
    rig_begin(&rig);
    clamp(CLAMPED_X, X, BOUND_X, 10, IR_TRUE);
    clamp(CLAMPED_Y, Y, BOUND_Y, 0, IR_TRUE);
    clamp(CLAMPED_Z, Z, BOUND_Z, 0, 2);
    add(IR_IMADSP, OFFSET, CLAMPED_Z, DOWN, CLAMPED_Y)->mode = 0x204;
    add(IR_IMADSP, OFFSET, OFFSET, ACROSS, CLAMPED_X)->mode = 0x220;
    struct ir *place = add(IR_SUBFM, PLACE, CLAMPED_X, CLAMPED_Y, CLAMPED_Z);
    place->extended = is_volume;
    place->p = 1;
    add(IR_SUEAU, ADDRESS, OFFSET, PLACE, START);
}

static struct picture some_picture(struct choice *c) {
    struct picture picture = {choice_between(c, 1, 300), choice_between(c, 1, 300), 1,
                              choice_below(c, 5),        choice_below(c, 5),        0,
                              choice_once_in(c, 2)};
    if (picture.is_volume) {
        picture.depth = choice_between(c, 1, 40);
        picture.deep = choice_below(c, 4);
    }
    return picture;
}

static void set_bounds(const struct picture *p) {
    uint64_t line = (uint64_t)p->width << p->log2_bytes;
    rig_set(&rig, BOUND_X, (p->width - 1) | (6 - p->log2_bytes) << 22 | p->log2_bytes << 26);
    rig_set(&rig, BOUND_Y, (p->height - 1) | (3 + p->high) << 22 | p->high << 29);
    rig_set(&rig, BOUND_Z, (p->depth - 1) | p->deep << 22 | p->deep << 29);
    rig_set(&rig, ACROSS, (uint32_t)((line + 63) / 64) | 0x88000000);
    rig_set(&rig, DOWN, (p->height + (8u << p->high) - 1) / (8u << p->high) | 0x770000); /* of which 16 bits count */
}

static bool is_address(const struct picture *p, unsigned lane, uint32_t start, FILE *report) {
    int32_t at[3];
    for (unsigned i = 0; i < 3; i++)
        at[i] = (int32_t)rig.warp.registers[X + i][lane];
    bool inside = at[0] >= 0 && at[0] < (int32_t)p->width && at[1] >= 0 && at[1] < (int32_t)p->height && at[2] >= 0 &&
                  at[2] < (int32_t)p->depth;
    bool outside = (rig.warp.predicates[1] | (p->is_volume ? 0 : rig.warp.predicates[2])) >> lane & 1;
    uint64_t expected =
        ((uint64_t)start << 8) + reference_image_block((uint64_t)p->width << p->log2_bytes, p->height, p->high, p->deep,
                                                       true, (uint64_t)(uint32_t)at[0] << p->log2_bytes,
                                                       (uint32_t)at[1], (uint32_t)at[2]);
    uint64_t found = ((uint64_t)rig.warp.registers[ADDRESS][lane] << 8) + (rig.warp.registers[PLACE][lane] & 0xff);
    if (outside != inside && (!inside || found == expected))
        return true;
    fprintf(report, "(%d, %d, %d) is at %llx%s, expected %llx\n", at[0], at[1], at[2], (unsigned long long)found,
            outside ? ", outside" : "", (unsigned long long)expected);
    return false;
}

static bool play(struct choice *c, FILE *report) {
    struct picture picture = some_picture(c);
    uint32_t start = choice_word(c) >> 8;
    bool same = true;
    program(picture.is_volume);
    rig_load(&rig, UINT32_MAX, 0);
    set_bounds(&picture);
    rig_set(&rig, START, start);
    for (unsigned lane = 0; lane < SHADE_LANES; lane++) {
        const uint32_t size[3] = {picture.width, picture.height, picture.depth};
        for (unsigned i = 0; i < 3; i++)
            rig.warp.registers[X + i][lane] = choice_once_in(c, 20) ? choice_word(c) : choice_below(c, size[i] + 1);
    }
    assert_int_equal(rig_run(&rig), SHADE_DONE);
    for (unsigned lane = 0; lane < SHADE_LANES && same; lane++)
        same = is_address(&picture, lane, start, report);
    rig_end(&rig);
    return same;
}

static void addresses_of_kepler_are_those_of_texels(void **state) {
    (void)state;
    assert_int_equal(rounds_failed(play, 400), 0);
}

static uint32_t clamped(unsigned mode, bool extended, uint32_t coordinate, uint32_t bound, bool *outside) {
    rig_begin(&rig);
    clamp(3, 0, 1, mode, 1);
    rig.code[0].extended = extended;
    rig.code[0].offset = -2;
    rig_load(&rig, 1, 0);
    rig_set(&rig, 0, coordinate);
    rig_set(&rig, 1, bound);
    assert_int_equal(rig_run(&rig), SHADE_DONE);
    *outside = rig.warp.predicates[1] & 1;
    uint32_t result = rig.warp.registers[3][0];
    rig_end(&rig);
    return result;
}

/* Lines in one dimension have all 32 bits of the bound, which is a multiple of the step. */
static void a_coordinate_of_lines_is_itself(void **state) {
    bool outside;
    (void)state;
    assert_int_equal(clamped(5, false, 0x123458, 0x00234567, &outside), 0x123456);
    assert_false(outside);
    assert_int_equal(clamped(8, false, 0x300000, 0x00234567, &outside), 0x00234560);
    assert_true(outside);
    assert_int_equal(clamped(5, false, 1, 100, &outside), 0);
    assert_true(outside);
    assert_int_equal(clamped(5, true, 12, 100 | 3u << 26, &outside), 10 | 3u << 27 | 1u << 30);
    assert_int_equal(clamped(1, true, 202, 1u << 21 | 101 | 2u << 26, &outside), 100 | 2u << 27 | 3u << 30);
    assert_true(outside);
}

/* The offset in units of 256 bytes comes from the lines' own, as deep as texels are large. */
static void a_place_of_lines_is_an_offset(void **state) {
    (void)state;
    rig_begin(&rig);
    add(IR_SUBFM, 3, 0, 1, 2);
    add(IR_SUEAU, 4, 2, 3, 5);
    rig_load(&rig, 1, 0);
    rig_set(&rig, 0, 1u << 30 | 2u << 27 | 5);
    rig_set(&rig, 1, 1u << 30);
    rig_set(&rig, 2, 0x12345);
    rig_set(&rig, 5, 0x1000);
    assert_int_equal(rig_run(&rig), SHADE_DONE);
    assert_int_equal(rig.warp.registers[3][0], (0x12345 << 2 & 0xff) | 2u << 12 | 1u << 11);
    assert_int_equal(rig.warp.registers[4][0], 0x1000 + (0x12345 >> 6));
    rig_end(&rig);
}

/* 16 bits of b where its bit is not set; c is signed because a is. */
static void a_product_of_parts_has_the_sign_of_one_of_them(void **state) {
    (void)state;
    rig_begin(&rig);
    add(IR_IMADSP, 3, 0, 1, 2)->mode = 0x205;
    add(IR_IMADSP, 4, 0, 1, 2)->mode = 0x224;
    rig_load(&rig, 1, 0);
    rig_set(&rig, 0, 0x1234fffe);
    rig_set(&rig, 1, 0x77010003);
    rig_set(&rig, 2, 0xffffu);
    assert_int_equal(rig_run(&rig), SHADE_DONE);
    assert_int_equal(rig.warp.registers[3][0], (uint32_t)(-2 * 3 - 1));
    assert_int_equal(rig.warp.registers[4][0], 0xfffeu * 0x010003u + 0xffffu);
    rig_end(&rig);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(addresses_of_kepler_are_those_of_texels),
        cmocka_unit_test(a_coordinate_of_lines_is_itself),
        cmocka_unit_test(a_place_of_lines_is_an_offset),
        cmocka_unit_test(a_product_of_parts_has_the_sign_of_one_of_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
