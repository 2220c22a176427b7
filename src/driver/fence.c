/* SPDX-License-Identifier: MIT */
/*
 * Fences, and buffers in use.
 *
 *   buffer of a channel's fences   0 semaphore | 0x1000 commands of fence 0 | of fence 1 | ... , round and round
 *
 * The buffer is a ring: commands are not overwritten before the GPU has executed them.
 */
#include "driver/access.h"
#include "driver/channel.h"
#include "driver/ops.h"

#include <stdlib.h>

#define PLACES       256u
#define PLACE_BYTES  (4 * FENCE_WORDS_MAX)
#define BUFFER_BYTES (PAGE_BYTES + PLACES * PLACE_BYTES)
#define RETURN       0x00020000u /* at the end of a segment that is called */

#define STEP        UINT64_C(4096) /* units, between two checks of what is waited for */
#define WAIT_BUDGET (UINT64_C(64) << 20)

/* ---- progress of channels ---- */

static void fence_look(struct pfifo_channel *channel) {
    struct channel_fences *fences = &channel->fences;
    uint32_t ahead = fences->ops->reached(channel) - (uint32_t)fences->reached;
    if (ahead <= fences->sent - fences->reached) /* else a program has written the fence's value */
        fences->reached += ahead;
}

/* NULL: it is closed. */
static struct pfifo_channel *fence_channel_of(const struct pfifo_fence *fence) {
    struct pfifo_channel *channel = fence->device ? fence->device->channels : NULL;
    while (channel && channel->id != fence->channel)
        channel = channel->next;
    return channel;
}

static bool fence_is_reached(struct pfifo_channel *channel, uint64_t sequence) {
    if (channel->fences.reached < sequence)
        fence_look(channel);
    return channel->fences.reached >= sequence;
}

bool pfifo_fence_done(const struct pfifo_fence *fence) {
    struct pfifo_channel *channel = fence ? fence_channel_of(fence) : NULL;
    return !channel || fence_is_reached(channel, fence->sequence) || channel->dead;
}

/* ---- waiting ---- */

enum pfifo_status device_run_until(struct pfifo_device *device, bool (*there)(void *what), void *what, uint64_t budget,
                                   struct pfifo_error *error) {
    while (!there(what)) {
        uint64_t step = budget < STEP ? budget : STEP;
        if (step == 0)
            return pfifo_error_set(error, PFIFO_ERROR_TIMEOUT, "the budget is used up");
        enum pfifo_stop stop = pfifo_device_run(device, step);
        if (stop != PFIFO_STOP_BUDGET && !there(what))
            return device_stop_error(device, stop, error);
        budget -= budget == UINT64_MAX ? 0 : step;
    }
    return PFIFO_OK;
}

static bool fence_is_done(void *fence) {
    return pfifo_fence_done(fence);
}

enum pfifo_status pfifo_fence_wait(const struct pfifo_fence *given, uint64_t budget, struct pfifo_error *error) {
    if (!given)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "no fence");
    struct pfifo_fence fence = *given;
    enum pfifo_status status = device_run_until(fence.device, fence_is_done, &fence, budget, error);
    struct pfifo_channel *channel = status == PFIFO_OK ? fence_channel_of(&fence) : NULL;
    if (channel && !fence_is_reached(channel, fence.sequence))
        return pfifo_error_set(error, PFIFO_ERROR_FAULT, "channel %u was switched off after a fault",
                               (unsigned)channel->number);
    return status;
}

/* ---- sending ---- */

static enum pfifo_status prepare(struct pfifo_channel *channel, const struct fence_ops *ops,
                                 struct pfifo_error *error) {
    struct channel_fences *fences = &channel->fences;
    const struct buffer_config config = {.domain = PFIFO_GART, .bytes = BUFFER_BYTES, .vm = channel->vm};
    if (ops->write && !fences->buffer) {
        fences->buffer = buffer_make(channel->device, &config, error);
        if (!fences->buffer)
            return PFIFO_ERROR_MEMORY;
        fences->address = fences->buffer->address;
    }
    enum pfifo_status status = ops->prepare ? ops->prepare(channel, error) : PFIFO_OK;
    if (status == PFIFO_OK)
        fences->ops = ops;
    return status;
}

