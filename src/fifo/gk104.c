/* SPDX-License-Identifier: MIT */
/*
 * PFIFO of GK104 .. GP10B: a runlist per engine, PBDMAs that serve runlists, channel table PCCSR at 0x800000.
 *
 * Runlist r belongs to the r-th engine of the chip, but the copy engine that shares PGRAPH's runlist (PCOPY2) has
 * none of its own. PBDMA p serves the runlists r with r mod PBDMAs == p.
 *
 * UNKNOWN: which PBDMA serves which runlist; PBDMA_MAP tells drivers.
 * UNKNOWN: interrupt, reset and register base numbers in the topology table; only those that nouveau's PMC uses for
 * these units are filled in, for others the valid bits are 0.
 *
 * Sources: envytools rnndb/fifo/gf100_pfifo.xml; nouveau nvkm/engine/fifo/gk104.c, gk110.c, gm107.c,
 * nvkm/subdev/top/gk104.c; NVIDIA open-gpu-doc manuals/volta/gv100/dev_fifo.ref.txt, dev_top.ref.txt.
 */
#include "fifo/pbdma.h"
#include "state/state.h"

#define TOPOLOGY_ROWS 64

struct gk104_fifo {
    struct pbdma_fifo p;
    uint32_t runlist, preempt;
    uint32_t engine_list[CHIP_MAX_ENGINES]; /* runlist of each engine */
    uint32_t list_engine[PBDMA_RUNLISTS];   /* and back */
    uint32_t shared_copy;                   /* engine behind subchannel 4 of the graphics runlist */
    uint32_t topology[TOPOLOGY_ROWS];
};

static struct gk104_fifo *gk104_of(const struct pbdma_fifo *fifo) {
    return (struct gk104_fifo *)(uintptr_t)fifo;
}

#define SUBCHANNEL_COPY     4
#define SUBCHANNEL_SOFTWARE 5

/* Runlist and subchannel decide; SET_OBJECT does not. */
static void gk104_route(struct pbdma *pbdma) {
    const struct gk104_fifo *f = gk104_of(pbdma->fifo);
    uint32_t engine = f->list_engine[pbdma->list];
    bool graphics = f->p.base.chip->engines[engine] == CHIP_UNIT_PGRAPH;
    for (unsigned s = 0; s < 8; s++)
        pbdma->route[s] = (uint8_t)(s >= SUBCHANNEL_SOFTWARE           ? ROUTE_SOFTWARE
                                    : graphics && s == SUBCHANNEL_COPY ? f->shared_copy
                                                                       : engine);
}

static bool gk104_may_serve(const struct pbdma *pbdma, unsigned engine) {
    (void)pbdma, (void)engine;
    return true;
}

static bool gk104_serves(const struct pbdma *pbdma, unsigned list) {
    return list % pbdma->fifo->pbdmas == pbdma->index;
}

static bool gk104_list_disabled(const struct pbdma_fifo *fifo, unsigned list, const struct pbdma_channel *channel) {
    (void)channel;
    return fifo->sched_disable >> list & 1;
}

#define PMC_ENABLE_PFIFO (1u << 8)

static bool gk104_frozen(const struct pbdma *pbdma) {
    const struct bus *bus = pbdma->fifo->base.bus;
    return !(bus->enable & PMC_ENABLE_PFIFO) || !(bus->enable_1 >> pbdma->index & 1);
}

static void gk104_notify(struct pbdma_fifo *fifo, unsigned engine) {
    (void)engine;
    pbdma_fifo_raise(fifo, PFIFO_INTR_NONSTALL, "CHANNEL");
}

static uint32_t gk104_intr_level(const struct pbdma_fifo *fifo) {
    (void)fifo;
    return 0;
}

static const struct pbdma_family gk104_family = {
    .route = gk104_route,
    .may_serve = gk104_may_serve,
    .serves = gk104_serves,
    .list_disabled = gk104_list_disabled,
    .frozen = gk104_frozen,
    .notify = gk104_notify,
    .intr_level = gk104_intr_level,
    .channel_loaded = 1u << 13,
};

/* Registers. */

/* [15:0] length, [23:20] runlist. */
static void runlist_write(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    struct gk104_fifo *f = unit;
    unsigned number = value >> 20 & 0xf;
    (void)reg, (void)index;
    if (number >= f->p.lists) {
        event_send(f->p.base.events, EVENT_FIFO_UNKNOWN, PBDMA_NONE, "no such runlist", 0, number);
        return;
    }
    f->p.list[number].submit = value;
    pbdma_submit(&f->p, number, f->p.runlist_base, value & 0xffff);
    f->p.runlist_event |= 1u << number;
    pbdma_fifo_raise(&f->p, 0, "RUNLIST");
}

