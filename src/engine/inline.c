/* SPDX-License-Identifier: MIT */
/*
 * Inline-to-memory (GK104-): LAUNCH_DMA 0x1b0, LINE_LENGTH x LINE_COUNT bytes at LOAD_INLINE_DATA 0x1b4, then the
 * semaphore at 0x1dc. In its own classes (a040, a140) and in the 3D and compute classes. The bytes go nowhere; the
 * launch reports that.
 *
 * Sources: NVIDIA open-gpu-doc classes/inline-to-memory; envytools rnndb/graph/gk104_p2mf.xml.
 */
#include "engine/inline.h"

#include <assert.h>

#include "engine/kinds.h"

bool inline_begin(const struct call *call, uint64_t bytes) {
    call->object->inline_data.bytes = bytes;
    call->object->inline_data.launch = call->data;
    return bytes == 0;
}

bool inline_word(const struct call *call, uint32_t *launch) {
    uint64_t bytes = call->object->inline_data.bytes;
    assert(bytes != 0); /* or inline_absorb() has taken the word */
    *launch = call->object->inline_data.launch;
    call->object->inline_data.bytes = bytes > 4 ? bytes - 4 : 0;
    return bytes <= 4;
}

/* Words beyond the end of a launch are dropped by the hardware. */
uint32_t inline_absorb(struct object *object, const uint32_t *data, uint32_t count) {
    (void)data;
    uint64_t bytes = object->inline_data.bytes;
    if (bytes == 0)
        return count;
    uint64_t before_last = (bytes - 1) / 4;
    if (count > before_last)
        count = (uint32_t)before_last;
    object->inline_data.bytes = bytes - 4 * (uint64_t)count;
    return count;
}

#define COMPLETION_SEMAPHORE 2u

/*
 * All data has come.
 * UNKNOWN: which of the interrupt types 1 to 3 does what; chosen: all interrupt.
 * UNKNOWN: whether a launch latches the methods of the semaphore; chosen: it does not, they are read when it is due.
 */
static void complete(const struct call *call, uint32_t launch) {
    unsigned bits = call->object->index->kind->inline_bits;
    struct place place = {0, call_address(call, 0x1dc, 0x1e0, bits)};
    enum report_words words = launch >> 12 & 1 ? REPORT_ONE_WORD : REPORT_FOUR_WORDS;
    uint32_t payload = call_value(call, 0x1e4);
    if ((launch >> 4 & 3) == COMPLETION_SEMAPHORE) {
        if (launch >> 1 & 1)
            report_reduce(call, place, report_reductions[launch >> 13 & 7], (launch >> 2 & 3) == 1, payload, words,
                          "semaphore");
        else
            report_release(call, place, payload, words, "semaphore");
    }
    if (launch >> 8 & 3)
        call_interrupt(call, "INLINE");
}

static enum action_result launch(struct call *call) {
    uint64_t bytes = (uint64_t)call_value(call, 0x180) * call_value(call, 0x184);
    if (bytes)
        call_not_executed(call);
    if (inline_begin(call, bytes))
        complete(call, call->data);
    return ACTION_DONE;
}

static enum action_result data(struct call *call) {
    uint32_t launch_word;
    if (inline_word(call, &launch_word))
        complete(call, launch_word);
    return ACTION_DONE;
}

const struct action inline_gk104_actions[] = {
    {.method = 0x1b0, .type = ACTION_EFFECT, .run = launch},
    {.method = 0x1b4, .type = ACTION_EFFECT, .run = data, .absorb = inline_absorb},
    {0}};

const struct kind kind_gk104_inline = {.name = "inline to memory",
                                       .role = ROLE_INLINE,
                                       .report_bits = 8,
                                       .inline_bits = 8,
                                       .groups = {notify_gf100_actions, inline_gk104_actions}};
const struct kind kind_gk110_inline = {.name = "inline to memory",
                                       .role = ROLE_INLINE,
                                       .report_bits = 25,
                                       .inline_bits = 25,
                                       .groups = {notify_gf100_actions, inline_gk104_actions}};
