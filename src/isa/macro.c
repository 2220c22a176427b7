/* SPDX-License-Identifier: MIT */
#include "isa/macro.h"

#include <assert.h>

#include "chip/chip.h"

const struct macro_isa *macro_isa_of(const struct pfifo_chip *chip) {
    assert(chip);
    return chip->has_mme64 ? &macro_isa_tu102 : &macro_isa_gf100;
}
