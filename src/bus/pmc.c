/* SPDX-License-Identifier: MIT */
#include "bus/pmc.h"

#include "bus/bars.h"
#include "bus/blocks.h"
#include "bus/bus.h"

#define INTR_SOFTWARE_NV1 0x10000000u
#define INTR_SOFTWARE_NV3 0x80000000u
#define INTR_EN_HARDWARE  1u
#define INTR_EN_SOFTWARE  2u

#define ENDIAN_BIG    0x01000001u
#define ENDIAN_TOGGLE 0x01000000u

void pmc_init(struct bus *bus) {
    bus->pmc->boot0 = bus->chip->boot0;
    bus->pmc->enable_told = bus->pmc->enable;
}

/* The lines that the two bits of INTR_EN let through. */
static uint32_t enabled_lines(const struct bus *bus, enum pmc_destination to) {
    uint32_t software = bus->chip->pmc->software, enable = bus->pmc->intr_en[to];
    return (enable & INTR_EN_HARDWARE ? ~software : 0) | (enable & INTR_EN_SOFTWARE ? software : 0);
}

static bool pmc_line_nv1(const struct bus *bus) {
    return (bus->pmc->intr[PMC_HOST] & enabled_lines(bus, PMC_HOST)) != 0;
}

/* GT215 .. MCP89: INTR of a destination. Masked lines read as 0. */
static uint32_t destination_intr(const struct bus *bus, enum pmc_destination to) {
    return bus->pmc->intr[to == PMC_NRHOST ? PMC_NRHOST : PMC_HOST] & bus->pmc->intr_mask[to];
}

static bool destination_line(const struct bus *bus, enum pmc_destination to) {
    return (destination_intr(bus, to) & enabled_lines(bus, to)) != 0;
}

static bool pmc_line_gt215(const struct bus *bus) {
    return destination_line(bus, PMC_HOST) || destination_line(bus, PMC_NRHOST);
}

static bool nonstall_line_gf100(const struct bus *bus) {
    return (bus->pmc->intr_en[PMC_NRHOST] & INTR_EN_HARDWARE) &&
           (bus->pmc->intr[PMC_NRHOST] & bus->pmc->intr_mask[PMC_NRHOST]);
}

static bool pmc_line_gf100(const struct bus *bus) {
    return destination_line(bus, PMC_HOST) || nonstall_line_gf100(bus);
}

static bool pmc_line_gp100(const struct bus *bus) {
    return (bus->pmc->intr[PMC_HOST] & bus->pmc->intr_en[PMC_HOST]) ||
           (bus->pmc->intr[PMC_NRHOST] & bus->pmc->intr_en[PMC_NRHOST]);
}

static void pmc_update_line(struct bus *bus) {
    bool line = bus->chip->pmc->line(bus);
    if (line == bus->line)
        return;
    bus->line = line;
    if (bus->events)
        event_send(bus->events, EVENT_BUS_LINE, UINT32_MAX, NULL, line);
    if (bus->line_changed)
        bus->line_changed(bus->line_opaque, line);
}

static void set_line(struct bus *bus, enum pmc_destination to, uint32_t bit, bool level) {
    uint32_t *intr = &bus->pmc->intr[to];
    *intr = level ? *intr | bit : *intr & ~bit;
    pmc_update_line(bus);
}

void bus_interrupt(struct bus *bus, uint32_t bit, bool level) {
    set_line(bus, PMC_HOST, bit, level);
}

void bus_interrupt_nrhost(struct bus *bus, uint32_t bit, bool level) {
    set_line(bus, PMC_NRHOST, bit, level);
}

static void pmc_intr_write(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    (void)reg, (void)index, (void)value;
    pmc_update_line(bus_of(unit));
}

/* Before GF100 the register shows the pin, which is low while it is asserted. */
static uint32_t line_read_nv4(void *unit, const struct reg *reg, uint32_t index) {
    (void)reg, (void)index;
    return !bus_of(unit)->line;
}

static uint32_t intr_read_gt215(void *unit, const struct reg *reg, uint32_t index) {
    (void)index;
    return destination_intr(bus_of(unit), (reg->offset & 0xf) >> 2);
}

static uint32_t line_read_gt215(void *unit, const struct reg *reg, uint32_t index) {
    (void)reg;
    return !destination_line(bus_of(unit), index);
}

