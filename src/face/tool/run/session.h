/* SPDX-License-Identifier: MIT */
/* pfifo run of a session: a card does what it did for a guest, and the answers are compared. */
#ifndef PFIFO_TOOL_RUN_SESSION_H
#define PFIFO_TOOL_RUN_SESSION_H

#include "face/tool/run/cmd_run.h"

#include <pfifo/session.h>

/* Replays and closes it. */
enum tool_status run_session(const struct run *run, struct pfifo_session *session);

#endif
