/* SPDX-License-Identifier: MIT */
/*
 * A run as a timeline: a file of JSON in the Trace Event Format, which Perfetto and Chrome's tracing page show.
 *
 *   GPU --events--> timeline --> tracks: machine, engines, and channel, waits, pusher, puller of each channel
 *
 * It is written as it comes: what is kept are the slices that are open. Slices that are known when they begin have a B
 * and an E; what an engine did is known when it has ended, and is an X. Lines are in the order of time, an X by its
 * end.
 */
#ifndef PFIFO_TOOL_RUN_TIMELINE_H
#define PFIFO_TOOL_RUN_TIMELINE_H

#include <pfifo/event.h>
#include <pfifo/gpu.h>
#include <pfifo/query.h>

#include "face/tool/tool.h"

struct timeline;

/* What the times are: of the model, or of the guest whose session it was. */
enum timeline_clock { TIMELINE_VIRTUAL, TIMELINE_RECORDED };

/*
 * Begin the file: of what `name` is called, run on `gpu`; watch that, until the timeline ends, before the GPU. Only
 * events that match `query` are drawn, NULL: all. NULL on error.
 */
struct timeline *timeline_new(struct tool_output *output, const char *name, enum timeline_clock clock,
                              struct pfifo_gpu *gpu, struct pfifo_query *query, struct pfifo_error *error);

/* A submission begins. */
void timeline_submission(struct timeline *timeline, uint32_t sequence);

/* Close all slices and the file's arrays; however the run ended, the file is whole. NULL allowed. */
void timeline_end(struct timeline *timeline);

#endif
