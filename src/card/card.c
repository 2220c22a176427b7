/* SPDX-License-Identifier: MIT */
/* BAR0 of a card, mapped. */
#include "card/card.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define LEAST_BYTES UINT64_C(0x1000)      /* PMC, which every card has */
#define MOST_BYTES  (UINT64_C(256) << 20) /* no BAR0 is larger than 32 MiB */

static enum pfifo_status card_fail(const struct pci_card *card, const char *name, const char *reason,
                                   struct pfifo_error *error) {
    return pfifo_error_set(error, PFIFO_ERROR_IO, "%s/%s: %.160s", card->device.address, name, reason);
}

/* Is it a supported card, and does it answer? */
static enum pfifo_status check_device(const struct pci_card *card, struct pfifo_error *error) {
    const struct pci_device *device = &card->device;
    const struct pci_bar *bar = &device->bars[0];
    char reason[120];

    if (!pci_is_gpu(device))
        return pfifo_error_set(error, PFIFO_ERROR_UNSUPPORTED,
                               "%s is no graphics chip of NVIDIA: %04x:%04x, class %06" PRIx32, device->address,
                               device->vendor, device->device, device->class_code);
    if (!(bar->flags & PCI_BAR_MEMORY) || bar->bytes < LEAST_BYTES || bar->bytes > MOST_BYTES)
        return card_fail(card, "resource", "offset 0: BAR0 is no memory of the size that registers have", error);
    if (device->asleep) {
        snprintf(reason, sizeof reason, "the card is switched off (%s); 'on' in power/control wakes it",
                 device->asleep);
        return card_fail(card, "power_state", reason, error);
    }
    if (!device->decodes_memory)
        return card_fail(
            card, "config",
            "offset 4: memory decoding is off, BAR0 does not answer; a driver switches it on, or 1 in the file "
            "enable",
            error);
    return PFIFO_OK;
}

static enum pfifo_status map_file(struct pci_card *card, int fd, struct pfifo_error *error) {
    uint64_t bytes = card->device.bars[0].bytes;
    char reason[120];
    struct stat file;

    if (fstat(fd, &file) != 0)
        return card_fail(card, "resource0", strerror(errno), error);
    /* An access beyond the end of the mapped file would end the process. */
    if (file.st_size < 0 || (uint64_t)file.st_size < bytes) {
        snprintf(reason, sizeof reason, "it ends at offset %jd, but BAR0 has %" PRIu64 " bytes", (intmax_t)file.st_size,
                 bytes);
        return card_fail(card, "resource0", reason, error);
    }
    void *memory = mmap(NULL, (size_t)bytes, PROT_READ | (card->writable ? PROT_WRITE : 0), MAP_SHARED, fd, 0);
    if (memory == MAP_FAILED) {
        snprintf(reason, sizeof reason, "cannot be mapped: %s", strerror(errno));
        return card_fail(card, "resource0", reason, error);
    }
    card->registers = memory;
    card->bytes = (size_t)bytes;
    return PFIFO_OK;
}

static enum pfifo_status card_map(struct pci_card *card, const char *root, struct pfifo_error *error) {
    char path[4096], reason[120];

    if ((size_t)snprintf(path, sizeof path, "%s/bus/pci/devices/%s/resource0", root, card->device.address) >=
        sizeof path)
        return card_fail(card, "resource0", "the name of the tree is too long", error);
    int fd = open(path, (card->writable ? O_RDWR : O_RDONLY) | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) {
        snprintf(reason, sizeof reason, "cannot open: %s", strerror(errno));
        return card_fail(card, "resource0", reason, error);
    }
    enum pfifo_status status = map_file(card, fd, error);
    close(fd);
    return status;
}

static enum pfifo_status recognise(struct pci_card *card, struct pfifo_error *error) {
    char reason[160];

    card->boot0 = card->registers[0];
    card->chip = pfifo_chip_by_boot0(card->boot0, &card->swapped);
    if (card->chip)
        return PFIFO_OK;
    snprintf(reason, sizeof reason, "offset 0: BOOT_0 is 0x%08" PRIx32 ", %s", card->boot0,
             card->boot0 == UINT32_MAX ? "the card does not answer: it is switched off, in reset or gone"
             : card->boot0 == 0        ? "which is no chip; is the card in reset?"
                                       : "which is no chip of the table (pfifo chips)");
    return card_fail(card, "resource0", reason, error);
}

struct pci_card *pci_open(const char *root, const char *address, bool write, struct pfifo_error *error) {
#ifdef __linux__
    struct pci_card *card = calloc(1, sizeof *card);

    if (!card) {
        pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for a card");
        return NULL;
    }
    card->writable = write;
    if (pci_read(root, address, &card->device, error) == PFIFO_OK && check_device(card, error) == PFIFO_OK &&
        card_map(card, root, error) == PFIFO_OK && recognise(card, error) == PFIFO_OK)
        return card;
    pci_close(card);
    return NULL;
#else
    (void)root, (void)address, (void)write;
    pfifo_error_set(error, PFIFO_ERROR_UNSUPPORTED, "cards are opened through sysfs, which only Linux has");
    return NULL;
#endif
}

void pci_close(struct pci_card *card) {
    if (card && card->registers)
        munmap((void *)(uintptr_t)card->registers, card->bytes);
    free(card);
}

static uint32_t in_order(const struct pci_card *card, uint32_t word) {
    return card->swapped ? __builtin_bswap32(word) : word;
}

uint32_t pci_rd32(const struct pci_card *card, uint32_t offset) {
    return in_order(card, card->registers[offset / 4]);
}

void pci_wr32(struct pci_card *card, uint32_t offset, uint32_t value) {
    card->registers[offset / 4] = in_order(card, value);
}
