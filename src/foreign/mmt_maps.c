/* SPDX-License-Identifier: MIT */
#include "foreign/mmt_maps.h"

#include <search.h>
#include <stdlib.h>

static int mmt_maps_compare_ids(const void *a, const void *b) {
    const struct mmt_mapping *left = a, *right = b;

    return left->id < right->id ? -1 : left->id > right->id;
}

static int mmt_maps_compare_places(const void *a, const void *b) {
    const struct mmt_mapping *left = a, *right = b;

    return foreign_compare_ranges(left->start, left->bytes, right->start, right->bytes);
}

struct mmt_mapping *mmt_maps_find(const struct mmt_maps *maps, uint32_t id) {
    const struct mmt_mapping key = {.id = id};
    void *const *node = tfind(&key, &maps->ids, mmt_maps_compare_ids);

    return node ? *node : NULL;
}

struct mmt_mapping *mmt_maps_at(const struct mmt_maps *maps, uint64_t address) {
    const struct mmt_mapping key = {.start = address, .bytes = 1};
    void *const *node = tfind(&key, &maps->places, mmt_maps_compare_places);

    return node ? *node : NULL;
}

struct mmt_mapping *mmt_maps_make(struct mmt_maps *maps, uint32_t id) {
    struct mmt_mapping *mapping = maps->count == MMT_MAPPINGS ? NULL : calloc(1, sizeof *mapping);

    if (!mapping)
        return NULL;
    mapping->id = id;
    if (!tsearch(mapping, &maps->ids, mmt_maps_compare_ids)) {
        free(mapping);
        return NULL;
    }
    maps->count++;
    return mapping;
}

static void mmt_maps_displace(struct mmt_maps *maps, struct mmt_mapping *mapping) {
    if (mapping->placed)
        tdelete(mapping, &maps->places, mmt_maps_compare_places);
    mapping->placed = false;
}

bool mmt_maps_place(struct mmt_maps *maps, struct mmt_mapping *mapping, uint64_t start, uint64_t bytes) {
    void *const *node;

    mmt_maps_displace(maps, mapping);
    mapping->start = start;
    mapping->bytes = bytes < UINT64_MAX - start ? bytes : UINT64_MAX - start;
    if (!mapping->bytes)
        return true;
    while ((node = tfind(mapping, &maps->places, mmt_maps_compare_places)))
        mmt_maps_displace(maps, *node);
    mapping->placed = tsearch(mapping, &maps->places, mmt_maps_compare_places) != NULL;
    return mapping->placed;
}

void mmt_maps_remove(struct mmt_maps *maps, struct mmt_mapping *mapping) {
    mmt_maps_displace(maps, mapping);
    tdelete(mapping, &maps->ids, mmt_maps_compare_ids);
    free(mapping);
    maps->count--;
}

struct mmt_mapping *mmt_maps_any(const struct mmt_maps *maps) {
    return maps->ids ? *(struct mmt_mapping *const *)maps->ids : NULL;
}
