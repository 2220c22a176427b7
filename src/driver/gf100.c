/* SPDX-License-Identifier: MIT */
/*
 * The driver of GF100 .. GF117: a playlist for all engines, channel table at 0x3000.
 * Sources: nouveau engine/fifo/gf100.c, gpfifogf100.c; envytools rnndb/fifo/gf100_pfifo.xml.
 */
#include "chip/units.h"
#include "unit/error_names.h"
#include "driver/gpfifo.h"

#include "hw/pbdma.h"
#include "hw/pfifo_gf100.h"
#include "hw/pmc.h"

#define STATUS_START    0x001f0001u
#define PLAYLIST_COMMIT 0x01f00000u
#define PLAYLIST        0u /* the only one */

static const struct gpfifo_word ramfc[] = {
    {NV_PBDMA_SIGNATURE, 0x0000face}, {NV_PBDMA_ACQUIRE, 0xfffff902},     {NV_PBDMA_PB_FETCH, 0x00000002},
    {NV_PBDMA_PB_HEADER, 0x20400000}, {NV_PBDMA_SUBDEVICE, 0x30000001},   {NV_PBDMA_CMD_TYPES, 0x00000100},
    {NV_PBDMA_ENGINES, 0x1f1f1f1f},   {NV_PBDMA_ENGINES + 4, 0x1f1f1f1f}, {NV_PBDMA_TARGET, 0x0000001f},
    {NV_PBDMA_UNKB8, 0xf8000000},     {NV_PBDMA_TIMESLICE, 0x10003080},   {NV_PBDMA_CHANNEL_INFO, 0x10000010},
};

/* UNKNOWN: what it means; nouveau writes it. */
static uint32_t gf100_entry_word(const struct pfifo_device *device, uint64_t instance) {
    (void)device, (void)instance;
    return GF100_PLAYLIST_WORD_1;
}

static void gf100_commit(struct pfifo_device *device, unsigned runlist, uint32_t base, uint32_t count) {
    (void)runlist;
    device_wr32(device, NV_PFIFO_RUNLIST_BASE, base);
    device_wr32(device, NV_PFIFO_PLAYLIST_GF100, PLAYLIST_COMMIT | count);
    device_poll(device, NV_PFIFO_CURRENT_PLAYLIST, PFIFO_PLAYLIST_BUSY, 0);
}

static uint32_t gf100_table_of(const struct pfifo_channel *channel) {
    return NV_PFIFO_CHANNEL_TABLE + 8 * channel->number;
}

/* Take the channel off its engines first, then off the table. */
static void gf100_stop(struct pfifo_channel *channel) {
    struct pfifo_device *device = channel->device;
    device_wr32(device, NV_PFIFO_KICK, channel->number);
    device_poll(device, NV_PFIFO_KICK, ~0u, channel->number);
    device_mask(device, gf100_table_of(channel) + 4, GF100_STATUS_RUNNABLE, 0);
}

static void gf100_condemn(struct pfifo_device *device, struct pfifo_channel *channel, unsigned unit) {
    struct gpfifo_device *own = gpfifo_of(device);
    own->broken.runlists = 1u << PLAYLIST;
    for (unsigned i = 0; i < own->engine_count; i++)
        own->broken.engines |= own->engines[i].fault_unit == unit ? 1u << own->engines[i].id : 0;
    if (!channel || channel->dead)
        return;
    device_mask(device, gf100_table_of(channel) + 4, GF100_STATUS_RUNNABLE, 0);
    channel->dead = true;
}

static uint32_t gf100_broken(const struct gpfifo_device *own) {
    return own->broken.engines;
}

static const struct gpfifo_family family = {
    .ramfc = ramfc,
    .ramfc_words = sizeof ramfc / sizeof ramfc[0],
    .mmu_errors = &errors_mmu_gf100,
    .runlist_bytes = PAGE_BYTES,
    .entry_word = gf100_entry_word,
    .commit = gf100_commit,
    .stop = gf100_stop,
    .condemn = gf100_condemn,
    .broken = gf100_broken,
};

