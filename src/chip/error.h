/* SPDX-License-Identifier: MIT */
/* What the system refuses, and what no reader takes, is worded once. */
#ifndef PFIFO_SRC_CHIP_ERROR_H
#define PFIFO_SRC_CHIP_ERROR_H

#include <pfifo/error.h>

/* "PATH: cannot WHAT: reason", with the reason that errno has; WHAT is "read", "write", "make a folder". */
enum pfifo_status error_cannot(struct pfifo_error *error, const char *path, const char *what);

/* "PATH: it is empty" */
enum pfifo_status error_empty(struct pfifo_error *error, const char *path);

#endif
