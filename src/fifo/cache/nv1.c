/* SPDX-License-Identifier: MIT */
/*
 * PFIFO of NV1, NV3 and NV3T: the wiring. See nv1.h.
 *
 * No scheduler: another channel is loaded when a program writes to its USER area, or by the driver.
 *
 * Sources: envytools docs/hw/fifo/nv1-pfifo.rst, rnndb/fifo/nv1_pfifo.xml, hwtest/pfifo.cc.
 */
#include "fifo/cache/nv1.h"

#include "fifo/cache/pio.h"
#include "fifo/cache/pusher.h"
#include "fifo/cache/switcher.h"
#include "hw/user.h"

static const struct window user = {.name = "USER",
                                   .base = NV_USER_PIO,
                                   .bytes = 0x800000,
                                   .read_lanes = pio_read,
                                   .write_lanes = pio_write,
                                   .read_acts = true};

static void nv1_open_channel(struct cache_fifo *c) {
    c->context = (struct pfifo_channel_context){.fifo = &c->base, .id = puller_channel(c)};
}

/* ---- parts that NV1 does not have ---- */

static bool nv1_no_work(const struct cache_fifo *c) {
    (void)c;
    return false;
}

static bool nv1_nothing_to_fetch(struct cache_fifo *c) {
    (void)c;
    return false;
}

static void nv1_fetch_nothing(struct cache_fifo *c) {
    (void)c;
}

/* ---- parts of the puller ---- */

/* PGRAPH is the only engine, and PULL1 does not name it. */
static uint32_t nv1_last_engine(const struct cache_fifo *c) {
    (void)c;
    return 1;
}

/* PGRAPH has no register that shows it. */
static uint32_t nv1_shown_instance(const struct cache_fifo *c) {
    (void)c;
    return 0;
}

static bool nv1_free_lie(const struct cache_fifo *c) {
    return (c->r.context[c->r.pull1 & NV1_SUBCHANNEL] & NV1_FREE_LIE) != 0;
}

/* ---- wiring ---- */

static const struct pusher_ops nv1_pusher = {.has_work = nv1_no_work,
                                             .can_fetch = nv1_nothing_to_fetch,
                                             .fetch = nv1_fetch_nothing,
                                             .run = pusher_run_nothing,
                                             .stopped = pusher_stopped};
static const struct pusher_ops nv3_pusher = {.has_work = nv3_dma_has_work,
                                             .can_fetch = nv3_dma_can_fetch,
                                             .fetch = nv3_dma_fetch,
                                             .run = pusher_run_nothing,
                                             .stopped = nv3_dma_stopped};

static const struct puller_ops nv1_puller = {.execute = nv1_execute,
                                             .execute_cache0 = nv1_execute_cache0,
                                             .last_engine = nv1_last_engine,
                                             .shown_instance = nv1_shown_instance};

static const struct switcher_ops nv1_switcher = {.next_channel = switcher_no_channel,
                                                 .open_channel = nv1_open_channel,
                                                 .dma_mode = switcher_never_dma,
                                                 .begin_run = switcher_begin_nothing,
                                                 .left = switcher_forget_left};

#define NV1_PIO                                                                                                        \
    .switch_channel = nv1_switch_channel, .ramro = nv1_ramro, .promise = pio_promise_capacity,                         \
    .control_read = pio_no_control_read, .control_write = pio_no_control_write
static const struct pio_ops nv1_pio = {NV1_PIO, .free_lie = nv1_free_lie, .has_passwords = true};
static const struct pio_ops nv3_pio = {NV1_PIO, .free_lie = pio_no_free_lie, .shows_lanes = true};

static const struct cache_family nv1_family = {.name = "NV1",
                                               .pusher = &nv1_pusher,
                                               .puller = &nv1_puller,
                                               .switcher = &nv1_switcher,
                                               .pio = &nv1_pio,
                                               .nv1 = &nv1_variant};
static const struct cache_family nv3_family = {.name = "NV3",
                                               .pusher = &nv3_pusher,
                                               .puller = &nv1_puller,
                                               .switcher = &nv1_switcher,
                                               .pio = &nv3_pio,
                                               .nv1 = &nv3_variant};

static const struct window *const nv1_windows[] = {&user, &nv1_graph_ports, NULL};
static const struct window *const nv3_windows[] = {&user, NULL};

static enum pfifo_status nv1_attach(struct fifo *fifo, struct pfifo_error *error) {
    return cache_attach_rows((struct cache_fifo *)fifo, &nv1_family, nv1_rows, nv1_row_count, nv1_windows, error);
}

static enum pfifo_status nv3_attach(struct fifo *fifo, struct pfifo_error *error) {
    return cache_attach_rows((struct cache_fifo *)fifo, &nv3_family, nv1_rows, nv1_row_count, nv3_windows, error);
}

/* When PMC switches PFIFO off, it keeps all registers except these. */
static void nv1_reset(struct fifo *fifo) {
    struct cache_fifo *c = (struct cache_fifo *)fifo;
    c->r.delay = c->r.intr_en = c->r.caches = 0;
    c->r.push0 = c->r.cache0.push0 = 0;
    c->r.pull0 &= ~PULL_ACCESS;
    c->r.cache0.pull0 &= ~PULL_ACCESS;
    cache_update_interrupt(c);
}

static void nv3_reset(struct fifo *fifo) {
    struct cache_fifo *c = (struct cache_fifo *)fifo;
    c->r.kernel_dma = c->r.ramht = 0;
    c->r.pull1 = c->r.last_subchannel = 0; /* UNKNOWN: whether what does not show of PULL1 is forced, too */
    c->r.ramfc = 0x1c00;
    c->r.ramro = 0x1e00;
    nv1_reset(fifo);
}

static struct address_space nv1_channel_space(const struct pfifo_channel_context *channel, uint32_t object) {
    struct dma_object dma;
    if (object == 0)
        return address_space_fault(FAULT_NULL_OBJECT);
    dma_object_nv3(channel->fifo->memory, object << 4, &dma);
    return dma.space;
}

#define NV1_OPS                                                                                                        \
    .host = &cache_host, .bytes = sizeof(struct cache_fifo), .run = cache_run, .has_work = cache_can_work,             \
    .state = cache_state, .free = cache_free, .channel_space = nv1_channel_space, .engine_fault = cache_engine_fault,  \
    .engine_error = cache_engine_error, .engine_interrupt = cache_engine_interrupt,                                    \
    .engine_worked = cache_engine_worked

const struct fifo_ops fifo_nv1 = {.name = "NV1", .attach = nv1_attach, .reset = nv1_reset, NV1_OPS};
const struct fifo_ops fifo_nv3 = {.name = "NV3", .attach = nv3_attach, .reset = nv3_reset, NV1_OPS};
