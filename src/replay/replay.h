/* SPDX-License-Identifier: MIT */
/* What other units of the library may know of a replay (pfifo/replay.h). */
#ifndef PFIFO_REPLAY_REPLAY_H
#define PFIFO_REPLAY_REPLAY_H

#include <pfifo/replay.h>
#include <pfifo/vm.h>

/* Of a PUSH's length: how many bytes it submits. */
enum { PUSH_BYTES_MASK = 0x7fffff };

/* Called with each record before it is played, from here on. NULL: not any more. */
typedef void replay_record_seen(void *opaque, const struct pfifo_stream_record *record);
void replay_tell_records(struct pfifo_replay *replay, replay_record_seen *seen, void *opaque);

/*
 * The method that a channel executes, and its word; all zero if that is not known. `channel` is the hardware's number,
 * as in events. Observers that are added after the replay was made see the method of their own event.
 */
struct pfifo_replay_word replay_now(const struct pfifo_replay *replay, uint32_t channel);

/* A channel of the capture by the hardware's number. */
struct replay_channel_info {
    struct pfifo_channel *channel; /* NULL: there is none */
    uint32_t number;               /* in the capture */
    struct pfifo_vm *vm;           /* NULL: there are none before G80 */
};
struct replay_channel_info replay_channel_by_hardware(const struct pfifo_replay *replay, uint32_t channel);

/*
 * The handles of all buffers, or of those that the last submission names; to be freed. NULL: no memory. A capture of
 * version 2 names none: these are all then.
 */
uint32_t *replay_handles(const struct pfifo_replay *replay, bool only_last, size_t *count);

/* The hardware's number of a channel of the capture; UINT32_MAX: there is none. */
uint32_t replay_channel_number(const struct pfifo_replay *replay, uint32_t number);

#endif
