/* SPDX-License-Identifier: MIT */
/*
 * CLEAR_BUFFERS of Kelvin, Rankine and Curie (0x1d94): [0] depth, [1] stencil, [7:4] R G B A. The values are pixels as
 * they are in memory.
 *
 *   area = NV40_3D_RT_HORIZ, NV40_3D_RT_VERT AND scissor (Rankine and Curie) AND clear rectangle (0x1d98)
 *
 * Modelled:     linear and swizzled targets, the four colour targets of Curie, samples, stencil through its mask.
 * UNKNOWN: what becomes of floating-point colours, of which the value has 4 bytes at most; chosen: they stay as they
 * are, as RPCS3 has it for all three formats. Mesa sends the low word of a pixel. UNKNOWN: whether VIEWPORT_CLIP and
 * the origin of the window cut a clear; chosen: they do not.
 *
 * Sources: envytools rnndb/graph/nv10_3d.xml, nv20_3d.xml, nv30-40_3d.xml, nv_3ddefs.xml; Mesa
 * src/gallium/drivers/nouveau/nv30/nv30_clear.c; xemu hw/xbox/nv2a (clear rectangle, samples of Kelvin); RPCS3
 * rpcs3/Emu/RSX/gcm_enums.h (the same of Curie), GL/GLGSRender.cpp (floating-point targets).
 */
#include <assert.h>

#include "engine/core/work.h"
#include "engine/graph/clear.h"
#include "engine/graph/curie.h"
#include "engine/graph/render.h"
#include "engine/surface/picture.h"
#include "engine/kinds.h"
#include "methods/nv20_3d.h"
#include "methods/nv40_3d.h"

#define SWIZZLED   2u
#define ZETA_Z16   1u
#define ZETA_Z24S8 2u

#define COLOR(number, size, text, ...)                                                                                 \
    [number] = {.code = (number), .bytes = (size), .type = FORMAT_UNORM, .component = {__VA_ARGS__}, .name = (text)}

/* Shift and bits of R, G, B, A. Of 0 bytes: nothing of it is cleared. */
static const struct format colors[32] = {
    COLOR(0x01, 2, "X1R5G5B5_Z1R5G5B5", {10, 5}, {5, 5}, {0, 5}),
    COLOR(0x02, 2, "X1R5G5B5_O1R5G5B5", {10, 5}, {5, 5}, {0, 5}),
    COLOR(0x03, 2, "R5G6B5", {11, 5}, {5, 6}, {0, 5}),
    COLOR(0x04, 4, "X8R8G8B8_Z8R8G8B8", {16, 8}, {8, 8}, {0, 8}),
    COLOR(0x05, 4, "X8R8G8B8_O8R8G8B8", {16, 8}, {8, 8}, {0, 8}),
    COLOR(0x06, 4, "X1A7R8G8B8_Z1A7R8G8B8", {16, 8}, {8, 8}, {0, 8}, {24, 7}),
    COLOR(0x07, 4, "X1A7R8G8B8_O1A7R8G8B8", {16, 8}, {8, 8}, {0, 8}, {24, 7}),
    COLOR(0x08, 4, "A8R8G8B8", {16, 8}, {8, 8}, {0, 8}, {24, 8}),
    COLOR(0x09, 1, "B8", {0, 0}, {0, 0}, {0, 8}),
    COLOR(0x0a, 2, "G8B8", {0, 0}, {8, 8}, {0, 8}),
    COLOR(0x0e, 4, "X8B8G8R8_Z8B8G8R8", {0, 8}, {8, 8}, {16, 8}),
    COLOR(0x0f, 4, "X8B8G8R8_O8B8G8R8", {0, 8}, {8, 8}, {16, 8}),
    COLOR(0x10, 4, "A8B8G8R8", {0, 8}, {8, 8}, {16, 8}, {24, 8}),
};

#define FORMAT_Z16   0x13u
#define FORMAT_S8Z24 0x14u

#define SAMPLES(x, y) ((x) | (y) << 4)

const struct curie_clear kelvin_clear = {.clears_to_last = true,
                                         .samples = {[1] = SAMPLES(1, 0), [2] = SAMPLES(1, 1)},
                                         .stencil_mask = NV20_3D_STENCIL_MASK,
                                         .zeta_shift = 4,
                                         .color_mask = 15,
                                         .targets = 1,
                                         .target = {{NV40_3D_DMA_COLOR0, NV40_3D_COLOR0_OFFSET, NV40_3D_COLOR0_PITCH}}};
