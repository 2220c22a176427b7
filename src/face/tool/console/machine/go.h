/* SPDX-License-Identifier: MIT */
/* A model goes on, up to a breakpoint or to something else. */
#ifndef PFIFO_TOOL_CONSOLE_MACHINE_GO_H
#define PFIFO_TOOL_CONSOLE_MACHINE_GO_H

#include "face/tool/console/place.h"

/* How to go on. */
struct console_go {
    uint64_t most;                                        /* units */
    bool single;                                          /* one at a time */
    bool told;                                            /* say which one it was, each time */
    bool (*reached)(struct console *console, void *goal); /* after each unit; NULL: nothing else ends it */
    void *goal;
    size_t event;   /* end with so many of these ... */
    uint64_t count; /* ... 0: with none ... */
    bool before;    /* ... before the last of them, without those of the first unit; else after it */
};

/* How it ended. */
enum console_end {
    CONSOLE_END_RUN,     /* there is no more, or `most` was done */
    CONSOLE_END_REACHED, /* what was wanted is there */
    CONSOLE_END_BREAK,   /* a breakpoint; the reason has been printed */
    CONSOLE_END_ENOUGH,  /* Ctrl-C */
};

/* False: it could not begin, or not be brought to where it should stop; the error says why. `used`: units. */
bool console_go(struct console *console, const struct console_go *go, enum console_end *end, uint64_t *used,
                struct pfifo_error *error);
/* At a breakpoint, or where it has got to by itself. */
void console_print_end(struct console *console, enum console_end end, uint64_t used);
/* The units of a run that does not say how many. */
uint64_t console_units(const struct console *console);

/* units_on() of struct console_target. */
bool console_units_on(struct console *console, uint64_t units, bool again, struct pfifo_error *error);

/* Add the method that was executed last to the reason why a watchpoint stops. */
void console_blame(struct console *console, bool memory);

/* Why the last run has stopped, if nobody stopped it. */
void console_print_stop(struct console *console, uint64_t used);

/* ---- break.c ---- */

extern const struct breaks_owner model_breaks_owner;
/* Can it be read after each unit of work, which must change nothing? */
bool console_can_watch(const struct console *console, const struct console_place *place, const char *text,
                       struct pfifo_error *error);
/* The GPU is of another chip: registers that are watched may be others there. */
void console_break_chip(struct console *console);

#endif
