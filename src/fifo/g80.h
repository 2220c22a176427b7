/* SPDX-License-Identifier: MIT */
/* What the files of the G80 PFIFO share: g80.c (channels), g80_user.c (USER pages), g80_regs.c (registers, wiring). */
#ifndef PFIFO_SRC_FIFO_G80_H
#define PFIFO_SRC_FIFO_G80_H

#include "fifo/cache.h"

extern const struct ramfc_row g80_ramfc[];
#define G80_RAMFC_ROWS 34 /* the first of these */
#define G84_RAMFC_ROWS 41

struct place g80_ramfc_place(const struct cache_fifo *c, uint32_t channel);
struct place g84_ramfc_place(const struct cache_fifo *c, uint32_t channel);
struct place g80_cache_place(const struct cache_fifo *c);
struct place g84_cache_place(const struct cache_fifo *c);
uint64_t g80_ramfc_address(struct cache_fifo *c, uint32_t channel);
uint32_t g80_ramfc_rd32(struct cache_fifo *c, uint32_t channel, uint32_t offset);
void g80_ramfc_wr32(struct cache_fifo *c, uint32_t channel, uint32_t offset, uint32_t value);

void g80_open_channel(struct cache_fifo *c);
void g84_open_channel(struct cache_fifo *c);
void g80_open_pushbuffer(struct cache_fifo *c);
struct address_space g80_channel_space(const struct pfifo_channel_context *channel, uint32_t object);
void g80_fetch_fault(struct cache_fifo *c, const struct fault *fault);
void g80_semaphore_fault(struct cache_fifo *c, const struct fault *fault, bool retry);
uint32_t g80_ramht_rd32(struct cache_fifo *c, uint32_t offset);
uint32_t g80_object_class(struct cache_fifo *c, uint32_t instance);
void g80_save_entries(struct cache_fifo *c, uint32_t channel);
void g80_load_entries(struct cache_fifo *c, uint32_t channel);
uint32_t g80_next_channel(struct cache_fifo *c);
void g80_engine_fault(const struct pfifo_channel_context *channel, enum chip_unit unit, const struct fault *fault);

/* Actions of registers. */
void g80_write_playlist_length(void *unit, const struct reg *reg, uint32_t index, uint32_t value);
void g80_write_kick(void *unit, const struct reg *reg, uint32_t index, uint32_t value);
void g80_write_chan_table(void *unit, const struct reg *reg, uint32_t index, uint32_t value);
uint32_t g80_read_freeze(void *unit, const struct reg *reg, uint32_t index);
uint32_t g80_read_channel(void *unit, const struct reg *reg, uint32_t index);
uint32_t g80_read_engine_idle(void *unit, const struct reg *reg, uint32_t index);

extern const struct window g80_user_window;

#endif
