/* SPDX-License-Identifier: MIT */
/*
 * Channels and their objects.
 */
#include "chip/units.h"
#include "driver/access.h"
#include "driver/channel.h"

#include "driver/interrupts.h"
#include "driver/ops.h"

#include "chip/config.h"

#include <assert.h>
#include <stdlib.h>

#define ENTRIES_DEFAULT 1024
#define ENTRIES_MIN     4
#define ENTRIES_MAX     65536
#define NUMBERS_MAX     4096u /* of channels, on any chip */
#define OBJECTS_MAX     4096  /* of a channel: as many as the largest RAMHT has */

/* ---- opening ---- */

static enum pfifo_channel_mode mode_of(const struct driver_ops *ops, enum pfifo_channel_mode mode) {
    return mode == PFIFO_CHANNEL_DEFAULT ? ops->default_mode : mode;
}

/* What each engine is called on the chips that have it. */
static const struct {
    enum pfifo_channel_engine engine;
    enum chip_unit unit;
} engine_units[] = {
    {PFIFO_ENGINE_COPY, CHIP_UNIT_PCOPY0},          {PFIFO_ENGINE_COPY, CHIP_UNIT_PCOPY2},
    {PFIFO_ENGINE_VIDEO_DECODER, CHIP_UNIT_PVP1},   {PFIFO_ENGINE_VIDEO_DECODER, CHIP_UNIT_PVP2},
    {PFIFO_ENGINE_VIDEO_DECODER, CHIP_UNIT_PPDEC},  {PFIFO_ENGINE_VIDEO_DECODER, CHIP_UNIT_PVDEC},
    {PFIFO_ENGINE_VIDEO_PROCESSOR, CHIP_UNIT_PPPP}, {PFIFO_ENGINE_VIDEO_BITSTREAM, CHIP_UNIT_PBSP},
    {PFIFO_ENGINE_VIDEO_BITSTREAM, CHIP_UNIT_PVLD}, {PFIFO_ENGINE_VIDEO_ENCODER, CHIP_UNIT_PVENC},
    {PFIFO_ENGINE_SECURITY, CHIP_UNIT_PCIPHER},     {PFIFO_ENGINE_SECURITY, CHIP_UNIT_PSEC},
};

static bool chip_feeds(const struct pfifo_device *device, enum pfifo_channel_engine engine) {
    unsigned id;
    for (size_t i = 0; i < sizeof engine_units / sizeof engine_units[0]; i++)
        if (engine_units[i].engine == engine && device_engine(device, engine_units[i].unit, &id))
            return true;
    return false;
}

static enum pfifo_status check_engine(const struct pfifo_device *device, enum pfifo_channel_engine engine,
                                      struct pfifo_error *error) {
    static const char *const names[] = {
        [PFIFO_ENGINE_GRAPHICS] = "graphics engine",
        [PFIFO_ENGINE_COPY] = "copy engine",
        [PFIFO_ENGINE_VIDEO_DECODER] = "video decoder",
        [PFIFO_ENGINE_VIDEO_PROCESSOR] = "video processor",
        [PFIFO_ENGINE_VIDEO_BITSTREAM] = "video bitstream engine",
        [PFIFO_ENGINE_VIDEO_ENCODER] = "video encoder",
        [PFIFO_ENGINE_SECURITY] = "security engine",
    };
    if ((size_t)engine >= sizeof names / sizeof names[0])
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "no such engine: %d", (int)engine);
    if (engine == PFIFO_ENGINE_GRAPHICS ||
        (device->ops->has_engine ? device->ops->has_engine : chip_feeds)(device, engine))
        return PFIFO_OK;
    return pfifo_error_set(error, PFIFO_ERROR_UNSUPPORTED, "%s has no %s", device->chip->name, names[engine]);
}

