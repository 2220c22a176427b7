/* SPDX-License-Identifier: MIT */
/* What a program touches without a call: vertices, emitted vertices, special registers, spans of memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "shade/rig.h"

enum { MEMORY = 256, CALLED = 0xee };

struct scene {
    struct rig rig;
    uint8_t memory[MEMORY], called[SHADE_LANES];
    uint32_t called_lanes, failing; /* of calls; lanes whose call fails */
    unsigned calls;
    shade_row rows[SHADE_ATTRIBUTES];
};

static int begin(void **state) {
    struct scene *scene = *state = aligned_alloc(64, (sizeof *scene + 63) / 64 * 64);
    memset(scene, 0, sizeof *scene);
    rig_begin(&scene->rig);
    return 0;
}

static int end(void **state) {
    struct scene *scene = *state;
    rig_end(&scene->rig);
    free(scene);
    return 0;
}

/* ---- special registers ---- */

static void special_registers_are_a_list(void **state) {
    struct scene *scene = *state;
    struct rig *rig = &scene->rig;
    static const uint32_t row[SHADE_LANES] = {[3] = 33};
    static const struct shade_special specials[] = {{0x12, 77, NULL}, {0x21, 1, row}, {0x12, 78, NULL}};
    static const uint8_t numbers[] = {0x12, 0x21, 0x22};
    for (unsigned i = 0; i < sizeof numbers; i++) {
        struct ir *ir = rig_add(rig, IR_S2R);
        ir->a = rig_immediate(numbers[i]);
        ir->d = (uint8_t)(1 + i);
    }
    rig->io.specials = specials;
    rig->io.special_count = 3;
    rig_load(rig, UINT32_MAX, 0);
    rig_set(rig, 3, 99);
    assert_int_equal(rig_run(rig), SHADE_DONE);
    assert_int_equal(rig->warp.registers[1][31], 77);
    assert_int_equal(rig->warp.registers[2][3], 33);
    assert_int_equal(rig->warp.registers[2][4], 0);
    assert_int_equal(rig->warp.registers[3][0], 0); /* not in the list */
    assert_int_equal(rig->reports, 0);
}

/* Programs wait for them. */
static void clocks_go_on_though_nobody_lists_them(void **state) {
    struct scene *scene = *state;
    struct rig *rig = &scene->rig;
    static const uint8_t numbers[] = {0x50, 0x50, 0x52, 0x51};
    for (unsigned i = 0; i < sizeof numbers; i++) {
        struct ir *ir = rig_add(rig, IR_S2R);
        ir->a = rig_immediate(numbers[i]);
        ir->d = (uint8_t)(1 + i);
    }
    static const struct shade_special none;
    rig->io.specials = &none;
    rig->io.special_count = 0;
    rig_load(rig, UINT32_MAX, 0);
    assert_int_equal(rig_run(rig), SHADE_DONE);
    assert_int_equal(rig->warp.registers[2][31], rig->warp.registers[1][0] + 1);
    assert_int_equal(rig->warp.registers[3][5], rig->warp.registers[2][5] + 1);
    assert_int_equal(rig->warp.registers[4][0], 0);
    assert_int_equal(rig->reports, 0);
}

/* ---- vertices ---- */

static struct ir *add_attribute(struct rig *rig, unsigned d, unsigned word, unsigned vertex_register) {
    struct ir *ir = rig_add(rig, IR_ALD);
    ir->d = (uint8_t)d;
    ir->a = rig_register(IR_ZERO);
    ir->offset = 4 * word;
    ir->c = rig_register(vertex_register);
    return ir;
}

