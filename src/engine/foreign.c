/* SPDX-License-Identifier: MIT */
#include "engine/foreign.h"

#include <pfifo/classes.h>

/* Place of a chip in the order of introduction; `otherwise` for a chip that the table does not have. */
static size_t place_of(const char *name, size_t otherwise) {
    const struct chip *chip = name ? pfifo_chip_by_name(name) : NULL;
    for (size_t i = 0; chip && i < pfifo_chip_count(); i++)
        if (pfifo_chip_at(i) == chip)
            return i;
    return otherwise;
}

static bool in_row(const struct chip *chip, uint32_t object_class) {
    for (unsigned i = 0; i < CHIP_MAX_CLASSES && chip->classes[i]; i++)
        if (chip->classes[i] == object_class)
            return true;
    return false;
}

/* Ids 0x64 to 0x66 were used twice; the class tables give the later one, so only an id that fits no use is foreign. */
static bool fits(const struct pfifo_class *row, size_t place) {
    if (!row->first_chip && !row->last_chip)
        return true;
    return place >= place_of(row->first_chip, row->first_chip ? SIZE_MAX : 0) &&
           place <= place_of(row->last_chip, SIZE_MAX);
}

bool class_is_foreign(const struct chip *chip, uint32_t object_class) {
    if (in_row(chip, object_class))
        return false;
    size_t place = place_of(chip->name, SIZE_MAX);
    for (size_t i = 0; i < pfifo_class_count(); i++) {
        const struct pfifo_class *row = pfifo_class_at(i);
        if (row->id == object_class && fits(row, place))
            return false;
    }
    return true;
}
