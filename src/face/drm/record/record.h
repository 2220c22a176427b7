/* SPDX-License-Identifier: MIT */
/*
 * What a program hands to a nouveau node, written as a capture; of the kernel's node or of one of the model.
 *
 *   program --ioctl()--> wrap.c --> the next ioctl(): kernel, or libpfifo-drm.so
 *                          |
 *                          v
 *              record_before(), record_after() --> queue --> pfifo/stream.h --> file
 *
 *   client.c   an open file of the node: what each ioctl becomes
 *   binds.c    VM_INIT, VM_BIND: what the program maps where; syncs.c: sync objects
 *   exec.c     a submission by address (EXEC), as submit.c
 *   submit.c   a submission: its buffers' pages and its words, taken before the ioctl, written when it was done
 *   buffers.c  buffers by handle, and their pages as they were recorded last
 *   flips.c    frames that are shown
 *   queue.c    records in the order in which the ioctls began
 *   file.c     FILE, FILE.2, ...
 *   wrap.c, descriptors.c: libpfifo-record.so, preloaded; all of libc that there is
 *
 * Modelled:     channels, objects, notifiers, buffers, submissions, waits, page flips; from Linux 6.6 on address spaces of
 *               programs, submissions by address, what they wait for and signal
 * Not modelled: the end of single objects, for which captures have no
 *               record; points that are transferred between sync objects; buffers that the kernel moves before G80 (a note says so)
 * Sources:      Linux include/uapi/drm/nouveau_drm.h, drivers/gpu/drm/nouveau/nouveau_gem.c; docs/capture-format.md
 */
#ifndef PFIFO_SRC_FACE_DRM_RECORD_H
#define PFIFO_SRC_FACE_DRM_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a recorder needs. It holds no lock: one thread at a time. */
struct record_host {
    /* An ioctl of the file that is recorded, past the recorder. 0 or more, or -errno. */
    int (*ioctl)(void *opaque, unsigned long request, void *argument);
    /* A buffer, to look at. NULL: it cannot be mapped. */
    const uint8_t *(*map)(void *opaque, uint64_t map_handle, uint64_t bytes);
    void (*unmap)(void *opaque, const uint8_t *at, uint64_t bytes);
    /* Memory of the program. False: it is not there. */
    bool (*read)(void *opaque, void *to, uint64_t from, size_t bytes);
    /* Wait, for a bounded time, until the GPU writes nothing more to a buffer. NULL: it never does. */
    void (*settle)(void *opaque, uint32_t handle);
    /* A capture begins. False: there is no file for it. */
    bool (*open)(void *opaque);
    /* Its bytes. False: errno says why not. */
    bool (*write)(void *opaque, const void *data, size_t bytes);
    /* A line, without a newline, when recording ends early. */
    void (*log)(void *opaque, const char *line);
};

struct record_client;
struct record_submission;

/* For an open file of a DRM node. NULL: it is not nouveau's, or there is no memory. */
struct record_client *record_client_new(const struct record_host *host, void *opaque);
/* The last descriptor is closed, or the program ends: complete the capture. NULL is allowed. */
void record_client_free(struct record_client *client);
/* In the child of a fork: give back memory, and call nothing of the host. */
void record_client_abandon(struct record_client *client);

/*
 * Around each ioctl of the file. What record_before() gives goes to record_after(), which must be called; `status` is 0
 * or more, or -errno. In between the program, and the recorder for other threads, may do anything.
 */
struct record_submission *record_before(struct record_client *client, unsigned long request, uint64_t argument);
void record_after(struct record_client *client, unsigned long request, uint64_t argument, int status,
                  struct record_submission *submission);

/* The program maps the file at `offset`. Only what it can write is looked at, which saves reading video memory. */
void record_mapped(struct record_client *client, uint64_t offset);

#endif
