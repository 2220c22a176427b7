/* SPDX-License-Identifier: MIT */
#include "measure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define ENGINES 32u
#define KINDS   64u /* of work, of an engine */

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

/* ---- units ---- */

static struct engine_units {
    char name[16];
    const char *chip;
    unsigned count;
    double nanoseconds[KINDS];
} engines[ENGINES];

static struct engine_units *find_engine(const char *chip, const char *kind) {
    size_t length = strcspn(kind, " ,");
    for (unsigned i = 0; i < ENGINES; i++) {
        struct engine_units *engine = &engines[i];
        if (!engine->count)
            snprintf(engine->name, sizeof engine->name, "%.*s", (int)length, kind), engine->chip = chip;
        if (strcmp(engine->chip, chip) == 0 && strlen(engine->name) == length &&
            memcmp(engine->name, kind, length) == 0)
            return engine;
    }
    return NULL;
}

void measure_unit(const char *chip, const char *kind, double nanoseconds) {
    struct engine_units *engine = find_engine(chip, kind);
    if (engine && engine->count < KINDS)
        engine->nanoseconds[engine->count++] = nanoseconds;
}

void measure_units_print(void) {
    for (unsigned i = 0; i < ENGINES && engines[i].count; i++) {
        struct engine_units *engine = &engines[i];
        unsigned n = engine->count;
        qsort(engine->nanoseconds, n, sizeof engine->nanoseconds[0], compare);
        printf("unit of work, ns: %-14s %-6s %27.1f   (%.1f .. %.1f; of %u kinds)\n", engine->name, engine->chip,
               engine->nanoseconds[n / 2], engine->nanoseconds[0], engine->nanoseconds[n - 1], n);
        engine->count = 0;
    }
}
