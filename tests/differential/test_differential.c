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
#include "rounds.h"

#define ROUNDS 3000

static void cache_kind_and_reference_agree(void **state) {
    (void)state;
    assert_int_equal(rounds_failed(differential_round, ROUNDS), 0);
}

static void pbdma_kind_and_reference_agree(void **state) {
    (void)state;
    assert_int_equal(rounds_failed(differential_pbdma_round, ROUNDS), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cache_kind_and_reference_agree),
        cmocka_unit_test(pbdma_kind_and_reference_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
