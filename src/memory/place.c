/* SPDX-License-Identifier: MIT */
#include "memory/translate.h"

struct memory_place memory_place_of(const struct address_space *space, uint64_t address) {
    struct memory_place place = {MEMORY_PLACE_VIRTUAL, address + space->offset};

    if (space->ops == space_nv4_paged) {
        place.space = space->base;
    } else if (space->ops == space_gart) {
        place.space = 1u + MEMORY_SYSTEM;
    } else if (space->ops == space_nv4_linear || space->ops == space_g80_unpaged || space->ops == space_physical) {
        place.space = 1u + space->target;
        place.address += space->base;
    }
    return place;
}
