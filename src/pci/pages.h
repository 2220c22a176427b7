/* SPDX-License-Identifier: MIT */
/* Pages of the guest's memory that the GPU has used, by their number: a hash table with linear probing. */
#ifndef PFIFO_SRC_PCI_PAGES_H
#define PFIFO_SRC_PCI_PAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct session_page {
    uint64_t number;
    uint64_t seen;    /* the operation that compared it last */
    uint64_t written; /* and that wrote to it last */
    bool dirty;       /* the GPU has written to it since it was compared */
    uint8_t *data;    /* NULL: a free place */
};

struct session_pages {
    struct session_page *place;
    size_t count, room; /* room is a power of two, or 0 */
    size_t most;        /* pages at a time */
};

/* The page, all zero if it is new. NULL: no memory, or too many. Valid until the next call. */
struct session_page *session_page(struct session_pages *pages, uint64_t number);
void session_pages_free(struct session_pages *pages);

#endif
