/* SPDX-License-Identifier: MIT */
#include "unit/error_shown.h"

#include "unit/graph/graph.h"
#include "unit/simple.h"

const char *unit_error_shown(const struct pfifo_chip *chip, enum chip_unit unit, const struct unit_trap *trap) {
    const char *name = unit == CHIP_UNIT_PGRAPH ? graph_error_name(chip, trap) : simple_error_name(chip, unit, trap);
    return name ? name : unit_error_name(trap->error);
}
