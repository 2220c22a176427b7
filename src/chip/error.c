/* SPDX-License-Identifier: MIT */
#include <pfifo/error.h>

#include <stdarg.h>
#include <stdio.h>

enum pfifo_status pfifo_error_set(struct pfifo_error *error, enum pfifo_status status, const char *format, ...) {
    va_list args;

    if (!error)
        return status;
    error->status = status;
    va_start(args, format);
    vsnprintf(error->message, sizeof(error->message), format, args);
    va_end(args);
    return status;
}
