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

static void programs_of_vulkan_pass_on_lavapipe(void **state) {
    (void)state;
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
