/* SPDX-License-Identifier: MIT */
/*
 * PMC: identity, the switches of the units, and the interrupt line.
 *
 *   unit lines --> INTR & what is enabled --> INTA
 *
 * What enables differs: two bits for hardware and software before GP100 (and a mask register from GF100 on), a
 * bit per line with set and clear registers from GP100 on (nvgpu hw_mc_gp10b.h, nouveau nvkm/subdev/mc/gp100.c).
 * GT215 .. MCP89 have three destinations with masks: HOST and NRHOST, which both are INTA, and PDAEMON (envytools
 * docs/hw/bus/pmc.rst).
 */
#include "bus/tables.h"

#define INTR_SOFTWARE_NV1 0x10000000u
#define INTR_SOFTWARE_NV3 0x80000000u
#define INTR_EN_HARDWARE  1u
#define INTR_EN_SOFTWARE  2u

#define ENDIAN_BIG    0x01000001u
#define ENDIAN_TOGGLE 0x01000000u

#define ENABLE_PFIFO  (1u << 8)
#define ENABLE_PGRAPH (1u << 12)

void pmc_init(struct bus *bus) {
    bus->boot0 = bus->chip->boot0;
    bus->enable_told = bus->enable;
    static const struct software {
        const char *chips;
        uint32_t bit;
    } software[] = {{"NV1", INTR_SOFTWARE_NV1}, {"NV3-", INTR_SOFTWARE_NV3}};
    bus->intr_software = ((const struct software *)CHIP_ROW(bus->chip, software))->bit;
}

static uint32_t enabled_lines(const struct bus *bus) {
    if (bus->chip->vm >= CHIP_VM_GP100)
        return bus->intr_en_host;
    uint32_t lines = 0;
    if (bus->intr_en_host & INTR_EN_HARDWARE)
        lines |= ~bus->intr_software;
    if (bus->intr_en_host & INTR_EN_SOFTWARE)
        lines |= bus->intr_software;
    return bus->chip->vm >= CHIP_VM_GF100 ? lines & bus->intr_mask[0] : lines;
}

enum { HOST, NRHOST, DAEMON, DESTINATIONS };

/* GT215 .. MCP89: INTR of a destination. What is masked is not seen. */
static uint32_t destination_intr(const struct bus *bus, uint32_t destination) {
    switch (destination) {
    case NRHOST:
        return bus->intr_nrhost & bus->intr_mask[NRHOST];
    case DAEMON:
        return bus->intr_host & bus->intr_mask_daemon;
    default:
        return bus->intr_host & bus->intr_mask[HOST];
    }
}

static bool destination_line(const struct bus *bus, uint32_t destination) {
    const uint32_t enable[DESTINATIONS] = {bus->intr_en_host, bus->intr_en_nonstall, bus->intr_en_daemon};
    uint32_t intr = destination_intr(bus, destination), software = intr & bus->intr_software;
    return ((enable[destination] & INTR_EN_HARDWARE) && (intr & ~bus->intr_software)) ||
           ((enable[destination] & INTR_EN_SOFTWARE) && software);
}

static bool is_host_line(const struct bus *bus) {
    return (bus->intr_host & enabled_lines(bus)) != 0;
}

/* GF100-: the second line, for what nobody waits for. On a card both are INTA. */
static bool is_nonstall_line(const struct bus *bus) {
    if (bus->chip->vm >= CHIP_VM_GP100)
        return (bus->intr_nrhost & bus->intr_en_nonstall) != 0;
    return (bus->intr_en_nonstall & INTR_EN_HARDWARE) && (bus->intr_nrhost & bus->intr_mask[NRHOST]);
}

static void update_line(struct bus *bus) {
    bool line = bus->chip->has_nrhost ? destination_line(bus, HOST) || destination_line(bus, NRHOST)
                                      : is_host_line(bus) || (bus->chip->has_gpfifo && is_nonstall_line(bus));
    if (line == bus->line)
        return;
    bus->line = line;
    if (bus->events)
        event_send(bus->events, EVENT_BUS_LINE, UINT32_MAX, NULL, line);
    if (bus->line_changed)
        bus->line_changed(bus->line_opaque, line);
}

