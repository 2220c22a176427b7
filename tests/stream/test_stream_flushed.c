/* SPDX-License-Identifier: MIT */
/* Captures that are packed with zstd while they are recorded, and what a recorder that was killed leaves behind. */
#include "stream/image.h"

#include <errno.h>

/* A submission is more than a block of zstd (128 KiB), so that a cut may be in its middle. */
enum { ROOM = 2 * 1024 * 1024, SUBMISSIONS = 4, BYTES = 80 * 4096 };

/* What a sink got. */
struct sunk {
    uint8_t data[ROOM];
    size_t size, room;
};

static bool sink(void *opaque, const void *data, size_t bytes) {
    struct sunk *sunk = opaque;

    if (bytes > sunk->room - sunk->size) {
        errno = ENOSPC;
        return false;
    }
    memcpy(sunk->data + sunk->size, data, bytes);
    sunk->size += bytes;
    return true;
}

static void append(struct pfifo_stream_writer *writer, const struct pfifo_stream_record *record) {
    struct pfifo_error error = {0};

    if (pfifo_stream_writer_append(writer, record, &error) != PFIFO_OK)
        fail_msg("%s", error.message);
}

/* A submission of a buffer of noise, and a PREP after it. */
static void append_submission(struct pfifo_stream_writer *writer, uint32_t sequence) {
    static uint8_t page[BYTES];
    uint32_t noise = sequence;

    for (size_t i = 0; i < sizeof page; i++) {
        noise = noise * 1664525 + 1013904223;
        page[i] = (uint8_t)(noise >> 24);
    }
    const struct pfifo_stream_record records[] = {
        {.type = PFIFO_STREAM_SUBMIT, .submit = {.sequence = sequence, .buffers = 1, .pushes = 1}},
        {.type = PFIFO_STREAM_BOREF, .boref = {.handle = 1, .bytes = BYTES}},
        {.type = PFIFO_STREAM_BODATA, .bodata = {.handle = 1, .data = page, .bytes = sizeof page}},
        {.type = PFIFO_STREAM_PUSH, .push = {.handle = 1, .length = 8, .words = page, .word_count = 2}},
        {.type = PFIFO_STREAM_SUBEND, .subend = {.sequence = sequence}},
        {.type = PFIFO_STREAM_PREP, .prep = {.handle = 1}}};
    for (size_t i = 0; i < sizeof records / sizeof records[0]; i++)
        append(writer, &records[i]);
}

/* A capture that is flushed after each submission; `ends` is told where in the file that was. */
static struct pfifo_stream_writer *record(struct sunk *sunk, size_t ends[SUBMISSIONS + 1]) {
    struct pfifo_stream_writer *writer = pfifo_stream_writer_open_sink(sink, sunk, PFIFO_STREAM_ZSTD, NULL);

    assert_non_null(writer);
    assert_int_equal(pfifo_stream_writer_text(writer, "chipset", "0xc0", NULL), PFIFO_OK);
    assert_int_equal(pfifo_stream_writer_flush(writer, NULL), PFIFO_OK);
    ends[0] = sunk->size;
    for (uint32_t i = 1; i <= SUBMISSIONS; i++) {
        append_submission(writer, i);
        assert_int_equal(pfifo_stream_writer_flush(writer, NULL), PFIFO_OK);
        ends[i] = sunk->size;
    }
    return writer;
}

/* How many submissions the first `size` bytes have, each of them whole. */
static uint32_t count_submissions(const struct sunk *sunk, size_t size, bool truncated) {
    struct pfifo_stream_record record = {.type = PFIFO_STREAM_TEXT};
    struct pfifo_error error = {0};
    struct pfifo_stream *stream = pfifo_stream_open_memory(sunk->data, size, "killed", &error);
    uint32_t begun = 0, ended = 0;

    if (!stream)
        fail_msg("%s", error.message);
    assert_int_equal(pfifo_stream_truncated(stream), truncated);
    assert_int_equal(pfifo_stream_chipset(stream), 0xc0);
    while (record.type != PFIFO_STREAM_END) {
        if (pfifo_stream_next(stream, &record, &error) != PFIFO_OK)
            fail_msg("%s", error.message);
        begun += record.type == PFIFO_STREAM_SUBMIT;
        ended += record.type == PFIFO_STREAM_SUBEND;
    }
    pfifo_stream_close(stream);
    assert_int_equal(begun, ended);
    return ended;
}

static void what_was_flushed_can_be_read(void **state) {
    static struct sunk sunk;
    size_t ends[SUBMISSIONS + 1];
    struct pfifo_stream_writer *writer;

    (void)state;
    sunk = (struct sunk){.room = ROOM};
    writer = record(&sunk, ends);
    for (uint32_t i = 0; i <= SUBMISSIONS; i++)
        assert_int_equal(count_submissions(&sunk, ends[i], true), i);
    assert_int_equal(pfifo_stream_writer_finish(writer, NULL), PFIFO_OK);
    pfifo_stream_writer_close(writer);
    assert_int_equal(count_submissions(&sunk, sunk.size, false), SUBMISSIONS);
}

static void a_cut_leaves_the_whole_submissions_before_it(void **state) {
    static struct sunk sunk;
    size_t ends[SUBMISSIONS + 1];

    (void)state;
    sunk = (struct sunk){.room = ROOM};
    pfifo_stream_writer_close(record(&sunk, ends));
    for (uint32_t i = 0; i < SUBMISSIONS; i++)
        for (size_t cut = ends[i]; cut < ends[i + 1]; cut += 4099) {
            /* The PREP after a submission may be missing, but nothing of the submission. */
            uint32_t there = count_submissions(&sunk, cut, true);
            assert_in_range(there, i, i + 1);
        }
}

static void a_cut_before_anything_is_an_error(void **state) {
    static struct sunk sunk;
    size_t ends[SUBMISSIONS + 1];

    (void)state;
    sunk = (struct sunk){.room = ROOM};
    pfifo_stream_writer_close(record(&sunk, ends));
    for (size_t cut = 0; cut < 8; cut++)
        assert_null(pfifo_stream_open_memory(sunk.data, cut, "killed", NULL));
}

static void a_sink_that_fails_is_an_error_with_its_errno(void **state) {
    static struct sunk sunk;
    struct pfifo_error error = {0};
    struct pfifo_stream_writer *writer;

    (void)state;
    sunk = (struct sunk){.room = 4};
    writer = pfifo_stream_writer_open_sink(sink, &sunk, PFIFO_STREAM_ZSTD, NULL);
    assert_non_null(writer);
    assert_int_equal(pfifo_stream_writer_text(writer, "note", "small", NULL), PFIFO_OK);
    assert_int_equal(pfifo_stream_writer_flush(writer, &error), PFIFO_ERROR_IO);
    assert_non_null(strstr(error.message, strerror(ENOSPC)));
    assert_int_equal(pfifo_stream_writer_flush(writer, &error), PFIFO_ERROR_IO);
    assert_int_equal(pfifo_stream_writer_finish(writer, &error), PFIFO_ERROR_IO);
    pfifo_stream_writer_close(writer);
    assert_null(pfifo_stream_writer_open_sink(NULL, NULL, PFIFO_STREAM_ZSTD, &error));
    assert_int_equal(error.status, PFIFO_ERROR_ARGUMENT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_flushed_can_be_read),
        cmocka_unit_test(a_cut_leaves_the_whole_submissions_before_it),
        cmocka_unit_test(a_cut_before_anything_is_an_error),
        cmocka_unit_test(a_sink_that_fails_is_an_error_with_its_errno),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
