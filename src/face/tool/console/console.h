/* SPDX-License-Identifier: MIT */
/*
 * The console: an interpreter of commands that look at a GPU, and run it. It works on one of three targets: a model
 * (pfifo shell), a card (pfifo shell --pci), or a capture that is replayed on a model (pfifo debug).
 *
 *   a line --> console_line() --> a command --> the target --> lines of text --> your write callback
 *
 * Inside: command.h, target.h, place.h. It has no state but its own. The commands save and load, if allowed, open the
 * files that they name, and nothing else does. Lines are hostile: whatever they say, they cost a bounded amount of work,
 * and an error.
 */
#ifndef PFIFO_TOOL_CONSOLE_CONSOLE_H
#define PFIFO_TOOL_CONSOLE_CONSOLE_H

#include <pfifo/gpu.h>
#include <pfifo/trace.h>

#include <stdio.h>

#include "card/card.h"

#define CONSOLE_LINE_BYTES 1024 /* the longest line, with its end */

struct console;

struct console_config {
    struct pfifo_config gpu; /* configuration of new GPUs; chip: of the first one, NULL: a command chooses */
    struct pci_card *card; /* use this card instead of a model; NULL: models. The caller closes it, after the console */
    pfifo_trace_write write; /* takes what the commands print */
    void *opaque;
    pfifo_trace_write write_events; /* receives events; NULL: `write` does */
    void *events_opaque;
    const char *trace;            /* globs of events to print from the beginning; NULL: none */
    bool files;                   /* commands may open files */
    bool (*enough)(void *opaque); /* somebody wants a run to stop: Ctrl-C; NULL: nobody does */
    bool explain;                 /* print the command before what it printed or caused */
    uint64_t budget;              /* of a run that does not say how long; 0: CONSOLE_RUN */
    uint64_t most;                /* the longest run that a command may ask for; 0: CONSOLE_MAX_RUN */
};

#define CONSOLE_RUN     (UINT64_C(1) << 20)
#define CONSOLE_MAX_RUN (UINT64_C(1) << 26)

/* The globs of `explain`: everything except accesses of the CPU. */
#define CONSOLE_EVENTS "bus.unmapped,bus.unknown,bus.line,memory.fault,pusher.*,puller.*,switch.*,fifo.*,engine.*"

enum console_status {
    CONSOLE_OK,
    CONSOLE_FAILED, /* the command is wrong, or its expectation failed */
    CONSOLE_QUIT,   /* the command was quit */
};

/* NULL on error: those of pfifo_gpu_new(), PFIFO_ERROR_MEMORY, or globs that match no event. */
struct console *console_new(const struct console_config *config, struct pfifo_error *error);
void console_free(struct console *console);

/* Execute a line, without its newline. `error` is set if it failed. */
enum console_status console_line(struct console *console, const char *line, struct pfifo_error *error);

/* Word `index` that may stand where `line` ends, after `begin`: as struct line_edit_config has it. `opaque`: a
 * console. */
const char *console_word(void *opaque, const char *line, size_t begin, size_t index);

/* Name of the chip of the GPU, NULL if there is none yet. */
const char *console_chip(const struct console *console);

/* lines/script.c */

struct console_script {
    FILE *file;
    const char *name;
    bool prompt;             /* interactive: print a prompt, and go on after an error */
    const char *prompt_text; /* NULL: the chip's name */
    bool keep_going;         /* go on after an error */
    /* Asks for a line with a prompt, instead of a read from `file`. False: there are no more. NULL: nobody asks. */
    bool (*ask)(void *opaque, const char *prompt, char line[CONSOLE_LINE_BYTES]);
    void *opaque;
    /* A command begins, or ends; `shows`: it only shows something, which may be long. NULL: nobody wants to know. */
    void (*page)(void *opaque, bool shows, bool begins);
    bool quit; /* the result: quit was said */
};

/* Execute the lines of a file, without a prompt up to Ctrl-C. Errors go to standard error. False if there were any. */
bool console_run_script(struct console *console, struct console_script *script);

/* Does the text look like a script: the command `chip` after comments? The text may be cut off. */
bool console_is_script(const char *text, size_t bytes);

#endif
