/* SPDX-License-Identifier: MIT */
/*
 * Interrupts on their way to a guest in QEMU.
 *
 *   card -- INTA --+--> "set_irq_in ioapic 20 1"  qtest, a text protocol: any accelerator
 *                  +--> eventfd                   KVM only
 *   card -- MSI -----> "writel address data"      qtest
 *
 * QEMU answers a line of qtest with OK, also while it waits for the answer to an access. It does not while its main
 * thread waits, as at start and reset. So the wait for OK has a limit.
 *
 * Sources: QEMU softmmu/qtest.c, hw/remote/proxy.c; the pin is that of slot 4 on q35
 */
#ifndef PFIFO_FACE_PCI_INTERRUPTS_H
#define PFIFO_FACE_PCI_INTERRUPTS_H

#include "face/pci/serve/event_fd.h"

#include <pfifo/error.h>

#define INTERRUPTS_SLOT "04.0" /* where the pin leads to GSI 20 */

struct interrupts {
    int qtest;          /* -1: none */
    int line, resample; /* eventfds, -1: none */
    struct event_fd_bell bell;
    bool level, told; /* of INTA; what QEMU was told */
    bool late;        /* a message for which there was no room yet */
    uint64_t late_address;
    uint32_t late_data;
    uint64_t lost;    /* messages that cannot be delivered: there is no qtest */
    unsigned awaited; /* lines without an OK */
    char out[4096], in[256];
    size_t out_used, in_used;
    struct pfifo_error error; /* QEMU refused a line */
};

/* The descriptor, of a stream socket, becomes this one's. -1: none. */
void interrupts_begin(struct interrupts *interrupts, int qtest);
void interrupts_end(struct interrupts *interrupts);

/* Two eventfds of a SET_IRQFD, which become this one's. */
void interrupts_set_eventfds(struct interrupts *interrupts, int line, int resample);

void interrupts_level(struct interrupts *interrupts, bool level);
void interrupts_message(struct interrupts *interrupts, uint64_t address, uint32_t data);

/* Send and receive what is possible now. */
void interrupts_move(struct interrupts *interrupts);
/* The guest has ended its interrupt: again, if the line is still up. */
void interrupts_resample(struct interrupts *interrupts);
/* Wait until QEMU has taken all lines, but not for longer than its limit. */
void interrupts_settle(struct interrupts *interrupts);

#endif
