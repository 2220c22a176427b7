/* SPDX-License-Identifier: MIT */
#include "bus/pram.h"

#include "bus/bus.h"
#include "hw/pfifo_nv4.h"

#define CONFIG_LAYOUT 3u

#define RAMAU_BYTES 0xc00u
#define UNK2_BYTES  0x400u

struct pram_area bus_pram_area(const struct bus *bus, enum pram_id id) {
    static const uint32_t ramro_start[4] = {0x1000, 0x2000, 0x2000, 0x8000};
    uint32_t layout = bus->pram->config & CONFIG_LAYOUT;
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
        return area_read(bus_of(unit), id, offset);                                                                    \
    }                                                                                                                  \
    static void name##_write(void *unit, uint32_t offset, uint32_t value) {                                            \
        area_write(bus_of(unit), id, offset, value);                                                                   \
    }

AREA(ramht, PRAM_RAMHT)
AREA(ramro, PRAM_RAMRO)
AREA(ramfc, PRAM_RAMFC)
AREA(ramau, PRAM_RAMAU)
AREA(unk2, PRAM_UNK2)

static const struct window pramht_window = {"PRAMHT", 0x640000, 0x8000, ramht_read, ramht_write};
static const struct window pramfc_window = {"PRAMFC", 0x648000, 0x4000, ramfc_read, ramfc_write};
static const struct window pramro_window = {"PRAMRO", 0x650000, 0x4000, ramro_read, ramro_write};
static const struct window pramau_window = {"PRAMAU", 0x604000, 0x1000, ramau_read, ramau_write};
static const struct window pramunk2_window = {"PRAMUNK2", 0x606000, 0x1000, unk2_read, unk2_write};
static const struct reg regs_nv1[] = {
    {NV_PRAM_CONFIG, "CONFIG", .at = offsetof(struct pram, config), .readable = CONFIG_LAYOUT,
     .writable = CONFIG_LAYOUT, .fields = "LAYOUT 1:0"},
};

static const struct reg_table table_nv1 = REG_TABLE("PRAM", regs_nv1);

const struct pram_variant pram_nv1 = {
    .tables = {.regs = (const struct reg_table *const[]){&table_nv1, NULL},
               .windows = (const struct window *const[]){&pramht_window, &pramfc_window, &pramro_window, &pramau_window,
                                                         &pramunk2_window, NULL}},
};
