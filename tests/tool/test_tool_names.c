/* SPDX-License-Identifier: MIT */
/* --names: methods are printed, and found, by the names that people have for them. */
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

static char *capture, *fermi;

static int begin(void **state) {
    (void)state;
    capture = sample_path("nv40-clear.nvcap.xz");
    fermi = sample_path("nvc0-clear.nvcap.xz");
    return 0;
}

static int end(void **state) {
    (void)state;
    free(capture);
    free(fermi);
    return 0;
}

/* In what is printed there is this text, and not the other. */
static void expect_names(struct outcome outcome, const char *text, const char *other) {
    if (outcome.status != 0 && outcome.status != 1)
        fail_msg("exit status %d: %.1000s", outcome.status, outcome.err);
    if (!strstr(outcome.out, text))
        fail_msg("no '%s' in: %.2000s", text, outcome.out);
    if (other && strstr(outcome.out, other))
        fail_msg("'%s' in: %.2000s", other, outcome.out);
    outcome_free(&outcome);
}

static void whose_names_does_decode_print(void **state) {
    (void)state;
    expect_names(tool_run("decode", capture), " 1d94 CLEAR_BUFFERS  ", "CLEAR_SURFACE");
    expect_names(tool_run("decode", "--names=nouveau", capture), " 1d94 CLEAR_BUFFERS  ", "CLEAR_SURFACE");
    expect_names(tool_run("decode", "--names=nvidia", capture), " 1d94 CLEAR_SURFACE  ", "CLEAR_BUFFERS");
    expect_names(tool_run("decode", "--names=nxdk", capture), " 1d94 NV4097_CLEAR_SURFACE  ", "CLEAR_BUFFERS");
    expect_names(tool_run("decode", fermi), " 19d0 CLEAR_SURFACE  ", "CLEAR_BUFFERS");
    expect_names(tool_run("decode", "--names=nvidia", fermi), " 19d0 CLEAR_SURFACE  ", "CLEAR_BUFFERS");
    expect_names(tool_run("decode", "--names=nouveau", fermi), " 19d0 CLEAR_BUFFERS  ", "CLEAR_SURFACE");
    expect_names(tool_run("decode", "--names=nxdk", fermi), " 19d0 NV9097_CLEAR_SURFACE  ", "CLEAR_BUFFERS");
}

static void can_i_have_the_names_of_nxdk_everywhere(void **state) {
    static const char nxdk[] = "--names=nxdk", name[] = "NV4097_CLEAR_SURFACE", other[] = "CLEAR_BUFFERS";
    (void)state;
    expect_names(tool_run("decode", "--json", nxdk, capture), "\"name\":\"NV4097_CLEAR_SURFACE\"", other);
    expect_names(tool_run("grep", nxdk, "CLEAR_BUFFERS", capture), name, other);
    expect_names(tool_run("top", "--by=method", "--number=500", nxdk, capture), name, other);
    expect_names(tool_run("run", "--trace=puller.method", nxdk, capture), "method=0x1d94:NV4097_CLEAR_SURFACE", other);
    expect_names(tool_run("run", "--json", "--trace=puller.method", nxdk, capture),
                 "\"method_name\":\"NV4097_CLEAR_SURFACE\"", other);
    expect_names(tool_run("state", nxdk, capture), name, other);
    expect_names(tool_run("timeline", nxdk, capture), name, other);
    expect_names(tool_run("debug", nxdk, "-e", "break NV4097_CLEAR_SURFACE", "-e", "run", capture),
                 "1d94 NV4097_CLEAR_SURFACE", other);
    expect_names(tool_run("debug", nxdk, "-e", "watch NV4097_SET_SURFACE_FORMAT", "-e", "run", capture),
                 "  by 7 4097 NV40_3D 0208 NV4097_SET_SURFACE_FORMAT 0x06060248", "RT_FORMAT");
}

/* Two streams that differ in one method. */
static void diff_prints_them_too(void **state) {
    char *paths[] = {temporary_path(".txt"), temporary_path(".txt")};
    static const char *const texts[] = {"00040000 beef0097 00041d6c 00000010\n",
                                        "00040000 beef0097 00041d6c 00000020\n"};
    (void)state;
    for (size_t i = 0; i < 2; i++)
        write_file(paths[i], texts[i], strlen(texts[i]));
    expect_names(tool_run("diff", "--chip=NV2A", "--names=nxdk", paths[0], paths[1]), "1d6c NV097_SET_SEMAPHORE_OFFSET",
                 NULL);
    expect_names(tool_run("lint", "--chip=NV2A", "--names=nxdk", paths[0]), "", "1d6c SET_SEMAPHORE_OFFSET");
    for (size_t i = 0; i < 2; i++) {
        unlink(paths[i]);
        free(paths[i]);
    }
}

/* The name that was chosen is in front, and the other one comes second. */
static void explain_has_the_other_name_second(void **state) {
    (void)state;
    expect_names(tool_run("explain", "NV40_3D.RT_FORMAT"),
                 "method NV40_3D.RT_FORMAT\n  alias      SET_SURFACE_FORMAT\n", NULL);
    expect_names(tool_run("explain", "--names=nvidia", "NV40_3D.RT_FORMAT"),
                 "method NV40_3D.SET_SURFACE_FORMAT\n  alias      RT_FORMAT\n", NULL);
    expect_names(tool_run("explain", "--names=nxdk", "NV4097_SET_SURFACE_FORMAT"),
                 "method NV40_3D.NV4097_SET_SURFACE_FORMAT\n  alias      RT_FORMAT\n", NULL);
    expect_names(tool_run("explain", "--names=nouveau", "FERMI_A.CLEAR_SURFACE"),
                 "method FERMI_A.CLEAR_BUFFERS\n  alias      CLEAR_SURFACE\n", NULL);
}

static void my_file_says_whose_names_i_want(void **state) {
    static const char config[] = "[decode]\nnames = nxdk\n";
    char *path = temporary_path(".conf");
    (void)state;
    write_file(path, config, sizeof config - 1);
    setenv("PFIFO_CONFIG", path, 1);
    expect_names(tool_run("decode", capture), " 1d94 NV4097_CLEAR_SURFACE  ", "CLEAR_BUFFERS");
    setenv("PFIFO_CONFIG", "", 1);
    unlink(path);
    free(path);
}

static void other_names_are_refused(void **state) {
    struct outcome outcome = tool_run("decode", "--names=amd", capture);
    (void)state;
    expect_status(2, &outcome);
    assert_non_null(strstr(outcome.err, "--names is nvidia, nouveau or nxdk, not 'amd'"));
    outcome_free(&outcome);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whose_names_does_decode_print),
        cmocka_unit_test(can_i_have_the_names_of_nxdk_everywhere),
        cmocka_unit_test(diff_prints_them_too),
        cmocka_unit_test(explain_has_the_other_name_second),
        cmocka_unit_test(my_file_says_whose_names_i_want),
        cmocka_unit_test(other_names_are_refused),
    };

    unsetenv("PFIFO_TRACE");
    return cmocka_run_group_tests(tests, begin, end);
}
