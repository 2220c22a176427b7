/* SPDX-License-Identifier: MIT */
/*
 * Saved: channels with their objects and fences. A channel owns its ring, and the buffers of its fences and contexts.
 */
#include "driver/save.h"

#include <stdlib.h>

#define ENTRIES_MIN  4u
#define ENTRIES_MAX  65536u
#define ENTRY_BYTES  8u
#define OBJECTS_MAX  4096u
#define FENCES_BYTES (3 * (uint64_t)PAGE_BYTES) /* the semaphore's page, and commands */

static void save_objects(struct state_io *io, struct pfifo_channel *channel) {
    uint32_t count = state_count(io, (uint32_t)channel->object_count, OBJECTS_MAX, "objects");
    if (io->loading && count) {
        channel->objects = calloc(count, sizeof *channel->objects);
        channel->object_room = channel->objects ? count : 0;
        if (!channel->objects)
            state_fail(io, PFIFO_ERROR_MEMORY, "no memory for objects");
    }
    for (uint32_t i = 0; i < count && state_good(io); i++) {
        state_u32(io, &channel->objects[i].handle);
        state_u32(io, &channel->objects[i].object_class);
        state_bool(io, &channel->objects[i].software);
        channel->object_count = i + 1;
    }
}

/* Each channel is one of the owners of its buffers. */
static void own_buffer(struct device_save *save, struct pfifo_buffer **buffer, uint64_t bytes, bool needed) {
    save_buffer_pointer(save, buffer);
    save_check(save->io, *buffer ? (*buffer)->bytes >= bytes : !needed, "a buffer of a channel");
}

static void save_fences(struct device_save *save, struct pfifo_channel *channel) {
    struct channel_fences *fences = &channel->fences;
    bool sends = fences->ops != NULL;
    state_bool(save->io, &sends);
    own_buffer(save, &fences->buffer, FENCES_BYTES, sends);
    state_u64(save->io, &fences->sent);
    state_u64(save->io, &fences->reached);
    state_u32(save->io, &fences->software);
    save_check(save->io, fences->reached <= fences->sent, "the last fence");
    if (!save->io->loading)
        return;
    fences->ops = sends ? save->real->ops->fence(channel) : NULL;
    fences->address = fences->buffer ? fences->buffer->address : 0;
}

static void save_software(struct state_io *io, struct pfifo_channel *channel) {
    for (size_t i = 0; i < sizeof channel->software / sizeof channel->software[0]; i++)
        state_u32(io, &channel->software[i]);
    state_u32(io, &channel->software_state.reference);
    state_u32(io, &channel->software_state.object);
    state_u32(io, &channel->software_state.value);
    state_u32(io, &channel->software_state.heads);
    state_u64(io, &channel->software_state.address);
}

static void save_ring(struct device_save *save, struct pfifo_channel *channel) {
    struct state_io *io = save->io;
    uint32_t entries = channel->entries;
    state_u32(io, &entries);
    save_check(io, entries >= ENTRIES_MIN && entries <= ENTRIES_MAX && !(entries & (entries - 1)), "a ring");
    channel->entries = channel->slots = entries;
    state_u32(io, &channel->put);
    save_check(io, channel->put < channel->slots, "a place in a ring");
    own_buffer(save, &channel->ring, (uint64_t)entries * ENTRY_BYTES, true);
}

/* What it was opened with, as far as it counts later. */
static void save_config(struct state_io *io, struct pfifo_channel *channel) {
    struct pfifo_channel_config *config = &channel->config;
    unsigned engine = config->engine;
    state_u32(io, &config->vram_handle);
    state_u32(io, &config->gart_handle);
    state_index(io, &engine, PFIFO_ENGINE_SECURITY + 1u, "engine");
    state_bool(io, &config->old_headers);
    config->engine = (enum pfifo_channel_engine)engine;
}