static void vertices_are_named_by_number(void **state) {
    struct scene *scene = *state;
    struct rig *rig = &scene->rig;
    static uint32_t words[3][SHADE_ATTRIBUTES], patch[SHADE_ATTRIBUTES];
    for (unsigned i = 0; i < SHADE_ATTRIBUTES; i++) {
        for (unsigned vertex = 0; vertex < 3; vertex++)
            words[vertex][i] = 1000 * (vertex + 1) + i;
        patch[i] = 6000 + i;
    }
    const struct shade_vertices vertices = {words[0], patch, 3};
    add_attribute(rig, 1, 0x20, 0);
    add_attribute(rig, 2, 0x22, 0)->patch = true;
    add_attribute(rig, 3, 0x100, 0);
    struct ir *two = add_attribute(rig, 6, 0x30, 0);
    two->type = IR_U64;
    rig->io.vertices = &vertices;
    rig_load(rig, UINT32_MAX, 0);
    for (unsigned i = 0; i < SHADE_LANES; i++)
        rig->warp.registers[0][i] = i;
    assert_int_equal(rig_run(rig), SHADE_DONE);
    const uint32_t expected[][4] = {{1020 + 12, 2020 + 12, 3020 + 12, 0}, {6034, 6034, 6034, 6034}, {0, 0, 0, 0}};
    for (unsigned i = 0; i < 3; i++)
        for (unsigned lane = 0; lane < 4; lane++)
            assert_int_equal(rig->warp.registers[1 + i][lane], expected[i][lane]);
    assert_int_equal(rig->warp.registers[6][2], 3048);
    assert_int_equal(rig->warp.registers[7][2], 3049);
}

static struct ir *add_store(struct rig *rig, unsigned word, unsigned from) {
    struct ir *ir = rig_add(rig, IR_AST);
    ir->a = rig_register(IR_ZERO);
    ir->offset = 4 * word;
    ir->b = rig_register(from);
    return ir;
}

static void outputs_of_other_lanes_can_be_read(void **state) {
    struct scene *scene = *state;
    struct rig *rig = &scene->rig;
    rig->io.outputs = scene->rows;
    add_store(rig, 0x21, 1);
    add_attribute(rig, 2, 0x21, 0)->output = true;
    add_attribute(rig, 3, 0xbc, 0)->output = true; /* as it was before */
    add_attribute(rig, 4, 0x21, IR_ZERO)->output = true;
    add_attribute(rig, 5, 0x100, 0)->output = true;
    rig_load(rig, 0xff, 0);
    for (unsigned i = 0; i < SHADE_LANES; i++) {
        rig->warp.registers[0][i] = i == 5 ? 32 : 7 - i;
        rig->warp.registers[1][i] = 100 + i;
        scene->rows[0xbc][i] = 500 + i;
    }
    assert_int_equal(rig_run(rig), SHADE_DONE);
    for (unsigned i = 0; i < 8; i++) {
        assert_int_equal(rig->warp.registers[2][i], i == 5 ? 0 : 107 - i);
        assert_int_equal(rig->warp.registers[3][i], i == 5 ? 0 : 507 - i);
        assert_int_equal(rig->warp.registers[4][i], 100 + i);
        assert_int_equal(rig->warp.registers[5][i], 0);
    }
    assert_int_equal(rig->reports, 0);
}

static void words_of_a_patch_are_written_once_for_all_lanes(void **state) {
    struct scene *scene = *state;
    struct rig *rig = &scene->rig;
    static uint32_t patch[SHADE_ATTRIBUTES];
    const struct shade_vertices vertices = {.patch = patch};
    rig->io.outputs = scene->rows;
    rig->io.vertices = &vertices;
    rig->io.patch = patch;
    struct ir *two = add_store(rig, 0x08, 2);
    two->patch = true;
    two->type = IR_U64;
    add_store(rig, 0x100, 2)->patch = true;
    struct ir *back = add_attribute(rig, 4, 0x09, IR_ZERO);
    back->patch = back->output = true;
    rig_load(rig, 0x8, 0);
    rig_set(rig, 2, 70);
    rig_set(rig, 3, 71);
    assert_int_equal(rig_run(rig), SHADE_DONE);
    assert_int_equal(patch[8], 70);
    assert_int_equal(patch[9], 71);
    assert_int_equal(rig->warp.registers[4][3], 71);
    assert_int_equal(scene->rows[8][3], 0);
    assert_int_equal(rig->reports, 0);
    rig->io.patch = NULL;
    rig_load(rig, 0x8, 0);
    assert_int_equal(rig_run(rig), SHADE_DONE);
    assert_int_equal(rig->reports, 2);
}

