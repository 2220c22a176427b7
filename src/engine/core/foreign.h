/* SPDX-License-Identifier: MIT */
/*
 * Classes that a chip does not have.
 *
 * PGRAPH raises an interrupt when such a class is bound. Which bits it shows on which chip is not documented for all of
 * them, so the model keeps the object like any other and reports the class once per channel (engine.foreign_class).
 * On GF100 and later they are known, ILLEGAL_CLASS of INTR: it is raised for a class that no chip has. UNKNOWN: which
 * of the other chips' classes PGRAPH of a chip takes, as the tables may not list all that it has; chosen: all. UNKNOWN:
 * what is on the subchannel after an ILLEGAL_CLASS; chosen: the object.
 *
 * Sources: envytools rnndb/graph/gf100_pgraph/pgraph.xml; nouveau nvkm/engine/gr/gf100.c.
 */
#ifndef PFIFO_SRC_ENGINE_CORE_FOREIGN_H
#define PFIFO_SRC_ENGINE_CORE_FOREIGN_H

#include "chip/chip.h"

/* True if no source says that `chip` has `object_class`. */
bool class_is_foreign(const struct pfifo_chip *chip, uint32_t object_class);

/* True if no source says of any chip that it has `object_class`. */
bool class_is_nobodys(uint32_t object_class);

#endif
