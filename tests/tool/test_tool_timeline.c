/* SPDX-License-Identifier: MIT */
/*
 * `pfifo timeline`: the file is whole however the run ends, slices nest, time goes forward, arrows have both ends.
 * tests/golden/ has a whole one; scripts/refresh-golden writes it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tool/capture.h"
#include "tool/json.h"
#include "tool/tool.h"

enum { TRACKS = 256, DEPTH = 8, FLOWS = 64, PROCESSES = 3, WAITS = 2, PULLER = 4 };

/* What a file says. */
struct seen {
    struct track {
        long process, track, begin[DEPTH], until; /* nanoseconds; so far */
        unsigned depth;
        bool named;
    } track[TRACKS];
    unsigned tracks, slices, instants, arrows, begun;
    long now, from[FLOWS]; /* process and track of each arrow's beginning: 100 * process + track */
    unsigned long ended[FLOWS];
};

static const struct json *member(const struct json *object, const char *key) {
    const struct json *found = json_get(object, key);

    if (!found)
        fail_msg("no \"%s\"", key);
    return found;
}

static long nanoseconds(const struct json *event, const char *key) {
    return lround(strtod(member(event, key)->text, NULL) * 1000);
}

static long integer(const struct json *event, const char *key) {
    return strtol(member(event, key)->text, NULL, 10);
}

static struct track *track_of(struct seen *seen, const struct json *event) {
    long process = integer(event, "pid"), track = integer(event, "tid");

    for (unsigned i = 0; i < seen->tracks; i++)
        if (seen->track[i].process == process && seen->track[i].track == track)
            return &seen->track[i];
    assert_true(seen->tracks < TRACKS);
    seen->track[seen->tracks] = (struct track){.process = process, .track = track};
    return &seen->track[seen->tracks++];
}

static void check_arrow(struct seen *seen, const struct track *track, const struct json *event, char phase) {
    long id = integer(event, "id");

    assert_in_range(id, 1, FLOWS - 1);
    assert_true(track->depth > 0);
    if (phase == 's') {
        assert_int_equal(seen->from[id], 0);
        seen->from[id] = 100 * track->process + track->track;
        seen->begun++;
        return;
    }
    assert_true(seen->from[id] > 0);
    assert_int_equal(seen->ended[id]++, 0);
    assert_int_equal(track->track, WAITS);
    seen->arrows++;
}

static void check_event(struct seen *seen, const struct json *event) {
    char phase = *member(event, "ph")->text;
    struct track *track = track_of(seen, event);
    long begin = nanoseconds(event, "ts"), end = begin + (phase == 'X' ? nanoseconds(event, "dur") : 0);

    assert_true(end >= begin);
    assert_true(end >= seen->now);
    seen->now = end;
    if (phase == 'M') {
        track->named = track->named || strcmp(member(event, "name")->text, "thread_name") == 0;
        return;
    }
    assert_true(track->named);
    if (phase == 'B') {
        assert_true(track->depth < DEPTH && begin >= track->until);
        track->begin[track->depth++] = begin;
        seen->slices++;
    } else if (phase == 'E') {
        assert_true(track->depth > 0);
        track->depth--;
        track->until = end;
    } else if (phase == 'X') {
        assert_true(begin >= track->until);
        assert_true(!track->depth || begin >= track->begin[track->depth - 1]);
        track->until = end;
        seen->slices++;
    } else if (phase == 'i') {
        seen->instants++;
    } else {
        assert_true(phase == 's' || phase == 'f');
        check_arrow(seen, track, event, phase);
    }
}

static struct seen check(const char *text, size_t bytes) {
    struct seen seen = {0};
    struct json *json = json_parse(text, bytes);

    assert_non_null(json);
    for (const struct json *event = member(json, "traceEvents")->child; event; event = event->next)
        check_event(&seen, event);
    for (unsigned i = 0; i < seen.tracks; i++)
        assert_int_equal(seen.track[i].depth, 0);
    json_free(json);
    return seen;
}

