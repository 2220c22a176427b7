/* SPDX-License-Identifier: MIT */
/*
 * Private state: memory that belongs to one unit of the engine. The core makes, saves, loads and frees it; only its
 * owner knows what is in it. Its size is the owner's choice, and it may contain pointers to memory of its own.
 *
 *   of an object    kind->private   what its class needs besides the values of methods: object_private()
 *                   kind->parts     what several classes have in common, such as words that wait (words.h), inline
 *                                   launches (copy/inline.h), constant buffers (graph/constants.h): object_part()
 *   of a channel    family->shared  what all objects of a channel share, such as 2D state (twod/nv4_state.h) or the
 *                                   macro processor (macro/macro.h): channel_shared()
 *
 * For example, a class that carries a large buffer:
 *
 *   struct pipeline {
 *       uint32_t count, *vertex;
 *   };
 *   static bool pipeline_init(void *state, const struct private_owner *owner) {
 *       struct pipeline *p = state;
 *       p->vertex = calloc(PIPELINE_MOST, sizeof p->vertex[0]);
 *       return p->vertex != NULL;
 *   }
 *   static void pipeline_state(void *state, const struct private_owner *owner, struct state_io *io) {
 *       struct pipeline *p = state;
 *       p->count = state_count(io, p->count, PIPELINE_MOST, "vertices");
 *       for (uint32_t i = 0; i < p->count && state_good(io); i++)
 *           state_u32(io, &p->vertex[i]);
 *   }
 *   static void pipeline_free(void *state) {
 *       free(((struct pipeline *)state)->vertex);
 *   }
 *   const struct kind kind_example = {.name = "example",
 *                                     .private = {.bytes = sizeof(struct pipeline),
 *                                                 .init = pipeline_init,
 *                                                 .state = pipeline_state,
 *                                                 .free = pipeline_free}};
 */
#ifndef PFIFO_SRC_ENGINE_CORE_PRIVATE_H
#define PFIFO_SRC_ENGINE_CORE_PRIVATE_H

#include "state/state.h"

struct channel_state;
struct engine;
struct object;

/* Whose state it is. */
struct private_owner {
    const struct engine *engine;
    const struct channel_state *channel;
    struct object *object; /* NULL: state of a channel */
};

struct private_state {
    uint32_t bytes; /* 0: there is none; a multiple of 4 if `state` is NULL */
    bool eager;     /* of a channel: made together with it; otherwise when it is first asked for */
    /*
     * Finish a new state, whose bytes are 0. NULL: zeros will do. False: no memory; then what it had allocated is its
     * own to free.
     */
    bool (*init)(void *state, const struct private_owner *owner);
    /*
     * Save or load: it lists the fields once for both directions, see state/state.h. What is loaded may be anything,
     * and the state that it is loaded into is a new one. NULL: the state is 32-bit words, and any values will do.
     */
    void (*state)(void *state, const struct private_owner *owner, struct state_io *io);
    /* Free what the state points to, not the state itself. NULL: nothing. */
    void (*free)(void *state);
};

/* Make a state in zeroed memory; end one; save or load one. */
bool private_init(const struct private_state *type, void *state, const struct private_owner *owner);
void private_free(const struct private_state *type, void *state);
void private_save_or_load(const struct private_state *type, void *state, const struct private_owner *owner,
                          struct state_io *io);

#endif
