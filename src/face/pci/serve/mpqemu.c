/* SPDX-License-Identifier: MIT */
#include "face/pci/serve/mpqemu.h"

#include "chip/counted.h"
#include "face/pci/serve/socket_part.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* ---- what messages look like ---- */

static enum pfifo_status parse_nothing(struct mpqemu_message *message, const uint8_t *payload,
                                       struct pfifo_error *error);
static enum pfifo_status parse_memory(struct mpqemu_message *message, const uint8_t *payload,
                                      struct pfifo_error *error);
static enum pfifo_status parse_config(struct mpqemu_message *message, const uint8_t *payload,
                                      struct pfifo_error *error);
static enum pfifo_status parse_bar(struct mpqemu_message *message, const uint8_t *payload, struct pfifo_error *error);

static const struct format {
    const char *name;
    size_t bytes;
    unsigned fds_min, fds_max;
    enum pfifo_status (*parse)(struct mpqemu_message *message, const uint8_t *payload, struct pfifo_error *error);
} formats[MPQEMU_COMMANDS] = {
    [MPQEMU_SYNC_SYSMEM] = {"SYNC_SYSMEM", 192, 0, MPQEMU_REGIONS, parse_memory},
    [MPQEMU_CONFIG_WRITE] = {"PCI_CFGWRITE", 12, 0, 0, parse_config},
    [MPQEMU_CONFIG_READ] = {"PCI_CFGREAD", 12, 0, 0, parse_config},
    [MPQEMU_BAR_WRITE] = {"BAR_WRITE", 24, 0, 0, parse_bar},
    [MPQEMU_BAR_READ] = {"BAR_READ", 24, 0, 0, parse_bar},
    [MPQEMU_SET_IRQFD] = {"SET_IRQFD", 0, 2, 2, parse_nothing},
    [MPQEMU_DEVICE_RESET] = {"DEVICE_RESET", 0, 0, 0, parse_nothing},
};

static uint64_t little(const uint8_t *at, unsigned bytes) {
    uint64_t value = 0;

    for (unsigned i = 0; i < bytes; i++)
        value |= (uint64_t)at[i] << 8 * i;
    return value;
}

static void put_little(uint8_t *at, unsigned bytes, uint64_t value) {
    for (unsigned i = 0; i < bytes; i++)
        at[i] = (uint8_t)(value >> 8 * i);
}

static enum pfifo_status parse_nothing(struct mpqemu_message *message, const uint8_t *payload,
                                       struct pfifo_error *error) {
    (void)message, (void)payload, (void)error;
    return PFIFO_OK;
}

/* Three arrays: addresses, sizes, offsets. */
static enum pfifo_status parse_memory(struct mpqemu_message *message, const uint8_t *payload,
                                      struct pfifo_error *error) {
    (void)error;
    for (unsigned i = 0; i < MPQEMU_REGIONS; i++) {
        const uint8_t *at = payload + sizeof(uint64_t) * i;
        message->regions[i].address = little(at, 8);
        message->regions[i].bytes = little(at + sizeof(uint64_t) * MPQEMU_REGIONS, 8);
        message->regions[i].offset = (int64_t)little(at + 2 * sizeof(uint64_t) * MPQEMU_REGIONS, 8);
    }
    return PFIFO_OK;
}

static bool is_size(uint32_t bytes, uint32_t greatest) {
    return bytes && bytes <= greatest && !(bytes & (bytes - 1));
}

static enum pfifo_status parse_config(struct mpqemu_message *message, const uint8_t *payload,
                                      struct pfifo_error *error) {
    struct mpqemu_config_access *config = &message->config;

    config->offset = (uint32_t)little(payload, 4);
    config->value = (uint32_t)little(payload + 4, 4);
    config->bytes = (uint32_t)little(payload + 8, 4);
    if (!is_size(config->bytes, 4) || config->offset > 256 - config->bytes)
        return pfifo_error_set(error, PFIFO_ERROR_FORMAT, "access to configuration space of %s at offset 0x%" PRIx32,
                               counted(config->bytes, "byte").text, config->offset);
    return PFIFO_OK;
}

static enum pfifo_status parse_bar(struct mpqemu_message *message, const uint8_t *payload, struct pfifo_error *error) {
    struct mpqemu_bar_access *bar = &message->bar;

    bar->address = little(payload, 8);
    bar->value = little(payload + 8, 8);
    bar->bytes = (uint32_t)little(payload + 16, 4);
    bar->ports = !payload[20];
    if (!is_size(bar->bytes, 8) || payload[20] > 1)
        return pfifo_error_set(error, PFIFO_ERROR_FORMAT, "access of %s at 0x%" PRIx64 " in space %u",
                               counted(bar->bytes, "byte").text, bar->address, payload[20]);
    return PFIFO_OK;
}

