/* SPDX-License-Identifier: MIT */
/* What observers are told of draws and clears: engine.draw, engine.done, struct pfifo_draw. */
#include "front/draw_rig.h"

#include <pfifo/draw.h>

#include <string.h>

#include "engine/surface/picture.h"
#include "gpu/gpu.h"

enum { CLEAR_COLOR = 0x3c, DEPTH = 0x14000 };

/* The draws that an observer saw. */
static struct {
    unsigned count;
    struct pfifo_draw last;
} seen;

static void see(void *opaque, const struct pfifo_event *event) {
    (void)opaque;
    if (!event->draw)
        return;
    seen.count++;
    seen.last = *event->draw;
}

static void observe(struct engine_rig *rig) {
    assert_int_equal(event_observe(&rig->hub, "engine.draw,engine.done", see, NULL, NULL), PFIFO_OK);
    memset(&seen, 0, sizeof seen);
}

/* Fields of the event, in the order of the declaration. */
enum { CLASS, METHOD, TOPOLOGY, FIRST, ASKED, INSTANCE, DRAWN, PRIMITIVES, FRAGMENTS, SAMPLES, VERTEX_AT, FRAGMENT_AT };

static const struct engine_rig_event *expect_draw(const struct engine_rig *rig, unsigned nth, const char *topology,
                                                  const uint64_t *wanted) {
    const struct engine_rig_event *event = engine_rig_event(rig, EVENT_ENGINE_DRAW, nth);
    assert_non_null(event);
    assert_string_equal(event->text, topology);
    for (unsigned i = FIRST; i <= FRAGMENTS; i++)
        if (event->value[i] != wanted[i - FIRST])
            fail_msg("field %u is %u, not %u", i, (unsigned)event->value[i], (unsigned)wanted[i - FIRST]);
    return event;
}

static void a_draw_is_one_event_at_its_end(void **state) {
    struct engine_rig rig;
    unsigned id = draw_begin(&rig);
    (void)state;
    send(&rig, id, 0, 0x1618, STRIP);
    send(&rig, id, 0, 0xd74, 0, 4);
    send(&rig, id, 0, 0xd74, 4, 3);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_DRAW), 0);
    send(&rig, id, 0, 0x1614, 0);
    const struct engine_rig_event *event =
        expect_draw(&rig, 0, "triangle_strip",
                    (const uint64_t[]){0, 7, 0, 7, 5, engine_rig_event(&rig, EVENT_ENGINE_DRAW, 0)->value[FRAGMENTS]});
    assert_int_equal(event->value[CLASS], 0xb097);
    assert_int_equal(event->value[METHOD], 0x1614);
    assert_int_equal(event->value[VERTEX_AT], CODE + HEADER);
    assert_int_equal(event->value[FRAGMENT_AT], CODE + FRAGMENT);
    assert_true(event->value[FRAGMENTS] >= WIDTH * WIDTH / 2);
    assert_true(event->value[SAMPLES] >= event->value[FRAGMENTS] / 2);
    expect_only_draws(&rig);
    engine_rig_stop(&rig);
}

static void every_way_to_draw_is_told_of(void **state) {
    struct engine_rig rig;
    unsigned id = draw_begin(&rig);
    (void)state;
    put(&rig, INDICES, (uint32_t[]){0, 1, 2, 0xffff, 3}, 5);
    send(&rig, id, 0, 0x1644, 1, 0xffff);
    send(&rig, id, 0, 0x17d8, 2);
    send(&rig, id, 0, 0x1618, 0 | 1u << 26); /* points, the next instance */
    send(&rig, id, 0, 0x17dc, 0, 5);
    send(&rig, id, 0, 0x1614, 0);
    send(&rig, id, 0, 0x1214, (uint32_t)STRIP << 28 | 4 << 16 | 4);
    send(&rig, id, 0, 0x1618, 1);
    sent(&rig, id, 0, 0x15e8, 0, WORDS(4, 5));
    send(&rig, id, 0, 0x1614, 0);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_DRAW), 3);
    assert_int_equal(engine_rig_event(&rig, EVENT_ENGINE_DRAW, 0)->value[DRAWN], 4);
    assert_int_equal(engine_rig_event(&rig, EVENT_ENGINE_DRAW, 0)->value[ASKED], 5);
    assert_int_equal(engine_rig_event(&rig, EVENT_ENGINE_DRAW, 0)->value[INSTANCE], 1);
    assert_string_equal(engine_rig_event(&rig, EVENT_ENGINE_DRAW, 0)->text, "points");
    assert_int_equal(engine_rig_event(&rig, EVENT_ENGINE_DRAW, 1)->value[FIRST], 4);
    assert_int_equal(engine_rig_event(&rig, EVENT_ENGINE_DRAW, 1)->value[PRIMITIVES], 2);
    assert_int_equal(engine_rig_event(&rig, EVENT_ENGINE_DRAW, 1)->value[METHOD], 0x1214);
    assert_string_equal(engine_rig_event(&rig, EVENT_ENGINE_DRAW, 2)->text, "lines");
    assert_int_equal(engine_rig_event(&rig, EVENT_ENGINE_DRAW, 2)->value[PRIMITIVES], 1);
    expect_only_draws(&rig);
    engine_rig_stop(&rig);
}

