/* SPDX-License-Identifier: MIT */
/* The classes that channels of a model have bound, as far as it was seen. */
#ifndef PFIFO_TOOL_CONSOLE_CHANNELS_BINDS_H
#define PFIFO_TOOL_CONSOLE_CHANNELS_BINDS_H

#include "face/tool/console/command.h"

/* Those of console->gpu, which is new, from here on. */
bool console_binds_watch(struct console *console, struct pfifo_error *error);
void console_binds_forget(struct console *console);
/* Add all that is known; take it up again. False: no memory. */
bool console_binds_save(const struct console *console, struct state_bytes *bytes);
void console_binds_load(struct console *console, const struct state_bytes *bytes);
/* Class `index` of those that channels have bound; false: there are no more. One may come more than once. */
bool console_binds_at(const struct console *console, size_t index, uint32_t *channel, uint32_t *oclass);

#endif
