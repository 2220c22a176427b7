/* SPDX-License-Identifier: MIT */
/* What the guest's kernel says, and what it can be told to do. */
#ifndef PFIFO_TESTS_VM_KERNEL_H
#define PFIFO_TESTS_VM_KERNEL_H

#include <stdbool.h>
#include <stddef.h>

/* A reader of the log, at a place in it. */
struct log {
    int fd;
    char line[1024]; /* the last that was read */
    int level;       /* its level, 3: error */
    bool in_known;   /* within what is no news, see log_is_complaint() */
};

void log_open_at_begin(struct log *log);
void log_open_at_end(struct log *log);
void log_close(struct log *log);
/* False: nothing more yet. */
bool log_next(struct log *log);

/*
 * It is nouveau's, and no good news: an error, a failure, a timeout. Or the kernel itself has found something wrong;
 * but for the warning of Linux 6.1 when nouveau is unloaded that has a connector.
 */
bool log_is_complaint(struct log *log);

/* Wait for a line that has all of these texts; NULL ends them. False: it did not come within some seconds. */
bool log_wait(struct log *log, const char *const *texts);
bool log_has(const struct log *log, const char *const *texts);

void kernel_unload(const char *module);
void kernel_load(const char *path);
/* All devices are suspended and resumed. */
void kernel_suspend(void);

#endif
