/* SPDX-License-Identifier: MIT */
/* Mesa's OpenCL (rusticl) on the model: the program knows the results of its kernels, and ends with 0 if it gets them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "mesa/client.h"
#include "mesa/summary.h"

static const char *const usual[] = {"gf100", "gk104", "gk110", "gm107", "gp102", NULL};

static void kernels_have_the_results_that_the_program_knows(void **state) {
    (void)state;
    const char *const *chips = client_chips(usual);
    for (size_t i = 0; chips[i]; i++) {
        char *directory = client_directory(), summary[400], output[440];
        snprintf(summary, sizeof summary, "%s/summary", directory);
        snprintf(output, sizeof output, "PFIFO_DRM_OUTPUT=%s", summary);
        struct client client = {.chip = chips[i],
                                .arguments = ARGUMENTS(client_program("PFIFO_MESA_OPENCL")),
                                .variables = ARGUMENTS("RUSTICL_ENABLE=nouveau", "PFIFO_DRM_JSON=1", output)};
        struct client_end end = client_run(&client);
        client_expect(0, &end);
        assert_int_equal(strncmp(end.out, "NV", 2), 0); /* the name that nouveau gives the chip, no processor's */
        struct summary seen = summary_read(summary);
        assert_true(seen.submissions > 0);
        assert_int_equal(seen.faults, 0);
        assert_int_equal(seen.not_executed, 0);
        client_end_free(&end);
        assert_true(client_directory_remove(directory, "summary"));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(kernels_have_the_results_that_the_program_knows)};
    if (!client_has_mesa())
        return 77;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
