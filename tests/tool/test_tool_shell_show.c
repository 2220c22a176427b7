/* SPDX-License-Identifier: MIT */
/* What `pfifo shell` shows of a GPU: registers, channels, interrupts. */
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

#include <pfifo/chip.h>

#include "tool/script.h"
#include "tool/tool.h"

static void dump_reads_what_the_glob_names(void **state) {
    struct outcome outcome =
        shell(POWER_ON "w32 CACHE1_DMA_GET 0x10\nw32 0x90004 5\ndump CACHE1_DMA_[GP]*T\ndump CACHE1_ENTRY\n");
    (void)state;
    expect_status(0, &outcome);
    assert_string_equal(outcome.out, "0x003240 CACHE1_DMA_PUT = 0x00000000\n"
                                     "0x003244 CACHE1_DMA_GET = 0x00000010\n"
                                     "0x090004 CACHE1_ENTRY[1] = 0x00000005\n"
                                     "0x090804 CACHE1_ENTRY[513] = 0x00000005\n");
    outcome_free(&outcome);
    outcome = shell(POWER_ON "dump CACHE1_ENTRY\ndump DMA_USER.REF\n");
    expect_status(0, &outcome);
    expect_text(&outcome, "0x090000 PFIFO.CACHE1_ENTRY[0..1023]: all are 0\n");
    expect_text(&outcome, " DMA_USER.REF[0..31]: all are 0\n");
    outcome_free(&outcome);
    expect_failure("dump PRAMIN\n", 1, "the words of PRAMIN have no names: r32 PRAMIN reads them");
    outcome = shell("dump\n");
    expect_status(0, &outcome);
    expect_text(&outcome, "0x000000 BOOT_0 = 0x040000a1\n");
    expect_text(&outcome, "0x003270 CACHE1_GET = 0x00000000");
    outcome_free(&outcome);
}

static void irq_shows_the_line(void **state) {
    struct outcome outcome = shell(NV40_CHANNEL "w32 PFIFO.INTR_EN_0 ~0\n"
                                                "w32 PMC.INTR_EN 1\n"
                                                "sys 0 0x00000003\n" /* no command */
                                                "w32 CACHE1_DMA_PUT 4\n"
                                                "run\n"
                                                "expect irq 1\n"
                                                "expect PMC.INTR 1<<8\n"
                                                "expect PFIFO.INTR_0 0x1000\n"
                                                "irq\n");
    (void)state;
    expect_status(0, &outcome);
    expect_text(&outcome, "interrupt line: asserted\n0x000100 PMC.INTR = 0x00000100  PFIFO=1 PGRAPH=0 ");
    expect_text(&outcome, "\n0x002100 INTR_0 = 0x00001000  CACHE_ERROR=0 RUNOUT=0 RUNOUT_OVERFLOW=0 DMA_PUSHER=1 ");
    outcome_free(&outcome);
}

/* The channel in CACHE1, another that waits with work, and the tables of later chips. */
static void channels_shows_where_they_stand(void **state) {
    struct outcome outcome = shell(NV40_CHANNEL "w32 MODE 5\n"
                                                "w32 USER+0x20040 0x30\n"
                                                "channels\n");
    (void)state;
    expect_status(0, &outcome);
    expect_text(&outcome, ", GET 0x0 PUT 0x0, pushbuffer GET 0x0 PUT 0x0\n");
    expect_text(&outcome, "channel 0: DMA, in CACHE1\n");
    expect_text(&outcome, "channel 2: DMA, GET 0x0 PUT 0x30 REF 0x0, object 0x0, pending\n");
    outcome_free(&outcome);
    outcome = shell(POWER_ON "w32 PFIFO.DMA 8\nchannels\nchip NV1\nw32 USER+0x300 0\nchannels\n");
    expect_text(&outcome, "channel 3: PIO, pending\n");
    expect_text(&outcome, "in CACHE1: channel 0, GET 0x0 PUT 0x0\nin RAMRO: commands from 0x0 to 0x8\n");
    outcome_free(&outcome);
    outcome = shell("chip G80\nw32 CHAN_TABLE[3] 0x80001234\nchannels\n");
    expect_text(&outcome,
                "channel 3: instance 0x1234000 of VRAM, on, IB GET 0 PUT 0 REF 0x0, pushbuffer GET 0x0 PUT 0x0\n");
    outcome_free(&outcome);
    outcome = shell("chip GK104\nw32 PCCSR+0x18 0x80001234\nchannels\n");
    expect_text(&outcome, "channel 3: instance 0x1234000 of VRAM, status 0x");
    outcome_free(&outcome);
}

