/* SPDX-License-Identifier: MIT */
/* One round: a scene, and a few runs with a driver in between. */
#include <inttypes.h>
#include <stdlib.h>

#include "differential/differential.h"
#include "differential/restore.h"
#include "kept.h"

static const struct {
    const char *chip, *reference;
} chips[] = {{"NV40", "NV40"},   {"G80", "G80"}, {"G84", "G84"},   {"G73", "G73"},   {"GT215", "GT215"},
             {"NV44A", "NV44A"}, {"NV4", "NV4"}, {"NV10", "NV10"}, {"NV17", "NV17"}, {"NV34", "NV34"}};

static uint64_t any_budget(struct choice *c) {
    switch (choice_below(c, 4)) {
    case 0:
        return choice_below(c, 8);
    case 1:
        return choice_between(c, 1, 100);
    default:
        return choice_between(c, 1, 4000);
    }
}

static bool play(struct differential *d, FILE *report) {
    struct reference_stop stop;
    unsigned steps = choice_between(d->choice, 2, 10);
    scene_make(d);
    for (unsigned step = 0; step < steps; step++) {
        uint64_t budget = any_budget(d->choice);
        bool same = pair_run(d, budget, &stop);
        if (!same) {
            fprintf(report, "%s (%s%s%s), channel %" PRIu32 ", step %u, budget %" PRIu64 ": %s\n", d->chip,
                    d->ib ? "IB" : "DMA", d->materialise ? ", materialised" : "", d->observed ? ", observed" : "",
                    d->channel, step, budget, d->report);
            pair_print(d, report);
            return false;
        }
        scene_driver(d, &stop);
        if (!restore_machine(&d->memory, &d->bus, &d->fifo, &d->events))
            return false;
    }
    return true;
}

bool differential_round(struct choice *choice, FILE *report) {
    static struct kept kept;
    struct differential *d = kept_zeroed(&kept, sizeof *d);
    uint32_t n = choice_below(choice, sizeof chips / sizeof chips[0]);
    bool same = false;
    if (!d) {
        fprintf(report, "no memory\n");
        return false;
    }
    d->choice = choice;
    d->g84 = strcmp(chips[n].reference, "G84") == 0 || strcmp(chips[n].reference, "GT215") == 0;
    d->g80 = strcmp(chips[n].reference, "G80") == 0 || d->g84;
    d->materialise = choice_once_in(choice, 3);
    d->observed = choice_once_in(choice, 2);
    if (pair_make(d, chips[n].chip, chips[n].reference))
        same = play(d, report);
    else
        fprintf(report, "%s cannot be made\n", chips[n].chip);
    pair_free(d);
    return same;
}
