/* SPDX-License-Identifier: MIT */
/* Rows and rectangles of surfaces in memory, against the same byte after byte. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "memory/rig.h"
#include "reference/surface.h"

#define AREA KIB(64) /* of VRAM, that all surfaces are in */

/* Two machines: the model's functions work on one, the reference's on the other. */
struct pair {
    struct rig model, reference;
    uint32_t random;
};

static void start_pair(struct pair *pair, const char *chip) {
    rig_start(&pair->model, pfifo_chip_by_name(chip));
    rig_start(&pair->reference, pfifo_chip_by_name(chip));
    pair->random = 1;
}

static void stop_pair(struct pair *pair) {
    rig_stop(&pair->model);
    rig_stop(&pair->reference);
}

static uint32_t choose(struct pair *pair, uint32_t below) {
    pair->random = pair->random * 1664525 + 1013904223;
    return (uint32_t)((uint64_t)pair->random * below >> 32);
}

static void fill_area(struct pair *pair) {
    struct address_space space = address_space_physical(MEMORY_VRAM);
    uint8_t *data = malloc(AREA);
    for (size_t i = 0; i < AREA; i++)
        data[i] = (uint8_t)choose(pair, 256);
    assert_true(memory_write(&pair->model.memory, &space, 0, data, AREA, NULL));
    assert_true(memory_write(&pair->reference.memory, &space, 0, data, AREA, NULL));
    free(data);
}

static void assert_same_area(struct pair *pair, const char *what, unsigned round) {
    struct address_space space = address_space_physical(MEMORY_VRAM);
    uint8_t *a = malloc(AREA), *b = malloc(AREA);
    assert_true(memory_read(&pair->model.memory, &space, 0, a, AREA, NULL));
    assert_true(memory_read(&pair->reference.memory, &space, 0, b, AREA, NULL));
    for (size_t i = 0; i < AREA; i++)
        if (a[i] != b[i])
            fail_msg("%s, round %u: byte 0x%zx is 0x%02x, not 0x%02x", what, round, i, a[i], b[i]);
    free(a);
    free(b);
    assert_int_equal(pair->model.faults, pair->reference.faults);
}

static struct layout random_layout(struct pair *pair) {
    struct layout layout = {.depth = 1 + choose(pair, 3)};
    switch (choose(pair, 3)) {
    case 0:
        layout.kind = LAYOUT_PITCH;
        layout.pitch = (int64_t)choose(pair, 400) - 100;
        layout.slice_pitch = choose(pair, 5000);
        break;
    case 1:
        layout.kind = LAYOUT_SWIZZLED;
        layout.element_bytes = (uint8_t)(1u << choose(pair, 5));
        layout.width = UINT64_C(1) << choose(pair, 7);
        layout.height = 1u << choose(pair, 6);
        layout.depth = 1u << choose(pair, 2);
        break;
    default:
        layout.kind = LAYOUT_BLOCK;
        layout.order = (enum gob_order)choose(pair, 3);
        layout.width = 1 + choose(pair, 400);
        layout.height = 1 + choose(pair, 60);
        layout.block_width = (uint8_t)(choose(pair, 4) ? 0 : choose(pair, 3));
        layout.block_height = (uint8_t)choose(pair, 4);
        layout.block_depth = (uint8_t)choose(pair, 3);
        break;
    }
    return layout;
}

static struct surface random_surface(struct pair *pair) {
    struct surface surface = {.space = address_space_physical(MEMORY_VRAM), .layout = random_layout(pair)};
    surface.space.limit = AREA - 1;
    surface.address = choose(pair, 8) ? choose(pair, 0x6000) : 0 - (uint64_t)choose(pair, 64);
    if (choose(pair, 4))
        surface.address &= ~UINT64_C(0x1ff);
    return surface;
}

static struct surface_point random_point(struct pair *pair) {
    return (struct surface_point){choose(pair, 3) ? choose(pair, 200) : choose(pair, 4) * 64, choose(pair, 30),
                                  choose(pair, 3)};
}

static void assert_same_fault(bool ok, const struct fault *fault, bool expected_ok, const struct fault *expected) {
    assert_int_equal(ok, expected_ok);
    if (ok)
        return;
    assert_int_equal(fault->reason, expected->reason);
    assert_int_equal(fault->address, expected->address);
    assert_int_equal(fault->write, expected->write);
}

