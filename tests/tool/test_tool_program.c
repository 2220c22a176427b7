/* SPDX-License-Identifier: MIT */
/* pfifo run of a program, and pfifo record: options, environment, exit status. The program is a shell. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tool/tool.h"

#define RUN(...) tool_run("run", "--chip=GF100", __VA_ARGS__)

/* A shell that opens the device, so that there is a session, and has no commands for it. */
static struct outcome run_shell(const char *option, const char *script) {
    char whole[512];
    snprintf(whole, sizeof whole, "exec 3<>/dev/dri/renderD128; %s", script);
    return RUN(option, "--quiet", "--", "sh", "-c", whole);
}

static int forget_environment(void **state) {
    (void)state;
    unsetenv("PFIFO_TRACE");
    unsetenv("PFIFO_CHIP");
    unsetenv("LD_PRELOAD");
    return 0;
}

static void expect_text(const char *text, const char *what) {
    if (!text || !what)
        fail();
    else if (!strstr(text, what))
        fail_msg("no '%s' in: %s", what, text);
}

static void expect_end(int status, struct outcome outcome, const char *error) {
    expect_status(status, &outcome);
    expect_text(outcome.err, error);
    outcome_free(&outcome);
}

static void expect_output(struct outcome outcome, const char *output) {
    expect_status(0, &outcome);
    assert_string_equal(outcome.out, output);
    outcome_free(&outcome);
}

static char *contents(const char *path) {
    static char text[65536];
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    return text;
}

static void the_exit_status_is_the_programs(void **state) {
    (void)state;
    expect_end(0, RUN("--", "true"), "");
    expect_end(7, RUN("--", "sh", "-c", "exit 7"), "");
    expect_end(128 + SIGKILL, RUN("--", "sh", "-c", "kill -KILL $$"), "");
    expect_end(127, RUN("--", "/no/such/program"), "/no/such/program: cannot run: ");
    expect_end(126, RUN("--", "/"), "/: cannot run: ");
}

static void the_program_has_its_arguments_and_streams(void **state) {
    (void)state;
    expect_output(RUN("--", "printf", "%s|", "--trace", "a b", "--"), "--trace|a b|--|");
    struct outcome outcome = tool_run_from(
        "/dev/null", (const char *const[]){"run", "-c", "GF100", "--", "sh", "-c", "cat; echo x >&2", NULL});
    expect_status(0, &outcome);
    assert_string_equal(outcome.err, "x\n");
    outcome_free(&outcome);
}

static void options_become_variables(void **state) {
    (void)state;
    static const char script[] =
        "echo $PFIFO_CHIP $PFIFO_DRM_MODE $PFIFO_DRM_REFRESH $PFIFO_DRM_VRAM $PFIFO_DRM_VERSION "
        "$PFIFO_DRM_BUDGET $PFIFO_DRM_STATS $PFIFO_DRM_JSON $PFIFO_DRM_REPORT $PFIFO_DRM_QUIET $PFIFO_DRM_ATOMIC "
        "\"$PFIFO_DRM_TRACE\"";
    expect_output(RUN("--mode=640x480", "--refresh=60", "--vram=0x8000000", "--drm-version=1.2.0", "--budget=5", "-s",
                      "-j", "--report", "--quiet", "--atomic=0", "-tpuller.*", "--", "sh", "-c", script),
                  "GF100 640x480 60 0x8000000 1.2.0 5 1 1 1 1 0 puller.*\n");
    expect_output(RUN("--", "sh", "-c", "echo $PFIFO_CHIP $PFIFO_DRM_STATS $PFIFO_DRM_BUDGET $PFIFO_DRM_OUTPUT"),
                  "GF100\n");
    expect_output(RUN("--draws=/tmp", "--draws-from=3", "--draws-count=9", "--", "sh", "-c",
                      "echo $PFIFO_DRM_DRAWS $PFIFO_DRM_DRAWS_FROM $PFIFO_DRM_DRAWS_COUNT"),
                  "/tmp 3 9\n");
    setenv("PFIFO_TRACE", "switch.*", 1);
    expect_output(RUN("--", "sh", "-c", "echo \"$PFIFO_DRM_TRACE\""), "switch.*\n");
}

