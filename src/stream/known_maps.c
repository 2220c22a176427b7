/* SPDX-License-Identifier: MIT */
/* Address spaces of a capture: what is mapped where. */
#include "stream/known.h"

#include <inttypes.h>
#include <search.h>
#include <stdlib.h>

/* ---- ranges ---- */

/* Those that overlap are equal: so looking for a range finds one that is in its way. */
static int known_maps_compare_ranges(const void *a, const void *b) {
    const struct known_range *left = a, *right = b;

    if (left->address + left->bytes <= right->address)
        return -1;
    return right->address + right->bytes <= left->address;
}

/* A range, or mapping, that has a part of these addresses. NULL: there is none. */
static void *meeting(void *const *tree, const struct known_range *range) {
    void *const *node = tfind(range, tree, known_maps_compare_ranges);

    return node ? *node : NULL;
}

static void known_maps_remove_range(struct known *known, void **tree, void *range) {
    tdelete(range, tree, known_maps_compare_ranges);
    free(range);
    known->count--;
}

static void remove_map(struct known *known, struct known_space *space, struct known_map *map) {
    map->buffer->mappings--;
    known_maps_remove_range(known, &space->maps, map);
}

/* Whole pages inside of the space, and not what a kernel keeps of it. */
static bool known_maps_check_range(const struct known_space *space, const struct known_range *range,
                                   struct reason *reason) {
    if (range->bytes && range->address % KNOWN_PAGE == 0 && range->bytes % KNOWN_PAGE == 0 &&
        range->address >= space->first && range->address - space->first <= space->bytes &&
        range->bytes <= space->bytes - (range->address - space->first) &&
        !(space->managed && known_maps_compare_ranges(range, &space->kept) == 0))
        return true;
    return reason_set(reason, "0x%" PRIx64 " bytes at 0x%" PRIx64 " are not pages of space %" PRIu32, range->bytes,
                      range->address, space->number);
}

static struct known_space *find_space(const struct known *known, uint32_t number, struct reason *reason) {
    struct known_space *space = known_find(&known->spaces, number);

    if (!space)
        reason_set(reason, "there is no space %" PRIu32, number);
    return space;
}

/* One that the program manages, by BIND, or one that it does not. */
static struct known_space *find_space_of(const struct known *known, uint32_t number, bool managed,
                                         struct reason *reason) {
    struct known_space *space = find_space(known, number, reason);

    if (!space || space->managed == managed)
        return space;
    reason_set(reason, managed ? "space %" PRIu32 " is not one of VMINIT" : "space %" PRIu32 " is one of VMINIT",
               number);
    return NULL;
}

/* ---- spaces ---- */

static bool check_space(const struct pfifo_stream_space *space, struct reason *reason) {
    uint32_t big = space->big_page_bytes;

    if (!space->space)
        return reason_set(reason, "number 0 is none");
    if (big && big != 0x10000 && big != 0x20000)
        return reason_set(reason, "big pages of 0x%" PRIx32 " bytes", big);
    if (!space->first || space->first % KNOWN_PAGE || !space->bytes || space->bytes % KNOWN_PAGE ||
        space->first >= KNOWN_END || space->bytes > KNOWN_END - space->first)
        return reason_set(reason, "0x%" PRIx64 " bytes from 0x%" PRIx64 " on", space->bytes, space->first);
    return true;
}

bool known_take_space(struct known *known, const struct pfifo_stream_record *record, struct reason *reason) {
    if (!check_space(&record->space, reason))
        return false;
    if (known_find(&known->spaces, record->space.space))
        return reason_set(reason, "there is a space %" PRIu32 " already", record->space.space);
    struct known_space *space = known_make(known, sizeof *space, reason);
    if (!space)
        return false;
    *space = (struct known_space){.number = record->space.space,
                                  .big_page_bytes = record->space.big_page_bytes,
                                  .first = record->space.first,
                                  .bytes = record->space.bytes};
    return known_add(known, &known->spaces, space, known_compare_numbers, reason);
}

