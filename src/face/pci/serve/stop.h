/* SPDX-License-Identifier: MIT */
/* Signals that end a server, as a descriptor. */
#ifndef PFIFO_FACE_PCI_STOP_H
#define PFIFO_FACE_PCI_STOP_H

#include <signal.h>
#include <stdbool.h>

struct stop {
    int fd;          /* readable once a signal has come; -1: none */
    sigset_t before; /* the mask, for children and for the end */
};

/*
 * From now on signals that end processes and the alarm, with `child` also SIGCHLD, are blocked and come by the
 * descriptor. The alarm goes off after `seconds`, 0: never. False: there are no descriptors; stop_end() all the same.
 */
bool stop_begin(struct stop *stop, unsigned seconds, bool child);
void stop_end(struct stop *stop);

enum stop_reason {
    STOP_NONE,   /* no signal has come, but perhaps that of a child's end */
    STOP_ALARM,  /* the time is up */
    STOP_SIGNAL, /* its number is *number */
};
enum stop_reason stop_read(const struct stop *stop, int *number);

#endif
