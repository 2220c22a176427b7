/* SPDX-License-Identifier: MIT */
/*
 * A debugger for captures: pfifo debug.
 *
 *   line --debug_commands.c--> command --> debug_run.c ----> replay, a unit of work at a time --.
 *                                     \--> debug_back.c --> the same from the beginning        | events
 *                                      \-> debug_show.c, debug_values.c: what is there        v
 *                                              debug_break.c, debug_watch.c: a stop? <-- debug.c: counts
 *
 * A place is told by what has been done until there: methods, packets and draws. A replay in
 * the same steps is the same every time, so a place is found again by doing it again.
 */
#ifndef PFIFO_TOOL_DEBUG_H
#define PFIFO_TOOL_DEBUG_H

#include <pfifo/event.h>
#include <pfifo/query.h>
#include <pfifo/replay.h>
#include <pfifo/trace.h>

#include <stdio.h>

#include "face/tool/refuse.h"

enum {
    DEBUG_LINE_BYTES = 1024,
    DEBUG_WORDS = 64, /* on a line */
    DEBUG_OBJECTS = 64,
    DEBUG_CHANNELS = 64,
    DEBUG_BREAKS = 64,
    DEBUG_BREAK_BYTES = 256, /* of the text of one */
    DEBUG_WATCH_BYTES = 4096,
    DEBUG_READ_COUNT = 4096, /* values that x prints */
    DEBUG_REASON_BYTES = 2048,
};

/* What was done since the beginning. */
struct debug_counts {
    uint64_t methods; /* executed */
    uint64_t packets; /* whose first method was executed */
    uint64_t draws;
};

/* Where a run begins. */
struct debug_start {
    struct debug_counts counts;
    uint64_t time;
    uint32_t sequence;
};

/* Memory: as a channel sees it, or not through its tables. */
struct debug_memory {
    enum { MEMORY_SEEN, MEMORY_VRAM, MEMORY_SYSTEM, MEMORY_BUFFER } kind;
    uint32_t channel, handle; /* UINT32_MAX: the first channel; of a buffer */
    uint64_t address;         /* or the offset in the buffer */
};

enum debug_break_kind { BREAK_METHOD, BREAK_ADDRESS, BREAK_EVENT, BREAK_REGISTER, BREAK_MEMORY };

struct debug_break {
    unsigned number; /* 0: the slot is free */
    enum debug_break_kind kind;
    bool temporary, hit; /* hit: at the stop that is shown now */
    uint64_t hits;
    char text[DEBUG_BREAK_BYTES];
    struct pfifo_query *query; /* of methods or events; NULL: all */
    char *globs;               /* of events */
    uint8_t *events;           /* by id: is it one of them? */
    uint64_t address;          /* of a word of a pushbuffer */
    struct debug_memory memory;
    size_t bytes;           /* of it */
    uint32_t offset, value; /* of a register */
    uint8_t *old;           /* memory, as it was */
    bool mapped;            /* there is memory */
};

/* The method that was looked at last, of a channel. */
struct debug_seen {
    bool valid;
    uint32_t channel, index;
    uint64_t packet;
};

struct debug_object {
    uint32_t channel, oclass;
};

struct debug {
    const char *file;
    struct pfifo_stream *stream, *text; /* that is replayed, that is decoded */
    struct pfifo_replay *replay;
    struct pfifo_gpu *gpu;
    const struct pfifo_chip *chip;
    struct pfifo_trace *trace; /* makes lines of events */
    bool observing, quit, ended, going_back, failed;

    struct debug_counts counts;
    uint64_t draw_methods; /* methods at the last draw */
    uint32_t sequence;     /* that began last */
    bool begun;            /* there was one */
    struct debug_start *start;
    size_t starts, start_room;
    uint32_t channel; /* of the last event; UINT32_MAX: none yet */
    struct pfifo_replay_progress progress;
    bool happened; /* an event since the progress was looked at */
    uint64_t fault_kinds;

    struct debug_object object[DEBUG_OBJECTS];
    size_t objects;
    size_t bind, method, draw, macro_method; /* numbers of events */

    struct debug_break breaks[DEBUG_BREAKS];
    unsigned last_number;
    struct debug_seen seen[DEBUG_CHANNELS];
    char reason[DEBUG_REASON_BYTES]; /* why it stops, in lines */
    bool stop;
};

/* A command: argument 0 is its name, `rest` the text behind it. False: it failed, and `error` says why. */
typedef bool debug_command(struct debug *debug, unsigned count, char **argument, const char *rest,
                           struct pfifo_error *error);

/* ---- debug.c: the session ---- */

