/* SPDX-License-Identifier: MIT */
/* What the files of channels share. */
#ifndef PFIFO_SRC_NVGPU_CHANNEL_H
#define PFIFO_SRC_NVGPU_CHANNEL_H

#include "nvgpu/nvgpu.h"

#define CHANNEL_EVENTS 4u /* 1 and 2: of a debugger; 3: errors */

#define CHANNEL_SLOT_BYTES 64u /* of the driver's own commands around a submission */

struct channel_error {
    uint32_t type; /* GET_ERROR_INFO: 0 none, 1 page fault, 2 method, 3 list, 4 timeout */
    uint32_t info[31];
    uint32_t notification;
    uint64_t time;
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
    uint32_t priority, timeslice, timeout;
    uint64_t user_data;
};

/* submit.c */
nvgpu_handler channel_submit_gpfifo, channel_kickoff;

#endif
