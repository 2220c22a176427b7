/* SPDX-License-Identifier: MIT */
#include "stream/codec.h"

#include <stdlib.h>
#include <zstd.h>

/* Frames of zstd that are flushed often: the level matters less than what the window can see. */
#define ZSTD_LEVEL 3

static void *zstd_begin(void) {
    ZSTD_CCtx *zstd = ZSTD_createCCtx();

    if (zstd && !ZSTD_isError(ZSTD_CCtx_setParameter(zstd, ZSTD_c_compressionLevel, ZSTD_LEVEL)) &&
        !ZSTD_isError(ZSTD_CCtx_setParameter(zstd, ZSTD_c_checksumFlag, 1)))
        return zstd;
    ZSTD_freeCCtx(zstd);
    return NULL;
}

static void zstd_free(void *state) {
    ZSTD_freeCCtx(state);
}

static enum pfifo_status zstd_pack(struct pack *pack, const void *data, size_t bytes, enum codec_action action,
                                   struct pfifo_error *error) {
    static const ZSTD_EndDirective directives[] = {ZSTD_e_continue, ZSTD_e_flush, ZSTD_e_end};
    ZSTD_inBuffer in = {data, bytes, 0};
    enum pfifo_status status = PFIFO_OK;
    size_t rest = 1;

    while (status == PFIFO_OK && (in.pos < in.size || (action != CODEC_PUT && rest != 0))) {
        ZSTD_outBuffer out = {pack->chunk, sizeof(pack->chunk), 0};

        rest = ZSTD_compressStream2(pack->state, &out, &in, directives[action]);
        if (ZSTD_isError(rest)) {
            pack->failed = true;
            return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "cannot pack a capture: %s", ZSTD_getErrorName(rest));
        }
        if (out.pos > 0)
            status = pack_out(pack, pack->chunk, out.pos, error);
    }
    return status;
}

struct zstd_unpacking {
    ZSTD_DStream *zstd;
    size_t rest;   /* 0 after the end of a frame: only there may the input end */
    bool streamed; /* the first frame does not say how many bytes it has: it was written piece by piece */
};

static void zstd_unpack_free(void *state) {
    struct zstd_unpacking *unpacking = state;

    ZSTD_freeDStream(unpacking->zstd);
    free(unpacking);
}

static void *zstd_unpack_begin(struct unpack *u) {
    struct zstd_unpacking *unpacking = malloc(sizeof(*unpacking));

    if (!unpacking)
        return NULL;
    unpacking->zstd = ZSTD_createDStream();
    unpacking->rest = 1;
    unpacking->streamed = ZSTD_getFrameContentSize(u->input, u->input_bytes) == ZSTD_CONTENTSIZE_UNKNOWN;
    if (unpacking->zstd &&
        !ZSTD_isError(ZSTD_DCtx_setParameter(unpacking->zstd, ZSTD_d_windowLogMax, CODEC_MEMORY_LOG2)))
        return unpacking;
    zstd_unpack_free(unpacking);
    return NULL;
}

static enum pfifo_status zstd_unpack(struct unpack *u, uint8_t *data, size_t room, size_t *got,
                                     struct pfifo_error *error) {
    struct zstd_unpacking *unpacking = u->state;
    ZSTD_outBuffer out = {data, room, 0};
    enum pfifo_status status = PFIFO_OK;
    ZSTD_inBuffer in;

    if (u->input_used == u->input_bytes && !u->input_ended)
        status = unpack_refill(u, error);
    if (status != PFIFO_OK)
        return status;
    if (u->input_used == u->input_bytes && u->input_ended && unpacking->rest == 0) {
        u->ended = true;
        return PFIFO_OK;
    }
    in = (ZSTD_inBuffer){u->input, u->input_bytes, u->input_used};
    unpacking->rest = ZSTD_decompressStream(unpacking->zstd, &out, &in);
    *got = out.pos;
    if (ZSTD_isError(unpacking->rest))
        return unpack_error(u, "zstd", u->input_offset + in.pos, ZSTD_getErrorName(unpacking->rest), error);
    if (in.pos == in.size && u->input_ended && unpacking->rest != 0 && out.pos == 0 && in.pos == u->input_used) {
        u->truncated = unpacking->streamed && u->total > 0;
        u->ended = u->truncated;
        return u->truncated ? PFIFO_OK : unpack_error(u, "zstd", u->input_offset + in.pos, "truncated", error);
    }
    u->input_used = in.pos;
    return PFIFO_OK;
}

const struct codec_operations codec_zstd = {zstd_begin,        zstd_free,        zstd_pack,
                                            zstd_unpack_begin, zstd_unpack_free, zstd_unpack};
