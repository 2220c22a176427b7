/* SPDX-License-Identifier: MIT */
/* A client of vfio-user at a socket in the file system, as a VMM is. Without cmocka: programs have it, too. */
#ifndef TESTS_TOOL_VFIO_CLIENT_H
#define TESTS_TOOL_VFIO_CLIENT_H

#include "face/pci/serve/vfio_user.h"

#include <stddef.h>

struct vfio_client {
    int socket;
    uint16_t id;
    int number;            /* of the last answer: its errno */
    uint8_t payload[4096]; /* and its payload */
    size_t bytes;
    uint8_t *memory; /* what the server finds there when it asks; NULL: nothing */
    uint64_t memory_address, memory_bytes;
};

/* Connect, as soon as the socket is there. False: it has not come within ten seconds. */
bool vfio_client_connect(struct vfio_client *client, const char *path);
void vfio_client_close(struct vfio_client *client);

/* Ask, answer what the server asks meanwhile, and take the answer. False: the server is gone, or what it says is no
 * answer to this. */
bool vfio_client_ask(struct vfio_client *client, uint16_t command, const void *payload, size_t bytes, const int *fds,
                     unsigned count);

/* Agree about the version. */
bool vfio_client_begin(struct vfio_client *client);
/* At most 64 bytes of a region. */
bool vfio_client_read(struct vfio_client *client, uint32_t region, uint64_t offset, void *data, uint32_t bytes);
bool vfio_client_write(struct vfio_client *client, uint32_t region, uint64_t offset, const void *data, uint32_t bytes);
/* `fd`: of a file that is sealed; -1: none. */
bool vfio_client_map(struct vfio_client *client, uint64_t address, uint64_t bytes, int fd);

#endif
