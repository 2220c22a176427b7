/* SPDX-License-Identifier: MIT */
/*
 * What engines refuse. A method that is refused has no effect but this: the unit keeps where it was (TRAPPED_ADDR,
 * TRAPPED_DATA) and why (NV1 and NV3 INVALID or INTR, NV4 .. NV4x bits of NSOURCE, G80 and later INTR, DATA_ERROR and
 * TRAP, copy engines LAUNCHERR, falcons what their firmware writes), interrupts the host, and takes no other method
 * until the driver has looked: see unit/graph/graph.h and unit/unit.h. A notifier that is due after such a
 * method, before GF100, gets an error status.
 *
 * Sources: envytools rnndb/g80_defs.xml, rnndb/graph/nv4_pgraph.xml, nv10_pgraph.xml, hwtest/pgraph_mthd_misc.cc;
 * nouveau nvkm/engine/gr/nv50.c, gf100.c, nv04.c, nvkm/engine/ce/gk104.c, gt215.c; NVIDIA cl0039.h (status of
 * notifiers).
 */
#ifndef PFIFO_SRC_ENGINE_CORE_ERROR_H
#define PFIFO_SRC_ENGINE_CORE_ERROR_H

#include "engine/core/action.h"

enum engine_error {
    ENGINE_ERROR_ILLEGAL_METHOD,
    ENGINE_ERROR_MISSING_HW, /* NV4 .. NV4x: a method that is always left to the driver */
    ENGINE_ERROR_INVALID_OPERATION,
    ENGINE_ERROR_INVALID_VALUE,
    ENGINE_ERROR_INVALID_ENUM,
    ENGINE_ERROR_INVALID_OBJECT,
    ENGINE_ERROR_READ_ONLY_OBJECT,
    ENGINE_ERROR_ADDRESS_ALIGNMENT,
    ENGINE_ERROR_INVALID_BITFIELD,
    ENGINE_ERROR_BEGIN_END_ACTIVE,
    ENGINE_ERROR_RT_ALIGNMENT,
    ENGINE_ERROR_M2MF_Z,         /* out of bounds */
    ENGINE_ERROR_M2MF_XY,        /* out of bounds */
    ENGINE_ERROR_M2MF_PITCH_IN,  /* line longer than the pitch */
    ENGINE_ERROR_M2MF_PITCH_OUT, /* the same */
    ENGINE_ERROR_2D_FORMAT,      /* format mismatch */
    ENGINE_ERROR_2D_OPERATION,   /* illegal for the destination's format */
    ENGINE_ERROR_2D_COMPONENT,   /* format mismatch, single component */
    ENGINE_ERROR_2D_PITCH,       /* unaligned */
    ENGINE_ERROR_MISSING_METHOD, /* before G80: a launch before all that it needs was set */
    ENGINE_ERROR_INVALID_STATE,  /* before G80: something that the method needs was never set */
    ENGINE_ERROR_FORMAT,         /* before G80 */
    ENGINE_ERROR_DMA_LIMIT,      /* before G80: beyond the end of a DMA object */
    ENGINE_ERROR_DMA_PROTECTION, /* before G80: a DMA object that must not be used so */
    ENGINE_ERROR_INVALID_NOTIFY,
    ENGINE_ERROR_DOUBLE_NOTIFY,
    ENGINE_ERROR_MACRO_TOO_FEW,  /* parameters */
    ENGINE_ERROR_MACRO_TOO_MANY, /* parameters */
    ENGINE_ERROR_MACRO_OPCODE,
    ENGINE_ERROR_MACRO_BRANCH, /* in a delay slot */
    ENGINE_ERROR_MACRO_TIMEOUT,
    ENGINE_ERROR_COPY_LAYER,         /* copy engines: beyond the depth, */
    ENGINE_ERROR_COPY_RECTANGLE,     /* beyond width or height, */
    ENGINE_ERROR_COPY_PITCH_IN,      /* lines of the source longer than its pitch, */
    ENGINE_ERROR_COPY_NEG_PITCH_IN,  /* the same, and it is negative, */
    ENGINE_ERROR_COPY_PITCH_OUT,     /* lines of the destination, */
    ENGINE_ERROR_COPY_NEG_PITCH_OUT, /* the same, and it is negative, */
    ENGINE_ERROR_COPY_COMPONENT,     /* a component that the source does not have, */
    ENGINE_ERROR_COPY_VALUE,         /* a value without a meaning */
    ENGINE_ERROR_QMD_VERSION,        /* not one of the class */
    ENGINE_ERROR_SKED_NO_THREADS,    /* in a block of a grid */
    ENGINE_ERROR_SKED_THREADS,       /* more than a block can have */
    ENGINE_ERRORS,
};

/* Refuse the method. Always ACTION_DONE, for `return call_error(...)`. */
enum action_result call_error(const struct call *call, enum engine_error error);

/* The same for a macro, and where it was: registers 0x404400 .. 0x40442c, 0x404494, 0x40449c. */
enum action_result call_macro_error(const struct call *call, enum engine_error error,
                                    const struct unit_macro_state *where);

/* How units before GF100 show an access of this method that faulted. */
struct unit_trap call_trap_of_fault(const struct call *call, enum unit_use use, const struct fault *fault);

#endif
