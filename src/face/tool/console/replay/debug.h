/* SPDX-License-Identifier: MIT */
/*
 * A debugger for captures: pfifo debug.
 *
 *   line --commands.c--> command --> run.c ----------> replay, a unit of work at a time --.
 *          back.c, reverse.c: the same from the beginning, or from a place <-----/   | events
 *          show.c, values.c: what is there                                            v
 *                                             break.c, ../breaks/: a stop? <-- debug.c: counts
 *
 * A place is told by what has been done until there: methods, packets, draws and launches. A replay in
 * the same steps is the same every time, so a place is found again by doing it again.
 */
#ifndef PFIFO_TOOL_CONSOLE_REPLAY_DEBUG_H
#define PFIFO_TOOL_CONSOLE_REPLAY_DEBUG_H

#include <pfifo/event.h>
#include <pfifo/query.h>
#include <pfifo/replay.h>
#include <pfifo/trace.h>

#include <stdio.h>

#include "face/tool/command/source.h"
#include "face/tool/console/commands.h"
#include "face/tool/console/run_units.h"

enum {
    DEBUG_OBJECTS = 64,
    DEBUG_CHANNELS = 64,
    DEBUG_READ_COUNT = 4096, /* words that disassemble takes */
};

/* What was done since the beginning. */
struct debug_counts {
    uint64_t methods; /* executed */
    uint64_t packets; /* whose first method was executed */
    uint64_t draws;
    uint64_t launches; /* of grids, that were executed */
};

/* Where a run begins. */
struct debug_start {
    struct debug_counts counts;
    uint64_t time, steps;
    uint32_t sequence;
    bool placed;      /* it has come to its first place, */
    uint64_t methods; /* which is after so many */
};

/* Kinds of memory: as a channel sees it, or not through its tables. */
enum debug_memory_kind { MEMORY_SEEN, MEMORY_VRAM, MEMORY_SYSTEM, MEMORY_RAMIN, MEMORY_BUFFER };

/* The method that was looked at last, of a channel. */
struct debug_seen {
    bool valid;
    uint32_t channel, index;
    uint64_t packet;
};

struct debug_object {
    uint32_t channel, oclass;
};

/* A place to come back to. */
struct debug_place {
    struct pfifo_replay_mark *mark; /* NULL: there is none */
    struct debug_counts counts;
    uint64_t steps, methods_at[RUN_UNITS];
    uint32_t channel, sequence;
    size_t objects;
    struct debug_seen seen[DEBUG_CHANNELS];
};

struct debug {
    struct console console; /* which has the machine and the breakpoints */
    FILE *out;              /* what commands print */
    const char *file;
    struct pfifo_stream *stream, *text; /* that is replayed, that is decoded */
    struct pfifo_replay *replay;
    const struct pfifo_chip *chip;
    bool observing, ended, failed;
    bool going_back; /* what happens has happened before: breakpoints do not hear of it, */
    bool listening;  /* but for now they do */
    bool json;       /* of what commands print, objects are made */

    struct debug_counts counts;
    uint64_t steps;                 /* units, as debug_advance() does them: a place has them each time */
    uint64_t methods_at[RUN_UNITS]; /* methods at the last draw, at the last launch */
    uint32_t sequence;              /* that began last */
    bool begun;                     /* there was one */
    struct debug_start *start;
    size_t starts, start_room;
    uint32_t channel; /* of the last event; UINT32_MAX: none yet */
    struct pfifo_replay_progress progress;
    bool happened; /* an event since the progress was looked at */
    uint64_t fault_kinds;

    bool wants_inside;                   /* the unit that was done last runs a program that a breakpoint stops in */
    bool reached, faulted;               /* the goal is; there was a fault, of a new kind, on the way */
    uint32_t stop;                       /* why it stopped last: bits of enum run_stop; 0: nothing has run */
    char stop_text[BREAKS_REASON_BYTES]; /* what was said of it */
    unsigned hit[BREAKS_MOST], hits;     /* numbers of breakpoints that made it stop */
    bool stopped;                        /* by the command that is executed */

    struct debug_object object[DEBUG_OBJECTS];
    size_t objects;
    size_t bind, method, draw, launch, macro_method; /* numbers of events */

    bool began;                /* a run did, in the unit that was done last */
    struct debug_marks *marks; /* places of the run that it is in, to come back to: back.c */
    struct debug_way *way;     /* and between runs: way.c */
    uint64_t replayed;         /* submissions that were run again to go back */
    bool went_back;            /* the command that is executed */
    struct debug_seen seen[DEBUG_CHANNELS];
    bool is_new; /* the method that comes next: before the unit that was done last, another one did */
};

/* ---- debug.c: the session ---- */

