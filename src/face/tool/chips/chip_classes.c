/* SPDX-License-Identifier: MIT */
#include "face/tool/chips/chip_classes.h"

#include "chip/units.h"

#include <string.h>

#define COUNT_OF(a) (sizeof(a) / sizeof((a)[0]))

/*
 * Families whose classes all chips of a range have. In other families, chips of the same age differ (0x4097 and
 * 0x4497): there the chip's row lists the classes.
 */
static const char *const families[] = {"nv1-2d", "nv1-3d", "nv3-3d", "nv4-3d", "nv4-dvd", "m2mf", "video"};

/* Classes of a unit; not all chips of the range have the unit. */
static bool unit_allows(const struct pfifo_chip *chip, uint32_t id) {
    enum chip_unit unit = chip_unit_of_class(id);
    return unit == CHIP_UNIT_PGRAPH || chip_has_unit(chip, unit);
}

static bool in_tables(const struct pfifo_chip *chip, const struct pfifo_class *class) {
    size_t place = chip_place(chip->name, SIZE_MAX);
    bool known = false;

    for (size_t i = 0; i < COUNT_OF(families); i++)
        known = known || strcmp(class->family, families[i]) == 0;
    return known && class->first_chip && class->last_chip && place >= chip_place(class->first_chip, SIZE_MAX) &&
           place <= chip_place(class->last_chip, SIZE_MAX) && unit_allows(chip, class->id) &&
           !chip_lists_class(chip, class->id);
}

const struct pfifo_class *chip_class_at(const struct pfifo_chip *chip, size_t index) {
    for (size_t i = 0; i < CHIP_MAX_CLASSES && chip->classes[i]; i++)
        if (index-- == 0)
            return pfifo_class_find(chip->classes[i]);
    for (size_t i = 0; i < pfifo_class_count(); i++)
        if (in_tables(chip, pfifo_class_at(i)) && index-- == 0)
            return pfifo_class_at(i);
    return NULL;
}

bool chip_offers_class(const struct pfifo_chip *chip, const struct pfifo_class *class) {
    return (chip_lists_class(chip, class->id) && pfifo_class_find(class->id) == class) || in_tables(chip, class);
}
