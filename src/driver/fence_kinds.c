/* SPDX-License-Identifier: MIT */
/*
 * The fences of each generation, as nouveau sends them.
 *
 * Sources: nouveau nv04_fence.c, nv10_fence.c, nv50_fence.c, nv84_fence.c, nvc0_fence.c.
 */
#include "driver/access.h"
#include "driver/channel.h"
#include "driver/ops.h"

#define METHOD_BIND      0x000u
#define METHOD_SEMAPHORE 0x010u
#define METHOD_REFERENCE 0x050u
#define METHOD_OBJECT    0x060u
#define SOFTWARE_METHOD  0x150u
#define RELEASE          2u

#define SOFTWARE_SUBCHANNEL 7u
#define HANDLE              0xfe9ce000u

static uint32_t old_header(uint32_t subchannel, uint32_t method, uint32_t count) {
    return count << 18 | subchannel << 13 | method;
}

static uint32_t gf100_header(uint32_t method, uint32_t count) {
    return 1u << 29 | count << 16 | method >> 2;
}

/* ---- REF_CNT ---- */

static unsigned write_reference(const struct pfifo_channel *channel, uint32_t sequence,
                                uint32_t words[FENCE_WORDS_MAX]) {
    (void)channel;
    words[0] = old_header(0, METHOD_REFERENCE, 1);
    words[1] = sequence;
    return 2;
}

static uint32_t read_reference(struct pfifo_channel *channel) {
    return channel->device->ops->reference(channel);
}

const struct fence_ops fence_by_reference = {.write = write_reference, .reached = read_reference};

/* ---- a software object ---- */

static enum pfifo_status make_software_object(struct pfifo_channel *channel, struct pfifo_error *error) {
    return pfifo_channel_object(channel, HANDLE, FENCE_CLASS, error);
}

/* Bind it every time, since the program may have bound another object. */
static unsigned write_software(const struct pfifo_channel *channel, uint32_t sequence,
                               uint32_t words[FENCE_WORDS_MAX]) {
    (void)channel;
    words[0] = old_header(SOFTWARE_SUBCHANNEL, METHOD_BIND, 1);
    words[1] = HANDLE;
    words[2] = old_header(SOFTWARE_SUBCHANNEL, SOFTWARE_METHOD, 1);
    words[3] = sequence;
    return 4;
}

static uint32_t read_software(struct pfifo_channel *channel) {
    return channel->fences.software;
}

const struct fence_ops fence_by_software = {
    .prepare = make_software_object, .write = write_software, .reached = read_software};

/* ---- semaphores ---- */

/* The DMA object covers the page of the semaphore. */
static enum pfifo_status make_dma_object(struct pfifo_channel *channel, struct pfifo_error *error) {
    return pfifo_channel_dma_object(channel, HANDLE, channel->fences.buffer, 0, PAGE_BYTES, error);
}

static unsigned write_g84_semaphore(const struct pfifo_channel *channel, uint32_t sequence,
                                    uint32_t words[FENCE_WORDS_MAX]) {
    (void)channel;
    words[0] = old_header(0, METHOD_OBJECT, 1);
    words[1] = HANDLE;
    words[2] = old_header(0, METHOD_SEMAPHORE, 4);
    words[3] = 0;
    words[4] = 0;
    words[5] = sequence;
    words[6] = RELEASE;
    return 7;
}

static unsigned write_gf100_semaphore(const struct pfifo_channel *channel, uint32_t sequence,
                                      uint32_t words[FENCE_WORDS_MAX]) {
    words[0] = gf100_header(METHOD_SEMAPHORE, 4);
    words[1] = (uint32_t)(channel->fences.address >> 32);
    words[2] = (uint32_t)channel->fences.address;
    words[3] = sequence;
    words[4] = RELEASE;
    return 5;
}

static uint32_t fence_kinds_read_semaphore(struct pfifo_channel *channel) {
    uint8_t b[4] = {0};
    pfifo_buffer_read(channel->fences.buffer, 0, b, sizeof b);
    return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

const struct fence_ops fence_by_g84_semaphore = {
    .prepare = make_dma_object, .write = write_g84_semaphore, .reached = fence_kinds_read_semaphore};
const struct fence_ops fence_by_gf100_semaphore = {.write = write_gf100_semaphore,
                                                   .reached = fence_kinds_read_semaphore};

/* ---- PIO ---- */

static uint32_t read_idleness(struct pfifo_channel *channel) {
    return (uint32_t)(pfifo_channel_idle(channel) ? channel->fences.sent : channel->fences.reached);
}

const struct fence_ops fence_by_idleness = {.reached = read_idleness};

const struct fence_ops *fence_before_g80(const struct pfifo_channel *channel) {
    if (channel->mode == PFIFO_CHANNEL_PIO)
        return &fence_by_idleness;
    return channel->device->chip->has_ref_cnt ? &fence_by_reference : &fence_by_software;
}
