/* SPDX-License-Identifier: MIT */
/*
 * PFIFO of NV4 .. MCP89 in random states behaves as the reference, to the last register: always the same rounds.
 *
 *   PFIFO_ROUNDS=100000  how many;  PFIFO_SEED=1234  this one only;  PFIFO_CHIP=NV17  on this chip only
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "fifo_random/fifo_random.h"
#include "rounds.h"

#define ROUNDS 9000

static bool play(struct choice *choice, FILE *report) {
    return fifo_random_round_on(getenv("PFIFO_CHIP"), choice, report);
}

static void machine_and_reference_agree_in_random_states(void **state) {
    (void)state;
    assert_int_equal(rounds_failed(play, ROUNDS), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(machine_and_reference_agree_in_random_states),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
