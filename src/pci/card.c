/* SPDX-License-Identifier: MIT */
#include "pci/card.h"

#include <assert.h>
#include <stdlib.h>

#include "bus/bars.h"
#include "chip/config.h"

/* ---- callbacks of the GPU ---- */

static uint64_t clock_of(void *opaque) {
    const struct pfifo_pci *card = opaque;
    if (card->tap && card->tap->clock)
        return card->tap->clock(card->tap);
    return card->config.gpu.clock(card->config.gpu.opaque);
}

/*
 * In turn where memory has no pointer: a page is compared and asked for anew while others look elsewhere, and what one
 * of them writes to it meanwhile would be lost.
 */
static void side_by_side(void *opaque, uint32_t count, void (*call)(void *argument, uint32_t number), void *argument) {
    const struct pfifo_pci *card = opaque;
    if (pci_remote_ranges(card)) {
        for (uint32_t number = 0; number < count; number++)
            call(argument, number);
        return;
    }
    card->config.gpu.side_by_side(card->config.gpu.opaque, count, call, argument);
}

static void work_of(void *opaque) {
    const struct pfifo_pci *card = opaque;
    card->config.work(card->config.opaque);
}

/* ---- making one ---- */

static enum pfifo_status check_config(const struct pfifo_pci_config *config, struct pfifo_error *error) {
    const struct pfifo_config *gpu = &config->gpu;
    if (!gpu->chip)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "a card needs a chip");
    if (!pci_board_of(gpu->chip) || !pci_shape_of(gpu->chip))
        return pfifo_error_set(error, PFIFO_ERROR_UNSUPPORTED, "there is no PCI card with a %s",
                               pfifo_chip_info(gpu->chip).name);
    if (gpu->system_map || gpu->system_bytes || gpu->irq || gpu->work || gpu->system.form || gpu->system.data)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT,
                               "system memory, interrupts and work of a card's GPU are the card's");
    if ((config->vbios != NULL) != (config->vbios_bytes != 0) || config->vbios_bytes > PFIFO_PCI_ROM_MAX)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "a VBIOS cannot have %zu bytes", config->vbios_bytes);
    return PFIFO_OK;
}

static enum pfifo_status make_gpu(struct pfifo_pci *card, struct pfifo_error *error) {
    struct pfifo_config config = card->config.gpu;
    config.size = sizeof config;
    config.system_map = pci_dma_find;
    config.irq = pci_lines_irq;
    config.work = card->config.work ? work_of : NULL;
    config.clock = config.clock ? clock_of : NULL;
    config.side_by_side = config.side_by_side ? side_by_side : NULL;
    config.opaque = card;
    card->gpu = pfifo_gpu_new(&config, error);
    return card->gpu ? PFIFO_OK : PFIFO_ERROR_MEMORY;
}

static enum pfifo_status make_rom(struct pfifo_pci *card, struct pfifo_error *error) {
    const struct pfifo_pci_config *config = &card->config;
    card->rom_bytes = config->vbios ? (uint32_t)config->vbios_bytes : PCI_VBIOS_BYTES;
    card->rom = malloc(card->rom_bytes);
    if (!card->rom)
        return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for the VBIOS");
    if (config->vbios)
        memcpy(card->rom, config->vbios, card->rom_bytes);
    else
        pci_vbios_make(card->rom, card->board->vendor, config->device_id ? config->device_id : card->board->device,
                       card->gpu->chip->id, card->shape);
    card->config.vbios = NULL; /* the owner may free it */
    return PFIFO_OK;
}

/* ---- regions ---- */

static uint64_t card_round_up(uint64_t bytes) {
    uint64_t size = 1;
    while (size < bytes)
        size *= 2;
    return bytes ? size : 0;
}

/* Is BAR1 the beginning of VRAM, without translation? */
static bool shows_vram(const struct pfifo_gpu *gpu) {
    return gpu->chip->vram_bytes && !gpu->chip->bars->translated && !gpu->bus.bars->bar1_ramin &&
           pfifo_gpu_bar_bytes(gpu, 1) <= pfifo_gpu_vram_bytes(gpu);
}