static void check_number(struct device_save *save, const struct pfifo_channel *channel) {
    const struct pfifo_device *device = save->device;
    uint32_t last = device->chip->channels - 1u - device->ops->spare_channels;
    save_check(save->io, channel->number >= device->ops->first_channel && channel->number <= last,
               "the number of a channel");
    save_check(save->io, channel->id && channel->id <= device->channel_ids, "the number of a channel");
    save_check(save->io, !channel->syncpoint || channel->syncpoint < pfifo_gpu_syncpoint_count(device->gpu),
               "the syncpoint of a channel");
    for (const struct pfifo_channel *other = device->channels; save->io->loading && other != channel;
         other = other->next)
        save_check(save->io, other->number != channel->number && other->id != channel->id, "two channels of a number");
}

static void save_channel(struct device_save *save, struct pfifo_channel *channel) {
    struct state_io *io = save->io;
    state_u32(io, &channel->number);
    state_u64(io, &channel->id);
    state_u32(io, &channel->syncpoint);
    state_bool(io, &channel->dead);
    check_number(save, channel);
    save_config(io, channel);
    save_space_pointer(save, &channel->vm);
    save_ring(save, channel);
    save_fences(save, channel);
    save_software(io, channel);
    save_objects(io, channel);
    save->real->ops->channel_state(save, channel);
    if (!io->loading || !channel->vm)
        return;
    channel->vm->channels++;
    channel->mode = save->real->ops->default_mode;
    channel->config.entries = channel->entries;
    channel->config.vm = channel->vm;
}

/* A buffer has an owner for each channel that it belongs to. */
static void check_claims(struct device_save *save, const struct pfifo_channel *channel) {
    const struct pfifo_buffer *own[] = {channel->ring, channel->fences.buffer,
                                        save->real->ops->channel_buffer(channel)};
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
        save_check(save->io, !own[i] || device_claims(save->device, own[i]) <= own[i]->owners,
                   "a buffer of too many channels");
}

static void save_channel_load_channels(struct device_save *save, uint32_t count) {
    struct pfifo_channel **at = &save->device->channels;
    for (uint32_t i = 0; i < count && state_good(save->io); i++) {
        struct pfifo_channel *channel = calloc(1, save->real->ops->channel_bytes);
        if (!channel) {
            state_fail(save->io, PFIFO_ERROR_MEMORY, "no memory for a channel");
            return;
        }
        channel->device = save->real;
        *at = channel;
        at = &channel->next;
        save_channel(save, channel);
    }
    for (const struct pfifo_channel *channel = save->device->channels; channel; channel = channel->next)
        check_claims(save, channel);
}

void save_channels(struct device_save *save) {
    uint64_t count = 0;
    if (state_begin(save->io, "DCHN", 1)) {
        for (const struct pfifo_channel *channel = save->device->channels; channel; channel = channel->next)
            count++;
        count = state_count(save->io, (uint32_t)count, save->device->chip->channels, "channels");
        if (save->io->loading)
            save_channel_load_channels(save, (uint32_t)count);
        for (struct pfifo_channel *channel = save->device->channels; channel && !save->io->loading;
             channel = channel->next)
            save_channel(save, channel);
    }
    state_end(save->io);
}

/* ---- forgetting ---- */

void save_drop_lists(struct pfifo_device *device) {
    for (struct pfifo_channel *channel = device->channels, *next; channel; channel = next) {
        next = channel->next;
        free(channel->returns);
        free(channel->objects);
        free(channel);
    }
    for (struct pfifo_vm *vm = device->vms, *next; vm; vm = next) {
        next = vm->next;
        vm_free_host(vm);
    }
    for (struct pfifo_buffer *buffer = device->buffers, *next; buffer; buffer = next) {
        next = buffer->next;
        free(buffer->extents);
        free(buffer->uses.fences);
        free(buffer);
    }
    pool_free(&device->vram);
    pool_free(&device->system);
    pool_free(&device->bar1);
}
