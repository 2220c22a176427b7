/* SPDX-License-Identifier: MIT */
/* All kinds of classes, and the groups of rows that they share: what the folders of src/engine/ give to its tables. */
#ifndef PFIFO_SRC_ENGINE_KINDS_H
#define PFIFO_SRC_ENGINE_KINDS_H

#include "engine/core/action.h"

struct class_table;

/* Groups of rows that kinds share. */
extern const struct action notify_nv1_actions[];     /* notify.c: every graph object of NV1 and NV3, */
extern const struct action notify_nv1_any_actions[]; /* but for NV1's textured quads */
extern const struct action notify_nv4_actions[];     /* notify.c: every graph object from there, before GF100 */
extern const struct action notify_gf100_actions[];   /* notify.c: every graph object from there */
extern const struct action report_g80_actions[];     /* report.c: 0x1b00, in DMA_QUERY at 0x188 */
extern const struct action report_gf100_actions[];   /* report.c: 0x1b00, with reductions if the kind has them */
extern const struct action report_compute_actions[]; /* report.c: 0x1b00, RELEASE and TRAP only */
extern const struct action report_ga102_actions[];   /* report.c: 0x158, 3D */
extern const struct action report_ga102_compute_actions[];
extern const struct action counters_nv20_actions[];  /* counters.c: 0x17c8 */
extern const struct action counters_g80_actions[];   /* counters.c: 0x1530 */
extern const struct action counters_gf100_actions[]; /* counters.c: 0x1530 */
extern const struct action inline_gk104_actions[];   /* inline.c: the window at 0x180 */
extern const struct action clear_g80_actions[];      /* graph/tesla_clear.c */
extern const struct action clear_gf100_actions[];    /* graph/fermi_clear.c */
extern const struct action constants_g80_actions[];  /* graph/constants.c */
extern const struct action constants_g80_compute_actions[];
extern const struct action constants_gf100_actions[];
extern const struct action constants_gf100_compute_actions[];
extern const struct action macro_actions[];     /* macro/machine.c: 0x3800, uploads at 0x114, shadow RAM at 0x124 */
extern const struct action macro_dma_actions[]; /* macro/dma.c: 0x550 */

extern const struct kind kind_plain, kind_nv4_object, kind_nv4_rect, kind_nv4_triangle, kind_nv4_line, kind_nv4_gdi,
    kind_nv4_blit, kind_nv15_blit, kind_nv4_image, kind_nv4_index, kind_nv5_index, kind_nv4_stretched, kind_nv4_scaled,
    kind_nv5_scaled, kind_nv10_scaled, kind_g80_scaled, kind_nv3_3d, kind_nv4_3d5, kind_nv4_3d6;
extern const struct kind kind_nv4_old_rect, kind_nv4_old_blit, kind_nv4_old_line, kind_nv4_old_triangle,
    kind_nv4_old_image, kind_nv4_old_stretched, kind_nv4_old_scaled, kind_nv10_texture;
extern const struct kind kind_nv4_gdi3;
extern const struct kind kind_nv4_clip, kind_nv4_rop, kind_nv4_beta, kind_nv4_beta4, kind_nv1_chroma, kind_nv4_chroma,
    kind_nv1_pattern, kind_nv4_pattern, kind_nv4_surface, kind_g80_surface, kind_nv4_subpicture, kind_nv4_swizzled,
    kind_nv3_surface;
extern const struct kind kind_nv1_object, kind_nv1_point, kind_nv1_line, kind_nv1_triangle, kind_nv1_rect,
    kind_nv1_blit, kind_nv1_image, kind_nv1_bitmap, kind_nv1_memory, kind_nv1_textured, kind_nv3_gdi,
    kind_nv3_stretched, kind_nv3_scaled, kind_nv3_triangles, kind_nv3_zpoint;
extern const struct kind kind_celsius_3d, kind_kelvin_3d, kind_rankine_3d, kind_curie_3d;
extern const struct kind kind_tesla_3d, kind_tesla_compute, kind_tesla_2d;
extern const struct kind kind_fermi_3d, kind_kepler_3d, kind_gk20a_3d, kind_gp100_3d, kind_tu102_3d, kind_ga102_3d,
    kind_hopper_3d, kind_fermi_2d;
extern const struct kind kind_fermi_compute, kind_kepler_compute, kind_pascal_compute, kind_tu102_compute,
    kind_ga100_compute, kind_ga102_compute, kind_hopper_compute;
extern const struct kind kind_nv3_m2mf, kind_nv4_m2mf, kind_tesla_m2mf, kind_fermi_m2mf, kind_gk104_inline,
    kind_gk110_inline;
extern const struct kind kind_gt215_copy, kind_fermi_copy, kind_gk104_copy, kind_gm107_copy, kind_gp100_copy,
    kind_gp102_copy, kind_ga102_copy, kind_hopper_copy, kind_gb100_copy;
extern const struct kind kind_mpeg, kind_g84_mpeg, kind_me, kind_vp1, kind_vp2, kind_bsp, kind_cipher, kind_vld,
    kind_pdec, kind_ppp, kind_vcomp, kind_venc, kind_sec, kind_nvdec, kind_nvenc, kind_ga102_nvdec, kind_ga102_nvenc,
    kind_ad102_nvenc, kind_nvjpg, kind_tegra_nvjpg;

/* Tables of classes (classes.c). */
extern const struct class_table classes_nv1, classes_nv4, classes_gf100;

#endif
