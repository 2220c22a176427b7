/* SPDX-License-Identifier: MIT */
/*
 * PFIFO of GF100 .. GF117: one playlist for up to three PSUBFIFOs, channel table at 0x3000, engines by SET_OBJECT.
 *
 * A channel runs on any PSUBFIFO that ENG_SUBFIFO_MASK allows to the engine it used last; when it turns to an engine
 * of another PSUBFIFO it leaves with the method in METHOD0 and goes on there.
 *
 * Sources: envytools rnndb/fifo/gf100_pfifo.xml; nouveau nvkm/engine/fifo/gf100.c, gpfifogf100.c.
 */
#include "fifo/pbdma.h"
#include "state/state.h"

struct gf100_fifo {
    struct pbdma_fifo p;
    uint32_t subfifo_enable, engine_mask[CHIP_MAX_ENGINES];
    uint32_t playlist, freeze[2], kick;
    uint32_t engine_intr[CHIP_MAX_ENGINES], engine_intr_en;
};

static struct gf100_fifo *gf100_of(const struct pbdma_fifo *fifo) {
    return (struct gf100_fifo *)(uintptr_t)fifo;
}

static bool has_engine(const struct pbdma_fifo *fifo, unsigned engine) {
    return engine < CHIP_MAX_ENGINES && fifo->base.chip->engines[engine] != CHIP_UNIT_NONE;
}

/* One byte per subchannel in ENGINE. */
static void gf100_route(struct pbdma *pbdma) {
    for (unsigned s = 0; s < 8; s++) {
        unsigned engine = pbdma->regs[R_ENGINES + s / 4] >> s % 4 * 8 & 0x1f;
        pbdma->route[s] = (uint8_t)(has_engine(pbdma->fifo, engine) ? engine : ROUTE_SOFTWARE);
    }
}

static bool gf100_set_engine(struct pbdma *pbdma, unsigned subchannel, uint32_t data) {
    unsigned engine = data >> 16 & 0x1f, shift = subchannel % 4 * 8;
    uint32_t *word = &pbdma->regs[R_ENGINES + subchannel / 4];
    if (engine != ROUTE_SOFTWARE && !has_engine(pbdma->fifo, engine))
        return false;
    *word = (*word & ~(0xffu << shift)) | engine << shift;
    pbdma->route[subchannel] = (uint8_t)engine;
    return true;
}

static bool gf100_may_serve(const struct pbdma *pbdma, unsigned engine) {
    return engine >= CHIP_MAX_ENGINES || !(gf100_of(pbdma->fifo)->engine_mask[engine] >> pbdma->index & 1);
}

static bool gf100_serves(const struct pbdma *pbdma, unsigned list) {
    (void)pbdma;
    return list == 0;
}

/* SCHED_DISABLE has a bit per engine. */
static bool gf100_list_disabled(const struct pbdma_fifo *fifo, unsigned list, const struct pbdma_channel *channel) {
    (void)list;
    uint32_t engine = memory_physical_rd32(fifo->base.memory, channel->context.instance_target,
                                           channel->context.instance + R_TARGET * 4) &
                      0x1f;
    return engine < CHIP_MAX_ENGINES && (fifo->sched_disable >> engine & 1);
}

#define PMC_ENABLE_PFIFO (1u << 8)

static bool gf100_frozen(const struct pbdma *pbdma) {
    const struct gf100_fifo *f = gf100_of(pbdma->fifo);
    const struct bus *bus = f->p.base.bus;
    return !(bus->enable & PMC_ENABLE_PFIFO) || !(bus->enable_1 & f->subfifo_enable & 1u << pbdma->index) ||
           !(f->p.misc[0] & 1) || ((f->freeze[0] | f->freeze[1]) & 1);
}

/* UNKNOWN: where a notify of no engine shows. Chosen: with engine 0. */
static void gf100_notify(struct pbdma_fifo *fifo, unsigned engine) {
    gf100_of(fifo)->engine_intr[engine < CHIP_MAX_ENGINES ? engine : 0] |= 1;
    pbdma_fifo_raise(fifo, 0, "ENGINE");
}

static uint32_t engine_sources(const struct gf100_fifo *f) {
    uint32_t sources = 0;
    for (unsigned i = 0; i < CHIP_MAX_ENGINES; i++)
        sources |= f->engine_intr[i] ? 1u << i : 0;
    return sources;
}

/* A nibble per interrupt in the sources, a bit in the enable. */
static uint32_t gf100_intr_level(const struct pbdma_fifo *fifo) {
    const struct gf100_fifo *f = gf100_of(fifo);
    for (unsigned i = 0; i < CHIP_MAX_ENGINES; i++)
        for (unsigned n = 0; n < 8; n++)
            if (f->engine_intr[i] >> 4 * n & f->engine_intr_en & 0xf)
                return PFIFO_INTR_NONSTALL;
    return 0;
}

static const struct pbdma_family gf100_family = {
    .route = gf100_route,
    .set_engine = gf100_set_engine,
    .may_serve = gf100_may_serve,
    .serves = gf100_serves,
    .list_disabled = gf100_list_disabled,
    .frozen = gf100_frozen,
    .notify = gf100_notify,
    .intr_level = gf100_intr_level,
    .channel_loaded = 1u << 8,
};

