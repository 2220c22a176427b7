/* SPDX-License-Identifier: MIT */
/* What the files of the NV1 reference share: registers by their addresses, and each other's functions. */
#ifndef PFIFO_TESTS_REFERENCE_NV1_STATE_H
#define PFIFO_TESTS_REFERENCE_NV1_STATE_H

#include "nv1.h"

/* Registers. Names as on later chips, which is what drivers know. */
enum {
    PMC_ENABLE = 0x200,
    DELAY_0 = 0x2040,
    DEBUG_0 = 0x2080,
    INTR_0 = 0x2100,
    INTR_EN_0 = 0x2140,
    CONFIG_0 = 0x2200,
    RAMHT = 0x2210, /* the three of NV3 */
    RAMFC = 0x2214,
    RAMRO = 0x2218,
    RUNOUT_STATUS = 0x2400,
    RUNOUT_PUT = 0x2410,
    RUNOUT_GET = 0x2420,
    CACHES = 0x2500,

    CACHE0 = 0x3000,
    CACHE1 = 0x3200,
    /* Of each cache. PUSH1, STATUS and PUT moved: see struct nv1ref_chip. */
    PUSH0 = 0x00,
    PULL0 = 0x40,
    PULL1 = 0x50,
    GET = 0x70,
    CTX = 0x80,
    CTX_STRIDE = 0x10,

    DMA_STATE = 0x3218, /* NV3 */
    DMA_CTRL = 0x3220,
    DMA_COUNT = 0x3224,
    DMA_GET = 0x3228,
    DMA_TARGET = 0x322c,
    DMA_TLB_TAG = 0x3230,
    DMA_TLB_PTE = 0x3234,
    DMA_PT_INST = 0x3238,

    PRAM_CONFIG = 0x602200, /* NV1 */
    HASH_VIRTUAL = 0x602400,
    HASH_PHYSICAL = 0x602600,
    USER = 0x800000,
};

/* INTR_0 */
#define CACHE_ERROR      0x00000001u
#define RUNOUT           0x00000010u
#define RUNOUT_OVERFLOW  0x00000100u
#define DMA_PUSHER_ERROR 0x00001000u
#define DMA_PTE_ERROR    0x00010000u

/* PULL0, PULL1 */
#define ACCESS          1u
#define HASH_FAILED     0x00000010u
#define DEVICE_SOFTWARE 0x00000100u
#define SUBCHANNEL      0x00000007u
#define CTX_DIRTY       0x00000010u
#define OBJECT_CHANGED  0x00000100u

#define FREE_LIE  0x01000000u /* of a context */
#define DMA_BUSY  0x00000010u
#define DMA_ERROR 0x40000000u /* of DMA_STATE */
#define PTE_VALID 0x00000001u

#define CHANNEL       0x0000007fu
#define PFIFO_ENABLED 0x00000100u

struct nv1ref_chip {
    const char *name;
    bool nv3;                    /* or NV3T */
    uint32_t entries;            /* of CACHE1, a power of two */
    uint32_t ramin_chunk;        /* RAMIN is the end of VRAM, reversed in pieces of this size */
    uint32_t push1, status, put; /* offsets within a cache */
    uint32_t entry;              /* first one of CACHE1 */
    uint32_t context_mask;       /* what a CTX register of CACHE1 keeps */
    const struct nv1ref_row *rows[3];
};

static inline uint32_t *reg(struct nv1ref *r, uint32_t offset) {
    return &r->reg[(offset - 0x2000) / 4];
}

static inline uint32_t value_of(const struct nv1ref *r, uint32_t offset) {
    return r->reg[(offset - 0x2000) / 4];
}

/* nv1.c */
uint32_t ref1_channel(const struct nv1ref *r, uint32_t cache);
bool ref1_empty(const struct nv1ref *r, uint32_t cache);
bool ref1_full(const struct nv1ref *r);
void ref1_push(struct nv1ref *r, uint32_t address, uint32_t data);
uint32_t ref1_last_subchannel(const struct nv1ref *r);
void ref1_set_last_subchannel(struct nv1ref *r, uint32_t subchannel);
uint32_t ref1_runout_next(const struct nv1ref *r);
void ref1_check_latch(struct nv1ref *r);

/* nv1_work.c: NV3's DMA is on and has something to send. */
bool ref1_dma_has_work(const struct nv1ref *r);

/* nv1_memory.c */
uint32_t ref1_ramin_rd32(const struct nv1ref *r, uint32_t address);
void ref1_ramin_wr32(struct nv1ref *r, uint32_t address, uint32_t value);
void ref1_vram_wr32(struct nv1ref *r, uint32_t address, uint32_t value);
uint32_t ref1_system_rd32(const struct nv1ref *r, uint32_t address);
bool ref1_lookup(struct nv1ref *r, uint32_t handle, uint32_t channel, uint32_t *context);
bool ref1_window(const struct nv1ref *r, uint32_t address, uint32_t *ramin);

/* nv1_user.c: lanes is a bit per byte; data is in its lanes. The low two bits of `off` say where the part begins. */
uint32_t ref1_user_read(struct nv1ref *r, uint32_t off, unsigned lanes);
void ref1_user_write(struct nv1ref *r, uint32_t off, unsigned lanes, uint32_t data);

#endif