/* ---- emitted vertices ---- */

static void add_out(struct rig *rig, unsigned mode, unsigned stream) {
    struct ir *ir = rig_add(rig, IR_OUT);
    ir->mode = (uint16_t)mode;
    ir->a = rig_immediate(7);
    ir->b = rig_immediate(stream);
    ir->d = 2;
}

/* Lane 0 emits stream 0, 1, 0; a cut of stream 1; a fourth vertex, for which there is no room. */
static void emitted_vertices_have_their_words_and_marks(void **state) {
    struct scene *scene = *state;
    struct rig *rig = &scene->rig;
    static const uint8_t kept[] = {0x1c, 0x80};
    uint32_t words[SHADE_LANES * 3 * 2] = {0};
    uint8_t marks[SHADE_LANES * 3] = {0};
    struct shade_emission emission = {kept, 2, 3, words, marks, {0}};
    add_out(rig, 1, 0);
    struct ir *ir = rig_add(rig, IR_AST);
    ir->a = rig_register(IR_ZERO);
    ir->offset = 0x80 * 4;
    ir->b = rig_register(0);
    add_out(rig, 1, 1);
    add_out(rig, 1, 4); /* stream 0 */
    add_out(rig, 2, 1);
    add_out(rig, 3, 0);
    rig->io.outputs = scene->rows;
    rig->io.emission = &emission;
    for (unsigned i = 0; i < SHADE_LANES; i++)
        scene->rows[0x1c][i] = 40 + i;
    rig_load(rig, 0x5, 0);
    for (unsigned i = 0; i < SHADE_LANES; i++)
        rig->warp.registers[0][i] = 100 + i;
    assert_int_equal(rig_run(rig), SHADE_DONE);
    assert_int_equal(rig->warp.registers[2][0], 7);
    for (unsigned lane = 0; lane < 3; lane++) {
        const uint32_t *w = &words[lane * 6];
        const uint8_t *mark = &marks[lane * 3];
        if (lane == 1) {
            assert_int_equal(emission.count[1], 0);
            continue;
        }
        const uint32_t expected[] = {40 + lane, 0, 40 + lane, 100 + lane, 40 + lane, 100 + lane};
        assert_int_equal(emission.count[lane], 3);
        assert_memory_equal(w, expected, sizeof expected);
        assert_int_equal(mark[0], 0);
        assert_int_equal(mark[1], 1 | SHADE_EMITTED_CUT);
        assert_int_equal(mark[2], SHADE_EMITTED_CUT); /* by the last one, which was not emitted */
    }
}

static void a_cut_before_any_vertex_does_nothing(void **state) {
    struct scene *scene = *state;
    uint8_t marks[SHADE_LANES] = {0}, none[SHADE_LANES] = {0};
    struct shade_emission emission = {NULL, 0, 1, NULL, marks, {0}};
    add_out(&scene->rig, 2, 0);
    scene->rig.io.emission = &emission;
    rig_load(&scene->rig, UINT32_MAX, 0);
    assert_int_equal(rig_run(&scene->rig), SHADE_DONE);
    assert_memory_equal(marks, none, sizeof marks);
    assert_int_equal(emission.count[0], 0);
}

/* ---- spans ---- */

static bool load(struct shade_warp *warp, uint32_t lanes, const uint64_t *address, unsigned bytes, void *to,
                 unsigned stride) {
    struct scene *scene = (struct scene *)warp->io->opaque;
    (void)address;
    scene->calls++;
    scene->called_lanes |= lanes;
    for (unsigned i = 0; i < SHADE_LANES; i++)
        if (lanes >> i & 1)
            memset((uint8_t *)to + (size_t)i * stride, CALLED, bytes);
    return !(lanes & scene->failing);
}

