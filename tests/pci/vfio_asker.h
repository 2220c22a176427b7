/* SPDX-License-Identifier: MIT */
/* A client of vfio-user that asks a server of this process, a turn for each question. The card is a real one. */
#ifndef TESTS_PCI_VFIO_ASKER_H
#define TESTS_PCI_VFIO_ASKER_H

#include "face/pci/serve/vfio_serve.h"
#include "pci/passing.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#define PAGE   4096u
#define HEADER 16u

struct client {
    struct vfio_serve serve;
    struct pfifo_error error;
    int socket;
    uint16_t id;
    uint8_t payload[8192]; /* of the last answer */
    size_t bytes;
    int number; /* its errno */
    int fd;     /* that came with it; -1 */
};

static inline void open_client(struct client *client, const char *chip) {
    int ends[2];

    memset(client, 0, sizeof *client);
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    client->socket = ends[0];
    client->fd = -1;
    assert_true(vfio_serve_begin(&client->serve, ends[1]));
    struct pfifo_pci_config config = {
        .size = sizeof config,
        .gpu = {.size = sizeof config.gpu, .chip = pfifo_chip_by_name(chip), .vram = {.form = PFIFO_MEMORY_SHARED}},
        .intx = vfio_serve_intx,
        .msi = vfio_serve_msi,
        .opaque = &client->serve};
    client->serve.card = pfifo_pci_new(&config, &client->error);
    assert_non_null(client->serve.card);
}

static inline void stop(struct client *client) {
    if (client->fd >= 0)
        close(client->fd);
    close(client->socket);
    vfio_serve_end(&client->serve);
    pfifo_pci_free(client->serve.card);
}

static inline enum serve_state turn(struct client *client) {
    return vfio_serve_turn(&client->serve, -1, &client->error);
}

/* ---- messages ---- */

static inline void send_message(struct client *client, uint16_t command, uint32_t flags, const void *payload,
                                size_t bytes, const int *fds, unsigned count) {
    uint8_t message[HEADER + 8192] = {0};

    vfio_user_put(message, 2, ++client->id);
    vfio_user_put(message + 2, 2, command);
    vfio_user_put(message + 4, 4, HEADER + bytes);
    vfio_user_put(message + 8, 4, flags);
    if (bytes)
        memcpy(message + HEADER, payload, bytes);
    assert_int_equal(pass(client->socket, message, HEADER + bytes, fds, count), HEADER + bytes);
}

