/* SPDX-License-Identifier: MIT */
/*
 * Methods that a class does not have.
 *
 * PGRAPH of NV1 to NV4x knows for each class which methods there are (classes/method_list.h), and refuses all others:
 * INVALID_METHOD on NV1 and NV3, ILLEGAL_MTHD from NV4 on. No bit of DEBUG_3 switches that off. Some that it knows
 * it refuses, too:
 *
 *   PM_TRIGGER (NV10-)               unless DEBUG_3 bit 15 is set, or the class is one of Rankine's
 *   flips of Kelvin (0x120 .. 0x12c) unless DEBUG_3 bit 25 is set
 *   those that hardware never had    MISSING_HW, an interrupt of its own (NV4-)
 *
 * NV4 leaves binds of context objects and OPERATION to its driver (driver/nv4_binds.c): they are among what it refuses.
 *
 * From G80 on, of units other than PGRAPH, and of classes without a list, nothing is refused here but what the kernel
 * is known to do (GF100-, 3D and compute: SET_SHADER_EXCEPTIONS): docs/unknown-methods.md says why.
 *
 * Not modelled: NOTIFY and WAIT_FOR_IDLE of objects that are synchronous, which are refused, too (NV10-, DEBUG_3 bit 12
 * or a bit of the object).
 * Sources: envytools hwtest/pgraph_mthd.cc, pgraph_mthd.h, pgraph_mthd_misc.cc, pgraph_mthd_invalid.cc,
 * pgraph_class_*.cc; nouveau nvkm/engine/gr/nv04.c, nv10.c (methods that the driver completes).
 */
#ifndef PFIFO_SRC_ENGINE_CORE_ILLEGAL_H
#define PFIFO_SRC_ENGINE_CORE_ILLEGAL_H

#include "classes/method_list.h"
#include "engine/core/action.h"

/* Put what a class refuses into an index, over the actions that its kind has for them. */
void illegal_add(struct action_index *index, const struct method_list *list);

/* GF100 and later: the same with what is left to the kernel, where nothing else is known. */
void illegal_add_kernel_methods(struct action_index *index);

#endif
