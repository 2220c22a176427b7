/* SPDX-License-Identifier: MIT */
#include "driver/nv4.h"

#include "hw/pfifo_nv4.h"
#include "hw/ramfc.h"
#include "hw/user.h"

#define FETCH         0x00086078u /* trigger 128 bytes, size 128 bytes, 8 requests */
#define RAMFC_UNKNOWN 0x00030000u /* [driver] */
#define TIMESLICE     0x0101ffffu

static void set_ramfc_small(struct pfifo_device *device) {
    device_wr32(device, NV_PFIFO_RAMFC, nv4_kind_of(device)->ramfc >> 8);
}

/*
 * nouveau uses the small form on NV1A and NV11, which have the large one, too. Semaphores and subroutines would not
 * survive a switch then: a channel that waits would forget for what, or return to another one's ring.
 */
static void set_ramfc_large(struct pfifo_device *device) {
    device_wr32(device, NV_PFIFO_RAMFC, RAMFC_LARGE | nv4_kind_of(device)->ramfc >> 8);
}

/* Chips that can choose where RAMFC is: in RAMIN where there is a GART table in RAMIN, else an address in VRAM. */
static void set_ramfc_nv40(struct pfifo_device *device) {
    const struct pfifo_chip *chip = device->chip;
    uint32_t ramfc = nv4_kind_of(device)->ramfc;
    bool in_ramin = chip->gart_page_bits && !chip->has_packed_gart;
    device_wr32(device, NV_PFIFO_SLI, 1);
    if (!chip->has_ramfc_select) {
        device_wr32(device, NV_PFIFO_RAMFC_NV40, RAMFC_UNKNOWN | ramfc >> 16);
        return;
    }
    uint64_t vram = ((struct nv4_device *)device)->vram_bytes - chip->ramin_chunk + ramfc;
    device_wr32(device, NV_PFIFO_RAMFC_SELECT, in_ramin);
    device_wr32(device, NV_PFIFO_RAMFC_NV40, RAMFC_UNKNOWN | (in_ramin ? ramfc >> 16 : (uint32_t)(vram >> 16)));
}

/* No CGET: while a segment runs, GET says nothing about the ring. */
#define NV4_KIND                                                                                                       \
    .ramin_bar = 0, .ramin_at = 0x700000, .ramfc = 0x18000, .ramro = 0x18800, .heap = 0x18a00,                         \
    .gart_bytes = 0x8000000, .channel_shift = 24, .engine_shift = 16, .valid = 1u << 31, .dma_timeslice = TIMESLICE,   \
    .user = NV_USER_PIO, .user_stride = NV_USER_PIO_CHANNEL, .user_get = NV_USER_DMA_GET

static const struct nv4_kind kinds[] = {
    {.chips = "NV4:NV10",
     NV4_KIND,
     .pushbuffer_object = NV4_RAMFC_DMA_INSTANCE,
     .values = {{NV4_RAMFC_DMA_FETCH, FETCH}},
     .set_ramfc = set_ramfc_small},
    {.chips = "NV10:NV1A",
     NV4_KIND,
     .pushbuffer_object = NV10_RAMFC_DMA_INSTANCE,
     .values = {{NV10_RAMFC_DMA_FETCH, FETCH}},
     .set_ramfc = set_ramfc_small},
    {.chips = "NV1A:NV40",
     NV4_KIND,
     .pushbuffer_object = NV10_RAMFC_DMA_INSTANCE,
     .values = {{NV10_RAMFC_DMA_FETCH, FETCH}},
     .set_ramfc = set_ramfc_large},
    {.chips = "NV40:G80",
     .ramin_bar = 3,
     .ramfc = 0x20000,
     .ramro = 0x18000,
     .heap = 0x40000,
     .gart_bytes = 0x20000000,
     .channel_shift = 23,
     .engine_shift = 20,
     .pushbuffer_object = NV40_RAMFC_DMA_INSTANCE,
     .graph_page = NV40_RAMFC_GRCTX,
     .values = {{NV40_RAMFC_DMA_FETCH, FETCH | SLI_ACTIVE | SLI_ENABLE},
                {NV40_RAMFC_DMA_TIMESLICE, 0x1ffff}}, /* the second: the channel's timeslice */
     .dma_timeslice = 0x20000000 | TIMESLICE,
     .set_ramfc = set_ramfc_nv40,
     .user = NV_USER_DMA,
     .user_stride = NV_USER_DMA_CHANNEL_NV40,
     .user_get = NV_USER_DMA_CGET},
};

const struct nv4_kind *nv4_find_kind(const struct pfifo_chip *chip) {
    return CHIP_ROW(chip, kinds);
}
