/* SPDX-License-Identifier: MIT */
/*
 * How many methods hardware was seen to take of each class (envytools hwtest/pgraph.cc, pgraph_class_*.cc): method 0
 * left out, and of NV1 what is beyond a subchannel's window.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <pfifo/classes.h>

#include "classes/method_list.h"

#define COUNT(x) (sizeof(x) / sizeof((x)[0]))

static const char *const chips[] = {"NV4",  "NV5",  "NV10", "NV15", "NV17", "NV20",
                                    "NV25", "NV30", "NV34", "NV35", "NV40", "NV44"};

/* 0: a chip does not have the class. */
static const struct {
    uint16_t object_class, methods[COUNT(chips)];
} classes[] = {
    {0x0010, {5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}},
    {0x0011, {6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}},
    {0x0012, {5, 5, 6, 6, 6, 5, 5, 5, 5, 5, 5, 5}},
    {0x0013, {6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}},
    {0x0015, {5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}},
    {0x0017, {6, 6, 7, 7, 7, 6, 6, 6, 6, 6, 6, 6}},
    {0x0018, {11, 11, 12, 12, 12, 11, 11, 11, 11, 11, 11, 11}},
    {0x0019, {6, 6, 7, 7, 7, 6, 6, 6, 6, 6, 6, 6}},
    {0x001c, {167, 173, 173, 173, 173, 172, 172, 172, 172, 172, 0, 0}},
    {0x001d, {144, 150, 150, 150, 150, 149, 149, 149, 149, 149, 0, 0}},
    {0x001e, {39, 45, 45, 45, 45, 45, 45, 45, 45, 45, 0, 0}},
    {0x001f, {9, 17, 17, 17, 17, 15, 15, 15, 15, 15, 15, 15}},
    {0x0021, {41, 48, 48, 48, 48, 47, 47, 47, 47, 47, 0, 0}},
    {0x0036, {1804, 1810, 1810, 1810, 1810, 1809, 1809, 1809, 1809, 1809, 0, 0}},
    {0x0037, {17, 22, 22, 22, 22, 21, 21, 21, 21, 21, 21, 21}},
    {0x0038, {22, 22, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23}},
    {0x0039, {13, 13, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14}},
    {0x0042, {73, 73, 74, 74, 74, 11, 11, 11, 11, 11, 11, 11}},
    {0x0043, {5, 5, 6, 6, 6, 5, 5, 5, 5, 5, 5, 5}},
    {0x0044, {156, 156, 157, 157, 157, 156, 156, 156, 156, 156, 156, 156}},
    {0x0048, {1039, 1042, 1042, 0, 0, 0, 0, 0, 0, 0, 0, 0}},
    {0x004a, {1184, 1190, 1190, 1190, 1190, 1189, 1189, 1189, 1189, 1189, 1189, 1189}},
    {0x004b, {669, 674, 674, 674, 674, 673, 673, 673, 673, 673, 0, 0}},
    {0x0052, {70, 70, 71, 71, 71, 7, 7, 7, 7, 7, 7, 7}},
    {0x0053, {10, 12, 13, 13, 13, 0, 0, 0, 0, 0, 0, 0}},
    {0x0054, {205, 205, 206, 206, 206, 0, 0, 0, 0, 0, 0, 0}},
    {0x0055, {150, 150, 151, 151, 151, 0, 0, 0, 0, 0, 0, 0}},
    {0x0056, {0, 0, 1453, 1453, 1453, 1456, 1456, 0, 0, 0, 0, 0}},
    {0x0057, {6, 6, 7, 7, 7, 6, 6, 6, 6, 6, 6, 6}},
    {0x0058, {9, 9, 10, 10, 10, 8, 8, 8, 8, 8, 8, 8}},
    {0x0059, {9, 9, 10, 10, 10, 8, 8, 8, 8, 8, 8, 8}},
    {0x005a, {9, 9, 10, 10, 10, 8, 8, 8, 8, 8, 8, 8}},
    {0x005b, {9, 9, 10, 10, 10, 8, 8, 8, 8, 8, 8, 8}},
    {0x005c, {167, 174, 174, 174, 174, 173, 173, 173, 173, 173, 173, 173}},
    {0x005d, {144, 151, 151, 151, 151, 150, 150, 150, 150, 150, 150, 150}},
    {0x005e, {39, 46, 46, 46, 46, 46, 46, 46, 46, 46, 0, 0}},
    {0x005f, {9, 17, 17, 17, 17, 15, 15, 15, 15, 15, 15, 15}},
    {0x0060, {1804, 1812, 1812, 1812, 1812, 1811, 1811, 1811, 1811, 1811, 1811, 1811}},
    {0x0061, {1801, 1809, 1809, 1809, 1809, 1808, 1808, 1808, 1808, 1808, 1808, 1808}},
    {0x0062, {0, 0, 75, 75, 75, 12, 12, 12, 12, 12, 12, 12}},
    {0x0063, {0, 0, 24, 24, 24, 23, 23, 23, 23, 23, 23, 23}},
    {0x0064, {5, 1812, 1813, 1813, 1813, 1812, 1812, 1812, 1812, 1812, 1812, 1812}},
    {0x0065, {5, 1809, 1810, 1810, 1810, 1809, 1809, 1809, 1809, 1809, 1809, 1809}},
    {0x0066, {6, 1811, 1812, 1812, 1812, 1811, 1811, 1811, 1811, 1811, 1811, 1811}},
    {0x0067, {6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}},
    {0x0072, {5, 5, 6, 6, 6, 5, 5, 5, 5, 5, 5, 5}},
    {0x0076, {1804, 1811, 1811, 1811, 1811, 1810, 1810, 1810, 1810, 1810, 1810, 1810}},
    {0x0077, {17, 23, 23, 23, 23, 22, 22, 22, 22, 22, 22, 22}},
    {0x007b, {0, 0, 1804, 1804, 1804, 1804, 1804, 1804, 1804, 1804, 1804, 1804}},
    {0x0088, {0, 0, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24}},
    {0x0089, {0, 0, 25, 25, 25, 24, 24, 24, 24, 24, 24, 24}},
    {0x008a, {0, 0, 1811, 1811, 1811, 1810, 1810, 1810, 1810, 1810, 1810, 1810}},
    {0x0093, {0, 0, 13, 13, 13, 0, 0, 0, 0, 0, 0, 0}},
    {0x0094, {0, 0, 206, 206, 206, 0, 0, 0, 0, 0, 0, 0}},
    {0x0095, {0, 0, 151, 151, 151, 0, 0, 0, 0, 0, 0, 0}},
    {0x0096, {0, 0, 0, 1461, 1461, 1461, 1461, 0, 0, 0, 0, 0}},
    {0x0097, {0, 0, 0, 0, 0, 1333, 1333, 1333, 0, 1333, 0, 0}},
    {0x0098, {0, 0, 0, 0, 1461, 0, 0, 0, 0, 0, 0, 0}},
    {0x0099, {0, 0, 0, 0, 1481, 0, 0, 0, 0, 0, 0, 0}},
    {0x009e, {0, 0, 0, 71, 71, 7, 7, 7, 7, 7, 7, 7}},
    {0x009f, {0, 0, 0, 25, 25, 23, 23, 23, 23, 23, 23, 23}},
    {0x035c, {0, 0, 0, 0, 0, 0, 0, 173, 173, 173, 0, 0}},
    {0x0362, {0, 0, 0, 0, 0, 0, 0, 12, 12, 12, 0, 0}},
    {0x0364, {0, 0, 0, 0, 0, 0, 0, 1812, 1812, 1812, 0, 0}},
    {0x0366, {0, 0, 0, 0, 0, 0, 0, 1811, 1811, 1811, 0, 0}},
    {0x037b, {0, 0, 0, 0, 0, 0, 0, 1804, 1804, 1804, 0, 0}},
    {0x0389, {0, 0, 0, 0, 0, 0, 0, 24, 24, 24, 0, 0}},
    {0x038a, {0, 0, 0, 0, 0, 0, 0, 1810, 1810, 1810, 0, 0}},
    {0x0397, {0, 0, 0, 0, 0, 0, 0, 1679, 1679, 1679, 0, 0}},
    {0x039e, {0, 0, 0, 0, 0, 0, 0, 7, 7, 7, 0, 0}},
    {0x0497, {0, 0, 0, 0, 0, 0, 0, 0, 0, 1682, 0, 0}},
    {0x0597, {0, 0, 0, 0, 0, 0, 1351, 1351, 1351, 1351, 0, 0}},
    {0x0697, {0, 0, 0, 0, 0, 0, 0, 0, 1679, 0, 0, 0}},
    {0x305c, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 173, 173}},
    {0x3062, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 12, 12}},
    {0x3064, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1812, 1812}},
    {0x3066, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1811, 1811}},
    {0x307b, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1804, 1804}},
    {0x3089, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 24, 24}},
    {0x308a, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1810, 1810}},
    {0x309e, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7, 7}},
    {0x3597, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1681, 0}},
    {0x4097, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 833, 833}},
    {0x4497, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 833, 833}},
};

