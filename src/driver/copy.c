/* SPDX-License-Identifier: MIT */
/*
 * A copy is a device that has lists of its own. Pointers between its parts lead to its own parts; `device` in them is
 * the device itself, which gets a copy of the copy when it is brought back.
 */
#include "driver/copy.h"

#include "driver/channel.h"
#include "driver/ops.h"
#include "driver/save.h"

#include <pfifo/state.h>

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Where a part of the original is in the copy. */
struct moved {
    const void *from;
    void *to;
};

struct copying {
    struct pfifo_device *copy, *real;
    struct moved *buffers, *spaces;
    size_t buffer_count, space_count;
    bool failed; /* no memory */
};

static void *duplicate(struct copying *copying, const void *data, size_t bytes) {
    void *copy = data && bytes ? malloc(bytes) : NULL;

    if (copy)
        memcpy(copy, data, bytes);
    copying->failed = copying->failed || (data && bytes && !copy);
    return copy;
}

static int by_origin(const void *a, const void *b) {
    const struct moved *one = a, *other = b;

    return (uintptr_t)one->from < (uintptr_t)other->from ? -1 : (uintptr_t)one->from > (uintptr_t)other->from;
}

static void *moved_to(const struct moved *moved, size_t count, const void *from) {
    const struct moved wanted = {.from = from},
                       *found = count ? bsearch(&wanted, moved, count, sizeof wanted, by_origin) : NULL;

    return found ? found->to : NULL;
}

/* For `count` parts; NULL: no memory. */
static struct moved *copy_make_table(struct copying *copying, size_t count) {
    struct moved *table = calloc(count + 1, sizeof *table);

    copying->failed = copying->failed || !table;
    return table;
}

static void sort_table(struct moved *table, size_t count) {
    if (count)
        qsort(table, count, sizeof *table, by_origin);
}

static struct pfifo_buffer *buffer_of(const struct copying *copying, const struct pfifo_buffer *buffer) {
    return buffer ? moved_to(copying->buffers, copying->buffer_count, buffer) : NULL;
}

static struct pfifo_vm *copy_space_of(const struct copying *copying, const struct pfifo_vm *vm) {
    return vm ? moved_to(copying->spaces, copying->space_count, vm) : NULL;
}

static void copy_pool(struct copying *copying, struct pool *pool) {
    pool->ranges = duplicate(copying, pool->ranges, pool->count * sizeof pool->ranges[0]);
    pool->room = pool->ranges ? pool->count : 0;
    pool->count = pool->room;
}

/* ---- buffers ---- */

/* Parts that are not copied any more are in no list. */
static struct pfifo_buffer *copy_buffer(struct copying *copying, const struct pfifo_buffer *from) {
    struct pfifo_buffer *buffer = duplicate(copying, from, sizeof *from);

    if (!buffer)
        return NULL;
    buffer->device = copying->real;
    buffer->next = buffer->previous = NULL;
    buffer->extents = duplicate(copying, from->extents, from->extent_count * sizeof from->extents[0]);
    buffer->uses.fences = duplicate(copying, from->uses.fences, from->uses.count * sizeof from->uses.fences[0]);
    buffer->uses.room = from->uses.count;
    return buffer;
}

static void copy_buffers(struct copying *copying, const struct pfifo_buffer *first) {
    struct pfifo_buffer **at = &copying->copy->buffers, *last = NULL;
    size_t count = 0;

    for (const struct pfifo_buffer *from = first; from; from = from->next)
        count++;
    copying->buffers = copy_make_table(copying, count);
    for (const struct pfifo_buffer *from = first; from && !copying->failed; from = from->next) {
        struct pfifo_buffer *buffer = copy_buffer(copying, from);
        if (!buffer)
            return;
        buffer->previous = last;
        *at = last = buffer;
        at = &buffer->next;
        copying->buffers[copying->buffer_count++] = (struct moved){from, buffer};
    }
    sort_table(copying->buffers, copying->buffer_count);
}

/* ---- address spaces ---- */

static void copy_reservations(struct copying *copying, struct pfifo_vm *vm, const struct pfifo_vm *from) {
    vm->reservations = duplicate(copying, from->reservations, from->reservation_count * sizeof from->reservations[0]);
    vm->reservation_room = vm->reservation_count = vm->reservations ? from->reservation_count : 0;
    for (size_t i = 0; i < vm->reservation_count; i++)
        copy_pool(copying, &vm->reservations[i].inside);
}

static void copy_mappings(struct copying *copying, struct pfifo_vm *vm, const struct pfifo_vm *from) {
    vm->mappings = duplicate(copying, from->mappings, from->mapping_count * sizeof from->mappings[0]);
    vm->mapping_room = vm->mapping_count = vm->mappings ? from->mapping_count : 0;
    for (size_t i = 0; i < vm->mapping_count; i++)
        vm->mappings[i].buffer = buffer_of(copying, vm->mappings[i].buffer);
}

