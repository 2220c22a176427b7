/* SPDX-License-Identifier: MIT */
/* `pfifo run` on captures made by hand: what becomes of memory, faults, loops, waits, and what is printed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "rounds.h"
#include "tool/capture.h"
#include "tool/tool.h"

enum { NV40 = 0x40, GF100 = 0xc0, SEMAPHORE = 0x10, ACQUIRE = 1, RELEASE = 2, FOUR_BYTES = 1 << 24 };

static const uint8_t zeros[4096];

/* GF100: a semaphore operation at the page of data. */
static void semaphore(const struct capture *capture, uint32_t offset, uint32_t value, uint32_t operation,
                      uint32_t words[5]) {
    const uint32_t packet[] = {1u << 29 | 4 << 16 | SEMAPHORE / 4, (uint32_t)(capture->data_address >> 32),
                               (uint32_t)capture->data_address + offset, value, operation};

    memcpy(words, packet, sizeof packet);
}

static struct outcome run_capture(struct capture *capture, const char *option) {
    char *path = capture_file(capture);
    struct outcome outcome = option ? tool_run("run", option, path) : tool_run("run", path);

    unlink(path);
    free(path);
    return outcome;
}

static void expect_text(const struct outcome *outcome, const char *text) {
    if (!strstr(outcome->out, text))
        fail_msg("no '%s' in: %.2000s", text, outcome->out);
}

/* A release on GF100 comes before anything is bound: no class, one segment of the GPFIFO, no jumps. */
static void statistics_say_what_they_count(void **state) {
    struct capture capture;
    uint32_t words[5];
    (void)state;
    capture_begin(&capture, GF100, false);
    semaphore(&capture, 0x40, 7, RELEASE | FOUR_BYTES, words);
    capture_submit(&capture, words, 5, NULL);
    struct outcome outcome = run_capture(&capture, "--stats");
    expect_status(0, &outcome);
    expect_text(&outcome, "  IB segments   1\n  IB words      5\n");
    expect_text(&outcome, "  jumps, calls  0\n");
    expect_text(&outcome, "methods by class\n         4  0x0000 (nothing bound yet)\n");
    outcome_free(&outcome);
}

static void a_clean_run_is_summed_up(void **state) {
    struct capture capture;
    uint32_t words[5];
    (void)state;
    capture_begin(&capture, GF100, false);
    semaphore(&capture, 0x40, 7, RELEASE | FOUR_BYTES, words);
    capture_submit(&capture, words, 5, NULL);
    struct outcome outcome = run_capture(&capture, NULL);
    expect_status(0, &outcome);
    expect_text(&outcome, ": GF100, 1 submission, 5 words, 4 methods\n");
    expect_text(&outcome, "1 written, 4 bytes");
    expect_text(&outcome, "faults        0\n");
    assert_null(strstr(outcome.out, "stopped"));
    outcome_free(&outcome);
}

/* A page of data in which the GPU wrote a word, as a file; the file's name is that of the capture without endings. */
static void buffers_are_written_to_files(void **state) {
    struct capture capture;
    uint32_t words[5];
    uint8_t page[4096] = {0}, found[4097];
    char option[300], name[300];
    (void)state;
    capture_begin(&capture, GF100, false);
    page[5] = 0x55;
    semaphore(&capture, 0x40, 7, RELEASE | FOUR_BYTES, words);
    capture_submit(&capture, words, 5, page);
    page[0x40] = 7;
    char *path = capture_file(&capture), *folder = temporary_path("-folder");
    const char *base = strrchr(path, '/') + 1;
    unlink(folder);
    snprintf(option, sizeof option, "--dump-buffers=%s", folder);
    struct outcome outcome = tool_run("run", option, path);
    expect_status(0, &outcome);
    snprintf(name, sizeof name, "%s/%.*s-%d.bin", folder, (int)strcspn(base, "."), base, CAPTURE_DATA);
    FILE *file = fopen(name, "rb");
    assert_non_null(file);
    assert_int_equal(fread(found, 1, sizeof found, file), sizeof page);
    assert_memory_equal(found, page, sizeof page);
    fclose(file);
    for (int handle = CAPTURE_NOTIFIERS; handle <= CAPTURE_DATA; handle++) {
        snprintf(name, sizeof name, "%s/%.*s-%d.bin", folder, (int)strcspn(base, "."), base, handle);
        assert_int_equal(unlink(name), 0);
    }
    assert_int_equal(rmdir(folder), 0);
    unlink(path);
    outcome_free(&outcome);
    free(path);
    free(folder);
}

