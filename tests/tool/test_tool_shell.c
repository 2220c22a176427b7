/* SPDX-License-Identifier: MIT */
/* `pfifo shell`: its commands. What they show of a GPU: test_tool_shell_show.c; scripts: test_tool_scripts.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tool/script.h"
#include "tool/tool.h"

static void registers_have_names_and_numbers(void **state) {
    (void)state;
    struct outcome outcome = shell(POWER_ON "w32 CACHE1_DMA_GET 0x1234\n"
                                            "r32 cache1_dma_get\n"
                                            "r32 0x3244\n"
                                            "r32 PFIFO.CACHE1_DMA_PUT+4\n"
                                            "w32 0x3240 0x10 32\n"
                                            "r32 CACHE1_DMA_PUT 2\n");
    expect_status(0, &outcome);
    assert_string_equal(outcome.out, "0x003244 CACHE1_DMA_GET = 0x00001234\n"
                                     "0x003244 CACHE1_DMA_GET = 0x00001234\n"
                                     "0x003244 CACHE1_DMA_GET = 0x00001234\n"
                                     "0x003240 CACHE1_DMA_PUT = 0x00000010\n"
                                     "0x003244 CACHE1_DMA_GET = 0x00000020\n");
    outcome_free(&outcome);
}

/* Elements of an array, as far from each other as they are; what is no array goes on with the next word. */
static void arrays_are_read_and_written_by_elements(void **state) {
    struct outcome outcome = shell("chip NV1\n"
                                   "w32 CACHE1_CTX[1] 1 2 3\n"
                                   "expect CACHE1_CTX[3] 3\n"
                                   "expect 0x32a0 2\n"
                                   "r32 CACHE1_CTX[2] 2\n"
                                   "r32 0x32a0 2\n");
    (void)state;
    expect_status(0, &outcome);
    assert_string_equal(outcome.out, "0x0032a0 CACHE1_CTX[2] = 0x00000002  INSTANCE=0x2 TYPE=0x0 FREE_LIE=0\n"
                                     "0x0032b0 CACHE1_CTX[3] = 0x00000003  INSTANCE=0x3 TYPE=0x0 FREE_LIE=0\n"
                                     "0x0032a0 CACHE1_CTX[2] = 0x00000002  INSTANCE=0x2 TYPE=0x0 FREE_LIE=0\n"
                                     "0x0032a4 = 0x00000000\n");
    outcome_free(&outcome);
}

static void fields_are_decoded(void **state) {
    struct outcome outcome = shell(POWER_ON "w32 CACHE1_DMA_STATE 0x40106105\nr32 CACHE1_DMA_STATE\n");
    (void)state;
    expect_status(0, &outcome);
    expect_text(&outcome, "0x003228 CACHE1_DMA_STATE = 0x40106105  NONINC=1 METHOD=0x104 SUBCHANNEL=3 ");
    expect_text(&outcome, " COUNT=0x4 ERROR=2\n");
    outcome_free(&outcome);
}

static void values_are_numbers_names_and_sums(void **state) {
    (void)state;
    expect_success(POWER_ON "w32 CACHE1_DMA_PUT 0x1230\n"
                            "w32 CACHE1_DMA_GET CACHE1_DMA_PUT+4\n"
                            "expect CACHE1_DMA_GET 0x1234\n"
                            "w32 CACHE1_REF 1<<20|3+4\n"
                            "expect CACHE1_REF 0x100007\n"
                            "w32 CACHE1_REF ~0\n"
                            "expect CACHE1_REF 0xffffffff\n"
                            "w32 CACHE1_REF ~CACHE1_DMA_GET|4294967295\n"
                            "expect CACHE1_REF 0x12 0\n"
                            "vram 64 0x77\n"
                            "expect vram:0x40 vram:0x40\n"
                            "w32 CACHE1_REF vram:0x40+1\n"
                            "expect CACHE1_REF 0x78\n");
}