static inline void take_answer(struct client *client, uint16_t command) {
    union {
        struct cmsghdr align;
        char bytes[CMSG_SPACE(sizeof(int))];
    } control = {0};
    uint8_t header[HEADER];
    struct iovec parts[] = {{header, HEADER}, {client->payload, sizeof client->payload}};
    struct msghdr message = {
        .msg_iov = parts, .msg_iovlen = 2, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
    ssize_t got = recvmsg(client->socket, &message, MSG_DONTWAIT);

    assert_true(got >= (ssize_t)HEADER);
    client->bytes = (size_t)got - HEADER;
    client->number = (int)vfio_user_get(header + 12, 4);
    assert_int_equal(vfio_user_get(header, 2), client->id);
    assert_int_equal(vfio_user_get(header + 2, 2), command);
    assert_int_equal(vfio_user_get(header + 4, 4), got);
    assert_int_equal(vfio_user_get(header + 8, 4), client->number ? 0x21 : 1);
    if (client->fd >= 0)
        close(client->fd);
    client->fd = -1;
    struct cmsghdr *rights = CMSG_FIRSTHDR(&message);
    if (rights)
        memcpy(&client->fd, CMSG_DATA(rights), sizeof(int));
}

/* The errno. */
static inline int ask_with(struct client *client, uint16_t command, const void *payload, size_t bytes, const int *fds,
                           unsigned count) {
    send_message(client, command, 0, payload, bytes, fds, count);
    assert_int_equal(turn(client), SERVE_GOES_ON);
    take_answer(client, command);
    return client->number;
}

static inline int ask(struct client *client, uint16_t command, const void *payload, size_t bytes) {
    return ask_with(client, command, payload, bytes, NULL, 0);
}

static inline void start(struct client *client, const char *chip) {
    static const char version[] = "\0\0\0\0{\"capabilities\":{\"max_msg_fds\":8,\"write_multiple\":true}}";

    open_client(client, chip);
    assert_int_equal(ask(client, VFIO_USER_VERSION, version, sizeof version), 0);
}

/* An `info` question of four or eight dwords. */
static inline int ask_info(struct client *client, uint16_t command, uint32_t bytes, uint32_t index) {
    uint8_t payload[32] = {0};

    vfio_user_put(payload, 4, bytes);
    vfio_user_put(payload + 8, 4, index);
    return ask(client, command, payload, bytes);
}

static inline int access_region(struct client *client, uint16_t command, uint32_t region, uint64_t offset,
                                const void *data, uint32_t count) {
    uint8_t payload[16 + 4096] = {0};
    bool write = command == VFIO_USER_REGION_WRITE;

    vfio_user_put(payload, 8, offset);
    vfio_user_put(payload + 8, 4, region);
    vfio_user_put(payload + 12, 4, count);
    if (write)
        memcpy(payload + 16, data, count);
    return ask(client, command, payload, 16 + (write ? count : 0));
}

static inline uint32_t read_register(struct client *client, uint32_t region, uint64_t offset) {
    assert_int_equal(access_region(client, VFIO_USER_REGION_READ, region, offset, NULL, 4), 0);
    assert_int_equal(client->bytes, 20);
    return (uint32_t)vfio_user_get(client->payload + 16, 4);
}

static inline void write_register(struct client *client, uint32_t region, uint64_t offset, uint32_t value) {
    uint8_t data[4];

    vfio_user_put(data, 4, value);
    assert_int_equal(access_region(client, VFIO_USER_REGION_WRITE, region, offset, data, 4), 0);
}

static inline int set_irqs(struct client *client, uint32_t flags, uint32_t index, uint32_t count, const int *fd) {
    uint8_t payload[20] = {20};

    vfio_user_put(payload + 4, 4, flags);
    vfio_user_put(payload + 8, 4, index);
    vfio_user_put(payload + 16, 4, count);
    return ask_with(client, VFIO_USER_SET_IRQS, payload, sizeof payload, fd, fd != NULL);
}

static inline int map(struct client *client, uint64_t address, uint64_t bytes, uint64_t offset, uint32_t flags,
                      const int *fds, unsigned count) {
    uint8_t payload[32] = {32};

    vfio_user_put(payload + 4, 4, flags);
    vfio_user_put(payload + 8, 8, offset);
    vfio_user_put(payload + 16, 8, address);
    vfio_user_put(payload + 24, 8, bytes);
    return ask_with(client, VFIO_USER_DMA_MAP, payload, sizeof payload, fds, count);
}

static inline int unmap(struct client *client, uint64_t address, uint64_t bytes, uint32_t flags) {
    uint8_t payload[24] = {24};

    vfio_user_put(payload + 4, 4, flags);
    vfio_user_put(payload + 8, 8, address);
    vfio_user_put(payload + 16, 8, bytes);
    return ask(client, VFIO_USER_DMA_UNMAP, payload, sizeof payload);
}

static inline int make_ram(size_t bytes, int seals) {
    int fd = memfd_create("ram", MFD_ALLOW_SEALING | MFD_CLOEXEC);

    assert_true(fd >= 0);
    assert_int_equal(ftruncate(fd, (off_t)bytes), 0);
    assert_int_equal(fcntl(fd, F_ADD_SEALS, seals), 0);
    return fd;
}

static inline uint64_t eventfd_value(int fd) {
    uint64_t value = 0;

    return read(fd, &value, sizeof value) == sizeof value ? value : 0;
}

#endif
