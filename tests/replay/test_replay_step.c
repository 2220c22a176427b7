/* SPDX-License-Identifier: MIT */
/* A replay in steps: the same as in one go, and where the machine is after each step. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <pfifo/compare.h>
#include <pfifo/state.h>

/* What a replay did: sums over its events, and over the machine in the end. */
struct sums {
    uint64_t events, state, time, runs, methods;
};

struct player {
    struct pfifo_stream *stream;
    struct pfifo_replay *replay;
    struct sums sums;
    uint64_t expected;             /* methods that were said to come next */
    size_t method;                 /* number of the event */
    struct pfifo_replay_word last; /* the method of the last step */
    bool any;                      /* there was one */
    uint32_t channel;              /* of the last event */
};

static void add(uint64_t *sum, const void *data, size_t bytes) {
    const uint8_t *byte = data;

    for (size_t i = 0; i < bytes; i++)
        *sum = (*sum ^ byte[i]) * UINT64_C(0x100000001b3);
}

static void happens(void *opaque, const struct pfifo_event *event) {
    struct player *player = opaque;

    add(&player->sums.events, &event->id, sizeof event->id);
    add(&player->sums.events, &event->channel, sizeof event->channel);
    add(&player->sums.events, event->value, pfifo_event_info(event->id)->fields * sizeof event->value[0]);
    if (event->text)
        add(&player->sums.events, event->text, strlen(event->text));
    if (event->channel != UINT32_MAX)
        player->channel = event->channel;
    if (event->id != player->method)
        return;
    player->sums.methods++;
    player->any = true;
    player->last = (struct pfifo_replay_word){.subchannel = (uint32_t)event->value[0],
                                              .oclass = (uint32_t)event->value[1],
                                              .method = (uint32_t)event->value[2],
                                              .data = (uint32_t)event->value[3]};
}

static bool add_state(void *opaque, const void *data, size_t bytes) {
    add(opaque, data, bytes);
    return true;
}

/* What passes by CACHE1 leaves no words there, and what goes through it does. */
static void begin_unseen(struct player *player, const char *name, bool through_cache) {
    const struct pfifo_replay_config config = {
        .size = sizeof config, .locate = true, .materialise_cache = through_cache};
    struct pfifo_error error = {0};
    char path[512];

    *player = (struct player){.method = pfifo_event_find("puller.method"), .channel = UINT32_MAX};
    snprintf(path, sizeof path, "%s/%s", getenv("PFIFO_SAMPLES"), name);
    player->stream = pfifo_stream_open(path, &error);
    player->replay = player->stream ? pfifo_replay_new(player->stream, &config, &error) : NULL;
    if (!player->replay)
        fail_msg("%s", error.message);
}

static void begin(struct player *player, const char *name) {
    begin_unseen(player, name, true);
    assert_int_equal(pfifo_gpu_observe(pfifo_replay_gpu(player->replay), "*", happens, player, NULL), PFIFO_OK);
}

static void end(struct player *player) {
    pfifo_replay_free(player->replay);
    pfifo_stream_close(player->stream);
}

static bool step(struct player *player, uint64_t units) {
    struct pfifo_error error = {0};
    bool more = true;

    player->any = false;
    if (pfifo_replay_step(player->replay, units, &more, &error) != PFIFO_OK)
        fail_msg("%s", error.message);
    return more;
}

static uint64_t state_of(struct player *player) {
    uint64_t sum = 0;

    assert_int_equal(pfifo_gpu_save(pfifo_replay_gpu(player->replay), add_state, &sum, NULL), PFIFO_OK);
    return sum;
}

/* The first `runs` of a capture. 0 units: each of them in one go. */
static void play(struct player *player, const char *name, uint64_t units, uint64_t runs) {
    const struct pfifo_replay_result *result;

    begin(player, name);
    result = pfifo_replay_result(player->replay);
    for (bool more = true; more && (result->runs < runs || result->running);) {
        if (units)
            more = step(player, units);
        else
            assert_int_equal(pfifo_replay_next(player->replay, &more, NULL), PFIFO_OK);
    }
    player->sums.runs = result->runs;
    player->sums.time = result->time;
}

static bool differs(void *opaque, const struct pfifo_difference *difference) {
    (void)opaque;
    print_error("%d %s differs: %#x, %#x\n", (int)difference->kind, difference->name ? difference->name : "",
                (unsigned)difference->value[0], (unsigned)difference->value[1]);
    *(bool *)opaque = true;
    return true;
}