#define CHECK(outcome) check((outcome).out, (outcome).out_bytes)

static unsigned count(const char *text, const char *what) {
    unsigned found = 0;

    for (; (text = strstr(text, what)); text += strlen(what))
        found++;
    return found;
}

static void a_file_is_as_it_was(void **state) {
    (void)state;
    char *sample = sample_path("nv40-clear-65x63.nvcap.xz");
    struct outcome outcome = tool_run("timeline", sample);
    expect_status(0, &outcome);
    expect_golden("nv40-clear-65x63.timeline.json", &outcome);
    outcome_free(&outcome);
    free(sample);
}

static void slices_nest_and_time_goes_forward(void **state) {
    (void)state;
    static const char *const samples[] = {"captures/nv117-quad.nvcap.xz", "captures/nvc0-clear.nvcap.xz",
                                          "captures/nva3-quad.nvcap.xz",  "captures/nv12b-kmscube-8frames.nvcap.xz",
                                          "sessions/g84-errors.nvses.xz", "sessions/nv04-errors.nvses.xz",
                                          "tegra/square.nvcap.zst"};
    const char *folder = getenv("PFIFO_SAMPLES");

    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/%s", folder ? folder : "samples", samples[i]);
        struct outcome outcome = tool_run("timeline", path);
        expect_status(0, &outcome);
        struct seen seen = CHECK(outcome);
        assert_true(seen.slices > 100);
        assert_int_equal(count(outcome.out, "\"clock\":\"recorded: "), strncmp(samples[i], "sessions/", 9) == 0);
        outcome_free(&outcome);
    }
}

static void two_runs_write_the_same_bytes(void **state) {
    (void)state;
    char *sample = sample_path("nv117-quad.nvcap.xz"), *path = temporary_path(".json");
    struct outcome one = tool_run("timeline", sample), other = tool_run("timeline", "-o", path, sample);
    char *written = malloc(one.out_bytes + 1);
    FILE *file = fopen(path, "rb");

    expect_status(0, &one);
    expect_status(0, &other);
    assert_non_null(written);
    assert_non_null(file);
    assert_int_equal(other.out_bytes, 0);
    assert_int_equal(fread(written, 1, one.out_bytes + 1, file), one.out_bytes);
    assert_memory_equal(written, one.out, one.out_bytes);
    fclose(file);
    free(written);
    unlink(path);
    free(path);
    free(sample);
    outcome_free(&one);
    outcome_free(&other);
}

/* A number of the line that `at` is in, as nanoseconds. */
static long number_before(const char *at, const char *text, const char *key) {
    const char *found;

    while (at > text && at[-1] != '\n')
        at--;
    found = strstr(at, key);
    assert_non_null(found);
    return lround(strtod(found + strlen(key), NULL) * 1000);
}

static void draws_last_from_their_method_to_their_end(void **state) {
    (void)state;
    char *sample = sample_path("nv117-quad.nvcap.xz");
    struct outcome trace = tool_run("run", "--trace=engine.draw", sample), outcome = tool_run("timeline", sample);
    const char *draw = strstr(outcome.out, "\"name\":\"draw\",");

    expect_status(0, &outcome);
    assert_non_null(draw);
    assert_int_equal(count(outcome.out, "\"name\":\"draw\","), 1);
    assert_int_equal(count(outcome.out, "\"name\":\"copy\","), 1);
    long begin = number_before(draw, outcome.out, "\"ts\":"), lasts = number_before(draw, outcome.out, "\"dur\":");
    assert_true(lasts > 0);
    assert_int_equal(begin + lasts, strtol(trace.out, NULL, 10));
    outcome_free(&trace);
    outcome_free(&outcome);
    free(sample);
}

