/* SPDX-License-Identifier: MIT */
/* What a compute object keeps from one launch to the next; what executors and watches see; what launches cost. */
#include "compute/launch_rig.h"

#include <string.h>

#include "engine/compute/object.h"
#include "engine/compute/run.h"
#include "engine/core/register_file.h"
#include "engine/core/work.h"
#include "engine/lend/lender.h"
#include "engine/shade/executor.h"
#include "engine/shade/watch.h"
#include "rounds.h"

static struct launch launch;

#define PROGRAM(...)                                                                                                   \
    launch_gm107_program(&launch, (const uint64_t[]){__VA_ARGS__}, sizeof((const uint64_t[]){__VA_ARGS__}) / 8)

/* SULD.P of the image whose header R4 names. */
#define SULD (UINT64_C(0xeb00) << 48 | UINT64_C(4) << 39 | UINT64_C(3) << 33 | UINT64_C(15) << 20 | 7 << 16 | 12)

static const struct compute_object *object(void) {
    const struct engine *engine = launch.rig.fifo.engines[launch.id].engine;
    return object_part(engine_channel(engine, &launch.rig.channel)->subchannel[0], &compute_object_part);
}

static void run_block(uint32_t threads, uint32_t local) {
    launch_size(&launch, 1, 1, 1, threads, 1, 1);
    launch_memory(&launch, 0, local);
    launch_run(&launch);
    assert_int_equal(engine_rig_count(&launch.rig, EVENT_ENGINE_ERROR), 0);
}

/* A block may have 64 MiB, and there may be thousands of objects. */
static void much_local_memory_is_given_back_after_a_launch(void **state) {
    (void)state;
    launch_begin(&launch, launch_gm107());
    PROGRAM(GM107_MOV(9, DATA), GM107_MOV(0, 7), GM107_STL(RZ, 0x100, 0), GM107_LDL(1, RZ, 0x100), GM107_STG(9, 0, 1));
    run_block(32, 0x200);
    assert_int_equal(grid_run_kept(object()->run), 32 * 0x200);
    run_block(1024, 64 << 10);
    assert_int_equal(grid_run_kept(object()->run), 0);
    engine_rig_wr32(&launch.rig, DATA, 0);
    run_block(64, 0x200);
    assert_int_equal(launch_word(&launch, 0), 7);
    launch_end(&launch);
}

#define SPECIALS_GIVEN (1u << 4) /* executor.c: the fifth pointer */
static uint32_t given;           /* of the last key */

static void note_key(void *opaque, const struct shade_listing *listing, struct shade_key *key) {
    (void)opaque, (void)listing;
    given = key->given;
}

static void *compile_nothing(void *opaque, const struct shade_listing *listing, const struct shade_key *key) {
    (void)opaque, (void)listing, (void)key;
    return NULL;
}

/* An executor may leave out what is not there: the key must say what all warps of the block are given. */
static void executors_are_told_that_there_are_special_registers(void **state) {
    (void)state;
    const struct shade_executor executor = {.name = "notes", .key = note_key, .compile = compile_nothing};
    launch_begin(&launch, launch_gm107());
    launch.rig.fifo.programs = shade_cache_new(&executor);
    PROGRAM(GM107_S2R(0, 0x21));
    launch_run(&launch);
    assert_true(given & SPECIALS_GIVEN);
    struct shade_cache *cache = launch.rig.fifo.programs;
    launch_end(&launch);
    shade_cache_free(cache);
}

