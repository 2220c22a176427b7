/* SPDX-License-Identifier: MIT */
/* Ranges of the guest's memory: of files, which are mapped, and others, for which the client is asked (vfio_dma.h). */
#ifndef PFIFO_FACE_PCI_VFIO_MEMORY_H
#define PFIFO_FACE_PCI_VFIO_MEMORY_H

#include "face/pci/serve/vfio_dma.h"

#include <pfifo/pci.h>

struct vfio_range {
    uint64_t address, bytes;
    void *host; /* NULL: without a file */
};

struct vfio_memory {
    struct vfio_dma dma;
    struct vfio_range ranges[PFIFO_PCI_DMA_MAX]; /* all that the card has */
    unsigned count;
};

void vfio_memory_begin(struct vfio_memory *memory, struct vfio_user *client);
/* The card may be NULL if there are no ranges. */
void vfio_memory_end(struct vfio_memory *memory, struct pfifo_pci *card);

/* DMA_MAP and DMA_UNMAP. 0, or an errno. */
int vfio_memory_map(struct vfio_memory *memory, struct pfifo_pci *card, const uint8_t *payload, size_t bytes,
                    const int *fds, unsigned fd_count);
int vfio_memory_unmap(struct vfio_memory *memory, struct pfifo_pci *card, const uint8_t *payload, size_t bytes);

#endif
