/* SPDX-License-Identifier: MIT */
/* `pfifo debug`: where it stops, what it shows there, and the way back. On a terminal: test_tool_debug_terminal.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tool/capture.h"
#include "tool/debug.h"
#include "tool/tool.h"

/* ---- where it stops ---- */

static void a_break_on_a_method_stops_before_it(void **state) {
    (void)state;
    EXPECT_DEBUG("nv40-clear.nvcap.xz", "break CLEAR_BUFFERS\nrun\nprint CLEAR_BUFFERS\nstep\nprint CLEAR_BUFFERS\n",
                 "Breakpoint 1: CLEAR_BUFFERS\n", "Breakpoint 1: CLEAR_BUFFERS\nsubmission 2,",
                 "=> 002140b4 000000f0   7 4097 NV40_3D", "CLEAR_BUFFERS = 0x00000000", "CLEAR_BUFFERS = 0x000000f0");
    EXPECT_DEBUG("nvc0-clear.nvcap.xz", "b class=FERMI_A method=CLEAR_SURFACE data=0x3c\nr\np CLEAR_SURFACE\n",
                 "Breakpoint 1: class=FERMI_A", "0000003c   0 9097 FERMI_A                   19d0 CLEAR_SURFACE",
                 "CLEAR_SURFACE = 0x00000000");
}

static void a_break_stops_each_time_and_a_temporary_one_once(void **state) {
    (void)state;
    EXPECT_DEBUG("nv40-clear.nvcap.xz", "tbreak CLEAR_COLOR_VALUE\nbreak CLEAR_*\nrun\ncontinue\ninfo break\nc 9\n",
                 "Temporary breakpoint 1: CLEAR_COLOR_VALUE\n", "Breakpoint 2: CLEAR_*\nsubmission 2",
                 "Temporary breakpoint 1: CLEAR_COLOR_VALUE\nBreakpoint 2: CLEAR_*\nsubmission 2",
                 "2   method   CLEAR_*, hit 2 times\n", "The capture is at its end");
    EXPECT_DEBUG("nv40-clear.nvcap.xz", "break CLEAR_*\ndelete 1\ninfo break\nrun\n", "There are no breakpoints.\n",
                 "The capture is at its end: 3 submissions");
}

static void a_break_at_an_address_stops_at_the_word_or_its_header(void **state) {
    (void)state;
    EXPECT_DEBUG("nv40-clear.nvcap.xz", "break *0x2140b4\nrun\ndelete\nbreak address 0x2140a8\nrun\n",
                 "Breakpoint 1: *0x2140b4\nsubmission 2", "=> 002140b4", "Breakpoint 2: *0x2140a8\nsubmission 2",
                 "=> 002140ac");
}

static void a_catch_stops_behind_an_event_that_a_query_matches(void **state) {
    (void)state;
    EXPECT_DEBUG("nvc0-quad.nvcap.xz",
                 "catch puller.bind class=*_3D|class=FERMI_A\nrun\ntbreak event engine.draw\nc\nc\n",
                 "Catchpoint 1: puller.bind class=*_3D", "Catchpoint 1: puller.bind class=*_3D",
                 " puller.bind subchannel=0 object=0x9097 class=0x9097:FERMI_A", "<= 0100004060 00009097",
                 "Temporary breakpoint 2: engine.draw\n", "engine.draw class=0x9097:FERMI_A", "1 draw\n",
                 "The capture is at its end");
}

/* Before Fermi methods come from CACHE1, and these words are behind the puller. */
static void a_watch_on_a_register_tells_old_and_new(void **state) {
    (void)state;
    EXPECT_DEBUG(
        "nv40-clear.nvcap.xz", "break CLEAR_BUFFERS\nrun\nwatch CACHE1_DMA_GET\nbreak register CACHE1_REF\nc\n",
        "Watchpoint 2: CACHE1_DMA_GET\n", "Watchpoint 3: CACHE1_REF\n",
        "Watchpoint 2: CACHE1_DMA_GET: 0x002140b4 -> 0x002140b8\n  after 7 4097 NV40_3D 1d90 CLEAR_COLOR_VALUE");
}