static enum pfifo_status channel_check_config(const struct pfifo_device *device,
                                              const struct pfifo_channel_config *config, struct pfifo_error *error) {
    const struct driver_ops *ops = device->ops;
    uint32_t entries = config->entries;
    if (config->vm && config->vm->device != device)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "the address space is another device's");
    if (entries && (entries < ENTRIES_MIN || entries > ENTRIES_MAX || (entries & (entries - 1))))
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "a ring of %u entries: not a power of two from %u to %u",
                               (unsigned)entries, ENTRIES_MIN, ENTRIES_MAX);
    switch (mode_of(ops, config->mode)) {
    case PFIFO_CHANNEL_PIO:
        if (ops->has_pio_mode)
            return PFIFO_OK;
        break;
    case PFIFO_CHANNEL_DMA:
        if (ops->has_dma_mode)
            return PFIFO_OK;
        break;
    case PFIFO_CHANNEL_IB:
        if (ops->has_ib_mode)
            return PFIFO_OK;
        break;
    default:
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "no such channel mode: %d", (int)config->mode);
    }
    return pfifo_error_set(error, PFIFO_ERROR_UNSUPPORTED, "%s has no channels of this mode", device->chip->name);
}

static bool free_number(struct pfifo_device *device, uint32_t *number) {
    uint32_t last = device->chip->channels - 1u - device->ops->spare_channels;
    bool taken[NUMBERS_MAX] = {false};
    assert(last < NUMBERS_MAX);
    for (const struct pfifo_channel *channel = device->channels; channel; channel = channel->next)
        taken[channel->number] = true;
    for (*number = device->ops->first_channel; *number <= last; (*number)++)
        if (!taken[*number])
            return true;
    return false;
}

static struct pfifo_channel *new_channel(struct pfifo_device *device, const struct pfifo_channel_config *config,
                                         struct pfifo_error *error) {
    uint32_t number;
    if (!free_number(device, &number)) {
        pfifo_error_set(error, PFIFO_ERROR_MEMORY, "%s has no channel left", device->chip->name);
        return NULL;
    }
    struct pfifo_channel *channel = calloc(1, device->ops->channel_bytes);
    if (!channel) {
        pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for a channel");
        return NULL;
    }
    channel->device = device;
    channel->number = number;
    channel->id = ++device->channel_ids;
    channel->config = *config;
    channel->vm = config->vm ? config->vm : device->vm;
    channel->mode = mode_of(device->ops, config->mode);
    channel->entries = config->entries ? config->entries : ENTRIES_DEFAULT;
    return channel;
}

/* Free the host's part. */
static void drop_channel(struct pfifo_channel *channel) {
    channel_fences_drop(channel);
    ring_drop(channel);
    free(channel->objects);
    free(channel);
}

struct pfifo_channel *pfifo_channel_open(struct pfifo_device *device, const struct pfifo_channel_config *wanted,
                                         struct pfifo_error *error) {
    if (!device || !wanted) {
        pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "a channel needs a device and a configuration");
        return NULL;
    }
    struct pfifo_channel_config known;
    const struct pfifo_channel_config *config = &known;
    if (config_read(&known, sizeof known, wanted, sizeof known, "pfifo_channel_config", error) != PFIFO_OK)
        return NULL;
    if (channel_check_config(device, config, error) != PFIFO_OK ||
        check_engine(device, config->engine, error) != PFIFO_OK)
        return NULL;
    struct pfifo_channel *channel = new_channel(device, config, error);
    if (!channel)
        return NULL;
    if (ring_make(channel, error) != PFIFO_OK || device->ops->channel_open(channel, error) != PFIFO_OK) {
        drop_channel(channel);
        return NULL;
    }
    if (channel->vm)
        channel->vm->channels++;
    channel->next = device->channels;
    device->channels = channel;
    return channel;
}

void pfifo_channel_close(struct pfifo_channel *channel) {
    if (!channel)
        return;
    struct pfifo_device *device = channel->device;
    struct pfifo_channel **at = &device->channels;
    device_interrupts(device); /* a unit that waits for the driver keeps its channel */
    while (*at != channel)
        at = &(*at)->next;
    *at = channel->next;
    device->ops->channel_close(channel);
    pio_channel_gone(channel);
    channel_software_gone(channel);
    if (channel->vm)
        channel->vm->channels--;
    drop_channel(channel);
}

uint32_t pfifo_channel_number(const struct pfifo_channel *channel) {
    return channel->number;
}

/* ---- objects ---- */

/* Classes that nouveau itself implements: those of its DMA channels, and negative ids. */
static bool is_software(uint32_t object_class) {
    return (object_class & 0x80000000u) || (object_class & 0xff) == 0x6e;
}