/* A launch that is executed is drawn once, with what it has cost. */
static void launches_last_from_their_method_to_their_end(void **state) {
    (void)state;
    char *sample = sample_path("../../tests/tool/captures/launch-gm107.nvcap.zst");
    struct outcome begins = tool_run("run", "--trace=engine.launch", sample),
                   ends = tool_run("run", "--trace=engine.launched", sample), outcome = tool_run("timeline", sample);
    const char *launch = strstr(outcome.out, "\"name\":\"launch\",");

    expect_status(0, &outcome);
    assert_non_null(launch);
    assert_int_equal(count(outcome.out, "\"name\":\"launch\","), 6);
    assert_non_null(strstr(launch, "\"blocks\":1,\"warps\":8,\"instructions\":160,"));
    long begin = number_before(launch, outcome.out, "\"ts\":"), lasts = number_before(launch, outcome.out, "\"dur\":");
    assert_int_equal(begin, strtol(begins.out, NULL, 10));
    assert_int_equal(begin + lasts, strtol(ends.out, NULL, 10));
    outcome_free(&begins);
    outcome_free(&ends);
    outcome_free(&outcome);
    free(sample);
}

static void a_launch_says_what_it_has_and_what_it_has_read(void **state) {
    (void)state;
    char *sample = sample_path("../../tests/tool/captures/launch-gm107.nvcap.zst");
    struct outcome outcome = tool_run("run", "--trace=engine.launched,engine.read", "--json", sample);
    expect_status(0, &outcome);
    assert_int_equal(count(outcome.out, "\"kind\":\"constants\""), 12);
    assert_int_equal(count(outcome.out, "\"constants\":[{\"bank\":0,\"address\":549752471552,\"bytes\":65536},"
                                        "{\"bank\":7,\"address\":549752864768,\"bytes\":2048}]}"),
                     6);
    outcome_free(&outcome);
    free(sample);
}

/* Channel 1 waits 8 times, for the second of two increments that channel 0 makes. */
static void arrows_lead_from_who_released_to_who_waited(void **state) {
    (void)state;
    const char *folder = getenv("PFIFO_SAMPLES");
    char path[1024];

    snprintf(path, sizeof path, "%s/tegra/fences.nvcap.zst", folder ? folder : "samples");
    struct outcome outcome = tool_run("timeline", path);
    expect_status(0, &outcome);
    struct seen seen = CHECK(outcome);
    assert_int_equal(seen.arrows, 8);
    assert_int_equal(count(outcome.out, "\"name\":\"waits for a syncpoint\""), 8);
    for (size_t i = 0; i < FLOWS; i++) {
        if (!seen.ended[i])
            continue;
        assert_int_equal(seen.from[i], 100 * PROCESSES + PULLER);
        assert_int_equal(seen.from[i - 1], 100 * PROCESSES + PULLER);
        assert_int_equal(seen.ended[i - 1], 0);
    }
    outcome_free(&outcome);
}

static void only_what_matches_is_drawn(void **state) {
    (void)state;
    char *sample = sample_path("nv117-quad.nvcap.xz");
    struct outcome outcome = tool_run("timeline", "--where=event=engine.*", sample);

    expect_status(0, &outcome);
    CHECK(outcome);
    assert_int_equal(count(outcome.out, "\"name\":\"draw\""), 1);
    assert_int_equal(count(outcome.out, "\"name\":\"fence\""), 3);
    assert_int_equal(count(outcome.out, "\"name\":\"segment\""), 0);
    outcome_free(&outcome);
    outcome = tool_run("timeline", "--method=SET_CT_SELECT", "--submit=1", sample);
    CHECK(outcome);
    assert_int_equal(count(outcome.out, "\"name\":\"SET_CT_SELECT\""), 1);
    assert_int_equal(count(outcome.out, "\"subchannel\""), 1);
    outcome_free(&outcome);
    free(sample);
}

/* A capture whose second word is no command. */
static char *faulting_capture(void) {
    static const uint32_t words[] = {0x80000002, 0xc0000000, 0x80000002}; /* NOP */
    static struct capture capture;

    capture_begin(&capture, 0xc0, false);
    capture_submit(&capture, words, 3, NULL);
    capture_submit(&capture, words, 1, NULL);
    return capture_file(&capture);
}

