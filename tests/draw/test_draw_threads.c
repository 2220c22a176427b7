/* SPDX-License-Identifier: MIT */
/* Regions side by side: in any order, on any number of threads, what is drawn and counted is the same. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "draw/canvas.h"
#include "engine/lend/threads.h"

enum { SIZE = 512, PRIMITIVES = 300, PIXELS = SIZE * SIZE };

struct scene {
    struct draw_vertex vertex[PRIMITIVES][3];
    struct draw_primitive primitive[PRIMITIVES];
};

struct outcome {
    uint32_t pixels[PIXELS], depth[PIXELS];
    struct draw_result result;
    uint64_t used;
};

/* ---- what owners lend ---- */

static void backwards(void *opaque, uint32_t count, void (*call)(void *argument, uint32_t number), void *argument) {
    (void)opaque;
    while (count-- > 0)
        call(argument, count);
}

struct job {
    uint32_t count;
    void (*call)(void *argument, uint32_t number);
    void *argument;
    atomic_uint next;
};

static void *work(void *opaque) {
    struct job *job = opaque;
    for (uint32_t number; (number = atomic_fetch_add(&job->next, 1)) < job->count;)
        job->call(job->argument, number);
    return NULL;
}

static void on_threads(void *opaque, uint32_t count, void (*call)(void *argument, uint32_t number), void *argument) {
    struct job job = {count, call, argument, 0};
    pthread_t thread[8];
    unsigned threads = *(unsigned *)opaque;
    for (unsigned i = 0; i < threads; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, work, &job), 0);
    for (unsigned i = 0; i < threads; i++)
        pthread_join(thread[i], NULL);
}

/* ---- scenes ---- */

static uint32_t seed;

static float choose(float below) {
    seed = seed * 1664525 + 1013904223;
    return (float)(seed >> 8) / (float)(1 << 24) * below;
}

static void make_scene(struct scene *scene) {
    for (unsigned i = 0; i < PRIMITIVES; i++) {
        float size = i % 50 == 0 ? SIZE : 60, x = choose(SIZE), y = choose(SIZE);
        struct draw_primitive *p = &scene->primitive[i];
        *p = (struct draw_primitive){.kind = (uint8_t)(i % 7 == 0    ? DRAW_LINES
                                                       : i % 11 == 0 ? DRAW_POINTS
                                                                     : DRAW_TRIANGLES),
                                     .restart = i % 21 == 0,
                                     .id = i,
                                     .edges = 7,
                                     .flat = &scene->vertex[i][0]};
        for (unsigned k = 0; k < 3; k++) {
            scene->vertex[i][k] = canvas_vertex(x + choose(size) - size / 2, y + choose(size) - size / 2, choose(1));
            p->vertex[k] = &scene->vertex[i][k];
        }
    }
}

/* What it draws depends on the place alone, so that several threads may run it. */
static bool colour(struct canvas *canvas, struct draw_fragments *f) {
    (void)canvas;
    for (unsigned c = 0; c < 4; c++)
        for (unsigned lane = 0; lane < DRAW_LANES; lane++) {
            float value = (float)((f->x[lane] * 5 + f->y[lane] * 3 + c * 17) % 64) / 64;
            memcpy(&f->color[0][c][lane], &value, 4);
        }
    return true;
}

/* In several regions, not in all. */
static bool fail_in_the_middle(struct canvas *canvas, struct draw_fragments *f) {
    colour(canvas, f);
    for (unsigned lane = 0; lane < DRAW_LANES; lane++)
        if ((f->covered >> lane & 1) && f->x[lane] % 200 == 150 && f->y[lane] > 100)
            return false;
    return true;
}

static void draw(struct outcome *outcome, const struct scene *scene, struct threads *threads, bool fails,
                 uint64_t budget) {
    struct canvas canvas;
    struct draw_progress progress = {0};
    canvas_start(&canvas, SIZE, SIZE);
    canvas.program = fails ? fail_in_the_middle : colour;
    canvas_target(&canvas, CANVAS_ZETA, 0x14, 1);
    canvas.state.zeta.test = canvas.state.zeta.write = canvas.state.zeta.counts = true;
    canvas.state.zeta.compare = DRAW_GEQUAL;
    canvas.state.blend.target[0] = (struct draw_blend){.enabled = true,
                                                       .src_rgb = DRAW_SRC_ALPHA,
                                                       .dst_rgb = DRAW_ONE_MINUS_SRC_ALPHA,
                                                       .src_alpha = DRAW_ONE,
                                                       .dst_alpha = DRAW_ONE};
    canvas.state.raster.line_stipple = true;
    canvas.state.raster.line_pattern = 0xf0f3;
    canvas.state.raster.line_width = 3;
    canvas.state.raster.point_size = 20;
    draw_raster_lend(canvas.raster, threads, NULL);
    draw_raster_begin(canvas.raster, &canvas.state);
    outcome->used = 0;
    while (progress.primitive < PRIMITIVES && !draw_raster_result(canvas.raster)->failed)
        outcome->used += draw_primitives(canvas.raster, scene->primitive, PRIMITIVES, &progress, budget);
    outcome->result = *draw_raster_result(canvas.raster);
    for (unsigned i = 0; i < PIXELS; i++) {
        outcome->pixels[i] = (uint32_t)canvas_element(&canvas, 0, i % SIZE, i / SIZE, 0);
        outcome->depth[i] = (uint32_t)canvas_element(&canvas, CANVAS_ZETA, i % SIZE, i / SIZE, 0);
    }
    canvas_stop(&canvas);
}

static void expect_same(const struct outcome *a, const struct outcome *b) {
    assert_memory_equal(a->pixels, b->pixels, sizeof a->pixels);
    assert_memory_equal(a->depth, b->depth, sizeof a->depth);
    assert_int_equal(a->result.samples, b->result.samples);
    assert_int_equal(a->result.fragments, b->result.fragments);
    assert_int_equal(a->result.failed, b->result.failed);
    assert_int_equal(a->used, b->used);
}

static void on_all_owners(bool fails) {
    static struct outcome alone, other;
    static struct scene scene;
    unsigned counts[] = {2, 7};
    struct threads threads = {.side_by_side = backwards};
    assert_int_equal(pthread_mutex_init(&threads.lock, NULL), 0);
    for (unsigned round = 0; round < 3; round++) {
        seed = round + 1;
        make_scene(&scene);
        draw(&alone, &scene, NULL, fails, UINT64_MAX);
        assert_true(alone.result.fragments > (fails ? 100 : 1000));
        threads.side_by_side = backwards;
        draw(&other, &scene, &threads, fails, UINT64_MAX);
        expect_same(&alone, &other);
        threads.side_by_side = on_threads;
        for (unsigned i = 0; i < 2; i++) {
            threads.opaque = &counts[i];
            draw(&other, &scene, &threads, fails, UINT64_MAX);
            expect_same(&alone, &other);
        }
        draw(&other, &scene, &threads, fails, 1); /* in slices */
        other.used = alone.used;                  /* a primitive of several slices is looked at in each */
        expect_same(&alone, &other);
    }
    pthread_mutex_destroy(&threads.lock);
}

static void pixels_and_counts_do_not_depend_on_threads(void **state) {
    (void)state;
    on_all_owners(false);
}

static void nor_does_what_a_failure_leaves(void **state) {
    (void)state;
    on_all_owners(true);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pixels_and_counts_do_not_depend_on_threads),
        cmocka_unit_test(nor_does_what_a_failure_leaves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
