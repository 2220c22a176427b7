/* SPDX-License-Identifier: MIT */
/*
 * BAR0 of the card: a dword belongs to an area of the board, else to the GPU, else it is storage.
 *
 * The GPU has a dword if it has a register or an area there, or a block of its map, which keeps what the model does not
 * know. Elsewhere a GPU from G80 on reports an error, and the guest would get it for what the map lacks; a board is
 * more than the map.
 *
 * UNKNOWN: PROM beyond the image, and whether the image repeats. Chosen: ff, as an empty flash.
 * UNKNOWN: the crystal of a board. Chosen: 14.318 MHz before NV17 and on NV20, where that is the larger one of the
 * straps, 27 MHz on others.
 */
#include <assert.h>
#include <stdlib.h>

#include "pci/card.h"
#include "bus/blocks.h"

#define STRAPS_OVERRIDE 0x80000000u

/* ---- areas ---- */

static uint32_t mirror_read(struct pfifo_pci *card, const struct pci_area *area, uint32_t offset, unsigned lanes) {
    (void)area, (void)lanes;
    return pci_config_get(card, offset);
}

static void mirror_write(struct pfifo_pci *card, const struct pci_area *area, uint32_t offset, uint32_t value,
                         unsigned lanes) {
    (void)area;
    pci_config_put(card, offset, value, lanes);
}

static uint32_t rearm_read(struct pfifo_pci *card, const struct pci_area *area, uint32_t offset, unsigned lanes) {
    (void)card, (void)area, (void)offset, (void)lanes;
    return 0;
}

static void rearm_write(struct pfifo_pci *card, const struct pci_area *area, uint32_t offset, uint32_t value,
                        unsigned lanes) {
    (void)area, (void)offset, (void)value, (void)lanes;
    pci_lines_arm(card);
}

static uint32_t prom_read(struct pfifo_pci *card, const struct pci_area *area, uint32_t offset, unsigned lanes) {
    uint8_t dword[4] = {0xff, 0xff, 0xff, 0xff};
    (void)area, (void)lanes;
    if (offset < card->rom_bytes)
        memcpy(dword, card->rom + offset, card->rom_bytes - offset < 4 ? card->rom_bytes - offset : 4);
    return load_le32(dword);
}

static void prom_write(struct pfifo_pci *card, const struct pci_area *area, uint32_t offset, uint32_t value,
                       unsigned lanes) {
    (void)card, (void)area, (void)offset, (void)value, (void)lanes;
}

/* `number` is what the board has, forever. */
static uint32_t number_read(struct pfifo_pci *card, const struct pci_area *area, uint32_t offset, unsigned lanes) {
    (void)card, (void)offset, (void)lanes;
    return area->number;
}

/* `number` is what the board has. With bit 31 a driver sets it. */
static uint32_t straps_read(struct pfifo_pci *card, const struct pci_area *area, uint32_t offset, unsigned lanes) {
    (void)offset, (void)lanes;
    return card->state.straps & STRAPS_OVERRIDE ? card->state.straps : area->number;
}

static void straps_write(struct pfifo_pci *card, const struct pci_area *area, uint32_t offset, uint32_t value,
                         unsigned lanes) {
    uint32_t bits = pci_lane_bits(lanes);
    card->state.straps = (straps_read(card, area, offset, lanes) & ~bits) | (value & bits);
}

struct area_row {
    const char *chips;
    struct pci_area area;
};

#define CONFIG    .read = mirror_read, .write = mirror_write
#define PROM      .read = prom_read, .write = prom_write
#define FIXED     .read = number_read, .write = prom_write
#define STRAPS    .read = straps_read, .write = straps_write
#define VGA       .bytes = true, .read = pci_vga_read, .write = pci_vga_write
#define TWO_HEADS "NV11:NV20 NV25:G80"
#define NOT_IGP4X "NV4:C51 RSX G80-"

