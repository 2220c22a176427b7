/* SPDX-License-Identifier: MIT */
/*
 * What Mesa's drivers submitted for glClear and glReadPixels leaves the pixels that glReadPixels must find: the target
 * of the clear and the copy that the client reads. On the chip of the recording, and on others of its generation.
 */
#include <stdio.h>
#include <stdlib.h>

#include "driver/rig.h"

#include <pfifo/replay.h>

#define MAX_BUFFERS 3
#define CLEARED     0xff4080bfu /* 0.25 0.5 0.75 1.0 as BGRA */
#define SWAPPED     0xffbf8040u /* the same as RGBA */

/* A buffer when the client frees it: lines of pixels, and zeros after each line. */
struct picture {
    uint32_t handle, pixel;
    unsigned width, height, pitch; /* pitch 0: nothing between lines, or tiled and of one colour */
};

static const struct recording {
    const char *name;
    struct picture picture[MAX_BUFFERS];
    const char *chips[24];
} recordings[] = {
    {"nv40-clear-65x63",
     {{10, CLEARED, 65, 63, 320}, {11, CLEARED, 65, 63, 320}},
     {"NV40", "NV41", "NV42", "NV43", "NV44", "NV45", "NV46", "NV47", "NV49", "NV4A", "NV4B", "NV4C", "NV4E", "NV63",
      "NV67", "NV68"}},
    {"nva3-clear",
     {{16, CLEARED, 64, 64, 0}, {17, SWAPPED, 64, 64, 0}, {18, SWAPPED, 64, 64, 0}},
     {"GT215", "G80", "G84", "G86", "G92", "G94", "G96", "G98", "GT200", "MCP77", "MCP79", "GT216", "GT218", "MCP89"}},
    {"nvc0-clear",
     {{16, CLEARED, 64, 64, 0}, {17, SWAPPED, 64, 64, 0}},
     {"GF100", "GF104", "GF114", "GF106", "GF116", "GF108", "GF110", "GF119", "GF117"}},
    {"nve4-clear",
     {{16, CLEARED, 64, 64, 0}, {17, SWAPPED, 64, 64, 0}},
     {"GK104", "GK107", "GK106", "GK110", "GK110B", "GK208", "GK208B", "GK20A"}},
    {"nv117-clear", {{15, CLEARED, 64, 64, 0}, {16, SWAPPED, 64, 64, 0}}, {"GM107", "GM108"}},
    {"nv12b-clear",
     {{15, CLEARED, 64, 64, 0}, {16, CLEARED, 64, 64, 0}},
     {"GM20B", "GM200", "GM204", "GM206", "GP100", "GP102", "GP104", "GP106", "GP107", "GP108", "GP10B"}},
};

struct check {
    const struct recording *recording;
    const char *chip;
    unsigned seen;
};

static void check_lines(const struct check *check, const struct picture *p, struct pfifo_buffer *buffer) {
    unsigned pitch = p->pitch ? p->pitch : p->width * 4;
    for (unsigned y = 0; y < p->height; y++) {
        for (unsigned x = 0; x < pitch / 4; x++) {
            uint32_t found, want = x < p->width ? p->pixel : 0;
            assert_true(pfifo_buffer_read(buffer, (uint64_t)y * pitch + x * 4u, &found, sizeof found));
            if (found != want)
                fail_msg("%s on %s: buffer %u, line %u, pixel %u: %08x, not %08x", check->recording->name, check->chip,
                         p->handle, y, x, found, want);
        }
    }
}

static void gone(void *opaque, uint32_t handle, struct pfifo_buffer *buffer) {
    struct check *check = opaque;
    for (unsigned i = 0; i < MAX_BUFFERS; i++) {
        const struct picture *picture = &check->recording->picture[i];
        if (!picture->handle || picture->handle != handle)
            continue;
        check_lines(check, picture, buffer);
        check->seen |= 1u << i;
    }
}

static void play(const struct recording *recording, const char *chip, bool materialise) {
    const char *samples = getenv("PFIFO_SAMPLES");
    char path[1000];
    struct pfifo_error error = {0};
    struct check check = {.recording = recording, .chip = chip};
    snprintf(path, sizeof path, "%s/captures/%s.nvcap.xz", samples ? samples : "samples", recording->name);
    struct pfifo_stream *stream = pfifo_stream_open(path, &error);
    assert_non_null(stream);
    const struct pfifo_replay_config config = {.size = sizeof config,
                                               .chip = pfifo_chip_by_name(chip),
                                               .materialise_cache = materialise,
                                               .buffer_gone = gone,
                                               .opaque = &check};
    assert_non_null(config.chip);
    struct pfifo_replay *replay = pfifo_replay_new(stream, &config, &error);
    if (!replay)
        fail_msg("%s on %s: %s", recording->name, chip, error.message);
    for (bool more = true; more;)
        if (pfifo_replay_next(replay, &more, &error) != PFIFO_OK)
            fail_msg("%s on %s: %s", recording->name, chip, error.message);
    assert_int_equal(pfifo_replay_result(replay)->faults, 0);
    pfifo_replay_free(replay);
    pfifo_stream_close(stream);
    for (unsigned i = 0; i < MAX_BUFFERS; i++)
        if (recording->picture[i].handle && !(check.seen >> i & 1))
            fail_msg("%s on %s: buffer %u was never freed", recording->name, chip, recording->picture[i].handle);
}

static void play_everywhere(const struct recording *recording) {
    for (size_t i = 0; i < COUNT_OF(recording->chips) && recording->chips[i]; i++)
        play(recording, recording->chips[i], false);
    play(recording, recording->chips[0], true);
}

static void clears_of_curie_leave_their_pixels(void **state) {
    (void)state;
    play_everywhere(&recordings[0]);
}

static void clears_of_tesla_leave_their_pixels(void **state) {
    (void)state;
    play_everywhere(&recordings[1]);
}

static void clears_of_fermi_leave_their_pixels(void **state) {
    (void)state;
    play_everywhere(&recordings[2]);
}

static void clears_of_kepler_leave_their_pixels(void **state) {
    (void)state;
    play_everywhere(&recordings[3]);
}

static void clears_of_maxwell_leave_their_pixels_there_and_on_pascal(void **state) {
    (void)state;
    play_everywhere(&recordings[4]);
    play_everywhere(&recordings[5]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clears_of_curie_leave_their_pixels),
        cmocka_unit_test(clears_of_tesla_leave_their_pixels),
        cmocka_unit_test(clears_of_fermi_leave_their_pixels),
        cmocka_unit_test(clears_of_kepler_leave_their_pixels),
        cmocka_unit_test(clears_of_maxwell_leave_their_pixels_there_and_on_pascal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
