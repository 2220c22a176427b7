/* SPDX-License-Identifier: MIT */
/* State that a refused method needs and that is not there: the missing_* of struct pfifo_replay_word. */
#ifndef PFIFO_FACE_TOOL_REPLAY_MISSING_H
#define PFIFO_FACE_TOOL_REPLAY_MISSING_H

#include <pfifo/replay.h>

#include "face/common/json_writer.h"

#include <stdio.h>

/* Nothing, if nothing is missing. The line begins with `indent`. */
void missing_text(const struct pfifo_replay_word *word, const char *indent, FILE *file);
void missing_json(const struct pfifo_replay_word *word, struct json_writer *json);

#endif
