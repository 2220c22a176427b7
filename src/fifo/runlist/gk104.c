/* SPDX-License-Identifier: MIT */
/*
 * PFIFO of GK104 .. GP10B: a runlist per engine, PBDMAs that serve runlists, channel table PCCSR at 0x800000.
 *
 * Runlist and subchannel decide where a method goes (gk104_topology.c says which engine a runlist has). PBDMA p serves
 * the runlists r with r mod PBDMAs == p.
 *
 * UNKNOWN: which PBDMA serves which runlist; PBDMA_MAP tells drivers.
 *
 * Sources: envytools rnndb/fifo/gf100_pfifo.xml; nouveau nvkm/engine/fifo/gk104.c, gk110.c, gm107.c; NVIDIA
 * open-gpu-doc manuals/volta/gv100/dev_fifo.ref.txt.
 */
#include "fifo/runlist/gk104.h"
#include "state/state.h"

#define SUBCHANNEL_COPY     4
#define SUBCHANNEL_SOFTWARE 5

/* Runlist and subchannel decide; SET_OBJECT does not. */
static void gk104_route(struct pbdma *pbdma) {
    const struct gk104_fifo *f = gk104_of(pbdma->fifo);
    uint32_t engine = f->topology.list_engine[pbdma->list];
    bool graphics = f->p.base.chip->engines[engine] == CHIP_UNIT_PGRAPH;
    for (unsigned s = 0; s < 8; s++)
        pbdma->route[s] = (uint8_t)(s >= SUBCHANNEL_SOFTWARE           ? ROUTE_SOFTWARE
                                    : graphics && s == SUBCHANNEL_COPY ? f->topology.shared_copy
                                                                       : engine);
}

static bool gk104_may_serve(const struct pbdma *pbdma, unsigned engine) {
    (void)pbdma, (void)engine;
    return true;
}

bool gk104_serves(const struct pbdma *pbdma, unsigned list) {
    return list % pbdma->fifo->pbdmas == pbdma->index;
}

static bool gk104_list_disabled(const struct pbdma_fifo *fifo, unsigned list, const struct pbdma_channel *channel) {
    (void)channel;
    return fifo->sched_disable >> list & 1;
}

static bool gk104_frozen(const struct pbdma *pbdma) {
    const struct bus *bus = pbdma->fifo->base.bus;
    return !(bus->pmc.enable & PMC_INTR_PFIFO) || !(bus->pmc.enable_pbdmas >> pbdma->index & 1);
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
        pbdma_bind_error(fifo, BIND_INVALID_RUNLIST);
}

/* PCCSR has the runlist of a channel, too. */
static uint32_t gk104_listing_error(const struct pbdma_fifo *fifo, unsigned list, const struct pbdma_channel *channel) {
    (void)fifo;
    return channel->bound && gk104_channel_runlist(channel) != list ? SCHED_ENGINE_MISMATCH : 0;
}

static const struct pbdma_family gk104_family = {
    .route = gk104_route,
    .may_serve = gk104_may_serve,
    .serves = gk104_serves,
    .list_disabled = gk104_list_disabled,
    .frozen = gk104_frozen,
    .notify = gk104_notify,
    .intr_level = gk104_intr_level,
    .fault_bit = gk104_fault_bit,
    .bind = gk104_bind,
    .listing_error = gk104_listing_error,
    .channel_loaded = 1u << 13,
};

/* Sized by the profile: PBDMA count, runlists, engines. */
static enum pfifo_status gk104_attach(struct fifo *fifo, struct pfifo_error *error) {
    struct gk104_fifo *f = (struct gk104_fifo *)fifo;
    enum pfifo_status status = pbdma_attach(&f->p, &gk104_family, fifo->chip->runlists, error);
    if (status == PFIFO_OK)
        status = pbdma_attach_registers(&f->p, gk104_rows, gk104_row_count, error);
    if (status == PFIFO_OK)
        status = topology_attach(&f->topology, fifo->bus, f->p.lists, error);
    f->channel_table = gk104_channel_table;
    f->channel_table.bytes = f->p.channel_count * gk104_channel_table.stride;
    return status == PFIFO_OK ? bus_attach_window(fifo->bus, &f->channel_table, f, error) : status;
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
    .host = &pbdma_host,
    .bytes = sizeof(struct gk104_fifo),
    .attach = gk104_attach,
    .run = pbdma_run,
    .has_work = pbdma_can_work,
    .reset = pbdma_reset,
    .free = pbdma_free,
    .state = gk104_state,
    .until_timeout = pbdma_until_timeout,
    .channel_space = channel_space,
    .engine_fault = pbdma_engine_fault,
    .engine_error = pbdma_engine_error,
    .engine_interrupt = pbdma_engine_interrupt,
    .engine_worked = pbdma_engine_worked,
    .syncpoint = pbdma_syncpoint,
    .current_unit = pbdma_current_unit,
};