const struct curie_clear rankine_clear = {
    .has_enable = true,
    .has_condition = true,
    .has_scissor = true,
    .samples = {[3] = SAMPLES(1, 0), [4] = SAMPLES(1, 1), [5] = SAMPLES(1, 1)},
    .stencil_mask = NV40_3D_STENCIL_MASK(0),
    .zeta_shift = 5,
    .color_mask = 31,
    .targets = 2,
    .target = {{NV40_3D_DMA_COLOR0, NV40_3D_COLOR0_OFFSET, NV40_3D_COLOR0_PITCH},
               {NV40_3D_DMA_COLOR1, NV40_3D_COLOR1_OFFSET, NV40_3D_COLOR1_PITCH}}};
const struct curie_clear curie_clear = {.has_enable = true,
                                        .has_condition = true,
                                        .has_scissor = true,
                                        .samples = {[3] = SAMPLES(1, 0), [4] = SAMPLES(1, 1), [5] = SAMPLES(1, 1)},
                                        .stencil_mask = NV40_3D_STENCIL_MASK(0),
                                        .zeta_shift = 5,
                                        .color_mask = 31,
                                        .zeta_pitch = NV40_3D_ZETA_PITCH,
                                        .targets = 4,
                                        .target = {{NV40_3D_DMA_COLOR0, NV40_3D_COLOR0_OFFSET, NV40_3D_COLOR0_PITCH},
                                                   {NV40_3D_DMA_COLOR1, NV40_3D_COLOR1_OFFSET, NV40_3D_COLOR1_PITCH},
                                                   {NV40_3D_DMA_COLOR2, NV40_3D_COLOR2_OFFSET, NV40_3D_COLOR2_PITCH},
                                                   {NV40_3D_DMA_COLOR3, NV40_3D_COLOR3_OFFSET, NV40_3D_COLOR3_PITCH}}};

_Static_assert(sizeof curie_clear.target / sizeof curie_clear.target[0] < CLEAR_MAX_SURFACES, "depth is one more");

static const struct curie_clear *traits(const struct call *call) {
    return call->action->argument;
}

static bool is_swizzled(const struct call *call) {
    return CALL_FIELD(call, NV40_3D_RT_FORMAT, TYPE) == SWIZZLED;
}

/*
 * Where a surface is, and where it ends: one that is swizzled at its size, which has at most 16 bits. Of others only
 * their pitch is known, and how far they are drawn to.
 */
static struct clear_surface curie_clear_place(const struct call *call, const struct clear *clear, uint32_t object,
                                              uint64_t address, uint32_t pitch, unsigned bytes) {
    uint32_t format = call_value(call, NV40_3D_RT_FORMAT), log2_width = format >> 16 & 15,
             log2_height = format >> 24 & 15;
    struct clear_surface s = {.bytes = (uint8_t)bytes, .area = {0, 0, UINT32_MAX, UINT32_MAX}};
    s.surface.space = call_space(call, object);
    s.surface.address = address;
    s.surface.layout = (struct layout){.type = LAYOUT_PITCH, .pitch = pitch, .depth = 1};
    struct clear_box drawn = clear_box_of_size(call_value(call, NV40_3D_RT_HORIZ), call_value(call, NV40_3D_RT_VERT));
    s.size = (struct clear_box){0, 0, drawn.x1 << clear->log2_x, drawn.y1 << clear->log2_y};
    if (!is_swizzled(call))
        return s;
    s.area.x1 = 1u << (log2_width + clear->log2_x);
    s.area.y1 = 1u << (log2_height + clear->log2_y);
    s.size = s.area;
    s.surface.layout = (struct layout){
        .type = LAYOUT_SWIZZLED, .width = s.area.x1, .height = s.area.y1, .depth = 1, .element_bytes = (uint8_t)bytes};
    return s;
}

