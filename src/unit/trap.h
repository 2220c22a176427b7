/* SPDX-License-Identifier: MIT */
/*
 * What an engine reports to its unit: interrupts, and refused methods with the reason.
 *
 * The unit shows it in its registers: unit/graph/graph.h for PGRAPH, unit/simple.h for the others.
 */
#ifndef PFIFO_SRC_UNIT_TRAP_H
#define PFIFO_SRC_UNIT_TRAP_H

#include <stdbool.h>
#include <stdint.h>

#include "memory/address_space.h"
#include "unit/error.h"

/* Reasons for interrupts that are not errors. */
enum unit_cause {
    CAUSE_NOTIFY,        /* a notifier was written with a wake-up request */
    CAUSE_BUFFER_NOTIFY, /* a launch of M2MF, or of inline data */
    CAUSE_QUERY,         /* a report or semaphore was written */
    CAUSE_SYNC,          /* a report whose operation is TRAP */
    CAUSE_BLOCKING,      /* LAUNCH_DMA: the copy engine waits for the acknowledgement */
};

/*
 * The purpose of an engine's access. Before Fermi each has a DMA slot of its own in the record of a fault and, in
 * PGRAPH, a unit that traps.
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
    USE_PROGRAM, /* instructions and headers */
    USE_VERTEX,
    USE_INDEX,
    USE_TEXTURE,
    USE_SHADER,   /* loads and stores of programs */
    USE_FEEDBACK, /* transform feedback */
    USE_ZETA,
    USE_COLOR, /* of the first target; the others follow */
    UNIT_USES = USE_COLOR + 8,
};

/* The position of a macro. */
struct unit_macro_state {
    uint32_t reg[8], opcode, pc, next_pc, state;
};

/* What a shader processor of GF100 and later shows. */
struct unit_shader_error {
    uint32_t warp;      /* the number of the error, */
    uint32_t processor; /* or bits, or both; unit_shader_error_name() */
    uint32_t pc;        /* of the instruction, from the beginning of the program region */
};

/* A method that a unit refused, or that failed. */
struct unit_trap {
    enum engine_error error;
    uint32_t subchannel, method, data, object_class;
    uint32_t instance;                    /* of the object, in units of 16 bytes; 0: unknown */
    uint16_t classes[8];                  /* on the subchannels */
    const struct unit_macro_state *macro; /* of the method, NULL: none */
    struct unit_shader_error shader;      /* ENGINE_ERROR_SHADER */
    /* ENGINE_ERROR_ACCESS */
    enum unit_use use;
    uint64_t address; /* its address, */
    uint32_t object;  /* DMA object, 0: not shown */
    enum fault_reason reason;
    bool write;
    /* ENGINE_ERROR_GIVEN: the numbers before G80, later. */
    uint32_t nsource, code;
};

#endif
