/* SPDX-License-Identifier: MIT */
/*
 * Eventfds of a client that is not trusted: it has the same open file, and can fill it, empty it, or make it block at
 * any time.
 */
#ifndef PFIFO_FACE_PCI_EVENT_FD_H
#define PFIFO_FACE_PCI_EVENT_FD_H

#include <stdbool.h>

/*
 * A write to an eventfd waits where it is full, unless the file says otherwise, and what it says is the client's, too.
 * The kernel itself never waits when it signals one, as it does at the end of an asynchronous read (io_submit(2),
 * IOCB_FLAG_RESFD). So a signal is a read of an empty file. All zero: not needed yet.
 */
struct event_fd_bell {
    unsigned long context; /* 0: none */
    int file;              /* an empty one, with a context */
    bool tried;            /* to get them */
};

void event_fd_bell_end(struct event_fd_bell *bell);

/* A write to anything else may block, or raise SIGPIPE. */
bool event_fd_is(int fd);
/* Without waiting. One that is full has been signalled. -1: nothing. */
void event_fd_signal(struct event_fd_bell *bell, int fd);
/* Take what it was signalled, without waiting. False: nothing. */
bool event_fd_take(int fd);

#endif
