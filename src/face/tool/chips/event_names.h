/* SPDX-License-Identifier: MIT */
/* Names of events, as a user types them. */
#ifndef PFIFO_TOOL_CHIPS_EVENT_NAMES_H
#define PFIFO_TOOL_CHIPS_EVENT_NAMES_H

#include "face/tool/command/refuse.h"

/* "puller.*,engine.draw": does each glob name an event? False: the error says which does not, and what may be meant. */
bool event_names_check(const char *globs, struct pfifo_error *error);

#endif
