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

/* What begins a draw; what stands between BEGIN and END is part of it, and says nothing of its own. */
static const struct action draw_actions[] = {
    {.method = 0x15dc, .type = ACTION_EFFECT, .run = draw_g80}, /* VERTEX_BEGIN_GL */
    {.method = 0x15d4, .type = ACTION_EFFECT, .run = draw_g80}, /* VERTEX_BEGIN_D3D */
    {0}};

/* QUERY_GET of compute, in DMA_QUERY: bit 9 interrupts, 15 writes one word. The header names all else unused. */
static enum action_result compute_query(struct call *call) {
    struct dma_address target = {call_value(call, 0x1a4), call_address(call, 0x310, 0x314, 8)};
    bool one_word = call->data >> 15 & 1;
    bool written = report_release(call, target, call_value(call, 0x318), one_word ? REPORT_ONE_WORD : REPORT_FOUR_WORDS,
                                  one_word ? "fence" : "query");
    if (written && (call->data >> 9 & 1))
        call_interrupt(call, "AWAKEN");
    return ACTION_DONE;
}

static const struct action compute_actions[] = {
    {.method = 0x31c, .type = ACTION_EFFECT, .run = compute_query},
    {.method = 0x368, .type = ACTION_EFFECT, .run = launch_g80},
    {.method = 0x600, .count = 64, .type = ACTION_EFFECT, .run = launch_g80_parameter},
    {0}};

/* As nouveau's contexts have it (nvkm/engine/gr/ctxnv50.c), and no condition. */
static const struct method_reset resets[] = {PREDICATE_RESET(0x1558),
                                             /* colour targets, the first of which has a format */
                                             {0x20c, 0x40, 8, 32},
                                             {0x1240, 0x400, 8, 8},
                                             {0x1244, 0x300, 8, 8},
                                             {0x208, 0xcf},
                                             {0x1224, 1},
                                             CLEAR_ZETA_RESETS,
                                             /* windows */
                                             {0xd00, 0x20000000, 8, 8},
                                             {0xd04, 0x20000000, 8, 8},
                                             {0}};

const struct kind kind_tesla_3d = {.name = "Tesla 3D",
                                   .role = ROLE_3D,
                                   .report_bits = 8,
                                   .resets = resets,
                                   .parts = {&constants_g80_part},
                                   .groups = {notify_nv4_actions, report_g80_actions, counters_g80_actions,
                                              draw_actions, clear_g80_actions, constants_g80_actions}};
static const struct method_reset compute_resets[] = {PREDICATE_RESET(0x328), {0}};

const struct kind kind_tesla_compute = {.name = "Tesla compute",
                                        .role = ROLE_COMPUTE,
                                        .resets = compute_resets,
                                        .report_bits = 8,
                                        .parts = {&constants_g80_part},
                                        .groups = {notify_nv4_actions, compute_actions, constants_g80_compute_actions}};
