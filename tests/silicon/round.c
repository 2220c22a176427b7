/* SPDX-License-Identifier: MIT */
/* One round: a random state, one action or several, everything compared after each. */
#include <stdlib.h>

#include "silicon/silicon.h"
#include "differential/restore.h"
#include "kept.h"

#define MOST_ACTIONS 30

static bool play(struct silicon *s, FILE *report) {
    uint32_t actions = choice_once_in(s->choice, 4) ? choice_between(s->choice, 2, MOST_ACTIONS) : 1;
    s->thorough = choice_once_in(s->choice, 32);
    silicon_scene(s);
    silicon_note(s, "the state is set");
    bool same = silicon_compare(s);
    for (uint32_t i = 0; i < actions && same; i++) {
        same = restore_machine(&s->memory, &s->bus, &s->fifo, &s->events);
        silicon_action(s);
        same = same && silicon_compare(s);
    }
    if (same) {
        silicon_show_hidden(s);
        same = silicon_compare(s);
    }
    if (!same)
        silicon_print(s, report);
    return same;
}

bool silicon_round(struct choice *choice, FILE *report) {
    static const char *const chips[] = {"NV1", "NV3", "NV3T"};
    static struct kept kept;
    struct silicon *s = kept_zeroed(&kept, sizeof *s);
    if (!s) {
        fprintf(report, "no memory\n");
        return false;
    }
    s->choice = choice;
    const char *chip = chips[choice_below(choice, 3)];
    bool same = silicon_make(s, chip);
    if (same)
        same = play(s, report);
    else
        fprintf(report, "%s cannot be made\n", chip);
    silicon_free(s);
    return same;
}
