/* SPDX-License-Identifier: MIT */
/*
 * Mesa's Vulkan (NVK) on the model: the program knows what its submissions write, and ends with 0 if it finds that. What it
 * has submitted is recorded as well, and the replay writes the same.
 * Mesa 25 takes chips before Turing only with a variable.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <pfifo/replay.h>

#include "mesa/client.h"
#include "mesa/summary.h"

static const char *const usual[] = {"gk104", "gk110", "gm107", "gm200", "gp102", NULL};

static void a_buffer_is_filled_and_added_to(void **state) {
    (void)state;
    const char *const *chips = client_chips(usual);
    for (size_t i = 0; chips[i]; i++) {
        char *directory = client_directory(), summary[400], output[440];
        snprintf(summary, sizeof summary, "%s/summary", directory);
        snprintf(output, sizeof output, "PFIFO_DRM_OUTPUT=%s", summary);
        struct client client = {.chip = chips[i],
                                .arguments = ARGUMENTS(client_program("PFIFO_MESA_VULKAN")),
                                .variables =
                                    ARGUMENTS("NVK_I_WANT_A_BROKEN_VULKAN_DRIVER=1", "PFIFO_DRM_JSON=1", output)};
        struct client_end end = client_run(&client);
        client_expect(0, &end);
        assert_non_null(strstr(end.out, "NVK"));
        struct summary seen = summary_read(summary);
        assert_true(seen.submissions > 0);
        assert_int_equal(seen.faults, 0);
        assert_int_equal(seen.not_executed, 0);
        client_end_free(&end);
        assert_true(client_directory_remove(directory, "summary"));
    }
}

/* ---- recorded ---- */

enum { WORDS = 4096, GROUP = 64, FILLED = 1000, FACTOR = 7, LARGEST = 1 << 20 }; /* as in the program */

static bool has_the_words(const uint32_t *words) {
    for (uint32_t i = 0; i < WORDS; i++)
        if (words[i] != FILLED + i * FACTOR + i % GROUP)
            return false;
    return true;
}

/* A buffer has its last contents. */
static void look(void *opaque, uint32_t handle, struct pfifo_buffer *buffer) {
    size_t bytes = (size_t)pfifo_buffer_bytes(buffer);
    uint32_t *words = bytes >= WORDS * sizeof *words && bytes <= LARGEST ? malloc(bytes) : NULL;
    (void)handle;
    if (words && pfifo_buffer_read(buffer, 0, words, bytes))
        *(unsigned *)opaque += has_the_words(words);
    free(words);
}

static void replay_it(const char *path) {
    unsigned found = 0;
    struct pfifo_error error = {0};
    struct pfifo_stream *stream = pfifo_stream_open(path, &error);
    const struct pfifo_replay_config config = {.size = sizeof config, .buffer_gone = look, .opaque = &found};
    struct pfifo_replay *replay = stream ? pfifo_replay_new(stream, &config, &error) : NULL;
    if (!replay)
        fail_msg("%s", error.message);
    assert_int_equal(pfifo_stream_version(stream), 3);
    assert_false(pfifo_stream_truncated(stream));
    for (bool more = true; more;)
        if (pfifo_replay_next(replay, &more, &error) != PFIFO_OK)
            fail_msg("%s", error.message);
    assert_int_equal(pfifo_replay_result(replay)->stop, PFIFO_STOP_IDLE);
    assert_int_equal(pfifo_replay_result(replay)->faults, 0);
    pfifo_replay_free(replay);
    pfifo_stream_close(stream);
    assert_int_equal(found, 1);
}

/* Devices that it only looks at leave no captures. */
static void a_replay_of_what_is_recorded_writes_the_same(void **state) {
    (void)state;
    if (!getenv("PFIFO_RECORDER")) /* under sanitizers */
        skip();
    const char *const *chips = client_chips(usual);
    for (size_t i = 0; chips[i]; i++) {
        char *directory = client_directory(), capture[400], setting[440], preload[8300];
        snprintf(capture, sizeof capture, "%s/capture", directory);
        snprintf(setting, sizeof setting, "PFIFO_RECORD=%s", capture);
        snprintf(preload, sizeof preload, "LD_PRELOAD=%s:%s", getenv("PFIFO_RECORDER"), getenv("PFIFO_SHIM"));
        struct client client = {.chip = chips[i],
                                .arguments = ARGUMENTS(client_program("PFIFO_MESA_VULKAN")),
                                .variables = ARGUMENTS("NVK_I_WANT_A_BROKEN_VULKAN_DRIVER=1", setting, preload)};
        struct client_end end = client_run(&client);
        client_expect(0, &end);
        client_end_free(&end);
        replay_it(capture);
        assert_true(client_directory_remove(directory, "capture"));
    }
}

/* Debian has it from 13 on. */
static bool has_nvk(void) {
    glob_t found;
    bool has = glob("/usr/share/vulkan/icd.d/nouveau_icd*.json", 0, NULL, &found) == 0;
    if (has)
        globfree(&found);
    return has && getenv("PFIFO_MESA_VULKAN");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_buffer_is_filled_and_added_to),
                                       cmocka_unit_test(a_replay_of_what_is_recorded_writes_the_same)};
    if (!has_nvk())
        return 77;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
