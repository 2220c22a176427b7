/* SPDX-License-Identifier: MIT */
/*
 * A client of vfio-user that sends anything.
 *
 *   steps: a byte says how many bytes follow and which descriptors come with them; or a whole message of a command; or
 *          the card wants memory of the guest, and finds what the client sent before: a reply, nearly right
 *
 * Whatever it sends, a turn ends, the server is not larger than its limits, and all is free again at the end.
 */
#include "face/pci/serve/vfio_serve.h"
#include "face/pci/serve/vfio_version.h"
#include "fuzz/input.h"
#include "pci/passing.h"

#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

#define STEPS     64u
#define RAM_BYTES 0x10000
#define DMA_MAX   63u /* bytes of a transfer */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct client {
    struct input input;
    struct vfio_serve serve;
    int socket, ram, event, stop;
};

static void send_some(struct client *client, const uint8_t *bytes, size_t count, unsigned descriptors) {
    int fds[PASSING_MAX];

    for (unsigned i = 0; i < descriptors; i++)
        fds[i] = i & 1 ? client->ram : client->event;
    if (count)
        (void)pass(client->socket, bytes, count, fds, descriptors);
}

/* A header that is right, with a payload of small numbers, so that they often mean something. */
static size_t make_message(struct client *client, uint8_t command, uint8_t *bytes) {
    static const uint8_t sizes[16] = {0, 4, 32, 24, 16, 32, 0, 16, 20, 16, 20, 0, 0, 0, 0, 32};
    size_t payload = sizes[command & 15];

    bytes[2] = command & 15;
    bytes[4] = (uint8_t)(VFIO_USER_HEADER_BYTES + payload);
    for (size_t i = 0; i < payload; i += 4) {
        uint8_t kind = (uint8_t)take(&client->input, 1);
        bytes[VFIO_USER_HEADER_BYTES + i + (kind & 3)] = (uint8_t)(kind >> 2);
    }
    if (bytes[2] == VFIO_USER_REGION_WRITE_MULTI)
        vfio_user_put(bytes + VFIO_USER_HEADER_BYTES, 8, 1);
    return VFIO_USER_HEADER_BYTES + payload;
}

/* What is wrong with a reply. */
enum {
    REFUSES = 1,
    OTHER_ID = 2,
    OTHER_ADDRESS = 4,
    OTHER_COUNT = 8,
    NO_PAYLOAD = 16,
    HALF = 32,
    QUESTION = 64,
    AGAIN = 128
};

static void send_reply(struct client *client, uint8_t wrong, uint16_t id, uint64_t address, size_t bytes, bool write) {
    uint8_t message[VFIO_USER_HEADER_BYTES + VFIO_USER_DMA_BYTES + DMA_MAX] = {0};
    uint8_t *payload = message + VFIO_USER_HEADER_BYTES;
    size_t whole = VFIO_USER_HEADER_BYTES;

    if (!(wrong & (NO_PAYLOAD | REFUSES)))
        whole += VFIO_USER_DMA_BYTES + (write ? 0 : bytes);
    vfio_user_put(message, 2, id + (wrong & OTHER_ID ? 1u : 0));
    vfio_user_put(message + 2, 2, write ? VFIO_USER_DMA_WRITE : VFIO_USER_DMA_READ);
    vfio_user_put(message + 4, 4, whole);
    vfio_user_put(message + 8, 4, VFIO_USER_REPLY | (wrong & REFUSES ? VFIO_USER_ERROR : 0));
    vfio_user_put(payload, 8, address ^ (wrong & OTHER_ADDRESS));
    vfio_user_put(payload + 8, 8, bytes + (wrong & OTHER_COUNT));
    for (size_t i = 0; i < bytes; i++)
        payload[VFIO_USER_DMA_BYTES + i] = (uint8_t)take(&client->input, 1);
    if (wrong & QUESTION) {
        uint8_t question[64] = {0};
        send_some(client, question, make_message(client, wrong, question), wrong & 1);
    }
    send_some(client, message, wrong & HALF ? whole / 2 : whole, 0);
}

