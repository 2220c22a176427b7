/* SPDX-License-Identifier: MIT */
/* Which class is of which kind: tables for each generation. */
#include "engine/kinds.h"

#include <assert.h>

#include "chip/units.h"
#include "engine/core/kinds.h"

/* clang-format off */
#define ONE(id, kind)             {id, id, 0xffff, &(kind)}
#define FAMILY(first, last, kind) {first, last, 0x00ff, &(kind)}
/* clang-format on */

/* NV1 and NV3, by the class that names the type of object. */
static const struct class_range nv1_ranges[] = {
    ONE(0x001a, kind_nv1_point),     ONE(0x001b, kind_nv1_line),     ONE(0x001c, kind_nv1_line),
    ONE(0x001d, kind_nv1_triangle),  ONE(0x001e, kind_nv1_rect),     ONE(0x001f, kind_nv1_blit),
    ONE(0x0021, kind_nv1_image),     ONE(0x0022, kind_nv1_bitmap),   ONE(0x0020, kind_nv1_memory),
    ONE(0x0025, kind_nv1_memory),    ONE(0x0023, kind_nv1_textured), ONE(0x0024, kind_nv1_textured),
    ONE(0x0034, kind_nv1_textured),  ONE(0x0035, kind_nv1_textured), ONE(0x004b, kind_nv3_gdi),
    ONE(0x0036, kind_nv3_stretched), ONE(0x0037, kind_nv3_scaled),   ONE(0x0048, kind_nv3_triangles),
    ONE(0x0047, kind_nv3_zpoint),    ONE(0x0039, kind_nv3_m2mf),
};

/* For what no row names: units that run firmware take any class. */
static const struct kind *const firmware_kinds[CHIP_UNIT_COUNT] = {
    [CHIP_UNIT_PVLD] = &kind_vld,     [CHIP_UNIT_PPDEC] = &kind_pdec, [CHIP_UNIT_PPPP] = &kind_ppp,
    [CHIP_UNIT_PVCOMP] = &kind_vcomp, [CHIP_UNIT_PVENC] = &kind_venc, [CHIP_UNIT_PVDEC] = &kind_nvdec,
};

/* PGRAPH of NV4 .. MCP89. */
static const struct class_range nv4_ranges[] = {
    ONE(0x0012, kind_nv4_beta),
    ONE(0x0043, kind_nv4_rop),
    ONE(0x0072, kind_nv4_beta4),
    ONE(0x0017, kind_nv1_chroma),
    ONE(0x0057, kind_nv4_chroma),
    ONE(0x0018, kind_nv1_pattern),
    ONE(0x0044, kind_nv4_pattern),
    ONE(0x0019, kind_nv4_clip),
    ONE(0x0042, kind_nv4_surface),
    FAMILY(0x0062, 0x3062, kind_nv4_surface),
    ONE(0x5062, kind_g80_surface),
    ONE(0x0052, kind_nv4_swizzled),
    FAMILY(0x009e, 0x309e, kind_nv4_swizzled),
    ONE(0x0058, kind_nv3_surface),
    ONE(0x0059, kind_nv3_surface),

    ONE(0x001e, kind_nv4_old_rect),
    ONE(0x005e, kind_nv4_rect),
    ONE(0x001d, kind_nv4_old_triangle),
    ONE(0x005d, kind_nv4_triangle),
    ONE(0x001c, kind_nv4_old_line),
    FAMILY(0x005c, 0x305c, kind_nv4_line),
    ONE(0x004a, kind_nv4_gdi),
    ONE(0x004b, kind_nv4_gdi3),
    ONE(0x001f, kind_nv4_old_blit),
    ONE(0x005f, kind_nv4_blit),
    ONE(0x009f, kind_nv15_blit),
    ONE(0x0021, kind_nv4_old_image),
    ONE(0x0061, kind_nv4_image),
    ONE(0x0065, kind_nv4_image),
    FAMILY(0x008a, 0x308a, kind_nv4_image),
    FAMILY(0x007b, 0x307b, kind_nv10_texture),
    ONE(0x0060, kind_nv4_index),
    FAMILY(0x0064, 0x3064, kind_nv5_index),
    ONE(0x0036, kind_nv4_old_stretched),
    ONE(0x0076, kind_nv4_stretched),
    FAMILY(0x0066, 0x3066, kind_nv4_stretched),
    ONE(0x0037, kind_nv4_old_scaled),
    ONE(0x0077, kind_nv4_scaled),
    ONE(0x0063, kind_nv5_scaled),
    FAMILY(0x0089, 0x3089, kind_nv10_scaled),
    ONE(0x5089, kind_g80_scaled),

    ONE(0x0038, kind_nv4_subpicture),
    ONE(0x0088, kind_nv4_subpicture),
    ONE(0x0048, kind_nv3_3d),
    ONE(0x0054, kind_nv4_3d5),
    ONE(0x0094, kind_nv4_3d5),
    ONE(0x0055, kind_nv4_3d6),
    ONE(0x0095, kind_nv4_3d6),
    ONE(0x0056, kind_celsius_3d),
    ONE(0x0096, kind_celsius_3d),
    ONE(0x0098, kind_celsius_3d),
    ONE(0x0099, kind_celsius_3d),
    ONE(0x0097, kind_kelvin_3d),
    ONE(0x0597, kind_kelvin_3d),
    ONE(0x0397, kind_rankine_3d),
    ONE(0x0497, kind_rankine_3d),
    ONE(0x0697, kind_rankine_3d),
    ONE(0x3597, kind_rankine_3d),
    FAMILY(0x4097, 0x4497, kind_curie_3d),
    ONE(0x0039, kind_nv4_m2mf),

    FAMILY(0x5097, 0x8697, kind_tesla_3d),
    FAMILY(0x50c0, 0x85c0, kind_tesla_compute),
    ONE(0x502d, kind_tesla_2d),
    ONE(0x5039, kind_tesla_m2mf),
};

