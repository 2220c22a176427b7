/* SPDX-License-Identifier: MIT */
/* Blocks of the queue beside plain ones, whose vertices go to the assembly one after the other. */
#include "engine/draw/vertex_block.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "engine/draw/object.h"
#include "rounds.h"

/* ---- plain blocks ---- */

static bool find_lane(struct vertex_block *block, struct assembly_vertex *vertex) {
    unsigned lane = 0;
    while (lane < block->lanes && (block->lane[lane].number != vertex->number || block->lane[lane].id != vertex->id ||
                                   block->lane[lane].with_data != vertex->with_data))
        lane++;
    if (lane == SHADE_LANES)
        return false;
    vertex->lane = (uint8_t)lane;
    if (lane == block->lanes)
        block->lane[block->lanes++] = *vertex;
    return true;
}

static void add(struct vertex_block *block, const struct assembled *from) {
    struct block_primitive *primitive = &block->primitive[block->primitives++];
    memset(primitive, 0, sizeof *primitive);
    primitive->id = from->id;
    primitive->first = (uint16_t)block->corners;
    primitive->corners = from->corners;
    primitive->edges = from->edges;
    primitive->provoking = from->provoking.lane;
    primitive->restart = from->first;
    primitive->counts = from->counts;
    primitive->patch = from->patch;
    for (unsigned i = 0; i < from->corners; i++)
        block->corner[block->corners++] = from->corner[i].lane;
}

static void take_plainly(struct vertex_block *block, const struct draw_object *object, uint32_t first) {
    struct assembled out[ASSEMBLY_MOST];
    memset(out, 0, sizeof out);
    block->after = object->assembly;
    for (unsigned i = 0; i < block->after.held; i++)
        find_lane(block, &block->after.vertex[i]);
    while (first + block->taken < object->queued && block->primitives < BLOCK_PRIMITIVES) {
        struct feed_item item = object->queue[first + block->taken];
        if (!item.restart && !find_lane(block, &item.vertex))
            break;
        unsigned count =
            item.restart ? assembly_restart(&block->after, out) : assembly_vertex(&block->after, &item.vertex, out);
        for (unsigned i = 0; i < count; i++)
            add(block, &out[i]);
        block->taken++;
    }
}

/* ---- comparison ---- */

static bool same_vertex(const struct assembly_vertex *a, const struct assembly_vertex *b) {
    return a->number == b->number && a->id == b->id && a->edge == b->edge && a->with_data == b->with_data;
}

/* What is not held any more is saved all the same. */
static bool same_assembly(const struct assembly *a, const struct assembly *b) {
    bool same = a->count == b->count && a->id == b->id && a->held == b->held;
    for (unsigned i = 0; i < ASSEMBLY_HELD; i++)
        same = same && same_vertex(&a->vertex[i], &b->vertex[i]);
    return same;
}

static bool same_primitive(const struct block_primitive *a, const struct block_primitive *b) {
    return a->id == b->id && a->first == b->first && a->corners == b->corners && a->edges == b->edges &&
           a->provoking == b->provoking && a->stream == b->stream && a->restart == b->restart &&
           a->counts == b->counts && a->patch == b->patch;
}

static bool same_block(const struct vertex_block *a, const struct vertex_block *b) {
    bool same = a->taken == b->taken && a->lanes == b->lanes && a->primitives == b->primitives &&
                a->corners == b->corners && memcmp(a->corner, b->corner, a->corners) == 0;
    for (unsigned i = 0; same && i < a->lanes; i++)
        same = same_vertex(&a->lane[i], &b->lane[i]);
    for (unsigned i = 0; same && i < a->primitives; i++)
        same = same_primitive(&a->primitive[i], &b->primitive[i]);
    return same && same_assembly(&a->after, &b->after);
}

/* ---- queues ---- */

static struct draw_object object;

/* Numbers that follow each other, or some of a few, as indices have them. */
static void fill(struct choice *choice) {
    const unsigned few = choice_once_in(choice, 3) ? 0 : 1u << choice_below(choice, 10);
    const bool flags = choice_once_in(choice, 3), restarts = choice_once_in(choice, 2);
    assembly_begin(&object.assembly, choice_below(choice, TOPOLOGIES + 1), choice_once_in(choice, 2));
    if (choice_once_in(choice, 2))
        object.assembly.topology =
            choice_once_in(choice, 2) ? TOPOLOGY_TRIANGLES : TOPOLOGY_TRIANGLE_STRIP; /* half of all queues */
    object.assembly.patch = (uint8_t)choice_below(choice, 8);
    object.queued = choice_below(choice, FEED_QUEUE + 1);
    for (uint32_t i = 0; i < object.queued; i++) {
        uint32_t number = few ? choice_below(choice, few) : i + 7;
        object.queue[i] = (struct feed_item){
            .vertex = {.number = number, .id = number + 3, .edge = !flags || !choice_once_in(choice, 4)},
            .restart = restarts && choice_once_in(choice, 25)};
    }
}

static bool same_blocks(struct vertex_block block[2], FILE *report) {
    for (uint32_t first = 0; first < object.queued;) {
        memset(block, 0, 2 * sizeof *block);
        take_plainly(&block[0], &object, first);
        vertex_block_take(&block[1], &object, &object.assembly, first);
        if (!same_block(&block[0], &block[1])) {
            fprintf(report, "# topology %u, item %u of %u: another block\n", object.assembly.topology, first,
                    object.queued);
            return false;
        }
        if (!block[0].taken)
            break;
        first += block[0].taken;
        object.assembly = block[0].after;
    }
    return true;
}

static bool play(struct choice *choice, FILE *report) {
    struct vertex_block *block = aligned_alloc(64, 2 * sizeof *block);
    assert_non_null(block);
    fill(choice);
    bool same = same_blocks(block, report);
    free(block);
    return same;
}

static void blocks_are_those_of_single_vertices(void **state) {
    (void)state;
    assert_int_equal(rounds_failed(play, 2000), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_are_those_of_single_vertices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
