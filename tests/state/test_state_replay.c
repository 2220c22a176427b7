/* SPDX-License-Identifier: MIT */
/* Captures of real programs, interrupted in the middle and continued in another GPU: the same to the end. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <pfifo/replay.h>

#include "face/common/jobs.h"
#include "state/player.h"

static const char *const captures[] = {
    "nv40-kmscube-8frames",        "nva3-quad",
    "nvc0-piglit-occlusion_query", "nve4-kmscube-8frames",
    "nv117-quad-gbm-20frames",     "nv12b-piglit-arb_query_buffer_object-qbo",
};

struct side {
    struct pfifo_stream *stream;
    struct pfifo_replay *replay;
    struct player_log log;
};

/* `jobs`: threads that draw, 0: as many as there are cores. */
static void open_side(struct side *side, const char *name, unsigned jobs) {
    char path[1000];
    struct pfifo_error error = {0};
    jobs_set(jobs);
    const struct pfifo_replay_config config = {.size = sizeof config, .side_by_side = jobs_lent()};
    const char *folder = getenv("PFIFO_SAMPLES");
    snprintf(path, sizeof path, "%s/captures/%s.nvcap.xz", folder ? folder : "samples", name);
    *side = (struct side){.stream = pfifo_stream_open(path, &error)};
    if (side->stream)
        side->replay = pfifo_replay_new(side->stream, &config, &error);
    if (!side->replay)
        fail_msg("%s: %s", path, error.message);
    assert_int_equal(pfifo_gpu_observe(pfifo_replay_gpu(side->replay), "*", player_observe, &side->log, &error),
                     PFIFO_OK);
}

static void close_side(struct side *side) {
    pfifo_replay_free(side->replay);
    pfifo_stream_close(side->stream);
}

/* Up to `most` submissions; how many there were. */
static unsigned go_on(struct side *side, unsigned most) {
    struct pfifo_error error = {0};
    unsigned done = 0;
    for (bool more = true; more && done < most; done += more)
        if (pfifo_replay_next(side->replay, &more, &error) != PFIFO_OK)
            fail_msg("%s", error.message);
    return done;
}

static void save(struct side *side, struct player_bytes *bytes) {
    struct pfifo_error error = {0};
    if (!player_save(pfifo_replay_gpu(side->replay), bytes, &error))
        fail_msg("%s", error.message);
}

static void load(struct side *side, const struct player_bytes *bytes) {
    struct pfifo_error error = {0};
    if (pfifo_gpu_load(pfifo_replay_gpu(side->replay), bytes->data, bytes->bytes, &error) != PFIFO_OK)
        fail_msg("%s", error.message);
}

static void interrupt_and_continue(const char *name) {
    struct side one, other;
    struct player_bytes middle, end, other_end, beginning;
    open_side(&one, name, 0);
    save(&one, &beginning);
    unsigned submissions = go_on(&one, UINT32_MAX);
    close_side(&one);
    assert_true(submissions >= 2);
    open_side(&one, name, 0);
    open_side(&other, name, 0);
    go_on(&one, submissions / 2);
    go_on(&other, submissions / 2); /* what the replay itself keeps */
    save(&one, &middle);
    load(&other, &beginning);
    load(&other, &middle);
    other.log = one.log;
    go_on(&one, UINT32_MAX);
    go_on(&other, UINT32_MAX);
    save(&one, &end);
    save(&other, &other_end);
    assert_int_equal(one.log.events, other.log.events);
    assert_int_equal(one.log.digest, other.log.digest);
    assert_int_equal(end.bytes, other_end.bytes);
    assert_memory_equal(end.data, other_end.data, end.bytes);
    free(beginning.data);
    free(middle.data);
    free(end.data);
    free(other_end.data);
    close_side(&one);
    close_side(&other);
}

static void a_capture_goes_on_in_another_gpu(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof captures / sizeof captures[0]; i++)
        interrupt_and_continue(captures[i]);
}

/* Which thread looks a page up first is chance: the TLB must not tell. */
static void threads_that_draw_leave_no_trace_in_a_state(void **state) {
    (void)state;
    static const unsigned jobs[] = {1, 2, 7};
    struct player_bytes saved[3];
    for (size_t i = 0; i < 3; i++) {
        struct side side;
        open_side(&side, "nve4-kmscube-8frames", jobs[i]);
        go_on(&side, UINT32_MAX);
        save(&side, &saved[i]);
        close_side(&side);
        assert_int_equal(saved[i].bytes, saved[0].bytes);
        assert_memory_equal(saved[i].data, saved[0].data, saved[0].bytes);
    }
    for (size_t i = 0; i < 3; i++)
        free(saved[i].data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_capture_goes_on_in_another_gpu),
        cmocka_unit_test(threads_that_draw_leave_no_trace_in_a_state),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
