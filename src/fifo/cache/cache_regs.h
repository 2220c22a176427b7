/* SPDX-License-Identifier: MIT */
/*
 * The registers of a PFIFO with CACHE1, of all generations: their storage, and the actions that families share
 * (cache_regs.c). The rows of nv1_regs.c, nv4_regs.c and g80_regs.c define the registers and bits of each chip; the
 * others stay 0.
 *
 * Sources: envytools rnndb/fifo/{nv1,nv4,g80}_pfifo.xml.
 */
#ifndef PFIFO_SRC_FIFO_CACHE_CACHE_REGS_H
#define PFIFO_SRC_FIFO_CACHE_CACHE_REGS_H

#include <stdint.h>

#define CACHE_CHANNELS 128

struct reg;

/* Storage of the register tables, and of RAMFC. */
struct cache_regs {
    uint32_t delay, dma_timeslice, pio_timeslice, timeslice, next_channel, delay_1, sli, debug_0, debug_1, debug_2;
    uint32_t debug_3, debug_4, eng_iface, debug_5, pull_feature;
    uint32_t intr, intr_en, intr_nrhost, intr_en_nrhost;
    uint32_t ramht, ramro, ramfc, ramfc_select, unk221c;
    uint32_t runout_put, runout_get;
    uint32_t ranout; /* the latch: a write of the channel in CACHE1 went to RAMRO, which has not been empty since */
    uint32_t caches, mode, dma_pending, pio_size, wide[16];
    uint32_t freeze, chsw_stat, chsw_debug_1, chsw_debug_2, cur_ctx, old_ctx, engine_ctrl;
    uint32_t chan_table[CACHE_CHANNELS];
    uint32_t hipri[3], event_regs[8];
    uint32_t playlist, playlist_length, kick;
    /* G80-, hidden: the playlist in use, the one written but not yet in use; a pending kick. */
    uint32_t list, list_length, next_list, next_length, list_pending, kick_pending, pme_control;
    /* CACHE1. */
    uint32_t push0, push1, put, get, dma_push, dma_fetch, dma_state, dma_instance, dma_ctl, dma_limit, tlb_tag, tlb_pte;
    uint32_t dma_put, dma_get, ref, subroutine, pull0, pull1, hash;
    uint32_t acquire_timeout, acquire_timestamp, acquire_value, semaphore, engine;
    uint32_t dcount, jmp_shadow, rsvd_shadow, data_shadow;
    uint32_t object_frame; /* hidden: word 2 of the pushbuffer object, with DMA_CTL and DMA_LIMIT */
    uint32_t unk32b0[5], grctx, unk32e4, unk32e8, unk32f4, unk3300, mpegctx, mectx, vpctx;
    /* CACHE0. */
    struct cache0_regs {
        uint32_t push0, push1, put, get, pull0, pull1, hash, engine, context, method, data;
    } cache0;
    /* NV1 and NV3. */
    uint32_t config_0, context[8], hash_physical;
    uint32_t last_subchannel; /* NV3: of the puller, not visible; NV1 has it in PULL1 */
    uint32_t kernel_dma, kernel_count, kernel_get, kernel_target, kernel_pt; /* NV3: CACHE1_DMA0 .. 3, DMA_PT_INST */
    /* G80 and later. */
    uint32_t unk3310, fifo_endian, unk3318, flush;
    uint32_t dma_put_high, dma_get_high, ib_put, ib_get, ib_address, ib_config, method_count;
    uint32_t mget, mget_high, get_high_rdshadow, put_high_rdshadow, put_high_wrshadow, mget_high_rdshadow;
    uint32_t sem_address_high, sem_address_low, sem_sequence, cache_inst, chan_inst, cache_count, unk3500[2];
};

/* Actions of registers, see bus/reg.h. `unit` is a struct cache_fifo. */
void cache_write_intr(void *unit, const struct reg *reg, uint32_t index, uint32_t value);
void cache_write_intr_en(void *unit, const struct reg *reg, uint32_t index, uint32_t value);
void cache_write_channel(void *unit, const struct reg *reg, uint32_t index, uint32_t value);
void cache_write_fetch(void *unit, const struct reg *reg, uint32_t index, uint32_t value);
void cache_write_pointer(void *unit, const struct reg *reg, uint32_t index, uint32_t value);
void cache_write_get(void *unit, const struct reg *reg, uint32_t index, uint32_t value);
void cache_write_entry(void *unit, const struct reg *reg, uint32_t index, uint32_t value);
uint32_t cache_read_status(void *unit, const struct reg *reg, uint32_t index);
uint32_t cache_read_dma_push(void *unit, const struct reg *reg, uint32_t index);
uint32_t cache_read_three(void *unit, const struct reg *reg, uint32_t index);
uint32_t cache_read_entry(void *unit, const struct reg *reg, uint32_t index);

#endif
