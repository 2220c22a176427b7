/* SPDX-License-Identifier: MIT */
#include "stream/codec.h"

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

/* `rest` is 0 after the end of a frame: only there may the input end. */
static enum pfifo_status zstd_decode(struct unpack *u, ZSTD_DStream *zstd) {
    ZSTD_inBuffer in = {u->input, u->input_bytes, 0};
    size_t rest = 1;

    for (;;) {
        enum pfifo_status status = unpack_make_room(u);
        ZSTD_outBuffer out;
        size_t before = in.pos;

        if (status == PFIFO_OK && in.pos == in.size && !u->input_ended) {
            status = unpack_refill(u);
            in = (ZSTD_inBuffer){u->input, u->input_bytes, 0};
            before = 0;
        }
        if (status != PFIFO_OK)
            return status;
        if (in.pos == in.size && u->input_ended && rest == 0)
            return PFIFO_OK;
        out = (ZSTD_outBuffer){u->out->data + u->out->size, u->out->capacity - u->out->size, 0};
        rest = ZSTD_decompressStream(zstd, &out, &in);
        u->out->size += out.pos;
        if (ZSTD_isError(rest))
            return unpack_error(u, "zstd", u->input_offset + in.pos, ZSTD_getErrorName(rest));
        if (in.pos == in.size && u->input_ended && rest != 0 && out.pos == 0 && in.pos == before) {
            u->truncated = u->streamed && u->out->size > 0;
            return u->truncated ? PFIFO_OK : unpack_error(u, "zstd", u->input_offset + in.pos, "truncated");
        }
    }
}

static enum pfifo_status zstd_unpack(struct unpack *u) {
    ZSTD_DStream *zstd = ZSTD_createDStream();
    enum pfifo_status status;

    if (!zstd || ZSTD_isError(ZSTD_DCtx_setParameter(zstd, ZSTD_d_windowLogMax, CODEC_MEMORY_LOG2))) {
        ZSTD_freeDStream(zstd);
        return unpack_no_memory(u);
    }
    u->streamed = ZSTD_getFrameContentSize(u->input, u->input_bytes) == ZSTD_CONTENTSIZE_UNKNOWN;
    status = zstd_decode(u, zstd);
    ZSTD_freeDStream(zstd);
    return status;
}

const struct codec_operations codec_zstd = {zstd_begin, zstd_free, zstd_pack, zstd_unpack};