static void card_set_regions(struct pfifo_pci *card) {
    const struct pci_shape *shape = card->shape;
    const struct pfifo_gpu *gpu = card->gpu;
    uint64_t bar1 = card_round_up(pfifo_gpu_bar_bytes(gpu, 1));
    bool wide = shape->wide && !card->config.bars_32;
    card->regions[0] = (struct pfifo_pci_region){.bytes = card_round_up(pfifo_gpu_bar_bytes(gpu, 0)), .writable = true};
    if (bar1)
        card->regions[1] = (struct pfifo_pci_region){
            .bytes = bar1, .wide = wide, .prefetch = true, .writable = true, .vram = shows_vram(gpu)};
    if (shape->ramin_bar)
        card->regions[shape->ramin_bar] =
            (struct pfifo_pci_region){.bytes = card_round_up(pfifo_gpu_bar_bytes(gpu, shape->ramin_bar)),
                                      .wide = wide,
                                      .prefetch = shape->ramin_prefetch,
                                      .writable = true};
    if (pfifo_gpu_bar_bytes(gpu, 5))
        card->regions[5] = (struct pfifo_pci_region){
            .bytes = card_round_up(pfifo_gpu_bar_bytes(gpu, 5)), .ports = true, .writable = true};
    uint64_t image = card_round_up(card->rom_bytes);
    card->regions[PFIFO_PCI_ROM] =
        (struct pfifo_pci_region){.bytes = image > shape->rom_bytes ? image : shape->rom_bytes};
}

/* A BAR of 32 bits is at most 2 GiB. */
static enum pfifo_status check_regions(const struct pfifo_pci *card, struct pfifo_error *error) {
    for (unsigned i = 0; i < PFIFO_PCI_REGIONS; i++)
        if (!card->regions[i].wide && card->regions[i].bytes > UINT64_C(1) << 31)
            return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "BAR%u with 0x%llx bytes needs 64 bits", i,
                                   (unsigned long long)card->regions[i].bytes);
    return PFIFO_OK;
}

static void card_power_on(struct pfifo_pci *card) {
    pci_config_init(card);
    pci_registers_reset(card);
    card->state.armed = true;
    pci_lines_update(card);
}

static enum pfifo_status card_assemble(struct pfifo_pci *card, struct pfifo_error *error) {
    enum pfifo_status status = make_gpu(card, error);
    if (status == PFIFO_OK)
        status = make_rom(card, error);
    if (status != PFIFO_OK)
        return status;
    card_set_regions(card);
    status = check_regions(card, error);
    return status == PFIFO_OK ? pci_registers_init(card, error) : status;
}

struct pfifo_pci *pfifo_pci_new(const struct pfifo_pci_config *given, struct pfifo_error *error) {
    struct pfifo_pci_config config = {0};
    if (given && config_read(&config, sizeof config, given, sizeof config, "pfifo_pci_config", error) != PFIFO_OK)
        return NULL;
    if (check_config(&config, error) != PFIFO_OK)
        return NULL;
    struct pfifo_pci *card = calloc(1, sizeof *card);
    if (!card) {
        pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for a card");
        return NULL;
    }
    card->config = config;
    card->board = pci_board_of(config.gpu.chip);
    card->shape = pci_shape_of(config.gpu.chip);
    if (card_assemble(card, error) != PFIFO_OK) {
        pfifo_pci_free(card);
        return NULL;
    }
    card_power_on(card);
    return card;
}

void pfifo_pci_free(struct pfifo_pci *card) {
    if (!card)
        return;
    if (card->tap && card->tap->free)
        card->tap->free(card->tap);
    card->tap = NULL;
    if (card->pages)
        pci_storage_clear(card);
    pci_remote_free(card);
    free(card->pages);
    free(card->rom);
    pfifo_gpu_free(card->gpu);
    free(card);
}

struct pfifo_gpu *pfifo_pci_gpu(struct pfifo_pci *card) {
    return card->gpu;
}

