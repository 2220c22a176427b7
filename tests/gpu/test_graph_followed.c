/* SPDX-License-Identifier: MIT */
/*
 * What methods of NV1 and NV3 leave in PGRAPH's registers.
 *
 * What is expected is from envytools hwtest/pgraph_class_{ctx,solid,ifc,ifm,sifm,tex,m2mf,d3d0,surf}.cc, nvhw/pgraph.c.
 */
#include "nv3.h"

#define INSTANCE  0x2000u
#define OPTIONS   0x400180
#define VALID_NV1 0x400650u
#define VALID_NV3 0x400508u
#define ALPHA_NV1 (1u << 13)
#define ALPHA_NV3 (1u << 3)
#define CANVAS    0x400634 /* NV1 */

/* A method, the options of its object, a register before and after it, and VALID before and after. */
static const struct follow {
    const char *chip;
    uint8_t type;
    uint16_t method;
    uint32_t options, data, offset, before, after, valid, valid_after;
} cases[] = {
    {"NV1", 0x01, 0x300, 0, 0x7fffffff, 0x400630, 0, 0x7f800000, 0, 0},
    {"NV1", 0x01, 0x300, 0, 0x80000000, 0x400630, 0x7f800000, 0, 0, 0},
    {"NV3", 0x01, 0x300, 0, 0x12345678, 0x400640, 0, 0x12000000, 0, 0},
    {"NV1", 0x02, 0x300, 0, 0x1cc, 0x400624, 0, 0xcc, 0, 0}, /* refused */
    {"NV3", 0x02, 0x300, 0, 0x1cc, 0x400624, 0, 0xcc, 0, 0},
    {"NV3", 0x06, 0x308, 0, 7, 0x400618, 0, 3, 0, 0},
    /* colours by format: 5, 8, 10 bits, gray of 8 and 16; alpha counts with an option */
    {"NV1", 0x03, 0x304, 0 << 9, 0x7fff, 0x40062c, 0, 0x40000000 | 992u << 20 | 992 << 10 | 992, 0, 0},
    {"NV1", 0x04, 0x304, 1 << 9 | ALPHA_NV1, 0x00ff8001, 0x400628, 0, 1020u << 20 | 512 << 10 | 4, 0, 0},
    {"NV3", 0x03, 0x304, 2 | ALPHA_NV3, 0x40100401, 0x40062c, 0, 0x40000000 | 1 << 20 | 1 << 10 | 1, 0, 0},
    {"NV3", 0x03, 0x304, 3 | ALPHA_NV3, 0x80, 0x40062c, 0, 512u << 20 | 512 << 10 | 512, 0, 0},
    {"NV3", 0x03, 0x304, 4 | ALPHA_NV3, 0x01000040, 0x40062c, 0, 0x40000000 | 1 << 20 | 1 << 10 | 1, 0, 0},
    {"NV3", 0x06, 0x310, 1 | ALPHA_NV3, 0x7f010203, 0x400600, 0, 4 << 20 | 8 << 10 | 12, 0, 0},
    {"NV3", 0x06, 0x314, 1 | ALPHA_NV3, 0x7f010203, 0x40060c, 0, 0x7f, 0, 0},
    {"NV1", 0x06, 0x318, 0, 0x01020304, 0x400610, 0, 0x01020304, 0, 0},
    {"NV1", 0x06, 0x31c, 1 << 14, 0x01020304, 0x400614, 0, 0x8040c020, 0, 0},
    {"NV3", 0x06, 0x31c, 1 << 8, 0x01020304, 0x400614, 0, 0x8040c020, 0, 0},
    {"NV1", 0x08, 0x304, 0, 0x12345678, 0x400654, 0, 0x12345678, 0, 0},
    {"NV3", 0x0b, 0x5f0, 0, 0x12345678, 0x40050c, 0, 0x12345678, 0, 1u << 16},
    {"NV3", 0x0c, 0xff0, 0, 0x12345678, 0x40054c, 0, 0x12345678, 0, 1u << 18},
    {"NV3", 0x12, 0x308, 0, 0, 0x40061c, 0, 0x40000000, 0, 1u << 17},
    {"NV1", 0x0d, 0x304, 0, 0x88880088, 0x400658, 0, 0x88880088, 0, 0},
    {"NV1", 0x1e, 0x384, 0, 0x80800100, 0x400708, 0, 0x00014000, 0, 1u << 13},
    {"NV1", 0x1e, 0x384, 0, 0x80800100, 0x40070c, 0, 0x0180c000, 0, 1u << 13},
    {"NV1", 0x14, 0x310, 0, 0x12345678, 0x400418, 0, 0x12345678, 0, 0x040040},
    {"NV3", 0x14, 0x310, 0, 0x100, 0x401830, 0xffffffff, 0xffff0100, 1u << 14, 1u << 10},
    /* M2MF, surfaces by number */
    {"NV3", 0x0d, 0x318, 0, 0x123, 0x401830, 0xffffffff, 0x0123ffff, 0, 1u << 3},
    {"NV3", 0x0d, 0x320, 0, 0x123, 0x401290, 0, 0x123, 0, 1u << 5},
    {"NV3", 0x1c, 0x300, 2 << 16, 0x01010000, 0x4006a8, 0x7777, 0x7577, 0, 0},
    {"NV3", 0x1c, 0x300, 0, 1, 0x4006a8, 0, 7, 0, 0},
    {"NV3", 0x1c, 0x308, 3 << 16, 0xffff, 0x40065c, 0, 0x1ff0, 0, 0},
    {"NV3T", 0x1c, 0x30c, 1 << 16, ~0u, 0x400634, 0, 0x007ffff0, 0, 0},
    /* scaled images: by format */
    {"NV3", 0x0e, 0x400, 0, 0x01230045, 0x400570, 0, 0x123 << 11 | 0x45, 1u << 13, 1u << 9},
    {"NV3", 0x0e, 0x400, 7, 0x01230045, 0x400510, 0xffffff, 0x45, 1u << 9, 1u << 13},
    {"NV3", 0x0e, 0x408, 0, 0x123, 0x401800, 0, 0x123, 7u << 15, 1u << 11},
    {"NV3", 0x0e, 0x410, 7, 0x123, 0x401820, 0, 0x123, 1u << 11, 1u << 17},
    {"NV3", 0x0e, 0x318, 0, 0x000a0000, 0x400518, 0, 5u << 24, 0, 1u << 4},
    {"NV3", 0x0e, 0x31c, 0, 0xfffe0000, 0x40051c, 0, 0xfu << 24, 0, 1u << 5},
    {"NV3", 0x0e, 0x31c, 0, 0x80000000, 0x40051c, 0, 9u << 24, 0, 1u << 5},
    {"NV3", 0x15, 0x308, 0, 0x123, 0x400514, 0xf0000000, 0, 0, 1u << 5},
    /* 3D */
    {"NV3", 0x17, 0x314, 0, 0x00011000, 0x400644, 0, 0x00011000, 0, 1u << 26},
    {"NV3", 0x18, 0x308, 0, 0x123, 0x4006c8, 0, 0x123, 0, 0},
};