/* False: the error says why; debug_close() it all the same. */
bool debug_open(struct debug *debug, const char *file, const struct source *source, bool json,
                struct pfifo_error *error);
void debug_close(struct debug *debug);
/* Back to the beginning of the capture, with the same breakpoints. */
bool debug_restart(struct debug *debug, struct pfifo_error *error);
/* Observe what the breakpoints want. */
bool debug_observe(struct debug *debug, struct pfifo_error *error);
/* Ask where the channel is in its commands. */
void debug_look(struct debug *debug);
/* A unit of work, or all up to the beginning of the next run: never more, so that a place is reached in one way. */
bool debug_advance(struct debug *debug, struct pfifo_error *error);
bool debug_running(const struct debug *debug);

/* ---- run.c ---- */

/* Is the goal reached? */
typedef bool debug_goal(struct debug *debug, uint64_t goal);
/* The method that comes next is known, or the run is at its end: a place to stand at. */
bool debug_at_place(const struct debug *debug);
/* The same, and it is the first of its packet. */
bool debug_at_packet(const struct debug *debug);
/* Go on up to a goal, a breakpoint, the end of the capture or Ctrl-C. */
bool debug_go(struct debug *debug, debug_goal *goal, uint64_t value, struct pfifo_error *error);
/* The same without breakpoints. */
bool debug_go_silently(struct debug *debug, debug_goal *goal, uint64_t value, struct pfifo_error *error);
/* A unit, and what the breakpoints say to it. */
bool debug_go_unit(struct debug *debug, struct pfifo_error *error);
/* Say why it has stopped, and where. */
void debug_say_stop(struct debug *debug);
debug_goal debug_run_begins;                       /* so many, and the first method of the last is known */
debug_goal debug_methods_done, debug_packets_done; /* so many, and a place after them */

/* "[UNIT] [N]": units by their name or its beginning. */
bool debug_parse_units(unsigned count, char **argument, enum run_unit *unit, uint64_t *number,
                       struct pfifo_error *error);

/* ---- place.c ---- */

/* Of the place where it is. False: the mark would be larger than `most` bytes, or cannot be left; mark is NULL then. */
bool debug_place_keep(struct debug *debug, struct debug_place *place, size_t most);
/* False: there is no way back; see pfifo_replay_mark_return(). */
bool debug_place_return(struct debug *debug, const struct debug_place *place);
void debug_place_forget(struct debug_place *place);

/* ---- back.c ---- */
void debug_marks_free(struct debug *debug);
/* To the last mark in this run that is before so many steps. False: there is none. */
bool debug_marks_return(struct debug *debug, uint64_t steps);

/* ---- way.c ---- */

/* Before each step: perhaps it is time for a mark. */
void debug_way_leave(struct debug *debug);
/* To the last mark before so many steps. False: there is none. */
bool debug_way_return(struct debug *debug, uint64_t steps);
void debug_way_free(struct debug *debug);

/* ---- reverse.c ---- */
/* To before the unit that was done last, and into the shader program that a breakpoint stops in. */
bool debug_enter_program(struct debug *debug, struct pfifo_error *error);

/* ---- break.c ---- */

extern const struct breaks_owner capture_breaks_owner;
/* The machine was made anew, or stands elsewhere: nothing has just happened there. */
void debug_breaks_renew(struct debug *debug);
/* After each unit of work; `began`: a run did. The breakpoints say what was found. */
void debug_breaks_check(struct debug *debug, bool began);
void debug_breaks_event(struct debug *debug, const struct pfifo_event *event);

/* ---- show.c ---- */
void debug_print_place(struct debug *debug);
/* Before the first submission: what an error says more, "; nothing has run yet: ..."; then "". */
const char *debug_not_yet(const struct debug *debug);
/* "0 9097 FERMI_A 1b0c SET_REPORT_SEMAPHORE_D 0x1000f010" */
void debug_format_method(const struct debug *debug, const struct pfifo_replay_word *word, char *buf, size_t size);
/* ---- values.c ---- */
/* "ADDRESS", "vram:ADDRESS", "sys:ADDRESS", "ramin:ADDRESS", "buffer:HANDLE", "buffer:HANDLE+OFFSET". */
bool debug_parse_memory(struct debug *debug, const char *text, struct break_memory *memory, struct pfifo_error *error);
/* False: not all of it is there. */
bool debug_read_memory(struct debug *debug, const struct break_memory *memory, void *data, size_t bytes);
/* ---- json.c ---- */

/* A command was executed: what it printed, the error if it failed, and where it has stopped if it ran. */
void debug_json(struct debug *debug, const char *line, const char *printed, const struct pfifo_error *error,
                FILE *file);

#endif
