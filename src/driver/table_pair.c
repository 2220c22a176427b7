/* SPDX-License-Identifier: MIT */
#include "driver/tables.h"

#define DIRECTORIES_MAX 8u /* that a range begins and ends in */

static uint64_t page_bytes_of(const struct table_space *space, bool big) {
    return big ? space->big_bytes : PAGE_BYTES;
}

static uint64_t table_pair_pte_at(const struct table_pair *pair, const struct table_space *space, uint64_t table,
                                  uint64_t va, bool big) {
    return table + 8 * (va % pair->reach(space) / page_bytes_of(space, big));
}

/* Map pages of one size, all in one pair of tables. */
static bool map_row(struct pfifo_device *device, const struct table_pair *pair, const struct table_space *space,
                    uint64_t va, uint64_t bytes, uint64_t first, bool big, bool *changed) {
    uint64_t page_bytes = page_bytes_of(space, big), table = pair->table(device, space, va, big, changed);
    if (table)
        entries_write(device, table_pair_pte_at(pair, space, table, va, big), first, page_bytes >> pair->frame_shift,
                      bytes / page_bytes);
    return table != 0;
}

bool table_pair_map(struct pfifo_device *device, const struct table_pair *pair, const struct table_space *space,
                    uint64_t va, uint64_t bytes, const struct table_pages *pages, bool *changed) {
    uint64_t physical = pages->physical, flags = pair->present | (uint64_t)pages->kind << pair->kind_shift;
    flags |= (pages->system ? pair->system : 0) | (pages->read_only ? pair->read_only : 0);
    for (uint64_t piece; bytes; va += piece, physical += piece, bytes -= piece) {
        bool big = false;
        piece = in_table(va, bytes, pair->reach(space));
        if (pages->big)
            piece = pages_in_a_row(va, physical, piece, space->big_bytes, &big);
        if (!map_row(device, pair, space, va, piece, physical >> pair->frame_shift | flags, big, changed))
            return false;
    }
    return true;
}

void table_pair_unmap(struct pfifo_device *device, const struct table_pair *pair, const struct table_space *space,
                      uint64_t va, uint64_t bytes) {
    uint64_t big_bytes = space->big_bytes;
    for (uint64_t piece; bytes; va += piece, bytes -= piece) {
        uint64_t small = pair->table(device, space, va, false, NULL);
        uint64_t big = pair->table(device, space, va, true, NULL);
        piece = in_table(va, bytes, pair->reach(space));
        if (small)
            entries_clear(device, table_pair_pte_at(pair, space, small, va, false), piece / PAGE_BYTES);
        if (big)
            entries_clear(device, table_pair_pte_at(pair, space, big, va + big_bytes - 1, true),
                          big_pages_from(va, piece, big_bytes));
    }
}

/*
 * Tables stay, so a range that cannot have all of its own gets none. With the directories above them, of which each has
 * 256 tables or more.
 */
static bool has_memory_for_small(struct pfifo_device *device, const struct table_pair *pair,
                                 const struct table_space *space, uint64_t va, uint64_t bytes) {
    const uint64_t table_bytes = pair->reach(space) / PAGE_BYTES * 8;
    uint64_t tables = 0, left = 0;
    for (uint64_t piece; bytes; va += piece, bytes -= piece) {
        piece = in_table(va, bytes, pair->reach(space));
        if (!pair->table(device, space, va, false, NULL) && tables++ == 0)
            left = inst_left(device);
        if (tables && tables * table_bytes + (tables / 256 + DIRECTORIES_MAX) * PAGE_BYTES > left)
            return false;
    }
    return true;
}

bool table_pair_map_sparse(struct pfifo_device *device, const struct table_pair *pair, const struct table_space *space,
                           uint64_t va, uint64_t bytes, bool *changed) {
    if (!has_memory_for_small(device, pair, space, va, bytes))
        return false;
    for (uint64_t piece; bytes; va += piece, bytes -= piece) {
        uint64_t table = pair->table(device, space, va, false, changed);
        if (!table)
            return false;
        piece = in_table(va, bytes, pair->reach(space));
        entries_write(device, table_pair_pte_at(pair, space, table, va, false), pair->sparse, 0, piece / PAGE_BYTES);
    }
    return true;
}