static void a_folder_for_buffers_that_cannot_be_made_is_an_error(void **state) {
    struct capture capture;
    uint32_t words[5];
    (void)state;
    capture_begin(&capture, GF100, false);
    semaphore(&capture, 0x40, 7, RELEASE | FOUR_BYTES, words);
    capture_submit(&capture, words, 5, NULL);
    struct outcome outcome = run_capture(&capture, "--dump-buffers=/nowhere/at/all");
    expect_status(2, &outcome);
    outcome_free(&outcome);
}

/*
 * The recorder executed nothing, so its dumps do not have what the GPU writes, but what was there before. A page that
 * the client changes afterwards, elsewhere, must keep what the GPU wrote: the acquires find the values.
 */
static void data_of_the_client_does_not_undo_what_the_gpu_wrote(void **state) {
    struct capture capture;
    uint32_t words[5];
    uint8_t page[4096] = {0};
    (void)state;
    capture_begin(&capture, GF100, false);
    memset(page + 0x40, 0xaa, 4);
    semaphore(&capture, 0x40, 0x11223344, RELEASE | FOUR_BYTES, words);
    capture_submit(&capture, words, 5, page);
    semaphore(&capture, 0xc0, 0x99, RELEASE | FOUR_BYTES, words);
    capture_submit(&capture, words, 5, NULL);
    page[0x80] = 0x55;
    semaphore(&capture, 0x40, 0x11223344, ACQUIRE, words);
    capture_submit(&capture, words, 5, page);
    page[0x80] = 0x66;
    semaphore(&capture, 0xc0, 0x99, ACQUIRE, words);
    capture_submit(&capture, words, 5, page);
    semaphore(&capture, 0x80, 0x66, ACQUIRE, words);
    capture_submit(&capture, words, 5, NULL);
    struct outcome outcome = run_capture(&capture, NULL);
    expect_status(0, &outcome);
    expect_text(&outcome, "5 submissions");
    expect_text(&outcome, "waits         0\n");
    outcome_free(&outcome);
}

/* And a byte that the client did change wins over the GPU's. */
static void data_of_the_client_is_newer_than_what_the_gpu_wrote(void **state) {
    struct capture capture;
    uint32_t words[5];
    uint8_t page[4096] = {0};
    (void)state;
    capture_begin(&capture, GF100, false);
    semaphore(&capture, 0x40, 0x11223344, RELEASE | FOUR_BYTES, words);
    capture_submit(&capture, words, 5, zeros);
    page[0x41] = 0x99;
    semaphore(&capture, 0x40, 0x11229944, ACQUIRE, words);
    capture_submit(&capture, words, 5, page);
    struct outcome outcome = run_capture(&capture, NULL);
    expect_status(0, &outcome);
    outcome_free(&outcome);
}

static void a_semaphore_that_never_comes_is_named(void **state) {
    struct capture capture;
    uint32_t words[5];
    (void)state;
    capture_begin(&capture, GF100, false);
    semaphore(&capture, 0x40, 0x77, ACQUIRE, words);
    capture_submit(&capture, words, 5, NULL);
    struct outcome outcome = run_capture(&capture, NULL);
    expect_status(1, &outcome);
    expect_text(&outcome, "stopped       in submission 1: waits for 0x77 at 0x20020040, finds 0x0\n");
    outcome_free(&outcome);
}

