/* SPDX-License-Identifier: MIT */
/* What geometry programs do to pixels, and to the course of a draw. */
#include <string.h>

#include "engine/core/register_file.h"
#include "front/geometry_program.h"

enum { LAYER_BYTES = WIDTH * WIDTH * 4, POINTS = 0, TRIANGLES = 4, LAYER = 0x19, VIEWPORT = 0x1a, NO_WORD = 0 };

static void add(struct emission_program *program, struct emission_step step) {
    assert_true(program->count < EMISSION_STEPS);
    program->step[program->count++] = step;
}

/* The triangle as it comes; `word` is the number of the instance, from `first` on. */
static struct emission_program passing(unsigned instances, unsigned word, uint32_t first) {
    struct emission_program program = {.instances = instances, .most = 3, .corners = 3};
    for (unsigned vertex = 0; vertex < 3; vertex++) {
        for (unsigned i = 0; i < 5; i++) /* the position and generic 0 x */
            add(&program, (struct emission_step){EMISSION_COPY, .number = vertex, .from = 0x1c + i, .word = 0x1c + i});
        if (word)
            add(&program, (struct emission_step){EMISSION_INSTANCE, .word = word, .add = first});
        add(&program, (struct emission_step){EMISSION_OUT, .emits = true});
    }
    return program;
}

static void put_geometry(struct engine_rig *rig, unsigned id, const struct emission_program *program, unsigned word) {
    geometry_put(rig, id, program);
    for (unsigned i = 0x1c; i < 0x20; i++)
        geometry_writes(rig, id, i);
    if (word)
        geometry_writes(rig, id, word);
}

/* The left half of the target: its lower triangle, or all of it. */
static void draw(struct engine_rig *rig, unsigned id, unsigned topology, unsigned count) {
    send(rig, id, 0, 0x1618, topology);
    send(rig, id, 0, 0xd74, 0, count);
    send(rig, id, 0, 0x1614, 0);
}

static unsigned drawn_in(struct engine_rig *rig, unsigned layer) {
    unsigned count = 0;
    for (unsigned i = 0; i < WIDTH * WIDTH; i++)
        count += (engine_rig_rd32(rig, TARGET + (uint64_t)layer * LAYER_BYTES + 4 * i) & 0xff) == 0xff;
    return count;
}

static uint64_t reported(struct engine_rig *rig, unsigned id, unsigned report) {
    send(rig, id, 0, 0x1b00, 0, REPORT, 0, 2 | report << 23);
    return engine_rig_rd64(rig, REPORT);
}

static void set_layers(struct engine_rig *rig, unsigned id, unsigned layers) {
    send(rig, id, 0, 0x818, layers, LAYER_BYTES / 4);
    send(rig, id, 0, 0x15cc, 1 << 16);
}

static void an_instance_draws_into_the_layer_that_it_says(void **state) {
    struct emission_program program = passing(3, LAYER, 1);
    struct engine_rig rig;
    unsigned id = draw_begin(&rig);
    (void)state;
    set_layers(&rig, id, 4);
    put_geometry(&rig, id, &program, LAYER);
    draw(&rig, id, STRIP, 4);
    assert_int_equal(drawn_in(&rig, 0), 0);
    for (unsigned layer = 1; layer < 4; layer++)
        assert_int_equal(drawn_in(&rig, layer), WIDTH * WIDTH / 2);
    expect_only_draws(&rig);
    engine_rig_stop(&rig);
}

/* Vertex i says layer i + 1. */
static void a_primitive_is_in_the_layer_of_its_provoking_vertex(void **state) {
    struct emission_program program = passing(1, LAYER, 1);
    (void)state;
    for (unsigned i = 0; i < program.count; i++)
        if (program.step[i].kind == EMISSION_INSTANCE)
            program.step[i].add = 1 + i / 7;
    for (unsigned last = 0; last < 2; last++) {
        struct engine_rig rig;
        unsigned id = draw_begin(&rig);
        set_layers(&rig, id, 4);
        send(&rig, id, 0, 0x1684, last);
        put_geometry(&rig, id, &program, LAYER);
        draw(&rig, id, STRIP, 4);
        for (unsigned layer = 0; layer < 4; layer++)
            assert_int_equal(drawn_in(&rig, layer), layer == (last ? 3 : 1) ? WIDTH * WIDTH / 2 : 0);
        engine_rig_stop(&rig);
    }
}

