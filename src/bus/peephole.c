/* SPDX-License-Identifier: MIT */
#include "bus/peephole.h"

#include "bus/bars.h"
#include "bus/bus.h"
#include "bus/pbus.h"
#include "hw/pbus.h"

#define ADDR_VALID 0x001u
#define DATA_VALID 0x002u
#define FREEFORM   0x100u

#define ADDRESS      0xfffffffcu
#define ADDRESS_NV30 0x1ffffffcu
#define ALL_LANES    0xfu

/* The bytes of the lanes, one by one: they need not be neighbours. */
static void store_lanes(struct bus *bus, uint64_t address, uint32_t value, unsigned lanes) {
    struct aperture aperture = aperture_of(bus, BUS_PORT_PEEPHOLE);
    uint8_t bytes[4];
    store_le32(bytes, value);
    if (lanes == ALL_LANES) {
        aperture_write(bus, &aperture, address, bytes, sizeof bytes);
        return;
    }
    for (unsigned i = 0; i < 4; i++)
        if (lanes >> i & 1)
            aperture_write(bus, &aperture, address + i, &bytes[i], 1);
}

static uint32_t peephole_load_word(struct bus *bus, uint64_t address) {
    struct aperture aperture = aperture_of(bus, BUS_PORT_PEEPHOLE);
    uint8_t bytes[4];
    aperture_read(bus, &aperture, address, bytes, sizeof bytes);
    bus_hide_vram(bus, address, bytes, sizeof bytes);
    return load_le32(bytes);
}

static void peephole_address_write(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    struct bus *bus = bus_of(unit);
    struct peephole *port = bus->peephole;
    (void)reg, (void)index, (void)value;
    if (port->w_ctrl & FREEFORM)
        return;
    if (port->w_ctrl & ADDR_VALID) {
        pbus_raise(bus, PBUS_INTR_PEEPHOLE);
    } else if (port->w_ctrl & DATA_VALID) {
        store_lanes(bus, port->w_addr, port->w_data, ALL_LANES);
        port->w_ctrl &= ~DATA_VALID;
    } else {
        port->w_ctrl |= ADDR_VALID;
    }
}

static uint32_t w_data_read(void *unit, uint32_t offset, unsigned lanes) {
    (void)offset, (void)lanes;
    return bus_of(unit)->peephole->w_data;
}

static void w_data_write(void *unit, uint32_t offset, uint32_t value, unsigned lanes) {
    struct bus *bus = bus_of(unit);
    struct peephole *port = bus->peephole;
    (void)offset;
    port->w_data = value;
    if (port->w_ctrl & FREEFORM) {
        store_lanes(bus, port->w_addr, value, lanes);
    } else if (port->w_ctrl & DATA_VALID) {
        pbus_raise(bus, PBUS_INTR_PEEPHOLE);
    } else if (port->w_ctrl & ADDR_VALID) {
        store_lanes(bus, port->w_addr, value, lanes);
        port->w_ctrl &= ~ADDR_VALID;
    } else {
        port->w_ctrl |= DATA_VALID;
    }
}

static uint64_t rw_address(const struct bus *bus) {
    return bus->peephole->rw_addr | (uint64_t)bus->peephole->rw_addr_high << 32;
}

static void rw_step(struct bus *bus) {
    uint64_t next = (rw_address(bus) + 4) & ((UINT64_C(1) << bus->chip->peephole->address_bits) - 1);
    bus->peephole->rw_addr = (uint32_t)next;
    bus->peephole->rw_addr_high = (uint32_t)(next >> 32);
}

static uint32_t rw_data_read(void *unit, uint32_t offset, unsigned lanes) {
    (void)offset, (void)lanes;
    uint32_t value = peephole_load_word(bus_of(unit), rw_address(bus_of(unit)));
    rw_step(bus_of(unit));
    return value;
}

static void rw_data_write(void *unit, uint32_t offset, uint32_t value, unsigned lanes) {
    (void)offset;
    store_lanes(bus_of(unit), rw_address(bus_of(unit)), value, lanes);
    rw_step(bus_of(unit));
}

#define PORT_AT(field) .at = offsetof(struct peephole, field)
#define W_ADDRESS(bits)                                                                                                \
    "PEEPHOLE_W_ADDR", PORT_AT(w_addr), .readable = (bits), .writable = (bits), .write = peephole_address_write