static bool store(struct shade_warp *warp, uint32_t lanes, const uint64_t *address, unsigned bytes, const void *from,
                  unsigned stride) {
    struct scene *scene = (struct scene *)warp->io->opaque;
    (void)address, (void)bytes;
    scene->calls++;
    scene->called_lanes |= lanes;
    for (unsigned i = 0; i < SHADE_LANES; i++)
        if (lanes >> i & 1)
            scene->called[i] = ((const uint8_t *)from)[(size_t)i * stride];
    return !(lanes & scene->failing);
}

/* Lane i accesses 0x1000 + 8 * i: the first 16 lanes are in a span, of which the lower half cannot be written. */
static void memory_begin(struct scene *scene, struct shade_span spans[2], enum ir_op op) {
    struct rig *rig = &scene->rig;
    struct ir *ir = rig_add(rig, op);
    ir->space = IR_SPACE_GLOBAL;
    ir->a = rig_register(0);
    ir->d = 1;
    ir->b = rig_register(2);
    ir->atomic = IR_ADD;
    ir->type = IR_U32;
    spans[0] = (struct shade_span){0x1000, 64, scene->memory, false};
    spans[1] = (struct shade_span){0x1040, 64, scene->memory + 64, true};
    rig->io.spans = spans;
    rig->io.span_count = 2;
    rig->io.load = load;
    rig->io.store = store;
    for (unsigned i = 0; i < MEMORY; i++)
        scene->memory[i] = (uint8_t)i;
    rig_load(rig, UINT32_MAX, 0);
    for (unsigned i = 0; i < SHADE_LANES; i++) {
        rig->warp.registers[0][i] = 0x1000 + 8 * i;
        rig->warp.registers[2][i] = 0x11111101u * (i + 1);
    }
}

static void loads_in_spans_need_no_call(void **state) {
    struct scene *scene = *state;
    struct shade_span spans[2];
    memory_begin(scene, spans, IR_LD);
    assert_int_equal(rig_run(&scene->rig), SHADE_DONE);
    assert_int_equal(scene->called_lanes, 0xffff0000);
    assert_int_equal(scene->calls, 1);
    assert_int_equal(scene->rig.warp.accesses, 16);
    assert_int_equal(scene->rig.warp.registers[1][0], 0x03020100);
    assert_int_equal(scene->rig.warp.registers[1][15], 0x7b7a7978);
    assert_int_equal(scene->rig.warp.registers[1][16], 0xeeeeeeee);
}

static void stores_go_to_spans_that_can_be_written(void **state) {
    struct scene *scene = *state;
    struct shade_span spans[2];
    memory_begin(scene, spans, IR_ST);
    assert_int_equal(rig_run(&scene->rig), SHADE_DONE);
    assert_int_equal(scene->called_lanes, 0xffff00ff);
    assert_int_equal(scene->memory[0], 0);
    assert_int_equal(scene->memory[64], (uint8_t)(0x11111101u * 9));
    assert_int_equal(scene->memory[68], 68);
    assert_int_equal(scene->rig.warp.accesses, 8);
}

/* The failing call comes first: nothing is stored. */
static void a_call_that_fails_stops_the_warp_before_spans_are_written(void **state) {
    struct scene *scene = *state;
    struct shade_span spans[2];
    memory_begin(scene, spans, IR_ST);
    scene->failing = 1;
    assert_int_equal(rig_run(&scene->rig), SHADE_FAULT);
    assert_int_equal(scene->memory[64], 64);
    assert_int_equal(scene->rig.warp.accesses, 0);
}

