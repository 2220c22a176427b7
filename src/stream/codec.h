/* SPDX-License-Identifier: MIT */
/*
 * How a capture may be packed: a row per packing. Whoever builds the library leaves out those whose library is not
 * wanted; such a capture is then refused by name.
 *
 *   codec.c --- rows ---> codec_xz.c    liblzma
 *                         codec_zstd.c  libzstd
 *                         codec_gzip.c  zlib
 *
 * Sources: the .xz file format 1.2.1, 2.1.1.1; RFC 8878, 3.1.1; RFC 1952, 2.3.1
 */
#ifndef PFIFO_STREAM_CODEC_H
#define PFIFO_STREAM_CODEC_H

#include <pfifo/stream.h>

#include "stream/pack.h"
#include "stream/unpack.h"

/* What a decoder may use of memory, and the largest window that a file may ask for. */
#define CODEC_MEMORY_LOG2 27

enum codec_action { CODEC_PUT, CODEC_FLUSH, CODEC_END };

struct codec_operations {
    /* The state of a packing; NULL: no memory. */
    void *(*begin)(void);
    void (*free)(void *state);
    /* Pack `bytes` more; of a flush and an end there are none. What comes out goes to pack_out(). */
    enum pfifo_status (*pack)(struct pack *pack, const void *data, size_t bytes, enum codec_action action,
                              struct pfifo_error *error);
    /* The state of an unpacking, whose first window of input is there; NULL: no memory. */
    void *(*unpack_begin)(struct unpack *unpack);
    void (*unpack_free)(void *state);
    /* Unpack up to `room` bytes. *got is 0 and `ended` is set at the end. */
    enum pfifo_status (*unpack)(struct unpack *unpack, uint8_t *out, size_t room, size_t *got,
                                struct pfifo_error *error);
};

struct codec {
    enum pfifo_stream_packing packing;
    const char *name;
    uint8_t magic[6];
    unsigned magic_bytes;
    const struct codec_operations *operations; /* NULL: it is not built in */
};

extern const struct codec_operations codec_xz, codec_zstd, codec_gzip;

/* The codec of a packing, or whose magic `data` begins with. NULL: it is not packed. */
const struct codec *codec_of(enum pfifo_stream_packing packing);
const struct codec *codec_find(const uint8_t *data, size_t bytes);

#endif
