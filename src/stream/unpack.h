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
 * Sources:      the .xz file format 1.2.1, 2.1.1.1; RFC 8878, 3.1.1
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

#endif
