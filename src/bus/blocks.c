/* SPDX-License-Identifier: MIT */
#include "bus/blocks.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "bus/bus.h"
#include "state/state.h"

#define PAGE_BYTES (BLOCK_PAGE_WORDS * 4u)

enum pfifo_status blocks_init(struct bus *bus, struct pfifo_error *error) {
    struct bus_blocks *blocks = calloc(1, sizeof *blocks);
    bus->blocks = blocks;
    if (!blocks)
        return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for the map of BAR0");
    struct chip_walk walk = chip_walk(bus->chip, block_map, block_map_rows, sizeof block_map[0]);
    for (const struct block_row *row; (row = chip_walk_next(&walk));) {
        if (blocks->count == BUS_MAX_BLOCKS)
            return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no room for the block %s", row->block.name);
        blocks->block[blocks->count++] = row->block;
    }
    return PFIFO_OK;
}

static void blocks_forget(struct bus_blocks *blocks) {
    for (size_t i = 0; i < BLOCK_PAGES; i++) {
        if (blocks->pages[i])
            free(blocks->pages[i]->words);
        free(blocks->pages[i]);
        blocks->pages[i] = NULL;
    }
}

void blocks_free(struct bus *bus) {
    if (bus->blocks)
        blocks_forget(bus->blocks);
    free(bus->blocks);
    bus->blocks = NULL;
}

const struct block *blocks_find(const struct bus *bus, uint32_t offset) {
    for (size_t i = 0; i < bus->blocks->count; i++) {
        const struct block *block = &bus->blocks->block[i];
        if (offset >= block->begin && offset < block->end)
            return block;
    }
    return NULL;
}

static void blocks_add(struct bus *bus, const struct absent *absent) {
    assert(bus->blocks->absent_count < BUS_MAX_ABSENT);
    if (bus->blocks->absent_count < BUS_MAX_ABSENT)
        bus->blocks->absent[bus->blocks->absent_count++] = *absent;
}

void absent_add(struct bus *bus, const struct reg *reg, const char *unit) {
    uint32_t stride = reg->stride ? reg->stride : 4, count = reg->count ? reg->count : 1;
    blocks_add(bus, &(struct absent){reg->offset, reg->offset + (count - 1) * stride + 4, stride, unit});
}

void absent_add_table(struct bus *bus, const struct reg_table *table) {
    for (size_t i = 0; i < table->count; i++)
        absent_add(bus, &table->regs[i], table->unit);
}

void absent_add_window(struct bus *bus, const struct window *window) {
    blocks_add(bus, &(struct absent){window->base, window->base + window->bytes, 4, NULL});
}

static bool is_absent(const struct bus_blocks *blocks, const struct block *block, uint32_t offset) {
    for (size_t i = 0; i < blocks->absent_count; i++) {
        const struct absent *absent = &blocks->absent[i];
        if (offset >= absent->offset && offset < absent->end && (offset - absent->offset) % absent->stride == 0 &&
            (!absent->unit || strcmp(absent->unit, block->name) == 0))
            return true;
    }
    return false;
}

/* ---- storage ---- */

/* NULL: it does not exist, or there is no memory for it. */
static struct block_page *blocks_page_at(struct bus *bus, uint32_t offset) {
    struct block_page **page = &bus->blocks->pages[offset / PAGE_BYTES];
    if (!*page)
        *page = calloc(1, sizeof **page);
    return *page;
}

static uint32_t *blocks_words_of(struct block_page *page) {
    if (!page->words)
        page->words = calloc(BLOCK_PAGE_WORDS, sizeof page->words[0]);
    return page->words;
}

static uint32_t word_in_page(uint32_t offset) {
    return offset % PAGE_BYTES / 4;
}

