/* SPDX-License-Identifier: MIT */
/*
 * Names of the errors that units show as a number or as bits, and what they mean: those that logs of nouveau have.
 *
 * There is no other place for them. Events have them from here when a unit refuses something, the handlers of
 * interrupts when they read its registers, and pfifo/error_code.h lists them.
 */
#ifndef PFIFO_SRC_UNIT_ERROR_NAMES_H
#define PFIFO_SRC_UNIT_ERROR_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "chip/chip.h"

struct error_name {
    uint32_t code; /* a number, or a mask */
    const char *name;
    const char *text; /* NULL: the sources have only the name */
};

struct error_names {
    const char *unit, *where, *chips;
    const struct error_name *rows; /* of bits: the one that names several bits comes first */
    size_t count;
    bool bits;
    const char *otherwise; /* the name of what has none */
    const char *source;
};

/* PFIFO before GF100. */
extern const struct error_names errors_cache, errors_pusher, errors_semaphore_nv1a, errors_semaphore_g80,
    errors_mmu_g80;
/* GF100 and later: a PBDMA, its part for copy engines, the MMU. */
extern const struct error_names errors_pbdma, errors_pbdma_copy, errors_pbdma_context;
extern const struct error_names errors_mmu_gf100, errors_mmu, errors_mmu_gv100;
/* PGRAPH. */
extern const struct error_names errors_graph_invalid, errors_graph_nv1, errors_graph_dma, errors_graph_source,
    errors_graph_interrupt, errors_graph_data;
/* What the units of PGRAPH say when they trap: G80 to MCP89; GF100 and later. */
extern const struct error_names errors_prop_g80, errors_mp_exec, errors_mp_g80, errors_texture_g80, errors_m2mf_g80;
extern const struct error_names errors_fetch_g80, errors_strmout_g80, errors_ccache_g80;
extern const struct error_names errors_dispatch, errors_m2mf, errors_ccache, errors_unk6, errors_macro, errors_sked,
    errors_prop;
/* Interrupts of PGRAPH that name no error by themselves: what a kernel's log has, and no handler here reports. */
extern const struct error_names errors_graph_other, errors_graph_other_g80, errors_graph_other_gf100;
/* The scheduler of runlists, the L2 cache. */
extern const struct error_names errors_sched, errors_bind, errors_ltc;
/* The other engines. */
extern const struct error_names errors_copy, errors_falcon, errors_sec;

/* Units of PGRAPH that trap, G80 and later: their bits of TRAP. */
struct error_trap {
    const char *chips;
    uint8_t bit;
    const char *name;
};
extern const struct error_trap error_traps[];
extern const size_t error_trap_count;
/* The name of one; NULL: it has none. */
const char *error_trap_name(const struct pfifo_chip *chip, unsigned bit);

/* What is in no table, since one bit is all that their units show. */
#define ERROR_MISSING_HW "MISSING_HW"    /* PGRAPH, NV4 .. NV4x: a bit of INTR */
#define ERROR_TRAP       "TRAP"          /* PGRAPH, G80 and later: a unit that has no name */
#define ERROR_MPEG       "METHOD"        /* PMPEG */
#define ERROR_CIPHER     "INVALID_STATE" /* PCIPHER */
#define ERROR_ACCESS     "FAULT"         /* falcons, PCIPHER: an access failed */

/* The name of a number, or of the first row with a bit of it. */
const char *error_name(const struct error_names *names, uint32_t value);

#endif
