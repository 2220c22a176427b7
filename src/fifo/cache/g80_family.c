/* SPDX-License-Identifier: MIT */
/* The wiring of PFIFO of G80, and of G84 .. MCP89. */
#include "fifo/cache/g80.h"

#include <assert.h>

#include "fifo/cache/cache_graph_input.h"
#include "fifo/cache/host.h"
#include "fifo/cache/puller.h"
#include "fifo/cache/pusher.h"
#include "fifo/cache/switcher.h"

static const struct ramht_layout g80_layout = {
    .size_shift = 27, .engine_shift = 20, .engine_bits = 4, .instance_bits = 16};
static const struct ramht_ops g80_ramht = {.layout = &g80_layout,
                                           .always_fail = DEBUG_1_RAMHT_ALWAYS_FAIL,
                                           .rd32 = g80_ramht_rd32,
                                           .object_class = g80_object_class};

static const struct pushbuffer_ops g80_pushbuffer = {.has_limit_register = true,
                                                     .pointer_high = 0xff,
                                                     .open = g80_open_pushbuffer,
                                                     .fault = g80_fetch_fault,
                                                     .has = g80_has_pushbuffer,
                                                     .context = g80_context,
                                                     .look = g80_look};

static const struct puller_ops g80_puller = {.execute = puller_execute,
                                             .execute_cache0 = puller_execute_cache0,
                                             .last_engine = puller_last_engine,
                                             .shown_instance = g80_shown_instance,
                                             .has_invalid_engine = true,
                                             .offers_pairs = true};

static const struct switcher_ops g80_switcher = {.next_channel = g80_next_channel,
                                                 .open_channel = g80_open_channel,
                                                 .dma_mode = g80_dma_mode,
                                                 .begin_run = g80_begin_run,
                                                 .left = switcher_forget_left,
                                                 .mode_bit = PUSH1_MODE,
                                                 .slice_units = 1024 / BUS_NS_PER_WORK,
                                                 .one_timeslice = true,
                                                 .yield_ends_slice = true,
                                                 .has_vm = true};

static const struct g80_ops g80_channels = {.ramfc_at = g80_ramfc_at,
                                            .entries_at = g80_entries_at,
                                            .descriptor = g80_descriptor,
                                            .kick_engines = g80_kick_engines};
static const struct g80_ops g84_channels = {.ramfc_at = g84_ramfc_at,
                                            .entries_at = g84_entries_at,
                                            .descriptor = g84_descriptor,
                                            .kick_engines = g84_kick_engines};

/* The common part. */
#define G80_FAMILY                                                                                                     \
    .pusher = &pusher_ops_nv4, .pushbuffer = &g80_pushbuffer, .puller = &g80_puller, .ramht = &g80_ramht,              \
    .switcher = &g80_switcher

static const struct cache_family g80_family = {
    .name = "G80", G80_FAMILY, .host = &host_ops_g80, .ramfc = &g80_ramfc, .g80 = &g80_channels};
static const struct cache_family g84_family = {
    .name = "G84", G80_FAMILY, .host = &host_ops_g84, .ramfc = &g84_ramfc, .g80 = &g84_channels};
static const struct cache_family mcp89_family = {
    .name = "MCP89", G80_FAMILY, .host = &host_ops_mcp89, .ramfc = &mcp89_ramfc, .g80 = &g84_channels};

static const struct g84_variant {
    const char *chips;
    const struct cache_family *family;
} variants[] = {{"MCP89", &mcp89_family}, {"G84-", &g84_family}};

static const struct window *const g80_windows[] = {&g80_user_window, &g80_pio_window, NULL};

static enum pfifo_status attach_family(struct fifo *fifo, const struct cache_family *family,
                                       struct pfifo_error *error) {
    struct cache_fifo *c = (struct cache_fifo *)fifo;
    return cache_attach_rows(c, family, g80_rows, g80_row_count, g80_windows, error);
}

static enum pfifo_status g80_attach(struct fifo *fifo, struct pfifo_error *error) {
    enum pfifo_status status = attach_family(fifo, &g80_family, error);
    return status == PFIFO_OK ? bus_attach_table(fifo->bus, &g80_pme, fifo, error) : status;
}

static enum pfifo_status g84_attach(struct fifo *fifo, struct pfifo_error *error) {
    const struct g84_variant *variant = CHIP_ROW(fifo->chip, variants);
    assert(variant);
    return attach_family(fifo, variant->family, error);
}

/* PME is a separate unit with its own enable bit. */
static void g80_reset(struct fifo *fifo) {
    struct cache_fifo *c = (struct cache_fifo *)fifo;
    uint32_t pme_control = c->r.pme_control;
    cache_reset(c);
    c->r.pme_control = pme_control;
}

static const struct bus_host_ops g80_host = {.sync = pusher_sync,
                                             .enable_changed = fifo_enable_changed,
                                             .cpu_fault = g80_cpu_fault,
                                             .graph_input = cache_graph_input_written};

#define G80_OPS                                                                                                        \
    .bytes = sizeof(struct cache_fifo), .host = &g80_host, .run = cache_run, .has_work = cache_can_work,               \
    .reset = g80_reset, .free = cache_free, .channel_space = g80_channel_space, .object_class = g80_channel_class,     \
    .kept = cache_kept, .has_error_codes = true, .engine_fault = g80_engine_fault, .engine_error = cache_engine_error, \
    .engine_interrupt = cache_engine_interrupt, .engine_worked = cache_engine_worked, .units_done = pusher_units_done, \
    .current_unit = g80_current_unit, .state = cache_state, CACHE_PUSH_OPS

const struct fifo_ops fifo_g80 = {.name = "G80", .attach = g80_attach, G80_OPS};
const struct fifo_ops fifo_g84 = {.name = "G84", .attach = g84_attach, G80_OPS};
