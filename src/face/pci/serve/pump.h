/* SPDX-License-Identifier: MIT */
/* The card's own work between messages, whatever the protocol. */
#ifndef PFIFO_FACE_PCI_PUMP_H
#define PFIFO_FACE_PCI_PUMP_H

#include <pfifo/pci.h>

#include <poll.h>

/* Nanoseconds that the server may wait, UINT64_MAX: until something comes. patience: see pump_run(). */
uint64_t pump_timeout(struct pfifo_pci *card, uint64_t patience);
/* poll(2) with nanoseconds. */
bool pump_wait(struct pollfd *fds, nfds_t count, uint64_t nanoseconds);
/*
 * One bounded run, if there is work. *patience becomes the time until the next look: 0 if the run did something. A
 * message that arrives makes it 0 as well.
 */
void pump_run(struct pfifo_pci *card, uint64_t *patience);

/* For struct pfifo_config: nanoseconds of the host. */
uint64_t pump_clock(void *opaque);

#endif