static void an_access_across_the_end_of_a_span_is_called(void **state) {
    struct scene *scene = *state;
    struct shade_span spans[2];
    memory_begin(scene, spans, IR_LD);
    spans[1].bytes = 0x3a; /* the last lane of it has two bytes */
    spans[0].address = 0x1004;
    spans[0].bytes = 60;
    assert_int_equal(rig_run(&scene->rig), SHADE_DONE);
    assert_int_equal(scene->called_lanes, 0xffff8001);
    assert_int_equal(scene->rig.warp.registers[1][1], 0x07060504);
}

static void atomics_are_done_in_spans(void **state) {
    struct scene *scene = *state;
    struct shade_span spans[2];
    memory_begin(scene, spans, IR_ATOM);
    assert_int_equal(rig_run(&scene->rig), SHADE_DONE);
    assert_int_equal(scene->rig.warp.registers[1][15], 0x7b7a7978);
    uint32_t sum;
    memcpy(&sum, scene->memory + 120, sizeof sum);
    assert_int_equal(sum, 0x7b7a7978 + 0x11111101u * 16);
    assert_int_equal(scene->called_lanes, 0xffff00ff);
}

/* Bits of 1/3, of the sum that is rounded to the nearest even, of a subnormal, and of NaN. */
static void atomics_add_doubles_rounded_to_the_nearest(void **state) {
    static const uint64_t third = UINT64_C(0x3fd5555555555555), one = UINT64_C(0x3ff0000000000000), least = 1,
                          infinity = UINT64_C(0x7ff0000000000000), minus = UINT64_C(1) << 63;
    static const struct {
        uint64_t old, add, sum;
    } rows[] = {
        {one, one, UINT64_C(0x4000000000000000)},
        {one, third, UINT64_C(0x3ff5555555555555)},
        {one, UINT64_C(0x3ca0000000000000), one},                   /* half of its last bit */
        {one | 1, UINT64_C(0x3ca0000000000000), one + 2},           /* the same, to the even one */
        {least, least, 2},                                          /* subnormals stay */
        {infinity, infinity | minus, UINT64_C(0x7fffffffffffffff)}, /* NaN */
    };
    struct scene *scene = *state;
    struct shade_span spans[2];
    memory_begin(scene, spans, IR_ATOM);
    scene->rig.code[0].type = IR_F64;
    scene->rig.code[0].d = 4;
    spans[0].writable = true;
    rig_load(&scene->rig, (1u << sizeof rows / sizeof rows[0]) - 1, 0);
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        memcpy(scene->memory + 8 * i, &rows[i].old, 8);
        scene->rig.warp.registers[0][i] = 0x1000 + 8 * i;
        scene->rig.warp.registers[2][i] = (uint32_t)rows[i].add;
        scene->rig.warp.registers[3][i] = (uint32_t)(rows[i].add >> 32);
    }
    assert_int_equal(rig_run(&scene->rig), SHADE_DONE);
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint64_t sum;
        memcpy(&sum, scene->memory + 8 * i, 8);
        if (sum != rows[i].sum)
            fail_msg("row %u: %016llx, not %016llx", i, (unsigned long long)sum, (unsigned long long)rows[i].sum);
        assert_int_equal(scene->rig.warp.registers[4][i], (uint32_t)rows[i].old);
        assert_int_equal(scene->rig.warp.registers[5][i], (uint32_t)(rows[i].old >> 32));
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(special_registers_are_a_list),
        TEST(clocks_go_on_though_nobody_lists_them),
        TEST(vertices_are_named_by_number),
        TEST(outputs_of_other_lanes_can_be_read),
        TEST(words_of_a_patch_are_written_once_for_all_lanes),
        TEST(emitted_vertices_have_their_words_and_marks),
        TEST(a_cut_before_any_vertex_does_nothing),
        TEST(loads_in_spans_need_no_call),
        TEST(stores_go_to_spans_that_can_be_written),
        TEST(a_call_that_fails_stops_the_warp_before_spans_are_written),
        TEST(an_access_across_the_end_of_a_span_is_called),
        TEST(atomics_are_done_in_spans),
        TEST(atomics_add_doubles_rounded_to_the_nearest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
