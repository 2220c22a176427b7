/* SPDX-License-Identifier: MIT */
/*
 * The capability registers of falcons: sizes of code and data memory, and the version. Drivers read them before they
 * upload firmware, and loop over the sizes.
 *
 *   CAPS  code and data in 256 bytes, entries of the FIFO, transfers at a time
 *   CAPS2 version, secrecy, ports, bits of a code page's number, how I/O is addressed        version 3 and later
 *
 * UNKNOWN: CRYPT of a secretful falcon of version 3; chosen: as in later versions. PVDEC is as in
 * docs/hw/vdec/vp3/pvdec.rst; another page leaves it open.
 *
 * Sources: envytools rnndb/falcon.xml, and "falcon parameters" in docs/hw/fifo/pcopy.rst, docs/hw/vdec/vp3,
 *          docs/hw/vdec/{pvcomp,pvenc}.rst, docs/hw/pm/pdaemon/falcon.rst; nouveau nvkm/engine/falcon.c.
 */
#include "unit/falcon/falcons.h"

#include <assert.h>

#include "bus/bus.h"
#include "chip/units.h"
#include "unit/falcon/pmu.h"

#define CAPS  0x108
#define CAPS2 0x12c

#define CAPS_FIELDS  "CODE_SIZE 8:0, DATA_SIZE 17:9, FIFO_SIZE 25:18, XFER_SLOTS 31:26"
#define CAPS2_FIELDS "VERSION 3:0, CRYPT 5:4, SUBVERSION 7:6, CODE_PORTS 11:8, DATA_PORTS 15:12, VM_PAGES_LOG2 19:16"
#define CAPS2_FERMI  CAPS2_FIELDS ", UNK27 27, IO_ADDR_TYPE 29:28, UAS 30, UNK31 31"

#define SECRET 0x00000030u
#define MINOR1 0x00000040u
#define UNK27  0x08000000u
#define SIMPLE 0x20000000u
#define UAS    0x40000000u
#define UNK31  0x80000000u

static uint32_t constant(void *unit, const struct reg *reg, uint32_t index) {
    (void)unit, (void)index;
    return reg->reset;
}

#define SIZES(code, data, fifo, slots)                                                                                 \
    ((code) / 0x100u | (uint32_t)((data) / 0x100u) << 9 | (uint32_t)(fifo) << 18 | (uint32_t)(slots) << 26)

/* A falcon of one range of chips: `pages` is VM_PAGES_LOG2, `other` the rest of CAPS2. */
#define FALCON(range, falcon, sizes, version, ports, pages, other)                                                     \
    {                                                                                                                  \
        .chips = (range), .unit = CHIP_UNIT_##falcon, .caps = (sizes), .has_caps2 = true,                              \
        .caps2 = (version) | 1u << 8 | (uint32_t)(ports) << 12 | (uint32_t)(pages) << 16 | (other)                     \
    }
