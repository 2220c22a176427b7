/* SPDX-License-Identifier: MIT */
#include "engine/draw/decode.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

/* Whose instruction set is modelled: later classes draw nothing, and say so. */
static const struct draw_class classes[] = {
    {0x9097, 0x9297, &draw_decoder_gf100, &isa_gf100, .inline_vertices = true, .cube_faces = true},
    {0xa097, 0xa097, &draw_decoder_gf100, &isa_gf100k, .inline_vertices = true, .handles = true, .mask_before_z = true},
    {0xa197, 0xa297, &draw_decoder_gf100, &isa_gk110, .inline_vertices = true, .handles = true, .mask_before_z = true},
    {0xb097, 0xb097, &draw_decoder_gf100, &isa_gm107, .handles = true, .mask_before_z = true, .maxwell_choice = true},
    {0xb197, 0xc097, &draw_decoder_gf100, &isa_gm107, .handles = true, .mask_before_z = true, .sample_places = true,
     .swizzles = true, .maxwell_headers = true},
    {0xc197, 0xc197, &draw_decoder_gf100, &isa_gm107, .handles = true, .mask_before_z = true, .sample_places = true,
     .swizzles = true, .maxwell_headers = true, .iterates = true},
};

const struct draw_class *draw_class_of(uint32_t object_class) {
    for (unsigned i = 0; i < sizeof classes / sizeof classes[0]; i++)
        if (object_class >= classes[i].first && object_class <= classes[i].last)
            return &classes[i];
    return NULL;
}

/* Where the struct of each group is. */
static const struct {
    size_t offset, bytes;
} places[STATE_GROUPS] = {
#define PLACE(group, member) [group] = {offsetof(struct draw_state, member), sizeof(((struct draw_state *)0)->member)}
    PLACE(STATE_INPUT, input),       PLACE(STATE_INDICES, indices), PLACE(STATE_STAGES, stages),
    PLACE(STATE_VIEW, view),         PLACE(STATE_RASTER, raster),   PLACE(STATE_ZETA, zeta),
    PLACE(STATE_FEEDBACK, feedback), PLACE(STATE_BLEND, blend),     PLACE(STATE_TARGETS, targets),
    PLACE(STATE_TEXTURES, textures), PLACE(STATE_PATCHES, patches), PLACE(STATE_IMAGES, images),
};

void draw_decode(struct draw_state *state, const struct draw_source *source, unsigned groups) {
    assert(source->of && source->value && !(groups & ~STATE_ALL));
    for (unsigned i = 0; i < STATE_GROUPS; i++) {
        if (!(groups >> i & 1))
            continue;
        assert(places[i].bytes && source->of->decoder->group[i]);
        memset((char *)state + places[i].offset, 0, places[i].bytes);
        source->of->decoder->group[i](state, source);
    }
}

void draw_header(struct draw_state *state, const struct draw_source *source, unsigned stage,
                 const uint32_t header[HEADER_WORDS]) {
    assert(stage < STAGES);
    memcpy(state->stages.stage[stage].header, header, HEADER_WORDS * sizeof header[0]);
    state->stages.stage[stage].known = true;
    source->of->decoder->header(state, source, stage);
}