#define RELEASE(address, value) 0x20040004, 0, (uint32_t)(address), (value), 0x1000002

static void watch_on_memory_names_the_writer(void **state) {
    struct capture capture;
    char lines[256];

    (void)state;
    capture_begin(&capture, 0xc0, false);
    const uint32_t words[] = {RELEASE(capture.data_address, 0x11), RELEASE(capture.data_address + 0x20, 0x22)};
    capture_submit(&capture, words, 10, NULL);
    char *path = capture_file(&capture);
    snprintf(lines, sizeof lines, "step\nwatch 0x%x 16\ncontinue\nx/1xw 0x%x\ncontinue\n",
             (unsigned)capture.data_address + 0x20, (unsigned)capture.data_address + 0x20);
    struct outcome outcome = debug_file(path, lines);
    expect_in_order(&outcome, (const char *const[]){"Watchpoint 1: 16 bytes at 0x20020020\n",
                                                    "Watchpoint 1: ", ": at 0x20020020: 0x00000000 -> 0x00000022\n",
                                                    "  by 0 906f GF100_CHANNEL_GPFIFO 001c SEMAPHORED",
                                                    "0x20020020: 0x00000022\n", "The capture is at its end", NULL});
    expect_status(0, &outcome);
    outcome_free(&outcome);
    unlink(path);
    free(path);
}

/* VRAM and GART have the same addresses there, so a buffer has a name. */
static void a_buffer_is_watched_by_its_handle(void **state) {
    (void)state;
    EXPECT_DEBUG("nv40-clear.nvcap.xz", "until 2\nwatch buffer:10\ncontinue\nx/2xw buffer:10+8\nx/1xw vram:0x200000\n",
                 "Watchpoint 1: 4 bytes at buffer:10\n", ": at 0x0: 0x00000000 -> 0xff4080bf\n",
                 "  by 7 4097 NV40_3D 1d94 CLEAR_BUFFERS 0x000000f0, submission 2\n", "0x8: 0xff4080bf 0xff4080bf\n",
                 "0x200000: 0xff4080bf");
    expect_wrong("until 2\nwatch buffer:77\n", "there is no buffer 77 now; info buffers lists them");
}

static void the_first_fault_of_a_kind_is_a_stop(void **state) {
    struct capture capture;

    (void)state;
    capture_begin(&capture, 0xc0, false);
    /* No commands, in the midst of those that do nothing. */
    const uint32_t words[] = {0x20010000, 0x9097, 0xc0000000, 0x20010040, 0, 0xc0000000, 0x20010040, 0};
    capture_submit(&capture, words, 8, NULL);
    char *path = capture_file(&capture);
    struct outcome outcome = debug_file(path, "run\ninfo faults\ncontinue\n");
    expect_in_order(&outcome,
                    (const char *const[]){"Fault: PBDMA PBENTRY, channel 0", "submission 1", "1 of PBDMA PBENTRY",
                                          "The capture is at its end", "2 faults", NULL});
    outcome_free(&outcome);
    unlink(path);
    free(path);
}

static void until_goes_to_a_place(void **state) {
    (void)state;
    EXPECT_DEBUG("nvc0-quad.nvcap.xz", "until 2\nuntil method:1500\nuntil draw:0\nuntil packet:330\n",
                 "submission 2, channel 0, after 1047 methods, 184 packets, 0 draws\n", "after 1501 methods",
                 "324 packets, 1 draw\n", " 331 packets");
    expect_wrong("until 2\nuntil 1\n", "stdin:2: submission 1 is already past");
}

static void next_goes_on_by_packets_draws_and_submissions(void **state) {
    (void)state;
    EXPECT_DEBUG("nv40-clear.nvcap.xz", "next\nnext 2\nstep\nnext\nnext submission\nfinish\nnext draw\n",
                 "after 1 method, 1 packet, 0 draws\n", "after 16 methods, 3 packets", "after 17 methods, 4 packets",
                 "submission 2, channel 0, after 37 methods", "The run is at its end", "The capture is at its end");
}

