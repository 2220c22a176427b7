/* SPDX-License-Identifier: MIT */
#include "pci/fake_card.h"

#include <stdlib.h>
#include <string.h>

#define RANGES 8u

struct pfifo_pci {
    struct pfifo_pci_config config;
    struct pfifo_gpu *gpu;
    uint8_t space[PFIFO_PCI_CONFIG_BYTES];
    struct fake_card_range ranges[RANGES];
    size_t range_count;
    unsigned resets, asked;
    uint8_t bar0[FAKE_BAR0_BYTES];
};

static void power_on(struct pfifo_pci *card) {
    static const uint8_t ids[] = {0xde, 0x10, 0x22, 0x03};

    memset(card->space, 0, sizeof card->space);
    memcpy(card->space, ids, sizeof ids);
    card->space[0x0b] = 3;
    card->space[0x3d] = 1;
}

struct pfifo_pci *pfifo_pci_new(const struct pfifo_pci_config *config, struct pfifo_error *error) {
    struct pfifo_pci *card = calloc(1, sizeof *card);

    if (!card)
        return NULL;
    card->config = *config;
    card->gpu = pfifo_gpu_new(&config->gpu, error);
    power_on(card);
    return card;
}

void pfifo_pci_free(struct pfifo_pci *card) {
    if (card)
        pfifo_gpu_free(card->gpu);
    free(card);
}

struct pfifo_gpu *pfifo_pci_gpu(struct pfifo_pci *card) {
    return card->gpu;
}

enum pfifo_status pfifo_pci_reset(struct pfifo_pci *card, struct pfifo_error *error) {
    (void)error;
    power_on(card);
    card->resets++;
    return PFIFO_OK;
}

enum pfifo_stop pfifo_pci_run(struct pfifo_pci *card, uint64_t budget) {
    return pfifo_gpu_run(card->gpu, budget);
}

uint64_t pfifo_pci_due(struct pfifo_pci *card) {
    card->asked++;
    return pfifo_gpu_due(card->gpu);
}

uint32_t pfifo_pci_config_read(struct pfifo_pci *card, unsigned offset, unsigned bytes) {
    uint32_t value = 0;

    memcpy(&value, card->space + offset, bytes);
    return value;
}

static void mask(struct pfifo_pci *card, unsigned offset, uint32_t bits) {
    uint32_t value;

    memcpy(&value, card->space + offset, sizeof value);
    value &= bits;
    memcpy(card->space + offset, &value, sizeof value);
}

void pfifo_pci_config_write(struct pfifo_pci *card, unsigned offset, unsigned bytes, uint32_t value) {
    if (offset < 4)
        return;
    memcpy(card->space + offset, &value, bytes);
    mask(card, 0x10, -FAKE_BAR0_BYTES);
    for (unsigned bar = 0x14; bar <= 0x30; bar += 4)
        mask(card, bar, 0);
}

static bool is_inside(unsigned region, uint64_t offset, size_t bytes) {
    return region == 0 && offset < FAKE_BAR0_BYTES && bytes <= FAKE_BAR0_BYTES - offset;
}

void pfifo_pci_region_read(struct pfifo_pci *card, unsigned region, uint64_t offset, void *data, size_t bytes) {
    memset(data, 0, bytes);
    if (!is_inside(region, offset, bytes))
        return;
    memcpy(data, card->bar0 + offset, bytes);
    if (offset == FAKE_ACKNOWLEDGE)
        card->config.intx(card->config.opaque, false);
}

void pfifo_pci_region_write(struct pfifo_pci *card, unsigned region, uint64_t offset, const void *data, size_t bytes) {
    if (is_inside(region, offset, bytes))
        memcpy(card->bar0 + offset, data, bytes);
}

bool pfifo_pci_find(const struct pfifo_pci *card, bool ports, uint64_t address, unsigned *region, uint64_t *offset) {
    uint32_t base;

    memcpy(&base, card->space + 0x10, sizeof base);
    *region = 0;
    *offset = address - base;
    return !ports && (card->space[4] & 2) && address >= base && *offset < FAKE_BAR0_BYTES;
}

enum pfifo_status pfifo_pci_dma_map(struct pfifo_pci *card, uint64_t address, uint64_t bytes, void *host, bool writable,
                                    struct pfifo_error *error) {
    (void)writable;
    for (size_t i = 0; i < card->range_count; i++)
        if (address < card->ranges[i].address + card->ranges[i].bytes && card->ranges[i].address < address + bytes)
            return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "ranges overlap");
    card->ranges[card->range_count++] = (struct fake_card_range){address, bytes, host};
    return PFIFO_OK;
}

enum pfifo_status pfifo_pci_dma_unmap(struct pfifo_pci *card, uint64_t address, uint64_t bytes,
                                      struct pfifo_error *error) {
    size_t kept = 0;

    (void)error;
    for (size_t i = 0; i < card->range_count; i++)
        if (card->ranges[i].address < address || card->ranges[i].address - address >= bytes)
            card->ranges[kept++] = card->ranges[i];
    card->range_count = kept;
    return PFIFO_OK;
}

/* ---- for tests ---- */

const struct fake_card_range *fake_card_range(const struct pfifo_pci *card, unsigned index) {
    return index < card->range_count ? &card->ranges[index] : NULL;
}

unsigned fake_card_resets(const struct pfifo_pci *card) {
    return card->resets;
}

unsigned fake_card_asked(const struct pfifo_pci *card) {
    return card->asked;
}

void fake_card_intx(struct pfifo_pci *card, bool level) {
    card->config.intx(card->config.opaque, level);
}

void fake_card_msi(struct pfifo_pci *card, uint64_t address, uint32_t data) {
    card->config.msi(card->config.opaque, address, data);
}
