/* SPDX-License-Identifier: MIT */
/* Transform feedback by methods, on a rig: records, order, room, offsets, cuts, draws of what was written. */
#include "front/draw_rig.h"

#include <string.h>

#include "engine/core/register_file.h"
#include "engine/draw/feedback.h"
#include "unit/trap.h"

enum {
    BUFFER = 0x14000,
    BUFFER_STEP = 0x2000,
    WORD_X = 0x1c, /* the position */
    WORD_RED = 0x20,
    SKIP = 0xff,
    POINTS = 0,
    LINES = 1,
    LOOP = 2,
    LINE_STRIP = 3,
    TRIANGLES = 4,
    NOTHING = 0x5a5a5a5a,
};

/* Buffer b of stream 0, with a map of words. */
static void set_buffer(struct engine_rig *rig, unsigned id, unsigned b, uint32_t bytes, uint32_t stride,
                       const uint8_t *map, unsigned count) {
    uint32_t words[32] = {0};
    for (unsigned j = 0; j < count; j++)
        words[j / 4] |= (uint32_t)map[j] << j % 4 * 8;
    send(rig, id, 0, 0x380 + 32 * b, 1, 0, BUFFER + b * BUFFER_STEP, bytes, 0);
    send(rig, id, 0, 0x700 + 16 * b, 0, count, stride);
    sent(rig, id, 0, 0x2800 + 128 * b, 4, words, 32);
}

static void clear_buffers(struct engine_rig *rig) {
    for (uint32_t at = 0; at < 4 * BUFFER_STEP; at += 4)
        engine_rig_wr32(rig, BUFFER + at, NOTHING);
}

/* One buffer of so many bytes, with x and red of each vertex; nothing is drawn. Vertex i has x = i / 64. */
static unsigned start_feedback(struct engine_rig *rig, uint32_t bytes) {
    unsigned id = draw_begin(rig);
    for (unsigned i = 0; i < 64; i++)
        put_vertex(rig, i, (float)i / 64, 0, (float)i);
    clear_buffers(rig);
    set_buffer(rig, id, 0, bytes, 8, (const uint8_t[]){WORD_X, WORD_RED}, 2);
    send(rig, id, 0, 0x37c, 0);
    send(rig, id, 0, 0x744, 1);
    return id;
}

static void draw(struct engine_rig *rig, unsigned id, uint32_t topology, uint32_t first, uint32_t count) {
    send(rig, id, 0, 0x1618, topology);
    send(rig, id, 0, 0xd74, first, count);
    send(rig, id, 0, 0x1614, 0);
}

/* The numbers of the vertices that were written to buffer 0, and no more. */
static void expect_vertices(struct engine_rig *rig, const unsigned *numbers, unsigned count) {
    for (unsigned i = 0; i < count; i++) {
        assert_int_equal(engine_rig_rd32(rig, BUFFER + 8 * i), bits((float)numbers[i] / 64));
        assert_int_equal(engine_rig_rd32(rig, BUFFER + 8 * i + 4), bits((float)numbers[i]));
    }
    assert_int_equal(engine_rig_rd32(rig, BUFFER + 8 * count), NOTHING);
}

#define EXPECT_VERTICES(rig, ...)                                                                                      \
    expect_vertices(rig, (const unsigned[]){__VA_ARGS__}, sizeof((unsigned[]){__VA_ARGS__}) / sizeof(unsigned))

static uint64_t reported(struct engine_rig *rig, unsigned id, unsigned report, unsigned stream) {
    send(rig, id, 0, 0x1b00, 0, REPORT, 77, 2 | report << 23 | stream << 5);
    return engine_rig_rd64(rig, REPORT);
}

static uint32_t offset_of(struct engine_rig *rig, unsigned id, unsigned buffer) {
    return (uint32_t)(reported(rig, id, 0x1a, buffer) >> 32);
}

/* ---- records ---- */

