/* SPDX-License-Identifier: MIT */
/* The programs of tests/vulkan on Mesa's Vulkan for the processor: are they right themselves? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>

#include "vulkan/programs.h"

static char *driver;

/*
 * llvmpipe leaves a loop after 65535 turns (LP_MAX_TGSI_LOOP_ITERATIONS), so a group that waits for one on another thread may
 * go on too early: barriers_scopes failed in 3 of 8 runs. On one thread the groups run in order, and none waits.
 */
static void programs_of_vulkan_pass_on_lavapipe(void **state) {
    (void)state;
    assert_int_equal(setenv("LP_NUM_THREADS", "1", 1), 0);
    assert_true(programs_run(driver, NULL));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(programs_of_vulkan_pass_on_lavapipe)};
    driver = programs_driver("/usr/share/vulkan/icd.d/lvp_icd*.json");
    if (!driver)
        return 77;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    free(driver);
    return failed;
}
