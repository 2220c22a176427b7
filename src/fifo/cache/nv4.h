/* SPDX-License-Identifier: MIT */
/* What the files of PFIFO of NV4 .. NV4x share: nv4.c (channels, wiring), nv4_ramfc.c, nv4_user.c, nv4_regs.c. */
#ifndef PFIFO_SRC_FIFO_CACHE_NV4_H
#define PFIFO_SRC_FIFO_CACHE_NV4_H

#include "fifo/cache/cache.h"

/* nv4_ramfc.c: layouts as rows, and where RAMFC is. */
extern const struct ramfc_row nv4_ramfc[], nv10_ramfc[], nv40_ramfc[];
#define NV4_RAMFC_ROWS  8
#define NV10_RAMFC_ROWS 14
#define NV40_RAMFC_ROWS 25

uint32_t nv4_ramfc_bytes(const struct cache_fifo *c);
uint32_t nv10_ramfc_bytes(const struct cache_fifo *c);
uint32_t nv40_ramfc_bytes(const struct cache_fifo *c);
uint64_t nv4_ramfc_address(struct cache_fifo *c, uint32_t channel);
uint32_t nv4_ramfc_rd32(struct cache_fifo *c, uint32_t channel, uint32_t offset);
void nv4_ramfc_wr32(struct cache_fifo *c, uint32_t channel, uint32_t offset, uint32_t value);
uint64_t nv40_ramfc_address(struct cache_fifo *c, uint32_t channel);
uint32_t nv40_ramfc_rd32(struct cache_fifo *c, uint32_t channel, uint32_t offset);
void nv40_ramfc_wr32(struct cache_fifo *c, uint32_t channel, uint32_t offset, uint32_t value);

/* nv4_user.c */
extern const struct window nv4_user, nv10_user, nv40_dma_user;
bool nv4_control_read(struct cache_fifo *c, uint32_t channel, uint32_t method, uint32_t *value);
bool nv4_control_write(struct cache_fifo *c, uint32_t channel, uint32_t method, uint32_t value);

/* nv4_regs.c */
extern const struct reg_row nv4_rows[];
extern const size_t nv4_row_count;

/* nv4.c: actions of registers. */
void nv4_write_mode(void *unit, const struct reg *reg, uint32_t index, uint32_t value);
void nv4_write_instance(void *unit, const struct reg *reg, uint32_t index, uint32_t value);

#endif
