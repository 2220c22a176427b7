/* SPDX-License-Identifier: MIT */
/*
 * What falcons say of themselves: how much code and data they take, and which version they are. Drivers ask before they
 * upload firmware, and loop over the sizes.
 *
 *   CAPS  code and data in 256 bytes, entries of the FIFO, transfers at a time
 *   CAPS2 version, secrecy, ports, bits of a code page's number, how I/O is addressed        version 3 and later
 *
 * The rest of a falcon is in unit/unit.c, as far as PFIFO feeds it.
 *
 * UNKNOWN: CRYPT of a secretful falcon of version 3; chosen: that of later ones. PVDEC is as docs/hw/vdec/vp3/pvdec.rst
 * has it; another page leaves it open.
 *
 * Sources: envytools rnndb/falcon.xml, and "falcon parameters" in docs/hw/fifo/pcopy.rst, docs/hw/vdec/vp3,
 *          docs/hw/vdec/{pvcomp,pvenc}.rst, docs/hw/pm/pdaemon/falcon.rst; nouveau nvkm/engine/falcon.c.
 */
#include <assert.h>

#include "bus/tables.h"

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
#define FIXED(value, text) .at = REG_NONE, .readable = ~0u, .reset = (value), .read = constant, .fields = (text)

#define CHIP_UNIT_PDAEMON CHIP_UNIT_NONE

/* A falcon of one range of chips: `pages` is VM_PAGES_LOG2, `other` the rest of CAPS2. */
#define FALCON(range, falcon, base, caps, version, ports, pages, other)                                                \
    {                                                                                                                  \
        range, CHIP_UNIT_##falcon, #falcon, {                                                                          \
            {(base) + CAPS, "CAPS", FIXED(caps, CAPS_FIELDS)}, {                                                       \
                (base) + CAPS2, "CAPS2",                                                                               \
                    FIXED((version) | 1u << 8 | (uint32_t)(ports) << 12 | (uint32_t)(pages) << 16 | (other),           \
                          CAPS2_FERMI)                                                                                 \
            }                                                                                                          \
        }                                                                                                              \
    }
#define FALCON_V0(range, falcon, base, caps)                                                                           \
    {                                                                                                                  \
        range, CHIP_UNIT_##falcon, #falcon, {                                                                          \
            { (base) + CAPS, "CAPS", FIXED(caps, CAPS_FIELDS) }                                                        \
        }                                                                                                              \
    }

