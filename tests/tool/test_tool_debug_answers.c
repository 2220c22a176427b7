/* SPDX-License-Identifier: MIT */
/* What `pfifo debug` answers: before anything has run, of places, files and registers; and what is wrong with a line.
 */
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

static struct outcome debug_line(const char *sample, const char *first, const char *line) {
    char *path = sample_path(sample);
    struct outcome outcome = tool_run("debug", "-e", first, "-e", line, path);

    free(path);
    return outcome;
}

/* `first` works; the line prints this text, and works. */
static void expect_answer(const char *sample, const char *first, const char *line, const char *text) {
    struct outcome outcome = debug_line(sample, first, line);

    expect_status(0, &outcome);
    expect_printed(&outcome, text);
    outcome_free(&outcome);
}

static void expect_refusal(const char *sample, const char *first, const char *line, const char *message) {
    struct outcome outcome = debug_line(sample, first, line);
    char text[512];

    snprintf(text, sizeof text, "pfifo: %s: %s", line, message);
    expect_status(1, &outcome);
    if (strncmp(outcome.err, text, strlen(text)) != 0)
        fail_msg("'%s' is not in: %s", text, outcome.err);
    outcome_free(&outcome);
}

#define QUAD    "nv117-quad.nvcap.xz"
#define CURIE   "nv40-clear.nvcap.xz"
#define NOTHING "echo -"
#define NOT_YET "nothing has run yet: run, next or step begins"

static void before_a_run_what_is_not_there_yet_is_told_so(void **state) {
    static const char *const refused[][2] = {
        {"x $pc", "$pc is not known; " NOT_YET},
        {"print $header", "$header is not known; " NOT_YET},
        {"break *$pc", "$pc is not known; " NOT_YET},
        {"disassemble $pc", "$pc is not known; " NOT_YET},
        {"x 0x100004000", "4 bytes at 0x100004000: not all of them are there; " NOT_YET},
        {"x/1xb 0x100004000", "1 byte at 0x100004000: not all of them are there; " NOT_YET},
        {"disassemble 0x100004000 1", "1 word at 0x100004000: not all of them are there; " NOT_YET},
        {"x buffer:10", "there is no buffer 10; " NOT_YET},
        {"watch buffer:10", "there is no buffer 10; " NOT_YET},
        {"print SET_OBJECT",
         "'SET_OBJECT' is neither a register nor a method of an object that channels have bound; " NOT_YET},
        {"stop", NOT_YET},
        {"expect stop end", NOT_YET},
    };

    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++)
        expect_refusal(QUAD, NOTHING, refused[i][0], refused[i][1]);
    expect_answer(QUAD, NOTHING, "where", "Nothing has run yet: run, next or step begins.\n");
    expect_answer(QUAD, NOTHING, "info buffers", "There are no buffers; " NOT_YET "\n");
    expect_answer(QUAD, NOTHING, "info objects", "No object has been bound; " NOT_YET "\n");
    expect_answer(QUAD, NOTHING, "info faults", "There were no faults; " NOT_YET "\n");
    expect_answer(QUAD, "run", "info faults", "There were no faults.\n");
}

/* As gdb's list shows main. */
static void list_before_a_run_shows_the_first_words(void **state) {
    (void)state;
    expect_answer(QUAD, NOTHING, "list 1",
                  "Nothing has run yet: run, next or step begins. The first words:\n"
                  "   segment 0100004000: 1065 words\n"
                  "   0100004000 2001e000 increasing            subc 7 method 0000 count 1\n"
                  "   0100004004 0000906e   7 soft NVIF_CLASS_SW_GF100");
    expect_answer(CURIE, NOTHING, "disassemble", "   00014000 ");
}

/* 0x2680 is another register than a ninth ENGINE_STATUS. */
static void channels_show_the_engines_that_there_are(void **state) {
    static const char *const samples[] = {QUAD, "nv12b-quad.nvcap.xz", "nve4-quad.nvcap.xz", "nvc0-quad.nvcap.xz"};

    (void)state;
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        struct outcome outcome = debug_line(samples[i], "finish", "info channels");
        expect_printed(&outcome, "\nengine 0: channel 0\n");
        if (strstr(outcome.out, "engine 8") || strstr(outcome.out, "TSG"))
            fail_msg("there is no engine 8: %s", outcome.out);
        outcome_free(&outcome);
    }
}

