/* SPDX-License-Identifier: MIT */
#include "engine/draw/front.h"

#include <string.h>

#include "engine/draw/front_draw.h"
#include "engine/graph/render.h"
#include "engine/sync/counters.h"

#define NO_LIMIT UINT32_MAX

/* ---- state ---- */

static bool front_init(void *state, const struct private_owner *owner) {
    struct front *front = state;
    (void)owner;
    front->inline_left = NO_LIMIT;
    for (unsigned i = 0; i < VERTEX_ATTRIBUTES; i++)
        front->constant[i][3] = 0x3f800000;
    memset(front->slots, 0xff, sizeof front->slots); /* SAMPLING_UNBOUND */
    return true;
}

static void vertex_state(struct state_io *io, struct assembly_vertex *vertex) {
    state_u32(io, &vertex->number);
    state_u32(io, &vertex->id);
    state_bool(io, &vertex->edge);
    state_bool(io, &vertex->with_data);
}

static void assembly_state(struct state_io *io, struct assembly *assembly) {
    unsigned topology = assembly->topology;
    state_index(io, &topology, TOPOLOGIES + 1, "topology");
    assembly->topology = (uint8_t)topology;
    state_bool(io, &assembly->last);
    state_u64(io, &assembly->count);
    state_u32(io, &assembly->id);
    assembly->held = (uint8_t)state_count(io, assembly->held, ASSEMBLY_HELD - 1, "held vertices");
    for (unsigned i = 0; i < ASSEMBLY_HELD; i++)
        vertex_state(io, &assembly->vertex[i]);
}

static void front_saved(void *state, const struct private_owner *owner, struct state_io *io) {
    struct front *front = state;
    (void)owner;
    state_bool(io, &front->drawing);
    state_bool(io, &front->allowed);
    state_bool(io, &front->open_end);
    state_u32(io, &front->instance);
    state_u32(io, &front->stipple);
    state_u64(io, &front->long_steps);
    state_u32(io, &front->inline_left);
    state_u32(io, &front->inline_skip);
    assembly_state(io, &front->assembly);
    front_tally_state(&front->tally, io);
    front->queued = state_count(io, front->queued, FRONT_QUEUE, "vertices");
    for (uint32_t i = 0; i < front->queued && state_good(io); i++) {
        vertex_state(io, &front->queue[i].vertex);
        state_bool(io, &front->queue[i].restart);
    }
    for (unsigned i = 0; i < VERTEX_ATTRIBUTES; i++)
        state_words(io, front->constant[i], 4, "constant attributes");
    for (unsigned i = 0; i < FRONT_GROUPS; i++) {
        state_words(io, front->slots[i].header, SAMPLING_SLOTS, "bound headers");
        state_words(io, front->slots[i].sampler, SAMPLING_SLOTS, "bound samplers");
    }
    front_inline_state(front, io);
}

static void front_free(void *state) {
    front_inline_free(state);
    front_work_free(((struct front *)state)->work);
}

const struct private_state front_part = {
    .bytes = sizeof(struct front), .init = front_init, .state = front_saved, .free = front_free};

static struct front *front_of(const struct call *call) {
    return object_part(call->object, &front_part);
}

/* ---- BEGIN ---- */

/* Numbers of D3D's lists (0x1970), used if 0x1948 says so. */
static unsigned topology_of(const struct call *call, uint32_t code) {
    static const uint8_t d3d[] = {[1] = TOPOLOGY_POINTS,
                                  [2] = TOPOLOGY_LINES,
                                  [3] = TOPOLOGY_LINE_STRIP,
                                  [4] = TOPOLOGY_TRIANGLES,
                                  [5] = TOPOLOGY_TRIANGLE_STRIP,
                                  [0xa] = TOPOLOGY_LINES_ADJACENCY,
                                  [0xb] = TOPOLOGY_LINE_STRIP_ADJACENCY,
                                  [0xc] = TOPOLOGY_TRIANGLES_ADJACENCY,
                                  [0xd] = TOPOLOGY_TRIANGLE_STRIP_ADJACENCY,
                                  [0xe] = TOPOLOGY_PATCHES};
    if (!(call_value(call, 0x1948) & 1))
        return code;
    code = call_value(call, 0x1970);
    return code < sizeof d3d ? d3d[code] : TOPOLOGIES;
}

enum instance_mode { INSTANCE_FIRST, INSTANCE_NEXT, INSTANCE_SAME };

