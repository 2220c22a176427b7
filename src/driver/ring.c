/* SPDX-License-Identifier: MIT */
/*
 * Rings of segments.
 *
 *   IB            | entry | entry | entry | ...          |      8 bytes each: address and length
 *   DMA           | CALL  | CALL  | ...   | JUMP to start|      a word each; a segment returns by itself
 *   DMA, no CALL  | JUMP  | JUMP  | ...   | JUMP to start|      NV4:NV1A; the segment's return becomes a JUMP back
 *   DMA, own      | JUMP  |                                     to the channel's own pushbuffer: PUT is at its end
 *
 * Sources: nouveau nouveau_dma.c, nouveau_gem.c (which patches the end of a segment, too).
 */
#include "driver/channel.h"
#include "driver/ops.h"

#include <assert.h>
#include <stdlib.h>

#define COMMAND_JUMP      1u
#define COMMAND_CALL      2u
#define COMMAND_RETURN    0x00020000u
#define COMMAND_OLD_JUMP  0x20000000u
#define OLD_JUMP_MASK     0xe0000003u
#define DMA_VA_END        (UINT64_C(1) << 32) /* jumps and calls have 32 bits */
#define DMA_VA_END_NO_NEW (UINT64_C(1) << 29) /* old jumps 29 */
#define IB_VA_END         (UINT64_C(1) << 40)

#define ENTRY_LENGTH_SHIFT 42

#define WAIT_BUDGET UINT64_C(0x100000) /* of each run while waiting for room, and how many runs */
#define WAIT_TURNS  64

/* ---- the ring itself ---- */

static void write_ring(struct pfifo_channel *channel, uint32_t index, const void *entry, size_t bytes) {
    bool written = pfifo_buffer_write(channel->ring, (uint64_t)index * bytes, entry, bytes);
    assert(written);
    (void)written;
}

static void ring_store_le(uint8_t *bytes, uint64_t value, size_t count) {
    for (size_t i = 0; i < count; i++)
        bytes[i] = (uint8_t)(value >> 8 * i);
}

static void write_ring_word(struct pfifo_channel *channel, uint32_t index, uint32_t word) {
    uint8_t bytes[4];
    ring_store_le(bytes, word, sizeof bytes);
    write_ring(channel, index, bytes, sizeof bytes);
}

static uint32_t jump_to(const struct pfifo_channel *channel, uint32_t address) {
    return address | (channel->returns ? COMMAND_OLD_JUMP : COMMAND_JUMP);
}

/* The end of the addresses where commands can be. */
static uint64_t end_of_reach(const struct pfifo_channel *channel) {
    if (channel->mode != PFIFO_CHANNEL_DMA)
        return IB_VA_END;
    return channel->returns ? DMA_VA_END_NO_NEW : DMA_VA_END;
}

enum pfifo_status ring_make(struct pfifo_channel *channel, struct pfifo_error *error) {
    bool dma = channel->mode == PFIFO_CHANNEL_DMA;
    uint64_t bytes = (uint64_t)channel->entries * (dma ? 4 : 8);
    if (channel->mode == PFIFO_CHANNEL_PIO)
        return PFIFO_OK;
    const struct buffer_config config = {.domain = PFIFO_GART, .bytes = bytes, .vm = channel->vm};
    channel->ring = buffer_make(channel->device, &config, error);
    if (!channel->ring)
        return PFIFO_ERROR_MEMORY;
    channel->slots = dma ? channel->entries - 1 : channel->entries;
    if (!dma)
        return PFIFO_OK;
    if (!channel->device->chip->has_call) {
        channel->returns = calloc(channel->slots, sizeof channel->returns[0]);
        if (!channel->returns)
            return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for a ring");
    }
    if (channel->ring->address + bytes > end_of_reach(channel))
        return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no addresses left below 4 GiB for a ring");
    write_ring_word(channel, channel->slots, jump_to(channel, (uint32_t)channel->ring->address));
    return PFIFO_OK;
}

void ring_drop(struct pfifo_channel *channel) {
    pfifo_buffer_free(channel->ring);
    free(channel->returns);
}

/* ---- waiting ---- */

static bool ring_has_room(struct pfifo_channel *channel, uint32_t *get) {
    *get = channel->device->ops->ring_get(channel);
    return *get < channel->slots && (channel->put + 1) % channel->slots != *get;
}

static enum pfifo_status wait_for_room(struct pfifo_channel *channel, struct pfifo_error *error) {
    uint32_t get, before;
    if (ring_has_room(channel, &get))
        return PFIFO_OK;
    channel->device->ops->ring_put(channel);
    for (unsigned turn = 0; turn < WAIT_TURNS; turn++) {
        before = get;
        enum pfifo_stop stop = pfifo_device_run(channel->device, WAIT_BUDGET);
        if (ring_has_room(channel, &get))
            return PFIFO_OK;
        if (stop != PFIFO_STOP_BUDGET && get == before)
            break;
    }
    return pfifo_error_set(error, PFIFO_ERROR_TIMEOUT, "the ring of channel %u is full and does not move",
                           (unsigned)channel->number);
}