/* Its addresses are all that there are, but for page 0. */
bool known_take_vminit(struct known *known, const struct pfifo_stream_record *record, struct reason *reason) {
    const struct pfifo_stream_vminit *vminit = &record->vminit;

    if (!vminit->space)
        return reason_set(reason, "number 0 is none");
    if (known_find(&known->spaces, vminit->space))
        return reason_set(reason, "there is a space %" PRIu32 " already", vminit->space);
    if (vminit->kept % KNOWN_PAGE || !vminit->kept_bytes || vminit->kept_bytes % KNOWN_PAGE ||
        vminit->kept >= KNOWN_END || vminit->kept_bytes > KNOWN_END - vminit->kept)
        return reason_set(reason, "0x%" PRIx64 " bytes from 0x%" PRIx64 " on", vminit->kept_bytes, vminit->kept);
    struct known_space *space = known_make(known, sizeof *space, reason);
    if (!space)
        return false;
    *space = (struct known_space){.number = vminit->space,
                                  .first = KNOWN_PAGE,
                                  .bytes = KNOWN_END - KNOWN_PAGE,
                                  .managed = true,
                                  .kept = {vminit->kept, vminit->kept_bytes}};
    return known_add(known, &known->spaces, space, known_compare_numbers, reason);
}

void known_space_free(struct known *known, struct known_space *space) {
    while (space->maps) /* a node begins with what it holds */
        remove_map(known, space, *(struct known_map **)space->maps);
    while (space->sparse)
        known_maps_remove_range(known, &space->sparse, *(void **)space->sparse);
    free(space);
}

bool known_take_spacedel(struct known *known, const struct pfifo_stream_record *record, struct reason *reason) {
    struct known_space *space = find_space(known, record->spacedel.space, reason);

    if (!space)
        return false;
    if (space->channels)
        return reason_set(reason, "%" PRIu32 " channels are in it", space->channels);
    tdelete(space, &known->spaces, known_compare_numbers);
    known->count--;
    known_space_free(known, space);
    return true;
}

/* ---- sparse ranges ---- */

/* NULL: the range is not a whole one. */
static struct known_range *find_sparse(const struct known_space *space, const struct known_range *range,
                                       struct reason *reason) {
    struct known_range *found = meeting(&space->sparse, range);

    if (found && found->address == range->address && found->bytes == range->bytes)
        return found;
    reason_set(reason, "0x%" PRIx64 " bytes at 0x%" PRIx64 " are not a sparse range", range->bytes, range->address);
    return NULL;
}

static bool end_sparse(struct known *known, struct known_space *space, const struct known_range *range,
                       struct reason *reason) {
    struct known_range *found = find_sparse(space, range, reason);

    if (found)
        known_maps_remove_range(known, &space->sparse, found);
    return found;
}

/* Nothing is mapped in a range that begins or ends to be sparse. */
static bool check_empty(const struct known_space *space, const struct known_range *range, struct reason *reason) {
    return !meeting(&space->maps, range) ||
           reason_set(reason, "something is mapped in 0x%" PRIx64 " bytes at 0x%" PRIx64, range->bytes, range->address);
}

static bool make_sparse(struct known *known, struct known_space *space, const struct known_range *range,
                        struct reason *reason) {
    if (meeting(&space->sparse, range))
        return reason_set(reason, "0x%" PRIx64 " bytes at 0x%" PRIx64 " are partly sparse", range->bytes,
                          range->address);
    struct known_range *made = known_make(known, sizeof *made, reason);
    if (!made)
        return false;
    *made = *range;
    return known_add(known, &space->sparse, made, known_maps_compare_ranges, reason);
}

bool known_take_sparse(struct known *known, const struct pfifo_stream_record *record, struct reason *reason) {
    const struct pfifo_stream_sparse *sparse = &record->sparse;
    const struct known_range range = {sparse->address, sparse->bytes};
    struct known_space *space = find_space_of(known, sparse->space, false, reason);

    if (!space || !known_maps_check_range(space, &range, reason))
        return false;
    if (sparse->sparse > 1)
        return reason_set(reason, "neither sparse nor not, but %" PRIu32, sparse->sparse);
    if (!check_empty(space, &range, reason))
        return false;
    return sparse->sparse ? make_sparse(known, space, &range, reason) : end_sparse(known, space, &range, reason);
}

/* ---- mappings ---- */

static bool known_maps_check_pages(const struct known_space *space, const struct pfifo_stream_map *map,
                                   struct reason *reason) {
    uint32_t page = map->page_bytes;

    if (page && page != KNOWN_PAGE && page != space->big_page_bytes)
        return reason_set(reason, "pages of 0x%" PRIx32 " bytes", page);
    if (page && map->address % page)
        return reason_set(reason, "address 0x%" PRIx64 " is not at a page of 0x%" PRIx32, map->address, page);
    if (map->kind >= KNOWN_KINDS || (map->flags & ~PFIFO_STREAM_MAP_READ_ONLY))
        return reason_set(reason, "kind 0x%" PRIx32 ", flags 0x%" PRIx32, map->kind, map->flags);
    return true;
}

