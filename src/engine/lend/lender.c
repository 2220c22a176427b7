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

/* Few of them have anything, and this is done for each block of vertices. */
void lend_forget_spans(struct lend_memory *memory) {
    for (unsigned i = 0; i < LEND_SPANS / 64; i++) {
        for (uint64_t kept = memory->kept[i]; kept; kept &= kept - 1)
            memory->spans[64 * i + (unsigned)__builtin_ctzll(kept)] = (struct lend_span){0};
        memory->kept[i] = 0;
    }
    memset(memory->ranges, 0, sizeof memory->ranges);
    memory->gap = 0;
}

static void keep_span(struct lend_memory *memory, struct lend_span *span, uint64_t address, const struct span *found) {
    const unsigned number = (unsigned)(span - memory->spans);
    *span = (struct lend_span){address, found->bytes, found->data};
    memory->kept[number / 64] |= UINT64_C(1) << number % 64;
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
            keep_span(memory, span, start, &found);
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

/* The page at an address, without a fault. */
static bool page_at(struct lend_memory *memory, uint64_t address, struct lend_span *page) {
    struct lend_span *span = &memory->spans[address >> SPAN_BITS & (LEND_SPANS - 1)];
    struct span found;
    assert(address % SPAN_BYTES == 0);
    if (span->address != address || span->bytes != SPAN_BYTES) {
        if (!memory_try_span(memory->memory, &memory->space, address, SPAN_BYTES, MEMORY_READ, &found) ||
            found.bytes != SPAN_BYTES)
            return false;
        keep_span(memory, span, address, &found);
    }
    *page = *span;
    return true;
}

/* Pages that follow each other in memory of the host, too. */
static bool pages_at(struct lend_memory *memory, uint64_t begin, uint64_t end, struct lend_span *range) {
    *range = (struct lend_span){begin, 0, NULL};
    for (uint64_t at = begin; at < end; at += SPAN_BYTES) {
        struct lend_span page;
        if (!page_at(memory, at, &page) || (range->bytes && page.data != range->data + range->bytes)) {
            memory->gap = at;
            return false;
        }
        range->data = range->bytes ? range->data : page.data;
        range->bytes += page.bytes;
    }
    return true;
}

/* Makes of two ranges one where they meet. */
static bool range_grows(struct lend_span *range, const struct lend_span *by) {
    const uint64_t begin = range->address < by->address ? range->address : by->address;
    const uint64_t end = range->address + range->bytes, by_end = by->address + by->bytes;
    if (!range->bytes || by->address > end || range->address > by_end ||
        (uintptr_t)range->data - range->address != (uintptr_t)by->data - by->address)
        return false;
    range->data = range->address < by->address ? range->data : by->data;
    range->bytes = (end > by_end ? end : by_end) - begin;
    range->address = begin;
    return true;
}

static bool has_range(const struct lend_span *range, uint64_t address, uint64_t bytes) {
    return address - range->address < range->bytes && range->bytes - (address - range->address) >= bytes;
}

/* What is found is added to a range that it meets, else it takes the place of one. */
static struct lend_span *find_range(struct lend_memory *memory, uint64_t address, uint64_t bytes) {
    const uint64_t begin = address & ~(SPAN_BYTES - 1), end = (address + bytes + SPAN_BYTES - 1) & ~(SPAN_BYTES - 1);
    struct lend_span found;
    for (unsigned i = 0; i < LEND_RANGES; i++)
        if (has_range(&memory->ranges[i], address, bytes))
            return &memory->ranges[i];
    if (bytes > LEND_RANGE_PAGES * SPAN_BYTES || end <= begin || (begin < memory->gap && memory->gap < end))
        return NULL;
    threads_lock(memory->threads);
    const bool there = pages_at(memory, begin, end, &found);
    threads_unlock(memory->threads);
    if (!there)
        return NULL;
    for (unsigned i = 0; i < LEND_RANGES; i++)
        if (range_grows(&memory->ranges[i], &found))
            return &memory->ranges[i];
    struct lend_span *range = &memory->ranges[(memory->last_range + 1) % LEND_RANGES];
    *range = found;
    return range;
}

const uint8_t *lend_whole(void *opaque, uint64_t address, uint64_t bytes) {
    struct lend_memory *memory = opaque;
    struct lend_span *range = &memory->ranges[memory->last_range];
    if (!has_range(range, address, bytes)) {
        range = find_range(memory, address, bytes);
        if (!range)
            return NULL;
        memory->last_range = (unsigned)(range - memory->ranges);
    }
    return range->data + (address - range->address);
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
        lender->sampling = sampling_new(&(struct texture_memory){&lender->memory, lend_at, lend_whole});
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
