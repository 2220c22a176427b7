/* SPDX-License-Identifier: MIT */
/*
 * Messages of vfio-user on a stream socket.
 *
 *   +--------+---------+----------+-----------+-----------+-----------+
 *   | id u16 | cmd u16 | size u32 | flags u32 | errno u32 | payload   |    size: of all of it
 *   +--------+---------+----------+-----------+-----------+-----------+
 *
 * The client asks, the server answers with the id and the command of the question. Descriptors come with the first
 * byte. The server asks, too, for memory of the guest that it cannot map: on the same socket, with ids of its own. What
 * the client asks before it answers waits in a queue.
 *
 * Sources: the vfio-user specification (QEMU docs/interop/vfio-user.rst, libvfio-user include/vfio-user.h)
 */
#ifndef PFIFO_FACE_PCI_VFIO_USER_H
#define PFIFO_FACE_PCI_VFIO_USER_H

#include "face/pci/serve/socket_part.h"

enum vfio_user_command {
    VFIO_USER_VERSION = 1,
    VFIO_USER_DMA_MAP = 2,
    VFIO_USER_DMA_UNMAP = 3,
    VFIO_USER_DEVICE_GET_INFO = 4,
    VFIO_USER_REGION_INFO = 5,
    VFIO_USER_IRQ_INFO = 7,
    VFIO_USER_SET_IRQS = 8,
    VFIO_USER_REGION_READ = 9,
    VFIO_USER_REGION_WRITE = 10,
    VFIO_USER_DMA_READ = 11, /* these two the server asks */
    VFIO_USER_DMA_WRITE = 12,
    VFIO_USER_DEVICE_RESET = 13,
    VFIO_USER_REGION_WRITE_MULTI = 15,
};

#define VFIO_USER_TYPE_MASK 0xfu
#define VFIO_USER_REPLY     0x1u
#define VFIO_USER_NO_REPLY  0x10u
#define VFIO_USER_ERROR     0x20u

#define VFIO_USER_HEADER_BYTES  16u
#define VFIO_USER_ACCESS_BYTES  16u        /* before the data of an access: offset u64, region u32, count u32 */
#define VFIO_USER_DMA_BYTES     16u        /* before the data of DMA: address u64, count u64 */
#define VFIO_USER_WRITE_BYTES   24u        /* of one of several writes: an access of 8 bytes at most, and these */
#define VFIO_USER_DATA_MAX      (1u << 20) /* of an access: max_data_xfer_size */
#define VFIO_USER_MESSAGE_BYTES (VFIO_USER_HEADER_BYTES + VFIO_USER_ACCESS_BYTES + VFIO_USER_DATA_MAX)

#define VFIO_USER_ASKED_MAX   4096u      /* data of a question of the server */
#define VFIO_USER_QUEUE_BYTES (1u << 24) /* of what waits in the queue */

struct vfio_user_message {
    uint8_t *bytes;
    size_t have;
    int fds[SOCKET_PART_FDS];
    unsigned fd_count; /* those that are not set to -1 are closed with the message */
};

struct vfio_user_out {
    uint8_t *bytes;
    size_t count, sent;
    int fd; /* to go with the first byte; not the connection's. -1: none */
};

struct vfio_user_queued;
struct vfio_user {
    int fd;
    struct vfio_user_message in;           /* arrives */
    struct vfio_user_message now;          /* is dealt with */
    struct vfio_user_queued *first, *last; /* wait for that */
    size_t queued;                         /* bytes of them */
    struct vfio_user_out answer, question;
    uint16_t id; /* of the last question */
};

/* The descriptor, of a stream socket, becomes the connection's. False: no memory; vfio_user_end() all the same. */
bool vfio_user_begin(struct vfio_user *connection, int fd);
void vfio_user_end(struct vfio_user *connection);

enum vfio_user_result {
    VFIO_USER_MORE,    /* no whole message is there yet */
    VFIO_USER_MESSAGE, /* one is in `now`, until vfio_user_done() */
    VFIO_USER_CLOSED,
    VFIO_USER_BROKEN, /* the other end does not speak the protocol; see the error */
};

/* The first of the queue; else take what has arrived, without waiting for more. */
enum vfio_user_result vfio_user_receive(struct vfio_user *connection, struct pfifo_error *error);
void vfio_user_done(struct vfio_user *connection);

/* A message is there without the socket. */
static inline bool vfio_user_has_queued(const struct vfio_user *connection) {
    return connection->first != NULL;
}

uint16_t vfio_user_command(const struct vfio_user *connection);

/* Where the payload of the answer is to be put. At most VFIO_USER_MESSAGE_BYTES - VFIO_USER_HEADER_BYTES. */
uint8_t *vfio_user_answer_payload(struct vfio_user *connection);
/* Answer with this much of it and a descriptor (-1: none), or (if `number` is not 0) with an errno alone. */
void vfio_user_answer(struct vfio_user *connection, size_t bytes, int fd, int number);
/* There is something that has not gone yet: no message is to be received meanwhile. */
bool vfio_user_is_sending(const struct vfio_user *connection);
/* Send what the socket takes. False: the other end is gone. */
bool vfio_user_send(struct vfio_user *connection);

/* ---- what the server asks ---- */

/* Where the payload of the question is to be put. At most VFIO_USER_DMA_BYTES + VFIO_USER_ASKED_MAX. */
uint8_t *vfio_user_question_payload(struct vfio_user *connection);
/*
 * Ask with this much of it, and wait for the reply: as long as it takes, or until `stop` (-1: none) is readable.
 * VFIO_USER_MESSAGE: it is in `in`, until vfio_user_replied(). VFIO_USER_CLOSED: none comes.
 */
enum vfio_user_result vfio_user_ask(struct vfio_user *connection, uint16_t command, size_t bytes, int stop,
                                    struct pfifo_error *error);
void vfio_user_replied(struct vfio_user *connection);

static inline uint64_t vfio_user_get(const uint8_t *at, unsigned bytes) {
    uint64_t value = 0;

    for (unsigned i = 0; i < bytes; i++)
        value |= (uint64_t)at[i] << 8 * i;
    return value;
}

static inline void vfio_user_put(uint8_t *at, unsigned bytes, uint64_t value) {
    for (unsigned i = 0; i < bytes; i++)
        at[i] = (uint8_t)(value >> 8 * i);
}

#endif
