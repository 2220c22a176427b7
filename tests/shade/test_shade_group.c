/* SPDX-License-Identifier: MIT */
/* Warps that share memory and barriers: turns, counts, reductions, pieces, saved states. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "engine/shade/group.h"
#include "shade/rig.h"
#include "state/bytes.h"
#include "state/state.h"

enum { SHARED = 4096, WARPS = 4 };

struct scene {
    struct rig rig;
    struct shade_group *group;
    uint8_t shared[SHARED];
    struct shade_special special[WARPS];
    shade_row thread[WARPS];
};

static int begin(void **state) {
    struct scene *scene = *state = aligned_alloc(64, (sizeof *scene + 63) / 64 * 64);
    memset(scene, 0, sizeof *scene);
    rig_begin(&scene->rig);
    scene->rig.io.shared = scene->shared;
    scene->rig.io.shared_bytes = SHARED;
    scene->group = shade_group_new(WARPS);
    assert_non_null(scene->group);
    for (unsigned i = 0; i < WARPS; i++) {
        for (unsigned lane = 0; lane < SHADE_LANES; lane++)
            scene->thread[i][lane] = i * SHADE_LANES + lane;
        scene->special[i] = (struct shade_special){0x21, 0, scene->thread[i]};
    }
    return 0;
}

static int end(void **state) {
    struct scene *scene = *state;
    shade_group_free(scene->group);
    rig_end(&scene->rig);
    free(scene);
    return 0;
}

/* Predicate 0: register 0, which has the number of the thread, beside `limit`. */
static struct ir *add_compare(struct rig *rig, enum ir_compare compare, uint32_t limit) {
    struct ir *ir = rig_add(rig, IR_ISETP);
    ir->compare = compare;
    ir->a = rig_register(0);
    ir->b = rig_immediate(limit);
    ir->p = 0;
    return ir;
}

/* Special register 0x21 is the number of the thread. */
static void start(struct scene *scene, unsigned threads) {
    shade_program_free(scene->rig.program);
    scene->rig.program = rig_program(&scene->rig);
    memset(scene->shared, 0, SHARED);
    shade_group_begin(scene->group, scene->rig.program, &scene->rig.io, threads);
    for (unsigned i = 0; i < scene->group->warps; i++) {
        scene->group->member[i].io.specials = &scene->special[i];
        scene->group->member[i].io.special_count = 1;
    }
}

static enum shade_stop run(struct scene *scene) {
    uint64_t used;
    return shade_group_run(scene->group, 1000000, &used);
}

static uint32_t shared_word(const struct scene *scene, unsigned word) {
    uint32_t value;
    memcpy(&value, scene->shared + 4 * (size_t)word, sizeof value);
    return value;
}

/* r0 = thread, r1 = its word of shared memory. */
static void add_thread(struct rig *rig) {
    struct ir *ir = rig_add(rig, IR_S2R);
    ir->a = rig_immediate(0x21);
    ir->d = 0;
    ir = rig_add(rig, IR_SHL);
    ir->d = 1;
    ir->a = rig_register(0);
    ir->b = rig_immediate(2);
}

static struct ir *add_shared(struct rig *rig, enum ir_op op, unsigned address, unsigned value) {
    struct ir *ir = rig_add(rig, op);
    ir->space = IR_SPACE_SHARED;
    ir->a = rig_register(address);
    if (op == IR_LD)
        ir->d = (uint8_t)value;
    else
        ir->b = rig_register(value);
    return ir;
}

static struct ir *add_barrier(struct rig *rig, enum shade_barrier kind, unsigned number, unsigned threads) {
    struct ir *ir = rig_add(rig, IR_BAR);
    ir->mode = (uint16_t)kind;
    ir->a = rig_immediate(number);
    ir->b = rig_immediate(threads);
    return ir;
}

/* r2 = word (thread ^ 64), which another warp has written. */
static void add_exchange(struct rig *rig) {
    add_thread(rig);
    add_shared(rig, IR_ST, 1, 0);
    add_barrier(rig, SHADE_SYNC, 0, 0);
    struct ir *ir = rig_add(rig, IR_LOP);
    ir->combine = IR_XOR;
    ir->d = 3;
    ir->a = rig_register(1);
    ir->b = rig_immediate(256);
    add_shared(rig, IR_LD, 3, 2);
}

