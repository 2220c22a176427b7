/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "decode/small_capture.h"

struct pfifo_stream *small_capture(void) {
    struct pfifo_stream_writer *writer = pfifo_stream_writer_open_memory(PFIFO_STREAM_PLAIN, NULL);
    uint8_t words[2][24];
    size_t size;

    assert_int_equal(pfifo_stream_writer_text(writer, "chipset", "0xc0", NULL), PFIFO_OK);
    for (uint32_t sequence = 1; sequence <= 2; sequence++) {
        const struct pfifo_stream_record records[] = {
            {.type = PFIFO_STREAM_SUBMIT, .submit = {.sequence = sequence, .pushes = 1}},
            {.type = PFIFO_STREAM_PUSH,
             .push = {.handle = 2, .length = 24, .address = 0x1000, .words = words[sequence - 1], .word_count = 6}},
            {.type = PFIFO_STREAM_SUBEND, .subend = {.sequence = sequence}},
        };
        for (uint32_t i = 0; i < 6; i++) {
            uint32_t word = i == 3 && sequence == 2 ? 0xc0000000 : 0x80000040 | (10 * sequence + i) << 16;
            for (uint32_t b = 0; b < 4; b++)
                words[sequence - 1][4 * i + b] = (uint8_t)(word >> 8 * b);
        }
        for (size_t i = 0; i < 3; i++)
            assert_int_equal(pfifo_stream_writer_append(writer, &records[i], NULL), PFIFO_OK);
    }
    assert_int_equal(pfifo_stream_writer_finish(writer, NULL), PFIFO_OK);
    const void *bytes = pfifo_stream_writer_memory(writer, &size);
    struct pfifo_stream *stream = pfifo_stream_open_memory(bytes, size, "test", NULL);
    pfifo_stream_writer_close(writer);
    assert_non_null(stream);
    return stream;
}
