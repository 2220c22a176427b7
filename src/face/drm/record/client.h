/* SPDX-License-Identifier: MIT */
/* Inside of a recorder: an open file of the node. */
#ifndef PFIFO_SRC_FACE_DRM_RECORD_CLIENT_H
#define PFIFO_SRC_FACE_DRM_RECORD_CLIENT_H

#include "face/drm/record/buffers.h"

struct record_client {
    const struct record_host *host;
    void *opaque;
    struct queue queue;
    struct buffers buffers;
    uint32_t chipset;
    char driver[64]; /* "nouveau 1.3.1" */
    bool noted_binds;
};

/* The buffer of a handle, asked for if it is new; then others may have written it. NULL: there is none. */
struct record_buffer *client_buffer(struct record_client *client, uint32_t handle);

/* ---- submit.c ---- */

/* NULL: the kernel will refuse it, or there is no memory. */
struct record_submission *submission_begin(struct record_client *client, uint64_t argument);
void submission_end(struct record_client *client, struct record_submission *submission, uint64_t argument, int status);

#endif
