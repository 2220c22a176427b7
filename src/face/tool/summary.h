/* SPDX-License-Identifier: MIT */
/*
 * The report of `pfifo run` about a capture, as text or as one JSON object.
 */
#ifndef PFIFO_TOOL_SUMMARY_H
#define PFIFO_TOOL_SUMMARY_H

#include <pfifo/trace.h>

#include "face/tool/replay.h"
#include "face/tool/unknown.h"

#include <stdio.h>

struct summary {
    const char *file; /* as it was named */
    const char *name;
    const struct pfifo_chip *chip;
    const struct replay_result *result;
    struct pfifo_stats *stats;
    struct pfifo_stream *stream; /* that was replayed: for the lines around words that fault */
    const struct unknown_places *unknown;
    bool all; /* all of the statistics, not only the first rows */
};

/* Did the stream fault, or not finish? */
bool summary_faulted(const struct summary *summary);

void summary_text(const struct summary *summary, FILE *file);
void summary_json(const struct summary *summary, FILE *file);

/* faults.c: equal faults together, with the word of the first one and the lines around it. */
void faults_text(const struct summary *summary, FILE *file);
void faults_json(const struct summary *summary, FILE *file);

/* stats.c: the tables of the statistics. */
void stats_text(struct pfifo_stats *stats, FILE *file);
void stats_json(struct pfifo_stats *stats, FILE *file);

/* At most `max` methods that were not executed, those with the highest count first. */
void stats_not_executed_text(struct pfifo_stats *stats, size_t max, FILE *file);
void stats_not_executed_json(struct pfifo_stats *stats, FILE *file);

#endif
