/* SPDX-License-Identifier: MIT */
/*
 * The kernel's part on GF100 .. GF117: a playlist for all engines, channel table at 0x3000.
 * Sources: nouveau engine/fifo/gf100.c, gpfifogf100.c.
 */
#include "driver/gpfifo.h"

enum {
    PFIFO_CONFIG = 0x2200,
    PFIFO_SUBFIFO_ENABLE = 0x2204,
    PFIFO_ENG_SUBFIFO_MASK = 0x2208,
    PFIFO_PLAYLIST_BASE = 0x2270,
    PFIFO_PLAYLIST = 0x2274,
    PFIFO_PLAYLIST_STATUS = 0x227c,
    PFIFO_ENGINE_INTR_EN = 0x2628,
    PFIFO_KICK = 0x2634,
    CHANNEL_TABLE = 0x3000,
};

#define CHANNEL_VALID   0xc0000000u
#define STATUS_START    0x001f0001u
#define STATUS_RUNNABLE (1u << 0)
#define STATUS_LOADED   (1u << 12)
#define STATUS_PENDING  (1u << 28)
#define PLAYLIST_COMMIT 0x01f00000u
#define PLAYLIST_BUSY   (1u << 20)

static const struct gpfifo_word ramfc[] = {
    {0x10, 0x0000face}, {0x30, 0xfffff902}, {0x54, 0x00000002}, {0x84, 0x20400000},
    {0x94, 0x30000001}, {0x9c, 0x00000100}, {0xa4, 0x1f1f1f1f}, {0xa8, 0x1f1f1f1f},
    {0xac, 0x0000001f}, {0xb8, 0xf8000000}, {0xf8, 0x10003080}, {0xfc, 0x10000010},
};

/* UNKNOWN: what it means; nouveau writes it. */
static uint32_t entry_word(const struct pfifo_device *device, uint64_t instance) {
    (void)device, (void)instance;
    return 4;
}

static void commit(struct pfifo_device *device, uint64_t list, uint32_t count) {
    device_wr32(device, PFIFO_PLAYLIST_BASE, (uint32_t)(list >> 12));
    device_wr32(device, PFIFO_PLAYLIST, PLAYLIST_COMMIT | count);
    device_poll(device, PFIFO_PLAYLIST_STATUS, PLAYLIST_BUSY, 0);
}

static uint32_t table_of(const struct pfifo_channel *channel) {
    return CHANNEL_TABLE + 8 * channel->number;
}

static void stop(struct pfifo_channel *channel) {
    struct pfifo_device *device = channel->device;
    device_mask(device, table_of(channel) + 4, STATUS_RUNNABLE, 0);
    device_wr32(device, PFIFO_KICK, channel->number);
    device_poll(device, PFIFO_KICK, ~0u, channel->number);
}

static const struct gpfifo_family family = {
    .ramfc = ramfc,
    .ramfc_words = sizeof ramfc / sizeof ramfc[0],
    .entry_word = entry_word,
    .commit = commit,
    .stop = stop,
};

static enum pfifo_status gf100_channel_open(struct pfifo_channel *channel, struct pfifo_error *error) {
    struct pfifo_device *device = channel->device;
    enum pfifo_status status = gpfifo_channel_memory(channel, error);
    if (status != PFIFO_OK)
        return status;
    device_wr32(device, table_of(channel), CHANNEL_VALID | (uint32_t)(gpfifo_instance(channel) >> 12));
    device_wr32(device, table_of(channel) + 4, STATUS_START);
    gpfifo_update_runlist(device, channel);
    return PFIFO_OK;
}

static void gf100_channel_close(struct pfifo_channel *channel) {
    struct pfifo_device *device = channel->device;
    stop(channel);
    gpfifo_update_runlist(device, NULL);
    device_wr32(device, table_of(channel), 0);
    inst_free(device, gpfifo_instance(channel));
}

static bool gf100_idle(struct pfifo_channel *channel) {
    return gpfifo_ring_get(channel) == channel->put &&
           !(device_rd32(channel->device, table_of(channel) + 4) & (STATUS_LOADED | STATUS_PENDING));
}

/* With three units: graphics on the first, video on the second, copies on the third and second. */
static void assign_units(struct pfifo_device *device) {
    static const uint32_t masks[] = {~(1u << 0), ~(1u << 1), ~(1u << 1), ~(1u << 1), ~(1u << 2), ~(1u << 1)};
    if (gpfifo_of(device)->pbdmas < 3)
        return;
    for (uint32_t i = 0; i < sizeof masks / sizeof masks[0]; i++)
        device_wr32(device, PFIFO_ENG_SUBFIFO_MASK + 4 * i, masks[i]);
}

static enum pfifo_status gf100_init(struct pfifo_device *device, struct pfifo_error *error) {
    enum pfifo_status status = gpfifo_init(device, &family, error);
    if (status != PFIFO_OK)
        return status;
    device_wr32(device, PFIFO_SUBFIFO_ENABLE, ~0u);
    gpfifo_start(device);
    assign_units(device);
    device_mask(device, PFIFO_CONFIG, 0, 1);
    device_wr32(device, PFIFO_ENGINE_INTR_EN, 1);
    return PFIFO_OK;
}

const struct driver_ops driver_gf100 = {
    .name = "GF100",
    GPFIFO_OPS,
    .init = gf100_init,
    .channel_open = gf100_channel_open,
    .channel_close = gf100_channel_close,
    .idle = gf100_idle,
};
