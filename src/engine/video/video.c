/* SPDX-License-Identifier: MIT */
#include "engine/video/video.h"

#include <assert.h>

#include "engine/surface/access.h"
#include "engine/core/work.h"
#include "fifo/fifo.h"

void video_release(const struct call *call, enum report_words words) {
    const struct semaphore_methods *m = call->action->argument;
    uint64_t address = call_address(call, m->high, m->low, m->bits);
    report_release(call, (struct dma_address){call_value(call, m->object), address}, call_value(call, m->payload),
                   words, event_words[PFIFO_WORD_SEMAPHORE]);
}

/* UNKNOWN: the layout of queries of PMPEG and PCIPHER; chosen: four words, as that of every other query. */
enum action_result video_query(struct call *call) {
    video_release(call, REPORT_FOUR_WORDS);
    return ACTION_DONE;
}

enum action_result video_query_or_interrupt(struct call *call) {
    video_release(call, REPORT_FOUR_WORDS);
    if (call->data & 1)
        call_interrupt(call, "QUERY");
    return ACTION_DONE;
}

#define BLOCK_COST 384u /* one by one, each read before it is written */

struct video_copy {
    struct address_space to_space, from_space;
    uint64_t to, from, bytes;
    bool reads;
    uint8_t block[VIDEO_BLOCK_BYTES];
};

static bool transfer_block(const struct call *call, struct video_copy *t, uint64_t number, struct fault *fault) {
    struct memory *memory = call->engine->fifo->memory;
    uint64_t at = number * VIDEO_BLOCK_BYTES;
    assert(at < t->bytes);
    uint64_t bytes = t->bytes - at < VIDEO_BLOCK_BYTES ? t->bytes - at : VIDEO_BLOCK_BYTES;
    return (!t->reads || memory_read(memory, &t->from_space, t->from + at, t->block, bytes, fault)) &&
           memory_write(memory, &t->to_space, t->to + at, t->block, bytes, fault);
}

enum video_transfer video_transfer(const struct call *call, struct dma_address to, const struct dma_address *from,
                                   const uint8_t pattern[VIDEO_BLOCK_BYTES], uint64_t bytes) {
    struct video_copy t = {.to_space = call_space(call, to.object), .to = to.address, .bytes = bytes, .reads = from};
    struct work_slice slice = work_slice(call, (bytes + VIDEO_BLOCK_BYTES - 1) / VIDEO_BLOCK_BYTES, BLOCK_COST);
    struct fault fault;
    assert(from || pattern);
    if (from) {
        t.from_space = call_space(call, from->object);
        t.from = from->address;
    } else {
        memcpy(t.block, pattern, sizeof t.block);
    }
    for (uint64_t i = 0; i < slice.count; i++) {
        if (transfer_block(call, &t, slice.first + i, &fault))
            continue;
        work_break(call);
        call_fault(call, &fault);
        return TRANSFER_FAULT;
    }
    if (!work_advance(call, &slice))
        return TRANSFER_MORE;
    if (from)
        call_reads_bytes(call, "copy", &t.from_space, t.from, bytes);
    call_writes_bytes(call, from ? "copy" : "fill", &t.to_space, t.to, bytes);
    if (bytes)
        call_done(call, from ? "copy" : "fill", to.address, bytes);
    return TRANSFER_DONE;
}