/* Base and length of each runlist; never pending. */
static uint32_t engine_runlist_read(void *unit, const struct reg *reg, uint32_t index) {
    const struct gk104_fifo *f = unit;
    const struct runlist *list = &f->p.list[index / 2 % PBDMA_RUNLISTS];
    (void)reg;
    return index & 1 ? list->submit & 0xffff : list->base;
}

static uint32_t pbdma_map_read(void *unit, const struct reg *reg, uint32_t index) {
    const struct gk104_fifo *f = unit;
    uint32_t map = 0;
    (void)reg;
    for (unsigned r = 0; index < f->p.pbdmas && r < f->p.lists; r++)
        map |= gk104_serves(&f->p.pbdma[index], r) ? 1u << r : 0;
    return map;
}

#define PREEMPT_PENDING (1u << 20)
#define PREEMPT_TSG     (1u << 24)

/* A TSG leaves with whichever of its channels is loaded. */
static void preempt_write(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    struct gk104_fifo *f = unit;
    (void)reg, (void)index;
    if (!(value & PREEMPT_TSG)) {
        pbdma_preempt(&f->p, value & 0xfff);
        return;
    }
    for (unsigned i = 0; i < f->p.pbdmas; i++)
        if (f->p.pbdma[i].channel && f->p.pbdma[i].channel->tsg == (value & 0xfff))
            pbdma_preempt(&f->p, f->p.pbdma[i].channel->context.id);
}

static uint32_t preempt_read(void *unit, const struct reg *reg, uint32_t index) {
    const struct gk104_fifo *f = unit;
    (void)reg, (void)index;
    return f->preempt | (pbdma_preempt_pending(&f->p) ? PREEMPT_PENDING : 0);
}

#define STATUS_ID_IS_TSG (1u << 12)

/* ENGINE_STATUS and ENGINE_DEBUG of each engine. */
static uint32_t engine_status_read(void *unit, const struct reg *reg, uint32_t index) {
    const struct gk104_fifo *f = unit;
    const struct fifo_engine *engine = &f->p.base.engines[index / 2 % CHIP_MAX_ENGINES];
    (void)reg;
    if (index & 1 || engine->channel >= f->p.channel_count)
        return 0;
    const struct pbdma_channel *channel = &f->p.channels[engine->channel];
    bool busy = engine->ops && engine->ops->busy && engine->ops->busy(engine->engine, &channel->context);
    uint32_t id = channel->tsg == PBDMA_NONE ? engine->channel : channel->tsg | STATUS_ID_IS_TSG;
    return id | 1u << 13 | (channel->faulted & ENGINE_FAULTED ? 1u << 30 : 0) | (busy ? 1u << 31 : 0);
}

static uint32_t pbdma_instance_read(void *unit, const struct reg *reg, uint32_t index) {
    const struct gk104_fifo *f = unit;
    const struct pbdma_channel *channel = index < f->p.pbdmas ? f->p.pbdma[index].channel : NULL;
    (void)reg;
    return channel ? (channel->instance & 0x3fffffff) | 1u << 31 : 0;
}

#define AT(member) .at = offsetof(struct gk104_fifo, member)
#define RW(member) AT(member), .readable = ~0u, .writable = ~0u

static const struct reg rows[] = {
    {0x2274, "RUNLIST", RW(runlist), .write = runlist_write},
    {0x2280, "ENG_RUNLIST", .at = REG_NONE, .count = 2 * PBDMA_RUNLISTS, .read = engine_runlist_read},
    {0x2390, "PBDMA_MAP", .at = REG_NONE, .count = PBDMA_MAX, .read = pbdma_map_read},
    {0x2634, "PREEMPT", AT(preempt), .readable = ~0u, .writable = 0x03000fff, .read = preempt_read,
     .write = preempt_write},
    {0x2640, "ENGINE_STATUS", .at = REG_NONE, .count = 2 * CHIP_MAX_ENGINES, .read = engine_status_read},
    {0x2790, "PBDMA_STATUS_INST", .at = REG_NONE, .count = PBDMA_MAX, .read = pbdma_instance_read},
};

static const struct reg topology_rows[] = {
    {0x22700, "TOPOLOGY", AT(topology), .readable = ~0u, .count = TOPOLOGY_ROWS},
};

static const struct face gk104_face = {"PFIFO", rows, sizeof rows / sizeof rows[0]};
static const struct face topology_face = {"PTOP", topology_rows, 1};

