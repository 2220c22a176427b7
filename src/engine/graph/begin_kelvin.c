/* SPDX-License-Identifier: MIT */
/*
 * What state a draw of Kelvin cannot have: the check of hwtest (pgraph_class_kelvin.cc) for BEGIN_PATCH, in terms of
 * methods. Formats are those of RT_FORMAT and TEX_FORMAT.
 *
 * Not modelled: the object's bit for swizzled surfaces (of its words in RAMIN, [14] of the first one), which forbids
 * one-byte formats. No driver sets it.
 */
#include "engine/graph/begin_rules.h"

#include "methods/nv20_3d.h"

#define COLOR_B8   V(9)
#define COLOR_G8B8 V(0xa)
#define LINEAR     1u
#define SWIZZLED   2u

/* [15:12] and [3:0] of FUNC_ADD_SIGNED (0xf005) and FUNC_REVERSE_SUBTRACT_SIGNED (0xf006). */
#define SIGNED_EQUATION BITS(BEGIN_IN, NV20_3D_BLEND_EQUATION, 12, 0xf, V(0xf))
#define ADD_OR_SUBTRACT V(5) | V(6)

/* Formats of textures whose size need not be a power of two, as of NV2x; the first 64, and the others. */
#define RECT_LOW                                                                                                       \
    (UP_TO(0x10, 0x18) | UP_TO(0x1b, 0x20) | UP_TO(0x24, 0x26) | UP_TO(0x2e, 0x31) | UP_TO(0x34, 0x37) |               \
     UP_TO(0x3d, 0x3f))
#define RECT_HIGH (V(0x40 - 64) | V(0x41 - 64) | V(0x43 - 64) | UP_TO(0x46 - 64, 0x48 - 64))
#define DXT       (V(0xc) | V(0xe) | V(0xf))

#define TEXTURE_ON  IS_OF(NV20_3D_TEX_ENABLE, ENABLE, V(1), 0)
#define TEXTURE_OFF IS_OF(NV20_3D_TEX_ENABLE, ENABLE, V(0), 0)
#define ANISOTROPIC IS_OF(NV20_3D_TEX_ENABLE, ANISO, UP_TO(1, 3), 0)
#define BIT_3       BITS_OF(BEGIN_IN, NV20_3D_TEX_ENABLE, 3, 1, V(1))
#define COLOR_KEYED BITS_OF(BEGIN_IN, NV20_3D_TEX_ENABLE, 0, 3, UP_TO(1, 3))

/* The operation of a stage; of the first one only three bits count. */
#define OP(stage, test_, ...) BITS(test_, NV20_3D_TEX_SHADER_OP, 5 * (stage), (stage) ? 0x1f : 7, __VA_ARGS__)
#define PREVIOUS_OF_2(stage)  BITS(BEGIN_IN, NV20_3D_TEX_SHADER_PREVIOUS, 16, 1, V(stage))
#define PREVIOUS_OF_3(stage)  BITS(BEGIN_IN, NV20_3D_TEX_SHADER_PREVIOUS, 20, 3, V(stage))
#define NEEDS_NO_TEXTURE      V(0) | V(4) | V(5)
#define DOT_PRODUCT           V(0x11)
#define NO_RESULT             V(0) | V(5)
#define DEPENDENT_2           V(6) | V(7) | V(9) | V(0xa) | V(0xb) | V(0xf) | V(0x10) | V(0x11)
#define DEPENDENT_3           V(6) | V(7) | V(9) | V(0xa) | UP_TO(0xc, 0x10) | V(0x12)

#define WITHOUT_TEXTURE(stage, ...)                                                                                    \
    RULE(NV20_3D_TEX_SHADER_OP, "the operation of a stage needs its texture, which is off",                            \
         BITS(BEGIN_IN, NV20_3D_TEX_ENABLE(stage), 30, 1, V(0)), OP(stage, BEGIN_NOT_IN, __VA_ARGS__))
