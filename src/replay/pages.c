/* SPDX-License-Identifier: MIT */
#include "replay/pages.h"

#include <stdlib.h>
#include <string.h>

static const uint8_t zeros[PAGE_BYTES];

const uint8_t *page_recorded(const struct replay_page *page) {
    return page->pushed ? page->pushed->bytes : page->dump ? page->dump->bytes : zeros;
}

static void drop_dump(struct replay_page *page) {
    if (page->dump && !--page->dump->users)
        free(page->dump);
    page->dump = NULL;
}

static void drop_pushed(struct replay_page *page) {
    if (page->pushed && !--page->pushed->users)
        free(page->pushed);
    page->pushed = NULL;
}

bool page_keep_dump(struct replay_page *page, const uint8_t *data, uint32_t submission) {
    drop_pushed(page);
    page->has_dump = true;
    page->dumped = submission;
    if (memcmp(data, page_recorded(page), PAGE_BYTES) == 0)
        return true;
    if (page->dump && page->dump->users > 1)
        drop_dump(page);
    if (!page->dump)
        page->dump = malloc(sizeof *page->dump);
    if (!page->dump)
        return false;
    page->dump->users = 1;
    memcpy(page->dump->bytes, data, PAGE_BYTES);
    return true;
}

/* One that nobody else uses. */
static struct pushed_page *own_pushed(struct replay_page *page) {
    struct pushed_page *own;

    if (page->pushed && page->pushed->users == 1)
        return page->pushed;
    own = page->pushed ? malloc(sizeof *own) : calloc(1, sizeof *own);
    if (!own)
        return NULL;
    if (page->pushed)
        *own = *page->pushed;
    else
        memcpy(own->bytes, page_recorded(page), PAGE_BYTES);
    own->users = 1;
    drop_pushed(page);
    return page->pushed = own;
}

struct pushed_page *page_make_pushed(struct replay_page *page, uint32_t submission) {
    struct pushed_page *pushed = own_pushed(page);

    if (pushed && pushed->submission != submission) {
        memset(pushed->known, page->has_dump && page->dumped == submission ? 0xff : 0, sizeof pushed->known);
        pushed->submission = submission;
    }
    return pushed;
}

struct replay_page *pages_share(const struct replay_page *pages, size_t count) {
    struct replay_page *shared = count ? malloc(count * sizeof *shared) : NULL;

    if (!shared)
        return NULL;
    memcpy(shared, pages, count * sizeof *shared);
    for (size_t i = 0; i < count; i++) {
        if (shared[i].dump)
            shared[i].dump->users++;
        if (shared[i].pushed)
            shared[i].pushed->users++;
    }
    return shared;
}

void pages_free(struct replay_page *pages, size_t count) {
    for (size_t i = 0; pages && i < count; i++) {
        drop_pushed(&pages[i]);
        drop_dump(&pages[i]);
    }
    free(pages);
}
