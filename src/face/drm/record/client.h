/* SPDX-License-Identifier: MIT */
/* Inside of a recorder: an open file of the node. */
#ifndef PFIFO_SRC_FACE_DRM_RECORD_CLIENT_H
#define PFIFO_SRC_FACE_DRM_RECORD_CLIENT_H

#include "face/drm/record/buffers.h"
#include "stream/known.h"

struct record_client {
    const struct record_host *host;
    void *opaque;
    struct queue queue;
    struct buffers buffers;
    uint32_t chipset;
    uint32_t fb_property; /* of planes, which has the frame; 0: not known */
    char driver[64];      /* "nouveau 1.3.1" */
    bool has_space;       /* VM_INIT: the program maps buffers itself, and submits by address */
    /*
     * Of such a file: what its records have made so far, also those that wait for an earlier submission's end. Buffers
     * have numbers then, because a handle may come again while what it was for is still mapped.
     */
    struct known book;
};

#define RECORD_SPACE 1u /* the number of a file's space */

/* A submission that is under way. */
struct record_submission {
    struct item *item;
    bool by_address; /* the rest is exec.c's; else it is submit.c's */
};

/* Begin the capture, if it has not begun. False: there is none. */
bool client_begin(struct record_client *client);
/* An item of one record; or none, if the record does not fit to those before it. */
void client_record(struct record_client *client, const struct pfifo_stream_record *record);
/* A list of the program. NULL: it is not there, or no memory. */
void *client_read_list(const struct record_client *client, uint64_t from, uint32_t count, size_t bytes);

/* The buffer of a handle, asked for if it is new; then others may have written it. NULL: there is none. */
struct record_buffer *client_buffer(struct record_client *client, uint32_t handle);

/* ---- submit.c ---- */

/* NULL: the kernel will refuse it, or there is no memory. */
struct record_submission *submission_begin(struct record_client *client, uint64_t argument);
/* `given` is freed. */
void submission_end(struct record_client *client, struct record_submission *given, uint64_t argument, int status);

/* ---- exec.c: the same for EXEC ---- */

struct record_submission *exec_begin(struct record_client *client, uint64_t argument);
void exec_end(struct record_client *client, struct record_submission *given, int status);

/* ---- binds.c: after the ioctl; `data` is its structure ---- */

void binds_vm_init(struct record_client *client, const void *data);
void binds_vm_bind(struct record_client *client, const void *data);
/* The program can write a buffer from now on, of which it has a handle. */
void binds_readable(struct record_client *client, struct record_buffer *buffer);
/* The channel that the CHAN opens is in the space. */
void binds_channel(struct record_client *client, const struct pfifo_stream_record *chan);
/* The handle is closed. */
void binds_close(struct record_client *client, uint32_t handle);

/* ---- flips.c: after SETCRTC, PAGE_FLIP and ATOMIC, by which a frame is shown ---- */

void flips_setcrtc(struct record_client *client, const void *data);
void flips_page_flip(struct record_client *client, const void *data);
void flips_atomic(struct record_client *client, const void *data);

/* ---- syncs.c ---- */

/* A list of struct uapi_sync, as records of an item. */
void syncs_add(const struct record_client *client, struct item *item, uint64_t from, uint32_t count,
               enum pfifo_stream_sync_how how);

/* What programs do with sync objects: after SYNCOBJ_WAIT, _TIMELINE_WAIT, _RESET, _SIGNAL and _TIMELINE_SIGNAL. */
void syncs_wait(struct record_client *client, const void *data);
void syncs_timeline_wait(struct record_client *client, const void *data);
void syncs_reset(struct record_client *client, const void *data);
void syncs_signal(struct record_client *client, const void *data);
void syncs_timeline_signal(struct record_client *client, const void *data);

#endif
