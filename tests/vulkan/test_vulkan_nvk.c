/* SPDX-License-Identifier: MIT */
/* The programs of tests/vulkan on Mesa's NVK, which Debian has from 13 on, with the model. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>

#include "mesa/client.h"
#include "vulkan/programs.h"

static const char *const usual[] = {"gk104", "gm107", "gp102", NULL};
static char *driver;

static void programs_of_vulkan_pass_on_the_model(void **state) {
    (void)state;
    const char *const *chips = client_chips(usual);
    unsigned failed = 0;
    for (size_t i = 0; chips[i]; i++)
        failed += !programs_run(driver, chips[i]);
    assert_int_equal(failed, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(programs_of_vulkan_pass_on_the_model)};
    driver = programs_driver("/usr/share/vulkan/icd.d/nouveau_icd*.json");
    if (!driver)
        return 77;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    free(driver);
    return failed;
}
