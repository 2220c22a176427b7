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

#define FLAGS         0x143cu
#define FLAG_VIEWPORT (1u << 4)

static uint32_t layer_of(const struct call *call) {
    return call->data >> 10 & 0x7ff;
}

static struct clear_target tesla_clear_color_target(const struct call *call, unsigned number) {
    uint32_t at = 0x200 + number * 32, horizontal = call_value(call, 0x1240 + number * 8);
    uint32_t mode = call_value(call, 0x1224);
    return (struct clear_target){
        .space = call_space(call, call_value(call, 0x1c0 + number * 4)),
        .address = call_address(call, at, at + 4, 8),
        .format = call_value(call, at + 8) & 0xff,
        .pitch = horizontal >> 31,
        .width = horizontal & 0xfffffff,
        .height = call_value(call, 0x1244 + number * 8) & 0x1ffff,
        .block = call_value(call, at + 0xc) & 0xfff,
        .is_3d = mode >> 16 & 1,
        .layers = mode & 0xffff,
        .layer_stride = (uint64_t)call_value(call, at + 0x10) << 2,
        .layer = layer_of(call),
        .order = call->engine->fifo->chip->gob_order,
    };
}

static struct clear_target tesla_clear_zeta_target(const struct call *call) {
    return (struct clear_target){
        .space = call_space(call, call_value(call, 0x184)),
        .address = call_address(call, 0xfe0, 0xfe4, 8),
        .format = call_value(call, 0xfe8) & 0x1f,
        .width = call_value(call, 0x1228) & 0xfffffff,
        .height = call_value(call, 0x122c) & 0x1ffff,
        .block = call_value(call, 0xfec) & 0xfff,
        .layers = call_value(call, 0x1230) & 0xffff,
        .layer_stride = (uint64_t)call_value(call, 0xff0) << 2,
        .layer = layer_of(call),
        .order = call->engine->fifo->chip->gob_order,
    };
}

static void tesla_clear_set_area(const struct call *call, struct clear *clear) {
    clear->area = clear_box_of_size(call_value(call, 0xff4), call_value(call, 0xff8));
    if (call_value(call, FLAGS) & FLAG_VIEWPORT)
        clear_box_and(&clear->area, clear_box_of_size(call_value(call, 0xc00), call_value(call, 0xc04)));
    else if (call_value(call, 0xe00) & 1)
        clear_box_and(&clear->area, clear_box_of_bounds(call_value(call, 0xe04), call_value(call, 0xe08)));
}

/* The masks of stencil are the other way round than on Fermi: this is the one of writes. */
static const struct clear_family family = {.allowed = render_allowed_g80,
                                           .set_area = tesla_clear_set_area,
                                           .color_target = tesla_clear_color_target,
                                           .zeta_target = tesla_clear_zeta_target,
                                           .control = FLAGS,
                                           .stencil_mask = 0x1398};

const struct action clear_g80_actions[] = {
    {.method = 0x19d0, .type = ACTION_EFFECT, .run = clear_targets, .argument = &family},
    {.method = 0x19d4, .type = ACTION_NOT_EXECUTED}, /* CLIPID_FILL */
    {0}};