/* ---- the way back ---- */

static void back_is_where_it_was(void **state) {
    (void)state;
    expect_same_place("nv40-clear.nvcap.xz", "next 5", "next 3", "back 3");
    expect_same_place("nv40-clear.nvcap.xz", "until 2", "step 20", "back submission");
    expect_same_place("nv40-quad.nvcap.xz", "step 30", "run", "tbreak address 0x140b4\nrun");
    expect_same_place("nva3-quad.nvcap.xz", "step 300", "step 7", "back method 7");
    expect_same_place("nve4-quad.nvcap.xz", "until draw:0", "finish", "back draw");
    expect_same_place("../tegra/square.nvcap.zst", "next 40", "next 10", "back 10");
}

/* Going back begins at marks that were left on the way, as long as it is in the run. */
static void back_by_a_mark_is_where_it_was(void **state) {
    static const char *const samples[] = {"nv40-quad.nvcap.xz", "nva3-quad.nvcap.xz", "nvc0-quad.nvcap.xz",
                                          "nve4-quad.nvcap.xz"};

    (void)state;
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++)
        expect_same_place(samples[i], "step 150\nback method 20", "step 10\nback method 7\nstep 60", "back method 63");
}

/* A run of hundreds of methods; what it has written before the place is there, and what comes after it is not. */
static void back_by_a_mark_in_a_long_run_has_its_memory(void **state) {
    enum { RELEASES = 200 };
    static uint32_t words[RELEASES * 5];
    struct capture capture;
    char lines[512];

    (void)state;
    capture_begin(&capture, 0xc0, false);
    for (uint32_t i = 0; i < RELEASES; i++) {
        const uint32_t release[] = {RELEASE(capture.data_address, i)};
        memcpy(&words[5 * i], release, sizeof release);
    }
    capture_submit(&capture, words, RELEASES * 5, NULL);
    char *path = capture_file(&capture);
    snprintf(lines, sizeof lines,
             "until method:779\nback method 41\nx/1xw 0x%x\nback method 40\nx/1xw 0x%x\nback method 400\nx/1xw 0x%x\n"
             "finish\nx/1xw 0x%x\nback method 4\nx/1xw 0x%x\n",
             (unsigned)capture.data_address, (unsigned)capture.data_address, (unsigned)capture.data_address,
             (unsigned)capture.data_address, (unsigned)capture.data_address);
    struct outcome outcome = debug_file(path, lines);
    expect_in_order(&outcome,
                    (const char *const[]){"after 739 methods", "0x000000b7\n", "after 699 methods", "0x000000ad\n",
                                          "after 299 methods", "0x00000049\n", "after 800 methods", "0x000000c7\n",
                                          "after 796 methods", "0x000000c6\n", NULL});
    expect_status(0, &outcome);
    outcome_free(&outcome);
    unlink(path);
    free(path);
}

static void back_goes_by_packets_draws_and_submissions(void **state) {
    (void)state;
    EXPECT_DEBUG("nv40-clear.nvcap.xz",
                 "next 3\nstep\nback\nback 2\nuntil 2\nstep 3\nback submission\nback submission\n",
                 "after 16 methods, 3 packets", "after 17 methods, 4 packets", "after 16 methods, 3 packets",
                 "after 1 method, 1 packet", "submission 2, channel 0, after 37 methods", "after 40 methods",
                 "submission 2, channel 0, after 37 methods", "after 0 methods");
    expect_wrong("back\n", "stdin:1: cannot go back 1 packet: there is none before this place");
    expect_wrong("next\nback draw\n", "cannot go back 1 draw: there is none before this place");
}

/* The number after the last "replayed". */
static long replayed(const struct outcome *outcome) {
    static const char name[] = "\"replayed\": ";
    const char *at = outcome->out, *found = NULL;

    while ((at = strstr(at, name)))
        found = at += strlen(name);
    if (!found)
        fail_msg("nothing was run again in:\n%s%s", outcome->out, outcome->err);
    assert_non_null(found);
    return strtol(found, NULL, 10);
}

