/* SPDX-License-Identifier: MIT */
#include "unit/graph/graph_ports.h"

#include <assert.h>
#include <stdlib.h>

#include "state/state.h"

#define ALL ~0u

#define PAGE_WORDS 1024u
#define PAGE_BYTES (PAGE_WORDS * 4)
#define PAGES      8192u /* of the space of indices: 0x400 tables of 32 KiB */
#define MOST_PAGES 1024u /* that may be in use */

struct graph_store {
    uint32_t *page[PAGES]; /* NULL: all 0 */
    unsigned used;
    const struct graph_store_row *row;
};

/* Words of a table, and the bits of each four of them that exist. */
struct graph_area {
    uint16_t table, first, words;
    uint32_t bits[4];
};

#define FLOATS22 0x3fffffu
/* Programs of vertices; their vectors of 22-bit numbers; entries of the queues of indices. */
#define VECTORS22(table, count)                                                                                        \
    {                                                                                                                  \
        table, 0, 4 * (count), {                                                                                       \
            ALL, ALL, 3, 0                                                                                             \
        }                                                                                                              \
    }
#define NUMBERS22(count)                                                                                               \
    {                                                                                                                  \
        0x19, 0, count, {                                                                                              \
            FLOATS22, FLOATS22, FLOATS22, FLOATS22                                                                     \
        }                                                                                                              \
    }
#define QUEUE(table, bits)                                                                                             \
    {                                                                                                                  \
        table, 0, 4 * 0x40, {                                                                                          \
            ALL, ALL, bits, 0                                                                                          \
        }                                                                                                              \
    }
#define VERTEX_BUFFERS                                                                                                 \
    {0x25, 0, 0x80, {0xffffff, 0xffffff, 0xffffff, 0xffffff}}, {                                                       \
        0x26, 0, 0x20, {                                                                                               \
            ALL, 0x007fffff, ALL, 0x007fffff                                                                           \
        }                                                                                                              \
    }
#define NV2X_AREAS                                                                                                     \
    {0x10, 0, 4 * 0x88, {ALL, ALL, 0x0fffffff, 0}}, NUMBERS22(0x35), QUEUE(0x24, 0xffff), VERTEX_BUFFERS,              \
        {0x26, 0x20, 4, {0x01f0ffff, 0x1f1ffcfc, 0x013fffff, 0}},                                                      \
        {0x3d, 4, 4, {ALL, 0x7fffffff, 0x0fffefff, 0x3fffffff}},                                                       \
        {0x3d, 8, 4, {ALL, 0x0fffffff, 0x7fffffff, 0x1fffffff}}, {                                                     \
        0x3d, 12, 4, {                                                                                                 \
            0x00ffffff, 0x07ffffff, ALL, 0                                                                             \
        }                                                                                                              \
    }

static const struct graph_area areas_pipe[] = {
    {0, 0x00, 16, {0x0ffffffc, 0x0100fc77, 0x0ffffffc, 0x0100fc77}},
    {0, 0x10, 4, {0xf, 1, 0, 0x70001f3f}},
    {0},
};
static const struct graph_area areas_nv20[] = {NV2X_AREAS, VECTORS22(0x18, 0x4a), {0}};
static const struct graph_area areas_nv25[] = {NV2X_AREAS, VECTORS22(0x18, 0x1a), VECTORS22(0x16, 0x34), {0}};
static const struct graph_area areas_nv30[] = {
    {0x10, 0, 4 * 0x118, {ALL, ALL, ALL, 0x03ffffff}},
    {0x10, 0x1180 / 4, 8, {ALL, ALL, 0xff, 0}},
    {0x10, 0x11a0 / 4, 4, {0xffff, 0, 0, 0}},
    VECTORS22(0x16, 0x36),
    NUMBERS22(0x31),
    QUEUE(0x24, 0xfffff),
    QUEUE(0x2ea, 0xfffff),
    VERTEX_BUFFERS,
    {0x26, 0x20, 4, {0x1f0fffff, 0x1f1ffcfc, 0x013fffff, 0x7fffffff}},
    {0},
};

static const struct graph_store_row {
    const char *chips;
    const struct graph_area *areas; /* a row without words ends them */
    uint32_t place;                 /* bits of the index in a table */
} stores[] = {
    {"NV10:NV20", areas_pipe, 0x7ffc},
    {"NV20:NV25", areas_nv20, 0x1ffc},
    {"NV25:NV30", areas_nv25, 0x1ffc},
    {"NV30:NV40", areas_nv30, 0x7ffc},
};

