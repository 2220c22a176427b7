/* SPDX-License-Identifier: MIT */
/*
 * The errors of engines, in one enumeration for all generations. A unit shows an error as its generation does:
 *
 *   PGRAPH   graph/graph_error_nv1.c INVALID, INTR, DMA_INTR; graph_error_nv4.c NSOURCE; graph_error_g80.c INTR,
 *            DATA_ERROR, TRAP
 *   others   simple.c: LAUNCHERR of copy engines, the codes of the firmware of falcons, FIFO_ERR of PMPEG
 */
#ifndef PFIFO_SRC_UNIT_ERROR_H
#define PFIFO_SRC_UNIT_ERROR_H

#include <stdint.h>

enum engine_error {
    ENGINE_ERROR_ILLEGAL_METHOD,
    ENGINE_ERROR_ILLEGAL_CLASS, /* GF100-: PGRAPH does not have the class that method 0 binds */
    ENGINE_ERROR_MISSING_HW,    /* NV4 .. NV4x: a method that is always left to the driver */
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
    ENGINE_ERROR_MISSING_METHOD, /* before G80: a launch before all its methods were set */
    ENGINE_ERROR_INVALID_STATE,  /* before G80: a value that the method needs was never set */
    ENGINE_ERROR_FORMAT,         /* before G80 */
    ENGINE_ERROR_DMA_LIMIT,      /* before G80: beyond the end of a DMA object */
    ENGINE_ERROR_DMA_PROTECTION, /* before G80: a DMA object that does not allow this access */
    ENGINE_ERROR_DMA_VERTEX,     /* before G80: the same, of vertices and indices */
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
    ENGINE_ERROR_COPY_NEG_PITCH_IN,  /* the same, with a negative pitch, */
    ENGINE_ERROR_COPY_PITCH_OUT,     /* lines of the destination, */
    ENGINE_ERROR_COPY_NEG_PITCH_OUT, /* the same, with a negative pitch, */
    ENGINE_ERROR_COPY_COMPONENT,     /* a component that the source does not have, */
    ENGINE_ERROR_COPY_VALUE,         /* a value without a meaning */
    ENGINE_ERROR_QMD_VERSION,        /* not a method of the class */
    ENGINE_ERROR_SKED_NO_THREADS,    /* in a block of a grid */
    ENGINE_ERROR_SKED_THREADS,       /* more than a block can have */
    ENGINE_ERROR_SKED_CONSTANTS,     /* a buffer of constants is too large */
    ENGINE_ERROR_SKED_LOCAL_LOW,     /* too much local memory for a thread, */
    ENGINE_ERROR_SKED_LOCAL_HIGH,    /* from the end of its window down, */
    ENGINE_ERROR_SKED_LOCAL_ALL,     /* for all threads of a block together */
    ENGINE_ERROR_SKED_SHARED,        /* too much shared memory */
    ENGINE_ERROR_SKED_REGISTERS,     /* too many for all threads of a block together */
    ENGINE_ERROR_SHADER,             /* GF100-: a program: see struct unit_trap */
    ENGINE_ERROR_ACCESS,             /* an access of the method faulted: see struct unit_trap */
    ENGINE_ERROR_UNKNOWN_ACCESS,     /* the same in an embedder's engine, without details */
    ENGINE_ERROR_CTXSW_NOTIFY,       /* NV3: another object was bound before a NOTIFY was due */
    ENGINE_ERROR_GIVEN,              /* an embedder's engine supplies the numbers that its unit shows */
    ENGINE_ERRORS,
};

/* The name in events: "ILLEGAL_MTHD". */
const char *unit_error_name(enum engine_error error);

/*
 * Errors of shader processors of GF100 and later: of a warp (one number), and of the processor (bits). Names and
 * numbers: nouveau engine/gr/gf100.c.
 */
#define UNIT_SHADER_TIMEOUT (1u << 31)
#define UNIT_SHADER_STACK   (1u << 3)
/* The name of the one or the other, as in "TIMEOUT". "": none. */
const char *unit_shader_error_name(uint32_t warp, uint32_t processor);

#endif
