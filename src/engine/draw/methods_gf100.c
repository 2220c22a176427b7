/* SPDX-License-Identifier: MIT */
/* The methods that draw, and those that the drawing keeps something of. */
#include "engine/core/work.h"
#include "engine/draw/feed.h"
#include "engine/draw/object.h"
#include "engine/draw/observe.h"
#include "engine/draw/pipeline.h"
#include "engine/graph/render.h"
#include "methods/gf100_3d.h"

/* ---- BEGIN ---- */

/*
 * Lists by the numbers of their own state, if it is used: D3D's, and LEGACY ones, which have no other numbers for fans
 * (NVK draws its fans by LEGACY_TRIANGLEFAN).
 * UNKNOWN: how the INDEXED and the IMM ones differ from those without; chosen: not at all, as the draw says whether there are
 * indices. Nor is it known how INDEXEDTRIANGLELIST2 and INDEXEDLINELIST2 differ from the first ones.
 */
#define TOPOLOGY_ROW(name, topology)                                                                                   \
    { GF100_3D_SET_PRIMITIVE_TOPOLOGY_V_##name, TOPOLOGY_##topology }
static const struct {
    uint16_t code;
    uint8_t topology;
} separate[] = {
    TOPOLOGY_ROW(POINTLIST, POINTS),
    TOPOLOGY_ROW(LINELIST, LINES),
    TOPOLOGY_ROW(LINESTRIP, LINE_STRIP),
    TOPOLOGY_ROW(TRIANGLELIST, TRIANGLES),
    TOPOLOGY_ROW(TRIANGLESTRIP, TRIANGLE_STRIP),
    TOPOLOGY_ROW(LINELIST_ADJCY, LINES_ADJACENCY),
    TOPOLOGY_ROW(LINESTRIP_ADJCY, LINE_STRIP_ADJACENCY),
    TOPOLOGY_ROW(TRIANGLELIST_ADJCY, TRIANGLES_ADJACENCY),
    TOPOLOGY_ROW(TRIANGLESTRIP_ADJCY, TRIANGLE_STRIP_ADJACENCY),
    TOPOLOGY_ROW(PATCHLIST, PATCHES),
    TOPOLOGY_ROW(LEGACY_POINTS, POINTS),
    TOPOLOGY_ROW(LEGACY_INDEXEDLINELIST, LINES),
    TOPOLOGY_ROW(LEGACY_INDEXEDTRIANGLELIST, TRIANGLES),
    TOPOLOGY_ROW(LEGACY_LINELIST, LINES),
    TOPOLOGY_ROW(LEGACY_LINESTRIP, LINE_STRIP),
    TOPOLOGY_ROW(LEGACY_INDEXEDLINESTRIP, LINE_STRIP),
    TOPOLOGY_ROW(LEGACY_TRIANGLELIST, TRIANGLES),
    TOPOLOGY_ROW(LEGACY_TRIANGLESTRIP, TRIANGLE_STRIP),
    TOPOLOGY_ROW(LEGACY_INDEXEDTRIANGLESTRIP, TRIANGLE_STRIP),
    TOPOLOGY_ROW(LEGACY_TRIANGLEFAN, TRIANGLE_FAN),
    TOPOLOGY_ROW(LEGACY_INDEXEDTRIANGLEFAN, TRIANGLE_FAN),
    TOPOLOGY_ROW(LEGACY_TRIANGLEFAN_IMM, TRIANGLE_FAN),
    TOPOLOGY_ROW(LEGACY_LINELIST_IMM, LINES),
    TOPOLOGY_ROW(LEGACY_INDEXEDTRIANGLELIST2, TRIANGLES),
    TOPOLOGY_ROW(LEGACY_INDEXEDLINELIST2, LINES),
};

static unsigned topology_of(const struct call *call, uint32_t code) {
    if (!METHOD_FIELD(call_value(call, GF100_3D_SET_PRIMITIVE_TOPOLOGY_CONTROL),
                      GF100_3D_SET_PRIMITIVE_TOPOLOGY_CONTROL_OVERRIDE))
        return code;
    code = CALL_FIELD(call, GF100_3D_SET_PRIMITIVE_TOPOLOGY, V);
    for (size_t i = 0; i < sizeof separate / sizeof separate[0]; i++)
        if (separate[i].code == code)
            return separate[i].topology;
    return TOPOLOGIES;
}

enum instance_mode { INSTANCE_FIRST, INSTANCE_NEXT, INSTANCE_SAME };

static void start_draw(const struct call *call, uint32_t topology, unsigned mode, bool keep_id, bool open_begin) {
    struct draw_object *object = draw_object_of(call);
    uint32_t id = object->assembly.id;
    object->drawing = true;
    tally_begin(&object->tally, call);
    object->allowed = render_allowed_gf100(call);
    object->instance = mode == INSTANCE_FIRST ? 0 : mode == INSTANCE_NEXT ? object->instance + 1 : object->instance;
    object->stipple = 0;
    object->long_steps = 0;
    if (open_begin)
        return;
    object->queued = 0;
    inline_vertices_begin(object);
    pipeline_drop_group(object->pipeline);
    assembly_begin(&object->assembly, topology_of(call, topology), call_value(call, GF100_3D_SET_PROVOKING_VERTEX) & 1);
    object->assembly.patch = (uint8_t)METHOD_FIELD(call_value(call, GF100_3D_SET_PATCH), GF100_3D_SET_PATCH_SIZE);
    object->assembly.id = keep_id ? id : 0;
}

/* UNKNOWN: BEGIN without END before it; chosen: what waits is dropped. */
static enum action_result begin(struct call *call) {
    uint32_t split = METHOD_FIELD(call->data, GF100_3D_BEGIN_SPLIT_MODE);
    bool open_begin = split == GF100_3D_BEGIN_SPLIT_MODE_OPEN_BEGIN_OPEN_END ||
                      split == GF100_3D_BEGIN_SPLIT_MODE_OPEN_BEGIN_NORMAL_END;
    if (!draw_class_of(call->object->object_class))
        return draw_gf100(call);
    start_draw(call, METHOD_FIELD(call->data, GF100_3D_BEGIN_OP), METHOD_FIELD(call->data, GF100_3D_BEGIN_INSTANCE_ID),
               METHOD_FIELD(call->data, GF100_3D_BEGIN_PRIMITIVE_ID), open_begin);
    draw_object_of(call)->open_end = split == GF100_3D_BEGIN_SPLIT_MODE_NORMAL_BEGIN_OPEN_END ||
                                     split == GF100_3D_BEGIN_SPLIT_MODE_OPEN_BEGIN_OPEN_END;
    return ACTION_DONE;
}

/* ---- methods that draw ---- */

static bool draws(const struct call *call) {
    return draw_class_of(call->object->object_class) != NULL;
}

/*
 * If BEGIN says so, a draw is one of each instance from 0 on, up to a number that a method says. Then its primitives end
 * with it, and begin with the number 0. UNKNOWN: BEGIN that does not begin with the first instance; chosen: it is the same.
 * UNKNOWN: indices and vertices that are in the words; chosen: they are drawn once.
 */
static enum action_result feed_instances(struct call *call, struct feed *feed) {
    uint32_t begin = call_value(call, GF100_3D_BEGIN);
    if (!draws(call))
        return ACTION_DONE;
    if (!draw_class_of(call->object->object_class)->iterates ||
        !METHOD_FIELD(begin, GF100_3D_BEGIN_INSTANCE_ITERATE_ENABLE))
        return feed_vertices(call, feed);
    feed->instances = call_value(call, GF100_3D_SET_INSTANCE_COUNT);
    feed->end = true;
    feed->count++;
    return feed->instances ? feed_vertices(call, feed) : ACTION_DONE;
}

static enum action_result draw_array(struct call *call) {
    struct feed feed = {.count = call->data,
                        .whole = true,
                        .next = feed_array,
                        .first = call_value(call, GF100_3D_SET_VERTEX_ARRAY_START)};
    return feed_instances(call, &feed);
}

static enum action_result draw_elements(struct call *call) {
    static const uint8_t sizes[4] = {1, 2, 4, 4};
    struct feed feed = {
        .count = call->data,
        .whole = true,
        .next = feed_elements,
        .first = call_value(call, GF100_3D_SET_INDEX_BUFFER_F),
        .bytes =
            sizes[METHOD_FIELD(call_value(call, GF100_3D_SET_INDEX_BUFFER_E), GF100_3D_SET_INDEX_BUFFER_E_INDEX_SIZE)]};
    return feed_instances(call, &feed);
}

static enum action_result draw_zeros(struct call *call) {
    struct feed feed = {.count = call->data, .whole = true, .next = feed_zeros};
    return feed_instances(call, &feed);
}

/* As many vertices as transform feedback has written; which it has, the method says. */
static enum action_result draw_auto(struct call *call) {
    uint32_t stride = CALL_FIELD(call, GF100_3D_SET_DRAW_AUTO_STRIDE, V);
    uint32_t start = call_value(call, GF100_3D_SET_DRAW_AUTO_START);
    struct feed feed = {.whole = true, .next = feed_array};
    feed.count = stride && call->data > start ? (call->data - start) / stride : 0;
    return feed_instances(call, &feed);
}

/* The draw's last method is done, unless it goes on. */
static void draw_over(const struct call *call, enum action_result result) {
    struct draw_object *object = draw_object_of(call);
    if (object->drawing && result == ACTION_DONE)
        draw_observe(object, call);
    object->drawing = result == ACTION_STALL;
}

/* The end of a primitive, which closes loops; an open one goes on after the next BEGIN. */
static enum action_result end(struct call *call) {
    struct draw_object *object = draw_object_of(call);
    struct feed feed = {.count = object->open_end ? 0 : 1, .whole = true, .end = true};
    if (!draws(call))
        return ACTION_DONE;
    bool idle = !object->queued && !object->assembly.held && !work_under_way(call);
    enum action_result result = idle ? ACTION_DONE : feed_vertices(call, &feed);
    draw_over(call, result);
    return result;
}

/* BEGIN, draw and END in one: the fields are the same for all sizes of indices, and for arrays. */
struct whole {
    uint8_t bytes; /* of an index; 0: arrays */
    bool again;    /* the next instance */
};

static enum action_result draw_whole(struct call *call) {
    const struct whole *whole = call->action->argument;
    struct feed feed = {.count = METHOD_FIELD(call->data, GF100_3D_DRAW_INDEX_BUFFER32_BEGIN_END_INSTANCE_FIRST_COUNT) +
                                 UINT64_C(1),
                        .whole = true,
                        .end = true,
                        .next = whole->bytes ? feed_elements : feed_array,
                        .first = METHOD_FIELD(call->data, GF100_3D_DRAW_INDEX_BUFFER32_BEGIN_END_INSTANCE_FIRST_FIRST),
                        .bytes = whole->bytes};
    if (!draws(call))
        return draw_gf100(call);
    if (!work_under_way(call))
        start_draw(call, METHOD_FIELD(call->data, GF100_3D_DRAW_INDEX_BUFFER32_BEGIN_END_INSTANCE_FIRST_TOPOLOGY),
                   whole->again ? INSTANCE_NEXT : INSTANCE_FIRST, false, false);
    enum action_result result = feed_vertices(call, &feed);
    draw_over(call, result);
    return result;
}

/* ---- inline indices ---- */

/* SETUP: how many indices of the words that follow count, and how many of the first word do not. */
static enum action_result set_up_bytes(struct call *call) {
    struct draw_object *object = draw_object_of(call);
    uint32_t count = METHOD_FIELD(call->data, GF100_3D_SET_INLINE_INDEX4X8_ALIGN_COUNT);
    object->inline_left = count ? count : FEED_NO_LIMIT;
    object->inline_skip = METHOD_FIELD(call->data, GF100_3D_SET_INLINE_INDEX4X8_ALIGN_START);
    return ACTION_DONE;
}

static enum action_result set_up_halves(struct call *call) {
    struct draw_object *object = draw_object_of(call);
    uint32_t count = METHOD_FIELD(call->data, GF100_3D_SET_INLINE_INDEX2X16_ALIGN_COUNT);
    object->inline_left = count ? count : FEED_NO_LIMIT;
    object->inline_skip = METHOD_FIELD(call->data, GF100_3D_SET_INLINE_INDEX2X16_ALIGN_START_ODD);
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

/* The field is the same in both. */
static enum action_result invalidate(struct call *call) {
    struct draw_object *object = draw_object_of(call);
    if (object->pipeline && METHOD_FIELD(call->data, GF100_3D_INVALIDATE_SHADER_CACHES_INSTRUCTION))
        pipeline_forget_programs(object->pipeline);
    return ACTION_DONE;
}

/* The next draw compares programs with memory. How many is not known after a load, so each method costs the same. */
static enum action_result bind_program(struct call *call) {
    struct draw_object *object = draw_object_of(call);
    work_costs(call, WORK_START_BYTES);
    if (object->pipeline)
        pipeline_doubt_programs(object->pipeline);
    return ACTION_DONE;
}

/* The format of a vertex attribute of so many components; `size` as in VTX_ATTR_DEFINE. 0: there is none. */
static uint32_t constant_format(uint32_t size, uint32_t components) {
#define WIDTHS(name) GF100_3D_SET_VERTEX_ATTRIBUTE_A_COMPONENT_BIT_WIDTHS_##name
    static const uint8_t widths[8][5] = {
        [GF100_3D_VTX_ATTR_DEFINE_SIZE_8] = {0, WIDTHS(R8), WIDTHS(R8_G8), WIDTHS(R8_G8_B8), WIDTHS(R8_G8_B8_A8)},
        [GF100_3D_VTX_ATTR_DEFINE_SIZE_16] = {0, WIDTHS(R16), WIDTHS(R16_G16), WIDTHS(R16_G16_B16),
                                              WIDTHS(R16_G16_B16_A16)},
        [GF100_3D_VTX_ATTR_DEFINE_SIZE_32] = {0, WIDTHS(R32), WIDTHS(R32_G32), WIDTHS(R32_G32_B32),
                                              WIDTHS(R32_G32_B32_A32)}};
    return components < 5 ? widths[size][components] : 0;
}

/* Attributes that are constant: which is a method before, the words follow. */
static enum action_result set_constant(struct call *call) {
    uint32_t define = call_value(call, GF100_3D_VTX_ATTR_DEFINE);
    uint32_t format = constant_format(METHOD_FIELD(define, GF100_3D_VTX_ATTR_DEFINE_SIZE),
                                      METHOD_FIELD(define, GF100_3D_VTX_ATTR_DEFINE_COMP));
    uint32_t type = METHOD_FIELD(define, GF100_3D_VTX_ATTR_DEFINE_TYPE);
    struct vertex_attribute attribute;
    uint8_t bytes[VERTEX_MOST_BYTES];
    if (!format)
        return ACTION_DONE;
    vertex_attribute(&attribute, METHOD_PUT(GF100_3D_SET_VERTEX_ATTRIBUTE_A_COMPONENT_BIT_WIDTHS, format) |
                                     METHOD_PUT(GF100_3D_SET_VERTEX_ATTRIBUTE_A_NUMERICAL_TYPE, type));
    for (unsigned i = 0; i < 4; i++)
        store_le32(bytes + i * (size_t)4, call_value(call, GF100_3D_VTX_ATTR_DATA(i)));
    if (!attribute.constant)
        vertex_unpack(&attribute, bytes, draw_object_of(call)->constant[define & (VERTEX_ATTRIBUTES - 1)]);
    return ACTION_DONE;
}

static unsigned group_of(const struct call *call) {
    return (call->method - call->action->method) / call->action->stride % DRAW_GROUPS;
}

/* Fermi: samplers and headers of slots. Later classes have handles instead. */
static enum action_result bind_sampler(struct call *call) {
    shade_slot_bind(draw_object_of(call)->slots[group_of(call)].sampler,
                    METHOD_FIELD(call->data, GF100_3D_BIND_GROUP_TEXTURE_SAMPLER_SAMPLER_SLOT),
                    METHOD_FIELD(call->data, GF100_3D_BIND_GROUP_TEXTURE_SAMPLER_VALID),
                    METHOD_FIELD(call->data, GF100_3D_BIND_GROUP_TEXTURE_SAMPLER_INDEX));
    return ACTION_DONE;
}

static enum action_result bind_header(struct call *call) {
    shade_slot_bind(draw_object_of(call)->slots[group_of(call)].header,
                    METHOD_FIELD(call->data, GF100_3D_BIND_GROUP_TEXTURE_HEADER_TEXTURE_SLOT),
                    METHOD_FIELD(call->data, GF100_3D_BIND_GROUP_TEXTURE_HEADER_VALID),
                    METHOD_FIELD(call->data, GF100_3D_BIND_GROUP_TEXTURE_HEADER_INDEX));
    return ACTION_DONE;
}

static enum action_result bind_extra(struct call *call) {
    if (draws(call) && METHOD_FIELD(call->data, GF100_3D_BIND_GROUP_EXTRA_TEXTURE_HEADER_VALID))
        call_work_not_executed(call, "extra texture");
    return ACTION_DONE;
}

static const struct whole words = {4, false}, words_again = {4, true}, halves = {2, false}, halves_again = {2, true},
                          bytes = {1, false}, bytes_again = {1, true}, arrays = {0, false}, arrays_again = {0, true};

#define DRAW(number, function)                                                                                         \
    { .method = (number), .type = ACTION_EFFECT, .run = (function) }
#define WHOLE(number, kind)                                                                                            \
    { .method = (number), .type = ACTION_EFFECT, .run = draw_whole, .argument = &(kind) }
#define GROUPS(name, function)                                                                                         \
    { .method = name(0), .count = DRAW_GROUPS, .stride = name##__STRIDE, .type = ACTION_INSIDE, .run = (function) }
#define SET(number, function)                                                                                          \
    { .method = (number), .type = ACTION_INSIDE, .run = (function) }

/* clang-format off */
const struct action draw_gf100_actions[] = {
    DRAW(GF100_3D_BEGIN, begin),
    DRAW(GF100_3D_END, end),
    DRAW(GF100_3D_DRAW_VERTEX_ARRAY, draw_array),
    DRAW(GF100_3D_DRAW_INDEX_BUFFER, draw_elements),
    DRAW(GF100_3D_DRAW_ZERO_INDEX, draw_zeros),
    DRAW(GF100_3D_DRAW_INLINE_INDEX, draw_index),
    DRAW(GF100_3D_DRAW_INLINE_INDEX2X16, draw_halves),
    DRAW(GF100_3D_DRAW_INLINE_INDEX4X8, draw_bytes),
    WHOLE(GF100_3D_DRAW_INDEX_BUFFER32_BEGIN_END_INSTANCE_FIRST, words),
    WHOLE(GF100_3D_DRAW_INDEX_BUFFER16_BEGIN_END_INSTANCE_FIRST, halves),
    WHOLE(GF100_3D_DRAW_INDEX_BUFFER8_BEGIN_END_INSTANCE_FIRST, bytes),
    WHOLE(GF100_3D_DRAW_INDEX_BUFFER32_BEGIN_END_INSTANCE_SUBSEQUENT, words_again),
    WHOLE(GF100_3D_DRAW_INDEX_BUFFER16_BEGIN_END_INSTANCE_SUBSEQUENT, halves_again),
    WHOLE(GF100_3D_DRAW_INDEX_BUFFER8_BEGIN_END_INSTANCE_SUBSEQUENT, bytes_again),
    WHOLE(GF100_3D_DRAW_VERTEX_ARRAY_BEGIN_END_INSTANCE_FIRST, arrays),
    WHOLE(GF100_3D_DRAW_VERTEX_ARRAY_BEGIN_END_INSTANCE_SUBSEQUENT, arrays_again),
    DRAW(GF100_3D_VERTEX_DATA, draw_data),
    DRAW(GF100_3D_DRAW_AUTO, draw_auto),
    SET(GF100_3D_SET_INLINE_INDEX4X8_ALIGN, set_up_bytes),
    SET(GF100_3D_SET_INLINE_INDEX2X16_ALIGN, set_up_halves),
    SET(GF100_3D_INVALIDATE_SHADER_CACHES, invalidate),
    SET(GF100_3D_FLUSH, invalidate),
    {.method = GF100_3D_SET_PIPELINE_PROGRAM(0), .count = STAGES, .stride = GF100_3D_SET_PIPELINE_PROGRAM__STRIDE, .type = ACTION_INSIDE, .run = bind_program},
    GROUPS(GF100_3D_BIND_GROUP_TEXTURE_SAMPLER, bind_sampler),
    GROUPS(GF100_3D_BIND_GROUP_TEXTURE_HEADER, bind_header),
    GROUPS(GF100_3D_BIND_GROUP_EXTRA_TEXTURE_SAMPLER, bind_extra),
    GROUPS(GF100_3D_BIND_GROUP_EXTRA_TEXTURE_HEADER, bind_extra),
    {.method = GF100_3D_VTX_ATTR_DATA(0), .count = 4, .type = ACTION_INSIDE, .run = set_constant},
    {0}};
/* clang-format on */