/* ---- segments that are called, and those of IB rings ---- */

static enum pfifo_status push_entry(struct pfifo_channel *channel, uint64_t entry, struct pfifo_error *error) {
    uint8_t bytes[8];
    size_t size = channel->mode == PFIFO_CHANNEL_DMA ? 4 : 8;
    enum pfifo_status status = wait_for_room(channel, error);
    if (status != PFIFO_OK)
        return status;
    ring_store_le(bytes, entry, size);
    write_ring(channel, channel->put, bytes, size);
    channel->put = (channel->put + 1) % channel->slots;
    return PFIFO_OK;
}

/* The length of an entry is limited; commands may continue in the next one. */
static enum pfifo_status ring_push_segment(struct pfifo_channel *channel, uint64_t address, uint64_t words,
                                           unsigned flags, struct pfifo_error *error) {
    const struct driver_ops *ops = channel->device->ops;
    uint64_t sync = flags & PFIFO_SUBMIT_NO_PREFETCH ? (uint64_t)ops->no_prefetch << 32 : 0;
    while (words) {
        uint64_t piece = words < ops->max_segment_words ? words : ops->max_segment_words;
        enum pfifo_status status = push_entry(channel, address | piece << ENTRY_LENGTH_SHIFT | sync, error);
        if (status != PFIFO_OK)
            return status;
        address += 4 * piece;
        words -= piece;
    }
    return PFIFO_OK;
}

/* ---- segments that jump back ---- */

static struct pfifo_buffer *buffer_at(struct pfifo_device *device, uint64_t address) {
    struct pfifo_buffer *buffer = device->buffers;
    while (buffer && !(buffer->system && address >= buffer->address && address - buffer->address < buffer->bytes))
        buffer = buffer->next;
    return buffer;
}

/* A RETURN, or the JUMP that replaced it when the segment was submitted before. */
static bool is_return(struct pfifo_buffer *buffer, uint64_t address) {
    uint8_t b[4];
    if (!pfifo_buffer_read(buffer, address - buffer->address, b, sizeof b))
        return false;
    uint32_t word = b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
    return word == COMMAND_RETURN || (word & OLD_JUMP_MASK) == COMMAND_OLD_JUMP;
}

/* Some programs put a padding word after the RETURN. */
static enum pfifo_status find_return(struct pfifo_buffer *buffer, uint64_t address, uint64_t bytes, uint64_t *found,
                                     struct pfifo_error *error) {
    uint64_t last = address + bytes - 4;
    *found = last;
    if (is_return(buffer, last))
        return PFIFO_OK;
    *found = last - 4;
    if (bytes >= 8 && last >= buffer->address + 4 && is_return(buffer, last - 4))
        return PFIFO_OK;
    return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "the segment at 0x%llx does not end with a return",
                           (unsigned long long)address);
}

/* Is a segment in flight that jumps back from this word? */
static bool in_flight(struct pfifo_device *device, uint64_t word) {
    for (struct pfifo_channel *channel = device->channels; channel; channel = channel->next) {
        if (!channel->returns)
            continue;
        uint32_t slot = device->ops->ring_get(channel);
        for (; slot != channel->put; slot = (slot + 1) % channel->slots)
            if (channel->returns[slot] == word)
                return true;
    }
    return false;
}

static enum pfifo_status wait_for_segment(struct pfifo_channel *channel, uint64_t word, struct pfifo_error *error) {
    enum pfifo_stop stop = PFIFO_STOP_BUDGET;
    for (unsigned turn = 0; turn < WAIT_TURNS && stop == PFIFO_STOP_BUDGET; turn++) {
        if (!in_flight(channel->device, word))
            return PFIFO_OK;
        stop = pfifo_device_run(channel->device, WAIT_BUDGET);
    }
    if (!in_flight(channel->device, word))
        return PFIFO_OK;
    return pfifo_error_set(error, PFIFO_ERROR_TIMEOUT, "the segment is still in use and its channel does not move");
}

static enum pfifo_status push_jump(struct pfifo_channel *channel, uint64_t address, uint64_t bytes,
                                   struct pfifo_error *error) {
    struct pfifo_buffer *buffer = buffer_at(channel->device, address + bytes - 4);
    enum pfifo_status status = wait_for_room(channel, error);
    uint64_t back = 0;
    if (status == PFIFO_OK && buffer)
        status = find_return(buffer, address, bytes, &back, error);
    if (status == PFIFO_OK && buffer)
        status = wait_for_segment(channel, back, error);
    if (status != PFIFO_OK)
        return status;
    uint32_t next = (uint32_t)channel->ring->address + 4 * (channel->put + 1);
    uint8_t bytes_back[4];
    ring_store_le(bytes_back, jump_to(channel, next), sizeof bytes_back);
    if (buffer) /* else it cannot be read, and faults */
        pfifo_buffer_write(buffer, back - buffer->address, bytes_back, sizeof bytes_back);
    channel->returns[channel->put] = back;
    return push_entry(channel, jump_to(channel, (uint32_t)address), error);
}

