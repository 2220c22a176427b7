/* SPDX-License-Identifier: MIT */
/* Threads that the process lends to all its GPUs (pfifo_config.side_by_side). They are made when they are first needed.
 */
#ifndef PFIFO_SRC_FACE_COMMON_JOBS_H
#define PFIFO_SRC_FACE_COMMON_JOBS_H

#include <stdint.h>

#define JOBS_MOST 256u

/* How many there are, with the caller's own. 0: one for each core that the process may use. */
void jobs_set(unsigned count);

unsigned jobs_count(void);

/* For a config: jobs_run, or NULL if there is but one. */
typedef void jobs_side_by_side(void *opaque, uint32_t count, void (*call)(void *argument, uint32_t number),
                               void *argument);
jobs_side_by_side *jobs_lent(void);

/* side_by_side(). Several threads may call it: one has the others' help, the rest do their work themselves. */
void jobs_run(void *opaque, uint32_t count, void (*call)(void *argument, uint32_t number), void *argument);

#endif
