/* SPDX-License-Identifier: MIT */
/*
 * Inside of the console: what a command works on.
 *
 *   a line --console.c--> words --table.c--> the verb --> its function, with the console
 *                                               `--> which targets it is for (target.h)
 */
#ifndef PFIFO_TOOL_CONSOLE_COMMAND_H
#define PFIFO_TOOL_CONSOLE_COMMAND_H

#include "face/tool/command/refuse.h"
#include "face/tool/console/breaks/breaks.h"
#include "face/tool/console/console.h"
#include "face/tool/console/run_stops.h"
#include "face/tool/console/verbs.h"
#include "state/bytes.h"

#define CONSOLE_MAX_WORDS 256  /* on a line */
#define CONSOLE_MAX_COUNT 4096 /* values that a command may read */

struct console_target;
struct console_back;
struct console_binds;
struct console_look;
struct console_shader;
struct debug;

struct console {
    struct console_config config;
    const struct console_target *target;
    struct pfifo_gpu *gpu;                   /* the model; NULL: a card, or none yet */
    const struct pfifo_registers *registers; /* of the model or the card; NULL: neither yet */
    struct pfifo_registers *of_card;
    struct debug *debug; /* the capture that is replayed on the model; NULL: none is */
    struct breaks breaks;
    struct console_shader *shader; /* inside a program, or on the way there; NULL: never was */
    bool quit;

    /* ---- the command that is executed ---- */
    const char *doing; /* its name */
    const char *rest;  /* the text after the name */
    const char *line;  /* to be printed before anything else is, for `explain` */

    /* ---- of a model that no capture is replayed on ---- */
    struct pfifo_trace *trace;
    char *globs;               /* of the trace; NULL: none */
    bool ran;                  /* the model, since it was made or loaded */
    uint64_t used;             /* units, by the run that was last */
    unsigned stop;             /* why it ended: enum run_stop */
    struct console_back *back; /* the way back; NULL: there is none */
    struct console_binds *binds;
    struct console_look *look;  /* at the run that is under way, in single units; NULL: at none */
    struct pfifo_event stopped; /* the method before which the last run was stopped, if `before` */
    uint64_t stopped_methods;   /* of its unit, up to and including that one */
    bool before;
    struct state_bytes held; /* text of events that may not have happened after all ... */
    bool holds;              /* ... from now on */
};

/* A command: argument 0 is its name. False: it failed, and `error` says why. */
typedef bool console_command(struct console *console, unsigned count, char **argument, struct pfifo_error *error);

/* What a command works on: a set of these. */
enum console_on {
    CONSOLE_ON_MODEL = 1,
    CONSOLE_ON_CARD = 2,
    CONSOLE_ON_CAPTURE = 4,
    CONSOLE_ON_NONE = 8, /* with the others: there need be no GPU yet */
    CONSOLE_ON_GPU = CONSOLE_ON_MODEL | CONSOLE_ON_CARD,
    CONSOLE_ON_LOOK = CONSOLE_ON_MODEL | CONSOLE_ON_CAPTURE,
    CONSOLE_ON_ANY = CONSOLE_ON_GPU | CONSOLE_ON_CAPTURE,
};

struct console_verb {
    const struct verb *verb;
    unsigned on;
    console_command *run;
};

/* ---- table.c: all of them ---- */

/* NULL: there is no such for what the console works on; the error says so. */
const struct console_verb *console_verb_find(const struct console *console, const char *name,
                                             struct pfifo_error *error);
/* Those of this console, for help and for words that may be typed. */
const struct verbs *console_verbs(const struct console *console);
/* The error: how the command that is executed is used. */
bool console_usage(const struct console *console, struct pfifo_error *error);

/* ---- console.c ---- */

/* Execute a line. */
enum console_status console_execute(struct console *console, const char *line, struct pfifo_error *error);
void console_print(struct console *console, const char *format, ...) PFIFO_PRINTF(2, 3);
/* The same of a text of any length. */
void console_put(struct console *console, const char *text, size_t bytes);
/* For those who print with a callback; opaque is the console. */
void console_print_text(void *console, const char *text);
/* Events as text, to where they go. */
void console_put_events(struct console *console, const char *text, size_t bytes);
/* Make the trace of console->globs anew, for console->gpu. */
bool console_trace(struct console *console, struct pfifo_error *error);
/* The arguments of a command, with that character between them. */
void console_join(unsigned count, char **argument, char between, char text[CONSOLE_LINE_BYTES]);
/* Name `index` of what info shows of this target; NULL beyond the last. */
const char *console_info_word(const struct console *console, size_t index);
/* Has the user asked for the end of what is running? */
bool console_has_enough(const struct console *console);

#endif
