/* SPDX-License-Identifier: MIT */
/*
 * Which open file of a node a descriptor of the program is. Copies of a descriptor are one file. No lock is taken, so
 * that close() and dup() stay what they are in signal handlers.
 */
#ifndef PFIFO_SRC_FACE_DRM_RECORD_DESCRIPTORS_H
#define PFIFO_SRC_FACE_DRM_RECORD_DESCRIPTORS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <sys/types.h>

#include "face/drm/record/file.h"
#include "face/drm/record/record.h"

#define DESCRIPTORS_MOST 65536 /* those above are not recorded */

/* An open file of a node. */
struct recorded {
    struct recorded *next;
    struct record_client *client; /* NULL: not of nouveau */
    atomic_int descriptors;       /* that stand for it */
    unsigned calls;               /* under way */
    bool slow;                    /* the GPU was waited for in vain */
    int fd;                       /* one of them: that of the call */
    dev_t dev, rdev;
    ino_t ino;
    struct record_file file; /* the capture */
};

/* The file of a descriptor, as far as known. NULL: none. */
struct recorded *descriptors_at(int fd);
/* A descriptor stands for a file from now on; NULL: for none. True: what it stood for before has no descriptor left. */
bool descriptors_set(int fd, struct recorded *recorded);
/* A file that the descriptor is a copy of, by what the kernel says. NULL: none, or the kernel does not say. */
struct recorded *descriptors_same(int fd, dev_t rdev);
/* All descriptors stand for nothing. */
void descriptors_forget(void);

#endif
