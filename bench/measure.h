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

/*
 * What a unit of a budget has taken in a kind of work of an engine; 16 ns are wanted. `kind`: the engine is its first
 * word. Printed are the least, the median and the most of each engine.
 */
void measure_unit(const char *chip, const char *kind, double nanoseconds);
void measure_units_print(void);

#endif
