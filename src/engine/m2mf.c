/* SPDX-License-Identifier: MIT */
/*
 * Memory to memory. The copy is not executed; what says that it is done is.
 *
 *   0039, 5039   BUFFER_NOTIFY 0x328: launch, then notifier 1 (at 0x10) of DMA_NOTIFY
 *   9039         LAUNCH_DMA 0x300, perhaps with inline data at 0x304, then the semaphore at 0x32c
 *
 * Sources: envytools rnndb/graph/nv_m2mf.xml, gf100_m2mf.xml; NVIDIA open-gpu-doc
 * classes/memory-to-memory-format/cl0039.h, cl5039.h, cl9039.h.
 */
#include "engine/inline.h"
#include "engine/kinds.h"
#include "engine/notify.h"

/* UNKNOWN: values above 1: the header says that all but 0 awaken, envytools that 1 does; chosen: 1. */
static enum action_result buffer_notify(struct call *call) {
    call_not_executed(call);
    notify_write(call, (struct place){call_value(call, NOTIFY_DMA), 0x10}, call->data == 1);
    return ACTION_DONE;
}

static const struct action nv4_actions[] = {{.method = 0x328, .type = ACTION_EFFECT, .run = buffer_notify}, {0}};

#define LAUNCH_INLINE        1u
#define COMPLETION_SEMAPHORE 2u

/*
 * UNKNOWN: whether a launch latches the methods of the semaphore; chosen: it does not, as in inline.c.
 * UNKNOWN: which of the interrupt types 1 to 3 does what; chosen: all interrupt.
 */
static void complete(const struct call *call, uint32_t launch) {
    struct place place = {0, call_address(call, 0x32c, 0x330, call->object->index->kind->inline_bits)};
    if ((launch >> 12 & 3) == COMPLETION_SEMAPHORE)
        report_release(call, place, call_value(call, 0x334), launch >> 20 & 1 ? REPORT_ONE_WORD : REPORT_FOUR_WORDS,
                       "semaphore");
    if (launch >> 16 & 3)
        call_interrupt(call, "M2MF");
}

static enum action_result launch(struct call *call) {
    uint64_t bytes = (uint64_t)call_value(call, 0x31c) * call_value(call, 0x320);
    if (bytes)
        call_not_executed(call);
    if (inline_begin(call, call->data & LAUNCH_INLINE ? bytes : 0))
        complete(call, call->data);
    return ACTION_DONE;
}

static enum action_result data(struct call *call) {
    uint32_t launch_word;
    if (inline_word(call, &launch_word))
        complete(call, launch_word);
    return ACTION_DONE;
}

static const struct action fermi_actions[] = {
    {.method = 0x300, .type = ACTION_EFFECT, .run = launch},
    {.method = 0x304, .type = ACTION_EFFECT, .run = data, .absorb = inline_absorb},
    {0}};

const struct kind kind_nv4_m2mf = {.name = "M2MF", .role = ROLE_INLINE, .groups = {notify_nv4_actions, nv4_actions}};
const struct kind kind_fermi_m2mf = {.name = "Fermi M2MF",
                                     .role = ROLE_INLINE,
                                     .report_bits = 8,
                                     .inline_bits = 8,
                                     .groups = {notify_gf100_actions, fermi_actions, macro_actions}};