static uint32_t line_read_gf100(void *unit, const struct reg *reg, uint32_t index) {
    (void)reg;
    return index == PMC_HOST ? destination_line(bus_of(unit), PMC_HOST) : nonstall_line_gf100(bus_of(unit));
}

static uint32_t nonstall_read(void *unit, const struct reg *reg, uint32_t index) {
    const struct bus *bus = bus_of(unit);
    (void)reg, (void)index;
    return bus->pmc->intr[PMC_NRHOST];
}

static void intr_en_set(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    struct bus *bus = bus_of(unit);
    (void)reg;
    bus->pmc->intr_en[index] |= value;
    pmc_update_line(bus);
}

static void intr_en_clear(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    struct bus *bus = bus_of(unit);
    (void)reg;
    bus->pmc->intr_en[index] &= ~value;
    pmc_update_line(bus);
}

/* Both values are the same in either byte order, so a driver in the wrong byte order can read and write them. */
static uint32_t endian_read(void *unit, const struct reg *reg, uint32_t index) {
    (void)reg, (void)index;
    return bus_of(unit)->big_endian ? ENDIAN_BIG : 0;
}

static void endian_write(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    (void)reg, (void)index;
    bus_of(unit)->big_endian ^= (value & ENDIAN_TOGGLE) != 0;
}

static void pmc_enable_write(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    struct bus *bus = bus_of(unit);
    (void)reg, (void)index, (void)value;
    uint32_t old = bus->pmc->enable_told, now = bus->pmc->enable;
    bus->pmc->enable_told = now;
    blocks_reset(bus, old & ~now);
    if (bus->host_ops->enable_changed && old != now)
        bus->host_ops->enable_changed(bus->host, old, now);
}

/* Drivers write all ones and count the bits that read back. */
static void enable_pbdmas_write(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    struct bus *bus = bus_of(unit);
    (void)reg, (void)index;
    uint32_t units = bus->chip->pbdmas < 32 ? (1u << bus->chip->pbdmas) - 1 : UINT32_MAX;
    bus->pmc->enable_pbdmas = value & units;
}

static const struct reg regs_nv1[] = {
    {NV_PMC_BOOT_0, "BOOT_0", .at = offsetof(struct pmc, boot0), .readable = ~0u},
};