static void what_others_stored_before_a_barrier_is_read_after_it(void **state) {
    struct scene *scene = *state;
    add_exchange(&scene->rig);
    start(scene, 128);
    assert_int_equal(run(scene), SHADE_DONE);
    for (unsigned i = 0; i < WARPS; i++)
        for (unsigned lane = 0; lane < SHADE_LANES; lane++)
            assert_int_equal(scene->group->member[i].warp.registers[2][lane], (i * SHADE_LANES + lane) ^ 64);
}

/* At the second one warps 2 and 3 come some turns later. */
static void a_barrier_serves_again(void **state) {
    struct scene *scene = *state;
    struct rig *rig = &scene->rig;
    add_barrier(rig, SHADE_SYNC, 0, 0);
    add_thread(rig);
    struct ir *ir = add_compare(rig, IR_GE, 64);
    ir = rig_add(rig, IR_MOV);
    ir->d = 4;
    ir->a = rig_immediate(3 * SHADE_GROUP_SLICE);
    unsigned top = rig->count * 8;
    ir = rig_add(rig, IR_IADD);
    ir->d = 4;
    ir->a = rig_register(4);
    ir->b = rig_immediate(UINT32_MAX);
    ir->write_flags = true;
    ir = rig_add(rig, IR_BRA);
    ir->offset = top;
    ir->test = 5; /* not zero */
    ir->guard = 0;
    add_exchange(rig);
    start(scene, 128);
    assert_int_equal(run(scene), SHADE_DONE);
    assert_int_equal(scene->group->member[0].warp.registers[2][5], 69);
}

static void the_last_warp_may_be_a_part_of_one(void **state) {
    struct scene *scene = *state;
    add_thread(&scene->rig);
    add_barrier(&scene->rig, SHADE_SYNC, 0, 0);
    add_shared(&scene->rig, IR_ST, 1, 0);
    start(scene, 70);
    assert_int_equal(scene->group->warps, 3);
    assert_int_equal(scene->group->member[2].warp.alive, 0x3f);
    assert_int_equal(run(scene), SHADE_DONE);
    assert_int_equal(shared_word(scene, 69), 69);
    assert_int_equal(shared_word(scene, 70), 0);
}

/* Warp 0 ends at once; of warp 1 all lanes but the first. */
static void threads_that_have_ended_are_not_waited_for(void **state) {
    struct scene *scene = *state;
    struct rig *rig = &scene->rig;
    add_thread(rig);
    struct ir *ir = add_compare(rig, IR_GT, 32);
    ir = rig_add(rig, IR_EXIT);
    ir->guard = 0;
    ir->guard_negate = true;
    add_barrier(rig, SHADE_SYNC, 3, 0);
    add_shared(rig, IR_ST, 1, 0);
    start(scene, 64);
    assert_int_equal(run(scene), SHADE_DONE);
    assert_int_equal(shared_word(scene, 32), 0);
    assert_int_equal(shared_word(scene, 33), 33);
}

/* Threads of warps 0 and 1 arrive at barrier 1 and go on; the other two wait there for all 128. */
static void who_arrives_does_not_wait(void **state) {
    struct scene *scene = *state;
    struct rig *rig = &scene->rig;
    add_thread(rig);
    struct ir *ir = add_compare(rig, IR_LT, 64);
    ir = add_barrier(rig, SHADE_ARRIVE, 1, 128);
    ir->guard = 0;
    ir = add_barrier(rig, SHADE_SYNC, 1, 128);
    ir->guard = 0;
    ir->guard_negate = true;
    add_shared(rig, IR_ST, 1, 0);
    start(scene, 128);
    assert_int_equal(run(scene), SHADE_DONE);
    assert_int_equal(shared_word(scene, 127), 127);
    start(scene, 96); /* one warp is missing: the others have ended */
    assert_int_equal(run(scene), SHADE_BARRIER);
    assert_int_equal(shared_word(scene, 63), 63);
    assert_int_equal(shared_word(scene, 64), 0);
    assert_int_equal(scene->group->member[2].warp.waiting, UINT32_MAX);
    assert_int_equal(run(scene), SHADE_BARRIER);
}

/* Of a warp with 8 threads 32 arrive. */
static void counts_are_of_whole_warps(void **state) {
    struct scene *scene = *state;
    add_barrier(&scene->rig, SHADE_SYNC, 0, 64);
    start(scene, 40);
    assert_int_equal(run(scene), SHADE_DONE);
    start(scene, 20);
    assert_int_equal(run(scene), SHADE_BARRIER);
}

