/* SPDX-License-Identifier: MIT */
/* A round of the bench in pbdma_random.h. False: a difference was found, and reported with a script that shows it. */
#ifndef PFIFO_TESTS_PBDMA_RANDOM_ROUND_H
#define PFIFO_TESTS_PBDMA_RANDOM_ROUND_H

#include <stdio.h>

#include "differential/choice.h"

bool pbdma_random_round(struct choice *choice, FILE *report);
/* The same on one chip; NULL: any. */
bool pbdma_random_round_on(const char *chip, struct choice *choice, FILE *report);

#endif
