/* SPDX-License-Identifier: MIT */
#include "face/pci/serve/vfio_serve.h"

#include "face/pci/serve/vfio_version.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define REGION_CONFIG 7u
#define REGIONS       9u /* with that of VGA, which no card has */

#define DEVICE_RESET 0x1u
#define DEVICE_PCI   0x2u

#define REGION_READ  0x1u
#define REGION_WRITE 0x2u
#define REGION_MMAP  0x4u

/* Answers: payload bytes, a descriptor that goes with them, or an errno. */
struct answer {
    size_t bytes;
    int fd, number;
};

static struct answer refused(int number) {
    return (struct answer){0, -1, number};
}

static struct answer answered(size_t bytes) {
    return (struct answer){bytes, -1, 0};
}

bool vfio_serve_begin(struct vfio_serve *serve, int client) {
    *serve = (struct vfio_serve){.port = {.fd = -1}};
    vfio_irqs_begin(&serve->irqs);
    vfio_memory_begin(&serve->memory, &serve->client);
    return vfio_user_begin(&serve->client, client);
}

void vfio_serve_end(struct vfio_serve *serve) {
    vfio_user_end(&serve->client);
    vfio_memory_end(&serve->memory, serve->card);
    vfio_irqs_end(&serve->irqs);
}

/* The card has written all that the guest is to find then. Where that did not end, nobody is told that it did. */
void vfio_serve_intx(void *opaque, bool level) {
    struct vfio_serve *serve = opaque;

    if (!serve->memory.dma.ended)
        vfio_irqs_level(&serve->irqs, level);
}

/* The client knows address and data: it has seen the writes to the capability. */
void vfio_serve_msi(void *opaque, uint64_t address, uint32_t data) {
    struct vfio_serve *serve = opaque;

    (void)address, (void)data;
    if (!serve->memory.dma.ended)
        vfio_irqs_message(&serve->irqs);
}

/* ---- what the device is ---- */

static bool has_msi(struct pfifo_pci *card) {
    uint32_t at = pfifo_pci_config_read(card, 0x34, 1) & 0xfc;

    for (unsigned i = 0; at >= 0x40 && i < 48; i++) {
        if (pfifo_pci_config_read(card, at, 1) == 5)
            return true;
        at = pfifo_pci_config_read(card, at + 1, 1) & 0xfc;
    }
    return false;
}

/* Versions with the same major number understand each other; the smaller minor number holds. */
static struct answer do_version(struct vfio_serve *serve, const uint8_t *payload, size_t bytes) {
    uint8_t *out = vfio_user_answer_payload(&serve->client);

    struct vfio_version version = {.most = VFIO_USER_DATA_MAX};

    if (serve->agreed || bytes < 4 || vfio_user_get(payload, 2) != 0 ||
        (bytes > 4 && !vfio_version_parse((const char *)payload + 4, bytes - 4, &version)))
        return refused(EINVAL);
    serve->agreed = true;
    serve->memory.dma.most = version.most < VFIO_USER_DATA_MAX ? (uint32_t)version.most : VFIO_USER_DATA_MAX;
    serve->multiple = version.multiple;
    serve->irqs.has_msi = has_msi(serve->card);
    vfio_user_put(out, 4, 0);
    int text = snprintf(
        (char *)out + 4, 256, "{\"capabilities\":{\"max_msg_fds\":%u,\"max_data_xfer_size\":%u,\"max_dma_maps\":%u%s}}",
        SOCKET_PART_FDS, VFIO_USER_DATA_MAX, PFIFO_PCI_DMA_MAX, version.multiple ? ",\"write_multiple\":true" : "");
    return answered(4 + (size_t)text + 1);
}

static struct answer do_device_info(struct vfio_serve *serve, const uint8_t *payload, size_t bytes) {
    uint8_t *out = vfio_user_answer_payload(&serve->client);