static void nothing_is_told_of_what_was_not_drawn(void **state) {
    struct engine_rig rig;
    unsigned id = draw_begin(&rig);
    (void)state;
    send(&rig, id, 0, 0x1618, STRIP);
    send(&rig, id, 0, 0x1614, 0);
    assert_int_equal(rig.events, 0);
    send(&rig, id, 0, 0x1618, 0xe); /* patches */
    send(&rig, id, 0, 0xd74, 0, 4);
    send(&rig, id, 0, 0x1614, 0);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_DRAW), 0);
    assert_string_equal(engine_rig_event(&rig, EVENT_ENGINE_NOT_EXECUTED, 0)->text,
                        "patches without an evaluation program");
    engine_rig_stop(&rig);
}

static void a_draw_has_its_state(void **state) {
    struct engine_rig rig;
    unsigned id = draw_begin(&rig);
    (void)state;
    observe(&rig);
    send(&rig, id, 0, 0xfe0, 0, DEPTH, 0x14, 0);
    send(&rig, id, 0, 0x1228, WIDTH, WIDTH, 0x10001);
    send(&rig, id, 0, 0x1538, 1);
    send(&rig, id, 0, 0x12cc, 1);
    send(&rig, id, 0, 0x12e8, 1);
    send(&rig, id, 0, 0x130c, 0x207);
    send(&rig, id, 0, 0x1340, 0x8006, 0x4302, 0x4303);
    send(&rig, id, 0, 0x1360, 1);
    send(&rig, id, 0, 0x121c, 1);
    send(&rig, id, 0, 0x1214, (uint32_t)STRIP << 28 | 4 << 16);
    assert_int_equal(seen.count, 1);
    assert_false(seen.last.clear);
    assert_string_equal(seen.last.depth, "ALWAYS, write");
    assert_string_equal(seen.last.blend, "ADD SRC_ALPHA ONE_MINUS_SRC_ALPHA");
    const struct pfifo_target *color = &seen.last.target[0], *depth = &seen.last.target[PFIFO_DRAW_COLORS];
    assert_string_equal(color->format, "RGBA8_UNORM");
    assert_string_equal(color->layout, "pitch");
    assert_int_equal(color->address, TARGET);
    assert_int_equal(color->width, WIDTH);
    assert_int_equal(color->height, WIDTH);
    assert_int_equal(color->samples, 1);
    assert_string_equal(depth->format, "S8Z24_UNORM");
    assert_string_equal(depth->layout, "block");
    assert_int_equal(depth->address, DEPTH);
    assert_null(seen.last.target[1].format);
    assert_ptr_equal(pfifo_draw_shown(&seen.last), color);
    assert_true(seen.last.viewport[0] == 0 && seen.last.viewport[2] == WIDTH);
    engine_rig_stop(&rig);
}

