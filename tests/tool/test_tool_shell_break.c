/* SPDX-License-Identifier: MIT */
/* `pfifo shell`: where runs stop, how they go on, and the way back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tool/script.h"
#include "tool/tool.h"

/* Three packets of reference counts: 7 and 8, 9, 10. */
#define COUNTS NV40_CHANNEL "sys 0xc 0x00040050 9 0x00040050 10\nw32 CACHE1_DMA_PUT 28\n"

static uint8_t *bytes_of(const char *path, size_t *bytes) {
    FILE *file = fopen(path, "rb");
    uint8_t *data = malloc(1 << 20);

    assert_true(file && data);
    *bytes = fread(data, 1, 1 << 20, file);
    fclose(file);
    return data;
}

/* These texts are in what the lines print, in this order. */
static void expect_lines(const char *lines, const char *const *texts) {
    struct outcome outcome = shell(lines);
    const char *at = outcome.out;

    for (; *texts; texts++) {
        const char *found = strstr(at, *texts);
        if (!found)
            fail_msg("'%s' is not, or not there, in:\n%s%s", *texts, outcome.out, outcome.err);
        at = found + strlen(*texts);
    }
    expect_status(0, &outcome);
    outcome_free(&outcome);
}

#define EXPECT_LINES(lines, ...) expect_lines(lines, (const char *const[]){__VA_ARGS__, NULL})