static void accesses_have_8_16_and_32_bits(void **state) {
    (void)state;
    expect_success(POWER_ON "w32 CACHE1_REF 0x44332211\n"
                            "w8 CACHE1_REF+1 0xaa 0xbb\n"
                            "expect CACHE1_REF 0x44bbaa11\n"
                            "w16 CACHE1_REF+2 0x1234\n"
                            "expect CACHE1_REF 0x1234aa11\n"
                            "w16 vram:0x101 0x5566\n"
                            "expect vram:0x100 0x556600\n"
                            "w32 vram:0x103 0x01020304\n"
                            "expect vram:0x104 0x00010203\n");
    struct outcome outcome = shell(POWER_ON "w32 CACHE1_REF 0x44332211\nr8 CACHE1_REF 5\nr16 0x3249 2\n");
    expect_status(0, &outcome);
    assert_string_equal(outcome.out, "0x003248 = 0x11 0x22 0x33 0x44\n0x00324c = 0x00\n0x003249 = 0x3322 0x0044\n");
    outcome_free(&outcome);
}

static void bar1_has_the_size_of_the_option(void **state) {
    (void)state;
    struct outcome outcome = run_script("shell", "--bar1=0x2000000",
                                        "chip NV40\nbar 1 0x1fffffc 7\nexpect vram:0x1fffffc 7\n"
                                        "chip GK104\nbar 1 0x2000000\n");
    expect_status(1, &outcome);
    assert_non_null(strstr(outcome.err, "is beyond BAR1, which ends at 0x2000000"));
    outcome_free(&outcome);
}

static void memories_have_names(void **state) {
    (void)state;
    expect_success(POWER_ON "vram 0x1000 1 2 3\n"
                            "expect bar1:0x1008 3\n"
                            "sys 0x2000 4\n"
                            "expect sys:0x2000 4\n"
                            "expect vram:0x2000 0\n"
                            "ramin 0x30 5 6\n"
                            "expect PRAMIN+0x34 6\n"
                            "expect bar3:0x34 6\n"
                            "bar 1 0x1000 7\n"
                            "expect vram:0x1000 7\n"
                            "bar 0 0x3248 8\n"
                            "expect CACHE1_REF 8\n");
    expect_success("chip GK20A\nvram 0x1000 5\nexpect sys:0x1000 5\n"); /* no VRAM of its own */
    struct outcome outcome = shell("sys 4 1 2\nsys 4\n");
    assert_string_equal(outcome.out, "sys:0x000004 = 0x00000001 0x00000002 0x00000000 0x00000000\n");
    outcome_free(&outcome);
}