static void start_draw(const struct call *call, uint32_t topology, unsigned mode, bool keep_id, bool open_begin) {
    struct front *front = front_of(call);
    uint32_t id = front->assembly.id;
    front->drawing = true;
    front->tally = (struct front_tally){0};
    front->allowed = render_allowed_gf100(call);
    front->instance = mode == INSTANCE_FIRST ? 0 : mode == INSTANCE_NEXT ? front->instance + 1 : front->instance;
    front->stipple = 0;
    front->long_steps = 0;
    if (open_begin)
        return;
    front->queued = 0;
    front_inline_begin(front);
    if (front->work)
        front->work->ready = false;
    assembly_begin(&front->assembly, topology_of(call, topology), call_value(call, 0x1684) & 1);
    front->assembly.id = keep_id ? id : 0;
}

/* UNKNOWN: BEGIN without END before it; chosen: what waits is dropped. */
static enum action_result begin(struct call *call) {
    unsigned split = call->data >> 29 & 3;
    if (!front_class_of(call->object->object_class))
        return draw_gf100(call);
    start_draw(call, call->data & 0xffff, call->data >> 26 & 3, call->data >> 24 & 1, split == 2 || split == 3);
    front_of(call)->open_end = split == 1 || split == 2;
    return ACTION_DONE;
}

/* ---- vertices ---- */

/* Vertices of a method: the next one, by its number in the method. */
struct feed {
    uint64_t count;
    bool whole; /* they are drawn when the method is done */
    bool end;   /* the last one is none: the primitive ends */
    bool (*next)(struct front_work *work, const struct feed *feed, uint64_t number, struct front_item *item);
    uint32_t first;
    unsigned bytes; /* of an index */
};

static uint32_t value(const struct front_work *work, uint32_t method) {
    return call_value(work->call, method);
}

static bool restarts(const struct front_work *work, uint32_t index) {
    return (value(work, 0x1644) & 1) && index == value(work, 0x1648);
}

static bool next_of_array(struct front_work *work, const struct feed *feed, uint64_t number, struct front_item *item) {
    uint32_t vertex = feed->first + (uint32_t)number, k = (uint32_t)number;
    item->restart = (value(work, 0xde8) & 1) && restarts(work, vertex);
    item->vertex.number = vertex + value(work, 0x1434);
    item->vertex.id = k + (value(work, 0x164c) >> 12 & 1 ? feed->first : 0) + value(work, 0x1118);
    return true;
}

static void set_index(const struct front_work *work, uint32_t index, struct front_item *item) {
    item->restart = restarts(work, index);
    item->vertex.number = index + value(work, 0x1434);
    item->vertex.id = index + value(work, 0x1118);
}

/* Behind the limit, indices are 0: D3D's rule for safe accesses. */
static bool next_of_elements(struct front_work *work, const struct feed *feed, uint64_t number,
                             struct front_item *item) {
    uint64_t start = call_address(work->call, 0x17c8, 0x17cc, 8), limit = call_address(work->call, 0x17d0, 0x17d4, 8);
    uint64_t address = start + (uint64_t)(uint32_t)(feed->first + number) * feed->bytes;
    uint8_t bytes[4] = {0};
    work->use = USE_INDEX;
    if (address + feed->bytes - 1 <= limit && !front_read(work, address, bytes, feed->bytes))
        return false;
    set_index(work, load_le32(bytes), item);
    return true;
}

static bool next_inline(struct front_work *work, const struct feed *feed, uint64_t number, struct front_item *item) {
    uint64_t mask = (UINT64_C(1) << feed->bytes * 8) - 1;
    set_index(work, (uint32_t)(work->call->data >> (feed->first + number) * feed->bytes * 8 & mask), item);
    return true;
}

static bool next_of_zeros(struct front_work *work, const struct feed *feed, uint64_t number, struct front_item *item) {
    (void)feed;
    (void)number;
    set_index(work, 0, item);
    return true;
}

static bool next_of_data(struct front_work *work, const struct feed *feed, uint64_t number, struct front_item *item) {
    bool edge = item->vertex.edge;
    (void)feed;
    (void)number;
    item->vertex = front_inline_last(work->front, work->call);
    item->vertex.edge = edge;
    return true;
}

/* ---- slices ---- */

static bool fill(struct front_work *work, const struct feed *feed, struct front_progress *at) {
    struct front *front = work->front;
    while (front->queued < FRONT_QUEUE && at->vertex < feed->count) {
        struct front_item item = {.vertex.edge = value(work, 0x15e4) & 1};
        if (feed->end && at->vertex + 1 == feed->count)
            item.restart = true;
        else if (!feed->next(work, feed, at->vertex, &item))
            return false;
        if (!item.restart && !item.vertex.with_data)
            front_tally_vertex(&front->tally, item.vertex.number);
        front->queue[front->queued++] = item;
        at->vertex++;
    }
    return true;
}

