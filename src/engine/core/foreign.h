/* SPDX-License-Identifier: MIT */
/*
 * Classes that a chip does not have.
 *
 * The model keeps the object like any other, and reports the class once per channel (engine.foreign_class). PGRAPH of
 * NV4 to NV1F takes the binding, and refuses each method of the object (illegal.h). PGRAPH of GF100 and later raises
 * ILLEGAL_CLASS when a class is bound that no chip has. UNKNOWN: what NV20 to MCP89 do with a class that they lack;
 * chosen: nothing. UNKNOWN: which of the other chips' classes PGRAPH of GF100 and later takes, as the tables may not
 * list all that it has; chosen: all. UNKNOWN: what is on the subchannel after an ILLEGAL_CLASS; chosen: the object.
 *
 * Sources: envytools rnndb/graph/gf100_pgraph/pgraph.xml, hwtest/nv04_pgraph.cc; nouveau nvkm/engine/gr/gf100.c.
 */
#ifndef PFIFO_SRC_ENGINE_CORE_FOREIGN_H
#define PFIFO_SRC_ENGINE_CORE_FOREIGN_H

#include "chip/chip.h"

/* True if no source says that `chip` has `object_class`. */
bool class_is_foreign(const struct pfifo_chip *chip, uint32_t object_class);

/* True if no source says of any chip that it has `object_class`. */
bool class_is_nobodys(uint32_t object_class);

#endif
