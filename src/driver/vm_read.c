/* SPDX-License-Identifier: MIT */
/* Memory of an address space as somebody in it sees it, by the buffers that are mapped there. */
#include "driver/channel.h"
#include "driver/device.h"
#include "driver/vm.h"

#include <string.h>

#define HOLE_BYTES UINT64_C(4096)

/* From `address` on: what is mapped in one piece, or the rest of a page that is not. */
static uint64_t vm_read_piece_bytes(const struct pfifo_vm_map *map, bool mapped, uint64_t address) {
    return mapped ? map->address + map->bytes - address : HOLE_BYTES - address % HOLE_BYTES;
}

bool pfifo_vm_read(const struct pfifo_vm *vm, uint64_t address, void *data, size_t bytes) {
    uint8_t *to = data;
    bool any = false;
    for (uint64_t done = 0, piece; done < bytes; done += piece) {
        uint64_t at = address + done;
        struct pfifo_vm_map map;
        bool mapped = pfifo_vm_at(vm, at, &map);
        piece = vm_read_piece_bytes(&map, mapped, at);
        piece = piece < bytes - done ? piece : bytes - done;
        if (mapped && pfifo_buffer_peek(map.buffer, map.offset + (at - map.address), to + done, piece))
            any = true;
        else
            memset(to + done, 0, piece);
    }
    return any;
}

struct pfifo_vm *pfifo_device_channel_vm(struct pfifo_device *device, uint32_t number) {
    for (struct pfifo_channel *channel = device->channels; channel; channel = channel->next)
        if (pfifo_channel_number(channel) == number)
            return channel->vm;
    return NULL;
}
