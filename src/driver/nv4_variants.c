/* SPDX-License-Identifier: MIT */
#include "driver/nv4.h"

#include "hw/pfifo_nv4.h"
#include "hw/ramfc.h"
#include "hw/user.h"

#define FETCH         0x00086078u /* trigger 128 bytes, size 128 bytes, 8 requests */
#define RAMFC_UNKNOWN 0x00030000u /* [driver] */
#define TIMESLICE     0x0101ffffu

static void set_ramfc_small(struct pfifo_device *device) {
    device_wr32(device, NV_PFIFO_RAMFC, nv4_variant_of(device)->ramfc >> 8);
}

/*
 * nouveau uses the small form on NV1A and NV11, which have the large one, too. Semaphores and subroutines would not
 * survive a switch then: a channel would forget what it waits for, or return to another channel's ring.
 */
static void set_ramfc_large(struct pfifo_device *device) {
    device_wr32(device, NV_PFIFO_RAMFC, RAMFC_LARGE | nv4_variant_of(device)->ramfc >> 8);
}

static void set_ramfc_nv40(struct pfifo_device *device) {
    device_wr32(device, NV_PFIFO_SLI, 1);
    device_wr32(device, NV_PFIFO_RAMFC_NV40, RAMFC_UNKNOWN | nv4_variant_of(device)->ramfc >> 16);
}

/* Chips that can choose where RAMFC is: in RAMIN where there is a GART table in RAMIN, else an address in VRAM. */
static void set_ramfc_in_ramin(struct pfifo_device *device) {
    device_wr32(device, NV_PFIFO_SLI, 1);
    device_wr32(device, NV_PFIFO_RAMFC_SELECT, 1);
    device_wr32(device, NV_PFIFO_RAMFC_NV40, RAMFC_UNKNOWN | nv4_variant_of(device)->ramfc >> 16);
}

static void set_ramfc_in_vram(struct pfifo_device *device) {
    uint64_t ramin = ((struct nv4_device *)device)->vram_bytes - device->chip->ramin_chunk;
    device_wr32(device, NV_PFIFO_SLI, 1);
    device_wr32(device, NV_PFIFO_RAMFC_SELECT, 0);
    device_wr32(device, NV_PFIFO_RAMFC_NV40, RAMFC_UNKNOWN | (uint32_t)((ramin + nv4_variant_of(device)->ramfc) >> 16));
}

#define REGS_NV4                                                                                                       \
    NV_CACHE1_DMA_PUT, NV_CACHE1_DMA_GET, NV_CACHE1_DMA_INSTANCE, NV_CACHE1_DMA_DCOUNT, NV_CACHE1_DMA_STATE,           \
        NV_CACHE1_DMA_FETCH, NV_CACHE1_ENGINE, NV_CACHE1_PULL1
#define REGS_NV10 REGS_NV4, NV_CACHE1_REF
#define REGS_NV1A                                                                                                      \
    REGS_NV10, NV_CACHE1_ACQUIRE_VALUE, NV_CACHE1_ACQUIRE_TIMESTAMP, NV_CACHE1_ACQUIRE_TIMEOUT, NV_CACHE1_SEMAPHORE,   \
        NV_CACHE1_DMA_SUBROUTINE
#define REGS_NV40                                                                                                      \
    REGS_NV1A, NV_CACHE1_GRCTX_INST, NV_CACHE1_UNK32E4, NV_CACHE1_UNK32E8, NV_PFIFO_DEBUG_2, NV_CACHE1_UNK3300

static const uint16_t regs_nv4[] = {REGS_NV4, 0};
static const uint16_t regs_nv10[] = {REGS_NV10, 0};
static const uint16_t regs_nv1a[] = {REGS_NV1A, 0};
static const uint16_t regs_nv40[] = {REGS_NV40, 0};
static const uint16_t regs_nv41[] = {REGS_NV40, NV_CACHE1_MPEGCTX_INST, NV_CACHE1_MECTX_INST, NV_CACHE1_VPCTX_INST, 0};

/* No CGET: while a segment runs, GET says nothing about the ring. */
#define NV4_VARIANT                                                                                                    \
    .ramin_bar = 0, .ramin_at = 0x700000, .ramfc = 0x18000, .ramro = 0x18800, .heap = 0x18a00,                         \
    .gart_bytes = 0x8000000, .channel_shift = 24, .engine_shift = 16, .valid = 1u << 31, .dma_timeslice = TIMESLICE,   \
    .user = NV_USER_PIO, .user_stride = NV_USER_PIO_CHANNEL, .user_get = NV_USER_DMA_GET

#define NV10_VARIANT                                                                                                   \
    NV4_VARIANT, .pushbuffer_object = NV10_RAMFC_DMA_INSTANCE, .values = {{NV10_RAMFC_DMA_FETCH, FETCH}}

/* The second word: the channel's timeslice. */
#define NV40_VARIANT                                                                                                   \
    .cache = &driver_cache_nv40, .ramin_bar = 3, .ramfc = 0x20000, .ramro = 0x18000, .heap = 0x40000,                  \
    .gart_bytes = 0x20000000, .channel_shift = 23, .engine_shift = 20, .pushbuffer_object = NV40_RAMFC_DMA_INSTANCE,   \
    .graph_page = NV40_RAMFC_GRCTX,                                                                                    \
    .values = {{NV40_RAMFC_DMA_FETCH, FETCH | SLI_ACTIVE | SLI_ENABLE}, {NV40_RAMFC_DMA_TIMESLICE, 0x1ffff}},          \
    .dma_timeslice = 0x20000000 | TIMESLICE, .user = NV_USER_DMA, .user_stride = NV_USER_DMA_CHANNEL_NV40,             \
    .user_get = NV_USER_DMA_CGET

/* The first row that fits. */
static const struct nv4_driver_variant variants[] = {
    {"NV4:NV10", &driver_cache_nv4, NV4_VARIANT, .pushbuffer_object = NV4_RAMFC_DMA_INSTANCE,
     .values = {{NV4_RAMFC_DMA_FETCH, FETCH}}, .set_ramfc = set_ramfc_small, .ramfc_regs = regs_nv4},
    {"NV10:NV1A", &driver_cache_nv4, NV10_VARIANT, .set_ramfc = set_ramfc_small, .ramfc_regs = regs_nv10},
    {"NV1A:NV40", &driver_cache_nv1a, NV10_VARIANT, .set_ramfc = set_ramfc_large, .ramfc_regs = regs_nv1a},
    {"NV40 NV45", NV40_VARIANT, .set_ramfc = set_ramfc_nv40, .ramfc_regs = regs_nv40},
    {"NV41:NV44", NV40_VARIANT, .set_ramfc = set_ramfc_nv40, .ramfc_regs = regs_nv41},
    {"G70 G71 G73 RSX", NV40_VARIANT, .set_ramfc = set_ramfc_in_ramin, .ramfc_regs = regs_nv41},
    {"NV44:G80", NV40_VARIANT, .set_ramfc = set_ramfc_in_vram, .ramfc_regs = regs_nv41},
};

const struct nv4_driver_variant *nv4_find_variant(const struct pfifo_chip *chip) {
    return CHIP_ROW(chip, variants);
}
