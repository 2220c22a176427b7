/* SPDX-License-Identifier: MIT */
/*
 * Configuration space: bytes, and for each the bits that a write stores.
 *
 *   0x00 header | 0x50 ROM shadow | 0x60 power management | 0x68 MSI | 0x78 PCI Express
 *
 * UNKNOWN: subsystem ids of a board. Chosen: NVIDIA's, as on its own boards, with the id of the device.
 */
#include "pci/card.h"

#include <assert.h>

#define REVISION     0xa1u
#define CLASS        0x030000u /* display controller, VGA */
#define STATUS_CAPS  0x10u
#define STATUS_INTX  0x08u
#define POWER        0x60u
#define EXPRESS      0x78u
#define MSI_ENABLE   0x01u
#define BAR_WIDE     0x4u
#define BAR_PREFETCH 0x8u
#define BAR_PORTS    0x1u

static void config_set16(uint8_t *at, unsigned offset, uint32_t value) {
    at[offset] = (uint8_t)value;
    at[offset + 1] = (uint8_t)(value >> 8);
}

static void config_set32(uint8_t *at, unsigned offset, uint32_t value) {
    config_set16(at, offset, value);
    config_set16(at, offset + 2, value >> 16);
}

/* ---- as after power on ---- */

static void header_init(struct pfifo_pci *card) {
    const struct pfifo_pci_config *given = &card->config;
    uint8_t *config = card->state.config, *writable = card->writable;
    uint16_t device = given->device_id ? given->device_id : card->board->device;
    config_set16(config, 0x00, card->board->vendor);
    config_set16(config, 0x02, device);
    config_set16(writable, PCI_COMMAND, 0x0140 | PCI_IO | PCI_MEMORY | PCI_MASTER | PCI_INTX_DISABLE);
    config_set32(config, 0x08, CLASS << 8 | REVISION);
    writable[0x0c] = 0xff;                             /* cache line size */
    writable[0x0d] = card->shape->express ? 0 : 0xf8u; /* latency timer */
    config_set16(config, 0x2c, given->subsystem_vendor ? given->subsystem_vendor : card->board->vendor);
    config_set16(config, 0x2e, given->subsystem_id ? given->subsystem_id : device);
    writable[0x3c] = 0xff; /* interrupt line: the firmware's note */
    config[0x3d] = 1;      /* INTA */
    writable[0x50] = 1;    /* the ROM BAR shows RAMIN: nouveau clears it before it reads PROM */
}

static void bars_init_config(struct pfifo_pci *card) {
    for (unsigned i = 0; i < 6; i++) {
        const struct pfifo_pci_region *region = &card->regions[i];
        if (!region->bytes)
            continue;
        uint64_t mask = ~(region->bytes - 1);
        assert((region->bytes & (region->bytes - 1)) == 0 && !(region->wide && i == 5));
        uint32_t flags = region->ports ? BAR_PORTS : (region->wide ? BAR_WIDE : 0);
        config_set32(card->state.config, PCI_BAR0 + 4 * i, flags | (region->prefetch ? BAR_PREFETCH : 0));
        config_set32(card->writable, PCI_BAR0 + 4 * i, (uint32_t)mask);
        if (region->wide)
            config_set32(card->writable, PCI_BAR0 + 4 * (i + 1), (uint32_t)(mask >> 32));
    }
    config_set32(card->writable, PCI_ROM_BAR, (uint32_t) ~(card->regions[PFIFO_PCI_ROM].bytes - 1) | 1);
}

static void express_init(struct pfifo_pci *card) {
    uint8_t *config = card->state.config, *writable = card->writable;
    uint32_t speed = card->shape->speed, width = 16;
    config_set16(config, EXPRESS + 0x02, card->shape->express); /* an endpoint */
    config_set32(config, EXPRESS + 0x04, 0x000080a0);           /* payload of 128 bytes, extended tags */
    config_set16(config, EXPRESS + 0x08, 0x2810);               /* relaxed order, reads of 512 bytes */
    config_set16(writable, EXPRESS + 0x08, 0x7fff);
    config_set32(config, EXPRESS + 0x0c, 0xc00 | width << 4 | speed);
    config_set16(writable, EXPRESS + 0x10, 0x01db);
    config_set16(config, EXPRESS + 0x12, 0x1000 | width << 4 | speed);
    if (card->shape->express < 2)
        return;
    config_set16(writable, EXPRESS + 0x28, 0x001f);
    config_set16(config, EXPRESS + 0x30, speed);
    config_set16(writable, EXPRESS + 0x30, 0x000f);
}

