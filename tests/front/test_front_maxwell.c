/* SPDX-License-Identifier: MIT */
/* What rasters of GM200 and later have by methods: all that is touched, samples of their own, coverage as a colour; masks of viewports;
 * of GP102: draws of several instances. */
#include "front/draw_rig.h"

#include "engine/core/register_file.h"

enum { EDGE = WIDTH / 2 };

static uint32_t pixel(struct engine_rig *rig, unsigned x, unsigned y) {
    return engine_rig_rd32(rig, TARGET + (y * WIDTH + x) * 4u);
}

/* The strip ends in the middle of a pixel: column EDGE - 1 is half covered, the last one that is. */
static unsigned begin(struct engine_rig *rig) {
    unsigned id = draw_begin_on(rig, "GP102", 0xc197);
    for (unsigned i = 0; i < 4; i++)
        put_vertex(rig, i, i & 1 ? -0.5f / EDGE : -1, i & 2 ? 1 : -1, 1);
    return id;
}

static void draw_some(struct engine_rig *rig, unsigned id, uint32_t vertices) {
    send(rig, id, 0, 0x1618, STRIP);
    send(rig, id, 0, 0xd74, 0, vertices);
    send(rig, id, 0, 0x1614, 0);
}

static void draw(struct engine_rig *rig, unsigned id) {
    draw_some(rig, id, 4);
}

static unsigned columns(struct engine_rig *rig) {
    unsigned count = 0;
    for (unsigned x = 0; x < WIDTH; x++)
        count += pixel(rig, x, WIDTH / 2) != 0;
    for (unsigned i = 0; i < WIDTH * WIDTH; i++)
        engine_rig_wr32(rig, TARGET + i * 4, 0);
    return count;
}

static uint64_t passed(struct engine_rig *rig, unsigned id) {
    send(rig, id, 0, 0x1b00, 0, REPORT, 0, 2 | 2u << 23);
    uint64_t samples = engine_rig_rd32(rig, REPORT + 4);
    send(rig, id, 0, 0x1530, 1);
    return samples;
}

/* As Mesa's macro does it: the firmware is asked to change bits 25..23 of a register. */
static void set_raster_control(struct engine_rig *rig, unsigned id, uint32_t bits, uint32_t mask) {
    send(rig, id, 0, 0x3400, 0, bits << 23, mask << 23);
    send(rig, id, 0, 0x2310, 0x418800);
}

static void conservative_polygons_cover_what_they_touch(void **state) {
    struct engine_rig rig;
    unsigned id = begin(&rig);
    (void)state;
    draw(&rig, id);
    assert_int_equal(columns(&rig), EDGE - 1);
    send(&rig, id, 0, 0x1148, 1);
    draw(&rig, id);
    assert_int_equal(columns(&rig), EDGE);
    set_raster_control(&rig, id, 4 | 3, 7);
    draw(&rig, id);
    assert_int_equal(columns(&rig), EDGE + 1);
    set_raster_control(&rig, id, 4, 4); /* the dilation stays */
    draw(&rig, id);
    assert_int_equal(columns(&rig), EDGE + 1);
    set_raster_control(&rig, id, 4, 7);
    draw(&rig, id);
    assert_int_equal(columns(&rig), EDGE);
    expect_only_draws(&rig);
    engine_rig_stop(&rig);
}

/* Two of four samples of a pixel are half of its colour. One triangle covers its whole box. */
static void rasters_with_more_samples_than_targets_multiply_by_coverage(void **state) {
    struct engine_rig rig;
    unsigned id = begin(&rig);
    (void)state;
    send(&rig, id, 0, 0x1534, 1);
    send(&rig, id, 0, 0x113c, 2);
    send(&rig, id, 0, 0xfb4, 1, 2);
    passed(&rig, id);
    draw_some(&rig, id, 3);
    assert_int_equal(pixel(&rig, EDGE - 1, 0), 0xff);
    assert_int_equal(passed(&rig, id), WIDTH * EDGE);
    send(&rig, id, 0, 0xfd4, 1);
    draw_some(&rig, id, 3);
    assert_int_equal(pixel(&rig, EDGE - 1, 0), 0x80);
    assert_int_equal(pixel(&rig, EDGE - 2, 0), 0xff);
    assert_int_equal(pixel(&rig, EDGE, 0), 0);
    passed(&rig, id);
    send(&rig, id, 0, 0xfd4, 3, 1);
    send(&rig, id, 0, 0x1030, 32 << 8 | 128u << 24);
    send(&rig, id, 0, 0x1130, 1);
    draw_some(&rig, id, 3);
    assert_int_equal(pixel(&rig, EDGE - 1, 0), 0x40);
    assert_int_equal(pixel(&rig, EDGE - 2, 0), 0xff);
    assert_int_equal(passed(&rig, id), WIDTH * (4 * (EDGE - 1) + 2));
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_NOT_EXECUTED), 0);
    engine_rig_stop(&rig);
}

