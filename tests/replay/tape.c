/* SPDX-License-Identifier: MIT */
#include "replay/tape.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

void tape_open(struct tape *tape, uint32_t version, const char *chipset) {
    *tape = (struct tape){.writer = pfifo_stream_writer_open_memory(PFIFO_STREAM_PLAIN, NULL)};
    assert_int_equal(pfifo_stream_writer_version(tape->writer, version, NULL), PFIFO_OK);
    assert_int_equal(pfifo_stream_writer_text(tape->writer, "chipset", chipset, NULL), PFIFO_OK);
}

void tape_put(struct tape *tape, const struct pfifo_stream_record *record) {
    struct pfifo_error error = {0};

    if (pfifo_stream_writer_append(tape->writer, record, &error) != PFIFO_OK)
        fail_msg("%s", error.message);
}

enum pfifo_status tape_play(struct tape *tape, void (*gone)(void *opaque, uint32_t handle, struct pfifo_buffer *buffer),
                            struct pfifo_error *error) {
    const struct pfifo_replay_config config = {
        .size = sizeof config, .locate = true, .buffer_gone = gone, .opaque = tape};
    enum pfifo_status status = PFIFO_OK;
    size_t bytes;

    assert_int_equal(pfifo_stream_writer_finish(tape->writer, NULL), PFIFO_OK);
    const void *data = pfifo_stream_writer_memory(tape->writer, &bytes);
    tape->stream = pfifo_stream_open_memory(data, bytes, "tape", error);
    tape->replay = pfifo_replay_new(tape->stream, &config, error);
    assert_non_null(tape->replay);
    for (bool more = true; more && status == PFIFO_OK;)
        status = pfifo_replay_next(tape->replay, &more, error);
    return status;
}

void tape_close(struct tape *tape) {
    pfifo_replay_free(tape->replay);
    pfifo_stream_close(tape->stream);
    pfifo_stream_writer_close(tape->writer);
    tape->replay = NULL;
    tape->stream = NULL;
    tape->writer = NULL;
}
