/* SPDX-License-Identifier: MIT */
/* What a capture that is replayed is to the console. */
#ifndef PFIFO_TOOL_CONSOLE_REPLAY_TARGET_H
#define PFIFO_TOOL_CONSOLE_REPLAY_TARGET_H

#include "face/tool/console/target.h"

/* ---- values.c: struct console_target says what they are ---- */
bool debug_examine(struct console *console, const char *place, const struct examine_format *format, uint8_t *data,
                   struct console_examined *where, struct pfifo_error *error);
bool debug_variable(struct console *console, const char *name, uint64_t *value, struct pfifo_error *error);
/* ---- reverse.c ---- */
uint64_t debug_units_before(const struct console *console);
bool debug_units_back(struct console *console, uint64_t units, struct pfifo_error *error);
bool debug_units_on(struct console *console, uint64_t units, bool again, struct pfifo_error *error);

#endif
