/* SPDX-License-Identifier: MIT */
/*
 * Ctrl-C while a capture runs: the run ends where it is and says what it did so far, and then the process dies of the
 * signal as whoever started it expects. A second one kills at once.
 */
#ifndef PFIFO_TOOL_INTERRUPT_H
#define PFIFO_TOOL_INTERRUPT_H

#include <stdbool.h>

/* From here on up to the end, SIGINT and SIGTERM are only noted; what is ignored stays ignored. */
void interrupt_begin(void);
void interrupt_end(void);

/* Has one come? */
bool interrupt_seen(void);

/* Die of it, if one has come. What is to be written has been written. */
void interrupt_die(void);

#endif