/* Four vertices are a warp. The same draw is the same work. */
static void a_draw_tells_of_its_work(void **state) {
    struct engine_rig rig;
    unsigned id = draw_begin(&rig);
    (void)state;
    observe(&rig);
    send(&rig, id, 0, 0x1214, (uint32_t)STRIP << 28 | 4 << 16);
    const struct pfifo_draw_work work = seen.last.work;
    assert_int_equal(work.vertex_warps, 1);
    assert_true(work.vertex_instructions > 0);
    assert_true(work.fragment_warps * 32 >= seen.last.fragments);
    assert_true(work.fragment_instructions >= work.fragment_warps);
    assert_int_equal(work.fragment_instructions % work.fragment_warps, 0);
    assert_int_equal(work.texture_reads, 0);
    assert_true(work.quads > 0);
    send(&rig, id, 0, 0x1214, (uint32_t)STRIP << 28 | 4 << 16);
    assert_memory_equal(&seen.last.work, &work, sizeof work);
    send(&rig, id, 0, 0x19d0, CLEAR_COLOR);
    assert_int_equal(seen.last.work.quads, 0);
    engine_rig_stop(&rig);
}

/* Two quads are four triangles, and a point that is clipped away is one. */
static void a_draw_tells_what_its_primitives_become(void **state) {
    struct engine_rig rig;
    unsigned id = draw_begin(&rig);
    (void)state;
    observe(&rig);
    send(&rig, id, 0, 0x1214, 7u << 28 | 8 << 16);
    assert_int_equal(seen.last.primitives, 2);
    assert_int_equal(seen.last.generated, 4);
    put_vertex(&rig, 0, 5, 5, 1);
    send(&rig, id, 0, 0x1214, 1 << 16);
    assert_int_equal(seen.last.generated, 1);
    engine_rig_stop(&rig);
}

/* ---- what it reads and writes ---- */

/* Fields of engine.read and engine.write. */
enum { ACCESS_SPACE = 2, ACCESS_ADDRESS, ACCESS_BYTES, ACCESS_LINES, ACCESS_PITCH };

static void expect_access(const struct engine_rig *rig, enum event_id id, unsigned nth, const char *kind,
                          uint64_t address, uint64_t bytes) {
    const struct engine_rig_event *event = engine_rig_event(rig, id, nth);
    assert_non_null(event);
    assert_string_equal(event->text, kind);
    assert_int_equal(event->value[ACCESS_SPACE], 1); /* the rig has no page tables */
    assert_int_equal(event->value[ACCESS_ADDRESS], address);
    assert_int_equal(event->value[ACCESS_BYTES], bytes);
    assert_int_equal(event->value[ACCESS_LINES], 1);
    assert_int_equal(event->value[ACCESS_PITCH], 0);
}

/* Vertices 4 to 6, of which the first words and the one at 16 are read; then 3 and 5 by indices. */
static void a_draw_reads_the_vertices_that_it_fetches(void **state) {
    struct engine_rig rig;
    unsigned id = draw_begin(&rig);
    (void)state;
    send(&rig, id, 0, 0x1618, STRIP);
    send(&rig, id, 0, 0xd74, 4, 3);
    send(&rig, id, 0, 0x1614, 0);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_READ), 1);
    expect_access(&rig, EVENT_ENGINE_READ, 0, "vertices", VERTICES + 4 * STRIDE, 3 * STRIDE);
    expect_access(&rig, EVENT_ENGINE_WRITE, 0, "target", TARGET, WIDTH * WIDTH * 4);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_WRITE), 1);
    put(&rig, INDICES, (uint32_t[]){0, 5, 3, 4}, 4);
    send(&rig, id, 0, 0x17d8, 2);
    send(&rig, id, 0, 0x1618, STRIP);
    send(&rig, id, 0, 0x17dc, 1, 3);
    send(&rig, id, 0, 0x1614, 0);
    expect_access(&rig, EVENT_ENGINE_READ, 1, "indices", INDICES + 4, 12);
    expect_access(&rig, EVENT_ENGINE_READ, 2, "vertices", VERTICES + 3 * STRIDE, 3 * STRIDE);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_READ), 3);
    engine_rig_stop(&rig);
}

static void vertices_of_an_instance_are_read_once(void **state) {
    struct engine_rig rig;
    unsigned id = draw_begin(&rig);
    (void)state;
    send(&rig, id, 0, 0x1880, 1);
    send(&rig, id, 0, 0x1c0c, 2);
    send(&rig, id, 0, 0x1438, 3);
    for (unsigned instance = 0; instance < 3; instance++) {
        send(&rig, id, 0, 0x1618, STRIP | (instance ? 1u << 26 : 0));
        send(&rig, id, 0, 0xd74, 0, 4);
        send(&rig, id, 0, 0x1614, 0);
        expect_access(&rig, EVENT_ENGINE_READ, instance, "vertices", VERTICES + (3 + instance / 2) * STRIDE, STRIDE);
    }
    engine_rig_stop(&rig);
}

