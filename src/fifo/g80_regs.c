/* SPDX-License-Identifier: MIT */
/* Registers of the G80 PFIFO, and the wiring of G80 and G84. Source: envytools rnndb/fifo/g80_pfifo.xml. */
#include "fifo/g80.h"

#define R(field) offsetof(struct cache_fifo, r.field)

static const struct reg g80_regs[] = {
    {0x2040, "DELAY", R(delay), 0xf00003ff, 0xf00003ff, 0, 0, 0, NULL, NULL},
    {0x2044, "DMA_TIMESLICE", R(dma_timeslice), 0xf101ffff, 0xf101ffff, 0, 0, 0, NULL, NULL},
    {0x2048, "C11_MIN_SLICE", R(pio_timeslice), 0x0007ffff, 0x0007ffff, 0x00010100, 0, 0, NULL, NULL},
    {0x204c, "TIMESLICE", R(timeslice), 0x0003ffff, 0x0003ffff, 0x0003ffff, 0, 0, NULL, NULL},
    {0x2054, "DELAY_1", R(delay_1), 0xf00003ff, 0xf00003ff, 2, 0, 0, NULL, NULL},
    {0x2058, "SLI", R(sli), 0x30000fff, 0x30000fff, 0, 0, 0, NULL, NULL},
    {0x2070, "PULL_FEATURE", R(pull_feature), ~0u, ~0u, 0, 0, 0, NULL, NULL},
    {0x2080, "DEBUG_0", R(debug_0), 0x00000011, 0, 0, 0, 0, NULL, NULL},
    {0x2084, "DEBUG_1", R(debug_1), ~0u, ~0u, 0x0072f200, 0, 0, NULL, NULL},
    {0x2088, "DEBUG_2", R(debug_2), ~0u, ~0u, 0, 0, 0, NULL, NULL},
    {0x208c, "DEBUG_3", R(debug_3), ~0u, ~0u, 0, 0, 0, NULL, NULL},
    {0x2090, "DEBUG_4", R(debug_4), ~0u, ~0u, 0x00443333, 0, 0, NULL, NULL},
    {0x2094, "ENG_IFACE", R(eng_iface), 0x0000001f, 0x0000001f, 0, 0, 0, NULL, NULL},
    {0x2098, "DEBUG_5", R(debug_5), ~0u, ~0u, 0, 0, 0, NULL, NULL},
    {0x2100, "INTR", R(intr), ~0u, 0, 0, 0, 0, NULL, cache_write_intr},
    {0x2104, "INTR_NRHOST", R(intr_nrhost), 0x40000000, 0, 0, 0, 0, NULL, NULL},
    {0x2140, "INTR_EN", R(intr_en), ~0u, ~0u, 0, 0, 0, NULL, cache_write_intr_en},
    {0x2144, "INTR_EN_NRHOST", R(intr_en_nrhost), 0x40000000, 0x40000000, 0, 0, 0, NULL, NULL},
    {0x2210, "RAMHT", R(ramht), 0x1fffffff, 0x1fffffff, 0, 0, 0, NULL, NULL},
    {0x2500, "CACHES", R(caches), 0x00000003, 0x00000003, 0, 0, 0, NULL, NULL},
    {0x2504, "FREEZE", R(freeze), 0x00000011, 0x00000001, 0, 0, 0, g80_read_freeze, NULL},
    {0x2508, "CHSW_STAT", R(chsw_stat), ~0u, ~0u, 0, 0, 0, NULL, NULL},
    {0x250c, "CHSW_DEBUG_1", R(chsw_debug_1), ~0u, ~0u, 0, 0, 0, NULL, NULL},
    {0x2518, "CHSW_DEBUG_2", R(chsw_debug_2), ~0u, ~0u, 0, 0, 0, NULL, NULL},
    {0x251c, "ENGINE_IDLE", REG_NONE, 0x0000003f, 0, 0, 0, 0, g80_read_engine_idle, NULL},
    {0x2520, "ENGINE_CTRL", R(engine_ctrl), ~0u, ~0u, 0, 0, 0, NULL, NULL},
    {0x2600, "CHAN_TABLE", R(chan_table), ~0u, ~0u, 0, CACHE_CHANNELS, 4, NULL, g80_write_chan_table},
    {0x2800, "HIPRI", R(hipri), ~0u, ~0u, 0, 3, 4, NULL, NULL},
    {0x2900, "EVENT", R(event_regs), ~0u, ~0u, 0, 6, 4, NULL, NULL},
    {0x3200, "CACHE1_PUSH0", R(push0), 1, 1, 0, 0, 0, NULL, NULL},
    {0x3204, "CACHE1_PUSH1", R(push1), 0x0001007f, 0x0001007f, 0x0001007f, 0, 0, NULL, cache_write_channel},
    {0x3210, "CACHE1_PUT", R(put), 0x00000ffc, 0x00000ffc, 0, 0, 0, NULL, NULL},
    {0x3214, "CACHE1_STATUS", REG_NONE, 0x00000110, 0, 0, 0, 0, cache_read_status, NULL},
    {0x3220, "CACHE1_DMA_PUSH", R(dma_push), 0xff001111, 0xff001001, 0, 0, 0, cache_read_dma_push, NULL},
    {0x3224, "CACHE1_DMA_FETCH", R(dma_fetch), 0x407fe0f8, 0x407fe0f8, 0x00006078, 0, 0, NULL, cache_write_fetch},
    {0x3228, "CACHE1_DMA_STATE", R(dma_state), 0xe007ffff, 0xe007ffff, 0, 0, 0, NULL, NULL},
    {0x322c, "CACHE1_DMA_INSTANCE", R(dma_instance), 0x0000ffff, 0x0000ffff, 0, 0, 0, NULL, cache_write_fetch},
    {0x3234, "CACHE1_DMA_LIMIT", R(dma_limit), ~0u, ~0u, 0, 0, 0, NULL, NULL},
    {0x3240, "CACHE1_DMA_PUT", R(dma_put), ~3u, ~3u, 0, 0, 0, NULL, cache_write_pointer},
    {0x3244, "CACHE1_DMA_GET", R(dma_get), ~3u, ~3u, 0, 0, 0, NULL, cache_write_pointer},
    {0x3248, "CACHE1_REF", R(ref), ~0u, ~0u, 0, 0, 0, NULL, NULL},
    {0x324c, "CACHE1_SUBROUTINE", R(subroutine), ~3u, ~3u, 0, 0, 0, NULL, NULL},
    {0x3250, "CACHE1_PULL0", R(pull0), 0xf7f11111, 0x00000001, 0, 0, 0, NULL, NULL},
    {0x3254, "CACHE1_PULL1", R(pull1), 0x000000bf, 0x000000bf, 0, 0, 0, NULL, NULL},
    {0x3258, "CACHE1_HASH", R(hash), 0x0000ffff, 0x0000ffff, 0, 0, 0, NULL, NULL},
    {0x3260, "CACHE1_ACQUIRE_TIMEOUT", R(acquire_timeout), ~0u, ~0u, 0, 0, 0, NULL, NULL},
    {0x3264, "CACHE1_ACQUIRE_TIMESTAMP", R(acquire_timestamp), ~0u, ~0u, 0, 0, 0, NULL, NULL},
    {0x3268, "CACHE1_ACQUIRE_VALUE", R(acquire_value), ~0u, ~0u, 0, 0, 0, NULL, NULL},
    {0x326c, "CACHE1_SEMAPHORE", R(semaphore), 0xffff7fff, 0xffff7fff, 0, 0, 0, NULL, NULL},
    {0x3270, "CACHE1_GET", R(get), 0x00000ffc, 0x00000ffc, 0, 0, 0, NULL, cache_write_get},
    {0x3280, "CACHE1_ENGINE", R(engine), ~0u, ~0u, 0, 0, 0, NULL, NULL},
    {0x32a0, "CACHE1_DMA_DCOUNT_SHADOW", R(dcount), 0x00001ffc, 0x00001ffc, 0, 0, 0, NULL, NULL},
    {0x32a4, "CACHE1_DMA_GET_JMP_SHADOW", R(jmp_shadow), ~3u, ~3u, 0, 0, 0, NULL, NULL},
    {0x32a8, "CACHE1_DMA_RSVD_SHADOW", R(rsvd_shadow), ~0u, ~0u, 0, 0, 0, NULL, NULL},
    {0x32ac, "CACHE1_DMA_DATA_SHADOW", R(data_shadow), ~0u, ~0u, 0, 0, 0, NULL, NULL},
    {0x32e4, "CACHE1_COUNTER", R(unk32e4), ~0u, ~0u, 0, 0, 0, NULL, NULL},
    {0x32ec, "PLAYLIST_LEN", R(playlist_length), 0x00001fff, 0x00001fff, 0, 0, 0, NULL, g80_write_playlist_length},
    {0x32f0, "CURRENT_CHANNEL", REG_NONE, 0x0000007f, 0, 0, 0, 0, g80_read_channel, NULL},
    {0x32f4, "PLAYLIST", R(playlist), 0x3fffffff, 0x3fffffff, 0, 0, 0, NULL, NULL},
    {0x32fc, "KICK_CHANNEL", R(kick), ~0u, ~0u, 0, 0, 0, NULL, g80_write_kick},
    {0x3300, "UNK3300", R(unk3300), ~0u, ~0u, 0x0004004f, 0, 0, NULL, NULL},
    {0x3304, "UNK3304", REG_NONE, 3, 0, 0, 0, 0, cache_read_three, NULL},
    {0x330c, "FLUSH_CTRL", REG_NONE, 0, 0, 0, 0, 0, NULL, NULL}, /* a flush is done as soon as it is asked for */
    {0x3310, "UNK3310", R(unk3310), ~0u, ~0u, 0, 0, 0, NULL, NULL},
    {0x3314, "FIFO_ENDIAN", R(fifo_endian), 3, 3, 0, 0, 0, NULL, NULL},
    {0x3318, "UNK3318", R(unk3318), 7, 7, 2, 0, 0, NULL, NULL},
    {0x3320, "CACHE1_DMA_PUT_HIGH", R(dma_put_high), 0xff, 0xff, 0, 0, 0, NULL, cache_write_pointer},
    {0x3328, "CACHE1_DMA_GET_HIGH", R(dma_get_high), 0xff, 0xff, 0, 0, 0, NULL, cache_write_pointer},
    {0x3330, "CACHE1_IB_PUT", R(ib_put), ~0u, ~0u, 0, 0, 0, NULL, NULL},
    {0x3334, "CACHE1_IB_GET", R(ib_get), ~0u, ~0u, 0, 0, 0, NULL, NULL},
    {0x3340, "CACHE1_IB_ADDRESS_LOW", R(ib_address), ~0u, ~0u, 0, 0, 0, NULL, NULL},
    {0x3344, "CACHE1_IB_CONFIG", R(ib_config), ~0u, ~0u, 0, 0, 0, NULL, NULL},
    {0x3364, "CACHE1_METHOD_COUNT", R(method_count), 0x00ffffff, 0x00ffffff, 0, 0, 0, NULL, NULL},
    {0x3368, "CACHE1_DMA_MGET", R(mget), ~0u, ~0u, 0, 0, 0, NULL, NULL},
    {0x336c, "CACHE1_DMA_MGET_HIGH", R(mget_high), 0x800000ff, 0x800000ff, 0, 0, 0, NULL, NULL},
    {0x3370, "CACHE1_DMA_GET_HIGH_RDSHADOW", R(get_high_rdshadow), 0xff, 0xff, 0, 0, 0, NULL, NULL},
    {0x3374, "CACHE1_DMA_PUT_HIGH_RDSHADOW", R(put_high_rdshadow), 0xff, 0xff, 0, 0, 0, NULL, NULL},
    {0x3378, "CACHE1_DMA_PUT_HIGH_WRSHADOW", R(put_high_wrshadow), 0xff, 0xff, 0, 0, 0, NULL, NULL},
    {0x337c, "CACHE1_DMA_MGET_HIGH_RDSHADOW", R(mget_high_rdshadow), 0x800000ff, 0x800000ff, 0, 0, 0, NULL, NULL},
    {0x3400, "CACHE1_SEMAPHORE_ADDRESS_HIGH", R(sem_address_high), 0xff, 0xff, 0, 0, 0, NULL, NULL},
    {0x3404, "CACHE1_SEMAPHORE_ADDRESS_LOW", R(sem_address_low), ~0u, ~0u, 0, 0, 0, NULL, NULL},
    {0x3408, "CACHE1_SEMAPHORE_SEQUENCE", R(sem_sequence), ~0u, ~0u, 0, 0, 0, NULL, NULL},
    {0x340c, "CACHE1_CACHE_INST", R(cache_inst), ~0u, ~0u, 0, 0, 0, NULL, NULL},
    {0x3410, "CACHE1_CHAN_INST", R(chan_inst), 0x3fffffff, 0x3fffffff, 0, 0, 0, NULL, cache_write_channel},
    {0x3500, "UNK3500", R(unk3500), ~0u, ~0u, 0, 2, 4, NULL, NULL},
    {0x90000, "CACHE1_ENTRY", REG_NONE, ~0u, ~0u, 0, 1024, 4, cache_read_entry, cache_write_entry},
};

