/* SPDX-License-Identifier: MIT */
/*
 * The guest's memory: ranges of bus addresses, sorted. The card is master of the bus only while the command register
 * says so.
 */
#include "pci/card.h"

#include <assert.h>

size_t pci_dma_range(const struct pfifo_pci *card, uint64_t address) {
    size_t low = 0, high = card->dma_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (card->dma[middle].last < address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void *pci_dma_find(void *opaque, uint64_t address, uint64_t *bytes, bool write) {
    struct pfifo_pci *card = opaque;
    size_t at = pci_dma_range(card, address);
    if (at == card->dma_count || card->dma[at].first > address || !(pci_command(card) & PCI_MASTER))
        return NULL;
    const struct pci_dma *range = &card->dma[at];
    assert(address <= range->last && (range->host || range->remote.read));
    if (write && !range->writable)
        return NULL;
    if (*bytes && *bytes - 1 > range->last - address)
        *bytes = range->last - address + 1;
    uint8_t *host = range->host ? range->host + (address - range->first) : NULL;
    if (!host && !(host = pci_remote_find(card, range, address, bytes, write)))
        return NULL;
    if (range->host && card->remote.data.count)
        pci_remote_leave(card, write);
    if (card->tap && card->tap->page) {
        uint64_t room = PCI_TAP_PAGE - address % PCI_TAP_PAGE;
        *bytes = *bytes && *bytes < room ? *bytes : room;
        return card->tap->page(card->tap, address, host, write);
    }
    return host;
}

/* The last address of a range. */
static enum pfifo_status dma_check_range(const struct pfifo_pci *card, uint64_t address, uint64_t bytes, uint64_t *last,
                                         struct pfifo_error *error) {
    if (card->gpu->running)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "the guest's memory cannot change in a run");
    if (!bytes || bytes - 1 > UINT64_MAX - address)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "0x%llx bytes at 0x%llx are no range",
                               (unsigned long long)bytes, (unsigned long long)address);
    *last = address + (bytes - 1);
    return PFIFO_OK;
}

static enum pfifo_status dma_add_range(struct pfifo_pci *card, struct pci_dma range, uint64_t bytes,
                                       struct pfifo_error *error) {
    uint64_t address = range.first;
    enum pfifo_status status = dma_check_range(card, address, bytes, &range.last, error);
    if (status != PFIFO_OK)
        return status;
    size_t at = pci_dma_range(card, address);
    if (card->tap && (address | bytes) % PCI_TAP_PAGE)
        return pfifo_error_set(error, PFIFO_ERROR_UNSUPPORTED, "ranges of a session are of whole pages");
    if (!range.host && !range.remote.read)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "a range needs memory");
    if (at < card->dma_count && card->dma[at].first <= range.last)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "0x%llx bytes at 0x%llx overlap the range at 0x%llx",
                               (unsigned long long)bytes, (unsigned long long)address,
                               (unsigned long long)card->dma[at].first);
    if (card->dma_count == PFIFO_PCI_DMA_MAX)
        return pfifo_error_set(error, PFIFO_ERROR_UNSUPPORTED, "there are %u ranges already", PFIFO_PCI_DMA_MAX);
    assert(at == 0 || card->dma[at - 1].last < address);
    memmove(&card->dma[at + 1], &card->dma[at], (card->dma_count - at) * sizeof card->dma[0]);
    pci_begin(card);
    card->dma[at] = range;
    card->dma_count++;
    pci_end(card, &(struct session_record){.type = SESSION_MAP, .field = {address, bytes, range.writable}});
    return PFIFO_OK;
}

enum pfifo_status pfifo_pci_dma_map(struct pfifo_pci *card, uint64_t address, uint64_t bytes, void *host, bool writable,
                                    struct pfifo_error *error) {
    return dma_add_range(card, (struct pci_dma){.first = address, .host = host, .writable = writable}, bytes, error);
}

enum pfifo_status pfifo_pci_dma_map_remote(struct pfifo_pci *card, uint64_t address, uint64_t bytes,
                                           const struct pfifo_pci_remote *remote, struct pfifo_error *error) {
    return dma_add_range(card, (struct pci_dma){.first = address, .writable = remote->write != NULL, .remote = *remote},
                         bytes, error);
}

enum pfifo_status pfifo_pci_dma_unmap(struct pfifo_pci *card, uint64_t address, uint64_t bytes,
                                      struct pfifo_error *error) {
    uint64_t last = 0;
    enum pfifo_status status = dma_check_range(card, address, bytes, &last, error);
    if (status != PFIFO_OK)
        return status;
    size_t begin = pci_dma_range(card, address), end = begin;
    for (; end < card->dma_count && card->dma[end].first <= last; end++)
        if (card->dma[end].first < address || card->dma[end].last > last)
            return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "the range at 0x%llx lies across the edge",
                                   (unsigned long long)card->dma[end].first);
    assert(begin <= end && end <= card->dma_count);
    pci_begin(card);
    memmove(&card->dma[begin], &card->dma[end], (card->dma_count - end) * sizeof card->dma[0]);
    card->dma_count -= end - begin;
    pci_end(card, &(struct session_record){.type = SESSION_UNMAP, .field = {address, bytes}});
    return PFIFO_OK;
}

size_t pfifo_pci_dma_count(const struct pfifo_pci *card) {
    return card->dma_count;
}
