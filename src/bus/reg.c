/* SPDX-License-Identifier: MIT */
#include "bus/reg.h"

#include <assert.h>
#include <stdlib.h>

#include "bus/bars.h"
#include "bus/bus.h"

static uint32_t reg_count(const struct reg *reg) {
    return reg->count ? reg->count : 1;
}

static uint32_t reg_stride(const struct reg *reg) {
    return reg->stride ? reg->stride : 4;
}

static uint32_t reg_end(const struct reg *reg) {
    return reg->offset + (reg_count(reg) - 1) * reg_stride(reg) + 4;
}

void bus_reset_table(const struct reg_table *table, void *unit) {
    for (size_t i = 0; i < table->count; i++) {
        const struct reg *reg = &table->regs[i];
        for (uint32_t index = 0; reg->at != REG_NONE && index < reg_count(reg); index++)
            *reg_storage(unit, reg, index) = reg->reset;
    }
}

enum pfifo_status reg_table_select(struct reg_table *table, const char *unit, const struct reg_row *rows, size_t count,
                                   const struct pfifo_chip *chip, struct pfifo_error *error) {
    struct reg *regs = calloc(count, sizeof *regs);
    *table = (struct reg_table){.unit = unit, .regs = regs};
    if (!regs)
        return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for the registers of %s", unit);
    struct chip_walk walk = chip_walk(chip, rows, count, sizeof *rows);
    for (const struct reg_row *row; (row = chip_walk_next(&walk));)
        regs[table->count++] = row->reg;
    return PFIFO_OK;
}

static int reg_compare_rows(const void *left, const void *right) {
    uint32_t a = ((const struct bus_row *)left)->begin, b = ((const struct bus_row *)right)->begin;
    return (a > b) - (a < b);
}

/* Merge from the end, so that each existing row moves once. `added`: rows in other memory. */
static void merge_rows(struct bus *bus, const struct bus_row *added, size_t count) {
    size_t old = bus->row_count;
    bus->row_count += count;
    for (size_t to = bus->row_count; count > 0; to--) {
        bool moves = old > 0 && bus->rows[old - 1].begin > added[count - 1].begin;
        bus->rows[to - 1] = moves ? bus->rows[--old] : added[--count];
    }
    uint32_t reach = old ? bus->rows[old - 1].reach : 0;
    for (size_t i = old; i < bus->row_count; i++) {
        reach = bus->rows[i].end > reach ? bus->rows[i].end : reach;
        bus->rows[i].reach = reach;
    }
}

/* Number of rows that begin at or before `offset`. */
static size_t rows_up_to(const struct bus *bus, uint32_t offset) {
    size_t low = 0, high = bus->row_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (bus->rows[middle].begin <= offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The last of the first `count` rows that has `offset`; NULL if none has. */
static const struct bus_row *last_row_with(const struct bus *bus, size_t count, uint32_t offset) {
    for (size_t i = count; i > 0 && bus->rows[i - 1].reach > offset; i--) {
        const struct bus_row *row = &bus->rows[i - 1];
        if (offset < row->end && (offset - row->begin) % reg_stride(row->reg) == 0)
            return row;
    }
    return NULL;
}

const struct reg *bus_find(const struct bus *bus, uint32_t offset, uint32_t *index, void **unit) {
    offset &= ~3u;
    const struct bus_row *row = last_row_with(bus, rows_up_to(bus, offset), offset);
    if (!row)
        return NULL;
    if (index)
        *index = (offset - row->begin) / reg_stride(row->reg);
    if (unit)
        *unit = row->unit;
    return row->reg;
}

/* Each register may be in one row only. */
static enum pfifo_status check_overlap(const struct bus *bus, const struct reg_table *table,
                                       struct pfifo_error *error) {
    for (size_t i = 0; i < table->count; i++) {
        const struct reg *reg = &table->regs[i];
        for (uint32_t index = 0; index < reg_count(reg); index++) {
            uint32_t offset = reg->offset + index * reg_stride(reg);
            const struct bus_row *row = last_row_with(bus, rows_up_to(bus, offset), offset);
            const struct bus_row *other = last_row_with(bus, (size_t)(row - bus->rows), offset);
            if (other)
                return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "registers %s and %s of %s collide at 0x%x",
                                       row->reg->name, other->reg->name, table->unit, offset);
        }
    }
    return PFIFO_OK;
}

enum pfifo_status bus_attach_table(struct bus *bus, const struct reg_table *table, void *unit,
                                   struct pfifo_error *error) {
    if (bus->table_count == BUS_MAX_TABLES || table->count > BUS_MAX_REGS - bus->row_count)
        return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no room for the registers of %s", table->unit);
    bus->tables[bus->table_count++] = (struct attached_table){table, unit};
    struct bus_row *added = bus->rows + BUS_MAX_REGS;
    for (size_t i = 0; i < table->count; i++) {
        const struct reg *reg = &table->regs[i];
        assert(reg->offset % 4 == 0 && reg_stride(reg) % 4 == 0);
        added[i] = (struct bus_row){.begin = reg->offset, .end = reg_end(reg), .reg = reg, .unit = unit};
    }
    qsort(added, table->count, sizeof added[0], reg_compare_rows);
    merge_rows(bus, added, table->count);
    bus_reset_table(table, unit);
    return check_overlap(bus, table, error);
}

enum pfifo_status bus_attach_window(struct bus *bus, const struct window *window, void *unit,
                                    struct pfifo_error *error) {
    if (bus->window_count == BUS_MAX_WINDOWS)
        return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no room for the window %s", window->name);
    assert(window->base % 4 == 0 && window->bytes % 4 == 0);
    assert((window->read || window->read_lanes) && (window->write || window->write_lanes));
    bus->windows[bus->window_count++] = (struct window_instance){window, unit};
    if (bus->bars->bar0_bytes < (uint64_t)window->base + window->bytes)
        bus->bars->bar0_bytes = (uint64_t)window->base + window->bytes;
    return PFIFO_OK;
}