void bus_interrupt(struct bus *bus, uint32_t bit, bool level) {
    bus->intr_host = level ? bus->intr_host | bit : bus->intr_host & ~bit;
    update_line(bus);
}

void bus_interrupt_nrhost(struct bus *bus, uint32_t bit, bool level) {
    bus->intr_nrhost = level ? bus->intr_nrhost | bit : bus->intr_nrhost & ~bit;
    update_line(bus);
}

static void intr_write(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    (void)reg, (void)index, (void)value;
    update_line(unit);
}

/* Before GF100 the register shows the pin, which is low while it is asserted. */
static uint32_t line_read_nv4(void *unit, const struct reg *reg, uint32_t index) {
    (void)reg, (void)index;
    return !((struct bus *)unit)->line;
}

static uint32_t intr_read_gt215(void *unit, const struct reg *reg, uint32_t index) {
    (void)index;
    return destination_intr(unit, (reg->offset & 0xf) >> 2);
}

static uint32_t line_read_gt215(void *unit, const struct reg *reg, uint32_t index) {
    (void)reg;
    return !destination_line(unit, index);
}

static uint32_t line_read_gf100(void *unit, const struct reg *reg, uint32_t index) {
    (void)reg;
    return index == 0 ? is_host_line(unit) : is_nonstall_line(unit);
}

static uint32_t nonstall_read(void *unit, const struct reg *reg, uint32_t index) {
    const struct bus *bus = unit;
    (void)reg, (void)index;
    return bus->intr_nrhost;
}

static void intr_en_set(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    struct bus *bus = unit;
    (void)reg;
    *(index == 0 ? &bus->intr_en_host : &bus->intr_en_nonstall) |= value;
    update_line(bus);
}

static void intr_en_clear(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    struct bus *bus = unit;
    (void)reg;
    *(index == 0 ? &bus->intr_en_host : &bus->intr_en_nonstall) &= ~value;
    update_line(bus);
}

/* Both values are the same backwards, so that a driver with the wrong byte order understands and is understood. */
static uint32_t endian_read(void *unit, const struct reg *reg, uint32_t index) {
    (void)reg, (void)index;
    return ((struct bus *)unit)->big_endian ? ENDIAN_BIG : 0;
}

static void endian_write(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    (void)reg, (void)index;
    ((struct bus *)unit)->big_endian ^= (value & ENDIAN_TOGGLE) != 0;
}

static void enable_write(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    struct bus *bus = unit;
    (void)reg, (void)index, (void)value;
    uint32_t old = bus->enable_told;
    bus->enable_told = bus->enable;
    blocks_reset(bus, old & ~bus->enable);
    if (bus->enable_changed && old != bus->enable)
        bus->enable_changed(bus->fifo, old, bus->enable);
}

/* Drivers write all ones and count what reads back. */
static void enable_1_write(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    struct bus *bus = unit;
    (void)reg, (void)index;
    uint32_t units = bus->chip->pbdmas < 32 ? (1u << bus->chip->pbdmas) - 1 : UINT32_MAX;
    bus->enable_1 = value & units;
}

static const struct reg regs_nv1[] = {
    {NV_PMC_BOOT_0, "BOOT_0", .at = offsetof(struct bus, boot0), .readable = ~0u},
};

/* The place and size of the device id changed. */
static const struct reg regs_g80[] = {
    {NV_PMC_BOOT_0, "BOOT_0", .at = offsetof(struct bus, boot0), .readable = ~0u,
     .fields = "FOUNDRY 31:29, CHIPSET 28:20, STEPPING 7:0"},
};

/* UNKNOWN: the last chip with the switch; chosen: GV100. */
static const struct reg endian_regs_nv1a[] = {
    {0x004, "ENDIAN", .at = REG_NONE, .read = endian_read, .write = endian_write, .fields = "BIG 24"},
};

static const struct reg boot_1_regs_tu102[] = {
    {0x004, "BOOT_1", .at = REG_NONE},
};

#define ENABLE                                                                                                         \
    NV_PMC_ENABLE, "ENABLE", .at = offsetof(struct bus, enable), .readable = ~0u, .writable = ~0u, .write = enable_write

/*
 * UNKNOWN: which bits of ENABLE exist on each chip: all of them are stored.
 * UNKNOWN: ENABLE of NV1 and NV3 after power-on. Chosen: everything is on.
 */
