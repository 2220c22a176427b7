/* SPDX-License-Identifier: MIT */
/* What a guest is asked to do. Each is a process of its own: it returns, or ends with a message. */
#ifndef PFIFO_TESTS_VM_CHECKS_H
#define PFIFO_TESTS_VM_CHECKS_H

#include "nouveau.h"

/* checks_work.c: what must not make the kernel complain */
void check_driver(void);
void check_copy(void);
void check_moves(void);
void check_evict(void);
void check_fences(void);
void check_channels(void);
void check_unload(void);
void check_suspend(void);

/* checks_errors.c: what the kernel must report, and then go on. Four, each with a line of its own. */
void check_errors(void);

/* A copy there and back; opaque is a channel. */
void work_with(void *opaque);

extern const char *current_check; /* its name, for messages */

/* A fixed sequence, another for each seed. */
void fill(uint32_t *data, size_t count, uint32_t seed);
void compare(const uint32_t *data, size_t count, uint32_t seed, const char *what);

/* Run it in a process. Its status, or 128 + the signal. */
int in_process(void (*function)(void *opaque), void *opaque);

#endif