/* Headers are looked up for each lane that has another one, also if no texel is loaded: these are outside. */
static void an_image_costs_as_many_headers_as_its_lanes_name(void **state) {
    (void)state;
    uint64_t cost[2];
    for (unsigned many = 0; many < 2; many++) {
        launch_begin(&launch, launch_gm107());
        launch_size(&launch, 1, 1, 1, 32, 1, 1);
        send(&launch.rig, launch.id, 0, 0x1574, 0, 0x10000, 31);
        PROGRAM(many ? GM107_S2R(4, 0) : GM107_MOV(4, 0), GM107_MOV(0, -1), GM107_MOV(1, 0), SULD);
        launch.rig.fifo.worked = 0;
        launch_run(&launch);
        cost[many] = launch.rig.fifo.worked;
        launch_end(&launch);
    }
    assert_int_equal(cost[1] - cost[0], 31 * COST_HEADER / WORK_UNIT_BYTES);
}

/* R0 = 1, but before the instruction is executed another one is written in its place: R0 = 2. */
static void change_ahead(void) {
    const uint64_t other = GM107_MOV(0, 2);
    const uint32_t at = CODE + ENTRY + 8 * 13; /* the tenth instruction */
    PROGRAM(GM107_MOV(9, DATA), GM107_MOV(1, at), GM107_MOV(2, (uint32_t)other), GM107_MOV(3, other >> 32),
            GM107_STG(1, 0, 2), GM107_STG(1, 4, 3), GM107_MOV(0, 7), GM107_MOV(0, 7), GM107_MOV(0, 7), GM107_MOV(0, 1),
            GM107_STG(9, 0, 0));
}

static unsigned looks; /* at the instruction that will be another one, as it is now */

static void look_ahead(void *opaque, struct shade_warp *warp, const struct pfifo_program_step *step) {
    char text[PFIFO_INSTRUCTION_BYTES];
    (void)opaque, (void)step;
    assert_int_equal(pfifo_warp_instruction((struct pfifo_warp *)warp, ENTRY + 8 * 13, text, sizeof text), 8);
    looks += strstr(text, "0x1") != NULL;
}

/* What a debugger shows of the instructions to come is not what the program has read. */
static void who_looks_at_a_program_changes_nothing(void **state) {
    (void)state;
    struct shade_watch watch = {.step = look_ahead};
    for (unsigned watched = 0; watched < 2; watched++) {
        launch_begin(&launch, launch_gm107());
        launch.rig.fifo.watch = watched ? &watch : NULL;
        change_ahead();
        launch_run(&launch);
        assert_int_equal(launch_word(&launch, 0), 2);
        launch_end(&launch);
    }
    assert_int_equal(looks, 5);
}

/* A pool may begin at address 0, and its first header may be all zeros, as what is kept is at the beginning. */
static void a_header_of_zeros_at_address_0_is_looked_at(void **state) {
    (void)state;
    launch_begin(&launch, launch_gm107());
    send(&launch.rig, launch.id, 0, 0x1574, 0, 0, 31);
    PROGRAM(GM107_MOV(4, 0), GM107_MOV(0, 0), GM107_MOV(1, 0), GM107_MOV(2, 0), SULD);
    launch_run(&launch);
    assert_int_equal(engine_rig_count(&launch.rig, EVENT_ENGINE_NOT_EXECUTED), 1);
    launch_end(&launch);
}

static uint8_t stream_room[1 << 20];
static struct launch_state stream = {.data = stream_room, .room = sizeof stream_room};

static size_t saved_bytes(void) {
    launch_save(&launch, &stream);
    return stream.bytes;
}

/* Another method has come in the middle of a block: nobody needs it any more. */
static void a_block_that_was_given_up_is_not_saved(void **state) {
    (void)state;
    launch_begin(&launch, launch_gm107());
    launch_size(&launch, 1, 1, 1, 64, 1, 1);
    launch_memory(&launch, 256, 64);
    PROGRAM(GM107_MOV(0, 1), GM107_BRA_SELF);
    size_t before = saved_bytes();
    assert_false(launch_slice(&launch));
    assert_true(saved_bytes() > before + 64 * 64);
    assert_true(saved_bytes() > before + 64 * 64); /* it is still there */
    send(&launch.rig, launch.id, 0, 0x100, 0);
    assert_true(saved_bytes() < before + 1024); /* the QMD */
    PROGRAM(GM107_MOV(9, DATA), GM107_MOV(0, 7), GM107_STG(9, 0, 0));
    launch_run(&launch);
    assert_int_equal(launch_word(&launch, 0), 7);
    launch_end(&launch);
}

