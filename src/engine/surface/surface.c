/* SPDX-License-Identifier: MIT */
#include "engine/surface/surface.h"

#include <assert.h>

/* ---- what is translated ---- */

/* A surface being read or written: the piece of it that is in `span` begins at guest address `begin`. */
struct view {
    struct memory *memory;
    const struct surface *surface;
    enum memory_access access;
    uint64_t begin;
    struct span span;
};

static struct view view_of(struct memory *memory, const struct surface *surface, enum memory_access access) {
    return (struct view){memory, surface, access, 0, {NULL, 0}};
}

/* Host bytes from an offset on: sets *bytes, at most what was asked, at least 1. NULL: a fault. */
static uint8_t *view_at(struct view *view, uint64_t offset, uint64_t *bytes, struct fault *fault) {
    uint64_t address = view->surface->address + offset;
    uint64_t skip = address - view->begin;
    if (skip >= view->span.bytes) {
        view->span.bytes = 0;
        if (!memory_span(view->memory, &view->surface->space, address, *bytes, view->access, &view->span, fault))
            return NULL;
        view->begin = address;
        skip = 0;
    }
    if (*bytes > view->span.bytes - skip)
        *bytes = view->span.bytes - skip;
    return view->span.data + skip;
}

/* The same from byte x of a line on, as far as that is contiguous. */
static uint8_t *view_row(struct view *view, struct surface_point at, uint64_t *bytes, struct fault *fault) {
    *bytes = layout_contiguous(&view->surface->layout, at.x, *bytes);
    return view_at(view, layout_offset(&view->surface->layout, at.x, at.y, at.z), bytes, fault);
}

/* ---- rows ---- */

bool surface_read(struct memory *memory, const struct surface *surface, uint64_t x, uint64_t y, uint64_t z, void *data,
                  uint64_t bytes, struct fault *fault) {
    struct view view = view_of(memory, surface, MEMORY_READ);
    uint64_t piece;
    for (uint64_t done = 0; done < bytes; done += piece) {
        piece = bytes - done;
        const uint8_t *from = view_row(&view, (struct surface_point){x + done, y, z}, &piece, fault);
        if (!from)
            return false;
        memcpy((uint8_t *)data + done, from, piece);
    }
    return true;
}

bool surface_write(struct memory *memory, const struct surface *surface, uint64_t x, uint64_t y, uint64_t z,
                   const void *data, uint64_t bytes, struct fault *fault) {
    struct view view = view_of(memory, surface, MEMORY_WRITE);
    uint64_t piece;
    for (uint64_t done = 0; done < bytes; done += piece) {
        piece = bytes - done;
        uint8_t *to = view_row(&view, (struct surface_point){x + done, y, z}, &piece, fault);
        if (!to)
            return false;
        memcpy(to, (const uint8_t *)data + done, piece);
    }
    return true;
}

/* `bytes` of the repeated element, of which `phase` bytes have been written before. */
static void fill(uint8_t *to, const uint8_t *element, unsigned element_bytes, uint64_t phase, uint64_t bytes) {
    uint64_t done = bytes < element_bytes ? bytes : element_bytes;
    for (uint64_t i = 0; i < done; i++)
        to[i] = element[(phase + i) % element_bytes];
    while (done < bytes) {
        uint64_t more = bytes - done < done ? bytes - done : done;
        memcpy(to + done, to, more);
        done += more;
    }
}

bool surface_fill(struct memory *memory, const struct surface *surface, uint64_t x, uint64_t y, uint64_t z,
                  const void *element, unsigned element_bytes, uint64_t bytes, struct fault *fault) {
    assert(element_bytes > 0 && element_bytes <= 16);
    struct view view = view_of(memory, surface, MEMORY_WRITE);
    uint64_t piece;
    for (uint64_t done = 0; done < bytes; done += piece) {
        piece = bytes - done;
        uint8_t *to = view_row(&view, (struct surface_point){x + done, y, z}, &piece, fault);
        if (!to)
            return false;
        fill(to, element, element_bytes, done % element_bytes, piece);
    }
    return true;
}

/* ---- rectangles ---- */

static bool overlap(const uint8_t *a, const uint8_t *b, uint64_t bytes) {
    return (uintptr_t)a < (uintptr_t)b + bytes && (uintptr_t)b < (uintptr_t)a + bytes;
}

/*
 * Byte after byte. Where the source lies before the destination and reaches into it, it repeats itself with the
 * distance between them; what has been written is the source of twice as much.
 */
static void copy_forward(uint8_t *to, const uint8_t *from, uint64_t bytes) {
    if (!overlap(to, from, bytes) || (uintptr_t)to <= (uintptr_t)from) {
        memmove(to, from, bytes);
        return;
    }
    uint64_t distance = (uintptr_t)to - (uintptr_t)from;
    for (uint64_t done = 0; done < bytes;) {
        uint64_t more = bytes - done < done + distance ? bytes - done : done + distance;
        memcpy(to + done, from, more);
        done += more;
    }
}

/* Bytes of a line, from `x` on. */
static bool copy_row(struct view *to, struct surface_point to_at, struct view *from, struct surface_point from_at,
                     uint64_t bytes, struct fault *fault) {
    while (bytes) {
        uint64_t piece = bytes;
        const uint8_t *source = view_row(from, from_at, &piece, fault);
        uint8_t *destination = source ? view_row(to, to_at, &piece, fault) : NULL;
        if (!destination)
            return false;
        copy_forward(destination, source, piece);
        from_at.x += piece;
        to_at.x += piece;
        bytes -= piece;
    }
    return true;
}

bool surface_copy(struct memory *memory, const struct surface *to, struct surface_point to_point,
                  const struct surface *from, struct surface_point from_point, uint64_t line_bytes, uint64_t first,
                  uint64_t count, struct fault *fault) {
    struct view read = view_of(memory, from, MEMORY_READ), write = view_of(memory, to, MEMORY_WRITE);
    if (!line_bytes)
        return true;
    uint64_t line = first / line_bytes, x = first % line_bytes;
    while (count) {
        uint64_t bytes = line_bytes - x < count ? line_bytes - x : count;
        struct surface_point source = {from_point.x + x, from_point.y + line, from_point.z};
        struct surface_point destination = {to_point.x + x, to_point.y + line, to_point.z};
        if (!copy_row(&write, destination, &read, source, bytes, fault))
            return false;
        count -= bytes;
        line++;
        x = 0;
    }
    return true;
}
