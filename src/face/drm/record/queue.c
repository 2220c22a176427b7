/* SPDX-License-Identifier: MIT */
#include "face/drm/record/queue.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- items ---- */

static struct item_record *add_record(struct item *item, const struct pfifo_stream_record *record) {
    if (item->count == item->room) {
        size_t room = item->room ? 2 * item->room : 4;
        struct item_record *records = realloc(item->records, room * sizeof *records);
        if (!records) {
            item->failed = true;
            return NULL;
        }
        item->records = records;
        item->room = room;
    }
    struct item_record *added = &item->records[item->count++];
    *added = (struct item_record){.record = *record, .at = item->data.size};
    return added;
}

void item_add(struct item *item, const struct pfifo_stream_record *record, const void *data, size_t bytes) {
    if (add_record(item, record) && bytes && !bytes_append(&item->data, data, bytes))
        item->failed = true;
}

void item_add_silent(struct item *item, const struct pfifo_stream_record *record) {
    struct item_record *added = add_record(item, record);
    if (added)
        added->silent = true;
}

static void free_item(struct item *item) {
    bytes_free(&item->data);
    free(item->records);
    free(item);
}

static struct item *take_first(struct queue *queue) {
    struct item *item = queue->first;
    queue->first = item->next;
    if (!queue->first)
        queue->last = NULL;
    return item;
}

static void drop_all(struct queue *queue) {
    while (queue->first)
        free_item(take_first(queue));
}

/* ---- writing ---- */

static void queue_stop(struct queue *queue, const char *why) {
    char line[300];
    snprintf(line, sizeof line, "the recording ends here: %s", why);
    queue->host->log(queue->opaque, line);
    pfifo_stream_writer_close(queue->writer);
    queue->writer = NULL;
    queue->ended = true;
}

static void queue_check(struct queue *queue, enum pfifo_status status, const struct pfifo_error *error) {
    if (status != PFIFO_OK)
        queue_stop(queue, error->message);
}

/* Now the number of a submission is known. */
static void queue_complete(struct queue *queue, const struct item *item, struct item_record *entry, char *text,
                           size_t room) {
    struct pfifo_stream_record *record = &entry->record;
    const uint8_t *data = item->data.data ? item->data.data + entry->at : NULL;
    switch (record->type) {
    case PFIFO_STREAM_SUBMIT:
        record->submit.sequence = ++queue->sequence;
        break;
    case PFIFO_STREAM_SUBEND:
        record->subend.sequence = queue->sequence;
        break;
    case PFIFO_STREAM_BODATA:
        record->bodata.data = data;
        break;
    case PFIFO_STREAM_PUSH:
        record->push.words = data;
        break;
    case PFIFO_STREAM_TEXT:
        record->text.value = (const char *)data;
        if (entry->flip) {
            snprintf(text, room, "%" PRIu32 " submit=%" PRIu32, record->number, queue->sequence);
            record->text.value = text;
            record->text.value_bytes = strlen(text);
        }
        break;
    default:
        break;
    }
}

/* A note that cannot be printed, the writer refuses; nothing else. */
static void write_item(struct queue *queue, const struct item *item) {
    struct pfifo_error error = {0};
    char text[64];
    for (size_t i = 0; i < item->count && queue->writer; i++) {
        struct item_record *entry = &item->records[i];
        if (entry->silent)
            continue;
        queue_complete(queue, item, entry, text, sizeof text);
        enum pfifo_status status = pfifo_stream_writer_append(queue->writer, &entry->record, &error);
        if (status != PFIFO_ERROR_ARGUMENT || entry->record.type != PFIFO_STREAM_TEXT)
            queue_check(queue, status, &error);
    }
}

#define MOST_HEAD_BYTES 64u   /* of a record, without what it points to */
#define OTHER_BYTES     4096u /* of the texts at both ends */
#define LIMIT_TEXT      "a capture has 1 GiB at most"

/* In time, so that what is there can be read. */
static void end_if_full(struct queue *queue, const struct item *item) {
    struct pfifo_error error = {0};
    queue->bytes += item->count * MOST_HEAD_BYTES + item->data.size;
    if (!queue->writer || queue->bytes <= queue->limit)
        return;
    pfifo_stream_writer_text(queue->writer, "truncated", LIMIT_TEXT, NULL);
    pfifo_stream_writer_finish(queue->writer, &error);
    queue_stop(queue, LIMIT_TEXT);
}

/* After each submission the file can be read, whatever becomes of the program. */
static bool wants_flush(const struct item *item) {
    enum pfifo_stream_type last = item->count ? item->records[item->count - 1].record.type : PFIFO_STREAM_END;
    return last == PFIFO_STREAM_SUBEND || last == PFIFO_STREAM_RUN;
}

