/* SPDX-License-Identifier: MIT */
/*
 * The benches that compare each kind of machine with its reference, while the machine is restored between all steps.
 *
 *   PFIFO_ROUNDS=100000  how many;  PFIFO_SEED=1234  this one only
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "differential/differential.h"
#include "differential/pbdma.h"
#include "fifo_random/fifo_random.h"
#include "pbdma_random/round.h"
#include "silicon/silicon.h"
#include "differential/restore.h"
#include "rounds.h"

#define ROUNDS 500

typedef bool (*round_function)(struct choice *choice, FILE *report);

static void check(round_function play) {
    unsigned long long first = rounds_number("PFIFO_SEED", 0);
    unsigned long long last = getenv("PFIFO_SEED") ? first + 1 : rounds_wanted(ROUNDS);
    restore_asked = true;
    for (unsigned long long seed = first; seed < last; seed++) {
        struct choice choice = choice_from_seed(seed);
        if (!play(&choice, stderr))
            fail_msg("PFIFO_SEED=%llu", seed);
    }
}

static void cache_kind_and_reference_agree_after_restores(void **state) {
    (void)state;
    check(differential_round);
}

static void pbdma_kind_and_reference_agree_after_restores(void **state) {
    (void)state;
    check(differential_pbdma_round);
}

static void channels_of_many_pbdmas_and_reference_agree_after_restores(void **state) {
    (void)state;
    check(pbdma_random_round);
}

static void channels_of_nv4_to_mcp89_and_reference_agree_after_restores(void **state) {
    (void)state;
    check(fifo_random_round);
}

static void nv1_to_nv3t_and_reference_agree_after_restores(void **state) {
    (void)state;
    check(silicon_round);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cache_kind_and_reference_agree_after_restores),
        cmocka_unit_test(pbdma_kind_and_reference_agree_after_restores),
        cmocka_unit_test(channels_of_many_pbdmas_and_reference_agree_after_restores),
        cmocka_unit_test(channels_of_nv4_to_mcp89_and_reference_agree_after_restores),
        cmocka_unit_test(nv1_to_nv3t_and_reference_agree_after_restores),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
