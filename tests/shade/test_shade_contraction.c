/* SPDX-License-Identifier: MIT */
/* A product and a sum are two operations, whatever the compiler and the processor: results do not depend on the host. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#if defined(__x86_64__) && defined(__GNUC__)
#define FOR_FUSED __attribute__((target("fma"), noinline))
#define HAS_FUSED __builtin_cpu_supports("fma")
#else
#define FOR_FUSED
#define HAS_FUSED 1
#endif

FOR_FUSED static double sum_of_product(double a, double b, double c) {
    return a * b + c;
}

FOR_FUSED static float sum_of_product_float(float a, float b, float c) {
    return a * b + c;
}

/* (1 + x) (1 - x) is 1 - x * x, which rounds to 1. Rounded once, the sum has the square. */
static void a_product_is_rounded_before_it_is_added(void **state) {
    volatile double a = 1 + 0x1p-30, b = 1 - 0x1p-30, c = -1;
    volatile float d = 1 + 0x1p-13F, e = 1 - 0x1p-13F, f = -1;
    (void)state;
    if (!HAS_FUSED)
        skip();
    assert_true(sum_of_product(a, b, c) == 0);
    assert_true(sum_of_product_float(d, e, f) == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_product_is_rounded_before_it_is_added)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
