/* SPDX-License-Identifier: MIT */
/*
 * Syncpoints of Tegras: counters of Host1x, which is no part of the GPU. The machine has them beside its PBDMAs.
 *
 * Sources: Linux drivers/gpu/host1x/{syncpt,intr}.c; L4T nvgpu.
 */
#include "driver/access.h"
#include "driver/channel.h"
#include "driver/ops.h"

#include <stdlib.h>
#include <string.h>

#define EVENT "fifo.syncpoint"

static bool syncpoint_is_at(uint32_t value, uint32_t threshold) {
    return value - threshold < 0x80000000u;
}

uint32_t pfifo_syncpoint_count(const struct pfifo_device *device) {
    return device ? pfifo_gpu_syncpoint_count(device->gpu) : 0;
}

static enum pfifo_status syncpoint_check(const struct pfifo_device *device, uint32_t syncpoint,
                                         struct pfifo_error *error) {
    uint32_t count = pfifo_syncpoint_count(device);
    if (!device)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "no device");
    if (count == 0)
        return pfifo_error_set(error, PFIFO_ERROR_UNSUPPORTED, "%s has no syncpoints", device->chip->name);
    if (syncpoint >= count)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "there is no syncpoint %u", (unsigned)syncpoint);
    return PFIFO_OK;
}

enum pfifo_status pfifo_syncpoint_value(struct pfifo_device *device, uint32_t syncpoint, uint32_t *value,
                                        struct pfifo_error *error) {
    enum pfifo_status status = syncpoint_check(device, syncpoint, error);
    if (status == PFIFO_OK && value)
        *value = pfifo_gpu_syncpoint(device->gpu, syncpoint);
    return status;
}

enum pfifo_status pfifo_syncpoint_increment(struct pfifo_device *device, uint32_t syncpoint,
                                            struct pfifo_error *error) {
    enum pfifo_status status = syncpoint_check(device, syncpoint, error);
    if (status == PFIFO_OK)
        pfifo_gpu_syncpoint_increment(device->gpu, syncpoint);
    return status;
}

/* ---- waiting ---- */

struct target {
    struct pfifo_device *device;
    uint32_t syncpoint, threshold;
};

static bool syncpoint_is_reached(void *what) {
    const struct target *target = what;
    return syncpoint_is_at(pfifo_gpu_syncpoint(target->device->gpu, target->syncpoint), target->threshold);
}

enum pfifo_status pfifo_syncpoint_wait(struct pfifo_device *device, uint32_t syncpoint, uint32_t threshold,
                                       uint64_t budget, struct pfifo_error *error) {
    struct target target = {device, syncpoint, threshold};
    enum pfifo_status status = syncpoint_check(device, syncpoint, error);
    return status == PFIFO_OK ? device_run_until(device, syncpoint_is_reached, &target, budget, error) : status;
}

/* ---- notices ---- */

static void listen(void *opaque, const struct pfifo_event *event);

/* Without notices nothing is observed. */
static void remove_notice(struct pfifo_device *device, size_t at) {
    struct syncpoint_notices *all = &device->syncpoint_notices;
    all->count--;
    memmove(&all->notices[at], &all->notices[at + 1], (all->count - at) * sizeof all->notices[0]);
    if (all->count == 0)
        pfifo_gpu_unobserve(device->gpu, listen, device);
}

/* The callback may add and remove notices, so the search begins again. */
static void listen(void *opaque, const struct pfifo_event *event) {
    struct pfifo_device *device = opaque;
    struct syncpoint_notices *all = &device->syncpoint_notices;
    for (size_t i = 0; i < all->count;) {
        const struct syncpoint_notice notice = all->notices[i];
        if (notice.syncpoint != event->value[0] || !syncpoint_is_at((uint32_t)event->value[1], notice.threshold)) {
            i++;
            continue;
        }
        remove_notice(device, i);
        notice.reached(notice.opaque, notice.syncpoint);
        i = 0;
    }
}

static bool syncpoint_make_room(struct syncpoint_notices *all) {
    if (all->count < all->room)
        return true;
    size_t room = all->room ? 2 * all->room : 8;
    struct syncpoint_notice *grown = realloc(all->notices, room * sizeof *grown);
    if (!grown)
        return false;
    all->notices = grown;
    all->room = room;
    return true;
}

enum pfifo_status pfifo_syncpoint_notify(struct pfifo_device *device, uint32_t syncpoint, uint32_t threshold,
                                         void (*reached)(void *opaque, uint32_t syncpoint), void *opaque,
                                         struct pfifo_error *error) {
    enum pfifo_status status = syncpoint_check(device, syncpoint, error);
    if (status != PFIFO_OK)
        return status;
    if (!reached)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "nobody to tell");
    if (syncpoint_is_at(pfifo_gpu_syncpoint(device->gpu, syncpoint), threshold)) {
        reached(opaque, syncpoint);
        return PFIFO_OK;
    }
    struct syncpoint_notices *all = &device->syncpoint_notices;
    if (!syncpoint_make_room(all))
        return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for a notification");
    if (all->count == 0)
        status = pfifo_gpu_observe(device->gpu, EVENT, listen, device, error);
    if (status == PFIFO_OK)
        all->notices[all->count++] = (struct syncpoint_notice){syncpoint, threshold, reached, opaque};
    return status;
}

void pfifo_syncpoint_forget(struct pfifo_device *device, const void *opaque) {
    for (size_t i = device ? device->syncpoint_notices.count : 0; i > 0; i--)
        if (device->syncpoint_notices.notices[i - 1].opaque == opaque)
            remove_notice(device, i - 1);
}

void syncpoints_forget(struct pfifo_device *device) {
    free(device->syncpoint_notices.notices);
}

/* ---- those of channels ---- */

bool device_has_syncpoint(const struct pfifo_device *device, uint32_t syncpoint) {
    for (const struct pfifo_channel *channel = device->channels; channel; channel = channel->next)
        if (channel->syncpoint == syncpoint)
            return true;
    return false;
}

bool channel_take_syncpoint(struct pfifo_channel *channel, uint32_t syncpoint) {
    if (channel->syncpoint || device_has_syncpoint(channel->device, syncpoint))
        return false;
    channel->syncpoint = syncpoint;
    return true;
}

enum pfifo_status pfifo_channel_syncpoint(struct pfifo_channel *channel, uint32_t *syncpoint,
                                          struct pfifo_error *error) {
    if (!channel || !syncpoint)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "no channel");
    struct pfifo_device *device = channel->device;
    enum pfifo_status status = syncpoint_check(device, 0, error);
    if (status != PFIFO_OK)
        return status;
    for (uint32_t i = 1; !channel->syncpoint && i < pfifo_syncpoint_count(device); i++)
        channel_take_syncpoint(channel, i);
    if (!channel->syncpoint)
        return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no syncpoint left");
    *syncpoint = channel->syncpoint;
    return PFIFO_OK;
}