static void expect_same(const char *name, uint64_t runs) {
    static const uint64_t units[] = {1, 77};
    struct player whole;
    struct sums sums;

    play(&whole, name, 0, runs);
    sums = whole.sums; /* the comparison reads registers, which are events */
    assert_true(sums.runs == runs && sums.methods);
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        struct player parts;
        bool any = false;
        play(&parts, name, units[i], runs);
        if (memcmp(&parts.sums, &sums, sizeof sums) != 0)
            fail_msg("%s in steps of %d: %d methods, %d in one, time %d, %d, events %s", name, (int)units[i],
                     (int)parts.sums.methods, (int)sums.methods, (int)parts.sums.time, (int)sums.time,
                     parts.sums.events == sums.events ? "same" : "other");
        assert_int_equal(pfifo_replay_compare(whole.replay, parts.replay, NULL, differs, &any, NULL), PFIFO_OK);
        assert_false(any);
        end(&parts);
    }
    end(&whole);
}

static void a_run_in_steps_is_the_run_in_one(void **state) {
    (void)state;
    expect_same("captures/nv40-clear.nvcap.xz", 3);
    expect_same("captures/nva3-quad.nvcap.xz", 3);
    expect_same("captures/nvc0-clear.nvcap.xz", 3);
    expect_same("captures/nv117-quad.nvcap.xz", 3);
}

/* The state after `steps` more units of a run. */
static uint64_t state_after(struct player *player, int steps) {
    while (steps--)
        assert_true(step(player, 1));
    return state_of(player);
}

static void a_mark_leads_back_within_its_run(void **state) {
    static const char *const names[] = {"captures/nv40-clear.nvcap.xz", "captures/nva3-quad.nvcap.xz",
                                        "captures/nv117-quad.nvcap.xz"};

    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct player player;
        begin(&player, names[i]);
        const struct pfifo_replay_result *result = pfifo_replay_result(player.replay);
        assert_null(pfifo_replay_mark_new(player.replay, SIZE_MAX)); /* nothing has run */
        struct pfifo_replay_mark *mark = NULL;
        uint64_t before = 0, after = 0;
        do {
            pfifo_replay_mark_free(mark);
            while (!result->running)
                assert_true(step(&player, 1));
            before = state_of(&player);
            mark = pfifo_replay_mark_new(player.replay, SIZE_MAX);
            assert_non_null(mark);
            after = state_after(&player, 5);
            /* Not where the driver has handled an interrupt meanwhile. */
        } while (!pfifo_replay_mark_leads_back(mark, player.replay));
        assert_true(before != after);
        assert_true(pfifo_replay_mark_return(mark, player.replay));
        assert_true(state_of(&player) == before);
        assert_true(state_after(&player, 5) == after);
        /* The next run has begun. */
        for (uint64_t runs = result->runs; result->runs == runs || !result->running;)
            assert_true(step(&player, 1000));
        before = state_of(&player);
        assert_false(pfifo_replay_mark_leads_back(mark, player.replay));
        assert_false(pfifo_replay_mark_return(mark, player.replay));
        assert_true(state_of(&player) == before);
        assert_null(pfifo_replay_mark_new(player.replay, 1)); /* it is larger */
        end(&player);
        /* Another replay, at the same place. */
        begin(&player, names[i]);
        while (!pfifo_replay_result(player.replay)->running)
            assert_true(step(&player, 1));
        assert_false(pfifo_replay_mark_leads_back(mark, player.replay));
        end(&player);
        pfifo_replay_mark_free(mark);
    }
}

/* Up to the end of a run. */
static void end_run(struct player *player, uint64_t runs) {
    const struct pfifo_replay_result *result = pfifo_replay_result(player->replay);

    while (result->runs < runs || result->running)
        assert_true(step(player, UINT64_MAX));
}

static void expect_next(struct player *player, uint64_t runs, const uint64_t *states) {
    struct pfifo_replay_progress progress;

    end_run(player, runs);
    assert_true(state_of(player) == states[runs]);
    assert_int_equal(pfifo_replay_result(player->replay)->submissions, runs);
    assert_true(pfifo_replay_progress(player->replay, player->channel, &progress));
    assert_true(progress.last.has_method);
}

