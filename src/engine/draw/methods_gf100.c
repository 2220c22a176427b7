/* SPDX-License-Identifier: MIT */
/* The methods that draw, and those that the drawing keeps something of. */
#include "engine/core/work.h"
#include "engine/draw/feed.h"
#include "engine/draw/object.h"
#include "engine/draw/observe.h"
#include "engine/draw/pipeline.h"
#include "engine/graph/render.h"

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
    struct draw_object *object = draw_object_of(call);
    uint32_t id = object->assembly.id;
    object->drawing = true;
    object->tally = (struct draw_tally){0};
    object->allowed = render_allowed_gf100(call);
    object->instance = mode == INSTANCE_FIRST ? 0 : mode == INSTANCE_NEXT ? object->instance + 1 : object->instance;
    object->stipple = 0;
    object->long_steps = 0;
    if (open_begin)
        return;
    object->queued = 0;
    inline_vertices_begin(object);
    pipeline_drop_group(object->pipeline);
    assembly_begin(&object->assembly, topology_of(call, topology), call_value(call, 0x1684) & 1);
    object->assembly.id = keep_id ? id : 0;
}

/* UNKNOWN: BEGIN without END before it; chosen: what waits is dropped. */
static enum action_result begin(struct call *call) {
    unsigned split = call->data >> 29 & 3;
    if (!draw_class_of(call->object->object_class))
        return draw_gf100(call);
    start_draw(call, call->data & 0xffff, call->data >> 26 & 3, call->data >> 24 & 1, split == 2 || split == 3);
    draw_object_of(call)->open_end = split == 1 || split == 2;
    return ACTION_DONE;
}

/* ---- methods that draw ---- */

static bool draws(const struct call *call) {
    return draw_class_of(call->object->object_class) != NULL;
}

static enum action_result draw_array(struct call *call) {
    struct feed feed = {.count = call->data, .whole = true, .next = feed_array, .first = call_value(call, 0xd74)};
    return draws(call) ? feed_vertices(call, &feed) : ACTION_DONE;
}

static enum action_result draw_elements(struct call *call) {
    static const uint8_t sizes[4] = {1, 2, 4, 4};
    struct feed feed = {.count = call->data,
                        .whole = true,
                        .next = feed_elements,
                        .first = call_value(call, 0x17dc),
                        .bytes = sizes[call_value(call, 0x17d8) & 3]};
    return draws(call) ? feed_vertices(call, &feed) : ACTION_DONE;
}

static enum action_result draw_zeros(struct call *call) {
    struct feed feed = {.count = call->data, .whole = true, .next = feed_zeros};
    return draws(call) ? feed_vertices(call, &feed) : ACTION_DONE;
}

/* The draw's last method is done, unless it goes on. */
static void draw_over(const struct call *call, enum action_result result) {
    struct draw_object *object = draw_object_of(call);
    if (object->drawing && result == ACTION_DONE)
        draw_observe(object, call);
    object->drawing = result == ACTION_STALL;
}

/* The end of a primitive, which closes loops; an open one goes on behind the next BEGIN. */
static enum action_result end(struct call *call) {
    struct draw_object *object = draw_object_of(call);
    struct feed feed = {.count = object->open_end ? 0 : 1, .whole = true, .end = true};
    if (!draws(call))
        return ACTION_DONE;
    bool idle = !object->queued && !object->assembly.held;
    enum action_result result = idle ? ACTION_DONE : feed_vertices(call, &feed);
    draw_over(call, result);
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
                        .next = whole->bytes ? feed_elements : feed_array,
                        .first = call->data & 0xffff,
                        .bytes = whole->bytes};
    if (!draws(call))
        return draw_gf100(call);
    if (!work_under_way(call))
        start_draw(call, call->data >> 28, whole->again ? INSTANCE_NEXT : INSTANCE_FIRST, false, false);
    enum action_result result = feed_vertices(call, &feed);
    draw_over(call, result);
    return result;
}

/* ---- inline indices ---- */

/* SETUP: how many indices of the words that follow count, and how many of the first word do not. */
static enum action_result set_up_bytes(struct call *call) {
    struct draw_object *object = draw_object_of(call);
    uint32_t count = call->data & 0x3fffffff;
    object->inline_left = count ? count : FEED_NO_LIMIT;
    object->inline_skip = call->data >> 30;
    return ACTION_DONE;
}

