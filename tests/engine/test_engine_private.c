/* SPDX-License-Identifier: MIT */
/*
 * State that classes own. Two classes are added to the engine: one carries a large buffer that it allocates, as a 3D
 * object carries a pipeline; one has a launch whose progress is two numbers.
 */
#include "check.h"

#include <stdlib.h>

#include "engine/core/action.h"
#include "engine/core/register_file.h"
#include "engine/core/work.h"

#define BUFFER_CLASS 0xbe97u
#define DRAW_CLASS   0xbf97u
#define VERTICES     0x18000u /* 384 KiB of them */

/* ---- a class with a buffer ---- */

enum { ADD = 0x200, SUM = 0x204, TOTAL = 0x208 };

struct pipeline {
    uint32_t count;
    uint32_t *vertex;
};

static struct {
    unsigned made, freed;
    bool no_memory;
} pipelines;

static bool pipeline_init(void *state, const struct private_owner *owner) {
    struct pipeline *p = state;
    assert_int_equal(p->count, 0);
    assert_non_null(owner->engine);
    assert_non_null(owner->channel);
    assert_non_null(owner->object);
    p->vertex = pipelines.no_memory ? NULL : calloc(VERTICES, sizeof p->vertex[0]);
    pipelines.made += p->vertex != NULL;
    return p->vertex != NULL;
}

static void pipeline_state(void *state, const struct private_owner *owner, struct state_io *io) {
    struct pipeline *p = state;
    (void)owner;
    p->count = state_count(io, p->count, VERTICES, "vertices");
    for (uint32_t i = 0; i < p->count && state_good(io); i++)
        state_u32(io, &p->vertex[i]);
}

static void pipeline_free(void *state) {
    free(((struct pipeline *)state)->vertex);
    pipelines.freed++;
}

static enum action_result add_vertex(struct call *call) {
    struct pipeline *p = object_private(call->object);
    if (p->count < VERTICES)
        p->vertex[p->count++] = call->data;
    return ACTION_DONE;
}

static enum action_result sum_up(struct call *call) {
    const struct pipeline *p = object_private(call->object);
    uint32_t total = 0;
    for (uint32_t i = 0; i < p->count; i++)
        total = total * 31 + p->vertex[i];
    object_set(call->object, TOTAL >> 2, total);
    return ACTION_DONE;
}

static const struct action buffer_actions[] = {{.method = ADD, .type = ACTION_INSIDE, .run = add_vertex},
                                               {.method = SUM, .type = ACTION_INSIDE, .run = sum_up},
                                               {0}};
static const struct kind buffer_kind = {.name = "buffer",
                                        .role = ROLE_NONE,
                                        .private = {.bytes = sizeof(struct pipeline),
                                                    .init = pipeline_init,
                                                    .state = pipeline_state,
                                                    .free = pipeline_free},
                                        .groups = {buffer_actions}};

/* ---- a class with two counters ---- */

enum { COLUMNS = 0x200, ROWS = 0x204, DRAW = 0x208, TOLD = 0x20c };

#define STEPS 5u /* of a slice */

struct draw_progress {
    uint64_t row, column;
};

/* Each pixel gets its number in the order of drawing. */
static enum action_result draw(struct call *call) {
    struct draw_progress *at = work_progress(call, sizeof *at);
    for (unsigned steps = 0; at->row < call_value(call, ROWS); steps++) {
        if (steps == STEPS) {
            work_pause(call);
            return ACTION_STALL;
        }
        uint64_t address = call->data + 4 * (at->row * call_value(call, COLUMNS) + at->column);
        uint32_t told = call_value(call, TOLD) + 1;
        object_set(call->object, TOLD >> 2, told);
        memory_physical_wr32(call->engine->fifo->memory, MEMORY_VRAM, address, told);
        if (++at->column == call_value(call, COLUMNS)) {
            at->column = 0;
            at->row++;
        }
    }
    work_end(call);
    return ACTION_DONE;
}

static const struct action draw_actions[] = {{.method = DRAW, .type = ACTION_EFFECT, .run = draw}, {0}};
static const struct kind draw_kind = {
    .name = "draw", .role = ROLE_NONE, .progress_bytes = sizeof(struct draw_progress), .groups = {draw_actions}};

/* ---- both in a rig ---- */