/* From after it, and from before it, too, where the capture goes on; as often as somebody wants. */
static void a_mark_between_runs_leads_back_from_everywhere(void **state) {
    static const char *const names[] = {"captures/nvc0-quad.nvcap.xz",
                                        "captures/nve4-piglit-copy-pixels.nvcap.xz",
                                        "captures/nv117-quad.nvcap.xz",
                                        "captures/nv12b-quad-gbm-20frames.nvcap.xz",
                                        "captures/nv40-piglit-copy-pixels.nvcap.xz",
                                        "captures/nva3-quad-gbm-20frames.nvcap.xz",
                                        "tegra/fences.nvcap.zst"};
    enum { RUNS = 5 };

    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct pfifo_replay_mark *mark, *second, *inside;
        struct player player;
        uint64_t states[RUNS + 1];
        begin(&player, names[i]);
        assert_null(pfifo_replay_mark_new(player.replay, SIZE_MAX)); /* nothing has run */
        for (uint64_t runs = 1; runs <= 2; runs++)
            end_run(&player, runs);
        assert_null(pfifo_replay_mark_new(player.replay, 1)); /* it is larger */
        states[2] = state_of(&player);
        mark = pfifo_replay_mark_new(player.replay, SIZE_MAX);
        assert_non_null(mark);
        assert_true(state_of(&player) == states[2]);
        for (uint64_t runs = 3; runs <= RUNS; runs++) {
            end_run(&player, runs);
            states[runs] = state_of(&player);
        }
        second = pfifo_replay_mark_new(player.replay, SIZE_MAX);
        for (int times = 0; times < 2; times++) {
            assert_true(pfifo_replay_mark_leads_back(mark, player.replay));
            assert_true(pfifo_replay_mark_return(mark, player.replay));
            expect_next(&player, 2, states);
            expect_next(&player, 3, states);
            while (!pfifo_replay_result(player.replay)->running)
                assert_true(step(&player, 1));
            inside = pfifo_replay_mark_new(player.replay, SIZE_MAX);
            assert_non_null(inside);
            assert_true(pfifo_replay_mark_return(mark, player.replay));
            /* What it knew of the driver is gone, although the same run begins again. */
            end_run(&player, 3);
            while (!pfifo_replay_result(player.replay)->running)
                assert_true(step(&player, 1));
            assert_false(pfifo_replay_mark_leads_back(inside, player.replay));
            pfifo_replay_mark_free(inside);
            expect_next(&player, 4, states);
        }
        assert_true(pfifo_replay_mark_return(second, player.replay));
        assert_true(state_of(&player) == states[RUNS]);
        assert_true(pfifo_replay_mark_return(mark, player.replay));
        pfifo_replay_mark_free(mark);
        for (uint64_t runs = 3; runs <= RUNS; runs++)
            expect_next(&player, runs, states);
        end(&player);
        assert_false(pfifo_replay_mark_leads_back(second, player.replay));
        pfifo_replay_mark_free(second);
    }
}

/* Unseen packets go to an engine as a whole; times that it writes to memory are those of single methods. */
static void an_observer_changes_nothing(void **state) {
    static const char *const names[] = {
        "captures/nv40-clear.nvcap.xz", "captures/nv40-piglit-occlusion_query.nvcap.xz",
        "captures/nva3-quad.nvcap.xz",  "captures/nva3-piglit-occlusion_query.nvcap.xz",
        "captures/nvc0-clear.nvcap.xz", "captures/nv117-piglit-occlusion_query.nvcap.xz"};

    (void)state;
    for (size_t i = 0; i < 2 * sizeof names / sizeof names[0]; i++) {
        const char *name = names[i / 2];
        const struct pfifo_compare_options options = {.size = sizeof options, .ignore_registers = i % 2};
        struct player unseen, seen;
        bool any = false, more = true;
        begin_unseen(&unseen, name, i % 2 == 0);
        while (more)
            assert_int_equal(pfifo_replay_next(unseen.replay, &more, NULL), PFIFO_OK);
        play(&seen, name, 0, UINT64_MAX);
        assert_int_equal(pfifo_replay_compare(unseen.replay, seen.replay, &options, differs, &any, NULL), PFIFO_OK);
        if (any)
            fail_msg("%s is another when it is observed", name);
        end(&seen);
        end(&unseen);
    }
}

static void runs_of_version_2_are_cut_in_the_same_way(void **state) {
    (void)state;
    expect_same("tegra/fences.nvcap.zst", 6);
    expect_same("tegra/compute.nvcap.zst", 1);
    expect_same("tegra/patches.nvcap.zst", 1);
}

