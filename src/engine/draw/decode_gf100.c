/* SPDX-License-Identifier: MIT */
/*
 * What the methods of a 3D object of Fermi to Pascal say. Here: vertices, programs, textures' pools, and which methods
 * groups follow from. The rest is in decode_gf100_raster.c and decode_gf100_pixels.c.
 *
 * Not modelled: clip ids, target-independent raster, conservative raster, coverage to colour, blend equations beyond
 *               OpenGL's and D3D's common ones, forced sample positions by depth (0xfb0).
 * Sources: NVIDIA open-gpu-doc classes/3d/cl9097.h .. clc197.h, Shader-Program-Header; envytools
 * rnndb/graph/gf100_3d.xml; Mesa src/gallium/drivers/nouveau/nvc0.
 */
#include "engine/draw/decode_gf100.h"

#include <string.h>

/* ---- vertices ---- */

static void decode_input(struct draw_state *state, const struct draw_source *source) {
    struct vertex_streams *streams = &state->input.streams;
    uint32_t replace = value(source, 0x161c);
    streams->base = address(source, 0x15f4);
    streams->substitute = address(source, 0xf84);
    streams->address_mask = 0xffffffffff;
    for (unsigned i = 0; i < VERTEX_STREAMS; i++) {
        uint32_t at = 0x1c00 + i * 16;
        streams->stream[i] = (struct vertex_stream){.stride = value(source, at) & 0xfff,
                                                    .enabled = value(source, at) >> 12 & 1,
                                                    .start = address(source, at + 4),
                                                    .divisor = value(source, at + 12),
                                                    .per_instance = flag(source, 0x1880 + i * 4),
                                                    .limit = address(source, 0x1f00 + i * 8)};
        vertex_attribute(&state->input.attribute[i], value(source, 0x1160 + i * 4));
    }
    state->input.replaces_id = replace & 1;
    state->input.id_word = (uint8_t)(replace >> 4);
}

static void decode_indices(struct draw_state *state, const struct draw_source *source) {
    struct draw_indices_state *indices = &state->indices;
    indices->start = address(source, 0x17c8);
    indices->limit = address(source, 0x17d0);
    indices->restarts = flag(source, 0x1644);
    indices->array_restarts = flag(source, 0xde8);
    indices->restart_index = value(source, 0x1648);
    indices->base_vertex = value(source, 0x1434);
    indices->base_instance = value(source, 0x1438);
    indices->id_base = value(source, 0x1118);
    indices->id_from_first = value(source, 0x164c) >> 12 & 1;
    indices->edge = flag(source, 0x15e4);
}

/* ---- programs ---- */

static void decode_stages(struct draw_state *state, const struct draw_source *source) {
    struct draw_stages_state *stages = &state->stages;
    uint32_t shading = value(source, 0x12d4);
    stages->code = address(source, 0x1608);
    for (unsigned i = 0; i < STAGES; i++) {
        uint32_t at = 0x2000 + i * 64;
        struct draw_stage_program *stage = &stages->stage[i];
        stage->enabled = flag(source, at);
        stage->start = value(source, at + 4);
        stage->registers = value(source, at + 12);
        stage->group = value(source, at + 16) & 7;
    }
    stages->program.flat_colors = shading == 1 || shading == 0x1d00;
    stages->texture_bank = value(source, 0x2608) & 31;
    stages->clamp_colors = flag(source, 0x2600);
    stages->feedback = flag(source, 0x744);
    stages->local_window = value(source, 0x77c);
    stages->counts = (uint16_t)value(source, 0xd68);
}

/* ---- program headers ---- */

static void add_input(struct draw_stages_state *stages, unsigned word, unsigned mode) {
    struct draw_program *program = &stages->program;
    struct draw_carried *carried = &stages->carried;
    if (!mode || program->input_count == DRAW_ATTRIBUTES)
        return;
    program->inputs[program->input_count++] = (struct draw_input){(uint8_t)word, (uint8_t)mode};
    carried->word[carried->count++] = (uint8_t)word;
    carried->linear[word] = mode == DRAW_LINEAR;
}

/* Bits of the header from `first` on: `bits` for each word of the attribute space from `word` on. */
static void add_inputs(struct draw_stages_state *stages, unsigned first, unsigned bits, unsigned word, unsigned count) {
    const uint32_t *header = stages->stage[STAGE_FRAGMENT].header;
    for (unsigned i = 0; i < count; i++) {
        unsigned bit = first + i * bits, code = header[bit / 32] >> bit % 32 & (bits == 2 ? 3 : 1);
        add_input(stages, word + i, bits == 2 ? code : code ? DRAW_PERSPECTIVE : DRAW_UNUSED);
    }
}

/* They take the place of the front colours, and vary as these do. */
static void add_back_colors(struct draw_stages_state *stages, bool two_sided) {
    struct draw_carried *carried = &stages->carried;
    for (unsigned i = 0; two_sided && i < 8; i++) {
        carried->word[carried->count++] = (uint8_t)(WORD_BACK + i);
        carried->linear[WORD_BACK + i] = carried->linear[WORD_COLORS + i];
    }
}