static unsigned start_with(struct engine_rig *rig, const char *chip) {
    assert_true(engine_rig_start(rig, chip));
    unsigned id = engine_rig_id(rig, CHIP_UNIT_PGRAPH);
    assert_true(engine_add_class(rig->fifo.engines[id].engine, BUFFER_CLASS, &buffer_kind));
    assert_true(engine_add_class(rig->fifo.engines[id].engine, DRAW_CLASS, &draw_kind));
    return id;
}

static struct {
    uint8_t data[1 << 20];
    size_t bytes;
} stream;

static bool collect(void *opaque, const void *data, size_t bytes) {
    (void)opaque;
    assert_true(stream.bytes + bytes <= sizeof stream.data);
    memcpy(stream.data + stream.bytes, data, bytes);
    stream.bytes += bytes;
    return true;
}

static void save(struct engine_rig *rig, unsigned id) {
    stream.bytes = 0;
    assert_int_equal(engine_save(rig->fifo.engines[id].engine, collect, NULL, NULL), PFIFO_OK);
}

static enum pfifo_status load(struct engine_rig *rig, unsigned id) {
    return engine_load(rig->fifo.engines[id].engine, stream.data, stream.bytes, NULL);
}

static void add_vertices(struct engine_rig *rig, unsigned id, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        send(rig, id, 0, ADD, i * 2654435761u);
}

static uint32_t sum_of(struct engine_rig *rig, unsigned id) {
    send(rig, id, 0, SUM, 0);
    return engine_rig_value(rig, id, BUFFER_CLASS, TOTAL);
}

static void what_a_class_allocates_is_saved_restored_and_freed(void **state) {
    (void)state;
    static const char *const chips[] = {"NV40", "G80", "GF100", "GA102"};
    memset(&pipelines, 0, sizeof pipelines);
    for (size_t i = 0; i < sizeof chips / sizeof chips[0]; i++) {
        struct engine_rig one, other;
        unsigned id = start_with(&one, chips[i]);
        assert_int_equal(start_with(&other, chips[i]), id);
        assert_true(engine_rig_bind(&one, id, 0, BUFFER_CLASS));
        add_vertices(&one, id, VERTICES);
        save(&one, id);
        assert_true(stream.bytes > VERTICES * sizeof(uint32_t));
        assert_int_equal(load(&other, id), PFIFO_OK);
        assert_int_equal(sum_of(&one, id), sum_of(&other, id));
        engine_rig_stop(&one);
        add_vertices(&other, id, 10); /* it is full */
        engine_rig_stop(&other);
    }
    assert_int_equal(pipelines.made, 2 * sizeof chips / sizeof chips[0]);
    assert_int_equal(pipelines.freed, pipelines.made);
}

static void private_state_goes_with_its_channel(void **state) {
    (void)state;
    struct engine_rig rig;
    memset(&pipelines, 0, sizeof pipelines);
    unsigned id = start_with(&rig, "GK104");
    assert_true(engine_rig_bind(&rig, id, 0, BUFFER_CLASS));
    add_vertices(&rig, id, 3);
    engine_channel_gone(rig.fifo.engines[id].engine, rig.channel.id);
    assert_int_equal(pipelines.freed, 1);
    assert_true(engine_rig_bind(&rig, id, 0, BUFFER_CLASS));
    assert_int_equal(sum_of(&rig, id), 0);
    engine_rig_stop(&rig);
    assert_int_equal(pipelines.freed, 2);
}

static void without_memory_for_its_state_an_object_is_not_bound(void **state) {
    (void)state;
    struct engine_rig rig;
    memset(&pipelines, 0, sizeof pipelines);
    unsigned id = start_with(&rig, "GK104");
    pipelines.no_memory = true;
    assert_false(engine_rig_bind(&rig, id, 0, BUFFER_CLASS));
    pipelines.no_memory = false;
    assert_true(engine_rig_bind(&rig, id, 0, BUFFER_CLASS));
    engine_rig_stop(&rig);
    assert_int_equal(pipelines.made, 1);
    assert_int_equal(pipelines.freed, 1);
}

