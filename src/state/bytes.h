/* SPDX-License-Identifier: MIT */
/* A stream that is collected in memory: a state inside another one, or one that is put back when a load fails. */
#ifndef PFIFO_SRC_STATE_BYTES_H
#define PFIFO_SRC_STATE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All 0: nothing yet. The owner frees `data`. */
struct state_bytes {
    uint8_t *data;
    size_t used, room;
};

/* A pfifo_writer; `opaque` is a struct state_bytes. False: there is no memory; what was collected stays. */
bool state_bytes_write(void *opaque, const void *data, size_t bytes);
/* Nothing again. */
void state_bytes_free(struct state_bytes *bytes);

#endif
