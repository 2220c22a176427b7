/* SPDX-License-Identifier: MIT */
#ifndef PFIFO_TOOL_COMMAND_REFUSE_H
#define PFIFO_TOOL_COMMAND_REFUSE_H

#include <pfifo/error.h>

/* Set the error about a user's input, and return false. The arguments may be parts of the error that was there. */
bool refuse(struct pfifo_error *error, const char *format, ...) PFIFO_PRINTF(2, 3);

#endif