static void reductions_are_of_all_threads(void **state) {
    struct scene *scene = *state;
    struct rig *rig = &scene->rig;
    add_thread(rig);
    struct ir *ir = add_compare(rig, IR_LT, 50); /* p0: thread < 50 */
    static const enum shade_barrier kinds[] = {SHADE_POPC, SHADE_AND, SHADE_OR};
    for (unsigned i = 0; i < 3; i++) {
        ir = add_barrier(rig, kinds[i], i, 0);
        ir->d = 8;
        ir->p = (uint8_t)(1 + i);
        ir->combine_predicate = 0;
        if (i == 0)
            ir->p = IR_TRUE;
        ir = rig_add(rig, IR_B2R);
        ir->d = (uint8_t)(9 + i);
        ir->p = (uint8_t)(4 + i);
    }
    start(scene, 128);
    assert_int_equal(run(scene), SHADE_DONE);
    for (unsigned i = 0; i < WARPS; i++) {
        const struct shade_warp *warp = &scene->group->member[i].warp;
        assert_int_equal(warp->registers[8][31], 50);
        assert_int_equal(warp->predicates[2], 0);
        assert_int_equal(warp->predicates[3], UINT32_MAX);
        for (unsigned k = 0; k < 3; k++)
            assert_int_equal(warp->registers[9 + k][7], 50);
        assert_int_equal(warp->predicates[5], 0);
        assert_int_equal(warp->predicates[6], UINT32_MAX);
    }
    assert_int_equal(rig->reports, 0);
    rig->count -= 2; /* without OR, all are true of nobody */
    rig->code[rig->count] = rig_neutral(IR_EXIT);
    start(scene, 32);
    assert_int_equal(run(scene), SHADE_DONE);
    assert_int_equal(scene->group->member[0].warp.predicates[2], UINT32_MAX);
}

static void a_scan_is_a_barrier_and_is_reported(void **state) {
    struct scene *scene = *state;
    add_barrier(&scene->rig, SHADE_SCAN, 0, 0);
    start(scene, 64);
    assert_int_equal(run(scene), SHADE_DONE);
    assert_int_equal(scene->rig.reports, 1);
}

static void add_count(struct rig *rig, unsigned d) {
    for (unsigned i = 0; i < 20; i++)
        rig_add(rig, IR_NOP);
    struct ir *ir = rig_add(rig, IR_ATOM);
    ir->space = IR_SPACE_SHARED;
    ir->atomic = IR_ADD;
    ir->b = rig_immediate(1);
    ir->d = (uint8_t)d;
}

/* Each counts up twice before the next one's turn, whatever the pieces are. */
static void warps_run_in_turn(void **state) {
    struct scene *scene = *state;
    add_thread(&scene->rig);
    add_count(&scene->rig, 5);
    add_count(&scene->rig, 6);
    for (unsigned piece = 7; piece < 10000; piece += 1000) {
        uint64_t used;
        start(scene, 128);
        while (shade_group_run(scene->group, piece, &used) == SHADE_BUDGET)
            ;
        for (unsigned i = 0; i < WARPS; i++) {
            assert_int_equal(scene->group->member[i].warp.registers[5][0], 64 * i);
            assert_int_equal(scene->group->member[i].warp.registers[6][0], 64 * i + 32);
        }
    }
}

/* A loop of 60 rounds that stores, waits and adds what its neighbour stored. */
static void add_loop(struct rig *rig) {
    add_thread(rig);
    struct ir *ir = rig_add(rig, IR_MOV);
    ir->d = 4;
    ir->a = rig_immediate(60);
    unsigned top = rig->count * 8;
    add_shared(rig, IR_ST, 1, 0);
    add_barrier(rig, SHADE_SYNC, 2, 0);
    ir = rig_add(rig, IR_LOP);
    ir->combine = IR_XOR;
    ir->d = 3;
    ir->a = rig_register(1);
    ir->b = rig_immediate(128);
    add_shared(rig, IR_LD, 3, 2);
    add_barrier(rig, SHADE_POPC, 1, 0);
    ir = rig_add(rig, IR_B2R);
    ir->d = 6;
    ir = rig_add(rig, IR_IADD3);
    ir->d = 0;
    ir->a = rig_register(0);
    ir->b = rig_register(2);
    ir->c = rig_register(6);
    ir = rig_add(rig, IR_IADD);
    ir->d = 4;
    ir->a = rig_register(4);
    ir->b = rig_immediate(UINT32_MAX);
    ir->write_flags = true;
    ir = rig_add(rig, IR_BRA);
    ir->offset = top;
    ir->test = 5; /* not zero */
}

