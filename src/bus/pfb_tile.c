/* SPDX-License-Identifier: MIT */
/* The registers of pfb_tiling.h. */
#include <stdlib.h>

#include "bus/blocks.h"
#include "bus/bus.h"
#include "bus/pfb.h"
#include "bus/pfb_tiling.h"

#define STATUS_VALID 0x80000000u

static uint32_t status_read(void *unit, const struct reg *reg, uint32_t index) {
    const struct bus *bus = bus_of(unit);
    struct tile_pitch pitch;
    (void)reg;
    if (!pfb_tile_pitch(bus, index, &pitch))
        return 0;
    return (pfb_tile_enabled(bus, index) ? STATUS_VALID : 0) | (uint32_t)pitch.shift << 4 | pitch.factor;
}

static void tiling_write(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    (void)reg, (void)index, (void)value;
    pfb_tiling_changed(bus_of(unit));
}

static uint32_t constant_read(void *unit, const struct reg *reg, uint32_t index) {
    (void)unit, (void)index;
    return reg->reset;
}

#define AT(field)           .at = offsetof(struct pfb_tiling, field)
#define WORD(field, bits)   AT(field), .readable = (bits), .writable = (bits)
#define TILING(field, bits) WORD(field, bits), .write = tiling_write

#define SMALL_PITCH 0x0ff00u
#define LARGE_PITCH 0x1ff00u

/* The limit is the last byte: its low bits are set. */
#define TILES(chips, offset, n, base_bits, base_fields, low, pitch_bits)                                               \
    {chips, {(offset), "TILE_BASE", TILING(base, base_bits), .count = (n), .stride = 16, .fields = (base_fields)}},    \
        {chips,                                                                                                        \
         {(offset) + 4, "TILE_LIMIT", AT(limit), .readable = ~0u, .writable = ~(low), .reset = (low),                  \
          .write = tiling_write, .count = (n), .stride = 16}},                                                         \
        {chips, {(offset) + 8, "TILE_PITCH", TILING(pitch, pitch_bits), .count = (n), .stride = 16}},                  \
        TILE_STATUS(chips, offset, n)
#define TILE_STATUS(chips, offset, n)                                                                                  \
    {                                                                                                                  \
        chips, {                                                                                                       \
            (offset) + 12, "TILE_STATUS", .at = REG_NONE, .readable = 0x800000ff, .read = status_read, .count = (n),   \
                                          .stride = 16, .fields = "FACTOR 3:0, SHIFT 7:4, VALID 31"                    \
        }                                                                                                              \
    }
#define TAGS(chips, offset, n, bits, tag_fields)                                                                       \
    {                                                                                                                  \
        chips, {                                                                                                       \
            (offset), "COMP_REGION", WORD(comp_region, bits), .count = (n), .fields = (tag_fields)                     \
        }                                                                                                              \
    }
#define MAX_TAG(chips, value)                                                                                          \
    {                                                                                                                  \
        chips, {                                                                                                       \
            0x100320, "COMP_MAX_TAG", .at = REG_NONE, .readable = (value), .read = constant_read, .reset = (value)     \
        }                                                                                                              \
    }

#define CFG0_NV20 "PARTS 1:0, BUS_WIDTH_64 2, RANKS 8, RANK_INTERLEAVE 9"
#define BASE_NV30 "ENABLE 0, BANKOFF 5:4, BASE 31:14"
#define BASE_NV40 "ENABLE 0, BANKOFF 5:4, BASE 31:16"
#define TAGS_NV35 "TAG_BASE 12:0, TAG_LIMIT 25:13, FORMAT 29:26, BIG_ENDIAN 30"

