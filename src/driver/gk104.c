/* SPDX-License-Identifier: MIT */
/*
 * The kernel's part on GK104 .. GP10B: channels are bound in PCCSR and run from the runlist of their engine. Which
 * engine is behind which runlist is in the topology table. Channels are in no TSG.
 *
 * Recovery from an MMU fault, as nouveau does it: the channel is switched off, its runlist is blocked, engines that
 * still work for it are made to fault, too, and reset, the list is published without it, and the runlist goes on.
 *
 * Sources: nouveau engine/fifo/{gk104,gk110,gk208,gm107,gm200}.c, gpfifogk104.c.
 */
#include "driver/gpfifo.h"

enum {
    PMC_SUBFIFO_ENABLE = 0x204,
    PFIFO_INTR = 0x2100,
    PFIFO_RUNLIST_BASE = 0x2270,
    PFIFO_RUNLIST = 0x2274,
    PFIFO_ENG_RUNLIST = 0x2284,
    PFIFO_PBDMA_MAP = 0x2390,
    PFIFO_FAULT_SOURCE = 0x259c,
    PFIFO_ENGINE_FAULT = 0x262c,
    PFIFO_SCHED_DISABLE = 0x2630,
    PFIFO_PREEMPT = 0x2634,
    PFIFO_ENGINE_STATUS = 0x2640,
    PFIFO_FAULT_INJECT = 0x2a30,
    PBDMA = 0x40000,
    PBDMA_STRIDE = 0x2000,
    PBDMA_TIMEOUT = 0x12c,
    PBDMA_INTR_1 = 0x148,
    PBDMA_INTR_EN_1 = 0x14c,
    PCCSR = 0x800000,
};

#define INST_BIND       (1u << 31)
#define CHANNEL_ENABLE  (1u << 0)
#define CHANNEL_SET     (1u << 10)
#define CHANNEL_CLEAR   (1u << 11)
#define CHANNEL_RUNLIST 0x000f0000u
#define CHANNEL_BUSY    0x1f000000u /* BUSY and STATUS */
#define PENDING         (1u << 20)
#define TIMEOUT         0xffffu

#define STATUS_ID      0x00000fffu
#define STATUS_IS_TSG  (1u << 12)
#define STATUS_VALID   0x0000e000u
#define STATUS_FAULTED (1u << 30)
#define INJECT         (1u << 8)
#define INTR_FAULT     (1u << 28)

static const struct gpfifo_word ramfc[] = {
    {0x10, 0x0000face}, {0x30, 0xfffff902}, {0x84, 0x20400000}, {0x94, 0x30000001}, {0x9c, 0x00000100},
    {0xac, 0x0000001f}, {0xb8, 0xf8000000}, {0xf8, 0x10003080}, {0xfc, 0x10000010},
};

static uint32_t entry_word(const struct pfifo_device *device, uint64_t instance) {
    return ((const struct gpfifo_device *)device)->variant->instance_in_list ? (uint32_t)(instance >> 12) : 0;
}

static void commit(struct pfifo_device *device, unsigned runlist, uint32_t base, uint32_t count) {
    device_wr32(device, PFIFO_RUNLIST_BASE, base);
    device_wr32(device, PFIFO_RUNLIST, runlist << 20 | count);
    device_poll(device, PFIFO_ENG_RUNLIST + 8 * runlist, PENDING, 0);
}

static uint32_t table_of(const struct pfifo_channel *channel) {
    return PCCSR + 8 * channel->number;
}

static unsigned runlist_of(const struct pfifo_channel *channel) {
    return ((const struct gpfifo_channel *)channel)->runlist;
}

static void stop(struct pfifo_channel *channel) {
    struct pfifo_device *device = channel->device;
    device_mask(device, table_of(channel) + 4, 0, CHANNEL_CLEAR);
    device_wr32(device, PFIFO_PREEMPT, channel->number);
    device_poll(device, PFIFO_PREEMPT, PENDING, 0);
}

/* ---- recovery ---- */

/* Does the engine work for the channel, and does it not know of a fault? */
static bool holds(struct pfifo_device *device, const struct gpfifo_engine *engine,
                  const struct pfifo_channel *channel) {
    uint32_t status = device_rd32(device, PFIFO_ENGINE_STATUS + 8 * engine->id);
    return (status & STATUS_VALID) && !(status & (STATUS_IS_TSG | STATUS_FAULTED)) &&
           (status & STATUS_ID) == channel->number;
}

