/* SPDX-License-Identifier: MIT */
/*
 * Rounds of a measurement. What is measured and what it is compared with take turns, and the ratio is that of
 * neighbours: what else the machine is doing slows both down. Time is the process's own.
 */
#ifndef PFIFO_BENCH_MEASURE_H
#define PFIFO_BENCH_MEASURE_H

#define MEASURE_ROUNDS 21

struct measure {
    unsigned rounds;
    double seconds[MEASURE_ROUNDS], ratio[MEASURE_ROUNDS];
};

/* Medians, and between which ratios half of the rounds are. */
struct measured {
    double seconds, ratio, low, high;
};

double measure_now(void);
void measure_add(struct measure *measure, double seconds, double ratio);
struct measured measure_end(struct measure *measure);

#endif
