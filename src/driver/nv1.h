/* SPDX-License-Identifier: MIT */
/* What the files of the driver of NV1, NV3 and NV3T share: nv1.c, nv1_interrupt.c, nv3_objects.c. */
#ifndef PFIFO_SRC_DRIVER_NV1_H
#define PFIFO_SRC_DRIVER_NV1_H

#include "driver/driver.h"

#include "hw/pfifo_nv4.h"

/* DMA objects. */
#define NV1_OBJECT_BYTES   16u
#define NV1_OBJECT_PRESENT 0x00010000u
#define NV1_TARGET_PCI     0x02000000u
#define NV1_PTE_PRESENT    1u
#define NV1_PTE_WRITE      2u

/* The context word of a software object. */
#define CONTEXT_SOFTWARE 0x00010000u

struct nv1_driver_variant {
    const char *chips;
    unsigned ramin_bar; /* where RAMIN is visible */
    uint32_t ramin_at;
    uint32_t ramht, ramro, ramro_bytes, ramfc, heap; /* in RAMIN */
    struct driver_cache cache;
    uint32_t put;      /* register of CACHE1 */
    uint32_t graph;    /* bit of a context that says PGRAPH; NV1: the type says it */
    bool has_instance; /* a context has an instance, and says whose it is */
    uint8_t class_column;
    uint64_t vram_floor; /* VRAM below is the hardware's; 0: none */
    void (*set_places)(struct pfifo_device *device);
};

struct nv1_device {
    struct pfifo_device base;
    const struct nv1_driver_variant *variant;
    uint64_t gart_object;
};

struct nv1_channel {
    struct pfifo_channel base;
    struct channel_object vram; /* NV3: all of VRAM, if the program wants it; all of GART is an object of the device */
};

static inline const struct nv1_driver_variant *nv1_variant_of(const struct pfifo_device *device) {
    return ((const struct nv1_device *)device)->variant;
}

/* ---- nv3_objects.c ---- */

enum pfifo_status nv3_dma_object(struct pfifo_channel *channel, struct channel_object *object,
                                 const struct pfifo_buffer *buffer, uint64_t offset, uint64_t bytes,
                                 struct pfifo_error *error);
/* The handles of VRAM and GART that the program has asked for. */
enum pfifo_status nv3_add_spaces(struct nv1_channel *channel, struct pfifo_error *error);
/* struct driver_ops.graph_method */
bool nv3_graph_method(struct pfifo_device *device, const struct pfifo_device_fault *trapped);

/* nv1_interrupt.c: bits of INTR, a bit of 0 ends them. */
extern const struct driver_cache_handler nv1_handlers[];
void nv1_interrupt(struct pfifo_device *device, uint32_t lines);

#endif
