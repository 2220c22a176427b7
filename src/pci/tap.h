/* SPDX-License-Identifier: MIT */
/*
 * What a card tells somebody who listens at its edge, as records of a session (docs/session-format.md). The listeners
 * are in src/session/.
 */
#ifndef PFIFO_SRC_PCI_TAP_H
#define PFIFO_SRC_PCI_TAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SESSION_FIELDS     6u
#define SESSION_ACCESS_MAX (UINT32_C(1) << 20)

enum session_type {
    SESSION_CARD = 1,
    SESSION_CONFIG_READ,
    SESSION_CONFIG_WRITE,
    SESSION_READ,
    SESSION_WRITE,
    SESSION_RESET,
    SESSION_MAP,
    SESSION_UNMAP,
    SESSION_RUN,
    SESSION_TIME,
    SESSION_PAGE,
    SESSION_INTX,
    SESSION_MSI,
    SESSION_TYPES,
};

struct session_record {
    uint32_t type; /* of enum session_type, or one that is not known */
    uint64_t field[SESSION_FIELDS];
    const uint8_t *tail;
    size_t tail_bytes;
};

/* How much of the guest memory a tap sees at once, and a session keeps. */
#define PCI_TAP_PAGE 0x1000u

/*
 * Somebody who notes or supplies what comes and goes at the card's edge: a session that is recorded, or replayed. Any
 * function may be NULL.
 */
struct pci_tap {
    void (*begin)(struct pci_tap *tap); /* of an operation of the owner */
    void (*end)(struct pci_tap *tap, const struct session_record *done);
    /* The time, instead of the owner's clock. */
    uint64_t (*clock)(struct pci_tap *tap);
    /* A piece of a page of the guest's memory is about to be used. Returns where the GPU finds it. */
    void *(*page)(struct pci_tap *tap, uint64_t address, void *host, bool write);
    void (*intx)(struct pci_tap *tap, bool level);
    void (*msi)(struct pci_tap *tap, uint64_t address, uint32_t data);
    void (*free)(struct pci_tap *tap);
};

#endif
