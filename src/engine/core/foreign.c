/* SPDX-License-Identifier: MIT */
#include "engine/core/foreign.h"

#include <pfifo/classes.h>

/* Ids 0x64 to 0x66 were used twice; the class tables give the later one, so only an id that fits no use is foreign. */
static bool foreign_fits(const struct pfifo_class *row, size_t place) {
    if (!row->first_chip && !row->last_chip)
        return true;
    return place >= chip_place(row->first_chip, row->first_chip ? SIZE_MAX : 0) &&
           place <= chip_place(row->last_chip, SIZE_MAX);
}

bool class_is_nobodys(uint32_t object_class) {
    return !pfifo_class_find(object_class);
}

bool class_is_foreign(const struct pfifo_chip *chip, uint32_t object_class) {
    if (chip_lists_class(chip, object_class))
        return false;
    size_t place = chip_place(chip->name, SIZE_MAX);
    for (size_t i = 0; i < pfifo_class_count(); i++) {
        const struct pfifo_class *row = pfifo_class_at(i);
        if (row->id == object_class && foreign_fits(row, place))
            return false;
    }
    return true;
}
