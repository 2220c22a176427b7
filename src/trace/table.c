/* SPDX-License-Identifier: MIT */
#include "trace/table.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(PFIFO_STATS_MAX_ROWS < UINT16_MAX, "a slot holds the number of a row");

/* The slot of `key`, or the free slot for it. Half of the slots are always free. */
static uint16_t *table_find_slot(struct table *table, uint64_t key) {
    size_t slot = (size_t)((key * UINT64_C(0x9e3779b97f4a7c15)) >> 32) % TABLE_SLOTS;

    while (table->index[slot] && table->row[table->index[slot] - 1].key != key)
        slot = (slot + 1) % TABLE_SLOTS;
    return &table->index[slot];
}

void table_add(struct table *table, uint64_t key) {
    uint16_t *slot = table_find_slot(table, key);

    if (!*slot) {
        if (table->count == PFIFO_STATS_MAX_ROWS)
            return;
        table->row[table->count] = (struct table_row){.key = key};
        *slot = (uint16_t)++table->count;
    }
    assert(*slot <= table->count && table->row[*slot - 1].key == key);
    table->row[*slot - 1].count++;
}

static int table_compare_rows(const void *a, const void *b) {
    const struct table_row *left = a, *right = b;

    return left->key < right->key ? -1 : left->key > right->key;
}

static void sort(struct table *table) {
    qsort(table->row, table->count, sizeof table->row[0], table_compare_rows);
    memset(table->index, 0, sizeof table->index);
    for (size_t i = 0; i < table->count; i++)
        *table_find_slot(table, table->row[i].key) = (uint16_t)(i + 1);
    table->sorted = table->count;
}

const struct table_row *table_at(struct table *table, size_t index) {
    if (table->sorted != table->count)
        sort(table);
    return index < table->count ? &table->row[index] : NULL;
}
