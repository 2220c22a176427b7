/* SPDX-License-Identifier: MIT */
/*
 * Interrupts of vfio: eventfds of the client.
 *
 *   INTx    a level: when it is signalled it is masked, until the client unmasks it; if it is still up, it comes again
 *   MSI     one vector
 *
 * Source: Linux include/uapi/linux/vfio.h, VFIO_DEVICE_SET_IRQS
 */
#ifndef PFIFO_FACE_PCI_VFIO_IRQS_H
#define PFIFO_FACE_PCI_VFIO_IRQS_H

#include "face/pci/serve/event_fd.h"

#include <pfifo/pci.h>

enum { VFIO_IRQ_INTX, VFIO_IRQ_MSI, VFIO_IRQ_MSIX, VFIO_IRQ_ERR, VFIO_IRQ_REQ, VFIO_IRQS };

struct vfio_irqs {
    struct event_fd_bell bell;
    int intx, unmask, msi; /* -1: none */
    bool level, masked;
    bool has_msi;
};

#define VFIO_SET_IRQS_BYTES 20u /* before its data */

void vfio_irqs_begin(struct vfio_irqs *irqs);
void vfio_irqs_end(struct vfio_irqs *irqs);

/* Interrupts of an index, and flags of IRQ_INFO. */
uint32_t vfio_irqs_info(const struct vfio_irqs *irqs, uint32_t index, uint32_t *flags);
/* A SET_IRQS. Descriptors that are taken become -1. 0, or an errno. */
int vfio_irqs_set(struct vfio_irqs *irqs, const uint8_t *payload, size_t bytes, int *fds, unsigned fd_count);

void vfio_irqs_level(struct vfio_irqs *irqs, bool level);
void vfio_irqs_message(struct vfio_irqs *irqs);
/* The descriptor `unmask` is readable. */
void vfio_irqs_unmask(struct vfio_irqs *irqs);

#endif
