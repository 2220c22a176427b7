/* SPDX-License-Identifier: MIT */
/*
 * Which methods a class has on NV1 to NV4x, as PGRAPH checks it.
 *
 *   row {"NV5:G80", "001f 005f 0061", "184-19c 2fc"}: on these chips these classes have, besides what other rows say,
 *   the methods 0x184 to 0x19c and 0x2fc
 *
 * The names in data/ *.txt cannot answer this: a method may exist without a documented name, and a name may belong to
 * another chip or to the kernel. These lists have the methods that hardware accepted; all others of the class were
 * tried on each chip, and refused.
 *
 * On NV1 and NV3 the classes are those of the object types; 0xff00 + n is type n, where no such type exists.
 *
 * The rows are in method_list_rows.c; generate_lists.c turns their texts into ranges when the library is built.
 *
 * A class that NV4 to NV1F lack is in a row without methods: PGRAPH refuses them all.
 *
 * 3D classes of Kelvin, Rankine and Curie do not take all of their methods between BEGIN and END of a primitive: some
 * are refused there, and some are ignored, as OpenGL has it for most of its state.
 *
 * UNKNOWN: what classes have that are in no row (from G80 on, and what NV20 to NV4x do not have); nobody asks.
 * Sources: envytools hwtest/pgraph.cc (which class which chip has), pgraph_class_*.cc, pgraph_mthd.cc and
 * pgraph_mthd_invalid.cc (that the others are refused), nv04_pgraph.cc (classes that NV4 to NV1F lack),
 * pgraph_class_kelvin.cc (what is taken between BEGIN and END).
 */
#ifndef CLASSES_METHOD_LIST_H
#define CLASSES_METHOD_LIST_H

#include "chip/chip.h"

enum { METHOD_LIST_WORDS = 0x2000 / 4 }; /* of a method window before GF100 */

/* A bit per method. */
struct method_list {
    uint64_t exists[METHOD_LIST_WORDS / 64];
    uint64_t missing_hw[METHOD_LIST_WORDS / 64]; /* of those: known to PGRAPH, and always passed to the driver, */
    uint64_t by_driver[METHOD_LIST_WORDS / 64];  /* or unknown to PGRAPH, and executed by the driver (NV4) */
    /* Between BEGIN and END: they raise an error, or have no effect. */
    uint64_t refused_inside[METHOD_LIST_WORDS / 64], ignored_inside[METHOD_LIST_WORDS / 64];
};

/* The methods of a class on a chip, none if the chip lacks it. False: no source says, and `list` is empty. */
bool method_list_of(const struct pfifo_chip *chip, uint32_t object_class, struct method_list *list);

/* Is there nothing beside method 0, which is the object itself? */
bool method_list_is_empty(const struct method_list *list);

static inline bool method_list_has(const uint64_t *bits, uint32_t method) {
    uint32_t word = method >> 2;
    return word < METHOD_LIST_WORDS && (bits[word >> 6] >> (word & 63) & 1);
}

#endif
