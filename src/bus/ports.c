/* SPDX-License-Identifier: MIT */
#include "bus/ports.h"

#include "bus/bars.h"
#include "bus/bus.h"

#define SIGNATURE 0x2469fdb9u
#define ON        1u

enum port { MASTER, DATA_ENABLE, ADDRESS_0, DATA_0, ADDRESS_1, DATA_1, ADDRESS_3, DATA_3 };

/* The BAR of an address port, and the bits that it stores. */
static const struct {
    uint32_t mask;
    unsigned bar;
} targets[PORTS_COUNT] = {
    [ADDRESS_0] = {0x00fffffc, 0},
    [ADDRESS_1] = {0xfffffffc, 1},
    [ADDRESS_3] = {0x00fffffc, 3},
};

static bool is_data(unsigned port) {
    return port == DATA_0 || port == DATA_1 || port == DATA_3;
}

static bool ports_is_on(const struct bus *bus, unsigned port) {
    return port < PORTS_COUNT && (bus->ports->word[MASTER] & ON) &&
           (!is_data(port) || (bus->ports->word[DATA_ENABLE] & ON));
}

static uint32_t port_value(const struct bus *bus, unsigned port) {
    return port == MASTER ? SIGNATURE : ports_is_on(bus, port) ? bus->ports->word[port] : UINT32_MAX;
}

/* `bytes` are within a dword. */
static void read_piece(struct bus *bus, unsigned port, unsigned first, uint8_t *to, uint64_t bytes) {
    uint8_t dword[4];
    if (is_data(port) && ports_is_on(bus, port)) {
        bus_bar_read(bus, targets[port - 1].bar, bus->ports->word[port - 1] + first, to, bytes);
        return;
    }
    store_le32(dword, port_value(bus, port));
    memcpy(to, dword + first, bytes);
}

static void ports_write_piece(struct bus *bus, unsigned port, unsigned first, const uint8_t *from, uint64_t bytes) {
    uint8_t dword[4];
    if (port != MASTER && !ports_is_on(bus, port))
        return;
    if (is_data(port)) {
        bus_bar_write(bus, targets[port - 1].bar, bus->ports->word[port - 1] + first, from, bytes);
        return;
    }
    store_le32(dword, bus->ports->word[port]);
    memcpy(dword + first, from, bytes);
    bus->ports->word[port] = load_le32(dword) & (targets[port].mask ? targets[port].mask : ON);
}

/* The piece of an access that lies in one dword. */
static uint64_t piece(uint64_t offset, uint64_t bytes) {
    uint64_t left = 4 - offset % 4;
    return bytes < left ? bytes : left;
}

void ports_read(struct bus *bus, uint64_t offset, uint8_t *to, uint64_t bytes) {
    for (uint64_t step; bytes; offset += step, to += step, bytes -= step) {
        step = piece(offset, bytes);
        read_piece(bus, (unsigned)(offset / 4), (unsigned)(offset % 4), to, step);
    }
}

void ports_write(struct bus *bus, uint64_t offset, const uint8_t *from, uint64_t bytes) {
    for (uint64_t step; bytes; offset += step, from += step, bytes -= step) {
        step = piece(offset, bytes);
        ports_write_piece(bus, (unsigned)(offset / 4), (unsigned)(offset % 4), from, step);
    }
}