static void records_have_the_components_of_their_map(void **state) {
    static const uint8_t first[] = {WORD_RED, SKIP, WORD_X, WORD_X + 3, SKIP}, second[] = {WORD_X + 1, WORD_RED};
    struct engine_rig rig;
    unsigned id = start_feedback(&rig, 0);
    (void)state;
    put_vertex(&rig, 9, 0.5f, -0.25f, 7);
    set_buffer(&rig, id, 0, 0x1000, 24, first, 5);
    set_buffer(&rig, id, 2, 0x1000, 12, second, 2);
    draw(&rig, id, POINTS, 8, 2);
    const uint32_t buffer_0[] = {bits(7), NOTHING, bits(0.5f), bits(1), NOTHING, NOTHING, NOTHING};
    const uint32_t buffer_2[] = {bits(-0.25f), bits(7), NOTHING, NOTHING};
    for (unsigned i = 0; i < 7; i++)
        assert_int_equal(engine_rig_rd32(&rig, BUFFER + 24 + 4 * i), buffer_0[i]);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(engine_rig_rd32(&rig, BUFFER + 2 * BUFFER_STEP + 12 + 4 * i), buffer_2[i]);
    assert_int_equal(engine_rig_rd32(&rig, BUFFER + BUFFER_STEP), NOTHING);
    expect_only_draws(&rig);
    assert_int_equal(offset_of(&rig, id, 0), 48);
    assert_int_equal(offset_of(&rig, id, 2), 24);
    engine_rig_stop(&rig);
}

static void words_that_the_program_does_not_write_have_their_default(void **state) {
    static const uint8_t map[] = {0x30, 0x33, WORD_RED};
    struct engine_rig rig;
    unsigned id = start_feedback(&rig, 0);
    (void)state;
    set_buffer(&rig, id, 0, 0x1000, 12, map, 3);
    send(&rig, id, 0, 0x1610, 4); /* of generic attributes: 0 0 0 1 */
    draw(&rig, id, POINTS, 5, 1);
    assert_int_equal(engine_rig_rd32(&rig, BUFFER), 0);
    assert_int_equal(engine_rig_rd32(&rig, BUFFER + 4), bits(1));
    assert_int_equal(engine_rig_rd32(&rig, BUFFER + 8), bits(5));
    set_buffer(&rig, id, 1, 0x1000, 4, (const uint8_t[]){0x37}, 1); /* which the other one does not have */
    draw(&rig, id, POINTS, 6, 1);
    assert_int_equal(engine_rig_rd32(&rig, BUFFER + BUFFER_STEP), bits(1));
    engine_rig_stop(&rig);
}

static void strips_are_written_as_primitives_by_themselves(void **state) {
    struct engine_rig rig;
    unsigned id = start_feedback(&rig, 0x1000);
    (void)state;
    send(&rig, id, 0, 0x1684, 1);
    draw(&rig, id, STRIP, 0, 5);
    EXPECT_VERTICES(&rig, 0, 1, 2, 2, 1, 3, 2, 3, 4);
    clear_buffers(&rig);
    send(&rig, id, 0, 0x390, 0);
    send(&rig, id, 0, 0x1684, 0);
    draw(&rig, id, STRIP, 0, 4);
    EXPECT_VERTICES(&rig, 0, 1, 2, 1, 3, 2);
    clear_buffers(&rig);
    send(&rig, id, 0, 0x390, 0);
    draw(&rig, id, LOOP, 10, 3);
    EXPECT_VERTICES(&rig, 10, 11, 11, 12, 12, 10);
    clear_buffers(&rig);
    send(&rig, id, 0, 0x390, 0);
    draw(&rig, id, TRIANGLES, 20, 5);
    EXPECT_VERTICES(&rig, 20, 21, 22);
    engine_rig_stop(&rig);
}

