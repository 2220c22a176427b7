/* SPDX-License-Identifier: MIT */
/*
 * NV1: PRAM, which places the fixed areas of RAMIN, the windows into them, and the one into VRAM.
 *
 *   CONFIG     0        1        2        3
 *   RAMHT      0-       0-       0-       0-        1000, 2000, 4000, 8000 bytes (all in hexadecimal)
 *   RAMRO      1000-    2000-    2000-    8000-      800, 1000, 2000, 4000
 *   RAMFC      1800-    3000-    6000-    c000-      800, 1000, 2000, 4000
 *   RAMAU      2000-    4000-    8000-    10000-     c00
 *   UNK2       2c00-    4c00-    8c00-    10c00-     400
 *
 * With CONFIG 2 RAMRO lies within RAMHT, and what is written through one window shows in the other: the chip cannot
 * be used that way.
 * Not modelled: the registers of the hash function (0x602400 and up), which PFIFO has; double buffering.
 * UNKNOWN: CONFIG after reset; chosen: 0.
 * Sources: envytools docs/hw/memory/nv1-vram.rst, docs/hw/mmio.rst, rnndb/memory/nv1_pram.xml.
 */
#include "bus/tables.h"
#include "hw/pfifo_nv4.h"

#define CONFIG_LAYOUT 3u

#define RAMAU_BYTES 0xc00u
#define UNK2_BYTES  0x400u

struct pram_area bus_pram_area(const struct bus *bus, enum pram_id id) {
    static const uint32_t ramro_start[4] = {0x1000, 0x2000, 0x2000, 0x8000};
    uint32_t layout = bus->pram_config & CONFIG_LAYOUT;
    uint32_t audio = 0x2000u << layout;
    switch (id) {
    case PRAM_RAMHT:
        return (struct pram_area){0, 0x1000u << layout};
    case PRAM_RAMRO:
        return (struct pram_area){ramro_start[layout], 0x800u << layout};
    case PRAM_RAMFC:
        return (struct pram_area){0x1800u << layout, 0x800u << layout};
    case PRAM_RAMAU:
        return (struct pram_area){audio, RAMAU_BYTES + UNK2_BYTES};
    default:
        return (struct pram_area){audio + RAMAU_BYTES, UNK2_BYTES};
    }
}

static uint32_t area_address(const struct bus *bus, enum pram_id id, uint32_t offset) {
    struct pram_area area = bus_pram_area(bus, id);
    return area.start + offset % area.bytes;
}

static uint32_t area_read(struct bus *bus, enum pram_id id, uint32_t offset) {
    return memory_ramin_rd32(bus->memory, area_address(bus, id, offset));
}

static void area_write(struct bus *bus, enum pram_id id, uint32_t offset, uint32_t value) {
    memory_ramin_wr32(bus->memory, area_address(bus, id, offset), value);
}

#define AREA(name, id)                                                                                                 \
    static uint32_t name##_read(void *unit, uint32_t offset) {                                                         \
        return area_read(unit, id, offset);                                                                            \
    }                                                                                                                  \
    static void name##_write(void *unit, uint32_t offset, uint32_t value) {                                            \
        area_write(unit, id, offset, value);                                                                           \
    }

AREA(ramht, PRAM_RAMHT)
AREA(ramro, PRAM_RAMRO)
AREA(ramfc, PRAM_RAMFC)
AREA(ramau, PRAM_RAMAU)
AREA(unk2, PRAM_UNK2)

static uint32_t fb_read(void *unit, uint32_t offset) {
    return memory_physical_rd32(((struct bus *)unit)->memory, MEMORY_VRAM, offset);
}

static void fb_write(void *unit, uint32_t offset, uint32_t value) {
    memory_physical_wr32(((struct bus *)unit)->memory, MEMORY_VRAM, offset, value);
}

const struct window pramht_nv1 = {"PRAMHT", 0x640000, 0x8000, ramht_read, ramht_write};
const struct window pramfc_nv1 = {"PRAMFC", 0x648000, 0x4000, ramfc_read, ramfc_write};
const struct window pramro_nv1 = {"PRAMRO", 0x650000, 0x4000, ramro_read, ramro_write};
const struct window pramau_nv1 = {"PRAMAU", 0x604000, 0x1000, ramau_read, ramau_write};
const struct window pramunk2_nv1 = {"PRAMUNK2", 0x606000, 0x1000, unk2_read, unk2_write};
/* There is no BAR1 yet: VRAM is the upper half of BAR0. */
const struct window fb_nv1 = {"FB", 0x1000000, 0x1000000, fb_read, fb_write};

static const struct reg regs_nv1[] = {
    {NV_PRAM_CONFIG, "CONFIG", .at = offsetof(struct bus, pram_config), .readable = CONFIG_LAYOUT,
     .writable = CONFIG_LAYOUT, .fields = "LAYOUT 1:0"},
};

const struct reg_table pram_nv1 = REG_TABLE("PRAM", regs_nv1);
