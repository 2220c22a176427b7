/* SPDX-License-Identifier: MIT */
/*
 * The video engines of NV31 .. G80: PMPEG (its class 0x8274 also later), PME, PVP1.
 *
 * Modelled:     state, with what PMPEG and PME refuse; PMPEG's query on G84 and later.
 *               PMPEG's DMA objects before G80, which its driver must bind: it refuses the methods.
 * Not modelled: macroblocks, motion estimation, programs.
 * UNKNOWN: what PME's 0x170 refuses ("fffefff0 sort of"); chosen: as 0x174. What is refused is not executed, but read
 * back.
 *
 * Sources: envytools rnndb/vdec/vpe/{mpeg_fifo,me_fifo,vp1_fifo,pmpeg}.xml; nouveau nvkm/engine/mpeg/nv31.c, nv50.c.
 */
#include "engine/core/error.h"
#include "engine/kinds.h"
#include "engine/video/video.h"
#include "fifo/fifo.h"
#include "methods/video.h"

/* What a method takes: no bit outside of `bits`; with `halves`, neither half may be 0. */
struct value_check {
    uint32_t bits;
    uint32_t must; /* be set */
    bool halves;
};

static enum action_result vpe_checked(struct call *call) {
    const struct value_check *check = call->action->argument;
    bool refused = (call->data & ~check->bits) || (call->data & check->must) != check->must ||
                   (check->halves && (!(call->data & 0xffff) || !(call->data >> 16)));
    return refused ? call_error(call, ENGINE_ERROR_INVALID_VALUE) : ACTION_DONE;
}

#define CHECKED(at, check)            .method = (at), .type = ACTION_EFFECT, .run = vpe_checked, .argument = &(check)
#define CHECKED_MANY(at, many, check) CHECKED(at, check), .count = (many)

/* ---- PMPEG ---- */

static const struct value_check pitch = {.bits = 0x11fff, .must = 1u << 16};

static enum action_result mpeg_exec(struct call *call) {
    call_work_not_executed(call,
                           CALL_FIELD(call, G84_MPEG_MODE, IDCT_ENABLE) ? "MPEG blocks with IDCT" : "MPEG blocks");
    return ACTION_DONE;
}

static const struct semaphore_methods mpeg_query = {G84_MPEG_DMA_QUERY, G84_MPEG_QUERY_OFFSET, G84_MPEG_QUERY_OFFSET,
                                                    G84_MPEG_QUERY_COUNTER, 0};

static const struct action mpeg_actions[] = {
    {CHECKED(G84_MPEG_PITCH, pitch)}, {.method = G84_MPEG_EXEC, .type = ACTION_EFFECT, .run = mpeg_exec}, {0}};
/* Before G80, PMPEG leaves binds of DMA objects to its driver. */
static enum action_result mpeg_bind(struct call *call) {
    bool by_driver = call->engine->family->mpeg_binds_by_driver;
    return by_driver ? call_error(call, ENGINE_ERROR_ILLEGAL_METHOD) : ACTION_DONE;
}

static const struct action mpeg_bind_actions[] = {
    {.method = G84_MPEG_DMA_CMD, .count = 3, .stride = 0x10, .type = ACTION_EFFECT, .run = mpeg_bind}, {0}};
static const struct action mpeg_query_actions[] = {
    {.method = G84_MPEG_QUERY_COUNTER, .type = ACTION_EFFECT, .run = video_query, .argument = &mpeg_query}, {0}};

/* ---- PME ---- */

static const struct value_check one_bit = {.bits = 1};
static const struct value_check multiples_of_64 = {.bits = 0xffc0ffc0};
static const struct value_check size_16_2 = {.bits = 0xfffefff0, .halves = true};
static const struct value_check size_16_16 = {.bits = 0xfff0fff0, .halves = true};
static const struct value_check place_16_2 = {.bits = 0xfffefff0};
static const struct value_check multiple_of_8 = {.bits = 0xfffffff8};
static const struct value_check multiple_of_64 = {.bits = 0xffffffc0};

static const struct action me_actions[] = {
    {CHECKED(NV40_ME_UNK108, one_bit)},
    {CHECKED(NV40_ME_UNK160, multiples_of_64)},
    {CHECKED(NV40_ME_UNK164, size_16_2)},
    {CHECKED(NV40_ME_UNK168, size_16_16)},
    {CHECKED_MANY(NV40_ME_UNK16C, 3, place_16_2)},
    {CHECKED(NV40_ME_UNK178, multiple_of_8)},
    {.method = NV40_ME_UNK17C, .type = ACTION_NOT_EXECUTED, .argument = "motion search"},
    {CHECKED_MANY(NV40_ME_UNK200, 6, multiple_of_64)},
    {CHECKED_MANY(NV40_ME_UNK228, 2, multiple_of_8)},
    {0}};

/* ---- PVP1 ---- */

static const struct action vp1_actions[] = {
    {.method = NV41_VP1_EXEC, .type = ACTION_NOT_EXECUTED, .argument = "VP1 program"}, {0}};

const struct kind kind_mpeg = {.name = "MPEG", .role = ROLE_NONE, .groups = {mpeg_actions, mpeg_bind_actions}};
const struct kind kind_g84_mpeg = {.name = "G84 MPEG", .role = ROLE_NONE, .groups = {mpeg_actions, mpeg_query_actions}};
const struct kind kind_me = {.name = "motion estimation", .role = ROLE_NONE, .groups = {me_actions}};
const struct kind kind_vp1 = {.name = "VP1", .role = ROLE_NONE, .groups = {vp1_actions}};
