/* SPDX-License-Identifier: MIT */
#include "engine/copy/transfer.h"

#include <assert.h>

#include "engine/surface/access.h"
#include "engine/core/work.h"
#include "fifo/fifo.h"

#define MAX_BLOCK 5 /* log2 of gobs */

/* Of a line that is shorter, each byte costs more: lines of a pitch have a page each. */
#define LINE_COST       512u
#define PITCH_LINE_COST 1024u
#define BLOCK_LINE_COST 256u

/* What a byte costs more that goes with a few others at a time, which is known only when it has gone. */
#define PIECEWISE_COST 8u

/* What a byte costs that goes to another one of its pixel, as work.h counts. */
#define SHUFFLED_COST 16u

const struct transfer_pixel transfer_bytes = {.from_bytes = 1, .to_bytes = 1};

bool transfer_uses_source(const struct transfer_pixel *pixel) {
    for (unsigned i = 0; i < pixel->to_bytes; i++)
        if (pixel->source[i] < PIXEL_BYTES)
            return true;
    return false;
}

bool transfer_block_exists(uint32_t block_size) {
    return (block_size & 0xf) <= MAX_BLOCK && (block_size >> 4 & 0xf) <= MAX_BLOCK &&
           (block_size >> 8 & 0xf) <= MAX_BLOCK;
}

struct layout transfer_block_layout(uint32_t block_size, enum gob_order order, uint64_t width, uint32_t height,
                                    uint32_t depth) {
    assert(transfer_block_exists(block_size));
    return (struct layout){.type = LAYOUT_BLOCK,
                           .width = width,
                           .height = height,
                           .depth = depth,
                           .block_width = block_size & 0xf,
                           .block_height = block_size >> 4 & 0xf,
                           .block_depth = block_size >> 8 & 0xf,
                           .order = order};
}

enum transfer_flaw transfer_flaw(const struct surface *surface, struct surface_point point, uint64_t line_bytes,
                                 uint32_t lines) {
    const struct layout *layout = &surface->layout;
    if (layout->type == LAYOUT_PITCH) {
        uint64_t pitch = (uint64_t)(layout->pitch < 0 ? -layout->pitch : layout->pitch);
        return lines > 1 && line_bytes > pitch ? TRANSFER_OVER_PITCH : TRANSFER_FITS;
    }
    if (point.z >= layout->depth)
        return TRANSFER_BEYOND_DEPTH;
    return point.x + line_bytes > layout->width || point.y + lines > layout->height ? TRANSFER_BEYOND_SIZE
                                                                                    : TRANSFER_FITS;
}

/* ---- what a launch is made of ---- */

enum pixel_form { FORM_SAME, FORM_FILL, FORM_SHUFFLED, FORM_KEPT };

struct pixel_count {
    unsigned same, constant, kept;
};

static struct pixel_count count_bytes(const struct transfer_pixel *pixel) {
    struct pixel_count count = {0};
    assert(pixel->to_bytes <= PIXEL_BYTES);
    for (unsigned i = 0; i < pixel->to_bytes; i++) {
        count.same += pixel->source[i] == i;
        count.constant += pixel->source[i] == PIXEL_CONSTANT;
        count.kept += pixel->source[i] == PIXEL_KEPT;
    }
    return count;
}

static enum pixel_form transfer_form_of(const struct transfer_pixel *pixel) {
    struct pixel_count count = count_bytes(pixel);
    if (count.same == pixel->to_bytes && pixel->from_bytes == pixel->to_bytes)
        return FORM_SAME;
    if (count.constant == pixel->to_bytes)
        return FORM_FILL;
    return count.kept == pixel->to_bytes ? FORM_KEPT : FORM_SHUFFLED;
}

