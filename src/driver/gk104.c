/* SPDX-License-Identifier: MIT */
/*
 * The driver of GK104 .. GP10B: channels are bound in PCCSR_CHANNEL_INST and run from the runlist of their engine.
 * Which engine is behind which runlist is in the topology table. Channels are in no TSG.
 *
 * Recovery from an MMU fault, as nouveau does it: the channel is switched off, its runlist is blocked, engines that
 * still work for it are made to fault, too, and reset, the list is published without it, and the runlist goes on.
 *
 * Sources: nouveau engine/fifo/{gk104,gk110,gk208,gm107,gm200}.c, gpfifogk104.c.
 */
#include "unit/error_names.h"
#include "driver/gpfifo.h"

#include "hw/pbdma.h"
#include "hw/pccsr.h"
#include "hw/pfifo_gf100.h"
#include "hw/pmc.h"

#define TIMEOUT 0xffffu

static const struct gpfifo_word ramfc[] = {
    {NV_PBDMA_SIGNATURE, 0x0000face}, {NV_PBDMA_ACQUIRE, 0xfffff902},   {NV_PBDMA_PB_HEADER, 0x20400000},
    {NV_PBDMA_SUBDEVICE, 0x30000001}, {NV_PBDMA_CMD_TYPES, 0x00000100}, {NV_PBDMA_TARGET, 0x0000001f},
    {NV_PBDMA_UNKB8, 0xf8000000},     {NV_PBDMA_TIMESLICE, 0x10003080}, {NV_PBDMA_CHANNEL_INFO, 0x10000010},
};

static uint32_t gk104_entry_word(const struct pfifo_device *device, uint64_t instance) {
    return ((const struct gpfifo_device *)device)->variant->instance_in_list ? (uint32_t)(instance >> 12) : 0;
}

static void gk104_commit(struct pfifo_device *device, unsigned runlist, uint32_t base, uint32_t count) {
    device_wr32(device, NV_PFIFO_RUNLIST_BASE, base);
    device_wr32(device, NV_PFIFO_RUNLIST, runlist << PFIFO_RUNLIST_ID | count);
    device_poll(device, NV_PFIFO_ENG_RUNLIST + 8 * runlist, PFIFO_RUNLIST_PENDING, 0);
}

static uint32_t gk104_table_of(const struct pfifo_channel *channel) {
    return NV_PCCSR_CHANNEL_INST + 8 * channel->number;
}

static unsigned gk104_runlist_of(const struct pfifo_channel *channel) {
    return ((const struct gpfifo_channel *)channel)->runlist;
}

static void gk104_stop(struct pfifo_channel *channel) {
    struct pfifo_device *device = channel->device;
    device_mask(device, gk104_table_of(channel) + 4, 0, PCCSR_CHANNEL_CLEAR);
    device_wr32(device, NV_PFIFO_PREEMPT, channel->number);
    device_poll(device, NV_PFIFO_PREEMPT, PFIFO_PREEMPT_PENDING, 0);
}

/* ---- recovery ---- */

/* Does the engine work for the channel, without having faulted itself? */
static bool gk104_holds(struct pfifo_device *device, const struct gpfifo_engine *engine,
                        const struct pfifo_channel *channel) {
    uint32_t status = device_rd32(device, NV_PFIFO_ENGINE_STATUS + 8 * engine->id);
    return (status & PFIFO_ENGINE_STATUS_CTX_BITS) &&
           !(status & (PFIFO_ENGINE_STATUS_ID_IS_TSG | PFIFO_ENGINE_STATUS_FAULTED)) &&
           (status & PFIFO_ENGINE_STATUS_ID) == channel->number;
}

/* Make it fault, and acknowledge that. */
static void gk104_inject_fault(struct pfifo_device *device, const struct gpfifo_engine *engine) {
    if (engine->fault_unit == GPFIFO_NO_FAULT_UNIT)
        return;
    device_wr32(device, NV_PFIFO_VM_FAULT_INJECT + 4 * engine->id, PFIFO_VM_FAULT_INJECT_VALID | engine->fault_unit);
    device_poll(device, NV_PFIFO_ENGINE_STATUS + 8 * engine->id, PFIFO_ENGINE_STATUS_FAULTED,
                PFIFO_ENGINE_STATUS_FAULTED);
    device_wr32(device, NV_PFIFO_VM_FAULT_INJECT + 4 * engine->id, 0);
    device_wr32(device, NV_PFIFO_VM_FAULT_SOURCE, 1u << engine->fault_unit);
    device_wr32(device, NV_PFIFO_INTR, PFIFO_INTR_FAULT);
}

