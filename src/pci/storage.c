/* SPDX-License-Identifier: MIT */
/*
 * What nobody models: dwords of BAR0 that read as they were written, and how often they were accessed.
 *
 * Pages come on demand, at most three times the size of BAR0. Without memory for a page a write is lost.
 */
#include <assert.h>
#include <stdlib.h>

#include "pci/card.h"

struct pci_page *pci_storage_page(struct pfifo_pci *card, size_t number) {
    if (number >= card->page_count)
        return NULL;
    if (!card->pages[number])
        card->pages[number] = calloc(1, sizeof *card->pages[number]);
    return card->pages[number];
}

static void storage_count_up(uint32_t *count) {
    *count += *count != UINT32_MAX;
}

uint32_t pci_storage_read(struct pfifo_pci *card, uint32_t offset) {
    struct pci_page *page = pci_storage_page(card, offset / (4 * PCI_PAGE_WORDS));
    uint32_t word = offset / 4 % PCI_PAGE_WORDS;
    if (!page)
        return 0;
    storage_count_up(&page->reads[word]);
    return page->value[word];
}

void pci_storage_write(struct pfifo_pci *card, uint32_t offset, uint32_t value, unsigned lanes) {
    struct pci_page *page = pci_storage_page(card, offset / (4 * PCI_PAGE_WORDS));
    assert(lanes && lanes <= PCI_ALL_LANES);
    uint32_t word = offset / 4 % PCI_PAGE_WORDS, bits = pci_lane_bits(lanes);
    if (!page)
        return;
    storage_count_up(&page->writes[word]);
    page->value[word] = (page->value[word] & ~bits) | (value & bits);
}

void pci_storage_clear(struct pfifo_pci *card) {
    for (size_t i = 0; i < card->page_count; i++) {
        free(card->pages[i]);
        card->pages[i] = NULL;
    }
}

size_t pfifo_pci_unknown(const struct pfifo_pci *card, struct pfifo_pci_unknown *rows, size_t count) {
    size_t found = 0;
    for (size_t i = 0; i < card->page_count * PCI_PAGE_WORDS; i++) {
        const struct pci_page *page = card->pages[i / PCI_PAGE_WORDS];
        uint32_t word = i % PCI_PAGE_WORDS;
        if (!page || (!page->reads[word] && !page->writes[word]))
            continue;
        if (found < count)
            rows[found] =
                (struct pfifo_pci_unknown){(uint32_t)(4 * i), page->value[word], page->reads[word], page->writes[word]};
        found++;
    }
    return found;
}
