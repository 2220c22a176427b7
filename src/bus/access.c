/* SPDX-License-Identifier: MIT */
/*
 * Accesses to BAR0: cut into dwords with byte lanes, and decoded.
 *
 *   bytes at any address --> dwords and lanes, low address first --> byte order --> register, window, or nothing
 *
 * A register stores the lanes that are written and keeps the others. A window without access to lanes gets a full
 * dword: the other lanes hold what it reads. In big-endian mode lane n of the host is lane 3 - n of the chip; units and
 * observers see the chip's lanes.
 */
#include "bus/bars.h"
#include "bus/blocks.h"
#include "bus/bus.h"
#include "bus/pbus.h"
#include "bus/pmc.h"

#define ALL_LANES 0xfu

/* The bits of the lanes. */
static uint32_t lane_bits(unsigned lanes) {
    static const uint32_t bits[16] = {
        0x00000000, 0x000000ff, 0x0000ff00, 0x0000ffff, 0x00ff0000, 0x00ff00ff, 0x00ffff00, 0x00ffffff,
        0xff000000, 0xff0000ff, 0xff00ff00, 0xff00ffff, 0xffff0000, 0xffff00ff, 0xffffff00, 0xffffffff,
    };
    return bits[lanes & ALL_LANES];
}

static unsigned access_reverse_lanes(unsigned lanes) {
    return (lanes & 1) << 3 | (lanes & 2) << 1 | (lanes & 4) >> 1 | (lanes & 8) >> 3;
}

static const struct window_instance *find_window(const struct bus *bus, uint32_t offset) {
    for (size_t i = 0; i < bus->window_count; i++) {
        const struct window *window = bus->windows[i].window;
        if (offset >= window->base && offset - window->base < window->bytes)
            return &bus->windows[i];
    }
    return NULL;
}

/* A unit that is switched off does not answer; on G80 and later the bus reports it. */
static uint32_t read_disabled(struct bus *bus, uint32_t offset) {
    pbus_error(bus, PBUS_INTR_DISABLED, offset, false, 0);
    return bus->chip->pbus->disabled;
}

static uint32_t read_unmapped(struct bus *bus, uint32_t offset) {
    uint32_t value;
    if (blocks_read(bus, offset, &value))
        return value;
    if (bus->events)
        event_send(bus->events, EVENT_BUS_UNMAPPED, UINT32_MAX, NULL, offset, 0);
    pbus_error(bus, PBUS_INTR_NOTHING, offset, false, 0);
    return bus->chip->pbus->nothing;
}

static void write_unmapped(struct bus *bus, uint32_t offset, uint32_t value, unsigned lanes) {
    if (blocks_write(bus, offset, value, lane_bits(lanes)))
        return;
    if (bus->events)
        event_send(bus->events, EVENT_BUS_UNMAPPED, UINT32_MAX, NULL, offset, 1);
    pbus_error(bus, PBUS_INTR_NOTHING, offset, true, value);
}

static uint32_t read_reg(void *unit, const struct reg *reg, uint32_t index) {
    if (reg->read)
        return reg->read(unit, reg, index);
    return reg->at == REG_NONE ? 0 : *reg_storage(unit, reg, index) & reg->readable;
}

static uint32_t read_window(const struct window_instance *found, uint32_t offset, unsigned lanes) {
    const struct window *window = found->window;
    if (window->read_lanes)
        return window->read_lanes(found->unit, offset - window->base, lanes);
    return window->read(found->unit, offset - window->base);
}

static uint32_t read_any(struct bus *bus, uint32_t offset, unsigned lanes) {
    if (pmc_disabled(bus, offset))
        return read_disabled(bus, offset);
    uint32_t index;
    void *unit;
    const struct reg *reg = bus_find(bus, offset, &index, &unit);
    if (reg)
        return read_reg(unit, reg, index);
    const struct window_instance *found = find_window(bus, offset);
    return found ? read_window(found, offset, lanes) : read_unmapped(bus, offset);
}

static uint32_t access_read_dword(struct bus *bus, uint32_t offset, unsigned lanes) {
    if (bus->host_ops->sync)
        bus->host_ops->sync(bus->host);
    bool swap = bus->big_endian;
    lanes = swap ? access_reverse_lanes(lanes) : lanes;
    uint32_t value = read_any(bus, offset, lanes) & lane_bits(lanes);
    if (bus->events)
        event_send(bus->events, EVENT_BUS_READ, UINT32_MAX, NULL, offset, value);
    return swap ? __builtin_bswap32(value) : value;
}