/* Not timed, but counted: a mark between submissions is near, and there are few of them. */
static void back_runs_few_submissions_again(void **state) {
    static const char *const samples[] = {"nv12b-quad-gbm-20frames.nvcap.xz", "nva3-kmscube-8frames.nvcap.xz"};

    (void)state;
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        char *path = sample_path(samples[i]);
        struct outcome outcome = tool_run("debug", "-j", "-e", "until 50", "-e", "back submission", path);
        expect_status(0, &outcome);
        assert_in_range(replayed(&outcome), 1, 31);
        outcome_free(&outcome);
        outcome =
            tool_run("debug", "-j", "-e", "until 50", "-e", "back submission 30", "-e", "back submission 2", path);
        expect_status(0, &outcome);
        assert_in_range(replayed(&outcome), 1, 31);
        outcome_free(&outcome);
        /* In the run of the place, none is. */
        outcome = tool_run("debug", "-j", "-e", "until 2", "-e", "next 9", "-e", "back", "-e", "back", path);
        assert_int_equal(replayed(&outcome), 0);
        outcome_free(&outcome);
        free(path);
    }
}

static void back_across_submissions_is_where_it_was(void **state) {
    (void)state;
    expect_same_place("nv12b-quad-gbm-20frames.nvcap.xz", "until 31", "until 50", "back submission 19");
    expect_same_place("nvc0-kmscube-8frames.nvcap.xz", "until 21\nnext", "until 50", "back submission 29\nnext");
    expect_same_place("nve4-piglit-texsubimage.nvcap.xz", "until 30", "until 40\nback submission 20", "until 30");
    expect_same_place("nve4-piglit-texsubimage.nvcap.xz", "until draw:5", "until draw:9", "back draw 4");
    expect_same_place("nva3-kmscube-8frames.nvcap.xz", "until 40\nnext", "until 59", "back submission 19\nnext");
    expect_same_place("nv40-glmark2-desktop-3frames.nvcap.xz", "until 6\nnext", "run", "back submission 2\nnext");
    expect_same_place("../tegra/fences.nvcap.zst", "until 9", "until 15", "back submission 6");
}

/* Of some submissions the first methods are executed when they are fetched: their beginning is after these. */
static void back_submission_does_not_stay_where_it_is(void **state) {
    (void)state;
    EXPECT_DEBUG("nv12b-piglit-texsubimage.nvcap.xz", "until 30\nback submission\nback submission\n", "submission 30, ",
                 "submission 29, ", "submission 28, ");
}

/* A method in a header of its own, here the END of a draw, is done as it is fetched: the place before it is none. */
static void back_does_not_stay_where_it_is(void **state) {
    (void)state;
    EXPECT_DEBUG("nv117-quad.nvcap.xz",
                 "until draw:0\nback method\nback method\nuntil draw:0\nback packet\nnext draw\nback method 2\n",
                 "after 1742 methods", "after 1740 methods", "after 1739 methods", "after 1742 methods",
                 "after 1739 methods", "after 1742 methods", "after 1740 methods");
}

static void back_leads_out_of_the_end(void **state) {
    (void)state;
    EXPECT_DEBUG("nv40-clear.nvcap.xz", "run\nback 2\nstep\n", "The capture is at its end", "submission 2", "=> ",
                 "The run is at its end");
    expect_wrong("run\nstep\n", "stdin:2: the capture is at its end; run begins again");
}

/* ---- what it shows ---- */

static void disassemble_shows_the_words_around_get(void **state) {
    (void)state;
    EXPECT_DEBUG("nv40-clear.nvcap.xz", "break CLEAR_BUFFERS\nrun\ndisassemble\n", "submission 2", "=> 002140b4",
                 "\n   002140b0 ff4080bf   7 4097 NV40_3D", "\n=> 002140b4 000000f0   7 4097 NV40_3D",
                 "\n   002140b8 ");
    /* What is in memory, with the classes that are bound. */
    EXPECT_DEBUG("nv40-clear.nvcap.xz", "break CLEAR_BUFFERS\nrun\ndisassemble $header 4\n",
                 "    002140a8 000cfd8c increasing            subc 7 method 1d8c count 3\n",
                 "    002140b4 000000f0   7 4097 NV40_3D                   1d94 CLEAR_BUFFERS");
}

