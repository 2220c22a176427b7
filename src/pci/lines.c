/* SPDX-License-Identifier: MIT */
/*
 * Interrupts: the GPU's line, and what becomes of it on the bus.
 *
 *   line --[MSI disabled, command bit 10 clear]--> INTA
 *        --[MSI enabled, bus master, armed]------> a message; armed again by the driver
 *
 * A message is sent when all three hold; it disarms. nouveau arms after each message (nvkm/subdev/pci/nv40.c, nv46.c,
 * gf100.c, gp100.c), with the line held low by PMC INTR_EN meanwhile.
 *
 * UNKNOWN: whether a line that rises again, not armed, sends a message. Chosen: no; it is sent when the driver arms.
 * UNKNOWN: which of the ways to arm each chip takes. Chosen: a write to the first byte of the capability arms all, and
 * on GF100 and later one to 0x88704, too.
 */
#include "pci/card.h"

static void set_intx(struct pfifo_pci *card, bool level) {
    if (card->state.intx == level)
        return;
    card->state.intx = level;
    if (card->tap && card->tap->intx)
        card->tap->intx(card->tap, level);
    if (card->config.intx && card->remote.data.count)
        pci_remote_flush(card); /* the guest finds what the interrupt tells of */
    if (card->config.intx)
        card->config.intx(card->config.opaque, level);
}

static void send_message(struct pfifo_pci *card) {
    uint64_t address = pci_config_get(card, PCI_MSI + 4) | (uint64_t)pci_config_get(card, PCI_MSI + 8) << 32;
    uint32_t data = pci_config_get(card, PCI_MSI + 12) & 0xffff;
    card->state.armed = false;
    if (card->tap && card->tap->msi)
        card->tap->msi(card->tap, address, data);
    if (card->config.msi && card->remote.data.count)
        pci_remote_flush(card);
    if (card->config.msi)
        card->config.msi(card->config.opaque, address, data);
}

void pci_lines_update(struct pfifo_pci *card) {
    if (card->quiet)
        return;
    bool msi = pci_msi_enabled(card), master = pci_command(card) & PCI_MASTER;
    set_intx(card, card->state.line && !msi && !(pci_command(card) & PCI_INTX_DISABLE));
    if (msi && master && card->state.armed && card->state.line)
        send_message(card);
}

void pci_lines_arm(struct pfifo_pci *card) {
    card->state.armed = true;
    pci_lines_update(card);
}

void pci_lines_irq(void *opaque, bool level) {
    struct pfifo_pci *card = opaque;
    card->state.line = level;
    pci_lines_update(card);
}

bool pfifo_pci_intx(const struct pfifo_pci *card) {
    return card->state.intx;
}