static void a_draw_reads_the_constants_of_its_programs(void **state) {
    struct engine_rig rig;
    unsigned id = draw_begin(&rig);
    (void)state;
    send(&rig, id, 0, 0x2380, 256, 0, COLORS);
    send(&rig, id, 0, 0x2410, 1 | 1 << 4); /* of the vertex program */
    send(&rig, id, 0, 0x2430, 1 | 2 << 4); /* of a program that is not there */
    send(&rig, id, 0, 0x1214, (uint32_t)STRIP << 28 | 4 << 16);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_READ), 2);
    expect_access(&rig, EVENT_ENGINE_READ, 1, "constants", COLORS, 256);
    engine_rig_stop(&rig);
}

static void a_target_is_written_unless_it_is_masked(void **state) {
    struct engine_rig rig;
    unsigned id = draw_begin(&rig);
    (void)state;
    for (unsigned i = 0; i < 8; i++)
        send(&rig, id, 0, 0x1a00 + 4 * i, 0);
    send(&rig, id, 0, 0xfe0, 0, DEPTH, 0x14, 0);
    send(&rig, id, 0, 0x1228, WIDTH, WIDTH, 0x10001);
    send(&rig, id, 0, 0x1538, 1);
    send(&rig, id, 0, 0x12cc, 1);
    send(&rig, id, 0, 0x130c, 0x207);
    send(&rig, id, 0, 0x1214, (uint32_t)STRIP << 28 | 4 << 16);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_WRITE), 0);
    send(&rig, id, 0, 0x12e8, 1);
    send(&rig, id, 0, 0x1214, (uint32_t)STRIP << 28 | 4 << 16);
    expect_access(&rig, EVENT_ENGINE_WRITE, 0, "depth", DEPTH, WIDTH * WIDTH * 4);
    engine_rig_stop(&rig);
}

/* Four samples of a pixel in the raster and the depth, one in the colours. */
static void a_target_with_fewer_samples_than_the_raster_is_as_large_as_it_is(void **state) {
    struct engine_rig rig;
    unsigned id = draw_begin_on(&rig, "GP102", 0xc197);
    (void)state;
    observe(&rig);
    send(&rig, id, 0, 0x1534, 1);
    send(&rig, id, 0, 0x113c, 2);
    send(&rig, id, 0, 0xfb4, 1, 2);
    send(&rig, id, 0, 0xfe0, 0, DEPTH, 0x14, 0);
    send(&rig, id, 0, 0x1228, WIDTH, WIDTH, 0x10001);
    send(&rig, id, 0, 0x1538, 1);
    send(&rig, id, 0, 0x1214, (uint32_t)STRIP << 28 | 4 << 16);
    expect_access(&rig, EVENT_ENGINE_WRITE, 0, "target", TARGET, WIDTH * WIDTH * 4);
    assert_int_equal(seen.last.target[0].samples, 1);
    assert_int_equal(seen.last.target[0].width, WIDTH);
    assert_int_equal(seen.last.target[PFIFO_DRAW_COLORS].samples, 4);
    engine_rig_stop(&rig);
}

static void a_clear_writes_its_rectangle(void **state) {
    struct engine_rig rig;
    unsigned id = draw_begin(&rig);
    (void)state;
    send(&rig, id, 0, 0xff4, 8 | 4 << 16, 16 | 2 << 16);
    send(&rig, id, 0, 0x19d0, CLEAR_COLOR);
    const struct engine_rig_event *event = engine_rig_event(&rig, EVENT_ENGINE_WRITE, 0);
    assert_non_null(event);
    assert_string_equal(event->text, "clear");
    assert_int_equal(event->value[ACCESS_ADDRESS], TARGET + 16 * WIDTH * 4 + 32);
    assert_int_equal(event->value[ACCESS_BYTES], 16);
    assert_int_equal(event->value[ACCESS_LINES], 2);
    assert_int_equal(event->value[ACCESS_PITCH], WIDTH * 4);
    engine_rig_stop(&rig);
}