struct type {
    uint16_t object_class, methods;
};

static const struct type types_nv1[] = {{0x12, 2},  {0x14, 2},  {0x17, 2},   {0x16, 2},   {0x19, 3},
                                        {0x18, 6},  {0x1a, 98}, {0x1b, 162}, {0x1c, 162}, {0x1d, 139},
                                        {0x1e, 34}, {0x23, 42}, {0x24, 52},  {0x1f, 4},   {0x21, 1796},
                                        {0x22, 38}, {0x20, 21}, {0x25, 5},   {0x34, 44},  {0x35, 57}};
static const struct type types_nv3[] = {{0x12, 2},    {0x43, 2},    {0x17, 2},   {0x16, 2},    {0x19, 3},   {0x18, 6},
                                        {0x1e, 34},   {0x1a, 98},   {0x1b, 162}, {0x1c, 162},  {0x1d, 139}, {0x4b, 663},
                                        {0x39, 9},    {0x37, 13},   {0x1f, 4},   {0x21, 1796}, {0x22, 38},  {0x25, 5},
                                        {0x36, 1799}, {0x48, 1031}, {0x47, 516}, {0x58, 4}};

/* Method 0 left out, and what NV4's driver does. */
static unsigned methods_of(const char *chip, uint32_t object_class) {
    struct method_list list;
    unsigned count = 0;
    method_list_of(pfifo_chip_by_name(chip), object_class, &list);
    for (uint32_t method = 4; method < 0x2000; method += 4)
        count += method_list_has(list.exists, method) && !method_list_has(list.by_driver, method);
    return count;
}

