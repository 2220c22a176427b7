/* SPDX-License-Identifier: MIT */
/* The command line of `pfifo run`. */
#ifndef PFIFO_TOOL_RUN_CMD_RUN_H
#define PFIFO_TOOL_RUN_CMD_RUN_H

#include <pfifo/replay.h>

#include "face/drm/session/pictures.h"
#include "face/tool/command/select.h"
#include "face/tool/command/source.h"
#include "face/tool/program/program.h"
#include "face/tool/tool.h"

struct run {
    struct pfifo_replay_config replay;
    unsigned jobs;     /* threads that draw, 0: as many as there are cores */
    const char *trace; /* globs, NULL: none */
    struct select select;
    struct pfifo_query *query; /* of events, NULL: all */
    const char *output;
    const char *folder; /* of dumps, NULL: none */
    struct pictures_config pictures;
    bool timeline; /* instead of all that is printed: to `events` */
    bool trace_asked, stats, json, digest;
    bool is_program; /* `files` are its words */
    bool is_quoted;  /* they stand after -- */
    struct program_options program;
    struct source source; /* what is known of words: --raw, --base, --object */
    char **files;
    int count;
    const struct pfifo_chip *against; /* NULL: one chip runs it, and is not compared */
    const char *file;                 /* the file that runs, as it was named */
    const struct run_text *text;      /* that its capture is made of; NULL: it is a capture */
    struct tool_output *events;       /* where traces go */
};

/* Words, and what the capture of them was made with. */
struct run_text {
    const struct pfifo_words *words;
    struct pfifo_words_capture_options with;
};

/* Options that pfifo timeline has, too. */
enum cmd_run_shared_key { RUN_OUTPUT = 'o', RUN_CHIP = 'c', RUN_BUDGET = 0x200 };
/* Into a struct run; what is none of them is refused as argp wants it. */
error_t cmd_run_parse_shared(int key, char *arg, struct argp_state *state);

/* Input of its parser: a struct run. */
extern const struct argp cmd_run_argp;

/* Run a capture on two chips, and print where they first differ: then TOOL_FAULTED. */
enum tool_status run_against(const struct run *run, const char *path);

/* Run a capture, session or script. Faults are TOOL_FAULTED; of failures, a message was printed. */
enum tool_status run_file(const struct run *run, const char *path);

/* Run a capture, and close it. */
enum tool_status run_capture(const struct run *run, struct pfifo_stream *stream);

/* words.c: run what is in memory as words, if it is a text or --raw says so. `why`: the error if it is not. */
enum tool_status run_words(const struct run *run, const void *data, size_t bytes, const struct pfifo_error *why);

#endif
