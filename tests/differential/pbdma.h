/* SPDX-License-Identifier: MIT */
/* A round of the PBDMA kind: see pbdma.c. */
#ifndef PFIFO_TESTS_DIFFERENTIAL_PBDMA_H
#define PFIFO_TESTS_DIFFERENTIAL_PBDMA_H

#include <stdio.h>

#include "differential/choice.h"

/* False: the machine and the reference differ; `report` says in what. */
bool differential_pbdma_round(struct choice *choice, FILE *report);

#endif
