/* SPDX-License-Identifier: MIT */
/*
 * The CPU writes a word into a channel's memory through PEEPHOLE, which is given the channel's space.
 *
 * Sources: nouveau nvkm/engine/sw/{nv50,gf100}.c; envytools docs/hw/memory/peephole.rst.
 */
#include "driver/g80.h"
#include "driver/gpfifo.h"

#include "hw/pbus.h"

void g80_release(struct pfifo_channel *channel, uint32_t object, uint64_t address, uint32_t value) {
    struct pfifo_device *device = channel->device;
    uint32_t peephole = g80_of(device)->variant->peephole;
    device_wr32(device, NV_PBUS_CHANNEL, (uint32_t)(g80_channel_of(channel)->descriptor >> 12));
    device_wr32(device, NV_PBUS_PEEPHOLE, PBUS_VM | object);
    device_host_flush(device);
    device_wr32(device, peephole, (uint32_t)address);
    device_wr32(device, peephole + 4, value);
}

void gpfifo_release(struct pfifo_channel *channel, uint32_t object, uint64_t address, uint32_t value) {
    struct pfifo_device *device = channel->device;
    (void)object;
    device_wr32(device, NV_PBUS_PEEPHOLE_BLOCK, PBUS_VM | (uint32_t)(gpfifo_instance(channel) >> 12));
    device_host_flush(device);
    device_wr32(device, NV_PEEPHOLE_RW_ADDR_HIGH, (uint32_t)(address >> 32));
    device_wr32(device, NV_PEEPHOLE_RW_ADDR_LOW, (uint32_t)address);
    device_wr32(device, NV_PEEPHOLE_RW_DATA_G84, value);
}