static void what_is_drawn_is_written_as_well(void **state) {
    struct engine_rig rig;
    unsigned id = draw_begin(&rig);
    (void)state;
    clear_buffers(&rig);
    set_buffer(&rig, id, 0, 0x1000, 16, (const uint8_t[]){WORD_X, WORD_X + 1, WORD_X + 2, WORD_X + 3}, 4);
    send(&rig, id, 0, 0x744, 1);
    draw(&rig, id, STRIP, 4, 4);
    assert_int_equal(engine_rig_rd32(&rig, TARGET + 40 * 4) & 0xff, 51);
    assert_int_equal(engine_rig_rd32(&rig, BUFFER + 16), bits(1));
    assert_int_equal(engine_rig_rd32(&rig, BUFFER + 20), bits(-1));
    assert_int_equal(engine_rig_rd32(&rig, BUFFER + 28), bits(1));
    engine_rig_stop(&rig);
}

/* ---- room ---- */

/* Buffer 1 has room for a triangle only: the second one is in neither. */
static void a_primitive_that_does_not_fit_in_one_buffer_is_in_none(void **state) {
    struct engine_rig rig;
    unsigned id = start_feedback(&rig, 0x1000);
    (void)state;
    set_buffer(&rig, id, 1, 3 * 4 + 8, 4, (const uint8_t[]){WORD_RED}, 1);
    draw(&rig, id, TRIANGLES, 0, 9);
    EXPECT_VERTICES(&rig, 0, 1, 2);
    assert_int_equal(engine_rig_rd32(&rig, BUFFER + BUFFER_STEP + 12), NOTHING);
    assert_int_equal(reported(&rig, id, 0x0b, 0), 1);
    assert_int_equal(reported(&rig, id, 0x0d, 0), 3);
    assert_int_equal(reported(&rig, id, 0x12, 0), 3);
    assert_int_equal(reported(&rig, id, 0x06, 0), 2 | UINT64_C(77) << 32);
    assert_int_equal(reported(&rig, id, 0x1e, 0) >> 32, 2);
    assert_int_equal(offset_of(&rig, id, 0), 24);
    assert_int_equal(offset_of(&rig, id, 1), 12);
    engine_rig_stop(&rig);
}

static void a_buffer_is_used_to_its_last_byte(void **state) {
    struct engine_rig rig;
    unsigned id = start_feedback(&rig, 3 * 8);
    (void)state;
    draw(&rig, id, POINTS, 0, 5);
    EXPECT_VERTICES(&rig, 0, 1, 2);
    set_buffer(&rig, id, 0, 4 * 8 - 1, 8, (const uint8_t[]){WORD_X, WORD_RED}, 2);
    clear_buffers(&rig);
    draw(&rig, id, POINTS, 3, 5);
    EXPECT_VERTICES(&rig, 3, 4, 5);
    engine_rig_stop(&rig);
}

/* What was generated is counted without feedback, too; what is needed is not. */
static void counters_of_streams_count_while_feedback_is_on(void **state) {
    struct engine_rig rig;
    unsigned id = start_feedback(&rig, 0x1000);
    (void)state;
    send(&rig, id, 0, 0x744, 0);
    draw(&rig, id, LINES, 0, 4);
    assert_int_equal(reported(&rig, id, 0x12, 0), 2);
    assert_int_equal(reported(&rig, id, 0x0d, 0), 0);
    send(&rig, id, 0, 0x744, 1);
    draw(&rig, id, LINES, 0, 4);
    assert_int_equal(reported(&rig, id, 0x12, 0), 4);
    assert_int_equal(reported(&rig, id, 0x0d, 0), 2);
    send(&rig, id, 0, 0xd68, 0xffff & ~(1u << 5));
    draw(&rig, id, LINES, 0, 4);
    assert_int_equal(reported(&rig, id, 0x0b, 0), 2);
    assert_int_equal(reported(&rig, id, 0x0d, 0), 4);
    assert_int_equal(reported(&rig, id, 0x0f, 0), 0); /* nothing comes to the clipper */
    engine_rig_stop(&rig);
}

