/* SPDX-License-Identifier: MIT */
/* A card for the tests, with a slot that notes what the card says. */
#ifndef TESTS_PCI_SLOT_H
#define TESTS_PCI_SLOT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <pfifo/pci.h>

struct slot {
    struct pfifo_pci *card;
    bool intx;
    unsigned changes, messages, works;
    uint64_t address;
    uint32_t data;
};

static inline void slot_intx(void *opaque, bool level) {
    struct slot *slot = opaque;
    assert_true(slot->intx != level);
    slot->intx = level;
    slot->changes++;
}

static inline void slot_msi(void *opaque, uint64_t address, uint32_t data) {
    struct slot *slot = opaque;
    slot->messages++;
    slot->address = address;
    slot->data = data;
}

static inline void slot_work(void *opaque) {
    ((struct slot *)opaque)->works++;
}

static inline struct pfifo_pci_config slot_config(struct slot *slot, const struct pfifo_chip *chip) {
    *slot = (struct slot){0};
    struct pfifo_pci_config config = {.size = sizeof config, .intx = slot_intx, .msi = slot_msi, .opaque = slot};
    config.work = slot_work;
    config.gpu = (struct pfifo_config){.size = sizeof config.gpu, .chip = chip};
    return config;
}

static inline void slot_open(struct slot *slot, const char *chip) {
    struct pfifo_pci_config config = slot_config(slot, pfifo_chip_by_name(chip));
    slot->card = pfifo_pci_new(&config, NULL);
    assert_non_null(slot->card);
}

static inline void slot_close(struct slot *slot) {
    pfifo_pci_free(slot->card);
}

/* The card of each chip that has one; false: this chip has none. */
static inline bool slot_open_at(struct slot *slot, size_t index) {
    struct pfifo_error error = {0};
    struct pfifo_pci_config config = slot_config(slot, pfifo_chip_at(index));
    slot->card = pfifo_pci_new(&config, &error);
    if (!slot->card)
        assert_int_equal(error.status, PFIFO_ERROR_UNSUPPORTED);
    return slot->card != NULL;
}

static inline uint32_t rd32(struct slot *slot, uint32_t offset) {
    uint8_t data[4];
    pfifo_pci_region_read(slot->card, 0, offset, data, 4);
    return data[0] | (uint32_t)data[1] << 8 | (uint32_t)data[2] << 16 | (uint32_t)data[3] << 24;
}

static inline void wr32(struct slot *slot, uint32_t offset, uint32_t value) {
    const uint8_t data[4] = {(uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16), (uint8_t)(value >> 24)};
    pfifo_pci_region_write(slot->card, 0, offset, data, 4);
}

static inline uint8_t rd08(struct slot *slot, uint32_t offset) {
    uint8_t value;
    pfifo_pci_region_read(slot->card, 0, offset, &value, 1);
    return value;
}

static inline void wr08(struct slot *slot, uint32_t offset, uint8_t value) {
    pfifo_pci_region_write(slot->card, 0, offset, &value, 1);
}

static inline uint32_t cfg(struct slot *slot, unsigned offset) {
    return pfifo_pci_config_read(slot->card, offset, 4);
}

static inline void cfg_write(struct slot *slot, unsigned offset, unsigned bytes, uint32_t value) {
    pfifo_pci_config_write(slot->card, offset, bytes, value);
}

/* The software interrupt of PBUS is a line that every test can raise: here, PMC's, of all chips with a register. */
static inline void line_up(struct slot *slot) {
    wr32(slot, 0x140, 2); /* enable the software interrupt */
    wr32(slot, 0x100, 0x80000000);
}

#endif