static void every_chip_answers_all_that_shows_something(void **state) {
    (void)state;
    for (size_t i = 0; i < pfifo_chip_count(); i++) {
        struct pfifo_chip_info chip = pfifo_chip_info(pfifo_chip_at(i));
        char text[128], boot[64];
        if (!chip.runs)
            continue;
        snprintf(text, sizeof text, "chip %s\ndump\nchannels\nirq\nrun\nstep\nramin 0 1\nexpect ramin:0 1\n",
                 chip.name);
        struct outcome outcome = run_script("shell", NULL, text);
        expect_status(0, &outcome);
        snprintf(boot, sizeof boot, "0x000000 BOOT_0 = 0x%08x", chip.boot0);
        expect_text(&outcome, boot);
        expect_text(&outcome, "interrupt line: not asserted\n");
        outcome_free(&outcome);
    }
}

static void list_before_a_submission_says_so(void **state) {
    (void)state;
    expect_failure(NV40_CHANNEL "list\n", 11, "nothing was submitted: GET and PUT are both 0x0");
    expect_success(NV40_CHANNEL "w32 CACHE1_DMA_PUT 0xc\nlist\n");
}

/* As in pfifo debug. */
static void stop_says_which_breakpoint_it_was(void **state) {
    struct outcome outcome = shell(NV40_CHANNEL "w32 CACHE1_DMA_PUT 0xc\nbreak register CACHE1_REF\nrun\necho -\nstop\n"
                                                "delete\nrun\necho -\nstop\n");
    (void)state;
    expect_status(0, &outcome);
    expect_text(&outcome, "\n-\nWatchpoint 1: CACHE1_REF: 0x00000000 -> 0x00000007\n  after channel 0, ");
    expect_text(&outcome, "\n-\nstopped after ");
    outcome_free(&outcome);
}

static void print_says_what_it_looked_for(void **state) {
    (void)state;
    expect_failure("print NOTHING\n", 1,
                   "'NOTHING' is neither a register nor a method of an object that channels have bound");
    expect_failure("print INTR\n", 1, "'INTR' is ambiguous: ");
    expect_failure("print nowhere:0\n", 1, "there is no memory 'nowhere'");
    expect_success("print PMC.INTR\nprint vram:0\n");
}

static void help_lists_the_commands(void **state) {
    struct outcome outcome = shell("help\nhelp w8\n");
    (void)state;
    expect_status(0, &outcome);
    expect_text(&outcome, "  chip          make a fresh GPU of that chip\n");
    expect_text(&outcome, "  expect        fail if the 32 bits at PLACE");
    expect_text(&outcome, "comment.\nw8 PLACE VALUE...\nWrite 8 bits each.\n");
    outcome_free(&outcome);
}

