/* SPDX-License-Identifier: MIT */
#include "face/pci/serve/vfio_dma.h"

#include <inttypes.h>
#include <string.h>

#define COUNT  8u                        /* where it is in a payload */
#define NARROW 12u                       /* and the data after one of 32 bits */
#define WIDE   VFIO_USER_DMA_BYTES       /* and of 64 */
#define SHIFT  ((size_t)(WIDE - NARROW)) /* of the data of a client that is taken for the other kind */

/* ---- one message ---- */

static void lies(struct vfio_dma *dma, uint16_t command, size_t bytes, size_t payload) {
    const char *name = command == VFIO_USER_DMA_READ ? "DMA_READ" : "DMA_WRITE";

    pfifo_error_set(&dma->error, PFIFO_ERROR_FORMAT,
                    "%s of %zu bytes is answered with another address or count, or with %zu bytes", name, bytes,
                    payload);
    dma->ended = true;
}

/* The reply, without its header. NULL: none, or an error. To be followed by vfio_user_replied(). */
static const uint8_t *vfio_dma_reply(struct vfio_dma *dma, uint16_t command, size_t bytes, size_t *payload) {
    enum vfio_user_result result = vfio_user_ask(dma->client, command, bytes, dma->stop, &dma->error);
    dma->ended = result != VFIO_USER_MESSAGE;
    if (dma->ended || vfio_user_get(dma->client->in.bytes + 8, 4) & VFIO_USER_ERROR)
        return NULL;
    *payload = dma->client->in.have - VFIO_USER_HEADER_BYTES;
    return dma->client->in.bytes + VFIO_USER_HEADER_BYTES;
}

static uint8_t *question(struct vfio_dma *dma, uint64_t address, size_t bytes) {
    uint8_t *out = vfio_user_question_payload(dma->client);

    vfio_user_put(out, 8, address);
    vfio_user_put(out + COUNT, 8, bytes);
    return out;
}

/* Its data as a wide client has it, and what is in the upper half of the count. */
static bool ask_read(struct vfio_dma *dma, uint64_t address, uint8_t *data, size_t bytes, uint8_t upper[SHIFT]) {
    size_t payload = 0;

    if (dma->ended)
        return false;
    question(dma, address, bytes);
    const uint8_t *in = vfio_dma_reply(dma, VFIO_USER_DMA_READ, WIDE, &payload);
    bool right =
        in && payload == WIDE + bytes && vfio_user_get(in, 8) == address && vfio_user_get(in + COUNT, 4) == bytes;
    if (in && !right)
        lies(dma, VFIO_USER_DMA_READ, bytes, payload);
    if (right) {
        memcpy(upper, in + NARROW, SHIFT);
        memcpy(data, in + WIDE, bytes);
    }
    vfio_user_replied(dma->client);
    return right;
}

/*
 * The count of a reply has 32 bits in the specification, and 64 in libvfio-user. QEMU replies without a payload, or
 * with the first 16 bytes of the question, whose last four are data.
 */
static bool ask_write(struct vfio_dma *dma, uint64_t address, const uint8_t *data, size_t bytes) {
    size_t payload = 0;

    if (dma->ended)
        return false;
    uint8_t *out = question(dma, address, bytes);
    memset(out + WIDE, 0, bytes);
    memcpy(out + (dma->narrow ? NARROW : WIDE), data, bytes);
    const uint8_t *in = vfio_dma_reply(dma, VFIO_USER_DMA_WRITE, WIDE + bytes, &payload);
    bool right = in && (payload == 0 || ((payload == WIDE || payload == NARROW) && vfio_user_get(in, 8) == address &&
                                         vfio_user_get(in + COUNT, 4) == bytes));
    if (in && !right)
        lies(dma, VFIO_USER_DMA_WRITE, bytes, payload);
    vfio_user_replied(dma->client);
    return right;
}

/* ---- how wide the client's counts are ---- */

static bool vfio_dma_is_zero(const uint8_t *data, size_t bytes) {
    while (bytes && !*data)
        data++, bytes--;
    return !bytes;
}

static void know(struct vfio_dma *dma, bool narrow) {
    dma->narrow = narrow;
    dma->sure = true;
}

/*
 * Data of a wide client that begins with no upper half is either that, or what a narrow one has after four zeros: then
 * the first byte that is not zero is four bytes further on, and a question for it brings it to the upper half.
 */
