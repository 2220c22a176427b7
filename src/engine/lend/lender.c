/* SPDX-License-Identifier: MIT */
#include "engine/lend/lender.h"

#include <assert.h>
#include <string.h>

#include "engine/core/error.h"
#include "engine/lend/threads.h"
#include "fifo/fifo.h"

#define SPAN_BITS  12u
#define SPAN_BYTES (UINT64_C(1) << SPAN_BITS)

/* ---- faults ---- */

void lend_raise(struct lend_faults *faults, enum unit_use use, const struct fault *fault) {
    assert(faults->call);
    if (!faults->failed && !faults->quiet)
        call_fault_of(faults->call, use, fault);
    faults->failed = true;
}

void lend_raise_error(struct lend_faults *faults, const struct unit_shader_error *error) {
    assert(faults->call);
    if (!faults->failed && !faults->quiet)
        call_shader_error(faults->call, error);
    faults->failed = true;
}

/* ---- memory ---- */

void lend_forget_spans(struct lend_memory *memory) {
    memset(memory->spans, 0, sizeof memory->spans);
}

static bool span_at(const struct lend_memory *memory, uint64_t address, uint64_t bytes, struct span *span,
                    struct fault *fault) {
    return memory->faults->quiet
               ? memory_try_span(memory->memory, &memory->space, address, bytes, MEMORY_READ, span)
               : memory_span(memory->memory, &memory->space, address, bytes, MEMORY_READ, span, fault);
}

/* The byte at an address, and how many follow. NULL: a fault, which has been raised. */
static const uint8_t *look_up(struct lend_memory *memory, uint64_t address, uint64_t *bytes) {
    struct lend_span *span = &memory->spans[address >> SPAN_BITS & (LEND_SPANS - 1)];
    uint64_t start = address & ~(SPAN_BYTES - 1);
    struct span found;
    struct fault fault;
    if (address - span->address >= span->bytes) {
        *span = (struct lend_span){0};
        if (memory_try_span(memory->memory, &memory->space, start, SPAN_BYTES, MEMORY_READ, &found) &&
            address - start < found.bytes) {
            *span = (struct lend_span){start, found.bytes, found.data};
        } else if (span_at(memory, address, SPAN_BYTES - (address - start), &found, &fault)) {
            *bytes = found.bytes;
            return found.data;
        } else {
            lend_raise(memory->faults, memory->use, &fault);
            return NULL;
        }
    }
    *bytes = span->bytes - (address - span->address);
    return span->data + (address - span->address);
}

const uint8_t *lend_at(void *opaque, uint64_t address, uint64_t *bytes) {
    struct lend_memory *memory = opaque;
    const struct lend_span *span = &memory->spans[address >> SPAN_BITS & (LEND_SPANS - 1)];
    if (address - span->address < span->bytes) {
        *bytes = span->bytes - (address - span->address);
        return span->data + (address - span->address);
    }
    threads_lock(memory->threads);
    const uint8_t *data = look_up(memory, address, bytes);
    threads_unlock(memory->threads);
    assert(!data || *bytes);
    return data;
}

bool lend_read(void *opaque, uint64_t address, void *data, unsigned bytes) {
    uint8_t *to = data;
    while (bytes) {
        uint64_t there;
        const uint8_t *from = lend_at(opaque, address, &there);
        if (!from)
            return false;
        unsigned part = there < bytes ? (unsigned)there : bytes;
        memcpy(to, from, part);
        to += part;
        address += part;
        bytes -= part;
    }
    return true;
}

/* ---- all together ---- */

void lender_init(struct lender *lender, struct threads *threads) {
    lender->memory.faults = &lender->faults;
    lender->memory.threads = threads;
}

void lender_free(struct lender *lender) {
    sampling_free(lender->sampling);
    lender->sampling = NULL;
}

void lender_begin(struct lender *lender, const struct call *call) {
    lender->faults.call = call;
    lender->faults.failed = false;
    lender->memory.memory = call->engine->fifo->memory;
    lender->memory.space = call_space(call, 0);
    lend_forget_spans(&lender->memory);
}

bool lender_start(struct lender *lender, const struct sampling_pools *pools) {
    lend_forget_spans(&lender->memory);
    if (!lender->sampling)
        lender->sampling = sampling_new(&(struct texture_memory){&lender->memory, lend_at});
    if (!lender->sampling)
        return false;
    sampling_begin(lender->sampling, pools);
    return true;
}