static const struct reg enable_regs_nv1[] = {{ENABLE, .reset = ~0u, .fields = "PFIFO 8, PGRAPH 12"}};
/* PFB and PCRTC (nv4ref.h); a driver switches on what it wants. UNKNOWN: later chips; chosen: the same. */
static const struct reg enable_regs_nv4[] = {{ENABLE, .reset = 0x01100000, .fields = "PFIFO 8, PGRAPH 12"}};
/*
 * UNKNOWN: ENABLE after the firmware ran. Chosen: everything is on, so that a program may begin with the units
 * it wants; a driver that switches PFIFO off and on resets it, as on the chip.
 */
static const struct reg enable_regs_g80[] = {
    {ENABLE, .reset = ~0u,
     .fields = "PMPEG 1, PMEDIA 4, PFIFO 8, PGRAPH 12, PCOPY 13, PCIPHER 14, PBSP 15, PTIMER 16, PVP 17, PFB 20, "
               "PGRAPH_SWITCH 21, PMPEG_SWITCH 22, PCOPY_SWITCH 23, PVP_SWITCH 24, PCIPHER_SWITCH 25, PBSP_SWITCH 26, "
               "PDISPLAY 30"},
};
static const struct reg enable_regs_gf100[] = {
    {ENABLE, .reset = ~0u,
     .fields =
         "PPPP 1, PXBAR 2, PMFB 3, PMEDIA 4, PIBUS 5, PCOPY0 6, PCOPY1 7, PFIFO 8, PGRAPH 12, PDAEMON 13, PVLD 15, "
         "PTIMER 16, PPDEC 17, PVENC 18, PFB 20, PCOPY2 21, PDISPLAY 30"},
};

/* Like ENABLE to look at, and without effect. */
#define ENABLE_NO_DISPLAY 0xbfffffffu
static const struct reg enable_unknown_regs_gf100[] = {
    {0x208, "ENABLE_UNKNOWN", .at = offsetof(struct bus, enable_unknown[0]), .readable = ~0u, .writable = ~0u,
     .reset = ENABLE_NO_DISPLAY},
};
#define ENABLE_ENGINES 0x000290c2u
static const struct reg enable_engines_regs_gf104[] = {
    {0x20c, "ENABLE_UNKNOWN_ENGINES", .at = offsetof(struct bus, enable_unknown[1]), .readable = ENABLE_ENGINES,
     .writable = ENABLE_ENGINES, .reset = ENABLE_ENGINES},
};

#define INTR NV_PMC_INTR, "INTR", .at = offsetof(struct bus, intr_host), .readable = ~0u, .write = intr_write

static const struct reg software_regs_nv1[] = {
    {INTR, .writable = INTR_SOFTWARE_NV1, .fields = "PFIFO 8, PGRAPH 12, PTIMER 20, SOFTWARE 28"},
};
#define LINES_NV3 "PFIFO 8, PGRAPH 12, PTIMER 20, PBUS 28, SOFTWARE 31"
static const struct reg software_regs_nv3[] = {
    {INTR, .writable = INTR_SOFTWARE_NV3, .fields = LINES_NV3},
};

static const struct reg intr_regs_nv1[] = {
    {NV_PMC_INTR_EN, "INTR_EN", .at = offsetof(struct bus, intr_en_host), .readable = 3, .writable = 3,
     .write = intr_write, .fields = "HARDWARE 0, SOFTWARE 1"},
    {0x160, "INTR_LINE", .at = REG_NONE, .readable = 1, .read = line_read_nv4, .fields = "INACTIVE 0"},
};

/*
 * UNKNOWN: the masks after power-on. Chosen: nothing is masked, for drivers that know only INTR_EN.
 * UNKNOWN: what sets the software interrupt of NRHOST and of DAEMON. Chosen: DAEMON shows that of HOST, NRHOST none.
 */
