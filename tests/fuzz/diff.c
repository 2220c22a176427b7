/* SPDX-License-Identifier: MIT */
/*
 * Two streams are compared: every line of both is counted once, and as many lines are written.
 *
 *   byte 0     the chip
 *   byte 1     [0] addresses are ignored, [1] IB, [7:4] context
 *   byte 2, 3  how many bytes A has; the rest is B
 */
#include <pfifo/diff.h>

#include <string.h>

#include "fuzz/input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { HEADER_BYTES = 4, MARKS = 128 };

static bool count_marks(void *opaque, const char *text, size_t bytes) {
    uint64_t *marks = opaque; /* the last one: whether a line has begun */

    for (size_t i = 0; i < bytes; i++) {
        require(text[i] == '\n' || (text[i] >= ' ' && text[i] <= '~'));
        if (!marks[MARKS])
            marks[(unsigned char)text[i]]++;
        marks[MARKS] = text[i] != '\n';
    }
    return true;
}

static bool count_lines(void *opaque, const struct pfifo_decode_event *event) {
    uint64_t *lines = opaque;

    *lines += event->kind == PFIFO_DECODE_METHOD || event->kind == PFIFO_DECODE_SKIPPED ||
              event->kind == PFIFO_DECODE_ERROR || event->kind == PFIFO_DECODE_SYNCPOINT;
    return true;
}

static uint64_t lines_of(const struct pfifo_diff_side *side, struct pfifo_decode_options with) {
    uint64_t lines = 0, marks[MARKS + 1] = {0};

    with.format = PFIFO_DECODE_NOTHING;
    with.event = count_lines;
    with.event_opaque = &lines;
    require(pfifo_decode_raw(side->words, side->bytes, &with, count_marks, marks, NULL) == PFIFO_OK);
    return lines;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < HEADER_BYTES)
        return 0;
    const struct pfifo_decode_options with = {.chip = pfifo_chip_at(data[0] % pfifo_chip_count()), .ib = data[1] & 2};
    const struct pfifo_diff_options options = {.ignore_addresses = data[1] & 1, .context = data[1] >> 4};
    size_t bytes = size - HEADER_BYTES, first = (size_t)(data[2] | data[3] << 8) % (bytes + 1);
    const struct pfifo_diff_side a = {.words = data + HEADER_BYTES, .bytes = first, .options = &with};
    const struct pfifo_diff_side b = {.words = data + HEADER_BYTES + first, .bytes = bytes - first, .options = &with};
    uint64_t marks[MARKS + 1] = {0};
    struct pfifo_diff_result result;

    if (pfifo_diff(&a, &b, &options, count_marks, marks, &result, NULL) != PFIFO_OK)
        return 0; /* a chip without pushbuffers */
    require(result.same + result.removed == lines_of(&a, with));
    require(result.same + result.added == lines_of(&b, with));
    require(marks['-'] == result.removed + (marks['@'] > 0));
    require(marks['+'] == result.added + (marks['@'] > 0));
    require(marks[' '] <= result.same);
    require(pfifo_diff(&a, &a, &options, count_marks, marks, &result, NULL) == PFIFO_OK);
    require(!result.removed && !result.added);
    return 0;
}