/* The wait began in the first submission; those after it in the ring change nothing. */
static void a_wait_is_told_with_the_submission_that_began_it(void **state) {
    struct capture capture;
    uint32_t words[5];
    (void)state;
    capture_begin(&capture, GF100, false);
    semaphore(&capture, 0x40, 0x77, ACQUIRE, words);
    capture_submit(&capture, words, 5, NULL);
    semaphore(&capture, 0x80, 5, RELEASE, words);
    capture_submit(&capture, words, 5, NULL);
    capture_submit(&capture, words, 5, NULL);
    struct outcome outcome = run_capture(&capture, NULL);
    expect_status(1, &outcome);
    expect_text(&outcome, "3 submissions");
    expect_text(&outcome, "stopped       in submission 1: waits for 0x77 at 0x20020040, finds 0x0\n");
    outcome_free(&outcome);
    capture_begin(&capture, GF100, false);
    semaphore(&capture, 0x80, 5, RELEASE, words);
    capture_submit(&capture, words, 5, NULL);
    semaphore(&capture, 0x40, 0x77, ACQUIRE, words);
    capture_submit(&capture, words, 5, NULL);
    outcome = run_capture(&capture, "--json");
    expect_status(1, &outcome);
    expect_text(&outcome, "\"stop_submission\":2,");
    outcome_free(&outcome);
}

/* One channel waits for another, whose submission comes later. */
static void a_wait_may_be_over_with_a_later_submission(void **state) {
    static const struct pfifo_stream_record second = {.type = PFIFO_STREAM_CHAN,
                                                      .chan = {.channel = 1, .notifier_bo = CAPTURE_NOTIFIERS}};
    struct capture capture;
    uint32_t words[5];
    (void)state;
    capture_begin(&capture, GF100, false);
    capture_append(&capture, &second);
    semaphore(&capture, 0x40, 0x77, ACQUIRE, words);
    capture_submit(&capture, words, 5, NULL);
    semaphore(&capture, 0x40, 0x77, RELEASE, words);
    capture.channel = 1;
    capture_submit(&capture, words, 5, NULL);
    struct outcome outcome = run_capture(&capture, NULL);
    expect_status(0, &outcome);
    expect_text(&outcome, "2 submissions, 10 words, 8 methods\n");
    assert_null(strstr(outcome.out, "waits         0\n"));
    outcome_free(&outcome);
}

static void an_endless_loop_ends_with_the_budget(void **state) {
    struct capture capture;
    uint32_t word;
    (void)state;
    capture_begin(&capture, NV40, true);
    word = 1u << 29 | (uint32_t)capture.push_address;
    capture_submit(&capture, &word, 1, NULL);
    struct outcome outcome = run_capture(&capture, "--budget=10000");
    expect_status(1, &outcome);
    expect_text(
        &outcome,
        "stopped       in submission 1: it did not end within the budget of 10000 units, which --budget sets\n");
    outcome_free(&outcome);
}

/* Each launch copies lines of a byte for a quarter of a millisecond; a clear or a fill is no different. */
static void an_endless_loop_of_long_work_ends_with_the_default_budget(void **state) {
    enum { VRAM = 0xbeef0201, GART = 0xbeef0202, M2MF = 0xbeef0039, LAUNCH = 16 };
    const struct pfifo_stream_obj object = {.handle = M2MF, .oclass = 0x39};
    struct capture capture;
    (void)state;
    capture_begin(&capture, NV40, true);
    capture_append(&capture, &(struct pfifo_stream_record){.type = PFIFO_STREAM_OBJ, .obj = object});
    uint32_t data = (uint32_t)capture.data_address, loop = (uint32_t)capture.push_address + 4 * LAUNCH;
    const uint32_t words[] = {1u << 18,
                              M2MF,
                              3u << 18 | 0x180,
                              GART,
                              GART,
                              GART,
                              7u << 18 | 0x30c,
                              data + 0x800,
                              data + 0x802,
                              2,
                              2,
                              1,
                              0x3ff,
                              0x101,
                              1u << 18 | 0x100,
                              0,
                              1u << 18 | 0x328,
                              0,
                              1u << 29 | loop};
    capture_submit(&capture, words, sizeof words / sizeof words[0], NULL);
    struct outcome outcome = run_capture(&capture, NULL);
    expect_status(1, &outcome);
    expect_text(&outcome, "stopped       in submission 1: it did not end within the budget of 268435456 units");
    const char *methods = strstr(outcome.out, "19 words, ");
    assert_non_null(methods);
    assert_in_range(strtoul(methods + strlen("19 words, "), NULL, 10), 10000, 100000); /* as the units were for work */
    outcome_free(&outcome);
}

