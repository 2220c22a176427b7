/* SPDX-License-Identifier: MIT */
/*
 * Methods by PIO, before G80.
 *
 *   program --> USER --> CACHE1
 *                  \--> RAMRO --RUNOUT--> pio_runout() --> queue --pio_replay()--> USER
 *
 * With two channels or more, FREE may promise more room than the next write finds. Methods that find none are put into
 * RAMRO, with the reason. The methods of a channel must stay in order, so it writes no others while some are queued.
 *
 * Sources: envytools rnndb/fifo/nv1_pfifo.xml (RAMRO), hwtest/pfifo.cc; NetBSD xsrc riva_hw.h (FREE).
 */
#include "driver/access.h"
#include "driver/channel.h"
#include "driver/instance.h"
#include "driver/ops.h"

#include "hw/pfifo_nv4.h"
#include "hw/user.h"

#include <stdlib.h>
#include <string.h>

#define QUEUE_MAX 0x10000u

enum reason { ILLEGAL_ACCESS, NO_CACHE_AVAILABLE, CACHE_RAN_OUT, FREE_COUNT_OVERRUN, CAUGHT_LYING, RESERVED_ACCESS };

static const char *const reasons[16] = {
    "ILLEGAL_ACCESS", "NO_CACHE_AVAILABLE", "CACHE_RAN_OUT", "FREE_COUNT_OVERRUN", "CAUGHT_LYING", "RESERVED_ACCESS",
};

uint32_t pio_user(uint32_t channel, uint32_t subchannel) {
    return NV_USER_PIO + channel * NV_USER_PIO_CHANNEL + subchannel * NV_USER_PIO_SUBCHANNEL;
}

uint32_t pio_free_words(struct pfifo_channel *channel) {
    return (device_rd32(channel->device, pio_user(channel->number, 0) + NV_USER_FREE) & 0xffff) / 4;
}

/* ---- RAMRO ---- */

static void pio_report(struct pfifo_device *device, const struct pio_method *method, enum reason reason) {
    const struct pfifo_device_fault fault = {.channel = method->channel,
                                             .unit = "RUNOUT",
                                             .error = reasons[reason] ? reasons[reason] : "UNKNOWN",
                                             .subchannel = method->subchannel,
                                             .method = method->method,
                                             .data = method->data,
                                             .has_method = true};
    device_fault(device, &fault);
}

/* Was there only no room for it? Then it is no error. */
static bool may_replay(struct pfifo_device *device, const struct pio_method *method, enum reason reason) {
    const struct pfifo_channel *channel = device_channel(device, method->channel);
    if (reason < NO_CACHE_AVAILABLE || reason > CAUGHT_LYING)
        return false;
    return channel && channel->mode == PFIFO_CHANNEL_PIO;
}

/* Make room for `count` methods at index `at` of the queue. NULL: there is none. */
static struct pio_method *queue_room(struct runout *runout, size_t at, size_t count) {
    if (count > QUEUE_MAX - runout->count)
        return NULL;
    if (runout->count + count > runout->room) {
        struct pio_method *methods = realloc(runout->methods, (runout->count + count) * sizeof *methods);
        if (!methods)
            return NULL;
        runout->methods = methods;
        runout->room = runout->count + count;
    }
    memmove(runout->methods + at + count, runout->methods + at, (runout->count - at) * sizeof *runout->methods);
    runout->count += count;
    return runout->methods + at;
}

static void queue_drop(struct runout *runout, size_t at, size_t count) {
    runout->count -= count;
    memmove(runout->methods + at, runout->methods + at + count, (runout->count - at) * sizeof *runout->methods);
}

/* Move methods from RAMRO to index `at` of the queue; errors are reported. Returns how many were moved. */
static size_t drain(struct pfifo_device *device, size_t at) {
    struct runout *runout = &device->runout;
    uint32_t mask = runout->bytes - 8, get = device_rd32(device, NV_PFIFO_RUNOUT_GET) & mask;
    uint32_t put = device_rd32(device, NV_PFIFO_RUNOUT_PUT) & mask;
    size_t entries = ((put - get) & mask) / 8, kept = 0;
    struct pio_method *room = entries ? queue_room(runout, at, entries) : NULL;
    for (; get != put; get = (get + 8) & mask) {
        uint32_t word = inst_rd32(device, runout->base + get);
        const struct pio_method method = {word >> 16 & 0x7f, word >> 13 & 7, word & 0x1ffc,
                                          inst_rd32(device, runout->base + get + 4)};
        enum reason reason = word >> 28;
        if (room && may_replay(device, &method, reason))
            room[kept++] = method;
        else
            pio_report(device, &method, reason);
    }
    if (room)
        queue_drop(runout, at + kept, entries - kept);
    device_wr32(device, NV_PFIFO_RUNOUT_GET, device_rd32(device, NV_PFIFO_RUNOUT_PUT));
    device_wr32(device, NV_PFIFO_INTR, INTR_RUNOUT);
    return kept;
}

void pio_runout(struct pfifo_device *device) {
    drain(device, device->runout.count);
}

/* Methods that are refused again go back to the front, and are tried again after the next run. */
bool pio_replay(struct pfifo_device *device) {
    struct runout *runout = &device->runout;
    struct pfifo_channel *channel = runout->count ? device_channel(device, runout->methods[0].channel) : NULL;
    if (!channel || !device->ops->pio_ready(channel))
        return false;
    size_t room = pio_free_words(channel), count = 0;
    while (count < room && count < runout->count && runout->methods[count].channel == channel->number) {
        const struct pio_method *method = &runout->methods[count++];
        device_wr32(device, pio_user(method->channel, method->subchannel) + method->method, method->data);
    }
    queue_drop(runout, 0, count);
    return count > drain(device, 0);
}

bool pio_pending(struct pfifo_channel *channel) {
    struct pfifo_device *device = channel->device;
    for (size_t i = 0; i < device->runout.count; i++)
        if (device->runout.methods[i].channel == channel->number)
            return true;
    return device_rd32(device, NV_PFIFO_RUNOUT_GET) != device_rd32(device, NV_PFIFO_RUNOUT_PUT);
}

void pio_channel_gone(struct pfifo_channel *channel) {
    struct runout *runout = &channel->device->runout;
    for (size_t i = runout->count; i > 0; i--)
        if (runout->methods[i - 1].channel == channel->number)
            queue_drop(runout, i - 1, 1);
}