static void a_window_needs_a_server(void **state) {
    (void)state;
    unsetenv("DISPLAY");
    expect_end(2, RUN("--window", "--", "true"), "--window needs an X server, and DISPLAY names none");
    setenv("DISPLAY", ":1234", 1);
    expect_output(RUN("--window", "--", "sh", "-c", "echo $PFIFO_DRM_WINDOW"), "1\n");
    unsetenv("DISPLAY");
}

static void a_relative_path_is_one_from_here(void **state) {
    char here[4096], wanted[5000];
    (void)state;
    assert_non_null(getcwd(here, sizeof here));
    snprintf(wanted, sizeof wanted, "%s/a.png\n", here);
    expect_output(RUN("--screenshot=a.png", "--", "sh", "-c", "cd /; echo $PFIFO_DRM_SCREENSHOT"), wanted);
}

static void the_library_is_preloaded_in_front_of_others(void **state) {
    (void)state;
    struct outcome outcome = RUN("--", "sh", "-c", "echo $LD_PRELOAD");
    expect_status(0, &outcome);
    expect_text(outcome.out, "/libpfifo-drm.so\n");
    outcome_free(&outcome);
    setenv("LD_PRELOAD", "libc.so.6", 1);
    outcome = RUN("--", "sh", "-c", "echo $LD_PRELOAD");
    expect_status(0, &outcome);
    expect_text(outcome.out, "/libpfifo-drm.so:libc.so.6\n");
    outcome_free(&outcome);
}

static void the_libraries_may_be_elsewhere(void **state) {
    const char *folder = getenv("PFIFO_LIBRARIES");
    char *before = folder ? strdup(folder) : NULL;
    (void)state;
    setenv("PFIFO_LIBRARIES", "/no/such/folder", 1);
    expect_end(2, RUN("--", "true"), "/no/such/folder/libpfifo-drm.so: ");
    expect_end(2, tool_run("record", "-o", "/tmp/pfifo-test-none", "true"), "/no/such/folder/libpfifo-record.so: ");
    setenv("PFIFO_LIBRARIES", "", 1);
    if (before)
        setenv("PFIFO_LIBRARIES", before, 1);
    free(before);
    expect_end(0, RUN("--", "true"), "");
}

static void nonsense_is_refused_before_the_program_runs(void **state) {
    (void)state;
    expect_end(2, tool_run("run", "--chip=NV10", "--", "false"), "NV10");
    expect_end(2, tool_run("run", "--chip=GV100", "--", "false"), "GV100");
    expect_end(2, RUN("--trace=nothing.at.all", "--", "false"), "nothing.at.all");
    expect_end(2, RUN("--trace", "--where=method=LANUCH_DMA", "--", "false"), "did you mean 'LAUNCH_DMA'?");
    expect_end(2, RUN("--where=LAUNCH_DMA", "--", "false"), "need --trace");
    expect_end(2, RUN("--mode=640", "--", "false"), "--mode is '640', and not ");
    expect_end(2, RUN("--vram=0", "--", "false"), "--vram is '0', and not ");
    expect_end(2, RUN("--output=/no/such/folder/x", "--", "false"), "/no/such/folder/x: cannot write: ");
    expect_end(2, RUN("--capture=/no/such/folder/x", "--", "false"), "/no/such/folder/x: cannot write: ");
    expect_end(2, RUN("--digest", "--", "false"), "for captures");
    expect_end(2, RUN("--materialise", "--", "false"), "for captures");
    expect_end(2, RUN("--dump-buffers=x", "--", "false"), "for captures");
    expect_end(2, RUN("--mode=640x480", "capture"), "--mode is for programs");
    expect_end(2, RUN("--"), "missing");
}

/* Without a chip, what follows -- are captures, whatever they are called. */
static void a_capture_may_follow_two_dashes(void **state) {
    char *sample = sample_path("nv40-clear.nvcap.xz");
    (void)state;
    struct outcome outcome = tool_run("run", "--", sample);
    expect_status(0, &outcome);
    expect_text(outcome.out, "NV40, ");
    outcome_free(&outcome);
    free(sample);
}

