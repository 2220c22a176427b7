/* SPDX-License-Identifier: MIT */
#include "engine/core/kinds.h"

#include <assert.h>

#include "chip/units.h"

static bool class_covers(const struct class_range *range, uint32_t object_class) {
    return object_class >= range->first && object_class <= range->last &&
           ((object_class ^ range->first) & range->mask) == 0;
}

static const struct kind *find_kind(const struct class_range *rows, unsigned count, uint32_t object_class) {
    for (unsigned i = 0; i < count; i++)
        if (class_covers(&rows[i], object_class))
            return rows[i].kind;
    return NULL;
}

/* A class of PGRAPH stands on state of the channel that only its engine keeps (family->shared). */
const struct kind *kind_of_class(const struct engine_family *family, enum chip_unit unit, uint32_t object_class) {
    const struct class_table *table = family->classes;
    assert(unit < CHIP_UNIT_COUNT && table->other && table->other_graph);
    const struct kind *kind = NULL;
    if (unit == CHIP_UNIT_PGRAPH)
        kind = find_kind(table->graph, table->graph_count, object_class);
    if (!kind)
        kind = find_kind(table->units, table->unit_count, object_class);
    if (kind)
        return kind;
    if (unit == CHIP_UNIT_PGRAPH)
        return table->other_graph;
    return table->other_of[unit] ? table->other_of[unit] : table->other;
}

static enum kind_role role_of(const struct engine_family *family, enum chip_unit unit, unsigned subchannel) {
    if (chip_unit_is_copy(unit))
        return ROLE_COPY;
    if (unit != CHIP_UNIT_PGRAPH || !family->subchannels_have_roles || subchannel >= ROLE_NONE)
        return ROLE_NONE;
    return (enum kind_role)subchannel;
}

/* The newest class of the chip with the role of the subchannel: chips list them in the order of their age. */
uint32_t kind_preset(const struct engine_family *family, const struct pfifo_chip *chip, enum chip_unit unit,
                     unsigned subchannel) {
    enum kind_role role = role_of(family, unit, subchannel);
    uint32_t preset = 0;
    for (unsigned i = 0; i < CHIP_MAX_CLASSES && chip->classes[i] && role != ROLE_NONE; i++)
        if (kind_of_class(family, unit, chip->classes[i])->role == role)
            preset = chip->classes[i];
    return preset;
}