static void what_is_wrong_is_told_with_file_and_line(void **state) {
    (void)state;
    expect_failure("\n# nothing\nfoo\n", 3, "there is no command 'foo'");
    expect_failure("r32\n", 1, "usage: r32 PLACE [COUNT]");
    expect_failure("r32 NOTHING\n", 1, "NV40 has no register 'NOTHING'");
    expect_failure("r32 INTR\n", 1, "'INTR' is ambiguous: PMC.INTR, PBUS.INTR, PTIMER.INTR, PMPEG.INTR, PGRAPH.INTR");
    expect_failure("chip GF100\nr32 INTR_0\n", 2, "'INTR_0' is ambiguous: PSUBFIFO0.INTR_0, PSUBFIFO1.INTR_0, ");
    expect_failure("chip G80\nr32 INTR\n", 2, "'INTR' is ambiguous: PMC.INTR, PBUS.INTR, PFIFO.INTR, ");
    expect_failure("r32 CACHE1_GET 0\n", 1, "COUNT is at least 1");
    expect_failure("r32 CACHE1_GET 5000\n", 1, "5000 is more than 4096");
    expect_failure("r32 0xfffffffc 2\n", 1, "0xfffffffc is too high for that");
    expect_failure("w32 CACHE1_GET 1 2 x\n", 1, "NV40 has no register 'x'");
    expect_failure("w32 CACHE1_GET 0x100000000\n", 1, "'0x100000000' is 0x100000000, which is more than 32 bits");
    expect_failure("w8 CACHE1_GET 256\n", 1, "'256' is 0x100, which is more than 8 bits");
    expect_failure("w32 CACHE1_GET 1<<64\n", 1, "'1<<64' is too large");
    expect_failure("w32 CACHE1_GET 3<<63\n", 1, "'3<<63' is too large");
    expect_failure("w32 CACHE1_GET 18446744073709551615+1\n", 1, "'18446744073709551615+1' is too large");
    expect_failure("w32 CACHE1_GET 1<<2x\n", 1, "cannot understand '1<<2x'");
    expect_failure("irq 1\n", 1, "usage: irq");
    expect_failure("w32 CACHE1_GET 99999999999999999999\n", 1, "cannot understand '99999999999999999999'");
    expect_failure("w32 CACHE1_GET 12x\n", 1, "cannot understand '12x'");
    expect_failure("w32 CACHE1_GET 1+\n", 1, "'1+' is not a number: something is missing");
    expect_failure("w32 CACHE1_GET 0x\n", 1, "cannot understand '0x'");
    expect_failure("w32 CACHE1_GET -1\n", 1, "NV40 has no register '-1'");
    expect_failure("vram x\n", 1, "'x' is not a number");
    expect_failure("vram 0xffffffffffffffff\n", 1, "0xffffffffffffffff is too high for that");
    expect_failure("ramin 0x100000\n", 1, "RAMIN can be seen up to 0x100000, not at 0x100000");
    expect_failure("vram 0x10000000 1\n", 1, "0x10000000 is beyond VRAM, which ends at 0x10000000");
    expect_failure("w32 vram:0xffffffe 1\n", 1, "0xffffffe is beyond VRAM");
    expect_failure("sys 0x40000000\n", 1, "0x40000000 is beyond system memory, which ends at 0x40000000");
    expect_failure("bar 1 0x10000000 1\n", 1, "0x10000000 is beyond BAR1, which ends at 0x10000000");
    expect_failure("chip NV1\nbar 1 0 1\n", 2, "NV1 has no BAR1");
    expect_failure("r32 rom:0\n", 1, "there is no memory 'rom'");
    expect_failure("bar 4 0\n", 1, "4 is more than 3");
    expect_failure("r32 bar0:0x100000000\n", 1, "0x100000000 is beyond BAR0");
    expect_failure("chip NV99\n", 1, "there is no chip 'NV99'");
    expect_failure("chip GH100\n", 1, "the machine of GH100 is not built yet");
    expect_failure("run 0xffffffffffffffff\n", 1, "0xffffffffffffffff is more than");
    expect_failure("trace nothing.*\n", 1, "no event is called 'nothing.*'");
    expect_failure("dump NOTHING*\n", 1, "NV40 has no register 'NOTHING*'");
    expect_failure("help foo\n", 1, "there is no command 'foo'");
    expect_failure("echo \001\n", 1, "the line is not text");
}

static void an_expectation_that_fails_says_what_was_found(void **state) {
    (void)state;
    expect_failure(POWER_ON "w32 CACHE1_REF 5\nexpect CACHE1_REF 4\necho no\n", 3,
                   "expected CACHE1_REF = 0x4, found 0x5\n");
    expect_failure(POWER_ON "w32 CACHE1_REF 0x15\nexpect CACHE1_REF 0x26 0xf\n", 3,
                   "expected CACHE1_REF = 0x6 under 0xf, found 0x15\n");
    expect_failure("run\nexpect stop waiting\n", 2, "expected the stop waiting, but it was idle\n");
    expect_failure(
        "run\nexpect stop bogus\n", 2,
        "there is no stop 'bogus'; there are idle, budget, waiting, interrupt, frozen, breakpoint, goal, ctrl-c\n");
    expect_failure("expect stop idle\n", 1, "nothing has run yet: run, next or step begins\n");
    expect_failure("run\nreset\nstop\n", 3, "nothing has run yet: run, next or step begins\n");
    expect_failure("expect irq 1\n", 1, "expected the interrupt line to be 1, but it is 0\n");
    expect_success(POWER_ON "run\nexpect stop idle\nexpect irq 0\nexpect CACHE1_REF 0\nexpect CACHE1_REF 0xf0 0xf\n");
}

/* Nothing of a line is done if something in it is wrong. */
static void a_line_writes_all_or_nothing(void **state) {
    struct outcome outcome =
        run_script("shell", "-k", "chip NV40\nw32 PMC.INTR_EN 1 2 nothing\nexpect PMC.INTR_EN 0\n");
    (void)state;
    expect_status(1, &outcome);
    assert_non_null(strstr(outcome.err, ":2: "));
    assert_null(strstr(outcome.err, ":3: "));
    outcome_free(&outcome);
}