    if (bytes < 4 || vfio_user_get(payload, 4) < 16)
        return refused(EINVAL);
    vfio_user_put(out, 4, 16);
    vfio_user_put(out + 4, 4, DEVICE_RESET | DEVICE_PCI);
    vfio_user_put(out + 8, 4, REGIONS);
    vfio_user_put(out + 12, 4, VFIO_IRQS);
    return answered(16);
}

static uint64_t region_bytes(struct vfio_serve *serve, uint32_t index, struct pfifo_pci_region *info) {
    *info = (struct pfifo_pci_region){0};
    if (index == REGION_CONFIG) {
        info->writable = true;
        info->bytes = PFIFO_PCI_CONFIG_BYTES;
    } else if (index < PFIFO_PCI_REGIONS) {
        pfifo_pci_region(serve->card, index, info);
    }
    return info->bytes;
}

static struct answer do_region_info(struct vfio_serve *serve, const uint8_t *payload, size_t bytes) {
    uint8_t *out = vfio_user_answer_payload(&serve->client);
    struct pfifo_pci_region info;

    if (bytes != 32 || vfio_user_get(payload, 4) < 32 || vfio_user_get(payload + 8, 4) >= REGIONS)
        return refused(EINVAL);
    uint32_t index = (uint32_t)vfio_user_get(payload + 8, 4), flags = 0;
    uint64_t size = region_bytes(serve, index, &info);
    int fd = info.vram ? pfifo_gpu_vram_fd(pfifo_pci_gpu(serve->card), NULL) : -1;
    if (size)
        flags = REGION_READ | (info.writable ? REGION_WRITE : 0) | (fd >= 0 ? REGION_MMAP : 0);
    memset(out, 0, 32);
    vfio_user_put(out, 4, 32);
    vfio_user_put(out + 4, 4, flags);
    vfio_user_put(out + 8, 4, index);
    vfio_user_put(out + 16, 8, size);
    return (struct answer){32, fd, 0};
}

static struct answer do_irq_info(struct vfio_serve *serve, const uint8_t *payload, size_t bytes) {
    uint8_t *out = vfio_user_answer_payload(&serve->client);
    uint32_t flags;

    if (bytes != 16 || vfio_user_get(payload, 4) < 16 || vfio_user_get(payload + 8, 4) >= VFIO_IRQS)
        return refused(EINVAL);
    uint32_t index = (uint32_t)vfio_user_get(payload + 8, 4);
    if (index == VFIO_IRQ_ERR)
        return refused(EINVAL); /* as Linux does; for one with a count of 0, QEMU warns of a device without recovery */
    uint32_t count = vfio_irqs_info(&serve->irqs, index, &flags);
    vfio_user_put(out, 4, 16);
    vfio_user_put(out + 4, 4, flags);
    vfio_user_put(out + 8, 4, index);
    vfio_user_put(out + 12, 4, count);
    return answered(16);
}

/* ---- accesses ---- */

/* In the largest naturally aligned pieces that configuration space has. */
static void config_access(struct vfio_serve *serve, unsigned offset, uint8_t *data, unsigned count, bool write) {
    for (unsigned i = 0; i < count;) {
        unsigned at = offset + i, bytes = at % 4 == 0 && count - i >= 4 ? 4 : at % 2 == 0 && count - i >= 2 ? 2 : 1;
        if (write)
            pfifo_pci_config_write(serve->card, at, bytes, (uint32_t)vfio_user_get(data + i, bytes));
        else
            vfio_user_put(data + i, bytes, pfifo_pci_config_read(serve->card, at, bytes));
        i += bytes;
    }
}

struct access {
    uint64_t offset;
    uint32_t region, count;
};

static struct access get_access(const uint8_t *payload) {
    return (struct access){vfio_user_get(payload, 8), (uint32_t)vfio_user_get(payload + 8, 4),
                           (uint32_t)vfio_user_get(payload + 12, 4)};
}

