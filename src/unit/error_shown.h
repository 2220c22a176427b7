/* SPDX-License-Identifier: MIT */
/* The name of an error as the unit shows it: what a driver that reads the unit's registers finds. */
#ifndef PFIFO_SRC_UNIT_ERROR_SHOWN_H
#define PFIFO_SRC_UNIT_ERROR_SHOWN_H

#include "chip/chip.h"
#include "unit/trap.h"

/*
 * By the tables of error_names.h. Several errors may have one name; unit_error_name() is finer, and the name of what
 * no register shows.
 */
const char *unit_error_shown(const struct pfifo_chip *chip, enum chip_unit unit, const struct unit_trap *trap);

#endif
