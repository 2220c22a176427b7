/* SPDX-License-Identifier: MIT */
/*
 * 3D objects of Fermi and later. Fences and queries are reports (report.c), draws are in engine/draw/methods_gf100.c.
 *
 * Sources: NVIDIA open-gpu-doc classes/3d; envytools rnndb/graph/gf100_3d.xml, docs/hw/graph/fermi/macro.rst.
 */
#include "engine/copy/inline.h"
#include "engine/draw/object.h"
#include "engine/graph/clear.h"
#include "engine/graph/constants.h"
#include "engine/graph/render.h"
#include "engine/kinds.h"
#include "engine/core/shadow.h"

/*
 * FALCON(4): the firmware writes a register of PGRAPH and says so in scratch word 0. Programs put value and mask in
 * scratch words 1 and 2 and wait in a macro. UNKNOWN: what other FALCON methods answer; chosen: nothing.
 */
static enum action_result firmware_call(struct call *call) {
    shadow_set(call->object, 0x3400 >> 2, 1);
    return ACTION_DONE;
}

static const struct action firmware_actions[] = {{.method = 0x2310, .type = ACTION_INSIDE, .run = firmware_call}, {0}};

/* The first word of these is where it starts; the count draws. */
static const struct action draw_tu102_actions[] = {
    {.method = 0x026c, .type = ACTION_EFFECT, .run = draw_gf100}, /* DRAW_INDEX_BUFFER_BEGIN_END_B */
    {.method = 0x0274, .type = ACTION_EFFECT, .run = draw_gf100}, /* DRAW_VERTEX_ARRAY_BEGIN_END_B */
    {0}};

/* The semaphore of another GPU: there is no other GPU. */
static const struct action peer_actions[] = {{.method = 0x02f0, .type = ACTION_NOT_EXECUTED}, {0}};

/*
 * INCREMENT_SYNC_POINT: [11:0] which one; work before it is done. UNKNOWN: what chips without syncpoints do, and one
 * that is not there; chosen: nothing, and it says so.
 */
static enum action_result sync_point(struct call *call) {
    if (!fifo_increment_syncpoint(call->engine->fifo, call->data & 0xfff))
        call_not_executed(call);
    return ACTION_DONE;
}

static const struct action sync_point_actions[] = {{.method = 0x02c8, .type = ACTION_EFFECT, .run = sync_point}, {0}};

#define FLOAT_ONE 0x3f800000u

/*
 * What methods that are read here are in a new context. UNKNOWN: the hardware's own values; chosen: what nouveau writes
 * (nvkm/engine/gr/ctxgf100.c), and no condition.
 */
static const struct method_reset resets[] = {PREDICATE_RESET(0x138),
                                             PREDICATE_RESET(0x1558),
                                             {0x30c, 1},
                                             /* colour targets, the first of which has a format */
                                             {0x808, 0x400, 8, 64},
                                             {0x80c, 0x300, 8, 64},
                                             {0x814, 0x40, 8, 64},
                                             {0x818, 1, 8, 64},
                                             {0x810, 0xcf},
                                             CLEAR_ZETA_RESETS,
                                             /* what bounds clears */
                                             {0x10f8, 0x1010},
                                             {0xd6c, 0xffff0000},
                                             {0xd70, 0xffff0000},
                                             {0xe04, 0xffff0000},
                                             {0xe08, 0xffff0000},
                                             {0xd00, 0xffff0000, 8, 8},
                                             {0xd04, 0xffff0000, 8, 8},
                                             /* clip ids */
                                             {0x2d8, 0x40},
                                             {0x1504, 0x80},
                                             {0x1508, 0x80000000},
                                             {0x150c, 0x40000000},
                                             {0x1980, 0x80},
                                             /* draws: what is not here is 0 */
                                             {0x300, 1},
                                             {0x37c, 1},
                                             {0xc0c, FLOAT_ONE, 16, 16},
                                             {0xd68, 0xffff},
                                             {0xdac, 0x1b02, 2, 4},
                                             {0xdcc, 0x10},
                                             {0xfac, 1},
                                             {0xfbc, 0xffff, 4, 4},
                                             {0x1110, 1},
                                             {0x1160, 0x25e00040, 32, 4},
                                             {0x121c, 0xfac6881},
                                             {0x12d4, 2},
                                             {0x130c, 1},
                                             {0x1314, 1},
                                             {0x133c, 1},
                                             {0x1340, 1},
                                             {0x1344, 2},
                                             {0x1348, 1},
                                             {0x134c, 1},
                                             {0x1350, 2},
                                             {0x1358, 1},
                                             {0x1384, 1, 4, 4},
                                             {0x13b0, FLOAT_ONE, 2, 4},
                                             {0x1564, 0xfff},
                                             {0x157c, 0xfffff},
                                             {0x1598, 1, 4, 4},
                                             {0x15e4, 1},
                                             {0x1610, 0x12},
                                             {0x165c, 1},
                                             {0x1680, 0xffff00},
                                             {0x16b4, 3},
                                             {0x17d0, 0xff},
                                             {0x17d4, 0xffffffff},
                                             {0x17d8, 2},
                                             {0x1910, 0x290},
                                             {0x191c, 0x900},
                                             {0x1920, 0x405},
                                             {0x192c, 1},
                                             {0x193c, 0x2c1c},
                                             {0x19c8, 0x1500},
                                             {0x1a00, 0x1111},
                                             {0x1e00, 1, 8, 32},
                                             {0x1e04, 1, 8, 32},
                                             {0x1e08, 2, 8, 32},
                                             {0x1e0c, 1, 8, 32},
                                             {0x1e10, 1, 8, 32},
                                             {0x1e14, 2, 8, 32},
                                             {0x1e18, 1, 8, 32},
                                             {0x2040, 0x11},
                                             {0x2080, 0x20},
                                             {0x2090, 1},
                                             {0x20c0, 0x30},
                                             {0x20d0, 2},
                                             {0x2100, 0x40},
                                             {0x2110, 3},
                                             {0x2140, 0x51},
                                             {0x2150, 4},
                                             {0}};

