/* SPDX-License-Identifier: MIT */
/*
 * BLIT (1f, 5f, 9f): from one place of video memory to another. SIZE draws. Where source and destination overlap, the
 * direction is such that the copy is right. FLIP counts buffers on 9f, in three bits.
 *
 * UNKNOWN: pixels of the source outside its surface; chosen: nothing is drawn from there.
 * UNKNOWN: when FLIP_HEAD_INCR_READ advances (it waits for the head's vertical blank); chosen: at once, since there are
 *          no heads here.
 * Sources: envytools rnndb/graph/nv1_blit.xml, hwtest/pgraph_mthd_misc.cc; nouveau nv04_fbcon.c, dispnv04 (page flips).
 */
#include <assert.h>

#include "engine/kinds.h"
#include "engine/twod/nv4_context.h"
#include "engine/twod/nv4_surface.h"
#include "engine/core/work.h"
#include "event/event.h"
#include "fifo/fifo.h"
#include "methods/nv1_2d.h"

#define CHUNK 512u /* pixels at a time */

enum { POINT_IN = NV4_BLIT_POINT_IN, POINT_OUT = NV4_BLIT_POINT_OUT, SIZE = NV4_BLIT_SIZE };

static const struct nv4_slots slots = {
    .bind = {[NV4_CHROMA] = NV4_BLIT_COLOR_KEY, [NV4_CLIP] = NV4_BLIT_CLIP, NV4_DRAWS_FROM(NV4_BLIT_PATTERN)},
    .operation = NV4_BLIT_OPERATION};
static const struct nv4_slots old_slots = {.bind = {[NV4_CHROMA] = NV1_BLIT_COLOR_KEY,
                                                    [NV4_CLIP] = NV1_BLIT_CLIP,
                                                    NV4_RASTER_FROM(NV1_BLIT_PATTERN),
                                                    [NV4_SOURCE] = NV1_BLIT_SURFACE_SRC,
                                                    [NV4_SURFACE] = NV1_BLIT_SURFACE_DST},
                                           .operation = NV1_BLIT_OPERATION,
                                           .is_old = true};

struct nv4_blit {
    struct nv4_draw draw;
    struct surface source;
    int32_t dx, dy; /* from a pixel of the destination to its source */
    struct nv4_box box;
    bool raw; /* bytes are copied as they are */
};

static bool nv4_blit_open(const struct call *call, struct nv4_blit *blit) {
    const struct nv4_slots *bound = call->action->argument;
    struct nv4_surface source;
    enum nv4_context from = bound->is_old ? NV4_SOURCE : NV4_SURFACE;
    if (!nv4_draw_open(call, bound, &blit->draw))
        return false;
    if (!nv4_bound(call, bound, from) || !nv4_surface_source(call, &source) || source.format != blit->draw.format) {
        work_end(call);
        call_invalid_state(call, bound->bind[from],
                           "the source is not complete, or of another format than the destination");
        return false;
    }
    blit->source = source.surface;
    uint32_t in = call_value(call, POINT_IN), out = call_value(call, POINT_OUT);
    blit->dx = nv4_low(in) - nv4_low(out);
    blit->dy = nv4_high(in) - nv4_high(out);
    /* What would come from outside the source is as if clipped. */
    nv4_draw_clip(&blit->draw,
                  (struct nv4_box){-blit->dx, -blit->dy, source.width - blit->dx, source.height - blit->dy});
    blit->box = nv4_clipped(&blit->draw, nv4_box_of(out, call->data));
    blit->raw = blit->draw.operation == NV4_SRCCOPY && !blit->draw.keyed &&
                nv4_format_mask(blit->draw.format) == UINT32_MAX >> (32 - 8 * blit->draw.format->bytes);
    return true;
}