/* PCCSR. */

#define INST_BIND         (1u << 31)
#define CHANNEL_ENABLE    (1u << 0)
#define CHANNEL_SET       (1u << 10)
#define CHANNEL_CLEAR     (1u << 11)
#define CHANNEL_RUNLIST   0x000f0000u
#define CHANNEL_PBDMA_BAD (1u << 22)
#define CHANNEL_ENG_BAD   (1u << 23)
#define CHANNEL_STATUS    24
#define CHANNEL_BUSY      (1u << 28)
enum {
    STATUS_IDLE = 0,
    STATUS_PENDING = 1,
    STATUS_PENDING_ACQUIRE = 3,
    STATUS_ON_PBDMA = 5,
    STATUS_ON_PBDMA_AND_ENG = 6,
};

static struct pbdma_channel *table_channel(void *unit, uint32_t offset) {
    struct gk104_fifo *f = unit;
    return &f->p.channels[offset / 8 % f->p.channel_count];
}

static bool on_engine(const struct gk104_fifo *f, const struct pbdma_channel *channel) {
    for (unsigned i = 0; i < CHIP_MAX_ENGINES; i++)
        if (f->p.base.engines[i].ops && f->p.base.engines[i].channel == channel->context.id)
            return true;
    return false;
}

/* UNKNOWN: how long a channel stays ON_ENG. Chosen: not longer than on the PBDMA. */
static uint32_t channel_status(struct gk104_fifo *f, const struct pbdma_channel *channel) {
    if (channel->on)
        return on_engine(f, channel) ? STATUS_ON_PBDMA_AND_ENG : STATUS_ON_PBDMA;
    if (!pbdma_has_work(&f->p, channel))
        return STATUS_IDLE;
    return pbdma_saved_acquire(&f->p, channel) ? STATUS_PENDING_ACQUIRE : STATUS_PENDING;
}

static uint32_t table_read(void *unit, uint32_t offset) {
    struct gk104_fifo *f = unit;
    const struct pbdma_channel *channel = table_channel(unit, offset);
    if (!(offset & 4))
        return channel->instance;
    uint32_t status = channel_status(f, channel);
    return (channel->enabled ? CHANNEL_ENABLE : 0) | (channel->status & CHANNEL_RUNLIST) |
           (channel->faulted & PBDMA_FAULTED ? CHANNEL_PBDMA_BAD : 0) |
           (channel->faulted & ENGINE_FAULTED ? CHANNEL_ENG_BAD : 0) | status << CHANNEL_STATUS |
           (status != STATUS_IDLE ? CHANNEL_BUSY : 0);
}

/* UNKNOWN: how the fault bits are cleared. Chosen: by writing them as one, and by binding. */
static void table_write(void *unit, uint32_t offset, uint32_t value) {
    struct gk104_fifo *f = unit;
    struct pbdma_channel *channel = table_channel(unit, offset);
    if (!(offset & 4)) {
        pbdma_bind(&f->p, channel, value, (value & INST_BIND) != 0);
        return;
    }
    channel->status = value & CHANNEL_RUNLIST;
    if (value & CHANNEL_CLEAR)
        channel->enabled = false;
    else if (value & CHANNEL_SET)
        channel->enabled = true;
    if (value & CHANNEL_PBDMA_BAD)
        channel->faulted &= (uint8_t)~PBDMA_FAULTED;
    if (value & CHANNEL_ENG_BAD)
        channel->faulted &= (uint8_t)~ENGINE_FAULTED;
}

static const struct window channel_table = {"PCCSR", 0x800000, 0x8000, table_read, table_write};

/* Topology: a TYPE, an ENUM and a DATA word per device, chained by bit 31. */

#define TOP_DATA     1u
#define TOP_ENUM     2u
#define TOP_TYPE     3u
#define TOP_CONTINUE (1u << 31)

static const uint8_t device_types[CHIP_UNIT_COUNT] = {
    [CHIP_UNIT_PGRAPH] = 0x00, [CHIP_UNIT_PCOPY0] = 0x01, [CHIP_UNIT_PCOPY1] = 0x02, [CHIP_UNIT_PCOPY2] = 0x03,
    [CHIP_UNIT_PPDEC] = 0x08,  [CHIP_UNIT_PPPP] = 0x09,   [CHIP_UNIT_PVLD] = 0x0a,   [CHIP_UNIT_PVENC] = 0x0e,
    [CHIP_UNIT_PSEC] = 0x0d,   [CHIP_UNIT_PVDEC] = 0x10,
};