static void counts_of_all_processes_are_in_one_file(void **state) {
    static const char node[] = "/dev/dri/renderD128";
    char *path = temporary_path(".txt"), option[128];
    (void)state;
    snprintf(option, sizeof option, "--output=%s", path);
    write_file(path, "old\n", 4);
    expect_end(0, RUN("--json", option, "--", "sh", "-c", "exec 3<$0; sh -c 'exec 3<$0' $0 & wait; true", node), "");
    const char *text = contents(path);
    static const char head[] = "{\"file\":\"sh\",\"event\":\"summary\",\"chip\":\"GF100\",\"submissions\":0,";
    assert_memory_equal(text, head, sizeof head - 1);
    text = strchr(text, '\n') + 1;
    assert_memory_equal(text, head, sizeof head - 1);
    assert_string_equal(strchr(text, '\n'), "\n");
    unlink(path);
    free(path);
}

static void counts_go_to_standard_error(void **state) {
    (void)state;
    expect_end(3, run_shell("--stats", "exit 3"), "sh: GF100, 0 submissions, ");
    expect_end(0, run_shell("--report", ""), "GF100: nothing is left to do, 0 faults\n");
}

static void a_program_that_is_killed_has_counts(void **state) {
    (void)state;
    expect_end(128 + SIGTERM, run_shell("--stats", "kill -TERM $$; exit 3"), "sh: GF100, 0 submissions, ");
    expect_end(128 + SIGABRT, run_shell("--stats", "kill -ABRT $$; exit 3"), "sh: GF100, 0 submissions, ");
    expect_end(128 + SIGSEGV, run_shell("--stats", "kill -SEGV $$; exit 3"), "sh: GF100, 0 submissions, ");
    expect_end(128 + SIGTERM, run_shell("--quiet", "kill -TERM $$; exit 3"), "");
    /* who looks at a signal itself, and children */
    expect_end(3, run_shell("--stats", "trap 'exit 3' TERM; kill -TERM $$; exit 4"), "GF100, ");
    expect_end(128 + SIGTERM, run_shell("--stats", "(kill -TERM $(exec sh -c 'echo $PPID')); exit $?"), "GF100, ");
}

/* Each process is asked: one that opens a node and draws nothing, none that does, and none that can. */
static void what_is_required_is_the_exit_status(void **state) {
    (void)state;
    expect_end(0, run_shell("--quiet", ""), "");
    expect_end(3, run_shell("--require", ""), "--require: sh has not drawn on GF100\n");
    expect_end(3, run_shell("--require", "exit 7"), "--require: sh has not drawn on GF100\n");
    expect_end(3, RUN("--require", "--", "true"), "--require: no process has opened a node of GF100\n");
    expect_end(3, RUN("--require", "--", "sh", "-c", "sh -c 'exec 3<>/dev/dri/renderD128; :'; true"),
               "pfifo: sh: no channel was opened: Mesa renders in software\n");
    expect_end(127, RUN("--require", "--", "/no/such/program"), "cannot run");
    expect_end(2, RUN("--require", "capture"), "--require is for programs");
}

static void a_run_without_a_channel_says_so(void **state) {
    (void)state;
    static const char said[] =
        "pfifo: sh: no channel was opened: Mesa renders in software\npfifo: sh: no call was refused\n";
    expect_end(4, RUN("--", "sh", "-c", "exec 3<>/dev/dri/renderD128; exit 4"), said);
    expect_end(128 + SIGTERM, RUN("--", "sh", "-c", "exec 3<>/dev/dri/renderD128; kill -TERM $$"), said);
}

static void programs_that_use_no_gpu_leave_no_trace(void **state) {
    (void)state;
    struct outcome outcome = RUN("--stats", "--report", "--trace", "--", "sh", "-c", "exit 0");
    expect_status(0, &outcome);
    assert_string_equal(outcome.err, "");
    outcome_free(&outcome);
}

static void a_capture_of_nothing_is_said(void **state) {
    char *path = temporary_path(".nvcap");
    (void)state;
    expect_end(4, tool_run("record", "-o", path, "--", "sh", "-c", "exit 4"), "nothing was recorded");
    assert_int_equal(access(path, F_OK), -1);
    struct outcome outcome = tool_run("record", "-o", path, "sh", "-c", "echo $PFIFO_RECORD $LD_PRELOAD");
    expect_status(0, &outcome);
    assert_memory_equal(outcome.out, path, strlen(path));
    expect_text(outcome.out, "/libpfifo-record.so\n");
    outcome_free(&outcome);
    free(path);
}