static void copy_spaces(struct copying *copying, const struct pfifo_vm *first) {
    struct pfifo_vm **at = &copying->copy->vms;
    size_t count = 0;

    for (const struct pfifo_vm *from = first; from; from = from->next)
        count++;
    copying->spaces = copy_make_table(copying, count);
    for (const struct pfifo_vm *from = first; from && !copying->failed; from = from->next) {
        struct pfifo_vm *vm = duplicate(copying, from, sizeof *from);
        if (!vm)
            return;
        vm->device = copying->real;
        vm->next = NULL;
        copy_pool(copying, &vm->va);
        copy_reservations(copying, vm, from);
        copy_mappings(copying, vm, from);
        *at = vm;
        at = &vm->next;
        copying->spaces[copying->space_count++] = (struct moved){from, vm};
    }
    sort_table(copying->spaces, copying->space_count);
}

/* ---- channels ---- */

static struct pfifo_channel *copy_channel(struct copying *copying, const struct pfifo_channel *from) {
    struct pfifo_channel *channel = duplicate(copying, from, copying->real->ops->channel_bytes);

    if (!channel)
        return NULL;
    channel->device = copying->real;
    channel->next = NULL;
    channel->vm = copy_space_of(copying, from->vm);
    channel->config.vm = copy_space_of(copying, from->config.vm);
    channel->ring = buffer_of(copying, from->ring);
    channel->fences.buffer = buffer_of(copying, from->fences.buffer);
    channel->returns = duplicate(copying, from->returns, from->slots * sizeof from->returns[0]);
    channel->objects = duplicate(copying, from->objects, from->object_count * sizeof from->objects[0]);
    channel->object_room = channel->object_count = channel->objects ? from->object_count : 0;
    return channel;
}

static void copy_channels(struct copying *copying, const struct pfifo_channel *first) {
    struct pfifo_channel **at = &copying->copy->channels;

    for (const struct pfifo_channel *from = first; from && !copying->failed; from = from->next) {
        *at = copy_channel(copying, from);
        if (!*at)
            return;
        at = &(*at)->next;
    }
}

/* ---- the device ---- */

static struct pfifo_device *copy_of(const struct pfifo_device *from, struct pfifo_device *real) {
    struct copying copying = {.copy = malloc(real->ops->device_bytes), .real = real};
    struct pfifo_device *copy = copying.copy;

    if (!copy)
        return NULL;
    assert(!real->ops->channel_buffer); /* which would have to be moved, too */
    memcpy(copy, from, real->ops->device_bytes);
    copy->buffers = NULL;
    copy->vms = copy->vm = NULL;
    copy->channels = NULL;
    struct pool *pools[] = {&copy->vram, &copy->system, &copy->gart, &copy->ramin, &copy->bar1};
    for (size_t i = 0; i < sizeof pools / sizeof pools[0]; i++)
        copy_pool(&copying, pools[i]);
    copy->runout.methods =
        duplicate(&copying, from->runout.methods, from->runout.count * sizeof from->runout.methods[0]);
    copy->runout.room = copy->runout.count = copy->runout.methods ? from->runout.count : 0;
    copy_buffers(&copying, from->buffers);
    copy_spaces(&copying, from->vms);
    copy->vm = copy_space_of(&copying, from->vm);
    for (struct pfifo_buffer *buffer = copy->buffers; buffer; buffer = buffer->next)
        buffer->vm = copy_space_of(&copying, buffer->vm);
    copy_channels(&copying, from->channels);
    free(copying.buffers);
    free(copying.spaces);
    if (!copying.failed)
        return copy;
    pfifo_private_device_copy_free(copy);
    return NULL;
}

struct pfifo_device *pfifo_private_device_copy(const struct pfifo_device *device) {
    return copy_of(device, (struct pfifo_device *)(uintptr_t)device);
}

void pfifo_private_device_copy_free(struct pfifo_device *copy) {
    if (!copy)
        return;
    save_drop_lists(copy);
    pool_free(&copy->gart);
    pool_free(&copy->ramin);
    free(copy->runout.methods);
    free(copy);
}

bool pfifo_private_device_copy_return(const struct pfifo_device *kept, struct pfifo_device *device, const void *state,
                                      size_t bytes) {
    struct pfifo_device *copy = copy_of(kept, device);

    if (!copy)
        return false;
    if (pfifo_gpu_load(device->gpu, state, bytes, NULL) != PFIFO_OK) {
        pfifo_private_device_copy_free(copy);
        return false;
    }
    copy->config = device->config;
    copy->turns = device->turns;
    copy->syncpoint_notices = device->syncpoint_notices;
    copy->software_ops = device->software_ops;
    copy->software = device->software;
    save_swap(device, copy);
    pfifo_private_device_copy_free(copy);
    return true;
}
