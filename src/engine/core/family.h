/* SPDX-License-Identifier: MIT */
/* What the built-in engines of a generation have in common: a row per range of chips. */
#ifndef PFIFO_SRC_ENGINE_CORE_FAMILY_H
#define PFIFO_SRC_ENGINE_CORE_FAMILY_H

#include "chip/chip.h"
#include "engine/core/private.h"

#define ENGINE_SHARED 2 /* states of a channel, at most */

struct class_table; /* which class is of which kind (kinds.c) */

struct engine_family {
    const char *chips;
    uint32_t words; /* of a class's method window, at most ENGINE_MAX_WORDS */
    const struct class_table *classes;
    /*
     * Low byte of the software class. PGRAPH refuses it, and the host takes it, where the subchannel may be the
     * driver's. 0: the host knows by itself.
     */
    uint8_t software_class;
    bool subchannels_have_roles;                       /* PGRAPH: see enum kind_role */
    bool leaves_to_kernel;                             /* PGRAPH: methods of illegal_add_kernel_methods() are refused */
    bool checks_classes;                               /* PGRAPH: a class that no chip has is refused (foreign.h) */
    bool mpeg_binds_by_driver;                         /* PMPEG refuses to bind DMA objects: its driver does */
    const struct private_state *shared[ENGINE_SHARED]; /* by the objects of a channel on PGRAPH; NULL ends the list */
};

const struct engine_family *engine_family_of(const struct pfifo_chip *chip);

#endif
