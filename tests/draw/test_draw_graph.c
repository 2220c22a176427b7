/* SPDX-License-Identifier: MIT */
/*
 * Blocks on their way through stages that make more, fewer and other blocks, beside a list that each primitive goes
 * through by itself; whatever room there is, and wherever the way is left and taken up again.
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
    unsigned blocks, most_blocks; /* that are used, that there are */
    unsigned room;                /* primitives that may come out until the next call */
    unsigned count;
    uint32_t out[MOST];
    unsigned steps, fail_at; /* the step that fails; 0: none */
    unsigned counted;        /* primitives that were made, without those that are made again */
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
static enum stage_result multiply(struct bench *bench, struct stage_step *step, unsigned most) {
    for (;;) {
        uint32_t id = step->block->primitive[step->at.item].id;
        for (; step->at.part < id % 10; step->at.part++) {
            if (step->made->primitives == most)
                return STAGE_MORE;
            add(step->made, id * 7 + (uint32_t)step->at.part);
            bench->counted += !step->again;
        }
        if (step->at.item + 1 == step->block->primitives)
            return STAGE_DONE; /* the next block begins at 0 all the same */
        step->at.item++;
        step->at.part = 0;
    }
}

static enum stage_result run_multiply(struct draw_worker *worker, struct stage_step *step) {
    struct bench *bench = bench_of(worker);
    return ++bench->steps == bench->fail_at ? STAGE_FAILED : multiply(bench, step, 3);
}

static enum stage_result run_multiply_one_by_one(struct draw_worker *worker, struct stage_step *step) {
    struct bench *bench = bench_of(worker);
    return ++bench->steps == bench->fail_at ? STAGE_FAILED : multiply(bench, step, 1);
}

/* Odd ones are left out. */
static enum stage_result run_filter(struct draw_worker *worker, struct stage_step *step) {
    struct bench *bench = bench_of(worker);
    if (++bench->steps == bench->fail_at)
        return STAGE_FAILED;
    for (unsigned i = 0; i < step->block->primitives; i++)
        if (step->block->primitive[i].id % 2 == 0) {
            add(step->made, step->block->primitive[i].id);
            bench->counted += !step->again;
        }
    return STAGE_DONE;
}

static enum stage_result run_increment(struct draw_worker *worker, struct stage_step *step) {
    bench_of(worker)->counted += step->again ? 0 : step->block->primitives;
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
    return bench->blocks < bench->most_blocks ? &bench->block[bench->blocks++] : NULL;
}

/* ---- by itself ---- */

static void pass_one(const struct draw_graph *graph, unsigned stage, uint32_t id, struct bench *bench) {
    const struct draw_stage *kind = graph->stage[stage];
    bench->counted += stage > 0 && graph->stage[stage - 1] != &increment;
    bench->counted += kind == &increment;
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

static void fill(struct vertex_block *block, uint32_t seed) {
    block->primitives = block->corners = block->lanes = 0;
    for (uint32_t i = 0; i < seed % 7; i++)
        add(block, seed / 7 % 50 + 3 * i);
}

/* How many calls it takes. What blocks hold is lost between two of them. */
static unsigned run(const struct draw_graph *graph, struct bench *bench, uint32_t seed, unsigned room_of_call) {
    struct graph_cursor cursor = {0};
    unsigned calls = 0;
    for (;;) {
        memset(bench->block, 0xa5, sizeof bench->block);
        bench->blocks = 1;
        bench->room = room_of_call;
        fill(&bench->block[0], seed);
        enum stage_result result = graph_run(graph, (struct draw_worker *)(void *)bench, &bench->block[0], &cursor);
        assert_int_not_equal(result, STAGE_FAILED);
        calls++;
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
        struct draw_graph graph = {.room = room};
        unsigned stages = (unsigned)rand() % 4;
        uint32_t seed = (uint32_t)rand() % 100000;
        graph_begin(&graph);
        for (unsigned i = 0; i < stages; i++)
            graph_add(&graph, kinds[(unsigned)rand() % (sizeof kinds / sizeof kinds[0])]);
        graph_add(&graph, &collect);
        bench.count = plain.count = bench.fail_at = bench.counted = plain.counted = 0;
        bench.most_blocks = 1 + stages + (unsigned)rand() % (BLOCKS - stages);
        unsigned calls = run(&graph, &bench, seed, 7 + (unsigned)rand() % 10);
        fill(&plain.block[0], seed);
        for (unsigned i = 0; i < plain.block[0].primitives; i++)
            pass_one(&graph, 0, plain.block[0].primitive[i].id, &plain);
        assert_int_equal(bench.count, plain.count);
        assert_int_equal(bench.counted, plain.counted);
        assert_memory_equal(bench.out, plain.out, plain.count * sizeof plain.out[0]);
        most_calls = calls > most_calls ? calls : most_calls;
    }
    assert_true(most_calls > 20);
}

static void a_stage_that_fails_ends_the_way(void **state) {
    static struct bench bench;
    struct draw_graph graph = {.room = room};
    struct graph_cursor cursor = {0};
    (void)state;
    graph_begin(&graph);
    graph_add(&graph, &increment);
    graph_add(&graph, &times);
    graph_add(&graph, &collect);
    bench = (struct bench){.most_blocks = BLOCKS, .blocks = 1, .room = MOST, .fail_at = 2};
    add(&bench.block[0], 7);
    assert_int_equal(graph_run(&graph, (struct draw_worker *)(void *)&bench, &bench.block[0], &cursor), STAGE_FAILED);
    assert_int_equal(bench.count, 3);
    assert_int_equal(bench.out[2], 8 * 7 + 2);
}

static void a_block_without_primitives_goes_nowhere(void **state) {
    static struct bench bench;
    struct draw_graph graph = {.room = room};
    struct graph_cursor cursor = {0};
    (void)state;
    graph_begin(&graph);
    graph_add(&graph, &filter);
    graph_add(&graph, &collect);
    bench = (struct bench){.fail_at = 1};
    assert_int_equal(graph_run(&graph, (struct draw_worker *)(void *)&bench, &bench.block[0], &cursor), STAGE_DONE);
    assert_int_equal(bench.steps, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ways_give_what_each_primitive_gives_by_itself),
        cmocka_unit_test(a_stage_that_fails_ends_the_way),
        cmocka_unit_test(a_block_without_primitives_goes_nowhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
