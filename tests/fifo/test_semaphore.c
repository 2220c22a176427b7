/* SPDX-License-Identifier: MIT */
/* What semaphores compare and compute. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "fifo/semaphore.h"

static void comparisons(void **state) {
    (void)state;
    static const struct {
        uint32_t memory, payload;
        bool equal, gequal, and;
    } rows[] = {
        {5, 5, true, true, true},           {6, 5, false, true, true},           {4, 5, false, false, true},
        {0, 0, true, true, false},          {0x80000004, 5, false, true, true},  {0x80000005, 5, false, false, true},
        {1, 0xffffffff, false, true, true}, {0xffffffff, 1, false, false, true}, {2, 5, false, false, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint32_t memory = rows[i].memory, payload = rows[i].payload;
        assert_int_equal(semaphore_satisfied(SEMAPHORE_EQUAL, memory, payload), rows[i].equal);
        assert_int_equal(semaphore_satisfied(SEMAPHORE_GEQUAL, memory, payload), rows[i].gequal);
        assert_int_equal(semaphore_satisfied(SEMAPHORE_AND, memory, payload), rows[i].and);
    }
}

static void reductions(void **state) {
    (void)state;
    static const struct {
        enum semaphore_reduction reduction;
        bool is_signed;
        uint32_t memory, payload, result;
    } rows[] = {
        {SEMAPHORE_MIN, false, 1, 0xffffffff, 1},
        {SEMAPHORE_MIN, true, 1, 0xffffffff, 0xffffffff},
        {SEMAPHORE_MIN, false, 9, 3, 3},
        {SEMAPHORE_MAX, false, 1, 0xffffffff, 0xffffffff},
        {SEMAPHORE_MAX, true, 1, 0xffffffff, 1},
        {SEMAPHORE_MAX, true, 0x80000000, 0x7fffffff, 0x7fffffff},
        {SEMAPHORE_XOR, false, 0xff00ff00, 0x0ff00ff0, 0xf0f0f0f0},
        {SEMAPHORE_REDUCE_AND, false, 0xff00ff00, 0x0ff00ff0, 0x0f000f00},
        {SEMAPHORE_OR, false, 0xff00ff00, 0x0ff00ff0, 0xfff0fff0},
        {SEMAPHORE_ADD, false, 0xffffffff, 3, 2},
        {SEMAPHORE_INC, false, 2, 3, 3},
        {SEMAPHORE_INC, false, 3, 3, 0},
        {SEMAPHORE_INC, false, 9, 3, 0},
        {SEMAPHORE_DEC, false, 2, 3, 1},
        {SEMAPHORE_DEC, false, 3, 3, 2},
        {SEMAPHORE_DEC, false, 0, 3, 3},
        {SEMAPHORE_DEC, false, 4, 3, 3},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_int_equal(semaphore_reduce(rows[i].reduction, rows[i].is_signed, rows[i].memory, rows[i].payload),
                         rows[i].result);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(comparisons),
        cmocka_unit_test(reductions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
