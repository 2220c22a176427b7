/* SPDX-License-Identifier: MIT */
/*
 * Blocks on their way through stages that make more, fewer and other blocks, beside a list that each primitive goes
 * through by itself; whatever room there is, and wherever the way is left and taken up again. No step is done twice.
 */
#include "engine/draw/graph.h"

#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "engine/draw/vertex_block.h"

#define MOST   4096u
#define BLOCKS 8u

/* What the test's stages work with, in place of a worker. */
struct bench {
    struct vertex_block block[BLOCKS];
    bool used[BLOCKS];
    unsigned most_blocks;  /* that there are */
    unsigned room;         /* primitives that may come out until the next call */
    unsigned pauses, left; /* steps of stages that make blocks, of a call; 0: no limit */
    unsigned count;
    uint32_t out[MOST];
    unsigned steps, fail_at; /* the step that fails; 0: none */
};

static struct bench *bench_of(struct draw_worker *worker) {
    return (struct bench *)(void *)worker;
}

static void add(struct vertex_block *block, uint32_t id) {
    assert_true(block->primitives < BLOCK_PRIMITIVES);
    block->primitive[block->primitives++] = (struct block_primitive){.id = id};
    block->lanes = 1;
}

/* Each primitive becomes as many as its id's last digit says, in blocks of `most`. */
static enum stage_result multiply(struct stage_step *step, unsigned most) {
    for (;;) {
        uint32_t id = step->block->primitive[step->at.item].id;
        for (; step->at.part < id % 10; step->at.part++) {
            if (step->made->primitives == most)
                return STAGE_MORE;
            add(step->made, id * 7 + (uint32_t)step->at.part);
        }
        if (step->at.item + 1 == step->block->primitives)
            return STAGE_DONE; /* the next block begins at 0 all the same */
        step->at.item++;
        step->at.part = 0;
    }
}

static enum stage_result run_multiply(struct draw_worker *worker, struct stage_step *step) {
    struct bench *bench = bench_of(worker);
    return ++bench->steps == bench->fail_at ? STAGE_FAILED : multiply(step, 3);
}

static enum stage_result run_multiply_one_by_one(struct draw_worker *worker, struct stage_step *step) {
    struct bench *bench = bench_of(worker);
    return ++bench->steps == bench->fail_at ? STAGE_FAILED : multiply(step, 1);
}

/* Odd ones are left out. */
static enum stage_result run_filter(struct draw_worker *worker, struct stage_step *step) {
    struct bench *bench = bench_of(worker);
    if (++bench->steps == bench->fail_at)
        return STAGE_FAILED;
    for (unsigned i = 0; i < step->block->primitives; i++)
        if (step->block->primitive[i].id % 2 == 0)
            add(step->made, step->block->primitive[i].id);
    return STAGE_DONE;
}

static enum stage_result run_increment(struct draw_worker *worker, struct stage_step *step) {
    (void)worker;
    for (unsigned i = 0; i < step->block->primitives; i++)
        step->block->primitive[i].id++;
    return STAGE_DONE;
}

static enum stage_result run_collect(struct draw_worker *worker, struct stage_step *step) {
    struct bench *bench = bench_of(worker);
    if (bench->room < step->block->primitives)
        return STAGE_MORE;
    for (unsigned i = 0; i < step->block->primitives; i++) {
        assert_true(bench->count < MOST);
        bench->out[bench->count++] = step->block->primitive[i].id;
    }
    bench->room -= step->block->primitives;
    bench->used[step->block - bench->block] = false;
    return STAGE_DONE;
}

static const struct draw_stage times = {.name = "multiply", .makes = true, .run = run_multiply},
                               singly = {.name = "singly", .makes = true, .run = run_multiply_one_by_one},
                               filter = {.name = "filter", .makes = true, .run = run_filter},
                               increment = {.name = "increment", .run = run_increment},
                               collect = {.name = "collect", .run = run_collect};
static const struct draw_stage *const kinds[] = {&times, &singly, &filter, &increment};

