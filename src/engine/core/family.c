/* SPDX-License-Identifier: MIT */
#include "engine/core/family.h"

#include "engine/core/kinds.h"
#include "engine/macro/macro.h"
#include "engine/sync/counters.h"
#include "engine/twod/nv4_state.h"

static const struct engine_family families[] = {
    {.chips = "NV1:NV4", .words = ENGINE_MAX_WORDS / 2, .classes = &classes_nv1},
    {.chips = "NV4:G80",
     .words = ENGINE_MAX_WORDS / 2,
     .classes = &classes_nv4,
     .mpeg_binds_by_driver = true,
     .shared = {&nv4_state_shared, &counters_shared}},
    {.chips = "G80:GF100",
     .words = ENGINE_MAX_WORDS / 2,
     .classes = &classes_nv4,
     .shared = {&nv4_state_shared, &counters_shared}},
    {.chips = "GF100:GK104",
     .words = ENGINE_MAX_WORDS,
     .classes = &classes_gf100,
     .software_class = 0x6e,
     .leaves_to_kernel = true,
     .checks_classes = true,
     .shared = {&macro_shared, &counters_shared}},
    {.chips = "GK104-",
     .words = ENGINE_MAX_WORDS,
     .classes = &classes_gf100,
     .software_class = 0x6e,
     .subchannels_have_roles = true,
     .leaves_to_kernel = true,
     .checks_classes = true,
     .shared = {&macro_shared, &counters_shared}},
};

const struct engine_family *engine_family_of(const struct pfifo_chip *chip) {
    return CHIP_ROW(chip, families);
}