/* What the raster has counted since the slice began. */
static void count_pixels(const struct front_work *work) {
    const struct draw_result *result = draw_raster_result(work->raster);
    if (work->state.draw.zeta.counts)
        counter_add(work->call, COUNTER_SAMPLES, result->samples);
    if (work->value[0xd68 >> 2] >> 9 & 1)
        counter_add(work->call, COUNTER_PIXEL_SHADER, result->fragments);
}

static enum front_result slice(struct front_work *work, const struct feed *feed, struct front_progress *at,
                               uint64_t *cost) {
    const struct front *front = work->front;
    for (;;) {
        if (!fill(work, feed, at))
            return FRONT_FAILED;
        if (front->queued < FRONT_QUEUE && !(feed->whole && front->queued))
            return FRONT_DONE;
        if (*cost >= WORK_SLICE_BYTES)
            return FRONT_PAUSED;
        enum front_result result = front_group(work, at, at->vertex < feed->count, WORK_SLICE_BYTES, cost);
        if (result != FRONT_DONE)
            return result;
    }
}

static void stop(const struct call *call, struct front *front) {
    front->queued = 0;
    front->assembly.held = 0;
    front->assembly.count = 0;
    if (front->work)
        front->work->ready = false;
    work_end(call);
}

static enum action_result feed_vertices(const struct call *call, const struct feed *feed) {
    struct front *front = front_of(call);
    struct front_progress *at = work_progress(call, sizeof *at);
    uint64_t cost = 0;
    if (!front->drawing || !front->allowed || (!feed->count && !front->queued))
        return ACTION_DONE;
    if (!front->work)
        front->work = front_work_new(front);
    if (!front->work || !front_prepare(front->work, call)) {
        stop(call, front);
        return ACTION_DONE;
    }
    if (!work_under_way(call)) {
        front->work->ready = false;
        uint64_t count = feed->count - (feed->count && feed->end);
        front_tally_feed(&front->tally, feed->whole ? feed->first : 0, count);
        if (feed->next == next_of_elements)
            front_tally_indices(&front->tally,
                                call_address(call, 0x17c8, 0x17cc, 8) + (uint64_t)feed->first * feed->bytes,
                                count * feed->bytes);
    }
    enum front_result result = slice(front->work, feed, at, &cost);
    count_pixels(front->work);
    front_tally_slice(front->work);
    front_report(front->work);
    work_costs(call, cost + WORK_START_BYTES);
    if (result == FRONT_PAUSED) {
        work_pause(call);
        return ACTION_STALL;
    }
    if (result == FRONT_FAILED) {
        stop(call, front);
        work_break(call);
        return ACTION_DONE;
    }
    work_end(call);
    return ACTION_DONE;
}

/* ---- methods that draw ---- */

static bool draws(const struct call *call) {
    return front_class_of(call->object->object_class) != NULL;
}

static enum action_result draw_array(struct call *call) {
    struct feed feed = {.count = call->data, .whole = true, .next = next_of_array, .first = call_value(call, 0xd74)};
    return draws(call) ? feed_vertices(call, &feed) : ACTION_DONE;
}

static enum action_result draw_elements(struct call *call) {
    static const uint8_t sizes[4] = {1, 2, 4, 4};
    struct feed feed = {.count = call->data,
                        .whole = true,
                        .next = next_of_elements,
                        .first = call_value(call, 0x17dc),
                        .bytes = sizes[call_value(call, 0x17d8) & 3]};
    return draws(call) ? feed_vertices(call, &feed) : ACTION_DONE;
}

static enum action_result draw_zeros(struct call *call) {
    struct feed feed = {.count = call->data, .whole = true, .next = next_of_zeros};
    return draws(call) ? feed_vertices(call, &feed) : ACTION_DONE;
}

/* The draw's last method is done, unless it goes on. */
static void front_over(const struct call *call, enum action_result result) {
    struct front *front = front_of(call);
    if (front->drawing && result == ACTION_DONE)
        front_tally_end(front, call);
    front->drawing = result == ACTION_STALL;
}

/* The end of a primitive, which closes loops; an open one goes on behind the next BEGIN. */
static enum action_result end(struct call *call) {
    struct front *front = front_of(call);
    struct feed feed = {.count = front->open_end ? 0 : 1, .whole = true, .end = true};
    if (!draws(call))
        return ACTION_DONE;
    bool idle = !front->queued && !front->assembly.held;
    enum action_result result = idle ? ACTION_DONE : feed_vertices(call, &feed);
    front_over(call, result);
    return result;
}

