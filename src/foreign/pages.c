/* SPDX-License-Identifier: MIT */
#include "foreign/pages.h"

#include <stdlib.h>
#include <string.h>

static size_t page_hash(uint32_t space, uint64_t number) {
    uint64_t hash = (number ^ (uint64_t)space << 40) * UINT64_C(0x9e3779b97f4a7c15);

    return (size_t)(hash >> 32);
}

/* Where a page is, or would be. There is always a free slot. */
static struct foreign_page **page_slot(struct foreign_page **slot, size_t room, uint32_t space, uint64_t number) {
    size_t at = page_hash(space, number) & (room - 1);

    while (slot[at] && (slot[at]->space != space || slot[at]->number != number))
        at = (at + 1) & (room - 1);
    return &slot[at];
}

static bool pages_grow(struct foreign_pages *pages) {
    size_t room = pages->room ? 2 * pages->room : 64;
    struct foreign_page **slot, **changed;

    if (2 * (pages->count + 1) <= pages->room)
        return true;
    slot = calloc(room, sizeof *slot);
    changed = realloc(pages->changed, room * sizeof *changed);
    pages->changed = changed ? changed : pages->changed;
    if (!slot || !changed) {
        free(slot);
        return false;
    }
    for (size_t i = 0; i < pages->room; i++)
        if (pages->slot[i])
            *page_slot(slot, room, pages->slot[i]->space, pages->slot[i]->number) = pages->slot[i];
    free(pages->slot);
    pages->slot = slot;
    pages->room = room;
    return true;
}

static struct foreign_page *page_make(struct foreign_pages *pages, uint32_t space, uint64_t number) {
    size_t *total = pages->total ? pages->total : &pages->count;
    struct foreign_page **slot;

    if (!pages_grow(pages))
        return NULL;
    slot = page_slot(pages->slot, pages->room, space, number);
    if (*slot || *total == FOREIGN_PAGES_MOST)
        return *slot;
    *slot = calloc(1, sizeof **slot);
    if (!*slot)
        return NULL;
    (*slot)->space = space;
    (*slot)->number = number;
    if (pages->total)
        ++*pages->total;
    pages->count++;
    return *slot;
}

bool foreign_pages_write(struct foreign_pages *pages, uint32_t space, uint64_t address, const uint8_t *data,
                         size_t bytes) {
    while (bytes) {
        struct foreign_page *page = page_make(pages, space, address / FOREIGN_PAGE);
        size_t offset = (size_t)(address % FOREIGN_PAGE);
        size_t part = bytes < FOREIGN_PAGE - offset ? bytes : FOREIGN_PAGE - offset;
        if (!page)
            return false;
        memcpy(page->bytes + offset, data, part);
        if (!page->changed)
            pages->changed[pages->changes++] = page;
        page->changed = true;
        address += part;
        data += part;
        bytes -= part;
    }
    return true;
}

void foreign_pages_read(const struct foreign_pages *pages, uint32_t space, uint64_t address, uint8_t *data,
                        size_t bytes) {
    while (bytes) {
        size_t offset = (size_t)(address % FOREIGN_PAGE);
        size_t part = bytes < FOREIGN_PAGE - offset ? bytes : FOREIGN_PAGE - offset;
        const struct foreign_page *page =
            pages->room ? *page_slot(pages->slot, pages->room, space, address / FOREIGN_PAGE) : NULL;
        if (page)
            memcpy(data, page->bytes + offset, part);
        else
            memset(data, 0, part);
        address += part;
        data += part;
        bytes -= part;
    }
}

static int compare_pages(const void *a, const void *b) {
    const struct foreign_page *left = *(struct foreign_page *const *)a, *right = *(struct foreign_page *const *)b;

    if (left->space != right->space)
        return left->space < right->space ? -1 : 1;
    return left->number < right->number ? -1 : left->number > right->number;
}

void foreign_pages_sort(struct foreign_pages *pages) {
    if (pages->changes)
        qsort(pages->changed, pages->changes, sizeof *pages->changed, compare_pages);
}

size_t foreign_pages_from(const struct foreign_pages *pages, uint32_t space, uint64_t number) {
    size_t first = 0, last = pages->changes;

    while (first < last) {
        size_t middle = first + (last - first) / 2;
        const struct foreign_page *page = pages->changed[middle];
        if (page->space < space || (page->space == space && page->number < number))
            first = middle + 1;
        else
            last = middle;
    }
    return first;
}

void foreign_pages_touch(struct foreign_pages *pages) {
    pages->changes = 0;
    for (size_t i = 0; i < pages->room; i++) {
        if (!pages->slot[i])
            continue;
        pages->slot[i]->changed = true;
        pages->changed[pages->changes++] = pages->slot[i];
    }
}

void foreign_pages_settle(struct foreign_pages *pages) {
    for (size_t i = 0; i < pages->changes; i++)
        pages->changed[i]->changed = false;
    pages->changes = 0;
}

void foreign_pages_free(struct foreign_pages *pages) {
    for (size_t i = 0; i < pages->room; i++)
        free(pages->slot[i]);
    free(pages->slot);
    free(pages->changed);
}
