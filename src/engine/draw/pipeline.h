/* SPDX-License-Identifier: MIT */
/* A draw from vertices that wait to pixels. */
#ifndef PFIFO_SRC_ENGINE_DRAW_PIPELINE_H
#define PFIFO_SRC_ENGINE_DRAW_PIPELINE_H

#include <stdbool.h>
#include <stdint.h>

struct call;
struct draw_worker;

/* The counters of a launch (core/work.h). */
struct pipeline_progress {
    uint64_t vertex;                   /* that go into the queue next */
    uint64_t primitive, band, stipple; /* in the group under way */
};

enum pipeline_result { PIPELINE_DONE, PIPELINE_PAUSED, PIPELINE_FAILED };

/* State, programs, constants for this method. False: it cannot be drawn, which has been reported. */
bool pipeline_prepare(struct draw_worker *work, const struct call *call);
/* Draw what waits in the queue, or the first of it, within the budget; *cost is added to. `more` will follow. */
enum pipeline_result pipeline_group(struct draw_worker *work, struct pipeline_progress *at, bool more, uint64_t budget,
                                    uint64_t *cost);
/* Report why drawing ended. */
void pipeline_report(struct draw_worker *work);

#endif
