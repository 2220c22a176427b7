/* SPDX-License-Identifier: MIT */
/* `pfifo run` of what takes long: a bar on a terminal, and Ctrl-C, after which there is a summary. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tool/capture.h"
#include "tool/process.h"
#include "tool/tool.h"

enum { NV40 = 0x40, TEXT = PROCESS_TEXT };

/* A first submission that ends, and a second that jumps to its own beginning. */
static char *endless_capture(void) {
    struct capture capture;
    uint32_t words[] = {0x00040000, 0};

    capture_begin(&capture, NV40, true);
    words[0] = 0x0004e000;
    words[1] = 0xbeef0301;
    capture_submit(&capture, words, 0, NULL);
    words[0] = 0x20000000 | (uint32_t)(capture.push_address + capture.end);
    capture_submit(&capture, words, 1, NULL);
    return capture_file(&capture);
}

static void drop(char *path) {
    unlink(path);
    free(path);
}

/* After a second there is a bar, which is gone in the end. */
static void a_long_run_has_a_bar_on_a_terminal_and_ctrl_c_leaves_a_summary(void **state) {
    static struct process process;
    char *path = endless_capture();
    (void)state;
    process_start(&process, true,
                  (const char *const[]){"run", "--budget=1000000000000000", path, "no-such-file", NULL});
    assert_true(process_listen(&process, 1, "submission 2"));
    process_expect(&process, 1, "[###");
    assert_int_equal(process.bytes[0], 0);
    kill(process.pid, SIGINT);
    int status = process_finish(&process);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT);
    process_expect(&process, 0, ": NV40, 2 submissions, 1 word,");
    process_expect(&process, 0, "  interrupted   in submission 2 of the capture\n");
    assert_null(strstr(process.said[1], "no-such-file")); /* which is not run any more */
    assert_string_equal(process.said[1] + process.bytes[1] - 4, "\r\033[K");
    drop(path);
}

/* The first run of the command fails, the second does not end: what it is run without stays in. */
static void reducing_has_a_bar_too_and_ctrl_c_leaves_what_is_certain(void **state) {
    static struct process process;
    static const char script[] = "mkdir \"$0\" && exit 1; sleep 100; exit 1";
    char *sample = sample_path("nv117-quad.nvcap.xz"), *mark = temporary_path(".mark"),
         *output = temporary_path(".out");
    (void)state;
    unlink(mark);
    process_start(
        &process, true,
        (const char *const[]){"reduce", "--jobs=3", "-o", output, sample, "--", "sh", "-c", script, mark, "{}", NULL});
    assert_true(process_listen(&process, 1, "nv117-quad.nvcap.xz, run 2"));
    kill(process.pid, SIGINT);
    int status = process_finish(&process);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT);
    process_expect(&process, 0, ": 1780 of 1780 methods, after 1 run\n");
    assert_string_equal(process.said[1] + process.bytes[1] - 4, "\r\033[K");
    rmdir(mark);
    free(mark);
    drop(output);
    free(sample);
}

static void what_was_traced_before_ctrl_c_is_all_there(void **state) {
    static struct process process;
    char *path = endless_capture();
    (void)state;
    process_start(
        &process, false,
        (const char *const[]){"run", "--json", "--trace=pusher.jump", "--budget=1000000000000000", path, NULL});
    /* Blocks of lines come as long as somebody reads them. */
    assert_true(process_listen(&process, 0, "\"submission\":2,"));
    kill(process.pid, SIGTERM);
    static char last[2 * TEXT];
    size_t kept = 0;
    int status;
    for (ssize_t got; (got = read(process.out, last + kept, TEXT - 1)) > 0;) { /* the end is enough */
        kept += (size_t)got;
        if (kept > TEXT) {
            memmove(last, last + kept - TEXT, TEXT);
            kept = TEXT;
        }
        last[kept] = 0;
    }
    assert_int_equal(waitpid(process.pid, &status, 0), process.pid);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
    assert_non_null(strstr(last, "\"event\":\"summary\",\"chip\":\"NV40\",\"submissions\":2,"));
    assert_non_null(strstr(last, ",\"interrupted\":true"));
    assert_string_equal(last + strlen(last) - 2, "}\n");
    close(process.out);
    close(process.err);
    drop(path);
}

static void a_digest_of_half_a_run_is_not_printed(void **state) {
    static struct process process;
    char *path = endless_capture();
    (void)state;
    process_start(&process, true, (const char *const[]){"run", "--digest", "--budget=1000000000000000", path, NULL});
    assert_true(process_listen(&process, 1, "submission 2"));
    kill(process.pid, SIGINT);
    int status = process_finish(&process);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(process.bytes[0], 0);
    process_expect(&process, 1, "interrupted: no digest");
    drop(path);
}

static void there_is_no_bar_where_nobody_sees_it(void **state) {
    static struct process process;
    char *path = endless_capture();
    (void)state;
    process_start(&process, false, (const char *const[]){"run", "--budget=30000000", path, NULL});
    int status = process_finish(&process);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 1);
    process_expect(&process, 0, "it did not end within the budget");
    assert_string_equal(process.said[1], "");
    drop(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_long_run_has_a_bar_on_a_terminal_and_ctrl_c_leaves_a_summary),
        cmocka_unit_test(reducing_has_a_bar_too_and_ctrl_c_leaves_what_is_certain),
        cmocka_unit_test(what_was_traced_before_ctrl_c_is_all_there),
        cmocka_unit_test(a_digest_of_half_a_run_is_not_printed),
        cmocka_unit_test(there_is_no_bar_where_nobody_sees_it),
    };

    unsetenv("PFIFO_TRACE");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
