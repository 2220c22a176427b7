/* SPDX-License-Identifier: MIT */
/*
 * Numbers of what a device has, for who saves it: they stay when the pointers do not.
 */
#include "driver/channel.h"
#include "driver/ops.h"

uint32_t pfifo_buffer_id(const struct pfifo_buffer *buffer) {
    return buffer ? buffer->id : 0;
}

uint32_t pfifo_vm_id(const struct pfifo_vm *vm) {
    return vm ? vm->id : 0;
}

uint32_t pfifo_channel_id(const struct pfifo_channel *channel) {
    return channel ? (uint32_t)channel->id : 0;
}

unsigned device_claims(const struct pfifo_device *device, const struct pfifo_buffer *buffer) {
    const struct driver_ops *ops = device->ops;
    unsigned claims = 0;
    for (const struct pfifo_channel *channel = device->channels; channel; channel = channel->next)
        claims += (channel->ring == buffer) + (channel->fences.buffer == buffer) +
                  (ops->channel_buffer && ops->channel_buffer(channel) == buffer);
    return claims;
}

uint32_t pfifo_buffer_owners(const struct pfifo_buffer *buffer) {
    unsigned claims = buffer ? device_claims(buffer->device, buffer) : 0;
    return buffer && buffer->owners > claims ? buffer->owners - claims : 0;
}

struct pfifo_buffer *pfifo_device_buffer(const struct pfifo_device *device, uint32_t id) {
    struct pfifo_buffer *buffer = device ? device->buffers : NULL;
    while (buffer && buffer->id != id)
        buffer = buffer->next;
    return pfifo_buffer_owners(buffer) ? buffer : NULL;
}

struct pfifo_vm *pfifo_device_space(const struct pfifo_device *device, uint32_t id) {
    struct pfifo_vm *vm = device ? device->vms : NULL;
    while (vm && vm->id != id)
        vm = vm->next;
    return vm;
}

struct pfifo_channel *pfifo_device_channel(const struct pfifo_device *device, uint32_t id) {
    struct pfifo_channel *channel = device ? device->channels : NULL;
    while (channel && (uint32_t)channel->id != id)
        channel = channel->next;
    return channel;
}
