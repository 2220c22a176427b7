/* SPDX-License-Identifier: MIT */
#include "stream/codec.h"

#define ZLIB_CONST
#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <zlib.h>

enum {
    GZIP_WINDOW = MAX_WBITS + 16, /* zlib: 16 more is gzip's header and trailer */
    GZIP_MEMORY = 8,              /* zlib's default */
};

static void *gzip_begin(void) {
    z_stream *gzip = calloc(1, sizeof(*gzip));

    if (gzip &&
        deflateInit2(gzip, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP_WINDOW, GZIP_MEMORY, Z_DEFAULT_STRATEGY) == Z_OK)
        return gzip;
    free(gzip);
    return NULL;
}

static void gzip_free(void *state) {
    deflateEnd(state);
    free(state);
}

/* Without its trailer a file is not whole, so that a flush would help nobody: as for .xz, there is none. */
static enum pfifo_status gzip_pack(struct pack *pack, const void *data, size_t bytes, enum codec_action action,
                                   struct pfifo_error *error) {
    z_stream *gzip = pack->state;
    enum pfifo_status status = PFIFO_OK;
    int ret = Z_OK;

    assert(bytes <= UINT_MAX); /* a record's payload is not larger */
    gzip->next_in = data;
    gzip->avail_in = (uInt)bytes;
    while (status == PFIFO_OK && ret == Z_OK && (gzip->avail_in > 0 || action == CODEC_END)) {
        gzip->next_out = pack->chunk;
        gzip->avail_out = sizeof(pack->chunk);
        ret = deflate(gzip, action == CODEC_END ? Z_FINISH : Z_NO_FLUSH);
        assert(ret == Z_OK || ret == Z_STREAM_END);
        if (gzip->avail_out < sizeof(pack->chunk))
            status = pack_out(pack, pack->chunk, sizeof(pack->chunk) - gzip->avail_out, error);
    }
    return status;
}

struct gzip_unpacking {
    z_stream zlib;
    bool whole; /* a member has ended, and none has begun: only here may the input end */
};

static void gzip_unpack_free(void *state) {
    struct gzip_unpacking *unpacking = state;

    inflateEnd(&unpacking->zlib);
    free(unpacking);
}

static void *gzip_unpack_begin(struct unpack *u) {
    struct gzip_unpacking *unpacking = calloc(1, sizeof(*unpacking));

    (void)u;
    if (unpacking && inflateInit2(&unpacking->zlib, GZIP_WINDOW) == Z_OK)
        return unpacking;
    free(unpacking);
    return NULL;
}

static const char *gzip_reason(const z_stream *gzip, int ret) {
    switch (ret) {
    case Z_BUF_ERROR:
        return "truncated";
    case Z_MEM_ERROR:
        return "no memory for the decoder";
    default:
        return gzip->msg ? gzip->msg : "damaged";
    }
}

/* zlib counts in `unsigned`: of more input or room than that, a part is used. */
static uInt part_of(size_t bytes) {
    return bytes < UINT_MAX ? (uInt)bytes : UINT_MAX;
}

/* The decoder reports a truncated file as a "buffer error": there is room to write, but no input. */
static enum pfifo_status gzip_unpack(struct unpack *u, uint8_t *out, size_t room, size_t *got,
                                     struct pfifo_error *error) {
    struct gzip_unpacking *unpacking = u->state;
    z_stream *gzip = &unpacking->zlib;
    enum pfifo_status status = PFIFO_OK;
    int ret;

    if (u->input_used == u->input_bytes && !u->input_ended)
        status = unpack_refill(u, error);
    if (status != PFIFO_OK)
        return status;
    if (u->input_used == u->input_bytes && unpacking->whole) {
        u->ended = true;
        return PFIFO_OK;
    }
    if (unpacking->whole)
        inflateReset(gzip);
    gzip->next_in = u->input + u->input_used;
    gzip->avail_in = part_of(u->input_bytes - u->input_used);
    gzip->next_out = out;
    gzip->avail_out = part_of(room);
    ret = inflate(gzip, Z_NO_FLUSH);
    u->input_used = (size_t)(gzip->next_in - u->input);
    *got = (size_t)(gzip->next_out - out);
    unpacking->whole = ret == Z_STREAM_END;
    if (ret == Z_OK || unpacking->whole)
        return PFIFO_OK;
    return unpack_error(u, "gzip", u->input_offset + u->input_used, gzip_reason(gzip, ret), error);
}

const struct codec_operations codec_gzip = {gzip_begin,        gzip_free,        gzip_pack,
                                            gzip_unpack_begin, gzip_unpack_free, gzip_unpack};
