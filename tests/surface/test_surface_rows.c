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

#define AREA      KIB(64) /* of VRAM, that all surfaces are in, */
#define AREA_BASE 0x400000u
#define INSTANCE  0x10000u
#define DIRECTORY 0x100000u
#define TABLE     0x240000u

/* Two machines: the model's functions work on one, the reference's on the other. */
struct pair {
    struct rig model, reference;
    struct address_space physical, virtual;
    uint32_t random;
};

static uint32_t choose(struct pair *pair, uint32_t below) {
    pair->random = pair->random * 1664525 + 1013904223;
    return (uint32_t)((uint64_t)pair->random * below >> 32);
}

static void put64(struct pair *pair, uint64_t address, uint64_t value) {
    rig_put64(&pair->model, MEMORY_VRAM, address, value);
    rig_put64(&pair->reference, MEMORY_VRAM, address, value);
}

/* Virtual pages of 4 KiB in the area: one after the other, or anywhere, some of them useless. */
static void map_pages(struct pair *pair) {
    bool straight = choose(pair, 3) != 0, whole = choose(pair, 2) != 0;
    for (unsigned page = 0; page < AREA >> 12; page++) {
        uint64_t frame = AREA_BASE + ((straight ? page : choose(pair, AREA >> 12)) << 12);
        uint64_t entry = frame >> 8 | 1;
        if (!whole && choose(pair, 12) == 0)
            entry = choose(pair, 2) ? 0 : UINT64_C(1) << 32; /* not present, sparse */
        if (!whole && choose(pair, 12) == 0)
            entry |= 4; /* read only */
        put64(pair, TABLE + 8 * (uint64_t)page, entry);
    }
    memory_tlb_flush(&pair->model.memory);
    memory_tlb_flush(&pair->reference.memory);
}

static void start_pair(struct pair *pair) {
    rig_start(&pair->model, pfifo_chip_by_name("GM200"));
    rig_start(&pair->reference, pfifo_chip_by_name("GM200"));
    pair->random = 1;
    pair->physical = address_space_physical(MEMORY_VRAM);
    pair->physical.offset = AREA_BASE;
    pair->physical.limit = AREA - 1;
    put64(pair, DIRECTORY, (uint64_t)(TABLE >> 8 | 1) << 32);
    put64(pair, INSTANCE + 0x200, DIRECTORY);
    put64(pair, INSTANCE + 0x208, (UINT64_C(1) << 40) - 1);
    pair->virtual = address_space_vm(&pair->model.memory, MEMORY_VRAM, INSTANCE);
    map_pages(pair);
}

static void stop_pair(struct pair *pair) {
    rig_stop(&pair->model);
    rig_stop(&pair->reference);
}

static void fill_area(struct pair *pair) {
    uint8_t *data = malloc(AREA);
    for (size_t i = 0; i < AREA; i++)
        data[i] = (uint8_t)choose(pair, 256);
    assert_true(memory_write(&pair->model.memory, &pair->physical, 0, data, AREA, NULL));
    assert_true(memory_write(&pair->reference.memory, &pair->physical, 0, data, AREA, NULL));
    free(data);
}

