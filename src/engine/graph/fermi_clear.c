/* SPDX-License-Identifier: MIT */
/*
 * CLEAR_SURFACE of Fermi and later (0x19d0): [0] depth, [1] stencil, [5:2] R G B A, [9:6] colour target, [25:10] layer
 * from the target's LAYER on. Masks of blending do not matter to it.
 *
 * CLEAR_CLIP_ID_SURFACE (0x19d4): [7:0] is written to the surface of clip ids, where SET_SURFACE_CLIP and
 * SET_CLIP_ID_CLEAR_RECT allow it. An id is a byte: nouveau's contexts keep 8 bits of one, and the surface's width is a
 * multiple of 64, a gob.
 *
 * UNKNOWN: whether MRT_SELECT goes through SET_CT_SELECT; chosen: it is the number of a target, as Mesa's Vulkan driver
 * uses it with a selection that is not the identity.
 * UNKNOWN: whether samples have clip ids of their own, and whether conditions hold for them; chosen: pixels have, and
 * conditions do.
 *
 * Sources: NVIDIA open-gpu-doc classes/3d/cl9097.h; envytools rnndb/graph/gf100_3d.xml (what clips a clear,
 * CLIPID_FILL); nouveau nvkm/engine/gr/ctxnv50.c; Mesa src/gallium/drivers/nouveau/nvc0/nvc0_surface.c.
 */
#include "engine/core/work.h"
#include "engine/graph/clear.h"
#include "engine/graph/render.h"
#include "engine/kinds.h"
#include "fifo/fifo.h"
#include "methods/gf100_3d.h"

static struct clear_target fermi_clear_color_target(const struct call *call, unsigned number) {
    uint32_t memory = call_value(call, GF100_3D_SET_COLOR_TARGET_MEMORY(number));
    return (struct clear_target){
        .space = call_space(call, 0),
        .address = call_address(call, GF100_3D_SET_COLOR_TARGET_A(number), GF100_3D_SET_COLOR_TARGET_B(number), 8),
        .format = CALL_FIELD_OF(call, GF100_3D_SET_COLOR_TARGET_FORMAT, number, V),
        .pitch = METHOD_FIELD(memory, GF100_3D_SET_COLOR_TARGET_MEMORY_LAYOUT),
        .width = CALL_FIELD_OF(call, GF100_3D_SET_COLOR_TARGET_WIDTH, number, V),
        .height = CALL_FIELD_OF(call, GF100_3D_SET_COLOR_TARGET_HEIGHT, number, V),
        .block = memory & 0xfff,
        .is_3d = METHOD_FIELD(memory, GF100_3D_SET_COLOR_TARGET_MEMORY_THIRD_DIMENSION_CONTROL),
        .layers = CALL_FIELD_OF(call, GF100_3D_SET_COLOR_TARGET_THIRD_DIMENSION, number, V),
        .layer_stride = (uint64_t)call_value(call, GF100_3D_SET_COLOR_TARGET_ARRAY_PITCH(number)) << 2,
        .layer = CALL_FIELD_OF(call, GF100_3D_SET_COLOR_TARGET_LAYER, number, OFFSET) +
                 METHOD_FIELD(call->data, GF100_3D_CLEAR_SURFACE_RT_ARRAY_INDEX),
        .order = call->engine->fifo->chip->gob_order,
    };
}

/* CONTROL of the size: there is one layer, whatever the number says. */
static struct clear_target fermi_clear_zeta_target(const struct call *call) {
    uint32_t layers = call_value(call, GF100_3D_SET_ZT_SIZE_C);
    return (struct clear_target){
        .space = call_space(call, 0),
        .address = call_address(call, GF100_3D_SET_ZT_A, GF100_3D_SET_ZT_B, 8),
        .format = CALL_FIELD(call, GF100_3D_SET_ZT_FORMAT, V),
        .width = CALL_FIELD(call, GF100_3D_SET_ZT_SIZE_A, WIDTH),
        .height = CALL_FIELD(call, GF100_3D_SET_ZT_SIZE_B, HEIGHT),
        .block = call_value(call, GF100_3D_SET_ZT_BLOCK_SIZE) & 0xfff,
        .layers = METHOD_FIELD(layers, GF100_3D_SET_ZT_SIZE_C_CONTROL)
                      ? 1
                      : METHOD_FIELD(layers, GF100_3D_SET_ZT_SIZE_C_THIRD_DIMENSION),
        .layer_stride = (uint64_t)call_value(call, GF100_3D_SET_ZT_ARRAY_PITCH) << 2,
        .layer = CALL_FIELD(call, GF100_3D_SET_ZT_LAYER, OFFSET) +
                 METHOD_FIELD(call->data, GF100_3D_CLEAR_SURFACE_RT_ARRAY_INDEX),
        .order = call->engine->fifo->chip->gob_order,
    };
}

