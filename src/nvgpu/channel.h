/* SPDX-License-Identifier: MIT */
/* What the files of channels share. */
#ifndef PFIFO_SRC_NVGPU_CHANNEL_H
#define PFIFO_SRC_NVGPU_CHANNEL_H

#include "nvgpu/nvgpu.h"

#define CHANNEL_EVENTS 4u /* 1 and 2: of a debugger; 3: errors */

#define CHANNEL_CONTROL 0x800004u /* of channel 0; of each next one 8 further */

#define CHANNEL_SLOT_BYTES 64u /* of the driver's own commands around a submission */

struct channel_error {
    uint32_t type; /* GET_ERROR_INFO: 0 none, 1 page fault, 2 method, 3 list, 4 timeout */
    uint32_t info[31];
    uint32_t notification;
    uint64_t time;
};

/* Since when a channel has been where it is. */
struct channel_watch {
    uint32_t timeout; /* in milliseconds; 0: none */
    uint32_t entry;   /* of the ring, and the address in it */
    bool is_set;      /* by the program */
    bool looks;       /* false: it has not looked yet */
    uint64_t position, since;
};

struct channel_file {
    struct nvgpu_as *as;              /* NULL: not bound */
    struct pfifo_channel *channel;    /* NULL: no ring yet, or ended by an error */
    struct pfifo_buffer *commands;    /* of the driver: slots in turn */
    uint32_t channel_id, commands_id; /* while they are saved or loaded */
    uint64_t commands_address;
    uint32_t ring; /* entries of it */
    uint32_t slots, next_slot;
    uint32_t syncpoint;
    uint32_t events[CHANNEL_EVENTS]; /* 0: not asked for */
    bool has_ring, notifies, failed, ended;
    bool error_pending; /* GET_ERROR_NOTIFICATION has not told it yet */
    struct channel_error error;
    uint32_t priority, timeslice;
    struct channel_watch watch;
    uint64_t user_data;
};

/* watchdog.c: does it do nothing for too long? To be asked after each run. */
bool channel_hangs(const struct nvgpu_file *file);
void channel_watch_set(struct channel_file *channel, uint32_t milliseconds);
struct state_io;
void channel_state_watch(struct state_io *io, struct channel_watch *watch);

/* submit.c */
nvgpu_handler channel_submit_gpfifo, channel_kickoff;

#endif