static void the_budget_ends_what_would_end_later(void **state) {
    (void)state;
    for (int enough = 0; enough < 2; enough++) {
        struct capture capture;
        uint32_t words[5];
        capture_begin(&capture, GF100, false);
        semaphore(&capture, 0x40, 7, RELEASE, words);
        capture_submit(&capture, words, 5, NULL);
        struct outcome outcome = run_capture(&capture, enough ? "--budget=1000" : "--budget=1");
        expect_status(enough ? 0 : 1, &outcome);
        outcome_free(&outcome);
    }
}

static void a_fault_is_told_by_unit_and_error(void **state) {
    static const uint32_t words[] = {0xc0000000, 0};
    struct capture capture;
    (void)state;
    capture_begin(&capture, GF100, false);
    capture_submit(&capture, words, 2, NULL);
    struct outcome outcome = run_capture(&capture, NULL);
    expect_status(1, &outcome);
    expect_text(&outcome, "faults        1\n         1  PBDMA ");
    expect_text(&outcome, "first in submission 1");
    outcome_free(&outcome);
}

/* From GF100 on a channel is over after a fault of the MMU. What it was to do then is not malformed. */
static void a_channel_that_was_switched_off_ends_the_run_as_a_fault(void **state) {
    struct capture capture;
    uint32_t words[5];
    (void)state;
    capture_begin(&capture, GF100, false);
    semaphore(&capture, 0x40000000, 7, RELEASE | FOUR_BYTES, words);
    capture_submit(&capture, words, 5, NULL);
    semaphore(&capture, 0x40, 7, RELEASE | FOUR_BYTES, words);
    capture_submit(&capture, words, 5, NULL);
    struct outcome outcome = run_capture(&capture, NULL);
    expect_status(1, &outcome);
    expect_text(&outcome, ": GF100, 2 submissions, 10 words, ");
    expect_text(&outcome, "  faults        1\n");
    expect_text(&outcome, "stopped       in submission 2: channel 0 was switched off after a fault\n");
    outcome_free(&outcome);
}

/* A buffer is a few bytes of a capture, and a lot of work. */
static void buffers_have_their_limits(void **state) {
    struct capture capture;
    (void)state;
    capture_begin(&capture, GF100, false);
    capture_append(
        &capture,
        &(struct pfifo_stream_record){
            .type = PFIFO_STREAM_BONEW,
            .bonew = {.handle = 9, .domain = PFIFO_STREAM_GART, .bytes = UINT64_C(1) << 60, .address = 0x30000000}});
    struct outcome outcome = run_capture(&capture, NULL);
    expect_status(2, &outcome);
    assert_non_null(strstr(outcome.err, ": BONEW: 1152921504606846976 bytes: buffers of more than 1 TiB in all\n"));
    outcome_free(&outcome);
    capture_begin(&capture, GF100, false);
    for (uint32_t i = 0; i < 32768 - 2; i++)
        capture_append(&capture, &(struct pfifo_stream_record){.type = PFIFO_STREAM_BONEW,
                                                               .bonew = {.handle = 9 + i,
                                                                         .domain = PFIFO_STREAM_GART,
                                                                         .bytes = 4096,
                                                                         .address = 0x30000000 + 4096 * (uint64_t)i}});
    outcome = run_capture(&capture, NULL);
    expect_status(2, &outcome);
    assert_non_null(strstr(outcome.err, ": BONEW: more than 32768 buffers at a time\n"));
    outcome_free(&outcome);
}