/* The list of capabilities, from its end. */
static void capabilities_init(struct pfifo_pci *card) {
    uint8_t *config = card->state.config, *writable = card->writable;
    const struct pci_shape *shape = card->shape;
    uint8_t next = 0;
    if (shape->express) {
        config_set16(config, EXPRESS, 0x10);
        express_init(card);
        next = EXPRESS;
    }
    if (shape->msi) {
        config_set16(config, PCI_MSI, 0x05u | (uint32_t)next << 8);
        config_set16(config, PCI_MSI + 2, 0x0080); /* one message, address of 64 bits */
        config_set16(writable, PCI_MSI + 2, MSI_ENABLE);
        config_set32(writable, PCI_MSI + 4, 0xfffffffc);
        config_set32(writable, PCI_MSI + 8, 0xffffffff);
        config_set16(writable, PCI_MSI + 12, 0xffff);
        next = PCI_MSI;
    }
    if (shape->power) {
        config_set16(config, POWER, 0x01u | (uint32_t)next << 8);
        config_set16(config, POWER + 2, shape->power);
        config_set16(config, POWER + 4, 0x0008);   /* no reset on the way to D0 */
        config_set16(writable, POWER + 4, 0x0003); /* the power state */
        next = POWER;
    }
    config[0x34] = next;
    config[0x06] = next ? STATUS_CAPS : 0;
}

void pci_config_init(struct pfifo_pci *card) {
    memset(card->state.config, 0, sizeof card->state.config);
    memset(card->writable, 0, sizeof card->writable);
    header_init(card);
    bars_init_config(card);
    capabilities_init(card);
}

/* ---- access ---- */

bool pci_msi_enabled(const struct pfifo_pci *card) {
    return card->shape->msi && (card->state.config[PCI_MSI + 2] & MSI_ENABLE);
}

uint32_t pci_config_get(const struct pfifo_pci *card, unsigned offset) {
    assert(offset % 4 == 0 && offset + 4 <= PFIFO_PCI_CONFIG_BYTES);
    uint32_t value = load_le32(card->state.config + offset);
    /* The status shows the line before the gate of the command register [doc: PCI 3.0, 6.2.3]. */
    if (offset == PCI_COMMAND && card->state.line && !pci_msi_enabled(card))
        value |= (uint32_t)STATUS_INTX << 16;
    return value;
}

void pci_config_put(struct pfifo_pci *card, unsigned offset, uint32_t value, unsigned lanes) {
    bool msi = pci_msi_enabled(card);
    assert(offset % 4 == 0 && offset + 4 <= PFIFO_PCI_CONFIG_BYTES && lanes <= PCI_ALL_LANES);
    for (unsigned i = 0; i < 4; i++) {
        uint8_t *byte = &card->state.config[offset + i], bits = card->writable[offset + i];
        if (lanes >> i & 1)
            *byte = (uint8_t)((*byte & ~bits) | (value >> 8 * i & bits));
    }
    if ((offset == PCI_MSI && lanes & 1 && card->shape->msi) || (!msi && pci_msi_enabled(card)))
        card->state.armed = true;
    pci_lines_update(card);
}

static bool access_is_good(unsigned offset, unsigned bytes) {
    return (bytes == 1 || bytes == 2 || bytes == 4) && offset < PFIFO_PCI_CONFIG_BYTES && offset % bytes == 0;
}

uint32_t pfifo_pci_config_read(struct pfifo_pci *card, unsigned offset, unsigned bytes) {
    if (!access_is_good(offset, bytes))
        return UINT32_MAX;
    pci_begin(card);
    uint32_t value = pci_config_get(card, offset & ~3u) >> 8 * (offset % 4);
    value = bytes == 4 ? value : value & ((UINT32_C(1) << 8 * bytes) - 1);
    pci_end(card, &(struct session_record){.type = SESSION_CONFIG_READ, .field = {offset, bytes, value}});
    return value;
}

void pfifo_pci_config_write(struct pfifo_pci *card, unsigned offset, unsigned bytes, uint32_t value) {
    if (!access_is_good(offset, bytes))
        return;
    pci_begin(card);
    pci_config_put(card, offset & ~3u, value << 8 * (offset % 4), ((1u << bytes) - 1) << offset % 4);
    pci_end(card, &(struct session_record){.type = SESSION_CONFIG_WRITE, .field = {offset, bytes, value}});
}

/* ---- addresses ---- */

/* UNKNOWN: whether a card answers at address 0, where its BARs are after a reset. Chosen: no, as hosts have it. */
static bool region_base(const struct pfifo_pci *card, unsigned number, uint64_t *base) {
    const struct pfifo_pci_region *region = &card->regions[number];
    uint32_t command = pci_command(card);
    if (!region->bytes || !(command & (region->ports ? PCI_IO : PCI_MEMORY)))
        return false;
    unsigned at = number == PFIFO_PCI_ROM ? PCI_ROM_BAR : PCI_BAR0 + 4 * number;
    uint32_t low = pci_config_get(card, at);
    if (number == PFIFO_PCI_ROM && !(low & 1))
        return false;
    *base = low | (region->wide ? (uint64_t)pci_config_get(card, at + 4) << 32 : 0);
    *base &= ~(region->bytes - 1);
    return *base != 0;
}

bool pfifo_pci_find(const struct pfifo_pci *card, bool ports, uint64_t address, unsigned *region, uint64_t *offset) {
    for (unsigned i = 0; i < PFIFO_PCI_REGIONS; i++) {
        uint64_t base;
        if (card->regions[i].ports != ports || !region_base(card, i, &base) || address < base ||
            address - base >= card->regions[i].bytes)
            continue;
        *region = i;
        *offset = address - base;
        return true;
    }
    return false;
}