/* What a debugger relies on that goes back. */
static void the_same_steps_give_the_same_bytes(void **state) {
    static const char *const names[] = {"captures/nva3-quad.nvcap.xz", "captures/nve4-quad.nvcap.xz"};

    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct player first, second;
        play(&first, names[i], 1, 2);
        play(&second, names[i], 1, 2);
        assert_true(state_of(&first) == state_of(&second));
        end(&first);
        end(&second);
    }
}

/* Steps of one unit: where a method was expected, it was this one. */
static void expect_methods(const char *name, uint64_t runs) {
    struct player player;
    struct pfifo_replay_progress before = {0};
    const struct pfifo_replay_result *result;

    begin(&player, name);
    result = pfifo_replay_result(player.replay);
    for (bool more = true; more && (result->runs < runs || result->running);) {
        uint32_t channel = player.channel;
        more = step(&player, 1);
        if (player.any && before.next.has_method && channel == player.channel) {
            player.expected++;
            assert_int_equal(player.last.subchannel, before.next.subchannel);
            assert_int_equal(player.last.method, before.next.method);
            if (before.next.has_word)
                assert_int_equal(player.last.data, before.next.data);
        }
        if (!pfifo_replay_progress(player.replay, player.channel, &before))
            before = (struct pfifo_replay_progress){0};
    }
    assert_true(player.sums.methods > 20 && player.expected > player.sums.methods * 9 / 10);
    end(&player);
}

static void the_method_that_comes_next_is_known(void **state) {
    (void)state;
    expect_methods("captures/nv40-clear.nvcap.xz", 4);
    expect_methods("captures/nvc0-clear.nvcap.xz", 2);
    expect_methods("tegra/square.nvcap.zst", 4);
}

static void an_address_is_in_the_buffer_that_was_pushed(void **state) {
    static const char *const names[] = {"captures/nv40-clear.nvcap.xz", "captures/nva3-clear.nvcap.xz",
                                        "captures/nve4-clear.nvcap.xz", "tegra/square.nvcap.zst"};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct pfifo_replay_progress progress = {0};
        struct player player;
        uint64_t offset = 0;
        begin(&player, names[i]);
        while (!progress.next.in_push) {
            assert_true(step(&player, 1));
            pfifo_replay_progress(player.replay, player.channel, &progress);
        }
        struct pfifo_buffer *buffer = pfifo_replay_at(player.replay, player.channel, progress.next.address, &offset);
        assert_non_null(buffer);
        assert_ptr_equal(buffer, pfifo_replay_buffer(player.replay, progress.next.buffer));
        assert_int_equal(offset, progress.next.offset);
        assert_null(pfifo_replay_at(player.replay, player.channel, UINT64_C(0xfffffff000), &offset));
        end(&player);
    }
}

/* The rest of a run is done by the function that does whole ones. */
static void a_run_that_was_begun_in_steps_ends_in_one(void **state) {
    static const char name[] = "captures/nv40-clear.nvcap.xz";
    struct player player, whole;
    bool more;

    (void)state;
    begin(&player, name);
    step(&player, 1);
    assert_true(pfifo_replay_result(player.replay)->running);
    assert_int_equal(player.sums.methods, 0);
    for (int i = 0; i < 5; i++)
        step(&player, 1);
    assert_int_equal(pfifo_replay_next(player.replay, &more, NULL), PFIFO_OK);
    assert_false(pfifo_replay_result(player.replay)->running);
    begin(&whole, name);
    assert_int_equal(pfifo_replay_next(whole.replay, &more, NULL), PFIFO_OK);
    assert_int_equal(pfifo_replay_result(player.replay)->runs, 1);
    assert_true(player.sums.events == whole.sums.events);
    end(&player);
    end(&whole);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_in_steps_is_the_run_in_one),
        cmocka_unit_test(a_mark_leads_back_within_its_run),
        cmocka_unit_test(a_mark_between_runs_leads_back_from_everywhere),
        cmocka_unit_test(an_observer_changes_nothing),
        cmocka_unit_test(runs_of_version_2_are_cut_in_the_same_way),
        cmocka_unit_test(the_same_steps_give_the_same_bytes),
        cmocka_unit_test(the_method_that_comes_next_is_known),
        cmocka_unit_test(an_address_is_in_the_buffer_that_was_pushed),
        cmocka_unit_test(a_run_that_was_begun_in_steps_ends_in_one),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