/* Without a geometry program all is of stream 0. */
static void the_raster_takes_primitives_of_its_stream(void **state) {
    struct engine_rig rig;
    unsigned id = draw_begin(&rig);
    (void)state;
    send(&rig, id, 0, 0x740, 1);
    draw(&rig, id, STRIP, 4, 4);
    assert_int_equal(engine_rig_rd32(&rig, TARGET + 40 * 4), 0);
    assert_int_equal(reported(&rig, id, 0x12, 0), 2);
    assert_int_equal(reported(&rig, id, 0x12, 1), 0);
    assert_int_equal(reported(&rig, id, 0x0f, 0), 0);
    send(&rig, id, 0, 0x740, 0);
    draw(&rig, id, STRIP, 4, 4);
    assert_int_equal(engine_rig_rd32(&rig, TARGET + 40 * 4) & 0xff, 51);
    assert_int_equal(reported(&rig, id, 0x0f, 0), 2);
    engine_rig_stop(&rig);
}

/* ---- offsets ---- */

static void feedback_goes_on_where_it_was_or_where_it_is_told_to(void **state) {
    struct engine_rig rig;
    unsigned id = start_feedback(&rig, 0x1000);
    (void)state;
    draw(&rig, id, POINTS, 0, 2);
    send(&rig, id, 0, 0x744, 0);
    draw(&rig, id, POINTS, 10, 2);
    send(&rig, id, 0, 0x744, 1);
    draw(&rig, id, POINTS, 2, 1);
    EXPECT_VERTICES(&rig, 0, 1, 2);
    assert_int_equal(offset_of(&rig, id, 0), 24);
    send(&rig, id, 0, 0x390, 8);
    assert_int_equal(offset_of(&rig, id, 0), 8);
    draw(&rig, id, POINTS, 7, 1);
    EXPECT_VERTICES(&rig, 0, 7, 2);
    engine_rig_stop(&rig);
}

/* Eight bytes of a vertex; those before START do not count, nor does a part of one. */
static void draw_auto_draws_as_many_vertices_as_bytes_say(void **state) {
    struct engine_rig rig;
    unsigned id = start_feedback(&rig, 0x1000);
    (void)state;
    send(&rig, id, 0, 0x1318, 8);
    send(&rig, id, 0, 0x13a4, 16);
    send(&rig, id, 0, 0xd74, 5); /* of arrays only */
    send(&rig, id, 0, 0x1618, POINTS);
    send(&rig, id, 0, 0x123c, 16 + 3 * 8 + 7);
    send(&rig, id, 0, 0x1614, 0);
    EXPECT_VERTICES(&rig, 0, 1, 2);
    send(&rig, id, 0, 0x1618, POINTS);
    send(&rig, id, 0, 0x123c, 8);
    send(&rig, id, 0, 0x1318, 0);
    send(&rig, id, 0, 0x123c, 80);
    send(&rig, id, 0, 0x1614, 0);
    expect_only_draws(&rig);
    assert_int_equal(offset_of(&rig, id, 0), 24);
    engine_rig_stop(&rig);
}

/* ---- cuts ---- */

/* Each triangle covers all pixels, so that there are slices in the middle of a group. */
static void a_draw_that_is_cut_is_written_once(void **state) {
    enum { COUNT = 100 };
    static const float corners[3][2] = {{-1, -1}, {3, -1}, {-1, 3}};
    struct engine_rig rig[2], *now = &rig[0];
    unsigned id = start_feedback(now, 0x1000), slices = 0;
    (void)state;
    for (unsigned i = 0; i < 3 * COUNT; i++)
        put_vertex(now, i, corners[i % 3][0], corners[i % 3][1], (float)i);
    send(now, id, 0, 0x37c, 1);
    set_buffer(now, id, 0, 0x1000, 4, (const uint8_t[]){WORD_RED}, 1);
    send(now, id, 0, 0x1618, TRIANGLES);
    send(now, id, 0, 0xd74, 0);
    while (engine_rig_offer(now, id, 0, 0xd78, 4, WORDS(3 * COUNT)) == 0) {
        struct engine_rig *next = now == &rig[0] ? &rig[1] : &rig[0];
        assert_true(++slices < 1000);
        draw_go_on_elsewhere(now, next, id);
        now = next;
    }
    assert_true(slices > 3);
    for (unsigned i = 0; i < 3 * COUNT; i++)
        assert_int_equal(engine_rig_rd32(now, BUFFER + 4 * i), bits((float)i));
    assert_int_equal(engine_rig_rd32(now, BUFFER + 12 * COUNT), NOTHING);
    assert_int_equal(reported(now, id, 0x0b, 0), COUNT);
    assert_int_equal(offset_of(now, id, 0), 12 * COUNT);
    engine_rig_stop(now);
}