/* No channel is switched until gpfifo_recover() is done. */
static void gk104_block(struct pfifo_device *device, unsigned runlist) {
    struct gpfifo_device *own = gpfifo_of(device);
    if (own->broken.runlists >> runlist & 1)
        return;
    own->broken.runlists |= 1u << runlist;
    device_mask(device, NV_PFIFO_SCHED_DISABLE, 0, 1u << runlist);
}

/* Engines that work for a channel: a bit for each id. */
static uint32_t gk104_engines_of(struct pfifo_device *device, const struct pfifo_channel *channel) {
    const struct gpfifo_device *own = gpfifo_of(device);
    uint32_t ids = 0;
    for (unsigned i = 0; i < own->engine_count; i++)
        if (own->engines[i].runlist == gk104_runlist_of(channel) && gk104_holds(device, &own->engines[i], channel))
            ids |= 1u << own->engines[i].id;
    return ids;
}

/* Writing CHANNEL may clear its fault bits, so the engines are read before. */
static void gk104_kill_channel(struct pfifo_device *device, struct pfifo_channel *channel) {
    struct gpfifo_device *own = gpfifo_of(device);
    uint32_t held = gk104_engines_of(device, channel);
    device_mask(device, gk104_table_of(channel) + 4, 0, PCCSR_CHANNEL_CLEAR);
    channel->dead = true;
    gk104_block(device, gk104_runlist_of(channel));
    for (unsigned i = 0; i < own->engine_count; i++)
        if (held >> own->engines[i].id & 1)
            gk104_inject_fault(device, &own->engines[i]);
    own->broken.engines |= held;
}

static void gk104_condemn(struct pfifo_device *device, struct pfifo_channel *channel, unsigned unit) {
    struct gpfifo_device *own = gpfifo_of(device);
    if (channel && !channel->dead)
        gk104_kill_channel(device, channel);
    for (unsigned i = 0; i < own->engine_count; i++) {
        if (own->engines[i].fault_unit != unit)
            continue;
        gk104_block(device, own->engines[i].runlist);
        own->broken.engines |= 1u << own->engines[i].id;
    }
}

static uint32_t gk104_broken(const struct gpfifo_device *own) {
    return own->broken.runlists;
}

static const struct gpfifo_family family = {
    .ramfc = ramfc,
    .ramfc_words = sizeof ramfc / sizeof ramfc[0],
    .mmu_errors = &errors_mmu,
    .channel_in_ramfc = true,
    .has_copy_front_ends = true,
    .entry_word = gk104_entry_word,
    .commit = gk104_commit,
    .stop = gk104_stop,
    .condemn = gk104_condemn,
    .broken = gk104_broken,
};

/* ---- engines ---- */

/* What engines are called in the topology table. */
static const struct {
    enum pfifo_channel_engine engine;
    uint32_t type;
} types[] = {
    {PFIFO_ENGINE_GRAPHICS, 0x00},
    {PFIFO_ENGINE_COPY, 0x01},
    {PFIFO_ENGINE_COPY, 0x02},
    {PFIFO_ENGINE_COPY, 0x03},
    {PFIFO_ENGINE_COPY, 0x13},
    {PFIFO_ENGINE_VIDEO_DECODER, 0x08},
    {PFIFO_ENGINE_VIDEO_DECODER, 0x10},
    {PFIFO_ENGINE_VIDEO_PROCESSOR, 0x09},
    {PFIFO_ENGINE_VIDEO_BITSTREAM, 0x0a},
    {PFIFO_ENGINE_VIDEO_ENCODER, 0x0b},
    {PFIFO_ENGINE_VIDEO_ENCODER, 0x0e},
    {PFIFO_ENGINE_VIDEO_ENCODER, 0x0f},
    {PFIFO_ENGINE_SECURITY, 0x0d},
};

static bool gk104_is_a(const struct gpfifo_engine *it, enum pfifo_channel_engine engine) {
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (types[i].type == it->type && types[i].engine == engine)
            return true;
    return false;
}

/* The first of this type that does not share its runlist with PGRAPH, else the first. NULL: there is none. */
static const struct gpfifo_engine *gk104_find_engine(const struct gpfifo_device *own,
                                                     enum pfifo_channel_engine engine) {
    const struct gpfifo_engine *found = NULL, *graphics = NULL;
    for (unsigned i = 0; i < own->engine_count; i++)
        if (gk104_is_a(&own->engines[i], PFIFO_ENGINE_GRAPHICS))
            graphics = &own->engines[i];
    for (unsigned i = 0; i < own->engine_count; i++)
        if (gk104_is_a(&own->engines[i], engine) &&
            (!found || (graphics && found->runlist == graphics->runlist && own->engines[i].runlist != found->runlist)))
            found = &own->engines[i];
    return found;
}

static bool gk104_has_engine(const struct pfifo_device *device, enum pfifo_channel_engine engine) {
    return gk104_find_engine((const struct gpfifo_device *)device, engine) != NULL;
}