static void a_run_that_faults_or_stops_has_a_whole_file(void **state) {
    (void)state;
    char *path = faulting_capture(), *sample = sample_path("nv117-quad.nvcap.xz");
    struct outcome outcome = tool_run("timeline", path);

    expect_status(1, &outcome);
    CHECK(outcome);
    assert_true(count(outcome.out, "\"name\":\"pusher.error\"") > 0);
    assert_true(count(outcome.out, "\"name\":\"fifo.interrupt\"") > 0);
    outcome_free(&outcome);
    outcome = tool_run("timeline", "--budget=100", sample);
    expect_status(1, &outcome);
    CHECK(outcome);
    outcome_free(&outcome);
    unlink(path);
    free(path);
    free(sample);
}

static void of_a_file_that_is_cut_there_is_what_it_has(void **state) {
    (void)state;
    static uint8_t data[65536];
    char *whole = faulting_capture(), *path = temporary_path(".nvcap");
    FILE *file = fopen(whole, "rb");
    size_t bytes;

    assert_non_null(file);
    bytes = fread(data, 1, sizeof data, file);
    fclose(file);
    write_file(path, data, bytes - 6);
    struct outcome outcome = tool_run("timeline", path);
    assert_in_range(outcome.status, 0, 2);
    CHECK(outcome);
    assert_int_equal(count(outcome.out, "\"name\":\"submission 1\""), 1);
    outcome_free(&outcome);
    unlink(whole);
    unlink(path);
    free(whole);
    free(path);
}

static void the_files_name_is_a_string_whatever_it_is(void **state) {
    (void)state;
    static const uint32_t words[] = {0x80000002}; /* NOP */
    static struct capture capture;
    char *path = temporary_path("\"\\\n\xff.nvcap"), *made;

    capture_begin(&capture, 0xc0, false);
    capture_submit(&capture, words, 1, NULL);
    made = capture_file(&capture);
    assert_int_equal(rename(made, path), 0);
    struct outcome outcome = tool_run("timeline", path);
    expect_status(0, &outcome);
    CHECK(outcome);
    assert_non_null(strstr(outcome.out, "\\\"\\\\\\u000a"));
    outcome_free(&outcome);
    unlink(path);
    free(made);
    free(path);
}

static void what_has_no_timeline_is_refused(void **state) {
    (void)state;
    const char *folder = getenv("PFIFO_SAMPLES");
    char path[1024], *sample = sample_path("nv117-quad.nvcap.xz");

    snprintf(path, sizeof path, "%s/scripts/nv1-pio.pfifo", folder ? folder : "samples");
    struct outcome outcome = tool_run("timeline", path);
    expect_status(2, &outcome);
    assert_non_null(strstr(outcome.err, "this is a script"));
    outcome_free(&outcome);
    outcome = tool_run("timeline", "-o", "/dev/full", sample);
    expect_status(2, &outcome);
    assert_non_null(strstr(outcome.err, "/dev/full: cannot write: No space left on device"));
    outcome_free(&outcome);
    outcome = tool_run("timeline", sample, sample);
    expect_status(2, &outcome);
    outcome_free(&outcome);
    free(sample);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_is_as_it_was),
        cmocka_unit_test(slices_nest_and_time_goes_forward),
        cmocka_unit_test(two_runs_write_the_same_bytes),
        cmocka_unit_test(draws_last_from_their_method_to_their_end),
        cmocka_unit_test(launches_last_from_their_method_to_their_end),
        cmocka_unit_test(a_launch_says_what_it_has_and_what_it_has_read),
        cmocka_unit_test(arrows_lead_from_who_released_to_who_waited),
        cmocka_unit_test(only_what_matches_is_drawn),
        cmocka_unit_test(a_run_that_faults_or_stops_has_a_whole_file),
        cmocka_unit_test(of_a_file_that_is_cut_there_is_what_it_has),
        cmocka_unit_test(the_files_name_is_a_string_whatever_it_is),
        cmocka_unit_test(what_has_no_timeline_is_refused),
    };

    return cmocka_run_group_tests_name("tool_timeline", tests, NULL, NULL);
}