/* Nobody will see the end of a launch that this makes shorter. */
static uint64_t saturated_product(uint64_t a, uint64_t b) {
    uint64_t product;
    return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

/* Pixels that are moved at once, and how many times that is. */
struct steps {
    uint64_t pixels, per_line, all;
};

static struct steps steps_of(const struct transfer *t, uint64_t pixels) {
    uint64_t per_line = t->length / pixels + (t->length % pixels != 0);
    return (struct steps){pixels, per_line, saturated_product(per_line, t->lines)};
}

/* Part of a line: from pixel `at` of line `line` on. */
struct transfer_part {
    uint64_t line, at, pixels;
};

static bool fill_part(struct memory *memory, const struct transfer *t, const struct transfer_part *part,
                      struct fault *fault) {
    unsigned bytes = t->pixel.to_bytes;
    return surface_fill(memory, &t->to, t->to_point.x + part->at * bytes, t->to_point.y + part->line, t->to_point.z,
                        t->pixel.constant, bytes, part->pixels * bytes, fault);
}

static void shuffle_pixel(const struct transfer_pixel *pixel, const uint8_t *from, uint8_t *to) {
    for (unsigned i = 0; i < pixel->to_bytes; i++) {
        if (pixel->source[i] < PIXEL_BYTES)
            to[i] = from[pixel->source[i]];
        else if (pixel->source[i] == PIXEL_CONSTANT)
            to[i] = pixel->constant[i];
    }
}

/* Bytes that are kept are read and written back. What cannot be read then is reported as what it is: a write. */
static bool shuffle_part(struct memory *memory, const struct transfer *t, const struct transfer_part *part,
                         struct fault *fault) {
    uint8_t from[TRANSFER_PIECE * PIXEL_BYTES], to[TRANSFER_PIECE * PIXEL_BYTES];
    const struct transfer_pixel *pixel = &t->pixel;
    uint64_t from_x = t->from_point.x + part->at * pixel->from_bytes, from_y = t->from_point.y + part->line;
    uint64_t to_x = t->to_point.x + part->at * pixel->to_bytes, to_y = t->to_point.y + part->line;
    uint64_t to_bytes = part->pixels * pixel->to_bytes;
    assert(part->pixels <= TRANSFER_PIECE);
    if (transfer_uses_source(pixel) &&
        !surface_read(memory, &t->from, from_x, from_y, t->from_point.z, from, part->pixels * pixel->from_bytes, fault))
        return false;
    if (count_bytes(pixel).kept != 0 && !surface_read(memory, &t->to, to_x, to_y, t->to_point.z, to, to_bytes, fault)) {
        fault->write = true;
        return false;
    }
    for (uint64_t i = 0; i < part->pixels; i++)
        shuffle_pixel(pixel, from + i * pixel->from_bytes, to + i * pixel->to_bytes);
    return surface_write(memory, &t->to, to_x, to_y, t->to_point.z, to, to_bytes, fault);
}

typedef bool part_mover(struct memory *memory, const struct transfer *t, const struct transfer_part *part,
                        struct fault *fault);

static bool move_parts(struct memory *memory, const struct transfer *t, const struct steps *steps,
                       const struct work_slice *slice, part_mover *mover, struct fault *fault) {
    for (uint64_t i = slice->first; i < slice->first + slice->count; i++) {
        struct transfer_part part = {.line = i / steps->per_line, .at = i % steps->per_line * steps->pixels};
        assert(part.at < t->length && part.line < t->lines);
        uint64_t left = t->length - part.at;
        part.pixels = left < steps->pixels ? left : steps->pixels;
        if (!mover(memory, t, &part, fault))
            return false;
    }
    return true;
}

/* ---- slices ---- */

/* What observers are told of its surfaces. */
static void transfer_tell(const struct call *call, const struct transfer *t) {
    const struct access from = {"copy", t->from_point, saturated_product(t->length, t->pixel.from_bytes), t->lines};
    const struct access to = {"copy", t->to_point, saturated_product(t->length, t->pixel.to_bytes), t->lines};
    if (transfer_uses_source(&t->pixel))
        call_reads(call, &t->from, &from);
    if (transfer_form_of(&t->pixel) != FORM_KEPT)
        call_writes(call, &t->to, &to);
}

static enum transfer_result transfer_end_slice(const struct call *call, const struct transfer *t,
                                               const struct work_slice *slice) {
    if (!work_advance(call, slice))
        return TRANSFER_MORE;
    uint64_t line_bytes = saturated_product(t->length, t->pixel.to_bytes);
    transfer_tell(call, t);
    call_done(call, "copy", t->to.address, saturated_product(line_bytes, t->lines));
    return TRANSFER_FINISHED;
}

static enum transfer_result faulted(const struct call *call, const struct fault *fault) {
    work_break(call);
    call_fault(call, fault);
    return TRANSFER_FAULTED;
}

/* Ends with blocks of the destination; of the source if there are none. */
static void align_to_blocks(const struct transfer *t, struct work_slice *slice, uint64_t line_bytes) {
    bool to_blocks = t->to.layout.type == LAYOUT_BLOCK;
    uint64_t lines = layout_block_lines(to_blocks ? &t->to.layout : &t->from.layout);
    uint64_t y = to_blocks ? t->to_point.y : t->from_point.y, step = saturated_product(line_bytes, lines);
    if (lines > 1 && step < UINT64_MAX)
        work_slice_align(slice, y % lines * line_bytes, step);
}

/* Lines that follow each other without a gap, on either side, are one. */
static bool is_one_line(const struct transfer *t, uint64_t line_bytes) {
    const struct layout *to = &t->to.layout, *from = &t->from.layout;
    return to->type == LAYOUT_PITCH && from->type == LAYOUT_PITCH && to->pitch == from->pitch && to->pitch >= 0 &&
           (uint64_t)to->pitch == line_bytes;
}

/* Lines that are put into blocks cost twice as much as those that are taken from them. */
static uint64_t byte_cost(const struct transfer *t, uint64_t line_bytes) {
    bool from_pitch = t->from.layout.type == LAYOUT_PITCH, to_pitch = t->to.layout.type == LAYOUT_PITCH;
    uint64_t cost = (from_pitch && to_pitch ? PITCH_LINE_COST : BLOCK_LINE_COST) / (line_bytes ? line_bytes : 1);
    if (line_bytes >= LINE_COST || line_bytes == 0)
        return from_pitch && t->to.layout.type == LAYOUT_BLOCK ? 2 : 1;
    return is_one_line(t, line_bytes) ? 2 : cost ? cost : 1;
}

static enum transfer_result copy_slice(const struct call *call, const struct transfer *t) {
    uint64_t line_bytes = saturated_product(t->length, t->pixel.to_bytes);
    struct work_slice slice = work_slice(call, saturated_product(line_bytes, t->lines), byte_cost(t, line_bytes));
    uint64_t piecewise = 0;
    struct fault fault;
    align_to_blocks(t, &slice, line_bytes);
    if (slice.count && !surface_copy(call->engine->fifo->memory, &t->to, t->to_point, &t->from, t->from_point,
                                     line_bytes, slice.first, slice.count, &piecewise, &fault))
        return faulted(call, &fault);
    work_costs(call, piecewise * PIECEWISE_COST);
    return transfer_end_slice(call, t, &slice);
}

static enum transfer_result part_slice(const struct call *call, const struct transfer *t, uint64_t pixels,
                                       part_mover *mover) {
    struct steps steps = steps_of(t, pixels);
    uint64_t cost = (t->length < pixels ? t->length : pixels) * t->pixel.to_bytes;
    if (mover == shuffle_part)
        cost *= SHUFFLED_COST;
    struct work_slice slice = work_slice(call, steps.all, cost < LINE_COST ? LINE_COST : cost);
    struct fault fault;
    if (!move_parts(call->engine->fifo->memory, t, &steps, &slice, mover, &fault))
        return faulted(call, &fault);
    return transfer_end_slice(call, t, &slice);
}

#define FILL_PIXELS (WORK_SLICE_BYTES / PIXEL_BYTES)

/* Lines at a time, or parts of lines that are too long for that. */
static enum transfer_result fill_slice(const struct call *call, const struct transfer *t) {
    if (t->length > FILL_PIXELS)
        return part_slice(call, t, FILL_PIXELS, fill_part);
    unsigned bytes = t->pixel.to_bytes;
    uint64_t line_bytes = t->length * bytes, cost = line_bytes < LINE_COST ? LINE_COST : line_bytes;
    struct work_slice slice = work_slice(call, line_bytes ? t->lines : 0, cost);
    work_slice_align(&slice, t->to_point.y, layout_block_lines(&t->to.layout));
    struct surface_point at = t->to_point;
    at.y += slice.first;
    struct fault fault;
    if (!surface_fill_lines(call->engine->fifo->memory, &t->to, at, t->pixel.constant, bytes, line_bytes, slice.count,
                            &fault))
        return faulted(call, &fault);
    return transfer_end_slice(call, t, &slice);
}

enum transfer_result transfer_slice(const struct call *call, const struct transfer *t) {
    const struct work_slice nothing = {0};
    switch (transfer_form_of(&t->pixel)) {
    case FORM_SAME:
        return copy_slice(call, t);
    case FORM_FILL:
        return fill_slice(call, t);
    case FORM_SHUFFLED:
        return part_slice(call, t, TRANSFER_PIECE, shuffle_part);
    case FORM_KEPT:
        break;
    }
    return transfer_end_slice(call, t, &nothing);
}
