/* SPDX-License-Identifier: MIT */
/*
 * An archive that Linux takes as its first file system: cpio in the "newc" format, not compressed.
 *
 * Source: Linux Documentation/driver-api/early-userspace/buffer-format.rst
 */
#ifndef PFIFO_FACE_PCI_CPIO_H
#define PFIFO_FACE_PCI_CPIO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct cpio {
    FILE *file;
    uint64_t written;
    uint32_t entries;
};

/* The file stays the caller's. False: it cannot be written, see errno. */
bool cpio_folder(struct cpio *cpio, const char *name);
bool cpio_file(struct cpio *cpio, const char *name, bool executable, const void *data, size_t bytes);
bool cpio_link(struct cpio *cpio, const char *name, const char *target);
bool cpio_device(struct cpio *cpio, const char *name, uint32_t major, uint32_t minor);
bool cpio_end(struct cpio *cpio);

#endif
