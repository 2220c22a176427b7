/* SPDX-License-Identifier: MIT */
/*
 * Where a session writes: a file that other processes may add to as well, or stderr. It belongs to no program's stdio.
 */
#ifndef PFIFO_SRC_FACE_DRM_OUTPUT_H
#define PFIFO_SRC_FACE_DRM_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct output {
    char path[4096]; /* empty: stderr */
    int fd;
    dev_t device; /* of the file, to know it again: a program may have closed and used the descriptor */
    ino_t inode;
};

/* Open, to add at the end. Empty: stderr. False: errno says why. */
bool output_open(struct output *output, const char *path);
/* A file that is written from its beginning. */
bool output_create(struct output *output, const char *path);
/* Whole lines at a time stay whole, whoever else writes. False: it could not be written. */
bool output_write(struct output *output, const char *text, size_t bytes);
void output_close(struct output *output);

#endif
