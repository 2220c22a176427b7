/* SPDX-License-Identifier: MIT */
/*
 * The machine behaves as the reference, to the last register: many random scenes, always the same ones.
 *
 *   PFIFO_ROUNDS=100000  how many;  PFIFO_SEED=1234  this one scene only
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "differential/differential.h"
#include "differential/pbdma.h"

#define ROUNDS 3000

typedef bool (*round_function)(struct choice *choice, FILE *report);

static bool round_of(round_function play, unsigned long long seed) {
    struct choice choice = choice_from_seed(seed);
    if (play(&choice, stderr))
        return true;
    fprintf(stderr, "    again with PFIFO_SEED=%llu\n", seed);
    return false;
}

static unsigned long long number(const char *name, unsigned long long otherwise) {
    const char *text = getenv(name);
    return text ? strtoull(text, NULL, 0) : otherwise;
}

static void check(round_function play) {
    unsigned long long rounds = number("PFIFO_ROUNDS", ROUNDS), failed = 0;
    if (getenv("PFIFO_SEED")) {
        assert_true(round_of(play, number("PFIFO_SEED", 0)));
        return;
    }
    for (unsigned long long seed = 0; seed < rounds && failed < 8; seed++)
        failed += !round_of(play, seed);
    assert_int_equal(failed, 0);
}

static void cache_kind_and_reference_agree(void **state) {
    (void)state;
    check(differential_round);
}

static void pbdma_kind_and_reference_agree(void **state) {
    (void)state;
    check(differential_pbdma_round);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cache_kind_and_reference_agree),
        cmocka_unit_test(pbdma_kind_and_reference_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
