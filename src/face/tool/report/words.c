/* SPDX-License-Identifier: MIT */
/*
 * The words of a capture as rows: [kind, submission, channel, address, word ...], by kind
 *
 *   0 submission  segments            4 jump       address, word, target, form
 *   1 segment     address, words      5, 6 other, error: address, word, text
 *   2 header      address, word, subchannel, method of the table, count, form
 *   3 method      address, word, subchannel, method of the table, data, meaning[, 1: not for this GPU]
 *   7 syncpoint   number, value, form
 */
#include "face/tool/report/report.h"
#include "face/common/naming.h"

#include "chip/counted.h"

#include <pfifo/classes.h>
#include <pfifo/decode.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { ROW_SUBMISSION, ROW_SEGMENT, ROW_HEADER, ROW_METHOD, ROW_JUMP, ROW_OTHER, ROW_ERROR, ROW_SYNCPOINT };
enum { MEANING_BYTES = 400, TEXTS = 100, TEXT_BYTES = 2000 };

/* The method before, on each subchannel: the high half of an address may be in it. */
struct words {
    struct report *report;
    struct {
        uint32_t channel, oclass, method, data;
    } before[PFIFO_DECODE_SUBCHANNELS];
};

/* Does the method have part of an address; *whole: all of its bits? */
static bool words_has_address(uint32_t oclass, uint32_t method, bool *whole) {
    struct pfifo_method_name name;
    struct pfifo_field field = {0};

    if (!pfifo_method_find(oclass, method, &name))
        return false;
    while (pfifo_field_next(&name, &field))
        if (field.type == PFIFO_FIELD_ADDRESS) {
            *whole = field.low == 0 && field.high == 31 && field.shift == 0;
            return true;
        }
    return false;
}

/* Two methods that follow each other are an address, its high half first. */
static void words_note_address(struct words *words, const struct pfifo_decode_event *event, uint32_t row) {
    unsigned subchannel = event->subchannel % PFIFO_DECODE_SUBCHANNELS;
    uint32_t high = words->before[subchannel].data & 0x1ffffff, oclass = event->name_class;
    bool whole = false, unused;

    if (words->before[subchannel].channel == event->channel && words->before[subchannel].oclass == oclass &&
        words->before[subchannel].method + 4 == event->method && words_has_address(oclass, event->method, &whole) &&
        whole && words_has_address(oclass, event->method - 4u, &unused) && (high || event->data))
        report_access(words->report, 'n', "address", (uint64_t)high << 32 | event->data, 1, row);
    words->before[subchannel].channel = event->channel;
    words->before[subchannel].oclass = oclass;
    words->before[subchannel].method = event->method;
    words->before[subchannel].data = event->data;
}

static unsigned report_words_kind_of(enum pfifo_decode_kind kind) {
    static const uint8_t kinds[] = {
        [PFIFO_DECODE_SUBMISSION] = ROW_SUBMISSION,
        [PFIFO_DECODE_SEGMENT] = ROW_SEGMENT,
        [PFIFO_DECODE_HEADER] = ROW_HEADER,
        [PFIFO_DECODE_METHOD] = ROW_METHOD,
        [PFIFO_DECODE_JUMP] = ROW_JUMP,
        [PFIFO_DECODE_ENTRY] = ROW_OTHER,
        [PFIFO_DECODE_COUNT] = ROW_OTHER,
        [PFIFO_DECODE_CONTROL] = ROW_OTHER,
        [PFIFO_DECODE_SKIPPED] = ROW_OTHER,
        [PFIFO_DECODE_ERROR] = ROW_ERROR,
        [PFIFO_DECODE_SYNCPOINT] = ROW_SYNCPOINT,
        [PFIFO_DECODE_SYNC] = ROW_OTHER,
    };

    return (unsigned)kind < sizeof kinds ? kinds[kind] : ROW_OTHER;
}

static void put_meaning(struct json_writer *json, const struct pfifo_decode_event *event) {
    char text[MEANING_BYTES] = "";

    pfifo_method_describe(event->name_class, event->method, event->data, text, sizeof text);
    json_put_text(json, NULL, text);
    if (event->discarded)
        json_put_number(json, NULL, 1);
}

static void put_other(struct json_writer *json, const struct pfifo_decode_event *event) {
    const char *kind = pfifo_decode_kind_name(event->kind);
    char text[300];

    if (event->kind == PFIFO_DECODE_SKIPPED)
        snprintf(text, sizeof text, "%s: %s", counted(event->count, "word").text,
                 event->text ? event->text : "skipped");
    else if (event->kind == PFIFO_DECODE_SYNC)
        snprintf(text, sizeof text, "%s: sync object %" PRIu32 ", point %" PRIu64, event->form, event->count,
                 event->target);
    else
        snprintf(text, sizeof text, "%s%s%s",
                 event->form ? event->form
                 : kind      ? kind
                             : "",
                 event->text ? ": " : "", event->text ? event->text : "");
    json_put_text(json, NULL, text);
}

/* A row's words after where it is, by its kind. */
static void put_detail(struct report *report, const struct pfifo_decode_event *event, unsigned kind) {
    struct json_writer *json = &report->json;

    if (kind == ROW_HEADER || kind == ROW_METHOD) {
        json_put_number(json, NULL, event->subchannel);
        json_put_number(json, NULL, report_method(report, event->name_class, event->method));
        json_put_number(json, NULL, kind == ROW_HEADER ? event->count : event->data);
    }
    if (kind == ROW_HEADER)
        json_put_text(json, NULL, event->form ? event->form : "");
    else if (kind == ROW_METHOD)
        put_meaning(json, event);
    else if (kind == ROW_OTHER || kind == ROW_ERROR)
        put_other(json, event);
    if (kind != ROW_JUMP)
        return;
    json_put_number(json, NULL, event->target);
    json_put_text(json, NULL, event->form ? event->form : "jump");
}