static bool access_is_there(struct vfio_serve *serve, const struct access *access, bool write) {
    struct pfifo_pci_region info;
    uint64_t size = region_bytes(serve, access->region, &info);

    return access->offset <= size && access->count <= size - access->offset && (!write || info.writable);
}

static void access_region(struct vfio_serve *serve, const struct access *access, uint8_t *data, bool write) {
    if (access->region == REGION_CONFIG)
        config_access(serve, (unsigned)access->offset, data, access->count, write);
    else if (write)
        pfifo_pci_region_write(serve->card, access->region, access->offset, data, access->count);
    else
        pfifo_pci_region_read(serve->card, access->region, access->offset, data, access->count);
}

static struct answer do_access(struct vfio_serve *serve, uint8_t *payload, size_t bytes, bool write) {
    uint8_t *out = vfio_user_answer_payload(&serve->client);

    if (bytes < VFIO_USER_ACCESS_BYTES)
        return refused(EINVAL);
    struct access access = get_access(payload);
    if (access.count > VFIO_USER_DATA_MAX || bytes != VFIO_USER_ACCESS_BYTES + (write ? access.count : 0) ||
        !access_is_there(serve, &access, write))
        return refused(EINVAL);
    memcpy(out, payload, VFIO_USER_ACCESS_BYTES);
    uint8_t *data = write ? payload + VFIO_USER_ACCESS_BYTES : out + VFIO_USER_ACCESS_BYTES;
    access_region(serve, &access, data, write);
    return answered(VFIO_USER_ACCESS_BYTES + (write ? 0 : access.count));
}

/* Each has room for 8 bytes of data. The answer is how many were done: the first wrong one ends them. */
static struct answer do_writes(struct vfio_serve *serve, uint8_t *payload, size_t bytes) {
    uint64_t done = 0;

    if (!serve->multiple)
        return refused(EOPNOTSUPP);
    if (bytes < 8 || (bytes - 8) % VFIO_USER_WRITE_BYTES != 0 ||
        vfio_user_get(payload, 8) != (bytes - 8) / VFIO_USER_WRITE_BYTES)
        return refused(EINVAL);
    for (uint8_t *at = payload + 8; at < payload + bytes && !serve->memory.dma.ended; at += VFIO_USER_WRITE_BYTES) {
        struct access access = get_access(at);
        if (access.count > VFIO_USER_WRITE_BYTES - VFIO_USER_ACCESS_BYTES || !access_is_there(serve, &access, true))
            break;
        access_region(serve, &access, at + VFIO_USER_ACCESS_BYTES, true);
        done++;
    }
    vfio_user_put(vfio_user_answer_payload(&serve->client), 8, done);
    return answered(8);
}

/* ---- memory of the guest ---- */

static struct answer do_map(struct vfio_serve *serve, const uint8_t *payload, size_t bytes) {
    const struct vfio_user_message *now = &serve->client.now;

    return refused(vfio_memory_map(&serve->memory, serve->card, payload, bytes, now->fds, now->fd_count));
}

/* The answer is the question. */
static struct answer do_unmap(struct vfio_serve *serve, const uint8_t *payload, size_t bytes) {
    int number = vfio_memory_unmap(&serve->memory, serve->card, payload, bytes);

    if (number)
        return refused(number);
    memcpy(vfio_user_answer_payload(&serve->client), payload, bytes);
    return answered(bytes);
}

/* ---- messages ---- */

static struct answer do_command(struct vfio_serve *serve) {
    struct vfio_user *client = &serve->client;
    struct vfio_user_message *now = &client->now;
    size_t bytes = now->have - VFIO_USER_HEADER_BYTES;
    uint8_t *payload = now->bytes + VFIO_USER_HEADER_BYTES;
    uint16_t command = vfio_user_command(client);