static void curie_clear_set_area(const struct call *call, struct clear *clear) {
    const struct curie_clear *t = traits(call);
    uint32_t horizontal = call_value(call, NV40_3D_CLEAR_RECT_HORIZ),
             vertical = call_value(call, NV40_3D_CLEAR_RECT_VERT);
    unsigned samples = t->samples[call_value(call, NV40_3D_RT_FORMAT) >> 12 & 15];
    clear->log2_x = samples & 3;
    clear->log2_y = samples >> 4;
    clear->area = clear_box_of_size(call_value(call, NV40_3D_RT_HORIZ), call_value(call, NV40_3D_RT_VERT));
    if (t->has_scissor)
        clear_box_and(&clear->area, clear_box_of_size(call_value(call, NV40_3D_SCISSOR_HORIZ),
                                                      call_value(call, NV40_3D_SCISSOR_VERT)));
    clear_box_and(&clear->area, t->clears_to_last ? clear_box_of_last(horizontal, vertical)
                                                  : clear_box_of_size(horizontal, vertical));
}

/* Bits of the pixel that are written, and whether that is all which mean anything. */
static uint32_t color_mask(const struct format *format, uint32_t data, bool *whole) {
    uint8_t all[16], mask[16];
    format_mask(format, 15, all);
    format_mask(format, data >> 4 & 15, mask);
    *whole = load_le32(mask) == load_le32(all);
    return load_le32(mask);
}

static void curie_clear_add_color(const struct call *call, struct clear *clear, unsigned number,
                                  const struct format *format) {
    const struct curie_clear *t = traits(call);
    uint32_t pitch = call_value(call, t->target[number].pitch);
    if (!t->zeta_pitch)
        pitch &= 0xffff;
    struct clear_surface s = curie_clear_place(call, clear, call_value(call, t->target[number].object),
                                               call_value(call, t->target[number].offset), pitch, format->bytes);
    uint32_t mask = color_mask(format, call->data, &s.whole);
    s.format = format;
    s.number = (uint8_t)number;
    store_le32(s.value, call_value(call, NV40_3D_CLEAR_COLOR_VALUE));
    store_le32(s.mask, mask);
    if (mask)
        clear_add(clear, &s);
}

static void add_colors(const struct call *call, struct clear *clear) {
    const struct curie_clear *t = traits(call);
    const struct format *format = &colors[call_value(call, NV40_3D_RT_FORMAT) & t->color_mask];
    assert(t->color_mask < sizeof colors / sizeof colors[0]);
    uint32_t enabled = t->has_enable ? call_value(call, NV40_3D_RT_ENABLE) : 1;
    for (unsigned i = 0; i < t->targets && format->bytes; i++)
        if (enabled >> i & 1)
            curie_clear_add_color(call, clear, i, format);
}

/* Z24S8 has depth in bits 31:8 and stencil below. */
static void curie_clear_add_zeta(const struct call *call, struct clear *clear) {
    const struct curie_clear *t = traits(call);
    unsigned format = call_value(call, NV40_3D_RT_FORMAT) >> t->zeta_shift & 7;
    uint32_t pitch = t->zeta_pitch ? call_value(call, t->zeta_pitch) : call_value(call, NV40_3D_COLOR0_PITCH) >> 16;
    uint32_t depth = format == ZETA_Z16 ? 0xffff : 0xffffff00, stencil = format == ZETA_Z16 ? 0 : 0xff;
    if (format != ZETA_Z16 && format != ZETA_Z24S8)
        return;
    uint32_t mask = call->data & 1 ? depth : 0;
    mask |= call->data & 2 ? stencil & call_value(call, t->stencil_mask) : 0;
    struct clear_surface s =
        curie_clear_place(call, clear, call_value(call, NV40_3D_DMA_ZETA), call_value(call, NV40_3D_ZETA_OFFSET), pitch,
                          format == ZETA_Z16 ? 2 : 4);
    s.format = format_zeta(format == ZETA_Z16 ? FORMAT_Z16 : FORMAT_S8Z24);
    s.number = PFIFO_DRAW_COLORS;
    s.whole = mask == (depth | stencil);
    store_le32(s.value, call_value(call, NV40_3D_CLEAR_DEPTH_VALUE));
    store_le32(s.mask, mask);
    if (mask)
        clear_add(clear, &s);
}

/* What it needs is looked up for each slice; the condition only for the first, since the clear may write over it. */
enum action_result curie_clear_buffers(struct call *call) {
    struct clear clear = {0};
    if (!work_under_way(call) && traits(call)->has_condition && !render_allowed_nv30(call))
        return ACTION_DONE;
    curie_clear_set_area(call, &clear);
    add_colors(call, &clear);
    curie_clear_add_zeta(call, &clear);
    return clear_execute(call, &clear);
}
