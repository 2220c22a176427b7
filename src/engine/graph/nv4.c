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
#include "methods/nv10_3d.h"
#include "methods/nv1_2d.h"
#include "methods/nv1_3d.h"
#include "methods/nv3_3d.h"
#include "methods/nv4_3d.h"
#include "methods/nv4_dvd.h"
#include "unit/graph/graph.h"

static const struct action rect_actions[] = {
    {.method = NV1_RECT_RECTANGLE_WH(0), .count = 16, .stride = 8, .type = ACTION_NOT_EXECUTED}, {0}};

static const struct action triangle_actions[] = {
    {.method = NV1_TRI_TRIANGLE_XY_2, .type = ACTION_NOT_EXECUTED},
    {.method = NV1_TRI_TRIANGLE32_Y_2, .type = ACTION_NOT_EXECUTED},
    {.method = NV1_TRI_TRIMESH_XY(0), .count = 32, .type = ACTION_NOT_EXECUTED},
    {.method = NV1_TRI_TRIMESH32_Y(0), .count = 16, .stride = 8, .type = ACTION_NOT_EXECUTED},
    {.method = NV1_TRI_CTRIANGLE_XY_2(0), .count = 8, .stride = 16, .type = ACTION_NOT_EXECUTED},
    {.method = NV1_TRI_CTRIMESH_XY(0), .count = 16, .stride = 8, .type = ACTION_NOT_EXECUTED},
    {0}};

static const struct action line_actions[] = {
    {.method = NV1_LIN_LINE_XY_1(0), .count = 16, .stride = 8, .type = ACTION_NOT_EXECUTED},
    {.method = NV1_LIN_LINE32_Y_1(0), .count = 8, .stride = 16, .type = ACTION_NOT_EXECUTED},
    {.method = NV1_LIN_POLYLINE_XY(0), .count = 32, .type = ACTION_NOT_EXECUTED},
    {.method = NV1_LIN_POLYLINE32_Y(0), .count = 16, .stride = 8, .type = ACTION_NOT_EXECUTED},
    {.method = NV1_LIN_CPOLYLINE_XY(0), .count = 16, .stride = 8, .type = ACTION_NOT_EXECUTED},
    {0}};

static const struct action gdi_actions[] = {
    {.method = NV3_GDI_UNCLIPPED_RECTANGLE_SIZE(0), .count = 64, .stride = 8, .type = ACTION_NOT_EXECUTED},
    {.method = NV3_GDI_CLIPPED_RECTANGLE_POINT_1(0), .count = 64, .stride = 8, .type = ACTION_NOT_EXECUTED},
    {.method = NV3_GDI_POINT_C, .type = ACTION_NOT_EXECUTED},
    {.method = NV3_GDI_POINT_D, .type = ACTION_NOT_EXECUTED},
    {.method = NV3_GDI_POINT_E, .type = ACTION_NOT_EXECUTED},
    {0}};

static const struct action blit_actions[] = {{.method = NV1_BLIT_SIZE, .type = ACTION_NOT_EXECUTED}, {0}};
static const struct action image_actions[] = {{.method = NV1_IFC_SIZE_IN, .type = ACTION_NOT_EXECUTED}, {0}};
static const struct action stretched_actions[] = {{.method = NV3_SIFC_POINT12D4, .type = ACTION_NOT_EXECUTED}, {0}};

/* NV3's scaled images: a plane's offset more with YUV420, and the point in a method of its own. */
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
    if (call->method == NV3_SIFM_POINT_YUV420)
        call_not_executed(call);
    return ACTION_DONE;
}

static const struct action scaled_actions[] = {
    {.method = NV3_SIFM_POINT, .type = ACTION_EFFECT, .run = scaled_point},
    {.method = NV3_SIFM_OFFSET_YUV420_2, .count = 2, .type = ACTION_EFFECT, .run = scaled_yuv420},
    {0}};

/* UNKNOWN: which method of a DVD subpicture draws; chosen: the last one, OVERLAY_POINT. */
static const struct action subpicture_actions[] = {{.method = NV4_DVD_OVERLAY_POINT, .type = ACTION_NOT_EXECUTED}, {0}};
static const struct action triangles_nv3[] = {
    {.method = NV3_D3D_TLVERTEX_SPECULAR(0), .count = 0x400, .type = ACTION_NOT_EXECUTED}, {0}};
static const struct action triangles_5[] = {
    {.method = NV4_TEXTURED_TRIANGLE_DRAWPRIMITIVE(0), .count = 64, .type = ACTION_NOT_EXECUTED}, {0}};
static const struct action triangles_6[] = {
    {.method = NV4_MULTITEX_TRIANGLE_DRAWPRIMITIVE(0), .count = 48, .type = ACTION_NOT_EXECUTED}, {0}};

static const struct action celsius_actions[] = {{.method = NV10_3D_VERTEX_BEGIN_END, .type = ACTION_NOT_EXECUTED_BEGIN},
                                                {.method = NV10_3D_VTXBUF_BEGIN_END, .type = ACTION_NOT_EXECUTED_BEGIN},
                                                {.method = NV10_3D_HIERZ_BUFFER_CLEAR, .type = ACTION_NOT_EXECUTED},
                                                {0}};

/* ---- NV1 and NV3: the same methods start the drawing ---- */

static const struct action point_actions[] = {
    {.method = NV1_POINT_POINT_XY(0), .count = 32, .type = ACTION_NOT_EXECUTED},
    {.method = NV1_POINT_POINT32_Y(0), .count = 16, .stride = 8, .type = ACTION_NOT_EXECUTED},
    {.method = NV1_POINT_CPOINT_XY(0), .count = 16, .stride = 8, .type = ACTION_NOT_EXECUTED},
    {0}};
static const struct action bitmap_actions[] = {{.method = NV1_BITMAP_SIZE_IN, .type = ACTION_NOT_EXECUTED}, {0}};
static const struct action memory_actions[] = {{.method = NV1_ITM_OFFSET, .type = ACTION_NOT_EXECUTED}, {0}};
static const struct action textured_actions[] = {{.method = NV1_TEXQUAD_VTX_POS_INT(0), .type = ACTION_NOT_EXECUTED},
                                                 {0}};
static const struct action zpoint_actions[] = {
    {.method = NV3_ZPOINT_ZETA(0), .count = 256, .stride = 8, .type = ACTION_NOT_EXECUTED}, {0}};

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
