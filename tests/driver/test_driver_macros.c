/* SPDX-License-Identifier: MIT */
/*
 * The macros that Mesa uploads and calls: on the chip of each recording all calls come to their end, with exactly the
 * parameters that they were given, whether methods go through in runs or one by one.
 */
#include <stdio.h>
#include <stdlib.h>

#include "driver/rig.h"

#include <pfifo/replay.h>

static const struct recording {
    const char *name, *chip;
    unsigned calls;
} recordings[] = {
    {"nvc0-quad", "GF100", 5},
    {"nvc0-piglit-arb_draw_indirect-draw-elements", "GF100", 6},
    {"nve4-piglit-arb_query_buffer_object-qbo", "GK104", 20},
    {"nve4-piglit-copy-pixels", "GK104", 50},
    {"nv117-piglit-texsubimage", "GM107", 39},
    {"nv117-glmark2-desktop-3frames", "GM107", 167},
    {"nv12b-piglit-arb_query_buffer_object-qbo", "GM20B", 22},
    {"nv12b-glmark2-desktop-3frames", "GP102", 167},
};

struct count {
    unsigned calls, ends, broken, uncalled;
};

static void observe(void *opaque, const struct pfifo_event *event) {
    struct count *count = opaque;
    const char *name = pfifo_event_info(event->id)->name;
    if (strcmp(name, "engine.macro") == 0)
        count->calls++;
    else if (strcmp(name, "engine.macro_end") == 0)
        *(strcmp(event->text, "end") == 0 ? &count->ends : &count->broken) += 1;
    else if (strcmp(name, "engine.error") == 0)
        count->broken += strncmp(event->text, "MACRO", 5) == 0;
    else if (strcmp(name, "engine.not_executed") == 0)
        count->uncalled += event->value[1] >= 0x3800;
}

static void play(const struct recording *recording, bool materialise) {
    const char *samples = getenv("PFIFO_SAMPLES");
    char path[1000];
    struct pfifo_error error = {0};
    struct count count = {0};
    snprintf(path, sizeof path, "%s/captures/%s.nvcap.xz", samples ? samples : "samples", recording->name);
    struct pfifo_stream *stream = pfifo_stream_open(path, &error);
    assert_non_null(stream);
    const struct pfifo_replay_config config = {
        .size = sizeof config, .chip = pfifo_chip_by_name(recording->chip), .materialise_cache = materialise};
    struct pfifo_replay *replay = pfifo_replay_new(stream, &config, &error);
    if (!replay)
        fail_msg("%s: %s", recording->name, error.message);
    const char *globs = materialise ? "engine.macro,engine.macro_end,engine.error,engine.not_executed,puller.method"
                                    : "engine.macro,engine.macro_end,engine.error,engine.not_executed";
    assert_int_equal(pfifo_gpu_observe(pfifo_replay_gpu(replay), globs, observe, &count, &error), PFIFO_OK);
    for (bool more = true; more;)
        if (pfifo_replay_next(replay, &more, &error) != PFIFO_OK)
            fail_msg("%s: %s", recording->name, error.message);
    pfifo_replay_free(replay);
    pfifo_stream_close(stream);
    assert_int_equal(count.calls, recording->calls);
    assert_int_equal(count.ends, recording->calls);
    assert_int_equal(count.broken, 0);
    assert_int_equal(count.uncalled, 0);
}

static void recorded_macros_end_with_their_last_parameter(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof recordings / sizeof recordings[0]; i++)
        play(&recordings[i], false);
}

static void method_by_method_as_well(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof recordings / sizeof recordings[0]; i += 2)
        play(&recordings[i], true);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(recorded_macros_end_with_their_last_parameter),
        cmocka_unit_test(method_by_method_as_well),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