static void assert_methods(const char *chip, uint32_t object_class, unsigned methods) {
    unsigned found = methods_of(chip, object_class);
    if (found != methods)
        fail_msg("%s: class %04x has %u methods, not %u", chip, (unsigned)object_class, found, methods);
}

static void classes_have_the_methods_that_hardware_takes(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(classes); i++)
        for (size_t c = 0; c < COUNT(chips); c++)
            if (classes[i].methods[c] || classes[i].object_class >> 8 != 0x40)
                assert_methods(chips[c], classes[i].object_class, classes[i].methods[c]);
    for (size_t i = 0; i < COUNT(types_nv1); i++)
        assert_methods("NV1", types_nv1[i].object_class, types_nv1[i].methods);
    for (size_t i = 0; i < COUNT(types_nv3); i++) {
        assert_methods("NV3", types_nv3[i].object_class, types_nv3[i].methods);
        assert_methods("NV3T", types_nv3[i].object_class, types_nv3[i].methods);
    }
}

static void types_that_do_not_exist_have_no_methods(void **state) {
    static const uint8_t types[] = {0x00, 0x0f, 0x13, 0x16, 0x19, 0x1a, 0x1b, 0x1d, 0x1e, 0x1f};
    struct method_list list;
    (void)state;
    for (size_t i = 0; i < COUNT(types); i++) {
        assert_true(method_list_of(pfifo_chip_by_name("NV3"), 0xff00u | types[i], &list));
        assert_int_equal(methods_of("NV3", 0xff00u | types[i]), 0);
    }
}

/* Beside those whose place DEBUG_3 can change. */
static void classes_that_nv4_to_nv1f_lack_have_no_methods(void **state) {
    struct method_list list;
    (void)state;
    for (uint32_t object_class = 0; object_class < 0x100; object_class++) {
        bool unsure = object_class == 0x67 || object_class == 0x79 || object_class == 0x82 || object_class == 0x85 ||
                      object_class == 0x87;
        assert_true(method_list_of(pfifo_chip_by_name("NV4"), object_class, &list));
        assert_int_equal(method_list_of(pfifo_chip_by_name("NV17"), object_class, &list), !unsure);
    }
    assert_true(method_list_of(pfifo_chip_by_name("NV17"), 0x70, &list));
    assert_true(method_list_is_empty(&list));
    assert_true(method_list_has(list.exists, 0));
    assert_true(method_list_of(pfifo_chip_by_name("NV17"), 0x12, &list));
    assert_false(method_list_is_empty(&list));
    assert_false(method_list_of(pfifo_chip_by_name("NV20"), 0x70, &list));
}

/* M2MF, by document: the launch is last, and 0x32c is none. */
static void a_method_is_one_by_chip_and_class(void **state) {
    struct method_list list;
    (void)state;
    assert_true(method_list_of(pfifo_chip_by_name("NV17"), 0x39, &list));
    assert_true(method_list_has(list.exists, 0x328));
    assert_false(method_list_has(list.exists, 0x32c));
    assert_true(method_list_has(list.exists, 0x140));
    assert_true(method_list_of(pfifo_chip_by_name("NV5"), 0x39, &list));
    assert_false(method_list_has(list.exists, 0x140));
    assert_false(method_list_has(list.exists, 0x10000));
    assert_true(method_list_of(pfifo_chip_by_name("NV4"), 0x5f, &list));
    assert_true(method_list_has(list.by_driver, 0x2fc));
    assert_true(method_list_has(list.missing_hw, 0x204));
}

static void nothing_is_known_from_g80_on(void **state) {
    static const char *const later[] = {"G80", "GT215", "GF100", "TU102", "GH100"};
    struct method_list list;
    (void)state;
    for (size_t c = 0; c < COUNT(later); c++)
        for (size_t i = 0; i < pfifo_class_count(); i++)
            assert_false(method_list_of(pfifo_chip_by_name(later[c]), pfifo_class_at(i)->id, &list));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(classes_have_the_methods_that_hardware_takes),
        cmocka_unit_test(types_that_do_not_exist_have_no_methods),
        cmocka_unit_test(classes_that_nv4_to_nv1f_lack_have_no_methods),
        cmocka_unit_test(a_method_is_one_by_chip_and_class),
        cmocka_unit_test(nothing_is_known_from_g80_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
