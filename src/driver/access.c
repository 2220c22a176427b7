/* SPDX-License-Identifier: MIT */
#include "driver/access.h"

#include "driver/channel.h"

#include "hw/pmc.h"

uint32_t device_rd32(struct pfifo_device *device, uint32_t offset) {
    return pfifo_gpu_rd32(device->gpu, offset);
}

void device_wr32(struct pfifo_device *device, uint32_t offset, uint32_t value) {
    pfifo_gpu_wr32(device->gpu, offset, value);
}

uint32_t device_mask(struct pfifo_device *device, uint32_t offset, uint32_t clear, uint32_t set) {
    uint32_t old = device_rd32(device, offset);
    device_wr32(device, offset, (old & ~clear) | set);
    return old;
}

bool device_poll(struct pfifo_device *device, uint32_t offset, uint32_t mask, uint32_t value) {
    for (unsigned n = 0; n < POLL_TRIES; n++)
        if ((device_rd32(device, offset) & mask) == value)
            return true;
    return false;
}

void device_reset_units(struct pfifo_device *device, uint32_t units) {
    device_mask(device, NV_PMC_ENABLE, units, 0);
    device_mask(device, NV_PMC_ENABLE, 0, units);
}

void device_fault(struct pfifo_device *device, const struct pfifo_device_fault *fault) {
    device->faults++;
    if (device->config.fault)
        device->config.fault(device->config.opaque, fault);
}

struct pfifo_channel *device_channel(struct pfifo_device *device, uint32_t number) {
    struct pfifo_channel *channel = device->channels;
    while (channel && channel->number != number)
        channel = channel->next;
    return channel;
}

bool device_engine(const struct pfifo_device *device, enum chip_unit unit, unsigned *id) {
    for (unsigned i = 0; i < CHIP_MAX_ENGINES; i++) {
        if (device->chip->engines[i] == unit) {
            *id = i;
            return true;
        }
    }
    return false;
}