#define LINES_GT215 "PFIFO 8, PGRAPH 12, PTIMER 20, PBUS 28, SOFTWARE 31"
#define EN_GT215    .readable = 3, .writable = 3, .write = intr_write, .fields = "HARDWARE 0, SOFTWARE 1"
static const struct reg intr_regs_gt215[] = {
    {INTR, .writable = INTR_SOFTWARE_NV3, .read = intr_read_gt215, .fields = LINES_GT215},
    {NV_PMC_INTR_NRHOST, "INTR_NRHOST", .at = REG_NONE, .readable = 0x100, .read = intr_read_gt215,
     .fields = "PFIFO 8"},
    {0x108, "INTR_DAEMON", .at = REG_NONE, .readable = ~0u, .read = intr_read_gt215, .fields = LINES_GT215},
    {NV_PMC_INTR_EN, "INTR_EN", .at = offsetof(struct bus, intr_en_host), EN_GT215},
    {0x144, "INTR_EN_NRHOST", .at = offsetof(struct bus, intr_en_nonstall), EN_GT215},
    {0x148, "INTR_EN_DAEMON", .at = offsetof(struct bus, intr_en_daemon), EN_GT215},
    {0x160, "INTR_LINE", .at = REG_NONE, .readable = 1, .count = DESTINATIONS, .read = line_read_gt215,
     .fields = "INACTIVE 0"},
    {0x640, "INTR_MASK", .at = offsetof(struct bus, intr_mask[HOST]), .readable = ~0u, .writable = ~0u, .reset = ~0u,
     .write = intr_write, .fields = LINES_GT215},
    {0x644, "INTR_MASK_NRHOST", .at = offsetof(struct bus, intr_mask[NRHOST]), .readable = PMC_INTR_PFIFO,
     .writable = PMC_INTR_PFIFO, .reset = PMC_INTR_PFIFO, .write = intr_write, .fields = "PFIFO 8"},
    {0x648, "INTR_MASK_DAEMON", .at = offsetof(struct bus, intr_mask_daemon), .readable = ~0u, .writable = ~0u,
     .reset = ~0u, .fields = LINES_GT215},
};

/* Units that have a line of their own to the second destination. */
#define NONSTALL_LINES  0x000391e1u
#define NONSTALL_FIELDS "PPPP 0, PCOPY0 5, PCOPY1 6, PCOPY2 7, PFIFO 8, PGRAPH 12, PVLD 15, PVENC 16, PPDEC 17"

/*
 * INTR_PMFB and INTR_PBFB say which partition raised theirs: none does.
 * UNKNOWN: INTR_MASK after reset. Chosen: nothing is masked, for drivers that know only INTR_EN.
 */
static const struct reg intr_regs_gf100[] = {
    {0x104, "INTR_NONSTALL", .at = REG_NONE, .readable = NONSTALL_LINES, .read = nonstall_read,
     .fields = NONSTALL_FIELDS},
    {NV_PMC_INTR_EN, "INTR_EN", .at = offsetof(struct bus, intr_en_host), .readable = 3, .writable = 3,
     .write = intr_write, .fields = "HARDWARE 0, SOFTWARE 1"},
    {0x144, "INTR_EN_NONSTALL", .at = offsetof(struct bus, intr_en_nonstall), .readable = 3, .writable = 3,
     .write = intr_write, .fields = "HARDWARE 0, SOFTWARE 1"},
    {0x160, "INTR_LINE", .at = REG_NONE, .readable = 1, .count = 2, .read = line_read_gf100, .fields = "ACTIVE 0"},
    {0x17c, "INTR_PMFB", .at = REG_NONE, .readable = ~0u},
    {0x180, "INTR_PBFB", .at = REG_NONE, .readable = ~0u},
    {0x640, "INTR_MASK", .at = offsetof(struct bus, intr_mask), .readable = ~0u, .writable = ~0u, .reset = ~0u,
     .count = 2, .write = intr_write, .fields = LINES_NV3},
};

static const struct reg intr_regs_gp100[] = {
    {0x17c, "INTR_PMFB", .at = REG_NONE, .readable = ~0u},
    {0x104, "INTR_NONSTALL", .at = REG_NONE, .readable = NONSTALL_LINES, .read = nonstall_read,
     .fields = NONSTALL_FIELDS},
    {NV_PMC_INTR_EN, "INTR_EN", .at = offsetof(struct bus, intr_en_host), .readable = ~0u},
    {0x144, "INTR_EN_NONSTALL", .at = offsetof(struct bus, intr_en_nonstall), .readable = ~0u},
    {NV_PMC_INTR_EN_SET, "INTR_EN_SET", .at = REG_NONE, .count = 2, .write = intr_en_set},
    {0x180, "INTR_EN_CLEAR", .at = REG_NONE, .count = 2, .write = intr_en_clear},
};

