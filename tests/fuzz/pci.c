/* SPDX-License-Identifier: MIT */
/*
 * What a tree of sysfs says, and cards with any registers.
 *
 *   byte 0 odd    the rest is an address, a file vendor, a file resource and a file config, with a zero between them
 *   byte 0 even   byte 1 chip; 4-byte seed of registers that are filled, 4-byte records of offset >> 2 (16 bits, of an
 *                 area that byte 0 selects) and 16 bits of value, then the console looks at everything
 *
 * What is parsed is either refused with a reason or within its bounds; whatever registers say, looking at them ends and
 * gives text; and a card that may not be written is not.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "card/card.h"
#include "face/tool/console/console.h"

#define BAR0     (UINT32_C(16) << 20)
#define MAX_TEXT (64u << 20)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* ---- texts ---- */

/* The next part, which a zero ends, with another after it. */
static char *part(const uint8_t **at, const uint8_t *end, size_t *bytes) {
    const uint8_t *zero = *at < end ? memchr(*at, 0, (size_t)(end - *at)) : NULL;
    *bytes = (size_t)((zero ? zero : end) - *at);
    char *copy = malloc(*bytes + 1);
    if (!copy)
        abort();
    if (*bytes)
        memcpy(copy, *at, *bytes);
    copy[*bytes] = 0;
    *at += *bytes + (zero != NULL);
    return copy;
}

static void check_address(const char *text) {
    char address[PCI_ADDRESS], again[PCI_ADDRESS];
    if (!pci_parse_address(text, address))
        return;
    if (strlen(address) < 12 || !pci_parse_address(address, again) || strcmp(address, again) != 0)
        abort();
}

static void check_resource(const char *text, size_t bytes) {
    struct pci_bar bars[PCI_BARS];
    struct pfifo_error error = {0};
    if (pci_parse_resource(text, bytes, bars, &error) != PFIFO_OK) {
        if (!strstr(error.message, "offset") && bytes)
            abort();
        return;
    }
    for (unsigned i = 0; i < PCI_BARS; i++)
        if (bars[i].bytes && bars[i].address > UINT64_MAX - (bars[i].bytes - 1))
            abort();
}

static void check_config(const uint8_t *config, size_t bytes, uint16_t id) {
    struct pci_device device = {.vendor = id, .device = id};
    struct pfifo_error error = {0};
    /* With its own ids it is looked at further than with others. */
    for (unsigned i = 0; i < 2; i++) {
        if (pci_parse_config(config, bytes, &device, &error) != PFIFO_OK && !error.message[0])
            abort();
        pci_is_gpu(&device);
        if (bytes < 4)
            return;
        device.vendor = (uint16_t)(config[0] | config[1] << 8);
        device.device = (uint16_t)(config[2] | config[3] << 8);
    }
}

static void check_texts(const uint8_t *at, const uint8_t *end) {
    size_t bytes;
    uint16_t id = 0;
    char *address = part(&at, end, &bytes);
    check_address(address);
    free(address);
    char *vendor = part(&at, end, &bytes);
    pci_parse_id(vendor, bytes, &id);
    free(vendor);
    char *resource = part(&at, end, &bytes);
    check_resource(resource, bytes);
    free(resource);
    check_config(at, (size_t)(end - at), id);
}

/* ---- cards ---- */

static bool check_text(void *opaque, const char *text, size_t bytes) {
    size_t *total = opaque;
    *total += bytes;
    if (*total > MAX_TEXT)
        abort();
    for (size_t i = 0; i < bytes; i++)
        if (iscntrl((unsigned char)text[i]) && !isspace((unsigned char)text[i]))
            abort();
    return true;
}

/* Areas with registers that channels looks at. */
static const uint32_t areas[] = {0x000000, 0x040000, 0x090000, 0x700000, 0x710000, 0x720000, 0x800000, 0xc00000};

static uint32_t word_at(const uint8_t *data) {
    return data[0] | (uint32_t)data[1] << 8 | (uint32_t)data[2] << 16 | (uint32_t)data[3] << 24;
}

/* A word again and again, and those of the records. */
static void fill(volatile uint32_t *registers, uint32_t area, const uint8_t *at, const uint8_t *end) {
    uint32_t seed = end - at >= 4 ? word_at(at) : 0;
    for (uint32_t i = 0; seed && i < 0x800; i++)
        registers[(0x2000 + 4 * i) / 4] = (seed ^ i * 2654435761u) & (i & 1 ? UINT32_MAX : seed);
    for (at += 4; end - at >= 4; at += 4)
        registers[(area + 4 * (word_at(at) & 0xffff)) % BAR0 / 4] = word_at(at) >> 16 | (word_at(at) >> 16) << 16;
}

static void check_card(uint8_t kind, const struct pfifo_chip *chip, const uint8_t *at, const uint8_t *end) {
    static const char *const lines[] = {"card", "channels", "irq", "w32 PMC.ENABLE 0", "freeze 0", "thaw 0", "dump"};
    size_t count = sizeof lines / sizeof lines[0] - !(kind & 0x40); /* dump takes its time */
    struct pci_card card = {.chip = chip, .bytes = BAR0, .writable = kind >> 1 & 1, .swapped = kind >> 2 & 1};
    struct pci_bar bar = {.bytes = BAR0, .flags = PCI_BAR_MEMORY};
    size_t printed = 0;
    void *memory = mmap(NULL, BAR0, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        return;
    card.registers = memory;
    card.device.bars[0] = bar;
    card.registers[0x200 / 4] = UINT32_MAX;
    fill(card.registers, areas[kind >> 3 & 7], at, end);
    struct console_config config = {.card = &card, .write = check_text, .opaque = &printed};
    struct console *console = console_new(&config, NULL);
    if (!card.writable && mprotect(memory, BAR0, PROT_READ) != 0)
        abort();
    for (size_t i = 0; console && i < count; i++) {
        struct pfifo_error error = {0};
        if (console_line(console, lines[i], &error) == CONSOLE_FAILED && !error.message[0])
            abort();
    }
    console_free(console);
    munmap(memory, BAR0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    bool swapped;
    if (size >= 4)
        pfifo_chip_by_boot0(word_at(data), &swapped);
    if (size < 2)
        return 0;
    if (data[0] & 1)
        check_texts(data + 1, data + size);
    else
        check_card(data[0], pfifo_chip_at(data[1] % pfifo_chip_count()), data + 2, data + size);
    return 0;
}