/* [15:0] first, [27:16] count, [31:28] topology: BEGIN, draw and END in one. */
struct whole {
    uint8_t bytes; /* of an index; 0: arrays */
    bool again;    /* the next instance */
};

static enum action_result draw_whole(struct call *call) {
    const struct whole *whole = call->action->argument;
    struct feed feed = {.count = (call->data >> 16 & 0xfff) + UINT64_C(1),
                        .whole = true,
                        .end = true,
                        .next = whole->bytes ? next_of_elements : next_of_array,
                        .first = call->data & 0xffff,
                        .bytes = whole->bytes};
    if (!draws(call))
        return draw_gf100(call);
    if (!work_under_way(call))
        start_draw(call, call->data >> 28, whole->again ? INSTANCE_NEXT : INSTANCE_FIRST, false, false);
    enum action_result result = feed_vertices(call, &feed);
    front_over(call, result);
    return result;
}

/* ---- inline indices ---- */

/* SETUP: how many indices of the words that follow count, and how many of the first word do not. */
static enum action_result set_up_bytes(struct call *call) {
    struct front *front = front_of(call);
    uint32_t count = call->data & 0x3fffffff;
    front->inline_left = count ? count : NO_LIMIT;
    front->inline_skip = call->data >> 30;
    return ACTION_DONE;
}

static enum action_result set_up_halves(struct call *call) {
    struct front *front = front_of(call);
    uint32_t count = call->data & 0x7fffffff;
    front->inline_left = count ? count : NO_LIMIT;
    front->inline_skip = call->data >> 31;
    return ACTION_DONE;
}

/* `bytes` of an index, in a word of several. */
static enum action_result draw_word(struct call *call, unsigned bytes) {
    struct front *front = front_of(call);
    unsigned most = 4 / bytes;
    struct feed feed = {.bytes = bytes, .next = next_inline, .count = most};
    if (!draws(call))
        return ACTION_DONE;
    if (bytes < 4) {
        feed.first = front->inline_skip < most ? front->inline_skip : most;
        feed.count = most - feed.first < front->inline_left ? most - feed.first : front->inline_left;
    }
    enum action_result result = feed_vertices(call, &feed);
    if (result == ACTION_DONE && bytes < 4) {
        front->inline_skip = 0;
        front->inline_left -= front->inline_left == NO_LIMIT ? 0 : (uint32_t)feed.count;
    }
    return result;
}

static enum action_result draw_index(struct call *call) {
    return draw_word(call, 4);
}

static enum action_result draw_halves(struct call *call) {
    return draw_word(call, 2);
}

static enum action_result draw_bytes(struct call *call) {
    return draw_word(call, 1);
}

/* ---- inline vertices ---- */

static enum action_result draw_data(struct call *call) {
    const struct front_class *of = front_class_of(call->object->object_class);
    struct front *front = front_of(call);
    struct feed feed = {.count = 1, .next = next_of_data};
    if (!of || !front->drawing || !front->allowed)
        return ACTION_DONE;
    if (!of->inline_vertices) {
        call_not_executed(call);
        return ACTION_DONE;
    }
    enum front_inline_result result = work_under_way(call) ? FRONT_INLINE_VERTEX : front_inline_word(front, call);
    if (result == FRONT_INLINE_NO_MEMORY)
        call_work_not_executed(call, "no memory");
    return result == FRONT_INLINE_VERTEX ? feed_vertices(call, &feed) : ACTION_DONE;
}

/* ---- other methods ---- */

/* INVALIDATE_SHADER_CACHES, MEM_BARRIER: [0] instructions. */
static enum action_result invalidate(struct call *call) {
    struct front *front = front_of(call);
    if (front->work && (call->data & 1))
        front_forget_programs(front->work);
    return ACTION_DONE;
}

/* Constant attributes: 0x114c says which, how many components of how many bits, and their type; words follow. */
static enum action_result set_constant(struct call *call) {
    static const uint8_t sizes[3][4] = {{0x1d, 0x18, 0x13, 0x0a}, {0x1b, 0x0f, 0x05, 0x03}, {0x12, 0x04, 0x02, 0x01}};
    static const uint8_t rows[8] = {[1] = 1, [2] = 2, [4] = 3};
    uint32_t define = call_value(call, 0x114c), components = define >> 8 & 7, row = rows[define >> 12 & 7];
    struct vertex_attribute attribute;
    uint8_t bytes[VERTEX_MOST_BYTES];
    if (!row || components < 1 || components > 4)
        return ACTION_DONE;
    vertex_attribute(&attribute, (uint32_t)sizes[row - 1][components - 1] << 21 | (define >> 16 & 7) << 27);
    for (unsigned i = 0; i < 4; i++)
        store_le32(bytes + i * (size_t)4, call_value(call, 0x1150 + i * 4));
    if (!attribute.constant)
        vertex_unpack(&attribute, bytes, front_of(call)->constant[define & (VERTEX_ATTRIBUTES - 1)]);
    return ACTION_DONE;
}