static void rows_are_read_as_byte_after_byte(void **state) {
    (void)state;
    struct pair pair;
    start_pair(&pair, "GM107");
    fill_area(&pair);
    for (unsigned round = 0; round < 3000; round++) {
        struct surface surface = random_surface(&pair);
        struct surface_point at = random_point(&pair);
        uint64_t bytes = choose(&pair, 300);
        uint8_t data[300] = {0}, expected[300] = {0};
        struct fault fault = {0}, expected_fault = {0};
        bool ok = surface_read(&pair.model.memory, &surface, at.x, at.y, at.z, data, bytes, &fault);
        bool expected_ok =
            reference_surface_read(&pair.reference.memory, &surface, at, expected, bytes, &expected_fault);
        assert_same_fault(ok, &fault, expected_ok, &expected_fault);
        assert_memory_equal(data, expected, sizeof data);
    }
    stop_pair(&pair);
}

static void rows_are_written_as_byte_after_byte(void **state) {
    (void)state;
    struct pair pair;
    start_pair(&pair, "GM107");
    fill_area(&pair);
    for (unsigned round = 0; round < 2000; round++) {
        struct surface surface = random_surface(&pair);
        struct surface_point at = random_point(&pair);
        uint64_t bytes = choose(&pair, 300);
        uint8_t data[300];
        for (unsigned i = 0; i < 300; i++)
            data[i] = (uint8_t)choose(&pair, 256);
        struct fault fault = {0}, expected_fault = {0};
        bool ok = surface_write(&pair.model.memory, &surface, at.x, at.y, at.z, data, bytes, &fault);
        bool expected_ok = reference_surface_write(&pair.reference.memory, &surface, at, data, bytes, &expected_fault);
        assert_same_fault(ok, &fault, expected_ok, &expected_fault);
        assert_same_area(&pair, "write", round);
    }
    stop_pair(&pair);
}

static void rows_are_filled_with_elements(void **state) {
    (void)state;
    struct pair pair;
    start_pair(&pair, "GM107");
    fill_area(&pair);
    for (unsigned round = 0; round < 2000; round++) {
        struct surface surface = random_surface(&pair);
        struct surface_point at = random_point(&pair);
        unsigned element_bytes = 1 + choose(&pair, 16);
        uint8_t element[16], data[800];
        for (unsigned i = 0; i < 16; i++)
            element[i] = (uint8_t)(choose(&pair, 4) ? choose(&pair, 256) : 0);
        uint64_t bytes = (uint64_t)element_bytes * choose(&pair, 50);
        at.x -= at.x % element_bytes;
        for (unsigned i = 0; i < bytes; i++)
            data[i] = element[i % element_bytes];
        struct fault fault = {0}, expected_fault = {0};
        bool ok = surface_fill(&pair.model.memory, &surface, at.x, at.y, at.z, element, element_bytes, bytes, &fault);
        bool expected_ok = reference_surface_write(&pair.reference.memory, &surface, at, data, bytes, &expected_fault);
        assert_same_fault(ok, &fault, expected_ok, &expected_fault);
        assert_same_area(&pair, "fill", round);
    }
    stop_pair(&pair);
}

/* Small area, so most of the surfaces overlap. */
static void rectangles_are_copied_as_byte_after_byte(void **state) {
    (void)state;
    struct pair pair;
    start_pair(&pair, "GM107");
    fill_area(&pair);
    for (unsigned round = 0; round < 3000; round++) {
        struct surface to = random_surface(&pair), from = random_surface(&pair);
        struct surface_point to_point = random_point(&pair), from_point = random_point(&pair);
        if (choose(&pair, 4) == 0)
            from.layout = to.layout;
        if (choose(&pair, 8) == 0)
            from.address = to.address;
        uint64_t line_bytes = choose(&pair, 2) ? 64 * choose(&pair, 8) : choose(&pair, 300);
        uint64_t count = line_bytes * choose(&pair, 40), first = choose(&pair, 4) ? 0 : choose(&pair, 1000);
        if (choose(&pair, 4) == 0)
            count = choose(&pair, 5000);
        struct fault fault = {0}, expected_fault = {0};
        bool ok = surface_copy(&pair.model.memory, &to, to_point, &from, from_point, line_bytes, first, count, &fault);
        bool expected_ok = reference_surface_copy(&pair.reference.memory, &to, to_point, &from, from_point, line_bytes,
                                                  first, count, &expected_fault);
        assert_same_fault(ok, &fault, expected_ok, &expected_fault);
        assert_same_area(&pair, "copy", round);
    }
    stop_pair(&pair);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_read_as_byte_after_byte),
        cmocka_unit_test(rows_are_written_as_byte_after_byte),
        cmocka_unit_test(rows_are_filled_with_elements),
        cmocka_unit_test(rectangles_are_copied_as_byte_after_byte),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