static const struct format *mpqemu_find_format(const uint8_t *header, struct pfifo_error *error) {
    uint32_t command = (uint32_t)little(header, 4);

    if (command < MPQEMU_COMMANDS && formats[command].parse)
        return &formats[command];
    pfifo_error_set(error, PFIFO_ERROR_FORMAT, "message with the unknown command %" PRId32, (int32_t)command);
    return NULL;
}

bool mpqemu_payload_bytes(const uint8_t *header, size_t *bytes, struct pfifo_error *error) {
    const struct format *format = mpqemu_find_format(header, error);
    uint64_t size = little(header + 8, 8);

    if (!format)
        return false;
    *bytes = format->bytes;
    if (size == format->bytes)
        return true;
    pfifo_error_set(error, PFIFO_ERROR_FORMAT, "%s of %s, not %zu", format->name, counted(size, "byte").text,
                    format->bytes);
    return false;
}

enum pfifo_status mpqemu_parse(struct mpqemu_message *message, const uint8_t *header, const uint8_t *payload,
                               struct pfifo_error *error) {
    const struct format *format = mpqemu_find_format(header, error);

    if (!format)
        return PFIFO_ERROR_FORMAT;
    if (message->fd_count < format->fds_min || message->fd_count > format->fds_max)
        return pfifo_error_set(error, PFIFO_ERROR_FORMAT, "%s with %s", format->name,
                               counted(message->fd_count, "descriptor").text);
    message->command = (enum mpqemu_command)little(header, 4);
    return format->parse(message, payload, error);
}

/* ---- the connection ---- */

void mpqemu_begin(struct mpqemu *connection, int fd) {
    *connection = (struct mpqemu){.fd = fd};
}

void mpqemu_done(struct mpqemu *connection) {
    struct mpqemu_message *message = &connection->message;

    for (unsigned i = 0; i < message->fd_count; i++)
        if (message->fds[i] >= 0)
            close(message->fds[i]);
    message->fd_count = 0;
    connection->have = 0;
}

void mpqemu_end(struct mpqemu *connection) {
    mpqemu_done(connection);
    if (connection->fd >= 0)
        close(connection->fd);
    connection->fd = -1;
}

static enum socket_part_result receive_part(struct mpqemu *connection, size_t whole, struct pfifo_error *error) {
    struct mpqemu_message *message = &connection->message;

    return socket_part_receive(connection->fd, connection->bytes, &connection->have, whole, message->fds,
                               &message->fd_count, error);
}

enum mpqemu_result mpqemu_receive(struct mpqemu *connection, struct pfifo_error *error) {
    static const enum mpqemu_result results[] = {
        [SOCKET_PART_NONE] = MPQEMU_MORE, [SOCKET_PART_CLOSED] = MPQEMU_CLOSED, [SOCKET_PART_BROKEN] = MPQEMU_BROKEN};
    size_t payload = 0;

    for (;;) {
        size_t whole = MPQEMU_HEADER_BYTES;
        if (connection->have >= MPQEMU_HEADER_BYTES) {
            if (!mpqemu_payload_bytes(connection->bytes, &payload, error))
                return MPQEMU_BROKEN;
            whole += payload;
            if (connection->have == whole)
                break;
        }
        enum socket_part_result got = receive_part(connection, whole, error);
        if (got != SOCKET_PART_SOME)
            return results[got];
    }
    return mpqemu_parse(&connection->message, connection->bytes, connection->bytes + MPQEMU_HEADER_BYTES, error) ==
                   PFIFO_OK
               ? MPQEMU_MESSAGE
               : MPQEMU_BROKEN;
}

enum pfifo_status mpqemu_answer(struct mpqemu *connection, uint64_t value, struct pfifo_error *error) {
    uint8_t answer[MPQEMU_ANSWER_BYTES] = {0};

    put_little(answer, 4, MPQEMU_RET);
    put_little(answer + 8, 8, sizeof value);
    put_little(answer + MPQEMU_HEADER_BYTES, 8, value);
    ssize_t sent = send(connection->fd, answer, sizeof answer, MSG_DONTWAIT | MSG_NOSIGNAL);
    /* One that is gone is seen by the next receive. */
    if (sent == (ssize_t)sizeof answer || (sent < 0 && (errno == EPIPE || errno == ECONNRESET)))
        return PFIFO_OK;
    return pfifo_error_set(error, PFIFO_ERROR_IO, "the client does not take its answers");
}
