/* SPDX-License-Identifier: MIT */
/*
 * A machine with a driver and random work for it. Two players that make the same choices do the same things, as long as
 * their machines answer the same.
 */
#ifndef PFIFO_TESTS_STATE_PLAYER_H
#define PFIFO_TESTS_STATE_PLAYER_H

#include <pfifo/driver.h>
#include <pfifo/state.h>

#include "differential/choice.h"

#define PLAYER_CHANNELS 2

enum player_semaphores { PLAYER_NO_SEMAPHORE, PLAYER_OLD_SEMAPHORE, PLAYER_NEW_SEMAPHORE };

/* What work for a chip must know. `graphics` 0: there is no driver, only registers (raw.h). */
struct player_part {
    const char *chip;
    uint32_t graphics, software;
    enum player_semaphores semaphores;
    bool fermi; /* commands of GF100 and later, classes instead of handles */
    bool calls; /* a segment is called, and returns */
};

extern const struct player_part player_parts[];
extern const size_t player_part_count;

/* Everything that was sent: how much, and a digest of it. */
struct player_log {
    uint64_t events, digest;
    struct pfifo_event last;
};

/* An observer that keeps a log. */
void player_observe(void *opaque, const struct pfifo_event *event);

struct player {
    const struct player_part *part;
    struct pfifo_device *device; /* NULL: no driver */
    struct pfifo_gpu *gpu;
    struct pfifo_channel *channel[PLAYER_CHANNELS];
    struct pfifo_buffer *push, *data;
    uint32_t cursor; /* in the push buffer */
    struct player_log log;
};

/* `observed`: the events to log, NULL: none. False: the machine cannot be made. */
bool player_open(struct player *player, const struct player_part *part, bool materialise, const char *observed,
                 struct choice *choice);
void player_close(struct player *player);

/* One thing: commands for a channel, a run, memory, a register. */
void player_step(struct player *player, struct choice *choice);

/* Bytes of a saved machine. */
struct player_bytes {
    uint8_t *data;
    size_t bytes, room;
};

bool player_collect(void *opaque, const void *data, size_t bytes); /* pfifo_writer */
bool player_save(struct pfifo_gpu *gpu, struct player_bytes *bytes, struct pfifo_error *error);

#endif
