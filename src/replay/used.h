/* SPDX-License-Identifier: MIT */
/* Which buffers a replay has. */
#ifndef PFIFO_REPLAY_USED_H
#define PFIFO_REPLAY_USED_H

#include <pfifo/replay.h>

/*
 * The handles of all buffers, or of those that the last submission names; to be freed. NULL: no memory. A capture of
 * version 2 names none: these are all then.
 */
uint32_t *replay_handles(const struct pfifo_replay *replay, bool only_last, size_t *count);

#endif