static const struct area_row rows[] = {
    /* nouveau nvkm/subdev/pci: nv04.c, nv40.c; the others write the re-arm of MSI there */
    {"NV3:G80", {0x001800, 0x001900, "configuration space", CONFIG}},
    {"NV40-", {0x088000, 0x088100, "configuration space", CONFIG}},
    {"GF100-", {0x088704, 0x088708, "MSI_REARM", .read = rearm_read, .write = rearm_write}},
    /* nouveau nvkm/subdev/bios/shadowrom.c */
    {"NV1", {0x610000, 0x618000, "PROM", PROM}},
    {"NV3:NV4", {0x110000, 0x120000, "PROM", PROM}},
    {NOT_IGP4X, {0x300000, 0x400000, "PROM", PROM}},
    /* nouveau nvkm/engine/device/base.c: the crystal, in bits 6 and 22 */
    {"NV3:NV17 NV20:NV25", {0x101000, 0x101004, "STRAPS", .number = 0x00000040, STRAPS}},
    {"NV17-", {0x101000, 0x101004, "STRAPS", .number = 0x00400000, STRAPS}},
    /* nouveau's voltages want to know how fast the chip is. UNKNOWN: usual values; chosen: 1000. */
    {"GF100:GK104", {0x0212cc, 0x0212d0, "SPEEDO", .number = 1000, FIXED}},
    {"GK104-", {0x0214a8, 0x0214ac, "SPEEDO", .number = 1000, FIXED}},
    /* Requests to open gates of power, in bit 31 until they are done. nouveau nvkm/subdev/pmu/gk110.c. */
    {"GK110:GM107", {0x020520, 0x020550, "power gates", .number = 0, FIXED}},
    /* nouveau nvkm/subdev/devinit/nv04.c, dispnv04/hw.c */
    {"NV3-", {0x6013c0, 0x6013c4, "VGA attributes", VGA}},
    {"NV3-", {0x6013d4, 0x6013dc, "VGA CRTC", VGA}},
    {TWO_HEADS, {0x6033c0, 0x6033c4, "VGA attributes", .number = 1, VGA}},
    {TWO_HEADS, {0x6033d4, 0x6033dc, "VGA CRTC", .number = 1, VGA}},
};

static const struct pci_area *find_area(const struct pfifo_pci *card, uint32_t offset) {
    for (size_t i = 0; i < card->area_count; i++)
        if (offset >= card->areas[i].begin && offset < card->areas[i].end)
            return &card->areas[i];
    return NULL;
}

enum pfifo_status pci_registers_init(struct pfifo_pci *card, struct pfifo_error *error) {
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct area_row *row = &rows[i];
        if (!chip_in_range(card->gpu->chip, row->chips) || find_area(card, row->area.begin))
            continue;
        assert(card->area_count < PCI_MAX_AREAS);
        card->areas[card->area_count++] = row->area;
    }
    card->page_count = (size_t)(card->regions[0].bytes / (4 * PCI_PAGE_WORDS));
    card->pages = calloc(card->page_count, sizeof(void *));
    if (!card->pages)
        return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for the pages of BAR0");
    return PFIFO_OK;
}

void pci_registers_reset(struct pfifo_pci *card) {
    card->state.straps = 0;
    for (unsigned i = 0; i < PCI_HEADS; i++)
        pci_vga_reset(&card->state.vga[i]);
    pci_storage_clear(card);
}

/* ---- decode ---- */

static bool gpu_has(const struct pfifo_pci *card, uint32_t offset) {
    const struct bus *bus = &card->gpu->bus;
    uint32_t index;
    void *unit;
    if (blocks_find(bus, offset) || bus_find(bus, offset, &index, &unit))
        return true;
    for (size_t i = 0; i < bus->window_count; i++) {
        const struct window *window = bus->windows[i].window;
        if (offset >= window->base && offset - window->base < window->bytes)
            return true;
    }
    return false;
}

static bool is_gpus(const struct pfifo_pci *card, uint32_t dword) {
    return !find_area(card, dword) && (gpu_has(card, dword) || dword >= pfifo_gpu_bar_bytes(card->gpu, 0));
}

