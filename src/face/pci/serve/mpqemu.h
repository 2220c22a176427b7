/* SPDX-License-Identifier: MIT */
/*
 * The protocol of QEMU's x-pci-proxy-dev: its multi-process QEMU, on a stream socket.
 *
 *   +------------------+----------------------+
 *   | command  i32     | payload: `size`      |      descriptors come with the first byte of the header
 *   | padding  4 bytes | bytes, little endian |
 *   | size     u64     |                      |
 *   +------------------+----------------------+
 *
 * QEMU asks, and waits for one answer at a time. Messages without an answer (the memory table, the descriptors of the
 * interrupt) come between any two others.
 *
 * The other end is not trusted. A message has exactly the size and the number of descriptors that its command has, else
 * the connection is broken, with an error that says what was wrong.
 *
 * Sources: QEMU include/hw/remote/mpqemu-link.h, hw/remote/proxy.c, memory-sync.c; seen with QEMU 7.2
 */
#ifndef PFIFO_FACE_PCI_MPQEMU_H
#define PFIFO_FACE_PCI_MPQEMU_H

#include <pfifo/error.h>

enum mpqemu_command {
    MPQEMU_SYNC_SYSMEM,  /* the guest's memory is this, and nothing else; no answer */
    MPQEMU_RET,          /* the answer */
    MPQEMU_CONFIG_WRITE, /* configuration space */
    MPQEMU_CONFIG_READ,
    MPQEMU_BAR_WRITE, /* at an address of the bus */
    MPQEMU_BAR_READ,
    MPQEMU_SET_IRQFD,    /* for KVM; no answer */
    MPQEMU_DEVICE_RESET, /* of the bus */
    MPQEMU_COMMANDS
};

#define MPQEMU_REGIONS       8u /* of memory, and so of descriptors, in a message */
#define MPQEMU_HEADER_BYTES  16u
#define MPQEMU_PAYLOAD_BYTES 192u /* the largest */
#define MPQEMU_ANSWER_BYTES  24u

struct mpqemu_region {
    uint64_t address, bytes; /* of the guest */
    int64_t offset;          /* in the file of the descriptor with the same number */
};

struct mpqemu_config_access {
    uint32_t offset, value;
    unsigned bytes; /* 1, 2 or 4 */
};

struct mpqemu_bar_access {
    uint64_t address, value;
    unsigned bytes; /* 1, 2, 4 or 8 */
    bool ports;
};

struct mpqemu_message {
    enum mpqemu_command command;
    union {
        struct mpqemu_region regions[MPQEMU_REGIONS]; /* as many as descriptors */
        struct mpqemu_config_access config;
        struct mpqemu_bar_access bar;
    };
    int fds[MPQEMU_REGIONS]; /* the connection closes those that are not set to -1 */
    unsigned fd_count;
};

/* What the bytes of a message say. message->fd_count is set before. */
enum pfifo_status mpqemu_parse(struct mpqemu_message *message, const uint8_t *header, const uint8_t *payload,
                               struct pfifo_error *error);

/* Bytes that follow a header. False: no message has this header. */
bool mpqemu_payload_bytes(const uint8_t *header, size_t *bytes, struct pfifo_error *error);

struct mpqemu {
    int fd;
    struct mpqemu_message message;                             /* under way; fds of the part that has arrived */
    uint8_t bytes[MPQEMU_HEADER_BYTES + MPQEMU_PAYLOAD_BYTES]; /* of it */
    size_t have;
};

enum mpqemu_result {
    MPQEMU_MORE,    /* no whole message is there yet */
    MPQEMU_MESSAGE, /* one is in `message`, until mpqemu_done() */
    MPQEMU_CLOSED,  /* the other end is gone */
    MPQEMU_BROKEN,  /* it does not speak the protocol; see the error */
};

/* The descriptor, of a stream socket, becomes the connection's. */
void mpqemu_begin(struct mpqemu *connection, int fd);
void mpqemu_end(struct mpqemu *connection);

/* Take what has arrived, without waiting for more. */
enum mpqemu_result mpqemu_receive(struct mpqemu *connection, struct pfifo_error *error);
/* The message is dealt with. */
void mpqemu_done(struct mpqemu *connection);
/* Never waits: a client that does not read its answers has broken the protocol. */
enum pfifo_status mpqemu_answer(struct mpqemu *connection, uint64_t value, struct pfifo_error *error);

#endif