static const struct reg_row rows[] = {
    {"NV4:NV10", {0x100204, "CONFIG_1", WORD(cfg1, ~0u)}},
    {"NV10:NV20 NV34",
     {0x100200, "CFG0", TILING(cfg0, ~0u),
      .fields = "DDR 0, WIDTH 5:4, RANKS 12, BANKS 16, ROWBITS 23:20, COLBITS 27:24"}},
    {"NV20:NV31 NV36", {0x100200, "CFG0", TILING(cfg0, ~0u), .fields = CFG0_NV20}},
    {"NV31", /* always two partitions */
     {0x100200, "CFG0", AT(cfg0), .readable = ~0u, .writable = ~3u, .reset = 1, .write = tiling_write,
      .fields = CFG0_NV20}},
    {"NV40:G80", {0x100200, "CFG0", TILING(cfg0, ~0u), .fields = "RANKS 8, RANK_INTERLEAVE 9"}},
    {"NV20:NV34 NV40:G80",
     {0x100204, "CFG1", TILING(cfg1, ~0u),
      .fields = "COLBITS 15:12, ROWBITS_A 19:16, ROWBITS_B 23:20, BANKS_A 24, BANKS_B 28"}},

    {"NV10:NV20",
     {0x100240, "TILE_BASE", TILING(base, 0x87ffc000), .count = 8, .stride = 16, .fields = "BASE 26:14, ENABLE 31"}},
    {"NV10:NV20", {0x100244, "TILE_LIMIT", TILING(limit, 0x07ffc000), .count = 8, .stride = 16}},
    {"NV10:NV20", {0x100248, "TILE_PITCH", TILING(pitch, SMALL_PITCH), .count = 8, .stride = 16}},
    TILE_STATUS("NV10:NV20", 0x100240, 8),
    TILES("NV20:NV30", 0x100240, 8, 0xffffc003, "ENABLE 0, BANKOFF 1, BASE 31:14", 0x3fffu, SMALL_PITCH),
    TILES("NV30:NV34", 0x100240, 8, 0xffffc031, BASE_NV30, 0x3fffu, SMALL_PITCH),
    TILES("NV34", 0x100240, 8, 0xffffc001, "ENABLE 0, BASE 31:14", 0x3fffu, SMALL_PITCH),
    TILES("NV40:NV41", 0x100240, 8, 0xffff0031, BASE_NV40, 0xffffu, LARGE_PITCH),
    TILES("NV41:NV44", 0x100600, 12, 0xffff0031, BASE_NV40, 0xffffu, LARGE_PITCH),
    TILES("G70:G72 RSX", 0x100600, 15, 0xffff0031, BASE_NV40, 0xffffu, LARGE_PITCH),
    TILES("NV44:G70", 0x100600, 12, 0xffffc003, "MODE 1:0, BASE 31:14", 0x3fffu, SMALL_PITCH),
    TILES("G72", 0x100600, 15, 0xffffc013, "MODE 1:0, BANKOFF 4, BASE 31:14", 0x3fffu, SMALL_PITCH),
    TILES("C51", 0x100600, 12, 0xffffc00f, "MODE 2:0, BANKOFF 3, BASE 31:14", 0x3fffu, SMALL_PITCH),
    TILES("MCP61:RSX", 0x100600, 15, 0xffffc00f, "MODE 2:0, BANKOFF 3, BASE 31:14", 0x3fffu, SMALL_PITCH),

    TAGS("NV20:NV25", 0x100300, 8, 0xbc03ffc0, "TAG_BASE 17:6, Z24S8 26, BIG_ENDIAN 27, VALID 31"),
    TAGS("NV25:NV30", 0x100300, 8, 0x01f3ffc0, "TAG_BASE 17:6, FORMAT 23:20, BIG_ENDIAN 24"),
    TAGS("NV30 NV31", 0x100300, 8, 0x1fffffff, "TAG_BASE 11:0, TAG_LIMIT 23:12, FORMAT 27:24, BIG_ENDIAN 28"),
    TAGS("NV35", 0x100300, 8, 0x7fffffff, TAGS_NV35),
    TAGS("NV36", 0x100300, 8, 0xffffffff, "TAG_BASE 13:0, TAG_LIMIT 27:14, FORMAT 30:28, BIG_ENDIAN 31"),
    TAGS("NV40:NV41", 0x100300, 8, 0x7fffffff, TAGS_NV35),
    TAGS("NV41:NV44", 0x100700, 12, 0x7fffffff, TAGS_NV35),
    TAGS("G70:G72 RSX", 0x100700, 15, 0x7fffffff, TAGS_NV35),

    MAX_TAG("NV20:NV25", 0x7fff),
    MAX_TAG("NV25:NV30", 0xbfff),
    MAX_TAG("NV30 NV40:NV43", 0x2e3ff),
    MAX_TAG("NV31", 0x3ffff),
    MAX_TAG("NV35 NV43", 0x5c7ff),
    MAX_TAG("NV36", 0xb9fff),
    MAX_TAG("G70:G73 RSX", 0x47fff),
    MAX_TAG("G73", 0x5cbff),
    {"NV20:NV25",
     {0x100324, "COMP_OFFSET", WORD(comp_offset, 0x83ffc00f), .fields = "REGION 3:0, BASE 25:14, ENABLE 31"}},
    {"NV25:NV34",
     {0x100324, "COMP_OFFSET", WORD(comp_offset, 0x83ffc01f), .fields = "REGION 3:0, BASE 25:14, ENABLE 31"}},
};

enum pfifo_status pfb_tiling_attach(struct bus *bus, struct pfifo_error *error) {
    struct reg_table *table = &bus->tiling->table;
    pfb_tiling_init(bus);
    enum pfifo_status status = reg_table_select(table, "PFB", rows, sizeof rows / sizeof rows[0], bus->chip, error);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        absent_add(bus, &rows[i].reg, "PFB"); /* but for the registers that are attached */
    return status == PFIFO_OK ? bus_attach_table(bus, table, bus->tiling, error) : status;
}

void pfb_tiling_free(struct bus *bus) {
    free((void *)bus->tiling->table.regs);
}