static enum pfifo_status gf100_channel_open(struct pfifo_channel *channel, struct pfifo_error *error) {
    struct pfifo_device *device = channel->device;
    enum pfifo_status status = gpfifo_channel_memory(channel, error);
    if (status != PFIFO_OK)
        return status;
    device_wr32(device, gf100_table_of(channel),
                GF100_CHANNEL_VALID | GF100_CHANNEL_POLL | (uint32_t)(gpfifo_instance(channel) >> 12));
    device_wr32(device, gf100_table_of(channel) + 4, STATUS_START);
    gpfifo_update_runlist(device, PLAYLIST, channel);
    return PFIFO_OK;
}

static void gf100_channel_close(struct pfifo_channel *channel) {
    struct pfifo_device *device = channel->device;
    if (!channel->dead) {
        gf100_stop(channel);
        gpfifo_update_runlist(device, PLAYLIST, NULL);
    }
    device_wr32(device, gf100_table_of(channel), 0);
    gpfifo_channel_free(channel);
}

static bool gf100_idle(struct pfifo_channel *channel) {
    return gpfifo_ring_get(channel) == channel->put &&
           !(device_rd32(channel->device, gf100_table_of(channel) + 4) & (GF100_STATUS_LOADED | GF100_STATUS_PENDING));
}

/* There is no topology table to read yet. */
static void gf100_find_engines(struct gpfifo_device *own) {
    const struct pfifo_chip *chip = own->base.chip;
    for (unsigned id = 0; id < CHIP_MAX_ENGINES; id++) {
        const struct chip_unit_row *row = chip_unit_row(chip, chip->engines[id]);
        if (row)
            own->engines[own->engine_count++] = (struct gpfifo_engine){
                .id = id, .type = row->topology, .fault_unit = row->fault_unit, .enable = 1u << row->enable};
    }
}

/* The bits of units that do not exist stay 0. */
static void gf100_count_units(struct gpfifo_device *own) {
    device_wr32(&own->base, NV_PFIFO_SUBFIFO_ENABLE, ~0u);
    for (uint32_t units = device_rd32(&own->base, NV_PFIFO_SUBFIFO_ENABLE); units; units &= units - 1)
        own->pbdmas++;
}

/* With three units: graphics on the first, video on the second, copies on the third and second. */
static void gf100_assign_units(struct pfifo_device *device) {
    static const uint32_t masks[] = {~(1u << 0), ~(1u << 1), ~(1u << 1), ~(1u << 1), ~(1u << 2), ~(1u << 1)};
    if (gpfifo_of(device)->pbdmas < 3)
        return;
    for (uint32_t i = 0; i < sizeof masks / sizeof masks[0]; i++)
        device_wr32(device, NV_PFIFO_ENG_SUBFIFO_MASK + 4 * i, masks[i]);
}

static enum pfifo_status gf100_init(struct pfifo_device *device, struct pfifo_error *error) {
    struct gpfifo_device *own = gpfifo_of(device);
    gf100_find_engines(own);
    device_reset_units(device, PMC_ENABLE_PFIFO);
    gpfifo_reset_engines(device, ~0u);
    gf100_count_units(own);
    enum pfifo_status status = gpfifo_init(device, &family, error);
    if (status != PFIFO_OK)
        return status;
    device_wr32(device, NV_PMC_SUBFIFO_ENABLE, (1u << own->pbdmas) - 1);
    device_wr32(device, NV_PFIFO_SUBFIFO_ENABLE, (1u << own->pbdmas) - 1);
    gf100_assign_units(device);
    gpfifo_start_pbdmas(device);
    device_mask(device, NV_PFIFO_CONFIG, 0, PFIFO_CONFIG_ENABLE);
    gpfifo_start(device);
    device_wr32(device, NV_PFIFO_ENGINE_INTR_EN, 1);
    return PFIFO_OK;
}

const struct driver_ops driver_gf100 = {
    .name = "GF100",
    GPFIFO_OPS,
    .graph_method = device_graph_method,
    .init = gf100_init,
    .channel_open = gf100_channel_open,
    .channel_close = gf100_channel_close,
    .idle = gf100_idle,
};