static void a_layer_that_the_target_does_not_have_is_not_drawn(void **state) {
    struct emission_program program = passing(2, LAYER, 1);
    struct engine_rig rig;
    unsigned id = draw_begin(&rig);
    (void)state;
    set_layers(&rig, id, 2);
    put_geometry(&rig, id, &program, LAYER);
    draw(&rig, id, STRIP, 4);
    assert_int_equal(drawn_in(&rig, 0), 0);
    assert_int_equal(drawn_in(&rig, 1), WIDTH * WIDTH / 2);
    assert_int_equal(drawn_in(&rig, 2), 0);
    engine_rig_stop(&rig);
}

/* Only if the header says that the program writes it. */
static void a_layer_that_is_not_said_to_be_written_is_the_first(void **state) {
    struct emission_program program = passing(3, LAYER, 1);
    struct engine_rig rig;
    unsigned id = draw_begin(&rig);
    (void)state;
    set_layers(&rig, id, 4);
    put_geometry(&rig, id, &program, NO_WORD);
    draw(&rig, id, STRIP, 4);
    assert_int_equal(drawn_in(&rig, 0), WIDTH * WIDTH / 2);
    assert_int_equal(drawn_in(&rig, 1), 0);
    engine_rig_stop(&rig);
}

/* Viewport 1 is the lower right quarter, and 2 the upper right one; viewport 0 has the left half. */
static void an_instance_draws_into_the_viewport_that_it_says(void **state) {
    struct emission_program program = passing(2, VIEWPORT, 1);
    struct engine_rig rig;
    unsigned id = draw_begin(&rig);
    (void)state;
    for (unsigned i = 1; i < 3; i++) {
        send(&rig, id, 0, 0xc00 + 16 * i, WIDTH << 16, WIDTH << 16);
        send(&rig, id, 0, 0xa00 + 32 * i, bits(32), bits(16), bits(0.5f), bits(64), bits(i == 1 ? 48 : 16), bits(0.5f));
    }
    put_geometry(&rig, id, &program, VIEWPORT);
    draw(&rig, id, STRIP, 4);
    for (unsigned y = 0; y < WIDTH; y++)
        for (unsigned x = 0; x < WIDTH; x++) {
            uint32_t red = engine_rig_rd32(&rig, TARGET + 4 * (y * WIDTH + x)) & 0xff;
            assert_int_equal(red, x >= WIDTH / 2 ? 0xff : 0);
        }
    assert_int_equal(reported(&rig, id, 0x15), WIDTH * WIDTH / 2);
    engine_rig_stop(&rig);
}

/* Their target is of whole numbers. There is no viewport 16: the triangle is in the first one. */
static void fragment_programs_read_the_viewport_that_was_written(void **state) {
    static const uint64_t words[] = {0xe083ff868ff7ff00, /* IPA.CONSTANT R0, a[0x68] */
                                     0xe30000000007000f};
    struct emission_program program = passing(1, VIEWPORT, 16);
    struct engine_rig rig;
    unsigned id = draw_begin(&rig), drawn = 0;
    (void)state;
    for (unsigned i = 0; i < 2; i++)
        put(&rig, CODE + FRAGMENT + 0x58 + i * 8, (uint32_t[]){(uint32_t)words[i], (uint32_t)(words[i] >> 32)}, 2);
    engine_rig_wr32(&rig, CODE + FRAGMENT + 5 * 4, 0x84000000);
    send(&rig, id, 0, 0x810, 0xe4);
    put_geometry(&rig, id, &program, VIEWPORT);
    draw(&rig, id, STRIP, 4);
    for (unsigned i = 0; i < WIDTH * WIDTH; i++)
        drawn += engine_rig_rd32(&rig, TARGET + 4 * i) == 16;
    assert_int_equal(drawn, WIDTH * WIDTH / 2);
    engine_rig_stop(&rig);
}

static void streams_that_are_not_selected_are_not_drawn(void **state) {
    struct emission_program program = passing(1, NO_WORD, 0);
    struct engine_rig rig;
    unsigned id = draw_begin(&rig);
    (void)state;
    for (unsigned i = 0; i < program.count; i++)
        program.step[i].stream = 2;
    put_geometry(&rig, id, &program, NO_WORD);
    draw(&rig, id, STRIP, 4);
    assert_int_equal(drawn_in(&rig, 0), 0);
    assert_int_equal(reported(&rig, id, 0xf), 0);
    send(&rig, id, 0, 0x740, 2);
    draw(&rig, id, STRIP, 4);
    assert_int_equal(drawn_in(&rig, 0), WIDTH * WIDTH / 2);
    assert_int_equal(reported(&rig, id, 0xf), 2);
    engine_rig_stop(&rig);
}

