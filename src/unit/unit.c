/* SPDX-License-Identifier: MIT */
#include "unit/unit.h"

#include <assert.h>

#include "chip/units.h"
#include "unit/graph/graph.h"
#include "unit/simple.h"

enum pfifo_status unit_new(struct unit **out, struct bus *bus, enum chip_unit unit, struct pfifo_error *error) {
    const struct chip_unit_row *row = chip_unit_row(bus->chip, unit);
    *out = NULL;
    if (!row)
        return PFIFO_OK;
    return row->registers == UNIT_REGISTERS_GRAPH ? graph_new(out, bus, error) : simple_unit_new(out, bus, row, error);
}

void unit_free(struct unit *unit) {
    assert(!unit || unit->ops->free);
    if (unit)
        unit->ops->free(unit);
}
