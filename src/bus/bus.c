/* SPDX-License-Identifier: MIT */
#include "bus/bus.h"

#include <assert.h>
#include <stdlib.h>

#include "bus/bars.h"
#include "bus/blocks.h"
#include "bus/gpcpll.h"
#include "bus/pbus.h"
#include "bus/peephole.h"
#include "bus/pfb.h"
#include "bus/pfb_tiling.h"
#include "bus/pmc.h"
#include "bus/ports.h"
#include "bus/pram.h"
#include "bus/ptimer.h"
#include "bus/units.h"

struct bus_parts {
    struct pmc pmc;
    struct ptimer ptimer;
    struct pbus pbus;
    struct bars bars;
    struct ports ports;
    struct peephole peephole;
    struct pram pram;
    struct pfb pfb;
    struct pfb_tiling tiling;
    struct gpcpll gpcpll;
    struct units units;
};

static enum pfifo_status make_parts(struct bus *bus, struct pfifo_error *error) {
    struct bus_parts *parts = bus->parts = calloc(1, sizeof *parts);
    if (!parts)
        return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for the registers of the bus");
    (bus->pmc = &parts->pmc)->bus = bus;
    (bus->ptimer = &parts->ptimer)->bus = bus;
    (bus->pbus = &parts->pbus)->bus = bus;
    (bus->bars = &parts->bars)->bus = bus;
    (bus->ports = &parts->ports)->bus = bus;
    (bus->peephole = &parts->peephole)->bus = bus;
    (bus->pram = &parts->pram)->bus = bus;
    (bus->pfb = &parts->pfb)->bus = bus;
    (bus->tiling = &parts->tiling)->bus = bus;
    (bus->gpcpll = &parts->gpcpll)->bus = bus;
    (bus->units = &parts->units)->bus = bus;
    bus->enabled = &parts->pmc.enable;
    return PFIFO_OK;
}

#define VARIANTS 7

/* The tables and windows of the chip's variants; NULL: it does not have the block. */
struct chip_tables {
    const struct reg_tables *of[VARIANTS];
};

static struct chip_tables tables_of(const struct pfifo_chip *chip) {
    return (struct chip_tables){{
        &chip->pmc->tables,
        &chip->ptimer->tables,
        &chip->pbus->tables,
        &chip->bars->tables,
        &chip->pfb->tables,
        chip->pram ? &chip->pram->tables : NULL,
        chip->peephole ? &chip->peephole->tables : NULL,
    }};
}

/* The blocks of these variants, in the same order. */
static void *bus_block_of(const struct bus *bus, size_t variant) {
    void *const blocks[VARIANTS] = {bus->pmc, bus->ptimer, bus->pbus, bus->bars, bus->pfb, bus->pram, bus->peephole};
    return blocks[variant];
}

static enum pfifo_status attach_tables(struct bus *bus, const struct reg_tables *tables, void *block,
                                       struct pfifo_error *error) {
    enum pfifo_status status = PFIFO_OK;
    for (const struct reg_table *const *regs = tables->regs; status == PFIFO_OK && regs && *regs; regs++)
        status = bus_attach_table(bus, *regs, block, error);
    for (const struct window *const *window = tables->windows; status == PFIFO_OK && window && *window; window++)
        status = bus_attach_window(bus, *window, block, error);
    return status;
}

static enum pfifo_status attach_variants(struct bus *bus, struct pfifo_error *error) {
    enum pfifo_status status = PFIFO_OK;
    const struct chip_tables tables = tables_of(bus->chip);
    for (size_t i = 0; status == PFIFO_OK && i < VARIANTS; i++)
        if (tables.of[i])
            status = attach_tables(bus, tables.of[i], bus_block_of(bus, i), error);
    return status;
}

/* ---- registers that only other chips have ---- */

/* Tables and windows that are done, so that each is handled once. */
struct seen {
    const void *of[2 * (BUS_MAX_TABLES + BUS_MAX_WINDOWS)];
    size_t count;
};

