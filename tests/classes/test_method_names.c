/* SPDX-License-Identifier: MIT */
/* The constants that are made of the classes' text: each kind of name, as classes/generate_methods.c describes it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "methods/gf100_3d.h"
#include "methods/gf100_compute.h"
#include "methods/nv1_2d.h"

static void a_method_is_its_offset(void **state) {
    (void)state;
    assert_int_equal(GF100_3D_SET_GLOBAL_BASE_VERTEX_INDEX, 0x1434);
}

static void an_array_takes_an_index(void **state) {
    (void)state;
    assert_int_equal(GF100_3D_SET_COLOR_TARGET_A(0), 0x800);
    assert_int_equal(GF100_3D_SET_COLOR_TARGET_A(7), 0x9c0);
    assert_int_equal(GF100_3D_SET_COLOR_TARGET_A__COUNT, 8);
    assert_int_equal(GF100_3D_SET_COLOR_TARGET_A__STRIDE, 64);
}

static void a_field_is_read_from_its_place_and_put_there(void **state) {
    (void)state;
    assert_int_equal(GF100_3D_CLEAR_SURFACE_MRT_SELECT__SHIFT, 6);
    assert_int_equal(GF100_3D_CLEAR_SURFACE_MRT_SELECT__MASK, 0x3c0);
    assert_int_equal(METHOD_FIELD(0xfffffd7fu, GF100_3D_CLEAR_SURFACE_MRT_SELECT), 5);
    assert_int_equal(METHOD_PUT(GF100_3D_CLEAR_SURFACE_MRT_SELECT, 0x15), 5 << 6);
}

static void a_value_is_not_shifted(void **state) {
    (void)state;
    assert_int_equal(GF100_3D_SET_ZT_FORMAT_V_Z24S8, 0x14);
}

static void what_moved_has_the_later_chip_in_its_prefix(void **state) {
    (void)state;
    assert_int_equal(GF100_3D_SET_PIPELINE_RESERVED_B(1), 0x2054);
    assert_int_equal(GA100_3D_SET_PIPELINE_RESERVED_B(1), 0x2044);
    assert_int_equal(GF100_3D_SET_NOTIFY_A_ADDRESS_UPPER__MASK, 0xff);
    assert_int_equal(GH100_3D_SET_NOTIFY_A_ADDRESS_UPPER__MASK, 0x1ffffff);
}

static void a_field_of_a_structure_is_a_bit_and_a_count(void **state) {
    (void)state;
    const unsigned bits[2] = STRUCTURE_BITS(GF100_COMPUTE_QMDV01_07_DEPENDENT_QMD_POINTER);
    assert_int_equal(bits[0], 160);
    assert_int_equal(bits[1], 32);
}

static void classes_of_the_2d_family_have_names_of_their_own(void **state) {
    (void)state;
    assert_int_equal(NV1_BLIT_SIZE, 0x308);
    assert_int_equal(NV4_BLIT_SIZE, 0x308);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_method_is_its_offset),
        cmocka_unit_test(an_array_takes_an_index),
        cmocka_unit_test(a_field_is_read_from_its_place_and_put_there),
        cmocka_unit_test(a_value_is_not_shifted),
        cmocka_unit_test(what_moved_has_the_later_chip_in_its_prefix),
        cmocka_unit_test(a_field_of_a_structure_is_a_bit_and_a_count),
        cmocka_unit_test(classes_of_the_2d_family_have_names_of_their_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
