/* SPDX-License-Identifier: MIT */
/* What programs of Vulkan have submitted (captures of version 3, samples/vulkan), through all commands that read captures. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tool/tool.h"

static char *sample_of_vulkan(const char *name) {
    char in_samples[100];

    snprintf(in_samples, sizeof in_samples, "../vulkan/%s.nvcap.zst", name);
    return sample_path(in_samples);
}

static void expect(int status, const char *wanted, struct outcome outcome) {
    expect_status(status, &outcome);
    expect_printed(&outcome, wanted);
    outcome_free(&outcome);
}

static void each_command_that_reads_takes_them(void **state) {
    char *fill = sample_of_vulkan("nv117-fill"), *cube = sample_of_vulkan("nv117-vkmark-cube");

    (void)state;
    expect(0, "launches      2, 96 blocks, 256 warps", tool_run("run", fill));
    expect(0, "\"not_executed\":0", tool_run("run", "--json", "--chip=GM200", fill));
    expect(0, "SEND_PCAS_A ", tool_run("decode", fill));
    expect(0, "  wait: sync object 2, point 1\n", tool_run("decode", "--submit=4", fill));
    expect(0, "\"event\":\"sync\"", tool_run("decode", "--json", fill));
    expect(0, "LAUNCH_DMA", tool_run("grep", "LAUNCH_DMA", fill));
    expect(0, "MAXWELL_COMPUTE_A ", tool_run("top", fill));
    expect(0, "LOAD_MME_START_ADDRESS_RAM ", tool_run("state", fill));
    expect(0, "RGBA8_SRGB", tool_run("image", cube));
    expect(0, "", tool_run("lint", fill));
    expect(0, "", tool_run("lint", cube));
    free(fill);
    free(cube);
}

static void two_chips_get_other_words_and_the_same_work(void **state) {
    char *maxwell = sample_of_vulkan("nv117-fill"), *pascal = sample_of_vulkan("nv132-fill");

    (void)state;
    expect(1, " same, ", tool_run("diff", "--stat", maxwell, pascal));
    expect(0, "", tool_run("diff", maxwell, maxwell));
    expect(0, "", tool_run("diff", "--state", maxwell, maxwell));
    free(maxwell);
    free(pascal);
}

/* Less in it: without its launches the program's buffer is not filled, but all is well formed. */
static void they_are_edited(void **state) {
    char *fill = sample_of_vulkan("nv117-fill"), *output = temporary_path("edited.nvcap");

    (void)state;
    expect(0, "4 dropped, 0 changed\n",
           tool_run("edit", "--drop", "--where=SEND_PCAS_A|SEND_SIGNALING_PCAS_B", "-o", output, fill));
    expect(1, "4 removed, 0 added\n", tool_run("diff", "--stat", fill, output));
    struct outcome outcome = tool_run("run", output);
    expect_status(0, &outcome);
    assert_null(strstr(outcome.out, "launches"));
    outcome_free(&outcome);
    unlink(output);
    free(output);
    free(fill);
}

static void the_console_stops_at_a_launch_and_goes_back(void **state) {
    char *fill = sample_of_vulkan("nv117-fill");

    (void)state;
    expect(0, "SEND_PCAS_A                          3efdf48f",
           tool_run("debug", "-e", "break method SEND_PCAS_A", "-e", "continue", "-e", "where", "-e", "reverse-step",
                    "-e", "quit", fill));
    free(fill);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_command_that_reads_takes_them),
        cmocka_unit_test(two_chips_get_other_words_and_the_same_work),
        cmocka_unit_test(they_are_edited),
        cmocka_unit_test(the_console_stops_at_a_launch_and_goes_back),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