static enum pfifo_status fence_send(struct pfifo_channel *channel, uint64_t sequence, struct pfifo_error *error) {
    uint32_t words[FENCE_WORDS_MAX];
    uint8_t bytes[PLACE_BYTES];
    unsigned count = channel->fences.ops->write(channel, (uint32_t)sequence, words);
    uint64_t place = PAGE_BYTES + sequence % PLACES * PLACE_BYTES;
    if (channel->mode == PFIFO_CHANNEL_DMA)
        words[count++] = RETURN;
    for (unsigned i = 0; i < 4 * count; i++)
        bytes[i] = (uint8_t)(words[i / 4] >> 8 * (i % 4));
    pfifo_buffer_write(channel->fences.buffer, place, bytes, (size_t)4 * count);
    return pfifo_channel_submit(channel, channel->fences.address + place, (uint64_t)4 * count, 0, error);
}

enum pfifo_status pfifo_channel_fence(struct pfifo_channel *channel, struct pfifo_fence *fence,
                                      struct pfifo_error *error) {
    if (!channel || !fence)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "a fence needs a channel");
    struct channel_fences *fences = &channel->fences;
    struct pfifo_fence next = {channel->device, channel->id, fences->sent + 1};
    const struct pfifo_fence before = {channel->device, channel->id, next.sequence - PLACES};
    enum pfifo_status status = fences->ops ? PFIFO_OK : prepare(channel, channel->device->ops->fence(channel), error);
    if (status == PFIFO_OK && fences->ops->write && next.sequence > PLACES)
        status = pfifo_fence_wait(&before, WAIT_BUDGET, error);
    if (status == PFIFO_OK && fences->ops->write)
        status = fence_send(channel, next.sequence, error);
    if (status != PFIFO_OK)
        return status;
    fences->sent = next.sequence;
    *fence = next;
    return PFIFO_OK;
}

void channel_fences_drop(struct pfifo_channel *channel) {
    pfifo_buffer_free(channel->fences.buffer);
}

/* ---- buffers ---- */

static void drop_done(struct buffer_uses *uses) {
    size_t kept = 0;
    for (size_t i = 0; i < uses->count; i++)
        if (!pfifo_fence_done(&uses->fences[i]))
            uses->fences[kept++] = uses->fences[i];
    uses->count = kept;
}

enum pfifo_status pfifo_buffer_use(struct pfifo_buffer *buffer, const struct pfifo_fence *fence,
                                   struct pfifo_error *error) {
    if (!buffer || !fence || (fence->device && fence->device != buffer->device))
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "a use needs a buffer, and a fence of its device");
    struct buffer_uses *uses = &buffer->uses;
    for (size_t i = 0; i < uses->count; i++) {
        if (uses->fences[i].channel != fence->channel)
            continue;
        if (uses->fences[i].sequence < fence->sequence)
            uses->fences[i].sequence = fence->sequence;
        return PFIFO_OK;
    }
    drop_done(uses);
    if (uses->count == uses->room) {
        size_t room = uses->room ? 2 * uses->room : 2;
        struct pfifo_fence *grown = realloc(uses->fences, room * sizeof *grown);
        if (!grown)
            return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for a buffer's use");
        uses->fences = grown;
        uses->room = room;
    }
    uses->fences[uses->count++] = *fence;
    return PFIFO_OK;
}

bool pfifo_buffer_busy(struct pfifo_buffer *buffer) {
    if (!buffer)
        return false;
    drop_done(&buffer->uses);
    return buffer->uses.count != 0;
}

static bool buffer_is_idle(void *buffer) {
    return !pfifo_buffer_busy(buffer);
}

enum pfifo_status pfifo_buffer_wait(struct pfifo_buffer *buffer, uint64_t budget, struct pfifo_error *error) {
    if (!buffer)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "no buffer");
    return device_run_until(buffer->device, buffer_is_idle, buffer, budget, error);
}