static void report_words_put_row(struct report *report, const struct pfifo_decode_event *event, unsigned kind) {
    struct json_writer *json = &report->json;

    json_new_line(json);
    json_open(json, NULL, '[');
    json_put_number(json, NULL, kind);
    json_put_number(json, NULL, event->sequence);
    json_put_number(json, NULL, event->channel);
    if (kind != ROW_SUBMISSION && kind != ROW_SYNCPOINT)
        json_put_number(json, NULL, event->address);
    json_put_number(json, NULL,
                    kind == ROW_SUBMISSION || kind == ROW_SEGMENT || kind == ROW_SYNCPOINT ? event->count
                                                                                           : event->word);
    if (kind == ROW_SYNCPOINT) {
        json_put_number(json, NULL, event->data);
        json_put_text(json, NULL, event->form ? event->form : "");
    }
    put_detail(report, event, kind);
    json_close(json);
}

static bool take_row(struct words *words, const struct pfifo_decode_event *event) {
    struct report *report = words->report;
    unsigned kind = report_words_kind_of(event->kind);

    if (!report_grow(report, (void **)&report->row, &report->rows_room, report->rows, sizeof *report->row) ||
        !report_grow(report, (void **)&report->mark, &report->marks_room, report->marks, sizeof *report->mark))
        return false;
    report_words_put_row(report, event, kind);
    if (kind == ROW_METHOD)
        words_note_address(words, event, (uint32_t)report->rows);
    if (kind == ROW_HEADER || kind == ROW_METHOD || kind == ROW_ERROR || kind == ROW_JUMP)
        report->mark[report->marks++] = (struct report_mark){event->sequence, (uint32_t)report->rows, event->address};
    report->row[report->rows++] = (struct report_row){kind == ROW_METHOD, event->method};
    return true;
}

static bool words_see(void *opaque, const struct pfifo_decode_event *event) {
    struct words *words = opaque;
    struct report *report = words->report;

    if (event->kind == PFIFO_DECODE_SUBMISSION)
        report->submissions++;
    if (event->sequence < report->first || event->sequence > report->last)
        return true;
    if (report->rows >= report->most_rows) {
        report->left_out++;
        return true;
    }
    return take_row(words, event);
}

static bool no_text(void *opaque, const char *text, size_t bytes) {
    (void)opaque, (void)text, (void)bytes;
    return true;
}

static int compare_marks(const void *a, const void *b) {
    const struct report_mark *one = a, *other = b;

    if (one->sequence != other->sequence)
        return one->sequence < other->sequence ? -1 : 1;
    if (one->address != other->address)
        return one->address < other->address ? -1 : 1;
    return one->row < other->row ? -1 : one->row > other->row;
}

static void words_put_piece(struct json_writer *json, const char *text, size_t bytes) {
    char *copy = strndup(text, bytes < TEXT_BYTES ? bytes : TEXT_BYTES);

    json_put_text(json, NULL, copy ? copy : "");
    free(copy);
}

/* What the recorder has noted: program, time, driver. */
static enum pfifo_status put_texts(struct report *report, struct pfifo_stream *stream, struct pfifo_error *error) {
    struct json_writer *json = &report->json;
    struct pfifo_stream_record record;
    enum pfifo_status status;
    unsigned count = 0;

    json_new_line(json);
    json_open(json, "texts", '[');
    pfifo_stream_rewind(stream);
    while ((status = pfifo_stream_next(stream, &record, error)) == PFIFO_OK && record.type != PFIFO_STREAM_END &&
           count < TEXTS) {
        if (record.type != PFIFO_STREAM_TEXT)
            continue;
        count++;
        json_new_line(json);
        json_open(json, NULL, '[');
        words_put_piece(json, record.text.key, record.text.key_bytes);
        words_put_piece(json, record.text.value, record.text.value_bytes);
        json_close(json);
    }
    json_close(json);
    return status;
}

enum pfifo_status report_words(struct report *report, struct pfifo_stream *stream, struct pfifo_error *error) {
    struct words words = {.report = report};
    const struct pfifo_decode_options options = {.size = sizeof options,
                                                 .names = naming(),
                                                 .chip = report->chip,
                                                 .format = PFIFO_DECODE_NOTHING,
                                                 .errors = &report->errors,
                                                 .event = words_see,
                                                 .event_opaque = &words};
    enum pfifo_status status;

    json_new_line(&report->json);
    json_open(&report->json, "rows", '[');
    status = pfifo_decode_stream(stream, &options, no_text, NULL, error);
    json_close(&report->json);
    if (status == PFIFO_OK && report->marks)
        qsort(report->mark, report->marks, sizeof *report->mark, compare_marks);
    return status == PFIFO_OK ? put_texts(report, stream, error) : status;
}

uint32_t report_row_of(const struct report *report, uint32_t sequence, uint64_t address) {
    const struct report_mark key = {.sequence = sequence, .address = address};
    size_t low = 0, high = report->marks;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare_marks(&report->mark[middle], &key) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == report->marks || report->mark[low].sequence != sequence || report->mark[low].address != address)
        return REPORT_NO_ROW;
    return report->mark[low].row;
}

uint32_t report_row_method(const struct report *report, uint32_t row, uint32_t method) {
    if (row == REPORT_NO_ROW || (report->row[row].is_method && report->row[row].method == method))
        return row;
    for (size_t at = (size_t)row + 1; at < report->rows && report->row[at].is_method; at++)
        if (report->row[at].method == method)
            return (uint32_t)at;
    return row;
}
