/* SPDX-License-Identifier: MIT */
/*
 * What an engine tells the unit in which it sits: that it interrupts, and which method it refused and why.
 *
 * The unit shows it in its registers: unit/graph/graph.h for PGRAPH, unit/unit.h for the others.
 */
#ifndef PFIFO_SRC_UNIT_TRAP_H
#define PFIFO_SRC_UNIT_TRAP_H

#include <stdbool.h>
#include <stdint.h>

/* Why a unit interrupts although nothing is wrong. */
enum unit_cause {
    CAUSE_NOTIFY,        /* a notifier was written, a program wants to be woken */
    CAUSE_BUFFER_NOTIFY, /* a launch of M2MF, or of inline data */
    CAUSE_QUERY,         /* a report or semaphore was written */
    CAUSE_SYNC,          /* a report whose operation is TRAP */
    CAUSE_BLOCKING,      /* LAUNCH_DMA: the copy engine waits until it is acknowledged */
};

/*
 * What an access of an engine was for: before Fermi each has a DMA slot of its own in the record of a fault, and PGRAPH
 * a unit that traps.
 */
enum unit_use {
    USE_OTHER,
    USE_NOTIFIER,
    USE_BUFFER_NOTIFIER, /* of M2MF */
    USE_QUERY,
    USE_CONDITION,
    USE_COPY_IN,
    USE_COPY_OUT,
    USE_2D_SOURCE,
    USE_2D_DESTINATION,
    USE_CONSTANTS,
    USE_ZETA,
    USE_COLOR, /* of the first target; the others are behind it */
    UNIT_USES = USE_COLOR + 8,
};

/* Where a macro was. */
struct unit_macro_state {
    uint32_t reg[8], opcode, pc, next_pc, state;
};

/*
 * A method that a unit refused, or that failed, and why, in the numbers of every generation: registers take what they
 * have.
 */
struct unit_trap {
    uint32_t subchannel, method, data, object_class;
    uint32_t instance;       /* of the object */
    uint16_t classes[8];     /* on the subchannels */
    uint32_t invalid;        /* NV1, NV3: bits of INVALID, */
    uint32_t nv1_intr;       /* or bits of INTR, */
    uint32_t dma_intr;       /* NV3: or bits of DMA_INTR */
    uint32_t nsource;        /* NV4:G80, */
    bool missing_hw;         /* or this bit of INTR */
    uint32_t intr;           /* G80-: bits of INTR */
    uint32_t data_error;     /* G80-: code */
    uint32_t unit, status;   /* G80-, with TRAP: enum graph_unit, and bits of its own register */
    uint32_t launch_error;   /* copy engines from GK104 on */
    uint32_t dispatch_error; /* units with a falcon */
    enum unit_use use;       /* G80:GF100, of an access that faulted; */
    uint64_t address;        /* where that was, */
    uint32_t object;         /* in which DMA object, if that shows, */
    uint32_t misc;           /* and bits of DISPATCH_MISC */
    const struct unit_macro_state *macro;
};

#endif
