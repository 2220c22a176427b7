/* SPDX-License-Identifier: MIT */
/*
 * What Mesa's drivers submitted on one chip of a generation, on every chip of it: through channels that the driver
 * layer makes, all have the same methods in the end.
 */
#include <stdio.h>
#include <stdlib.h>

#include "driver/rig.h"

#include <pfifo/trace.h>

#include <pfifo/replay.h>

/* Short ones that differ; all of them run on their own chip elsewhere. */
static const char *const programs[] = {"clear", "quad", "piglit-copy-pixels", "piglit-occlusion_query"};

/* Captures by the beginning of their names, and the chips whose classes their programs may use. */
static const struct {
    const char *prefix;
    const char *chips[16];
} generations[] = {
    {"nva3-",
     {"G80", "G84", "G86", "G92", "G94", "G96", "G98", "GT200", "MCP77", "MCP79", "GT215", "GT216", "GT218", "MCP89"}},
    {"nvc0-", {"GF100", "GF104", "GF114", "GF106", "GF116", "GF108", "GF110", "GF119", "GF117"}},
    {"nve4-", {"GK104", "GK107", "GK106", "GK110", "GK110B", "GK208", "GK208B", "GK20A"}},
    {"nv117-", {"GM107", "GM108"}},
    {"nv12b-", {"GM200", "GM204", "GM206", "GM20B", "GP100", "GP102", "GP104", "GP106", "GP107", "GP108", "GP10B"}},
};

static const char *folder(void) {
    const char *samples = getenv("PFIFO_SAMPLES");
    return samples ? samples : "samples";
}

static void play(const char *name, const char *chip, char *line, size_t size) {
    char path[1000];
    struct pfifo_error error = {0};
    snprintf(path, sizeof path, "%s/captures/%s.nvcap.xz", folder(), name);
    struct pfifo_stream *stream = pfifo_stream_open(path, &error);
    assert_non_null(stream);
    const struct pfifo_replay_config config = {.size = sizeof config, .chip = pfifo_chip_by_name(chip)};
    struct pfifo_replay *replay = pfifo_replay_new(stream, &config, &error);
    if (!replay)
        fail_msg("%s on %s: %s", name, chip, error.message);
    struct pfifo_digest *digest = pfifo_digest_new(&error);
    assert_non_null(digest);
    assert_int_equal(pfifo_digest_attach(digest, pfifo_replay_gpu(replay), &error), PFIFO_OK);
    const struct pfifo_replay_result *result = pfifo_replay_result(replay);
    uint64_t submissions = 0, words = 0;
    for (bool more = true; more; submissions = result->submissions, words = result->words) {
        if (pfifo_replay_next(replay, &more, &error) != PFIFO_OK)
            fail_msg("%s on %s: %s", name, chip, error.message);
        if (result->submissions > submissions)
            pfifo_digest_submission(digest, result->words - words);
    }
    pfifo_digest_format(digest, name, line, size);
    if (result->faults || result->refused)
        fail_msg("%s on %s: %u faults, %u objects refused", name, chip, (unsigned)result->faults,
                 (unsigned)result->refused);
    pfifo_digest_free(digest);
    pfifo_replay_free(replay);
    pfifo_stream_close(stream);
}

/* A line of expected.tsv: name, submissions, words, methods, hash. */
static void play_on_all(const char *const *chips, size_t count, const char *name, const char *const field[4]) {
    char want[600], line[600];
    snprintf(want, sizeof want, "%s submissions=%s words=%s methods=%s sha256=%s", name, field[0], field[1], field[2],
             field[3]);
    for (size_t i = 0; i < count && chips[i]; i++) {
        play(name, chips[i], line, sizeof line);
        line[strcspn(line, "\n")] = 0;
        if (strcmp(line, want) != 0)
            fail_msg("on %s:\n%s, not\n%s", chips[i], line, want);
    }
}

static bool is_chosen(const char *line, const char *prefix) {
    if (strncmp(line, prefix, strlen(prefix)) != 0)
        return false;
    line += strlen(prefix);
    for (size_t i = 0; i < COUNT_OF(programs); i++)
        if (strcspn(line, "\t") == strlen(programs[i]) && strncmp(line, programs[i], strlen(programs[i])) == 0)
            return true;
    return false;
}

static void play_generation(const char *prefix, const char *const *chips, size_t count) {
    char path[1000], line[400], name[100], field[4][80];
    unsigned played = 0;
    snprintf(path, sizeof path, "%s/captures/expected.tsv", folder());
    FILE *expected = fopen(path, "r");
    assert_non_null(expected);
    while (fgets(line, sizeof line, expected)) {
        if (!is_chosen(line, prefix))
            continue;
        assert_int_equal(sscanf(line, "%99s %79s %79s %79s %79s", name, field[0], field[1], field[2], field[3]), 5);
        play_on_all(chips, count, name, (const char *const[4]){field[0], field[1], field[2], field[3]});
        played++;
    }
    fclose(expected);
    assert_int_equal(played, COUNT_OF(programs));
}

static void play_number(size_t number) {
    play_generation(generations[number].prefix, generations[number].chips, COUNT_OF(generations[number].chips));
}

static void streams_of_tesla_run_on_every_tesla(void **state) {
    (void)state;
    play_number(0);
}

static void streams_of_fermi_run_on_every_fermi(void **state) {
    (void)state;
    play_number(1);
}

static void streams_of_kepler_run_on_every_kepler(void **state) {
    (void)state;
    play_number(2);
}

static void streams_of_maxwell_run_on_every_maxwell_and_pascal(void **state) {
    (void)state;
    play_number(3);
    play_number(4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(streams_of_tesla_run_on_every_tesla),
        cmocka_unit_test(streams_of_fermi_run_on_every_fermi),
        cmocka_unit_test(streams_of_kepler_run_on_every_kepler),
        cmocka_unit_test(streams_of_maxwell_run_on_every_maxwell_and_pascal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
