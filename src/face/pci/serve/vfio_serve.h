/* SPDX-License-Identifier: MIT */
/*
 * A card behind vfio-user: QEMU 10.1 and later, cloud-hypervisor. As serve.h in all else.
 *
 * The client names regions and offsets, not addresses of the bus: 0 to 5 are the BARs, 6 the ROM, 7 configuration
 * space. VRAM comes as a file where BAR1 is a plain window to it, and then costs no message. A question that is wrong
 * is answered with an errno, and the connection goes on; one that is no message at all breaks it.
 */
#ifndef PFIFO_FACE_PCI_VFIO_SERVE_H
#define PFIFO_FACE_PCI_VFIO_SERVE_H

#include "face/pci/serve/pump.h"
#include "face/pci/serve/vfio_irqs.h"
#include "face/pci/serve/vfio_memory.h"
#include "face/pci/serve/vfio_user.h"

#include <pfifo/pci.h>

struct vfio_serve {
    struct vfio_user client;
    struct vfio_irqs irqs;
    struct pfifo_pci *card;
    struct vfio_memory memory;
    struct pump pump;
    struct pump_port port; /* the owner's */
    bool agreed;           /* about the version */
    bool multiple;         /* and that there are messages of several writes */
};

/* The socket becomes the server's. False: no memory. Then the owner makes the card, with the callbacks below. */
bool vfio_serve_begin(struct vfio_serve *serve, int client);
/* Before the card is freed. */
void vfio_serve_end(struct vfio_serve *serve);

/* For struct pfifo_pci_config; opaque is the server. */
void vfio_serve_intx(void *opaque, bool level);
void vfio_serve_msi(void *opaque, uint64_t address, uint32_t data);

/* A pump_turn, whose server is a struct vfio_serve, and turns until the end. */
enum serve_state vfio_serve_turn(void *opaque, int stop, struct pfifo_error *error);
enum pfifo_status vfio_serve_run(struct vfio_serve *serve, int stop, struct pfifo_error *error);

#endif
