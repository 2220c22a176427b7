/* SPDX-License-Identifier: MIT */
/*
 * The chip of a device, from the lines in which a driver says what it found:
 *
 *   nouveau 0000:01:00.0: NVIDIA GK104 (0e4000a1)
 *   nouveau  [  DEVICE][0000:01:00.0] BOOT0  : 0x0e4000a1      Chipset: GK104 (NVE4)
 *   [drm] nouveau 0000:01:00.0: Detected an NVc0 generation card (0x0c8c00a1)
 *   NVRM: The NVIDIA GPU 0000:01:00.0 (PCI ID: 10de:1c03)
 *   pci 0000:01:00.0: [10de:1c03] type 00 class 0x030000    the kernel itself, when it lists the devices of PCI
 *   nvgpu: 17000000.gv11b                                   a device of Tegra may be called as its chip
 *
 * Sources: nouveau engine/device/base.c of several kernels, nouveau_state.c; Linux drivers/pci/probe.c; NVIDIA
 * open-gpu-kernel-modules kernel-open/nvidia/nv-pci.c.
 */
#include "face/tool/explain/log/log.h"

#include "face/tool/chips/boards.h"

#include <ctype.h>
#include <string.h>

static const struct pfifo_chip *chip_of_boot0(const char *text, const char *word) {
    const char *at = strstr(text, word);
    uint64_t boot0;
    bool swapped;

    if (!at)
        return NULL;
    at += strlen(word);
    at += strspn(at, " \t:(");
    return log_read_hex(at, &boot0) && boot0 <= UINT32_MAX ? pfifo_chip_by_boot0((uint32_t)boot0, &swapped) : NULL;
}

/* "NVIDIA GK104 (0e4000a1)", "Chipset: GK104 (NVE4)": a name after the word. */
static const struct pfifo_chip *chip_of_name(const char *text, const char *word) {
    const char *at = strstr(text, word);
    char name[16];
    size_t bytes;

    if (!at)
        return NULL;
    at += strlen(word);
    at += strspn(at, " \t:");
    bytes = strcspn(at, " \t(");
    if (!bytes || bytes >= sizeof name)
        return NULL;
    memcpy(name, at, bytes);
    name[bytes] = 0;
    return pfifo_chip_by_name(name);
}

/* "10de:1c03" at `text`. */
static const struct pfifo_chip *chip_of_pci(const char *text) {
    char id[16], why[160];

    snprintf(id, sizeof id, "%.9s", text);
    return boards_chip(id, why, sizeof why);
}

static const struct pfifo_chip *chip_said(const struct log_line *line) {
    static const char *const boots[] = {"BOOT0", "generation card"}, *const names[] = {"NVIDIA ", "Chipset"};
    const struct pfifo_chip *chip = NULL;
    const char *id;

    if (line->driver == LOG_NVRM && (id = strstr(line->message, "(PCI ID: 10de:")) != NULL)
        return chip_of_pci(id + strlen("(PCI ID: "));
    if (line->driver != LOG_NOUVEAU)
        return NULL;
    for (size_t i = 0; i < 2 && !chip; i++)
        chip = chip_of_boot0(line->message, boots[i]);
    for (size_t i = 0; i < 2 && !chip; i++)
        chip = chip_of_name(line->message, names[i]);
    return chip;
}

/* A device of PCI without its function, which an Xid does not have: 0000:01:00. */
static size_t device_bytes(const char *device) {
    return strchr(device, ':') ? strcspn(device, ".") : strlen(device);
}

static bool same_device(const char *a, const char *b) {
    size_t bytes = device_bytes(a);

    return bytes == device_bytes(b) && memcmp(a, b, bytes) == 0;
}

static void note(struct log_chips *chips, const char *device, const struct pfifo_chip *chip) {
    size_t at = 0;

    chips->last = chip ? chip : chips->last;
    while (at < chips->count && !same_device(chips->rows[at].device, device))
        at++;
    if (at == LOG_DEVICES)
        return;
    snprintf(chips->rows[at].device, sizeof chips->rows[at].device, "%.31s", device);
    chips->rows[at].chip = chip;
    if (at == chips->count)
        chips->count++;
}

bool log_chips_note(struct log_chips *chips, const struct log_line *line) {
    const struct pfifo_chip *chip = chip_said(line);
    const char *device = line->device;
    char words[40];

    if (!chip)
        return false;
    /* "The NVIDIA GPU 0000:01:00.0 (PCI ID: ...": what an Xid has in brackets is elsewhere. */
    if (line->driver == LOG_NVRM && sscanf(line->message, "The NVIDIA GPU %39s", words) == 1)
        device = words;
    note(chips, device, chip);
    return true;
}

void log_chips_note_other(struct log_chips *chips, const char *text) {
    const char *id = strstr(text, ": [10de:");
    const struct pfifo_chip *chip = id ? chip_of_pci(id + 3) : NULL;
    const char *device = id;
    char name[40];

    while (device && device > text && (isxdigit((unsigned char)device[-1]) || strchr(":.", device[-1])))
        device--;
    if (!chip || device == id)
        return;
    snprintf(name, sizeof name, "%.*s", (int)(id - device), device);
    note(chips, name, chip);
}

const struct pfifo_chip *log_chips_find(struct log_chips *chips, const struct log_line *line) {
    const struct pfifo_chip *chip;
    const char *dot = strchr(line->device, '.');

    for (size_t i = 0; i < chips->count; i++)
        if (same_device(chips->rows[i].device, line->device))
            return chips->rows[i].chip;
    /* A device of Tegra that is called as no chip is remembered, too. */
    if (line->driver == LOG_NVGPU && dot) {
        chip = pfifo_chip_by_name(dot + 1);
        note(chips, line->device, chip);
        return chip;
    }
    return line->device[0] ? NULL : chips->last;
}
