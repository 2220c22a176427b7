/* SPDX-License-Identifier: MIT */
/*
 * Buffers of two replays that their programs have freed: what was in them, and in which way that differs.
 *
 *   struct pfifo_replay_config.buffer_gone --> freed_keep() --> freed_compare() --> differences_print()
 */
#ifndef PFIFO_TOOL_REPLAY_FREED_H
#define PFIFO_TOOL_REPLAY_FREED_H

#include "face/tool/replay/differences.h"

#include <pfifo/replay.h>

#define FREED_MOST_MIB 256 /* of contents, of each replay */

struct freed_buffer {
    uint32_t handle, submission; /* that was the last one to run */
    size_t number;               /* in the order of time */
    uint64_t bytes;
    uint8_t *data; /* NULL: not kept */
};

struct freed {
    struct freed_buffer *buffer;
    size_t count, room;
    uint64_t bytes;   /* that are kept */
    uint64_t skipped; /* buffers that are not even listed: no memory */
    bool closed;      /* what is freed from here on is freed with the replay */
};

/* A buffer is about to be freed after a submission. */
void freed_keep(struct freed *freed, uint32_t handle, uint32_t submission, struct pfifo_buffer *buffer);

/*
 * Print the differences, by the handles, those of a handle in the order of time. *left_out: buffers that were not
 * compared. False: that is enough.
 */
bool freed_compare(struct freed *const freed[2], struct differences *differences, uint64_t *left_out);

void freed_free(struct freed *freed);

#endif