/* The words that are asked for end inside a packet; the stream does not. They may begin inside of one, too. */
static void disassemble_may_begin_and_end_inside_a_packet(void **state) {
    char *path = sample_path("nv40-clear.nvcap.xz");
    struct outcome outcome = debug_file(path, "break CLEAR_BUFFERS\nrun\ndisassemble $header 2\n");
    (void)state;
    assert_non_null(
        strstr(outcome.out, "    002140ac 00000000   7 4097 NV40_3D                   1d8c CLEAR_DEPTH_VALUE"));
    assert_null(strstr(outcome.out, "ERROR"));
    outcome_free(&outcome);
    free(path);
    EXPECT_DEBUG("nv40-clear.nvcap.xz", "break CLEAR_BUFFERS\nrun\ndisassemble $pc 2\n",
                 "\n    002140b4 000000f0   7 4097 NV40_3D                   1d94 CLEAR_BUFFERS",
                 "\n    002140b8 00084184 increasing            subc 2 method 0184 count 2\n");
}

static void x_prints_memory_as_the_channel_sees_it(void **state) {
    (void)state;
    EXPECT_DEBUG("nv40-clear.nvcap.xz", "break CLEAR_BUFFERS\nrun\nx/2xw $header\nx/4xb $pc\nx/2dh 0x2140b0\nx $pc\n",
                 "0x2140a8: 0x000cfd8c 0x00000000\n", "0x2140b4: 0xf0 0x00 0x00 0x00\n", "0x2140b0: -32577 -192\n",
                 "0x2140b4: 0x000000f0\n");
    EXPECT_DEBUG("nvc0-clear.nvcap.xz", "break CLEAR_SURFACE\nrun\nx/1fw $pc\nx/2uw vram:0\nx/1xg sys:0x100000\n",
                 "0x101ce0284: 8.40779079e-44\n", "0x0: 0 0\n", "0x100000: 0x0000000000000000\n");
    expect_wrong("step\nx/4z 0x1000\n", "stdin:2: '4z' is not a format");
    expect_wrong("step\nx/4xw 0x7ffffff000\n", "16 bytes at 0x7ffffff000: not all of them are there");
    expect_wrong("step\nx vram:0xffffffffffff\n", "not all of them are there");
    expect_wrong("run\nx $pc\n", "$pc is not known here");
}

static void info_shows_what_there_is(void **state) {
    (void)state;
    EXPECT_DEBUG("nv40-clear.nvcap.xz",
                 "until 2\ninfo channels\ninfo objects\ninfo buffers\ninfo registers CACHE1_DMA_GET\ninfo irq\n"
                 "info faults\ninfo place\nprint PMC.ENABLE\n",
                 "in CACHE1: channel 0, GET ", "channel 0: DMA", "channel 0: 4097 NV40_3D\n", "2      0x0000014000",
                 "0x003244 CACHE1_DMA_GET = 0x00", "There were no faults.\n", "submission 2", "PMC.ENABLE = 0x");
}

static void captures_of_version_2_are_gone_through_as_well(void **state) {
    (void)state;
    EXPECT_DEBUG("../tegra/square.nvcap.zst",
                 "break class=MAXWELL_B method=SET_OBJECT\nrun\nnext\ninfo channels\nlist 2\nback\n",
                 "Breakpoint 1: class=MAXWELL_B method=SET_OBJECT\nsubmission 1", "=> 0400000004 0000b197",
                 "=> 040000000c 0000b1c0", "PBDMA 0: channel 0", "\n=> 040000000c", "=> 0400000004 0000b197");
}

