/* SPDX-License-Identifier: MIT */
/*
 * What a reader sees of an unpacked capture: a window that goes forward.
 *
 *   unpack --pieces--> [chunk][chunk][chunk ...]      the last one grows; a record is never in two
 *                       ^ dropped as soon as nobody needs it
 *
 * A capture that is not larger than `keep` bytes is unpacked once and stays. What is larger is unpacked anew after each
 * rewind, and memory does not grow with its length.
 */
#ifndef PFIFO_STREAM_WINDOW_H
#define PFIFO_STREAM_WINDOW_H

#include "stream/unpack.h"

struct window_chunk;

struct window {
    struct unpack *unpack; /* NULL: nothing is unpacked any more, all is here */
    struct unpack_source source;
    uint64_t limit, keep;
    bool can_drop;               /* it can be read again */
    bool dropping;               /* it is too large to be kept */
    bool truncated;              /* its end was missing */
    struct window_chunk *chunks; /* newest first */
    uint8_t *copy;               /* of the source's data, if it is needed for longer than the call that opens it */
};

/*
 * Begin at the first byte. The window takes the source's file, which may stay open until it is closed. Errors: those
 * of unpacking. window_close() is due in any case.
 */
enum pfifo_status window_open(struct window *window, const struct unpack_source *source, uint64_t limit, uint64_t keep,
                              struct pfifo_error *error);
void window_close(struct window *window);

/*
 * `want` bytes from `position` on, in one piece: *have of them, fewer at the end only. They stay until they are
 * dropped, or the window is rewound; but as long as it is not known whether the capture is kept, until the next call.
 * `position` was not dropped, and is at most where the last bytes ended. Errors: those of unpacking.
 */
enum pfifo_status window_get(struct window *window, uint64_t position, size_t want, const uint8_t **data, size_t *have,
                             struct pfifo_error *error);

/* Bytes before `position` are not needed any more. */
void window_drop(struct window *window, uint64_t position);

/*
 * All of the capture was seen: `truncated` is right, the caller's data are not needed any more, and the file is closed
 * if it was kept. The window is back at the first byte. Errors: as above, no memory.
 */
enum pfifo_status window_seen(struct window *window, struct pfifo_error *error);

/* Back to the first byte. Errors: those of beginning to unpack. */
enum pfifo_status window_rewind(struct window *window, struct pfifo_error *error);

#endif
