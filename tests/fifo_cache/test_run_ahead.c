/* SPDX-License-Identifier: MIT */
/*
 * A GPU that overwrites its own pushbuffer. The pusher is faster than what executes: by the time an entry is
 * executed CACHE1 is full of what follows, and these words are safe. What is further away is read anew.
 */
#include "rig.h"

#define HANDLE 0x5e5e0001u

enum writer { BY_SEMAPHORE, BY_ENGINE };

/*
 * The program: something writes NEW over the data word of a method that is `distance` methods away; the one that
 * executes has a place in CACHE1, too. All methods between carry their number.
 */
#define NEW 0x77777777u

static void run_program(struct rig *rig, enum writer writer, uint32_t distance) {
    rig_bind(rig);
    uint64_t base = UINT64_C(1) << 20;
    uint32_t place = (uint32_t)rig->pushed[1] + 4 * 8; /* of the program */
    uint32_t target = place + 4 * (1 + distance);      /* of data word number `distance` */
    if (writer == BY_ENGINE) {
        rig->engine[1].write_object = rig->push_object[1];
        rig->engine[1].write_at = target;
        push(rig, 0, 0, 0, 0, 0, 0, INC(0, RIG_WRITE, 1), NEW);
    } else {
        uint32_t page = (uint32_t)(base + target) & ~0xfffu;
        const uint32_t curie[] = {0x2b002, 0xfff, page | 2, page | 2};
        rig_handle(rig, 1, HANDLE, 0,
                   rig->tesla ? rig_dma_object(rig, 1, MEMORY_SYSTEM, page, 0x1000) : rig_instance(rig, 1, curie, 4));
        push(rig, 0, 0, 0, INC(0, 0x60, 2), HANDLE, target & 0xfff, INC(0, 0x6c, 1), NEW);
    }
    push(rig, NONINC(0, 0x200, 0x7f0));
    for (uint32_t i = 0; i < 0x7f0; i++)
        push(rig, i);
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    assert_int_equal(rig_peek(rig, 1, target), NEW); /* memory has it, whoever read what */
}

/* What the engine got as data word `distance`. */
static uint32_t seen(struct rig *rig, enum writer writer, uint32_t distance) {
    size_t first = writer == BY_ENGINE ? 1 : 0;
    assert_int_equal(rig->logged, first + 0x7f0);
    for (uint32_t i = 0; i < 0x7f0; i++)
        if (i != distance)
            assert_int_equal(rig->log[first + i].data, i);
    return rig->log[first + distance].data;
}

static void check(struct rig *rig, enum writer writer, uint32_t distance, uint32_t expected) {
    run_program(rig, writer, distance);
    assert_int_equal(seen(rig, writer, distance), expected);
}

/* The word right after is the most that is safe in any model. */
static void next_word_survives_a_release(void **state) {
    check(*state, BY_SEMAPHORE, 0, 0);
}

static void next_word_survives_an_engine(void **state) {
    check(*state, BY_ENGINE, 0, 0);
}

static uint32_t depth_of(struct rig *rig) {
    return rig->chip->cache1_entries;
}

/* One place is taken by the method that writes; a header takes none. The others hold data words 0 .. depth - 2. */
static void last_word_in_cache1_survives_a_release(void **state) {
    struct rig *rig = *state;
    check(rig, BY_SEMAPHORE, depth_of(rig) - 2, depth_of(rig) - 2);
}

static void last_word_in_cache1_survives_an_engine(void **state) {
    struct rig *rig = *state;
    check(rig, BY_ENGINE, depth_of(rig) - 2, depth_of(rig) - 2);
}

static void words_beyond_cache1_are_read_anew_after_a_release(void **state) {
    struct rig *rig = *state;
    check(rig, BY_SEMAPHORE, depth_of(rig) - 1, NEW);
}

static void words_beyond_cache1_are_read_anew_after_an_engine(void **state) {
    struct rig *rig = *state;
    check(rig, BY_ENGINE, depth_of(rig) - 1, NEW);
}

/* Words that are not yet submitted cannot have been read. */
static void words_behind_put_are_read_anew(void **state) {
    struct rig *rig = *state;
    rig_bind(rig);
    uint32_t at = (uint32_t)rig->pushed[1];
    rig->engine[1].write_object = rig->push_object[1];
    rig->engine[1].write_at = at + 12;
    push(rig, INC(0, RIG_WRITE, 1), NEW);
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    push(rig, INC(0, 0x200, 1));
    rig->pushed[1] += 4;
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    expect_methods(rig, {0, RIG_WRITE, NEW}, {0, 0x200, NEW});
}

/* Headers take no place in CACHE1 but are read on the way: a jump that is overwritten has been followed already. */
static void jump_that_was_followed_stays_followed(void **state) {
    struct rig *rig = *state;
    rig_bind(rig);
    uint32_t at = (uint32_t)rig->pushed[1];
    rig->engine[1].write_object = rig->push_object[1];
    rig->engine[1].write_at = at + 8;
    push(rig, INC(0, RIG_WRITE, 1), 0, JUMP(0x8000));
    rig->pushed[1] = 0x8000;
    push(rig, INC(0, 0x200, 1), 5);
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    expect_methods(rig, {0, RIG_WRITE, 0}, {0, 0x200, 5});
    assert_int_equal(rig_peek(rig, 1, at + 8), 0);
}

/* A pusher that is switched off has read nothing. */
static void pusher_that_is_off_did_not_run_ahead(void **state) {
    struct rig *rig = *state;
    rig_bind(rig);
    uint32_t at = (uint32_t)rig->pushed[1];
    rig->engine[1].write_object = rig->push_object[1];
    rig->engine[1].write_at = at + 12;
    push(rig, INC(0, RIG_WRITE, 1), NEW, INC(0, 0x200, 1), 5);
    rig_submit(rig, 1);
    wr(rig, PULL0, 0);
    rig_run_for(rig, 2);
    wr(rig, PUSH0, 0);
    wr(rig, PULL0, 1);
    rig_run(rig);
    wr(rig, PUSH0, 1);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    expect_methods(rig, {0, RIG_WRITE, NEW}, {0, 0x200, NEW});
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ON_ALL(next_word_survives_a_release),
        ON_ALL(next_word_survives_an_engine),
        ON_ALL(last_word_in_cache1_survives_a_release),
        ON_ALL(last_word_in_cache1_survives_an_engine),
        ON_ALL(words_beyond_cache1_are_read_anew_after_a_release),
        ON_ALL(words_beyond_cache1_are_read_anew_after_an_engine),
        ON_ALL(words_behind_put_are_read_anew),
        ON_ALL(jump_that_was_followed_stays_followed),
        ON_ALL(pusher_that_is_off_did_not_run_ahead),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
