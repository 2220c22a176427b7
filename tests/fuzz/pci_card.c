/* SPDX-License-Identifier: MIT */
/*
 * A card in a slot, and a guest that does anything.
 *
 *   byte 0 chip; byte 1 bit 0 BARs of 32 bits; then operations: a byte that says which, and its arguments
 *
 * Nothing hurts the card: INTA as told is INTA as asked, a region stays what it is, and a save loads, with the same
 * bytes afterwards. Bytes at the end are a state that somebody made up.
 */
#include <stdlib.h>
#include <string.h>

#include <pfifo/pci.h>

#define MAX_OPERATIONS 256u
#define RAM_BYTES      0x10000u

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct reader {
    const uint8_t *at, *end;
};

struct slot {
    struct pfifo_pci *card;
    bool intx;
    uint8_t *ram;
};

struct bytes {
    uint8_t *data;
    size_t used;
};

static uint64_t take(struct reader *from, unsigned bytes) {
    uint64_t value = 0;
    for (unsigned i = 0; i < bytes && from->at < from->end; i++)
        value |= (uint64_t)*from->at++ << 8 * i;
    return value;
}

static void set_intx(void *opaque, bool level) {
    struct slot *slot = opaque;
    if (slot->intx == level)
        abort();
    slot->intx = level;
}

static bool keep(void *opaque, const void *data, size_t count) {
    struct bytes *to = opaque;
    uint8_t *larger = realloc(to->data, to->used + count);
    if (!larger)
        abort();
    memcpy(larger + to->used, data, count);
    to->data = larger;
    to->used += count;
    return true;
}

/* Saved, loaded and saved again. */
static void save_and_load(struct slot *slot) {
    struct bytes first = {0}, second = {0};
    if (pfifo_pci_save(slot->card, keep, &first, NULL) != PFIFO_OK ||
        pfifo_pci_load(slot->card, first.data, first.used, NULL) != PFIFO_OK ||
        pfifo_pci_save(slot->card, keep, &second, NULL) != PFIFO_OK || first.used != second.used ||
        memcmp(first.data, second.data, first.used) != 0)
        abort();
    free(first.data);
    free(second.data);
}

/* Offsets are small, or in the middle of BAR0, or anything. */
static void access_region(struct slot *slot, struct reader *from, bool write) {
    uint8_t data[64] = {0};
    unsigned region = take(from, 1) & 7;
    uint64_t offset = region == 0 ? take(from, 3) : take(from, 4);
    size_t bytes = take(from, 1) % sizeof data;
    if (!write) {
        pfifo_pci_region_read(slot->card, region, offset, data, bytes);
        return;
    }
    size_t left = (size_t)(from->end - from->at), given = bytes < left ? bytes : left;
    memcpy(data, from->at, given);
    from->at += given;
    pfifo_pci_region_write(slot->card, region, offset, data, bytes);
}

static void find(struct slot *slot, struct reader *from) {
    struct pfifo_pci_region info;
    unsigned region;
    uint64_t offset, address = take(from, 8);
    if (pfifo_pci_find(slot->card, address & 1, address >> 1, &region, &offset) &&
        (!pfifo_pci_region(slot->card, region, &info) || offset >= info.bytes))
        abort();
}

static void operate(struct slot *slot, struct reader *from) {
    uint8_t operation = (uint8_t)take(from, 1);
    unsigned offset = (unsigned)take(from, 1), bytes = 1u << (operation >> 4 & 3);
    switch (operation & 15) {
    case 0:
        pfifo_pci_config_read(slot->card, offset, bytes);
        break;
    case 1:
    case 2:
        pfifo_pci_config_write(slot->card, offset, bytes, (uint32_t)take(from, 4));
        break;
    case 3:
        find(slot, from);
        break;
    case 4:
        pfifo_pci_dma_map(slot->card, (uint64_t)offset << 12, take(from, 2) % (RAM_BYTES + 1), slot->ram,
                          operation & 0x80, NULL);
        break;
    case 5:
        pfifo_pci_dma_unmap(slot->card, (uint64_t)offset << 12, take(from, 3), NULL);
        break;
    case 6:
        pfifo_gpu_run(pfifo_pci_gpu(slot->card), 1000);
        break;
    case 7:
        if (!(offset & 7))
            pfifo_pci_reset(slot->card, NULL);
        break;
    case 8:
        if (!(offset & 7))
            save_and_load(slot);
        break;
    default:
        access_region(slot, from, operation & 1);
        break;
    }
    if (pfifo_pci_intx(slot->card) != slot->intx)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct reader from = {data, data + size};
    struct slot slot = {0};
    struct pfifo_pci_config config = {.size = sizeof config, .intx = set_intx, .opaque = &slot};
    config.gpu = (struct pfifo_config){.size = sizeof config.gpu, .vram_bytes = 16 << 20};
    config.gpu.chip = pfifo_chip_at((size_t)take(&from, 1) % pfifo_chip_count());
    config.bars_32 = take(&from, 1) & 1;
    slot.card = pfifo_pci_new(&config, NULL);
    slot.ram = calloc(1, RAM_BYTES);
    if (!slot.ram)
        abort();
    for (unsigned i = 0; slot.card && i < MAX_OPERATIONS && from.at < from.end; i++)
        operate(&slot, &from);
    if (slot.card) {
        pfifo_pci_unknown(slot.card, NULL, 0);
        pfifo_pci_load(slot.card, data, size, NULL);
    }
    pfifo_pci_free(slot.card);
    free(slot.ram);
    return 0;
}
