/* SPDX-License-Identifier: MIT */
/*
 * PFIFO of NV1, NV3 and NV3T: the wiring. See nv1_regs.c, nv1_places.c, nv1_puller.c and nv3_dma.c.
 *
 * No scheduler: another channel gets in when a program writes to its USER area, or when the driver puts it there.
 *
 * Sources: envytools docs/hw/fifo/nv1-pfifo.rst, rnndb/fifo/nv1_pfifo.xml, hwtest/pfifo.cc.
 */
#include "fifo/cache/nv1.h"
#include "hw/user.h"

static const struct window user = {.name = "USER",
                                   .base = NV_USER_PIO,
                                   .bytes = 0x800000,
                                   .read_lanes = pio_read,
                                   .write_lanes = pio_write,
                                   .read_acts = true};

static void open_channel(struct cache_fifo *c) {
    c->context = (struct pfifo_channel_context){.fifo = &c->base, .id = puller_channel(c)};
}

static bool no_work(const struct cache_fifo *c) {
    (void)c;
    return false;
}

static bool nothing_to_fetch(struct cache_fifo *c) {
    (void)c;
    return false;
}

static uint32_t no_other_channel(struct cache_fifo *c) {
    (void)c;
    return UINT32_MAX;
}

#define NV1_FAMILY                                                                                                     \
    .execute = nv1_execute, .execute_cache0 = nv1_execute_cache0, .switch_channel = nv1_switch_channel,                \
    .ramro = nv1_ramro, .open_channel = open_channel, .next_channel = no_other_channel

static const struct cache_family nv1_family = {
    .name = "NV1", NV1_FAMILY, .has_work = no_work, .can_fetch = nothing_to_fetch};

static const struct cache_family nv3_family = {
    .name = "NV3",
    NV1_FAMILY,
    .has_work = nv3_dma_has_work,
    .can_fetch = nv3_dma_can_fetch,
    .fetch = nv3_dma_fetch,
};

static enum pfifo_status nv1_attach(struct fifo *fifo, struct pfifo_error *error) {
    static const struct window *const windows[] = {&user, NULL};
    const struct cache_family *family = fifo->chip->has_kernel_dma ? &nv3_family : &nv1_family;
    return cache_attach_rows((struct cache_fifo *)fifo, family, nv1_rows, nv1_row_count, windows, error);
}

/* Switched off in PMC, PFIFO keeps its registers but for these. */
static void nv1_reset(struct fifo *fifo) {
    struct cache_fifo *c = (struct cache_fifo *)fifo;
    c->r.delay = c->r.intr_en = c->r.caches = 0;
    c->r.push0 = c->r.cache0.push0 = 0;
    c->r.pull0 &= ~PULL_ACCESS;
    c->r.cache0.pull0 &= ~PULL_ACCESS;
    if (fifo->chip->has_kernel_dma) {
        c->r.kernel_dma = c->r.ramht = 0;
        c->r.pull1 = c->r.last_subchannel = 0; /* UNKNOWN: whether what does not show of PULL1 is forced, too */
        c->r.ramfc = 0x1c00;
        c->r.ramro = 0x1e00;
    }
    cache_update_interrupt(c);
}

static struct address_space nv1_channel_space(const struct pfifo_channel_context *channel, uint32_t object) {
    struct dma_object dma;
    if (object == 0)
        return address_space_fault(FAULT_NULL_OBJECT);
    dma_object_nv3(channel->fifo->memory, object << 4, &dma);
    return dma.space;
}

const struct fifo_ops fifo_nv1 = {
    .name = "NV1",
    .bytes = sizeof(struct cache_fifo),
    .attach = nv1_attach,
    .run = cache_run,
    .state = cache_state,
    .reset = nv1_reset,
    .free = cache_free,
    .channel_space = nv1_channel_space,
    .engine_fault = cache_engine_fault,
    .engine_error = cache_engine_error,
    .engine_interrupt = cache_engine_interrupt,
    .engine_worked = cache_engine_worked,
};
