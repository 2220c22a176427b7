/* SPDX-License-Identifier: MIT */
/* The wiring of PFIFO of G80, and of G84 .. MCP89. */
#include "fifo/cache/g80.h"

static const struct ramht_layout g80_ramht = {
    .size_shift = 27, .engine_shift = 20, .engine_bits = 4, .instance_bits = 16};

/* What G80 and G84 have in common. */
#define G80_FAMILY                                                                                                     \
    .has_work = pusher_has_work, .can_fetch = pusher_can_fetch, .fetch = pusher_step, .run = pusher_run,               \
    .execute = puller_execute, .ramfc = g80_ramfc, .ramht = &g80_ramht, .has_limit_register = true,                    \
    .has_invalid_engine = true, .mode_bit = 1u << 16, .slice_units = 1024 / BUS_NS_PER_WORK,                           \
    .open_pushbuffer = g80_open_pushbuffer, .next_channel = g80_next_channel, .ramht_rd32 = g80_ramht_rd32,            \
    .object_class = g80_object_class, .fetch_fault = g80_fetch_fault, .semaphore_fault = g80_semaphore_fault,          \
    .ramfc_address = g80_ramfc_address, .ramfc_rd32 = g80_ramfc_rd32, .ramfc_wr32 = g80_ramfc_wr32,                    \
    .save_entries = g80_save_entries, .load_entries = g80_load_entries, .dma_mode = g80_dma_mode,                      \
    .open_channel = g80_open_channel, .begin_run = g80_begin_run, .one_timeslice = true

static const struct cache_family g80_family = {
    .name = "G80",
    G80_FAMILY,
    .ramfc_rows = G80_RAMFC_ROWS,
    .descriptor = g80_descriptor,
    .kick_engines = g80_kick_engines,
    .ramfc_place = g80_ramfc_place,
    .cache_place = g80_cache_place,
};

static const struct cache_family g84_family = {
    .name = "G84",
    G80_FAMILY,
    .ramfc_rows = G84_RAMFC_ROWS,
    .ramfc_bytes = g84_ramfc_bytes,
    .descriptor = g84_descriptor,
    .kick_engines = g84_kick_engines,
    .ramfc_place = g84_ramfc_place,
    .cache_place = g84_cache_place,
};

static const struct window *const g80_windows[] = {&g80_user_window, &g80_pio_window, NULL};

static enum pfifo_status attach(struct fifo *fifo, const struct cache_family *family, struct pfifo_error *error) {
    struct cache_fifo *c = (struct cache_fifo *)fifo;
    fifo->bus->cpu_fault = g80_cpu_fault;
    return cache_attach_rows(c, family, g80_rows, g80_row_count, g80_windows, error);
}

static enum pfifo_status g80_attach(struct fifo *fifo, struct pfifo_error *error) {
    enum pfifo_status status = attach(fifo, &g80_family, error);
    return status == PFIFO_OK ? bus_attach_table(fifo->bus, &g80_pme, fifo, error) : status;
}

static enum pfifo_status g84_attach(struct fifo *fifo, struct pfifo_error *error) {
    return attach(fifo, &g84_family, error);
}

/* PME is another unit, and has a switch of its own. */
static void g80_reset(struct fifo *fifo) {
    struct cache_fifo *c = (struct cache_fifo *)fifo;
    uint32_t pme_control = c->r.pme_control;
    cache_reset(c);
    c->r.pme_control = pme_control;
}

#define G80_OPS                                                                                                        \
    .bytes = sizeof(struct cache_fifo), .run = cache_run, .reset = g80_reset, .free = cache_free,                      \
    .channel_space = g80_channel_space, .object_class = g80_channel_class, .engine_fault = g80_engine_fault,           \
    .engine_error = cache_engine_error, .engine_interrupt = cache_engine_interrupt,                                    \
    .engine_worked = cache_engine_worked, .current_unit = g80_current_unit, .state = cache_state

const struct fifo_ops fifo_g80 = {.name = "G80", .attach = g80_attach, G80_OPS};
const struct fifo_ops fifo_g84 = {.name = "G84", .attach = g84_attach, G80_OPS};