/*
 * What writes to memory, and is not known well enough to do. UNKNOWN: which method of SET_BACK_END_COPY (GP100 and
 * later) starts the copy; chosen: the last of them.
 */
static const struct action zcull_actions[] = {{.method = 0x1464, .type = ACTION_NOT_EXECUTED}, {0}}; /* STORE_ZCULL */
static const struct action back_end_actions[] = {{.method = 0x1274, .type = ACTION_NOT_EXECUTED}, {0}};

/* Each generation has what the one before it has. */
#define FERMI_GROUPS                                                                                                   \
    notify_gf100_actions, macro_actions, report_gf100_actions, counters_gf100_actions, firmware_actions,               \
        draw_gf100_actions, clear_gf100_actions, constants_gf100_actions, peer_actions, zcull_actions
#define KEPLER_GROUPS FERMI_GROUPS, inline_gk104_actions
#define GK20A_GROUPS  KEPLER_GROUPS, sync_point_actions
#define GP100_GROUPS  GK20A_GROUPS, back_end_actions
#define TU102_GROUPS  GP100_GROUPS, draw_tu102_actions, macro_dma_actions
#define GA102_GROUPS  TU102_GROUPS, report_ga102_actions

#define KIND_3D(text, address_bits, ...)                                                                               \
    { .name = (text), .role = ROLE_3D, .resets = resets, .report_bits = (address_bits), __VA_ARGS__ }
#define INLINE(address_bits, level)                                                                                    \
    .inline_bits = (address_bits), .reports = (level), .parts = {&constants_gf100_part, &draw_object_part, INLINE_PARTS}

const struct kind kind_fermi_3d =
    KIND_3D("Fermi 3D", 8, .parts = {&constants_gf100_part, &draw_object_part}, .groups = {FERMI_GROUPS});
const struct kind kind_kepler_3d = KIND_3D("Kepler 3D", 8, INLINE(8, REPORTS_GK104), .groups = {KEPLER_GROUPS});
const struct kind kind_gk20a_3d = KIND_3D("GK20A 3D", 8, INLINE(8, REPORTS_GK104), .groups = {GK20A_GROUPS});
const struct kind kind_gp100_3d = KIND_3D("GP100 3D", 8, INLINE(8, REPORTS_GK104), .groups = {GP100_GROUPS});
const struct kind kind_tu102_3d = KIND_3D("TU102 3D", 8, INLINE(8, REPORTS_TU102), .groups = {TU102_GROUPS});
const struct kind kind_ga102_3d = KIND_3D("GA102 3D", 8, INLINE(8, REPORTS_GA102), .groups = {GA102_GROUPS});
const struct kind kind_hopper_3d = KIND_3D("Hopper 3D", 25, INLINE(25, REPORTS_GA102), .groups = {GA102_GROUPS});