/* The page of a register, after reporting it. NULL: there is no register (`exists` is false), or no memory. */
static struct block_page *touch(struct bus *bus, uint32_t offset, bool write, bool *exists) {
    const struct block *block = offset / PAGE_BYTES < BLOCK_PAGES ? blocks_find(bus, offset) : NULL;
    *exists = block && !block->complete && !is_absent(bus->blocks, block, offset);
    struct block_page *page = *exists ? blocks_page_at(bus, offset) : NULL;
    if (!page)
        return NULL;
    uint32_t word = word_in_page(offset), bit = UINT32_C(1) << word % 32;
    if (!(page->told[word / 32] & bit) && bus->events)
        event_send(bus->events, EVENT_BUS_UNKNOWN, UINT32_MAX, block->name, 0, offset, write);
    page->told[word / 32] |= bit;
    return page;
}

bool blocks_read(struct bus *bus, uint32_t offset, uint32_t *value) {
    bool exists;
    const struct block_page *page = touch(bus, offset, false, &exists);
    *value = page && page->words ? page->words[word_in_page(offset)] : 0;
    return exists;
}

bool blocks_write(struct bus *bus, uint32_t offset, uint32_t value, uint32_t bits) {
    bool exists;
    struct block_page *page = touch(bus, offset, true, &exists);
    if (!page || (!page->words && !(value & bits)))
        return exists;
    uint32_t *words = blocks_words_of(page), word = word_in_page(offset);
    if (words)
        words[word] = (words[word] & ~bits) | (value & bits);
    return exists;
}

static void blocks_clear(struct bus *bus, const struct block *block) {
    for (uint32_t offset = block->begin, step; offset < block->end; offset += step) {
        struct block_page *page = bus->blocks->pages[offset / PAGE_BYTES];
        step = PAGE_BYTES - offset % PAGE_BYTES;
        step = step < block->end - offset ? step : block->end - offset;
        if (page && page->words)
            memset(page->words + word_in_page(offset), 0, step);
    }
}

void blocks_reset(struct bus *bus, uint32_t enable) {
    for (size_t i = 0; i < bus->blocks->count; i++)
        if (bus->blocks->block[i].enable & enable)
            blocks_clear(bus, &bus->blocks->block[i]);
}

/* ---- save and restore ---- */

static void blocks_state_page(struct bus *bus, struct state_io *io, unsigned index) {
    struct block_page *page = blocks_page_at(bus, index * PAGE_BYTES);
    if (!page) {
        state_fail(io, PFIFO_ERROR_MEMORY, "no memory for registers");
        return;
    }
    bool written = page->words != NULL;
    state_words(io, page->told, BLOCK_PAGE_WORDS / 32, "registers told of");
    state_bool(io, &written);
    if (!written || !state_good(io))
        return;
    if (blocks_words_of(page))
        state_words(io, page->words, BLOCK_PAGE_WORDS, "registers");
    else
        state_fail(io, PFIFO_ERROR_MEMORY, "no memory for registers");
}

static void blocks_save(struct bus *bus, struct state_io *io) {
    uint32_t count = 0;
    for (unsigned i = 0; i < BLOCK_PAGES; i++)
        count += bus->blocks->pages[i] != NULL;
    state_count(io, count, BLOCK_PAGES, "pages of registers");
    for (unsigned i = 0; i < BLOCK_PAGES; i++) {
        unsigned index = i;
        if (!bus->blocks->pages[i])
            continue;
        state_index(io, &index, BLOCK_PAGES, "page of registers");
        blocks_state_page(bus, io, i);
    }
}

static void blocks_load(struct bus *bus, struct state_io *io) {
    uint32_t count = state_count(io, 0, BLOCK_PAGES, "pages of registers");
    for (unsigned next = 0; count > 0 && state_good(io); count--) {
        unsigned index = 0;
        state_index(io, &index, BLOCK_PAGES, "page of registers");
        if (state_good(io) && index < next)
            state_fail(io, PFIFO_ERROR_FORMAT, "page %u of registers is not in order", index);
        if (state_good(io))
            blocks_state_page(bus, io, index);
        next = index + 1;
    }
}

void blocks_state(struct bus *bus, struct state_io *io) {
    if (io->loading)
        blocks_forget(bus->blocks);
    if (state_begin(io, "BLKS", 1)) {
        if (io->loading)
            blocks_load(bus, io);
        else
            blocks_save(bus, io);
    }
    state_end(io);
}