static void check_case(const struct follow *f) {
    struct pfifo_gpu *gpu = nv3_make(f->chip);
    uint32_t valid = is_nv1(gpu) ? VALID_NV1 : VALID_NV3;
    nv3_context(gpu, 1, f->type, is_nv1(gpu) ? f->options : INSTANCE);
    wr(gpu, OPTIONS, is_nv1(gpu) ? CHANNEL << 16 | f->options : f->options);
    if (!is_nv1(gpu))
        wr(gpu, REG_USER, CHANNEL << 24 | (uint32_t)f->type << 16 | 1 << 13);
    wr(gpu, f->offset, f->before);
    wr(gpu, valid, f->valid);
    nv3_send(gpu, 1, f->method, f->data);
    if (rd(gpu, f->offset) != f->after || rd(gpu, valid) != f->valid_after)
        fail_msg("%s %02x %04x %08x: %06x is %08x, VALID %08x", f->chip, f->type, f->method, (unsigned)f->data,
                 (unsigned)f->offset, (unsigned)rd(gpu, f->offset), (unsigned)rd(gpu, valid));
    pfifo_gpu_free(gpu);
}

static void registers_follow_the_methods(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        check_case(&cases[i]);
}

/* By the host's window, too; and a canvas may have the missing bits of colours replicated. */
static void nv1_replicates_bits_of_colours_if_its_canvas_says_so(void **state) {
    struct pfifo_gpu *gpu = nv3_make("NV1");
    (void)state;
    wr(gpu, CANVAS, 1u << 20);
    wr(gpu, OPTIONS, CHANNEL << 16);
    wr(gpu, 0x430304, 0x7fff);
    assert_int_equal(rd(gpu, 0x40062c), 0x7fffffff);
    wr(gpu, OPTIONS, CHANNEL << 16 | 1 << 9);
    wr(gpu, 0x430304, 0x00ff8040);
    assert_int_equal(rd(gpu, 0x40062c), 0x40000000 | 1023u << 20 | 514 << 10 | 257);
    pfifo_gpu_free(gpu);
}

static void what_a_type_lacks_changes_no_register(void **state) {
    struct pfifo_gpu *gpu = nv3_make("NV1");
    (void)state;
    wr(gpu, 0x400624, 0x55);
    wr(gpu, 0x410304, 0xaa);
    assert_int_equal(rd(gpu, REG_INVALID), 1);
    assert_int_equal(rd(gpu, 0x400624), 0x55);
    pfifo_gpu_free(gpu);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(registers_follow_the_methods),
        cmocka_unit_test(nv1_replicates_bits_of_colours_if_its_canvas_says_so),
        cmocka_unit_test(what_a_type_lacks_changes_no_register),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