/* ---- what programs call ---- */

static unsigned count_of(uint32_t lanes) {
    return (unsigned)__builtin_popcount(lanes);
}

bool lend_load(struct shade_warp *warp, uint32_t lanes, const uint64_t *address, unsigned bytes, void *to,
               unsigned stride) {
    struct lender *lender = warp->io->opaque;
    struct fault fault;
    lender->costs.programs += count_of(lanes) * COST_ACCESS;
    for (unsigned i = 0; i < SHADE_LANES; i++) {
        if ((lanes >> i & 1) && !memory_read(lender->memory.memory, &lender->memory.space, address[i],
                                             (uint8_t *)to + i * (size_t)stride, bytes, &fault)) {
            lend_raise(&lender->faults, USE_SHADER, &fault);
            return false;
        }
    }
    return true;
}

bool lend_store(struct shade_warp *warp, uint32_t lanes, const uint64_t *address, unsigned bytes, const void *from,
                unsigned stride) {
    struct lender *lender = warp->io->opaque;
    struct fault fault;
    lender->costs.programs += count_of(lanes) * COST_ACCESS;
    for (unsigned i = 0; i < SHADE_LANES; i++) {
        if ((lanes >> i & 1) && !memory_write(lender->memory.memory, &lender->memory.space, address[i],
                                              (const uint8_t *)from + i * (size_t)stride, bytes, &fault)) {
            lend_raise(&lender->faults, USE_SHADER, &fault);
            return false;
        }
    }
    return true;
}

/* UNKNOWN: accesses beyond what is mapped; chosen: a fault, as of all memory, and the draw or launch ends. */
bool lend_texture(struct shade_warp *warp, uint32_t lanes, const struct ir *ir, const uint32_t *handle,
                  shade_row out[4]) {
    struct lender *lender = warp->io->opaque;
    lender->memory.use = USE_TEXTURE;
    lender->costs.texture_reads += count_of(lanes);
    bool sampled = sampling_texture(lender->sampling, warp, lanes, ir, handle, out);
    lender->costs.programs += count_of(lanes) * COST_SAMPLE + sampling_texels(lender->sampling) * COST_TEXEL;
    return sampled && !lender->faults.failed;
}

static const struct texture_view *header_of(void *opaque, uint32_t index) {
    struct lender *lender = opaque;
    lender->memory.use = USE_TEXTURE;
    lender->costs.programs += COST_HEADER;
    return lender->sampling ? sampling_view(lender->sampling, index) : NULL;
}

/* UNKNOWN: accesses beyond what is mapped; chosen: as of textures. */
bool lend_surface(struct shade_warp *warp, uint32_t lanes, const struct ir *ir, struct shade_image *image) {
    struct lender *lender = warp->io->opaque;
    const struct images images = {lender, header_of, lender->slots};
    return image_surface(&images, warp, lanes, ir, image) && !lender->faults.failed;
}

/* ---- warps that stop ---- */

/* The instruction cannot be read: raise that fault. (If the host has no memory, there is no fault.) */
static void raise_unreadable(struct lender *lender, uint64_t address) {
    uint8_t bytes[8];
    struct fault fault;
    if (!lender->faults.quiet &&
        !memory_read(lender->memory.memory, &lender->memory.space, address, bytes, sizeof bytes, &fault))
        lend_raise(&lender->faults, USE_PROGRAM, &fault);
    lender->faults.failed = true;
}

/* Where a warp that does not end is. */
static uint32_t lowest_pc(const struct shade_warp *warp) {
    uint32_t pc = UINT32_MAX;
    for (unsigned lane = 0; lane < SHADE_LANES; lane++)
        if (warp->alive >> lane & 1 && warp->pc[lane] < pc)
            pc = warp->pc[lane];
    return pc;
}

void lend_raise_stop(struct lender *lender, const struct shade_warp *warp, enum shade_stop stop, uint64_t code) {
    struct unit_shader_error error = {0, UNIT_SHADER_TIMEOUT, lowest_pc(warp)};
    if (stop == SHADE_FAULT && warp->unreadable) {
        raise_unreadable(lender, code + warp->fault_address);
        return;
    }
    if (stop == SHADE_ERROR)
        error = (struct unit_shader_error){warp->error, warp->error == SHADE_STACK_ERROR ? UNIT_SHADER_STACK : 0,
                                           warp->fault_address};
    lend_raise_error(&lender->faults, &error);
}