static void the_recorder_is_in_front_of_the_model(void **state) {
    char *path = temporary_path(".nvcap"), option[128];
    (void)state;
    snprintf(option, sizeof option, "--capture=%s", path);
    struct outcome outcome = RUN(option, "--", "sh", "-c", "echo $LD_PRELOAD");
    expect_status(0, &outcome);
    const char *recorder = strstr(outcome.out, "/libpfifo-record.so:");
    assert_non_null(recorder);
    expect_text(recorder, "/libpfifo-drm.so\n");
    outcome_free(&outcome);
    expect_end(5, run_shell(option, "exit 5"), "nothing was recorded: sh has opened no channel");
    free(path);
}

static void record_needs_a_file_and_a_program(void **state) {
    (void)state;
    expect_end(2, tool_run("record", "true"), "-o FILE is missing");
    expect_end(2, tool_run("record", "-o", "x"), "a program is missing");
    expect_end(2, tool_run("record", "-o", "/no/such/folder/x", "true"), "/no/such/folder/x: cannot write: ");
    expect_end(127, tool_run("record", "-o", "/tmp/pfifo-test-none", "/no/such/program"), "cannot run");
    char *path = temporary_path(".fifo");
    struct stat about;
    unlink(path);
    assert_int_equal(mkfifo(path, 0600), 0);
    expect_end(2, tool_run("record", "-o", path, "true"), "a recording goes to a file, and this is none");
    assert_int_equal(stat(path, &about), 0); /* it is replaced by nothing */
    unlink(path);
    free(path);
}

/* A signal that only the tool gets reaches the program, which says when it is ready and what it got. */
static void signals_reach_the_program(void **state) {
    static const struct {
        int signal;
        const char *name;
    } signals[] = {{SIGTERM, "TERM"}, {SIGINT, "INT"}, {SIGHUP, "HUP"}, {SIGUSR2, "USR2"}};
    (void)state;
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
        char script[256], ready[2];
        int out[2], status;
        pid_t tool;
        snprintf(script, sizeof script, "trap 'exit 9' %s; echo r; while :; do sleep 0.02; done", signals[i].name);
        char *argv[] = {(char *)(uintptr_t)tool_name(),
                        (char[]){"run"},
                        (char[]){"--chip=NV40"},
                        (char[]){"--"},
                        (char[]){"sh"},
                        (char[]){"-c"},
                        script,
                        NULL};
        posix_spawn_file_actions_t actions;
        assert_int_equal(pipe(out), 0);
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_adddup2(&actions, out[1], 1);
        assert_int_equal(posix_spawn(&tool, argv[0], &actions, NULL, argv, environ), 0);
        posix_spawn_file_actions_destroy(&actions);
        close(out[1]);
        assert_int_equal(read(out[0], ready, 2), 2);
        kill(tool, signals[i].signal);
        assert_int_equal(waitpid(tool, &status, 0), tool);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), 9);
        close(out[0]);
    }
}

static void help_tells_of_programs(void **state) {
    (void)state;
    struct outcome outcome = tool_run("help", "run");
    expect_text(outcome.out, "-- PROGRAM [ARGUMENT...]");
    expect_text(outcome.out, "--screenshot=FILE");
    outcome_free(&outcome);
    outcome = tool_run("help", "record");
    expect_text(outcome.out, "-o FILE -- PROGRAM");
    outcome_free(&outcome);
}

#define TEST(function) cmocka_unit_test_setup(function, forget_environment)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(the_exit_status_is_the_programs),
        TEST(the_program_has_its_arguments_and_streams),
        TEST(options_become_variables),
        TEST(a_window_needs_a_server),
        TEST(a_relative_path_is_one_from_here),
        TEST(the_library_is_preloaded_in_front_of_others),
        TEST(the_libraries_may_be_elsewhere),
        TEST(nonsense_is_refused_before_the_program_runs),
        TEST(a_capture_may_follow_two_dashes),
        TEST(counts_of_all_processes_are_in_one_file),
        TEST(counts_go_to_standard_error),
        TEST(a_program_that_is_killed_has_counts),
        TEST(what_is_required_is_the_exit_status),
        TEST(a_run_without_a_channel_says_so),
        TEST(programs_that_use_no_gpu_leave_no_trace),
        TEST(a_capture_of_nothing_is_said),
        TEST(the_recorder_is_in_front_of_the_model),
        TEST(record_needs_a_file_and_a_program),
        TEST(signals_reach_the_program),
        TEST(help_tells_of_programs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
