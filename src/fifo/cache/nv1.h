/* SPDX-License-Identifier: MIT */
/*
 * Shared by the files of PFIFO of NV1 and NV3.
 *
 *   nv1.c         the wiring of NV1 and of NV3       nv1_puller.c  contexts instead of instances
 *   nv1_ramin.c   RAMRO, RAMFC, RAMHT, in RAMIN      nv3_dma.c     NV3: packets from memory, launched by the kernel
 *   nv1_regs.c    registers                          nv1_graph_ports.c  NV1: PGRAPH's methods past PFIFO
 */
#ifndef PFIFO_SRC_FIFO_CACHE_NV1_H
#define PFIFO_SRC_FIFO_CACHE_NV1_H

#include "fifo/cache/puller.h"

#define NV1_CHANNEL  0x7fu      /* of PUSH1 */
#define NV1_FREE_LIE (1u << 24) /* of a context */

/* PULL1 */
#define NV1_SUBCHANNEL 0x7u        /* NV1: of the last entry */
#define NV1_CONTEXT    0x017fffffu /* what CTX keeps of a context word */
#define NV3_CONTEXT    0x00ffffffu

/* The differences between NV1 and NV3. */
struct nv1_variant {
    uint32_t context_mask;    /* what CTX keeps of a context word */
    const uint8_t *classes;   /* 32, by type of object, 0: no such type (nv1_puller.c) */
    bool graph_by_type;       /* which contexts are PGRAPH's: by their type; else bit 23 of the context */
    bool subchannel_in_pull1; /* of the last method, with OBJECT_CHANGED; else it does not show */
    bool has_fixed_areas;     /* RAMRO, RAMFC and RAMHT are where PRAM CONFIG says; else where their registers say */
    bool channel_in_context;  /* RAMHT: [30:24] of a context; else only the hash depends on the channel */
};
extern const struct nv1_variant nv1_variant, nv3_variant; /* nv1_puller.c */

/* nv1_regs.c */
extern const struct reg_row nv1_rows[];
extern const size_t nv1_row_count;

/* nv1_ramin.c */
uint32_t nv1_ramro(const struct cache_fifo *c, uint32_t *bytes);
uint32_t nv1_ramfc(const struct cache_fifo *c, uint32_t channel); /* RAMIN address of its eight words */
bool nv1_lookup(struct cache_fifo *c, uint32_t handle, uint32_t channel, uint32_t *context);
void nv1_switch_channel(struct cache_fifo *c, uint32_t channel);
void nv1_write_hash_virtual(void *unit, const struct reg *reg, uint32_t index, uint32_t value);

/* nv1_puller.c */
enum puller_result nv1_execute(struct cache_fifo *c, uint32_t subchannel, uint32_t method, uint32_t data);
enum puller_result nv1_execute_cache0(struct cache_fifo *c, uint32_t subchannel, uint32_t method, uint32_t data);

/* The class number of the type of a context. */
uint32_t nv1_class(const struct cache_fifo *c, uint32_t context);
/* A method of the current channel for PGRAPH, after its context if another type is on the subchannel. */
void nv1_send_to_graph(struct cache_fifo *c, uint32_t subchannel, uint32_t context, uint32_t method, uint32_t data);

/* nv1_graph_ports.c */
extern const struct window nv1_graph_ports;

/* nv3_dma.c */
bool nv3_dma_has_work(const struct cache_fifo *c);
bool nv3_dma_can_fetch(struct cache_fifo *c);
void nv3_dma_fetch(struct cache_fifo *c);
bool nv3_dma_stopped(const struct cache_fifo *c);
uint32_t nv3_read_dma_control(void *unit, const struct reg *reg, uint32_t index);

#endif
