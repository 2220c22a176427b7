/* SPDX-License-Identifier: MIT */
/*
 * The chip of a device, from the lines in which a driver says what it found:
 *
 *   nouveau 0000:01:00.0: NVIDIA GK104 (0e4000a1)
 *   nouveau  [  DEVICE][0000:01:00.0] BOOT0  : 0x0e4000a1      Chipset: GK104 (NVE4)
 *   [drm] nouveau 0000:01:00.0: Detected an NVc0 generation card (0x0c8c00a1)
 *
 * Sources: nouveau engine/device/base.c of several kernels, nouveau_state.c.
 */
#include "face/tool/explain/log/log.h"

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

static const struct pfifo_chip *chip_said(const struct log_line *line) {
    static const char *const boots[] = {"BOOT0", "generation card"}, *const names[] = {"NVIDIA ", "Chipset"};
    const struct pfifo_chip *chip = NULL;

    if (line->driver != LOG_NOUVEAU)
        return NULL;
    for (size_t i = 0; i < 2 && !chip; i++)
        chip = chip_of_boot0(line->message, boots[i]);
    for (size_t i = 0; i < 2 && !chip; i++)
        chip = chip_of_name(line->message, names[i]);
    return chip;
}

bool log_chips_note(struct log_chips *chips, const struct log_line *line) {
    const struct pfifo_chip *chip = chip_said(line);
    size_t at = 0;

    if (!chip)
        return false;
    chips->last = chip;
    while (at < chips->count && strcmp(chips->rows[at].device, line->device) != 0)
        at++;
    if (at == LOG_DEVICES)
        return true;
    snprintf(chips->rows[at].device, sizeof chips->rows[at].device, "%s", line->device);
    chips->rows[at].chip = chip;
    if (at == chips->count)
        chips->count++;
    return true;
}

const struct pfifo_chip *log_chips_find(const struct log_chips *chips, const struct log_line *line) {
    for (size_t i = 0; i < chips->count; i++)
        if (strcmp(chips->rows[i].device, line->device) == 0)
            return chips->rows[i].chip;
    return line->device[0] ? NULL : chips->last;
}
