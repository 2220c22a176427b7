/* SPDX-License-Identifier: MIT */
/* The chip that a capture runs on, and whether it can. */
#include "replay/inside.h"

#include "chip/chip.h"
#include "chip/family.h"

#include <inttypes.h>

/* What keeps a chip from running what was recorded on another; NULL: nothing. */
static const char *obstacle(const struct pfifo_chip *chip, const struct pfifo_chip *recorded) {
    if (!pfifo_chip_info(chip).runs)
        return "its machine is not built";
    if (!recorded || !recorded->family->grammar)
        return NULL;
    if (!chip->family->grammar)
        return "it has no pushbuffers";
    if (chip->binds_classes != recorded->binds_classes)
        return "its pushbuffers have other headers";
    if (chip_has_page_tables(chip) != chip_has_page_tables(recorded))
        return "its memory has other addresses";
    return NULL;
}

/* Errors: PFIFO_ERROR_UNSUPPORTED. Which chips could: those without an obstacle follow each other. */
static void chip_refuse(const char *name, const struct pfifo_chip *chip, const struct pfifo_chip *recorded,
                        struct pfifo_error *error) {
    const struct pfifo_chip *first = NULL, *last = NULL;

    for (size_t i = 0; recorded && i < pfifo_chip_count(); i++) {
        const struct pfifo_chip *other = pfifo_chip_at(i);
        if (obstacle(other, recorded))
            continue;
        first = first ? first : other;
        last = other;
    }
    if (!recorded || recorded == chip || !first)
        pfifo_error_set(error, PFIFO_ERROR_UNSUPPORTED, "%.80s: the machine of %s is not built", name, chip->name);
    else
        pfifo_error_set(error, PFIFO_ERROR_UNSUPPORTED,
                        "%.80s: %s does not run what was recorded on %s: %s; %s to %s can", name, chip->name,
                        recorded->name, obstacle(chip, recorded), first->name, last->name);
}

const struct pfifo_chip *replay_chip(struct pfifo_stream *stream, const struct pfifo_chip *wanted,
                                     struct pfifo_error *error) {
    uint32_t number = pfifo_stream_chipset(stream);
    const struct pfifo_chip *recorded = pfifo_chip_by_id(number), *chip = wanted ? wanted : recorded;
    const char *name = pfifo_stream_path(stream);

    if (chip && !obstacle(chip, recorded))
        return chip;
    if (chip)
        chip_refuse(name, chip, recorded, error);
    else if (number)
        pfifo_error_set(error, PFIFO_ERROR_UNSUPPORTED, "%.80s: there is no chip 0x%" PRIx32, name, number);
    else
        pfifo_error_set(error, PFIFO_ERROR_FORMAT, "%.80s: the capture does not name its chipset", name);
    return NULL;
}
