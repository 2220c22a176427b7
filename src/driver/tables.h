/* SPDX-License-Identifier: MIT */
/*
 * Writers of page tables, one per format. They keep no state: tables that exist are found by reading instance memory.
 * Tables stay as long as their space. The caller flushes TLBs.
 *
 *   pages --piece in one table--> run of entries --BAR 3, or the window of BAR 0--> table
 */
#ifndef PFIFO_SRC_DRIVER_TABLES_H
#define PFIFO_SRC_DRIVER_TABLES_H

#include "driver/driver.h"

/* Pages of contiguous physical memory, and how they are mapped. */
struct table_pages {
    uint64_t physical;
    bool system; /* in system memory */
    bool big;    /* big pages, where both addresses allow it */
    bool read_only;
    uint8_t kind; /* storage type; 0: pitch */
};

struct table_ops {
    uint64_t (*directory_bytes)(uint64_t big_bytes);
    uint64_t directory_align;
    uint32_t directory_flags; /* of word 0x200 of an instance block, GF100- */
    unsigned va_bits;
    uint64_t big_bytes; /* of a big page, unless a space says otherwise; G80: of the largest contiguous block */
    uint8_t kinds;      /* number of storage types */
    /*
     * Map pages. False: no memory for a table; the range is undefined then, and the caller unmaps it.
     * `changed` is set when the directory itself changed.
     */
    bool (*map)(struct pfifo_device *device, const struct table_space *space, uint64_t va, uint64_t bytes,
                const struct table_pages *pages, bool *changed);
    void (*unmap)(struct pfifo_device *device, const struct table_space *space, uint64_t va, uint64_t bytes);
    /* Let a range read 0 and ignore writes. False as above. NULL: the hardware cannot. */
    bool (*map_sparse)(struct pfifo_device *device, const struct table_space *space, uint64_t va, uint64_t bytes,
                       bool *changed);
    /* Give all tables back, but not the directory. */
    void (*free_tables)(struct pfifo_device *device, const struct table_space *space);
};

/*
 * Entries of 8 bytes that follow each other, written in one go. entry_flush() writes what is left; without it nothing
 * has reached the table.
 */
#define ENTRY_RUN 256u

struct entry_run {
    struct pfifo_device *device;
    uint64_t at; /* of the first */
    size_t count;
    uint8_t bytes[8 * ENTRY_RUN];
};

void entry_put(struct entry_run *run, uint64_t entry);
void entry_flush(struct entry_run *run);
/* Entries of contiguous pages: each is `step` more than the one before. */
void entries_write(struct pfifo_device *device, uint64_t at, uint64_t first, uint64_t step, uint64_t count);
void entries_clear(struct pfifo_device *device, uint64_t at, uint64_t count);

/* How many of `bytes` at `va` are in the same table. */
static inline uint64_t in_table(uint64_t va, uint64_t bytes, uint64_t table_reach) {
    uint64_t left = table_reach - va % table_reach;
    return bytes < left ? bytes : left;
}

/* How many of `bytes` get pages of one size: big ones where both addresses allow it. */
uint64_t pages_in_a_row(uint64_t va, uint64_t physical, uint64_t bytes, uint64_t big, bool *is_big);
/* The big pages that begin in a range. */
static inline uint64_t big_pages_from(uint64_t va, uint64_t bytes, uint64_t big) {
    return (va + bytes + big - 1) / big - (va + big - 1) / big;
}

/*
 * table_pair.c: formats that have a table of big and one of 4 KiB pages for the same addresses, GF100 and later. The
 * functions are those of struct table_ops.
 */
struct table_pair {
    unsigned frame_shift;                        /* what an entry's address is shifted by */
    unsigned kind_shift;                         /* where an entry has the kind */
    uint64_t present, system, read_only, sparse; /* entries, and bits of them */
    /* The bytes of virtual space that a pair is for. */
    uint64_t (*reach)(const struct table_space *space);
    /* The table of an address; made, unless `changed` is NULL. 0: there is none, or no memory for it. */
    uint64_t (*table)(struct pfifo_device *device, const struct table_space *space, uint64_t va, bool big,
                      bool *changed);
};

bool table_pair_map(struct pfifo_device *device, const struct table_pair *pair, const struct table_space *space,
                    uint64_t va, uint64_t bytes, const struct table_pages *pages, bool *changed);
void table_pair_unmap(struct pfifo_device *device, const struct table_pair *pair, const struct table_space *space,
                      uint64_t va, uint64_t bytes);
bool table_pair_map_sparse(struct pfifo_device *device, const struct table_pair *pair, const struct table_space *space,
                           uint64_t va, uint64_t bytes, bool *changed);

extern const struct table_ops tables_g80, tables_gf100, tables_gm200, tables_gp100;

#endif