static void a_chip_whose_machine_is_not_built_is_told(void **state) {
    struct capture capture;
    (void)state;
    capture_begin(&capture, 0x140, false);
    struct outcome outcome = run_capture(&capture, NULL);
    expect_status(2, &outcome);
    assert_non_null(strstr(outcome.err, "GV100"));
    assert_non_null(strstr(outcome.err, "not built"));
    outcome_free(&outcome);
    capture_begin(&capture, 0x777, false);
    outcome = run_capture(&capture, NULL);
    expect_status(2, &outcome);
    assert_non_null(strstr(outcome.err, "0x777"));
    outcome_free(&outcome);
}

static void expect_refused_on(const char *chip, const char *sample, const char *why) {
    char option[32], *path = sample_path(sample);
    snprintf(option, sizeof option, "--chip=%s", chip);
    struct outcome outcome = tool_run("run", option, path);
    expect_status(2, &outcome);
    if (!strstr(outcome.err, why))
        fail_msg("no '%s' in: %s", why, outcome.err);
    outcome_free(&outcome);
    free(path);
}

static void a_chip_that_does_not_run_a_capture_is_told_with_those_that_do(void **state) {
    (void)state;
    expect_refused_on("NV1", "nv40-quad.nvcap.xz",
                      "NV1 does not run what was recorded on NV40: it has no pushbuffers; NV4 to RSX can\n");
    expect_refused_on("GV100", "nv40-quad.nvcap.xz",
                      "GV100 does not run what was recorded on NV40: its machine is not built; NV4 to RSX can\n");
    expect_refused_on(
        "GF100", "nv40-quad.nvcap.xz",
        "GF100 does not run what was recorded on NV40: its pushbuffers have other headers; NV4 to RSX can\n");
    expect_refused_on("G80", "nv40-quad.nvcap.xz",
                      "G80 does not run what was recorded on NV40: its memory has other addresses; NV4 to RSX can\n");
    expect_refused_on(
        "GF100", "nva3-quad.nvcap.xz",
        "GF100 does not run what was recorded on GT215: its pushbuffers have other headers; G80 to MCP89 can\n");
    expect_refused_on(
        "NV40", "nvc0-quad.nvcap.xz",
        "NV40 does not run what was recorded on GF100: its pushbuffers have other headers; GF100 to GP10B can\n");
    char *path = sample_path("nvc0-clear.nvcap.xz");
    struct outcome outcome = tool_run("run", "--chip=GF119", path);
    expect_status(0, &outcome);
    outcome_free(&outcome);
    free(path);
}

static void a_program_without_a_chip_is_told_that_it_needs_one(void **state) {
    (void)state;
    struct outcome outcome = tool_run("run", "--", "no-such-file", "argument");
    assert_int_not_equal(outcome.status, 0);
    assert_non_null(strstr(outcome.err,
                           "there is no file 'no-such-file'; a program needs a chip: pfifo run --chip=CHIP "
                           "-- no-such-file\n"));
    outcome_free(&outcome);
    char *path = sample_path("nvc0-clear.nvcap.xz"); /* a file may stand after it */
    outcome = tool_run("run", "--", path);
    expect_status(0, &outcome);
    outcome_free(&outcome);
    free(path);
}

