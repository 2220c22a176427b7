/* SPDX-License-Identifier: MIT */
/*
 * Software objects: methods that PFIFO hands to the host. They are executed as by nouveau, or by the program.
 *
 *   puller --interrupt--> cache_interrupt.c | nv1_interrupt.c | gpfifo_interrupt.c
 *                            |  method 0: channel_software_bind()   else: channel_software_method()
 *                            v
 *                         the program's handler | this one: rows of methods, per generation
 *                            |  not handled: a fault, and the method is skipped
 *
 *   NV4, NV5   0150 reference
 *   G80-       018c DMA object, 0400 offset, 0404 value, 0408 head: release after the next vertical blank of it
 *   GF100-     0400, 0404 address, 0408 value, 040c head; 0600, 0644, 06ac: registers of the MPs
 *   all        0500 event for the program
 *
 * There is no display: a vertical blank is when pfifo_device_vblank() says so.
 * UNKNOWN: how many heads the chip of a channel has; chosen: 2 before GF119, 4 on GF119 and later, the Tegras none. A
 * head that does not exist is a method that is not handled, as in nouveau.
 *
 * Sources: nouveau nvkm/engine/sw/{base,chan,nv04,nv10,nv50,gf100}.c.
 */
#include "driver/access.h"
#include "driver/channel.h"
#include "driver/interrupts.h"
#include "driver/ops.h"

#include "hw/pgraph.h"

#include <assert.h>

#define WARP_ERRORS 0x1ffffeu

struct software_method {
    const char *chips;
    uint32_t method;
    bool (*run)(struct pfifo_channel *channel, uint32_t data);
};

static bool set_reference(struct pfifo_channel *channel, uint32_t data) {
    channel->software_state.reference = data;
    return true;
}

static bool set_object(struct pfifo_channel *channel, uint32_t data) {
    channel->software_state.object = data;
    return true;
}

static bool set_offset(struct pfifo_channel *channel, uint32_t data) {
    channel->software_state.address = data;
    return true;
}

static bool set_address_high(struct pfifo_channel *channel, uint32_t data) {
    channel->software_state.address = (uint32_t)channel->software_state.address | (uint64_t)data << 32;
    return true;
}

/* The low word comes last. It keeps 8 bits of the high word. */
static bool set_address_low(struct pfifo_channel *channel, uint32_t data) {
    channel->software_state.address = (channel->software_state.address & UINT64_C(0xff00000000)) | data;
    return true;
}

static bool set_value(struct pfifo_channel *channel, uint32_t data) {
    channel->software_state.value = data;
    return true;
}

static uint32_t heads_of(const struct pfifo_chip *chip) {
    static const struct software_heads {
        const char *chips;
        uint32_t heads;
    } rows[] = {{"G80:GF119", 2}, {"GK20A GM20B GP10B", 0}, {"GF119-", 4}};
    const struct software_heads *row = CHIP_ROW(chip, rows);
    return row ? row->heads : 0;
}

static bool release_at_vblank(struct pfifo_channel *channel, uint32_t head) {
    if (head >= heads_of(channel->device->chip))
        return false;
    channel->software_state.heads |= 1u << head;
    return true;
}

static bool software_user_event(struct pfifo_channel *channel, uint32_t data) {
    const struct pfifo_device_config *config = &channel->device->config;
    if (config->user_event)
        config->user_event(config->opaque, channel->number, data);
    return true;
}

static bool write_unk000(struct pfifo_channel *channel, uint32_t data) {
    device_wr32(channel->device, NV_PGRAPH_MP_PM_UNK000, data);
    return true;
}

static bool write_warp_errors(struct pfifo_channel *channel, uint32_t data) {
    if (data & ~WARP_ERRORS)
        return false;
    device_wr32(channel->device, NV_PGRAPH_MP_TRAP_WARP_ERROR_EN, data);
    return true;
}

static bool write_unk0ac(struct pfifo_channel *channel, uint32_t data) {
    device_wr32(channel->device, NV_PGRAPH_MP_PM_UNK0AC, data);
    return true;
}

