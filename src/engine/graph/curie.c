/* SPDX-License-Identifier: MIT */
/*
 * The 3D objects of Kelvin, Rankine and Curie: fences, queries, draws (begin.h), clears.
 *
 *   FENCE_OFFSET, FENCE_VALUE   a word in DMA_FENCE; Curie: TEXTURE_FENCE_VALUE, too, when textures have been read
 *   QUERY_GET: [31:24] report, [23:0] offset in DMA_QUERY   u64 time, u32 count, u32 status
 *
 * Drivers wait for the fence's value, and for the top byte of the query's status to become 0.
 *
 * Sources: envytools rnndb/graph/nv20_3d.xml, nv30-40_3d.xml; Mesa
 * src/gallium/drivers/nouveau/nv30/nv30_{query,screen}.c; xemu hw/xbox/nv2a/pgraph (SET_SEMAPHORE_OFFSET,
 * BACK_END_WRITE_SEMAPHORE_RELEASE, GET_REPORT); RPCS3 rpcs3/Emu/RSX/gcm_enums.h (TEXTURE_READ_SEMAPHORE_RELEASE).
 */
#include "engine/graph/begin.h"
#include "engine/graph/curie.h"
#include "engine/graph/render.h"
#include "engine/kinds.h"
#include "engine/sync/counters.h"
#include "engine/sync/report.h"
#include "fifo/fifo.h"
#include "methods/nv20_3d.h"
#include "methods/nv40_3d.h"

static enum action_result fence(struct call *call) {
    struct dma_address target = {call_value(call, NV40_3D_DMA_FENCE), call_value(call, NV40_3D_FENCE_OFFSET)};
    report_release(call, target, call->data, REPORT_ONE_WORD, "fence");
    return ACTION_DONE;
}

static enum action_result curie_query(struct call *call) {
    uint8_t record[16] = {0};
    struct dma_address target = {call_value(call, NV40_3D_DMA_QUERY), call->data & 0xffffff};
    uint32_t count = (uint32_t)counter_value(call, COUNTER_SAMPLES);
    store_le64(record, fifo_now(call->engine->fifo));
    store_le32(record + 8, count);
    report_write(call, target, record, sizeof record, count, "query");
    return ACTION_DONE;
}

static const struct action fence_actions[] = {{.method = NV40_3D_FENCE_VALUE, .type = ACTION_EFFECT, .run = fence},
                                              {0}};

static const struct action kelvin_actions[] = {{.method = NV20_3D_QUERY_GET, .type = ACTION_EFFECT, .run = curie_query},
                                               BEGIN_ROW(NV20_3D_VERTEX_BEGIN_END, begin_kelvin),
                                               BEGIN_DRAWS(NV20_3D_VTXBUF_ELEMENT_U16, begin_kelvin, begin_draws),
                                               BEGIN_DRAWS(NV20_3D_VTXBUF_ELEMENT_U32, begin_kelvin, begin_draws),
                                               BEGIN_DRAWS(NV20_3D_VTXBUF_BATCH, begin_kelvin, begin_draws),
                                               {.method = NV20_3D_FLIP_WAIT, .type = ACTION_NOT_EXECUTED},
                                               {0}};

/* Batches of vertices and indices, of which a draw may have many, are part of what has begun. */
#define CURIE_ACTIONS(traits)                                                                                          \
    {                                                                                                                  \
        {.method = NV40_3D_QUERY_GET, .type = ACTION_EFFECT, .run = curie_query},                                      \
            BEGIN_ROW(NV40_3D_VERTEX_BEGIN_END, traits), BEGIN_DRAWS(NV40_3D_VB_ELEMENT_U16, traits, begin_draws),     \
            BEGIN_DRAWS(NV40_3D_VB_ELEMENT_U32, traits, begin_draws),                                                  \
            BEGIN_DRAWS(NV40_3D_VB_VERTEX_BATCH, traits, begin_draws),                                                 \
            BEGIN_DRAWS(NV40_3D_VB_INDEX_BATCH, traits, begin_draws_indexed),                                          \
            {.method = NV40_3D_FLIP_WAIT, .type = ACTION_NOT_EXECUTED}, {                                              \
            0                                                                                                          \
        }                                                                                                              \
    }

static const struct action rankine_actions[] = CURIE_ACTIONS(begin_rankine);
static const struct action curie_actions[] = CURIE_ACTIONS(begin_curie);

static const struct action texture_actions[] = {
    {.method = NV40_3D_TEXTURE_FENCE_VALUE, .type = ACTION_EFFECT, .run = fence}, {0}};

#define CLEAR_ROW(traits)                                                                                              \
    { .method = NV40_3D_CLEAR_BUFFERS, .type = ACTION_EFFECT, .run = curie_clear_buffers, .argument = &(traits) }

static const struct action clear_kelvin_actions[] = {CLEAR_ROW(kelvin_clear), {0}};
static const struct action clear_rankine_actions[] = {CLEAR_ROW(rankine_clear), {0}};
static const struct action clear_curie_actions[] = {CLEAR_ROW(curie_clear), {0}};

/*
 * UNKNOWN: what methods are in a new context; chosen: clear rectangle and scissor are open, stencil masks all ones, as
 * RPCS3 has found them (rpcs3/Emu/RSX/rsx_methods.cpp).
 */
static const struct method_reset kelvin_resets[] = {
    {NV20_3D_CLEAR_RECT_HORIZ, 0xffff0000}, {NV20_3D_CLEAR_RECT_VERT, 0xffff0000}, {NV20_3D_STENCIL_MASK, 0xff}, {0}};
static const struct method_reset curie_resets[] = {{NV40_3D_CLEAR_RECT_HORIZ, 0xffff0000},
                                                   {NV40_3D_CLEAR_RECT_VERT, 0xffff0000},
                                                   {NV40_3D_SCISSOR_HORIZ, 0x10000000},
                                                   {NV40_3D_SCISSOR_VERT, 0x10000000},
                                                   {NV40_3D_STENCIL_MASK(0), 0xff},
                                                   {NV40_3D_STENCIL_MASK(1), 0xff},
                                                   {0}};

const struct kind kind_kelvin_3d = {
    .name = "Kelvin 3D",
    .role = ROLE_3D,
    .flips_are_guarded = true,
    .resets = kelvin_resets,
    .private = BEGIN_PRIVATE,
    .groups = {notify_nv4_actions, fence_actions, kelvin_actions, clear_kelvin_actions, counters_nv20_actions}};
const struct kind kind_rankine_3d = {
    .name = "Rankine 3D",
    .role = ROLE_3D,
    .pm_trigger_is_open = true,
    .resets = curie_resets,
    .private = BEGIN_PRIVATE,
    .groups = {notify_nv4_actions, fence_actions, rankine_actions, clear_rankine_actions, counters_nv20_actions}};
const struct kind kind_curie_3d = {.name = "Curie 3D",
                                   .role = ROLE_3D,
                                   .resets = curie_resets,
                                   .private = BEGIN_PRIVATE,
                                   .groups = {notify_nv4_actions, fence_actions, texture_actions, curie_actions,
                                              clear_curie_actions, counters_nv20_actions}};
