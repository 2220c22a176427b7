/* SPDX-License-Identifier: MIT */
#include "tool/vfio_client.h"

#include <string.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "pci/passing.h"

enum { ACCESS_MAX = 64, TURNS = 1000 };

bool vfio_client_connect(struct vfio_client *client, const char *path) {
    const struct timespec step = {.tv_nsec = 10000000};
    struct sockaddr_un address = {.sun_family = AF_UNIX};

    *client = (struct vfio_client){.socket = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)};
    if (client->socket < 0 || strlen(path) >= sizeof address.sun_path)
        return false;
    memcpy(address.sun_path, path, strlen(path));
    for (unsigned i = 0; i < TURNS; i++) {
        if (connect(client->socket, (struct sockaddr *)&address, sizeof address) == 0)
            return true;
        nanosleep(&step, NULL);
    }
    return false;
}

void vfio_client_close(struct vfio_client *client) {
    close(client->socket);
    client->socket = -1;
}

static bool receive(int socket, void *to, size_t bytes) {
    return recv(socket, to, bytes, MSG_WAITALL) == (ssize_t)bytes;
}

/* DMA_READ or DMA_WRITE, whose header is at the beginning of the message. */
static bool answer_server(struct vfio_client *client,
                          uint8_t message[VFIO_USER_HEADER_BYTES + VFIO_USER_DMA_BYTES + VFIO_USER_ASKED_MAX]) {
    uint8_t *payload = message + VFIO_USER_HEADER_BYTES, *data = payload + VFIO_USER_DMA_BYTES;
    size_t whole = (size_t)vfio_user_get(message + 4, 4), answer = VFIO_USER_HEADER_BYTES + VFIO_USER_DMA_BYTES;
    bool write = vfio_user_get(message + 2, 2) == VFIO_USER_DMA_WRITE;

    if (whole < answer || whole > answer + VFIO_USER_ASKED_MAX ||
        !receive(client->socket, payload, whole - VFIO_USER_HEADER_BYTES))
        return false;
    uint64_t at = vfio_user_get(payload, 8) - client->memory_address, count = vfio_user_get(payload + 8, 8);
    if (!client->memory || count > VFIO_USER_ASKED_MAX || at > client->memory_bytes ||
        count > client->memory_bytes - at || (write && whole != answer + count))
        return false;
    memcpy(write ? client->memory + at : data, write ? data : client->memory + at, count);
    answer += write ? 0 : count;
    vfio_user_put(message + 4, 4, answer);
    vfio_user_put(message + 8, 4, VFIO_USER_REPLY);
    return pass(client->socket, message, answer, NULL, 0) == (ssize_t)answer;
}

/* The header of the answer, after all that the server asks. */
static bool receive_header(struct vfio_client *client, uint8_t *header) {
    uint8_t message[VFIO_USER_HEADER_BYTES + VFIO_USER_DMA_BYTES + VFIO_USER_ASKED_MAX];

    for (;;) {
        if (!receive(client->socket, message, VFIO_USER_HEADER_BYTES))
            return false;
        if (vfio_user_get(message + 8, 4) & VFIO_USER_TYPE_MASK)
            break;
        if (!answer_server(client, message))
            return false;
    }
    memcpy(header, message, VFIO_USER_HEADER_BYTES);
    return true;
}

bool vfio_client_ask(struct vfio_client *client, uint16_t command, const void *payload, size_t bytes, const int *fds,
                     unsigned count) {
    uint8_t message[VFIO_USER_HEADER_BYTES + sizeof client->payload] = {0};
    size_t whole = VFIO_USER_HEADER_BYTES + bytes;

    vfio_user_put(message, 2, ++client->id);
    vfio_user_put(message + 2, 2, command);
    vfio_user_put(message + 4, 4, whole);
    if (bytes)
        memcpy(message + VFIO_USER_HEADER_BYTES, payload, bytes);
    if (pass(client->socket, message, whole, fds, count) != (ssize_t)whole || !receive_header(client, message) ||
        vfio_user_get(message, 2) != client->id || vfio_user_get(message + 2, 2) != command ||
        vfio_user_get(message + 4, 4) > sizeof message)
        return false;
    client->bytes = (size_t)vfio_user_get(message + 4, 4) - VFIO_USER_HEADER_BYTES;
    client->number = (int)vfio_user_get(message + 12, 4);
    return !client->bytes || receive(client->socket, client->payload, client->bytes);
}

bool vfio_client_begin(struct vfio_client *client) {
    static const char version[] = "\0\0\0\0{\"capabilities\":{\"max_msg_fds\":8}}";

    return vfio_client_ask(client, VFIO_USER_VERSION, version, sizeof version, NULL, 0) && client->number == 0;
}

static bool access_region(struct vfio_client *client, uint16_t command, uint32_t region, uint64_t offset,
                          const void *data, uint32_t bytes) {
    uint8_t payload[VFIO_USER_ACCESS_BYTES + ACCESS_MAX];

    if (bytes > ACCESS_MAX)
        return false;
    vfio_user_put(payload, 8, offset);
    vfio_user_put(payload + 8, 4, region);
    vfio_user_put(payload + 12, 4, bytes);
    if (data)
        memcpy(payload + VFIO_USER_ACCESS_BYTES, data, bytes);
    return vfio_client_ask(client, command, payload, VFIO_USER_ACCESS_BYTES + (data ? bytes : 0), NULL, 0) &&
           client->number == 0;
}

bool vfio_client_read(struct vfio_client *client, uint32_t region, uint64_t offset, void *data, uint32_t bytes) {
    if (!access_region(client, VFIO_USER_REGION_READ, region, offset, NULL, bytes) ||
        client->bytes != VFIO_USER_ACCESS_BYTES + bytes)
        return false;
    memcpy(data, client->payload + VFIO_USER_ACCESS_BYTES, bytes);
    return true;
}

bool vfio_client_write(struct vfio_client *client, uint32_t region, uint64_t offset, const void *data, uint32_t bytes) {
    return access_region(client, VFIO_USER_REGION_WRITE, region, offset, data, bytes);
}

bool vfio_client_map(struct vfio_client *client, uint64_t address, uint64_t bytes, int fd) {
    uint8_t payload[32] = {32, [4] = 3};

    vfio_user_put(payload + 16, 8, address);
    vfio_user_put(payload + 24, 8, bytes);
    return vfio_client_ask(client, VFIO_USER_DMA_MAP, payload, sizeof payload, &fd, fd >= 0) && client->number == 0;
}
