/* SPDX-License-Identifier: MIT */
/* Methods that their class does not have, for a summary. */
#ifndef PFIFO_SRC_FACE_UNKNOWN_H
#define PFIFO_SRC_FACE_UNKNOWN_H

#include <pfifo/trace.h>

#include <stdio.h>

#include "face/common/json_writer.h"

/* The submission in which each row of the statistics appeared first. Zeroed at first. */
struct unknown_places {
    size_t count;
    uint32_t submission[PFIFO_STATS_MAX_UNKNOWN];
};

/* After a submission (`sequence`, or part of it) was executed. */
void unknown_after(struct unknown_places *places, struct pfifo_stats *stats, uint32_t sequence);

/* At most `max` rows; nothing if there are none. */
void unknown_text(const struct unknown_places *places, struct pfifo_stats *stats, size_t max, FILE *file);

/* "unknown":count,"unknown_methods":[rows], in an object that is open. */
void unknown_json(const struct unknown_places *places, struct pfifo_stats *stats, struct json_writer *json);

#endif
