/* SPDX-License-Identifier: MIT */
#include "chip/error.h"

#include <errno.h>
#include <string.h>

enum pfifo_status error_cannot(struct pfifo_error *error, const char *path, const char *what) {
    return pfifo_error_set(error, PFIFO_ERROR_IO, "%.150s: cannot %s: %s", path, what, strerror(errno));
}

enum pfifo_status error_empty(struct pfifo_error *error, const char *path) {
    return pfifo_error_set(error, PFIFO_ERROR_FORMAT, "%.150s: it is empty", path);
}