#define FALCON_V0(range, falcon, sizes)                                                                                \
    { .chips = (range), .unit = CHIP_UNIT_##falcon, .caps = (sizes) }

/* PDAEMON exists independently of the units that PFIFO feeds. */
#define CHIP_UNIT_PDAEMON CHIP_UNIT_NONE

static const struct falcon_row {
    const char *chips;
    enum chip_unit unit; /* NONE: PDAEMON */
    uint32_t caps, caps2;
    bool has_caps2;
} rows[] = {
    FALCON("GT215:GF100", PCOPY0, SIZES(0x1200, 0x800, 0x10, 8), 3, 1, 5, 0),
    FALCON("GF100:GK104", PCOPY0, SIZES(0x1200, 0x800, 0x10, 8), 3, 1, 7, 0),
    FALCON("GF100:GF119", PCOPY1, SIZES(0x1200, 0x800, 0x10, 8), 3, 1, 7, 0),

    FALCON_V0("G98 MCP77:GT215", PVLD, SIZES(0x1000, 0x1000, 0x10, 8)),
    FALCON("GT215:MCP89", PVLD, SIZES(0x1800, 0x1000, 0x10, 8), 3, 1, 8, SECRET),
    FALCON("MCP89", PVLD, SIZES(0x2000, 0x2000, 0x10, 8), 3, 1, 8, SECRET),
    FALCON("GF100:GF119", PVLD, SIZES(0x2000, 0x2000, 0x10, 8), 3, 1, 8, SECRET),
    FALCON("GF119:GM107", PVLD, SIZES(0x2000, 0x1000, 0x10, 8), 4, 1, 8, SECRET | UNK31),
    FALCON("GM107:GV100", PVDEC, SIZES(0x2000, 0x1800, 0x10, 8), 5, 1, 9, SECRET | UNK27 | UNK31),

    FALCON_V0("G98 MCP77:GT215", PPDEC, SIZES(0x1000, 0x1000, 0x10, 8)),
    FALCON("GT215:GF100", PPDEC, SIZES(0x1400, 0x1000, 0x10, 8), 3, 1, 8, 0),
    FALCON("GF100:GF119", PPDEC, SIZES(0x1400, 0x1000, 0x10, 8), 3, 1, 8, SECRET),
    FALCON("GF119:GM107", PPDEC, SIZES(0x1400, 0x1000, 0x10, 8), 4, 1, 8, UNK31),

    FALCON_V0("G98 MCP77:GT215", PPPP, SIZES(0xa00, 0x800, 0x10, 8)),
    FALCON("GT215:GF119", PPPP, SIZES(0xa00, 0x800, 0x10, 8), 3, 1, 6, 0),
    FALCON("GF119:GM107", PPPP, SIZES(0xa00, 0x800, 0x10, 8), 4, 1, 6, UNK31),

    FALCON_V0("G98 MCP77:GT215", PSEC, SIZES(0xa00, 0x800, 0x10, 8)),
    FALCON("GM107:GV100", PSEC, SIZES(0x8000, 0x4000, 0x10, 8), 5, 1, 8, SECRET | UNK27),

    FALCON("MCP89", PVCOMP, SIZES(0x1000, 0xb00, 0x10, 8), 3, 1, 8, 0),
    FALCON("GK104:GM107", PVENC, SIZES(0x4000, 0x1800, 0x10, 8), 4, 1, 8, UNK27 | SIMPLE),
    FALCON("GM107:GV100", PVENC, SIZES(0x4000, 0x2c00, 0x10, 8), 5, 1, 8, UNK27 | SIMPLE),

    FALCON("GT215:MCP89", PDAEMON, SIZES(0x4000, 0x3000, 0x10, 8), 3, 4, 8, 0),
    FALCON("MCP89", PDAEMON, SIZES(0x6000, 0x6000, 0x10, 8), 3, 4, 8, 0),
    FALCON("GF100:GF119", PDAEMON, SIZES(0x6000, 0x6000, 3, 8), 3, 4, 8, 0),
    FALCON("GF119:GK110", PDAEMON, SIZES(0x6000, 0x6000, 3, 0x10), 4, 4, 9, UNK27 | SIMPLE | UAS | UNK31),
    FALCON("GK110:GK208", PDAEMON, SIZES(0x6000, 0x6000, 3, 0x10), 4, 4, 9, MINOR1 | UNK27 | SIMPLE | UAS | UNK31),
    FALCON("GK208:GM107", PDAEMON, SIZES(0x6000, 0x6000, 3, 0x10), 5, 4, 9, UNK27 | SIMPLE | UAS | UNK31),
    FALCON("GM107:GV100", PDAEMON, SIZES(0x8000, 0x6000, 3, 0x10), 5, 4, 9, SECRET | UNK27 | SIMPLE | UAS | UNK31),
};

static bool falcon_is_here(const struct pfifo_chip *chip, const struct falcon_row *row) {
    return (row->unit == CHIP_UNIT_PDAEMON || chip_has_unit(chip, row->unit)) && chip_in_range(chip, row->chips);
}

static struct reg caps_reg(uint32_t offset, const char *name, uint32_t value, const char *fields) {
    return (struct reg){offset,          name, .at = REG_NONE, .readable = ~0u, .reset = value, .read = constant,
                        .fields = fields};
}

static enum pfifo_status attach_caps(struct falcons *falcons, size_t at, const struct falcon_row *row,
                                     struct pfifo_error *error) {
    const struct chip_unit_row *unit = chip_unit_row(falcons->bus->chip, row->unit);
    uint32_t base = unit ? unit->base : PMU_BASE;
    struct reg *regs = falcons->caps[at].regs;
    regs[0] = caps_reg(base + CAPS, "CAPS", row->caps, CAPS_FIELDS);
    regs[1] = caps_reg(base + CAPS2, "CAPS2", row->caps2, CAPS2_FERMI);
    falcons->caps[at].table =
        (struct reg_table){unit ? chip_unit_name(row->unit) : "PDAEMON", regs, row->has_caps2 ? 2 : 1};
    return bus_attach_table(falcons->bus, &falcons->caps[at].table, falcons, error);
}

enum pfifo_status falcon_caps_attach(struct falcons *falcons, struct pfifo_error *error) {
    enum pfifo_status status = PFIFO_OK;
    size_t count = 0;
    for (size_t i = 0; status == PFIFO_OK && i < sizeof rows / sizeof rows[0]; i++) {
        if (!falcon_is_here(falcons->bus->chip, &rows[i]))
            continue;
        assert(count < FALCONS_MAX);
        status = attach_caps(falcons, count++, &rows[i], error);
    }
    return status;
}
