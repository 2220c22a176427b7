/* SPDX-License-Identifier: MIT */
/*
 * Tesla's objects: 3D, compute. Addresses are offsets in DMA objects.
 *
 * Sources: envytools rnndb/graph/g80_3d.xml, g80_compute.xml; NVIDIA open-gpu-doc classes/compute/cl50c0.h; Mesa
 * src/gallium/drivers/nouveau/nv50.
 */
#include "engine/graph/clear.h"
#include "engine/graph/constants.h"
#include "engine/graph/render.h"
#include "engine/kinds.h"
#include "engine/compute/launch.h"
#include "engine/sync/report.h"
#include "methods/g80_3d.h"
#include "methods/g80_compute.h"

/* What begins a draw; what stands between BEGIN and END is part of it, and says nothing of its own. */
static const struct action draw_actions[] = {
    {.method = G80_3D_VERTEX_BEGIN_GL, .type = ACTION_EFFECT, .run = draw_g80},
    {.method = G80_3D_VERTEX_BEGIN_D3D, .type = ACTION_EFFECT, .run = draw_g80},
    {0}};

/* QUERY_GET of compute, in DMA_QUERY: bit 9 interrupts, 15 writes one word. The header names all else unused. */
static enum action_result compute_query(struct call *call) {
    struct dma_address target = {call_value(call, G80_COMPUTE_DMA_QUERY),
                                 call_address(call, G80_COMPUTE_QUERY_ADDRESS_HIGH, G80_COMPUTE_QUERY_ADDRESS_LOW, 8)};
    bool one_word = call->data >> 15 & 1;
    bool written = report_release(call, target, call_value(call, G80_COMPUTE_QUERY_SEQUENCE),
                                  one_word ? REPORT_ONE_WORD : REPORT_FOUR_WORDS, one_word ? "fence" : "query");
    if (written && (call->data >> 9 & 1))
        call_interrupt(call, "AWAKEN");
    return ACTION_DONE;
}

static const struct action compute_actions[] = {
    {.method = G80_COMPUTE_QUERY_GET, .type = ACTION_EFFECT, .run = compute_query},
    {.method = G80_COMPUTE_LAUNCH, .type = ACTION_EFFECT, .run = launch_g80},
    {.method = G80_COMPUTE_USER_PARAM(0), .count = 64, .type = ACTION_EFFECT, .run = launch_g80_parameter},
    {0}};

/* As nouveau's contexts have it (nvkm/engine/gr/ctxnv50.c), and no condition. */
static const struct method_reset resets[] = {PREDICATE_RESET(G80_3D_COND_MODE),
                                             /* colour targets, the first of which has a format */
                                             RESET_ALL(G80_3D_RT_BLOCK_DIMENSIONS, 0x40),
                                             RESET_ALL(G80_3D_RT_HORIZ, 0x400),
                                             RESET_ALL(G80_3D_RT_VERT, 0x300),
                                             {G80_3D_RT_FORMAT(0), 0xcf},
                                             {G80_3D_RT_ARRAY_MODE, 1},
                                             CLEAR_ZETA_RESETS,
                                             /* windows */
                                             RESET_ALL(G80_3D_CLIP_RECT_HORIZ, 0x20000000),
                                             RESET_ALL(G80_3D_CLIP_RECT_VERT, 0x20000000),
                                             {0}};

const struct kind kind_tesla_3d = {.name = "Tesla 3D",
                                   .role = ROLE_3D,
                                   .report_bits = 8,
                                   .resets = resets,
                                   .parts = {&constants_g80_part},
                                   .groups = {notify_nv4_actions, report_g80_actions, counters_g80_actions,
                                              draw_actions, clear_g80_actions, constants_g80_actions}};
static const struct method_reset compute_resets[] = {PREDICATE_RESET(G80_COMPUTE_COND_MODE), {0}};

const struct kind kind_tesla_compute = {.name = "Tesla compute",
                                        .role = ROLE_COMPUTE,
                                        .resets = compute_resets,
                                        .report_bits = 8,
                                        .parts = {&constants_g80_part},
                                        .groups = {notify_nv4_actions, compute_actions, constants_g80_compute_actions}};
