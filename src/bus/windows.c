/* SPDX-License-Identifier: MIT */
/*
 * PRAMIN, the PBUS registers that select what the windows and the memory BARs show, and PFLUSH.
 */
#include "bus/bars.h"
#include "bus/bus.h"
#include "hw/pbus.h"

#define PRAMIN_BASE  0x700000
#define PRAMIN_BYTES 0x100000

static uint32_t pramin_read_nv1(void *unit, uint32_t offset) {
    struct bus *bus = bus_of(unit);
    uint8_t bytes[4];
    store_le32(bytes, memory_ramin_rd32(bus->memory, offset));
    bus_hide_vram(bus, offset, bytes, sizeof bytes);
    return load_le32(bytes);
}

static void pramin_write_nv1(void *unit, uint32_t offset, uint32_t value) {
    memory_ramin_wr32(bus_of(unit)->memory, offset, value);
}

static const struct window pramin_nv4 = {"PRAMIN", PRAMIN_BASE, PRAMIN_BYTES, pramin_read_nv1, pramin_write_nv1};

static uint32_t fb_read(void *unit, uint32_t offset) {
    return memory_physical_rd32(bus_of(unit)->memory, MEMORY_VRAM, offset);
}

static void fb_write(void *unit, uint32_t offset, uint32_t value) {
    memory_physical_wr32(bus_of(unit)->memory, MEMORY_VRAM, offset, value);
}

/* NV1 has no BAR1: VRAM is the upper half of BAR0. */
static const struct window fb_nv1 = {"FB", 0x1000000, 0x1000000, fb_read, fb_write};

/* Target 1 is not documented for the window; it is a peer, as elsewhere. */
static enum memory_target pramin_target(const struct bus *bus) {
    static const enum memory_target targets[4] = {MEMORY_VRAM, MEMORY_PEER, MEMORY_SYSTEM, MEMORY_SYSTEM};
    return targets[bus->bars->pramin_base >> 24 & 3];
}

static uint64_t pramin_address(const struct bus *bus, uint32_t offset) {
    return ((uint64_t)(bus->bars->pramin_base & 0xffffff) << 16) + offset;
}

static uint32_t pramin_read_g80(void *unit, uint32_t offset) {
    struct bus *bus = bus_of(unit);
    uint8_t bytes[4];
    store_le32(bytes, memory_physical_rd32(bus->memory, pramin_target(bus), pramin_address(bus, offset)));
    bus_hide_vram(bus, offset, bytes, sizeof bytes);
    return load_le32(bytes);
}

static void pramin_write_g80(void *unit, uint32_t offset, uint32_t value) {
    struct bus *bus = bus_of(unit);
    memory_physical_wr32(bus->memory, pramin_target(bus), pramin_address(bus, offset), value);
}

static void pramin_write_run_g80(void *unit, uint32_t offset, const uint8_t *data, uint32_t bytes) {
    struct bus *bus = bus_of(unit);
    memory_physical_write(bus->memory, pramin_target(bus), pramin_address(bus, offset), data, bytes);
}

static const struct window pramin_g80 = {"PRAMIN",        PRAMIN_BASE,      PRAMIN_BYTES,
                                         pramin_read_g80, pramin_write_g80, .write_run = pramin_write_run_g80};

/* Binding a space to a BAR forgets its cached translations. */
static void bind_write(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    (void)reg, (void)index, (void)value;
    memory_tlb_flush(bus_of(unit)->memory);
}

/* One register sets two: bit 30 selects which. */
static void channel_write(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    struct bus *bus = bus_of(unit);
    *(value & PBUS_CHANNEL_IS_BAR ? &bus->bars->bar_channel : &bus->bars->peephole_channel) =
        value & PBUS_CHANNEL_DESCRIPTOR;
    bind_write(unit, reg, index, value);
}

#define BARS_AT(field) .at = offsetof(struct bars, field)

static const struct reg pbus_regs_g80[] = {
    {NV_PBUS_HOST_MEM, "HOST_MEM", BARS_AT(pramin_base), .readable = 0x03ffffff, .writable = 0x03ffffff,
     .fields = "TARGET 25:24, BASE 23:0"},
};

/* A DMA object in the descriptor of a channel. */
#define OBJECT .readable = 0x8000ffff, .writable = 0x8000ffff, .fields = "VM 31, OBJECT 15:0"

/*
 * UNKNOWN: what 0x1704 reads as. Chosen: the last value written.
 * UNKNOWN: what 0x1900 is for; nouveau clears it. Chosen: storage.
 */