static enum chip_unit channel_unit_of(uint32_t object_class) {
    if (is_software(object_class))
        return CHIP_UNIT_SOFTWARE;
    return chip_unit_of_class(object_class);
}

static struct channel_object *channel_find_object(struct pfifo_channel *channel, uint32_t handle) {
    for (size_t i = 0; i < channel->object_count; i++)
        if (channel->objects[i].handle == handle)
            return &channel->objects[i];
    return NULL;
}

/* Room for one more object after the last. NULL: an error was set. */
static struct channel_object *object_room(struct pfifo_channel *channel, uint32_t handle, struct pfifo_error *error) {
    /* 0 is a handle like any other: Mesa's NV40 driver gives it to its NULL object. */
    if (channel->device->ops->has_handles && channel_find_object(channel, handle)) {
        pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "handle 0x%x is taken", (unsigned)handle);
        return NULL;
    }
    if (channel->object_count == OBJECTS_MAX) {
        pfifo_error_set(error, PFIFO_ERROR_MEMORY, "a channel has no more than %d objects", OBJECTS_MAX);
        return NULL;
    }
    if (channel->object_count == channel->object_room) {
        size_t room = channel->object_room ? 2 * channel->object_room : 8;
        struct channel_object *objects = realloc(channel->objects, room * sizeof *objects);
        if (!objects) {
            pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for an object");
            return NULL;
        }
        channel->objects = objects;
        channel->object_room = room;
    }
    struct channel_object *object = &channel->objects[channel->object_count];
    *object = (struct channel_object){.handle = handle};
    return object;
}

enum pfifo_status pfifo_channel_object(struct pfifo_channel *channel, uint32_t handle, uint32_t object_class,
                                       struct pfifo_error *error) {
    if (!channel || object_class == 0)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "an object needs a channel and a class");
    struct pfifo_device *device = channel->device;
    enum chip_unit unit = channel_unit_of(object_class);
    unsigned engine = 0;
    if (!device->ops->has_handles && unit != CHIP_UNIT_SOFTWARE)
        return PFIFO_OK;
    if (device->ops->has_handles && !device_engine(device, unit, &engine))
        return pfifo_error_set(error, PFIFO_ERROR_UNSUPPORTED, "%s has no engine for class 0x%x", device->chip->name,
                               (unsigned)object_class);
    struct channel_object *object = object_room(channel, handle, error);
    if (!object)
        return error ? error->status : PFIFO_ERROR_ARGUMENT;
    object->object_class = object_class;
    object->software = unit == CHIP_UNIT_SOFTWARE;
    if (device->ops->has_handles) {
        enum pfifo_status status = device->ops->object(channel, object, engine, error);
        if (status != PFIFO_OK)
            return status;
    }
    channel->object_count++;
    return PFIFO_OK;
}

bool pfifo_channel_object_free(struct pfifo_channel *channel, uint32_t handle) {
    struct channel_object *object = channel ? channel_find_object(channel, handle) : NULL;
    if (!object)
        return false;
    if (channel->device->ops->has_handles)
        channel->device->ops->object_gone(channel, object);
    *object = channel->objects[--channel->object_count];
    return true;
}

enum pfifo_status pfifo_channel_dma_object(struct pfifo_channel *channel, uint32_t handle, struct pfifo_buffer *buffer,
                                           uint64_t offset, uint64_t bytes, struct pfifo_error *error) {
    if (!channel || !buffer || buffer->device != channel->device)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "a DMA object needs a channel and a buffer of its device");
    const struct driver_ops *ops = channel->device->ops;
    if (!ops->has_handles)
        return pfifo_error_set(error, PFIFO_ERROR_UNSUPPORTED, "%s has no DMA objects", channel->device->chip->name);
    if (bytes == 0 || offset > buffer->bytes || bytes > buffer->bytes - offset)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "%llu bytes from %llu on are not in the buffer",
                               (unsigned long long)bytes, (unsigned long long)offset);
    struct channel_object *object = object_room(channel, handle, error);
    if (!object)
        return error ? error->status : PFIFO_ERROR_ARGUMENT;
    enum pfifo_status status = ops->dma_object(channel, object, buffer, offset, bytes, error);
    if (status == PFIFO_OK)
        channel->object_count++;
    return status;
}

bool pfifo_channel_idle(struct pfifo_channel *channel) {
    return channel->device->ops->idle(channel);
}
