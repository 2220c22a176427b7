/* SPDX-License-Identifier: MIT */
#include "decode/pages.h"

#include <stdlib.h>
#include <string.h>

static size_t pages_hash(uint64_t number) {
    return (size_t)((number * UINT64_C(0x9e3779b97f4a7c15)) >> 32);
}

/* The slot of a page, or the free slot for it. */
static struct decode_page *pages_find_slot(const struct decode_pages *pages, uint64_t number) {
    size_t at = pages_hash(number) & (pages->size - 1);

    while (pages->slots[at].data && pages->slots[at].number != number)
        at = (at + 1) & (pages->size - 1);
    return &pages->slots[at];
}

static bool pages_grow(struct decode_pages *pages) {
    struct decode_pages larger = {.size = pages->size ? pages->size * 2 : 256, .used = pages->used};

    larger.slots = calloc(larger.size, sizeof *larger.slots);
    if (!larger.slots)
        return false;
    for (size_t i = 0; i < pages->size; i++)
        if (pages->slots[i].data)
            *pages_find_slot(&larger, pages->slots[i].number) = pages->slots[i];
    free(pages->slots);
    *pages = larger;
    return true;
}

bool decode_pages_put(struct decode_pages *pages, uint64_t number, const uint8_t *data) {
    struct decode_page *slot;

    if (pages->used * 2 >= pages->size && !pages_grow(pages))
        return false;
    slot = pages_find_slot(pages, number);
    if (!slot->data) {
        slot->data = malloc(DECODE_PAGE_BYTES);
        if (!slot->data)
            return false;
        slot->number = number;
        pages->used++;
    }
    memcpy(slot->data, data, DECODE_PAGE_BYTES);
    return true;
}

const uint8_t *decode_pages_get(const struct decode_pages *pages, uint64_t number) {
    return pages->size ? pages_find_slot(pages, number)->data : NULL;
}

void decode_pages_free(struct decode_pages *pages) {
    for (size_t i = 0; i < pages->size; i++)
        free(pages->slots[i].data);
    free(pages->slots);
    *pages = (struct decode_pages){0};
}
