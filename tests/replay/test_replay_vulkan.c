/* SPDX-License-Identifier: MIT */
/*
 * What Mesa's Vulkan has submitted by address, samples/vulkan: a buffer is filled, and a compute program adds to each word
 * (tests/mesa/programs/vulkan.c). The replay computes the same words. And a few frames of a scene of vkmark.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <pfifo/replay.h>

enum { WORDS = 4096, GROUP = 64, FILLED = 1000, FACTOR = 7, LARGEST = 1 << 20 };

struct seen {
    unsigned right; /* buffers that begin with the words */
    uint64_t sum;   /* of all that is in buffers */
    uint64_t submissions;
};

static bool is_right(const uint32_t *words) {
    for (uint32_t i = 0; i < WORDS; i++)
        if (words[i] != FILLED + i * FACTOR + i % GROUP)
            return false;
    return true;
}

static void look(void *opaque, uint32_t handle, struct pfifo_buffer *buffer) {
    struct seen *seen = opaque;
    size_t bytes = (size_t)pfifo_buffer_bytes(buffer);
    uint32_t *words = bytes <= LARGEST ? malloc(bytes) : NULL;

    if (words && pfifo_buffer_read(buffer, 0, words, bytes)) {
        seen->right += bytes >= WORDS * sizeof *words && is_right(words);
        for (size_t i = 0; i < bytes / sizeof *words; i++)
            seen->sum = (seen->sum ^ words[i]) * UINT64_C(0x9e3779b97f4a7c15) + handle;
    }
    free(words);
}

static struct pfifo_stream *open_sample(const char *name) {
    struct pfifo_error error = {0};
    char path[1024];

    snprintf(path, sizeof path, "%s/vulkan/%s.nvcap.zst", getenv("PFIFO_SAMPLES"), name);
    struct pfifo_stream *stream = pfifo_stream_open(path, &error);
    if (!stream)
        fail_msg("%s", error.message);
    return stream;
}

static struct seen play(const char *name, const char *chip) {
    struct seen seen = {0};
    const struct pfifo_replay_config config = {.size = sizeof config,
                                               .chip = chip ? pfifo_chip_by_name(chip) : NULL,
                                               .locate = true,
                                               .buffer_gone = look,
                                               .opaque = &seen};
    struct pfifo_stream *stream = open_sample(name);
    struct pfifo_error error = {0};
    struct pfifo_replay *replay = pfifo_replay_new(stream, &config, &error);

    if (!replay)
        fail_msg("%s", error.message);
    for (bool more = true; more;)
        if (pfifo_replay_next(replay, &more, &error) != PFIFO_OK)
            fail_msg("%s", error.message);
    const struct pfifo_replay_result *result = pfifo_replay_result(replay);
    seen.submissions = result->submissions;
    assert_int_equal(result->stop, PFIFO_STOP_IDLE);
    assert_int_equal(result->faults, 0);
    assert_int_equal(result->changed, 0);
    assert_int_equal(result->refused, 0);
    pfifo_replay_free(replay);
    pfifo_stream_close(stream);
    return seen;
}

static void the_program_computes_in_the_replay(void **state) {
    (void)state;
    assert_int_equal(play("nv117-fill", NULL).right, 1);
    assert_int_equal(play("nv132-fill", NULL).right, 1);
}

static void on_another_chip_it_computes_the_same(void **state) {
    (void)state;
    assert_int_equal(play("nv117-fill", "GM200").right, 1);
    assert_int_equal(play("nv117-fill", "GM20B").right, 1);
    assert_int_equal(play("nv132-fill", "GP104").right, 1);
}

static void a_replay_leaves_the_same_in_all_buffers_each_time(void **state) {
    (void)state;
    const struct seen first = play("nv117-fill", NULL), second = play("nv117-fill", NULL);
    assert_true(first.sum == second.sum);
    assert_true(first.sum != play("nv132-fill", NULL).sum);
}

static void a_scene_leaves_the_same_on_another_chip(void **state) {
    (void)state;
    const struct seen one = play("nv117-vkmark-cube", NULL), other = play("nv117-vkmark-cube", "GM200");
    assert_int_equal(one.submissions, 12);
    assert_int_equal(other.submissions, 12);
    assert_true(one.sum == other.sum);
}

static void samples_are_written_as_they_were_read(void **state) {
    static const char *const names[] = {"nv117-fill", "nv132-fill", "nv117-vkmark-cube"};
    struct pfifo_error error = {0};

    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct pfifo_stream *stream = open_sample(names[i]);
        struct pfifo_stream_writer *writer = pfifo_stream_writer_open_memory(PFIFO_STREAM_PLAIN, &error);
        struct pfifo_stream_record record = {.type = PFIFO_STREAM_TEXT};
        size_t bytes = 0;
        assert_int_equal(pfifo_stream_version(stream), 3);
        assert_int_equal(pfifo_stream_writer_version(writer, 3, &error), PFIFO_OK);
        while (pfifo_stream_next(stream, &record, &error) == PFIFO_OK && record.type != PFIFO_STREAM_END) {
            assert_int_not_equal(record.type, PFIFO_STREAM_UNKNOWN);
            assert_int_equal(pfifo_stream_writer_append(writer, &record, &error), PFIFO_OK);
            const uint8_t *written = pfifo_stream_writer_memory(writer, &bytes);
            assert_int_equal(bytes, record.offset + 8 + record.payload_bytes);
            assert_memory_equal(written + record.offset + 8, record.payload, record.payload_bytes);
        }
        assert_int_equal(bytes, pfifo_stream_bytes(stream));
        pfifo_stream_writer_close(writer);
        pfifo_stream_close(stream);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_program_computes_in_the_replay),
        cmocka_unit_test(on_another_chip_it_computes_the_same),
        cmocka_unit_test(a_replay_leaves_the_same_in_all_buffers_each_time),
        cmocka_unit_test(a_scene_leaves_the_same_on_another_chip),
        cmocka_unit_test(samples_are_written_as_they_were_read),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
