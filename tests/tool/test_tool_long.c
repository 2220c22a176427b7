/* SPDX-License-Identifier: MIT */
/* Captures that are longer than the memory that the tool may have. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include <pfifo/stream.h>

#include "tool/tool.h"

enum { SUBMISSIONS = 32, DATA_BYTES = 4 << 20, MEMORY_BYTES = 112 << 20 };

#define APPEND(kind, member, ...)                                                                                      \
    assert_int_equal(pfifo_stream_writer_append(                                                                       \
                         writer, &(struct pfifo_stream_record){.type = (kind), .member = {__VA_ARGS__}}, NULL),        \
                     PFIFO_OK)

/* One submission: a buffer of which all bytes are recorded, and an immediate method of a GF100. */
static void submit(struct pfifo_stream_writer *writer, uint32_t sequence, const uint8_t *data) {
    static const uint8_t words[] = {0x40, 0, 0x01, 0x80};

    APPEND(PFIFO_STREAM_SUBMIT, submit, .sequence = sequence, .buffers = 1, .pushes = 1);
    APPEND(PFIFO_STREAM_BOREF, boref, .handle = 1, .valid_domains = PFIFO_STREAM_GART, .address = 0x20000000,
           .bytes = DATA_BYTES);
    APPEND(PFIFO_STREAM_BODATA, bodata, .handle = 1, .data = data, .bytes = DATA_BYTES);
    APPEND(PFIFO_STREAM_PUSH, push, .handle = 1, .length = sizeof words, .address = 0x20000000, .words = words,
           .word_count = 1);
    APPEND(PFIFO_STREAM_SUBEND, subend, .sequence = sequence);
}

static char *long_capture(void) {
    char *path = temporary_path(".nvcap.zst");
    struct pfifo_stream_writer *writer = pfifo_stream_writer_open(path, PFIFO_STREAM_ZSTD, NULL);
    uint8_t *data = calloc(1, DATA_BYTES);

    assert_non_null(writer);
    assert_non_null(data);
    assert_int_equal(pfifo_stream_writer_text(writer, "chipset", "0xc0", NULL), PFIFO_OK);
    APPEND(PFIFO_STREAM_CHAN, chan, .pushbuf_domains = PFIFO_STREAM_GART, .notifier_bo = 1);
    APPEND(PFIFO_STREAM_BONEW, bonew, .handle = 1, .domain = PFIFO_STREAM_GART, .bytes = DATA_BYTES,
           .address = 0x20000000);
    for (uint32_t sequence = 1; sequence <= SUBMISSIONS; sequence++)
        submit(writer, sequence, data);
    assert_int_equal(pfifo_stream_writer_finish(writer, NULL), PFIFO_OK);
    pfifo_stream_writer_close(writer);
    free(data);
    return path;
}

static struct outcome run_with_little_memory(const char *const *arguments) {
    struct rlimit before, less;

    assert_int_equal(getrlimit(RLIMIT_AS, &before), 0);
    less = before;
    less.rlim_cur = MEMORY_BYTES;
    assert_int_equal(setrlimit(RLIMIT_AS, &less), 0);
    struct outcome outcome = tool_run_to(NULL, arguments);
    assert_int_equal(setrlimit(RLIMIT_AS, &before), 0);
    return outcome;
}

/* The files have 128 MiB, and the tool may have 112 with all its libraries. */
static void memory_does_not_grow_with_the_length_of_a_capture(void **state) {
    (void)state;
#ifdef __SANITIZE_ADDRESS__
    skip(); /* it has terabytes of addresses */
#endif
    char *path = long_capture();
    const char *const commands[][5] = {{"decode", "--digest", path}, {"top", path}, {"diff", "-q", path, path}};

    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        struct outcome outcome = run_with_little_memory(commands[i]);
        expect_status(0, &outcome);
        if (i == 1)
            expect_printed(&outcome, "32 submissions, 32 words");
        outcome_free(&outcome);
    }
    unlink(path);
    free(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_does_not_grow_with_the_length_of_a_capture),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
