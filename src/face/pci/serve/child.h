/* SPDX-License-Identifier: MIT */
/*
 * A VMM as a child. Nothing stays behind: it is killed if this process dies, however it dies. At the end it is asked to
 * end, and after a while killed.
 */
#ifndef PFIFO_FACE_PCI_CHILD_H
#define PFIFO_FACE_PCI_CHILD_H

#include "face/pci/serve/stop.h"

#include <pfifo/error.h>

#include <sys/types.h>

#define CHILD_FDS 3u

struct child_config {
    char **argv;            /* NULL ends it */
    int inherit[CHILD_FDS]; /* descriptors that it keeps, under the same numbers; -1: none */
    int input, output;      /* its standard input and output; -1: this process's */
    void (*say)(const char *format, ...) PFIFO_PRINTF(1, 2);
};

/* SIGCHLD comes by `stop`. -1: it cannot be started; a message was printed. */
pid_t child_start(const struct child_config *config, const struct stop *stop);
/* It is not waited for. */
bool child_has_ended(pid_t child);
/* Wait for it, what a shell would say; unless it ends by_itself, and soon, it is told to. */
int child_end(pid_t child, bool by_itself);

#endif
