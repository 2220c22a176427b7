/* SPDX-License-Identifier: MIT */
/*
 * The guest's memory where there is no pointer to it. The GPU gets a page of ours instead.
 *
 *   asked for --> the owner's read() --> page --> the GPU reads and writes --> the owner's write() of what has changed
 *
 * All is read and written as if the card had the bus for each access:
 *
 *   reads    a page is asked for anew whenever something else was looked at meanwhile, so that nothing is older than
 *            what was read before it (a pushbuffer and its PUT)
 *   writes   dwords that have changed, before the GPU begins to write elsewhere (data and its fence), before an
 *            interrupt, and at the end of the operation
 *
 * A pointer stays good until the end of the operation, so all this is for one thread: see side_by_side() of card.c.
 */
#include "pci/card.h"

#include <assert.h>

#define KEPT_PAGES 64u /* from one operation to the next, to be used again */

bool pci_remote_ranges(const struct pfifo_pci *card) {
    for (size_t i = 0; i < card->dma_count; i++)
        if (!card->dma[i].host)
            return true;
    return false;
}

/* The part of a page that is in the range. */
static uint64_t dma_remote_part_of(const struct pci_dma *range, uint64_t page, uint64_t *bytes) {
    uint64_t begin = page * PCI_REMOTE_PAGE, last = begin + (PCI_REMOTE_PAGE - 1);
    begin = begin < range->first ? range->first : begin;
    last = last > range->last ? range->last : last;
    assert(begin <= last);
    *bytes = last - begin + 1;
    return begin;
}

static bool differs(const uint8_t *now, const uint8_t *before, uint64_t at, uint64_t bytes) {
    return memcmp(now + at, before + at, (size_t)bytes) != 0;
}

/* Bytes up to the end of the dword, or of the part. */
static uint64_t dword_bytes(uint64_t at, uint64_t end) {
    uint64_t next = (at | 3) + 1;
    return (next < end ? next : end) - at;
}

/* What has changed in a range; at and end are offsets in the page. */
static void write_changes(const struct pci_dma *range, uint64_t page, const uint8_t *now, uint8_t *before, uint64_t at,
                          uint64_t end) {
    assert(end <= PCI_REMOTE_PAGE);
    while (at < end) {
        uint64_t begin = at;
        while (at < end && differs(now, before, at, dword_bytes(at, end)))
            at += dword_bytes(at, end);
        if (at == begin) {
            at += dword_bytes(at, end);
            continue;
        }
        size_t bytes = (size_t)(at - begin);
        range->remote.write(range->remote.opaque, page * PCI_REMOTE_PAGE + begin, now + begin, bytes);
        memcpy(before + begin, now + begin, bytes);
    }
}

/* Several ranges may have parts of the page. */
static void flush_page(struct pfifo_pci *card, uint64_t page) {
    struct pci_remote *remote = &card->remote;
    struct session_page *data = session_page(&remote->data, page), *before = session_page(&remote->before, page);
    if (!data || !before || !data->dirty)
        return;
    for (size_t i = pci_dma_range(card, page * PCI_REMOTE_PAGE); i < card->dma_count; i++) {
        const struct pci_dma *range = &card->dma[i];
        if (range->first / PCI_REMOTE_PAGE > page)
            break;
        uint64_t bytes, first = dma_remote_part_of(range, page, &bytes) % PCI_REMOTE_PAGE;
        if (!range->host && range->writable)
            write_changes(range, page, data->data, before->data, first, first + bytes);
    }
}

void pci_remote_flush(struct pfifo_pci *card) {
    struct pci_remote *remote = &card->remote;
    for (size_t i = 0; i < remote->data.room; i++) {
        const struct session_page *page = &remote->data.place[i];
        if (page->data && page->dirty && !(remote->writes && page->number == remote->written))
            flush_page(card, page->number);
    }
    if (remote->writes)
        flush_page(card, remote->written);
}

void pci_remote_leave(struct pfifo_pci *card, bool write) {
    struct pci_remote *remote = &card->remote;
    remote->current = false;
    if (write && remote->writes)
        flush_page(card, remote->written);
}

void pci_remote_end(struct pfifo_pci *card) {
    struct pci_remote *remote = &card->remote;
    pci_remote_flush(card);
    remote->current = remote->writes = false;
    if (remote->data.count > KEPT_PAGES)
        pci_remote_free(card);
    for (size_t i = 0; i < remote->data.room; i++)
        remote->data.place[i].dirty = false;
}

void pci_remote_free(struct pfifo_pci *card) {
    session_pages_free(&card->remote.data);
    session_pages_free(&card->remote.before);
}

/* A bus where nobody answers has all ones. */
static void dma_remote_fetch(const struct pci_dma *range, uint64_t page, uint8_t *data, uint8_t *before) {
    uint64_t bytes, first = dma_remote_part_of(range, page, &bytes), at = first % PCI_REMOTE_PAGE;
    if (!range->remote.read(range->remote.opaque, first, data + at, (size_t)bytes))
        memset(data + at, 0xff, (size_t)bytes);
    memcpy(before + at, data + at, (size_t)bytes);
}

void *pci_remote_find(struct pfifo_pci *card, const struct pci_dma *range, uint64_t address, uint64_t *bytes,
                      bool write) {
    struct pci_remote *remote = &card->remote;
    uint64_t number = address / PCI_REMOTE_PAGE, room = PCI_REMOTE_PAGE - address % PCI_REMOTE_PAGE;
    assert(!range->host && range->first <= address && address <= range->last);
    remote->data.most = remote->before.most = PCI_REMOTE_PAGES;
    struct session_page *page = session_page(&remote->data, number), *before = session_page(&remote->before, number);
    if (!page || !before)
        return NULL;
    bool current = card->inside && remote->current && remote->page == number && remote->range == range->first;
    if (write && remote->writes && remote->written != number)
        flush_page(card, remote->written);
    if (!current) {
        flush_page(card, number);
        dma_remote_fetch(range, number, page->data, before->data);
    }
    remote->current = true;
    remote->page = number;
    remote->range = range->first;
    if (write) {
        page->dirty = remote->writes = true;
        remote->written = number;
    }
    *bytes = *bytes && *bytes < room ? *bytes : room;
    return page->data + address % PCI_REMOTE_PAGE;
}
