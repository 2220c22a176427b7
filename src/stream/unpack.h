/* SPDX-License-Identifier: MIT */
/*
 * Unpacks a capture from a file or memory, a piece at a time.
 *
 *   FILE or memory --> look at the first bytes --> plain copy | xz | zstd | gzip --> pieces (at most `limit` bytes in all)
 *
 *   a zstd frame that does not say how long it is and has no end --> what is there, and `truncated`
 *
 * Modelled:     several xz streams, zstd frames or gzip members in a row; output, decoder memory (128 MiB) and work are bounded
 * Not modelled: .lzma
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

struct codec;

/* An unpacking at work. The input is a window that is refilled from the file; memory is one window. */
struct unpack {
    struct unpack_source source;
    uint64_t limit, total;     /* bytes of output: at most, and so far */
    const struct codec *codec; /* NULL: it is not packed */
    void *state;               /* of the codec */
    const uint8_t *input;
    size_t input_bytes, input_used;
    uint64_t input_offset; /* of the window in the packed file */
    bool input_ended;      /* nothing comes after this window */
    bool ended;            /* all of the output is there */
    bool truncated;        /* the end is missing, as when a program is killed that writes a capture */
    uint8_t chunk[64 * 1024];
};

/*
 * Begin to unpack. The name stays the caller's; so do file or data, which must stay. Errors: it is no capture and no
 * session, its packing is not built in, no memory, it cannot be read. unpack_end() is due in any case.
 */
enum pfifo_status unpack_begin(struct unpack *u, const struct unpack_source *source, uint64_t limit,
                               struct pfifo_error *error);
void unpack_end(struct unpack *u);

/* Up to `room` bytes (not 0) more; *got is 0 at the end only. */
enum pfifo_status unpack_some(struct unpack *u, uint8_t *out, size_t room, size_t *got, struct pfifo_error *error);

/*
 * Read everything into `out`, whose limit is set here. On failure `out` is empty. *truncated: the end is missing.
 */
enum pfifo_status unpack_all(const struct unpack_source *source, uint64_t limit, struct bytes *out, bool *truncated,
                             struct pfifo_error *error);

/* For the codecs: the next window of the input. */
enum pfifo_status unpack_refill(struct unpack *u, struct pfifo_error *error);
/* What goes wrong, with the name of the source. `offset` is in the packed data. */
enum pfifo_status unpack_error(const struct unpack *u, const char *packing, uint64_t offset, const char *reason,
                               struct pfifo_error *error);

#endif
