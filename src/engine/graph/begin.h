/* SPDX-License-Identifier: MIT */
/*
 * BEGIN and END of a primitive on Kelvin, Rankine and Curie: what state a draw needs.
 *
 *   BEGIN      state that does not fit together, or is not there: STATE_INVALID, and nothing has begun
 *              a primitive is being drawn: INVALID_OPERATION (bit 18 of NSOURCE)
 *   inside     core/inside.h: methods that are refused or ignored until END
 *   arrays     vertices and indices out of a DMA object that is not bound: DMA_VTX_PROTECTION
 *
 * The state is a table for each generation (begin_kelvin.c, begin_curie.c): a row is a combination of fields that is
 * invalid. STATE_INVALID is raised only while STATE_CHECK of DEBUG_3 is set, as it is after reset; else the draw begins.
 *
 * UNKNOWN: BEGIN itself, which hwtest has not tried. Chosen: it checks what BEGIN_PATCH of Kelvin checks, which was
 * tried. UNKNOWN: the check of Rankine and Curie; chosen: the targets, and the objects of textures, as on Kelvin.
 * nouveau switches the check off on these (DEBUG_3 of NV3x and NV4x). UNKNOWN: a BEGIN inside; chosen: it is refused as
 * state is. UNKNOWN: an END without BEGIN, and vertices outside; chosen: nothing happens, as xemu has both. UNKNOWN:
 * arrays without an object; chosen: the error that has its name.
 *
 * Not modelled: patches (0x1de0 .. 0x1e1c); limits of the objects that arrays are in; an object that is unbound between
 * BEGIN and END, if both were bound at BEGIN.
 * Sources: envytools hwtest/pgraph_class_kelvin.cc (the check of BEGIN_PATCH), pgraph_class_surf.cc (what formats are
 * in PGRAPH); nouveau nvkm/engine/gr/nv20.c, nv30.c, nv40.c (DEBUG_3, DMA_VTX_PROTECTION); xemu
 * hw/xbox/nv2a/pgraph/pgraph.c (SET_BEGIN_END); nxdk lib/pbkit/outer.h (NSOURCE of NV2A).
 */
#ifndef PFIFO_SRC_ENGINE_GRAPH_BEGIN_H
#define PFIFO_SRC_ENGINE_GRAPH_BEGIN_H

#include "engine/core/action.h"
#include "engine/core/private.h"

#define BEGIN_TERMS 5

enum begin_test {
    BEGIN_NO_TERM,
    BEGIN_IN,      /* the field has one of these values, */
    BEGIN_NOT_IN,  /* or none of them; */
    BEGIN_NO_DMA,  /* the method has no DMA object, or a NULL object; */
    BEGIN_NOT_SET, /* all of the method is 0, which no valid value of it is; */
    BEGIN_SAME,    /* the same field of another method has the same value */
};

struct begin_term {
    enum begin_test test;
    uint16_t method, other;
    uint8_t stride; /* of an array, one element per texture unit or combiner */
    uint8_t shift;
    uint32_t mask;
    uint64_t values[2]; /* a bit each */
};

/* Invalid if all terms are true. */
struct begin_rule {
    uint16_t state; /* the method that is to blame; 0 ends a list */
    uint8_t stride, count;
    const char *why;
    struct begin_term term[BEGIN_TERMS];
};

/* Where vertices come from. */
struct begin_arrays {
    uint16_t format, offset; /* arrays of 16 methods */
    uint32_t size;           /* bits of the format; 0: the array is off */
    uint16_t object[2];      /* by bit 31 of the offset */
};

struct begin_traits {
    const struct begin_rule *rules;
    struct begin_arrays arrays;
    uint16_t index_format; /* of the index buffer, by whose bit 0 the object is chosen; 0: there is none */
    bool has_condition;    /* conditional rendering, 0x1e98 */
};

extern const struct begin_traits begin_kelvin, begin_rankine, begin_curie;

/* What a kind keeps of it: kind->private. */
#define BEGIN_PRIVATE                                                                                                  \
    { .bytes = 8, .state = begin_state }
void begin_state(void *state, const struct private_owner *owner, struct state_io *io);

/* Actions with one of the traits as argument: BEGIN and END; draws from arrays, and with indices in memory. */
enum action_result begin_end(struct call *call);
enum action_result begin_draws(struct call *call);
enum action_result begin_draws_indexed(struct call *call);
uint32_t begin_absorbs(struct object *object, const uint32_t *data, uint32_t count);

#define BEGIN_ROW(method_, traits)                                                                                     \
    { .method = (method_), .type = ACTION_EFFECT, .run = begin_end, .argument = &(traits) }
#define BEGIN_DRAWS(method_, traits, how)                                                                              \
    { .method = (method_), .type = ACTION_EFFECT, .run = (how), .absorb = begin_absorbs, .argument = &(traits) }

#endif
