/* SPDX-License-Identifier: MIT */
/*
 * The kernel's part on GK104 .. GP10B: channels are bound in PCCSR and run from the runlist of PGRAPH, which the copy
 * engine on subchannel 4 shares.
 * Sources: nouveau engine/fifo/{gk104,gk110,gm107}.c, gpfifogk104.c.
 */
#include "driver/gpfifo.h"

enum {
    PFIFO_RUNLIST_BASE = 0x2270,
    PFIFO_RUNLIST = 0x2274,
    PFIFO_ENG_RUNLIST = 0x2284,
    PFIFO_PREEMPT = 0x2634,
    PCCSR = 0x800000,
};

#define RUNLIST         0u /* of PGRAPH */
#define INST_BIND       (1u << 31)
#define CHANNEL_SET     (1u << 10)
#define CHANNEL_CLEAR   (1u << 11)
#define CHANNEL_RUNLIST 0x000f0000u
#define CHANNEL_BUSY    0x1f000000u /* BUSY and STATUS */
#define PENDING         (1u << 20)

static const struct gpfifo_word ramfc[] = {
    {0x10, 0x0000face}, {0x30, 0xfffff902}, {0x84, 0x20400000}, {0x94, 0x30000001}, {0x9c, 0x00000100},
    {0xac, 0x0000001f}, {0xb8, 0xf8000000}, {0xf8, 0x10003080}, {0xfc, 0x10000010},
};

/*
 * UNKNOWN: from which chip on the instance block is wanted here: nouveau writes it from GM107 on. Chosen: on all
 * chips with TSGs, the others ignore it.
 */
static uint32_t entry_word(const struct pfifo_device *device, uint64_t instance) {
    return device->chip->has_tsg ? (uint32_t)(instance >> 12) : 0;
}

static void commit(struct pfifo_device *device, uint64_t list, uint32_t count) {
    device_wr32(device, PFIFO_RUNLIST_BASE, (uint32_t)(list >> 12));
    device_wr32(device, PFIFO_RUNLIST, RUNLIST << 20 | count);
    device_poll(device, PFIFO_ENG_RUNLIST + 8 * RUNLIST, PENDING, 0);
}

static uint32_t table_of(const struct pfifo_channel *channel) {
    return PCCSR + 8 * channel->number;
}

static void stop(struct pfifo_channel *channel) {
    struct pfifo_device *device = channel->device;
    device_mask(device, table_of(channel) + 4, 0, CHANNEL_CLEAR);
    device_wr32(device, PFIFO_PREEMPT, channel->number);
    device_poll(device, PFIFO_PREEMPT, PENDING, 0);
}

static const struct gpfifo_family family = {
    .ramfc = ramfc,
    .ramfc_words = sizeof ramfc / sizeof ramfc[0],
    .channel_in_ramfc = true,
    .entry_word = entry_word,
    .commit = commit,
    .stop = stop,
};

static enum pfifo_status gk104_channel_open(struct pfifo_channel *channel, struct pfifo_error *error) {
    struct pfifo_device *device = channel->device;
    enum pfifo_status status = gpfifo_channel_memory(channel, error);
    if (status != PFIFO_OK)
        return status;
    device_mask(device, table_of(channel) + 4, CHANNEL_RUNLIST, RUNLIST << 16);
    device_wr32(device, table_of(channel), INST_BIND | (uint32_t)(gpfifo_instance(channel) >> 12));
    device_mask(device, table_of(channel) + 4, 0, CHANNEL_SET);
    gpfifo_update_runlist(device, channel);
    device_mask(device, table_of(channel) + 4, 0, CHANNEL_SET);
    return PFIFO_OK;
}

static void gk104_channel_close(struct pfifo_channel *channel) {
    struct pfifo_device *device = channel->device;
    stop(channel);
    gpfifo_update_runlist(device, NULL);
    device_wr32(device, table_of(channel), 0);
    inst_free(device, gpfifo_instance(channel));
}

static bool gk104_idle(struct pfifo_channel *channel) {
    return gpfifo_ring_get(channel) == channel->put &&
           !(device_rd32(channel->device, table_of(channel) + 4) & CHANNEL_BUSY);
}

static enum pfifo_status gk104_init(struct pfifo_device *device, struct pfifo_error *error) {
    enum pfifo_status status = gpfifo_init(device, &family, error);
    if (status == PFIFO_OK)
        gpfifo_start(device);
    return status;
}

const struct driver_ops driver_gk104 = {
    .name = "GK104",
    GPFIFO_OPS,
    .init = gk104_init,
    .channel_open = gk104_channel_open,
    .channel_close = gk104_channel_close,
    .idle = gk104_idle,
};