/*
 * Fermi: a sampler, [11:4] slot, [24:12] index; a header, [8:1] slot, [30:9] index; [0] valid. Later classes have
 * handles instead. UNKNOWN: slots beyond 32; chosen: they are not there.
 */
static enum action_result bind_sampler(struct call *call) {
    struct sampling_slots *slots = &front_of(call)->slots[(call->method - 0x2400u) / 32 % FRONT_GROUPS];
    uint32_t slot = call->data >> 4 & 0xff;
    if (slot < SAMPLING_SLOTS)
        slots->sampler[slot] = call->data & 1 ? call->data >> 12 & 0x1fff : SAMPLING_UNBOUND;
    return ACTION_DONE;
}

static enum action_result bind_header(struct call *call) {
    struct sampling_slots *slots = &front_of(call)->slots[(call->method - 0x2404u) / 32 % FRONT_GROUPS];
    uint32_t slot = call->data >> 1 & 0xff;
    if (slot < SAMPLING_SLOTS)
        slots->header[slot] = call->data & 1 ? call->data >> 9 & 0x3fffff : SAMPLING_UNBOUND;
    return ACTION_DONE;
}

/* The extra pair, 0x2408 and 0x240c: [0] valid. */
static enum action_result bind_extra(struct call *call) {
    if (draws(call) && (call->data & 1))
        call_work_not_executed(call, "extra texture");
    return ACTION_DONE;
}

static enum action_result not_drawn(struct call *call) {
    const struct front *front = front_of(call);
    if (draws(call) && front->drawing && front->allowed)
        call_not_executed(call);
    return ACTION_DONE;
}

static const struct whole words = {4, false}, words_again = {4, true}, halves = {2, false}, halves_again = {2, true},
                          bytes = {1, false}, bytes_again = {1, true}, arrays = {0, false}, arrays_again = {0, true};

#define DRAW(number, function)                                                                                         \
    { .method = (number), .type = ACTION_EFFECT, .run = (function) }
#define WHOLE(number, kind)                                                                                            \
    { .method = (number), .type = ACTION_EFFECT, .run = draw_whole, .argument = &(kind) }
#define SET(number, function)                                                                                          \
    { .method = (number), .type = ACTION_INSIDE, .run = (function) }

const struct action front_gf100_actions[] = {
    DRAW(0x1618, begin),
    DRAW(0x1614, end),
    DRAW(0xd78, draw_array),
    DRAW(0x17e0, draw_elements),
    DRAW(0x304, draw_zeros),
    DRAW(0x15e8, draw_index),
    DRAW(0x15f0, draw_halves),
    DRAW(0x1304, draw_bytes),
    WHOLE(0x17e4, words), /* DRAW_INDEX_BUFFER32/16/8_BEGIN_END_INSTANCE_FIRST, then .._SUBSEQUENT */
    WHOLE(0x17e8, halves),
    WHOLE(0x17ec, bytes),
    WHOLE(0x17f0, words_again),
    WHOLE(0x17f4, halves_again),
    WHOLE(0x17f8, bytes_again),
    WHOLE(0x1214, arrays), /* DRAW_VERTEX_ARRAY_BEGIN_END_INSTANCE_.. */
    WHOLE(0x1218, arrays_again),
    DRAW(0x1640, draw_data),
    DRAW(0x123c, not_drawn), /* DRAW_AUTO */
    SET(0x1300, set_up_bytes),
    SET(0x15ec, set_up_halves),
    SET(0x21c, invalidate),
    SET(0x1698, invalidate),
    {.method = 0x2400, .count = FRONT_GROUPS, .stride = 32, .type = ACTION_INSIDE, .run = bind_sampler},
    {.method = 0x2404, .count = FRONT_GROUPS, .stride = 32, .type = ACTION_INSIDE, .run = bind_header},
    {.method = 0x2408, .count = FRONT_GROUPS, .stride = 32, .type = ACTION_INSIDE, .run = bind_extra},
    {.method = 0x240c, .count = FRONT_GROUPS, .stride = 32, .type = ACTION_INSIDE, .run = bind_extra},
    {.method = 0x1150, .count = 4, .type = ACTION_INSIDE, .run = set_constant},
    {0}};
