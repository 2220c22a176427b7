/* SPDX-License-Identifier: MIT */
#include "pci/pages.h"

#include <assert.h>
#include <stdlib.h>

#include "pci/tap.h"

#define FIRST_ROOM 256u

/* Where the page is, or would be. */
static struct session_page *pages_place_of(const struct session_pages *pages, uint64_t number) {
    uint64_t hash = number * UINT64_C(0x9e3779b97f4a7c15);
    size_t at = (size_t)(hash >> 32) & (pages->room - 1);
    assert(pages->count < pages->room && (pages->room & (pages->room - 1)) == 0); /* so that the search ends */
    while (pages->place[at].data && pages->place[at].number != number)
        at = (at + 1) & (pages->room - 1);
    return &pages->place[at];
}

static bool pages_make_room(struct session_pages *pages) {
    if (pages->count < pages->room / 2)
        return true;
    struct session_pages larger = *pages;
    larger.room = pages->room ? 2 * pages->room : FIRST_ROOM;
    larger.place = calloc(larger.room, sizeof *larger.place);
    if (!larger.place)
        return false;
    for (size_t i = 0; i < pages->room; i++)
        if (pages->place[i].data)
            *pages_place_of(&larger, pages->place[i].number) = pages->place[i];
    free(pages->place);
    *pages = larger;
    return true;
}

struct session_page *session_page(struct session_pages *pages, uint64_t number) {
    struct session_page *page = pages->room ? pages_place_of(pages, number) : NULL;
    if (page && page->data)
        return page;
    if (pages->count >= pages->most || !pages_make_room(pages))
        return NULL;
    uint8_t *data = calloc(1, PCI_TAP_PAGE);
    if (!data)
        return NULL;
    page = pages_place_of(pages, number);
    *page = (struct session_page){.number = number, .data = data};
    pages->count++;
    return page;
}

void session_pages_free(struct session_pages *pages) {
    for (size_t i = 0; i < pages->room; i++)
        free(pages->place[i].data);
    free(pages->place);
    *pages = (struct session_pages){0};
}
