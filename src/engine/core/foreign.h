/* SPDX-License-Identifier: MIT */
/*
 * Classes that a chip does not have.
 *
 * PGRAPH raises an interrupt when such a class is bound. Which bits it shows on which chip is not documented for all of
 * them, so the model keeps the object like any other and reports the class once per channel (engine.foreign_class).
 */
#ifndef PFIFO_SRC_ENGINE_CORE_FOREIGN_H
#define PFIFO_SRC_ENGINE_CORE_FOREIGN_H

#include "chip/chip.h"

/* True if no source says that `chip` has `object_class`. */
bool class_is_foreign(const struct pfifo_chip *chip, uint32_t object_class);

#endif
