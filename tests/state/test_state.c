/* SPDX-License-Identifier: MIT */
/*
 * A run continued from a restore is the same run: random work on every kind of machine, saved at random points, goes
 * on in another GPU to the same events, registers, memory and stops.
 *
 *   PFIFO_ROUNDS=1000  how many;  PFIFO_SEED=1234  this one only
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "state/player.h"
#include "state/raw.h"
#include "state/sections.h"
#include "rounds.h"

#define ROUNDS 20 /* per chip */

/* ---- comparing ---- */

/* The first difference, in words of its section. Checksums are left out: they only say that something differs. */
static void assert_same_bytes(const struct player_bytes *a, const struct player_bytes *b, const char *what) {
    size_t section = STREAM_HEADER, at = STREAM_HEADER;
    for (; at < a->bytes && at < b->bytes; at += 4) {
        if (at >= section_after(a, section))
            section = section_after(a, section);
        if (at != section + 12 && memcmp(a->data + at, b->data + at, 4) != 0)
            fail_msg("%s differ in section %.4s, word %d: 0x%x and 0x%x", what, (const char *)a->data + section,
                     ((int)(at - section) - (int)SECTION_HEADER) / 4, (unsigned)stream_word(a, at),
                     (unsigned)stream_word(b, at));
    }
    assert_int_equal(a->bytes, b->bytes);
}

static void assert_same_event(const struct player *a, const struct player *b) {
    if (a->log.digest != b->log.digest || a->log.events != b->log.events)
        fail_msg("events differ: %llu and %llu, the last ones %s and %s", (unsigned long long)a->log.events,
                 (unsigned long long)b->log.events, pfifo_event_info(a->log.last.id)->name,
                 pfifo_event_info(b->log.last.id)->name);
}

static void assert_same_stop(const struct player *a, const struct player *b) {
    const struct pfifo_stop_info *x = pfifo_gpu_stop_info(a->gpu), *y = pfifo_gpu_stop_info(b->gpu);
    assert_int_equal(x->reason, y->reason);
    assert_int_equal(x->used, y->used);
    assert_int_equal(x->channel, y->channel);
    assert_int_equal(x->in_memory, y->in_memory);
    assert_int_equal(x->is_syncpoint, y->is_syncpoint);
    assert_int_equal(x->address, y->address);
    assert_int_equal(x->expected, y->expected);
    assert_int_equal(x->found, y->found);
    assert_int_equal(pfifo_gpu_irq(a->gpu), pfifo_gpu_irq(b->gpu));
}

static void assert_same_registers(const struct player *a, const struct player *b) {
    static const uint32_t areas[][2] = {{0x0, 0x1000},        {0x1700, 0x1800},     {0x2000, 0x4000},
                                        {0x9000, 0x9500},     {0x40000, 0x42200},   {0x90000, 0x90800},
                                        {0x100c00, 0x100d00}, {0x400100, 0x400180}, {0x800000, 0x800400}};
    for (size_t i = 0; i < sizeof areas / sizeof areas[0]; i++)
        for (uint32_t at = areas[i][0]; at < areas[i][1]; at += 4) {
            uint32_t x = pfifo_gpu_rd32(a->gpu, at), y = pfifo_gpu_rd32(b->gpu, at);
            if (x != y)
                fail_msg("register 0x%x: 0x%x and 0x%x", (unsigned)at, (unsigned)x, (unsigned)y);
        }
}

static void save(struct player *player, struct player_bytes *bytes) {
    struct pfifo_error error = {0};
    if (!player_save(player->gpu, bytes, &error))
        fail_msg("%s: %s", player->part->chip, error.message);
}

static void load(struct player *player, const struct player_bytes *bytes) {
    struct pfifo_error error = {0};
    if (pfifo_gpu_load(player->gpu, bytes->data, bytes->bytes, &error) != PFIFO_OK)
        fail_msg("%s: %s", player->part->chip, error.message);
}

/* ---- a round ---- */

/*
 * Three players do the same; the second one is restored from the first one on the way. A fourth does something else:
 * its work goes on in the GPU that is restored before that, so that what is not restored is wrong and not just as it
 * was.
 */
struct round {
    struct player saved, restored, undisturbed;
    struct player_bytes power_on, other;
    const char *observed;
    bool materialise;
};

static void work_otherwise(struct round *round, const struct player_part *part, struct choice *c) {
    struct player player;
    assert_true(player_open(&player, part, false, NULL, c));
    for (unsigned step = choice_between(c, 20, 60); step > 0; step--)
        player_step(&player, c);
    save(&player, &round->other);
    player_close(&player);
}