/* What is run twice is the same machine, so nothing may change it. */
static void the_machine_is_only_looked_at(void **state) {
    (void)state;
    EXPECT_DEBUG("nv40-clear.nvcap.xz", "until 2\nr32 PMC.ENABLE\ndump PMC.*\nexpect PMC.ENABLE 0xffffffff 0\nvram 0\n",
                 "PMC.ENABLE = ", "vram:0x000000 = ");
    expect_wrong("until 2\nexpect PMC.ENABLE 0x12345\n", "stdin:2: ");
    expect_wrong("r32 0x1ffffc\n", "is not a register, or reading it has an effect");
    expect_wrong("vram 0 1\n", "this machine can only be looked at: a write would change it");
    expect_same_place("nve4-quad.nvcap.xz", "next 5", "x/8xw buffer:8", "watch buffer:9 64");
    expect_same_place("nva3-quad.nvcap.xz", "next 5", "x/8xw buffer:8", "watch buffer:9 64");
}

/* ---- lines ---- */

static void a_script_from_a_pipe_ends_at_the_first_error(void **state) {
    char *path = sample_path("nv40-clear.nvcap.xz");
    struct outcome outcome = debug_file(path, "# comment\n\n  step\nfoo\nstep\n");

    (void)state;
    expect_status(1, &outcome);
    assert_string_equal(outcome.err, "stdin:4: there is no command 'foo'; help lists them\n");
    assert_null(strstr(outcome.out, "after 2 methods"));
    outcome_free(&outcome);
    outcome = debug_file(path, "step\nquit\nfoo\n");
    expect_status(0, &outcome);
    outcome_free(&outcome);
    free(path);
}

static void commands_come_from_options_and_files(void **state) {
    char *path = sample_path("nv40-clear.nvcap.xz"), *script = temporary_path("script");
    struct outcome outcome;

    (void)state;
    write_file(script, "step\nwhere\n", 11);
    outcome = tool_run("debug", "-e", "echo first", "-x", script, "--execute=echo last", path);
    expect_in_order(&outcome, (const char *const[]){"first\n", "after 1 method", "last\n", NULL});
    expect_status(0, &outcome);
    outcome_free(&outcome);
    outcome = tool_run("debug", "-e", "foo", path);
    expect_status(1, &outcome);
    assert_string_equal(outcome.err, "pfifo: foo: there is no command 'foo'; help lists them\n");
    outcome_free(&outcome);
    outcome = tool_run("debug", "-x", "/no/such/script", path);
    expect_status(2, &outcome);
    outcome_free(&outcome);
    outcome = tool_run("debug", script);
    expect_status(2, &outcome);
    outcome_free(&outcome);
    unlink(script);
    free(script);
    free(path);
}

static void what_is_wrong_is_named(void **state) {
    (void)state;
    expect_wrong("brake X\n", "there is no command 'brake'; did you mean break?");
    expect_wrong("e 1\n", "'e' is ambiguous: expect, echo");
    expect_wrong("step 1 2 3\n", "usage: step [method|packet|draw|launch|submission] [N]");
    expect_wrong("step x\n", "'x' is neither a number nor one of method, packet, draw, launch, submission");
    expect_wrong("break NO_SUCH_METHOD\n", "NO_SUCH_METHOD");
    expect_wrong("catch no.such\n", "no.such");
    expect_wrong("watch NO_SUCH\n", "NO_SUCH");
    expect_wrong("watch 0x1000 5000\n", "1 to 4096 bytes can be watched, not 5000");
    expect_wrong("delete 7\n", "there is no breakpoint 7");
    expect_wrong("info nothing\n", "there is no info 'nothing'");
    expect_wrong("print NO_SUCH\n", "'NO_SUCH' is neither a register nor a method");
    expect_wrong("list 99\n", "up to 16 lines");
}

/* ---- as gdb has it ---- */

