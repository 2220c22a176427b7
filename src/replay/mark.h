/* SPDX-License-Identifier: MIT */
/*
 * A place inside a run of a replay, to come back to while no other record has been played.
 *
 * Kept: the machine as a saved state, and what the replay knows of the run. What the driver did in between cannot be
 * undone: where it has handled an interrupt since, there is no way back by the mark.
 */
#ifndef PFIFO_REPLAY_MARK_H
#define PFIFO_REPLAY_MARK_H

#include <pfifo/replay.h>

struct replay_mark;

/* NULL: no run is under way, the state is larger than `most` bytes, or cannot be saved. */
struct replay_mark *replay_mark_new(struct pfifo_replay *replay, size_t most);
void replay_mark_free(struct replay_mark *mark);

/* Is there a way back by it? */
bool replay_mark_leads_back(const struct replay_mark *mark, const struct pfifo_replay *replay);
/* False: the machine could not be loaded, and is in the state after reset. The mark stays. */
bool replay_mark_return(const struct replay_mark *mark, struct pfifo_replay *replay);

#endif
