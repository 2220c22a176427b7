/* SPDX-License-Identifier: MIT */
/*
 * Errors as values, and what every public header needs.
 *
 * A function that can fail for a reason worth telling takes a `struct pfifo_error *` as its last
 * argument (NULL is allowed) and returns a status, a pointer or a bool. The library never prints
 * and never exits. Mistakes of a guest (bad pushbuffer words, unmapped addresses ...) are not
 * errors of the API: they raise what the hardware raises.
 *
 * Library: libpfifo
 */
#ifndef PFIFO_ERROR_H
#define PFIFO_ERROR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define PFIFO_API               __attribute__((visibility("default")))
#define PFIFO_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define PFIFO_API
#define PFIFO_PRINTF(fmt, args)
#endif

/* What kind of failure it was. */
enum pfifo_status {
    PFIFO_OK = 0,
    PFIFO_ERROR_ARGUMENT,    /* the call itself is wrong: NULL, out of range, unknown name */
    PFIFO_ERROR_MEMORY,      /* the host has no memory left, or the GPU has none */
    PFIFO_ERROR_UNSUPPORTED, /* the chip, mode or feature is known but not built */
    PFIFO_ERROR_FORMAT,      /* a file or stream is malformed; the message has the offset */
    PFIFO_ERROR_IO,          /* reading or writing a file failed */
    PFIFO_ERROR_FAULT,       /* the GPU faulted while it did what was asked */
    PFIFO_ERROR_TIMEOUT,     /* a wait did not come true within its bound */
};

/* A failure: its kind and one line for a person, without a newline. Functions write it only when they fail. */
struct pfifo_error {
    enum pfifo_status status;
    char message[240];
};

/* Fill in `error` (NULL allowed) and return `status`, so that callers can `return pfifo_error_set(...)`. */
PFIFO_API enum pfifo_status pfifo_error_set(struct pfifo_error *error, enum pfifo_status status, const char *format,
                                            ...) PFIFO_PRINTF(3, 4);

#ifdef __cplusplus
}
#endif

#endif
