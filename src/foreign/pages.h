/* SPDX-License-Identifier: MIT */
/*
 * Memory that a file fills piece by piece: pages of some spaces. Only pages to which something is written are there.
 */
#ifndef PFIFO_SRC_FOREIGN_PAGES_H
#define PFIFO_SRC_FOREIGN_PAGES_H

#include "foreign/foreign.h"

#define FOREIGN_PAGE       4096u
#define FOREIGN_PAGES_MOST (1u << 17) /* 512 MiB, whatever a file says */

struct foreign_page {
    uint32_t space;
    uint64_t number; /* address / FOREIGN_PAGE */
    bool changed;    /* since the caller has cleared this */
    uint8_t bytes[FOREIGN_PAGE];
};

struct foreign_pages {
    struct foreign_page **slot; /* a hash table with open addressing */
    size_t room, count;
    struct foreign_page **changed; /* in the order in which they have changed; `room` at most */
    size_t changes;
    size_t *total; /* how many there are in several of these; NULL: of this one alone */
};

void foreign_pages_free(struct foreign_pages *pages);

/* Write bytes. False: there are too many pages, or no memory. */
bool foreign_pages_write(struct foreign_pages *pages, uint32_t space, uint64_t address, const uint8_t *data,
                         size_t bytes);
/* Read bytes; those of pages that are not there are 0. */
void foreign_pages_read(const struct foreign_pages *pages, uint32_t space, uint64_t address, uint8_t *data,
                        size_t bytes);

/* Sort what has changed by space and number. */
void foreign_pages_sort(struct foreign_pages *pages);
/* Of the sorted ones, the first of a space from a number on; `changes`: there is none. */
size_t foreign_pages_from(const struct foreign_pages *pages, uint32_t space, uint64_t number);
/* All of them have changed. */
void foreign_pages_touch(struct foreign_pages *pages);
/* Nothing has changed any more. */
void foreign_pages_settle(struct foreign_pages *pages);

#endif