/* PGRAPH of GF100 and later. */
static const struct class_range gf100_ranges[] = {
    FAMILY(0x9097, 0x9297, kind_fermi_3d),
    FAMILY(0xa097, 0xa197, kind_kepler_3d),
    FAMILY(0xa297, 0xb197, kind_gk20a_3d),
    FAMILY(0xc097, 0xc497, kind_gp100_3d),
    FAMILY(0xc597, 0xc697, kind_tu102_3d),
    FAMILY(0xc797, 0xc997, kind_ga102_3d),
    FAMILY(0xcb97, 0xff97, kind_hopper_3d),
    FAMILY(0x90c0, 0x91c0, kind_fermi_compute),
    FAMILY(0xa0c0, 0xb1c0, kind_kepler_compute),
    FAMILY(0xc0c0, 0xc4c0, kind_pascal_compute),
    ONE(0xc5c0, kind_tu102_compute),
    ONE(0xc6c0, kind_ga100_compute),
    FAMILY(0xc7c0, 0xc9c0, kind_ga102_compute),
    FAMILY(0xcbc0, 0xffc0, kind_hopper_compute),
    FAMILY(0x902d, 0xff2d, kind_fermi_2d),
    ONE(0x9039, kind_fermi_m2mf),
    ONE(0xa040, kind_gk104_inline),
    FAMILY(0xa140, 0xff40, kind_gk110_inline),
};

/* The other units, from NV4 on. */
static const struct class_range unit_ranges[] = {
    ONE(0x85b5, kind_gt215_copy),
    ONE(0x90b5, kind_fermi_copy),
    ONE(0x90b8, kind_fermi_copy),
    ONE(0xa0b5, kind_gk104_copy),
    ONE(0xb0b5, kind_gm107_copy),
    ONE(0xc0b5, kind_gp100_copy),
    FAMILY(0xc1b5, 0xc6b5, kind_gp102_copy),
    ONE(0xc7b5, kind_ga102_copy),
    FAMILY(0xc8b5, 0xc9b5, kind_hopper_copy),
    FAMILY(0xcab5, 0xffb5, kind_gb100_copy),

    ONE(0x3174, kind_mpeg),
    ONE(0x8274, kind_g84_mpeg),
    ONE(0x4075, kind_me),
    ONE(0x4176, kind_vp1),
    ONE(0x7476, kind_vp2),
    ONE(0x74b0, kind_bsp),
    ONE(0x74c1, kind_cipher),
    ONE(0x88b4, kind_sec),
    FAMILY(0x85b1, 0x95b1, kind_vld),
    FAMILY(0x85b2, 0x95b2, kind_pdec),
    FAMILY(0x85b3, 0x95b3, kind_ppp),
    FAMILY(0xa0b0, 0xc6b0, kind_nvdec),
    FAMILY(0xc7b0, 0xffb0, kind_ga102_nvdec),
    FAMILY(0xc0b7, 0xc6b7, kind_nvenc),
    FAMILY(0xc7b7, 0xc8b7, kind_ga102_nvenc),
    FAMILY(0xc9b7, 0xffb7, kind_ad102_nvenc),
    FAMILY(0xc9d1, 0xffd1, kind_nvjpg),
    FAMILY(0xe7d0, 0xffd0, kind_tegra_nvjpg),
};

#define ROWS(table) (sizeof(table) / sizeof((table)[0]))
#define NV4_UNITS                                                                                                      \
    .units = unit_ranges, .unit_count = ROWS(unit_ranges), .other = &kind_plain, .other_of = firmware_kinds

static_assert(ROWS(nv4_ranges) + ROWS(gf100_ranges) + ROWS(unit_ranges) + CHIP_UNIT_COUNT < ENGINE_MAX_KINDS,
              "the engine has an index for each kind");

const struct class_table classes_nv1 = {.graph = nv1_ranges,
                                        .graph_count = ROWS(nv1_ranges),
                                        .units = nv1_ranges,
                                        .unit_count = ROWS(nv1_ranges),
                                        .other_graph = &kind_nv1_object,
                                        .other = &kind_nv1_object,
                                        .other_of = firmware_kinds};
const struct class_table classes_nv4 = {
    .graph = nv4_ranges, .graph_count = ROWS(nv4_ranges), .other_graph = &kind_nv4_object, NV4_UNITS};
const struct class_table classes_gf100 = {
    .graph = gf100_ranges, .graph_count = ROWS(gf100_ranges), .other_graph = &kind_plain, NV4_UNITS};