enum pfifo_status pfifo_pci_reset(struct pfifo_pci *card, struct pfifo_error *error) {
    pci_begin(card);
    enum pfifo_status status = pfifo_gpu_reset(card->gpu, PFIFO_RESET_KEEP_MEMORY, error);
    if (status == PFIFO_OK) {
        card_power_on(card);
        pci_end(card, &(struct session_record){.type = SESSION_RESET});
    }
    return status;
}

bool pfifo_pci_region(const struct pfifo_pci *card, unsigned region, struct pfifo_pci_region *info) {
    *info = (struct pfifo_pci_region){0};
    if (region >= PFIFO_PCI_REGIONS)
        return false;
    *info = card->regions[region];
    return info->bytes != 0;
}

/* ---- access ---- */

/* How many bytes of an access are within the region. */
static size_t card_clip(const struct pfifo_pci *card, unsigned region, uint64_t offset, size_t bytes) {
    uint64_t size = region < PFIFO_PCI_REGIONS ? card->regions[region].bytes : 0;
    if (offset >= size)
        return 0;
    return bytes < size - offset ? bytes : (size_t)(size - offset);
}

static void rom_read(const struct pfifo_pci *card, uint64_t offset, uint8_t *to, size_t bytes) {
    for (size_t i = 0; i < bytes; i++)
        to[i] = offset + i < card->rom_bytes ? card->rom[offset + i] : 0xff;
}

static void region_read(struct pfifo_pci *card, unsigned region, uint64_t offset, uint8_t *to, size_t bytes) {
    size_t inside = card_clip(card, region, offset, bytes);
    assert(inside <= bytes);
    if (inside < bytes)
        memset(to + inside, 0, bytes - inside);
    if (!inside)
        return;
    if (region == 0)
        pci_registers_read(card, (uint32_t)offset, to, (uint32_t)inside);
    else if (region == PFIFO_PCI_ROM)
        rom_read(card, offset, to, inside);
    else
        pfifo_gpu_bar_read(card->gpu, region, offset, to, inside);
}

void pfifo_pci_region_read(struct pfifo_pci *card, unsigned region, uint64_t offset, void *data, size_t bytes) {
    pci_begin(card);
    region_read(card, region, offset, data, bytes);
    pci_end(card, &(struct session_record){
                      .type = SESSION_READ, .field = {region, offset}, .tail = data, .tail_bytes = bytes});
}

void pfifo_pci_region_write(struct pfifo_pci *card, unsigned region, uint64_t offset, const void *data, size_t bytes) {
    size_t inside = card_clip(card, region, offset, bytes);
    if (!inside || !card->regions[region].writable)
        return;
    pci_begin(card);
    if (region == 0)
        pci_registers_write(card, (uint32_t)offset, data, (uint32_t)inside);
    else
        pfifo_gpu_bar_write(card->gpu, region, offset, data, inside);
    pci_end(card, &(struct session_record){
                      .type = SESSION_WRITE, .field = {region, offset}, .tail = data, .tail_bytes = inside});
}

/* ---- work ---- */

enum pfifo_stop pfifo_pci_run(struct pfifo_pci *card, uint64_t budget) {
    if (card->tap && budget > PFIFO_PCI_RUN_MAX)
        budget = PFIFO_PCI_RUN_MAX;
    pci_begin(card);
    enum pfifo_stop stop = pfifo_gpu_run(card->gpu, budget);
    uint64_t used = pfifo_gpu_stop_info(card->gpu)->used;
    pci_end(card, &(struct session_record){.type = SESSION_RUN, .field = {budget, used, stop}});
    return stop;
}

/* A tap's clock stands between operations, at the time of the last one that asked for it. */
uint64_t pfifo_pci_due(struct pfifo_pci *card) {
    uint64_t due = pfifo_gpu_due(card->gpu);
    if (!card->tap || !card->tap->clock || !card->config.gpu.clock || due == UINT64_MAX)
        return due;
    uint64_t now = card->config.gpu.clock(card->config.gpu.opaque), then = card->tap->clock(card->tap);
    uint64_t passed = now > then ? now - then : 0;
    return due > passed ? due - passed : 0;
}
