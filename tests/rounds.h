/* SPDX-License-Identifier: MIT */
/*
 * The loop of a test of random rounds: always the same ones, each from its seed.
 *
 *   PFIFO_ROUNDS=100000  how many;  PFIFO_SEED=1234  this one only;  PFIFO_FAILURES=1  enough after so many that fail
 *   PFIFO_ROUNDS_SHARE=3 a third of the usual number, where each takes long: under sanitizers; the same for chips and
 * lengths, where each starts a process
 */
#ifndef PFIFO_TESTS_ROUNDS_H
#define PFIFO_TESTS_ROUNDS_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "differential/choice.h"

#define ROUNDS_MOST_FAILURES 4

/* One round: says in `report` what differs, and returns false then. */
typedef bool (*rounds_play)(struct choice *choice, FILE *report);

static inline unsigned long long rounds_number(const char *name, unsigned long long otherwise) {
    const char *text = getenv(name);
    return text ? strtoull(text, NULL, 0) : otherwise;
}

/* How many rounds are wanted; `usual` is what a test does by itself. */
static inline unsigned long long rounds_wanted(unsigned long long usual) {
    unsigned long long share = rounds_number("PFIFO_ROUNDS_SHARE", 1);
    return rounds_number("PFIFO_ROUNDS", share ? (usual + share - 1) / share : usual);
}

/* From one chip, or one length of a file, to the next. */
static inline size_t rounds_step(void) {
    unsigned long long share = rounds_number("PFIFO_ROUNDS_SHARE", 1);
    return share ? (size_t)share : 1;
}

static inline bool rounds_one(rounds_play play, unsigned long long seed) {
    struct choice choice = choice_from_seed(seed);
    if (play(&choice, stderr))
        return true;
    fprintf(stderr, "# again with PFIFO_SEED=%llu\n", seed);
    return false;
}

/* How many rounds failed: of `rounds`, or of what the environment asks for. */
static inline unsigned rounds_failed(rounds_play play, unsigned long long rounds) {
    unsigned failed = 0;
    if (getenv("PFIFO_SEED"))
        return !rounds_one(play, rounds_number("PFIFO_SEED", 0));
    rounds = rounds_wanted(rounds);
    unsigned long long most = rounds_number("PFIFO_FAILURES", ROUNDS_MOST_FAILURES);
    for (unsigned long long seed = 0; seed < rounds && failed < most; seed++)
        failed += !rounds_one(play, seed);
    return failed;
}

#endif