/* Make it fault, and acknowledge that. */
static void inject_fault(struct pfifo_device *device, const struct gpfifo_engine *engine) {
    if (engine->fault_unit == GPFIFO_NO_FAULT_UNIT)
        return;
    device_wr32(device, PFIFO_FAULT_INJECT + 4 * engine->id, INJECT | engine->fault_unit);
    device_poll(device, PFIFO_ENGINE_STATUS + 8 * engine->id, STATUS_FAULTED, STATUS_FAULTED);
    device_wr32(device, PFIFO_FAULT_INJECT + 4 * engine->id, 0);
    device_wr32(device, PFIFO_FAULT_SOURCE, 1u << engine->fault_unit);
    device_wr32(device, PFIFO_INTR, INTR_FAULT);
}

/* No channel comes or goes until recover() is through. */
static void block(struct pfifo_device *device, unsigned runlist) {
    struct gpfifo_device *own = gpfifo_of(device);
    if (own->broken.runlists >> runlist & 1)
        return;
    own->broken.runlists |= 1u << runlist;
    device_mask(device, PFIFO_SCHED_DISABLE, 0, 1u << runlist);
}

/* Engines that work for a channel: a bit for each id. */
static uint32_t engines_of(struct pfifo_device *device, const struct pfifo_channel *channel) {
    const struct gpfifo_device *own = gpfifo_of(device);
    uint32_t ids = 0;
    for (unsigned i = 0; i < own->engine_count; i++)
        if (own->engines[i].runlist == runlist_of(channel) && holds(device, &own->engines[i], channel))
            ids |= 1u << own->engines[i].id;
    return ids;
}

/* Writing CHANNEL may clear what it shows of faults: engines are looked at before. */
static void kill_channel(struct pfifo_device *device, struct pfifo_channel *channel) {
    struct gpfifo_device *own = gpfifo_of(device);
    uint32_t held = engines_of(device, channel);
    device_mask(device, table_of(channel) + 4, 0, CHANNEL_CLEAR);
    channel->dead = true;
    block(device, runlist_of(channel));
    for (unsigned i = 0; i < own->engine_count; i++)
        if (held >> own->engines[i].id & 1)
            inject_fault(device, &own->engines[i]);
    own->broken.engines |= held;
}

static void condemn(struct pfifo_device *device, struct pfifo_channel *channel, unsigned unit) {
    struct gpfifo_device *own = gpfifo_of(device);
    if (channel && !channel->dead)
        kill_channel(device, channel);
    for (unsigned i = 0; i < own->engine_count; i++) {
        if (own->engines[i].fault_unit != unit)
            continue;
        block(device, own->engines[i].runlist);
        own->broken.engines |= 1u << own->engines[i].id;
    }
}

static void recover(struct pfifo_device *device) {
    struct gpfifo_device *own = gpfifo_of(device);
    uint32_t mask = own->broken.runlists, engines = own->broken.engines;
    own->broken.runlists = own->broken.engines = 0;
    device_mask(device, PFIFO_SCHED_DISABLE, mask, mask);
    gpfifo_reset_engines(device, engines);
    for (unsigned runlist = 0; runlist < GPFIFO_RUNLISTS; runlist++)
        if (mask >> runlist & 1)
            gpfifo_update_runlist(device, runlist, NULL);
    device_wr32(device, PFIFO_ENGINE_FAULT, mask);
    device_mask(device, PFIFO_SCHED_DISABLE, mask, 0);
}