static void the_first_error_ends_a_script_unless_it_is_told_to_go_on(void **state) {
    (void)state;
    struct outcome outcome = shell("echo one\nfoo\necho two\n");
    expect_status(1, &outcome);
    assert_string_equal(outcome.out, "one\n");
    outcome_free(&outcome);
    outcome = run_script("shell", "--keep-going", "echo one\nfoo\necho two # three\nquit\nbar\n");
    expect_status(1, &outcome);
    assert_string_equal(outcome.out, "one\ntwo\n");
    assert_non_null(strstr(outcome.err, ":2: "));
    assert_null(strstr(outcome.err, ":5: "));
    outcome_free(&outcome);
}

static void a_script_makes_its_own_gpus(void **state) {
    struct outcome outcome = run_script("shell", NULL,
                                        "r32 0\n"
                                        "chip G80\n");
    (void)state;
    expect_status(1, &outcome);
    assert_non_null(strstr(outcome.err, ":1: there is no GPU yet: chip NAME makes one\n"));
    outcome_free(&outcome);
    outcome = run_script("shell", NULL,
                         "chip NV40\n" POWER_ON "w32 CACHE1_REF 5\n"
                         "expect CACHE1_REF 5\n"
                         "reset\n" POWER_ON "expect CACHE1_REF 0\n"
                         "w32 CACHE1_REF 6\n"
                         "chip nv41\n" POWER_ON "expect CACHE1_REF 0\n"
                         "expect 0 0x04100000 0x1ff00000\n");
    expect_status(0, &outcome);
    outcome_free(&outcome);
}

static void long_lines_and_zeros_are_errors(void **state) {
    char text[6000];
    (void)state;
    memset(text, 'x', sizeof text);
    memcpy(text, "echo ", 5);
    memcpy(text + 5000, "\nfoo\n", 6);
    struct outcome outcome = run_script("shell", "-k", text);
    expect_status(1, &outcome);
    assert_string_equal(outcome.out, "");
    assert_non_null(strstr(outcome.err, ":1: the line is longer than 1023 bytes\n"));
    assert_non_null(strstr(outcome.err, ":2: there is no command 'foo'"));
    outcome_free(&outcome);
    char *path = temporary_path(".pfifo");
    write_file(path, "echo a\0b\n", 9);
    outcome = tool_run("shell", path);
    expect_status(1, &outcome);
    assert_non_null(strstr(outcome.err, ":1: the line is not text\n"));
    outcome_free(&outcome);
    memset(text, ' ', sizeof text);
    for (size_t i = 0; i < 600; i += 2)
        text[i] = '1';
    text[600] = 0;
    write_file(path, text, 600);
    outcome = tool_run("shell", path);
    expect_status(1, &outcome);
    assert_non_null(strstr(outcome.err, ":1: more than 256 words in a line\n"));
    outcome_free(&outcome);
    unlink(path);
    free(path);
}

/* Standard input that is no terminal: no prompt, and an error ends it. */
static void commands_come_from_a_pipe_too(void **state) {
    char *path = script_file("chip NV40\nr32 0\nfoo\nr32 0\n");
    static const char *const arguments[] = {"shell", NULL}, *const dash[] = {"shell", "-", NULL};
    struct outcome outcome = tool_run_from(path, arguments), same = tool_run_from(path, dash);
    (void)state;
    expect_status(1, &outcome);
    assert_string_equal(outcome.out, "0x000000 BOOT_0 = 0x040000a1\n");
    assert_non_null(strstr(outcome.err, "stdin:3: there is no command 'foo'"));
    assert_string_equal(outcome.out, same.out);
    assert_string_equal(outcome.err, same.err);
    outcome_free(&outcome);
    outcome_free(&same);
    unlink(path);
    free(path);
}