static void faults_are_of_feedback(void **state) {
    struct engine_rig rig;
    unsigned id = start_feedback(&rig, 0x1000);
    (void)state;
    send(&rig, id, 0, 0x388, ENGINE_RIG_LIMIT - 8);
    draw(&rig, id, POINTS, 0, 3);
    assert_int_equal(rig.faults, 1);
    assert_int_equal(rig.trap.use, USE_FEEDBACK);
    assert_true(rig.trap.write);
    assert_int_equal(rig.trap.address, ENGINE_RIG_LIMIT);
    assert_int_equal(reported(&rig, id, 0x0b, 0), 0);
    engine_rig_stop(&rig);
}

static void observers_are_told_what_was_written(void **state) {
    struct engine_rig rig;
    unsigned id = start_feedback(&rig, 0x1000), written = 0;
    (void)state;
    send(&rig, id, 0, 0x390, 16);
    draw(&rig, id, POINTS, 0, 60); /* two blocks */
    for (unsigned i = 0; i < engine_rig_count(&rig, EVENT_ENGINE_WRITE); i++) {
        const struct engine_rig_event *event = engine_rig_event(&rig, EVENT_ENGINE_WRITE, i);
        if (strcmp(event->text, "feedback") != 0)
            continue;
        assert_int_equal(event->value[3], BUFFER + 16);
        assert_int_equal(event->value[4], 60 * 8);
        written++;
    }
    assert_int_equal(written, 1);
    engine_rig_stop(&rig);
}

static bool write_nothing(void *opaque, uint64_t address, const void *data, unsigned bytes) {
    (void)opaque, (void)address, (void)data, (void)bytes;
    return true;
}

/* A saved state may say any offset: what follows it does not wrap around into the buffer. */
static void nothing_fits_at_an_offset_beyond_the_buffer(void **state) {
    static const uint32_t words[4];
    struct feedback_state feedback = {.enabled = true};
    struct feedback_writer writer;
    (void)state;
    feedback.buffer[0] = (struct feedback_buffer){.enabled = true, .components = 1, .stride = 4, .bytes = 8};
    for (unsigned offset = 0; offset <= 12; offset += 4) {
        for (unsigned i = 0; i < 2; i++) {
            feedback_begin(&writer, &feedback, write_nothing, NULL);
            writer.offset[0] = i ? offset : UINT64_MAX - offset;
            assert_int_equal(feedback_primitive(&writer, 0, &(struct feedback_vertex){words, 1}, 1),
                             i && offset <= 4 ? FEEDBACK_WRITTEN : FEEDBACK_NO_ROOM);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(records_have_the_components_of_their_map),
        cmocka_unit_test(words_that_the_program_does_not_write_have_their_default),
        cmocka_unit_test(strips_are_written_as_primitives_by_themselves),
        cmocka_unit_test(what_is_drawn_is_written_as_well),
        cmocka_unit_test(a_primitive_that_does_not_fit_in_one_buffer_is_in_none),
        cmocka_unit_test(a_buffer_is_used_to_its_last_byte),
        cmocka_unit_test(counters_of_streams_count_while_feedback_is_on),
        cmocka_unit_test(the_raster_takes_primitives_of_its_stream),
        cmocka_unit_test(feedback_goes_on_where_it_was_or_where_it_is_told_to),
        cmocka_unit_test(draw_auto_draws_as_many_vertices_as_bytes_say),
        cmocka_unit_test(a_draw_that_is_cut_is_written_once),
        cmocka_unit_test(faults_are_of_feedback),
        cmocka_unit_test(nothing_fits_at_an_offset_beyond_the_buffer),
        cmocka_unit_test(observers_are_told_what_was_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