/* Tables of channels have words with names: those of the manuals, with their fields. */
static void words_of_windows_have_names_and_fields(void **state) {
    struct outcome outcome = shell("chip GM20B\nw32 PMC.ENABLE ~0\nw32 PCCSR 0x80001234\nw32 0x80000c 0x10400\n"
                                   "r32 PCCSR+0xc\nr32 PCCSR.CHANNEL_INST[0]\ndump PCCSR\n");
    (void)state;
    expect_status(0, &outcome);
    assert_string_equal(outcome.out, "0x80000c PCCSR.CHANNEL[1] = 0x00010001  "
                                     "ENABLE=1 RUNLIST=1 PBDMA_FAULTED=0 ENG_FAULTED=0 STATUS=0 BUSY=0\n"
                                     "0x800000 PCCSR.CHANNEL_INST[0] = 0x80001234  ADDRESS=0x1234 TARGET=0 BIND=1\n"
                                     "0x800000 PCCSR.CHANNEL_INST[0] = 0x80001234  ADDRESS=0x1234 TARGET=0 BIND=1\n"
                                     "0x80000c PCCSR.CHANNEL[1] = 0x00010001  "
                                     "ENABLE=1 RUNLIST=1 PBDMA_FAULTED=0 ENG_FAULTED=0 STATUS=0 BUSY=0\n");
    outcome_free(&outcome);
    outcome = shell("chip GF100\nw32 PMC.ENABLE ~0\nw32 PFIFO.CHANNEL+0xc 0x1f0001\nr32 PFIFO.CHANNEL+0xc\n"
                    "chip G84\nw32 PMC.ENABLE ~0\nr32 USER_DMA+0xe088 2\n"
                    "chip NV40\nw32 PMC.ENABLE ~0\nr32 DMA_USER+0x1044\n");
    expect_status(0, &outcome);
    assert_string_equal(outcome.out, "0x00300c PFIFO.CHANNEL_STATUS[1] = 0x001f0001  "
                                     "RUNNABLE=1 ACQUIRE_PENDING=0 LOADED=0 ENGINE=0x1f PENDING=0\n"
                                     "0xc0e088 USER_DMA.IB_GET[7] = 0x00000000\n"
                                     "0xc0e08c USER_DMA.IB_PUT[7] = 0x00000000\n"
                                     "0xc01044 DMA_USER.DMA_GET[1] = 0x00000000\n");
    outcome_free(&outcome);
}

/* Of PBDMAs those that want something; bits that do not get through are told apart. */
static void irq_shows_the_second_level(void **state) {
    struct outcome outcome = shell("chip GK104\nw32 PMC.ENABLE ~0\nw32 PMC.SUBFIFO_ENABLE ~0\nw32 PFIFO.INTR_EN 0x101\n"
                                   "w32 PBDMA0.INTR_EN_0 0\n"
                                   "w32 PCCSR+0x24 15<<16\nw32 PCCSR+0x20 1<<31|0x14\n" /* there is no runlist 15 */
                                   "irq\n");
    (void)state;
    expect_status(0, &outcome);
    expect_text(&outcome, "\n0x002100 PFIFO.INTR = 0x00000001  BIND_ERROR=1 BYPASS_ERROR=0 SCHED_ERROR=0 ");
    expect_no_text(&outcome, "PBDMA0");
    outcome_free(&outcome);
    outcome = shell("chip GK104\nw32 PMC.ENABLE ~0\nw32 PFIFO.INTR_EN 0\n"
                    "w32 PCCSR+0x24 15<<16\nw32 PCCSR+0x20 1<<31|0x14\nirq\n");
    expect_text(&outcome, "\n0x002100 PFIFO.INTR = 0x00000001  BIND_ERROR=1 ");
    expect_text(&outcome, "; not enabled: BIND_ERROR\n");
    outcome_free(&outcome);
}

/* Also of each error its name, and of no register that is not there: such reads are errors of their own. */
static void channels_read_what_there_is(void **state) {
    static const char *const chips[] = {"NV1",   "NV3",   "NV4",   "NV40",  "G80",
                                        "MCP89", "GF100", "GF119", "GK104", "GP10B"};
    (void)state;
    for (size_t i = 0; i < sizeof chips / sizeof chips[0]; i++) {
        char text[128];
        snprintf(text, sizeof text, "chip %s\nw32 PMC.ENABLE ~0\ntrace bus.unmapped\nchannels\nirq\n", chips[i]);
        struct outcome outcome = run_script("shell", NULL, text);
        expect_status(0, &outcome);
        expect_no_text(&outcome, "bus.unmapped");
        outcome_free(&outcome);
    }
}

static void the_idle_channel_of_tesla_is_called_so(void **state) {
    struct outcome outcome = shell("chip G84\nw32 PMC.ENABLE ~0\nw32 CACHE1_PUSH1 0x1007f\nchannels\n"
                                   "w32 CACHE1_PUSH1 0x10003\nchannels\n");
    (void)state;
    expect_text(&outcome, "in CACHE1: idle, channel 127, ");
    expect_text(&outcome, "in CACHE1: channel 3, DMA, GET 0x0 ");
    outcome_free(&outcome);
}

