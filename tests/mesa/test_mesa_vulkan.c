/* SPDX-License-Identifier: MIT */
/*
 * Mesa's Vulkan (NVK) on the model: the program knows what its submissions write, and ends with 0 if it finds that.
 * Mesa 25 takes chips before Turing only with a variable.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mesa/client.h"
#include "mesa/summary.h"

static const char *const usual[] = {"gk104", "gk110", "gm107", "gm200", "gp102", NULL};

static void a_buffer_is_filled_and_added_to(void **state) {
    (void)state;
    const char *const *chips = client_chips(usual);
    for (size_t i = 0; chips[i]; i++) {
        char *directory = client_directory(), summary[400], output[440];
        snprintf(summary, sizeof summary, "%s/summary", directory);
        snprintf(output, sizeof output, "PFIFO_DRM_OUTPUT=%s", summary);
        struct client client = {.chip = chips[i],
                                .arguments = ARGUMENTS(client_program("PFIFO_MESA_VULKAN")),
                                .variables =
                                    ARGUMENTS("NVK_I_WANT_A_BROKEN_VULKAN_DRIVER=1", "PFIFO_DRM_JSON=1", output)};
        struct client_end end = client_run(&client);
        client_expect(0, &end);
        assert_non_null(strstr(end.out, "NVK"));
        struct summary seen = summary_read(summary);
        assert_true(seen.submissions > 0);
        assert_int_equal(seen.faults, 0);
        assert_int_equal(seen.not_executed, 0);
        client_end_free(&end);
        assert_true(client_directory_remove(directory, "summary"));
    }
}

/* Debian has it from 13 on. */
static bool has_nvk(void) {
    glob_t found;
    bool has = glob("/usr/share/vulkan/icd.d/nouveau_icd*.json", 0, NULL, &found) == 0;
    if (has)
        globfree(&found);
    return has && getenv("PFIFO_MESA_VULKAN");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_buffer_is_filled_and_added_to)};
    if (!has_nvk())
        return 77;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