static void write_ready(struct queue *queue) {
    bool flush = false;
    while (!queue->holds && queue->first && queue->first->ready) {
        struct item *item = take_first(queue);
        if (!item->failed)
            end_if_full(queue, item);
        if (!item->failed)
            write_item(queue, item);
        flush |= wants_flush(item);
        free_item(item);
    }
    struct pfifo_error error = {0};
    if (flush && queue->writer)
        queue_check(queue, pfifo_stream_writer_flush(queue->writer, &error), &error);
}

void queue_ready(struct queue *queue, struct item *item) {
    bool failed = item->failed;
    item->ready = true;
    write_ready(queue);
    if (failed)
        queue_note(queue, "something is missing here: no memory");
}

/* ---- the queue ---- */

static bool sink(void *opaque, const void *data, size_t bytes) {
    const struct queue *queue = opaque;
    return queue->host->write(queue->opaque, data, bytes);
}

static void text(struct queue *queue, const char *key, const char *value) {
    pfifo_stream_writer_text(queue->writer, key, value, NULL);
}

#define MOST_HELD 65536u

void queue_hold(struct queue *queue) {
    queue->holds = !queue->writer && !queue->ended;
}

bool queue_begin(struct queue *queue, uint32_t chipset, const char *driver, uint32_t version) {
    struct pfifo_error error = {0};
    char number[16];
    if (queue->writer || queue->ended)
        return queue->writer != NULL;
    queue->limit = PFIFO_STREAM_WHOLE_LIMIT - OTHER_BYTES;
    if (!queue->host->open(queue->opaque)) {
        drop_all(queue);
        queue->holds = false;
        queue->ended = true;
        return false;
    }
    queue->writer = pfifo_stream_writer_open_sink(sink, queue, PFIFO_STREAM_ZSTD, &error);
    if (!queue->writer) {
        queue_stop(queue, error.message);
        return false;
    }
    queue_check(queue, pfifo_stream_writer_version(queue->writer, version, &error), &error);
    snprintf(number, sizeof number, "0x%" PRIx32, chipset);
    if (chipset) /* a reader refuses one that is none */
        text(queue, "chipset", number);
    text(queue, "driver", driver);
    queue_check(queue, pfifo_stream_writer_flush(queue->writer, &error), &error);
    queue->holds = false;
    write_ready(queue);
    return queue->writer != NULL;
}

/* An ioctl that is under way when the program ends has no result. */
void queue_end(struct queue *queue) {
    struct pfifo_error error = {0};
    drop_all(queue);
    if (queue->writer)
        queue_check(queue, pfifo_stream_writer_finish(queue->writer, &error), &error);
    pfifo_stream_writer_close(queue->writer);
    queue->writer = NULL;
    queue->ended = true;
}

void queue_abandon(struct queue *queue) {
    drop_all(queue);
    pfifo_stream_writer_close(queue->writer);
    queue->writer = NULL;
    queue->ended = true;
}

/* Room for one more of those that wait for the capture's begin? Else there will be none. */
static bool queue_may_hold(struct queue *queue) {
    if (!queue->holds || queue->held++ < MOST_HELD)
        return queue->holds;
    drop_all(queue);
    queue->holds = false;
    queue_stop(queue, "too much happens before the first submission");
    return false;
}

struct item *queue_add(struct queue *queue) {
    struct item *item = queue->writer || queue_may_hold(queue) ? calloc(1, sizeof *item) : NULL;
    if (!item)
        return NULL;
    bytes_init(&item->data, SIZE_MAX / 2);
    if (queue->last)
        queue->last->next = item;
    else
        queue->first = item;
    queue->last = item;
    return item;
}

void queue_drop(struct queue *queue, struct item *item) {
    item->count = 0;
    item->ready = true;
    write_ready(queue);
}

void queue_record(struct queue *queue, const struct pfifo_stream_record *record) {
    struct item *item = queue_add(queue);
    if (!item)
        return;
    item_add(item, record, NULL, 0);
    queue_ready(queue, item);
}

void queue_flip(struct queue *queue, uint32_t framebuffer) {
    const struct pfifo_stream_record record = {
        .type = PFIFO_STREAM_TEXT, .number = framebuffer, .text = {.key = "flip", .key_bytes = 4}};
    struct item *item = queue_add(queue);
    if (!item)
        return;
    struct item_record *added = add_record(item, &record);
    if (added)
        added->flip = true;
    queue_ready(queue, item);
}

void queue_note(struct queue *queue, const char *format, ...) {
    char value[200];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(value, sizeof value, format, arguments);
    va_end(arguments);
    const struct pfifo_stream_record record = {.type = PFIFO_STREAM_TEXT,
                                               .text = {.key = "note", .key_bytes = 4, .value_bytes = strlen(value)}};
    struct item *item = queue_add(queue);
    if (!item)
        return;
    item_add(item, &record, value, strlen(value));
    queue_ready(queue, item);
}
