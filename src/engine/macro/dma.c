/* SPDX-License-Identifier: MIT */
/*
 * Memory of macros, TU102 and later: between memory at 0x550 and the data RAM at word 0x558, or into the parameters.
 *
 *   0x55c READ, 0x564 WRITE       that many words, as far as the data RAM goes
 *   0x560 READ_FIFOED             the next parameters of the macro that runs are those words
 *   0x568 REDUCTION               memory OP data RAM, 32 or 64 bits
 *
 * Everything is done when it is executed, so SYSMEMBAR, SYNC and the size of the FIFO are only stored.
 * UNKNOWN: addresses that are no multiple of 4; chosen: their low bits do not count.
 * UNKNOWN: lengths beyond the end of the data RAM; chosen: they end there.
 * UNKNOWN: when READ_FIFOED reads; chosen: each word when it is fetched. A second one takes the place of what is left,
 * and what the macro leaves is dropped. Without a macro it does nothing.
 * UNKNOWN: where REDUCTION has its operand; chosen: in the data RAM, as WRITE has its words.
 *
 * Sources: NVIDIA open-gpu-doc classes/3d/clc597.h; Mesa src/nouveau/mme/mme_tu104_sim.c.
 */
#include <assert.h>

#include "engine/surface/access.h"
#include "engine/kinds.h"
#include "engine/macro/machine.h"
#include "engine/sync/report.h"
#include "engine/core/work.h"
#include "fifo/fifo.h"
#include "methods/gf100_3d.h"

#define DATA_RAM_ADDRESS GF100_3D_SET_MME_DATA_RAM_ADDRESS
#define CHUNK_WORDS      256u
#define READ_BYTES       128u /* what a word costs that is read by itself, as work.h counts */

static uint64_t memory_address(const struct call *call) {
    return call_address(call, GF100_3D_SET_MME_MEM_ADDRESS_A, GF100_3D_SET_MME_MEM_ADDRESS_B,
                        call->object->index->kind->report_bits) &
           ~UINT64_C(3);
}

/* The machine, if it has a data RAM. NULL: it has none, or there is no memory. */
static struct macro *machine(const struct call *call) {
    struct macro *m = macro_of(call);
    return m && m->isa->data_words ? m : NULL;
}

/* Words of the data RAM that a method is about, and how many there are, at most `length`. */
static uint32_t *data_words(const struct call *call, struct macro *m, uint32_t length, uint32_t *count) {
    uint32_t first = call_value(call, DATA_RAM_ADDRESS), left = m->isa->data_words;
    if (first > left)
        first = left;
    left -= first;
    *count = length < left ? length : left;
    assert(first + *count <= m->isa->data_words);
    return m->data + first;
}

static enum action_result read(struct call *call) {
    struct macro *m = machine(call);
    struct address_space space = call_space(call, 0);
    uint64_t address = memory_address(call);
    uint32_t count = 0, *words = m ? data_words(call, m, call->data, &count) : NULL;
    struct fault fault;
    work_costs(call, WORK_START_BYTES + (uint64_t)count * READ_BYTES);
    for (uint32_t i = 0; i < count; i++) {
        if (memory_rd32(call->engine->fifo->memory, &space, address + 4 * (uint64_t)i, &words[i], &fault))
            continue;
        call_fault(call, &fault);
        return ACTION_DONE;
    }
    call_reads_bytes(call, "macro", &space, address, 4 * (uint64_t)count);
    return ACTION_DONE;
}

static enum action_result write(struct call *call) {
    struct macro *m = machine(call);
    struct address_space space = call_space(call, 0);
    uint64_t address = memory_address(call);
    uint32_t count = 0, *words = m ? data_words(call, m, call->data, &count) : NULL;
    work_costs(call, WORK_START_BYTES + (uint64_t)count * sizeof words[0]);
    for (uint32_t done = 0; done < count;) {
        uint8_t bytes[4 * CHUNK_WORDS];
        struct fault fault;
        uint32_t now = count - done < CHUNK_WORDS ? count - done : CHUNK_WORDS;
        for (uint32_t i = 0; i < now; i++)
            store_le32(bytes + 4 * (size_t)i, words[done + i]);
        if (!memory_write(call->engine->fifo->memory, &space, address + 4 * (uint64_t)done, bytes, 4 * (uint64_t)now,
                          &fault)) {
            call_fault(call, &fault);
            return ACTION_DONE;
        }
        done += now;
    }
    call_writes_bytes(call, "macro", &space, address, 4 * (uint64_t)count);
    if (count)
        call_done(call, "write", address, 4 * (uint64_t)count);
    return ACTION_DONE;
}

static enum action_result read_fifoed(struct call *call) {
    struct macro *m = machine(call);
    if (m && engine_channel(call->engine, call->channel)->macro_runs) {
        m->fifo_address = memory_address(call);
        m->fifo_left = call->data;
    }
    return ACTION_DONE;
}

uint32_t macro_dma_word(const struct call *call, struct macro *m) {
    struct address_space space = call_space(call, 0);
    struct fault fault;
    uint32_t word = 0;
    assert(m->fifo_left > 0);
    if (memory_rd32(call->engine->fifo->memory, &space, m->fifo_address, &word, &fault)) {
        m->fifo_address += 4;
        m->fifo_left--;
        return word;
    }
    m->fifo_left = 0;
    call_fault(call, &fault);
    return 0;
}

#define REDUCTION_64 (1u << 8)

static enum action_result reduction(struct call *call) {
    struct macro *m = machine(call);
    if (!m)
        return ACTION_DONE;
    bool is_64 = call->data & REDUCTION_64;
    uint32_t needed = is_64 ? 2 : 1, count = 0;
    const uint32_t *operand = data_words(call, m, needed, &count);
    if (count < needed) {
        call_not_executed(call);
        return ACTION_DONE;
    }
    report_reduce_numbered(call, (struct dma_address){0, memory_address(call)}, call->data & 7, call->data >> 4 & 3,
                           is_64, is_64 ? operand[0] | (uint64_t)operand[1] << 32 : operand[0],
                           is_64 ? REPORT_TWO_WORDS : REPORT_ONE_WORD, "reduction");
    return ACTION_DONE;
}

const struct action macro_dma_actions[] = {
    {.method = GF100_3D_MME_DMA_READ, .type = ACTION_EFFECT, .run = read},
    {.method = GF100_3D_MME_DMA_READ_FIFOED, .type = ACTION_EFFECT, .run = read_fifoed},
    {.method = GF100_3D_MME_DMA_WRITE, .type = ACTION_EFFECT, .run = write},
    {.method = GF100_3D_MME_DMA_REDUCTION, .type = ACTION_EFFECT, .run = reduction},
    {0}};
