/* SPDX-License-Identifier: MIT */
/*
 * Two-dimensional objects of NV1 and NV3 (and NV3's GDI on NV4), and the 3D objects before Kelvin: all draw, nothing is
 * executed. 2D drawing on NV4 and later is in twod/nv4_*.c. Where data words follow (images, characters),
 * the method that starts the drawing reports itself, not each word.
 *
 * Sources: envytools rnndb/graph/nv1_solid.xml, nv1_ifc.xml, nv3_gdi.xml, nv10_3d.xml, nv4_3d.xml, docs/hw/graph/2d,
 * hwtest/pgraph_class_sifm.cc.
 */
#include "engine/kinds.h"
#include "engine/sync/notify.h"
#include "fifo/fifo.h"
#include "unit/graph/graph.h"

static const struct action rect_actions[] = {
    {.method = 0x404, .count = 16, .stride = 8, .type = ACTION_NOT_EXECUTED}, /* size */
    {0}};

static const struct action triangle_actions[] = {
    {.method = 0x318, .type = ACTION_NOT_EXECUTED},                           /* third point */
    {.method = 0x334, .type = ACTION_NOT_EXECUTED},                           /* third point, 32 bits */
    {.method = 0x400, .count = 32, .type = ACTION_NOT_EXECUTED},              /* mesh: a point */
    {.method = 0x484, .count = 16, .stride = 8, .type = ACTION_NOT_EXECUTED}, /* mesh, 32 bits: a point */
    {.method = 0x50c, .count = 8, .stride = 16, .type = ACTION_NOT_EXECUTED}, /* coloured: third point */
    {.method = 0x584, .count = 16, .stride = 8, .type = ACTION_NOT_EXECUTED}, /* coloured mesh: a point */
    {0}};

static const struct action line_actions[] = {
    {.method = 0x404, .count = 16, .stride = 8, .type = ACTION_NOT_EXECUTED}, /* second point */
    {.method = 0x48c, .count = 8, .stride = 16, .type = ACTION_NOT_EXECUTED}, /* second point, 32 bits */
    {.method = 0x500, .count = 32, .type = ACTION_NOT_EXECUTED},              /* polyline: a point */
    {.method = 0x584, .count = 16, .stride = 8, .type = ACTION_NOT_EXECUTED}, /* polyline, 32 bits: a point */
    {.method = 0x604, .count = 16, .stride = 8, .type = ACTION_NOT_EXECUTED}, /* coloured polyline: a point */
    {0}};

static const struct action gdi_actions[] = {
    {.method = 0x404, .count = 64, .stride = 8, .type = ACTION_NOT_EXECUTED}, /* rectangle: size */
    {.method = 0x804, .count = 64, .stride = 8, .type = ACTION_NOT_EXECUTED}, /* clipped: right, bottom */
    {.method = 0xbfc, .type = ACTION_NOT_EXECUTED},                           /* transparent bitmap: point */
    {.method = 0xffc, .type = ACTION_NOT_EXECUTED},                           /* stretched one: point */
    {.method = 0x13fc, .type = ACTION_NOT_EXECUTED},                          /* bitmap: point */
    {0}};

static const struct action blit_actions[] = {{.method = 0x308, .type = ACTION_NOT_EXECUTED}, {0}};
static const struct action image_actions[] = {{.method = 0x30c, .type = ACTION_NOT_EXECUTED}, {0}};     /* size in */
static const struct action stretched_actions[] = {{.method = 0x318, .type = ACTION_NOT_EXECUTED}, {0}}; /* point */

/* NV3's scaled images: a plane's offset more with YUV420, and the point in a method of its own. */
#define SCALED_POINT        0x40cu
#define SCALED_OFFSET_2     0x410u
#define SCALED_POINT_YUV420 0x414u

static bool is_yuv420(const struct call *call) {
    return graph_is_yuv420(call->engine->graph);
}

static enum action_result scaled_point(struct call *call) {
    if (!is_yuv420(call))
        call_not_executed(call);
    return ACTION_DONE;
}

static enum action_result scaled_yuv420(struct call *call) {
    if (!is_yuv420(call))
        return notify_refuse_nv1(call);
    if (call->method == SCALED_POINT_YUV420)
        call_not_executed(call);
    return ACTION_DONE;
}

static const struct action scaled_actions[] = {
    {.method = SCALED_POINT, .type = ACTION_EFFECT, .run = scaled_point},
    {.method = SCALED_OFFSET_2, .count = 2, .type = ACTION_EFFECT, .run = scaled_yuv420},
    {0}};

