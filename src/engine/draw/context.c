/* SPDX-License-Identifier: MIT */
#include "engine/draw/context.h"

#include <string.h>

#include "engine/core/error.h"
#include "engine/draw/worker.h"

#define SPAN_BITS  12u
#define SPAN_BYTES (UINT64_C(1) << SPAN_BITS)

void draw_forget_spans(struct draw_worker *work) {
    memset(work->spans, 0, sizeof work->spans);
}

/* A fault is raised at once; what follows is not drawn. */
void draw_fail(struct draw_worker *work, enum unit_use use, const struct fault *fault) {
    if (!work->failed && !work->quiet)
        call_fault_of(work->call, use, fault);
    work->failed = true;
}

static struct threads *threads_of(struct draw_worker *work) {
    return work->lead ? &work->lead->threads : &work->threads;
}

static bool span_at(struct draw_worker *work, uint64_t address, uint64_t bytes, struct span *span,
                    struct fault *fault) {
    return work->quiet ? memory_try_span(work->memory, &work->space, address, bytes, MEMORY_READ, span)
                       : memory_span(work->memory, &work->space, address, bytes, MEMORY_READ, span, fault);
}

/* The byte at an address, and how many follow. NULL: a fault, which has been raised. */
static const uint8_t *look_up(struct draw_worker *work, uint64_t address, uint64_t *bytes) {
    struct draw_span *span = &work->spans[address >> SPAN_BITS & (DRAW_SPANS - 1)];
    uint64_t start = address & ~(SPAN_BYTES - 1);
    struct span found;
    struct fault fault;
    if (address - span->address >= span->bytes) {
        *span = (struct draw_span){0};
        if (memory_try_span(work->memory, &work->space, start, SPAN_BYTES, MEMORY_READ, &found) &&
            address - start < found.bytes) {
            *span = (struct draw_span){start, found.bytes, found.data};
        } else if (span_at(work, address, SPAN_BYTES - (address - start), &found, &fault)) {
            *bytes = found.bytes;
            return found.data;
        } else {
            draw_fail(work, work->use, &fault);
            return NULL;
        }
    }
    *bytes = span->bytes - (address - span->address);
    return span->data + (address - span->address);
}

const uint8_t *draw_at(void *opaque, uint64_t address, uint64_t *bytes) {
    struct draw_worker *work = opaque;
    const struct draw_span *span = &work->spans[address >> SPAN_BITS & (DRAW_SPANS - 1)];
    if (address - span->address < span->bytes) {
        *bytes = span->bytes - (address - span->address);
        return span->data + (address - span->address);
    }
    threads_lock(threads_of(work));
    const uint8_t *data = look_up(work, address, bytes);
    threads_unlock(threads_of(work));
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
