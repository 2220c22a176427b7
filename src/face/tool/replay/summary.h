/* SPDX-License-Identifier: MIT */
/*
 * The report of `pfifo run` about a capture, as text or as one JSON object.
 */
#ifndef PFIFO_TOOL_REPLAY_SUMMARY_H
#define PFIFO_TOOL_REPLAY_SUMMARY_H

#include <pfifo/replay.h>

#include "face/common/counts.h"

#include <stdio.h>

#include "face/common/json_writer.h"

/* "idle", "waiting" ... */
extern const char *const summary_stop_names[];

struct run_text;

struct summary {
    const char *file; /* as it was named */
    struct counts counts;
    const struct pfifo_replay_result *result;
    struct pfifo_stream *stream; /* that was replayed: for the lines around words that fault */
    const struct run_text *text; /* that it is made of; NULL: of none */
};

/* Did the stream fault, or not finish? */
bool summary_faulted(const struct summary *summary);

void summary_text(const struct summary *summary, FILE *file);
void summary_json(const struct summary *summary, FILE *file);

/* faults.c: equal faults together, with the word of the first one and the lines around it. */
void faults_text(const struct summary *summary, FILE *file);
void faults_json(const struct summary *summary, struct json_writer *json);

#endif
