/* SPDX-License-Identifier: MIT */
/*
 * Unpacks a capture from a file or memory.
 *
 *   FILE or memory --> look at the first bytes --> plain copy | xz | zstd --> struct bytes (at most `limit`)
 *
 *   a zstd frame that does not say how long it is and has no end --> what is there, and *truncated
 *
 * Modelled:     several xz streams or zstd frames in a row; output, decoder memory (128 MiB) and work are bounded
 * Not modelled: .gz, .lzma
 */
#ifndef PFIFO_STREAM_UNPACK_H
#define PFIFO_STREAM_UNPACK_H

#include <pfifo/error.h>
#include <stdio.h>

#include "stream/bytes.h"

/* Where packed bytes come from: `file`, or if that is NULL `data`. */
struct unpack_source {
    const char *name;
    FILE *file;
    const uint8_t *data;
    size_t size;
};

/*
 * Read everything into `out`, whose limit is set here. On failure `out` is empty. *truncated: the end is missing, as
 * when a program is killed that writes a capture.
 */
enum pfifo_status unpack_all(const struct unpack_source *source, uint64_t limit, struct bytes *out, bool *truncated,
                             struct pfifo_error *error);

/*
 * For the codecs: an unpacking at work. The input is a window that is refilled from the file; memory is one window.
 */
struct unpack {
    const struct unpack_source *source;
    struct bytes *out;
    struct pfifo_error *error;
    uint64_t limit;
    const uint8_t *input;
    size_t input_bytes;
    uint64_t input_offset; /* of the window in the packed file */
    bool input_ended;      /* nothing comes after this window */
    bool streamed;         /* the first frame does not say how many bytes it has: it was written piece by piece */
    bool truncated;        /* and its end is missing */
    uint8_t chunk[64 * 1024];
};

/* The next window of the input. */
enum pfifo_status unpack_refill(struct unpack *u);
/* Room for output, at least a byte. */
enum pfifo_status unpack_make_room(struct unpack *u);
/* What goes wrong, with the name of the source. `offset` is in the packed data. */
enum pfifo_status unpack_too_large(struct unpack *u);
enum pfifo_status unpack_no_memory(struct unpack *u);
enum pfifo_status unpack_error(struct unpack *u, const char *packing, uint64_t offset, const char *reason);

#endif