/* Somebody who types is asked for each line, and may make mistakes. */
/* In the order of the options, and before the file of the argument. */
static void commands_of_options_come_first(void **state) {
    char *first = temporary_path(".pfifo"), *rest = temporary_path(".pfifo");
    static const char commands[] = "w32 CACHE1_DMA_GET 8\necho two\n", look[] = "r32 CACHE1_DMA_GET\n";
    (void)state;
    write_file(first, commands, strlen(commands));
    write_file(rest, look, strlen(look));
    struct outcome outcome =
        tool_run("shell", "-e", "chip NV4", "-e", "w32 PMC.ENABLE 0x1100", "--execute=echo one", "-x", first, rest);
    expect_status(0, &outcome);
    expect_text(&outcome, "one\ntwo\n0x003244 CACHE1_DMA_GET = 0x00000008");
    outcome_free(&outcome);
    /* Without an argument nothing else is read, and quit ends all of it. */
    outcome = tool_run("shell", "-e", "echo one", "-e", "quit", "-x", first, rest);
    expect_status(0, &outcome);
    assert_string_equal(outcome.out, "one\n");
    outcome_free(&outcome);
    outcome = tool_run("shell", "-e", "chip NV4", "-e", "w32 PMC.ENABLE 0x1100", "-x", first);
    expect_status(0, &outcome);
    assert_string_equal(outcome.out, "two\n");
    outcome_free(&outcome);
    /* The first error ends the session. */
    outcome = tool_run("shell", "-e", "nonsense", "-e", "echo two");
    expect_status(1, &outcome);
    assert_string_equal(outcome.out, "");
    assert_non_null(strstr(outcome.err, "pfifo: nonsense: "));
    outcome_free(&outcome);
    outcome = tool_run("shell", "-k", "-e", "nonsense", "-e", "echo two");
    expect_status(1, &outcome);
    assert_string_equal(outcome.out, "two\n");
    outcome_free(&outcome);
    outcome = tool_run("shell", "-x", "/nowhere/at/all");
    expect_status(2, &outcome);
    outcome_free(&outcome);
    unlink(first);
    unlink(rest);
    free(first);
    free(rest);
}

static void a_terminal_has_a_prompt_and_survives_errors(void **state) {
    static const char *const arguments[] = {"shell", NULL};
    static const char typed[] = "foo\nchip NV4\nexpect 0 0\necho still here\nquit\n";
    int master = posix_openpt(O_RDWR | O_NOCTTY);
    (void)state;
    assert_true(master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0);
    const char *name = ptsname(master);
    assert_non_null(name);
    int slave = open(name, O_RDWR | O_NOCTTY);
    assert_true(slave >= 0);
    assert_int_equal(write(master, typed, sizeof typed - 1), sizeof typed - 1);
    struct outcome outcome = tool_run_from(name, arguments);
    expect_status(0, &outcome);
    assert_string_equal(outcome.out, "pfifo> pfifo> NV4> NV4> still here\nNV4> ");
    assert_string_equal(outcome.err, "there is no command 'foo'; help lists them\n"
                                     "expected 0 = 0x0, found 0x20004000\n");
    outcome_free(&outcome);
    close(slave);
    close(master);
}