static const struct reg regs_gf100[] = {
    {NV_PMC_SUBFIFO_ENABLE, "SUBFIFO_ENABLE", .at = offsetof(struct bus, enable_1), .readable = ~0u,
     .write = enable_1_write},
};

const struct reg_table pmc_nv1 = REG_TABLE("PMC", regs_nv1);
const struct reg_table pmc_g80 = REG_TABLE("PMC", regs_g80);
const struct reg_table pmc_endian_nv1a = REG_TABLE("PMC", endian_regs_nv1a);
const struct reg_table pmc_boot_1_tu102 = REG_TABLE("PMC", boot_1_regs_tu102);
const struct reg_table pmc_enable_nv1 = REG_TABLE("PMC", enable_regs_nv1);
const struct reg_table pmc_enable_nv4 = REG_TABLE("PMC", enable_regs_nv4);
const struct reg_table pmc_enable_g80 = REG_TABLE("PMC", enable_regs_g80);
const struct reg_table pmc_enable_gf100 = REG_TABLE("PMC", enable_regs_gf100);
const struct reg_table pmc_enable_unknown_gf100 = REG_TABLE("PMC", enable_unknown_regs_gf100);
const struct reg_table pmc_enable_engines_gf104 = REG_TABLE("PMC", enable_engines_regs_gf104);
const struct reg_table pmc_software_nv1 = REG_TABLE("PMC", software_regs_nv1);
const struct reg_table pmc_software_nv3 = REG_TABLE("PMC", software_regs_nv3);
const struct reg_table pmc_intr_nv1 = REG_TABLE("PMC", intr_regs_nv1);
const struct reg_table pmc_intr_gt215 = REG_TABLE("PMC", intr_regs_gt215);
const struct reg_table pmc_intr_gf100 = REG_TABLE("PMC", intr_regs_gf100);
const struct reg_table pmc_intr_gp100 = REG_TABLE("PMC", intr_regs_gp100);
const struct reg_table pmc_gf100 = REG_TABLE("PMC", regs_gf100);

/* Areas of the units that ENABLE takes away from BAR0 (NV4-; on NV1 and NV3 registers stay). */
static const struct gated_area {
    uint32_t begin, end;
    uint32_t enable;
    bool before_gf100;
} gated_areas[] = {
    {0x002000, 0x004000, ENABLE_PFIFO},  /* PFIFO */
    {0x040000, 0x060000, ENABLE_PFIFO},  /* PBDMAs */
    {0x090000, 0x092000, ENABLE_PFIFO},  /* CACHE1 */
    {0x400000, 0x420000, ENABLE_PGRAPH}, /* PGRAPH */
    {0x800000, 0x900000, ENABLE_PFIFO},  /* USER, channel tables */
    {0x900000, 0x1000000, ENABLE_PFIFO, true},
};

#define PBDMA_BASE   0x40000u
#define PBDMA_STRIDE 0x2000u

/* A PBDMA that SUBFIFO_ENABLE leaves out is gone from BAR0 like a unit that ENABLE leaves out. */
static bool pbdma_disabled(const struct bus *bus, uint32_t offset) {
    uint32_t unit = (offset - PBDMA_BASE) / PBDMA_STRIDE;
    return offset >= PBDMA_BASE && unit < bus->chip->pbdmas && !(bus->enable_1 >> unit & 1);
}

bool pmc_disabled(const struct bus *bus, uint32_t offset) {
    if (pbdma_disabled(bus, offset))
        return true;
    if ((bus->enable & (ENABLE_PFIFO | ENABLE_PGRAPH)) == (ENABLE_PFIFO | ENABLE_PGRAPH) || !bus->chip->has_dma)
        return false;
    for (size_t i = 0; i < sizeof gated_areas / sizeof gated_areas[0]; i++)
        if (offset >= gated_areas[i].begin && offset < gated_areas[i].end)
            return !(bus->enable & gated_areas[i].enable) && !(gated_areas[i].before_gf100 && bus->chip->has_gpfifo);
    return false;
}
