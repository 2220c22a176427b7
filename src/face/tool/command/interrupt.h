/* SPDX-License-Identifier: MIT */
/*
 * Ctrl-C while a capture runs: the run stops, the summary of what was done is printed, and then the process dies of the
 * signal, as its parent expects. A second Ctrl-C kills at once.
 */
#ifndef PFIFO_TOOL_COMMAND_INTERRUPT_H
#define PFIFO_TOOL_COMMAND_INTERRUPT_H

#include <stdbool.h>

/* From now on SIGINT and SIGTERM are only recorded; a signal that is ignored stays ignored. */
void interrupt_begin(void);
void interrupt_end(void);

/* Has one come? */
bool interrupt_seen(void);
/* The same, for struct pfifo_replay_watch. */
bool interrupt_enough(void *opaque);

/* The run is over, and something else is done. Of any signal but Ctrl-C the process dies. */
void interrupt_forget(void);

/* Die of the signal, if one has come. Call it after all output. */
void interrupt_die(void);

#endif
