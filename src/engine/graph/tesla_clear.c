/* SPDX-License-Identifier: MIT */
/*
 * CLEAR_BUFFERS of Tesla (0x19d0): [0] depth, [1] stencil, [5:2] R G B A, [9:6] colour target, [20:10] layer. Targets
 * are in the DMA objects at 0x1c0 and 0x184.
 *
 * CLEAR_FLAGS [4] says what bounds a clear besides the screen scissor: scissor 0 (if it is enabled) or viewport 0.
 *
 * Not modelled: CLIPID_FILL (0x19d4), since no method says how large the blocks of clip ids are.
 *
 * Sources: envytools rnndb/graph/g80_3d.xml; Mesa src/gallium/drivers/nouveau/nv50/nv50_surface.c.
 */
#include "engine/graph/clear.h"
#include "engine/graph/render.h"
#include "engine/kinds.h"
#include "fifo/fifo.h"
#include "methods/g80_3d.h"

#define FLAG_VIEWPORT (1u << 4)

static uint32_t layer_of(const struct call *call) {
    return METHOD_FIELD(call->data, G80_3D_CLEAR_BUFFERS_LAYER);
}

static struct clear_target tesla_clear_color_target(const struct call *call, unsigned number) {
    uint32_t horizontal = call_value(call, G80_3D_RT_HORIZ(number));
    uint32_t mode = call_value(call, G80_3D_RT_ARRAY_MODE);
    return (struct clear_target){
        .space = call_space(call, call_value(call, G80_3D_DMA_COLOR(number))),
        .address = call_address(call, G80_3D_RT_ADDRESS_HIGH(number), G80_3D_RT_ADDRESS_LOW(number), 8),
        .format = call_value(call, G80_3D_RT_FORMAT(number)) & 0xff,
        .pitch = METHOD_FIELD(horizontal, G80_3D_RT_HORIZ_LAYOUT),
        .width = METHOD_FIELD(horizontal, G80_3D_RT_HORIZ_WIDTH),
        .height = call_value(call, G80_3D_RT_VERT(number)) & 0x1ffff,
        .block = call_value(call, G80_3D_RT_BLOCK_DIMENSIONS(number)) & 0xfff,
        .is_3d = METHOD_FIELD(mode, G80_3D_RT_ARRAY_MODE_MODE),
        .layers = METHOD_FIELD(mode, G80_3D_RT_ARRAY_MODE_LAYERS),
        .layer_stride = (uint64_t)call_value(call, G80_3D_RT_LAYER_STRIDE(number)) << 2,
        .layer = layer_of(call),
        .order = call->engine->fifo->chip->gob_order,
    };
}

static struct clear_target tesla_clear_zeta_target(const struct call *call) {
    return (struct clear_target){
        .space = call_space(call, call_value(call, G80_3D_DMA_ZETA)),
        .address = call_address(call, G80_3D_ZETA_ADDRESS_HIGH, G80_3D_ZETA_ADDRESS_LOW, 8),
        .format = call_value(call, G80_3D_ZETA_FORMAT) & 0x1f,
        .width = call_value(call, G80_3D_ZETA_HORIZ) & 0xfffffff,
        .height = call_value(call, G80_3D_ZETA_VERT) & 0x1ffff,
        .block = call_value(call, G80_3D_ZETA_BLOCK_DIMENSIONS) & 0xfff,
        .layers = CALL_FIELD(call, G80_3D_ZETA_ARRAY_MODE, LAYERS),
        .layer_stride = (uint64_t)call_value(call, G80_3D_ZETA_LAYER_STRIDE) << 2,
        .layer = layer_of(call),
        .order = call->engine->fifo->chip->gob_order,
    };
}

static void tesla_clear_set_area(const struct call *call, struct clear *clear) {
    clear->area =
        clear_box_of_size(call_value(call, G80_3D_SCREEN_SCISSOR_HORIZ), call_value(call, G80_3D_SCREEN_SCISSOR_VERT));
    if (call_value(call, G80_3D_CLEAR_FLAGS) & FLAG_VIEWPORT)
        clear_box_and(&clear->area, clear_box_of_size(call_value(call, G80_3D_VIEWPORT_HORIZ(0)),
                                                      call_value(call, G80_3D_VIEWPORT_VERT(0))));
    else if (call_value(call, G80_3D_SCISSOR_ENABLE(0)) & 1)
        clear_box_and(&clear->area, clear_box_of_bounds(call_value(call, G80_3D_SCISSOR_HORIZ(0)),
                                                        call_value(call, G80_3D_SCISSOR_VERT(0))));
}

/* The masks of stencil are the other way round than on Fermi: this is the one of writes. */
static const struct clear_family family = {.allowed = render_allowed_g80,
                                           .set_area = tesla_clear_set_area,
                                           .color_target = tesla_clear_color_target,
                                           .zeta_target = tesla_clear_zeta_target,
                                           .control = G80_3D_CLEAR_FLAGS,
                                           .stencil_mask = G80_3D_STENCIL_FRONT_MASK};

const struct action clear_g80_actions[] = {
    {.method = G80_3D_CLEAR_BUFFERS, .type = ACTION_EFFECT, .run = clear_targets, .argument = &family},
    {.method = G80_3D_CLIPID_FILL, .type = ACTION_NOT_EXECUTED},
    {0}};
