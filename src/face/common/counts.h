/* SPDX-License-Identifier: MIT */
/*
 * What was counted of a run, as text or as keys of a JSON object: of a capture that `pfifo run` replays, or of a
 * program on the DRM face.
 */
#ifndef PFIFO_SRC_FACE_COUNTS_H
#define PFIFO_SRC_FACE_COUNTS_H

#include <pfifo/driver.h>
#include <pfifo/trace.h>

#include "face/common/unknown.h"

#include <stdio.h>

#include "face/common/json_writer.h"

/* Events that the statistics need for a summary; for all of their tables they need all events. */
#define COUNTS_EVENTS "puller.method,puller.acquire,puller.syncpoint,puller.release,engine.*"
/* What a trace has if nobody says: all but accesses to registers and TLB flushes, which the driver makes all the time.
 */
#define COUNTS_TRACE "memory.fault,pusher.*,puller.*,switch.*,fifo.*,engine.*"

struct counts {
    const char *name; /* of what ran */
    const struct pfifo_chip *chip;
    uint64_t submissions, words;
    struct pfifo_stats *stats;
    const struct unknown_places *unknown;
    bool all; /* all of the statistics, not only the first rows */
};

/* The first lines: name, chip, submissions, words, methods; fences; waits; draws, if there are any. */
void counts_head_text(const struct counts *counts, FILE *file);
/* "chip" and more, in an object that is open. */
void counts_head_json(const struct counts *counts, struct json_writer *json);

/* Methods that are foreign, unknown, not executed. */
void counts_methods_text(const struct counts *counts, FILE *file);
void counts_methods_json(const struct counts *counts, struct json_writer *json);

/* A fault that came `count` times, first in that submission. */
void counts_fault_text(const struct pfifo_device_fault *first, uint64_t count, uint32_t submission, FILE *file);
void counts_fault_json(const struct pfifo_device_fault *first, uint64_t count, uint32_t submission,
                       struct json_writer *json);

/* stats.c: the tables of the statistics. */
void stats_text(struct pfifo_stats *stats, FILE *file);
void stats_json(struct pfifo_stats *stats, struct json_writer *json);

/* At most `max` methods that were not executed, those with the highest count first. */
void stats_not_executed_text(struct pfifo_stats *stats, size_t max, FILE *file);
void stats_not_executed_json(struct pfifo_stats *stats, struct json_writer *json);

/* What these methods wanted that is not there, where they say it: at most `max` by name. */
void stats_work_text(struct pfifo_stats *stats, size_t max, FILE *file);
void stats_work_json(struct pfifo_stats *stats, struct json_writer *json);

#endif
