/* SPDX-License-Identifier: MIT */
/*
 * Memory to memory of Fermi (9039): LAUNCH_DMA 0x300, perhaps with inline data at 0x304, then the semaphore at 0x32c.
 *
 *   0 inline source   4, 8 source, destination linear   13:12 completion   17:16 interrupt   20 semaphore of one word
 *
 * Sources: NVIDIA open-gpu-doc classes/memory-to-memory-format/cl9039.h; envytools rnndb/graph/gf100_m2mf.xml,
 * rnndb/g80_defs.xml (errors); Mesa src/gallium/drivers/nouveau/nvc0.
 */
#include "engine/core/work.h"
#include "engine/copy/inline.h"
#include "engine/kinds.h"
#include "engine/copy/m2mf.h"
#include "methods/m2mf.h"

#define LAUNCH_INLINE        1u
#define COMPLETION_SEMAPHORE 2u

#define X_BITS 0xfffffu
#define Y_BITS 0xffffu

/*
 * UNKNOWN: whether a launch latches the methods of the semaphore; chosen: it does not, as in inline.c.
 * UNKNOWN: which of the interrupt types 1 to 3 does what; chosen: all interrupt.
 */
static enum action_result m2mf_fermi_complete(const struct call *call, uint32_t launch) {
    struct dma_address target = {0, call_address(call, GF100_M2MF_SET_SEMAPHORE_A, GF100_M2MF_SET_SEMAPHORE_B,
                                                 call->object->index->kind->inline_bits)};
    enum report_words words = launch >> 20 & 1 ? REPORT_ONE_WORD : REPORT_FOUR_WORDS;
    bool done = (launch >> 12 & 3) != COMPLETION_SEMAPHORE ||
                report_release(call, target, call_value(call, GF100_M2MF_SET_SEMAPHORE_C), words,
                               event_words[PFIFO_WORD_SEMAPHORE]);
    if (done && launch >> 16 & 3)
        call_interrupt(call, "M2MF");
    return ACTION_DONE;
}

static enum predicate m2mf_fermi_is_allowed(const struct call *call) {
    static const struct predicate_methods own = {.high = GF100_M2MF_SET_RENDER_ENABLE_A,
                                                 .low = GF100_M2MF_SET_RENDER_ENABLE_B,
                                                 .mode = GF100_M2MF_SET_RENDER_ENABLE_C,
                                                 .override = GF100_M2MF_SET_RENDER_ENABLE_OVERRIDE,
                                                 .bits = 8};
    return predicate_with_global(call, &own);
}

static enum action_result launch_inline(const struct call *call) {
    static const struct inline_methods methods = {.line_length = GF100_M2MF_LINE_LENGTH_IN,
                                                  .line_count = GF100_M2MF_LINE_COUNT,
                                                  .high = GF100_M2MF_OFFSET_OUT_UPPER,
                                                  .low = GF100_M2MF_OFFSET_OUT,
                                                  .pitch = GF100_M2MF_PITCH_OUT,
                                                  .block_size = GF100_M2MF_SET_DST_BLOCK_SIZE,
                                                  .x = GF100_M2MF_SET_DST_ORIGIN_BYTES_X,
                                                  .y = GF100_M2MF_SET_DST_ORIGIN_SAMPLES_Y,
                                                  .x_bits = X_BITS,
                                                  .y_bits = Y_BITS};
    if (inline_begin(call, &methods, call->data >> 8 & 1, m2mf_fermi_is_allowed(call)) == INLINE_DONE)
        return m2mf_fermi_complete(call, call->data);
    return ACTION_DONE;
}

/* Methods of a side. */
struct m2mf_fermi_side_methods {
    uint16_t high, low, pitch, block_size, x;
    unsigned linear; /* bit of the launch */
};

static struct m2mf_side m2mf_fermi_side_of(const struct call *call, const struct m2mf_fermi_side_methods *side) {
    return (struct m2mf_side){
        .space = call_space(call, 0),
        .address = call_address(call, side->high, side->low, call->object->index->kind->inline_bits),
        .linear = call->data >> side->linear & 1,
        .pitch = (int32_t)call_value(call, side->pitch),
        .block_size = side->block_size,
        .x = call_value(call, side->x) & X_BITS,
        .y = call_value(call, side->x + 4u) & Y_BITS,
    };
}

static enum action_result m2mf_fermi_launch(struct call *call) {
    static const struct m2mf_fermi_side_methods source = {GF100_M2MF_OFFSET_IN_UPPER,
                                                          GF100_M2MF_OFFSET_IN,
                                                          GF100_M2MF_PITCH_IN,
                                                          GF100_M2MF_SET_SRC_BLOCK_SIZE,
                                                          GF100_M2MF_SET_SRC_ORIGIN_BYTES_X,
                                                          4};
    static const struct m2mf_fermi_side_methods destination = {GF100_M2MF_OFFSET_OUT_UPPER,
                                                               GF100_M2MF_OFFSET_OUT,
                                                               GF100_M2MF_PITCH_OUT,
                                                               GF100_M2MF_SET_DST_BLOCK_SIZE,
                                                               GF100_M2MF_SET_DST_ORIGIN_BYTES_X,
                                                               8};
    if (call->data & LAUNCH_INLINE)
        return launch_inline(call);
    struct m2mf_side from = m2mf_fermi_side_of(call, &source), to = m2mf_fermi_side_of(call, &destination);
    struct transfer transfer;
    if (!m2mf_transfer(call, &from, &to, &transfer))
        return ACTION_DONE;
    enum predicate allowed = !work_under_way(call) ? m2mf_fermi_is_allowed(call) : PREDICATE_TRUE;
    if (allowed != PREDICATE_TRUE)
        return allowed == PREDICATE_FAULT ? ACTION_DONE : m2mf_fermi_complete(call, call->data);
    switch (transfer_slice(call, &transfer)) {
    case TRANSFER_MORE:
        return ACTION_STALL;
    case TRANSFER_FAULTED:
        return ACTION_DONE;
    case TRANSFER_FINISHED:
        break;
    }
    return m2mf_fermi_complete(call, call->data);
}

static enum action_result m2mf_fermi_data(struct call *call) {
    uint32_t launch_data;
    if (inline_data(call, &launch_data) == INLINE_DONE)
        return m2mf_fermi_complete(call, launch_data);
    return ACTION_DONE;
}

static const struct action fermi_actions[] = {
    {.method = GF100_M2MF_LAUNCH_DMA, .type = ACTION_EFFECT, .run = m2mf_fermi_launch},
    {.method = GF100_M2MF_LOAD_INLINE_DATA, .type = ACTION_EFFECT, .run = m2mf_fermi_data, .absorb = words_absorb},
    {0}};

static const struct method_reset resets[] = {
    PREDICATE_RESET(GF100_M2MF_SET_GLOBAL_RENDER_ENABLE_C), PREDICATE_RESET(GF100_M2MF_SET_RENDER_ENABLE_C), {0}};

const struct kind kind_fermi_m2mf = {
    .name = "Fermi M2MF",
    .role = ROLE_INLINE,
    .parts = {INLINE_PARTS},
    .report_bits = 8,
    .inline_bits = 8,
    .resets = resets,
    .groups = {notify_gf100_actions, predicate_global_actions, fermi_actions, macro_actions}};