static void a_clear_tells_of_its_targets(void **state) {
    struct engine_rig rig;
    unsigned id = draw_begin(&rig);
    (void)state;
    observe(&rig);
    send(&rig, id, 0, 0x19d0, CLEAR_COLOR);
    assert_int_equal(seen.count, 1);
    assert_true(seen.last.clear);
    assert_int_equal(seen.last.target[0].address, TARGET);
    assert_string_equal(seen.last.target[0].format, "RGBA8_UNORM");
    assert_int_equal(seen.last.target[0].width, WIDTH);
    assert_null(seen.last.target[PFIFO_DRAW_COLORS].format);
    engine_rig_stop(&rig);
}

static void a_picture_of_a_target_has_what_was_drawn(void **state) {
    static uint8_t rgba[WIDTH * WIDTH * 4];
    struct engine_rig rig;
    unsigned id = draw_begin(&rig);
    (void)state;
    observe(&rig);
    send(&rig, id, 0, 0x1214, (uint32_t)STRIP << 28 | 4 << 16);
    send(&rig, id, 0, 0x1218, (uint32_t)STRIP << 28 | 4 << 16 | 4);
    assert_int_equal(picture_read(&rig.memory, &seen.last.target[0], rgba, NULL), PFIFO_OK);
    for (unsigned i = 0; i < WIDTH * WIDTH; i++)
        assert_int_equal(rgba[i * 4], i % WIDTH < WIDTH / 2 ? 255 : 51);
    engine_rig_stop(&rig);
}

/* A long draw: the same event whether it is saved in its middle or not. */
static void a_draw_is_told_of_alike_after_a_restore(void **state) {
    enum { COUNT = 300 };
    struct engine_rig rig[2];
    struct engine_rig_event whole = {0};
    (void)state;
    for (unsigned round = 0; round < 2; round++) {
        struct engine_rig *now = &rig[0];
        unsigned id = draw_begin(now), slices = 0;
        for (unsigned i = 0; i < COUNT; i++)
            put_vertex(now, i, i % 2 ? 1 : -1, i % 4 < 2 ? 1 : -1, 1);
        send(now, id, 0, 0x1618, FAN);
        send(now, id, 0, 0xd74, 0);
        while (engine_rig_offer(now, id, 0, 0xd78, 4, WORDS(COUNT)) == 0)
            if (++slices == 5 && round) {
                draw_go_on_elsewhere(now, &rig[1], id);
                now = &rig[1];
                engine_rig_observe(now, "engine.*");
            }
        if (round) { /* and again before its end */
            draw_go_on_elsewhere(now, &rig[0], id);
            now = &rig[0];
            engine_rig_observe(now, "engine.*");
        }
        send(now, id, 0, 0x1614, 0);
        assert_true(slices > 8);
        const struct engine_rig_event *event = engine_rig_event(now, EVENT_ENGINE_DRAW, 0);
        assert_non_null(event);
        assert_true(!round || memcmp(event->value, whole.value, sizeof whole.value) == 0);
        whole = *event;
        expect_access(now, EVENT_ENGINE_READ, 0, "vertices", VERTICES, COUNT * STRIDE);
        engine_rig_stop(now);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_draw_is_one_event_at_its_end),
        cmocka_unit_test(every_way_to_draw_is_told_of),
        cmocka_unit_test(nothing_is_told_of_what_was_not_drawn),
        cmocka_unit_test(a_draw_has_its_state),
        cmocka_unit_test(a_draw_tells_of_its_work),
        cmocka_unit_test(a_draw_tells_what_its_primitives_become),
        cmocka_unit_test(a_draw_reads_the_vertices_that_it_fetches),
        cmocka_unit_test(vertices_of_an_instance_are_read_once),
        cmocka_unit_test(a_draw_reads_the_constants_of_its_programs),
        cmocka_unit_test(a_target_is_written_unless_it_is_masked),
        cmocka_unit_test(a_target_with_fewer_samples_than_the_raster_is_as_large_as_it_is),
        cmocka_unit_test(a_clear_writes_its_rectangle),
        cmocka_unit_test(a_clear_tells_of_its_targets),
        cmocka_unit_test(a_picture_of_a_target_has_what_was_drawn),
        cmocka_unit_test(a_draw_is_told_of_alike_after_a_restore),
    };
    return cmocka_run_group_tests_name("front_events", tests, NULL, NULL);
}