/* ---- words that are the channel's own pushbuffer ---- */

/* The channel is at their end, and comes back to its ring: there may be no room for a jump behind them. */
static enum pfifo_status come_back(struct pfifo_channel *channel, struct pfifo_error *error) {
    enum pfifo_stop stop = PFIFO_STOP_BUDGET;
    for (unsigned turn = 0; turn < WAIT_TURNS && stop == PFIFO_STOP_BUDGET && !pfifo_channel_idle(channel); turn++)
        stop = pfifo_device_run(channel->device, WAIT_BUDGET);
    if (!pfifo_channel_idle(channel))
        return pfifo_error_set(error, PFIFO_ERROR_TIMEOUT,
                               "channel %u does not come to the end of its own pushbuffer at 0x%llx",
                               (unsigned)channel->number, (unsigned long long)channel->own_end);
    channel->own_end = 0;
    channel->device->ops->ring_move(channel, (uint32_t)channel->ring->address + 4 * channel->put);
    return PFIFO_OK;
}

static enum pfifo_status push_own(struct pfifo_channel *channel, uint64_t address, uint64_t bytes,
                                  struct pfifo_error *error) {
    enum pfifo_status status;
    if (!channel->device->ops->ring_move)
        return pfifo_error_set(error, PFIFO_ERROR_UNSUPPORTED, "%s has no channels whose pushbuffer is their ring",
                               channel->device->chip->name);
    if (channel->returns)
        channel->returns[channel->put] = 0;
    status = push_entry(channel, jump_to(channel, (uint32_t)address), error);
    if (status == PFIFO_OK)
        channel->own_end = address + bytes;
    return status;
}

/* ---- the API ---- */

enum pfifo_status pfifo_channel_submit(struct pfifo_channel *channel, uint64_t address, uint64_t bytes, unsigned flags,
                                       struct pfifo_error *error) {
    if (!channel || (flags & ~(PFIFO_SUBMIT_NO_PREFETCH | PFIFO_SUBMIT_RING)))
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "no channel, or unknown flags");
    if (channel->mode == PFIFO_CHANNEL_PIO)
        return pfifo_error_set(error, PFIFO_ERROR_UNSUPPORTED, "channel %u has no pushbuffer: it takes methods by PIO",
                               (unsigned)channel->number);
    uint64_t end = end_of_reach(channel);
    if (bytes == 0 || bytes % 4 || address % 4 || address >= end || bytes > end - address)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "%llu bytes at 0x%llx cannot be a segment",
                               (unsigned long long)bytes, (unsigned long long)address);
    if (channel->dead)
        return pfifo_error_set(error, PFIFO_ERROR_FAULT, "channel %u was switched off after a fault",
                               (unsigned)channel->number);
    enum pfifo_status status = channel->own_end ? come_back(channel, error) : PFIFO_OK;
    if (status != PFIFO_OK)
        return status;
    if (flags & PFIFO_SUBMIT_RING)
        status = push_own(channel, address, bytes, error);
    else if (channel->returns)
        status = push_jump(channel, address, bytes, error);
    else if (channel->mode == PFIFO_CHANNEL_DMA)
        status = push_entry(channel, address | COMMAND_CALL, error);
    else
        status = ring_push_segment(channel, address, bytes / 4, flags, error);
    channel->device->ops->ring_put(channel);
    return status;
}

uint32_t pfifo_channel_room(struct pfifo_channel *channel) {
    if (!channel || channel->mode != PFIFO_CHANNEL_IB || channel->dead)
        return 0;
    uint32_t get = channel->device->ops->ring_get(channel);
    return get < channel->slots ? (get + channel->slots - channel->put - 1) % channel->slots : 0;
}

enum pfifo_status pfifo_channel_submit_entries(struct pfifo_channel *channel, const uint64_t *entries, size_t count,
                                               struct pfifo_error *error) {
    if (!channel || (count && !entries))
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "no channel, or no entries");
    if (channel->mode != PFIFO_CHANNEL_IB)
        return pfifo_error_set(error, PFIFO_ERROR_UNSUPPORTED, "channel %u has no ring of entries",
                               (unsigned)channel->number);
    if (channel->dead)
        return pfifo_error_set(error, PFIFO_ERROR_FAULT, "channel %u was switched off after a fault",
                               (unsigned)channel->number);
    if (count > pfifo_channel_room(channel))
        return pfifo_error_set(error, PFIFO_ERROR_TIMEOUT, "the ring of channel %u has no room for %zu entries",
                               (unsigned)channel->number, count);
    for (size_t i = 0; i < count; i++) {
        enum pfifo_status status = push_entry(channel, entries[i], error);
        if (status != PFIFO_OK)
            return status;
    }
    channel->device->ops->ring_put(channel);
    return PFIFO_OK;
}
