/* SPDX-License-Identifier: MIT */
/* A card for tests of protocols: two BARs of storage that remembers accesses, and lines that a test moves. */
#ifndef TESTS_PCI_FAKE_CARD_H
#define TESTS_PCI_FAKE_CARD_H

#include <pfifo/pci.h>

#define FAKE_BAR0_BYTES 0x1000000u

/* As the card's hardware would. */
void fake_card_intx(struct pfifo_pci *card, bool level);
void fake_card_msi(struct pfifo_pci *card, uint64_t address, uint32_t data);

struct fake_card_range {
    uint64_t address, bytes;
    uint8_t *host;
};
/* NULL: there is no such range. */
const struct fake_card_range *fake_card_range(const struct pfifo_pci *card, unsigned index);
unsigned fake_card_resets(const struct pfifo_pci *card);
/* How often pfifo_pci_due() was asked. */
unsigned fake_card_asked(const struct pfifo_pci *card);

/* The next read at this offset of BAR0, and every later one, lets the line fall, as an acknowledge does. */
#define FAKE_ACKNOWLEDGE 0x100u

#endif
