/* SPDX-License-Identifier: MIT */
/* Parses the files of a device. Nothing in them is trusted. */
#include "card/card.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define VENDOR_NVIDIA  0x10de
#define CLASS_DISPLAY  0x03
#define CONFIG_VENDOR  0x00
#define CONFIG_DEVICE  0x02
#define CONFIG_COMMAND 0x04
#define CONFIG_REV     0x08
#define CONFIG_CLASS   0x09
#define CONFIG_HEADER  0x0e
#define COMMAND_MEMORY 2u

/* Chips before NV4 were sold under other vendor ids. */
static const struct {
    uint16_t vendor, first, last;
} other_vendors[] = {
    {0x104a, 0x0008, 0x0009}, /* SGS-Thomson: NV1 */
    {0x12d2, 0x0018, 0x0019}, /* SGS-Thomson and NVIDIA: NV3 */
};

/* `count` hexadecimal digits, then `end`. */
static bool digits(const char **text, size_t count, char end) {
    for (size_t i = 0; i < count; i++)
        if (!isxdigit((unsigned char)(*text)[i]))
            return false;
    *text += count;
    return *(*text)++ == end;
}

bool pci_parse_address(const char *text, char address[PCI_ADDRESS]) {
    const char *colon = strchr(text, ':');
    bool domain = colon && strchr(colon + 1, ':');
    const char *at = text;

    /* A domain has more than four digits if the firmware did not number it. */
    if (domain && (colon - text < 4 || colon - text > 5 || !digits(&at, (size_t)(colon - text), ':')))
        return false;
    if (!digits(&at, 2, ':') || !digits(&at, 2, '.') || !(at[0] >= '0' && at[0] <= '7') || at[1])
        return false;
    int length = snprintf(address, PCI_ADDRESS, "%s%s", domain ? "" : "0000:", text);
    for (char *c = address; *c; c++)
        *c = (char)tolower((unsigned char)*c);
    return length < PCI_ADDRESS;
}

/* "0x" and at most 16 digits. */
static bool parse_number(const char **at, const char *end, uint64_t *value) {
    const char *p = *at, *start;

    if (end - p < 3 || p[0] != '0' || p[1] != 'x')
        return false;
    *value = 0;
    for (start = p += 2; p < end && isxdigit((unsigned char)*p); p++) {
        unsigned digit = isdigit((unsigned char)*p) ? (unsigned)(*p - '0') : (unsigned)(tolower(*p) - 'a' + 10);
        if (p - start == 16)
            return false;
        *value = *value << 4 | digit;
    }
    *at = p;
    return p > start;
}

bool pci_parse_id(const char *text, size_t bytes, uint16_t *id) {
    const char *at = text, *end = text + bytes;
    uint64_t value;

    if (!parse_number(&at, end, &value) || value > UINT16_MAX || (at < end && *at++ != '\n') || at != end)
        return false;
    *id = (uint16_t)value;
    return true;
}

/* "0x... 0x... 0x...\n" */
static bool resource_line(const char **at, const char *end, struct pci_bar *bar) {
    uint64_t value[3] = {0};

    for (int i = 0; i < 3; i++) {
        if (!parse_number(at, end, &value[i]) || *at == end)
            return false;
        if (*(*at)++ != (i < 2 ? ' ' : '\n'))
            return false;
    }
    /* An absent BAR is three zeros. One that spans all addresses is not a BAR either. */
    if (value[1] < value[0] || value[1] - value[0] == UINT64_MAX)
        return false;
    *bar = (struct pci_bar){value[0], value[1] ? value[1] - value[0] + 1 : 0, value[2]};
    return true;
}

enum pfifo_status pci_parse_resource(const char *text, size_t bytes, struct pci_bar bars[PCI_BARS],
                                     struct pfifo_error *error) {
    const char *at = text, *end = text + bytes;

    memset(bars, 0, PCI_BARS * sizeof bars[0]);
    if (!bytes)
        return pfifo_error_set(error, PFIFO_ERROR_FORMAT, "it is empty");
    for (unsigned i = 0; at < end && i < PCI_BARS; i++) {
        const char *line = at;
        if (!resource_line(&at, end, &bars[i]))
            return pfifo_error_set(error, PFIFO_ERROR_FORMAT, "offset %zu: no first address, last address and flags",
                                   (size_t)(line - text));
    }
    return PFIFO_OK;
}

static uint16_t half(const uint8_t *at) {
    return (uint16_t)(at[0] | at[1] << 8);
}

enum pfifo_status pci_parse_config(const uint8_t *config, size_t bytes, struct pci_device *device,
                                   struct pfifo_error *error) {
    if (bytes < PCI_CONFIG)
        return pfifo_error_set(error, PFIFO_ERROR_FORMAT, "it ends at offset %zu, within the header of %d bytes", bytes,
                               PCI_CONFIG);
    if (half(config + CONFIG_VENDOR) == 0xffff)
        return pfifo_error_set(error, PFIFO_ERROR_IO,
                               "offset 0: 0xffff, the device does not answer: it is switched off "
                               "or gone");
    if (half(config + CONFIG_VENDOR) != device->vendor || half(config + CONFIG_DEVICE) != device->device)
        return pfifo_error_set(
            error, PFIFO_ERROR_FORMAT, "offset 0: %04x:%04x, but the files vendor and device say %04x:%04x",
            half(config + CONFIG_VENDOR), half(config + CONFIG_DEVICE), device->vendor, device->device);
    if (config[CONFIG_HEADER] & 0x7f)
        return pfifo_error_set(error, PFIFO_ERROR_FORMAT, "offset %d: header of type %d, not that of a device",
                               CONFIG_HEADER, config[CONFIG_HEADER] & 0x7f);
    device->revision = config[CONFIG_REV];
    device->class_code = config[CONFIG_CLASS] | half(config + CONFIG_CLASS + 1) * UINT32_C(256);
    device->decodes_memory = half(config + CONFIG_COMMAND) & COMMAND_MEMORY;
    return PFIFO_OK;
}

bool pci_is_gpu(const struct pci_device *device) {
    for (size_t i = 0; i < sizeof other_vendors / sizeof other_vendors[0]; i++)
        if (device->vendor == other_vendors[i].vendor)
            return device->device >= other_vendors[i].first && device->device <= other_vendors[i].last;
    return device->vendor == VENDOR_NVIDIA && device->class_code >> 16 == CLASS_DISPLAY;
}
