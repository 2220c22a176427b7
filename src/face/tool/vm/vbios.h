/* SPDX-License-Identifier: MIT */
/* The image of a board's ROM, for --vbios. */
#ifndef PFIFO_TOOL_VM_VBIOS_H
#define PFIFO_TOOL_VM_VBIOS_H

#include <stdbool.h>
#include <stddef.h>

struct vbios {
    unsigned char *data; /* NULL: none was asked for */
    size_t bytes;
};

/*
 * Read the file, and look whether a guest would find an image in it. path: NULL: none. False: it cannot be a ROM; a
 * message with file, offset and reason was printed.
 */
bool vbios_read(struct vbios *vbios, const char *path);
void vbios_free(struct vbios *vbios);

#endif