/* Those of decode, which need not be 1, 2, 3. */
static void until_has_the_submissions_of_decode(void **state) {
    (void)state;
    expect_refusal(QUAD, NOTHING, "until 0", "the capture has no submission 0; this is the next one");
    expect_refusal(QUAD, NOTHING, "until 99", "the capture ended before submission 99: its last is 5");
    expect_answer(QUAD, NOTHING, "until 2", "submission 2, channel 0, after 893 methods");
    expect_answer(QUAD, NOTHING, "until submission:1", "submission 1, channel 0, after 0 methods");
}

static void expect_unread(const struct outcome *outcome, const char *message) {
    expect_status(2, outcome);
    if (strncmp(outcome->err, message, strlen(message)) != 0)
        fail_msg("'%s' is not in: %s", message, outcome->err);
}

/* A folder can be opened, but not read. */
static void files_that_cannot_be_read_or_written_are_named(void **state) {
    char *path = sample_path(CURIE);

    (void)state;
    struct outcome outcome = tool_run("debug", "-x", "/tmp", path);
    expect_unread(&outcome, "pfifo: /tmp: cannot read: Is a directory\n");
    outcome_free(&outcome);
    outcome = tool_run("debug", "-x", "/no/such/file", path);
    expect_unread(&outcome, "pfifo: /no/such/file: cannot read: No such file or directory\n");
    outcome_free(&outcome);
    outcome = tool_run_from("/tmp", (const char *const[]){"debug", path, NULL});
    expect_unread(&outcome, "pfifo: stdin: cannot read: Is a directory\n");
    outcome_free(&outcome);
    outcome = tool_run("shell", "/tmp");
    expect_unread(&outcome, "pfifo: /tmp: cannot read: Is a directory\n");
    outcome_free(&outcome);
    expect_refusal(CURIE, NOTHING, "save /tmp", "/tmp: cannot write: Is a directory\n");
    expect_refusal(CURIE, NOTHING, "save /no/such/file", "/no/such/file: cannot write: No such file or directory\n");
    free(path);
}

/* One printer: the bits of a register have the same form everywhere. */
static void a_register_looks_the_same_everywhere(void **state) {
    static const char *const lines[] = {"info irq", "info registers PFIFO.INTR_EN", "r32 PFIFO.INTR_EN",
                                        "print PFIFO.INTR_EN", "dump PFIFO.INTR_EN"};

    (void)state;
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        expect_answer(QUAD, "finish", lines[i], "0x002140 PFIFO.INTR_EN = 0x7fffffff  BIND_ERROR=1 BYPASS_ERROR=1 ");
}

static void what_a_glob_names_is_told_although_it_is_0(void **state) {
    (void)state;
    expect_answer(QUAD, NOTHING, "info registers PCCSR*",
                  "0x800000 PCCSR.CHANNEL_INST[0..2047]: all are 0\n0x800004 PCCSR.CHANNEL[0..2047]: all are 0\n");
    expect_refusal(QUAD, NOTHING, "info registers NOTHING*", "GM107 has no register 'NOTHING*'");
}

/* HANDLE+OFFSET is the same here and in pfifo image. */
static void a_buffer_has_one_form(void **state) {
    char *path = sample_path(CURIE);

    (void)state;
    expect_answer(CURIE, "until 2", "x buffer:10+4+4", "buffer:10+0x8: ");
    expect_refusal(CURIE, "until 2", "x buffer:ten", "'ten' is not HANDLE or HANDLE+OFFSET, in numbers");
    expect_refusal(CURIE, "until 2", "x buffer:10+", "'10+' is not HANDLE or HANDLE+OFFSET, in numbers");
    expect_refusal(CURIE, "until 2", "x buffer:0x100000000", "'0x100000000': a handle is at most 0xffffffff");
    expect_refusal(CURIE, "until 2", "x buffer:77", "there is no buffer 77 now; info buffers lists them");
    struct outcome outcome = tool_run("image", path, "buffer:10+x");
    expect_status(2, &outcome);
    if (!strstr(outcome.err, "'10+x' is not HANDLE or HANDLE+OFFSET, in numbers"))
        fail_msg("another message: %s", outcome.err);
    outcome_free(&outcome);
    free(path);
}