/* ---- channels ---- */

static enum pfifo_status gk104_channel_open(struct pfifo_channel *channel, struct pfifo_error *error) {
    struct pfifo_device *device = channel->device;
    const struct gpfifo_engine *engine = gk104_find_engine(gpfifo_of(device), channel->config.engine);
    unsigned runlist = engine ? engine->runlist : 0;
    gpfifo_channel_of(channel)->runlist = runlist;
    enum pfifo_status status = gpfifo_channel_memory(channel, error);
    if (status != PFIFO_OK)
        return status;
    device_mask(device, gk104_table_of(channel) + 4, PCCSR_CHANNEL_RUNLIST, runlist << PCCSR_CHANNEL_RUNLIST_SHIFT);
    device_wr32(device, gk104_table_of(channel), PCCSR_INST_BIND | (uint32_t)(gpfifo_instance(channel) >> 12));
    device_mask(device, gk104_table_of(channel) + 4, 0, PCCSR_CHANNEL_SET);
    gpfifo_update_runlist(device, runlist, channel);
    device_mask(device, gk104_table_of(channel) + 4, 0, PCCSR_CHANNEL_SET);
    return PFIFO_OK;
}

static void gk104_channel_close(struct pfifo_channel *channel) {
    struct pfifo_device *device = channel->device;
    if (!channel->dead) {
        gk104_stop(channel);
        gpfifo_update_runlist(device, gk104_runlist_of(channel), NULL);
    }
    device_wr32(device, gk104_table_of(channel), 0);
    gpfifo_channel_free(channel);
}

static bool gk104_idle(struct pfifo_channel *channel) {
    return gpfifo_ring_get(channel) == channel->put && !(device_rd32(channel->device, gk104_table_of(channel) + 4) &
                                                         (PCCSR_CHANNEL_BUSY | PCCSR_CHANNEL_STATUS_BITS));
}

/* ---- the device ---- */

/* The bits of units that do not exist stay 0. */
static void gk104_count_pbdmas(struct gpfifo_device *own) {
    device_wr32(&own->base, NV_PMC_SUBFIFO_ENABLE, ~0u);
    for (uint32_t units = device_rd32(&own->base, NV_PMC_SUBFIFO_ENABLE); units; units &= units - 1)
        own->pbdmas++;
}

/* Engines whose runlist some PBDMA serves. */
static void gk104_find_engines(struct gpfifo_device *own) {
    uint32_t served = 0;
    unsigned listed = topology_read(&own->base, own->engines);
    for (uint32_t i = 0; i < own->pbdmas; i++)
        served |= device_rd32(&own->base, NV_PFIFO_PBDMA_MAP + 4 * i);
    for (unsigned i = 0; i < listed; i++)
        if (served >> own->engines[i].runlist & 1)
            own->engines[own->engine_count++] = own->engines[i];
}

static void gk104_start_copy_front_ends(struct pfifo_device *device) {
    for (uint32_t i = 0; i < gpfifo_of(device)->pbdmas; i++) {
        device_wr32(device, NV_PBDMA_BASE + NV_PBDMA_STRIDE * i + NV_PBDMA_INTR_1, ~0u);
        device_wr32(device, NV_PBDMA_BASE + NV_PBDMA_STRIDE * i + NV_PBDMA_INTR_EN_1, ~0u);
    }
}

static void gk104_set_timeouts(struct pfifo_device *device) {
    for (uint32_t i = 0; gpfifo_of(device)->variant->sets_timeouts && i < gpfifo_of(device)->pbdmas; i++)
        device_wr32(device, NV_PBDMA_BASE + NV_PBDMA_STRIDE * i + NV_PBDMA_TIMEOUT, TIMEOUT);
}

static enum pfifo_status gk104_init(struct pfifo_device *device, struct pfifo_error *error) {
    struct gpfifo_device *own = gpfifo_of(device);
    device_reset_units(device, PMC_ENABLE_PFIFO);
    gk104_count_pbdmas(own);
    gk104_find_engines(own);
    gpfifo_reset_engines(device, ~0u);
    enum pfifo_status status = gpfifo_init(device, &family, error);
    if (status != PFIFO_OK)
        return status;
    device_wr32(device, NV_PMC_SUBFIFO_ENABLE, (1u << own->pbdmas) - 1);
    gpfifo_start_pbdmas(device);
    gk104_start_copy_front_ends(device);
    gk104_set_timeouts(device);
    gpfifo_start(device);
    return PFIFO_OK;
}

const struct driver_ops driver_gk104 = {
    .name = "GK104",
    GPFIFO_OPS,
    .graph_method = device_graph_method,
    .init = gk104_init,
    .has_engine = gk104_has_engine,
    .channel_open = gk104_channel_open,
    .channel_close = gk104_channel_close,
    .idle = gk104_idle,
};
