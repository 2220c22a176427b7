/* SPDX-License-Identifier: MIT */
/* What the built-in engines of a generation have in common: a row per range of chips. */
#ifndef PFIFO_SRC_ENGINE_CORE_FAMILY_H
#define PFIFO_SRC_ENGINE_CORE_FAMILY_H

#include "chip/chip.h"
#include "engine/core/private.h"

#include "unit/error.h"

#define ENGINE_SHARED 3 /* states of a channel, at most */

struct action;
struct call;
struct class_table; /* which class is of which kind (kinds.h) */
struct pfifo_channel_context;

/* The macro processor of a channel (macro/macro.h). */
struct engine_macros {
    const struct private_state *shared; /* of a channel */
    /*
     * A method that comes while a macro of the channel is under way (state->macro_runs): does it belong to the call? If
     * not, the macro has been ended with an error. NULL: it is not a method of an object.
     */
    bool (*takes)(struct engine *engine, const struct pfifo_channel_context *channel, const struct object *object,
                  uint32_t method);
    /* Is the macro of a channel in the middle of its own work, so that the engine is busy? */
    bool (*works)(const struct engine *engine, const struct channel_state *channel);
};

/* Notifiers that are due after the next method (sync/notify.h). */
struct engine_notifiers {
    /* True for methods that a pending NOTIFY does not fire after. call->action: NULL if the method has none. */
    bool (*ignores)(const struct call *call);
    /* The method that a NOTIFY waited for is done. */
    void (*fire)(const struct call *call);
};

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
    const struct engine_macros *macros;                /* NULL: there are none */
    const struct engine_notifiers *notifiers;          /* which NOTIFY asks for */
    const struct action *no_method;                    /* of methods that a class lacks; NULL: they are just refused */
    const uint16_t *dma_methods; /* by enum unit_use: the method that has the DMA object of an access, 0: none has */
    /* Another subchannel is used: forget the state of the channel that is volatile on NV10 and later. NULL: nothing. */
    void (*leave)(const struct engine *engine, struct channel_state *state);
};

#endif