/* A launch without a block is read, decoded and told all the same. */
static void a_launch_without_blocks_costs_something(void **state) {
    (void)state;
    launch_begin(&launch, launch_gm107());
    launch_size(&launch, 0, 1, 1, 32, 1, 1);
    launch.rig.fifo.worked = 0;
    launch_run(&launch);
    assert_int_equal(launch.rig.fifo.worked, WORK_START_BYTES / WORK_UNIT_BYTES);
    launch_end(&launch);
}

/* Bytes of the state in `stream` become others, mostly few of them. */
static void change_stream(struct choice *choice) {
    for (unsigned left = 1 + choice_below(choice, 4); left > 0; left--) {
        uint32_t at = choice_below(choice, (uint32_t)stream.bytes);
        stream.data[at] = (uint8_t)(choice_once_in(choice, 2) ? choice_below(choice, 256) : stream.data[at] ^ 1);
    }
}

/* It is refused, or the launch goes on for a while. */
static bool play_changed_state(struct choice *choice, FILE *report) {
    static struct launch other;
    (void)report;
    launch_begin(&launch, &launch_classes[choice_below(choice, launch_class_count)]);
    launch_size(&launch, 40, 1, 1, 64, 1, 1);
    launch_memory(&launch, 256, 64);
    assert_false(launch_slice(&launch));
    launch_save(&launch, &stream);
    change_stream(choice);
    other.of = launch.of;
    other.id = launch.id;
    assert_true(engine_rig_start(&other.rig, launch.of->chip));
    for (uint64_t at = 0; at < 0x10000; at += 4)
        engine_rig_wr32(&other.rig, at, engine_rig_rd32(&launch.rig, at));
    if (engine_load(other.rig.fifo.engines[launch.id].engine, stream.data, stream.bytes, NULL) == PFIFO_OK)
        for (unsigned slice = 0; slice < 3 && !launch_slice(&other); slice++)
            assert_true(other.rig.fifo.worked < UINT64_C(1) << 32);
    engine_rig_stop(&other.rig);
    launch_end(&launch);
    return true;
}

/* In the middle of a block. */
static void a_state_that_was_changed_hurts_nothing(void **state) {
    (void)state;
    assert_int_equal(rounds_failed(play_changed_state, 100), 0);
}

/* Each warp has its registers of 0 and its special registers. */
static void a_block_costs_as_many_warps_as_it_has(void **state) {
    (void)state;
    uint64_t cost[2];
    for (unsigned large = 0; large < 2; large++) {
        launch_begin(&launch, launch_gm107());
        launch_size(&launch, 1, 1, 1, large ? 1024 : 32, 1, 1);
        PROGRAM(GM107_MOV(0, 1));
        launch.rig.fifo.worked = 0;
        launch_run(&launch);
        cost[large] = launch.rig.fifo.worked;
        launch_end(&launch);
    }
    assert_true(cost[1] - cost[0] > 31 * 50);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(much_local_memory_is_given_back_after_a_launch),
        cmocka_unit_test(executors_are_told_that_there_are_special_registers),
        cmocka_unit_test(who_looks_at_a_program_changes_nothing),
        cmocka_unit_test(a_header_of_zeros_at_address_0_is_looked_at),
        cmocka_unit_test(a_block_that_was_given_up_is_not_saved),
        cmocka_unit_test(a_launch_without_blocks_costs_something),
        cmocka_unit_test(a_state_that_was_changed_hurts_nothing),
        cmocka_unit_test(a_block_costs_as_many_warps_as_it_has),
        cmocka_unit_test(an_image_costs_as_many_headers_as_its_lanes_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
