/* SPDX-License-Identifier: MIT */
/*
 * What the methods of a 3D object of Fermi to Pascal say, for vertices, clipping, raster and pixels: decoded as a whole
 * when something has changed. Program headers belong to it, since they say what programs read and write.
 *
 * Not modelled: clip ids, target-independent raster, conservative raster, coverage to colour, blend equations beyond
 *               OpenGL's and D3D's common ones, forced sample positions by depth (0xfb0).
 * Sources: NVIDIA open-gpu-doc classes/3d/cl9097.h .. clc197.h, Shader-Program-Header; envytools
 * rnndb/graph/gf100_3d.xml; Mesa src/gallium/drivers/nouveau/nvc0.
 */
#ifndef PFIFO_SRC_ENGINE_DRAW_STATE_GF100_H
#define PFIFO_SRC_ENGINE_DRAW_STATE_GF100_H

#include "engine/draw/clip.h"
#include "engine/draw/vertex.h"
#include "isa/shader/isa.h"

#define STAGES       6u /* slots of programs */
#define HEADER_WORDS 20u

enum stage { STAGE_VERTEX_A, STAGE_VERTEX, STAGE_CONTROL, STAGE_EVALUATION, STAGE_GEOMETRY, STAGE_FRAGMENT };

/* What differs between classes. */
struct front_class {
    uint16_t first, last; /* object classes */
    const struct isa *isa;
    bool handles;         /* textures by handles, not slots */
    bool cube_faces;      /* a method says what is beyond the edges of cubes, not samplers */
    bool inline_vertices; /* VERTEX_DATA */
    bool sample_places;   /* positions of samples are methods */
    bool swizzles;        /* viewports have them */
    bool mask_before_z;   /* the register of the sample mask is there whenever depth is written */
    bool maxwell_headers; /* of textures, always */
    bool maxwell_choice;  /* ... by method */
};

/* NULL: drawing is not modelled for the class. */
const struct front_class *front_class_of(uint32_t object_class);

struct front_stage {
    bool enabled;
    uint8_t group;  /* of constant buffers */
    uint32_t start; /* of the header in the program region */
    bool known;     /* the header has been read */
    uint32_t header[HEADER_WORDS];
};

struct front_state {
    struct draw_state draw;
    struct clip clip;
    struct vertex_streams streams;
    struct vertex_attribute attribute[VERTEX_ATTRIBUTES];
    uint64_t code; /* the program region */
    struct front_stage stage[STAGES];
    uint32_t defaults[DRAW_ATTRIBUTES]; /* of attributes that the last vertex stage does not write */
    bool shader_point_size, shader_layer, layer_plus_viewport;
    uint32_t layer;
    bool clamp_colors; /* of vertices */
    bool provoking_last;
    uint8_t swizzle[DRAW_VIEWPORTS][4];
    bool swizzled;
    uint8_t texture_bank;
    bool linked_samplers;
    uint8_t cube_faces;
    uint64_t headers, samplers; /* pools */
    uint32_t most_header, most_sampler;
    bool maxwell_headers;
};

/* Where a state comes from. */
struct front_source {
    const struct front_class *of;
    const uint32_t *value; /* of methods, by their number / 4 */
    struct address_space space;
    enum gob_order order;
};

/* Headers of programs are read later: front_state_header(). */
void front_state_decode(struct front_state *state, const struct front_source *source);

/* A program's header is known: of the fragment program, what it reads and writes follows. */
void front_state_header(struct front_state *state, const struct front_source *source, unsigned stage,
                        const uint32_t header[HEADER_WORDS]);

/* Does the last vertex stage write this word of the attribute space? */
bool front_state_writes(const struct front_state *state, unsigned word);

/* ---- between the files of the state ---- */

void front_state_pixels(struct front_state *state, const struct front_source *source); /* state_gf100_pixels.c */

/* Codes of OpenGL and of D3D. */
uint8_t front_compare(uint32_t code);

static inline float front_float(const struct front_source *source, uint32_t method) {
    union {
        uint32_t u;
        float f;
    } bits = {source->value[method >> 2]};
    return bits.f;
}

#endif
