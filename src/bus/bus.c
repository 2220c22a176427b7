/* SPDX-License-Identifier: MIT */
#include "bus/bus.h"

#include <stdlib.h>

#include "bus/faces.h"

#define ALL_LANES 0xfu

/* Which tables a chip has, by the first and last page table format that goes with them. */
static const struct bus_table {
    enum chip_vm first, last;
    const struct face *face;
    const struct window *window;
} tables[] = {
    {CHIP_VM_NONE, CHIP_VM_GH100, &pmc_nv4, NULL},           /* identity, switches */
    {CHIP_VM_NONE, CHIP_VM_G84, &pmc_intr_nv4, NULL},        /* interrupt line */
    {CHIP_VM_GF100, CHIP_VM_GM200, &pmc_intr_gf100, NULL},   /* with masks */
    {CHIP_VM_GP100, CHIP_VM_GH100, &pmc_intr_gp100, NULL},   /* with set and clear */
    {CHIP_VM_GF100, CHIP_VM_GH100, &pmc_gf100, NULL},        /* switches of PBDMAs */
    {CHIP_VM_NONE, CHIP_VM_GH100, &ptimer_nv4, NULL},        /* time */
    {CHIP_VM_NONE, CHIP_VM_NONE, &pfb_nv10, &pramin_nv4},    /* RAMIN */
    {CHIP_VM_G80, CHIP_VM_GP100, &pbus_g80, &pramin_g80},    /* window with a base */
    {CHIP_VM_G80, CHIP_VM_G84, &pbus_tesla, NULL},           /* BARs through DMA objects */
    {CHIP_VM_GF100, CHIP_VM_GP100, &pbus_gf100, NULL},       /* BARs through instance blocks */
    {CHIP_VM_G84, CHIP_VM_GP100, &pflush_g84, NULL},         /* flush of writes */
    {CHIP_VM_GF100, CHIP_VM_GP100, &pflush_gf100, NULL},     /* flush of the L2 */
    {CHIP_VM_G80, CHIP_VM_G84, &pfb_g80, NULL},              /* TLB, VM faults */
    {CHIP_VM_G84, CHIP_VM_G84, &pfb_g84, NULL},              /* offset of the page directory */
    {CHIP_VM_GF100, CHIP_VM_GK104, &pfb_config_gf100, NULL}, /* big pages: board-wide */
    {CHIP_VM_GM200, CHIP_VM_GP100, &pfb_config_gm200, NULL}, /* big pages: per instance block */
    {CHIP_VM_GF100, CHIP_VM_GP100, &pfb_gf100, NULL},        /* TLB */
};

static enum pfifo_status attach_table(struct bus *bus, const struct bus_table *table, struct pfifo_error *error) {
    enum pfifo_status status = PFIFO_OK;
    if (table->face)
        status = bus_attach_face(bus, table->face, bus, error);
    if (status == PFIFO_OK && table->window)
        status = bus_attach_window(bus, table->window, bus, error);
    return status;
}

enum pfifo_status bus_init(struct bus *bus, const struct chip *chip, struct memory *memory, struct event_hub *events,
                           const struct bus_clock *clock, struct pfifo_error *error) {
    *bus = (struct bus){.chip = chip, .memory = memory, .events = events};
    if (clock)
        bus->clock = *clock;
    if (events)
        events->now = &bus->time;
    bus->rows = malloc(BUS_MAX_REGS * sizeof bus->rows[0]);
    if (!bus->rows)
        return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for the register tables");
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        if (chip->vm < tables[i].first || chip->vm > tables[i].last)
            continue;
        enum pfifo_status status = attach_table(bus, &tables[i], error);
        if (status != PFIFO_OK) {
            bus_free(bus);
            return status;
        }
    }
    bus->boot0 = chip->boot0;
    return PFIFO_OK;
}

void bus_free(struct bus *bus) {
    if (bus->events && bus->events->now == &bus->time)
        bus->events->now = NULL;
    free(bus->rows);
    *bus = (struct bus){0};
}

static const struct window_instance *find_window(const struct bus *bus, uint32_t offset) {
    for (size_t i = 0; i < bus->window_count; i++) {
        const struct window *window = bus->windows[i].window;
        if (offset >= window->base && offset - window->base < window->bytes)
            return &bus->windows[i];
    }
    return NULL;
}

/* A unit that is switched off does not answer; from G80 on the bus says so. */
static uint32_t read_disabled(const struct bus *bus) {
    return bus->chip->vm == CHIP_VM_NONE ? 0 : 0xbad0da00;
}

static uint32_t read_unmapped(struct bus *bus, uint32_t offset) {
    if (bus->events)
        event_send(bus->events, EVENT_BUS_UNMAPPED, UINT32_MAX, NULL, offset, 0);
    return bus->chip->vm == CHIP_VM_NONE ? 0 : 0xbad00100;
}

static uint32_t read_reg(void *unit, const struct reg *reg, uint32_t index) {
    if (reg->read)
        return reg->read(unit, reg, index);
    return reg->at == REG_NONE ? 0 : *reg_storage(unit, reg, index) & reg->readable;
}

static uint32_t read_any(struct bus *bus, uint32_t offset) {
    if (pmc_disabled(bus, offset))
        return read_disabled(bus);
    uint32_t index;
    void *unit;
    const struct reg *reg = bus_find(bus, offset, &index, &unit);
    if (reg)
        return read_reg(unit, reg, index);
    const struct window_instance *found = find_window(bus, offset);
    if (!found)
        return read_unmapped(bus, offset);
    const struct window *window = found->window;
    if (window->read_lanes)
        return window->read_lanes(found->unit, offset - window->base, ALL_LANES);
    return window->read(found->unit, offset - window->base);
}

uint32_t bus_rd32(struct bus *bus, uint32_t offset) {
    offset &= ~3u;
    if (bus->sync)
        bus->sync(bus->fifo);
    uint32_t value = read_any(bus, offset);
    if (bus->events)
        event_send(bus->events, EVENT_BUS_READ, UINT32_MAX, NULL, offset, value);
    return value;
}

static void write_reg(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    if (reg->at != REG_NONE) {
        uint32_t *stored = reg_storage(unit, reg, index);
        *stored = (*stored & ~reg->writable) | (value & reg->writable);
    }
    if (reg->write)
        reg->write(unit, reg, index, value);
}

void bus_wr32(struct bus *bus, uint32_t offset, uint32_t value) {
    offset &= ~3u;
    if (bus->sync)
        bus->sync(bus->fifo);
    /* Sent before the write takes effect, so that what the write causes comes after it. */
    if (bus->events)
        event_send(bus->events, EVENT_BUS_WRITE, UINT32_MAX, NULL, offset, value);
    if (pmc_disabled(bus, offset))
        return;
    uint32_t index;
    void *unit;
    const struct reg *reg = bus_find(bus, offset, &index, &unit);
    if (reg) {
        write_reg(unit, reg, index, value);
        return;
    }
    const struct window_instance *found = find_window(bus, offset);
    if (found && found->window->write_lanes)
        found->window->write_lanes(found->unit, offset - found->window->base, value, ALL_LANES);
    else if (found)
        found->window->write(found->unit, offset - found->window->base, value);
    else if (bus->events)
        event_send(bus->events, EVENT_BUS_UNMAPPED, UINT32_MAX, NULL, offset, 1);
}

uint64_t bus_now(struct bus *bus) {
    if (bus->clock.now)
        bus->time = bus->clock.now(bus->clock.opaque);
    uint64_t now = bus->time + bus->ptimer_offset;
    ptimer_check_alarm(bus, now);
    return now;
}
