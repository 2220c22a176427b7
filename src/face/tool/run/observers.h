/* SPDX-License-Identifier: MIT */
/* What looks at a run, of a capture or of a session. */
#ifndef PFIFO_TOOL_RUN_OBSERVERS_H
#define PFIFO_TOOL_RUN_OBSERVERS_H

#include "face/common/unknown.h"
#include "face/tool/run/cmd_run.h"
#include "face/tool/run/timeline.h"

#include <pfifo/trace.h>

/* Of one run. Those that were not asked for are NULL. */
struct observers {
    struct pfifo_trace *trace;
    struct pfifo_stats *stats;
    struct pfifo_digest *digest;
    struct timeline *timeline;
    struct unknown_places unknown;
    struct pictures *pictures; /* of captures only, whose replay makes and ends them */
};

/* Attach what `run` asks for; with --digest there is no other observer. False: what is there has to be detached, too.
 */
bool observers_attach(struct observers *look, const struct run *run, enum timeline_clock clock, struct pfifo_gpu *gpu,
                      struct pfifo_error *error);

/* Before the GPU goes. */
void observers_detach(struct observers *look);

void observers_print_digest(const struct observers *look, const char *name);

#endif