static const struct gpfifo_family family = {
    .ramfc = ramfc,
    .ramfc_words = sizeof ramfc / sizeof ramfc[0],
    .channel_in_ramfc = true,
    .entry_word = entry_word,
    .commit = commit,
    .stop = stop,
    .condemn = condemn,
    .recover = recover,
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

static bool is_a(const struct gpfifo_engine *it, enum pfifo_channel_engine engine) {
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (types[i].type == it->type && types[i].engine == engine)
            return true;
    return false;
}

/* The first of its kind that does not share its runlist with PGRAPH, else the first. NULL: there is none. */
static const struct gpfifo_engine *find_engine(const struct gpfifo_device *own, enum pfifo_channel_engine engine) {
    const struct gpfifo_engine *found = NULL, *graphics = NULL;
    for (unsigned i = 0; i < own->engine_count; i++)
        if (is_a(&own->engines[i], PFIFO_ENGINE_GRAPHICS))
            graphics = &own->engines[i];
    for (unsigned i = 0; i < own->engine_count; i++)
        if (is_a(&own->engines[i], engine) &&
            (!found || (graphics && found->runlist == graphics->runlist && own->engines[i].runlist != found->runlist)))
            found = &own->engines[i];
    return found;
}

static bool gk104_has_engine(const struct pfifo_device *device, enum pfifo_channel_engine engine) {
    return find_engine((const struct gpfifo_device *)device, engine) != NULL;
}

/* ---- channels ---- */

static enum pfifo_status gk104_channel_open(struct pfifo_channel *channel, struct pfifo_error *error) {
    struct pfifo_device *device = channel->device;
    const struct gpfifo_engine *engine = find_engine(gpfifo_of(device), channel->config.engine);
    unsigned runlist = engine ? engine->runlist : 0;
    gpfifo_channel_of(channel)->runlist = runlist;
    enum pfifo_status status = gpfifo_channel_memory(channel, error);
    if (status != PFIFO_OK)
        return status;
    device_mask(device, table_of(channel) + 4, CHANNEL_RUNLIST, runlist << 16);
    device_wr32(device, table_of(channel), INST_BIND | (uint32_t)(gpfifo_instance(channel) >> 12));
    device_mask(device, table_of(channel) + 4, 0, CHANNEL_SET);
    gpfifo_update_runlist(device, runlist, channel);
    device_mask(device, table_of(channel) + 4, 0, CHANNEL_SET);
    return PFIFO_OK;
}

static void gk104_channel_close(struct pfifo_channel *channel) {
    struct pfifo_device *device = channel->device;
    if (!channel->dead) {
        stop(channel);
        gpfifo_update_runlist(device, runlist_of(channel), NULL);
    }
    device_wr32(device, table_of(channel), 0);
    gpfifo_channel_free(channel);
}

static bool gk104_idle(struct pfifo_channel *channel) {
    return gpfifo_ring_get(channel) == channel->put &&
           !(device_rd32(channel->device, table_of(channel) + 4) & CHANNEL_BUSY);
}

/* ---- the device ---- */

/* Units that are not there do not keep their bit. */
static void count_pbdmas(struct gpfifo_device *own) {
    device_wr32(&own->base, PMC_SUBFIFO_ENABLE, ~0u);
    for (uint32_t units = device_rd32(&own->base, PMC_SUBFIFO_ENABLE); units; units &= units - 1)
        own->pbdmas++;
}

/* Engines whose runlist some PBDMA serves. */
static void find_engines(struct gpfifo_device *own) {
    uint32_t served = 0;
    unsigned listed = topology_read(&own->base, own->engines);
    for (uint32_t i = 0; i < own->pbdmas; i++)
        served |= device_rd32(&own->base, PFIFO_PBDMA_MAP + 4 * i);
    for (unsigned i = 0; i < listed; i++)
        if (served >> own->engines[i].runlist & 1)
            own->engines[own->engine_count++] = own->engines[i];
}

static void start_copy_front_ends(struct pfifo_device *device) {
    for (uint32_t i = 0; i < gpfifo_of(device)->pbdmas; i++) {
        device_wr32(device, PBDMA + PBDMA_STRIDE * i + PBDMA_INTR_1, ~0u);
        device_wr32(device, PBDMA + PBDMA_STRIDE * i + PBDMA_INTR_EN_1, ~0u);
    }
}

static void set_timeouts(struct pfifo_device *device) {
    for (uint32_t i = 0; gpfifo_of(device)->variant->sets_timeouts && i < gpfifo_of(device)->pbdmas; i++)
        device_wr32(device, PBDMA + PBDMA_STRIDE * i + PBDMA_TIMEOUT, TIMEOUT);
}

static enum pfifo_status gk104_init(struct pfifo_device *device, struct pfifo_error *error) {
    struct gpfifo_device *own = gpfifo_of(device);
    device_reset_units(device, PMC_PFIFO);
    count_pbdmas(own);
    find_engines(own);
    gpfifo_reset_engines(device, ~0u);
    enum pfifo_status status = gpfifo_init(device, &family, error);
    if (status != PFIFO_OK)
        return status;
    device_wr32(device, PMC_SUBFIFO_ENABLE, (1u << own->pbdmas) - 1);
    gpfifo_start_pbdmas(device);
    start_copy_front_ends(device);
    set_timeouts(device);
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