/* From G80 on. Before, the same number is a number. */
static void values_of_nothing_are_no_fields(void **state) {
    struct outcome outcome = shell("chip GK104\nw32 PMC.ENABLE 0\nr32 PFIFO.INTR\nr32 0x0e0000\n"
                                   "chip NV40\n" POWER_ON "w32 CACHE1_REF 0xbad0da00\nr32 CACHE1_REF\n");
    (void)state;
    expect_text(&outcome, "0x002100 PFIFO.INTR = 0xbad0da00  (unit is off)\n");
    expect_text(&outcome, "\n0x0e0000 = 0xbad00100  (no such register)\n");
    expect_text(&outcome, " CACHE1_REF = 0xbad0da00\n");
    outcome_free(&outcome);
}

/* A sample script: up to its first run, with more after it; or, without more, all of it. */
static char *sample_script(const char *name, const char *more) {
    const char *samples = getenv("PFIFO_SAMPLES");
    char *path, *text = calloc(1, 1 << 16);

    assert_non_null(samples);
    assert_non_null(text);
    assert_true(asprintf(&path, "%s/scripts/%s", samples, name) > 0);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_true(fread(text, 1, (1 << 16) - 100, file) > 0);
    fclose(file);
    free(path);
    char *run = strstr(text, "\nrun\n");
    assert_non_null(run);
    if (more)
        snprintf(run + 1, (1 << 16) - (size_t)(run + 1 - text), "%s", more);
    return text;
}

static void a_stop_names_freeze_and_says_that_others_wait(void **state) {
    char *text = sample_script("g84-ib-ring.pfifo", "freeze\nrun\nthaw\nrun 2\nfreeze\nrun\nthaw\nrun\n");
    (void)state;
    struct outcome outcome = run_script("shell", NULL, text);
    expect_status(0, &outcome);
    expect_text(&outcome, " idle, nothing is left to do; FREEZE is set\n");
    expect_text(&outcome, " frozen, FREEZE is set\n");
    expect_text(&outcome, " idle, nothing is left to do\n");
    free(text);
    outcome_free(&outcome);
    text = sample_script("g84-ib-ring.pfifo", "run 2\nw32 CACHE1_PUSH0 0\nrun\n");
    outcome = run_script("shell", NULL, text);
    expect_text(&outcome, " frozen, a pusher, puller or engine is switched off\n");
    free(text);
    outcome_free(&outcome);
    text = sample_script("gk110-tsg.pfifo", NULL);
    outcome = run_script("shell", NULL, text);
    expect_text(&outcome,
                "\nchannel 1 waits for 0x1 at 0x50000, and finds 0x0; it is one of them: channels shows all\n");
    free(text);
    outcome_free(&outcome);
}

static void help_of_a_command_says_all_about_it(void **state) {
    struct outcome outcome = shell("help expect\n");
    (void)state;
    expect_text(&outcome, "expect PLACE VALUE [MASK] | stop REASON | irq LEVEL\n");
    expect_text(&outcome, "  expect stop REASON  ");
    expect_text(&outcome, "  expect irq LEVEL  ");
    expect_text(&outcome, "PLACE is a register or window ");
    outcome_free(&outcome);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dump_reads_what_the_glob_names),
        cmocka_unit_test(irq_shows_the_line),
        cmocka_unit_test(channels_shows_where_they_stand),
        cmocka_unit_test(every_chip_answers_all_that_shows_something),
        cmocka_unit_test(list_before_a_submission_says_so),
        cmocka_unit_test(stop_says_which_breakpoint_it_was),
        cmocka_unit_test(print_says_what_it_looked_for),
        cmocka_unit_test(help_lists_the_commands),
        cmocka_unit_test(words_of_windows_have_names_and_fields),
        cmocka_unit_test(irq_shows_the_second_level),
        cmocka_unit_test(channels_read_what_there_is),
        cmocka_unit_test(the_idle_channel_of_tesla_is_called_so),
        cmocka_unit_test(values_of_nothing_are_no_fields),
        cmocka_unit_test(a_stop_names_freeze_and_says_that_others_wait),
        cmocka_unit_test(help_of_a_command_says_all_about_it),
    };
    unsetenv("PFIFO_TRACE");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
