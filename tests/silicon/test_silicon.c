/* SPDX-License-Identifier: MIT */
/*
 * PFIFO of NV1, NV3 and NV3T does in every state what the reference says: many random states, always the same ones.
 *
 *   PFIFO_ROUNDS=100000  how many;  PFIFO_SEED=1234  this one only
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "silicon/silicon.h"
#include "rounds.h"

#define ROUNDS 9000

static void silicon_and_reference_agree(void **state) {
    (void)state;
    assert_int_equal(rounds_failed(silicon_round, ROUNDS), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(silicon_and_reference_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