static enum action_result set_up_halves(struct call *call) {
    struct draw_object *object = draw_object_of(call);
    uint32_t count = call->data & 0x7fffffff;
    object->inline_left = count ? count : FEED_NO_LIMIT;
    object->inline_skip = call->data >> 31;
    return ACTION_DONE;
}

/* `bytes` of an index, in a word of several. */
static enum action_result draw_word(struct call *call, unsigned bytes) {
    struct draw_object *object = draw_object_of(call);
    unsigned most = 4 / bytes;
    struct feed feed = {.bytes = bytes, .next = feed_inline, .count = most};
    if (!draws(call))
        return ACTION_DONE;
    if (bytes < 4) {
        feed.first = object->inline_skip < most ? object->inline_skip : most;
        feed.count = most - feed.first < object->inline_left ? most - feed.first : object->inline_left;
    }
    enum action_result result = feed_vertices(call, &feed);
    if (result == ACTION_DONE && bytes < 4) {
        object->inline_skip = 0;
        object->inline_left -= object->inline_left == FEED_NO_LIMIT ? 0 : (uint32_t)feed.count;
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
    const struct draw_class *of = draw_class_of(call->object->object_class);
    struct draw_object *object = draw_object_of(call);
    struct feed feed = {.count = 1, .next = feed_data};
    if (!of || !object->drawing || !object->allowed)
        return ACTION_DONE;
    if (!of->inline_vertices) {
        call_not_executed(call);
        return ACTION_DONE;
    }
    enum inline_vertices_result result =
        work_under_way(call) ? INLINE_VERTICES_ONE : inline_vertices_word(object, call);
    if (result == INLINE_VERTICES_NO_MEMORY)
        call_work_not_executed(call, "no memory");
    return result == INLINE_VERTICES_ONE ? feed_vertices(call, &feed) : ACTION_DONE;
}

/* ---- other methods ---- */

/* INVALIDATE_SHADER_CACHES, MEM_BARRIER: [0] instructions. */
static enum action_result invalidate(struct call *call) {
    struct draw_object *object = draw_object_of(call);
    if (object->pipeline && (call->data & 1))
        pipeline_forget_programs(object->pipeline);
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
        vertex_unpack(&attribute, bytes, draw_object_of(call)->constant[define & (VERTEX_ATTRIBUTES - 1)]);
    return ACTION_DONE;
}

/*
 * Fermi: a sampler, [11:4] slot, [24:12] index; a header, [8:1] slot, [30:9] index; [0] valid. Later classes have
 * handles instead. UNKNOWN: slots beyond 32; chosen: they are not there.
 */
static enum action_result bind_sampler(struct call *call) {
    struct sampling_slots *slots = &draw_object_of(call)->slots[(call->method - 0x2400u) / 32 % DRAW_GROUPS];
    uint32_t slot = call->data >> 4 & 0xff;
    if (slot < SAMPLING_SLOTS)
        slots->sampler[slot] = call->data & 1 ? call->data >> 12 & 0x1fff : SAMPLING_UNBOUND;
    return ACTION_DONE;
}

static enum action_result bind_header(struct call *call) {
    struct sampling_slots *slots = &draw_object_of(call)->slots[(call->method - 0x2404u) / 32 % DRAW_GROUPS];
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
    const struct draw_object *object = draw_object_of(call);
    if (draws(call) && object->drawing && object->allowed)
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

const struct action draw_gf100_actions[] = {
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
    {.method = 0x2400, .count = DRAW_GROUPS, .stride = 32, .type = ACTION_INSIDE, .run = bind_sampler},
    {.method = 0x2404, .count = DRAW_GROUPS, .stride = 32, .type = ACTION_INSIDE, .run = bind_header},
    {.method = 0x2408, .count = DRAW_GROUPS, .stride = 32, .type = ACTION_INSIDE, .run = bind_extra},
    {.method = 0x240c, .count = DRAW_GROUPS, .stride = 32, .type = ACTION_INSIDE, .run = bind_extra},
    {.method = 0x1150, .count = 4, .type = ACTION_INSIDE, .run = set_constant},
    {0}};