/* The lines of a sample script before its first run, and these. */
static char *sample_script(const char *name, const char *lines) {
    const char *samples = getenv("PFIFO_SAMPLES");
    char path[800], *script = calloc(1, 32768);
    size_t used;

    assert_true(samples && script);
    snprintf(path, sizeof path, "%s/scripts/%s", samples, name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    used = fread(script, 1, 32767 - strlen(lines), file);
    fclose(file);
    char *run = strstr(script, "\nrun\n");
    assert_true(used && run);
    memcpy(run + 1, lines, strlen(lines) + 1);
    return script;
}

/* ---- where it stops ---- */

static void a_break_on_a_method_stops_before_it(void **state) {
    (void)state;
    EXPECT_LINES(COUNTS "break REF_CNT data=8\nrun\nexpect CACHE1_REF 7\nexpect CACHE1_DMA_GET 12\nstop\nrun\n"
                        "expect CACHE1_REF 10\ninfo breakpoints\n",
                 "Breakpoint 1: REF_CNT data=8\n",
                 "Breakpoint 1: REF_CNT data=8\n=> channel 0, 0 406e NV40_CHANNEL_DMA 0050 REF_CNT 0x00000008\n"
                 "stopped after 4 units: breakpoint\n",
                 "stopped after 4 units: breakpoint", "stopped after 7 units: idle",
                 "1   method   REF_CNT data=8, hit 1 time\n");
    EXPECT_LINES(COUNTS "break REF_*\nrun\nrun\nexpect CACHE1_REF 7\nstep\nexpect CACHE1_REF 8\n",
                 "REF_CNT 0x00000007\nstopped after 2 units", "REF_CNT 0x00000008\nstopped after 2 units",
                 "puller.reference value=0x8\nstopped after 1 unit: budget");
}

/* A method that comes by PIO is in no pushbuffer. */
static void a_method_by_pio_has_a_breakpoint_too(void **state) {
    (void)state;
    EXPECT_LINES("chip NV4\nw32 PMC.ENABLE ~0\nw32 CACHE1_PUSH0 1\nw32 CACHE1_PUSH1 0\nw32 CACHE1_PULL0 1\n"
                 "break method=0x100\nw32 USER+0x100 7\nrun\nexpect CACHE1_PULL0 1\nrun\nexpect CACHE1_PULL0 0x100\n",
                 "Breakpoint 1: method=0x100\n=> channel 0, 0 0000 ? 0100 ? 0x00000007\n", "1 unit: interrupt");
}

/* A macro that sends two methods in one unit: 5 to 0x3400 of 9097, 6 to 0x3404. */
#define TWO_SENT                                                                                                       \
    "vram 0x43000 1<<29|1<<16 0x9097 1<<29|1<<16|0x45 0 3<<29|3<<16|0x46 0x07400021 0x140c1 0x18041\n"                 \
    "vram 0x43020 1<<29|2<<16|0x47 0 0 1<<29|1<<16|0xe00 7\nvram 0x40000 0x43000 13<<10\nbar 1 0x20108c 1\n"

static void breaks_on_two_methods_of_a_macro_are_passed_one_by_one(void **state) {
    char *script = sample_script("gf100-three-engines.pfifo", TWO_SENT
                                 "break method=0x3400\nbreak method=0x3404\nrun\necho --\nrun\necho --\nrun\n");
    (void)state;
    EXPECT_LINES(script, "Breakpoint 1: method=0x3400\n=> channel 1, 0 9097 FERMI_A 3400 ", "from a macro\n", "--\n",
                 "stopped after 0 units: breakpoint\n--\nstopped after 25 units: waiting");
    free(script);
}

static void events_of_what_is_not_executed_are_not_told(void **state) {
    struct outcome outcome =
        shell(COUNTS "trace puller.*\nbreak REF_CNT data=8\nrun\necho --\nrun\necho --\nback 1\necho --\nrun\n");
    (void)state;
    expect_status(0, &outcome);
    expect_text(&outcome, "value=0x7\nBreakpoint 1: REF_CNT data=8\n=> ");
    const char *first = strstr(outcome.out, "value=0x8\n");
    assert_non_null(first);
    assert_true(first > strstr(outcome.out, "--\n"));
    assert_null(strstr(first + 1, "value=0x8\n"));
    outcome_free(&outcome);
}

static void a_break_stops_each_time_and_a_temporary_one_once(void **state) {
    (void)state;
    EXPECT_LINES(COUNTS "tbreak REF_CNT data=9\nbreak REF_CNT data=9|data=10\nrun\nrun\ninfo break\ndelete 2\n"
                        "info break\nrun\n",
                 "Temporary breakpoint 1: REF_CNT data=9\n", "Breakpoint 2: REF_CNT data=9|data=10\n",
                 "Temporary breakpoint 1: REF_CNT data=9\nBreakpoint 2: REF_CNT data=9|data=10\n=> channel 0, ",
                 "Breakpoint 2: REF_CNT data=9|data=10\n=> channel 0, ", "0x0000000a\n",
                 "2   method   REF_CNT data=9|data=10, hit 2 times\n", "There are no breakpoints.\n",
                 "stopped after 1 unit: idle");
}

static void a_break_at_an_address_stops_before_the_word_is_fetched(void **state) {
    (void)state;
    EXPECT_LINES(COUNTS "break *0xc\nbreak address 0x14\nrun\nexpect CACHE1_DMA_GET 12\nexpect CACHE1_REF 7\nrun\n"
                        "expect CACHE1_DMA_GET 20\nrun\n",
                 "Breakpoint 1: *0xc\n=> channel 0, packet 0x00040050 at 0xc\nstopped after 4 units: breakpoint\n",
                 "Breakpoint 2: *0x14\n=> channel 0, packet 0x00040050 at 0x14\nstopped after 3 units: breakpoint\n",
                 "idle");
}

/* The word is the next one again each time, although GET stands still. */
static void a_break_at_a_jump_to_itself_stops_each_time(void **state) {
    (void)state;
    EXPECT_LINES(NV40_CHANNEL "sys 0 0x20000000\nw32 CACHE1_DMA_PUT 0x1c\nbreak *0\nrun 50\nrun 50\n"
                              "expect CACHE1_DMA_GET 0\n",
                 "Breakpoint 1: *0x0\n=> channel 0, packet 0x20000000 at 0x0\nstopped after 1 unit: breakpoint\n",
                 "Breakpoint 1: *0x0\n=> channel 0, packet 0x20000000 at 0x0\nstopped after 1 unit: breakpoint\n");
}

static void a_catch_stops_behind_an_event_that_a_query_matches(void **state) {
    (void)state;
    EXPECT_LINES(COUNTS "catch puller.method data=9\ntbreak event puller.reference\nrun\nrun\nexpect CACHE1_REF 9\n",
                 "Catchpoint 1: puller.method data=9\n", "Temporary breakpoint 2: puller.reference\n",
                 "Temporary breakpoint 2: puller.reference\n", " 0 puller.reference value=0x7\nstopped after 3 units",
                 "Catchpoint 1: puller.method data=9\n", " 0 puller.method subchannel=0 class=", "data=0x9\n");
}

static void a_watched_register_tells_old_new_and_the_method(void **state) {
    (void)state;
    EXPECT_LINES(
        COUNTS "break register CACHE1_REF\nrun\nrun\nwatch CACHE1_DMA_GET\n", "Watchpoint 1: CACHE1_REF\n",
        "Watchpoint 1: CACHE1_REF: 0x00000000 -> 0x00000007\n"
        "  after channel 0, 0 406e NV40_CHANNEL_DMA 0050 REF_CNT 0x00000007\nstopped after 3 units: breakpoint\n",
        "CACHE1_REF: 0x00000007 -> 0x00000008\n", "CACHE1_DMA_GET changes from 0x0000000c after 1 unit\n");
}

static void watched_memory_tells_the_word_and_the_method(void **state) {
    char *script = sample_script("gf100-three-engines.pfifo",
                                 "break memory vram:0x50000 32\nvram 0x50020 1\nrun\nexpect vram:0x50010 1\nrun\n"
                                 "expect vram:0x50000 1\ntbreak SEMAPHORED channel=3\n");
    (void)state;
    EXPECT_LINES(script, "Watchpoint 1: 32 bytes at vram:0x50000\n",
                 "Watchpoint 1: 32 bytes at vram:0x50000: at 0x50010: 0x00000000 -> 0x00000001\n"
                 "  by channel 3, 0 906f GF100_CHANNEL_GPFIFO 001c SEMAPHORED 0x01000002\n",
                 "at 0x50000: 0x00000000 -> 0x00000001\n  by channel 2, 0 906f ");
    free(script);
}

/* RAMIN is in BAR0, too. */
static void memory_in_a_window_of_bar0_is_watched_as_memory(void **state) {
    (void)state;
    EXPECT_LINES(COUNTS "break memory 0x711000 12\nbreak memory ramin:0x1000 8\ninfo break\n",
                 "Watchpoint 1: 12 bytes at 0x711000\n", "1   memory   12 bytes at 0x711000, hit 0 times\n",
                 "2   memory   8 bytes at ramin:0x1000, hit 0 times\n");
}

/* What a run would come to, it does not. */
static void step_until_and_next_stop_at_a_breakpoint_too(void **state) {
    (void)state;
    EXPECT_LINES(COUNTS "break REF_CNT data=8\nstep 100\necho --\nback 1\nuntil CACHE1_REF 9\nexpect CACHE1_REF 7\n"
                        "back 2\nwatch sys:0x40\nback 1\nnext 3\n",
                 "-- step 4\nBreakpoint 1: REF_CNT data=8\n", "stopped after 4 units: breakpoint\n--\n",
                 "went back 1 unit; 3 more are before this place\n", "stopped after 1 unit: breakpoint\n",
                 "stopped after 2 units: breakpoint\n", "stopped after 1 unit: breakpoint\n");
}

static void watchpoints_go_with_a_chip_that_has_no_such_register(void **state) {
    (void)state;
    EXPECT_LINES("break register CACHE1_REF\nbreak method=0x50\nchip NV41\ninfo break\nchip GF100\ninfo break\n",
                 "1   register CACHE1_REF, hit 0 times\n", "Watchpoint 1: CACHE1_REF is gone with the chip\n",
                 "2   method   method=0x50, hit 0 times\n");
}

static void what_is_no_breakpoint_is_refused(void **state) {
    (void)state;
    expect_failure("break NO_SUCH_METHOD\n", 1, "");
    expect_failure("break event no.such\n", 1, "no event is called 'no.such'");
    expect_failure("catch puller.* data=(\n", 1, "");
    expect_failure("break register NOTHING\n", 1, "NV40 has no register 'NOTHING'");
    expect_failure("break register vram:0\n", 1, "vram:0 is memory: break memory");
    expect_failure("break memory 0x3270 64\n", 1, "0x3270 is a register: break register");
    expect_failure("break memory CACHE1_REF\n", 1, "CACHE1_REF is a register: break register");
    expect_failure("break memory bar1:0\n", 1, "BAR1 cannot be watched: a read may fault; vram, sys and ramin can");
    expect_failure("break memory vram:0 5000\n", 1, "1 to 4096 bytes can be watched, not 5000");
    expect_failure("delete 3\n", 1, "there is no breakpoint 3");
    expect_failure("next unit\n", 1,
                   "'unit' is neither a number nor one of method, packet, draw, launch, submission\n");
    expect_failure(
        "info nothing\n", 1,
        "there is no info 'nothing'; there are breakpoints, channels, irq, lanes, program, registers, stack");
}

/* ---- going on ---- */

/* Time passes up to the alarm when there is nothing to do. */
static void a_run_with_breakpoints_comes_to_the_same_machine(void **state) {
    static const char alarm[] = COUNTS "w32 PTIMER.INTR_EN 1\nw32 PTIMER.ALARM 0x100000\n";
    static const char after[] = "run\nstop\nexpect PTIMER.INTR 1\nexpect PTIMER.TIME_LOW 0x100000\n";
    char text[2000];
    (void)state;
    snprintf(text, sizeof text, "%s%s", alarm, after);
    EXPECT_LINES(text, "stopped after 11 units: idle");
    snprintf(text, sizeof text, "%sbreak memory sys:0x800\n%s", alarm, after);
    EXPECT_LINES(text, "stopped after 11 units: idle");
    snprintf(text, sizeof text, "%sbreak memory sys:0x800\n%sback 11\nrun\nexpect PTIMER.INTR 1\n", alarm, after);
    EXPECT_LINES(text, "went back 11 units", "stopped after 11 units: idle");
    snprintf(text, sizeof text, "%sbreak register PTIMER.INTR\nrun\nrun\n", alarm);
    EXPECT_LINES(text, "Watchpoint 1: PTIMER.INTR: 0x00000000 -> 0x00000001\n", "stopped after 0 units: idle");
}

static void next_goes_on_by_packets_and_methods(void **state) {
    (void)state;
    EXPECT_LINES(COUNTS "next\nexpect CACHE1_DMA_GET 12\nexpect CACHE1_REF 8\nback 5\nnext 2\nexpect CACHE1_REF 9\n"
                        "back 8\nnext method\nexpect CACHE1_REF 0\nnext meth 2\nexpect CACHE1_REF 8\nnext 9\n",
                 "=> channel 0, packet 0x00040050 at 0xc\nstopped after 5 units\n",
                 "=> channel 0, packet 0x00040050 at 0x14\nstopped after 8 units\n",
                 "0050 REF_CNT 0x00000007\nstopped after 2 units\n", "0050 REF_CNT 0x00000009\nstopped after 5 units\n",
                 "idle, nothing is left to do\n");
}

/* ---- back ---- */

/* To the byte, of a machine that nobody observes: the number of events that were sent is saved, too. */
static void back_restores_the_machine_as_it_was(void **state) {
    char *one = temporary_path(".state"), *other = temporary_path(".state"), text[2000];
    size_t bytes, same;
    (void)state;
    snprintf(text, sizeof text,
             COUNTS "run 3\nsave %s\nstep\nrun 2\nstep 2\nback 5\nexpect CACHE1_REF 7\nexpect CACHE1_DMA_GET 8\n"
                    "save %s\nrun\nexpect CACHE1_REF 10\nback 4\nexpect CACHE1_REF 8\nback 6\nexpect CACHE1_REF 0\n",
             one, other);
    EXPECT_LINES(text, "went back 5 units; 3 more are before this place\n", "stopped after 8 units: idle",
                 "went back 4 units; 7", "went back 6 units; 1 more is before this place\n");
    uint8_t *first = bytes_of(one, &bytes), *second = bytes_of(other, &same);
    assert_int_equal(bytes, same);
    assert_memory_equal(first, second, bytes);
    free(first);
    free(second);
    unlink(one);
    unlink(other);
    free(one);
    free(other);
}

/* The run that found nothing left to do comes after them, and is not done in the midst. */
static void back_from_the_end_of_single_units_is_by_so_many(void **state) {
    (void)state;
    EXPECT_LINES(COUNTS "step 12\nexpect CACHE1_REF 10\nback 3\nexpect CACHE1_REF 9\nexpect CACHE1_DMA_GET 20\n",
                 "stopped after 11 units: idle", "went back 3 units; 8 more are before this place\n");
}

static void there_is_no_way_back_over_what_else_changed_the_machine(void **state) {
    (void)state;
    expect_failure("back\n", 1, "nothing has run yet");
    expect_failure(COUNTS "run\nr32 CACHE1_REF\nback 2\nw32 CACHE1_REF 5\nback\n", 17,
                   "w32 has changed the machine since the last run: there is no way back past that");
    expect_failure(
        COUNTS "step 4\nvram 0 5\nstep 2\nback 2\nback 3\n", 17,
        "cannot go back 3 units: only 0 ran since vram changed the machine, and there is no way back past that");
    expect_failure(COUNTS "run\nback 12\n", 14, "cannot go back 12 units: only 11 are before this place");
    expect_failure(COUNTS "run\npass 5\nback\n", 15, "pass has changed the machine");
    expect_failure(COUNTS "run\nr32 bar1:0\nback\n", 15, "r32 has changed the machine");
    expect_failure(COUNTS "run\nreset\nback\n", 15, "nothing has run yet");
    expect_failure(COUNTS "run\nback 0\n", 14, "usage: back [N]");
}

/* Channel 1 binds one class, and then another. */
static void back_forgets_the_classes_bound_later(void **state) {
    char *script = sample_script(
        "gf100-three-engines.pfifo",
        "vram 0x43000 1<<29|1<<16 0x9097 1<<29|1<<16|0x40 0 1<<29|1<<16 0x902d 1<<29|1<<16|0x40 0\n"
        "vram 0x40000 0x43000 8<<10\nbar 1 0x20108c 1\ntbreak channel=1 method=0x100\nrun\nvram 0x60000 1\n"
        "tbreak channel=1 class=0x902d method=0x100\nrun\ndisassemble 0x43008 2\nback 6\ndisassemble 0x43008 2\n");
    (void)state;
    EXPECT_LINES(script, "=> channel 1, 0 902d FERMI_TWOD_A 0100 ", " 0 902d FERMI_TWOD_A  ", "went back 6 units",
                 " 0 9097 FERMI_A  ");
    free(script);
}

/* A machine of more than 64 MiB is not saved, which is found out once, and not before each run. */
static void a_machine_too_large_to_be_saved_is_tried_once(void **state) {
    enum { PAGES = 16500, FEWER = 500, ROOM = 1 << 20 };
    char *path = temporary_path(".state"), *text = calloc(1, ROOM);
    size_t used;
    (void)state;
    assert_true(path && text);
    used = (size_t)snprintf(text, ROOM, COUNTS "save %s\n", path);
    for (unsigned i = 1; i <= PAGES; i++)
        used += (size_t)snprintf(text + used, ROOM - used, "sys 0x%x000 1\n", i);
    used += (size_t)snprintf(text + used, ROOM - used, "run 3\n");
    for (unsigned i = 1; i <= FEWER; i++)
        used += (size_t)snprintf(text + used, ROOM - used, "sys 0x%x000 0\n", i);
    char *end = text + used;
    snprintf(end, ROOM - used, "run 3\nload %s\nrun 3\nback 1\nexpect CACHE1_DMA_GET 8\n", path);
    EXPECT_LINES(text, "went back 1 unit; 2 more are before this place\n");
    snprintf(end, ROOM - used, "run 3\nback 1\n");
    expect_failure(text, 13 + PAGES + 1 + FEWER + 2,
                   "there is no way back: the machine is too large to be saved before each run");
    unlink(path);
    free(path);
    free(text);
}

/* ---- memory, registers and values are shown ---- */

static void x_prints_memory_and_registers_in_a_format(void **state) {
    (void)state;
    EXPECT_LINES(COUNTS "x/5xw sys:0\nx/2dh sys:4\nx/1xg vram:8\nx/4c sys:2\nx CACHE1_DMA_PUT\nx/1fw sys:0x40\n",
                 "sys:0x0: 0x40080050 0x00000007 0x00000008 0x00040050\nsys:0x10: 0x00000009\nsys:0x4: 7 0\n"
                 "vram:0x8: 0x0000000000000000\nsys:0x2:  .  @  .  .\n0x3240: 0x0000001c\nsys:0x40: 0\n");
    expect_failure("x/3q sys:0\n", 1, "'3q' is not a format");
    expect_failure("x/5000xw sys:0\n", 1, "1 to 4096 values can be printed");
    expect_failure("x/2xw sys:0x3ffffffc\n", 1, "0x40000000 is beyond system memory, which ends at 0x40000000");
}

static void disassemble_shows_the_words_around_get(void **state) {
    (void)state;
    EXPECT_LINES(COUNTS "step 2\ndisassemble\nrun\ndisassemble\ndisassemble 0x14 2\ndisassemble sys:0xc 1\n",
                 "channel 0, GET 0x8 PUT 0x1c, of a packet 1 data word is left\n   00000000 40080050 non-increasing",
                 "\n   00000004 00000007   0 ", "\n=> 00000008 00000008   0 ", "\n   0000000c 00040050 increasing",
                 "channel 0, GET 0x1c PUT 0x1c\n", "\n   00000018 0000000a   0 ",
                 "\n   00000014 00040050 increasing            subc 0 method 0050 count 1\n   00000018 0000000a ",
                 "\n   0000000c 00040050 increasing");
    /* Data that looks like a header is none: its packet would go on after GET. */
    EXPECT_LINES(NV40_CHANNEL "sys 0 1<<30|6<<18|0x50 0 5<<18|0x50 0 0 0 0 1<<18|0x50 7\nw32 CACHE1_DMA_PUT 0x24\n"
                              "until CACHE1_DMA_GET 0x1c\ndisassemble\n",
                 "channel 0, GET 0x1c PUT 0x24\n   0000000c 00000000 increasing ",
                 "\n=> 0000001c 00040050 increasing ");
    expect_failure("disassemble\n", 1, "PFIFO is off in PMC.ENABLE");
    expect_failure(COUNTS "disassemble 5\n", 13, "channel 5 has no pushbuffer; channels shows all");
    expect_failure("chip NV1\ndisassemble\n", 2, "NV1 has no pushbuffer of a channel");
    expect_failure(COUNTS "disassemble 0xfffff000 2\n", 13, "2 words at 0xfffff000: not all of them are there");
}

/* A DMA object of 28 bytes, and GET after the last of them; one of 24, and GET after the header of the last packet.
 */
static void disassemble_shows_the_words_before_the_end_of_memory(void **state) {
    (void)state;
    EXPECT_LINES(COUNTS "ramin 0x1000 0x0002303d 27 0x3\nrun\ndisassemble\n", "channel 0, GET 0x1c PUT 0x1c\n",
                 "\n   0000000c 00040050 increasing ",
                 "\n   00000014 00040050 increasing            subc 0 method 0050 count 1\n   00000018 0000000a   0 ");
    EXPECT_LINES(COUNTS "ramin 0x1000 0x0002303d 23 0x3\nrun\ndisassemble\n",
                 "channel 0, GET 0x18 PUT 0x1c, of a packet 1 data word is left\n",
                 "\n   0000000c 00040050 increasing ", "\n   00000014 00040050 increasing ");
    expect_failure(COUNTS "ramin 0x1000 0x0002303d 23 0x3\nw32 CACHE1_DMA_GET 0x80000\ndisassemble\n", 15,
                   "the pushbuffer at 0x80000 is not there");
}

/* Behind page tables and DMA objects, of channels on the chip and of others. */
static void disassemble_reads_through_the_channels_own_tables(void **state) {
    char *g84 = sample_script("g84-ib-ring.pfifo", "next 2\ndisassemble\nrun\ndisassemble 1\n");
    char *gf100 = sample_script("gf100-three-engines.pfifo", "run\ndisassemble\ndisassemble 2\n");
    (void)state;
    EXPECT_LINES(g84, "=> channel 1, packet 0x00080200 at 0x300008\n", "channel 1, GET 0x300008 PUT 0x300014\n",
                 "   0000300000 00040000 increasing", "=> 0000300008 00080200 increasing",
                 "000030000c 000000cf   0 502d G80_2D                    0200 DST_FORMAT", "channel 1, GET 0x301008",
                 "   0000301004 00000011 ");
    EXPECT_LINES(gf100, "channel 1, GET 0x4301c PUT 0x43024\n",
                 "   0000043018 00000001   0 906f GF100_CHANNEL_GPFIFO      001c SEMAPHORED",
                 "=> 000004301c 20010040 increasing", "channel 2, GET 0x4311c PUT 0x43130\n",
                 "=> 000004311c 20040004 increasing");
    free(g84);
    free(gf100);
}

/* Which classes are bound is part of the machine, not of what the shell saw. */
static void disassemble_knows_the_classes_of_a_loaded_machine(void **state) {
    char *path = temporary_path(".state"), commands[512];
    (void)state;
    assert_non_null(path);
    snprintf(commands, sizeof commands, "run\nsave %s\nreset\nload %s\ndisassemble 1\n", path, path);
    char *script = sample_script("gf100-three-engines.pfifo", commands);
    EXPECT_LINES(script, "=> 000004301c 20010040 increasing",
                 "   0000043020 00000011   0 902d FERMI_TWOD_A              0100 NO_OPERATION");
    unlink(path);
    free(script);
    free(path);
}

static void disassemble_shows_what_the_ring_has_next(void **state) {
    char *script = sample_script("g84-ib-ring.pfifo", "next 2\ndisassemble\n");
    (void)state;
    EXPECT_LINES(script, "=> 0000300008 00080200 increasing", "0000300010 00000001   0 502d G80_2D",
                 "\n   entry 0000200008: 0000080000301000 -> 0000301000, 2 words\n   0000301000 00040050 increasing",
                 "0000301004 00000011   0 826f G82_CHANNEL_GPFIFO        0050 REF_CNT");
    free(script);
}

static void info_lists_what_it_can_show(void **state) {
    (void)state;
    EXPECT_LINES(COUNTS "info\ninfo chan\ninfo irq\ninfo registers CACHE1_REF\n", "  info breakpoints ",
                 "  info channels ", "channel 0: DMA, in CACHE1\n", "interrupt line: not asserted\n",
                 "0x003248 CACHE1_REF = 0x00000000\n");
}

/* ---- as gdb has it ---- */

static void stop_and_expect_know_the_breakpoint_and_the_goal(void **state) {
    (void)state;
    EXPECT_LINES(COUNTS "break REF_CNT data=8\nrun\nexpect stop breakpoint\nstop\ncontinue\nexpect stop idle\nback 6\n"
                        "next\nexpect stop goal\nstop\n",
                 "stopped after 4 units: breakpoint\n", "stopped after 4 units: breakpoint\n", "idle",
                 "stopped after ");
    expect_failure(COUNTS "run\nexpect stop breakpoint\n", 14, "expected the stop breakpoint, but it was idle");
    expect_failure(COUNTS "break REF_CNT\nrun\nexpect stop idle\n", 15,
                   "expected the stop idle, but it was breakpoint");
}

static void a_break_without_what_it_needs_says_how_it_is_used(void **state) {
    (void)state;
    expect_failure("break event\n", 1, "usage: break event GLOBS [QUERY] | QUERY");
    expect_failure("tbreak memory\n", 1, "usage: tbreak memory PLACE [BYTES]");
    expect_failure("break register\n", 1, "usage: break register NAME");
    expect_failure("catch\n", 1, "usage: catch GLOBS [QUERY] | QUERY");
    expect_failure("catch bus.line data=1\n", 1, "query, column 1: bus.line has no 'data'; it has asserted");
    expect_failure("break *zzz\n", 1, "'*zzz' is not *ADDRESS, with a number");
    expect_failure("break memory 0x1000\n", 1,
                   "0x1000 is not memory, which is vram:ADDRESS, sys:ADDRESS or ramin:ADDRESS");
    expect_failure("delete all\n", 1, "'all' is not a number; usage: delete [NUMBER...], without a number all");
    expect_failure("until event\n", 1, "usage: until PLACE VALUE [MASK] | event GLOBS");
    expect_failure("quit now\n", 1, "usage: quit, without arguments");
    expect_failure("next 0\n", 1, "usage: next [method|packet|draw|launch|submission] [N], with an N of at least 1");
    expect_failure("continue 0\n", 1, "usage: continue [N]");
    expect_failure("x/4xw\n", 1, "usage: x [/FMT] PLACE");
}

static void delete_takes_several_numbers_or_none_of_them(void **state) {
    (void)state;
    EXPECT_LINES("break method=4\nbreak method=8\nbreak method=12\ndelete 3 1\ninfo breakpoints\n", "Breakpoint 3",
                 "2   method   method=8, hit 0 times\n");
    expect_failure("break method=4\ndelete 1 2\n", 2, "there is no breakpoint 2");
    struct outcome outcome = run_script("shell", "-k", "chip NV40\nbreak method=4\ndelete 1 2\ninfo break\n");
    expect_text(&outcome, "1   method   method=4");
    outcome_free(&outcome);
}

static void words_of_gdb_and_beginnings_are_enough(void **state) {
    (void)state;
    EXPECT_LINES(COUNTS "b REF_CNT\nr\nc 2\nexpect CACHE1_REF 8\nd\ns\nstepi\nn\ni b\np CACHE1_REF\np 1<<4\nl\nh n\n"
                        "unt CACHE1_REF 10\n",
                 "=> channel 0, ", "0x00000007\n", "0x00000009\nstopped after ", "There are no breakpoints.\n",
                 "0x003248 CACHE1_REF = 0x0000000a\n", "0x10 = 16\n", "channel 0, GET 0x", "next [packet|",
                 "CACHE1_REF after");
    expect_failure("e 1\n", 1, "'e' is ambiguous: expect, echo");
    EXPECT_LINES(COUNTS "finish\nwhere\n", "stopped after ", "stopped after ");
    expect_failure("reverse-next\n", 1, "reverse-next is for captures; this is a model");
    EXPECT_LINES(COUNTS "vram 0x1000 0x11111111 0x22222222\nx/1xg vram:0x1000\n", "0x2222222211111111\n");
    expect_failure("print/d CACHE1_*\n", 1, "registers of a glob have no format");
    expect_failure(
        "info buffers\n", 1,
        "there is no info 'buffers'; there are breakpoints, channels, irq, lanes, program, registers, stack");
    expect_failure("set 1\n", 1, "there is no command 'set': w32 PLACE VALUE writes");
}

static void print_shows_what_a_method_of_a_bound_object_holds(void **state) {
    char *script = sample_script("gf100-three-engines.pfifo",
                                 "vram 0x43000 1<<29|1<<16 0x9097 1<<29|1<<16|0x40 5 1<<29|1<<16|0x40 6\n"
                                 "vram 0x40000 0x43000 6<<10\nbar 1 0x20108c 1\ntbreak channel=1 data=6\nrun\n"
                                 "print NO_OPERATION\nprint FERMI_A.NO_OPERATION\n");
    (void)state;
    EXPECT_LINES(script, "channel 1: 9097 FERMI_A 0100 NO_OPERATION = 0x00000005",
                 "channel 1: 9097 FERMI_A 0100 NO_OPERATION = 0x00000005");
    free(script);
}

/* PUT moves on in the meantime; what was handed over is done. */
static void next_submission_goes_up_to_what_put_was(void **state) {
    char *g84 = sample_script("g84-ib-ring.pfifo", "next submission\nstop\nchannels\nrun\n");
    (void)state;
    EXPECT_LINES(COUNTS "w32 CACHE1_DMA_PUT 12\nnext submission\nexpect CACHE1_DMA_GET 12\nw32 CACHE1_DMA_PUT 28\n"
                        "next sub\nexpect CACHE1_DMA_GET 28\nexpect stop goal\nnext submission\nexpect stop idle\n",
                 "stopped after ", "stopped after ", "idle");
    EXPECT_LINES(g84, "stopped after ", "stopped after ", "idle");
    free(g84);
}

static void what_is_looked_at_in_a_run_does_not_change_by_that(void **state) {
    (void)state;
    expect_failure("until bar1:0 1\n", 1, "BAR1 cannot be watched: a read may fault; vram, sys and ramin can");
    expect_failure("until USER+0x10 1\n", 1, "USER+0x10 is not a register, or reading it has an effect");
    expect_failure("watch 0x1ffffc\n", 1, "0x1ffffc is not a register, or reading it has an effect");
}

static void ramin_of_each_chip_is_watched_as_memory(void **state) {
    (void)state;
    EXPECT_LINES("chip NV1\nbreak memory ramin:0x100 8\nchip NV3\nbreak memory ramin:0x100 8\nrun\n",
                 "Watchpoint 1: 8 bytes at ramin:0x100\n", "Watchpoint 2: 8 bytes at ramin:0x100\n", "idle");
}

static void help_is_by_classes_and_has_an_example(void **state) {
    (void)state;
    EXPECT_LINES("help\nhelp breakpoints\nhelp tbreak\nhelp catch\nhelp help\n", "(running):\n", "(session):\n",
                 "(breakpoints):\n", "  catch ", "tbreak WHERE\n", "Example: tbreak *0x2140b4\n",
                 "catch GLOBS [QUERY] | QUERY\n", "Example: catch ", "help [COMMAND|CLASS]\n");
    expect_failure("help foo\n", 1, "there is no command 'foo'");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_break_on_a_method_stops_before_it),
        cmocka_unit_test(a_method_by_pio_has_a_breakpoint_too),
        cmocka_unit_test(breaks_on_two_methods_of_a_macro_are_passed_one_by_one),
        cmocka_unit_test(events_of_what_is_not_executed_are_not_told),
        cmocka_unit_test(a_break_stops_each_time_and_a_temporary_one_once),
        cmocka_unit_test(a_break_at_an_address_stops_before_the_word_is_fetched),
        cmocka_unit_test(a_break_at_a_jump_to_itself_stops_each_time),
        cmocka_unit_test(a_catch_stops_behind_an_event_that_a_query_matches),
        cmocka_unit_test(a_watched_register_tells_old_new_and_the_method),
        cmocka_unit_test(watched_memory_tells_the_word_and_the_method),
        cmocka_unit_test(memory_in_a_window_of_bar0_is_watched_as_memory),
        cmocka_unit_test(step_until_and_next_stop_at_a_breakpoint_too),
        cmocka_unit_test(watchpoints_go_with_a_chip_that_has_no_such_register),
        cmocka_unit_test(what_is_no_breakpoint_is_refused),
        cmocka_unit_test(a_run_with_breakpoints_comes_to_the_same_machine),
        cmocka_unit_test(next_goes_on_by_packets_and_methods),
        cmocka_unit_test(back_restores_the_machine_as_it_was),
        cmocka_unit_test(back_forgets_the_classes_bound_later),
        cmocka_unit_test(back_from_the_end_of_single_units_is_by_so_many),
        cmocka_unit_test(there_is_no_way_back_over_what_else_changed_the_machine),
        cmocka_unit_test(a_machine_too_large_to_be_saved_is_tried_once),
        cmocka_unit_test(x_prints_memory_and_registers_in_a_format),
        cmocka_unit_test(disassemble_shows_the_words_around_get),
        cmocka_unit_test(disassemble_shows_the_words_before_the_end_of_memory),
        cmocka_unit_test(disassemble_reads_through_the_channels_own_tables),
        cmocka_unit_test(disassemble_knows_the_classes_of_a_loaded_machine),
        cmocka_unit_test(disassemble_shows_what_the_ring_has_next),
        cmocka_unit_test(info_lists_what_it_can_show),
        cmocka_unit_test(stop_and_expect_know_the_breakpoint_and_the_goal),
        cmocka_unit_test(a_break_without_what_it_needs_says_how_it_is_used),
        cmocka_unit_test(delete_takes_several_numbers_or_none_of_them),
        cmocka_unit_test(words_of_gdb_and_beginnings_are_enough),
        cmocka_unit_test(print_shows_what_a_method_of_a_bound_object_holds),
        cmocka_unit_test(next_submission_goes_up_to_what_put_was),
        cmocka_unit_test(what_is_looked_at_in_a_run_does_not_change_by_that),
        cmocka_unit_test(ramin_of_each_chip_is_watched_as_memory),
        cmocka_unit_test(help_is_by_classes_and_has_an_example),
    };
    unsetenv("PFIFO_TRACE");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
