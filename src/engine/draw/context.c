/* SPDX-License-Identifier: MIT */
#include "engine/draw/context.h"

#include <assert.h>
#include <string.h>

#include "engine/core/error.h"
#include "engine/draw/threads.h"

#define SPAN_BITS  12u
#define SPAN_BYTES (UINT64_C(1) << SPAN_BITS)

/* ---- faults ---- */

void draw_raise(struct draw_faults *faults, enum unit_use use, const struct fault *fault) {
    assert(faults->call);
    if (!faults->failed && !faults->quiet)
        call_fault_of(faults->call, use, fault);
    faults->failed = true;
}

void draw_raise_error(struct draw_faults *faults, const struct unit_shader_error *error) {
    assert(faults->call);
    if (!faults->failed && !faults->quiet)
        call_shader_error(faults->call, error);
    faults->failed = true;
}

/* ---- memory ---- */

void draw_forget_spans(struct draw_memory *memory) {
    memset(memory->spans, 0, sizeof memory->spans);
}

static bool span_at(const struct draw_memory *memory, uint64_t address, uint64_t bytes, struct span *span,
                    struct fault *fault) {
    return memory->faults->quiet
               ? memory_try_span(memory->memory, &memory->space, address, bytes, MEMORY_READ, span)
               : memory_span(memory->memory, &memory->space, address, bytes, MEMORY_READ, span, fault);
}

/* The byte at an address, and how many follow. NULL: a fault, which has been raised. */
static const uint8_t *look_up(struct draw_memory *memory, uint64_t address, uint64_t *bytes) {
    struct draw_span *span = &memory->spans[address >> SPAN_BITS & (DRAW_SPANS - 1)];
    uint64_t start = address & ~(SPAN_BYTES - 1);
    struct span found;
    struct fault fault;
    if (address - span->address >= span->bytes) {
        *span = (struct draw_span){0};
        if (memory_try_span(memory->memory, &memory->space, start, SPAN_BYTES, MEMORY_READ, &found) &&
            address - start < found.bytes) {
            *span = (struct draw_span){start, found.bytes, found.data};
        } else if (span_at(memory, address, SPAN_BYTES - (address - start), &found, &fault)) {
            *bytes = found.bytes;
            return found.data;
        } else {
            draw_raise(memory->faults, memory->use, &fault);
            return NULL;
        }
    }
    *bytes = span->bytes - (address - span->address);
    return span->data + (address - span->address);
}

const uint8_t *draw_at(void *opaque, uint64_t address, uint64_t *bytes) {
    struct draw_memory *memory = opaque;
    const struct draw_span *span = &memory->spans[address >> SPAN_BITS & (DRAW_SPANS - 1)];
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

bool draw_read(void *opaque, uint64_t address, void *data, unsigned bytes) {
    uint8_t *to = data;
    while (bytes) {
        uint64_t there;
        const uint8_t *from = draw_at(opaque, address, &there);
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
