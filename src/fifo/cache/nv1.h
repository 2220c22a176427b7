/* SPDX-License-Identifier: MIT */
/* What the files of PFIFO of NV1 and NV3 share: nv1.c (wiring), nv1_regs.c, nv1_places.c, nv1_puller.c, nv3_dma.c. */
#ifndef PFIFO_SRC_FIFO_CACHE_NV1_H
#define PFIFO_SRC_FIFO_CACHE_NV1_H

#include "fifo/cache/cache.h"

#define NV1_CHANNEL 0x7fu /* of PUSH1 */

/* PULL1 */
#define NV1_SUBCHANNEL 0x7u        /* NV1: of the last entry */
#define NV1_CONTEXT    0x017fffffu /* what CTX keeps of a context word */
#define NV3_CONTEXT    0x00ffffffu

static inline uint32_t nv1_context_mask(const struct cache_fifo *c) {
    return c->base.chip->has_free_lie ? NV1_CONTEXT : NV3_CONTEXT;
}

/* nv1_regs.c */
extern const struct reg_row nv1_rows[];
extern const size_t nv1_row_count;

/* nv1_places.c: RAMRO, RAMFC and RAMHT in RAMIN. */
uint32_t nv1_ramro(const struct cache_fifo *c, uint32_t *bytes);
uint32_t nv1_ramfc(const struct cache_fifo *c, uint32_t channel); /* RAMIN address of its eight words */
bool nv1_lookup(struct cache_fifo *c, uint32_t handle, uint32_t channel, uint32_t *context);
void nv1_switch_channel(struct cache_fifo *c, uint32_t channel);
void nv1_write_hash_virtual(void *unit, const struct reg *reg, uint32_t index, uint32_t value);

/* nv1_puller.c */
enum puller_result nv1_execute(struct cache_fifo *c, uint32_t subchannel, uint32_t method, uint32_t data);
enum puller_result nv1_execute_cache0(struct cache_fifo *c, uint32_t subchannel, uint32_t method, uint32_t data);

/* nv3_dma.c */
bool nv3_dma_has_work(const struct cache_fifo *c);
bool nv3_dma_can_fetch(struct cache_fifo *c);
void nv3_dma_fetch(struct cache_fifo *c);
uint32_t nv3_read_dma_control(void *unit, const struct reg *reg, uint32_t index);

#endif
