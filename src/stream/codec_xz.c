/* SPDX-License-Identifier: MIT */
#include "stream/codec.h"

#include <lzma.h>
#include <stdlib.h>

static void *xz_begin(void) {
    static const lzma_stream begun = LZMA_STREAM_INIT;
    lzma_stream *xz = malloc(sizeof(*xz));

    if (!xz)
        return NULL;
    *xz = begun;
    if (lzma_easy_encoder(xz, LZMA_PRESET_DEFAULT, LZMA_CHECK_CRC64) == LZMA_OK)
        return xz;
    free(xz);
    return NULL;
}

static void xz_free(void *state) {
    lzma_end(state);
    free(state);
}

/* A flush of .xz would cost a block each time: what was put goes out when the encoder has enough of it. */
static enum pfifo_status xz_pack(struct pack *pack, const void *data, size_t bytes, enum codec_action action,
                                 struct pfifo_error *error) {
    lzma_stream *xz = pack->state;
    enum pfifo_status status = PFIFO_OK;
    lzma_ret ret = LZMA_OK;

    xz->next_in = data;
    xz->avail_in = bytes;
    while (status == PFIFO_OK && ret == LZMA_OK && (xz->avail_in > 0 || action == CODEC_END)) {
        xz->next_out = pack->chunk;
        xz->avail_out = sizeof(pack->chunk);
        ret = lzma_code(xz, action == CODEC_END ? LZMA_FINISH : LZMA_RUN);
        status = pack_out(pack, pack->chunk, sizeof(pack->chunk) - xz->avail_out, error);
    }
    if (status == PFIFO_OK && ret != LZMA_OK && ret != LZMA_STREAM_END) {
        pack->failed = true;
        return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "cannot pack a capture (liblzma says %d)", (int)ret);
    }
    return status;
}

static const char *xz_reason(lzma_ret ret) {
    switch (ret) {
    case LZMA_BUF_ERROR:
        return "truncated";
    case LZMA_FORMAT_ERROR:
        return "not in the .xz format";
    case LZMA_MEMLIMIT_ERROR:
        return "its dictionary is too large";
    case LZMA_OPTIONS_ERROR:
        return "options that this liblzma does not know";
    case LZMA_MEM_ERROR:
        return "no memory for the decoder";
    default:
        return "damaged";
    }
}

static void *xz_unpack_begin(struct unpack *u) {
    static const lzma_stream begun = LZMA_STREAM_INIT;
    lzma_stream *xz = malloc(sizeof(*xz));

    if (!xz)
        return NULL;
    *xz = begun;
    xz->next_in = u->input;
    xz->avail_in = u->input_bytes;
    if (lzma_stream_decoder(xz, UINT64_C(1) << CODEC_MEMORY_LOG2, LZMA_CONCATENATED) == LZMA_OK)
        return xz;
    free(xz);
    return NULL;
}

/* The decoder reports a truncated file as a "buffer error": there is room to write, but no input. */
static enum pfifo_status xz_unpack(struct unpack *u, uint8_t *out, size_t room, size_t *got,
                                   struct pfifo_error *error) {
    enum pfifo_status status = PFIFO_OK;
    lzma_stream *xz = u->state;
    lzma_ret ret;

    if (xz->avail_in == 0 && !u->input_ended) {
        status = unpack_refill(u, error);
        if (status != PFIFO_OK)
            return status;
        xz->next_in = u->input;
        xz->avail_in = u->input_bytes;
    }
    xz->next_out = out;
    xz->avail_out = room;
    ret = lzma_code(xz, u->input_ended ? LZMA_FINISH : LZMA_RUN);
    *got = room - xz->avail_out;
    u->ended = ret == LZMA_STREAM_END;
    return ret == LZMA_OK || u->ended ? PFIFO_OK : unpack_error(u, "xz", xz->total_in, xz_reason(ret), error);
}

const struct codec_operations codec_xz = {xz_begin, xz_free, xz_pack, xz_unpack_begin, xz_free, xz_unpack};