static void assert_same_area(struct pair *pair, const char *what, unsigned round) {
    uint8_t *a = malloc(AREA), *b = malloc(AREA);
    assert_true(memory_read(&pair->model.memory, &pair->physical, 0, a, AREA, NULL));
    assert_true(memory_read(&pair->reference.memory, &pair->physical, 0, b, AREA, NULL));
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
        layout.type = LAYOUT_PITCH;
        layout.pitch = (int64_t)choose(pair, 400) - 100;
        layout.slice_pitch = choose(pair, 5000);
        break;
    case 1:
        layout.type = LAYOUT_SWIZZLED;
        layout.element_bytes = (uint8_t)(1u << choose(pair, 5));
        layout.width = UINT64_C(1) << choose(pair, 7);
        layout.height = 1u << choose(pair, 6);
        layout.depth = 1u << choose(pair, 2);
        break;
    default:
        layout.type = LAYOUT_BLOCK;
        layout.order = (enum gob_order)choose(pair, 3);
        layout.quarter_gobs = choose(pair, 8) == 0;
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
    struct surface surface = {.space = choose(pair, 2) ? pair->physical : pair->virtual, .layout = random_layout(pair)};
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

/* So many rounds of a test, on an area with anything in it and pages that change now and then. */
static void in_rounds(unsigned rounds, void (*one)(struct pair *pair, unsigned round)) {
    struct pair pair;
    start_pair(&pair);
    fill_area(&pair);
    for (unsigned round = 0; round < rounds; round++) {
        if (round % 16 == 0)
            map_pages(&pair);
        one(&pair, round);
    }
    stop_pair(&pair);
}

static void read_row(struct pair *pair, unsigned round) {
    (void)round;
    struct surface surface = random_surface(pair);
    struct surface_point at = random_point(pair);
    uint64_t bytes = choose(pair, 300);
    uint8_t data[300] = {0}, expected[300] = {0};
    struct fault fault = {0}, expected_fault = {0};
    bool ok = surface_read(&pair->model.memory, &surface, at.x, at.y, at.z, data, bytes, &fault);
    bool expected_ok = reference_surface_read(&pair->reference.memory, &surface, at, expected, bytes, &expected_fault);
    assert_same_fault(ok, &fault, expected_ok, &expected_fault);
    assert_memory_equal(data, expected, sizeof data);
}

static void rows_are_read_as_byte_after_byte(void **state) {
    (void)state;
    in_rounds(5000, read_row);
}

static void write_row(struct pair *pair, unsigned round) {
    struct surface surface = random_surface(pair);
    struct surface_point at = random_point(pair);
    uint64_t bytes = choose(pair, 300);
    uint8_t data[300];
    for (unsigned i = 0; i < 300; i++)
        data[i] = (uint8_t)choose(pair, 256);
    struct fault fault = {0}, expected_fault = {0};
    bool ok = surface_write(&pair->model.memory, &surface, at.x, at.y, at.z, data, bytes, &fault);
    bool expected_ok = reference_surface_write(&pair->reference.memory, &surface, at, data, bytes, &expected_fault);
    assert_same_fault(ok, &fault, expected_ok, &expected_fault);
    assert_same_area(pair, "write", round);
}

static void rows_are_written_as_byte_after_byte(void **state) {
    (void)state;
    in_rounds(4000, write_row);
}

static void fill_row(struct pair *pair, unsigned round) {
    struct surface surface = random_surface(pair);
    struct surface_point at = random_point(pair);
    unsigned element_bytes = 1 + choose(pair, 16);
    uint8_t element[16], data[800];
    for (unsigned i = 0; i < 16; i++)
        element[i] = (uint8_t)(choose(pair, 4) ? choose(pair, 256) : 0);
    uint64_t bytes = (uint64_t)element_bytes * choose(pair, 50);
    at.x -= at.x % element_bytes;
    for (unsigned i = 0; i < bytes; i++)
        data[i] = element[i % element_bytes];
    struct fault fault = {0}, expected_fault = {0};
    bool ok = surface_fill(&pair->model.memory, &surface, at.x, at.y, at.z, element, element_bytes, bytes, &fault);
    bool expected_ok = reference_surface_write(&pair->reference.memory, &surface, at, data, bytes, &expected_fault);
    assert_same_fault(ok, &fault, expected_ok, &expected_fault);
    assert_same_area(pair, "fill", round);
}

static void rows_are_filled_with_elements(void **state) {
    (void)state;
    in_rounds(4000, fill_row);
}

/* What surface_fill() does, for many lines. */
static void fill_lines(struct pair *pair, unsigned round) {
    struct surface surface = random_surface(pair);
    struct surface_point at = random_point(pair);
    unsigned element_bytes = choose(pair, 2) ? 1u << choose(pair, 5) : 1 + choose(pair, 16);
    uint8_t element[16], data[800];
    for (unsigned i = 0; i < 16; i++)
        element[i] = (uint8_t)choose(pair, 256);
    uint64_t line_bytes = (uint64_t)element_bytes * choose(pair, 50), lines = choose(pair, 40);
    if (choose(pair, 2) && element_bytes <= 16 && 64 % element_bytes == 0)
        line_bytes = 64 * (uint64_t)choose(pair, 7);
    at.x -= at.x % element_bytes;
    if (choose(pair, 2))
        at.y &= ~UINT64_C(7);
    for (unsigned i = 0; i < line_bytes; i++)
        data[i] = element[i % element_bytes];
    struct fault fault = {0}, expected_fault = {0};
    bool ok = surface_fill_lines(&pair->model.memory, &surface, at, element, element_bytes, line_bytes, lines, &fault);
    bool expected_ok = true;
    for (uint64_t l = 0; l < lines && expected_ok; l++, at.y++)
        expected_ok = reference_surface_write(&pair->reference.memory, &surface, at, data, line_bytes, &expected_fault);
    assert_same_fault(ok, &fault, expected_ok, &expected_fault);
    assert_same_area(pair, "fill", round);
}

static void lines_are_filled_one_after_the_other(void **state) {
    (void)state;
    in_rounds(4000, fill_lines);
}

/* Byte after byte, each read before it is written. */
static bool merge_row(struct pair *pair, const struct surface *surface, struct surface_point at, const uint8_t *element,
                      const uint8_t *mask, unsigned element_bytes, uint64_t bytes, struct fault *fault) {
    struct memory *memory = &pair->reference.memory;
    for (uint64_t i = 0; i < bytes; i++, at.x++) {
        uint8_t byte, bits = mask ? mask[i % element_bytes] : 0xff;
        if (mask && !reference_surface_read(memory, surface, at, &byte, 1, fault))
            return false;
        byte = (uint8_t)((mask ? byte & ~bits : 0) | (element[i % element_bytes] & bits));
        if (!reference_surface_write(memory, surface, at, &byte, 1, fault))
            return false;
    }
    return true;
}

/* A rectangle of some elements, with a mask or without. */
static void fill_rectangle(struct pair *pair, struct surface surface, struct surface_point at, unsigned element_bytes,
                           uint64_t line_bytes, uint64_t lines, unsigned round) {
    uint8_t element[16], bits[16];
    const uint8_t *mask = choose(pair, 2) ? bits : NULL;
    for (unsigned i = 0; i < 16; i++) {
        element[i] = (uint8_t)choose(pair, 256);
        bits[i] = (uint8_t)(choose(pair, 2) ? choose(pair, 256) : choose(pair, 2) * 0xff);
    }
    struct fault fault = {0}, expected_fault = {0};
    struct memory *memory = &pair->model.memory;
    bool ok = mask ? surface_merge_lines(memory, &surface, at, element, mask, element_bytes, line_bytes, lines, &fault)
                   : surface_fill_lines(memory, &surface, at, element, element_bytes, line_bytes, lines, &fault);
    bool expected_ok = true;
    for (uint64_t l = 0; l < lines && expected_ok; l++, at.y++)
        expected_ok = merge_row(pair, &surface, at, element, mask, element_bytes, line_bytes, &expected_fault);
    assert_same_fault(ok, &fault, expected_ok, &expected_fault);
    assert_same_area(pair, mask ? "merge" : "fill", round);
}

static void fill_swizzled(struct pair *pair, unsigned round) {
    struct surface surface = random_surface(pair);
    struct layout *layout = &surface.layout;
    unsigned bytes = 1u << choose(pair, 5);
    *layout = (struct layout){.type = LAYOUT_SWIZZLED,
                              .element_bytes = (uint8_t)bytes,
                              .width = UINT64_C(1) << choose(pair, 8),
                              .height = 1u << choose(pair, 8),
                              .depth = choose(pair, 4) ? 1 : 1u << choose(pair, 4)};
    struct surface_point at = {choose(pair, (uint32_t)layout->width), choose(pair, layout->height),
                               choose(pair, layout->depth)};
    uint64_t width = layout->width - at.x, lines = layout->height - at.y;
    width = choose(pair, 3) ? 1 + choose(pair, (uint32_t)width) : width;
    lines = choose(pair, 3) ? 1 + choose(pair, (uint32_t)lines) : lines;
    if (choose(pair, 10) == 0) /* and beyond the size, which comes round */
        width += layout->width;
    at.x *= bytes;
    fill_rectangle(pair, surface, at, choose(pair, 4) ? bytes : 1u << choose(pair, 5), width * bytes, lines, round);
}

static void swizzled_rectangles_are_filled_and_merged(void **state) {
    (void)state;
    in_rounds(6000, fill_swizzled);
}

static void merge_lines(struct pair *pair, unsigned round) {
    struct surface surface = random_surface(pair);
    struct surface_point at = random_point(pair);
    unsigned bytes = 1u << choose(pair, 5);
    at.x -= at.x % bytes;
    if (choose(pair, 2))
        at.y &= ~UINT64_C(7);
    uint64_t line_bytes = choose(pair, 2) ? 64 * (uint64_t)choose(pair, 7) : bytes * (uint64_t)choose(pair, 40);
    fill_rectangle(pair, surface, at, bytes, line_bytes, choose(pair, 40), round);
}

static void bits_are_merged_into_lines_of_any_layout(void **state) {
    (void)state;
    in_rounds(4000, merge_lines);
}

/* One copy of random size on both machines. The area is small, so that many of the surfaces overlap. */
static void copy_both(struct pair *pair, struct surface to, struct surface from, unsigned round) {
    struct surface_point to_point = random_point(pair), from_point = random_point(pair);
    if (choose(pair, 2)) {
        to_point.y &= ~UINT64_C(7);
        from_point.y &= ~UINT64_C(7);
    }
    uint64_t line_bytes = choose(pair, 2) ? 64 * (uint64_t)choose(pair, 8) : choose(pair, 300);
    uint64_t count = line_bytes * choose(pair, 40), first = choose(pair, 4) ? 0 : choose(pair, 1000);
    if (choose(pair, 4) == 0)
        count = choose(pair, 5000);
    struct fault fault = {0}, expected_fault = {0};
    bool ok = surface_copy(&pair->model.memory, &to, to_point, &from, from_point, line_bytes, first, count,
                           &(uint64_t){0}, &fault);
    bool expected_ok = reference_surface_copy(&pair->reference.memory, &to, to_point, &from, from_point, line_bytes,
                                              first, count, &expected_fault);
    assert_same_fault(ok, &fault, expected_ok, &expected_fault);
    assert_same_area(pair, "copy", round);
}

static void copy_rectangle(struct pair *pair, unsigned round) {
    struct surface to = random_surface(pair), from = random_surface(pair);
    if (choose(pair, 4) == 0)
        from.layout = to.layout;
    if (choose(pair, 8) == 0)
        from.address = to.address;
    copy_both(pair, to, from, round);
}

static void rectangles_are_copied_as_byte_after_byte(void **state) {
    (void)state;
    in_rounds(6000, copy_rectangle);
}

/* Halves of the area that do not overlap, so that whole bands are copied at once. */
static void copy_rectangle_apart(struct pair *pair, unsigned round) {
    struct surface to = random_surface(pair), from = random_surface(pair);
    if (choose(pair, 4) == 0) {
        from.layout = to.layout;
        from.layout.block_depth = (uint8_t)choose(pair, 2);
    }
    to.address = choose(pair, 4) * 64;
    from.address = AREA / 2 + choose(pair, 4) * 64;
    copy_both(pair, to, from, round);
}

static void rectangles_apart_are_copied_as_byte_after_byte(void **state) {
    (void)state;
    in_rounds(6000, copy_rectangle_apart);
}

/* What surface_copy_lines() says that it has done it has done, and nothing else. */
static void some_lines_are_copied_from_either_end(void **state) {
    (void)state;
    struct pair pair;
    start_pair(&pair);
    fill_area(&pair);
    unsigned all = 0, none = 0;
    for (unsigned round = 0; round < 6000; round++) {
        if (round % 16 == 0)
            map_pages(&pair);
        struct surface to = random_surface(&pair), from = random_surface(&pair);
        struct surface_point to_point = random_point(&pair), from_point = random_point(&pair);
        uint64_t line_bytes = choose(&pair, 2) ? 64 * (uint64_t)choose(&pair, 8) : choose(&pair, 300);
        uint64_t lines = choose(&pair, 40);
        bool upwards = choose(&pair, 2);
        if (choose(&pair, 4) == 0)
            from.layout = to.layout;
        if (choose(&pair, 2))
            to.address = choose(&pair, 4) * 64, from.address = AREA / 2 + choose(&pair, 4) * 64;
        uint64_t done =
            surface_copy_lines(&pair.model.memory, &to, to_point, &from, from_point, line_bytes, lines, upwards);
        assert_true(done <= lines);
        all += lines && done == lines;
        none += lines && done == 0;
        struct fault fault;
        for (uint64_t i = 0; i < done; i++) {
            struct surface_point to_line = to_point, from_line = from_point;
            to_line.y += upwards ? lines - 1 - i : i;
            from_line.y += upwards ? lines - 1 - i : i;
            assert_true(reference_surface_copy(&pair.reference.memory, &to, to_line, &from, from_line, line_bytes, 0,
                                               line_bytes, &fault));
        }
        assert_same_area(&pair, "some lines", round);
    }
    assert_true(all > 300 && none > 300);
    stop_pair(&pair);
}

/* A copy that reaches into itself repeats what lies between its beginnings. */
static void a_copy_onto_itself_repeats(void **state) {
    (void)state;
    struct pair pair;
    start_pair(&pair);
    for (unsigned distance = 1; distance < 70; distance++) {
        fill_area(&pair);
        struct surface surface = {.space = pair.physical, .layout = {.type = LAYOUT_PITCH}};
        struct surface_point from = {100, 0, 0}, to = {100 + distance, 0, 0};
        struct fault fault;
        uint8_t data[1000];
        assert_true(
            surface_copy(&pair.model.memory, &surface, to, &surface, from, 1000, 0, 1000, &(uint64_t){0}, &fault));
        assert_true(memory_read(&pair.model.memory, &pair.physical, 100, data, sizeof data, NULL));
        for (unsigned i = distance; i < 1000; i++)
            assert_int_equal(data[i], data[i - distance]);
        assert_true(
            reference_surface_copy(&pair.reference.memory, &surface, to, &surface, from, 1000, 0, 1000, &fault));
        assert_same_area(&pair, "distance", distance);
    }
    stop_pair(&pair);
}

/* Whatever a guest writes into its methods: nothing happens but faults. */
static void hostile_sizes_do_no_harm(void **state) {
    (void)state;
    struct pair pair;
    start_pair(&pair);
    static const uint64_t odd[] = {0, 1, 0x7fffffff, 0xffffffff, UINT64_C(1) << 32, UINT64_C(1) << 63, UINT64_MAX};
    for (unsigned round = 0; round < 20000; round++) {
        struct surface to = random_surface(&pair), from = random_surface(&pair);
        to.layout.width = from.layout.width = odd[choose(&pair, 7)];
        if (to.layout.type == LAYOUT_SWIZZLED || from.layout.type == LAYOUT_SWIZZLED)
            to.layout.width = from.layout.width = UINT64_C(1) << choose(&pair, 64);
        if (choose(&pair, 2))
            to.layout.pitch = (int64_t)odd[choose(&pair, 7)];
        if (choose(&pair, 2))
            from.layout.pitch = (int64_t)odd[choose(&pair, 7)];
        to.layout.height = (uint32_t)odd[choose(&pair, 4)];
        from.layout.depth = (uint32_t)odd[choose(&pair, 4)];
        from.layout.slice_pitch = odd[choose(&pair, 7)];
        if (choose(&pair, 2))
            to.layout.block_width = to.layout.block_height = to.layout.block_depth = 15;
        if (choose(&pair, 2))
            from.layout.block_width = from.layout.block_height = from.layout.block_depth = 15;
        struct surface_point to_point = {odd[choose(&pair, 7)], odd[choose(&pair, 7)], odd[choose(&pair, 7)]};
        struct surface_point from_point = {odd[choose(&pair, 7)], odd[choose(&pair, 7)], odd[choose(&pair, 7)]};
        struct fault fault;
        surface_copy(&pair.model.memory, &to, to_point, &from, from_point, 1 + odd[choose(&pair, 6)],
                     odd[choose(&pair, 7)], choose(&pair, 1000), &(uint64_t){0}, &fault);
        uint8_t element[16] = {0};
        unsigned element_bytes = 1 + choose(&pair, 16);
        surface_fill_lines(&pair.model.memory, &to, to_point, element, element_bytes, choose(&pair, 1000),
                           choose(&pair, 3), &fault);
    }
    stop_pair(&pair);
}

/* A surface being written through a read-only page: what is before it in the row has been done. */
static void a_fault_says_whether_it_was_a_write(void **state) {
    (void)state;
    struct pair pair;
    struct fault fault = {0};
    start_pair(&pair);
    struct surface inside = {.space = pair.physical, .layout = {.type = LAYOUT_PITCH, .pitch = 256}};
    struct surface outside = inside;
    outside.address = AREA - 100;
    assert_false(surface_copy(&pair.model.memory, &inside, (struct surface_point){0}, &outside,
                              (struct surface_point){0}, 200, 0, 200, &(uint64_t){0}, &fault));
    assert_false(fault.write);
    assert_int_equal(fault.address, AREA);
    assert_false(surface_copy(&pair.model.memory, &outside, (struct surface_point){0}, &inside,
                              (struct surface_point){0}, 200, 0, 200, &(uint64_t){0}, &fault));
    assert_true(fault.write);
    assert_int_equal(pair.model.faults, 2);
    stop_pair(&pair);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_read_as_byte_after_byte),
        cmocka_unit_test(rows_are_written_as_byte_after_byte),
        cmocka_unit_test(rows_are_filled_with_elements),
        cmocka_unit_test(lines_are_filled_one_after_the_other),
        cmocka_unit_test(swizzled_rectangles_are_filled_and_merged),
        cmocka_unit_test(bits_are_merged_into_lines_of_any_layout),
        cmocka_unit_test(rectangles_are_copied_as_byte_after_byte),
        cmocka_unit_test(rectangles_apart_are_copied_as_byte_after_byte),
        cmocka_unit_test(some_lines_are_copied_from_either_end),
        cmocka_unit_test(a_copy_onto_itself_repeats),
        cmocka_unit_test(hostile_sizes_do_no_harm),
        cmocka_unit_test(a_fault_says_whether_it_was_a_write),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