static const struct face g80_face = {"PFIFO", g80_regs, sizeof g80_regs / sizeof g80_regs[0]};

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
    .save_entries = g80_save_entries, .load_entries = g80_load_entries

static const struct cache_family g80_family = {
    .name = "G80",
    G80_FAMILY,
    .ramfc_rows = G80_RAMFC_ROWS,
    .open_channel = g80_open_channel,
    .ramfc_place = g80_ramfc_place,
    .cache_place = g80_cache_place,
};

static const struct cache_family g84_family = {
    .name = "G84",
    G80_FAMILY,
    .ramfc_rows = G84_RAMFC_ROWS,
    .open_channel = g84_open_channel,
    .ramfc_place = g84_ramfc_place,
    .cache_place = g84_cache_place,
};

static const struct window *const g80_windows[] = {&g80_user_window, NULL};

static enum pfifo_status g80_attach(struct fifo *fifo, struct pfifo_error *error) {
    return cache_attach((struct cache_fifo *)fifo, &g80_family, &g80_face, g80_windows, error);
}

static enum pfifo_status g84_attach(struct fifo *fifo, struct pfifo_error *error) {
    return cache_attach((struct cache_fifo *)fifo, &g84_family, &g80_face, g80_windows, error);
}

static void g80_reset(struct fifo *fifo) {
    cache_reset((struct cache_fifo *)fifo);
}

#define G80_OPS                                                                                                        \
    .bytes = sizeof(struct cache_fifo), .run = cache_run, .reset = g80_reset, .reset_graph = cache_reset_graph,        \
    .free = cache_free, .channel_space = g80_channel_space, .engine_fault = g80_engine_fault,                          \
    .engine_interrupt = cache_engine_interrupt, .state = cache_state

const struct fifo_ops fifo_g80 = {.name = "G80", .attach = g80_attach, G80_OPS};
const struct fifo_ops fifo_g84 = {.name = "G84", .attach = g84_attach, G80_OPS};