/* ---- storage ---- */

/* Of an index: 0x400 tables, a place of 15 bits in each. */
static uint32_t *store_page(const struct graph_store *store, uint32_t index) {
    return store->page[((index >> 16 & 0x3ff) << 15 | (index & 0x7ffc)) / PAGE_BYTES];
}

uint32_t graph_store_read(const struct pgraph *graph, uint32_t index) {
    const uint32_t *page = store_page(graph->store, index);
    return page ? page[index % PAGE_BYTES / 4] : 0;
}

static uint32_t *store_make_page(struct graph_store *store, unsigned number) {
    assert(number < PAGES && store->used <= MOST_PAGES);
    if (!store->page[number] && store->used < MOST_PAGES) {
        store->page[number] = calloc(PAGE_WORDS, sizeof(uint32_t));
        store->used += store->page[number] != NULL;
    }
    return store->page[number];
}

static uint32_t store_bits(const struct graph_area *areas, uint32_t index) {
    uint32_t table = index >> 16 & 0x3ff, word = (index & 0x7ffc) / 4;
    for (const struct graph_area *area = areas; area->words; area++)
        if (area->table == table && word >= area->first && word - area->first < area->words)
            return area->bits[(word - area->first) & 3];
    return ALL;
}

/* Without memory for a page the word is lost. */
void graph_store_write(struct pgraph *graph, uint32_t index, uint32_t value) {
    struct graph_store *store = graph->store;
    uint32_t kept = value & store_bits(store->row->areas, index);
    if (kept == graph_store_read(graph, index))
        return;
    uint32_t *page = store_make_page(store, ((index >> 16 & 0x3ff) << 15 | (index & 0x7ffc)) / PAGE_BYTES);
    if (page)
        page[index % PAGE_BYTES / 4] = kept;
}

enum pfifo_status graph_store_new(struct pgraph *graph, struct pfifo_error *error) {
    for (size_t i = 0; i < sizeof stores / sizeof stores[0]; i++) {
        if (!chip_in_range(graph->unit.chip, stores[i].chips))
            continue;
        assert(!graph->store); /* one row for a chip */
        graph->store = calloc(1, sizeof *graph->store);
        if (!graph->store)
            return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for the tables of PGRAPH");
        graph->store->row = &stores[i];
    }
    return PFIFO_OK;
}

void graph_store_clear(struct pgraph *graph) {
    struct graph_store *store = graph->store;
    for (unsigned i = 0; store && store->used && i < PAGES; i++) {
        store->used -= store->page[i] != NULL;
        free(store->page[i]);
        store->page[i] = NULL;
    }
    assert(!store || !store->used);
}

void graph_store_free(struct pgraph *graph) {
    graph_store_clear(graph);
    free(graph->store);
    graph->store = NULL;
}

void graph_store_state(struct pgraph *graph, struct state_io *io) {
    struct graph_store *store = graph->store;
    if (!store)
        return;
    if (io->loading)
        graph_store_clear(graph);
    uint32_t count = state_count(io, store->used, MOST_PAGES, "pages of tables");
    for (unsigned next = 0; count > 0 && state_good(io); count--) {
        while (!io->loading && !store->page[next])
            next++;
        state_index(io, &next, PAGES, "page of tables");
        uint32_t *page = state_good(io) ? store_make_page(store, next) : NULL;
        if (page)
            state_words(io, page, PAGE_WORDS, "words of tables");
        else
            state_fail(io, PFIFO_ERROR_MEMORY, "no memory for the tables of PGRAPH");
        next++;
    }
}

/* ---- RDI ---- */

static uint32_t *rdi_index(struct pgraph *graph) {
    return &graph->r.stored[GRAPH_WORD(GRAPH_RDI_INDEX)];
}

void graph_store_advance(const struct pgraph *graph, uint32_t *index) {
    uint32_t place = graph->store->row->place;
    assert(place % 4 == 0);
    *index = (*index & ~place) | ((*index + 4) & place);
}

uint32_t graph_read_rdi(void *unit, const struct reg *reg, uint32_t index) {
    (void)reg, (void)index;
    uint32_t value = graph_store_read(unit, *rdi_index(unit));
    graph_store_advance(unit, rdi_index(unit));
    return value;
}

void graph_write_rdi(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    (void)reg, (void)index;
    graph_store_write(unit, *rdi_index(unit), value);
    graph_store_advance(unit, rdi_index(unit));
}
