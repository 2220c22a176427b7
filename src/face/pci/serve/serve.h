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

struct serve {
    struct mpqemu client;
    struct guest_ram ram;
    struct interrupts interrupts;
    struct pfifo_pci *card;
    uint64_t patience; /* nanoseconds until the next look; 0: the last run did something */
    /* The owner may have one more descriptor watched. False: it is not to be watched any more. */
    int watched; /* -1: none */
    bool (*readable)(void *opaque);
    void *opaque;
};

/* The sockets become the server's. qtest may be -1. Then the owner makes the card, with the callbacks below. */
void serve_begin(struct serve *serve, int client, int qtest);
/* Before the card is freed. */
void serve_end(struct serve *serve);

/* For struct pfifo_pci_config; opaque is the server. */
void serve_intx(void *opaque, bool level);
void serve_msi(void *opaque, uint64_t address, uint32_t data);

enum serve_state {
    SERVE_GOES_ON,
    SERVE_ENDED,  /* the client is gone, or `stop` is readable */
    SERVE_BROKEN, /* the client is not to be trusted any more; see the error */
};

/* Wait, answer at most one message, run at most one budget. stop: -1, or a descriptor that ends the wait. */
enum serve_state serve_turn(struct serve *serve, int stop, struct pfifo_error *error);

/* Nanoseconds that the next turn may wait, UINT64_MAX: until something comes. */
uint64_t serve_timeout(struct serve *serve);

/* Turns until the end. PFIFO_OK: the client is gone, or `stop` is readable. */
enum pfifo_status serve_run(struct serve *serve, int stop, struct pfifo_error *error);

#endif
