/* SPDX-License-Identifier: MIT */
/*
 * The address spaces of a replay (captures of versions 2 and 3), by their numbers in the recording.
 *
 *   SPACE ----------> a space of the device, with the same addresses
 *   SPARSE ---------> a reservation in it
 *   MAP, UNMAP -----> pages of a buffer, at the recorded address
 *   VMINIT ---------> a space with room for the driver's own where the kernel kept some; BIND as the kernel does it
 *
 * The reader has checked that all this fits together. What the chip cannot do (spaces before G80, sparse ranges before
 * GM200, a kind or a page size) is the driver's error.
 */
#ifndef PFIFO_REPLAY_SPACES_H
#define PFIFO_REPLAY_SPACES_H

#include "replay/buffers.h"

#define REPLAY_MAX_SPACES 1024

struct replay_space {
    uint32_t number; /* 0: free */
    struct pfifo_vm *vm;
};

struct replay_spaces {
    struct replay_buffers *buffers; /* of the same device */
    struct replay_space *space;
    size_t count;
    uint64_t bytes; /* that were mapped, or sparse, so far: the driver enters them page by page */
};

/* SPACE, SPACEDEL, SPARSE, MAP, UNMAP, VMINIT, BIND; others do nothing. */
enum pfifo_status replay_spaces_play(struct replay_spaces *spaces, const struct pfifo_stream_record *record,
                                     struct pfifo_error *error);

/* NULL: there is none. */
struct pfifo_vm *replay_spaces_find(const struct replay_spaces *spaces, uint32_t number);

/* The same spaces by the device's numbers: to be freed by free(). NULL: no memory. */
struct replay_spaces_mark *replay_spaces_mark(const struct replay_spaces *spaces);
/* The device has those of the mark again. False: no memory. */
bool replay_spaces_return(struct replay_spaces *spaces, const struct replay_spaces_mark *mark);

/* What is left goes with the device. */
void replay_spaces_free(struct replay_spaces *spaces);

#endif
