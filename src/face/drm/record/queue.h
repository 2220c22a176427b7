/* SPDX-License-Identifier: MIT */
/*
 * Records on their way into a capture. An item is what one ioctl becomes. Its place in the queue is that of the
 * ioctl's begin, and it is written when the ioctl has succeeded and all before it is written.
 */
#ifndef PFIFO_SRC_FACE_DRM_RECORD_QUEUE_H
#define PFIFO_SRC_FACE_DRM_RECORD_QUEUE_H

#include <pfifo/stream.h>

#include "face/drm/record/record.h"
#include "stream/bytes.h"

struct item_record {
    struct pfifo_stream_record record;
    size_t at;   /* of its pages or words in the item's data */
    bool flip;   /* a TEXT that names the last submission: `number` is the framebuffer */
    bool silent; /* a BODATA whose pages have changed only where PUSHes have the words: it is not written */
};

struct item {
    struct item *next;
    struct item_record *records;
    size_t count, room;
    struct bytes data;
    bool ready;
    bool failed; /* no memory for all of it */
};

struct queue {
    const struct record_host *host;
    void *opaque;
    struct item *first, *last;
    struct pfifo_stream_writer *writer; /* NULL: no capture, yet or any more */
    bool ended;                         /* and none will be */
    bool holds;                         /* items are kept until it begins */
    uint32_t held;                      /* how many there were */
    uint32_t sequence;                  /* of the last submission */
    uint64_t bytes, limit;              /* before they are packed: at most. A reader takes no more */
};

/* Keep what is added, until the capture begins. Of a program that does not begin one there is a bounded amount. */
void queue_hold(struct queue *queue);
/* Begin the capture. The first records are texts: what was recorded, and where. False: it cannot be. */
bool queue_begin(struct queue *queue, uint32_t chipset, const char *driver, uint32_t version);
/* The last records, and the end. */
void queue_end(struct queue *queue);
/* Without writing anything. */
void queue_abandon(struct queue *queue);

/* A new item after the others. NULL: there is no capture, or no memory. */
struct item *queue_add(struct queue *queue);
/* A record of an item; a tail of it is `data`, which is copied. */
void item_add(struct item *item, const struct pfifo_stream_record *record, const void *data, size_t bytes);
/* Pages that are not written, but forgotten with the others if the submission is refused. */
void item_add_silent(struct item *item, const struct pfifo_stream_record *record);
/* The item will not change: write what can be written. An item that failed is left out, with a note. */
void queue_ready(struct queue *queue, struct item *item);
/* Forget an item. */
void queue_drop(struct queue *queue, struct item *item);

/* Items of one record. */
void queue_record(struct queue *queue, const struct pfifo_stream_record *record);
void queue_flip(struct queue *queue, uint32_t framebuffer);
void queue_note(struct queue *queue, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