static void expect_knows_why_it_stopped_last(void **state) {
    (void)state;
    EXPECT_DEBUG(
        "nv40-clear.nvcap.xz",
        "break CLEAR_BUFFERS\nrun\nexpect stop breakpoint\nstop\nstep\nexpect stop goal\nback\nexpect stop goal\n"
        "delete\ncontinue\nexpect stop end\nexpect stop idle\nstop\n",
        "Breakpoint 1: CLEAR_BUFFERS\nsubmission 2", "Breakpoint 1: CLEAR_BUFFERS\nsubmission 2",
        "The capture is at its end", "The capture is at its end");
    expect_wrong("expect stop end\n", "stdin:1: nothing has run yet");
    expect_wrong("step\nexpect stop breakpoint\n", "stdin:2: expected the stop breakpoint, but it was goal");
    expect_wrong("step\nexpect stop foo\n", "there is no stop 'foo'; there are idle,");
}

static void a_place_that_is_never_reached_is_an_error(void **state) {
    (void)state;
    expect_wrong("until 99\n", "stdin:1: the capture ended before submission 99: its last is 3");
    expect_wrong("until draw:0\n",
                 "stdin:1: draws of NV40 are not executed, so that none can be reached; a submission can");
    expect_wrong("until foo\n", "'foo' is not a place: N (a submission), draw:N, launch:N, method:N or packet:N");
    EXPECT_DEBUG("nv40-clear.nvcap.xz", "break CLEAR_BUFFERS\nuntil 99\n", "Breakpoint 1: CLEAR_BUFFERS\nsubmission 2");
}

static void back_beyond_the_beginning_is_refused(void **state) {
    (void)state;
    expect_wrong("step 5\nback method 6\n", "cannot go back 6 methods: only 5 are before this place");
    expect_wrong("until 2\nback submission 3\n", "cannot go back 3 submissions: only 1 is before this place");
}

static void memory_is_named_as_it_was_asked_for(void **state) {
    (void)state;
    EXPECT_DEBUG("nv40-clear.nvcap.xz",
                 "until 2\nx vram:0x40\nx ramin:0\nx buffer:10+8\nwatch ramin:0\nprint PRAMIN\ninfo\n", "vram:0x40: 0x",
                 "ramin:0x0: 0x", "buffer:10+0x8: 0x", "Watchpoint 1: 4 bytes at ramin:0\n", "0x700000 = 0x",
                 "  info breakpoints ", "  info buffers ");
    expect_wrong("until 2\nx ramin:0xffffff00\n", "not all of them are there");
}

static void words_of_the_shell_do_the_same_or_are_for_models(void **state) {
    (void)state;
    expect_wrong("w32 PMC.ENABLE 1\n", "w32 is for models and cards; this is a capture, which is only looked at");
    expect_wrong("chip NV40\n", "chip is for models; this is a capture");
    EXPECT_DEBUG("nv40-clear.nvcap.xz", "until 2\nchannels\nr16 vram:0x40\nx PMC.ENABLE\nreset\n", "channel 0",
                 "vram:0x000040 = 0x", "0x200: 0x", "The capture is at its end");
    expect_wrong("quit now\n", "usage: quit, without arguments");
    expect_wrong("break event\n", "usage: break event GLOBS [QUERY]");
}

static void help_is_there_for_each_command(void **state) {
    (void)state;
    EXPECT_DEBUG("nv40-clear.nvcap.xz", "help\nhelp br\nh x\nhelp status\nhelp until\n", "(running):\n", "\n  back ",
                 "\n  break ", "break WHERE\n", "event GLOBS [QUERY]", "Example: break ", "x [/FMT] PLACE\n",
                 "  where ", "until WHERE\n", "Example: until draw:0\n");
}