/* What a stranger types, and what it is called here. */
static void what_is_wrong_with_a_line_is_said(void **state) {
    static const char *const refused[][2] = {
        {"watch PFIFO.INTR 8", "PFIFO.INTR is watched as a register, which has no BYTES"},
        {"watch vram:", "an address is missing after vram:"},
        {"x buffer:", "an address is missing after buffer:"},
        {"break engine.draw", "'engine.draw' is an event: catch engine.draw, or break event engine.draw"},
        {"catch []", "no event is called '[]'; pfifo events lists them"},
        {"catch engine.drew", "no event is called 'engine.drew'; did you mean engine.draw?"},
        {"catch draw", "no event is called 'draw'; did you mean engine.draw?"},
        {"catch puller.* topology=x", "query, column 1: none of these events has 'topology'; there are engine.draw"},
        {"catch engine.draw topologie=x",
         "query, column 1: no class has a method 'topologie'; did you mean 'topology'"},
        {"catch data=3 topology=x", "no event has all of that"},
        {"continue 0", "usage: continue [N]"},
        {"info registers A B", "usage: info registers [GLOB]"},
        {"info irq 3", "usage: info irq"},
        {"print 1+", "'1+' is not a number: something is missing"},
        {"print $foo", "there is no $foo: $pc and $header"},
        {"x/", "usage: x [/FMT] PLACE"},
        {"x/4i $pc", "'4i' is not a format: disassemble PLACE says what words mean"},
        {"x/s 0", "'s' is not a format: there are no strings; 16c prints 16 characters"},
        {"print/4x 3", "print/4x has a count, and prints one value: x/4x PLACE prints memory"},
        {"p/x", "usage: print [/FMT] THING"},
        {"print NOTHING*", "'NOTHING*' is neither a register nor a method of an object that channels have bound"},
        {"b 3", "what is 3? There are tbreak submission=3 (where it begins), break method=3, and break *3 "},
        {"watch SET_OBJEKT", "no register and no method is called 'SET_OBJEKT'; did you mean 'SET_OBJECT'?"},
        {"break state NOTHING", "no method is called 'NOTHING'"},
        {"disassemble 1", "0x1 is not a multiple of 4"},
        {"disassemble 0x100004000 0", "1 to 4096 words can be shown, not 0"},
        {"vram 0xffffffffff", "0xffffffffff is beyond VRAM, which ends at 0x80000000"},
        {"expect irq 2", "the interrupt line is 1 or 0, not '2'"},
        {"condition 1 data=3", "there is no command 'condition': a condition is part of WHERE"},
        {"disable 1", "there is no command 'disable': delete deletes breakpoints"},
        {"ignore 1 3", "there is no command 'ignore': continue N passes over stops"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++)
        expect_refusal(QUAD, "next", refused[i][0], refused[i][1]);
    expect_answer(QUAD, "next", "frame", "submission 1, channel 0, after ");
}

static void print_has_the_formats_of_gdb(void **state) {
    (void)state;
    expect_answer(CURIE, "until 2", "p/x $pc", "$pc = 0x00214004\n");
    expect_answer(CURIE, "until 2", "print/f 1065353216", "1065353216 = 1\n");
    expect_answer(CURIE, "until 2", "p/t 0x81", "0x81 = 00000000000000000000000010000001\n");
    expect_answer(CURIE, "until 2", "p/d 0x1ffffffff", "0x1ffffffff = 8589934591\n");
    expect_answer(QUAD, "finish", "p/x PFIFO.INTR_EN", "PFIFO.INTR_EN = 0x7fffffff\n");
    expect_answer(QUAD, "until draw:0", "p/f SET_VIEWPORT_SCALE_X(0)", " 0a00 SET_VIEWPORT_SCALE_X(0) = 32\n");
}

static void print_of_a_glob_is_all_that_match(void **state) {
    (void)state;
    expect_answer(QUAD, "until draw:0", "p/f set_viewport_scale_?",
                  " 0a00 SET_VIEWPORT_SCALE_X(0) = 32\nchannel 0: b097 MAXWELL_A 0a04 SET_VIEWPORT_SCALE_Y(0) = -32\n");
    expect_answer(QUAD, "finish", "print PFIFO.INTR_E*", "0x002140 PFIFO.INTR_EN = 0x7fffffff  BIND_ERROR=1");
}

static void a_watch_on_a_method_stops_when_its_state_changes(void **state) {
    (void)state;
    expect_answer(QUAD, "watch SET_VIEWPORT_SCALE_X(0)", "run",
                  "Watchpoint 1: SET_VIEWPORT_SCALE_X(0): 0x00000000 -> 0x42000000\n"
                  "  by 0 b097 MAXWELL_A 0a00 SET_VIEWPORT_SCALE_X(0) 0x42000000, submission 3\n");
    expect_answer(QUAD, "watch SET_VIEWPORT_SCALE_X(0)", "continue 2", "The capture is at its end");
    expect_answer(QUAD, "tbreak state KEPLER_INLINE_TO_MEMORY_B.SET_OBJECT", "info breakpoints",
                  "1   state    KEPLER_INLINE_TO_MEMORY_B.SET_OBJECT, temporary, hit 0 times\n");
}

static void a_catch_of_a_key_is_about_the_events_that_have_it(void **state) {
    (void)state;
    expect_answer(QUAD, "catch topology=tri* first=*", "run", "Catchpoint 1: topology=tri* first=*\n  ");
    expect_answer(QUAD, "catch topology=tri* first=*", "run", " engine.draw class=0xb097:MAXWELL_A ");
}

/* $pc is another word later. */
static void a_watch_at_pc_keeps_its_address(void **state) {
    (void)state;
    expect_answer(CURIE, "until 2", "watch $pc", "Watchpoint 1: 4 bytes at 0x214004\n");
    expect_answer(CURIE, "until 2", "watch buffer:10 8", "Watchpoint 1: 8 bytes at buffer:10\n");
}

/* PFIFO loads the channel, and the pusher fetches, before the first method. */
static void the_cpu_is_not_blamed_for_what_pfifo_does(void **state) {
    (void)state;
    expect_answer(CURIE, "watch CACHE1_DMA_GET", "run",
                  "0x00000000 -> 0x00014000\n  in submission 1, before its first method\n");
    expect_answer(CURIE, "watch CACHE1_DMA_GET", "continue 2",
                  "0x00014000 -> 0x00014004\n  in submission 1, before its first method\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(before_a_run_what_is_not_there_yet_is_told_so),
        cmocka_unit_test(list_before_a_run_shows_the_first_words),
        cmocka_unit_test(channels_show_the_engines_that_there_are),
        cmocka_unit_test(until_has_the_submissions_of_decode),
        cmocka_unit_test(files_that_cannot_be_read_or_written_are_named),
        cmocka_unit_test(a_register_looks_the_same_everywhere),
        cmocka_unit_test(what_a_glob_names_is_told_although_it_is_0),
        cmocka_unit_test(a_buffer_has_one_form),
        cmocka_unit_test(what_is_wrong_with_a_line_is_said),
        cmocka_unit_test(print_has_the_formats_of_gdb),
        cmocka_unit_test(print_of_a_glob_is_all_that_match),
        cmocka_unit_test(a_watch_on_a_method_stops_when_its_state_changes),
        cmocka_unit_test(a_catch_of_a_key_is_about_the_events_that_have_it),
        cmocka_unit_test(a_watch_at_pc_keeps_its_address),
        cmocka_unit_test(the_cpu_is_not_blamed_for_what_pfifo_does),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