/* Of two samples, at 1/4 and 3/4 of a pixel, the first. The target has elements of 32 bits, two for a pixel. */
static void coverage_is_written_to_a_target_of_integers(void **state) {
    struct engine_rig rig;
    unsigned id = begin(&rig);
    (void)state;
    send(&rig, id, 0, 0x808, WIDTH * 8, WIDTH, 0xe4);
    send(&rig, id, 0, 0x15d0, 1);
    send(&rig, id, 0, 0x1534, 1);
    send(&rig, id, 0, 0x11f8, 1);
    draw(&rig, id);
    assert_int_equal(engine_rig_rd32(&rig, TARGET + (EDGE - 2) * 8), 3);
    assert_int_equal(engine_rig_rd32(&rig, TARGET + (EDGE - 1) * 8), 1);
    send(&rig, id, 0, 0x11f8, 0);
    draw(&rig, id);
    assert_int_equal(engine_rig_rd32(&rig, TARGET), bits(1));
    expect_only_draws(&rig);
    engine_rig_stop(&rig);
}

/* ---- several viewports ---- */

/* R8 = mask, and a[0x3a0] = `from`, before the vertex program's own end. */
static void put_mask_from(struct engine_rig *rig, uint32_t mask, unsigned from) {
    const uint64_t code[] = {0xefd9ff800807ff00, 0xefd8ff800907ff04, 0x010000000007f008 | (uint64_t)mask << 20,
                             0xeff1ff800707ff00, 0xeff0ff800807ff04, 0xeff07f803a07ff00 | from,
                             0xe30000000007000f};
    uint32_t address = CODE + HEADER + 0x50;
    for (unsigned i = 0; i < sizeof code / 8; i++, address += 8) {
        if (i % 3 == 0) {
            put(rig, address, (uint32_t[]){0xfc0007e0, 0x001f8000}, 2);
            address += 8;
        }
        put(rig, address, (uint32_t[]){(uint32_t)code[i], (uint32_t)(code[i] >> 32)}, 2);
    }
    engine_rig_wr32(rig, CODE + HEADER + 19 * 4, 1u << 24);
}

static void put_mask(struct engine_rig *rig, uint32_t mask) {
    put_mask_from(rig, mask, 8);
}

/* Viewport i is a column of 8 pixels from 8 i on; its depth is i / 16. */
static unsigned begin_viewports(struct engine_rig *rig) {
    unsigned id = draw_begin_on(rig, "GP102", 0xc197);
    for (unsigned i = 0; i < 4; i++)
        put_vertex(rig, i, i & 1 ? 1 : -1, i & 2 ? 1 : -1, 1);
    for (uint32_t i = 0; i < 8; i++) {
        send(rig, id, 0, 0xa00 + 32 * i, bits(4), bits(32), bits(0.5f), bits((float)(8 * i + 4)), bits(32), bits(0.5f));
        send(rig, id, 0, 0xc00 + 16 * i, 8u << 16 | 8 * i, WIDTH << 16);
    }
    return id;
}

static void a_mask_sends_primitives_to_several_viewports(void **state) {
    struct engine_rig rig;
    unsigned id = begin_viewports(&rig);
    (void)state;
    for (uint32_t order = 0; order < 2; order++) {
        put_mask(&rig, 0x35);
        send(&rig, id, 0, 0x1004, order);
        draw(&rig, id);
        for (unsigned x = 0; x < WIDTH; x++)
            assert_int_equal(pixel(&rig, x, WIDTH - 1), 0x35 >> x / 8 & 1 ? 0xff : 0);
        assert_int_equal(columns(&rig), 4 * 8);
    }
    expect_only_draws(&rig);
    engine_rig_stop(&rig);
    id = begin_viewports(&rig);
    put_mask(&rig, 0);
    draw(&rig, id);
    assert_int_equal(columns(&rig), 0);
    engine_rig_stop(&rig);
}

/* R5 is the second word of a vertex's colour: the first vertex of a triangle has its mask. */
static void the_mask_is_that_of_the_provoking_vertex(void **state) {
    struct engine_rig rig;
    unsigned id = begin_viewports(&rig), drawn[8] = {0};
    (void)state;
    put_mask_from(&rig, 0, 5);
    for (unsigned i = 0; i < 4; i++)
        engine_rig_wr32(&rig, VERTICES + i * STRIDE + 20, 2u << i);
    send(&rig, id, 0, 0x1684, 0);
    draw(&rig, id);
    for (unsigned x = 0; x < WIDTH; x++)
        for (unsigned y = 0; y < WIDTH; y++)
            drawn[x / 8] += (pixel(&rig, x, y) & 0xff) != 0;
    for (unsigned i = 0; i < 8; i++)
        assert_int_equal(drawn[i] != 0, i == 1 || i == 2);
    expect_only_draws(&rig);
    engine_rig_stop(&rig);
}

