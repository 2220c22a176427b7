/* SPDX-License-Identifier: MIT */
/* What the files of PFIFO of NV4 .. NV4x share: nv4.c (channels, wiring), nv4_ramfc.c, nv4_user.c, nv4_regs.c. */
#ifndef PFIFO_SRC_FIFO_CACHE_NV4_H
#define PFIFO_SRC_FIFO_CACHE_NV4_H

#include "fifo/cache/cache.h"
#include "fifo/cache/ramfc.h"

/* nv4_ramfc.c: layouts as rows, and where RAMFC is. nv40_ramfc_short: without what NV41 added. */
extern const struct ramfc_ops nv4_ramfc, nv10_ramfc, nv40_ramfc_short, nv40_ramfc;

/* nv4_user.c */
extern const struct window nv4_user, nv10_user, nv40_dma_user;
bool nv4_control_read(struct cache_fifo *c, uint32_t channel, uint32_t method, uint32_t *value);
bool nv4_control_write(struct cache_fifo *c, uint32_t channel, uint32_t method, uint32_t value);

/* nv4_regs.c */
extern const struct reg_row nv4_rows[];
extern const size_t nv4_row_count;

/* nv4.c: entries of channels that leave, which stay in the chip. */
void nv4_save_entries(struct cache_fifo *c, uint32_t channel);
void nv4_load_entries(struct cache_fifo *c, uint32_t channel);

/* nv4.c: actions of registers. */
void nv4_write_mode(void *unit, const struct reg *reg, uint32_t index, uint32_t value);
void nv4_write_instance(void *unit, const struct reg *reg, uint32_t index, uint32_t value);

#endif
