/* SPDX-License-Identifier: MIT */
/*
 * A card behind a socket.
 *
 *   client --access--> mpqemu --> card            the answer goes back at once
 *                        ^          |
 *                     poll(2) <-- GPU runs        with a bounded budget; then the socket is looked at again
 *
 * While nothing is to be done, the process sleeps. While a channel waits for memory that the guest may write at any
 * time, it looks now and then.
 */
#ifndef PFIFO_FACE_PCI_SERVE_H
#define PFIFO_FACE_PCI_SERVE_H

#include "face/pci/serve/guest_ram.h"
#include "face/pci/serve/interrupts.h"
#include "face/pci/serve/mpqemu.h"
#include "face/pci/serve/pump.h"

struct serve {
    struct mpqemu client;
    struct guest_ram ram;
    struct interrupts interrupts;
    struct pfifo_pci *card;
    struct pump pump;
    struct pump_port port; /* the owner's */
};

/* The sockets become the server's. qtest may be -1. Then the owner makes the card, with the callbacks below. */
void serve_begin(struct serve *serve, int client, int qtest);
/* Before the card is freed. */
void serve_end(struct serve *serve);

/* For struct pfifo_pci_config; opaque is the server. */
void serve_intx(void *opaque, bool level);
void serve_msi(void *opaque, uint64_t address, uint32_t data);

/* A pump_turn, whose server is a struct serve, and turns until the end. */
enum serve_state serve_turn(void *opaque, int stop, struct pfifo_error *error);
enum pfifo_status serve_run(struct serve *serve, int stop, struct pfifo_error *error);

#endif
