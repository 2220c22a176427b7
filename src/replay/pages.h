/* SPDX-License-Identifier: MIT */
/*
 * The recorded contents of a buffer's pages. Marks share them with the replay: what has other users is copied before it
 * is changed.
 */
#ifndef PFIFO_REPLAY_PAGES_H
#define PFIFO_REPLAY_PAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PAGE_BYTES = 4096, WORD_BYTES = 4, PAGE_WORDS = PAGE_BYTES / WORD_BYTES };

struct dumped_page {
    unsigned users;
    uint8_t bytes[PAGE_BYTES];
};

/* A page that a PUSH has words in. */
struct pushed_page {
    unsigned users;
    uint8_t bytes[PAGE_BYTES]; /* as recorded last, by BODATA and PUSHes */
    uint32_t submission;       /* that `known` is about */
    uint8_t known[PAGE_WORDS / 8];
};

/* The recorded contents of a page. */
struct replay_page {
    struct dumped_page *dump;   /* the last BODATA; NULL: none, or zeros */
    bool has_dump;              /* there was one */
    uint32_t dumped;            /* in this submission */
    struct pushed_page *pushed; /* NULL: the dump is all there is */
};

/* The contents of a page as recorded so far. */
const uint8_t *page_recorded(const struct replay_page *page);

/* What a PUSH had in the page does not matter any more. False: no memory. */
bool page_keep_dump(struct replay_page *page, const uint8_t *data, uint32_t submission);

/* To be changed, for a submission. NULL: no memory. */
struct pushed_page *page_make_pushed(struct replay_page *page, uint32_t submission);

/* Another table of the same pages. NULL: no memory, or there are none. */
struct replay_page *pages_share(const struct replay_page *pages, size_t count);
/* The table, and what nobody else uses (NULL allowed). */
void pages_free(struct replay_page *pages, size_t count);

#endif
