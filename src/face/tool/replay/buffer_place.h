/* SPDX-License-Identifier: MIT */
/* A place in a buffer of a capture, as commands and options name it. */
#ifndef PFIFO_TOOL_REPLAY_BUFFER_PLACE_H
#define PFIFO_TOOL_REPLAY_BUFFER_PLACE_H

#include <stdint.h>

#include "face/tool/command/refuse.h"

struct buffer_place {
    uint32_t handle;
    uint64_t offset;
};

/* "HANDLE", "HANDLE+OFFSET", where OFFSET may be a sum. False: it is neither. */
bool buffer_place_parse(const char *text, struct buffer_place *place, struct pfifo_error *error);

#endif
