/* SPDX-License-Identifier: MIT */
#include "measure.h"

#include <stdlib.h>
#include <time.h>

double measure_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

void measure_add(struct measure *measure, double seconds, double ratio) {
    if (measure->rounds == MEASURE_ROUNDS)
        return;
    measure->seconds[measure->rounds] = seconds;
    measure->ratio[measure->rounds++] = ratio;
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

struct measured measure_end(struct measure *measure) {
    unsigned n = measure->rounds;
    qsort(measure->seconds, n, sizeof measure->seconds[0], compare);
    qsort(measure->ratio, n, sizeof measure->ratio[0], compare);
    return (struct measured){.seconds = measure->seconds[n / 2],
                             .ratio = measure->ratio[n / 2],
                             .low = measure->ratio[n / 4],
                             .high = measure->ratio[n - 1 - n / 4]};
}