/* Records that are well formed but speak of what is not there. */
static void records_that_make_no_sense_are_named(void **state) {
    static const struct pfifo_stream_record records[] = {
        {.type = PFIFO_STREAM_BODEL, .bodel = {.handle = 77}},
        {.type = PFIFO_STREAM_CHANFREE, .chanfree = {.channel = 5}},
        {.type = PFIFO_STREAM_OBJ, .obj = {.channel = 5, .handle = 1, .oclass = 0x9097}},
        {.type = PFIFO_STREAM_NTFY, .ntfy = {.channel = 5, .handle = 1, .bytes = 32}},
        {.type = PFIFO_STREAM_CHAN, .chan = {.channel = 0}},
        {.type = PFIFO_STREAM_BONEW,
         .bonew = {.handle = CAPTURE_PUSH, .domain = PFIFO_STREAM_GART, .bytes = 4096, .address = 0x30000000}},
        {.type = PFIFO_STREAM_BONEW,
         .bonew = {.handle = 9, .domain = PFIFO_STREAM_GART, .bytes = 4096, .address = 0x20010000}},
        {.type = PFIFO_STREAM_BONEW, .bonew = {.handle = 9, .domain = PFIFO_STREAM_GART, .bytes = 4096}},
        {.type = PFIFO_STREAM_BONEW,
         .bonew = {.handle = 9, .domain = PFIFO_STREAM_GART, .bytes = UINT64_MAX, .address = 0x30000000}},
        {.type = PFIFO_STREAM_BONEW,
         .bonew = {.handle = 9, .domain = PFIFO_STREAM_GART, .bytes = 4096, .address = UINT64_MAX - 4095}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof records / sizeof records[0]; i++) {
        struct capture capture;
        char want[40];
        capture_begin(&capture, GF100, false);
        capture_append(&capture, &records[i]);
        struct outcome outcome = run_capture(&capture, NULL);
        expect_status(2, &outcome);
        snprintf(want, sizeof want, ": %s: ", pfifo_stream_type_name(records[i].type));
        assert_non_null(strstr(outcome.err, "offset "));
        assert_non_null(strstr(outcome.err, want));
        outcome_free(&outcome);
    }
}

/* The kernel driver refuses the object, the client goes on; only if it is used there is a fault. */
static void objects_that_are_refused_are_told(void **state) {
    static const struct pfifo_stream_record copy = {.type = PFIFO_STREAM_OBJ,
                                                    .obj = {.handle = 0xbeef0001, .oclass = 0x85b5}};
    struct capture capture;
    (void)state;
    capture_begin(&capture, NV40, true);
    capture_append(&capture, &copy);
    struct outcome outcome = run_capture(&capture, NULL);
    expect_status(0, &outcome);
    expect_text(&outcome, "objects       1 not made\n            0xbeef0001 of class 0x85b5 ");
    outcome_free(&outcome);
    capture_begin(&capture, NV40, true);
    capture_append(&capture, &copy);
    const uint32_t words[] = {1 << 18, 0xbeef0001, 0x20000, 0};
    capture_submit(&capture, words, 4, NULL);
    outcome = run_capture(&capture, NULL);
    expect_status(1, &outcome);
    expect_text(&outcome, "HASH_FAILED");
    outcome_free(&outcome);
}

/* Before GF100 a notifier is a DMA object over a part of the notifier buffer, and must be inside of it. */
static void notifiers_are_objects_only_where_there_are_dma_objects(void **state) {
    static const struct {
        uint32_t chipset, offset;
        int status;
    } rows[] = {{NV40, 0xfe0, 0}, {NV40, 0xff0, 2}, {GF100, 0xfe0, 0}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct capture capture;
        const struct pfifo_stream_record notifier = {
            .type = PFIFO_STREAM_NTFY, .ntfy = {.handle = 0xbeef0301, .bytes = 32, .offset = rows[i].offset}};
        capture_begin(&capture, rows[i].chipset, rows[i].chipset == NV40);
        capture_append(&capture, &notifier);
        struct outcome outcome = run_capture(&capture, NULL);
        expect_status(rows[i].status, &outcome);
        outcome_free(&outcome);
    }
}

/* At every length that is not the whole: a message or, between two records, less to run. Never an accident. */
static void plain_captures_that_are_cut_do_no_harm(void **state) {
    struct capture capture;
    uint32_t words[5];
    size_t size;
    unsigned refused = 0;
    size_t step = rounds_step();
    (void)state;
    capture_begin(&capture, GF100, false);
    semaphore(&capture, 0x40, 7, RELEASE, words);
    capture_submit(&capture, words, 5, NULL);
    assert_int_equal(pfifo_stream_writer_finish(capture.writer, NULL), PFIFO_OK);
    const void *bytes = pfifo_stream_writer_memory(capture.writer, &size);
    char *path = temporary_path(".nvcap");
    for (size_t cut = 0; cut < size; cut += cut < 400 || cut > size - 60 ? step : 256) {
        write_file(path, bytes, cut);
        struct outcome outcome = tool_run("run", path);
        assert_true(outcome.status == 0 || outcome.status == 2);
        refused += outcome.status == 2;
        outcome_free(&outcome);
    }
    assert_true(refused > 300 / step);
    unlink(path);
    free(path);
    pfifo_stream_writer_close(capture.writer);
}

static size_t count_lines(const char *text, const char *with) {
    size_t lines = 0;

    for (const char *end; (end = strchr(text, '\n')); text = end + 1) {
        const char *found = strstr(text, with);
        lines += found && found < end;
    }
    return lines;
}

static struct outcome run_semaphore(const char *option) {
    struct capture capture;
    uint32_t words[5];

    capture_begin(&capture, GF100, false);
    semaphore(&capture, 0x40, 7, RELEASE, words);
    capture_submit(&capture, words, 5, NULL);
    return run_capture(&capture, option);
}

static void trace_prints_the_events_that_were_asked_for(void **state) {
    (void)state;
    struct outcome outcome = run_semaphore("--trace=puller.method,puller.release");
    expect_status(0, &outcome);
    assert_int_equal(count_lines(outcome.out, " puller.method "), 4);
    assert_int_equal(count_lines(outcome.out, " puller.release address=0x20020040 value=0x7 "), 1);
    assert_int_equal(count_lines(outcome.out, " pusher."), 0);
    outcome_free(&outcome);
    outcome = run_semaphore("--trace=no.such");
    expect_status(2, &outcome);
    outcome_free(&outcome);
}

static void segments_that_must_not_be_prefetched_are_marked(void **state) {
    struct capture capture;
    uint32_t words[5];
    (void)state;
    capture_begin(&capture, GF100, false);
    semaphore(&capture, 0x40, 7, RELEASE, words);
    capture_submit(&capture, words, 5, NULL);
    capture.no_prefetch = true;
    capture_submit(&capture, words, 5, NULL);
    struct outcome outcome = run_capture(&capture, "--trace=pusher.segment");
    expect_status(0, &outcome);
    assert_int_equal(count_lines(outcome.out, " words=5 flags=0x0"), 1);
    assert_int_equal(count_lines(outcome.out, " words=5 flags=0x80000000"), 1);
    outcome_free(&outcome);
}

static void environment_is_the_default_of_trace(void **state) {
    (void)state;
    setenv("PFIFO_TRACE", "", 1);
    struct outcome empty = run_semaphore(NULL), output = run_semaphore("--output=/dev/null");
    expect_status(0, &empty);
    assert_int_equal(count_lines(empty.out, " puller."), 0);
    expect_status(2, &output); /* there is nothing to write there */
    outcome_free(&empty);
    outcome_free(&output);
    setenv("PFIFO_TRACE", "puller.release", 1);
    struct outcome outcome = run_semaphore(NULL), other = run_semaphore("--trace"),
                   explicit = run_semaphore("--trace=pusher.packet"), digest = run_semaphore("--digest");
    unsetenv("PFIFO_TRACE");
    assert_int_equal(count_lines(outcome.out, " puller."), 1);
    assert_int_equal(count_lines(outcome.out, " puller.release "), 1);
    assert_int_equal(count_lines(other.out, " puller."), 1);
    assert_int_equal(count_lines(explicit.out, " puller."), 0);
    assert_int_equal(count_lines(explicit.out, " pusher.packet "), 1);
    assert_int_equal(count_lines(digest.out, ""), 1);
    outcome_free(&outcome);
    outcome_free(&other);
    outcome_free(&explicit);
    outcome_free(&digest);
}

static void output_takes_the_events_and_leaves_the_summary(void **state) {
    struct capture capture;
    uint32_t words[5];
    char line[4096];
    (void)state;
    capture_begin(&capture, GF100, false);
    semaphore(&capture, 0x40, 7, RELEASE, words);
    capture_submit(&capture, words, 5, NULL);
    char *path = capture_file(&capture), *events = temporary_path(".txt");
    struct outcome outcome = tool_run("run", "--trace=puller.release", "--output", events, path);
    expect_status(0, &outcome);
    assert_int_equal(count_lines(outcome.out, "puller.release"), 0);
    expect_text(&outcome, "1 submission,");
    FILE *file = fopen(events, "r");
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file));
    assert_non_null(strstr(line, " puller.release "));
    assert_null(fgets(line, sizeof line, file));
    fclose(file);
    unlink(events);
    unlink(path);
    free(events);
    free(path);
    outcome_free(&outcome);
}

