/* SPDX-License-Identifier: MIT */
/*
 * PFIFO of GK104 .. GP10B: a runlist per engine, PBDMAs that serve runlists, channel table PCCSR at 0x800000.
 *
 * Runlist and subchannel decide where a method goes (unit/topology.h says which engine a runlist has). PBDMA p serves
 * the runlists r with r mod PBDMAs == p.
 *
 * UNKNOWN: which PBDMA serves which runlist; PBDMA_MAP tells drivers.
 *
 * The field of PCCSR that names a channel's runlist is written before the channel is bound, up to GK208. From GM107 on
 * drivers that work on cards leave it 0 for channels of all runlists (nouveau since Linux 6.2), and give each entry of
 * a runlist the channel's instance. So there it need not fit the list.
 *
 * UNKNOWN: what GK104 to GK208 do when the field and the list differ. Chosen: SCHED_ERROR ENGINE_MISMATCH.
 *
 * Sources: envytools rnndb/fifo/gf100_pfifo.xml; nouveau nvkm/engine/fifo/gk104.c, gk110.c, gm107.c; NVIDIA
 * open-gpu-doc manuals/volta/gv100/dev_fifo.ref.txt.
 */
#include "fifo/runlist/gk104.h"

#include "bus/pmc.h"
#include "fifo/pbdma/host.h"
#include "fifo/pbdma/puller.h"
#include "fifo/pbdma/pusher.h"
#include "fifo/runlist/channel.h"
#include "state/state.h"

#define SUBCHANNEL_COPY     4
#define SUBCHANNEL_SOFTWARE 5

/* Runlist and subchannel decide; SET_OBJECT does not. */
static void gk104_route(struct pbdma *pbdma) {
    const struct gk104_fifo *f = gk104_of_pbdma(pbdma);
    uint32_t engine = f->topology.list_engine[schedule_unit_of(pbdma)->list];
    bool graphics = f->p.base.chip->engines[engine] == CHIP_UNIT_PGRAPH;
    for (unsigned s = 0; s < 8; s++)
        pbdma->route[s] = (uint8_t)(s >= SUBCHANNEL_SOFTWARE           ? ROUTE_SOFTWARE
                                    : graphics && s == SUBCHANNEL_COPY ? f->topology.shared_copy
                                                                       : engine);
}

/* The operand of SET_OBJECT is only a class. */
static bool gk104_set_engine(struct pbdma *pbdma, unsigned subchannel, uint32_t data) {
    (void)pbdma, (void)subchannel, (void)data;
    return true;
}

static bool gk104_may_serve(const struct pbdma *pbdma, unsigned engine) {
    (void)pbdma, (void)engine;
    return true;
}

bool gk104_serves(const struct pbdma *pbdma, unsigned list) {
    return list % pbdma->shared->count == pbdma->index;
}

static bool gk104_disabled(const struct pbdma_fifo *fifo, unsigned list, const struct pbdma_channel *channel) {
    (void)channel;
    return fifo->sched_disable >> list & 1;
}

static bool gk104_frozen(const struct pbdma *pbdma) {
    const struct bus *bus = pbdma->fifo->bus;
    return !bus_enabled(bus, PMC_INTR_PFIFO) || !(bus->pmc->enable_pbdmas >> pbdma->index & 1);
}

static void gk104_notify(struct pbdma_fifo *fifo, unsigned engine) {
    (void)engine;
    pbdma_fifo_raise(fifo, PFIFO_INTR_NONSTALL, "CHANNEL");
}

static uint32_t gk104_intr_level(const struct pbdma_fifo *fifo) {
    (void)fifo;
    return 0;
}

/* ENG_FAULT has a bit per runlist. */
static uint32_t gk104_fault_bit(const struct pbdma_fifo *fifo, unsigned engine) {
    return 1u << gk104_of(fifo)->topology.engine_list[engine];
}

static void gk104_bind(struct pbdma_fifo *fifo, const struct pbdma_channel *channel, uint32_t value) {
    (void)value;
    if (gk104_channel_runlist(channel) >= fifo->lists)
        channel_bind_error(fifo, BIND_INVALID_RUNLIST);
}

static uint32_t gk104_listing_error(const struct pbdma_fifo *fifo, unsigned list, const struct pbdma_channel *channel) {
    bool named = fifo->base.chip->has_pccsr_runlist;
    return channel->bound && named && gk104_channel_runlist(channel) != list ? SCHED_ENGINE_MISMATCH : 0;
}

static const struct pusher_variant gk104_pusher = {0};
static const struct puller_variant gk104_puller = {.route = gk104_route,
                                                   .set_engine = gk104_set_engine,
                                                   .refuse = pbdma_refuse_copy_class,
                                                   .may_serve = gk104_may_serve};
static const struct runlist_variant gk104_runlist = {
    .serves = gk104_serves, .disabled = gk104_disabled, .listing_error = gk104_listing_error, .bind = gk104_bind};
static const struct interrupt_variant gk104_interrupts = {
    .notify = gk104_notify, .level = gk104_intr_level, .fault_bit = gk104_fault_bit};
static const struct pbdma_fifo_variant gk104_variant = {
    .pbdma = {.name = "PBDMA",
              .ramfc_words = PBDMA_WORDS + PBDMA_HCE_WORDS,
              .pusher = &gk104_pusher,
              .puller = &gk104_puller},
    .runlist = &gk104_runlist,
    .interrupts = &gk104_interrupts,
    .frozen = gk104_frozen,
    .channel_table = &gk104_channel_table,
};

static enum pfifo_status gk104_attach(struct fifo *fifo, struct pfifo_error *error) {
    struct gk104_fifo *f = (struct gk104_fifo *)fifo;
    enum pfifo_status status =
        pbdma_fifo_attach(&f->p, &gk104_variant, fifo->chip->runlists, gk104_rows, gk104_row_count, error);
    return status == PFIFO_OK ? topology_attach(&f->topology, fifo->bus, f->p.lists, error) : status;
}

/* What is not here follows from the chip. */
static void gk104_state(struct fifo *fifo, struct state_io *io) {
    struct gk104_fifo *f = (struct gk104_fifo *)fifo;
    pbdma_fifo_state(&f->p, io);
    if (state_begin(io, "GK10", 1)) {
        state_u32(io, &f->runlist);
        state_u32(io, &f->preempt);
    }
    state_end(io);
}

const struct fifo_ops fifo_gk104 = {
    .name = "gk104",
    .bytes = sizeof(struct gk104_fifo),
    .attach = gk104_attach,
    .state = gk104_state,
    PBDMA_FIFO_OPS,
};