static uint32_t sum_of(const struct scene *scene) {
    uint32_t sum = 0;
    for (unsigned i = 0; i < scene->group->warps; i++)
        for (unsigned lane = 0; lane < SHADE_LANES; lane++)
            sum = sum * 31 + scene->group->member[i].warp.registers[0][lane];
    return sum;
}

static void pieces_are_the_same_as_the_whole(void **state) {
    struct scene *scene = *state;
    uint64_t used, whole;
    add_loop(&scene->rig);
    start(scene, 104);
    assert_int_equal(shade_group_run(scene->group, 1000000, &whole), SHADE_DONE);
    uint32_t sum = sum_of(scene);
    assert_in_range(whole, 4 * 60 * 9, 4 * 60 * 10);
    static const uint64_t pieces[] = {1, 3, 7, 255, 256, 257};
    for (unsigned i = 0; i < sizeof pieces / sizeof pieces[0]; i++) {
        enum shade_stop stop;
        uint64_t total = 0;
        start(scene, 104);
        do {
            stop = shade_group_run(scene->group, pieces[i], &used);
            assert_true(used <= pieces[i]);
            total += used;
        } while (stop == SHADE_BUDGET);
        assert_int_equal(stop, SHADE_DONE);
        assert_int_equal(total, whole);
        assert_int_equal(sum_of(scene), sum);
    }
}

static void save(struct scene *scene, struct state_bytes *bytes) {
    struct state_io io;
    state_open_save(&io, state_bytes_write, bytes, NULL);
    if (state_begin(&io, "TEST", 1))
        shade_group_state(scene->group, &io);
    state_end(&io);
    assert_int_equal(state_close(&io), PFIFO_OK);
}

static enum pfifo_status load(struct scene *scene, const struct state_bytes *bytes) {
    struct state_io io;
    struct pfifo_error error;
    state_open_load(&io, bytes->data, bytes->used, &error);
    if (state_begin(&io, "TEST", 1))
        shade_group_state(scene->group, &io);
    state_end(&io);
    return state_close(&io);
}

static void a_group_goes_on_where_it_was_saved(void **state) {
    struct scene *scene = *state;
    uint64_t used;
    add_loop(&scene->rig);
    start(scene, 104);
    assert_int_equal(run(scene), SHADE_DONE);
    uint32_t sum = sum_of(scene);
    for (unsigned at = 1; at < 1900; at += 173) {
        struct state_bytes bytes = {0}, again = {0};
        start(scene, 104);
        assert_int_equal(shade_group_run(scene->group, at, &used), SHADE_BUDGET);
        save(scene, &bytes);
        start(scene, 104);
        for (unsigned i = 0; i < WARPS; i++)
            memset(scene->group->member[i].warp.registers, 0x5a, sizeof(shade_row) * IR_ZERO);
        assert_int_equal(load(scene, &bytes), PFIFO_OK);
        save(scene, &again);
        assert_int_equal(again.used, bytes.used);
        assert_memory_equal(again.data, bytes.data, bytes.used);
        assert_int_equal(run(scene), SHADE_DONE);
        assert_int_equal(sum_of(scene), sum);
        state_bytes_free(&bytes);
        state_bytes_free(&again);
    }
}

static struct ir *add_lock(struct rig *rig, enum ir_op op, unsigned number) {
    struct ir *ir = rig_add(rig, op);
    ir->space = IR_SPACE_SHARED;
    ir->a = rig_register(IR_ZERO);
    ir->offset = 4 * (int64_t)number;
    if (op == IR_LD_LOCK)
        ir->d = 2;
    else
        ir->b = rig_register(2);
    ir->p = op == IR_LD_LOCK ? 1 : IR_TRUE;
    return ir;
}

/* r3 = predicate 1, to the thread's word from 0x200 on. */
static void add_tell(struct rig *rig) {
    struct ir *ir = rig_add(rig, IR_SEL);
    ir->d = 3;
    ir->a = rig_immediate(1);
    ir->b = rig_immediate(0);
    ir->combine_predicate = 1;
    add_shared(rig, IR_ST, 1, 3)->offset = 0x200;
}

