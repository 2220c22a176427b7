/* SPDX-License-Identifier: MIT */
/* Files of captures. One that is there is left alone: several files of a node, and several processes, share a name. */
#ifndef PFIFO_SRC_FACE_DRM_RECORD_FILE_H
#define PFIFO_SRC_FACE_DRM_RECORD_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct record_file {
    int fd; /* -1: none */
    dev_t dev;
    ino_t ino;
};

/*
 * Make PATH, or if it is there PATH.2, PATH.3 ... The descriptor is one that programs hardly use, and close-on-exec.
 * False: errno says why not.
 */
bool record_file_open(struct record_file *file, const char *path);
/* False: errno says why not; EBADF also if the program has closed the descriptor, or it stands for something else. */
bool record_file_write(const struct record_file *file, const void *data, size_t bytes);
void record_file_close(struct record_file *file);

#endif
