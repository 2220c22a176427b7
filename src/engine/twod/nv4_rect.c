/* SPDX-License-Identifier: MIT */
/*
 * RECT (1e, 5e): solid rectangles. The size, the second word of each of 16 pairs, draws.
 *
 * All points are one register, so a size without a point of its own draws where the last one was.
 *
 * Sources: envytools docs/hw/graph/2d/solid.rst, hwtest/pgraph_class_solid.cc, pgraph_mthd_xy.cc.
 */
#include "engine/kinds.h"
#include "engine/twod/nv4_solid.h"
#include "methods/nv1_2d.h"

static enum action_result draw_rect(struct call *call) {
    struct nv4_draw draw;
    uint32_t color;
    if (!nv4_solid_open(call, call->action->argument, &draw, &color))
        return ACTION_DONE;
    struct nv4_point point = nv4_solid_point(call, 0);
    struct nv4_box box = nv4_box_at(point.x, point.y, call->data & 0xffff, call->data >> 16);
    return nv4_fill_box(call, &draw, box, color);
}

/* clang-format off */
#define RECT_ACTIONS(slots)                                                                                            \
    NV4_FORMAT_AT(NV4_RECT_COLOR_FORMAT, slots), NV4_SOLID_ROW(NV4_RECT_COLOR, 1, 4, nv4_solid_color),                                          \
    NV4_SOLID_ROW(NV4_RECT_RECTANGLE_XY(0), 16, 8, nv4_solid_first_16),                                                                   \
    NV4_SOLID_DRAWS(NV4_RECT_RECTANGLE_WH(0), 16, 8, draw_rect, slots), {0}
/* clang-format on */

static const struct action actions[] = {NV4_BINDS(NV4_RECT_CLIP, 6, nv4_solid_slots),
                                        NV4_OPERATION_AT(NV4_RECT_OPERATION), RECT_ACTIONS(nv4_solid_slots)};
static const struct action old_actions[] = {NV4_BINDS(NV1_RECT_CLIP, 5, nv4_old_solid_slots),
                                            NV4_OLD_OPERATION_AT(NV1_RECT_OPERATION),
                                            RECT_ACTIONS(nv4_old_solid_slots)};

NV4_KIND(kind_nv4_rect, "rectangle", NV4_SOLID_EXTRA, actions);
NV4_KIND(kind_nv4_old_rect, "rectangle", NV4_SOLID_EXTRA, old_actions);
