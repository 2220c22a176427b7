/* SPDX-License-Identifier: MIT */
/*
 * PEEPHOLE: four bytes of memory at an address in a register, for hosts that get at nothing else.
 *
 *                    NV30:G84         G84:GF100          GF100-
 *   write port       1560  1564       60000 60004                       address, data; control 155c
 *   read-write port  1570  1574       60010 60014        6000c 60010 60014   address (high, low), data
 *
 * Addresses have 29 bits on NV30:G80, where they are those of VRAM; 32 bits up to GF100, 40 bits from there on.
 *
 * The write port takes address and data in either order (pairs), or data for whatever the address is (freeform). The
 * read-write port accesses memory whenever its data register is accessed, with the same byte lanes, and goes on by 4.
 *
 * UNKNOWN: what pairs make of writes to other registers between the two halves, which is an error on the chip. Chosen:
 * nothing. UNKNOWN: what is behind the end of VRAM before G80; chosen: nothing, which reads as 0.
 * Sources: envytools docs/hw/memory/peephole.rst, rnndb/bus/pbus.xml.
 */
#include "bus/aperture.h"
#include "bus/tables.h"
#include "hw/pbus.h"

#define ADDR_VALID 0x001u
#define DATA_VALID 0x002u
#define FREEFORM   0x100u

#define ADDRESS      0xfffffffcu
#define ADDRESS_NV30 0x1ffffffcu
#define ALL_LANES    0xfu

enum slot { W_CTRL, W_ADDR, W_DATA, RW_ADDR, RW_ADDR_HIGH, SLOTS };
_Static_assert((size_t)SLOTS <= sizeof((struct bus *)0)->peephole / sizeof(uint32_t), "bus.peephole holds every slot");

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

static uint32_t load_word(struct bus *bus, uint64_t address) {
    struct aperture aperture = aperture_of(bus, BUS_PORT_PEEPHOLE);
    uint8_t bytes[4];
    aperture_read(bus, &aperture, address, bytes, sizeof bytes);
    bus_hide_vram(bus, address, bytes, sizeof bytes);
    return load_le32(bytes);
}

static void address_write(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    struct bus *bus = unit;
    uint32_t *port = bus->peephole;
    (void)reg, (void)index, (void)value;
    if (port[W_CTRL] & FREEFORM)
        return;
    if (port[W_CTRL] & ADDR_VALID) {
        pbus_raise(bus, PBUS_INTR_PEEPHOLE);
    } else if (port[W_CTRL] & DATA_VALID) {
        store_lanes(bus, port[W_ADDR], port[W_DATA], ALL_LANES);
        port[W_CTRL] &= ~DATA_VALID;
    } else {
        port[W_CTRL] |= ADDR_VALID;
    }
}

static uint32_t w_data_read(void *unit, uint32_t offset, unsigned lanes) {
    (void)offset, (void)lanes;
    return ((struct bus *)unit)->peephole[W_DATA];
}

static void w_data_write(void *unit, uint32_t offset, uint32_t value, unsigned lanes) {
    struct bus *bus = unit;
    uint32_t *port = bus->peephole;
    (void)offset;
    port[W_DATA] = value;
    if (port[W_CTRL] & FREEFORM) {
        store_lanes(bus, port[W_ADDR], value, lanes);
    } else if (port[W_CTRL] & DATA_VALID) {
        pbus_raise(bus, PBUS_INTR_PEEPHOLE);
    } else if (port[W_CTRL] & ADDR_VALID) {
        store_lanes(bus, port[W_ADDR], value, lanes);
        port[W_CTRL] &= ~ADDR_VALID;
    } else {
        port[W_CTRL] |= DATA_VALID;
    }
}

static uint64_t rw_address(const struct bus *bus) {
    return bus->peephole[RW_ADDR] | (uint64_t)bus->peephole[RW_ADDR_HIGH] << 32;
}

static unsigned address_bits(const struct bus *bus) {
    if (bus->chip->vm >= CHIP_VM_GF100)
        return 40;
    return bus->chip->vm == CHIP_VM_NONE ? 29 : 32;
}

static void rw_step(struct bus *bus) {
    uint64_t next = (rw_address(bus) + 4) & ((UINT64_C(1) << address_bits(bus)) - 1);
    bus->peephole[RW_ADDR] = (uint32_t)next;
    bus->peephole[RW_ADDR_HIGH] = (uint32_t)(next >> 32);
}

static uint32_t rw_data_read(void *unit, uint32_t offset, unsigned lanes) {
    (void)offset, (void)lanes;
    uint32_t value = load_word(unit, rw_address(unit));
    rw_step(unit);
    return value;
}

static void rw_data_write(void *unit, uint32_t offset, uint32_t value, unsigned lanes) {
    (void)offset;
    store_lanes(unit, rw_address(unit), value, lanes);
    rw_step(unit);
}

#define PORT_AT(slot) .at = offsetof(struct bus, peephole[slot])
#define W_ADDRESS(bits)                                                                                                \
    "PEEPHOLE_W_ADDR", PORT_AT(W_ADDR), .readable = (bits), .writable = (bits), .write = address_write
#define RW_ADDRESS(bits) PORT_AT(RW_ADDR), .readable = (bits), .writable = (bits)
#define W_DATA_PORT      "PEEPHOLE_W_DATA", .read_lanes = w_data_read, .write_lanes = w_data_write
#define RW_DATA_PORT     "PEEPHOLE_RW_DATA", .read_lanes = rw_data_read, .write_lanes = rw_data_write, .read_acts = true

static const struct reg control_regs_nv30[] = {
    {0x155c, "PEEPHOLE_W_CTRL", PORT_AT(W_CTRL), .readable = ADDR_VALID | DATA_VALID | FREEFORM,
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
    {NV_PEEPHOLE_RW_ADDR_HIGH, "PEEPHOLE_RW_ADDR_HIGH", PORT_AT(RW_ADDR_HIGH), .readable = 0xff, .writable = 0xff,
     .fields = "ADDRESS 7:0"},
};

const struct reg_table peephole_control_nv30 = REG_TABLE("PBUS", control_regs_nv30);
const struct reg_table peephole_nv30 = REG_TABLE("PBUS", regs_nv30);
const struct reg_table peephole_g80 = REG_TABLE("PBUS", regs_g80);
const struct reg_table peephole_write_g84 = REG_TABLE("PEEPHOLE", write_regs_g84);
const struct reg_table peephole_g84 = REG_TABLE("PEEPHOLE", regs_g84);
const struct reg_table peephole_high_gf100 = REG_TABLE("PEEPHOLE", high_regs_gf100);
const struct window peephole_w_data_nv30 = {W_DATA_PORT, .base = 0x1564, .bytes = 4};
const struct window peephole_rw_data_nv30 = {RW_DATA_PORT, .base = NV_PEEPHOLE_RW_DATA, .bytes = 4};
const struct window peephole_w_data_g84 = {W_DATA_PORT, .base = 0x60004, .bytes = 4};
const struct window peephole_rw_data_g84 = {RW_DATA_PORT, .base = NV_PEEPHOLE_RW_DATA_G84, .bytes = 4};
