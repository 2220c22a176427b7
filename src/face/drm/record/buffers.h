/* SPDX-License-Identifier: MIT */
/*
 * Buffers of a file, by handle. Two handles may stand for one buffer, which has one address; captures know it by the
 * first of them. Of a buffer that the program may write, each page is kept as it was recorded last.
 */
#ifndef PFIFO_SRC_FACE_DRM_RECORD_BUFFERS_H
#define PFIFO_SRC_FACE_DRM_RECORD_BUFFERS_H

#include "face/drm/record/queue.h"

#define RECORD_PAGE 4096u

struct record_buffer {
    uint32_t handle;  /* the first, that captures have */
    uint32_t handles; /* how many there are */
    uint64_t serial;  /* never given twice */
    uint32_t domain, tile_mode, tile_flags;
    uint64_t bytes, address, map_handle;
    bool readable;                /* the program, or somebody else, may have written it: to be looked at */
    bool written;                 /* by a submission that may still run */
    bool moved;                   /* and a note says so */
    uint64_t looked;              /* at it by this submission, see buffers_next_round() */
    struct record_buffer *closed; /* in the list of those without a handle */
    const uint8_t *view;          /* NULL: not mapped */
    uint8_t **pages;              /* as recorded; NULL: zeros. Of bytes / RECORD_PAGE */
    uint8_t *unrecorded;          /* stands for a page that the capture does not have as `pages` does */
};

struct buffers {
    const struct record_host *host;
    void *opaque;
    struct record_buffer **at; /* by handle, NULL: none */
    uint32_t room;
    uint64_t serials, rounds;
    uint32_t next;                /* handle of this round */
    struct record_buffer *closed; /* they have no handle any more, and are mapped in a space */
};

void buffers_free(struct buffers *buffers);
/* Without a call of the host: views stay mapped. */
void buffers_abandon(struct buffers *buffers);
struct record_buffer *buffers_find(const struct buffers *buffers, uint32_t handle);
/* Of a submission that began earlier. NULL: it is gone. */
struct record_buffer *buffers_find_serial(const struct buffers *buffers, uint32_t handle, uint64_t serial);
/* What maps at an offset of the file. NULL: none. */
struct record_buffer *buffers_find_map(const struct buffers *buffers, uint64_t offset);

/* A handle that the program got, by whatever ioctl. *made: the capture does not know the buffer. NULL: no memory. */
struct record_buffer *buffers_add(struct buffers *buffers, const struct record_buffer *as, bool *made);
/* The handle is closed. True: it was the last of the buffer, whose first handle is *first. */
bool buffers_remove(struct buffers *buffers, uint32_t handle, uint32_t *first);

/*
 * The handle is closed, and its buffer is still mapped if it was the last. NULL: it was not, or there is none. Such a
 * buffer is found by its number, until it is dropped.
 */
struct record_buffer *buffers_close(struct buffers *buffers, uint32_t handle);
void buffers_drop(struct buffers *buffers, struct record_buffer *closed);
struct record_buffer *buffers_find_number(const struct buffers *buffers, uint32_t number);
/* A handle that a buffer has. 0: none. */
uint32_t buffers_handle_of(const struct buffers *buffers, const struct record_buffer *buffer);

/* Each buffer once, in the order of handles. Begin with buffers_next_round(). NULL: no more. */
void buffers_next_round(struct buffers *buffers);
struct record_buffer *buffers_next(struct buffers *buffers);

/*
 * Map it, if that can be done, so that it can be looked at later. The kernel maps a buffer only for a file with a
 * handle of it (drm_gem_mmap() gives EACCES), and one that is closed may be mapped in a space.
 */
void buffers_view(const struct buffers *buffers, struct record_buffer *buffer);

/* A part of a buffer that a submission records as words. */
struct word_range {
    uint64_t from, to;
};

/*
 * Add the pages that have changed to an item, after the BOREF; not those of which only words have changed. False: the
 * buffer cannot be mapped, or there is no memory.
 */
bool buffers_collect(struct buffers *buffers, struct record_buffer *buffer, const struct word_range *words,
                     size_t word_ranges, struct item *item);
/* These pages did not get into the capture. */
void buffers_forget(struct record_buffer *buffer, uint64_t offset, uint64_t bytes);
/* Somebody has written a byte, and the capture has it. */
void buffers_patch(struct record_buffer *buffer, uint64_t offset, uint8_t byte);
/* Part of the buffer as it was collected last; inside of it. */
void buffers_copy(const struct record_buffer *buffer, uint64_t offset, uint8_t *to, size_t bytes);

#endif