static void fermi_clear_set_area(const struct call *call, struct clear *clear) {
    uint32_t control = call_value(call, GF100_3D_SET_CLEAR_SURFACE_CONTROL);
    clear->area = clear_box_of_size(call_value(call, GF100_3D_SET_SURFACE_CLIP_HORIZONTAL),
                                    call_value(call, GF100_3D_SET_SURFACE_CLIP_VERTICAL));
    if (control & GF100_3D_SET_CLEAR_SURFACE_CONTROL_USE_CLEAR_RECT__MASK)
        clear_box_and(&clear->area, clear_box_of_bounds(call_value(call, GF100_3D_SET_CLEAR_RECT_HORIZONTAL),
                                                        call_value(call, GF100_3D_SET_CLEAR_RECT_VERTICAL)));
    if ((control & GF100_3D_SET_CLEAR_SURFACE_CONTROL_USE_SCISSOR0__MASK) &&
        CALL_FIELD_OF(call, GF100_3D_SET_SCISSOR_ENABLE, 0, V))
        clear_box_and(&clear->area, clear_box_of_bounds(call_value(call, GF100_3D_SET_SCISSOR_HORIZONTAL(0)),
                                                        call_value(call, GF100_3D_SET_SCISSOR_VERTICAL(0))));
    if (control & GF100_3D_SET_CLEAR_SURFACE_CONTROL_USE_VIEWPORT_CLIP0__MASK)
        clear_box_and(&clear->area, clear_box_of_size(call_value(call, GF100_3D_SET_VIEWPORT_CLIP_HORIZONTAL(0)),
                                                      call_value(call, GF100_3D_SET_VIEWPORT_CLIP_VERTICAL(0))));
}

static const struct clear_family family = {.allowed = render_allowed_gf100,
                                           .set_area = fermi_clear_set_area,
                                           .color_target = fermi_clear_color_target,
                                           .zeta_target = fermi_clear_zeta_target,
                                           .control = GF100_3D_SET_CLEAR_SURFACE_CONTROL,
                                           .stencil_mask = GF100_3D_SET_STENCIL_MASK};

static enum action_result clear_clip_ids(struct call *call) {
    struct clear clear = {0};
    struct clear_target target = {
        .space = call_space(call, 0),
        .address = call_address(call, GF100_3D_SET_SURFACE_CLIP_ID_MEMORY_A, GF100_3D_SET_SURFACE_CLIP_ID_MEMORY_B, 8),
        .width = call_value(call, GF100_3D_SET_SURFACE_CLIP_ID_WIDTH) & 0xffff,
        .height = call_value(call, GF100_3D_SET_SURFACE_CLIP_ID_HEIGHT) & 0xffff,
        .block = call_value(call, GF100_3D_SET_SURFACE_CLIP_ID_BLOCK_SIZE) & 0xfff,
        .order = call->engine->fifo->chip->gob_order,
    };
    if (!work_under_way(call) && !render_allowed_gf100(call))
        return ACTION_DONE;
    clear.area = clear_box_of_size(call_value(call, GF100_3D_SET_SURFACE_CLIP_HORIZONTAL),
                                   call_value(call, GF100_3D_SET_SURFACE_CLIP_VERTICAL));
    clear_box_and(&clear.area, clear_box_of_bounds(call_value(call, GF100_3D_SET_CLIP_ID_CLEAR_RECT_HORIZONTAL),
                                                   call_value(call, GF100_3D_SET_CLIP_ID_CLEAR_RECT_VERTICAL)));
    clear_add_ids(&clear, &target, (uint8_t)call->data);
    return clear_execute(call, &clear);
}

const struct action clear_gf100_actions[] = {
    {.method = GF100_3D_CLEAR_SURFACE, .type = ACTION_EFFECT, .run = clear_targets, .argument = &family},
    {.method = GF100_3D_CLEAR_CLIP_ID_SURFACE, .type = ACTION_EFFECT, .run = clear_clip_ids},
    {0}};
