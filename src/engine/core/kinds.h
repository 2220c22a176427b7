/* SPDX-License-Identifier: MIT */
/* Which class is of which kind: how a family's tables are looked up. The tables are in engine/classes.c. */
#ifndef PFIFO_SRC_ENGINE_CORE_KINDS_H
#define PFIFO_SRC_ENGINE_CORE_KINDS_H

#include "engine/core/action.h"
#include "engine/core/family.h"

/* Classes of a family end in the same byte; `first` and `last` are inclusive. */
struct class_range {
    uint16_t first, last;
    uint16_t mask; /* of the class that must equal that of `first` */
    const struct kind *kind;
};

struct class_table {
    const struct class_range *graph, *units; /* of PGRAPH, which also knows those of units after it; of the others */
    unsigned graph_count, unit_count;
    const struct kind *other_graph, *other; /* for what no row names */
    const struct kind *const *other_of;     /* by enum chip_unit, instead of `other`; NULL: that one */
};

/* What a class is on a unit. There is always an answer: a unit takes what it does not know as a plain object. */
const struct kind *kind_of_class(const struct engine_family *family, enum chip_unit unit, uint32_t object_class);

/* The class that a subchannel has before anything was bound to it, 0: none. */
uint32_t kind_preset(const struct engine_family *family, const struct pfifo_chip *chip, enum chip_unit unit,
                     unsigned subchannel);

#endif
