/* SPDX-License-Identifier: MIT */
/* For people: the last events of both machines, and a script that repeats all that was done to them. */
#include <inttypes.h>
#include <stdlib.h>

#include "differential/differential.h"

void pair_note(struct differential *d, const char *word, uint32_t address, uint32_t value) {
    if (d->lines == d->room) {
        size_t room = d->room ? 2 * d->room : 1024;
        struct script_line *more = realloc(d->script, room * sizeof *more);
        if (!more)
            return;
        d->script = more;
        d->room = room;
    }
    d->script[d->lines++] = (struct script_line){word, address, value};
}

#define SHOWN 12

static void print_events(const char *who, const struct recording *log, FILE *out) {
    for (size_t i = log->events > SHOWN ? log->events - SHOWN : 0; i < log->events; i++) {
        const struct reference_event *e = &log->event[i];
        fprintf(out, "    %-9s %zu %s", who, i, e->name);
        for (unsigned v = 0; v < 5; v++)
            fprintf(out, " %" PRIx64, e->value[v]);
        fprintf(out, " %s\n", e->text ? e->text : "");
    }
}

void pair_print(struct differential *d, FILE *out) {
    print_events("machine", &d->machine_log, out);
    print_events("reference", &d->reference_log, out);
}

/* As a shell of the tool takes it. */
void pair_print_script(struct differential *d, FILE *out) {
    fprintf(out, "chip %s\nw32 0x000200 0xffffffff\n", d->chip);
    for (size_t i = 0; i < d->lines; i++) {
        const struct script_line *l = &d->script[i];
        if (strcmp(l->word, "run") == 0)
            fprintf(out, "run %" PRIu32 "\n", l->value);
        else if (l->word[0] == 'r')
            fprintf(out, "%s 0x%06" PRIx32 "\n", l->word, l->address);
        else
            fprintf(out, "%s 0x%06" PRIx32 " 0x%08" PRIx32 "\n", l->word, l->address, l->value);
    }
}