/* Registers. */

static void subfifo_write(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    struct gf100_fifo *f = unit;
    (void)reg, (void)index;
    f->subfifo_enable = value & ((1u << f->p.pbdmas) - 1);
}

#define PLAYLIST_EVENT (1u << 28)

static void playlist_write(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    struct gf100_fifo *f = unit;
    (void)reg, (void)index;
    pbdma_submit(&f->p, 0, f->p.runlist_base, value & 0xfff);
    f->p.runlist_event |= PLAYLIST_EVENT;
    pbdma_fifo_raise(&f->p, 0, "RUNLIST");
}

/* Current playlist and its length; never busy. */
static uint32_t current_playlist(void *unit, const struct reg *reg, uint32_t index) {
    const struct gf100_fifo *f = unit;
    (void)reg;
    return index ? f->p.list[0].count : f->p.list[0].base;
}

static uint32_t subfifo_engine(void *unit, const struct reg *reg, uint32_t index) {
    const struct gf100_fifo *f = unit;
    (void)reg;
    const struct pbdma *pbdma = &f->p.pbdma[index % PBDMA_MAX];
    return pbdma->channel ? pbdma->regs[R_TARGET] & 0x1f : ROUTE_SOFTWARE;
}

/* FROZEN as soon as asked: nothing is under way between two runs. */
static uint32_t freeze_read(void *unit, const struct reg *reg, uint32_t index) {
    const struct gf100_fifo *f = unit;
    (void)index;
    return *reg_storage(unit, reg, 0) | ((f->freeze[0] | f->freeze[1]) & 1 ? 1u << 4 : 0);
}

#define KICK_CHANNEL 0x7fu

static void kick_write(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    struct gf100_fifo *f = unit;
    (void)reg, (void)index;
    pbdma_preempt(&f->p, value & KICK_CHANNEL);
}

/* Reads as the channel when it has left. UNKNOWN: what it reads before. Chosen: with bit 20. */
static uint32_t kick_read(void *unit, const struct reg *reg, uint32_t index) {
    const struct gf100_fifo *f = unit;
    (void)reg, (void)index;
    return f->kick | (pbdma_preempt_pending(&f->p) ? 1u << 20 : 0);
}

static uint32_t engine_source_read(void *unit, const struct reg *reg, uint32_t index) {
    (void)reg, (void)index;
    return engine_sources(unit);
}

static void engine_intr_write(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    *reg_storage(unit, reg, index) &= ~value;
    pbdma_update_line(unit);
}

static void engine_enable_write(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    (void)reg, (void)index, (void)value;
    pbdma_update_line(unit);
}

/* The channel that an engine works for, UINT32_MAX: none. */
static uint32_t engine_channel(const struct gf100_fifo *f, uint32_t index) {
    uint32_t id = index < CHIP_MAX_ENGINES ? f->p.base.engines[index].channel : PBDMA_NONE;
    return id < f->p.channel_count ? id : PBDMA_NONE;
}

static uint32_t engine_state(void *unit, const struct reg *reg, uint32_t index) {
    const struct gf100_fifo *f = unit;
    uint32_t id = engine_channel(f, index);
    (void)reg;
    if (id == PBDMA_NONE)
        return 0;
    const struct fifo_engine *engine = &f->p.base.engines[index];
    const struct pbdma_channel *channel = &f->p.channels[id];
    bool busy = engine->ops && engine->ops->busy && engine->ops->busy(engine->engine, &channel->context);
    return id | (channel->faulted ? 1u << 24 : 0) | (busy ? 1u << 31 : 0);
}

static uint32_t engine_instance(void *unit, const struct reg *reg, uint32_t index) {
    const struct gf100_fifo *f = unit;
    uint32_t id = engine_channel(f, index);
    (void)reg;
    return id == PBDMA_NONE ? 0 : f->p.channels[id].instance;
}

static uint32_t engine_channel_read(void *unit, const struct reg *reg, uint32_t index) {
    uint32_t id = engine_channel(unit, index);
    (void)reg;
    return id == PBDMA_NONE ? 0 : id | 1u << 8;
}

#define AT(member) .at = offsetof(struct gf100_fifo, member)
#define RW(member) AT(member), .readable = ~0u, .writable = ~0u

