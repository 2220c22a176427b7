/* SPDX-License-Identifier: MIT */
/*
 * IFC (21, 61, 65, 8a ..): an image from the CPU. SIZE_IN begins it, its pixels follow at 0x400 and after.
 * TEXTURE (7b ..): the same for textures, which may be swizzled; with a clip rectangle of its own, without operations;
 * x and width are multiples of 8.
 *
 * UNKNOWN: an image of no pixels, for which PGRAPH has a bit (IMAGE_ZERO); chosen: nothing follows it.
 * Not modelled: that 8a takes words in pairs: an odd last one is drawn when it comes.
 * Sources: envytools rnndb/graph/nv1_ifc.xml, hwtest/pgraph_class_ifc.cc; NVIDIA open-gpu-doc classes/twod/cl0065.h,
 * cl007b.h.
 */
#include "engine/kinds.h"
#include "engine/twod/nv4_stream.h"
#include "methods/nv1_2d.h"

enum {
    POINT = NV4_IFC_POINT,
    SIZE_OUT = NV4_IFC_SIZE_OUT,
    SIZE_IN = NV4_IFC_SIZE_IN,
    TEXTURE_CLIP_X = NV10_TEXUPLOAD_CLIP_HORIZONTAL,
    TEXTURE_CLIP_Y = NV10_TEXUPLOAD_CLIP_VERTICAL
};

static const struct nv4_slots slots = {
    .bind = {[NV4_CHROMA] = NV4_IFC_COLOR_KEY, [NV4_CLIP] = NV4_IFC_CLIP, NV4_DRAWS_FROM(NV4_IFC_PATTERN)},
    .operation = NV4_IFC_OPERATION,
    .format = NV4_IFC_COLOR_FORMAT,
    .formats = nv4_image_format,
    .last_format = 5,
    .last_format_nv30 = 7};
static const struct nv4_slots old_slots = {.bind = {[NV4_CHROMA] = NV1_IFC_COLOR_KEY,
                                                    [NV4_CLIP] = NV1_IFC_CLIP,
                                                    NV4_RASTER_FROM(NV1_IFC_PATTERN),
                                                    [NV4_SURFACE] = NV1_IFC_SURFACE_DST},
                                           .operation = NV1_IFC_OPERATION,
                                           .format = NV1_IFC_COLOR_FORMAT,
                                           .formats = nv4_old_image_format,
                                           .last_format = 5,
                                           .is_old = true};
static const struct nv4_slots texture_slots = {.bind = {[NV4_SURFACE] = NV10_TEXUPLOAD_SURFACE},
                                               .format = NV10_TEXUPLOAD_COLOR_FORMAT,
                                               .formats = nv4_image_format,
                                               .last_format = 5,
                                               .last_format_nv30 = 7,
                                               .swizzled = true};

#define TEXTURE_BITS 7u /* that must be 0 in x and width */

static bool is_texture(const struct call *call) {
    return call->action->argument == &texture_slots;
}

/* The sizes are the same for a texture. */
static enum action_result ifc_begin(struct call *call) {
    return nv4_image_begin(call, call_value(call, POINT), call->data, call_value(call, SIZE_OUT));
}

static enum action_result set_texture_point(struct call *call) {
    return nv4_refuse_unless(call, (call->data & TEXTURE_BITS) == 0);
}

static enum action_result begin_texture(struct call *call) {
    if (call->data & TEXTURE_BITS) {
        words_begin(call->object, 0);
        return call_error(call, ENGINE_ERROR_INVALID_VALUE);
    }
    return ifc_begin(call);
}

static bool ifc_open(const struct call *call, struct nv4_image *image) {
    const struct nv4_slots *bound = call->action->argument;
    if (!nv4_image_open(call, bound, image))
        return false;
    if (is_texture(call))
        nv4_draw_clip(&image->draw, nv4_clip_box(nv4_state(call), NV4_STATE_OWN_CLIP));
    return true;
}

static enum action_result ifc_data(struct call *call) {
    struct nv4_image image;
    if (!ifc_open(call, &image))
        return ACTION_DONE;
    return nv4_image_data(call, &image);
}

/* clang-format off */
#define BEGINS(at, slots) {.method = (at), .type = ACTION_EFFECT, .run = ifc_begin, .argument = &(slots)}
#define CHECKS(at, function) {.method = (at), .type = ACTION_EFFECT, .run = (function)}
#define DATA(number, slots)                                                                                            \
    {.method = NV4_IFC_COLOR(0), .count = (number), .type = ACTION_EFFECT, .run = ifc_data,                                       \
     .absorb = words_absorb, .argument = &(slots)}
/* clang-format on */

static const struct action actions[] = {NV4_CONVERSION_AT(NV5_IFC_COLOR_CONVERSION),
                                        NV4_BINDS(NV4_IFC_COLOR_KEY, 7, slots),
                                        NV4_OPERATION_AT(NV4_IFC_OPERATION),
                                        NV4_FORMAT_AT(NV4_IFC_COLOR_FORMAT, slots),
                                        BEGINS(SIZE_IN, slots),
                                        DATA(NV4_DATA_WORDS, slots),
                                        {0}};
static const struct action old_actions[] = {NV4_BINDS(NV1_IFC_COLOR_KEY, 6, old_slots),
                                            NV4_OLD_OPERATION_AT(NV1_IFC_OPERATION),
                                            NV4_FORMAT_AT(NV1_IFC_COLOR_FORMAT, old_slots),
                                            BEGINS(SIZE_IN, old_slots),
                                            DATA(32, old_slots),
                                            {0}};
static const struct action texture_actions[] = {
    NV4_CONVERSION_AT(NV10_TEXUPLOAD_COLOR_CONVERSION),
    NV4_BINDS(NV10_TEXUPLOAD_SURFACE, 1, texture_slots),
    NV4_FORMAT_AT(NV10_TEXUPLOAD_COLOR_FORMAT, texture_slots),
    CHECKS(POINT, set_texture_point),
    {.method = SIZE_OUT, .type = ACTION_EFFECT, .run = begin_texture, .argument = &texture_slots},
    CHECKS(TEXTURE_CLIP_X, nv4_own_clip_across),
    CHECKS(TEXTURE_CLIP_Y, nv4_own_clip_down),
    DATA(NV4_DATA_WORDS, texture_slots),
    {0}};

NV4_STREAM_KIND(kind_nv4_image, "image from CPU", NV4_STREAM_EXTRA, actions);
NV4_STREAM_KIND(kind_nv4_old_image, "image from CPU", NV4_STREAM_EXTRA, old_actions);
NV4_STREAM_KIND(kind_nv10_texture, "texture from CPU", NV4_STREAM_EXTRA, texture_actions);