/* All viewports are the whole target, and layers are theirs; a layer is a target after the other. */
static void viewports_of_a_mask_may_choose_layers(void **state) {
    enum { LAYER = WIDTH * WIDTH * 4 };
    struct engine_rig rig;
    unsigned id = draw_begin_on(&rig, "GP102", 0xc197);
    (void)state;
    for (uint32_t i = 1; i < 4; i++) {
        send(&rig, id, 0, 0xa00 + 32 * i, bits(32), bits(32), bits(0.5f), bits(32), bits(32), bits(0.5f));
        send(&rig, id, 0, 0xc00 + 16 * i, WIDTH << 16, WIDTH << 16);
    }
    send(&rig, id, 0, 0x818, 4, LAYER >> 2);
    send(&rig, id, 0, 0x11f0, 1);
    put_mask(&rig, 0xa);
    draw(&rig, id);
    for (uint64_t i = 0; i < 4; i++)
        assert_int_equal(engine_rig_rd32(&rig, TARGET + i * LAYER), i & 1 ? 0xff : 0);
    expect_only_draws(&rig);
    engine_rig_stop(&rig);
}

static void expect_report(struct engine_rig *rig, const char *name) {
    assert_int_equal(engine_rig_count(rig, EVENT_ENGINE_NOT_EXECUTED), 1);
    assert_string_equal(engine_rig_event(rig, EVENT_ENGINE_NOT_EXECUTED, 0)->text, name);
    engine_rig_stop(rig);
}

static void what_the_raster_leaves_out_is_said(void **state) {
    struct engine_rig rig;
    unsigned id = begin(&rig);
    (void)state;
    send(&rig, id, 0, 0x15d0, 6);
    draw(&rig, id);
    expect_report(&rig, "16 samples of a pixel");
    id = begin(&rig);
    send(&rig, id, 0, 0x1148, 1);
    set_raster_control(&rig, id, 0, 7);
    draw(&rig, id);
    expect_report(&rig, "pre-snap conservative rasterisation");
    id = begin(&rig);
    send(&rig, id, 0, 0xa1c, 1);
    draw(&rig, id);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_NOT_EXECUTED), 0);
    send(&rig, id, 0, 0x1148, 1);
    draw(&rig, id);
    expect_report(&rig, "finer conservative rasterisation");
}

static void draw_iterated(struct engine_rig *rig, unsigned id, uint32_t instances) {
    send(rig, id, 0, 0x220, instances);
    send(rig, id, 0, 0x1618, STRIP | 1u << 31);
    send(rig, id, 0, 0xd74, 0, 4);
    send(rig, id, 0, 0x1614, 0);
}

/* Red is of a stream that goes on with every second instance. */
static void a_draw_may_be_one_of_each_instance(void **state) {
    struct engine_rig rig;
    unsigned id = begin(&rig);
    const uint64_t one = WIDTH * (EDGE - 1);
    (void)state;
    put(&rig, COLORS, (uint32_t[]){0, 0, bits(0.2f), 0, bits(0.4f), 0}, 6);
    send(&rig, id, 0, 0x1164, 4u << 21 | 7u << 27 | 1);
    send(&rig, id, 0, 0x1c10, 1 << 12 | 8, 0, COLORS, 2);
    send(&rig, id, 0, 0x1f08, 0, COLORS + 23);
    send(&rig, id, 0, 0x1884, 1);
    passed(&rig, id);
    draw_iterated(&rig, id, 5);
    assert_int_equal(passed(&rig, id), 5 * one);
    assert_int_equal(pixel(&rig, 8, 8), 102);
    draw_iterated(&rig, id, 1);
    assert_int_equal(passed(&rig, id), one);
    assert_int_equal(pixel(&rig, 8, 8), 0);
    draw_iterated(&rig, id, 0);
    assert_int_equal(passed(&rig, id), 0);
    draw(&rig, id); /* the number counts only where BEGIN says so */
    assert_int_equal(passed(&rig, id), one);
    engine_rig_stop(&rig);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(conservative_polygons_cover_what_they_touch),
        cmocka_unit_test(rasters_with_more_samples_than_targets_multiply_by_coverage),
        cmocka_unit_test(coverage_is_written_to_a_target_of_integers),
        cmocka_unit_test(a_mask_sends_primitives_to_several_viewports),
        cmocka_unit_test(the_mask_is_that_of_the_provoking_vertex),
        cmocka_unit_test(viewports_of_a_mask_may_choose_layers),
        cmocka_unit_test(what_the_raster_leaves_out_is_said),
        cmocka_unit_test(a_draw_may_be_one_of_each_instance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
