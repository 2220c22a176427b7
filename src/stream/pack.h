/* SPDX-License-Identifier: MIT */
/*
 * Packs a capture that is being written.
 *
 *   bytes --> plain | xz | zstd | gzip --> FILE, function of the owner, or struct bytes
 *
 * Modelled: a zstd frame can be flushed: what came before is then in the file, and can be read without the rest
 */
#ifndef PFIFO_STREAM_PACK_H
#define PFIFO_STREAM_PACK_H

#include <pfifo/stream.h>

#include <stdio.h>

#include "stream/bytes.h"

struct codec;

struct pack {
    enum pfifo_stream_packing packing;
    FILE *file;                     /* NULL: `sink`, or if that is NULL, too, memory */
    char *path;                     /* of the file; to be freed */
    pfifo_stream_writer_sink *sink; /* NULL: none */
    void *opaque;                   /* of sink() */
    struct bytes memory;
    const struct codec *codec; /* NULL: it is not packed */
    void *state;               /* of the codec */
    bool failed;               /* a write failed; everything after it would be wrong */
    uint8_t chunk[64 * 1024];
};

/* `pack` has its target. */
enum pfifo_status pack_begin(struct pack *pack, struct pfifo_error *error);
enum pfifo_status pack_put(struct pack *pack, const void *data, size_t bytes, struct pfifo_error *error);
/* All that was put is where it goes to; .xz and .gz: as far as possible. */
enum pfifo_status pack_flush(struct pack *pack, struct pfifo_error *error);
/* Nothing comes any more. A file is closed. */
enum pfifo_status pack_finish(struct pack *pack, struct pfifo_error *error);
void pack_free(struct pack *pack);

/* For the codecs: bytes as they come out. */
enum pfifo_status pack_out(struct pack *pack, const void *data, size_t bytes, struct pfifo_error *error);

#endif