static struct vertex_block *room(struct draw_worker *worker) {
    struct bench *bench = bench_of(worker);
    for (unsigned i = 0; i < bench->most_blocks; i++) {
        if (bench->used[i])
            continue;
        bench->used[i] = true;
        memset(&bench->block[i], 0xa5, sizeof bench->block[i]);
        return &bench->block[i];
    }
    return NULL;
}

static void drop(struct draw_worker *worker, struct vertex_block *block) {
    struct bench *bench = bench_of(worker);
    assert_true(bench->used[block - bench->block]);
    bench->used[block - bench->block] = false;
}

static bool pause(struct draw_worker *worker) {
    struct bench *bench = bench_of(worker);
    return bench->pauses && !bench->left--;
}

static unsigned used_of(const struct bench *bench) {
    unsigned used = 0;
    for (unsigned i = 0; i < BLOCKS; i++)
        used += bench->used[i];
    return used;
}

/* ---- by itself ---- */

static void pass_one(const struct draw_graph *graph, unsigned stage, uint32_t id, struct bench *bench) {
    const struct draw_stage *kind = graph->stage[stage];
    if (kind == &collect)
        bench->out[bench->count++] = id;
    else if (kind == &increment)
        pass_one(graph, stage + 1, id + 1, bench);
    else if (kind == &filter && id % 2 == 0)
        pass_one(graph, stage + 1, id, bench);
    else if (kind == &times || kind == &singly)
        for (uint32_t i = 0; i < id % 10; i++)
            pass_one(graph, stage + 1, id * 7 + i, bench);
}

/* ---- on the way ---- */

static struct vertex_block *fill(struct bench *bench, uint32_t seed) {
    struct vertex_block *block = room((struct draw_worker *)(void *)bench);
    vertex_block_clear(block);
    for (uint32_t i = 0; i < seed % 7; i++)
        add(block, seed / 7 % 50 + 3 * i);
    return block;
}

/* How many calls it takes. */
static unsigned run(const struct draw_graph *graph, struct bench *bench, uint32_t seed, unsigned room_of_call) {
    struct draw_worker *worker = (struct draw_worker *)(void *)bench;
    struct graph_way way = {0};
    unsigned calls = 0;
    way_begin(graph, worker, &way, fill(bench, seed));
    for (;;) {
        bench->room = room_of_call;
        bench->left = bench->pauses;
        bench->steps = 0;
        enum stage_result result = graph_run(graph, worker, &way);
        assert_int_not_equal(result, STAGE_FAILED);
        assert_int_equal(result == STAGE_DONE, way_is_idle(&way));
        assert_true(!bench->pauses || bench->steps <= bench->pauses);
        assert_true(++calls < MOST); /* each has done something */
        if (result == STAGE_DONE)
            return calls;
    }
}

static void ways_give_what_each_primitive_gives_by_itself(void **state) {
    static struct bench bench, plain;
    unsigned most_calls = 0;
    (void)state;
    srand(1);
    for (unsigned round = 0; round < 3000; round++) {
        struct draw_graph graph = {.room = room, .drop = drop, .pause = pause};
        unsigned stages = (unsigned)rand() % 4;
        uint32_t seed = (uint32_t)rand() % 100000;
        graph_begin(&graph);
        for (unsigned i = 0; i < stages; i++)
            graph_add(&graph, kinds[(unsigned)rand() % (sizeof kinds / sizeof kinds[0])]);
        graph_add(&graph, &collect);
        bench.count = plain.count = bench.fail_at = 0;
        bench.pauses = (unsigned)rand() % 4;
        bench.most_blocks = plain.most_blocks = 1 + stages + (unsigned)rand() % (BLOCKS - stages);
        unsigned calls = run(&graph, &bench, seed, 7 + (unsigned)rand() % 10);
        const struct vertex_block *first = fill(&plain, seed);
        for (unsigned i = 0; i < first->primitives; i++)
            pass_one(&graph, 0, first->primitive[i].id, &plain);
        plain.used[0] = false;
        assert_int_equal(bench.count, plain.count);
        assert_memory_equal(bench.out, plain.out, plain.count * sizeof plain.out[0]);
        assert_int_equal(used_of(&bench), 0);
        most_calls = calls > most_calls ? calls : most_calls;
    }
    assert_true(most_calls > 20);
}