static bool copy_chunk(struct nv4_blit *blit, int32_t x, int32_t y, uint32_t count) {
    struct nv4_draw *draw = &blit->draw;
    uint8_t bytes[4 * CHUNK];
    uint32_t color[CHUNK];
    unsigned pixel_bytes = draw->format->bytes;
    uint64_t length = (uint64_t)count * pixel_bytes;
    assert(length <= sizeof bytes && x >= 0 && y >= 0 && x + blit->dx >= 0 && y + blit->dy >= 0);
    uint64_t from_x = (uint64_t)x + (uint64_t)(int64_t)blit->dx, from_y = (uint64_t)y + (uint64_t)(int64_t)blit->dy;
    if (!surface_read(draw->memory, &blit->source, from_x * pixel_bytes, from_y, 0, bytes, length, &draw->fault))
        return false;
    if (blit->raw)
        return surface_write(draw->memory, &draw->surface, (uint64_t)x * pixel_bytes, (uint64_t)y, 0, bytes, length,
                             &draw->fault);
    for (uint32_t i = 0; i < count; i++)
        color[i] = nv4_convert(draw->format, draw->format, nv4_load(bytes, pixel_bytes, i));
    return nv4_draw_row(draw, x, y, color, 1, count);
}

/* A row that moves to the right begins at its end. */
static bool nv4_blit_copy_row(struct nv4_blit *blit, int32_t y) {
    uint32_t width = (uint32_t)(blit->box.right - blit->box.left);
    bool backwards = blit->dx < 0 && blit->dy == 0;
    assert(!nv4_box_empty(&blit->box));
    for (uint32_t done = 0, now; done < width; done += now) {
        now = width - done < CHUNK ? width - done : CHUNK;
        uint32_t at = backwards ? width - done - now : done;
        if (!copy_chunk(blit, blit->box.left + (int32_t)at, y, now))
            return false;
    }
    return true;
}

static uint64_t nv4_blit_row_cost(const struct nv4_blit *blit, uint64_t bytes) {
    return blit->raw ? 2 * bytes + WORK_ROW_BYTES : nv4_draw_cost(&blit->draw, 1, bytes / blit->draw.format->bytes);
}

static void nv4_blit_tell(const struct call *call, const struct nv4_blit *blit) {
    const struct nv4_box *box = &blit->box;
    uint64_t bytes = blit->draw.format->bytes;
    if (!nv4_box_empty(box))
        call_reads(call, &blit->source,
                   &(struct access){
                       "blit",
                       {(uint64_t)(box->left + (int64_t)blit->dx) * bytes, (uint64_t)(box->top + (int64_t)blit->dy), 0},
                       (uint64_t)(box->right - box->left) * bytes,
                       (uint64_t)(box->bottom - box->top)});
    nv4_draw_tell(call, "blit", &blit->draw, *box);
}

static enum action_result draw_blit(struct call *call) {
    struct nv4_blit blit;
    if (!nv4_blit_open(call, &blit))
        return ACTION_DONE;
    const struct nv4_box *box = &blit.box;
    bool empty = nv4_box_empty(box);
    uint64_t bytes = empty ? 0 : (uint64_t)(box->right - box->left) * blit.draw.format->bytes;
    struct work_slice slice =
        work_slice(call, empty ? 0 : (uint64_t)(box->bottom - box->top), nv4_blit_row_cost(&blit, bytes));
    for (uint64_t row = slice.first; row < slice.first + slice.count; row++) {
        int32_t y = blit.dy < 0 ? box->bottom - 1 - (int32_t)row : box->top + (int32_t)row;
        if (!nv4_blit_copy_row(&blit, y))
            return nv4_draw_fault(call, &blit.draw);
    }
    if (!work_advance(call, &slice))
        return ACTION_STALL;
    nv4_blit_tell(call, &blit);
    call_done(call, "blit", nv4_draw_address(&blit.draw, box->left, box->top), bytes * slice.total);
    return ACTION_DONE;
}

/* ---- FLIP ---- */

