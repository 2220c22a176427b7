/* SPDX-License-Identifier: MIT */
/* pfifo diff --state: what two captures leave in memory and registers. */
#ifndef PFIFO_TOOL_REPLAY_DIFF_STATE_H
#define PFIFO_TOOL_REPLAY_DIFF_STATE_H

#include "face/tool/command/source.h"

/* Run both until their last submission has run, and compare. Differences are TOOL_FAULTED. */
enum tool_status diff_state(const char *const file[2], const struct source *source, bool quiet, bool json);

#endif
