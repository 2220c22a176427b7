/* SPDX-License-Identifier: MIT */
/*
 * A table of counts by key. Guests choose the keys, so the number of rows is fixed; what does not fit is counted as a
 * whole.
 *
 *   key --hash--> slot of `index` --> row {key, count}          rows are in order of appearance until they are sorted
 */
#ifndef PFIFO_TRACE_TABLE_H
#define PFIFO_TRACE_TABLE_H

#include <pfifo/trace.h>

enum { TABLE_SLOTS = 2 * PFIFO_STATS_MAX_ROWS };

struct table_row {
    uint64_t key;
    uint64_t count;
};

struct table {
    size_t count;
    size_t sorted; /* rows that are known to be sorted; they are read more often than they change */
    struct table_row row[PFIFO_STATS_MAX_ROWS];
    uint16_t index[TABLE_SLOTS]; /* row + 1, 0: free */
};

/* Count one for `key`. */
void table_add(struct table *table, uint64_t key);

/* Row `index` by ascending key, NULL beyond the last. */
const struct table_row *table_at(struct table *table, size_t index);

#endif
