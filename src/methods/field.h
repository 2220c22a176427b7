/* SPDX-License-Identifier: MIT */
/*
 * Fields of methods and structures, by their names in the generated headers of this folder, as methods/gf100_3d.h.
 * src/classes/generate_methods.c says how names are made.
 *
 *   METHOD_FIELD(call->data, GF100_3D_CLEAR_SURFACE_MRT_SELECT)
 */
#ifndef METHODS_FIELD_H
#define METHODS_FIELD_H

#include <stdint.h>

/* The field `name` of a method's word. */
#define METHOD_FIELD(word, name) ((word) >> name##__SHIFT & (name##__MASK >> name##__SHIFT))

/* A word with `value` in the field, and 0 elsewhere. */
#define METHOD_PUT(name, value) ((uint32_t)(value) << name##__SHIFT & name##__MASK)

/* An initialiser of what describes a field of a structure: the first bit, and how many there are. */
#define STRUCTURE_BITS(name)                                                                                           \
    { name##__LOW, name##__BITS }

#endif
