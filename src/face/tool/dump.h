/* SPDX-License-Identifier: MIT */
/*
 * The buffers of a replay as files: what they held when the client freed them, or at the end.
 *
 *   DIR/NAME-HANDLE.bin   NAME of the capture without endings; a handle that comes again: NAME-HANDLE-2.bin ...
 *
 * Pages of zeros are holes in the file, so that large buffers with little in them take little.
 */
#ifndef PFIFO_TOOL_DUMP_H
#define PFIFO_TOOL_DUMP_H

#include "face/tool/replay_buffers.h"

struct dump;

/* Dump into a folder, which is made if it is not there. `capture`: name of the file. NULL on failure. */
struct dump *dump_new(const char *folder, const char *capture, struct pfifo_error *error);

/* For struct replay_config: `opaque` is the dump. */
replay_buffer_gone dump_buffer;

/* False: something could not be written, and a message has said so. NULL is allowed. */
bool dump_free(struct dump *dump);

#endif