static const struct software_method methods[] = {
    {"NV1-", 0x500, software_user_event}, {"NV4:NV10", 0x150, set_reference}, {"G80:GF100", 0x18c, set_object},
    {"G80:GF100", 0x400, set_offset},     {"G80:GF100", 0x404, set_value},    {"G80:GF100", 0x408, release_at_vblank},
    {"GF100-", 0x400, set_address_high},  {"GF100-", 0x404, set_address_low}, {"GF100-", 0x408, set_value},
    {"GF100-", 0x40c, release_at_vblank}, {"GF100-", 0x600, write_unk000},    {"GF100-", 0x644, write_warp_errors},
    {"GF100-", 0x6ac, write_unk0ac},
};

bool pfifo_channel_software_method(struct pfifo_channel *channel, uint32_t method, uint32_t data) {
    for (size_t i = 0; channel && i < sizeof methods / sizeof methods[0]; i++)
        if (methods[i].method == method && chip_in_range(channel->device->chip, methods[i].chips))
            return methods[i].run(channel, data);
    return false;
}

uint32_t pfifo_channel_reference(const struct pfifo_channel *channel) {
    return channel->software_state.reference;
}

/* ---- handlers of methods ---- */

void pfifo_device_set_software(struct pfifo_device *device, const struct pfifo_software_ops *ops, void *software) {
    device->software_ops = ops;
    device->software = ops ? software : NULL;
}

/* On GF100 and later, programs bind an object by its handle or by its class. */
static bool software_matches(const struct pfifo_channel *channel, const struct channel_object *object, uint32_t data) {
    if (!object->software)
        return false;
    if (channel->device->ops->has_handles)
        return object->handle == data;
    return (object->handle & 0xffff) == (data & 0xffff) || (object->object_class & 0xffff) == (data & 0xffff);
}

static bool software_bind(struct pfifo_channel *channel, unsigned subchannel, uint32_t object_class) {
    const struct pfifo_software_ops *ops = channel->device->software_ops;
    if (object_class != FENCE_CLASS && ops && ops->bind &&
        !ops->bind(channel->device->software, channel, subchannel, object_class))
        return false;
    channel->software[subchannel] = object_class;
    return true;
}

bool channel_software_bind(struct pfifo_channel *channel, unsigned subchannel, uint32_t data) {
    for (size_t i = 0; i < channel->object_count; i++)
        if (software_matches(channel, &channel->objects[i], data))
            return software_bind(channel, subchannel, channel->objects[i].object_class);
    return false;
}

bool channel_software_method(struct pfifo_channel *channel, unsigned subchannel, uint32_t method, uint32_t data) {
    const struct pfifo_device *device = channel->device;
    const struct pfifo_software_ops *ops = device->software_ops;
    assert(subchannel < sizeof channel->software / sizeof channel->software[0]);
    if (!channel->software[subchannel])
        return false;
    if (channel->software[subchannel] == FENCE_CLASS) {
        channel->fences.software = data;
        return true;
    }
    if (ops && ops->method)
        return ops->method(device->software, channel, channel->software[subchannel], subchannel, method, data);
    if (device->config.software)
        return device->config.software(device->config.opaque, channel->number, subchannel, method, data);
    return pfifo_channel_software_method(channel, method, data);
}

void channel_software_gone(struct pfifo_channel *channel) {
    const struct pfifo_device *device = channel->device;
    if (device->software_ops && device->software_ops->channel_gone)
        device->software_ops->channel_gone(device->software, channel->number);
}

/* ---- vertical blank ---- */

void pfifo_device_vblank(struct pfifo_device *device, unsigned head) {
    for (struct pfifo_channel *channel = device->channels; head < 32 && channel; channel = channel->next) {
        if (!(channel->software_state.heads >> head & 1))
            continue;
        channel->software_state.heads &= ~(1u << head);
        if (device->ops->release)
            device->ops->release(channel, channel->software_state.object, channel->software_state.address,
                                 channel->software_state.value);
    }
    device_interrupts(device); /* an address that is not mapped */
}
