/* SPDX-License-Identifier: MIT */
#include "face/tool/command/refuse.h"

#include <stdarg.h>
#include <stdio.h>

bool refuse(struct pfifo_error *error, const char *format, ...) {
    char message[sizeof error->message];
    va_list args;

    va_start(args, format);
    vsnprintf(message, sizeof message, format, args); /* NOLINT(clang-analyzer-valist.Uninitialized) */
    va_end(args);
    pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "%s", message);
    return false;
}