/* As the card does it: within an access or a run, which the client does not see. */
static void want_memory(struct client *client, bool write) {
    struct vfio_dma *dma = &client->serve.memory.dma;
    uint8_t data[DMA_MAX + 1] = {0}, wrong = (uint8_t)take(&client->input, 1);
    uint64_t address = take(&client->input, 2);
    size_t bytes = 1 + take(&client->input, 1) % DMA_MAX;

    for (size_t i = 0; write && i < bytes; i++)
        data[i] = (uint8_t)take(&client->input, 1);
    dma->stop = client->stop;
    dma->sure |= !(wrong & AGAIN);
    send_reply(client, wrong, (uint16_t)(client->serve.client.id + 1), address, bytes, write);
    if (write)
        (void)vfio_dma_write(dma, address, data, bytes);
    else
        (void)vfio_dma_read(dma, address, data, bytes);
    require(data[bytes] == 0);
    require(client->serve.client.queued <= VFIO_USER_QUEUE_BYTES);
}

/* What VERSION says, which is taken once in a connection. */
static void parse_version(struct client *client) {
    char text[32] = {0};
    size_t bytes = take(&client->input, 1) % sizeof text;
    struct vfio_version version = {.most = 1};

    for (size_t i = 0; i < bytes; i++)
        text[i] = (char)take(&client->input, 1);
    require(!vfio_version_parse(text, bytes + 1, &version) || version.most);
}

static void step(struct client *client) {
    uint8_t bytes[64] = {0}, kind = (uint8_t)take(&client->input, 1);
    size_t count = kind & 31;

    if ((kind & 0x8f) == (0x80 | VFIO_USER_DMA_READ) || (kind & 0x8f) == (0x80 | VFIO_USER_DMA_WRITE)) {
        want_memory(client, (kind & 15) == VFIO_USER_DMA_WRITE);
        return;
    }
    if (kind == (0x80 | VFIO_USER_VERSION)) {
        parse_version(client);
        return;
    }
    if (kind & 0x80) {
        count = make_message(client, kind, bytes);
        kind = (uint8_t)take(&client->input, 1);
    } else {
        for (size_t i = 0; i < count; i++)
            bytes[i] = (uint8_t)take(&client->input, 1);
        kind >>= 5;
    }
    send_some(client, bytes, count, kind & 15);
}

static void begin(struct client *client) {
    struct pfifo_pci_config config = {.size = sizeof config,
                                      .gpu = {.size = sizeof config.gpu, .chip = pfifo_chip_by_name("NV40")},
                                      .intx = vfio_serve_intx,
                                      .msi = vfio_serve_msi,
                                      .opaque = &client->serve};
    int ends[2];

    client->ram = memfd_create("ram", MFD_ALLOW_SEALING | MFD_CLOEXEC);
    client->event = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    require(client->ram >= 0 && client->event >= 0 && ftruncate(client->ram, RAM_BYTES) == 0);
    require(fcntl(client->ram, F_ADD_SEALS, F_SEAL_SHRINK) == 0);
    require(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    client->socket = ends[0];
    require(vfio_serve_begin(&client->serve, ends[1]));
    client->serve.card = pfifo_pci_new(&config, NULL);
    require(client->serve.card != NULL);
    client->serve.agreed = true;
    client->serve.multiple = true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct client client = {.input = {data, size}};
    enum serve_state state = SERVE_GOES_ON;
    struct pfifo_error error;

    begin(&client);
    /* Always readable: no turn waits. */
    client.stop = eventfd(1, EFD_CLOEXEC);
    for (unsigned i = 0; i < STEPS && client.input.left && state != SERVE_BROKEN; i++) {
        step(&client);
        state = vfio_serve_turn(&client.serve, client.stop, &error);
        require(client.serve.memory.count <= PFIFO_PCI_DMA_MAX);
        require(pfifo_pci_dma_count(client.serve.card) == client.serve.memory.count);
    }
    vfio_serve_end(&client.serve);
    pfifo_pci_free(client.serve.card);
    close(client.stop);
    close(client.socket);
    close(client.ram);
    close(client.event);
    return 0;
}
