/* SPDX-License-Identifier: MIT */
/* Bytes of a message, and the descriptors that come with its first byte, from a stream socket that is not trusted. */
#ifndef PFIFO_FACE_PCI_SOCKET_PART_H
#define PFIFO_FACE_PCI_SOCKET_PART_H

#include <pfifo/error.h>

#define SOCKET_PART_FDS 8u /* of a message */

enum socket_part_result {
    SOCKET_PART_NONE,   /* nothing is there now */
    SOCKET_PART_SOME,   /* `have` has grown */
    SOCKET_PART_CLOSED, /* the other end is gone, between two messages */
    SOCKET_PART_BROKEN, /* it is gone within one, or descriptors came that no message has; see the error */
};

/* Without waiting: up to whole - *have bytes to bytes + *have. The descriptors are the caller's, to be closed. */
enum socket_part_result socket_part_receive(int socket, uint8_t *bytes, size_t *have, size_t whole, int *fds,
                                            unsigned *fd_count, struct pfifo_error *error);

#endif
