/* SPDX-License-Identifier: MIT */
/*
 * PFIFO of GF100 .. GF117: one playlist for up to three PSUBFIFOs, engines by SET_OBJECT.
 *
 * A channel runs on any PSUBFIFO that ENG_SUBFIFO_MASK allows to the engine it used last; when it uses an engine of
 * another PSUBFIFO, it leaves with the method in METHOD0 and continues there.
 *
 * MMU faults of the three PSUBFIFOs are those of units 7, 8 and 9, as envytools has it (PSUBFIFO0 to 2). nouveau's table
 * names unit 7 only, as "PFIFO", so its log has no name for 8 and 9; its tables for GK104 and later count on from 7, too.
 *
 * Sources: envytools rnndb/fifo/gf100_pfifo.xml, rnndb/memory/gf100_vm.xml (GF100_VM_ENGINE); nouveau
 * nvkm/engine/fifo/gf100.c, gpfifogf100.c.
 */
#include "fifo/runlist/gf100.h"

#include "bus/pmc.h"
#include "fifo/pbdma/host.h"
#include "fifo/pbdma/puller.h"
#include "fifo/pbdma/pusher.h"
#include "fifo/runlist/channel.h"
#include "state/state.h"

static bool gf100_has_engine(const struct fifo *fifo, unsigned engine) {
    return engine < CHIP_MAX_ENGINES && fifo->chip->engines[engine] != CHIP_UNIT_NONE;
}

/* One byte per subchannel in ENGINE. */
static void gf100_route(struct pbdma *pbdma) {
    for (unsigned s = 0; s < 8; s++) {
        unsigned engine = pbdma->regs[R_ENGINES + s / 4] >> s % 4 * 8 & 0x1f;
        pbdma->route[s] = (uint8_t)(gf100_has_engine(pbdma->fifo, engine) ? engine : ROUTE_SOFTWARE);
    }
}

static bool gf100_set_engine(struct pbdma *pbdma, unsigned subchannel, uint32_t data) {
    unsigned engine = data >> 16 & 0x1f, shift = subchannel % 4 * 8;
    uint32_t *word = &pbdma->regs[R_ENGINES + subchannel / 4];
    if (engine != ROUTE_SOFTWARE && !gf100_has_engine(pbdma->fifo, engine))
        return false;
    *word = (*word & ~(0xffu << shift)) | engine << shift;
    pbdma->route[subchannel] = (uint8_t)engine;
    return true;
}

static bool gf100_may_serve(const struct pbdma *pbdma, unsigned engine) {
    return engine >= GF100_MASKS || !(gf100_of_pbdma(pbdma)->engine_mask[engine] >> pbdma->index & 1);
}

static bool gf100_serves(const struct pbdma *pbdma, unsigned list) {
    (void)pbdma;
    return list == 0;
}

/* Bits of SCHED_DISABLE, one per engine number, whether the chip has the engine or not. */
#define DISABLE_BITS 8

static bool gf100_disabled(const struct pbdma_fifo *fifo, unsigned list, const struct pbdma_channel *channel) {
    (void)list;
    if (!fifo->sched_disable)
        return false;
    uint32_t engine = memory_physical_rd32(fifo->base.memory, channel->context.instance_target,
                                           channel->context.instance + R_TARGET * 4) &
                      0x1f;
    return engine < DISABLE_BITS && (fifo->sched_disable >> engine & 1);
}

static bool gf100_frozen(const struct pbdma *pbdma) {
    const struct gf100_fifo *f = gf100_of_pbdma(pbdma);
    const struct bus *bus = f->p.base.bus;
    return !bus_enabled(bus, PMC_INTR_PFIFO) || !(bus->pmc->enable_pbdmas & f->subfifo_enable & 1u << pbdma->index) ||
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

/* Polling needs a part of BAR1 to which the channel is written. */
static void gf100_bind(struct pbdma_fifo *fifo, const struct pbdma_channel *channel, uint32_t value) {
    (void)channel;
    if ((value & GF100_CHANNEL_POLL) && !(fifo->bar1_base & PFIFO_BAR1_ENABLE))
        channel_bind_error(fifo, BIND_SNOOP_WITHOUT_BAR1);
}

static uint32_t gf100_listing_error(const struct pbdma_fifo *fifo, unsigned list, const struct pbdma_channel *channel) {
    (void)fifo, (void)list;
    return channel->bound ? 0 : SCHED_INACTIVE_CHANNEL;
}

static const struct pusher_variant gf100_pusher = {.no_switch = true};
static const struct puller_variant gf100_puller = {.route = gf100_route,
                                                   .set_engine = gf100_set_engine,
                                                   .refuse = pbdma_refuse_for_software,
                                                   .may_serve = gf100_may_serve};
static const struct runlist_variant gf100_runlist = {
    .serves = gf100_serves, .disabled = gf100_disabled, .listing_error = gf100_listing_error, .bind = gf100_bind};
static const struct interrupt_variant gf100_interrupts = {
    .notify = gf100_notify, .level = gf100_intr_level, .fault_bit = gf100_fault_bit};
static const struct pbdma_fifo_variant gf100_variant = {
    .pbdma = {.name = "PSUBFIFO", .ramfc_words = PBDMA_WORDS, .pusher = &gf100_pusher, .puller = &gf100_puller},
    .runlist = &gf100_runlist,
    .interrupts = &gf100_interrupts,
    .frozen = gf100_frozen,
    .channel_table = &gf100_channel_table,
};

static enum pfifo_status gf100_attach(struct fifo *fifo, struct pfifo_error *error) {
    return pbdma_fifo_attach((struct pbdma_fifo *)fifo, &gf100_variant, 1, gf100_rows, gf100_row_count, error);
}

static void gf100_state(struct fifo *fifo, struct state_io *io) {
    struct gf100_fifo *f = (struct gf100_fifo *)fifo;
    pbdma_fifo_state(&f->p, io);
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

const struct fifo_ops fifo_gf100 = {
    .name = "gf100",
    .bytes = sizeof(struct gf100_fifo),
    .attach = gf100_attach,
    .state = gf100_state,
    PBDMA_FIFO_OPS,
};