/* Each of 300 triangles is drawn 32 times: many groups of one block, and many slices of a group. */
static void a_draw_of_many_instances_is_the_same_in_slices_and_after_a_restore(void **state) {
    struct emission_program program = passing(32, NO_WORD, 0);
    struct engine_rig rigs[2];
    uint64_t samples = 0;
    (void)state;
    for (unsigned round = 0; round < 2; round++) {
        struct engine_rig *now = &rigs[0];
        unsigned id = draw_begin(now), slices = 0, moves = 0;
        for (unsigned i = 0; i < 300; i++)
            put_vertex(now, i, (float)(i % 3) / 8, (float)(i % 5) / 8, (float)(i % 7) / 7);
        put_geometry(now, id, &program, NO_WORD);
        send(now, id, 0, 0x1618, STRIP);
        send(now, id, 0, 0xd74, 0);
        while (engine_rig_offer(now, id, 0, 0xd78, 4, WORDS(300)) == 0) {
            assert_true(++slices < 10000);
            if (!round || moves == 20)
                continue;
            struct engine_rig *next = now == &rigs[0] ? &rigs[1] : &rigs[0];
            draw_go_on_elsewhere(now, next, id);
            now = next;
            moves++;
        }
        send(now, id, 0, 0x1614, 0);
        assert_true(slices > 20);
        assert_int_equal(reported(now, id, 7), 298 * 32);
        assert_int_equal(reported(now, id, 9), 298 * 32);
        assert_int_equal(reported(now, id, 5), 300);
        assert_true(!round || samples == reported(now, id, 0x15));
        samples = reported(now, id, 0x15);
        engine_rig_stop(now);
    }
}

/* A limit of 0 is none, not no limit. */
static void what_is_beyond_the_limit_is_not_emitted(void **state) {
    struct emission_program program = passing(1, NO_WORD, 0);
    struct engine_rig rig;
    unsigned id = draw_begin(&rig);
    (void)state;
    for (program.most = 0; program.most < 5; program.most++) {
        uint64_t before = reported(&rig, id, 9);
        put_geometry(&rig, id, &program, NO_WORD);
        draw(&rig, id, STRIP, 4);
        assert_int_equal(reported(&rig, id, 9) - before, program.most < 3 ? 0 : 2);
    }
    engine_rig_stop(&rig);
}

/* Vertices 0, 1, 2 are a triangle of the left half; 4, 5, 6 are in the right one. */
static void without_a_geometry_program_neighbours_are_not_drawn(void **state) {
    static const uint32_t of[6] = {0, 4, 1, 5, 2, 6};
    struct engine_rig rig;
    unsigned id = draw_begin(&rig);
    (void)state;
    put(&rig, INDICES, of, 6);
    send(&rig, id, 0, 0x17d8, 2);
    send(&rig, id, 0, 0x1618, 12);
    send(&rig, id, 0, 0x17dc, 0, 6);
    send(&rig, id, 0, 0x1614, 0);
    assert_int_equal(reported(&rig, id, 5), 6);
    assert_int_equal(reported(&rig, id, 0x15), drawn_in(&rig, 0));
    assert_in_range(drawn_in(&rig, 0), WIDTH * WIDTH / 4 - WIDTH, WIDTH * WIDTH / 4 + WIDTH);
    engine_rig_stop(&rig);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_instance_draws_into_the_layer_that_it_says),
        cmocka_unit_test(a_primitive_is_in_the_layer_of_its_provoking_vertex),
        cmocka_unit_test(a_layer_that_the_target_does_not_have_is_not_drawn),
        cmocka_unit_test(a_layer_that_is_not_said_to_be_written_is_the_first),
        cmocka_unit_test(an_instance_draws_into_the_viewport_that_it_says),
        cmocka_unit_test(fragment_programs_read_the_viewport_that_was_written),
        cmocka_unit_test(streams_that_are_not_selected_are_not_drawn),
        cmocka_unit_test(a_draw_of_many_instances_is_the_same_in_slices_and_after_a_restore),
        cmocka_unit_test(what_is_beyond_the_limit_is_not_emitted),
        cmocka_unit_test(without_a_geometry_program_neighbours_are_not_drawn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
