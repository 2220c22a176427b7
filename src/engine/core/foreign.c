/* SPDX-License-Identifier: MIT */
#include "engine/core/foreign.h"

#include "classes/ids.h"

/* Ids 0x64 to 0x66 were used twice; the class tables give the later one, so only an id that fits no use is foreign. */
static bool foreign_fits(const struct class_id *row, size_t place) {
    if (!row->first_chip && !row->last_chip)
        return true;
    return place >= chip_place(row->first_chip, row->first_chip ? SIZE_MAX : 0) &&
           place <= chip_place(row->last_chip, SIZE_MAX);
}

bool class_is_nobodys(uint32_t object_class) {
    for (size_t i = 0; i < class_id_count; i++)
        if (class_ids[i].id == object_class)
            return false;
    return true;
}

bool class_is_foreign(const struct pfifo_chip *chip, uint32_t object_class) {
    if (chip_lists_class(chip, object_class))
        return false;
    size_t place = chip_place(chip->name, SIZE_MAX);
    for (size_t i = 0; i < class_id_count; i++)
        if (class_ids[i].id == object_class && foreign_fits(&class_ids[i], place))
            return false;
    return true;
}

bool pfifo_chip_has_class(const struct pfifo_chip *chip, uint32_t object_class) {
    return chip && !class_is_foreign(chip, object_class);
}