/* Everything is freed, however far the load came. */
static void a_stream_that_ends_early_leaves_no_private_state(void **state) {
    (void)state;
    struct engine_rig rig;
    memset(&pipelines, 0, sizeof pipelines);
    unsigned id = start_with(&rig, "GK104");
    assert_true(engine_rig_bind(&rig, id, 0, BUFFER_CLASS));
    add_vertices(&rig, id, 20);
    save(&rig, id);
    for (size_t whole = stream.bytes; stream.bytes > 0; stream.bytes = stream.bytes > 4 ? stream.bytes - 4 : 0)
        assert_int_equal(load(&rig, id) == PFIFO_OK, stream.bytes == whole);
    assert_int_equal(pipelines.freed, pipelines.made);
    engine_rig_stop(&rig);
    assert_int_equal(pipelines.freed, pipelines.made);
}

/* 7 columns and 9 rows: most slices end within a row. */
static void begin_draw(struct engine_rig *rig, unsigned id) {
    assert_true(engine_rig_bind(rig, id, 0, DRAW_CLASS));
    send(rig, id, 0, COLUMNS, 7, 9);
}

static void a_launch_with_two_counters_goes_on_after_a_restore(void **state) {
    (void)state;
    struct engine_rig rig[2];
    const uint32_t to = 0x1000;
    unsigned id = start_with(&rig[0], "GF100"), slices = 0;
    start_with(&rig[1], "GF100");
    begin_draw(&rig[0], id);
    struct engine_rig *now = &rig[0], *next = &rig[1];
    while (engine_rig_offer(now, id, 0, DRAW, 4, &to, 1) == 0) {
        assert_true(engine_busy(now->fifo.engines[id].engine, &now->channel));
        save(now, id);
        assert_int_equal(load(next, id), PFIFO_OK);
        for (uint32_t i = 0; i < 7 * 9; i++)
            engine_rig_wr32(next, to + 4 * i, engine_rig_rd32(now, to + 4 * i));
        struct engine_rig *last = now;
        now = next;
        next = last;
        assert_true(++slices <= 7 * 9);
    }
    assert_int_equal(slices, (7 * 9 - 1) / STEPS);
    assert_false(engine_busy(now->fifo.engines[id].engine, &now->channel));
    for (uint32_t i = 0; i < 7 * 9; i++)
        assert_int_equal(engine_rig_rd32(now, to + 4 * i), i + 1);
    engine_rig_stop(&rig[0]);
    engine_rig_stop(&rig[1]);
}

/* Somebody took the method out of PFIFO: the next launch starts with all counters 0. */
static void another_method_ends_a_launch_with_two_counters(void **state) {
    (void)state;
    struct engine_rig rig;
    const uint32_t to = 0x1000, other = 0x2000;
    unsigned id = start_with(&rig, "GF100");
    begin_draw(&rig, id);
    assert_int_equal(engine_rig_offer(&rig, id, 0, DRAW, 4, &to, 1), 0);
    assert_int_equal(engine_rig_offer(&rig, id, 0, DRAW, 4, &to, 1), 0);
    send(&rig, id, 0, TOLD, 0);
    sent(&rig, id, 0, DRAW, 4, &to, 1);
    for (uint32_t i = 0; i < 7 * 9; i++)
        assert_int_equal(engine_rig_rd32(&rig, to + 4 * i), i + 1);
    send(&rig, id, 0, TOLD, 0);
    assert_int_equal(engine_rig_offer(&rig, id, 0, DRAW, 4, &to, 1), 0);
    send(&rig, id, 0, DRAW, other); /* other data is another launch */
    assert_int_equal(engine_rig_rd32(&rig, other), STEPS + 1);
    engine_rig_stop(&rig);
}

static void more_classes_than_there_is_room_for_are_refused(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start_with(&rig, "GF100");
    struct engine *engine = rig.fifo.engines[id].engine;
    for (unsigned i = 2; i < ENGINE_MAX_ADDED; i++)
        assert_true(engine_add_class(engine, 0x100 + i, &draw_kind));
    assert_false(engine_add_class(engine, 0x100, &draw_kind));
    assert_true(engine_add_class(engine, 0x102, &buffer_kind)); /* in the place of the first */
    engine_rig_stop(&rig);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_class_allocates_is_saved_restored_and_freed),
        cmocka_unit_test(private_state_goes_with_its_channel),
        cmocka_unit_test(without_memory_for_its_state_an_object_is_not_bound),
        cmocka_unit_test(a_stream_that_ends_early_leaves_no_private_state),
        cmocka_unit_test(a_launch_with_two_counters_goes_on_after_a_restore),
        cmocka_unit_test(another_method_ends_a_launch_with_two_counters),
        cmocka_unit_test(more_classes_than_there_is_room_for_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