static void write_reg(void *unit, const struct reg *reg, uint32_t index, uint32_t value, unsigned lanes) {
    if (reg->closed && reg->closed(unit))
        return;
    if (reg->at != REG_NONE) {
        uint32_t *stored = reg_storage(unit, reg, index);
        uint32_t changed = reg->writable & lane_bits(lanes);
        *stored = (*stored & ~changed) | (value & changed);
    } else if (lanes != ALL_LANES && reg->writable) {
        /* Stored where only its actions can find it. Without such bits a read may have effects of its own. */
        value |= read_reg(unit, reg, index) & reg->writable & ~lane_bits(lanes);
    }
    if (reg->write)
        reg->write(unit, reg, index, value);
}

static void write_window(const struct window_instance *found, uint32_t offset, uint32_t value, unsigned lanes) {
    const struct window *window = found->window;
    uint32_t within = offset - window->base;
    if (window->write_lanes) {
        window->write_lanes(found->unit, within, value, lanes);
        return;
    }
    if (lanes != ALL_LANES)
        value |= read_window(found, offset, ALL_LANES) & ~lane_bits(lanes);
    window->write(found->unit, within, value);
}

static void access_write_dword(struct bus *bus, uint32_t offset, uint32_t value, unsigned lanes) {
    if (bus->host_ops->sync)
        bus->host_ops->sync(bus->host);
    if (bus->big_endian) {
        value = __builtin_bswap32(value);
        lanes = access_reverse_lanes(lanes);
    }
    /* Sent before the write takes effect, so that the events it causes come after it. */
    if (bus->events)
        event_send(bus->events, EVENT_BUS_WRITE, UINT32_MAX, NULL, offset, value);
    if (pmc_disabled(bus, offset)) {
        pbus_error(bus, PBUS_INTR_DISABLED, offset, true, value);
        return;
    }
    uint32_t index;
    void *unit;
    const struct reg *reg = bus_find(bus, offset, &index, &unit);
    const struct window_instance *found = reg ? NULL : find_window(bus, offset);
    if (reg)
        write_reg(unit, reg, index, value, lanes);
    else if (found)
        write_window(found, offset, value, lanes);
    else
        write_unmapped(bus, offset, value, lanes);
}

uint32_t bus_rd32(struct bus *bus, uint32_t offset) {
    return access_read_dword(bus, offset & ~3u, ALL_LANES);
}

void bus_wr32(struct bus *bus, uint32_t offset, uint32_t value) {
    access_write_dword(bus, offset & ~3u, value, ALL_LANES);
}

/* The part of an access within the dword at `offset`: its first lane and the number of lanes. */
struct part {
    uint32_t offset; /* of the dword */
    unsigned first, count, lanes;
};

static struct part part_at(uint32_t offset, uint32_t bytes) {
    unsigned first = offset % 4, count = bytes < 4 - first ? bytes : 4 - first;
    return (struct part){offset - first, first, count, ((1u << count) - 1) << first};
}

void bus_read(struct bus *bus, uint32_t offset, void *data, uint32_t bytes) {
    uint8_t *to = data, dword[4];
    while (bytes) {
        struct part part = part_at(offset, bytes);
        store_le32(dword, access_read_dword(bus, part.offset, part.lanes));
        memcpy(to, dword + part.first, part.count);
        offset += part.count, to += part.count, bytes -= part.count;
    }
}

/*
 * Write whole dwords of a window at once, unless an observer must get an event for each. Returns the bytes written; 0:
 * write them one by one.
 */
static uint32_t write_run(struct bus *bus, uint32_t offset, const uint8_t *data, uint32_t bytes) {
    if (offset % 4 || bytes < 8 || bus->big_endian || (bus->events && event_wanted(bus->events, EVENT_BUS_WRITE)))
        return 0;
    const struct window_instance *found = find_window(bus, offset);
    if (!found || !found->window->write_run || pmc_disabled(bus, offset))
        return 0;
    uint32_t within = offset - found->window->base, left = found->window->bytes - within;
    uint32_t run = (bytes < left ? bytes : left) & ~3u;
    if (bus->host_ops->sync)
        bus->host_ops->sync(bus->host);
    found->window->write_run(found->unit, within, data, run);
    return run;
}

void bus_write(struct bus *bus, uint32_t offset, const void *data, uint32_t bytes) {
    const uint8_t *from = data;
    uint32_t run = write_run(bus, offset, from, bytes);
    offset += run, from += run, bytes -= run;
    while (bytes) {
        struct part part = part_at(offset, bytes);
        uint8_t dword[4] = {0};
        memcpy(dword + part.first, from, part.count);
        access_write_dword(bus, part.offset, load_le32(dword), part.lanes);
        offset += part.count, from += part.count, bytes -= part.count;
    }
}
