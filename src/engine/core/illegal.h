/* SPDX-License-Identifier: MIT */
/*
 * Methods that a class does not have.
 *
 * PGRAPH of NV1 to NV4x knows the methods of each class (classes/method_list.h) and refuses all others: INVALID_METHOD
 * on NV1 and NV3, ILLEGAL_MTHD on NV4 and later. No bit of DEBUG_3 switches this off. It also refuses some methods that
 * it knows:
 *
 *   PM_TRIGGER (NV10-)               unless DEBUG_3 bit 15 is set, or the class is one of Rankine's
 *   flips of Kelvin (0x120 .. 0x12c) unless DEBUG_3 bit 25 is set
 *   0x410, 0x414 of NV3's scaled     unless the object's colour format is YUV420 (engine/graph/nv4.c)
 *   images from memory
 *   those that hardware never had    MISSING_HW, an interrupt of its own (NV4-)
 *
 * NV4 also refuses binds of context objects and OPERATION: its driver does them (driver/nv4_binds.c).
 *
 * A class that NV4 to NV1F do not have has no method at all.
 *
 * On G80 and later, for other units than PGRAPH, and for classes without a list, nothing is refused here. The only
 * exception is a method that is known to be the kernel's (SET_SHADER_EXCEPTIONS of 3D and compute classes on GF100 and
 * later). docs/unknown-methods.md says why.
 *
 * Not modelled: NOTIFY and WAIT_FOR_IDLE of objects that are synchronous, which are refused, too (NV10-, DEBUG_3 bit 12
 * or a bit of the object).
 * Sources: envytools hwtest/pgraph_mthd.cc, pgraph_mthd.h, pgraph_mthd_misc.cc, pgraph_mthd_invalid.cc,
 * pgraph_class_*.cc, nv04_pgraph.cc; nouveau nvkm/engine/gr/nv04.c, nv10.c (methods that the driver completes).
 */
#ifndef PFIFO_SRC_ENGINE_CORE_ILLEGAL_H
#define PFIFO_SRC_ENGINE_CORE_ILLEGAL_H

#include "classes/method_list.h"
#include "engine/core/action.h"

/* Add the methods that a class refuses to an index. They replace the actions of its kind. */
void illegal_add(struct action_index *index, const struct engine_family *family, const struct method_list *list);

/* GF100 and later: the same for methods that are left to the kernel. */
void illegal_add_kernel_methods(struct action_index *index);

#endif