/* Bits of PMC INTR and ENABLE, and the block of registers >> 12. 0: not said. */
static const struct {
    uint8_t intr, reset;
    uint16_t base;
} device_lines[CHIP_UNIT_COUNT] = {
    [CHIP_UNIT_PGRAPH] = {12, 12, 0x400},
    [CHIP_UNIT_PCOPY0] = {5, 6, 0x104},
    [CHIP_UNIT_PCOPY1] = {6, 7, 0x105},
    [CHIP_UNIT_PCOPY2] = {7, 21, 0x106},
};

#define TYPE_MSENC 0x0bu

/* The encoder beside the decoders of Kepler is MSENC, the one beside NVDEC is NVENC. */
static uint32_t device_type(const struct chip *chip, enum chip_unit unit) {
    for (unsigned e = 0; unit == CHIP_UNIT_PVENC && e < CHIP_MAX_ENGINES; e++)
        if (chip->engines[e] == CHIP_UNIT_PPDEC)
            return TYPE_MSENC;
    return device_types[unit];
}

static void describe(uint32_t row[3], const struct chip *chip, unsigned engine, unsigned list) {
    enum chip_unit unit = chip->engines[engine];
    unsigned intr = device_lines[unit].intr, reset = device_lines[unit].reset;
    row[0] = TOP_TYPE | device_type(chip, unit) << 2 | TOP_CONTINUE;
    row[1] = TOP_ENUM | 1u << 5 | engine << 26 | 1u << 4 | list << 21 | (intr ? 1u << 3 | intr << 15 : 0) |
             (reset ? 1u << 2 | reset << 9 : 0) | TOP_CONTINUE;
    row[2] = TOP_DATA | 1u << 2 | pbdma_engine_fault_unit(unit) << 3 | (uint32_t)device_lines[unit].base << 12;
}

/* Which engine is behind which runlist, and the table that says so. */
static void make_topology(struct gk104_fifo *f) {
    const struct chip *chip = f->p.base.chip;
    unsigned list = 0, row = 0;
    f->shared_copy = 0;
    for (unsigned e = 0; e < CHIP_MAX_ENGINES; e++) {
        enum chip_unit unit = chip->engines[e];
        if (unit == CHIP_UNIT_NONE)
            continue;
        bool shared = unit == CHIP_UNIT_PCOPY2 || list >= f->p.lists;
        if (unit == CHIP_UNIT_PCOPY2)
            f->shared_copy = e;
        f->engine_list[e] = shared ? 0 : list;
        if (!shared)
            f->list_engine[list++] = e;
        describe(&f->topology[row], chip, e, f->engine_list[e]);
        row += 3;
    }
}

/* Sized by the profile: PBDMA count, runlists, engines. */
static enum pfifo_status gk104_attach(struct fifo *fifo, struct pfifo_error *error) {
    struct gk104_fifo *f = (struct gk104_fifo *)fifo;
    enum pfifo_status status = pbdma_attach(&f->p, &gk104_family, fifo->chip->runlists, error);
    if (status == PFIFO_OK)
        status = bus_attach_face(fifo->bus, &pbdma_common_face, f, error);
    if (status == PFIFO_OK)
        status = bus_attach_face(fifo->bus, &gk104_face, f, error);
    if (status == PFIFO_OK)
        status = bus_attach_face(fifo->bus, &topology_face, f, error);
    make_topology(f);
    return status == PFIFO_OK ? bus_attach_window(fifo->bus, &channel_table, f, error) : status;
}

static void gk104_reset(struct fifo *fifo) {
    bus_reset_face(&pbdma_common_face, fifo);
    bus_reset_face(&gk104_face, fifo);
    pbdma_reset(fifo);
}

/* What is not here follows from the chip. */
static void gk104_state(struct fifo *fifo, struct state_io *io) {
    struct gk104_fifo *f = (struct gk104_fifo *)fifo;
    pbdma_state(&f->p, io);
    if (state_begin(io, "GK10", 1)) {
        state_u32(io, &f->runlist);
        state_u32(io, &f->preempt);
    }
    state_end(io);
}

static struct address_space channel_space(const struct pfifo_channel_context *channel, uint32_t object) {
    (void)object;
    return channel->vm;
}

const struct fifo_ops fifo_gk104 = {
    .name = "gk104",
    .bytes = sizeof(struct gk104_fifo),
    .attach = gk104_attach,
    .run = pbdma_run,
    .reset = gk104_reset,
    .free = pbdma_free,
    .state = gk104_state,
    .channel_space = channel_space,
    .engine_fault = pbdma_engine_fault,
    .engine_interrupt = pbdma_engine_interrupt,
};
