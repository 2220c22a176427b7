/* SPDX-License-Identifier: MIT */
/* The classes that a chip has: those of its row, and those that the class tables give to a range of chips. */
#ifndef PFIFO_TOOL_CHIPS_CHIP_CLASSES_H
#define PFIFO_TOOL_CHIPS_CHIP_CLASSES_H

#include <pfifo/classes.h>

#include "chip/chip.h"

/* Class `index` (0 ...) of a chip: first those of its row, then the others by ascending id. NULL beyond the last. */
const struct pfifo_class *chip_class_at(const struct pfifo_chip *chip, size_t index);

/* Is the class among them? */
bool chip_offers_class(const struct pfifo_chip *chip, const struct pfifo_class *class);

#endif