static bool find_out(struct vfio_dma *dma, uint64_t address, const uint8_t *data, size_t bytes) {
    uint8_t upper[SHIFT], unused[SHIFT];
    size_t first = 0;

    while (first < bytes && !data[first])
        first++;
    if (first == bytes)
        return true;
    if (bytes - first <= SHIFT) {
        know(dma, false); /* a narrow client's message ends with zeros */
        return true;
    }
    size_t rest = bytes - first - SHIFT;
    if (!ask_read(dma, address + first + SHIFT, unused, rest < SHIFT ? rest : SHIFT, upper))
        return false;
    know(dma, !vfio_dma_is_zero(upper, SHIFT));
    return true;
}

static bool vfio_dma_read_part(struct vfio_dma *dma, uint64_t address, uint8_t *data, size_t bytes) {
    uint8_t upper[SHIFT];

    if (!ask_read(dma, address, data, bytes, upper))
        return false;
    bool clean = vfio_dma_is_zero(upper, SHIFT);
    if (!dma->sure && !clean)
        know(dma, true);
    if (!dma->sure && !find_out(dma, address, data, bytes))
        return false;
    if (dma->sure && !dma->narrow && !clean) {
        lies(dma, VFIO_USER_DMA_READ, bytes, WIDE + bytes);
        return false;
    }
    if (dma->narrow) {
        size_t front = bytes < SHIFT ? bytes : SHIFT;
        memmove(data + front, data, bytes - front);
        memcpy(data, upper, front);
    }
    return true;
}

/*
 * All that was read so far is zero; the first byte of the data is not. A narrow client takes the upper half of the
 * count for the dword, and writes zero where, as far as is known, zero was. What is read back tells; not for sure,
 * since the guest may have changed it already. What a wide client has written is not written again: the guest may wait
 * for it once.
 */
static bool first_write(struct vfio_dma *dma, uint64_t address, const uint8_t *data, size_t bytes) {
    uint8_t upper[SHIFT], found[SHIFT] = {0};
    size_t some = bytes < SHIFT ? bytes : SHIFT, rest = bytes - some;

    if (!ask_write(dma, address, data, some))
        return false;
    if (ask_read(dma, address, found, some, upper)) {
        if (!vfio_dma_is_zero(upper, SHIFT))
            know(dma, true);
        else if (memcmp(found, data, some) == 0)
            know(dma, false);
        else
            dma->narrow = vfio_dma_is_zero(found, some);
    }
    if (dma->narrow) {
        if (ask_write(dma, address, data, bytes))
            return true;
        if (dma->sure)
            return false;
        dma->narrow = false; /* such a count is refused by a wide client */
    }
    return !dma->ended && (!rest || ask_write(dma, address + some, data + some, rest));
}

/* Zeros are the same for both kinds. */
static bool vfio_dma_write_part(struct vfio_dma *dma, uint64_t address, const uint8_t *data, size_t bytes) {
    size_t first = 0;

    if (dma->sure || dma->narrow)
        return ask_write(dma, address, data, bytes);
    while (first < bytes && !data[first])
        first++;
    if (first && !ask_write(dma, address, data, first))
        return false;
    return first == bytes || first_write(dma, address + first, data + first, bytes - first);
}

/* ---- for the card ---- */

static size_t vfio_dma_part_of(const struct vfio_dma *dma, size_t bytes) {
    size_t most = dma->most < VFIO_USER_ASKED_MAX ? dma->most : VFIO_USER_ASKED_MAX;
    return bytes < most ? bytes : most;
}

bool vfio_dma_read(void *opaque, uint64_t address, void *data, size_t bytes) {
    struct vfio_dma *dma = opaque;

    for (size_t done = 0, part; done < bytes; done += part) {
        part = vfio_dma_part_of(dma, bytes - done);
        if (!vfio_dma_read_part(dma, address + done, (uint8_t *)data + done, part))
            return false;
    }
    return true;
}

bool vfio_dma_write(void *opaque, uint64_t address, const void *data, size_t bytes) {
    struct vfio_dma *dma = opaque;

    for (size_t done = 0, part; done < bytes; done += part) {
        part = vfio_dma_part_of(dma, bytes - done);
        if (!vfio_dma_write_part(dma, address + done, (const uint8_t *)data + done, part))
            return false;
    }
    return true;
}

enum serve_state vfio_dma_state(const struct vfio_dma *dma, struct pfifo_error *error) {
    if (!dma->ended)
        return SERVE_GOES_ON;
    if (dma->error.status == PFIFO_OK)
        return SERVE_ENDED;
    pfifo_error_set(error, dma->error.status, "%s", dma->error.message);
    return SERVE_BROKEN;
}