static void a_stage_that_fails_ends_the_way(void **state) {
    static struct bench bench;
    struct draw_worker *worker = (struct draw_worker *)(void *)&bench;
    struct draw_graph graph = {.room = room, .drop = drop};
    struct graph_way way = {0};
    (void)state;
    graph_begin(&graph);
    graph_add(&graph, &increment);
    graph_add(&graph, &times);
    graph_add(&graph, &collect);
    bench = (struct bench){.most_blocks = BLOCKS, .room = MOST, .fail_at = 2};
    struct vertex_block *block = fill(&bench, 0);
    add(block, 7);
    way_begin(&graph, worker, &way, block);
    assert_int_equal(graph_run(&graph, worker, &way), STAGE_FAILED);
    assert_int_equal(bench.count, 3);
    assert_int_equal(bench.out[2], 8 * 7 + 2);
    way_leave(&graph, worker, &way);
    assert_true(way_is_idle(&way));
    assert_int_equal(used_of(&bench), 0);
}

static void a_block_without_primitives_goes_nowhere(void **state) {
    static struct bench bench;
    struct draw_worker *worker = (struct draw_worker *)(void *)&bench;
    struct draw_graph graph = {.room = room, .drop = drop};
    struct graph_way way = {0};
    (void)state;
    graph_begin(&graph);
    graph_add(&graph, &filter);
    graph_add(&graph, &collect);
    bench = (struct bench){.fail_at = 1, .most_blocks = BLOCKS};
    way_begin(&graph, worker, &way, fill(&bench, 0));
    assert_int_equal(graph_run(&graph, worker, &way), STAGE_DONE);
    assert_int_equal(bench.steps, 0);
    assert_int_equal(used_of(&bench), 0);
}

static void places_that_a_graph_does_not_have_are_cleared(void **state) {
    static struct bench bench;
    struct draw_worker *worker = (struct draw_worker *)(void *)&bench;
    struct draw_graph graph = {.room = room, .drop = drop};
    struct graph_way way = {0};
    (void)state;
    graph_begin(&graph);
    graph_add(&graph, &increment);
    graph_add(&graph, &collect);
    bench = (struct bench){.most_blocks = BLOCKS, .room = MOST};
    for (unsigned i = 1; i < 4; i++) {
        way.place[i].block = fill(&bench, 0);
        add(way.place[i].block, i);
    }
    way_trim(&graph, worker, &way);
    assert_int_equal(used_of(&bench), 1);
    assert_int_equal(graph_run(&graph, worker, &way), STAGE_DONE);
    assert_true(way_is_idle(&way));
    assert_int_equal(bench.count, 1);
}

/* What a stage that works in place has from the one before it is not saved: a block there is nobody's. */
static void a_way_is_taken_up_only_where_one_is_left(void **state) {
    static struct bench bench;
    struct draw_worker *worker = (struct draw_worker *)(void *)&bench;
    struct draw_graph graph = {.room = room, .drop = drop};
    struct graph_way way = {0};
    const struct draw_stage *const stages[] = {&increment, &singly, &increment, &collect};
    (void)state;
    graph_begin(&graph);
    bench = (struct bench){.most_blocks = BLOCKS, .room = MOST};
    for (unsigned i = 0; i < 4; i++) {
        graph_add(&graph, stages[i]);
        way.place[i].block = fill(&bench, 0);
        add(way.place[i].block, 1);
    }
    way_trim(&graph, worker, &way);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(way.place[i].block != NULL, i == 1 || i == 3);
    assert_int_equal(graph_run(&graph, worker, &way), STAGE_DONE);
    assert_int_equal(used_of(&bench), 0);
    assert_int_equal(bench.count, 2);
    assert_int_equal(bench.out[0], 1);
    assert_int_equal(bench.out[1], 1 * 7 + 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ways_give_what_each_primitive_gives_by_itself),
        cmocka_unit_test(a_stage_that_fails_ends_the_way),
        cmocka_unit_test(a_block_without_primitives_goes_nowhere),
        cmocka_unit_test(places_that_a_graph_does_not_have_are_cleared),
        cmocka_unit_test(a_way_is_taken_up_only_where_one_is_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