    if (now->fd_count && command != VFIO_USER_DMA_MAP && command != VFIO_USER_SET_IRQS)
        return refused(EINVAL);
    if (!serve->agreed && command != VFIO_USER_VERSION)
        return refused(EINVAL);
    switch (command) {
    case VFIO_USER_VERSION:
        return do_version(serve, payload, bytes);
    case VFIO_USER_DMA_MAP:
        return do_map(serve, payload, bytes);
    case VFIO_USER_DMA_UNMAP:
        return do_unmap(serve, payload, bytes);
    case VFIO_USER_DEVICE_GET_INFO:
        return do_device_info(serve, payload, bytes);
    case VFIO_USER_REGION_INFO:
        return do_region_info(serve, payload, bytes);
    case VFIO_USER_IRQ_INFO:
        return do_irq_info(serve, payload, bytes);
    case VFIO_USER_SET_IRQS:
        return refused(vfio_irqs_set(&serve->irqs, payload, bytes, now->fds, now->fd_count));
    case VFIO_USER_REGION_READ:
    case VFIO_USER_REGION_WRITE:
        return do_access(serve, payload, bytes, command == VFIO_USER_REGION_WRITE);
    case VFIO_USER_REGION_WRITE_MULTI:
        return do_writes(serve, payload, bytes);
    case VFIO_USER_DEVICE_RESET:
        return refused(pfifo_pci_reset(serve->card, NULL) == PFIFO_OK ? 0 : EIO);
    default:
        return refused(EOPNOTSUPP);
    }
}

static enum serve_state vfio_serve_take_message(struct vfio_serve *serve, struct pfifo_error *error) {
    struct vfio_user *client = &serve->client;

    if (vfio_user_is_sending(client))
        return vfio_user_send(client) ? SERVE_GOES_ON : SERVE_ENDED;
    switch (vfio_user_receive(client, error)) {
    case VFIO_USER_MORE:
        return SERVE_GOES_ON;
    case VFIO_USER_CLOSED:
        return SERVE_ENDED;
    case VFIO_USER_BROKEN:
        return SERVE_BROKEN;
    case VFIO_USER_MESSAGE:
        break;
    }
    struct answer answer = do_command(serve);
    enum serve_state state = vfio_dma_state(&serve->memory.dma, error);
    if (state != SERVE_GOES_ON)
        return state;
    vfio_user_answer(client, answer.bytes, answer.fd, answer.number);
    vfio_user_done(client);
    pump_wake(&serve->pump);
    return vfio_user_send(client) ? SERVE_GOES_ON : SERVE_ENDED;
}

enum serve_state vfio_serve_turn(void *opaque, int stop, struct pfifo_error *error) {
    struct vfio_serve *serve = opaque;
    bool sending = vfio_user_is_sending(&serve->client), queued = !sending && vfio_user_has_queued(&serve->client);
    struct pollfd fds[] = {
        {.fd = serve->client.fd, .events = sending ? POLLOUT : POLLIN},
        {.fd = stop, .events = POLLIN},
        {.fd = serve->irqs.unmask, .events = POLLIN},
        {.fd = serve->port.fd, .events = POLLIN},
    };
    enum serve_state state = SERVE_GOES_ON;

    serve->memory.dma.stop = stop;
    pump_wait(fds, sizeof fds / sizeof fds[0], queued ? 0 : serve->pump.wait);
    if (fds[2].revents)
        vfio_irqs_unmask(&serve->irqs);
    if (fds[3].revents)
        pump_port_take(&serve->port);
    if (fds[0].revents || queued)
        state = vfio_serve_take_message(serve, error);
    if (state == SERVE_GOES_ON && fds[1].revents)
        return SERVE_ENDED;
    if (state != SERVE_GOES_ON)
        return state;
    pump_run(&serve->pump, serve->card);
    return vfio_dma_state(&serve->memory.dma, error);
}

enum pfifo_status vfio_serve_run(struct vfio_serve *serve, int stop, struct pfifo_error *error) {
    return pump_loop(vfio_serve_turn, serve, stop, error);
}
