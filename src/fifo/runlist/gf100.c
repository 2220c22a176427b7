/* SPDX-License-Identifier: MIT */
/*
 * PFIFO of GF100 .. GF117: one playlist for up to three PSUBFIFOs, engines by SET_OBJECT.
 *
 * A channel runs on any PSUBFIFO that ENG_SUBFIFO_MASK allows to the engine it used last; when it turns to an engine
 * of another PSUBFIFO it leaves with the method in METHOD0 and goes on there.
 *
 * Sources: envytools rnndb/fifo/gf100_pfifo.xml; nouveau nvkm/engine/fifo/gf100.c, gpfifogf100.c.
 */
#include "fifo/runlist/gf100.h"
#include "state/state.h"

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
    return engine >= GF100_MASKS || !(gf100_of(pbdma->fifo)->engine_mask[engine] >> pbdma->index & 1);
}

static bool gf100_serves(const struct pbdma *pbdma, unsigned list) {
    (void)pbdma;
    return list == 0;
}

/* SCHED_DISABLE has a bit per engine. */
static bool gf100_list_disabled(const struct pbdma_fifo *fifo, unsigned list, const struct pbdma_channel *channel) {
    (void)list;
    if (!fifo->sched_disable)
        return false;
    uint32_t engine = memory_physical_rd32(fifo->base.memory, channel->context.instance_target,
                                           channel->context.instance + R_TARGET * 4) &
                      0x1f;
    return has_engine(fifo, engine) && (fifo->sched_disable >> engine & 1);
}

static bool gf100_frozen(const struct pbdma *pbdma) {
    const struct gf100_fifo *f = gf100_of(pbdma->fifo);
    const struct bus *bus = f->p.base.bus;
    return !(bus->pmc.enable & PMC_INTR_PFIFO) || !(bus->pmc.enable_pbdmas & f->subfifo_enable & 1u << pbdma->index) ||
           !(f->p.misc[MISC_CONFIG] & PFIFO_CONFIG_ENABLE) || ((f->freeze[0] | f->freeze[1]) & 1);
}

/* UNKNOWN: where a notify of no engine shows. Chosen: with engine 0. */
static void gf100_notify(struct pbdma_fifo *fifo, unsigned engine) {
    gf100_of(fifo)->engine_intr[engine < CHIP_MAX_ENGINES ? engine : 0] |= 1;
    pbdma_fifo_raise(fifo, 0, "ENGINE");
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

static uint32_t gf100_fault_bit(const struct pbdma_fifo *fifo, unsigned engine) {
    (void)fifo;
    return 1u << engine;
}

/* Polling needs a place in BAR1 where the channel is written to. */
static void gf100_bind(struct pbdma_fifo *fifo, const struct pbdma_channel *channel, uint32_t value) {
    (void)channel;
    if ((value & GF100_CHANNEL_POLL) && !(fifo->bar1_base & PFIFO_BAR1_ENABLE))
        pbdma_bind_error(fifo, BIND_SNOOP_WITHOUT_BAR1);
}

static uint32_t gf100_listing_error(const struct pbdma_fifo *fifo, unsigned list, const struct pbdma_channel *channel) {
    (void)fifo, (void)list;
    return channel->bound ? 0 : SCHED_INACTIVE_CHANNEL;
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
    .fault_bit = gf100_fault_bit,
    .bind = gf100_bind,
    .channel_loaded = 1u << 8,
    .listing_error = gf100_listing_error,
};

static enum pfifo_status gf100_attach(struct fifo *fifo, struct pfifo_error *error) {
    struct gf100_fifo *f = (struct gf100_fifo *)fifo;
    enum pfifo_status status = pbdma_attach(&f->p, &gf100_family, 1, error);
    if (status == PFIFO_OK)
        status = pbdma_attach_registers(&f->p, gf100_rows, gf100_row_count, error);
    return status == PFIFO_OK ? bus_attach_window(fifo->bus, &gf100_channel_table, f, error) : status;
}

static void gf100_state(struct fifo *fifo, struct state_io *io) {
    struct gf100_fifo *f = (struct gf100_fifo *)fifo;
    pbdma_state(&f->p, io);
    if (state_begin(io, "GF10", 1)) {
        state_u32(io, &f->subfifo_enable);
        state_words(io, f->engine_mask, GF100_MASKS, "ENG_SUBFIFO_MASK");
        state_u32(io, &f->playlist);
        state_words(io, f->freeze, 2, "FREEZE");
        state_u32(io, &f->kick);
        state_words(io, f->engine_intr, 16, "ENGINE_INTR");
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
    .host = &pbdma_host,
    .bytes = sizeof(struct gf100_fifo),
    .attach = gf100_attach,
    .run = pbdma_run,
    .has_work = pbdma_can_work,
    .reset = pbdma_reset,
    .free = pbdma_free,
    .state = gf100_state,
    .until_timeout = pbdma_until_timeout,
    .channel_space = channel_space,
    .engine_fault = pbdma_engine_fault,
    .engine_error = pbdma_engine_error,
    .engine_interrupt = pbdma_engine_interrupt,
    .engine_worked = pbdma_engine_worked,
    .syncpoint = pbdma_syncpoint,
    .current_unit = pbdma_current_unit,
};
