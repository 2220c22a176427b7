/* SPDX-License-Identifier: MIT */
/*
 * The register console: an interpreter of commands with a GPU, either the library's model or a real card.
 *
 *   a line --> shell_line() --> public API of the library --> lines of text --> your write callback
 *                           `-> BAR0 of a card
 *
 * It has no state but its own. The commands save and load, if allowed, open the files that they name, and nothing else
 * does. Lines are hostile: whatever they say, they cost a bounded amount of work, and an error.
 */
#ifndef PFIFO_TOOL_CONSOLE_MACHINE_SHELL_H
#define PFIFO_TOOL_CONSOLE_MACHINE_SHELL_H

#include <pfifo/gpu.h>
#include <pfifo/trace.h>

#include <stdio.h>

#include "card/card.h"

#define SHELL_LINE_BYTES 1024 /* the longest line, with its end */

struct shell;

struct shell_config {
    struct pfifo_config gpu; /* configuration of new GPUs; chip: of the first one, NULL: a command chooses */
    struct pfifo_gpu *lent;  /* look at this GPU of somebody else's, and change nothing; NULL: a GPU of its own */
    struct pci_card *card;   /* use this card instead of a model; NULL: models. The caller closes it, after the shell */
    pfifo_trace_write write; /* takes what the commands print */
    void *opaque;
    pfifo_trace_write write_events; /* receives events; NULL: `write` does */
    void *events_opaque;
    const char *trace;            /* globs of events to print from the beginning; NULL: none */
    bool files;                   /* commands may open files */
    bool (*enough)(void *opaque); /* somebody wants a run to stop: Ctrl-C; NULL: nobody does */
    bool explain;                 /* print the command before what it printed or caused */
    uint64_t budget;              /* of a run that does not say how long; 0: SHELL_RUN */
    uint64_t most;                /* the longest run that a command may ask for; 0: SHELL_MAX_RUN */
};

#define SHELL_RUN     (UINT64_C(1) << 20)
#define SHELL_MAX_RUN (UINT64_C(1) << 26)

/* The globs of `explain`: everything except accesses of the CPU. */
#define SHELL_EVENTS "bus.unmapped,bus.unknown,bus.line,memory.fault,pusher.*,puller.*,switch.*,fifo.*,engine.*"

enum shell_status {
    SHELL_OK,
    SHELL_FAILED, /* the command is wrong, or its expectation failed */
    SHELL_QUIT,   /* the command was quit */
};

/* NULL on error: those of pfifo_gpu_new(), PFIFO_ERROR_MEMORY, or globs that match no event. */
struct shell *shell_new(const struct shell_config *config, struct pfifo_error *error);
void shell_free(struct shell *shell);

/* Execute a line, without its newline. `error` is set if it failed. */
enum shell_status shell_line(struct shell *shell, const char *line, struct pfifo_error *error);

/* Word `index` that may stand where `line` ends, after `begin`: as struct line_edit_config has it. `opaque`: a shell.
 */
const char *shell_word(void *opaque, const char *line, size_t begin, size_t index);

/* Name of the chip of the GPU, NULL if there is none yet. */
const char *shell_chip(const struct shell *shell);

/* script.c */

struct shell_script {
    FILE *file;
    const char *name;
    bool prompt;     /* interactive: print a prompt, and go on after an error */
    bool keep_going; /* go on after an error */
    /* Asks for a line with a prompt, instead of a read from `file`. False: there are no more. NULL: nobody asks. */
    bool (*ask)(void *opaque, const char *prompt, char line[SHELL_LINE_BYTES]);
    void *opaque;
    /* A command begins, or ends; `shows`: it only shows something, which may be long. NULL: nobody wants to know. */
    void (*page)(bool shows, bool begins);
    bool quit; /* the result: quit was said */
};

/* Execute the lines of a file. Errors go to standard error. False if there were any. */
bool shell_run_script(struct shell *shell, struct shell_script *script);

/* Does the text look like a script: the command `chip` after comments? The text may be cut off. */
bool shell_is_script(const char *text, size_t bytes);

#endif