static void set_fragment(struct draw_stages_state *stages, const struct draw_source *source) {
    struct draw_program *program = &stages->program;
    const uint32_t *header = stages->stage[STAGE_FRAGMENT].header;
    const bool flat = program->flat_colors;
    uint32_t passes = value(source, 0x754) & 15;
    memset(program, 0, sizeof *program);
    memset(&stages->carried, 0, sizeof stages->carried);
    program->flat_colors = flat;
    program->present = true;
    add_inputs(stages, 192, 2, 0x20, 128); /* generic */
    add_inputs(stages, 448, 2, WORD_COLORS, 8);
    add_inputs(stages, 464, 1, 0xb0, 8);  /* clip distances */
    add_inputs(stages, 474, 1, 0xba, 1);  /* fog */
    add_inputs(stages, 480, 2, 0xc0, 40); /* fixed texture coordinates */
    add_back_colors(stages, flag(source, 0x1688));
    program->outputs = header[18];
    /* 0x300: [0] the program's mask is used, [1] only with multisampling. */
    uint32_t usage = value(source, 0x300);
    program->sample_mask = (header[19] & 1) && (usage & 1) && (!(usage >> 1 & 1) || flag(source, 0x1534));
    program->depth = header[19] >> 1 & 1;
    program->separate = (header[0] >> 14 & 1) && flag(source, 0xfac);
    program->kills = header[0] >> 15 & 1;
    program->effects = header[0] >> 16 & 1;
    program->early = flag(source, 0x210);
    program->passes = (uint8_t)(passes ? passes : 1);
    program->centroid_of_pass = value(source, 0x754) >> 4 & 1;
}

static void decode_header(struct draw_state *state, const struct draw_source *source, unsigned stage) {
    if (stage == STAGE_FRAGMENT)
        set_fragment(&state->stages, source);
}

/* ---- textures ---- */

static void decode_textures(struct draw_state *state, const struct draw_source *source) {
    struct draw_textures_state *textures = &state->textures;
    textures->linked_samplers = flag(source, 0x1234);
    textures->cube_faces = value(source, 0x1664) >> 1 & 3;
    textures->samplers = address(source, 0x155c);
    textures->most_sampler = value(source, 0x1564);
    textures->headers = address(source, 0x1574);
    textures->most_header = value(source, 0x157c);
    textures->maxwell_headers = source->of->maxwell_headers || (source->of->maxwell_choice && flag(source, 0xf10));
}

/* ---- methods ---- */

#define INPUT    (1u << STATE_INPUT)
#define INDICES  (1u << STATE_INDICES)
#define STAGES_  (1u << STATE_STAGES)
#define VIEW     (1u << STATE_VIEW)
#define RASTER   (1u << STATE_RASTER)
#define ZETA     (1u << STATE_ZETA)
#define BLEND    (1u << STATE_BLEND)
#define TARGETS  (1u << STATE_TARGETS)
#define TEXTURES (1u << STATE_TEXTURES)

