/* SPDX-License-Identifier: MIT */
#include "decode/recorder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static bool record(void *opaque, const struct pfifo_decode_event *event) {
    struct recorder *recorder = opaque;

    if (recorder->count < RECORDER_EVENTS)
        recorder->events[recorder->count] = *event;
    recorder->count++;
    return true;
}

static const uint8_t *map(void *opaque, uint64_t address, size_t *bytes) {
    const struct recorder *recorder = opaque;
    uint64_t offset = address - recorder->memory_address;

    if (address < recorder->memory_address || offset >= recorder->memory_bytes)
        return NULL;
    *bytes = recorder->memory_bytes - (size_t)offset;
    return recorder->memory + offset;
}

void recorder_start(struct recorder *recorder, const char *chip, struct pfifo_decode_options options) {
    struct pfifo_error error = {0};

    memset(recorder, 0, sizeof *recorder);
    recorder->chip = options.chip = pfifo_chip_by_name(chip);
    assert_non_null(recorder->chip);
    recorder->decoder = pfifo_decoder_new(&options, record, map, recorder, &error);
    if (!recorder->decoder)
        fail_msg("%s", error.message);
}

void recorder_stop(struct recorder *recorder) {
    pfifo_decoder_free(recorder->decoder);
}

size_t recorder_assemble(const struct recorder *recorder, const char *source, uint8_t bytes[4 * RECORDER_WORDS]) {
    uint32_t words[RECORDER_WORDS];
    struct pfifo_error error = {0};
    size_t count;

    if (pfifo_assemble(recorder->chip, source, words, RECORDER_WORDS, &count, &error) != PFIFO_OK)
        fail_msg("%s", error.message);
    assert_true(count <= RECORDER_WORDS);
    for (size_t i = 0; i < 4 * count; i++)
        bytes[i] = (uint8_t)(words[i / 4] >> (i % 4 * 8));
    return count;
}

void recorder_segment(struct recorder *recorder, uint32_t channel, uint64_t address, enum pfifo_decode_entry entry,
                      const char *source) {
    uint8_t bytes[4 * RECORDER_WORDS];
    struct pfifo_decode_segment segment = {.channel = channel, .address = address, .words = bytes, .entry = entry};

    segment.count = recorder_assemble(recorder, source, bytes);
    assert_int_equal(pfifo_decoder_segment(recorder->decoder, &segment, NULL), PFIFO_OK);
}

const char *recorder_line(struct recorder *recorder, size_t index) {
    const struct pfifo_decode_event *event = &recorder->events[index];
    char *text = recorder->text;
    size_t size = sizeof recorder->text;

    switch (event->kind) {
    case PFIFO_DECODE_SUBMISSION:
        snprintf(text, size, "submission %u", event->sequence);
        break;
    case PFIFO_DECODE_ENTRY:
        snprintf(text, size, "entry %" PRIx64 " to %" PRIx64 " count %u%s", event->address, event->target, event->count,
                 event->no_prefetch ? " sync" : "");
        break;
    case PFIFO_DECODE_SEGMENT:
        snprintf(text, size, "segment %" PRIx64 " count %u", event->address, event->count);
        break;
    case PFIFO_DECODE_HEADER:
        snprintf(text, size, "%" PRIx64 " %s %u %x count %u", event->address, event->form, event->subchannel,
                 event->method, event->count);
        break;
    case PFIFO_DECODE_COUNT:
        snprintf(text, size, "%" PRIx64 " count %u", event->address, event->count);
        break;
    case PFIFO_DECODE_METHOD:
        snprintf(text, size, "%" PRIx64 " method %u %x data %x%s", event->address, event->subchannel, event->method,
                 event->data, event->discarded ? " discarded" : "");
        break;
    case PFIFO_DECODE_JUMP:
        snprintf(text, size, "%" PRIx64 " %s to %" PRIx64, event->address, event->form, event->target);
        break;
    case PFIFO_DECODE_CONTROL:
        snprintf(text, size, "%" PRIx64 " %s %x", event->address, event->form, event->data);
        break;
    case PFIFO_DECODE_SKIPPED:
        snprintf(text, size, "%" PRIx64 " skipped %u", event->address, event->count);
        break;
    case PFIFO_DECODE_ERROR:
        snprintf(text, size, "%" PRIx64 " error %s", event->address, event->text);
        break;
    case PFIFO_DECODE_SYNC:
        snprintf(text, size, "%s %u %" PRIu64, event->form, event->count, event->target);
        break;
    case PFIFO_DECODE_SYNCPOINT:
        snprintf(text, size, "%s %u %u", event->form, event->count, event->data);
        break;
    }
    return text;
}

void recorder_expect(struct recorder *recorder, size_t first, const char *lines) {
    size_t at = first;

    for (; *lines; at++) {
        size_t length = strcspn(lines, "\n");
        const char *line = at < recorder->count ? recorder_line(recorder, at) : "(no more events)";
        if (strlen(line) != length || strncmp(line, lines, length) != 0)
            fail_msg("event %zu is '%s', expected '%.*s'", at, line, (int)length, lines);
        lines += length + 1;
    }
    if (at != recorder->count)
        fail_msg("event %zu was not expected: '%s'", at, recorder_line(recorder, at));
}
