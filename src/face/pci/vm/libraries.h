/* SPDX-License-Identifier: MIT */
/*
 * What of the host's files a program with libraries needs in a guest: the libraries as ldd(1) finds them, and Mesa's,
 * which EGL and GBM load by name.
 */
#ifndef PFIFO_FACE_PCI_LIBRARIES_H
#define PFIFO_FACE_PCI_LIBRARIES_H

#include <pfifo/error.h>
#include <stdbool.h>
#include <stddef.h>

#define LIBRARIES_MAX 512u

struct libraries {
    char *path[LIBRARIES_MAX]; /* absolute, each once */
    size_t count;
};

/* Those of a program or library, which itself is not added. False: see the error. */
bool libraries_of(struct libraries *libraries, const char *path, struct pfifo_error *error);
/* EGL, GBM, OpenGL, the drivers for NVIDIA's cards and without a card, their settings; with their libraries. */
bool libraries_of_mesa(struct libraries *libraries, struct pfifo_error *error);
void libraries_free(struct libraries *libraries);

#endif