static const struct reg rows[] = {
    {0x2204, "SUBFIFO_ENABLE", AT(subfifo_enable), .readable = ~0u, .write = subfifo_write},
    {0x2208, "ENG_SUBFIFO_MASK", RW(engine_mask), .count = CHIP_MAX_ENGINES},
    {0x2274, "PLAYLIST", RW(playlist), .write = playlist_write},
    {0x2278, "CURRENT_PLAYLIST", .at = REG_NONE, .count = 2, .read = current_playlist},
    {0x2390, "SUBFIFO_ENGINE", .at = REG_NONE, .count = 3, .read = subfifo_engine},
    {0x2504, "FREEZE", AT(freeze[0]), .readable = 1, .writable = 1, .read = freeze_read},
    {0x2638, "FREEZE_1", AT(freeze[1]), .readable = 1, .writable = 1, .read = freeze_read},
    {0x25a4, "ENGINE_INTR_SOURCE", .at = REG_NONE, .read = engine_source_read},
    {0x25a8, "ENGINE_INTR", AT(engine_intr), .readable = ~0u, .count = CHIP_MAX_ENGINES, .write = engine_intr_write},
    {0x2628, "ENGINE_INTR_EN", RW(engine_intr_en), .write = engine_enable_write},
    {0x2634, "KICK", AT(kick), .readable = ~0u, .writable = KICK_CHANNEL, .read = kick_read, .write = kick_write},
    {0x2640, "ENGINE_STATE", .at = REG_NONE, .count = CHIP_MAX_ENGINES, .read = engine_state},
    {0x2680, "ENGINE_INSTANCE", .at = REG_NONE, .count = CHIP_MAX_ENGINES, .read = engine_instance},
    {0x27d0, "ENGINE_CHANNEL", .at = REG_NONE, .count = CHIP_MAX_ENGINES, .read = engine_channel_read},
};

static const struct face gf100_face = {"PFIFO", rows, sizeof rows / sizeof rows[0]};

/* The channel table: instance, status. */

#define CHANNEL_VALID   (1u << 31)
#define STATUS_RUNNABLE (1u << 0)
#define STATUS_WAITS    (1u << 4)
#define STATUS_LOADED   (1u << 12)
#define STATUS_PENDING  (1u << 28)
#define STATUS_STORED   0x001f0001u

static struct pbdma_channel *table_channel(void *unit, uint32_t offset) {
    struct gf100_fifo *f = unit;
    return &f->p.channels[offset / 8 % f->p.channel_count];
}

static uint32_t table_read(void *unit, uint32_t offset) {
    struct gf100_fifo *f = unit;
    const struct pbdma_channel *channel = table_channel(unit, offset);
    if (!(offset & 4))
        return channel->instance;
    uint32_t status = channel->status & STATUS_STORED;
    if (channel->on)
        return status | STATUS_LOADED;
    if (pbdma_has_work(&f->p, channel))
        status |= STATUS_PENDING;
    if (channel->bound && pbdma_saved_acquire(&f->p, channel))
        status |= STATUS_WAITS;
    return status;
}

static void table_write(void *unit, uint32_t offset, uint32_t value) {
    struct gf100_fifo *f = unit;
    struct pbdma_channel *channel = table_channel(unit, offset);
    if (!(offset & 4)) {
        pbdma_bind(&f->p, channel, value, (value & CHANNEL_VALID) != 0);
        return;
    }
    channel->status = value & STATUS_STORED;
    channel->enabled = (value & STATUS_RUNNABLE) != 0;
}

static const struct window channel_table = {"PFIFO.CHANNEL", 0x3000, 128 * 8, table_read, table_write};

static enum pfifo_status gf100_attach(struct fifo *fifo, struct pfifo_error *error) {
    struct gf100_fifo *f = (struct gf100_fifo *)fifo;
    enum pfifo_status status = pbdma_attach(&f->p, &gf100_family, 1, error);
    if (status == PFIFO_OK)
        status = bus_attach_face(fifo->bus, &pbdma_common_face, f, error);
    if (status == PFIFO_OK)
        status = bus_attach_face(fifo->bus, &gf100_face, f, error);
    return status == PFIFO_OK ? bus_attach_window(fifo->bus, &channel_table, f, error) : status;
}

static void gf100_reset(struct fifo *fifo) {
    bus_reset_face(&pbdma_common_face, fifo);
    bus_reset_face(&gf100_face, fifo);
    pbdma_reset(fifo);
}

static void gf100_state(struct fifo *fifo, struct state_io *io) {
    struct gf100_fifo *f = (struct gf100_fifo *)fifo;
    pbdma_state(&f->p, io);
    if (state_begin(io, "GF10", 1)) {
        state_u32(io, &f->subfifo_enable);
        state_words(io, f->engine_mask, CHIP_MAX_ENGINES, "ENG_SUBFIFO_MASK");
        state_u32(io, &f->playlist);
        state_words(io, f->freeze, 2, "FREEZE");
        state_u32(io, &f->kick);
        state_words(io, f->engine_intr, CHIP_MAX_ENGINES, "ENGINE_INTR");
        state_u32(io, &f->engine_intr_en);
    }
    state_end(io);
}

static struct address_space channel_space(const struct pfifo_channel_context *channel, uint32_t object) {
    (void)object;
    return channel->vm;
}

const struct fifo_ops fifo_gf100 = {
    .name = "gf100",
    .bytes = sizeof(struct gf100_fifo),
    .attach = gf100_attach,
    .run = pbdma_run,
    .reset = gf100_reset,
    .free = pbdma_free,
    .state = gf100_state,
    .channel_space = channel_space,
    .engine_fault = pbdma_engine_fault,
    .engine_interrupt = pbdma_engine_interrupt,
};