/* The position and size of the device id changed. */
static const struct reg regs_g80[] = {
    {NV_PMC_BOOT_0, "BOOT_0", .at = offsetof(struct pmc, boot0), .readable = ~0u,
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
    NV_PMC_ENABLE, "ENABLE", .at = offsetof(struct pmc, enable), .readable = ~0u, .writable = ~0u,                     \
                             .write = pmc_enable_write

/*
 * UNKNOWN: which bits of ENABLE exist on each chip: all of them are stored.
 * UNKNOWN: ENABLE of NV1 and NV3 after power-on. Chosen: everything is on.
 */
static const struct reg enable_regs_nv1[] = {{ENABLE, .reset = ~0u, .fields = "PFIFO 8, PGRAPH 12"}};
/* PFB and PCRTC (nv4ref.h); a driver switches on the units that it uses. UNKNOWN: later chips; chosen: the same. */
static const struct reg enable_regs_nv4[] = {{ENABLE, .reset = 0x01100000, .fields = "PFIFO 8, PGRAPH 12"}};
/*
 * UNKNOWN: ENABLE after the firmware ran. Chosen: everything is on, so that a program can use the units at once; a
 * driver that switches PFIFO off and on resets it, as on the chip.
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

/* Reads and writes like ENABLE, without effect. */
#define ENABLE_NO_DISPLAY 0xbfffffffu
static const struct reg enable_unknown_regs_gf100[] = {
    {0x208, "ENABLE_UNKNOWN", .at = offsetof(struct pmc, enable_unknown[0]), .readable = ~0u, .writable = ~0u,
     .reset = ENABLE_NO_DISPLAY},
};
#define ENABLE_ENGINES 0x000290c2u
static const struct reg enable_engines_regs_gf104[] = {
    {0x20c, "ENABLE_UNKNOWN_ENGINES", .at = offsetof(struct pmc, enable_unknown[1]), .readable = ENABLE_ENGINES,
     .writable = ENABLE_ENGINES, .reset = ENABLE_ENGINES},
};

#define INTR NV_PMC_INTR, "INTR", .at = offsetof(struct pmc, intr[PMC_HOST]), .readable = ~0u, .write = pmc_intr_write

static const struct reg software_regs_nv1[] = {
    {INTR, .writable = INTR_SOFTWARE_NV1, .fields = "PFIFO 8, PGRAPH 12, PTIMER 20, SOFTWARE 28"},
};
#define LINES_NV3 "PFIFO 8, PGRAPH 12, PTIMER 20, PBUS 28, SOFTWARE 31"
static const struct reg software_regs_nv3[] = {
    {INTR, .writable = INTR_SOFTWARE_NV3, .fields = LINES_NV3},
};

static const struct reg intr_regs_nv1[] = {
    {NV_PMC_INTR_EN, "INTR_EN", .at = offsetof(struct pmc, intr_en[PMC_HOST]), .readable = 3, .writable = 3,
     .write = pmc_intr_write, .fields = "HARDWARE 0, SOFTWARE 1"},
    {0x160, "INTR_LINE", .at = REG_NONE, .readable = 1, .read = line_read_nv4, .fields = "INACTIVE 0"},
};

/*
 * UNKNOWN: the masks after power-on. Chosen: nothing is masked, for drivers that use only INTR_EN. UNKNOWN: what sets
 * the software interrupt of NRHOST and of DAEMON. Chosen: DAEMON shows that of HOST, NRHOST none.
 */
#define LINES_GT215 "PFIFO 8, PGRAPH 12, PTIMER 20, PBUS 28, SOFTWARE 31"
#define EN_GT215    .readable = 3, .writable = 3, .write = pmc_intr_write, .fields = "HARDWARE 0, SOFTWARE 1"
static const struct reg intr_regs_gt215[] = {
    {INTR, .writable = INTR_SOFTWARE_NV3, .read = intr_read_gt215, .fields = LINES_GT215},
    {NV_PMC_INTR_NRHOST, "INTR_NRHOST", .at = REG_NONE, .readable = 0x100, .read = intr_read_gt215,
     .fields = "PFIFO 8"},
    {0x108, "INTR_DAEMON", .at = REG_NONE, .readable = ~0u, .read = intr_read_gt215, .fields = LINES_GT215},
    {NV_PMC_INTR_EN, "INTR_EN", .at = offsetof(struct pmc, intr_en[PMC_HOST]), EN_GT215},
    {0x144, "INTR_EN_NRHOST", .at = offsetof(struct pmc, intr_en[PMC_NRHOST]), EN_GT215},
    {0x148, "INTR_EN_DAEMON", .at = offsetof(struct pmc, intr_en[PMC_DAEMON]), EN_GT215},
    {0x160, "INTR_LINE", .at = REG_NONE, .readable = 1, .count = PMC_DESTINATIONS, .read = line_read_gt215,
     .fields = "INACTIVE 0"},
    {0x640, "INTR_MASK", .at = offsetof(struct pmc, intr_mask[PMC_HOST]), .readable = ~0u, .writable = ~0u,
     .reset = ~0u, .write = pmc_intr_write, .fields = LINES_GT215},
    {0x644, "INTR_MASK_NRHOST", .at = offsetof(struct pmc, intr_mask[PMC_NRHOST]), .readable = PMC_INTR_PFIFO,
     .writable = PMC_INTR_PFIFO, .reset = PMC_INTR_PFIFO, .write = pmc_intr_write, .fields = "PFIFO 8"},
    {0x648, "INTR_MASK_DAEMON", .at = offsetof(struct pmc, intr_mask[PMC_DAEMON]), .readable = ~0u, .writable = ~0u,
     .reset = ~0u, .fields = LINES_GT215},
};

/* Units with a separate line to the second destination. */
#define NONSTALL_LINES  0x000391e1u
#define NONSTALL_FIELDS "PPPP 0, PCOPY0 5, PCOPY1 6, PCOPY2 7, PFIFO 8, PGRAPH 12, PVLD 15, PVENC 16, PPDEC 17"

/*
 * INTR_PMFB and INTR_PBFB show the partitions that interrupt: none does. UNKNOWN: INTR_MASK after reset. Chosen:
 * nothing is masked, for drivers that use only INTR_EN.
 */
static const struct reg intr_regs_gf100[] = {
    {0x104, "INTR_NONSTALL", .at = REG_NONE, .readable = NONSTALL_LINES, .read = nonstall_read,
     .fields = NONSTALL_FIELDS},
    {NV_PMC_INTR_EN, "INTR_EN", .at = offsetof(struct pmc, intr_en[PMC_HOST]), .readable = 3, .writable = 3,
     .write = pmc_intr_write, .fields = "HARDWARE 0, SOFTWARE 1"},
    {0x144, "INTR_EN_NONSTALL", .at = offsetof(struct pmc, intr_en[PMC_NRHOST]), .readable = 3, .writable = 3,
     .write = pmc_intr_write, .fields = "HARDWARE 0, SOFTWARE 1"},
    {0x160, "INTR_LINE", .at = REG_NONE, .readable = 1, .count = 2, .read = line_read_gf100, .fields = "ACTIVE 0"},
    {0x17c, "INTR_PMFB", .at = REG_NONE, .readable = ~0u},
    {0x180, "INTR_PBFB", .at = REG_NONE, .readable = ~0u},
    {0x640, "INTR_MASK", .at = offsetof(struct pmc, intr_mask), .readable = ~0u, .writable = ~0u, .reset = ~0u,
     .count = 2, .write = pmc_intr_write, .fields = LINES_NV3},
};

static const struct reg intr_regs_gp100[] = {
    {0x17c, "INTR_PMFB", .at = REG_NONE, .readable = ~0u},
    {0x104, "INTR_NONSTALL", .at = REG_NONE, .readable = NONSTALL_LINES, .read = nonstall_read,
     .fields = NONSTALL_FIELDS},
    {NV_PMC_INTR_EN, "INTR_EN", .at = offsetof(struct pmc, intr_en[PMC_HOST]), .readable = ~0u},
    {0x144, "INTR_EN_NONSTALL", .at = offsetof(struct pmc, intr_en[PMC_NRHOST]), .readable = ~0u},
    {NV_PMC_INTR_EN_SET, "INTR_EN_SET", .at = REG_NONE, .count = 2, .write = intr_en_set},
    {0x180, "INTR_EN_CLEAR", .at = REG_NONE, .count = 2, .write = intr_en_clear},
};

static const struct reg regs_gf100[] = {
    {NV_PMC_SUBFIFO_ENABLE, "SUBFIFO_ENABLE", .at = offsetof(struct pmc, enable_pbdmas), .readable = ~0u,
     .write = enable_pbdmas_write},
};

/* ---- the registers of each generation ---- */

#define PMC_TABLE(name, rows) static const struct reg_table name = REG_TABLE("PMC", rows)
PMC_TABLE(boot_nv1, regs_nv1);
PMC_TABLE(boot_g80, regs_g80);
PMC_TABLE(endian_nv1a, endian_regs_nv1a);
PMC_TABLE(boot_1_tu102, boot_1_regs_tu102);
PMC_TABLE(enable_nv1, enable_regs_nv1);
PMC_TABLE(enable_nv4, enable_regs_nv4);
PMC_TABLE(enable_g80, enable_regs_g80);
PMC_TABLE(enable_gf100, enable_regs_gf100);
PMC_TABLE(enable_unknown_gf100, enable_unknown_regs_gf100);
PMC_TABLE(enable_engines_gf104, enable_engines_regs_gf104);
PMC_TABLE(software_nv1, software_regs_nv1);
PMC_TABLE(software_nv3, software_regs_nv3);
PMC_TABLE(intr_nv1, intr_regs_nv1);
PMC_TABLE(intr_gt215, intr_regs_gt215);
PMC_TABLE(intr_gf100, intr_regs_gf100);
PMC_TABLE(intr_gp100, intr_regs_gp100);
PMC_TABLE(pbdmas_gf100, regs_gf100);

/* NV4-. GF100 no longer has the areas of channels. */
#define GATES                                                                                                          \
    {0x002000, 0x004000, PMC_ENABLE_PFIFO},      /* PFIFO */                                                           \
        {0x040000, 0x060000, PMC_ENABLE_PFIFO},  /* PBDMAs */                                                          \
        {0x090000, 0x092000, PMC_ENABLE_PFIFO},  /* CACHE1 */                                                          \
        {0x400000, 0x420000, PMC_ENABLE_PGRAPH}, /* PGRAPH */                                                          \
    {                                                                                                                  \
        0x800000, 0x900000, PMC_ENABLE_PFIFO                                                                           \
    } /* USER, channel tables */
static const struct pmc_gate gates_nv4[] = {GATES, {0x900000, 0x1000000, PMC_ENABLE_PFIFO}, {0}};
static const struct pmc_gate gates_gf100[] = {GATES, {0}};

#define PMC_VARIANT(id, of_software, of_line, of_gates, ...)                                                           \
    const struct pmc_variant pmc_##id = {.tables = {.regs = (const struct reg_table *const[]){__VA_ARGS__, NULL}},     \
                                         .software = (of_software),                                                    \
                                         .line = (of_line),                                                            \
                                         .gates = (of_gates)}
#define FROM_NV4     &boot_nv1, &enable_nv4, &software_nv3, &intr_nv1
#define FROM_G80     &boot_g80, &endian_nv1a, &pmc_hide_nv17, &enable_g80
#define FROM_GF100   &boot_g80, &enable_gf100, &software_nv3, &pbdmas_gf100
#define BEFORE_GH100 FROM_GF100, &pmc_hide_nv17, &enable_unknown_gf100
#define FROM_GF104   BEFORE_GH100, &enable_engines_gf104

PMC_VARIANT(nv1, INTR_SOFTWARE_NV1, pmc_line_nv1, NULL, &boot_nv1, &enable_nv1, &software_nv1, &intr_nv1);
PMC_VARIANT(nv3, INTR_SOFTWARE_NV3, pmc_line_nv1, NULL, &boot_nv1, &enable_nv1, &software_nv3, &intr_nv1);
PMC_VARIANT(nv4, INTR_SOFTWARE_NV3, pmc_line_nv1, gates_nv4, FROM_NV4);
PMC_VARIANT(nv1a, INTR_SOFTWARE_NV3, pmc_line_nv1, gates_nv4, FROM_NV4, &endian_nv1a);
PMC_VARIANT(nv17, INTR_SOFTWARE_NV3, pmc_line_nv1, gates_nv4, FROM_NV4, &endian_nv1a, &pmc_hide_nv17);
PMC_VARIANT(g80, INTR_SOFTWARE_NV3, pmc_line_nv1, gates_nv4, FROM_G80, &software_nv3, &intr_nv1);
PMC_VARIANT(gt215, INTR_SOFTWARE_NV3, pmc_line_gt215, gates_nv4, FROM_G80, &intr_gt215);
PMC_VARIANT(gf100, INTR_SOFTWARE_NV3, pmc_line_gf100, gates_gf100, BEFORE_GH100, &endian_nv1a, &intr_gf100);
PMC_VARIANT(gf104, INTR_SOFTWARE_NV3, pmc_line_gf100, gates_gf100, FROM_GF104, &endian_nv1a, &intr_gf100);
PMC_VARIANT(gp100, INTR_SOFTWARE_NV3, pmc_line_gp100, gates_gf100, FROM_GF104, &endian_nv1a, &intr_gp100);
PMC_VARIANT(tu102, INTR_SOFTWARE_NV3, pmc_line_gp100, gates_gf100, FROM_GF104, &boot_1_tu102, &intr_gp100);
PMC_VARIANT(gh100, INTR_SOFTWARE_NV3, pmc_line_gp100, gates_gf100, FROM_GF100, &boot_1_tu102, &intr_gp100);

/* ---- units that are off ---- */

#define PBDMA_BASE   0x40000u
#define PBDMA_STRIDE 0x2000u

/* A PBDMA that SUBFIFO_ENABLE switches off disappears from BAR0, like a unit that ENABLE switches off. */
static bool pbdma_disabled(const struct bus *bus, uint32_t offset) {
    uint32_t unit = (offset - PBDMA_BASE) / PBDMA_STRIDE;
    return offset >= PBDMA_BASE && unit < bus->chip->pbdmas && !(bus->pmc->enable_pbdmas >> unit & 1);
}

bool pmc_disabled(const struct bus *bus, uint32_t offset) {
    if (pbdma_disabled(bus, offset))
        return true;
    const struct pmc_gate *gate = bus->chip->pmc->gates;
    if (!gate || (bus->pmc->enable & (PMC_ENABLE_PFIFO | PMC_ENABLE_PGRAPH)) == (PMC_ENABLE_PFIFO | PMC_ENABLE_PGRAPH))
        return false;
    for (; gate->end; gate++)
        if (offset >= gate->begin && offset < gate->end)
            return !(bus->pmc->enable & gate->enable);
    return false;
}