#define WITHOUT_RESULT(stage, operations, from, ...)                                                                   \
    RULE(NV20_3D_TEX_SHADER_PREVIOUS, "the stage that another one depends on has no result of use",                    \
         OP(stage, BEGIN_IN, operations), PREVIOUS_OF_##stage(from), OP(from, BEGIN_IN, __VA_ARGS__))

/* Blue to alpha of an output that the alpha portion writes, too. */
#define WRITTEN_TWICE(bit, field)                                                                                      \
    RULES(NV20_3D_RC_OUT_RGB, 8, "a combiner writes the alpha of a register twice",                                    \
          BITS_OF(BEGIN_IN, NV20_3D_RC_OUT_RGB, bit, 1, V(1)),                                                         \
          BITS_OF(BEGIN_NOT_IN, NV20_3D_RC_OUT_RGB, field, 0xf, V(0)),                                                 \
          {.test = BEGIN_SAME,                                                                                         \
           .method = NV20_3D_RC_OUT_RGB(0),                                                                            \
           .other = NV20_3D_RC_OUT_ALPHA(0),                                                                           \
           .stride = 4,                                                                                                \
           .shift = (field),                                                                                           \
           .mask = 0xf})

static const struct begin_rule rules[] = {
    /* Targets. */
    FORMAT_RULES(NV20_3D),
    RULE(NV20_3D_RT_PITCH, NEVER_SET, NOT_SET(NV20_3D_RT_PITCH)),
    RULE(NV20_3D_DMA_COLOR, NO_TARGET, NO_DMA(NV20_3D_DMA_COLOR), NO_DMA(NV20_3D_DMA_ZETA)),
    RULE(NV20_3D_RT_FORMAT, "B8 and G8B8 cannot be swizzled", IS(NV20_3D_RT_FORMAT, COLOR, COLOR_B8 | COLOR_G8B8),
         IS(NV20_3D_RT_FORMAT, TYPE, V(SWIZZLED))),
    RULE(NV20_3D_STENCIL_ENABLE, "B8 and G8B8 have no stencil test",
         IS(NV20_3D_RT_FORMAT, COLOR, COLOR_B8 | COLOR_G8B8), ON(NV20_3D_STENCIL_ENABLE)),
    RULE(NV20_3D_DEPTH_TEST_ENABLE, "B8 and G8B8 have no depth test",
         IS(NV20_3D_RT_FORMAT, COLOR, COLOR_B8 | COLOR_G8B8), ON(NV20_3D_DEPTH_TEST_ENABLE)),
    RULE(NV20_3D_BLEND_EQUATION, "B8 is blended by signed equations only", IS(NV20_3D_RT_FORMAT, COLOR, COLOR_B8),
         ON(NV20_3D_BLEND_FUNC_ENABLE), BITS(BEGIN_NOT_IN, NV20_3D_BLEND_EQUATION, 12, 0xf, V(0xf))),
    RULE(NV20_3D_BLEND_EQUATION, "B8 is blended by signed equations only", IS(NV20_3D_RT_FORMAT, COLOR, COLOR_B8),
         ON(NV20_3D_BLEND_FUNC_ENABLE), SIGNED_EQUATION,
         BITS(BEGIN_NOT_IN, NV20_3D_BLEND_EQUATION, 0, 0xf, ADD_OR_SUBTRACT)),
    RULE(NV20_3D_BLEND_EQUATION, "the format has no signed equations",
         IS(NV20_3D_RT_FORMAT, COLOR, UP_TO(1, 3) | V(6) | V(7)), ON(NV20_3D_BLEND_FUNC_ENABLE), SIGNED_EQUATION,
         BITS(BEGIN_IN, NV20_3D_BLEND_EQUATION, 0, 0xf, ADD_OR_SUBTRACT)),

    /* Textures. */
    TEXTURE_RULE(NV20_3D, 0, 4, DMA1, 0),
    TEXTURE_RULE(NV20_3D, 1, 4, DMA1, 1),
    RULES(NV20_3D_TEX_ENABLE, 4, "a 3D texture with anisotropic filter", TEXTURE_ON, ANISOTROPIC,
          BITS_OF(BEGIN_IN, NV20_3D_TEX_FORMAT, 4, 3, V(3))),
    RULES(NV20_3D_TEX_FILTER, 4, "an anisotropic filter with magnification by convolution", TEXTURE_ON, ANISOTROPIC,
          BITS_OF(BEGIN_IN, NV20_3D_TEX_FILTER, 24, 0xf, V(4))),
    RULES(NV20_3D_TEX_FILTER, 4, "an anisotropic filter with minification by convolution", TEXTURE_ON, ANISOTROPIC,
          BITS_OF(BEGIN_IN, NV20_3D_TEX_FILTER, 16, 0x3f, V(7))),
    RULES(NV20_3D_TEX_ENABLE, 4, "bit 3 with a border", TEXTURE_ON, BIT_3,
          IS_OF(NV20_3D_TEX_FORMAT, NO_BORDER, V(0), 0)),
    RULES(NV20_3D_TEX_ENABLE, 4, "bit 3 with an odd height", TEXTURE_ON, BIT_3,
          BITS_OF(BEGIN_IN, NV20_3D_TEX_NPOT_SIZE, 0, 1, V(1))),
    RULES(NV20_3D_TEX_ENABLE, 4, "bit 3 with a format that is swizzled or compressed", TEXTURE_ON, BIT_3,
          BITS_OF(BEGIN_NOT_IN, NV20_3D_TEX_FORMAT, 8, 0x7f, RECT_LOW, RECT_HIGH)),
    RULES(NV20_3D_TEX_WRAP, 4, "a linear texture cannot repeat", TEXTURE_ON,
          BITS_OF(BEGIN_IN, NV20_3D_TEX_FORMAT, 8, 0x7f, RECT_LOW, RECT_HIGH),
          BITS_OF(BEGIN_IN, NV20_3D_TEX_WRAP, 0, 7, V(1) | V(2))),
    RULES(NV20_3D_TEX_ENABLE, 4, "a compressed texture has no color key", TEXTURE_ON, COLOR_KEYED,
          BITS_OF(BEGIN_IN, NV20_3D_TEX_FORMAT, 8, 0x7f, DXT)),

    /* Texture shaders. */
    WITHOUT_TEXTURE(0, NEEDS_NO_TEXTURE),
    WITHOUT_TEXTURE(1, NEEDS_NO_TEXTURE | DOT_PRODUCT),
    WITHOUT_TEXTURE(2, NEEDS_NO_TEXTURE | DOT_PRODUCT),
    WITHOUT_TEXTURE(3, NEEDS_NO_TEXTURE),
    WITHOUT_RESULT(2, DEPENDENT_2, 0, NO_RESULT),
    WITHOUT_RESULT(2, DEPENDENT_2, 1, NO_RESULT | DOT_PRODUCT),
    WITHOUT_RESULT(3, DEPENDENT_3, 0, NO_RESULT),
    WITHOUT_RESULT(3, DEPENDENT_3, 1, NO_RESULT | DOT_PRODUCT),
    WITHOUT_RESULT(3, DEPENDENT_3, 2, NO_RESULT | DOT_PRODUCT | V(0xa) | V(0xb)),

    /* Combiners. */
    WRITTEN_TWICE(18, 0),
    WRITTEN_TWICE(19, 4),
    {0}};

const struct begin_traits begin_kelvin = {.rules = rules,
                                          .arrays = {.format = NV20_3D_VTXBUF_FMT(0),
                                                     .offset = NV20_3D_VTXBUF_OFFSET(0),
                                                     .size = NV20_3D_VTXBUF_FMT_SIZE__MASK,
                                                     .object = {NV20_3D_DMA_VTXBUF0, NV20_3D_DMA_VTXBUF1}}};
