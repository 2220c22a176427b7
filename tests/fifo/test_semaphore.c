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
        {SEMAPHORE_INC, true, 0x7fffffff, 0x80000000, 0x80000000}, /* signs do not count */
        {SEMAPHORE_DEC, true, 0x80000000, 0x7fffffff, 0x7fffffff},
        {SEMAPHORE_DEC, true, 0, 0xffffffff, 0xffffffff},
        {SEMAPHORE_DEC, false, 2, 3, 1},
        {SEMAPHORE_DEC, false, 3, 3, 2},
        {SEMAPHORE_DEC, false, 0, 3, 3},
        {SEMAPHORE_DEC, false, 4, 3, 3},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_int_equal(semaphore_reduce(rows[i].reduction, rows[i].is_signed, rows[i].memory, rows[i].payload),
                         rows[i].result);
}

static void reductions_on_64_bits(void **state) {
    (void)state;
    static const struct {
        enum semaphore_reduction reduction;
        bool is_signed;
        uint64_t memory, payload, result;
    } rows[] = {
        {SEMAPHORE_MIN, false, 1, UINT64_MAX, 1},
        {SEMAPHORE_MIN, true, 1, UINT64_MAX, UINT64_MAX},
        {SEMAPHORE_MIN, true, 0x80000000, 0x7fffffff, 0x7fffffff}, /* no sign there */
        {SEMAPHORE_MAX, false, 1, UINT64_MAX, UINT64_MAX},
        {SEMAPHORE_MAX, true, UINT64_C(1) << 63, UINT64_C(1) << 32, UINT64_C(1) << 32},
        {SEMAPHORE_XOR, false, UINT64_C(0xff00ff0000000000), UINT64_C(0x0ff00ff000000001),
         UINT64_C(0xf0f0f0f000000001)},
        {SEMAPHORE_REDUCE_AND, false, UINT64_C(0x300000003), UINT64_C(0x600000006), UINT64_C(0x200000002)},
        {SEMAPHORE_OR, false, UINT64_C(0x300000003), UINT64_C(0x600000006), UINT64_C(0x700000007)},
        {SEMAPHORE_ADD, false, 0xffffffff, 3, UINT64_C(0x100000002)},
        {SEMAPHORE_ADD, false, UINT64_MAX, 3, 2},
        {SEMAPHORE_INC, false, 0xffffffff, UINT64_C(0x100000000), UINT64_C(0x100000000)},
        {SEMAPHORE_INC, false, UINT64_C(0x100000000), 0xffffffff, 0},
        {SEMAPHORE_DEC, false, UINT64_C(0x100000000), UINT64_C(0x100000000), 0xffffffff},
        {SEMAPHORE_DEC, false, UINT64_C(0x100000000), 3, 3},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_int_equal(semaphore_reduce_64(rows[i].reduction, rows[i].is_signed, rows[i].memory, rows[i].payload),
                         rows[i].result);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(comparisons),
        cmocka_unit_test(reductions),
        cmocka_unit_test(reductions_on_64_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