/* False: the error says why; debug_close() it all the same. */
bool debug_open(struct debug *debug, const char *file, const struct pfifo_chip *chip, struct pfifo_error *error);
void debug_close(struct debug *debug);
/* Back to the beginning of the capture, with the same breakpoints. */
bool debug_restart(struct debug *debug, struct pfifo_error *error);
/* Observe what the breakpoints want. */
bool debug_observe(struct debug *debug, struct pfifo_error *error);
/* A unit of work, or all up to the beginning of the next run: never more, so that a place is reached in one way. */
bool debug_advance(struct debug *debug, struct pfifo_error *error);
bool debug_running(const struct debug *debug);
/* A part of the reason of the stop. */
void debug_because(struct debug *debug, const char *format, ...) PFIFO_PRINTF(2, 3);

/* ---- debug_run.c ---- */

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
/* Say why it has stopped, and where. */
void debug_say_stop(struct debug *debug);
debug_goal debug_run_begins;                       /* so many, and the first method of the last is known */
debug_goal debug_methods_done, debug_packets_done; /* so many, and a place behind them */
debug_command debug_cmd_run, debug_cmd_continue, debug_cmd_until, debug_cmd_next, debug_cmd_step, debug_cmd_finish;

enum debug_unit { DEBUG_METHOD, DEBUG_PACKET, DEBUG_DRAW, DEBUG_SUBMISSION, DEBUG_UNITS };
/* "[UNIT] [N]": units by their name or its beginning. */
bool debug_parse_units(unsigned count, char **argument, enum debug_unit *unit, uint64_t *number,
                       struct pfifo_error *error);
const char *debug_unit_name(enum debug_unit unit);

/* ---- debug_back.c ---- */
debug_command debug_cmd_back;

/* ---- debug_break.c, debug_watch.c ---- */

/* The machine was made anew, or stands elsewhere: nothing has just happened there. */
void debug_breaks_renew(struct debug *debug);
/* After each unit of work; `began`: a run did. The reason and `stop` say what was found. */
void debug_breaks_check(struct debug *debug, bool began);
void debug_breaks_event(struct debug *debug, const struct pfifo_event *event);
/* Those that were hit and are temporary are gone. */
void debug_breaks_end(struct debug *debug);
/* A hit: counted, and a stop. */
void debug_break_hit(struct debug *debug, struct debug_break *brk);
void debug_break_free(struct debug_break *brk);
/* NULL: there are too many; the error says so. */
struct debug_break *debug_break_new(struct debug *debug, enum debug_break_kind kind, const char *text,
                                    struct pfifo_error *error);
/* Takes lines of `trace`. */
bool debug_break_trace(void *opaque, const char *text, size_t bytes);
/* As the user is told of it. */
void debug_break_tell(const struct debug_break *brk);
/* A register, or memory: "NAME", "ADDRESS [BYTES]". NULL: it cannot be watched. */
struct debug_break *debug_watch_new(struct debug *debug, unsigned count, char **argument, struct pfifo_error *error);
void debug_watch_begin(struct debug *debug, struct debug_break *brk);
void debug_watch_check(struct debug *debug, struct debug_break *brk, bool began);
debug_command debug_cmd_break, debug_cmd_catch, debug_cmd_watch, debug_cmd_delete;
void debug_info_breakpoints(struct debug *debug);

/* ---- debug_show.c ---- */
void debug_print_place(struct debug *debug);
/* "0 9097 FERMI_A 1b0c SET_REPORT_SEMAPHORE_D 0x1000f010" */
void debug_format_method(const struct debug *debug, const struct pfifo_replay_word *word, char *buf, size_t size);
debug_command debug_cmd_where, debug_cmd_list, debug_cmd_disassemble, debug_cmd_info;
/* Name `index` of what info shows; NULL beyond the last. */
const char *debug_info_name(size_t index);

/* ---- debug_values.c ---- */
debug_command debug_cmd_examine, debug_cmd_print;
/* "ADDRESS", "vram:ADDRESS", "sys:ADDRESS", "buffer:HANDLE", "buffer:HANDLE+OFFSET". */
bool debug_parse_memory(struct debug *debug, const char *text, struct debug_memory *memory, struct pfifo_error *error);
/* False: not all of it is there. */
bool debug_read_memory(struct debug *debug, const struct debug_memory *memory, void *data, size_t bytes);
/* A number, a sum of them, or $pc and $header. */
bool debug_number(struct debug *debug, const char *text, uint64_t *number, struct pfifo_error *error);

/* ---- debug_machine.c: what the register console shows (shell.h), of this machine ---- */
debug_command debug_cmd_machine;
bool debug_machine_line(struct debug *debug, const char *line, struct pfifo_error *error);

/* ---- debug_commands.c ---- */

/* Execute a line, without its newline. */
bool debug_line(struct debug *debug, const char *line, struct pfifo_error *error);
/* Word `index` that may stand where `line` ends, after `begin`; NULL beyond the last. */
const char *debug_word(void *opaque, const char *line, size_t begin, size_t index);

#endif