/* How many bytes from `offset` on belong to the GPU. */
static uint32_t gpus_run(const struct pfifo_pci *card, uint32_t offset, uint32_t bytes) {
    uint32_t run = 0;
    while (run < bytes && is_gpus(card, (offset + run) & ~3u))
        run += 4 - (offset + run) % 4;
    return run < bytes ? run : bytes;
}

static unsigned registers_reverse_lanes(unsigned lanes) {
    return (lanes & 1) << 3 | (lanes & 2) << 1 | (lanes & 4) >> 1 | (lanes & 8) >> 3;
}

static void registers_tell(struct pfifo_pci *card, bool write, uint32_t dword, uint32_t value, bool stored) {
    struct event_hub *events = &card->gpu->events;
    if (write)
        event_send(events, EVENT_BUS_WRITE, UINT32_MAX, NULL, dword, value);
    else
        event_send(events, EVENT_BUS_READ, UINT32_MAX, NULL, dword, value);
    if (stored)
        event_send(events, EVENT_BUS_UNMAPPED, UINT32_MAX, NULL, dword, write);
}

static uint32_t registers_read_dword(struct pfifo_pci *card, uint32_t dword, unsigned lanes) {
    const struct pci_area *area = find_area(card, dword);
    bool swap = card->gpu->bus.big_endian && !(area && area->bytes);
    lanes = swap ? registers_reverse_lanes(lanes) : lanes;
    uint32_t value = area ? area->read(card, area, dword - area->begin, lanes) : pci_storage_read(card, dword);
    value &= pci_lane_bits(lanes);
    registers_tell(card, false, dword, value, !area);
    return swap ? __builtin_bswap32(value) : value;
}

static void registers_write_dword(struct pfifo_pci *card, uint32_t dword, uint32_t value, unsigned lanes) {
    const struct pci_area *area = find_area(card, dword);
    bool swap = card->gpu->bus.big_endian && !(area && area->bytes);
    lanes = swap ? registers_reverse_lanes(lanes) : lanes;
    value = swap ? __builtin_bswap32(value) : value;
    registers_tell(card, true, dword, value, !area);
    if (area)
        area->write(card, area, dword - area->begin, value, lanes);
    else
        pci_storage_write(card, dword, value, lanes);
}

/* The part of an access in one dword: how many bytes, and their lanes. */
static unsigned registers_part_of(uint32_t offset, uint32_t bytes, unsigned *lanes) {
    unsigned first = offset % 4, count = bytes < 4 - first ? bytes : 4 - first;
    *lanes = ((1u << count) - 1) << first;
    assert(count && *lanes <= PCI_ALL_LANES);
    return count;
}

void pci_registers_read(struct pfifo_pci *card, uint32_t offset, uint8_t *data, uint32_t bytes) {
    while (bytes) {
        unsigned lanes;
        uint8_t dword[4];
        uint32_t step = gpus_run(card, offset, bytes);
        if (step) {
            pfifo_gpu_bar_read(card->gpu, 0, offset, data, step);
        } else {
            step = registers_part_of(offset, bytes, &lanes);
            store_le32(dword, registers_read_dword(card, offset & ~3u, lanes));
            memcpy(data, dword + offset % 4, step);
        }
        offset += step, data += step, bytes -= step;
    }
}

void pci_registers_write(struct pfifo_pci *card, uint32_t offset, const uint8_t *data, uint32_t bytes) {
    while (bytes) {
        unsigned lanes;
        uint8_t dword[4] = {0};
        uint32_t step = gpus_run(card, offset, bytes);
        if (step) {
            pfifo_gpu_bar_write(card->gpu, 0, offset, data, step);
        } else {
            step = registers_part_of(offset, bytes, &lanes);
            memcpy(dword + offset % 4, data, step);
            registers_write_dword(card, offset & ~3u, load_le32(dword), lanes);
        }
        offset += step, data += step, bytes -= step;
    }
}