static void usage_errors_are_status_2(void **state) {
    static const char *const cases[][4] = {
        {"shell", "/nonexistent/file"},
        {"shell", "--chip=NV99"},
        {"shell", "--chip=GH100"},
        {"shell", "--chip=GK104", "--bar1=3000000"},
        {"shell", "/"},
        {"shell", "a", "b"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct outcome outcome = tool_run_to(NULL, cases[i]);
        expect_status(2, &outcome);
        assert_true(strlen(outcome.err) > 10);
        outcome_free(&outcome);
    }
}

static void run_says_why_it_stopped(void **state) {
    struct outcome outcome = shell(NV40_CHANNEL "run\n"
                                                "w32 CACHE1_DMA_PUT 8\n"
                                                "run 1\n"
                                                "run\n"
                                                "expect CACHE1_DMA_GET 8\n"
                                                "stop\n");
    (void)state;
    expect_status(0, &outcome);
    assert_string_equal(outcome.out, "stopped after 0 units: idle, nothing is left to do\n"
                                     "stopped after 1 unit: budget, there is more to do\n"
                                     "stopped after 2 units: idle, nothing is left to do\n"
                                     "stopped after 2 units: idle, nothing is left to do\n");
    outcome_free(&outcome);
}

static void step_shows_the_events_of_each_unit(void **state) {
    struct outcome outcome = shell(NV40_CHANNEL "w32 CACHE1_DMA_PUT 12\nstep\nstep 9\nrun\n");
    (void)state;
    expect_status(0, &outcome);
    expect_text(&outcome, " 0 pusher.packet address=0x0 word=0x40080050 subchannel=0 method=0x0050:REF_CNT count=2 ");
    expect_text(&outcome, "\nstopped after 1 unit: budget, there is more to do\n-- step 1\n");
    expect_text(&outcome, " puller.reference value=0x7\n-- step 2\n-- step 3\n");
    expect_text(&outcome, " puller.reference value=0x8\nstopped after 4 units: idle, nothing is left to do\n");
    outcome_free(&outcome);
    outcome = shell(NV40_CHANNEL "w32 CACHE1_DMA_PUT 12\nstep\necho --\nrun\n");
    expect_text(&outcome, "--\nstopped after 4 units: idle, nothing is left to do\n");
    outcome_free(&outcome);
}

static void time_passes_to_what_is_due(void **state) {
    (void)state;
    struct outcome outcome = shell("chip G84\nw32 PMC.INTR_EN 1\nw32 PTIMER.ALARM 0x2000\npass\npass 100\n"
                                   "w32 PTIMER.INTR_EN 1\npass 4000\nexpect irq 0\npass\nexpect irq 1\n"
                                   "w32 PTIMER.INTR 1\nw32 PTIMER.ALARM 0x4000\nexpect irq 0\nrun\nexpect irq 1\n"
                                   "r32 PTIMER.TIME_LOW\n");
    expect_status(0, &outcome);
    expect_text(&outcome, "0 ns passed\n100 ns passed\n4000 ns passed\n4092 ns passed\n");
    expect_text(&outcome, "TIME_LOW = 0x00004000");
    outcome_free(&outcome);
}

static void trace_prints_events_until_it_is_off(void **state) {
    struct outcome outcome = shell(POWER_ON "trace bus.write bus.line\n"
                                            "w32 CACHE1_REF 1\n"
                                            "r32 CACHE1_REF\n"
                                            "reset\n"
                                            "w32 CACHE1_REF 2\n"
                                            "trace off\n"
                                            "w32 CACHE1_REF 3\n");
    (void)state;
    expect_status(0, &outcome);
    assert_string_equal(outcome.out, "0 - bus.write address=0x3248 value=0x1\n"
                                     "0x003248 CACHE1_REF = 0x00000001\n"
                                     "0 - bus.write address=0x3248 value=0x2\n");
    outcome_free(&outcome);
    /* A glob that names nothing leaves the trace as it is. */
    outcome = run_script("shell", "-k", "chip NV40\ntrace bus.write\ntrace nothing\nw32 CACHE1_REF 1\n");
    expect_status(1, &outcome);
    assert_string_equal(outcome.out, "0 - bus.write address=0x3248 value=0x1\n");
    outcome_free(&outcome);
    outcome = run_script("shell", "-t", "chip NV40\n" NV40_CHANNEL "w32 CACHE1_DMA_PUT 8\nrun\n");
    expect_status(0, &outcome);
    expect_text(&outcome, " puller.reference value=0x7\n");
    outcome_free(&outcome);
    outcome = run_script("shell", "--trace=bus.*", "chip NV40\nw32 CACHE1_REF 1\n");
    expect_text(&outcome, "0 - bus.write address=0x3248 value=0x1\n");
    outcome_free(&outcome);
}

/* A run from a saved state goes on as the first one did. */
static void a_gpu_is_saved_and_loaded(void **state) {
    char *path = temporary_path(".state"), text[2000];
    (void)state;
    snprintf(text, sizeof text,
             NV40_CHANNEL "w32 CACHE1_DMA_PUT 12\nrun 2\nsave %s\n"
                          "trace puller.*\nrun\nexpect CACHE1_REF 8\necho --\n"
                          "chip NV40\nexpect CACHE1_DMA_PUT 0\nload %s\nexpect CACHE1_DMA_PUT 12\n"
                          "run\nexpect CACHE1_REF 8\n",
             path, path);
    struct outcome outcome = shell(text);
    expect_status(0, &outcome);
    char *first = strchr(outcome.out, '\n') + 1, *second = strstr(first, "--\n");
    assert_non_null(second);
    assert_true(second - first > 100);
    assert_memory_equal(first, second + 3, second - first);
    assert_int_equal(strlen(second + 3), second - first);
    outcome_free(&outcome);
    unlink(path);
    free(path);
}

static void what_cannot_be_saved_or_loaded_is_an_error(void **state) {
    char *path = temporary_path(".state"), text[600];
    (void)state;
    expect_failure("save /nonexistent/file\n", 1, "/nonexistent/file: cannot write: ");
    expect_failure("save /dev/full\n", 1, "/dev/full: cannot write: No space left on device");
    expect_failure("load /nonexistent/file\n", 1, "/nonexistent/file: cannot read: ");
    expect_failure("load -\n", 1, "- is not the name of a file here");
    expect_failure("save -\n", 1, "- is not the name of a file here");
    write_file(path, "nothing", 7);
    snprintf(text, sizeof text, "w32 PMC.INTR_EN 1\nload %s\nexpect PMC.INTR_EN 0\nsave %s\nchip NV41\nload %s\n", path,
             path, path);
    char *script = script_file(text);
    struct outcome outcome = tool_run("shell", "-k", "--chip=NV40", script);
    expect_status(1, &outcome);
    snprintf(text, sizeof text, ":2: %s: offset 0x0: ", path);
    if (!strstr(outcome.err, text))
        fail_msg("no '%s' in: %.2000s", text, outcome.err);
    assert_null(strstr(outcome.err, ":3: "));
    assert_null(strstr(outcome.err, ":4: "));
    assert_non_null(strstr(outcome.err, ":6: "));
    outcome_free(&outcome);
    unlink(script);
    unlink(path);
    free(script);
    free(path);
}

static void until_and_watch_run_up_to_something(void **state) {
    struct outcome outcome = shell(NV40_CHANNEL "w32 CACHE1_DMA_PUT 12\n"
                                                "until CACHE1_DMA_GET 8\n"
                                                "expect CACHE1_REF 0\n"
                                                "watch CACHE1_REF\n"
                                                "expect CACHE1_DMA_GET 8\n"
                                                "until event puller.*\n"
                                                "until CACHE1_REF 8 0xf\n");
    (void)state;
    expect_status(0, &outcome);
    expect_text(&outcome, "CACHE1_DMA_GET after 2 units\n");
    expect_text(&outcome, "CACHE1_REF changes from 0x00000000 after 1 unit\nCACHE1_REF = 0x00000007\n");
    expect_text(&outcome, "puller.* after 2 units\n");
    outcome_free(&outcome);
    expect_failure(NV40_CHANNEL "w32 CACHE1_DMA_PUT 12\nuntil CACHE1_REF 9\n", 12, "the run ended first: idle");
    expect_failure("chip NV40\nuntil event no.such\n", 2, "no event is called 'no.such'");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(until_and_watch_run_up_to_something),
        cmocka_unit_test(registers_have_names_and_numbers),
        cmocka_unit_test(commands_of_options_come_first),
        cmocka_unit_test(arrays_are_read_and_written_by_elements),
        cmocka_unit_test(fields_are_decoded),
        cmocka_unit_test(values_are_numbers_names_and_sums),
        cmocka_unit_test(accesses_have_8_16_and_32_bits),
        cmocka_unit_test(bar1_has_the_size_of_the_option),
        cmocka_unit_test(memories_have_names),
        cmocka_unit_test(what_is_wrong_is_told_with_file_and_line),
        cmocka_unit_test(an_expectation_that_fails_says_what_was_found),
        cmocka_unit_test(a_line_writes_all_or_nothing),
        cmocka_unit_test(the_first_error_ends_a_script_unless_it_is_told_to_go_on),
        cmocka_unit_test(a_script_makes_its_own_gpus),
        cmocka_unit_test(long_lines_and_zeros_are_errors),
        cmocka_unit_test(commands_come_from_a_pipe_too),
        cmocka_unit_test(a_terminal_has_a_prompt_and_survives_errors),
        cmocka_unit_test(usage_errors_are_status_2),
        cmocka_unit_test(run_says_why_it_stopped),
        cmocka_unit_test(step_shows_the_events_of_each_unit),
        cmocka_unit_test(time_passes_to_what_is_due),
        cmocka_unit_test(trace_prints_events_until_it_is_off),
        cmocka_unit_test(a_gpu_is_saved_and_loaded),
        cmocka_unit_test(what_cannot_be_saved_or_loaded_is_an_error),
    };
    unsetenv("PFIFO_TRACE");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
