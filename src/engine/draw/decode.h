/* SPDX-License-Identifier: MIT */
/*
 * From the methods of a 3D object to the state of its draws. There is a decoder for each family of classes, with a
 * function for each group of the state; rows say which methods a group follows from.
 *
 *   values (values.h)   which groups have changed since the last draw
 *   draw_decode()       makes these anew
 *   draw_header()       a program's header has been read: what the fragment program reads and writes follows
 *
 * A group follows from the values of its methods, the class of the object, and what struct draw_source has besides. It
 * does not depend on other groups.
 */
#ifndef PFIFO_SRC_ENGINE_DRAW_DECODE_H
#define PFIFO_SRC_ENGINE_DRAW_DECODE_H

#include "engine/draw/state.h"
#include "isa/shader/isa.h"

struct draw_source;

/* Methods that groups follow from. */
struct draw_methods {
    uint16_t first;  /* byte offset; of a row without `groups`: the list ends */
    uint16_t count;  /* 0: one */
    uint16_t stride; /* bytes between them, 0: 4 */
    uint16_t groups; /* bit i: enum state_group */
};

typedef void draw_decode_group(struct draw_state *state, const struct draw_source *source);

struct draw_decoder {
    draw_decode_group *group[STATE_GROUPS]; /* each fills a struct that is 0 */
    void (*header)(struct draw_state *state, const struct draw_source *source, unsigned stage);
    const struct draw_methods *methods;
};

extern const struct draw_decoder draw_decoder_gf100;

/* What differs between classes. */
struct draw_class {
    uint16_t first, last; /* object classes */
    const struct draw_decoder *decoder;
    const struct isa *isa;
    bool handles;         /* textures by handles, not slots */
    bool cube_faces;      /* a method says what is beyond the edges of cubes, not samplers */
    bool inline_vertices; /* VERTEX_DATA */
    bool sample_places;   /* positions of samples are methods */
    bool swizzles;        /* viewports have them */
    bool mask_before_z;   /* the register of the sample mask is there whenever depth is written */
    bool maxwell_headers; /* of textures, always */
    bool maxwell_choice;  /* ... by method */
    bool iterates;        /* BEGIN can make a draw one of several instances */
};

/* NULL: drawing is not modelled for the class. */
const struct draw_class *draw_class_of(uint32_t object_class);

/* Where a state comes from. */
struct draw_source {
    const struct draw_class *of;
    const uint32_t *value; /* of methods, by their number / 4 */
    struct address_space space;
    enum gob_order order;
};

/* `groups`: bits of enum state_group. Headers of programs are read later, if STATE_STAGES is among them: */
void draw_decode(struct draw_state *state, const struct draw_source *source, unsigned groups);
void draw_header(struct draw_state *state, const struct draw_source *source, unsigned stage,
                 const uint32_t header[HEADER_WORDS]);

#endif
