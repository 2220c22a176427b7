/* SPDX-License-Identifier: MIT */
/*
 * The 3D objects of Kelvin, Rankine and Curie: fences and queries.
 *
 *   FENCE_OFFSET 0x1d6c, FENCE_VALUE 0x1d70   a word in DMA_FENCE; Curie: 0x1d74, too, when textures have been read
 *   QUERY_GET 0x1800 (Kelvin: 0x17d0): [31:24] report, [23:0] offset in DMA_QUERY   u64 time, u32 count, u32 status
 *
 * Drivers wait for the fence's value, and for the top byte of the query's status to become 0.
 *
 * Sources: envytools rnndb/graph/nv20_3d.xml, nv30-40_3d.xml; Mesa
 * src/gallium/drivers/nouveau/nv30/nv30_{query,screen}.c; xemu hw/xbox/nv2a/pgraph (SET_SEMAPHORE_OFFSET,
 * BACK_END_WRITE_SEMAPHORE_RELEASE, GET_REPORT); RPCS3 rpcs3/Emu/RSX/gcm_enums.h (TEXTURE_READ_SEMAPHORE_RELEASE).
 */
#include "engine/graph/curie.h"
#include "engine/graph/render.h"
#include "engine/kinds.h"
#include "engine/sync/counters.h"
#include "engine/sync/report.h"
#include "fifo/fifo.h"

#define DMA_FENCE    0x1a4
#define DMA_QUERY    0x1a8
#define FENCE_OFFSET 0x1d6c

static enum action_result fence(struct call *call) {
    struct dma_address target = {call_value(call, DMA_FENCE), call_value(call, FENCE_OFFSET)};
    report_release(call, target, call->data, REPORT_ONE_WORD, "fence");
    return ACTION_DONE;
}

static enum action_result curie_query(struct call *call) {
    uint8_t record[16] = {0};
    struct dma_address target = {call_value(call, DMA_QUERY), call->data & 0xffffff};
    uint32_t count = (uint32_t)counter_value(call, COUNTER_SAMPLES);
    store_le64(record, fifo_now(call->engine->fifo));
    store_le32(record + 8, count);
    report_write(call, target, record, sizeof record, count, "query");
    return ACTION_DONE;
}

static const struct action fence_actions[] = {{.method = 0x1d70, .type = ACTION_EFFECT, .run = fence}, {0}};

static const struct action kelvin_actions[] = {{.method = 0x17d0, .type = ACTION_EFFECT, .run = curie_query},
                                               {.method = 0x17fc, .type = ACTION_NOT_EXECUTED_BEGIN}, /* BEGIN_END */
                                               {.method = 0x130, .type = ACTION_NOT_EXECUTED},        /* FLIP_STALL */
                                               {0}};

/* Batches of vertices and indices, of which a draw may have many, are part of what has begun. */
static const struct action curie_actions[] = {
    {.method = 0x1800, .type = ACTION_EFFECT, .run = curie_query},
    {.method = 0x1808, .type = ACTION_EFFECT, .run = draw_begin_nv30}, /* VERTEX_BEGIN_END */
    {.method = 0x130, .type = ACTION_NOT_EXECUTED},                    /* FLIP_WAIT */
    {0}};

static const struct action texture_actions[] = {{.method = 0x1d74, .type = ACTION_EFFECT, .run = fence}, {0}};

#define CLEAR_ROW(traits)                                                                                              \
    { .method = 0x1d94, .type = ACTION_EFFECT, .run = curie_clear_buffers, .argument = &(traits) }

static const struct action clear_kelvin_actions[] = {CLEAR_ROW(kelvin_clear), {0}};
static const struct action clear_rankine_actions[] = {CLEAR_ROW(rankine_clear), {0}};
static const struct action clear_curie_actions[] = {CLEAR_ROW(curie_clear), {0}};

/*
 * UNKNOWN: what methods are in a new context; chosen: clear rectangle and scissor are open, stencil masks all ones, as
 * RPCS3 has found them (rpcs3/Emu/RSX/rsx_methods.cpp).
 */
static const struct method_reset kelvin_resets[] = {{0x1d98, 0xffff0000}, {0x1d9c, 0xffff0000}, {0x360, 0xff}, {0}};
static const struct method_reset curie_resets[] = {{0x1d98, 0xffff0000},
                                                   {0x1d9c, 0xffff0000},
                                                   {0x8c0, 0x10000000},
                                                   {0x8c4, 0x10000000},
                                                   {0x32c, 0xff},
                                                   {0x34c, 0xff},
                                                   {0}};

const struct kind kind_kelvin_3d = {
    .name = "Kelvin 3D",
    .role = ROLE_3D,
    .flips_are_guarded = true,
    .resets = kelvin_resets,
    .groups = {notify_nv4_actions, fence_actions, kelvin_actions, clear_kelvin_actions, counters_nv20_actions}};
const struct kind kind_rankine_3d = {
    .name = "Rankine 3D",
    .role = ROLE_3D,
    .pm_trigger_is_open = true,
    .resets = curie_resets,
    .groups = {notify_nv4_actions, fence_actions, curie_actions, clear_rankine_actions, counters_nv20_actions}};
const struct kind kind_curie_3d = {.name = "Curie 3D",
                                   .role = ROLE_3D,
                                   .resets = curie_resets,
                                   .groups = {notify_nv4_actions, fence_actions, texture_actions, curie_actions,
                                              clear_curie_actions, counters_nv20_actions}};