/* The last page of a buffer counts as a whole. */
static bool known_maps_check_part(const struct known_buffer *buffer, uint64_t offset, uint64_t mapped,
                                  struct reason *reason) {
    uint64_t bytes = (buffer->bytes + KNOWN_PAGE - 1) & ~(uint64_t)(KNOWN_PAGE - 1);

    if (offset % KNOWN_PAGE == 0 && offset <= bytes && mapped <= bytes - offset)
        return true;
    return reason_set(reason, "0x%" PRIx64 " bytes at 0x%" PRIx64 " of the buffer's 0x%" PRIx64, mapped, offset,
                      buffer->bytes);
}

static bool known_maps_check_free(const struct known_space *space, const struct known_range *range,
                                  struct reason *reason) {
    const struct known_map *map = meeting(&space->maps, range);

    return !map || reason_set(reason, "0x%" PRIx64 " bytes at 0x%" PRIx64 " are over the mapping at 0x%" PRIx64,
                              range->bytes, range->address, map->range.address);
}

/* A sparse range has all of it, or nothing. */
static bool known_maps_check_place(const struct known_space *space, const struct known_range *range,
                                   struct reason *reason) {
    const struct known_range *sparse = meeting(&space->sparse, range);

    if (sparse && (range->address < sparse->address || range->bytes > sparse->bytes ||
                   range->address - sparse->address > sparse->bytes - range->bytes))
        return reason_set(reason, "0x%" PRIx64 " bytes at 0x%" PRIx64 " are partly sparse", range->bytes,
                          range->address);
    return true;
}

static bool add_map(struct known *known, struct known_space *space, const struct known_map *map,
                    struct reason *reason) {
    struct known_map *made = known_make(known, sizeof *made, reason);

    if (!made)
        return false;
    *made = *map;
    if (!known_add(known, &space->maps, made, known_maps_compare_ranges, reason))
        return false;
    map->buffer->mappings++;
    return true;
}

bool known_take_map(struct known *known, const struct pfifo_stream_record *record, struct reason *reason) {
    const struct pfifo_stream_map *map = &record->map;
    const struct known_range range = {map->address, map->bytes};
    struct known_space *space = find_space_of(known, map->space, false, reason);
    struct known_buffer *buffer = known_find(&known->buffers, map->handle);

    if (!space)
        return false;
    if (!buffer)
        return reason_set(reason, "there is no buffer %" PRIu32, map->handle);
    if (!known_maps_check_range(space, &range, reason) || !known_maps_check_pages(space, map, reason) ||
        !known_maps_check_part(buffer, map->offset, map->bytes, reason) ||
        !known_maps_check_free(space, &range, reason) || !known_maps_check_place(space, &range, reason))
        return false;
    return add_map(known, space, &(const struct known_map){range, map->offset, buffer}, reason);
}

/* The first address of a range that is not mapped; its end: all is. */
static uint64_t mapped_up_to(const struct known_space *space, const struct known_range *range) {
    struct known_range left = *range;

    while (left.bytes) {
        const struct known_map *map = meeting(&space->maps, &(const struct known_range){left.address, 1});
        if (!map)
            break;
        uint64_t there = map->range.bytes - (left.address - map->range.address);
        there = there < left.bytes ? there : left.bytes;
        left.address += there;
        left.bytes -= there;
    }
    return left.address;
}

/* A range that is inside of a mapping leaves two, and only that needs memory. */
static bool unmap_inside(struct known *known, struct known_space *space, struct known_map *map,
                         const struct known_range *range, struct reason *reason) {
    uint64_t before = range->address - map->range.address, whole = map->range.bytes;
    const struct known_map behind = {{range->address + range->bytes, whole - before - range->bytes},
                                     map->offset + before + range->bytes,
                                     map->buffer};

    map->range.bytes = before;
    if (add_map(known, space, &behind, reason))
        return true;
    map->range.bytes = whole;
    return false;
}

/* Cut a range off a mapping whose beginning or end it has. What is left keeps its place among the others. */
static void cut_off(struct known *known, struct known_space *space, struct known_map *map,
                    const struct known_range *range) {
    uint64_t end = range->address + range->bytes, map_end = map->range.address + map->range.bytes;

    if (map->range.address < range->address) {
        map->range.bytes = range->address - map->range.address;
    } else if (map_end > end) {
        map->offset += end - map->range.address;
        map->range = (struct known_range){end, map_end - end};
    } else {
        remove_map(known, space, map);
    }
}