enum {
    SET_READ = NV15_BLIT_FLIP_SET_READ,
    SET_WRITE = NV15_BLIT_FLIP_SET_WRITE,
    FLIP_MAX = NV15_BLIT_FLIP_MAX,
    INCR_WRITE = NV15_BLIT_FLIP_INCR_WRITE,
    FLIP_WAIT = NV15_BLIT_FLIP_WAIT,
    INCR_READ = NV15_BLIT_FLIP_HEAD_INCR_READ
};

#define FLIP_BITS 7u
_Static_assert((FLIP_BITS & (FLIP_BITS + 1)) == 0, "counters are cut by a mask");

/* The counters are what SET_READ and SET_WRITE have as their value; they and the maximum have three bits. */
static enum action_result flip_set(struct call *call) {
    call_set_value(call, call->method, call->data & FLIP_BITS);
    return ACTION_DONE;
}

/* One that is beyond the maximum already goes on until its bits end. */
static uint32_t next(const struct call *call, uint32_t counter) {
    uint32_t value = call_value(call, counter) + 1;
    return value == call_value(call, FLIP_MAX) ? 0 : value & FLIP_BITS;
}

static enum action_result flip_write(struct call *call) {
    call_set_value(call, SET_WRITE, next(call, SET_WRITE));
    return ACTION_DONE;
}

static enum action_result flip_read(struct call *call) {
    call_set_value(call, SET_READ, next(call, SET_READ));
    return ACTION_DONE;
}

/* The buffer to be drawn next is still shown: wait. */
static enum action_result flip_wait(struct call *call) {
    bool wait = call_value(call, SET_READ) == call_value(call, SET_WRITE);
    uint32_t *said = (uint32_t *)object_private(call->object) + NV4_EXTRA;
    if (wait && !*said)
        event_send(call->engine->fifo->events, EVENT_ENGINE_ACQUIRE, call->channel->id, event_words[PFIFO_WORD_WAITS],
                   0, call_value(call, SET_WRITE), call_value(call, SET_READ), 0);
    *said = wait;
    return wait ? ACTION_STALL : ACTION_DONE;
}

/* Nothing is left of or above a source. */
static enum action_result set_point_in(struct call *call) {
    return nv4_refuse_unless(call, (call->data & 0x80008000) == 0);
}

/* clang-format off */
#define BLIT_ACTIONS(slots)                                                                                            \
    {.method = POINT_IN, .type = ACTION_EFFECT, .run = set_point_in},                                                  \
    {.method = SIZE, .type = ACTION_EFFECT, .run = draw_blit, .argument = &(slots)}
/* clang-format on */

static const struct action actions[] = {
    NV4_BINDS(NV4_BLIT_COLOR_KEY, 7, slots), NV4_OPERATION_AT(NV4_BLIT_OPERATION), BLIT_ACTIONS(slots), {0}};
static const struct action old_actions[] = {NV4_BINDS(NV1_BLIT_COLOR_KEY, 7, old_slots),
                                            NV4_OLD_OPERATION_AT(NV1_BLIT_OPERATION),
                                            BLIT_ACTIONS(old_slots),
                                            {0}};
static const struct action flip_actions[] = {{.method = SET_READ, .count = 3, .type = ACTION_INSIDE, .run = flip_set},
                                             {.method = INCR_WRITE, .type = ACTION_INSIDE, .run = flip_write},
                                             {.method = FLIP_WAIT, .type = ACTION_EFFECT, .run = flip_wait},
                                             {.method = INCR_READ, .type = ACTION_INSIDE, .run = flip_read},
                                             {0}};

NV4_KIND(kind_nv4_blit, "blit", NV4_EXTRA, actions);
NV4_KIND(kind_nv4_old_blit, "blit", NV4_EXTRA, old_actions);
const struct kind kind_nv15_blit = {
    .name = "blit",
    .role = ROLE_NONE,
    .private = {.bytes = 4 * (NV4_EXTRA + 1)}, /* the last word: a wait has been reported */
    .groups = {notify_nv4_actions, actions, flip_actions}};