static const struct falcon_row {
    const char *chips;
    enum chip_unit unit; /* NONE: it is there whatever PFIFO feeds */
    const char *name;
    struct reg regs[2]; /* the second without a name: there is none */
} falcons[] = {
    FALCON("GT215:GF100", PCOPY0, 0x104000, SIZES(0x1200, 0x800, 0x10, 8), 3, 1, 5, 0),
    FALCON("GF100:GK104", PCOPY0, 0x104000, SIZES(0x1200, 0x800, 0x10, 8), 3, 1, 7, 0),
    FALCON("GF100:GF119", PCOPY1, 0x105000, SIZES(0x1200, 0x800, 0x10, 8), 3, 1, 7, 0),

    FALCON_V0("G98 MCP77:GT215", PVLD, 0x084000, SIZES(0x1000, 0x1000, 0x10, 8)),
    FALCON("GT215:MCP89", PVLD, 0x084000, SIZES(0x1800, 0x1000, 0x10, 8), 3, 1, 8, SECRET),
    FALCON("MCP89", PVLD, 0x084000, SIZES(0x2000, 0x2000, 0x10, 8), 3, 1, 8, SECRET),
    FALCON("GF100:GF119", PVLD, 0x084000, SIZES(0x2000, 0x2000, 0x10, 8), 3, 1, 8, SECRET),
    FALCON("GF119:GM107", PVLD, 0x084000, SIZES(0x2000, 0x1000, 0x10, 8), 4, 1, 8, SECRET | UNK31),
    FALCON("GM107:GV100", PVDEC, 0x084000, SIZES(0x2000, 0x1800, 0x10, 8), 5, 1, 9, SECRET | UNK27 | UNK31),

    FALCON_V0("G98 MCP77:GT215", PPDEC, 0x085000, SIZES(0x1000, 0x1000, 0x10, 8)),
    FALCON("GT215:GF100", PPDEC, 0x085000, SIZES(0x1400, 0x1000, 0x10, 8), 3, 1, 8, 0),
    FALCON("GF100:GF119", PPDEC, 0x085000, SIZES(0x1400, 0x1000, 0x10, 8), 3, 1, 8, SECRET),
    FALCON("GF119:GM107", PPDEC, 0x085000, SIZES(0x1400, 0x1000, 0x10, 8), 4, 1, 8, UNK31),

    FALCON_V0("G98 MCP77:GT215", PPPP, 0x086000, SIZES(0xa00, 0x800, 0x10, 8)),
    FALCON("GT215:GF119", PPPP, 0x086000, SIZES(0xa00, 0x800, 0x10, 8), 3, 1, 6, 0),
    FALCON("GF119:GM107", PPPP, 0x086000, SIZES(0xa00, 0x800, 0x10, 8), 4, 1, 6, UNK31),

    FALCON_V0("G98 MCP77:GT215", PSEC, 0x087000, SIZES(0xa00, 0x800, 0x10, 8)),
    FALCON("GM107:GV100", PSEC, 0x087000, SIZES(0x8000, 0x4000, 0x10, 8), 5, 1, 8, SECRET | UNK27),

    FALCON("MCP89", PVCOMP, 0x1c1000, SIZES(0x1000, 0xb00, 0x10, 8), 3, 1, 8, 0),
    FALCON("GK104:GM107", PVENC, 0x1c2000, SIZES(0x4000, 0x1800, 0x10, 8), 4, 1, 8, UNK27 | SIMPLE),
    FALCON("GM107:GV100", PVENC, 0x1c8000, SIZES(0x4000, 0x2c00, 0x10, 8), 5, 1, 8, UNK27 | SIMPLE),

    FALCON("GT215:MCP89", PDAEMON, 0x10a000, SIZES(0x4000, 0x3000, 0x10, 8), 3, 4, 8, 0),
    FALCON("MCP89", PDAEMON, 0x10a000, SIZES(0x6000, 0x6000, 0x10, 8), 3, 4, 8, 0),
    FALCON("GF100:GF119", PDAEMON, 0x10a000, SIZES(0x6000, 0x6000, 3, 8), 3, 4, 8, 0),
    FALCON("GF119:GK110", PDAEMON, 0x10a000, SIZES(0x6000, 0x6000, 3, 0x10), 4, 4, 9, UNK27 | SIMPLE | UAS | UNK31),
    FALCON("GK110:GK208", PDAEMON, 0x10a000, SIZES(0x6000, 0x6000, 3, 0x10), 4, 4, 9,
           MINOR1 | UNK27 | SIMPLE | UAS | UNK31),
    FALCON("GK208:GM107", PDAEMON, 0x10a000, SIZES(0x6000, 0x6000, 3, 0x10), 5, 4, 9, UNK27 | SIMPLE | UAS | UNK31),
    FALCON("GM107:GV100", PDAEMON, 0x10a000, SIZES(0x8000, 0x6000, 3, 0x10), 5, 4, 9,
           SECRET | UNK27 | SIMPLE | UAS | UNK31),
};

static bool is_here(const struct pfifo_chip *chip, const struct falcon_row *row) {
    bool fed = row->unit == CHIP_UNIT_NONE;
    for (size_t i = 0; i < CHIP_MAX_ENGINES; i++)
        fed |= chip->engines[i] == row->unit;
    return fed && chip_in_range(chip, row->chips);
}

enum pfifo_status falcon_attach(struct bus *bus, struct pfifo_error *error) {
    enum pfifo_status status = PFIFO_OK;
    struct reg_table *table = bus->falcon_tables;
    for (size_t i = 0; status == PFIFO_OK && i < sizeof falcons / sizeof falcons[0]; i++) {
        if (!is_here(bus->chip, &falcons[i]))
            continue;
        assert(table < bus->falcon_tables + BUS_MAX_FALCONS);
        *table = (struct reg_table){falcons[i].name, falcons[i].regs, falcons[i].regs[1].name ? 2 : 1};
        status = bus_attach_table(bus, table++, bus, error);
    }
    return status;
}