#define RW_ADDRESS(bits) PORT_AT(rw_addr), .readable = (bits), .writable = (bits)
#define W_DATA_PORT      "PEEPHOLE_W_DATA", .read_lanes = w_data_read, .write_lanes = w_data_write
#define RW_DATA_PORT     "PEEPHOLE_RW_DATA", .read_lanes = rw_data_read, .write_lanes = rw_data_write, .read_acts = true

static const struct reg control_regs_nv30[] = {
    {0x155c, "PEEPHOLE_W_CTRL", PORT_AT(w_ctrl), .readable = ADDR_VALID | DATA_VALID | FREEFORM,
     .writable = ADDR_VALID | DATA_VALID | FREEFORM, .fields = "PAIR_ADDR_VALID 0, PAIR_DATA_VALID 1, FREEFORM 8"},
};

static const struct reg regs_nv30[] = {
    {0x1560, W_ADDRESS(ADDRESS_NV30), .fields = "ADDRESS 28:2"},
    {NV_PEEPHOLE_RW_ADDR, "PEEPHOLE_RW_ADDR", RW_ADDRESS(ADDRESS_NV30), .fields = "ADDRESS 28:2"},
};

static const struct reg regs_g80[] = {
    {0x1560, W_ADDRESS(ADDRESS), .fields = "ADDRESS 31:2"},
    {NV_PEEPHOLE_RW_ADDR, "PEEPHOLE_RW_ADDR", RW_ADDRESS(ADDRESS), .fields = "ADDRESS 31:2"},
};

static const struct reg write_regs_g84[] = {
    {0x60000, W_ADDRESS(ADDRESS), .fields = "ADDRESS 31:2"},
};

static const struct reg regs_g84[] = {
    {NV_PEEPHOLE_RW_ADDR_LOW, "PEEPHOLE_RW_ADDR_LOW", RW_ADDRESS(ADDRESS), .fields = "ADDRESS 31:2"},
};

static const struct reg high_regs_gf100[] = {
    {NV_PEEPHOLE_RW_ADDR_HIGH, "PEEPHOLE_RW_ADDR_HIGH", PORT_AT(rw_addr_high), .readable = 0xff, .writable = 0xff,
     .fields = "ADDRESS 7:0"},
};

static const struct reg_table control_nv30 = REG_TABLE("PBUS", control_regs_nv30);
static const struct reg_table ports_nv30 = REG_TABLE("PBUS", regs_nv30);
static const struct reg_table ports_g80 = REG_TABLE("PBUS", regs_g80);
static const struct reg_table write_g84 = REG_TABLE("PEEPHOLE", write_regs_g84);
static const struct reg_table ports_g84 = REG_TABLE("PEEPHOLE", regs_g84);
static const struct reg_table high_gf100 = REG_TABLE("PEEPHOLE", high_regs_gf100);
static const struct window w_data_nv30 = {W_DATA_PORT, .base = 0x1564, .bytes = 4};
static const struct window rw_data_nv30 = {RW_DATA_PORT, .base = NV_PEEPHOLE_RW_DATA, .bytes = 4};
static const struct window w_data_g84 = {W_DATA_PORT, .base = 0x60004, .bytes = 4};
static const struct window rw_data_g84 = {RW_DATA_PORT, .base = NV_PEEPHOLE_RW_DATA_G84, .bytes = 4};

#define REGS(...)                                                                                                      \
    .regs = (const struct reg_table *const[]) {                                                                        \
        __VA_ARGS__, NULL                                                                                              \
    }
#define WINDOWS(...)                                                                                                   \
    .windows = (const struct window *const[]) {                                                                        \
        __VA_ARGS__, NULL                                                                                              \
    }

const struct peephole_variant peephole_nv30 = {
    .tables = {REGS(&control_nv30, &ports_nv30), WINDOWS(&w_data_nv30, &rw_data_nv30)}, .address_bits = 29};
const struct peephole_variant peephole_g80 = {
    .tables = {REGS(&control_nv30, &ports_g80), WINDOWS(&w_data_nv30, &rw_data_nv30)}, .address_bits = 32};
const struct peephole_variant peephole_g84 = {
    .tables = {REGS(&control_nv30, &write_g84, &ports_g84), WINDOWS(&w_data_g84, &rw_data_g84)}, .address_bits = 32};
const struct peephole_variant peephole_gf100 = {.tables = {REGS(&ports_g84, &high_gf100), WINDOWS(&rw_data_g84)},
                                                .address_bits = 40};
