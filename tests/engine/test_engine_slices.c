/* SPDX-License-Identifier: MIT */
/* Slices of long work that end where rows of blocks do. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "engine/core/work.h"

static uint32_t random_state;

static uint32_t choose(uint32_t below) {
    random_state = random_state * 1664525 + 1013904223;
    return (uint32_t)((uint64_t)random_state * below >> 32);
}

/* As the method would come again and again. Returns how many slices there are. */
static unsigned walk(uint64_t total, uint64_t before, uint64_t step, uint64_t unit_bytes) {
    struct work_items items = {0};
    struct object object = {.work = {.progress = &items, .progress_bytes = sizeof items}};
    const struct call call = {.object = &object};
    unsigned slices = 0;
    do {
        struct work_slice slice = work_slice(&call, total, unit_bytes);
        uint64_t plain = slice.count;
        work_slice_align(&slice, before, step);
        uint64_t end = slice.first + slice.count;
        assert_int_equal(slice.first, items.done);
        assert_int_equal(slice.total, total);
        assert_true(slice.count > 0 && end <= total);
        assert_true(slice.count == plain || slice.count * unit_bytes <= WORK_MOST_BYTES);
        if (end < total && step * unit_bytes <= WORK_MOST_BYTES)
            assert_int_equal((before + end) % step, 0);
        items.done = end;
        slices++;
    } while (items.done < total);
    return slices;
}

static void slices_end_with_rows_of_blocks(void **state) {
    (void)state;
    random_state = 1;
    for (unsigned round = 0; round < 20000; round++) {
        uint64_t unit_bytes = 1 + choose(1u << choose(24)), step = (uint64_t)1 << choose(10);
        walk(1 + choose(1u << choose(14)), choose(5000), step, unit_bytes);
        walk(1 + choose(1u << choose(24)), choose(5000), step * (1 + choose(5000)), 1 + choose(64));
    }
}

/* 64 lines would be a MiB: 4 rows of blocks and a part of one on either side. */
static void slices_grow_to_whole_blocks(void **state) {
    (void)state;
    assert_int_equal(walk(512, 0, 128, 16384), 4);
    assert_int_equal(walk(512, 40, 128, 16384), 5);
    assert_int_equal(walk(512, 0 - UINT64_C(40), 128, 16384), 5);
    assert_int_equal(walk(512, 0, 128, 65536), 512 / 64); /* the most: halves of them */
    assert_int_equal(walk(512, 0, 1, 16384), 8);
}

static void nothing_is_one_slice(void **state) {
    (void)state;
    struct work_items items = {0};
    struct object object = {.work = {.progress = &items, .progress_bytes = sizeof items}};
    const struct call call = {.object = &object};
    struct work_slice slice = work_slice(&call, 0, 1);
    work_slice_align(&slice, 5, 128);
    assert_int_equal(slice.count, 0);
}

/* Whatever a guest asks for. */
static void hostile_steps_do_no_harm(void **state) {
    (void)state;
    static const uint64_t odd[] = {0, 1, 3, 0xffffffff, UINT64_C(1) << 63, UINT64_MAX};
    for (unsigned i = 0; i < 6 * 6 * 6 * 6; i++) {
        uint64_t total = odd[i % 6], first = odd[i / 6 % 6] < total ? odd[i / 6 % 6] : 0;
        struct work_items items = {first};
        struct object object = {.work = {.progress = &items, .progress_bytes = sizeof items}};
        const struct call call = {.object = &object};
        struct work_slice slice = work_slice(&call, total, 1);
        work_slice_align(&slice, odd[i / 36 % 6], odd[i / 216]);
        assert_true(slice.count <= total - first && slice.count <= WORK_MOST_BYTES);
        assert_true(slice.count > 0 || total == 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slices_end_with_rows_of_blocks),
        cmocka_unit_test(slices_grow_to_whole_blocks),
        cmocka_unit_test(nothing_is_one_slice),
        cmocka_unit_test(hostile_steps_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