/* UNKNOWN: which method of a DVD subpicture draws; chosen: the last one, OVERLAY_POINT. */
static const struct action subpicture_actions[] = {{.method = 0x33c, .type = ACTION_NOT_EXECUTED}, {0}};
static const struct action triangles_nv3[] = {{.method = 0x1000, .count = 0x400, .type = ACTION_NOT_EXECUTED}, {0}};
static const struct action triangles_5[] = {{.method = 0x600, .count = 64, .type = ACTION_NOT_EXECUTED}, {0}};
static const struct action triangles_6[] = {{.method = 0x540, .count = 48, .type = ACTION_NOT_EXECUTED}, {0}};

static const struct action celsius_actions[] = {
    {.method = 0x0dfc, .type = ACTION_NOT_EXECUTED_BEGIN},
    {.method = 0x13fc, .type = ACTION_NOT_EXECUTED_BEGIN},
    {.method = 0x0d6c, .type = ACTION_NOT_EXECUTED}, /* HIERZ_BUFFER_CLEAR */
    {0}};

/* ---- NV1 and NV3: the same methods start the drawing ---- */

static const struct action point_actions[] = {
    {.method = 0x400, .count = 32, .type = ACTION_NOT_EXECUTED},              /* a point */
    {.method = 0x484, .count = 16, .stride = 8, .type = ACTION_NOT_EXECUTED}, /* a point, 32 bits */
    {.method = 0x504, .count = 16, .stride = 8, .type = ACTION_NOT_EXECUTED}, /* a coloured point */
    {0}};
static const struct action bitmap_actions[] = {{.method = 0x318, .type = ACTION_NOT_EXECUTED}, {0}};   /* size in */
static const struct action memory_actions[] = {{.method = 0x314, .type = ACTION_NOT_EXECUTED}, {0}};   /* offset */
static const struct action textured_actions[] = {{.method = 0x310, .type = ACTION_NOT_EXECUTED}, {0}}; /* a corner */
static const struct action zpoint_actions[] = {
    {.method = 0x804, .count = 256, .stride = 8, .type = ACTION_NOT_EXECUTED}, {0}}; /* depth of a point */

#define NV1_KIND(kind_name, text, actions)                                                                             \
    const struct kind kind_name = {                                                                                    \
        .name = (text), .role = ROLE_NONE, .bound_in_registers = true, .groups = {notify_nv1_actions, (actions)}}

const struct kind kind_nv1_object = {
    .name = "object", .role = ROLE_NONE, .bound_in_registers = true, .groups = {notify_nv1_actions}};
NV1_KIND(kind_nv1_point, "point", point_actions);
NV1_KIND(kind_nv1_line, "line", line_actions);
NV1_KIND(kind_nv1_triangle, "triangle", triangle_actions);
NV1_KIND(kind_nv1_rect, "rectangle", rect_actions);
NV1_KIND(kind_nv1_blit, "blit", blit_actions);
NV1_KIND(kind_nv1_image, "image from CPU", image_actions);
NV1_KIND(kind_nv1_bitmap, "bitmap from CPU", bitmap_actions);
NV1_KIND(kind_nv1_memory, "image from or to memory", memory_actions);
const struct kind kind_nv1_textured = {.name = "textured quad",
                                       .role = ROLE_NONE,
                                       .bound_in_registers = true,
                                       .groups = {notify_nv1_any_actions, textured_actions}};
NV1_KIND(kind_nv3_gdi, "GDI", gdi_actions);
NV1_KIND(kind_nv3_stretched, "stretched image from CPU", stretched_actions);
NV1_KIND(kind_nv3_scaled, "scaled image from memory", scaled_actions);
NV1_KIND(kind_nv3_triangles, "3D", triangles_nv3);
NV1_KIND(kind_nv3_zpoint, "points with depth", zpoint_actions);

/* ---- NV4 and later ---- */

#define NV4_KIND(kind_name, text, actions)                                                                             \
    const struct kind kind_name = {.name = (text), .role = ROLE_NONE, .groups = {notify_nv4_actions, (actions)}}

const struct kind kind_plain = {.name = "plain", .role = ROLE_NONE};
const struct kind kind_nv4_object = {.name = "object", .role = ROLE_NONE, .groups = {notify_nv4_actions}};
NV4_KIND(kind_nv4_subpicture, "DVD subpicture", subpicture_actions);
NV4_KIND(kind_nv3_3d, "NV3 3D", triangles_nv3);
NV4_KIND(kind_nv4_3d5, "NV4 3D", triangles_5);
NV4_KIND(kind_nv4_3d6, "NV4 3D, two textures", triangles_6);
NV4_KIND(kind_celsius_3d, "Celsius 3D", celsius_actions);