static void open_players(struct round *round, const struct player_part *part, struct choice *c) {
    static const char *const observed[] = {NULL, "*", "switch.*,puller.bind,engine.*,fifo.*", "pusher.*,memory.*"};
    struct pfifo_gpu *fresh;
    memset(round, 0, sizeof *round);
    const char *globs = round->observed = observed[choice_below(c, 4)];
    bool materialise = round->materialise = choice_once_in(c, 4);
    struct choice first = *c, second = *c;
    assert_true(player_open(&round->saved, part, materialise, globs, &first));
    assert_true(player_open(&round->restored, part, materialise, globs, &second));
    assert_true(player_open(&round->undisturbed, part, materialise, globs, c));
    const struct pfifo_config config = {
        .chip = pfifo_chip_by_name(part->chip), .vram_bytes = 32 << 20, .system_bytes = 32 << 20};
    fresh = pfifo_gpu_new(&config, NULL);
    assert_non_null(fresh);
    assert_true(player_save(fresh, &round->power_on, NULL));
    pfifo_gpu_free(fresh);
    struct choice otherwise = choice_from_seed(choice_word(c));
    work_otherwise(round, part, &otherwise);
}

static void close_players(struct round *round) {
    player_close(&round->saved);
    player_close(&round->restored);
    player_close(&round->undisturbed);
    free(round->power_on.data);
    free(round->other.data);
}

static void all_step(struct round *round, struct choice *c) {
    struct choice first = *c, second = *c;
    player_step(&round->saved, &first);
    player_step(&round->restored, &second);
    player_step(&round->undisturbed, c);
}

/* The second one forgets everything, does something else, then becomes the first one. */
static void restore(struct round *round, struct choice *c) {
    struct player_bytes first, second, third;
    save(&round->saved, &first);
    save(&round->saved, &second);
    assert_same_bytes(&first, &second, "two saves at the same point");
    load(&round->restored, &round->power_on);
    save(&round->restored, &third);
    assert_same_bytes(&third, &round->power_on, "power-on and what was saved after loading it");
    free(third.data);
    load(&round->restored, &round->other);
    for (unsigned runs = choice_below(c, 5); runs > 0; runs--)
        pfifo_gpu_run(round->restored.gpu, choice_below(c, 300));
    load(&round->restored, &first);
    save(&round->restored, &third);
    assert_same_bytes(&first, &third, "what was loaded and what is saved again");
    round->restored.log = round->saved.log;
    free(first.data);
    free(second.data);
    free(third.data);
}

/* Into a GPU that was never used, where work goes on without the driver. */
static void go_on_in_a_fresh_gpu(struct round *round, const struct player_bytes *bytes, struct choice *c) {
    const struct player_part part = {.chip = round->saved.part->chip};
    struct player fresh;
    struct choice unused = choice_from_seed(0);
    struct player_bytes a, b;
    assert_true(player_open(&fresh, &part, round->materialise, round->observed, &unused));
    load(&fresh, &round->power_on);
    load(&fresh, bytes);
    fresh.log = round->saved.log;
    assert_same_registers(&round->saved, &fresh);
    for (unsigned step = choice_between(c, 1, 40); step > 0; step--) {
        struct choice same = *c;
        raw_step(round->saved.gpu, c);
        raw_step(fresh.gpu, &same);
        assert_same_event(&round->saved, &fresh);
        assert_same_stop(&round->saved, &fresh);
    }
    assert_same_registers(&round->saved, &fresh);
    save(&round->saved, &a);
    save(&fresh, &b);
    assert_same_bytes(&a, &b, "the saved machine and one that went on elsewhere");
    free(a.data);
    free(b.data);
    player_close(&fresh);
}

static void play(const struct player_part *part, unsigned long long seed) {
    struct choice choice = choice_from_seed(seed), *c = &choice;
    struct round round;
    struct player_bytes a, b, u, final;
    open_players(&round, part, c);
    for (unsigned step = choice_below(c, 60); step > 0; step--)
        all_step(&round, c);
    restore(&round, c);
    for (unsigned step = choice_between(c, 1, 40); step > 0; step--) {
        all_step(&round, c);
        assert_same_event(&round.saved, &round.restored);
        assert_same_stop(&round.saved, &round.restored);
    }
    save(&round.saved, &a);
    save(&round.restored, &b);
    save(&round.undisturbed, &u);
    assert_same_bytes(&a, &b, "the saved machine and the restored one");
    assert_same_bytes(&a, &u, "the saved machine and one that never was");
    assert_same_registers(&round.saved, &round.restored);
    save(&round.saved, &final);
    go_on_in_a_fresh_gpu(&round, &final, c);
    free(final.data);
    free(a.data);
    free(b.data);
    free(u.data);
    close_players(&round);
}

static void a_restored_run_is_the_same_run(void **state) {
    (void)state;
    unsigned long long rounds = rounds_wanted(ROUNDS), first = rounds_number("PFIFO_SEED", 0);
    if (getenv("PFIFO_SEED"))
        rounds = 1;
    for (size_t i = 0; i < player_part_count; i++)
        for (unsigned long long seed = first; seed < first + rounds; seed++) {
            fprintf(stderr, "\r%s, PFIFO_SEED=%llu   ", player_parts[i].chip, seed);
            play(&player_parts[i], seed);
        }
    fprintf(stderr, "\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_restored_run_is_the_same_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