static void json_is_an_object_a_line(void **state) {
    static const char *const keys[] = {"\"chip\":\"GF100\"", "\"submissions\":1,", "\"words\":5,",
                                       "\"methods\":4,",     "\"fences\":1,",      "\"fence_bytes\":16,",
                                       "\"faults\":0,",      "\"stop\":\"idle\""};
    struct capture capture;
    uint32_t words[5];
    (void)state;
    capture_begin(&capture, GF100, false);
    semaphore(&capture, 0x40, 7, RELEASE, words);
    capture_submit(&capture, words, 5, NULL);
    char *path = capture_file(&capture);
    struct outcome outcome = tool_run("run", "--json", "--trace=puller.method,puller.release", "--stats", path);
    expect_status(0, &outcome);
    size_t lines = 0, summaries = 0;
    for (char *at = outcome.out, *end; (end = strchr(at, '\n')); at = end + 1, lines++) {
        assert_int_equal(at[0], '{');
        assert_int_equal(end[-1], '}');
        const char *event = strstr(at, "\"event\":\"summary\"");
        summaries += event && event < end;
    }
    assert_int_equal(lines, 6); /* four methods, a release, the summary */
    assert_int_equal(summaries, 1);
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        expect_text(&outcome, keys[i]);
    outcome_free(&outcome);
    unlink(path);
    free(path);
}

