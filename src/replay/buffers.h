/* SPDX-License-Identifier: MIT */
/*
 * The buffers of a replay, by the handles of the recording.
 *
 *   BODATA ----- differs from what was recorded last? ----> only those bytes --> buffer
 *   PUSH words --'
 *
 * A page may hold words of the CPU and of the GPU. What the GPU wrote while it was recorded is in the dumps too, but
 * it was written once and does not change between two dumps unless the client changed it; what the GPU writes here
 * stays. The words of a PUSH are a dump of a part of a page; two that are of one submission and differ cannot both be
 * true. Words that must not be prefetched say nothing where there is a dump: earlier commands may write them.
 *
 * In version 2 of captures the words of a PUSH, and WRITEs, are what is in memory then, and only BODATA are
 * differences.
 *
 * A capture says in a few bytes that there is a buffer, and the driver enters it into page tables page by page. So it
 * cannot have any number of them at a time, nor any amount of memory in the course of time.
 */
#ifndef PFIFO_REPLAY_BUFFERS_H
#define PFIFO_REPLAY_BUFFERS_H

#include <pfifo/driver.h>
#include <pfifo/stream.h>

#define REPLAY_MAX_BUFFERS      32768
#define REPLAY_MAX_BUFFER_BYTES (UINT64_C(1) << 40) /* of all buffers that ever were */

struct replay_buffers {
    struct pfifo_device *device;
    void *tree; /* of struct replay_buffer, by handle */
    size_t count;
    uint64_t bytes;      /* of all that were made so far */
    uint32_t submission; /* that BODATA and PUSHes belong to */
    uint32_t version;    /* of the capture */
    /* A buffer is about to be freed. NULL: not called. */
    void (*gone)(void *opaque, uint32_t handle, struct pfifo_buffer *buffer);
    void *opaque; /* of gone() */
};

enum pfifo_status replay_buffers_new(struct replay_buffers *buffers, const struct pfifo_stream_bonew *record,
                                     struct pfifo_error *error);
enum pfifo_status replay_buffers_delete(struct replay_buffers *buffers, uint64_t handle, struct pfifo_error *error);
enum pfifo_status replay_buffers_data(struct replay_buffers *buffers, const struct pfifo_stream_bodata *record,
                                      struct pfifo_error *error);

enum pfifo_status replay_buffers_write(struct replay_buffers *buffers, const struct pfifo_stream_write *record,
                                       struct pfifo_error *error);

/*
 * Write the words of a PUSH to its buffer. PFIFO_ERROR_FORMAT: there is no buffer, or the submission has other words
 * there.
 */
enum pfifo_status replay_buffers_push(struct replay_buffers *buffers, const struct pfifo_stream_push *record,
                                      struct pfifo_error *error);

/* Their handles, into room for as many as there are (`count`). */
void replay_buffers_handles(const struct replay_buffers *buffers, uint32_t *handles);

/* Buffer of a handle, NULL if there is none. */
struct pfifo_buffer *replay_buffers_find(const struct replay_buffers *buffers, uint64_t handle);

/* Before G80: the buffer that has an address in GART, else in VRAM; and the offset in it. NULL: there is none. */
struct pfifo_buffer *replay_buffers_at(const struct replay_buffers *buffers, uint64_t address, uint64_t *offset);

/* What is recorded now, by the numbers of the device's buffers, which it can be loaded with. NULL: no memory. */
struct replay_buffers_mark *replay_buffers_mark(const struct replay_buffers *buffers);
void replay_buffers_mark_free(struct replay_buffers_mark *mark);
/* The device has other buffers: forget them, and take those of a mark. False: no memory, and some of them are missing.
 */
void replay_buffers_lost(struct replay_buffers *buffers);
bool replay_buffers_return(struct replay_buffers *buffers, const struct replay_buffers_mark *mark);

/* The remaining buffers, in no particular order. */
void replay_buffers_free(struct replay_buffers *buffers);

#endif
