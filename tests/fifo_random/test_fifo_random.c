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

#define ROUNDS 9000

static bool round_of(unsigned long long seed) {
    struct choice choice = choice_from_seed(seed);
    if (fifo_random_round_on(getenv("PFIFO_CHIP"), &choice, stderr))
        return true;
    fprintf(stderr, "# again with PFIFO_SEED=%llu\n", seed);
    return false;
}

static unsigned long long number(const char *name, unsigned long long otherwise) {
    const char *text = getenv(name);
    return text ? strtoull(text, NULL, 0) : otherwise;
}

static void machine_and_reference_agree_in_random_states(void **state) {
    (void)state;
    unsigned long long rounds = number("PFIFO_ROUNDS", ROUNDS), failed = 0;
    if (getenv("PFIFO_SEED")) {
        assert_true(round_of(number("PFIFO_SEED", 0)));
        return;
    }
    for (unsigned long long seed = 0; seed < rounds && failed < 4; seed++)
        failed += !round_of(seed);
    assert_int_equal(failed, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(machine_and_reference_agree_in_random_states),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
