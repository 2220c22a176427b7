/* SPDX-License-Identifier: MIT */
/*
 * Eventfds of a client that is not trusted: it has the same open file, and can fill it, empty it, or make it block at
 * any time.
 */
#ifndef PFIFO_FACE_PCI_EVENT_FD_H
#define PFIFO_FACE_PCI_EVENT_FD_H

#include <stdbool.h>

/* A write to anything else may block, or raise SIGPIPE. */
bool event_fd_is(int fd);
/* Without waiting. One that is full has been signalled. -1: nothing. */
void event_fd_signal(int fd);
/* Take what it was signalled, without waiting. False: nothing. */
bool event_fd_take(int fd);

#endif