/* Word 33 stays locked by the first thread of all; no other word is. */
static void a_lock_is_held_against_all_warps(void **state) {
    struct scene *scene = *state;
    static uint32_t locks[SHARED / SHADE_LOCK_BYTES];
    memset(locks, 0, sizeof locks);
    scene->rig.io.locks = locks;
    add_thread(&scene->rig);
    add_lock(&scene->rig, IR_LD_LOCK, 33);
    add_tell(&scene->rig);
    start(scene, 128);
    assert_int_equal(run(scene), SHADE_DONE);
    for (unsigned i = 0; i < 128; i++)
        assert_int_equal(shared_word(scene, 0x80 + i), i == 0);
    for (unsigned i = 0; i < SHARED / SHADE_LOCK_BYTES; i++)
        assert_int_equal(locks[i], i == 1 ? 2 : 0);
}

/* The store of the first thread gives it back, and the next warp has it. */
static void a_store_gives_a_lock_back(void **state) {
    struct scene *scene = *state;
    static uint32_t locks[SHARED / SHADE_LOCK_BYTES];
    memset(locks, 0, sizeof locks);
    scene->rig.io.locks = locks;
    add_thread(&scene->rig);
    add_lock(&scene->rig, IR_LD_LOCK, 33);
    add_tell(&scene->rig);
    add_lock(&scene->rig, IR_ST_UNLOCK, 33)->guard = 1;
    start(scene, 128);
    assert_int_equal(run(scene), SHADE_DONE);
    for (unsigned i = 0; i < 128; i++)
        assert_int_equal(shared_word(scene, 0x80 + i), i % 32 == 0);
    assert_int_equal(locks[1], 0);
}

/* A group is saved with its locks. */
static void a_lock_is_saved(void **state) {
    struct scene *scene = *state;
    static uint32_t locks[SHARED / SHADE_LOCK_BYTES];
    struct state_bytes bytes = {0};
    memset(locks, 0, sizeof locks);
    scene->rig.io.locks = locks;
    add_lock(&scene->rig, IR_LD_LOCK, 40);
    start(scene, 32);
    assert_int_equal(run(scene), SHADE_DONE);
    save(scene, &bytes);
    start(scene, 32);
    memset(locks, 0, sizeof locks);
    assert_int_equal(load(scene, &bytes), PFIFO_OK);
    assert_int_equal(locks[1], 1u << 8);
    state_bytes_free(&bytes);
}

static void an_error_names_its_warp(void **state) {
    struct scene *scene = *state;
    struct rig *rig = &scene->rig;
    add_thread(rig);
    struct ir *ir = add_compare(rig, IR_GE, 64);
    ir = add_shared(rig, IR_ST, 1, 0);
    ir->offset = SHARED;
    ir->guard = 0;
    start(scene, 128);
    assert_int_equal(run(scene), SHADE_ERROR);
    assert_int_equal(scene->group->failed, 2);
    assert_int_equal(scene->group->member[2].warp.error, SHADE_OOR_ADDRESS);
    assert_int_equal(scene->group->member[2].warp.fault_address, 3 * 8);
}

static void local_memory_is_of_each_warp(void **state) {
    struct scene *scene = *state;
    struct rig *rig = &scene->rig;
    static uint8_t local[WARPS * SHADE_LANES * 16];
    rig->io.local = local;
    rig->io.local_bytes = 16;
    add_thread(rig);
    struct ir *ir = rig_add(rig, IR_ST);
    ir->space = IR_SPACE_LOCAL;
    ir->offset = 4;
    ir->b = rig_register(0);
    start(scene, 128);
    assert_int_equal(run(scene), SHADE_DONE);
    for (unsigned i = 0; i < WARPS * SHADE_LANES; i++)
        assert_int_equal(local[16 * i + 4], i);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(what_others_stored_before_a_barrier_is_read_after_it),
        TEST(a_barrier_serves_again),
        TEST(the_last_warp_may_be_a_part_of_one),
        TEST(threads_that_have_ended_are_not_waited_for),
        TEST(who_arrives_does_not_wait),
        TEST(counts_are_of_whole_warps),
        TEST(reductions_are_of_all_threads),
        TEST(a_scan_is_a_barrier_and_is_reported),
        TEST(warps_run_in_turn),
        TEST(pieces_are_the_same_as_the_whole),
        TEST(a_group_goes_on_where_it_was_saved),
        TEST(a_lock_is_held_against_all_warps),
        TEST(a_store_gives_a_lock_back),
        TEST(a_lock_is_saved),
        TEST(an_error_names_its_warp),
        TEST(local_memory_is_of_each_warp),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