/* True the first time. */
static bool bus_see(struct seen *seen, const void *what) {
    for (size_t i = 0; i < seen->count; i++)
        if (seen->of[i] == what)
            return false;
    assert(seen->count < sizeof seen->of / sizeof seen->of[0]);
    seen->of[seen->count++] = what;
    return true;
}

static void absent_tables(struct bus *bus, const struct reg_tables *tables, struct seen *seen) {
    for (const struct reg_table *const *regs = tables->regs; regs && *regs; regs++)
        if (bus_see(seen, *regs))
            absent_add_table(bus, *regs);
    for (const struct window *const *window = tables->windows; window && *window; window++)
        if (bus_see(seen, *window))
            absent_add_window(bus, *window);
}

/*
 * G80 has a new register map: the registers of earlier chips say nothing about later ones. Neighbouring chips share
 * most variants, so only the differences from the previous chip are examined.
 */
static void absent_variants(struct bus *bus) {
    struct seen seen = {.count = 0};
    struct chip_tables before = tables_of(bus->chip);
    for (size_t i = 0; i < bus->table_count; i++)
        bus_see(&seen, bus->tables[i].table);
    for (size_t i = 0; i < bus->window_count; i++)
        bus_see(&seen, bus->windows[i].window);
    const struct pfifo_chip *other;
    for (size_t c = 0; (other = pfifo_chip_at(c)); c++) {
        if (other->bars->translated != bus->chip->bars->translated)
            continue;
        const struct chip_tables tables = tables_of(other);
        for (size_t i = 0; i < VARIANTS; i++)
            if (tables.of[i] && tables.of[i] != before.of[i])
                absent_tables(bus, tables.of[i], &seen);
        before = tables;
    }
}

/* ---- the whole ---- */

static const struct bus_host_ops no_host = {.sync = NULL};

static enum pfifo_status attach_blocks(struct bus *bus, struct pfifo_error *error) {
    enum pfifo_status status = blocks_init(bus, error);
    if (status == PFIFO_OK)
        status = attach_variants(bus, error);
    if (status != PFIFO_OK)
        return status;
    absent_variants(bus);
    status = units_attach(bus, error);
    if (status == PFIFO_OK)
        status = gpcpll_attach(bus, error);
    if (status == PFIFO_OK && bus->chip->pfb->attach)
        status = bus->chip->pfb->attach(bus, error);
    return status;
}

enum pfifo_status bus_init(struct bus *bus, const struct pfifo_chip *chip, struct memory *memory,
                           struct event_hub *events, const struct bus_clock *clock, struct pfifo_error *error) {
    *bus = (struct bus){.chip = chip, .memory = memory, .events = events, .host_ops = &no_host};
    if (clock)
        bus->clock = *clock;
    if (events)
        events->now = &bus->time;
    enum pfifo_status status = make_parts(bus, error);
    if (status != PFIFO_OK)
        return status;
    bus->rows = malloc(2 * BUS_MAX_REGS * sizeof bus->rows[0]);
    if (!bus->rows) {
        bus_free(bus);
        return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for the register tables");
    }
    bars_init(bus);
    status = attach_blocks(bus, error);
    if (status != PFIFO_OK) {
        bus_free(bus);
        return status;
    }
    pmc_init(bus);
    if (chip->pfb->init)
        chip->pfb->init(bus);
    return PFIFO_OK;
}

void bus_attach_host(struct bus *bus, const struct bus_host_ops *ops, void *host) {
    bus->host_ops = ops;
    bus->host = host;
}

void bus_free(struct bus *bus) {
    if (bus->events && bus->events->now == &bus->time)
        bus->events->now = NULL;
    if (bus->parts) {
        pfb_tiling_free(bus);
        units_free(bus);
    }
    blocks_free(bus);
    free(bus->rows);
    free(bus->parts);
    *bus = (struct bus){0};
}

uint64_t bus_now(struct bus *bus) {
    if (bus->clock.now)
        bus->time = bus->clock.now(bus->clock.opaque);
    uint64_t now = bus->time + bus->ptimer->offset;
    ptimer_check_alarm(bus, now);
    return now;
}