/* Nothing of the range stays mapped. */
static bool cut_out(struct known *known, struct known_space *space, const struct known_range *range,
                    struct reason *reason) {
    struct known_map *map = meeting(&space->maps, range);

    if (map && map->range.address < range->address &&
        map->range.address + map->range.bytes > range->address + range->bytes)
        return unmap_inside(known, space, map, range, reason);
    for (; map; map = meeting(&space->maps, range))
        cut_off(known, space, map, range);
    return true;
}

bool known_take_unmap(struct known *known, const struct pfifo_stream_record *record, struct reason *reason) {
    const struct known_range range = {record->unmap.address, record->unmap.bytes};
    uint64_t end = range.address + range.bytes;
    struct known_space *space = find_space_of(known, record->unmap.space, false, reason);

    if (!space || !known_maps_check_range(space, &range, reason))
        return false;
    uint64_t first_hole = mapped_up_to(space, &range);
    if (first_hole != end)
        return reason_set(reason, "nothing is mapped at 0x%" PRIx64, first_hole);
    return cut_out(known, space, &range, reason);
}

/* ---- operations of VM_BIND ---- */

static bool bind_map(struct known *known, struct known_space *space, const struct pfifo_stream_bind *bind,
                     struct reason *reason) {
    const struct known_range range = {bind->address, bind->bytes};
    struct known_buffer *buffer = known_find(&known->buffers, bind->handle);

    if (!buffer)
        return reason_set(reason, "there is no buffer %" PRIu32, bind->handle);
    if (bind->kind >= KNOWN_KINDS)
        return reason_set(reason, "kind 0x%" PRIx32, bind->kind);
    /* If there is no memory for the mapping, what was there has gone. */
    return known_maps_check_part(buffer, bind->offset, bind->bytes, reason) &&
           known_maps_check_place(space, &range, reason) && cut_out(known, space, &range, reason) &&
           add_map(known, space, &(const struct known_map){range, bind->offset, buffer}, reason);
}

/* What is mapped in it goes, too. */
static bool bind_end_sparse(struct known *known, struct known_space *space, const struct known_range *range,
                            struct reason *reason) {
    return find_sparse(space, range, reason) && cut_out(known, space, range, reason) &&
           end_sparse(known, space, range, reason);
}

bool known_take_bind(struct known *known, const struct pfifo_stream_record *record, struct reason *reason) {
    const struct pfifo_stream_bind *bind = &record->bind;
    const struct known_range range = {bind->address, bind->bytes};
    struct known_space *space = find_space_of(known, bind->space, true, reason);

    if (!space || !known_maps_check_range(space, &range, reason))
        return false;
    if (bind->how == PFIFO_STREAM_BIND_MAP)
        return bind_map(known, space, bind, reason);
    if (bind->handle || bind->kind || bind->offset)
        return reason_set(reason, "buffer %" PRIu32 ", kind 0x%" PRIx32 ", offset 0x%" PRIx64 ", and it maps nothing",
                          bind->handle, bind->kind, bind->offset);
    switch (bind->how) {
    case PFIFO_STREAM_BIND_UNMAP:
        return cut_out(known, space, &range, reason);
    case PFIFO_STREAM_BIND_SPARSE:
        return check_empty(space, &range, reason) && make_sparse(known, space, &range, reason);
    case PFIFO_STREAM_BIND_END_SPARSE:
        return bind_end_sparse(known, space, &range, reason);
    default:
        return reason_set(reason, "how %" PRIu32 " is not known", bind->how);
    }
}

bool known_is_mapped(const struct known_space *space, const struct known_range *range,
                     const struct known_buffer *buffer, uint64_t offset) {
    for (uint64_t at = 0; at < range->bytes;) {
        const struct known_range here = {range->address + at, 1};
        const struct known_map *map = here.address >= range->address ? meeting(&space->maps, &here) : NULL;
        if (!map || map->buffer != buffer)
            return false;
        uint64_t inside = here.address - map->range.address;
        if (map->offset + inside != offset + at)
            return false;
        at += map->range.bytes - inside;
    }
    return true;
}

const struct known_map *known_map_at(const struct known *known, uint32_t space, uint64_t address) {
    const struct known_space *found = known_find(&known->spaces, space);

    return found ? meeting(&found->maps, &(const struct known_range){address, 1}) : NULL;
}
