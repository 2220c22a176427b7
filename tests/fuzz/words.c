/* SPDX-License-Identifier: MIT */
/*
 * Fuzz target: texts with words. The first byte picks a chip, the second how; the rest is a text, or raw words. What is
 * read has its words in segments, one after the other, and each word a line of the text; and a capture can be made of
 * it, which is read to its end.
 */
#include <pfifo/words.h>

#include <stdlib.h>
#include <string.h>

enum { HEADER_BYTES = 2, MOST_BYTES = 1 << 16 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition) {
    if (!condition)
        abort();
}

static size_t count_lines(const uint8_t *data, size_t size) {
    size_t lines = 1;

    for (size_t i = 0; i < size; i++)
        lines += data[i] == '\n';
    return lines;
}

static void check_words(const struct pfifo_words *words, size_t lines, bool raw) {
    struct pfifo_words_info info = pfifo_words_info(words);
    size_t bytes, next = 0;
    uint32_t submission = 1;

    pfifo_words_data(words, &bytes);
    require(bytes == 4 * info.words);
    for (size_t i = 0; i < info.segments; i++) {
        struct pfifo_words_segment segment = pfifo_words_segment(words, i);
        require(segment.first == next && segment.count <= info.words - next);
        require(i == 0 ? segment.submission == 1
                       : segment.submission == submission || segment.submission == submission + 1);
        require(segment.line <= lines);
        next += segment.count;
        submission = segment.submission;
    }
    require(next == info.words && info.cut_line <= lines && info.missing_line <= lines);
    for (size_t i = 0; i < info.words; i++)
        require(raw ? pfifo_words_line(words, i) == 0
                    : pfifo_words_line(words, i) > 0 && pfifo_words_line(words, i) <= lines);
}

static void check_capture(const struct pfifo_words *words, const struct pfifo_words_capture_options *options) {
    struct pfifo_error error = {0};
    struct pfifo_stream *stream = pfifo_words_capture(words, options, &error);
    struct pfifo_stream_record record = {.type = PFIFO_STREAM_TEXT};

    require(stream || (error.status != PFIFO_OK && error.message[0]));
    while (stream && record.type != PFIFO_STREAM_END) {
        require(pfifo_stream_next(stream, &record, NULL) == PFIFO_OK);
        if (record.type == PFIFO_STREAM_PUSH)
            pfifo_words_capture_line(words, options, 1, record.push.address);
    }
    pfifo_stream_close(stream);
}

/* mode: [0] raw words, [1] with a base, [2] to be run, [3] as a ring, [4] with classes that are bound */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct pfifo_words_capture_options options = {0};
    struct pfifo_error error = {0};
    struct pfifo_words *words;
    bool raw;

    if (size < HEADER_BYTES || size > MOST_BYTES)
        return 0;
    options.chip = pfifo_chip_at(data[0] % pfifo_chip_count());
    raw = data[1] & 1;
    options.has_base = data[1] & 2;
    options.base = 0x10000;
    options.runs = data[1] & 4;
    options.ring = data[1] & 8;
    options.bound[3] = data[1] & 16 ? 0x39 : 0;
    data += HEADER_BYTES;
    size -= HEADER_BYTES;
    words = raw ? pfifo_words_raw(data, size, "fuzz", &error) : pfifo_words_read(data, size, "fuzz", &error);
    require(words || (error.status != PFIFO_OK && error.message[0]));
    require(raw || !words || pfifo_words_recognise(data, size));
    if (words) {
        check_words(words, count_lines(data, size), raw);
        check_capture(words, &options);
    }
    pfifo_words_free(words);
    return 0;
}
