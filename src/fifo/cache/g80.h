/* SPDX-License-Identifier: MIT */
/*
 * Shared by the files of the G80 PFIFO.
 *
 *   g80.c         a channel in memory: RAMFC, descriptor, entries in flight; faults
 *   g80_switch.c  which channel comes next: channel table, playlist, kick, freeze
 *   g80_user.c    USER_DMA, the pages of channels
 *   g80_host.c    host methods, semaphores
 *   g80_pio.c     USER_PIO, methods of channel 0
 *   g80_regs.c    registers
 *   g80_family.c  the wiring of G80, of G84 and of MCP89
 */
#ifndef PFIFO_SRC_FIFO_CACHE_G80_H
#define PFIFO_SRC_FIFO_CACHE_G80_H

#include "fifo/cache/cache.h"
#include "fifo/cache/ramfc.h"
#include "hw/ramfc.h"

#define CHANNEL_PIO     0
#define POINTER_ADDRESS 0x0fffffffu /* descriptor pointer: address >> 12 ... */
#define POINTER_TARGET  28          /* ... and target */
#define FREEZE_ENABLE   1u

/* A physical address, and in which memory. */
struct g80_location {
    enum memory_target target;
    uint64_t address;
};

/* The differences between G80 and G84 for a channel in memory. */
struct g80_ops {
    struct g80_location (*ramfc_at)(const struct cache_fifo *c, uint32_t channel);
    struct g80_location (*entries_at)(const struct cache_fifo *c);  /* those of CACHE1, of the channel in it */
    uint32_t (*descriptor)(struct cache_fifo *c, uint32_t channel); /* as a pointer, see POINTER_* */
    uint32_t (*kick_engines)(const struct cache_fifo *c);           /* that a kick waits for: bit n is engine n + 1 */
};

/* ---- g80.c ---- */

extern const struct ramfc_ops g80_ramfc, g84_ramfc, mcp89_ramfc;

struct g80_location g80_pointer(uint32_t pointer);
struct g80_location g80_ramfc_at(const struct cache_fifo *c, uint32_t channel);
struct g80_location g84_ramfc_at(const struct cache_fifo *c, uint32_t channel);
struct g80_location g80_entries_at(const struct cache_fifo *c);
struct g80_location g84_entries_at(const struct cache_fifo *c);
uint64_t g80_ramfc_address(struct cache_fifo *c, uint32_t channel);
uint32_t g80_ramfc_rd32(struct cache_fifo *c, uint32_t channel, uint32_t offset);
void g80_ramfc_wr32(struct cache_fifo *c, uint32_t channel, uint32_t offset, uint32_t value);

uint32_t g80_descriptor(struct cache_fifo *c, uint32_t channel);
uint32_t g84_descriptor(struct cache_fifo *c, uint32_t channel);
struct pfifo_channel_context g80_context(struct cache_fifo *c, uint32_t channel);
void g80_open_channel(struct cache_fifo *c);
void g80_renew_context(struct cache_fifo *c); /* registers may have been written since it was opened */
bool g80_dma_mode(const struct cache_fifo *c, uint32_t channel);
void g80_open_pushbuffer(struct cache_fifo *c);
struct address_space g80_channel_space(const struct pfifo_channel_context *channel, uint32_t object);
uint32_t g80_channel_class(const struct pfifo_channel_context *channel, uint32_t object);
void g80_fetch_fault(struct cache_fifo *c, const struct fault *fault);
void g80_semaphore_fault(struct cache_fifo *c, const struct fault *fault, bool retry);
void g84_semaphore_fault(struct cache_fifo *c, const struct fault *fault, bool retry);
uint32_t g80_shown_instance(const struct cache_fifo *c);
void g80_cpu_fault(void *fifo, uint32_t engine); /* of the host, through a BAR or PEEPHOLE */
uint32_t g80_ramht_rd32(const struct pfifo_channel_context *channel, uint32_t reg, uint32_t offset);
uint32_t g80_object_class(const struct pfifo_channel_context *channel, uint32_t instance, uint32_t engine);
bool g80_has_pushbuffer(const struct cache_fifo *c, uint32_t channel);
struct address_space g80_look(struct cache_fifo *c, const struct pfifo_channel_context *channel, struct cache_regs *r);
enum chip_unit g80_current_unit(const struct pfifo_channel_context *channel);
void g80_engine_fault(const struct pfifo_channel_context *channel, enum chip_unit unit, const struct fault *fault,
                      const struct unit_trap *trap);

/* ---- g80_switch.c ---- */

uint32_t g80_next_channel(struct cache_fifo *c);
void g80_begin_run(struct cache_fifo *c);
uint32_t g80_kick_engines(const struct cache_fifo *c);
uint32_t g84_kick_engines(const struct cache_fifo *c);

/* ---- registers ---- */

extern const struct reg_row g80_rows[];
extern const size_t g80_row_count;
extern const struct reg_table g80_pme;
void g80_write_min_slice(void *unit, const struct reg *reg, uint32_t index, uint32_t value);
void g80_write_intr_nrhost(void *unit, const struct reg *reg, uint32_t index, uint32_t value);
void g80_write_caches(void *unit, const struct reg *reg, uint32_t index, uint32_t value);
void g80_write_playlist_length(void *unit, const struct reg *reg, uint32_t index, uint32_t value);
void g80_write_kick(void *unit, const struct reg *reg, uint32_t index, uint32_t value);
uint32_t g80_read_kick(void *unit, const struct reg *reg, uint32_t index);
void g80_write_chan_table(void *unit, const struct reg *reg, uint32_t index, uint32_t value);
uint32_t g80_read_chan_table(void *unit, const struct reg *reg, uint32_t index);
uint32_t g80_read_freeze(void *unit, const struct reg *reg, uint32_t index);
uint32_t g80_read_channel(void *unit, const struct reg *reg, uint32_t index);
uint32_t g80_read_engine_idle(void *unit, const struct reg *reg, uint32_t index);

extern const struct window g80_user_window, g80_pio_window;

#endif
