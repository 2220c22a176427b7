/* SPDX-License-Identifier: MIT */
/* What the drivers of GF100 .. GP10B keep, saved and loaded. The rest of it is the same in all devices of a chip. */
#include "driver/gpfifo.h"
#include "driver/save.h"

void gpfifo_device_state(struct device_save *save) {
    struct gpfifo_device *own = gpfifo_of(save->device);
    uint64_t bytes = gpfifo_runlist_bytes(own);
    for (unsigned i = 0; i < GPFIFO_RUNLISTS; i++) {
        save_instance(save, &own->runlist[i].list[0], bytes);
        save_instance(save, &own->runlist[i].list[1], bytes);
        state_index(save->io, &own->runlist[i].turn, 2, "list of a runlist");
    }
    state_u32(save->io, &own->broken.engines);
    state_u32(save->io, &own->broken.runlists);
}

void gpfifo_channel_state(struct device_save *save, struct pfifo_channel *base) {
    struct gpfifo_channel *channel = gpfifo_channel_of(base);
    save_instance(save, &channel->instance, GPFIFO_INSTANCE_BYTES);
    save_check(save->io, channel->instance != 0, "a channel without an instance block");
    state_index(save->io, &channel->runlist, GPFIFO_RUNLISTS, "runlist");
    save_buffer_pointer(save, &channel->contexts);
}