static void another_chip_may_run_a_capture(void **state) {
    (void)state;
    struct outcome outcome = run_semaphore("--chip=GK104");
    expect_status(0, &outcome);
    expect_text(&outcome, ": GK104, 1 submission,");
    outcome_free(&outcome);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(statistics_say_what_they_count),
        cmocka_unit_test(a_clean_run_is_summed_up),
        cmocka_unit_test(buffers_are_written_to_files),
        cmocka_unit_test(a_folder_for_buffers_that_cannot_be_made_is_an_error),
        cmocka_unit_test(data_of_the_client_does_not_undo_what_the_gpu_wrote),
        cmocka_unit_test(data_of_the_client_is_newer_than_what_the_gpu_wrote),
        cmocka_unit_test(a_semaphore_that_never_comes_is_named),
        cmocka_unit_test(a_wait_is_told_with_the_submission_that_began_it),
        cmocka_unit_test(a_wait_may_be_over_with_a_later_submission),
        cmocka_unit_test(an_endless_loop_ends_with_the_budget),
        cmocka_unit_test(an_endless_loop_of_long_work_ends_with_the_default_budget),
        cmocka_unit_test(the_budget_ends_what_would_end_later),
        cmocka_unit_test(a_fault_is_told_by_unit_and_error),
        cmocka_unit_test(a_channel_that_was_switched_off_ends_the_run_as_a_fault),
        cmocka_unit_test(buffers_have_their_limits),
        cmocka_unit_test(a_chip_whose_machine_is_not_built_is_told),
        cmocka_unit_test(a_chip_that_does_not_run_a_capture_is_told_with_those_that_do),
        cmocka_unit_test(a_program_without_a_chip_is_told_that_it_needs_one),
        cmocka_unit_test(records_that_make_no_sense_are_named),
        cmocka_unit_test(objects_that_are_refused_are_told),
        cmocka_unit_test(notifiers_are_objects_only_where_there_are_dma_objects),
        cmocka_unit_test(plain_captures_that_are_cut_do_no_harm),
        cmocka_unit_test(trace_prints_the_events_that_were_asked_for),
        cmocka_unit_test(segments_that_must_not_be_prefetched_are_marked),
        cmocka_unit_test(environment_is_the_default_of_trace),
        cmocka_unit_test(output_takes_the_events_and_leaves_the_summary),
        cmocka_unit_test(json_is_an_object_a_line),
        cmocka_unit_test(another_chip_may_run_a_capture),
    };

    unsetenv("PFIFO_TRACE");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