static const struct draw_methods methods[] = {{0x1160, 32, 4, INPUT},
                                              {0x161c, 1, 4, INPUT},
                                              {0x1880, 32, 4, INPUT},
                                              {0x15f4, 2, 4, INPUT},
                                              {0xf84, 2, 4, INPUT},
                                              {0x1c00, 128, 4, INPUT},
                                              {0x1f00, 64, 4, INPUT},

                                              {0xde8, 1, 4, INDICES},
                                              {0x1118, 1, 4, INDICES},
                                              {0x1434, 2, 4, INDICES},
                                              {0x15e4, 1, 4, INDICES},
                                              {0x1644, 3, 4, INDICES},
                                              {0x17c8, 4, 4, INDICES},

                                              {0x210, 1, 4, STAGES_},
                                              {0x300, 1, 4, STAGES_},
                                              {0x744, 1, 4, STAGES_},
                                              {0x754, 1, 4, STAGES_},
                                              {0x77c, 1, 4, STAGES_},
                                              {0xd68, 1, 4, STAGES_},
                                              {0xfac, 1, 4, STAGES_},
                                              {0x12d4, 1, 4, STAGES_},
                                              {0x1534, 1, 4, STAGES_ | RASTER | BLEND},
                                              {0x1608, 2, 4, STAGES_},
                                              {0x1688, 1, 4, STAGES_ | RASTER},
                                              {0x2000, 6, 64, STAGES_},
                                              {0x2004, 6, 64, STAGES_},
                                              {0x200c, 6, 64, STAGES_},
                                              {0x2010, 6, 64, STAGES_},
                                              {0x2600, 1, 4, STAGES_},
                                              {0x2608, 1, 4, STAGES_},

                                              {0xa00, 128, 4, VIEW},
                                              {0xc00, 64, 4, VIEW},
                                              {0xd00, 16, 4, VIEW},
                                              {0xd7c, 1, 4, VIEW},
                                              {0xdf8, 2, 4, VIEW},
                                              {0xe00, 64, 4, VIEW},
                                              {0xff4, 2, 4, VIEW},
                                              {0x11f0, 1, 4, VIEW},
                                              {0x13ac, 1, 4, VIEW | RASTER},
                                              {0x1510, 1, 4, VIEW},
                                              {0x15cc, 1, 4, VIEW},
                                              {0x1610, 1, 4, VIEW},
                                              {0x192c, 1, 4, VIEW},
                                              {0x193c, 1, 4, VIEW | RASTER},
                                              {0x1940, 1, 4, VIEW},
                                              {0x194c, 2, 4, VIEW},
                                              {0x197c, 1, 4, VIEW},

                                              {0x20c, 1, 4, RASTER},
                                              {0x37c, 1, 4, RASTER},
                                              {0xdac, 3, 4, RASTER},
                                              {0xdc0, 3, 4, RASTER},
                                              {0xfb0, 2, 4, RASTER},
                                              {0xfbc, 4, 4, RASTER},
                                              {0x1110, 1, 4, RASTER},
                                              {0x113c, 1, 4, RASTER},
                                              {0x1148, 1, 4, RASTER},
                                              {0x11e0, 4, 4, RASTER},
                                              {0x13b0, 2, 4, RASTER},
                                              {0x1418, 1, 4, RASTER},
                                              {0x1518, 1, 4, RASTER},
                                              {0x1520, 1, 4, RASTER},
                                              {0x156c, 2, 4, RASTER},
                                              {0x15bc, 1, 4, RASTER},
                                              {0x15d0, 1, 4, RASTER | TARGETS},
                                              {0x1604, 1, 4, RASTER},
                                              {0x1658, 2, 4, RASTER},
                                              {0x166c, 1, 4, RASTER},
                                              {0x1680, 1, 4, RASTER},
                                              {0x168c, 1, 4, RASTER},
                                              {0x1700, 32, 4, RASTER},
                                              {0x187c, 1, 4, RASTER},
                                              {0x1910, 1, 4, RASTER},
                                              {0x1918, 4, 4, RASTER},

                                              {0x7f8, 1, 4, ZETA},
                                              {0xf54, 3, 4, ZETA},
                                              {0xf9c, 2, 4, ZETA},
                                              {0x12cc, 1, 4, ZETA},
                                              {0x12e8, 1, 4, ZETA},
                                              {0x130c, 1, 4, ZETA},
                                              {0x1380, 8, 4, ZETA},
                                              {0x1514, 1, 4, ZETA},
                                              {0x1594, 5, 4, ZETA},
                                              {0x19bc, 1, 4, ZETA},

                                              {0xf90, 1, 4, BLEND},
                                              {0x11f8, 1, 4, BLEND},
                                              {0x12e4, 1, 4, BLEND},
                                              {0x12ec, 1, 4, BLEND},
                                              {0x1310, 2, 4, BLEND},
                                              {0x131c, 4, 4, BLEND},
                                              {0x133c, 8, 4, BLEND},
                                              {0x135c, 9, 4, BLEND},
                                              {0x13a8, 1, 4, BLEND},
                                              {0x153c, 1, 4, BLEND},
                                              {0x16b4, 1, 4, BLEND},
                                              {0x19c0, 3, 4, BLEND},
                                              {0x1a00, 8, 4, BLEND},
                                              {0x1e00, 64, 4, BLEND},

                                              {0x800, 128, 4, TARGETS},
                                              {0xfe0, 5, 4, TARGETS},
                                              {0x121c, 1, 4, TARGETS},
                                              {0x1228, 3, 4, TARGETS},
                                              {0x1538, 1, 4, TARGETS},
                                              {0x179c, 1, 4, TARGETS},

                                              {0xf10, 1, 4, TEXTURES},
                                              {0x1234, 1, 4, TEXTURES},
                                              {0x155c, 3, 4, TEXTURES},
                                              {0x1574, 3, 4, TEXTURES},
                                              {0x1664, 1, 4, TEXTURES},
                                              {0}};

const struct draw_decoder draw_decoder_gf100 = {.group = {[STATE_INPUT] = decode_input,
                                                          [STATE_INDICES] = decode_indices,
                                                          [STATE_STAGES] = decode_stages,
                                                          [STATE_VIEW] = decode_gf100_view,
                                                          [STATE_RASTER] = decode_gf100_raster,
                                                          [STATE_ZETA] = decode_gf100_zeta,
                                                          [STATE_BLEND] = decode_gf100_blend,
                                                          [STATE_TARGETS] = decode_gf100_targets,
                                                          [STATE_TEXTURES] = decode_textures},
                                                .header = decode_header,
                                                .methods = methods};