/* A line for each command, which a program can read as it comes. */
static void json_has_a_line_for_each_command_and_stop(void **state) {
    char *path = sample_path("nv40-clear.nvcap.xz");
    struct outcome outcome = tool_run("debug", "--json", "-e", "break CLEAR_*\r", "-e", "run  ", "-e", "x $pc", "-e",
                                      "echo \"a\"", "-e", "until draw:0", path);

    (void)state;
    expect_status(0, &outcome);
    expect_in_order(
        &outcome,
        (const char *const[]){
            "\"event\": \"command\", \"command\": \"break CLEAR_*\", \"lines\": [\"Breakpoint 1: CLEAR_*\"]}\n",
            "\"event\": \"command\", \"command\": \"run\", \"lines\": [\"Breakpoint 1: CLEAR_*\", \"submission 2, ",
            "\"stop\": {\"reasons\": [\"breakpoint\"], \"breakpoints\": [1], \"submission\": 2, "
            "\"channel\": 0, \"methods\": 60, \"packets\": 36, \"draws\": 0, \"launches\": 0, \"next\": {\"address\": "
            "2179244, \"subchannel\": 7, \"class\": 16535, \"class_name\": \"NV40_3D\", ",
            "\"event\": \"command\", \"command\": \"x $pc\", \"lines\": [\"0x2140ac: 0x00000000\"]}\n",
            "\"lines\": [\"\\\"a\\\"\"]}\n", "\"event\": \"command\", \"command\": \"until draw:0\", ", NULL});
    outcome_free(&outcome);
    outcome = tool_run("debug", "--json", "-e", "until draw:0", path);
    expect_in_order(
        &outcome,
        (const char *const[]){
            "\"reasons\": [\"end\", \"idle\"]",
            "\"error\": \"draws of NV40 are not executed, so that none can be reached; a submission can\"}\n", NULL});
    expect_status(1, &outcome);
    outcome_free(&outcome);
    free(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_break_on_a_method_stops_before_it),
        cmocka_unit_test(a_break_stops_each_time_and_a_temporary_one_once),
        cmocka_unit_test(a_break_at_an_address_stops_at_the_word_or_its_header),
        cmocka_unit_test(a_catch_stops_behind_an_event_that_a_query_matches),
        cmocka_unit_test(a_watch_on_a_register_tells_old_and_new),
        cmocka_unit_test(watch_on_memory_names_the_writer),
        cmocka_unit_test(a_buffer_is_watched_by_its_handle),
        cmocka_unit_test(the_first_fault_of_a_kind_is_a_stop),
        cmocka_unit_test(until_goes_to_a_place),
        cmocka_unit_test(next_goes_on_by_packets_draws_and_submissions),
        cmocka_unit_test(back_is_where_it_was),
        cmocka_unit_test(back_by_a_mark_is_where_it_was),
        cmocka_unit_test(back_by_a_mark_in_a_long_run_has_its_memory),
        cmocka_unit_test(back_goes_by_packets_draws_and_submissions),
        cmocka_unit_test(back_runs_few_submissions_again),
        cmocka_unit_test(back_across_submissions_is_where_it_was),
        cmocka_unit_test(back_submission_does_not_stay_where_it_is),
        cmocka_unit_test(back_does_not_stay_where_it_is),
        cmocka_unit_test(back_leads_out_of_the_end),
        cmocka_unit_test(disassemble_shows_the_words_around_get),
        cmocka_unit_test(disassemble_may_begin_and_end_inside_a_packet),
        cmocka_unit_test(x_prints_memory_as_the_channel_sees_it),
        cmocka_unit_test(info_shows_what_there_is),
        cmocka_unit_test(captures_of_version_2_are_gone_through_as_well),
        cmocka_unit_test(the_machine_is_only_looked_at),
        cmocka_unit_test(a_script_from_a_pipe_ends_at_the_first_error),
        cmocka_unit_test(commands_come_from_options_and_files),
        cmocka_unit_test(what_is_wrong_is_named),
        cmocka_unit_test(expect_knows_why_it_stopped_last),
        cmocka_unit_test(a_place_that_is_never_reached_is_an_error),
        cmocka_unit_test(back_beyond_the_beginning_is_refused),
        cmocka_unit_test(memory_is_named_as_it_was_asked_for),
        cmocka_unit_test(words_of_the_shell_do_the_same_or_are_for_models),
        cmocka_unit_test(help_is_there_for_each_command),
        cmocka_unit_test(json_has_a_line_for_each_command_and_stop),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
