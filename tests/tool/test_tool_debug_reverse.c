/* SPDX-License-Identifier: MIT */
/* `pfifo debug`: reverse-continue and the other words of gdb for the way back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "tool/debug.h"

static void reverse_continue_goes_to_the_stop_before(void **state) {
    (void)state;
    EXPECT_DEBUG("nv40-clear.nvcap.xz",
                 "break CLEAR_*\nrun\ncontinue 2\nreverse-continue\nrc\nexpect stop breakpoint\n", "after 62 methods",
                 "Breakpoint 1: CLEAR_*\nsubmission 2, channel 0, after 61 methods",
                 "Breakpoint 1: CLEAR_*\nsubmission 2, channel 0, after 60 methods");
    EXPECT_DEBUG("nv40-clear.nvcap.xz", "break CLEAR_*\nrun\ncontinue 9\nrc 3\nrc 1\nstep\n", "at its end",
                 "after 60 methods", "beginning of the capture", "after 1 method,");
    EXPECT_DEBUG("nv40-clear.nvcap.xz", "until 2\nwatch buffer:10\nfinish\nfinish\nrc\n", "The run is at its end",
                 "Watchpoint 1: 4 bytes at buffer:10: at 0x0: 0x00000000 -> 0xff4080bf\n  by 7 4097 NV40_3D 1d94 ",
                 "after 63 methods");
}

static void without_a_stop_before_it_is_the_beginning(void **state) {
    (void)state;
    EXPECT_DEBUG("nv40-clear.nvcap.xz", "step 5\nrc\nexpect stop begin\nwhere\nstep\n", "after 5 methods",
                 "There is no stop before: this is the beginning of the capture.\nNothing has run yet",
                 "Nothing has run yet", "after 1 method,");
    expect_wrong("rc\n", "stdin:1: nothing has run yet");
    expect_wrong("step\nrc\nrc\n", "stdin:3: nothing has run yet");
    expect_wrong("step\nrc 0\n", "stdin:2: usage: reverse-continue [N]");
}

/* The machine of the stop, whatever marks there are on the way. */
static void reverse_continue_is_where_continue_stopped(void **state) {
    (void)state;
    expect_same_place("nv40-quad.nvcap.xz", "break SET_*\nbreak *_OFFSET*\nrun\nc 4", "c 3", "rc 3");
    expect_same_place("nva3-kmscube-8frames.nvcap.xz", "break VERTEX_BEGIN*\nrun\nc 3", "c 5", "rc 5");
    expect_same_place("nv12b-quad-gbm-20frames.nvcap.xz", "catch engine.draw\nrun\nc 9", "c 8", "rc 8");
    expect_same_place("nvc0-kmscube-8frames.nvcap.xz", "break SET_OBJECT\nrun\nc 2", "c 3", "rc 3");
    expect_same_place("../tegra/square.nvcap.zst", "break class=MAXWELL_B method=SET_*\nrun\nc 40", "step 200\nback",
                      "break CLEAR_SURFACE\ndelete\nbreak class=MAXWELL_B method=SET_*\nrc 1\nrun\nc 40");
}

/* Stops that were only looked at were no hits. */
static void a_stop_on_the_way_back_is_hit_once(void **state) {
    (void)state;
    EXPECT_DEBUG("nv40-clear.nvcap.xz", "break CLEAR_*\nrun\nc 2\nrc\ninfo breakpoints\n", "CLEAR_*, hit 4 times\n");
    EXPECT_DEBUG("nv40-clear.nvcap.xz", "until 3\ntbreak CLEAR_*\nrc\ninfo breakpoints\n", "Temporary breakpoint 1",
                 "Temporary breakpoint 1: CLEAR_*\nsubmission 2, channel 0, after 62 methods",
                 "There are no breakpoints.\n");
}

static void reverse_step_and_next_have_the_units_of_step_and_next(void **state) {
    (void)state;
    EXPECT_DEBUG("nv40-clear.nvcap.xz", "step 20\nreverse-step\nreverse-stepi 2\nrs\nreverse-next\nrn\nrs packet\n",
                 "after 20 methods, 5 packets", "after 19 methods", "after 17 methods", "after 16 methods, 3 packets",
                 "after 14 methods, 2 packets", "after 1 method, 1 packet", "after 0 methods");
    expect_wrong("step 3\nreverse-step 4\n", "cannot go back 4 methods: only 3 are before this place");
    expect_wrong("reverse-finish\n", "there is no command 'reverse-finish': back submission goes to where it begins");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reverse_continue_goes_to_the_stop_before),
        cmocka_unit_test(without_a_stop_before_it_is_the_beginning),
        cmocka_unit_test(reverse_continue_is_where_continue_stopped),
        cmocka_unit_test(a_stop_on_the_way_back_is_hit_once),
        cmocka_unit_test(reverse_step_and_next_have_the_units_of_step_and_next),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
