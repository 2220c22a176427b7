/* SPDX-License-Identifier: MIT */
/*
 * Writes the buffers of a replay to files: their contents when the client freed them, or at the end.
 *
 *   DIR/NAME-HANDLE.bin   NAME of the capture without endings; a handle that comes again: NAME-HANDLE-2.bin ...
 *
 * Pages of zeros are holes in the file, so that large, mostly empty buffers take little room.
 */
#ifndef PFIFO_TOOL_RUN_DUMP_H
#define PFIFO_TOOL_RUN_DUMP_H

#include <pfifo/replay.h>

struct dump;

/* Dump into a folder, which is made if it is not there. `capture`: name of the file. NULL on failure. */
struct dump *dump_new(const char *folder, const char *capture, struct pfifo_error *error);

/* For struct pfifo_replay_config: `opaque` is the dump. */
void dump_buffer(void *opaque, uint32_t handle, struct pfifo_buffer *buffer);

/* False: something could not be written; a message was printed. NULL is allowed. */
bool dump_free(struct dump *dump);

#endif
