/* SPDX-License-Identifier: MIT */
/*
 * Memory of the guest that the client shares as messages, not as a file.
 *
 *   card --> struct pfifo_pci_remote --> DMA_READ, DMA_WRITE --> client
 *        <----- as the bus answers <---- its reply, waited for
 *
 * A reply with an error is a bus where nobody answers: the card reads all ones, and what it writes is lost. One of a
 * wrong size, address, count, id or command ends the connection: nothing that the card would find is then true. Each
 * write waits for its reply, so an interrupt, which the card raises after its writes, finds them done.
 *
 * The wait has no time limit: a client that is slow, or stopped by a debugger, is not wrong. It ends with the
 * connection or with the server. What the client asks meanwhile waits: the card is in the middle of an access or a run,
 * and a register has no value that could be told. It is answered in its order, after that access or run, which is
 * bounded. So a client must answer while it waits for an answer itself, as the specification demands of both sides.
 * [QEMU holds its lock while a virtual CPU waits for an access, and needs it to answer: both wait, until QEMU gives its
 * access up after five seconds (x-msg-timeout).]
 *
 * The count of a message has 64 bits in the specification and in libvfio-user. QEMU's client (hw/vfio-user,
 * VFIOUserDMARW) has 32 bits, with the data right after, 4 bytes earlier, in messages that are as large. Nothing
 * negotiates it. So it is found out: where the count's upper half would be, such a client has data. While all data is
 * zero it is not known, and does not matter for reads; a first write is looked at again.
 *
 * Sources: QEMU docs/interop/vfio-user.rst (DMA_READ, DMA_WRITE), hw/vfio-user/pci.c, protocol.h and proxy.c;
 *          libvfio-user lib/libvfio-user.c, vfu_dma_transfer()
 */
#ifndef PFIFO_FACE_PCI_VFIO_DMA_H
#define PFIFO_FACE_PCI_VFIO_DMA_H

#include "face/pci/serve/pump.h"
#include "face/pci/serve/vfio_user.h"

struct vfio_dma {
    struct vfio_user *client;
    int stop;      /* ends a wait; -1: nothing does */
    uint32_t most; /* data of a message, as the client wants it */
    bool narrow;   /* its counts have 32 bits, as it seems */
    bool sure;     /* and that is known */
    bool ended;    /* nothing more is asked: the client is gone or lies (then there is an error), or `stop` */
    struct pfifo_error error;
};

/* For struct pfifo_pci_remote; opaque is a struct vfio_dma. */
bool vfio_dma_read(void *opaque, uint64_t address, void *data, size_t bytes);
bool vfio_dma_write(void *opaque, uint64_t address, const void *data, size_t bytes);

/* After the card was called: whether the server goes on. */
enum serve_state vfio_dma_state(const struct vfio_dma *dma, struct pfifo_error *error);

#endif