static const struct reg pbus_regs_tesla[] = {
    {NV_PBUS_CHANNEL, "CHANNEL", BARS_AT(bar_select), .readable = 0x7fffffff, .writable = 0x7fffffff,
     .write = channel_write, .fields = "BAR 30, TARGET 29:28, DESCRIPTOR 27:0"},
    {NV_PBUS_BAR1, "BAR1", BARS_AT(bar1_block), OBJECT, .write = bind_write},
    {NV_PBUS_BAR3, "BAR3", BARS_AT(bar3_block), OBJECT, .write = bind_write},
    {NV_PBUS_PEEPHOLE, "PEEPHOLE", BARS_AT(peephole_block), OBJECT, .write = bind_write},
    {NV_PBUS_UNKNOWN_1900, "UNKNOWN_1900", BARS_AT(unknown_1900), .readable = ~0u, .writable = ~0u, .count = 8},
};

#define BLOCK .readable = ~0u, .writable = ~0u, .fields = "VM 31, TARGET 29:28, INSTANCE 27:0"

static const struct reg pbus_regs_gf100[] = {
    {NV_PBUS_BAR1_BLOCK, "BAR1_BLOCK", BARS_AT(bar1_block), BLOCK, .write = bind_write},
    {NV_PBUS_BAR3_BLOCK, "BAR3_BLOCK", BARS_AT(bar3_block), BLOCK, .write = bind_write},
    {NV_PBUS_PEEPHOLE_BLOCK, "PEEPHOLE_BLOCK", BARS_AT(peephole_block), BLOCK, .write = bind_write},
};

/* Never pending, since binding is immediate. */
static const struct reg pbus_regs_gm107[] = {
    {NV_PBUS_BIND_STATUS, "BIND_STATUS", .at = REG_NONE, .readable = 0xf,
     .fields = "BAR1_PENDING 0, BAR1_OUTSTANDING 1, BAR3_PENDING 2, BAR3_OUTSTANDING 3"},
};

/* Writes reach memory at once, so no flush is ever pending (bits 0 and 1 of each). */
static const struct reg pflush_regs_g84[] = {
    {NV_PFLUSH_FLUSH, "FLUSH", .at = REG_NONE, .readable = 2, .writable = 1, .fields = "TRIGGER 0, BUSY 1"},
};

static const struct reg pflush_regs_gf100[] = {
    {0x70004, "SYSTEM_INVALIDATE", .at = REG_NONE, .readable = 2, .writable = 1, .fields = "TRIGGER 0, BUSY 1"},
    {0x70010, "FLUSH_DIRTY", .at = REG_NONE, .readable = 2, .writable = 1, .fields = "TRIGGER 0, BUSY 1"},
};

static const struct reg_table windows_g80 = REG_TABLE("PBUS", pbus_regs_g80);
static const struct reg_table objects_g80 = REG_TABLE("PBUS", pbus_regs_tesla);
static const struct reg_table blocks_gf100 = REG_TABLE("PBUS", pbus_regs_gf100);
static const struct reg_table bind_gm107 = REG_TABLE("PBUS", pbus_regs_gm107);
static const struct reg_table pflush_g84 = REG_TABLE("PFLUSH", pflush_regs_g84);
static const struct reg_table pflush_gf100 = REG_TABLE("PFLUSH", pflush_regs_gf100);

#define REGS(...)                                                                                                      \
    .regs = (const struct reg_table *const[]) {                                                                        \
        __VA_ARGS__, NULL                                                                                              \
    }
#define WINDOWS(...)                                                                                                   \
    .windows = (const struct window *const[]) {                                                                        \
        __VA_ARGS__, NULL                                                                                              \
    }
#define THROUGH(id) .translated = true, .space = bars_space_##id, .fault = bars_fault_##id, .pattern = 0xbad0ac00
#define FERMI(...)                                                                                                     \
    .tables = {REGS(&windows_g80, &blocks_gf100, &pflush_g84, __VA_ARGS__), WINDOWS(&pramin_g80)}, THROUGH(gf100),     \
    .has_window_base = true

const struct bars_variant bars_nv1 = {.tables = {WINDOWS(&fb_nv1, &pramin_nv4)}, .hides_vram = true};
const struct bars_variant bars_nv3 = {.hides_vram = true};
const struct bars_variant bars_nv4 = {.tables = {WINDOWS(&pramin_nv4)}, .hides_vram = true};
const struct bars_variant bars_g80 = {.tables = {REGS(&windows_g80, &objects_g80), WINDOWS(&pramin_g80)},
                                      THROUGH(g80),
                                      .has_window_base = true,
                                      .hides_vram = true};
const struct bars_variant bars_g84 = {.tables = {REGS(&windows_g80, &objects_g80, &pflush_g84), WINDOWS(&pramin_g80)},
                                      THROUGH(g80),
                                      .has_window_base = true,
                                      .hides_vram = true};
const struct bars_variant bars_gf100 = {FERMI(&pflush_gf100)};
const struct bars_variant bars_gm107 = {FERMI(&pflush_gf100, &bind_gm107)};
const struct bars_variant bars_gh100 = {THROUGH(gf100)};
